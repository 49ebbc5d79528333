// Reading a model file or text: the public way into lang.
// SPDX-License-Identifier: MIT
#include "../base/call.h"
#include "../base/input.h"
#include "limits.h"
#include "model.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

LiaStatus lia_model_parse(const char* name, const char* text, size_t length,
                          const LiaDefine* defines, size_t define_count, LiaDiags* diags,
                          LiaModel** out) {
    double begin = now();
    LiaCall call = lia_call_begin(diags);
    lia_lang_parse(name, text, length, defines, define_count, diags, out);
    if (lia_call_failed(&call)) {
        lia_model_destroy(*out);
        *out = NULL;
        return LIA_MEMORY;
    }
    if (!*out) return LIA_MODEL;
    (*out)->seconds = now() - begin;
    return LIA_OK;
}

LiaStatus lia_model_read(const char* path, const LiaDefine* defines, size_t define_count,
                         LiaDiags* diags, LiaModel** out) {
    *out = NULL;
    LiaCall call = lia_call_begin(diags);
    size_t length = 0;
    LiaFileId file;
    char* text = lia_input_read(path, LIA_LIMIT_FILE, &length, &file);
    int problem = errno;
    const char* name = lia_input_name(path);
    if (!text) {
        lia_diags_source(diags, name, "", 0);
        lia_diag_error(diags, (LiaSpan){0, 0}, "E0100", "the file cannot be read: %s",
                       strerror(problem ? problem : EIO));
        if (lia_call_failed(&call)) return LIA_MEMORY;
        errno = problem;
        return LIA_FILE;
    }
    LiaStatus status = lia_model_parse(name, text, length, defines, define_count, diags, out);
    if (status == LIA_OK) (*out)->file = file;
    free(text);
    return status;
}

void lia_model_destroy(LiaModel* model) { lia_lang_destroy(model); }

const char* lia_model_name(const LiaModel* model) { return model->name; }
