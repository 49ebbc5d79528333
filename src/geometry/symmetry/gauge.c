// Gauge momenta: found at the start, carried along the shape and along a motion. See gauge.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/gauge.h"
#include "base/numeric/thresholds.h"
#include "geometry/followed.h"
#include "geometry/span.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    GROUP_MOST = 12,  // generators
    COLUMNS = 7,      // of the extrapolation: order 14
    HALVINGS = 8,     // of a step
    STEPS_MOST = 40,  // of one walk: what needs more is left
    MOTION_STEPS = 6,
};
static const double reach = 0.5;  // how far a walk goes, in the largest coordinate

typedef struct Walk {
    LiaGaugePlace k;
    LiaArena* arena;
    LiaGauge* out;
    LiaFollowed followed;      // the motion
    size_t n, F, K;            // coordinates, fields, momenta
    size_t group;              // generators: the first fields; one more is the function f
    size_t length;             // numbers of the state: q along the shape, then z of each momentum
    bool motion;               // q and v are those of the motion, the variable is time
    double t;                  // then: where the walk is
    int steps;                 // of this walk so far
    bool measured;             // what is left of the conditions counts
    double sign;               // along the shape or against it
    double *ahead, *next;      // direction of the shape                          (n)
    double *q, *v;             // of the motion                                   (n)
    double *left, *one;        // what is left of the conditions, by momentum     (K), (1)
    double *y, *table, *room;  // state; extrapolation    (length), (COLUMNS x length), (4 x length)
} Walk;

// --- steps -------------------------------------------------------------------------------------

// Rates at y, in a motion at the time t.
static bool field(Walk* x, double t, const double* y, double* rate) {
    size_t n = x->n, at = x->motion ? 0 : n;
    if (x->motion && !lia_followed_at(&x->followed, t, x->q, x->v)) return false;
    if (!lia_gauge_place_look(&x->k, x->motion ? x->q : y, x->ahead)) return false;
    memcpy(x->next, x->k.h, n * sizeof *x->next);
    for (size_t i = 0; i < at; i++) rate[i] = x->sign * x->k.h[i];
    for (size_t m = 0; m < x->K; m++) {
        double left = 0.0;
        lia_gauge_place_rate(&x->k, x->motion ? x->v : rate, y + at + m * x->F,
                             rate + at + m * x->F, &left);
        if (x->measured) x->left[m] = fmax(x->left[m], left);
    }
    return true;
}

// Gragg's rule with `parts` steps, from y over the length H, into `to`.
static bool midpoint(Walk* x, const double* y, double H, int parts, double* to) {
    size_t length = x->length;
    double *before = x->room, *rate = before + length, h = H / parts;
    memcpy(before, y, length * sizeof *y);
    if (!field(x, x->t, y, rate)) return false;
    for (size_t i = 0; i < length; i++) to[i] = y[i] + h * rate[i];
    for (int part = 1; part < parts; part++) {
        if (!field(x, x->t + part * h, to, rate)) return false;
        for (size_t i = 0; i < length; i++) {
            double next = before[i] + 2.0 * h * rate[i];
            before[i] = to[i];
            to[i] = next;
        }
    }
    if (!field(x, x->t + H, to, rate)) return false;
    for (size_t i = 0; i < length; i++) to[i] = 0.5 * (before[i] + to[i] + h * rate[i]);
    return true;
}

// One step, extrapolated. The error is the last correction, relative to the largest number.
static bool extrapolate(Walk* x, double H, double* error) {
    size_t length = x->length;
    double size = 1.0;
    *error = INFINITY;
    for (size_t i = 0; i < length; i++) size = fmax(size, fabs(x->y[i]));
    for (int column = 0; column < COLUMNS && !(*error < LIA_GAUGE_STEP); column++) {
        double* row = x->table + (size_t)column * length;
        if (!midpoint(x, x->y, H, 2 * (column + 1), row)) return false;
        double worst = 0.0;
        for (int c = column - 1; c >= 0; c--) {  // row c becomes the value that uses all rows since
            double ratio = (double)(column + 1) / (c + 1), part = 1.0 / (ratio * ratio - 1.0);
            double *from = x->table + (size_t)(c + 1) * length, *to = x->table + (size_t)c * length;
            for (size_t i = 0; i < length; i++) {
                double change = part * (from[i] - to[i]);
                to[i] = from[i] + change;
                if (c == 0) worst = fmax(worst, fabs(change));
            }
        }
        worst /= size;
        // corrections that do not fall any more are rounding
        bool rounding = column >= 3 && worst > 0.5 * *error && worst < LIA_GAUGE_ROUNDING;
        if (column > 0) *error = rounding ? 0.0 : worst;
    }
    return isfinite(*error);
}

