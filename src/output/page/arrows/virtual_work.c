// Forces and couples that do the work of a one-form. See virtual_work.h.
// SPDX-License-Identifier: MIT
#include "output/page/arrows/virtual_work.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "output/page/arrows/arrow_places.h"
#include <math.h>
#include <string.h>

enum {
    UNKNOWNS_MOST = 6 * LIA_PARTS_MOST,
    PAIRS_MOST = 48,  // carriers; of more, only a part on one of them is looked for
};

// What a mechanician would rather not draw.
static const double OTHER = 10.0;       // for each coordinate that moves it and is not acted on
static const double WRONG_KIND = 30.0;  // a force for angles, a couple for lengths
static const double NOT_DRAWN = 5.0;    // nothing is seen there
static const double NAMELESS = 1.0;     // the model has no name for it
static const double TWO = 4.0;          // on one against another
static const double NO_JOINT = 4.0;     // a couple between what has no point in common
static const double ANY_WRENCH = 12.0;  // force and couple together
static const double ACROSS = 6.0;       // along a line, for what goes across it

// --- the work of parts

static int unknowns_of(const LiaPart* part) {
    static const int counts[] = {3, 3, 1, 6};
    return counts[part->kind];
}

static bool unit_between(const double* a, const double* b, double* u) {
    double length = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
    for (int k = 0; k < 3; k++) u[k] = length > 0.0 ? (a[k] - b[k]) / length : 0.0;
    return length > 0.0;
}

// What the unknowns of a part do by coordinate i.
static void work_of(const LiaCarriers* c, const LiaPart* part, const double* const* twists,
                    uint32_t i, double* row) {
    const double *on = twists[0], *against = twists[1];
    double v[3], w[3], opposite[3], u[3];
    memcpy(v, on + 3 + 6 * (size_t)i, sizeof v);
    lia_carriers_twist_velocity(against, i, part->kind == LIA_PART_LINE ? against : on, opposite);
    for (int k = 0; k < 3; k++) {
        v[k] -= part->against ? opposite[k] : 0.0;
        w[k] =
            c->reach * (on[6 + 6 * (size_t)i + (size_t)k] - against[6 + 6 * (size_t)i + (size_t)k]);
    }
    switch (part->kind) {
    case LIA_PART_FORCE:
        memcpy(row, v, sizeof v);
        break;
    case LIA_PART_COUPLE:
        memcpy(row, w, sizeof w);
        break;
    case LIA_PART_LINE:
        unit_between(on, against, u);
        row[0] = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        break;
    case LIA_PART_WRENCH:
        memcpy(row, v, sizeof v);
        memcpy(row + 3, w, sizeof w);
        break;
    }
}

double lia_virtual_work_sketch_length(const LiaCarriers* c, const double* Q) {
    double sum = 0.0;
    for (uint32_t i = 0; i < c->n; i++) sum += Q[i] * Q[i] * c->scale[i] * c->scale[i];
    return sqrt(sum);
}

// From the unknowns of a part to its force and couple.
static void spread(const LiaCarriers* c, const LiaPart* part, const double* const* twists,
                   const double* x, double* out) {
    bool couple = part->kind == LIA_PART_COUPLE, line = part->kind == LIA_PART_LINE;
    const double* C = couple ? x : part->kind == LIA_PART_WRENCH ? x + 3 : NULL;
    double u[3];
    if (line) unit_between(twists[0], twists[1], u);
    for (int k = 0; k < 3; k++) {
        out[k] = line ? x[0] * u[k] : couple ? 0.0 : x[k];
        out[3 + k] = C ? c->reach * C[k] : 0.0;
    }
}

