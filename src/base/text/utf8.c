// UTF-8. See utf8.h.
// SPDX-License-Identifier: MIT
#include "base/text/utf8.h"
#include <stdbool.h>

uint32_t lia_utf8_decode(const char* text, size_t left, size_t* size) {
    const unsigned char* s = (const unsigned char*)text;
    *size = 1;
    if (s[0] < 0x80) {
        return s[0];
    }
    size_t n = s[0] >= 0xC2 && s[0] < 0xE0   ? 2
               : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
               : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                             : 0;
    if (n == 0 || n > left) {
        return UINT32_MAX;
    }
    uint32_t c = s[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80) {
            return UINT32_MAX;
        }
        c = c << 6 | (s[i] & 0x3F);
    }
    bool overlong = (n == 3 && c < 0x800) || (n == 4 && c < 0x10000);
    if (overlong || (c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF) {
        return UINT32_MAX;
    }
    *size = n;
    return c;
}
