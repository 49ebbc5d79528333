// Parts of a start: momenta that are given are those of the velocities found; what an operator
// hides is found where it has no hold; axes of joints by their cosines; places of contacts where
// shapes face each other; and what is said of it is read again as a start.
//
// Tests: mechanics/start/start.c, mechanics/start/start_momenta.c, mechanics/start/start_singular.c
// Tests: mechanics/start/start_text.c, mechanics/start/start_choices.c, mechanics/start/branch.c
// Tests: mechanics/start/start_contact.c, mechanics/start/start_ends.c
// Tests: mechanics/start/start_spins.c, mechanics/start/start_sampled.c
// SPDX-License-Identifier: MIT
#include "expr/graph/evaluate.h"
#include "mechanics/build.h"
#include "mechanics/start/branch.h"
#include "mechanics/start/search/search.h"
#include "mechanics/start/start.h"
#include "support/built.h"
#include "support/cases.h"
#include "support/gauss.h"
#include <liaison/parameters.h>

static bool said(const LiaDiags* diags, const char* words) {
    char* text = lia_diags_text(diags);
    bool there = text && strstr(text, words);
    if (!there) printf("'%s'\nnot '%s'\n", text ? text : "", words);
    lia_free(text);
    return there;
}

// --- spins

// (0, e) q / 2 for omega(R) = e, q (0, e) / 2 in body axes.
static void spins_are_rates_of_quaternions(void) {
    const double c = cos(0.25), s = sin(0.25), e[3] = {1, 2, 3};
    for (int body = 0; body < 2; body++) {
        Built b = built_of(body ? "coordinate R : rotation\nkinetic dot(omega(R), omega(R))\n"
                                  "start R = rotz(0.5), Omega(R) = [1, 2, 3]\n"
                                : "coordinate R : rotation\nkinetic dot(omega(R), omega(R))\n"
                                  "start R = rotz(0.5), omega(R) = [1, 2, 3]\n",
                           0, NULL);
        LiaSearch z;
        assert_true(lia_search_init(&z, b.system));
        const double q[4] = {c, 0, 0, s}, side = body ? -1 : 1;
        memcpy(z.w->q, q, sizeof q);
        lia_start_spins_take(&z, NULL);
        const double rate[4] = {-0.5 * e[2] * s, 0.5 * (e[0] * c + side * e[1] * s),
                                0.5 * (e[1] * c - side * e[0] * s), 0.5 * e[2] * c};
        for (int i = 0; i < 4; i++) {
            assert_float_equal(z.w->v[i], rate[i], 1e-15);
            assert_true(z.given[1][i]);
        }
        lia_search_clear(&z);
        built_clear(&b);
    }
}

// --- sampled controls

// y' = u = 1 + s' = 3 and w = 2*y = 10 at the start: their laws there, whatever they were before.
static void sampled_controls_are_their_laws_at_the_start(void) {
    Built b = built_of("coordinate s, y : line\nkinetic (s'^2 + y'^2)/2\n"
                       "control u = 1 + s' every 0.5\ncontrol w = 2*y every 0.1\n"
                       "operator o: y' = u\nforce q: w*d(s)\nstart s' = 2, y = 5, y' = 3\n",
                       0, NULL);
    LiaSystem* own = NULL;
    assert_int_equal(lia_system_copy(b.system, &own), LIA_OK);
    LiaDiags* diags = lia_diags_create();
    double q[2], v[2];
    LiaStartState start = {.q = q, .v = v};
    assert_int_equal(lia_start_find(b.system, diags, &start), LIA_MODEL);  // u = 0
    lia_start_clear(&start);
    assert_int_equal(lia_start_sampled_find(own, diags, &start), LIA_OK);
    assert_float_equal(v[0], 2.0, 0.0);
    assert_float_equal(v[1], 3.0, 0.0);
    const LiaControl* u = own->model->controls;
    assert_float_equal(own->parameters[u[0].open - 1], 3.0, 0.0);
    assert_float_equal(own->parameters[u[1].open - 1], 10.0, 0.0);
    lia_start_clear(&start);
    lia_diags_destroy(diags);
    lia_system_destroy(own);
    built_clear(&b);
}

// --- momenta

