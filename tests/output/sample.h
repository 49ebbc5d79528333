// Motions made by hand: what the output needs of a model and a trajectory, and nothing else.
//
//   Sample s = sample_skater(0.0, 10.0, 1001);   the skater of the examples, from its closed form
//   ... lia_output_json(&s.motion) ...
//   sample_free(&s);
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/model.h"
#include "motion/result/trajectory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MOST = 40 };  // columns, curves, lines of each kind

typedef struct Sample {
    LiaModel model;
    LiaTrajectory motion;
    LiaCoordinate coordinates[SAMPLE_MOST];
    LiaColumn columns[SAMPLE_MOST];
    LiaPlot plots[4];
    LiaCurve curves[4][SAMPLE_MOST];
    LiaLedgerLine ledger[SAMPLE_MOST];
    LiaConstraintReport constraints[SAMPLE_MOST];
    LiaConserved conserved[SAMPLE_MOST];
    LiaEventRecord events[SAMPLE_MOST];
    const char* choices[SAMPLE_MOST];
} Sample;

static inline void sample_column(Sample* s, LiaColumnKind kind, const char* name, const char* key,
                                 const char* unit, uint32_t index, uint32_t part) {
    s->columns[s->motion.column_count++] = (LiaColumn){.kind = kind,
                                                       .name = name,
                                                       .key = key,
                                                       .unit = unit,
                                                       .index = index,
                                                       .part = part,
                                                       .label = name};
    s->motion.csv_count += kind != LIA_COLUMN_PLOT;
}

// A plot line with its columns: `x` NULL is over t.
static inline void sample_plot(Sample* s, const char* x, const char* x_unit,
                               const char* const* names, const char* const* units, uint32_t count) {
    uint32_t p = s->model.pictures.plots_count++;
    uint32_t part = 0;
    if (x) {
        s->plots[p].x = (LiaCurve){{1}, x, x_unit};
        sample_column(s, LIA_COLUMN_PLOT, x, x, x_unit, p, part++);
    } else {
        part = 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        s->curves[p][i] = (LiaCurve){{1}, names[i], units ? units[i] : NULL};
        sample_column(s, LIA_COLUMN_PLOT, names[i], names[i], units ? units[i] : NULL, p, part++);
    }
    s->plots[p].curves = s->curves[p];
    s->plots[p].count = count;
}

// Pointers into the sample itself, once it stands where it stays; room for the rows.
static inline void sample_settle(Sample* s, size_t rows) {
    s->model.coordinates = s->coordinates;
    s->model.pictures.plots = s->plots;
    for (uint32_t p = 0; p < s->model.pictures.plots_count; p++) {
        s->plots[p].curves = s->curves[p];
    }
    s->motion.model = &s->model;
    s->motion.columns = s->columns;
    s->motion.ledger.lines = s->ledger;
    s->motion.constraints.list = s->constraints;
    s->motion.conserved.list = s->conserved;
    s->motion.events.list = s->events;
    s->motion.choices.sentences = s->choices;
    if (!s->motion.final.values) {
        s->motion.rows.values = calloc(rows * s->motion.column_count + 1, sizeof(double));
        s->motion.final.values = calloc(s->motion.column_count, sizeof(double));
        s->motion.rows.count = rows;
    }
}

static inline double* sample_row(Sample* s, size_t row) {
    return s->motion.rows.values + row * s->motion.column_count;
}

static inline void sample_end(Sample* s) {
    memcpy(s->motion.final.values, sample_row(s, s->motion.rows.count - 1),
           s->motion.column_count * sizeof(double));
    s->motion.t = s->motion.final.values[0];
}

static inline void sample_free(Sample* s) {
    free(s->motion.rows.values);
    free(s->motion.final.values);
    free(s);
}

// A motion with nothing but t and the curves of one plot line; the caller fills the rows.
static inline Sample* sample_curves(const char* x, const char* x_unit, const char* const* names,
                                    const char* const* units, uint32_t count, size_t rows) {
    Sample* s = calloc(1, sizeof *s);
    s->model.name = "curves";
    sample_column(s, LIA_COLUMN_TIME, "t", "t", NULL, 0, 0);
    sample_plot(s, x, x_unit, names, units, count);
    s->motion.t1 = s->motion.t = 1.0;
    sample_settle(s, rows);
    for (size_t row = 0; row < rows; row++) {
        sample_row(s, row)[0] = rows > 1 ? (double)row / (double)(rows - 1) : 0.0;
    }
    return s;
}

