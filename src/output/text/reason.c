// Why a run ended early, as a diagnostic that points at the model text.
// SPDX-License-Identifier: MIT
#include "output/text/reason.h"
#include "base/memory/call.h"
#include "base/text/plain.h"
#include "lang/model.h"
#include <string.h>

// The reason as a sentence that says when.
static void add_sentence(const LiaTrajectory* trajectory, LiaText* out) {
    const LiaReason* reason = &trajectory->reason;
    const char* text = reason->text ? reason->text : lia_status_text(trajectory->status);
    if (!strstr(text, "at t = ")) {
        lia_text_add(out, "at t = ");
        lia_text_add_short(out, reason->text ? reason->t : trajectory->t, 7);
        lia_text_add(out, ": ");
    }
    lia_text_add(out, "%s", text);
}

void lia_reason_print(const LiaTrajectory* trajectory, LiaText* out) {
    if (trajectory->status == LIA_OK) {
        return;
    }
    LiaText sentence = {0};
    add_sentence(trajectory, &sentence);
    const LiaSource* source = &trajectory->model->text.source;
    const char* name = source->name ? source->name : trajectory->model->name;
    const LiaReason* reason = &trajectory->reason;
    LiaDiags* diags = trajectory->status == LIA_FAILED && reason->code ? lia_diags_create() : NULL;
    if (diags && sentence.data) {
        lia_diag_source(diags, name, source->text ? source->text : "",
                        source->text ? source->length : 0);
        lia_diag_error(diags, reason->span, reason->code, "%s", sentence.data);
        if (reason->help) lia_diag_help(diags, "%s", reason->help);
        lia_diag_render(diags, out);
    } else {
        lia_plain_add(out, name, strlen(name), LIA_PLAIN_WORD);
        lia_text_add(out, ": ");
        lia_plain_add(out, sentence.data ? sentence.data : "", sentence.length, LIA_PLAIN_LINES);
        lia_text_add(out, "\n");
    }
    lia_diags_destroy(diags);
    lia_text_clear(&sentence);
}

char* lia_output_reason(const LiaTrajectory* trajectory) {
    if (!trajectory) return NULL;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    lia_text_add_bytes(&out, "", 0);
    lia_reason_print(trajectory, &out);
    return lia_call_text(&call, &out);
}
