// Formulas: the Hamiltonian and the kinetic connection, the equations of motion, the forces. See
// prose.h.
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "output/explain/prose.h"

// --- Hamiltonian -------------------------------------------------------------------------------

static bool has_inner(const LiaProse* page) {
    for (uint32_t i = 0; i < page->e->system->n; i++) {
        if (lia_explain_is_inner(page->e, i)) return true;
    }
    return false;
}

// h0, K_Y and the momenta of what is driven.
static void add_vertical(LiaProse* page) {
    const LiaFormulas* f = &page->e->formulas;
    const LiaPhaseSpace* space = page->e->space;
    lia_text_add(page->out, "  on V*M, with the operator's velocities as they are:\n");
    if (f->h0.index) lia_prose_define(page, "h0", f->h0);
    if (f->K_Y.index) lia_prose_define(page, "K_Y", f->K_Y);
    for (uint32_t a = 0; a < space->ns; a++) {
        if (!f->momentum[a].index) continue;
        LiaText name = {0};
        lia_text_add(&name, "p(%s)", lia_prose_name(page, space->s[a]));
        lia_prose_define_text(page, &name, f->momentum[a]);
    }
}

static bool has_entry(const LiaProse* page, LiaExpr entry) {
    return entry.index && !lia_graph_is_zero(page->e->geometry->graph, entry);
}

// The entries of A, then those of its curvature F, where they are not zero.
static void add_connection(LiaProse* page) {
    const LiaFormulas* f = &page->e->formulas;
    const LiaPhaseSpace* space = page->e->space;
    uint32_t ns = space->ns;
    lia_text_add(page->out, "  kinetic connection: the horizontal is x' = -A s' (entries not shown "
                            "are 0 or too long)\n");
    for (uint32_t j = 0; j < space->nx; j++) {
        for (uint32_t a = 0; a < ns; a++) {
            LiaText name = {0};
            if (!has_entry(page, f->A[j * ns + a])) continue;
            lia_text_add(&name, "A(%s, %s)", lia_prose_name(page, space->x[j]),
                         lia_prose_name(page, space->s[a]));
            lia_prose_define_text(page, &name, f->A[j * ns + a]);
        }
    }
    for (uint32_t j = 0; j < space->nx; j++) {
        for (uint32_t a = 0; a < ns; a++) {
            for (uint32_t b = a + 1; b < ns; b++) {
                LiaExpr entry = f->F[(j * ns + a) * ns + b];
                LiaText name = {0};
                if (!has_entry(page, entry)) continue;
                lia_text_add(&name, "F(%s; %s, %s)", lia_prose_name(page, space->x[j]),
                             lia_prose_name(page, space->s[a]), lia_prose_name(page, space->s[b]));
                lia_prose_define_text(page, &name, entry);
            }
        }
    }
}

// Of a Lagrangian that is not quadratic there is a number at a state.
static void add_number(LiaProse* page) {
    const LiaExplanation* e = page->e;
    LiaText line = {0};
    LiaValues values;
    lia_text_add(&line,
                 "H = <p, v> - L, with v such that p = dL/dv, which is not solved as a formula");
    if (e->has_state && e->q && e->v &&
        lia_evaluate_init(&values, e->geometry->graph, &e->system->energy.total, 1)) {
        LiaSymbols at = {.t = e->t, .parameters = e->system->parameters, .q = e->q, .v = e->v};
        lia_evaluate_run(&values, &at);
        lia_text_add(&line, "; at the state H = ");
        lia_text_add_short(&line, lia_value(&values, e->system->energy.total), 10);
        lia_evaluate_clear(&values);
    }
    lia_prose_say(page, 2, &line);
}

void lia_prose_formulas_hamiltonian(LiaProse* page) {
    const LiaFormulas* f = &page->e->formulas;
    if (!f->available) return;
    lia_prose_section(page, "Hamiltonian");
    if (!page->e->geometry->quadratic) {
        add_number(page);
        return;
    }
    if (f->hamiltonian.index) {
        lia_prose_define(page, "H", f->hamiltonian);
    } else if (has_inner(page)) {
        lia_text_add(
            page->out,
            "  not written out: there are attitudes or directions among the coordinates\n");
    } else if (f->singular) {
        lia_text_add(page->out,
                     "  none on T*M: d2L/dv2 is singular (coordinates without inertia)\n");
    } else {
        lia_text_add(page->out,
                     "  H = 1/2 (p - b) g^-1 (p - b) + U, with g = d2L/dv2, p = g v + b: "
                     "too long to be read\n");
    }
    if (!f->A) return;
    add_vertical(page);
    add_connection(page);
}

