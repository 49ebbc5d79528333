// Reading packed columns back. See unpacked.h.
// SPDX-License-Identifier: MIT
#include "unpacked.h"
#include <stdlib.h>

typedef struct Reader {
    const uint8_t* bytes;
    size_t at;
} Reader;

static unsigned bit(Reader* r) {
    unsigned b = r->bytes[r->at / 8] >> (7 - r->at % 8) & 1u;
    r->at++;
    return b;
}

static uint32_t bits(Reader* r, int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; i++) value = value << 1 | bit(r);
    return value;
}

void unpack(const uint8_t* bytes, size_t count, double low, double step, int order, double* x) {
    Reader r = {bytes, 0};
    int64_t* q = calloc(count + 1, sizeof *q);
    for (size_t i = 0; q && step > 0.0 && i < count;) {
        int k = (int)bits(&r, 5);
        for (size_t end = i + 64; i < end && i < count; i++) {
            uint32_t ones = 0, z;
            while (ones < 24 && bit(&r)) ones++;
            z = ones == 24 ? bits(&r, 32) : (ones << k) + bits(&r, k);
            q[i] = z % 2 ? -(int64_t)(z / 2) - 1 : (int64_t)(z / 2);
        }
    }
    for (int p = order; q && p > 0; p--) {
        for (size_t i = (size_t)p; i < count; i++) q[i] += q[i - 1];
    }
    for (size_t i = 0; q && i < count; i++) x[i] = low + step * (double)q[i];
    free(q);
}
