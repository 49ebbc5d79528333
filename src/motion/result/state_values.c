// States from numbers, by index and by name. See include/liaison/state.h.
//
// Inside, the velocity of a rotation is its angular velocity omega in space axes; outside, in
// arrays by coordinate, it is the rate of its quaternion q:
//   (0, omega) = 2 q' q*,   q' = (0, omega) q / 2
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "base/numeric/quaternion.h"
#include "mechanics/kkt/evaluator.h"
#include "motion/result/state.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int count_given(const double* x, int n) {
    int given = 0;
    for (int i = 0; i < n; i++) given += !isnan(x[i]);
    return given;
}

static bool none_infinite(const double* x, size_t n) {
    for (size_t i = 0; x && i < n; i++) {
        if (isinf(x[i])) return false;
    }
    return true;
}

static const LiaGroup* rotation_of(const LiaModel* m, size_t coordinate) {
    uint32_t group = m->coordinates[coordinate].group;
    bool turns = group && m->groups[group - 1].manifold == LIA_ROTATION;
    return turns ? &m->groups[group - 1] : NULL;
}

// Rates of quaternions become angular velocities. False where they are given in part, or the
// attitude is not.
static bool take_rates(LiaState* state) {
    const LiaModel* m = state->model;
    for (uint32_t g = 0; g < m->groups_count; g++) {
        double *q = state->q + m->groups[g].first, *v = state->v + m->groups[g].first, omega[3];
        int given = m->groups[g].manifold == LIA_ROTATION ? count_given(v, 4) : 0;
        if (given == 0) continue;
        if (given < 4 || count_given(q, 4) < 4) return false;
        lia_quaternion_spin(q, v, omega);
        v[0] = NAN;
        memcpy(v + 1, omega, sizeof omega);
    }
    return true;
}

LiaStatus lia_state_create(const LiaModel* model, double t, const double* q, const double* v,
                           LiaState** out) {
    if (out) *out = NULL;
    if (!model || !out || isinf(t)) return LIA_ARGUMENT;
    size_t n = model->coordinates_count;
    if (!none_infinite(q, n) || !none_infinite(v, n)) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(NULL);
    LiaState* state = lia_state_empty(model, "numbers");
    if (!state || lia_call_end(&call) != LIA_OK) {
        lia_state_destroy(state);
        return LIA_MEMORY;
    }
    state->t = t;
    if (q) memcpy(state->q, q, n * sizeof *q);
    if (v) memcpy(state->v, v, n * sizeof *v);
    if (!take_rates(state)) {
        lia_state_destroy(state);
        return LIA_ARGUMENT;
    }
    *out = state;
    return LIA_OK;
}

double lia_state_time(const LiaState* state) { return state ? state->t : NAN; }

LiaStatus lia_state_set_time(LiaState* state, double t) {
    if (!state || isinf(t)) return LIA_ARGUMENT;
    state->t = t;
    return LIA_OK;
}

LiaStatus lia_state_read(const LiaState* state, double* q, double* v) {
    if (!state) return LIA_ARGUMENT;
    const LiaModel* m = state->model;
    size_t bytes = m->coordinates_count * sizeof(double);
    if (q) memcpy(q, state->q, bytes);
    if (!v) return LIA_OK;
    memcpy(v, state->v, bytes);
    for (uint32_t g = 0; g < m->groups_count; g++) {
        uint32_t first = m->groups[g].first;
        if (m->groups[g].manifold == LIA_ROTATION)
            lia_quaternion_rate(state->q + first, state->v + first + 1, v + first);
    }
    return LIA_OK;
}

// --- one number ---------------------------------------------------------------------------------

// Is this the name of the velocity of coordinate i? x', r'.x for space and sphere, R'.x of a
// rotation.
static bool names_velocity(const LiaModel* m, uint32_t i, const char* name) {
    const LiaCoordinate* x = &m->coordinates[i];
    const LiaGroup* group = x->group ? &m->groups[x->group - 1] : NULL;
    const char* of = group ? group->name : x->name;
    size_t length = strlen(of);
    if (strncmp(name, of, length) != 0 || name[length] != '\'') return false;
    const char* rest = name + length + 1;
    if (!group) return rest[0] == '\0';
    bool turns = group->manifold == LIA_ROTATION;
    uint32_t part = i - group->first;
    if (turns && part == 0) return false;
    return rest[0] == '.' && rest[1] == (turns ? "wxyz" : "xyz")[part] && rest[2] == '\0';
}

// Where a number stands; NULL: the model has no such name.
static double* place(LiaState* state, const char* name) {
    const LiaModel* m = state->model;
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        if (strcmp(m->coordinates[i].name, name) == 0) return &state->q[i];
    }
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        if (names_velocity(m, i, name)) return &state->v[i];
    }
    return strcmp(name, "t") == 0 ? &state->t : NULL;
}

bool lia_state_get(const LiaState* state, const char* name, double* value) {
    if (!state || !name || !value) return false;
    const double* at = place((LiaState*)state, name);
    if (at) *value = *at;
    return at != NULL;
}

LiaStatus lia_state_set(LiaState* state, const char* name, double value) {
    double* at = state && name && !isinf(value) ? place(state, name) : NULL;
    if (!at) return LIA_ARGUMENT;
    *at = value;
    return LIA_OK;
}

double lia_state_position(const LiaState* state, size_t i) {
    return state && i < state->model->coordinates_count ? state->q[i] : NAN;
}

static bool has_velocity(const LiaState* state, size_t i) {
    if (!state || i >= state->model->coordinates_count) return false;
    const LiaGroup* turn = rotation_of(state->model, i);
    return !turn || i > turn->first;
}

double lia_state_velocity(const LiaState* state, size_t i) {
    return has_velocity(state, i) ? state->v[i] : NAN;
}

LiaStatus lia_state_set_position(LiaState* state, size_t i, double value) {
    if (!state || i >= state->model->coordinates_count || isinf(value)) return LIA_ARGUMENT;
    state->q[i] = value;
    return LIA_OK;
}

LiaStatus lia_state_set_velocity(LiaState* state, size_t i, double value) {
    if (!has_velocity(state, i) || isinf(value)) return LIA_ARGUMENT;
    state->v[i] = value;
    return LIA_OK;
}

LiaStatus lia_state_evaluate(const LiaState* state, LiaEvaluator* e) {
    // A system with other force rules has a model of its own, with the same coordinates.
    if (!state || !e || state->model->coordinates != e->system->model->coordinates)
        return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(NULL);
    size_t n = e->system->n;
    double* x = lia_memory_take((2 * n + 1) * sizeof *x);
    if (!x || lia_call_end(&call) != LIA_OK) return LIA_MEMORY;
    lia_state_read(state, x, x + n);
    double t = state->t, begin = state->model->run.given ? state->model->run.t0 : 0.0;
    LiaStatus status = lia_evaluator_put(e, isnan(t) ? begin : t, x, x + n, NULL);
    free(x);
    return status;
}
