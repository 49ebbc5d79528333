// Parts of section post that may rest. See parts.h.
// SPDX-License-Identifier: MIT
#include "expr/tape/parts.h"
#include "base/memory/memory.h"
#include "base/numeric/rising.h"
#include <stdlib.h>

typedef struct Search {
    const LiaSection* post;
    uint32_t* writer;  // 1 + the instruction that writes a register; 0: none of post    (registers)
    uint32_t* met;  // by instruction: 1 + the last part that needs it; ALWAYS        (instructions)
    // scratch (instructions)
    uint32_t* list;
    bool* part;  // is a register one of a part?                                   (registers)
    void* block;
} Search;

static const uint32_t ALWAYS = UINT32_MAX;

static bool begin(Search* s, const LiaTape* tape) {
    size_t registers = (size_t)tape->register_count + 1,
           instrs = (size_t)tape->sections.post.count + 1;
    *s = (Search){.post = &tape->sections.post};
    s->block = lia_memory_zeros((registers + 2 * instrs) * sizeof(uint32_t) + registers, 1);
    if (!s->block) return false;
    s->writer = s->block;
    s->met = s->writer + registers;
    s->list = s->met + instrs;
    s->part = (bool*)(s->list + instrs);
    for (uint32_t i = 0; i < s->post->count; i++) {
        s->writer[s->post->instrs[i].out] = i + 1;
        if (s->post->instrs[i].aux) s->writer[s->post->instrs[i].aux] = i + 1;
    }
    return true;
}

static void meet(Search* s, uint32_t reg, uint32_t by, uint32_t* count) {
    uint32_t i = s->writer[reg];
    if (!i || s->met[i - 1] == by || s->met[i - 1] == ALWAYS) return;
    s->met[i - 1] = by;
    s->list[(*count)++] = i - 1;
}

// The instructions that a register needs and that are not always run.
static uint32_t find(Search* s, uint32_t reg, uint32_t by) {
    uint32_t count = 0;
    meet(s, reg, by, &count);
    for (uint32_t k = 0; k < count; k++) {
        const LiaInstr* in = &s->post->instrs[s->list[k]];
        meet(s, in->x, by, &count);
        meet(s, in->y, by, &count);
        meet(s, in->z, by, &count);
    }
    return count;
}

// What is wanted of the tape outside of the parts.
static void find_always(Search* s, const LiaTape* tape, const uint32_t* registers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) s->part[registers[i]] = true;
    for (uint32_t r = 0; r < tape->wanted_count; r++) {
        if (!s->part[tape->wanted[r]]) find(s, tape->wanted[r], ALWAYS);
    }
}

static size_t count_all(Search* s, const uint32_t* registers, uint32_t count) {
    size_t all = 0;
    for (uint32_t i = 0; i < count; i++) all += find(s, registers[i], i + 1);
    return all;
}

static void fill(Search* s, LiaParts* parts, const uint32_t* registers) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->post->count; i++) {
        if (s->met[i] == ALWAYS || s->met[i] == 0) parts->always[parts->always_count++] = i;
        if (s->met[i] != ALWAYS) s->met[i] = 0;
    }
    for (uint32_t i = 0; i < parts->count; i++) {
        uint32_t count = find(s, registers[i], i + 1);
        qsort(s->list, count, sizeof *s->list, lia_rising);
        parts->first[i] = at;
        for (uint32_t k = 0; k < count; k++) parts->instr[at++] = s->list[k];
    }
    parts->first[parts->count] = at;
}

static void add_user(LiaAwake* awake, uint32_t reg, uint32_t by) {
    awake->users[reg] += by;
    for (uint32_t g = awake->guard_of[reg]; g; g = awake->next_guard[g - 1])
        awake->guarded[g - 1] = awake->users[reg] > 0;
}

static void add_users(LiaAwake* awake, uint32_t part, uint32_t by) {
    const LiaParts* p = &awake->parts;
    for (uint32_t k = p->first[part]; k < p->first[part + 1]; k++) {
        const LiaInstr* in = &awake->post->instrs[p->instr[k]];
        add_user(awake, in->out, by);
        if (in->aux) add_user(awake, in->aux, by);
    }
}

// Registers that belong to no part count as written.
static void begin_users(LiaAwake* awake, const LiaTape* tape) {
    const LiaParts* p = &awake->parts;
    for (uint32_t r = 0; r < tape->register_count; r++) awake->users[r] = 1;
    for (uint32_t k = 0; k < p->first[p->count]; k++) {
        const LiaInstr* in = &awake->post->instrs[p->instr[k]];
        awake->users[in->out] = 0;
        if (in->aux) awake->users[in->aux] = 0;
    }
    for (uint32_t g = tape->guard_count; g > 0; g--) {
        uint32_t reg = tape->guards[g - 1].reg;
        awake->next_guard[g - 1] = awake->guard_of[reg];
        awake->guard_of[reg] = g;
        awake->guarded[g - 1] = awake->users[reg] > 0;
    }
}

bool lia_parts_make(LiaAwake* awake, const LiaTape* tape, const uint32_t* watched, uint32_t count) {
    Search s;
    LiaParts* parts = &awake->parts;
    *awake = (LiaAwake){.post = &tape->sections.post};
    if (!begin(&s, tape)) return false;
    find_always(&s, tape, watched, count);
    size_t all = count_all(&s, watched, count), instrs = tape->sections.post.count;
    size_t registers = tape->register_count, guards = tape->guard_count;
    size_t numbers = 3 * (size_t)count + 1 + all + instrs + 2 * registers + guards;
    awake->block = lia_memory_zeros((numbers + 1) * sizeof(uint32_t) + count + guards, 1);
    if (awake->block) {
        parts->count = count;
        parts->first = awake->block;
        parts->instr = parts->first + count + 1;
        parts->always = parts->instr + all;
        awake->part = parts->always + instrs;
        awake->number = awake->part + count;
        awake->users = awake->number + count;
        awake->guard_of = awake->users + registers;
        awake->next_guard = awake->guard_of + registers;
        awake->runs = (uint8_t*)(awake->next_guard + guards);
        awake->guarded = awake->runs + count;
        fill(&s, parts, watched);
        begin_users(awake, tape);
        for (uint32_t i = 0; i < count; i++) lia_parts_wake(awake, i);
    }
    free(s.block);
    return awake->block != NULL;
}

bool lia_parts_wake(LiaAwake* awake, uint32_t part) {
    if (awake->number[part]) return false;
    awake->part[awake->count++] = part;
    awake->number[part] = awake->count;
    awake->runs[part] = 1;
    add_users(awake, part, 1);
    return true;
}

bool lia_parts_rest(LiaAwake* awake, uint32_t part) {
    uint32_t number = awake->number[part];
    if (!number) return false;
    uint32_t last = awake->part[--awake->count];
    awake->part[number - 1] = last;
    awake->number[last] = number;
    awake->number[part] = 0;
    awake->runs[part] = 0;
    add_users(awake, part, UINT32_MAX);  // one less
    return true;
}

void lia_parts_clear(LiaAwake* awake) {
    free(awake->block);
    *awake = (LiaAwake){0};
}
