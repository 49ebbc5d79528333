// A model of a phase space, (P, Lambda, H, D, W), for people and for programs.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "expr/reading/formula_text.h"
#include "expr/reading/simplify.h"
#include "output/explain/prose.h"
#include "output/text/escape.h"
#include <math.h>

static LiaGraph* graph_of(const LiaExplanation* e) { return e->geometry->graph; }

static void add_space(LiaProse* page) {
    const LiaPoisson* p = &page->e->poisson;
    const LiaSystem* s = page->e->system;
    LiaText line = {0};
    lia_prose_section(page, "what it is");
    lia_text_add(&line, "P  dimension %u, the phase space", p->variables);
    lia_prose_say(page, 2, &line);
    lia_text_add(&line, "Lambda  of rank %u", p->rank);
    if (p->rank_start != p->rank) lia_text_add(&line, ", at the start %u", p->rank_start);
    lia_text_add(&line, ": leaves of dimension %u, %u Casimir function%s", p->rank,
                 p->variables - p->rank, lia_prose_plural(p->variables - p->rank));
    lia_prose_say(page, 2, &line);
    if (isnan(s->phase.jacobi)) {
        lia_text_add(&line, "The Jacobi identity: not looked at");
    } else if (s->phase.jacobi > LIA_JACOBI_FAILS) {
        lia_text_add(&line,
                     "The Jacobi identity fails, by %.2g of its terms: the bracket is almost "
                     "Poisson, and leaves and Casimir functions need not exist",
                     s->phase.jacobi);
    } else {
        lia_text_add(&line, "The Jacobi identity holds (at samples, within %.1e of its terms)",
                     s->phase.jacobi);
    }
    lia_prose_say(page, 2, &line);
    if (p->equations == 0) return;
    lia_text_add(&line, "D  dimension %u, the states that %u equation%s admit%s",
                 p->variables - p->equations, p->equations, lia_prose_plural(p->equations),
                 p->equations == 1 ? "s" : "");
    lia_prose_say(page, 2, &line);
    lia_text_add(&line, "W  rank %u, the directions of the forces that keep them", p->equations);
    lia_prose_say(page, 2, &line);
    if (isfinite(p->regularity)) {
        lia_text_add(&line, "regular at the start: coupling number ");
        lia_text_add_short(&line, p->regularity, 6);
        lia_text_add(&line, " (1: no terms of dphi W cancel; 0: forces that cannot keep D)");
        lia_prose_say(page, 2, &line);
    }
}

static void add_casimirs(LiaProse* page) {
    const LiaSystem* s = page->e->system;
    uint32_t missing = page->e->poisson.variables - page->e->poisson.rank;
    if (missing == 0) return;
    LiaText line = {0};
    lia_prose_section(page, "Casimir functions");
    for (uint32_t k = 0; k < s->model->symmetries_count; k++) {
        lia_prose_formula(page, &line, lia_simplify(graph_of(page->e), s->observables.momenta[k]));
        lia_prose_say(page, 2, &line);
    }
    if (missing > s->model->symmetries_count) {
        lia_text_add(&line, "%u more: none that is a polynomial of the second degree",
                     missing - s->model->symmetries_count);
        lia_prose_say(page, 2, &line);
    }
}

static void add_energy(LiaProse* page) {
    const LiaSystem* s = page->e->system;
    const LiaPoisson* p = &page->e->poisson;
    LiaText line = {0};
    lia_prose_section(page, "energy H");
    if (p->conserved) {
        bool acts = s->line_count > 1;
        lia_text_add(&line, "conserved: %s",
                     acts ? "dH vanishes on all that acts" : "nothing acts");
        if (acts) lia_text_add(&line, " (at %u states of D)", p->places);
    } else {
        lia_text_add(&line, "not conserved: dH/dt =");
        for (uint32_t l = 0, shown = 0; l < s->line_count; l++) {
            if (!p->feeds[l]) continue;
            bool time = s->lines[l].kind == LIA_LINE_TIME;
            lia_text_add(&line, shown++ ? " + " : " ");
            lia_text_add(&line, time ? "dH/dt of the formula" : "power(%s)", s->lines[l].name);
        }
    }
    lia_prose_say(page, 2, &line);
    lia_prose_define(page, "H", s->energy.total);
    for (uint32_t l = 0; l < s->line_count; l++) {
        if (!p->feeds[l]) continue;
        lia_text_add(&line, "power(%s)", s->lines[l].name);
        lia_prose_define_text(page, &line, s->lines[l].power);
    }
}

static void add_brackets(LiaProse* page) {
    const LiaModel* m = page->e->system->model;
    LiaText name = {0};
    lia_prose_section(page, "brackets, all others are 0");
    for (uint32_t k = 0, shown = 0; k < m->phase.brackets_count && shown < LIA_PROSE_LINES; k++) {
        const LiaBracket* b = &m->phase.brackets[k];
        LiaExpr f = lia_resolve_term(page->e->geometry->resolver, b->term);
        if (b->repeated || lia_graph_is_zero(graph_of(page->e), f)) continue;
        lia_text_add(&name, "{%s, %s}", lia_prose_name(page, b->first),
                     lia_prose_name(page, b->second));
        lia_prose_define_text(page, &name, f);
        shown++;
    }
}

