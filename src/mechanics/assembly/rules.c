// Other forces for the same admissible states: the rules of constraints, changed from outside.
//
// The system gets a model of its own, in which the constraints named have another rule and all else
// is shared, so that whoever asks for the rule of a constraint finds the one in force.
//
//   ideal    constraint: as if nothing were said        operator: Omega = gradient of left minus
//                                                       right
//   chetaev  Omega = J, also where the equation is nonlinear in the velocities
//   given    the forms that stand in the model
// SPDX-License-Identifier: MIT
#include "lang/syntax/nearest.h"
#include "mechanics/build.h"
#include <string.h>

static LiaConstraint* find(LiaConstraint* all, uint32_t count, const char* name) {
    for (uint32_t c = 0; c < count; c++) {
        if (!all[c].internal && strcmp(all[c].name, name) == 0) return &all[c];
    }
    return NULL;
}

static void complain_unknown(const LiaModel* model, const char* name, LiaDiags* diags) {
    lia_diag_error(diags, (LiaSpan){0, 0}, "E0231", "the model has no constraint or operator '%s'",
                   name);
    LiaNearest nearest = lia_nearest_begin(name);
    for (uint32_t c = 0; c < model->constraints_count; c++) {
        if (!model->constraints[c].internal)
            lia_nearest_offer(&nearest, model->constraints[c].name);
    }
    lia_nearest_say(&nearest, diags, NULL);
}

static const char* word_of(LiaForces forces) {
    return forces == LIA_FORCES_IDEAL     ? "ideal"
           : forces == LIA_FORCES_CHETAEV ? "chetaev"
                                          : "given";
}

static bool change(LiaConstraint* c, LiaForces forces, LiaDiags* diags) {
    if (forces == LIA_FORCES_GIVEN) {
        if (c->form_count == 0) {
            lia_diag_error(diags, c->name_span, "E0232",
                           "'%s' has no forms that could be its forces", c->name);
            lia_diag_help(diags, "write them: '%s d(x), ...'", c->active ? "by" : "force");
            return false;
        }
        c->rule = LIA_RULE_GIVEN;
    } else {
        // What an operator does by itself acts on the left side alone: that is not ideal.
        bool plain = forces == LIA_FORCES_IDEAL && !c->active;
        c->rule = plain ? LIA_RULE_DEFAULT : LIA_RULE_CHETAEV;
    }
    return true;
}

const LiaModel* lia_rules_build(LiaSystem* s, const LiaModel* model,
                                const LiaSystemOptions* options, LiaDiags* diags) {
    uint32_t count = model->constraints_count;
    LiaModel* own = LIA_ARENA_NEW(s->arena, LiaModel, 1);
    LiaConstraint* constraints = LIA_ARENA_NEW(s->arena, LiaConstraint, count + 1);
    if (!own || !constraints) return NULL;
    *own = *model;
    own->constraints = constraints;
    if (count > 0) memcpy(constraints, model->constraints, count * sizeof *constraints);
    LiaText variant = {0};
    for (size_t r = 0; r < options->rule_count; r++) {
        const LiaRuleChange* rule = &options->rules[r];
        LiaConstraint* c = find(constraints, count, rule->constraint);
        if (!c) {
            complain_unknown(model, rule->constraint, diags);
        } else if (model->phase.is && rule->forces != LIA_FORCES_GIVEN) {
            lia_diag_error(diags, c->name_span, "E0366",
                           "a phase space does not decide the force of '%s'", c->name);
            lia_diag_help(diags, "its directions are those written in the model");
        } else if (change(c, rule->forces, diags)) {
            const char* word = word_of(rule->forces);
            lia_text_add(&variant, "%s%s=%s", variant.length ? ", " : "", c->name, word);
            lia_system_choice(s, "the forces of '%s' are %s here, whatever the model says", c->name,
                              rule->forces == LIA_FORCES_GIVEN ? "those of its forms" : word);
        }
    }
    if (variant.data) s->origin.variant = lia_arena_text(s->arena, variant.data, variant.length);
    lia_text_clear(&variant);
    return own;
}
