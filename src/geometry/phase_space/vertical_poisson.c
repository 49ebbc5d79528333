// The bracket of V*M and the fields on it. See vertical_poisson.h.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/vertical_poisson.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/phase_space/leaf_chart.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 4, FIBRE_MOST = 12, BASE_MOST = 4, SIDES = 6 };
static const double MOVED = 0.3, TURNED = 0.05;  // other states; of unit vectors: x <= 3/4 there

static const double weights[SIDES] = {6.0 / 7,   -15.0 / 56, 5.0 / 63,
                                      -1.0 / 56, 1.0 / 385,  -1.0 / 5544};

// What is looked at where: rows x' and p' of each field, and the functions.
typedef enum Which { D_Y, D_0, H_Y, FIELDS } Which;
static const LiaFieldId ids[FIELDS] = {LIA_FIELD_D_Y, LIA_FIELD_D_0, LIA_FIELD_H_Y};

typedef struct Look {
    LiaPhaseSpace* space;
    const LiaFieldsBase* base;
    LiaLeafChart* chart;
    const LiaFields* f;  // at the state asked for, of the chart where there is one
    LiaVerticalPoisson* out;
    LiaArena* arena;  // of what is handed out
    bool curved;      // is the curvature of the dynamical connection in its names?
    size_t n, nx;
    double unit;          // of momenta and energies: the inertia of the base
    double *q, *v;        // a state                                              (n)
    double *x, *at, *p;   // (x, p/unit) of a state, and near it; p               (2 nx), (nx)
    double* row[FIELDS];  // there                                                (2 nx)
    double R, h0, K, lifted, size;
    double scale;       // of steps and of other states
    double* D[FIELDS];  // derivatives of the rows, by (x, p)                   (2 nx x 2 nx)
    double *dR, *dh0;   // (2 nx)
    double *F, *dF;     // curvature, and its derivatives by x; NULL: none    (nx nb nb), (x nx)
    void* block;
} Look;

// The largest |dTheta/dx|, of |Theta|.
static double bent_of(const LiaFields* f) {
    double size = 0.0, most = 0.0;
    for (uint32_t e = 0; e < f->nb * f->nb; e++) size = fmax(size, fabs(f->Theta[e]));
    for (uint32_t e = 0; e < f->nb * f->nb * f->nx; e++) most = fmax(most, fabs(f->Theta_x[e]));
    return size > 0.0 ? most / size : 0.0;
}

static double inertia_of(const LiaFields* f) {
    double most = 0.0;
    for (uint32_t e = 0; e < f->nb * f->nb; e++) most = fmax(most, fabs(f->Theta[e]));
    for (uint32_t j = 0; most == 0.0 && j < f->nx; j++) most = fmax(most, fabs(f->momentum[j]));
    return most > 0.0 ? most : 1.0;
}

// The fields at (x, p) in `at`. 0: they have no value there; -1: memory is out.
static int evaluate(Look* k) {
    LiaFields g;
    size_t nx = k->nx;
    for (size_t j = 0; j < nx; j++) k->p[j] = k->at[nx + j] * k->unit;
    if (!lia_leaf_chart_place(k->chart, k->at, k->p, k->q, k->v)) return 0;
    bool made = lia_fields_make(k->space, &k->chart->base, k->f->state.t, k->q, k->v, &g);
    int good = made ? g.split && g.nx == nx : g.why ? 0 : -1;
    if (good == 1) {
        k->R = (g.h0 - g.K_Y) / k->unit, k->h0 = g.h0 / k->unit;
        k->K = g.K_Y / k->unit, k->lifted = 0.0;
        for (size_t j = 0; j < nx; j++) {
            double along = 0.0;
            for (size_t a = 0; a < g.nb; a++) along -= g.A[j * g.nb + a] * g.Y[a];
            k->R += k->at[nx + j] * along;
            double miss = fabs(g.field[LIA_FIELD_H_Y][g.x[j]] - along);
            k->lifted = fmax(k->lifted, miss / (1.0 + fabs(along)));
        }
        for (int w = 0; w < FIELDS; w++) {
            for (size_t j = 0; j < nx; j++) {
                k->row[w][j] = g.field[ids[w]][g.x[j]];
                k->row[w][nx + j] = g.field[ids[w]][g.n + j] / k->unit;
            }
        }
        for (size_t j = 0; j < nx; j++)
            k->out->worst =
                fmax(k->out->worst, fabs(g.field[LIA_FIELD_MINUS_X_K][g.n + j]) / k->unit);
        if (k->F && g.F) memcpy(k->F, g.F, nx * g.nb * g.nb * sizeof(double));
        k->size = fmax(k->size, fabs(k->K));
        k->out->bent = fmax(k->out->bent, bent_of(&g));
    }
    lia_fields_clear(&g);
    return good;
}

