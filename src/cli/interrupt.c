// Ctrl-C, kill, and time that is up. See interrupt.h.
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700  // setitimer
#include "cli/interrupt.h"
#include "cli/command.h"
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static const double PATIENCE = 0.6;  // seconds in which who is asked has to end
static const double AGAIN = 0.2;     // seconds from then on to the next time

// A signal handler can reach nothing but globals.
static volatile int asked_to_stop;  // the number of the signal
static volatile sig_atomic_t held;

static void set_timer(double seconds) {
    if (!(seconds < 1e8)) return;  // years
    double whole = floor(seconds);
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)(1e6 * (seconds - whole))}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

// SIGALRM; `flags`: whether what waits for a reader or a writer goes on waiting after it
static void set_alarm(int flags);

// The signal itself ends nothing that waits where some bytes were written before, or where it came
// just before the wait. So the timer goes on, and each time ends what waits then.
static void ask_to_stop(int number) {
    struct itimerval soon = {.it_value = {.tv_usec = (suseconds_t)(1e6 * PATIENCE)},
                             .it_interval = {.tv_usec = (suseconds_t)(1e6 * AGAIN)}};
    asked_to_stop = number;
    set_alarm(0);
    setitimer(ITIMER_REAL, &soon, NULL);
}

static void lose_patience(int number) {
    static const char signal_words[] = "liaison: interrupted before anything was reached\n";
    static const char time_words[] = "liaison: the time is out before anything was reached\n";
    (void)number;
    if (held) return;  // but what waits is interrupted
    int code = lia_interrupt_code();
    ssize_t written = code ? write(STDERR_FILENO, signal_words, sizeof signal_words - 1)
                           : write(STDERR_FILENO, time_words, sizeof time_words - 1);
    (void)written;
    _exit(code ? code : LIA_EXIT_BUDGET);
}

static void set_alarm(int flags) {
    struct sigaction action = {.sa_handler = lose_patience};
    sigemptyset(&action.sa_mask);
    action.sa_flags = flags;
    sigaction(SIGALRM, &action, NULL);
}

const volatile int* lia_interrupt_watch(void) {
    struct sigaction action = {.sa_handler = ask_to_stop};
    sigemptyset(&action.sa_mask);
    action.sa_flags = (int)SA_RESETHAND;  // the second one is the system's; reading does not go on
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    set_alarm(SA_RESTART);
    return &asked_to_stop;
}

void lia_interrupt_limit(double seconds) { set_timer(seconds + PATIENCE); }

void lia_interrupt_hold(void) { held = 1; }

int lia_interrupt_code(void) { return asked_to_stop ? 128 + asked_to_stop : 0; }
