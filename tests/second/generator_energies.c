// Energies and forces of random models.
// SPDX-License-Identifier: MIT
#include "generator_parts.h"
#include <math.h>

// Squares in triangular form: the velocity of k and a bit of later ones, so that M is regular.
void generator_make_square(Maker* m, int k) {
    Formula mass = generator_between(m, 0.8, 2.5);
    if (k == m->n - 1 || random_chance(&m->r, 0.4)) {
        if (m->n > 1 && random_chance(&m->r, 0.4)) {
            STATE(m, "kinetic %s/2*(1 + 0.4*%s)*%s'^2", mass.text,
                  generator_bounded(m, nobody).text, m->name[k]);
        } else {
            STATE(m, "kinetic %s/2*%s'^2", mass.text, m->name[k]);
        }
        return;
    }
    int j = random_whole(&m->r, k + 1, m->n - 1);
    STATE(m, "kinetic %s/2*(%s' + %s*%s')^2", mass.text, m->name[k],
          generator_small(m, generator_bounded(m, nobody)).text, m->name[j]);
}

// A point whose place is a formula: kinetic energy from the derivative of a vector.
void generator_make_point(Maker* m) {
    const char* name = SAY(m, "r%d", ++m->count);
    STATE(m, "let %s = [%s, %s, %s]", name, generator_small(m, generator_bounded(m, nobody)).text,
          generator_add(m, generator_position(m, generator_other(m, nobody)),
                        generator_bounded(m, nobody))
              .text,
          generator_mul(m, generator_position(m, generator_other(m, nobody)),
                        generator_small(m, generator_bounded(m, nobody)))
              .text);
    STATE(m, "kinetic %s/2*dot(%s', %s')", generator_between(m, 0.2, 0.8).text, name, name);
    generator_feature(m, FEATURE_VECTOR);
}

void generator_make_other_lagrangian(Maker* m) {
    int i = generator_other(m, nobody);
    const char *x = m->name[i], *c = generator_between(m, 0.05, 0.3).text;
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
        STATE(m, "lagrangian %s*(1 + 0.5*%s)*%s'^4/4", c, generator_bounded(m, nobody).text, x);
    }
    generator_feature(m, FEATURE_NONQUADRATIC);
}

void generator_make_gyroscopic(Maker* m) {
    int i = generator_other(m, nobody);
    STATE(m, "lagrangian %s*%s*%s'", generator_between(m, -1.0, 1.0).text,
          generator_bounded(m, i).text, m->name[i]);
    generator_feature(m, FEATURE_GYROSCOPIC);
}

void generator_make_time_dependent(Maker* m) {
    int i = generator_other(m, nobody);
    switch (random_whole(&m->r, 0, 2)) {
    case 0:
        STATE(m, "kinetic %s*(1 + 0.5*%s)*%s'^2", generator_between(m, 0.1, 0.5).text,
              generator_wave(m).text, m->name[i]);
        break;
    case 1:
        STATE(m, "lagrangian %s*%s*%s'", generator_between(m, -1.0, 1.0).text,
              generator_wave(m).text, m->name[i]);
        break;
    default:
        STATE(m, "potential %s*%s*%s", generator_between(m, -1.0, 1.0).text, generator_wave(m).text,
              m->name[i]);
    }
    generator_feature(m, FEATURE_TIME);
}

void generator_make_potential(Maker* m) {
    int i = generator_other(m, nobody), j = generator_other(m, i);
    const char *x = m->name[i], *y = m->name[j], *k = generator_between(m, 0.3, 3.0).text;
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
        STATE(m, "potential %s*%s*%s", k, generator_bounded(m, nobody).text,
              generator_bounded(m, nobody).text);
        break;
    case 4:
        STATE(m, "potential 0.1*%s*%s^4", k, x);
        break;
    default:
        if (m->control.text) {
            STATE(m, "potential %s*%s*%s", k, m->control.text, generator_bounded(m, nobody).text);
            generator_feature(m, FEATURE_CONTROL);
        } else {
            STATE(m, "potential %s*exp(0.3*%s)", k, x);
        }
    }
}

void generator_make_force(Maker* m) {
    int i = generator_other(m, nobody), j = generator_other(m, i);
    const char *x = m->name[i], *y = m->name[j], *c = generator_between(m, 0.1, 0.8).text;
    const char* name = SAY(m, "F%d", ++m->count);
    switch (random_whole(&m->r, 0, 4)) {
    case 0:
        STATE(m, "force %s: -%s*%s'*d(%s)", name, c, x, x);
        break;
    case 1:
        STATE(m, "force %s: %s*%s*d(%s) - 0.3*%s*d(%s)", name, c, y, x,
              generator_bounded(m, nobody).text, y);
        break;
    case 2:
        STATE(m, "force %s: -%s*(%s' + 0.5*%s')*virtual(%s' + 0.5*%s' + 2)", name, c, x, y, x, y);
        break;
    case 3:
        STATE(m, "force %s: -%s*tanh(2*%s')*d(%s + 0.2*%s)", name, c, x, x,
              generator_bounded(m, nobody).text);
        break;
    default:
        STATE(m, "force %s: (%s*%s)*d(%s)", name, c, generator_wave(m).text, x);
    }
    generator_feature(m, FEATURE_FORCE);
}

void generator_make_dissipation(Maker* m) {
    int i = generator_other(m, nobody), j = generator_other(m, i);
    const char *x = m->name[i], *y = m->name[j], *c = generator_between(m, 0.1, 0.6).text;
    if (i != j && random_chance(&m->r, 0.5)) {
        STATE(m, "dissipation %s/2*(%s' - %s')^2", c, x, y);
    } else if (random_chance(&m->r, 0.5)) {
        STATE(m, "dissipation %s*sqrt(1 + %s'^2)", c, x);
    } else {
        STATE(m, "dissipation %s/2*(1 + 0.5*%s)*%s'^2", c, generator_bounded(m, nobody).text, x);
    }
    generator_feature(m, FEATURE_DISSIPATION);
}
