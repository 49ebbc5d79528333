// Rods in a kinetic energy that is multiplied out, as textbooks have it:
//
//   T = (M + m) x'^2/2 + m l cos(a) x' a' + m l^2 a'^2/2
//
// With angles f_j of rods against a fixed direction, a carriage s and the points of rods that hang
// on each other, the metric is
//
//   s' f_j'      B_j cos(f_j + d)      B_j = sum of m_i l_ij     l_ij: how far along rod j the
//   f_j' f_k'    A_jk cos(f_j - f_k)   A_jk = sum of m_i l_ij l_ik      chain to mass i goes
//
// So A and B are read off it at two states; k hangs on j at A_jk/B_k along it, and what is left of
// B_j and A_jj is a mass on rod j. Angles may be those of the model, or each may be measured from
// the rod before. Without a carriage B follows from the weight: B_j g cos(f_j + d) in the
// potential. Nothing is drawn unless the metric is such a one at states drawn at random.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "output/page/guess/guess.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RODS_MOST = 12, STATES = 5 };

static const double PI = 3.14159265358979323846;

typedef struct Rod {
    uint32_t angle;  // coordinate
    double B;
    double height;    // of the weight: the potential has `height` cos(f + d) in it
    int parent;       // -1: it hangs on the carriage, or the ground
    double hinge;     // how far along its parent
    double mass, at;  // a point on it
    double below;     // all masses that hang on it, its own too
} Rod;

typedef struct Chain {
    LiaGuess* guess;
    LiaValues T, U;
    LiaSymbols at;
    double *q, *v;  // a state                                        (n)
    int carriage;   // coordinate; -1: the ground
    bool rises;     // the carriage goes up, not along x
    bool relative;  // angles are measured from the rod before
    Rod rods[RODS_MOST];
    int count;
    double A[RODS_MOST][RODS_MOST];
    double all;          // inertia of the carriage with all that hangs on it
    double shift, side;  // d; 1: the cosine is upwards, -1: downwards
} Chain;

// --- the metric as numbers

static void add_rate(Chain* c, int rod, double rate) {
    if (rod < 0) {
        c->v[c->carriage] += rate;
        return;
    }
    c->v[c->rods[rod].angle] += rate;
    if (c->relative && rod + 1 < c->count) c->v[c->rods[rod + 1].angle] -= rate;
}

static double energy_of(Chain* c, int a, int b) {
    memset(c->v, 0, c->guess->s->n * sizeof *c->v);
    add_rate(c, a, 1.0);
    if (b > -2) add_rate(c, b, 1.0);
    lia_evaluate_run(&c->T, &c->at);
    return lia_value(&c->T, c->guess->s->energy.kinetic);
}

// Of two rods; -1 is the carriage.
static double metric(Chain* c, int a, int b) {
    if (a == b) return 2.0 * energy_of(c, a, -2);
    return energy_of(c, a, b) - energy_of(c, a, -2) - energy_of(c, b, -2);
}

static double potential(Chain* c) {
    if (!c->guess->s->energy.has_potential) return 0.0;
    lia_evaluate_run(&c->U, &c->at);
    return lia_value(&c->U, c->guess->s->energy.potential);
}

static void set_angles(Chain* c, const double* f) {
    for (int j = 0; j < c->count; j++) {
        c->q[c->rods[j].angle] = f[j] - (c->relative && j > 0 ? f[j - 1] : 0.0);
    }
}

static void set_all(Chain* c, double angle) {
    double f[RODS_MOST];
    for (int j = 0; j < c->count; j++) f[j] = angle;
    set_angles(c, f);
}

// --- what the numbers say

// d such that x cos(f) + y sin(f) is along cos(f + d); right angles are meant as such.
static double shift_of(double x, double y) {
    double d = atan2(-y, x), right = nearbyint(d / (PI / 2.0)) * (PI / 2.0);
    return fabs(d - right) <= LIA_GUESS_PLACE ? right : d;
}

// First harmonics of the potential by each angle, into x and y.
static void read_weights(Chain* c, double* x, double* y) {
    double f[RODS_MOST] = {0.0}, at[4];
    for (int j = 0; j < c->count; j++) {
        for (int k = 0; k < 4; k++) {
            f[j] = k * PI / 2.0;
            set_angles(c, f);
            at[k] = potential(c);
        }
        f[j] = 0.0;
        x[j] = (at[0] - at[2]) / 2.0;
        y[j] = (at[1] - at[3]) / 2.0;
    }
}

static int largest(const Chain* c, const double* x, const double* y) {
    int best = 0;
    for (int j = 1; j < c->count; j++) {
        if (hypot(x[j], y[j]) > hypot(x[best], y[best])) best = j;
    }
    return best;
}

