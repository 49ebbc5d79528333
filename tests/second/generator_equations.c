// Constraints and operators of random models. See generator.h.
// SPDX-License-Identifier: MIT
#include "generator_parts.h"
#include <math.h>
#include <string.h>

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
    int j = generator_other(m, p);
    if (j == p) return SAY(m, "d(%s)", m->name[p]);
    const char* c = generator_between(m, -0.25, 0.25).text;
    switch (random_whole(&m->r, 0, 4)) {
    case 0:
        return SAY(m, "d(%s) + %s*d(%s)", m->name[p], c, m->name[j]);
    case 1:
        return SAY(m, "d(%s) + %s*%s*d(%s)", m->name[p], c, generator_bounded(m, nobody).text,
                   m->name[j]);
    case 2:
        return SAY(m, "virtual(%s' + %s*%s*%s')", m->name[p], c, generator_bounded(m, nobody).text,
                   m->name[j]);
    case 3:
        return SAY(m, "d(%s) - 0.2*tanh(%s')*d(%s)", m->name[p], m->name[j], m->name[j]);
    default:
        if (kinematic)
            return SAY(m, "(1 + 0.2*%s)*virtual(%s')", generator_bounded(m, nobody).text,
                       m->name[p]);
        return SAY(m, "(1 + 0.2*%s)*d(%s + 0.2*%s)", generator_bounded(m, nobody).text, m->name[p],
                   generator_bounded(m, p).text);
    }
}

// left = right with the pivot on the left; what is open at the start.
typedef struct Equation {
    const char *left, *right;
    bool nonlinear;
} Equation;

static Equation geometric_equation(Maker* m, int p, bool passive) {
    Formula rest = generator_small(m, generator_bounded(m, p));
    if (random_chance(&m->r, 0.4))
        rest = generator_add(m, rest, generator_small(m, generator_bounded(m, p)));
    if (random_chance(&m->r, 0.25)) {
        rest = generator_add(m, rest, generator_small(m, generator_wave(m)));
        generator_feature(m, FEATURE_RHEONOMIC);
    }
    if (m->control.text && random_chance(&m->r, 0.15)) {
        rest = generator_add(m, rest, generator_small(m, m->control));
        generator_feature(m, FEATURE_CONTROL);
    }
    generator_feature(m, FEATURE_GEOMETRIC);
    m->velocity_open[p] = true;
    int j = free_one(m, p);
    // A circle; not two of them, which may meet where one cannot tell them apart.
    bool off_axis = fabs(m->q[p]) > 0.2 && !m->circle;
    if (passive && j >= 0 && off_axis && random_chance(&m->r, 0.25)) {
        m->circle = true;
        double x = m->q[p], y = m->q[j];
        return (Equation){SAY(m, "%s^2 + (%s + 0.1)^2", m->name[p], m->name[j]),
                          generator_number(m, x * x + (y + 0.1) * (y + 0.1)).text, false};
    }
    if (random_chance(&m->r, 0.3)) {
        m->position_open[p] = m->guess[p] = true;
        generator_feature(m, FEATURE_GUESS);
    }
    if (random_chance(&m->r, 0.5)) {
        Formula sum = generator_add(m, generator_position(m, p), rest);
        return (Equation){sum.text, generator_number(m, sum.x).text, false};
    }
    Formula c = generator_number(m, m->q[p] - rest.x);
    return (Equation){m->name[p], SAY(m, "%s + %s", rest.text, c.text), false};
}

static Equation kinematic_equation(Maker* m, int p, bool passive) {
    m->velocity_open[p] = true;
    generator_feature(m, FEATURE_LINEAR);
    int j = free_one(m, p);
    if (passive && j >= 0 && random_chance(&m->r, 0.2)) {  // a blade
        int i = generator_other(m, p);
        return (Equation){SAY(m, "%s'*cos(0.5*%s) - %s'*sin(0.5*%s)", m->name[p], m->name[i],
                              m->name[j], m->name[i]),
                          "0", false};
    }
    LiaText right = {0};
    int i = generator_other(m, p);
    lia_text_add(&right, "%s*%s", generator_small(m, generator_bounded(m, nobody)).text,
                 i == p ? "sin(t)" : SAY(m, "%s'", m->name[i]));
    if (i == p) generator_feature(m, FEATURE_AFFINE);
    if (m->n > 2 && random_chance(&m->r, 0.4)) {
        lia_text_add(&right, " + %s*%s'", generator_between(m, -0.2, 0.2).text,
                     m->name[generator_other(m, p)]);
    }
    if (random_chance(&m->r, 0.5)) {
        lia_text_add(&right, " + %s",
                     generator_small(m, random_chance(&m->r, 0.5) ? generator_wave(m)
                                                                  : generator_bounded(m, nobody))
                         .text);
        generator_feature(m, FEATURE_AFFINE);
    }
    if (m->control.text && random_chance(&m->r, 0.3) && i != p) {
        lia_text_add(&right, " + 0.2*%s*%s'", m->control.text, m->name[i]);
        generator_feature(m, FEATURE_CONTROL);
    }
    Equation e = {SAY(m, "%s'", m->name[p]), SAY(m, "%s", right.data), false};
    lia_text_clear(&right);
    return e;
}

