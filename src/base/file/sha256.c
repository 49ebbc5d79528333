// SHA-256. See sha256.h; the letters are those of FIPS 180-4.
// SPDX-License-Identifier: MIT
#include "base/file/sha256.h"
#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void compress(uint32_t state[8], const unsigned char* block) {
    uint32_t W[64];
    for (int t = 0; t < 16; t++) {
        const unsigned char* b = block + 4 * t;
        W[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = turn(W[t - 15], 7) ^ turn(W[t - 15], 18) ^ W[t - 15] >> 3;
        uint32_t s1 = turn(W[t - 2], 17) ^ turn(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = W[t - 16] + s0 + W[t - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < 64; t++) {
        uint32_t S1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25), choose = (e & f) ^ (~e & g);
        uint32_t S0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22), most = (a & b) ^ (a & c) ^ (b & c);
        uint32_t T1 = h + S1 + choose + K[t] + W[t], T2 = S0 + most;
        h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
    }
    const uint32_t change[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) state[i] += change[i];
}

LiaSha256 lia_sha256_begin(void) {
    return (LiaSha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void lia_sha256_add(LiaSha256* sha, const void* bytes, size_t count) {
    const unsigned char* at = bytes;
    size_t kept = (size_t)(sha->length % 64);
    sha->length += count;
    while (count > 0) {
        if (kept == 0 && count >= 64) {
            compress(sha->state, at);
            at += 64;
            count -= 64;
            continue;
        }
        size_t n = 64 - kept < count ? 64 - kept : count;
        memcpy(sha->block + kept, at, n);
        kept += n;
        at += n;
        count -= n;
        if (kept == 64) {
            compress(sha->state, sha->block);
            kept = 0;
        }
    }
}

void lia_sha256_add_text(LiaSha256* sha, const char* text) {
    uint64_t length = strlen(text);
    lia_sha256_add(sha, &length, sizeof length);
    lia_sha256_add(sha, text, (size_t)length);
}

LiaDigest lia_sha256_end(LiaSha256* sha) {
    uint64_t bits = sha->length * 8;
    unsigned char end[8];
    for (int i = 0; i < 8; i++) end[i] = (unsigned char)(bits >> (56 - 8 * i));
    lia_sha256_add(sha, "\x80", 1);
    while (sha->length % 64 != 56) lia_sha256_add(sha, "", 1);
    lia_sha256_add(sha, end, sizeof end);
    LiaDigest digest;
    for (int i = 0; i < LIA_SHA256_BYTES; i++) {
        digest.bytes[i] = (unsigned char)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
    }
    return digest;
}
