// Random systems with contacts. See world.h.
// SPDX-License-Identifier: MIT
#include "world.h"
#include "support/random.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void make_masses(Random* r, World* w) {
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < i; j++) w->M[i][j] = w->M[j][i] = random_between(r, -0.3, 0.3);
        w->M[i][i] = random_between(r, 1.2, 2.5);
    }
    w->wobble = w->n > 1 && random_chance(r, 0.6) ? random_between(r, 0.1, 0.4) : 0.0;
    w->damping = random_chance(r, 0.3) ? random_between(r, 0.05, 0.4) : 0.0;
    for (int i = 0; i < w->n; i++) {
        w->stiffness[i] = random_chance(r, 0.5) ? random_between(r, 0.2, 4.0) : 0.0;
        w->rest[i] = random_between(r, -0.5, 0.5);
    }
}

static double gap_at(const World* w, const WorldContact* k) {
    double sum = k->c;
    for (int i = 0; i < w->n; i++) sum += k->a[i] * w->q[i] + k->b[i] * w->q[i] * w->q[i] / 2.0;
    return sum;
}

static void make_contact(Random* r, World* w, WorldContact* k, int slips) {
    static const double restitutions[] = {0.0, 0.0, 0.3, 0.7, 1.0};
    for (int i = 0; i < w->n; i++) {
        k->a[i] = random_signed(r, 0.2, 1.0);
        k->b[i] = random_chance(r, 0.5) ? random_between(r, -0.3, 0.3) : 0.0;
    }
    k->restitution = restitutions[random_whole(r, 0, 4)];
    k->slips = slips;
    for (int d = 0; d < slips; d++) {
        for (int i = 0; i < w->n; i++) k->s[d][i] = random_signed(r, 0.2, 1.0);
        k->belt[d] = random_chance(r, 0.4) ? random_signed(r, 0.1, 0.8) : 0.0;
    }
    k->friction = slips ? random_between(r, 0.05, 0.5) : 0.0;
    k->static_friction = k->friction * (random_chance(r, 0.4) ? random_between(r, 1.05, 1.6) : 1.0);
    if (slips == 2) k->restitution = 0.0;
    k->c = random_between(r, 0.05, 0.6) - gap_at(w, k);
}

// The velocity of one coordinate so that the constraint holds.
static void hold(Random* r, World* w) {
    double rate = 0.0, value = 0.0;
    for (int i = 0; i < w->n; i++) {
        w->hold_a[i] = random_signed(r, 0.3, 1.0);
        w->hold_b[i] = random_chance(r, 0.5) ? random_between(r, -0.3, 0.3) : 0.0;
        value += w->hold_a[i] * w->q[i] + w->hold_b[i] * w->q[i] * w->q[i] / 2.0;
    }
    w->hold_c = -value;
    for (int i = 1; i < w->n; i++) rate += (w->hold_a[i] + w->hold_b[i] * w->q[i]) * w->v[i];
    w->v[0] = -rate / (w->hold_a[0] + w->hold_b[0] * w->q[0]);
}

// Masses, a start, perhaps an operator and a constraint; `free` coordinates are to spare for these.
static void make_body(Random* r, World* w, int free) {
    make_masses(r, w);
    for (int i = 0; i < w->n; i++) {
        w->q[i] = random_between(r, -0.5, 0.5);
        w->v[i] = random_between(r, -1.0, 1.0);
    }
    w->driven = free > 0 && random_chance(r, 0.3);
    if (w->driven) {
        int last = w->n - 1;
        w->middle = random_between(r, -0.2, 0.2), w->amplitude = random_between(r, 0.1, 0.5);
        w->rate = random_between(r, 1.0, 5.0), w->phase = random_between(r, 0.0, 3.0);
        w->q[last] = w->middle + w->amplitude * sin(w->phase);
        w->v[last] = w->amplitude * w->rate * cos(w->phase);
        free--;
    }
    w->held = free > 0 && random_chance(r, 0.4);
    if (w->held) hold(r, w);
}

// Two or three contacts, on which gravity presses.
static void make_rough(Random* r, World* w) {
    w->n = random_whole(r, 3, WORLD_N);
    make_body(r, w, w->n - 2);
    w->contacts = random_whole(r, 2, WORLD_CONTACTS);
    for (int i = 0; i < w->contacts; i++)
        make_contact(r, w, &w->contact[i], i == 0 || random_chance(r, 0.75));
    double strength = random_between(r, 2.0, 9.81);
    for (int i = 0; i < w->n; i++) {
        w->weight[i] = random_between(r, -1.0, 1.0);
        for (int k = 0; k < w->contacts; k++) w->weight[i] += 0.6 * strength * w->contact[k].a[i];
    }
    w->end = 4.0;
}

