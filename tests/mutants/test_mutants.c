// Mutants of all models go through check, run, explain and page, each under a budget: no crash, no
// leak, no hang beyond the budget.
//
//   test_mutants [COUNT [FIRST [FOLDER [WORKERS]]]]     those of the numbers FIRST, FIRST + 1, ...;
//                                                       a few without arguments
//
// Batches run in processes of their own, so that a crash ends a batch only and leaks are found at
// its end; mutants that fail are written to FOLDER (the current one) as mutant-NUMBER.lia, and
// `test_mutants 1 NUMBER` is one of them again.
// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include "mutate.h"
#include <liaison/liaison.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 40, WORKERS_MOST = 16 };
static const double SECONDS = 0.25;  // the budget of each call
static const double LATE = 2.0;      // how much later than all of them together is a hang
static const double MOST = 60.0;     // by the clock, after which a process is ended

typedef struct Slot {  // what a process is at, seen by its parent
    volatile uint64_t number;
    volatile double begun;
    volatile uint64_t late;  // mutants that came back too late
    volatile uint64_t last_late;
} Slot;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// What the process has computed: on a machine with others on it the clock says little.
static double computed(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin_budget(void) {
    lia_budget_set(&(LiaBudget){.seconds = SECONDS, .bytes = 2000000000});
}

// What is said must be a text, and stay one.
static void look(char* text) {
    if (text && memchr(text, '\x1b', strlen(text))) abort();
    lia_free(text);
}

static int explain_all(const LiaSystem* system) {
    for (int format = 0; format < 3; format++) {
        LiaDiags* diags = lia_diags_create();
        LiaExplainOptions options = {.format = (LiaExplainFormat)format, .at_start = format != 1};
        begin_budget();
        look(lia_explain(system, &options, diags));
        look(lia_diags_text(diags));
        lia_diags_destroy(diags);
    }
    return 3;
}

static int run_it(const LiaSystem* system, LiaDiags* diags) {
    LiaTrajectory* motion = NULL;
    LiaRunOptions options = {.samples = 20, .steps_most = 60};
    begin_budget();
    lia_motion_run(system, &options, diags, &motion);
    if (!motion) return 1;
    begin_budget();
    look(lia_output_json(motion));
    look(lia_output_summary(motion, &(LiaTextStyle){.pictures = true, .ascii = true}));
    look(lia_output_reason(motion));
    look(lia_output_page_data(motion));
    lia_trajectory_destroy(motion);
    return 2;
}

// Returns how many budgets it had.
static int try_mutant(const char* text, size_t length) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    int budgets = 2;
    begin_budget();
    if (lia_model_parse("mutant", text, length, NULL, diags, &model) == LIA_OK) {
        begin_budget();
        if (lia_system_build(model, NULL, diags, &system) == LIA_OK) {
            budgets += run_it(system, diags);
            budgets += explain_all(system);
        }
    } else if (lia_diags_errors(diags) == 0 && lia_budget_spent() == LIA_SPENT_NOTHING) {
        fprintf(stderr, "refused without a word\n");
        abort();
    }
    lia_budget_set(NULL);
    look(lia_diags_text(diags));
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    return budgets;
}

static void run_batch(const Corpus* corpus, Slot* slot, uint64_t first, uint64_t end) {
    for (uint64_t number = first; number < end; number++) {
        size_t length = 0;
        char* text = mutant_make(corpus, number, &length);
        slot->begun = now();
        slot->number = number;
        double begun = computed();
        int budgets = try_mutant(text, length);
        if (computed() - begun > budgets * SECONDS + LATE) {
            slot->last_late = number;
            slot->late++;
        }
        free(text);
    }
}

static void keep(const Corpus* corpus, uint64_t number, const char* folder, const char* why) {
    char path[4096];
    size_t length = 0;
    char* text = mutant_make(corpus, number, &length);
    snprintf(path, sizeof path, "%s/mutant-%llu.lia", folder, (unsigned long long)number);
    FILE* file = fopen(path, "wb");
    if (file) {
        fwrite(text, 1, length, file);
        fclose(file);
    }
    printf("FAILED mutant %llu: %s; see %s\n", (unsigned long long)number, why, path);
    fflush(stdout);
    free(text);
}

typedef struct Worker {
    pid_t pid;  // 0: none
    uint64_t end;
} Worker;

typedef struct Campaign {
    Corpus corpus;
    const char* folder;
    uint64_t next, end, failed;
    Slot* slots;
    int worker_count;
    Worker workers[WORKERS_MOST];
} Campaign;

static void start(Campaign* c, int k, uint64_t first, uint64_t end) {
    c->slots[k] = (Slot){.number = first, .begun = now()};
    c->workers[k] = (Worker){fork(), end};
    if (c->workers[k].pid != 0) return;
    run_batch(&c->corpus, &c->slots[k], first, end);
    corpus_clear(&c->corpus);
    exit(0);  // where leaks are looked for
}

static void take_end(Campaign* c, int k, int status) {
    Slot* slot = &c->slots[k];
    uint64_t at = slot->number, end = c->workers[k].end;
    if (slot->late > 0) {
        keep(&c->corpus, slot->last_late, c->folder, "beyond its budget");
        c->failed += slot->late;
    }
    c->workers[k].pid = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    bool leak =
        WIFEXITED(status) && at + 1 == end;  // it came to its end, and then something leaked
    keep(&c->corpus, at, c->folder,
         killed ? "hang"
         : leak ? "crash, or a leak in its batch"
                : "crash");
    c->failed++;
    if (at + 1 < end) start(c, k, at + 1, end);
}

static void watch(Campaign* c) {
    for (int k = 0; k < c->worker_count; k++) {
        Worker* w = &c->workers[k];
        int status;
        if (w->pid && waitpid(w->pid, &status, WNOHANG) == w->pid) take_end(c, k, status);
        if (w->pid && now() - c->slots[k].begun > MOST) kill(w->pid, SIGKILL);
        if (!w->pid && c->next < c->end) {
            uint64_t end = c->next + BATCH < c->end ? c->next + BATCH : c->end;
            start(c, k, c->next, end);
            c->next = end;
        }
    }
}

int main(int count, char** words) {
    uint64_t number = count > 1 ? strtoull(words[1], NULL, 10) : 160;
    Campaign c = {.corpus = corpus_read(),
                  .folder = count > 3 ? words[3] : ".",
                  .next = count > 2 ? strtoull(words[2], NULL, 10) : 1,
                  .worker_count = count > 4 ? atoi(words[4]) : 2};
    if (c.worker_count < 1) c.worker_count = 1;
    if (c.worker_count > WORKERS_MOST) c.worker_count = WORKERS_MOST;
    c.end = c.next + number;
    c.slots = mmap(NULL, WORKERS_MOST * sizeof *c.slots, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c.slots == MAP_FAILED) return 1;
    bool busy = true;
    while (busy) {
        watch(&c);
        busy = c.next < c.end;
        for (int k = 0; k < c.worker_count; k++) busy = busy || c.workers[k].pid;
        if (busy) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    corpus_clear(&c.corpus);
    printf("%llu passed, %llu failed\n", (unsigned long long)(number - c.failed),
           (unsigned long long)c.failed);
    return c.failed > 0;
}
