// Running a tape order by order. See jet.h; the memory is laid out in bind.c.
// SPDX-License-Identifier: MIT
#include "expr/tape/jet.h"
#include "expr/tape/instruction.h"
#include <string.h>

// --- blocks of instructions ---------------------------------------------------------------------

// Blocks of their own, so that the addresses of a sum have the registers to themselves.
static __attribute__((noinline)) void run_sincoses(double* s, const LiaBound* in,
                                                   const LiaBound* end, int k) {
    do run_sincos(s, in, k);
    while (++in < end);
}

static inline __attribute__((always_inline)) void products(const double* xs, const double* ys,
                                                           double* out, const LiaBound* in,
                                                           const LiaBound* end, int k) {
    if (k < 3) {
        do out[in->out] = lia_convolve_all(xs + in->x, ys + in->y, k);
        while (++in < end);
        return;
    }
    do {
        const double *x = xs + in->x, *y = ys + in->y;
        double inner = lia_convolve_inner(x, y, k);
        out[in->out] = (inner + (x[1] * y[k - 1] + x[k - 1] * y[1])) + (x[0] * y[k] + x[k] * y[0]);
    } while (++in < end);
}

static __attribute__((noinline)) void run_products(const double* s, double* out, const LiaBound* in,
                                                   const LiaBound* end, int k) {
    products(s, s, out, in, end, k);
}

static __attribute__((noinline)) void run_products_of(const double* xs, const double* ys,
                                                      double* out, const LiaBound* in,
                                                      const LiaBound* end, int k) {
    products(xs, ys, out, in, end, k);
}

static inline double* series(const LiaJets* jets, uint32_t reg) {
    return lia_jet_series(jets, reg);
}

// A block of a large tape, at order k, in a window or in none. What looks back at lower orders has
// series.
static __attribute__((noinline)) void run_window_block(const LiaJets* jets, const LiaBoundWindow* w,
                                                       const LiaBoundBlock* b, int k) {
    const LiaBound *in = b->begin, *end = b->end;
    LiaOrder order = lia_jet_order(jets, k);
    double *series = jets->s + order.from[0], *layer = jets->s + order.from[1],
           *brief = jets->s + order.from[2];
    double* const room[LIA_ROOMS] = {series + w->series, layer + w->layer, brief + w->brief, brief,
                                     series};
    double *out = room[b->out], *x = room[b->x], *y = room[b->y];
    switch ((LiaCode)b->code) {
    case LIA_CODE_ADD:
        do out[in->out] = x[in->x] + y[in->y];
        while (++in < end);
        return;
    case LIA_CODE_SUB:
        do out[in->out] = x[in->x] - y[in->y];
        while (++in < end);
        return;
    case LIA_CODE_NEG:
        do out[in->out] = -x[in->x];
        while (++in < end);
        return;
    case LIA_CODE_MUL:
        run_products_of(x - k, y - k, out, in, end, k);
        return;
    case LIA_CODE_SCALE:
        x -= k;
        do out[in->out] = x[in->x] * y[in->y];
        while (++in < end);
        return;
    case LIA_CODE_SQUARE:
        x -= k;
        do out[in->out] = lia_convolve_all(x + in->x, x + in->x, k);
        while (++in < end);
        return;
    case LIA_CODE_DIVIDE:
        y -= k;
        do out[in->out] = x[in->x] / y[in->y];
        while (++in < end);
        return;
    default:  // lia_jet_is_plain()
        return;
    }
}

