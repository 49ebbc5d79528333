// Parameters changed after building. Formulas and tapes stay: the values of formulas of parameters
// alone, which tapes have as constants, are worked out anew. Copies of a system share all but
// these.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "expr/graph/evaluate.h"
#include "lang/syntax/nearest.h"
#include "mechanics/build.h"
#include "mechanics/kkt/workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a system has of its own once a parameter was set, or that is a copy.
struct LiaOwnValues {
    LiaModel model;        // shares all but parameters, starts, spins and the run
    LiaParameter* before;  // to go back to                              (parameters)
    double* terms;         // value of each term                         (terms)
    double* nodes;         // value of each formula of `list`, by node   (graph->count)
    uint32_t* list;        // formulas of parameters alone, rising
    uint32_t count;
    LiaDigest digest;  // of the model as it was read
    void* block;
};

// --- values ------------------------------------------------------------------------------------

static bool is_constant(const LiaNode* n) { return !(n->depends & ~LIA_DEPENDS(PARAMETER)); }

static double value_of(const LiaSystem* s, const LiaOwnValues* own, const LiaNode* n) {
    if (n->op == LIA_OP_CONST) return s->graph->numbers[n->a].value;
    if (n->op == LIA_OP_PI) return 3.14159265358979323846;
    if (n->op == LIA_OP_SYMBOL) return s->parameters[n->a];
    const double* x = own->nodes;
    return lia_op_value((LiaOp)n->op, x[n->a], x[n->b], x[n->c]);
}

static void work_out(const LiaSystem* s, LiaOwnValues* own) {
    for (uint32_t k = 0; k < own->count; k++)
        own->nodes[own->list[k]] = value_of(s, own, &s->graph->nodes[own->list[k]]);
}

static void write_constants(const LiaOwnValues* own, const LiaDynamics* d) {
    const LiaTape* tape = d->tape;
    for (uint32_t k = 0; k < own->count; k++) {
        uint32_t node = own->list[k], reg = node < tape->node_count ? tape->register_of[node] : 0;
        if (reg) tape->constants[reg] = own->nodes[node];
    }
}

static void write_all(const LiaSystem* s) {
    const LiaOwnValues* own = s->origin.own;
    write_constants(own, s->full);
    if (s->plain != s->full) write_constants(own, s->plain);
    if (s->reduced != s->plain) write_constants(own, s->reduced);
}

static bool is_used(const LiaSystem* s, uint32_t node) {
    const LiaTape* tape = s->full->tape;
    return node < tape->node_count && tape->register_of[node];
}

// Formulas that had a value and have none now, exponents and equations by whose values the tapes
// were made.
static bool fits(const LiaSystem* s, const double* before, LiaDiags* diags) {
    const LiaOwnValues* own = s->origin.own;
    for (uint32_t k = 0; k < own->count; k++) {
        uint32_t node = own->list[k];
        if (isfinite(own->nodes[node]) || !isfinite(before[k]) || !is_used(s, node)) continue;
        lia_diag_error(diags, (LiaSpan){0, 0}, "E0158",
                       "with this value a formula of parameters has no value");
        return false;
    }
    for (uint32_t i = 0; i < s->origin.pinned.count; i++) {
        if (own->nodes[s->origin.pinned.list[i].expr.index] == s->origin.pinned.list[i].value)
            continue;
        lia_diag_error(diags, (LiaSpan){0, 0}, "E0330",
                       "with this value what was decided when the system was built may come out "
                       "otherwise: that is another model");
        lia_diag_help(diags, "read it anew with the value (-D)");
        return false;
    }
    return true;
}

static bool pin(LiaSystem* s, LiaExpr e, double value) {
    if (s->origin.pinned.count == s->origin.pinned.capacity) {
        uint32_t capacity = s->origin.pinned.capacity ? 2 * s->origin.pinned.capacity : 8;
        LiaPinned* pinned = LIA_ARENA_NEW(s->arena, LiaPinned, capacity);
        if (!pinned) return false;
        if (s->origin.pinned.count)
            memcpy(pinned, s->origin.pinned.list, s->origin.pinned.count * sizeof *pinned);
        s->origin.pinned.list = pinned;
        s->origin.pinned.capacity = capacity;
    }
    s->origin.pinned.list[s->origin.pinned.count++] = (LiaPinned){e, value};
    return true;
}

