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

// A name: Greek letters by their sign, a number after one lowered. Returns its bytes.
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

// Widths of the characters from U+0020 to U+007E, in hundredths of the size of letters.
static const unsigned char latin[] = {
    // clang-format off
    32,  41,  46,  84,  64,  95,  78,  28,  39,  39,  50,  84,  32,  37,  32,  34,
    64,  64,  64,  64,  64,  64,  64,  64,  64,  64,  34,  34,  84,  84,  84,  54,
    100,  69,  69,  70,  77,  64,  58,  78,  76,  30,  30,  66,  56,  87,  75,  79,
    61,  79,  70,  64,  62,  74,  69,  99,  69,  62,  69,  39,  34,  39,  84,  50,
    50,  62,  64,  55,  64,  62,  36,  64,  64,  28,  28,  58,  28,  98,  64,  62,
    64,  64,  42,  53,  40,  64,  60,  82,  60,  60,  53,  64,  34,  64,  84,
    // clang-format on
};

// The character at `text`, and the bytes it takes; a byte that begins none counts as one.
static unsigned long character_at(const char* text, size_t* bytes) {
    unsigned char first = (unsigned char)*text;
    size_t n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    unsigned long c = n == 1 ? first : first & (0x7Fu >> n);
    for (*bytes = 1; *bytes < n && ((unsigned char)text[*bytes] & 0xC0) == 0x80; ++*bytes) {
        c = c << 6 | ((unsigned char)text[*bytes] & 0x3F);
    }
    return c;
}

// Beyond Latin: combining marks, raised and lowered figures, signs, and scripts of wide letters.
static double width_of(unsigned long c) {
    if (c >= 0x20 && c <= 0x7E) return latin[c - 0x20] / 100.0;
    if (c < 0x20 || (c >= 0x300 && c <= 0x36F)) return 0.0;
    if (c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0x2070 && c <= 0x209C)) return 0.47;
    if (c == 0x2032 || c == 0x2033) return 0.4;
    return c < 0x370 ? 1.0 : c < 0x400 ? 0.85 : c < 0x500 ? 1.1 : 1.2;
}

double lia_label_width(const char* text, double size) {
    double width = 0.0;
    for (size_t n; *text; text += n) {
        width += width_of(character_at(text, &n));
    }
    return size * width;
}

void lia_label_shorten(const char* text, double size, double most, LiaText* out) {
    static const char rest[] = "…";
    if (lia_label_width(text, size) <= most) {
        lia_text_add_bytes(out, text, strlen(text));
        return;
    }
    double width = lia_label_width(rest, size);
    size_t end = 0, n;
    for (; text[end]; end += n) {
        width += size * width_of(character_at(text + end, &n));
        if (width > most) break;
    }
    lia_text_add_bytes(out, text, end);
    add(out, rest);
}

size_t lia_label_length(const char* text) {
    size_t n = 0;
    for (; *text; text++) {
        n += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return n;
}