double lia_virtual_work_sketch_solve(const LiaCarriers* c, const LiaSketch* sketch,
                                     const double* const* twists, const double* Q, double* out) {
    double A[LIA_ACTED_MOST * UNKNOWNS_MOST], copy[LIA_ACTED_MOST * UNKNOWNS_MOST];
    double b[LIA_ACTED_MOST], pivot[UNKNOWNS_MOST], x[UNKNOWNS_MOST];
    double work[UNKNOWNS_MOST * (LIA_ACTED_MOST + 1) + 1];  // lia_qr_work()
    int order[LIA_ACTED_MOST], index[LIA_ACTED_MOST], m = 0;
    for (int p = 0; p < sketch->count; p++) m += unknowns_of(&sketch->parts[p]);
    for (uint32_t i = 0; i < c->n; i++) {
        double* row = A + (size_t)i * (size_t)m;
        for (int p = 0; p < sketch->count; p++) {
            work_of(c, &sketch->parts[p], twists + 2 * p, i, row);
            row += unknowns_of(&sketch->parts[p]);
        }
        for (int k = 0; k < m; k++) A[(size_t)i * (size_t)m + (size_t)k] *= c->scale[i];
        b[i] = Q[i] * c->scale[i];
    }
    memcpy(copy, A, (size_t)c->n * (size_t)m * sizeof *A);
    LiaRows rows = {.m = (int)c->n, .n = m, .A = A, .pivot = pivot, .order = order};
    lia_qr_factor(&rows, LIA_WORK_CUT, true);
    double left[LIA_ACTED_MOST], sum = 0.0;
    memcpy(left, b, (size_t)c->n * sizeof *b);
    lia_qr_solve(&rows, b, x, work, index);
    for (uint32_t i = 0; i < c->n; i++) {
        for (int k = 0; k < m; k++) left[i] -= copy[(size_t)i * (size_t)m + (size_t)k] * x[k];
        sum += left[i] * left[i];
    }
    const double* own = x;
    for (int p = 0; p < sketch->count; p++) {
        spread(c, &sketch->parts[p], twists + 2 * p, own, out + 6 * p);
        own += unknowns_of(&sketch->parts[p]);
    }
    return sqrt(sum);
}

// --- how good a sketch is

typedef struct Search {
    const LiaCarriers* c;
    const double* Q;
    bool acts[LIA_ACTED_MOST];   // which coordinates are acted on
    bool angle[LIA_ACTED_MOST];  // which are angles
    uint64_t acted;              // the same, a bit each
    double most;                 // the largest Q of the instants
    size_t strongest;            // where it is
} Search;

static double solve_at(const Search* s, const LiaSketch* sketch, size_t instant, double* x) {
    const double* twists[2 * LIA_PARTS_MOST];
    for (int p = 0; p < sketch->count; p++) {
        twists[2 * p] = lia_carriers_twists_instant(s->c, sketch->parts[p].on, instant);
        twists[2 * p + 1] = lia_carriers_twists_instant(s->c, sketch->parts[p].against, instant);
    }
    return lia_virtual_work_sketch_solve(s->c, sketch, twists, s->Q + instant * s->c->n, x) /
           s->most;
}

static double left_at(const Search* s, const LiaSketch* sketch, size_t instant) {
    double x[6 * LIA_PARTS_MOST];
    return solve_at(s, sketch, instant, x);
}

// Is a wrench a force alone, on a line near the carrier?
static bool is_force(const Search* s, const LiaPart* part) {
    LiaSketch sketch = {.parts = {*part}, .count = 1};
    LiaWrench w = {.on = part->on};
    for (size_t k = 0; k < s->c->instant_count; k++) {
        double x[6 * LIA_PARTS_MOST];
        solve_at(s, &sketch, k, x);
        memcpy(w.F[k], x, sizeof w.F[k]);
        memcpy(w.C[k], x + 3, sizeof w.C[k]);
        w.strong = fmax(w.strong, hypot(hypot(x[0], x[1]), x[2]));
    }
    return lia_arrow_places_wrench_is_force(s->c, &w);
}

