// Modes of a system: what is closed, sticks or slides moves as the model does in which that is
// written as constraints; gaps that follow from others are combinations of them; rough constraints
// have Coulomb's force whatever the sign of N. And turns without inertia: where nothing sees them
// the kinetic energy is the same after them.
//
// Tests: mechanics/contact/contacts.c, mechanics/contact/carried.c
// Tests: mechanics/contact/contact_list.c
// Tests: mechanics/rough/rough.c, mechanics/spin/massless_spin.c
// SPDX-License-Identifier: MIT
#include "expr/graph/evaluate.h"
#include "mechanics/build.h"
#include "mechanics/contact/contacts.h"
#include "mechanics/rough/rough.h"
#include "mechanics/spin/massless_spin.h"
#include "support/built.h"
#include "support/cases.h"
#include <stdlib.h>

// At a state with y = 0, y' = 0.
static void accelerations(const LiaSystem* s, const double* v, double* a, double* mu) {
    LiaWorkspace* w = lia_workspace_create(s, s->full, 1);
    assert_non_null(w);
    const double q[3] = {0.4, 0.0, -0.2};
    memcpy(w->q, q, (size_t)w->n * sizeof(double));
    memcpy(w->v, v, (size_t)w->n * sizeof(double));
    built_accelerate(w, 1);
    memcpy(a, w->a, (size_t)w->n * sizeof *a);
    if (mu) memcpy(mu, w->mu, s->row_count * sizeof *mu);
    lia_workspace_destroy(w);
}

#define RIG                                                                                        \
    "coordinate x, y, z : line\nkinetic x'^2 + y'^2/2 + z'^2/2 + x'*y'/3 + y'*z'/5\n"              \
    "potential 9.81*y + x*z\n"

static double watched(const LiaSystem* s, uint32_t k, const double* v, const double* mu) {
    const double q[3] = {0.4, 0.0, -0.2};
    LiaValues values;
    assert_true(lia_evaluate_init(&values, s->graph, &s->mode.watched[k].formula, 1));
    lia_evaluate_run(&values, &(LiaSymbols){.parameters = s->parameters, .q = q, .v = v, .mu = mu});
    double x = lia_value(&values, s->mode.watched[k].formula);
    lia_evaluate_clear(&values);
    return x;
}

