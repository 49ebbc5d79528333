// Every word of an SVG plot is in the picture and on no other word: plots of all examples, and
// models with long names, long units, large, small and negative numbers.
//
// A text is measured with the widths of DejaVu Sans, the widest of the usual fonts: what fits in it
// fits in the others.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/file.h"
#include "support/motion.h"
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEXTS_MOST = 400, HEIGHT_ROOM = 2 };

typedef struct Word {
    double left, right, top, bottom;
    char text[120];
} Word;

typedef struct Picture {
    double width, height;
    Word words[TEXTS_MOST];
    int count;
} Picture;

// U+0020 to U+007E, thousandths of the size: regular, then bold.
static const short advance[2][95] = {
    {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
     636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
     1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
     603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
     500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
     635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838},
    {348,  456, 521, 838, 696, 1002, 872, 306,  457, 457, 523, 838, 380, 415,  380, 365,
     696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 580,
     1000, 774, 762, 734, 830, 683,  683, 821,  837, 372, 372, 775, 637, 995,  837, 850,
     733,  850, 770, 720, 682, 812,  774, 1103, 771, 724, 725, 457, 365, 457,  838, 500,
     500,  675, 716, 593, 716, 678,  435, 716,  712, 343, 343, 665, 343, 1042, 712, 687,
     716,  716, 493, 595, 478, 712,  652, 924,  645, 652, 582, 712, 365, 712,  838}};

// The others that labels have in them: raised and lowered figures, primes, Greek, signs; else an
// ideogram, which is as wide as high.
static int width_of(unsigned long c, bool heavy) {
    if (c >= 0x20 && c <= 0x7E) return advance[heavy][c - 0x20];
    if (c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0x2070 && c <= 0x209C)) return 401;
    if (c == 0x2032) return 227;
    if (c == 0x2033) return 374;
    if (c == 0xB7) return 318;
    if (c >= 0x370 && c < 0x400) return 660;
    return c == 0x2212 ? 838 : 1000;
}

// The next character of an XML text, entities replaced.
static unsigned long next_character(const char** s) {
    static const struct {
        const char* entity;
        char c;
    } named[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        size_t n = strlen(named[i].entity);
        if (strncmp(*s, named[i].entity, n) == 0) {
            *s += n;
            return (unsigned char)named[i].c;
        }
    }
    unsigned char first = (unsigned char)*(*s)++;
    unsigned long c = first >= 0xF0 ? first & 7u : first >= 0xE0 ? first & 15u : first & 31u;
    if (first < 0xC0) return first;
    while (((unsigned char)**s & 0xC0) == 0x80) c = c << 6 | ((unsigned char)*(*s)++ & 0x3F);
    return c;
}

static double attribute(const char* tag, const char* end, const char* name) {
    const char* at = strstr(tag, name);
    return at && at < end ? strtod(at + strlen(name), NULL) : NAN;
}

static bool has_class(const char* tag, const char* word) {
    const char *from = strstr(tag, "class=\"") + 7, *to = strchr(from, '"');
    const char* at = strstr(from, word);
    return at && at < to;
}

static Word measure(const char* tag) {
    const char* end = strchr(tag, '>');
    double x = attribute(tag, end, " x=\""), y = attribute(tag, end, " y=\"");
    double squeezed = attribute(tag, end, " textLength=\""), width = 0.0;
    bool title = has_class(tag, "title");
    double size = title ? 17 : has_class(tag, "label") ? 13 : 12;
    const char* s = end + 1;
    if (strncmp(s, "<title>", 7) == 0) s = strstr(s, "</title>") + 8;
    Word word = {0};
    snprintf(word.text, sizeof word.text, "%.*s", (int)(strstr(s, "</text>") - s), s);
    while (*s != '<') width += size / 1000.0 * width_of(next_character(&s), title);
    if (!isnan(squeezed)) width = squeezed;
    double before = has_class(tag, "end") ? 1.0 : has_class(tag, "middle") ? 0.5 : 0.0;
    word.left = x - before * width;
    word.right = word.left + width;
    word.top = y - 0.76 * size;
    word.bottom = y + 0.24 * size;
    return word;
}

static Picture read_picture(const char* svg) {
    Picture p = {0};
    const char* box = strstr(svg, "viewBox=\"0 0 ");
    assert_non_null(box);
    char* next;
    p.width = strtod(box + 13, &next);
    p.height = strtod(next, NULL);
    for (const char* tag = svg; (tag = strstr(tag, "<text ")) != NULL; tag++) {
        assert_true(p.count < TEXTS_MOST);
        p.words[p.count++] = measure(tag);
    }
    return p;
}

