// A run once more, with steps at most half as long and series of another order. What both agree in does not depend on how it
// was computed; where they part, the digits are lost: by the steps, or because the motion itself makes small differences grow
// (chaos). The comparison of the two is that of compare.c.
// SPDX-License-Identifier: MIT
#include "../base/call.h"
#include "../motion/step_size.h"
#include "compare.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double NARROWER = 0.5;  // how much shorter the steps are
static const double ROUNDING = 1e-14;
static const double NEAR = 1e-6;      // relative
static const double TOGETHER = 1e-3;  // part of a run: farther apart, events are not the same
enum {
    ORDERS = 4,
    STEPS = 4
};  // how much higher the order is; how many times more steps it may take

// --- the second run ----------------------------------------------------------------------------

// Another order: higher where that can be, else lower.
static int other_order(const LiaTrajectory* first) {
    double span = fabs(first->t1 - first->t0);
    int most = span > 0.0 ? lia_step_order_most(span) : LIA_ORDER_MOST;
    if (first->order + ORDERS <= (most < LIA_ORDER_MOST ? most : LIA_ORDER_MOST))
        return first->order + ORDERS;
    return first->order - ORDERS > LIA_ORDER_LEAST ? first->order - ORDERS : LIA_ORDER_LEAST;
}

// Series of order p allow steps of rho e^(1/p), e the tolerance: longer ones where p is higher.
static double part_of(const LiaTrajectory* first, int order) {
    double e = lia_step_tolerance(first->model, first->tolerance);
    double longer = pow(e, 1.0 / order - 1.0 / fmax(first->order, 1));
    return NARROWER / fmax(longer, 1.0);
}

static LiaRunOptions second_options(const LiaTrajectory* first, const LiaRunOptions* options) {
    LiaRunOptions second = options ? *options : (LiaRunOptions){0};
    second.checkpoint = second.resume = NULL;
    second.order = other_order(first);
    second.step_part *= part_of(first, second.order);
    if (!(second.step_part > 0.0)) second.step_part = part_of(first, second.order);
    // where the first run came nowhere its steps say nothing
    bool moved = first->longest > 1e-9 * fabs(first->t1 - first->t0);
    if (moved) second.step_most = NARROWER * first->longest;
    if (second.steps_most < UINT64_MAX / STEPS) second.steps_most *= STEPS;
    return second;
}

// --- numbers at the end ------------------------------------------------------------------------

// For the same reason: both done, both at the same event, both failed alike.
static bool ended_alike(const LiaTrajectory* a, const LiaTrajectory* b) {
    if (a->status != b->status) return false;
    const char *x = a->reason.code, *y = b->reason.code;
    if (!x || !y) return x == y;
    bool event = a->status == LIA_STOPPED && a->event_count && b->event_count;
    if (event && strcmp(a->events[a->event_count - 1].name, b->events[b->event_count - 1].name))
        return false;
    return strcmp(x, y) == 0;
}

static bool same_line(const LiaTrajectory* a, const LiaTrajectory* b, size_t l) {
    return l < b->ledger_count && a->ledger[l].kind == b->ledger[l].kind &&
           strcmp(a->ledger[l].name, b->ledger[l].name) == 0;
}

static double energy_change(const LiaTrajectory* t) { return t->energy_end - t->energy_start; }

// Or for another, but at the same time: where a formula ends and an event is near, either may be first.
static bool ended_together(const LiaTrajectory* a, const LiaTrajectory* b) {
    return fabs(b->t - a->t) <= NEAR * fabs(a->t1 - a->t0);
}

static void subtract(LiaCheck* check, const LiaTrajectory* a, const LiaTrajectory* b) {
    bool known = b && a->final && b->final && (ended_alike(a, b) || ended_together(a, b));
    for (size_t k = 0; k < a->column_count; k++) {
        check->difference[k] = known ? b->final[k] - a->final[k] : NAN;
    }
    for (size_t l = 0; l < a->ledger_count; l++) {
        bool same = known && same_line(a, b, l);
        check->power[l] = same ? b->ledger[l].power - a->ledger[l].power : NAN;
        check->work[l] = same ? b->ledger[l].work - a->ledger[l].work : NAN;
    }
    check->energy = known ? energy_change(b) - energy_change(a) : NAN;
    check->end = known ? b->t - a->t : NAN;
}

