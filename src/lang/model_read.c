// Reading a model file or text: the public way into lang.
// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "base/file/input.h"
#include "base/memory/call.h"
#include "lang/limits.h"
#include "lang/model.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In the order of their names: how they were given does not matter.
static LiaDigest digest_of(const char* text, size_t length, const LiaDefines* given) {
    const LiaDefine* defines = given ? given->list : NULL;
    size_t count = given ? given->count : 0;
    LiaSha256 sha = lia_sha256_begin();
    uint64_t bytes = length;
    lia_sha256_add(&sha, &bytes, sizeof bytes);
    lia_sha256_add(&sha, text, length);
    const LiaDefine* last = NULL;
    for (size_t k = 0; k < count; k++) {
        const LiaDefine* next = NULL;
        for (size_t i = 0; i < count; i++) {
            bool left = !last || strcmp(defines[i].name, last->name) > 0;
            if (left && (!next || strcmp(defines[i].name, next->name) < 0)) next = &defines[i];
        }
        if (!next) break;
        lia_sha256_add_text(&sha, next->name);
        for (size_t i = 0; i < count; i++) {  // of a name that was given twice both
            if (strcmp(defines[i].name, next->name) == 0) {
                lia_sha256_add(&sha, &defines[i].value, sizeof defines[i].value);
            }
        }
        last = next;
    }
    return lia_sha256_end(&sha);
}

static bool are_defines(const LiaDefines* defines) {
    if (!defines) return true;
    if (!defines->list) return defines->count == 0;
    for (size_t i = 0; i < defines->count; i++) {
        if (!defines->list[i].name || !isfinite(defines->list[i].value)) return false;
    }
    return true;
}

LiaStatus lia_model_parse(const char* name, const char* text, size_t length,
                          const LiaDefines* defines, LiaDiags* diags, LiaModel** out) {
    if (out) *out = NULL;
    if (!name || (!text && length > 0) || !are_defines(defines) || !diags || !out)
        return LIA_ARGUMENT;
    if (!text) text = "";
    double begin = lia_clock_seconds();
    LiaCall call = lia_call_begin_work(diags);
    lia_lang_parse(name, text, length, defines, diags, out);
    LiaStatus ended = lia_call_end(&call);
    if (ended != LIA_OK) {
        lia_model_destroy(*out);
        *out = NULL;
        return ended;
    }
    if (!*out) return LIA_MODEL;
    assert(lia_model_invariants_hold(*out));
    (*out)->text.digest = digest_of(text, length, defines);
    (*out)->seconds = lia_clock_seconds() - begin;
    return LIA_OK;
}

LiaStatus lia_model_read(const char* path, const LiaDefines* defines, LiaDiags* diags,
                         LiaModel** out) {
    if (out) *out = NULL;
    if (!path || !are_defines(defines) || !diags || !out) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin_work(diags);
    size_t length = 0;
    LiaFileId file;
    char* text = lia_input_read(path, LIA_LIMIT_FILE, &length, &file);
    int problem = errno;
    if (!text) {
        lia_diag_source(diags, lia_input_name(path), "", 0);
        lia_diag_error(diags, (LiaSpan){0, 0}, "E0100", "the file cannot be read: %s",
                       strerror(problem ? problem : EIO));
    }
    LiaStatus status = lia_call_end(&call);
    if (status == LIA_OK) {
        status = text ? lia_model_parse(lia_input_name(path), text, length, defines, diags, out)
                      : LIA_FILE;
    }
    if (status == LIA_OK) (*out)->text.file = file;
    free(text);
    if (status == LIA_FILE) errno = problem;
    return status;
}

void lia_model_destroy(LiaModel* model) { lia_lang_destroy(model); }

const char* lia_model_name(const LiaModel* model) { return model ? model->name : NULL; }
