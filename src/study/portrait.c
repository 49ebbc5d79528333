// A phase portrait. See portrait.h.
//
// Where curves are is kept on a raster; a start in a cell that is taken, or beside one, is passed
// over. So the curves are about as far apart as the starts, whatever the motion.
// SPDX-License-Identifier: MIT
#include "study/portrait.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "base/watch.h"
#include "geometry/admissible.h"
#include "geometry/span.h"
#include "mechanics/kkt/workspace.h"
#include "motion/result/state.h"
#include "study/instant.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// UP is even: no start is at rest, where friction would have to choose a side.
enum { ACROSS = 13, UP = 10, RASTER_X = 52, RASTER_Y = 36, SAMPLES = 801, STEPS_MOST = 20000 };

// --- is there one? ---------------------------------------------------------------------------

static bool form_has_t(const LiaModel* model, const LiaForm* form) {
    for (uint32_t i = 0; i < form->count; i++) {
        const LiaFormPart* part = &form->parts[i];
        if ((lia_model_depends(model, part->coefficient) | lia_model_depends(model, part->of)) &
            LIA_DEPENDS(TIME)) {
            return true;
        }
    }
    return false;
}

static bool constraint_has_t(const LiaModel* model, const LiaConstraint* c) {
    for (uint32_t e = 0; e < c->equation_count; e++) {
        const LiaEquation* equation = &c->equations[e];
        if ((lia_model_depends(model, equation->left) | lia_model_depends(model, equation->right)) &
            LIA_DEPENDS(TIME)) {
            return true;
        }
    }
    for (uint32_t f = 0; f < c->form_count; f++) {
        if (form_has_t(model, &c->forms[f])) return true;
    }
    return false;
}

static bool depends_on_t(const LiaModel* model) {
    for (uint32_t i = 0; i < model->energies_count; i++) {
        if (lia_model_depends(model, model->energies[i].term) & LIA_DEPENDS(TIME)) return true;
    }
    for (uint32_t i = 0; i < model->dissipations_count; i++) {
        if (lia_model_depends(model, model->dissipations[i].term) & LIA_DEPENDS(TIME)) return true;
    }
    for (uint32_t i = 0; i < model->forces_count; i++) {
        if (form_has_t(model, &model->forces[i].form)) return true;
    }
    for (uint32_t i = 0; i < model->constraints_count; i++) {
        if (constraint_has_t(model, &model->constraints[i])) return true;
    }
    return false;
}

// A basis of the velocities that all equations leave at the start, into `basis` (n x n, to be
// freed). -1: memory is out.
static int free_velocities(const LiaTrajectory* run, double** basis) {
    const LiaSystem* s = run->system;
    LiaWorkspace* w = lia_workspace_create_dense(s, s->full, 1);
    size_t n = s->n;
    *basis = lia_memory_zeros(n * n + 1, sizeof **basis);
    int count = -1;
    if (w && *basis) {
        lia_instant_load(run, 0, &w->t, w->q, w->v);
        lia_workspace_update(w, 1);
        lia_workspace_matrices(w);
        count = lia_span_kernel(w->nc, w->n, w->saddle.J, *basis);
    }
    lia_workspace_destroy(w);
    return count;
}

bool lia_portrait_possible(const LiaTrajectory* run, uint32_t coordinate, LiaText* why) {
    const LiaSystem* s = run->system;
    const char* name = s->model->coordinates[coordinate].name;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        if (row->geometric || row->identical) continue;
        lia_text_add(
            why,
            "'%s' is about velocities: the state is more than a position and a velocity, and "
            "curves would cross",
            s->model->constraints[row->constraint].name);
        return false;
    }
    if (depends_on_t(s->model)) {
        lia_text_add(why, "energies, forces or equations depend on t: curves would cross");
        return false;
    }
    double* basis = NULL;
    int free_count = free_velocities(run, &basis);
    bool turns = s->model->coordinates[coordinate].manifold == LIA_ROTATION;
    bool moves = free_count == 1 && !turns && fabs(basis[coordinate]) > LIA_PORTRAIT_MOVES;
    if (free_count != 1) {
        lia_text_add(why, "a portrait is of one free degree of freedom, and here there are %d",
                     free_count > 0 ? free_count : 0);
    } else if (turns) {
        lia_text_add(why, "'%s' is one number of a rotation, which has no velocity of its own",
                     name);
    } else if (!moves) {
        lia_text_add(why, "'%s' does not move with the one free degree of freedom at the start",
                     name);
    }
    free(basis);
    return moves;
}

