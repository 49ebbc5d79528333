// Texts of the user's inside JSON, XML and CSV.
// SPDX-License-Identifier: MIT
#include "output/text/escape.h"
#include "base/text/plain.h"
#include "base/text/utf8.h"
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char unknown[] = "\xEF\xBF\xBD";  // U+FFFD

// Add the character at *s as it is, or U+FFFD where it is none, and go on to the next.
// Where it would not be seen it is added by `number` instead (NULL: U+FFFD), so that no terminal
// obeys it.
static void add_character(LiaText* out, const char** s, void (*number)(LiaText*, uint32_t)) {
    size_t n = 1;
    uint32_t c = lia_utf8_decode(*s, LIA_UTF8_MOST, &n);
    if (c == UINT32_MAX || c == 0xFFFE || c == 0xFFFF) {  // no characters of XML
        lia_text_add_bytes(out, unknown, 3);
    } else if (lia_plain_is_seen(c)) {
        lia_text_add_bytes(out, *s, n);
    } else if (number) {
        number(out, c);
    } else {
        lia_text_add_bytes(out, unknown, 3);
    }
    *s += n;
}

static void add_json_number(LiaText* out, uint32_t c) {
    if (c > 0xFFFF) {
        lia_text_add(out, "\\u%04x\\u%04x", 0xD7C0 + (unsigned)(c >> 10),
                     0xDC00 + (unsigned)(c & 0x3FF));
    } else {
        lia_text_add(out, "\\u%04x", (unsigned)c);
    }
}

static void add_xml_number(LiaText* out, uint32_t c) { lia_text_add(out, "&#x%X;", (unsigned)c); }

void lia_escape_json(LiaText* out, const char* text) {
    if (!text) {
        lia_text_add_bytes(out, "null", 4);
        return;
    }
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    lia_text_add_bytes(out, "\"", 1);
    while (*text) {
        const char* special = strchr(from, *text);
        if (special) {
            lia_text_add(out, "\\%c", to[special - from]);
            text++;
        } else {
            add_character(out, &text, add_json_number);
        }
    }
    lia_text_add_bytes(out, "\"", 1);
}

void lia_escape_number(LiaText* out, double x) {
    if (isfinite(x)) {
        lia_text_add_number(out, x);
    } else {
        lia_text_add(out, "null");
    }
}

void lia_escape_add(LiaText* out, const char* format, ...) {
    va_list args;
    va_start(args, format);
    for (const char* at = format; *at; at++) {
        size_t plain = strcspn(at, "%");
        lia_text_add_bytes(out, at, plain);
        at += plain;
        if (!*at) break;
        at++;
        if (*at == 's') {
            lia_escape_json(out, va_arg(args, const char*));
        } else if (*at == 'g') {
            lia_escape_number(out, va_arg(args, double));
        } else if (*at == 'd') {
            lia_text_add(out, "%d", va_arg(args, int));
        } else if (*at == 'u') {
            lia_text_add(out, "%u", va_arg(args, unsigned));
        } else if (*at == 'z') {
            at++;  // zu
            lia_text_add(out, "%zu", va_arg(args, size_t));
        } else {
            assert(strncmp(at, "llu", 3) == 0);
            at += 2;
            lia_text_add(out, "%llu", va_arg(args, unsigned long long));
        }
    }
    va_end(args);
}

void lia_escape_key(LiaText* out, bool* first, const char* key) {
    lia_escape_add(out, *first ? "%s: " : ", %s: ", key);
    *first = false;
}

void lia_escape_member(LiaText* out, bool* first, const char* key, double x) {
    lia_escape_key(out, first, key);
    lia_escape_number(out, x);
}

void lia_escape_xml(LiaText* out, const char* text) {
    while (*text) {
        const char* entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity) {
            lia_text_add_bytes(out, entity, strlen(entity));
            text++;
        } else if ((unsigned char)*text < 0x20) {
            lia_text_add_bytes(out, " ", *text == '\t' || *text == '\n');
            text++;
        } else {
            add_character(out, &text, add_xml_number);
        }
    }
}

void lia_escape_csv(LiaText* out, const char* text) {
    bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    if (quoted) {
        lia_text_add_bytes(out, "\"", 1);
    }
    while (*text) {
        if (*text == '"') {
            lia_text_add_bytes(out, "\"", 1);
        }
        add_character(out, &text, NULL);
    }
    if (quoted) {
        lia_text_add_bytes(out, "\"", 1);
    }
}
