// What every LiaSystem keeps to: rows by constraint, lists of unknowns and rows that rise, patterns
// within their bounds, and a tape of the same counts. Asserted where a system leaves mechanics.
// SPDX-License-Identifier: MIT
#include "mechanics/system.h"

// Each is smaller than `bound`, and larger than the one before.
static bool rises(const uint32_t* list, uint32_t count, uint32_t bound) {
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] >= bound || (i > 0 && list[i] <= list[i - 1])) return false;
    }
    return true;
}

static bool rows_hold(const LiaSystem* s) {
    const LiaModel* m = s->model;
    uint32_t row = 0;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        if (s->first_row[c] != row) return false;
        for (uint32_t part = 0; part < m->constraints[c].equation_count; part++, row++) {
            const LiaRow* r = &s->rows[row];
            if (row >= s->row_count || r->constraint != c || r->part != part) return false;
            if (r->entries > s->n || !rises(r->coordinate, r->entries, s->n)) return false;
            if (r->equation.index >= s->graph->count) return false;
        }
    }
    return row == s->row_count && s->first_row[m->constraints_count] == row;
}

static bool pattern_holds(const LiaPattern* p, uint32_t rows, uint32_t columns) {
    if (p->rows != (int)rows || p->columns != (int)columns || p->start[0] != 0) return false;
    for (uint32_t i = 0; i < rows; i++) {
        if (p->start[i + 1] < p->start[i]) return false;
        for (int e = p->start[i]; e < p->start[i + 1]; e++) {
            if (p->column[e] < 0 || p->column[e] >= (int)columns) return false;
            if (e > p->start[i] && p->column[e] <= p->column[e - 1]) return false;
        }
    }
    return true;
}

static bool dynamics_hold(const LiaSystem* s, const LiaDynamics* d) {
    if (!d || !d->tape || d->tape->failed) return false;
    if (d->nf + d->drive_count != s->n || !rises(d->free, d->nf, s->n)) return false;
    if (!rises(d->rows, d->nc, s->row_count)) return false;
    for (uint32_t k = 0; k < d->drive_count; k++) {
        if (d->drives[k].coordinate >= s->n || d->drive_row[k] >= s->row_count) return false;
    }
    const LiaTape* tape = d->tape;
    if (tape->coordinate_count != s->n || tape->multiplier_count != s->row_count) return false;
    if (tape->work_count != s->line_count) return false;
    return pattern_holds(&d->M, d->nf, d->nf) && pattern_holds(&d->J, d->nc, d->nf) &&
           pattern_holds(&d->Omega, d->nc, d->nf);
}

bool lia_system_invariants_hold(const LiaSystem* s) {
    if (!s || !s->model || !s->graph || s->n != s->model->coordinates_count) return false;
    if (s->n > 0 && (!s->q || !s->v || !s->lagrange.p || !s->lagrange.dL_dq || !s->lagrange.Q))
        return false;
    if (s->line_count < s->model->constraints_count + s->model->forces_count) return false;
    return rows_hold(s) && dynamics_hold(s, s->full) && s->full->full &&
           dynamics_hold(s, s->plain) && dynamics_hold(s, s->reduced);
}
