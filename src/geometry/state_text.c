// Reading a state. See state_text.h.
// SPDX-License-Identifier: MIT
#include "geometry/state_text.h"
#include "base/memory/memory.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/thresholds.h"
#include "geometry/admissible.h"
#include "geometry/evaluation.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/start/start.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    LiaPhaseSpace* space;
    const LiaModel* model;
    const char *text, *at;
    LiaDiags* diags;
    double t, *q, *v, *p;
    double* omega;                // after the w of each rotation            (n)
    bool *has_q, *has_v, *has_p;  // (n)
    bool* has_omega;              // (n)
    bool has_t;
    bool wrong;
} Reader;

static void skip(Reader* r) {
    while (isspace((unsigned char)*r->at)) r->at++;
}

static LiaSpan span_of(const Reader* r, const char* begin, const char* end) {
    return (LiaSpan){(uint32_t)(begin - r->text), (uint32_t)(end - r->text)};
}

static void complain(Reader* r, const char* begin, const char* end, const char* what) {
    if (!r->wrong) lia_diag_source(r->diags, "--at", r->text, strlen(r->text));
    r->wrong = true;
    lia_diag_error(r->diags, span_of(r, begin, end > begin ? end : begin + 1), "E0501", "%s", what);
    if (end > r->at) r->at = end;
    while (*r->at && *r->at != ',') r->at++;
}

// number or pi, with * and / between; -x. False if it is none.
static bool read_factor(Reader* r, double* x) {
    skip(r);
    if (*r->at == '-' || *r->at == '+') {
        bool minus = *r->at++ == '-';
        if (!read_factor(r, x)) return false;
        *x = minus ? -*x : *x;
        return true;
    }
    if (strncmp(r->at, "pi", 2) == 0 && !isalnum((unsigned char)r->at[2]) && r->at[2] != '_') {
        r->at += 2;
        *x = 3.14159265358979323846;
        return true;
    }
    if (!isdigit((unsigned char)*r->at) && *r->at != '.') return false;
    char* end;
    *x = strtod(r->at, &end);
    if (end == r->at) return false;
    r->at = end;
    return true;
}

static bool read_number(Reader* r, double* x) {
    if (!read_factor(r, x)) return false;
    for (skip(r); *r->at == '*' || *r->at == '/'; skip(r)) {
        bool over = *r->at++ == '/';
        double y;
        if (!read_factor(r, &y)) return false;
        *x = over ? *x / y : *x * y;
    }
    return isfinite(*x);
}

static bool turns(const LiaModel* m, uint32_t i) {
    return m->coordinates[i].group &&
           m->groups[m->coordinates[i].group - 1].manifold == LIA_ROTATION;
}

// r'.x of a coordinate that belongs to a group; nothing for the w of a rotation.
static bool group_velocity(const LiaModel* m, uint32_t i, LiaText* out) {
    const LiaGroup* group = &m->groups[m->coordinates[i].group - 1];
    uint32_t at = i - group->first;
    if (turns(m, i) && at == 0) return false;
    lia_text_add(out, "%s'.%c", group->name, (turns(m, i) ? "wxyz" : "xyz")[at]);
    return true;
}

bool lia_state_text_velocity(const LiaModel* m, const double* q, const double* v, uint32_t i,
                             LiaText* name, double* value) {
    *value = v[i];
    if (!m->coordinates[i].group) {
        lia_text_add(name, "%s'", m->coordinates[i].name);
        return true;
    }
    if (turns(m, i)) {
        uint32_t first = m->groups[m->coordinates[i].group - 1].first;
        double omega[3];
        if (i == first) return false;
        lia_quaternion_spin(q + first, v + first, omega);
        *value = omega[i - first - 1];
    }
    return group_velocity(m, i, name);
}

// r'.x, R'.y: the velocity of something of several numbers.
static double* find_group_velocity(Reader* r, const char* name, size_t length, bool** has) {
    for (uint32_t i = 0; i < r->model->coordinates_count; i++) {
        LiaText own = {0};
        bool same = r->model->coordinates[i].group && group_velocity(r->model, i, &own) &&
                    own.data && own.length == length && memcmp(own.data, name, length) == 0;
        lia_text_clear(&own);
        if (!same) continue;
        *has = turns(r->model, i) ? &r->has_omega[i] : &r->has_v[i];
        return turns(r->model, i) ? &r->omega[i] : &r->v[i];
    }
    return NULL;
}

