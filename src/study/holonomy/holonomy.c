// What a loop of the operators leaves behind. See holonomy.h.
// SPDX-License-Identifier: MIT
#include "study/holonomy/holonomy.h"
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "geometry/admissible.h"
#include "mechanics/start/start.h"
#include "study/holonomy/holonomy_base.h"
#include "study/holonomy/holonomy_group.h"
#include "study/holonomy/loop.h"
#include "study/holonomy/momentum_equation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const LiaSpan nowhere = {0};
static const LiaHolonomyOptions no_options;

// --- attitudes as what they are -----------------------------------------------------------------

// conj(a) b: the rotation from a to b, in the body axes of a.
static void find_turn(const double* a, const double* b, LiaHolonomyTurn* turn) {
    double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double u[3] = {a[0] * b[1] - b[0] * a[1] - (a[2] * b[3] - a[3] * b[2]),
                   a[0] * b[2] - b[0] * a[2] - (a[3] * b[1] - a[1] * b[3]),
                   a[0] * b[3] - b[0] * a[3] - (a[1] * b[2] - a[2] * b[1])};
    double size = hypot(hypot(u[0], u[1]), u[2]), sign = w < 0.0 ? -1.0 : 1.0;
    double angle = 2.0 * atan2(size, fabs(w));
    turn->angle = angle;
    for (int k = 0; k < 3; k++) turn->vector[k] = size > 0.0 ? sign * angle * u[k] / size : 0.0;
}

static void find_turns(LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    const LiaModel* model = h->system->model;
    for (uint32_t g = 0; g < model->groups_count; g++) {
        const LiaGroup* group = &model->groups[g];
        if (group->manifold != LIA_ROTATION || w->x.driven[group->first]) continue;
        LiaHolonomyTurn* turn = &h->turns[h->turn_count++];
        turn->name = group->name;
        find_turn(w->q0 + group->first, w->q1 + group->first, turn);
    }
}

// --- line and area ------------------------------------------------------------------------------

static const char* no_area(const LiaHolonomyWork* w, bool winds) {
    const LiaHolonomy* h = w->h;
    const LiaSystem* s = h->system;
    if (h->base_count != 2) return "the base has not two coordinates";
    if (winds) return "the loop winds round the base: it has no inside";
    for (size_t i = 0; i < h->count; i++) {
        LiaManifold kind = s->model->coordinates[h->fibre[i]].manifold;
        if (kind == LIA_ROTATION || kind == LIA_SPHERE) return "the fibre does not commute";
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaConstraint* c = &s->model->constraints[s->rows[r].constraint];
        if (!c->active && s->rows[r].geometric) return "constraints tie positions of the fibre";
    }
    return NULL;
}

static void find_area(LiaHolonomyWork* w, bool winds) {
    LiaHolonomy* h = w->h;
    h->no_area = no_area(w, winds);
    if (h->no_area) return;
    bool any = false;
    for (size_t i = 0; i < h->count; i++) {
        bool invariant = lia_transport_invariant(&w->x, h->fibre[i]);
        h->parts[i].area = invariant ? 0.0 : NAN;
        any = any || invariant;
    }
    double *area = w->scratch, *error = w->scratch + w->n;
    bool known = any && lia_transport_area(&w->x, LIA_AREA_PANELS, area, error);
    if (!any) h->no_area = "the connection depends on the place in the fibre, or on time";
    if (any && !known) h->no_area = "the connection is not determined inside of the loop";
    for (size_t i = 0; i < h->count; i++) {
        LiaHolonomyPart* p = &h->parts[i];
        bool has = known && !isnan(p->area);
        p->area = has ? area[h->fibre[i]] : NAN;
        p->area_error = has ? error[h->fibre[i]] : NAN;
    }
}