static bool is_cut(const Picture* p, const Word* w) {
    return w->left < 0 || w->top < 0 || w->right > p->width || w->bottom > p->height;
}

// Times beside a path are placed where they hide least; all else has a place of its own.
static bool is_on(const Word* a, const Word* b) {
    return a->left < b->right - 0.5 && b->left < a->right - 0.5 &&
           a->top < b->bottom - HEIGHT_ROOM && b->top < a->bottom - HEIGHT_ROOM;
}

// How many words are cut or on each other; says which.
static int faults(const char* svg, const char* of) {
    Picture p = read_picture(svg);
    int found = 0;
    for (int i = 0; i < p.count; i++) {
        const Word* w = &p.words[i];
        if (is_cut(&p, w)) {
            found++;
            if (of) {
                printf("%s: cut: '%s', x %.1f to %.1f of %.0f, y %.1f to %.1f of %.0f\n", of,
                       w->text, w->left, w->right, p.width, w->top, w->bottom, p.height);
            }
        }
        for (int k = 0; k < i; k++) {
            if (!is_on(w, &p.words[k])) continue;
            found++;
            if (of) printf("%s: '%s' is on '%s'\n", of, w->text, p.words[k].text);
        }
    }
    return found;
}

static int faults_of_motion(const Motion* m, const char* of) {
    char folder[] = "clipping-XXXXXX", stem[64];
    assert_non_null(mkdtemp(folder));
    snprintf(stem, sizeof stem, "%s/plot", folder);
    size_t count = 0;
    char* paths = NULL;
    assert_int_equal(lia_output_svg(m->t, stem, &count, &paths), LIA_OK);
    int found = 0;
    for (char* path = strtok(paths, "\n"); path; path = strtok(NULL, "\n")) {
        char absolute[4096], *here = getcwd(NULL, 0);
        snprintf(absolute, sizeof absolute, "%s/%s", here, path);
        char* svg = file_text(absolute);
        assert_non_null(svg);
        found += faults(svg, of);
        lia_free(svg);
        free(here);
        unlink(path);
    }
    lia_free(paths);
    rmdir(folder);
    return found;
}

// --- the measure itself