// One block at order k.
static inline __attribute__((always_inline)) void run_block(const LiaJets* jets,
                                                            const LiaBoundBlock* b, int k) {
    const LiaBound *in = b->begin, *end = b->end;
    double *s = jets->s, *top = s + k;
    switch ((LiaCode)b->code) {
    case LIA_CODE_ADD:
        do top[in->out] = top[in->x] + top[in->y];
        while (++in < end);
        return;
    case LIA_CODE_SUB:
        do top[in->out] = top[in->x] - top[in->y];
        while (++in < end);
        return;
    case LIA_CODE_NEG:
        do top[in->out] = -top[in->x];
        while (++in < end);
        return;
    case LIA_CODE_MUL:
        if (__builtin_constant_p(k) && k == 0) {  // values
            do s[in->out] = s[in->x] * s[in->y];
            while (++in < end);
            return;
        }
        run_products(s, top, in, end, k);
        return;
    case LIA_CODE_SCALE:
        do top[in->out] = s[in->x] * top[in->y];
        while (++in < end);
        return;
    case LIA_CODE_SQUARE:
        do top[in->out] = lia_convolve_all(s + in->x, s + in->x, k);
        while (++in < end);
        return;
    case LIA_CODE_DIV:
        do run_quotient(s, in, k);
        while (++in < end);
        return;
    case LIA_CODE_DIVIDE:
        do top[in->out] = top[in->x] / s[in->y];
        while (++in < end);
        return;
    case LIA_CODE_SINCOS:
        run_sincoses(s, in, end, k);
        return;
    case LIA_CODE_CALL:
        for (const LiaInstr* i = b->instrs; in < end; in++, i++) call(jets, i, k);
        return;
    }
    __builtin_unreachable();  // every code has its case
}

// A section at order k. Blocks less than `least` ahead are left out; with `ahead` each runs its
// offset ahead.
static inline __attribute__((always_inline)) void run_section(const LiaJets* jets,
                                                              const LiaSection* section, int k,
                                                              bool ahead, int least) {
    const LiaBoundBlock* b = jets->blocks + section->first_block;
    for (const LiaBoundBlock* end = b + section->block_count; b < end; b++) {
        if (b->offset < least) continue;
        run_block(jets, b, ahead ? k + b->offset : k);
    }
}

// The same in a large tape.
static void run_large(const LiaJets* jets, const LiaBoundWindow* w, int k, bool ahead, int least) {
    for (const LiaBoundBlock* b = w->begin; b < w->end; b++) {
        if (b->offset < least) continue;
        int order = ahead ? k + b->offset : k;
        if (lia_jet_is_plain(b->code)) {
            run_window_block(jets, w, b, order);
        } else {
            run_block(jets, b, order);
        }
    }
}

static __attribute__((noinline)) void run_windows(const LiaJets* jets, int k, bool ahead,
                                                  int least) {
    const LiaBoundWindow* end = jets->windows + jets->tape->window_count;
    for (const LiaBoundWindow* w = jets->windows; w < end; w++) run_large(jets, w, k, ahead, least);
}

static inline __attribute__((always_inline)) void run_main(const LiaJets* jets, int k, bool ahead,
                                                           int least) {
    if (jets->tape->window_count) {
        run_windows(jets, k, ahead, least);
    } else {
        run_section(jets, &jets->sections->main, k, ahead, least);
    }
}

// A section other than main.
static void run_whole(const LiaJets* jets, const LiaSection* section, int k) {
    if (jets->tape->window_count) {
        const LiaBoundBlock* first = jets->blocks + section->first_block;
        const LiaBoundWindow all = {.begin = first, .end = first + section->block_count};
        run_large(jets, &all, k, false, 0);
    } else {
        run_section(jets, section, k, false, 0);
    }
}

// sin and cos of a polynomial of low degree (2 t + phase): only so many terms are there.
static void run_sincos_orders(double* s, const LiaBound* in, int from, int to) {
    const double* x = s + in->x;
    double *sine = s + in->out, *cosine = s + in->y;
    int degree = to;
    while (degree > 1 && x[degree] == 0.0) degree--;
    if (degree > 1) {
        for (int k = from; k <= to; k++) run_sincos(s, in, k);
        return;
    }
    if (from == 0) run_sincos(s, in, 0);
    if (from <= 1 && to >= 1) {  // as run_sincos(), the sign of a zero too
        sine[1] = 0.0 + x[1] * cosine[0];
        cosine[1] = -(0.0 + x[1] * sine[0]);
    }
    for (int k = from < 2 ? 2 : from; k <= to; k++) {
        sine[k] = x[1] * cosine[k - 1] / whole[k];
        cosine[k] = -(x[1] * sine[k - 1] / whole[k]);
    }
}

