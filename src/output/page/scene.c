// What of a motion can be drawn. See scene.h.
// SPDX-License-Identifier: MIT
#include "output/page/scene.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/arrows/arrows.h"
#include "output/page/impacts.h"
#include "output/page/surface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double* lia_scene_row(const LiaScene* scene, size_t row) {
    const LiaTrajectory* t = scene->trajectory;
    if (row >= scene->rows) return scene->impact_rows + (row - scene->rows) * t->column_count;
    return row < t->rows.count ? t->rows.values + row * t->column_count : t->final.values;
}

LiaSceneItem* lia_scene_add(LiaScene* scene, const char* kind, const char* name) {
    if (scene->count == scene->capacity) {
        uint32_t capacity = scene->capacity ? 2 * scene->capacity : 32;
        LiaSceneItem* items = lia_memory_resize(scene->items, capacity * sizeof *items);
        if (!items) {
            scene->failed = true;
            return &scene->lost;
        }
        scene->items = items;
        scene->capacity = capacity;
    }
    LiaSceneItem* item = &scene->items[scene->count++];
    *item = (LiaSceneItem){.kind = kind, .name = name};
    return item;
}

bool lia_scene_resolve(LiaScene* scene, const LiaExpr* terms, LiaExpr* out, uint32_t count) {
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = lia_resolve_term(scene->resolver, terms[i]);
        good = good && out[i].index;
    }
    return good;
}

void lia_scene_axis_to(const double* n, double V[3][3]) {
    int far = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    far = fabs(n[2]) < fabs(n[far]) ? 2 : far;
    double u[3] = {far == 0, far == 1, far == 2}, along = n[far], length = 0.0;
    for (int i = 0; i < 3; i++) {
        u[i] -= along * n[i];
        length = hypot(length, u[i]);
    }
    for (int i = 0; i < 3; i++) u[i] /= length;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        V[i][0] = u[i];
        V[i][1] = n[j] * u[k] - n[k] * u[j];
        V[i][2] = n[i];
    }
}

// --- who is moved by an operator

// The one group of coordinates, a place or a rotation, that an operator asks for with three
// equations; -1: none.
static int group_of(const LiaScene* scene, uint32_t constraint) {
    const LiaSystem* s = scene->system;
    int found = -1;
    if (s->first_row[constraint + 1] - s->first_row[constraint] != 3) return -1;
    for (uint32_t r = s->first_row[constraint]; r < s->first_row[constraint + 1]; r++) {
        const uint32_t* list = NULL;
        const LiaExpr asked = s->rows[r].turn ? s->rows[r].equation : s->rows[r].left;
        uint32_t count = lia_below_roots(scene->graph, &asked, 1,
                                         LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY), &list);
        for (uint32_t i = 0; i < count; i++) {
            const LiaNode* node = &scene->graph->nodes[list[i]];
            if (node->op != LIA_OP_SYMBOL) continue;
            int group = (int)s->model->coordinates[node->a].group - 1;
            if (group < 0 || (found >= 0 && group != found)) return -1;
            found = group;
        }
    }
    return found;
}

static bool find_driven(LiaScene* scene) {
    const LiaSystem* s = scene->system;
    scene->driven = LIA_ARENA_NEW(scene->arena, bool, s->n + 1);
    if (!scene->driven) return false;
    for (uint32_t d = 0; d < s->reduced->drive_count; d++) {
        scene->driven[s->reduced->drives[d].coordinate] = true;
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaNode* left = lia_graph_node(s->graph, s->rows[r].left);
        bool moves =
            left->symbol_kind == LIA_SYMBOL_POSITION || left->symbol_kind == LIA_SYMBOL_VELOCITY;
        if (s->model->constraints[s->rows[r].constraint].active && left->op == LIA_OP_SYMBOL &&
            moves) {
            scene->driven[left->a] = true;
        }
    }
    for (uint32_t c = 0; c < s->model->constraints_count; c++) {
        int group = s->model->constraints[c].active ? group_of(scene, c) : -1;
        if (group < 0) continue;
        const LiaGroup* of = &s->model->groups[group];
        for (uint32_t i = 0; i < of->count; i++) scene->driven[of->first + i] = true;
    }
    return true;
}

bool lia_scene_is_driven(LiaScene* scene, const LiaExpr* formulas, size_t count) {
    const uint32_t* list = NULL;
    unsigned bits = LIA_DEPENDS(POSITION);
    uint32_t found = lia_below_roots(scene->graph, formulas, count, bits, &list);
    bool some = false;
    for (uint32_t i = 0; i < found; i++) {
        const LiaNode* node = &scene->graph->nodes[list[i]];
        if (node->op != LIA_OP_SYMBOL || node->symbol_kind != LIA_SYMBOL_POSITION) continue;
        if (!scene->driven[node->a]) return false;
        some = true;
    }
    return some;
}

