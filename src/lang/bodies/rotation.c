// Rotations: matrices that are known to turn, and the angular velocity they carry along.
//
// q = (w, u) is a quaternion from body to space axes; the matrix is homogeneous of degree two in q:
//   A      = (w^2 - u.u) 1 + 2 u u^T + 2 w [u x]           of a unit q; over q.q for any other
//   omega  = 2 (w u' - w' u + u x u')                      space axes
//   Omega  = 2 (w u' - w' u - u x u')                      body axes, A Omega = omega
//   omega(A B) = omega(A) + A omega(B),  Omega(A B) = B^T Omega(A) + Omega(B)
//   omega(A^T) = -Omega(A),              Omega(A^T) = -omega(A)
// For a matrix of which nothing is known: the skew part of A' A^T.
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <string.h>

static LiaExpr add(LiaWork* work, LiaExpr a, LiaExpr b, LiaSpan span) {
    return lia_term_binary(&work->terms, LIA_OP_ADD, a, b, span);
}

static LiaExpr subtract(LiaWork* work, LiaExpr a, LiaExpr b, LiaSpan span) {
    return lia_term_binary(&work->terms, LIA_OP_SUB, a, b, span);
}

static LiaExpr times(LiaWork* work, LiaExpr a, LiaExpr b, LiaSpan span) {
    return lia_term_binary(&work->terms, LIA_OP_MUL, a, b, span);
}

static LiaExpr whole(LiaWork* work, int64_t n, LiaSpan span) {
    return lia_term_whole(&work->terms, n, span);
}

LiaUnit lia_rotation_unit(void) { return lia_unit_per_second(lia_unit_angle()); }

bool lia_rotation_numbers(LiaWork* work, const LiaValue* value, double* out) {
    lia_value_decide(work, value, LIA_DECISION_VALUE);
    return lia_rotation_peek_numbers(work, value, out);
}

bool lia_rotation_peek_numbers(LiaWork* work, const LiaValue* value, double* out) {
    if (value->kind != LIA_VALUE_NUMBER || lia_value_has(work, value) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < lia_value_count(value); i++) {
        LiaExpr term = lia_value_at(work, value, i);  // may move the table
        out[i] = work->terms.constants[term.index];
    }
    return true;
}

double lia_rotation_defect(const double* A) {
    double worst = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < 3; k++) {
                sum += A[3 * i + k] * A[3 * j + k];
            }
            worst = !(fabs(sum) <= worst) ? fabs(sum) : worst;
        }
    }
    double determinant = A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
                         A[2] * (A[3] * A[7] - A[4] * A[6]);
    return determinant > 0.0 ? worst : fmax(worst, 1.0);
}

// The largest of the four numbers is found first: no attitude is badly conditioned.
void lia_rotation_quaternion(const double* A, double* q) {
    double trace = A[0] + A[4] + A[8];
    double squares[4] = {1.0 + trace, 1.0 + 2.0 * A[0] - trace, 1.0 + 2.0 * A[4] - trace,
                         1.0 + 2.0 * A[8] - trace};
    int best = 0;
    for (int i = 1; i < 4; i++) {
        best = squares[i] > squares[best] ? i : best;
    }
    const double products[4][4] = {
        {squares[0], A[7] - A[5], A[2] - A[6], A[3] - A[1]},
        {A[7] - A[5], squares[1], A[1] + A[3], A[2] + A[6]},
        {A[2] - A[6], A[1] + A[3], squares[2], A[5] + A[7]},
        {A[3] - A[1], A[2] + A[6], A[5] + A[7], squares[3]},
    };
    double length = 0.0;
    for (int i = 0; i < 4; i++) {
        length += products[best][i] * products[best][i];
    }
    double sign = products[best][0] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++) {
        q[i] = sign * products[best][i] / sqrt(length);
    }
}

static bool is_square(const LiaValue* a) {
    return a->kind == LIA_VALUE_NUMBER && a->rows == 3 && a->cols == 3;
}

static bool is_constant_rotation(LiaWork* work, const LiaValue* a) {
    double A[9];
    return lia_rotation_numbers(work, a, A) && lia_rotation_defect(A) < LIA_ROTATION_DEFECT;
}

