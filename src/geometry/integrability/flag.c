// Lie flag and derived flag. See flag.h.
//
// Words: the fields X_a, and brackets of two words (brackets.c). Around a place where the ranks of
// a flag are constant each of its distributions has a basis among the words, and brackets with that
// basis give the next one; all other words are dropped. At a place where ranks drop a step may add
// nothing and a later one something: there all words are kept but those that are zero as formulas.
// SPDX-License-Identifier: MIT
#include "geometry/integrability/flag.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/integrability/flag_work.h"
#include "geometry/integrability/kernel_fields.h"
#include "geometry/span.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELDS_MOST = 40,  // fields of C
    ROOM_MOST = 24,    // coordinates
    PAIRS_MOST = 60,   // of words in a step of the derived flag
    PLACES_MOST = 4
};

// --- values ------------------------------------------------------------------------------------

// A vector that is rounding of its terms is zero; else it is brought to size 1. Returns the
// rounding that is in it then.
static double clean(size_t N, double* x, const double* size) {
    double square = 0.0, rounding = 0.0;
    for (size_t i = 0; i < N; i++) {
        square += x[i] * x[i];
        rounding = fmax(rounding, LIA_FLAG_ROUNDING * size[i]);
    }
    bool nothing = !(sqrt(square) > rounding);
    for (size_t i = 0; i < N; i++) x[i] = nothing ? 0.0 : x[i] / sqrt(square);
    return nothing ? 0.0 : rounding / sqrt(square);
}

// A field has 1 over its own coordinate; where one has more over another, that is the unit there: a
// velocity of 1e11 that an equation asks for by itself does not hide the time that goes with it.
static void find_units(const LiaFlagWork* w, const LiaValues* values, double* unit) {
    for (size_t i = 0; i < w->N; i++) {
        double most = 1.0;
        for (uint32_t k = 0; k < w->k.count; k++)
            most = fmax(most, fabs(lia_value(values, w->k.X[k * w->N + i])));
        unit[i] = isfinite(most) ? most : 1.0;
    }
}

static bool evaluate_words(LiaFlagWork* w) {
    size_t N = w->N, count = (w->words - w->fresh) * N;
    if (count == 0) return true;
    LiaExpr* roots = lia_memory_zeros(count, sizeof *roots);
    double* part = lia_memory_zeros(w->k.graph->count, sizeof *part);
    LiaValues values = {0};
    for (uint32_t k = w->fresh; roots && k < w->words; k++) {
        memcpy(roots + (k - w->fresh) * N, w->word[k].field, N * sizeof *roots);
    }
    bool ok = roots && part && lia_evaluate_init(&values, w->k.graph, roots, count);
    for (uint32_t k = w->fresh; ok && k < w->words; k++) {
        size_t room = w->places * (N + 1);
        w->word[k].value = LIA_ARENA_NEW(w->arena, double, room + 1);
        ok = w->word[k].value != NULL;
        if (ok) w->word[k].noise = w->word[k].value + w->places * N;
    }
    for (uint32_t p = 0; ok && p < w->places; p++) {
        LiaSymbols at = {.t = w->t[p], .parameters = w->s->parameters, .q = w->q[p]};
        lia_evaluate_run(&values, &at);
        lia_sizes_run(&values, &(LiaSymbols){0}, part);
        if (w->fresh == 0) find_units(w, &values, w->unit + p * N);
        for (uint32_t k = w->fresh; k < w->words; k++) {
            double *x = w->word[k].value + p * N, *unit = w->unit + p * N;
            for (size_t i = 0; i < N; i++) {
                x[i] = lia_value(&values, w->word[k].field[i]) / unit[i];
                w->size[i] = part[w->word[k].field[i].index] / unit[i];
            }
            w->word[k].noise[p] = clean(N, x, w->size);
        }
    }
    w->fresh = w->words;
    lia_evaluate_clear(&values);
    free(part);
    free(roots);
    return ok;
}

static double length_of(size_t N, const double* x) {
    double square = 0.0;
    for (size_t i = 0; i < N; i++) square += x[i] * x[i];
    return sqrt(square);
}

