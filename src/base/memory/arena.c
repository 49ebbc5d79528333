// Arena: a list of blocks, the newest first; taking memory moves a mark inside the newest block.
//
// Blocks double from 4 KiB to 1 MiB; what is larger gets a block of its own size. Memory is zeroed
// when it is taken, so that a reset need not touch it.
// SPDX-License-Identifier: MIT
#include "base/memory/arena.h"
#include "base/memory/memory.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

typedef struct Block {
    struct Block* older;
    size_t size;
    size_t used;
    max_align_t data[];
} Block;

struct LiaArena {
    Block* newest;
    size_t next_size;
};

LiaArena* lia_arena_create(void) {
    LiaArena* arena = lia_memory_zeros(1, sizeof *arena);
    if (arena) {
        arena->next_size = FIRST_BLOCK;
    }
    return arena;
}

static void drop_newest(LiaArena* arena) {
    Block* older = arena->newest->older;
    free(arena->newest);
    arena->newest = older;
}

void lia_arena_destroy(LiaArena* arena) {
    if (!arena) {
        return;
    }
    while (arena->newest) {
        drop_newest(arena);
    }
    free(arena);
}

static Block* add_block(LiaArena* arena, size_t at_least) {
    size_t size = arena->next_size;
    if (size < at_least) {
        size = at_least;
    } else if (arena->next_size < LARGEST_BLOCK) {
        arena->next_size *= 2;
    }
    if (size > SIZE_MAX - sizeof(Block)) {
        lia_memory_fail();
        return NULL;
    }
    Block* block = lia_memory_take(sizeof(Block) + size);
    if (!block) {
        return NULL;
    }
    block->older = arena->newest;
    block->size = size;
    block->used = 0;
    arena->newest = block;
    return block;
}

void* lia_arena_new(LiaArena* arena, size_t size) {
    const size_t align = _Alignof(max_align_t);
    if (size > SIZE_MAX - align) {
        lia_memory_fail();
        return NULL;
    }
    size_t rounded = (size + align - 1) / align * align;
    Block* block = arena->newest;
    if (!block || block->size - block->used < rounded) {
        block = add_block(arena, rounded);
        if (!block) {
            return NULL;
        }
    }
    char* memory = (char*)block->data + block->used;
    block->used += rounded;
    memset(memory, 0, rounded);
    return memory;
}

char* lia_arena_text(LiaArena* arena, const char* text, size_t length) {
    if (length == SIZE_MAX) {
        return NULL;
    }
    char* copy = lia_arena_new(arena, length + 1);
    if (copy && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

char* lia_arena_printf(LiaArena* arena, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) lia_memory_fail();  // printf wants memory for long numbers
    char* text = length < 0 ? NULL : lia_arena_new(arena, (size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}

LiaArenaMark lia_arena_mark(const LiaArena* arena) {
    return (LiaArenaMark){arena->newest, arena->newest ? arena->newest->used : 0};
}

void lia_arena_reset(LiaArena* arena, LiaArenaMark mark) {
    while (arena->newest && arena->newest != mark.block) {
        drop_newest(arena);
    }
    if (arena->newest) {
        arena->newest->used = mark.used;
    }
}

size_t lia_arena_size(const LiaArena* arena) {
    size_t size = 0;
    for (const Block* block = arena->newest; block; block = block->older) {
        size += block->used;
    }
    return size;
}