// omega and Omega of a matrix that is known to turn, six terms; NULL of any other.
static const LiaExpr* spin_of(LiaWork* work, const LiaValue* a) {
    if (!is_square(a) || a->spin) {
        return a->spin;
    }
    if (!is_constant_rotation(work, a)) {
        return NULL;
    }
    LiaExpr* spin = lia_value_components(work, 6);
    for (int i = 0; i < 6; i++) {
        spin[i] = whole(work, 0, a->span);
    }
    return spin;
}

bool lia_rotation_is(LiaWork* work, const LiaValue* a) {
    return is_square(a) && (a->spin || is_constant_rotation(work, a));
}

// out += A v, or A^T v.
static void add_turned(LiaWork* work, const LiaValue* A, bool transposed, const LiaExpr* v,
                       LiaExpr* out, LiaSpan span) {
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            LiaExpr a = lia_value_at(work, A, transposed ? 3 * k + i : 3 * i + k);
            out[i] = add(work, out[i], times(work, a, v[k], span), span);
        }
    }
}

const LiaExpr* lia_rotation_product(LiaWork* work, const LiaValue* a, const LiaValue* b,
                                    LiaSpan span) {
    if (!is_square(a) || !is_square(b) || (!a->spin && !b->spin)) {
        return NULL;
    }
    const LiaExpr *left = spin_of(work, a), *right = spin_of(work, b);
    if (!left || !right) {
        return NULL;
    }
    LiaExpr* spin = lia_value_components(work, 6);
    memcpy(spin, left, 3 * sizeof *spin);
    memcpy(spin + 3, right + 3, 3 * sizeof *spin);
    add_turned(work, a, false, right, spin, span);
    add_turned(work, b, true, left + 3, spin + 3, span);
    return spin;
}

const LiaExpr* lia_rotation_transposed(LiaWork* work, const LiaValue* a, LiaSpan span) {
    if (!a->spin) {
        return NULL;
    }
    LiaExpr* spin = lia_value_components(work, 6);
    for (int i = 0; i < 6; i++) {
        spin[i] = lia_term_negate(&work->terms, a->spin[(i + 3) % 6], span);
    }
    return spin;
}

const LiaExpr* lia_rotation_about(LiaWork* work, uint32_t axis, LiaExpr angle, LiaSpan span) {
    LiaExpr rate = lia_term_prime(&work->terms, angle, span);
    if (!rate.index) {
        return NULL;
    }
    LiaExpr* spin = lia_value_components(work, 6);
    for (uint32_t i = 0; i < 6; i++) {
        spin[i] = i % 3 == axis ? rate : whole(work, 0, span);
    }
    return spin;
}

// --- quaternions

// 2 (w u' - w' u) + sign 2 u x u', over `length`.
static bool quaternion_spin(LiaWork* work, const LiaExpr* q, LiaExpr length, LiaExpr* spin,
                            LiaSpan span) {
    LiaExpr rate[4], two = whole(work, 2, span);
    for (int i = 0; i < 4; i++) {
        rate[i] = lia_term_prime(&work->terms, q[i], span);
        if (!rate[i].index) {
            return false;
        }
    }
    for (int i = 1; i <= 3; i++) {
        int j = i % 3 + 1, k = j % 3 + 1;
        LiaExpr plain = subtract(work, times(work, q[0], rate[i], span),
                                 times(work, rate[0], q[i], span), span);
        LiaExpr cross = subtract(work, times(work, q[j], rate[k], span),
                                 times(work, q[k], rate[j], span), span);
        LiaExpr sum = add(work, plain, cross, span), rest = subtract(work, plain, cross, span);
        spin[i - 1] = times(work, two, sum, span);
        spin[i + 2] = times(work, two, rest, span);
    }
    for (int i = 0; length.index && i < 6; i++) {
        spin[i] = lia_term_binary(&work->terms, LIA_OP_DIV, spin[i], length, span);
    }
    return true;
}

