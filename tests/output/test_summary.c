// The summary and its pictures of characters.
// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <stdint.h>

#include "output/plot/label.h"
#include "sample.h"
#include "support/cases.h"
#include <stdio.h>

static const LiaTextStyle plain = {.width = 80, .pictures = true};

static char* summary(const Sample* s, LiaTextStyle style) {
    char* text = lia_output_summary(&s->motion, &style);
    assert_non_null(text);
    return text;
}

static void assert_has(const Sample* s, LiaTextStyle style, const char* part) {
    char* text = summary(s, style);
    if (!strstr(text, part)) {
        printf("'%s' is not in\n%s\n", part, text);
        fail();
    }
    lia_free(text);
}

static bool is_ascii(const char* text) {
    for (; *text; text++) {
        if ((unsigned char)*text >= 0x80) {
            return false;
        }
    }
    return true;
}

static size_t widest_line(char* text) {
    size_t widest = 0;
    for (char* line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        size_t n = lia_label_length(line);
        widest = n > widest ? n : widest;
    }
    return widest;
}

static size_t count_escapes(const Sample* s, const char* title) {
    Sample other = *s;
    other.model.title = title;
    other.motion.model = &other.model;
    LiaTextStyle coloured = plain;
    coloured.colour = true;
    char* text = summary(&other, coloured);
    size_t count = 0;
    for (const char* at = text; (at = strchr(at, '\x1b')) != NULL; at++) count++;
    lia_free(text);
    return count;
}

// The colours are the program's own: a title adds none, and a terminal obeys nothing else.
static void a_title_cannot_speak_to_the_terminal(void) {
    Sample* s = sample_skater(0, 10, 11);
    size_t own = count_escapes(s, "Skater");
    assert_true(own > 0);
    assert_int_equal(count_escapes(s, "\x1b[1mSkater\x1b[0m\x1b]0;x\x07\x1b[2J"), own);
    s->model.title = "a\x1b[8mb\xE2\x80\xAE"
                     "c\nd";
    assert_has(s, plain, "skater: a<U+001B>[8mb<U+202E>c<U+000A>d\n");
    sample_free(s);
}

static void it_tells_what_was_run_and_what_came_out(void) {
    Sample* s = sample_skater(0, 10, 1001);
    assert_has(s, plain, "skater: Skater with a twisting torso\n  t = 0..10 s, tolerance 1e-12");
    assert_has(s, plain, "  s is driven by 'twist' and is known beforehand\n");
    assert_has(s, plain,
               "state at t = 10 s\n             position       velocity\n"
               "  x      1.327271033   -0.3767362281  in m\n");
    assert_has(s, plain, "  twist       operator     -2.103426  -1.373393  -0.7681251\n");
    assert_has(s, plain, "  energy      change                             -0.7681251\n");
    assert_has(s, plain, "  momentum(turn)  2.52  within 1.3e-16\n");
    assert_has(s, plain, "  ledger                within 3e-16 of max T + range of U\n");
    assert_has(s, plain, "  constraints           within 2.3e-16 (blade), regularity 1\n");
    assert_has(s, plain, "\ndone at t = 10 s: 41 steps in 213 us, set up in 4.12 ms\n");
    sample_free(s);
}

static void colours_stand_only_where_they_are_asked_for(void) {
    Sample* s = sample_skater(0, 10, 101);
    char* text = summary(s, plain);
    assert_null(strchr(text, '\x1b'));
    lia_free(text);
    LiaTextStyle colour = plain;
    colour.colour = true;
    assert_has(s, colour, "\x1b[1;32mdone\x1b[0m");
    sample_free(s);
}

static void pictures_fit_the_terminal(void) {
    Sample* s = sample_skater(0, 10, 1001);
    for (int ascii = 0; ascii < 2; ascii++) {
        for (int width = 40; width <= 200; width += 20) {
            LiaTextStyle style = {.width = width, .pictures = true, .ascii = ascii};
            char* text = summary(s, style);
            char* pictures = strstr(text, "  y in m");
            assert_non_null(pictures);
            *strstr(pictures, "\ndone") = '\0';
            assert_true(!ascii || is_ascii(pictures));
            assert_true(widest_line(pictures) <= (size_t)width);
            lia_free(text);
        }
    }
    char* without = summary(s, (LiaTextStyle){0});
    assert_null(strstr(without, "  y in m"));
    lia_free(without);
    sample_free(s);
}

// Sentences are broken, forces that are not unique told once; tables have fewer digits where there
// is no room.
static void words_fit_the_terminal(void) {
    Sample* s = sample_skater(0, 10, 1001);
    s->constraints[0].unique = false;
    for (int width = 40; width <= 200; width += 10) {
        char* text = summary(s, (LiaTextStyle){.width = width, .pictures = true});
        assert_true(widest_line(text) <= (size_t)width);
        lia_free(text);
    }
    char* text = summary(s, (LiaTextStyle){.width = 40});
    assert_non_null(strstr(text, "\n  the forces of 'blade' are not unique\n"
                                 "      (*): those of least norm are shown\n"));
    lia_free(text);
    sample_free(s);
}

