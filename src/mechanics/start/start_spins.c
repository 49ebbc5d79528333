// Angular velocities that a start gives: rates of quaternions, once the attitudes are known.
// SPDX-License-Identifier: MIT
#include "base/numeric/quaternion.h"
#include "mechanics/start/search/search.h"
#include <math.h>

// omega(R) = e: the quaternion is known now, so its rate is (0, e) q / 2; in body axes q (0, e) /
// 2.
static void take_spin(LiaSearch* z, uint32_t first, const double* e, bool body, bool given) {
    const double* q = z->w->q + first;
    double rate[4], half[3] = {0.5 * e[0], 0.5 * e[1], 0.5 * e[2]};
    if (body) {
        lia_quaternion_times(q, half, rate);
    } else {
        lia_quaternion_rate(q, e, rate);
    }
    for (uint32_t i = 0; i < 4; i++) {
        z->w->v[first + i] = z->target[1][first + i] = rate[i];
        z->given[1][first + i] = given;
    }
}

// Those of the model, then those of a state to begin from. (The omega of such a rate is the one
// given up to rounding: of all states, those of rotations are the only ones that are not kept to
// the last bit.)
void lia_start_spins_take(LiaSearch* z, const double* given_v) {
    const LiaModel* m = z->s->model;
    for (uint32_t k = 0; k < m->start.spins_count; k++) {
        const LiaSpin* spin = &m->start.spins[k];
        take_spin(z, m->groups[spin->group].first, spin->value, spin->body,
                  !spin->guess && !given_v);
    }
    for (uint32_t g = 0; given_v && g < m->groups_count; g++) {
        uint32_t first = m->groups[g].first;
        if (m->groups[g].manifold != LIA_ROTATION || isnan(given_v[first + 1])) continue;
        take_spin(z, first, given_v + first + 1, false, true);
    }
}
