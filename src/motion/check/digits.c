// How many digits of the motion and of the forces the equations determine: looked at at the start,
// at the end and where the coupling number is. See mechanics/kkt/forward_error.h.
// SPDX-License-Identifier: MIT
#include "motion/check/digits.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "motion/check/formula_rounding.h"
#include "motion/check/noise.h"
#include "motion/runner.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Half of the digits of a number, or the tolerance where that is coarser: with fewer than that a
// number has to be doubted.
static double doubtful(const LiaRunner* run) { return fmax(LIA_DIGITS_DOUBTFUL, run->tolerance); }

// --- looks --------------------------------------------------------------------------------------

// The largest error, when it was, and the largest size: own, or that by which the matrix alone
// explains the error.
static void note(LiaDoubt* doubt, double error, double value, double growth, double t) {
    double natural = error / (DBL_EPSILON * growth);
    if (!isfinite(error)) return;
    if (error > doubt->error) doubt->error = error, doubt->t = t;
    doubt->size = lia_larger(doubt->size, fabs(value));
    doubt->size = lia_larger(doubt->size, natural);
}

// Of a large system: the worst unknown; all others are better relative to their natural size.
static void look_at_largest(LiaRunner* run, LiaWorkspace* w) {
    LiaDigits* digits = &run->checks.digits;
    const LiaDynamics* d = w->dynamics;
    LiaLargestGrowth g = lia_forward_error_largest(w, NULL);
    if (g.unknown < 0) return;
    double others = fmin(DBL_EPSILON * g.growth, 1.0);
    digits->looks++;
    digits->others = lia_larger(digits->others, others);
    if (others <= doubtful(run)) return;
    g = lia_forward_error_largest(w, lia_noise_sizes(run->checks.noise, run, w, w->mu));
    if (g.unknown < 0) return;
    if (g.unknown < w->nf) {
        uint32_t i = d->free[g.unknown];
        note(&digits->a[i], g.error, w->a[i], g.growth, w->t);
    } else {
        uint32_t row = d->rows[w->active[g.unknown - w->nf]];
        if (w->unique[row]) note(&digits->mu[row], g.error, w->mu[row], g.growth, w->t);
    }
}

// Of each unknown. False where nothing can be said.
static bool look_at_each(LiaRunner* run, LiaWorkspace* w) {
    LiaDigits* digits = &run->checks.digits;
    LiaForwardError* c = &digits->certainty;
    const LiaDynamics* d = w->dynamics;
    if (!lia_forward_error_look(c, w, lia_noise_sizes(run->checks.noise, run, w, w->mu)))
        return false;
    digits->looks++;
    for (int k = 0; k < w->nf; k++) {
        uint32_t i = d->free[k];
        note(&digits->a[i], c->a[k], w->a[i], c->growth[k], w->t);
        note(&digits->q[i], c->q[k], w->q[i], INFINITY, w->t);
        note(&digits->v[i], c->v[k], w->v[i], INFINITY, w->t);
    }
    for (int r = 0; r < w->nr; r++) {
        uint32_t row = d->rows[w->active[r]];
        if (w->unique[row])
            note(&digits->mu[row], c->mu[r], w->mu[row], c->growth[w->nf + r], w->t);
    }
    return true;
}

void lia_digits_look(LiaRunner* run, LiaWorkspace* w) {
    LiaDigits* digits = &run->checks.digits;
    const LiaDynamics* d = w->dynamics;
    if (!w->forces.method->bounded) return;
    if (!digits->certainty.block) {
        look_at_largest(run, w);
    } else if (!look_at_each(run, w)) {
        return;
    }
    LiaNearRow near = lia_forward_error_left_out(w);
    if (near.row < 0 || !(near.distance > digits->distance)) return;
    digits->distance = near.distance;
    digits->left_out_t = w->t;
    digits->left_out = d->rows[near.row];
    digits->same = d->rows[near.same >= 0 ? near.same : near.row];
}

