// The same random model in other coordinates.
// SPDX-License-Identifier: MIT
#include "generator_parts.h"
#include <math.h>

// x_i = w_i + a_i sin(w_j + b_i) + c_i cos(2 t): near the identity, so that it can be inverted.
typedef struct Change {
    int n, partner[GENERATOR_MOST];
    double a[GENERATOR_MOST], b[GENERATOR_MOST], c[GENERATOR_MOST];
} Change;

static double change_value(const Change* k, int i, const double* w, double t) {
    return w[i] + k->a[i] * sin(w[k->partner[i]] + k->b[i]) + k->c[i] * cos(2.0 * t);
}

// The solution of (dx/dw) y = b by iteration: the change is small.
static void change_inverse(const Change* k, const double* w, const double* b, double* y) {
    for (int i = 0; i < k->n; i++) y[i] = b[i];
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < k->n; i++) {
            y[i] = b[i] - k->a[i] * cos(w[k->partner[i]] + k->b[i]) * y[k->partner[i]];
        }
    }
}

const char* generator_twin(const Generated* model, uint64_t seed, const double* q, const double* v,
                           bool* moves) {
    LiaArena* arena = model->arena;
    Random r = {seed ^ 0x5bd1e995u};
    r.state = random_bits(&r);
    Change k = {.n = model->n};
    bool moving = random_chance(&r, 0.3);
    *moves = moving;
    for (int i = 0; i < k.n; i++) {
        k.partner[i] = random_whole(&r, 0, k.n - 1);
        k.a[i] = round(random_between(&r, -0.5, 0.5) * 100.0) / 100.0;
        k.b[i] = round(random_between(&r, -1.0, 1.0) * 100.0) / 100.0;
        k.c[i] = moving ? round(random_between(&r, -0.5, 0.5) * 100.0) / 100.0 : 0.0;
    }
    double w[GENERATOR_MOST] = {0}, b[GENERATOR_MOST] = {0}, dw[GENERATOR_MOST] = {0};
    for (int i = 0; i < k.n; i++) w[i] = q[i];
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < k.n; i++) b[i] = q[i] - change_value(&k, i, w, model->t0);
        change_inverse(&k, w, b, dw);
        for (int i = 0; i < k.n; i++) w[i] += dw[i];
    }
    for (int i = 0; i < k.n; i++) b[i] = v[i] + k.c[i] * 2.0 * sin(2.0 * model->t0);
    change_inverse(&k, w, b, dw);

    LiaText text = {0};
    lia_text_add(&text, "model twin_%llu\n", (unsigned long long)model->seed);
    if (generator_has(model, FEATURE_FAMILY)) lia_text_add(&text, "parameter N = %d\n", k.n);
    for (int i = 0; i < k.n; i++) lia_text_add(&text, "coordinate b%d : line\n", i + 1);
    for (int i = 0; i < k.n; i++) {
        lia_text_add(&text, "let %s = b%d + (%g)*sin(b%d + (%g))", model->names[i], i + 1, k.a[i],
                     k.partner[i] + 1, k.b[i]);
        if (moving) lia_text_add(&text, " + (%g)*cos(2*t)", k.c[i]);
        lia_text_add(&text, "\n");
    }
    lia_text_add(&text, "%s", model->body);
    for (int i = 0; i < k.n; i++) {
        lia_text_add(&text, "%sb%d = %.17g, b%d' = %.17g", i ? ", " : "start ", i + 1, w[i], i + 1,
                     dw[i]);
    }
    lia_text_add(&text, "\n%s", model->run);
    const char* copy = lia_arena_printf(arena, "%s", text.data);
    lia_text_clear(&text);
    return copy;
}
