// Keeping numbers. See keep.h.
// SPDX-License-Identifier: MIT
#include "base/file/keep.h"
#include <string.h>

// The next bytes of the text; NULL: it has not that many.
static const char* next(LiaKeep* keep, size_t count, size_t size) {
    if (keep->wrong || count > keep->left / size) {
        keep->wrong = true;
        return NULL;
    }
    const char* bytes = keep->at;
    keep->at += count * size;
    keep->left -= count * size;
    return bytes;
}

static void keep_any(LiaKeep* keep, void* x, size_t count, size_t size) {
    if (count == 0) return;
    if (keep->out) {
        lia_text_add_bytes(keep->out, x, count * size);
        return;
    }
    const char* bytes = next(keep, count, size);
    if (bytes) memcpy(x, bytes, count * size);
}

void lia_keep_doubles(LiaKeep* keep, double* x, size_t count) {
    keep_any(keep, x, count, sizeof *x);
}

void lia_keep_counts(LiaKeep* keep, uint64_t* x, size_t count) {
    keep_any(keep, x, count, sizeof *x);
}

void lia_keep_signs(LiaKeep* keep, signed char* x, size_t count) {
    keep_any(keep, x, count, sizeof *x);
}

void lia_keep_ints(LiaKeep* keep, int* x, size_t count, int least, int most) {
    if (keep->out) {
        keep_any(keep, x, count, sizeof *x);
        return;
    }
    const char* bytes = next(keep, count, sizeof *x);
    for (size_t i = 0; bytes && i < count; i++) {
        int value;
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        if (value < least || value > most) {
            keep->wrong = true;
            return;
        }
        x[i] = value;
    }
}

void lia_keep_rows(LiaKeep* keep, int* x, int used, size_t count) {
    lia_keep_ints(keep, x, count, 0, count ? (int)count - 1 : 0);
    if (used > 0 && (size_t)used > count) keep->wrong = true;
    for (int i = 1; lia_keep_good(keep) && i < used; i++) {
        if (x[i] <= x[i - 1]) keep->wrong = true;
    }
}

void lia_keep_sizes(LiaKeep* keep, size_t* x, size_t count, size_t most) {
    if (keep->out) {
        keep_any(keep, x, count, sizeof *x);
        return;
    }
    const char* bytes = next(keep, count, sizeof *x);
    for (size_t i = 0; bytes && i < count; i++) {
        size_t value;
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        if (value > most) {
            keep->wrong = true;
            return;
        }
        x[i] = value;
    }
}

void lia_keep_bools(LiaKeep* keep, bool* x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char byte = keep->out && x[i] ? 1 : 0;
        if (keep->out) {
            lia_text_add_bytes(keep->out, &byte, 1);
            continue;
        }
        const char* bytes = next(keep, 1, 1);
        if (!bytes) return;
        if (*bytes != 0 && *bytes != 1) {
            keep->wrong = true;
            return;
        }
        x[i] = *bytes == 1;
    }
}

void lia_keep_same(LiaKeep* keep, size_t x) {
    size_t read = x;
    lia_keep_sizes(keep, &read, 1, SIZE_MAX);
    if (read != x) keep->wrong = true;
}

bool lia_keep_there(LiaKeep* keep, bool there) {
    bool answer = there;
    if (lia_keep_reads(keep)) answer = false;
    lia_keep_bool(keep, &answer);
    return answer && lia_keep_good(keep);
}

size_t lia_keep_length(LiaKeep* keep, size_t length, size_t most, size_t size) {
    size_t answer = length;
    if (lia_keep_reads(keep)) {
        answer = 0;
        if (size > 0 && most > keep->left / size) most = keep->left / size;
    }
    lia_keep_sizes(keep, &answer, 1, keep->out ? SIZE_MAX : most);
    return lia_keep_good(keep) ? answer : 0;
}
