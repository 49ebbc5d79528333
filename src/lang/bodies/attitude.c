// Attitudes in words. See attitude.h.
//
// The turn from q to p is p q^-1 = (cos(angle/2), sin(angle/2) n); p and -p are the same attitude,
// so that of both signs the one is taken which turns by less than half a turn.
// SPDX-License-Identifier: MIT
#include "lang/bodies/attitude.h"
#include "base/numeric/thresholds.h"
#include <math.h>

double lia_attitude_turn(const double* from, const double* to, double axis[3]) {
    const double *q = from, *p = to;
    double w = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    double sign = w < 0.0 ? -1.0 : 1.0;
    for (int i = 1; i <= 3; i++) {
        int j = i % 3 + 1, l = j % 3 + 1;
        axis[i - 1] = sign * (q[0] * p[i] - p[0] * q[i] + q[j] * p[l] - q[l] * p[j]);
    }
    double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    for (int i = 0; i < 3 && length > 0.0; i++) axis[i] /= length;
    return 2.0 * atan2(length, fabs(w));
}

void lia_attitude_describe(LiaText* text, const double* from, const double* to) {
    double axis[3], angle = lia_attitude_turn(from, to, axis);
    if (!(angle > LIA_ATTITUDE_UNTURNED)) {
        lia_text_add(text, "not turned");
        return;
    }
    lia_text_add(text, "turned by ");
    lia_text_add_short(text, angle * 57.29577951308232, 8);
    lia_text_add(text, " degrees about [");
    for (int i = 0; i < 3; i++) {
        lia_text_add(text, i ? ", " : "");
        lia_text_add_short(text, fabs(axis[i]) * angle > LIA_ATTITUDE_AXIS ? axis[i] : 0.0, 8);
    }
    lia_text_add(text, "]");
}

uint32_t lia_attitude_of(const LiaModel* model, uint32_t i) {
    uint32_t group = model->coordinates[i].group;
    return group && model->groups[group - 1].manifold == LIA_ROTATION ? group : 0;
}

const char* lia_attitude_name(const LiaModel* model, uint32_t i) {
    uint32_t group = lia_attitude_of(model, i);
    return group ? model->groups[group - 1].name : model->coordinates[i].name;
}
