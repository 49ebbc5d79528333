// A run once more, with steps at most half as long and series of another order. What both agree in
// does not depend on how it was computed; where they part, the digits are lost: by the steps, or
// because the motion itself makes small differences grow (chaos). The comparison of the two is that
// of compare.c.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "motion/run/begin.h"
#include "motion/run/step_size.h"
#include "study/compare.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double NARROWER = 0.5;  // how much shorter the steps are
static const double TOGETHER =
    0.1;  // part of the time between events: farther apart, they are not the same
enum {
    ORDERS = 4,
    STEPS = 4
};  // how far the orders are apart; how many times more steps it may take

// --- the second run ----------------------------------------------------------------------------

// Another order. Lower, since near a singularity coefficients of higher orders leave the range of
// numbers before the motion ends; but not so low that the second run is no better than the first.
static int other_order(const LiaTrajectory* first) {
    enum { LOW = 16 };
    if (first->effort.order >= LOW) return first->effort.order - ORDERS;
    double span = fabs(first->t1 - first->t0);
    int most = span > 0.0 ? lia_step_size_order_most(span) : LIA_ORDER_MOST;
    if (first->effort.order + ORDERS <= most) return first->effort.order + ORDERS;
    return first->effort.order - ORDERS > LIA_ORDER_LEAST ? first->effort.order - ORDERS
                                                          : LIA_ORDER_LEAST;
}

// Series of order p allow steps of rho e^(1/p), e the tolerance: longer ones where p is higher.
static double part_of(const LiaTrajectory* first, int order) {
    double e = lia_step_size_tolerance(first->model, first->effort.tolerance);
    double longer = pow(e, 1.0 / order - 1.0 / fmax(first->effort.order, 1));
    return NARROWER / fmax(longer, 1.0);
}

static LiaRunOptions second_options(const LiaTrajectory* first, const LiaRunOptions* options) {
    LiaRunOptions second = options ? *options : (LiaRunOptions){0};
    second.keep_steps = false;
    second.checkpoint = second.resume = NULL;
    second.order = other_order(first);
    second.step_part *= part_of(first, second.order);
    if (!(second.step_part > 0.0)) second.step_part = part_of(first, second.order);
    // where the first run came nowhere its steps say nothing
    bool moved = first->effort.longest > LIA_RUNS_MOVED * fabs(first->t1 - first->t0);
    if (moved) second.step_most = NARROWER * first->effort.longest;
    if (second.steps_most < UINT64_MAX / STEPS) second.steps_most *= STEPS;
    return second;
}

// --- numbers at the end ------------------------------------------------------------------------

// For the same reason: both done, both at the same event, both failed alike.
static bool ended_alike(const LiaTrajectory* a, const LiaTrajectory* b) {
    if (a->status != b->status) return false;
    const char *x = a->reason.code, *y = b->reason.code;
    if (!x || !y) return x == y;
    bool event = a->status == LIA_STOPPED && a->events.count && b->events.count;
    if (event &&
        strcmp(a->events.list[a->events.count - 1].name, b->events.list[b->events.count - 1].name))
        return false;
    return strcmp(x, y) == 0;
}

static bool same_line(const LiaTrajectory* a, const LiaTrajectory* b, size_t l) {
    return l < b->ledger.count && a->ledger.lines[l].line == b->ledger.lines[l].line;
}

static double energy_change(const LiaTrajectory* t) { return t->ledger.end - t->ledger.start; }

// Or for another, but at the same time: where a formula ends and an event is near, either may be
// first.
static bool ended_together(const LiaTrajectory* a, const LiaTrajectory* b) {
    return fabs(b->t - a->t) <= LIA_RUNS_NEAR * fabs(a->t1 - a->t0);
}

static void subtract(LiaCheck* check, const LiaTrajectory* a, const LiaTrajectory* b) {
    bool known =
        b && a->final.values && b->final.values && (ended_alike(a, b) || ended_together(a, b));
    for (size_t k = 0; k < a->column_count; k++) {
        check->difference[k] = known ? b->final.values[k] - a->final.values[k] : NAN;
    }
    for (size_t l = 0; l < a->ledger.count; l++) {
        bool same = known && same_line(a, b, l);
        check->power[l] = same ? b->ledger.lines[l].power - a->ledger.lines[l].power : NAN;
        check->work[l] = same ? b->ledger.lines[l].work - a->ledger.lines[l].work : NAN;
    }
    check->energy = known ? energy_change(b) - energy_change(a) : NAN;
    check->end = known ? b->t - a->t : NAN;
}