// --- equations of motion -----------------------------------------------------------------------

// M a on the left, term by term: "m*x'' ", "(I1 + I2)*theta'' + I2*s''".
static void add_inertia(const LiaProse* page, LiaText* line, uint32_t i) {
    uint32_t n = page->e->system->n;
    const LiaExpr* row = page->e->formulas.M + (size_t)i * n;
    bool first = true;
    for (uint32_t j = 0; j < n; j++) {
        if (lia_graph_is_zero(page->e->geometry->graph, row[j])) continue;
        lia_prose_coefficient(page, line, row[j], first);
        lia_text_add(line, "%s''", lia_prose_name(page, j));
        first = false;
    }
    if (first) lia_text_add(line, "0");
}

// The equation of coordinate i. False if it is too long to be read.
static bool add_equation(LiaProse* page, uint32_t i) {
    LiaExpr rest = page->e->formulas.rest[i];
    LiaText line = {0};
    add_inertia(page, &line, i);
    if (line.length > 2 * LIA_FORMULA_LENGTH || lia_explain_is_long(page->e, rest)) {
        lia_text_clear(&line);
        return false;
    }
    lia_text_add(&line, " = ");
    if (lia_explain_has_attitude(page->e, rest)) {
        lia_text_add(&line, "... (of attitudes: in numbers)");
    } else {
        lia_prose_formula(page, &line, rest);
    }
    lia_prose_say(page, 2, &line);
    return true;
}

static void add_drives(LiaProse* page) {
    const LiaDynamics* reduced = page->e->system->reduced;
    for (uint32_t d = 0; d < reduced->drive_count; d++) {
        const LiaDrive* drive = &reduced->drives[d];
        LiaText line = {0};
        lia_text_add(&line, "%s%s = ", lia_prose_name(page, drive->coordinate),
                     drive->rate ? "'" : "");
        lia_prose_formula(page, &line, drive->law);
        lia_text_add(&line, "   (driven)");
        lia_prose_say(page, 2, &line);
    }
}

void lia_prose_formulas_motion(LiaProse* page) {
    const LiaExplanation* e = page->e;
    lia_prose_section(page, "equations of motion");
    if (!e->formulas.available) {
        lia_text_add(page->out,
                     "  M a + h = Q + Omega^T mu: %u of them ('liaison dump --stage=expr' has the "
                     "formulas)\n",
                     e->system->n);
        return;
    }
    LiaText longer = {0};
    bool inner = false;
    for (uint32_t k = 0; k < e->space->nx; k++) {
        uint32_t i = e->space->x[k];
        if (lia_explain_is_inner(e, i)) {
            inner = true;
        } else if (!add_equation(page, i)) {
            lia_text_add(&longer, "%s%s", longer.length ? ", " : "", lia_prose_name(page, i));
        }
    }
    if (inner) {
        lia_text_add(
            page->out,
            "  attitudes and directions turn by their own equations, in numbers of unit length\n");
    }
    if (longer.length) {
        lia_text_add(&longer,
                     ": too long to be read ('liaison dump --stage=expr' has the formulas)");
        lia_prose_say(page, 2, &longer);
    }
    add_drives(page);
}

// --- forces ------------------------------------------------------------------------------------

void lia_prose_formulas_forces(LiaProse* page) {
    const LiaSystem* s = page->e->system;
    const LiaFormulas* f = &page->e->formulas;
    LiaGraph* g = page->e->geometry->graph;
    bool any = false, missing = false;
    for (uint32_t r = 0; r < s->row_count; r++) {
        if (s->rows[r].identical || s->rows[r].follows) continue;
        if (!f->force || !f->force[r].index) {
            missing = true;
            continue;
        }
        if (!any) lia_prose_section(page, "forces");
        any = true;
        LiaText name = {0};
        lia_formula_text(g, lia_graph_symbol(g, LIA_SYMBOL_MULTIPLIER, r), &name);
        bool unique = page->e->classes.constraints[s->rows[r].constraint].unique;
        if (!unique) lia_text_add(&name, " (not unique)");
        lia_prose_define_text(page, &name, f->force[r]);
    }
    if (!missing || !f->available) return;
    if (!any) lia_prose_section(page, "forces");
    lia_text_add(page->out, "  %smultipliers are solved in numbers%s\n", any ? "the other " : "",
                 page->e->classes.regular ? ", from (J M^-1 Omega^T) mu = -(gamma + J M^-1 (Q - h))"
                                          : "");
}
