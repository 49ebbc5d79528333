// The factors of a sparse LU as solving runs through them. See factors.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/factors.h"
#include "base/memory/memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void put(const LiaFactors* f, void* list, size_t* at, size_t index) {
    if (f->narrow) {
        ((uint16_t*)list)[*at] = (uint16_t)index;
    } else {
        ((uint32_t*)list)[*at] = (uint32_t)index;
    }
    ++*at;
}

static void put_step(const LiaFactors* f, void* list, size_t* at, int index, const int* entries,
                     size_t count) {
    put(f, list, at, (size_t)index);
    put(f, list, at, count);
    for (size_t i = 0; i < count; i++) put(f, list, at, (size_t)entries[i]);
}

bool lia_factors_init(LiaFactors* f, const LiaElimination* e) {
    memset(f, 0, sizeof *f);
    size_t n = (size_t)e->rank, L = e->L_start[n], U = e->U_start[n];
    f->n = e->rank;
    f->narrow = n <= UINT16_MAX;
    size_t width = f->narrow ? sizeof(uint16_t) : sizeof(uint32_t);
    f->block = lia_memory_zeros((L + U + n) * sizeof(double) + (L + U + 4 * n) * width + 1, 1);
    if (!f->block) return false;
    f->L = f->block;
    f->U = f->L + L;
    f->inverse = f->U + U;
    f->forward = f->inverse + n;
    f->backward = (char*)f->forward + (L + 2 * n) * width;
    size_t at = 0;
    for (size_t k = 0; k < n; k++) {
        size_t first = e->L_start[k];
        put_step(f, f->forward, &at, e->row[k], e->L + first, e->L_start[k + 1] - first);
    }
    at = 0;
    for (size_t k = n; k-- > 0;) {
        size_t first = e->U_start[k];
        put_step(f, f->backward, &at, e->column[k], e->U + first, e->U_start[k + 1] - first);
    }
    return true;
}

void lia_factors_clear(LiaFactors* f) {
    free(f->block);
    memset(f, 0, sizeof *f);
}

// left*A*right = L U, so A = L' U' with L' = left^-1 L left and U' = left^-1 U right^-1.
void lia_factors_take(LiaFactors* f, const LiaElimination* e, const LiaFactorNumbers* of) {
    const double *L = of->L, *U = of->U, *inverse = of->inverse;
    const double *left = of->left, *right = of->right;
    size_t n = (size_t)f->n;
    double *to_L = f->L, *to_U = f->U, *to_inverse = f->inverse;
    for (size_t k = 0; k < n; k++) {
        double mine = left[e->row[k]];
        for (size_t l = e->L_start[k]; l < e->L_start[k + 1]; l++)
            *to_L++ = L[l] * (left[e->row[e->L[l]]] / mine);
    }
    for (size_t k = n; k-- > 0;) {
        double mine = left[e->row[k]];
        for (size_t u = e->U_start[k]; u < e->U_start[k + 1]; u++)
            *to_U++ = U[u] / (mine * right[e->column[e->U[u]]]);
        *to_inverse++ = inverse[k] * (mine * right[e->column[k]]);
    }
}

// One text for both widths of the indices.
#define SOLVE(INDEX)                                                                               \
    do {                                                                                           \
        const double *L = f->L, *U = f->U, *inverse = f->inverse;                                  \
        const INDEX* at = f->forward;                                                              \
        for (int k = 0; k < f->n; k++) {                                                           \
            double sum = b[*at++];                                                                 \
            const INDEX* end = at + 1 + *at;                                                       \
            while (++at < end) sum -= *L++ * x[*at];                                               \
            x[k] = sum;                                                                            \
        }                                                                                          \
        at = f->backward;                                                                          \
        for (int k = f->n - 1; k >= 0; k--) {                                                      \
            double sum = x[k];                                                                     \
            INDEX column = *at++;                                                                  \
            const INDEX* end = at + 1 + *at;                                                       \
            while (++at < end) sum -= *U++ * x[*at];                                               \
            b[column] = x[k] = sum * *inverse++;                                                   \
        }                                                                                          \
    } while (0)

void lia_factors_solve(const LiaFactors* f, double* restrict b, double* restrict x) {
    if (f->narrow) {
        SOLVE(uint16_t);
    } else {
        SOLVE(uint32_t);
    }
}
