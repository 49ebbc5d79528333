// What a system is, as a LaTeX document. It needs amsmath and geometry, which every TeX has. A
// momentum is p with the coordinate below, a multiplier mu with the constraint below.
// SPDX-License-Identifier: MIT
#include "output/explain/latex/latex.h"
#include "expr/reading/simplify.h"
#include <math.h>
#include <string.h>

// Momenta and multipliers get names that read as mathematics.
static bool rename_symbols(LiaLatex* page) {
    const LiaSystem* s = page->e->system;
    LiaArena* arena = page->e->geometry->arena;
    for (uint32_t i = 0; i < s->n; i++) {
        const char* made = lia_arena_printf(arena, "p_%s", page->model->coordinates[i].name);
        if (!made) return false;
        lia_graph_name(page->g, LIA_SYMBOL_MOMENTUM, i, made);
    }
    for (uint32_t k = 0; k < 3 * page->model->groups_count; k++) {
        const LiaGroup* group = &page->model->groups[k / 3];
        if (group->manifold != LIA_ROTATION) continue;
        const char* made = lia_arena_printf(arena, "p_%s_%c", group->name, "xyz"[k % 3]);
        if (!made) return false;
        lia_graph_name(page->g, LIA_SYMBOL_MOMENTUM, s->n + k, made);
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaConstraint* c = &page->model->constraints[s->rows[r].constraint];
        const char* made = c->equation_count == 1
                               ? lia_arena_printf(arena, "mu_%s", c->name)
                               : lia_arena_printf(arena, "mu_%s_%u", c->name, s->rows[r].part + 1);
        if (!made) return false;
        lia_graph_name(page->g, LIA_SYMBOL_MULTIPLIER, r, made);
    }
    return !page->g->failed;
}

static void add_head(LiaLatex* page) {
    lia_latex_math_say(page, "% written by liaison explain --latex\n"
                             "\\documentclass[11pt]{article}\n"
                             "\\usepackage[T1]{fontenc}\n"
                             "\\usepackage[utf8]{inputenc}\n"
                             "\\usepackage{amsmath}\n"
                             "\\usepackage[a4paper,margin=25mm]{geometry}\n"
                             "\\setlength{\\parindent}{0pt}\n"
                             "\\sloppy\n"
                             "\\setlength{\\emergencystretch}{5em}\n"
                             "\\allowdisplaybreaks\n"
                             "\\begin{document}\n"
                             "\\raggedright\n"
                             "\\section*{");
    lia_latex_math_plain(page, page->model->name);
    if (page->model->title) {
        lia_latex_math_say(page, ": ");
        lia_latex_math_plain(page, page->model->title);
    }
    lia_latex_math_say(page, "}\n");
}

static void add_remaining(LiaLatex* page, const LiaClassification* c) {
    if (c->uncoupled) {
        lia_latex_math_plain(page, c->uncoupled);
        lia_latex_math_say(page, ".\n");
    }
    if (c->servo.remaining < 0) return;
    lia_text_add(page->out, "Servos leave %d of the state's numbers free", c->servo.remaining);
    if (c->servo.remaining == 0) {
        lia_latex_math_say(page, ".\n");
        return;
    }
    if (c->servo.steady == LIA_STEADY_NOT || isnan(c->servo.rate)) {
        lia_latex_math_say(page, "; whether a small deviation grows is not known here.\n");
        return;
    }
    if (c->servo.rate == 0.0) {
        lia_latex_math_say(page, "; no deviation grows exponentially in the linearised motion.\n");
        return;
    }
    lia_latex_math_say(page,
                       c->servo.rate > 0.0
                           ? "; that is unstable: a small deviation grows like $e^{\\lambda t}$"
                           : "; that is stable: a small deviation dies out like $e^{\\lambda t}$");
    lia_latex_math_say(page, ", $\\lambda = $ ");
    lia_latex_math_number(page, c->servo.rate, LIA_LATEX_DIGITS);
    lia_latex_math_say(page, ".\n");
}

static void add_coordinates(LiaLatex* page, const uint32_t* which, uint32_t count) {
    for (uint32_t i = 0, shown = 0; i < count; i++) {
        const LiaGroup* group = lia_explain_group(page->model, which, count, i);
        if (page->model->coordinates[which[i]].inner) continue;
        if (shown == LIA_LATEX_LINES) {
            lia_text_add(page->out, ", $\\dots$ (%u numbers in all)", count);
            return;
        }
        lia_latex_math_say(page, shown++ ? ", $" : "$");
        if (group) {
            lia_latex_math_group(page, group);
            i += group->count - 1;
        } else {
            lia_latex_math_coordinate(page, which[i], 0);
        }
        lia_latex_math_say(page, "$");
    }
}

