// The scene of a page is what the model is: bodies by their inertia and shapes, drawings, forces
// where they act, surfaces.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "page_data.h"
#include "support/cases.h"
#include "unpacked.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_driven(const LiaJson* of) { return lia_json_member(of, "driven") != NULL; }

// --- bodies, drawings

static void a_skater_is_a_sled_with_a_driven_bar(void) {
    Page page = page_of(page_skater);
    assert_int_equal(page_count(&page, "sled"), 1);
    assert_int_equal(page_count(&page, "bar"), 1);
    assert_false(is_driven(page_item(&page, "sled", 0)));
    assert_true(is_driven(page_item(&page, "bar", 0)));
    // the torso is turned by theta + s, for s is measured from the blade
    size_t rows = page_rows(&page);
    double *w = calloc(rows, sizeof *w), *z = calloc(rows, sizeof *z);
    page_channel(&page, page_item(&page, "bar", 0), "turn", 0, w);
    page_channel(&page, page_item(&page, "bar", 0), "turn", 3, z);
    for (size_t i = 0; i < rows; i++) {
        double angle = motion_value(&page.motion, i, "theta") + motion_value(&page.motion, i, "s");
        assert_true(fabs(cos(2.0 * atan2(z[i], w[i]) - angle) - 1.0) < 1e-10);
    }
    // the force of the blade is across it, mu (sin theta, -cos theta)
    const LiaJson* force = page_item(&page, "force", 0);
    assert_string_equal(lia_json_member(force, "name")->text.bytes, "blade");
    page_channel(&page, force, "to", 0, w);
    page_channel(&page, force, "to", 1, z);
    for (size_t i = 0; i < rows; i++) {
        double mu = motion_value(&page.motion, i, "force(blade)");
        double theta = motion_value(&page.motion, i, "theta");
        assert_true(fabs(w[i] - mu * sin(theta)) < 1e-4 && fabs(z[i] + mu * cos(theta)) < 1e-4);
    }
    free(w);
    free(z);
    page_clear(&page);
}

static void bodies_are_drawn_by_their_inertia(void) {
    Page page = page_of("body ball: mass 2, inertia 2/5*2*0.3^2, free\n"
                        "body coin: mass 1, inertia [0.25*0.2^2, 0.25*0.2^2, 0.5*0.2^2], free\n"
                        "body stick: mass 3, inertia [1e-9, 3*1.2^2/12, 3*1.2^2/12], free\n"
                        "body brick: mass 12, inertia [2^2 + 3^2, 1 + 3^2, 1 + 2^2], free\n"
                        "body bead: mass 1, position [0, 0, ball.position.z]\n"
                        "start omega(ball.attitude) = [1, 2, 3]\n"
                        "run t = 0..1, samples 20\n");
    double x[20];
    page_channel(&page, page_item(&page, "sphere", 0), "size", 0, x);
    assert_true(fabs(x[0] - 0.3) < 1e-12);
    page_channel(&page, page_item(&page, "disk", 0), "size", 0, x);
    assert_true(fabs(x[0] - 0.2) < 1e-12);
    page_channel(&page, page_item(&page, "rod", 0), "size", 0, x);
    assert_true(fabs(x[0] - 1.2) < 1e-12);
    double edges = 0.0;
    for (size_t i = 0; i < 3; i++) {
        page_channel(&page, page_item(&page, "box", 0), "size", i, x);
        edges += x[0] * x[0];
    }
    assert_true(fabs(edges - 14.0) < 1e-9);  // 1, 2, 3 in some order
    assert_int_equal(page_count(&page, "point"), 1);
    // a free body's attitude is its coordinates: no columns of its own
    const LiaJson* turn = lia_json_member(page_item(&page, "sphere", 0), "turn");
    const LiaJson* column =
        page_at(lia_json_member(page.json, "columns"), (size_t)atoi(turn->first->text.bytes + 1));
    assert_string_equal(lia_json_member(column, "name")->text.bytes, "ball.attitude.w");
    page_clear(&page);
}

