// A public call and memory. See call.h.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"

static LiaCall begin(LiaDiags* diags, bool work) {
    LiaWatchMode before = lia_watch_enter(LIA_WATCH_ABANDON);
    if (!work) lia_watch_enter(before);
    return (LiaCall){.memory = lia_memory_mark(),
                     .diags = diags,
                     .said = diags ? lia_diag_mark(diags) : (LiaDiagsMark){0, 0, 0},
                     .work = work,
                     .before = before};
}

LiaCall lia_call_begin(LiaDiags* diags) { return begin(diags, false); }

LiaCall lia_call_begin_work(LiaDiags* diags) { return begin(diags, true); }

LiaStatus lia_call_end(const LiaCall* call) {
    LiaSpent spent = lia_budget_spent();
    bool stopped = call->work && spent != LIA_SPENT_NOTHING && spent != LIA_SPENT_MEMORY;
    bool refused = call->work && spent == LIA_SPENT_MEMORY;
    bool out = refused || lia_memory_failed(call->memory);
    lia_watch_enter(LIA_WATCH_FINISH);  // there is room to say so
    if ((out || stopped) && call->diags) lia_diag_reset(call->diags, call->said);
    if (out && !stopped && call->diags) {
        lia_diag_error(call->diags, (LiaSpan){0, 0}, "E0199", "memory is out%s",
                       refused ? ": the budget is spent" : "");
        bool said = lia_diags_count(call->diags) > call->said.count;
        // an error without words does not count
        if (!said) lia_diag_reset(call->diags, call->said);
    }
    lia_watch_enter(call->before);
    return stopped ? LIA_STOPPED : out ? LIA_MEMORY : LIA_OK;
}

bool lia_call_failed(const LiaCall* call) { return lia_call_end(call) != LIA_OK; }

char* lia_call_text(const LiaCall* call, LiaText* text) {
    if (lia_call_failed(call) || text->failed) lia_text_clear(text);
    return text->data;
}
