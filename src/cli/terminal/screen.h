// The screen: is there a terminal, how wide is it, what can it show?
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

typedef struct LiaScreen {
    bool out, err;    // standard output and stderr are terminals
    bool colour;      // standard output takes colours
    bool err_colour;  // stderr takes colours
    bool ascii;       // it does not show UTF-8
    bool moves;       // stderr can go back on its line: not TERM=dumb
    int width;        // columns
} LiaScreen;

LiaScreen lia_screen_look(void);
