// An impact: the impulses of the touching contacts (impact.h), those of all other constraints and
// operators with them, the velocities after it, and the works. Rolling and pivoting are not
// resisted in it: the couples are those of forces that last. Impacts that accumulate: a contact
// whose next flight would be lower than positions are rounded stays closed.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/test_hooks.h"
#include "motion/contact/contacts.h"
#include "motion/contact/decide.h"
#include "motion/contact/impact/impact.h"
#include "motion/contact/laws.h"
#include "motion/contact/rough/rough_impact.h"
#include "motion/contact/rough/rough_modes.h"
#include "motion/events/corner.h"
#include "motion/events/jumps.h"
#include "motion/result/record.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Collision {
    LiaImpact impact;
    LiaImpactStatus status;
    LiaContactRows* contact;  // with the friction of slips alone              (contacts)
    double* work;
    int* index;
    double* p;        // momenta before, and the impulses of the contacts      (n)
    double* impulse;  // of all rows of the system                             (rows)
    double* works;    // of all constraints                                    (constraints)
    double* own;      // of all touching contacts                              (contacts)
    double* lost;     // by them, relative to what is driven                   (contacts)
    double* before;   // velocities of the rows, where the run goes against the time   (rows)
    void* block;
} Collision;

static bool make_room(const LiaRunner* run, const LiaDelassus* d, Collision* c) {
    size_t rows = (size_t)d->rows, k = (size_t)d->contacts, n = run->system->n;
    size_t constraints = run->model->constraints_count, of_system = run->system->row_count;
    size_t work = lia_impact_work(d);
    size_t doubles = 3 * rows + 3 * k + n + of_system + constraints + work;
    size_t ints = lia_impact_index(d) + k;
    *c = (Collision){0};
    size_t bytes = k * sizeof *c->contact + doubles * sizeof(double) + (ints + 1) * sizeof(int);
    c->block = lia_memory_zeros(bytes, 1);
    if (!c->block) return false;
    c->contact = c->block;
    double* x = (double*)(c->contact + k);
    c->impact.P = x, x += rows;
    c->impact.u = x, x += rows;
    c->impact.work = x, x += k;
    c->own = x, x += k;
    c->lost = x, x += k;
    c->before = x, x += rows;
    c->p = x, x += n;
    c->impulse = x, x += of_system;
    c->works = x, x += constraints;
    c->work = x, x += work;
    c->impact.phases = (unsigned*)x;
    c->index = (int*)(c->impact.phases + k);
    return true;
}

// --- accumulation -------------------------------------------------------------------------------

// What is no flight: so high.
static double flight_least(const LiaRunner* run, const LiaResponse* r, int row) {
    size_t n = run->system->n;
    double size = 0.0;
    for (uint32_t i = 0; i < n; i++)
        size += fabs(r->Omega[(size_t)row * n + i]) * lia_scale_q(&run->scales, run->w, i);
    return LIA_CONTACT_FLIGHT * size;
}

bool lia_collide_flight_is_rounding(const LiaRunner* run, const LiaResponse* r, int k,
                                    double speed) {
    int row = r->contact[k].normal;
    double pull = r->pull[k];
    if (!(pull > r->noise_a[row]) || !(speed > 0.0)) return false;
    return 0.5 * speed * speed / pull <= flight_least(run, r, row);
}

// Is a contact that nothing pulls by itself so slow that its flight would be none, were it pulled?
static bool is_slow(const LiaRunner* run, const LiaResponse* r, double most, int k) {
    int row = r->contact[k].normal, m = r->at_rest.rows;
    double u = r->velocity[row], most_pull = most * sqrt(fabs(r->W[row * m + row]));
    if (fabs(u) <= r->noise_v[row] || r->pull[k] > r->noise_a[row]) return false;
    return 0.5 * u * u <= most_pull * flight_least(run, r, row);
}

