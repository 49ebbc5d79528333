// Units: dimensions, factors, and how they meet in products, sums and equations.
//
// A dimension has seven rational exponents (kg m s A K mol cd; rad counts as none), kept in
// sixtieths. How sure a unit is decides what is an error:
//   NUMBER   made of plain numbers (and numbers times bare angles): dimensionless as a factor, fits
//            anything as a term;
//   ANGLE    made of `circle` coordinates that say no unit: fits NUMBER and ANGLE, not a length;
//   UNKNOWN  t, and what was declared without a unit: absorbs all;
//   KNOWN    some declared unit is in it: two different ones do not add.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/number.h"
#include "lang/context.h"

enum { LIA_DIMENSIONS = 7, LIA_EXPONENT_ONE = 60 };

typedef enum LiaUnitState {
    LIA_UNIT_NUMBER,
    LIA_UNIT_ANGLE,
    LIA_UNIT_UNKNOWN,
    LIA_UNIT_KNOWN,
} LiaUnitState;

typedef struct LiaUnit {
    uint8_t state;                      // LiaUnitState
    int16_t exponents[LIA_DIMENSIONS];  // in 1/60
} LiaUnit;

// A unit as written after `in`: what it measures and how much of the SI unit it is.
typedef struct LiaMeasure {
    LiaUnit unit;
    LiaNumber factor;  // times pi^pi_power
    int pi_power;
    double value;  // the factor as a number
} LiaMeasure;

LiaUnit lia_unit_number(void);
LiaUnit lia_unit_angle(void);
LiaUnit lia_unit_unknown(void);

/// a*b (sign +1) or a/b (sign -1).
LiaUnit lia_unit_product(LiaUnit a, LiaUnit b, int sign);
/// a^(num/den). UNKNOWN where the exponents do not fit.
LiaUnit lia_unit_power(LiaUnit a, int64_t num, int64_t den);
LiaUnit lia_unit_per_second(LiaUnit a);
/// The unit of a + b. False: they do not add.
bool lia_unit_sum(LiaUnit a, LiaUnit b, LiaUnit* out);
/// The unit of a list of a and b that need not add.
LiaUnit lia_unit_both(LiaUnit a, LiaUnit b);
bool lia_unit_is_plain(LiaUnit a);  // no dimension

/// "a length", "an energy", or "of unit kg*m/s^3"; in memory of the parse.
const char* lia_unit_words(LiaContext* context, LiaUnit unit);
/// "kg*m^2/s^2".
const char* lia_unit_text(LiaContext* context, LiaUnit unit);

/// The same by its name where it is a force, an energy or a power: "N", "J", "W"; where it is no
/// energy, a torque is "N*m".
const char* lia_unit_name(LiaContext* context, LiaUnit unit, bool energy);

/// The measure of one unit name, with prefixes: m, kg, mm, rad, deg, N, kPa.
bool lia_unit_find_measure(const char* name, LiaMeasure* out);
/// What a wrong unit name may have meant, or NULL.
const char* lia_unit_nearest_measure(const char* name);
LiaMeasure lia_unit_no_measure(void);
LiaMeasure lia_unit_measure_product(LiaMeasure a, LiaMeasure b, int sign);
/// False where the power has no exact factor.
bool lia_unit_measure_power(LiaMeasure a, int64_t num, int64_t den, LiaMeasure* out);