static void shapes_are_drawn_as_they_are(void) {
    Page page = page_of("body stone: mass 1, inertia [0.02, 0.05, 0.06], free\n"
                        "body coin: mass 1, inertia [1, 1, 2], free\n"
                        "gravity [0, 0, -9.81]\n"
                        "joint roll: rolling(ellipsoid(stone at [0, 0, 0.1], [0.3, 0.2, 0.4]), "
                        "plane(ground at [0, 0, 0] normal [0, 0, 1]))\n"
                        "joint coin_roll: rolling(disk(coin axis [0, 1, 0], 0.5), plane(ground at "
                        "[0, 0, 0] normal [0, 0, 1]))\n"
                        "start coin.position = [3, 0, 0.5], stone.position = [0, 0, 0.3], "
                        "coin.position' = [1, 0, 0]\n"
                        "run t = 0..0.5, samples 11\n");
    double x[11], y[11];
    assert_int_equal(page_count(&page, "ellipsoid"), 1);
    assert_int_equal(page_count(&page, "disk"), 1);
    assert_int_equal(page_count(&page, "box"), 0);
    page_channel(&page, page_item(&page, "ellipsoid", 0), "size", 2, x);
    assert_true(x[0] == 0.4);
    page_channel(&page, page_item(&page, "ellipsoid", 0), "at", 2, x);
    for (size_t i = 0; i < 11; i++) assert_true(fabs(x[i] - 0.4) < 1e-6);
    // the axis of the disk, z, is the y axis of the coin, which rolls straight on
    double q[4][11];
    for (size_t k = 0; k < 4; k++)
        page_channel(&page, page_item(&page, "disk", 0), "turn", k, q[k]);
    for (size_t i = 0; i < 11; i++) {
        y[i] = 2 * (q[2][i] * q[3][i] - q[0][i] * q[1][i]);
        assert_true(fabs(fabs(y[i]) - 1) < 1e-6);
    }
    // what the ground does to the stone points up: it carries its weight
    page_channel(&page, page_item(&page, "force", 0), "to", 2, x);
    for (size_t i = 0; i < 11; i++) assert_true(x[i] > 5 && x[i] < 15);
    page_clear(&page);
}

static void rods_stand_where_distances_stay(void) {
    Page page = page_of("parameter N = 10\ncoordinate q[i = 1..N] : circle\nlet a[0] = 0\n"
                        "let a[i = 1..N] = a[i-1] + q[i]\nlet r[0] = [0, 0, 0]\n"
                        "let r[i = 1..N] = r[i-1] + [sin(a[i]), -cos(a[i]), 0]\n"
                        "kinetic sum(i = 1..N, dot(r[i]', r[i]')/2)\n"
                        "potential sum(i = 1..N, 9.81*r[i].y)\nstart q[1] = 0.3\nrun t = 0..3\n");
    assert_int_equal(page_count(&page, "segment"), 10);
    assert_int_equal(page_count(&page, "point"), 10);
    assert_int_equal(page_count(&page, "anchor"), 1);
    page_clear(&page);
    page = page_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
                   "constraint rod: x^2 + y^2 = 1\nstart x = 0.6, y ~ -1\nrun t = 0..3\n");
    assert_int_equal(page_count(&page, "segment"), 1);
    page_clear(&page);
    page = page_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nstart x' = "
                   "1\nrun t = 0..1\n");
    assert_int_equal(page_count(&page, "segment"), 0);
    page_clear(&page);
}

static void what_has_no_place_has_dials_and_sliders(void) {
    Page page =
        page_of("coordinate a, b : circle\ncoordinate u : line\nkinetic a'^2 + b'^2 + u'^2\n"
                "potential -cos(a)\noperator drive: b = t\nstart a = 1, u' = 1\nrun t = 0..1\n");
    assert_int_equal(page_count(&page, "dial"), 2);
    assert_int_equal(page_count(&page, "slider"), 1);
    assert_false(is_driven(page_item(&page, "dial", 0)));
    assert_true(is_driven(page_item(&page, "dial", 1)));
    double x[1001];
    page_channel(&page, page_item(&page, "dial", 0), "size", 0, x);
    assert_true(fabs(x[0] + acos(0.0)) < 1e-15);  // it hangs
    page_channel(&page, page_item(&page, "dial", 1), "size", 0, x);
    assert_true(x[0] == 0.0);
    page_clear(&page);
}