// Several orders at once, instruction by instruction: for sections in which no register waits for
// the next order of another.
static inline __attribute__((always_inline)) void run_instr(const LiaJets* jets,
                                                            const LiaInstr* instr,
                                                            const LiaBound* in, int from, int to) {
    const double *x = jets->s + in->x, *y = jets->s + in->y;
    double* restrict out = jets->s + in->out;
    switch ((LiaCode)instr->code) {
    case LIA_CODE_ADD:
        for (int k = from; k <= to; k++) out[k] = x[k] + y[k];
        break;
    case LIA_CODE_SUB:
        for (int k = from; k <= to; k++) out[k] = x[k] - y[k];
        break;
    case LIA_CODE_NEG:
        for (int k = from; k <= to; k++) out[k] = -x[k];
        break;
    case LIA_CODE_SCALE:
        if (out == y) break;
        for (int k = from; k <= to; k++) out[k] = x[0] * y[k];
        break;
    case LIA_CODE_DIVIDE:
        for (int k = from; k <= to; k++) out[k] = x[k] / y[0];
        break;
    case LIA_CODE_MUL:
        for (int k = from; k <= to; k++) out[k] = lia_convolve_all(x, y, k);
        break;
    case LIA_CODE_SQUARE:
        for (int k = from; k <= to; k++) out[k] = lia_convolve_all(x, x, k);
        break;
    case LIA_CODE_DIV:
        for (int k = from; k <= to; k++) run_quotient(jets->s, in, k);
        break;
    case LIA_CODE_SINCOS:
        run_sincos_orders(jets->s, in, from, to);
        break;
    case LIA_CODE_CALL:
        for (int k = from; k <= to; k++) call(jets, instr, k);
        break;
    }
}

static __attribute__((noinline)) void run_all(const LiaJets* jets, const LiaSection* section,
                                              int from, int to) {
    const LiaInstr* instr = section->instrs;
    const LiaBound *in = jets->bound + section->first, *end = in + section->count;
    for (; in < end; in++, instr++) run_instr(jets, instr, in, from, to);
}

static __attribute__((noinline)) void run_other(const LiaJets* jets, const LiaInstr* instr,
                                                const LiaBound* in, int from, int to) {
    run_instr(jets, instr, in, from, to);
}

// The same for orders 0 to 2: loops over so few would cost more than they do.
#define EACH(value)                                                                                \
    do {                                                                                           \
        int k = from;                                                                              \
        out[k] = (value);                                                                          \
        if (++k <= to) out[k] = (value);                                                           \
        if (++k <= to) out[k] = (value);                                                           \
    } while (0)

static inline __attribute__((always_inline)) void run_some(const LiaJets* jets,
                                                           const LiaSection* section, int from,
                                                           int to) {
    const LiaInstr* instr = section->instrs;
    const LiaBound *in = jets->bound + section->first, *end = in + section->count;
    for (; in < end; in++, instr++) {
        const double *x = jets->s + in->x, *y = jets->s + in->y;
        double* out = jets->s + in->out;
        switch ((LiaCode)instr->code) {
        case LIA_CODE_ADD:
            EACH(x[k] + y[k]);
            break;
        case LIA_CODE_SUB:
            EACH(x[k] - y[k]);
            break;
        case LIA_CODE_NEG:
            EACH(-x[k]);
            break;
        case LIA_CODE_SCALE:
            EACH(x[0] * y[k]);
            break;
        case LIA_CODE_MUL:
            EACH(k == 0   ? x[0] * y[0]
                 : k == 1 ? x[0] * y[1] + x[1] * y[0]
                          : x[1] * y[1] + (x[0] * y[2] + x[2] * y[0]));
            break;
        case LIA_CODE_SINCOS:
            run_sincos_orders(jets->s, in, from, to);
            break;
        default:
            run_other(jets, instr, in, from, to);
            break;
        }
    }
}

