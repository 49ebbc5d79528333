// One way to run a system: which coordinates are unknown, which equations are rows of K0, and the
// tape that computes the residual
//
//   r = dp/dt - G,   G = dL/dq + Q + Omega^T mu
//
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "mechanics/build.h"
#include <stdlib.h>

static bool is_driven(const LiaDynamics* d, uint32_t coordinate) {
    for (uint32_t k = 0; k < d->drive_count; k++) {
        if (d->drives[k].coordinate == coordinate) return true;
    }
    return false;
}

static bool is_drive_row(const LiaDynamics* d, uint32_t row) {
    for (uint32_t k = 0; k < d->drive_count; k++) {
        if (d->drive_row[k] == row) return true;
    }
    return false;
}

static bool make_lists(const LiaSystem* s, LiaDynamics* d, bool full, const LiaDrive* drives,
                       const uint32_t* drive_rows, uint32_t count) {
    d->drives = lia_memory_zeros(count + 1, sizeof *d->drives);
    d->drive_row = lia_memory_zeros(count + 1, sizeof *d->drive_row);
    d->free = lia_memory_zeros(s->n + 1, sizeof *d->free);
    d->rows = lia_memory_zeros(s->row_count + 1, sizeof *d->rows);
    if (!d->drives || !d->drive_row || !d->free || !d->rows) return false;
    d->drive_count = count;
    for (uint32_t k = 0; k < count; k++) {
        d->drives[k] = drives[k];
        d->drive_row[k] = drive_rows[k];
    }
    for (uint32_t i = 0; i < s->n; i++) {
        if (!is_driven(d, i)) d->free[d->nf++] = i;
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        bool aside = s->rows[r].identical || (!full && s->rows[r].follows);
        if (!aside && !is_drive_row(d, r)) d->rows[d->nc++] = r;
    }
    return true;
}

// Parts of one component of Omega^T mu that have a factor in common which is constant in time.
typedef struct Share {
    LiaExpr factor, sum;
    uint32_t next;  // 1 + the next one of the same coordinate; 0: none
} Share;

// x = factor * rest, the factor constant in time; false: there is none.
static bool take_factor(LiaGraph* g, LiaExpr x, LiaExpr* factor, LiaExpr* rest) {
    const LiaNode n = *lia_graph_node(g, x);
    if (n.op == LIA_OP_NEG) {
        if (!take_factor(g, (LiaExpr){n.a}, factor, rest)) return false;
        *rest = lia_graph_neg(g, *rest);
        return true;
    }
    if (n.op != LIA_OP_MUL) return false;
    const unsigned constant = LIA_DEPENDS(PARAMETER);
    bool first = (g->nodes[n.a].depends & ~constant) == 0;
    if (!first && (g->nodes[n.b].depends & ~constant) != 0) return false;
    *factor = (LiaExpr){first ? n.a : n.b};
    *rest = (LiaExpr){first ? n.b : n.a};
    return true;
}

// mu_c times an entry of Omega, to the share with the same factor.
static void add_part(LiaGraph* g, LiaExpr mu, LiaExpr entry, Share* shares, uint32_t* first,
                     uint32_t* count) {
    LiaExpr factor = lia_graph_integer(g, 1), rest = entry;
    take_factor(g, entry, &factor, &rest);
    LiaExpr part = lia_graph_mul(g, mu, rest);
    uint32_t* at = first;
    while (*at && !lia_expr_same(shares[*at - 1].factor, factor)) at = &shares[*at - 1].next;
    if (*at) {
        shares[*at - 1].sum = lia_graph_add(g, shares[*at - 1].sum, part);
    } else {
        shares[*count] = (Share){factor, part, 0};
        *at = ++*count;
    }
}

// Omega^T mu is added to G. A lever 2 l q that many forces have is not made into a series of its
// own: q has one already.
static bool add_constraint_forces(LiaSystem* s, LiaDynamics* d) {
    LiaGraph* g = s->graph;
    size_t entries = 0;
    for (uint32_t c = 0; c < d->nc; c++) entries += s->rows[d->rows[c]].entries;
    Share* shares = lia_memory_zeros(entries + 1, sizeof *shares);
    uint32_t *first = lia_memory_zeros(s->n + 1, sizeof *first), count = 0;
    bool good = shares && first;
    for (uint32_t c = 0; good && c < d->nc; c++) {
        const LiaRow* row = &s->rows[d->rows[c]];
        LiaExpr mu = lia_graph_symbol(g, LIA_SYMBOL_MULTIPLIER, d->rows[c]);
        for (uint32_t e = 0; e < row->entries; e++)
            add_part(g, mu, row->Omega[e], shares, &first[row->coordinate[e]], &count);
    }
    for (uint32_t i = 0; good && i < s->n; i++) {
        for (uint32_t at = first[i]; at; at = shares[at - 1].next) {
            LiaExpr force = lia_graph_mul(g, shares[at - 1].factor, shares[at - 1].sum);
            d->G[i] = lia_graph_add(g, d->G[i], force);
        }
    }
    free(shares);
    free(first);
    return good;
}

