// Reconstruction: what the group moves, carried along by the motion of the quotient.
//
//   g' = g c,   y' = (Ad_g c)_A xi_A(y),   Ad_g' = Ad_g ad_c
// SPDX-License-Identifier: MIT
#include "expr/reading/simplify.h"
#include "study/reduce/reduce_page.h"

// Does a formula depend on nothing but what is fixed on the slice?
static bool stays_in_orbit(const LiaReduce* x, LiaExpr f) {
    for (uint32_t i = 0; i < x->s->n; i++) {
        if (x->position[i].index) continue;
        LiaExpr slope = lia_simplify(x->g, lia_diff(x->g, f, x->s->q[i]));
        if (!lia_graph_is_zero(x->g, slope)) return false;
    }
    return true;
}

static LiaExpr symbol_of_Ad(const LiaReduce* x, uint32_t A, uint32_t B) {
    uint32_t number = A * x->count + B;
    LiaExpr symbol = lia_graph_symbol(x->g, LIA_SYMBOL_DISPLACEMENT, number);
    lia_graph_name(x->g, LIA_SYMBOL_DISPLACEMENT, number,
                   lia_arena_printf(x->arena, "Ad_%u_%u", A + 1, B + 1));
    return symbol;
}

// Ad' = Ad ad_c; the fields of a left action have the constants of the group with the other sign.
static void write_Ad(LiaReducePage* page, const LiaExpr* c) {
    const LiaReduce* x = page->x;
    uint32_t g = x->count;
    for (uint32_t C = 0; C < g; C++) {
        for (uint32_t B = 0; B < g; B++) {
            LiaExpr rate = lia_graph_integer(x->g, 0);
            for (uint32_t E = 0; E < g; E++) {
                for (uint32_t D = 0; D < g; D++) {
                    double of = x->structure[((size_t)D * g + B) * g + E];
                    if (of == 0.0) continue;
                    LiaExpr term = lia_graph_mul(x->g, symbol_of_Ad(x, C, E), c[D]);
                    term = lia_graph_mul(x->g, lia_graph_real(x->g, -of), term);
                    rate = lia_graph_add(x->g, rate, term);
                }
            }
            if (lia_graph_is_zero(x->g, rate)) continue;
            lia_reduce_text_put(page, " + ", rate, true);
            lia_reduce_text_say(page, lia_arena_printf(x->arena, "*d(Ad_%u_%u)", C + 1, B + 1));
        }
    }
}

// The velocity of a fixed slot anywhere on its orbit: (Ad c)_A xi_A.
static LiaExpr moved(const LiaReduce* x, const LiaExpr* turned, uint32_t slot) {
    LiaExpr sum = lia_graph_integer(x->g, 0);
    for (uint32_t A = 0; A < x->count; A++) {
        LiaExpr xi = x->xi[(size_t)A * x->n + slot];
        sum = lia_graph_add(x->g, sum, lia_graph_mul(x->g, turned[A], xi));
    }
    return sum;
}

static void write_rate(LiaReducePage* page, const LiaExpr* turned, uint32_t B, bool* first) {
    const LiaReduce* x = page->x;
    uint32_t k = x->fixed[B];
    const LiaReduceSlot* slot = &x->slots[k];
    if (slot->rotation && slot->axis > 0) return;
    if (!slot->rotation) {
        lia_reduce_text_put(page, *first ? "force reconstruct: " : " + ", moved(x, turned, k),
                            true);
        lia_reduce_text_say(page, lia_arena_printf(x->arena, "*d(%s)", slot->name));
        *first = false;
        return;
    }
    uint32_t at = x->m->groups[slot->rotation - 1].first;
    LiaExpr omega[3];
    for (uint32_t j = 0; j < 3; j++) omega[j] = moved(x, turned, k + j);
    for (uint32_t a = 0; a < 4; a++) {
        LiaExpr rate = lia_graph_integer(x->g, 0);
        for (int j = 0; j < 3; j++) {
            LiaExpr factor = lia_reduce_turning(x, slot, (int)a, j);
            rate = lia_graph_add(x->g, rate, lia_graph_mul(x->g, factor, omega[j]));
        }
        lia_reduce_text_put(page, *first ? "force reconstruct: " : " + ", rate, true);
        lia_reduce_text_say(page,
                            lia_arena_printf(x->arena, "*d(%s)",
                                             lia_reduce_text_name(x, LIA_SYMBOL_POSITION, at + a)));
        *first = false;
    }
}

