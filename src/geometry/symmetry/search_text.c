// Combinations of generators as text. See search.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/search.h"
#include <math.h>
#include <string.h>

enum { DIGITS = 10 };

void lia_search_text(const LiaSearch* search, const double* numbers, LiaText* out) {
    const LiaCandidates* of = &search->candidates;
    uint32_t terms = 0, shown = 0;
    for (uint32_t a = 0; a < of->count; a++) terms += numbers[a] != 0.0;
    for (uint32_t a = 0; a < of->count; a++) {
        double c = numbers[a];
        if (c == 0.0) continue;
        lia_text_add(out, shown == 0 ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + "));
        LiaText number = {0};
        lia_text_add_short(&number, fabs(c), DIGITS);
        bool one = number.data && strcmp(number.data, "1") == 0;
        if (!one) lia_text_add(out, "%s*", number.data ? number.data : "");
        out->failed |= number.failed;
        lia_text_clear(&number);
        bool brackets = a >= of->declared && (terms > 1 || !one || c < 0);
        lia_text_add(out, brackets ? "(%s)" : "%s", of->name[a]);
        shown++;
    }
}
