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
    bool* wanted;   // terms that are summands of the kinetic energy, up to factors
    bool* squared;  // terms of which the velocity is squared in it
    bool* primed;   // terms of which the velocity is asked for anywhere
    bool* taken;    // squared, and in a place already
} Squares;

LiaTermId lia_guess_masses_root(LiaGuess* guess, LiaTermId id) {
    const LiaModel* m = guess->m;
    const LiaTerm *term = &m->terms[id], *other = &m->terms[term->b];
    if (term->op == LIA_TERM_POW) {
        return other->op == LIA_TERM_NUMBER && other->number == 2.0 ? term->a : 0;
    }
    if (term->op != LIA_TERM_MUL || m->terms[term->a].op != other->op) return 0;
    // one formula that was written twice is two terms
    LiaExpr a, b;
    bool same = term->a == term->b ||
                (lia_scene_lower(guess->scene, &term->a, &a, 1) &&
                 lia_scene_lower(guess->scene, &term->b, &b, 1) && a.index == b.index);
    return same ? term->a : 0;
}

// What is squared by a term: x of x'*x' or x'^2; 0: nothing.
static LiaTermId base_of(const Squares* s, LiaTermId id) {
    const LiaTerm* term = &s->m->terms[id];
    uint8_t op = s->m->terms[term->a].op;
    bool rate = term->a && (op == LIA_TERM_PRIME || op == LIA_TERM_VELOCITY);
    LiaTermId root = rate ? lia_guess_masses_root(s->guess, id) : 0;
    return root && op == LIA_TERM_PRIME ? s->m->terms[root].a : root;
}

// Arguments stand before what is made of them: from the last term to the first.
static void find_squares(LiaGuess* guess, Squares* s) {
    const LiaModel* m = s->m;
    for (uint32_t i = 0; i < m->energies_count; i++) {
        if (m->energies[i].kind != LIA_POTENTIAL) s->wanted[m->energies[i].term] = true;
    }
    for (LiaTermId id = m->terms_count; id-- > 1;) {
        const LiaTerm* term = &m->terms[id];
        if (term->op == LIA_TERM_PRIME) s->primed[term->a] = true;
        if (!s->wanted[id] || !(term->has & LIA_HAS_V)) continue;
        LiaTermId base = base_of(s, id);
        if (base && m->terms[base].op == LIA_TERM_VELOCITY) {
            guess->fast[m->terms[base].index] = true;
        } else if (base) {
            s->squared[base] = true;
        } else if (term->op == LIA_TERM_ADD || term->op == LIA_TERM_SUB ||
                   term->op == LIA_TERM_MUL) {
            s->wanted[term->a] = s->wanted[term->b] = true;
        } else if (term->op == LIA_TERM_NEG || term->op == LIA_TERM_DIV) {
            s->wanted[term->a] = true;
        }
    }
    for (uint32_t i = 1; i < m->terms_count; i++) {  // the prime of a coordinate with a name
        if (s->squared[i] && m->terms[i].op == LIA_TERM_COORDINATE) {
            guess->fast[m->terms[i].index] = true;
        }
    }
}

static LiaGuessPoint* add_place(LiaGuess* guess, const char* name, const LiaTermId* terms,
                                int count) {
    LiaExpr at[3] = {{0}, {0}, lia_guess_zero(guess)};
    if (!lia_scene_lower(guess->scene, terms, at, (uint32_t)count)) return NULL;
    for (int i = 0; i < 3; i++) {
        if (!at[i].index) at[i] = lia_guess_zero(guess);
    }
    return lia_guess_point(guess, name, at);
}

static void show(LiaGuessPoint* point) {
    if (point) point->mass = point->shown = true;
}

// --- vectors with a name

static bool is_position(const LiaTerm* term) {
    return !(term->has & ~(LIA_HAS_T | LIA_HAS_Q | LIA_HAS_CONTROL));
}

static bool is_vector(const Squares* s, const LiaLet* let) {
    bool good = let->cols == 1 && (let->rows == 2 || let->rows == 3);
    for (int i = 0; good && i < let->rows; i++) good = is_position(&s->m->terms[let->terms[i]]);
    return good;
}

