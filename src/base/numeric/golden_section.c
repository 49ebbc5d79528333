// The least value of a function of one number. See golden_section.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/golden_section.h"

double lia_golden_section_least(double (*f)(void* context, double x), void* context, double a,
                                double b, int steps) {
    const double part = 0.3819660112501051;  // (3 - sqrt(5))/2
    double c = a + part * (b - a), d = b - part * (b - a);
    double fc = f(context, c), fd = f(context, d);
    for (int i = 0; i < steps; i++) {
        if (fc < fd) {
            b = d, d = c, fd = fc;
            c = a + part * (b - a), fc = f(context, c);
        } else {
            a = c, c = d, fc = fd;
            d = b - part * (b - a), fd = f(context, d);
        }
    }
    return 0.5 * (a + b);
}
