// Text and mathematics in LaTeX. Formulas are set in the line, so that TeX can break them. Names of
// the user's are written as mathematics (theta1 is \theta_1). See latex.h.
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "expr/reading/simplify.h"
#include "output/explain/latex/latex.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

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
        lia_formula_latex_name(one, 0, &name);
        bool known = name.data && name.data[0] == '\\';
        lia_text_add(out, known ? (math ? "%s{}" : "$%s$") : "?", known ? name.data : "");
        lia_text_clear(&name);
    } else {
        lia_text_add(out, "?");
    }
}

void lia_latex_math_plain(LiaLatex* page, const char* text) {
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
        } else if ((unsigned char)*text >= 0x20 && *text != 0x7F) {
            lia_text_add_bytes(page->out, text, 1);
        } else {
            lia_text_add(page->out, " ");
        }
        text += n;
    }
}

// --- mathematics that TeX can break ------------------------------------------------------------

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

static void add_bytes(LiaLatex* page, const char* at, const char* end) {
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

// About how wide TeX sets a piece of mathematics, in letters: a command is one, those that only
// arrange others are none, a sign with the room about it is two. Fractions count above and below:
// too wide is the safe side.
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

static void add_breakable(LiaLatex* page, const char* at, const char* end, int depth);

// "\frac{above}{below}" at `at`; with a slash where it is too long for a line. Returns what
// follows.
static const char* add_fraction(LiaLatex* page, const char* at, const char* end, int depth) {
    const char *above = at + strlen("\\frac"), *middle = closing(above, end);
    const char *below = middle + 1, *last = below < end ? closing(below, end) : end;
    bool wide = letters(above, middle) > PIECE_MOST || letters(below, last) > PIECE_MOST;
    if (last >= end || depth >= DEPTH_MOST || !wide) {
        const char* stop = last < end ? last + 1 : end;
        add_bytes(page, at, stop);
        return stop;
    }
    lia_text_add(page->out, "\\allowbreak\\Bigl[\\bigl(");
    add_breakable(page, above + 1, middle, depth + 1);
    lia_text_add(page->out, "\\bigr)\\big/\\allowbreak\\bigl(");
    add_breakable(page, below + 1, last, depth + 1);
    lia_text_add(page->out, "\\bigr)\\Bigr]\\allowbreak{}");
    return last + 1;
}

// A root that is too long for a line, as a power. Returns what follows.
static const char* add_root(LiaLatex* page, const char* at, const char* end, int depth) {
    const char *open = at + strlen("\\sqrt"), *last = closing(open, end);
    lia_text_add(page->out, "\\allowbreak\\bigl(");
    add_breakable(page, open + 1, last, depth + 1);
    lia_text_add(page->out, "\\bigr)^{1/2}\\allowbreak{}");
    return last < end ? last + 1 : end;
}

// Mathematics made elsewhere, so that TeX can break it where it is too long for a line: brackets
// outside of braces are not \left and \right, which keep all between them in one piece; a long
// fraction is written with a slash, a long root as a power.
static void add_breakable(LiaLatex* page, const char* at, const char* end, int depth) {
    while (at < end) {
        if (begins(at, end, "\\left(")) {
            lia_text_add(page->out, "\\allowbreak\\bigl(");
            at += strlen("\\left(");
        } else if (begins(at, end, "\\right)")) {
            at += strlen("\\right)");
            bool power = at < end && (*at == '^' || *at == '_');
            lia_text_add(page->out, power ? "\\bigr)" : "\\bigr)\\allowbreak{}");
        } else if (begins(at, end, "\\frac{")) {
            at = add_fraction(page, at, end, depth);
        } else if (begins(at, end, "\\sqrt{") && depth < DEPTH_MOST &&
                   letters(at, closing(at + strlen("\\sqrt"), end)) > PIECE_MOST) {
            at = add_root(page, at, end, depth);
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

static void add_math(LiaLatex* page, const LiaText* math) {
    if (math->data) add_breakable(page, math->data, math->data + strlen(math->data), 0);
    page->out->failed |= math->failed;
}

// --- formulas, names, numbers ------------------------------------------------------------------

void lia_latex_math_formula(LiaLatex* page, LiaExpr f) {
    LiaText math = {0};
    // also because the printer cuts what is far too long, braces and all
    if (lia_explain_is_long(page->e, f) || lia_explain_has_attitude(page->e, f)) {
        lia_text_add(page->out, "\\dots");
        return;
    }
    lia_formula_latex(page->g, f, &math);
    add_math(page, &math);
    lia_text_clear(&math);
}

static void name(LiaLatex* page, const char* text, int dots) {
    LiaText math = {0};
    lia_formula_latex_name(text, dots, &math);
    add_math(page, &math);
    lia_text_clear(&math);
}

void lia_latex_math_coordinate(LiaLatex* page, uint32_t i, int dots) {
    name(page, page->model->coordinates[i].name, dots);
}

void lia_latex_math_group(LiaLatex* page, const LiaGroup* group) { name(page, group->name, 0); }

void lia_latex_math_say(LiaLatex* page, const char* text) { lia_text_add(page->out, "%s", text); }

void lia_latex_math_coefficient(LiaLatex* page, LiaExpr f, bool first, const char* instead) {
    LiaText math = {0};
    bool far = lia_explain_is_long(page->e, f);
    if (!far) lia_formula_latex(page->g, f, &math);
    LiaCoefficient c = lia_explain_coefficient(page->g, f, &math);
    lia_latex_math_say(page, lia_explain_joint(c, first));
    if (far) {
        lia_text_add(page->out, "%s\\,", instead);
    } else if (!c.one) {
        lia_latex_math_say(page, c.sum ? "(" : "");
        if (math.data) add_breakable(page, math.data + c.minus, math.data + math.length, 0);
        page->out->failed |= math.failed;
        lia_latex_math_say(page, c.sum ? ")\\," : "\\,");
    }
    lia_text_clear(&math);
}

// "\item $left = f$"
void lia_latex_math_define(LiaLatex* page, const char* left, LiaExpr f) {
    lia_text_add(page->out, "\\item $\\displaystyle %s = ", left);
    lia_latex_math_formula(page, lia_simplify(page->g, f));
    lia_latex_math_say(page, "$\n");
}

void lia_latex_math_number(LiaLatex* page, double x, int digits) {
    if (!isfinite(x)) {
        lia_latex_math_say(page, "--");
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
