// Interrupts that are right between threads. See interrupt.h.
// SPDX-License-Identifier: MIT
#include "base/interrupt.h"
#include "base/memory/memory.h"
#include <liaison/liaison.h>
#include <stdlib.h>

struct LiaInterrupt {
    atomic_int raised;
};

LiaInterrupt* lia_interrupt_create(void) {
    LiaInterrupt* interrupt = lia_memory_zeros(1, sizeof *interrupt);
    if (interrupt) atomic_init(&interrupt->raised, 0);
    return interrupt;
}

void lia_interrupt_destroy(LiaInterrupt* interrupt) { free(interrupt); }

void lia_interrupt_raise(LiaInterrupt* interrupt) {
    if (interrupt) atomic_store_explicit(&interrupt->raised, 1, memory_order_release);
}

void lia_interrupt_clear(LiaInterrupt* interrupt) {
    if (interrupt) atomic_store_explicit(&interrupt->raised, 0, memory_order_release);
}

bool lia_interrupt_raised(const LiaInterrupt* interrupt) {
    return lia_interrupt_asks(lia_interrupt_flag(interrupt));
}

const volatile int* lia_interrupt_flag(const LiaInterrupt* interrupt) {
    return interrupt ? (const volatile int*)&interrupt->raised : NULL;
}
