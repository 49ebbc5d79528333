// The memory of jets, and the instructions bound to their offsets in it. See jet.h.
//
// Bodies that are alike give windows of section main that are alike: the same codes on the same
// registers, so much further on. Such windows share one set of blocks, which stays in the cache
// while the run goes through the bodies.
// SPDX-License-Identifier: MIT
#include "base/memory/hugepage.h"
#include "base/memory/memory.h"
#include "expr/ops/convolution.h"
#include "expr/tape/jet.h"
#include "expr/tape/settle.h"
#include <stdlib.h>
#include <string.h>

// How the coefficients of a register stand: 0, 1, 2; see jet.h.
static int way_of(const LiaTape* tape, uint32_t reg) {
    uint8_t room = tape->room ? tape->room[reg] : LIA_ROOM_SERIES;
    return room == LIA_ROOM_LAYER ? 1 : room == LIA_ROOM_BRIEF || room == LIA_ROOM_POOL ? 2 : 0;
}

// Series first, then the layers, one order after the other, then what is brief. Notes where the
// registers of each window begin.
static void lay_out(LiaJets* jets, size_t stride) {
    const LiaTape* tape = jets->tape;
    size_t all = (tape->register_count - jets->layer_count - jets->brief_count) * stride;
    size_t next[3] = {0, all, all + ((size_t)jets->top + 1) * jets->layer_count};
    const size_t width[3] = {stride, 1, 1};
    uint32_t window = 0;
    for (uint32_t r = 0; r < tape->register_count; r++) {
        while (window < tape->window_count && tape->windows[window].reg == r) {
            LiaBoundWindow* w = &jets->windows[window++];
            w->series = next[0], w->layer = next[1], w->brief = next[2];
        }
        int way = way_of(tape, r);
        jets->offset[r] = (uint32_t)next[way] | (uint32_t)way << LIA_OFFSET_BITS;
        if (way == 0) jets->s[next[way]] = tape->constants[r];
        next[way] += width[way];
    }
}

static uint32_t bare_offset(const LiaJets* jets, uint32_t reg) {
    return jets->offset[reg] & LIA_OFFSET_MASK;
}

static void bind(LiaJets* jets) {
    const LiaSections* all = jets->sections;
    uint32_t first_change = all->slope_v.first;
    for (int i = 0; i < LIA_SECTIONS; i++) {
        const LiaSection* section = lia_tape_section(all, i);
        bool changes = section == &all->slope_v || section == &all->slope_q ||
                       section == &all->correct_v || section == &all->correct_q;
        for (uint32_t k = 0; k < section->count; k++) {
            const LiaInstr* in = &section->instrs[k];
            uint32_t at = section->first + k;
            uint32_t y = in->code == LIA_CODE_SINCOS ? in->aux : in->y;
            LiaBound bound = {bare_offset(jets, in->out), bare_offset(jets, in->x),
                              bare_offset(jets, y)};
            jets->bound[at] = bound;
            if (changes)
                jets->changes[at - first_change] = (LiaBoundChange){bound, in->out, in->x, in->y};
        }
        const LiaBound* first = jets->bound + section->first;
        for (uint32_t k = 0; k < section->block_count; k++) {
            const LiaBlock* b = &section->blocks[k];
            jets->blocks[section->first_block + k] =
                (LiaBoundBlock){.begin = first + b->begin,
                                .end = first + b->end,
                                .instrs = section->instrs + b->begin,
                                .code = b->code,
                                .offset = b->offset,
                                .out = b->out,
                                .x = b->x,
                                .y = b->y};
        }
    }
}

// --- windows that are equal ---------------------------------------------------------------------

// The offset from which those of a room count, in a window.
static size_t origin(const LiaBoundWindow* w, uint8_t room) {
    const size_t origins[LIA_ROOMS] = {w->series, w->layer, w->brief, 0, 0};
    return origins[room];
}

// The number from which registers of this room count.
static uint32_t first_register(const LiaBoundWindow* w, uint8_t room) {
    return room == LIA_ROOM_POOL || room == LIA_ROOM_FIXED ? 0 : (uint32_t)w->reg;
}

static bool changes_can_count_from(const LiaBoundWindow* w, const LiaBoundCorrections* c) {
    for (const LiaBlock* b = c->begin; b < c->end; b++) {
        if (!lia_jet_is_plain(b->code)) return false;
        for (const LiaBoundChange* in = c->first + b->begin, *end = c->first + b->end; in < end;
             in++) {
            if (in->at.out < origin(w, b->out) || in->at.x < origin(w, b->x) ||
                in->at.y < origin(w, b->y) || in->out < first_register(w, b->out) ||
                in->x < first_register(w, b->x) || in->y < first_register(w, b->y))
                return false;
        }
    }
    return true;
}

