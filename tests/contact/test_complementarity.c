// Laws of src/motion/contact/complementarity.c: the conditions themselves, closed forms, brute force.
// SPDX-License-Identifier: MIT
#include "contact/systems.h"
#include "motion/contact/complementarity.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Answer {
    LiaComplementarity out;
    LiaContactVerdict verdict[MOST_CONTACTS];
    double lambda[MOST_ROWS], a[MOST_ROWS];
    LiaComplementarityStatus status;
} Answer;

static LiaComplementarityStatus solve(const System* s, Answer* x) {
    double* work = malloc(lia_complementarity_work(&s->d) * sizeof *work);
    int* index = malloc(lia_complementarity_index(&s->d) * sizeof *index);
    assert_non_null(work);
    assert_non_null(index);
    x->out = (LiaComplementarity){.lambda = x->lambda, .a = x->a, .verdict = x->verdict};
    x->status = lia_complementarity_solve(&s->d, &x->out, work, index);
    free(work);
    free(index);
    return x->status;
}

// All conditions as complementarity.h states them, from W and b, to `error`.
static void check_conditions(const System* s, const Answer* x, double error) {
    const LiaDelassus* d = &s->d;
    double size = 1.0;
    for (int i = 0; i < d->rows; i++) size = fmax(size, fabs(x->lambda[i]));
    error *= size;
    for (int i = 0; i < d->rows; i++) {
        double sum = d->b[i];
        for (int j = 0; j < d->rows; j++) sum += d->W[i * d->rows + j] * x->lambda[j];
        assert_true(fabs(sum - x->a[i]) < error);
    }
    for (int c = 0; c < d->contacts; c++) {
        const LiaContactRows* contact = d->contact + c;
        double N = x->lambda[contact->normal], gap = x->a[contact->normal];
        assert_true(N >= 0.0 && gap > -error && N * gap < error * size);
        for (int k = 0; k < contact->blocks; k++) {
            const LiaFrictionBlock* b = contact->block + k;
            const double *T = x->lambda + b->row, *slip = d->slip + b->row, *a = x->a + b->row;
            double speed = system_length(slip, b->dimension), t = system_length(T, b->dimension);
            if (speed == 0.0) {
                slip = a;
                speed = system_length(a, b->dimension);
                bool rests = speed < error;
                assert_true(t <= (rests ? b->static_most : b->kinetic) * N + error);
                if (rests) continue;
            }
            for (int i = 0; i < b->dimension; i++) {
                // slip' of rounding has no direction
                double want = -b->kinetic * N * slip[i] / speed;
                assert_true(fabs(T[i] - want) < error * (1.0 + 1.0 / speed));
            }
        }
    }
}

static void random_contacts_at_rest_satisfy_the_conditions(void** unused) {
    (void)unused;
    Random r = {11};
    int states[3] = {0}, total = 0, missed = 0;
    for (int trial = 0; trial < 600; trial++) {
        System s;
        Answer x;
        int dim = trial % 3, k = random_whole(&r, 1, 5);
        double mu = random_between(&r, 0.1, 1.2);
        system_begin(&s, k, dim, mu, trial % 2 ? mu : 1.5 * mu);
        system_random(&s, &r, random_whole(&r, 3, s.d.rows + 3));
        solve(&s, &x);
        total++;
        if (x.status == LIA_COMPLEMENTARITY_BUDGET) {
            missed++;
            continue;
        }
        assert_int_not_equal(x.status, LIA_COMPLEMENTARITY_NONE);
        assert_true(x.out.residual <= 1e-12);
        check_conditions(&s, &x, 1e-9);
        for (int c = 0; c < k; c++) states[x.verdict[c].state]++;
    }
    for (int i = 0; i < 3; i++) assert_true(states[i] > 100);
    print_message("%d of %d not found\n", missed, total);
    assert_true(missed == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_contacts_at_rest_satisfy_the_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
