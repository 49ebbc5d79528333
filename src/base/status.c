// Statuses and their sentences, and the texts that are handed to callers of the public header.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include <liaison/liaison.h>
#include <stdlib.h>

const char* lia_version(void) { return LIA_VERSION; }

const char* lia_status_text(LiaStatus status) {
    static const char* const sentences[] = {
#define LIA_STATUS(id, text) [LIA_##id] = text,
#include <liaison/status.def>
#undef LIA_STATUS
    };
    size_t i = (size_t)status;
    return i < sizeof sentences / sizeof *sentences ? sentences[i] : "an unknown status";
}

void lia_free(char* text) { free(text); }

char* lia_diags_text(const LiaDiags* diags) {
    if (!diags) return NULL;
    LiaCall call = lia_call_begin(NULL);
    LiaText text = {0};
    lia_text_add_bytes(&text, "", 0);  // no diagnostics: an empty text, not NULL
    lia_diag_render(diags, &text);
    return lia_call_text(&call, &text);
}
