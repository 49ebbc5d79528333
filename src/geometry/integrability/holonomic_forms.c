// Which kinematic forms, and which combinations of them with constant coefficients, vanish on all
// brackets.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "geometry/integrability/flag.h"
#include "geometry/integrability/flag_work.h"
#include "geometry/integrability/kernel_fields.h"
#include "geometry/span.h"
#include <math.h>
#include <string.h>

static bool is_kinematic(const LiaFlagWork* w, uint32_t r) {
    const LiaRow* row = &w->s->rows[w->k.every[r]];
    return !row->geometric || row->integrated;
}

// theta_r(W) at place p, both of size 1.
static double pairing(const LiaFlagWork* w, const LiaValues* values, uint32_t r, uint32_t word,
                      uint32_t p) {
    double square = 0.0, sum = 0.0;
    for (size_t i = 0; i < w->N; i++) {
        double a = lia_value(values, w->k.A[r * w->N + i]) * w->unit[p * w->N + i];
        square += a * a;
        sum += a * w->word[word].value[p * w->N + i];
    }
    return square > 0.0 ? sum / sqrt(square) : 0.0;
}

// The largest |theta_r(W)| of each form at the places; and all of kinematic ones, a row for each
// word and place.
static bool find_defects(LiaFlagWork* w, double* all, uint32_t kinematic) {
    LiaKernelFields* k = &w->k;
    LiaValues values = {0};
    if (!lia_evaluate_init(&values, k->graph, k->A, (size_t)k->all * w->N)) return false;
    for (uint32_t p = 0; p < w->places; p++) {
        LiaSymbols at = {.t = w->t[p], .parameters = w->s->parameters, .q = w->q[p]};
        lia_evaluate_run(&values, &at);
        for (uint32_t e = k->count; e < w->fresh; e++) {
            for (uint32_t r = 0, column = 0; r < k->all; r++) {
                double x = pairing(w, &values, r, e, p), *most = &w->out->defect[k->every[r]];
                *most = fmax(*most, fabs(x));
                if (is_kinematic(w, r)) all[column++] = fabs(x) > LIA_FLAG_CUT ? x : 0.0;
            }
            // the form itself, not one of size 1: combinations have constant coefficients
            for (uint32_t r = 0, column = 0; r < k->all; r++) {
                double sum = 0.0;
                if (!is_kinematic(w, r)) continue;
                for (size_t i = 0; i < w->N; i++) {
                    double a = lia_value(&values, k->A[r * w->N + i]) * w->unit[p * w->N + i];
                    sum += a * w->word[e].value[p * w->N + i];
                }
                if (all[column] != 0.0) all[column] = sum;
                column++;
            }
            all += kinematic;
        }
    }
    lia_evaluate_clear(&values);
    return true;
}

// The rows of a basis in echelon form, each with a 1: combinations as one would write them.
static void make_plain(uint32_t count, uint32_t columns, double* basis) {
    for (uint32_t c = 0; c < count; c++) {
        uint32_t row = c, column = 0;
        double most = 0.0;
        for (uint32_t r = c; r < count; r++) {
            for (uint32_t i = 0; i < columns; i++) {
                if (!(fabs(basis[r * columns + i]) > most + LIA_SPAN_CUT)) continue;
                most = fabs(basis[r * columns + i]);
                row = r, column = i;
            }
        }
        for (uint32_t i = 0; i < columns; i++) {
            double x = basis[row * columns + i];
            basis[row * columns + i] = basis[c * columns + i];
            basis[c * columns + i] = x;
        }
        double pivot = basis[c * columns + column];
        for (uint32_t i = 0; i < columns; i++) basis[c * columns + i] /= pivot;
        for (uint32_t r = 0; r < count; r++) {
            double part = r == c ? 0.0 : basis[r * columns + column];
            for (uint32_t i = 0; i < columns; i++) {
                basis[r * columns + i] -= part * basis[c * columns + i];
                if (fabs(basis[r * columns + i]) < LIA_SPAN_CUT) basis[r * columns + i] = 0.0;
            }
        }
    }
}

