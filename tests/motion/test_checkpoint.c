// Checkpoints: a run that stops after any step and goes on from there gives, to the last byte, what
// it gives in one piece; and a file that is not all there, damaged, or of another run is refused
// with words.
//
// By law: motion/checkpoint/checkpoint.c: a run that is taken up again is the same to the last byte
// By law: motion/checkpoint/checkpoint_fields.c: every number that later steps depend on is kept
// By law: motion/contact/contacts_keep.c: modes, rooms and marks of contacts are kept with the run
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file/sha256.h"
#include "lang/model.h"
#include "mechanics/test_hooks.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/file.h"
#include "support/motion.h"
#include "support/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], file[96], table[96], other[96];

static int make_folder(void) {
    const char* where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.40s/liaison-check-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) return -1;
    snprintf(file, sizeof file, "%s/run.check", folder);
    snprintf(table, sizeof table, "%s/run.csv", folder);
    snprintf(other, sizeof other, "%s/other.check", folder);
    return 0;
}

static int remove_folder(void) {
    unlink(file);
    unlink(table);
    unlink(other);
    return rmdir(folder);
}

// --- what a run gives, but for the seconds ------------------------------------------------------

static char* join(char* a, char* b) {
    size_t n = strlen(a), m = strlen(b);
    char* text = malloc(n + m + 1);
    memcpy(text, a, n);
    memcpy(text + n, b, m + 1);
    return text;
}

static void cut(char* text, const char* from, const char* to) {
    char* begin = strstr(text, from);
    char* end = begin ? strstr(begin, to) : NULL;
    if (end) memmove(begin, end, strlen(end) + 1);
}

// JSON, then the table, then the summary with its events, jumps and choices.
static char* result(const LiaTrajectory* t) {
    assert_int_equal(lia_output_csv(t, table), LIA_OK);
    char *csv = file_text(table), *json = lia_output_json(t);
    char* summary = lia_output_summary(t, &(LiaTextStyle){.width = 100, .pictures = true});
    cut(json, "\"seconds\"", "\"state\"");
    char* said = strstr(summary, "set up in ");
    while (said && said > summary && said[-1] != '\n') said--;
    if (said) cut(said, " in ", "\n");
    char *both = join(json, csv), *all = join(both, summary);
    free(both);
    free(csv);
    lia_free(json);
    lia_free(summary);
    return all;
}

static LiaTrajectory* run(const Motion* m, LiaRunOptions options, LiaStatus* status) {
    LiaTrajectory* t = NULL;
    *status = lia_motion_run(m->system, &options, m->diags, &t);
    return t;
}

// The result with what is said of it, from a run with diagnostics of its own. NULL: there is none.
static char* whole_result(const Motion* m, LiaRunOptions options, LiaStatus* status,
                          uint64_t* steps) {
    Motion own = *m;
    own.diags = lia_diags_create();
    const LiaSource* source = &m->model->text.source;
    lia_diag_source(own.diags, "m.lia", source->text, source->length);
    LiaTrajectory* t = run(&own, options, status);
    char *text = t ? result(t) : NULL, *said = lia_diags_text(own.diags), *all = NULL;
    if (steps) *steps = t ? t->effort.steps : 0;
    if (text) all = join(text, said);
    free(text);
    lia_free(said);
    lia_trajectory_destroy(t);
    lia_diags_destroy(own.diags);
    return all;
}

static void same(const char* got, const char* wanted, const char* name, uint64_t steps) {
    size_t at = 0;
    while (got[at] && got[at] == wanted[at]) at++;
    if (got[at] != wanted[at]) {
        fail_msg("%s: another result after %d steps, at\n%.200s\ninstead of\n%.200s", name,
                 (int)steps, got + at, wanted + at);
    }
}

// Stop after `steps`, go on, compare.
static void check_at(const Motion* m, LiaRunOptions options, uint64_t steps, const char* wanted,
                     LiaStatus ended, const char* name) {
    LiaStatus status;
    LiaRunOptions first = options, second = options;
    first.steps_most = steps;
    first.checkpoint = file;
    LiaTrajectory* t = run(m, first, &status);
    assert_non_null(t);
    lia_trajectory_destroy(t);
    second.resume = file;
    char* got = whole_result(m, second, &status, NULL);
    if (!got) fail_msg("%s: does not go on after %d steps", name, (int)steps);
    assert_int_equal(status, ended);
    same(got, wanted, name, steps);
    free(got);
}

