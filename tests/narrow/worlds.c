// Systems that run along, of one to six degrees of freedom, free, coupled and constrained.
// SPDX-License-Identifier: MIT
#include "generator.h"
#include <math.h>
#include <stddef.h>

static double between(World* w, double low, double high) { return random_between(w->r, low, high); }

// A point on a line: free, pulled from rest, or in a well that it crosses several times.
static void line(World* w, double way) {
    double T = w->t1 - w->t0;
    lia_text_add(&w->coordinates, "coordinate x : line\n");
    lia_text_add(&w->body, "kinetic x'^2/2\n");
    w->place = (Carrier){"x", 0.0, way, "x"};
    double what = random_unit(w->r);
    if (what < 0.5) {
        lia_text_add(&w->start, "x = 0, x' = %.6g", w->begin);
    } else if (what < 0.75) {
        lia_text_add(&w->body, "potential %.6g*x\n", -2.0 * way / (T * T));
        lia_text_add(&w->start, "x = 0, x' = 0");
        w->speed *= 1.5;
    } else {
        double omega = acos(-1.0) * between(w, 1.0, 6.0) / T;
        lia_text_add(&w->body, "potential %.6g*(x - %.6g)^2\n", omega * omega / 2.0, way / 2.0);
        lia_text_add(&w->start, "x = 0, x' = 0");
        w->speed = omega * way / 2.0;
    }
}

// Points that springs hold together, running along together.
static void chain(World* w, double way) {
    int n = random_whole(w->r, 2, 6), k = random_whole(w->r, 1, n);
    double T = w->t1 - w->t0, omega = between(w, 5.0, 60.0) / T;
    lia_text_add(&w->coordinates, "coordinate x[i = 1..%d] : line\n", n);
    lia_text_add(&w->body, "kinetic sum(i=1..%d, x[i]'^2)/2\n", n);
    lia_text_add(&w->body, "potential %.6g*sum(i=1..%d, (x[i+1] - x[i])^2)\n", omega * omega / 2.0,
                 n - 1);
    for (int i = 1; i <= n; i++) {
        lia_text_add(&w->start, "%sx[%d] = %.6g, x[%d]' = %.6g", i > 1 ? ", " : "", i,
                     0.01 * way * between(w, -1.0, 1.0), i, w->begin * between(w, 0.9, 1.1));
    }
    const char* name = lia_arena_printf(w->arena, "x[%d]", k);
    w->place = (Carrier){name, 0.0, way, name};
    w->partner = lia_arena_printf(w->arena, "x[%d]", k % n + 1);
}

// A cart with one or two pendulums.
static void cart(World* w, double way) {
    double T = w->t1 - w->t0, l = between(w, 0.05, 0.2) * way, omega = between(w, 5.0, 40.0) / T;
    double g = l * omega * omega;
    bool two = random_chance(w->r, 0.4);
    lia_text_add(&w->coordinates, "coordinate x : line\ncoordinate a%s : circle\n",
                 two ? ", b" : "");
    lia_text_add(&w->body, "let p = [x + %.6g*sin(a), -%.6g*cos(a)]\n", l, l);
    lia_text_add(&w->body, "kinetic x'^2 + dot(p', p')/2\npotential %.6g*p.y\n", g);
    if (two) {
        lia_text_add(&w->body, "let q = p + [%.6g*sin(b), -%.6g*cos(b)]\n", l / 2.0, l / 2.0);
        lia_text_add(&w->body, "kinetic dot(q', q')/4\npotential %.6g*q.y/2\n", g);
    }
    double tilt = between(w, 0.1, 0.8);
    lia_text_add(&w->start, "x = 0, x' = %.6g, a = %.6g%s", w->begin, tilt, two ? ", b = 0.2" : "");
    w->place =
        random_chance(w->r, 0.3) ? (Carrier){"p.x", 0.0, way, "x"} : (Carrier){"x", 0.0, way, "x"};
    w->angle = (Carrier){"a", tilt, -tilt, "a"};
    w->partner = "a";
}