// What row k of w->rows has in common with the rows from `from` to `to` is taken away from these,
// and its rounding comes along.
static void take_away(LiaFlagWork* w, uint32_t k, uint32_t from, uint32_t to) {
    size_t N = w->N;
    const double* y = w->rows + k * N;
    double square = length_of(N, y) * length_of(N, y);
    for (uint32_t e = from; square > 0.0 && e < to; e++) {
        double *x = w->rows + e * N, sum = 0.0;
        for (size_t i = 0; i < N; i++) sum += x[i] * y[i];
        for (size_t i = 0; i < N; i++) x[i] -= sum / square * y[i];
        w->noise[e] += fabs(sum) / square * w->noise[k];
    }
}

static void exchange_rows(LiaFlagWork* w, uint32_t a, uint32_t b) {
    double noise = w->noise[a];
    w->noise[a] = w->noise[b], w->noise[b] = noise;
    for (size_t i = 0; i < w->N; i++) {
        double x = w->rows[a * w->N + i];
        w->rows[a * w->N + i] = w->rows[b * w->N + i];
        w->rows[b * w->N + i] = x;
    }
}

// The row from `from` to `to` with the longest part that is not rounding; `to`: there is none.
static uint32_t longest(const LiaFlagWork* w, uint32_t from, uint32_t to, double* length) {
    uint32_t next = to;
    *length = 0.0;
    for (uint32_t k = from; k < to; k++) {
        double x = length_of(w->N, w->rows + k * w->N);
        if (x > LIA_FLAG_CUT && x > w->noise[k] && x > *length) *length = x, next = k;
    }
    return next;
}

// What is left of row k may be a direction, or rounding.
static bool is_doubtful(const LiaFlagWork* w, uint32_t k) {
    double length = length_of(w->N, w->rows + k * w->N);
    return length > LIA_FLAG_CUT && length <= w->noise[k];
}

// The rank of the words of `most` steps at place p, and the smallest part that decided it.
static uint32_t rank_at(LiaFlagWork* w, uint32_t p, uint32_t most, bool derived, double* margin) {
    size_t N = w->N;
    uint32_t count = 0, rank = 0;
    double length;
    for (uint32_t k = 0; k < w->fresh; k++) {
        const LiaFlagWord* word = &w->word[k];
        bool counts = derived ? word->step < most : word->length <= most;
        if (!counts) continue;
        w->noise[count] = word->noise[p];
        memcpy(w->rows + count++ * N, word->value + p * N, N * sizeof *w->rows);
    }
    for (uint32_t next; (next = longest(w, rank, count, &length)) < count; rank++) {
        exchange_rows(w, rank, next);
        take_away(w, rank, rank + 1, count);
        if (length < *margin) *margin = length;
    }
    w->hidden = false;
    for (uint32_t k = rank; k < count; k++) w->hidden |= is_doubtful(w, k);
    return rank;
}

// Of the words from `from` on only those that add to the rank at the first place stay, the longest
// part first.
static void keep_basis(LiaFlagWork* w, uint32_t from) {
    size_t N = w->N;
    uint32_t kept = from;
    double length;
    w->dropped = false;
    if (w->every || w->fresh == from) return;
    for (uint32_t k = 0; k < w->fresh; k++) {
        memcpy(w->rows + k * N, w->word[k].value, N * sizeof *w->rows);
        w->noise[k] = w->word[k].noise[0];
    }
    for (uint32_t k = 0; k < from; k++) take_away(w, k, k + 1, w->fresh);
    for (uint32_t next; (next = longest(w, kept, w->fresh, &length)) < w->fresh; kept++) {
        LiaFlagWord word = w->word[kept];
        w->word[kept] = w->word[next], w->word[next] = word;
        exchange_rows(w, kept, next);
        take_away(w, kept, kept + 1, w->fresh);
    }
    for (uint32_t k = kept; k < w->fresh; k++) w->dropped |= is_doubtful(w, k);
    w->words = w->fresh = kept;
}

// --- the flags ---------------------------------------------------------------------------------