// By connection and momentum equation.
static LiaStatus find_momentum(LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    double *q = w->scratch, *error = w->scratch + w->n;
    if (h->lift == LIA_LIFT_CONTRADICTS) {
        h->no_momentum = "the loop contradicts the other equations";
        return LIA_OK;
    }
    LiaStatus status = lia_momentum_equation_follow(&w->x, q, error, &h->no_momentum);
    for (size_t i = 0; status == LIA_OK && !h->no_momentum && i < h->count; i++)
        h->parts[i].momentum = q[h->fibre[i]] - w->q0[h->fibre[i]];
    return status;
}

static LiaStatus find_line(LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    h->lift = lia_transport_follow(&w->x, w->q1, w->error, &h->lift_end);
    if (h->lift == LIA_LIFT_STOPPED) return LIA_STOPPED;
    for (size_t i = 0; h->lift == LIA_LIFT_DONE && i < h->count; i++) {
        h->parts[i].line = w->q1[h->fibre[i]] - w->q0[h->fibre[i]];
        h->parts[i].line_error = w->error[h->fibre[i]];
    }
    if (h->lift != LIA_LIFT_DONE) return LIA_OK;
    find_turns(w);
    return lia_holonomy_group_find(w) ? LIA_OK : LIA_MEMORY;
}

// --- the whole ----------------------------------------------------------------------------------

// The start of the model as it is, and its momentum there; then the base goes to where the loop
// begins.
static LiaStatus find_start(LiaHolonomyWork* w, const LiaSystem* system) {
    LiaStartState start = {.t = w->h->t0, .q = w->q0, .v = w->v0};
    LiaStatus status = lia_start_find(system, w->diags, &start);
    lia_start_clear(&start);
    return status;
}

// The rows of the base in the system of the model, which has other rows where a loop was given.
static bool own_rows(const LiaHolonomy* h, const LiaSystem* system, uint32_t* rows) {
    for (size_t a = 0; a < h->base_count; a++) {
        const LiaRow* row = &h->system->rows[h->base_row[a]];
        const char* name = h->system->model->constraints[row->constraint].name;
        rows[a] = UINT32_MAX;
        for (uint32_t r = 0; r < system->row_count; r++) {
            const LiaConstraint* c = &system->model->constraints[system->rows[r].constraint];
            if (system->rows[r].part == row->part && strcmp(c->name, name) == 0) rows[a] = r;
        }
        if (rows[a] == UINT32_MAX && h->base[a] == UINT32_MAX) return false;
    }
    return true;
}

// Momentum at the start of the model itself, where its own operators stand.
static LiaStatus find_own_momentum(LiaHolonomyWork* w, const LiaSystem* system) {
    LiaHolonomy* h = w->h;
    double* lift = w->still;
    uint32_t* rows = lia_memory_zeros(h->base_count + 1, sizeof *rows);
    LiaConnection c;
    if (!rows) return LIA_MEMORY;
    bool same = own_rows(h, system, rows);
    bool room = !same || lia_connection_init_rows(&c, system, h->base, rows, h->base_count);
    free(rows);
    if (!same || !room) return room ? LIA_OK : LIA_MEMORY;
    LiaConnection kept = w->x.c;
    if (lia_connection_choose(&c, h->t0, w->q0) && lia_connection_lifts(&c, h->t0, w->q0, c.N)) {
        for (size_t i = 0; i < w->n; i++) {
            lift[i] = 0.0;
            for (size_t a = 0; a < h->base_count; a++)
                lift[i] += c.N[a * w->n + i] * lia_connection_moves(&c, a, w->v0);
        }
        w->x.c = c;
        lia_holonomy_motion_momentum(w, lift);
        w->x.c = kept;
    }
    lia_connection_clear(&c);
    return LIA_OK;
}