// --- what the model says

// The place, the end and the attitude of an item together.
static bool item_is_driven(LiaScene* scene, const LiaSceneItem* item) {
    LiaExpr formulas[15];
    size_t count = 0;
    const LiaExpr* lists[] = {item->at, item->to, item->turn};
    const size_t counts[] = {3, 3, 9};
    for (int l = 0; l < 3; l++) {
        for (size_t i = 0; i < counts[l]; i++) {
            if (lists[l][i].index) formulas[count++] = lists[l][i];
        }
    }
    return lia_scene_is_driven(scene, formulas, count);
}

static void take_drawings(LiaScene* scene) {
    static const char* const kinds[] = {
#define LIA_DRAWING(id, word, fewest, most, usage) word,
#include "lang/statements/drawing.def"
#undef LIA_DRAWING
    };
    const LiaModel* m = scene->system->model;
    for (uint32_t i = 0; i < m->pictures.drawings_count; i++) {
        const LiaDrawing* d = &m->pictures.drawings[i];
        LiaSceneItem item = {.kind = kinds[d->kind], .name = d->name, .color = d->color};
        bool good = lia_scene_resolve(scene, d->place, item.at, 3);
        lia_scene_resolve(scene, d->size, item.size, 3);
        good = good && (!d->end[0].index || lia_scene_resolve(scene, d->end, item.to, 3));
        good =
            good && (!d->attitude[0].index || lia_scene_resolve(scene, d->attitude, item.turn, 9));
        if (!good) continue;  // a quantity that is not known along a motion
        item.driven = item_is_driven(scene, &item);
        *lia_scene_add(scene, item.kind, item.name) = item;
    }
}

// --- along the samples

typedef struct Sampling {
    LiaScene* scene;
    LiaExpr* formulas;  // distinct ones
    int* columns;       // of each: -1 constant, else a column
    double* constants;
    uint32_t* slot;  // by node: 1 + index of the formula; 0: none
    size_t count, capacity;
} Sampling;

static bool want(Sampling* s, const LiaExpr* formulas, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t node = formulas[i].index;
        if (!node || s->slot[node]) continue;
        if (s->count == s->capacity) {
            s->capacity = s->capacity ? 2 * s->capacity : 64;
            LiaExpr* more = lia_memory_resize(s->formulas, s->capacity * sizeof *more);
            if (!more) return false;
            s->formulas = more;
        }
        s->formulas[s->count++] = formulas[i];
        s->slot[node] = (uint32_t)s->count;
    }
    return true;
}

static double* add_extra(LiaScene* scene) {
    if (scene->extra_count == scene->extra_capacity) {
        size_t capacity = scene->extra_capacity ? 2 * scene->extra_capacity : 64;
        double** more = lia_memory_resize(scene->extra, capacity * sizeof *more);
        if (!more) return NULL;
        scene->extra = more;
        scene->extra_capacity = capacity;
    }
    double* column = lia_memory_take((scene->rows + 1) * sizeof *column);
    if (column) scene->extra[scene->extra_count++] = column;
    return column;
}

static double column_value(const LiaScene* scene, size_t column, size_t row) {
    size_t own = scene->trajectory->column_count;
    return column < own ? lia_scene_row(scene, row)[column] : scene->extra[column - own][row];
}

// A column whose numbers are these; -1 with *constant where they are all the same, -2 where there
// is none.
static int find_column(const LiaScene* scene, const double* x, double* constant) {
    size_t rows = scene->rows, all = scene->trajectory->column_count + scene->extra_count;
    double low = INFINITY, high = -INFINITY, size = 0.0;
    for (size_t i = 0; i < rows; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
        size = fmax(size, fabs(x[i]));
    }
    if (!(high - low > LIA_SCENE_SAME * size)) {
        *constant = rows ? x[0] : NAN;
        return -1;
    }
    for (size_t c = 0; c < all; c++) {
        bool same = c >= scene->trajectory->column_count ||
                    scene->trajectory->columns[c].kind == LIA_COLUMN_POSITION;
        for (size_t i = 0; same && i < rows; i++) {
            same = fabs(column_value(scene, c, i) - x[i]) <= LIA_SCENE_SAME * size;
        }
        if (same) return (int)c;
    }
    return -2;
}

// Keep the numbers of `x` as a column, a known one if there is one.
static bool keep_column(LiaScene* scene, const double* x, int* column, double* constant) {
    *column = find_column(scene, x, constant);
    if (*column != -2) return true;
    double* kept = add_extra(scene);
    if (!kept) return false;
    memcpy(kept, x, scene->rows * sizeof *kept);
    *column = (int)(scene->trajectory->column_count + scene->extra_count - 1);
    return true;
}