static bool make_G(LiaSystem* s, LiaDynamics* d) {
    LiaGraph* g = s->graph;
    d->G = lia_memory_zeros(s->n + 1, sizeof *d->G);
    if (!d->G) return false;
    for (uint32_t i = 0; i < s->n; i++) d->G[i] = s->lagrange.Q[i];
    if (!add_constraint_forces(s, d)) return false;
    for (uint32_t i = 0; i < s->n; i++) {
        d->G[i] = lia_graph_add(g, s->lagrange.dL_dq[i], d->G[i]);
        if (s->lagrange.lent) d->G[i] = lia_graph_add(g, d->G[i], s->lagrange.lent[i]);
        if (s->rubbing) d->G[i] = lia_graph_add(g, d->G[i], s->rubbing[i]);
    }
    return true;
}

// Can a formula leap (if, sign)? Its derivatives know nothing of that, so its own guards must be
// watched.
static bool can_leap(const LiaGraph* g, LiaExpr f) {
    for (uint32_t i = 1; i <= f.index; i++) {
        if (g->nodes[i].op == LIA_OP_IF || g->nodes[i].op == LIA_OP_SIGN) return true;
    }
    return false;
}

// Where an operator may act through hidden equations (relative_degree.c), stages are run ahead and
// then again.
static bool stages_run_once(const LiaSystem* s, const LiaDynamics* d) {
    for (uint32_t c = 0; c < d->nc; c++) {
        if (s->model->constraints[s->rows[d->rows[c]].constraint].active) return false;
    }
    return true;
}

// What the stages run through: momenta, balances, equations, and the directions of their forces.
static uint32_t list_roots(const LiaSystem* s, const LiaDynamics* d, uint8_t room, LiaRoot* roots) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->n; i++)
        roots[count++] = (LiaRoot){s->lagrange.P[i], 1, is_driven(d, i), .room = room};
    for (uint32_t k = 0; k < d->nf; k++)
        roots[count++] = (LiaRoot){.expr = d->G[d->free[k]], .room = room};
    for (uint32_t c = 0; c < d->nc; c++) {
        const LiaRow* row = &s->rows[d->rows[c]];
        roots[count++] =
            (LiaRoot){.expr = row->equation, .offset = row->geometric ? 2 : 1, .room = room};
        if (!d->full && row->position.index)
            roots[count++] = (LiaRoot){.expr = row->position, .offset = 1};
        const LiaExpr* entries = row->slope ? row->slope : row->Omega;
        for (uint32_t e = 0; e < row->entries; e++) {
            if (!is_driven(d, row->coordinate[e]))
                roots[count++] =
                    (LiaRoot){.expr = entries[e], .room = LIA_ROOM_LAYER, .aside = true};
        }
    }
    return count;
}

static bool make_tape(const LiaSystem* s, LiaDynamics* d) {
    uint32_t lines = s->line_count, events = s->model->events_count;
    size_t entries = 0;
    for (uint32_t c = 0; c < d->nc; c++) entries += s->rows[d->rows[c]].entries;
    LiaRoot* roots =
        lia_memory_zeros((size_t)s->n * 2 + 2 * (size_t)d->nc + entries + 1, sizeof *roots);
    LiaExpr* reactions = lia_memory_zeros(d->drive_count + 1, sizeof *reactions);
    LiaExpr* posts = lia_memory_zeros(
        lines + events + s->mode.watched_count + s->mode.following_count + 2, sizeof *posts);
    if (!roots || !reactions || !posts) {
        free(roots);
        free(reactions);
        free(posts);
        return false;
    }
    bool once = stages_run_once(s, d);
    uint32_t count = list_roots(s, d, once ? LIA_ROOM_BRIEF : LIA_ROOM_SERIES, roots);
    uint32_t post_count = 0;
    for (uint32_t k = 0; k < d->drive_count; k++) reactions[k] = d->G[d->drives[k].coordinate];
    for (uint32_t l = 0; l < lines; l++) posts[post_count++] = s->lines[l].power;
    for (uint32_t e = 0; e < events; e++) posts[post_count++] = s->observables.events[e];
    for (uint32_t i = 0; i < s->mode.watched_count; i++)
        posts[post_count++] = s->mode.watched[i].formula;
    for (uint32_t i = 0; i < s->mode.following_count; i++)
        posts[post_count++] = s->mode.following[i].formula;
    if (can_leap(s->graph, s->energy.lagrangian)) posts[post_count++] = s->energy.total;
    LiaTapeSpec spec = {.graph = s->graph,
                        .parameters = s->parameters,
                        .coordinate_count = s->n,
                        .multiplier_count = s->row_count,
                        .work_count = lines,
                        .drives = d->drives,
                        .drive_count = d->drive_count,
                        .roots = roots,
                        .root_count = count,
                        .run_once = once,
                        .reactions = reactions,
                        .reaction_count = d->drive_count,
                        .posts = posts,
                        .post_count = post_count,
                        .watched_first = lines,
                        .watched_count = events,
                        .samples = s->observables.samples,
                        .sample_count = s->observables.sample_count};
    d->tape = lia_tape_create(&spec);
    free(roots);
    free(reactions);
    free(posts);
    return d->tape != NULL;
}

