// Places in the kinetic energy.
//
//   m/2*dot(P', P')            a vector with a name, or written out there
//   m/2*(xA'^2 + yA'^2)        definitions or coordinates whose names differ in x, y, z alone
//
// A vector whose velocity somebody asks for, in a constraint say, is a place as well.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/guess/guess.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Squares {
    LiaGuess* guess;
    const LiaModel* m;
    const LiaGraph* g;  // of the model
    bool* wanted;       // nodes that are summands of the kinetic energy, up to factors
    bool* squared;      // nodes of which the velocity is squared in it
    bool* primed;       // nodes of which the velocity is asked for anywhere
    bool* taken;        // squared, and in a place already
} Squares;

LiaExpr lia_guess_masses_root(const LiaModel* m, LiaExpr f) {
    const LiaNode* n = lia_graph_node(m->graph, f);
    LiaNumber two;
    bool square = n->op == LIA_OP_POW && lia_graph_constant(m->graph, (LiaExpr){n->b}, &two) &&
                  two.value == 2.0;
    return (LiaExpr){square ? n->a : 0};
}

// What is squared by a formula: x of x'^2, where x is not a coordinate, or the velocity of one;
// {0}: nothing.
static LiaExpr base_of(const Squares* s, LiaExpr f) {
    LiaExpr root = lia_guess_masses_root(s->m, f);
    if (lia_graph_is_symbol(s->g, root, LIA_SYMBOL_RATE)) {
        return (LiaExpr){lia_graph_node(s->g, root)->a};
    }
    return lia_graph_is_symbol(s->g, root, LIA_SYMBOL_VELOCITY) ? root : (LiaExpr){0};
}

// Arguments stand before what is made of them: from the last node to the first.
static void find_squares(LiaGuess* guess, Squares* s) {
    const LiaModel* m = s->m;
    for (uint32_t i = 0; i < m->energies_count; i++) {
        if (m->energies[i].kind != LIA_POTENTIAL) s->wanted[m->energies[i].term.index] = true;
    }
    for (uint32_t i = s->g->count; i-- > 1;) {
        const LiaNode* n = &s->g->nodes[i];
        LiaExpr f = {i};
        if (lia_graph_is_symbol(s->g, f, LIA_SYMBOL_RATE)) s->primed[n->a] = true;
        if (!s->wanted[i] || !(n->depends & LIA_DEPENDS(VELOCITY))) continue;
        LiaExpr base = base_of(s, f);
        if (lia_graph_is_symbol(s->g, base, LIA_SYMBOL_VELOCITY)) {
            guess->fast[lia_graph_node(s->g, base)->a] = true;
        } else if (base.index) {
            s->squared[base.index] = true;
        } else if (n->op == LIA_OP_ADD || n->op == LIA_OP_SUB || n->op == LIA_OP_MUL) {
            s->wanted[n->a] = s->wanted[n->b] = true;
        } else if (n->op == LIA_OP_NEG || n->op == LIA_OP_DIV) {
            s->wanted[n->a] = true;
        }
    }
}

static LiaGuessPoint* add_place(LiaGuess* guess, const char* name, const LiaExpr* terms,
                                int count) {
    LiaExpr at[3] = {{0}, {0}, lia_guess_zero(guess)};
    if (!lia_scene_resolve(guess->scene, terms, at, (uint32_t)count)) return NULL;
    for (int i = 0; i < 3; i++) {
        if (!at[i].index) at[i] = lia_guess_zero(guess);
    }
    return lia_guess_point(guess, name, at);
}

static void show(LiaGuessPoint* point) {
    if (point) point->mass = point->shown = true;
}

// --- vectors with a name

static bool is_position(const Squares* s, LiaExpr f) {
    return !(lia_graph_node(s->g, f)->depends & ~LIA_DEPENDS_PLACE);
}

static bool is_coordinate(const Squares* s, LiaExpr f) {
    return lia_graph_is_symbol(s->g, f, LIA_SYMBOL_POSITION);
}

static bool is_vector(const Squares* s, const LiaLet* let) {
    bool good = let->cols == 1 && (let->rows == 2 || let->rows == 3);
    for (int i = 0; good && i < let->rows; i++) good = is_position(s, let->terms[i]);
    return good;
}

