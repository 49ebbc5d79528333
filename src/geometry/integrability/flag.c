// Lie flag and derived flag. See flag.h.
//
// Words: the fields X_a, and brackets of two words. [V, W]^i = L_V W^i - L_W V^i, where L_V f is made node by node along
// the graph, once for each node. Around a place where the ranks of a flag are constant each of its distributions has a
// basis among the words, and brackets with that basis give the next one; all other words are dropped. At a place where
// ranks drop a step may add nothing and a later one something: there all words are kept but those that are zero as
// formulas.
// SPDX-License-Identifier: MIT
#include "geometry/integrability/flag.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/integrability/kernel_fields.h"
#include "geometry/span.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELDS_MOST = 40,     // fields of C
    ROOM_MOST = 60,       // coordinates
    WORDS_MOST = 240,     // brackets that are not zero
    NODES_MOST = 400000,  // of the graph
    PLACES_MOST = 4
};

typedef struct Word {
    LiaExpr* field;   //                                    (N)
    uint32_t length;  // how many fields it is made of
    uint32_t step;    // of the derived flag in which it appears, from 0
    double* value;    // by place, of size 1 or 0           (places x N)
} Word;

typedef struct Work {
    LiaKernelFields k;
    const LiaSystem* s;
    LiaFlag* out;
    LiaArena* arena;
    size_t N;
    uint32_t places;
    double* t;
    const double** q;  //                                   (places)
    Word word[WORDS_MOST];
    uint32_t words, fresh;  // fresh: words whose values are known
    uint32_t* memo;         // L_V of nodes
    uint32_t memo_room;
    double *rows, *size;
    uint32_t nodes;  // the graph has at the beginning of a flag
    bool full;       // no more words
    bool every;      // all words are kept
} Work;

// --- brackets ----------------------------------------------------------------------------------

// L_V f; w->memo holds what is known of this V.
static LiaExpr along(Work* w, const LiaExpr* V, LiaExpr f) {
    LiaGraph* g = w->k.graph;
    const unsigned moving = LIA_DEPENDS(TIME) | LIA_DEPENDS(POSITION);
    LiaExpr zero = lia_graph_integer(g, 0);
    if (!(g->nodes[f.index].depends & moving)) return zero;
    if (w->memo[f.index]) return (LiaExpr){w->memo[f.index]};
    const uint32_t* list;
    uint32_t met = lia_graph_below(g, &f, 1, moving, &list);
    for (uint32_t e = 0; e < met; e++) {
        uint32_t i = list[e];
        if (w->memo[i]) continue;
        LiaNode n = g->nodes[i];
        LiaExpr rate = zero;
        if (n.op == LIA_OP_SYMBOL) {
            if (n.symbol_kind == LIA_SYMBOL_POSITION) rate = V[n.a];
            if (n.symbol_kind == LIA_SYMBOL_TIME && w->k.time) rate = V[w->k.n];
        } else {
            const uint32_t argument[3] = {n.a, n.b, n.c};
            for (int arg = 0; arg < lia_op_arity((LiaOp)n.op); arg++) {
                uint32_t x = argument[arg];
                if (!(g->nodes[x].depends & moving)) continue;
                LiaExpr dx = {w->memo[x]};
                if (lia_graph_is_zero(g, dx)) continue;
                LiaExpr slope = lia_diff_partial(g, (LiaExpr){i}, arg);
                rate = lia_graph_add(g, rate, lia_graph_mul(g, slope, dx));
            }
        }
        w->memo[i] = rate.index;
    }
    return (LiaExpr){w->memo[f.index]};
}

// Room for all nodes there are, and nothing known.
static bool forget(Work* w) {
    if (w->k.graph->count > w->memo_room) {
        uint32_t room = 2 * w->k.graph->count;
        uint32_t* more = lia_memory_zeros(room, sizeof *more);
        if (!more) return false;
        free(w->memo);
        w->memo = more, w->memo_room = room;
        return true;
    }
    memset(w->memo, 0, w->memo_room * sizeof *w->memo);
    return true;
}