static void drawings_are_where_the_model_says(void) {
    Page page = page_of("parameter r = 0.5\n"
                        "coordinate x : line\ncoordinate a : circle\n"
                        "kinetic x'^2 + a'^2\n"
                        "constraint rail: x' = r*a'\n"
                        "draw wheel: disk(r) at [x, r] attitude -a color red, segment([x, r], [x + "
                        "r*sin(a), r + r*cos(a)])\n"
                        "draw arrow([x, 0], [x + force(rail), x'])\n"
                        "start x' = 1\nrun t = 0..2, samples 41\n");
    double x[41], y[41];
    assert_int_equal(page_count(&page, "disk"), 1);
    assert_string_equal(lia_json_member(page_item(&page, "disk", 0), "color")->text.bytes, "red");
    assert_string_equal(lia_json_member(page_item(&page, "disk", 0), "name")->text.bytes, "wheel");
    page_channel(&page, page_item(&page, "segment", 0), "to", 0, x);
    page_channel(&page, page_item(&page, "disk", 0), "turn", 3, y);
    for (size_t i = 0; i < 41; i++) {
        double a = motion_value(&page.motion, i, "a"), place = motion_value(&page.motion, i, "x");
        assert_true(fabs(x[i] - place - 0.5 * sin(a)) < 1e-6);
        assert_true(fabs(y[i] - sin(-0.5 * a)) < 1e-6);
    }
    assert_int_equal(page_count(&page, "force"), 0);  // arrows of the model instead
    page_clear(&page);
}

static void drawings_on_a_body_are_in_its_axes(void) {
    Page page =
        page_of("body b: mass 1, inertia [1, 2, 3], free\n"
                "draw box([1, 2, 3]) on b at [0, 2, 0] attitude rotx(pi/2)\n"
                "draw segment(b.position, point(b, [0, 2, 0])), segment(0, axis(b, [0, 0, 1]))\n"
                "start omega(b.attitude) = [1, 2, 3], b.position' = [1, 0, 0]\n"
                "run t = 0..2, samples 21\n");
    const LiaJson* box = page_item(&page, "box", 0);
    double x[21], y[21], q[4][21], axis[3][21];
    for (size_t k = 0; k < 3; k++) {
        page_channel(&page, box, "at", k, x);
        page_channel(&page, page_item(&page, "segment", 0), "to", k, y);
        for (size_t i = 0; i < 21; i++) assert_true(fabs(x[i] - y[i]) < 1e-6);
        page_channel(&page, page_item(&page, "segment", 1), "to", k, axis[k]);
    }
    for (size_t k = 0; k < 4; k++) page_channel(&page, box, "turn", k, q[k]);
    for (size_t i = 0; i < 21; i++) {  // its y axis is the z axis of the body
        double a = q[0][i], b = q[1][i], c = q[2][i], d = q[3][i];
        const double second[3] = {2 * (b * c - a * d), a * a - b * b + c * c - d * d,
                                  2 * (c * d + a * b)};
        for (size_t k = 0; k < 3; k++) assert_true(fabs(second[k] - axis[k][i]) < 1e-6);
    }
    page_clear(&page);
}

// An outside body whose shape a joint has said is drawn as that, and not as a plate next to it.
static void an_outside_body_looks_as_a_joint_says(void) {
    Page page =
        page_of("function bowl(x, y, z) = x^2/2 + y^2/3 - z\n"
                "body dish: attitude rotx(0.2*sin(2*t))\n"
                "body drum: attitude rotz(t), position [5, 0, 0]\n"
                "body a: mass 1, inertia 0.004, free\nbody b: mass 1, inertia 0.004, free\n"
                "joint in: touching(sphere(a, 0.1), inside(surface(dish, bowl)))\n"
                "joint on: touching(sphere(b, 0.1), sphere(drum, 1))\n"
                "start a.position ~ [0.3, 0.2, 0.3], b.position ~ [5, 0, 1.1]\nrun t = 0..1\n");
    assert_int_equal(page_count(&page, "plate"), 0);
    assert_int_equal(page_count(&page, "surface"), 1);
    assert_int_equal(page_count(&page, "sphere"), 3);
    page_clear(&page);
}

