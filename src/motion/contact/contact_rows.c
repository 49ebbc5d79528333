// The rows of one contact as numbers, by formulas of its own: what touches is decided without a
// look at the contacts that do not. The formulas are made where a contact touches for the first
// time, in a copy of the graph of the system, and kept: gap' or slip, its rate, and their
// gradients.
// SPDX-License-Identifier: MIT
#include "motion/contact/contact_rows.h"
#include "base/memory/memory.h"
#include "base/numeric/rising.h"
#include "expr/graph/diff.h"
#include "expr/graph/evaluate.h"
#include "expr/ops/op.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    LiaExpr psi, rate;  // rate: d(psi)/dt, gamma where accelerations are zero
    uint32_t entries;
    uint32_t* coordinate;  // of J                                             (entries)
    LiaExpr* J;
} Row;

typedef struct Own {
    bool made, in_pieces;
    bool varies;  // a coefficient of friction is not the same all along
    Row row[LIA_CONTACT_ROWS_MOST];
    uint32_t* nodes;  // all that is to be evaluated, rising                    (count)
    uint32_t count;
} Own;

struct LiaContactRowFormulas {
    const LiaSystem* base;
    LiaGraph* graph;  // a copy; NULL: no contact has touched
    LiaRates rates;
    Own* own;   // by contact
    int* made;  // those that have formulas, in the order in which they came
    size_t made_count;
    LiaExpr* gradient;           // scratch                                        (n)
    double* zero;                // accelerations                                  (n)
    double* value;               // by node                                        (capacity)
    unsigned char* met;          // scratch of list_nodes()                        (capacity)
    uint32_t *list, list_count;  // and what it finds
    uint32_t capacity;
    bool vary;  // some contact varies
};

static bool is_fixed(const LiaSystem* s, LiaExpr law) {
    return (lia_graph_node(s->graph, law)->depends & ~LIA_DEPENDS(PARAMETER)) == 0;
}

// A parameter that a control changes counts as one that does not: its values are said.
static void find_varying(LiaContactRowFormulas* f) {
    const LiaSystem* s = f->base;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        const LiaContactFormulas* c = &s->contacts[k];
        for (uint32_t b = 0; b < c->blocks; b++)
            f->own[k].varies |= !is_fixed(s, c->block[b].kinetic) || !is_fixed(s, c->block[b].most);
        f->vary |= f->own[k].varies;
    }
}

LiaContactRowFormulas* lia_contact_rows_create(const LiaSystem* base) {
    LiaContactRowFormulas* f = lia_memory_zeros(1, sizeof *f);
    if (!f) return NULL;
    f->base = base;
    f->own = lia_memory_zeros((size_t)base->contact_count + 1, sizeof *f->own);
    f->made = lia_memory_zeros((size_t)base->contact_count + 1, sizeof *f->made);
    f->gradient = lia_memory_zeros((size_t)base->n + 1, sizeof *f->gradient);
    f->zero = lia_memory_zeros((size_t)base->n + 1, sizeof *f->zero);
    if (f->own) find_varying(f);
    if (f->own && f->made && f->gradient && f->zero) return f;
    lia_contact_rows_destroy(f);
    return NULL;
}

static void clear(Own* own) {
    for (int i = 0; i < LIA_CONTACT_ROWS_MOST; i++) {
        free(own->row[i].coordinate);
        free(own->row[i].J);
    }
    free(own->nodes);
    *own = (Own){0};
}

void lia_contact_rows_destroy(LiaContactRowFormulas* f) {
    if (!f) return;
    for (uint32_t k = 0; f->own && k < f->base->contact_count; k++) clear(&f->own[k]);
    lia_diff_rates_clear(&f->rates);
    if (f->graph) lia_graph_destroy(f->graph);
    free(f->own);
    free(f->made);
    free(f->gradient);
    free(f->zero);
    free(f->value);
    free(f->met);
    free(f->list);
    free(f);
}

// --- the formulas -------------------------------------------------------------------------------

// The gradient by positions or velocities, without its zeros.
static bool make_gradient(LiaContactRowFormulas* f, LiaExpr of, LiaSymbolKind kind, Row* row) {
    uint32_t n = f->base->n;
    memset(f->gradient, 0, n * sizeof *f->gradient);
    if (!lia_diff_gradient_of(f->graph, of, kind, f->gradient)) return false;
    for (uint32_t i = 0; i < n; i++) row->entries += f->gradient[i].index != 0;
    row->coordinate = lia_memory_take((row->entries + 1) * sizeof *row->coordinate);
    row->J = lia_memory_take((row->entries + 1) * sizeof *row->J);
    if (!row->coordinate || !row->J) return false;
    row->entries = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!f->gradient[i].index) continue;
        row->coordinate[row->entries] = i;
        row->J[row->entries++] = f->gradient[i];
    }
    return true;
}

