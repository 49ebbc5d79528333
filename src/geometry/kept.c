// What a motion keeps that nobody named. See kept.h.
// SPDX-License-Identifier: MIT
#include "geometry/kept.h"
#include "base/memory/call.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/formula_text.h"
#include "geometry/classification/judge.h"
#include "geometry/integrability/flag.h"
#include "lang/model.h"
#include <math.h>
#include <string.h>

enum {
    // nodes of formulas times generators: beyond it finding costs more than setting up
    COST_MOST = 8000,
    SAMPLES_MOST = 64,  // of the motion that are looked at
    FLAG_MOST = 5,      // coordinates, where kinematic equations are asked what they keep
};

typedef struct Kept {
    const LiaSystem* s;
    LiaTrajectory* motion;
    LiaJudge j;
    LiaClassification classes;
    LiaGeometry* y;
    double t, *q, *v;   // a sample of the motion                       (n)
    LiaExpr* function;  // what is kept                               (count)
    const char** name;
    uint32_t count, room;
} Kept;

// The state at a sample of the motion; of rotations it has omega.
static void load(Kept* k, size_t row) {
    const LiaTrajectory* motion = k->motion;
    const LiaModel* model = motion->model;
    const double* values = row < motion->rows.count
                               ? motion->rows.values + row * motion->column_count
                               : motion->final.values;
    k->t = values[0];
    for (size_t c = 0; c < motion->column_count; c++) {
        const LiaColumn* column = &motion->columns[c];
        if (column->kind == LIA_COLUMN_POSITION) k->q[column->index] = values[c];
        if (column->kind == LIA_COLUMN_VELOCITY) k->v[column->index] = values[c];
    }
    for (uint32_t g = 0; g < model->groups_count; g++) {
        const LiaGroup* group = &model->groups[g];
        if (group->manifold != LIA_ROTATION) continue;
        double omega[3];
        memcpy(omega, k->v + group->first + 1, sizeof omega);
        lia_quaternion_rate(k->q + group->first, omega, k->v + group->first);
    }
}

// --- what there is -----------------------------------------------------------------------------

static bool take(Kept* k, LiaExpr function, LiaText* name) {
    LiaTrajectory* motion = k->motion;
    if (name->failed || !name->data || k->count == k->room) return !name->failed;
    for (size_t i = 0; i < motion->conserved.count; i++) {
        if (strcmp(motion->conserved.list[i].name, name->data) == 0) return true;
    }
    const char* copy = lia_arena_text(motion->arena, name->data, name->length);
    k->function[k->count] = function;
    k->name[k->count++] = copy;
    return copy != NULL;
}

static bool take_list(Kept* k, const LiaFoundList* list) {
    LiaGraph* g = k->y->graph;
    bool ok = true;
    for (uint32_t i = 0; ok && i < list->count; i++) {
        const LiaFound* f = &list->found[i];
        LiaText name = {0};
        if (f->declared || f->empty || !f->momentum.index) continue;
        lia_text_add(&name, f->energy != 0.0 ? "energy + momentum(" : "momentum(");
        lia_search_text(&k->classes.search, f->c, &name);
        lia_text_add(&name, ")");
        LiaExpr function =
            f->energy != 0.0 ? lia_graph_add(g, k->s->energy.total, f->momentum) : f->momentum;
        ok = take(k, function, &name);
        lia_text_clear(&name);
    }
    return ok;
}

static bool take_integrals(Kept* k) {
    const LiaFlag* flag = &k->classes.flag;
    bool ok = true;
    for (uint32_t c = 0; ok && c < flag->combinations; c++) {
        LiaText name = {0};
        if (!flag->integral[c].index) continue;
        lia_formula_text(k->y->graph, flag->integral[c], &name);
        ok = take(k, flag->integral[c], &name);
        lia_text_clear(&name);
    }
    return ok;
}

// Kinematic equations whose functions may have a formula: of attitudes there is none.
static bool has_kinematic(const LiaSystem* s) {
    bool open = false;
    if (s->n > FLAG_MOST) return false;
    for (uint32_t c = 0; c < s->model->groups_count; c++) {
        if (s->model->groups[c].manifold != LIA_SPACE) return false;
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        if (!s->rows[r].identical && !s->rows[r].linear) return false;
        bool geometric = s->rows[r].geometric && !s->rows[r].integrated;
        open |= !s->rows[r].identical && !geometric;
    }
    return open;
}

static bool find(Kept* k) {
    LiaArena* arena = k->classes.arena;
    double length = k->motion->final.values[0] - k->t;
    k->room = LIA_CANDIDATES_MOST + k->s->row_count;
    k->function = LIA_ARENA_NEW(arena, LiaExpr, k->room + 1);
    k->name = LIA_ARENA_NEW(arena, const char*, k->room + 1);
    k->j = (LiaJudge){.geometry = k->y, .system = k->s, .out = &k->classes, .constants = true};
    if (!k->function || !k->name || !lia_admissible_init(&k->j.z, k->s)) return false;
    k->j.n = k->j.z.n, k->j.m = k->j.z.m, k->j.row = k->j.z.w->dynamics->rows;
    k->j.samples.count = 1;  // the motion is one
    if (!lia_search_make(&k->j, k->t, length != 0.0 ? length : 1.0, k->q, k->v)) return false;
    const LiaSearch* found = &k->classes.search;
    if (!take_list(k, &found->moving) || !take_list(k, &found->constant)) return false;
    if (!has_kinematic(k->s)) return true;
    LiaSamples places;
    LiaAround around = {k->t, k->t + length, k->q, k->v};
    return lia_admissible_make(&k->j.z, arena, around, 4, &places) &&
           lia_flag_make(k->y, &places, (LiaFlagAsk){0}, arena, &k->classes.flag) &&
           lia_integrals_find(k->y, arena, &k->classes.flag) && take_integrals(k);
}

