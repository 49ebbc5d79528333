// Same states, other forces: where two motions part, against closed forms.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <string.h>

static const char discs[] = "model discs\n"
                            "parameter A1 = 1, A2 = 2, k = 3\n"
                            "coordinate th1, th2 : line\n"
                            "kinetic A1/2*th1'^2 + A2/2*th2'^2\n"
                            "potential k/2*th1^2\n"
                            "operator follow: th1 - th2 = 0 by d(th2)\n"
                            "start th1 = 1\n"
                            "run t = 0..10\n";
// A ball on a thread: given forces across it, and the ideal ones along it
static const char drag[] = "model drag\n"
                           "coordinate x, y : line\n"
                           "kinetic (x'^2 + y'^2)/2\n"
                           "constraint speed: x'^2 + y'^2 = 4\n"
                           "  force d(x)\n"
                           "potential y\n"
                           "start x = 0, y = 0, x' = 2, y' = 0\n"
                           "run t = 0..1\n";

typedef struct Pair {
    LiaDiags* diags[2];
    LiaModel* model[2];
    LiaSystem* system[2];
    LiaComparison* c;
    LiaStatus status;
} Pair;

static LiaStatus build(Pair* p, int side, const char* text, const LiaSystemOptions* options) {
    p->diags[side] = lia_diags_create();
    LiaStatus status = lia_model_parse(side ? "b.lia" : "a.lia", text, strlen(text), NULL,
                                       p->diags[side], &p->model[side]);
    if (status == LIA_OK) {
        status = lia_system_build(p->model[side], options, p->diags[side], &p->system[side]);
    }
    return status;
}

static Pair pair_of(const char* a, const char* b, const LiaSystemOptions* changed,
                    const LiaRunOptions* run) {
    Pair p = {0};
    p.status = build(&p, 0, a, NULL);
    if (p.status == LIA_OK) p.status = build(&p, 1, b, changed);
    if (p.status == LIA_OK) {
        p.status = lia_compare(p.system[0], p.system[1], run, p.diags[0], p.diags[1], &p.c);
    }
    return p;
}

static void clear(Pair* p) {
    lia_comparison_destroy(p->c);
    for (int side = 0; side < 2; side++) {
        lia_system_destroy(p->system[side]);
        lia_model_destroy(p->model[side]);
        lia_diags_destroy(p->diags[side]);
    }
}

static bool told(const Pair* p, int side, const char* part) {
    char* text = lia_diags_text(p->diags[side]);
    bool found = text && strstr(text, part);
    lia_free(text);
    return found;
}

static LiaSystemOptions with(const LiaRuleChange* rule) {
    return (LiaSystemOptions){.rules = rule, .rule_count = 1};
}

// th'' = -k th/A1, as if the second disc were not there, against th'' = -k th/(A1 + A2).
static void servo_against_ideal(void) {
    LiaRuleChange rule = {"follow", LIA_FORCES_IDEAL};
    LiaSystemOptions changed = with(&rule);
    Pair p = pair_of(discs, discs, &changed, NULL);
    assert_int_equal(p.status, LIA_OK);
    const double w = sqrt(3.0), W = 1.0;
    double largest = 0.0;
    for (int i = 0; i <= 1000; i++) {
        double t = 10.0 * i / 1000.0;
        largest = fmax(largest, fabs(cos(W * t) - cos(w * t)));
    }
    const LiaDifference* d = lia_comparison_find(p.c, "th1");
    assert_non_null(d);
    assert_true(fabs(d->a - cos(10.0 * w)) < 1e-11);
    assert_true(fabs(d->b - cos(10.0 * W)) < 1e-11);
    assert_true(fabs(d->end - (d->b - d->a)) < 1e-15);
    assert_true(fabs(d->largest - largest) < 1e-11);
    assert_true(d->start == 0.0);
    // cos(W t) - cos(w t) = (w^2 - W^2) t^2/2 at first, and that is 1e-6 of the scale 1 at t =
    // 0.001
    assert_true(fabs(d->first - 0.001) <= 1e-5);
    // the velocities part before that, at t = 1e-6 w/2: less than can be seen between samples
    const LiaDifference* part = lia_comparison_part(p.c);
    assert_non_null(part);
    assert_true(strcmp(part->name, "th1'") == 0 && part->first <= 1e-5);
    // the servo feeds energy in, the ideal one does not
    const LiaDifference* energy = lia_comparison_find(p.c, "energy");
    assert_true(fabs(energy->b - 1.5) < 1e-12);
    assert_true(fabs(energy->a - (1.5 + sin(10 * w) * sin(10 * w) * 3.0)) < 1e-10);
    // A2 th'' for the servo, at the start -6; ideal: mu (1, -1), A2 th'' = -mu
    const LiaDifference* force = lia_comparison_find(p.c, "force(follow)");
    assert_true(fabs(force->start - (2.0 + 6.0)) < 1e-12 && force->first == 0.0);
    clear(&p);
}

