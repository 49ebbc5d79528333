// SHA-256 (FIPS 180-4): a number that two texts share only if they are the same.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { LIA_SHA256_BYTES = 32 };

typedef struct LiaDigest {
    unsigned char bytes[LIA_SHA256_BYTES];
} LiaDigest;

typedef struct LiaSha256 {
    uint32_t state[8];
    uint64_t length;  // bytes so far
    unsigned char block[64];
} LiaSha256;

LiaSha256 lia_sha256_begin(void);
void lia_sha256_add(LiaSha256* sha, const void* bytes, size_t count);
/// The length first, so that "ab", "c" and "a", "bc" are not the same.
void lia_sha256_add_text(LiaSha256* sha, const char* text);
LiaDigest lia_sha256_end(LiaSha256* sha);