// From x->y over the length H in as many steps as are needed.
static bool advance(Walk* x, double H) {
    double done = 0.0, step = H;
    for (int halvings = 0; fabs(done) < fabs(H);) {
        double error;
        if (++x->steps > STEPS_MOST) return false;
        if (fabs(step) > fabs(H - done)) step = H - done;
        bool good = extrapolate(x, step, &error) && error < LIA_GAUGE_STEP;
        if (!good) {
            if (++halvings > HALVINGS) return false;
            step *= 0.5;
            continue;
        }
        memcpy(x->y, x->table, x->length * sizeof *x->y);
        memcpy(x->ahead, x->next, x->n * sizeof *x->ahead);
        x->t += step;
        done = step == H - done ? H : done + step;
    }
    x->measured = true;  // between the ends of steps states are no solutions
    bool good = field(x, x->t, x->y, x->table);
    x->measured = false;
    return good;
}

// --- at the start ------------------------------------------------------------------------------

static double product(size_t n, const double* a, const double* b) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// The momentum of the field Z at all velocities, without what is the same at all of them.
static void values_of(const Walk* x, const double* Z, double* row) {
    for (size_t j = 0; j < x->k.V; j++) row[j] = product(x->n, x->k.p + j * x->n, Z);
    for (size_t j = x->k.V; j-- > 0;) row[j] -= row[0];
}

static void field_of(const Walk* x, const double* c, double* Z) {
    const LiaActions* a = x->k.actions;
    memset(Z, 0, x->n * sizeof *Z);
    for (size_t e = 0; e < a->count * x->n; e++)
        Z[e % x->n] += c[e / x->n] * lia_value(&x->k.fields, a->formulas.xi[e]);
}

// Rows reduced from the last column on, so that fields are simple at the start.
static void reduce(double* z, size_t rows, size_t columns) {
    size_t done = 0;
    for (size_t column = columns; column-- > 0 && done < rows;) {
        size_t best = done;
        for (size_t r = done; r < rows; r++) {
            if (fabs(z[r * columns + column]) > fabs(z[best * columns + column])) best = r;
        }
        double pivot = z[best * columns + column];
        if (!(fabs(pivot) > LIA_RELATION_PIVOT)) continue;
        for (size_t e = 0; e < columns; e++) {
            double kept = z[best * columns + e];
            z[best * columns + e] = z[done * columns + e];
            z[done * columns + e] = kept / pivot;
        }
        for (size_t r = 0; r < rows; r++) {
            double part = z[r * columns + column];
            if (r == done) continue;
            for (size_t e = 0; e < columns; e++) z[r * columns + e] -= part * z[done * columns + e];
            z[r * columns + column] = 0.0;
        }
        done++;
    }
    for (size_t e = 0; e < rows * columns; e++) {
        if (fabs(z[e]) < LIA_RELATION_ZERO) z[e] = 0.0;
    }
}