// The two formalisations of the servo give the same motion.
static void two_formalisations_agree(void) {
    static const char other[] = "model rates\n"
                                "parameter A1 = 1, A2 = 2, k = 3\n"
                                "coordinate th1, th2 : line\n"
                                "kinetic A1/2*th1'^2 + A2/2*th2'^2\n"
                                "potential k/2*th1^2\n"
                                "operator follow: th2' = th1'\n"
                                "start th1 = 1, th2 = 1\n"
                                "run t = 0..12\n";
    Pair p = pair_of(discs, other, NULL, NULL);
    assert_int_equal(p.status, LIA_OK);
    assert_null(lia_comparison_part(p.c));
    double end;
    assert_true(lia_trajectory_final(lia_comparison_motion(p.c, 1), "t", &end) && end == 10.0);
    for (size_t i = 0; i < lia_comparison_count(p.c); i++) {
        const LiaDifference* d = lia_comparison_at(p.c, i);
        if (strstr(d->name, "th")) assert_true(d->largest < 1e-9 * d->scale);
    }
    clear(&p);
}

// Appell's machine turns, u' = a b g/(a^2 + b^2) along a direction that turns at the rate w0; with
// Chetaev's force on (x, y, z) the path is straight, with the same speed.
static void appell_against_chetaev(void) {
    static const char machine[] = "model machine\n"
                                  "parameter m = 1, a = 0.5, b = 0.25, g = 9.81, Jt = 0.1\n"
                                  "coordinate x, y, z : line\n"
                                  "coordinate theta, phi : circle\n"
                                  "kinetic m/2*(x'^2 + y'^2 + z'^2) + Jt/2*theta'^2\n"
                                  "potential m*g*z\n"
                                  "constraint side: -x'*sin(theta) + y'*cos(theta) = 0\n"
                                  "constraint rolling: x'*cos(theta) + y'*sin(theta) = a*phi'\n"
                                  "constraint thread: z' = -b*phi'\n"
                                  "start x' = 1, theta' = 0.8, z' = -0.5, phi' = 2\n"
                                  "run t = 0..2, tolerance 1e-14\n";
    static const char straight[] = "model straight\n"
                                   "parameter m = 1, a = 0.5, b = 0.25, g = 9.81\n"
                                   "coordinate x, y, z : line\n"
                                   "kinetic m/2*(x'^2 + y'^2 + z'^2)\n"
                                   "potential m*g*z\n"
                                   "constraint thread: z' = -b/a*hypot(x', y')\n"
                                   "  force chetaev\n"
                                   "start x' = 1, y' = 0, z' = -0.5\n"
                                   "run t = 0..3, tolerance 1e-14\n";
    Pair p = pair_of(machine, straight, NULL, NULL);
    assert_int_equal(p.status, LIA_OK);
    const double u = 0.5 * 0.25 * 9.81 / (0.25 + 0.0625), speed = 1 + 2 * u;
    const LiaDifference *x = lia_comparison_find(p.c, "x'"), *y = lia_comparison_find(p.c, "y'");
    assert_true(fabs(x->a - speed * cos(1.6)) < 1e-11 && fabs(y->a - speed * sin(1.6)) < 1e-11);
    assert_true(fabs(x->b - speed) < 1e-11 && fabs(y->b) < 1e-11);
    const LiaDifference* z = lia_comparison_find(p.c, "z");
    assert_true(isnan(z->first) && z->largest < 1e-11);
    assert_null(lia_comparison_find(p.c, "theta"));
    assert_string_equal(lia_comparison_part(p.c)->name, "y'");
    char* text = lia_output_compare_json(p.c);
    assert_non_null(strstr(
        text,
        "\"only_a\": [\"theta\", \"phi\", \"force(side)\", \"force(rolling)\"], \"only_b\": []"));
    lia_free(text);
    clear(&p);
}