// p = M v + b: the velocities are M^-1 (p - b), by Gauss.
static void given_momenta_are_those_of_the_start(void) {
    Built b = built_of("parameter B = 0.6\ncoordinate x, y, z : line\n"
                       "lagrangian (1 + x^2)*x'^2/2 + x'*y'/3 + y'^2 + 2*z'^2 + y'*z'*x + "
                       "B*(x*y' - y*x')\n"
                       "start x = 0.7, y = -0.4, z = 0.2, p(x) = 1.5, p(y) = -2, p(z) = 0.3\n",
                       0, NULL);
    double q[3], v[3], wanted[3];
    LiaStartState start = {.ahead = 1e-9, .q = q, .v = v};
    assert_int_equal(lia_start_momenta_find(b.system, b.diags, &start), LIA_OK);
    const double M[9] = {1.49, 1 / 3.0, 0, 1 / 3.0, 2, 0.7, 0, 0.7, 4};
    const double rhs[3] = {1.5 + 0.6 * -0.4, -2 - 0.6 * 0.7, 0.3};
    assert_true(gauss_solve(3, M, rhs, wanted));
    assert_true(q[0] == 0.7 && q[1] == -0.4 && q[2] == 0.2);
    for (int i = 0; i < 3; i++) assert_float_equal(v[i], wanted[i], 1e-13);
    assert_non_null(strstr(start.chosen.data, " with p(x), p(y) and p(z) as given"));
    lia_start_clear(&start);
    // the whole way is the same
    double other[3];
    start = (LiaStartState){.ahead = 1e-9, .q = q, .v = other};
    assert_int_equal(lia_start_find(b.system, b.diags, &start), LIA_OK);
    assert_memory_equal(other, v, sizeof v);
    lia_start_clear(&start);
    built_clear(&b);
}

// Of a rotation: p of an angle that a constraint ties.
static void momenta_with_constraints_keep_them(void) {
    Built b = built_of("coordinate x, y : line\nkinetic x'^2/2 + y'^2\nconstraint c: y = x^2\n"
                       "start x = 0.5, p(x) = 3\n",
                       0, NULL);
    double q[2], v[2];
    LiaStartState start = {.ahead = 1e-9, .q = q, .v = v};
    assert_int_equal(lia_start_momenta_find(b.system, b.diags, &start), LIA_OK);
    assert_float_equal(q[1], 0.25, 1e-15);
    assert_float_equal(v[0], 3.0, 1e-14);
    assert_float_equal(v[1], 2 * 0.5 * 3.0, 1e-14);
    lia_start_clear(&start);
    built_clear(&b);
}

// --- where K0 is singular

typedef struct Scene {
    Built b;
    LiaSearch z;
} Scene;

static Scene scene_of(const char* text) {
    Scene s = {.b = built_of(text, 0, NULL)};
    assert_true(lia_search_init(&s.z, s.b.system));
    return s;
}

static void scene_clear(Scene* s) {
    lia_search_clear(&s->z);
    built_clear(&s->b);
}

// z through a spring: z = sin(2t), x = -3 sin(2t), and their rates, whatever was guessed.
static void a_start_moves_onto_hidden_equations(void) {
    Scene s = scene_of("coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential (x - z)^2/2\n"
                       "operator o: z = sin(2*t) by d(x)\n");
    LiaSearch* z = &s.z;
    for (int way = 0; way < 2; way++) {
        z->w->t = 0.2;
        z->w->q[1] = sin(0.4), z->w->v[1] = 2 * cos(0.4);
        z->w->q[0] = 1.0, z->w->v[0] = -1.0;
        LiaText choices = {0};
        LiaStartState start = {.t = 0.2, .ahead = 1e-9};
        lia_search_evaluate(z);
        if (way == 0) assert_true(lia_start_singular_move(z));
        if (way == 1) {
            LiaStatus status = lia_start_singular_project(z, s.b.diags, &start, &choices);
            assert_int_equal(status, LIA_OK);
        }
        assert_float_equal(z->w->q[0], -3 * sin(0.4), 1e-12);
        assert_float_equal(z->w->v[0], -6 * cos(0.4), 1e-12);
        assert_float_equal(z->w->q[1], sin(0.4), 1e-12);
        lia_text_clear(&choices);
    }
    assert_false(lia_start_singular_here_alone(z));  // it is so everywhere
    // x is given elsewhere: that contradicts what is hidden
    z->w->q[0] = 1.0;
    z->given[0][0] = true;
    LiaText choices = {0};
    LiaStartState start = {.t = 0.2, .ahead = 1e-9};
    lia_search_evaluate(z);
    assert_int_equal(lia_start_singular_project(z, s.b.diags, &start, &choices), LIA_MODEL);
    assert_true(said(s.b.diags, "nearest admissible start: x = -1.16825"));
    lia_text_clear(&choices);
    scene_clear(&s);
}

