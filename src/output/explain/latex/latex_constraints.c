// Each constraint: its equations, its kind, its forces. See latex.h.
// SPDX-License-Identifier: MIT
#include "expr/reading/simplify.h"
#include "output/explain/latex/latex.h"

static void add_form(LiaLatex* page, const LiaRow* row) {
    for (uint32_t e = 0; e < row->entries; e++) {
        LiaExpr f = lia_simplify(page->g, row->Omega[e]);
        lia_latex_math_coefficient(page, f, e == 0, "\\dots");
        lia_latex_math_say(page, "\\mathrm{d}");
        lia_latex_math_coordinate(page, row->coordinate[e], 0);
    }
}

static void add_equation(LiaLatex* page, const LiaRow* row) {
    lia_latex_math_say(page, "$\\displaystyle ");
    lia_latex_math_formula(page, row->left);
    lia_latex_math_say(page, " = ");
    lia_latex_math_formula(page, row->right);
    if (row->identical) {
        lia_latex_math_say(page, row->by_mode ? "$ (off at the start)\\\\\n"
                                              : "$ (holds identically)\\\\\n");
        return;
    }
    lia_latex_math_say(page, "$, force along $\\displaystyle ");
    add_form(page, row);
    lia_latex_math_say(page, "$\\\\\n");
}

// Of attitudes, as it is written: all rows of one equation at once.
static void add_quote(LiaLatex* page, const LiaRow* row, const LiaRow* before) {
    LiaText text = {0};
    if (before && before->span.begin == row->span.begin) return;
    lia_explain_quote(page->e, row->span, &text);
    lia_latex_math_say(page, "\\texttt{");
    lia_latex_math_plain(page, text.data ? text.data : "");
    lia_latex_math_say(page, "}\\\\\n");
    lia_text_clear(&text);
}

static void add_equations(LiaLatex* page, uint32_t c) {
    const LiaSystem* s = page->e->system;
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        const LiaRow* row = &s->rows[r];
        if (lia_system_is_slip(s, r)) continue;
        if (lia_explain_has_attitude(page->e, row->equation)) {
            add_quote(page, row, r > s->first_row[c] ? row - 1 : NULL);
        } else {
            add_equation(page, row);
        }
    }
}

static void add_joint(LiaLatex* page, const LiaJointFacts* joint, const LiaConstraintClass* c) {
    lia_latex_math_say(page, "} (");
    lia_latex_math_plain(page, joint->kind);
    lia_latex_math_say(page, " joint of ");
    lia_latex_math_plain(page, joint->bodies[0]);
    lia_latex_math_say(page, " and ");
    lia_latex_math_plain(page, joint->bodies[1]);
    uint32_t left = joint->freedom - joint->taken;
    lia_text_add(page->out, ")\\\\\nLeaves %u of %u parameters", left, joint->freedom);
    if (joint->velocities < left) {
        lia_text_add(page->out, " and %u of %u velocities", joint->velocities, joint->freedom);
    }
    lia_text_add(page->out, ": %u equation%s", c->equations, c->equations == 1 ? "" : "s");
    if (page->e->classes.samples > 0)
        lia_text_add(page->out, ", %u independent among themselves", c->alone);
    lia_latex_math_say(page, ".\\\\\n");
}

static void add_kind(LiaLatex* page, const LiaConstraintClass* c) {
    static const char* const linearities[] = {"linear", "affine", "nonlinear in the velocities"};
    static const char* const forces[] = {"ideal", "Chetaev's",
                                         "given independently of the equation"};
    bool together = c->force == LIA_FORCE_GIVEN && page->e->classes.ideal_together;
    lia_text_add(
        page->out, "%s, %s%s; forces %s%s, they do %swork",
        c->geometric ? "Geometric" : "Kinematic",
        c->geometric ? (c->linearity == LIA_AFFINE ? "moving with time" : "at rest")
                     : linearities[c->linearity],
        c->geometric ? "" : lia_explain_verdict(c->holonomic, ", holonomic", ", not holonomic", ""),
        forces[c->force], together ? " (with those of the other statements ideal)" : "",
        c->workless ? "no " : "");
    if (c->independent != c->equations && page->e->classes.samples > 0) {
        lia_text_add(page->out, "; %u of %u equations independent of those before", c->independent,
                     c->equations);
    }
    if (!c->unique) lia_latex_math_say(page, "; its multipliers are not unique");
}