// Those whose momenta are independent of each other, and how many are beyond constant coefficients.
static bool take_independent(Walk* x, const LiaSearch* search, double* z, int count) {
    LiaGauge* out = x->out;
    size_t V = x->k.V, n = x->n, F = x->F;
    size_t most = (size_t)count + search->second.count + search->constant.count;
    double* rows = LIA_ARENA_NEW(x->arena, double, (most + 1) * V + n + 1);
    if (!rows) return false;
    double* Z = rows + (most + 1) * V;
    int taken = 0;
    for (int m = 0; m < count; m++) {
        lia_gauge_place_field(&x->k, z + (size_t)m * F, Z);
        values_of(x, Z, rows + (size_t)taken * V);
        if (lia_span_rank(taken + 1, (int)V, rows) <= taken) continue;
        memmove(out->z + (size_t)taken * F, z + (size_t)m * F, F * sizeof *z);
        memcpy(out->Z + (size_t)taken * n, Z, n * sizeof *Z);
        taken++;
    }
    out->count = (uint32_t)taken;
    int constant = 0;
    for (uint32_t i = 0; i < search->second.count + search->constant.count; i++) {
        const LiaFound* f = i < search->second.count
                                ? &search->second.found[i]
                                : &search->constant.found[i - search->second.count];
        field_of(x, f->c, Z);
        values_of(x, Z, rows + (size_t)constant * V);
        constant = lia_span_rank(constant + 1, (int)V, rows);
    }
    int all = constant;
    for (int m = 0; m < taken; m++) {
        values_of(x, out->Z + (size_t)m * n, rows + (size_t)all * V);
        all = lia_span_rank(all + 1, (int)V, rows);
    }
    out->beyond = (uint32_t)(all - constant);
    return true;
}

// --- walks -------------------------------------------------------------------------------------

// Along the shape from q, or (q NULL) along the motion.
static void begin_walk(Walk* x, const double* q, const double* ahead) {
    size_t at = q ? x->n : 0;
    x->motion = q == NULL;
    x->steps = 0;
    x->t = x->k.t;
    x->length = at + x->K * x->F;
    if (q) memcpy(x->y, q, x->n * sizeof *q);
    memcpy(x->y + at, x->out->z, x->K * x->F * sizeof *x->y);
    memcpy(x->ahead, ahead, x->n * sizeof *ahead);
}

static double largest(size_t n, const double* x) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// Both ways along the shape, half as far as the largest coordinate is from zero or by 1/2.
static bool walk_shape(Walk* x, const double* q, const double* h) {
    LiaGauge* out = x->out;
    size_t n = x->n;
    double length = reach * fmax(1.0, largest(n, q)) / fmax(largest(n, h), DBL_MIN);
    for (int side = -1; side <= 1; side += 2) {
        begin_walk(x, q, h);
        x->sign = side;
        for (int step = 1; step <= LIA_GAUGE_POINTS / 2; step++) {
            if (!advance(x, 2.0 * length / LIA_GAUGE_POINTS)) break;
            if (!lia_gauge_place_look(&x->k, x->y, x->ahead)) break;
            size_t at = out->points++;
            out->s[at] = side * step * 2.0 * length / LIA_GAUGE_POINTS;
            memcpy(out->q + at * n, x->y, n * sizeof *x->y);
            for (size_t m = 0; m < x->K; m++) {
                const double* z = x->y + n + m * x->F;
                lia_gauge_place_field(&x->k, z, out->Z_s + (at * x->K + m) * n);
                out->f_s[at * x->K + m] = out->affine ? z[x->group] : 0.0;
            }
        }
    }
    return true;
}

// <p, Z> + f of each momentum where the walk is in the motion, and the size of its terms.
static bool momenta(Walk* x, double* value, double* size) {
    size_t n = x->n, F = x->F;
    const LiaSystem* s = x->k.actions->geometry->system;
    LiaSymbols at = {.t = x->k.t, .parameters = s->parameters, .q = x->q, .v = x->v};
    if (!lia_followed_at(&x->followed, x->t, x->q, x->v)) return false;
    if (!lia_gauge_place_look(&x->k, x->q, x->ahead)) return false;
    lia_evaluate_run(&x->k.forces, &at);
    for (size_t m = 0; m < x->K; m++) {
        double *Z = x->room, f = F > x->group ? x->y[m * F + x->group] : 0.0;
        lia_gauge_place_field(&x->k, x->y + m * F, Z);
        value[m] = f, size[m] = fabs(f);
        for (size_t i = 0; i < n; i++) {
            double term = lia_value(&x->k.forces, s->lagrange.p[i]) * Z[i];
            value[m] += term, size[m] += fabs(term);
        }
    }
    return true;
}