static void read_along(const Chain* c, const double* x, const double* y, double d, double* out) {
    for (int j = 0; j < c->count; j++) out[j] = x[j] * cos(d) - y[j] * sin(d);
}

static double gravity_of(const LiaGuess* guess) {
    const double standard = 9.81;
    for (uint32_t i = 0; i < guess->m->parameters_count; i++) {
        if (strcmp(guess->m->parameters[i].name, "g") == 0 && guess->s->parameters[i] > 0.0) {
            return guess->s->parameters[i];
        }
    }
    return standard;
}

// Hanging rods turn against the clock, standing ones with it, as they are mostly written.
static bool read_ground(Chain* c) {
    double x[RODS_MOST] = {0}, y[RODS_MOST] = {0}, V[RODS_MOST] = {0}, g = gravity_of(c->guess);
    read_weights(c, x, y);
    int most = largest(c, x, y);
    c->side = x[most] > fabs(y[most]) ? 1.0 : -1.0;
    c->shift = shift_of(c->side * x[most], c->side * y[most]);
    read_along(c, x, y, c->shift, V);
    for (int j = 0; j < c->count; j++) {
        c->rods[j].height = V[j];
        c->rods[j].B = c->side * V[j] / g;
    }
    return fabs(V[most]) > 0.0;
}

static bool read_carriage(Chain* c) {
    double x[RODS_MOST] = {0}, y[RODS_MOST] = {0}, B[RODS_MOST] = {0}, V[RODS_MOST] = {0};
    set_all(c, 0.0);
    for (int j = 0; j < c->count; j++) x[j] = metric(c, -1, j);
    c->all = metric(c, -1, -1);
    set_all(c, PI / 2.0);
    for (int j = 0; j < c->count; j++) y[j] = metric(c, -1, j);
    int most = largest(c, x, y);
    c->shift = shift_of(x[most], y[most]);
    read_along(c, x, y, c->shift, B);
    read_weights(c, x, y);
    read_along(c, x, y, c->shift, V);
    double before = potential(c), *s = &c->q[c->carriage];
    *s += 1.0;
    double higher = potential(c) - before;
    *s += 1.0;
    double twice = potential(c) - before;
    *s -= 2.0;
    // a weight, not a spring
    c->rises = fabs(higher) > 0.0 && fabs(twice - 2.0 * higher) <= LIA_GUESS_SAME * fabs(higher);
    c->side = V[most] * B[most] > 0.0 ? 1.0 : -1.0;
    if (c->rises) c->side = higher > 0.0 ? 1.0 : -1.0;
    for (int j = 0; j < c->count; j++) c->rods[j].B = B[j];
    return fabs(B[most]) > 0.0;
}

static bool is_little(double x, double size) { return fabs(x) <= LIA_GUESS_SAME * fabs(size); }

// Rod k hangs on the last one before it that its inertia is coupled to.
static bool find_parents(Chain* c) {
    for (int k = 0; k < c->count; k++) {
        Rod* rod = &c->rods[k];
        rod->parent = -1;
        for (int j = 0; j < k; j++) {
            if (!is_little(c->A[j][k], sqrt(c->A[j][j] * c->A[k][k]))) rod->parent = j;
        }
        if (rod->parent < 0) continue;
        rod->hinge = c->A[rod->parent][k] / rod->B;
        if (!isfinite(rod->hinge)) return false;
    }
    return true;
}

// What A of two rods must be: how far the way to k goes along j, times B_k.
static double expected(const Chain* c, int j, int k) {
    int child = k;
    while (c->rods[child].parent > j) child = c->rods[child].parent;
    return c->rods[child].parent == j ? c->rods[child].hinge * c->rods[k].B : 0.0;
}

static bool find_masses(Chain* c) {
    double hanging = 0.0;
    for (int j = c->count - 1; j >= 0; j--) {
        Rod* rod = &c->rods[j];
        double b = rod->B, a = c->A[j][j], below = 0.0;
        for (int k = j + 1; k < c->count; k++) {
            double size = sqrt(c->A[j][j] * c->A[k][k]);
            if (!is_little(c->A[j][k] - expected(c, j, k), size)) return false;
            if (c->rods[k].parent != j) continue;
            b -= c->rods[k].hinge * c->rods[k].below;
            a -= c->rods[k].hinge * c->rods[k].hinge * c->rods[k].below;
            below += c->rods[k].below;
        }
        if (a < -LIA_GUESS_SAME * c->A[j][j]) return false;
        bool point = !is_little(b, rod->B) && !is_little(a, c->A[j][j]);
        rod->at = point ? a / b : 0.0;
        rod->mass = point ? b * b / a : 0.0;
        rod->below = rod->mass + below;
        if (rod->parent < 0) hanging += rod->below;
    }
    return c->carriage < 0 || hanging <= (1.0 + LIA_GUESS_SAME) * c->all;
}