LiaValue lia_rotation_of(LiaWork* work, const LiaExpr* q, bool any_length, LiaSpan span) {
    LiaExpr two = whole(work, 2, span), products[4][4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j <= i; j++) {
            products[i][j] = products[j][i] =
                i == j ? lia_term_binary(&work->terms, LIA_OP_POW, q[i], two, span)
                       : times(work, q[j], q[i], span);
        }
    }
    LiaExpr length = {0};
    if (any_length) {
        length = products[0][0];
        for (int i = 1; i < 4; i++) {
            length = add(work, length, products[i][i], span);
        }
        length = lia_term_is(&work->terms, length, 1) ? (LiaExpr){0} : length;
    }
    LiaExpr* parts = lia_value_components(work, 9);
    for (int i = 1; i <= 3; i++) {
        int j = i % 3 + 1, k = j % 3 + 1;
        LiaExpr plus = add(work, products[0][0], products[i][i], span);
        LiaExpr minus = add(work, products[j][j], products[k][k], span);
        // row j, column k: 2 (u_j u_k - w u_i); row k, column j: 2 (u_j u_k + w u_i)
        LiaExpr below = add(work, products[j][k], products[0][i], span);
        LiaExpr above = subtract(work, products[j][k], products[0][i], span);
        parts[4 * (i - 1)] = subtract(work, plus, minus, span);
        parts[3 * (j - 1) + k - 1] = times(work, two, above, span);
        parts[3 * (k - 1) + j - 1] = times(work, two, below, span);
    }
    for (int i = 0; length.index && i < 9; i++) {
        parts[i] = lia_term_binary(&work->terms, LIA_OP_DIV, parts[i], length, span);
    }
    LiaValue value = lia_value_of(LIA_VALUE_NUMBER, 3, 3, parts, lia_unit_number(), span);
    LiaExpr* spin = lia_value_components(work, 6);
    value.spin = quaternion_spin(work, q, length, spin, span) ? spin : NULL;
    return value;
}

// (0, e) q / 2 in space axes, q (0, e) / 2 in body axes.
void lia_rotation_rate(LiaWork* work, const LiaExpr* q, const LiaExpr* e, bool body, LiaExpr* rate,
                       LiaSpan span) {
    LiaExpr along = times(work, e[0], q[1], span);
    along = add(work, along, times(work, e[1], q[2], span), span);
    along = add(work, along, times(work, e[2], q[3], span), span);
    rate[0] = lia_term_negate(&work->terms, along, span);
    for (int i = 1; i <= 3; i++) {
        int j = i % 3 + 1, k = j % 3 + 1;
        LiaExpr plus = times(work, e[j - 1], q[k], span);
        LiaExpr minus = times(work, e[k - 1], q[j], span);
        LiaExpr cross =
            body ? subtract(work, minus, plus, span) : subtract(work, plus, minus, span);
        rate[i] = add(work, times(work, q[0], e[i - 1], span), cross, span);
    }
    for (int i = 0; i < 4; i++) {
        rate[i] = lia_term_binary(&work->terms, LIA_OP_DIV, rate[i], whole(work, 2, span), span);
    }
}

LiaValue lia_rotation_quaternion_value(LiaWork* work, const LiaValue* parts, LiaSpan span) {
    LiaExpr q[4];
    double numbers[4], length = 0.0;
    bool constant = true;
    for (int i = 0; i < 4; i++) {
        if (!lia_value_need_scalar(work, &parts[i], "a number of a quaternion")) {
            return lia_value_poison(span);
        }
        q[i] = lia_value_at(work, &parts[i], 0);
        constant = lia_value_constant(work, &parts[i], &numbers[i]) && constant;
        length += numbers[i] * numbers[i];
    }
    if (constant && !(length > 0.0 && isfinite(length))) {
        lia_diag_error(work->context->diags, span, "E0174",
                       "the quaternion is zero: it says no direction");
        return lia_value_poison(span);
    }
    return lia_rotation_of(work, q, true, span);
}

// --- angular velocity, mismatch, Euler angles

