// Interrupts: flags that another thread or a signal handler raises. See
// include/liaison/interrupt.h.
//
// The public structs have a `const volatile int*`, and so it stays; the library looks at it as at
// an atomic number. Who raises the flag by lia_interrupt_raise() does the same on his side, so that
// the two are ordered.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdatomic.h>
#include <stdbool.h>

_Static_assert(sizeof(atomic_int) == sizeof(int) && ATOMIC_INT_LOCK_FREE == 2,
               "an int can be looked at as an atomic one");

/// Is the flag raised? NULL: no.
static inline bool lia_interrupt_asks(const volatile int* flag) {
    if (!flag) return false;
    return atomic_load_explicit((const volatile atomic_int*)flag, memory_order_acquire) != 0;
}
