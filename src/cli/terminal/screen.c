// The screen: isatty, NO_COLOR, TERM, COLUMNS, and the locale.
//
// The variables of the locale are read rather than the locale itself: it may not be installed, and
// the terminal shows UTF-8 all the same. Where nothing is said at all, as in most containers, a
// terminal is taken to show UTF-8 and a file is kept plain.
// SPDX-License-Identifier: MIT
#include "cli/terminal/screen.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 80, WIDTH_LEAST = 30, WIDTH_MOST = 1000 };

static const char* variable(const char* name) {
    const char* value = getenv(name);
    return value ? value : "";
}

static bool holds_utf8(const char* value) {
    for (; *value; value++) {
        if (strncasecmp(value, "utf-8", 5) == 0 || strncasecmp(value, "utf8", 4) == 0) {
            return true;
        }
    }
    return false;
}

static bool shows_utf8(bool terminal) {
    const char* const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    // The console of the kernel has no braille.
    if (terminal &&
        (strcmp(variable("TERM"), "linux") == 0 || strcmp(variable("TERM"), "dumb") == 0)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (*variable(names[i])) {
            return holds_utf8(variable(names[i]));
        }
    }
    return terminal && *variable("TERM");
}

static int width_of(bool out, bool err) {
    long width = strtol(variable("COLUMNS"), NULL, 10);
    struct winsize size;
    if (width <= 0 && (out || err) &&
        ioctl(out ? STDOUT_FILENO : STDERR_FILENO, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    if (width <= 0) {
        width = WIDTH_DEFAULT;
    }
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : (int)width;
}

LiaScreen lia_screen_look(void) {
    LiaScreen screen = {.out = isatty(STDOUT_FILENO) == 1, .err = isatty(STDERR_FILENO) == 1};
    bool dumb = strcmp(variable("TERM"), "dumb") == 0 || !*variable("TERM");
    bool wanted = !dumb && !*variable("NO_COLOR");
    screen.colour = screen.out && wanted;
    screen.err_colour = screen.err && wanted;
    screen.ascii = !shows_utf8(screen.out);
    screen.moves = screen.err && !dumb;
    screen.width = width_of(screen.out, screen.err);
    return screen;
}
