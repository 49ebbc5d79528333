// One system written in several ways: bodies or formulas, Euler angles or a rotation, joints or
// equations, other brackets and other left sides. What is said of it is the same.
// SPDX-License-Identifier: MIT
#include "scene.h"
#include "support/cases.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* system_name;

static void check(bool ok, const char* what, double got, double want) {
    if (cases_count(ok)) return;
    printf("%s: %s is %.17g, not %.17g\n", system_name, what, got, want);
}

#define SAME(field) check(a->field == b->field, #field, (double)b->field, (double)a->field)

static void same_growth(const char* what, const LiaGrowth* a, const LiaGrowth* b) {
    check(a->steps == b->steps, what, b->steps, a->steps);
    for (uint32_t i = 0; i < a->steps && i < b->steps; i++)
        check(a->rank[i] == b->rank[i], what, b->rank[i], a->rank[i]);
}

// The sizes of constant momenta, of which each way of writing has its own multiples: how many of
// either kind there are, and what they leave.
static void same_found(const LiaSearch* a, const LiaSearch* b) {
    SAME(first.count), SAME(second.count), SAME(orbit), SAME(quotient), SAME(moving.count);
    SAME(constant.count);
}

static void same(const LiaClassification* a, const LiaClassification* b) {
    SAME(dimensions.S), SAME(dimensions.C), SAME(dimensions.D), SAME(velocities), SAME(regular);
    SAME(energy_conserved), SAME(flag.known), SAME(flag.integrable), SAME(flag.kinematic);
    same_growth("growth vector", &a->flag.lie, &b->flag.lie);
    same_growth("derived flag", &a->flag.derived, &b->flag.derived);
    same_growth("driftless part", &a->flag.driftless.growth, &b->flag.driftless.growth);
    same_found(&a->search, &b->search);
    SAME(gauge.count), SAME(flag.bracket.known), SAME(flag.bracket.poisson);
    SAME(flag.bracket.motion);
    check(fabs(a->regularity - b->regularity) < 1e-10, "regularity", b->regularity, a->regularity);
}

typedef struct Ways {
    const char *name, *way[3];
} Ways;

#define DISK  "parameter r = 0.3\ngravity [0, 0, -9.81]\n"
#define TOP   "parameter a = 0.2\ngravity [0, 0, -9.81]\n"
#define TOP_B "body b: mass 1, inertia [0.02, 0.02, 0.015], "
#define BOARD                                                                                      \
    "coordinate x, y : line\ncoordinate th, a, g, h : circle\n"                                    \
    "kinetic 3*(x'^2 + y'^2) + 0.01*th'^2 + "
#define CAR                                                                                        \
    "coordinate x, y : line\ncoordinate th, ph, tt : circle\noperator steer: ph = 0.3*sin(t)\n"    \
    "start tt = 0.2, x' = 5\n"
#define SPIN "(W.x^2 + 2*W.y^2 + 2.5*W.z^2)/2 + 0.05*(W.x + s')^2\n"

