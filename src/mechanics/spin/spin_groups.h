// Groups of massless spins. See spin_groups.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/spin/massless_spin.h"

typedef struct LiaSpinGroup {  // turns that are seen by equations which see others of the group too
    uint32_t *turns, *rows, *unknowns;  // rows to be satisfied; coordinates in them
    int m, row_count, unknown_count;
    int tries, looks;
    int rank;      // how many solutions c there are; -1: not known yet
    int* chosen;   // turns that are lent an inertia              (rank of m)
    bool* member;  // others that take part in it                 (m)
    bool too_large;
    bool taken, settled;  // in the state at hand: is it looked at; does it satisfy the rows
    double rest, moved;   // how far it is from that; the last step
} LiaSpinGroup;

typedef struct LiaSpinGroups {
    LiaMasslessSpins* z;
    uint32_t* turn;  // those that are not idle by themselves          (count)
    uint32_t count;
    uint32_t* group_of;  // of a turn; first its root               (count)
    uint32_t* pair;      // turn, row: who is seen by whom           (2 pairs)
    size_t pairs, pairs_room;
    bool* held;  // by something that is not looked at closer (count)
    LiaSpinGroup* groups;
    uint32_t group_count;
    bool* used;        // coordinates that a group has in the state at hand  (n)
    double* gradient;  // room for that of a row                        (n)
    bool failed;       // memory is out
} LiaSpinGroups;

/// Which equations see which turns, and which turns are held. False if memory is out.
bool lia_spin_groups_see(LiaSpinGroups* g);
/// The groups. False if memory is out.
bool lia_spin_groups_make(LiaSpinGroups* g);
void lia_spin_groups_clear(LiaSpinGroups* g);
