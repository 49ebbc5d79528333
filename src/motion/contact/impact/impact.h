// Impact: the impulses of all contacts that touch at one instant, and the velocities after it.
//
// Before the impact the rows have the velocities u- = b of the LiaDelassus, after it
// u+ = W P + u-.
//
// Without friction: Newton's restitution over all contacts as one complementarity problem,
//     0 <= P,  0 <= gap'+ + e gap'-,  complementary   (gap'- > 0 counts as 0).
// One contact with friction: Routh's process. The normal impulse P grows from 0; the tangential
// impulse follows Coulomb's law with the kinetic coefficient at every instant of it: sliding,
// sticking, sliding in another direction. Compression ends where gap' = 0; where restitution ends
// is said by a coefficient:
//     Newton     gap'+ = -e gap'-
//     Poisson    P of restitution = e P of compression
//     Stronge    work of P in restitution = -e^2 work of P in compression     (the default)
// Several contacts with friction: a phase of compression and one of restitution (Poisson), in each
// Coulomb's law between impulse and velocity at its end, all contacts at once. Where that would
// gain energy (different coefficients, contacts already touching) the restitution of all is reduced
// until it does not.
// In sequence: one contact after another, the one that approaches most first, each by its own law.
//
// Work of the impulses is that on the relative velocities of the rows: what driven bodies feed in
// is not in it.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/model.h"
#include "motion/contact/friction/delassus.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct LiaImpactOptions {
    LiaRestitution restitution;
    bool sequential;  // one contact after another
    bool jam;         // an impact without approach: sliding that presses contacts together,
    int jammed;       // by a coupling that is not positive; or this one, with those it is coupled
                      // with, where these accelerations
    const double* push;  // press them together; NULL: no such one                   (rows)
} LiaImpactOptions;

typedef enum LiaImpactLaw {
    LIA_IMPACT_LAW_NONE,      // no contact approaches
    LIA_IMPACT_LAW_NEWTON,    // complementarity with Newton's restitution
    LIA_IMPACT_LAW_ROUTH,     // one contact with friction
    LIA_IMPACT_LAW_PHASES,    // several contacts: compression and restitution, all at once
    LIA_IMPACT_LAW_SEQUENCE,  // one after another
    LIA_IMPACT_LAW_CHOSEN,    // several contacts, all at once: the outcome that loses most energy
} LiaImpactLaw;

typedef enum LiaImpactStatus {
    LIA_IMPACT_SOLVED,
    LIA_IMPACT_NO_SOLUTION,  // nothing satisfies the law; or the compression never ends
    LIA_IMPACT_SEVERAL,      // it has several solutions; one of them is given
    LIA_IMPACT_BUDGET,       // given up: too many pivots, steps or impacts of a sequence
} LiaImpactStatus;

// What happened at a contact, as bits.
enum {
    LIA_IMPACT_SLID = 1,         // it slid as it came
    LIA_IMPACT_STUCK = 2,        // it stuck for a while
    LIA_IMPACT_REVERSED = 4,     // after zero slip it slid in another direction
    LIA_IMPACT_WEDGED = 8,       // sliding compressed it further: W_nn - mu W_nt <= 0 for a while
    LIA_IMPACT_COMPRESSED = 16,  // it had a normal impulse
};

typedef struct LiaImpact {
    double* P;         // impulses                                          (rows)
    double* u;         // velocities after                                  (rows)
    double* work;      // work of the impulses of each contact, normal and friction (k)
    unsigned* phases;  // bits of what happened                             (k)
    double lost;       // -(sum of work)
    double reduced;    // what the restitutions were multiplied by, 1 or less
    double residual;   // of the complementarity conditions, relative
    int impacts;       // number of single impacts, of a sequence
    int contact;       // the contact the status is about; -1: all
    LiaRestitution restitution;
    LiaImpactLaw law;
} LiaImpact;

/// Work space: so many doubles and ints.
size_t lia_impact_work(const LiaDelassus* d);
size_t lia_impact_index(const LiaDelassus* d);

/// The impact of all contacts of d. The arrays of `out` are lent by the caller.
LiaImpactStatus lia_impact_solve(const LiaDelassus* d, const LiaImpactOptions* options,
                                 LiaImpact* out, double* work, int* index);

typedef struct LiaImpactPast {
    double* before;  // velocities before the impact                         (rows)
    double* work;    // as for lia_impact_solve()
    int* index;
} LiaImpactPast;
/// The other way round: b of d are velocities after an impact. `out` is that impact, where the law
/// leads from one set of velocities to these; LIA_IMPACT_NO_SOLUTION where it does not.
LiaImpactStatus lia_impact_past_solve(const LiaDelassus* d, const LiaImpactOptions* options,
                                      LiaImpact* out, LiaImpactPast* past);

enum { LIA_IMPACT_LAWS_MOST = 24 };  // the largest of these numbers
/// Of several outcomes one was taken, in the impact whose law has this number.
bool lia_impact_law_chooses(uint32_t number);
/// The same by a number other than 0, and back.
uint32_t lia_impact_law_number(const LiaImpact* impact);
const char* lia_impact_law_of(uint32_t number);

// ---- what its files share

/// Velocities before, for the laws: b, or 0 where that is rounding.
static inline double lia_impact_before(const LiaDelassus* d, int row) {
    return d->noise && d->b[row] <= d->noise[row] && d->b[row] >= -d->noise[row] ? 0.0 : d->b[row];
}

/// Contacts that are coupled: members[0..count-1] of d.
typedef struct LiaImpactGroup {
    const LiaDelassus* d;
    const int* member;
    int count;
    LiaRestitution restitution;
    const double* push;  // without approach: what presses the contacts together; NULL: nothing
} LiaImpactGroup;

/// Newton's restitution without friction; adds impulses and work to `out`.
LiaImpactStatus lia_impact_newton_solve(const LiaImpactGroup* g, LiaImpact* out, double* work,
                                        int* index);
size_t lia_impact_newton_work(int contacts);
/// Compression and restitution with friction, all at once (Newton: one phase).
LiaImpactStatus lia_impact_phases_solve(const LiaImpactGroup* g, LiaImpact* out, double* work,
                                        int* index);
size_t lia_impact_phases_work(const LiaDelassus* d);
/// One contact of its own, from the velocities out->u: Routh's process, or Newton's law.
LiaImpactStatus lia_impact_single_solve(const LiaImpactGroup* g, int contact, bool jam,
                                        LiaImpact* out);
/// One after another, the one that approaches most first; `first` is taken first, -1: none.
LiaImpactStatus lia_impact_sequence_solve(const LiaImpactGroup* g, int first, LiaImpact* out);
