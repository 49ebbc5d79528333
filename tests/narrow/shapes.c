// Narrow functions, each in the ways people write them.
// SPDX-License-Identifier: MIT
#include "generator.h"
#include <math.h>
#include <stddef.h>

static const char* argument(World* w, const char* x, double centre, double width) {
    switch (random_whole(w->r, 0, 2)) {
    case 0:
        return lia_arena_printf(w->arena, "((%s - %.9g)/%.6g)", x, centre, width);
    case 1:
        return lia_arena_printf(w->arena, "(%.9g*(%s - %.9g))", 1.0 / width, x, centre);
    default:
        return lia_arena_printf(w->arena, "((%.9g - %s)/%.6g)", centre, x, width);
    }
}

static const char* gauss(World* w, const char* x, double centre, double width) {
    const char* u = argument(w, x, centre, width);
    switch (random_whole(w->r, 0, 3)) {
    case 0:
        return lia_arena_printf(w->arena, "exp(-(%s - %.9g)^2/(2*%.6g^2))", x, centre, width);
    case 1:
        return lia_arena_printf(w->arena, "exp(-%s^4)", u);
    default:
        return lia_arena_printf(w->arena, "exp(-%s^2)", u);
    }
}

static const char* sech(World* w, const char* x, double centre, double width) {
    const char* u = argument(w, x, centre, width);
    switch (random_whole(w->r, 0, 3)) {
    case 0:
        return lia_arena_printf(w->arena, "(1 - tanh%s^2)", u);
    case 1:
        return lia_arena_printf(w->arena, "2/(1 + cosh(2*%s))", u);
    default:
        return lia_arena_printf(w->arena, "1/cosh%s^2", u);
    }
}

static const char* lorentz(World* w, const char* x, double centre, double width) {
    if (random_chance(w->r, 0.4)) {
        return lia_arena_printf(w->arena, "%.9g/((%s - %.9g)^2 + %.9g)", width * width, x, centre,
                                width * width);
    }
    return lia_arena_printf(w->arena, "1/(1 + %s^2)", argument(w, x, centre, width));
}

static const char* lorentz_power(World* w, const char* x, double centre, double width) {
    static const char* const powers[] = {"1.5", "2", "3", "4", "6", "2.5"};
    return lia_arena_printf(w->arena, "1/(1 + %s^2)^%s", argument(w, x, centre, width),
                            powers[random_whole(w->r, 0, 5)]);
}

// Height 1 and localized.
static const char* peak(World* w, const char* x, double centre, double width) {
    switch (random_whole(w->r, 0, 3)) {
    case 0:
        return sech(w, x, centre, width);
    case 1:
        return lorentz(w, x, centre, width);
    default:
        return gauss(w, x, centre, width);
    }
}

static const char* nested(World* w, const char* x, double centre, double width) {
    LiaArena* a = w->arena;
    const char* u = argument(w, x, centre, width);
    switch (random_whole(w->r, 0, 5)) {
    case 0:
        return lia_arena_printf(a, "tanh(3*%s)", peak(w, x, centre, width));
    case 1:
        return lia_arena_printf(a, "exp(-(2*tanh%s)^2)*%s", u, gauss(w, x, centre, 3.0 * width));
    case 2:
        return lia_arena_printf(a, "atan(2*%s)", peak(w, x, centre, width));
    case 3:
        return lia_arena_printf(a, "(1 - exp(-%s))", peak(w, x, centre, width));
    case 4:
        return lia_arena_printf(a, "sqrt(1e-2 + %s)", peak(w, x, centre, width));
    default:
        return lia_arena_printf(a, "%s/(1.2 + sin(3*%s))", peak(w, x, centre, width), u);
    }
}

// Pulses again and again: at most some twenty along the way.
static const char* train(World* w, const Carrier* c, double centre, double width) {
    double way = fabs(c->to - c->from), pulses = random_between(w->r, 1.0, 20.0);
    double k = acos(-1.0) * pulses / way;
    double sharp = fmin(0.5, k * width);
    const char* s = lia_arena_printf(w->arena, "sin(%.6g*(%s - %.9g))", k, c->name, centre);
    switch (random_whole(w->r, 0, 2)) {
    case 0:
        return lia_arena_printf(w->arena, "1/(1 + (%s/%.6g)^2)", s, sharp);
    case 1:
        return lia_arena_printf(w->arena, "exp((cos(%.6g*(%s - %.9g)) - 1)/%.6g)", k, c->name,
                                centre, sharp * sharp);
    default:
        return lia_arena_printf(w->arena, "exp(-(%s/%.6g)^2)", s, sharp);
    }
}

