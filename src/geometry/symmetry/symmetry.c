// A one-parameter action with generator xi: is L invariant, does the system reduce (first type), is
// the momentum constant (second type)?
//
// Both types ask for xi(L) = 0 on all of TM: an L that is invariant on admissible states alone has
// momenta that are not, and these enter the equations of a constraint that is not holonomic. So it
// is looked at on states that no constraint restricts, and apart from that on admissible ones. The
// numbers are those of actions.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include "geometry/symmetry/actions.h"
#include "geometry/symmetry/lifts.h"
#include <math.h>
#include <stdlib.h>

// The largest part of its terms that a sum is, where it is not rounding.
static bool none_left(const LiaSum* sums, size_t count, double* defect) {
    bool none = true;
    for (size_t i = 0; i < count; i++) {
        if (fabs(sums[i].value) <= LIA_IDENTITY * sums[i].size) continue;
        *defect = fmax(*defect, fabs(sums[i].value) / sums[i].size);
        none = false;
    }
    return none;
}

// The same of forms, each of n numbers.
static bool no_form_left(const LiaActions* k, const LiaSum* forms, double* defect) {
    bool none = true;
    for (size_t r = 0; r <= k->m; r++) {
        double left = 0.0, size = forms[r * k->n].size;
        for (size_t i = 0; i < k->n; i++) left = hypot(left, forms[r * k->n + i].value);
        if (left <= LIA_SPAN_CUT * size) continue;
        *defect = fmax(*defect, left / size);
        none = false;
    }
    return none;
}

// Omega xi = 0: no force acts along the generator.
static bool forces_across(const LiaActions* k, const LiaSum* across, double* defect) {
    bool none = true;
    for (size_t c = 0; c < k->m; c++) {
        if (fabs(across[c].value) <= LIA_IDENTITY * across[c].size) continue;
        *defect = fmax(*defect, fabs(across[c].value) / across[c].size);
        none = false;
    }
    return none;
}

static void judge(const LiaActions* k, size_t g, LiaSymmetryClass* out) {
    const LiaSum *L = &k->change[g], *force = &k->force[g], *reaction = &k->reaction[g];
    double rounding = LIA_IDENTITY * (L->size + force->size + reaction->size);
    if (!(fabs(L->value) <= rounding)) {
        out->lagrangian = LIA_INVARIANT_NOT;
        out->lagrangian_defect = fmax(out->lagrangian_defect, fabs(L->value));
    }
    bool free = fabs(force->value) <= rounding;
    if (!free) out->across_defect = fmax(out->across_defect, fabs(force->value) / force->size);
    out->forces_across &= forces_across(k, k->across + g * k->m, &out->across_defect) && free;
    double rate = L->value + force->value + reaction->value;
    if (k->solved && !(fabs(rate) <= rounding)) {
        out->constant = false;
        out->defect = fmax(out->defect, fabs(rate));
    }
    if (!k->solved) out->constant = false;
    if (!k->carries) return;
    out->states_carried &= none_left(k->states + g * k->m, k->m, &out->states_defect);
    out->forces_carried &= no_form_left(k, k->forms + g * (k->m + 1) * k->n, &out->forces_defect);
}

// At states that no constraint restricts; nearer and nearer to the sample, for formulas that have a
// value only there.
static void judge_anywhere(LiaActions* k, const LiaSamples* samples, uint32_t sample, bool* seen,
                           LiaSymmetryClass* out) {
    size_t left = k->count;
    for (size_t g = 0; g < k->count; g++) seen[g] = false;
    for (double radius = 1.0; left > 0 && radius > LIA_SAMPLE_NEAREST; radius *= 0.5) {
        lia_actions_look_anywhere(k, samples, sample, radius);
        for (size_t g = 0; g < k->count; g++) {
            const LiaSum* L = &k->change[g];
            if (seen[g] || !isfinite(L->value)) continue;
            seen[g] = true, left--;
            if (fabs(L->value) <= LIA_IDENTITY * L->size) continue;
            if (out[g].lagrangian == LIA_INVARIANT_EVERYWHERE) {
                out[g].lagrangian = LIA_INVARIANT_ADMISSIBLE;
            }
            out[g].lagrangian_defect = fmax(out[g].lagrangian_defect, fabs(L->value));
        }
    }
}

static void begin(const LiaSystem* s, uint32_t symmetry, bool any, bool carries,
                  LiaSymmetryClass* out) {
    *out = (LiaSymmetryClass){.name = s->model->symmetries[symmetry].name,
                              .momentum = s->observables.momenta[symmetry],
                              .lagrangian = any ? LIA_INVARIANT_EVERYWHERE : LIA_INVARIANT_NOT,
                              .states_carried = any && carries,
                              .forces_carried = any && carries,
                              .forces_across = any,
                              .constant = any,
                              .constant_here = any};
}

// The quotient has one dimension less where the action moves something.
static void conclude(LiaSymmetryClass* out, uint32_t D, bool moves, bool any) {
    bool everywhere = out->lagrangian == LIA_INVARIANT_EVERYWHERE;
    out->first_type = everywhere && out->states_carried && out->forces_carried;
    out->second_type = everywhere && out->forces_across;
    out->quotient = D - (moves && D > 0);
    // also where K0 is singular
    if (out->lagrangian != LIA_INVARIANT_NOT && out->forces_across) out->constant = any;
}

bool lia_symmetry_judge(LiaJudge* j) {
    LiaGeometry* y = j->geometry;
    const LiaSystem* s = y->system;
    const LiaSamples* samples = &j->samples;
    size_t count = j->out->symmetry_count, n = s->n;
    LiaSymmetryClass* out = j->out->symmetries;
    bool any = samples->count > 0, carries = s->n <= LIA_JUDGE_SIZE;
    if (count == 0) return true;
    LiaExpr* xi = lia_memory_zeros(count * n + 1, sizeof *xi);
    bool* seen = lia_memory_zeros(2 * count + 1, sizeof *seen);
    bool* moves = seen ? seen + count : NULL;
    LiaActions k = {0};
    bool ok = xi && seen;
    for (uint32_t g = 0; ok && g < count; g++) {
        begin(s, g, any, carries, &out[g]);
        ok = lia_geometry_generator(y, g, xi + g * n);
        if (ok && any) ok = lia_lifts_feet(y, samples->t[0], samples->q, xi + g * n);
    }
    ok = ok && lia_actions_init(&k, y, &j->z, xi, count, carries);
    for (uint32_t i = 0; ok && i < samples->count; i++) {
        ok = lia_actions_look(&k, samples, i, true);
        for (size_t g = 0; ok && g < count; g++) {
            bool before = out[g].constant;
            out[g].constant = true;
            judge(&k, g, &out[g]);
            if (!samples->beyond || !samples->beyond[i]) out[g].constant_here &= out[g].constant;
            out[g].constant &= before;
            for (size_t e = 0; e < n; e++) moves[g] |= k.x[g * n + e] != 0.0;
        }
    }
    for (uint32_t i = 0; ok && i < samples->count; i++) judge_anywhere(&k, samples, i, seen, out);
    for (size_t g = 0; ok && g < count; g++) conclude(&out[g], j->out->dimensions.D, moves[g], any);
    lia_actions_clear(&k);
    free(seen);
    free(xi);
    return ok;
}
