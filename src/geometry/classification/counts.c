// Ranks at admissible states, and the dimensions that follow. See judge.h.
//
// The base S is what the operators set: the values of the functions on their left, rank df of them.
// A control in a kinematic constraint is a point of S too: for each value s the constraint has a
// leaf C_s, and C is their union.
//   V*M       2 dim M - rank df
//   C         2 (dim M - geometric) - kinematic, passive and controlled ones, + the controls
//   motion    the states of V*M whose velocities the passive constraints admit
// SPDX-License-Identifier: MIT
#include "geometry/classification/judge.h"
#include "geometry/span.h"
#include <string.h>

uint32_t lia_counts_internal(const LiaJudge* j) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < j->system->model->constraints_count; c++) {
        const LiaConstraint* one = &j->system->model->constraints[c];
        count += one->internal ? one->equation_count : 0;
    }
    return count;
}

uint32_t lia_counts_own(const LiaJudge* j) {
    const LiaModel* model = j->system->model;
    uint32_t count = 0;
    for (uint32_t c = 0; c < model->constraints_count; c++)
        count += lia_kinds_own(&model->constraints[c]);
    return count;
}

static uint32_t without_own(uint32_t rank, const LiaConstraint* c) {
    uint32_t own = lia_kinds_own(c);
    return rank > own ? rank - own : 0;
}

bool lia_counts_init(LiaJudge* j, LiaCounts* k) {
    *k = (LiaCounts){0};
    k->rank = LIA_ARENA_NEW(j->out->arena, int, j->out->constraint_count + 2);
    k->alone = LIA_ARENA_NEW(j->out->arena, int, j->out->constraint_count + 1);
    return k->rank && k->alone;
}

static void gather(const LiaJudge* j, int first, int last, const double* from, double* rows) {
    memcpy(rows, from + (size_t)first * (size_t)j->n,
           (size_t)(last - first) * (size_t)j->n * sizeof *rows);
}

// Internal rows, the lengths of quaternions, into `rows`: others may depend on each other only
// relative to them.
static int gather_lengths(const LiaJudge* j, double* rows) {
    int count = 0;
    for (int r = 0; r < j->m; r++) {
        if (!j->out->constraints[j->system->rows[j->row[r]].constraint].internal) continue;
        gather(j, r, r + 1, j->z.w->saddle.J, rows + (size_t)count++ * (size_t)j->n);
    }
    return count;
}

// Rows of Omega into A, without those of constraint `but` and of equations that follow from others
// and have no force.
static int gather_forces(const LiaJudge* j, uint32_t but) {
    int count = 0;
    for (int r = 0; r < j->m; r++) {
        const LiaRow* row = &j->system->rows[j->row[r]];
        if (row->constraint == but || row->follows) continue;
        gather(j, r, r + 1, j->z.w->saddle.Omega, j->A + (size_t)count++ * (size_t)j->n);
    }
    return count;
}

// Multipliers are unique where leaving out a constraint takes as many directions from Omega as it
// has rows.
static void look_at_multipliers(LiaJudge* j) {
    int forces = gather_forces(j, UINT32_MAX), all = lia_span_rank(forces, j->n, j->A);
    for (uint32_t c = 0; all < forces && c < j->out->constraint_count; c++) {
        int others = gather_forces(j, c), rest = lia_span_rank(others, j->n, j->A);
        if (all - rest < forces - others) j->out->constraints[c].unique = false;
    }
}

static void enlarge(int* most, int x, bool* failed) {
    if (x < 0) *failed = true;
    if (x > *most) *most = x;
}

// Independent equations of the first c constraints, and of each by itself.
static bool look_at_each(LiaJudge* j, LiaCounts* k) {
    const LiaWorkspace* w = j->z.w;
    bool failed = false;
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        int first, last, lengths = gather_lengths(j, j->A);
        if (j->out->constraints[c].internal) continue;
        lia_kinds_rows(j, c, &first, &last);
        double* rest = j->A + (size_t)lengths * (size_t)j->n;
        gather(j, 0, last, w->saddle.J, rest);
        int r = lia_span_rank(lengths + last, j->n, j->A);
        gather(j, first, last, w->saddle.J, rest);
        int own = lia_span_rank(lengths + last - first, j->n, j->A);
        enlarge(&k->rank[c + 1], r < 0 ? r : r - lengths, &failed);
        enlarge(&k->alone[c], own < 0 ? own : own - lengths, &failed);
    }
    return !failed;
}

typedef enum Which { GEOMETRIC, PASSIVE_GEOMETRIC, PASSIVE, FORCES, REST_GEOMETRIC, REST } Which;

static bool is_base(const LiaJudge* j, uint32_t constraint) {
    for (uint32_t b = 0; b < j->out->base_count; b++) {
        if (j->system->rows[j->out->base[b]].constraint == constraint) return true;
    }
    return false;
}

