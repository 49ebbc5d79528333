// Arrows of springs and dampers: terms of potentials and dissipations. See acts.h.
//
// A potential is a sum. Of its terms those are springs that are a square, k/2*(x - l)^2, or have a
// distance in them, k/2*(norm(P - Q) - l)^2, -1/norm(P - Q); a weight, m*g*z, is neither. Each is
// an act by itself: Q = -d(term). Of a dissipation each term that is a square is a damper: Q =
// -dD/dv.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "expr/graph/diff.h"
#include "output/page/arrows/acts.h"
#include <stdlib.h>
#include <string.h>

enum { TERMS_MOST = 64 };  // of one model

typedef struct Term {
    LiaExpr weight, of;
} Term;

typedef struct Terms {
    LiaGraph* g;
    unsigned bits;  // what terms depend on: positions or velocities
    Term list[TERMS_MOST];
    uint32_t count;
    bool full;
} Terms;

static void put(Terms* t, LiaExpr weight, LiaExpr of) {
    if (!(lia_graph_node(t->g, of)->depends & t->bits)) return;
    if (t->count == TERMS_MOST) {
        t->full = true;
        return;
    }
    t->list[t->count++] = (Term){weight, of};
}

// The parts of a term into the list, in place of it; false where it is no sum.
static bool divide(Terms* t, Term term) {
    const LiaNode n = *lia_graph_node(t->g, term.of);
    LiaExpr a = {n.a}, b = {n.b}, w = term.weight;
    switch (n.op) {
    case LIA_OP_ADD:
        put(t, w, a);
        put(t, w, b);
        return true;
    case LIA_OP_SUB:
        put(t, w, a);
        put(t, lia_graph_neg(t->g, w), b);
        return true;
    case LIA_OP_NEG:
        put(t, lia_graph_neg(t->g, w), a);
        return true;
    case LIA_OP_DIV:
        if (lia_graph_node(t->g, b)->depends & t->bits) return false;
        put(t, lia_graph_div(t->g, w, b), a);
        return true;
    case LIA_OP_MUL:
        if (!(lia_graph_node(t->g, a)->depends & t->bits)) {
            put(t, lia_graph_mul(t->g, w, a), b);
            return true;
        }
        if (lia_graph_node(t->g, b)->depends & t->bits) return false;
        put(t, lia_graph_mul(t->g, w, b), a);
        return true;
    default:
        return false;
    }
}

// A sum as the list of its terms; what stands last is divided until nothing can be.
static void list_terms(Terms* t, LiaExpr weight, LiaExpr sum) {
    uint32_t done = t->count;
    put(t, weight, sum);
    while (done < t->count && !t->full) {
        Term last = t->list[--t->count];
        if (divide(t, last)) continue;
        for (uint32_t k = t->count++; k > done; k--) t->list[k] = t->list[k - 1];
        t->list[done++] = last;
    }
}

// One of the numbers of a direction or an attitude: their squares are entries of its matrix.
static bool is_of_matrix(const LiaActs* a, LiaExpr f) {
    bool symbol = lia_graph_is_symbol(a->g, f, LIA_SYMBOL_POSITION) ||
                  lia_graph_is_symbol(a->g, f, LIA_SYMBOL_VELOCITY);
    if (!symbol) return false;
    LiaManifold manifold = a->m->coordinates[lia_graph_node(a->g, f)->a].manifold;
    return manifold == LIA_ROTATION || manifold == LIA_SPHERE;
}

static bool is_square(const LiaActs* a, LiaExpr f) {
    const LiaNode* n = lia_graph_node(a->g, f);
    LiaNumber two;
    bool power = n->op == LIA_OP_POW && lia_graph_constant(a->g, (LiaExpr){n->b}, &two);
    bool square = (power && two.value == 2.0) || (n->op == LIA_OP_MUL && n->a == n->b);
    return square && !is_of_matrix(a, (LiaExpr){n->a});
}

static bool has_distance(const Terms* t, LiaExpr f) {
    const uint32_t* list = NULL;
    uint32_t found = lia_below_roots(t->g, &f, 1, LIA_DEPENDS(POSITION), &list);
    for (uint32_t i = 0; i < found; i++) {
        const LiaNode* n = &t->g->nodes[list[i]];
        if (n->op == LIA_OP_SQRT || n->op == LIA_OP_HYPOT) return true;
    }
    return false;
}

