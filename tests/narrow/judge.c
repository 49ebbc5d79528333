// Both ways on one model. See judge.h.
// SPDX-License-Identifier: MIT
#include "judge.h"
#include "lang/model.h"
#include "motion/result/trajectory.h"
#include "second/second.h"
#include "support/state.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 9, STEPS_MOST = 200000 };
static const double wrong_from = 1e-6, agree_within = 1e-8, tolerance = 1e-13;

const char* verdict_word(Verdict verdict) {
    static const char* const words[] = {
#define X(name, word) word,
        VERDICTS(X)
#undef X
    };
    return words[verdict];
}

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

// --- the second way ----------------------------------------------------------------------------

// Numbers at samples: q, v, forces, observables, works; and events.
typedef struct Way {
    Second* second;
    int n, rows, lines, observes, width;
    double* values;  // SAMPLES x width
    double* sizes;   // 2 n + lines: largest met
    SecondEvent* events;
    uint32_t event_count;
    double t_failed;
    bool good;
} Way;

static double* way_row(const Way* w, int k) { return w->values + (size_t)k * (size_t)w->width; }

static double sample_time(const LiaModel* model, int k) {
    double t0 = model->run.t0, t1 = model->run.t1;
    return k == SAMPLES - 1 ? t1 : t0 + (t1 - t0) * k / (SAMPLES - 1);
}

static void way_record(Way* w, const LiaModel* model, int k, double t, const double* q,
                       const double* v, const double* work) {
    double* x = way_row(w, k);
    size_t n = (size_t)w->n;
    memcpy(x, q, n * sizeof *x);
    memcpy(x + n, v, n * sizeof *x);
    if (!second_solve(w->second, t, q, v, NULL, x + 2 * n)) w->good = false;
    double* y = x + 2 * w->n + w->rows;
    for (uint32_t i = 0; i < model->observes_count; i++)
        *y++ = second_term(w->second, model->observes[i].term, t, q, v, work) *
               model->observes[i].scale;
    memcpy(y, work, (size_t)w->lines * sizeof *y);
}

// From the state given, or from the second way's own start where there is none.
static Way way_run(const LiaModel* model, const double* q0, const double* v0, SecondWatch watch) {
    Way w = {.second = second_create(model), .observes = (int)model->observes_count};
    if (!w.second) return w;
    w.n = second_n(w.second);
    w.rows = second_rows(w.second);
    w.lines = second_lines(w.second);
    w.width = 2 * w.n + w.rows + w.observes + w.lines;
    w.values = calloc((size_t)(SAMPLES * w.width) + 1, sizeof *w.values);
    w.sizes = calloc((size_t)(2 * w.n + w.lines) + 1, sizeof *w.sizes);
    double* q = calloc((size_t)(2 * w.n + w.lines) + 1, sizeof *q);
    double *v = q + w.n, *work = v + w.n;
    w.good = true;
    if (q0) {
        memcpy(q, q0, (size_t)w.n * sizeof *q);
        memcpy(v, v0, (size_t)w.n * sizeof *v);
    } else {
        w.good = second_start(w.second, model->run.t0, q, v);
    }
    second_watch(w.second, watch);
    double t = w.t_failed = model->run.t0;
    for (int k = 0; k < SAMPLES && w.good; k++) {
        double next = sample_time(model, k);
        w.good = next == t || second_run(w.second, t, next, tolerance, q, v, work);
        if (!w.good) break;
        w.t_failed = t = next;
        way_record(&w, model, k, t, q, v, work);
    }
    memcpy(w.sizes, second_sizes(w.second), (size_t)(2 * w.n + w.lines) * sizeof *w.sizes);
    const SecondEvent* found = second_found(w.second, &w.event_count);
    uint32_t kept = w.event_count < SECOND_EVENTS_MOST ? w.event_count : SECOND_EVENTS_MOST;
    w.events = calloc((size_t)kept + 1, sizeof *w.events);
    memcpy(w.events, found, kept * sizeof *found);
    free(q);
    return w;
}

