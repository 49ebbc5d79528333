// Formulas: the Hamiltonian and the kinetic connection, the equations of motion, the forces. See
// latex.h.
// SPDX-License-Identifier: MIT
#include "output/explain/latex/latex.h"
#include <stdio.h>

static void add_entry(LiaLatex* page, const char* letter, uint32_t up, const uint32_t* down,
                      int count, LiaExpr f) {
    if (!f.index || lia_graph_is_zero(page->g, f)) return;
    lia_text_add(page->out, "\\item $\\displaystyle %s^{", letter);
    lia_latex_math_coordinate(page, up, 0);
    lia_latex_math_say(page, "}_{");
    for (int i = 0; i < count; i++) {
        lia_latex_math_say(page, i ? "\\," : "");
        lia_latex_math_coordinate(page, down[i], 0);
    }
    lia_latex_math_say(page, "} = ");
    lia_latex_math_formula(page, f);
    lia_latex_math_say(page, "$\n");
}

// h0, K_Y, the momenta of what is driven, A and its curvature F.
static void add_vertical(LiaLatex* page) {
    const LiaFormulas* f = &page->e->formulas;
    const LiaPhaseSpace* space = page->e->space;
    if (f->h0.index) lia_latex_math_define(page, "h_0", f->h0);
    if (f->K_Y.index) lia_latex_math_define(page, "K_Y", f->K_Y);
    for (uint32_t a = 0; a < space->ns; a++) {
        if (!f->momentum[a].index) continue;
        lia_latex_math_say(page, "\\item $\\displaystyle p_{");
        lia_latex_math_coordinate(page, space->s[a], 0);
        lia_latex_math_say(page, "} = ");
        lia_latex_math_formula(page, f->momentum[a]);
        lia_latex_math_say(page, "$\n");
    }
    for (uint32_t j = 0; j < space->nx; j++) {
        for (uint32_t a = 0; a < space->ns; a++) {
            add_entry(page, "A", space->x[j], &space->s[a], 1, f->A[j * space->ns + a]);
            for (uint32_t b = a + 1; b < space->ns; b++) {
                uint32_t both[2] = {space->s[a], space->s[b]};
                add_entry(page, "F", space->x[j], both, 2,
                          f->F[(j * space->ns + a) * space->ns + b]);
            }
        }
    }
}

void lia_latex_formulas_hamiltonian(LiaLatex* page) {
    const LiaFormulas* f = &page->e->formulas;
    if (!f->available || !page->e->geometry->quadratic) return;
    if (!f->hamiltonian.index && !f->singular && !f->h0.index) return;
    lia_latex_math_say(page, "\\subsection*{Hamiltonian}\n\\begin{itemize}\n");
    if (f->hamiltonian.index) lia_latex_math_define(page, "H", f->hamiltonian);
    if (!f->A && !f->hamiltonian.index && f->h0.index) lia_latex_math_define(page, "H", f->h0);
    if (f->singular) {
        lia_latex_math_say(
            page, "\\item There is none on $T^*M$: $\\partial^2L/\\partial v^2$ is singular.\n");
    }
    if (f->A) add_vertical(page);
    lia_latex_math_say(page, "\\end{itemize}\n");
    if (f->A) {
        lia_latex_math_say(
            page,
            "$A$ is the kinetic connection (the horizontal is $\\dot x = -A\\dot s$), $F$ its "
            "curvature, "
            "$E = h_0 + K_Y$ where the Lagrangian has no terms linear in the velocities.\n\n");
    }
}

// M a on the left, term by term, a minus in front of its term.
static void add_inertia(LiaLatex* page, uint32_t i) {
    uint32_t n = page->e->system->n;
    const LiaExpr* row = page->e->formulas.M + (size_t)i * n;
    bool first = true;
    for (uint32_t j = 0; j < n; j++) {
        char symbol[40];
        if (lia_graph_is_zero(page->g, row[j])) continue;
        snprintf(symbol, sizeof symbol, "M_{%u%u}", i + 1, j + 1);
        lia_latex_math_coefficient(page, row[j], first, symbol);
        lia_latex_math_coordinate(page, j, 2);
        first = false;
    }
    lia_latex_math_say(page, first ? "0" : "");
}

static void begin_item(LiaLatex* page, bool* any) {
    lia_latex_math_say(page, *any ? "\\item $\\displaystyle "
                                  : "\\begin{itemize}\n\\item $\\displaystyle ");
    *any = true;
}

void lia_latex_formulas_motion(LiaLatex* page) {
    const LiaFormulas* f = &page->e->formulas;
    const LiaSystem* s = page->e->system;
    lia_latex_math_say(page, "\\subsection*{Equations of motion}\n");
    if (!f->available) {
        lia_text_add(page->out,
                     "$M a + h = Q + \\Omega^T\\mu$, $J a + \\gamma = 0$: %u equations.\n", s->n);
        return;
    }
    bool any = false, inner = false;
    for (uint32_t k = 0; k < page->e->space->nx; k++) {
        uint32_t i = page->e->space->x[k];
        if (lia_explain_is_inner(page->e, i)) {
            inner = true;
            continue;
        }
        begin_item(page, &any);
        add_inertia(page, i);
        lia_latex_math_say(page, " = ");
        lia_latex_math_formula(page, f->rest[i]);
        lia_latex_math_say(page, "$\n");
    }
    for (uint32_t d = 0; d < s->reduced->drive_count; d++) {
        const LiaDrive* drive = &s->reduced->drives[d];
        begin_item(page, &any);
        lia_latex_math_coordinate(page, drive->coordinate, drive->rate ? 1 : 0);
        lia_latex_math_say(page, " = ");
        lia_latex_math_formula(page, drive->law);
        lia_latex_math_say(page, "$ (driven)\n");
    }
    lia_latex_math_say(page, any ? "\\end{itemize}\n" : "");
    if (inner) {
        lia_latex_math_say(
            page, "Attitudes and directions turn by their own equations, in numbers of unit "
                  "length.\n");
    }
}

void lia_latex_formulas_forces(LiaLatex* page) {
    const LiaSystem* s = page->e->system;
    const LiaFormulas* f = &page->e->formulas;
    bool any = false;
    for (uint32_t r = 0; r < s->row_count && f->force; r++) {
        if (!f->force[r].index) continue;
        lia_latex_math_say(page, any ? "" : "\\subsection*{Forces}\n\\begin{itemize}\n");
        any = true;
        lia_latex_math_say(page, "\\item $\\displaystyle ");
        lia_latex_math_formula(page, lia_graph_symbol(page->g, LIA_SYMBOL_MULTIPLIER, r));
        lia_latex_math_say(page, " = ");
        lia_latex_math_formula(page, f->force[r]);
        bool unique = page->e->classes.constraints[s->rows[r].constraint].unique;
        lia_latex_math_say(page, unique ? "$\n" : "$ (not unique)\n");
    }
    if (any) lia_latex_math_say(page, "\\end{itemize}\n");
}
