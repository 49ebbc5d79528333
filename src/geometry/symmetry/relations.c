// Relations with constant coefficients. See relations.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/relations.h"
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <string.h>

bool lia_relations_init(LiaRelations* k, LiaArena* arena, size_t count, const double* scale) {
    *k = (LiaRelations){.count = count, .arena = arena};
    k->R = LIA_ARENA_NEW(arena, double, count* count + 1);
    k->size = LIA_ARENA_NEW(arena, double, count + 1);
    k->scale = LIA_ARENA_NEW(arena, double, count + 1);
    k->row = LIA_ARENA_NEW(arena, double, count + 1);
    if (!k->R || !k->size || !k->scale || !k->row) return false;
    for (size_t i = 0; i < count; i++) k->scale[i] = scale[i] > 0.0 ? scale[i] : 1.0;
    return true;
}

// Turn the row into R, entry by entry.
static void rotate_in(LiaRelations* k) {
    size_t n = k->count;
    for (size_t i = 0; i < n; i++) {
        double *R = k->R + i * n, *x = k->row, length = hypot(R[i], x[i]);
        if (x[i] == 0.0) continue;
        double c = R[i] / length, s = x[i] / length;
        for (size_t e = i; e < n; e++) {
            double a = R[e], b = x[e];
            R[e] = c * a + s * b;
            x[e] = c * b - s * a;
        }
        x[i] = 0.0;
    }
}

void lia_relations_add(LiaRelations* k, const LiaSum* sums, size_t stride) {
    double most = 0.0;
    for (size_t i = 0; i < k->count; i++) {
        if (!isfinite(sums[i * stride].value) || !isfinite(sums[i * stride].size)) return;
        most = fmax(most, sums[i * stride].size / k->scale[i]);
    }
    if (!(most > 0.0)) return;
    for (size_t i = 0; i < k->count; i++) {
        double size = sums[i * stride].size / k->scale[i] / most;
        k->row[i] = sums[i * stride].value / k->scale[i] / most;
        k->size[i] += size * size;
    }
    k->rows++;
    rotate_in(k);
}

// Reduced echelon form of the rows of k->c from the last column on, each column in the size of its
// own terms. pivot[r] is the column of the coefficient 1.
static void reduce(LiaRelations* k, size_t* pivots) {
    size_t n = k->count;
    uint32_t done = 0;
    for (size_t column = n; column-- > 0 && done < k->found;) {
        uint32_t best = done;
        for (uint32_t r = done; r < k->found; r++) {
            if (fabs(k->c[r * n + column]) > fabs(k->c[best * n + column])) best = r;
        }
        double pivot = k->c[best * n + column];
        if (!(fabs(pivot) > LIA_RELATION_PIVOT)) continue;
        for (size_t e = 0; e < n; e++) {
            double x = k->c[best * n + e];
            k->c[best * n + e] = k->c[done * n + e];
            k->c[done * n + e] = x / pivot;
        }
        for (uint32_t r = 0; r < k->found; r++) {
            double part = k->c[r * n + column];
            if (r == done) continue;
            for (size_t e = 0; e < n; e++) k->c[r * n + e] -= part * k->c[done * n + e];
            k->c[r * n + column] = 0.0;
        }
        pivots[done++] = column;
    }
}

// To the units of the generators; the coefficient of the pivot is 1, those that are rounding are 0.
static void finish(LiaRelations* k, const size_t* pivots) {
    size_t n = k->count;
    for (uint32_t r = 0; r < k->found; r++) {
        double *c = k->c + r * n, most = 0.0;
        for (size_t i = 0; i < n; i++) most = fmax(most, fabs(c[i]));
        for (size_t i = 0; i < n; i++) {
            double size = k->size[i] > 0.0 ? sqrt(k->size[i]) * k->scale[i] : k->scale[i];
            c[i] = fabs(c[i]) > LIA_RELATION_ZERO * most ? c[i] / size : 0.0;
        }
        double one = c[pivots[r]] != 0.0 ? c[pivots[r]] : 1.0;
        for (size_t i = 0; i < n; i++) c[i] = c[i] / one;
    }
}

bool lia_relations_solve(LiaRelations* k) {
    size_t n = k->count;
    k->found = 0, k->margin = 1.0;
    k->c = LIA_ARENA_NEW(k->arena, double, n* n + 1);
    double* s = LIA_ARENA_NEW(k->arena, double, n + 1);
    double* V = LIA_ARENA_NEW(k->arena, double, n* n + 1);
    double* work = LIA_ARENA_NEW(k->arena, double, lia_dense_svd_work((int)n, (int)n) + 1);
    size_t* pivots = LIA_ARENA_NEW(k->arena, size_t, n + 1);
    if (!k->c || !s || !V || !work || !pivots) return false;
    if (n == 0 || k->rows == 0) return true;
    double* B = k->c;  // R with each column in its own size
    for (size_t e = 0; e < n * n; e++) {
        double size = sqrt(k->size[e % n]);
        B[e] = size > 0.0 ? k->R[e] / size : 0.0;
    }
    lia_dense_svd((int)n, (int)n, B, (LiaSvd){.s = s, .V = V, .work = work});
    memset(k->c, 0, n * n * sizeof *k->c);
    for (size_t r = 0; r < n; r++) {
        if (s[r] > LIA_RELATION_NULL) {
            k->margin = fmin(k->margin, s[r]);
            continue;
        }
        for (size_t i = 0; i < n; i++) k->c[k->found * n + i] = V[i * n + r];
        k->found++;
    }
    reduce(k, pivots);
    finish(k, pivots);
    return true;
}

double lia_relations_left(const double* c, size_t count, const LiaSum* sums, size_t stride) {
    double sum = 0.0, size = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (c[i] == 0.0) continue;
        sum += c[i] * sums[i * stride].value;
        size += fabs(c[i]) * sums[i * stride].size;
    }
    return size > 0.0 ? fabs(sum) / size : 0.0;
}
