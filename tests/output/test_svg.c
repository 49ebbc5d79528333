// SVG files: well-formed, to scale, of modest size, whatever the numbers are.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "sample.h"
#include "support/cases.h"
#include "support/motion.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static char folder[64], stem[80], text[1 << 20];

static int make_folder(void) {
    const char* where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.40s/liaison-svg-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) {
        return -1;
    }
    snprintf(stem, sizeof stem, "%s/plot", folder);
    return 0;
}

static int remove_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

// &#x202E; of a character that XML has
static bool is_number(const char* s) {
    if (strncmp(s, "&#x", 3) != 0) return false;
    char* end;
    unsigned long c = strtoul(s + 3, &end, 16);
    return *end == ';' && c >= 0x20 && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE &&
           c != 0xFFFF;
}

// Tags that close in order, attributes in quotes, entities that exist, nothing after the root.
static bool is_well_formed(const char* s) {
    char open[32][16];
    int depth = 0;
    bool root = false;
    while (*s) {
        if (*s == '&' && strncmp(s, "&amp;", 5) && strncmp(s, "&lt;", 4) && strncmp(s, "&gt;", 4) &&
            strncmp(s, "&quot;", 6) && !is_number(s)) {
            return false;
        }
        if (*s != '<') {
            if ((unsigned char)*s < 0x20 && *s != '\n' && *s != '\t') {
                return false;
            }
            if (depth == 0 && !isspace((unsigned char)*s)) {
                return false;
            }
            s++;
            continue;
        }
        bool closes = s[1] == '/';
        s += closes ? 2 : 1;
        char name[16];
        int n = 0;
        while (isalnum((unsigned char)*s) && n < 15) {
            name[n++] = *s++;
        }
        name[n] = '\0';
        if (n == 0) {
            return false;
        }
        if (closes) {
            if (depth == 0 || strcmp(open[--depth], name) != 0 || *s++ != '>') {
                return false;
            }
            continue;
        }
        if (depth == 0 && root) {
            return false;
        }
        root = true;
        while (*s == ' ') {
            s++;
            while (isalnum((unsigned char)*s) || *s == '-' || *s == ':') {
                s++;
            }
            if (*s++ != '=' || *s++ != '"') {
                return false;
            }
            while (*s && *s != '"' && *s != '<') {
                s++;
            }
            if (*s++ != '"') {
                return false;
            }
        }
        if (strncmp(s, "/>", 2) == 0) {
            s += 2;
        } else if (*s++ == '>' && depth < 32) {
            strcpy(open[depth++], name);
        } else {
            return false;
        }
    }
    return root && depth == 0;
}

static const char* read_plot(const char* path) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    return text;
}