static void a_mode_moves_as_what_it_writes_out(void) {
    Built b = built_of(RIG "contact floor: y >= 0 slip x' + z' friction 0.3 static 0.5\n", 0, NULL);
    const struct {
        LiaContactMode mode;
        const char* text;
        double v[3];
        uint32_t watched;
    } cases[] = {
        {LIA_MODE_OPEN, RIG, {0.5, 0, 0.2}, 1},
        {LIA_MODE_CLOSED, RIG "constraint c: y = 0\n", {0.5, 0, 0.2}, 1},
        {LIA_MODE_STICK, RIG "constraint c: y = 0\nconstraint s: x' + z' = 0\n", {0.5, 0, -0.5}, 3},
        {LIA_MODE_FORWARD,
         RIG "constraint c: y = 0 force d(y) - 0.3*(d(x) + d(z))\n",
         {0.5, 0, 0.2},
         2},
        {LIA_MODE_BACKWARD,
         RIG "constraint c: y = 0 force d(y) + 0.3*(d(x) + d(z))\n",
         {0.5, 0, -0.9},
         2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double a[2][3], mu[2][3] = {{0}};
        LiaSystem* s = lia_contacts_mode(b.system, &cases[k].mode);
        assert_non_null(s);
        assert_true(s->mode.base == b.system);
        Built other = built_of(cases[k].text, 0, NULL);
        accelerations(s, cases[k].v, a[0], mu[0]);
        accelerations(other.system, cases[k].v, a[1], mu[1]);
        for (int i = 0; i < 3; i++) assert_float_equal(a[0][i], a[1][i], 1e-13);
        for (uint32_t r = 0; r < other.system->row_count; r++)
            assert_float_equal(mu[0][r], mu[1][r], 1e-13);
        assert_int_equal(s->mode.watched_count, cases[k].watched);
        double slip = cases[k].v[0] + cases[k].v[2], N = mu[0][0];
        if (k == 0) assert_true(watched(s, 0, cases[k].v, mu[0]) == 0.0);  // the gap
        if (k > 0) assert_float_equal(watched(s, 0, cases[k].v, mu[0]), N, 1e-14);
        if (k == 2) {
            assert_float_equal(watched(s, 1, cases[k].v, mu[0]), 0.5 * N - mu[0][1], 1e-12);
            assert_float_equal(watched(s, 2, cases[k].v, mu[0]), 0.5 * N + mu[0][1], 1e-12);
        }
        if (k > 2) {
            assert_float_equal(watched(s, 1, cases[k].v, mu[0]), fabs(slip), 1e-14);
            assert_int_equal(s->mode.following_count, 1);  // T, a row of no K0
        }
        built_clear(&other);
        lia_contacts_destroy_mode(s);
    }
    built_clear(&b);
}

// What has begun acts, what has not does not; a row in which nothing is decided by the mode.
static void what_begins_and_ends_is_a_matter_of_the_mode(void) {
    Built b = built_of(RIG "event e: t = 1\nforce late: 3*d(x) from e\nforce always: d(z)\n"
                           "constraint hold: y = 0 until e\n",
                       0, NULL);
    LiaSystem* base = b.system;
    assert_int_equal(base->mode.any->switch_count, 2);
    assert_int_equal(lia_system_mode_count(base), 2);
    assert_true(lia_contacts_row(base, 0) == &base->mode.any->rows[0]);
    const double v[3] = {0.5, 0, 0.2};
    for (int k = 0; k < 4; k++) {
        // switches: constraints first, then forces
        LiaContactMode mode[2] = {k & 1 ? LIA_MODE_CLOSED : LIA_MODE_OPEN,
                                  k & 2 ? LIA_MODE_CLOSED : LIA_MODE_OPEN};
        LiaSystem* s = lia_contacts_mode(base, mode);
        assert_non_null(s);
        char text[400];
        snprintf(text, sizeof text, RIG "force always: d(z)\n%s%s",
                 k & 1 ? "constraint hold: y = 0\n" : "", k & 2 ? "force late: 3*d(x)\n" : "");
        Built other = built_of(text, 0, NULL);
        double a[2][3];
        accelerations(s, v, a[0], NULL);
        accelerations(other.system, v, a[1], NULL);
        for (int i = 0; i < 3; i++) assert_float_equal(a[0][i], a[1][i], 1e-13);
        built_clear(&other);
        lia_contacts_destroy_mode(s);
    }
    // of a force that begins the power has a factor, of another it is as it was
    LiaExpr power = lia_graph_mul(base->graph, base->v[0], base->v[2]);
    assert_false(lia_expr_same(lia_contacts_of_force(base, 0, power), power));
    assert_true(lia_expr_same(lia_contacts_of_force(base, 1, power), power));
    built_clear(&b);
}

// --- gaps that follow from others

// Four feet of a box that tilts: gap 4 is gap 1 - gap 2 + gap 3.
static void the_fourth_foot_of_a_box_is_carried(void) {
    Built b = built_of("coordinate z, p, r, x : line\nkinetic z'^2 + p'^2/2 + r'^2/3 + x'^2\n"
                       "potential 9.81*z\n"
                       "contact a: z + p + r >= 0 slip x' friction 0.2\n"
                       "contact b: z - p + r >= 0 slip x' friction 0.2\n"
                       "contact c: z - p - r >= 0 slip x' friction 0.2\n"
                       "contact d: z + p - r >= 0 slip x' friction 0.2\n",
                       0, NULL);
    const double gap[4][3] = {{1, 1, 1}, {1, -1, 1}, {1, -1, -1}, {1, 1, -1}};
    const LiaContactMode modes[] = {LIA_MODE_FORWARD, LIA_MODE_STICK, LIA_MODE_OPEN};
    LiaSystem* s = b.system;  // its rows are those of any mode
    const uint32_t closed[4] = {0, 1, 2, 3};
    bool carried[4];
    for (int k = 0; k < 3; k++) {
        double part[16] = {0};
        int count = 0;
        for (int i = 0; i < 4; i++) s->mode.now[i] = modes[k];
        uint32_t feet = modes[k] == LIA_MODE_OPEN ? 0 : 4;
        memset(carried, 0, sizeof carried);
        assert_true(lia_carried_find(s, closed, feet, carried, part));
        for (int i = 0; i < 4; i++) {
            count += carried[i];
            for (int c = 0; carried[i] && c < 3; c++) {
                double sum = 0.0;
                for (int j = 0; j < 4; j++) sum += part[i * 4 + j] * gap[j][c];
                assert_float_equal(sum, gap[i][c], 1e-12);
                assert_true(part[i * 4 + i] == 0.0);
            }
        }
        assert_int_equal(count, k == 0);  // where none slides the motion does not ask
    }
    // one that sticks is kept while a sliding one can be carried
    double part[16] = {0};
    for (int i = 0; i < 4; i++) s->mode.now[i] = i == 3 ? LIA_MODE_STICK : LIA_MODE_FORWARD;
    assert_true(lia_carried_find(s, closed, 4, carried, part));
    assert_false(carried[3]);
    assert_true(carried[0] + carried[1] + carried[2] == 1);
    built_clear(&b);
}

// --- the list of contacts

static void contacts_have_blocks_with_places_of_their_own(void) {
    Built b = built_of("coordinate x, y, z, phi, psi : line\n"
                       "kinetic (x'^2 + y'^2 + z'^2 + phi'^2 + psi'^2)/2\n"
                       "contact plain: x >= 0\n"
                       "contact disc: z >= 0 restitution 0.5 slip [x', y'] friction 0.3 static 0.4 "
                       "rolling 0.01 about phi' pivoting 0.02 about psi'\n",
                       0, NULL);
    LiaSystem* s = b.system;
    const LiaContactFormulas* first = s->contacts;
    LiaResolver* resolver = lia_resolve_create(s->graph, &s->rates, s->model, NULL, NULL);
    s->contact_count = s->mode.any->block_count = 0;
    assert_true(lia_contact_list_make(s, resolver));  // once more
    lia_resolve_destroy(resolver);
    assert_int_equal(s->contact_count, 2);
    for (uint32_t k = 0; k < 2; k++) assert_true(s->contacts[k].row == first[k].row);
    const LiaContactFormulas* disc = &s->contacts[1];
    assert_int_equal(s->contacts[0].blocks, 0);
    assert_int_equal(disc->blocks, 3);
    assert_int_equal(lia_system_contact_rows(disc), 1 + 2 + 1 + 1);
    assert_string_equal(disc->block[0].name, "disc");
    assert_string_equal(disc->block[1].name, "disc.rolling");
    assert_string_equal(disc->block[2].name, "disc.pivoting");
    // rows after each other, places that no one shares
    assert_int_equal(disc->block[1].row, disc->block[0].row + 2);
    assert_int_equal(disc->block[2].row, disc->block[1].row + 1);
    assert_int_equal(disc->block[0].place, 1);
    assert_int_equal(disc->block[1].place, 2);
    assert_int_equal(disc->block[2].place, 3);
    assert_int_equal(lia_system_mode_count(s), 4);
    built_clear(&b);
}

// --- rough constraints

// m x'' = F - friction |N| e, and N = -P whatever its sign.
static void a_rough_rail_rubs_with_the_size_of_its_force(void) {
    for (int pull = 0; pull < 2; pull++) {
        char text[300];
        const double P = pull ? 7.0 : -7.0;
        snprintf(text, sizeof text,
                 "coordinate x, y : line\nkinetic x'^2 + y'^2/2\n"
                 "force f: 3*d(x) + (%g)*d(y)\n"
                 "constraint rail: y = 0 slip x' friction 0.4 static 0.6\n",
                 P);
        Built b = built_of(text, 0, NULL);
        assert_int_equal(b.system->rough_count, 1);
        assert_true(lia_rough_is_on(b.system, 0));
        for (int back = 0; back < 2; back++) {
            double v[2] = {back ? -1.0 : 1.0, 0.0}, a[2], mu[2];
            LiaContactMode mode = back ? (pull ? LIA_MODE_BACKWARD_PULL : LIA_MODE_BACKWARD)
                                       : (pull ? LIA_MODE_FORWARD_PULL : LIA_MODE_FORWARD);
            LiaSystem* s = lia_contacts_mode(b.system, &mode);
            assert_non_null(s);
            accelerations(s, v, a, mu);
            assert_float_equal(mu[0], -P, 1e-14);
            assert_float_equal(a[0], (3.0 - 0.4 * 7.0 * v[0]) / 2.0, 1e-14);
            assert_float_equal(a[1], 0.0, 1e-15);
            // watched: the slip along its way, and N with its sign; both positive here
            assert_int_equal(s->mode.watched_count, 2);
            assert_float_equal(watched(s, 0, v, mu), 1.0, 0.0);
            assert_float_equal(watched(s, 1, v, mu), 7.0, 1e-14);
            s->mode.watched_count = 0;
            lia_rough_watch(s);
            assert_int_equal(s->mode.watched_count, 2);
            lia_contacts_destroy_mode(s);
        }
        LiaContactMode mode = LIA_MODE_STICK;
        LiaSystem* s = lia_contacts_mode(b.system, &mode);
        double v[2] = {0, 0}, a[2], mu[2];
        accelerations(s, v, a, mu);
        assert_float_equal(a[0], 0.0, 1e-15);
        assert_float_equal(mu[1], -3.0, 1e-14);
        // (static N)^2 - T^2
        assert_float_equal(watched(s, 0, v, mu), pow(0.6 * 7, 2) - 9, 1e-12);
        lia_contacts_destroy_mode(s);
        built_clear(&b);
    }
}

// --- turns without inertia

#define ROD                                                                                        \
    "body rod: mass 2, inertia [0.4, 0.4, 0], free\njoint top: spherical(ground, rod at [0, 0, "   \
    "1])\n"

static void a_turn_that_nothing_sees_is_lent_an_inertia(void) {
    const struct {
        const char* text;
        bool idle;
    } cases[] = {
        {ROD "gravity [0, 0, -9.81]\n", true},
        {ROD "moment m: axis(rod, [0, 0, 1]) on rod\n", false},  // a couple about its axis
        {"body rod: mass 2, inertia [0.4, 0.4, 0.1], free\n", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Built b = built_of(cases[k].text, 0, NULL);
        LiaSystem* s = b.system;
        LiaResolver* resolver = lia_resolve_create(s->graph, &s->rates, s->model, NULL, NULL);
        s->lagrange.lent = NULL;
        assert_true(lia_massless_spin_build(s, resolver));
        assert_true((s->lagrange.lent != NULL) == cases[k].idle);
        assert_true((s->lagrange.P != s->lagrange.p) == cases[k].idle);
        lia_resolve_destroy(resolver);
        built_clear(&b);
    }
}

// States are drawn with quaternions of length 1, velocities along the sphere; a turn keeps that,
// turns by another angle about the axis of the body, and does not change the energy of a rod.
static void a_turn_about_a_massless_axis_changes_no_energy(void) {
    Built b = built_of(ROD, 0, NULL);
    LiaSystem* s = b.system;
    uint32_t first = b.model->groups[0].first;
    for (uint32_t g = 0; g < b.model->groups_count; g++) {
        if (b.model->groups[g].manifold == LIA_ROTATION) first = b.model->groups[g].first;
    }
    double q[16], v[16], moved[2][16];
    LiaMasslessSpins z = {.s = s, .random = 1, .q = q, .v = v};
    z.q_moved = moved[0], z.v_moved = moved[1];
    assert_true(s->n <= 16);
    LiaMasslessSpin turn = {.first = first, .axis = {0, 0, 1}};
    LiaMasslessSpin other = {.first = first, .axis = {1, 0, 0}};
    assert_true(lia_evaluate_init(&z.values, s->graph, &s->energy.kinetic, 1));
    for (int trial = 0; trial < 6; trial++) {
        const LiaMasslessSpin* by = trial % 2 ? &other : &turn;
        lia_massless_spin_take_state(&z);
        memcpy(moved[0], q, sizeof q);
        memcpy(moved[1], v, sizeof v);
        lia_massless_spin_evaluate(&z, q, v);
        double before = lia_value(&z.values, s->energy.kinetic), size[2] = {0, 0}, along = 0.0;
        lia_massless_spin_move(&z, by);
        for (uint32_t k = first; k < first + 4; k++) {
            size[0] += q[k] * q[k], size[1] += moved[0][k] * moved[0][k];
            along += moved[0][k] * moved[1][k];
        }
        assert_float_equal(size[0], 1.0, 1e-14);
        assert_float_equal(size[1], 1.0, 1e-14);
        assert_float_equal(along, 0.0, 1e-14);
        assert_true(fabs(moved[0][first] - q[first]) > 1e-3);
        lia_massless_spin_evaluate(&z, moved[0], moved[1]);
        double after = lia_value(&z.values, s->energy.kinetic);
        assert_true(lia_massless_spin_differ(before, after) == (trial % 2 == 1));
    }
    lia_evaluate_clear(&z.values);
    built_clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_mode_moves_as_what_it_writes_out),
        TEST(what_begins_and_ends_is_a_matter_of_the_mode),
        TEST(the_fourth_foot_of_a_box_is_carried),
        TEST(contacts_have_blocks_with_places_of_their_own),
        TEST(a_rough_rail_rubs_with_the_size_of_its_force),
        TEST(a_turn_that_nothing_sees_is_lent_an_inertia),
        TEST(a_turn_about_a_massless_axis_changes_no_energy),
    };
    return TESTS_RUN(tests);
}