static bool make_row(LiaContactRowFormulas* f, const LiaRow* of, Row* row) {
    row->psi = of->geometric ? lia_diff_rate(&f->rates, of->equation) : of->equation;
    row->rate = lia_diff_rate(&f->rates, row->psi);
    LiaSymbolKind kind = of->geometric ? LIA_SYMBOL_POSITION : LIA_SYMBOL_VELOCITY;
    return row->psi.index && row->rate.index && make_gradient(f, of->equation, kind, row) &&
           !f->graph->failed;
}

// --- what they need -----------------------------------------------------------------------------

static bool make_scratch(LiaContactRowFormulas* f) {
    uint32_t count = f->graph->count;
    if (count <= f->capacity) return true;
    uint32_t capacity = count + count / 4 + 64;
    free(f->value);
    free(f->met);
    free(f->list);
    f->value = lia_memory_zeros(capacity, sizeof *f->value);
    f->met = lia_memory_zeros(capacity, 1);
    f->list = lia_memory_zeros(capacity, sizeof *f->list);
    f->capacity = f->value && f->met && f->list ? capacity : 0;
    return f->capacity > 0;
}

static void meet(LiaContactRowFormulas* f, uint32_t node) {
    if (node == 0 || f->met[node]) return;
    f->met[node] = 1;
    f->list[f->list_count++] = node;
}

static bool is_piecewise(const LiaNode* n) {
    LiaGuardRule rule = lia_op_kinds[n->op]->guard;
    return rule == LIA_GUARD_ARGUMENT || rule == LIA_GUARD_DIFFERENCE || rule == LIA_GUARD_CUT;
}

// The nodes below all that was met, in the order in which they can be evaluated.
static bool list_nodes(LiaContactRowFormulas* f, Own* own) {
    for (uint32_t i = 0; i < f->list_count; i++) {
        const LiaNode* n = &f->graph->nodes[f->list[i]];
        const uint32_t arguments[3] = {n->a, n->b, n->c};
        int arity = lia_op_arity((LiaOp)n->op);
        if (arity > 0 && is_piecewise(n)) own->in_pieces = true;
        for (int a = 0; a < arity; a++) meet(f, arguments[a]);
    }
    qsort(f->list, f->list_count, sizeof *f->list, lia_rising);
    own->nodes = lia_memory_take(((size_t)f->list_count + 1) * sizeof *own->nodes);
    if (own->nodes) memcpy(own->nodes, f->list, f->list_count * sizeof *own->nodes);
    own->count = f->list_count;
    for (uint32_t i = 0; i < f->list_count; i++) f->met[f->list[i]] = 0;
    return own->nodes != NULL;
}

static bool find_nodes(LiaContactRowFormulas* f, const LiaContactFormulas* c, Own* own) {
    if (!make_scratch(f)) return false;
    f->list_count = 0;
    meet(f, c->restitution.index);
    for (uint32_t b = 0; b < c->blocks; b++) {
        meet(f, c->block[b].kinetic.index);
        meet(f, c->block[b].most.index);
    }
    for (uint32_t i = 0; i < lia_system_contact_rows(c); i++) {
        const LiaRow* of = &f->base->rows[lia_system_contact_row(c, i)];
        meet(f, own->row[i].psi.index);
        meet(f, own->row[i].rate.index);
        for (uint32_t e = 0; e < own->row[i].entries; e++) meet(f, own->row[i].J[e].index);
        for (uint32_t e = 0; e < of->entries; e++) meet(f, of->Omega[e].index);
    }
    return list_nodes(f, own);
}

bool lia_contact_rows_make(LiaContactRowFormulas* f, uint32_t contact) {
    Own* own = &f->own[contact];
    const LiaContactFormulas* c = &f->base->contacts[contact];
    if (own->made) return true;
    if (!f->graph) {
        f->graph = lia_graph_copy(f->base->graph);
        if (!f->graph) return false;
        lia_diff_rates_init(&f->rates, f->graph);
    }
    bool good = true;
    for (uint32_t i = 0; good && i < lia_system_contact_rows(c); i++)
        good = make_row(f, &f->base->rows[lia_system_contact_row(c, i)], &own->row[i]);
    own->made = good && find_nodes(f, c, own);
    if (!own->made) {
        clear(own);
        return false;
    }
    f->made[f->made_count++] = (int)contact;
    return true;
}

bool lia_contact_rows_in_pieces(const LiaContactRowFormulas* f, uint32_t contact) {
    return f->own[contact].in_pieces;
}

