// Hooks of tests: other methods than the best one, and errors made on purpose, to see that they are
// found. They act in tests alone: the sources that read them are compiled a second time for the
// tests that set them, with LIAISON_TEST_HOOKS. What is shipped reads constants, which the compiler
// removes.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"

// A step that is made wrong.
typedef enum LiaPlantKind {
    LIA_PLANT_NONE,
    LIA_PLANT_VELOCITY,  // a coefficient of a velocity, and of its position, is changed by a part
    LIA_PLANT_POSITION,  // of a position alone
    LIA_PLANT_SHORT,     // the series of a coordinate ends early
    LIA_PLANT_LONG,      // the step is made longer
    LIA_PLANT_WORK,      // a coefficient of a work is changed
    LIA_PLANT_IMPULSE,   // the impulses of all contacts
} LiaPlantKind;

typedef struct LiaPlant {
    LiaPlantKind kind;
    uint64_t step;        // after so many
    uint32_t coordinate;  // or line
    int order;
    double part;
} LiaPlant;

// A term of the residual with the wrong sign; or corrections that are left out.
typedef enum LiaFlip {
    LIA_FLIP_NONE,
    LIA_FLIP_MOMENTUM,
    LIA_FLIP_G,
    LIA_FLIP_OMEGA,
    LIA_FLIP_KINEMATIC,
    LIA_FLIP_GEOMETRIC,
    LIA_FLIP_CORRECT,
} LiaFlip;

typedef enum LiaAlgebra { LIA_ALGEBRA_BEST, LIA_ALGEBRA_DENSE, LIA_ALGEBRA_SPARSE } LiaAlgebra;

typedef struct LiaTestHooks {
    LiaAlgebra algebra;  // of K0, whatever its size
    LiaPlant plant;
    LiaFlip flip;
    bool correct_all;  // top coefficients that nobody looks at are corrected as well
} LiaTestHooks;

#ifdef LIAISON_TEST_HOOKS
// By this mark tests/checks/hooks.sh tells an object with hooks from one without.
__attribute__((used)) static const char lia_test_hooks_mark[] = "compiled with hooks of tests";

static inline LiaTestHooks lia_test_hooks(const LiaSystem* s) {
    return s->hooks ? *s->hooks : (LiaTestHooks){0};
}
#else
static inline LiaTestHooks lia_test_hooks(const LiaSystem* s) {
    (void)s;
    return (LiaTestHooks){0};
}
#endif