void world_make(uint64_t seed, World* w) {
    Random random = {seed * 0x9e3779b97f4a7c15u + 12345u}, *r = &random;
    memset(w, 0, sizeof *w);
    if (seed >= WORLD_ROUGH) {
        make_rough(r, w);
        return;
    }
    int slips = random_chance(r, 0.5) ? 0 : random_chance(r, 0.75) ? 1 : 2;
    w->n = random_whole(r, slips + 1, 4);
    make_body(r, w, w->n - slips - 1);
    w->contacts = slips ? 1 : random_whole(r, 1, w->n < WORLD_CONTACTS ? w->n : WORLD_CONTACTS);
    for (int i = 0; i < w->contacts; i++) make_contact(r, w, &w->contact[i], slips);
    double strength = random_between(r, 2.0, 9.81);  // gravity presses on the first contact
    for (int i = 0; i < w->n; i++) {
        w->weight[i] = strength * w->contact[0].a[i] + random_between(r, -1.0, 1.0);
    }
    w->end = 4.0;
}

typedef struct Out {
    char* at;
    size_t room;
    bool full;
} Out;

__attribute__((format(printf, 2, 3))) static void add(Out* out, const char* format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(out->at, out->room, format, list);
    va_end(list);
    out->full = out->full || length < 0 || (size_t)length >= out->room;
    if (!out->full) out->at += length, out->room -= (size_t)length;
}

static void add_quadratic(Out* out, int n, double c, const double* a, const double* b) {
    add(out, "%.17g", c);
    for (int i = 0; i < n; i++) {
        add(out, " + (%.17g)*x%d", a[i], i + 1);
        if (b[i] != 0.0) add(out, " + (%.17g)*x%d^2", b[i] / 2.0, i + 1);
    }
}

static void add_energies(Out* out, const World* w) {
    add(out, "coordinate ");
    for (int i = 0; i < w->n; i++) add(out, "%sx%d", i ? ", " : "", i + 1);
    add(out, " : line\nkinetic 0");
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < w->n; j++) {
            add(out, " + (%.17g)*x%d'*x%d'", w->M[i][j] / 2.0, i + 1, j + 1);
        }
    }
    if (w->wobble != 0.0) add(out, " + %.17g*sin(x1)*x2'^2", w->wobble / 2.0);
    add(out, "\npotential 0");
    for (int i = 0; i < w->n; i++) {
        add(out, " + (%.17g)*x%d + %.17g*(x%d - (%.17g))^2", w->weight[i], i + 1,
            w->stiffness[i] / 2.0, i + 1, w->rest[i]);
    }
    add(out, "\n");
    if (w->damping == 0.0) return;
    add(out, "dissipation 0");
    for (int i = 0; i < w->n; i++) add(out, " + %.17g*x%d'^2", w->damping / 2.0, i + 1);
    add(out, "\n");
}

static void add_slip(Out* out, int n, const WorldContact* k, int d) {
    add(out, "%.17g", k->belt[d]);
    for (int i = 0; i < n; i++) add(out, " + (%.17g)*x%d'", k->s[d][i], i + 1);
}

static void add_contacts(Out* out, const World* w) {
    for (int i = 0; i < w->contacts; i++) {
        const WorldContact* k = &w->contact[i];
        add(out, "contact c%d: ", i + 1);
        add_quadratic(out, w->n, k->c, k->a, k->b);
        add(out, " >= 0 restitution %.17g", k->restitution);
        if (k->slips) {
            add(out, " slip %s", k->slips == 2 ? "[" : "");
            for (int d = 0; d < k->slips; d++) {
                add(out, "%s", d ? ", " : "");
                add_slip(out, w->n, k, d);
            }
            add(out, "%s friction %.17g static %.17g", k->slips == 2 ? "]" : "", k->friction,
                k->static_friction);
        }
        add(out, "\n");
    }
}

bool world_text(const World* w, char* text, size_t size) {
    Out out = {text, size, false};
    add(&out, "model world\n");
    add_energies(&out, w);
    if (w->held) {
        add(&out, "constraint hold: ");
        add_quadratic(&out, w->n, w->hold_c, w->hold_a, w->hold_b);
        add(&out, " = 0\n");
    }
    if (w->driven) {
        add(&out, "operator drive: x%d = %.17g + %.17g*sin(%.17g*t + %.17g)\n", w->n, w->middle,
            w->amplitude, w->rate, w->phase);
    }
    add_contacts(&out, w);
    add(&out, "start ");
    for (int i = 0; i < w->n - w->driven; i++) {
        add(&out, "%sx%d = %.17g, x%d' = %.17g", i ? ", " : "", i + 1, w->q[i], i + 1, w->v[i]);
    }
    add(&out, "\nrun t = 0..%.17g\n", w->end);
    return !out.full;
}