// --- is it so at all states?

static bool is_metric(Chain* c, const double* f) {
    bool good = true;
    for (int j = 0; good && j < c->count; j++) {
        double own = sqrt(c->A[j][j] * c->all);
        if (c->carriage >= 0) {
            good = is_little(metric(c, -1, j) - c->rods[j].B * cos(f[j] + c->shift), own);
        }
        for (int k = 0; good && k <= j; k++) {
            double size = sqrt(c->A[j][j] * c->A[k][k]);
            good = is_little(metric(c, j, k) - c->A[j][k] * cos(f[j] - f[k]), size);
        }
    }
    return good && (c->carriage < 0 || is_little(metric(c, -1, -1) - c->all, c->all));
}

static bool is_weight(Chain* c, const double* f, double at_zero) {
    double wanted = 0.0, size = 0.0;
    for (int j = 0; j < c->count; j++) {
        wanted += c->rods[j].height * (cos(f[j] + c->shift) - cos(c->shift));
        size += fabs(c->rods[j].height);
    }
    return is_little(potential(c) - at_zero - wanted, size);
}

static bool holds(Chain* c) {
    uint64_t random = 0;
    double f[RODS_MOST];
    set_all(c, 0.0);
    double at_zero = potential(c);
    for (int state = 0; state < STATES; state++) {
        for (int j = 0; j < c->count; j++) f[j] = PI * lia_random_even(&random);
        set_angles(c, f);
        if (c->carriage >= 0) c->q[c->carriage] += lia_random_even(&random);
        if (!is_metric(c, f)) return false;
        if (c->carriage < 0 && !is_weight(c, f, at_zero)) return false;
    }
    return true;
}

static bool read_chain(Chain* c) {
    set_all(c, 0.0);
    for (int j = 0; j < c->count; j++) {
        for (int k = 0; k <= j; k++) c->A[j][k] = c->A[k][j] = metric(c, j, k);
        if (!(c->A[j][j] > 0.0)) return false;
    }
    bool good = c->carriage >= 0 ? read_carriage(c) : read_ground(c);
    return good && find_parents(c) && find_masses(c) && holds(c);
}

// --- which coordinates

static bool is_single(const LiaCoordinate* x) {
    bool number = x->manifold == LIA_LINE || x->manifold == LIA_CIRCLE;
    return !x->group && !x->inner && number;
}

// Is the inertia of two coordinates coupled, at a state of no special value?
static bool coupled(Chain* c, uint32_t i, uint32_t j) {
    double T[3];
    for (int k = 0; k < 3; k++) {
        memset(c->v, 0, c->guess->s->n * sizeof *c->v);
        if (k != 1) c->v[i] = 1.0;
        if (k != 0) c->v[j] = 1.0;
        lia_evaluate_run(&c->T, &c->at);
        T[k] = lia_value(&c->T, c->guess->s->energy.kinetic);
    }
    return !is_little(T[2] - T[0] - T[1], T[0] + T[1]);
}

// The coordinates that inertia couples with `first`, raises in[i].
static void spread(Chain* c, uint32_t first, bool* in) {
    uint32_t n = c->guess->s->n;
    in[first] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; in[i] && j < n; j++) {
                if (in[j] || !coupled(c, i, j)) continue;
                in[j] = more = true;
            }
        }
    }
}

// Angles: those that the kinetic energy depends on, and circles; at most one other, the carriage.
static bool take_coordinates(Chain* c, const bool* in, const bool* bends) {
    c->carriage = -1;
    c->count = 0;
    for (uint32_t i = 0; i < c->guess->s->n; i++) {
        const LiaCoordinate* x = &c->guess->m->coordinates[i];
        if (!in[i]) continue;
        if (!is_single(x) || c->count == RODS_MOST) return false;
        if (bends[i] || x->manifold == LIA_CIRCLE) {
            c->rods[c->count++] = (Rod){.angle = i};
        } else if (c->carriage >= 0) {
            return false;
        } else {
            c->carriage = (int)i;
        }
    }
    return c->count + (c->carriage >= 0) >= 2;
}

static bool find_chain(Chain* c, bool* bends, bool* in) {
    uint32_t n = c->guess->s->n, first = 0;
    uint64_t random = 1;
    LiaExpr T = c->guess->s->energy.kinetic;
    lia_guess_depends(c->guess, &T, 1, bends);
    while (first < n && !bends[first]) first++;
    if (first == n) return false;
    for (uint32_t i = 0; i < n; i++) c->q[i] += bends[i] ? lia_random_generic(&random) : 0.0;
    spread(c, first, in);
    if (!take_coordinates(c, in, bends)) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (bends[i] && !in[i]) return false;
    }
    for (int relative = 0; relative < 2; relative++) {
        c->relative = relative;
        if (read_chain(c)) return true;
    }
    return false;
}