uint32_t lia_portrait_coordinate(const LiaTrajectory* run) {
    double* basis = NULL;
    uint32_t best = 0;
    double most = 0.0;
    int count = free_velocities(run, &basis);
    for (uint32_t i = 0; count > 0 && i < run->system->n; i++) {
        bool shown = run->model->coordinates[i].group == 0 && !run->model->coordinates[i].inner;
        if (shown && fabs(basis[i]) > most * (1.0 + LIA_PORTRAIT_MORE)) {
            most = fabs(basis[i]);
            best = i;
        }
    }
    free(basis);
    return best;
}

// --- the motions -----------------------------------------------------------------------------

typedef struct Raster {
    LiaBox box;
    bool taken[RASTER_Y][RASTER_X];
} Raster;

static bool find_cell(const Raster* raster, double q, double v, int* i, int* j) {
    const LiaBox* box = &raster->box;
    double x = (q - box->x_low) / (box->x_high - box->x_low) * RASTER_X;
    double y = (v - box->y_low) / (box->y_high - box->y_low) * RASTER_Y;
    if (!(x >= 0.0 && x < RASTER_X && y >= 0.0 && y < RASTER_Y)) return false;
    *i = (int)x, *j = (int)y;
    return true;
}

static bool is_near(const Raster* raster, double q, double v) {
    int i, j;
    if (!find_cell(raster, q, v, &i, &j)) return true;
    for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < RASTER_Y; y++) {
        for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < RASTER_X; x++) {
            if (raster->taken[y][x]) return true;
        }
    }
    return false;
}

void lia_portrait_columns(const LiaTrajectory* run, uint32_t coordinate, size_t* q, size_t* v) {
    *q = *v = 0;
    for (size_t k = 0; k < run->column_count; k++) {
        const LiaColumn* c = &run->columns[k];
        if (c->index != coordinate) continue;
        if (c->kind == LIA_COLUMN_POSITION) *q = k;
        if (c->kind == LIA_COLUMN_VELOCITY) *v = k;
    }
}

// The cells a motion goes through, between two samples on the straight line.
static void take_cells(Raster* raster, const LiaTrajectory* motion, size_t q, size_t v) {
    enum { BETWEEN = 8 };
    size_t columns = motion->column_count;
    for (size_t row = 1; row < motion->rows.count; row++) {
        const double *a = motion->rows.values + (row - 1) * columns,
                     *b = motion->rows.values + row * columns;
        for (int k = 0; k <= BETWEEN; k++) {
            double f = (double)k / BETWEEN;
            int i, j;
            if (find_cell(raster, a[q] + f * (b[q] - a[q]), a[v] + f * (b[v] - a[v]), &i, &j)) {
                raster->taken[j][i] = true;
            }
        }
    }
}

// The sample of the run whose position is nearest to q.
static size_t nearest_row(const LiaTrajectory* run, size_t column, double q) {
    size_t best = 0;
    double least = INFINITY;
    for (size_t row = 0; row < run->rows.count; row++) {
        double away = fabs(run->rows.values[row * run->column_count + column] - q);
        if (away < least) least = away, best = row;
    }
    return best;
}

typedef struct Sought {
    uint32_t coordinate;
    size_t column;  // of its position
    double room;    // a sample so near has the position that is sought
} Sought;

// The state where the one coordinate is at (q, v), into z->w: positions of a sample of the run
// where one is within `room`, else the nearest to it; velocities as the equations have them.
static bool find_state(LiaAdmissible* z, const LiaTrajectory* run, const Sought* of, double q,
                       double v) {
    LiaWorkspace* w = z->w;
    uint32_t coordinate = of->coordinate;
    lia_instant_load(run, nearest_row(run, of->column, q), &w->t, w->q, w->v);
    w->t = run->t0;
    bool there = fabs(w->q[coordinate] - q) < of->room;
    for (int i = 0; i < z->n; i++) {
        z->given[i] = there;
        z->given[z->n + i] = false;
        w->v[i] = 0.0;
    }
    if (!there) w->q[coordinate] = q;
    w->v[coordinate] = v;
    z->given[coordinate] = z->given[z->n + (int)coordinate] = true;
    return lia_admissible_settle(z) < LIA_ADMISSIBLE;
}

