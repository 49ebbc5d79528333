// Registers of a large tape. See allocate.h.
// SPDX-License-Identifier: MIT
#include "allocate.h"
#include <stdlib.h>
#include <string.h>

enum { CLASSES = LIA_CLASS_A + 1, OFFSETS = 3, POOLS = CLASSES * OFFSETS };

typedef struct Allocation {
    LiaTape* tape;
    const LiaWindows* windows;
    uint8_t* kept;            // per register: has a series of its own
    const LiaInstr** writer;  // per register: in main
    uint32_t* to;             // per register: its new number, 0: not yet
    uint32_t count;           // new registers
} Allocation;

static void keep(Allocation* a, uint32_t reg) { a->kept[reg] = 1; }

static void keep_arguments(Allocation* a, const LiaInstr* in) {
    keep(a, in->x);
    keep(a, in->y);
    keep(a, in->z);
}

// The slopes and corrections of main work on the same values as main itself, in the same windows.
static bool is_main(const LiaTape* tape, const LiaSection* s) {
    return s == &tape->main || s == &tape->slope_v || s == &tape->slope_q ||
           s == &tape->correct_v || s == &tape->correct_q;
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

// Symbols, constants, and what is read from outside.
static void keep_outside(Allocation* a) {
    const LiaTape* tape = a->tape;
    for (uint32_t r = 0; r < tape->register_count; r++) a->kept[r] = !a->writer[r];
    for (uint32_t i = 0; i < tape->wanted_count; i++) keep(a, tape->wanted[i]);
    for (uint32_t i = 0; i < tape->drive_count; i++) keep(a, tape->drive_register[i]);
    for (uint32_t i = 0; i < tape->guard_count; i++) keep(a, tape->guards[i].reg);
    for (int k = 0; k < LIA_SECTIONS; k++) {
        const LiaSection* s = lia_tape_section(tape, k);
        if (is_main(tape, s)) continue;
        for (uint32_t i = 0; i < s->count; i++) {
            keep(a, s->instrs[i].out);
            keep(a, s->instrs[i].aux);
            keep_arguments(a, &s->instrs[i]);
        }
    }
}

static void keep_histories(Allocation* a) {
    const LiaSection* main = &a->tape->main;
    for (uint32_t i = 0; i < main->count; i++) {
        const LiaInstr* in = &main->instrs[i];
        if (!writes_top(in)) keep(a, in->out);
        keep(a, in->aux);
        const uint32_t arguments[3] = {in->x, in->y, in->z};
        for (int arg = 0; arg < 3; arg++) {
            const LiaInstr* from = a->writer[arguments[arg]];
            if (!from) continue;
            if (!reads_top(in, arg) || from->offset != in->offset ||
                window_of(a, from) != window_of(a, in)) {
                keep(a, arguments[arg]);
            }
        }
    }
}

// Registers of their own in the order in which main writes them; the others, by class and offset, from the first one
// of a pool in every window. A pool has one class and one offset, so that its changes are of one kind.
static bool number(Allocation* a) {
    const LiaSection* main = &a->tape->main;
    uint32_t pool_most[POOLS] = {0}, next[POOLS] = {0}, base[POOLS], window = UINT32_MAX;
    uint32_t* slot = calloc(a->tape->register_count, sizeof *slot);
    if (!slot) return false;
    a->count = 1;
    for (uint32_t r = 1; r < a->tape->register_count; r++) {
        if (!a->writer[r]) a->to[r] = a->count++;
    }
    for (uint32_t i = 0; i < main->count; i++) {
        const LiaInstr* in = &main->instrs[i];
        int pool = in->class * OFFSETS + in->offset;
        if (window_of(a, in) != window) {
            window = window_of(a, in);
            memset(next, 0, sizeof next);
        }
        if (a->kept[in->out]) {
            if (!a->to[in->out]) a->to[in->out] = a->count++;
        } else {
            slot[in->out] = next[pool]++;
            if (next[pool] > pool_most[pool]) pool_most[pool] = next[pool];
        }
        if (in->aux && !a->to[in->aux]) a->to[in->aux] = a->count++;
    }
    for (int p = 0; p < POOLS; p++) {
        base[p] = a->count;
        a->count += pool_most[p];
    }
    for (uint32_t i = 0; i < main->count; i++) {
        const LiaInstr* in = &main->instrs[i];
        if (!a->kept[in->out])
            a->to[in->out] = base[in->class * OFFSETS + in->offset] + slot[in->out];
    }
    free(slot);
    return true;
}

static void rename_list(const Allocation* a, uint32_t* list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) list[i] = a->to[list[i]];
}

static bool rename_all(const Allocation* a) {
    LiaTape* tape = a->tape;
    double* constants = calloc((size_t)a->count + 1, sizeof *constants);
    if (!constants) return false;
    for (uint32_t r = 1; r < tape->register_count; r++) {
        if (!a->writer[r]) constants[a->to[r]] = tape->constants[r];
    }
    free(tape->constants);
    tape->constants = constants;
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
        const LiaSection* s = lia_tape_section(tape, k);
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

bool lia_allocate_registers(LiaTape* tape, const LiaWindows* windows) {
    // Which guards matter is found by going back through the registers: there each has its own.
    if (tape->guard_count) return true;
    size_t registers = tape->register_count;
    Allocation a = {.tape = tape, .windows = windows};
    a.kept = calloc(registers + 1, sizeof *a.kept);
    a.writer = calloc(registers + 1, sizeof *a.writer);
    a.to = calloc(registers + 1, sizeof *a.to);
    bool ok = a.kept && a.writer && a.to;
    if (ok) {
        for (uint32_t i = 0; i < tape->main.count; i++) {
            const LiaInstr* in = &tape->main.instrs[i];
            a.writer[in->out] = in;
            if (in->aux) a.writer[in->aux] = in;
        }
        a.writer[0] = NULL;
        keep_outside(&a);
        keep_histories(&a);
        ok = number(&a) && rename_all(&a);
    }
    free(a.kept);
    free((void*)a.writer);
    free(a.to);
    return ok;
}