static const Ways ways[] = {
    {"rolling disk",  // the third component of the first way says nothing
     {DISK "coordinate x, y : line\ncoordinate ph, th, ps : circle\nlet A = rotz(ph)*rotx(th)\n"
           "body d: mass 1, inertia [0.02, 0.02, 0.04], position [x, y, r*sin(th)], attitude "
           "A*rotz(ps)\nconstraint roll: velocity(d, d.position - r*A*[0, 1, 0]) = 0\n"
           "start th = 1.3, ps' = 8, ph' = 0.3\n",
      DISK "body d: mass 1, inertia [0.02, 0.02, 0.04], free\n"
           "joint roll: rolling(disk(d, r), plane(ground))\n"
           "start d.attitude = rotx(1.3), d.position ~ [0, 0, 0.3], "
           "Omega(d.attitude) = [0, 0.3, 8]\n",
      DISK "coordinate c : space\ncoordinate A : rotation\nlet n = A*[0, 0, 1], u = [0, 0, 1] - "
           "n.z*n\nbody d: mass 1, inertia [0.02, 0.02, 0.04], position c, attitude A\n"
           "constraint touch: c.z = r*norm(u)\nconstraint roll: velocity(d, c - r*unit(u)) = 0\n"
           "start A = rotx(1.3), Omega(A) = [0, 0.3, 8]\n"}},
    {"Chaplygin's top",  // turns about the centre of mass, and about that of the ball
     {TOP "coordinate x, y : line\ncoordinate R : rotation\n" TOP_B
          "position [x, y, a] - R*[0, 0, 0.05], attitude R\n"
          "constraint roll: [x', y'] = a*[omega(R).y, -omega(R).x]\n"
          "start R = rotx(0.4), omega(R) = [0.5, 0.2, 3]\n",
      TOP "coordinate x, y : line\ncoordinate ph, th, ps : circle\n"
          "let R = rotz(ph)*rotx(th)*rotz(ps)\n" TOP_B
          "position [x, y, a] - R*[0, 0, 0.05], attitude R\n"
          "constraint roll: [x', y'] = a*[b.omega.y, -b.omega.x]\n"
          "start th = 0.4, ph' = 0.2, th' = 0.5, ps' = 3\n",
      TOP TOP_B "free\njoint roll: rolling(sphere(b at [0, 0, 0.05], a), plane(ground))\n"
                "start b.attitude = rotx(0.4), b.omega = [0.5, 0.2, 3], b.position ~ [0, 0, a]\n"}},
    {"satellite with a wheel",  // Euler angles in formulas have no body that shows them
     {"coordinate R : rotation\ncoordinate s : circle\nlet W = Omega(R)\nkinetic " SPIN
      "operator o: s = sin(t)\nstart R = rotx(0.5), omega(R) = [0.1, 0.2, 0.3]\n",
      "coordinate p, q, r, s : circle\nlet R = rotz(p)*roty(q)*rotx(r), W = Omega(R)\nkinetic " SPIN
      "operator o: s - sin(t) = 0\nstart r = 0.5, r' = 0.1, q' = 0.2\n",
      "coordinate s, p, q, r : circle\nlet R = rotz(r)*rotx(q)*rotz(p), W = Omega(R)\nkinetic " SPIN
      "operator o: 2*s = 2*sin(t) by d(s)\nstart q = 0.5, q' = 0.1, r' = 0.2\n"}},
    {"bead on a driven hoop",  // time on the left
     {"coordinate th, ph : circle\nkinetic (th'^2 + sin(th)^2*ph'^2)/2 + ph'^2/4\n"
      "potential -9.81*cos(th)\noperator spin: ph = 2*t\nstart th = 0.5\n",
      "coordinate th, ph : circle\nkinetic (th'^2 + sin(th)^2*ph'^2)/2 + ph'^2/4\n"
      "potential -9.81*cos(th)\noperator spin: 3*ph - 6*t = 0\nstart th = 0.5\n",
      "coordinate th, ps : circle\nkinetic (th'^2 + sin(th)^2*(ps' + th')^2)/2 + (ps' + th')^2/4\n"
      "potential -9.81*cos(th)\noperator spin: sin(t) - t - 2*(ps + th) = sin(t) - 5*t "
      "by -d(ps) - d(th)\nstart th = 0.5, ps ~ -0.5\n"}},
    {"snakeboard",
     {BOARD "0.08*(th' + a')^2 + 0.001*((th' + g')^2 + (th' + h')^2)\n"
            "constraint front: -x'*sin(th + g) + y'*cos(th + g) + 0.2*th'*cos(g) = 0\n"
            "constraint back: -x'*sin(th + h) + y'*cos(th + h) - 0.2*th'*cos(h) = 0\n"
            "operator rotor: a = 0.7*sin(t)\noperator one: g = 0.3*cos(t)\n"
            "operator two: h = -0.3*cos(t)\n",
      BOARD "0.08*a'^2 + 0.001*(g'^2 + h'^2)\nlet e = 0.2*[cos(th), sin(th)], F = [x, y] + e, "
            "B = [x, y] - e\nconstraint wheels: [F'.y*cos(g) - F'.x*sin(g), "
            "(2 + cos(x))*(B'.y*cos(h) - B'.x*sin(h))] = [0, 0]\n"
            "operator joints: [a - th, g - th, h - th] = [0.7*sin(t), 0.3*cos(t), -0.3*cos(t)]\n"}},
    {"Chaplygin's sleigh",  // at some attitudes the fields that it admits have other pivots
     {"coordinate x, y : line\ncoordinate th : circle\nlet C = [x + 0.3*cos(th), y + 0.3*sin(th)]\n"
      "kinetic dot(C', C')/2 + 0.2*th'^2\n"
      "constraint blade: (3 + sin(x))*(y'*cos(th) - x'*sin(th)) = 0\nstart th' = 1, x' = 0.4\n",
      "body s: mass 1, inertia [1, 1, 0.4], free\n"
      "joint flat: planar(s axis [0, 0, 1], ground axis [0, 0, 1])\n"
      "constraint blade: dot(velocity(s, point(s, [-0.3, 0, 0])), axis(s, [0, 1, 0])) = 0\n"
      "start s.omega = [0, 0, 1], s.position = [0.3, 0, 0], s.velocity = [0.4, 0.3, 0]\n"}},
    {"two masses and a damper",  // what the damper has of f cancels
     {"coordinate X, Y, r : line\ncoordinate f : circle\nlet u = [cos(f), sin(f)]\n"
      "let A = [X, Y] + 2/3*r*u, B = [X, Y] - 1/3*r*u\nkinetic dot(A', A')/2 + dot(B', B')\n"
      "potential r^2/2\ndissipation 0.1*dot((r*u)', (r*u)')\nsymmetry turn: f' = 1\n"
      "start r = 1, X = 1/3, Y' = 1/3, f' = -0.5\n",
      "coordinate X, Y, r : line\ncoordinate f : circle\n"
      "kinetic 3/2*(X'^2 + Y'^2) + (r'^2 + r^2*f'^2)/3\npotential r^2/2\n"
      "dissipation 0.1*(r'^2 + r^2*f'^2)\nsymmetry turn: f' = 1\n"
      "start r = 1, X = 1/3, Y' = 1/3, f' = -0.5\n"}},
    {"tricycle",  // a start whose zeros are rounding: equations without velocities stay linear
     {"coordinate x, y : line\ncoordinate th, st, w : circle\n"
      "kinetic 5*(x'^2 + y'^2) + th'^2 + 0.1*(th' + st')^2 + 0.2*w'^2\n"
      "constraint rear: y'*cos(th) - x'*sin(th) = 0\n"
      "constraint front: x'*cos(th) + y'*sin(th) = 0.3*w'*cos(st), 1.2*th' = 0.3*w'*sin(st)\n"
      "operator pedal: w' = 3 + sin(t)\noperator steer: st' = 0.2*cos(t)\n",
      "coordinate u, v : line\ncoordinate ab, th, w : circle\n"
      "let x = u - 1.2*cos(th), y = v - 1.2*sin(th)\n"
      "kinetic 5*(x'^2 + y'^2) + th'^2 + 0.1*ab'^2 + 0.2*w'^2\n"
      "constraint rear: y'*cos(th) - x'*sin(th) = 0\n"
      "constraint front: [u', v'] = 0.3*w'*[cos(ab), sin(ab)]\n"
      "operator drive: [w', ab' - th'] = [3 + sin(t), 0.2*cos(t)]\nstart u = 1.2\n"}},
    {"car with a trailer",
     {CAR "let C = [x, y], F = C + 2.5*[cos(th), sin(th)], T = C - 3*[cos(tt), sin(tt)]\n"
          "kinetic 500*dot(C', C') + 400*th'^2 + 150*dot(T', T') + 100*tt'^2 + 2*(th' + ph')^2\n"
          "constraint rear: y'*cos(th) - x'*sin(th) = 0\n"
          "constraint front: F'.y*cos(th + ph) - F'.x*sin(th + ph) = 0\n"
          "constraint trail: T'.y*cos(tt) - T'.x*sin(tt) = 0\n",
      CAR "body car: mass 1000, inertia [800, 800, 800], position [x, y, 0], attitude rotz(th)\n"
          "body wheel: mass 0, inertia [4, 4, 4], position car.position + rotz(th)*[2.5, 0, 0], "
          "attitude rotz(th + ph)\nbody trailer: mass 300, inertia [200, 200, 200], "
          "position [x, y, 0] - rotz(tt)*[3, 0, 0], attitude rotz(tt)\n"
          "constraint all: dot(car.velocity, axis(car, [0, 1, 0])) = 0, "
          "dot(wheel.velocity, axis(wheel, [0, 1, 0])) = 0, "
          "dot(trailer.velocity, axis(trailer, [0, 2, 0])) = 0\n"}},
};

