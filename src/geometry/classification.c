// The classification: dimensions, constraints, regularity, energy. See classification.h.
// SPDX-License-Identifier: MIT
#include "geometry/classification.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/evaluation.h"
#include "geometry/judge.h"
#include "geometry/span.h"
#include "mechanics/degree/zero_dynamics.h"
#include "mechanics/regularity/regularity.h"
#include "mechanics/regularity/singular_report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MOST = 8, SAMPLES_FEW = 3 };

typedef struct Judge {
    LiaGeometry* geometry;
    const LiaSystem* system;
    LiaClassification* out;
    LiaAdmissible z;
    LiaSamples samples;
    int n, m;
    const uint32_t* row;  // rows of the full system                    (m)
    LiaExpr* left;        // d(left) of each row                        (m x n)
    LiaExpr* powers;      // of each ledger line that has no multiplier (lines)
    LiaValues values;     // of both
    double* A;            // rows gathered                              (m x n)
    double* B;            // the metric, where M is singular            (n x n)
} Judge;

// --- what the form of the equations says --------------------------------------------------------

static bool has_control(const LiaModel* model, const LiaConstraint* c) {
    for (uint32_t e = 0; e < c->equation_count; e++) {
        const LiaEquation* of = &c->equations[e];
        unsigned has = lia_model_depends(model, of->left) | lia_model_depends(model, of->right);
        if (has & LIA_DEPENDS(CONTROL)) return true;
    }
    return false;
}

static bool is_eliminated(const LiaSystem* s, uint32_t row) {
    for (uint32_t d = 0; d < s->reduced->drive_count; d++) {
        if (s->reduced->drive_row[d] == row) return true;
    }
    return false;
}

// Coordinates that a joint has for itself: as many of its equations only say where these are.
static uint32_t own_count(const LiaConstraint* c) { return c->joint ? c->joint->own : 0; }

static uint32_t own_total(const Judge* j) {
    const LiaModel* model = j->system->model;
    uint32_t count = 0;
    for (uint32_t c = 0; c < model->constraints_count; c++)
        count += own_count(&model->constraints[c]);
    return count;
}

static uint32_t without_own(uint32_t rank, const LiaConstraint* c) {
    return rank > own_count(c) ? rank - own_count(c) : 0;
}

static void read_forms(Judge* j, uint32_t c) {
    const LiaSystem* s = j->system;
    const LiaConstraint* given = &s->model->constraints[c];
    LiaConstraintClass* out = &j->out->constraints[c];
    *out = (LiaConstraintClass){.name = given->name,
                                .internal = given->internal,
                                .active = given->active || has_control(s->model, given),
                                .eliminated = given->equation_count > 0,
                                .geometric = true,
                                .equations = given->equation_count - own_count(given),
                                .holonomic = LIA_UNKNOWN,
                                .submersion = LIA_UNKNOWN,
                                .perfect = LIA_UNKNOWN,
                                .hamiltonian = LIA_UNKNOWN,
                                .H0 = LIA_YES,
                                .H = LIA_UNKNOWN,
                                .workless = true,
                                .unique = true};
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        const LiaRow* row = &s->rows[r];
        if (row->identical) continue;
        if (!row->geometric || row->levelled) out->geometric = false;
        if (!row->linear) out->linearity = LIA_NONLINEAR;
        if (!is_eliminated(s, r)) out->eliminated = false;
    }
}

// --- what samples say ---------------------------------------------------------------------------

static void gather(const Judge* j, int first, int last, const double* from, double* rows) {
    memcpy(rows, from + (size_t)first * (size_t)j->n,
           (size_t)(last - first) * (size_t)j->n * sizeof *rows);
}

// The rows of one constraint: [*first, *last).
static void rows_of(const Judge* j, uint32_t c, int* first, int* last) {
    *first = 0;
    while (*first < j->m && j->system->rows[j->row[*first]].constraint < c) ++*first;
    *last = *first;
    while (*last < j->m && j->system->rows[j->row[*last]].constraint == c) ++*last;
}

// row x is zero up to rounding, compared with the sizes of both. Velocities are looked for around 1: where nothing can
// move, what is found is their rounding.
static bool is_orthogonal(const double* row, const double* x, int n) {
    double sum = 0.0, a = 0.0, b = 0.0;
    for (int i = 0; i < n; i++) {
        sum += row[i] * x[i];
        a = fmax(a, fabs(row[i]));
        b = fmax(b, fabs(x[i]));
    }
    return fabs(sum) <= a * (LIA_IDENTITY * b + LIA_IDENTITY_LEAST);
}

