// Two motions side by side: same states, other forces.
//
// Both run over the same time with the same samples; what has the same name is compared sample by
// sample. A difference counts when it is more than 1e-6 of the scale of the quantity, which is the
// largest size it has in both motions. Quantities that are zero but for rounding would always
// differ by all of their size, so a scale is never below 1e-3 of the largest of its kind (positions
// of one manifold, their velocities, energies, forces), nor, for forces and powers, below 1e-6 of
// the energies.
// SPDX-License-Identifier: MIT
#include "study/compare.h"
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "mechanics/system.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the common time ---------------------------------------------------------------------------

static double begin_of(const LiaSystem* s) { return s->model->run.given ? s->model->run.t0 : 0.0; }

// The nearer of the two ends, where nobody said how far to go.
static double end_of(const LiaSystem* a, const LiaSystem* b, double t0) {
    const LiaRunStatement *x = &a->model->run, *y = &b->model->run;
    if (!x->given) return y->given ? y->t1 : t0;
    if (!y->given) return x->t1;
    return fabs(x->t1 - t0) <= fabs(y->t1 - t0) ? x->t1 : y->t1;
}

static LiaStatus choose_times(const LiaSystem* a, const LiaSystem* b, LiaRunOptions* options,
                              LiaDiags* diags, double* end) {
    const LiaRunStatement *x = &a->model->run, *y = &b->model->run;
    double t0 = begin_of(a), other = begin_of(b);
    bool back = x->given && x->t1 < x->t0, other_back = y->given && y->t1 < y->t0;
    bool against = !options->until && x->given && y->given && back != other_back;
    if (t0 != other || against) {
        lia_diag_error(diags, y->span, "E0511",
                       t0 != other
                           ? "the two runs begin at different times: t = %g and t = %g"
                           : "one run goes forwards, the other backwards: from t = %g and t = %g",
                       t0, other);
        lia_diag_help(diags, "only what runs over the same time can be compared");
        return LIA_MODEL;
    }
    if (!options->until) {
        *end = end_of(a, b, t0);
        options->until = end;
    }
    if (!options->samples && !(options->every > 0.0)) {
        const LiaRunStatement* said = x->samples || x->every > 0.0 ? x : y;
        options->samples = said->samples;
        options->every = said->every;
        if (!options->samples && !(options->every > 0.0)) options->samples = 1001;
    }
    return LIA_OK;
}

// --- columns of the same name ------------------------------------------------------------------

static bool is_compared(LiaColumnKind kind) {
    return kind != LIA_COLUMN_TIME && kind != LIA_COLUMN_PLOT;
}

static bool is_state(LiaColumnKind kind) {
    return kind == LIA_COLUMN_POSITION || kind == LIA_COLUMN_VELOCITY;
}

typedef struct Named {
    const char* name;
    size_t column;
} Named;

static int compare_named(const void* a, const void* b) {
    return strcmp(((const Named*)a)->name, ((const Named*)b)->name);
}

static Named* sort_columns(const LiaTrajectory* motion) {
    Named* sorted = lia_memory_zeros(motion->csv_count + 1, sizeof *sorted);
    for (size_t i = 0; sorted && i < motion->csv_count; i++) {
        sorted[i] = (Named){motion->columns[i].name, i};
    }
    if (sorted) qsort(sorted, motion->csv_count, sizeof *sorted, compare_named);
    return sorted;
}

// The column of the same name and kind in the other motion; -1: it has none.
static long partner(const LiaColumn* column, const LiaTrajectory* motion, const Named* sorted) {
    Named wanted = {column->name, 0};
    const Named* found = bsearch(&wanted, sorted, motion->csv_count, sizeof wanted, compare_named);
    return found && motion->columns[found->column].kind == column->kind ? (long)found->column : -1;
}

// What only one of the two has: positions by their names, constraints by theirs.
static void note_alone(LiaComparison* c, int side, const LiaColumn* column) {
    bool counts = column->kind == LIA_COLUMN_POSITION || column->kind == LIA_COLUMN_OBSERVE ||
                  (column->kind == LIA_COLUMN_FORCE && column->part == 0);
    if (counts) c->alone[side][c->alone_count[side]++] = column->name;
}

