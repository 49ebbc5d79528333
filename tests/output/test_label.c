// Labels as they are set in print, and tables.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "output/plot/label.h"
#include "output/text/table.h"
#include "support/cases.h"

static void names_and_units_are_set_in_print(void) {
    static const char* const pairs[][2] = {
        {"theta", "θ"},        {"theta'", "θ′"},
        {"theta1''", "θ₁″"},   {"thetas", "thetas"},
        {"kg*m^2", "kg·m²"},   {"m/s^-1", "m/s⁻¹"},
        {"q[13]'", "q₁₃′"},    {"x2", "x2"},
        {"10^-6 m", "10⁻⁶ m"}, {"-1", "−1"},
        {"p(theta)", "p(θ)"},  {"x^2.5", "x^2.5"},
        {"q[i]", "q[i]"},      {"gamma(x)", "gamma(x)"},
        {"größe", "größe"},    {"", ""},
        {"2*pi", "2·π"},       {"power(twist)", "power(twist)"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        LiaText text = {0};
        lia_label_print(pairs[i][0], &text);
        assert_string_equal(text.data ? text.data : "", pairs[i][1]);
        lia_text_clear(&text);
    }
}

static void assert_table_within(int room, const char* cells, const char* align, int heading,
                                const char* expected) {
    LiaText in = {0}, out = {0};
    lia_text_add(&in, "%s", cells);
    lia_table_print(&in, align,
                    (LiaTableStyle){.heading = heading, .room = room, .begin = "", .end = ""},
                    &out);
    assert_string_equal(out.data ? out.data : "", expected);
    lia_text_clear(&in);
    lia_text_clear(&out);
}

static void assert_table(const char* cells, const char* align, int heading, const char* expected) {
    assert_table_within(0, cells, align, heading, expected);
}

static void numbers_are_aligned_by_their_points(void) {
    assert_table("x\t1.25\tm\ntheta\t-10\t\nθ\t3e-16\tkg\n", "lpl", 0,
                 "  x        1.25   m\n"
                 "  theta  -10\n"
                 "  θ        3e-16  kg\n");
}

static void a_heading_is_flush_with_its_column(void) {
    assert_table("\tforce\twork\na\t1.5\t-200\nb\t\t3.25\n", "lpp", 1,
                 "     force     work\n"
                 "  a    1.5  -200\n"
                 "  b            3.25\n");
    assert_table("", "lp", 0, "");
}

static void long_names_get_a_line_of_their_own_where_there_is_no_room(void) {
    const char* cells = "carriage_two\t1.25\tm\ns\t-10\t\n";
    assert_table_within(25, cells, "lpl", 0,
                        "  carriage_two    1.25  m\n"
                        "  s             -10\n");
    assert_table_within(24, cells, "lpl", 0,
                        "  carriage_two\n"
                        "                 1.25  m\n"
                        "  s            -10\n");
    assert_table_within(5, cells, "lpl", 0,  // there is no room at all
                        "  carriage_two\n"
                        "        1.25  m\n"
                        "  s   -10\n");
}

int main(void) {
    const TestCase tests[] = {
        TEST(names_and_units_are_set_in_print),
        TEST(numbers_are_aligned_by_their_points),
        TEST(a_heading_is_flush_with_its_column),
        TEST(long_names_get_a_line_of_their_own_where_there_is_no_room),
    };
    return TESTS_RUN(tests);
}
