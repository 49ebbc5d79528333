// Elaboration: the phases, in order, and the finished model.
//
// Parameters first (the size of everything hangs on them), then the members of all families, then
// what the motion is made of, then what is only looked at: from there on forces are known.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"
#include "base/text/plain.h"
#include "lang/statements/drawing.h"
#include <string.h>

static void expand_all(LiaElaboration* e, bool parameters) {
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        LiaKeyword keyword = e->declarations.items[i].keyword;
        bool wanted = (keyword == LIA_KEYWORD_PARAMETER) == parameters;
        if (wanted && keyword != LIA_KEYWORD_FUNCTION && !e->declarations.items[i].poisoned) {
            lia_scope_expand(e, i);
        }
    }
}

static void define_all(LiaElaboration* e, LiaKeyword keyword) {
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        const LiaDeclaration d = e->declarations.items[i];
        for (uint32_t k = 0; d.keyword == keyword && k < d.count; k++) {
            if (lia_context_enough(e->context)) {
                return;
            }
            e->context->at = d.head->span;
            lia_machine_define(e, d.first + k);
        }
    }
}

// The names of code that never ran: a function nobody calls, a family without members.
static void check_unused(LiaElaboration* e) {
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        const LiaDeclaration d = e->declarations.items[i];
        if (d.keyword == LIA_KEYWORD_FUNCTION && !d.poisoned) {
            lia_function_call_check_names(e, d.statement->phrases[0].right, d.statement->arguments,
                                          d.statement->argument_count);
            if (d.head->index_count > 0) {
                lia_diag_error(e->context->diags, d.head->span, "E0143",
                               "a function is not a family: its arguments stand in '( )'");
            }
        }
    }
}

static void elaborate_mechanics(LiaElaboration* e, bool events) {
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        const LiaDeclaration* d = &e->declarations.items[i];
        if (!d->poisoned && (d->keyword == LIA_KEYWORD_EVENT) == events) {
            e->context->at = d->head->span;
            lia_dynamics_statements_declared(e, i);
        }
    }
}

static void read_model_statement(LiaElaboration* e, const LiaStatement* statement, bool again) {
    if (again) {
        lia_diag_error(e->context->diags, statement->span, "E0117", "a second '%s' in one model",
                       lia_keywords_word(statement->keyword));
        return;
    }
    if (statement->keyword == LIA_KEYWORD_MODEL) {
        e->draft.name = lia_context_name_text(e->context, statement->head.symbol);
        e->draft.title = statement->title;
    } else {
        lia_run_statements_run(e, statement);
    }
}

static void elaborate_statements(LiaElaboration* e, bool looking) {
    bool model = false, run = false;
    for (uint32_t i = 0; i < e->syntax->statements.count; i++) {
        const LiaStatement* statement = &e->syntax->statements.items[i];
        if (statement->failed || lia_context_enough(e->context)) {
            continue;
        }
        e->context->at = statement->span;
        switch (statement->keyword) {
        case LIA_KEYWORD_LAGRANGIAN:
        case LIA_KEYWORD_KINETIC:
        case LIA_KEYWORD_POTENTIAL:
        case LIA_KEYWORD_HAMILTONIAN:
        case LIA_KEYWORD_DISSIPATION:
            if (!looking) {
                lia_dynamics_statements_energy(e, statement);
            }
            break;
        case LIA_KEYWORD_BRACKET:
            if (!looking) {
                lia_phase_statements_bracket(e, statement);
            }
            break;
        case LIA_KEYWORD_MODEL:
            if (!looking) {
                read_model_statement(e, statement, model);
                model = true;
            }
            break;
        case LIA_KEYWORD_RUN:
            if (!looking) {
                read_model_statement(e, statement, run);
                run = true;
            }
            break;
        case LIA_KEYWORD_IMPACT:
            if (!looking) {
                lia_contact_statement_impact(e, statement);
            }
            break;
        case LIA_KEYWORD_START:
            if (!looking) {
                lia_run_statements_start(e, statement);
            }
            break;
        case LIA_KEYWORD_PLOT:
            if (looking) {
                lia_run_statements_plot(e, statement);
            }
            break;
        case LIA_KEYWORD_DRAW:
            if (looking) {
                lia_drawing_take(e, statement);
            }
            break;
        default:
            break;
        }
    }
}

// The first family of coordinates, where there are some and none of them has a member; {0, 0}: none
// declared.
static LiaSpan empty_family(const LiaElaboration* e) {
    for (uint32_t i = 0; i < e->syntax->statements.count; i++) {
        const LiaStatement* statement = &e->syntax->statements.items[i];
        if (statement->keyword == LIA_KEYWORD_COORDINATE && statement->phrase_count > 0) {
            return statement->phrases[0].head.span;
        }
        if (statement->keyword == LIA_KEYWORD_BODY && statement->is_free) {
            return statement->head.span;
        }
    }
    return (LiaSpan){0, 0};
}