// Which columns stand side by side; *beside: columns of the second motion. False if memory is
// out.
static bool pair_columns(LiaComparison* c, size_t** beside) {
    const LiaTrajectory *a = c->motion[0], *b = c->motion[1];
    Named *in_a = sort_columns(a), *in_b = sort_columns(b);
    size_t most = a->csv_count + 1;
    c->differences = LIA_ARENA_NEW(c->arena, LiaDifference, most);
    c->kinds = LIA_ARENA_NEW(c->arena, LiaColumnKind, most);
    c->columns = LIA_ARENA_NEW(c->arena, const LiaColumn*, most);
    c->alone[0] = LIA_ARENA_NEW(c->arena, const char*, most);
    c->alone[1] = LIA_ARENA_NEW(c->arena, const char*, b->csv_count + 1);
    *beside = LIA_ARENA_NEW(c->arena, size_t, most);
    bool ok = in_a && in_b && c->differences && c->kinds && c->columns && c->alone[0] &&
              c->alone[1] && *beside;
    for (size_t i = 0; ok && i < a->csv_count; i++) {
        const LiaColumn* column = &a->columns[i];
        if (!is_compared(column->kind)) continue;
        long other = partner(column, b, in_b);
        if (other < 0) {
            note_alone(c, 0, column);
            continue;
        }
        c->differences[c->count] = (LiaDifference){.name = column->name, .first = NAN};
        c->kinds[c->count] = column->kind;
        c->columns[c->count] = column;
        (*beside)[c->count++] = (size_t)other;
    }
    for (size_t i = 0; ok && i < b->csv_count; i++) {
        const LiaColumn* column = &b->columns[i];
        if (is_compared(column->kind) && partner(column, a, in_a) < 0) note_alone(c, 1, column);
    }
    free(in_a);
    free(in_b);
    return ok;
}

// --- samples at the same time ------------------------------------------------------------------

// The table, with the last state as one more row where it is no sample. Nothing for a motion that
// did not begin.
static size_t rows_of(const LiaTrajectory* motion) {
    size_t rows = motion->rows.count;
    bool more = rows > 0 &&
                motion->rows.values[(rows - 1) * motion->column_count] != motion->final.values[0];
    return rows + more;
}

static const double* row_of(const LiaTrajectory* motion, size_t row) {
    return row < motion->rows.count ? motion->rows.values + row * motion->column_count
                                    : motion->final.values;
}

// Rows that have the same time in both: their places in *rows, pair by pair.
static bool pair_rows(LiaComparison* c, size_t** rows) {
    size_t counts[2] = {rows_of(c->motion[0]), rows_of(c->motion[1])};
    size_t most = counts[0] < counts[1] ? counts[0] : counts[1];
    *rows = lia_memory_zeros(2 * most + 2, sizeof **rows);
    c->times = LIA_ARENA_NEW(c->arena, double, most + 1);
    c->apart = LIA_ARENA_NEW(c->arena, double, most + 1);
    if (!*rows || !c->times || !c->apart) return false;
    double direction = c->motion[0]->t1 < c->motion[0]->t0 ? -1.0 : 1.0;
    for (size_t i = 0, k = 0; i < counts[0] && k < counts[1];) {
        double t = row_of(c->motion[0], i)[0], other = row_of(c->motion[1], k)[0];
        if (t == other) {
            (*rows)[2 * c->samples] = i++;
            (*rows)[2 * c->samples + 1] = k++;
            c->times[c->samples++] = t;
        } else if (direction * (t - other) < 0.0) {
            i++;
        } else {
            k++;
        }
    }
    return true;
}

// --- scales and differences --------------------------------------------------------------------

// Quantities that are measured together.
enum { KINDS = 16 };
static size_t kind_of(const LiaComparison* c, size_t i) {
    const LiaModel* model = c->motion[0]->model;
    LiaColumnKind kind = c->kinds[i];
    if (is_state(kind)) {
        LiaManifold manifold = model->coordinates[c->columns[i]->index].manifold;
        bool turns = manifold != LIA_LINE && manifold != LIA_SPACE;
        return (kind == LIA_COLUMN_VELOCITY ? 2u : 0u) + turns;
    }
    bool energy = kind == LIA_COLUMN_OBSERVE && c->columns[i]->slot < LIA_SAMPLE_MOMENTA;
    return energy ? 4 : 5 + (size_t)kind;
}

// A difference along the samples they have in common: what it is of, and its derivative where that
// is known too.
typedef struct Track {
    const LiaComparison* comparison;
    const size_t* rows;    // pairs of rows with the same time
    const size_t* beside;  // columns of the second motion
    size_t* mate;          // the velocity of a position, the position of a velocity; `count`: none
} Track;

