// Nearest: edit distance with exchanges of neighbours (q1 -> 1q counts one), byte by byte; a wrong
// case counts half, so that 'Theta' finds 'theta' before 'beta'. Words that differ in case alone
// are nearest of all: 'PI' is 'pi', not 'P', and 'SQRT' is 'sqrt'.
// SPDX-License-Identifier: MIT
#include "lang/syntax/nearest.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 40 };

static int lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c; }

static int least(int a, int b) { return a < b ? a : b; }

// Twice the number of edits.
static int distance_of(const char* a, size_t n, const char* b, size_t m) {
    int rows[3][LONGEST + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++) {
        last[j] = 2 * (int)j;
    }
    for (size_t i = 1; i <= n; i++) {
        row[0] = 2 * (int)i;
        for (size_t j = 1; j <= m; j++) {
            int change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
            row[j] = least(least(last[j] + 2, row[j - 1] + 2), last[j - 1] + change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 2);
            }
        }
        int* free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[m];
}

static bool same_but_case(const char* a, const char* b, size_t length) {
    size_t i = 0;
    while (i < length && lower(a[i]) == lower(b[i])) i++;
    return i == length;
}

LiaNearest lia_nearest_begin(const char* wanted) {
    size_t length = strlen(wanted);
    // One edit for short words, two from five letters, three from nine on.
    int allowed = length <= 1 ? 1 : length < 5 ? 2 : length < 9 ? 4 : 6;
    return (LiaNearest){wanted, NULL, allowed + 1};
}

void lia_nearest_offer(LiaNearest* nearest, const char* candidate) {
    size_t n = strlen(nearest->wanted), m = strlen(candidate);
    if (n > LONGEST || m > LONGEST || 2 * abs((int)n - (int)m) >= nearest->distance) {
        return;
    }
    int distance = n == m && memcmp(nearest->wanted, candidate, n) != 0 &&
                           same_but_case(nearest->wanted, candidate, n)
                       ? LIA_NEAREST_CASE
                       : distance_of(nearest->wanted, n, candidate, m);
    if (distance > 0 && distance < nearest->distance) {  // the word itself is no help
        nearest->distance = distance;
        nearest->best = candidate;
    }
}

void lia_nearest_say(const LiaNearest* nearest, LiaDiags* diags, const char* otherwise) {
    if (nearest->best) {
        lia_diag_help(diags, "did you mean '%s'?", nearest->best);
    } else if (otherwise) {
        lia_diag_help(diags, "%s", otherwise);
    }
}