// --- what is said -------------------------------------------------------------------------------

static double part_of(const LiaDoubt* doubt) {
    return doubt->size > 0.0 ? fmin(doubt->error / doubt->size, 1.0) : 0.0;
}

double lia_digits_known(double doubt) {
    if (isnan(doubt)) return NAN;
    return doubt > 0.0 ? fmax(fmin(floor(-log10(doubt)), DBL_DIG), 0.0) : DBL_DIG;
}

// Positions and velocities that equations hold are measured by what is met in their family along
// the run.
static void measure_state(LiaRunner* run) {
    LiaDigits* digits = &run->checks.digits;
    for (uint32_t i = 0; i < run->system->n; i++) {
        double q = lia_scale_q(&run->scales, run->w, i), v = lia_scale_v(&run->scales, run->w, i);
        digits->q[i].size = lia_larger(digits->q[i].size, q);
        digits->v[i].size = lia_larger(digits->v[i].size, v);
    }
}

// The motion of coordinate i: how it accelerates, and where the equations hold it.
static const LiaDoubt* worst_of(const LiaDigits* digits, uint32_t i) {
    const LiaDoubt* worst = &digits->a[i];
    if (part_of(&digits->q[i]) > part_of(worst)) worst = &digits->q[i];
    if (part_of(&digits->v[i]) > part_of(worst)) worst = &digits->v[i];
    return worst;
}

static const char* coordinate_name(const LiaModel* m, uint32_t i) {
    uint32_t group = m->coordinates[i].group;
    return group ? m->groups[group - 1].name : m->coordinates[i].name;
}

typedef struct Names {  // of those that are about as bad as the worst
    char text[160];
    const char* last;
    int count;
} Names;

static void add_name(Names* names, const char* name) {
    enum { NAMES_MOST = 3 };
    if (names->last && strcmp(names->last, name) == 0) return;
    names->last = name;
    if (names->count++ >= NAMES_MOST) return;
    size_t used = strlen(names->text);
    snprintf(names->text + used, sizeof names->text - used, "%s'%.40s'", used ? ", " : "", name);
}

// What loses no more than a hundredth of what the worst loses is not named with it.
static bool as_bad(double part, double worst) { return part >= LIA_DIGITS_NAMED * worst; }

static void tell_forces(LiaRunner* run, double worst, uint32_t row) {
    const LiaSystem* s = run->system;
    const LiaDigits* digits = &run->checks.digits;
    Names names = {0};
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaConstraint* of = &run->model->constraints[s->rows[r].constraint];
        if (!of->internal && as_bad(part_of(&digits->mu[r]), worst)) add_name(&names, of->name);
    }
    bool several = names.count > 1;
    lia_diag_warning(run->diags, s->rows[row].span, "W0416",
                     "the force%s of %s%s %s determined to %d digits only, at t = %.10g",
                     several ? "s" : "", names.text, names.count > 3 ? " and others" : "",
                     several ? "are" : "is", (int)lia_digits_known(worst), digits->mu[row].t);
    lia_diag_help(run->diags, several
                                  ? "their equations are nearly dependent: rounding decides who "
                                    "of them pulls"
                                  : "what it acts on is nearly determined without it");
}

static void tell_motion(LiaRunner* run, double worst, uint32_t i) {
    const LiaModel* m = run->model;
    const LiaDigits* digits = &run->checks.digits;
    Names names = {0};
    for (uint32_t k = 0; k < m->coordinates_count; k++) {
        if (as_bad(part_of(worst_of(digits, k)), worst)) add_name(&names, coordinate_name(m, k));
    }
    lia_diag_warning(run->diags, m->coordinates[i].span, "W0417",
                     "the motion of %s%s is determined to %d digits only, at t = %.10g", names.text,
                     names.count > 3 ? " and others" : "", (int)lia_digits_known(worst),
                     worst_of(digits, i)->t);
    lia_diag_help(run->diags, run->w->nc
                                  ? "inertia and equations together hardly tell some motions "
                                    "apart: rounding decides between them"
                                  : "the inertia of some motion is next to nothing relative "
                                    "to its parts: rounding is as large");
}