bool lia_parameters_pin(LiaSystem* s, const LiaExpr* roots, size_t count) {
    const uint32_t* list;
    uint32_t met = lia_below_roots(s->graph, roots, count, LIA_DEPENDS(PARAMETER), &list);
    for (uint32_t k = 0; k < met; k++) {
        const LiaNode* n = &s->graph->nodes[list[k]];
        if (n->op == LIA_OP_SYMBOL && !pin(s, (LiaExpr){list[k]}, s->parameters[n->a]))
            return false;
    }
    return true;
}

bool lia_parameters_pin_exponents(LiaSystem* s) {
    for (uint32_t i = 1; i < s->graph->count; i++) {
        const LiaNode* n = &s->graph->nodes[i];
        bool other = n->op == LIA_OP_POW && s->graph->nodes[n->b].depends == LIA_DEPENDS(PARAMETER);
        if (!other) continue;
        LiaValues values;
        LiaExpr exponent = {n->b};
        if (!lia_evaluate_init(&values, s->graph, &exponent, 1)) return false;
        lia_evaluate_run(&values, &(LiaSymbols){.t = NAN, .parameters = s->parameters});
        double value = lia_value(&values, exponent);
        lia_evaluate_clear(&values);
        if (!pin(s, exponent, value)) return false;
    }
    return true;
}

// --- what a system has of its own ---------------------------------------------------------------

static bool own_lists(LiaSystem* s, LiaOwnValues* own) {
    const LiaModel* m = s->model;
    LiaParameter* parameters = LIA_ARENA_NEW(s->arena, LiaParameter, m->parameters_count + 1);
    LiaStart* starts = LIA_ARENA_NEW(s->arena, LiaStart, m->start.values_count + 1);
    LiaSpin* spins = LIA_ARENA_NEW(s->arena, LiaSpin, m->start.spins_count + 1);
    own->before = LIA_ARENA_NEW(s->arena, LiaParameter, m->parameters_count + 1);
    if (!parameters || !starts || !spins || !own->before) return false;
    if (m->parameters_count)
        memcpy(parameters, m->parameters, m->parameters_count * sizeof *parameters);
    if (m->start.values_count)
        memcpy(starts, m->start.values, m->start.values_count * sizeof *starts);
    if (m->start.spins_count) memcpy(spins, m->start.spins, m->start.spins_count * sizeof *spins);
    own->model = *m;
    own->model.parameters = parameters;
    own->model.start.values = starts;
    own->model.start.spins = spins;
    return true;
}

static bool make_own(LiaSystem* s) {
    LiaOwnValues* own = LIA_ARENA_NEW(s->arena, LiaOwnValues, 1);
    uint32_t nodes = s->graph->count, count = 0;
    for (uint32_t i = 1; i < nodes; i++) count += is_constant(&s->graph->nodes[i]);
    if (!own || !own_lists(s, own)) return false;
    own->terms = LIA_ARENA_NEW(s->arena, double, s->model->graph->count + 1);
    own->nodes = LIA_ARENA_NEW(s->arena, double, nodes + 1);
    own->list = LIA_ARENA_NEW(s->arena, uint32_t, count + 1);
    if (!own->terms || !own->nodes || !own->list) return false;
    for (uint32_t i = 1; i < nodes; i++) {
        if (is_constant(&s->graph->nodes[i])) own->list[own->count++] = i;
    }
    own->digest = s->model->text.digest;
    work_out(s, own);
    s->origin.own = own;
    s->model = &own->model;
    return true;
}

static LiaDigest digest_of(const LiaOwnValues* own) {
    LiaSha256 sha = lia_sha256_begin();
    lia_sha256_add(&sha, &own->digest, sizeof own->digest);
    for (uint32_t i = 0; i < own->model.parameters_count; i++) {
        double value = own->model.parameters[i].value;
        lia_sha256_add(&sha, &value, sizeof value);
    }
    return lia_sha256_end(&sha);
}

