// A checkpoint from any bytes: gone on with, or refused with an error, and never harm. The first
// byte says how they are meant: as the file itself, or as changes of a good one, with the sum that
// belongs to it.
// SPDX-License-Identifier: MIT
#include "base/file/input.h"
#include "base/file/sha256.h"
#include <liaison/liaison.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 21 + 3 * LIA_SHA256_BYTES + 8, MODELS = 3 };

static const char* const texts[MODELS] = {
    "coordinate x, y : line\nkinetic x'^2 + y'^2\npotential abs(x)\nconstraint c: x^2 + y^2 = 1\n"
    "event e: x = 0\nstart x = 1, y' = 1\nrun t = 0..60, samples 5\n",
    "coordinate x, s : line\nkinetic (x' + s')^2/2 + s'^2\noperator a: s = abs(sin(t))\n"
    "run t = 1..60, samples 5\n",
    "coordinate x, y : line\nkinetic 1/2*x'^2 + y'^2\npotential 25*(y - x)^2\n"
    "operator o: y = sin(t) by d(x)\nrun t = 0..60, samples 5\n"};

typedef struct Known {
    LiaModel* model;
    LiaSystem* system;
    char* good;
    size_t length;
} Known;

static char path[64];

static LiaStatus run(const Known* k, const LiaRunOptions* options, LiaDiags* diags) {
    LiaTrajectory* t = NULL;
    LiaStatus status = lia_motion_run(k->system, options, diags, &t);
    if ((t == NULL) != (lia_diags_errors(diags) > 0)) abort();
    lia_trajectory_destroy(t);
    return status;
}

static void make(Known* k, const char* text) {
    LiaDiags* diags = lia_diags_create();
    snprintf(path, sizeof path, "/tmp/fuzz-checkpoint-%ld", (long)getpid());
    LiaRunOptions options = {.steps_most = 5, .checkpoint = path};
    if (lia_model_parse("m.lia", text, strlen(text), NULL, diags, &k->model) != LIA_OK ||
        lia_system_build(k->model, NULL, diags, &k->system) != LIA_OK ||
        run(k, &options, diags) != LIA_STOPPED) {
        abort();
    }
    k->good = lia_input_read(path, SIZE_MAX / 4, &k->length, NULL);
    if (!k->good) abort();
    lia_diags_destroy(diags);
}

// Three bytes are a place, the next one what stands there.
static void change(char* text, size_t length, const uint8_t* data, size_t size) {
    size_t room = length - HEAD - LIA_SHA256_BYTES;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        size_t at = ((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2]) % room;
        text[HEAD + at] = (char)data[i + 3];
    }
    LiaSha256 sha = lia_sha256_begin();
    lia_sha256_add(&sha, text, length - LIA_SHA256_BYTES);
    LiaDigest sum = lia_sha256_end(&sha);
    memcpy(text + length - LIA_SHA256_BYTES, sum.bytes, sizeof sum.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Known known[MODELS];
    if (size == 0) return 0;
    Known* k = &known[data[0] % MODELS];
    if (!k->good) make(k, texts[data[0] % MODELS]);
    bool raw = data[0] >= 0x80;
    size_t length = raw ? size - 1 : k->length;
    char* text = malloc(length + 1);
    if (!text) abort();
    memcpy(text, raw ? (const char*)data + 1 : k->good, length);
    if (!raw) change(text, length, data + 1, size - 1);
    FILE* file = fopen(path, "wb");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0) abort();
    LiaDiags* diags = lia_diags_create();
    run(k, &(LiaRunOptions){.resume = path, .steps_most = 9}, diags);
    lia_diags_destroy(diags);
    free(text);
    return 0;
}