// skater.lia: theta' = (J - I2 s')/(I1 + I2), speed 1.5 along theta; Simpson's rule for the path.
static inline Sample* sample_skater(double t0, double t1, size_t rows) {
    Sample* s = calloc(1, sizeof *s);
    s->model.name = "skater";
    s->model.title = "Skater with a twisting torso";
    const char* names[] = {"x", "y", "theta", "s"};
    const char* primes[] = {"x'", "y'", "theta'", "s'"};
    const char* units[] = {"m", "m", NULL, NULL};
    const char* rates[] = {"m/s", "m/s", NULL, NULL};
    sample_column(s, LIA_COLUMN_TIME, "t", "t", NULL, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        s->coordinates[s->model.coordinates_count++] = (LiaCoordinate){
            .name = names[i], .manifold = i < 2 ? LIA_LINE : LIA_CIRCLE, .unit = units[i]};
        sample_column(s, LIA_COLUMN_POSITION, names[i], names[i], units[i], i, 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        sample_column(s, LIA_COLUMN_VELOCITY, primes[i], primes[i], rates[i], i, 0);
    }
    sample_column(s, LIA_COLUMN_OBSERVE, "energy", "energy", NULL, 0, 0);
    sample_column(s, LIA_COLUMN_OBSERVE, "kinetic", "kinetic", NULL, 1, 0);
    sample_column(s, LIA_COLUMN_OBSERVE, "potential", "potential", NULL, 2, 0);
    sample_column(s, LIA_COLUMN_OBSERVE, "p", "p", NULL, 3, 0);
    sample_column(s, LIA_COLUMN_FORCE, "force(blade)", "blade", NULL, 0, 0);
    sample_column(s, LIA_COLUMN_FORCE, "force(twist)", "twist", NULL, 1, 0);
    sample_column(s, LIA_COLUMN_POWER, "power(blade)", "blade", NULL, 0, 0);
    sample_column(s, LIA_COLUMN_POWER, "power(twist)", "twist", NULL, 1, 0);
    const char *y_label[] = {"y"}, *y_unit[] = {"m"};
    const char *over_t[] = {"energy", "power(twist)"}, *over_t_units[] = {"J", "W"};
    sample_plot(s, "x", "m", y_label, y_unit, 1);
    sample_plot(s, NULL, NULL, over_t, over_t_units, 2);
    s->motion.t0 = t0;
    s->motion.t1 = t1;
    s->motion.effort.tolerance = 1e-12;
    s->motion.effort.order = 18;
    s->motion.effort.steps = 41;
    s->motion.effort.seconds = 0.000213;
    s->motion.effort.setup_seconds = 0.004125;
    s->motion.regularity = 1.0;
    s->motion.ledger.balance = 3e-16;
    sample_settle(s, rows);

    double m = 60, I1 = 1.8, I2 = 1.2, v = 1.5, J = (I1 + I2) * 0.2 + I2 * 1.6, x = 0, y = 0;
    enum { FINE = 64 };
    double h = rows > 1 ? (t1 - t0) / (double)(rows - 1) : 0.0, dt = h / FINE;
    for (size_t row = 0; row < rows; row++) {
        double t = t0 + h * (double)row;
        for (int k = 0; row > 0 && k < FINE; k++) {
            double a = t - h + k * dt;
            for (int j = 0; j <= 2; j++) {
                double b = a + j * dt / 2, w = (j == 1 ? 4.0 : 1.0) / 6.0 * dt;
                double theta = (J * b - I2 * 0.8 * sin(2 * b)) / (I1 + I2);
                x += w * v * cos(theta);
                y += w * v * sin(theta);
            }
        }
        double s1 = 1.6 * cos(2 * t), s2 = -3.2 * sin(2 * t);
        double theta = (J * t - I2 * 0.8 * sin(2 * t)) / (I1 + I2),
               theta1 = (J - I2 * s1) / (I1 + I2);
        double energy =
            m / 2 * v * v + I1 / 2 * theta1 * theta1 + I2 / 2 * (theta1 + s1) * (theta1 + s1);
        double torque = I1 * I2 / (I1 + I2) * s2;
        double values[] = {t,
                           x,
                           y,
                           theta,
                           0.8 * sin(2 * t),
                           v * cos(theta),
                           v * sin(theta),
                           theta1,
                           s1,
                           energy,
                           energy,
                           0,
                           m * v,
                           -m * v * theta1,
                           torque,
                           0,
                           torque * s1,
                           x,
                           y,
                           energy,
                           torque * s1};
        memcpy(sample_row(s, row), values, sizeof values);
    }
    sample_end(s);
    double s1 = 1.6 * cos(2 * t1), work = I1 * I2 / (I1 + I2) * (s1 * s1 - 1.6 * 1.6) / 2;
    s->ledger[0] = (LiaLedgerLine){LIA_LINE_CONSTRAINT, "blade", 0, 0, true, 0, 0, 0};
    s->ledger[1] = (LiaLedgerLine){
        LIA_LINE_OPERATOR, "twist", s->motion.final.values[16], work, false, 0, 0, 1};
    s->ledger[2] =
        (LiaLedgerLine){LIA_LINE_PROJECTION, "projection", 0, 1.1e-17, false, 0, 0, LIA_NOWHERE};
    s->motion.ledger.count = 3;
    s->motion.ledger.start = sample_row(s, 0)[9];
    s->motion.ledger.end = s->motion.final.values[9];
    s->constraints[0] =
        (LiaConstraintReport){"blade", false, false, false, 1, 1.5e-17, 2.25e-16, true, 0, 0, 0};
    s->constraints[1] = (LiaConstraintReport){"twist", true, true, false, 1, 0, 0, true, 0, 0, 1};
    s->motion.constraints.count = 2;
    s->conserved[0] = (LiaConserved){"momentum(turn)", J, 1.25e-16, 0, 0};
    s->motion.conserved.count = 1;
    s->choices[0] = "s is driven by 'twist' and is known beforehand";
    s->choices[1] = "y' = 0: the nearest admissible velocity";
    s->motion.choices.count = 2;
    return s;
}
