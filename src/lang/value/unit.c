// Units: the table of names with prefixes, the algebra of exponents, and the words of mechanics for
// the dimensions that have one.
// SPDX-License-Identifier: MIT
#include "lang/value/unit.h"
#include "lang/syntax/nearest.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ONE = LIA_EXPONENT_ONE };

LiaUnit lia_unit_number(void) { return (LiaUnit){.state = LIA_UNIT_NUMBER}; }

LiaUnit lia_unit_angle(void) { return (LiaUnit){.state = LIA_UNIT_ANGLE}; }

LiaUnit lia_unit_unknown(void) { return (LiaUnit){.state = LIA_UNIT_UNKNOWN}; }

static bool same_exponents(LiaUnit a, LiaUnit b) {
    return memcmp(a.exponents, b.exponents, sizeof a.exponents) == 0;
}

bool lia_unit_is_plain(LiaUnit a) { return same_exponents(a, (LiaUnit){0}); }

LiaUnit lia_unit_product(LiaUnit a, LiaUnit b, int sign) {
    if (a.state == LIA_UNIT_UNKNOWN || b.state == LIA_UNIT_UNKNOWN) {
        return lia_unit_unknown();
    }
    LiaUnit product = {.state = LIA_UNIT_NUMBER};
    if (a.state == LIA_UNIT_KNOWN || b.state == LIA_UNIT_KNOWN) {
        product.state = LIA_UNIT_KNOWN;
    } else if (a.state == LIA_UNIT_ANGLE && b.state == LIA_UNIT_ANGLE) {
        product.state = LIA_UNIT_ANGLE;
    }
    for (int i = 0; i < LIA_DIMENSIONS; i++) {
        int e = a.exponents[i] + sign * b.exponents[i];
        if (e < INT16_MIN || e > INT16_MAX) {
            return lia_unit_unknown();
        }
        product.exponents[i] = (int16_t)e;
    }
    return product;
}

LiaUnit lia_unit_power(LiaUnit a, int64_t num, int64_t den) {
    if (lia_unit_is_plain(a)) {
        return a;
    }
    if (num > 1000 || num < -1000 || den > 1000) {
        return lia_unit_unknown();
    }
    for (int i = 0; i < LIA_DIMENSIONS; i++) {
        int64_t e = a.exponents[i] * num;
        if (e % den != 0 || e / den < INT16_MIN || e / den > INT16_MAX) {
            return lia_unit_unknown();
        }
        a.exponents[i] = (int16_t)(e / den);
    }
    return a;
}

LiaUnit lia_unit_per_second(LiaUnit a) {
    LiaUnit second = {.state = a.state, .exponents = {[2] = ONE}};
    return lia_unit_product(a, second, -1);
}

bool lia_unit_sum(LiaUnit a, LiaUnit b, LiaUnit* out) {
    *out = lia_unit_unknown();
    if (a.state == LIA_UNIT_UNKNOWN || b.state == LIA_UNIT_UNKNOWN) {
        return true;
    }
    if (a.state < b.state) {  // a is the surer one
        LiaUnit other = a;
        a = b;
        b = other;
    }
    bool same = same_exponents(a, b);
    if (a.state == LIA_UNIT_KNOWN && b.state != LIA_UNIT_NUMBER && !same) {
        return false;
    }
    if (a.state == LIA_UNIT_KNOWN) {
        *out = a;
    } else if (same) {
        *out = b;
    }
    return true;
}

LiaUnit lia_unit_both(LiaUnit a, LiaUnit b) {
    LiaUnit unit;
    return lia_unit_sum(a, b, &unit) ? unit : lia_unit_unknown();
}

static const char* const base_names[LIA_DIMENSIONS] = {"kg", "m", "s", "A", "K", "mol", "cd"};

static size_t add_factor(char* text, size_t at, size_t size, int dimension, int exponent) {
    const char* star = at > 0 ? "*" : "";
    const char* name = base_names[dimension];
    int n = 0;
    if (exponent == ONE) {
        n = snprintf(text + at, size - at, "%s%s", star, name);
    } else if (exponent % ONE == 0) {
        n = snprintf(text + at, size - at, "%s%s^%d", star, name, exponent / ONE);
    } else {
        int num = exponent, den = ONE;
        for (int p = 2; p <= 5; p++) {
            while (num % p == 0 && den % p == 0) {
                num /= p;
                den /= p;
            }
        }
        n = snprintf(text + at, size - at, "%s%s^(%d/%d)", star, name, num, den);
    }
    return at + (n > 0 ? (size_t)n : 0);
}

