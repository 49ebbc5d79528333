// Running a model text in a test. See motion.h.
// SPDX-License-Identifier: MIT
#include "motion.h"
#include "file.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Motion motion_of(const char* text, const MotionOptions* options) {
    static const MotionOptions none = {0};
    if (!options) options = &none;
    Motion m = {.diags = lia_diags_create()};
    m.status =
        lia_model_parse("test.lia", text, strlen(text),
                        &(LiaDefines){options->defines, options->define_count}, m.diags, &m.model);
    LiaSystemOptions system = {.no_eliminate = options->no_eliminate};
    if (m.status == LIA_OK) m.status = lia_system_build(m.model, &system, m.diags, &m.system);
    if (m.status == LIA_OK) m.status = lia_motion_run(m.system, &options->run, m.diags, &m.t);
    if (!m.t && !options->quiet) {
        char* said = lia_diags_text(m.diags);
        printf("%s\n", said ? said : "");
        lia_free(said);
    }
    return m;
}

Motion motion_of_file(const char* path, const MotionOptions* options) {
    char* text = file_text(path);
    Motion m = motion_of(text ? text : "", options);
    lia_free(text);
    return m;
}

void motion_clear(Motion* m) {
    lia_trajectory_destroy(m->t);
    lia_system_destroy(m->system);
    lia_model_destroy(m->model);
    lia_diags_destroy(m->diags);
    *m = (Motion){0};
}

double motion_final(const Motion* m, const char* name) {
    double x;
    return m->t && lia_trajectory_final(m->t, name, &x) ? x : NAN;
}

double motion_value(const Motion* m, size_t row, const char* name) {
    for (size_t c = 0; m->t && c < lia_trajectory_columns(m->t); c++) {
        if (strcmp(lia_trajectory_column(m->t, c), name) == 0)
            return lia_trajectory_value(m->t, row, c);
    }
    return NAN;
}
