// Random models with narrow features. See generator.h.
// SPDX-License-Identifier: MIT
#include "generator.h"
#include <math.h>
#include <stddef.h>

const char* narrow_shape_name(Shape shape) {
    static const char* const names[] = {
#define X(name, word) word,
        NARROW_SHAPES(X)
#undef X
    };
    return names[shape];
}

const char* narrow_place_name(Place place) {
    static const char* const names[] = {
#define X(name, word) word,
        NARROW_PLACES(X)
#undef X
    };
    return names[place];
}

static double between(World* w, double low, double high) { return random_between(w->r, low, high); }
static double logarithmic(World* w, double low, double high) {
    return low * pow(high / low, random_unit(w->r));
}
static double sign(World* w) { return random_chance(w->r, 0.5) ? 1.0 : -1.0; }

// Where on the way of its carrier a feature is: mostly inside, now and then at its beginning,
// next to it, or far off.
static double centre_of(World* w, const Carrier* c, double width) {
    double what = random_unit(w->r), along = c->to > c->from ? 1.0 : -1.0;
    if (what < 0.08) return c->from + along * width * between(w, -3.0, 3.0);
    if (what < 0.16) return c->to + along * width * between(w, -3.0, 8.0);
    if (what < 0.22) return c->to + (c->to - c->from) * between(w, 0.3, 5.0);
    return c->from + (c->to - c->from) * between(w, 0.05, 0.95);
}

typedef struct Feature {
    const char* formula;
    bool localized, negative;
    double width;  // absolute
} Feature;

static Feature feature(World* w, Shape shape, const Carrier* c, double relative) {
    Feature f = {.width = relative * fabs(c->to - c->from)};
    f.formula =
        shape_bounded(w, shape, c, centre_of(w, c, f.width), f.width, &f.localized, &f.negative);
    return f;
}

static const char* not_negative(World* w, const Feature* f) {
    return f->negative ? lia_arena_printf(w->arena, "(%s)^2", f->formula) : f->formula;
}

static Carrier time_of(const World* w) {
    return (Carrier){"t", w->backwards ? w->t1 : w->t0, w->backwards ? w->t0 : w->t1,
                     w->place.moved};
}

static void in_potential(World* w, Shape shape, const Carrier* c, double relative) {
    double energy = w->speed * w->speed / 2.0 * logarithmic(w, 0.01, 30.0);
    double width = relative * fabs(c->to - c->from);
    if (shape >= SHAPE_WALL) {
        double centre =
            c == &w->distance ? 0.0 : c->from + (c->to - c->from) * between(w, 0.1, 1.3);
        lia_text_add(&w->body, "potential %s\n", shape_energy(w, shape, c, centre, width, energy));
        return;
    }
    Feature f = feature(w, shape, c, relative);
    lia_text_add(&w->body, "potential %.6g*%s\n", energy * sign(w), f.formula);
}

static void in_force(World* w, Shape shape, const Carrier* c, double relative, bool control) {
    Feature f = feature(w, shape, c, relative);
    double way = fabs(c->to - c->from), range = f.localized ? f.width : way;
    // a velocity of the size of the others is made within the feature
    double most = c->name[0] == 't' ? w->speed / range : w->speed * w->speed / range;
    double a = most * logarithmic(w, 0.03, 1.0) * sign(w);
    if (control) {
        lia_text_add(&w->body, "control pulse = %s\nforce push: %.6g*pulse*d(%s)\n", f.formula, a,
                     w->place.moved);
        return;
    }
    lia_text_add(&w->body, "force push: %.6g*%s*d(%s)\n", a, f.formula, w->place.moved);
}

static void in_velocity(World* w, Shape shape, double relative) {
    double T = w->t1 - w->t0, pull = w->speed / T * between(w, 0.5, 2.0);
    const char* x = w->place.moved;
    Carrier c = {lia_arena_printf(w->arena, "%s'", x), w->speed, w->speed + pull * T, x};
    Feature f = feature(w, shape, &c, relative);
    lia_text_add(&w->body, "force pull: %.6g*d(%s)\n", 2.0 * pull, x);
    lia_text_add(&w->body, "force crisis: -%.6g*%s*d(%s)\n", pull * between(w, 0.3, 1.8),
                 not_negative(w, &f), x);
}

static void in_damping(World* w, Shape shape, const Carrier* c, double relative) {
    Feature f = feature(w, shape, c, relative);
    double way = fabs(c->to - c->from);
    double strength = w->speed / (f.localized ? f.width : way) * logarithmic(w, 0.03, 1.5);
    lia_text_add(&w->body, "dissipation %.6g*%s*%s'^2/2\n", strength, not_negative(w, &f),
                 w->place.moved);
}