// The combination as a form at the first place, into `to`.
static void combine(const LiaFlagWork* w, const LiaValues* values, const double* basis,
                    double* to) {
    for (size_t i = 0; i < w->N; i++) to[i] = 0.0;
    for (uint32_t r = 0, column = 0; r < w->k.all; r++) {
        if (!is_kinematic(w, r)) continue;
        double c = basis[column++];
        for (size_t i = 0; i < w->N; i++) to[i] += c * lia_value(values, w->k.A[r * w->N + i]);
    }
}

// Combinations that follow from geometric equations and the combinations before say nothing.
// Returns how many of them stay, -1 if memory is out.
static int drop_dependent(LiaFlagWork* w, double* basis, uint32_t kinematic, int found) {
    LiaKernelFields* k = &w->k;
    size_t N = w->N;
    LiaValues values = {0};
    double* rows = LIA_ARENA_NEW(w->arena, double, ((size_t)k->all + (size_t)found + 1) * N);
    if (!rows || !lia_evaluate_init(&values, k->graph, k->A, (size_t)k->all * N)) return -1;
    LiaSymbols at = {.t = w->t[0], .parameters = w->s->parameters, .q = w->q[0]};
    lia_evaluate_run(&values, &at);
    int count = 0, kept = 0;
    for (uint32_t r = 0; r < k->all; r++) {
        if (is_kinematic(w, r)) continue;
        for (size_t i = 0; i < N; i++)
            rows[(size_t)count * N + i] = lia_value(&values, k->A[r * N + i]);
        count++;
    }
    int rank = lia_span_rank(count, (int)N, rows);
    for (int c = 0; rank >= 0 && c < found; c++) {
        double* one = basis + (size_t)c * kinematic;
        combine(w, &values, one, rows + (size_t)count * N);
        int now = lia_span_rank(count + 1, (int)N, rows);
        if (now < 0) rank = -1;
        if (now <= rank) continue;
        rank = now, count++;
        memmove(basis + (size_t)kept++ * kinematic, one, kinematic * sizeof *one);
    }
    lia_evaluate_clear(&values);
    return rank < 0 ? -1 : kept;
}

bool lia_holonomic_forms_find(LiaFlagWork* w) {
    LiaKernelFields* k = &w->k;
    LiaFlag* out = w->out;
    uint32_t kinematic = 0;
    for (uint32_t r = 0; r < k->all; r++) kinematic += is_kinematic(w, r);
    uint32_t rows = (w->fresh - k->count) * w->places;
    double* all = LIA_ARENA_NEW(w->arena, double, (size_t)rows* kinematic + 1);
    double* basis = LIA_ARENA_NEW(w->arena, double, (size_t)kinematic* kinematic + 1);
    if (!all || !basis || !find_defects(w, all, kinematic)) return false;
    int found = kinematic ? lia_span_kernel((int)rows, (int)kinematic, all, basis) : 0;
    if (found < 0) return false;
    make_plain((uint32_t)found, kinematic, basis);
    found = drop_dependent(w, basis, kinematic, found);
    if (found < 0) return false;
    out->combinations = (uint32_t)found;
    size_t total = w->s->row_count;
    out->coefficient = LIA_ARENA_NEW(w->arena, double, out->combinations* total + 1);
    out->integral = LIA_ARENA_NEW(w->arena, LiaExpr, out->combinations + 1);
    if (!out->coefficient || !out->integral) return false;
    for (uint32_t c = 0; c < out->combinations; c++) {
        for (uint32_t r = 0, column = 0; r < k->all; r++) {
            if (is_kinematic(w, r)) {
                out->coefficient[c * total + k->every[r]] = basis[c * kinematic + column++];
            }
        }
    }
    return true;
}
