// Built-in functions and quantities: the two tables, and finding a name in them.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/builtin.h"
#include "expr/graph/graph.h"
#include <string.h>

static const LiaBuiltin table[] = {
#define LIA_OP(id, name, arity)
#define LIA_FUNCTION(id, name, arity, units)                                                       \
    {name, LIA_BUILTIN_ELEMENTARY, LIA_OP_##id, arity, arity, LIA_UNITS_##units},
#include "expr/graph/ops.def"
#undef LIA_OP
#undef LIA_FUNCTION
#define LIA_BUILTIN(id, name, fewest, most, kind)                                                  \
    {name, LIA_BUILTIN_##kind, LIA_CALL_##id, fewest, most, LIA_UNITS_OWN},
#include "lang/elaborate/builtin.def"
#undef LIA_BUILTIN
};

static const char* const quantities[] = {"t", "pi", "energy", "kinetic", "potential", "ground"};

const LiaBuiltin* lia_builtin_at(int i) {
    return i >= 0 && (size_t)i < sizeof table / sizeof table[0] ? &table[i] : NULL;
}

const LiaBuiltin* lia_builtin_find(const char* name) {
    for (int i = 0; lia_builtin_at(i); i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

const char* lia_builtin_quantity_at(int i) {
    return i >= 0 && (size_t)i < sizeof quantities / sizeof quantities[0] ? quantities[i] : NULL;
}

bool lia_builtin_is_quantity(const char* name) {
    for (int i = 0; lia_builtin_quantity_at(i); i++) {
        if (strcmp(quantities[i], name) == 0) {
            return true;
        }
    }
    return false;
}