// The order decides how formulas share their parts, and so the last digits.
void lia_contact_rows_keep(LiaContactRowFormulas* f, LiaKeep* keep) {
    size_t most = f->base->contact_count;
    size_t count = lia_keep_length(keep, f->made_count, most, sizeof(int));
    for (size_t i = 0; i < count && lia_keep_good(keep); i++) {
        int contact = lia_keep_reads(keep) ? 0 : f->made[i];
        lia_keep_int(keep, &contact, 0, (int)most - 1);
        if (!lia_keep_reads(keep) || !lia_keep_good(keep)) continue;
        if (!lia_contact_rows_make(f, (uint32_t)contact)) lia_keep_refuse(keep);
    }
}

// --- the numbers --------------------------------------------------------------------------------

static void evaluate(LiaContactRowFormulas* f, const Own* own, const LiaWorkspace* w) {
    LiaSymbols at = {
        .t = w->t, .parameters = f->base->parameters, .q = w->q, .v = w->v, .a = f->zero};
    for (uint32_t k = 0; k < own->count; k++) {
        LiaExpr node = {own->nodes[k]};
        f->value[node.index] = lia_evaluate_node(f->graph, node, f->value, &at);
    }
}

double lia_contact_rows_speed(LiaContactRowFormulas* f, const LiaContactBlock* of,
                              const LiaSpeeds* speeds) {
    const LiaWorkspace* w = speeds->w;
    const Own* own = &f->own[of->contact];
    const LiaContactFormulas* c = &f->base->contacts[of->contact];
    const LiaFrictionFormulas* block = &c->block[of->block];
    double most = 0.0;
    if (!own->made) return NAN;
    evaluate(f, own, w);
    for (uint32_t i = 0; i < lia_system_contact_rows(c); i++) {
        uint32_t r = lia_system_contact_row(c, i);
        if (r < block->row || r >= block->row + block->rows) continue;
        const Row* row = &own->row[i];
        double size = 0.0, moved = 0.0;
        for (uint32_t e = 0; e < row->entries; e++) {
            uint32_t x = row->coordinate[e];
            double J = f->value[row->J[e].index];
            moved += J * w->v[x];
            size += fabs(J) * lia_response_speed(speeds, x);
        }
        size += fabs(f->value[row->psi.index] - moved);
        if (!(size <= most)) most = size;
    }
    return most;
}

double lia_contact_rows_length(LiaContactRowFormulas* f, uint32_t contact, const LiaRunner* run) {
    const Own* own = &f->own[contact];
    double sum = 0.0;
    if (!own->made) return NAN;
    evaluate(f, own, run->w);
    const Row* gap = &own->row[0];
    for (uint32_t e = 0; e < gap->entries; e++)
        sum +=
            fabs(f->value[gap->J[e].index]) * lia_scale_q(&run->scales, run->w, gap->coordinate[e]);
    return sum;
}

static void take_laws(const LiaContactRowFormulas* f, const LiaContactFormulas* c,
                      LiaContactLaws* laws) {
    *laws = (LiaContactLaws){.restitution = f->value[c->restitution.index]};
    for (uint32_t b = 0; b < c->blocks; b++) {
        laws->kinetic[b] = f->value[c->block[b].kinetic.index];
        laws->most[b] = f->value[c->block[b].most.index];
    }
}

bool lia_contact_rows_vary(const LiaContactRowFormulas* f) { return f->vary; }

bool lia_contact_rows_varies(const LiaContactRowFormulas* f, uint32_t contact) {
    return f->own[contact].varies;
}

bool lia_contact_rows_laws(LiaContactRowFormulas* f, uint32_t contact, const LiaWorkspace* w,
                           LiaContactLaws* laws) {
    const Own* own = &f->own[contact];
    if (!own->made) return false;
    evaluate(f, own, w);
    take_laws(f, &f->base->contacts[contact], laws);
    return true;
}

void lia_contact_rows_find(LiaContactRowFormulas* f, uint32_t contact, const LiaWorkspace* w,
                           LiaContactLaws* laws, LiaContactRow* rows) {
    const Own* own = &f->own[contact];
    const LiaContactFormulas* c = &f->base->contacts[contact];
    double* value = f->value;
    evaluate(f, own, w);
    take_laws(f, c, laws);
    for (uint32_t i = 0; i < lia_system_contact_rows(c); i++) {
        const LiaRow* of = &f->base->rows[lia_system_contact_row(c, i)];
        const Row* row = &own->row[i];
        rows[i].psi = value[row->psi.index];
        rows[i].gamma = value[row->rate.index];
        for (uint32_t e = 0; e < row->entries; e++)
            rows[i].J[row->coordinate[e]] = value[row->J[e].index];
        for (uint32_t e = 0; e < of->entries; e++)
            rows[i].Omega[of->coordinate[e]] = value[of->Omega[e].index];
    }
}