// --- points and rods

static LiaExpr times(LiaGraph* g, double factor, LiaExpr f) {
    return lia_graph_mul(g, lia_graph_real(g, factor), f);
}

// Where the rod points to, per length.
static void direction_of(const Chain* c, int rod, LiaExpr* e) {
    LiaGraph* g = c->guess->g;
    LiaExpr angle = c->guess->s->q[c->rods[rod].angle], none = {0};
    for (int j = rod - 1; c->relative && j >= 0; j--) {
        angle = lia_graph_add(g, angle, c->guess->s->q[c->rods[j].angle]);
    }
    if (c->shift != 0.0) angle = lia_graph_add(g, angle, lia_graph_real(g, c->shift));
    LiaExpr sine = lia_graph_apply(g, LIA_OP_SIN, angle, none, none);
    LiaExpr cosine = lia_graph_apply(g, LIA_OP_COS, angle, none, none);
    e[0] = c->rises ? cosine : sine;
    e[1] = times(g, c->side, c->rises ? sine : cosine);
}

static void place_on(const Chain* c, const LiaExpr* from, int rod, double far, LiaExpr* at) {
    LiaGraph* g = c->guess->g;
    LiaExpr e[2];
    direction_of(c, rod, e);
    for (int k = 0; k < 2; k++) at[k] = lia_graph_add(g, from[k], times(g, far, e[k]));
    at[2] = lia_guess_zero(c->guess);
}

// Is there a rod between them? A point that is not known everywhere ends the picture.
static void join(LiaGuess* guess, const LiaExpr* from, const LiaExpr* to, bool mass) {
    const LiaGuessPoint* a = lia_guess_point(guess, NULL, from);
    uint32_t first = a ? (uint32_t)(a - guess->points) : 0;
    LiaGuessPoint* b = lia_guess_point(guess, NULL, to);
    uint32_t last = b ? (uint32_t)(b - guess->points) : 0;
    if (!a || !b || first == last) return;
    guess->points[first].shown = b->shown = true;
    b->mass = b->mass || mass;
    lia_guess_rod(guess, last, first);
}

static void draw(Chain* c) {
    LiaGuess* guess = c->guess;
    LiaExpr base[3] = {lia_guess_zero(guess), lia_guess_zero(guess), lia_guess_zero(guess)};
    LiaExpr start[RODS_MOST][3], end[3];
    if (c->carriage >= 0) {
        LiaExpr s = guess->s->q[c->carriage];
        base[c->rises] = c->rises ? times(guess->g, c->side, s) : s;
    }
    const char* name = c->carriage >= 0 ? guess->m->coordinates[c->carriage].name : NULL;
    LiaGuessPoint* point = lia_guess_point(guess, name, base);
    if (point) point->shown = true;
    if (point && c->carriage >= 0) point->mass = true;
    for (int j = 0; j < c->count; j++) {
        const Rod* rod = &c->rods[j];
        if (rod->parent < 0) {
            memcpy(start[j], base, sizeof base);
        } else {
            place_on(c, start[rod->parent], rod->parent, rod->hinge, start[j]);
            join(guess, start[rod->parent], start[j], false);
        }
        if (!(rod->mass > 0.0)) continue;
        place_on(c, start[j], j, rod->at, end);
        join(guess, start[j], end, true);
    }
}

bool lia_guess_expanded(LiaGuess* guess) {
    const LiaSystem* s = guess->s;
    LiaExpr T = s->energy.kinetic, U = s->energy.potential;
    uint16_t moving = LIA_DEPENDS(TIME);
    if (s->n < 2 || lia_graph_is_zero(guess->g, T)) return false;
    if (lia_graph_node(guess->g, T)->depends & moving) return false;
    double* x = lia_memory_zeros(2 * (size_t)s->n, sizeof *x);
    bool* seen = lia_memory_zeros(2 * (size_t)s->n, sizeof *seen);
    Chain c = {.guess = guess, .q = x, .v = x + (x ? s->n : 0)};
    c.at = (LiaSymbols){.parameters = s->parameters, .q = c.q, .v = c.v};
    bool found = false, energies = x && seen && lia_evaluate_init(&c.T, guess->g, &T, 1);
    bool weights =
        energies && (!s->energy.has_potential || lia_evaluate_init(&c.U, guess->g, &U, 1));
    if (!weights) {
        guess->scene->failed = true;
    } else if (lia_scene_values(guess->scene, s->q, s->n, guess->instants, 1, c.q)) {
        found = find_chain(&c, seen, seen + s->n);
        if (found) draw(&c);
    }
    if (energies) lia_evaluate_clear(&c.T);
    if (weights && s->energy.has_potential) lia_evaluate_clear(&c.U);
    free(x);
    free(seen);
    return found;
}