// dY/dp along df: B = (F - J) M^-1 F^T must be symmetric. Unknown where M cannot be inverted.
static LiaVerdict symmetric_slope(const Judge* j, int k, const double* F, const double* J) {
    int n = j->n;
    size_t N = (size_t)n, K = (size_t)k;
    double* block = lia_memory_zeros(N * N + K * N + K * K, sizeof *block);
    if (!block) return LIA_UNKNOWN;
    double *L = block, *X = L + N * N, *B = X + K * N;
    memcpy(L, j->z.w->saddle.M, N * N * sizeof *L);
    LiaVerdict verdict = LIA_UNKNOWN;
    if (lia_dense_cholesky(n, L)) {
        double most = 0.0, away = 0.0;
        for (int b = 0; b < k; b++) {  // column b of M^-1 F^T
            double* x = X + (size_t)b * N;
            memcpy(x, F + (size_t)b * N, N * sizeof *x);
            lia_dense_forward(n, L, x);
            lia_dense_backward(n, L, x);
            for (int a = 0; a < k; a++) {
                for (int i = 0; i < n; i++) {
                    double slope = F[(size_t)a * N + (size_t)i] - J[(size_t)a * N + (size_t)i];
                    B[a * k + b] += slope * x[i];
                    most = fmax(most, fabs(slope * x[i]));
                }
            }
        }
        for (int a = 0; a < k; a++) {
            for (int b = 0; b < a; b++) away = fmax(away, fabs(B[a * k + b] - B[b * k + a]));
        }
        verdict = away <= LIA_IDENTITY * most ? LIA_YES : LIA_NO;
    }
    free(block);
    return verdict;
}

static bool same_rows(const double* A, const double* B, int count) {
    for (int i = 0; i < count; i++) {
        if (fabs(A[i] - B[i]) > LIA_IDENTITY_ROWS * (fabs(A[i]) + fabs(B[i]))) return false;
    }
    return true;
}

// M, or M + J^T J over all equations where M is singular (what has no inertia is driven or held).
static const double* metric(Judge* j) {
    const LiaWorkspace* w = j->z.w;
    size_t n = (size_t)j->n;
    memcpy(j->B, w->saddle.M, n * n * sizeof *j->B);
    if (lia_dense_cholesky(j->n, j->B)) return w->saddle.M;
    memcpy(j->B, w->saddle.M, n * n * sizeof *j->B);
    for (size_t r = 0; r < (size_t)j->m; r++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++)
                j->B[i * n + k] += w->saddle.J[r * n + i] * w->saddle.J[r * n + k];
        }
    }
    return j->B;
}

static void look_at_submersion(Judge* j, LiaConstraintClass* out, int first, int k) {
    const LiaWorkspace* w = j->z.w;
    int n = j->n;
    double *F = j->A, *J = w->saddle.J + (size_t)first * (size_t)n,
           *Omega = w->saddle.Omega + (size_t)first * (size_t)n;
    for (int i = 0; i < k * n; i++) F[i] = lia_value(&j->values, j->left[first * n + i]);
    if (lia_span_rank(k, n, F) < k) return;  // a point where the left side is no submersion
    if (!lia_span_same(k, Omega, k, F, n)) out->perfect = LIA_NO;
    bool without_velocities = same_rows(F, J, k * n);  // Y does not depend on v
    // in a large system the metric is not asked where the rows are the same
    double coupling =
        without_velocities && n > LIA_SPAN_SMALL ? 1.0 : lia_span_coupling(n, metric(j), k, J, F);
    if (isnan(coupling)) {
        if (out->H == LIA_YES) out->H = LIA_UNKNOWN;
    } else if (coupling < LIA_COUPLING_LEAST) {
        out->H = LIA_NO;
    }
    if (k > 1 && !without_velocities && out->hamiltonian != LIA_NO) {
        out->hamiltonian = symmetric_slope(j, k, F, J);
    }
}

