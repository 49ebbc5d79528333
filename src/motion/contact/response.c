// How touching contacts answer forces: W = J K^-1 Omega^T, with all constraints that hold both ways,
// kinematic and driven ones too, kept (delassus.h). J and Omega of the contacts are those of the mode
// in which all of them stick; K is that of the mode in which all contacts are open.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/kkt/stage.h"
#include "motion/contact/contacts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(LiaResponse* r, size_t contacts, size_t rows, size_t n) {
    size_t doubles = rows * rows + 6 * rows + 2 * rows * n + n;
    size_t bytes = doubles * sizeof(double) + contacts * sizeof *r->contact +
                   (rows + contacts) * sizeof(uint32_t);
    r->block = lia_memory_zeros(bytes + 1, 1);
    if (!r->block) return false;
    double* x = r->block;
    r->W = x, x += rows * rows;
    r->acceleration = x, x += rows;
    r->velocity = x, x += rows;
    r->slip = x, x += rows;
    r->noise_a = x, x += rows;
    r->noise_v = x, x += rows;
    r->driven = x, x += rows;
    r->Omega = x, x += rows * n;
    r->answer = x, x += rows * n;
    r->free = x, x += n;
    r->contact = (LiaContactRows*)x;
    r->row = (uint32_t*)(r->contact + contacts);
    r->touching = r->row + rows;
    return true;
}

void lia_response_clear(LiaResponse* r) {
    free(r->block);
    *r = (LiaResponse){0};
}

// Coefficients of the laws at the state.
static bool take_laws(LiaRunner* run, LiaResponse* r, int count) {
    const LiaSystem* s = run->contacts->base;
    const LiaWorkspace* w = run->w;
    LiaExpr* roots = lia_memory_zeros(3 * (size_t)count + 1, sizeof *roots);
    LiaValues values;
    for (int k = 0; roots && k < count; k++) {
        const LiaContactFormulas* c = &s->contacts[r->touching[k]];
        roots[3 * k] = c->restitution;
        roots[3 * k + 1] = c->friction;
        roots[3 * k + 2] = c->friction_static;
    }
    bool good = roots && lia_evaluate_init(&values, s->graph, roots, 3 * (size_t)count);
    if (good) {
        LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = w->v};
        lia_evaluate_run(&values, &at);
        for (int k = 0; k < count; k++) {
            LiaContactRows* rows = &r->contact[k];
            bool quiet = run->contacts->quiet[r->touching[k]];
            double e = quiet ? 0.0 : lia_value(&values, roots[3 * k]);
            rows->restitution = fmin(fmax(e, 0.0), 1.0);
            double kinetic = fmax(lia_value(&values, roots[3 * k + 1]), 0.0);
            double most = lia_value(&values, roots[3 * k + 2]);
            rows->block[0].kinetic = kinetic;
            rows->block[0].static_most = fmax(most, kinetic);
        }
        lia_evaluate_clear(&values);
    }
    free(roots);
    return good;
}

static int row_of(const LiaWorkspace* w, uint32_t row) {
    for (int c = 0; c < w->nc; c++) {
        if (w->dynamics->rows[c] == row) return c;
    }
    return -1;
}