// Each passive constraint does no work, and none of them here is affine.
static void passive_ones_are_linear(const LiaClassification* c) {
    for (uint32_t i = 0; i < c->constraint_count; i++) {
        const LiaConstraintClass* one = &c->constraints[i];
        if (one->active || one->internal) continue;
        check(one->linearity == LIA_LINEAR, one->name, one->linearity, LIA_LINEAR);
        check(one->workless, one->name, one->workless, true);
    }
}

static void in_all_ways(void) {
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const LiaExplanationAsk ask = {.at_start = true};
        system_name = ways[k].name;
        Scene first = scene_explain(ways[k].name, ways[k].way[0], &ask);
        passive_ones_are_linear(&first.e.classes);
        for (int w = 1; w < 3 && ways[k].way[w]; w++) {
            Scene other = scene_explain(ways[k].name, ways[k].way[w], &ask);
            same(&first.e.classes, &other.e.classes);
            passive_ones_are_linear(&other.e.classes);
            scene_clear(&other);
        }
        scene_clear(&first);
    }
}

// --- what is found, in numbers ------------------------------------------------------------------

static bool finds(const LiaFoundList* list, double value) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (fabs(fabs(list->found[i].value) - fabs(value)) < 1e-12 * fabs(value)) return true;
    }
    return false;
}

