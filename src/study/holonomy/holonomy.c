// What a loop of the operators leaves behind. See holonomy.h.
// SPDX-License-Identifier: MIT
#include "study/holonomy/holonomy.h"
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "mechanics/start/start.h"
#include "study/holonomy/holonomy_motion.h"
#include "study/holonomy/loop.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 2.0 * 3.14159265358979323846;
static const LiaSpan nowhere = {0};
static const LiaHolonomyOptions no_options;

// --- is there a loop and a connection? -----------------------------------------------------------

static LiaStatus no_connection(const LiaHolonomyWork* w, LiaSpan span, const char* name,
                               const char* why) {
    lia_diag_error(w->diags, span, "E0353", "'%s' %s", name, why);
    return LIA_MODEL;
}

static bool drives_coordinate(const LiaHolonomy* h, uint32_t row) {
    for (size_t a = 0; a < h->base_count; a++) {
        if (lia_connection_driver(h->system, h->base[a]) == row) return true;
    }
    return false;
}

static LiaStatus check_rows(const LiaHolonomyWork* w) {
    const LiaSystem* s = w->h->system;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        const LiaConstraint* c = &s->model->constraints[row->constraint];
        if (c->contact) {
            return no_connection(w, c->span, c->name,
                                 "is a contact: a loop through its modes has no connection");
        }
        if (c->active && !drives_coordinate(w->h, r)) {
            return no_connection(w, c->span, c->name,
                                 "drives a function of coordinates: the holonomy is known where "
                                 "operators drive coordinates");
        }
        if (!row->linear && !row->identical) {
            return no_connection(w, c->span, c->name,
                                 "is not linear in the velocities: there is no connection");
        }
    }
    return LIA_OK;
}