// The rate of the impulse of a constraint is its force.
static LiaExpr with_forces(const LiaExplanation* e, LiaExpr f) {
    const LiaSystem* s = e->system;
    LiaExpr* rates = LIA_ARENA_NEW(e->geometry->arena, LiaExpr, s->n + 1);
    if (!rates) return f;
    for (uint32_t i = 0; i < s->n; i++) {
        bool force = i >= e->poisson.variables;
        rates[i] =
            force ? lia_graph_symbol(graph_of(e), LIA_SYMBOL_MULTIPLIER, i - e->poisson.variables)
                  : s->v[i];
    }
    return lia_diff_substitute(graph_of(e), f, LIA_SYMBOL_VELOCITY, rates, s->n);
}

static void add_motion(LiaProse* page) {
    const LiaExplanation* e = page->e;
    LiaText name = {0};
    lia_prose_section(page, "equations of motion");
    for (uint32_t i = 0; i < e->poisson.variables && i < LIA_PROSE_LINES; i++) {
        lia_text_add(&name, "%s'", lia_prose_name(page, i));
        lia_prose_define_text(page, &name, with_forces(e, e->system->phase.flow[i]));
    }
}

static void add_forces(LiaProse* page) {
    const LiaExplanation* e = page->e;
    LiaText name = {0};
    bool any = false;
    for (uint32_t k = 0; k < e->poisson.equations; k++) any |= e->poisson.force[k].index != 0;
    if (!any) return;
    lia_prose_section(page, "forces");
    for (uint32_t k = 0; k < e->poisson.equations; k++) {
        LiaExpr force = lia_graph_symbol(graph_of(e), LIA_SYMBOL_MULTIPLIER, k);
        if (!e->poisson.force[k].index) continue;
        lia_formula_text(graph_of(e), force, &name);
        lia_prose_define_text(page, &name, e->poisson.force[k]);
    }
}

static void add_state(LiaProse* page) {
    const LiaExplanation* e = page->e;
    LiaText line = {0};
    lia_prose_section(page, "at the state");
    for (uint32_t i = 0; i < e->poisson.variables && i < LIA_PROSE_LINES; i++) {
        lia_text_add(&line, "%s = ", lia_prose_name(page, i));
        lia_text_add_short(&line, e->q[i], 10);
        if (e->poisson.rate) {
            lia_text_add(&line, ", rate ");
            lia_text_add_short(&line, e->poisson.rate[i], 10);
        }
        lia_prose_say(page, 2, &line);
    }
    lia_text_add(&line, "H = ");
    lia_text_add_short(&line, e->poisson.energy, 10);
    lia_prose_say(page, 2, &line);
}

void lia_prose_poisson(LiaProse* page) {
    add_space(page);
    add_casimirs(page);
    add_energy(page);
    add_brackets(page);
    add_motion(page);
    add_forces(page);
    if (page->e->has_state) add_state(page);
}

// --- for programs -------------------------------------------------------------------------------

static void add_formula(LiaText* out, const LiaExplanation* e, LiaExpr f) {
    LiaText text = {0};
    lia_formula_text(graph_of(e), lia_simplify(graph_of(e), f), &text);
    lia_escape_json(out, text.data);
    lia_text_clear(&text);
}

static void add_rates(LiaText* out, const LiaExplanation* e) {
    lia_text_add(out, ",\n \"state\": {\"H\": ");
    lia_escape_number(out, e->poisson.energy);
    for (uint32_t i = 0; i < e->poisson.variables; i++) {
        lia_text_add(out, ",\n  ");
        lia_escape_json(out, e->system->model->coordinates[i].name);
        lia_text_add(out, ": {\"value\": ");
        lia_escape_number(out, e->q[i]);
        lia_text_add(out, ", \"rate\": ");
        lia_escape_number(out, e->poisson.rate ? e->poisson.rate[i] : NAN);
        lia_text_add(out, "}");
    }
    lia_text_add(out, "}");
}

void lia_prose_poisson_json(LiaExplanation* e, LiaText* out) {
    const LiaPoisson* p = &e->poisson;
    const LiaSystem* s = e->system;
    lia_text_add(out,
                 ",\n \"dimension\": {\"P\": %u, \"D\": %u, \"W\": %u},\n \"bracket\": {\"rank\": "
                 "%u, \"rank_at_start\": %u, \"jacobi\": ",
                 p->variables, p->variables - p->equations, p->equations, p->rank, p->rank_start);
    lia_escape_number(out, s->phase.jacobi);
    lia_text_add(out, "},\n \"casimirs\": [");
    for (uint32_t k = 0; k < s->model->symmetries_count; k++) {
        lia_text_add(out, k ? ", " : "");
        add_formula(out, e, s->observables.momenta[k]);
    }
    lia_text_add(out, "],\n \"regularity\": ");
    lia_escape_number(out, p->regularity);
    lia_text_add(out,
                 ",\n \"energy\": {\"conserved\": %s, \"H\": ", p->conserved ? "true" : "false");
    add_formula(out, e, s->energy.total);
    lia_text_add(out, "},\n \"rates\": {");
    for (uint32_t i = 0; i < p->variables; i++) {
        lia_text_add(out, i ? ",\n  " : "\n  ");
        lia_escape_json(out, s->model->coordinates[i].name);
        lia_text_add(out, ": ");
        add_formula(out, e, with_forces(e, s->phase.flow[i]));
    }
    lia_text_add(out, "},\n \"forces\": [");
    for (uint32_t k = 0; k < p->equations; k++) {
        lia_text_add(out, k ? ", " : "");
        if (p->force[k].index) add_formula(out, e, p->force[k]);
        if (!p->force[k].index) lia_text_add(out, "null");
    }
    lia_text_add(out, "]");
    if (e->has_state) add_rates(out, e);
    lia_text_add(out, "}");
}
