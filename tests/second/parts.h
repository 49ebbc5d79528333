// What the files of the second way share.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"
#include "pivoting.h"
#include "second.h"

typedef struct Row {  // one scalar equation left - right = 0
    LiaExpr equation;
    bool geometric;
    LiaExpr* J;      // d(phi)/dq or d(psi)/dv                       (n)
    LiaExpr* Omega;  // force direction                              (n)
    LiaExpr rate;    // phi' of a geometric equation, psi of a kinematic one
    LiaExpr gamma;   // J a + gamma = 0
} Row;

// An argument of a function, or a denominator, that may move only so far in one step.
typedef struct Watched {
    uint32_t node;
    double absolute, relative;  // what it may move, for a watch of 1
    double at_start;
    bool too_far;
} Watched;

struct Second {
    const LiaModel* model;
    LiaGraph* g;
    int n, m, lines;
    LiaExpr* formula;  // of each node of the model, {0}: not yet      (nodes)
    LiaExpr *q, *v, *a;
    LiaExpr t;
    LiaExpr L, energy;
    LiaExpr* p;      // dL/dv                                        (n)
    LiaExpr* M;      // d2L/dv2                                      (n x n)
    LiaExpr* force;  // Q - h: what stands beside Omega^T mu         (n)
    Row* rows;       //                                              (m)
    LiaExpr* power;  // of each line, with mu as symbols             (lines)
    int* first_row;  // of each constraint                           (constraints + 1)

    // evaluation
    double* value;  // by node
    uint32_t value_capacity;
    double t_now;
    const double *q_now, *v_now, *a_now, *mu_now, *work_now;
    bool* needed;  // by node: what the motion wants
    uint32_t needed_count;
    uint32_t* order;  // the same as a list
    uint32_t order_count;
    double *K, *rhs;  // (n + m)^2, n + m
    double *a_last, *mu_last;
    PivotingChoice choice;  // of the step under way

    // steps that cannot leap, and events
    SecondWatch watch;
    Watched* watched;
    uint32_t watched_count;
    bool watch_begins;  // the next state is the start of a step
    LiaExpr* event;     // left - right of each event, {0}: not known   (events)
    SecondEvent* found;
    uint32_t found_count;
    uint64_t steps;
    double* size;  // largest |q|, |v| and |work| met              (2 n + lines)
    double t_before;
    double *y_before, *k_before, *y_inside;  // (2 n + lines)
    double* event_before;                    // (events)
};

// evaluation.c

/// The state to evaluate at; the arrays are borrowed. Accelerations, multipliers and works are not
/// known then.
void second_set(Second* second, double t, const double* q, const double* v);
/// Everything the motion wants, at the state that was set.
void second_evaluate_all(Second* second);
/// What depends on accelerations, multipliers or works, once these are set too; after the above.
void second_evaluate_late(Second* second);
/// One formula, whatever it is.
double second_evaluate(Second* second, LiaExpr f);
/// All that the marked formulas up to `top` are made of is marked too.
void second_mark_below(const LiaGraph* graph, bool* needed, uint32_t top);
/// The value of a formula that was evaluated.
static inline double second_value(const Second* second, LiaExpr f) {
    return second->value[f.index];
}

// watch.c

/// The list of what is watched; after the formulas are known.
void second_watch_create(Second* second);
/// After the evaluation at a state: the start of a step, or a stage.
void second_watch_look(Second* second);
/// Has anything moved too far in the stages since? They are forgotten then.
bool second_watch_moved(Second* second);

// events.c

struct Dop853;
void second_events_create(Second* second);
void second_events_destroy(Second* second);
/// The start of a run at (t, y).
void second_events_begin(Second* second, const struct Dop853* problem, double t, const double* y);
/// After a step that ended at (t, y): events inside it are found, and (t, y) begins the next one.
void second_events_look(Second* second, const struct Dop853* problem, double t, const double* y);

// formulas.c

/// The formula of a term; {0} if something in it is not known here.
LiaExpr second_lower(Second* second, LiaExpr term);