static void in_mass(World* w, Shape shape, const Carrier* c, double relative) {
    Feature f = feature(w, shape, c, relative);
    lia_text_add(&w->body, "kinetic %.6g*%s*%s'^2/2\n", logarithmic(w, 0.1, 5.0),
                 not_negative(w, &f), w->place.moved);
}

static void in_magnet(World* w, Shape shape, const Carrier* c, double relative) {
    Feature f = feature(w, shape, c, relative);
    lia_text_add(&w->body, "lagrangian %.6g*%s*%s'\n",
                 w->speed * logarithmic(w, 0.05, 1.0) * sign(w), f.formula, w->partner);
}

// A driven point pulls at another one by a spring, and that one at the world.
static void in_operator(World* w, Shape shape, const Carrier* c, double relative) {
    Feature f = feature(w, shape, c, relative);
    double T = w->t1 - w->t0, omega = between(w, 3.0, 30.0) / T, way = w->speed * T;
    double height = 0.1 * way * logarithmic(w, 0.1, 2.0);
    lia_text_add(&w->coordinates, "coordinate s, e : line\n");
    lia_text_add(&w->body, "kinetic (s'^2 + e'^2)/2\npotential %.6g*(e - s)^2\n",
                 omega * omega / 2.0);
    lia_text_add(&w->body, "potential %.6g*e*sin(%.6g*%s)\n", 0.3 * w->speed * w->speed / way,
                 6.0 / way, w->place.moved);
    const char* smooth =
        random_chance(w->r, 0.4)
            ? lia_arena_printf(w->arena, " + %.6g*sin(%.6g*t)", height, between(w, 2.0, 20.0) / T)
            : "";
    lia_text_add(&w->body, "operator hand: s = %.6g*%s%s\n", height * sign(w), f.formula, smooth);
    lia_text_add(&w->start, ", e ~ 0");
}

static void in_curve(World* w, Shape shape, const Carrier* c, double relative) {
    Feature f = feature(w, shape, c, relative);
    double way = w->speed * (w->t1 - w->t0);
    lia_text_add(&w->coordinates, "coordinate z : line\n");
    lia_text_add(&w->body, "kinetic z'^2/2\npotential %.6g*z\n",
                 w->speed * w->speed / way * between(w, 0.0, 3.0));
    double height =
        (f.localized ? f.width : fmin(f.width * 3.0, 0.05 * way)) * logarithmic(w, 0.1, 2.0);
    lia_text_add(&w->body, "constraint road: z = %.6g*%s\n", height * sign(w), f.formula);
}

static void in_kinematic(World* w, Shape shape, const Carrier* c, double relative) {
    Feature f = feature(w, shape, c, relative);
    lia_text_add(&w->coordinates, "coordinate z : line\n");
    lia_text_add(&w->body, "kinetic z'^2/2\n");
    lia_text_add(&w->body, "constraint twist: z' = (%.6g + %.6g*%s)*%s'\n", between(w, -0.5, 0.5),
                 logarithmic(w, 0.1, 3.0) * sign(w), f.formula, w->place.moved);
    lia_text_add(&w->start, ", z = 0");
}

// The curvature of a track is given by a control.
static void in_control(World* w, Shape shape, double relative) {
    Carrier c = time_of(w);
    Feature f = feature(w, shape, &c, relative);
    double T = w->t1 - w->t0, angle = between(w, 0.2, 2.0) * sign(w);
    lia_text_add(&w->body, "control bend = %.6g + %.6g*%s\n", 0.3 * between(w, -1.0, 1.0) / T,
                 angle / (f.localized ? f.width : T), f.formula);
    lia_text_add(&w->body, "constraint track: th' = bend\n");
}

static void in_event(World* w, Shape shape, const Carrier* c, double relative) {
    Feature f = feature(w, shape, c, relative);
    static const char* const directions[] = {"", "", " rising", " falling"};
    lia_text_add(&w->body, "event met: %s = %.4g%s\n", f.formula, between(w, 0.1, 0.95),
                 directions[random_whole(w->r, 0, 3)]);
}

static void in_observe(World* w, Shape shape, const Carrier* c, double relative) {
    Feature f = feature(w, shape, c, relative);
    lia_text_add(&w->body, "observe seen = %s\n", f.formula);
}