static __attribute__((noinline)) void run_few(const LiaJets* jets, const LiaSection* section,
                                              int from, int to) {
    if (from == 0 && to == 2) {  // as laws of time are run for a sample
        run_some(jets, section, 0, 2);
    } else {
        run_some(jets, section, from, to);
    }
}

// Many a section is empty.
static inline void run_orders(const LiaJets* jets, const LiaSection* section, int from, int to) {
    if (!section->count) return;
    if (to < 3) {
        run_few(jets, section, from, to);
    } else {
        run_all(jets, section, from, to);
    }
}

static void run_listed(const LiaJets* jets, const uint32_t* list, uint32_t count, int from,
                       int to) {
    const LiaSection* post = &jets->sections->post;
    const LiaBound* bound = jets->bound + post->first;
    for (uint32_t i = 0; i < count; i++)
        run_instr(jets, post->instrs + list[i], bound + list[i], from, to);
}

// --- stages ------------------------------------------------------------------------------------

// Laws of time alone: the same at the same time. Laws of rates start from a value, guards have a
// side.
static bool timeless(const LiaTape* tape) {
    for (uint32_t d = 0; d < tape->drive_count; d++) {
        if (tape->drives[d].rate) return false;
    }
    return tape->guard_count == 0;
}

void lia_jet_drive(LiaJets* jets, double t, int top) {
    const LiaTape* tape = jets->tape;
    double* time = series(jets, tape->time);
    int last = top + 2 < jets->top ? top + 2 : jets->top;
    bool plain = timeless(tape);
    if (plain && time[0] == t && jets->driven >= last) return;  // projection comes here again
    jets->driven = last;
    time[0] = t;
    time[1] = 1.0;
    if (plain) {
        run_orders(jets, &jets->sections->law, 0, last);
    } else {
        for (int k = 0; k <= last; k++) {
            run_section(jets, &jets->sections->law, k, false, 0);
            for (uint32_t d = 0; d < tape->drive_count; d++) {
                const LiaDrive* drive = &tape->drives[d];
                double* q = series(jets, tape->position[drive->coordinate]);
                const double* law = series(jets, tape->drive_register[d]);
                if (drive->rate && k < jets->top) q[k + 1] = law[k] / (k + 1);
            }
        }
    }
    for (uint32_t d = 0; d < tape->drive_count; d++) {
        uint32_t i = tape->drives[d].coordinate;
        const double* q = series(jets, tape->position[i]);
        double* restrict v = series(jets, tape->velocity[i]);
        double* restrict a = series(jets, tape->acceleration[i]);
        if (last == 2) {  // a sample: no loops
            v[0] = q[1];
            a[0] = v[1] = 2.0 * q[2];
            continue;
        }
        for (int k = 0; k < last; k++) v[k] = whole[k + 1] * q[k + 1];
        for (int k = 0; k + 1 < last; k++) a[k] = whole[k + 1] * v[k + 1];
    }
    run_orders(jets, &jets->sections->drive, 0, last);
}

void lia_jet_prologue(LiaJets* jets) {
    run_main(jets, 0, false, 1);
    if (jets->tape->ahead) run_main(jets, 1, false, 2);
}

void lia_jet_values(LiaJets* jets) {
    const LiaSection* main = &jets->sections->main;
    if (jets->tape->window_count) {
        run_windows(jets, 0, false, 0);
        return;
    }
    const LiaBoundBlock* b = jets->blocks + main->first_block;
    for (const LiaBoundBlock* end = b + main->block_count; b < end; b++) {
        if (b->offset == 0) run_block(jets, b, 0);
    }
}

void lia_jet_stage(LiaJets* jets, int k) { run_main(jets, k, true, 0); }