// `make verify` looks at more steps, and makes up more bytes.
static unsigned campaign(void) {
    const char* times = getenv("LIAISON_CAMPAIGN");
    return times && atoi(times) > 1 ? (unsigned)atoi(times) : 1;
}

// After each step, or after so many that are spread over the run.
static uint64_t check(Motion* m, LiaRunOptions options, uint64_t most, const char* name) {
    LiaStatus ended;
    uint64_t steps;
    char* wanted = whole_result(m, options, &ended, &steps);
    if (!wanted) fail_msg("%s does not run", name);
    most *= campaign();
    uint64_t looks = steps < most ? steps : most;
    for (uint64_t k = 1; k <= looks; k++) {
        uint64_t after = looks == steps ? k : k * steps / (looks + 1);
        check_at(m, options, after > 0 ? after : 1, wanted, ended, name);
    }
    free(wanted);
    return looks;
}

static uint64_t check_text(const char* text, uint64_t most) {
    Motion m = motion_of(text, &(MotionOptions){.run = {.steps_most = 1}});
    uint64_t count = check(&m, (LiaRunOptions){.samples = 61}, most, lia_model_name(m.model));
    motion_clear(&m);
    return count;
}

// --- models of all kinds ------------------------------------------------------------------------

static const char pendulum[] = "model pendulum\ncoordinate x, y : line\n"
                               "kinetic 1/2*(x'^2 + y'^2)\npotential 9.81*y\n"
                               "constraint rod: x^2 + y^2 = 1\n"
                               "start x = 0.6, y = -0.8\nrun t = 0..6\n";

static void guards_events_and_jumps(void) {
    check_text("model corners\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
               "potential abs(x) + max(0, y - 1)^2 + atan2(y, x + 3)\ndissipation 0.01*x'^2\n"
               "event across: x = 0\nevent high: y = 1.1\n"
               "start x = 1, y = 0, y' = 1\nrun t = 0..10\n",
               12);
    check_text("model teeth\ncoordinate x, s : line\nkinetic (x' + s')^2/2 + s'^2\n"
               "operator a: s = abs(sin(t))\nevent e: x = 0.1\nrun t = 1..10\n",
               12);
    check_text("model saw\ncoordinate x, y, s : line\nkinetic (x' + s')^2/2 + s'^2 + y'^2/2\n"
               "constraint tie: y = x^2\noperator a: s = abs(wrap(2*t))\nrun t = 1..6\n",
               12);
    check_text("model quartic\ncoordinate x, s : line\nkinetic (x' + s')^4/4 + x'^2/2\n"
               "operator a: s = if(t < 1, t/2, 1/2 + 5/2*(t - 1))\nstart x' = 1\nrun t = 0..2\n",
               20);
}

static void operators_that_act_through_springs(void) {
    check_text("model spring\ncoordinate x1, x2 : line\nkinetic 1/2*x1'^2 + x2'^2\n"
               "potential 25*(x2 - x1)^2\noperator follow: x2 = sin(t) by d(x1)\nrun t = 0..10\n",
               50);
    check_text("model through\nparameter m = 3, k = 2, n = 5\ncoordinate x1, x2 : line\n"
               "kinetic m/2*x1'^2 + n/2*x2'^2\npotential k/2*(x1 - x2)^2\n"
               "operator follow: x2 = max(0, t - 1)^3 by d(x1)\nrun t = 0..2\n",
               20);
    check_text("model crane\nparameter m = 1, M = 2, I = 0.5, g = 9.81\n"
               "coordinate s, r : line\ncoordinate theta : circle\n"
               "let load = [s + r*sin(theta), -r*cos(theta)]\n"
               "kinetic m/2*dot(load', load') + M/2*s'^2 + I/2*r'^2\npotential m*g*load.y\n"
               "control X = 0.5*sin(t), Z = -2 + 0.3*cos(1.3*t)\n"
               "operator lead: load = [X, Z] by d(s), d(r)\nstart r ~ 2\nrun t = 0..5\n",
               4);
    check_text("model corner\ncoordinate s, r : line\ncoordinate a : circle\n"
               "let load = [s + r*sin(a), -r*cos(a)]\n"
               "kinetic dot(load', load')/2 + s'^2 + r'^2/4\npotential 9.81*load.y\n"
               "operator lead: load = [max(0, t - 1)^3, -2] by d(s), d(r)\n"
               "start r ~ 2\nrun t = 0..1.5, samples 21\n",
               12);
}

