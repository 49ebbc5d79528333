// What a system is, as a LaTeX document. Formulas are set in the line, so that TeX can break them; it needs
// amsmath and geometry, which every TeX has. Names of the user's are written as mathematics (theta1 is
// \theta_1); a momentum is p with the coordinate below, a multiplier mu with the constraint below.
// SPDX-License-Identifier: MIT
#include "../expr/print.h"
#include "../expr/simplify.h"
#include "explain.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

enum { LINES_MOST = 60, DIGITS = 8, DIGITS_FEW = 6 };

typedef struct Page {
    LiaText* out;
    LiaExplanation* e;
    LiaGraph* g;
    const LiaModel* model;
} Page;

// --- characters --------------------------------------------------------------------------------

static size_t character(const char* at, unsigned* code) {
    const unsigned char* s = (const unsigned char*)at;
    size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : s[0] >= 0xC2 ? 2 : 1;
    *code = n == 1 ? s[0] : s[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80) {
            *code = 0xFFFD;
            return i;
        }
        *code = *code << 6 | (s[i] & 0x3F);
    }
    if (n == 1 && s[0] >= 0x80) *code = 0xFFFD;
    return n;
}

// A character beyond ASCII: what LaTeX knows by itself, Greek as mathematics, else a question mark.
static void add_character(LiaText* out, const char* at, size_t bytes, unsigned code, bool math) {
    if (code >= 0xC0 && code <= 0x17F) {
        lia_text_add(out, math ? "\\text{" : "");
        lia_text_add_bytes(out, at, bytes);
        lia_text_add(out, math ? "}" : "");
    } else if (code >= 0x391 && code <= 0x3D6) {
        char one[8] = {0};
        memcpy(one, at, bytes < 7 ? bytes : 7);
        LiaText name = {0};
        lia_expr_latex_name(one, 0, &name);
        bool known = name.data && name.data[0] == '\\';
        lia_text_add(out, known ? (math ? "%s{}" : "$%s$") : "?", known ? name.data : "");
        lia_text_clear(&name);
    } else {
        lia_text_add(out, "?");
    }
}

static void add_plain(Page* page, const char* text) {
    while (*text) {
        unsigned code;
        size_t n = character(text, &code);
        if (code >= 0x80) {
            add_character(page->out, text, n, code, false);
        } else if (strchr("&%$#_{}", *text)) {
            lia_text_add(page->out, "\\%c", *text);
        } else if (*text == '\\') {
            lia_text_add(page->out, "\\textbackslash{}");
        } else if (*text == '~' || *text == '^') {
            lia_text_add(page->out, "\\%c{}", *text);
        } else if (*text == '<' || *text == '>') {
            lia_text_add(page->out, "$%c$", *text);
        } else if ((unsigned char)*text >= 0x20) {
            lia_text_add_bytes(page->out, text, 1);
        } else {
            lia_text_add(page->out, " ");
        }
        text += n;
    }
}

// The brace that closes the one at `open`, or the end.
static const char* closing(const char* open, const char* end) {
    int depth = 0;
    for (const char* at = open; at < end; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
        } else if (*at == '{') {
            depth++;
        } else if (*at == '}' && --depth == 0) {
            return at;
        }
    }
    return end;
}

static void add_bytes(Page* page, const char* at, const char* end) {
    while (at < end) {
        unsigned code;
        size_t n = character(at, &code);
        if (code >= 0x80) {
            add_character(page->out, at, n, code, true);
        } else {
            lia_text_add_bytes(page->out, at, n);
        }
        at += n;
    }
}