// A point in the plane, perhaps in a valley.
static void plane(World* w, double way) {
    double T = w->t1 - w->t0, side = 0.1 * way * between(w, -1.0, 1.0);
    lia_text_add(&w->coordinates, "coordinate x, y : line\n");
    lia_text_add(&w->body, "kinetic (x'^2 + y'^2)/2\n");
    if (random_chance(w->r, 0.5)) {
        double omega = between(w, 2.0, 30.0) / T;
        lia_text_add(&w->body, "potential %.6g*y^2\n", omega * omega / 2.0);
    }
    lia_text_add(&w->start, "x = 0, y = %.6g, x' = %.6g, y' = %.6g", side, w->begin,
                 0.1 * w->begin * between(w, -1.0, 1.0));
    w->place = random_chance(w->r, 0.3) ? (Carrier){"(0.8*x + 0.2*y)", 0.0, 0.8 * way, "x"}
                                        : (Carrier){"x", 0.0, way, "x"};
    w->partner = "y";
}

// A skate that coasts, or is steered.
static void skate(World* w, double way) {
    double T = w->t1 - w->t0;
    lia_text_add(&w->coordinates, "coordinate x, y : line\ncoordinate th : circle\n");
    lia_text_add(&w->body, "kinetic (x'^2 + y'^2 + %.6g*th'^2)/2\n", 0.01 * way * way);
    lia_text_add(&w->body, "constraint blade: x'*sin(th) - y'*cos(th) = 0\n");
    double turn = between(w, -0.5, 0.5);
    lia_text_add(&w->start, "x = 0, y = 0, th = %.6g, x' = %.6g", -turn / 2.0,
                 w->begin * cos(turn / 2.0));
    if (!w->steerable) lia_text_add(&w->start, ", th' = %.6g", turn / T * w->begin / w->speed);
    w->place = (Carrier){"x", 0.0, 0.97 * way, "x"};
    w->partner = "th";
}

// A disc that rolls upright.
static void disc(World* w, double way) {
    double T = w->t1 - w->t0, radius = way / between(w, 2.0, 12.0), turn = between(w, -0.5, 0.5);
    lia_text_add(&w->coordinates, "coordinate x, y : line\ncoordinate th, ph : circle\n");
    lia_text_add(&w->body, "kinetic (x'^2 + y'^2)/2 + %.6g*(th'^2/2 + ph'^2)/2\n",
                 radius * radius / 2.0);
    lia_text_add(&w->body, "constraint roll: x' = %.6g*ph'*cos(th), y' = %.6g*ph'*sin(th)\n",
                 radius, radius);
    lia_text_add(&w->start, "x = 0, y = 0, th = %.6g, ph = 0, ph' = %.6g", -turn / 2.0,
                 w->begin / radius);
    if (!w->steerable) lia_text_add(&w->start, ", th' = %.6g", turn / T * w->begin / w->speed);
    w->place = (Carrier){"x", 0.0, 0.97 * way, "x"};
    w->angle = (Carrier){"ph", 0.0, way / radius, "ph"};
    w->partner = "y";
}

// Two points that run towards each other, on a line or in the plane.
static void two(World* w, double way) {
    bool flat = random_chance(w->r, 0.5);
    double share = between(w, 0.0, 1.0), past = 0.3 * way;
    double m = between(w, 0.5, 2.0);
    if (!flat) {
        lia_text_add(&w->coordinates, "coordinate x, X : line\n");
        lia_text_add(&w->body, "kinetic x'^2/2 + %.6g*X'^2/2\n", m);
        lia_text_add(&w->start, "x = 0, X = %.6g, x' = %.6g, X' = %.6g", way, share * w->begin,
                     -(1.0 - share) * w->begin);
        w->distance = (Carrier){"(X - x)", way, 0.1 * way, "x"};
    } else {
        lia_text_add(&w->coordinates, "coordinate x, y, X, Y : line\n");
        lia_text_add(&w->body, "kinetic (x'^2 + y'^2)/2 + %.6g*(X'^2 + Y'^2)/2\n", m);
        lia_text_add(&w->start,
                     "x = 0, y = %.6g, X = %.6g, Y = 0, x' = %.6g, y' = 0, X' = %.6g, Y' = 0",
                     way * pow(10.0, between(w, -4.0, -1.0)), way - past, share * w->begin,
                     -(1.0 - share) * w->begin);
        const char* const distances[] = {"hypot(X - x, Y - y)", "sqrt((X - x)^2 + (Y - y)^2)",
                                         "norm([X - x, Y - y])"};
        w->distance = (Carrier){distances[random_whole(w->r, 0, 2)], way - past, 0.0, "x"};
    }
    w->partner = "X";
}