static LiaStatus find_base(LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    const LiaModel* model = h->system->model;
    for (uint32_t i = 0; i < h->system->n; i++) {
        if (lia_connection_driver(h->system, i) != UINT32_MAX) {
            h->base[h->base_count++] = i;
        } else if (!model->coordinates[i].inner) {
            h->fibre[h->count] = i;
            h->parts[h->count++] =
                (LiaHolonomyPart){model->coordinates[i].name, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        }
    }
    if (h->base_count > 0 && h->count > 0) return check_rows(w);
    lia_diag_error(w->diags, nowhere, "E0353",
                   h->count > 0 ? "no operator drives a coordinate: there is no base to go round in"
                                : "operators drive all coordinates: there is no fibre");
    if (h->count > 0) lia_diag_help(w->diags, "give --loop \"s = ..., u = 0..2*pi\"");
    return LIA_MODEL;
}

// The law at a time, or why there is none.
static LiaStatus law_at(LiaHolonomyWork* w, double t) {
    if (lia_transport_law(&w->x, t, w->s, w->ds)) return LIA_OK;
    const LiaSystem* system = w->h->system;
    uint32_t coordinate = w->h->base[w->x.lawless];
    const LiaRow* row = &system->rows[lia_connection_driver(system, coordinate)];
    const LiaConstraint* c = &system->model->constraints[row->constraint];
    const char* name = system->model->coordinates[coordinate].name;
    lia_diag_error(w->diags, c->span, "E0352",
                   "'%s' does not give '%s' as a function of time: it is no loop", c->name, name);
    lia_diag_help(w->diags, "give the loop: --loop \"%s = ..., u = 0..2*pi\"", name);
    return LIA_MODEL;
}

// Passive equations must admit rest along the loop: the lift of a base at rest is rest.
static LiaStatus check_rest(LiaHolonomyWork* w) {
    enum { LOOKS = 8 };
    const LiaSystem* system = w->h->system;
    for (int k = 0; k <= LOOKS; k++) {
        int row;
        LiaStatus status = law_at(w, w->h->t0 + (w->h->t1 - w->h->t0) * k / LOOKS);
        if (status != LIA_OK) return status;
        if (lia_transport_rests(&w->x, &row)) continue;
        uint32_t r = w->x.c.w->dynamics->rows[row];
        const LiaConstraint* c = &system->model->constraints[system->rows[r].constraint];
        return no_connection(w, c->span, c->name,
                             "does not admit rest: it moves the system also where the base stands "
                             "still");
    }
    return LIA_OK;
}

// Closed: the base returns; angles may have made turns (*winds).
static LiaStatus check_closed(LiaHolonomyWork* w, bool* winds) {
    LiaHolonomy* h = w->h;
    double* first = w->scratch;
    LiaStatus status = law_at(w, h->t0);
    if (status != LIA_OK) return status;
    memcpy(first, w->s, h->base_count * sizeof *first);
    status = law_at(w, h->t1);
    for (size_t a = 0; status == LIA_OK && a < h->base_count; a++) {
        const LiaCoordinate* c = &h->system->model->coordinates[h->base[a]];
        double apart = w->s[a] - first[a], turns = 0.0;
        if (c->manifold == LIA_CIRCLE) turns = round(apart / TURN);
        *winds = *winds || turns != 0.0;
        if (fabs(apart - TURN * turns) <= LIA_LOOP_CLOSED * (1.0 + fabs(first[a]))) continue;
        LiaText numbers = {0};
        lia_text_add_short(&numbers, first[a], 10);
        lia_text_add(&numbers, ", and ends at ");
        lia_text_add_short(&numbers, w->s[a], 10);
        lia_diag_error(w->diags, nowhere, "E0352", "the loop is not closed: '%s' begins at %s",
                       c->name, numbers.data ? numbers.data : "");
        lia_diag_help(w->diags, "--until T says when it closes; --loop gives another one");
        lia_text_clear(&numbers);
        status = LIA_MODEL;
    }
    return status;
}

// --- attitudes as what they are ------------------------------------------------------------------

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

// --- line and area -------------------------------------------------------------------------------

// Does the lift change with a coordinate of the fibre, or with time? Then there is no integral of
// its curvature: the order of small loops matters.
static bool is_invariant(LiaHolonomyWork* w, uint32_t component) {
    enum { LOOKS = 5 };
    LiaHolonomy* h = w->h;
    double *here = w->x.Z, *there = w->x.f, *q = w->scratch;
    for (int k = 0; k < LOOKS; k++) {
        double t = h->t0 + (h->t1 - h->t0) * (k + 0.5) / LOOKS, most = 0.0;
        if (!lia_transport_law(&w->x, t, w->s, w->ds)) return false;
        memcpy(q, w->q0, w->n * sizeof *q);
        for (size_t a = 0; a < 2; a++) q[h->base[a]] = w->s[a];
        if (!lia_connection_lifts(&w->x.c, t, q, here)) return false;
        for (size_t i = 0; i < h->count; i++) q[h->fibre[i]] += sin(k + 3.0 * (double)i + 1.0);
        if (!lia_connection_lifts(&w->x.c, h->t0, q, there)) return false;
        for (size_t i = 0; i < 2 * w->n; i++) most = fmax(most, fabs(here[i]));
        for (size_t a = 0; a < 2; a++) {
            double d = fabs(here[a * w->n + component] - there[a * w->n + component]);
            if (!(d <= LIA_HOLONOMY_INVARIANT * most)) return false;
        }
    }
    return true;
}

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
        bool invariant = is_invariant(w, h->fibre[i]);
        h->parts[i].area = invariant ? 0.0 : NAN;
        any = any || invariant;
    }
    double *area = w->scratch, *error = w->scratch + w->n;
    bool known = any && lia_transport_area(&w->x, area, error);
    if (!any) h->no_area = "the connection depends on the place in the fibre, or on time";
    if (any && !known) h->no_area = "the connection is not determined inside of the loop";
    for (size_t i = 0; i < h->count; i++) {
        LiaHolonomyPart* p = &h->parts[i];
        bool has = known && !isnan(p->area);
        p->area = has ? area[h->fibre[i]] : NAN;
        p->area_error = has ? error[h->fibre[i]] : NAN;
    }
}

static LiaStatus find_line(LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    h->lift = lia_transport_follow(&w->x, w->q1, w->error, &h->lift_end);
    if (h->lift == LIA_LIFT_STOPPED) return LIA_STOPPED;
    for (size_t i = 0; h->lift == LIA_LIFT_DONE && i < h->count; i++) {
        h->parts[i].line = w->q1[h->fibre[i]] - w->q0[h->fibre[i]];
        h->parts[i].line_error = w->error[h->fibre[i]];
    }
    if (h->lift == LIA_LIFT_DONE) find_turns(w);
    return LIA_OK;
}

// --- the whole -----------------------------------------------------------------------------------

