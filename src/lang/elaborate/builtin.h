// Built-in functions and quantities by name: one table for parser, scope and elaborator.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum LiaBuiltinKind {
    LIA_BUILTIN_ELEMENTARY,  // an operation of a formula: a row of expr/graph/ops.def
    LIA_BUILTIN_PLAIN,       // works on values
    LIA_BUILTIN_SPECIAL,     // sum, if, euler
    LIA_BUILTIN_NAMED,       // takes the name of a statement
    LIA_BUILTIN_BODY,        // its first argument is a body
    LIA_BUILTIN_GROUP,       // its arguments are bodies, or `all`
} LiaBuiltinKind;

typedef enum LiaBuiltinId {
#define LIA_BUILTIN(id, name, fewest, most, kind) LIA_CALL_##id,
#include "lang/elaborate/builtin.def"
#undef LIA_BUILTIN
    LIA_CALL_COUNT
} LiaBuiltinId;

typedef enum LiaFunctionUnits {  // what a function does with units: see ops.def
    LIA_UNITS_OWN,               // not elementary
    LIA_UNITS_PLAIN,
    LIA_UNITS_ANGLE,
    LIA_UNITS_SAME,
    LIA_UNITS_ROOT,
    LIA_UNITS_SIGN,
    LIA_UNITS_RATIO,
} LiaFunctionUnits;

typedef struct LiaBuiltin {
    const char* name;
    LiaBuiltinKind kind;
    int id;  // LiaOp of an elementary one, else LiaBuiltinId
    int fewest, most;
    LiaFunctionUnits units;
} LiaBuiltin;

/// The built-in function of that name, or NULL.
const LiaBuiltin* lia_builtin_find(const char* name);
/// Row i of all functions, NULL after the last: for "did you mean".
const LiaBuiltin* lia_builtin_at(int i);
/// Quantities that no name may hide: t, pi, energy, kinetic, potential, ground.
bool lia_builtin_is_quantity(const char* name);
const char* lia_builtin_quantity_at(int i);
