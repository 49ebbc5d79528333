// Contacts that are coupled: what one of them does moves the rows of another, at once or by way of
// others. Those of different groups are problems of their own.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/friction/delassus.h"
#include <stddef.h>

/// The rows of some contacts as a problem of its own.
typedef struct LiaCoupled {
    LiaDelassus d;      // the contacts of the group; none: there are no others
    int *member, *row;  // its contacts and rows in the whole
    double *W, *b, *slip, *noise;
    LiaContactRows* contact;
    int* done;  // contacts of the whole that are in a group
} LiaCoupled;

/// Work space: so many doubles and ints.
size_t lia_coupled_work(const LiaDelassus* whole);
size_t lia_coupled_index(const LiaDelassus* whole);

/// No group yet.
void lia_coupled_begin(const LiaDelassus* whole, LiaCoupled* out, double* work, int* index);
/// The next group: its contacts and rows are in the order of the whole. False: there is none.
bool lia_coupled_next(const LiaDelassus* whole, LiaCoupled* group);