bool lia_collide_find_pull(const LiaRunner* run, LiaResponse* r) {
    int m = r->at_rest.rows;
    double most = 0.0;
    bool any = false;
    for (int i = 0; i < m; i++) {
        double root = sqrt(fabs(r->W[i * m + i]));
        if (root > 0.0) most = fmax(most, fabs(r->acceleration[i]) / root);
    }
    for (int k = 0; k < r->at_rest.contacts && r->at_rest.contacts > 1; k++)
        any |= is_slow(run, r, most, k);
    if (!any) return true;
    LiaProposal p;
    bool good = lia_decide_propose(&r->at_rest, &p);
    for (int k = 0; good && p.status == LIA_COMPLEMENTARITY_SOLVED && k < r->at_rest.contacts;
         k++) {
        int row = r->contact[k].normal;
        double pressed = LIA_CONTACT_PRESSED * p.found.lambda[row] * r->W[row * m + row];
        r->pull[k] = fmax(r->pull[k], pressed);
    }
    lia_decide_clear(&p);
    return good;
}

// The time until all further flights are over, if each begins with `restitution` times the speed of
// the one before.
static double flights_left(const LiaResponse* r, int k, double speed) {
    double own = -r->acceleration[r->contact[k].normal], e = r->contact[k].restitution;
    double pull = own > r->noise_a[r->contact[k].normal] ? own : r->pull[k] / LIA_CONTACT_PRESSED;
    return 2.0 * speed / (pull * (1.0 - e));
}

// Contacts whose impacts have become that small are struck without restitution. True if there are.
static bool rest_small_ones(LiaRunner* run, LiaResponse* r, const Collision* c) {
    bool any = false;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        double speed = c->impact.u[r->contact[k].normal];
        bool approached = r->velocity[r->contact[k].normal] < 0.0;
        double e = r->contact[k].restitution;
        if (!approached || !(e > 0.0 && e < 1.0)) continue;
        if (!lia_collide_flight_is_rounding(run, r, k, speed)) continue;
        run->contacts->accumulates[r->touching[k]] = run->w->t + flights_left(r, k, speed);
        r->contact[k].restitution = 0.0;
        any = true;
    }
    return any;
}

// --- the impulses -------------------------------------------------------------------------------

static void say_unsolved(LiaRunner* run, const LiaResponse* r, const Collision* c) {
    const LiaSystem* s = run->contacts->base;
    int k = c->impact.contact >= 0 ? c->impact.contact : 0;
    const LiaConstraint* of = &s->model->constraints[s->contacts[r->touching[k]].constraint];
    double t = run->w->t;
    bool several = c->status == LIA_IMPACT_SEVERAL, none = c->status == LIA_IMPACT_NO_SOLUTION;
    bool held = none && !lia_response_has_friction(r);
    lia_verdict(run, "E0435", of->span, t,
                several ? "at t = %.10g the impact of '%s' has several outcomes: its law and that "
                          "of friction admit more than one set of impulses"
                : held ? "at t = %.10g the impact of '%s' has no outcome: operators or constraints "
                         "keep the velocity with which its gap closes"
                : none ? "at t = %.10g the impact of '%s' has no outcome: no impulses satisfy its "
                         "law and that of friction"
                       : "at t = %.10g no outcome was found of the impact of '%s' and others: no "
                         "impulses that satisfy its law and that of friction",
                t, s->contacts[r->touching[k]].name);
    lia_verdict_help(run,
                     held ? "let the law stop there, 'max(0, 1 - t)', or end by an event, 'until e'"
                          : "say another law of impacts, 'impact sequential' or 'impact "
                            "poisson', or take a smaller friction");
}

void lia_collide_say_jam(LiaRunner* run, uint32_t contact) {
    const LiaSystem* s = run->contacts->base;
    double t = run->w->t;
    lia_verdict(
        run, "E0433", s->model->constraints[s->contacts[contact].constraint].span, t,
        "at t = %.10g sliding presses the contact '%s' together more than its force pushes it "
        "apart: neither forces nor impacts end that (Painleve)",
        t, s->contacts[contact].name);
    lia_verdict_help(run, "a smaller friction, or a body that gives way (a spring in place of the "
                          "contact), has a motion");
}

// The contacts of the response with the friction of slips alone.
static LiaDelassus slips_alone(const LiaRunner* run, const LiaResponse* r, Collision* c) {
    const LiaSystem* s = run->contacts->base;
    LiaDelassus d = r->at_impact;
    for (int k = 0; k < d.contacts; k++) {
        const LiaContactFormulas* of = &s->contacts[r->touching[k]];
        c->contact[k] = r->contact[k];
        c->contact[k].blocks = of->blocks && of->block[0].kind == LIA_FRICTION_SLIP;
    }
    d.contact = c->contact;
    return d;
}