// The largest value of each column along the first run.
static void measure(LiaCheck* check, const LiaTrajectory* a) {
    for (size_t row = 0; row < a->rows.count; row++) {
        for (size_t k = 0; k < a->column_count; k++)
            check->size[k] = fmax(check->size[k], fabs(a->rows.values[row * a->column_count + k]));
    }
    for (size_t k = 0; a->final.values && k < a->column_count; k++)
        check->size[k] = fmax(check->size[k], fabs(a->final.values[k]));
}

// How far the next event is, or the last one.
static double room_of(const LiaTrajectory* a, size_t i) {
    double room = fabs(a->t1 - a->t0);
    if (i > 0) room = fmin(room, fabs(a->events.list[i].t - a->events.list[i - 1].t));
    if (i + 1 < a->events.count)
        room = fmin(room, fabs(a->events.list[i + 1].t - a->events.list[i].t));
    return room;
}

static void compare_events(LiaCheck* check, const LiaTrajectory* a, const LiaTrajectory* b) {
    size_t both = a->events.count < b->events.count ? a->events.count : b->events.count;
    double span = fabs(a->t1 - a->t0);
    check->other_events = b->events.count;
    for (size_t i = 0; i < a->events.count; i++) check->event[i] = NAN;
    for (; check->events < both; check->events++) {
        const LiaEventRecord *x = &a->events.list[check->events],
                             *y = &b->events.list[check->events];
        bool near =
            fabs(y->t - x->t) <= fmax(LIA_RUNS_NEAR * span, TOGETHER * room_of(a, check->events));
        if (strcmp(x->name, y->name) != 0 || x->direction != y->direction || !near) return;
        check->event[check->events] = y->t - x->t;
    }
}

// --- how the difference grows ------------------------------------------------------------------

typedef struct Growth {
    const LiaComparison* c;
    size_t begin,
        // samples: the difference is more than rounding; it is as large as it becomes, or 0.01
        end;
} Growth;

// From here on the largest difference up to each sample.
static void make_envelope(LiaComparison* c) {
    for (size_t s = 1; s < c->samples; s++) c->apart[s] = fmax(c->apart[s], c->apart[s - 1]);
}

static double decades_at(const Growth* g, size_t sample) {
    return log10(fmax(g->c->apart[sample], LIA_RUNS_ROUNDING / 10.0));
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

static size_t end_of_growth(const LiaComparison* c) {
    double most = c->samples ? c->apart[c->samples - 1] : 0.0;
    return sample_beyond(c, 0.999 * fmin(most, 0.01));
}

static bool find_growth(const LiaComparison* c, Growth* g) {
    *g = (Growth){c, sample_beyond(c, LIA_RUNS_ROUNDING / 10.0), end_of_growth(c)};
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
//   Something that one run saw and the other did not makes it leap: most of its decades in a tenth
//   of the time.
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
    for (int k = 0; k < LIA_CHECK_SIZES; k++) {
        double size = pow(10.0, -3.0 * (LIA_CHECK_SIZES - 1 - k));
        size_t s = sample_beyond(c, size);
        if (s < c->samples) check->lost[k] = c->times[s];
    }
}

// What is small relative to what is much for it is as good as 0.
static void measure_states(LiaCheck* check, const LiaComparison* c) {
    for (size_t i = 0; i < c->count; i++) {
        size_t k = (size_t)(c->columns[i] - c->motion[0]->columns);
        check->size[k] = fmax(check->size[k], LIA_RUNS_NEAR * c->differences[i].scale);
    }
}

// From when on they differ, and how that grows; names are those of the run `a`.
static void find_parting(LiaCheck* check, LiaComparison* c, const LiaTrajectory* a) {
    make_envelope(c);
    find_losses(check, c);
    const LiaDifference* first = lia_comparison_part(c);
    if (!first) return;
    check->parts = first->first;
    check->first = a->columns[c->columns[c->first] - c->motion[0]->columns].name;
    check->rate = growth_rate(c);
}

static LiaCheckVerdict judge(const LiaCheck* check, const LiaTrajectory* a,
                             const LiaTrajectory* b) {
    if (!b || lia_trajectory_spent(b) != LIA_SPENT_NOTHING) return LIA_CHECK_UNFINISHED;
    if (!isnan(check->rate)) return LIA_CHECK_CHAOS;
    if (!ended_alike(a, b)) return LIA_CHECK_ENDS;
    bool events = check->events == a->events.count && check->events == check->other_events;
    if (!isnan(check->parts) || !events) return LIA_CHECK_DIFFERS;
    double known = fmax(LIA_RUNS_ROUNDING, DBL_EPSILON * sqrt((double)b->effort.steps));
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
                         check->other_events, a->events.count);
    } else {
        return;
    }
    lia_diag_help(diags, "take a smaller tolerance, or 'step at most', until the two agree");
}

