// What carries a point: the places about which coordinates turn it.
//
// The middle of all places to which one coordinate alone takes a point P is where it is hinged.
// Where P is affine in the cosine and sine of an angle, in a direction u or in a rotation R, few
// places are enough:
//
//   angle      (P(0) + P(pi))/2
//   direction  (P(z) + P(-z))/2
//   rotation   the mean over the four quaternions 1, i, j, k, whose rotations add up to 0
//
// It is a joint if P stays at the same distance from it, or if it is a place of the model that
// moves: then the link between them changes its length, as a sling does that is let out. Of
// several, one that the model has a name for goes first, then the last angle: with angles against
// the vertical a chain can be read in any order.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/guess/guess.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Turning {  // what is varied
    uint32_t first, count;
    LiaManifold manifold;
} Turning;

// P with the coordinates replaced by their k-th values; false where there are no more.
static bool replaced(LiaGuess* guess, const Turning* turning, int k, const LiaExpr* P,
                     LiaExpr* out) {
    int most = turning->manifold == LIA_ROTATION ? 4 : 2;
    LiaExpr* by = k < most ? lia_memory_zeros(guess->s->n + 1, sizeof *by) : NULL;
    if (!by) return false;
    for (uint32_t i = 0; i < turning->count; i++) {
        int unit = turning->manifold == LIA_ROTATION ? i == (uint32_t)k : i == 2 ? 1 - 2 * k : 0;
        bool half = turning->manifold == LIA_CIRCLE && k == 1;
        by[turning->first + i] = half ? lia_graph_pi(guess->g) : lia_graph_integer(guess->g, unit);
    }
    bool good = true;
    for (int c = 0; c < 3; c++) {
        out[c] = lia_diff_substitute(guess->g, P[c], LIA_SYMBOL_POSITION, by, guess->s->n);
        good = good && out[c].index;
    }
    free(by);
    return good;
}

static bool middle_of(LiaGuess* guess, const Turning* turning, const LiaExpr* P, LiaExpr* C) {
    int count = 0;
    LiaExpr place[3];
    for (int c = 0; c < 3; c++) C[c] = lia_guess_zero(guess);
    while (replaced(guess, turning, count, P, place)) {
        for (int c = 0; c < 3; c++) C[c] = lia_graph_add(guess->g, C[c], place[c]);
        count++;
    }
    LiaExpr share = count > 0 ? lia_graph_rational(guess->g, 1, count) : (LiaExpr){0};
    for (int c = 0; count > 0 && c < 3; c++) C[c] = lia_graph_mul(guess->g, share, C[c]);
    return count > 1;
}

// Now and a quarter of a turn on an angle has P as far from C, across: cos and sin, and nothing
// else of it.
static bool is_round(LiaGuess* guess, const Turning* turning, const LiaExpr* P, const LiaExpr* C) {
    if (turning->manifold == LIA_ROTATION || turning->manifold == LIA_SPHERE) return true;
    LiaExpr* by = lia_memory_zeros(guess->s->n + 1, sizeof *by);
    LiaExpr all[9];
    double x[9 * (LIA_GUESS_INSTANTS + 1)];
    if (!by) return false;
    LiaExpr half = lia_graph_rational(guess->g, 1, 2);
    LiaExpr quarter = lia_graph_mul(guess->g, half, lia_graph_pi(guess->g));
    by[turning->first] = lia_graph_add(guess->g, guess->s->q[turning->first], quarter);
    for (int c = 0; c < 3; c++) {
        all[c] = P[c];
        all[3 + c] = C[c];
        all[6 + c] = lia_diff_substitute(guess->g, P[c], LIA_SYMBOL_POSITION, by, guess->s->n);
    }
    free(by);
    if (!lia_scene_values(guess->scene, all, 9, guess->instants, guess->instant_count, x))
        return false;
    for (size_t k = 0; k < guess->instant_count; k++) {
        const double* at = x + 9 * k;
        double r = lia_guess_distance(at, at + 3), dot = 0.0;
        for (int c = 0; c < 3; c++) dot += (at[c] - at[3 + c]) * (at[6 + c] - at[3 + c]);
        bool round = fabs(dot) <= LIA_GUESS_CIRCLE * r * r &&
                     fabs(lia_guess_distance(at + 6, at + 3) - r) <= LIA_GUESS_CIRCLE * r;
        if (!round) return false;
    }
    return true;
}

// Is a place fixed in the body whose centre a point is? Always where there is no body.
static bool is_of_body(LiaGuess* guess, const LiaGuessPoint* point, const LiaExpr* C) {
    LiaExpr all[15];
    double x[15 * (LIA_GUESS_INSTANTS + 1)];
    if (!point->turn[0].index) return true;
    memcpy(all, point->at, 3 * sizeof *all);
    memcpy(all + 3, C, 3 * sizeof *all);
    memcpy(all + 6, point->turn, 9 * sizeof *all);
    if (!lia_scene_values(guess->scene, all, 15, guess->instants, guess->instant_count, x))
        return false;
    for (size_t k = 0; k < guess->instant_count; k++) {
        const double *at = x + 15 * k, *A = at + 6;
        double r = lia_guess_distance(at, at + 3);
        for (int j = 0; j < 3; j++) {
            double u = 0.0, first = 0.0;
            for (int i = 0; i < 3; i++) {
                u += A[3 * i + j] * (at[3 + i] - at[i]);
                first += x[6 + 3 * i + j] * (x[3 + i] - x[i]);
            }
            if (!(fabs(u - first) <= LIA_GUESS_FIXED * r)) return false;
        }
    }
    return true;
}

