// Registers of a large tape. See allocate.h.
// SPDX-License-Identifier: MIT
#include "expr/tape/allocate.h"
#include "base/memory/memory.h"
#include <stdlib.h>
#include <string.h>

enum { CLASSES = LIA_CLASS_A + 1, OFFSETS = 3, POOLS = CLASSES * OFFSETS };

// What a register needs, from much to little.
enum {
    SERIES = LIA_ROOM_SERIES,
    LAYERED = LIA_ROOM_LAYER,
    BRIEF = LIA_ROOM_BRIEF,
    POOLED = LIA_ROOM_POOL,
};

typedef struct Allocation {
    LiaTape* tape;
    const LiaWindows* windows;
    bool once;                // no stage is run again after a later one
    const LiaInstr** writer;  // per register: in main
    uint32_t* to;             // per register: its new number, 0: not yet
    uint32_t count;           // new registers
} Allocation;

static void keep(const Allocation* a, uint32_t reg, uint8_t need) {
    // What stages find that are run again must be what they found the first time.
    if ((need == LAYERED || need == BRIEF) && !a->once) need = SERIES;
    if (a->tape->room[reg] > need) a->tape->room[reg] = need;
}

// The slopes and corrections of main work on the same values as main itself, in the same windows.
static bool is_main(const LiaTape* tape, const LiaSection* s) {
    return s == &tape->sections.main || s == &tape->sections.slope_v ||
           s == &tape->sections.slope_q || s == &tape->sections.correct_v ||
           s == &tape->sections.correct_q;
}

// Does this instruction read nothing but the coefficient of its own order of argument `arg`?
static bool reads_top(const LiaInstr* in, int arg) {
    switch ((LiaCode)in->code) {
    case LIA_CODE_ADD:
    case LIA_CODE_SUB:
    case LIA_CODE_NEG:
        return true;
    case LIA_CODE_SCALE:
        return arg == 1;
    case LIA_CODE_DIVIDE:
        return arg == 0;
    default:
        return false;
    }
}

static bool writes_top(const LiaInstr* in) {
    switch ((LiaCode)in->code) {
    case LIA_CODE_ADD:
    case LIA_CODE_SUB:
    case LIA_CODE_NEG:
    case LIA_CODE_MUL:
    case LIA_CODE_SCALE:
    case LIA_CODE_SQUARE:
    case LIA_CODE_DIVIDE:
        return true;
    default:
        return false;
    }
}

static uint32_t window_of(const Allocation* a, const LiaInstr* in) {
    return a->windows->window[a->windows->near[in->out]];
}

// What another section reads and writes. Sample runs at order 0 alone, aside order by order, as
// main does, but afterwards; the others from one end of a series to the other.
static void keep_section(const Allocation* a, const LiaSection* s) {
    bool values = s == &a->tape->sections.sample,
         by_order = values || s == &a->tape->sections.aside;
    uint8_t little = values ? BRIEF : LAYERED;
    for (uint32_t i = 0; i < s->count; i++) {
        const LiaInstr* in = &s->instrs[i];
        const uint32_t arguments[3] = {in->x, in->y, in->z};
        bool plain = by_order && writes_top(in);
        keep(a, in->out, plain ? little : SERIES);
        keep(a, in->aux, SERIES);
        for (int arg = 0; arg < 3; arg++) {
            keep(a, arguments[arg], plain && (values || reads_top(in, arg)) ? little : SERIES);
        }
    }
}

// What a register needs before its readers are looked at; constants and other symbols have series.
static void begin_with(const Allocation* a, uint32_t reg, uint8_t need) {
    a->tape->room[reg] = POOLED;
    keep(a, reg, need);
}

// Symbols, constants, and what is read from outside. Positions and velocities are copied,
// accelerations that stand in no formula only handed on.
static void keep_outside(const Allocation* a, const uint8_t* outside) {
    const LiaTape* tape = a->tape;
    for (uint32_t i = 0; i < tape->coordinate_count; i++) {
        begin_with(a, tape->position[i], LAYERED);
        begin_with(a, tape->velocity[i], LAYERED);
        begin_with(a, tape->acceleration[i], BRIEF);
    }
    for (int k = 0; k < LIA_SECTIONS; k++) {
        const LiaSection* s = lia_tape_section(&tape->sections, k);
        for (uint32_t i = 0; i < s->count; i++) begin_with(a, s->instrs[i].out, POOLED);
    }
    for (uint32_t i = 0; i < tape->drive_count; i++) {
        uint32_t k = tape->drives[i].coordinate;
        keep(a, tape->drive_register[i], SERIES);
        keep(a, tape->position[k], SERIES);
        keep(a, tape->velocity[k], SERIES);
        keep(a, tape->acceleration[k], SERIES);
    }
    for (int k = 0; k < LIA_SECTIONS; k++) {
        const LiaSection* s = lia_tape_section(&tape->sections, k);
        if (!is_main(tape, s)) keep_section(a, s);
    }
    for (uint32_t r = 0; r < tape->register_count; r++) {
        keep(a, r, outside[r]);
    }
    keep(a, 0, SERIES);
}