// --- the whole ---------------------------------------------------------------------------------

typedef struct Pair {
    const LiaSystem* system;
    LiaRunOptions options[2];
    LiaTrajectory* motion[2];  // the second is owned; NULL: there is none
    bool refused;  // memory was refused since the budget is spent, which is no lack of it
} Pair;

// Each run after the first has diagnostics of its own: what was said is not said twice.
static LiaStatus run_quietly(Pair* pair, const LiaRunOptions* options, LiaTrajectory** motion) {
    *motion = NULL;
    LiaDiags* own = lia_diags_create();
    if (!own) return LIA_MEMORY;
    LiaStatus status = lia_motion_run(pair->system, options, own, motion);
    lia_diags_destroy(own);
    bool refused = status == LIA_MEMORY && lia_budget_spent() == LIA_SPENT_MEMORY;
    pair->refused |= refused || (status == LIA_STOPPED && !*motion);
    return refused ? LIA_STOPPED : status;
}

// Where the two part within few samples of a long run, these do not show how: both once more, up to
// there, with more of them. False if memory is out.
static bool look_closer(Pair* pair, LiaCheck* check, LiaComparison* seen) {
    enum { SAMPLES = 1001, FEW = 100, TIMES = 4 };
    bool good = true, few = true;
    double until = 0.0;
    for (int k = 0; k < TIMES && good && few; k++) {
        size_t end = end_of_growth(seen);
        few = end > 0 && end < FEW && end < seen->samples && !lia_watch_raised();
        if (!few) break;
        until = seen->times[end];
        LiaComparison closer = {.arena = lia_arena_create()};
        for (int side = 0; side < 2; side++) {
            LiaRunOptions* o = &pair->options[side];
            o->until = &until, o->samples = SAMPLES, o->every = 0.0;
            if (closer.arena && few) run_quietly(pair, o, &closer.motion[side]);
            few = few && closer.motion[side] && closer.motion[side]->rows.count > 0;
        }
        good = closer.arena && (!few || lia_compare_fill(&closer));
        if (good && few) {
            find_parting(check, &closer, pair->motion[0]);
            lia_arena_destroy(seen->arena);
            seen->arena = closer.arena;
            seen->times = closer.times, seen->apart = closer.apart, seen->samples = closer.samples;
            closer.arena = NULL;
        }
        lia_trajectory_destroy(closer.motion[0]);
        lia_trajectory_destroy(closer.motion[1]);
        lia_arena_destroy(closer.arena);
    }
    return good;
}

static LiaCheck* check_of(LiaTrajectory* a, const LiaTrajectory* b) {
    LiaCheck* check = LIA_ARENA_NEW(a->arena, LiaCheck, 1);
    if (!check) return NULL;
    check->difference = LIA_ARENA_NEW(a->arena, double, a->column_count + 1);
    check->size = LIA_ARENA_NEW(a->arena, double, a->column_count + 1);
    check->power = LIA_ARENA_NEW(a->arena, double, a->ledger.count + 1);
    check->work = LIA_ARENA_NEW(a->arena, double, a->ledger.count + 1);
    check->event = LIA_ARENA_NEW(a->arena, double, a->events.count + 1);
    if (!check->difference || !check->size || !check->power || !check->work || !check->event)
        return NULL;
    check->rate = check->parts = NAN;
    for (int k = 0; k < LIA_CHECK_SIZES; k++) check->lost[k] = NAN;
    check->t = b ? b->t : a->t0;
    subtract(check, a, b);
    measure(check, a);
    if (!b) return check;
    check->order = b->effort.order;
    check->steps = b->effort.steps;
    check->status = lia_trajectory_status(b);
    if (b->reason.text)
        check->reason = lia_arena_text(a->arena, b->reason.text, strlen(b->reason.text));
    compare_events(check, a, b);
    return check;
}

