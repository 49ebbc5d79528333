// What is left of rows of J after those before them, against Gram and Schmidt: the product of the
// sizes is the volume that the rows span, in whichever order they are taken.
//
// Tests: motion/singular/row_sizes.c
// SPDX-License-Identifier: MIT
#include "mechanics/start/start.h"
#include "motion/singular/row_sizes.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NET                                                                                        \
    "model net\nparameter N = 5, l = 0.1\n"                                                        \
    "coordinate x[i = 1..N, j = 1..N], y[i = 1..N, j = 1..N] : line\n"                             \
    "let p[i = 1..N, j = 1..N] = [x[i,j], y[i,j]]\n"                                               \
    "kinetic sum(i = 1..N, j = 1..N, (i + j)/2*dot(p[i,j]', p[i,j]'))\n"                           \
    "constraint along[i = 2..N, j = 1..N]: dot(p[i,j] - p[i-1,j], p[i,j] - p[i-1,j]) = l^2\n"      \
    "constraint across[j = 2..N]: dot(p[1,j] - p[1,j-1], p[1,j] - p[1,j-1]) = l^2\n"               \
    "start x[i = 1..N, j = 1..N] = l*i, y[i = 1..N, j = 1..N] = l*j\n"

#define LOOPS                                                                                      \
    "model row\ncoordinate a[i = 0..6], b[i = 1..6] : circle\n"                                    \
    "kinetic sum(i = 0..6, a[i]'^2/2) + sum(i = 1..6, b[i]'^2/6 + a[i]'^2/2)\n"                    \
    "constraint loop[i = 1..6]: [cos(a[i-1]) + 2*cos(b[i]), sin(a[i-1]) + 2*sin(b[i])] = "         \
    "[cos(a[i]) + 2, sin(a[i])]\nstart a[i = 0..6] = 0.5, b[i = 1..6] = 0\n"

// log of the product of the sizes by orthogonal rows, one after the other.
static double volume(const LiaWorkspace* w, const double* column) {
    size_t n = (size_t)w->nf, count = (size_t)w->nc;
    long double* row = calloc(count * n, sizeof *row);
    double sum = 0.0;
    for (size_t r = 0; r < count; r++) {
        LiaEntries J = lia_workspace_J(w, (int)r);
        for (int e = 0; e < J.count; e++) {
            int k = lia_entry_column(&J, e);
            row[r * n + (size_t)k] = J.value[e] / column[k];
        }
        long double size = 0.0;
        for (size_t j = 0; j <= r; j++) {
            long double dot = 0.0;
            for (size_t k = 0; k < n; k++) dot += row[r * n + k] * row[j * n + k];
            for (size_t k = 0; j < r && k < n; k++) row[r * n + k] -= dot * row[j * n + k];
            size = dot;
        }
        for (size_t k = 0; k < n; k++) row[r * n + k] /= sqrtl(size);
        sum += (double)logl(size) / 2.0;
    }
    free(row);
    return sum;
}

typedef struct Case {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaWorkspace* w;
    LiaRowSizes sizes;
    int* rows;
} Case;

static void open_case(Case* c, const char* text) {
    *c = (Case){.diags = lia_diags_create()};
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, c->diags, &c->model),
                     LIA_OK);
    assert_int_equal(lia_system_build(c->model, NULL, c->diags, &c->system), LIA_OK);
    LiaWorkspace* w = c->w = lia_workspace_create(c->system, c->system->full, 1);
    assert_non_null(w);
    LiaStartState start = {.ahead = 1e-9, .q = w->q, .v = w->v};
    assert_int_equal(lia_start_find(c->system, c->diags, &start), LIA_OK);
    lia_start_clear(&start);
    c->rows = malloc((size_t)w->nc * sizeof *c->rows);
    for (int r = 0; r < w->nc; r++) c->rows[r] = r;
    assert_true(lia_row_sizes_init(&c->sizes, w, c->rows, w->nc));
}

static void look(Case* c) {
    lia_workspace_load(c->w, 1);
    lia_workspace_residuals(c->w);
    lia_workspace_matrices(c->w);
    lia_row_sizes_find(&c->sizes, c->w);
}

static void close_case(Case* c) {
    lia_row_sizes_clear(&c->sizes);
    free(c->rows);
    lia_workspace_destroy(c->w);
    lia_system_destroy(c->system);
    lia_model_destroy(c->model);
    lia_diags_destroy(c->diags);
}

static void sizes_are_those_of_orthogonal_rows(void) {
    static const char* const texts[] = {NET, LOOPS};
    for (size_t k = 0; k < 2; k++) {
        Case c;
        open_case(&c, texts[k]);
        for (int turn = 0; turn < 2; turn++) {  // the same room again, in another state
            look(&c);
            double sum = 0.0, expected = volume(c.w, c.sizes.column);
            for (int r = 0; r < c.sizes.count; r++) sum += log(c.sizes.size[r]);
            if (!(fabs(sum - expected) < 1e-10 * fabs(expected)))
                fail_msg("%.15g, not %.15g", sum, expected);
            for (int i = 0; i < c.w->n; i++) c.w->q[i] += 0.1 * sin(3.0 * i);
        }
        close_case(&c);
    }
}

// All cranks along the couplers: each loop has an equation less, and of each a row vanishes.
static void rows_vanish_in_a_flat_position(void) {
    Case c;
    open_case(&c, LOOPS);
    memset(c.w->q, 0, (size_t)c.w->n * sizeof *c.w->q);
    look(&c);
    int none = 0;
    for (int r = 0; r < c.sizes.count; r++) none += c.sizes.size[r] < 1e-7;
    assert_int_equal(none, 6);
    close_case(&c);
}

int main(void) {
    const TestCase tests[] = {
        TEST(sizes_are_those_of_orthogonal_rows),
        TEST(rows_vanish_in_a_flat_position),
    };
    return TESTS_RUN(tests);
}