static void put(World* w, Shape shape, Place place, double relative) {
    Carrier time = time_of(w);
    const Carrier* c = w->place.name ? &w->place : w->distance.name ? &w->distance : &w->angle;
    bool timely = random_chance(w->r, 0.35);
    switch (place) {
    case PLACE_ANGLE:
        in_potential(w, shape, &w->angle, relative);
        break;
    case PLACE_DISTANCE:
        in_potential(w, shape, &w->distance, relative);
        break;
    case PLACE_PUSH:
        in_force(w, shape, &time, relative, random_chance(w->r, 0.2));
        break;
    case PLACE_FIELD:
        in_force(w, shape, c, relative, false);
        break;
    case PLACE_VELOCITY:
        in_velocity(w, shape, relative);
        break;
    case PLACE_DAMPING:
        in_damping(w, shape, timely ? &time : c, relative);
        break;
    case PLACE_MASS:
        in_mass(w, shape, c, relative);
        break;
    case PLACE_MAGNET:
        in_magnet(w, shape, c, relative);
        break;
    case PLACE_OPERATOR:
        in_operator(w, shape, &time, relative);
        break;
    case PLACE_SERVO:
        in_operator(w, shape, c, relative);
        break;
    case PLACE_CURVE:
        in_curve(w, shape, c, relative);
        break;
    case PLACE_KINEMATIC:
        in_kinematic(w, shape, c, relative);
        break;
    case PLACE_CONTROL:
        in_control(w, shape, relative);
        break;
    case PLACE_EVENT:
        in_event(w, shape, timely ? &time : c, relative);
        break;
    case PLACE_OBSERVE:
        in_observe(w, shape, c, relative);
        break;
    default:
        in_potential(w, shape, c, relative);
    }
}

// A second feature of another shape, where there is none of its sort yet.
static void put_another(World* w, Place place) {
    static const Place others[] = {PLACE_POTENTIAL, PLACE_DAMPING, PLACE_MASS, PLACE_EVENT};
    Place other = others[random_whole(w->r, 0, 3)];
    if (other == place || !w->place.name) return;
    put(w, (Shape)random_whole(w->r, 0, SHAPE_TRAIN), other, logarithmic(w, 1e-4, 1.0));
}

// Places where most people put them are met more often.
static Place any_place(Random* r) {
    static const Place often[] = {PLACE_POTENTIAL, PLACE_POTENTIAL, PLACE_DISTANCE, PLACE_DISTANCE,
                                  PLACE_ANGLE,     PLACE_DAMPING,   PLACE_EVENT};
    enum { OFTEN = sizeof often / sizeof *often };
    int k = random_whole(r, 0, PLACE_COUNT + OFTEN - 1);
    return k < PLACE_COUNT ? (Place)k : often[k - PLACE_COUNT];
}

void narrow_make(uint64_t seed, Narrow* out) {
    Random r = {seed * 1000003u};
    random_bits(&r);
    *out = (Narrow){.arena = lia_arena_create()};
    World w = {.arena = out->arena, .r = &r};
    out->place = any_place(&r);
    bool energy = out->place <= PLACE_DISTANCE;
    out->shape = (Shape)random_whole(&r, 0, energy ? SHAPE_COUNT - 1 : SHAPE_TRAIN);
    out->width = logarithmic(&w, 1e-4, 1.0);
    world_make(&w, out->place);
    if (!w.place.name) w.place.moved = w.distance.name ? w.distance.moved : w.angle.moved;
    put(&w, out->shape, out->place, out->width);
    out->several = random_chance(&r, 0.25) || out->shape == SHAPE_SUM;
    if (out->several) put_another(&w, out->place);
    out->time = w.t1 - w.t0;
    LiaText text = {0};
    lia_text_add(&text, "# seed %llu: %s in %s, width %.3g\nmodel narrow\n",
                 (unsigned long long)seed, narrow_shape_name(out->shape),
                 narrow_place_name(out->place), out->width);
    lia_text_add(&text, "%s%sstart %s\nrun t = %.9g..%.9g%s\n",
                 w.coordinates.data ? w.coordinates.data : "", w.body.data, w.start.data,
                 w.backwards ? w.t1 : w.t0, w.backwards ? w.t0 : w.t1,
                 random_chance(&r, 0.15) ? ", tolerance 1e-14" : "");
    out->text = lia_arena_printf(out->arena, "%s", text.data);
    lia_text_clear(&text);
    lia_text_clear(&w.coordinates);
    lia_text_clear(&w.body);
    lia_text_clear(&w.start);
}

void narrow_clear(Narrow* narrow) {
    lia_arena_destroy(narrow->arena);
    *narrow = (Narrow){0};
}