// Of free bodies: configurations 6k - l, kinematic states 12k - 2l - c.
static void add_count(LiaLatex* page, const LiaClassification* c) {
    uint32_t bodies = 0;
    for (uint32_t i = 0; i < page->model->pictures.bodies_count; i++)
        bodies += page->model->pictures.bodies[i].free;
    if (bodies == 0 || c->samples == 0) return;
    lia_text_add(page->out, "Count: %u free bod%s of 6 parameters", bodies,
                 bodies == 1 ? "y" : "ies");
    if (c->dimensions.M > 6 * bodies)
        lia_text_add(page->out, " and %u more", c->dimensions.M - 6 * bodies);
    lia_text_add(page->out, ", $l = %u$ independent geometric equation%s", c->l,
                 c->l == 1 ? "" : "s");
    if (c->l_at_start != c->l) lia_text_add(page->out, " (%u at the start)", c->l_at_start);
    if (c->c) lia_text_add(page->out, ", $c = %u$ kinematic", c->c);
    lia_text_add(page->out, ": configurations $%u - l = %u$, kinematic states $%u - 2l - c = %u$. ",
                 c->dimensions.M, c->dimensions.M - c->l, 2 * c->dimensions.M, c->dimensions.C);
}

static void add_dimensions(LiaLatex* page, const LiaClassification* c) {
    lia_text_add(page->out,
                 "\n\\medskip\n\\begin{tabular}{lrl}\n"
                 "$M$ & %u & configurations\\\\\n$S$ & %u & the base: what operators set\\\\\n",
                 c->dimensions.M, c->dimensions.S);
    if (c->samples > 0) {
        lia_text_add(page->out,
                     "$C$, $D$ & %u & states the passive constraints admit\\\\\n"
                     "$W$ & %u & rank of the forces of the passive constraints\\\\\n",
                     c->dimensions.C, c->dimensions.W);
    }
    lia_text_add(page->out,
                 "$V^*M$ & %u & positions and the momenta along the fibres\\\\\n"
                 "\\end{tabular}\n\n\\medskip\n",
                 c->dimensions.VstarM);
    if (c->samples == 0) {
        lia_latex_math_say(page,
                           "$C$, $D$, $W$ and what is left to the motion are not known: they are "
                           "counted at admissible states, and none was found. ");
        return;
    }
    add_count(page, c);
    lia_text_add(page->out, "The motion lives in dimension %u. ", c->dimensions.lives - c->hidden);
    lia_text_add(page->out, "Left to the motion: %u position%s, %u velocit%s", c->positions,
                 c->positions == 1 ? "" : "s", c->velocities, c->velocities == 1 ? "y" : "ies");
    if (c->hidden) lia_text_add(page->out, ", less %u hidden equations", c->hidden);
    lia_latex_math_say(page, ". ");
}

static void add_system(LiaLatex* page) {
    const LiaClassification* c = &page->e->classes;
    const LiaPhaseSpace* space = page->e->space;
    lia_latex_math_say(page, "\\subsection*{What it is}\nCoordinates ");
    add_coordinates(page, space->x, space->nx);
    if (space->nx == 0) lia_latex_math_say(page, "none");
    if (space->ns) lia_latex_math_say(page, "; driven ones ");
    add_coordinates(page, space->s, space->ns);
    lia_latex_math_say(page, ".\n");
    add_dimensions(page, c);
    lia_text_add(page->out, "The Lagrangian is %squadratic in the velocities. ",
                 page->e->geometry->quadratic ? "" : "not ");
    if (c->samples > 0) {
        lia_text_add(page->out, "The system is %sregular", c->regular ? "" : "not ");
        if (isfinite(c->regularity)) {
            lia_latex_math_say(page, " (coupling number ");
            lia_latex_math_number(page, c->regularity, LIA_LATEX_DIGITS);
            lia_latex_math_say(page, ")");
        }
        lia_latex_math_say(page, ".\n");
        add_remaining(page, c);
    }
    lia_latex_math_say(page, "\n");
}