// Against the time: the impact that led here.
static bool solve_past(LiaRunner* run, const LiaResponse* r, Collision* c,
                       const LiaImpactOptions* options) {
    LiaDelassus d = slips_alone(run, r, c);
    const LiaSystem* s = run->contacts->base;
    LiaImpactPast past = {.before = c->before, .work = c->work, .index = c->index};
    c->status = options->jam ? LIA_IMPACT_NO_SOLUTION
                             : lia_impact_past_solve(&d, options, &c->impact, &past);
    if (c->status == LIA_IMPACT_SOLVED) return true;
    uint32_t contact = r->touching[c->impact.contact >= 0 ? c->impact.contact : 0];
    lia_verdict(run, "E0431", s->model->constraints[s->contacts[contact].constraint].span,
                run->w->t,
                "at t = %.10g '%s' was struck%s: what it was before is not known from what came "
                "after",
                run->w->t, s->contacts[contact].name,
                s->contacts[contact].blocks > 0 ? " with friction" : "");
    lia_verdict_help(run, "begin earlier and run forward in time: 'run t = 0..10'");
    return false;
}

// `says`: with a verdict where there is no solution.
static bool solve(LiaRunner* run, LiaResponse* r, Collision* c, bool jam, bool says) {
    const LiaImpactRule* rule = &run->model->run.impact;
    LiaImpactOptions options = {
        .restitution = rule->restitution, .sequential = rule->sequential, .jam = jam};
    options.push = jam ? r->acceleration : NULL;
    for (int k = 0; jam && k < r->at_rest.contacts; k++) {
        if ((int)r->touching[k] == run->contacts->found.jams) options.jammed = k;
    }
    if (run->direction < 0.0) return solve_past(run, r, c, &options);
    LiaDelassus d = slips_alone(run, r, c);
    c->status = lia_impact_solve(&d, &options, &c->impact, c->work, c->index);
    if (c->status == LIA_IMPACT_SOLVED && rest_small_ones(run, r, c)) {
        d = slips_alone(run, r, c);
        c->status = lia_impact_solve(&d, &options, &c->impact, c->work, c->index);
    }
    if (c->status == LIA_IMPACT_SOLVED || !says) return c->status == LIA_IMPACT_SOLVED;
    uint32_t first = r->touching[c->impact.contact >= 0 ? c->impact.contact : 0];
    if (!jam || c->status == LIA_IMPACT_BUDGET)
        say_unsolved(run, r, c);
    else
        lia_collide_say_jam(run, first);
    return false;
}

// Velocities after, with the impulses of all that holds both ways.
static LiaImpulseFound apply(LiaRunner* run, const LiaResponse* r, Collision* c) {
    LiaModeRoom* room = lia_modes_open(run);
    LiaWorkspace* open = room ? room->probe : NULL;
    size_t n = run->system->n;
    if (!open) return LIA_IMPULSE_NO_MEMORY;
    const LiaPlant planted = lia_test_hooks(run->contacts->base).plant;
    double part = planted.kind == LIA_PLANT_IMPULSE ? 1.0 + planted.part : 1.0;
    for (size_t i = 0; i < n; i++) {
        c->p[i] = lia_jet_coefficient(&open->jets, open->dynamics->p[i], 0);
        for (int j = 0; j < r->at_rest.rows; j++)
            c->p[i] += part * run->direction * r->Omega[(size_t)j * n + i] * c->impact.P[j];
    }
    return lia_impulse_find(&room->open_impulse, open, open->q, open->v, c->p);
}

// --- what is written down -----------------------------------------------------------------------

// The impulses and works of all that holds both ways, to those that there are. `rough`: with the
// friction of rough constraints; NULL: they have none.
static void take(LiaRunner* run, Collision* c, const LiaRoughImpact* rough) {
    const LiaImpulse* x = &lia_modes_open(run)->open_impulse;
    for (int i = 0; i < x->w->nc; i++)
        c->impulse[x->w->dynamics->rows[i]] += run->direction * x->nu[i];
    if (rough) lia_rough_impact_friction(run, rough, c->impulse);
    for (uint32_t k = 0; k < run->model->constraints_count; k++) c->works[k] += x->work[k];
}