// A pull along a straight rope moves nothing across it; a bent one does.
static void a_hold_that_is_lost_here_alone_is_no_hidden_equation(void) {
    Scene s = scene_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                       "operator o: y = 0 by x*d(y) + d(x)\n");
    LiaSearch* z = &s.z;
    z->w->q[0] = z->w->q[1] = 0.0;
    lia_search_evaluate(z);
    assert_false(lia_workspace_factor(z->w));
    assert_true(lia_start_singular_here_alone(z));
    scene_clear(&s);
}

// --- words

static void a_described_start_is_one(void) {
    Scene s = scene_of("coordinate x, y : line, r : space\nkinetic x'^2 + y'^2 + dot(r', r')\n");
    LiaSearch* z = &s.z;
    const double q[5] = {1.5, 1e-30, 1, -2, 0.25}, v[5] = {0, 3, 0, 0, 7};
    memcpy(z->w->q, q, sizeof q);
    memcpy(z->w->v, v, sizeof v);
    LiaText text = {0};
    lia_start_text_describe(z, &text);
    assert_string_equal(text.data,
                        "x = 1.5, y = 0, r = [1, -2, 0.25], x' = 0, y' = 3, r' = [0, 0, 7]");
    // as a start of the model it gives that state
    char model[400];
    snprintf(model, sizeof model,
             "coordinate x, y : line, r : space\nkinetic x'^2 + y'^2 + dot(r', r')\nstart %s\n",
             text.data);
    lia_text_clear(&text);
    Built b = built_of(model, 0, NULL);
    double at[2][5];
    LiaStartState start = {.ahead = 1e-9, .q = at[0], .v = at[1]};
    assert_int_equal(lia_start_find(b.system, b.diags, &start), LIA_OK);
    for (int i = 0; i < 5; i++) {
        assert_float_equal(at[0][i], q[i], 1e-29);
        assert_true(at[1][i] == v[i]);
    }
    lia_start_clear(&start);
    built_clear(&b);
    lia_start_text_add_list(&text, q, 3, 1e-12);
    assert_string_equal(text.data, "1.5, 0, 1");
    lia_text_clear(&text);
    scene_clear(&s);
}

// What contradicts is named with its residual, and the nearest that does not is said.
static void a_contradiction_says_by_how_much_and_what_would_do(void) {
    Scene s =
        scene_of("coordinate x, y : line\nkinetic x'^2 + y'^2\nconstraint rod: x^2 + y^2 = 25\n"
                 "start x = 3, y = 5\n");
    LiaSearch* z = &s.z;
    z->w->q[0] = 3, z->w->q[1] = 5;
    z->given[0][0] = z->given[0][1] = true;
    memcpy(z->target[0], z->w->q, 2 * sizeof(double));
    lia_search_find(z, 0, false);
    lia_start_text_contradiction(z, 0, s.b.diags);
    assert_int_equal(lia_diags_errors(s.b.diags), 1);
    assert_true(said(s.b.diags, "'rod'") && said(s.b.diags, "9"));  // 34 is not 25
    assert_true(said(s.b.diags, "x = 2.57"));                       // 5/sqrt(34) of it
    scene_clear(&s);
    s = scene_of("phase x, p\nbracket {x, p} = 1\nhamiltonian p^2/2\n"
                 "constraint c: x = 0 force d(p)\n");
    assert_true(lia_start_text_powerless(&s.z, s.b.diags));
    assert_true(said(s.b.diags, "E0367"));
    scene_clear(&s);
}