static double value_of(const Track* t, int side, size_t i, size_t sample) {
    const LiaComparison* c = t->comparison;
    size_t column = side == 0 ? (size_t)(c->columns[i] - c->motion[0]->columns) : t->beside[i];
    return row_of(c->motion[side], t->rows[2 * sample + (size_t)side])[column];
}

static double difference_at(const Track* t, size_t i, size_t sample) {
    return value_of(t, 1, i, sample) - value_of(t, 0, i, sample);
}

static bool find_mates(LiaComparison* c, Track* track) {
    uint32_t n = c->motion[0]->model->coordinates_count;
    size_t* position = LIA_ARENA_NEW(c->arena, size_t, n + 1);  // 1 + difference, by coordinate
    track->mate = LIA_ARENA_NEW(c->arena, size_t, c->count + 1);
    if (!position || !track->mate) return false;
    for (size_t i = 0; i < c->count; i++) {
        const LiaColumn* column = c->columns[i];
        track->mate[i] = c->count;
        if (column->kind == LIA_COLUMN_POSITION) position[column->index] = i + 1;
        // positions stand before velocities; omega of a rotation is no derivative
        if (column->kind != LIA_COLUMN_VELOCITY || column->part || !position[column->index])
            continue;
        track->mate[i] = position[column->index] - 1;
        track->mate[track->mate[i]] = i;
    }
    return true;
}

// When the difference begins to count, between the sample before s and s. Between two samples
// positions follow the cubic through values and velocities, velocities its derivative, and all else
// a straight line:
//   d(u) = d0 (1+2u)(1-u)^2 + d1 u^2 (3-2u) + h v0 u (1-u)^2 - h v1 u^2 (1-u),   u = 0..1
static double parting(const Track* t, size_t i, size_t s) {
    enum { PARTS = 1000 };
    const LiaComparison* c = t->comparison;
    double limit = LIA_COMPARE_COUNTS * c->differences[i].scale,
           begin = s > 0 ? c->times[s - 1] : c->times[0];
    double h = c->times[s] - begin;
    if (s == 0) return begin;
    size_t mate = t->mate[i];
    bool velocity = c->kinds[i] == LIA_COLUMN_VELOCITY;
    double x0 = difference_at(t, i, s - 1), x1 = difference_at(t, i, s);
    double y0 = mate < c->count ? difference_at(t, mate, s - 1) : 0.0;
    double y1 = mate < c->count ? difference_at(t, mate, s) : 0.0;
    double d0 = velocity ? y0 : x0, d1 = velocity ? y1 : x1, v0 = velocity ? x0 : y0,
           v1 = velocity ? x1 : y1;
    for (int k = 1; k < PARTS; k++) {
        double u = (double)k / PARTS, w = 1.0 - u, d = x0 * w + x1 * u;
        if (mate < c->count && !velocity) {
            d = d0 * (1 + 2 * u) * w * w + d1 * u * u * (3 - 2 * u) + h * u * w * (v0 * w - v1 * u);
        } else if (mate < c->count) {
            d = 6 * u * w * (d1 - d0) / h + v0 * w * (1 - 3 * u) + v1 * u * (3 * u - 2);
        }
        if (fabs(d) > limit) return begin + u * h;
    }
    return c->times[s];
}

// What is much for positions and velocities of a kind: a radian, or the largest length; that during
// the run, or the largest velocity.
static double much_of(const LiaComparison* c, const double most[KINDS], size_t kind) {
    double span = fabs(c->t - c->t0), turn = kind % 2 == 1 ? 1.0 : 0.0;
    if (kind < 2) return fmax(most[kind], turn);
    return span > 0.0 ? fmax(most[kind], fmax(most[kind - 2], turn) / span) : most[kind];
}

