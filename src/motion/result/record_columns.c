// Columns of a result: their names, units and places.
// SPDX-License-Identifier: MIT
#include "motion/result/record.h"
#include "motion/runner.h"

typedef struct Named {
    const char *name, *key, *unit;
} Named;

static LiaColumn* add(LiaTrajectory* out, LiaColumnKind kind, Named of, uint32_t index,
                      uint32_t part) {
    LiaColumn* c = &out->columns[out->column_count++];
    *c = (LiaColumn){.kind = kind,
                     .name = of.name,
                     .key = of.key,
                     .unit = of.unit,
                     .index = index,
                     .part = part,
                     .slot = index,
                     .label = of.name};
    return c;
}

static const char* per_second(LiaArena* arena, const char* unit) {
    return unit ? lia_arena_printf(arena, "%s/s", unit) : NULL;
}

// As it was written; an angle that says none is in radians.
static const char* unit_of(const LiaCoordinate* x) {
    return x->unit ? x->unit : x->manifold == LIA_CIRCLE ? "rad" : NULL;
}

// x', r'.x for space and sphere; for a rotation R'.x, R'.y, R'.z: the angular velocity in space
// axes.
static void add_velocity(LiaRunner* run, uint32_t i) {
    LiaTrajectory* out = run->out;
    const LiaModel* m = run->model;
    const LiaCoordinate* x = &m->coordinates[i];
    const char* unit = per_second(out->arena, unit_of(x));
    if (!x->group) {
        const char* name = lia_arena_printf(out->arena, "%s'", x->name);
        add(out, LIA_COLUMN_VELOCITY, (Named){name, name, unit}, i, 0);
        return;
    }
    const LiaGroup* group = &m->groups[x->group - 1];
    uint32_t at = i - group->first;
    bool turns = group->manifold == LIA_ROTATION;
    if (turns && at == 0) return;  // four numbers, but three velocities
    const char* name =
        lia_arena_printf(out->arena, "%s'.%c", group->name, turns ? "wxyz"[at] : "xyz"[at]);
    add(out, LIA_COLUMN_VELOCITY, (Named){name, name, turns ? "rad/s" : unit}, i, turns ? at : 0);
}

// Positions, then velocities; the inner ones are there for who goes on from here, and are not
// shown.
static void add_state(LiaRunner* run, bool inner) {
    LiaTrajectory* out = run->out;
    const LiaModel* m = run->model;
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* x = &m->coordinates[i];
        if (x->inner == inner)
            add(out, LIA_COLUMN_POSITION, (Named){x->name, x->name, unit_of(x)}, i, 0);
    }
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        if (m->coordinates[i].inner == inner) add_velocity(run, i);
    }
}

static void add_forces(LiaRunner* run) {
    const LiaModel* m = run->model;
    const LiaSystem* s = run->system;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        if (m->constraints[c].internal) continue;
        for (uint32_t part = 0; part < m->constraints[c].equation_count; part++) {
            if (s->rows[s->first_row[c] + part].follows) continue;
            const char* name = s->graph->names[LIA_SYMBOL_MULTIPLIER][s->first_row[c] + part];
            add(run->out, LIA_COLUMN_FORCE,
                (Named){name, m->constraints[c].name, m->constraints[c].force_unit}, c, part);
        }
    }
}

static void add_plots(LiaRunner* run) {
    const LiaModel* m = run->model;
    uint32_t curve = 0;
    for (uint32_t p = 0; p < m->pictures.plots_count; p++) {
        const LiaPlot* plot = &m->pictures.plots[p];
        for (uint32_t c = 0; c <= plot->count; c++) {
            if (c == 0 && !plot->x.term.index) continue;
            const char* label = c ? plot->curves[c - 1].label : plot->x.label;
            const char* unit = c ? plot->curves[c - 1].unit : plot->x.unit;
            add(run->out, LIA_COLUMN_PLOT, (Named){label, label, unit}, p, c)->slot =
                lia_sample_curve(m, curve++);
        }
    }
}

bool lia_record_columns(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    const LiaModel* m = run->model;
    const LiaSystem* s = run->system;
    LiaArena* arena = out->arena;
    size_t most = 1 + 2 * (size_t)s->n + 3 + m->observes_count + s->row_count + s->line_count;
    for (uint32_t p = 0; p < m->pictures.plots_count; p++) most += m->pictures.plots[p].count + 1;
    most += m->symmetries_count + s->line_count;
    out->columns = LIA_ARENA_NEW(arena, LiaColumn, most + 1);
    if (!out->columns) return false;
    add(out, LIA_COLUMN_TIME, (Named){"t", "t", "s"}, 0, 0);
    add_state(run, false);
    const char* joule = m->joules ? "J" : NULL;
    add(out, LIA_COLUMN_OBSERVE, (Named){"energy", "energy", joule}, LIA_SAMPLE_ENERGY, 0);
    if (s->energy.has_kinetic)
        add(out, LIA_COLUMN_OBSERVE, (Named){"kinetic", "kinetic", joule}, LIA_SAMPLE_KINETIC, 0);
    if (s->energy.has_potential)
        add(out, LIA_COLUMN_OBSERVE, (Named){"potential", "potential", joule}, LIA_SAMPLE_POTENTIAL,
            0);
    for (uint32_t i = 0; i < m->observes_count; i++) {
        add(out, LIA_COLUMN_OBSERVE,
            (Named){m->observes[i].name, m->observes[i].name, m->observes[i].unit},
            lia_sample_observe(m, i), 0);
    }
    add_forces(run);
    uint32_t power = (uint32_t)out->column_count;  // works stand in the same order
    for (uint32_t l = 0; l < s->line_count; l++) {
        if (lia_system_line_internal(s, l)) continue;
        const char* name = lia_arena_printf(arena, "power(%s)", s->lines[l].name);
        add(out, LIA_COLUMN_POWER, (Named){name, s->lines[l].name, m->joules ? "W" : NULL}, l, 0);
    }
    out->csv_count = out->column_count;
    add_plots(run);
    for (uint32_t i = 0; i < m->symmetries_count; i++) {
        const char* name = lia_arena_printf(arena, m->phase.is ? "casimir(%s)" : "momentum(%s)",
                                            m->symmetries[i].name);
        add(out, LIA_COLUMN_MOMENTUM, (Named){name, m->symmetries[i].name, NULL}, i, 0)->slot =
            LIA_SAMPLE_MOMENTA + i;
    }
    for (uint32_t l = 0; l < s->line_count; l++) {
        if (lia_system_line_internal(s, l)) continue;
        const char* name = lia_arena_printf(arena, "work(%s)", s->lines[l].name);
        add(out, LIA_COLUMN_WORK, (Named){name, s->lines[l].name, joule}, l, 0)->slot = power++;
    }
    add_state(run, true);
    out->final.values = LIA_ARENA_NEW(arena, double, out->column_count + 1);
    out->final.shared = LIA_ARENA_NEW(arena, bool, out->column_count + 1);
    run->samples.row_other = LIA_ARENA_NEW(arena, double, out->column_count + 1);
    run->samples.row_shared = LIA_ARENA_NEW(arena, bool, out->column_count + 1);
    run->samples.from = LIA_ARENA_NEW(arena, const double*, out->column_count + 1);
    return out->final.values && out->final.shared && run->samples.row_other &&
           run->samples.row_shared && run->samples.from;
}
