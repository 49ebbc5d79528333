// What the files of the generator share: the model while it is made, and formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include "generator.h"
#include "support/random.h"

// A formula: how it is written, and what it is at the start.
typedef struct Formula {
    const char* text;
    double x;
} Formula;

typedef struct Maker {
    Random r;
    LiaArena* arena;
    LiaText statements;
    LiaText start;
    Generated* model;
    int n;
    const char* name[GENERATOR_MOST];
    double q[GENERATOR_MOST], v[GENERATOR_MOST], t;
    bool pivot[GENERATOR_MOST];          // an equation decides it
    bool position_open[GENERATOR_MOST];  // its position is left to the program
    bool guess[GENERATOR_MOST];          // ... with a guess
    bool velocity_open[GENERATOR_MOST];
    bool massless[GENERATOR_MOST];
    bool driven[GENERATOR_MOST];  // known before everything else
    int count;                    // of names made up
    Formula control;              // {0}: there is none
    const char* function;
    bool circle;
} Maker;

enum { nobody = -1 };  // no coordinate is left out

#define SAY(m, ...) lia_arena_printf((m)->arena, __VA_ARGS__)
#define STATE(m, ...)                                                                              \
    do {                                                                                           \
        lia_text_add(&(m)->statements, __VA_ARGS__);                                               \
        lia_text_add(&(m)->statements, "\n");                                                      \
    } while (0)

// generator_formulas.c
void generator_feature(Maker* m, int which);
Formula generator_number(Maker* m, double x);
Formula generator_between(Maker* m, double low, double high);
Formula generator_position(const Maker* m, int i);
Formula generator_add(Maker* m, Formula a, Formula b);
Formula generator_mul(Maker* m, Formula a, Formula b);
Formula generator_bounded_of(Maker* m, Formula a);
int generator_other(Maker* m, int but);
Formula generator_bounded(Maker* m, int but);
Formula generator_wave(Maker* m);
Formula generator_small(Maker* m, Formula f);

// generator_energies.c
void generator_make_square(Maker* m, int k);
void generator_make_point(Maker* m);
void generator_make_other_lagrangian(Maker* m);
void generator_make_gyroscopic(Maker* m);
void generator_make_time_dependent(Maker* m);
void generator_make_potential(Maker* m);
void generator_make_force(Maker* m);
void generator_make_dissipation(Maker* m);

// generator_equations.c
void generator_make_equations(Maker* m);