static bool add_words(LiaFlagWork* w, uint32_t length) {
    uint32_t fields = w->k.count, before = w->words;
    for (uint32_t a = 0; a < fields && !w->full; a++) {
        for (uint32_t k = 0; k < before && !w->full; k++) {
            bool first = length == 2 && k <= a;
            if (w->word[k].length != length - 1 || first) continue;
            if (!lia_brackets_add(w, a, k, length - 1)) return false;
        }
    }
    if (!evaluate_words(w)) return false;
    keep_basis(w, before);
    return true;
}

// The largest rank of all places after so many steps.
static uint32_t rank_of(LiaFlagWork* w, uint32_t steps, bool derived, double* margin) {
    uint32_t most = 0;
    for (uint32_t p = 0; p < w->places; p++) {
        uint32_t rank = rank_at(w, p, steps, derived, margin);
        if (rank > most || p == 0 || (rank == most && !w->hidden)) w->doubt = w->hidden;
        w->doubt |= w->dropped;
        if (rank > most) most = rank;
    }
    return most;
}

// The Lie flag. `closure` 0: at places where ranks are locally constant, so that it ends with the
// first step that adds nothing; else it goes on until it has this rank.
static bool lie_flag(LiaFlagWork* w, uint32_t closure, LiaGrowth* out, double* margin) {
    if (!evaluate_words(w)) return false;
    for (uint32_t length = 1; length <= LIA_FLAG_STEPS && !out->ended; length++) {
        uint32_t words = w->words;
        if (length > 1 && !add_words(w, length)) return false;
        if (w->full) break;
        uint32_t rank = rank_of(w, length, false, margin);
        uint32_t before = out->steps ? out->rank[out->steps - 1] : 0;
        bool none = length > 1 && w->words == words;
        bool whole = rank == (closure ? closure : w->out->space);
        if (w->doubt && !whole && (rank == before || none)) return true;  // it is not known
        out->ended = none || whole || (!closure && rank == before);
        if (closure || rank != before || length == 1) out->rank[out->steps++] = rank;
    }
    // what it does not gain at the end is not told
    while (out->steps > 1 && out->rank[out->steps - 1] == out->rank[out->steps - 2]) out->steps--;
    return true;
}

// Brackets of all pairs of words of the steps before, one of them of the last.
static bool add_pairs(LiaFlagWork* w, uint32_t step) {
    uint32_t before = w->words, pairs = 0;
    for (uint32_t a = 0; a < before && !w->full; a++) {
        for (uint32_t b = a + 1; b < before && !w->full; b++) {
            const LiaFlagWord *x = &w->word[a], *y = &w->word[b];
            if (x->step >= step || y->step >= step) continue;
            if (x->step + 1 != step && y->step + 1 != step) continue;
            if (++pairs > PAIRS_MOST) w->full = true;
            if (!w->full && !lia_brackets_add(w, a, b, step)) return false;
        }
    }
    if (!evaluate_words(w)) return false;
    keep_basis(w, before);
    return true;
}

static bool derived_flag(LiaFlagWork* w, uint32_t closure, LiaGrowth* out) {
    double margin = 1.0;
    w->words = w->fresh = w->k.count;
    w->full = false;
    w->nodes = w->k.graph->count;
    for (uint32_t step = 0; step < LIA_FLAG_STEPS && !out->ended; step++) {
        uint32_t words = w->words;
        if (step > 0 && !add_pairs(w, step)) return false;
        if (w->full) break;
        uint32_t rank = rank_of(w, step + 1, true, &margin);
        out->rank[out->steps++] = rank;
        out->ended = rank == closure || (step > 0 && w->words == words);
    }
    while (out->steps > 1 && out->rank[out->steps - 1] == out->rank[out->steps - 2]) out->steps--;
    return true;
}

// --- what follows ------------------------------------------------------------------------------

