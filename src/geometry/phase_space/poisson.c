// What a model of a phase space is. See poisson.h.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/poisson.h"
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "geometry/phase_space/phase_forces.h"
#include "mechanics/assembly/phase.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/regularity/regularity.h"
#include "mechanics/start/start.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 4 };

// The rank of the brackets at a place; -1 if memory is out.
static int rank_at(LiaGeometry* g, LiaValues* values, const LiaExpr* entry, const double* q) {
    const LiaModel* m = g->system->model;
    size_t n = lia_phase_variables(g->system);
    double* A = lia_memory_zeros(n * n + n + 1, sizeof *A);
    int* order = lia_memory_zeros(n + 1, sizeof *order);
    int rank = A && order ? 0 : -1;
    lia_evaluate_run(values, &(LiaSymbols){.q = q, .parameters = g->system->parameters});
    for (uint32_t k = 0; rank == 0 && k < m->phase.brackets_count; k++) {
        const LiaBracket* b = &m->phase.brackets[k];
        if (b->repeated) continue;
        double value = lia_value(values, entry[k]);
        A[b->first * n + b->second] = isfinite(value) ? value : 0.0;
        A[b->second * n + b->first] = isfinite(value) ? -value : 0.0;
    }
    LiaRows rows = {
        .m = (int)n, .n = (int)n, .A = A, .pivot = A ? A + n * n : NULL, .order = order};
    if (rank == 0 && n > 0) rank = lia_qr_factor(&rows, LIA_BRACKET_RANK, true);
    free(A);
    free(order);
    return rank;
}

static bool find_ranks(LiaGeometry* g, const double* q, double* sample, LiaPoisson* out) {
    const LiaModel* m = g->system->model;
    LiaExpr* entry = LIA_ARENA_NEW(g->arena, LiaExpr, m->phase.brackets_count + 1);
    if (!entry) return false;
    for (uint32_t k = 0; k < m->phase.brackets_count; k++) {
        if (!m->phase.brackets[k].repeated) {
            entry[k] = lia_resolve_term(g->resolver, m->phase.brackets[k].term);
        }
    }
    LiaValues values;
    if (!lia_evaluate_init(&values, g->graph, entry, m->phase.brackets_count)) return false;
    int rank = rank_at(g, &values, entry, q);
    bool good = rank >= 0;
    out->rank = out->rank_start = good ? (uint32_t)rank : 0;
    uint64_t random = 1;
    for (int place = 0; good && place < PLACES; place++) {
        lia_phase_sample(g->system, sample, &random);
        rank = rank_at(g, &values, entry, sample);
        good = rank >= 0;
        if (good && (uint32_t)rank > out->rank) out->rank = (uint32_t)rank;
    }
    lia_evaluate_clear(&values);
    return good;
}

// What the force of a line of the ledger is multiplied by in its power: by row of a constraint, or
// the power itself.
typedef struct Factors {
    LiaExpr* formula;
    uint32_t* line;  // of the ledger
    uint32_t count;
    LiaValues values;
    double* size;  // by node
} Factors;

static void look(Factors* factors, const LiaSymbols* at, LiaPoisson* out) {
    lia_evaluate_run(&factors->values, at);
    lia_sizes_run(&factors->values, &(LiaSymbols){0}, factors->size);
    for (uint32_t k = 0; k < factors->count; k++) {
        LiaExpr f = factors->formula[k];
        double power = fabs(lia_value(&factors->values, f));
        if (power > LIA_POWER_NONE * factors->size[f.index]) out->feeds[factors->line[k]] = true;
    }
}