// --- what the motion does ----------------------------------------------------------------------

typedef struct Course {
    double first, last, away;
    double most, size;  // largest value, and largest of its terms
} Course;

// Values along the motion.
static bool follow(Kept* k, Course* course) {
    LiaValues values;
    double* size = NULL;
    size_t rows = k->motion->rows.count, step = rows / SAMPLES_MOST + 1;
    if (!lia_evaluate_init(&values, k->y->graph, k->function, k->count)) return false;
    size = LIA_ARENA_NEW(k->classes.arena, double, values.size + 1);
    for (size_t row = 0; size && row <= rows; row = row == rows         ? rows + 1
                                                    : row + step < rows ? row + step
                                                                        : rows) {
        load(k, row);
        LiaSymbols at = {.t = k->t, .parameters = k->s->parameters, .q = k->q, .v = k->v};
        lia_evaluate_run(&values, &at);
        lia_sizes_run(&values, &(LiaSymbols){0}, size);
        for (uint32_t i = 0; i < k->count; i++) {
            double x = lia_value(&values, k->function[i]);
            if (row == 0) course[i] = (Course){.first = x};
            course[i].last = x;
            course[i].away = fmax(course[i].away, fabs(x - course[i].first));
            course[i].most = fmax(course[i].most, fabs(x));
            course[i].size = fmax(course[i].size, size[k->function[i].index]);
            if (!isfinite(x)) course[i].away = INFINITY;
        }
    }
    lia_evaluate_clear(&values);
    return size != NULL;
}

static bool report(Kept* k) {
    LiaTrajectory* motion = k->motion;
    LiaConservedList* to = &motion->conserved;
    Course* course = LIA_ARENA_NEW(k->classes.arena, Course, k->count + 1);
    LiaConserved* list = LIA_ARENA_NEW(motion->arena, LiaConserved, to->count + k->count + 1);
    if (!course || !list || !follow(k, course)) return false;
    if (to->count) memcpy(list, to->list, to->count * sizeof *list);
    to->list = list;
    for (uint32_t i = 0; i < k->count; i++) {
        bool nothing = course[i].most <= LIA_IDENTITY * course[i].size;  // of terms that cancel
        double scale = nothing ? course[i].size : course[i].most;
        double drift = course[i].away / (scale > 0.0 ? scale : 1.0);
        double allowed = fmax(LIA_DRIFT_TOLERANCES * motion->effort.tolerance, LIA_DRIFT_LEAST);
        if (!(drift <= fmin(allowed, LIA_DRIFT_MOST))) continue;
        list[to->count++] = (LiaConserved){.name = k->name[i],
                                           .value = course[i].last,
                                           .drift = drift,
                                           .rounding = fmax(LIA_SUMMARY_ROUNDING, drift) * scale};
    }
    return true;
}

// About how many generators there are; admissible places cost as much again where geometric
// equations restrict them.
static size_t cost_of(const LiaSystem* s) {
    size_t generators = s->n + s->model->symmetries_count, geometric = 0;
    for (uint32_t c = 0; c < s->model->groups_count; c++)
        generators += s->model->groups[c].manifold == LIA_SPHERE ? 0 : 2;
    for (uint32_t r = 0; r < s->row_count; r++)
        geometric |= s->rows[r].geometric && !s->model->constraints[s->rows[r].constraint].internal;
    return (size_t)s->graph->count * generators * (1 + geometric);
}

static bool is_asked(const LiaTrajectory* motion) {
    const LiaSystem* s = motion->system;
    return !s->phase.flow && s->contact_count == 0 && s->n > 0 && motion->rows.count > 0 &&
           cost_of(s) <= COST_MOST;
}

LiaStatus lia_kept_find(LiaTrajectory* motion) {
    if (!motion) return LIA_ARGUMENT;
    if (!is_asked(motion)) return LIA_OK;
    const LiaSystem* system = motion->system;
    LiaCall call = lia_call_begin(NULL);
    Kept k = {.s = system, .motion = motion, .classes = {.arena = lia_arena_create()}};
    k.y = k.classes.arena ? lia_geometry_create(system) : NULL;
    if (k.y) {
        k.q = LIA_ARENA_NEW(k.classes.arena, double, system->n + 1);
        k.v = LIA_ARENA_NEW(k.classes.arena, double, system->n + 1);
    }
    bool ok = k.q && k.v;
    if (ok) load(&k, 0);
    if (ok && find(&k) && k.count > 0) report(&k);
    lia_admissible_clear(&k.j.z);
    lia_geometry_destroy(k.y);
    lia_arena_destroy(k.classes.arena);
    return lia_call_end(&call);
}
