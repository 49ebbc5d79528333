// Large blocks on large pages. See pages.h.
// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE  // madvise(), which POSIX has under another name and without large pages
#include "base/memory/hugepage.h"
#include "base/memory/allocator.h"
#include "base/memory/memory.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 2 << 20, LARGE = 4 * PAGE };

void* lia_hugepage_zeros(size_t bytes) {
#ifdef MADV_HUGEPAGE
    if (!lia_allocator_is_set() && bytes >= LARGE && bytes <= SIZE_MAX - PAGE) {
        size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
        void* block = lia_memory_aligned(PAGE, whole);
        if (!block) return NULL;
        (void)madvise(block, whole,
                      MADV_HUGEPAGE);  // a wish: without it all is the same, only slower
        memset(block, 0, whole);
        return block;
    }
#endif
    return lia_memory_zeros(bytes ? bytes : 1, 1);
}
