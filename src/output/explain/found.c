// Combinations of generators as text. See found.h.
// SPDX-License-Identifier: MIT
#include "output/explain/found.h"
#include "expr/reading/formula_text.h"
#include "expr/reading/simplify.h"
#include "output/text/escape.h"

enum { LENGTH_MOST = 160 };  // characters of a formula

LiaExpr lia_found_momentum(const LiaExplanation* e, const LiaFound* f) {
    LiaExpr momentum = lia_simplify(e->geometry->graph, f->momentum);
    bool shown = lia_simplify_length(e->geometry->graph, momentum) <= LENGTH_MOST;
    return shown ? momentum : (LiaExpr){0};
}

// --- JSON --------------------------------------------------------------------------------------

static void add_one(LiaText* out, const LiaExplanation* e, const LiaFound* f) {
    const LiaSearch* s = &e->classes.search;
    LiaText text = {0};
    bool first = true;
    lia_text_add(out, "{\"generator\": ");
    lia_search_text(s, f->c, &text);
    lia_escape_add(out, "%s, \"coefficients\": {", text.data ? text.data : "");
    for (uint32_t a = 0; a < s->candidates.count; a++) {
        if (f->c[a] == 0.0) continue;
        lia_text_add(out, first ? "" : ", ");
        lia_escape_add(out, "%s: %g", s->candidates.name[a], f->c[a]);
        first = false;
    }
    lia_escape_add(out, "}, \"energy\": %g, \"value\": %g, \"left\": %g", f->energy, f->value,
                   f->left);
    lia_text_add(out, ", \"first_type\": %s, \"empty\": %s, \"momentum\": ",
                 f->first_type ? "true" : "false", f->empty ? "true" : "false");
    out->failed |= text.failed;
    lia_text_clear(&text);
    LiaExpr momentum = lia_found_momentum(e, f);
    if (momentum.index) {
        lia_formula_text(e->geometry->graph, momentum, &text);
        lia_escape_json(out, text.data ? text.data : "");
        out->failed |= text.failed;
        lia_text_clear(&text);
    } else {
        lia_text_add(out, "null");
    }
    lia_text_add(out, "}");
}

static void add_list(LiaText* out, const LiaExplanation* e, const char* key,
                     const LiaFoundList* list) {
    lia_text_add(out, ",\n  \"%s\": [", key);
    for (uint32_t i = 0; i < list->count; i++) {
        lia_text_add(out, i ? ",\n   " : "\n   ");
        add_one(out, e, &list->found[i]);
    }
    lia_text_add(out, "]");
}

static void add_margin(LiaText* out, const char* key, double margin) {
    lia_escape_add(out, "%s: %g", key, margin);
}

void lia_found_json(const LiaExplanation* e, LiaText* out) {
    const LiaSearch* s = &e->classes.search;
    if (!s->known) {
        lia_text_add(out, "null");
        return;
    }
    lia_text_add(out, "{\"candidates\": [");
    for (uint32_t a = 0; a < s->candidates.count; a++) {
        lia_text_add(out, a ? ", " : "");
        lia_escape_json(out, s->candidates.name[a]);
    }
    lia_text_add(out, "], \"declared\": %u, \"more\": %s, \"states\": %u, \"confirmed\": %u",
                 s->candidates.declared, s->candidates.more ? "true" : "false", s->states,
                 s->confirmed);
    lia_text_add(out, ", \"margin\": {");
    add_margin(out, "first_type", s->first.margin);
    lia_text_add(out, ", ");
    add_margin(out, "second_type", s->second.margin);
    lia_text_add(out, ", ");
    add_margin(out, "constant", s->constant.margin);
    lia_text_add(out, "}, \"orbit\": %u, \"quotient\": %u", s->orbit, s->quotient);
    add_list(out, e, "first_type", &s->first);
    add_list(out, e, "second_type", &s->second);
    add_list(out, e, "constant", &s->constant);
    add_list(out, e, "moving_energy", &s->moving);
    lia_text_add(out, "}");
}

static void add_numbers(LiaText* out, const double* x, size_t count) {
    lia_text_add(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i) lia_text_add(out, ", ");
        lia_escape_number(out, x[i]);
    }
    lia_text_add(out, "]");
}

static void add_fields(LiaText* out, const double* Z, size_t count, size_t n) {
    lia_text_add(out, "[");
    for (size_t m = 0; m < count; m++) {
        if (m) lia_text_add(out, ", ");
        add_numbers(out, Z + m * n, n);
    }
    lia_text_add(out, "]");
}

