// Random formulas: how they are written, and what they are at the start.
// SPDX-License-Identifier: MIT
#include "generator_parts.h"
#include <math.h>

void generator_feature(Maker* m, int which) { m->model->features |= 1u << which; }

Formula generator_number(Maker* m, double x) { return (Formula){SAY(m, "%.17g", x), x}; }

// Two decimals, sometimes under a name.
Formula generator_between(Maker* m, double low, double high) {
    double x = round(random_between(&m->r, low, high) * 100.0) / 100.0;
    if (x == 0.0) x = 0.05;
    if (!random_chance(&m->r, 0.2)) return (Formula){SAY(m, x < 0.0 ? "(%g)" : "%g", x), x};
    const char* name = SAY(m, "k%d", ++m->count);
    STATE(m, "parameter %s = %g", name, x);
    return (Formula){name, x};
}

Formula generator_position(const Maker* m, int i) { return (Formula){m->name[i], m->q[i]}; }
static Formula now(const Maker* m) { return (Formula){"t", m->t}; }
Formula generator_add(Maker* m, Formula a, Formula b) {
    return (Formula){SAY(m, "(%s + %s)", a.text, b.text), a.x + b.x};
}
Formula generator_mul(Maker* m, Formula a, Formula b) {
    return (Formula){SAY(m, "%s*%s", a.text, b.text), a.x * b.x};
}

// Something smooth between -1 and 1, with a slope of about 1 at most.
Formula generator_bounded_of(Maker* m, Formula a) {
    double shift = round(random_between(&m->r, -1.5, 1.5) * 10.0) / 10.0;
    if (m->function && random_chance(&m->r, 0.3)) {
        double c = 0.5;
        generator_feature(m, FEATURE_FUNCTION);
        return (Formula){SAY(m, "%s(%s, %g)", m->function, a.text, c),
                         sin(a.x + c) / (1.0 + c * c)};
    }
    switch (random_whole(&m->r, 0, 7)) {
    case 0:
        return (Formula){SAY(m, "sin(%s + %g)", a.text, shift), sin(a.x + shift)};
    case 1:
        return (Formula){SAY(m, "cos(%s)", a.text), cos(a.x)};
    case 2:
        return (Formula){SAY(m, "tanh(%s - %g)", a.text, shift), tanh(a.x - shift)};
    case 3:
        return (Formula){SAY(m, "1/(1 + %s^2)", a.text), 1.0 / (1.0 + a.x * a.x)};
    case 4:
        return (Formula){SAY(m, "exp(-%s^2)", a.text), exp(-a.x * a.x)};
    case 5:
        return (Formula){SAY(m, "sin(%s)*cos(%s)", a.text, a.text), sin(a.x) * cos(a.x)};
    case 6:
        return (Formula){SAY(m, "%s/sqrt(1 + %s^2)", a.text, a.text), a.x / sqrt(1.0 + a.x * a.x)};
    default:
        return (Formula){SAY(m, "atan(%s)/2", a.text), atan(a.x) / 2.0};
    }
}

// A coordinate other than `but` (-1: any).
int generator_other(Maker* m, int but) {
    if (m->n == 1) return 0;
    for (;;) {
        int i = random_whole(&m->r, 0, m->n - 1);
        if (i != but) return i;
    }
}

// A bounded formula of coordinates other than `but`; of t alone where there is no other.
Formula generator_bounded(Maker* m, int but) {
    Formula a;
    if (m->n == 1 && but == 0) {
        a = now(m);
    } else if (m->control.text && random_chance(&m->r, 0.15)) {
        a = generator_add(m, m->control, generator_position(m, generator_other(m, but)));
        generator_feature(m, FEATURE_CONTROL);
    } else {
        a = generator_position(m, generator_other(m, but));
        if (random_chance(&m->r, 0.3))
            a = generator_add(m, a, generator_position(m, generator_other(m, but)));
    }
    Formula f = generator_bounded_of(m, a);
    if (!random_chance(&m->r, 0.25)) return f;
    const char* name = SAY(m, "w%d", ++m->count);
    STATE(m, "let %s = %s", name, f.text);
    generator_feature(m, FEATURE_LET);
    return (Formula){name, f.x};
}

Formula generator_wave(Maker* m) {
    double c = round(random_between(&m->r, 0.5, 3.0) * 10.0) / 10.0;
    if (random_chance(&m->r, 0.5)) return (Formula){SAY(m, "sin(%g*t)", c), sin(c * m->t)};
    return (Formula){SAY(m, "cos(%g*t)", c), cos(c * m->t)};
}

Formula generator_small(Maker* m, Formula f) {
    return generator_mul(m, generator_between(m, 0.1, 0.3), f);
}
