// Why K0 is singular: the equations that cannot be kept, the forces that do not reach them, what
// they move instead.
//
//   K0 (a, mu) = 0:   M a = Omega^T mu, J a = 0     forces mu that move a and nothing the equations
//                                                   ask for
//   (x, nu) K0 = 0:   nu: what is asked for in vain, or follows from the rest
//
// SPDX-License-Identifier: MIT
#include "mechanics/regularity/singular_report.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// K0 of all rows, its rows of size 1: numbers of different units side by side.
static void make_K0(const LiaWorkspace* w, double* K) {
    int nf = w->nf, nc = w->nc, N = nf + nc;
    for (int i = 0; i < nf; i++) {
        LiaEntries M = lia_workspace_M(w, i);
        for (int k = 0; k < M.count; k++) K[i * N + lia_entry_column(&M, k)] = M.value[k];
    }
    for (int c = 0; c < nc; c++) {
        LiaEntries J = lia_workspace_J(w, c), Omega = lia_workspace_Omega(w, c);
        for (int k = 0; k < J.count; k++) K[(nf + c) * N + lia_entry_column(&J, k)] = J.value[k];
        for (int k = 0; k < Omega.count; k++) {
            K[lia_entry_column(&Omega, k) * N + nf + c] = -Omega.value[k];
        }
    }
    for (int i = 0; i < N; i++) {
        double most = 0.0;
        for (int k = 0; k < N; k++) most = fmax(most, fabs(K[i * N + k]));
        for (int k = 0; k < N && most > 0.0; k++) K[i * N + k] /= most;
    }
}

// Entries [from, to) of the last column of V that count among themselves; `floor`: and at all.
static bool counts(const double* V, int N, int from, int to, int i, double floor) {
    double most = 0.0;
    for (int k = from; k < to; k++) most = fmax(most, fabs(V[k * N + N - 1]));
    return most > floor && fabs(V[i * N + N - 1]) >= LIA_SHARE_NAMED * most;
}

static void add_constraints(const LiaWorkspace* w, const double* V, double floor, LiaText* names,
                            LiaSpan* span) {
    int nf = w->nf, N = nf + w->nc;
    uint32_t last = UINT32_MAX;
    for (int c = 0; c < w->nc; c++) {
        const LiaRow* row = &w->system->rows[w->dynamics->rows[c]];
        if (row->constraint == last || !counts(V, N, nf, N, nf + c, floor)) continue;
        last = row->constraint;
        if (w->system->model->constraints[last].internal) continue;
        if (!names->length && span) *span = row->span;
        lia_text_add(names, "%s'%s'", names->length ? ", " : "",
                     w->system->model->constraints[last].name);
    }
}

// " along x' = 2, y' = -1", where more than one coordinate moves; the smallest is 1.
static void add_direction(const LiaWorkspace* w, const double* V, LiaText* out) {
    int nf = w->nf, N = nf + w->nc, moving = 0;
    double least = INFINITY, sign = 0.0;
    for (int i = 0; i < nf; i++) {
        double x = V[i * N + N - 1];
        if (!counts(V, N, 0, nf, i, LIA_SHARE_NONE)) continue;
        if (w->system->model->coordinates[w->dynamics->free[i]].inner) continue;
        moving++;
        if (sign == 0.0) sign = x < 0.0 ? -1.0 : 1.0;
        least = fmin(least, fabs(x));
    }
    if (moving < 2) return;
    for (int i = 0; i < nf; i++) {
        const LiaCoordinate* x = &w->system->model->coordinates[w->dynamics->free[i]];
        if (x->inner || !counts(V, N, 0, nf, i, LIA_SHARE_NONE)) continue;
        lia_text_add(out, "%s%s' = ", out->length ? ", " : " along ", x->name);
        lia_text_add_short(out, sign * V[i * N + N - 1] / least, 4);
    }
}

// What a coordinate that is not shown stands for.
static const char* place_of(const LiaModel* model, uint32_t coordinate) {
    for (uint32_t k = 0; k < model->contact_points_count; k++) {
        const LiaContactPoint* foot = &model->contact_points[k];
        if (foot->nearest && foot->first == coordinate) return "the place on a curve";
    }
    return "the place where two shapes touch";
}

