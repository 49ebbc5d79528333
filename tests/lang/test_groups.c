// Tests of src/lang: coordinates of more than one number, rotations, and bodies as the border to
// mechanics shows them.
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "lang/elaborate/elaborate.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static LiaModel* parse(const char* text) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    if (!lia_lang_parse("test.lia", text, strlen(text), NULL, diags, &model)) {
        LiaText said = {0};
        lia_diag_render(diags, &said);
        printf("%s", said.data);
        lia_text_clear(&said);
    }
    lia_diags_destroy(diags);
    assert_non_null(model);
    return model;
}

static void groups_are_coordinates_one_after_the_other(void) {
    LiaModel* m =
        parse("coordinate a : line\n"
              "coordinate r[i = 1..2] : space in m\n"
              "coordinate u : sphere\n"
              "coordinate R : rotation\n"
              "parameter m = 1, J = 1\n"
              "kinetic m*dot(r[1]', r[2]') + J*(dot(u', u') + dot(omega(R), omega(R)) + a'^2)\n"
              "constraint c: u.x = a\n");
    const char* names[] = {"a",   "r[1].x", "r[1].y", "r[1].z", "r[2].x", "r[2].y", "r[2].z",
                           "u.x", "u.y",    "u.z",    "R.w",    "R.x",    "R.y",    "R.z"};
    assert_int_equal(m->coordinates_count, 14);
    for (int i = 0; i < 14; i++) {
        assert_string_equal(m->coordinates[i].name, names[i]);
        assert_true(m->coordinates[i].rest == (i == 9 || i == 10 ? 1.0 : 0.0));
    }
    assert_int_equal(m->coordinates[0].group, 0);
    assert_string_equal(m->coordinates[2].unit, "m");
    assert_int_equal(m->groups_count, 4);
    assert_int_equal(m->groups[3].manifold, LIA_ROTATION);
    assert_int_equal(m->groups[3].first, 10);
    assert_int_equal(m->groups[3].count, 4);
    assert_int_equal(m->coordinates[11].group, 4);
    // the lengths stand behind what the user wrote
    assert_int_equal(m->constraints_count, 3);
    assert_false(m->constraints[0].internal);
    assert_true(m->constraints[1].internal && m->constraints[2].internal);
    assert_string_equal(m->constraints[1].name, "|u|");
    assert_string_equal(m->constraints[2].name, "|R|");
    lia_lang_destroy(m);
}

static void free_bodies_have_coordinates_and_energies(void) {
    LiaModel* m = parse("body b[i = 1..2]: mass 2, inertia [1, 1, 1], free\n"
                        "body plate: attitude rotz(t)\n"
                        "gravity [0, 0, -9.81]\n"
                        "force F: [1, 0, 0] on b[2]\n"
                        "start b[2].position = [1, 2, 3], Omega(b[1].attitude) = [4, 5, 6]\n");
    assert_int_equal(m->coordinates_count, 14);
    assert_string_equal(m->coordinates[3].name, "b[2].position.x");
    assert_string_equal(m->coordinates[6].name, "b[1].attitude.w");
    assert_int_equal(m->energies_count, 4);
    assert_int_equal(m->energies[0].kind, LIA_KINETIC);
    assert_int_equal(m->energies[1].kind, LIA_POTENTIAL);
    assert_int_equal(m->forces_count, 1);
    assert_int_equal(m->start.values_count, 3);
    assert_int_equal(m->start.values[1].coordinate, 4);
    assert_true(m->start.values[1].value == 2.0);
    assert_int_equal(m->start.spins_count, 1);
    assert_true(m->start.spins[0].body && m->start.spins[0].value[2] == 6.0);
    assert_string_equal(m->groups[m->start.spins[0].group].name, "b[1].attitude");
    lia_lang_destroy(m);
}

static void a_guess_may_begin_with_a_bracket(void) {
    LiaModel* m = parse("body b: mass 1, inertia 1, free\n"
                        "start b.position ~ (1 + 2)*[1, 0, 2], b.velocity = (2)*[0, 1, 0]\n");
    assert_int_equal(m->start.values_count, 6);
    assert_true(m->start.values[0].guess && m->start.values[0].value == 3.0 &&
                m->start.values[2].value == 6.0);
    assert_true(!m->start.values[4].guess && m->start.values[4].value == 2.0);
    lia_lang_destroy(m);
}

static void a_start_matrix_becomes_its_quaternion(void) {
    LiaModel* m = parse("coordinate R, Q : rotation\n"
                        "kinetic dot(omega(R), omega(R)) + dot(omega(Q), omega(Q))\n"
                        "start R = rotz(1)*rotx(-2), Q ~ diag(-1, 1, -1)\n");
    const double c = cos(0.5), s = sin(0.5), C = cos(-1.0), S = sin(-1.0);
    const double expected[8] = {c * C, c * S, s * S, s * C, 0, 0, 1, 0};
    assert_int_equal(m->start.values_count, 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(m->start.values[i].coordinate, i);
        assert_int_equal(m->start.values[i].guess, i >= 4);
        assert_true(fabs(m->start.values[i].value - expected[i]) < 1e-15);
    }
    lia_lang_destroy(m);
}

// All attitudes, those of half a turn too, come back to themselves.
static void quaternions_of_matrices_are_exact_everywhere(void) {
    uint64_t seed = 7;
    for (int n = 0; n < 20000; n++) {
        double q[4], length = 0.0;
        for (int i = 0; i < 4; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            q[i] = (double)(seed >> 11) / 4503599627370496.0 - 1.0;
            q[i] = n % 3 == 0 && (n / 3) % 4 == i ? 1e-12 * q[i] : q[i];
            length += q[i] * q[i];
        }
        for (int i = 0; i < 4; i++) {
            q[i] /= q[0] < 0.0 ? -sqrt(length) : sqrt(length);
        }
        double w = q[0], x = q[1], y = q[2], z = q[3], found[4];
        double A[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),
                       2 * (x * z + w * y),           2 * (x * y + w * z),
                       w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                       2 * (x * z - w * y),           2 * (y * z + w * x),
                       w * w - x * x - y * y + z * z};
        assert_true(lia_rotation_defect(A) < 1e-14);
        lia_rotation_quaternion(A, found);
        double sign = 0.0, worst = 0.0;  // of half a turn either will do
        for (int i = 0; i < 4; i++) {
            sign += found[i] * q[i];
        }
        for (int i = 0; i < 4; i++) {
            worst = fmax(worst, fabs(found[i] - (sign < 0.0 ? -q[i] : q[i])));
        }
        assert_true(worst < 1e-14 && found[0] >= 0.0);
    }
    const double mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    assert_true(lia_rotation_defect(mirror) >= 1.0);
}

int main(void) {
    const TestCase tests[] = {
        TEST(groups_are_coordinates_one_after_the_other),
        TEST(free_bodies_have_coordinates_and_energies),
        TEST(a_guess_may_begin_with_a_bracket),
        TEST(a_start_matrix_becomes_its_quaternion),
        TEST(quaternions_of_matrices_are_exact_everywhere),
    };
    return TESTS_RUN(tests);
}