// Write the plots and read the first one back.
static const char* draw(Sample* s) {
    size_t count = 0;
    char* paths = NULL;
    assert_int_equal(lia_output_svg(&s->motion, stem, &count, &paths), LIA_OK);
    assert_int_equal(count, s->model.pictures.plots_count);
    char* end = strchr(paths, '\n');
    if (end) {
        *end = '\0';
    }
    read_plot(paths);
    lia_free(paths);
    assert_true(is_well_formed(text));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

// Extent in pixels of the longest curve of the picture.
static void measure(const char* svg, double* width, double* height, size_t* points) {
    *width = *height = 0;
    *points = 0;
    for (const char* at = svg; (at = strstr(at, "<path class=\"curve")) != NULL; at++) {
        const char* d = strstr(at, " d=\"M") + 5;
        char* next;
        double x = strtod(d, &next), y = strtod(next, &next);
        double low_x = x, high_x = x, low_y = y, high_y = y;
        size_t count = 1;
        if (*next == 'h') {
            continue;  // of the legend
        }
        assert_int_equal(*next++, 'l');
        while (*next != '"') {
            x += strtod(next, &next);
            y += strtod(next, &next);
            low_x = fmin(low_x, x);
            high_x = fmax(high_x, x);
            low_y = fmin(low_y, y);
            high_y = fmax(high_y, y);
            count++;
        }
        if (count > *points) {
            *width = high_x - low_x;
            *height = high_y - low_y;
            *points = count;
        }
    }
}

static size_t occurrences(const char* s, const char* part) {
    size_t n = 0;
    for (; (s = strstr(s, part)) != NULL; s++) {
        n++;
    }
    return n;
}

static void the_skater_has_a_path_and_two_panels(void) {
    Sample* s = sample_skater(0, 10, 1001);
    size_t count;
    char* paths;
    assert_int_equal(lia_output_svg(&s->motion, stem, &count, &paths), LIA_OK);
    assert_int_equal(count, 2);
    char expected[200];
    snprintf(expected, sizeof expected, "%s.svg\n%s-2.svg", stem, stem);
    assert_string_equal(paths, expected);
    lia_free(paths);

    snprintf(expected, sizeof expected, "%s.svg", stem);
    const char* path = read_plot(expected);
    assert_true(is_well_formed(path));
    assert_non_null(strstr(path, "Skater with a twisting torso</text>"));
    assert_non_null(strstr(path, ">x in m</text>"));
    assert_non_null(strstr(path, ">y in m</text>"));
    assert_non_null(strstr(path, ">t = 0 s</text>"));
    assert_non_null(strstr(path, ">t = 10 s</text>"));
    assert_non_null(strstr(path, "prefers-color-scheme: dark"));
    assert_true(strlen(path) < 20000);

    snprintf(expected, sizeof expected, "%s-2.svg", stem);
    const char* over_time = read_plot(expected);
    assert_true(is_well_formed(over_time));
    assert_non_null(strstr(over_time, ">energy in J</text>"));
    assert_non_null(strstr(over_time, ">power(twist) in W</text>"));
    assert_non_null(strstr(over_time, ">t in s</text>"));
    sample_free(s);
}

static Sample* circle(const char* x_unit, const char* y_unit, double squeeze) {
    const char *names[] = {"y"}, *units[] = {y_unit};
    Sample* s = sample_curves("x", x_unit, names, units, 1, 501);
    for (size_t i = 0; i < 501; i++) {
        double a = 6.283185307179586 * (double)i / 500;
        sample_row(s, i)[1] = 3 + 2 * cos(a);
        sample_row(s, i)[2] = squeeze * sin(a);
    }
    sample_end(s);
    return s;
}

static void a_path_of_one_unit_is_to_scale(void) {
    static const struct {
        const char *x, *y;
        double squeeze, ratio;  // of height to width; 0: not to scale
    } cases[] = {
        {"m", "m", 2, 1},     {"m", "m", 1, 0.5},   {"m", "m", 6, 3},      {NULL, NULL, 2, 1},
        {"m", "mm", 2000, 1}, {"m", "m/s", 0.2, 0}, {NULL, NULL, 0.02, 0}, {"m", NULL, 0.2, 0},
        {"m", "m", 0.002, 0},  // nothing would be seen of it
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample* s = circle(cases[i].x, cases[i].y, cases[i].squeeze);
        double width, height;
        size_t points;
        measure(draw(s), &width, &height, &points);
        if (cases[i].ratio > 0) {
            assert_true(fabs(height / width - cases[i].ratio) < 0.01 * cases[i].ratio);
        } else {
            assert_true(height > 200 && width > 500);
        }
        sample_free(s);
    }
}

static void numbers_of_any_size_are_drawn(void) {
    const double scales[] = {1, 1e-12, 1e12, 1e-200, 1e200, 1e289, 5e-324, 0};
    const double offsets[] = {0, 1, -1e6, 1e15};
    const char* names[] = {"y"};
    for (size_t i = 0; i < 8; i++) {
        for (size_t k = 0; k < 4; k++) {
            Sample* s = sample_curves(NULL, NULL, names, NULL, 1, 101);
            for (size_t row = 0; row < 101; row++) {
                sample_row(s, row)[1] = offsets[k] + scales[i] * sin((double)row);
            }
            sample_end(s);
            draw(s);
            sample_free(s);
        }
    }
}

static void gaps_interrupt_a_curve(void) {
    const char* names[] = {"y"};
    Sample* s = sample_curves(NULL, NULL, names, NULL, 1, 101);
    for (size_t row = 0; row < 101; row++) {
        double t = (double)row;
        sample_row(s, row)[1] = row == 30 ? NAN : row == 60 ? INFINITY : row == 62 ? 1e300 : t * t;
    }
    sample_end(s);
    const char* svg = draw(s);
    assert_int_equal(occurrences(svg, "<path class=\"curve"), 3);
    assert_int_equal(occurrences(svg, "<circle"), 1);  // row 61, alone
    for (size_t row = 0; row < 101; row++) {
        sample_row(s, row)[1] = NAN;
    }
    sample_end(s);
    assert_int_equal(occurrences(draw(s), "class=\"curve"), 0);
    sample_free(s);
}

static void one_sample_or_none_is_a_picture_too(void) {
    Sample* s = circle("m", "m", 1);
    s->motion.rows.count = 1;
    s->motion.t = s->motion.t0 = 0;
    memcpy(s->motion.final.values, sample_row(s, 0), 3 * sizeof(double));
    assert_int_equal(occurrences(draw(s), "<circle"), 1);
    s->motion.rows.count = 0;
    draw(s);
    double* final = s->motion.final.values;
    s->motion.final.values = NULL;
    assert_int_equal(occurrences(draw(s), "<circle"), 0);
    s->motion.final.values = final;
    sample_free(s);
}

static void backwards_is_drawn_from_left_to_right_all_the_same(void) {
    Sample* s = sample_skater(10, 0, 501);
    const char* svg = draw(s);
    assert_non_null(strstr(svg, "t = 10 to 0"));
    assert_non_null(strstr(svg, "the dots are 1 s apart"));
    assert_true(occurrences(svg, "<circle") == 9 + 2);
    sample_free(s);
}

static void many_samples_are_a_small_file(void) {
    enum { MANY = 300000 };
    const char* names[] = {"y"};
    for (int path = 0; path < 2; path++) {
        Sample* s = sample_curves(path ? "x" : NULL, NULL, names, NULL, 1, MANY);
        for (size_t row = 0; row < MANY; row++) {
            double t = sample_row(s, row)[0];
            sample_row(s, row)[1] = sin(3000 * t);
            sample_row(s, row)[path ? 2 : 1] = cos(3001 * t) * (1 + t);
        }
        sample_end(s);
        double width, height;
        size_t points;
        const char* svg = draw(s);
        measure(svg, &width, &height, &points);
        assert_true(strlen(svg) < 80000);
        assert_true(points < 6000);
        sample_free(s);
    }
}

static void many_curves_are_told_apart(void) {
    static char names[30][16];
    const char* labels[30];
    for (int i = 0; i < 30; i++) {
        snprintf(names[i], sizeof names[i], "q[%d]", i);
        labels[i] = names[i];
    }
    Sample* s = sample_curves(NULL, NULL, labels, NULL, 30, 11);
    for (size_t row = 0; row < 11; row++) {
        for (int i = 0; i < 30; i++) {
            sample_row(s, row)[1 + i] = i + sin((double)row);
        }
    }
    sample_end(s);
    const char* svg = draw(s);
    assert_non_null(strstr(svg, "… and 20 more"));
    assert_int_equal(occurrences(svg, "style=\"stroke: #"), 30 + 10);
    sample_free(s);
}

static void the_users_words_are_escaped(void) {
    Sample* s = circle(NULL, NULL, 2);
    s->model.title = "a < b & \"c\" \x01 \xff \x1b[2J \xC2\x9B \xE2\x80\xAE </title><script>";
    s->curves[0][0].label = "if(x < 1, y & \"z\")";
    const char* svg = draw(s);
    assert_non_null(strstr(svg, "a &lt; b &amp; &quot;c&quot;"));
    assert_non_null(strstr(svg, " [2J &#x9B; &#x202E; &lt;/title&gt;&lt;script&gt;"));
    assert_null(strchr(svg, '\x1b'));
    sample_free(s);
}

static void a_folder_that_is_not_there_is_said(void) {
    Sample* s = circle("m", "m", 1);
    size_t count = 7;
    char* paths = NULL;
    assert_int_equal(lia_output_svg(&s->motion, "/no/such/folder/plot", &count, &paths), LIA_FILE);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(count, 0);
    assert_string_equal(paths, "");
    lia_free(paths);
    s->model.pictures.plots_count = 0;
    assert_int_equal(lia_output_svg(&s->motion, stem, &count, NULL), LIA_OK);
    assert_int_equal(count, 0);
    sample_free(s);
}

static double width_of(const char* class) {
    char tag[40];
    snprintf(tag, sizeof tag, "<rect class=\"%s\"", class);
    const char* at = strstr(text, tag);
    return at ? strtod(strstr(at, "width=\"") + 7, NULL) : NAN;
}

// A block slides for a quarter of the time and sticks then; a ball strikes the floor twice, and an
// event fires once: lines across bars.
static void what_happened_stands_under_the_axis(void) {
    Motion m = motion_of("coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                         "potential 10*y + 10*z\ncontact rough: y >= 0 slip x' friction 0.3\n"
                         "contact floor: z >= 0 restitution 1\nevent half: t = 2\n"
                         "start x' = 3, y = 0, z = 5\nrun t = 0..4\nplot t: x\nplot x: z\n",
                         &(MotionOptions){0});
    assert_non_null(m.t);
    size_t count = 0;
    char* paths = NULL;
    assert_int_equal(lia_output_svg(m.t, stem, &count, &paths), LIA_OK);
    assert_int_equal(count, 2);
    FILE* file = fopen(strtok(paths, "\n"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_true(is_well_formed(text));
    double all = width_of("mode");
    assert_true(fabs(width_of("slides") - all / 4) < 0.02);
    assert_true(fabs(width_of("sticks") - 3 * all / 4) < 0.02);
    const char* floor = strstr(strstr(text, ">rough<"), ">floor<");
    assert_non_null(floor);
    const char* struck = strstr(floor, "class=\"struck\" d=\"");
    const char* events = strstr(floor, ">events<");
    assert_true(struck != NULL && events > struck);
    int lines = 0;
    for (const char* c = struck + 18; *c != '"'; c++) lines += *c == 'M';
    assert_int_equal(lines, 2);
    file = fopen(strtok(NULL, "\n"), "r");  // a path has none
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_null(strstr(text, "<rect class=\"mode\""));
    lia_free(paths);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_skater_has_a_path_and_two_panels),
        TEST(a_path_of_one_unit_is_to_scale),
        TEST(numbers_of_any_size_are_drawn),
        TEST(gaps_interrupt_a_curve),
        TEST(one_sample_or_none_is_a_picture_too),
        TEST(backwards_is_drawn_from_left_to_right_all_the_same),
        TEST(many_samples_are_a_small_file),
        TEST(many_curves_are_told_apart),
        TEST(the_users_words_are_escaped),
        TEST(what_happened_stands_under_the_axis),
        TEST(a_folder_that_is_not_there_is_said),
    };
    return TESTS_RUN_WITHIN(tests, make_folder, remove_folder);
}
