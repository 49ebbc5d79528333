// Steps over positions where equations lose their rank: a four-bar linkage in its singular
// configuration.
//
// There a row of J, or a combination of rows, is zero for an instant, and grows again: sigma ~ |t -
// t*|. The motion goes on, along the branch that its velocity says, and its series know nothing of
// the position. But every state near it is ill determined: what a step leaves of the equations is
// divided by sigma, and rounding grows along a series like (h / |t* - t|)^k. So a step must not end
// near such a position. It ends half way before it, or, where it reaches so far, a tenth of the way
// after it, where 1.1^order still is a small number. It must reach so far: a step of 1.15 times
// what the tolerance allows, of order 26, would leave 40 times as much.
//
// sigma is seen in the rows of J: what those before it leave of one of them vanishes with it
// (row_sizes.c). Linkages of many loops have such positions one after the
// other. Then a step ends between two of them, as far from both as it should be from one.
// SPDX-License-Identifier: MIT
#include "motion/singular/singular_step.h"
#include "base/memory/memory.h"
#include "base/numeric/golden_section.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/project.h"
#include "motion/runner.h"
#include "motion/singular/row_sizes.h"
#include <math.h>
#include <stdlib.h>

static const double BEHIND = 1.1, BEFORE = 0.5;
static const double LATER = 0.55;  // rounding that grows looks like a series that ends there
static const double AHEAD = 1.6;   // steps
enum { LOOKS = 24, UNKNOWNS_MOST = 3000 };

// The rows of J in a state of the step.
typedef struct Look {
    const LiaRunner* run;
    LiaRowSizes rows;
    int which;  // the row that is followed
} Look;

// At the time x after the beginning of the step.
static void look_at(Look* look, double x) {
    LiaWorkspace* s = look->run->sampler;
    lia_taylor_at(&look->run->step, x, s);
    lia_workspace_update(s, 1);
    lia_workspace_matrices(s);
    lia_row_sizes_find(&look->rows, s);
}

static double size_at(void* context, double x) {
    Look* look = context;
    look_at(look, x);
    return look->rows.size[look->which];
}

static bool has_geometric_row(const LiaRunner* run) {
    for (int r = 0; r < run->old.nr; r++) {
        if (run->w->series.equation[run->old.active[r]].geometric) return true;
    }
    return false;
}

// --- the positions ahead ------------------------------------------------------------------------

typedef struct Ahead {
    int looks;      // places looked at, with the one where the step begins
    double d;       // the time between two of them
    double* size;   // of each row at each of them           (count x (LOOKS + 1))
    double* at;     // times of singular configurations                (room)
    double* known;  // the last one that each row is flat at   (count)
    int found, room;
} Ahead;

// A row that is least in between: is it flat there? Rows that vanish together are looked at once:
// `known` is where one was found to do so last.
static void refine(Look* look, Ahead* ahead, int r, int k) {
    const size_t row = LOOKS + 1;
    double middle = k * ahead->d, d = fabs(ahead->d);
    if (fabs(ahead->known[r] - middle) <= d) return;
    look->which = r;
    double x = lia_golden_section_least(size_at, look, middle - ahead->d, middle + ahead->d, 18);
    if (!(size_at(look, x) < LIA_SINGULAR_ROW * ahead->size[(size_t)r * row])) return;
    if (ahead->found < ahead->room) ahead->at[ahead->found++] = x;
    for (int i = 0; i < look->rows.count; i++) {
        if (look->rows.size[i] < LIA_SINGULAR_TOGETHER * ahead->size[(size_t)i * row])
            ahead->known[i] = x;
    }
}

static int by_time(const void* a, const void* b) {
    double x = fabs(*(const double*)a), y = fabs(*(const double*)b);
    return x < y ? -1 : x > y;
}

