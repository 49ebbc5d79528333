// Contacts together with operators that act through springs: the same motion as with the law that
// the driven mass follows then, written out. x2'' = k (x1 - x2) and x2 = f give x1 = f + f''/k.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

// x1 pulls x2 by a spring of 50, y is another mass.
#define PAIR                                                                                       \
    "coordinate x1, x2, y, z : line\nkinetic (x1'^2 + x2'^2)/2 + (y'^2 + z'^2)/4\n"                \
    "potential 25*(x1 - x2)^2 + 4.905*z\n"
#define CHAIN                                                                                      \
    "coordinate x1, x2, x3, y : line\nkinetic (x1'^2 + x2'^2 + x3'^2)/2 + y'^2/4\n"                \
    "potential 25*(x1 - x2)^2 + 40*(x2 - x3)^2 + 4.905*y\n"

static const struct Case {
    const char *model, *through, *direct, *rest;
    int events;  // the first of them are compared
} cases[] = {
    // struck again and again, and then pushed
    {PAIR "force back: -d(y)\n", "operator o: x2 = 0.1*sin(2*t) by d(x1)\n",
     "operator o: x1 = 0.092*sin(2*t)\nconstraint b: x2 = 0.1*sin(2*t)\n",
     "contact c: y - x1 - 0.05 >= 0 restitution 0.5\nstart y = 0.2, y' = 0, z = 1\nrun t = 0..2\n",
     8},
    // a parcel on it that sticks and slips
    {PAIR, "operator o: x2 = sin(2*t) by d(x1)\n",
     "operator o: x1 = 0.92*sin(2*t)\nconstraint b: x2 = sin(2*t)\n",
     "contact c: z >= 0 slip y' - x1' friction 0.2 static 0.25\nstart y' = 0, z = 0\nrun t = "
     "0..6\n",
     7},
    // two springs, and closed from the start, where y' is not given
    {CHAIN, "operator o: x3 = 0.5*sin(3*t) by d(x1)\n",
     "operator o: x1 = 0.5*(71/80 - 9*71/80/50 - 9/50)*sin(3*t)\n"
     "constraint a: x2 = 0.5*71/80*sin(3*t)\nconstraint b: x3 = 0.5*sin(3*t)\n",
     "contact c: y - x1 >= 0 restitution 0.3\nstart y = 0\nrun t = 0..4\n", 0},
    // a floor that the operator has nothing to do with
    {PAIR, "operator o: x2 = 0.1*sin(2*t) by d(x1)\n",
     "operator o: x1 = 0.092*sin(2*t)\nconstraint b: x2 = 0.1*sin(2*t)\n",
     "contact c: z >= 0 restitution 0.5\nstart z = 1, y' = 0\nrun t = 0..1.2\n", 2},
};

static Motion motion_by(const struct Case* c, const char* law) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s", c->model, law, c->rest);
    Motion m = motion_of(text, &(MotionOptions){0});
    assert_non_null(m.t);
    if (m.t->status != LIA_OK) fail_msg("%s: %s", text, m.t->reason.text);
    return m;
}

static void the_motion_is_that_of_the_law_written_out(void) {
    static const char* const names[] = {"x1", "x2", "y", "x1'", "x2'", "y'"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion m = motion_by(&cases[i], cases[i].through),
               d = motion_by(&cases[i], cases[i].direct);
        assert_true(m.t->events.count >= (size_t)cases[i].events);
        assert_true(d.t->events.count >= (size_t)cases[i].events);
        for (int k = 0; k < cases[i].events; k++) {
            const LiaEventRecord *a = &m.t->events.list[k], *b = &d.t->events.list[k];
            assert_int_equal(a->kind, b->kind);
            assert_true(fabs(a->t - b->t) < 1e-13);
            assert_true(fabs(a->energy - b->energy) < 1e-12);
        }
        if (cases[i].events == 0) assert_true(m.t->events.count == 0 && d.t->events.count == 0);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            double a = motion_final(&m, names[k]), b = motion_final(&d, names[k]);
            if (!(fabs(a - b) < 1e-12)) fail_msg("case %zu: %s %.17g %.17g", i, names[k], a, b);
        }
        assert_true(m.t->ledger.balance < 1e-11);
        motion_clear(&m);
        motion_clear(&d);
    }
}

// The impulse of the operator, which holds x1 at its velocity: that of the contact.
static void the_operator_bears_the_impulse(void) {
    Motion m = motion_by(&cases[0], cases[0].through);
    assert_true(m.t->jumps.count > 0);
    const LiaJump* jump = &m.t->jumps.list[0];
    double of_contact = NAN, of_operator = NAN;
    for (size_t k = 0; k < jump->impulse_count; k++) {
        if (strcmp(jump->impulses[k].name, "c") == 0) of_contact = jump->impulses[k].values[0];
        if (strcmp(jump->impulses[k].name, "o") == 0) of_operator = jump->impulses[k].values[0];
    }
    assert_true(of_contact > 0.1);
    assert_true(fabs(of_contact - of_operator) < 1e-12);
    motion_clear(&m);
}

static void what_would_make_positions_jump_is_said(void) {
    static const struct {
        const char *code, *text;
        bool at_start;
    } wrong[] = {
        {"E0431",
         PAIR "operator o: x2 = 0.1*sin(2*t) by d(x1)\nforce back: -d(y)\n"
              "contact c: y - x2 - 0.05 >= 0\nstart y = 0.2, y' = 0, z = 1\nrun t = 0..2\n",
         false},
        {"E0431",
         PAIR "operator o: x2 = sin(2*t) by d(x1)\n"
              "contact c: z >= 0 slip y' - x2' friction 0.2\nstart z = 0\nrun t = 0..2\n",
         true},
        {"E0435",
         PAIR "operator o: x2 = 0.1*sin(2*t) by d(x1)\ncontact c: 0.05 - x1 >= 0\n"
              "start z = 1\nrun t = 0..2\n",
         false},
        {"E0431",
         PAIR "operator o: x2 = sin(2*t) by d(x1)\nconstraint c: z = 0 slip y' friction 0.2\n"
              "start y' = 1\nrun t = 0..2\n",
         true},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Motion m = motion_of(wrong[i].text, &(MotionOptions){.quiet = 1});
        const char* reason = m.t ? m.t->reason.code : NULL;
        char* said = lia_diags_text(m.diags);
        bool found = (reason && strcmp(reason, wrong[i].code) == 0 &&
                      (m.t->reason.t > 0.1) != wrong[i].at_start) ||
                     (wrong[i].at_start && said && strstr(said, wrong[i].code));
        if (!found) fail_msg("%zu: %s %s", i, reason ? reason : "-", said ? said : "");
        lia_free(said);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {TEST(the_motion_is_that_of_the_law_written_out),
                              TEST(the_operator_bears_the_impulse),
                              TEST(what_would_make_positions_jump_is_said)};
    return TESTS_RUN(tests);
}
