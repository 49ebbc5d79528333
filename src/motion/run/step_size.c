// Step size from the last two coefficients:
//   h = min over k = p-1, p of (tolerance * scale / |x[k]|)^(1/k)
// Scales are the largest values met, so that a coordinate passing through zero asks for nothing
// special; an angle's scale is at least one radian.
// SPDX-License-Identifier: MIT
#include "motion/run/step_size.h"
#include "base/numeric/thresholds.h"
#include "motion/result/trajectory.h"
#include "motion/run/step.h"
#include "motion/run/taylor.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

// e^-2 of the radius of convergence is the best step for a cost growing like order^2, which gives
// the order -ln(tolerance)/2. Ours grows more slowly (each instruction has a fixed price as well),
// so longer series pay: measured on the problems of bench/, from two links to forty.
int lia_step_size_order(double tolerance) {
    int order = (int)ceil(-0.85 * log(tolerance)) + 2;
    return order < 6 ? 6 : order > 40 ? 40 : order;
}

// Coefficients of order k are of the size T^-k, T the time in which something happens: for
// picoseconds or millions of years those of high order leave the range of numbers. T is the length
// of the run or less: for a short run also 1e-10 of it, and its square.
int lia_step_size_order_most(double span) {
    double decades = log10(span);
    double most =
        decades < 0.0 ? fmin(-160.0 / decades, 290.0 / (10.0 - decades)) : 290.0 / decades;
    return most < 6.0 ? 6 : most < 60.0 ? (int)most : 60;
}

// Where there are rotations it is often the loss of digits that limits the step (keep_digits), and
// revolutions are many: a few more terms, with steps as long as before, push the end of the series
// below all rounding.
double lia_step_size_tolerance(const LiaModel* model, double tolerance) {
    for (uint32_t g = 0; g < model->groups_count; g++) {
        if (model->groups[g].manifold == LIA_ROTATION)
            return fmax(LIA_ROTATION_TOLERANCE * tolerance, LIA_ROTATION_TOLERANCE_LEAST);
    }
    return tolerance;
}

static double whole_power(double x, int k) {
    double result = 1.0;
    for (; k > 0; k >>= 1, x *= x) {
        if (k & 1) result *= x;
    }
    return result;
}

// Shorten h to (allowed / coefficient)^(1/k). Few series do: whether this one is among them is seen
// without a root.
static void shorten(double* h, double allowed, double coefficient, int k) {
    if (coefficient > 0.0 && !(coefficient * whole_power(*h, k) <= allowed)) {
        *h = pow(allowed / coefficient, 1.0 / k);
    }
}

// The same for a coefficient that is known to be too large, where rounding makes noise * h^lag of
// what is measured, in a step h: no more is asked than that.
static void shorten_to_noise(double* h, double allowed, double noise, int lag, double coefficient,
                             int k) {
    double shorter = pow(allowed / coefficient, 1.0 / k);
    if (shorter < *h && noise > 0.0)
        shorter = fmax(shorter, pow(noise / coefficient, 1.0 / (k - lag)));
    if (shorter < *h) *h = shorter;
}

// Series of one order measured alike. `part` is tolerance^(1/order).
typedef struct Family {
    int order;
    int lag;  // 1 velocities, 2 positions and works: how they follow from accelerations
    double tolerance, part;
    double h[2], last[2];              // h^order and h^(order - 1) for the h of last time
    double power[LIA_JET_ORDER_MOST];  // (0.6 h / part)^k, k = first_of() ..
} Family;

static void family_init(Family* f, int order, int lag, double tolerance, double part) {
    f->order = order, f->lag = lag;
    f->tolerance = tolerance, f->part = part;
    f->h[0] = f->h[1] = f->last[0] = f->last[1] = 0.0;
}

static int first_of(int order) { return order - order / 3; }

static void set_powers(Family* f, double h) {
    const int count = f->order / 3;
    double x = 0.6 * h / f->part, power = whole_power(x, first_of(f->order));
    for (int i = 0; i < count; i++, power *= x) f->power[i] = power;
}