static const LiaConstraint* constraint_of(const LiaRunner* run, size_t row) {
    return &run->model->constraints[run->system->rows[row].constraint];
}

// Its force, and that of the one it is nearly the same as, are shared by rounding; the motion that
// it alone forbids goes on.
static void tell_left_out(LiaRunner* run) {
    const LiaDigits* digits = &run->checks.digits;
    LiaTrajectory* out = run->out;
    const char* name = constraint_of(run, digits->left_out)->name;
    const char* other = constraint_of(run, digits->same)->name;
    char who[120];
    bool same = digits->same != digits->left_out;
    snprintf(who, sizeof who,
             same ? "'%.40s' and '%.40s' are nearly the same equation"
                  : "'%.40s' nearly follows from other equations",
             same ? other : name, name);
    lia_diag_warning(run->diags, run->system->rows[digits->left_out].span, "W0418",
                     "%s at t = %.10g, they differ by %.1g of their size: it is taken to follow",
                     who, digits->left_out_t, digits->distance);
    lia_diag_help(run->diags,
                  "what '%s' asks for beyond the other is not kept, and no digit of "
                  "their forces is known",
                  name);
    out->doubt = 1.0;
    for (size_t c = 0; c < out->constraints.count; c++) {
        const char* of = out->constraints.list[c].name;
        if (of == name || of == other) out->constraints.list[c].doubt = 1.0;
    }
}

void lia_digits_make(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    const LiaSystem* s = run->system;
    const LiaDigits* digits = &run->checks.digits;
    out->doubt = NAN;
    for (size_t c = 0; c < out->constraints.count; c++) out->constraints.list[c].doubt = NAN;
    if (!digits->looks || out->status == LIA_FAILED) return;
    measure_state(run);
    double motion = 0.0, force = 0.0;
    uint32_t worst_i = 0, worst_row = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        double part = part_of(worst_of(digits, i));
        if (part > motion) motion = part, worst_i = i;
    }
    // Of a large system the others are known to be better than the worst, or nothing is known of
    // them.
    double others = digits->others > doubtful(run) ? NAN : digits->others;
    out->doubt = motion > doubtful(run) ? motion : lia_larger(motion, others);
    if (isnan(others) && !(motion > doubtful(run))) out->doubt = NAN;
    size_t report = 0;
    for (uint32_t c = 0; c < run->model->constraints_count; c++) {
        if (run->model->constraints[c].internal) continue;
        LiaConstraintReport* of = &out->constraints.list[report++];
        double most = of->eliminated ? motion : 0.0;  // made of accelerations
        for (uint32_t k = 0; k < of->equations; k++) {
            uint32_t row = s->first_row[c] + k;
            double part = part_of(&digits->mu[row]);
            if (part > force) force = part, worst_row = row;
            most = lia_larger(most, part);
        }
        if (most <= doubtful(run)) most = isnan(others) ? NAN : lia_larger(most, others);
        of->doubt = of->unique ? most : NAN;
    }
    double formulas = lia_formula_rounding_tell(run, doubtful(run));
    if (formulas > doubtful(run) || !isnan(out->doubt))
        out->doubt = lia_larger(formulas, out->doubt);
    if (motion > doubtful(run)) tell_motion(run, motion, worst_i);
    if (force > doubtful(run)) tell_forces(run, force, worst_row);
    bool steady = s->row_count > 0 && s->rows[digits->left_out].steady;
    if (digits->distance > (steady ? LIA_STEADY_FOLLOWS : LIA_LEFT_OUT_FOLLOWS)) tell_left_out(run);
}
