// Forces that are not decided: by derivatives of the operators' equations, or by none at all.
// SPDX-License-Identifier: MIT
#include "motion/runner.h"
#include "motion/verdict/verdict.h"
#include <math.h>

// The operators that act through other forces: "'a', 'b'".
void lia_verdict_force_names(const LiaRunner* run, LiaText* names) {
    const LiaRelativeDegree* h = run->w->forces.degree;
    uint32_t said = UINT32_MAX;
    for (int i = 0; i < h->count; i++) {
        uint32_t c = run->system->rows[run->w->dynamics->rows[h->row[i]]].constraint;
        if (c == said || (!h->derivative_array && !h->shift[i])) continue;
        lia_text_add(names, "%s'%s'", names->length ? ", " : "", run->model->constraints[c].name);
        said = c;
    }
}

void lia_verdict_force_early(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    const LiaRelativeDegree* h = w->forces.degree;
    const LiaRow* row = &run->system->rows[w->dynamics->rows[w->forces.early - 1]];
    int derivative = 0;
    for (int i = 0; i < h->count; i++) {
        if (h->row[i] == w->forces.early - 1) derivative = h->base[i] + h->shift[i];
    }
    lia_verdict(
        run, "E0414", row->span, w->t,
        "at t = %.10g the equation of '%s' begins to contain a force in a lower derivative than "
        "%d, where it appeared first: the relative degree changes, and with it "
        "the equations that the motion must satisfy",
        w->t, run->model->constraints[row->constraint].name, derivative);
    lia_verdict_help(run,
                     "begin where the coupling is there; 'liaison explain --at' shows it on both "
                     "sides");
}

// Operators that act through springs lose their hold.
void lia_verdict_force_lost(LiaRunner* run, double h) {
    LiaText names = {0};
    lia_verdict_force_names(run, &names);
    const LiaRow* row = &run->system->rows[run->w->dynamics->rows[run->w->forces.degree->row[0]]];
    lia_verdict(run, "E0401", row->span, run->w->t,
                "at t = %.10g %s: %s acts through other forces, and "
                "what it acts through loses its hold there: the derivatives in which its force "
                "appears no longer decide it",
                run->w->t, lia_verdict_steps(h).text, names.data ? names.data : "an operator");
    lia_verdict_help(run, "end the run before that time, or let the operator act more directly");
    lia_text_clear(&names);
}

void lia_verdict_force_undecided(LiaRunner* run, int rank) {
    const LiaWorkspace* w = run->w;
    LiaText names = {0};
    LiaSpan span = {0, 0};
    uint32_t last = 0;
    for (int c = 0, a = 0; c < w->nc; c++) {
        if (a < w->nr && w->active[a] == c) {
            a++;
            continue;
        }
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        if (names.length && row->constraint == last) continue;  // the rows of one stand together
        last = row->constraint;
        if (!names.length) span = row->span;
        lia_text_add(&names, "%s'%s'", names.length ? ", " : "",
                     run->model->constraints[row->constraint].name);
    }
    lia_verdict(run, "E0408", span, w->t,
                "which force acts is not decided: %s asks what follows from the other equations, "
                "but with a force of its own (rank of the equations %d, of the forces %d)",
                names.data ? names.data : "a row", w->nr, rank);
    lia_verdict_help(run, "leave one of the equations out, or let its force act along the same "
                          "form as that of the others");
    lia_text_clear(&names);
}

void lia_verdict_force_never(LiaRunner* run, int c) {
    const LiaRow* row = &run->system->rows[run->w->dynamics->rows[c]];
    lia_verdict(run, "E0407", row->span, run->w->t,
                "no derivative of '%s' contains the force that is to keep it: what acts is coupled "
                "to it neither "
                "by inertia nor by any other force",
                run->model->constraints[row->constraint].name);
    lia_verdict_help(run, "let the force act where it is coupled to what it is to keep");
}

// All operators: "'a', 'b'", and where the first of them is.
static LiaSpan name_operators(const LiaRunner* run, LiaText* names) {
    const LiaWorkspace* w = run->w;
    LiaSpan span = {0, 0};
    uint32_t said = UINT32_MAX;
    for (int c = 0; c < w->nc; c++) {
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        const LiaConstraint* of = &run->model->constraints[row->constraint];
        if (!of->active || row->constraint == said) continue;
        if (!names->length) span = row->span;
        lia_text_add(names, "%s'%s'", names->length ? ", " : "", of->name);
        said = row->constraint;
    }
    return span;
}

void lia_verdict_force_open(LiaRunner* run, int derivative) {
    LiaText names = {0};
    LiaSpan span = name_operators(run, &names);
    lia_verdict(run, "E0408", span, run->w->t,
                "at t = %.10g the forces of %s are not decided: all derivatives of their equations "
                "together leave open which force acts (looked at up to the %dth: those that follow "
                "ask nothing new)",
                run->w->t, names.data ? names.data : "operators", derivative);
    lia_verdict_help(run, "leave one of the operators out, or let it act elsewhere");
    lia_text_clear(&names);
}

void lia_verdict_force_fewer(LiaRunner* run, int equations, int forces) {
    LiaText names = {0};
    LiaSpan span = name_operators(run, &names);
    lia_verdict(run, "E0401", span, run->w->t,
                "at t = %.10g %s ask for %d independent things and have %d independent force%s: "
                "that many can be kept, not more",
                run->w->t, names.data ? names.data : "operators", equations, forces,
                forces == 1 ? "" : "s");
    lia_verdict_help(run, "ask for less, or let another force act");
    lia_text_clear(&names);
}

void lia_verdict_force_held(LiaRunner* run, int equations, int forces) {
    LiaText names = {0}, moved = {0};
    LiaSpan span = name_operators(run, &names);
    if (forces == 0) {
        lia_text_add(&moved, "nothing, for constraints hold all that they act on");
    } else {
        lia_text_add(&moved, "what they act on in %d independent way%s, for constraints hold it",
                     forces, forces == 1 ? "" : "s");
    }
    lia_verdict(run, "E0401", span, run->w->t,
                "at t = %.10g the forces of %s move %s; %d independent thing%s asked for",
                run->w->t, names.data ? names.data : "operators", moved.data ? moved.data : "less",
                equations, equations == 1 ? " is" : "s are");
    lia_verdict_help(run, "let the forces act on what the constraints leave free");
    lia_text_clear(&names);
    lia_text_clear(&moved);
}