static void rolling_has_a_place_and_a_force(void) {
    Page page =
        page_of("coordinate x, y : line\ncoordinate phi : circle\ncoordinate g : rotation\n"
                "body plate: attitude rotz(phi), position [0, 0, 0]\n"
                "body ball: mass 1, inertia 0.004, position [x, y, 0.1], attitude g\n"
                "operator drive: phi' = 1 + 0.5*sin(t)\n"
                "constraint rolling: velocity(ball, [x, y, 0]) = velocity(plate, [x, y, 0])\n"
                "start x = 1, y = 0, x' = 0, y' = 0\nrun t = 0..10\n");
    assert_int_equal(page_count(&page, "contact"), 1);
    assert_int_equal(page_count(&page, "plate"), 1);
    assert_true(is_driven(page_item(&page, "plate", 0)));
    size_t rows = page_rows(&page);
    double *x = calloc(rows, sizeof *x), *f = calloc(rows, sizeof *f);
    page_channel(&page, page_item(&page, "contact", 0), "at", 0, x);
    page_channel(&page, page_item(&page, "force", 0), "to", 1, f);
    for (size_t i = 0; i < rows; i++) {
        assert_true(fabs(x[i] - motion_value(&page.motion, i, "x")) < 1e-6);
        assert_true(fabs(f[i] - motion_value(&page.motion, i, "force(rolling)[2]")) < 1e-6);
    }
    free(x);
    free(f);
    page_clear(&page);
}

// The packed numbers of a surface.
static double* numbers_of(const LiaJson* packed, size_t count) {
    const LiaJson* data = lia_json_member(packed, "data");
    uint8_t* bytes = page_bytes(data->text.bytes, data->text.length);
    double* x = calloc(count + 1, sizeof *x);
    unpack(bytes, count, lia_json_member(packed, "low")->number,
           lia_json_member(packed, "step")->number, (int)lia_json_member(packed, "order")->number,
           x);
    free(bytes);
    return x;
}