static void equal_models_do_not_differ(void) {
    Pair p = pair_of(discs, discs, NULL, NULL);
    assert_int_equal(p.status, LIA_OK);
    assert_null(lia_comparison_part(p.c));
    assert_true(lia_comparison_count(p.c) > 5);
    for (size_t i = 0; i < lia_comparison_count(p.c); i++) {
        const LiaDifference* d = lia_comparison_at(p.c, i);
        assert_true(d->largest == 0.0 && isnan(d->first) && d->end == 0.0);
    }
    char* text = lia_output_compare(p.c, &(LiaTextStyle){.pictures = true, .ascii = true});
    assert_non_null(strstr(text, "the same motion, to the last bit"));
    lia_free(text);
    clear(&p);
}

// What is zero but for rounding is no difference: x is not moved at all, yet its numbers are not 0.
static void rounding_is_no_difference(void) {
    static const char plain[] = "model plain\n"
                                "coordinate x, y : line\n"
                                "kinetic (x'^2 + y'^2)/2 + x'*y'/3\n"
                                "potential y^2/2 + x^2/2 + x*y/3\n"
                                "constraint c: x*cos(0.3) = y*sin(0.3)\n"
                                "start y = 1\n"
                                "run t = 0..5\n";
    static const char turned[] = "model turned\n"
                                 "coordinate x, y : line\n"
                                 "kinetic (x'^2 + y'^2)/2 + x'*y'/3\n"
                                 "potential y^2/2 + x^2/2 + x*y/3\n"
                                 "constraint c: (x*cos(0.3))' = (y*sin(0.3))'\n"
                                 "start y = 1, x = tan(0.3)\n"
                                 "run t = 0..5\n";
    Pair p = pair_of(plain, turned, NULL, NULL);
    assert_int_equal(p.status, LIA_OK);
    assert_null(lia_comparison_part(p.c));
    clear(&p);
}

// A given force d(x) keeps |v| = 2, and so does Chetaev's along v: other motions, same speeds.
static void given_forces_against_those_of_chetaev(void) {
    LiaRuleChange rule = {"speed", LIA_FORCES_CHETAEV};
    LiaSystemOptions changed = with(&rule);
    Pair p = pair_of(drag, drag, &changed, NULL);
    assert_int_equal(p.status, LIA_OK);
    // y'' = -1 where only x is pushed; with a force along v the direction turns slower
    const LiaDifference *x = lia_comparison_find(p.c, "x'"), *y = lia_comparison_find(p.c, "y'");
    assert_true(fabs(y->a + 1.0) < 1e-11);
    assert_true(fabs(x->a * x->a + y->a * y->a - 4.0) < 1e-11);
    assert_true(fabs(x->b * x->b + y->b * y->b - 4.0) < 1e-11);
    // v = 2 (cos f, sin f), f' = -cos(f)/2: sin f = -tanh(t/2)
    assert_true(fabs(y->b + 2.0 * tanh(0.5)) < 1e-11);
    clear(&p);
}