static double product(const LiaWorkspace* w, const LiaEntries* J, const double* x, double* size) {
    double sum = 0.0;
    for (int k = 0; k < J->count; k++) {
        double term = J->value[k] * x[w->dynamics->free[lia_entry_column(J, k)]];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

// Column j of W, and the accelerations it is made of.
static void answer_force(const LiaWorkspace* open, const LiaWorkspace* probe, LiaResponse* r,
                         int j) {
    size_t n = (size_t)open->n;
    int rows = r->at_rest.rows;
    double *b = open->b, *answer = r->answer + (size_t)j * n;
    memset(b, 0, (size_t)(open->nf + open->nr) * sizeof *b);
    for (size_t i = 0; i < n; i++) b[i] = r->Omega[(size_t)j * n + i];
    lia_workspace_solve(open, b);
    memcpy(answer, b, n * sizeof *b);
    for (int i = 0; i < rows; i++) {
        LiaEntries J = lia_workspace_J(probe, row_of(probe, r->row[i]));
        double size = 0.0;
        r->W[i * rows + j] = product(probe, &J, answer, &size);
    }
}

// Free terms of row i, their rounding, and its force direction.
static void take_row(const LiaRunner* run, const LiaWorkspace* open, const LiaWorkspace* probe,
                     LiaResponse* r, int i) {
    int c = row_of(probe, r->row[i]);
    size_t n = (size_t)open->n;
    LiaEntries J = lia_workspace_J(probe, c), Omega = lia_workspace_Omega(probe, c);
    double size_a = fabs(probe->gamma[c]), size_v = 0.0;
    r->acceleration[i] = probe->gamma[c] + product(probe, &J, open->a, &size_a);
    double moved = product(probe, &J, open->v, &size_v);
    r->velocity[i] = probe->psi[c];
    r->driven[i] = probe->psi[c] - moved;
    r->noise_a[i] = LIA_CONTACT_ROUNDING * size_a;
    for (int k = 0; k < J.count; k++) {
        uint32_t x = probe->dynamics->free[lia_entry_column(&J, k)];
        double slow = (fabs(open->q[x]) + lia_scale_q(&run->scales, run->w, x)) / run->span;
        size_v += fabs(J.value[k]) * fmax(lia_scale_v(&run->scales, run->w, x), slow);
    }
    r->noise_v[i] = LIA_CONTACT_ROUNDING * (size_v + fabs(r->driven[i]));
    for (int k = 0; k < Omega.count; k++)
        r->Omega[(size_t)i * n + probe->dynamics->free[lia_entry_column(&Omega, k)]] =
            Omega.value[k];
}

static LiaResponseFound evaluate(LiaRunner* run, const LiaContactMode* stick, LiaResponse* r) {
    LiaModeRoom *free_room = lia_modes_open(run), *room = lia_modes_room(run, stick);
    LiaWorkspace* open = room && free_room ? lia_modes_probe(run, free_room) : NULL;
    LiaWorkspace* probe = open ? lia_modes_probe(run, room) : NULL;
    if (!probe) return LIA_RESPONSE_NO_MEMORY;
    lia_workspace_load(open, 1);
    lia_workspace_residuals(open);
    if (!lia_workspace_factor(open)) return LIA_RESPONSE_SINGULAR;
    lia_stage_accelerate(open);
    lia_workspace_load(probe, 1);
    lia_workspace_residuals(probe);
    lia_workspace_matrices(probe);
    lia_stage_gamma(probe);
    memcpy(r->free, open->a, (size_t)open->n * sizeof(double));
    for (int i = 0; i < r->at_rest.rows; i++) take_row(run, open, probe, r, i);
    for (int j = 0; j < r->at_rest.rows; j++) answer_force(open, probe, r, j);
    for (int i = 0; i < r->at_rest.rows * r->at_rest.rows; i++) {
        if (!isfinite(r->W[i])) return LIA_RESPONSE_SINGULAR;
    }
    return LIA_RESPONSE_FOUND;
}

LiaResponseFound lia_response_make(LiaRunner* run, const bool* touches, LiaResponse* r) {
    const LiaSystem* s = run->contacts->base;
    LiaContactMode* stick = run->contacts->trial;
    int count = 0, rows = 0;
    *r = (LiaResponse){0};
    memcpy(stick, run->contacts->open, lia_system_mode_count(s) * sizeof *stick);
    for (uint32_t k = 0; k < s->contact_count; k++) {
        stick[k] = !touches[k]            ? LIA_MODE_OPEN
                   : s->contacts[k].slips ? LIA_MODE_STICK
                                          : LIA_MODE_CLOSED;
        if (!touches[k]) continue;
        count++;
        rows += 1 + (int)s->contacts[k].slips;
    }
    if (!make_room(r, (size_t)count, (size_t)rows, s->n)) return LIA_RESPONSE_NO_MEMORY;
    count = rows = 0;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        if (!touches[k]) continue;
        const LiaContactFormulas* c = &s->contacts[k];
        r->touching[count] = k;
        r->contact[count++] =
            (LiaContactRows){.normal = rows,
                             .blocks = c->slips > 0,
                             .block = {{.row = rows + 1, .dimension = (int)c->slips}}};
        for (uint32_t i = 0; i <= c->slips; i++) r->row[rows++] = c->row + i;
    }
    r->at_rest = (LiaDelassus){.contacts = count,
                               .rows = rows,
                               .contact = r->contact,
                               .W = r->W,
                               .b = r->acceleration,
                               .slip = r->slip,
                               .noise = r->noise_a};
    r->at_impact = r->at_rest;
    r->at_impact.b = r->velocity;
    r->at_impact.noise = r->noise_v;
    if (!take_laws(run, r, count)) return LIA_RESPONSE_NO_MEMORY;
    LiaResponseFound found = evaluate(run, stick, r);
    // what rests does not slip
    for (int i = 0; i < rows; i++)
        r->slip[i] = fabs(r->velocity[i]) > r->noise_v[i] ? r->velocity[i] : 0.0;
    return found;
}
