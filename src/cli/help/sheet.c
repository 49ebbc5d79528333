// Sheet. See sheet.h.
// SPDX-License-Identifier: MIT
#include "cli/help/sheet.h"
#include "cli/cli_memory.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for so many bytes more and a NUL.
static bool reserve(LiaSheet* sheet, size_t more) {
    if (lia_cli_memory_is_out()) return false;
    if (sheet->size + more < sheet->room) return true;
    size_t room = 2 * (sheet->size + more) + 64;
    char* text = lia_cli_memory_take(room);
    if (!text) return false;
    if (sheet->size > 0) memcpy(text, sheet->text, sheet->size);
    free(sheet->text);
    sheet->text = text;
    sheet->room = room;
    return true;
}

void lia_sheet_bytes(LiaSheet* sheet, const char* bytes, size_t count) {
    if (!reserve(sheet, count)) return;
    if (count > 0) memcpy(sheet->text + sheet->size, bytes, count);
    sheet->size += count;
    sheet->text[sheet->size] = '\0';
}

void lia_sheet_put(LiaSheet* sheet, const char* text) {
    lia_sheet_bytes(sheet, text, strlen(text));
}

void lia_sheet_char(LiaSheet* sheet, char c) { lia_sheet_bytes(sheet, &c, 1); }

void lia_sheet_print(LiaSheet* sheet, const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) lia_cli_memory_out();
    if (length >= 0 && reserve(sheet, (size_t)length)) {
        vsnprintf(sheet->text + sheet->size, (size_t)length + 1, format, again);
        sheet->size += (size_t)length;
    }
    va_end(again);
}

char* lia_sheet_end(LiaSheet* sheet) {
    lia_sheet_bytes(sheet, "", 0);  // nothing at all is a text too
    if (lia_cli_memory_is_out()) {
        free(sheet->text);
        *sheet = (LiaSheet){0};
    }
    return sheet->text;
}