// The place a name stands for, and whether it was given already.
static double* find(Reader* r, const char* name, size_t length, bool** has) {
    if (length == 1 && name[0] == 't') {
        *has = &r->has_t;
        return &r->t;
    }
    if (length > 3 && name[length - 3] == '\'') return find_group_velocity(r, name, length, has);
    bool momentum = !r->model->phase.is && length > 3 && name[0] == 'p' && name[1] == '(' &&
                    name[length - 1] == ')';
    bool velocity = !momentum && length > 1 && name[length - 1] == '\'';
    if (momentum) name += 2, length -= 3;
    if (velocity) length--;
    for (uint32_t i = 0; i < r->model->coordinates_count; i++) {
        const char* own = r->model->coordinates[i].name;
        if (strlen(own) != length || memcmp(own, name, length) != 0) continue;
        *has = momentum ? &r->has_p[i] : velocity ? &r->has_v[i] : &r->has_q[i];
        return momentum ? &r->p[i] : velocity ? &r->v[i] : &r->q[i];
    }
    return NULL;
}

static void read_one(Reader* r) {
    skip(r);
    const char* begin = r->at;
    for (int open = 0; *r->at && *r->at != '=' && (*r->at != ',' || open > 0); r->at++) {
        open += (*r->at == '[') - (*r->at == ']');  // q[1, 2] is one name
    }
    const char* end = r->at;
    while (end > begin && isspace((unsigned char)end[-1])) end--;
    if (end == begin) {
        complain(r, begin, begin, "a name is missing: write 'x = 1', \"x' = 2\" or 't = 3'");
        return;
    }
    if (*r->at != '=') {
        complain(r, begin, end, "a value is missing: write 'NAME = number'");
        return;
    }
    const char *name = begin, *name_end = end;
    bool* has = NULL;
    double* place = find(r, begin, (size_t)(end - begin), &has);
    if (!place) {
        complain(r, begin, end, "there is no coordinate of this name");
        lia_diag_help(r->diags,
                      "positions x, velocities x', momenta p(x) and the time t can be given");
        return;
    }
    r->at++;
    skip(r);
    begin = r->at;
    double x;
    bool number = read_number(r, &x);
    skip(r);
    if (!number || (*r->at && *r->at != ',')) {
        end = r->at;
        while (*end && *end != ',') end++;
        complain(r, begin, end, "this is not a number");
        return;
    }
    if (*has) {
        complain(r, name, name_end, "this is given twice");
        return;
    }
    *place = x;
    *has = true;
}

static void read_all(Reader* r) {
    for (r->at = r->text;;) {
        read_one(r);
        skip(r);
        if (*r->at != ',') break;
        r->at++;
    }
}

// A quaternion or a direction that was given in few digits is brought to length 1.
static void make_units(const Reader* r, LiaAdmissible* z) {
    for (uint32_t g = 0; g < r->model->groups_count; g++) {
        const LiaGroup* group = &r->model->groups[g];
        if (group->manifold == LIA_SPACE) continue;
        double sum = 0.0;
        bool given = true;
        for (uint32_t i = group->first; i < group->first + group->count; i++) {
            sum += z->w->q[i] * z->w->q[i];
            given = given && r->has_q[i];
        }
        if (!given || !(fabs(sum - 1.0) < LIA_QUATERNION_NEARLY)) continue;
        for (uint32_t i = group->first; i < group->first + group->count; i++)
            z->w->q[i] /= sqrt(sum);
    }
}

// Rotations whose omega was given, wholly or in part: the quaternion's rate. False if there are
// none.
static bool take_omegas(Reader* r, LiaAdmissible* z) {
    bool any = false;
    size_t n = (size_t)z->n;
    for (uint32_t g = 0; g < r->model->groups_count; g++) {
        const LiaGroup* group = &r->model->groups[g];
        uint32_t first = group->first;
        if (group->manifold != LIA_ROTATION) continue;
        bool given = false;
        double omega[3];
        lia_quaternion_spin(z->w->q + first, z->w->v + first, omega);
        for (uint32_t k = 0; k < 3; k++) {
            if (r->has_omega[first + 1 + k]) omega[k] = r->omega[first + 1 + k], given = true;
        }
        if (!given) continue;
        any = true;
        lia_quaternion_rate(z->w->q + first, omega, z->w->v + first);
        for (uint32_t i = first; i < first + 4; i++) r->has_v[i] = true;
    }
    for (size_t i = 0; any && i < n; i++) {
        z->given[i] = true;
        z->given[n + i] = r->has_v[i];
    }
    return any;
}

