// Where formulas are during a step. See enclosure.h.
// SPDX-License-Identifier: MIT
#include "expr/tape/enclosure.h"
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include <stdlib.h>
#include <string.h>

// Products of more factors than this can lose their first term beyond the order of the series, as
// t^40 does.
enum { FACTORS_MANY = 8 };

// --- which operations are looked at -------------------------------------------------------------

// The sections that have series, in the order in which they run.
enum { SECTIONS = 5 };
static const LiaSection* section_of(const LiaTape* tape, int i) {
    const LiaSection* const all[SECTIONS] = {&tape->sections.law, &tape->sections.drive,
                                             &tape->sections.main, &tape->sections.reaction,
                                             &tape->sections.post};
    return all[i];
}

// Operations that only choose or pass on what an argument is.
static bool passes_on(uint8_t op) {
    switch ((LiaOp)op) {
    case LIA_OP_ABS:
    case LIA_OP_SIGN:
    case LIA_OP_MIN:
    case LIA_OP_MAX:
    case LIA_OP_WRAP:
    case LIA_OP_IF:
    case LIA_OP_LESS:
    case LIA_OP_LESS_EQUAL:
    case LIA_OP_AND:
    case LIA_OP_OR:
    case LIA_OP_NOT:
        return true;
    default:
        return false;
    }
}

