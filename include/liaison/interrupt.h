// An interrupt that one thread raises and others look at. Part of liaison.h.
// SPDX-License-Identifier: MIT
#include "liaison.h"  // includes this header in its place, whichever comes first
#ifndef LIA_INTERRUPT_H
#define LIA_INTERRUPT_H

#ifdef __cplusplus
extern "C" {
#endif

/// A flag that may be raised while calls of other threads look at it: nothing else is needed
/// between them. Signal handlers may raise it too.
typedef struct LiaInterrupt LiaInterrupt;

/// Not raised. NULL if memory is out.
LiaInterrupt* lia_interrupt_create(void);
/// Not before all that was given its flag has ended: budgets that were set, and trajectories.
void lia_interrupt_destroy(LiaInterrupt* interrupt);
/// Ask all who look at it to end. What this thread wrote before, they see after they ended. NULL:
/// nothing.
void lia_interrupt_raise(LiaInterrupt* interrupt);
/// Before the next call that is to be ended by it. NULL: nothing.
void lia_interrupt_clear(LiaInterrupt* interrupt);
bool lia_interrupt_raised(const LiaInterrupt* interrupt);
/// What `interrupt` of LiaBudget and of LiaRunOptions is set to. NULL of NULL: never.
const volatile int* lia_interrupt_flag(const LiaInterrupt* interrupt);

#ifdef __cplusplus
}
#endif

#endif