// Verdicts on what is zero, where a state is left with rounding of equations that follow from
// others or that are multiplied by a function.
static void what_is_zero(void) {
    static const char* const rows[] = {
        "constraint a: u' - z*z'/4 = 0\nconstraint b: x'/2 + y' = 0\n",
        ("constraint a: u' - z*z'/4 = 0\nconstraint b: x'/2 + y' = 0\n"
         "constraint c: u' + x'/2 + y' - z*z'/4 = 0\n"),
        "constraint a: (u - z^2/8)' = 0\nconstraint b: (3 + x^2)*(x'/2 + y') = 0\n"};
    char text[1024];
    system_name = "equations that follow";
    for (int i = 0; i < 3; i++) {
        snprintf(
            text, sizeof text,
            "coordinate x, y, z, u : line\nkinetic (0.9*u'^2 + 3.1*x'^2 + 3.1*y'^2 + 1.3*z'^2)/2 "
            "+ x'*z'*sin(z)/5\npotential 2*cos(z)\n%sstart x = -0.4, y = 0.9, u = 0.9, "
            "x' = -0.8, z' = -0.7\nrun t = 0..1\n",
            rows[i]);
        Scene s = scene_explain("zeros", text, &(LiaExplanationAsk){0});
        check(s.e.classes.energy_conserved, "energy is conserved", 0, 1);
        check(s.e.classes.constraints[0].linearity == LIA_LINEAR, "a is linear", 0, 1);
        check(s.e.classes.flag.known && s.e.classes.flag.integrable == 2, "integrable",
              s.e.classes.flag.integrable, 2);
        scene_clear(&s);
    }
    // z' is zero, and so is the rate of its momentum
    Scene s = scene_explain("zeros",
                            "coordinate x, y, z, u : line\nkinetic (0.7*u'^2 + 1.7*x'^2 + 2.1*y'^2 "
                            "+ 0.9*z'^2)/2 + x'*y'/5\npotential 2*cos(y)\nsymmetry up: z' = 1\n"
                            "constraint a: z'*(3 + x^2)/7 = 0\nstart x = 0.4, y = 0.5, z = -0.6, "
                            "u = -0.9, x' = -0.2, y' = -0.5, u' = -0.2\nrun t = 0..1\n",
                            &(LiaExplanationAsk){0});
    check(s.e.classes.symmetries[0].constant, "the momentum is constant", 0, 1);
    scene_clear(&s);
    // written as the derivative of a function, or as what that is: z = x y + 1
    system_name = "a derivative";
    static const char* const derivative[] = {"(x*y - z)' = 0", "y*x' + x*y' = z'"};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: %s\n"
                 "start x = 0.3, y = 0.4, x' = 1, y' = 0.2\nrun t = 0..2\n",
                 derivative[i]);
        Scene d = scene_explain("derivative", text, &(LiaExplanationAsk){0});
        const LiaFlag* flag = &d.e.classes.flag;
        check(flag->known && flag->kinematic == 1, "kinematic", flag->kinematic, 1);
        check(flag->known && flag->lie.steps == 1 && flag->lie.rank[0] == 2, "growth (2)",
              flag->lie.rank[0], 2);
        check(flag->bracket.poisson == LIA_YES, "Poisson", flag->bracket.poisson, LIA_YES);
        scene_clear(&d);
    }
}