const char* shape_bounded(World* w, Shape shape, const Carrier* c, double centre, double width,
                          bool* localized, bool* negative) {
    LiaArena* a = w->arena;
    const char *x = c->name, *u = argument(w, x, centre, width);
    bool raised = random_chance(w->r, 0.5);
    double other = c->from + (c->to - c->from) * random_between(w->r, 0.05, 0.95);
    *localized = true;
    *negative = false;
    switch (shape) {
    case SHAPE_SECH:
        return sech(w, x, centre, width);
    case SHAPE_LORENTZ:
        return lorentz(w, x, centre, width);
    case SHAPE_LORENTZ_POWER:
        return lorentz_power(w, x, centre, width);
    case SHAPE_TANH:
        *localized = false;
        *negative = !raised;
        return lia_arena_printf(a, raised ? "(1 + tanh%s)/2" : "tanh%s", u);
    case SHAPE_LOGISTIC:
        *localized = false;
        return lia_arena_printf(a, "1/(1 + exp(-%s))", u);
    case SHAPE_ATAN:
        *localized = false;
        *negative = !raised;
        return lia_arena_printf(a, raised ? "(0.5 + atan%s/pi)" : "2*atan%s/pi", u);
    case SHAPE_SQRT:
        *localized = false;
        *negative = !raised;
        return lia_arena_printf(a, raised ? "(1 + %s/sqrt(1 + %s^2))/2" : "%s/sqrt(1 + %s^2)", u,
                                u);
    case SHAPE_LOG:
        *localized = false;
        if (raised) return lia_arena_printf(a, "0.1*log(1 + %s^2)", u);
        return lia_arena_printf(a, "1/(1 + log(1 + %s^2))", u);
    case SHAPE_PRODUCT:
        *negative = true;
        if (raised)
            return lia_arena_printf(a, "%s*tanh%s", peak(w, x, centre, width),
                                    argument(w, x, centre, width * random_between(w->r, 0.3, 1.0)));
        return lia_arena_printf(a, "%s*cos(%.4g*%s)", peak(w, x, centre, width),
                                random_between(w->r, 1.0, 6.0), u);
    case SHAPE_SUM: {
        double least = 1e-4 * fabs(c->to - c->from);
        double beside = fmax(least, width * pow(10.0, random_between(w->r, -1.0, 1.0)));
        return lia_arena_printf(a, "(%s + %.3g*%s)", peak(w, x, centre, width),
                                random_between(w->r, 0.3, 1.0), peak(w, x, other, beside));
    }
    case SHAPE_NESTED:
        return nested(w, x, centre, width);
    case SHAPE_TRAIN:
        return train(w, c, centre, width);
    default:
        return gauss(w, x, centre, width);
    }
}

const char* shape_energy(World* w, Shape shape, const Carrier* c, double centre, double width,
                         double energy) {
    LiaArena* a = w->arena;
    const char* x = c->name;
    static const int powers[] = {1, 2, 3, 4, 6, 12};
    bool to_right = c->to > c->from;
    // the distance to what it runs into
    const char* r = to_right ? lia_arena_printf(a, "(%.9g - %s)", centre, x)
                             : lia_arena_printf(a, "(%s - %.9g)", x, centre);
    switch (shape) {
    case SHAPE_WALL:
        return lia_arena_printf(a, "%.6g*exp(-%s/%.6g)", energy, r, width);
    case SHAPE_LENNARD_JONES:
        return lia_arena_printf(a, "%.6g*((%.6g/%s)^12 - (%.6g/%s)^6)", 4.0 * energy, width, r,
                                width, r);
    case SHAPE_YUKAWA:
        return lia_arena_printf(a, "%.6g*exp(-%s/%.6g)/%s", energy * width, r, width, r);
    case SHAPE_MORSE:
        return lia_arena_printf(
            a, "%.6g*(1 - exp(-(%s - %.6g)/%.6g))^2", energy, r,
            random_between(w->r, 0.0, fmin(20.0 * width, 0.2 * fabs(centre - c->from))), width);
    default: {
        int p = powers[random_whole(w->r, 0, 5)];
        if (random_chance(w->r, 0.4))
            return lia_arena_printf(a, "%.6g/(%s^2 + %.6g)^%.3g", energy * pow(width, p), r,
                                    width * width, p / 2.0);
        return lia_arena_printf(a, "%.6g*(%.6g/%s)^%d", energy, width, r, p);
    }
    }
}
