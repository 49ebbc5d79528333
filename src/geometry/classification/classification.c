// The classification: what its parts find, put together; regularity and servos. See
// classification.h.
// SPDX-License-Identifier: MIT
#include "geometry/classification/classification.h"
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include "geometry/evaluation.h"
#include "geometry/phase_space/base.h"
#include "geometry/sides.h"
#include "mechanics/degree/zero_dynamics.h"
#include "mechanics/regularity/regularity.h"
#include "mechanics/regularity/singular_report.h"
#include <math.h>
#include <string.h>

enum { SAMPLES_MOST = 8, SAMPLES_FEW = 3 };

static bool look(LiaJudge* j) {
    LiaClassification* out = j->out;
    LiaCounts counts;
    j->gives = LIA_ARENA_NEW(out->arena, bool, out->constraint_count + 1);
    j->takes = LIA_ARENA_NEW(out->arena, bool, out->constraint_count + 1);
    j->acts = LIA_ARENA_NEW(out->arena, bool, out->constraint_count + 1);
    j->powers_known = true;
    out->ideal_together = j->operators_ideal = true;
    j->pushes = LIA_ARENA_NEW(out->arena, bool, j->system->line_count + 1);
    if (!j->gives || !j->takes || !j->acts || !j->pushes || !lia_counts_init(j, &counts))
        return false;
    for (uint32_t k = 0; k < j->samples.count; k++) {
        lia_admissible_load(&j->z, &j->samples, k);
        LiaWorkspace* w = j->z.w;
        LiaSymbols at = {.t = w->t, .parameters = j->system->parameters, .q = w->q, .v = w->v};
        j->solved = lia_reactions_solve(&j->reactions, w);
        lia_evaluate_run(&j->values, &at);
        lia_sizes_run(&j->values, &(LiaSymbols){.q = j->reactions.q, .v = j->reactions.v}, j->size);
        for (uint32_t c = 0; c < out->constraint_count; c++) lia_kinds_look(j, c);
        lia_kinds_look_together(j);
        if (!lia_counts_look(j, &counts)) return false;
        if (k == 0) counts.at_start = counts.passive_geometric;
        lia_energy_law_look(j);
    }
    lia_counts_take(j, &counts);
    if (j->samples.count == 0) lia_kinds_leave_open(j);
    return true;
}

// --- all of it ----------------------------------------------------------------------------------

static bool prepare(LiaJudge* j) {
    const LiaSystem* s = j->system;
    LiaGeometry* y = j->geometry;
    LiaArena* arena = j->out->arena;
    size_t n = s->n, m = (size_t)j->m;
    LiaExpr* roots = LIA_ARENA_NEW(arena, LiaExpr, m * n + s->line_count + 2 * n + 1);
    size_t entries = m * n, square = n * n;
    j->A = LIA_ARENA_NEW(arena, double, 2 * entries + 1);
    j->A2 = LIA_ARENA_NEW(arena, double, entries + 1);
    j->B = LIA_ARENA_NEW(arena, double, square + 1);
    if (!roots || !j->A || !j->A2 || !j->B) return false;
    j->left = roots;
    for (size_t r = 0; r < m; r++) {
        LiaExpr left = s->rows[j->row[r]].left;
        bool has_v = (lia_graph_node(y->graph, left)->depends & LIA_DEPENDS(VELOCITY)) != 0;
        if (!lia_diff_gradient(y->graph, left, has_v ? s->v : s->q, n, roots + r * n)) return false;
    }
    for (uint32_t l = 0; l < s->line_count; l++) {
        bool multiplier =
            s->lines[l].kind == LIA_LINE_CONSTRAINT || s->lines[l].kind == LIA_LINE_OPERATOR;
        if (!multiplier) roots[m * n + l] = s->lines[l].power;
    }
    LiaExpr* forces = roots + m * n + s->line_count;
    for (size_t i = 0; i < n; i++)
        forces[2 * i] = s->lagrange.dL_dq[i], forces[2 * i + 1] = s->lagrange.Q[i];
    if (!lia_evaluate_init(&j->values, y->graph, roots, m * n + s->line_count + 2 * n))
        return false;
    j->size = LIA_ARENA_NEW(arena, double, j->values.size + 1);
    return j->size && lia_reactions_init(&j->reactions, &j->z);
}

