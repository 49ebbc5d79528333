// Examples of rolling shapes against the same systems written by hand (tests/physics/by_hand), with
// coordinates in which the shapes touch by themselves. A line "# agrees A = B +- e" says that the
// end of the example's A is the other's B.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void agrees(const char* name) {
    char example[200], by_hand[200], file[400], line[300];
    snprintf(example, sizeof example, "examples/%s/%s.lia", name, name);
    snprintf(by_hand, sizeof by_hand, "tests/physics/by_hand/%s.lia", name);
    snprintf(file, sizeof file, "%s/%s", LIAISON_SOURCE_DIR, by_hand);
    Motion a = motion_of_file(example, NULL), b = motion_of_file(by_hand, NULL);
    assert_int_equal(a.status, LIA_OK);
    assert_int_equal(b.status, LIA_OK);
    FILE* text = fopen(file, "r");
    assert_non_null(text);
    int count = 0;
    while (fgets(line, sizeof line, text)) {
        char here[100], there[100];
        double within;
        if (sscanf(line, "# agrees %99s = %99s +- %lf", here, there, &within) == 3) {
            double x = motion_final(&a, here), y = motion_final(&b, there);
            if (!(fabs(x - y) <= within))
                fail_msg("%s: %s is %.17g, by hand %.17g: not within %g", name, here, x, y, within);
            count++;
        }
    }
    fclose(text);
    assert_true(count >= 5);
    motion_clear(&a);
    motion_clear(&b);
}

static void a_coin_rolls_as_in_five_coordinates(void) { agrees("disk"); }

static void a_ball_in_a_bowl_rolls_as_from_where_it_touches(void) { agrees("bowl"); }

static void a_rattleback_turns_back_as_by_hand(void) { agrees("rattleback"); }

static void a_car_drives_a_ball_as_by_hand(void) { agrees("rover"); }

int main(void) {
    const TestCase tests[] = {
        TEST(a_coin_rolls_as_in_five_coordinates),
        TEST(a_ball_in_a_bowl_rolls_as_from_where_it_touches),
        TEST(a_rattleback_turns_back_as_by_hand),
        TEST(a_car_drives_a_ball_as_by_hand),
    };
    return TESTS_RUN(tests);
}
