// Memory from the program that uses the library, instead of from the C library. Part of liaison.h.
// SPDX-License-Identifier: MIT
#include "liaison.h"  // includes this header in its place, whichever comes first
#ifndef LIA_ALLOCATOR_H
#define LIA_ALLOCATOR_H

#ifdef __cplusplus
extern "C" {
#endif

/// Where the library takes its memory from. All three functions are needed, and may be called by
/// several threads at the same time: by those that call the library. They must not call the
/// library. `bytes` is never 0.
typedef struct LiaAllocator {
    /// So many bytes, aligned for any type, as malloc() gives them. NULL: memory is out.
    void* (*allocate)(void* context, size_t bytes);
    /// A block that was allocated before, made larger or smaller; its beginning stays as it was, it
    /// may move, as with realloc(). NULL: memory is out, and the block is as it was.
    void* (*resize)(void* context, void* block, size_t bytes);
    /// Give a block back; never NULL.
    void (*release)(void* context, void* block);
    void* context;  // handed to all three
} LiaAllocator;

/// From now on all memory of the library comes from there. It is set once in a program, before any
/// other call: LIA_ARGUMENT where memory was taken already, where one was set before, and where a
/// function is missing. The struct is copied; the context must live as long as anything that the
/// library made. What the C library takes for itself, such as the buffer of an open file, is not
/// asked for there.
LiaStatus lia_allocator_set(const LiaAllocator* allocator);

#ifdef __cplusplus
}
#endif

#endif
