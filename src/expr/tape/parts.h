// Parts of section post that may rest: formulas that are watched, of which only some matter at a
// time. A part is what one formula needs and nothing else of the tape does. While it rests its
// instructions do not run. See parts.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/tape/tape.h"
#include <string.h>

typedef struct LiaParts {
    uint32_t count;    // of parts
    uint32_t* first;   // of each in `instr`                               (count + 1)
    uint32_t* instr;   // by their places in section post, rising in a part
    uint32_t* always;  // those that belong to no part, rising             (always_count)
    uint32_t always_count;
} LiaParts;

// Which of them run.
typedef struct LiaAwake {
    LiaParts parts;
    const LiaSection* post;
    uint32_t* part;    // those that do, in any order                           (count)
    uint32_t* number;  // of each part among them, from 1; 0: it rests          (parts.count)
    uint32_t count;
    uint8_t* runs;         // 1: the part does                                      (parts.count)
    uint32_t* users;       // by register: parts awake that write it; others have 1 (register_count)
    uint32_t* guard_of;    // by register: its first guard, from 1; 0: none     (register_count)
    uint32_t* next_guard;  // the next one of the same register                 (guard_count)
    uint8_t* guarded;      // 1: something writes the register of this guard    (guard_count)
    void* block;
} LiaAwake;

/// All parts of these registers, each awake. False if memory is out.
bool lia_parts_make(LiaAwake* awake, const LiaTape* tape, const uint32_t* watched, uint32_t count);
/// A part runs from now on, or rests. True if that is news.
bool lia_parts_wake(LiaAwake* awake, uint32_t part);
bool lia_parts_rest(LiaAwake* awake, uint32_t part);
/// Does nothing write this register?
static inline bool lia_parts_rests(const LiaAwake* awake, uint32_t reg) {
    return awake && awake->users[reg] == 0;
}
/// The first part from `part` on that runs, of `count`; `count`: none. Without parts all do.
static inline uint32_t lia_parts_next(const LiaAwake* awake, uint32_t part, uint32_t count) {
    if (!awake || part >= count) return part;
    const uint8_t* found = memchr(awake->runs + part, 1, count - part);
    return found ? (uint32_t)(found - awake->runs) : count;
}
/// The same of guards: those whose registers are written.
static inline uint32_t lia_parts_next_guard(const LiaAwake* awake, uint32_t guard, uint32_t count) {
    if (!awake || guard >= count) return guard;
    const uint8_t* found = memchr(awake->guarded + guard, 1, count - guard);
    return found ? (uint32_t)(found - awake->guarded) : count;
}
void lia_parts_clear(LiaAwake* awake);
