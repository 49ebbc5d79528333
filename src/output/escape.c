// Texts of the user's inside JSON, XML and CSV.
// SPDX-License-Identifier: MIT
#include "escape.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Bytes of the UTF-8 character at `s`, 0 if there is none (RFC 3629: no surrogates, no long forms).
static size_t character(const char* s) {
    const unsigned char* b = (const unsigned char*)s;
    if (b[0] < 0x80) {
        return 1;
    }
    size_t n = b[0] >= 0xC2 && b[0] < 0xE0   ? 2
               : (b[0] & 0xF0) == 0xE0       ? 3
               : b[0] >= 0xF0 && b[0] < 0xF5 ? 4
                                             : 0;
    if (n == 0) {
        return 0;
    }
    uint32_t c = b[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((b[i] & 0xC0) != 0x80) {
            return 0;
        }
        c = c << 6 | (b[i] & 0x3Fu);
    }
    bool good = n == 2 || (n == 3 && c >= 0x800 && (c < 0xD800 || c > 0xDFFF) && c < 0xFFFE) ||
                (n == 4 && c >= 0x10000 && c <= 0x10FFFF);
    return good ? n : 0;
}

// Add the character at *s as it is, or U+FFFD, and go on to the next.
static void add_character(LiaText* out, const char** s) {
    size_t n = character(*s);
    if (n) {
        lia_text_add_bytes(out, *s, n);
    } else {
        lia_text_add_bytes(out, "\xEF\xBF\xBD", 3);
    }
    *s += n ? n : 1;
}

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
        } else if ((unsigned char)*text < 0x20 || *text == 0x7F) {
            lia_text_add(out, "\\u%04x", (unsigned)*text);
            text++;
        } else {
            add_character(out, &text);
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
            add_character(out, &text);
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
        add_character(out, &text);
    }
    if (quoted) {
        lia_text_add_bytes(out, "\"", 1);
    }
}