static bool find_registers(const LiaSystem* s, LiaDynamics* d) {
    uint32_t lines = s->line_count, events = s->model->events_count;
    d->p = lia_memory_zeros(s->n + 1, sizeof *d->p);
    d->G_register = lia_memory_zeros(s->n + 1, sizeof *d->G_register);
    d->equation = lia_memory_zeros(d->nc + 1, sizeof *d->equation);
    d->position = lia_memory_zeros(d->nc + 1, sizeof *d->position);
    d->power = lia_memory_zeros(lines + 1, sizeof *d->power);
    d->event = lia_memory_zeros(events + 1, sizeof *d->event);
    d->watched = lia_memory_zeros(s->mode.watched_count + 1, sizeof *d->watched);
    d->following = lia_memory_zeros(s->mode.following_count + 1, sizeof *d->following);
    if (!d->p || !d->G_register || !d->equation || !d->position || !d->power || !d->event ||
        !d->watched || !d->following)
        return false;
    for (uint32_t i = 0; i < s->n; i++) {
        d->p[i] = lia_tape_register(d->tape, s->lagrange.P[i]);
        d->G_register[i] = lia_tape_register(d->tape, d->G[i]);
    }
    for (uint32_t c = 0; c < d->nc; c++) {
        const LiaRow* row = &s->rows[d->rows[c]];
        d->equation[c] = lia_tape_register(d->tape, row->equation);
        if (!d->full && row->position.index)
            d->position[c] = lia_tape_register(d->tape, row->position);
    }
    for (uint32_t l = 0; l < lines; l++)
        d->power[l] = lia_tape_register(d->tape, s->lines[l].power);
    for (uint32_t e = 0; e < events; e++)
        d->event[e] = lia_tape_register(d->tape, s->observables.events[e]);
    for (uint32_t i = 0; i < s->mode.watched_count; i++)
        d->watched[i] = lia_tape_register(d->tape, s->mode.watched[i].formula);
    for (uint32_t i = 0; i < s->mode.following_count; i++)
        d->following[i] = lia_tape_register(d->tape, s->mode.following[i].formula);
    return true;
}

// Is there a formula of the work of this line? By the symbols that were made.
static void mark_read(const LiaSystem* s, bool* read) {
    for (uint32_t i = 1; i < s->graph->count; i++) {
        const LiaNode* n = &s->graph->nodes[i];
        if (n->op == LIA_OP_SYMBOL && n->symbol_kind == LIA_SYMBOL_WORK && n->a < s->line_count)
            read[n->a] = true;
    }
}

static bool find_live(const LiaSystem* s, LiaDynamics* d) {
    size_t rows = s->row_count, lines = s->line_count;
    LiaLive* live = &d->live;
    live->rows = lia_memory_zeros(rows + 1, sizeof *live->rows);
    live->lines = lia_memory_zeros(lines + 1, sizeof *live->lines);
    bool* marked = lia_memory_zeros(rows + lines + 1, sizeof *marked);
    if (live->rows && live->lines && marked) {
        bool* read = marked + rows;
        for (uint32_t i = 0; i < s->mode.following_count; i++)
            marked[s->mode.following[i].row] = true;
        for (uint32_t r = 0; r < rows; r++) {
            if (marked[r] || !s->rows[r].identical) live->rows[live->row_count++] = r;
        }
        mark_read(s, read);
        for (uint32_t l = 0; l < lines; l++) {
            if (read[l] || !lia_graph_is_zero(s->graph, s->lines[l].power))
                live->lines[live->line_count++] = l;
        }
    }
    free(marked);
    return live->rows && live->lines && marked;
}

LiaDynamics* lia_dynamics_create(LiaSystem* s, bool full, const LiaDrive* drives,
                                 const uint32_t* drive_rows, uint32_t drive_count) {
    LiaDynamics* d = lia_memory_zeros(1, sizeof *d);
    if (!d) return NULL;
    d->full = full;
    if (make_lists(s, d, full, drives, drive_rows, drive_count) && make_G(s, d) &&
        make_tape(s, d) && find_registers(s, d) && find_live(s, d) && lia_pattern_make(s, d)) {
        return d;
    }
    lia_dynamics_destroy(d);
    return NULL;
}

void lia_dynamics_destroy(LiaDynamics* d) {
    if (!d) return;
    lia_tape_destroy(d->tape);
    lia_pattern_clear(d);
    free(d->drives);
    free(d->drive_row);
    free(d->free);
    free(d->rows);
    free(d->G);
    free(d->p);
    free(d->G_register);
    free(d->equation);
    free(d->position);
    free(d->power);
    free(d->event);
    free(d->watched);
    free(d->following);
    free(d->live.rows);
    free(d->live.lines);
    free(d);
}