// Is one of the terms |c[k]| power[k] larger than that?
static inline bool term_above(double most, const double* c, const double* power, int count) {
    LiaFourBits any = {0};
    LiaFour x, y;
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        memcpy(&x, c + k, sizeof x);
        memcpy(&y, power + k, sizeof y);
        x *= y;
        any |= (x > most) | (-x > most);
    }
    bool above = any[0] | any[1] | any[2] | any[3];
    for (; k < count; k++) above = above || fabs(c[k]) * power[k] > most;
    return above;
}

// The last two terms of a series are to be below the tolerance.
static inline void shorten_by_last(double* h, const double* c, Family* f, double scale,
                                   double noise) {
    if (!(scale > 0.0)) return;
    double allowed = f->tolerance * scale;
    for (int i = 0; i < 2; i++) {
        int k = f->order - i;
        if (c[k] == 0.0) continue;
        if (f->h[i] != *h) {
            f->h[i] = *h;
            f->last[i] = whole_power(*h, k);
        }
        if (fabs(c[k]) * f->last[i] <= allowed) continue;
        shorten_to_noise(h, allowed, noise, f->lag, fabs(c[k]), k);
    }
}

// A series with gaps (every third coefficient, say) may show zeros just there: then the terms
// before them decide, by
//   |c[k]| rho^k = scale,   h = rho * tolerance^(1/order),
// the same part of rho as for the last term.
static inline void shorten_by_gaps(double* h, const double* c, Family* f, double scale,
                                   double noise) {
    int first = first_of(f->order), count = f->order / 3 - 1;
    if (!(scale > 0.0)) return;
    double rounding = noise > 0.0 ? noise * whole_power(*h, f->lag) / f->tolerance : 0.0;
    if (rounding > scale) scale = rounding;
    if (!term_above(scale, c + first, f->power, count)) return;
    for (int i = 0; i < count; i++) {
        if (!(fabs(c[first + i]) * f->power[i] > scale)) continue;
        *h = f->part * pow(scale / fabs(c[first + i]), 1.0 / (first + i));
        set_powers(f, *h);
    }
}

// The numbers of a rotation are entire functions: their series converge however large the step,
// with terms much larger than the sum, and what is made of them (degree two) loses the square of
// that in digits. All four are measured as
// one: a step that depended on the attitude would lock in with the revolutions, visit a few
// attitudes over and over, and their roundings would add up instead of cancelling.
static void keep_digits(double* h, const LiaStep* step, uint32_t first, double tolerance) {
    const double* q[4];
    for (uint32_t i = 0; i < 4; i++) q[i] = lia_step_series(step, step->q, first + i);
    double spare = fmax(1.0, pow(LIA_DIGITS_PER_TOLERANCE * tolerance, 0.25));
    double most = LIA_DIGITS_ROTATION * spare, power = *h;
    for (int k = 1; k <= step->order; k++, power *= *h) {
        double sum = 0.0;
        for (int i = 0; i < 4; i++) sum += q[i][k] * q[i][k];
        double size = sqrt(sum);
        if (!isfinite(size)) {  // the squares are too large, the numbers need not be
            size = hypot(hypot(q[0][k], q[1][k]), hypot(q[2][k], q[3][k]));
        }
        if (!(size * power > most)) continue;
        *h = pow(most / size, 1.0 / k);
        power = whole_power(*h, k);
    }
}

// A force that does not act along its own equation may become infinite where the motion notices
// nothing (a servo that loses its hold while nothing pulls): no step beyond the radius of
// convergence of its series, which the last terms tell. Forces along their equations have the poles
// of the accelerations.
static void stay_before_pole(double* h, double reach, const double* mu, int order) {
    for (int pass = 0; pass < 40; pass++) {
        double size = 0.0, power = 1.0, rho = INFINITY;
        for (int k = 0; k <= order / 2; k++, power *= reach) size = fmax(size, fabs(mu[k]) * power);
        if (!(size > 0.0) || !isfinite(size)) return;
        for (int k = order - 2; k <= order; k++) {
            if (mu[k] != 0.0) rho = fmin(rho, pow(size / fabs(mu[k]), 1.0 / k));
        }
        if (!(rho < reach)) return;
        *h = reach = 0.7 * rho;  // the terms that tell the size are smaller there: look again
    }
}

