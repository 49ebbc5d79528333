// Where the force of a contact acts that is given by formulas. Its gap and its slip are one-forms,
// and each has a line: that of the normal force and that of the friction, for multipliers of 1.
// They meet where the surfaces touch, at r from the place of a carrier:
//
//   r x F = C for each of them,    sum (1 - f f) r = sum f x C/|F|,    f = F/|F|
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include "output/page/arrows/acts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MOST = 3 };  // a normal force, and friction along two directions

typedef struct Lines {
    double* x;  // F and C of each line in all rows                    (count x 6 x rows)
    int count;
    size_t rows;
} Lines;

// Q of one equation whose multiplier is 1.
static void take_unit(LiaActs* a, const LiaRow* row) {
    for (uint32_t i = 0; i < a->carriers.n; i++) a->act.Q[i] = lia_graph_integer(a->g, 0);
    for (uint32_t e = 0; e < row->entries; e++) {
        LiaExpr* Q = &a->act.Q[row->coordinate[e]];
        *Q = lia_graph_add(a->g, *Q, row->Omega[e]);
    }
}

static double length(const double* a) { return hypot(hypot(a[0], a[1]), a[2]); }

static void cross(const double* a, const double* b, double* out) {
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, w = (k + 2) % 3;
        out[k] = a[u] * b[w] - a[w] * b[u];
    }
}

static void line_at(const Lines* lines, int line, size_t row, double* F, double* C) {
    const double* x = lines->x + (size_t)line * 6 * lines->rows;
    for (size_t k = 0; k < 3; k++) {
        F[k] = x[k * lines->rows + row];
        C[k] = x[(3 + k) * lines->rows + row];
    }
}

// r at one sample; false where the lines do not meet in one point.
static bool meet(const Lines* lines, size_t row, double reach, double* r) {
    double A[9] = {0.0};
    memset(r, 0, 3 * sizeof *r);
    for (int l = 0; l < lines->count; l++) {
        double F[3], C[3], f[3], moment[3];
        line_at(lines, l, row, F, C);
        double size = length(F);
        if (!(size > 0.0) || !isfinite(size)) return false;
        for (int k = 0; k < 3; k++) f[k] = F[k] / size;
        cross(f, C, moment);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) A[3 * i + j] += (i == j ? 1.0 : 0.0) - f[i] * f[j];
            r[i] += moment[i] / size;
        }
    }
    if (!lia_dense_cholesky(3, A)) return false;
    lia_dense_forward(3, A, r);
    lia_dense_backward(3, A, r);
    for (int l = 0; l < lines->count; l++) {
        double F[3], C[3], moment[3];
        line_at(lines, l, row, F, C);
        cross(r, F, moment);
        for (int k = 0; k < 3; k++) {
            if (!(fabs(moment[k] - C[k]) <= LIA_ARROW_MOMENT * length(F) * reach)) return false;
        }
    }
    return true;
}

// The lines of a contact's gap and slip, in all rows. Q is that of the last of them then.
static bool find_lines(LiaActs* a, const LiaSketch* sketch, Lines* lines) {
    const LiaSystem* s = a->scene->system;
    const LiaContactFormulas* contact = &s->contacts[a->act.item.contact - 1];
    for (uint32_t k = 0; k < contact->rows && lines->count < LINES_MOST; k++) {
        double F[3], C[3];
        take_unit(a, &s->rows[contact->row + k]);
        double* x = lines->x + (size_t)lines->count * 6 * lines->rows;
        if (lia_arrow_sketch_rows(a, sketch, x) < 0.0) return false;
        line_at(lines, lines->count, 0, F, C);
        if (length(F) > 0.0) lines->count++;  // couples against rolling have no line
    }
    return lines->count > 1;
}

// at = place + r in all rows; false where a force is not on a point where the lines meet.
static bool find_places(const LiaActs* a, const Lines* lines, const double* x, double* at) {
    size_t rows = lines->rows;
    for (size_t row = 0; row < rows; row++) {
        double r[3], F[3] = {x[row], x[rows + row], x[2 * rows + row]};
        bool there = meet(lines, row, a->carriers.reach, r);
        if (!there && length(F) > 0.0) return false;
        for (size_t k = 0; there && k < 3; k++) at[k * rows + row] += r[k];
    }
    return true;
}

bool lia_arrow_contact_place(LiaActs* a, const LiaPart* part, const double* x, double* at) {
    size_t rows = lia_scene_all_rows(a->scene), n = a->carriers.n;
    LiaSketch sketch = {.parts = {*part}, .count = 1};
    Lines lines = {.rows = rows, .x = lia_memory_take((18 * rows + 1) * sizeof *lines.x)};
    LiaExpr* Q = lia_memory_take((n + 1) * sizeof *Q);
    bool good = lines.x && Q;
    if (!good) a->scene->failed = true;
    if (good) {
        memcpy(Q, a->act.Q, n * sizeof *Q);
        good = find_lines(a, &sketch, &lines) && find_places(a, &lines, x, at);
        memcpy(a->act.Q, Q, n * sizeof *Q);
    }
    free(Q);
    free(lines.x);
    return good;
}