// [V, W] as a new word, unless it is zero. False if memory is out.
static bool add_bracket(Work* w, uint32_t v, uint32_t u, uint32_t step) {
    LiaGraph* g = w->k.graph;
    size_t N = w->N;
    if (w->words == WORDS_MOST || g->count - w->nodes > NODES_MOST) {
        w->full = true;
        return true;
    }
    Word* made = &w->word[w->words];
    LiaExpr *V = w->word[v].field, *U = w->word[u].field;
    made->field = LIA_ARENA_NEW(w->arena, LiaExpr, N + 1);
    if (!made->field || !forget(w)) return false;
    for (size_t i = 0; i < N; i++) made->field[i] = along(w, V, U[i]);
    if (!forget(w)) return false;
    bool zero = true;
    for (size_t i = 0; i < N; i++) {
        made->field[i] = lia_graph_sub(g, made->field[i], along(w, U, V[i]));
        zero &= lia_graph_is_zero(g, made->field[i]);
    }
    made->length = w->word[v].length + w->word[u].length;
    made->step = step;
    if (!zero) w->words++;
    return !g->failed;
}

// --- values ------------------------------------------------------------------------------------

// A component whose size is rounding of its terms is zero; then the vector is brought to size 1.
static void clean(size_t N, double* x, const double* size) {
    double square = 0.0;
    for (size_t i = 0; i < N; i++) {
        if (!(fabs(x[i]) > LIA_FLAG_ROUNDING * size[i])) x[i] = 0.0;
        square += x[i] * x[i];
    }
    for (size_t i = 0; i < N && square > 0.0; i++) x[i] /= sqrt(square);
}