void lia_found_gauge_json(const LiaExplanation* e, LiaText* out) {
    const LiaGauge* g = &e->classes.gauge;
    size_t n = e->system->n;
    if (!g->known) {
        lia_text_add(out, "null");
        return;
    }
    lia_escape_add(out,
                   "{\"group\": %u, \"shape\": %u, \"count\": %u, \"beyond\": %u, \"drift\": %g, "
                   "\"time\": %g, \"generator\": [",
                   g->group, g->shape, g->count, g->beyond, g->drift, g->along);
    for (uint32_t m = 0; m < g->count; m++) {
        LiaText text = {0};
        const LiaSearch* s = &e->classes.search;
        lia_search_text(s, g->c + (size_t)m * s->candidates.count, &text);
        if (m) lia_text_add(out, ", ");
        lia_escape_json(out, text.data ? text.data : "");
        out->failed |= text.failed;
        lia_text_clear(&text);
    }
    lia_text_add(out, "], \"value\": ");
    add_numbers(out, g->value, g->count);
    lia_text_add(out, ", \"Z\": ");
    add_fields(out, g->Z, g->count, n);
    lia_text_add(out, ",\n  \"along\": [");
    for (uint32_t i = 0; i < g->points; i++) {
        lia_text_add(out, i ? ",\n   {\"s\": " : "\n   {\"s\": ");
        lia_escape_add(out, "%g, \"q\": ", g->s[i]);
        add_numbers(out, g->q + i * n, n);
        lia_text_add(out, ", \"Z\": ");
        add_fields(out, g->Z_s + (size_t)i * g->count * n, g->count, n);
        lia_text_add(out, ", \"f\": ");
        add_numbers(out, g->f_s + (size_t)i * g->count, g->count);
        lia_text_add(out, "}");
    }
    lia_text_add(out, "]}");
}

static void add_texts(LiaText* out, const char* const* text, size_t count) {
    lia_text_add(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i) lia_text_add(out, ", ");
        if (text[i]) {
            lia_escape_json(out, text[i]);
        } else {
            lia_text_add(out, "null");
        }
    }
    lia_text_add(out, "]");
}

void lia_found_bracket_json(const LiaExplanation* e, LiaText* out) {
    const LiaPseudoPoisson* b = &e->classes.flag.bracket;
    size_t n = e->system->n;
    if (!b->known) {
        lia_text_add(out, "null");
        return;
    }
    lia_text_add(out, "{\"fields\": ");
    add_texts(out, b->field, b->count);
    lia_text_add(out, ", \"brackets\": ");
    add_texts(out, b->bracket, b->pairs);
    lia_text_add(out, ", \"coefficients\": ");
    add_fields(out, b->part, b->pairs, b->count);
    lia_text_add(out, ", \"constants\": ");
    add_numbers(out, b->constant, b->pairs);
    lia_text_add(out, ", \"jacobiator\": ");
    add_fields(out, b->jacobiator, b->pairs, n);
    lia_escape_add(out, ", \"largest\": %g", b->largest);
    lia_text_add(out,
                 ", \"poisson\": %s, \"motion\": %s, \"missing\": ", b->poisson ? "true" : "false",
                 b->motion ? "true" : "false");
    add_numbers(out, b->missing, n);
    lia_text_add(out, "}");
}

void lia_found_moment_map_json(const LiaExplanation* e, LiaText* out) {
    const LiaMomentMap* m = &e->classes.moment_map;
    size_t count = m->count;
    if (count == 0) {
        lia_text_add(out, "null");
        return;
    }
    lia_text_add(out, "{\"dimension\": %u, \"closed\": %s, \"generators\": [", m->dimension,
                 m->closed ? "true" : "false");
    for (size_t A = 0; A < count; A++) {
        lia_text_add(out, A ? ", " : "");
        lia_escape_json(out, e->classes.symmetries[m->symmetry[A]].name);
    }
    lia_text_add(out, "], \"J\": ");
    if (m->J) add_numbers(out, m->J, count);
    if (!m->J) lia_text_add(out, "null");
    lia_text_add(out, ", \"constants\": ");
    if (m->closed) add_fields(out, m->c, count * count, count);
    if (!m->closed) lia_text_add(out, "null");
    lia_text_add(out, "}");
}