static void rules_that_cannot_be_are_refused(void) {
    LiaRuleChange rule = {"folow", LIA_FORCES_IDEAL};
    LiaSystemOptions changed = with(&rule);
    Pair p = pair_of(discs, discs, &changed, NULL);
    assert_true(p.status == LIA_MODEL && told(&p, 1, "E0231") &&
                told(&p, 1, "did you mean 'follow'"));
    clear(&p);
    static const char bare[] =
        "model bare\ncoordinate x, y : line\nkinetic x'^2 + y'^2\nconstraint c: x = y\n";
    rule = (LiaRuleChange){"c", LIA_FORCES_GIVEN};
    p = pair_of(bare, bare, &changed, NULL);
    assert_true(p.status == LIA_MODEL && told(&p, 1, "E0232"));
    clear(&p);
    // nothing is silently assumed of an equation that is nonlinear in the velocities
    rule = (LiaRuleChange){"speed", LIA_FORCES_IDEAL};
    p = pair_of(drag, drag, &changed, NULL);
    assert_true(p.status == LIA_MODEL && told(&p, 1, "E0213"));
    clear(&p);
    rule = (LiaRuleChange){"follow", LIA_FORCES_GIVEN};
    p = pair_of(discs, discs, &changed, NULL);
    assert_true(p.status == LIA_OK && !lia_comparison_part(p.c));
    clear(&p);
}

static void only_the_same_time_can_be_compared(void) {
    static const char late[] = "model late\ncoordinate th1 : line\nkinetic th1'^2\nrun t = 1..10\n";
    static const char back[] = "model back\ncoordinate th1 : line\nkinetic th1'^2\nrun t = 0..-1\n";
    Pair p = pair_of(discs, late, NULL, NULL);
    assert_true(p.status == LIA_MODEL && told(&p, 1, "E0511") && told(&p, 1, "t = 0 and t = 1"));
    clear(&p);
    p = pair_of(discs, back, NULL, NULL);
    assert_true(p.status == LIA_MODEL && told(&p, 1, "E0511"));
    clear(&p);
    const double end = -2.0;
    p = pair_of(discs, back, NULL, &(LiaRunOptions){.until = &end});
    assert_int_equal(p.status, LIA_OK);
    assert_true(lia_comparison_find(p.c, "th1")->start == -1.0);
    assert_true(lia_comparison_part(p.c)->first == 0.0);
    clear(&p);
}

// One motion ends early: compared is what both have, and the status says so.
static void a_motion_that_cannot_go_on_is_compared_up_to_there(void) {
    static const char fast[] = "model fast\ncoordinate x : line\nkinetic x'^2/2\npotential -x^4\n"
                               "start x = 1\nrun t = 0..4\n";
    static const char slow[] = "model slow\ncoordinate x : line\nkinetic x'^2/2\npotential -x^2\n"
                               "start x = 1\nrun t = 0..4\n";
    Pair p = pair_of(slow, fast, NULL, NULL);
    assert_int_equal(p.status, LIA_FAILED);
    assert_non_null(p.c);
    assert_string_equal(lia_trajectory_status(lia_comparison_motion(p.c, 0)), "done");
    assert_string_equal(lia_trajectory_status(lia_comparison_motion(p.c, 1)), "failed");
    const LiaDifference* x = lia_comparison_find(p.c, "x");
    assert_true(x->b > 1.5 && x->first > 0.0 && x->first < 0.1);
    char* text = lia_output_compare(p.c, NULL);
    assert_non_null(strstr(text, "b: failed at t = "));
    lia_free(text);
    clear(&p);
}

static void an_end_in_the_event_of_one_is_no_failure(void) {
    static const char stops[] =
        "model stops\ncoordinate x : line\nkinetic x'^2/2\nevent e: x = 2 stop\n"
        "start x' = 1\nrun t = 0..4\n";
    static const char goes[] =
        "model goes\ncoordinate x : line\nkinetic x'^2/2\nstart x' = 1\nrun t = 0..4\n";
    Pair p = pair_of(stops, goes, NULL, NULL);
    assert_int_equal(p.status, LIA_STOPPED);
    assert_null(lia_comparison_part(p.c));
    clear(&p);
}

int main(void) {
    const TestCase tests[] = {
        TEST(servo_against_ideal),
        TEST(two_formalisations_agree),
        TEST(appell_against_chetaev),
        TEST(equal_models_do_not_differ),
        TEST(rounding_is_no_difference),
        TEST(given_forces_against_those_of_chetaev),
        TEST(rules_that_cannot_be_are_refused),
        TEST(only_the_same_time_can_be_compared),
        TEST(a_motion_that_cannot_go_on_is_compared_up_to_there),
        TEST(an_end_in_the_event_of_one_is_no_failure),
    };
    return TESTS_RUN(tests);
}