static void add_curvature(Look* k, size_t column, double weight) {
    size_t count = k->nx * k->f->nb * k->f->nb;
    for (size_t e = 0; k->F && column < k->nx && e < count; e++)
        k->dF[e * k->nx + column] += weight * k->F[e];
}

// Derivatives of all of it along (x, p).
static int differentiate(Look* k) {
    size_t m = 2 * k->nx;
    for (int w = 0; w < FIELDS; w++) memset(k->D[w], 0, m * m * sizeof(double));
    memset(k->dR, 0, m * sizeof(double));
    memset(k->dh0, 0, m * sizeof(double));
    size_t curved = k->F ? k->nx * k->nx * k->f->nb * k->f->nb : 0;
    if (k->F) memset(k->dF, 0, curved * sizeof(double));
    for (size_t c = 0; c < m; c++) {
        double h = k->scale * LIA_VERTICAL_STEP * (1.0 + fabs(k->x[c]));
        for (int side = -SIDES; side <= SIDES; side++) {
            if (side == 0) continue;
            double weight = (side > 0 ? weights[side - 1] : -weights[-side - 1]) / h;
            memcpy(k->at, k->x, m * sizeof(double));
            k->at[c] += side * h;
            int good = evaluate(k);
            if (good != 1) return good;
            k->dR[c] += weight * k->R;
            k->dh0[c] += weight * k->h0;
            add_curvature(k, c, weight);
            for (int w = 0; w < FIELDS; w++) {
                for (size_t r = 0; r < m; r++) k->D[w][r * m + c] += weight * k->row[w][r];
            }
        }
    }
    return 1;
}

// A field keeps the bracket where dX^x/dp and dX^p/dx are symmetric and dX^x/dx = -(dX^p/dp)^T.
static double changes(const Look* k, Which which) {
    size_t nx = k->nx, m = 2 * nx;
    const double* D = k->D[which];
    double most = 0.0, miss = 0.0;
    for (size_t i = 0; i < m * m; i++) most = fmax(most, fmax(fabs(D[i]), fabs(k->D[D_Y][i])));
    for (size_t i = 0; i < nx; i++) {
        for (size_t j = 0; j < nx; j++) {
            double b = D[i * m + nx + j] - D[j * m + nx + i];
            double c = D[(nx + i) * m + j] - D[(nx + j) * m + i];
            double a = D[i * m + j] + D[(nx + j) * m + nx + i];
            miss = fmax(miss, fmax(fabs(a), fmax(fabs(b), fabs(c))));
        }
    }
    return most > 0.0 ? miss / most : 0.0;
}

// A field less that of a function, relative to the largest number of the motion.
static double differs(const Look* k, Which which, const double* slope) {
    double most = 0.0, miss = 0.0;
    for (size_t j = 0; j < k->nx; j++) {
        double x = k->row[which][j], p = k->row[which][k->nx + j];
        most = fmax(most, fmax(fabs(k->row[D_Y][j]), fabs(k->row[D_Y][k->nx + j])));
        most = fmax(most, fmax(fabs(x), fabs(p)));
        miss = fmax(miss, fmax(fabs(x - slope[k->nx + j]), fabs(p + slope[j])));
    }
    return most > 0.0 ? miss / most : miss;
}

// F as it was evaluated last, and p: the field of <p, F_ab> for each pair.
static bool keep_curvature(Look* k) {
    size_t nx = k->nx, nb = k->f->nb, pair = 0;
    double* x = LIA_ARENA_NEW(k->arena, double, nb* nb* nx + 1);
    if (!x) return false;
    for (size_t a = 0; a < nb; a++) {
        for (size_t b = a + 1; b < nb; b++, pair++) {
            double* to = x + pair * 2 * nx;
            for (size_t j = 0; j < nx; j++) {
                size_t e = (j * nb + a) * nb + b;
                to[j] = k->F[e];
                for (size_t i = 0; i < nx; i++)
                    to[nx + i] -= k->x[nx + j] * k->unit * k->dF[e * nx + i];
            }
        }
    }
    k->out->curvature = x;
    return true;
}