static bool begins(const char* at, const char* end, const char* word) {
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

enum { PIECE_MOST = 60, DEPTH_MOST = 8 };  // letters that fit a line as one piece

// About how wide TeX sets a piece of mathematics, in letters: a command is one, those that only arrange others are
// none, a sign with the room about it is two. Fractions count above and below: too wide is the safe side.
static int letters(const char* at, const char* end) {
    static const char* const arranges[] = {"left", "right", "dot", "ddot", "frac", "mathrm"};
    int width = 0;
    while (at < end) {
        if (*at == '\\') {
            const char* name = ++at;
            while (at < end && isalpha((unsigned char)*at)) at++;
            size_t length = (size_t)(at - name);
            bool counts = length > 0;
            for (size_t i = 0; i < sizeof arranges / sizeof *arranges; i++) {
                bool same = strlen(arranges[i]) == length && memcmp(name, arranges[i], length) == 0;
                counts = counts && !same;
            }
            width += counts;
            at += length == 0 && at < end;  // \, and the like
        } else {
            width += *at == '+' || *at == '-' || *at == '=' ? 2 : strchr("{}^_ ", *at) ? 0 : 1;
            at++;
        }
    }
    return width;
}

// Mathematics made elsewhere, so that TeX can break it where it is too long for a line: brackets outside of braces are
// not \left and \right, which keep all between them in one piece; a long fraction is written with a slash, a long
// root as a power.
static void add_breakable(Page* page, const char* at, const char* end, int depth) {
    while (at < end) {
        if (begins(at, end, "\\left(")) {
            lia_text_add(page->out, "\\allowbreak\\bigl(");
            at += strlen("\\left(");
        } else if (begins(at, end, "\\right)")) {
            at += strlen("\\right)");
            bool power = at < end && (*at == '^' || *at == '_');
            lia_text_add(page->out, power ? "\\bigr)" : "\\bigr)\\allowbreak{}");
        } else if (begins(at, end, "\\frac{")) {
            const char *above = at + strlen("\\frac"), *middle = closing(above, end);
            const char *below = middle + 1, *last = below < end ? closing(below, end) : end;
            if (last < end && depth < DEPTH_MOST &&
                (letters(above, middle) > PIECE_MOST || letters(below, last) > PIECE_MOST)) {
                lia_text_add(page->out, "\\allowbreak\\Bigl[\\bigl(");
                add_breakable(page, above + 1, middle, depth + 1);
                lia_text_add(page->out, "\\bigr)\\big/\\allowbreak\\bigl(");
                add_breakable(page, below + 1, last, depth + 1);
                lia_text_add(page->out, "\\bigr)\\Bigr]\\allowbreak{}");
                at = last + 1;
            } else {
                const char* stop = last < end ? last + 1 : end;
                add_bytes(page, at, stop);
                at = stop;
            }
        } else if (begins(at, end, "\\sqrt{") && depth < DEPTH_MOST &&
                   letters(at, closing(at + strlen("\\sqrt"), end)) > PIECE_MOST) {
            const char *open = at + strlen("\\sqrt"), *last = closing(open, end);
            lia_text_add(page->out, "\\allowbreak\\bigl(");
            add_breakable(page, open + 1, last, depth + 1);
            lia_text_add(page->out, "\\bigr)^{1/2}\\allowbreak{}");
            at = last < end ? last + 1 : end;
        } else if (*at == '{') {
            const char* stop = closing(at, end);
            stop = stop < end ? stop + 1 : end;
            add_bytes(page, at, stop);
            at = stop;
        } else {
            unsigned code;
            size_t n = character(at, &code);
            add_bytes(page, at, at + n < end ? at + n : end);
            at += n;
        }
    }
}

static void add_math(Page* page, const LiaText* math) {
    if (math->data) add_breakable(page, math->data, math->data + strlen(math->data), 0);
    page->out->failed |= math->failed;
}

static bool is_long(const Page* page, LiaExpr f) {
    return lia_expr_length(page->g, f) > 2 * LIA_FORMULA_LENGTH;
}

static void formula(Page* page, LiaExpr f) {
    LiaText math = {0};
    if (is_long(page, f)) {  // also because the printer cuts what is far too long, braces and all
        lia_text_add(page->out, "\\dots");
        return;
    }
    lia_expr_latex(page->g, f, &math);
    add_math(page, &math);
    lia_text_clear(&math);
}

static void name(Page* page, const char* text, int dots) {
    LiaText math = {0};
    lia_expr_latex_name(text, dots, &math);
    add_math(page, &math);
    lia_text_clear(&math);
}

static void coordinate(Page* page, uint32_t i, int dots) {
    name(page, page->model->coordinates[i].name, dots);
}

static void say(Page* page, const char* text) { lia_text_add(page->out, "%s", text); }

// "\item $left = f$"
static void item(Page* page, const char* left, LiaExpr f) {
    lia_text_add(page->out, "\\item $\\displaystyle %s = ", left);
    formula(page, lia_expr_simplify(page->g, f));
    say(page, "$\n");
}

static void number_with(Page* page, double x, int digits) {
    if (!isfinite(x)) {
        say(page, "--");
        return;
    }
    LiaText text = {0};
    lia_text_add_short(&text, x == 0.0 ? 0.0 : x, digits);
    const char* e = text.data ? strchr(text.data, 'e') : NULL;
    if (e) {
        const char* power = e[1] == '+' ? e + 2 : e + 1;
        bool minus = *power == '-';
        power += minus;
        power += strspn(power, "0");
        lia_text_add(page->out, "$%.*s\\cdot 10^{%s%s}$", (int)(e - text.data), text.data,
                     minus ? "-" : "", *power ? power : "0");
    } else {
        lia_text_add(page->out, "$%s$", text.data ? text.data : "");
    }
    lia_text_clear(&text);
}

static void number(Page* page, double x) { number_with(page, x, DIGITS); }

// --- the page ----------------------------------------------------------------------------------

// Momenta and multipliers get names that read as mathematics.
static bool rename_symbols(Page* page) {
    const LiaSystem* s = page->e->system;
    LiaArena* arena = page->e->geometry->arena;
    for (uint32_t i = 0; i < s->n; i++) {
        const char* made = lia_arena_printf(arena, "p_%s", page->model->coordinates[i].name);
        if (!made) return false;
        lia_graph_name(page->g, LIA_SYMBOL_MOMENTUM, i, made);
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

static void add_head(Page* page) {
    say(page, "% written by liaison explain --latex\n"
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
    add_plain(page, page->model->name);
    if (page->model->title) {
        say(page, ": ");
        add_plain(page, page->model->title);
    }
    say(page, "}\n");
}

static void add_remaining(Page* page, const LiaClassification* c) {
    if (c->uncoupled) {
        add_plain(page, c->uncoupled);
        say(page, ".\n");
    }
    if (c->remaining < 0) return;
    lia_text_add(page->out, "What servos leave free, %d of the state's numbers, ", c->remaining);
    if (c->remaining_rate == 0.0) {
        say(page, "neither grows nor dies out by itself.\n");
        return;
    }
    say(page, c->remaining_rate > 0.0
                  ? "is unstable: a small deviation grows like $e^{\\lambda t}$"
                  : "is stable: a small deviation dies out like $e^{\\lambda t}$");
    say(page, ", $\\lambda = $ ");
    number(page, c->remaining_rate);
    say(page, ".\n");
}

static void add_dimensions(Page* page) {
    const LiaClassification* c = &page->e->classes;
    const LiaPhaseSpace* space = page->e->space;
    say(page, "\\subsection*{What it is}\nCoordinates ");
    for (uint32_t i = 0; i < space->nx && i < LINES_MOST; i++) {
        say(page, i ? ", $" : "$");
        coordinate(page, space->x[i], 0);
        say(page, "$");
    }
    if (space->nx == 0) say(page, "none");
    if (space->ns) say(page, "; driven ones ");
    for (uint32_t i = 0; i < space->ns && i < LINES_MOST; i++) {
        say(page, i ? ", $" : "$");
        coordinate(page, space->s[i], 0);
        say(page, "$");
    }
    lia_text_add(page->out,
                 ".\n\n\\medskip\n\\begin{tabular}{lrl}\n"
                 "$M$ & %u & configurations\\\\\n$S$ & %u & what operators drive\\\\\n"
                 "$C$, $D$ & %u & states the passive constraints admit\\\\\n"
                 "$W$ & %u & rank of the forces of the passive constraints\\\\\n"
                 "$V^*M$ & %u & where the motion lives\\\\\n\\end{tabular}\n\n\\medskip\n",
                 c->M, c->S, c->C, c->W, c->VstarM);
    lia_text_add(page->out, "Left to the motion: %u positions, %u velocities. ", c->positions,
                 c->velocities);
    lia_text_add(page->out, "The Lagrangian is %squadratic in the velocities. ",
                 page->e->geometry->quadratic ? "" : "not ");
    if (c->samples > 0) {
        lia_text_add(page->out, "The system is %sregular", c->regular ? "" : "not ");
        if (isfinite(c->regularity)) {
            say(page, " (coupling number ");
            number(page, c->regularity);
            say(page, ")");
        }
        say(page, ".\n");
        add_remaining(page, c);
    }
    say(page, "\n");
}

static void add_form(Page* page, const LiaRow* row) {
    bool first = true;
    for (uint32_t e = 0; e < row->entries; e++) {
        uint32_t i = row->coordinate[e];
        LiaNumber c;
        LiaExpr f = lia_expr_simplify(page->g, row->Omega[e]);
        if (is_long(page, f)) {
            say(page, first ? "\\dots\\," : " + \\dots\\,");
            say(page, "\\mathrm{d}");
            coordinate(page, i, 0);
            first = false;
            continue;
        }
        const LiaNode* node = lia_graph_node(page->g, f);
        bool sum = node->op == LIA_OP_ADD || node->op == LIA_OP_SUB;
        bool one = lia_graph_constant(page->g, f, &c) && fabs(c.value) == 1.0;
        LiaText math = {0};
        lia_expr_latex(page->g, f, &math);
        bool minus = !sum && math.data && math.data[0] == '-';
        say(page, first ? (minus ? "-" : "") : minus ? " - " : " + ");
        if (!one) {
            say(page, sum ? "(" : "");
            LiaText rest = {math.data ? math.data + minus : NULL, math.length, math.capacity,
                            math.failed};
            add_math(page, &rest);
            say(page, sum ? ")\\," : "\\,");
        }
        say(page, "\\mathrm{d}");
        coordinate(page, i, 0);
        lia_text_clear(&math);
        first = false;
    }
}

static const char* verdict(LiaVerdict v, const char* yes, const char* no, const char* open) {
    return v == LIA_YES ? yes : v == LIA_NO ? no : open;
}

static void add_constraint(Page* page, uint32_t index) {
    static const char* const linearities[] = {"linear", "affine", "nonlinear in the velocities"};
    static const char* const forces[] = {"ideal", "Chetaev's",
                                         "given independently of the equation"};
    const LiaSystem* s = page->e->system;
    const LiaConstraintClass* c = &page->e->classes.constraints[index];
    say(page, "\\item \\textbf{");
    add_plain(page, c->name);
    lia_text_add(page->out, "} (%s)\\\\\n",
                 page->model->constraints[index].active ? "operator"
                 : c->active                            ? "active constraint"
                                                        : "constraint");
    for (uint32_t r = s->first_row[index]; r < s->first_row[index + 1]; r++) {
        const LiaRow* row = &s->rows[r];
        say(page, "$\\displaystyle ");
        formula(page, row->left);
        say(page, " = ");
        formula(page, row->right);
        say(page, "$");
        if (row->identical) {
            say(page, " (holds identically)\\\\\n");
            continue;
        }
        say(page, ", force along $\\displaystyle ");
        add_form(page, row);
        say(page, "$\\\\\n");
    }
    lia_text_add(page->out, "%s, %s%s; forces %s, they do %swork",
                 c->geometric ? "Geometric" : "Kinematic",
                 c->geometric ? (c->linearity == LIA_AFFINE ? "moving with time" : "at rest")
                              : linearities[c->linearity],
                 c->geometric ? "" : verdict(c->holonomic, ", holonomic", ", not holonomic", ""),
                 forces[c->force], c->workless ? "no " : "");
    if (c->independent != c->equations) {
        lia_text_add(page->out, "; %u of %u equations independent of those before", c->independent,
                     c->equations);
    }
    if (!c->unique) say(page, "; its multipliers are not unique");
    if (c->submersion == LIA_YES) {
        lia_text_add(
            page->out, "; with respect to its left side %s, %s",
            verdict(c->perfect, "perfect", "imperfect", "perfect or not: open"),
            verdict(c->hamiltonian, "Hamiltonian", "not Hamiltonian", "Hamiltonian or not: open"));
        if (page->e->formulas.h && page->e->formulas.h[index].index) {
            say(page, " with $h = ");
            formula(page, page->e->formulas.h[index]);
            say(page, "$");
        }
        lia_text_add(page->out, ", (H$_0$) %s, (H) %s", verdict(c->H0, "holds", "fails", "open"),
                     verdict(c->H, "holds", "fails", "open"));
    }
    if (c->hidden > 0)
        lia_text_add(page->out, "; its force appears after %u more derivatives", c->hidden);
    lia_text_add(page->out, "%s.\n", c->eliminated ? "; eliminated" : "");
}

static void add_constraints(Page* page) {
    uint32_t count = page->e->classes.constraint_count, shown = 0;
    for (uint32_t i = 0; i < count; i++) shown += !page->e->classes.constraints[i].internal;
    if (shown == 0) return;
    say(page, "\\subsection*{Constraints}\n\\begin{itemize}\n");
    for (uint32_t i = 0; i < count && i < LINES_MOST; i++) {
        if (!page->e->classes.constraints[i].internal) add_constraint(page, i);
    }
    if (count > LINES_MOST) lia_text_add(page->out, "\\item and %u more\n", count - LINES_MOST);
    say(page, "\\end{itemize}\n");
}

static void add_energy(Page* page) {
    const LiaSystem* s = page->e->system;
    say(page, "\\subsection*{Energy}\n$E = v\\,\\partial L/\\partial v - L$, with $L = ");
    formula(page, lia_expr_simplify(page->g, s->lagrangian));
    lia_text_add(page->out,
                 "$. It is %sconserved: ", page->e->classes.energy_conserved ? "" : "not ");
    add_plain(page, page->e->classes.energy_law);
    say(page, ".\n");
    bool any = false;
    for (uint32_t l = 0, shown = 0; l < s->line_count && shown < LINES_MOST; l++) {
        if (!page->e->classes.line_feeds[l]) continue;
        say(page, any ? "" : "\\begin{itemize}\n");
        any = true;
        say(page, "\\item power(");
        add_plain(page, s->lines[l].name);
        say(page, ") $\\displaystyle = ");
        formula(page, lia_expr_simplify(page->g, s->lines[l].power));
        say(page, "$\n");
        shown++;
    }
    say(page, any ? "\\end{itemize}\n" : "\n");
}

static void add_symmetries(Page* page) {
    const LiaClassification* c = &page->e->classes;
    if (c->symmetry_count == 0) return;
    say(page, "\\subsection*{Symmetries}\n\\begin{itemize}\n");
    for (uint32_t i = 0; i < c->symmetry_count && i < LINES_MOST; i++) {
        const LiaSymmetryClass* s = &c->symmetries[i];
        say(page, "\\item \\textbf{");
        add_plain(page, s->name);
        say(page, "}: momentum $\\displaystyle ");
        formula(page, lia_expr_simplify(page->g, s->momentum));
        lia_text_add(page->out, "$; the Lagrangian is %sinvariant; %s; %s.\n",
                     s->lagrangian_invariant ? "" : "not ",
                     s->first_type ? "of the first type (the system reduces)"
                                   : "not of the first type",
                     s->second_type ? "of the second type (the momentum is constant)"
                     : s->constant  ? "not of the second type, but the momentum was found constant"
                                    : "the momentum is not constant");
    }
    say(page, "\\end{itemize}\n");
}

static void add_entry(Page* page, const char* letter, uint32_t up, const uint32_t* down, int count,
                      LiaExpr f) {
    if (!f.index || lia_graph_is_zero(page->g, f)) return;
    lia_text_add(page->out, "\\item $\\displaystyle %s^{", letter);
    coordinate(page, up, 0);
    say(page, "}_{");
    for (int i = 0; i < count; i++) {
        say(page, i ? "\\," : "");
        coordinate(page, down[i], 0);
    }
    say(page, "} = ");
    formula(page, f);
    say(page, "$\n");
}

static void add_hamiltonian(Page* page) {
    const LiaFormulas* f = &page->e->formulas;
    const LiaPhaseSpace* space = page->e->space;
    if (!f->available || !page->e->geometry->quadratic) return;
    if (!f->hamiltonian.index && !f->singular && !f->h0.index) return;
    say(page, "\\subsection*{Hamiltonian}\n\\begin{itemize}\n");
    if (f->hamiltonian.index) item(page, "H", f->hamiltonian);
    if (!f->A && !f->hamiltonian.index && f->h0.index) item(page, "H", f->h0);
    if (f->singular)
        say(page, "\\item There is none on $T^*M$: $\\partial^2L/\\partial v^2$ is singular.\n");
    if (f->A) {
        if (f->h0.index) item(page, "h_0", f->h0);
        if (f->K_Y.index) item(page, "K_Y", f->K_Y);
        for (uint32_t a = 0; a < space->ns; a++) {
            if (!f->momentum[a].index) continue;
            say(page, "\\item $\\displaystyle p_{");
            coordinate(page, space->s[a], 0);
            say(page, "} = ");
            formula(page, f->momentum[a]);
            say(page, "$\n");
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
    say(page, "\\end{itemize}\n");
    if (f->A) {
        say(page,
            "$A$ is the kinetic connection (the horizontal is $\\dot x = -A\\dot s$), $F$ its "
            "curvature, "
            "$E = h_0 + K_Y$ where the Lagrangian has no terms linear in the velocities.\n\n");
    }
}

// M a on the left, term by term, a minus in front of its term.
static void add_inertia(Page* page, uint32_t i) {
    const LiaFormulas* f = &page->e->formulas;
    uint32_t n = page->e->system->n;
    bool first = true;
    for (uint32_t j = 0; j < n; j++) {
        LiaExpr entry = f->M[i * n + j];
        if (lia_graph_is_zero(page->g, entry)) continue;
        LiaNumber c;
        const LiaNode* node = lia_graph_node(page->g, entry);
        bool sum = node->op == LIA_OP_ADD || node->op == LIA_OP_SUB;
        bool one = lia_graph_constant(page->g, entry, &c) && fabs(c.value) == 1.0;
        bool far = !one && is_long(page, entry);
        LiaText math = {0};
        if (!far) lia_expr_latex(page->g, entry, &math);
        bool minus = !far && !sum && math.data && math.data[0] == '-';
        say(page, first ? (minus ? "-" : "") : minus ? " - " : " + ");
        if (far) {
            lia_text_add(page->out, "M_{%u%u}\\,", i + 1, j + 1);
        } else if (!one) {
            LiaText rest = {math.data ? math.data + minus : NULL, math.length, math.capacity,
                            math.failed};
            say(page, sum ? "(" : "");
            add_math(page, &rest);
            say(page, sum ? ")\\," : "\\,");
        }
        coordinate(page, j, 2);
        lia_text_clear(&math);
        first = false;
    }
    say(page, first ? "0" : "");
}

static void begin_item(Page* page, bool* any) {
    say(page, *any ? "\\item $\\displaystyle " : "\\begin{itemize}\n\\item $\\displaystyle ");
    *any = true;
}

static void add_motion(Page* page) {
    const LiaFormulas* f = &page->e->formulas;
    const LiaSystem* s = page->e->system;
    say(page, "\\subsection*{Equations of motion}\n");
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
        say(page, " = ");
        formula(page, f->rest[i]);
        say(page, "$\n");
    }
    for (uint32_t d = 0; d < s->reduced->drive_count; d++) {
        const LiaDrive* drive = &s->reduced->drives[d];
        begin_item(page, &any);
        coordinate(page, drive->coordinate, drive->rate ? 1 : 0);
        say(page, " = ");
        formula(page, drive->law);
        say(page, "$ (driven)\n");
    }
    say(page, any ? "\\end{itemize}\n" : "");
    if (inner) {
        say(page, "Attitudes and directions turn by their own equations, in numbers of unit "
                  "length.\n");
    }
}

static void add_forces(Page* page) {
    const LiaSystem* s = page->e->system;
    const LiaFormulas* f = &page->e->formulas;
    bool any = false;
    for (uint32_t r = 0; r < s->row_count && f->force; r++) {
        if (!f->force[r].index) continue;
        say(page, any ? "" : "\\subsection*{Forces}\n\\begin{itemize}\n");
        any = true;
        say(page, "\\item $\\displaystyle ");
        formula(page, lia_graph_symbol(page->g, LIA_SYMBOL_MULTIPLIER, r));
        say(page, " = ");
        formula(page, f->force[r]);
        bool unique = page->e->classes.constraints[s->rows[r].constraint].unique;
        say(page, unique ? "$\n" : "$ (not unique)\n");
    }
    if (any) say(page, "\\end{itemize}\n");
}

static void add_choices(Page* page) {
    const LiaSystem* s = page->e->system;
    const char* at = page->e->choices.data;
    if (s->choice_count == 0 && !(at && *at)) return;
    say(page, "\\subsection*{Choices}\n\\begin{itemize}\n");
    for (uint32_t i = 0; i < s->choice_count && i < LINES_MOST; i++) {
        say(page, "\\item ");
        add_plain(page, s->choices[i]);
        say(page, "\n");
    }
    for (int shown = 0; at && *at && shown < LINES_MOST; shown++) {
        char line[512];
        size_t length = strcspn(at, "\n"), kept = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, at, kept);
        line[kept] = '\0';
        say(page, "\\item ");
        add_plain(page, line);
        say(page, "\n");
        at += length + (at[length] == '\n');
    }
    say(page, "\\end{itemize}\n");
}

// --- at a state --------------------------------------------------------------------------------

static void add_fields(Page* page) {
    static const struct {
        LiaFieldId id;
        const char* name;
    } columns[] = {{LIA_FIELD_D_Y, "D_Y"},
                   {LIA_FIELD_D_0, "D_0"},
                   {LIA_FIELD_MINUS_X_K, "-X_K"},
                   {LIA_FIELD_H_Y, "H(Y)"},
                   {LIA_FIELD_ETA, "\\Lambda^\\sharp\\eta"},
                   {LIA_FIELD_Z, "-Z"},
                   {LIA_FIELD_Q, "Q"}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const LiaFields* f = &page->e->fields;
    say(page, "\\subsection*{The motion at $t = ");
    LiaText t = {0};
    lia_text_add_short(&t, page->e->t, DIGITS);
    say(page, t.data ? t.data : "");
    lia_text_clear(&t);
    say(page, "$}\n");
    if (!f->field[LIA_FIELD_D_Y]) {
        say(page, "There is none: ");
        add_plain(page, f->why ? f->why : "it cannot be computed");
        say(page, ".\n");
        return;
    }
    bool shown[COLUMNS] = {false};
    int count = 0;
    for (int k = 0; k < COLUMNS; k++) {
        const double* rows = f->field[columns[k].id];
        shown[k] = columns[k].id == LIA_FIELD_D_Y;
        for (uint32_t r = 0; rows && r < f->rows; r++) shown[k] |= rows[r] != 0.0;
        count += shown[k];
    }
    lia_text_add(
        page->out,
        "{\\footnotesize\\setlength{\\tabcolsep}{3pt}\n\\begin{tabular}{l*{%d}{r}}\n & value",
        count + 1);
    for (int k = 0; k < COLUMNS; k++) {
        if (shown[k]) lia_text_add(page->out, " & $%s$", columns[k].name);
    }
    say(page, "\\\\\n\\hline\n");
    for (uint32_t r = 0; r < f->rows && r < LINES_MOST; r++) {
        uint32_t i = r < f->n ? r : f->x[r - f->n];
        say(page, r < f->n ? "$" : "$p_{");
        coordinate(page, i, 0);
        say(page, r < f->n ? "$ & " : "}$ & ");
        number_with(page, r < f->n ? f->q[i] : f->p[i], DIGITS_FEW);
        for (int k = 0; k < COLUMNS; k++) {
            if (!shown[k]) continue;
            double x = f->field[columns[k].id][r];
            say(page, " & ");
            number_with(page, columns[k].id == LIA_FIELD_Z ? -x : x, DIGITS_FEW);
        }
        say(page, "\\\\\n");
    }
    say(page, "\\end{tabular}}\n\n\\medskip\n");
    if (f->split) {
        say(page, "$D_Y = D_0 - X_K + H(Y) + \\Lambda^\\sharp\\eta - Z$ within ");
    } else {
        say(page, "$D_Y = Y + X_R$ within ");
    }
    number(page, f->defect);
    say(page, " of the largest term.\n");
}

void lia_explain_latex(LiaExplanation* e, LiaText* out) {
    Page page = {out, e, e->geometry->graph, e->system->model};
    if (!rename_symbols(&page)) {
        out->failed = 1;
        return;
    }
    add_head(&page);
    add_dimensions(&page);
    add_constraints(&page);
    add_energy(&page);
    add_symmetries(&page);
    add_hamiltonian(&page);
    add_motion(&page);
    add_forces(&page);
    add_choices(&page);
    if (e->has_state) add_fields(&page);
    say(&page, "\\end{document}\n");
}
