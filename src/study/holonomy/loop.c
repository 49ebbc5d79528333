// A loop of the base as formulas. See loop.h.
// SPDX-License-Identifier: MIT
#include "study/holonomy/loop.h"
#include "base/memory/memory.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Loop {
    const LiaModel* model;
    LiaDiags* diags;
    bool* named;  // coordinates that the loop gives                             (n)
    char* body;   // the text of the model; statements that the loop replaces are blank
    LiaText* out;
    uint32_t count;
} Loop;

typedef struct Piece {  // "name = formula", or "name = from..to"
    const char *name, *formula, *to;
    size_t name_length, length, to_length;
} Piece;

static LiaStatus wrong(const Loop* x, const char* what, const char* text, size_t length) {
    lia_diag_error(x->diags, (LiaSpan){0}, "E0351", "the loop: %s '%.*s'", what,
                   (int)(length < 60 ? length : 60), text);
    lia_diag_help(x->diags, "such as --loop \"s1 = cos(u), s2 = sin(u), u = 0..2*pi\"");
    return LIA_MODEL;
}

static void trim(const char** text, size_t* length) {
    while (*length && isspace((unsigned char)**text)) (*text)++, (*length)--;
    while (*length && isspace((unsigned char)(*text)[*length - 1])) (*length)--;
}

// The end of a piece: the next comma outside of brackets. *dots: where ".." stands, or NULL.
static const char* end_of(const char* text, const char** dots) {
    int depth = 0;
    *dots = NULL;
    for (; *text && (*text != ',' || depth > 0); text++) {
        depth += *text == '(' || *text == '[';
        depth -= *text == ')' || *text == ']';
        if (depth == 0 && !*dots && text[0] == '.' && text[1] == '.') *dots = text;
    }
    return text;
}

static bool read_piece(const char* text, const char* end, const char* dots, Piece* piece) {
    const char* equals = memchr(text, '=', (size_t)(end - text));
    *piece = (Piece){0};
    if (!equals) return false;
    piece->name = text, piece->name_length = (size_t)(equals - text);
    piece->formula = equals + 1;
    piece->length = (size_t)((dots ? dots : end) - piece->formula);
    trim(&piece->name, &piece->name_length);
    trim(&piece->formula, &piece->length);
    if (dots) {
        piece->to = dots + 2, piece->to_length = (size_t)(end - piece->to);
        trim(&piece->to, &piece->to_length);
    }
    return piece->name_length && piece->length && (!dots || piece->to_length);
}

static uint32_t coordinate_of(const LiaModel* model, const Piece* p) {
    for (uint32_t i = 0; i < model->coordinates_count; i++) {
        const char* name = model->coordinates[i].name;
        if (strlen(name) == p->name_length && memcmp(name, p->name, p->name_length) == 0) return i;
    }
    return UINT32_MAX;
}

// Which coordinate an equation sets: its left side, or the rate of that. UINT32_MAX: none.
static uint32_t set_by(const LiaModel* model, const LiaEquation* e) {
    bool itself = lia_model_is_coordinate(model, e->left);
    return itself ? lia_graph_node(model->graph, e->left)->a : UINT32_MAX;
}

// Statements whose coordinates are in the loop become blanks; one that sets others too is refused.
static LiaStatus blank_statement(Loop* x, const LiaConstraint* c) {
    uint32_t inside = 0;
    for (uint32_t k = 0; k < c->equation_count; k++) {
        uint32_t i = set_by(x->model, &c->equations[k]);
        inside += i != UINT32_MAX && x->named[i];
    }
    if (!c->active || inside == 0) return LIA_OK;
    for (uint32_t k = 0; k < x->model->constraints_count; k++) {
        const LiaConstraint* other = &x->model->constraints[k];
        bool same = other->span.begin < c->span.end && c->span.begin < other->span.end;
        for (uint32_t e = 0; same && e < other->equation_count; e++) {
            uint32_t i = set_by(x->model, &other->equations[e]);
            if (i == UINT32_MAX || !x->named[i]) {
                return wrong(x, "it must give all that is set by the operator", c->name,
                             strlen(c->name));
            }
        }
    }
    for (uint32_t b = c->span.begin; b < c->span.end; b++) {
        if (x->body[b] != '\n') x->body[b] = ' ';
    }
    return LIA_OK;
}

