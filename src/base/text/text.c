// Text that grows: printf into a buffer that doubles, and numbers that do not depend on the locale.
//
// snprintf writes the decimal point of the current locale; what comes out of it here is put back to
// '.' so that a program embedded in a German desktop still writes files others can read.
// SPDX-License-Identifier: MIT
#include "base/text/text.h"
#include "base/memory/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int reserve(LiaText* text, size_t extra) {
    if (text->failed) {
        return 0;
    }
    size_t need = text->length + extra + 1;
    if (need <= text->capacity) {
        return 1;
    }
    size_t capacity = text->capacity < 64 ? 64 : text->capacity;
    while (capacity < need) {
        capacity *= 2;
    }
    char* data = lia_memory_resize(text->data, capacity);
    if (!data) {
        text->failed = 1;
        return 0;
    }
    text->data = data;
    text->capacity = capacity;
    return 1;
}

void lia_text_add_bytes(LiaText* text, const char* bytes, size_t count) {
    if (!reserve(text, count)) {
        return;
    }
    if (count > 0) {
        memcpy(text->data + text->length, bytes, count);
    }
    text->length += count;
    text->data[text->length] = '\0';
}

void lia_text_add(LiaText* text, const char* format, ...) {
    char small[256];
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof small) {
        lia_text_add_bytes(text, small, (size_t)length);
    } else if (length < 0) {  // printf wants memory for long numbers
        text->failed = 1;
        lia_memory_fail();
    } else if (reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

// Copy what snprintf made, with the locale's decimal point (one or more bytes) as '.'.
static void add_c_locale(LiaText* text, const char* digits) {
    char plain[64];
    size_t n = 0;
    for (const char* c = digits; *c && n + 1 < sizeof plain; c++) {
        int known = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';
        if (known) {
            plain[n++] = *c;
        } else if (n > 0 && plain[n - 1] != '.') {
            plain[n++] = '.';
        }
    }
    lia_text_add_bytes(text, plain, n);
}

static int add_special(LiaText* text, double x) {
    if (isnan(x)) {
        lia_text_add_bytes(text, "nan", 3);
        return 1;
    }
    if (isinf(x)) {
        lia_text_add(text, "%s", x < 0 ? "-inf" : "inf");
        return 1;
    }
    return 0;
}

void lia_text_add_number(LiaText* text, double x) {
    if (add_special(text, x)) {
        return;
    }
    if (x == 0.0) x = 0.0;  // no -0
    char digits[48];
    snprintf(digits, sizeof digits, "%.15g", x);
    if (strtod(digits, NULL) != x) {  // same locale on both ways
        snprintf(digits, sizeof digits, "%.17g", x);
    }
    add_c_locale(text, digits);
}

void lia_text_add_short(LiaText* text, double x, int digits) {
    if (add_special(text, x)) {
        return;
    }
    int wanted = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    char written[48];
    snprintf(written, sizeof written, "%.*g", wanted, x);
    add_c_locale(text, written);
}

void lia_text_clear(LiaText* text) {
    free(text->data);
    *text = (LiaText){0};
}