static void a_path_is_to_scale_in_characters_too(void) {
    const char *names[] = {"y"}, *units[] = {"m"};
    Sample* s = sample_curves("x", "m", names, units, 1, 501);
    for (size_t i = 0; i < 501; i++) {
        double a = 6.283185307179586 * (double)i / 500;
        sample_row(s, i)[1] = cos(a);
        sample_row(s, i)[2] = sin(a);
    }
    sample_end(s);
    char* text = summary(s, (LiaTextStyle){.width = 80, .pictures = true, .ascii = true});
    char* picture = strstr(text, "  y in m");
    size_t rows = 0, first = 1000, last = 0;
    for (char* line = strtok(picture, "\n"); line; line = strtok(NULL, "\n")) {
        char* axis = strpbrk(line, "|+");
        if (!axis || strchr(line, '-') == axis + 1) {
            continue;
        }
        char* star = strchr(axis + 1, '*');
        if (star) {
            rows++;
            size_t begin = (size_t)(star - axis), end = (size_t)(strrchr(axis, '*') - axis);
            first = begin < first ? begin : first;
            last = end > last ? end : last;
        }
    }
    double columns = (double)(last - first + 1);
    assert_true(fabs(columns / 2 - (double)rows) <= 1.5);  // a character is twice as high as wide
    lia_free(text);
    sample_free(s);
}

static void odd_numbers_make_pictures(void) {
    const char* names[] = {"a", "b"};
    const double values[][2] = {{0, 0},      {67.5, 67.5 + 1e-13}, {NAN, NAN}, {1e300, -1e300},
                                {1e-320, 0}, {-1e200, 1e200},      {NAN, 4}};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        for (int over = 0; over < 2; over++) {
            Sample* s = sample_curves(over ? "x" : NULL, NULL, names, NULL, 2, 20);
            for (size_t row = 0; row < 20; row++) {
                for (size_t c = 1; c < s->motion.column_count; c++) {
                    sample_row(s, row)[c] = values[k][(row + c) % 2];
                }
            }
            sample_end(s);
            lia_free(summary(s, plain));
            lia_free(summary(
                s, (LiaTextStyle){.width = 10, .pictures = true, .ascii = true, .colour = true}));
            s->motion.rows.count = 1;
            lia_free(summary(s, plain));
            s->motion.rows.count = 0;
            lia_free(summary(s, plain));
            sample_free(s);
        }
    }
}

static void a_constant_is_a_straight_line(void) {
    const char* names[] = {"energy"};
    Sample* s = sample_curves(NULL, NULL, names, NULL, 1, 200);
    for (size_t row = 0; row < 200; row++) {
        sample_row(s, row)[1] = 67.623 + 1e-14 * (double)(row % 5);
    }
    sample_end(s);
    char* text = summary(s, (LiaTextStyle){.width = 80, .pictures = true, .ascii = true});
    int lines = 0;
    for (const char* line = text; *line; line = strchr(line, '\n') + 1) {
        const char* star = strchr(line, '*');
        lines += star && star < strchr(line, '\n');
    }
    assert_int_equal(lines, 1);
    lia_free(text);
    sample_free(s);
}

static void long_lists_are_cut(void) {
    static char names[30][16];
    Sample* s = calloc(1, sizeof *s);
    s->model.name = "chain";
    sample_column(s, LIA_COLUMN_TIME, "t", "t", NULL, 0, 0);
    for (uint32_t i = 0; i < 30; i++) {
        snprintf(names[i], sizeof names[i], "q[%u]", i + 1);
        sample_column(s, LIA_COLUMN_POSITION, names[i], names[i], NULL, i, 0);
        s->events[i] = (LiaEventRecord){.name = "touch", .t = i, .direction = 1};
    }
    s->motion.events.count = 30;
    sample_settle(s, 1);
    sample_end(s);
    assert_has(s, plain, "  q[12]         0         -\n  ... and 18 more (in the CSV)\n");
    char* text = summary(s, plain);
    assert_null(strstr(text, "q[13]"));
    assert_non_null(strstr(text, "  touch  t =   7  rising\n  ...             and 18 more\n"
                                 "  touch  t =  26  rising\n"));
    assert_non_null(strstr(text, "  touch  t =  29  rising\n"));
    assert_null(strstr(text, "  touch  t =  25  rising\n"));
    lia_free(text);
    sample_free(s);
}

