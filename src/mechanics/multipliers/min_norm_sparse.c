// Multipliers of least norm for large systems: what the forces do not show of them is taken away.
// See multiplier_nullspace.h.
//
// A multiplier is unique where there is nothing to take away: seen from two vectors picked at
// random.
// SPDX-License-Identifier: MIT
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/multipliers/multiplier_nullspace.h"
#include <math.h>
#include <string.h>

// The part of the first nc numbers of b that Omega^T does not see, in their place.
static void unseen_part(LiaMultiplierNullspace* z, const LiaWorkspace* w) {
    for (int c = 0; c < z->nc; c++) {
        if (!lia_row_shown(w, c)) z->b[c] = 0.0;
    }
    memset(z->b + z->nc, 0, (size_t)z->rank * sizeof *z->b);
    lia_sparse_lu_solve(&z->lu, z->b);
}

bool lia_min_norm_sparse(LiaWorkspace* w) {
    LiaMultiplierNullspace z;
    const uint32_t* rows = w->dynamics->rows;
    bool ok = lia_multiplier_nullspace_init(&z, w, w->nf);
    double size = 0.0;
    if (ok) {
        for (int c = 0; c < z.nc; c++) z.b[c] = w->mu[rows[c]] - lia_min_norm_preferred(w, c, 0);
        unseen_part(&z, w);
        for (int c = 0; c < z.nc; c++) {
            w->mu[rows[c]] -= z.b[c];
            w->unique[rows[c]] = true;
            size = fmax(size, fabs(w->mu[rows[c]]));
        }
        uint64_t seed = 1;
        for (int pass = 0; pass < 2; pass++) {
            for (int c = 0; c < z.nc; c++) z.b[c] = lia_random_generic(&seed);
            unseen_part(&z, w);
            for (int c = 0; c < z.nc; c++) {
                bool shared = fabs(z.b[c]) > LIA_UNSEEN_MULTIPLIER && lia_row_shown(w, c);
                if (shared) w->unique[rows[c]] = false;
                w->other[rows[c]] = w->mu[rows[c]];
                if (shared) w->other[rows[c]] += (size > 0.0 ? size : 1.0) * z.b[c];
            }
        }
    }
    lia_multiplier_nullspace_clear(&z);
    return ok;
}
