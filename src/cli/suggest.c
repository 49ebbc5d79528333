// "Did you mean": edit distance, with two letters exchanged as one slip.
//
//   d[i][j] = min(d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + (a[i] != b[j]),
//                 exchange: d[i-2][j-2] + 1)
// SPDX-License-Identifier: MIT
#include "cli/suggest.h"
#include <stdbool.h>
#include <string.h>

enum { LETTERS_MOST = 24 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t distance(const char* a, size_t n, const char* b, size_t m) {
    size_t d[LETTERS_MOST + 1][LETTERS_MOST + 1];
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                            d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[n][m];
}

void lia_suggest_offer(LiaSuggestion* suggestion, const char* candidate) {
    size_t n = strlen(suggestion->wanted), m = strlen(candidate);
    if (n > LETTERS_MOST || m > LETTERS_MOST) {
        return;
    }
    size_t d = distance(suggestion->wanted, n, candidate, m);
    // A slip in three letters, or the beginning of the word.
    bool near = d <= n / 3 + (n > 1) || (n > 1 && strncmp(suggestion->wanted, candidate, n) == 0);
    if (near && (!suggestion->best || d < suggestion->distance)) {
        suggestion->best = candidate;
        suggestion->distance = d;
    }
}
