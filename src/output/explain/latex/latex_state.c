// The motion at a state, taken apart: the fields side by side. See latex.h.
// SPDX-License-Identifier: MIT
#include "output/explain/latex/latex.h"

enum { DIGITS_FEW = 6 };

static void add_row(LiaLatex* page, uint32_t r, const bool* shown) {
    const LiaFields* f = &page->e->fields;
    uint32_t i = r < f->n ? r : f->x[r - f->n];
    lia_latex_math_say(page, r < f->n ? "$" : "$p_{");
    lia_latex_math_coordinate(page, i, 0);
    lia_latex_math_say(page, r < f->n ? "$ & " : "}$ & ");
    lia_latex_math_number(page, r < f->n ? f->state.q[i] : f->momentum[r - f->n], DIGITS_FEW);
    for (int k = 0; k < LIA_FIELD_COLUMNS; k++) {
        if (!shown[k]) continue;
        double x = f->field[lia_explain_columns[k].id][r];
        lia_latex_math_say(page, " & ");
        lia_latex_math_number(page, lia_explain_column_value(k, x), DIGITS_FEW);
    }
    lia_latex_math_say(page, "\\\\\n");
}

// The fields side by side; columns that are zero everywhere are left out.
static void add_table(LiaLatex* page) {
    const LiaFields* f = &page->e->fields;
    bool shown[LIA_FIELD_COLUMNS];
    int count = 0;
    for (int k = 0; k < LIA_FIELD_COLUMNS; k++) {
        shown[k] = lia_explain_column_counts(f, k);
        count += shown[k];
    }
    lia_text_add(
        page->out,
        "{\\footnotesize\\setlength{\\tabcolsep}{3pt}\n\\begin{tabular}{l*{%d}{r}}\n & value",
        count + 1);
    for (int k = 0; k < LIA_FIELD_COLUMNS; k++) {
        if (shown[k]) lia_text_add(page->out, " & $%s$", lia_explain_columns[k].latex);
    }
    lia_latex_math_say(page, "\\\\\n\\hline\n");
    for (uint32_t r = 0; r < f->rows && r < LIA_LATEX_LINES; r++) add_row(page, r, shown);
    lia_latex_math_say(page, "\\end{tabular}}\n\n\\medskip\n");
}

void lia_latex_state(LiaLatex* page) {
    const LiaFields* f = &page->e->fields;
    lia_latex_math_say(page, "\\subsection*{The motion at $t = ");
    lia_text_add_short(page->out, page->e->t, LIA_LATEX_DIGITS);
    lia_latex_math_say(page, "$}\n");
    if (!f->field[LIA_FIELD_D_Y]) {
        lia_latex_math_say(page, "There is none: ");
        lia_latex_math_plain(page, f->why ? f->why : "it cannot be computed");
        lia_latex_math_say(page, ".\n");
        return;
    }
    add_table(page);
    lia_latex_math_say(page, f->split
                                 ? "$D_Y = D_0 - X_K + H(Y) + \\Lambda^\\sharp\\eta - Z$ within "
                                 : "$D_Y = Y + X_R$ within ");
    lia_latex_math_number(page, f->defect, LIA_LATEX_DIGITS);
    lia_latex_math_say(page, " of the largest term.\n");
}