static LiaStatus make_system(LiaHolonomyWork* w, const LiaSystem* system) {
    LiaHolonomy* h = w->h;
    const LiaModel* model = system->model;
    h->system = system;
    if (!w->options->loop) return LIA_OK;
    LiaText text = {0};
    LiaDefine* defines = lia_memory_zeros(model->parameters_count + 1, sizeof *defines);
    size_t count = 0;
    for (uint32_t i = 0; defines && i < model->parameters_count; i++) {
        const LiaParameter* p = &model->parameters[i];
        if (p->inner || p->term.index != 0) continue;  // as the text says
        defines[count++] = (LiaDefine){p->name, p->value / lia_parameters_unit(p)};
    }
    LiaStatus status = defines ? LIA_OK : LIA_MEMORY;
    if (status == LIA_OK)
        status = lia_loop_text(model, w->options->loop, h->t0, h->t1, w->diags, &text);
    if (status == LIA_OK && text.failed) status = LIA_MEMORY;
    if (status == LIA_OK) {
        status = lia_model_parse(model->text.source.name, text.data, text.length,
                                 &(LiaDefines){defines, count}, w->diags, &h->own_model);
    }
    if (status == LIA_OK) {
        status = lia_system_build(h->own_model, NULL, w->diags, &h->own_system);
        h->system = h->own_system;
    }
    if (status == LIA_OK) status = lia_parameters_take(h->own_system, system, w->diags);
    if (status == LIA_OK && h->own_system->n != system->n) status = LIA_MODEL;
    lia_text_clear(&text);
    free(defines);
    return status;
}

static LiaStatus make_room(LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    size_t n = w->n = h->system->n, groups = h->system->model->groups_count;
    w->block = lia_memory_zeros(12 * n + 1, sizeof(double));
    h->block = lia_memory_zeros(
        n * (sizeof *h->parts + 3 * sizeof *h->base) + (groups + 1) * sizeof *h->turns, 1);
    if (!w->block || !h->block) return LIA_MEMORY;
    double* x = w->block;
    double** rooms[] = {&w->q0, &w->v0, &w->q1, &w->error, &w->still, &w->moved, &w->s, &w->ds};
    for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++) *rooms[k] = x, x += n;
    w->scratch = x;
    h->parts = h->block;
    h->turns = (LiaHolonomyTurn*)(h->parts + n);
    h->base = (uint32_t*)(h->turns + groups + 1);
    h->base_row = h->base + n;
    h->fibre = h->base_row + n;
    return LIA_OK;
}

// The base stands where the loop begins: the others follow where equations ask for it.
static LiaStatus begin_loop(LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    LiaAdmissible z;
    if (!h->own_model) return LIA_OK;  // the start of the model is there
    LiaStatus status = lia_admissible_init(&z, h->system) ? LIA_OK : LIA_MEMORY;
    if (status == LIA_OK) {
        for (size_t a = 0; a < h->base_count; a++) {
            if (h->base[a] == UINT32_MAX) continue;
            w->q0[h->base[a]] = w->s[a];
            z.given[h->base[a]] = true;
        }
        z.w->t = h->t0;
        memcpy(z.w->q, w->q0, w->n * sizeof(double));
        memcpy(z.w->v, w->v0, w->n * sizeof(double));
        lia_admissible_settle(&z);
        if (!(lia_admissible_residual(&z, 0, NULL) < LIA_ADMISSIBLE)) {
            lia_diag_error(w->diags, nowhere, "E0352",
                           "no position that the equations admit was found where the loop begins");
            status = LIA_MODEL;
        }
        memcpy(w->q0, z.w->q, w->n * sizeof(double));
    }
    lia_admissible_clear(&z);
    return status;
}

// Line, area and motions, from where the loop begins.
static LiaStatus go_round(LiaHolonomyWork* w, bool winds) {
    LiaStatus status = begin_loop(w);
    if (status == LIA_OK) status = find_line(w);
    if (status == LIA_OK) find_area(w, winds);
    if (status == LIA_OK) status = find_momentum(w);
    if (status == LIA_OK && lia_watch_asked()) status = LIA_STOPPED;
    return status == LIA_OK ? lia_holonomy_motion_find(w) : status;
}

