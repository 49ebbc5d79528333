// Unknown names: that there is no such name is said once in a line, with the nearest there is and
// what other languages call it.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/builtin.h"
#include "lang/elaborate/elaborate.h"
#include "lang/syntax/nearest.h"
#include "lang/syntax/slips.h"
#include <string.h>

// "x_dot" where there is an x: its velocity.
static bool say_rate(LiaElaboration* e, const char* name) {
    size_t begin = 0;
    int primes = 0;
    size_t length = lia_slips_rate(name, &begin, &primes);
    LiaSymbol symbol = length ? lia_context_find_name(e->context, name + begin, length) : 0;
    if (symbol == 0 || e->context->names.items[symbol].declaration == 0) {
        return false;
    }
    const char* base = lia_context_name_text(e->context, symbol);
    if (begin == 1 && begin + length == strlen(name)) {
        lia_diag_help(e->context->diags, "a velocity is written %s', a one-form d(%s)", base, base);
    } else {
        lia_diag_help(e->context->diags, "%s is written %s%s",
                      primes > 1 ? "an acceleration" : "a velocity", base, primes > 1 ? "''" : "'");
    }
    return true;
}

// "p_x" or "px" where x is a coordinate: its momentum.
static bool say_momentum(LiaElaboration* e, const char* name) {
    if (name[0] != 'p' || name[1] == '\0') return false;
    const char* of = name[1] == '_' && name[2] ? name + 2 : name + 1;
    LiaSymbol symbol = lia_context_find_name(e->context, of, strlen(of));
    uint32_t id = symbol ? e->context->names.items[symbol].declaration : 0;
    if (id == 0 || e->declarations.items[id].keyword != LIA_KEYWORD_COORDINATE) return false;
    lia_diag_help(e->context->diags, "the momentum of %s is p(%s)", of, of);
    return true;
}

// Two places in the text, counted from 1; 0 is none.
static bool same_line(const LiaElaboration* e, uint32_t a, uint32_t b) {
    uint32_t from = a < b ? a : b, to = a < b ? b : a;
    return from > 0 && !memchr(e->context->source.text + from - 1, '\n', to - from);
}

void lia_unknown_name_say(LiaElaboration* e, LiaSymbol symbol, LiaSpan span, bool function) {
    const char* name = lia_context_name_text(e->context, symbol);
    LiaDiags* diags = e->context->diags;
    LiaName* unknown = &e->context->names.items[symbol];
    if (unknown->lost || same_line(e, unknown->missed, span.begin + 1)) {
        return;  // declared where a mistake was said already, or told of this line
    }
    unknown->missed = span.begin + 1;
    LiaNearest nearest = lia_nearest_begin(name);
    enum { OFFERED = 20000 };  // of a model this large not all names are tried
    for (uint32_t i = 1; i < e->declarations.count && i < OFFERED; i++) {
        const LiaDeclaration* d = &e->declarations.items[i];
        if ((d->keyword == LIA_KEYWORD_FUNCTION) == function) {
            lia_nearest_offer(&nearest, lia_context_name_text(e->context, d->symbol));
        }
    }
    for (int i = 0; function && lia_builtin_at(i); i++) {
        lia_nearest_offer(&nearest, lia_builtin_at(i)->name);
    }
    for (int i = 0; !function && lia_builtin_quantity_at(i); i++) {
        lia_nearest_offer(&nearest, lia_builtin_quantity_at(i));
    }
    const char* greek = function ? NULL : lia_slips_greek(name);
    LiaSymbol other = greek ? lia_context_find_name(e->context, greek, strlen(greek)) : 0;
    if (strcmp(name, "π") == 0) {
        nearest.best = "pi";
    } else if (other != 0 && e->context->names.items[other].declaration != 0) {
        nearest.best = greek;
    }
    // The time is one letter: of other names it is no slip.
    if (nearest.best && strcmp(nearest.best, "t") == 0 && nearest.distance != LIA_NEAREST_CASE)
        nearest.best = NULL;
    lia_diag_error(diags, span, function ? "E0126" : "E0120",
                   function ? "there is no function '%s'" : "'%s' is not declared", name);
    const char* slip = lia_slips_find(function ? LIA_SLIP_CALL : LIA_SLIP_NAME, name, strlen(name));
    bool declared = !function && nearest.best && nearest.distance == LIA_NEAREST_CASE;
    if (slip && !declared) {
        lia_diag_help(diags, "%s", slip);
    } else if (!function && (say_rate(e, name) || say_momentum(e, name))) {
        return;
    } else if (nearest.best) {
        lia_diag_help(diags, "did you mean '%s'?", nearest.best);
    } else if (!function && lia_builtin_find(name)) {
        lia_diag_help(diags, "'%s' is a function: write %s(...)", name, name);
    } else if (!function) {
        lia_diag_help(diags,
                      "declare it: 'coordinate %s : line', 'parameter %s = 1' or 'let %s = "
                      "...'",
                      name, name, name);
    }
}
