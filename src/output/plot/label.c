// Labels as they are set in print.
// SPDX-License-Identifier: MIT
#include "output/plot/label.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    const char *word, *sign;
} greek[] = {
    {"alpha", "α"},  {"beta", "β"},   {"gamma", "γ"}, {"delta", "δ"},   {"epsilon", "ε"},
    {"zeta", "ζ"},   {"eta", "η"},    {"theta", "θ"}, {"iota", "ι"},    {"kappa", "κ"},
    {"lambda", "λ"}, {"mu", "μ"},     {"nu", "ν"},    {"xi", "ξ"},      {"pi", "π"},
    {"rho", "ρ"},    {"sigma", "σ"},  {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "φ"},
    {"chi", "χ"},    {"psi", "ψ"},    {"omega", "ω"}, {"Gamma", "Γ"},   {"Delta", "Δ"},
    {"Theta", "Θ"},  {"Lambda", "Λ"}, {"Xi", "Ξ"},    {"Pi", "Π"},      {"Sigma", "Σ"},
    {"Phi", "Φ"},    {"Psi", "Ψ"},    {"Omega", "Ω"},
};

static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
static const char* const lowered[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};

static void add(LiaText* out, const char* sign) { lia_text_add_bytes(out, sign, strlen(sign)); }

static size_t digits_at(const char* text) {
    size_t n = 0;
    while (isdigit((unsigned char)text[n])) {
        n++;
    }
    return n;
}

static void add_digits(LiaText* out, const char* text, size_t count, const char* const* signs) {
    for (size_t i = 0; i < count; i++) {
        add(out, signs[text[i] - '0']);
    }
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

// A name: Greek letters by their sign, a number behind one lowered. Returns its bytes.
static size_t add_name(LiaText* out, const char* text) {
    size_t length = 0;
    while (in_name(text[length])) {
        length++;
    }
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++) {
        size_t n = strlen(greek[i].word);
        bool whole =
            n <= length && memcmp(text, greek[i].word, n) == 0 && n + digits_at(text + n) == length;
        if (whole && text[length] != '(') {
            add(out, greek[i].sign);
            add_digits(out, text + n, length - n, lowered);
            return length;
        }
    }
    lia_text_add_bytes(out, text, length);
    return length;
}

// ^2 and ^-3 raised, [3] lowered; 0 if it is something else.
static size_t add_script(LiaText* out, const char* text) {
    bool power = *text == '^', minus = power && text[1] == '-';
    size_t begin = minus ? 2 : 1, n = digits_at(text + begin);
    bool whole = n > 0 && (power ? text[begin + n] != '.' : text[begin + n] == ']');
    if (!whole) {
        return 0;
    }
    add(out, minus ? "⁻" : "");
    add_digits(out, text + begin, n, power ? raised : lowered);
    return begin + n + (power ? 0 : 1);
}

static size_t add_other(LiaText* out, const char* text) {
    size_t n = *text == '^' || *text == '[' ? add_script(out, text) : 0;
    if (n > 0) {
        return n;
    }
    if (text[0] == '\'' && text[1] == '\'') {
        add(out, "″");
        return 2;
    }
    if (*text == '\'') {
        add(out, "′");
    } else if (*text == '*') {
        add(out, "·");
    } else if (*text == '-') {
        add(out, "−");
    } else {
        lia_text_add_bytes(out, text, 1);
    }
    return 1;
}

void lia_label_print(const char* text, LiaText* out) {
    while (*text) {
        if (isdigit((unsigned char)*text)) {
            size_t n = digits_at(text);
            lia_text_add_bytes(out, text, n);
            text += n;
        } else if (in_name(*text)) {
            text += add_name(out, text);
        } else {
            text += add_other(out, text);
        }
    }
}

size_t lia_label_length(const char* text) {
    size_t n = 0;
    for (; *text; text++) {
        n += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return n;
}
