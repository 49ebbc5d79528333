// Models in other coordinates. See charts.h.
// SPDX-License-Identifier: MIT
#include "charts.h"
#include "base/numeric/random.h"
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHEARS = 4, NAME = 24, FIELD = 400 };

typedef struct Shear {
    int i, j;  // x_i = u_i + a sin(b u_j + c) + d u_j
    double a, b, c, d;
} Shear;

typedef struct Chart {
    const ChartedSystem* of;
    int n, shears;
    char name[CHART_COORDINATES][NAME];
    bool circle[CHART_COORDINATES];
    double x[CHART_COORDINATES], v[CHART_COORDINATES];
    Shear shear[SHEARS];
    char* text;
    size_t used, room;
} Chart;

static void add(Chart* k, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void add(Chart* k, const char* format, ...) {
    va_list list;
    va_start(list, format);
    size_t left = k->used < k->room ? k->room - k->used : 0;
    int count = vsnprintf(left ? k->text + k->used : NULL, left, format, list);
    va_end(list);
    k->used += count > 0 ? (size_t)count : 0;
}

static void read_names(Chart* k) {
    const char* at = k->of->coordinates;
    while (*at && k->n < CHART_COORDINATES) {
        size_t length = strcspn(at, " ");
        k->circle[k->n] = at[length - 1] == '*';
        snprintf(k->name[k->n], NAME, "%.*s", (int)(length - k->circle[k->n]), at);
        k->n++;
        at += length + (at[length] == ' ');
    }
}

static void read_numbers(const char* text, int n, double* x) {
    char* end = NULL;
    for (int i = 0; i < n; i++) {
        x[i] = text ? strtod(text, &end) : 0.0;
        text = text ? end + strspn(end, ", ") : NULL;
    }
}

static double slope(const Shear* s, double u) { return s->a * s->b * cos(s->b * u + s->c) + s->d; }

// Numbers with few digits: formulas of them are simplified faster.
static double few_digits(double x) { return round(x * 32.0) / 32.0; }

// The shears, and the start in the new coordinates.
static void draw(Chart* k, uint64_t seed) {
    uint64_t state = seed * 77 + 3;
    k->shears = seed && k->n > 1 ? SHEARS : 0;
    for (int m = 0; m < k->shears; m++) {
        Shear* s = &k->shear[m];
        s->i = (int)(lia_random_bits(&state) % (uint64_t)k->n);
        s->j = (s->i + 1 + (int)(lia_random_bits(&state) % (uint64_t)(k->n - 1))) % k->n;
        bool periodic = k->circle[s->j];
        s->a = few_digits(0.4 * lia_random_even(&state));
        s->b = periodic ? 1.0 : few_digits(lia_random_generic(&state));
        s->c = few_digits(lia_random_even(&state));
        s->d = periodic ? 0.0 : few_digits(0.4 * lia_random_even(&state));
        k->x[s->i] -= s->a * sin(s->b * k->x[s->j] + s->c) + s->d * k->x[s->j];
        k->v[s->i] -= slope(s, k->x[s->j]) * k->v[s->j];
    }
}

// Names of coordinate i: as the model has it, between the shears, and of the last.
static const char* name_of(const Chart* k, int i, int level, char* room) {
    int last = -1;  // the last shear before `level` that changed it
    for (int m = 0; m < level; m++) {
        if (k->shear[m].i == i) last = m;
    }
    if (last < 0 && level == 0) return k->name[i];
    bool changed = false;
    for (int m = 0; m < k->shears; m++) changed |= k->shear[m].i == i;
    if (!changed || last < 0) return k->name[i];
    snprintf(room, NAME, "%.8s_%d", k->name[i], last + 1);
    return room;
}

static void add_coordinates(Chart* k) {
    char room[NAME], other[NAME], source[NAME];
    for (int i = 0; i < k->n; i++) {
        add(k, "coordinate %s : %s\n", name_of(k, i, k->shears, room),
            k->circle[i] ? "circle" : "line");
    }
    for (int m = k->shears; m-- > 0;) {
        const Shear* s = &k->shear[m];
        const char* from = name_of(k, s->j, m, source);
        add(k, "let %s = %s + (%.17g)*sin((%.17g)*%s + (%.17g))", name_of(k, s->i, m, room),
            name_of(k, s->i, m + 1, other), s->a, s->b, from, s->c);
        add(k, s->d != 0.0 ? " + (%.17g)*%s\n" : "\n", s->d, from);
    }
}

// u' of the generator: shear by shear.
static void add_symmetry(Chart* k, int index) {
    static char field[CHART_COORDINATES][FIELD * 8];
    char next[FIELD * 8], room[NAME];
    const char* at = k->of->symmetry[index];
    for (int i = 0; i < k->n; i++) {
        size_t length = strcspn(at, ",");
        snprintf(field[i], sizeof field[i], "%.*s", (int)length, at);
        at += length + (at[length] == ',');
        at += strspn(at, " ");
    }
    for (int m = 0; m < k->shears; m++) {
        const Shear* s = &k->shear[m];
        const char* from = name_of(k, s->j, m, room);
        if (strcmp(field[s->j], "0") == 0) continue;
        snprintf(next, sizeof next,
                 "%.900s - ((%.17g)*cos((%.17g)*%s + (%.17g)) + (%.17g))*(%.900s)", field[s->i],
                 s->a * s->b, s->b, from, s->c, s->d, field[s->j]);
        memcpy(field[s->i], next, sizeof next);
    }
    bool first = true;
    add(k, "symmetry s%d: ", index + 1);
    for (int i = 0; i < k->n; i++) {
        if (strcmp(field[i], "0") == 0) continue;
        add(k, "%s%s' = %s", first ? "" : ", ", name_of(k, i, k->shears, room), field[i]);
        first = false;
    }
    add(k, "\n");
}

size_t chart_text(const ChartedSystem* system, uint64_t seed, char* text, size_t room) {
    Chart k = {.of = system, .text = text, .room = room};
    char name[NAME];
    read_names(&k);
    read_numbers(system->start, k.n, k.x);
    read_numbers(system->velocity, k.n, k.v);
    draw(&k, seed);
    add(&k, "model charted\n");
    add_coordinates(&k);
    add(&k, "%s\n", system->body);
    for (int i = 0; i < CHART_SYMMETRIES && system->symmetry[i]; i++) add_symmetry(&k, i);
    add(&k, "start ");
    for (int i = 0; i < k.n; i++) {
        const char* u = name_of(&k, i, k.shears, name);
        add(&k, "%s%s = %.17g, %s' = %.17g", i ? ", " : "", u, k.x[i], u, k.v[i]);
    }
    add(&k, "\n%s\n", system->end ? system->end : "");
    return k.used;
}

size_t chart_lengths(const ChartedSystem* system, double length, char* text, size_t room) {
    Chart k = {.of = system, .text = text, .room = room};
    read_names(&k);
    read_numbers(system->start, k.n, k.x);
    read_numbers(system->velocity, k.n, k.v);
    add(&k, "model lengths\n");
    for (int i = 0; i < k.n; i++) {
        const char* name = k.name[i];
        if (k.circle[i]) add(&k, "coordinate %s : circle\n", name);
        if (!k.circle[i])
            add(&k, "coordinate %s_ : line\nlet %s = %g*%s_\n", name, name, length, name);
    }
    add(&k, "%s\n", system->body);
    for (int m = 0; m < CHART_SYMMETRIES && system->symmetry[m]; m++) {
        const char* at = system->symmetry[m];
        add(&k, "symmetry s%d: ", m + 1);
        for (int i = 0; i < k.n; i++) {
            int count = (int)strcspn(at, ",");
            add(&k, "%s%s%s' = (%.*s)/(%g)", i ? ", " : "", k.name[i], k.circle[i] ? "" : "_",
                count, at, k.circle[i] ? 1.0 : length);
            at += count + (at[count] == ',');
        }
        add(&k, "\n");
    }
    add(&k, "start ");
    for (int i = 0; i < k.n; i++) {
        const char *name = k.name[i], *mark = k.circle[i] ? "" : "_";
        double unit = k.circle[i] ? 1.0 : length;
        add(&k, "%s%s%s = %.17g, %s%s' = %.17g", i ? ", " : "", name, mark, k.x[i] / unit, name,
            mark, k.v[i] / unit);
    }
    add(&k, "\n%s\n", system->end ? system->end : "");
    return k.used;
}

// The rest of a line that gives an energy; NULL: it does not.
static const char* energy_of(const char* line) {
    static const char* const words[] = {"kinetic ", "potential ", "lagrangian ", "dissipation "};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t length = strlen(words[w]);
        if (strncmp(line, words[w], length) == 0) return line + length;
    }
    return NULL;
}

size_t chart_masses(const char* from, double mass, char* text, size_t room) {
    Chart k = {.text = text, .room = room};
    while (*from) {
        int length = (int)strcspn(from, "\n");
        const char* energy = energy_of(from);
        const char* inertia = strstr(from, "inertia ");
        if (energy) {
            int word = (int)(energy - from);
            add(&k, "%.*s%g*(%.*s)\n", word, from, mass, length - word, energy);
        } else if (strncmp(from, "body b: mass 1, inertia ", 24) == 0) {
            add(&k, "body b: mass %g, inertia %g*%.*s\n", mass, mass,
                length - (int)(inertia + 8 - from), inertia + 8);
        } else {
            add(&k, "%.*s\n", length, from);
        }
        from += length + (from[length] == '\n');
    }
    return k.used;
}