// The largest value of each column along the first run.
static void measure(LiaCheck* check, const LiaTrajectory* a) {
    for (size_t row = 0; row < a->row_count; row++) {
        for (size_t k = 0; k < a->column_count; k++)
            check->size[k] = fmax(check->size[k], fabs(a->values[row * a->column_count + k]));
    }
    for (size_t k = 0; a->final && k < a->column_count; k++)
        check->size[k] = fmax(check->size[k], fabs(a->final[k]));
}

static void compare_events(LiaCheck* check, const LiaTrajectory* a, const LiaTrajectory* b) {
    size_t both = a->event_count < b->event_count ? a->event_count : b->event_count;
    check->other_events = b->event_count;
    for (size_t i = 0; i < a->event_count; i++) check->event[i] = NAN;
    for (; check->events < both; check->events++) {
        const LiaEventRecord *x = &a->events[check->events], *y = &b->events[check->events];
        bool near = fabs(y->t - x->t) <= TOGETHER * fabs(a->t1 - a->t0);
        if (strcmp(x->name, y->name) != 0 || x->direction != y->direction || !near) return;
        check->event[check->events] = y->t - x->t;
    }
}

// --- how the difference grows ------------------------------------------------------------------

typedef struct Growth {
    const LiaComparison* c;
    size_t begin,
        end;  // samples: the difference is more than rounding; it is as large as it becomes, or 0.01
} Growth;

// From here on the largest difference up to each sample.
static void make_envelope(LiaComparison* c) {
    for (size_t s = 1; s < c->samples; s++) c->apart[s] = fmax(c->apart[s], c->apart[s - 1]);
}

static double decades_at(const Growth* g, size_t sample) {
    return log10(fmax(g->c->apart[sample], ROUNDING / 10.0));
}

// The first sample with a difference of more than this; `samples`: none.
static size_t sample_beyond(const LiaComparison* c, double difference) {
    size_t low = 0, high = c->samples;
    while (low < high) {
        size_t s = low + (high - low) / 2;
        if (c->apart[s] > difference) {
            high = s;
        } else {
            low = s + 1;
        }
    }
    return low;
}

static bool find_growth(const LiaComparison* c, Growth* g) {
    double most = c->samples ? c->apart[c->samples - 1] : 0.0;
    *g = (Growth){c, sample_beyond(c, ROUNDING / 10.0), sample_beyond(c, 0.999 * fmin(most, 0.01))};
    return g->begin < g->end && g->end < c->samples;
}

// The first sample at t or after it, between the two.
static size_t sample_at(const Growth* g, double t) {
    size_t low = g->begin, high = g->end;
    while (low < high) {
        size_t s = low + (high - low) / 2;
        if (fabs(g->c->times[s] - g->c->t0) < fabs(t - g->c->t0)) {
            low = s + 1;
        } else {
            high = s;
        }
    }
    return low;
}

// The rate at which a difference grows that does so exponentially; NAN where it does not.
//   A power of t up to the fourth grows by 16 at most while t doubles: more is not such a power.
//   Something that one run saw and the other did not makes it leap: most of its decades in a tenth of the time.
static double growth_rate(const LiaComparison* c) {
    enum { SAMPLES_LEAST = 5 };
    const double decades_least = 3.0, power_most = log10(30.0), leap_time = 0.1, leap_part = 0.6;
    Growth g;
    if (!find_growth(c, &g) || g.end - g.begin < SAMPLES_LEAST) return NAN;
    double begin = c->times[g.begin], end = c->times[g.end], span = end - begin;
    double low = decades_at(&g, g.begin), high = decades_at(&g, g.end);
    size_t middle = sample_at(&g, begin + 0.5 * span);
    double second_half = high - decades_at(&g, middle);
    if (!(high - low > decades_least) || !(second_half > power_most)) return NAN;
    for (int k = 0; k < 20; k++) {
        double from = begin + (1.0 - leap_time) * span * k / 19.0;
        size_t s = sample_at(&g, from), e = sample_at(&g, from + leap_time * span);
        if (decades_at(&g, e) - decades_at(&g, s) > leap_part * (high - low)) return NAN;
    }
    return second_half * log(10.0) / fabs(end - c->times[middle]);
}

// --- the verdict -------------------------------------------------------------------------------

