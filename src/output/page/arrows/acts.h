// Acts: what acts on the coordinates, on its way to arrows. Shared by the files that make them.
//
//   arrows.c         who acts
//   arrow_given.c    places that the model gives
//   arrow_springs.c  terms of potentials and dissipations
//   spoken.c         forces at the places that a one-form is made of
//   virtual_work.c   else: which forces and couples do its work
//   arrow_places.c   where they stand
//   arrow_contact.c  where contacts touch
//   arrow_sketch.c   their numbers along the motion
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/arrows/spoken.h"
#include "output/page/arrows/virtual_work.h"

typedef struct LiaAct {  // what acts on the coordinates
    LiaSceneItem item;
    uint32_t constraint;  // 1 + its number; 0: an applied force
    LiaSpeech speech;
    LiaExpr* Q;  // (n)
    double* q;   // Q at the instants                                            (INSTANTS x n)
} LiaAct;

typedef struct LiaActs {
    LiaScene* scene;
    LiaGraph* g;
    const LiaModel* m;
    LiaCarriers carriers;
    LiaAct act;
    uint32_t first;  // where its items begin
    bool lost;       // there was something to act on that is not drawn
} LiaActs;

/// A new arrow; one that is nothing along the whole motion is left out, one beside another of the
/// act is added to it.
void lia_arrows_act_add(LiaActs* acts, const char* kind, LiaSceneItem item);
/// The sum of two arrows, into the first; false where one has formulas and the other has numbers.
bool lia_arrows_act_join(LiaActs* acts, LiaSceneItem* first, const LiaSceneItem* second);
/// Q at the instants, 0 where it is not known; false where it is nothing.
bool lia_arrows_act_look(LiaActs* acts);
/// The arrows of Q, if they do all of its work; else none.
void lia_arrows_act_draw_exact(LiaActs* acts);
/// Q of some equations of a constraint, and what they speak of.
void lia_arrows_act_take_rows(LiaActs* acts, uint32_t constraint, uint32_t first, uint32_t count);
/// 1 + the contact that an equation of a constraint belongs to; 0: none.
uint32_t lia_arrows_contact_of(const LiaSystem* system, uint32_t constraint, uint32_t equation);
/// What arrows of a constraint have in common.
LiaSceneItem lia_arrows_act_item(const LiaActs* acts, uint32_t constraint);

// arrow_sketch.c
/// Arrows of a sketch, or of forces that were spoken of.
void lia_arrow_sketch_draw_sketch(LiaActs* acts, const LiaSketch* sketch);
void lia_arrow_sketch_draw_spoken(LiaActs* acts, const LiaSpoken* spoken);

/// F and C of the parts of a sketch in all rows: x[(6 p + k) * rows + row]. Returns what is left of
/// Q at most, as a part of the largest Q; negative if memory is out.
double lia_arrow_sketch_rows(LiaActs* acts, const LiaSketch* sketch, double* x);

// arrow_contact.c
/// Where the force F (x, as above) of a contact given by formulas acts: `at` holds the place of
/// `part->on` in all rows (3 x rows) and becomes where the lines of the normal force and of the
/// friction meet. False where they do not, or where there is no friction; `at` is lost then.
bool lia_arrow_contact_place(LiaActs* acts, const LiaPart* part, const double* x, double* at);

// arrow_given.c
/// 1 while an applied force acts, 0 while it is off: a formula of t, by the events of the motion.
LiaExpr lia_arrow_given_on(LiaActs* acts, const LiaForce* force);
/// Has a model said with arrows of its own which forces are seen?
bool lia_arrow_given_are_drawn(const LiaModel* model);
/// The contact at a place that a constraint gives, and its force and couple if `forces`.
void lia_arrow_given_take_place(LiaActs* acts, const LiaPlace* place, bool forces);
/// A force or moment on a body.
void lia_arrow_given_take_force(LiaActs* acts, const LiaForce* force);

// arrow_springs.c
/// Arrows of springs and dampers.
void lia_arrow_springs_add(LiaActs* acts);