// The left side is the velocity of a function: perfect, Hamiltonian with h, (H0), (H).
static void add_dazord(LiaLatex* page, uint32_t index) {
    const LiaConstraintClass* c = &page->e->classes.constraints[index];
    const LiaFormulas* formulas = &page->e->formulas;
    lia_text_add(page->out, "; with respect to its left side %s, %s",
                 lia_explain_verdict(c->perfect, "perfect", "imperfect", "perfect or not: open"),
                 lia_explain_verdict(c->hamiltonian, "Hamiltonian", "not Hamiltonian",
                                     "Hamiltonian or not: open"));
    if (formulas->h && formulas->h[index].index) {
        lia_latex_math_say(page, " with $h = ");
        lia_latex_math_formula(page, formulas->h[index]);
        lia_latex_math_say(page, "$");
    }
    lia_text_add(page->out, ", (H$_0$) %s, (H) %s",
                 lia_explain_verdict(c->H0, "holds", "fails", "open"),
                 lia_explain_verdict(c->H, "holds", "fails", "open"));
}

// It holds one way: all other verdicts are of the motion while all contacts are open.
static void add_contact(LiaLatex* page, uint32_t index) {
    const LiaSystem* s = page->e->system;
    lia_latex_math_say(page, "\\item \\textbf{");
    lia_latex_math_plain(page, page->model->constraints[index].name);
    lia_latex_math_say(page, "} (contact)\\\\\n");
    for (uint32_t r = s->first_row[index]; r < s->first_row[index + 1]; r++) {
        bool gap = r == s->first_row[index];
        lia_latex_math_say(page, gap ? "$\\displaystyle " : "slip $\\displaystyle ");
        lia_latex_math_formula(page, s->rows[r].left);
        if (gap) lia_latex_math_say(page, " \\ge ");
        if (gap) lia_latex_math_formula(page, s->rows[r].right);
        lia_latex_math_say(page, "$\\\\\n");
    }
    lia_latex_math_say(page, "It holds one way: what is said elsewhere is of the motion while it "
                             "is open.\n");
}

static void add_constraint(LiaLatex* page, uint32_t index) {
    const LiaConstraintClass* c = &page->e->classes.constraints[index];
    if (page->model->constraints[index].contact) {
        add_contact(page, index);
        return;
    }
    const LiaJointFacts* joint = page->model->constraints[index].joint;
    lia_latex_math_say(page, "\\item \\textbf{");
    lia_latex_math_plain(page, c->name);
    if (joint) {
        add_joint(page, joint, c);
    } else {
        lia_text_add(page->out, "} (%s)\\\\\n",
                     page->model->constraints[index].active ? "operator"
                     : c->active                            ? "active constraint"
                                                            : "constraint");
        add_equations(page, index);
    }
    add_kind(page, c);
    if (c->submersion == LIA_YES) add_dazord(page, index);
    if (c->degree > 0) {
        lia_text_add(page->out, "; its force appears after %u more derivatives", c->degree);
    }
    lia_text_add(page->out, "%s.\n", c->eliminated ? "; eliminated" : "");
}

void lia_latex_constraints(LiaLatex* page) {
    uint32_t count = page->e->classes.constraint_count, shown = 0;
    for (uint32_t i = 0; i < count; i++) shown += !page->e->classes.constraints[i].internal;
    if (shown == 0) return;
    lia_latex_math_say(page, "\\subsection*{Constraints}\n\\begin{itemize}\n");
    for (uint32_t i = 0; i < count && i < LIA_LATEX_LINES; i++) {
        if (!page->e->classes.constraints[i].internal) add_constraint(page, i);
    }
    if (count > LIA_LATEX_LINES)
        lia_text_add(page->out, "\\item and %u more\n", count - LIA_LATEX_LINES);
    lia_latex_math_say(page, "\\end{itemize}\n");
}