// Rank of the geometric rows at place p, those included whose rates follow from others.
static int geometric_rank(LiaFlagWork* w, uint32_t p) {
    LiaKernelFields* k = &w->k;
    size_t N = w->N;
    LiaValues values;
    double* rows = lia_memory_zeros((size_t)k->all * N + 1, sizeof *rows);
    int count = 0, rank = -1;
    if (rows && lia_evaluate_init(&values, k->graph, k->A, (size_t)k->all * N)) {
        LiaSymbols at = {.t = w->t[p], .parameters = w->s->parameters, .q = w->q[p]};
        lia_evaluate_run(&values, &at);
        for (uint32_t r = 0; r < k->all; r++) {
            const LiaRow* row = &w->s->rows[k->every[r]];
            if (!row->geometric || row->integrated) continue;
            for (size_t i = 0; i < N; i++) {
                rows[(size_t)count * N + i] = lia_value(&values, k->A[r * N + i]);
            }
            count++;
        }
        rank = lia_span_rank(count, (int)N, rows);
        lia_evaluate_clear(&values);
    }
    free(rows);
    return rank;
}

// The fields with pivots chosen at the first place, as words. False with a reason, or without:
// memory is out.
static bool begin(LiaFlagWork* w) {
    LiaKernelFields* k = &w->k;
    LiaFlag* out = w->out;
    if (!lia_kernel_fields_solve(k, w->t[0], w->q[0], w->s->parameters)) {
        if (!k->graph->failed) out->why = "the equations have no value at the places looked at";
        return false;
    }
    w->N = k->N;
    if (k->count > FIELDS_MOST || k->N > ROOM_MOST) {
        out->why = "there are too many coordinates";
        return false;
    }
    w->rows = LIA_ARENA_NEW(w->arena, double, LIA_FLAG_WORDS * w->N + 1);
    w->size = LIA_ARENA_NEW(w->arena, double, w->N + 1);
    w->noise = LIA_ARENA_NEW(w->arena, double, LIA_FLAG_WORDS + 1);
    if (!w->rows || !w->size || !w->noise) return false;
    w->words = w->fresh = 0;
    w->full = false;
    w->nodes = k->graph->count;
    for (uint32_t a = 0; a < k->count; a++) {
        w->word[w->words++] = (LiaFlagWord){.field = k->X + (size_t)a * w->N, .length = 1};
    }
    return true;
}

// Places where a field has no value, because the pivots vanish there, are left out; not the first.
static bool drop_places(LiaFlagWork* w) {
    uint32_t kept = 0;
    if (!evaluate_words(w)) return false;
    for (uint32_t p = 0; p < w->places; p++) {
        bool finite = true;
        for (uint32_t k = 0; k < w->fresh; k++) {
            for (size_t i = 0; i < w->N; i++) {
                finite &= isfinite(w->word[k].value[p * w->N + i]) != 0;
            }
        }
        if (!finite) continue;
        w->t[kept] = w->t[p], w->q[kept++] = w->q[p];
    }
    w->places = kept ? kept : 1;
    w->fresh = 0;
    return true;
}

// At places off the start, where ranks do not drop.
static bool generic(LiaFlagWork* w) {
    LiaFlag* out = w->out;
    LiaKernelFields* k = &w->k;
    if (!begin(w) || !drop_places(w)) return false;
    int geometric = geometric_rank(w, 0);
    if (geometric < 0) return false;
    out->time = k->time;
    out->space = k->N - (uint32_t)geometric;
    out->rank = k->count;
    out->kinematic = k->rows - (uint32_t)geometric;
    if (!lie_flag(w, 0, &out->lie, &out->margin)) return false;
    if (!out->lie.ended) {
        out->why = w->doubt ? "rounding hides whether brackets add a direction"
                            : "brackets become too long";
        return false;
    }
    if (out->lie.rank[0] < k->count) {  // the fields themselves are not seen: places out of range
        out->why = "rounding hides the admissible directions";
        return false;
    }
    out->places = w->places;
    uint32_t closure = out->lie.rank[out->lie.steps - 1];
    out->integrable = out->space - closure;
    out->known = true;
    return lia_holonomic_forms_find(w) && derived_flag(w, closure, &out->derived);
}

bool lia_flag_same(const LiaGrowth* a, const LiaGrowth* b) {
    bool is = a->steps == b->steps && a->ended == b->ended;
    for (uint32_t i = 0; is && i < a->steps; i++) is = a->rank[i] == b->rank[i];
    return is;
}

