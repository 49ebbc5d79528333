// A public call and memory. See call.h.
// SPDX-License-Identifier: MIT
#include "call.h"

LiaCall lia_call_begin(LiaDiags* diags) {
    return (LiaCall){lia_memory_mark(), diags,
                     diags ? lia_diags_mark(diags) : (LiaDiagsMark){0, 0, 0}};
}

bool lia_call_failed(const LiaCall* call) {
    if (!lia_memory_failed(call->memory)) return false;
    if (call->diags) {
        lia_diags_reset(call->diags, call->said);
        lia_diag_error(call->diags, (LiaSpan){0, 0}, "E0199", "memory is out");
    }
    return true;
}

char* lia_call_text(const LiaCall* call, LiaText* text) {
    if (lia_call_failed(call) || text->failed) lia_text_clear(text);
    return text->data;
}