static void keep_histories(const Allocation* a) {
    const LiaSection* main = &a->tape->sections.main;
    for (uint32_t i = 0; i < main->count; i++) {
        const LiaInstr* in = &main->instrs[i];
        if (!writes_top(in)) keep(a, in->out, SERIES);
        keep(a, in->aux, SERIES);
        const uint32_t arguments[3] = {in->x, in->y, in->z};
        for (int arg = 0; arg < 3; arg++) {
            const LiaInstr* from = a->writer[arguments[arg]];
            if (!reads_top(in, arg)) {
                keep(a, arguments[arg], SERIES);
            } else if (from &&
                       (from->offset != in->offset || window_of(a, from) != window_of(a, in))) {
                keep(a, arguments[arg], BRIEF);
            }
        }
    }
}

// Series that no window has for itself: all but those of main and of the symbols of unknowns.
static bool fix_others(const Allocation* a) {
    const LiaTape* tape = a->tape;
    uint8_t* own = lia_memory_zeros((size_t)tape->register_count + 1, 1);
    if (!own) return false;
    for (uint32_t i = 0; i < tape->coordinate_count; i++) {
        own[tape->position[i]] = own[tape->velocity[i]] = own[tape->acceleration[i]] = 1;
    }
    for (uint32_t i = 0; i < tape->drive_count; i++) {
        uint32_t k = tape->drives[i].coordinate;
        own[tape->position[k]] = own[tape->velocity[k]] = own[tape->acceleration[k]] = 0;
    }
    for (uint32_t j = 0; j < tape->multiplier_count; j++) own[tape->multiplier[j]] = 1;
    own[0] = 0;
    for (uint32_t r = 0; r < tape->register_count; r++) {
        if (!own[r] && !a->writer[r] && tape->room[r] == SERIES) tape->room[r] = LIA_ROOM_FIXED;
    }
    free(own);
    return true;
}

static void number_one(Allocation* a, uint32_t reg) {
    if (reg && !a->to[reg] && a->tape->room[reg] != POOLED) a->to[reg] = a->count++;
}

// Window by window: registers of their own in the order in which main meets them. Equal windows so
// have equal registers at equal distances (jet.c).
static bool number_windows(Allocation* a) {
    LiaTape* tape = a->tape;
    const LiaSection* main = &tape->sections.main;
    tape->windows = lia_memory_zeros((size_t)a->windows->count + 1, sizeof *tape->windows);
    if (!tape->windows) return false;
    uint32_t window = UINT32_MAX;
    for (uint32_t b = 0; b < main->block_count; b++) {
        const LiaBlock* block = &main->blocks[b];
        if (window_of(a, &main->instrs[block->begin]) != window) {
            window = window_of(a, &main->instrs[block->begin]);
            tape->windows[tape->window_count++] = (LiaWindow){.block = b, .reg = a->count};
        }
        for (uint32_t i = block->begin; i < block->end; i++) {
            const LiaInstr* in = &main->instrs[i];
            const uint32_t met[5] = {in->x, in->y, in->z, in->out, in->aux};
            for (int k = 0; k < 5; k++) number_one(a, met[k]);
        }
    }
    tape->windows[tape->window_count] = (LiaWindow){.block = main->block_count, .reg = a->count};
    return true;
}

// Which blocks of the corrections belong to a window.
static void fill_windows(const Allocation* a) {
    const LiaTape* tape = a->tape;
    const LiaSection *main = &tape->sections.main, *v = &tape->sections.correct_v,
                     *q = &tape->sections.correct_q;
    uint32_t at_v = 0, at_q = 0;
    for (uint32_t i = 0; i < tape->window_count; i++) {
        LiaWindow* w = &tape->windows[i];
        uint32_t mine = window_of(a, &main->instrs[main->blocks[w->block].begin]);
        w->correct_v = at_v;
        w->correct_q = at_q;
        while (at_v < v->block_count && window_of(a, &v->instrs[v->blocks[at_v].begin]) <= mine)
            at_v++;
        while (at_q < q->block_count && window_of(a, &q->instrs[q->blocks[at_q].begin]) <= mine)
            at_q++;
    }
    tape->windows[tape->window_count].correct_v = at_v;
    tape->windows[tape->window_count].correct_q = at_q;
}