// Products that may overflow go through ops/, and are products all the same.
static LiaCode code_of(const LiaInstr* in) {
    return in->code == LIA_CODE_CALL && in->op == LIA_OP_MUL ? LIA_CODE_MUL : (LiaCode)in->code;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

// Number of factors of what an instruction computes, up to a bound; functions count as one.
static uint32_t factors_of(const LiaInstr* in, const uint32_t* factors) {
    uint32_t x = factors[in->x], y = factors[in->y], z = factors[in->z], count;
    switch (code_of(in)) {
    case LIA_CODE_MUL:
        count = x + y;
        break;
    case LIA_CODE_SQUARE:
        count = 2 * x;
        break;
    case LIA_CODE_SINCOS:
    case LIA_CODE_DIV:
        count = 1;
        break;
    case LIA_CODE_CALL:
        count = passes_on(in->op) ? larger(x, larger(y, z)) : 1;
        break;
    default:
        count = larger(x, y);
    }
    return count < 1000000 ? count : 1000000;
}

static bool is_suspect(const LiaInstr* in, uint32_t factors) {
    switch (code_of(in)) {
    case LIA_CODE_DIV:
    case LIA_CODE_SINCOS:
        return true;
    case LIA_CODE_CALL:
        return !passes_on(in->op);
    case LIA_CODE_MUL:
    case LIA_CODE_SQUARE:
        return factors > FACTORS_MANY;
    default:
        return false;
    }
}

// Counts them, or lists them where e->suspects is there.
static void find_suspects(LiaEnclosure* e, uint32_t* factors) {
    const LiaTape* tape = e->jets->tape;
    e->suspect_count = 0;
    e->entire = true;
    for (uint32_t r = 0; r < tape->register_count; r++) factors[r] = 1;
    for (int k = 0; k < SECTIONS; k++) {
        const LiaSection* section = section_of(tape, k);
        for (uint32_t i = 0; i < section->count; i++) {
            const LiaInstr* in = &section->instrs[i];
            factors[in->out] = factors_of(in, factors);
            if (!is_suspect(in, factors[in->out])) continue;
            e->entire = e->entire && in->code == LIA_CODE_SINCOS;
            if (e->suspects) {
                e->suspects[e->suspect_count] = in;
                e->suspect_of[in->out] = e->suspect_count + 1;
            }
            e->suspect_count++;
        }
    }
}

// ratio[j * (top + 1) + k] = binomial(j, k) / binomial(top, k)
static void make_ratios(const LiaEnclosure* e) {
    int n = e->top;
    for (int j = 0; j <= n; j++) {
        double ratio = 1.0;
        for (int k = 0; k <= j; k++) {
            e->ratio[j * (n + 1) + k] = ratio;
            if (k < j) ratio *= (double)(j - k) / (double)(n - k);
        }
    }
}

bool lia_enclosure_init(LiaEnclosure* e, const LiaJets* jets, int order) {
    *e = (LiaEnclosure){.jets = jets, .top = order - 1};
    size_t registers = jets->tape->register_count, n = (size_t)e->top + 1;
    uint32_t* factors = lia_memory_zeros(registers + 1, sizeof *factors);
    if (!factors) return false;
    find_suspects(e, factors);
    size_t suspects = e->suspect_count;
    size_t doubles = 3 * registers + n + n * n;
    e->block = lia_memory_zeros(1, doubles * sizeof(double) + (suspects + 1) * sizeof(LiaInstr*) +
                                       (registers + 1) * sizeof(uint32_t) + suspects + 1);
    if (e->block) {
        e->range = e->block;
        e->error = (double*)(e->range + registers);
        e->power = e->error + registers;
        e->ratio = e->power + n;
        e->suspects = (const LiaInstr**)(e->ratio + n * n);
        e->suspect_of = (uint32_t*)(e->suspects + suspects + 1);
        e->settled = (bool*)(e->suspect_of + registers + 1);
        if (suspects) find_suspects(e, factors);
    }
    free(factors);
    return e->block != NULL;
}

void lia_enclosure_clear(LiaEnclosure* e) {
    free(e->block);
    *e = (LiaEnclosure){0};
}

// --- polynomials over the step ------------------------------------------------------------------

static const double* series(const LiaEnclosure* e, uint32_t reg) {
    return lia_jet_series(e->jets, reg);
}

static void set_step(LiaEnclosure* e, double h) {
    double power = 1.0;
    e->h = h;
    for (int k = 0; k <= e->top; k++, power *= fabs(h)) e->power[k] = power;
}

// sum of |c[k] h^k| from `first` on
static double size_from(const LiaEnclosure* e, const double* c, int first) {
    return lia_sum_of_sizes(c + first, e->power + first, e->top + 1 - first);
}

static LiaInterval around(const LiaEnclosure* e, const double* c) {
    double change = size_from(e, c, 1);
    return lia_interval_of(c[0] - change, c[0] + change);
}

// b[j] = sum over k <= j of binomial(j, k) / binomial(n, k) c[k] h^k: all values are between the
// smallest and the largest.
static LiaInterval bernstein(const LiaEnclosure* e, const double* c, int n) {
    double term[LIA_JET_ORDER_MOST + 2];
    LiaInterval all = {c[0], c[0]};
    if (e->ratio[0] == 0.0) make_ratios(e);  // many a run needs none
    int last = 0;
    for (int k = 0; k <= n; k++) {
        term[k] = e->h < 0.0 && k % 2 ? -c[k] * e->power[k] : c[k] * e->power[k];
        if (!isfinite(term[k])) return lia_interval_all();
        if (term[k] != 0.0) last = k;
    }
    for (int j = 1; j <= n; j++) {
        const double* ratio = e->ratio + (size_t)j * (size_t)(n + 1);
        double sum = 0.0;
        for (int k = 0; k <= j && k <= last; k++) sum += ratio[k] * term[k];
        if (sum < all.low) all.low = sum;
        if (sum > all.high) all.high = sum;
    }
    return all;
}

// Bounds of a polynomial over the step of the last look, by its Bernstein coefficients.
static LiaInterval bounds(const LiaEnclosure* e, const double* c, int degree) {
    if (degree > e->top) degree = e->top;
    if (degree == e->top) return bernstein(e, c, e->top);
    double copy[LIA_JET_ORDER_MOST + 2] = {0};
    memcpy(copy, c, (size_t)(degree + 1) * sizeof *c);
    return bernstein(e, copy, e->top);
}

// Do the last terms of c say that it converges over the step?
static bool converges(const LiaEnclosure* e, const double* c) {
    int count = e->top / 4 > 3 ? e->top / 4 : 3, first = e->top + 1 - count;
    double sum = 0.0, tail = 0.0;
    if (first < 1) first = 1;
    for (int k = first; k <= e->top; k++) {
        double term = fabs(c[k]) * e->power[k];
        if (!(term <= tail)) tail = term;
    }
    // The first terms are large enough most of the time. False where they are no numbers.
    for (int k = 0; k <= e->top; k++) {
        sum += fabs(c[k]) * e->power[k];
        if (tail <= LIA_SERIES_TAIL * sum) return true;
    }
    return false;
}

// What the product of two series loses by ending where they do.
static double lost(const LiaEnclosure* e, const double* x, const double* y) {
    double rest = 0.0, sum = 0.0;
    for (int i = 1; i <= e->top; i++) {  // x[i] with y[top - i + 1] ..
        rest += fabs(y[e->top - i + 1]) * e->power[e->top - i + 1];
        sum += fabs(x[i]) * e->power[i] * rest;
    }
    return sum;
}

// Is that a small part of the product of all terms? Of each term that is lost one factor is of the
// upper half: the halves tell it most of the time.
static bool keeps(const LiaEnclosure* e, const double* x, const double* y) {
    int half = e->top / 2 + 1;
    double high_x = size_from(e, x, half), all_x = high_x + lia_sum_of_sizes(x, e->power, half);
    double high_y = size_from(e, y, half), all_y = high_y + lia_sum_of_sizes(y, e->power, half);
    if (high_x * all_y + all_x * high_y <= LIA_SERIES_TAIL * all_x * all_y) return true;
    return lost(e, x, y) <= LIA_SERIES_TAIL * all_x * all_y;
}

// --- the first look -----------------------------------------------------------------------------

static int side_of(const LiaEnclosure* e, const LiaInstr* in) {
    return in->guard ? e->jets->side[in->guard - 1] : 0;
}

static const LiaOpKind* kind_of(const LiaInstr* in) {
    return in->code == LIA_CODE_DIV ? &lia_op_kind_DIV : lia_op_kinds[in->op];
}

// A numerator hides nothing.
static uint32_t first_argument(const LiaInstr* in) { return in->code == LIA_CODE_DIV ? 0 : in->x; }

// Is the operation tame where its arguments are, first by sums of sizes, then by closer bounds?
static bool is_tame(const LiaEnclosure* e, const LiaInstr* in) {
    const double *x = series(e, first_argument(in)), *y = series(e, in->y);
    const double* aux = series(e, in->aux);
    const LiaOpKind* kind = kind_of(in);
    // Register 0 is 0: an argument that is not there.
    const LiaInterval none = lia_interval_point(0.0);
    LiaDomain at = {.x = first_argument(in) ? around(e, x) : none,
                    .y = in->y ? around(e, y) : none,
                    .aux = in->aux ? around(e, aux) : none,
                    .x0 = x[0],
                    .y0 = y[0],
                    .out0 = series(e, in->out)[0],
                    .side = side_of(e, in)};
    if (kind->image(&at).tame) return true;
    at.x = bernstein(e, x, e->top);
    at.y = bernstein(e, y, e->top);
    at.aux = bernstein(e, aux, e->top);
    return kind->image(&at).tame;
}

// Quotients and roots near a zero of the argument. out y = x and out^2 = x hold but for what the
// product of the series
// loses: that bounds their error, however near the zero is.
static bool is_exact(const LiaEnclosure* e, const LiaInstr* in) {
    const double* out = series(e, in->out);
    if (in->code == LIA_CODE_DIV) {
        const double* y = series(e, in->y);
        double least = lia_interval_least(bernstein(e, y, e->top));
        return lost(e, out, y) <= LIA_SERIES_TAIL * least * size_from(e, out, 0);
    }
    if (in->op != LIA_OP_SQRT && in->op != LIA_OP_HYPOT) return false;
    const double* square = series(e, in->op == LIA_OP_SQRT ? in->x : in->aux);
    double least = bernstein(e, square, e->top).low, missing = lost(e, out, out);
    return missing <= LIA_SERIES_TAIL * least ||
           sqrt(missing) <= LIA_SERIES_LOST * size_from(e, out, 0);
}

static bool settles(const LiaEnclosure* e, const LiaInstr* in) {
    const double *x = series(e, in->x), *y = series(e, in->y);
    switch (code_of(in)) {
    case LIA_CODE_MUL:
        return keeps(e, x, y);
    case LIA_CODE_SQUARE:
        return keeps(e, x, x);
    case LIA_CODE_SINCOS:
        return converges(e, series(e, in->out)) || converges(e, series(e, in->aux));
    default:
        return converges(e, series(e, in->out)) && (is_tame(e, in) || is_exact(e, in));
    }
}

// x/|x| where |x| goes to zero: what comes of the two has no pole.
static bool ends_at(const LiaInstr* in, uint32_t ending) {
    if (in->code == LIA_CODE_DIV) return in->y == ending;
    return in->out == ending || in->aux == ending || in->x == ending;
}

static bool is_watched(const LiaEnclosure* e, const LiaInstr* in) {
    const bool* watched = e->jets->tape->watched;
    return watched[in->out] && (!in->aux || watched[in->aux]);
}

// Nothing is asked of a part of the tape that does not run.
static bool rests(const LiaEnclosure* e, const LiaInstr* in) {
    return lia_parts_rests(e->jets->awake, in->out);
}

bool lia_enclosure_settles(LiaEnclosure* e, double h, uint32_t ending) {
    bool all = true;
    e->watched_settle = true;
    if (e->suspect_count == 0) return true;
    set_step(e, h);
    for (uint32_t i = 0; i < e->suspect_count; i++) {
        const LiaInstr* in = e->suspects[i];
        if (rests(e, in)) continue;
        e->settled[i] = settles(e, in) || (ending && ends_at(in, ending));
        bool* settle = is_watched(e, in) ? &e->watched_settle : &all;
        *settle = *settle && e->settled[i];
    }
    return all;
}

// --- the second look ----------------------------------------------------------------------------

static void set(LiaEnclosure* e, uint32_t reg, LiaInterval range, double error) {
    e->range[reg] = range;
    e->error[reg] = error >= 0.0 ? error : INFINITY;
}

// Registers that no instruction writes: time, coordinates, multipliers, constants.
static void begin(LiaEnclosure* e) {
    const LiaTape* tape = e->jets->tape;
    double room[LIA_JET_ORDER_MOST + 2];
    const LiaInterval all = lia_interval_all();
    for (uint32_t r = 0; r < tape->register_count; r++)
        set(e, r, lia_interval_point(tape->constants[r]), 0.0);
    set(e, tape->time, bernstein(e, series(e, tape->time), e->top), 0.0);
    for (uint32_t i = 0; i < tape->coordinate_count; i++) {
        const uint32_t regs[2] = {tape->position[i], tape->velocity[i]};
        for (int k = 0; k < 2; k++) {
            if (!regs[k]) continue;
            const double* c = lia_jet_read(e->jets, regs[k], e->top, room);
            set(e, regs[k], bernstein(e, c, e->top), 0.0);
        }
        uint32_t a = tape->acceleration[i];
        bool kept =
            !tape->room || tape->room[a] == LIA_ROOM_SERIES || tape->room[a] == LIA_ROOM_FIXED;
        if (a) set(e, a, kept ? bounds(e, series(e, a), e->top - 1) : all, 0.0);
    }
    for (uint32_t j = 0; j < tape->multiplier_count; j++) {
        uint32_t mu = tape->multiplier[j];
        if (mu) set(e, mu, bernstein(e, series(e, mu), e->top), 0.0);
    }
    for (uint32_t l = 0; l < tape->work_count; l++) {
        if (tape->work[l])
            set(e, tape->work[l], bernstein(e, series(e, tape->work[l]), e->top), 0.0);
    }
    set(e, 0, lia_interval_point(0.0), 0.0);
}

static double times(double a, double b) { return lia_interval_times(a, b); }

static double product_error(const LiaEnclosure* e, uint32_t x, uint32_t y) {
    double of_x = lia_interval_most(e->range[x]), of_y = lia_interval_most(e->range[y]);
    return times(e->error[x], of_y) + times(e->error[y], of_x + e->error[x]);
}

// The formula of an argument is where the series are, up to their error, and where intervals say.
static LiaInterval argument(const LiaEnclosure* e, uint32_t reg) {
    const LiaInterval* range = &e->range[reg];
    if (range->low == range->high || !(e->error[reg] < INFINITY)) return *range;
    return lia_interval_meet(
        *range, lia_interval_widen(bernstein(e, series(e, reg), e->top), e->error[reg]));
}

// The error of a result: what errors of the arguments make of it, or the distance of series and
// formula. Where the series do not settle, the second alone says something.
static double function_error(const LiaEnclosure* e, bool settled, double passed, uint32_t reg,
                             LiaInterval range) {
    if (settled && passed == 0.0) return 0.0;
    double apart = lia_interval_apart(range, around(e, series(e, reg)));
    return settled && passed < apart ? passed : apart;
}

static void spread_function(LiaEnclosure* e, const LiaInstr* in) {
    const double *x = series(e, first_argument(in)), *y = series(e, in->y);
    const double* out = series(e, in->out);
    uint32_t second = in->y;
    uint32_t suspect = e->suspect_of[in->out];
    bool settled = !suspect || e->settled[suspect - 1];
    if (in->code == LIA_CODE_CALL && in->op == LIA_OP_IF) second = x[0] != 0.0 ? in->y : in->z;
    LiaDomain at = {.x0 = x[0], .y0 = y[0], .out0 = out[0], .side = side_of(e, in)};
    bool passing = in->code == LIA_CODE_CALL && passes_on(in->op);
    at.x = passing || in->code == LIA_CODE_DIV ? e->range[in->x] : argument(e, in->x);
    at.y = passing ? e->range[second] : argument(e, second);
    double of_x = e->error[in->x], of_y = e->error[second];
    if (in->aux) {
        double moved =
            times(2.0 * lia_interval_most(at.x), of_x) + times(2.0 * lia_interval_most(at.y), of_y);
        at.aux = lia_interval_widen(bernstein(e, series(e, in->aux), e->top), moved);
    }
    LiaImage of = kind_of(in)->image(&at);
    double passed = times(of.slope_x, of_x) + times(of.slope_y, of_y);
    LiaInterval range = of.out;
    // Where the series are known to be right they are the closer bounds.
    if (settled && passed == 0.0 && !passing)
        range = lia_interval_meet(range, bernstein(e, out, e->top));
    set(e, in->out, range, passing ? passed : function_error(e, settled, passed, in->out, range));
    if (in->aux) set(e, in->aux, of.aux, function_error(e, settled, passed, in->aux, of.aux));
}

static void spread(LiaEnclosure* e, const LiaInstr* in) {
    const LiaInterval x = e->range[in->x], y = e->range[in->y];
    const double of_x = e->error[in->x], of_y = e->error[in->y];
    uint32_t suspect = e->suspect_of[in->out];
    switch (code_of(in)) {
    case LIA_CODE_ADD:
        set(e, in->out, lia_interval_add(x, y), of_x + of_y);
        return;
    case LIA_CODE_SUB:
        set(e, in->out, lia_interval_sub(x, y), of_x + of_y);
        return;
    case LIA_CODE_NEG:
        set(e, in->out, lia_interval_neg(x), of_x);
        return;
    case LIA_CODE_SCALE:
    case LIA_CODE_MUL: {
        double error = product_error(e, in->x, in->y);
        if (suspect && !e->settled[suspect - 1])
            error += lost(e, series(e, in->x), series(e, in->y));
        set(e, in->out, lia_interval_mul(x, y), error);
        return;
    }
    case LIA_CODE_SQUARE: {
        double error = product_error(e, in->x, in->x);
        if (suspect && !e->settled[suspect - 1])
            error += lost(e, series(e, in->x), series(e, in->x));
        set(e, in->out, lia_interval_square(x), error);
        return;
    }
    case LIA_CODE_DIVIDE: {
        double divisor = fabs(y.low);
        set(e, in->out, lia_interval_div(x, y), of_x / divisor);
        return;
    }
    case LIA_CODE_DIV:
    case LIA_CODE_SINCOS:
    case LIA_CODE_CALL:
        spread_function(e, in);
        return;
    }
}

void lia_enclosure_spread(LiaEnclosure* e) {
    const LiaTape* tape = e->jets->tape;
    begin(e);
    for (int k = 0; k < SECTIONS; k++) {
        const LiaSection* section = section_of(tape, k);
        for (uint32_t i = 0; i < section->count; i++) {
            if (!rests(e, &section->instrs[i])) spread(e, &section->instrs[i]);
        }
    }
}