// Coefficients of the velocity along the group on the slice, and as they are elsewhere on the
// orbit.
void lia_reduce_orbit_move(LiaReducePage* page) {
    const LiaReduce* x = page->x;
    uint32_t g = x->count;
    LiaExpr* c = LIA_ARENA_NEW(x->arena, LiaExpr, g + 1);
    LiaExpr* turned = LIA_ARENA_NEW(x->arena, LiaExpr, g + 1);
    if (!c || !turned) {
        page->failed = true;
        return;
    }
    for (uint32_t A = 0; A < g; A++) {
        c[A] = lia_graph_integer(x->g, 0);
        for (uint32_t B = 0; B < g; B++) {
            LiaExpr V = x->V[x->fixed[B]];  // of a coordinate: functions have no orbit written
            c[A] = lia_graph_add(x->g, c[A], lia_graph_mul(x->g, V, x->inverse[B * g + A]));
        }
    }
    for (uint32_t A = 0; A < g; A++) {
        turned[A] = x->commutes ? c[A] : lia_graph_integer(x->g, 0);
        for (uint32_t B = 0; !x->commutes && B < g; B++) {
            LiaExpr term = lia_graph_mul(x->g, symbol_of_Ad(x, A, B), c[B]);
            turned[A] = lia_graph_add(x->g, turned[A], term);
        }
    }
    bool first = true;
    for (uint32_t B = 0; B < g; B++) write_rate(page, turned, B, &first);
    if (!x->commutes) write_Ad(page, c);
    lia_reduce_text_say(page, "\n");
}

bool lia_reduce_orbit_is_closed(const LiaReduce* x) {
    for (uint32_t A = 0; A < x->count; A++) {
        for (uint32_t B = 0; B < x->count; B++) {
            if (x->fixed[B] == UINT32_MAX) return false;
            if (!stays_in_orbit(x, x->xi[(size_t)A * x->n + x->fixed[B]])) return false;
        }
    }
    return true;
}

void lia_reduce_orbit_declare(LiaReducePage* page) {
    const LiaReduce* x = page->x;
    for (uint32_t B = 0; B < x->count; B++) {
        const LiaReduceSlot* slot = &x->slots[x->fixed[B]];
        uint32_t i = slot->coordinate;
        bool circle = x->m->coordinates[i].manifold == LIA_CIRCLE;
        if (slot->rotation && slot->axis > 0) continue;
        uint32_t at = slot->rotation ? x->m->groups[slot->rotation - 1].first : i;
        for (uint32_t a = 0; a < (slot->rotation ? 4 : 1); a++) {
            lia_text_add(page->out, "phase %s : %s\n",
                         lia_reduce_text_name(x, LIA_SYMBOL_POSITION, at + a),
                         circle ? "circle" : "line");
        }
    }
    for (uint32_t A = 0; !x->commutes && A < x->count; A++) {
        for (uint32_t B = 0; B < x->count; B++) {
            lia_text_add(page->out, "phase Ad_%u_%u\n", A + 1, B + 1);
        }
    }
}

void lia_reduce_orbit_start(LiaReducePage* page) {
    const LiaReduce* x = page->x;
    for (uint32_t B = 0; B < x->count; B++) {
        const LiaReduceSlot* slot = &x->slots[x->fixed[B]];
        if (slot->rotation && slot->axis > 0) continue;
        uint32_t at = slot->rotation ? x->m->groups[slot->rotation - 1].first : slot->coordinate;
        for (uint32_t a = 0; a < (slot->rotation ? 4 : 1); a++) {
            lia_text_add(page->out,
                         ", %s = ", lia_reduce_text_name(x, LIA_SYMBOL_POSITION, at + a));
            lia_text_add_number(page->out, x->e->q[at + a]);
        }
    }
    for (uint32_t A = 0; !x->commutes && A < x->count; A++) {
        lia_text_add(page->out, ", Ad_%u_%u = 1", A + 1, A + 1);
    }
}
