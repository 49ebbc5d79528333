// What a system is, as a LaTeX document.
// SPDX-License-Identifier: MIT
#include "explain.h"

void lia_explain_latex(LiaExplanation* e, LiaText* out) {
    (void)e;
    (void)out;
}