// One state, in k->x.
static int look(Look* k, bool first) {
    LiaVerticalPoisson* out = k->out;
    int good = differentiate(k);
    memcpy(k->at, k->x, 2 * k->nx * sizeof(double));
    if (good == 1) good = evaluate(k);
    if (good != 1) return good;
    if (first) out->R = k->R * k->unit;
    if (first && k->F && !keep_curvature(k)) return -1;
    out->keeps = fmax(out->keeps, changes(k, D_Y));
    out->generator = fmax(out->generator, differs(k, D_Y, k->dR));
    out->frozen = fmax(out->frozen, differs(k, D_0, k->dh0));
    out->lift = fmax(out->lift, fmax(changes(k, H_Y), k->lifted));
    memset(k->at + k->nx, 0, k->nx * sizeof(double));  // p = 0
    good = evaluate(k);
    for (size_t j = 0; good == 1 && j < k->nx; j++)
        out->lift = fmax(out->lift, fabs(k->row[H_Y][k->nx + j]));
    out->states++;
    return good;
}

// The largest row of a field, relative to the largest of the motion.
static double share(const LiaFields* f, LiaFieldId which, double inertia) {
    double most = 0.0, own = 0.0;
    for (uint32_t r = 0; r < f->rows; r++) {
        double unit = r < f->n ? 1.0 : inertia;
        most = fmax(most, fabs(f->field[LIA_FIELD_D_Y][r]) / unit);
        own = fmax(own, fabs(f->field[which][r]) / unit);
    }
    return most > 0.0 ? own / most : own;
}

// Statements that are not of the base and hold all the same; NULL: there are none.
static const char* others(const Look* k) {
    const LiaSystem* s = k->space->geometry->system;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaConstraint* c = &s->model->constraints[s->rows[r].constraint];
        bool of_base = c->internal || s->rows[r].identical || s->rows[r].follows;
        for (uint32_t b = 0; b < k->base->count; b++)
            of_base |= s->rows[k->base->row[b]].constraint == s->rows[r].constraint;
        if (of_base) continue;
        return c->active ? "not all that operators set is of the base"
                         : "passive constraints hold: the motion lives in a part of V*M";
    }
    return NULL;
}

// Why it is not looked at; NULL: it is.
static const char* hindrance(const Look* k) {
    const LiaFields* f = k->f;
    const char* why = others(k);
    if (why) return why;
    if (share(f, LIA_FIELD_ETA, k->unit) > LIA_VERTICAL_CONSTANT)
        return "what operators set depends on the fibre: the motion is not Poisson";
    if (f->has_Q) return "applied forces act, which need not keep it";
    if (share(f, LIA_FIELD_Z, k->unit) > LIA_VERTICAL_CONSTANT)
        return "forces of operators act along the fibre, and need not keep it";
    return f->nx > FIBRE_MOST ? "the fibre has many coordinates" : NULL;
}

static bool make_room(Look* k) {
    size_t n = k->n, m = 2 * k->nx, nb = k->f->nb;
    size_t curved = k->curved && k->f->F && nb > 1 && nb <= BASE_MOST ? k->nx * nb * nb : 0;
    size_t room = 2 * n + k->nx + (4 + FIELDS) * m + FIELDS * m * m + curved * (1 + k->nx);
    k->block = lia_memory_zeros(room + 1, sizeof(double));
    if (!k->block) return false;
    double* x = k->block;
    k->q = x, x += n;
    k->v = x, x += n;
    k->p = x, x += k->nx;
    k->x = x, x += m;
    k->at = x, x += m;
    k->dR = x, x += m;
    k->dh0 = x, x += m;
    for (int w = 0; w < FIELDS; w++) k->row[w] = x, x += m;
    for (int w = 0; w < FIELDS; w++) k->D[w] = x, x += m * m;
    k->F = curved ? x : NULL, x += curved;
    k->dF = x;
    return true;
}

// What a slope has along the length of attitudes and directions means nothing.
static void take_lengths_away(const Look* k, double* slope) {
    const LiaFields* f = k->f;
    const LiaModel* model = k->space->geometry->system->model;
    if (f->frame.nl > 0) return;  // lengths are kept there
    for (uint32_t c = 0; c < model->groups_count; c++) {
        const LiaGroup* group = &model->groups[c];
        if (group->manifold != LIA_ROTATION && group->manifold != LIA_SPHERE) continue;
        double along = 0.0, square = 0.0;
        for (uint32_t j = 0; j < f->nx; j++) {
            double u = f->state.q[f->x[j]];
            if (f->x[j] < group->first || f->x[j] >= group->first + group->count) continue;
            along += u * slope[j], square += u * u;
        }
        for (uint32_t j = 0; j < f->nx && square > 0.0; j++) {
            bool own = f->x[j] >= group->first && f->x[j] < group->first + group->count;
            if (own) slope[j] -= along / square * f->state.q[f->x[j]];
        }
    }
}