const char* lia_unit_text(LiaContext* context, LiaUnit unit) {
    char above[128] = "", below[128] = "";
    size_t a = 0, b = 0;
    int divisors = 0;
    for (int i = 0; i < LIA_DIMENSIONS; i++) {
        int e = unit.exponents[i];
        if (e > 0) {
            a = add_factor(above, a, sizeof above, i, e);
        } else if (e < 0) {
            b = add_factor(below, b, sizeof below, i, -e);
            divisors++;
        }
    }
    char* text = lia_context_scratch(context, a + b + 8);
    const char* top = a ? above : "1";
    if (divisors == 0) {
        strcpy(text, top);
    } else {
        sprintf(text, divisors == 1 ? "%s/%s" : "%s/(%s)", top, below);
    }
    return text;
}

static bool is_measured_in(const char* name, LiaUnit unit) {
    LiaMeasure measure;
    return lia_unit_find_measure(name, &measure) && same_exponents(measure.unit, unit);
}

const char* lia_unit_name(LiaContext* context, LiaUnit unit, bool energy) {
    if (is_measured_in("N", unit)) return "N";
    if (is_measured_in("W", unit)) return "W";
    if (is_measured_in("J", unit)) return energy ? "J" : "N*m";
    return lia_unit_text(context, unit);
}

typedef struct Dimension {
    const char* words;
    int exponents[5];  // kg m s A K
} Dimension;

static const Dimension dimensions[] = {
    {"a length", {0, 1}},
    {"a mass", {1}},
    {"a time", {0, 0, 1}},
    {"a current", {0, 0, 0, 1}},
    {"a temperature", {0, 0, 0, 0, 1}},
    {"a velocity", {0, 1, -1}},
    {"an acceleration", {0, 1, -2}},
    {"an angular velocity", {0, 0, -1}},
    {"an angular acceleration", {0, 0, -2}},
    {"an area", {0, 2}},
    {"a volume", {0, 3}},
    {"a momentum", {1, 1, -1}},
    {"a force", {1, 1, -2}},
    {"an energy", {1, 2, -2}},
    {"a power", {1, 2, -3}},
    {"a moment of inertia", {1, 2}},
    {"an angular momentum", {1, 2, -1}},
    {"a pressure", {1, -1, -2}},
    {"a density", {1, -3}},
    {"a stiffness", {1, 0, -2}},
    {"a damping", {1, 0, -1}},
    {"a charge", {0, 0, 1, 1}},
    {"a voltage", {1, 2, -3, -1}},
};

const char* lia_unit_words(LiaContext* context, LiaUnit unit) {
    if (lia_unit_is_plain(unit)) {
        return unit.state == LIA_UNIT_ANGLE ? "an angle" : "a pure number";
    }
    for (size_t k = 0; k < sizeof dimensions / sizeof dimensions[0]; k++) {
        bool same = true;
        for (int i = 0; i < LIA_DIMENSIONS; i++) {
            int wanted = i < 5 ? dimensions[k].exponents[i] * ONE : 0;
            same = same && unit.exponents[i] == wanted;
        }
        if (same) {
            return dimensions[k].words;
        }
    }
    const char* text = lia_unit_text(context, unit);
    char* words = lia_context_scratch(context, strlen(text) + 24);
    sprintf(words, "a quantity in %s", text);
    return words;
}

typedef struct UnitRow {
    const char* name;
    int64_t num, den;
    int ten, pi;
    bool prefixes;
    int8_t exponents[LIA_DIMENSIONS];
} UnitRow;

static const UnitRow rows[] = {
#define LIA_UNIT(name, num, den, ten, pi, prefixes, kg, m, s, A, K, mol, cd)                       \
    {name, num, den, ten, pi, prefixes, {kg, m, s, A, K, mol, cd}},
#include "lang/value/unit.def"
#undef LIA_UNIT
};
enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct Prefix {
    const char* name;
    int ten;
} Prefix;

static const Prefix prefixes[] = {
    {"da", 1},  {"Q", 30},  {"R", 27},  {"Y", 24},  {"Z", 21},  {"E", 18},  {"P", 15},
    {"T", 12},  {"G", 9},   {"M", 6},   {"k", 3},   {"h", 2},   {"d", -1},  {"c", -2},
    {"m", -3},  {"µ", -6},  {"μ", -6},  {"u", -6},  {"n", -9},  {"p", -12}, {"f", -15},
    {"a", -18}, {"z", -21}, {"y", -24}, {"r", -27}, {"q", -30},
};

static double measure_value(LiaNumber factor, int pi_power) {
    return factor.value * pow(3.14159265358979323846, pi_power);
}