static bool need_square(LiaWork* work, const LiaValue* a, const char* what) {
    if (a->kind == LIA_VALUE_POISON) {
        return false;
    }
    if (!is_square(a)) {
        lia_diag_error(work->context->diags, a->span, "E0174", "%s needs a rotation, '%s' is %s",
                       what, lia_context_quote(work->context, a->span), lia_value_words(work, a));
        bool body = a->kind == LIA_VALUE_BODY;
        lia_diag_help(work->context->diags,
                      body ? "that of a body is its '.attitude', as in omega(%s.attitude), or "
                             "its angular velocity '.omega'"
                           : "a 3 x 3 matrix: a coordinate on 'rotation', rotx(e), a product of "
                             "such",
                      lia_context_quote(work->context, a->span));
        return false;
    }
    double A[9];
    if (lia_rotation_numbers(work, a, A) && !(lia_rotation_defect(A) < LIA_ROTATION_DEFECT)) {
        lia_rotation_say_none(work, a, A);
        return false;
    }
    return true;
}

void lia_rotation_say_none(LiaWork* work, const LiaValue* a, const double* A) {
    double defect = lia_rotation_defect(A);
    lia_diag_error(work->context->diags, a->span, "E0174",
                   "'%s' is not a rotation: its rows miss an orthonormal, right-handed set by %.2g",
                   lia_context_quote(work->context, a->span), defect);
    lia_diag_help(work->context->diags,
                  "make it of rotx(), roty(), rotz(), quaternion() and their products");
}

LiaValue lia_rotation_omega(LiaWork* work, const LiaValue* a, bool body, LiaSpan span) {
    if (!need_square(work, a, body ? "Omega()" : "omega()")) {
        return lia_value_poison(span);
    }
    const LiaExpr* spin = spin_of(work, a);
    if (!spin) {
        LiaValue rate = lia_value_prime(work, a, span);
        if (rate.kind == LIA_VALUE_POISON) {
            return rate;
        }
        LiaExpr* found = lia_value_components(work, 6);
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
            LiaExpr sum = whole(work, 0, span);
            for (uint32_t l = 0; l < 3; l++) {  // (A' A^T)[k][j] - (A' A^T)[j][k]
                LiaExpr plus = times(work, rate.many[3 * k + l], a->many[3 * j + l], span);
                LiaExpr minus = times(work, rate.many[3 * j + l], a->many[3 * k + l], span);
                sum = add(work, sum, subtract(work, plus, minus, span), span);
            }
            found[i] = lia_term_binary(&work->terms, LIA_OP_DIV, sum, whole(work, 2, span), span);
            found[i + 3] = whole(work, 0, span);
        }
        if (body) {
            add_turned(work, a, true, found, found + 3, span);
        }
        spin = found;
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, spin + (body ? 3 : 0), lia_rotation_unit(), span);
}

// With C = A B^T the skew part of C is sin(angle) [n x], which vanishes at half a turn too; 1 +
// trace C = 2 (1 + cos(angle)) vanishes there twice as fast.
//   2 tan(angle/2) n = 4 vee(skew C) / (1 + trace C)
// A Newton step for it is a turn by -sin(angle): the right way from wherever it begins.
LiaValue lia_rotation_mismatch(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaExpr* trace,
                               LiaSpan span) {
    LiaExpr* parts = lia_value_components(work, 3);
    *trace = whole(work, 0, span);
    for (uint32_t i = 0; i < 9; i++) {
        LiaExpr product = times(work, lia_value_at(work, a, i), lia_value_at(work, b, i), span);
        *trace = add(work, *trace, product, span);
    }
    LiaExpr below = add(work, whole(work, 1, span), *trace, span);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        LiaExpr sum = whole(work, 0, span);
        for (uint32_t l = 0; l < 3; l++) {  // (A B^T)[k][j] - (A B^T)[j][k]
            LiaExpr plus = times(work, lia_value_at(work, a, 3 * k + l),
                                 lia_value_at(work, b, 3 * j + l), span);
            LiaExpr minus = times(work, lia_value_at(work, a, 3 * j + l),
                                  lia_value_at(work, b, 3 * k + l), span);
            sum = add(work, sum, subtract(work, plus, minus, span), span);
        }
        sum = times(work, whole(work, 2, span), sum, span);
        parts[i] = lia_term_binary(&work->terms, LIA_OP_DIV, sum, below, span);
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_number(), span);
}