// Two wheels that a spring couples.
static void rotor(World* w, double way) {
    double T = w->t1 - w->t0, omega = between(w, 5.0, 40.0) / T;
    lia_text_add(&w->coordinates, "coordinate phi, psi : circle\n");
    lia_text_add(&w->body, "kinetic (phi'^2 + psi'^2)/2\n");
    lia_text_add(&w->body, "potential %.6g*(1 - cos(phi - psi))\n", omega * omega / 2.0);
    lia_text_add(&w->start, "phi = 0, psi = 0.1, phi' = %.6g, psi' = %.6g", w->begin, w->begin);
    w->place = w->angle = (Carrier){"phi", 0.0, way, "phi"};
    w->partner = "psi";
}

// A bead on a curved wire.
static void bead(World* w, double way) {
    lia_text_add(&w->coordinates, "coordinate x, y : line\n");
    lia_text_add(&w->body, "kinetic (x'^2 + y'^2)/2\npotential %.6g*y\n",
                 w->speed * w->speed / way);
    lia_text_add(&w->body, "constraint wire: y = %.6g*sin(%.6g*x)\n",
                 0.05 * way * between(w, -1.0, 1.0), between(w, 1.0, 10.0) / way);
    lia_text_add(&w->start, "x = 0, x' = %.6g", w->begin);
    w->place = (Carrier){"x", 0.0, way, "x"};
    w->partner = "y";
}

// A free body in space that turns, now and then pulled back to the middle by a spring off its
// centre.
static void body(World* w, double way) {
    double T = w->t1 - w->t0, omega = between(w, 1.0, 10.0) / T;
    lia_text_add(&w->body, "body b: mass 1, inertia [%.6g, %.6g, %.6g], free\n", 0.01 * way * way,
                 0.012 * way * way, 0.015 * way * way);
    if (random_chance(w->r, 0.5)) {
        lia_text_add(&w->body, "let tip = point(b, [0, 0, %.6g])\n", 0.1 * way);
        lia_text_add(&w->body, "potential %.6g*(tip.y^2 + tip.z^2)\n", omega * omega / 2.0);
    }
    lia_text_add(&w->start, "b.position = [0, 0, 0], b.velocity = [%.6g, %.6g, 0]", w->begin,
                 0.1 * w->begin);
    lia_text_add(&w->start, ", b.omega = [%.6g, 0, %.6g]", omega * between(w, -1.0, 1.0),
                 omega * between(w, -1.0, 1.0));
    w->place = (Carrier){"b.position.x", 0.0, way, "b.position.x"};
    w->partner = "b.position.y";
}

void world_make(World* w, Place place) {
    double way = pow(10.0, between(w, -0.5, 1.5)), T = pow(10.0, between(w, 0.0, 2.0));
    w->t0 = random_chance(w->r, 0.2) ? floor(between(w, -10.0, 10.0)) : 0.0;
    w->t1 = w->t0 + ceil(T * 10.0) / 10.0;
    w->speed = way / (w->t1 - w->t0);
    bool timely = place == PLACE_PUSH || place == PLACE_OPERATOR;
    w->backwards = place != PLACE_VELOCITY && random_chance(w->r, 0.06);
    w->begin = timely && random_chance(w->r, 0.4) ? 0.0 : w->backwards ? -w->speed : w->speed;
    w->steerable = place == PLACE_CONTROL;
    if (place == PLACE_CONTROL) {
        random_chance(w->r, 0.5) ? skate(w, way) : disc(w, way);
        return;
    }
    if (place == PLACE_DISTANCE) {
        two(w, way);
        return;
    }
    if (place == PLACE_ANGLE) {
        void (*const turning[])(World*, double) = {rotor, disc, cart};
        turning[random_whole(w->r, 0, 2)](w, way);
        return;
    }
    void (*const all[])(World*, double) = {line,  line, chain, chain, cart, plane,
                                           skate, disc, rotor, body,  bead};
    int first = place == PLACE_MAGNET ? 5 : 0, last = place == PLACE_MAGNET ? 9 : 10;
    all[random_whole(w->r, first, last)](w, way);
}
