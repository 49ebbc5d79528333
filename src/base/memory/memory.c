// Memory, and the count of its failures. See memory.h.
// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE  // getrusage() with ru_maxrss
#include "base/memory/memory.h"
#include "base/memory/allocator.h"
#include "base/watch.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static _Thread_local unsigned long failures;  // only ever grows

static void* count(void* memory) {
    if (!memory) lia_memory_fail();
    return memory;
}

// What the process holds, as the system counts it.
static uint64_t held(void) {
    unsigned long long all = 0, pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    bool known = file && fscanf(file, "%llu %llu", &all, &pages) == 2;
    if (file) fclose(file);
    if (known) return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
    struct rusage usage;  // elsewhere: the most it ever held
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

// Under a budget the system is asked only when what was taken since the last look could have used
// up what was left then: what is given back in between need not be counted.
static bool within_budget(size_t bytes) {
    static _Thread_local uint64_t taken, left, of_budget;
    uint64_t budget = lia_watch_bytes();
    if (!budget) return true;
    if (budget == of_budget && bytes <= left - taken) {
        taken += bytes;
        return true;
    }
    uint64_t now = held();
    of_budget = budget;
    left = now < budget ? budget - now : 0;
    taken = 0;
    if (bytes > left) return false;
    taken = bytes;
    return true;
}

// May so many bytes be taken? A call that is abandoned gets none. That is no failure of memory: the
// watch remembers why, and what called the call may go on.
static bool may_take(size_t number, size_t size) {
    if (!lia_watch_gives()) return false;
    if (within_budget(size && number > SIZE_MAX / size ? SIZE_MAX : number * size)) return true;
    lia_watch_spend_memory();
    return false;
}

void* lia_memory_take(size_t bytes) {
    return may_take(bytes, 1) ? count(lia_allocator_take(bytes ? bytes : 1)) : NULL;
}

void* lia_memory_zeros(size_t number, size_t size) {
    if (!may_take(number, size)) return NULL;
    return count(number && size ? lia_allocator_zeros(number, size) : lia_allocator_zeros(1, 1));
}

void* lia_memory_resize(void* old, size_t bytes) {
    return may_take(bytes, 1) ? count(lia_allocator_resize(old, bytes ? bytes : 1)) : NULL;
}

void* lia_memory_aligned(size_t alignment, size_t bytes) {
    if (lia_allocator_is_set()) return NULL;
    return may_take(bytes, 1) ? count(aligned_alloc(alignment, bytes)) : NULL;
}

void lia_memory_release(void* block) { lia_allocator_release(block); }

void lia_memory_fail(void) {
    if (!lia_watch_refuses()) failures++;
}

LiaMemoryMark lia_memory_mark(void) { return (LiaMemoryMark){failures}; }

bool lia_memory_failed(LiaMemoryMark mark) { return failures != mark.failures; }