// Along the motion from the start: <p, Z> must stay. What does not is none.
static bool walk_motion(Walk* x, const double* q, const double* v, const double* h) {
    LiaGauge* out = x->out;
    size_t K = x->K;
    double* value = LIA_ARENA_NEW(x->arena, double, 4 * K + 1);
    if (!value) return false;
    double *size = value + K, *now = size + K, *ignored = now + K;
    double step = reach * fmax(1.0, largest(x->n, q)) / MOTION_STEPS;
    step /= fmax(largest(x->n, v), reach);
    LiaActions* a = x->k.actions;
    if (!lia_followed_make(a->geometry->system, x->k.t, q, v, MOTION_STEPS * step, &x->followed))
        return false;
    begin_walk(x, NULL, h);
    if (!momenta(x, value, size)) return true;
    for (size_t m = 0; m < K; m++) {
        out->value[m] = fabs(value[m]) <= LIA_IDENTITY_ROWS * size[m] ? 0.0 : value[m];
    }
    for (int i = 0; i < MOTION_STEPS; i++) {
        double to = i + 1 < MOTION_STEPS ? x->k.t + (i + 1) * step : x->followed.t1;
        if (!(to <= x->followed.t1) || !advance(x, to - x->t) || !momenta(x, now, ignored)) break;
        out->along = x->t - x->k.t;
        for (size_t m = 0; m < K; m++) {
            double drift = fabs(now[m] - value[m]) / fmax(fmax(size[m], ignored[m]), DBL_MIN);
            x->left[m] = fmax(x->left[m], drift);
            out->drift = fmax(out->drift, drift);
        }
    }
    return true;
}

// --- all of it ---------------------------------------------------------------------------------

static bool depends_on_time(const LiaGeometry* y, LiaExpr f) {
    return f.index && (lia_graph_node(y->graph, f)->depends & LIA_DEPENDS(TIME)) != 0;
}

// Why nothing is looked for; *any says whether there is anything that could be found.
static const char* obstacle(const LiaActions* a, const LiaSearch* search, bool* any) {
    const LiaGeometry* y = a->geometry;
    const LiaSystem* s = y->system;
    bool time = depends_on_time(y, s->energy.lagrangian), kinematic = false, linear = true;
    for (size_t r = 0; r < a->m; r++) {
        const LiaRow* row = &s->rows[a->row[r]];
        time |= depends_on_time(y, row->equation);
        kinematic |= !row->geometric;
        linear &= row->linear;
    }
    for (size_t i = 0; i < a->n; i++) time |= depends_on_time(y, s->lagrange.Q[i]);
    *any = kinematic && search->first.count > 0;
    if (!*any) return NULL;
    if (time) return "the system depends on time";
    if (!linear) return "an equation is not linear in the velocities";
    if (!y->quadratic) return "L is not quadratic in the velocities";
    if (search->first.count > GROUP_MOST) return "the group is too large";
    return NULL;
}

// Is an equation affine: does it not admit rest?
static bool moves_at_rest(LiaActions* a, const LiaSamples* states) {
    LiaWorkspace* w = a->z->w;
    bool moves = false;
    w->t = states->t[0];
    memcpy(w->q, states->q, a->n * sizeof *w->q);
    memset(w->v, 0, a->n * sizeof *w->v);
    lia_workspace_update(w, 1);
    for (size_t r = 0; r < a->m; r++) moves |= w->psi[r] != 0.0;
    return moves;
}