// z' = 3/5 has no force, and energy is constant: also where the equation is mixed with another, and
// each of the two has a power.
static void powers_that_cancel(void) {
    static const char* const rows[] = {"constraint a: y' - x*x' = 0\nconstraint b: z' = 0.6\n",
                                       "constraint a: (2 + sin(x))*(y' - x*x') + y/3*z' = y/5\n"
                                       "constraint b: 3*z' - (y' - x*x') = 1.8\n"};
    char text[1024];
    system_name = "powers that cancel";
    for (int load = 0; load < 2; load++) {  // a load on z is lifted by b
        for (int i = 0; i < 2; i++) {
            snprintf(text, sizeof text,
                     "coordinate x, y, z : line\nkinetic (0.9*x'^2 + 1.3*y'^2 + 0.7*z'^2)/2\n"
                     "potential 2*cos(x)%s\n%sstart x = 0.2, y = 0.6, x' = 0.7\nrun t = 0..1\n",
                     load ? " + z^2" : "", rows[i]);
            Scene s = scene_explain("cancel", text, &(LiaExplanationAsk){0});
            check(s.e.classes.energy_conserved == !load, "energy is conserved",
                  s.e.classes.energy_conserved, !load);
            scene_clear(&s);
        }
    }
}

// Three rods in the plane, of masses 1, 2 and 3, written with all their centres: the angular
// momentum of the whole, by hand, among what the search finds.
static void turn_of_a_chain(void) {
    system_name = "chain of rods";
    Scene s = scene_explain(
        system_name,
        "coordinate x[i = 1..3], y[i = 1..3] : line\ncoordinate a[i = 1..3] : circle\n"
        "kinetic sum(i = 1..3, i/2*(x[i]'^2 + y[i]'^2) + 0.05*a[i]'^2)\n"
        "constraint h[i = 1..2]: [x[i + 1] - x[i], y[i + 1] - y[i]] = 0.3*[cos(a[i]) + "
        "cos(a[i + 1]), sin(a[i]) + sin(a[i + 1])]\n"
        "start x[1] = 1, y[1] = 2, a[1] = 0.3, a[2] = 0.7, a[3] = -0.4, x[1]' = 0.5, y[1]' = -0.2, "
        "a[1]' = 1, a[2]' = -0.3, a[3]' = 0.8\n",
        &(LiaExplanationAsk){.at_start = true});
    const LiaSearch* found = &s.e.classes.search;
    double total = 0.0, shift[2] = {0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const double *q = s.e.q, *v = s.e.v, m = i + 1.0;
        total += m * (q[i] * v[3 + i] - q[3 + i] * v[i]) + 0.1 * v[6 + i];
        shift[0] += m * v[i], shift[1] += m * v[3 + i];
    }
    check(found->second.count == 3, "second type", found->second.count, 3);
    check(finds(&found->second, total), "the angular momentum", found->second.count, total);
    check(finds(&found->second, shift[0]) && finds(&found->second, shift[1]), "momenta", 0, 0);
    scene_clear(&s);
}

// Jellett's integral of a ball whose centre of mass is not its centre: the angular momentum about
// the foot along the line from the foot to the centre of mass, <I omega + m r x v> there, by hand.
static void jellett(void) {
    const Ways* top = &ways[1];
    for (int w = 0; w < 3; w++) {
        system_name = top->name;
        Scene s = scene_explain(top->name, top->way[w], &(LiaExplanationAsk){.at_start = true});
        const LiaFoundList* second = &s.e.classes.search.second;
        // about the centre of mass: J.(a e - h k), e up, k the axis of the body; h/a = 1/4
        double c = cos(0.4), n = sin(0.4), W[3];
        double omega[3] = {0.5, w == 1 ? -3.0 * n : 0.2, w == 1 ? 0.2 + 3.0 * c : 3.0};
        W[0] = omega[0], W[1] = c * omega[1] + n * omega[2], W[2] = c * omega[2] - n * omega[1];
        double L[3] = {0.02 * W[0], 0.02 * W[1], 0.015 * W[2]};  // in the body
        double up = n * L[1] + c * L[2], value = up - 0.25 * L[2];
        check(second->count == 1, "second type", second->count, 1);
        check(finds(second, value) || finds(second, 4.0 * value), "Jellett's integral",
              second->count ? second->found[0].value : NAN, value);
        scene_clear(&s);
    }
}