static void changes_count_from(const LiaJets* jets, const LiaBoundWindow* w,
                               const LiaBoundCorrections* c) {
    LiaBoundChange* first = jets->changes + (c->first - jets->changes);
    for (const LiaBlock* b = c->begin; b < c->end; b++) {
        for (LiaBoundChange* in = first + b->begin, *end = first + b->end; in < end; in++) {
            in->at.out -= (uint32_t)origin(w, b->out);
            in->at.x -= (uint32_t)origin(w, b->x);
            in->at.y -= (uint32_t)origin(w, b->y);
            in->out -= first_register(w, b->out);
            in->x -= first_register(w, b->x);
            in->y -= first_register(w, b->y);
        }
    }
}

static bool equal_changes(const LiaBoundCorrections* c, const LiaBoundCorrections* d) {
    if (c->end - c->begin != d->end - d->begin) return false;
    for (const LiaBlock *a = c->begin, *b = d->begin; a < c->end; a++, b++) {
        size_t count = a->end - a->begin;
        if (a->code != b->code || a->offset != b->offset || a->out != b->out || a->x != b->x ||
            a->y != b->y || b->end - b->begin != count)
            return false;
        const LiaBoundChange* first = c->first + a->begin;
        if (memcmp(first, d->first + b->begin, count * sizeof *first) != 0) return false;
    }
    return true;
}

static bool can_count_from(const LiaBoundWindow* w) {
    for (const LiaBoundBlock* b = w->begin; b < w->end; b++) {
        size_t out = origin(w, b->out), x = origin(w, b->x), y = origin(w, b->y);
        if (!lia_jet_is_plain(b->code)) return false;
        for (const LiaBound* in = b->begin; in < b->end; in++) {
            if (in->out < out || in->x < x || in->y < y) return false;
        }
    }
    return changes_can_count_from(w, &w->of_v) && changes_can_count_from(w, &w->of_q);
}

static void count_from(const LiaJets* jets, const LiaBoundWindow* w) {
    for (const LiaBoundBlock* b = w->begin; b < w->end; b++) {
        uint32_t out = (uint32_t)origin(w, b->out), x = (uint32_t)origin(w, b->x),
                 y = (uint32_t)origin(w, b->y);
        LiaBound* in = jets->bound + (b->begin - jets->bound);
        for (; in < b->end; in++) {
            in->out -= out;
            in->x -= x;
            in->y -= y;
        }
    }
    changes_count_from(jets, w, &w->of_v);
    changes_count_from(jets, w, &w->of_q);
}

static bool equal_windows(const LiaBoundWindow* v, const LiaBoundWindow* w) {
    if (v->end - v->begin != w->end - w->begin) return false;
    for (const LiaBoundBlock *a = v->begin, *b = w->begin; a < v->end; a++, b++) {
        size_t count = (size_t)(a->end - a->begin);
        if (a->code != b->code || a->offset != b->offset || a->out != b->out || a->x != b->x ||
            a->y != b->y || (size_t)(b->end - b->begin) != count)
            return false;
        if (memcmp(a->begin, b->begin, count * sizeof *a->begin) != 0) return false;
    }
    return equal_changes(&v->of_v, &w->of_v) && equal_changes(&v->of_q, &w->of_q);
}

static LiaBoundCorrections corrections(const LiaJets* jets, const LiaSection* section,
                                       uint32_t begin, uint32_t end) {
    return (LiaBoundCorrections){.begin = section->blocks + begin,
                                 .end = section->blocks + end,
                                 .first = jets->changes +
                                          (section->first - jets->tape->sections.slope_v.first),
                                 .instrs = section->instrs};
}

// Places count from the window before, which the first bodies of a window look back at; where they
// do not, or in windows with other codes, from the very beginning.
static void bind_windows(LiaJets* jets) {
    const LiaTape* tape = jets->tape;
    const LiaBoundBlock* blocks = jets->blocks + tape->sections.main.first_block;
    LiaBoundWindow before = {0};
    for (uint32_t i = 0; i < tape->window_count; i++) {
        LiaBoundWindow *w = &jets->windows[i], here = *w;
        const LiaWindow *from = &tape->windows[i], *to = from + 1;
        w->begin = blocks + from->block;
        w->end = blocks + to->block;
        w->of_v = corrections(jets, &tape->sections.correct_v, from->correct_v, to->correct_v);
        w->of_q = corrections(jets, &tape->sections.correct_q, from->correct_q, to->correct_q);
        w->series = before.series;
        w->layer = before.layer;
        w->brief = before.brief;
        w->reg = before.reg;
        before = here;
        before.reg = from->reg;
        if (can_count_from(w)) {
            count_from(jets, w);
            if (i > 0 && w[-1].series && equal_windows(w - 1, w)) {
                w->begin = w[-1].begin;
                w->end = w[-1].end;
                w->of_v = w[-1].of_v;
                w->of_q = w[-1].of_q;
            }
        } else {
            w->series = w->layer = w->brief = w->reg = 0;
        }
    }
}