static void find_losses(LiaCheck* check, const LiaComparison* c) {
    for (int k = 0; k < LIA_CHECK_LEVELS; k++) {
        double level = pow(10.0, -3.0 * (LIA_CHECK_LEVELS - 1 - k));
        size_t s = sample_beyond(c, level);
        check->lost[k] = s < c->samples ? c->times[s] : NAN;
    }
}

// What is small relative to what is much for it is as good as 0.
static void measure_states(LiaCheck* check, const LiaComparison* c) {
    for (size_t i = 0; i < c->count; i++) {
        size_t k = (size_t)(c->columns[i] - c->motion[0]->columns);
        check->size[k] = fmax(check->size[k], NEAR * c->differences[i].scale);
    }
}

static void find_parting(LiaCheck* check, LiaComparison* c) {
    make_envelope(c);
    const LiaDifference* first = lia_comparison_part(c);
    check->rate = check->parts = NAN;
    if (c->samples) check->largest = c->apart[c->samples - 1];
    if (c->largest < c->count) check->where = c->differences[c->largest].name;
    find_losses(check, c);
    if (!first) return;
    check->parts = first->first;
    check->first = first->name;
    check->rate = growth_rate(c);
}

static LiaCheckVerdict judge(const LiaCheck* check, const LiaTrajectory* a,
                             const LiaTrajectory* b) {
    if (!b || lia_trajectory_spent(b) != LIA_SPENT_NOTHING) return LIA_CHECK_UNFINISHED;
    if (!isnan(check->rate)) return LIA_CHECK_CHAOS;
    if (!ended_alike(a, b)) return LIA_CHECK_ENDS;
    bool events = check->events == a->event_count && check->events == check->other_events;
    if (!isnan(check->parts) || !events) return LIA_CHECK_DIFFERS;
    double known = fmax(ROUNDING, DBL_EPSILON * sqrt((double)b->steps));
    return check->largest <= known ? LIA_CHECK_ROUNDING : LIA_CHECK_AGREES;
}

static void warn(const LiaCheck* check, const LiaTrajectory* a, LiaDiags* diags) {
    LiaSpan span = a->model->run.span;
    if (check->verdict == LIA_CHECK_ENDS && isnan(check->end)) {
        lia_diag_warning(diags, span, "W0414",
                         "this run is %s at t = %.6g, the same run with shorter steps %s at t = "
                         "%.6g%s%s",
                         lia_trajectory_status(a), a->t, check->status, check->t,
                         check->reason ? ": " : "", check->reason ? check->reason : "");
    } else if (check->verdict == LIA_CHECK_DIFFERS && !isnan(check->parts)) {
        lia_diag_warning(diags, span, "W0414",
                         "the same run with shorter steps goes elsewhere from t = %.6g on: by up "
                         "to %.2g of its size (%s)",
                         check->parts, check->largest, check->where);
    } else if (check->verdict == LIA_CHECK_DIFFERS) {
        lia_diag_warning(diags, span, "W0414",
                         "the same run with shorter steps has other events: %zu, not %zu",
                         check->other_events, a->event_count);
    } else {
        return;
    }
    lia_diag_help(diags, "take a smaller tolerance, or 'step at most', until the two agree");
}

// --- the whole ---------------------------------------------------------------------------------

static LiaCheck* check_of(LiaTrajectory* a, const LiaTrajectory* b) {
    LiaCheck* check = LIA_ARENA_NEW(a->arena, LiaCheck, 1);
    if (!check) return NULL;
    check->difference = LIA_ARENA_NEW(a->arena, double, a->column_count + 1);
    check->size = LIA_ARENA_NEW(a->arena, double, a->column_count + 1);
    check->power = LIA_ARENA_NEW(a->arena, double, a->ledger_count + 1);
    check->work = LIA_ARENA_NEW(a->arena, double, a->ledger_count + 1);
    check->event = LIA_ARENA_NEW(a->arena, double, a->event_count + 1);
    if (!check->difference || !check->size || !check->power || !check->work || !check->event)
        return NULL;
    check->rate = check->parts = NAN;
    for (int k = 0; k < LIA_CHECK_LEVELS; k++) check->lost[k] = NAN;
    check->t = b ? b->t : a->t0;
    subtract(check, a, b);
    measure(check, a);
    if (!b) return check;
    check->order = b->order;
    check->steps = b->steps;
    check->status = lia_trajectory_status(b);
    if (b->reason.text)
        check->reason = lia_arena_text(a->arena, b->reason.text, strlen(b->reason.text));
    compare_events(check, a, b);
    return check;
}