// Everything that follows from the parameters of the model, which are set. False with an error
// where that cannot be.
static bool follow(LiaSystem* s, double* before, LiaDiags* diags) {
    LiaOwnValues* own = s->origin.own;
    for (uint32_t k = 0; k < own->count; k++) before[k] = own->nodes[own->list[k]];
    if (!lia_revalue(&own->model, own->terms, diags)) return false;
    for (uint32_t i = 0; i < own->model.parameters_count; i++)
        s->parameters[i] = own->model.parameters[i].value;
    work_out(s, own);
    return fits(s, before, diags);
}

// --- setting ------------------------------------------------------------------------------------

static LiaStatus unknown(const LiaModel* m, const char* name, LiaDiags* diags) {
    LiaNearest nearest = lia_nearest_begin(name);
    lia_diag_error(diags, (LiaSpan){0, 0}, "E0128", "the model has no parameter '%s'", name);
    for (uint32_t i = 0; i < m->parameters_count && i < 10000; i++)
        lia_nearest_offer(&nearest, m->parameters[i].name);
    lia_nearest_say(&nearest, diags, NULL);
    return LIA_MODEL;
}

static uint32_t find(const LiaModel* m, const char* name) {
    uint32_t i = 0;
    while (i < m->parameters_count && strcmp(m->parameters[i].name, name) != 0) i++;
    return i;
}

// Rounded where the reading of a text rounds it.
static double in_si(const LiaParameter* p, double value) {
    const double pi = 3.14159265358979323846;
    value = lia_number_multiply(lia_number_double(value), p->factor).value;
    for (int k = 0; k < p->pi_power; k++) value *= pi;
    for (int k = 0; k > p->pi_power; k--) value /= pi;
    return value;
}

double lia_parameters_unit(const LiaParameter* p) { return in_si(p, 1.0); }

// The parameter i, in SI units.
static LiaStatus set(LiaSystem* s, uint32_t i, double value, LiaDiags* diags) {
    if (s->model->parameters[i].structural) {
        lia_diag_error(diags, s->model->parameters[i].span, "E0331",
                       "'%s' is a size: with another value there are other formulas",
                       s->model->parameters[i].name);
        lia_diag_help(diags, "read the model anew with the value (-D)");
        return LIA_MODEL;
    }
    if (!s->origin.own && !make_own(s)) return LIA_MEMORY;
    LiaOwnValues* own = s->origin.own;
    LiaParameter* parameters = (LiaParameter*)own->model.parameters;
    size_t bytes = own->model.parameters_count * sizeof *parameters;
    double* before = lia_memory_take((own->count + 1) * sizeof *before);
    if (!before) return LIA_MEMORY;
    memcpy(own->before, parameters, bytes);
    parameters[i].value = value;
    parameters[i].term = (LiaExpr){0};
    bool good = follow(s, before, diags);
    if (!good) {  // back
        LiaDiags* none = lia_diags_create();
        memcpy(parameters, own->before, bytes);
        if (none) follow(s, before, none);
        lia_diags_destroy(none);
    }
    free(before);
    write_all(s);
    own->model.text.digest = digest_of(own);
    return good ? LIA_OK : LIA_MODEL;
}

LiaStatus lia_system_set_parameter(LiaSystem* system, const char* name, double value,
                                   LiaDiags* diags) {
    if (!system || !name || !isfinite(value) || !diags) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(diags);
    const LiaModel* m = system->model;
    uint32_t i = find(m, name);
    LiaStatus status = i < m->parameters_count
                           ? set(system, i, in_si(&m->parameters[i], value), diags)
                           : unknown(m, name, diags);
    LiaStatus ended = lia_call_end(&call);
    return ended == LIA_OK ? status : ended;
}

LiaStatus lia_parameters_take(LiaSystem* to, const LiaSystem* from, LiaDiags* diags) {
    LiaStatus status = LIA_OK;
    for (uint32_t i = 0; status == LIA_OK && i < from->model->parameters_count; i++) {
        const LiaParameter* p = &from->model->parameters[i];
        uint32_t k = find(to->model, p->name);
        if (p->inner || k == to->model->parameters_count) continue;
        if (to->parameters[k] != from->parameters[i]) {
            status = set(to, k, from->parameters[i], diags);
        }
    }
    return status;
}