// All singular configurations within AHEAD steps, the first one first.
static void find_ahead(Look* look, double natural, Ahead* ahead) {
    ahead->d = AHEAD * natural / LOOKS;
    for (int k = 0; k <= LOOKS; k++) {
        look_at(look, k * ahead->d);
        if (k > 0 && !(lia_project_scaled_residuals(look->run->sampler) < LIA_SINGULAR_ASTRAY))
            break;
        for (int r = 0; r < look->rows.count; r++)
            ahead->size[(size_t)r * (LOOKS + 1) + (size_t)k] = look->rows.size[r];
        ahead->looks = k + 1;
    }
    for (int r = 0; r < look->rows.count; r++) {
        const double* size = ahead->size + (size_t)r * (LOOKS + 1);
        for (int k = 1; k < ahead->looks; k++) {
            bool last = k + 1 == ahead->looks;
            bool least = size[k] < size[k - 1] && (last || size[k] <= size[k + 1]);
            if (least && size[k] < 0.5 * size[0]) refine(look, ahead, r, k);
        }
    }
    qsort(ahead->at, (size_t)ahead->found, sizeof *ahead->at, by_time);
}

// --- where the step ends ------------------------------------------------------------------------

// Far enough from all of them to end there, some of them passed already?
static bool stands_clear(const Ahead* ahead, double h) {
    const double part = (1.0 - LIA_SINGULAR_CLEAR) * (1.0 - 1.0 / BEHIND);
    for (int i = 0; i < ahead->found; i++) {
        if (fabs(h - ahead->at[i]) < part * fabs(h)) return false;
    }
    return true;
}

// The end of the longest step, up to `most`, that leads over some of them and stands clear of all;
// 0: there is none.
static double end_over(const Ahead* ahead, double most) {
    double best = 0.0;
    for (int i = 0; i < ahead->found; i++) {
        double next = i + 1 < ahead->found ? ahead->at[i + 1] : INFINITY * ahead->at[i];
        double h = BEHIND * ahead->at[i], middle = 0.5 * (ahead->at[i] + next);
        if (isfinite(middle) && fabs(middle) < fabs(most) && fabs(middle) > fabs(h)) h = middle;
        if (fabs(h) <= fabs(most) && stands_clear(ahead, h)) best = h;
    }
    return best;
}

// The end of a step that stays before all of them: half way to the first, or so far from it that
// what rounding leaves of the next step, some 5/4 of that distance, leads over the last of them as
// well.
static double end_before(const Ahead* ahead) {
    const double widths = 2.75;
    double first = ahead->at[0], width = ahead->at[ahead->found - 1] - first;
    double half = BEFORE * first, away = first - widths * width;
    return fabs(away) < fabs(half) && away / first > 0.05 ? away : half;
}

const LiaConfiguration* lia_singular_step_find(const LiaRunner* run, double natural, double* h,
                                               double* before) {
    const LiaWorkspace* w = run->w;
    if (!w->forces.method->at_singular || w->nf + w->nc > UNKNOWNS_MOST || !has_geometric_row(run))
        return &lia_configuration_ordinary;
    Look look = {.run = run};
    Ahead ahead = {.room = 4 * run->old.nr};
    double* block = lia_memory_zeros((size_t)run->old.nr * (LOOKS + 1 + 5) + 1, sizeof *block);
    bool ok = lia_row_sizes_init(&look.rows, w, run->old.active, run->old.nr) && block;
    if (ok) {
        ahead.size = block;
        ahead.at = block + (size_t)run->old.nr * (LOOKS + 1);
        ahead.known = ahead.at + ahead.room;
        for (int r = 0; r < run->old.nr; r++) ahead.known[r] = INFINITY;
        find_ahead(&look, natural, &ahead);
    }
    // Half way before it the series converge well: where the step is short all the same, it is
    // rounding that makes it so.
    double most = run->course.approaching ? natural * BEHIND / LATER : natural, over = 0.0;
    if (ahead.found > 0) {
        over = end_over(&ahead, most);
        *before = end_before(&ahead);
        *h = over != 0.0 ? over : *before;
    }
    lia_row_sizes_clear(&look.rows);
    free(block);
    return ahead.found == 0 ? &lia_configuration_ordinary
           : over != 0.0    ? &lia_configuration_over
                            : &lia_configuration_before;
}
