// Arena: memory that is released as a whole.
//
// Everything that lives as long as a model (tree, terms, names, formulas) comes from one arena;
// scratch work marks and resets.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

typedef struct LiaArena LiaArena;
typedef struct LiaArenaMark {
    void* block;
    size_t used;
} LiaArenaMark;

/// An empty arena. Release with lia_arena_destroy(). NULL if memory is out.
LiaArena* lia_arena_create(void);
/// Release the arena and all that came from it. NULL is allowed.
void lia_arena_destroy(LiaArena* arena);
/// `size` zeroed bytes, aligned for any type. NULL if memory is out.
void* lia_arena_new(LiaArena* arena, size_t size);
/// A copy of `length` bytes of text with a closing NUL.
char* lia_arena_text(LiaArena* arena, const char* text, size_t length);
/// printf into the arena.
char* lia_arena_printf(LiaArena* arena, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
LiaArenaMark lia_arena_mark(const LiaArena* arena);
/// Give back all that was taken since the mark.
void lia_arena_reset(LiaArena* arena, LiaArenaMark mark);
/// Bytes in use.
size_t lia_arena_size(const LiaArena* arena);

#define LIA_ARENA_NEW(arena, type, count)                                                          \
    ((type*)lia_arena_new((arena), sizeof(type) * (size_t)(count)))