// The nodes of the grid are inside where the function says so, and it is all seen.
static void check_grid(const LiaJson* surface, double (*f)(const double*), bool closed) {
    double low[3], high[3];
    size_t n[3], inside = 0;
    for (size_t k = 0; k < 3; k++) {
        n[k] = (size_t)page_at(lia_json_member(surface, "nodes"), k)->number;
        low[k] = page_at(lia_json_member(surface, "low"), k)->number;
        high[k] = page_at(lia_json_member(surface, "high"), k)->number;
    }
    size_t count = n[0] * n[1] * n[2];
    double* x = numbers_of(lia_json_member(surface, "f"), count);
    for (size_t i = 0; i < count; i++) {
        size_t node[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        double u[3];
        bool edge = false;
        for (size_t k = 0; k < 3; k++) {
            u[k] = low[k] + (high[k] - low[k]) * (double)node[k] / (double)(n[k] - 1);
            edge = edge || node[k] == 0 || node[k] + 1 == n[k];
        }
        double value = f(u);
        if (fabs(value) > 1e-3) assert_true((value < 0.0) == (x[i] < 0.0));
        if (closed && edge) assert_true(x[i] > 0.0);
        inside += x[i] < 0.0;
    }
    assert_true(inside > count / 50);
    free(x);
}

static double ring(const double* u) {
    double rho = hypot(u[0], u[1]) - 2.0;
    return rho * rho + u[2] * u[2] - 1.0;
}

static double bowl(const double* u) { return (u[0] * u[0] + u[1] * u[1]) / 2.0 - u[2]; }

static void surfaces_are_where_their_functions_vanish(void) {
    Page page = page_of("coordinate r : space\nbody p: mass 1, position r\n"
                        "constraint ring: (hypot(r.x, r.y) - 2)^2 + r.z^2 = 1\n"
                        "start r = [3, 0, 0], r' = [0, 1, 1.2]\nrun t = 0..10\n");
    assert_int_equal(page_count(&page, "surface"), 1);
    check_grid(lia_json_member(page_item(&page, "surface", 0), "surface"), ring, true);
    page_clear(&page);
    page = page_of("function wall(x, y, z) = (x^2 + y^2)/2 - z\n"
                   "body ball: mass 1, inertia 0.01, free\ngravity [0, 0, -9.81]\n"
                   "joint roll: rolling(sphere(ball, 0.2), inside(surface(ground, wall)))\n"
                   "start ball.position = [1, 0, 1/2] + 0.2*unit([-1, 0, 1])\n"
                   "start ball.attitude = rotz(0), omega(ball.attitude) = [-8, 0, -2.5]\n"
                   "run t = 0..2\n");
    assert_int_equal(page_count(&page, "surface"), 1);
    const LiaJson* surface = lia_json_member(page_item(&page, "surface", 0), "surface");
    assert_non_null(lia_json_member(surface, "radius"));
    check_grid(surface, bowl, false);
    page_clear(&page);
}

static void a_rod_between_points_is_no_surface(void) {
    Page page = page_of("coordinate a : space\ncoordinate b : space\nbody A: mass 1, position a\n"
                        "body B: mass 1, position b\ngravity [0, 0, -9.81]\n"
                        "constraint top: norm(a) = 1\nconstraint rod: norm(a - b) = 1\n"
                        "start a = [1, 0, 0], b = [2, 0, 0]\nrun t = 0..1\n");
    assert_int_equal(page_count(&page, "surface"), 0);
    page_clear(&page);
}

static void a_support_function_is_drawn_by_its_points(void) {
    Page page = page_of("function h(x, y, z) = sqrt(0.25*x^2 + 0.16*y^2 + 0.09*z^2)\n"
                        "body egg: mass 1, inertia [0.05, 0.06, 0.08], free\n"
                        "gravity [0, 0, -9.81]\n"
                        "joint roll: rolling(support(egg, h), plane(ground))\n"
                        "start egg.position = [0, 0, 0.3], egg.attitude = rotz(0)\n"
                        "start omega(egg.attitude) = [1, 0, 0.3]\nrun t = 0..1\n");
    const LiaJson* surface = lia_json_member(page_item(&page, "surface", 0), "surface");
    assert_non_null(surface);
    size_t points = (size_t)(lia_json_member(surface, "round")->number + 1) *
                    (size_t)(lia_json_member(surface, "half")->number + 1);
    double* x[3];
    for (int k = 0; k < 3; k++) {
        const char key[] = {"xyz"[k], 0};
        x[k] = numbers_of(lia_json_member(surface, key), points);
    }
    for (size_t i = 0; i < points; i++) {
        double on = x[0][i] * x[0][i] / 0.25 + x[1][i] * x[1][i] / 0.16 + x[2][i] * x[2][i] / 0.09;
        assert_true(fabs(on - 1.0) < 2e-3);
    }
    for (int k = 0; k < 3; k++) free(x[k]);
    page_clear(&page);
}

// The item of that kind and name.
static const LiaJson* named(const Page* page, const char* kind, const char* name) {
    for (size_t n = 0;; n++) {
        const LiaJson* i = page_item(page, kind, n);
        assert_non_null(i);
        const LiaJson* is = lia_json_member(i, "name");
        if (is && strcmp(is->text.bytes, name) == 0) return i;
    }
}

static double value_of(const Page* page, const char* column, size_t row) {
    const LiaTrajectory* t = page->motion.t;
    for (size_t c = 0; c < lia_trajectory_columns(t); c++) {
        if (strcmp(lia_trajectory_column(t, c), column) == 0) {
            return lia_trajectory_value(t, row, c);
        }
    }
    fail_msg("no column %s", column);
    return NAN;
}

// Each axle of a roller racer holds with a force across it, where it is; the hinge is swung by a
// couple.
static void forces_stand_where_they_act(void) {
    Page page = page_of(
        "parameter d1 = 0.6, d2 = 0.2\ncoordinate x, y : line\ncoordinate theta, phi : circle\n"
        "let front = [x, y] + d1*[cos(theta), sin(theta)] + d2*[cos(theta + phi), sin(theta + "
        "phi)]\n"
        "kinetic 5*(x'^2 + y'^2) + theta'^2/2 + 0.1*(theta' + phi')^2\n"
        "constraint rear: -x'*sin(theta) + y'*cos(theta) = 0\n"
        "constraint ahead: -front'.x*sin(theta + phi) + front'.y*cos(theta + phi) = 0\n"
        "operator swing: phi = 0.5*sin(4*t)\nforce drag: -2*x'*d(x) - 2*y'*d(y)\nrun t = 0..3\n"
        "draw segment([x, y], [x, y] + d1*[cos(theta), sin(theta)])\n"
        "draw segment([x, y] + d1*[cos(theta), sin(theta)], front)\n");
    size_t rows = page_rows(&page), row = rows / 3;
    double *at_x = calloc(rows, sizeof *at_x), *to_x = calloc(rows, sizeof *to_x),
           *to_y = calloc(rows, sizeof *to_y);
    double x = value_of(&page, "x", row), theta = value_of(&page, "theta", row),
           phi = value_of(&page, "phi", row), mu = value_of(&page, "force(ahead)", row);
    const LiaJson* ahead = named(&page, "force", "ahead");
    page_channel(&page, ahead, "at", 0, at_x);
    page_channel(&page, ahead, "to", 0, to_x);
    page_channel(&page, ahead, "to", 1, to_y);
    assert_true(fabs(at_x[row] - (x + 0.6 * cos(theta) + 0.2 * cos(theta + phi))) < 1e-6);
    assert_true(fabs(to_x[row] + mu * sin(theta + phi)) < 1e-5 * fabs(mu));
    assert_true(fabs(to_y[row] - mu * cos(theta + phi)) < 1e-5 * fabs(mu));
    assert_string_equal(lia_json_member(ahead, "role")->text.bytes, "constraint");
    page_channel(&page, named(&page, "force", "rear"), "at", 0, at_x);
    assert_true(fabs(at_x[row] - x) < 1e-6);
    const LiaJson* swing = named(&page, "couple", "swing");
    double most = 0.0;
    page_channel(&page, swing, "at", 0, at_x);
    page_channel(&page, swing, "to", 2, to_x);
    for (size_t i = 0; i < rows; i++) most = fmax(most, fabs(value_of(&page, "force(swing)", i)));
    assert_true(fabs(at_x[row] - (x + 0.6 * cos(theta))) < 1e-6);
    assert_true(fabs(to_x[row] - value_of(&page, "force(swing)", row)) < 1e-6 * most);
    const LiaJson* drag = named(&page, "force", "drag");
    page_channel(&page, drag, "to", 0, to_x);
    assert_true(fabs(to_x[row] + 2 * value_of(&page, "x'", row)) < 1e-6);
    assert_string_equal(lia_json_member(drag, "role")->text.bytes, "applied");
    free(at_x), free(to_x), free(to_y);
    page_clear(&page);
}

static void forces_on_bodies_are_seen_too(void) {
    Page page = page_of("body box: mass 1, inertia [1, 2, 3], free\n"
                        "force push: [0, 0, 2] on box at point(box, [1, 0, 0])\n"
                        "moment brake: -0.1*box.omega on box\n"
                        "start omega(box.attitude) = [0, 1, 0]\nrun t = 0..1\n");
    size_t rows = page_rows(&page);
    double* x = calloc(rows, sizeof *x);
    const LiaJson* push = named(&page, "force", "push");
    page_channel(&page, push, "at", 0, x);
    assert_true(fabs(x[0] - 1.0) < 1e-6);
    page_channel(&page, push, "to", 2, x);
    assert_true(fabs(x[0] - 2.0) < 1e-6);
    page_channel(&page, named(&page, "couple", "brake"), "to", 1, x);
    assert_true(fabs(x[0] + 0.1) < 1e-6);
    free(x);
    page_clear(&page);
}

// A hinge that holds a body beside its axis: its force at the pin, and its couple on the body, not
// on the ground.
static void joints_hold_with_couples(void) {
    Page page =
        page_of("body arm: mass 2, inertia [0.1, 0.2, 0.25], free\n"
                "joint pin: revolute(arm at [0, 0.3, 0.5] axis [0, 1, 0], ground axis [0, 1, 0])\n"
                "joint ball: spherical(ground, arm at [0, 0.3, 0.5])\n"
                "gravity [0, 0, -9.81]\nobserve M = moment(pin)\n"
                "start arm.attitude = roty(0.4), arm.omega = [0, 1, 0]\nrun t = 0..1\n");
    size_t rows = page_rows(&page);
    double* x = calloc(rows, sizeof *x);
    const char* const names[] = {"M.x", "M.y", "M.z"};
    for (int k = 0; k < 3; k++) {
        page_channel(&page, named(&page, "couple", "pin"), "to", k, x);
        for (size_t i = 0; i < rows; i += rows / 7) {
            assert_true(fabs(x[i] + value_of(&page, names[k], i)) < 1e-4);
        }
        if (k == 0) assert_true(fabs(x[0]) > 1.0);  // the weight, 0.3 m beside the pin
    }
    assert_null(page_item(&page, "couple", 1));  // the ball joint has none
    free(x);
    page_clear(&page);
}

// A belt that goes far away: its picture stays under the ball, its mark goes with it. A plate that
// is shaken is a picture that moves.
static void belts_stay_under_what_is_on_them(void) {
    Page page = page_of("body ball: mass 1, inertia 0.004, free\n"
                        "body belt: position [2*t, 0, 0.1*t], attitude rotz(0.3)\n"
                        "gravity [0, 0, -9.81]\ncontact floor: sphere(ball, 0.1) on "
                        "plane(belt at [0, 0, 0] normal [0, 0, 1]) restitution 0.5 friction 0.1\n"
                        "start ball.position = [0, 0, 1], ball.attitude = rotz(0)\nrun t = 0..3\n");
    size_t rows = page_rows(&page);
    const LiaJson* plane = page_item(&page, "plane", 0);
    double *at = calloc(3 * rows, sizeof *at), *slide = calloc(3 * rows, sizeof *slide),
           *size = calloc(rows, sizeof *size);
    assert_true(at && slide && size);
    for (size_t k = 0; k < 3; k++) {
        page_channel(&page, plane, "at", k, at + k * rows);
        page_channel(&page, plane, "slide", k, slide + k * rows);
    }
    page_channel(&page, plane, "size", 0, size);
    for (size_t i = 0; i < rows; i++) {
        double t = motion_value(&page.motion, i, "t");
        double x = motion_value(&page.motion, i, "ball.position.x");
        double y = motion_value(&page.motion, i, "ball.position.y");
        assert_true(hypot(x - at[i], y - at[rows + i]) < size[0]);
        assert_true(fabs(at[i] + slide[i] - 2.0 * t) < 1e-5);
        assert_true(fabs(at[rows + i] + slide[rows + i]) < 1e-5);
        assert_true(fabs(at[2 * rows + i] - 0.1 * t) < 1e-5);
        assert_true(fabs(slide[2 * rows + i]) < 1e-5);
        assert_true(at[i] == at[0]);
    }
    free(at);
    free(slide);
    free(size);
    page_clear(&page);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_skater_is_a_sled_with_a_driven_bar),
        TEST(bodies_are_drawn_by_their_inertia),
        TEST(shapes_are_drawn_as_they_are),
        TEST(rods_stand_where_distances_stay),
        TEST(what_has_no_place_has_dials_and_sliders),
        TEST(drawings_are_where_the_model_says),
        TEST(drawings_on_a_body_are_in_its_axes),
        TEST(an_outside_body_looks_as_a_joint_says),
        TEST(rolling_has_a_place_and_a_force),
        TEST(surfaces_are_where_their_functions_vanish),
        TEST(a_rod_between_points_is_no_surface),
        TEST(a_support_function_is_drawn_by_its_points),
        TEST(forces_stand_where_they_act),
        TEST(forces_on_bodies_are_seen_too),
        TEST(joints_hold_with_couples),
        TEST(belts_stay_under_what_is_on_them),
    };
    return TESTS_RUN(tests);
}