static void look_at_constraint(Judge* j, uint32_t c) {
    const LiaWorkspace* w = j->z.w;
    LiaConstraintClass* out = &j->out->constraints[c];
    int first, last, n = j->n;
    rows_of(j, c, &first, &last);
    int k = last - first;
    if (k == 0) return;
    const double *J = w->saddle.J + (size_t)first * (size_t)n,
                 *Omega = w->saddle.Omega + (size_t)first * (size_t)n;
    if (!lia_span_same(k, J, k, Omega, n)) out->force = LIA_FORCE_GIVEN;
    if (lia_span_rank(k, n, Omega) < lia_span_rank(k, n, J)) out->H0 = LIA_NO;
    for (int r = 0; r < k; r++) {
        bool along = is_orthogonal(J + (size_t)r * (size_t)n, w->v, n);
        if (!along && out->linearity == LIA_LINEAR) out->linearity = LIA_AFFINE;
        if (!is_orthogonal(Omega + (size_t)r * (size_t)n, w->v, n)) out->workless = false;
    }
    if (out->submersion == LIA_YES) look_at_submersion(j, out, first, k);
}

// Internal rows, the lengths of quaternions, into `rows`: other rows may depend on each other only beside them.
static int gather_lengths(const Judge* j, double* rows) {
    int count = 0;
    for (int r = 0; r < j->m; r++) {
        if (!j->out->constraints[j->system->rows[j->row[r]].constraint].internal) continue;
        gather(j, r, r + 1, j->z.w->saddle.J, rows + (size_t)count++ * (size_t)j->n);
    }
    return count;
}

// Rows of Omega into A, without those of constraint `but` and of equations that follow from others and have no force.
static int gather_forces(const Judge* j, uint32_t but) {
    int count = 0;
    for (int r = 0; r < j->m; r++) {
        const LiaRow* row = &j->system->rows[j->row[r]];
        if (row->constraint == but || row->follows) continue;
        gather(j, r, r + 1, j->z.w->saddle.Omega, j->A + (size_t)count++ * (size_t)j->n);
    }
    return count;
}

// Multipliers are unique where leaving out a constraint takes as many directions from Omega as it has rows.
static void look_at_multipliers(Judge* j) {
    int forces = gather_forces(j, UINT32_MAX), all = lia_span_rank(forces, j->n, j->A);
    for (uint32_t c = 0; all < forces && c < j->out->constraint_count; c++) {
        int others = gather_forces(j, c), rest = lia_span_rank(others, j->n, j->A);
        if (all - rest < forces - others) j->out->constraints[c].unique = false;
    }
}

// Independent equations: `rank` gets those of the first c constraints, largest over the samples; `alone` those of each by
// itself.
static bool look_at_ranks(Judge* j, int* rank, int* alone, int* passive) {
    const LiaSystem* s = j->system;
    const LiaWorkspace* w = j->z.w;
    size_t n = (size_t)j->n, bytes = n * sizeof(double);
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        int first, last, lengths = gather_lengths(j, j->A);
        if (j->out->constraints[c].internal) continue;
        rows_of(j, c, &first, &last);
        double* rest = j->A + (size_t)lengths * n;
        gather(j, 0, last, w->saddle.J, rest);
        int r = lia_span_rank(lengths + last, j->n, j->A) - lengths;
        gather(j, first, last, w->saddle.J, rest);
        int own = lia_span_rank(lengths + last - first, j->n, j->A) - lengths;
        if (r + lengths < 0 || own + lengths < 0) return false;
        if (r > rank[c + 1]) rank[c + 1] = r;
        if (own > alone[c]) alone[c] = own;
    }
    // geometric, all; passive geometric, passive, forces of passive
    for (int what = 0; what < 4; what++) {
        int count = 0;
        for (int r = 0; r < j->m; r++) {
            const LiaRow* row = &s->rows[j->row[r]];
            bool active = j->out->constraints[row->constraint].active;
            bool geometric = row->geometric && !row->levelled;
            bool wanted = what == 0 ? geometric : what == 1 ? geometric && !active : !active;
            if (!wanted) continue;
            const double* from = (what == 3 ? w->saddle.Omega : w->saddle.J) + (size_t)r * n;
            memcpy(j->A + (size_t)count++ * n, from, bytes);
        }
        int r = lia_span_rank(count, j->n, j->A);
        if (r < 0) return false;
        if (r > passive[what]) passive[what] = r;
    }
    return true;
}