// Pooled registers, by class and offset, from the first one of a pool in every window. A pool has
// one class and one offset, so that its changes are of one kind.
static bool number_pools(Allocation* a) {
    const LiaSection* main = &a->tape->sections.main;
    uint32_t pool_most[POOLS] = {0}, next[POOLS] = {0}, base[POOLS], window = UINT32_MAX;
    uint32_t* slot = lia_memory_zeros(a->tape->register_count, sizeof *slot);
    if (!slot) return false;
    for (uint32_t i = 0; i < main->count; i++) {
        const LiaInstr* in = &main->instrs[i];
        int pool = in->class * OFFSETS + in->offset;
        if (window_of(a, in) != window) {
            window = window_of(a, in);
            memset(next, 0, sizeof next);
        }
        if (a->tape->room[in->out] != POOLED) continue;
        slot[in->out] = next[pool]++;
        if (next[pool] > pool_most[pool]) pool_most[pool] = next[pool];
    }
    for (int p = 0; p < POOLS; p++) {
        base[p] = a->count;
        a->count += pool_most[p];
    }
    for (uint32_t i = 0; i < main->count; i++) {
        const LiaInstr* in = &main->instrs[i];
        if (a->tape->room[in->out] == POOLED)
            a->to[in->out] = base[in->class * OFFSETS + in->offset] + slot[in->out];
    }
    free(slot);
    return true;
}

static bool number(Allocation* a) {
    const LiaTape* tape = a->tape;
    a->count = 1;
    for (uint32_t r = 1; r < tape->register_count; r++) {
        if (tape->room[r] == LIA_ROOM_FIXED) number_one(a, r);
    }
    if (!number_windows(a)) return false;
    fill_windows(a);
    for (uint32_t r = 1; r < tape->register_count; r++) number_one(a, r);
    return number_pools(a);
}

static void rename_list(const Allocation* a, uint32_t* list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) list[i] = a->to[list[i]];
}

static bool rename_all(const Allocation* a) {
    LiaTape* tape = a->tape;
    double* constants = lia_memory_zeros((size_t)a->count + 1, sizeof *constants);
    uint8_t* room = lia_memory_zeros((size_t)a->count + 1, 1);
    if (!constants || !room) {
        free(constants);
        free(room);
        return false;
    }
    for (uint32_t r = 1; r < tape->register_count; r++) {
        if (!a->writer[r]) constants[a->to[r]] = tape->constants[r];
        room[a->to[r]] = tape->room[r];
    }
    room[0] = LIA_ROOM_FIXED;
    free(tape->constants);
    free(tape->room);
    tape->constants = constants;
    tape->room = room;
    tape->register_count = a->count;
    rename_list(a, tape->register_of, tape->node_count);
    rename_list(a, &tape->time, 1);
    rename_list(a, tape->position, tape->coordinate_count);
    rename_list(a, tape->velocity, tape->coordinate_count);
    rename_list(a, tape->acceleration, tape->coordinate_count);
    rename_list(a, tape->multiplier, tape->multiplier_count);
    rename_list(a, tape->work, tape->work_count);
    rename_list(a, tape->drive_register, tape->drive_count);
    rename_list(a, tape->wanted, tape->wanted_count);
    for (uint32_t i = 0; i < tape->guard_count; i++) {
        tape->guards[i].reg = a->to[tape->guards[i].reg];
    }
    for (int k = 0; k < LIA_SECTIONS; k++) {
        const LiaSection* s = lia_tape_section(&tape->sections, k);
        for (uint32_t i = 0; i < s->count; i++) {
            LiaInstr* in = &s->instrs[i];
            rename_list(a, &in->out, 1);
            rename_list(a, &in->aux, 1);
            rename_list(a, &in->x, 1);
            rename_list(a, &in->y, 1);
            rename_list(a, &in->z, 1);
        }
    }
    return true;
}

static bool begin(Allocation* a, LiaTape* tape, const LiaWindows* windows) {
    *a = (Allocation){.tape = tape, .windows = windows};
    a->writer = lia_memory_zeros((size_t)tape->register_count + 1, sizeof *a->writer);
    a->to = lia_memory_zeros((size_t)tape->register_count + 1, sizeof *a->to);
    if (!a->writer || !a->to) return false;
    for (uint32_t i = 0; i < tape->sections.main.count; i++) {
        const LiaInstr* in = &tape->sections.main.instrs[i];
        a->writer[in->out] = in;
        if (in->aux) a->writer[in->aux] = in;
    }
    a->writer[0] = NULL;
    return true;
}

static void end(Allocation* a) {
    free((void*)a->writer);
    free(a->to);
}

bool lia_allocate_choose(LiaTape* tape, const LiaWindows* windows, const uint8_t* outside,
                         bool once) {
    // Which guards matter is found by going back through the registers: there each has its own.
    if (tape->guard_count) return true;
    Allocation a;
    tape->room = lia_memory_zeros((size_t)tape->register_count + 1, 1);
    bool ok = begin(&a, tape, windows) && tape->room;
    if (ok) {
        a.once = once;
        keep_outside(&a, outside);
        keep_histories(&a);
        ok = fix_others(&a);
    }
    end(&a);
    return ok;
}

bool lia_allocate_registers(LiaTape* tape, const LiaWindows* windows) {
    if (!tape->room) return true;
    Allocation a;
    bool ok = begin(&a, tape, windows) && number(&a) && rename_all(&a);
    end(&a);
    return ok;
}
