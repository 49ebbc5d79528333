// What the program says. Standard output is written without a buffer in between, so that an error is
// seen where it happens and the order with stderr is kept.
// SPDX-License-Identifier: MIT
#include "print.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void lia_print_error(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("liaison: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void lia_print_file_error(const char* name, int error) {
    const char* shown = strcmp(name, "-") == 0 ? "standard output" : name;
    lia_print_error("%s: %s", shown, error ? strerror(error) : "cannot be used");
}

bool lia_print_text(const char* text) {
    static bool told = false;
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t count = write(STDOUT_FILENO, text, length);
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

bool lia_print_out(const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char* text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(arguments);
    bool done = text && lia_print_text(text);
    free(text);
    return done;
}