static void look_at_lines(Judge* j) {
    const LiaSystem* s = j->system;
    for (uint32_t l = 0; l < s->line_count; l++) {
        const LiaPowerLine* line = &s->lines[l];
        if (line->kind == LIA_LINE_CONSTRAINT || line->kind == LIA_LINE_OPERATOR) continue;
        double power = lia_value(&j->values, line->power);
        if (!(fabs(power) < LIA_LINE_FEEDS)) j->out->line_feeds[l] = true;
    }
}

static uint32_t internal_count(const Judge* j) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < j->system->model->constraints_count; c++) {
        const LiaConstraint* one = &j->system->model->constraints[c];
        count += one->internal ? one->equation_count : 0;
    }
    return count;
}

// No admissible state: what the form of equations and forces says is all there is, and no count is known.
static void leave_open(Judge* j) {
    const LiaSystem* s = j->system;
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        LiaConstraintClass* out = &j->out->constraints[c];
        out->H0 = LIA_UNKNOWN;
        if (s->model->constraints[c].rule == LIA_RULE_GIVEN) out->force = LIA_FORCE_GIVEN;
        for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
            if (s->rows[r].identical) continue;
            out->workless &= s->rows[r].workless;
            bool moves = lia_graph_node(s->graph, s->rows[r].equation)->depends & LIA_DEPENDS(TIME);
            if (moves && out->geometric) out->linearity = LIA_AFFINE;
        }
    }
    for (uint32_t l = 0; l < s->line_count; l++) {
        LiaExpr power = s->lines[l].power;
        j->out->line_feeds[l] = power.index && !lia_graph_is_zero(s->graph, power);
    }
}

static bool look(Judge* j) {
    LiaClassification* out = j->out;
    int* rank = LIA_ARENA_NEW(out->arena, int, out->constraint_count + 2);
    int* alone = LIA_ARENA_NEW(out->arena, int, out->constraint_count + 1);
    int ranks[4] = {0}, at_start = 0;
    if (!rank || !alone) return false;
    for (uint32_t k = 0; k < j->samples.count; k++) {
        lia_admissible_load(&j->z, &j->samples, k);
        const LiaWorkspace* w = j->z.w;
        LiaSymbols at = {.t = w->t, .parameters = j->system->parameters, .q = w->q, .v = w->v};
        lia_evaluate_run(&j->values, &at);
        for (uint32_t c = 0; c < out->constraint_count; c++) look_at_constraint(j, c);
        look_at_lines(j);
        if (!look_at_ranks(j, rank, alone, ranks)) return false;
        look_at_multipliers(j);
        if (k == 0) at_start = ranks[1];
    }
    for (uint32_t c = 0; c < out->constraint_count; c++) {
        if (rank[c + 1] < rank[c]) rank[c + 1] = rank[c];
        const LiaConstraint* given = &j->system->model->constraints[c];
        out->constraints[c].independent = without_own((uint32_t)(rank[c + 1] - rank[c]), given);
        out->constraints[c].alone = without_own((uint32_t)alone[c], given);
    }
    if (j->samples.count == 0) {
        leave_open(j);
        return true;
    }
    uint32_t n = j->system->n;
    out->C = out->D = 2 * n - (uint32_t)ranks[1] - (uint32_t)ranks[2];
    uint32_t own = own_total(j), inner = internal_count(j) + own;
    out->W = (uint32_t)ranks[3] > inner ? (uint32_t)ranks[3] - inner : 0;
    out->positions = n - (uint32_t)ranks[0];
    out->velocities = n - inner - ((uint32_t)rank[out->constraint_count] - own);
    out->l = (uint32_t)ranks[1] - inner;
    out->l_at_start = (uint32_t)at_start - inner;
    out->c = (uint32_t)(ranks[2] - ranks[1]);
    return true;
}

// --- the energy law -----------------------------------------------------------------------------

static const char* why(const Judge* j, const LiaPowerLine* line) {
    if (line->kind == LIA_LINE_OPERATOR) return "the operator";
    if (line->kind == LIA_LINE_FORCE) return "the applied force";
    const LiaConstraintClass* c = &j->out->constraints[line->index];
    return c->active                       ? "the active constraint"
           : c->force == LIA_FORCE_GIVEN   ? "the constraint with given force directions"
           : c->linearity == LIA_NONLINEAR ? "the nonlinear constraint"
           : c->geometric                  ? "the moving constraint"
                                           : "the affine constraint";
}