// Contacts that are struck by what an operator moves through a spring.
static void contacts_and_springs(void) {
    check_text("model struck\ncoordinate x1, x2, y : line\nkinetic (x1'^2 + x2'^2)/2 + y'^2/4\n"
               "potential 25*(x1 - x2)^2\noperator drive: x2 = 0.1*sin(2*t) by d(x1)\n"
               "contact touch: y - x1 - 0.05 >= 0 restitution 0.5\nforce back: -d(y)\n"
               "start y = 0.2, y' = 0\nrun t = 0..3, samples 21\n",
               3);
}

// The rope hangs straight at t = pi: from there on other derivatives decide the forces than at the
// start.
static void forces_that_are_decided_anew_on_the_way(void) {
    check_text("model winch\nparameter M = 2, I = 1/2, D = 1/3, c = 60, g = 9.81\n"
               "coordinate s, w, r : line\ncoordinate theta : circle\n"
               "let load = [s + r*sin(theta), -r*cos(theta)]\n"
               "kinetic dot(load', load')/2 + M/2*s'^2 + I/2*r'^2 + D/2*w'^2\n"
               "potential g*load.y + c/2*(w - r)^2\n"
               "control X = 0.5*sin(t), Z = -2 + 0.3*cos(1.3*t)\n"
               "operator lead: load = [X, Z] by d(s), d(w)\n"
               "start r ~ 2\nrun t = 0.5..5, tolerance 1e-14, samples 21\n",
               2);
}

static void rotations_redundancy_and_flat_positions(void) {
    static const char* const paths[] = {
        "examples/skater/skater.lia",    "examples/fourbar/fourbar.lia",
        "examples/bricard/bricard.lia",  "examples/rover/rover.lia",
        "examples/puck/puck.lia",        "examples/billiard/billiard.lia",
        "tests/refs/ellipsoid_plate.lia"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        Motion m = motion_of_file(paths[i], &(MotionOptions){.run = {.steps_most = 1}});
        check(&m, (LiaRunOptions){.samples = 50}, 1, paths[i]);
        motion_clear(&m);
    }
    check_text("model parallelogram\ncoordinate a, b, c : circle\nkinetic (a'^2 + b'^2 + c'^2)/2\n"
               "potential 2*sin(a) + sin(c)\n"
               "constraint loop: [cos(a) + 2*cos(b), sin(a) + 2*sin(b)] = [2 + cos(c), sin(c)]\n"
               "start a = 0.5, c ~ 0.5, b ~ 0, a' = 2\nrun t = 0..6\n",
               4);
    check_text(pendulum, 50);
    // a sample in a singular configuration, of which is said that its forces are not determined
    check_text("model bars\nparameter l = 1, d = 2\ncoordinate a, b, c : circle\n"
               "let P = [l*cos(a), l*sin(a)]\nlet Q = [d + l*cos(c), l*sin(c)]\n"
               "let G = P + d/2*[cos(b), sin(b)]\n"
               "kinetic (a'^2 + c'^2)/6 + b'^2/3 + dot(G', G')\n"
               "constraint loop: P + d*[cos(b), sin(b)] - Q = 0\n"
               "start a = -1, b = 0, c = -1, a' = 1\nrun t = 0..5, samples 21\n",
               10);
    // what slides, rolls and pivots comes to rest, each at its time
    check_text(
        "model ball\nparameter r = 0.1\nbody ball: mass 1, inertia 2/5*r^2, free\n"
        "gravity [0, 0, -9.81]\ncontact floor: sphere(ball, r) on plane(ground normal [0, 0, "
        "1]) friction 0.3 rolling 0.004 pivoting 0.01\n"
        "start ball.position = [0, 0, r], ball.velocity = [1, 0.5, 0], ball.attitude = "
        "rotz(0), ball.omega = [0, 0, 20]\nrun t = 0..4, samples 41\n",
        3);
    // the coupling of the force is weakest on the way
    check_text("model servo\ncoordinate x, y : line\n"
               "kinetic (x'^2 + y'^2)/2 + 0.9*cos(x)*x'*y'\n"
               "operator o: x = 1.2*exp(-t/5)*sin(t) by d(y)\nrun t = 0..12\n",
               4);
}

