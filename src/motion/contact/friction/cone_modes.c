// The cone problem with blocks of one row, by trial of all modes: each contact open or closed, each
// block stuck or sliding to one of two sides. A mode is a system of linear equations; its solution
// is one of the problem if the inequalities of the mode hold.
// SPDX-License-Identifier: MIT
#include "base/numeric/dense.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/cone.h"
#include <math.h>
#include <string.h>

enum {
    MODES = 256,          // at most: a millisecond
    MODES_NEEDED = 4096,  // where no other method has found one: some ten
    SHOWN = 8,            // so many solutions are told apart
    STICK = 0,            // of a block; 1 slides to the positive side, 2 to the negative one
};

size_t lia_cone_modes_work(int rows) {
    size_t m = (size_t)rows;
    return m * m + (SHOWN + 9) * m + lia_qr_work(rows, rows);
}

static bool rubs(const LiaConeScaled* s, int c, int k) {
    return s->mu[c * LIA_FRICTION_BLOCKS + k] > 0.0;
}

// Modes of the blocks of a contact together; 0 where one of them is a disc.
static int block_modes(const LiaConeScaled* s, int c) {
    int modes = 1;
    for (int k = 0; k < s->contact[c].blocks; k++) {
        if (!rubs(s, c, k)) continue;
        if (s->contact[c].block[k].dimension > 1) return 0;
        modes *= 3;
    }
    return modes;
}

// Modes with N = 0: without an offset there is no friction then.
static int open_modes(const LiaConeScaled* s, int c) {
    return s->offset[c] > 0.0 ? block_modes(s, c) : 1;
}

static int all_modes(const LiaConeScaled* s, int most) {
    int modes = 1;
    for (int c = 0; c < s->contacts; c++) {
        int blocks = block_modes(s, c);
        if (blocks == 0) return -1;
        modes *= blocks + open_modes(s, c);
        if (modes > most) return -1;
    }
    return modes;
}

typedef struct Mode {
    bool open;
    int block[LIA_FRICTION_BLOCKS];
} Mode;

// Digit of contact c in the number of a mode of all contacts; *number is divided by its base.
static Mode read_mode(const LiaConeScaled* s, int c, int* number) {
    int open = open_modes(s, c), base = open + block_modes(s, c), digit = *number % base;
    *number /= base;
    Mode mode = {.open = digit < open};
    if (!mode.open) digit -= open;
    bool none = mode.open && !(s->offset[c] > 0.0);
    for (int k = 0; k < s->contact[c].blocks; k++) {
        if (none || !rubs(s, c, k)) {
            mode.block[k] = -1;  // T = 0
            continue;
        }
        mode.block[k] = digit % 3;
        digit /= 3;
    }
    return mode;
}

static double side(int mode) { return mode == 1 ? 1.0 : -1.0; }

static void take_row(const LiaConeScaled* s, int row, double* A, double* right) {
    memcpy(A + row * s->rows, s->W + row * s->rows, (size_t)s->rows * sizeof *A);
    right[row] = -s->b[row];
}

// A x = right: the equations of a mode.
static void equations(const LiaConeScaled* s, int number, double* A, double* right) {
    int m = s->rows;
    for (int c = 0; c < s->contacts; c++) {
        const LiaContactRows* contact = s->contact + c;
        Mode mode = read_mode(s, c, &number);
        int n = contact->normal;
        if (mode.open)
            A[n * m + n] = 1.0;
        else
            take_row(s, n, A, right);
        for (int k = 0; k < contact->blocks; k++) {
            for (int i = 0; i < contact->block[k].dimension; i++) {
                int t = contact->block[k].row + i;
                if (mode.block[k] == STICK) {
                    take_row(s, t, A, right);
                    continue;
                }
                A[t * m + t] = 1.0;
                if (mode.block[k] < 0) continue;
                double f = -side(mode.block[k]) * s->mu[c * LIA_FRICTION_BLOCKS + k];
                A[t * m + n] = -f;
                right[t] = f * s->offset[c];
            }
        }
    }
}