typedef enum Search {  // what is looked for, in this order
    KNOWN_ROD,         // a place of the model at the same distance
    KNOWN_LINK,        // one that moves, at a distance that changes
    NEW_JOINT          // either of them that nobody named; for what is shown alone
} Search;

// The pivot of a point as a place of its own; its index is 1 + that of the point, 0: none. A new
// one is dropped again where it is not wanted.
static uint32_t pivot_of(LiaGuess* guess, uint32_t point, const Turning* turning, Search search) {
    LiaExpr P[3], C[3];
    memcpy(P, guess->points[point].at, sizeof P);
    if (!middle_of(guess, turning, P, C)) return 0;
    uint32_t before = guess->count;
    const LiaGuessPoint* pivot = lia_guess_point(guess, NULL, C);
    uint32_t index = pivot ? (uint32_t)(pivot - guess->points) : point;
    bool good = index != point && (index < before || search == NEW_JOINT);
    bool link = good && search != KNOWN_ROD && !guess->points[index].still;
    good =
        good &&
        (link || lia_guess_rigid_is_rigid(guess, &guess->points[point], &guess->points[index])) &&
        is_round(guess, turning, P, C) && is_of_body(guess, &guess->points[point], C);
    if (!good) guess->count = before;
    return good ? index + 1 : 0;
}

static uint32_t take_turnings(LiaGuess* guess, const LiaExpr* at, Turning* out) {
    uint32_t n = guess->s->n, count = 0;
    bool* seen = lia_memory_zeros(n + 1, sizeof *seen);
    if (!seen) return 0;
    lia_guess_depends(guess, at, 3, seen);
    for (uint32_t i = n; i-- > 0;) {
        const LiaCoordinate* c = &guess->m->coordinates[i];
        if (seen[i] && !c->group && !c->inner) out[count++] = (Turning){i, 1, LIA_CIRCLE};
    }
    for (uint32_t i = guess->m->groups_count; i-- > 0;) {
        const LiaGroup* group = &guess->m->groups[i];
        bool turns = group->manifold == LIA_ROTATION || group->manifold == LIA_SPHERE;
        if (turns && seen[group->first]) {
            out[count++] = (Turning){group->first, group->count, group->manifold};
        }
    }
    free(seen);
    return count;
}

static void carry(LiaGuess* guess, uint32_t point) {
    Turning* turnings =
        lia_memory_zeros((size_t)guess->s->n + guess->m->groups_count + 1, sizeof *turnings);
    if (!turnings) return;
    uint32_t count = take_turnings(guess, guess->points[point].at, turnings), pivot = 0;
    Search last = guess->points[point].shown ? NEW_JOINT : KNOWN_ROD;
    for (Search search = KNOWN_ROD; search <= last && !pivot; search++) {
        for (uint32_t i = 0; i < count && !pivot; i++) {
            pivot = pivot_of(guess, point, &turnings[i], search);
        }
    }
    free(turnings);
    guess->points[point].carried = true;
    if (!pivot) return;
    LiaGuessPoint* joint = &guess->points[pivot - 1];
    // a vector with a name that turns about the origin need not be a place
    bool place = guess->points[point].shown || (joint->shown && !joint->still);
    if (!place) return;
    guess->points[point].shown = joint->shown = true;
    if (lia_guess_rigid_is_rigid(guess, &guess->points[point], joint)) {
        lia_guess_rod(guess, point, pivot - 1);
    } else {
        lia_guess_span(guess, point, pivot - 1, false);
    }
}

// Is a place the difference of two that are shown? Then it is a vector from one to the other.
static bool is_difference(const LiaGuess* guess, const LiaGuessPoint* u) {
    for (uint32_t i = 0; i < guess->count; i++) {
        for (uint32_t j = 0; j < guess->count; j++) {
            const LiaGuessPoint *a = &guess->points[i], *b = &guess->points[j];
            bool same = i != j && a->shown && b->shown;
            double far = 0.0, off = 0.0;
            for (size_t k = 0; same && k < guess->instant_count; k++) {
                for (int c = 0; c < 3; c++) {
                    off = fmax(off, fabs(a->where[k][c] - b->where[k][c] - u->where[k][c]));
                    far = fmax(far, fabs(b->where[k][c]));
                }
            }
            if (same && far > 0.0 && off <= LIA_GUESS_PLACE * far) return true;
        }
    }
    return false;
}

// Places with a name that constraints hold at the end of a rod.
static bool show_held(LiaGuess* guess) {
    bool more = false;
    for (uint32_t i = 0; i < guess->count; i++) {
        LiaGuessPoint* point = &guess->points[i];
        if (point->shown) continue;
        bool held = false;
        for (uint32_t k = 0; k < guess->count && !held; k++) {
            const LiaGuessPoint* other = &guess->points[k];
            held = other->shown && other->mass && lia_guess_rigid_is_rigid(guess, other, point);
        }
        if (!held || is_difference(guess, point)) continue;
        point->shown = more = true;
        point->carried = false;
    }
    return more;
}

static void carry_all(LiaGuess* guess, bool shown) {
    for (uint32_t i = 0; i < guess->count; i++) {
        if (guess->points[i].shown == shown && !guess->points[i].carried) carry(guess, i);
    }
}

void lia_guess_pivots_carry(LiaGuess* guess) {
    do {
        carry_all(guess, true);
    } while (show_held(guess));
    carry_all(guess, false);  // ends of what is shown
    carry_all(guess, true);
}