static bool evaluate_words(Work* w) {
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
        w->word[k].value = LIA_ARENA_NEW(w->arena, double, w->places* N + 1);
        ok = w->word[k].value != NULL;
    }
    for (uint32_t p = 0; ok && p < w->places; p++) {
        LiaSymbols at = {.t = w->t[p], .parameters = w->s->parameters, .q = w->q[p]};
        lia_evaluate_run(&values, &at);
        lia_sizes_run(&values, &(LiaSymbols){0}, part);
        for (uint32_t k = w->fresh; k < w->words; k++) {
            double* x = w->word[k].value + p * N;
            for (size_t i = 0; i < N; i++) {
                x[i] = lia_value(&values, w->word[k].field[i]);
                w->size[i] = part[w->word[k].field[i].index];
            }
            clean(N, x, w->size);
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

// What row k of w->rows has in common with the rows from `from` on is taken away from these.
static void take_away(Work* w, uint32_t k, uint32_t from) {
    size_t N = w->N;
    const double* y = w->rows + k * N;
    double square = length_of(N, y) * length_of(N, y);
    for (uint32_t e = from; square > 0.0 && e < w->fresh; e++) {
        double *x = w->rows + e * N, sum = 0.0;
        for (size_t i = 0; i < N; i++) sum += x[i] * y[i];
        for (size_t i = 0; i < N; i++) x[i] -= sum / square * y[i];
    }
}

static void exchange(Work* w, uint32_t a, uint32_t b) {
    Word word = w->word[a];
    w->word[a] = w->word[b], w->word[b] = word;
    for (size_t i = 0; i < w->N; i++) {
        double x = w->rows[a * w->N + i];
        w->rows[a * w->N + i] = w->rows[b * w->N + i];
        w->rows[b * w->N + i] = x;
    }
}

// The rank of the words that `counts` at place p, and the smallest part that decided it.
static uint32_t rank_at(Work* w, uint32_t p, uint32_t most, bool derived, double* margin) {
    size_t N = w->N;
    uint32_t count = 0, rank = 0;
    for (uint32_t k = 0; k < w->fresh; k++) {
        const Word* word = &w->word[k];
        bool counts = derived ? word->step < most : word->length <= most;
        if (counts) memcpy(w->rows + count++ * N, word->value + p * N, N * sizeof *w->rows);
    }
    bool* used = LIA_ARENA_NEW(w->arena, bool, count + 1);
    while (used && rank < N) {  // the longest that is left comes next
        uint32_t next = count;
        double longest = LIA_FLAG_CUT;
        for (uint32_t k = 0; k < count; k++) {
            double square = 0.0;
            for (size_t i = 0; i < N; i++) square += w->rows[k * N + i] * w->rows[k * N + i];
            if (!used[k] && sqrt(square) > longest) longest = sqrt(square), next = k;
        }
        if (next == count) break;
        used[next] = true;
        rank++;
        if (longest < *margin) *margin = longest;
        const double* x = w->rows + next * N;
        for (uint32_t k = 0; k < count; k++) {
            double sum = 0.0;
            if (used[k]) continue;
            for (size_t i = 0; i < N; i++) sum += w->rows[k * N + i] * x[i];
            for (size_t i = 0; i < N; i++) {
                w->rows[k * N + i] -= sum / (longest * longest) * x[i];
            }
        }
    }
    return rank;
}

// Of the words from `from` on only those that add to the rank at the first place stay, the longest part first.
static void keep_basis(Work* w, uint32_t from) {
    size_t N = w->N;
    double* x = w->rows;  // what is left of each beside those that stay
    uint32_t kept = from, count = w->fresh - from;
    if (w->every || count == 0) return;
    for (uint32_t k = 0; k < w->fresh; k++) {
        memcpy(x + k * N, w->word[k].value, N * sizeof *x);
        if (k < from) take_away(w, k, k + 1);
    }
    while (kept < w->fresh) {
        uint32_t next = kept;
        double longest = LIA_FLAG_CUT;
        for (uint32_t k = kept; k < w->fresh; k++) {
            double length = length_of(N, x + k * N);
            if (length > longest) longest = length, next = k;
        }
        if (!(longest > LIA_FLAG_CUT)) break;
        exchange(w, kept, next);
        take_away(w, kept, kept + 1);
        kept++;
    }
    w->words = w->fresh = kept;
}

// --- the flags ---------------------------------------------------------------------------------

static bool add_words(Work* w, uint32_t length) {
    uint32_t fields = w->k.count, before = w->words;
    for (uint32_t a = 0; a < fields && !w->full; a++) {
        for (uint32_t k = 0; k < before && !w->full; k++) {
            bool first = length == 2 && k <= a;
            if (w->word[k].length != length - 1 || first) continue;
            if (!add_bracket(w, a, k, length - 1)) return false;
        }
    }
    if (!evaluate_words(w)) return false;
    keep_basis(w, before);
    return true;
}

// The largest rank of all places after so many steps.
static uint32_t rank_of(Work* w, uint32_t steps, bool derived, double* margin) {
    uint32_t most = 0;
    for (uint32_t p = 0; p < w->places; p++) {
        uint32_t rank = rank_at(w, p, steps, derived, margin);
        if (rank > most) most = rank;
    }
    return most;
}

// The Lie flag. `closure` 0: at places where ranks are locally constant, so that it ends with the first step that adds
// nothing; else it goes on until it has this rank.
static bool lie_flag(Work* w, uint32_t closure, LiaGrowth* out, double* margin) {
    if (!evaluate_words(w)) return false;
    for (uint32_t length = 1; length <= LIA_FLAG_STEPS && !out->ended; length++) {
        uint32_t words = w->words;
        if (length > 1 && !add_words(w, length)) return false;
        if (w->full) break;
        uint32_t rank = rank_of(w, length, false, margin);
        uint32_t before = out->steps ? out->rank[out->steps - 1] : 0;
        bool none = length > 1 && w->words == words;
        out->ended =
            none || rank == (closure ? closure : w->out->space) || (!closure && rank == before);
        if (closure || rank != before) out->rank[out->steps++] = rank;
    }
    // what it does not gain at the end is not told
    while (out->steps > 1 && out->rank[out->steps - 1] == out->rank[out->steps - 2]) out->steps--;
    return true;
}

// Brackets of all pairs of words of the steps before, one of them of the last.
static bool add_pairs(Work* w, uint32_t step) {
    uint32_t before = w->words;
    for (uint32_t a = 0; a < before && !w->full; a++) {
        for (uint32_t b = a + 1; b < before && !w->full; b++) {
            const Word *x = &w->word[a], *y = &w->word[b];
            if (x->step >= step || y->step >= step) continue;
            if (x->step + 1 != step && y->step + 1 != step) continue;
            if (!add_bracket(w, a, b, step)) return false;
        }
    }
    if (!evaluate_words(w)) return false;
    keep_basis(w, before);
    return true;
}

static bool derived_flag(Work* w, uint32_t closure, LiaGrowth* out) {
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

// The largest |theta_r(W)| of each form at the places.
static bool find_defects(Work* w) {
    LiaKernelFields* k = &w->k;
    size_t N = w->N;
    LiaValues values = {0};
    double* part = lia_memory_zeros(k->graph->count, sizeof *part);
    bool ok = part && lia_evaluate_init(&values, k->graph, k->A, (size_t)k->all * N);
    for (uint32_t p = 0; ok && p < w->places; p++) {
        LiaSymbols at = {.t = w->t[p], .parameters = w->s->parameters, .q = w->q[p]};
        lia_evaluate_run(&values, &at);
        for (uint32_t r = 0; r < k->all; r++) {
            double square = 0.0, most = 0.0;
            for (size_t i = 0; i < N; i++) {
                double a = lia_value(&values, k->A[r * N + i]);
                square += a * a;
            }
            for (uint32_t e = k->count; e < w->fresh; e++) {
                double sum = 0.0;
                for (size_t i = 0; i < N; i++) {
                    sum += lia_value(&values, k->A[r * N + i]) * w->word[e].value[p * N + i];
                }
                most = fmax(most, fabs(sum));
            }
            double* defect = &w->out->defect[k->every[r]];
            if (square > 0.0) *defect = fmax(*defect, most / sqrt(square));
        }
    }
    lia_evaluate_clear(&values);
    free(part);
    return ok;
}

// Rank of the geometric rows at place p.
static int geometric_rank(Work* w, uint32_t p) {
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
            if (!row->geometric || row->levelled) continue;
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

// The fields with pivots chosen at the first place, as words. False with a reason, or without: memory is out.
static bool begin(Work* w) {
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
    w->rows = LIA_ARENA_NEW(w->arena, double, WORDS_MOST * w->N + 1);
    w->size = LIA_ARENA_NEW(w->arena, double, w->N + 1);
    if (!w->rows || !w->size) return false;
    w->words = w->fresh = 0;
    w->full = false;
    w->nodes = k->graph->count;
    for (uint32_t a = 0; a < k->count; a++) {
        w->word[w->words++] = (Word){.field = k->X + (size_t)a * w->N, .length = 1};
    }
    return true;
}

// Places where a field has no value, because the pivots vanish there, are left out; not the first.
static bool drop_places(Work* w) {
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
static bool generic(Work* w) {
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
        out->why = "brackets become too long";
        return false;
    }
    out->places = w->places;
    uint32_t closure = out->lie.rank[out->lie.steps - 1];
    out->integrable = out->space - closure;
    out->known = true;
    return find_defects(w) && derived_flag(w, closure, &out->derived);
}

static bool same(const LiaGrowth* a, const LiaGrowth* b) {
    bool is = a->steps == b->steps && a->ended == b->ended;
    for (uint32_t i = 0; is && i < a->steps; i++) is = a->rank[i] == b->rank[i];
    return is;
}

// At the start by itself. Where its ranks are those of the other places a basis is enough, else every word is needed.
static bool at_start(Work* w, const LiaSamples* samples) {
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
        if (!derived_flag(w, closure, &out->start_derived)) return false;
        if (same(&out->lie, &out->start_lie) && same(&out->derived, &out->start_derived)) break;
    }
    return true;
}

static bool make(Work* w, const LiaSamples* samples) {
    size_t n = w->k.n;
    w->t = LIA_ARENA_NEW(w->arena, double, PLACES_MOST + 1);
    w->q = LIA_ARENA_NEW(w->arena, const double*, PLACES_MOST + 1);
    if (!w->t || !w->q) return false;
    for (uint32_t i = samples->count > 1; i < samples->count && w->places < PLACES_MOST; i++) {
        w->t[w->places] = samples->t[i];
        w->q[w->places++] = samples->q + i * n;
    }
    if (!generic(w)) return w->out->why != NULL;
    return !w->out->has_start || at_start(w, samples);
}

bool lia_flag_make(const LiaGeometry* y, const LiaSamples* samples, bool has_start, LiaArena* arena,
                   LiaFlag* out) {
    *out = (LiaFlag){.margin = 1.0, .has_start = has_start && samples->count > 0};
    out->defect = LIA_ARENA_NEW(arena, double, y->system->row_count + 1);
    Work* w = lia_memory_zeros(1, sizeof *w);
    if (!w || !out->defect) {
        free(w);
        return false;
    }
    w->s = y->system, w->out = out, w->arena = arena;
    bool ok = lia_kernel_fields_init(&w->k, y);
    if (ok && samples->count == 0) out->why = "no admissible state was found";
    if (ok && !out->why) ok = make(w, samples);
    lia_kernel_fields_clear(&w->k);
    free(w->memo);
    free(w);
    return ok;
}