// The unit quaternion of a row-major rotation matrix; the sign that is nearer to `before`.
static void quaternion_of(const double* A, const double* before, double* q) {
    double trace[4] = {A[0] + A[4] + A[8], A[0] - A[4] - A[8], A[4] - A[0] - A[8],
                       A[8] - A[0] - A[4]};
    int most = 0;
    for (int i = 1; i < 4; i++) most = trace[i] > trace[most] ? i : most;
    double s = 2.0 * sqrt(fmax(1.0 + trace[most], 0.0));
    double x = A[7] - A[5], y = A[2] - A[6], z = A[3] - A[1];
    double xy = A[3] + A[1], xz = A[2] + A[6], yz = A[7] + A[5];
    const double rows[4][4] = {{s * s / 4, x, y, z},
                               {x, s * s / 4, xy, xz},
                               {y, xy, s * s / 4, yz},
                               {z, xz, yz, s * s / 4}};
    double along = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = s > 0.0 ? rows[most][i] / s : NAN;
        along += q[i] * before[i];
    }
    for (int i = 0; i < 4 && along < 0.0; i++) q[i] = -q[i];
}

// Four columns for the nine formulas of an attitude.
static bool sample_attitude(LiaScene* scene, LiaSceneItem* item, const Sampling* sampling,
                            double* const* values) {
    size_t rows = scene->rows;
    double* q = lia_memory_take((4 * rows + 1) * sizeof *q);
    if (!q) return false;
    // the numbers of a rotation come with their own sign: begin with the one of the coordinates
    double before[4] = {1.0, 0.0, 0.0, 0.0};
    for (size_t i = 0; i < rows; i++) {
        double A[9], now[4];
        for (int k = 0; k < 9; k++) A[k] = values[sampling->slot[item->turn[k].index] - 1][i];
        quaternion_of(A, before, now);
        for (int k = 0; k < 4; k++) {
            q[(size_t)k * rows + i] = now[k];
            before[k] = isfinite(now[k]) ? now[k] : before[k];
        }
    }
    bool good = true;
    for (int k = 0; good && k < 4; k++) {
        good = keep_column(scene, q + (size_t)k * rows, &item->sampled.turn_at[k],
                           &item->sampled.turn_is[k]);
    }
    free(q);
    return good;
}

// Numbers that came without a formula.
static bool sample_given(LiaScene* scene, const double* const* given, int* at, double* is) {
    bool good = true;
    for (int i = 0; good && i < 3; i++) {
        if (given[i]) good = keep_column(scene, given[i], &at[i], &is[i]);
    }
    return good;
}

static bool sample_list(const Sampling* sampling, const LiaExpr* formulas, uint32_t count, int* at,
                        double* is) {
    for (uint32_t i = 0; i < count; i++) {
        at[i] = -1;
        is[i] = NAN;
        if (!formulas[i].index) continue;
        size_t slot = sampling->slot[formulas[i].index] - 1;
        at[i] = sampling->columns[slot];
        is[i] = sampling->constants[slot];
    }
    return true;
}

static bool acts(const LiaSceneItem* item) {
    return strcmp(item->kind, "force") == 0 || strcmp(item->kind, "couple") == 0;
}

// Components of a force that are nothing but rounding at all samples are 0.
static void drop_rounding(LiaSceneItem* item, const Sampling* s, double* const* values,
                          const double* rounding) {
    for (uint32_t i = 0; i < 3 && item->to[i].index; i++) {
        size_t slot = s->slot[item->to[i].index] - 1;
        bool nothing = true;
        for (size_t r = 0; nothing && r < s->scene->rows; r++)
            nothing = fabs(values[slot][r]) <= rounding[slot];
        if (!nothing) continue;
        item->sampled.to_at[i] = -1;
        item->sampled.to_is[i] = 0.0;
    }
}

