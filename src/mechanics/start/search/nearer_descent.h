// Searches for a near admissible place. See nearer.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/start/search/search.h"

typedef struct LiaNearer {
    LiaSearch* z;
    int u, m;
    double* A;       // the metric at a place                                 u x u
    double* L0;      // at the guess, L0 L0^T                                 u x u
    double* G;       // B B^T, B = J L^-T                                     m x m
    double* y;       // a step                                                u
    double* along;   // towards the guess                                   u
    double* before;  // the same one step before                            u
    double* gone;    // that step                                           u
    double* size;    // of the rows                                         m
    double* here;    // x before a step                                       n
    double* best;    // the nearest place                                     n
    double* first;   // where the search began                                n
    double least;    // the square of its distance
    uint64_t random;
    int left;      // evaluations
    int searches;  // that arrived
    int agree;     // since the last one that came nearer
    int drawn;
    int begun;  // since then, arrived or not
    int same;   // that ended as near as the nearest place is
} LiaNearer;

/// False if memory is out.
bool lia_nearer_descent_init(LiaNearer* N, LiaSearch* z);
void lia_nearer_descent_clear(LiaNearer* N);
/// x as it was kept.
void lia_nearer_descent_put(const LiaNearer* N, const double* x);
/// At x; no evaluations are left once somebody asks for the end.
void lia_nearer_descent_evaluate(LiaNearer* N);
/// The length of a step in the metric of z->dense.L.
double lia_nearer_descent_length(const LiaNearer* N, const double* y);
/// The worst residual, as lia_search_worst() has it, of the equations that are looked at.
double lia_nearer_descent_worst(const LiaSearch* z);
/// No step is longer than `most` in the metric. False where they lead nowhere.
bool lia_nearer_descent_onto(LiaNearer* N, double most);
/// To a place from which all ways along the equations lead further away. False where none is
/// reached: next to a pole, say, which the equations come near to and never reach.
bool lia_nearer_descent_along(LiaNearer* N);
