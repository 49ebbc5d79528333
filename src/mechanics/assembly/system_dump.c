// A system as text: formulas, rows, tape.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "expr/reading/formula_text.h"
#include "mechanics/system.h"
#include <stdlib.h>
#include <string.h>

static void formula(const LiaSystem* s, const char* name, LiaExpr e, LiaText* out) {
    lia_text_add(out, "%s = ", name);
    lia_formula_text(s->graph, e, out);
    lia_text_add(out, "\n");
}

// "blade", of several equations "blade[2]".
static const char* row_name(const LiaSystem* s, uint32_t r) {
    const LiaRow* row = &s->rows[r];
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    bool one = s->first_row[row->constraint + 1] - s->first_row[row->constraint] == 1;
    return one ? c->name : lia_arena_printf(s->arena, "%s[%u]", c->name, row->part + 1);
}

static const char* row_kind(const LiaSystem* s, uint32_t r) {
    return s->model->constraints[s->rows[r].constraint].active ? "operator" : "constraint";
}

static void dump_expr(const LiaSystem* s, LiaText* out) {
    uint32_t count = 2 + 3 * s->n;
    for (uint32_t r = 0; r < s->row_count; r++) count += 1 + s->rows[r].entries;
    LiaExpr* roots = lia_memory_zeros(count, sizeof *roots);
    const char** names = lia_memory_zeros(count, sizeof *names);
    if (roots && names) {
        uint32_t k = 0;
        roots[k] = s->energy.lagrangian, names[k++] = "L";
        roots[k] = s->energy.total, names[k++] = "energy";
        for (uint32_t i = 0; i < s->n; i++) {
            const char* x = s->model->coordinates[i].name;
            roots[k] = s->lagrange.p[i], names[k++] = lia_arena_printf(s->arena, "p(%s)", x);
            roots[k] = s->lagrange.dL_dq[i], names[k++] = lia_arena_printf(s->arena, "dL/d(%s)", x);
            roots[k] = s->lagrange.Q[i], names[k++] = lia_arena_printf(s->arena, "Q(%s)", x);
        }
        for (uint32_t r = 0; r < s->row_count; r++) {
            const LiaRow* row = &s->rows[r];
            const char* name = row_name(s, r);
            if (row->identical) continue;
            roots[k] = row->equation;
            names[k++] = lia_arena_printf(s->arena, "%s %s: %s", row_kind(s, r), name,
                                          row->geometric ? "phi" : "psi");
            for (uint32_t e = 0; e < row->entries; e++) {
                const char* x = s->model->coordinates[row->coordinate[e]].name;
                roots[k] = row->Omega[e];
                names[k++] = lia_arena_printf(s->arena, "Omega(%s, %s)", name, x);
            }
        }
        lia_assignments_text(s->graph, roots, names, k, out);
    }
    free(roots);
    free((void*)names);
}

static void dump_row(const LiaSystem* s, uint32_t r, LiaText* out) {
    const LiaRow* row = &s->rows[r];
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    lia_text_add(out, "%s %s: %s%s%s%s\n", row_kind(s, r), row_name(s, r),
                 row->identical   ? "holds identically"
                 : row->geometric ? "geometric"
                                  : "kinematic",
                 row->identical || row->linear ? "" : ", nonlinear",
                 row->workless ? ", does no work" : "",
                 c->rule == LIA_RULE_GIVEN ? ", force directions given" : "");
    if (row->identical) return;
    lia_text_add(out, "  ");
    formula(s, row->geometric ? "phi" : "psi", row->equation, out);
    for (uint32_t e = 0; e < row->entries; e++) {
        lia_text_add(out, "  Omega(%s) = ", s->model->coordinates[row->coordinate[e]].name);
        lia_formula_text(s->graph, row->Omega[e], out);
        lia_text_add(out, "\n");
    }
}

static void dump_mechanics(const LiaSystem* s, LiaText* out) {
    formula(s, "L", s->energy.lagrangian, out);
    formula(s, "energy", s->energy.total, out);
    for (uint32_t i = 0; i < s->n; i++) {
        lia_text_add(out, "p(%s) = ", s->model->coordinates[i].name);
        lia_formula_text(s->graph, s->lagrange.p[i], out);
        lia_text_add(out, "\n");
    }
    for (uint32_t r = 0; r < s->row_count; r++) dump_row(s, r, out);
    for (uint32_t l = 0; l < s->line_count; l++) {
        if (s->lines[l].part) continue;
        lia_text_add(out, "power(%s) = ", s->lines[l].name);
        lia_formula_text(s->graph, s->lines[l].power, out);
        lia_text_add(out, "\n");
    }
    const LiaDynamics* d = s->reduced;
    lia_text_add(out, "unknown:");
    for (uint32_t i = 0; i < d->nf; i++)
        lia_text_add(out, " %s", s->model->coordinates[d->free[i]].name);
    lia_text_add(out, "\n");
    for (uint32_t k = 0; k < d->drive_count; k++) {
        const LiaDrive* drive = &d->drives[k];
        lia_text_add(out, "driven: %s%s = ", s->model->coordinates[drive->coordinate].name,
                     drive->rate ? "'" : "");
        lia_formula_text(s->graph, drive->law, out);
        lia_text_add(out, "\n");
    }
    lia_text_add(out, "K0: %u x %u (%u accelerations, %u multipliers)\n", d->nf + d->nc,
                 d->nf + d->nc, d->nf, d->nc);
}

// The tape, and whose its registers are.
static void dump_tape(const LiaSystem* s, LiaText* out) {
    const LiaDynamics* d = s->reduced;
    const LiaTape* tape = d->tape;
    lia_listing_tape(tape, out);
    for (uint32_t i = 0; i < s->n; i++) {
        lia_text_add(out, "coordinate %s: q%u in r%u\n", s->model->coordinates[i].name, i,
                     tape->position[i]);
    }
    for (uint32_t c = 0; c < d->nc; c++) {
        uint32_t r = d->rows[c];
        lia_text_add(out, "%s %s: equation in r%u, multiplier mu%u in r%u\n", row_kind(s, r),
                     row_name(s, r), d->equation[c], r, tape->multiplier[r]);
    }
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t r = d->drive_row[k];
        lia_text_add(out, "%s %s: law of q%u in r%u, multiplier mu%u in r%u\n", row_kind(s, r),
                     row_name(s, r), d->drives[k].coordinate, tape->drive_register[k], r,
                     tape->multiplier[r]);
    }
}

bool lia_system_dump(const LiaSystem* s, const char* stage, LiaText* out) {
    if (strcmp(stage, "expr") == 0) {
        dump_expr(s, out);
    } else if (strcmp(stage, "mechanics") == 0) {
        dump_mechanics(s, out);
    } else if (strcmp(stage, "tape") == 0) {
        dump_tape(s, out);
    } else {
        return false;
    }
    return true;
}