// The coupling number at the state in the workspace, and why it is none.
static bool couple(LiaJudge* j, double* number, const char** why) {
    LiaWorkspace* w = j->z.w;
    lia_workspace_update(w, 1);
    bool solvable = lia_workspace_factor(w);
    *number = lia_regularity(w);
    bool regular = solvable && (isnan(*number) || *number > LIA_COUPLING_ROUNDING);
    *why = NULL;
    LiaSingularReport u;
    LiaText text = {0};
    if (regular || !lia_singular_report(w, &u)) return regular;
    lia_singular_report_say(&u, &text);
    *why = lia_arena_text(j->out->arena, text.data ? text.data : "", text.length);
    lia_text_clear(&text);
    lia_singular_report_clear(&u);
    return regular;
}

static void look_at_regularity(LiaJudge* j, double t, const double* q, const double* v) {
    LiaWorkspace* w = j->z.w;
    if (j->samples.count == 0) {
        j->out->regularity = NAN;
        return;
    }
    lia_admissible_load(&j->z, &j->samples, 0);
    if (q && v) {
        w->t = t;
        memcpy(w->q, q, (size_t)j->n * sizeof(double));
        memcpy(w->v, v, (size_t)j->n * sizeof(double));
    }
    j->out->regular = couple(j, &j->out->regularity, &j->out->uncoupled) && !j->out->look.vanishing;
}

// The same on `count` admissible states at random around the start, at times of the run.
static bool look_around(LiaJudge* j, double t, double length, const double* q, const double* v,
                        uint32_t count) {
    LiaRegularityLook* look = &j->out->look;
    LiaArena* arena = j->out->arena;
    LiaSamples states;
    size_t n = (size_t)j->n, bytes = n * sizeof(double);
    if (count == 0) return true;
    look->q = LIA_ARENA_NEW(arena, double, n + 1);
    look->v = LIA_ARENA_NEW(arena, double, n + 1);
    if (!look->q || !look->v ||
        !lia_admissible_make(&j->z, arena, (LiaAround){t, t + length, q, v}, count, &states)) {
        return false;
    }
    look->count = states.count;
    look->least = INFINITY;
    for (uint32_t k = 0; k < states.count; k++) {
        double number;
        const char* why;
        lia_admissible_load(&j->z, &states, k);
        if (!couple(j, &number, &why)) look->failed++;
        if (!(number < look->least)) continue;
        look->least = number;
        look->uncoupled = why;
        look->t = states.t[k];
        memcpy(look->q, states.q + k * n, bytes);
        memcpy(look->v, states.v + k * n, bytes);
    }
    return true;
}

static bool has_servo(const LiaJudge* j) {
    if (j->operators_ideal || j->out->ideal_together) return false;
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        const LiaConstraintClass* one = &j->out->constraints[c];
        if (j->system->model->constraints[c].active && one->force == LIA_FORCE_GIVEN) return true;
    }
    return false;
}

// Operators whose force appears in a later derivative only; what servos leave free.
static bool look_at_servos(LiaJudge* j, double t, const double* q, const double* v) {
    const LiaSystem* s = j->system;
    enum { SERVO_MOST = 40 };
    LiaEvaluation e;
    j->out->servo.remaining = -1;
    bool servo = has_servo(j);
    if ((j->out->regular && !servo) || !q || !v || j->samples.count == 0) return true;
    bool ok = lia_evaluation_make(s, s->full, t, q, v, &e);
    for (int i = 0; ok && e.degree && i < e.degree->count; i++) {
        uint32_t c = s->rows[s->full->rows[e.degree->row[i]]].constraint;
        uint32_t shift = e.degree->shift[i] > 0 ? (uint32_t)e.degree->shift[i] : 0;
        if (shift > j->out->constraints[c].degree) j->out->constraints[c].degree = shift;
    }
    if (ok && e.solved && servo && s->n <= SERVO_MOST) {
        j->out->servo.remaining = lia_zero_dynamics(e.w, &j->out->servo.rate);
        j->out->servo.steady = lia_steady_find(e.w);
        if (j->out->servo.steady == LIA_STEADY_NOT) j->out->servo.rate = NAN;
    }
    // the states that hidden equations exclude
    uint32_t left = j->out->positions + j->out->velocities;
    if (j->out->servo.remaining >= 0 && (uint32_t)j->out->servo.remaining < left) {
        j->out->hidden = left - (uint32_t)j->out->servo.remaining;
    }
    lia_evaluation_clear(&e);
    return ok;
}