static bool tell_energy(Judge* j) {
    const LiaSystem* s = j->system;
    LiaClassification* out = j->out;
    LiaText sum = {0}, who = {0};
    for (uint32_t l = 0; l < s->line_count; l++) {
        const LiaPowerLine* line = &s->lines[l];
        bool by_constraint = line->kind == LIA_LINE_CONSTRAINT || line->kind == LIA_LINE_OPERATOR;
        if (by_constraint) out->line_feeds[l] = !out->constraints[line->index].workless;
        if (!out->line_feeds[l]) continue;
        bool minus = line->kind == LIA_LINE_TIME, first = sum.length == 0;
        lia_text_add(&sum, "%s%s",
                     first   ? "dE/dt = "
                     : minus ? " - "
                             : " + ",
                     first && minus ? "-" : "");
        if (line->kind == LIA_LINE_DISSIPATION) {
            lia_text_add(&sum, "dissipation");
            lia_text_add(&who, "%sdissipation takes it", who.length ? ", " : "");
        } else if (line->kind == LIA_LINE_TIME) {
            lia_text_add(&sum, "dL/dt");
            lia_text_add(&who, "%sthe Lagrangian depends on time", who.length ? ", " : "");
        } else {
            lia_text_add(&sum, "power(%s)", line->name);
            lia_text_add(&who, "%s%s '%s' feeds it", who.length ? ", " : "", why(j, line),
                         line->name);
        }
    }
    out->energy_conserved = sum.length == 0;
    out->energy_law =
        out->energy_conserved
            ? lia_arena_printf(
                  out->arena, "%s",
                  s->row_count
                      ? "dE/dt = 0: no force does work on an admissible state (Omega v = 0)"
                      : "dE/dt = 0: no force does work")
            : lia_arena_printf(out->arena, "%s: %s", sum.data, who.data);
    bool ok = !sum.failed && !who.failed && out->energy_law;
    lia_text_clear(&sum);
    lia_text_clear(&who);
    return ok;
}

// --- all of it ----------------------------------------------------------------------------------

static bool prepare(Judge* j) {
    const LiaSystem* s = j->system;
    LiaGeometry* y = j->geometry;
    LiaArena* arena = j->out->arena;
    size_t n = s->n, m = (size_t)j->m;
    LiaExpr* roots = LIA_ARENA_NEW(arena, LiaExpr, m * n + s->line_count + 1);
    size_t entries = m * n, square = n * n;
    j->A = LIA_ARENA_NEW(arena, double, entries + 1);
    j->B = LIA_ARENA_NEW(arena, double, square + 1);
    if (!roots || !j->A || !j->B) return false;
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
    return lia_evaluate_init(&j->values, y->graph, roots, m * n + s->line_count);
}

