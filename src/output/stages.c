// What stands at each border of the data's way, as text.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "base/text/plain.h"
#include "lang/model.h"
#include "mechanics/system.h"
#include <string.h>

char* lia_dump(const LiaModel* model, const LiaSystem* system, const char* stage) {
    if (!model || !stage) return NULL;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    lia_text_add_bytes(&out, "", 0);
    bool known = true;
    if (strcmp(stage, "lang") == 0) {
        lia_lang_dump(model, &out);
    } else {
        known = system && lia_system_dump(system, stage, &out);
    }
    if (!known) lia_text_clear(&out);
    lia_plain_make(&out, LIA_PLAIN_LINES);
    return lia_call_text(&call, &out);
}
