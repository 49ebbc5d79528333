// Impacts on a page: the arrows of the impulses, where they stand, give a free body its jump of
// momentum and of angular momentum; modes along the run are those of the events.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "motion/result/trajectory.h"
#include "page_data.h"
#include "support/cases.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.81, MASS = 2.0, INERTIA = 0.05;

// A body that flies and strikes, with the same moment of inertia about every axis.
#define FLIES                                                                                      \
    "body b: mass 2, inertia 0.05, free\ngravity [0, 0, -9.81]\nrun t = 0..1.2\n"                  \
    "start b.velocity = [1, 0.4, 0], b.omega = [2, -3, 1]\n"
static const char* const models[] = {
    FLIES "contact c: sphere(b, 0.1) on plane(ground) restitution 0.6 friction 0.3\n"
          "start b.position = [0, 0, 1]\n",
    FLIES "let u = velocity(b, b.position - [0, 0, 0.1])\n"
          "contact c: b.position.z - 0.1 >= 0 restitution 0.6 slip [u.x, u.y] friction 0.3\n"
          "start b.position = [0, 0, 1]\n",
    FLIES "contact c: box(b, [0.4, 0.3, 0.2]) on plane(ground) restitution 0.5\n"
          "start b.position = [0, 0, 1], b.attitude = rotx(0.3)*roty(0.5)\n",
    FLIES "contact c: box(b, [0.4, 0.3, 0.2]) on plane(ground at [0, 0, 0] normal [0.1, 0, 1])\n"
          "  restitution 0.3 friction 0.2\nstart b.position = [0, 0, 1], b.attitude = rotz(1)\n",
};

// The state of the body: position, velocity, attitude, angular velocity.
typedef struct Body {
    double t, x[3], v[3], q[4], w[3];
} Body;

static double number_of(const LiaTrajectory* t, const double* state, const char* name) {
    size_t at = 0;
    for (size_t k = 0; k < t->csv_count; k++) {
        LiaColumnKind kind = t->columns[k].kind;
        if (kind != LIA_COLUMN_POSITION && kind != LIA_COLUMN_VELOCITY) continue;
        if (strcmp(t->columns[k].name, name) == 0) return state[at];
        at++;
    }
    fail_msg("no column %s", name);
    return NAN;
}

static Body body_of(const LiaTrajectory* t, double time, const double* state) {
    Body b = {.t = time};
    for (int k = 0; k < 4; k++) {
        char name[32], axis = "wxyz"[k];
        snprintf(name, sizeof name, "b.attitude.%c", axis);
        b.q[k] = number_of(t, state, name);
        if (k == 0) continue;
        snprintf(name, sizeof name, "b.position.%c", axis);
        b.x[k - 1] = number_of(t, state, name);
        snprintf(name, sizeof name, "b.position'.%c", axis);
        b.v[k - 1] = number_of(t, state, name);
        snprintf(name, sizeof name, "b.attitude'.%c", axis);
        b.w[k - 1] = number_of(t, state, name);
    }
    return b;
}

static void cross(const double* a, const double* b, double* out) {
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, w = (k + 2) % 3;
        out[k] = a[u] * b[w] - a[w] * b[u];
    }
}

// The sum of the arrows of the events at a time, and of their moments about the centre.
static int sum_arrows(const Page* page, const Body* b, double* P, double* L) {
    const LiaJson* list = lia_json_member(lia_json_member(page->json, "scene"), "impacts");
    const LiaTrajectory* t = page->motion.t;
    int count = 0;
    const LiaJson* impact;
    for (size_t i = 0; (impact = page_at(list, i)); i++) {
        size_t event = (size_t)lia_json_member(impact, "event")->number;
        double at[3], to[3], arm[3], moment[3];
        assert_true(event < t->events.count);
        if (fabs(t->events.list[event].t - b->t) > 1e-12) continue;
        assert_string_equal(lia_json_member(impact, "kind")->text.bytes, "force");
        for (size_t k = 0; k < 3; k++) {
            at[k] = page_at(lia_json_member(impact, "at"), k)->number;
            to[k] = page_at(lia_json_member(impact, "to"), k)->number;
            arm[k] = at[k] - b->x[k];
        }
        cross(arm, to, moment);
        for (int k = 0; k < 3; k++) {
            P[k] += to[k];
            L[k] += moment[k];
        }
        count++;
    }
    return count;
}

