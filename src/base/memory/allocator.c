// The hook for memory, which is decided once: by lia_allocator_set(), or by the first block that is
// taken before it.
// SPDX-License-Identifier: MIT
#include "base/memory/allocator.h"
#include <liaison/liaison.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN, C_LIBRARY, SETTING, PROGRAM };  // who gives the memory

static atomic_int giver = OPEN;
static LiaAllocator hook;  // written once, between SETTING and PROGRAM

LiaStatus lia_allocator_set(const LiaAllocator* allocator) {
    if (!allocator || !allocator->allocate || !allocator->resize || !allocator->release) {
        return LIA_ARGUMENT;
    }
    int open = OPEN;
    if (!atomic_compare_exchange_strong(&giver, &open, SETTING)) return LIA_ARGUMENT;
    hook = *allocator;
    atomic_store(&giver, PROGRAM);
    return LIA_OK;
}

bool lia_allocator_is_set(void) {
    int now = atomic_load_explicit(&giver, memory_order_acquire);
    if (now == OPEN && atomic_compare_exchange_strong(&giver, &now, C_LIBRARY)) return false;
    while (now == SETTING) now = atomic_load_explicit(&giver, memory_order_acquire);
    return now == PROGRAM;
}

void* lia_allocator_take(size_t bytes) {
    return lia_allocator_is_set() ? hook.allocate(hook.context, bytes) : malloc(bytes);
}

void* lia_allocator_zeros(size_t count, size_t size) {
    if (!lia_allocator_is_set()) return calloc(count, size);
    if (count > SIZE_MAX / size) return NULL;
    void* block = hook.allocate(hook.context, count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

void* lia_allocator_resize(void* old, size_t bytes) {
    if (!lia_allocator_is_set()) return realloc(old, bytes);
    return old ? hook.resize(hook.context, old, bytes) : hook.allocate(hook.context, bytes);
}

void lia_allocator_release(void* block) {
    if (!block) return;
    if (lia_allocator_is_set()) {
        hook.release(hook.context, block);
    } else {
        free(block);
    }
}