// Q = -weight d(of), or by the velocities of a dissipation.
static bool take(LiaActs* a, const Terms* t, const Term* term) {
    const LiaSystem* s = a->scene->system;
    bool rates = (t->bits & LIA_DEPENDS(VELOCITY)) != 0;
    LiaExpr minus = lia_graph_neg(a->g, term->weight);
    const LiaExpr* by = rates ? s->v : s->q;
    if (!lia_diff_gradient(a->g, term->of, by, s->n, a->act.Q)) return false;
    for (uint32_t i = 0; i < s->n; i++) {
        a->act.Q[i] = lia_graph_mul(a->g, minus, a->act.Q[i]);
    }
    a->act.speech = (LiaSpeech){.of = {term->of}, .weight = {minus}, .rates = {rates}, .count = 1};
    return true;
}

// Two acts at the same places: x^2 + y^2, or dot(P - Q, P - Q), is one spring.
static bool are_alike(const LiaScene* scene, uint32_t before, uint32_t first) {
    uint32_t count = scene->count - first;
    if (count == 0 || first - before != count) return false;
    for (uint32_t k = 0; k < count; k++) {
        const LiaSceneItem *one = &scene->items[before + k], *other = &scene->items[first + k];
        bool numbers = one->to_given[0] && other->to_given[0];
        bool formulas = !one->to_given[0] && !other->to_given[0];
        bool same = strcmp(one->kind, "force") == 0 && strcmp(other->kind, "force") == 0 &&
                    one->on == other->on && !one->at_given[0] && !other->at_given[0] &&
                    memcmp(one->at, other->at, sizeof one->at) == 0;
        if (!same || !(numbers || formulas)) return false;
    }
    return true;
}

// The act from `first` on into the one from `before` on.
static void merge(LiaActs* a, uint32_t before, uint32_t first) {
    LiaScene* scene = a->scene;
    if (!are_alike(scene, before, first)) return;
    for (uint32_t k = 0; k < scene->count - first; k++) {
        lia_arrows_act_join(a, &scene->items[before + k], &scene->items[first + k]);
    }
    scene->count = first;
}

static void draw(LiaActs* a, const Terms* t, const char* role) {
    uint32_t before = a->scene->count;
    LiaExpr weight = {0};
    for (uint32_t k = 0; k < t->count && !a->scene->failed; k++) {
        const Term* term = &t->list[k];
        bool rates = (t->bits & LIA_DEPENDS(VELOCITY)) != 0;
        bool other = (lia_graph_node(a->g, term->of)->depends & LIA_DEPENDS(VELOCITY)) && !rates;
        bool spring = is_square(a, term->of) || (!rates && has_distance(t, term->of));
        if (other || !spring || !take(a, t, term)) continue;
        a->act.item = (LiaSceneItem){.name = role, .role = role};
        a->act.constraint = 0;
        a->first = a->scene->count;
        lia_arrows_act_draw_exact(a);
        if (term->weight.index == weight.index) merge(a, before, a->first);
        if (a->scene->count > a->first) before = a->first;
        weight = term->weight;
    }
}

void lia_arrow_springs_add(LiaActs* a) {
    const LiaSystem* s = a->scene->system;
    const LiaModel* m = a->m;
    Terms* t = lia_memory_zeros(1, sizeof *t);
    if (!t) {
        a->scene->failed = true;
        return;
    }
    *t = (Terms){.g = a->g, .bits = LIA_DEPENDS(POSITION)};
    for (uint32_t i = 0; i < m->energies_count; i++) {
        LiaEnergyKind kind = m->energies[i].kind;
        if (kind == LIA_KINETIC) continue;
        list_terms(t, lia_graph_integer(a->g, kind == LIA_POTENTIAL ? 1 : -1),
                   s->energy.statements[i]);
    }
    draw(a, t, "potential");
    *t = (Terms){.g = a->g, .bits = LIA_DEPENDS(VELOCITY)};
    for (uint32_t i = 0; i < m->dissipations_count; i++) {
        LiaExpr D = lia_resolve_term(a->scene->resolver, m->dissipations[i].term);
        if (D.index) list_terms(t, lia_graph_integer(a->g, 1), D);
    }
    draw(a, t, "dissipation");
    free(t);
}