void lia_jet_onward(LiaJets* jets, int k, int next, void (*before)(void* data, uint32_t window),
                    void (*after)(void* data, uint32_t window), void* data) {
    for (uint32_t i = 0; i < jets->tape->window_count; i++) {
        const LiaBoundWindow* w = &jets->windows[i];
        before(data, i);
        lia_jet_slopes_correct_window(jets, w, k);
        run_large(jets, w, next, true, 0);
        after(data, i);
    }
}

void lia_jet_aside(LiaJets* jets, int k) {
    if (jets->sections->aside.count) run_whole(jets, &jets->sections->aside, k);
}

void lia_jet_reaction(LiaJets* jets, int k) {
    if (!jets->sections->reaction.count) return;
    run_whole(jets, &jets->sections->reaction, k);
}

void lia_jet_part(LiaJets* jets, uint32_t part, int from, int to) {
    const LiaParts* p = &jets->awake->parts;
    run_listed(jets, p->instr + p->first[part], p->first[part + 1] - p->first[part], from, to);
}

void lia_jet_post(LiaJets* jets, int from, int to) {
    const LiaAwake* awake = jets->awake;
    if (!awake) {
        run_orders(jets, &jets->sections->post, from, to);
        return;
    }
    run_listed(jets, awake->parts.always, awake->parts.always_count, from, to);
    for (uint32_t i = 0; i < awake->count; i++) lia_jet_part(jets, awake->part[i], from, to);
}

void lia_jet_sample(LiaJets* jets) {
    lia_jet_aside(jets, 0);
    run_whole(jets, &jets->sections->sample, 0);
}

static void mark_one(const LiaJets* jets, const LiaInstr* in, bool* guards) {
    unsigned char* live = jets->live;
    if (!live[in->out] && !(in->aux && live[in->aux])) return;
    if (in->guard) guards[in->guard - 1] = true;
    live[in->x] = 1;
    if (in->code == LIA_CODE_CALL && in->op == LIA_OP_IF) {
        live[lia_jet_series(jets, in->x)[0] != 0.0 ? in->y : in->z] = 1;
    } else {
        live[in->y] = live[in->z] = 1;
    }
}

static void mark_live(const LiaJets* jets, const LiaSection* section, bool* guards) {
    for (uint32_t i = section->count; i > 0; i--) mark_one(jets, &section->instrs[i - 1], guards);
}

static void mark_listed(const LiaJets* jets, const uint32_t* list, uint32_t count, bool* guards) {
    const LiaSection* post = &jets->tape->sections.post;
    for (uint32_t i = count; i > 0; i--) mark_one(jets, &post->instrs[list[i - 1]], guards);
}

static void mark_post(const LiaJets* jets, bool* guards) {
    const LiaAwake* awake = jets->awake;
    if (!awake) mark_live(jets, &jets->tape->sections.post, guards);
    for (uint32_t i = 0; awake && i < awake->count; i++) {  // parts that rest have no guards
        const uint32_t* first = awake->parts.first + awake->part[i];
        mark_listed(jets, awake->parts.instr + first[0], first[1] - first[0], guards);
    }
    if (awake) mark_listed(jets, awake->parts.always, awake->parts.always_count, guards);
}

void lia_jet_live(const LiaJets* jets, bool* guards) {
    const LiaTape* tape = jets->tape;
    if (tape->guard_count == 0) return;
    memset(jets->live, 0, tape->register_count);
    memset(guards, 0, tape->guard_count * sizeof *guards);
    for (uint32_t r = 0; r < tape->wanted_count; r++) jets->live[tape->wanted[r]] = 1;
    jets->live[0] = 0;
    mark_post(jets, guards);
    mark_live(jets, &tape->sections.reaction, guards);
    mark_live(jets, &tape->sections.aside, guards);
    mark_live(jets, &tape->sections.main, guards);
    mark_live(jets, &tape->sections.drive, guards);
    mark_live(jets, &tape->sections.law, guards);
}