// Sparse algebra chooses an order of elimination once and keeps it; dense algebra of the same
// system does not.
static void large_systems(void) {
    static const char text[] =
        "model chain\nparameter n = 40\ncoordinate x[i = 1..n], y[i = 1..n] : line\n"
        "kinetic sum(i = 1..n, x[i]'^2 + y[i]'^2)/2\npotential sum(i = 1..n, 9.81*y[i])\n"
        "constraint first: x[1]^2 + y[1]^2 = 1\n"
        "constraint link[i = 2..n]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = 1\n"
        "start x[i = 1..n] = i, y[i = 1..n] = 0\nrun t = 0..1, samples 20\n";
    Motion m = motion_of(text, &(MotionOptions){.run = {.steps_most = 1}});
    assert_non_null(m.system);
    for (int algebra = LIA_ALGEBRA_DENSE; algebra <= LIA_ALGEBRA_SPARSE; algebra++) {
        const LiaTestHooks hooks = {.algebra = (LiaAlgebra)algebra};
        m.system->hooks = &hooks;
        check(&m, (LiaRunOptions){0}, 2,
              algebra == LIA_ALGEBRA_DENSE ? "dense chain" : "sparse chain");
    }
    motion_clear(&m);
}

static void other_ways_to_run(void) {
    double back = -3.0;
    for (int plain = 0; plain < 2; plain++) {
        Motion m =
            motion_of_file("examples/skater/skater.lia",
                           &(MotionOptions){.no_eliminate = plain, .run = {.steps_most = 1}});
        check(&m, (LiaRunOptions){.until = &back, .every = 0.01}, 2, "backwards");
        check(&m, (LiaRunOptions){.tolerance = 1e-6, .order = 9, .samples = 7}, 3, "coarse");
        LiaStatus status;
        LiaTrajectory* t = run(&m, (LiaRunOptions){.steps_most = 4}, &status);
        LiaState* from = lia_state_of(t);
        check(&m, (LiaRunOptions){.from = from}, 3, "from a state");
        lia_state_destroy(from);
        lia_trajectory_destroy(t);
        motion_clear(&m);
    }
}

// From one file to the next, after each step a program of its own: the end is the same.
static void step_by_step(void) {
    Motion m = motion_of_file("examples/skater/skater.lia", &(MotionOptions){0});
    char* wanted = result(m.t);
    uint64_t steps = m.t->effort.steps;
    LiaStatus status = LIA_STOPPED;
    LiaTrajectory* t = NULL;
    for (uint64_t k = 1; k <= steps + 1; k++) {
        LiaRunOptions options = {
            .steps_most = k, .checkpoint = file, .resume = k > 1 ? file : NULL};
        lia_trajectory_destroy(t);
        t = run(&m, options, &status);
        assert_non_null(t);
    }
    assert_int_equal(status, LIA_OK);
    char* got = result(t);
    same(got, wanted, "step by step", steps);
    free(got);
    lia_trajectory_destroy(t);
    // of a run that is over: the end at once
    t = run(&m, (LiaRunOptions){.resume = file}, &status);
    got = result(t);
    same(got, wanted, "at the end", steps);
    free(got);
    free(wanted);
    lia_trajectory_destroy(t);
    motion_clear(&m);
}

// --- files that are not what they should be -----------------------------------------------------

static void write_file(const char* path, const char* bytes, size_t count) {
    FILE* out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    assert_int_equal(fclose(out), 0);
}

static char* read_file(const char* path, size_t* length) {
    LiaFileId id;
    char* text = lia_input_read(path, SIZE_MAX / 4, length, &id);
    assert_non_null(text);
    return text;
}

static void refused(const Motion* m, LiaRunOptions options, const char* words) {
    LiaStatus status;
    LiaDiags* diags = lia_diags_create();
    Motion asked = *m;
    asked.diags = diags;
    LiaTrajectory* t = run(&asked, options, &status);
    char* told = lia_diags_text(diags);
    if (t || !strstr(told, words)) fail_msg("'%s' is not said, but '%s'", words, told);
    lia_free(told);
    lia_diags_destroy(diags);
}

static Motion stopped(const char* text, uint64_t steps) {
    return motion_of(text, &(MotionOptions){.run = {.steps_most = steps, .checkpoint = file}});
}