// A ball on a turntable in polar coordinates and Euler angles: shifts of its place are found as in
// Cartesian ones.
static void turntable(void) {
    static const char* const table[2] = {
        "coordinate x, y : line\ncoordinate R : rotation\n"
        "body b: mass 0.3, inertia 0.0012, position [x, y, 0.1], attitude R\n"
        "constraint roll: velocity(b, [x, y, 0]) = cross([0, 0, 1.5], [x, y, 0])\n"
        "start x = 0.5, y' = 0.4, x' = 0.1\n",
        "coordinate r : line\ncoordinate f, ph, th, ps : circle\nlet x = r*cos(f), y = r*sin(f)\n"
        "body b: mass 0.3, inertia 0.0012, position [x, y, 0.1], attitude "
        "rotz(ph)*rotx(th)*rotz(ps)\nconstraint one: x' - 0.1*b.omega.y + 1.5*y = 0\n"
        "constraint two: 2*y' + 0.2*b.omega.x = 3*x\nstart r = 0.5, th = 1, f' = 0.8, r' = 0.1\n"};
    system_name = "turntable";
    Scene s[2];
    for (int e = 0; e < 2; e++)
        s[e] = scene_explain(system_name, table[e], &(LiaExplanationAsk){0});
    same_found(&s[0].e.classes.search, &s[1].e.classes.search);
    check(s[1].e.classes.search.second.count == 3, "second type", 0, 3);
    for (int e = 0; e < 2; e++) scene_clear(&s[e]);
}

// An operator that sets the velocity in axes that turn with the body, and one that says the same in
// space: no left side of the first is the velocity of a function, but both together are of x and y.
#define RAFT                                                                                       \
    "coordinate x, y : line\ncoordinate th : circle\n"                                             \
    "kinetic x'^2 + y'^2 + 0.3*th'^2 + 0.2*x'*th'*cos(th)\npotential x*sin(th)\n"                  \
    "start th = 0.4, th' = 0.7\noperator o: "

static void moving_axes(void) {
    static const char* const raft[2] = {
        RAFT "[x', y'] = [cos(th) - 0.2*sin(th), sin(th) + 0.2*cos(th)]\n",
        RAFT "[x'*cos(th) + y'*sin(th), y'*cos(th) - x'*sin(th)] = [1, 0.2]\n"};
    static const LiaFieldId fields[] = {LIA_FIELD_D_Y, LIA_FIELD_D_0, LIA_FIELD_MINUS_X_K,
                                        LIA_FIELD_H_Y, LIA_FIELD_ETA, LIA_FIELD_Z};
    system_name = "raft";
    Scene s[2];
    for (int e = 0; e < 2; e++)
        s[e] = scene_explain(system_name, raft[e], &(LiaExplanationAsk){.at_start = true});
    const LiaFields *a = &s[0].e.fields, *b = &s[1].e.fields;
    same(&s[0].e.classes, &s[1].e.classes);
    check(s[0].e.classes.one.word == s[1].e.classes.one.word, "Dazord's word",
          s[1].e.classes.one.word, s[0].e.classes.one.word);
    check(a->split && b->split && a->rows == b->rows, "the motion is taken apart", b->rows,
          a->rows);
    for (size_t k = 0; k < sizeof fields / sizeof *fields && a->rows == b->rows; k++) {
        for (uint32_t r = 0; r < a->rows; r++) {
            double x = a->field[fields[k]][r], y = b->field[fields[k]][r];
            check(fabs(x - y) < 1e-13, "a part of the motion", y, x);
        }
    }
    check(fabs(a->K_Y - b->K_Y) < 1e-13 && fabs(a->h0 - b->h0) < 1e-13, "K_Y", b->K_Y, a->K_Y);
    double c = cos(0.4), n = sin(0.4);  // forces along the axes of the body
    double along = c * a->lambda[0].total + n * a->lambda[1].total;
    check(fabs(b->lambda[0].total - along) < 1e-12, "force", b->lambda[0].total, along);
    for (int e = 0; e < 2; e++) scene_clear(&s[e]);
}

int main(void) {
    in_all_ways();
    turntable();
    moving_axes();
    what_is_zero();
    powers_that_cancel();
    turn_of_a_chain();
    jellett();
    return cases_end();
}