static LiaMeasure measure_of(const UnitRow* row, int more_tens) {
    LiaMeasure measure = {.unit.state = LIA_UNIT_KNOWN, .pi_power = row->pi};
    for (int i = 0; i < LIA_DIMENSIONS; i++) {
        measure.unit.exponents[i] = (int16_t)(row->exponents[i] * ONE);
    }
    int ten = row->ten + more_tens;
    char text[48];
    LiaNumber power = lia_number_whole(1);
    int n = snprintf(text, sizeof text, "1e%d", ten);
    lia_number_read(text, (size_t)n, &power);
    measure.factor = lia_number_multiply(lia_number_fraction(row->num, row->den), power);
    measure.value = measure_value(measure.factor, measure.pi_power);
    return measure;
}

bool lia_unit_find_measure(const char* name, LiaMeasure* out) {
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *out = measure_of(&rows[i], 0);
            return true;
        }
    }
    for (size_t p = 0; p < sizeof prefixes / sizeof prefixes[0]; p++) {
        size_t n = strlen(prefixes[p].name);
        if (strncmp(prefixes[p].name, name, n) != 0) {
            continue;
        }
        for (int i = 0; i < ROWS; i++) {
            if (rows[i].prefixes && strcmp(rows[i].name, name + n) == 0) {
                *out = measure_of(&rows[i], prefixes[p].ten);
                return true;
            }
        }
    }
    return false;
}

// Words people write for units, and the sign of the unit.
static const char* const spoken[][2] = {
    {"meter", "m"},      {"meters", "m"},    {"metre", "m"},        {"metres", "m"},
    {"second", "s"},     {"seconds", "s"},   {"sec", "s"},          {"kilogram", "kg"},
    {"kilograms", "kg"}, {"gram", "g"},      {"grams", "g"},        {"newton", "N"},
    {"newtons", "N"},    {"joule", "J"},     {"joules", "J"},       {"watt", "W"},
    {"watts", "W"},      {"hertz", "Hz"},    {"degree", "deg"},     {"degrees", "deg"},
    {"radian", "rad"},   {"radians", "rad"}, {"pascal", "Pa"},      {"volt", "V"},
    {"ampere", "A"},     {"amp", "A"},       {"kelvin", "K"},       {"hour", "h"},
    {"hours", "h"},      {"hr", "h"},        {"minute", "min"},     {"minutes", "min"},
    {"days", "day"},     {"foot", "ft"},     {"feet", "ft"},        {"pound", "lb"},
    {"kgs", "kg"},       {"Kg", "kg"},       {"KG", "kg"},          {"Nm", "N*m"},
    {"mps", "m/s"},      {"kmh", "km/h"},    {"kph", "km/h"},       {"litre", "L"},
    {"liter", "L"},      {"tonne", "t"},     {"revolution", "rev"}, {"coulomb", "C"},
};

const char* lia_unit_nearest_measure(const char* name) {
    for (size_t i = 0; i < sizeof spoken / sizeof spoken[0]; i++) {
        if (strcmp(spoken[i][0], name) == 0) {
            return spoken[i][1];
        }
    }
    static const char* const usual[] = {"kg", "mm", "cm", "km", "ms", "kN", "kPa", "MPa", "kW"};
    LiaNearest nearest = lia_nearest_begin(name);
    for (int i = 0; i < ROWS; i++) {
        lia_nearest_offer(&nearest, rows[i].name);
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        lia_nearest_offer(&nearest, usual[i]);
    }
    return nearest.best;
}

LiaMeasure lia_unit_no_measure(void) {
    return (LiaMeasure){{.state = LIA_UNIT_KNOWN}, lia_number_whole(1), 0, 1.0};
}

LiaMeasure lia_unit_measure_product(LiaMeasure a, LiaMeasure b, int sign) {
    LiaMeasure product = {.unit = lia_unit_product(a.unit, b.unit, sign)};
    product.factor =
        sign > 0 ? lia_number_multiply(a.factor, b.factor) : lia_number_divide(a.factor, b.factor);
    product.pi_power = a.pi_power + sign * b.pi_power;
    product.value = measure_value(product.factor, product.pi_power);
    return product;
}

bool lia_unit_measure_power(LiaMeasure a, int64_t num, int64_t den, LiaMeasure* out) {
    LiaMeasure power = {.unit = lia_unit_power(a.unit, num, den)};
    if (power.unit.state == LIA_UNIT_UNKNOWN || num > 100 || num < -100 || den < 1) {
        return false;
    }
    if (den == 1) {
        power.pi_power = a.pi_power * (int)num;
        if (!lia_number_power(a.factor, lia_number_whole(num), &power.factor)) {
            power.factor = lia_number_double(pow(a.factor.value, (double)num));
        }
    } else {
        if (a.pi_power != 0) {
            return false;
        }
        power.factor = lia_number_double(pow(a.factor.value, (double)num / (double)den));
    }
    power.value = measure_value(power.factor, power.pi_power);
    *out = power;
    return isfinite(power.value) && power.value > 0.0;
}