// From the start or the impact before, which is a flight under gravity: the velocity turns, the
// angular velocity of a body with equal moments does not.
static void check_jump(const Page* page, const Body* before, const Body* after) {
    double P[3] = {0}, L[3] = {0}, dt = after->t - before->t;
    assert_true(sum_arrows(page, after, P, L) > 0);
    for (int k = 0; k < 3; k++) {
        double v = before->v[k] - (k == 2 ? G * dt : 0.0);
        double momentum = MASS * (after->v[k] - v), spin = INERTIA * (after->w[k] - before->w[k]);
        if (!(fabs(P[k] - momentum) < 1e-9)) fail_msg("t = %g: %g, %g", after->t, P[k], momentum);
        if (!(fabs(L[k] - spin) < 1e-9)) fail_msg("t = %g: L %g, %g", after->t, L[k], spin);
    }
}

static void arrows_are_jumps_of_momentum(void) {
    int impacts = 0;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        Page page = page_of(models[i]);
        const LiaTrajectory* t = page.motion.t;
        Body last = {0};
        bool flies = false;
        for (size_t e = 0; e < t->events.count; e++) {
            const LiaEventRecord* event = &t->events.list[e];
            if (event->kind != LIA_EVENT_IMPACT) break;  // it stays on the ground from here on
            bool more = e + 1 < t->events.count && t->events.list[e + 1].t == event->t;
            Body now = body_of(t, event->t, event->state);
            if (more) continue;
            if (flies) check_jump(&page, &last, &now);
            impacts += flies;
            last = now;
            flies = true;
        }
        page_clear(&page);
    }
    assert_true(impacts > 12);
}

// Between the modes of the page there are the events: a contact that closes, opens, sticks, slides.
static void modes_change_at_events(void) {
    Page page = page_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 10*y + 2*x^2\n"
                        "contact c: y >= 0 slip x' - 0.5 friction 0.2 static 0.3\n"
                        "start x' = 0.5\nrun t = 0..20\n");
    const LiaTrajectory* t = page.motion.t;
    const LiaJson* course = page_at(lia_json_member(page.json, "contacts"), 0);
    const LiaJson* modes = lia_json_member(course, "modes");
    assert_string_equal(lia_json_member(course, "name")->text.bytes, "c");
    assert_non_null(page_at(modes, t->events.count));
    assert_null(page_at(modes, t->events.count + 1));
    for (size_t e = 0; e < t->events.count; e++) {
        const LiaJson* mode = page_at(modes, e + 1);
        const char* word = t->events.list[e].kind == LIA_EVENT_SLIP ? "slides" : "sticks";
        assert_true(fabs(page_at(mode, 0)->number - t->events.list[e].t) < 1e-12);
        assert_string_equal(page_at(mode, 1)->text.bytes, word);
    }
    assert_true(t->events.count > 8);
    page_clear(&page);
}

// A contact that strikes and is never closed has its arrow too: here a couple between two rods.
static void what_only_strikes_has_an_arrow(void) {
    Page page =
        page_of("coordinate a, b : circle\nlet A = [sin(a), -cos(a)], B = [sin(b), -cos(b)]\n"
                "kinetic dot(A', A')/2 + dot(B', B')/2\npotential 9*A.y + 9*B.y\n"
                "contact c: a - b + 0.2 >= 0 restitution 0.8\n"
                "start a = 1, b = 0.9\nstart b' = 3\nrun t = 0..2\n");
    const LiaJson* list = lia_json_member(lia_json_member(page.json, "scene"), "impacts");
    const LiaTrajectory* t = page.motion.t;
    size_t impacts = 0, drawn = 0;
    for (size_t e = 0; e < t->events.count; e++)
        impacts += t->events.list[e].kind == LIA_EVENT_IMPACT;
    while (page_at(list, drawn)) drawn++;
    assert_true(impacts > 0 && drawn >= impacts);
    assert_null(page_at(lia_json_member(page.json, "contacts"), 0));
    page_clear(&page);
}

int main(void) {
    const TestCase tests[] = {
        TEST(arrows_are_jumps_of_momentum),
        TEST(modes_change_at_events),
        TEST(what_only_strikes_has_an_arrow),
    };
    return TESTS_RUN(tests);
}