// The free body whose place a coordinate is, where that has no inertia; NULL: none.
static const char* massless(const LiaWorkspace* w, int i) {
    const LiaModel* model = w->system->model;
    uint32_t coordinate = w->dynamics->free[i];
    for (uint32_t b = 0; b < model->pictures.bodies_count; b++) {
        const LiaBody* body = &model->pictures.bodies[b];
        if (!body->free || !body->position[0].index) continue;
        uint32_t first = lia_graph_node(model->graph, body->position[0])->a;
        if (coordinate < first || coordinate > first + 2) continue;
        return lia_workspace_inertia(w, i) == 0.0 ? body->name : NULL;
    }
    return NULL;
}

// How much coordinate i moves in what nothing resists: in all of it, where that is more than one
// motion.
static double moves(const double* V, int N, int rank, int i) {
    double sum = V[i * N + N - 1] * V[i * N + N - 1];
    for (int k = rank; k < N - 1; k++) sum += V[i * N + k] * V[i * N + k];
    return sqrt(sum);
}

// What moves: coordinates and the direction they go in, or, where that moves most, the place of a
// contact.
static void add_motion(const LiaWorkspace* w, const double* V, LiaSingularReport* out) {
    const LiaModel* model = w->system->model;
    int nf = w->nf, N = nf + w->nc, rank = out->rank;
    bool place = false;
    double most = 0.0;
    for (int i = 0; i < nf; i++) {
        if (!(moves(V, N, rank, i) > most)) continue;
        most = moves(V, N, rank, i);
        place = model->coordinates[w->dynamics->free[i]].inner;
    }
    for (int i = 0; i < nf && most > LIA_SHARE_NONE; i++) {
        const LiaCoordinate* x = &model->coordinates[w->dynamics->free[i]];
        if (x->inner != place || !(moves(V, N, rank, i) >= LIA_SHARE_NAMED * most)) continue;
        bool first = !out->motion.length;
        if (!out->equations.length && first) out->span = x->span;
        if (place && !first) continue;
        const char* body = massless(w, i);
        out->massless = first || out->massless == body ? body : NULL;
        lia_text_add(&out->motion, "%s%s", out->motion.length ? ", " : "",
                     place ? place_of(model, w->dynamics->free[i]) : x->name);
    }
    if (!place && rank >= N - 1) add_direction(w, V, &out->direction);
}

bool lia_singular_report(const LiaWorkspace* w, LiaSingularReport* out) {
    int nf = w->nf, nc = w->nc, N = nf + nc;
    size_t size = (size_t)N * (size_t)N;
    *out = (LiaSingularReport){.size = N};
    double* K = lia_memory_zeros(3 * size + (size_t)N + lia_dense_svd_work(N, N) + 1, sizeof *K);
    if (!K) return false;
    double *T = K + size, *V = T + size, *sv = V + size, *scratch = sv + N;
    make_K0(w, K);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) T[i * N + k] = K[k * N + i];
    }
    lia_dense_svd(N, N, T,
                  (LiaSvd){.s = sv, .V = V, .work = scratch});  // from the left: the equations
    while (out->rank < N && sv[out->rank] > LIA_K0_RANK * sv[0]) out->rank++;
    out->margin = N > 0 && sv[0] > 0.0 ? sv[N - 1] / sv[0] : 0.0;
    add_constraints(w, V, LIA_SHARE_OF_EQUATIONS, &out->equations, &out->span);
    lia_dense_svd(N, N, K,
                  (LiaSvd){.s = sv, .V = V, .work = scratch});  // from the right: motion and forces
    add_motion(w, V, out);
    add_constraints(w, V, LIA_SHARE_NONE, &out->forces, NULL);
    free(K);
    return true;
}

void lia_singular_report_clear(LiaSingularReport* u) {
    lia_text_clear(&u->equations);
    lia_text_clear(&u->forces);
    lia_text_clear(&u->motion);
    lia_text_clear(&u->direction);
}

void lia_singular_report_say(const LiaSingularReport* u, LiaText* out) {
    if (u->equations.length && u->motion.length) {
        lia_text_add(
            out, "the force of %s moves %s, and what %s %s for is not coupled to that by inertia",
            u->forces.length ? u->forces.data : "the constraints", u->motion.data,
            u->equations.data, strchr(u->equations.data, ',') ? "ask" : "asks");
    } else if (u->equations.length) {
        lia_text_add(out, "the equations of %s depend on each other and ask for different things",
                     u->equations.data);
    } else {
        lia_text_add(out, "nothing resists a motion of %s%s: ",
                     u->motion.length ? u->motion.data : "the system",
                     u->direction.length ? u->direction.data : "");
        if (u->massless) {
            lia_text_add(out, "the body '%s' has no mass, and is neither driven nor held",
                         u->massless);
        } else {
            lia_text_add(out, "no inertia there, and neither driven nor held");
        }
    }
}
