// The progress line: time, part done, steps, step size, speed, time left, residual.
//
// At most ten times a second, not at all for runs that are over at once. What does not fit the
// width is left out from the end.
// SPDX-License-Identifier: MIT
#include "cli/terminal/progress.h"
#include "cli/interrupt.h"
#include "cli/terminal/print.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FIRST = 0.3, BETWEEN = 0.1;     // seconds
static const double NOTED_AFTER = 5.0, FAR = 60.0;  // seconds: gone, and left
static const double VIBRATIONS_MANY = 1e4;

LiaProgressLine lia_progress_begin(const LiaScreen* screen, bool silent, bool quiet) {
    return (LiaProgressLine){.silent = silent || quiet || !screen->moves,
                             .width = screen->width,
                             .next = FIRST,
                             .noted = quiet};
}

// 8 s, 3 min, 2 h, 5 days
static void duration(char* out, size_t size, double seconds) {
    if (seconds < 100) {
        snprintf(out, size, "%.0f s", seconds);
    } else if (seconds < 100 * 60.0) {
        snprintf(out, size, "%.0f min", seconds / 60);
    } else if (seconds < 72 * 3600.0) {
        snprintf(out, size, "%.0f h", seconds / 3600);
    } else {
        snprintf(out, size, "%.3g days", seconds / 86400);
    }
}

// Add a part if it fits in what is left of the width.
static void add(char* line, size_t width, const char* part) {
    size_t length = strlen(line), more = strlen(part) + (length > 0 ? 2 : 0);
    if (length + more < width) {
        if (length > 0) {
            strcat(line, "  ");
        }
        strcat(line, part);
    }
}

// Once, on any stderr: the end is minutes or more away. Nobody is to wait in silence for a motion
// that is too fast.
static void note_far(LiaProgressLine* state, const LiaProgress* progress, double part) {
    double left = progress->seconds * (1 - part) / part;
    if (state->noted || progress->seconds < NOTED_AFTER || !(left > FAR)) {
        return;
    }
    state->noted = true;
    lia_progress_end(state);
    char time[40], times[80] = "";
    duration(time, sizeof time, left);
    const double turn = 6.283185307179586;
    double vibrations = progress->rate * fabs(progress->t1 - progress->t0) / turn;
    if (vibrations > VIBRATIONS_MANY) {
        snprintf(times, sizeof times, ", in which the motion vibrates about %.1g times",
                 vibrations);
    }
    lia_print_error(
        "t = %.5g of %.5g after %.0f s, with steps of %.1e%s: the end is about %s away%s",
        progress->t, progress->t1, progress->seconds, fabs(progress->step),
        progress->stiff > 0 ? " (it is stiff)" : "", time, times);
    fprintf(stderr,
            "    = Ctrl-C or '--time 60' ends it with what was reached; hard springs and strong "
            "dampers are better written as constraints\n");
    fflush(stderr);
}

void lia_progress_show(void* context, const LiaProgress* progress) {
    LiaProgressLine* state = context;
    lia_interrupt_hold();  // a motion is under way
    double span = progress->t1 - progress->t0, gone = progress->t - progress->t0;
    double part = span != 0 ? gone / span : 1.0;
    note_far(state, progress, part);
    if (state->silent || progress->seconds < state->next) {
        return;
    }
    state->next = progress->seconds + BETWEEN;
    char line[512] = "", text[160], left[40];
    size_t width = (size_t)state->width < sizeof line ? (size_t)state->width : sizeof line - 1;
    snprintf(text, sizeof text, "t = %.5g of %.5g", progress->t, progress->t1);
    add(line, width, text);
    snprintf(text, sizeof text, "%.0f%%", floor(100 * part));
    add(line, width, text);
    if (part > 0) {
        duration(left, sizeof left, progress->seconds * (1 - part) / part);
        snprintf(text, sizeof text, "%s left", left);
        add(line, width, text);
    }
    snprintf(text, sizeof text, "%llu steps", (unsigned long long)progress->steps);
    add(line, width, text);
    double speed = (double)progress->steps / progress->seconds;
    snprintf(text, sizeof text, speed < 10 ? "%.2g steps/s" : "%.0f steps/s", speed);
    add(line, width, text);
    snprintf(text, sizeof text, "step %.2g", progress->step);
    add(line, width, text);
    if (progress->stiff > 0) {
        snprintf(text, sizeof text, "stiff: rate %.1g", progress->stiff);
        add(line, width, text);
    }
    snprintf(text, sizeof text, "residual %.1g", progress->residual);
    add(line, width, text);
    fprintf(stderr, "\r\x1b[2K%s", line);
    fflush(stderr);
    state->shown = true;
}

void lia_progress_end(LiaProgressLine* line) {
    if (line->shown) {
        fputs("\r\x1b[2K", stderr);
        fflush(stderr);
        line->shown = false;
    }
}