static void check_whole(LiaElaboration* e) {
    if (lia_diags_errors(e->context->diags) > 0 || e->syntax->refused) {
        return;
    }
    LiaSpan nowhere = {0, 0};
    LiaSpan family = empty_family(e);
    if (e->draft.coordinates.count == 0 && family.end > 0) {
        lia_diag_error(e->context->diags, family, "E0160",
                       "the model has no coordinates: '%s' has no members",
                       lia_context_quote(e->context, family));
        lia_diag_help(e->context->diags, "its range ends before it begins");
    } else if (e->draft.coordinates.count == 0) {
        lia_diag_error(e->context->diags, nowhere, "E0160",
                       "the model has no coordinates: nothing can move");
        lia_diag_help(e->context->diags, "declare them: 'coordinate x : line'");
    }
    if (e->draft.energies.count == 0) {
        lia_diag_error(e->context->diags, nowhere, "E0161",
                       "the model has no energy: nothing says how it moves");
        lia_diag_help(e->context->diags,
                      e->draft.phase.is
                          ? "write 'hamiltonian' and a function of the phase variables"
                          : "write 'kinetic', 'potential', 'lagrangian', or a 'body' with "
                            "mass");
    }
}

// The name of a file without folder and .lia.
static const char* name_of_file(LiaElaboration* e) {
    const char* path = e->context->source.name;
    const char* slash = strrchr(path, '/');
    const char* begin = slash ? slash + 1 : path;
    size_t length = strlen(begin);
    if (length > 4 && strcmp(begin + length - 4, ".lia") == 0) {
        length -= 4;
    }
    LiaText shown = {0};
    lia_plain_add(&shown, begin, length, LIA_PLAIN_WORD);
    char* name = lia_context_keep(e->context, shown.length + 1);
    if (shown.length > 0) memcpy(name, shown.data, shown.length);
    lia_text_clear(&shown);
    return name;
}

#define KEEP_AS(to, list)                                                                          \
    (model->to = lia_context_keep_list(e->context, e->draft.list.items, e->draft.list.count,       \
                                       sizeof *e->draft.list.items),                               \
     model->to##_count = e->draft.list.count)
#define KEEP(list) KEEP_AS(list, list)

static LiaModel* finish(LiaElaboration* e) {
    LiaModel* model = lia_context_keep(e->context, sizeof *model);
    for (uint32_t i = 0; i < e->draft.parameters.count && i < e->work.terms.structural.count; i++) {
        e->draft.parameters.items[i].structural = e->work.terms.structural.items[i];
    }
    model->text.source = e->context->source;
    model->name = e->draft.name ? e->draft.name : name_of_file(e);
    model->title = e->draft.title;
    KEEP(parameters);
    KEEP(coordinates);
    KEEP(groups);
    KEEP(controls);
    KEEP(lets);
    KEEP(energies);
    model->phase.is = e->draft.phase.is;
    KEEP(phase.brackets);
    KEEP(forces);
    KEEP(dissipations);
    KEEP(constraints);
    KEEP(contact_points);
    KEEP(symmetries);
    KEEP(events);
    KEEP(observes);
    KEEP_AS(start.values, starts);
    KEEP_AS(start.spins, spins);
    KEEP(phase.momenta);
    KEEP_AS(pictures.plots, plots);
    KEEP_AS(pictures.drawings, drawings);
    KEEP_AS(pictures.bodies, bodies);
    KEEP_AS(pictures.places, places);
    KEEP_AS(pictures.shapes, shapes);
    model->pictures.gravity = e->draft.gravity;
    model->joules = lia_dynamics_statements_joule(e).state == LIA_UNIT_KNOWN;
    model->decisions =
        lia_context_keep_list(e->context, e->work.terms.decisions.items,
                              e->work.terms.decisions.count, sizeof *model->decisions);
    model->decisions_count = e->work.terms.decisions.count;
    model->run = e->draft.run;
    model->quantities =
        lia_context_keep_list(e->context, e->work.terms.quantities.items,
                              e->work.terms.quantities.count, sizeof *model->quantities);
    model->quantities_count = e->work.terms.quantities.count;
    lia_symbol_names_give(e, model);
    lia_mention_list(e, model);
    model->text.written = e->work.terms.written;
    model->text.written_count = e->work.terms.written_count;
    model->graph = e->work.terms.graph;
    return model;
}

LiaModel* lia_elaborate(LiaElaboration* e) {
    e->define_used = lia_context_scratch(e->context, e->defines.count + 1);
    lia_declarations_enter(e);
    lia_phase_statements_begin(e);
    expand_all(e, true);
    define_all(e, LIA_KEYWORD_PARAMETER);
    expand_all(e, false);
    lia_phase_statements_momenta(e);
    define_all(e, LIA_KEYWORD_CONTROL);
    lia_definition_check_defines(e);
    check_unused(e);
    elaborate_statements(e, false);
    lia_body_energy_all(e);
    elaborate_mechanics(e, false);
    lia_group_constraints(e);
    lia_phase_statements_end(e);
    lia_group_check_starts(e);
    e->observing = true;
    define_all(e, LIA_KEYWORD_LET);
    define_all(e, LIA_KEYWORD_OBSERVE);
    elaborate_mechanics(e, true);
    elaborate_statements(e, true);
    lia_definition_lists(e);
    lia_body_list_all(e);
    check_whole(e);
    if (lia_diags_errors(e->context->diags) == 0) {
        lia_constants_check(e);
    }
    return lia_diags_errors(e->context->diags) > 0 ? NULL : finish(e);
}
