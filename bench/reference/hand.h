// The benchmark problems as one writes them by hand in C: right-hand side and DOP853, nothing
// shared with the library. Each problem in two ways:
//   generic   the equations as they stand: matrix built and solved at each evaluation
//   reduced   what a mechanician with pencil and paper makes of them
// The states begin with the same coordinates in both, so that they can be compared.
// SPDX-License-Identifier: MIT
#pragma once

#define HAND_DIM_MAX 80

typedef struct HandCount {
    long steps, rejected, evaluations;
} HandCount;

/// Integrate from 0 to `t_end`, with `tolerance` both relative and absolute. `data` are the numbers
/// of the start (see each file). The final state goes to `y`.
typedef void HandRun(const double* data, double t_end, double tolerance, long double* y,
                     HandCount* count);

#define HAND_DECLARE(name) HandRun name, name##_long;
HAND_DECLARE(skater_generic)
HAND_DECLARE(skater_reduced)
HAND_DECLARE(disc_generic)
HAND_DECLARE(disc_reduced)
#define HAND_CHAINS(X) X(2) X(5) X(10) X(20) X(40)
#define HAND_DECLARE_CHAIN(n)                                                                      \
    HAND_DECLARE(chain_##n##_generic)                                                              \
    HAND_DECLARE(chain_##n##_reduced)
HAND_CHAINS(HAND_DECLARE_CHAIN)
#undef HAND_DECLARE_CHAIN
#undef HAND_DECLARE

/// Energy of a state of the generic way; `n` links of the chain.
long double disc_energy_long(int n, const long double* y);
long double chain_energy_long(int n, const long double* y);