// x of a mode; where its equations are singular, of minimum norm and least squares.
static void solve(const LiaConeScaled* s, int number, double* x, double* work, int* index) {
    int m = s->rows;
    double *A = work, *right = A + m * m, *scales = right + m;
    memset(A, 0, (size_t)(m * m + m) * sizeof *A);
    equations(s, number, A, right);
    LiaLu lu = {.n = m, .A = A, .row = index, .left = scales, .right = scales + m};
    memcpy(x, right, (size_t)m * sizeof *x);
    if (lia_dense_lu_factor(&lu, NULL) > LIA_LCP_PIVOT) {
        lia_dense_lu_solve(&lu, x);
        return;
    }
    memset(A, 0, (size_t)(m * m + m) * sizeof *A);
    equations(s, number, A, right);
    LiaRows rows = {.m = m, .n = m, .A = A, .pivot = scales, .order = index};
    lia_qr_factor(&rows, LIA_LCP_RANK, true);
    lia_qr_solve(&rows, right, x, scales + m, index + m);
}

// Without blocks that rub: is the symmetric part of the rows of N definite? Then there is one
// solution.
static bool is_definite(const LiaConeScaled* s, double* S) {
    int k = s->contacts, m = s->rows;
    for (int i = 0; i < k; i++) {
        if (block_modes(s, i) != 1) return false;
        for (int j = 0; j < k; j++) {
            int a = s->contact[i].normal, b = s->contact[j].normal;
            S[i * k + j] = 0.5 * (s->W[a * m + b] + s->W[b * m + a]);
        }
    }
    return lia_dense_cholesky(k, S);
}

static double largest(const double* x, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// The kinetic energy that impulses x + offset add to the velocities before them, b - W offset.
static double energy(const LiaConeScaled* s, const double* x, const double* y) {
    int m = s->rows;
    double sum = 0.0;
    for (int i = 0; i < m; i++) {
        double P = x[i], before = s->b[i];
        for (int c = 0; c < s->contacts; c++) {
            int n = s->contact[c].normal;
            if (n == i) P += s->offset[c];
            before -= s->W[i * m + n] * s->offset[c];
        }
        sum += 0.5 * P * (before + y[i]);
    }
    return sum;
}

// How far the accelerations are from those without contacts: Gauss's constraint.
static double constraint(const LiaConeScaled* s, const double* x, const double* y) {
    double sum = 0.0;
    for (int i = 0; i < s->rows; i++) sum += 0.5 * x[i] * (y[i] - s->b[i]);
    return sum;
}

int lia_cone_modes_count(LiaConeScaled* s, LiaConeModes asked, double* work, int* index) {
    LiaConeTake take = asked.take;
    bool needs = asked.needs;
    int m = s->rows, modes = all_modes(s, needs ? MODES_NEEDED : MODES), count = 0;
    if (!needs && is_definite(s, work)) return 1;
    if (modes < 0) return -1;
    double *found = work, *x = found + SHOWN * m, *y = x + m, *best = y + m, *rest = best + m;
    double least = INFINITY;
    for (int number = 0; number < modes && count < SHOWN; number++) {
        solve(s, number, x, rest, index);
        lia_cone_respond(s, x, y);
        // every condition at once: they are those of all modes
        if (!(lia_cone_residual(s, x, y) <= LIA_LCP_PIVOT)) continue;
        bool known = false;
        for (int k = 0; k < count && !known; k++) {
            double apart = 0.0;
            for (int i = 0; i < m; i++) apart = fmax(apart, fabs(y[i] - found[k * m + i]));
            known = apart <= LIA_LCP_SAME * fmax(1.0, largest(y, m));
        }
        if (known) continue;
        memcpy(found + count * m, y, (size_t)m * sizeof *y);
        double size = take == LIA_CONE_TAKE_LEAST_ENERGY       ? energy(s, x, y)
                      : take == LIA_CONE_TAKE_LEAST_CONSTRAINT ? constraint(s, x, y)
                                                               : count;
        if (size < least) memcpy(best, x, (size_t)m * sizeof *x), least = size;
        count++;
    }
    bool several = take != LIA_CONE_TAKE_ANY && count > 1;
    if ((needs && count > 0) || several) memcpy(s->x, best, (size_t)m * sizeof *best);
    return count;
}
