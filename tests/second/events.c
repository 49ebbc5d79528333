// Events along the second way: instants at which left minus right passes zero.
//
// Steps that are watched are short against everything in the formulas, those of events included;
// each is looked at in five parts, and an instant is found by steps of other lengths from where the
// step began.
// SPDX-License-Identifier: MIT
#include "dop853.h"
#include "parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 5 };

static size_t state_size(const Second* s) { return 2 * (size_t)s->n + (size_t)s->lines; }

void second_events_create(Second* s) {
    size_t events = s->model->events_count, size = state_size(s);
    s->event = calloc(events + 1, sizeof *s->event);
    s->found = calloc(SECOND_EVENTS_MOST, sizeof *s->found);
    s->event_before = calloc(events + 1, sizeof *s->event_before);
    s->y_before = calloc(size + 1, sizeof *s->y_before);
    s->k_before = calloc(size + 1, sizeof *s->k_before);
    s->y_inside = calloc(size + 1, sizeof *s->y_inside);
    s->size = calloc(size + 1, sizeof *s->size);
    for (size_t i = 0; i < events; i++) s->event[i] = second_lower(s, s->model->events[i].term);
}

void second_events_destroy(Second* s) {
    free(s->event);
    free(s->found);
    free(s->event_before);
    free(s->y_before);
    free(s->k_before);
    free(s->y_inside);
    free(s->size);
}

static double event_at(Second* s, uint32_t i, double t, const double* y) {
    second_set(s, t, y, y + s->n);
    s->work_now = y + 2 * s->n;
    return second_evaluate(s, s->event[i]);
}

// The state at a time inside the step that began last.
static const double* inside(Second* s, const Dop853* problem, double t) {
    bool good =
        dop853_step(problem, s->t_before, s->y_before, s->k_before, t - s->t_before, s->y_inside);
    return good ? s->y_inside : s->y_before;
}

static void add(Second* s, uint32_t i, double t, int direction) {
    int wanted = s->model->events[i].direction;
    if (wanted && wanted != direction) return;
    if (s->found_count < SECOND_EVENTS_MOST)
        s->found[s->found_count] = (SecondEvent){.event = i, .t = t, .direction = direction};
    s->found_count++;
}

// Between a and b, where the event is of different signs: Illinois.
static double root(Second* s, const Dop853* problem, uint32_t i, double a, double ga, double b,
                   double gb) {
    for (int round = 0; round < 60 && fabs(b - a) > 4e-16 * fabs(b); round++) {
        double c = round % 3 == 2 ? (a + b) / 2.0 : (a * gb - b * ga) / (gb - ga);
        double gc = event_at(s, i, c, inside(s, problem, c));
        if (gc == 0.0) return c;
        if ((gc > 0.0) == (gb > 0.0)) {
            b = c;
            gb = gc;
            ga /= 2.0;
        } else {
            a = b;
            ga = gb;
            b = c;
            gb = gc;
        }
    }
    return b;
}

static void keep(Second* s, const Dop853* problem, double t, const double* y) {
    size_t size = state_size(s);
    s->t_before = t;
    memcpy(s->y_before, y, size * sizeof *y);
    if (s->model->events_count) problem->rate(problem->context, t, y, s->k_before);
    for (size_t i = 0; i < size; i++) s->size[i] = fmax(s->size[i], fabs(y[i]));
    for (uint32_t i = 0; i < s->model->events_count; i++) s->event_before[i] = event_at(s, i, t, y);
}

void second_events_begin(Second* s, const Dop853* problem, double t, const double* y) {
    keep(s, problem, t, y);
}

void second_events_look(Second* s, const Dop853* problem, double t, const double* y) {
    s->steps++;
    double length = t - s->t_before;
    for (uint32_t i = 0; i < s->model->events_count; i++) {
        double a = s->t_before, ga = s->event_before[i];
        for (int k = 1; k <= PARTS; k++) {
            double b = k == PARTS ? t : s->t_before + length * k / PARTS;
            double gb = event_at(s, i, b, k == PARTS ? y : inside(s, problem, b));
            if (ga != 0.0 && (ga > 0.0) != (gb > 0.0)) {
                int direction = ((gb > ga) == (length > 0.0)) ? 1 : -1;
                add(s, i, root(s, problem, i, a, ga, b, gb), direction);
            }
            a = b;
            ga = gb;
        }
    }
    keep(s, problem, t, y);
}