static LiaStatus holonomy(LiaHolonomyWork* w, const LiaSystem* system) {
    LiaHolonomy* h = w->h;
    bool winds = false;
    LiaStatus status = make_system(w, system);
    if (status == LIA_OK) status = make_room(w);
    if (status == LIA_OK) status = lia_holonomy_base_find(w);
    if (status != LIA_OK) return status;
    if (!lia_transport_init(&w->x, h->system, h->base, h->base_row, h->base_count))
        return LIA_MEMORY;
    w->x.t0 = h->t0, w->x.t1 = h->t1, w->x.q0 = w->q0;
    status = find_start(w, system);
    if (status == LIA_OK) status = find_own_momentum(w, system);
    if (status == LIA_OK) status = lia_holonomy_base_separates(w);
    if (status == LIA_OK) status = lia_holonomy_base_closed(w, &winds);
    if (status == LIA_OK) status = lia_holonomy_base_rests(w);
    if (status == LIA_OK) status = lia_holonomy_base_at(w, h->t0);
    return status == LIA_OK ? go_round(w, winds) : status;
}

static bool options_good(const LiaHolonomyOptions* o) {
    bool numbers =
        (!o->until || isfinite(*o->until)) && o->tolerance >= 0.0 && isfinite(o->tolerance);
    return numbers && lia_call_knows_all(o->more, LIA_MORE);
}

LiaStatus lia_holonomy(const LiaSystem* system, const LiaHolonomyOptions* options, LiaDiags* diags,
                       LiaHolonomy** out) {
    if (out) *out = NULL;
    if (!options) options = &no_options;
    if (!system || !diags || !out || !options_good(options)) return LIA_ARGUMENT;
    const LiaModel* model = system->model;
    LiaCall call = lia_call_begin_work(diags);
    lia_diag_source(diags, model->text.source.name, model->text.source.text,
                    model->text.source.length);
    LiaHolonomy* h = lia_memory_zeros(1, sizeof *h);
    LiaHolonomyWork w = {.h = h, .options = options, .diags = diags};
    LiaStatus status = h ? LIA_OK : LIA_MEMORY;
    if (h) {
        h->p = h->share = h->lift_end = NAN;
        h->t0 = model->run.given ? model->run.t0 : 0.0;
        h->t1 = options->until ? *options->until : model->run.given ? model->run.t1 : h->t0 + 1.0;
        if (h->t1 == h->t0) {
            lia_diag_error(diags, nowhere, "E0352", "the loop takes no time: it ends as it begins");
            status = LIA_MODEL;
        }
    }
    if (status == LIA_OK) status = holonomy(&w, system);
    lia_transport_clear(&w.x);
    free(w.block);
    LiaStatus ended = lia_call_end(&call);
    if (ended != LIA_OK) status = ended;
    if (status != LIA_OK) {
        lia_holonomy_destroy(h);
        return status;
    }
    *out = h;
    return LIA_OK;
}

void lia_holonomy_destroy(LiaHolonomy* h) {
    if (!h) return;
    lia_trajectory_destroy(h->motion);
    lia_trajectory_destroy(h->moved);
    lia_system_destroy(h->own_system);
    lia_model_destroy(h->own_model);
    lia_text_clear(&h->why);
    free(h->block);
    free(h);
}

size_t lia_holonomy_count(const LiaHolonomy* h) { return h ? h->count : 0; }

const LiaHolonomyPart* lia_holonomy_at(const LiaHolonomy* h, size_t i) {
    return h && i < h->count ? &h->parts[i] : NULL;
}

const LiaHolonomyTurn* lia_holonomy_turn(const LiaHolonomy* h, size_t i) {
    return h && i < h->turn_count ? &h->turns[i] : NULL;
}

const LiaHolonomyMove* lia_holonomy_move(const LiaHolonomy* h) {
    return h && h->moves ? &h->move : NULL;
}

double lia_holonomy_lift_end(const LiaHolonomy* h) {
    return h && h->lift != LIA_LIFT_DONE ? h->lift_end : NAN;
}

double lia_holonomy_share(const LiaHolonomy* h) { return h ? h->share : NAN; }
