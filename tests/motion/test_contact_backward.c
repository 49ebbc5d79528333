// Runs against the time with contacts: what was follows from what is where impacts give something
// back and nothing sticks. What a forward run did is undone; where there is no past, that is said.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#define PLANE "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\n"

typedef struct Case {
    const char* text;
    const char* start[4];  // values of x, z, x', z'
    double t;
    int events;
} Case;

// Forward, back from where that ended, and the state is the first one.
static void undo(const Case* c) {
    static const char* const names[] = {"x", "z", "x'", "z'"};
    char text[1024];
    double end[4];
    snprintf(text, sizeof text, "%sstart x = %s, z = %s, x' = %s, z' = %s\nrun t = 0..%g\n",
             c->text, c->start[0], c->start[1], c->start[2], c->start[3], c->t);
    Motion forth = motion_of(text, &(MotionOptions){0});
    assert_non_null(forth.t);
    for (int i = 0; i < 4; i++) end[i] = motion_final(&forth, names[i]);
    snprintf(text, sizeof text,
             "%sstart x = %.17g, z = %.17g, x' = %.17g, z' = %.17g\nrun t = %g..0\n", c->text,
             end[0], end[1], end[2], end[3], c->t);
    Motion back = motion_of(text, &(MotionOptions){0});
    assert_non_null(back.t);
    assert_int_equal(back.t->status, LIA_OK);
    size_t count = forth.t->events.count;
    if ((int)count != c->events) fail_msg("%s: %zu events", c->text, count);
    assert_int_equal(back.t->events.count, c->events);
    for (size_t i = 0; i < count; i++) {
        const LiaEventRecord* a = &forth.t->events.list[i];
        const LiaEventRecord* b = &back.t->events.list[count - 1 - i];
        assert_int_equal(a->kind, b->kind);
        assert_string_equal(a->name, b->name);
        assert_true(fabs(a->t - b->t) < 1e-9);
        assert_true(fabs(a->lost - b->lost) < 1e-9 && fabs(a->energy + b->energy) < 1e-9);
        if (a->impulse) assert_true(fabs(a->impulse[0] - b->impulse[0]) < 1e-9);
    }
    for (int i = 0; i < 4; i++) {
        double first = strtod(c->start[i], NULL), is = motion_final(&back, names[i]);
        if (!(fabs(is - first) < 1e-9)) fail_msg("%s%s: %.17g", c->text, names[i], is);
    }
    assert_true(back.t->ledger.balance < 1e-11);
    motion_clear(&forth);
    motion_clear(&back);
}

static void what_was_follows_from_what_is(void) {
    static const Case cases[] = {
        // bounces that lose, on a floor, between walls, on a wave; a rope
        {PLANE "potential 9.81*z\ncontact c: z >= 0 restitution 0.7\n",
         {"0", "2", "0.5", "0"},
         2.3,
         3},
        {PLANE
         "potential 9.81*z\ncontact c: z - 0.1*sin(3*x) >= 0 restitution 0.9\n"
         "contact left: x + 1 >= 0 restitution 1\ncontact right: 1 - x >= 0 restitution 0.8\n",
         {"0", "1", "1.3", "0"},
         2.0,
         4},
        {PLANE "potential 9.81*z\ncontact rope: 1 - hypot(x, z) >= 0 restitution 0.6\n",
         {"0.3", "0.5", "1", "0"},
         0.9,
         4},
        // a racket, which feeds in; a wall that is driven
        {PLANE "potential 9.81*z\ncontact c: z - 0.1*sin(5*t) >= 0 restitution 0.6\n",
         {"0.3", "0.5", "1", "0"},
         1.0,
         3},
        {PLANE "operator o: z' = 3\ncontact c: x - z >= 0 restitution 0.5\n",
         {"1", "0", "0", "3"},
         1.0,
         1},
        // a particle that slides over a sphere and leaves it, and one that slides with friction
        {PLANE "potential 9.81*z\ncontact c: hypot(x, z) - 1 >= 0\n",
         {"0.6", "0.8", "0", "0"},
         0.6,
         1},
        {PLANE "potential 9.81*z\ncontact c: z >= 0 slip x' friction 0.1\n",
         {"0", "0", "3", "0"},
         1.0,
         0},
        // two balls and a wall, all elastic, with a corner of the gap
        {PLANE "contact c: z - x >= 0 restitution 1\ncontact wall: 2 - z >= 0 restitution 1\n"
               "contact other: max(x + 1, -5 - x) >= 0 restitution 1\n",
         {"0", "1", "1.5", "0"},
         4.0,
         4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) undo(&cases[i]);
}

static void what_has_no_past_is_said(void) {
    static const struct {
        const char *code, *words, *text;
    } cases[] = {
        {"E0431", "was struck", PLANE "contact c: z >= 0\nstart z = 1, z' = 1\nrun t = 2..0\n"},
        {"E0431", "with friction",
         PLANE "contact c: z >= 0 restitution 0.5 slip x' friction 0.1\nstart z = 1, z' = 1\n"
               "run t = 2..0\n"},
        {"E0431", "does not slip",
         PLANE "potential 9.81*z\ncontact c: z >= 0 slip x' friction 0.1\nrun t = 2..0\n"},
        // three balls that touch: two impulses at once, by a law that many velocities satisfy
        {"E0431", "was struck",
         "coordinate a, b, c : line\nkinetic (a'^2 + b'^2 + c'^2)/2\n"
         "contact f: b - a >= 1 restitution 1\ncontact g: c - b >= 1 restitution 1\n"
         "start a = -1, b = 1, c = 2, a' = -1, b' = 0, c' = 0\nrun t = 2..0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion m = motion_of(cases[i].text, &(MotionOptions){.quiet = 1});
        assert_non_null(m.t);
        if (!m.t->reason.code) fail_msg("case %zu runs", i);
        assert_string_equal(m.t->reason.code, cases[i].code);
        assert_non_null(strstr(m.t->reason.text, cases[i].words));
        motion_clear(&m);
    }
}

// What rests on a floor without restitution may have fallen on it: a past is taken, and said.
static void a_closed_contact_is_doubted(void) {
    for (int elastic = 0; elastic < 2; elastic++) {
        char text[256];
        snprintf(text, sizeof text,
                 PLANE "potential 9.81*z\ncontact c: z >= 0%s\nstart x' = 1\nrun t = 2..0\n",
                 elastic ? " restitution 1" : "");
        Motion m = motion_of(text, &(MotionOptions){.quiet = 1});
        assert_non_null(m.t);
        assert_true(fabs(motion_final(&m, "x") + 2.0) < 1e-12);
        char* said = lia_diags_text(m.diags);
        assert_int_equal(strstr(said, "W0441") != NULL, !elastic);
        lia_free(said);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(what_was_follows_from_what_is),
        TEST(what_has_no_past_is_said),
        TEST(a_closed_contact_is_doubted),
    };
    return TESTS_RUN(tests);
}
