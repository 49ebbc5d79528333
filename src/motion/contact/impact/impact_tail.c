// Where impacts accumulate the run goes on with the contact closed from the last impact on, though
// flights follow, lower than positions are rounded (collide.c). What its force and its friction do
// until these are over, impacts do as well. Couples against rolling and pivoting do not act in
// impacts: what they do in the mode with the contact closed during that time is taken back,
//
//   K0 (da, dmu) = (-Omega^T lambda (1 + dN/N), 0),   v + left da
//
// with lambda the couples; dN, what the normal force changes by it, is found by repeating it.
// SPDX-License-Identifier: MIT
#include "motion/contact/impact/impact_tail.h"
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/contacts.h"
#include "motion/events/corner.h"
#include "motion/run/step.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Does contact k close after impacts that accumulate, and turn against couples?
static bool has_tail(const LiaRunner* run, uint32_t k) {
    const LiaContacts* c = run->contacts;
    const LiaContactFormulas* of = &c->base->contacts[k];
    const LiaContactMode* mode = lia_modes_now(run);
    bool turns = false;
    if (!(c->accumulates[k] > run->w->t) || mode[k] == LIA_MODE_OPEN) return false;
    for (uint32_t b = 0; b < of->blocks; b++)
        turns |=
            of->block[b].kind != LIA_FRICTION_SLIP && mode[of->block[b].place] > LIA_MODE_STICK;
    return turns;
}

static int active_row(const LiaWorkspace* w, uint32_t row) {
    for (int r = 0; r < w->nr; r++) {
        if (w->dynamics->rows[w->active[r]] == row) return r;
    }
    return -1;
}

// Minus the couples of contact k for a normal force of 1, into `force`.           (n)
static void find_couples(const LiaRunner* run, uint32_t k, double* room, double* force) {
    const LiaContacts* c = run->contacts;
    const LiaContactFormulas* of = &c->base->contacts[k];
    const LiaContactMode* mode = lia_modes_now(run);
    size_t n = run->system->n;
    LiaContactRow rows[LIA_CONTACT_ROWS_MOST];
    LiaContactLaws laws;
    memset(room, 0, 2 * LIA_CONTACT_ROWS_MOST * n * sizeof *room);
    memset(force, 0, n * sizeof *force);
    for (int i = 0; i < LIA_CONTACT_ROWS_MOST; i++) {
        double* own = room + 2 * (size_t)i * n;
        rows[i] = (LiaContactRow){.J = own, .Omega = own + n};
    }
    lia_contact_rows_find(c->formulas, k, run->w, &laws, rows);
    int first = 1;  // after the gap
    for (uint32_t b = 0; b < of->blocks; first += (int)of->block[b++].rows) {
        const LiaFrictionFormulas* block = &of->block[b];
        double turn = 0.0;
        if (block->kind == LIA_FRICTION_SLIP || mode[block->place] <= LIA_MODE_STICK) continue;
        for (uint32_t i = 0; i < block->rows; i++) turn = hypot(turn, rows[first + (int)i].psi);
        for (uint32_t i = 0; i < block->rows && turn > 0.0; i++) {
            const LiaContactRow* row = &rows[first + (int)i];
            for (size_t x = 0; x < n; x++)
                force[x] += laws.kinetic[b] * row->psi / turn * row->Omega[x];
        }
    }
}

// The accelerations that the couples of contact k, which act no more, leave: times `left` to v.
static void take_back(LiaRunner* run, uint32_t k, double* room) {
    enum { PASSES = 8 };
    LiaWorkspace* w = run->w;
    const LiaContacts* c = run->contacts;
    double* force = room + 2 * LIA_CONTACT_ROWS_MOST * (size_t)w->n;
    double left = c->accumulates[k] - w->t, N = w->mu[c->base->contacts[k].row], more = 0.0;
    int row = active_row(w, c->base->contacts[k].row);
    find_couples(run, k, room, force);
    for (int pass = 0; pass < PASSES; pass++) {
        memset(w->b, 0, (size_t)(w->nf + w->nr) * sizeof *w->b);
        for (int f = 0; f < w->nf; f++) w->b[f] = (N + more) * force[w->dynamics->free[f]];
        lia_workspace_solve(w, w->b);
        double next = row >= 0 ? w->b[w->nf + row] : 0.0;
        if (next == more) break;
        more = next;
    }
    for (int f = 0; f < w->nf; f++) w->v[w->dynamics->free[f]] += left * w->b[f];
}

bool lia_impact_tail(LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    LiaWorkspace* w = run->w;
    size_t n = (size_t)w->n;
    double* room = NULL;
    for (uint32_t k = 0; k < c->base->contact_count; k++) {
        if (!has_tail(run, k)) continue;
        if (!room) room = lia_memory_take((2 * LIA_CONTACT_ROWS_MOST + 1) * n * sizeof *room);
        if (!room) return false;
        double before = lia_corner_energy(run, w);
        if (!lia_workspace_evaluate(w)) break;
        take_back(run, k, room);
        if (!lia_step_arrive(run, NULL, NULL)) break;
        w->work[c->base->contacts[k].constraint] += lia_corner_energy(run, w) - before;
    }
    free(room);
    return !room || lia_step_arrive(run, NULL, NULL);
}