bool lia_system_parameter(const LiaSystem* system, const char* name, double* value) {
    if (!system || !name || !value) return false;
    uint32_t i = find(system->model, name);
    if (i == system->model->parameters_count) return false;
    *value = system->parameters[i];
    return true;
}

// --- controls without a law ---------------------------------------------------------------------

void lia_parameters_exchange(LiaSystem* s, uint32_t first, double* values) {
    for (uint32_t i = 0; i < LIA_CONTROL_PARAMETERS; i++) {
        double value = s->parameters[first + i];
        s->parameters[first + i] = values[i];
        values[i] = value;
    }
    work_out(s, s->origin.own);
    write_all(s);
}

bool lia_parameters_follow(LiaSystem* mode) {
    if (!mode->origin.own && !make_own(mode)) return false;
    work_out(mode, mode->origin.own);
    write_all(mode);
    return true;
}

void lia_parameters_load(const LiaSystem* s, LiaWorkspace* w) {
    const LiaTape* tape = w->dynamics->tape;
    for (uint32_t k = 0; k < s->origin.own->count; k++) {
        uint32_t node = s->origin.own->list[k];
        uint32_t reg = node < tape->node_count ? tape->register_of[node] : 0;
        if (reg) lia_jet_series(&w->jets, reg)[0] = tape->constants[reg];
    }
    w->jets.driven = -1;
}

// --- copies -------------------------------------------------------------------------------------

static LiaDynamics* copy_dynamics(const LiaDynamics* of) {
    LiaDynamics* d = lia_memory_take(sizeof *d);
    LiaTape* tape = lia_memory_take(sizeof *tape);
    size_t bytes = of->tape->register_count * sizeof(double);
    double* constants = lia_memory_take(bytes);
    if (!d || !tape || !constants) {
        free(d);
        free(tape);
        free(constants);
        return NULL;
    }
    memcpy(constants, of->tape->constants, bytes);
    *d = *of;
    *tape = *of->tape;
    tape->constants = constants;
    d->tape = tape;
    return d;
}

static void release_dynamics(LiaDynamics* d) {
    if (!d) return;
    free(d->tape->constants);
    free(d->tape);
    free(d);
}

void lia_parameters_release_copy(LiaSystem* s) {
    if (s->reduced != s->plain) release_dynamics(s->reduced);
    if (s->plain != s->full) release_dynamics(s->plain);
    release_dynamics(s->full);
    lia_arena_destroy(s->arena);
    free(s);
}

static LiaSystem* copy(const LiaSystem* of) {
    LiaSystem* s = lia_memory_take(sizeof *s);
    if (!s) return NULL;
    *s = *of;
    s->origin.is_copy = true;
    s->origin.own = NULL;
    s->arena = lia_arena_create();
    s->full = copy_dynamics(of->full);
    s->plain = of->plain == of->full ? s->full : copy_dynamics(of->plain);
    s->reduced = of->reduced == of->plain ? s->plain : copy_dynamics(of->reduced);
    bool good = s->arena && s->full && s->plain && s->reduced;
    if (good) s->parameters = LIA_ARENA_NEW(s->arena, double, s->model->parameters_count + 1);
    good = good && s->parameters;
    if (good) {
        memcpy(s->parameters, of->parameters, s->model->parameters_count * sizeof *s->parameters);
        good = make_own(s);
    }
    if (good) return s;
    lia_parameters_release_copy(s);
    return NULL;
}

LiaStatus lia_system_copy(const LiaSystem* system, LiaSystem** out) {
    if (out) *out = NULL;
    if (!system || !out) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(NULL);
    *out = copy(system);
    LiaStatus ended = lia_call_end(&call);
    if (ended == LIA_OK) return *out ? LIA_OK : LIA_MEMORY;
    lia_system_destroy(*out);
    *out = NULL;
    return ended;
}