static void a_word_that_is_cut_is_found(void) {
    static const char head[] = "<svg viewBox=\"0 0 760 300\">";
    static const struct {
        const char* text;
        int faults;
    } cases[] = {
        {"<text class=\"label\" x=\"24\" y=\"40\">velocity</text>", 0},
        {"<text class=\"label\" x=\"720\" y=\"40\">velocity</text>", 1},
        {"<text class=\"label end\" x=\"30\" y=\"40\">velocity</text>", 1},
        {"<text class=\"middle\" x=\"12\" y=\"40\">−0.0012</text>", 1},
        {"<text class=\"label\" x=\"24\" y=\"299\">velocity</text>", 1},
        {"<text class=\"label\" x=\"24\" y=\"40\" textLength=\"800\">velocity</text>", 1},
        {"<text class=\"label\" x=\"700\" y=\"40\" "
         "textLength=\"50\"><title>a</title>velocity</text>",
         0},
        {"<text class=\"end\" x=\"90\" y=\"40\">1</text><text class=\"end\" x=\"92\" "
         "y=\"44\">2</text>",
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char svg[400];
        snprintf(svg, sizeof svg, "%s%s</svg>", head, cases[i].text);
        assert_int_equal(faults(svg, NULL), cases[i].faults);
    }
}

// --- models

#define LONG_NAME "the_velocity_of_the_outermost_point_of_the_second_of_three_links"
#define WIDE_NAME "WWWWWWWWMMMMMMMMWWWWWWWWMMMMMMMMWWWWWWWWMMMMMMMMWWWWWWWWMMMMMMMM"

static const char long_names[] =
    "model " WIDE_NAME " \"" WIDE_NAME " " LONG_NAME " " WIDE_NAME "\"\n"
    "coordinate " LONG_NAME ", " WIDE_NAME " : line in m\n"
    "kinetic " LONG_NAME "'^2/2 + " WIDE_NAME "'^2/2\n"
    "parameter R = 3 in kg*m/(s^3*A)\nobserve a_" LONG_NAME " = R*" LONG_NAME " in kg*m^2/(s^3*A)\n"
    "observe b_" WIDE_NAME " = " WIDE_NAME "/" LONG_NAME "\n"
    "start " LONG_NAME " = 1, " LONG_NAME "' = 1, " WIDE_NAME "' = -2\n"
    "run t = 0..3, samples 40\n"
    "plot " LONG_NAME ", " WIDE_NAME "\n"
    "plot t: " LONG_NAME ", " WIDE_NAME ", a_" LONG_NAME ", b_" WIDE_NAME "\n"
    "plot " WIDE_NAME ": " LONG_NAME "'*" WIDE_NAME " + " LONG_NAME "*" WIDE_NAME "', " LONG_NAME
    "'\n"
    "plot " WIDE_NAME "\n";

// Numbers of all sizes; k and b are put in.
static const char numbers[] =
    "model numbers \"速度と力 の図 速度と力 の図 速度と力 の図 速度と力 の図 速度と力 の図 "
    "速度と力 の図\"\n"
    "parameter k = %s, b = %s, T = %s\n"
    "coordinate theta : circle\ncoordinate x, y : line in m\n"
    "kinetic theta'^2/2 + x'^2/2 + y'^2/2\n"
    "observe f = b + k*cos(7*t/T), g = k*t/T*sin(5*t/T), h = -k*exp(t/T)\n"
    "start theta' = 1/T, x = b, x' = k/T, y' = -k/T\n"
    "run t = 0..T, samples 60\n"
    "plot f, g\nplot t: f, g, h\nplot x, y\nplot theta: theta'\nplot t: h\nplot g: f, h, x, y, "
    "theta\n";

static void long_names_are_in_the_picture(void) {
    Motion m = motion_of(long_names, NULL);
    assert_non_null(m.t);
    assert_int_equal(faults_of_motion(&m, "long names"), 0);
    motion_clear(&m);
}

static void numbers_of_all_sizes_are_in_the_picture(void) {
    static const char* const sizes[][3] = {
        {"1", "0", "1"},
        {"-1e-12", "0", "1e-6"},
        {"1e-3", "1e6", "1e4"},
        {"3e15", "-2e15", "1e9"},
        {"1e-280", "0", "1"},
        {"-7.7e120", "0", "123456.789"},
        {"1e-9", "-299792458", "1e-9"},
        {"99999", "-99999", "0.00123"},
        {"1", "123456789012", "7e-300"},
    };
    int step = cases_every();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += (size_t)step) {
        char text[2000], of[80];
        snprintf(text, sizeof text, numbers, sizes[i][0], sizes[i][1], sizes[i][2]);
        snprintf(of, sizeof of, "k = %s, b = %s, T = %s", sizes[i][0], sizes[i][1], sizes[i][2]);
        Motion m = motion_of(text, NULL);
        assert_non_null(m.t);
        assert_int_equal(faults_of_motion(&m, of), 0);
        motion_clear(&m);
    }
}

static void many_curves_are_in_the_picture(void) {
    Motion m = motion_of("parameter N = 14\ncoordinate displacement_of_mass[i = 1..N] : line in m\n"
                         "kinetic sum(i = 1..N, displacement_of_mass[i]'^2/2)\n"
                         "start displacement_of_mass[i = 1..N]' = i\n"
                         "run t = 0..1, samples 20\n"
                         "plot t: displacement_of_mass[1], displacement_of_mass[2], "
                         "displacement_of_mass[3], displacement_of_mass[4], "
                         "displacement_of_mass[5], displacement_of_mass[6], "
                         "displacement_of_mass[7], displacement_of_mass[8], "
                         "displacement_of_mass[9], displacement_of_mass[10], "
                         "displacement_of_mass[11], displacement_of_mass[12], "
                         "displacement_of_mass[13], displacement_of_mass[14]\n",
                         NULL);
    assert_non_null(m.t);
    assert_int_equal(faults_of_motion(&m, "many curves"), 0);
    motion_clear(&m);
}

static void examples_are_in_the_picture(void) {
    glob_t found;
    assert_int_equal(glob(LIAISON_SOURCE_DIR "/examples/*/*.lia", 0, NULL, &found), 0);
    int bad = 0;
    for (size_t i = 0; i < found.gl_pathc; i += (size_t)cases_every()) {
        MotionOptions options = {.quiet = 1};
        Motion m = motion_of_file(found.gl_pathv[i], &options);
        if (m.t) bad += faults_of_motion(&m, strrchr(found.gl_pathv[i], '/') + 1);
        motion_clear(&m);
    }
    assert_true(found.gl_pathc > 40);
    assert_int_equal(bad, 0);
    globfree(&found);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_word_that_is_cut_is_found),
        TEST(long_names_are_in_the_picture),
        TEST(numbers_of_all_sizes_are_in_the_picture),
        TEST(many_curves_are_in_the_picture),
        TEST(examples_are_in_the_picture),
    };
    return TESTS_RUN(tests);
}
