// Packed columns: many smooth numbers in few bytes, for pages that carry their data with them.
//
// A column is rounded to whole steps, x = low + step q with 0 <= q < 2^bits; what is kept is the
// difference of order p of q, which is small for smooth columns, in Rice code:
//
//   r[i] = difference of order min(i, p) of q at i,    z = r >= 0 ? 2r : -2r - 1
//   blocks of 64: five bits k, then for each z: z >> k ones, a zero, the low k bits of z;
//   24 ones without a zero announce all 32 bits of z
//
// p, from 0 to 6, is the one that needs the fewest bits. Bits fill bytes from the top. What is no
// number, or beyond 1e300, is listed apart, as holes, and reads as the number before it.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIA_PACKED_ORDER_MOST = 6, LIA_PACKED_BLOCK = 64, LIA_PACKED_ESCAPE = 24 };

typedef struct LiaPacked {
    double low, step;
    int order;
    uint8_t* bytes;
    size_t size;
    uint32_t* holes;  // first and count of each run of what is no number
    size_t hole_count;
} LiaPacked;

/// Pack `count` numbers `stride` apart into steps of 2^-bits of their range, bits <= 24. False if
/// memory is out.
bool lia_packed_make(LiaPacked* packed, const double* x, size_t count, size_t stride, int bits);
void lia_packed_clear(LiaPacked* packed);
/// How to read them, inside of a JSON object: "low": .., "step": .., "order": .., "at": 0, "holes":
/// [..]
void lia_packed_describe(LiaText* out, const LiaPacked* packed);
/// Bytes as base64, without line ends.
void lia_packed_base64(LiaText* out, const uint8_t* bytes, size_t size);