// dK_Y/dx at the state: minus the force that -X_K is, with its sign.
static bool find_slope(Look* k) {
    const LiaFields* f = k->f;
    double* dK = LIA_ARENA_NEW(f->arena, double, f->nx + 1);
    if (!dK) return false;
    for (uint32_t j = 0; j < f->nx; j++) {
        dK[j] = f->field[LIA_FIELD_MINUS_X_K][f->n + j];
    }
    take_lengths_away(k, dK);
    for (uint32_t j = 0; j < f->nx; j++) k->out->worst = fmax(k->out->worst, fabs(dK[j]) / k->unit);
    k->size = fabs(f->K_Y) / k->unit;
    k->out->dK = dK;
    k->out->nx = f->nx;
    return true;
}

// dTheta/dx at the state.
static void look_at_Theta(Look* k) {
    const LiaFields* f = k->f;
    for (uint32_t e = 0; e < f->nb * f->nb; e++) take_lengths_away(k, f->Theta_x + e * f->nx);
    k->out->bent = bent_of(f);
}

static bool is_unit(const Look* k, uint32_t coordinate) {
    LiaManifold kind = k->space->geometry->system->model->coordinates[coordinate].manifold;
    return kind == LIA_ROTATION || kind == LIA_SPHERE;
}

// At the state and at others, within `scale`. 0: the fields have no value around it; -1: memory is
// out.
static int look_within(Look* k, double scale) {
    const LiaFields* f = k->f;
    int good = 1;
    k->scale = scale;
    for (int state = 0; good == 1 && state < STATES; state++) {
        for (size_t j = 0; j < k->nx; j++) {
            double i = (double)j, moved = state > 0 ? scale * MOVED : 0.0;
            double turned = is_unit(k, f->x[j]) && state > 0 ? scale * TURNED : moved;
            k->x[j] = f->state.q[f->x[j]] + turned * sin(3.0 * i + state);
            k->x[k->nx + j] = f->momentum[j] / k->unit + moved * cos(2.0 * i + state);
        }
        good = look(k, state == 0);
        if (good == 0 && state > 0) good = 1;  // no value there: another state may have one
    }
    return good;
}

static double worst_of(const LiaVerticalPoisson* v) {
    return fmax(fmax(v->keeps, v->generator), fmax(v->frozen, v->lift));
}

// What a difference misses falls with its step, what does not hold stays: shorter steps are tried
// until all holds.
static int look_around(Look* k) {
    LiaVerticalPoisson* out = k->out;
    const LiaVerticalPoisson before = *out;
    int best = 0;
    if (!make_room(k)) return -1;
    for (double scale = 1.0; scale >= LIA_VERTICAL_LEAST; scale *= 0.125) {
        LiaVerticalPoisson last = *out;
        *out = before;
        int good = look_within(k, scale);
        if (good < 0) best = good;
        if (best < 0) break;
        if (good == 0 || (best == 1 && worst_of(out) >= worst_of(&last))) *out = last;
        if (good == 1) best = 1;
        if (best == 1 && worst_of(out) <= LIA_VERTICAL_HOLDS) break;
    }
    free(k->block);
    return best;
}

bool lia_vertical_poisson_look(LiaPhaseSpace* space, const LiaFieldsBase* base,
                               const LiaFields* fields, LiaVerticalPoisson* out) {
    *out = (LiaVerticalPoisson){0};
    if (!fields->split || fields->nb == 0 || fields->nx == 0) return true;
    Look k = {.space = space, .base = base, .f = fields, .out = out, .arena = fields->arena};
    k.n = fields->n;
    k.unit = inertia_of(fields);
    if (!find_slope(&k)) return false;
    look_at_Theta(&k);
    LiaLeafChart chart;
    bool made = lia_leaf_chart_make(space, base, &fields->state, &chart);
    int good = made || chart.why ? 1 : -1;
    out->why = chart.why;
    if (made) {
        k.chart = &chart, k.f = &chart.fields, k.nx = chart.fields.nx;
        size_t names = k.nx * sizeof *fields->x;  // those of the rows
        k.curved = fields->nx == k.nx && memcmp(fields->x, k.f->x, names) == 0 && !k.f->frame.bent;
        out->why = hindrance(&k);
        if (!out->why) {
            good = look_around(&k);
            if (good == 0) out->why = "the fields have no value around the state";
            out->known = good == 1;
        }
    }
    lia_leaf_chart_clear(&chart);
    out->constant = out->worst <= LIA_VERTICAL_CONSTANT * (1.0 + k.size);
    out->riemannian = out->bent <= LIA_VERTICAL_CONSTANT;
    return good >= 0;
}