static void what_was_chosen_is_noted_and_nothing_else(void) {
    Scene s = scene_of("coordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2\n"
                       "constraint c: y = 2*x\noperator o: z = 4\n");
    LiaSearch* z = &s.z;
    z->w->q[0] = z->target[0][0] = 1.5;
    z->given[0][0] = true;
    z->w->q[1] = 3.0, z->target[0][1] = 2.5;  // chosen, and not its guess
    z->w->q[2] = 4.0;                         // driven: no choice
    LiaText text = {0}, all = {0};
    lia_start_choices_note(z, &text, &all);
    assert_non_null(all.data);
    assert_non_null(strstr(all.data, "y = 3, the nearest admissible value to 2.5"));
    assert_null(strstr(all.data, "x ="));
    assert_null(strstr(all.data, "z ="));
    assert_string_equal(text.data, all.data);
    lia_text_clear(&text);
    lia_text_clear(&all);
    scene_clear(&s);
}

// --- branches

// A hinge about z: the body turned about x by an angle a has the cosine cos(a), and its slope is
// that of differences.
static void cosines_tell_axes_along_each_other_from_opposite_ones(void) {
    Built b = built_of("body door: mass 1, inertia [1, 2, 3], free\n"
                       "joint hinge: revolute(ground axis [0, 0, 1], door axis [0, 0, 1])\n",
                       0, NULL);
    const LiaSystem* s = b.system;
    assert_int_equal(s->branches.sign_count, 1);
    LiaCosines c;
    assert_true(lia_branch_cosines_init(&c, s));
    assert_int_equal(c.count, 1);
    uint32_t first = 0;
    for (uint32_t g = 0; g < b.model->groups_count; g++) {
        if (b.model->groups[g].manifold == LIA_ROTATION) first = b.model->groups[g].first;
    }
    for (int k = 0; k <= 8; k++) {
        double a = k * acos(-1.0) / 8.0, q[16] = {0};
        assert_true(s->n <= 16);
        q[first] = cos(a / 2), q[first + 1] = sin(a / 2);
        lia_branch_cosines_run(&c, q, 0.0);
        assert_float_equal(lia_cosines_value(&c, 0), cos(a), 1e-14);
        double slopes[16] = {0};
        for (uint32_t e = c.start[0]; e < c.start[1]; e++)
            slopes[c.coordinate[e]] = lia_cosines_slope(&c, e);
        for (uint32_t i = 0; i < s->n; i++) {
            double f[2], kept = q[i];
            for (int side = 0; side < 2; side++) {
                q[i] = kept + (side ? 1e-6 : -1e-6);
                lia_branch_cosines_run(&c, q, 0.0);
                f[side] = lia_cosines_value(&c, 0);
            }
            q[i] = kept;
            assert_float_equal(slopes[i], (f[1] - f[0]) / 2e-6, 1e-8);
        }
        if (k == 4) continue;  // across: neither
        bool wrong;
        assert_true(lia_branch_find(s, q, 0.0, &wrong));
        assert_true(wrong == (k > 4));
        assert_int_equal(lia_branch_is_wrong(s, q, 0.0), k > 4);
    }
    lia_branch_cosines_clear(&c);
    lia_branch_say(s, 1, b.diags);
    assert_true(said(b.diags, "E0261"));
    built_clear(&b);
}

static void the_angle_between_rotations_is_that_of_the_trace(void) {
    Built b = built_of("coordinate R : rotation\nkinetic dot(Omega(R), Omega(R))/2\n"
                       "operator o: R = rotz(t)\n",
                       0, NULL);
    for (int k = 1; k < 8; k++) {
        double a = 0.4 * k, t = 0.3, q[4] = {cos(a / 2), 0, 0, sin(a / 2)};
        assert_float_equal(lia_branch_turned(b.system, 1, q, t), fabs(a - t), 1e-7);
    }
    built_clear(&b);
}

// --- contacts of shapes

static double gap_of(const LiaSystem* s, const double* q) {
    LiaValues values;
    LiaExpr gap = s->branches.contact_points[0].gap;
    assert_true(lia_evaluate_init(&values, s->graph, &gap, 1));
    lia_evaluate_run(&values, &(LiaSymbols){.parameters = s->parameters, .q = q});
    double x = lia_value(&values, gap);
    lia_evaluate_clear(&values);
    return x;
}