// At the start by itself. Where its ranks are those of the other places a basis is enough, else
// every word is needed.
static bool at_start(LiaFlagWork* w, const LiaSamples* samples) {
    LiaFlag* out = w->out;
    w->places = 1;
    w->t[0] = samples->t[0];
    w->q[0] = samples->q;
    uint32_t closure = out->lie.rank[out->lie.steps - 1];
    for (int all = 0; all < 2; all++) {
        double margin = 1.0;
        w->every = all;
        if (!begin(w)) {
            out->why = NULL;
            out->has_start = false;
            return !w->k.graph->failed;
        }
        out->start_lie = out->start_derived = (LiaGrowth){0};
        if (!lie_flag(w, closure, &out->start_lie, &margin)) return false;
        bool leaves =
            !all && w->leaves && out->integrable > 0 && lia_flag_same(&out->lie, &out->start_lie);
        if (leaves && !lia_leaf_find(w, samples, &out->leaf)) return false;
        if (!derived_flag(w, closure, &out->start_derived)) return false;
        if (lia_flag_same(&out->lie, &out->start_lie) &&
            lia_flag_same(&out->derived, &out->start_derived))
            break;
    }
    return true;
}

// The samples but the start, which may be special, some on its side of corners and as many on
// others; number `turn` of them first.
static void place(LiaFlagWork* w, const LiaSamples* samples, uint32_t turn) {
    uint32_t first = samples->count > 1, count = 0, of[2] = {0, 0}, chosen[2 * PLACES_MOST];
    for (uint32_t k = first; k < samples->count; k++) {
        bool beyond = samples->beyond && samples->beyond[k];
        if (of[beyond]++ < PLACES_MOST) chosen[count++] = k;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = chosen[(i + turn) % count];
        w->t[i] = samples->t[k];
        w->q[i] = samples->q + (size_t)k * w->k.n;
    }
    w->places = count;
}

static bool make(LiaFlagWork* w, const LiaSamples* samples) {
    w->t = LIA_ARENA_NEW(w->arena, double, 2 * PLACES_MOST + 1);
    w->q = LIA_ARENA_NEW(w->arena, const double*, 2 * PLACES_MOST + 1);
    w->unit = LIA_ARENA_NEW(w->arena, double, 2 * PLACES_MOST * (w->k.n + 1) + 1);
    if (!w->t || !w->q || !w->unit) return false;
    place(w, samples, 0);
    w->every = samples->beyond != NULL;  // a bracket that is zero on one side of a corner stays
    // pivots that are good at one place may be bad at others: where rounding hides ranks the next
    // place chooses them
    uint32_t places = w->places;
    for (uint32_t turn = 0; turn < places && !w->out->known; turn++) {
        if (turn > 0 && !w->doubt) break;
        place(w, samples, turn);
        w->out->why = NULL;
        w->out->lie = (LiaGrowth){0};
        w->out->margin = 1.0;
        if (!generic(w) && !w->out->why) return false;
    }
    if (!w->out->known) return true;
    return !w->out->has_start || at_start(w, samples);
}

bool lia_flag_make(const LiaGeometry* y, const LiaSamples* samples, LiaFlagAsk ask, LiaArena* arena,
                   LiaFlag* out) {
    *out = (LiaFlag){.margin = 1.0, .has_start = ask.has_start && samples->count > 0};
    out->defect = LIA_ARENA_NEW(arena, double, y->system->row_count + 1);
    LiaFlagWork* w = lia_memory_zeros(1, sizeof *w);
    if (!w || !out->defect) {
        free(w);
        return false;
    }
    w->s = y->system, w->out = out, w->arena = arena;
    w->leaves = !ask.driftless && y->system->contact_count == 0;
    bool small = y->system->n <= ROOM_MOST;
    if (!small) out->why = "there are too many coordinates";
    bool ok = !small || lia_kernel_fields_init(&w->k, y, ask.driftless);
    if (ok && samples->count == 0) out->why = "no admissible state was found";
    if (ok && !out->why) ok = make(w, samples);
    lia_kernel_fields_clear(&w->k);
    free(w->memo);
    free(w);
    return ok;
}