// The coupling number at the state in the workspace, and why it is none.
static bool couple(Judge* j, double* number, const char** why) {
    LiaWorkspace* w = j->z.w;
    lia_workspace_load(w, 1);
    lia_workspace_residuals(w);
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

static void look_at_regularity(Judge* j, double t, const double* q, const double* v) {
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
    j->out->regular = couple(j, &j->out->regularity, &j->out->uncoupled);
}

// The same on `count` admissible states at random around the start, at times of the run.
static bool look_around(Judge* j, double t, double length, const double* q, const double* v,
                        uint32_t count) {
    LiaRegularityLook* look = &j->out->look;
    LiaArena* arena = j->out->arena;
    LiaSamples states;
    size_t n = (size_t)j->n, bytes = n * sizeof(double);
    if (count == 0) return true;
    look->q = LIA_ARENA_NEW(arena, double, n + 1);
    look->v = LIA_ARENA_NEW(arena, double, n + 1);
    if (!look->q || !look->v ||
        !lia_admissible_make(&j->z, arena, t, t + length, q, v, count, &states)) {
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

static bool has_servo(const Judge* j) {
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        const LiaConstraintClass* one = &j->out->constraints[c];
        if (j->system->model->constraints[c].active && one->force == LIA_FORCE_GIVEN) return true;
    }
    return false;
}

// Operators whose force appears in a later derivative only; what servos leave free.
static bool look_at_servos(Judge* j, double t, const double* q, const double* v) {
    const LiaSystem* s = j->system;
    enum { SERVO_MOST = 40 };
    LiaEvaluation e;
    j->out->remaining = -1;
    bool servo = has_servo(j);
    if ((j->out->regular && !servo) || !q || !v || j->samples.count == 0) return true;
    bool ok = lia_evaluation_make(s, s->full, t, q, v, &e);
    for (int i = 0; ok && e.degree && i < e.degree->count; i++) {
        uint32_t c = s->rows[s->full->rows[e.degree->row[i]]].constraint;
        uint32_t shift = e.degree->shift[i] > 0 ? (uint32_t)e.degree->shift[i] : 0;
        if (shift > j->out->constraints[c].degree) j->out->constraints[c].degree = shift;
    }
    if (ok && e.solved && servo && s->n <= SERVO_MOST) {
        j->out->remaining = lia_zero_dynamics(e.w, &j->out->remaining_rate, NULL);
    }
    lia_evaluation_clear(&e);
    return ok;
}

static bool make(Judge* j, double t, const double* q, const double* v, uint32_t around) {
    const LiaSystem* s = j->system;
    LiaClassification* out = j->out;
    out->M = s->n - internal_count(j) - own_total(j);
    out->S = s->reduced->drive_count;
    out->VstarM = 2 * out->M - out->S;
    out->constraint_count = s->model->constraints_count;
    out->symmetry_count = s->model->symmetries_count;
    out->constraints = LIA_ARENA_NEW(out->arena, LiaConstraintClass, out->constraint_count + 1);
    out->symmetries = LIA_ARENA_NEW(out->arena, LiaSymmetryClass, out->symmetry_count + 1);
    out->line_feeds = LIA_ARENA_NEW(out->arena, bool, s->line_count + 1);
    double* zero = LIA_ARENA_NEW(out->arena, double, s->n + 1);
    if (!out->constraints || !out->symmetries || !out->line_feeds || !zero) return false;
    if (!lia_admissible_init(&j->z, s)) return false;
    j->n = j->z.n, j->m = j->z.m, j->row = j->z.w->dynamics->rows;
    for (uint32_t c = 0; c < out->constraint_count; c++) read_forms(j, c);
    const LiaRunStatement* run = &s->model->run;
    double length = run->given && run->t1 != run->t0 ? run->t1 - run->t0 : 1.0;
    uint32_t most = s->n <= 40 ? SAMPLES_MOST : SAMPLES_FEW;
    if (!prepare(j) || !lia_admissible_make(&j->z, out->arena, t, t + length, q ? q : zero,
                                            v ? v : zero, most, &j->samples)) {
        return false;
    }
    out->samples = j->samples.count;
    if (!lia_integrability_judge(j->geometry, &j->z, &j->samples, out->constraints)) return false;
    for (uint32_t c = 0; c < out->constraint_count; c++) {
        LiaConstraintClass* one = &out->constraints[c];
        one->force = one->linearity == LIA_NONLINEAR ? LIA_FORCE_CHETAEV : LIA_FORCE_IDEAL;
        if (one->submersion == LIA_YES) one->perfect = one->hamiltonian = one->H = LIA_YES;
    }
    if (!look(j) || !tell_energy(j)) return false;
    for (uint32_t k = 0; k < out->symmetry_count; k++) {
        if (!lia_symmetry_judge(j->geometry, &j->z, &j->samples, k, &out->symmetries[k]))
            return false;
    }
    look_at_regularity(j, t, q, v);
    return look_at_servos(j, t, q, v) &&
           look_around(j, t, length, q ? q : zero, v ? v : zero, around) && out->samples > 0;
}

bool lia_classification_make(LiaGeometry* geometry, double t, const double* q, const double* v,
                             uint32_t look, LiaClassification* out) {
    *out = (LiaClassification){.arena = lia_arena_create()};
    if (!out->arena) return false;
    Judge j = {.geometry = geometry, .system = geometry->system, .out = out};
    bool ok = make(&j, t, q, v, look);
    lia_evaluate_clear(&j.values);
    lia_admissible_clear(&j.z);
    return ok;
}

void lia_classification_clear(LiaClassification* c) {
    lia_arena_destroy(c->arena);
    *c = (LiaClassification){0};
}
