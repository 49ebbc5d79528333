// Several threads on one system: the same bits as one after the other, and an interrupt that
// another thread raises. scripts/verify.d runs this under the thread sanitizer.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, SAMPLES = 21 };

typedef struct Task {
    const LiaSystem* system;
    const char* text;  // a model that is read and built by the thread itself, besides; NULL: none
    double angle;      // at the start
    double end[SAMPLES];
    double force[SAMPLES];
    LiaStatus status;
} Task;

static const char swing[] =
    "parameter m = 1, g = 9.81\ncoordinate theta : circle\ncoordinate r : line\n"
    "kinetic m/2*(r'^2 + r^2*theta'^2)\npotential -m*g*r*cos(theta) + abs(theta)\n"
    "operator length: r = 2.5 + 0.15*sin(3.96*t)\nstart theta = 0.2\nrun t = 0..10\n";

static void* work(void* data) {
    Task* task = data;
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaState* from = NULL;
    LiaTrajectory* motion = NULL;
    LiaEvaluator* at = NULL;
    const double q[] = {task->angle, NAN};
    task->status = lia_state_create(lia_system_model(task->system), 0.0, q, NULL, &from);
    LiaRunOptions options = {.from = from, .samples = SAMPLES, .keep_steps = true};
    if (task->status == LIA_OK)
        task->status = lia_motion_run(task->system, &options, diags, &motion);
    if (task->status == LIA_OK) task->status = lia_evaluator_create(task->system, &at);
    for (size_t k = 0; task->status == LIA_OK && k < SAMPLES; k++) {
        task->end[k] = lia_trajectory_value(motion, k, 1);
        task->status = lia_trajectory_evaluate(motion, lia_trajectory_value(motion, k, 0), at);
        if (task->status == LIA_OK)
            task->status = lia_evaluator_get(at, LIA_EVAL_MULTIPLIERS, &task->force[k], 1);
    }
    if (task->status == LIA_OK && task->text) {
        task->status = lia_model_parse("own", task->text, strlen(task->text), NULL, diags, &model);
        char* said = lia_explain(task->system, NULL, diags);
        if (!said) task->status = LIA_FAILED;
        lia_free(said);
    }
    lia_model_destroy(model);
    lia_evaluator_destroy(at);
    lia_trajectory_destroy(motion);
    lia_state_destroy(from);
    lia_diags_destroy(diags);
    return NULL;
}

static void four_threads_give_the_same_bits_as_one(void) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    assert_int_equal(lia_model_parse("swing", swing, strlen(swing), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    Task alone[THREADS], together[THREADS];
    pthread_t threads[THREADS];
    memset(alone, 0, sizeof alone);
    for (int i = 0; i < THREADS; i++) {
        alone[i] = (Task){.system = system, .text = swing, .angle = 0.2 + 0.1 * i};
        together[i] = alone[i];
        work(&alone[i]);
        assert_int_equal(alone[i].status, LIA_OK);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &together[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(together[i].status, LIA_OK);
        assert_memory_equal(together[i].end, alone[i].end, sizeof alone[i].end);
        assert_memory_equal(together[i].force, alone[i].force, sizeof alone[i].force);
    }
    assert_true(fabs(alone[0].end[SAMPLES - 1] - alone[1].end[SAMPLES - 1]) > 1e-3);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

// --- interrupts ---------------------------------------------------------------------------------

typedef struct Run {
    const LiaSystem* system;
    const LiaInterrupt* interrupt;
    bool by_budget;  // the flag is that of the thread; else that of the run
    atomic_bool begun;
    LiaStatus status;
    LiaSpent spent;
    int said;  // what the one who raised it had written before
    const int* note;
} Run;

static void note_progress(void* context, const LiaProgress* progress) {
    Run* run = context;
    if (progress->steps > 0) atomic_store(&run->begun, true);
}

static void* run_for_ever(void* data) {
    Run* run = data;
    const volatile int* flag = lia_interrupt_flag(run->interrupt);
    double until = 1e9;
    LiaRunOptions options = {.until = &until,
                             .samples = 2,
                             .progress = note_progress,
                             .context = run,
                             .interrupt = run->by_budget ? NULL : flag};
    LiaBudget budget = {.interrupt = run->by_budget ? flag : NULL};
    LiaDiags* diags = lia_diags_create();
    LiaTrajectory* motion = NULL;
    lia_budget_set(&budget);
    run->status = lia_motion_run(run->system, &options, diags, &motion);
    run->spent = lia_trajectory_spent(motion);
    run->said = *run->note;
    lia_budget_set(NULL);
    lia_trajectory_destroy(motion);
    lia_diags_destroy(diags);
    return NULL;
}

static void another_thread_ends_runs(void) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    assert_int_equal(lia_model_parse("swing", swing, strlen(swing), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    LiaInterrupt* interrupt = lia_interrupt_create();
    int note = 0;
    static Run runs[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        runs[i] =
            (Run){.system = system, .interrupt = interrupt, .by_budget = i % 2, .note = &note};
        atomic_init(&runs[i].begun, false);
        assert_int_equal(pthread_create(&threads[i], NULL, run_for_ever, &runs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        while (!atomic_load(&runs[i].begun)) sched_yield();
    }
    note = 17;  // seen by who was ended
    lia_interrupt_raise(interrupt);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(runs[i].status, LIA_STOPPED);
        assert_int_equal(runs[i].spent, LIA_SPENT_INTERRUPT);
        assert_int_equal(runs[i].said, 17);
    }
    // cleared, it ends nothing any more
    lia_interrupt_clear(interrupt);
    LiaTrajectory* motion = NULL;
    LiaRunOptions options = {.interrupt = lia_interrupt_flag(interrupt)};
    assert_int_equal(lia_motion_run(system, &options, diags, &motion), LIA_OK);
    lia_trajectory_destroy(motion);
    lia_interrupt_destroy(interrupt);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

int main(void) {
    const TestCase tests[] = {
        TEST(four_threads_give_the_same_bits_as_one),
        TEST(another_thread_ends_runs),
    };
    return TESTS_RUN(tests);
}