// False if memory is out.
static bool compare_both(Pair* pair, LiaCheck* check) {
    LiaTrajectory *a = pair->motion[0], *b = pair->motion[1];
    LiaComparison both = {.motion = {a, b}, .arena = lia_arena_create()};
    bool good = both.arena && lia_compare_fill(&both);
    if (good) {
        if (both.largest < both.count) check->where = both.differences[both.largest].name;
        measure_states(check, &both);
        find_parting(check, &both, a);
        if (both.samples) check->largest = both.apart[both.samples - 1];
        if (!isnan(check->parts)) good = look_closer(pair, check, &both);
    }
    lia_arena_destroy(both.arena);
    return good;
}

static bool take_check(Pair* pair, LiaDiags* diags) {
    LiaTrajectory *a = pair->motion[0], *b = pair->motion[1];
    LiaCheck* check = check_of(a, b);
    if (!check || (b && !compare_both(pair, check))) return false;
    check->verdict = judge(check, a, b);
    warn(check, a, diags);
    a->check = check;
    return true;
}

// Did it take at least 1.7 times as many steps? Those of the first may have been short for reasons
// that its order has. Few steps say nothing; then the longest one does.
static bool narrow_enough(const LiaTrajectory* first, const LiaTrajectory* second) {
    enum { FEW = 8 };
    return first->effort.steps < FEW || lia_trajectory_spent(second) != LIA_SPENT_NOTHING ||
           (double)second->effort.steps >= 1.7 * (double)first->effort.steps;
}

static LiaStatus run_again(Pair* pair) {
    enum { TRIES = 2 };
    const LiaTrajectory* first = pair->motion[0];
    LiaStatus status = LIA_OK;
    bool over = lia_watch_raised() || lia_trajectory_spent(first) != LIA_SPENT_NOTHING;
    if (over || first->rows.count == 0) return LIA_STOPPED;
    pair->options[0].checkpoint = pair->options[0].resume = NULL;
    pair->options[1] = second_options(first, &pair->options[0]);
    pair->options[0].order = first->effort.order;
    for (int k = 0; k < TRIES; k++) {
        lia_trajectory_destroy(pair->motion[1]);
        status = run_quietly(pair, &pair->options[1], &pair->motion[1]);
        const LiaTrajectory* second = pair->motion[1];
        if (!second || narrow_enough(first, second)) break;
        pair->options[1].step_part *=
            NARROWER * (double)second->effort.steps / (double)first->effort.steps;
    }
    return status;
}

LiaStatus lia_motion_check(const LiaSystem* system, const LiaRunOptions* options, LiaDiags* diags,
                           LiaTrajectory** out) {
    if (out) *out = NULL;
    if (!system || !diags || !out || !lia_begin_options_good(options)) return LIA_ARGUMENT;
    Pair pair = {.system = system};
    if (options) pair.options[0] = *options;
    LiaStatus status = lia_motion_run(system, options, diags, &pair.motion[0]);
    if (!pair.motion[0]) return status;
    LiaCall call = lia_call_begin(diags);
    bool good = run_again(&pair) != LIA_MEMORY && take_check(&pair, diags);
    if (good && pair.refused) call = lia_call_begin(diags);
    LiaStatus ended = lia_call_end(&call);
    lia_trajectory_destroy(pair.motion[1]);
    if (good && ended == LIA_OK) {
        *out = pair.motion[0];
        return status;
    }
    lia_trajectory_destroy(pair.motion[0]);
    return ended != LIA_OK ? ended : LIA_MEMORY;
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