static void find_scales(LiaComparison* c, const Track* track) {
    double most[KINDS] = {0};
    for (size_t i = 0; i < c->count; i++) {
        double scale = 0.0;
        for (size_t s = 0; s < c->samples; s++) {  // NaN is left out
            scale =
                fmax(scale, fmax(fabs(value_of(track, 0, i, s)), fabs(value_of(track, 1, i, s))));
        }
        c->differences[i].scale = scale;
        most[kind_of(c, i)] = fmax(most[kind_of(c, i)], scale);
    }
    for (size_t i = 0; i < c->count; i++) {
        double* scale = &c->differences[i].scale;
        LiaColumnKind kind = c->kinds[i];
        double much = is_state(kind) ? much_of(c, most, kind_of(c, i)) : 0.0;
        if (*scale <= LIA_COMPARE_AT_REST * much) *scale = much;
        // What a model observes may be anything: each is its own kind.
        bool own = kind == LIA_COLUMN_OBSERVE && kind_of(c, i) != 4;
        if (!own) *scale = fmax(*scale, LIA_COMPARE_OF_KIND * most[kind_of(c, i)]);
        bool follows = kind == LIA_COLUMN_FORCE || kind == LIA_COLUMN_POWER || own;
        *scale = fmax(*scale, follows ? LIA_COMPARE_OF_ENERGY * most[4] : 0.0);
        *scale = fmax(*scale, LIA_COMPARE_LEAST);
    }
}

static void measure(LiaComparison* c, const Track* track) {
    for (size_t i = 0; i < c->count; i++) {
        LiaDifference* d = &c->differences[i];
        d->largest_t = c->t0;
        for (size_t s = 0; s < c->samples; s++) {
            d->a = value_of(track, 0, i, s);
            d->b = value_of(track, 1, i, s);
            d->end = d->b - d->a;
            if (s == 0) d->start = d->end;
            if (fabs(d->end) > d->largest) {
                d->largest = fabs(d->end);
                d->largest_t = c->times[s];
            }
            bool lost = isnan(d->a) != isnan(d->b);  // a number in one of them only
            if (isnan(d->first) && lost) d->first = c->times[s];
            if (isnan(d->first) && fabs(d->end) > LIA_COMPARE_COUNTS * d->scale)
                d->first = parting(track, i, s);
            if (is_state(c->kinds[i])) c->apart[s] = fmax(c->apart[s], fabs(d->end) / d->scale);
        }
    }
}

// Does one of them differ by more of its scale? Of two that differ alike, as what an equation holds
// together does, rounding does not choose.
static bool differs_more(const LiaDifference* d, const LiaDifference* other) {
    return d->largest / d->scale > (1.0 + LIA_COMPARE_COUNTS) * (other->largest / other->scale);
}

static void choose_first(LiaComparison* c) {
    double direction = c->motion[0]->t1 < c->motion[0]->t0 ? -1.0 : 1.0;
    c->first = c->largest = c->count;
    for (size_t i = 0; i < c->count; i++) {
        const LiaDifference* d = &c->differences[i];
        if (!is_state(c->kinds[i])) continue;
        const LiaDifference* most = c->largest < c->count ? &c->differences[c->largest] : NULL;
        if (!most || differs_more(d, most)) c->largest = i;
        if (isnan(d->first)) continue;
        const LiaDifference* first = c->first < c->count ? &c->differences[c->first] : NULL;
        double before = first ? direction * (d->first - first->first) : -1.0;
        if (before < 0.0 || (before == 0.0 && differs_more(d, first))) c->first = i;
    }
}

// --- the whole ---------------------------------------------------------------------------------

static void choose_labels(LiaComparison* c, const LiaSystem* a, const LiaSystem* b) {
    const LiaSystem* systems[2] = {a, b};
    bool same_name = strcmp(a->model->name, b->model->name) == 0;
    const char *x = a->model->text.source.name, *y = b->model->text.source.name;
    bool files = same_name && x && y && strcmp(x, y) != 0;
    for (int side = 0; side < 2; side++) {
        const LiaSystem* s = systems[side];
        const char* name = files ? s->model->text.source.name : s->model->name;
        c->label[side] = name;
        if (s->origin.variant) {
            c->label[side] = lia_arena_printf(c->arena, "%s with %s", name, s->origin.variant);
        } else if (same_name && !files) {
            c->label[side] = lia_arena_printf(c->arena, "%s as written", name);
        }
        if (!c->label[side]) c->label[side] = name;
    }
}

bool lia_compare_fill(LiaComparison* c) {
    size_t *rows = NULL, *beside = NULL;
    bool ok = pair_columns(c, &beside) && pair_rows(c, &rows);
    Track track = {.comparison = c, .rows = rows, .beside = beside};
    ok = ok && find_mates(c, &track);
    if (ok) {
        c->t0 = c->motion[0]->t0;
        c->t = c->samples ? c->times[c->samples - 1] : c->t0;
        find_scales(c, &track);
        measure(c, &track);
        choose_first(c);
    }
    free(rows);
    return ok;
}

