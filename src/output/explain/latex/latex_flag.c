// Holonomic or not, the bracket on D, symmetries that were found: as LaTeX. See latex.h.
// SPDX-License-Identifier: MIT
#include "output/explain/found.h"
#include "output/explain/latex/latex.h"
#include <math.h>

enum { DIGITS_FEW = 3 };

static void add_growth(LiaLatex* page, const LiaGrowth* growth) {
    lia_latex_math_say(page, "$(");
    for (uint32_t i = 0; i < growth->steps; i++)
        lia_text_add(page->out, "%s%u", i ? ", " : "", growth->rank[i]);
    lia_latex_math_say(page, growth->ended ? ")$" : ", \\dots)$");
}

static void add_vectors(LiaLatex* page, const LiaFlag* f) {
    lia_latex_math_say(page, "Growth vector ");
    add_growth(page, &f->lie);
    lia_latex_math_say(page, ", derived flag ");
    add_growth(page, &f->derived);
    lia_text_add(page->out, ", in %u dimension%s%s. ", f->space, f->space == 1 ? "" : "s",
                 f->time ? ", time counted as one" : "");
    if (f->has_start &&
        !(lia_flag_same(&f->lie, &f->start_lie) && lia_flag_same(&f->derived, &f->start_derived))) {
        lia_text_add(page->out, "At %s ", page->e->has_state ? "this state" : "the start");
        add_growth(page, &f->start_lie);
        lia_latex_math_say(page, ", derived flag ");
        add_growth(page, &f->start_derived);
        lia_latex_math_say(page, ". ");
    }
    if (f->kinematic == 0) return;
    lia_text_add(page->out, "Of %u independent kinematic equation%s ", f->kinematic,
                 f->kinematic == 1 ? "" : "s");
    if (f->integrable == 0) lia_latex_math_say(page, "none is holonomic");
    if (f->integrable > 0)
        lia_text_add(page->out, "%u combination%s holonomic (no bracket leaves them, at %u places)",
                     f->integrable, f->integrable == 1 ? " is" : "s are", f->places);
    if (f->integrable < f->kinematic) {
        lia_latex_math_say(page, "; brackets leave what is not by at least ");
        lia_latex_math_number(page, f->margin, DIGITS_FEW);
        lia_latex_math_say(page, " of a direction");
    }
    lia_latex_math_say(page, ". ");
    if (f->integrable == 0 && !f->time)
        lia_latex_math_say(page, "Any two positions can be joined by a motion that the equations "
                                 "admit (Chow). ");
}

static void add_driftless(LiaLatex* page, const LiaDriftless* d) {
    if (!d->known) return;
    lia_latex_math_say(page, "Driftless part: growth vector ");
    add_growth(page, &d->growth);
    lia_text_add(page->out, " in %u dimension%s, ", d->space, d->space == 1 ? "" : "s");
    if (d->integrable > 0) {
        lia_text_add(page->out, "leaves of codimension %u. ", d->integrable);
    } else {
        lia_latex_math_say(page, "any two positions can be joined (Chow). ");
    }
}

static void add_integrals(LiaLatex* page, const LiaFlag* f) {
    bool any = false;
    for (uint32_t c = 0; c < f->combinations && c < LIA_LATEX_LINES; c++) {
        if (!f->integral[c].index) continue;
        lia_latex_math_say(page, any ? ", $" : "Every admissible motion keeps $");
        lia_latex_math_formula(page, f->integral[c]);
        lia_latex_math_say(page, "$");
        any = true;
    }
    lia_latex_math_say(page, any ? ".\n" : "\n");
}

static void add_bracket(LiaLatex* page, const LiaPseudoPoisson* b) {
    if (!b->known) return;
    lia_latex_math_say(page, "\\subsection*{Bracket on $D$}\n");
    for (uint32_t a = 0; b->written && a < b->count; a++) {
        lia_text_add(page->out, "$P_{%u}$ is the momentum of \\texttt{", a + 1);
        lia_latex_math_plain(page, b->field[a] ? b->field[a] : "...");
        lia_latex_math_say(page, "}.\\\\\n");
    }
    for (uint32_t a = 0, pair = 0; b->written && a < b->count; a++) {
        for (uint32_t c = a + 1; c < b->count; c++, pair++) {
            if (!b->bracket[pair]) continue;
            lia_text_add(page->out, "$\\{P_{%u}, P_{%u}\\} =$ \\texttt{", a + 1, c + 1);
            lia_latex_math_plain(page, b->bracket[pair]);
            lia_latex_math_say(page, "}.\\\\\n");
        }
    }
    lia_text_add(page->out, "It is %sPoisson; the motion is %s$\\{\\cdot, H\\}$.\n",
                 b->poisson ? "" : "not ", b->motion ? "" : "not ");
}

static void add_list(LiaLatex* page, const LiaFoundList* list, const char* kind) {
    const LiaSearch* search = &page->e->classes.search;
    for (uint32_t i = 0; i < list->count && i < LIA_LATEX_LINES; i++) {
        const LiaFound* f = &list->found[i];
        LiaText text = {0};
        if (f->declared || f->empty) continue;
        lia_search_text(search, f->c, &text);
        lia_latex_math_say(page, "\\item \\texttt{");
        lia_latex_math_plain(page, text.data ? text.data : "");
        page->out->failed |= text.failed;
        lia_text_clear(&text);
        lia_text_add(page->out, "}: %s", kind);
        LiaExpr momentum = lia_found_momentum(page->e, f);
        bool shown = momentum.index && !lia_explain_has_attitude(page->e, momentum);
        if (shown) {
            lia_latex_math_say(page, f->energy != 0.0 ? ", $E + " : ", $");
            lia_latex_math_formula(page, momentum);
            lia_latex_math_say(page, "$");
        }
        if (isfinite(f->value)) {
            lia_latex_math_say(page, ", at the start ");
            lia_latex_math_number(page, f->value, LIA_LATEX_DIGITS);
        }
        lia_latex_math_say(page, ".\n");
    }
}

static uint32_t listed(const LiaFoundList* list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        count += !list->found[i].declared && !list->found[i].empty;
    return count;
}

void lia_latex_flag_found(LiaLatex* page) {
    const LiaSearch* s = &page->e->classes.search;
    if (!s->known || listed(&s->second) + listed(&s->constant) + listed(&s->moving) == 0) return;
    lia_text_add(page->out,
                 "\\subsection*{Found}\nCombinations of %u generators, at %u states.\n"
                 "\\begin{itemize}\n",
                 s->candidates.count, s->states);
    add_list(page, &s->second, "second type, the momentum is constant");
    add_list(page, &s->constant, "the momentum is constant on admissible states");
    add_list(page, &s->moving, "moving energy");
    lia_latex_math_say(page, "\\end{itemize}\n");
}

void lia_latex_flag(LiaLatex* page) {
    const LiaFlag* f = &page->e->classes.flag;
    if (!f->known) return;
    lia_latex_math_say(page, "\\subsection*{Holonomic or not}\n");
    add_vectors(page, f);
    add_driftless(page, &f->driftless);
    add_integrals(page, f);
    if (f->kinematic > 0) add_bracket(page, &f->bracket);
}
