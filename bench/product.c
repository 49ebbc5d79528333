// liaison as a competitor. See product.h.
// SPDX-License-Identifier: MIT
#include "product.h"
#include "measure.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void complain(const LiaDiags* diags, const char* what, LiaStatus status) {
    char* text = lia_diags_text(diags);
    fprintf(stderr, "bench: %s: %s\n%s", what, lia_status_text(status), text ? text : "");
    lia_free(text);
}

bool product_open(Product* product, const char* model, const LiaDefine* defines, int define_count) {
    *product = (Product){.diags = lia_diags_create()};
    char path[1024];
    snprintf(path, sizeof path, "%s/bench/models/%s", LIAISON_SOURCE_DIR, model);
    LiaStatus status = lia_model_read(path, &(LiaDefines){defines, (size_t)define_count},
                                      product->diags, &product->model);
    if (status == LIA_OK) {
        status = lia_system_build(product->model, NULL, product->diags, &product->system);
    }
    if (status == LIA_OK) return true;
    complain(product->diags, model, status);
    product_close(product);
    return false;
}

bool product_open_problem(Product* product, const BenchProblem* problem) {
    LiaDefine links = {"N", problem->links};
    return product_open(product, problem->model, &links, problem->links ? 1 : 0);
}

void product_close(Product* product) {
    lia_system_destroy(product->system);
    lia_model_destroy(product->model);
    lia_diags_destroy(product->diags);
    *product = (Product){0};
}

LiaTrajectory* product_run(const Product* product, double t_end, double tolerance,
                           uint64_t steps_most, double* seconds) {
    LiaRunOptions options = {
        .until = &t_end, .tolerance = tolerance, .samples = 2, .steps_most = steps_most};
    LiaTrajectory* trajectory = NULL;
    double begin = bench_clock();
    LiaStatus status = lia_motion_run(product->system, &options, product->diags, &trajectory);
    *seconds = bench_clock() - begin;
    if (status == LIA_OK || (steps_most && trajectory)) return trajectory;
    complain(product->diags, "motion", status);
    if (trajectory && lia_trajectory_reason(trajectory)) {
        fprintf(stderr, "%s\n", lia_trajectory_reason(trajectory));
    }
    lia_trajectory_destroy(trajectory);
    return NULL;
}

bool product_final(const LiaTrajectory* trajectory, int count, const char* const* names,
                   long double* y) {
    for (int i = 0; i < count; i++) {
        char member[24];
        snprintf(member, sizeof member, "q[%d]", i + 1);
        const char* name = names ? names[i] : member;
        double value;
        if (!lia_trajectory_final(trajectory, name, &value)) {
            fprintf(stderr, "bench: no final value of '%s'\n", name);
            return false;
        }
        y[i] = value;
    }
    return true;
}

long product_steps(const LiaTrajectory* trajectory) {
    char* json = lia_output_json(trajectory);
    const char* key = "\"steps\":";
    const char* found = json ? strstr(json, key) : NULL;
    long steps = found ? strtol(found + strlen(key), NULL, 10) : -1;
    lia_free(json);
    return steps;
}

// --- set-up and memory, in a process of its own --------------------------------------------------

static bool probe_here(const BenchProblem* problem, ProductProbe* probe) {
    Product product;
    double seconds, begin = bench_clock();
    if (!product_open_problem(&product, problem)) return false;
    LiaTrajectory* first = product_run(&product, problem->t_end, 1e-12, 1, &seconds);
    probe->setup = bench_clock() - begin;
    LiaTrajectory* whole = product_run(&product, problem->t_end, 1e-12, 0, &seconds);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    probe->memory = (double)usage.ru_maxrss / 1024.0;
    return first && whole;
}

static bool probe_once(const BenchProblem* problem, ProductProbe* probe) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        ProductProbe mine;
        bool well = probe_here(problem, &mine) &&
                    write(ends[1], &mine, sizeof mine) == (ssize_t)sizeof mine;
        _exit(well ? 0 : 1);
    }
    close(ends[1]);
    bool well = child > 0 && read(ends[0], probe, sizeof *probe) == (ssize_t)sizeof *probe;
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    return well;
}

bool product_probe(const BenchProblem* problem, int times, ProductProbe* probe) {
    *probe = (ProductProbe){.setup = INFINITY};
    for (int i = 0; i < times; i++) {
        ProductProbe one;
        if (!probe_once(problem, &one)) return false;
        probe->setup = fmin(probe->setup, one.setup);
        probe->memory = fmax(probe->memory, one.memory);
    }
    return true;
}
