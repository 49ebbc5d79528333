// The harness of test programs. See cases.h.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

static int passed, failed;
static jmp_buf back;
static bool inside;  // a case

int cases_every(void) {
#if defined(__SANITIZE_ADDRESS__)
    return 5;
#else
    return 1;
#endif
}

bool cases_count(bool ok) {
    passed += ok;
    failed += !ok;
    return ok;
}

int cases_end(void) {
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

static void run_case(const TestCase* c) {
    bool ended = setjmp(back) != 0;  // by an assertion
    inside = !ended;
    if (!ended) c->run();
    inside = false;
    if (!cases_count(!ended)) printf("failed: %s\n", c->name);
    fflush(stdout);
}

int cases_run(const TestCase* tests, size_t count, int (*before)(void), int (*after)(void)) {
    bool ready = !before || before() == 0;
    if (!ready) cases_count(false);
    for (size_t i = 0; ready && i < count; i++) run_case(&tests[i]);
    if (after && after() != 0) cases_count(false);
    return cases_end();
}

void cases_fail(const char* file, int line, const char* format, ...) {
    va_list args;
    va_start(args, format);
    printf("%s:%d: ", file, line);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    fflush(stdout);
    if (inside) longjmp(back, 1);
    exit(1);  // outside of a case there is nothing to go on with
}

void cases_whole(const char* file, int line, const char* what, intmax_t a, intmax_t b, bool same) {
    if ((a == b) != same) cases_fail(file, line, "%s: %" PRIdMAX ", %" PRIdMAX, what, a, b);
}

void cases_range(const char* file, int line, const char* what, intmax_t x, intmax_t least,
                 intmax_t most) {
    if (x < least || x > most) {
        cases_fail(file, line, "%s: %" PRIdMAX " is not in %" PRIdMAX "..%" PRIdMAX, what, x, least,
                   most);
    }
}

void cases_near(const char* file, int line, const char* what, double a, double b, double by) {
    if (!(fabs(a - b) <= by)) cases_fail(file, line, "%s: %.17g, %.17g", what, a, b);
}

void cases_text(const char* file, int line, const char* what, const char* a, const char* b,
                bool same) {
    if (!a || !b || (strcmp(a, b) == 0) != same) {
        cases_fail(file, line, "%s:\n'%s'\n'%s'", what, a ? a : "NULL", b ? b : "NULL");
    }
}
