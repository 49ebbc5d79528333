// Random models. See generator.h.
// SPDX-License-Identifier: MIT
#include "generator.h"
#include "support/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A formula: how it is written, and what it is at the start.
typedef struct Formula {
    const char* text;
    double x;
} Formula;

typedef struct Maker {
    Random r;
    LiaArena* arena;
    LiaText statements;
    LiaText start;
    Generated* model;
    int n;
    const char* name[GENERATOR_MOST];
    double q[GENERATOR_MOST], v[GENERATOR_MOST], t;
    bool pivot[GENERATOR_MOST];          // an equation decides it
    bool position_open[GENERATOR_MOST];  // its position is left to the program
    bool guess[GENERATOR_MOST];          // ... with a guess
    bool velocity_open[GENERATOR_MOST];
    bool massless[GENERATOR_MOST];
    bool driven[GENERATOR_MOST];  // known before everything else
    int count;                    // of names made up
    Formula control;              // {0}: there is none
    const char* function;
    bool circle;
} Maker;

// --- formulas ----------------------------------------------------------------------------------

#define SAY(m, ...) lia_arena_printf((m)->arena, __VA_ARGS__)
#define STATE(m, ...)                                                                              \
    do {                                                                                           \
        lia_text_add(&(m)->statements, __VA_ARGS__);                                               \
        lia_text_add(&(m)->statements, "\n");                                                      \
    } while (0)

static void feature(Maker* m, int which) { m->model->features |= 1u << which; }

static Formula number(Maker* m, double x) { return (Formula){SAY(m, "%.17g", x), x}; }

// Two decimals, sometimes under a name.
static Formula between(Maker* m, double low, double high) {
    double x = round(random_between(&m->r, low, high) * 100.0) / 100.0;
    if (x == 0.0) x = 0.05;
    if (!random_chance(&m->r, 0.2)) return (Formula){SAY(m, x < 0.0 ? "(%g)" : "%g", x), x};
    const char* name = SAY(m, "k%d", ++m->count);
    STATE(m, "parameter %s = %g", name, x);
    return (Formula){name, x};
}

static Formula position(const Maker* m, int i) { return (Formula){m->name[i], m->q[i]}; }
static Formula now(const Maker* m) { return (Formula){"t", m->t}; }
static Formula add(Maker* m, Formula a, Formula b) {
    return (Formula){SAY(m, "(%s + %s)", a.text, b.text), a.x + b.x};
}
static Formula mul(Maker* m, Formula a, Formula b) {
    return (Formula){SAY(m, "%s*%s", a.text, b.text), a.x * b.x};
}

