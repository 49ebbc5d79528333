// Order of the instructions of a tape. See schedule.h.
//
// List scheduling: of the instructions whose arguments are all computed, take one of the kind at
// hand as long as there is one, then turn to the next kind. Sums along a chain of bodies stay
// together too, for each makes the next one ready. Among equals the old order is kept, so the
// result is the same everywhere.
//
// In a large system that alone would run through all its memory once for every kind. There the
// instructions are first brought into the order of the coordinates they are used with, body after
// body, and cut into windows whose series stay in the cache; each window is scheduled by itself.
// Every block costs some time to begin, so windows are as large as the cache allows. The windows of
// main are those of its slopes too.
// SPDX-License-Identifier: MIT
#include "expr/tape/schedule.h"
#include "base/memory/memory.h"
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 8000, LARGE = 6000 };  // instructions: of a window; of a tape that is cut into them
enum { OFFSETS = 3, PLAIN_KINDS = (LIA_CODE_CALL + 1) * OFFSETS };
enum { KINDS = PLAIN_KINDS * LIA_ROOMS * LIA_ROOMS * LIA_ROOMS };

typedef struct Schedule {
    uint32_t count;
    const uint8_t* room;  // per register; NULL: all have series
    const LiaInstr* instrs;
    uint32_t* writer;   // per register: 1 + the instruction that writes it; 0: none so far
    uint32_t* read;     // per register: was it read so far?
    uint32_t* waiting;  // per instruction: arguments still to come
    uint32_t* users;    // per instruction: 1 + first of its edges; 0: none
    uint32_t* edge_to;  // instruction
    uint32_t* edge_next;
    uint32_t* queue;         // per instruction: 1 + the next ready one of its kind
    uint32_t *first, *last;  // per kind: 1 + the first and the last ready one
    uint32_t kinds;
    LiaInstr* sorted;
} Schedule;

static uint8_t room_of(const uint8_t* room, uint32_t reg) {
    return room ? room[reg] : LIA_ROOM_SERIES;
}

// Code and offset, and rooms where there are any.
static uint32_t kind_of(const LiaInstr* in, const uint8_t* room) {
    uint32_t kind = (uint32_t)in->code * OFFSETS + in->offset;
    if (!room) return kind;
    return ((kind * LIA_ROOMS + room[in->out]) * LIA_ROOMS + room[in->x]) * LIA_ROOMS + room[in->y];
}

// Who waits for whom. False: something is written twice, or read before it is written; then the
// order that is there has a meaning of its own.
static bool link_users(Schedule* s) {
    uint32_t edges = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const LiaInstr* in = &s->instrs[i];
        const uint32_t arguments[3] = {in->x, in->y, in->z};
        for (int a = 0; a < 3; a++) {
            uint32_t writer = s->writer[arguments[a]];
            s->read[arguments[a]] = 1;
            if (!writer) continue;
            s->edge_to[edges] = i;
            s->edge_next[edges] = s->users[writer - 1];
            s->users[writer - 1] = ++edges;
            s->waiting[i]++;
        }
        const uint32_t results[2] = {in->out, in->aux};
        for (int r = 0; r < 2; r++) {
            if (!results[r]) continue;
            if (s->writer[results[r]] || s->read[results[r]]) return false;
            s->writer[results[r]] = i + 1;
        }
    }
    return true;
}

static void make_ready(Schedule* s, uint32_t i) {
    uint32_t kind = kind_of(&s->instrs[i], s->room);
    if (s->last[kind]) {
        s->queue[s->last[kind] - 1] = i + 1;
    } else {
        s->first[kind] = i + 1;
    }
    s->last[kind] = i + 1;
}

