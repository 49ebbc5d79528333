// A model of a phase space as a section of a LaTeX document.
// SPDX-License-Identifier: MIT
#include "output/explain/latex/latex.h"

void lia_latex_poisson(LiaLatex* page) {
    const LiaSystem* s = page->e->system;
    const LiaPoisson* p = &page->e->poisson;
    lia_latex_math_say(page, "\\section*{Phase space}\n");
    lia_text_add(page->out, "Dimension %u, bracket of rank %u", p->variables, p->rank);
    if (p->equations) lia_text_add(page->out, ", %u equations of $D$", p->equations);
    lia_latex_math_say(page, ".\n\\begin{itemize}\n");
    lia_latex_math_define(page, "H", s->energy.total);
    for (uint32_t k = 0; k < s->model->phase.brackets_count && k < LIA_LATEX_LINES; k++) {
        const LiaBracket* b = &s->model->phase.brackets[k];
        LiaExpr f = lia_resolve_term(page->e->geometry->resolver, b->term);
        if (b->repeated || lia_graph_is_zero(page->g, f)) continue;
        lia_latex_math_say(page, "\\item $\\{");
        lia_latex_math_coordinate(page, b->first, 0);
        lia_latex_math_say(page, ", ");
        lia_latex_math_coordinate(page, b->second, 0);
        lia_latex_math_say(page, "\\} = ");
        lia_latex_math_formula(page, f);
        lia_latex_math_say(page, "$\n");
    }
    for (uint32_t k = 0; k < s->model->symmetries_count && k < LIA_LATEX_LINES; k++) {
        lia_latex_math_say(page, "\\item Casimir function $");
        lia_latex_math_formula(page, s->observables.momenta[k]);
        lia_latex_math_say(page, "$\n");
    }
    lia_latex_math_say(page, "\\end{itemize}\n");
}