// What it leaves at all instants, at most; given up where it is above `enough` already.
static double left_of(const Search* s, const LiaSketch* sketch, double enough) {
    double left = left_at(s, sketch, s->strongest);
    for (size_t k = 0; k < s->c->instant_count && left <= enough; k++) {
        left = fmax(left, left_at(s, sketch, k));
    }
    return left;
}

static bool moves_with(const Search* s, const LiaPart* part, uint32_t i) {
    for (size_t k = 0; k < s->c->instant_count; k++) {
        const double* twists[2] = {lia_carriers_twists_instant(s->c, part->on, k),
                                   lia_carriers_twists_instant(s->c, part->against, k)};
        double row[6];
        work_of(s->c, part, twists, i, row);
        for (int u = 0; u < unknowns_of(part); u++) {
            if (fabs(row[u]) * s->c->scale[i] > LIA_WORK_CUT) return true;
        }
    }
    return false;
}

// How far two places are from one another, over the instants.
static double apart(const LiaCarriers* c, uint32_t p, uint32_t q) {
    double sum = 0.0;
    for (size_t k = 0; k < c->instant_count; k++) {
        const double *x = lia_carriers_twists_instant(c, p, k),
                     *y = lia_carriers_twists_instant(c, q, k);
        sum += hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
    }
    return sum;
}

uint32_t lia_virtual_work_sketch_joint(const LiaCarriers* c, uint32_t on, uint32_t against) {
    uint32_t joint = 0;
    double least = INFINITY;
    for (uint32_t p = 1; p <= c->scene->carrier_count; p++) {  // along a hinge: the nearest
        double away = apart(c, p, on);
        if (away >= least) continue;
        if (!lia_carriers_hold(c, on, p) || !lia_carriers_hold(c, against, p)) continue;
        least = away;
        joint = p;
    }
    return joint;
}