// Something smooth between -1 and 1, with a slope of about 1 at most.
static Formula bounded_of(Maker* m, Formula a) {
    double shift = round(random_between(&m->r, -1.5, 1.5) * 10.0) / 10.0;
    if (m->function && random_chance(&m->r, 0.3)) {
        double c = 0.5;
        feature(m, FEATURE_FUNCTION);
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
static int other(Maker* m, int but) {
    if (m->n == 1) return 0;
    for (;;) {
        int i = random_whole(&m->r, 0, m->n - 1);
        if (i != but) return i;
    }
}

static int nobody = -1;

// A bounded formula of coordinates other than `but`; of t alone where there is no other.
static Formula bounded(Maker* m, int but) {
    Formula a;
    if (m->n == 1 && but == 0) {
        a = now(m);
    } else if (m->control.text && random_chance(&m->r, 0.15)) {
        a = add(m, m->control, position(m, other(m, but)));
        feature(m, FEATURE_CONTROL);
    } else {
        a = position(m, other(m, but));
        if (random_chance(&m->r, 0.3)) a = add(m, a, position(m, other(m, but)));
    }
    Formula f = bounded_of(m, a);
    if (!random_chance(&m->r, 0.25)) return f;
    const char* name = SAY(m, "w%d", ++m->count);
    STATE(m, "let %s = %s", name, f.text);
    feature(m, FEATURE_LET);
    return (Formula){name, f.x};
}

static Formula wave(Maker* m) {
    double c = round(random_between(&m->r, 0.5, 3.0) * 10.0) / 10.0;
    if (random_chance(&m->r, 0.5)) return (Formula){SAY(m, "sin(%g*t)", c), sin(c * m->t)};
    return (Formula){SAY(m, "cos(%g*t)", c), cos(c * m->t)};
}

static Formula small(Maker* m, Formula f) { return mul(m, between(m, 0.1, 0.3), f); }

// --- energies and forces -----------------------------------------------------------------------

// Squares in triangular form: the velocity of k and a bit of later ones, so that M is regular.
static void make_square(Maker* m, int k) {
    Formula mass = between(m, 0.8, 2.5);
    if (k == m->n - 1 || random_chance(&m->r, 0.4)) {
        if (m->n > 1 && random_chance(&m->r, 0.4)) {
            STATE(m, "kinetic %s/2*(1 + 0.4*%s)*%s'^2", mass.text, bounded(m, nobody).text,
                  m->name[k]);
        } else {
            STATE(m, "kinetic %s/2*%s'^2", mass.text, m->name[k]);
        }
        return;
    }
    int j = random_whole(&m->r, k + 1, m->n - 1);
    STATE(m, "kinetic %s/2*(%s' + %s*%s')^2", mass.text, m->name[k],
          small(m, bounded(m, nobody)).text, m->name[j]);
}

// A point whose place is a formula: kinetic energy from the derivative of a vector.
static void make_point(Maker* m) {
    const char* name = SAY(m, "r%d", ++m->count);
    STATE(m, "let %s = [%s, %s, %s]", name, small(m, bounded(m, nobody)).text,
          add(m, position(m, other(m, nobody)), bounded(m, nobody)).text,
          mul(m, position(m, other(m, nobody)), small(m, bounded(m, nobody))).text);
    STATE(m, "kinetic %s/2*dot(%s', %s')", between(m, 0.2, 0.8).text, name, name);
    feature(m, FEATURE_VECTOR);
}

static void make_other_lagrangian(Maker* m) {
    int i = other(m, nobody);
    const char *x = m->name[i], *c = between(m, 0.05, 0.3).text;
    switch (random_whole(&m->r, 0, 3)) {
    case 0:
        STATE(m, "lagrangian %s*(%s'^2)^2", c, x);
        break;
    case 1:
        STATE(m, "lagrangian %s*sqrt(1 + %s'^2)", c, x);
        break;
    case 2:
        STATE(m, "kinetic %s*cosh(%s')", c, x);
        break;
    default:
        STATE(m, "lagrangian %s*(1 + 0.5*%s)*%s'^4/4", c, bounded(m, nobody).text, x);
    }
    feature(m, FEATURE_NONQUADRATIC);
}

static void make_gyroscopic(Maker* m) {
    int i = other(m, nobody);
    STATE(m, "lagrangian %s*%s*%s'", between(m, -1.0, 1.0).text, bounded(m, i).text, m->name[i]);
    feature(m, FEATURE_GYROSCOPIC);
}

static void make_time_dependent(Maker* m) {
    int i = other(m, nobody);
    switch (random_whole(&m->r, 0, 2)) {
    case 0:
        STATE(m, "kinetic %s*(1 + 0.5*%s)*%s'^2", between(m, 0.1, 0.5).text, wave(m).text,
              m->name[i]);
        break;
    case 1:
        STATE(m, "lagrangian %s*%s*%s'", between(m, -1.0, 1.0).text, wave(m).text, m->name[i]);
        break;
    default:
        STATE(m, "potential %s*%s*%s", between(m, -1.0, 1.0).text, wave(m).text, m->name[i]);
    }
    feature(m, FEATURE_TIME);
}

static void make_potential(Maker* m) {
    int i = other(m, nobody), j = other(m, i);
    const char *x = m->name[i], *y = m->name[j], *k = between(m, 0.3, 3.0).text;
    switch (random_whole(&m->r, 0, 5)) {
    case 0:
        STATE(m, "potential %s/2*%s^2", k, x);
        break;
    case 1:
        STATE(m, "potential -%s*cos(%s)", k, x);
        break;
    case 2:
        STATE(m, "potential %s/2*(%s - %s)^2", k, x, i == j ? "0.3" : y);
        break;
    case 3:
        STATE(m, "potential %s*%s*%s", k, bounded(m, nobody).text, bounded(m, nobody).text);
        break;
    case 4:
        STATE(m, "potential 0.1*%s*%s^4", k, x);
        break;
    default:
        if (m->control.text) {
            STATE(m, "potential %s*%s*%s", k, m->control.text, bounded(m, nobody).text);
            feature(m, FEATURE_CONTROL);
        } else {
            STATE(m, "potential %s*exp(0.3*%s)", k, x);
        }
    }
}

static void make_force(Maker* m) {
    int i = other(m, nobody), j = other(m, i);
    const char *x = m->name[i], *y = m->name[j], *c = between(m, 0.1, 0.8).text;
    const char* name = SAY(m, "F%d", ++m->count);
    switch (random_whole(&m->r, 0, 4)) {
    case 0:
        STATE(m, "force %s: -%s*%s'*d(%s)", name, c, x, x);
        break;
    case 1:
        STATE(m, "force %s: %s*%s*d(%s) - 0.3*%s*d(%s)", name, c, y, x, bounded(m, nobody).text, y);
        break;
    case 2:
        STATE(m, "force %s: -%s*(%s' + 0.5*%s')*virtual(%s' + 0.5*%s' + 2)", name, c, x, y, x, y);
        break;
    case 3:
        STATE(m, "force %s: -%s*tanh(2*%s')*d(%s + 0.2*%s)", name, c, x, x,
              bounded(m, nobody).text);
        break;
    default:
        STATE(m, "force %s: (%s*%s)*d(%s)", name, c, wave(m).text, x);
    }
    feature(m, FEATURE_FORCE);
}

static void make_dissipation(Maker* m) {
    int i = other(m, nobody), j = other(m, i);
    const char *x = m->name[i], *y = m->name[j], *c = between(m, 0.1, 0.6).text;
    if (i != j && random_chance(&m->r, 0.5)) {
        STATE(m, "dissipation %s/2*(%s' - %s')^2", c, x, y);
    } else if (random_chance(&m->r, 0.5)) {
        STATE(m, "dissipation %s*sqrt(1 + %s'^2)", c, x);
    } else {
        STATE(m, "dissipation %s/2*(1 + 0.5*%s)*%s'^2", c, bounded(m, nobody).text, x);
    }
    feature(m, FEATURE_DISSIPATION);
}

// --- equations ---------------------------------------------------------------------------------

// A coordinate that no equation decides.
static int free_one(Maker* m, int but) {
    int list[GENERATOR_MOST], count = 0;
    for (int i = 0; i < m->n; i++) {
        if (!m->pivot[i] && i != but) list[count++] = i;
    }
    return count ? list[random_whole(&m->r, 0, count - 1)] : -1;
}

// The gradient of the equation with pivot p, somewhat turned.
static const char* turned_form(Maker* m, int p, bool kinematic) {
    int j = other(m, p);
    if (j == p) return SAY(m, "d(%s)", m->name[p]);
    const char* c = between(m, -0.25, 0.25).text;
    switch (random_whole(&m->r, 0, 4)) {
    case 0:
        return SAY(m, "d(%s) + %s*d(%s)", m->name[p], c, m->name[j]);
    case 1:
        return SAY(m, "d(%s) + %s*%s*d(%s)", m->name[p], c, bounded(m, nobody).text, m->name[j]);
    case 2:
        return SAY(m, "virtual(%s' + %s*%s*%s')", m->name[p], c, bounded(m, nobody).text,
                   m->name[j]);
    case 3:
        return SAY(m, "d(%s) - 0.2*tanh(%s')*d(%s)", m->name[p], m->name[j], m->name[j]);
    default:
        if (kinematic)
            return SAY(m, "(1 + 0.2*%s)*virtual(%s')", bounded(m, nobody).text, m->name[p]);
        return SAY(m, "(1 + 0.2*%s)*d(%s + 0.2*%s)", bounded(m, nobody).text, m->name[p],
                   bounded(m, p).text);
    }
}

// left = right with the pivot on the left; what is open at the start.
typedef struct Equation {
    const char *left, *right;
    bool nonlinear;
} Equation;

static Equation geometric_equation(Maker* m, int p, bool passive) {
    Formula rest = small(m, bounded(m, p));
    if (random_chance(&m->r, 0.4)) rest = add(m, rest, small(m, bounded(m, p)));
    if (random_chance(&m->r, 0.25)) {
        rest = add(m, rest, small(m, wave(m)));
        feature(m, FEATURE_RHEONOMIC);
    }
    if (m->control.text && random_chance(&m->r, 0.15)) {
        rest = add(m, rest, small(m, m->control));
        feature(m, FEATURE_CONTROL);
    }
    feature(m, FEATURE_GEOMETRIC);
    m->velocity_open[p] = true;
    int j = free_one(m, p);
    // A circle; not two of them, which may meet where one cannot tell them apart.
    bool off_axis = fabs(m->q[p]) > 0.2 && !m->circle;
    if (passive && j >= 0 && off_axis && random_chance(&m->r, 0.25)) {
        m->circle = true;
        double x = m->q[p], y = m->q[j];
        return (Equation){SAY(m, "%s^2 + (%s + 0.1)^2", m->name[p], m->name[j]),
                          number(m, x * x + (y + 0.1) * (y + 0.1)).text, false};
    }
    if (random_chance(&m->r, 0.3)) {
        m->position_open[p] = m->guess[p] = true;
        feature(m, FEATURE_GUESS);
    }
    if (random_chance(&m->r, 0.5)) {
        Formula sum = add(m, position(m, p), rest);
        return (Equation){sum.text, number(m, sum.x).text, false};
    }
    Formula c = number(m, m->q[p] - rest.x);
    return (Equation){m->name[p], SAY(m, "%s + %s", rest.text, c.text), false};
}

static Equation kinematic_equation(Maker* m, int p, bool passive) {
    m->velocity_open[p] = true;
    feature(m, FEATURE_LINEAR);
    int j = free_one(m, p);
    if (passive && j >= 0 && random_chance(&m->r, 0.2)) {  // a blade
        int i = other(m, p);
        return (Equation){SAY(m, "%s'*cos(0.5*%s) - %s'*sin(0.5*%s)", m->name[p], m->name[i],
                              m->name[j], m->name[i]),
                          "0", false};
    }
    LiaText right = {0};
    int i = other(m, p);
    lia_text_add(&right, "%s*%s", small(m, bounded(m, nobody)).text,
                 i == p ? "sin(t)" : SAY(m, "%s'", m->name[i]));
    if (i == p) feature(m, FEATURE_AFFINE);
    if (m->n > 2 && random_chance(&m->r, 0.4)) {
        lia_text_add(&right, " + %s*%s'", between(m, -0.2, 0.2).text, m->name[other(m, p)]);
    }
    if (random_chance(&m->r, 0.5)) {
        lia_text_add(&right, " + %s",
                     small(m, random_chance(&m->r, 0.5) ? wave(m) : bounded(m, nobody)).text);
        feature(m, FEATURE_AFFINE);
    }
    if (m->control.text && random_chance(&m->r, 0.3) && i != p) {
        lia_text_add(&right, " + 0.2*%s*%s'", m->control.text, m->name[i]);
        feature(m, FEATURE_CONTROL);
    }
    Equation e = {SAY(m, "%s'", m->name[p]), SAY(m, "%s", right.data), false};
    lia_text_clear(&right);
    return e;
}

static Equation nonlinear_equation(Maker* m, int p) {
    int j = free_one(m, p);
    feature(m, FEATURE_NONLINEAR);
    if (j >= 0 && random_chance(&m->r, 0.4)) {  // a given speed
        double v = m->v[p] = m->v[p] < 0.0 ? m->v[p] - 1.0 : m->v[p] + 1.0, w = m->v[j];
        return (Equation){SAY(m, "%s'^2 + %s'^2", m->name[p], m->name[j]),
                          number(m, v * v + w * w).text, true};
    }
    m->velocity_open[p] = true;
    int i = other(m, p);
    if (i == p)
        return (Equation){SAY(m, "%s' + 0.1*%s'^3", m->name[p], m->name[p]), wave(m).text, true};
    const char* c = between(m, 0.05, 0.15).text;
    if (random_chance(&m->r, 0.5)) {
        return (Equation){SAY(m, "%s' + %s*%s'^2", m->name[p], c, m->name[i]),
                          small(m, bounded(m, nobody)).text, true};
    }
    return (Equation){
        SAY(m, "%s'", m->name[p]),
        SAY(m, "%s*sqrt(1 + %s'^2) + %s", c, m->name[i], small(m, bounded(m, nobody)).text), true};
}

static Equation passive_equation(Maker* m, int p) {
    switch (random_whole(&m->r, 0, 4)) {
    case 0:
    case 1:
        return geometric_equation(m, p, true);
    case 2:
    case 3:
        return kinematic_equation(m, p, true);
    default:
        return nonlinear_equation(m, p);
    }
}

static void make_constraint(Maker* m, int p) {
    const char* name = SAY(m, "c%d", ++m->count);
    Equation e = passive_equation(m, p);
    bool kinematic = strchr(e.left, '\'') || strchr(e.right, '\'');
    if (random_chance(&m->r, 0.35) && e.left[0] != '(' && !strstr(e.left, "^2")) {
        STATE(m, "constraint %s: %s = %s\n  force %s", name, e.left, e.right,
              turned_form(m, p, kinematic));
        feature(m, FEATURE_GIVEN);
    } else if (e.nonlinear) {
        STATE(m, "constraint %s: %s = %s\n  force chetaev", name, e.left, e.right);
        feature(m, FEATURE_CHETAEV);
    } else {
        STATE(m, "constraint %s: %s = %s", name, e.left, e.right);
    }
    STATE(m, "observe f_%s = force(%s)", name, name);
}

static void make_two(Maker* m, int p1, int p2) {
    const char* name = SAY(m, "c%d", ++m->count);
    Equation e1 = kinematic_equation(m, p1, false), e2 = geometric_equation(m, p2, false);
    feature(m, FEATURE_TWO_EQUATIONS);
    if (random_chance(&m->r, 0.5)) {
        STATE(m, "constraint %s: %s = %s,\n  %s = %s\n  force %s, %s", name, e1.left, e1.right,
              e2.left, e2.right, turned_form(m, p1, true), turned_form(m, p2, false));
        feature(m, FEATURE_GIVEN);
    } else {
        STATE(m, "constraint %s: %s = %s, %s = %s", name, e1.left, e1.right, e2.left, e2.right);
    }
    STATE(m, "observe f_%s = force(%s)", name, name);
}

static void make_operator(Maker* m, int p) {
    const char* name = SAY(m, "o%d", ++m->count);
    if (random_chance(&m->r, 0.3)) {
        Equation e = random_chance(&m->r, 0.5) ? geometric_equation(m, p, false)
                                               : kinematic_equation(m, p, false);
        bool kinematic = strchr(e.left, '\'') || strchr(e.right, '\'');
        const char* form =
            random_chance(&m->r, 0.4) ? SAY(m, "d(%s)", m->name[p]) : turned_form(m, p, kinematic);
        STATE(m, "operator %s: %s = %s by %s", name, e.left, e.right, form);
        feature(m, FEATURE_BY);
    } else {
        Equation e = random_chance(&m->r, 0.4) ? geometric_equation(m, p, false)
                                               : kinematic_equation(m, p, false);
        STATE(m, "operator %s: %s = %s", name, e.left, e.right);
        feature(m, FEATURE_SERVO);
    }
    STATE(m, "observe f_%s = force(%s)\nobserve p_%s = power(%s)", name, name, name, name);
}

// Operators that the presolve can take out: of t, controls and coordinates driven before.
static void make_drive(Maker* m, int p) {
    const char* name = SAY(m, "o%d", ++m->count);
    Formula right = mul(m, between(m, -0.8, 0.8), wave(m));
    if (m->control.text && random_chance(&m->r, 0.3)) {
        right = add(m, right, small(m, m->control));
        feature(m, FEATURE_CONTROL);
    }
    for (int i = 0; i < m->n; i++) {
        if (m->driven[i] && random_chance(&m->r, 0.5))
            right = add(m, right, small(m, bounded_of(m, position(m, i))));
    }
    if (random_chance(&m->r, 0.5)) {
        STATE(m, "operator %s: %s = %s", name, m->name[p], right.text);
        m->q[p] = right.x;
        m->position_open[p] = true;
        feature(m, FEATURE_DRIVEN_POSITION);
    } else {
        right = add(m, right, mul(m, between(m, -0.5, 0.5), bounded_of(m, position(m, p))));
        STATE(m, "operator %s: %s' = %s", name, m->name[p], right.text);
        feature(m, FEATURE_DRIVEN_RATE);
    }
    m->velocity_open[p] = true;
    m->driven[p] = true;
    STATE(m, "observe f_%s = force(%s)\nobserve p_%s = power(%s)", name, name, name, name);
}

static void make_equations(Maker* m) {
    int order[GENERATOR_MOST], rows = random_whole(&m->r, 0, m->n);
    if (rows == m->n && !random_chance(&m->r, 0.3)) rows = m->n - 1;
    if (rows > 4) rows = 4;
    for (int i = 0; i < m->n; i++) order[i] = i;
    for (int i = m->n - 1; i > 0; i--) {
        int j = random_whole(&m->r, 0, i), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (int k = 0; k < rows; k++) m->pivot[order[k]] = true;
    // Driven ones first: what they are at the start stands in the constants of the others.
    int drives = random_chance(&m->r, 0.4) ? random_whole(&m->r, 0, rows) : 0;
    int k = 0;
    for (; k < drives; k++) {
        make_drive(m, order[k]);
        if (random_chance(&m->r, 0.3)) {
            m->massless[order[k]] = true;
            feature(m, FEATURE_MASSLESS);
        }
    }
    bool heavy = false;
    for (int i = 0; i < m->n; i++) heavy = heavy || !m->massless[i];
    if (!heavy) m->massless[0] = false;
    int passive = 0, active = drives;
    for (; k < rows; k++) {
        if (k + 1 < rows && random_chance(&m->r, 0.2)) {
            make_two(m, order[k], order[k + 1]);
            k++;
            passive++;
        } else if (random_chance(&m->r, 0.65)) {
            make_constraint(m, order[k]);
            passive++;
        } else {
            make_operator(m, order[k]);
            active++;
        }
    }
    if (passive && active) feature(m, FEATURE_MIXED);
}

// --- the model ---------------------------------------------------------------------------------

static const char* make_coordinates(Maker* m) {
    static const char* const pool[] = {"x",   "y",     "z",    "s", "theta",
                                       "phi", "alpha", "beta", "r", "psi"};
    enum { POOL = sizeof pool / sizeof pool[0] };
    if (m->n > 1 && random_chance(&m->r, 0.2)) {
        for (int i = 0; i < m->n; i++) m->name[i] = SAY(m, "q[%d]", i + 1);
        feature(m, FEATURE_FAMILY);
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
        if (!m->massless[i]) make_square(m, i);
    }
    if (random_chance(&m->r, 0.4)) make_point(m);
    if (random_chance(&m->r, 0.3)) make_other_lagrangian(m);
    if (random_chance(&m->r, 0.4)) make_gyroscopic(m);
    if (random_chance(&m->r, 0.3)) make_time_dependent(m);
    for (int i = random_whole(&m->r, 0, 3); i > 0; i--) make_potential(m);
    if (random_chance(&m->r, 0.35)) make_force(m);
    if (random_chance(&m->r, 0.15)) make_force(m);
    if (random_chance(&m->r, 0.25)) make_dissipation(m);
}

// Values for all that is not open; now and then the velocities are left to the program altogether.
static const char* make_start(Maker* m) {
    LiaText text = {0};
    bool nearest = random_chance(&m->r, 0.15) && !generator_has(m->model, FEATURE_NONLINEAR);
    if (nearest) feature(m, FEATURE_NEAREST);
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
    make_equations(m);
    make_energies(m);
    for (int i = 0; i < m->n; i++) STATE(m, "observe at%d = %s", i + 1, m->name[i]);

    double span = random_chance(&m->r, 0.3) ? 2.0 : 1.0;
    bool backwards = random_chance(&m->r, 0.1);
    if (backwards) feature(m, FEATURE_BACKWARDS);
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

// --- the same in other coordinates -------------------------------------------------------------

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
