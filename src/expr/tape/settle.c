// Sections of a tape for parameters that stay as they are. See settle.h.
// SPDX-License-Identifier: MIT
#include "expr/tape/settle.h"
#include "base/memory/memory.h"
#include "expr/tape/schedule.h"
#include <stdlib.h>
#include <string.h>

static bool is_product_with_one(const LiaTape* tape, const LiaInstr* in) {
    return in->code == LIA_CODE_SCALE && tape->constants[in->x] == 1.0;
}

// Registers that another instruction writes, too, keep their series.
static void note_writers(const LiaTape* tape, bool* written) {
    for (int i = 0; i < LIA_SECTIONS; i++) {
        const LiaSection* section = lia_tape_section(&tape->sections, i);
        for (uint32_t k = 0; k < section->count; k++) {
            const LiaInstr* in = &section->instrs[k];
            if (!is_product_with_one(tape, in)) written[in->out] = written[in->aux] = true;
        }
    }
}

// One pass through all instructions. False: nothing new was found.
static bool find_same(const LiaTape* tape, const bool* written, uint32_t* same) {
    bool found = false;
    for (int i = 0; i < LIA_SECTIONS; i++) {
        const LiaSection* section = lia_tape_section(&tape->sections, i);
        for (uint32_t k = 0; k < section->count; k++) {
            const LiaInstr* in = &section->instrs[k];
            if (!is_product_with_one(tape, in) || written[in->out]) continue;
            if (same[in->out] == same[in->y]) continue;
            same[in->out] = same[in->y];
            found = true;
        }
    }
    return found;
}

// The instructions that are left, in an order of their own.
static bool settle(const LiaTape* tape, const uint32_t* same, const LiaSection* of,
                   LiaSection* out) {
    *out = (LiaSection){.capacity = of->count};
    out->instrs = lia_memory_take(((size_t)of->count + 1) * sizeof *out->instrs);
    if (!out->instrs) return false;
    for (uint32_t k = 0; k < of->count; k++) {
        LiaInstr in = of->instrs[k];
        if (in.code == LIA_CODE_SCALE && same[in.out] == same[in.y]) continue;
        in.x = same[in.x], in.y = same[in.y], in.z = same[in.z];
        out->instrs[out->count++] = in;
    }
    return lia_schedule_section(out, tape, NULL);
}

static bool stays(const LiaTape* tape, const LiaSection* section) {
    return section == &tape->sections.law || section == &tape->sections.drive ||
           section == &tape->sections.post;
}

static bool copy(const LiaSection* of, LiaSection* out) {
    *out = (LiaSection){.count = of->count, .capacity = of->count, .block_count = of->block_count};
    out->instrs = lia_memory_take(((size_t)of->count + 1) * sizeof *out->instrs);
    out->blocks = lia_memory_take(((size_t)of->block_count + 1) * sizeof *out->blocks);
    if (!out->instrs || !out->blocks) return false;
    if (of->count) memcpy(out->instrs, of->instrs, of->count * sizeof *out->instrs);
    if (of->block_count) memcpy(out->blocks, of->blocks, of->block_count * sizeof *out->blocks);
    return true;
}

static bool settle_all(const LiaTape* tape, const uint32_t* same, LiaSections* out) {
    uint32_t first = 0, first_block = 0;
    for (int i = 0; i < LIA_SECTIONS; i++) {
        const LiaSection* of = lia_tape_section(&tape->sections, i);
        LiaSection* section = (LiaSection*)lia_tape_section(out, i);
        if (!(stays(tape, of) ? copy(of, section) : settle(tape, same, of, section))) return false;
        section->first = first, section->first_block = first_block;
        first += section->count, first_block += section->block_count;
    }
    return true;
}

bool lia_settle_sections(const LiaTape* tape, uint32_t* same, LiaSections** out) {
    *out = NULL;
    for (uint32_t r = 0; r < tape->register_count; r++) same[r] = r;
    bool* written = lia_memory_zeros((size_t)tape->register_count + 1, sizeof *written);
    if (!written) return false;
    note_writers(tape, written);
    bool any = false;
    while (find_same(tape, written, same)) any = true;
    free(written);
    if (!any) return true;
    *out = lia_memory_zeros(1, sizeof **out);
    if (*out && settle_all(tape, same, *out)) return true;
    lia_settle_destroy(*out);
    *out = NULL;
    return false;
}

void lia_settle_destroy(LiaSections* sections) {
    for (int i = 0; sections && i < LIA_SECTIONS; i++) {
        const LiaSection* section = lia_tape_section(sections, i);
        free(section->instrs);
        free(section->blocks);
    }
    free(sections);
}