// What moving bodies feed in, and what is lost relative to them.
static void find_works(LiaRunner* run, const LiaResponse* r, Collision* c, double gained) {
    const LiaSystem* s = run->contacts->base;
    double contacts = 0.0, others = 0.0;
    for (uint32_t k = 0; k < run->model->constraints_count; k++) others += c->works[k];
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int first = r->contact[k].normal, rows = lia_delassus_rows(&r->contact[k]);
        c->own[k] = c->impact.work[k];
        c->lost[k] = -c->impact.work[k];
        for (int j = first; j < first + rows; j++) c->own[k] -= c->impact.P[j] * r->driven[j];
        c->own[k] *= run->direction;  // along the run, as all works
        contacts += c->own[k];
    }
    // Where the Lagrangian is not quadratic the path of the impulses is no straight line: what is
    // left of the energy belongs to the contacts.
    c->own[0] += gained - others - contacts;
    c->lost[0] -= run->direction * (gained - others - contacts);
    for (int k = 0; k < r->at_rest.contacts; k++)
        c->works[s->contacts[r->touching[k]].constraint] = 0.0;
    for (int k = 0; k < r->at_rest.contacts; k++)
        c->works[s->contacts[r->touching[k]].constraint] += c->own[k];
}

static bool record(LiaRunner* run, const LiaResponse* r, Collision* c) {
    const LiaSystem* s = run->contacts->base;
    LiaWorkspace* w = run->w;
    const LiaImpulse* x = &lia_modes_open(run)->open_impulse;
    size_t n = (size_t)w->n * sizeof(double);
    double* impulse = c->impulse;
    if (lia_laws_struck_wrong(run, r, c->impact.phases)) return false;
    for (int j = 0; j < r->at_rest.rows; j++) impulse[r->row[j]] = c->impact.P[j];
    for (uint32_t k = 0; k < run->model->constraints_count; k++) w->work[k] += c->works[k];
    const double* before = lia_record_state(run, w);
    memcpy(w->v, x->w->v, n);
    memset(run->low.v, 0, n);
    const double* after = lia_record_state(run, w);
    if (!lia_jumps_record(run, before, after, impulse, c->works, x->unique)) return false;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        uint32_t contact = r->touching[k];
        if (!(c->impact.phases[k] & LIA_IMPACT_COMPRESSED)) continue;
        LiaEventRecord event = {.kind = LIA_EVENT_IMPACT,
                                .name = s->contacts[contact].name,
                                .t = w->t,
                                .impulse = impulse + s->contacts[contact].row,
                                .impulse_count = s->contacts[contact].rows,
                                .energy = c->own[k],
                                .lost = c->lost[k],
                                .law = lia_impact_law_number(&c->impact)};
        if (!lia_contact_record_named(run, event)) return false;
    }
    return true;
}

// --- with rough constraints ---------------------------------------------------------------------

typedef enum Struck {
    STRUCK,
    NOT_SO,  // their law is not kept in these modes
    STRUCK_NO_MEMORY
} Struck;

static Struck found_as(LiaImpulseFound found) {
    return found == LIA_IMPULSE_NO_MEMORY ? STRUCK_NO_MEMORY : NOT_SO;
}

// The last impulses are found: the whole is written down. `energy`: before.
static Struck finish(LiaRunner* run, const LiaResponse* r, Collision* c,
                     const LiaRoughImpact* rough, double energy) {
    double after = lia_corner_energy(run, lia_modes_open(run)->open_impulse.w);
    take(run, c, rough);
    find_works(run, r, c, after - energy);
    if (!record(run, r, c)) return STRUCK_NO_MEMORY;
    run->out->jumps.list[run->out->jumps.count - 1].rubs = true;
    return STRUCK;
}

// The process of one contact without friction of its own, in which a slip ends.
typedef struct Process {
    const LiaResponse* from;  // at its beginning
    Collision* c;
    LiaRoughImpact rough;  // with the slips of now
    double energy, *v;     // before
} Process;