// Instructions [begin, end); those before are done.
static void sort(Schedule* s, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i++) {
        if (!s->waiting[i]) make_ready(s, i);
    }
    uint32_t kind = 0;
    for (uint32_t done = begin; done < end; done++) {
        while (!s->first[kind]) kind = (kind + 1) % s->kinds;
        uint32_t i = s->first[kind] - 1;
        s->first[kind] = s->queue[i];
        if (!s->first[kind]) s->last[kind] = 0;
        s->sorted[done] = s->instrs[i];
        for (uint32_t e = s->users[i]; e; e = s->edge_next[e - 1]) {
            uint32_t user = s->edge_to[e - 1];
            if (--s->waiting[user] == 0 && user < end) make_ready(s, user);
        }
    }
}

// --- windows ------------------------------------------------------------------------------------

// The key of the last argument; 0: none has one.
static uint32_t last_argument(const LiaInstr* in, const uint32_t* near) {
    uint32_t most = near[in->x] > near[in->y] ? near[in->x] : near[in->y];
    return near[in->z] > most ? near[in->z] : most;
}

static void put_at(const LiaInstr* in, uint32_t* near, uint32_t key) {
    near[in->out] = key;
    if (in->aux) near[in->aux] = key;
}

// Where an instruction is run: at its first user, or where nothing uses it at the last coordinate
// it depends on. A multiplier stands at its first user, too, and what depends on multipliers alone
// with the last one. `least` is scratch, zero, one number per register: the first user.
static void find_places(const LiaTape* tape, uint32_t* near, uint32_t* least) {
    const LiaSection* main = &tape->sections.main;
    for (uint32_t i = 0; i < main->count; i++) {
        put_at(&main->instrs[i], near, last_argument(&main->instrs[i], near));
    }
    for (uint32_t i = main->count; i > 0; i--) {
        const LiaInstr* in = &main->instrs[i - 1];
        uint32_t first = least[in->out];
        if (in->aux && least[in->aux] && (!first || least[in->aux] < first)) first = least[in->aux];
        if (first) put_at(in, near, first);
        const uint32_t arguments[3] = {in->x, in->y, in->z};
        for (int a = 0; a < 3; a++) {
            uint32_t *mine = &least[arguments[a]], user = near[in->out];
            if (user && (!*mine || user < *mine)) *mine = user;
        }
    }
    for (uint32_t j = 0; j < tape->multiplier_count; j++) {
        near[tape->multiplier[j]] = least[tape->multiplier[j]];
    }
    near[0] = 0;
    for (uint32_t i = 0; i < main->count; i++) {
        const LiaInstr* in = &main->instrs[i];
        if (!near[in->out]) put_at(in, near, last_argument(in, near));
    }
}

// Neighbouring keys share a window until it is full.
static void cut(LiaWindows* w, const LiaSection* section) {
    for (uint32_t i = 0; i < section->count; i++) w->window[w->near[section->instrs[i].out]]++;
    uint32_t filled = 0;
    w->count = 1;
    for (uint32_t p = 0; p < w->keys; p++) {
        if (filled >= WINDOW) {
            filled = 0;
            w->count++;
        }
        filled += w->window[p];
        w->window[p] = w->count - 1;
    }
}

bool lia_schedule_windows_make(LiaWindows* w, const LiaTape* tape) {
    *w = (LiaWindows){.keys = tape->coordinate_count + 1};
    if (tape->sections.main.count <= LARGE) return true;
    uint32_t* least = lia_memory_zeros((size_t)tape->register_count + 1, sizeof *least);
    w->near = lia_memory_zeros((size_t)tape->register_count + 1, sizeof *w->near);
    w->window = lia_memory_zeros((size_t)w->keys + 1, sizeof *w->window);
    bool ok = least && w->near && w->window;
    for (uint32_t i = 0; ok && i < tape->coordinate_count; i++) {
        w->near[tape->position[i]] = w->near[tape->velocity[i]] = i + 1;
        w->near[tape->acceleration[i]] = i + 1;
    }
    if (ok) {
        w->near[0] = 0;
        find_places(tape, w->near, least);
        cut(w, &tape->sections.main);
    }
    free(least);
    if (!ok) lia_schedule_windows_clear(w);
    return ok;
}