// Velocities that belong to the momenta given, together with the constraints: in turns until both
// hold.
static double settle(Reader* r, LiaAdmissible* z, uint32_t* unknown) {
    size_t n = (size_t)z->n;
    uint32_t count = 0;
    make_units(r, z);
    for (uint32_t i = 0; i < n; i++) {
        if (r->has_p[i]) unknown[count++] = i;
    }
    memcpy(z->given, r->has_q, n * sizeof(bool));
    memcpy(z->given + n, r->has_v, n * sizeof(bool));
    // as a start is found: nothing moves that need not; where that finds none, all positions
    // together
    double left = lia_start_positions(z->system, z->w->t, r->has_q, z->w->q, z->w->v);
    for (size_t i = 0; left < LIA_ADMISSIBLE && i < n; i++) z->given[i] = true;
    double residual = lia_admissible_settle(z);
    if (residual < LIA_ADMISSIBLE && take_omegas(r, z)) residual = lia_admissible_settle(z);
    for (int pass = 0; count > 0 && pass < 60 && residual < LIA_ADMISSIBLE; pass++) {
        double step = 0.0, size = 0.0;
        memcpy(r->v, z->w->v, n * sizeof(double));
        if (!lia_phase_space_velocities(r->space, z->w->t, z->w->q, r->p,
                                        (LiaUnknowns){unknown, count}, z->w->v))
            return NAN;
        for (size_t i = 0; i < n; i++) {
            step = fmax(step, fabs(z->w->v[i] - r->v[i]));
            size = fmax(size, fabs(r->v[i]));
            z->given[n + i] = r->has_v[i] || r->has_p[i];
            z->given[i] = true;
        }
        residual = lia_admissible_settle(z);
        if (step <= LIA_STATE_EXACT * size || (pass > 0 && step < LIA_STATE_SETTLED * size)) break;
    }
    return residual;
}

// An operator that acts through springs has hidden equations: the state must satisfy them too.
static bool settle_hidden(const LiaSystem* s, LiaAdmissible* z, const bool* given) {
    LiaEvaluation e;
    bool ok = lia_evaluation_make(s, s->full, z->w->t, z->w->q, z->w->v, &e);
    if (ok && e.degree && e.degree->ahead > 0) {
        ok = e.degree->derivative_array ? lia_relative_degree_find_climb(e.w, e.degree, given, NULL)
                                        : lia_relative_degree_project(e.w, 1, given, NULL);
        lia_workspace_put(z->w, z->w->t, e.w->q, e.w->v);
        lia_workspace_update(z->w, 1);
    }
    lia_evaluation_clear(&e);
    return ok;
}

// The state that was read, made admissible; which equation it contradicts. False with an error
// said.
static bool make_admissible(Reader* r, LiaAdmissible* z, uint32_t* unknown, bool* flags) {
    const LiaSystem* s = r->space->geometry->system;
    settle(r, z, unknown);  // velocities may be found only with what is hidden
    uint32_t row;
    if (lia_admissible_residual(z, 0, &row) < LIA_ADMISSIBLE && settle_hidden(s, z, flags) &&
        lia_admissible_residual(z, 0, &row) < LIA_ADMISSIBLE &&
        lia_admissible_residual(z, 1, &row) < LIA_ADMISSIBLE) {
        return true;
    }
    int level = lia_admissible_residual(z, 0, &row) < LIA_ADMISSIBLE;
    if (level == 1) lia_admissible_residual(z, 1, &row);
    LiaSpan none = {0, 0};
    bool known = row < s->row_count;
    if (lia_diags_count(r->diags) == 0) {
        lia_diag_source(r->diags, s->model->text.source.name, s->model->text.source.text,
                        s->model->text.source.length);
    }
    lia_diag_error(r->diags, known ? s->rows[row].span : none, "E0502",
                   "the state asked for contradicts %s%s%s", known ? "'" : "the constraints",
                   known ? s->model->constraints[s->rows[row].constraint].name : "",
                   known ? "'" : "");
    lia_diag_help(r->diags, "give fewer values: those not given are chosen admissible");
    return false;
}

bool lia_state_text_read(LiaPhaseSpace* space, const char* text, LiaDiags* diags, double* t,
                         double* q, double* v) {
    const LiaSystem* s = space->geometry->system;
    size_t n = s->n;
    LiaAdmissible z = {0};
    double* numbers = lia_memory_zeros(2 * n + 1, sizeof *numbers);
    bool* flags = lia_memory_zeros(4 * n + 1, sizeof *flags);
    uint32_t* unknown = lia_memory_zeros(n + 1, sizeof *unknown);
    bool ok = numbers && flags && unknown && lia_admissible_init(&z, s);
    if (ok) {
        Reader r = {.space = space,
                    .model = s->model,
                    .text = text,
                    .diags = diags,
                    .t = *t,
                    .q = q,
                    .v = v,
                    .p = numbers,
                    .omega = numbers + n,
                    .has_q = flags,
                    .has_v = flags + n,
                    .has_p = flags + 2 * n,
                    .has_omega = flags + 3 * n};
        read_all(&r);
        ok = !r.wrong;
        if (ok) {
            lia_workspace_put(z.w, *t = r.t, q, v);
            ok = make_admissible(&r, &z, unknown, flags);
            memcpy(q, z.w->q, n * sizeof(double));
            memcpy(v, z.w->v, n * sizeof(double));
        }
    }
    lia_admissible_clear(&z);
    free(numbers);
    free(flags);
    free(unknown);
    return ok;
}