// An ellipsoid and a ball: the gap between the places found is the least distance of all places of
// the ellipsoid, which was turned, from the ball.
static void shapes_face_each_other_where_they_are_nearest(void) {
    const double a = 0.5, centre[3] = {2, -3, 4};
    Built b = built_of("body stone: mass 1, inertia [1, 1, 1], free\n"
                       "joint j: touching(ellipsoid(stone, [1, 2, 3]), sphere(ground, 0.5))\n",
                       1, NULL);
    LiaSystem* s = b.system;
    LiaWorkspace* w = b.w;
    assert_int_equal(b.model->contact_points_count, 1);
    LiaResolver* resolver = lia_resolve_create(s->graph, &s->rates, b.model, NULL, NULL);
    assert_true(lia_start_contact_build(s, resolver));  // once more
    lia_resolve_destroy(resolver);
    for (int i = 0; i < w->n; i++) w->q[i] = 0.0;
    for (uint32_t g = 0; g < b.model->groups_count; g++) {
        double* q = w->q + b.model->groups[g].first;
        if (b.model->groups[g].manifold == LIA_ROTATION) q[0] = cos(a / 2), q[1] = sin(a / 2);
        if (b.model->groups[g].manifold == LIA_SPACE) memcpy(q, centre, sizeof centre);
    }
    assert_int_equal(lia_start_contact_find(s, w), 0);
    double least = INFINITY, pi = acos(-1.0);
    for (int i = 0; i <= 900; i++) {
        for (int k = 0; k < 1800; k++) {
            double u = i * pi / 900, v = k * pi / 900;
            double x = sin(u) * cos(v), y = 2 * sin(u) * sin(v), z = 3 * cos(u);
            double at[3] = {x, cos(a) * y - sin(a) * z, sin(a) * y + cos(a) * z};
            double square = 0.0;
            for (int j = 0; j < 3; j++) square += pow(at[j] + centre[j], 2);
            least = fmin(least, square);
        }
    }
    assert_float_equal(gap_of(s, w->q), sqrt(least) - 0.5, 1e-4);
    built_clear(&b);
}

// Rims of two disks have no normal where they lie in one plane, and have one where they do not.
static void a_contact_beyond_its_shape_is_none(void) {
    Built b = built_of("body a: mass 1, inertia [1, 1, 2], free\n"
                       "body b: mass 1, inertia [1, 1, 2], free\n"
                       "joint mesh: touching(disk(a, 0.4), disk(b, 0.6))\n",
                       1, NULL);
    LiaWorkspace* w = b.w;
    uint32_t last = 0;
    for (int i = 0; i < w->n; i++) w->q[i] = 0.0;
    for (uint32_t g = 0; g < b.model->groups_count; g++) {
        if (b.model->groups[g].manifold != LIA_ROTATION) continue;
        last = b.model->groups[g].first;
        w->q[last] = 1.0;
    }
    for (int tilted = 0; tilted < 2; tilted++) {
        bool memory;
        double a = 0.7;
        if (tilted) w->q[last] = cos(a / 2), w->q[last + 1] = sin(a / 2);
        LiaDiags* diags = lia_diags_create();
        bool inside = lia_start_ends_inside(b.system, w->q, 0.0, diags, &memory);
        assert_false(memory);
        assert_true(inside == (tilted == 1));
        if (!inside) assert_true(said(diags, "E0307") && said(diags, "lie in one plane"));
        assert_int_equal(lia_diags_errors(diags), !inside);
        lia_diags_destroy(diags);
    }
    built_clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(spins_are_rates_of_quaternions),
        TEST(given_momenta_are_those_of_the_start),
        TEST(momenta_with_constraints_keep_them),
        TEST(a_start_moves_onto_hidden_equations),
        TEST(a_hold_that_is_lost_here_alone_is_no_hidden_equation),
        TEST(a_described_start_is_one),
        TEST(a_contradiction_says_by_how_much_and_what_would_do),
        TEST(what_was_chosen_is_noted_and_nothing_else),
        TEST(sampled_controls_are_their_laws_at_the_start),
        TEST(cosines_tell_axes_along_each_other_from_opposite_ones),
        TEST(the_angle_between_rotations_is_that_of_the_trace),
        TEST(shapes_face_each_other_where_they_are_nearest),
        TEST(a_contact_beyond_its_shape_is_none),
    };
    return TESTS_RUN(tests);
}