static void add_energy(LiaLatex* page) {
    const LiaSystem* s = page->e->system;
    lia_latex_math_say(page,
                       "\\subsection*{Energy}\n$E = v\\,\\partial L/\\partial v - L$, with $L = ");
    lia_latex_math_formula(page, lia_simplify(page->g, s->energy.lagrangian));
    bool open = page->e->classes.samples == 0 && !page->e->classes.energy_conserved;
    lia_text_add(page->out,
                 open ? "$. Whether it is conserved is open: " : "$. %s is %sconserved: ",
                 page->e->system->contact_count ? "While all contacts are open it" : "It",
                 page->e->classes.energy_conserved ? "" : "not ");
    lia_latex_math_plain(page, page->e->classes.energy_law);
    lia_latex_math_say(page, ".\n");
    bool any = false;
    for (uint32_t l = 0, shown = 0; l < s->line_count && shown < LIA_LATEX_LINES; l++) {
        if (!page->e->classes.line_feeds[l]) continue;
        lia_latex_math_say(page, any ? "" : "\\begin{itemize}\n");
        any = true;
        lia_latex_math_say(page, "\\item power(");
        lia_latex_math_plain(page, s->lines[l].name);
        lia_latex_math_say(page, ") $\\displaystyle = ");
        lia_latex_math_formula(page, lia_simplify(page->g, s->lines[l].power));
        lia_latex_math_say(page, "$\n");
        shown++;
    }
    lia_latex_math_say(page, any ? "\\end{itemize}\n" : "\n");
}

static void add_symmetries(LiaLatex* page) {
    const LiaClassification* c = &page->e->classes;
    if (c->symmetry_count == 0) return;
    lia_latex_math_say(page, "\\subsection*{Symmetries}\n\\begin{itemize}\n");
    for (uint32_t i = 0; i < c->symmetry_count && i < LIA_LATEX_LINES; i++) {
        const LiaSymmetryClass* s = &c->symmetries[i];
        lia_latex_math_say(page, "\\item \\textbf{");
        lia_latex_math_plain(page, s->name);
        lia_latex_math_say(page, "}: momentum $\\displaystyle ");
        lia_latex_math_formula(page, lia_simplify(page->g, s->momentum));
        if (c->samples == 0) {
            lia_latex_math_say(page,
                               "$; nothing is decided, since no admissible state was found.\n");
            continue;
        }
        lia_text_add(
            page->out, "$; the Lagrangian is %s; %s; %s.\n",
            s->lagrangian == LIA_INVARIANT_EVERYWHERE   ? "invariant"
            : s->lagrangian == LIA_INVARIANT_ADMISSIBLE ? "invariant on admissible states only"
                                                        : "not invariant",
            s->first_type ? "of the first type (the system reduces)" : "not of the first type",
            s->second_type ? "of the second type (the momentum is constant)"
            : s->constant  ? "not of the second type, but the momentum was found constant"
                           : "the momentum is not constant");
    }
    lia_latex_math_say(page, "\\end{itemize}\n");
}

static void add_choices(LiaLatex* page) {
    const LiaSystem* s = page->e->system;
    const char* at = page->e->choices.data;
    if (s->origin.choice_count == 0 && !(at && *at)) return;
    lia_latex_math_say(page, "\\subsection*{Choices}\n\\begin{itemize}\n");
    for (uint32_t i = 0; i < s->origin.choice_count && i < LIA_LATEX_LINES; i++) {
        lia_latex_math_say(page, "\\item ");
        lia_latex_math_plain(page, s->origin.choices[i]);
        lia_latex_math_say(page, "\n");
    }
    for (int shown = 0; at && *at && shown < LIA_LATEX_LINES; shown++) {
        char line[512];
        size_t length = strcspn(at, "\n"), kept = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, at, kept);
        line[kept] = '\0';
        lia_latex_math_say(page, "\\item ");
        lia_latex_math_plain(page, line);
        lia_latex_math_say(page, "\n");
        at += length + (at[length] == '\n');
    }
    lia_latex_math_say(page, "\\end{itemize}\n");
}

void lia_latex_explain(LiaExplanation* e, LiaText* out) {
    LiaLatex page = {out, e, e->geometry->graph, e->system->model};
    if (!rename_symbols(&page)) {
        out->failed = 1;
        return;
    }
    add_head(&page);
    if (e->system->phase.flow) {
        lia_latex_poisson(&page);
        add_choices(&page);
        lia_latex_math_say(&page, "\\end{document}\n");
        return;
    }
    add_system(&page);
    lia_latex_constraints(&page);
    lia_latex_flag(&page);
    add_energy(&page);
    add_symmetries(&page);
    lia_latex_flag_found(&page);
    lia_latex_formulas_hamiltonian(&page);
    lia_latex_formulas_motion(&page);
    lia_latex_formulas_forces(&page);
    add_choices(&page);
    if (e->has_state) lia_latex_state(&page);
    lia_latex_math_say(&page, "\\end{document}\n");
}