// Velocities as a state has them: of a rotation omega = 2 vec(q' q^-1), after its w.
static void take_velocities(LiaState* state, const double* q, const double* v) {
    const LiaModel* model = state->model;
    memcpy(state->v, v, model->coordinates_count * sizeof *v);
    for (uint32_t g = 0; g < model->groups_count; g++) {
        uint32_t at = model->groups[g].first;
        if (model->groups[g].manifold != LIA_ROTATION) continue;
        const double *r = q + at, *u = v + at;
        for (int i = 1; i <= 3; i++) {
            int j = i % 3 + 1, k = j % 3 + 1;
            state->v[at + (uint32_t)i] =
                2.0 * (r[0] * u[i] - u[0] * r[i] - (u[j] * r[k] - u[k] * r[j]));
        }
    }
}

// The motion from a point of the plane; NULL where there is none.
static LiaTrajectory* motion_from(const LiaTrajectory* run, const double* q, const double* v,
                                  double until) {
    LiaTrajectory* motion = NULL;
    LiaState* state = lia_state_empty(run->model, "a point of the portrait");
    LiaDiags* diags = lia_diags_create();
    if (state && diags) {
        state->t = run->t0;
        memcpy(state->q, q, run->model->coordinates_count * sizeof *q);
        take_velocities(state, q, v);
        LiaRunOptions options = {.from = state,
                                 .until = &until,
                                 .tolerance = LIA_PORTRAIT_TOLERANCE,
                                 .samples = SAMPLES,
                                 .interrupt = run->interrupt,
                                 .steps_most = STEPS_MOST};
        LiaStatus status = lia_motion_run(run->system, &options, diags, &motion);
        if (status == LIA_MODEL) motion = NULL;
    }
    lia_diags_destroy(diags);
    lia_state_destroy(state);
    return motion;
}

// Is the time over, or will it be long before the family is there?
static bool is_late(double spent, double seconds, size_t motions) {
    enum { FEWEST = 20 };  // motions of a family that shows anything
    if (!(seconds > 0.0)) return false;
    return spent > seconds || (motions > 0 && spent / (double)motions * FEWEST > seconds);
}

static bool is_interrupted(const LiaTrajectory* run) {
    return lia_watch_raised() || lia_interrupt_asks(run->interrupt);
}

bool lia_portrait_make(const LiaTrajectory* run, uint32_t coordinate, LiaBox box, double seconds,
                       LiaPortrait* out) {
    *out = (LiaPortrait){.motions = lia_memory_zeros(2 * ACROSS * UP, sizeof(LiaTrajectory*))};
    Raster* raster = lia_memory_zeros(1, sizeof *raster);
    LiaAdmissible z = {0};
    if (!out->motions || !raster || !lia_admissible_init(&z, run->system)) {
        free(raster);
        lia_portrait_clear(out);
        return false;
    }
    size_t q_column, v_column;
    lia_portrait_columns(run, coordinate, &q_column, &v_column);
    raster->box = box;
    take_cells(raster, run, q_column, v_column);
    double begun = lia_clock_computed();
    double length = run->t - run->t0;
    Sought sought = {coordinate, q_column, 0.25 * (box.x_high - box.x_low) / ACROSS};
    for (int j = 0; j < UP; j++) {
        for (int i = 0; i < ACROSS; i++) {
            double q = box.x_low + (box.x_high - box.x_low) * (i + 0.5) / ACROSS;
            double v = box.y_low + (box.y_high - box.y_low) * (j + 0.5) / UP;
            if (is_near(raster, q, v)) continue;
            out->cut = out->cut || is_interrupted(run) ||
                       is_late(lia_clock_computed() - begun, seconds, out->count);
            if (out->cut) continue;
            if (!find_state(&z, run, &sought, q, v)) continue;
            for (int back = 0; back < 2; back++) {
                double until = run->t0 + (back ? -length : length);
                LiaTrajectory* motion = motion_from(run, z.w->q, z.w->v, until);
                if (!motion) continue;
                take_cells(raster, motion, q_column, v_column);
                out->motions[out->count++] = motion;
            }
        }
    }
    free(raster);
    lia_admissible_clear(&z);
    return true;
}

void lia_portrait_clear(LiaPortrait* portrait) {
    for (size_t i = 0; i < portrait->count; i++) lia_trajectory_destroy(portrait->motions[i]);
    free(portrait->motions);
    *portrait = (LiaPortrait){0};
}
