// Rough constraints: friction where a constraint holds both ways (a rail, a pin), |T| <= friction
// |N| with N the force that there is, whatever its sign. What a mode of the system makes of one:
//
//   closed      slip free, no friction: impacts, the system before a mode is chosen,
//               and several normal forces that are zero (-N^2 is watched)
//   sticks      row slip = 0; the bound (static N)^2 - T^2 is watched
//   slides      T = -friction |N| e, e = +-1 the sign of the slip, which is watched
//
// One normal force: |N| = s N with s = +-1, so that the force stays linear in its multiplier,
// Omega = d(phi) - s friction e virtual(slip). Where N changes its sign another mode begins: s N is
// watched.
// Several (a pin, a slide in space): |N| = sqrt(N_1^2 + ... ) is not linear. The friction is a
// force of its own in G; K0 has its derivative by N, which is known when N is (kkt/rubbing.c):
//
//   slope of row i = d(phi_i) - friction e (N_i/|N|) virtual(slip)
//
// |N| is homogeneous, so that the slopes times the multipliers are the whole force. |N| is watched:
// where all components vanish, its series changes its sign, and another one begins there.
// SPDX-License-Identifier: MIT
#include "mechanics/rough/rough.h"
#include "mechanics/build.h"
#include <string.h>

static LiaExpr multiplier(LiaSystem* s, uint32_t row) {
    return lia_graph_symbol(s->graph, LIA_SYMBOL_MULTIPLIER, row);
}

// --- what there is ------------------------------------------------------------------------------

// Its normal rows: those that the coordinates make true have no force.
static uint32_t count_normals(const LiaSystem* s, const LiaRoughLaw* law, uint32_t first,
                              uint32_t* last) {
    uint32_t count = 0;
    for (uint32_t r = first; r < first + law->normals; r++) {
        const LiaRow* row = &s->rows[r];
        if (row->identical && !row->by_mode) continue;
        *last = r;
        count++;
    }
    return count;
}

bool lia_rough_build(LiaSystem* s, LiaResolver* resolver, LiaDiags* diags) {
    const LiaModel* m = s->model;
    uint32_t count = 0;
    for (uint32_t c = 0; c < m->constraints_count; c++) count += m->constraints[c].rough != NULL;
    s->rough = LIA_ARENA_NEW(s->arena, LiaRoughFormulas, count + 1);
    if (!s->rough) return false;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        const LiaRoughLaw* law = m->constraints[c].rough;
        if (!law) continue;
        uint32_t first = s->first_row[c], last = first;
        LiaExpr friction = lia_resolve_term(resolver, law->friction), most = law->friction_static;
        LiaRoughFormulas rough = {.constraint = c,
                                  .name = m->constraints[c].name,
                                  .row = first,
                                  .rows = law->normals,
                                  .slip = first + law->slip,
                                  .friction = friction,
                                  .friction_static =
                                      most.index ? lia_resolve_term(resolver, most) : friction};
        rough.normals = count_normals(s, law, first, &last);
        if (rough.normals == 1) rough.row = last, rough.rows = 1;
        if (rough.normals == 0) {
            lia_diag_error(diags, m->constraints[c].name_span, "E0294",
                           "'%s' holds by the choice of coordinates: its force is not known, nor "
                           "its friction",
                           rough.name);
            lia_diag_help(diags, "leave the bodies free to move in all directions, so that the "
                                 "joint holds them");
            return false;
        }
        s->rough[s->rough_count++] = rough;
    }
    return true;
}

bool lia_rough_is_on(const LiaSystem* s, uint32_t k) {
    return !lia_system_is_off(s, s->rough[k].constraint);
}

// --- forces -------------------------------------------------------------------------------------

static bool slides(LiaContactMode mode) { return mode > LIA_MODE_STICK; }

