// Equations that hold whatever the motion, and others that only look so.
// Tests: mechanics/assembly/identity.c
// SPDX-License-Identifier: MIT
#include "mechanics/assembly/identity.h"
#include "support/cases.h"
#include <liaison/liaison.h>
#include <stdio.h>
#include <string.h>

typedef struct Case {
    const char* equation;
    bool holds;
} Case;

static const Case cases[] = {
    {"(x*y)' = x'*y + x*y'", true},
    {"(x + k*y - x)*z' - k*y*z' = 0", true},
    {"cos(x)*x'*(sin(y)^2 + cos(y)^2) = (sin(x))'", true},
    {"dot([x, y, z]', cross([x, y, z], [x, y, z]')) = 0", true},
    {"x*y' - y*x' = 0", false},
    {"(x + 1e-6*y - x)*z' = 0", false},
    {"(x*y)' = x'*y + x*y' + 1e-30*z'",
     false},                           // rounding says nothing against it, the formula does
    {"if(x < 50, 0, z') = 0", false},  // zero at every place near by
    {"sin(x)^2*x' + cos(x)^2*x' = 1.0000000001*x'", false},
};

int main(void) {
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "parameter k = 2\ncoordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2\n"
                 "constraint one: %s\n",
                 cases[k].equation);
        LiaDiags* diags = lia_diags_create();
        LiaModel* model = NULL;
        LiaSystem* s = NULL;
        bool ok = lia_model_parse("one", text, strlen(text), NULL, diags, &model) == LIA_OK &&
                  lia_system_build(model, NULL, diags, &s) == LIA_OK;
        bool holds = ok && s->rows[0].identical;
        bool same = ok && lia_identity_holds(s, s->rows[0].equation) == holds;
        if (!cases_count(ok && same && holds == cases[k].holds))
            printf("%s: %s\n", cases[k].equation,
                   ok ? holds ? "holds" : "does not hold" : "refused");
        lia_system_destroy(s);
        lia_model_destroy(model);
        lia_diags_destroy(diags);
    }
    return cases_end();
}