static bool choose_base(LiaJudge* j, const bool* chosen) {
    LiaClassification* out = j->out;
    out->base = LIA_ARENA_NEW(out->arena, uint32_t, j->system->row_count + 1);
    if (!out->base) return false;
    out->base_count = lia_base_rows(j->geometry, out->constraints, chosen, out->base);
    return true;
}

static bool all_ideal(const LiaJudge* j) {
    bool ideal = true;
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        LiaForceSpace force = j->out->constraints[c].force;
        ideal &= force == LIA_FORCE_IDEAL || (force == LIA_FORCE_GIVEN && j->out->ideal_together);
    }
    return ideal;
}

static bool make(LiaJudge* j, double t, const double* q, const double* v,
                 const LiaClassificationAsk* ask) {
    const LiaSystem* s = j->system;
    LiaClassification* out = j->out;
    out->dimensions.M = s->n - lia_counts_internal(j) - lia_counts_own(j);
    out->constraint_count = s->model->constraints_count;
    out->symmetry_count = s->model->symmetries_count;
    out->constraints = LIA_ARENA_NEW(out->arena, LiaConstraintClass, out->constraint_count + 1);
    out->symmetries = LIA_ARENA_NEW(out->arena, LiaSymmetryClass, out->symmetry_count + 1);
    out->line_feeds = LIA_ARENA_NEW(out->arena, bool, s->line_count + 1);
    double* zero = LIA_ARENA_NEW(out->arena, double, s->n + 1);
    if (!out->constraints || !out->symmetries || !out->line_feeds || !zero) return false;
    if (!lia_admissible_init(&j->z, s)) return false;
    j->n = j->z.n, j->m = j->z.m, j->row = j->z.w->dynamics->rows;
    for (uint32_t c = 0; c < out->constraint_count; c++) lia_kinds_read(j, c);
    const LiaRunStatement* run = &s->model->run;
    double length = run->given && run->t1 != run->t0 ? run->t1 - run->t0 : 1.0;
    uint32_t most = s->n <= 40 ? SAMPLES_MOST : SAMPLES_FEW;
    LiaAround around = {t, t + length, q ? q : zero, v ? v : zero};
    if (!prepare(j) || !lia_admissible_make(&j->z, out->arena, around, most, &j->samples) ||
        !lia_sides_add(j->geometry, &j->z, out->arena, around, most, &j->samples)) {
        return false;
    }
    out->samples = j->samples.count;
    out->corners = (LiaCornerLook){j->samples.corners, j->samples.one_sided};
    j->has_start = q && j->samples.given;
    if (!lia_vanishing_find(j) || !lia_integrability_judge(j, &j->samples)) return false;
    for (uint32_t c = 0; c < out->constraint_count; c++) {
        LiaConstraintClass* one = &out->constraints[c];
        one->force = one->linearity == LIA_NONLINEAR ? LIA_FORCE_CHETAEV : LIA_FORCE_IDEAL;
        if (one->submersion == LIA_YES) one->perfect = one->hamiltonian = one->H = LIA_YES;
    }
    if (!choose_base(j, ask->base)) return false;
    if (!look(j) || !lia_one_system_look(j) || !lia_energy_law_say(j)) return false;
    if (!lia_pseudo_poisson_make(j->geometry, &j->samples, all_ideal(j), out->arena,
                                 &out->flag.bracket)) {
        return false;
    }
    if (!lia_symmetry_judge(j) || !lia_moment_map_make(j, t, q ? q : zero, v ? v : zero) ||
        !lia_search_make(j, t, length, q ? q : zero, v ? v : zero)) {
        return false;
    }
    look_at_regularity(j, t, q, v);
    return look_at_servos(j, t, q, v) &&
           look_around(j, t, length, q ? q : zero, v ? v : zero, ask->look) && out->samples > 0;
}

bool lia_classification_make(LiaGeometry* geometry, double t, const double* q, const double* v,
                             const LiaClassificationAsk* ask, LiaClassification* out) {
    *out = (LiaClassification){.arena = lia_arena_create()};
    if (!out->arena) return false;
    LiaJudge j = {.geometry = geometry, .system = geometry->system, .out = out};
    const LiaClassificationAsk nothing = {0};
    bool ok = make(&j, t, q, v, ask ? ask : &nothing);
    lia_evaluate_clear(&j.values);
    lia_reactions_clear(&j.reactions);
    lia_admissible_clear(&j.z);
    return ok;
}

void lia_classification_clear(LiaClassification* c) {
    lia_arena_destroy(c->arena);
    *c = (LiaClassification){0};
}