// What rounding makes matters only where nothing else moves.
static double noise_of(const LiaScales* scales, uint32_t i) {
    if (!scales->noise) return 0.0;
    bool rest = scales->own_v[i] < LIA_NOISE_MANY * scales->noise[i] * fabs(scales->span);
    return rest ? scales->noise[i] : 0.0;
}

// A force that holds another, with this size in the step.
typedef struct HeldForce {
    LiaEntries Omega;
    const double* mu;
    double size;
    LiaEntries J;
    bool rests;  // all that it holds is at rest
} HeldForce;

// What rounding of the force makes of the acceleration by entry e.
static double noise_by(const LiaWorkspace* w, const HeldForce* f, int e) {
    double inertia = fabs(lia_workspace_inertia(w, lia_entry_column(&f->Omega, e)));
    return inertia > 0.0 ? DBL_EPSILON * fabs(f->Omega.value[e]) * f->size / inertia : 0.0;
}

// Friction acts on what moves as well: what the equation holds counts.
static bool holds_rest(const LiaWorkspace* w, const LiaScales* scales, const HeldForce* f) {
    for (int e = 0, o = 0; e < f->J.count; e++) {
        int k = lia_entry_column(&f->J, e);
        if (f->J.value[e] == 0.0) continue;
        while (o < f->Omega.count && lia_entry_column(&f->Omega, o) != k) o++;
        double noise = o < f->Omega.count ? noise_by(w, f, o) : 0.0;
        noise *= LIA_NOISE_MANY * fabs(scales->span);
        if (!scales->own_v || !(scales->own_v[w->dynamics->free[k]] < noise)) return false;
    }
    return true;
}

// The largest acceleration by a multiplier of 1, in units of the velocities in a step of h. Of what
// is at rest rounding of the forces is the velocity: that of the start, or of a push that has come
// since.
static double push_of(const LiaWorkspace* w, const LiaScales* scales, const HeldForce* f,
                      double time) {
    double push = 0.0;
    for (int e = 0; e < f->Omega.count; e++) {
        if (f->Omega.value[e] == 0.0) continue;  // most of a full row
        int k = lia_entry_column(&f->Omega, e);
        uint32_t i = w->dynamics->free[k];
        double noise = noise_of(scales, i);
        if (f->rests) noise = fmax(noise, noise_by(w, f, e));
        double inertia = fabs(lia_workspace_inertia(w, k));
        double unit = inertia * (lia_scale_v(scales, w, i) + noise * time);
        if (unit > 0.0) push = fmax(push, fabs(f->Omega.value[e]) / unit);
    }
    return push;
}

// The largest of the first terms of a series.
static double first_terms(const double* c, int order, double h) {
    double size = 0.0, power = 1.0;
    for (int k = 0; k <= order / 2; k++, power *= h) size = fmax(size, fabs(c[k]) * power);
    return size;
}

