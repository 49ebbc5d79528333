// All memory of the library comes from the allocator that a program sets: every block that is
// resized or released came from it, all of them come back, and none that it refuses is used.
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L  // fork()
#include "support/cases.h"
#include "support/motion.h"
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MARK = 0x11a150 };

typedef union Head {
    struct {
        size_t bytes, mark;
    } is;
    max_align_t aligned;
} Head;

typedef struct Heap {
    atomic_size_t blocks, bytes, taken, strangers;
    atomic_size_t refused_from;  // the block from which on none is given; 0: all are
} Heap;

static Heap heap;

static bool gives(Heap* h) {
    size_t number = atomic_fetch_add(&h->taken, 1) + 1, from = atomic_load(&h->refused_from);
    return !from || number < from;
}

static void* take(void* context, size_t bytes) {
    Heap* h = context;
    Head* head = bytes && gives(h) ? malloc(sizeof *head + bytes) : NULL;
    if (!head) return NULL;
    memset(head + 1, 0xa5, bytes);
    head->is.bytes = bytes;
    head->is.mark = MARK;
    atomic_fetch_add(&h->blocks, 1);
    atomic_fetch_add(&h->bytes, bytes);
    return head + 1;
}

static bool is_ours(Heap* h, const Head* head) {
    if (head->is.mark == MARK) return true;
    atomic_fetch_add(&h->strangers, 1);
    return false;
}

static void give_back(void* context, void* block) {
    Heap* h = context;
    Head* head = (Head*)block - 1;
    if (!is_ours(h, head)) return;
    head->is.mark = 0;
    atomic_fetch_sub(&h->blocks, 1);
    atomic_fetch_sub(&h->bytes, head->is.bytes);
    free(head);
}

static void* resize(void* context, void* block, size_t bytes) {
    Head* old = (Head*)block - 1;
    if (!is_ours(context, old)) return NULL;
    void* moved = take(context, bytes);  // it always moves
    if (!moved) return NULL;
    memcpy(moved, block, bytes < old->is.bytes ? bytes : old->is.bytes);
    give_back(context, block);
    return moved;
}

static const LiaAllocator allocator = {take, resize, give_back, &heap};

static const char* const files[] = {"examples/skater/skater.lia", "examples/chain/chain.lia",
                                    "examples/bicycle/bicycle.lia",
                                    "examples/rattleback/rattleback.lia"};

// Everything that a program may want of a model.
static void use(const char* file) {
    MotionOptions options = {.quiet = 1, .run = {.samples = 20, .keep_steps = true}};
    Motion m = motion_of_file(file, &options);
    if (m.t) {
        lia_free(lia_output_json(m.t));
        lia_free(lia_output_summary(m.t, NULL));
        LiaEvaluator* at = NULL;
        if (lia_evaluator_create(m.system, &at) == LIA_OK) lia_trajectory_evaluate(m.t, 0.0, at);
        lia_evaluator_destroy(at);
        LiaExplainOptions explain = {.format = LIA_EXPLAIN_LATEX};
        lia_free(lia_explain(m.system, &explain, m.diags));
        lia_free(lia_dump(m.model, m.system, "tape"));
    }
    motion_clear(&m);
}

static void an_incomplete_one_is_refused(void) {
    LiaAllocator none = allocator;
    assert_int_equal(lia_allocator_set(NULL), LIA_ARGUMENT);
    none.allocate = NULL;
    assert_int_equal(lia_allocator_set(&none), LIA_ARGUMENT);
    none = allocator, none.resize = NULL;
    assert_int_equal(lia_allocator_set(&none), LIA_ARGUMENT);
    none = allocator, none.release = NULL;
    assert_int_equal(lia_allocator_set(&none), LIA_ARGUMENT);
}

// In a process of its own: nothing was taken yet in this one.
static void it_is_too_late_after_the_first_block(void) {
    pid_t child = fork();
    if (child == 0) {
        LiaDiags* diags = lia_diags_create();
        bool late = diags && lia_allocator_set(&allocator) == LIA_ARGUMENT;
        lia_diags_destroy(diags);
        _exit(late && heap.taken == 0 ? 0 : 1);
    }
    int status = 1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
}

static void it_is_set_once(void) {
    assert_int_equal(lia_allocator_set(&allocator), LIA_OK);
    assert_int_equal(lia_allocator_set(&allocator), LIA_ARGUMENT);
}

static void all_blocks_come_from_it_and_go_back(void) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t before = heap.taken;
        use(files[i]);
        assert_true(heap.taken > before + 100);
        assert_int_equal(heap.strangers, 0);
        assert_int_equal(heap.blocks, 0);
        assert_int_equal(heap.bytes, 0);
    }
}

static void what_it_refuses_is_done_without(void) {
    size_t begin = heap.taken;
    use(files[0]);
    size_t all = heap.taken - begin;
    for (size_t from = 1; from <= all; from += 1 + all / 97) {
        atomic_store(&heap.refused_from, heap.taken + from);
        use(files[0]);
        atomic_store(&heap.refused_from, 0);
        assert_int_equal(heap.strangers, 0);
        assert_int_equal(heap.blocks, 0);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(an_incomplete_one_is_refused),
        TEST(it_is_too_late_after_the_first_block),
        TEST(it_is_set_once),
        TEST(all_blocks_come_from_it_and_go_back),
        TEST(what_it_refuses_is_done_without),
    };
    return TESTS_RUN(tests);
}