// A = R_i(a) R_j(b) R_k(c), s the sign of the permutation i, j and the third axis.
//   k = i, l the third:  a = atan2(A_ji, -s A_li), b = atan2(|(A_ij, A_il)|, A_ii),
//                          c = atan2(A_ij, s A_il)
//   k the third:         a = atan2(-s A_jk, A_kk), b = atan2(s A_ik, |(A_ii, A_ij)|), c = atan2(-s
//                        A_ij, A_ii)
// Where the size |..| is 0 only the sum or the difference of a and c counts, and these quotients
// are of rounding. There
//   a = atan2(s A_lj, A_jj), c = 0
// with l the third axis, since R_j(b) keeps the axis j.
// The square of the size is asked, which has series at 0 too.
static void make_regular(LiaWork* work, LiaExpr square, LiaExpr turn, LiaExpr angles[3],
                         LiaSpan span) {
    const double least_size = LIA_EULER_ANGLES_LOST;
    LiaExpr least = lia_term_number(&work->terms, lia_number_double(least_size * least_size), span);
    LiaExpr lost = lia_term_binary(&work->terms, LIA_OP_LESS, square, least, span);
    LiaExpr none = whole(work, 0, span);
    angles[0] = lia_term_apply(&work->terms, LIA_OP_IF, lost, turn, angles[0], span);
    angles[2] = lia_term_apply(&work->terms, LIA_OP_IF, lost, none, angles[2], span);
}

LiaValue lia_rotation_euler(LiaWork* work, const LiaValue* A, const char* sequence, LiaSpan span) {
    if (!need_square(work, A, "euler()")) {
        return lia_value_poison(span);
    }
    uint32_t axes[3];
    bool good = strlen(sequence) == 3;
    for (int n = 0; good && n < 3; n++) {
        good =
            sequence[n] >= 'x' && sequence[n] <= 'z' && (n == 0 || sequence[n] != sequence[n - 1]);
        axes[n] = good ? (uint32_t)(sequence[n] - 'x') : 0;
    }
    if (!good) {
        lia_diag_error(work->context->diags, span, "E0177", "\"%s\" is no sequence of Euler angles",
                       sequence);
        lia_diag_help(work->context->diags,
                      "three axes, no two alike side by side, as \"zxz\" or \"zyx\"");
        return lia_value_poison(span);
    }
    uint32_t i = axes[0], j = axes[1], third = 3 - i - j;
    bool positive = (i + 1) % 3 == j, proper = axes[2] == i;
#define AT(row, col)    lia_value_at(work, A, 3 * (row) + (col))
#define SIGNED(sign, e) ((sign) ? (e) : lia_term_negate(&work->terms, (e), span))
#define ATAN2(y, x)     lia_term_binary(&work->terms, LIA_OP_ATAN2, (y), (x), span)
#define HYPOT(y, x)     lia_term_binary(&work->terms, LIA_OP_HYPOT, (y), (x), span)
    LiaExpr* angles = lia_value_components(work, 3);
    LiaExpr sides[2] = {proper ? AT(i, j) : AT(i, i), proper ? AT(i, third) : AT(i, j)};
    LiaExpr size = HYPOT(sides[0], sides[1]);
    LiaExpr square = add(work, times(work, sides[0], sides[0], span),
                         times(work, sides[1], sides[1], span), span);
    LiaExpr turn = ATAN2(SIGNED(positive, AT(third, j)), AT(j, j));
    if (proper) {
        angles[0] = ATAN2(AT(j, i), SIGNED(!positive, AT(third, i)));
        angles[1] = ATAN2(size, AT(i, i));
        angles[2] = ATAN2(AT(i, j), SIGNED(positive, AT(i, third)));
    } else {
        angles[0] = ATAN2(SIGNED(!positive, AT(j, third)), AT(third, third));
        angles[1] = ATAN2(SIGNED(positive, AT(i, third)), size);
        angles[2] = ATAN2(SIGNED(!positive, AT(i, j)), AT(i, i));
    }
#undef AT
#undef SIGNED
#undef ATAN2
#undef HYPOT
    make_regular(work, square, turn, angles, span);
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, angles, lia_unit_angle(), span);
}
