// States out of the table of a motion. See state.h.
// SPDX-License-Identifier: MIT
#include "state.h"
#include "lang/model.h"
#include "motion/result/trajectory.h"

// v holds (-, omega), and becomes q' = (0, omega) q / 2.
static void turn(const double* q, double* v) {
    double x = v[1], y = v[2], z = v[3];
    v[0] = -(x * q[1] + y * q[2] + z * q[3]) / 2.0;
    v[1] = (x * q[0] + y * q[3] - z * q[2]) / 2.0;
    v[2] = (y * q[0] + z * q[1] - x * q[3]) / 2.0;
    v[3] = (z * q[0] + x * q[2] - y * q[1]) / 2.0;
}

void state_of_row(const LiaTrajectory* motion, const LiaModel* model, size_t row, double* q,
                  double* v) {
    const double* values = motion->rows.values + row * motion->column_count;
    for (size_t c = 0; c < motion->column_count; c++) {  // inner coordinates stand last
        const LiaColumn* column = &motion->columns[c];
        if (column->kind == LIA_COLUMN_POSITION) q[column->index] = values[c];
        if (column->kind == LIA_COLUMN_VELOCITY) v[column->index] = values[c];
    }
    for (uint32_t k = 0; k < model->groups_count; k++) {
        uint32_t first = model->groups[k].first;
        if (model->groups[k].manifold == LIA_ROTATION) turn(q + first, v + first);
    }
}