static void files_of_others_are_refused(void) {
    char changed[1024];
    double until = 5.0;
    Motion m = stopped(pendulum, 3);
    refused(&m, (LiaRunOptions){.resume = "/no/such/file"}, "error E0320");
    refused(&m, (LiaRunOptions){.resume = "/dev/zero"},
            "cannot be read: it is a device, not a file");
    refused(&m, (LiaRunOptions){.resume = folder}, "error E0320");
    refused(&m, (LiaRunOptions){.resume = folder}, "cannot be read: it is a folder");
    char pipe[1024];
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    refused(&m, (LiaRunOptions){.resume = pipe}, "cannot be read: it is a pipe, not a file");
    unlink(pipe);
    refused(&m, (LiaRunOptions){.resume = file, .until = &until}, "error E0322: the checkpoint '");
    refused(&m, (LiaRunOptions){.resume = file, .samples = 5}, "other options");
    refused(&m, (LiaRunOptions){.resume = file, .tolerance = 1e-9}, "other options");
    refused(&m, (LiaRunOptions){.resume = file, .order = 12}, "other options");
    refused(&m, (LiaRunOptions){.checkpoint = "/no/such/folder/c"}, "error E0323");
    snprintf(changed, sizeof changed, "%s# one more word\n", pendulum);
    Motion n = motion_of(changed, &(MotionOptions){.run = {.steps_most = 1}});
    refused(&n, (LiaRunOptions){.resume = file}, "is of another model");
    motion_clear(&n);
    motion_clear(&m);
}

static void fix_sum(char* text, size_t length) {
    LiaSha256 sha = lia_sha256_begin();
    lia_sha256_add(&sha, text, length - LIA_SHA256_BYTES);
    LiaDigest sum = lia_sha256_end(&sha);
    memcpy(text + length - LIA_SHA256_BYTES, sum.bytes, sizeof sum.bytes);
}

static void what_is_not_all_there_or_damaged_is_refused(void) {
    Motion m = stopped(pendulum, 3);
    size_t length;
    char* good = read_file(file, &length);
    Random r = {7};
    for (int i = 0; i < 40; i++) {
        size_t left = i < 15 ? (size_t)i * 12 : (size_t)(random_unit(&r) * (double)length);
        write_file(other, good, left);
        refused(&m, (LiaRunOptions){.resume = other}, "error E0321");
    }
    for (int i = 0; i < 40; i++) {
        size_t at = i < 15 ? (size_t)i * 12 : (size_t)(random_unit(&r) * (double)length);
        char was = good[at];
        good[at] = (char)(was ^ (1 << (random_bits(&r) & 7)));
        write_file(other, good, length);
        refused(&m, (LiaRunOptions){.resume = other}, "error E0321");
        good[at] = was;
    }
    char* longer = malloc(length + 8);
    memcpy(longer, good, length);
    memset(longer + length, 0, 8);
    write_file(other, longer, length + 8);
    refused(&m, (LiaRunOptions){.resume = other}, "error E0321");
    free(longer);
    good[25] = (char)~good[25];  // of another build, and whole
    fix_sum(good, length);
    write_file(other, good, length);
    refused(&m, (LiaRunOptions){.resume = other}, "error E0322");
    free(good);
    motion_clear(&m);
}