void lia_schedule_windows_clear(LiaWindows* w) {
    free(w->near);
    free(w->window);
    *w = (LiaWindows){0};
}

// Instructions in the order of their keys. False if memory is out.
static bool sort_by_key(LiaSection* section, const LiaWindows* w) {
    uint32_t* next = lia_memory_zeros((size_t)w->keys + 2, sizeof *next);
    LiaInstr* sorted = lia_memory_take(section->count * sizeof *sorted);
    bool ok = next && sorted;
    for (uint32_t i = 0; ok && i < section->count; i++) {
        next[w->near[section->instrs[i].out] + 1]++;
    }
    for (uint32_t p = 0; ok && p < w->keys; p++) next[p + 1] += next[p];
    for (uint32_t i = 0; ok && i < section->count; i++) {
        sorted[next[w->near[section->instrs[i].out]]++] = section->instrs[i];
    }
    if (ok) memcpy(section->instrs, sorted, section->count * sizeof *sorted);
    free(next);
    free(sorted);
    return ok;
}

// Blocks end where a window ends.
static bool note_blocks(LiaSection* section, const uint8_t* room, const LiaWindows* w) {
    section->blocks = lia_memory_zeros(section->count, sizeof *section->blocks);
    if (!section->blocks) return false;
    LiaBlock* block = NULL;
    uint32_t kind = 0, window = 0;
    for (uint32_t i = 0; i < section->count; i++) {
        const LiaInstr* in = &section->instrs[i];
        uint32_t mine = kind_of(in, room), here = w ? w->window[w->near[in->out]] : 0;
        if (!block || mine != kind || here != window) {
            block = &section->blocks[section->block_count++];
            *block = (LiaBlock){.code = in->code,
                                .offset = in->offset,
                                .out = room_of(room, in->out),
                                .x = room_of(room, in->x),
                                .y = room_of(room, in->y),
                                .begin = i};
            kind = mine;
            window = here;
        }
        block->end = i + 1;
    }
    return true;
}

// --- the section --------------------------------------------------------------------------------

static void sort_windows(Schedule* s, const LiaSection* section, const LiaWindows* w) {
    for (uint32_t begin = 0, end; begin < s->count; begin = end) {
        end = begin + 1;
        uint32_t mine = w ? w->window[w->near[section->instrs[begin].out]] : 0;
        while (end < s->count && (!w || w->window[w->near[section->instrs[end].out]] == mine))
            end++;
        sort(s, begin, end);
    }
}

bool lia_schedule_section(LiaSection* section, const LiaTape* tape, const LiaWindows* windows) {
    size_t n = section->count, registers = tape->register_count;
    if (n == 0) return true;
    size_t kinds = tape->room ? KINDS : PLAIN_KINDS;
    uint32_t* block = lia_memory_zeros(2 * registers + 9 * n + 2 * kinds, sizeof *block);
    LiaInstr* sorted = lia_memory_take(n * sizeof *sorted);
    bool ok = block && sorted && (!windows || sort_by_key(section, windows));
    if (ok) {
        Schedule s = {.count = section->count, .instrs = section->instrs, .sorted = sorted};
        s.room = tape->room;
        s.writer = block;
        s.read = s.writer + registers;
        s.waiting = s.read + registers;
        s.users = s.waiting + n;
        s.queue = s.users + n;
        s.edge_to = s.queue + n;
        s.edge_next = s.edge_to + 3 * n;
        s.kinds = (uint32_t)kinds;
        s.first = s.edge_next + 3 * n;
        s.last = s.first + kinds;
        if (link_users(&s)) {
            sort_windows(&s, section, windows);
            memcpy(section->instrs, sorted, n * sizeof *sorted);
        }
        ok = note_blocks(section, tape->room, windows);
    }
    free(block);
    free(sorted);
    return ok;
}