// The forces of a linkage that nears a singular configuration have a pole where the motion has
// none. In the equations of high order they swallow the coefficients of the motion, which come out
// as rounding or as zero and say nothing of the step. What is lost, relative to the velocities,
// must be less than the tolerance at its end. Beside what is at rest it is no more than rounding of
// the forces: over a shorter step these are smaller, and it is looked again.
static void keep_digits_beside_forces(double* h, const LiaWorkspace* w, int order, double tolerance,
                                      const LiaScales* scales) {
    enum { PASSES = 40 };
    const LiaDynamics* d = w->dynamics;
    const double known = fmax(tolerance, LIA_FORCE_DIGITS);
    for (int r = 0; r < w->nr; r++) {
        HeldForce f = {.Omega = lia_workspace_Omega(w, w->active[r]),
                       .J = lia_workspace_J(w, w->active[r])};
        f.mu = lia_jet_series(&w->jets, d->tape->multiplier[d->rows[w->active[r]]]);
        for (int pass = 0; pass < PASSES; pass++) {
            double before = *h, time = fmin(*h, fabs(scales->span));
            f.size = first_terms(f.mu, order - 1, time);
            f.rests = holds_rest(w, scales, &f);
            double push = push_of(w, scales, &f, time / known);
            for (int k = order - 2; k < order; k++)
                shorten(h, known, DBL_EPSILON * push * fabs(f.mu[k]) / (k + 1), k + 1);
            if (!f.rests || !(*h < before)) break;
        }
    }
}

// Is one of the terms (x[k], y[k]) power[k], k = 1 .. order, perhaps larger than that?
static inline bool pair_above(double most, const double* x, const double* y, const double* power,
                              int order) {
    LiaFourBits below = ~(LiaFourBits){0};
    LiaFour u, v, p;
    int k = 1;
    for (; k + 3 <= order; k += 4) {
        memcpy(&u, x + k, sizeof u);
        memcpy(&v, y + k, sizeof v);
        memcpy(&p, power + k, sizeof p);
        u *= p, v *= p;
        below &= u * u + v * v <= most * most;
    }
    bool all = below[0] & below[1] & below[2] & below[3];
    for (; k <= order; k++) {
        double a = x[k] * power[k], b = y[k] * power[k];
        all = all && a * a + b * b <= most * most;
    }
    return !all;
}

static void powers_of(double h, int order, double* power) {
    power[1] = h;
    for (int k = 2; k <= order; k++) power[k] = power[k - 1] * h;
}

// Sine and cosine of an angle that goes round fast are such functions too: a wheel at 300 rad/s,
// turned by an angle, with steps that something slower decides. The terms are those of a rotation
// by the same angle, squared.
static void keep_digits_of_angles(double* h, const LiaWorkspace* w, const LiaSection* section,
                                  int order, double most) {
    double powers[LIA_JET_ORDER_MOST + 1], known = NAN;  // of the h they are known for
    for (uint32_t b = 0; b < section->block_count; b++) {
        const LiaBlock* block = &section->blocks[b];
        if (block->code != LIA_CODE_SINCOS) continue;
        for (uint32_t i = block->begin; i < block->end; i++) {
            const double* x = lia_jet_series(&w->jets, section->instrs[i].out);
            const double* y = lia_jet_series(&w->jets, section->instrs[i].aux);
            if (known != *h) powers_of(known = *h, order, powers);
            if (!pair_above(most, x, y, powers, order)) continue;  // the common case, no roots
            double power = *h;
            for (int k = 1; k <= order; k++, power *= *h) {
                double size = hypot(x[k], y[k]);
                if (!(size * power > most)) continue;
                *h = pow(most / size, 1.0 / k);
                power = whole_power(*h, k);
            }
        }
    }
}

// Of works: where all that has noise is at rest.
static double noise_of_works(const LiaScales* scales, uint32_t n) {
    for (uint32_t i = 0; scales->noise && i < n; i++) {
        if (scales->noise[i] > 0.0 && noise_of(scales, i) == 0.0) return 0.0;
    }
    return scales->noise ? scales->noise_power : 0.0;
}

static void keep_digits_of_laws(double* h, const LiaWorkspace* w, const LiaStep* step,
                                const LiaScales* scales) {
    const LiaModel* model = w->system->model;
    const LiaTape* tape = w->dynamics->tape;
    for (uint32_t g = 0; g < model->groups_count; g++) {
        const LiaGroup* group = &model->groups[g];
        if (group->manifold == LIA_ROTATION) keep_digits(h, step, group->first, scales->tolerance);
    }
    keep_digits_of_angles(h, w, &tape->sections.law, step->order, scales->angle_most);
    keep_digits_of_angles(h, w, &tape->sections.drive, step->order, scales->angle_most);
    keep_digits_of_angles(h, w, &tape->sections.main, step->order, scales->angle_most);
}

