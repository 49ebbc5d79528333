// Reading a model file or text: the public way into lang.
// SPDX-License-Identifier: MIT
#include "../base/call.h"
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

// The whole file, up to one byte more than a model may have. NULL: not readable.
static char* read_all(FILE* file, size_t* length) {
    size_t capacity = 1 << 16, used = 0;
    char* text = lia_memory_take(capacity + 1);
    while (text) {
        size_t got = fread(text + used, 1, capacity - used, file);
        used += got;
        if (used < capacity || used > LIA_LIMIT_FILE) break;
        char* more = lia_memory_resize(text, capacity * 2 + 1);
        if (!more) {
            free(text);
            return NULL;
        }
        text = more;
        capacity *= 2;
    }
    if (text && ferror(file)) {
        free(text);
        return NULL;
    }
    if (text) text[used] = '\0';
    *length = used;
    return text;
}

LiaStatus lia_model_read(const char* path, const LiaDefine* defines, size_t define_count,
                         LiaDiags* diags, LiaModel** out) {
    *out = NULL;
    LiaCall call = lia_call_begin(diags);
    bool standard = strcmp(path, "-") == 0;
    errno = 0;
    FILE* file = standard ? stdin : fopen(path, "rb");
    if (!file && errno == ENOMEM) lia_memory_fail();
    size_t length = 0;
    char* text = file ? read_all(file, &length) : NULL;
    int problem = errno;
    if (file && !standard) fclose(file);
    const char* name = standard ? "(standard input)" : path;
    if (!text) {
        lia_diags_source(diags, name, "", 0);
        lia_diag_error(diags, (LiaSpan){0, 0}, "E0100", "the file cannot be read: %s",
                       strerror(problem ? problem : EIO));
        if (lia_call_failed(&call)) return LIA_MEMORY;
        errno = problem;
        return LIA_FILE;
    }
    LiaStatus status = lia_model_parse(name, text, length, defines, define_count, diags, out);
    free(text);
    return status;
}

void lia_model_destroy(LiaModel* model) { lia_lang_destroy(model); }

const char* lia_model_name(const LiaModel* model) { return model->name; }