// e, the sign of the slip; s, that of N.
static LiaExpr sign_of_slip(LiaSystem* s, LiaContactMode mode) {
    bool back = mode == LIA_MODE_BACKWARD || mode == LIA_MODE_BACKWARD_PULL;
    return lia_graph_integer(s->graph, back ? -1 : 1);
}

static LiaExpr with_sign_of_N(LiaSystem* s, LiaContactMode mode, LiaExpr N) {
    bool pull = mode == LIA_MODE_FORWARD_PULL || mode == LIA_MODE_BACKWARD_PULL;
    return pull ? lia_graph_neg(s->graph, N) : N;
}

// N_1^2 + ...
static LiaExpr square_of_N(LiaSystem* s, const LiaRoughFormulas* of) {
    LiaGraph* g = s->graph;
    LiaExpr sum = s->zero;
    for (uint32_t r = of->row; r < of->row + of->rows; r++) {
        if (s->rows[r].identical) continue;
        LiaExpr N = multiplier(s, r);
        sum = lia_graph_add(g, sum, lia_graph_mul(g, N, N));
    }
    return sum;
}

static LiaExpr size_of_N(LiaSystem* s, const LiaRoughFormulas* of, LiaContactMode mode) {
    if (of->normals == 1) return with_sign_of_N(s, mode, multiplier(s, of->row));
    return lia_graph_apply(s->graph, LIA_OP_SQRT, square_of_N(s, of), (LiaExpr){0}, (LiaExpr){0});
}

// The directions of a row by coordinate, with -part times those of the slip.          (n)
static void combine(LiaSystem* s, const LiaRow* row, const LiaRow* slip, LiaExpr part,
                    LiaExpr* out) {
    LiaGraph* g = s->graph;
    for (uint32_t i = 0; i < s->n; i++) out[i] = s->zero;
    for (uint32_t e = 0; e < row->entries; e++) out[row->coordinate[e]] = row->Omega[e];
    for (uint32_t e = 0; e < slip->entries; e++) {
        uint32_t i = slip->coordinate[e];
        out[i] = lia_graph_sub(g, out[i], lia_graph_mul(g, part, slip->Omega[e]));
    }
}

// The entries of a row are where the combination has some; `own`: its directions, else it keeps
// those it has, and the combination is its slope.
static bool write_row(LiaSystem* s, LiaRow* row, const LiaExpr* by, bool own) {
    uint32_t count = 0;
    const LiaRow before = *row;
    row->coordinate = LIA_ARENA_NEW(s->arena, uint32_t, s->n + 1);
    row->Omega = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    LiaExpr* slope = own ? row->Omega : LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    if (!row->coordinate || !row->Omega || !slope) return false;
    for (uint32_t i = 0, e = 0; i < s->n; i++) {
        bool there = e < before.entries && before.coordinate[e] == i;
        LiaExpr ideal = there ? before.Omega[e++] : s->zero;
        if (!there && lia_graph_is_zero(s->graph, by[i])) continue;
        row->coordinate[count] = i;
        row->Omega[count] = ideal;
        slope[count++] = by[i];
    }
    row->entries = count;
    row->slope = own ? NULL : slope;
    row->ideal = row->workless = false;
    return true;
}

static bool slide_linear(LiaSystem* s, const LiaRoughFormulas* of, LiaContactMode mode,
                         LiaExpr* room) {
    LiaGraph* g = s->graph;
    LiaExpr part = lia_graph_mul(g, of->friction, sign_of_slip(s, mode));
    combine(s, &s->rows[of->row], &s->rows[of->slip], with_sign_of_N(s, mode, part), room);
    return write_row(s, &s->rows[of->row], room, true);
}