// The start of the model as it is, and its momentum there; then the base goes to where the loop
// begins.
static LiaStatus find_start(LiaHolonomyWork* w, const LiaSystem* system) {
    LiaStartState start = {.t = w->h->t0, .q = w->q0, .v = w->v0};
    LiaStatus status = lia_start_find(system, w->diags, &start);
    lia_start_clear(&start);
    return status;
}

// Momentum at the start of the model itself, where its own operators stand.
static LiaStatus find_own_momentum(LiaHolonomyWork* w, const LiaSystem* system) {
    LiaHolonomy* h = w->h;
    double* lift = w->still;
    LiaConnection c;
    if (!lia_connection_init_over(&c, system, h->base, h->base_count)) return LIA_MEMORY;
    LiaConnection kept = w->x.c;
    if (lia_connection_lifts(&c, h->t0, w->q0, c.N)) {
        for (size_t i = 0; i < w->n; i++) {
            lift[i] = 0.0;
            for (size_t a = 0; a < h->base_count; a++)
                lift[i] += c.N[a * w->n + i] * w->v0[h->base[a]];
        }
        w->x.c = c;
        lia_holonomy_motion_momentum(w, lift);
        w->x.c = kept;
    }
    lia_connection_clear(&c);
    return LIA_OK;
}

// Values that were set in the system since it was built.
static LiaStatus take_parameters(const LiaSystem* from, LiaSystem* to, LiaDiags* diags) {
    LiaStatus status = LIA_OK;
    for (uint32_t i = 0; status == LIA_OK && i < from->model->parameters_count; i++) {
        const LiaParameter* p = &from->model->parameters[i];
        double value, own;
        bool both = !p->inner && lia_system_parameter(from, p->name, &value) &&
                    lia_system_parameter(to, p->name, &own);
        if (both && value != own) status = lia_system_set_parameter(to, p->name, value, diags);
    }
    return status;
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
        defines[count++] = (LiaDefine){p->name, p->value / p->factor};
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
    if (status == LIA_OK) status = take_parameters(system, h->own_system, w->diags);
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
        n * (sizeof *h->parts + 2 * sizeof *h->base) + (groups + 1) * sizeof *h->turns, 1);
    if (!w->block || !h->block) return LIA_MEMORY;
    double* x = w->block;
    double** rooms[] = {&w->q0, &w->v0, &w->q1, &w->error, &w->still, &w->moved, &w->s, &w->ds};
    for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++) *rooms[k] = x, x += n;
    w->scratch = x;
    h->parts = h->block;
    h->turns = (LiaHolonomyTurn*)(h->parts + n);
    h->base = (uint32_t*)(h->turns + groups + 1);
    h->fibre = h->base + n;
    return LIA_OK;
}

// Line, area and motions, from where the loop begins.
static LiaStatus go_round(LiaHolonomyWork* w, bool winds) {
    LiaHolonomy* h = w->h;
    for (size_t a = 0; a < h->base_count; a++) w->q0[h->base[a]] = w->s[a];
    LiaStatus status = find_line(w);
    if (status == LIA_OK) find_area(w, winds);
    if (status == LIA_OK && lia_watch_asked()) status = LIA_STOPPED;
    return status == LIA_OK ? lia_holonomy_motion_find(w) : status;
}

static LiaStatus holonomy(LiaHolonomyWork* w, const LiaSystem* system) {
    LiaHolonomy* h = w->h;
    bool winds = false;
    LiaStatus status = make_system(w, system);
    if (status == LIA_OK) status = make_room(w);
    if (status == LIA_OK) status = find_base(w);
    if (status != LIA_OK) return status;
    if (!lia_transport_init(&w->x, h->system, h->base, h->base_count)) return LIA_MEMORY;
    w->x.t0 = h->t0, w->x.t1 = h->t1, w->x.q0 = w->q0;
    status = find_start(w, system);
    if (status == LIA_OK) status = find_own_momentum(w, system);
    if (status == LIA_OK) status = check_closed(w, &winds);
    if (status == LIA_OK) status = check_rest(w);
    if (status == LIA_OK) status = law_at(w, h->t0);
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

double lia_holonomy_lift_end(const LiaHolonomy* h) {
    return h && h->lift != LIA_LIFT_DONE ? h->lift_end : NAN;
}

double lia_holonomy_share(const LiaHolonomy* h) { return h ? h->share : NAN; }
