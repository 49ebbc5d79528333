// Ctrl-C and kill.
// SPDX-License-Identifier: MIT
#include "interrupt.h"
#include <signal.h>
#include <stddef.h>

// A signal handler can reach nothing but a global.
static volatile int asked_to_stop;

static void ask_to_stop(int number) {
    (void)number;
    asked_to_stop = 1;
}

const volatile int* lia_interrupt_watch(void) {
    struct sigaction action = {.sa_handler = ask_to_stop};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;  // the second one is the system's
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &asked_to_stop;
}