static bool slide_pin(LiaSystem* s, const LiaRoughFormulas* of, LiaContactMode mode,
                      LiaExpr* room) {
    LiaGraph* g = s->graph;
    const LiaRow* slip = &s->rows[of->slip];
    LiaExpr part = lia_graph_mul(g, of->friction, sign_of_slip(s, mode));
    LiaExpr N = size_of_N(s, of, mode), T = lia_graph_neg(g, lia_graph_mul(g, part, N));
    if (!s->rubbing) {
        s->rubbing = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
        if (!s->rubbing) return false;
        for (uint32_t i = 0; i < s->n; i++) s->rubbing[i] = s->zero;
    }
    for (uint32_t e = 0; e < slip->entries; e++) {
        LiaExpr* to = &s->rubbing[slip->coordinate[e]];
        *to = lia_graph_add(g, *to, lia_graph_mul(g, T, slip->Omega[e]));
    }
    for (uint32_t r = of->row; r < of->row + of->rows; r++) {
        if (s->rows[r].identical) continue;
        LiaExpr share = lia_graph_mul(g, part, lia_graph_div(g, multiplier(s, r), N));
        combine(s, &s->rows[r], slip, share, room);
        if (!write_row(s, &s->rows[r], room, false)) return false;
    }
    return true;
}

bool lia_rough_set(LiaSystem* s, LiaExpr* by) {
    if (s->rough_count == 0) return true;
    LiaExpr* room = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    if (!room) return false;
    for (uint32_t k = 0; k < s->rough_count; k++) {
        const LiaRoughFormulas* of = &s->rough[k];
        LiaContactMode mode = s->mode.now[lia_system_rough_place(s, k)];
        LiaRow* slip = &s->rows[of->slip];
        bool on = lia_rough_is_on(s, k);
        slip->identical = !on || mode != LIA_MODE_STICK;
        if (slip->identical) by[of->slip] = s->zero;
        if (mode == LIA_MODE_STICK && slip->workless) slip->Omega_v = s->zero;
        if (!on || !slides(mode)) continue;
        LiaExpr N = size_of_N(s, of, mode);
        LiaExpr part = lia_graph_mul(s->graph, of->friction, sign_of_slip(s, mode));
        LiaExpr T = lia_graph_neg(s->graph, lia_graph_mul(s->graph, part, N));
        s->mode.following[s->mode.following_count++] = (LiaFollowing){of->slip, T};
        bool good =
            of->normals == 1 ? slide_linear(s, of, mode, room) : slide_pin(s, of, mode, room);
        if (!good) return false;
    }
    return true;
}

// --- watching -----------------------------------------------------------------------------------

static void watch(LiaSystem* s, LiaWatchKind kind, uint32_t k, LiaExpr formula) {
    s->mode.watched[s->mode.watched_count++] = (LiaWatched){kind, k, formula, true, 0};
}

void lia_rough_watch(LiaSystem* s) {
    LiaGraph* g = s->graph;
    for (uint32_t k = 0; k < s->rough_count; k++) {
        const LiaRoughFormulas* of = &s->rough[k];
        LiaContactMode mode = s->mode.now[lia_system_rough_place(s, k)];
        if (!lia_rough_is_on(s, k)) continue;
        if (mode == LIA_MODE_CLOSED && of->normals > 1)
            watch(s, LIA_WATCH_NORMAL, k, lia_graph_neg(g, square_of_N(s, of)));
        if (mode < LIA_MODE_STICK) continue;
        if (mode == LIA_MODE_STICK) {
            LiaExpr most = lia_graph_mul(g, of->friction_static, of->friction_static);
            LiaExpr T = multiplier(s, of->slip);
            most = lia_graph_mul(g, most, square_of_N(s, of));
            watch(s, LIA_WATCH_BOUND, k, lia_graph_sub(g, most, lia_graph_mul(g, T, T)));
            continue;
        }
        LiaExpr slip = s->rows[of->slip].equation;
        watch(s, LIA_WATCH_SLIP, k, lia_graph_mul(g, sign_of_slip(s, mode), slip));
        watch(s, LIA_WATCH_NORMAL, k, size_of_N(s, of, mode));
    }
}
