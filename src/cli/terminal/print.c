// What the program says. Standard output is written without a buffer in between, so that an error
// is seen where it happens and the order with stderr is kept.
// SPDX-License-Identifier: MIT
#include "cli/terminal/print.h"
#include "cli/cli_memory.h"
#include "cli/interrupt.h"
#include "cli/terminal/screen.h"
#include <errno.h>
#include <liaison/liaison.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_ROOM = 1024 };  // what is longer takes memory

// The text, in `line` if there is room for it, else to be freed. NULL if memory is out: then `line`
// is the beginning of it.
static char* print_text(const char* format, va_list arguments, char line[LINE_ROOM]) {
    va_list again;
    va_copy(again, arguments);
    line[0] = '\0';
    int length = vsnprintf(line, LINE_ROOM, format, arguments);
    char* text = length < 0 ? NULL : length < LINE_ROOM ? line : calloc((size_t)length + 1, 1);
    if (text && text != line) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}

// Where memory is out the beginning must do: an error is said in any case.
void lia_print_error(const char* format, ...) {
    char line[LINE_ROOM], shown[LINE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    char* text = print_text(format, arguments, line);
    va_end(arguments);
    fputs("liaison: ", stderr);
    for (const char* rest = text ? text : line; *rest;) {
        rest = lia_plain_some(rest, false, shown, sizeof shown);
        fputs(shown, stderr);
    }
    fputc('\n', stderr);
    if (text != line) free(text);
}

// "file:2:3: error E0107: ..." in bold and red, the marks below the line in green, the advice in
// blue.
static void print_coloured(const char* line, int length) {
    static const struct {
        const char *word, *colour;
    } kinds[] = {{": error ", "\x1b[1;31m"}, {": warning ", "\x1b[1;33m"}};
    for (int i = 0; i < 2; i++) {
        const char* word = strstr(line, kinds[i].word);
        if (word && word - line < length && line[0] != ' ') {
            int place = (int)(word - line) + 2;
            int code = (int)strcspn(word + 2, ":\n") + 1;
            fprintf(stderr, "\x1b[1m%.*s%s%.*s\x1b[0m%.*s\n", place, line, kinds[i].colour, code,
                    word + 2, length - place - code, line + place + code);
            return;
        }
    }
    int blank = (int)strspn(line, " ");
    int bar = blank + (int)strspn(line + blank, "0123456789");
    bool advice = line[blank] == '=';
    bool marks = line[blank] == '|';
    bool shown = bar > blank && strncmp(line + bar, " |", 2) == 0;
    int grey = advice ? 0 : marks ? blank + 1 : shown ? bar + 2 : 0;
    fprintf(stderr, "\x1b[2m%.*s\x1b[0m%s%.*s%s\n", grey, line,
            advice  ? "\x1b[36m"
            : marks ? "\x1b[1;32m"
                    : "",
            length - grey, line + grey, advice || marks ? "\x1b[0m" : "");
}

void lia_print_diagnostics(const char* text) {
    if (!lia_screen_look().err_colour) {
        fputs(text, stderr);
        return;
    }
    while (*text) {
        size_t length = strcspn(text, "\n");
        print_coloured(text, (int)length);
        text += length + (text[length] == '\n');
    }
}

static bool reader_left = false;

void lia_print_close(void) {
    if (reader_left) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
}

void lia_print_file_error(const char* name, int error) {
    if (error == ENOMEM) {
        lia_cli_memory_out();
        return;
    }
    const char* shown = strcmp(name, "-") == 0 ? "standard output" : name;
    if (error == EPIPE && strcmp(name, "-") == 0) {
        reader_left = true;
        return;
    }
    if (error == EEXIST) {
        lia_print_error("%s: is read by this run: it is left as it is", shown);
        return;
    }
    lia_print_error("%s: %s", shown, error ? strerror(error) : "cannot be used");
}

bool lia_print_text(const char* text) {
    static bool told = false;
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t count = write(STDOUT_FILENO, text, length);
        bool interrupted = count < 0 && errno == EINTR && lia_interrupt_code();
        if (interrupted) return false;
        if (count < 0 && errno != EINTR) {
            if (!told) {
                lia_print_file_error("-", errno);
            }
            told = true;
            return false;
        }
        if (count > 0) {
            text += count;
            length -= (size_t)count;
        }
    }
    return true;
}

// In pieces, so that it takes no memory.
static bool print_shown(const char* text, bool lines) {
    char shown[LINE_ROOM];
    bool done = true;
    while (done && *text) {
        text = lia_plain_some(text, lines, shown, sizeof shown);
        done = lia_print_text(shown);
    }
    return done;
}

bool lia_print_name(const char* name) { return print_shown(name, false); }

static bool print_all(const char* format, va_list arguments, bool lines) {
    char line[LINE_ROOM];
    char* text = print_text(format, arguments, line);
    if (!text) lia_cli_memory_out();
    bool done = text && print_shown(text, lines);
    if (text != line) free(text);
    return done;
}

bool lia_print_out(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bool done = print_all(format, arguments, true);
    va_end(arguments);
    return done;
}

bool lia_print_line(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bool done = print_all(format, arguments, false) && lia_print_text("\n");
    va_end(arguments);
    return done;
}
