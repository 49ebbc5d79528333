// Packed columns. See packed.h for the code.
// SPDX-License-Identifier: MIT
#include "output/page/packed.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bits {
    uint8_t* bytes;
    size_t size, capacity;
    uint64_t buffer;
    int filled;
    bool failed;
} Bits;

static void put(Bits* out, uint32_t value, int count) {
    out->buffer = out->buffer << count | (count < 32 ? value & ((1u << count) - 1u) : value);
    out->filled += count;
    while (out->filled >= 8) {
        if (out->size == out->capacity) {
            size_t capacity = out->capacity ? 2 * out->capacity : 256;
            uint8_t* bytes = lia_memory_resize(out->bytes, capacity);
            if (!bytes) {
                out->failed = true;
                out->filled = 0;
                return;
            }
            out->bytes = bytes;
            out->capacity = capacity;
        }
        out->filled -= 8;
        out->bytes[out->size++] = (uint8_t)(out->buffer >> out->filled);
    }
}

static void put_rice(Bits* out, uint32_t z, int k) {
    uint32_t ones = z >> k;
    if (ones >= LIA_PACKED_ESCAPE) {
        put(out, (1u << LIA_PACKED_ESCAPE) - 1u, LIA_PACKED_ESCAPE);
        put(out, z, 32);
        return;
    }
    put(out, ((1u << ones) - 1u) << 1, (int)ones + 1);
    put(out, z, k);
}

static uint64_t rice_bits(const uint32_t* z, size_t count, int k) {
    uint64_t sum = 5;
    for (size_t i = 0; i < count; i++) {
        uint32_t ones = z[i] >> k;
        sum += ones >= LIA_PACKED_ESCAPE ? LIA_PACKED_ESCAPE + 32u : ones + 1u + (uint32_t)k;
    }
    return sum;
}

// Near the binary logarithm of the mean: one step further never pays.
static int best_parameter(const uint32_t* z, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += z[i];
    int k = 0;
    while (k < 31 && ((uint64_t)count << (k + 1)) <= sum) k++;
    uint64_t here = rice_bits(z, count, k);
    if (k > 0 && rice_bits(z, count, k - 1) < here) return k - 1;
    return k < 31 && rice_bits(z, count, k + 1) < here ? k + 1 : k;
}

static uint64_t all_bits(const uint32_t* z, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i += LIA_PACKED_BLOCK) {
        size_t n = count - i < LIA_PACKED_BLOCK ? count - i : LIA_PACKED_BLOCK;
        sum += rice_bits(z + i, n, best_parameter(z + i, n));
    }
    return sum;
}

// The difference of order min(i, p): the difference of order min(i, p - 1), once more where i >= p.
static void differ(int32_t* r, size_t count, int p) {
    for (size_t i = count; i-- > (size_t)p;) r[i] -= r[i - 1];
}

static void zigzag(const int32_t* r, uint32_t* z, size_t count) {
    for (size_t i = 0; i < count; i++) {
        z[i] = r[i] >= 0 ? 2u * (uint32_t)r[i] : 2u * (uint32_t)(-(r[i] + 1)) + 1u;
    }
}

// Beyond that a range could be beyond the largest number; nobody draws it.
static bool is_number(double x) { return fabs(x) < LIA_PACKED_MOST; }