// Forces of operators and of given directions may have poles.
static void stay_before_poles(double* h, const LiaWorkspace* w, int order, double span) {
    const LiaDynamics* d = w->dynamics;
    for (uint32_t c = 0; c < d->nc; c++) {
        const LiaRow* row = &w->system->rows[d->rows[c]];
        const LiaConstraint* of = &w->system->model->constraints[row->constraint];
        if (!of->active && of->rule != LIA_RULE_GIVEN) continue;
        const double* mu = lia_jet_series(&w->jets, d->tape->multiplier[d->rows[c]]);
        stay_before_pole(h, fmin(*h, fabs(span)), mu, order - 1);
    }
}

double lia_step_size(const LiaWorkspace* w, const LiaStep* step, double tolerance,
                     LiaScales* scales) {
    int order = step->order;
    assert(order >= LIA_ORDER_LEAST && tolerance > 0.0 && scales->begun);
    const LiaLive* live = &step->live;
    uint32_t n = w->system->n;
    // Works oscillate faster than the motion (products of it), but they do not feed back.
    if (scales->tolerance != tolerance) {
        scales->tolerance = tolerance;
        scales->part_v = pow(tolerance, 1.0 / order);
        scales->part_q = pow(tolerance, 1.0 / (order + 1));
        scales->part_work = pow(LIA_WORK_SLACK * tolerance, 1.0 / order);
        scales->angle_most =
            LIA_DIGITS_ANGLE * fmax(1.0, pow(LIA_DIGITS_PER_TOLERANCE * tolerance, 0.5));
    }
    Family of_v, of_q, of_work;
    family_init(&of_v, order, 1, tolerance, scales->part_v);
    family_init(&of_q, order + 1, 2, tolerance, scales->part_q);
    family_init(&of_work, order, 2, LIA_WORK_SLACK * tolerance, scales->part_work);
    double h = INFINITY, works_noise = noise_of_works(scales, n);
    for (uint32_t i = 0; i < n; i++) {
        double noise = noise_of(scales, i);
        const double* v = lia_step_series(step, step->v, i);
        if (!isfinite(v[order]) || !isfinite(v[order - 1])) return NAN;
        shorten_by_last(&h, v, &of_v, lia_scale_v(scales, w, i), noise);
        shorten_by_last(&h, lia_step_series(step, step->q, i), &of_q, lia_scale_q(scales, w, i),
                        noise);
    }
    for (uint32_t k = 0; k < live->line_count; k++) {
        const double* work = lia_step_series(step, step->work, live->lines[k]);
        if (isnan(work[order]) || isnan(work[order - 1])) return NAN;
        shorten_by_last(&h, work, &of_work, lia_scale_energy(scales), works_noise);
    }
    set_powers(&of_v, h);
    for (uint32_t i = 0; i < n; i++) {
        const double* v = lia_step_series(step, step->v, i);
        shorten_by_gaps(&h, v, &of_v, lia_scale_v(scales, w, i), noise_of(scales, i));
    }
    set_powers(&of_q, h);
    for (uint32_t i = 0; i < n; i++) {
        const double* q = lia_step_series(step, step->q, i);
        shorten_by_gaps(&h, q, &of_q, lia_scale_q(scales, w, i), noise_of(scales, i));
    }
    keep_digits_of_laws(&h, w, step, scales);
    keep_digits_beside_forces(&h, w, order, tolerance, scales);
    if (live->line_count) set_powers(&of_work, h);
    for (uint32_t k = 0; k < live->line_count; k++) {
        const double* work = lia_step_series(step, step->work, live->lines[k]);
        shorten_by_gaps(&h, work, &of_work, lia_scale_energy(scales), works_noise);
    }
    stay_before_poles(&h, w, order, scales->span);
    return h;
}
