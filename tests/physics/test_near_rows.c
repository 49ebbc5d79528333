// Equations that nearly depend on each other: two or three rows that differ by 10^-k, k = 1..16, in
// any units. Either the motion is right to the digits that are said, or an equation follows from
// the others and that is said.
// SPDX-License-Identifier: MIT
#include "base/text/diag.h"
#include "mechanics/test_hooks.h"
#include "motion/check/digits.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include "support/random.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N_MOST = 6, R_MOST = 4 };

typedef enum Kind { HOLONOMIC, KINEMATIC, DRIVEN, SERVO, KINDS } Kind;

// Constant accelerations a and forces mu: M a = F + J^T mu, J a = g.
typedef struct Rows {
    int n, nr;
    Kind kind;
    double unit[N_MOST], mass[N_MOST], F[N_MOST], a[N_MOST];
    double J[R_MOST][N_MOST], mu[R_MOST], g[R_MOST];
} Rows;

static double power_of_ten(Random* r, double most) {
    return random_chance(r, 0.4) ? pow(10.0, random_between(r, -most, most)) : 1.0;
}

// The last row is a sum of one or two others, but for `part` of it. In units of the coordinates.
static void make_rows(Random* r, Rows* z, double part) {
    int others = z->nr > 2 && random_chance(r, 0.5) ? 2 : 1;
    double c[2] = {random_between(r, 0.5, 2.0), others == 2 ? random_between(r, 0.5, 2.0) : 0.0};
    for (int e = 0; e < z->nr; e++) {
        for (int i = 0; i < z->n; i++) z->J[e][i] = random_between(r, -1.0, 1.0);
    }
    for (int i = 0; i < z->n; i++) {
        double* last = &z->J[z->nr - 1][i];
        *last = c[0] * z->J[0][i] + c[1] * z->J[1][i] + part * *last;
    }
}

static Rows make(Random* r, double part) {
    Rows z = {.n = random_whole(r, 3, N_MOST), .kind = (Kind)random_whole(r, 0, KINDS - 1)};
    z.nr = random_whole(r, 2, z.n - 1 < R_MOST ? z.n - 1 : R_MOST);
    make_rows(r, &z, part);
    for (int i = 0; i < z.n; i++) {
        z.unit[i] = power_of_ten(r, 5.0);
        z.mass[i] = random_between(r, 0.3, 3.0) / z.unit[i] / z.unit[i];
    }
    for (int e = 0; e < z.nr; e++) {
        double scale = power_of_ten(r, 8.0);
        for (int i = 0; i < z.n; i++) z.J[e][i] *= scale / z.unit[i];
        z.mu[e] = random_between(r, -1.0, 1.0) / scale;
    }
    bool free = z.kind == HOLONOMIC || z.kind == KINEMATIC;
    for (int i = 0; i < z.n; i++) z.a[i] = free ? 0.0 : random_between(r, -1.0, 1.0) * z.unit[i];
    for (int e = 0; e < z.nr; e++) {
        long double sum = 0.0L;
        for (int i = 0; i < z.n; i++) sum += (long double)z.J[e][i] * z.a[i];
        z.g[e] = (double)sum;
    }
    for (int i = 0; i < z.n; i++) {
        long double sum = (long double)z.mass[i] * z.a[i];
        for (int e = 0; e < z.nr; e++) sum -= (long double)z.J[e][i] * z.mu[e];
        z.F[i] = (double)sum;
    }
    return z;
}

static void write_model(const Rows* z, char* text, size_t size) {
    static const char* const words[KINDS] = {"constraint", "constraint", "operator", "operator"};
    static const char* const law[KINDS] = {"0", "0", "t^2/2", "t"};
    size_t at = (size_t)snprintf(text, size, "coordinate x[i = 1..%d] : line\nkinetic 0", z->n);
#define WRITE(...) at += (size_t)snprintf(text + at, size - at, __VA_ARGS__)
    for (int i = 0; i < z->n; i++) WRITE(" + %.17g*x[%d]'^2/2", z->mass[i], i + 1);
    WRITE("\nforce f: 0*d(x[1])");
    for (int i = 0; i < z->n; i++) WRITE(" + (%.17g)*d(x[%d])", z->F[i], i + 1);
    for (int e = 0; e < z->nr; e++) {
        bool rates = z->kind == KINEMATIC || z->kind == SERVO;
        WRITE("\n%s c%d: 0", words[z->kind], e);
        for (int i = 0; i < z->n; i++)
            WRITE(" + (%.17g)*x[%d]%s", z->J[e][i], i + 1, rates ? "'" : "");
        WRITE(" = (%.17g)*%s", z->g[e], law[z->kind]);
    }
    WRITE("\nrun t = 0..1, samples 2\n");
#undef WRITE
    assert_true(at < size);
}