// Does a force along the line between two places stand across the ways on which it works? It is
// much larger then than what it stands for.
static bool is_across(const Search* s, const LiaPart* part) {
    double along = 0.0, on[3], against[3], u[3];
    for (size_t k = 0; k < s->c->instant_count; k++) {
        const double *p = lia_carriers_twists_instant(s->c, part->on, k),
                     *q = lia_carriers_twists_instant(s->c, part->against, k);
        unit_between(p, q, u);
        for (uint32_t i = 0; i < s->c->n; i++) {
            if (!s->acts[i]) continue;
            memcpy(on, p + 3 + 6 * (size_t)i, sizeof on);
            lia_carriers_twist_velocity(q, i, q, against);
            double v[3] = {on[0] - against[0], on[1] - against[1], on[2] - against[2]};
            double size = hypot(hypot(v[0], v[1]), v[2]);
            if (size > 0.0)
                along = fmax(along, fabs(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / size);
        }
    }
    return along < LIA_WORK_ACROSS;
}

static double cost_of(const Search* s, const LiaPart* part) {
    double cost = 0.0;
    bool couple = part->kind == LIA_PART_COUPLE, wrench = part->kind == LIA_PART_WRENCH;
    bool angles = true;  // are all that it acts on
    for (uint32_t i = 0; i < s->c->n; i++) {
        if (!moves_with(s, part, i)) continue;
        if (!s->acts[i]) cost += OTHER;
        if (s->acts[i] && !s->angle[i]) angles = false;
    }
    if (!s->c->scene->carriers[part->on - 1].drawn) cost += NOT_DRAWN;
    if (part->against && !s->c->scene->carriers[part->against - 1].drawn) cost += NOT_DRAWN;
    if (!s->c->scene->carriers[part->on - 1].name) cost += NAMELESS;
    if (!wrench && couple != angles) cost += WRONG_KIND;
    if (wrench) cost += ANY_WRENCH;
    if (part->kind == LIA_PART_LINE && is_across(s, part)) cost += ACROSS;
    if (part->against) cost += TWO;
    if (couple && !lia_virtual_work_sketch_joint(s->c, part->on, part->against)) cost += NO_JOINT;
    return cost;
}

// --- the search

typedef void (*Visit)(Search* s, LiaPart part, void* context);

static bool can_be(const LiaCarriers* c, const LiaPart* part) {
    bool turns = c->turns[part->on] && (!part->against || c->turns[part->against]);
    if (part->kind == LIA_PART_FORCE)  // on a point, against the body that carries it
        return !part->against || (c->turns[part->against] && !c->turns[part->on]);
    if (part->kind == LIA_PART_LINE) {  // between places: instruments stand where there is room
        const LiaCarrier* carriers = c->scene->carriers;
        return part->against && !c->turns[part->on] && !c->turns[part->against] &&
               !carriers[part->on - 1].shown[0].index &&
               !carriers[part->against - 1].shown[0].index;
    }
    return turns;
}

// The coordinates by which a part can do work, at most.
static uint64_t reached_by(const LiaCarriers* c, const LiaPart* part) {
    uint64_t goes = c->goes[part->on] | c->goes[part->against],
             spins = c->spins[part->on] | c->spins[part->against];
    if (part->kind == LIA_PART_COUPLE) return spins;
    return part->kind == LIA_PART_WRENCH ? goes | spins : goes;
}

static void visit_parts(Search* s, bool pairs, Visit visit, void* context) {
    uint32_t count = s->c->scene->carrier_count;
    bool moves[LIA_CARRIERS_MOST + 1] = {true};
    for (uint32_t i = 1; i <= count; i++) moves[i] = (s->c->goes[i] | s->c->spins[i]) != 0;
    for (uint32_t on = 1; on <= count; on++) {
        if (!moves[on]) continue;
        for (uint32_t against = 0; against < (pairs ? on : 1); against++) {
            if (!moves[against]) continue;
            for (int kind = LIA_PART_FORCE; kind <= LIA_PART_WRENCH; kind++) {
                LiaPart part = {(LiaPartKind)kind, on, against};
                bool body = against && s->c->turns[on] && !s->c->turns[against];
                if (kind == LIA_PART_FORCE && body) part.on = against, part.against = on;
                bool works = (reached_by(s->c, &part) & s->acted) != 0;
                if (works && can_be(s->c, &part)) visit(s, part, context);
            }
        }
    }
}

typedef struct Best {
    LiaSketch sketch;
    double cost;
    LiaSketch with;   // what is there already
    bool any_wrench;  // even one that is no force alone
} Best;

static void try_exact(Search* s, LiaPart part, void* context) {
    Best* best = context;
    LiaSketch sketch = best->with;
    bool wrench = part.kind == LIA_PART_WRENCH;
    if (wrench && sketch.count > 0) return;
    sketch.parts[sketch.count++] = part;
    uint64_t reached = 0;
    for (int p = 0; p < sketch.count; p++) reached |= reached_by(s->c, &sketch.parts[p]);
    if ((s->acted & ~reached) != 0) return;
    if (!(left_of(s, &sketch, LIA_WORK_EXACT) <= LIA_WORK_EXACT)) return;
    sketch.screw = wrench && !is_force(s, &part);
    if (sketch.screw && !best->any_wrench) return;
    double cost = 0.0;
    for (int p = 0; p < sketch.count; p++) cost += cost_of(s, &sketch.parts[p]);
    if (cost >= best->cost) return;
    best->cost = cost;
    best->sketch = sketch;
}

static void try_second(Search* s, LiaPart part, void* context) {
    Best* best = context;
    if (part.kind == LIA_PART_WRENCH || best->with.count > 0) return;
    best->with = (LiaSketch){.parts = {part}, .count = 1};
    visit_parts(s, false, try_exact, best);
    best->with.count = 0;
}

static void try_least(Search* s, LiaPart part, void* context) {
    Best* best = context;
    LiaSketch sketch = best->with;
    if (part.kind == LIA_PART_WRENCH) return;
    sketch.parts[sketch.count++] = part;
    sketch.left = left_of(s, &sketch, 1.0);
    double cost = cost_of(s, &part);
    double gain = best->sketch.left - sketch.left;
    // what leaves the same is chosen by what one would rather draw
    bool better = gain > LIA_WORK_EXACT || (gain > -LIA_WORK_EXACT && cost < best->cost);
    if (!better) return;
    best->sketch = sketch;
    best->cost = cost;
}

// One after the other, each the one that leaves least.
static void find_part(Search* s, LiaSketch* sketch) {
    *sketch = (LiaSketch){.left = 1.0};
    while (sketch->count < LIA_PARTS_MOST) {
        Best best = {.sketch = *sketch, .with = *sketch, .cost = INFINITY};
        best.sketch.left = 1.0;
        visit_parts(s, s->c->scene->carrier_count <= PAIRS_MOST, try_least, &best);
        if (!(best.sketch.left <
              (sketch->count == 0 ? LIA_WORK_NOTHING : LIA_WORK_GAIN * sketch->left)))
            break;
        *sketch = best.sketch;
    }
}

// An angle, or a number that turns something at the rate 1 and is not said to be a length.
static bool is_angle(const LiaCarriers* c, uint32_t i) {
    const LiaCoordinate* x = &c->scene->system->model->coordinates[i];
    if (x->manifold != LIA_LINE) return x->manifold == LIA_CIRCLE || x->manifold == LIA_ROTATION;
    if (x->unit && strcmp(x->unit, "rad") != 0) return false;
    for (uint32_t k = 1; k <= c->scene->carrier_count; k++) {
        bool turns = c->turns[k];
        for (size_t instant = 0; turns && instant < c->instant_count; instant++) {
            const double* w = lia_carriers_twists_instant(c, k, instant) + 6 + 6 * (size_t)i;
            turns = fabs(hypot(hypot(w[0], w[1]), w[2]) - 1.0) <= LIA_WORK_EXACT;
        }
        if (turns) return true;
    }
    return false;
}

static Search search_of(const LiaCarriers* c, const double* Q) {
    Search s = {.c = c, .Q = Q};
    for (size_t k = 0; k < c->instant_count; k++) {
        double length = lia_virtual_work_sketch_length(c, Q + k * c->n);
        if (length > s.most) s.most = length, s.strongest = k;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        for (size_t k = 0; k < c->instant_count; k++) {
            s.acts[i] = s.acts[i] || fabs(Q[k * c->n + i]) * c->scale[i] > LIA_WORK_CUT * s.most;
        }
        s.angle[i] = s.acts[i] && is_angle(c, i);
        if (s.acts[i]) s.acted |= (uint64_t)1 << i;
    }
    return s;
}

double lia_virtual_work_sketch_left(const LiaCarriers* c, const LiaSketch* sketch,
                                    const double* Q) {
    Search s = search_of(c, Q);
    return s.most > 0.0 ? left_of(&s, sketch, 1.0) : 0.0;
}

void lia_virtual_work_sketch_find(const LiaCarriers* c, const double* Q, LiaSketch* sketch) {
    Search s = search_of(c, Q);
    *sketch = (LiaSketch){.left = 1.0};
    if (!(s.most > 0.0 && isfinite(s.most))) return;
    Best best = {.cost = INFINITY};
    visit_parts(&s, true, try_exact, &best);
    if (best.sketch.count == 0) visit_parts(&s, false, try_second, &best);
    best.any_wrench = true;
    if (best.sketch.count == 0) visit_parts(&s, true, try_exact, &best);
    if (best.sketch.count > 0) {
        *sketch = best.sketch;
        sketch->left = left_of(&s, sketch, 1.0);
    } else {
        find_part(&s, sketch);
    }
}
