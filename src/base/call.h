// A public call: where memory and diagnostics stood when it began, so that it can end with "memory is out" and nothing else.
//
//     LiaCall call = lia_call_begin(diags);
//     LiaStatus status = build(..., out);
//     if (!lia_call_failed(&call)) return status;
//     lia_thing_destroy(*out);
//     *out = NULL;
//     return LIA_MEMORY;
// SPDX-License-Identifier: MIT
#pragma once
#include "diag.h"
#include "memory.h"

typedef struct LiaCall {
    LiaMemoryMark memory;
    LiaDiags* diags;  // NULL: the call has none
    LiaDiagsMark said;
} LiaCall;

/// At the beginning of a call; `diags` may be NULL.
LiaCall lia_call_begin(LiaDiags* diags);
/// Was memory out since? Then what was said since is taken back, since it may come from the lack, and E0199 stands there instead
/// if there is memory for that.
bool lia_call_failed(const LiaCall* call);
/// The text a call hands out: NULL, and `text` cleared, if memory was out since or the text is cut.
char* lia_call_text(const LiaCall* call, LiaText* text);
