// Random models. See generator.h.
// SPDX-License-Identifier: MIT
#include "generator_parts.h"
#include <math.h>

static const char* make_coordinates(Maker* m) {
    static const char* const pool[] = {"x",   "y",     "z",    "s", "theta",
                                       "phi", "alpha", "beta", "r", "psi"};
    enum { POOL = sizeof pool / sizeof pool[0] };
    if (m->n > 1 && random_chance(&m->r, 0.2)) {
        for (int i = 0; i < m->n; i++) m->name[i] = SAY(m, "q[%d]", i + 1);
        generator_feature(m, FEATURE_FAMILY);
        return SAY(m, "parameter N = %d\ncoordinate q[i = 1..N] : line\n", m->n);
    }
    LiaText text = {0};
    int first = random_whole(&m->r, 0, POOL - 1);
    for (int i = 0; i < m->n; i++) {
        m->name[i] = pool[(first + 3 * i) % POOL];
        lia_text_add(&text, "coordinate %s : %s\n", m->name[i],
                     random_chance(&m->r, 0.7) ? "line" : "circle");
    }
    const char* copy = SAY(m, "%s", text.data);
    lia_text_clear(&text);
    return copy;
}

static void make_energies(Maker* m) {
    if (generator_has(m->model, FEATURE_FAMILY)) {
        STATE(m, "kinetic sum(i = 1..N, 0.5*q[i]'^2)");
        STATE(m, "let h[0] = 0\nlet h[i = 1..N] = h[i-1] + 0.4*sin(q[i])");
        STATE(m, "potential sum(i = 1..N, 0.5*h[i]^2 + cos(h[i-1]))");
        // The family gives everybody a mass.
        for (int i = 0; i < m->n; i++) m->massless[i] = false;
        m->model->features &= ~(1u << FEATURE_MASSLESS);
    }
    for (int i = 0; i < m->n; i++) {
        if (!m->massless[i]) generator_make_square(m, i);
    }
    if (random_chance(&m->r, 0.4)) generator_make_point(m);
    if (random_chance(&m->r, 0.3)) generator_make_other_lagrangian(m);
    if (random_chance(&m->r, 0.4)) generator_make_gyroscopic(m);
    if (random_chance(&m->r, 0.3)) generator_make_time_dependent(m);
    for (int i = random_whole(&m->r, 0, 3); i > 0; i--) generator_make_potential(m);
    if (random_chance(&m->r, 0.35)) generator_make_force(m);
    if (random_chance(&m->r, 0.15)) generator_make_force(m);
    if (random_chance(&m->r, 0.25)) generator_make_dissipation(m);
}

// Values for all that is not open; now and then the velocities are left to the program altogether.
static const char* make_start(Maker* m) {
    LiaText text = {0};
    bool nearest = random_chance(&m->r, 0.15) && !generator_has(m->model, FEATURE_NONLINEAR);
    if (nearest) generator_feature(m, FEATURE_NEAREST);
    const char* between_them = "start ";
    for (int i = 0; i < m->n; i++) {
        if (m->guess[i]) {
            lia_text_add(&text, "%s%s ~ %.2g", between_them, m->name[i], m->q[i] + 0.05);
        } else if (!m->position_open[i]) {
            lia_text_add(&text, "%s%s = %.17g", between_them, m->name[i], m->q[i]);
        } else {
            continue;
        }
        between_them = ", ";
    }
    for (int i = 0; i < m->n; i++) {
        if (m->velocity_open[i] || (nearest && i != 0)) continue;
        lia_text_add(&text, "%s%s' = %.17g", between_them, m->name[i], m->v[i]);
        between_them = ", ";
    }
    lia_text_add(&text, "\n");
    const char* copy = SAY(m, "%s", text.data);
    lia_text_clear(&text);
    return copy;
}

void generator_make(uint64_t seed, Generated* out) {
    *out = (Generated){.arena = lia_arena_create(), .seed = seed};
    Maker maker = {.r = {seed}, .arena = out->arena, .model = out}, *m = &maker;
    m->r.state =
        random_bits(&m->r);  // scattered: states one step apart give the same numbers, shifted
    m->n = random_whole(&m->r, 1, GENERATOR_MOST);
    m->t = random_chance(&m->r, 0.2) ? 0.5 : 0.0;
    out->coordinates = make_coordinates(m);
    for (int i = 0; i < m->n; i++) {
        m->q[i] = round(random_between(&m->r, -1.0, 1.0) * 100.0) / 100.0;
        m->v[i] = round(random_between(&m->r, -1.0, 1.0) * 100.0) / 100.0;
        out->names[i] = m->name[i];
    }
    if (random_chance(&m->r, 0.3)) {
        STATE(m, "control u = 0.4 + 0.3*sin(1.5*t)");
        m->control = (Formula){"u", 0.4 + 0.3 * sin(1.5 * m->t)};
    }
    if (random_chance(&m->r, 0.2)) {
        STATE(m, "function bump(a, b) = sin(a + b)/(1 + b^2)");
        m->function = "bump";
    }
    generator_make_equations(m);
    make_energies(m);
    for (int i = 0; i < m->n; i++) STATE(m, "observe at%d = %s", i + 1, m->name[i]);

    double span = random_chance(&m->r, 0.3) ? 2.0 : 1.0;
    bool backwards = random_chance(&m->r, 0.1);
    if (backwards) generator_feature(m, FEATURE_BACKWARDS);
    out->n = m->n;
    out->t0 = m->t;
    out->t1 = backwards ? m->t - span : m->t + span;
    out->body = SAY(m, "%s", m->statements.data);
    const char* start = make_start(m);
    out->run = SAY(m, "run t = %g..%g, tolerance 1e-14\n", out->t0, out->t1);
    out->text = SAY(m, "model random_%llu\n%s%s%s%s", (unsigned long long)seed, out->coordinates,
                    out->body, start, out->run);
    lia_text_clear(&m->statements);
}

void generator_clear(Generated* generated) {
    lia_arena_destroy(generated->arena);
    *generated = (Generated){0};
}
