// What decide.c and slip_begin.c share: an instant at which a mode is looked for.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/contacts.h"
#include "motion/contact/friction/complementarity.h"

typedef struct LiaProposal {
    LiaComplementarity found;
    LiaComplementarityStatus status;
    double* work;
    int* index;
} LiaProposal;

/// What complementarity proposes. False if memory is out; clear it in any case.
bool lia_decide_propose(const LiaDelassus* d, LiaProposal* p);
void lia_decide_clear(LiaProposal* p);

typedef struct LiaInstant {
    LiaResponse response;
    LiaProposal proposal;
    double* a;     // accelerations with the forces of the proposal        (n)
    double* mu;    // all multipliers with them                            (rows of the system)
    bool prefers;  // forces that are not unique are to be near to these
    bool drifts;   // and to go on as since `past_t`
    // the mode before, and the forces inside of all bounds that were chosen in it
    const struct LiaModeRoom* from;  // NULL: none were
    double *past, past_t;            // past: (rows of the system)
} LiaInstant;

/// The state of the instant into run->w.
void lia_decide_go_back(LiaRunner* run);
/// The proposal where the state in run->w has no slip yet: contacts as at the instant, into
/// `proposal` and `here`, which are cleared in any case.
LiaTrial lia_decide_again(LiaRunner* run, const LiaInstant* at, LiaResponse* here,
                          LiaProposal* proposal);

// slip_way.c
/// Does the slip of two components begin from rest in this mode? Its direction has no series there.
bool lia_slip_way_needed(const LiaRunner* run, const LiaInstant* at, const LiaContactMode* mode);