static bool has_motion(LiaStatus status) {
    return status == LIA_OK || status == LIA_STOPPED || status == LIA_FAILED;
}

static LiaStatus compare(const LiaSystem* a, const LiaSystem* b, const LiaRunOptions* options,
                         LiaDiags* diags_a, LiaDiags* diags_b, LiaComparison** out) {
    LiaRunOptions both = options ? *options : (LiaRunOptions){0};
    both.checkpoint = both.resume = NULL;  // of one run
    double end = 0.0;
    if (both.from) return LIA_ARGUMENT;  // a state belongs to one model
    LiaStatus status = choose_times(a, b, &both, diags_b, &end);
    if (status != LIA_OK) return status;
    LiaComparison* c = lia_memory_zeros(1, sizeof *c);
    if (!c) return LIA_MEMORY;
    c->arena = lia_arena_create();
    LiaStatus worst = c->arena ? lia_motion_run(a, &both, diags_a, &c->motion[0]) : LIA_MEMORY;
    if (c->motion[0]) {
        status = lia_motion_run(b, &both, diags_b, &c->motion[1]);
        bool graver = status == LIA_FAILED || (status == LIA_STOPPED && worst == LIA_OK);
        if (!has_motion(status) || graver) worst = status;
    }
    bool both_ran = c->motion[0] && c->motion[1];
    if (both_ran) {
        choose_labels(c, a, b);
        if (!lia_compare_fill(c)) worst = LIA_MEMORY;
    }
    if (!both_ran || !has_motion(worst)) {
        lia_comparison_destroy(c);
        return worst;
    }
    *out = c;
    return worst;
}

LiaStatus lia_compare(const LiaSystem* a, const LiaSystem* b, const LiaRunOptions* options,
                      LiaDiags* diags_a, LiaDiags* diags_b, LiaComparison** out) {
    if (out) *out = NULL;
    if (!a || !b || !diags_a || !diags_b || !out || !lia_begin_options_good(options))
        return LIA_ARGUMENT;
    LiaCall call_a = lia_call_begin(diags_a), call_b = lia_call_begin(diags_b);
    LiaStatus status = compare(a, b, options, diags_a, diags_b, out);
    LiaStatus ended = lia_call_end(&call_a);
    if (diags_b != diags_a) ended = lia_call_end(&call_b);
    if (ended == LIA_OK) return status;
    lia_comparison_destroy(*out);
    *out = NULL;
    return ended;
}

void lia_comparison_destroy(LiaComparison* c) {
    if (!c) return;
    lia_trajectory_destroy(c->motion[0]);
    lia_trajectory_destroy(c->motion[1]);
    lia_arena_destroy(c->arena);
    free(c);
}

size_t lia_comparison_count(const LiaComparison* c) { return c ? c->count : 0; }

const LiaDifference* lia_comparison_at(const LiaComparison* c, size_t i) {
    return c && i < c->count ? &c->differences[i] : NULL;
}

const LiaDifference* lia_comparison_find(const LiaComparison* c, const char* name) {
    for (size_t i = 0; c && name && i < c->count; i++) {
        if (strcmp(c->differences[i].name, name) == 0) return &c->differences[i];
    }
    return NULL;
}

const LiaDifference* lia_comparison_part(const LiaComparison* c) {
    return c ? lia_comparison_at(c, c->first) : NULL;
}

const LiaTrajectory* lia_comparison_motion(const LiaComparison* c, int side) {
    return c && (side == 0 || side == 1) ? c->motion[side] : NULL;
}

bool lia_compare_is_of(const LiaComparison* c, size_t i, LiaColumnKind kind,
                       LiaColumnKind or_kind) {
    return c->kinds[i] == kind || c->kinds[i] == or_kind;
}

const LiaLedgerLine* lia_compare_line(const LiaTrajectory* motion, const char* name) {
    for (size_t i = 0; i < motion->ledger.count; i++) {
        if (strcmp(motion->ledger.lines[i].name, name) == 0) return &motion->ledger.lines[i];
    }
    return NULL;
}

double lia_compare_work(const LiaLedgerLine* line) {
    return !line ? NAN : line->workless ? 0.0 : line->work;
}