static bool make_room(Walk* x, const LiaActions* a) {
    LiaGauge* out = x->out;
    size_t n = x->n, F = x->F, length = 2 * n + F * F;
    out->z = LIA_ARENA_NEW(x->arena, double, 2 * F * F + 1);
    out->Z = LIA_ARENA_NEW(x->arena, double, F* n + 1);
    out->c = LIA_ARENA_NEW(x->arena, double, F * a->count + 1);
    out->value = LIA_ARENA_NEW(x->arena, double, F + 1);
    out->s = LIA_ARENA_NEW(x->arena, double, LIA_GAUGE_POINTS + 1);
    out->q = LIA_ARENA_NEW(x->arena, double, LIA_GAUGE_POINTS* n + 1);
    out->Z_s = LIA_ARENA_NEW(x->arena, double, LIA_GAUGE_POINTS* F* n + 1);
    out->f_s = LIA_ARENA_NEW(x->arena, double, LIA_GAUGE_POINTS* F + 1);
    x->ahead = LIA_ARENA_NEW(x->arena, double, 5 * n + 1);
    x->left = LIA_ARENA_NEW(x->arena, double, F + 1);
    x->y = LIA_ARENA_NEW(x->arena, double, (COLUMNS + 4) * length + n + 1);
    if (!out->z || !out->Z || !out->c || !out->value || !out->s || !out->q || !out->Z_s ||
        !out->f_s || !x->ahead || !x->left || !x->y) {
        return false;
    }
    x->next = x->ahead + n, x->q = x->next + 2 * n, x->v = x->q + n;
    x->table = x->y + length, x->room = x->table + COLUMNS * length;
    return true;
}

// What the walks refute is taken out.
static void drop(Walk* x, const LiaSearch* search) {
    LiaGauge* out = x->out;
    bool good = out->along > 0.0;  // a motion could be followed
    for (size_t m = 0; m < x->K; m++) good &= x->left[m] <= LIA_GAUGE_CONSTANT;
    if (!good) {
        out->count = out->beyond = out->points = 0;
        out->known = false;
        out->why = "they could not be followed along a motion";
    }
    const LiaActions* a = x->k.actions;
    for (size_t m = 0; m < out->count; m++) {
        for (size_t f = 0; f < x->group; f++) {
            for (size_t c = 0; c < a->count; c++)
                out->c[m * a->count + c] += out->z[m * x->F + f] * search->first.found[f].c[c];
        }
    }
}

static bool find(Walk* x, const LiaSearch* search, const LiaSamples* states) {
    LiaGauge* out = x->out;
    size_t n = x->n;
    const double *q = states->q, *v = states->v;
    double closed = 0.0, *h = x->ahead + 2 * n;
    if (!lia_gauge_place_close(&x->k, states, &closed)) return false;
    if (!(closed <= LIA_RELATION_CONFIRMED)) {
        out->why = "brackets of the symmetries are none of them";
        return true;
    }
    if (!lia_gauge_place_look(&x->k, q, x->ahead)) {
        out->why = "the positions have more than one dimension beyond the orbits";
        return true;
    }
    memcpy(h, x->k.h, n * sizeof *h);
    out->shape = x->k.has_shape;
    double* z = LIA_ARENA_NEW(x->arena, double, (2 * x->F + 1) * x->F + 1);
    if (!z) return false;
    int count = lia_gauge_place_admitted(&x->k, z);
    if (count < 0) return false;
    reduce(z, (size_t)count, x->F);
    out->known = true;
    if (!take_independent(x, search, z, count)) return false;
    x->K = out->count;
    if (x->K == 0) return true;
    if (out->shape && !walk_shape(x, q, h)) return false;
    if (!walk_motion(x, q, v, h)) return false;
    drop(x, search);
    return true;
}

bool lia_gauge_find(LiaActions* actions, LiaArena* arena, const LiaSearch* search,
                    const LiaSamples* states, LiaGauge* out) {
    bool any;
    *out = (LiaGauge){.group = search->first.count};
    out->why = obstacle(actions, search, &any);
    if (out->why || !any || states->count == 0) return true;
    Walk x = {.arena = arena, .out = out, .n = actions->n, .group = search->first.count};
    out->affine = moves_at_rest(actions, states);
    x.F = x.group + out->affine;
    bool ok =
        lia_gauge_place_init(&x.k, actions, arena, &search->first, states->t[0], out->affine) &&
        make_room(&x, actions) && find(&x, search, states);
    lia_gauge_place_clear(&x.k);
    lia_followed_clear(&x.followed);
    return ok;
}
