// The harness of test programs: cases, assertions, and a closing line that counts.
//
//   static void sums_commute(void) { assert_true(1 + 2 == 2 + 1); }
//   int main(void) {
//       const TestCase tests[] = {TEST(sums_commute)};
//       return TESTS_RUN(tests);
//   }
//
// An assertion that fails says where and what, and ends its case; the next one begins. A program
// that looks at many things and goes on whatever it finds counts them with cases_count() instead.
// SPDX-License-Identifier: MIT
#pragma once
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct TestCase {
    const char* name;
    void (*run)(void);
} TestCase;

#define TEST(function)                                                                             \
    { #function, function }
#define TESTS_RUN(list) cases_run(list, sizeof list / sizeof *(list), NULL, NULL)
/// `before` and `after` are called once, around all cases; both give 0 where all went well.
#define TESTS_RUN_WITHIN(list, before, after)                                                      \
    cases_run(list, sizeof list / sizeof *(list), before, after)

/// Run the cases; gives what main() returns.
int cases_run(const TestCase* tests, size_t count, int (*before)(void), int (*after)(void));

/// Of many alike, each one so many is looked at: all in the release build, every fifth under the
/// sanitizers, which see the same code and are ten times as slow.
int cases_every(void);

/// Count a case. Gives `ok`, so that a test can say what is wrong.
bool cases_count(bool ok);
/// The closing line, "N passed, N failed"; what main() returns: 0 where none failed.
int cases_end(void);

// --- assertions

/// The case fails, and ends.
_Noreturn void cases_fail(const char* file, int line, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#define fail_msg(...) cases_fail(__FILE__, __LINE__, __VA_ARGS__)
#define fail()        cases_fail(__FILE__, __LINE__, "failed")

#define assert_true(x)     ((x) ? (void)0 : cases_fail(__FILE__, __LINE__, "%s", #x))
#define assert_false(x)    ((x) ? cases_fail(__FILE__, __LINE__, "not: %s", #x) : (void)0)
#define assert_null(x)     assert_true((x) == NULL)
#define assert_non_null(x) assert_true((x) != NULL)

// A whole number; of a float or double the compiler says that it is none.
typedef struct CasesNotWhole {
    char none;
} CasesNotWhole;
#define CASES_WHOLE(x)                                                                             \
    ((intmax_t) _Generic((x), float                                                                \
                         : (CasesNotWhole){0}, double                                              \
                         : (CasesNotWhole){0}, long double                                         \
                         : (CasesNotWhole){0}, default                                             \
                         : (x)))
#define assert_int_equal(a, b)                                                                     \
    cases_whole(__FILE__, __LINE__, #a " == " #b, CASES_WHOLE(a), CASES_WHOLE(b), true)
#define assert_int_not_equal(a, b)                                                                 \
    cases_whole(__FILE__, __LINE__, #a " != " #b, CASES_WHOLE(a), CASES_WHOLE(b), false)
#define assert_in_range(x, least, most)                                                            \
    cases_range(__FILE__, __LINE__, #x, CASES_WHOLE(x), CASES_WHOLE(least), CASES_WHOLE(most))
/// |a - b| <= by; not where one of them is no number.
#define assert_float_equal(a, b, by)                                                               \
    cases_near(__FILE__, __LINE__, #a " = " #b, (double)(a), (double)(b), (double)(by))
#define assert_string_equal(a, b)       cases_text(__FILE__, __LINE__, #a " == " #b, (a), (b), true)
#define assert_string_not_equal(a, b)   cases_text(__FILE__, __LINE__, #a " != " #b, (a), (b), false)
#define assert_memory_equal(a, b, size) assert_true(memcmp((a), (b), (size)) == 0)
#define assert_ptr_equal(a, b)          assert_true((const void*)(a) == (const void*)(b))

void cases_whole(const char* file, int line, const char* what, intmax_t a, intmax_t b, bool same);
void cases_range(const char* file, int line, const char* what, intmax_t x, intmax_t least,
                 intmax_t most);
void cases_near(const char* file, int line, const char* what, double a, double b, double by);
void cases_text(const char* file, int line, const char* what, const char* a, const char* b,
                bool same);