static void way_clear(Way* w) {
    second_destroy(w->second);
    free(w->values);
    free(w->sizes);
    free(w->events);
}

// --- scales ------------------------------------------------------------------------------------

static double largest(const double* x, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// By what a number is measured: the largest of its own that was met; one that stays small by a
// thousandth of the largest of its kind.
static double* scales_of(const Way* w) {
    double* scale = calloc((size_t)w->width + 1, sizeof *scale);
    const int n = w->n, works = 2 * n + w->rows + w->observes;
    for (int kind = 0; kind < 3; kind++) {
        const double* size = w->sizes + kind * n;
        int count = kind < 2 ? n : w->lines;
        double least = fmax(1e-3 * largest(size, count), kind < 2 ? 1e-6 : 1e-3);
        for (int i = 0; i < count; i++)
            scale[(kind < 2 ? kind * n : works) + i] = fmax(size[i], least);
    }
    for (int i = 2 * n; i < works; i++) {
        scale[i] = 1e-3;
        for (int k = 0; k < SAMPLES; k++) scale[i] = fmax(scale[i], fabs(way_row(w, k)[i]));
    }
    return scale;
}

static void differ(Judgement* out, double off, const char* format, ...) {
    if (isnan(off)) off = INFINITY;
    if (off <= out->off) return;
    out->off = off;
    va_list args;
    va_start(args, format);
    vsnprintf(out->where, sizeof out->where, format, args);
    va_end(args);
}

// Both not known, as an observable outside its domain, is no difference.
static double distance(double x, double y) {
    if (isnan(x) && isnan(y)) return 0.0;
    return x == y ? 0.0 : fabs(x - y);
}

static void number_name(const Way* w, const LiaModel* model, int i, char* out, size_t size) {
    int works = 2 * w->n + w->rows + w->observes;
    if (i < 2 * w->n) {
        snprintf(out, size, "%s%s", model->coordinates[i % w->n].name, i < w->n ? "" : "'");
    } else if (i < 2 * w->n + w->rows) {
        snprintf(out, size, "force of equation %d", i - 2 * w->n + 1);
    } else if (i < works) {
        snprintf(out, size, "%s", model->observes[i - 2 * w->n - w->rows].name);
    } else {
        snprintf(out, size, "work of line %d", i - works + 1);
    }
}

static void differ_events(Judgement* out, const LiaModel* model, const SecondEvent* a,
                          uint32_t a_count, const SecondEvent* b, uint32_t b_count) {
    double span = fabs(model->run.t1 - model->run.t0);
    if (a_count != b_count) {
        differ(out, INFINITY, "%u events, should be %u", a_count, b_count);
        return;
    }
    for (uint32_t i = 0; i < a_count && i < SECOND_EVENTS_MOST; i++) {
        double off = a[i].event == b[i].event && a[i].direction == b[i].direction
                         ? fabs(a[i].t - b[i].t) / span
                         : INFINITY;
        differ(out, off, "event %s at %.12g, should be %s at %.12g", model->events[a[i].event].name,
               a[i].t, model->events[b[i].event].name, b[i].t);
    }
}

// What half steps change.
static void differ_ways(Judgement* out, const LiaModel* model, const Way* a, const Way* b,
                        const double* scale) {
    char name[64];
    for (int k = 0; k < SAMPLES; k++) {
        for (int i = 0; i < a->width; i++) {
            double x = way_row(a, k)[i], y = way_row(b, k)[i];
            number_name(a, model, i, name, sizeof name);
            differ(out, distance(x, y) / scale[i], "%s at t = %g: %.15g, with half steps %.15g",
                   name, sample_time(model, k), x, y);
        }
    }
    differ_events(out, model, a->events, a->event_count, b->events, b->event_count);
}

// --- the program -------------------------------------------------------------------------------

static SecondEvent* events_of(const LiaTrajectory* t, const LiaModel* model) {
    SecondEvent* list = calloc(t->events.count + 1, sizeof *list);
    for (size_t i = 0; i < t->events.count; i++) {
        uint32_t k = 0;
        while (k < model->events_count &&
               strcmp(model->events[k].name, t->events.list[i].name) != 0)
            k++;
        list[i] = (SecondEvent){k, t->events.list[i].t, t->events.list[i].direction};
    }
    return list;
}

static void differ_states(Judgement* out, const LiaTrajectory* t, const LiaModel* model,
                          const Way* w, const double* scale) {
    char name[64];
    double* x = calloc((size_t)(2 * w->n) + 1, sizeof *x);
    for (int k = 0; k < SAMPLES; k++) {
        state_of_row(t, model, (size_t)k, x, x + w->n);
        for (int i = 0; i < 2 * w->n; i++) {
            double y = way_row(w, k)[i];
            number_name(w, model, i, name, sizeof name);
            differ(out, distance(x[i], y) / scale[i], "%s at t = %g: %.15g, should be %.15g", name,
                   sample_time(model, k), x[i], y);
        }
    }
    free(x);
}

// Forces (where they are unique) and observables at the samples.
static void differ_columns(Judgement* out, const LiaTrajectory* t, const LiaModel* model,
                           const Way* w, const double* scale) {
    for (size_t c = 0; c < t->csv_count; c++) {
        const LiaColumn* column = &t->columns[c];
        int i = -1;
        if (column->kind == LIA_COLUMN_FORCE && t->constraints.list[column->index].unique) {
            i = 2 * w->n + (int)column->part;
            for (uint32_t e = 0; e < column->index; e++)
                i += (int)model->constraints[e].equation_count;
        } else if (column->kind == LIA_COLUMN_OBSERVE) {
            for (uint32_t e = 0; e < model->observes_count; e++) {
                if (strcmp(model->observes[e].name, column->name) == 0)
                    i = 2 * w->n + w->rows + (int)e;
            }
        }
        for (int k = 0; k < SAMPLES && i >= 0; k++) {
            double x = lia_trajectory_value(t, (size_t)k, c), y = way_row(w, k)[i];
            differ(out, distance(x, y) / scale[i], "%s at t = %g: %.15g, should be %.15g",
                   column->name, sample_time(model, k), x, y);
        }
    }
}

// The line of the second way that a line of the ledger is; -1: none.
static int line_of(const LiaModel* model, const LiaLedgerLine* line, int* constraint, int* force) {
    int constraints = (int)model->constraints_count, forces = (int)model->forces_count;
    switch (line->kind) {
    case LIA_LINE_CONSTRAINT:
    case LIA_LINE_OPERATOR:
        return (*constraint)++;
    case LIA_LINE_FORCE:
        return constraints + (*force)++;
    case LIA_LINE_DISSIPATION:
        return constraints + forces;
    case LIA_LINE_TIME:
        return constraints + forces + 1;
    default:
        return -1;
    }
}

static void differ_works(Judgement* out, const LiaTrajectory* t, const LiaModel* model,
                         const Way* w, const double* scale) {
    int constraint = 0, force = 0, first = 2 * w->n + w->rows + w->observes;
    for (size_t i = 0; i < t->ledger.count; i++) {
        int k = line_of(model, &t->ledger.lines[i], &constraint, &force);
        if (k < 0) continue;
        double y = way_row(w, SAMPLES - 1)[first + k];
        differ(out, distance(t->ledger.lines[i].work, y) / scale[first + k],
               "work of %s: %.15g, should be %.15g", t->ledger.lines[i].name,
               t->ledger.lines[i].work, y);
    }
}

static void compare(Judgement* out, const LiaTrajectory* t, const LiaModel* model, const Way* w,
                    const double* scale) {
    if (lia_trajectory_rows(t) != SAMPLES) {
        differ(out, INFINITY, "%zu samples", lia_trajectory_rows(t));
        return;
    }
    differ_states(out, t, model, w, scale);
    differ_columns(out, t, model, w, scale);
    differ_works(out, t, model, w, scale);
    SecondEvent* events = events_of(t, model);
    differ_events(out, model, events, (uint32_t)t->events.count, w->events, w->event_count);
    free(events);
}

// --- the verdict -------------------------------------------------------------------------------

static void say(Judgement* out, Verdict verdict, const Motion* m) {
    out->verdict = verdict;
    char* said = m->t ? NULL : lia_diags_text(m->diags);
    const char* reason = m->t ? lia_trajectory_reason(m->t) : said;
    const char* code = m->t && m->t->reason.code ? m->t->reason.code : "";
    snprintf(out->where, sizeof out->where, "%s t = %g: %.250s", code, m->t ? m->t->t : 0.0,
             reason ? reason : "?");
    for (char* c = out->where; *c; c++) *c = *c == '\n' ? ' ' : *c;
    lia_free(said);
}

// Does the second way agree with its half steps? If not, it is said where it does not.
static SecondWatch half_steps(int steps_most) {
    return (SecondWatch){.fraction = 0.5, .steps_most = 2 * steps_most};
}

static bool confirmed(Judgement* out, const LiaModel* model, const double* q, const Way* one,
                      const double* scale, int steps_most) {
    Way half = way_run(model, q, q ? q + model->coordinates_count : NULL, half_steps(steps_most));
    Judgement agreed = {0};
    if (half.good) {
        differ_ways(&agreed, model, one, &half, scale);
    } else {
        differ(&agreed, INFINITY, "the second way with half steps ends at t = %g", half.t_failed);
    }
    way_clear(&half);
    if (agreed.off <= agree_within) return true;
    out->verdict = VERDICT_UNJUDGED;
    out->off = agreed.off;
    snprintf(out->where, sizeof out->where, "%s", agreed.where);
    return false;
}

// Half steps are made only where somebody is to be blamed.
static void judge_motion(Judgement* out, const Motion* m, size_t warnings, const double* q,
                         const Way* one, int steps_most) {
    if (!one->good) {
        out->verdict = VERDICT_UNJUDGED;
        snprintf(out->where, sizeof out->where, "the second way ends at t = %g", one->t_failed);
        return;
    }
    double* scale = scales_of(one);
    if (m->status == LIA_OK) compare(out, m->t, m->model, one, scale);
    if (m->status == LIA_OK && out->off <= wrong_from) {
        out->verdict = VERDICT_OK;
    } else if (confirmed(out, m->model, q, one, scale, steps_most)) {
        bool warned = lia_diags_count(m->diags) > warnings;
        out->verdict = warned ? VERDICT_WARNED : VERDICT_WRONG;
        if (m->status != LIA_OK) say(out, VERDICT_STOPPED, m);
    }
    free(scale);
}

// Parse, build and run, and how many diagnostics there were before the run.
static Motion run(const char* text, size_t* warnings) {
    const LiaRunOptions options = {.samples = SAMPLES, .steps_most = STEPS_MOST};
    Motion m = {.diags = lia_diags_create()};
    m.status = lia_model_parse("narrow.lia", text, strlen(text), NULL, m.diags, &m.model);
    if (m.status == LIA_OK) m.status = lia_system_build(m.model, NULL, m.diags, &m.system);
    *warnings = lia_diags_count(m.diags);
    if (m.status == LIA_OK) m.status = lia_motion_run(m.system, &options, m.diags, &m.t);
    return m;
}

// The state the program began with; NULL: it did not begin.
static double* start_of(const Motion* m) {
    if (!m->t || !lia_trajectory_rows(m->t)) return NULL;
    size_t n = m->model->coordinates_count;
    double* q = calloc(2 * n + 1, sizeof *q);
    state_of_row(m->t, m->model, 0, q, q + n);
    return q;
}

void judge_text(const char* text, int steps_most, Judgement* out) {
    *out = (Judgement){0};
    size_t warnings;
    double begun = now();
    Motion m = run(text, &warnings);
    out->seconds = now() - begun;
    out->steps = m.t ? m.t->effort.steps : 0;
    if (!m.model) {
        say(out, VERDICT_UNREAD, &m);
    } else {
        double* q = start_of(&m);
        const double* v = q ? q + m.model->coordinates_count : NULL;
        Way one = way_run(m.model, q, v, (SecondWatch){.fraction = 1.0, .steps_most = steps_most});
        judge_motion(out, &m, warnings, q, &one, steps_most);
        way_clear(&one);
        free(q);
    }
    motion_clear(&m);
    out->seconds_judge = now() - begun - out->seconds;
}

// --- expectations ------------------------------------------------------------------------------

static void print_expectations(const Way* one, const Way* half, const LiaModel* model) {
    double* scale = scales_of(one);
    char name[128];
    for (int i = 0; i < one->width; i++) {
        double x = way_row(half, SAMPLES - 1)[i], y = way_row(one, SAMPLES - 1)[i];
        int line = i - 2 * one->n - one->rows - one->observes;
        number_name(one, model, i, name, sizeof name);
        if (i >= 2 * one->n && i < 2 * one->n + one->rows) continue;
        if (line >= 0) {
            int forces = (int)model->forces_count, constraints = (int)model->constraints_count;
            const char* of = line < constraints             ? model->constraints[line].name
                             : line < constraints + forces  ? model->forces[line - constraints].name
                             : line == constraints + forces ? "dissipation"
                                                            : "time";
            if (fabs(x) < 1e-9 * scale[i]) continue;
            snprintf(name, sizeof name, "work(%s)", of);
        }
        printf("# expect %s = %.13g +- %.1g\n", name, x,
               fmax(1e-8 * scale[i], 10.0 * distance(x, y)));
    }
    for (uint32_t i = 0; i < half->event_count && i < 20; i++)
        printf("# expect event %s at %.13g\n", model->events[half->events[i].event].name,
               half->events[i].t);
    free(scale);
}

int judge_expect(const char* text) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    int good = 0;
    if (lia_model_parse("narrow.lia", text, strlen(text), NULL, diags, &model) != LIA_OK) {
        char* said = lia_diags_text(diags);
        printf("%s\n", said);
        lia_free(said);
    } else {
        Way one = way_run(model, NULL, NULL, (SecondWatch){.fraction = 1.0}),
            half = way_run(model, NULL, NULL, half_steps(0));
        Judgement d = {0};
        if (one.good && half.good) {
            double* scale = scales_of(&one);
            differ_ways(&d, model, &one, &half, scale);
            printf("# steps %llu and %llu; half steps change %.1e %s\n",
                   (unsigned long long)second_steps(one.second),
                   (unsigned long long)second_steps(half.second), d.off, d.where);
            free(scale);
            print_expectations(&one, &half, model);
            good = d.off <= agree_within;
        } else {
            printf("# the second way ends at t = %g\n", one.t_failed);
        }
        way_clear(&one);
        way_clear(&half);
    }
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    return good;
}

double judge_leaps(const char* text, double longest) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    double off = NAN;
    if (lia_model_parse("narrow.lia", text, strlen(text), NULL, diags, &model) == LIA_OK) {
        Way one = way_run(model, NULL, NULL, (SecondWatch){.fraction = 1.0});
        Way plain =
            way_run(model, NULL, NULL, (SecondWatch){.fraction = 1e300, .longest = longest});
        if (one.good && plain.good) {
            Judgement d = {0};
            double* scale = scales_of(&one);
            differ_ways(&d, model, &one, &plain, scale);
            Judgement doubt = {0};
            if (d.off <= agree_within || confirmed(&doubt, model, NULL, &one, scale, 0))
                off = d.off;
            free(scale);
        }
        way_clear(&one);
        way_clear(&plain);
    }
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    return off;
}