// The name of the statement that the loop replaces is kept where it sets this coordinate alone.
static void add_operator(Loop* x, uint32_t coordinate, const Piece* p) {
    const char* name = NULL;
    for (uint32_t k = 0; k < x->model->constraints_count; k++) {
        const LiaConstraint* c = &x->model->constraints[k];
        bool alone = c->active && c->equation_count == 1;
        if (alone && set_by(x->model, &c->equations[0]) == coordinate) name = c->name;
    }
    bool plain = name && !strpbrk(name, "[.");
    lia_text_add(x->out, "operator ");
    if (plain) lia_text_add(x->out, "%s", name);
    if (!plain) lia_text_add(x->out, "loop_%u", ++x->count);
    lia_text_add(x->out, ": %.*s = %.*s\n", (int)p->name_length, p->name, (int)p->length,
                 p->formula);
}

static void add_parameter(Loop* x, const Piece* p, double t0, double t1) {
    lia_text_add(x->out, "let %.*s = (%.*s) + ((%.*s) - (%.*s))*(t - (", (int)p->name_length,
                 p->name, (int)p->length, p->formula, (int)p->to_length, p->to, (int)p->length,
                 p->formula);
    lia_text_add_number(x->out, t0);
    lia_text_add(x->out, "))/(");
    lia_text_add_number(x->out, t1 - t0);
    lia_text_add(x->out, ")\n");
}

// What a pass over the pieces does: 0 finds the coordinates, 1 writes the parameter, 2 the laws.
static LiaStatus read_pieces(Loop* x, const char* loop, int pass, double t0, double t1) {
    const char *end, *dots;
    for (const char* text = loop;; text = end + 1) {
        end = end_of(text, &dots);
        Piece p;
        if (!read_piece(text, end, dots, &p)) {
            return wrong(x, "name = formula is expected, not", text, (size_t)(end - text));
        }
        uint32_t i = coordinate_of(x->model, &p);
        if (pass == 0 && !p.to) {
            if (i == UINT32_MAX) {
                return wrong(x, "the model has no coordinate", p.name, p.name_length);
            }
            if (x->named[i]) return wrong(x, "it gives twice", p.name, p.name_length);
            x->named[i] = true;
        }
        if (pass == 1 && p.to) add_parameter(x, &p, t0, t1);
        if (pass == 2 && !p.to) add_operator(x, i, &p);
        if (!*end) return LIA_OK;
    }
}

LiaStatus lia_loop_text(const LiaModel* model, const char* loop, double t0, double t1,
                        LiaDiags* diags, LiaText* out) {
    size_t length = model->text.source.length;
    Loop x = {.model = model, .diags = diags, .out = out};
    x.named = lia_memory_zeros(model->coordinates_count + 1, sizeof *x.named);
    x.body = lia_memory_zeros(length + 1, 1);
    LiaStatus status = x.named && x.body ? LIA_OK : LIA_MEMORY;
    if (status == LIA_OK) {
        memcpy(x.body, model->text.source.text, length);
        status = read_pieces(&x, loop, 0, t0, t1);
    }
    for (uint32_t k = 0; status == LIA_OK && k < model->constraints_count; k++) {
        status = blank_statement(&x, &model->constraints[k]);
    }
    if (status == LIA_OK) {
        lia_text_add_bytes(out, x.body, length);
        lia_text_add(out, "\n");
        status = read_pieces(&x, loop, 1, t0, t1);
    }
    if (status == LIA_OK) status = read_pieces(&x, loop, 2, t0, t1);
    free(x.named);
    free(x.body);
    return status;
}