// Is the velocity of the vector asked for, in each number that moves?
static bool is_asked(const Squares* s, const LiaLet* let) {
    bool moves = false, good = true;
    for (int i = 0; good && i < let->rows; i++) {
        LiaExpr f = let->terms[i];
        uint16_t depends = lia_graph_node(s->g, f)->depends & (uint16_t)~LIA_DEPENDS(PARAMETER);
        good = depends == 0 || is_coordinate(s, f) || s->primed[f.index];
        moves = moves || (depends & LIA_DEPENDS(POSITION));
    }
    return good && moves;
}

static bool is_direction(const LiaGuess* guess, const LiaGuessPoint* point) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < guess->instant_count; k++) {
        if (fabs(lia_guess_distance(point->where[k], origin) - 1.0) > LIA_GUESS_UNIT) return false;
    }
    return true;
}

static void add_vectors(LiaGuess* guess, Squares* s, bool asked) {
    for (uint32_t i = 0; i < s->m->lets_count; i++) {
        const LiaLet* let = &s->m->lets[i];
        if (!is_vector(s, let) || is_asked(s, let) != asked) continue;
        for (int k = 0; k < let->rows && asked; k++) s->taken[let->terms[k].index] = true;
        uint32_t before = guess->count;
        LiaGuessPoint* point = add_place(guess, let->name, let->terms, let->rows);
        if (asked) {
            show(point);
        } else if (point && guess->count > before && is_direction(guess, point)) {
            guess->count = before;
        }
    }
}

// --- numbers with names that differ in x, y, z alone

// Does `other` differ from `name` in this letter for the x at `at` alone?
static bool is_twin(const char* name, size_t at, const char* other, char letter) {
    char wanted = (char)(name[at] == 'X' ? letter - 'a' + 'A' : letter);
    return strlen(name) == strlen(other) && strncmp(name, other, at) == 0 && other[at] == wanted &&
           strcmp(name + at + 1, other + at + 1) == 0;
}

static const LiaLet* find_let(const Squares* s, const char* name, size_t at, char letter) {
    for (uint32_t i = 0; i < s->m->lets_count; i++) {
        const LiaLet* let = &s->m->lets[i];
        if (let->rows == 1 && let->cols == 1 && is_twin(name, at, let->name, letter)) return let;
    }
    return NULL;
}

static bool is_fast(const LiaGuess* guess, const Squares* s, const LiaLet* let) {
    if (!let || !is_position(s, let->terms[0])) return false;
    return s->squared[let->terms[0].index] ||
           (is_coordinate(s, let->terms[0]) && guess->fast[lia_graph_node(s->g, let->terms[0])->a]);
}

static void add_numbers(LiaGuess* guess, Squares* s) {
    for (uint32_t i = 0; i < s->m->lets_count; i++) {
        const LiaLet* x = &s->m->lets[i];
        if (x->rows != 1 || x->cols != 1 || !is_fast(guess, s, x)) continue;
        for (size_t at = 0; x->name[at]; at++) {
            if (x->name[at] != 'x' && x->name[at] != 'X') continue;
            const LiaLet* y = find_let(s, x->name, at, 'y');
            const LiaLet* z = find_let(s, x->name, at, 'z');
            y = is_fast(guess, s, y) ? y : NULL;
            z = is_fast(guess, s, z) ? z : NULL;
            if (!y && !z) continue;
            LiaExpr none = {0};
            LiaExpr terms[3] = {x->terms[0], y ? y->terms[0] : none, z ? z->terms[0] : none};
            for (int k = 0; k < 3; k++) s->taken[terms[k].index] = true;
            LiaExpr at_[3];
            lia_scene_resolve(guess->scene, terms, at_, 3);
            for (int k = 0; k < 3; k++) at_[k] = terms[k].index ? at_[k] : lia_guess_zero(guess);
            show(lia_guess_point(guess, x->name, at_));
            break;
        }
    }
}

static int find_line(const LiaModel* m, const char* name, size_t at, char letter) {
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        bool line = !c->group && !c->inner && c->manifold == LIA_LINE;
        if (line && is_twin(name, at, c->name, letter)) return (int)i;
    }
    return -1;
}

