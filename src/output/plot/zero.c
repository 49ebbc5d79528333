// What is 0 but for rounding, all along a motion: the one rule by which pictures leave it out.
//
// A column is, where its largest number is a rounding of the largest number of its like, or where
// it is below what is known of its own rounding (motion/result/rounding.c). Alike are columns of
// one kind and unit; what is observed without a unit can be anything, and has its like only in the
// other components of its vector. A velocity is a part of its position in the time of the run too.
// A curve of a plot is the column whose name it has.
// SPDX-License-Identifier: MIT
#include "output/plot/zero.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_zero_init(LiaZero* zero, const LiaTrajectory* t) {
    const size_t count = t->column_count;
    *zero = (LiaZero){.trajectory = t, .most = lia_memory_zeros(count + 1, sizeof(double))};
    if (!zero->most) return false;
    for (size_t row = 0; row <= t->rows.count; row++) {
        const double* x = row < t->rows.count ? t->rows.values + row * count : t->final.values;
        for (size_t c = 0; x && c < count; c++) {
            double size = fabs(x[c]);
            if (size > zero->most[c] && size < LIA_FIGURE_MOST) zero->most[c] = size;
        }
    }
    return true;
}

void lia_zero_clear(LiaZero* zero) {
    free(zero->most);
    *zero = (LiaZero){0};
}

static bool same_text(const char* a, const char* b) { return a && b ? strcmp(a, b) == 0 : a == b; }

// The column whose name a curve has: positions, forces, powers as they are. Itself: a formula.
static size_t named(const LiaTrajectory* t, size_t column) {
    if (t->columns[column].kind != LIA_COLUMN_PLOT) return column;
    for (size_t c = 0; c < t->column_count; c++) {
        bool plot = t->columns[c].kind == LIA_COLUMN_PLOT;
        if (!plot && same_text(t->columns[c].name, t->columns[column].label)) return c;
    }
    return column;
}

// How much of a name says which quantity it is: "L" of "L.x" and of "L[2,1]".
static size_t stem_length(const char* name) { return strcspn(name, ".["); }

static bool is_energy(const char* name) {
    return strcmp(name, "energy") == 0 || strcmp(name, "kinetic") == 0 ||
           strcmp(name, "potential") == 0;
}

static bool is_alike(const LiaColumn* a, const LiaColumn* b) {
    if (a->kind != b->kind || !same_text(a->unit, b->unit)) return false;
    if (a->kind != LIA_COLUMN_OBSERVE || a->unit) return true;
    if (is_energy(a->name) || is_energy(b->name)) return is_energy(a->name) && is_energy(b->name);
    size_t stem = stem_length(a->name);
    return stem == stem_length(b->name) && strncmp(a->name, b->name, stem) == 0;
}

double lia_zero_whole(const LiaZero* zero, size_t column) {
    const LiaTrajectory* t = zero->trajectory;
    const LiaColumn* of = &t->columns[named(t, column)];
    double whole = 0.0, length = fabs(t->t - t->t0);
    if (of->kind == LIA_COLUMN_PLOT) return 0.0;
    for (size_t c = 0; c < t->column_count; c++) {
        const LiaColumn* other = &t->columns[c];
        if (is_alike(other, of)) whole = fmax(whole, zero->most[c]);
        bool position = other->kind == LIA_COLUMN_POSITION && other->index == of->index;
        if (of->kind == LIA_COLUMN_VELOCITY && position && length > 0.0)
            whole = fmax(whole, zero->most[c] / length);
    }
    return whole;
}

double lia_zero_bound(const LiaZero* zero, size_t column) {
    const LiaTrajectory* t = zero->trajectory;
    double known = t->final.rounding ? t->final.rounding[column] : 0.0;
    return fmax(LIA_FIGURE_ROUNDING * lia_zero_whole(zero, column), known);
}
