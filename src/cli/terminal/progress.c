// The progress line: time, part done, steps, step size, speed, time left, residual.
//
// At most ten times a second, not at all for runs that are over at once. What does not fit the
// width is left out from the end.
// SPDX-License-Identifier: MIT
#include "cli/terminal/progress.h"
#include "cli/interrupt.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FIRST = 0.3, BETWEEN = 0.1;  // seconds

LiaProgressLine lia_progress_begin(const LiaScreen* screen, bool silent) {
    return (LiaProgressLine){
        .silent = silent || !screen->moves, .width = screen->width, .next = FIRST};
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

void lia_progress_show(void* context, const LiaProgress* progress) {
    LiaProgressLine* state = context;
    lia_interrupt_hold();  // a motion is under way
    if (state->silent || progress->seconds < state->next) {
        return;
    }
    state->next = progress->seconds + BETWEEN;
    double span = progress->t1 - progress->t0, gone = progress->t - progress->t0;
    double part = span != 0 ? gone / span : 1.0;
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