// All values first, formula by formula; then the items say which are theirs.
static bool sample_all(LiaScene* scene, Sampling* s, double** values, const size_t* samples) {
    size_t rows = scene->rows;
    double* table = lia_memory_take((rows * s->count + 1) * sizeof *table);
    double* rounding = lia_memory_zeros(s->count + 1, sizeof *rounding);
    bool good = table && rounding &&
                lia_scene_values_rounding(scene, s->formulas, s->count, rounding) &&
                lia_scene_values(scene, s->formulas, s->count, samples, rows, table);
    for (size_t i = 0; good && i < s->count; i++) {
        values[i] = lia_memory_take((rows + 1) * sizeof **values);
        good = values[i] != NULL;
        for (size_t r = 0; good && r < rows; r++) values[i][r] = table[r * s->count + i];
    }
    free(table);
    // an attitude's matrix is kept as a quaternion, not as nine columns
    for (uint32_t k = 0; good && k < scene->count; k++) {
        LiaSceneItem* item = &scene->items[k];
        const LiaExpr* lists[] = {item->size, item->at, item->to, item->slide, &item->value};
        const uint32_t counts[] = {3, 3, 3, 3, 1};
        for (int l = 0; l < 5; l++) {
            for (uint32_t i = 0; good && i < counts[l]; i++) {
                if (!lists[l][i].index) continue;
                size_t slot = s->slot[lists[l][i].index] - 1;
                if (s->columns[slot] != -3) continue;
                good = keep_column(scene, values[slot], &s->columns[slot], &s->constants[slot]);
            }
        }
        good = good && (!item->turn[0].index || sample_attitude(scene, item, s, values));
        sample_list(s, item->size, 3, item->sampled.size_at, item->sampled.size_is);
        sample_list(s, item->at, 3, item->sampled.at_at, item->sampled.at_is);
        sample_list(s, item->to, 3, item->sampled.to_at, item->sampled.to_is);
        if (acts(item)) drop_rounding(item, s, values, rounding);
        sample_list(s, item->slide, 3, item->sampled.slide_at, item->sampled.slide_is);
        sample_list(s, &item->value, 1, &item->sampled.value_at, &item->sampled.value_is);
        good = good &&
               sample_given(scene, item->at_given, item->sampled.at_at, item->sampled.at_is) &&
               sample_given(scene, item->to_given, item->sampled.to_at, item->sampled.to_is);
    }
    free(rounding);
    return good;
}

static bool sample(LiaScene* scene) {
    Sampling s = {.scene = scene,
                  .slot = lia_memory_zeros(scene->graph->count + 1, sizeof *s.slot)};
    bool good = s.slot != NULL;
    for (uint32_t i = 0; good && i < scene->count; i++) {
        const LiaSceneItem* item = &scene->items[i];
        good = want(&s, item->size, 3) && want(&s, item->at, 3) && want(&s, item->to, 3) &&
               want(&s, item->turn, 9) && want(&s, item->slide, 3) && want(&s, &item->value, 1);
    }
    double** values = lia_memory_zeros(s.count + 1, sizeof *values);
    size_t* samples = lia_memory_take((scene->rows + 1) * sizeof *samples);
    s.columns = lia_memory_take((s.count + 1) * sizeof *s.columns);
    s.constants = lia_memory_zeros(s.count + 1, sizeof *s.constants);
    good = good && values && samples && s.columns && s.constants;
    for (size_t i = 0; good && i < scene->rows; i++) samples[i] = i;
    for (size_t i = 0; good && i < s.count; i++) s.columns[i] = -3;  // not yet
    good = good && sample_all(scene, &s, values, samples);
    for (size_t i = 0; values && i < s.count; i++) free(values[i]);
    free(values);
    free(samples);
    free(s.columns);
    free(s.constants);
    free(s.formulas);
    free(s.slot);
    return good;
}

static LiaExpr quantity(void* context, const LiaQuantityNamed* of) {
    LiaScene* scene = context;
    return lia_system_quantity(scene->system, scene->graph, of);
}

bool lia_scene_make(LiaScene* scene, const LiaTrajectory* trajectory) {
    *scene = (LiaScene){.trajectory = trajectory, .system = trajectory->system};
    const LiaSystem* s = trajectory->system;
    size_t rows = trajectory->rows.count, columns = trajectory->column_count;
    bool more = trajectory->final.values &&
                (rows == 0 ||
                 (trajectory->status != LIA_OK &&
                  trajectory->rows.values[(rows - 1) * columns] != trajectory->final.values[0]));
    scene->rows = rows + (more ? 1 : 0);
    scene->arena = lia_arena_create();
    scene->graph = lia_graph_copy(s->graph);
    if (scene->graph) lia_diff_rates_init(&scene->rates, scene->graph);
    if (scene->graph)
        scene->resolver =
            lia_resolve_create(scene->graph, &scene->rates, s->model, quantity, scene);
    bool good = scene->arena && scene->graph && scene->resolver && find_driven(scene) &&
                lia_impacts_take(scene);
    if (good) {
        scene->guessed = s->model->pictures.drawings_count == 0;
        if (scene->guessed) {
            lia_guess_scene(scene);
        } else {
            take_drawings(scene);
        }
        lia_surface_add(scene);
        lia_arrows_add(scene);
        good = !scene->failed && !scene->graph->failed && sample(scene);
    }
    if (!good) lia_scene_clear(scene);
    return good;
}

void lia_scene_clear(LiaScene* scene) {
    for (size_t i = 0; i < scene->extra_count; i++) free(scene->extra[i]);
    free(scene->extra);
    free(scene->items);
    lia_resolve_destroy(scene->resolver);
    if (scene->graph) lia_diff_rates_clear(&scene->rates);
    lia_graph_destroy(scene->graph);
    lia_arena_destroy(scene->arena);
    *scene = (LiaScene){0};
}