// Rows of J (of Omega: FORCES) into A. What a control moves counts as passive: its leaves restrict
// states, and its forces are among those of W. REST: passive ones that are not of the base.
static int gather_kind(const LiaJudge* j, Which which) {
    int count = 0;
    size_t n = (size_t)j->n;
    for (int r = 0; r < j->m; r++) {
        const LiaRow* row = &j->system->rows[j->row[r]];
        const LiaConstraintClass* c = &j->out->constraints[row->constraint];
        bool geometric = row->geometric && !row->integrated;
        bool passive = !c->active || (c->control && !geometric);
        bool positions = which == PASSIVE_GEOMETRIC || which == REST_GEOMETRIC;
        bool rest = which == REST || which == REST_GEOMETRIC;
        bool wanted = which == GEOMETRIC ? geometric : passive && (geometric || !positions);
        if (rest && is_base(j, row->constraint)) continue;
        if (!wanted) continue;
        const double* from =
            (which == FORCES ? j->z.w->saddle.Omega : j->z.w->saddle.J) + (size_t)r * n;
        memcpy(j->A + (size_t)count++ * n, from, n * sizeof(double));
    }
    return count;
}

static int rank_of_kind(const LiaJudge* j, Which which) {
    return lia_span_rank(gather_kind(j, which), j->n, j->A);
}

// df of the base after `count` rows in A. Attitudes and directions count without their length.
static int gather_base(const LiaJudge* j, int count) {
    int n = j->n, first = count;
    for (uint32_t b = 0; b < j->out->base_count; b++) {
        int r = 0;
        while (r < j->m && j->row[r] != j->out->base[b]) r++;
        if (r == j->m) continue;
        double* to = j->A + (size_t)count++ * (size_t)n;
        for (int i = 0; i < n; i++) to[i] = lia_value(&j->values, j->left[r * n + i]);
    }
    lia_lengths_take_away(j->system, j->z.w->q, count - first, j->A + (size_t)first * (size_t)n);
    return count;
}

bool lia_counts_look(LiaJudge* j, LiaCounts* k) {
    bool failed = !look_at_each(j, k);
    enlarge(&k->geometric, rank_of_kind(j, GEOMETRIC), &failed);
    enlarge(&k->passive_geometric, rank_of_kind(j, PASSIVE_GEOMETRIC), &failed);
    enlarge(&k->passive, rank_of_kind(j, PASSIVE), &failed);
    enlarge(&k->forces, rank_of_kind(j, FORCES), &failed);
    enlarge(&k->base, lia_span_rank(gather_base(j, 0), j->n, j->A), &failed);
    enlarge(&k->rest_geometric, rank_of_kind(j, REST_GEOMETRIC), &failed);
    enlarge(&k->beside, lia_span_rank(gather_base(j, gather_kind(j, REST)), j->n, j->A), &failed);
    if (!failed) look_at_multipliers(j);
    return !failed;
}

// Does a formula of the model contain a control?
static bool contains(const LiaModel* model, LiaExpr f, uint32_t control) {
    LiaValues values;
    bool found = false;
    if (!lia_evaluate_init(&values, model->graph, &f, 1)) return false;
    for (uint32_t i = 0; i < values.count && !found; i++) {
        const LiaNode* node = &model->graph->nodes[values.nodes[i]];
        found = node->op == LIA_OP_SYMBOL && node->symbol_kind == LIA_SYMBOL_CONTROL &&
                node->a == control;
    }
    lia_evaluate_clear(&values);
    return found;
}

// Controls in kinematic constraints: the values s of the leaves C_s.
static uint32_t count_controls(const LiaJudge* j) {
    const LiaModel* model = j->system->model;
    uint32_t count = 0;
    for (uint32_t k = 0; k < model->controls_count; k++) {
        bool used = false;
        for (uint32_t c = 0; c < model->constraints_count; c++) {
            const LiaConstraintClass* one = &j->out->constraints[c];
            const LiaConstraint* given = &model->constraints[c];
            if (!one->control || one->geometric) continue;
            for (uint32_t e = 0; e < given->equation_count && !used; e++) {
                used = contains(model, given->equations[e].left, k) ||
                       contains(model, given->equations[e].right, k);
            }
        }
        count += used;
    }
    return count;
}

void lia_counts_take(LiaJudge* j, const LiaCounts* k) {
    LiaClassification* out = j->out;
    for (uint32_t c = 0; c < out->constraint_count; c++) {
        if (k->rank[c + 1] < k->rank[c]) k->rank[c + 1] = k->rank[c];
        const LiaConstraint* given = &j->system->model->constraints[c];
        out->constraints[c].independent =
            without_own((uint32_t)(k->rank[c + 1] - k->rank[c]), given);
        out->constraints[c].alone = without_own((uint32_t)k->alone[c], given);
    }
    out->dimensions.leaves = count_controls(j);
    out->dimensions.base_rank = (uint32_t)k->base;
    out->dimensions.S = out->dimensions.base_rank + out->dimensions.leaves;
    out->dimensions.VstarM = 2 * out->dimensions.M - out->dimensions.base_rank;
    if (j->samples.count == 0) return;
    uint32_t n = j->system->n, geometric = (uint32_t)k->passive_geometric;
    uint32_t passive = (uint32_t)k->passive, own = lia_counts_own(j);
    uint32_t inner = lia_counts_internal(j) + own;
    out->dimensions.C = out->dimensions.D = 2 * n - geometric - passive + out->dimensions.leaves;
    out->dimensions.lives =
        2 * n - (uint32_t)k->rest_geometric - (uint32_t)k->beside + out->dimensions.leaves;
    out->dimensions.W = (uint32_t)k->forces > inner ? (uint32_t)k->forces - inner : 0;
    out->positions = n - (uint32_t)k->geometric;
    out->velocities = n - inner - ((uint32_t)k->rank[out->constraint_count] - own);
    out->l = geometric - inner;
    out->l_at_start = (uint32_t)k->at_start - inner;
    out->c = passive - geometric;
}