static bool warned(const Motion* m, const char* code) {
    for (size_t i = 0; i < lia_diags_count(m->diags); i++) {
        if (strcmp(lia_diag_at(m->diags, i)->code, code) == 0) return true;
    }
    return false;
}

static bool all_unique(const LiaTrajectory* t) {
    for (size_t c = 0; c < t->constraints.count; c++) {
        if (!t->constraints.list[c].unique) return false;
    }
    return true;
}

// The largest error of a final position, in units of the coordinate.
static double error_of(const Rows* z, const Motion* m) {
    double most = 0.0;
    for (int i = 0; i < z->n; i++) {
        char name[20];
        snprintf(name, sizeof name, "x[%d]", i + 1);
        double gap = fabs(motion_final(m, name) - z->a[i] / 2.0) / z->unit[i];
        if (!(gap <= most)) most = gap;
    }
    return most;
}

// Digits that are said are at most one too many.
static void check(const Rows* z, const char* text, const LiaTestHooks* hooks, int k) {
    Motion m = motion_of(text, NULL);
    assert_non_null(m.system);
    if (hooks) {
        lia_trajectory_destroy(m.t);
        m.t = NULL;
        m.system->hooks = hooks;
        m.status = lia_motion_run(m.system, &(LiaRunOptions){.samples = 2}, m.diags, &m.t);
    }
    if (m.status != LIA_OK) fail_msg("1e-%d: %s\n%s", k, m.t ? m.t->reason.text : "", text);
    bool follows = warned(&m, "W0418") || !all_unique(m.t);
    if (k < 9 && follows) fail_msg("1e-%d: an equation is lost\n%s", k, text);
    if (k > 13 && !follows) fail_msg("1e-%d: nothing follows\n%s", k, text);
    double allowed = 10.0 * pow(10.0, -lia_digits_known(m.t->doubt));
    if (!follows && !(error_of(z, &m) <= allowed))
        fail_msg("1e-%d: off by %.2g, %.2g is said\n%s", k, error_of(z, &m), allowed, text);
    motion_clear(&m);
}

static void right_or_said(void) {
    enum { EACH = 12 };
    static const LiaTestHooks by_entries = {.algebra = LIA_ALGEBRA_SPARSE};
    Random r = {7};
    for (int k = 1; k <= 16; k++) {
        for (int i = 0; i < EACH; i++) {
            char text[6000];
            Rows z = make(&r, pow(10.0, -k));
            write_model(&z, text, sizeof text);
            check(&z, text, NULL, k);
            if (i % 3 == 0) check(&z, text, &by_entries, k);
        }
    }
}

// The same equation in another unit says the same: 1e-8 of it next to 1e8 of the others is not
// lost.
static void units_of_rows_do_not_matter(void) {
    static const char* const scales[] = {"1", "1e-8", "1e-16", "1e12"};
    double first = 0.0;
    for (int i = 0; i < 4; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "coordinate x, y, z : line\nkinetic (x'^2 + 2*y'^2 + 3*z'^2)/2\n"
                 "force f: d(x) + 2*d(y) + 4*d(z)\nconstraint a: 1e8*(x' + y' + z') = 0\n"
                 "constraint b: %s*(x' + y' + 1.0001*z') = 0\nrun t = 0..1\n",
                 scales[i]);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        double x = motion_final(&m, "x");
        if (i == 0) first = x;
        assert_true(fabs(x - first) < 1e-10 && fabs(x + 1.0 / 6.0) < 1e-10);
        assert_true(fabs(motion_final(&m, "z")) < 1e-10);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(right_or_said),
        TEST(units_of_rows_do_not_matter),
    };
    return TESTS_RUN(tests);
}
