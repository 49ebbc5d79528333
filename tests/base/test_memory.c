// Memory that is out: a failure inside a call is known at its end, whatever was made of it, and no
// file is put in its place. tests/memory lets every allocation of the program fail.
// SPDX-License-Identifier: MIT
#include "base/file/output_file.h"
#include "base/memory/arena.h"
#include "base/memory/call.h"
#include "support/cases.h"
#include <errno.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static volatile size_t far_too_much = SIZE_MAX / 4;  // of which no compiler knows

static void a_failure_is_counted_by_whoever_takes_memory(void) {
    LiaMemoryMark mark = lia_memory_mark();
    void* block = lia_memory_take(0);
    assert_non_null(block);  // NULL says nothing but that memory is out
    assert_false(lia_memory_failed(mark));
    assert_null(lia_memory_resize(block, far_too_much));
    assert_true(lia_memory_failed(mark));
    free(block);
    mark = lia_memory_mark();
    assert_null(lia_memory_take(far_too_much));
    assert_true(lia_memory_failed(mark));
    mark = lia_memory_mark();
    assert_null(lia_memory_zeros(far_too_much, 16));  // more than can be counted
    assert_true(lia_memory_failed(mark));
    mark = lia_memory_mark();
    LiaArena* arena = lia_arena_create();
    assert_null(lia_arena_new(arena, SIZE_MAX - 3));
    assert_true(lia_memory_failed(mark));
    lia_arena_destroy(arena);
}

static int fail_elsewhere(void* unused) {
    (void)unused;
    return lia_memory_take(far_too_much) != NULL;
}

static void failures_of_another_thread_are_its_own(void) {
    LiaMemoryMark mark = lia_memory_mark();
    thrd_t thread;
    int result = 1;
    assert_int_equal(thrd_create(&thread, fail_elsewhere, NULL), thrd_success);
    assert_int_equal(thrd_join(thread, &result), thrd_success);
    assert_int_equal(result, 0);
    assert_false(lia_memory_failed(mark));
}

static void a_call_takes_back_what_was_said_without_memory(void) {
    LiaDiags* diags = lia_diags_create();
    lia_diag_error(diags, (LiaSpan){0, 0}, "E0001", "before");
    LiaCall call = lia_call_begin(diags);
    lia_diag_error(diags, (LiaSpan){0, 0}, "E0002", "inside");
    assert_false(lia_call_failed(&call));
    assert_int_equal(lia_diags_count(diags), 2);
    call = lia_call_begin(diags);
    assert_null(lia_memory_take(far_too_much));
    lia_diag_error(diags, (LiaSpan){0, 0}, "E0003", "a consequence");
    lia_diag_warning(diags, (LiaSpan){0, 0}, "W0001", "another");
    assert_true(lia_call_failed(&call));
    assert_int_equal(lia_diags_count(diags), 3);
    assert_int_equal(lia_diags_errors(diags), 3);
    assert_string_equal(lia_diag_at(diags, 2)->code, "E0199");
    assert_string_equal(lia_diag_at(diags, 2)->message, "memory is out");
    lia_diags_destroy(diags);
}

static void a_text_made_while_memory_was_out_is_none(void) {
    LiaCall call = lia_call_begin(NULL);
    LiaText text = {0};
    lia_text_add(&text, "part of it");
    assert_null(lia_memory_take(far_too_much));
    assert_null(lia_call_text(&call, &text));
    assert_null(text.data);
    call = lia_call_begin(NULL);
    lia_text_add(&text, "all of it");
    char* whole = lia_call_text(&call, &text);
    assert_string_equal(whole, "all of it");
    free(whole);
}

static void a_file_made_while_memory_was_out_is_not_put_in_its_place(void) {
    char folder[] = "/tmp/liaison-memory-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out.csv", folder);
    LiaOutputFile file;
    assert_true(lia_output_file_open(&file, path, NULL));
    lia_text_add(&file.text, "x\n");
    assert_null(lia_memory_take(far_too_much));
    assert_false(lia_output_file_close(&file));
    assert_int_equal(errno, ENOMEM);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_true(lia_output_file_open(&file, path, NULL));
    lia_text_add(&file.text, "x\n");
    assert_true(lia_output_file_finish(&file));
    assert_int_not_equal(access(path, F_OK), 0);  // not before it is closed
    assert_true(lia_output_file_close(&file));
    assert_int_equal(access(path, F_OK), 0);
    assert_true(lia_output_file_open(&file, path, NULL));
    lia_output_file_drop(&file);
    assert_int_equal(access(path, F_OK), 0);  // what was there stays
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);  // and nothing else was left
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_failure_is_counted_by_whoever_takes_memory),
        TEST(failures_of_another_thread_are_its_own),
        TEST(a_call_takes_back_what_was_said_without_memory),
        TEST(a_text_made_while_memory_was_out_is_none),
        TEST(a_file_made_while_memory_was_out_is_not_put_in_its_place),
    };
    return TESTS_RUN(tests);
}