// False if memory is out.
static bool take_check(LiaTrajectory* a, LiaTrajectory* b, LiaDiags* diags) {
    LiaCheck* check = check_of(a, b);
    LiaComparison both = {.motion = {a, b}, .arena = b ? lia_arena_create() : NULL};
    bool good = check && (!b || (both.arena && lia_comparison_fill(&both)));
    if (good && b) {
        find_parting(check, &both);
        measure_states(check, &both);
    }
    if (good) {
        check->verdict = judge(check, a, b);
        warn(check, a, diags);
        a->check = check;
    }
    lia_arena_destroy(both.arena);
    return good;
}

// Did it take at least 1.7 times as many steps? Those of the first may have been short for reasons that its order has. Few steps
// say nothing; then the longest one does.
static bool narrow_enough(const LiaTrajectory* first, const LiaTrajectory* second) {
    enum { FEW = 8 };
    return first->steps < FEW || lia_trajectory_spent(second) != LIA_SPENT_NOTHING ||
           (double)second->steps >= 1.7 * (double)first->steps;
}

// The second run has diagnostics of its own: what the first said is not said twice.
static LiaStatus run_again(const LiaSystem* system, const LiaRunOptions* options,
                           const LiaTrajectory* first, LiaTrajectory** second) {
    enum { TRIES = 2 };
    bool over = lia_watch_raised() || lia_trajectory_spent(first) != LIA_SPENT_NOTHING;
    if (over || first->row_count == 0) return LIA_STOPPED;
    LiaRunOptions other = second_options(first, options);
    LiaStatus status = LIA_OK;
    for (int k = 0; k < TRIES; k++) {
        LiaDiags* own = lia_diags_create();
        if (!own) return LIA_MEMORY;
        lia_trajectory_destroy(*second);
        *second = NULL;
        status = lia_motion_run(system, &other, own, second);
        lia_diags_destroy(own);
        if (!*second || narrow_enough(first, *second)) break;
        other.step_part *= NARROWER * (double)(*second)->steps / (double)first->steps;
    }
    bool spent = status == LIA_MEMORY && lia_budget_spent() == LIA_SPENT_MEMORY;
    return spent ? LIA_STOPPED : status;
}

LiaStatus lia_motion_check(const LiaSystem* system, const LiaRunOptions* options, LiaDiags* diags,
                           LiaTrajectory** out) {
    if (out) *out = NULL;
    if (!system || !diags || !out || !lia_run_options_good(options)) return LIA_ARGUMENT;
    LiaTrajectory *first = NULL, *second = NULL;
    LiaStatus status = lia_motion_run(system, options, diags, &first);
    if (!first) return status;
    LiaCall call = lia_call_begin(diags);
    LiaStatus again = run_again(system, options, first, &second);
    if (again == LIA_STOPPED && !second) call = lia_call_begin(diags);  // refused, not out
    if (again != LIA_MEMORY) take_check(first, second, diags);
    LiaStatus ended = lia_call_end(&call);
    lia_trajectory_destroy(second);
    if (ended == LIA_OK) {
        *out = first;
        return status;
    }
    lia_trajectory_destroy(first);
    return ended;
}

const char* lia_trajectory_check(const LiaTrajectory* t) {
    static const char* const words[] = {
        [LIA_CHECK_ROUNDING] = "rounding", [LIA_CHECK_AGREES] = "agrees",
        [LIA_CHECK_CHAOS] = "chaos",       [LIA_CHECK_DIFFERS] = "differs",
        [LIA_CHECK_ENDS] = "ends",         [LIA_CHECK_UNFINISHED] = "unfinished"};
    return t && t->check ? words[t->check->verdict] : NULL;
}

double lia_trajectory_parting(const LiaTrajectory* t) {
    return t && t->check ? t->check->parts : NAN;
}

bool lia_trajectory_difference(const LiaTrajectory* t, const char* name, double* value) {
    if (!t || !t->check || !name || !value) return false;
    for (size_t k = 0; k < t->column_count; k++) {
        if (t->columns[k].kind == LIA_COLUMN_PLOT || strcmp(t->columns[k].name, name) != 0)
            continue;
        *value = t->check->difference[k];
        return true;
    }
    return false;
}
