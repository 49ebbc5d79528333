// The positions and velocities of a motion at one of its samples. See instant.h.
// SPDX-License-Identifier: MIT
#include "study/instant.h"
#include "lang/model.h"
#include <string.h>

void lia_instant_load(const LiaTrajectory* trajectory, size_t row, double* t, double* q,
                      double* v) {
    const LiaModel* model = trajectory->model;
    const double* values = row < trajectory->rows.count
                               ? trajectory->rows.values + row * trajectory->column_count
                               : trajectory->final.values;
    memset(q, 0, model->coordinates_count * sizeof *q);
    memset(v, 0, model->coordinates_count * sizeof *v);
    *t = values[0];
    for (size_t k = 0; k < trajectory->column_count; k++) {
        const LiaColumn* c = &trajectory->columns[k];
        if (c->kind == LIA_COLUMN_POSITION) q[c->index] = values[k];
        if (c->kind != LIA_COLUMN_VELOCITY) continue;
        if (model->coordinates[c->index].manifold != LIA_ROTATION) v[c->index] = values[k];
    }
}
