// The passage from one stage to the next. See stage_pipeline.h.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/stage_pipeline.h"
#include "base/memory/memory.h"
#include <stdlib.h>

// Per register the first window that reads it and the window that writes it; the last one where
// none does.
typedef struct Places {
    uint32_t *reader, *writer;
} Places;

static void find_places(const LiaTape* tape, const Places* at) {
    uint32_t last = tape->window_count - 1;
    for (uint32_t r = 0; r < tape->register_count; r++) at->reader[r] = at->writer[r] = last;
    for (uint32_t i = tape->window_count; i-- > 0;) {
        const LiaBlock *b = tape->sections.main.blocks + tape->windows[i].block,
                       *end = tape->sections.main.blocks + tape->windows[i + 1].block;
        if (b == end) continue;
        for (uint32_t k = b->begin; k < end[-1].end; k++) {
            const LiaInstr* in = &tape->sections.main.instrs[k];
            at->reader[in->x] = at->reader[in->y] = at->reader[in->z] = i;
            at->writer[in->out] = at->writer[in->aux] = i;
        }
    }
}

static uint32_t smaller(uint32_t x, uint32_t y) { return x < y ? x : y; }
static uint32_t larger(uint32_t x, uint32_t y) { return x > y ? x : y; }

// Sort `count` numbers by their windows.
static void sort(LiaByWindow* by, const uint32_t* window, int count, uint32_t windows) {
    for (int i = 0; i < count; i++) by->end[window[i]]++;
    for (uint32_t w = 1; w < windows; w++) by->end[w] += by->end[w - 1];
    for (int i = count; i-- > 0;) by->list[--by->end[window[i]]] = i;
    // the ends have become beginnings
    for (uint32_t w = 0; w + 1 < windows; w++) by->end[w] = by->end[w + 1];
    if (windows) by->end[windows - 1] = count;
}

static void fill(LiaStagePipeline* p, const LiaDynamics* d, const Places* at, uint32_t* window) {
    const LiaTape* tape = d->tape;
    int nf = (int)d->nf, nc = (int)d->nc;
    for (int k = 0; k < nf; k++) {
        uint32_t i = d->free[k];
        window[k] = smaller(at->reader[tape->position[i]], at->reader[tape->velocity[i]]);
        window[k] = smaller(window[k], at->reader[tape->acceleration[i]]);
    }
    sort(&p->unknowns, window, nf, tape->window_count);
    for (int c = 0; c < nc; c++) window[c] = at->reader[tape->multiplier[d->rows[c]]];
    sort(&p->multipliers, window, nc, tape->window_count);
    for (int k = 0; k < nf; k++) {
        uint32_t i = d->free[k];
        window[k] = larger(at->writer[d->p[i]], at->writer[d->G_register[i]]);
    }
    sort(&p->balances, window, nf, tape->window_count);
    for (int c = 0; c < nc; c++) window[c] = at->writer[d->equation[c]];
    sort(&p->equations, window, nc, tape->window_count);
}

LiaStagePipeline* lia_stage_pipeline_create(const LiaDynamics* d) {
    const LiaTape* tape = d->tape;
    if (!tape->window_count) return NULL;
    size_t nf = d->nf, nc = d->nc, windows = tape->window_count, registers = tape->register_count;
    LiaStagePipeline* p = lia_memory_zeros(1, sizeof *p);
    int* x = lia_memory_zeros(2 * (nf + nc) + 4 * windows, sizeof *x);
    uint32_t* scratch = lia_memory_zeros(2 * registers + nf + nc, sizeof *scratch);
    if (!p || !x || !scratch) {
        free(p);
        free(x);
        free(scratch);
        return NULL;
    }
    p->block = x;
    LiaByWindow* const lists[] = {&p->unknowns, &p->balances, &p->multipliers, &p->equations};
    for (int i = 0; i < 4; i++) {
        lists[i]->list = x, x += i < 2 ? nf : nc;
        lists[i]->end = x, x += windows;
    }
    Places at = {scratch, scratch + registers};
    find_places(tape, &at);
    fill(p, d, &at, scratch + 2 * registers);
    free(scratch);
    return p;
}

void lia_stage_pipeline_destroy(LiaStagePipeline* p) {
    if (!p) return;
    free(p->block);
    free(p);
}