// Numbers as whole steps; low and step, holes.
static bool quantise(LiaPacked* packed, const double* x, size_t count, size_t stride, int bits,
                     int32_t* q) {
    double low = INFINITY, high = -INFINITY;
    size_t holes = 0, capacity = 0;
    for (size_t i = 0; i < count; i++) {
        double value = x[i * stride];
        if (!is_number(value)) continue;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    bool any = low <= high;
    double most = (double)((1u << bits) - 1u);
    packed->low = any ? low : 0.0;
    packed->step = any ? (high - low) / most : 0.0;
    int32_t last = 0;
    for (size_t i = 0; i < count; i++) {
        double value = x[i * stride];
        if (is_number(value)) {
            double steps = packed->step > 0.0 ? round((value - low) / packed->step) : 0.0;
            last = (int32_t)fmin(fmax(steps, 0.0), most);
        } else if (holes > 0 &&
                   packed->holes[2 * holes - 2] + packed->holes[2 * holes - 1] == (uint32_t)i) {
            packed->holes[2 * holes - 1]++;
        } else {
            if (holes == capacity) {
                capacity = capacity ? 2 * capacity : 8;
                uint32_t* more = lia_memory_resize(packed->holes, 2 * capacity * sizeof *more);
                if (!more) return false;
                packed->holes = more;
            }
            packed->holes[2 * holes] = (uint32_t)i;
            packed->holes[2 * holes + 1] = 1;
            holes++;
        }
        q[i] = last;
    }
    packed->hole_count = holes;
    return true;
}

static void write(Bits* out, const uint32_t* z, size_t count) {
    for (size_t i = 0; i < count; i += LIA_PACKED_BLOCK) {
        size_t n = count - i < LIA_PACKED_BLOCK ? count - i : LIA_PACKED_BLOCK;
        int k = best_parameter(z + i, n);
        put(out, (uint32_t)k, 5);
        for (size_t j = 0; j < n; j++) put_rice(out, z[i + j], k);
    }
    if (out->filled > 0) put(out, 0, 8 - out->filled);
}

bool lia_packed_make(LiaPacked* packed, const double* x, size_t count, size_t stride, int bits) {
    *packed = (LiaPacked){0};
    int32_t* r = lia_memory_take((count + 1) * sizeof *r);
    uint32_t* z = lia_memory_take((count + 1) * sizeof *z);
    uint32_t* best = lia_memory_take((count + 1) * sizeof *best);
    bool good = r && z && best && quantise(packed, x, count, stride, bits, r);
    uint64_t fewest = UINT64_MAX;
    // differences of order 6 of numbers below 2^24 stay below 2^30
    for (int p = 0; good && p <= LIA_PACKED_ORDER_MOST && packed->step > 0.0; p++) {
        if (p > 0) differ(r, count, p);
        zigzag(r, z, count);
        uint64_t needed = all_bits(z, count);
        if (needed < fewest) {
            fewest = needed;
            packed->order = p;
            memcpy(best, z, count * sizeof *z);
        }
    }
    if (good && packed->step > 0.0) {
        Bits out = {0};
        write(&out, best, count);
        packed->bytes = out.bytes;
        packed->size = out.size;
        good = !out.failed;
    }
    free(r);
    free(z);
    free(best);
    if (!good) lia_packed_clear(packed);
    return good;
}

void lia_packed_clear(LiaPacked* packed) {
    free(packed->bytes);
    free(packed->holes);
    *packed = (LiaPacked){0};
}

void lia_packed_describe(LiaText* out, const LiaPacked* packed) {
    lia_text_add(out, "\"low\": ");
    lia_text_add_number(out, packed->low);
    lia_text_add(out, ", \"step\": ");
    lia_text_add_number(out, packed->step);
    lia_text_add(out, ", \"order\": %d, \"at\": 0, \"holes\": [", packed->order);
    for (size_t i = 0; i < 2 * packed->hole_count; i++) {
        lia_text_add(out, "%s%u", i > 0 ? ", " : "", packed->holes[i]);
    }
    lia_text_add(out, "]");
}

void lia_packed_base64(LiaText* out, const uint8_t* bytes, size_t size) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char line[4 * 256];
    size_t n = 0;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t word = (uint32_t)bytes[i] << 16;
        word |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
        word |= i + 2 < size ? (uint32_t)bytes[i + 2] : 0;
        line[n++] = letters[word >> 18];
        line[n++] = letters[word >> 12 & 63];
        line[n++] = i + 1 < size ? letters[word >> 6 & 63] : '=';
        line[n++] = i + 2 < size ? letters[word & 63] : '=';
        if (n == sizeof line) {
            lia_text_add_bytes(out, line, n);
            n = 0;
        }
    }
    lia_text_add_bytes(out, line, n);
}