static void many_joints_do_not_hide_the_motor(void) {
    static char names[20][16];
    Sample* s = calloc(1, sizeof *s);
    s->model.name = "crane";
    sample_column(s, LIA_COLUMN_TIME, "t", "t", NULL, 0, 0);
    for (uint32_t i = 0; i < 20; i++) {
        snprintf(names[i], sizeof names[i], "joint[%u]", i + 1);
        s->constraints[i] =
            (LiaConstraintReport){names[i], false, false, false, 1, 0, 0, true, 0, 0, i};
        if (i < 14)
            s->choices[i] =
                i < 13 ? "start: and so on" : "what the operators leave free is unstable";
    }
    s->constraints[20] =
        (LiaConstraintReport){"motor", true, false, false, 1, 0, 0, true, 0, 0, 20};
    s->motion.constraints.count = 21;
    s->motion.choices.count = 14;
    sample_settle(s, 1);
    sample_end(s);
    char* text = summary(s, plain);
    assert_non_null(strstr(text, "joint[12]"));
    assert_null(strstr(text, "joint[13]"));
    assert_non_null(strstr(text, "motor"));
    assert_non_null(strstr(text, "... and 8 more (in the CSV)\n"));
    assert_non_null(strstr(text, "is unstable"));
    lia_free(text);
    sample_free(s);
}

static void the_reason_of_a_run_that_failed_shows_the_line_of_the_model(void) {
    Sample* s = sample_skater(0, 10, 11);
    s->model.text.source = (LiaSource){"skater.lia", "model skater\nconstraint blade: x = y\n", 36};
    s->motion.status = LIA_FAILED;
    s->motion.reason = (LiaReason){.code = "E9999",
                                   .text = "'blade' was lost",
                                   .t = 3.25,
                                   .line = 2,
                                   .column = 12,
                                   .span = {24, 29}};
    assert_has(s, plain, "\nfailed at t = 10 s with E9999: 41 steps");
    char* reason = lia_output_reason(&s->motion);
    assert_string_equal(reason, "skater.lia:2:12: error E9999: at t = 3.25: 'blade' was lost\n"
                                "  2 | constraint blade: x = y\n"
                                "    |            ^~~~~\n");
    lia_free(reason);
    s->motion.status = LIA_STOPPED;
    s->motion.reason = (LiaReason){.text = "interrupted at t = 10", .t = 10};
    assert_has(
        s, plain,
        "stopped at t = 10 s: 41 steps in 213 us, set up in 4.12 ms\nskater.lia: interrupted "
        "at t = 10\n");
    s->motion.status = LIA_OK;
    reason = lia_output_reason(&s->motion);
    assert_string_equal(reason, "");
    lia_free(reason);
    sample_free(s);
}

static void forces_that_are_not_unique_are_said_to_be(void) {
    Sample* s = sample_skater(0, 10, 11);
    s->constraints[0].unique = false;
    assert_has(s, plain, "  the forces of 'blade' are not unique: those of least norm are shown\n");
    sample_free(s);
}

// What is rounding of the other velocities or impulses of a jump is shown as 0.
static void jumps_show_no_rounding(void) {
    Sample* s = sample_skater(0.0, 1.0, 3);
    LiaColumn columns[] = {{.name = "a'", .unit = "m/s"}, {.name = "b'"}};
    LiaJumpVelocity velocities[] = {{&columns[0], -0.894, -1.4e-16}, {&columns[1], 2e-16, 1.5e-12}};
    double values[] = {2.0, 3e-17};
    LiaJumpImpulse impulse = {.name = "stop", .count = 2, .values = values};
    LiaJump jump = {.t = 1.0,
                    .velocities = velocities,
                    .velocity_count = 2,
                    .impulses = &impulse,
                    .impulse_count = 1,
                    .unique = true};
    s->motion.jumps.list = &jump;
    s->motion.jumps.count = 1;
    assert_has(s, plain, "a' from -0.894 to 0 m/s, b' from 0 to 1.5e-12");
    assert_has(s, plain, "of 'stop' [2, 0]");
    s->motion.jumps.count = 0;
    sample_free(s);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_title_cannot_speak_to_the_terminal),
        TEST(it_tells_what_was_run_and_what_came_out),
        TEST(colours_stand_only_where_they_are_asked_for),
        TEST(pictures_fit_the_terminal),
        TEST(words_fit_the_terminal),
        TEST(a_path_is_to_scale_in_characters_too),
        TEST(odd_numbers_make_pictures),
        TEST(a_constant_is_a_straight_line),
        TEST(long_lists_are_cut),
        TEST(many_joints_do_not_hide_the_motor),
        TEST(the_reason_of_a_run_that_failed_shows_the_line_of_the_model),
        TEST(forces_that_are_not_unique_are_said_to_be),
        TEST(jumps_show_no_rounding),
    };
    return TESTS_RUN(tests);
}