// gap' at the end of the impact, by its law: it is u now, after the impulse P, and grows by W from
// here on. Before its rate was another one, so that the coefficients differ.
static double goal_of(const LiaRunner* run, const Process* p, double P, double u, double W) {
    int row = p->from->contact[0].normal;
    double e = p->from->contact[0].restitution, first = p->from->velocity[row];
    double rate = p->from->W[row * p->from->at_rest.rows + row];
    bool compressed = u >= 0.0;  // before it was at this rate
    double work = compressed ? first * first / rate : P * -(first + u) + u * u / W;  // twice it
    double P_most = compressed ? -first / rate : P - u / W;
    LiaRestitution law = run->model->run.impact.restitution;
    if (law == LIA_RESTITUTION_NEWTON) return -e * first;
    if (law == LIA_RESTITUTION_POISSON) return u + W * ((1.0 + e) * P_most - P);
    double given = compressed ? u * u / rate : 0.0;
    return sqrt(fmax(W * (e * e * work - given) + (compressed ? u * u : 0.0), 0.0));
}

// From where the slip has ended to the end of the impact, in the modes of begins.open.
static Struck go_on(LiaRunner* run, Process* p) {
    LiaResponse here;
    Collision* c = p->c;
    uint32_t which;
    int row = p->from->contact[0].normal;
    LiaResponseFound found = lia_rough_impact_response(run, &p->rough, p->from, &here);
    Struck result = found == LIA_RESPONSE_NO_MEMORY ? STRUCK_NO_MEMORY : NOT_SO;
    bool good = found == LIA_RESPONSE_FOUND;
    double first = c->impact.P[row], u = good ? here.velocity[row] : 0.0;
    double rate = good ? here.W[row * here.at_rest.rows + row] : 0.0;
    double goal = rate > 0.0 ? goal_of(run, p, first, u, rate) : 0.0;
    double more = rate > 0.0 ? (goal - u) / rate : -1.0;
    if (more >= 0.0 && !(lia_rough_impact_ends(run, &p->rough, &here, &which) < more)) {
        c->impact.P[row] = more;
        LiaImpulseFound moved = apply(run, &here, c);
        c->impact.P[row] = first;
        result = found_as(moved);
        if (moved == LIA_IMPULSE_FOUND && lia_rough_impact_holds(run, &p->rough)) {
            c->impact.P[row] = first + more;
            c->impact.work[0] += 0.5 * more * (u + goal);
            memcpy(run->w->v, p->v, (size_t)run->w->n * sizeof(double));
            result = finish(run, p->from, c, &p->rough, p->energy);
        }
    }
    lia_response_clear(&here);
    return result;
}

// Up to the impulse at which the first slip ends, then on in all modes until one keeps the law.
static Struck follow_process(LiaRunner* run, Process* p, double first, uint32_t which) {
    int row = p->from->contact[0].normal;
    double u = p->from->velocity[row], W = p->from->W[row * p->from->at_rest.rows + row];
    LiaImpact* impact = &p->c->impact;
    memset(impact->P, 0, (size_t)p->from->at_rest.rows * sizeof *impact->P);
    impact->P[row] = first;
    impact->work[0] = first * (u + 0.5 * W * first);
    impact->phases[0] = LIA_IMPACT_COMPRESSED;
    impact->law = LIA_IMPACT_LAW_ROUTH;
    impact->restitution = run->model->run.impact.restitution;
    LiaImpulseFound moved = apply(run, p->from, p->c);
    Struck result = found_as(moved);
    if (moved != LIA_IMPULSE_FOUND || !lia_rough_impact_holds(run, &p->rough)) return result;
    take(run, p->c, &p->rough);
    lia_rough_impact_pass(run, &p->rough, which);
    memcpy(run->w->v, lia_modes_open(run)->open_impulse.w->v, (size_t)run->w->n * sizeof(double));
    lia_rough_impact_again(run, &p->rough);
    while (result == NOT_SO && lia_rough_impact_next(run, &p->rough)) result = go_on(run, p);
    return result;
}

