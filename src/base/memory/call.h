// A public call: where memory and diagnostics stood when it began, so that it can end with "memory
// is out" and nothing else.
//
//     LiaCall call = lia_call_begin_work(diags);
//     LiaStatus status = build(..., out);
//     LiaStatus ended = lia_call_end(&call);
//     if (ended == LIA_OK) return status;
//     lia_thing_destroy(*out);
//     *out = NULL;
//     return ended;
//
// Between the two such a call can be abandoned (base/watch): reading, building and the like are
// worth nothing unless they come to their end. What writes results begins with lia_call_begin() and
// is not abandoned.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/memory/memory.h"
#include "base/text/diag.h"
#include "base/watch.h"

typedef struct LiaCall {
    LiaMemoryMark memory;
    LiaDiags* diags;  // NULL: the call has none
    LiaDiagsMark said;
    bool work;            // it can be abandoned
    LiaWatchMode before;  // it began
} LiaCall;

/// At the beginning of a call; `diags` may be NULL.
LiaCall lia_call_begin(LiaDiags* diags);
/// The same for one that can be abandoned. Its end is not to be forgotten.
LiaCall lia_call_begin_work(LiaDiags* diags);
/// At its end: LIA_OK; LIA_STOPPED where it was abandoned; LIA_MEMORY where memory was out, also
/// that of a budget. In the last two what was said since is taken back, as by lia_call_failed().
LiaStatus lia_call_end(const LiaCall* call);
/// The end: was memory out since, or the call abandoned? Then what was said since is taken back,
/// since it may come from the lack, and E0199 stands there instead if there is memory for that.
bool lia_call_failed(const LiaCall* call);
/// Are the options that this version does not know left out?
static inline bool lia_call_knows_all(const uint64_t* more, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (more[i] != 0) return false;
    }
    return true;
}
static inline bool lia_call_knows(const uint64_t more[LIA_MORE]) {
    return lia_call_knows_all(more, LIA_MORE);
}
/// The text a call hands out: NULL, and `text` cleared, if memory was out since or the text is cut.
char* lia_call_text(const LiaCall* call, LiaText* text);