// Products with parameters that are 1 are left out, in a tape that is not large: there they cost
// next to nothing.
static bool settle(LiaJets* jets) {
    const LiaTape* tape = jets->tape;
    if (tape->room) return true;
    jets->same = lia_memory_take(((size_t)tape->register_count + 1) * sizeof *jets->same);
    bool ok = jets->same && lia_settle_sections(tape, jets->same, &jets->own);
    if (jets->own) {
        jets->sections = jets->own;
    } else {
        free(jets->same);
        jets->same = NULL;
    }
    return ok;
}

bool lia_bind_jets(LiaJets* jets, const LiaTape* tape, int order, bool settled) {
    *jets = (LiaJets){.tape = tape, .order = order, .top = order + 2, .sections = &tape->sections};
    size_t registers = tape->register_count;
    if (settled && !settle(jets)) return false;
    const LiaSections* all = jets->sections;
    size_t instrs = all->aside.first + all->aside.count;  // the last section
    size_t blocks = all->aside.first_block + all->aside.block_count;
    // An odd number of fours: the coefficients of one order shall not all fall into the same few
    // lines of the cache.
    size_t stride = (((size_t)jets->top + 1 + LIA_CONVOLVE_BEFORE + 3) / 4 | 1) * 4;
    for (uint32_t r = 0; r < registers; r++) {
        int way = way_of(tape, r);
        jets->layer_count += way == 1;
        jets->brief_count += way == 2;
    }
    size_t numbers = (registers - jets->layer_count - jets->brief_count) * stride +
                     ((size_t)jets->top + 1) * jets->layer_count +
                     (1 + LIA_BRIEF_ORDERS) * jets->brief_count;
    size_t doubles = 4 * LIA_CONVOLVE_BEFORE + numbers + LIA_CONVOLVE_BEYOND +
                     registers * (2 + 2 * LIA_JET_LANES);
    size_t changes = all->reaction.first - all->slope_v.first;
    size_t bound = instrs * sizeof(LiaBound) + changes * sizeof(LiaBoundChange) +
                   blocks * sizeof(LiaBoundBlock) + tape->window_count * sizeof(LiaBoundWindow);
    if (numbers > LIA_OFFSET_MASK) return false;
    jets->block = lia_hugepage_zeros(doubles * sizeof(double) + bound + registers * 5 +
                                     tape->guard_count + 1);
    if (!jets->block) return false;
    jets->s = (double*)jets->block + 4 * LIA_CONVOLVE_BEFORE;
    jets->change_v = jets->s + numbers + LIA_CONVOLVE_BEYOND;
    jets->change_q = jets->change_v + registers;
    jets->lanes = jets->lanes_v = jets->change_q + registers;
    jets->lanes_q = jets->lanes_v + registers * LIA_JET_LANES;
    jets->blocks = (LiaBoundBlock*)(jets->lanes_q + registers * LIA_JET_LANES);
    jets->windows = (LiaBoundWindow*)(jets->blocks + blocks);
    jets->offset = (uint32_t*)(jets->windows + tape->window_count);
    jets->bound = (LiaBound*)(jets->offset + registers);
    jets->changes = (LiaBoundChange*)(jets->bound + instrs);
    jets->side = (signed char*)(jets->changes + changes);
    jets->live = (unsigned char*)(jets->side + tape->guard_count);
    lay_out(jets, stride);
    for (uint32_t r = 0; jets->same && r < registers; r++)
        jets->offset[r] = jets->offset[jets->same[r]];
    bind(jets);
    bind_windows(jets);
    jets->decide = true;
    return true;
}

void lia_bind_clear_jets(LiaJets* jets) {
    free(jets->block);
    free(jets->same);
    lia_settle_destroy(jets->own);
    *jets = (LiaJets){0};
}

// Lanes are read at once after each probe, and what is live is scratch.
void lia_bind_keep_jets(LiaJets* jets, LiaKeep* keep) {
    double* begin = jets->block;
    size_t doubles = (size_t)(jets->lanes_v - begin);
    lia_keep_same(keep, doubles);
    lia_keep_doubles(keep, begin, doubles);
    lia_keep_signs(keep, jets->side, jets->tape->guard_count);
    lia_keep_bool(keep, &jets->decide);
    lia_keep_bool(keep, &jets->correct_all);
    lia_keep_int(keep, &jets->driven, -1, 4 * LIA_JET_ORDER_MOST);
}