// Does a slip end on the way, in the modes of begins.open? Then the impact in pieces.
static Struck try_process(LiaRunner* run, const LiaResponse* r, Collision* c,
                          const LiaRoughImpact* rough, double energy) {
    int row = r->contact[0].normal;
    uint32_t which = 0;
    size_t n = (size_t)run->w->n, count = rough->count;
    double u = r->velocity[row], W = r->W[row * r->at_rest.rows + row];
    bool rubs = r->contact[0].blocks > 0 && r->contact[0].block[0].kinetic > 0.0;
    if (r->at_rest.contacts != 1 || rubs) return NOT_SO;
    Process p = {.from = r, .c = c, .rough = *rough, .energy = energy};
    double alone = -(1.0 + r->contact[0].restitution) * u;  // W P, where no slip ends
    double first = lia_rough_impact_ends(run, rough, r, &which);
    if (!isfinite(first) || (W > 0.0 && !(first < alone / W))) return NOT_SO;
    p.v = lia_memory_take((n + count) * sizeof(double));
    if (!p.v) return STRUCK_NO_MEMORY;
    p.rough.slip = p.v + n;
    memcpy(p.v, run->w->v, n * sizeof(double));
    memcpy(p.rough.slip, rough->slip, count * sizeof(double));
    Struck result = follow_process(run, &p, first, which);
    if (result == NOT_SO) memcpy(run->w->v, p.v, n * sizeof(double));
    free(p.v);
    return result;
}

// In the modes of begins.open. What is known of accumulation is not changed by a trial.
static Struck try_rough(LiaRunner* run, const LiaResponse* r, const LiaRoughImpact* rough) {
    LiaResponse own;
    Collision c = {0};
    LiaResponseFound found = lia_rough_impact_response(run, rough, r, &own);
    Struck result = found == LIA_RESPONSE_NO_MEMORY ? STRUCK_NO_MEMORY : NOT_SO;
    if (found == LIA_RESPONSE_FOUND && !make_room(run, &own.at_impact, &c))
        result = STRUCK_NO_MEMORY;
    for (int k = 0; c.block && k < own.at_rest.contacts; k++)
        c.own[k] = run->contacts->accumulates[own.touching[k]];
    double energy = c.block ? lia_corner_energy(run, lia_modes_open(run)->probe) : 0.0;
    if (c.block && solve(run, &own, &c, false, false)) {
        LiaImpulseFound moved = apply(run, &own, &c);
        result = found_as(moved);
        if (moved == LIA_IMPULSE_FOUND && lia_rough_impact_holds(run, rough))
            result = finish(run, &own, &c, rough, energy);
    }
    for (int k = 0; c.block && result == NOT_SO && k < own.at_rest.contacts; k++)
        run->contacts->accumulates[own.touching[k]] = c.own[k];
    if (c.block && result == NOT_SO) result = try_process(run, &own, &c, rough, energy);
    lia_response_clear(&own);
    free(c.block);
    return result;
}

// All modes in which rough constraints may bear the impact, until one keeps their law.
static Struck strike_rough(LiaRunner* run, const LiaResponse* r) {
    LiaContacts* c = run->contacts;
    LiaRoughImpact rough;
    Struck result = lia_rough_impact_begin(run, &rough) ? NOT_SO : STRUCK_NO_MEMORY;
    while (result == NOT_SO && lia_rough_impact_next(run, &rough))
        result = try_rough(run, r, &rough);
    lia_rough_impact_clear(&rough);
    lia_rough_modes_let_go(c->base, c->begins.open);
    return result;
}

bool lia_collide(LiaRunner* run, LiaResponse* r, bool jam) {
    Collision c;
    if (run->contacts->base->rough_count > 0 && !jam) {
        Struck struck = strike_rough(run, r);
        if (struck != NOT_SO) return struck == STRUCK;
    }
    const LiaModeRoom* room = lia_modes_open(run);
    if (!room || !make_room(run, &r->at_impact, &c)) return false;
    bool good = solve(run, r, &c, jam, true);
    double energy = good ? lia_corner_energy(run, room->probe) : 0.0;
    LiaImpulseFound found = good ? apply(run, r, &c) : LIA_IMPULSE_NO_MEMORY;
    if (good && found != LIA_IMPULSE_FOUND && found != LIA_IMPULSE_NO_MEMORY)
        lia_verdict_jump_no_velocities(run);
    good = good && found == LIA_IMPULSE_FOUND;
    if (good) {
        double gained = lia_corner_energy(run, room->open_impulse.w) - energy;
        take(run, &c, NULL);
        find_works(run, r, &c, gained);
        good = record(run, r, &c);
    }
    free(c.block);
    return good;
}