// Is the velocity of the vector asked for, in each number that moves?
static bool is_asked(const Squares* s, const LiaLet* let) {
    bool moves = false, good = true;
    for (int i = 0; good && i < let->rows; i++) {
        const LiaTerm* term = &s->m->terms[let->terms[i]];
        good = term->has == 0 || term->op == LIA_TERM_COORDINATE || s->primed[let->terms[i]];
        moves = moves || (term->has & LIA_HAS_Q);
    }
    return good && moves;
}

static bool is_direction(const LiaGuess* guess, const LiaGuessPoint* point) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < guess->look_count; k++) {
        if (fabs(lia_guess_distance(point->where[k], origin) - 1.0) > LIA_GUESS_UNIT) return false;
    }
    return true;
}

static void add_vectors(LiaGuess* guess, Squares* s, bool asked) {
    for (uint32_t i = 0; i < s->m->lets_count; i++) {
        const LiaLet* let = &s->m->lets[i];
        if (!is_vector(s, let) || is_asked(s, let) != asked) continue;
        for (int k = 0; k < let->rows && asked; k++) s->taken[let->terms[k]] = true;
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
    const LiaTerm* term = let ? &s->m->terms[let->terms[0]] : NULL;
    if (!term || !is_position(term)) return false;
    return s->squared[let->terms[0]] ||
           (term->op == LIA_TERM_COORDINATE && guess->fast[term->index]);
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
            LiaTermId terms[3] = {x->terms[0], y ? y->terms[0] : 0, z ? z->terms[0] : 0};
            for (int k = 0; k < 3; k++) s->taken[terms[k]] = true;
            LiaExpr at_[3];
            lia_scene_lower(guess->scene, terms, at_, 3);
            for (int k = 0; k < 3; k++) at_[k] = terms[k] ? at_[k] : lia_guess_zero(guess);
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

static LiaTermId free_base(const Squares* s, LiaTermId id) {
    LiaTermId base = base_of(s, id);
    bool good = base && s->m->terms[base].op != LIA_TERM_VELOCITY && !s->taken[base];
    return good && is_position(&s->m->terms[base]) ? base : 0;
}

// x'^2 + y'^2, or with z'^2: a sum that is no part of a longer one.
static void add_sums(LiaGuess* guess, Squares* s) {
    const LiaTerm* terms = s->m->terms;
    bool* part = lia_memory_zeros(s->m->terms_count + 1, sizeof *part);
    if (!part) return;
    for (LiaTermId id = s->m->terms_count; id-- > 1;) {
        if (!s->wanted[id] || terms[id].op != LIA_TERM_ADD) continue;
        LiaTermId last = free_base(s, terms[id].b), left = terms[id].a;
        if (!last) continue;
        if (terms[left].op == LIA_TERM_ADD && free_base(s, terms[left].b)) part[left] = true;
        if (part[id]) continue;
        LiaTermId place[3] = {free_base(s, left), last, 0};
        if (!place[0] && terms[left].op == LIA_TERM_ADD) {
            place[0] = free_base(s, terms[left].a);
            place[1] = free_base(s, terms[left].b);
            place[2] = last;
        }
        if (!place[0] || !place[1]) continue;
        show(add_place(guess, NULL, place, place[2] ? 3 : 2));
    }
    free(part);
}

void lia_guess_masses(LiaGuess* guess) {
    size_t count = guess->m->terms_count + 1;
    bool* flags = lia_memory_zeros(4 * count, sizeof *flags);
    if (!flags) {
        guess->scene->failed = true;
        return;
    }
    Squares s = {guess, guess->m, flags, flags + count, flags + 2 * count, flags + 3 * count};
    find_squares(guess, &s);
    add_vectors(guess, &s, true);
    add_numbers(guess, &s);
    lia_guess_masses_plain(guess, false);
    add_sums(guess, &s);
    add_vectors(guess, &s, false);  // what may carry them
    free(flags);
}