static Equation nonlinear_equation(Maker* m, int p) {
    int j = free_one(m, p);
    generator_feature(m, FEATURE_NONLINEAR);
    if (j >= 0 && random_chance(&m->r, 0.4)) {  // a given speed
        double v = m->v[p] = m->v[p] < 0.0 ? m->v[p] - 1.0 : m->v[p] + 1.0, w = m->v[j];
        return (Equation){SAY(m, "%s'^2 + %s'^2", m->name[p], m->name[j]),
                          generator_number(m, v * v + w * w).text, true};
    }
    m->velocity_open[p] = true;
    int i = generator_other(m, p);
    if (i == p)
        return (Equation){SAY(m, "%s' + 0.1*%s'^3", m->name[p], m->name[p]), generator_wave(m).text,
                          true};
    const char* c = generator_between(m, 0.05, 0.15).text;
    if (random_chance(&m->r, 0.5)) {
        return (Equation){SAY(m, "%s' + %s*%s'^2", m->name[p], c, m->name[i]),
                          generator_small(m, generator_bounded(m, nobody)).text, true};
    }
    return (Equation){SAY(m, "%s'", m->name[p]),
                      SAY(m, "%s*sqrt(1 + %s'^2) + %s", c, m->name[i],
                          generator_small(m, generator_bounded(m, nobody)).text),
                      true};
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
        generator_feature(m, FEATURE_GIVEN);
    } else if (e.nonlinear) {
        STATE(m, "constraint %s: %s = %s\n  force chetaev", name, e.left, e.right);
        generator_feature(m, FEATURE_CHETAEV);
    } else {
        STATE(m, "constraint %s: %s = %s", name, e.left, e.right);
    }
    STATE(m, "observe f_%s = force(%s)", name, name);
}

static void make_two(Maker* m, int p1, int p2) {
    const char* name = SAY(m, "c%d", ++m->count);
    Equation e1 = kinematic_equation(m, p1, false), e2 = geometric_equation(m, p2, false);
    generator_feature(m, FEATURE_TWO_EQUATIONS);
    if (random_chance(&m->r, 0.5)) {
        STATE(m, "constraint %s: %s = %s,\n  %s = %s\n  force %s, %s", name, e1.left, e1.right,
              e2.left, e2.right, turned_form(m, p1, true), turned_form(m, p2, false));
        generator_feature(m, FEATURE_GIVEN);
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
        generator_feature(m, FEATURE_BY);
    } else {
        Equation e = random_chance(&m->r, 0.4) ? geometric_equation(m, p, false)
                                               : kinematic_equation(m, p, false);
        STATE(m, "operator %s: %s = %s", name, e.left, e.right);
        generator_feature(m, FEATURE_SERVO);
    }
    STATE(m, "observe f_%s = force(%s)\nobserve p_%s = power(%s)", name, name, name, name);
}

// Operators that the presolve can take out: of t, controls and coordinates driven before.
static void make_drive(Maker* m, int p) {
    const char* name = SAY(m, "o%d", ++m->count);
    Formula right = generator_mul(m, generator_between(m, -0.8, 0.8), generator_wave(m));
    if (m->control.text && random_chance(&m->r, 0.3)) {
        right = generator_add(m, right, generator_small(m, m->control));
        generator_feature(m, FEATURE_CONTROL);
    }
    for (int i = 0; i < m->n; i++) {
        if (m->driven[i] && random_chance(&m->r, 0.5))
            right = generator_add(
                m, right, generator_small(m, generator_bounded_of(m, generator_position(m, i))));
    }
    if (random_chance(&m->r, 0.5)) {
        STATE(m, "operator %s: %s = %s", name, m->name[p], right.text);
        m->q[p] = right.x;
        m->position_open[p] = true;
        generator_feature(m, FEATURE_DRIVEN_POSITION);
    } else {
        right = generator_add(m, right,
                              generator_mul(m, generator_between(m, -0.5, 0.5),
                                            generator_bounded_of(m, generator_position(m, p))));
        STATE(m, "operator %s: %s' = %s", name, m->name[p], right.text);
        generator_feature(m, FEATURE_DRIVEN_RATE);
    }
    m->velocity_open[p] = true;
    m->driven[p] = true;
    STATE(m, "observe f_%s = force(%s)\nobserve p_%s = power(%s)", name, name, name, name);
}

void generator_make_equations(Maker* m) {
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
            generator_feature(m, FEATURE_MASSLESS);
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
    if (passive && active) generator_feature(m, FEATURE_MIXED);
}