// Are two coordinates numbers of the place of a body? Then that is where they are seen.
static bool is_of_body(const LiaGuess* guess, LiaExpr x, LiaExpr y) {
    for (uint32_t i = 0; i < guess->count; i++) {
        const LiaGuessPoint* point = &guess->points[i];
        int found = 0;
        for (int k = 0; k < 3 && point->drawn; k++) {
            found += point->at[k].index == x.index || point->at[k].index == y.index;
        }
        if (found == 2) return true;
    }
    return false;
}

void lia_guess_masses_plain(LiaGuess* guess, bool all) {
    const LiaModel* m = guess->m;
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        if (c->group || c->inner || c->manifold != LIA_LINE) continue;
        for (size_t at = 0; c->name[at]; at++) {
            if (c->name[at] != 'x' && c->name[at] != 'X') continue;
            int y = find_line(m, c->name, at, 'y'), z = find_line(m, c->name, at, 'z');
            bool fast = guess->fast[i] && (y < 0 || guess->fast[y]) && (z < 0 || guess->fast[z]);
            if ((y < 0 && z < 0) || (!fast && !all)) continue;
            if (is_of_body(guess, guess->s->q[i], y >= 0 ? guess->s->q[y] : guess->s->q[z])) break;
            LiaExpr place[3] = {guess->s->q[i], y >= 0 ? guess->s->q[y] : lia_guess_zero(guess),
                                z >= 0 ? guess->s->q[z] : lia_guess_zero(guess)};
            // the rest of the name: x2 is the point 2
            const char* rest = at == 0 && c->name[1] ? c->name + 1 : NULL;
            LiaGuessPoint* point = lia_guess_point(guess, rest, place);
            show(point);
            if (point) guess->lone = guess->lone ? -1 : (int)(point - guess->points) + 1;
            break;
        }
    }
}

// --- vectors without a name: sums of squares

static LiaExpr free_base(const Squares* s, uint32_t node) {
    LiaExpr base = base_of(s, (LiaExpr){node}), none = {0};
    if (lia_graph_is_symbol(s->g, base, LIA_SYMBOL_VELOCITY) || s->taken[base.index]) return none;
    return is_position(s, base) ? base : none;
}

// A sum is left + last, where the last is a square; the graph has the two in either order.
static LiaExpr last_of(const Squares* s, const LiaNode* sum, uint32_t* left) {
    LiaExpr a = free_base(s, sum->a), b = free_base(s, sum->b);
    *left = b.index ? sum->a : sum->b;
    return b.index ? b : a;
}

// x'^2 + y'^2, or with z'^2: a sum that is no part of a longer one.
static void add_sums(LiaGuess* guess, Squares* s) {
    bool* part = lia_memory_zeros(s->g->count, sizeof *part);
    if (!part) return;
    for (uint32_t i = s->g->count; i-- > 1;) {
        const LiaNode* n = &s->g->nodes[i];
        if (!s->wanted[i] || n->op != LIA_OP_ADD) continue;
        uint32_t left, first;
        LiaExpr last = last_of(s, n, &left), none = {0};
        if (!last.index) continue;
        const LiaNode* inner = &s->g->nodes[left];
        LiaExpr middle = inner->op == LIA_OP_ADD ? last_of(s, inner, &first) : none;
        if (middle.index) part[left] = true;
        if (part[i]) continue;
        LiaExpr place[3] = {free_base(s, left), last, none};
        if (!place[0].index && middle.index) {
            place[0] = free_base(s, first);
            place[1] = middle;
            place[2] = last;
        }
        if (!place[0].index || !place[1].index) continue;
        show(add_place(guess, NULL, place, place[2].index ? 3 : 2));
    }
    free(part);
}

void lia_guess_masses(LiaGuess* guess) {
    size_t count = guess->m->graph->count;
    bool* flags = lia_memory_zeros(4 * count, sizeof *flags);
    if (!flags) {
        guess->scene->failed = true;
        return;
    }
    Squares s = {.guess = guess,
                 .m = guess->m,
                 .g = guess->m->graph,
                 .wanted = flags,
                 .squared = flags + count,
                 .primed = flags + 2 * count,
                 .taken = flags + 3 * count};
    find_squares(guess, &s);
    add_vectors(guess, &s, true);
    add_numbers(guess, &s);
    lia_guess_masses_plain(guess, false);
    add_sums(guess, &s);
    add_vectors(guess, &s, false);  // what may carry them
    free(flags);
}