// Bytes that somebody made up, with the sum that belongs to them: refused, or a run that ends; no
// harm.
static void made_up_bytes_do_no_harm(void) {
    static const char* const models[] = {
        pendulum,
        "model teeth\ncoordinate x, s : line\nkinetic (x' + s')^2/2 + s'^2\n"
        "operator a: s = abs(sin(t))\nevent e: x = 0.1\nrun t = 1..10, samples 30\n",
        "model spring\ncoordinate x1, x2 : line\nkinetic 1/2*x1'^2 + x2'^2\n"
        "potential 25*(x2 - x1)^2\noperator follow: x2 = sin(t) by d(x1)\nrun t = 0..10, samples "
        "9\n"};
    enum { HEAD = 21 + 96 + 8 };
    Random r = {11};
    int refusals = 0;
    for (int k = 0; k < 3; k++) {
        Motion m = stopped(models[k], 6);
        size_t length;
        char* good = read_file(file, &length);
        char* bad = malloc(length);
        for (int i = 0; i < 40 * (int)campaign(); i++) {
            memcpy(bad, good, length);
            size_t room = length - HEAD - LIA_SHA256_BYTES;
            for (int change = (int)(random_bits(&r) % 4); change >= 0; change--) {
                size_t at = HEAD + (size_t)(random_unit(&r) * (double)room);
                size_t count = 1 + random_bits(&r) % 8;
                for (size_t b = 0; b < count && at + b < length - LIA_SHA256_BYTES; b++) {
                    bad[at + b] = i % 3 ? (char)random_bits(&r) : i % 2 ? '\xff' : '\0';
                }
            }
            fix_sum(bad, length);
            write_file(other, bad, length);
            LiaStatus status;
            LiaDiags* diags = lia_diags_create();
            Motion asked = m;
            asked.diags = diags;
            lia_budget_set(&(LiaBudget){.seconds = 5.0});
            LiaTrajectory* t =
                run(&asked, (LiaRunOptions){.resume = other, .steps_most = 12}, &status);
            lia_budget_set(NULL);
            refusals += t == NULL;
            assert_true(t != NULL || lia_diags_errors(diags) > 0);
            lia_trajectory_destroy(t);
            lia_diags_destroy(diags);
        }
        free(bad);
        free(good);
        motion_clear(&m);
    }
    assert_true(refusals > 0);
}

// The numbers of modes that were visited, and how often: each 1 made a 0, with the sum that belongs
// to it. What is numbered twice, or not at all, has no place in the course of the contacts.
static void visits_that_cannot_be_are_refused(void) {
    static const char ball[] =
        "model ball\ncoordinate y, x : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
        "contact floor: y >= 0 restitution 0.5\ncontact wall: x <= 0.7 restitution 0.5\n"
        "start y = 1, x' = 1\nrun t = 0..2, samples 5\n";
    static const char one[8] = {1};
    enum { HEAD = 21 + 96 + 8 };
    Motion m = stopped(ball, 12);
    size_t length, tried = 0, refusals = 0;
    char* text = read_file(file, &length);
    for (size_t at = HEAD; at + 8 <= length - LIA_SHA256_BYTES; at++) {
        if (memcmp(text + at, one, sizeof one) != 0) continue;
        text[at] = 0;
        fix_sum(text, length);
        write_file(other, text, length);
        text[at] = 1;
        LiaStatus status;
        LiaDiags* diags = lia_diags_create();
        Motion asked = m;
        asked.diags = diags;
        LiaTrajectory* t = run(&asked, (LiaRunOptions){.resume = other, .steps_most = 14}, &status);
        tried++;
        refusals += t == NULL;
        assert_true(t != NULL || lia_diags_errors(diags) > 0);
        lia_trajectory_destroy(t);
        lia_diags_destroy(diags);
    }
    assert_true(tried >= 4 && refusals >= 2);
    free(text);
    motion_clear(&m);
}

// FIPS 180-4, and the sum of a million letters.
static void digests_are_those_of_the_standard(void) {
    static const struct {
        const char* text;
        int times;
        unsigned char first[4];
    } known[] = {
        {"", 1, {0xe3, 0xb0, 0xc4, 0x42}},
        {"abc", 1, {0xba, 0x78, 0x16, 0xbf}},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, {0x24, 0x8d, 0x6a, 0x61}},
        {"aaaaaaaaaa", 100000, {0xcd, 0xc7, 0x6e, 0x5c}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        LiaSha256 sha = lia_sha256_begin();
        for (int k = 0; k < known[i].times; k++) {
            lia_sha256_add(&sha, known[i].text, strlen(known[i].text));
        }
        LiaDigest digest = lia_sha256_end(&sha);
        assert_memory_equal(digest.bytes, known[i].first, 4);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(digests_are_those_of_the_standard),
        TEST(guards_events_and_jumps),
        TEST(operators_that_act_through_springs),
        TEST(contacts_and_springs),
        TEST(forces_that_are_decided_anew_on_the_way),
        TEST(rotations_redundancy_and_flat_positions),
        TEST(large_systems),
        TEST(other_ways_to_run),
        TEST(step_by_step),
        TEST(files_of_others_are_refused),
        TEST(what_is_not_all_there_or_damaged_is_refused),
        TEST(made_up_bytes_do_no_harm),
        TEST(visits_that_cannot_be_are_refused),
    };
    return TESTS_RUN_WITHIN(tests, make_folder, remove_folder);
}