static bool list_factors(LiaGeometry* g, Factors* out) {
    const LiaSystem* s = g->system;
    size_t most = s->row_count + s->line_count + 1;
    out->formula = LIA_ARENA_NEW(g->arena, LiaExpr, most);
    out->line = LIA_ARENA_NEW(g->arena, uint32_t, most);
    if (!out->formula || !out->line) return false;
    for (uint32_t l = 0; l < s->line_count; l++) {
        if (lia_system_line_internal(s, l)) continue;
        if (l >= s->model->constraints_count) {
            out->formula[out->count] = s->lines[l].power;
            out->line[out->count++] = l;
            continue;
        }
        for (uint32_t r = s->first_row[l]; r < s->first_row[l + 1]; r++) {
            if (s->rows[r].identical) continue;
            out->formula[out->count] = s->rows[r].Omega_v;
            out->line[out->count++] = l;
        }
    }
    if (!lia_evaluate_init(&out->values, g->graph, out->formula, out->count)) return false;
    out->size = LIA_ARENA_NEW(g->arena, double, out->values.size + 1);
    if (!out->size) lia_evaluate_clear(&out->values);
    return out->size != NULL;
}

static bool find_feeding(LiaGeometry* g, double t, const double* q, double* sample,
                         LiaPoisson* out) {
    const LiaSystem* s = g->system;
    size_t n = s->n;
    bool* given = LIA_ARENA_NEW(g->arena, bool, n + 1);
    double* rest = LIA_ARENA_NEW(g->arena, double, n + 1);
    out->feeds = LIA_ARENA_NEW(g->arena, bool, s->line_count + 1);
    Factors factors = {0};
    if (!given || !rest || !out->feeds || !list_factors(g, &factors)) return false;
    uint64_t random = 7;
    for (int place = 0; place <= PLACES; place++) {
        if (place == 0) {
            memcpy(sample, q, n * sizeof *q);
        } else {
            lia_phase_sample(s, sample, &random);
        }
        if (!(lia_start_positions(s, t, given, sample, rest) < LIA_START_FOUND)) continue;
        out->places++;
        LiaSymbols at = {.t = t, .q = sample, .v = rest, .parameters = s->parameters};
        look(&factors, &at, out);
    }
    out->conserved = true;
    for (uint32_t l = 0; l < s->line_count; l++) {
        if (out->feeds[l]) out->conserved = false;
    }
    lia_evaluate_clear(&factors.values);
    return true;
}

// Rates and coupling number at the state.
static bool find_state(LiaGeometry* g, double t, const double* q, LiaPoisson* out) {
    const LiaSystem* s = g->system;
    LiaStartState start = {.t = t, .given_q = q};
    double* v = LIA_ARENA_NEW(g->arena, double, s->n + 1);
    double* at = LIA_ARENA_NEW(g->arena, double, s->n + 1);
    double* open = LIA_ARENA_NEW(g->arena, double, s->n + 1);
    LiaDiags* quiet = lia_diags_create();
    if (!v || !at || !open || !quiet) {
        lia_diags_destroy(quiet);
        return false;
    }
    for (uint32_t i = 0; i < s->n; i++) open[i] = NAN;
    start.q = at, start.v = v, start.given_v = open;
    LiaStatus status = lia_start_find(s, quiet, &start);
    lia_diags_destroy(quiet);
    out->regularity = status == LIA_OK ? start.regularity : NAN;
    out->rate = status == LIA_OK ? v : NULL;
    lia_start_clear(&start);
    LiaValues values;
    if (status == LIA_MEMORY || !lia_evaluate_init(&values, g->graph, &s->energy.total, 1))
        return false;
    lia_evaluate_run(&values, &(LiaSymbols){.t = t, .q = q, .v = v, .parameters = s->parameters});
    out->energy = lia_value(&values, s->energy.total);
    lia_evaluate_clear(&values);
    return true;
}

bool lia_poisson_make(LiaGeometry* g, double t, const double* q, LiaPoisson* out) {
    const LiaSystem* s = g->system;
    *out = (LiaPoisson){.variables = lia_phase_variables(s), .regularity = NAN};
    out->equations = s->n - out->variables;
    double* sample = LIA_ARENA_NEW(g->arena, double, s->n + 1);
    out->force = LIA_ARENA_NEW(g->arena, LiaExpr, out->equations + 1);
    if (!out->force || !lia_phase_forces_make(g, out->variables, t, q, out->force)) return false;
    return sample && find_ranks(g, q, sample, out) && find_feeding(g, t, q, sample, out) &&
           find_state(g, t, q, out);
}
