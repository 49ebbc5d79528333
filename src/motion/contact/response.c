// How touching contacts answer forces: W = J K^-1 Omega^T, with all constraints that hold both
// ways, kinematic and driven ones too, kept (delassus.h). K is that of the mode in which all
// contacts are open. J and Omega are those of the contacts that touch, each by formulas of its own
// (contact_rows.h); where a gap has corners, those of the mode in which all of them stick, which
// knows the side.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/answers.h"
#include "mechanics/kkt/stage.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/contacts.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(LiaResponse* r, size_t contacts, size_t rows, size_t n) {
    size_t doubles = rows * rows + 7 * rows + 3 * rows * n + n + contacts;
    size_t bytes = doubles * sizeof(double) + contacts * sizeof *r->contact +
                   (rows + contacts + n) * sizeof(uint32_t);
    r->block = lia_memory_zeros(bytes + 1, 1);
    if (!r->block) return false;
    double* x = r->block;
    r->W = x, x += rows * rows;
    r->acceleration = x, x += rows;
    r->velocity = x, x += rows;
    r->slip = x, x += rows;
    r->noise_a = x, x += rows;
    r->noise_v = x, x += rows;
    r->driven = x, x += rows;
    r->gamma = x, x += rows;
    r->J = x, x += rows * n;
    r->Omega = x, x += rows * n;
    r->answer = x, x += rows * n;
    r->free = x, x += n;
    r->pull = x, x += contacts;
    r->contact = (LiaContactRows*)x;
    r->row = (uint32_t*)(r->contact + contacts);
    r->touching = r->row + rows;
    r->moved = r->touching + contacts;
    return true;
}

bool lia_response_has_friction(const LiaResponse* r) {
    for (int k = 0; k < r->at_impact.contacts; k++) {
        if (r->contact[k].blocks) return true;
    }
    return false;
}

void lia_response_clear(LiaResponse* r) {
    free(r->block);
    *r = (LiaResponse){0};
}

// --- the rows of the contacts -------------------------------------------------------------------

static void set_laws(LiaContactRows* rows, const LiaContactLaws* laws, bool quiet) {
    rows->restitution = quiet ? 0.0 : fmin(fmax(laws->restitution, 0.0), 1.0);
    for (int b = 0; b < rows->blocks; b++) {
        double kinetic = fmax(laws->kinetic[b], 0.0);
        rows->block[b].kinetic = kinetic;
        rows->block[b].static_most = fmax(laws->most[b], kinetic);
    }
}

// By the formulas of each; *in_pieces: the rows of one of them are not known so.
static bool take_formulas(LiaRunner* run, LiaResponse* r, bool* in_pieces) {
    LiaContactRowFormulas* formulas = run->contacts->formulas;
    size_t n = run->system->n;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        uint32_t contact = r->touching[k];
        int first = r->contact[k].normal, count = lia_delassus_rows(&r->contact[k]);
        LiaContactRow rows[LIA_CONTACT_ROWS_MOST];
        LiaContactLaws laws;
        for (int i = 0; i < count; i++)
            rows[i] = (LiaContactRow){.J = r->J + (size_t)(first + i) * n,
                                      .Omega = r->Omega + (size_t)(first + i) * n};
        if (!lia_contact_rows_make(formulas, contact)) return false;
        lia_contact_rows_find(formulas, contact, run->w, &laws, rows);
        set_laws(&r->contact[k], &laws,
                 run->contacts->begins.quiet[contact] && !run->contacts->found.corner);
        for (int i = 0; i < count; i++) {
            r->velocity[first + i] = rows[i].psi;
            r->gamma[first + i] = rows[i].gamma;
        }
        *in_pieces |= lia_contact_rows_in_pieces(formulas, contact);
    }
    return true;
}

// By the mode in which all of them stick: all sides of formulas are those of the run.
static bool take_mode(LiaRunner* run, const LiaContactMode* stick, LiaResponse* r) {
    LiaModeRoom* room = lia_modes_room(run, stick);
    LiaWorkspace* probe = room ? lia_modes_probe(run, room) : NULL;
    if (!probe) return false;
    size_t n = (size_t)probe->n;
    lia_workspace_update(probe, 1);
    lia_workspace_matrices(probe);
    lia_stage_gamma(probe);
    memset(r->J, 0, (size_t)r->at_rest.rows * n * sizeof(double));
    memset(r->Omega, 0, (size_t)r->at_rest.rows * n * sizeof(double));
    for (int i = 0; i < r->at_rest.rows; i++) {
        int c = lia_workspace_row(probe, r->row[i]);
        LiaEntries J = lia_workspace_J(probe, c), Omega = lia_workspace_Omega(probe, c);
        double *to_J = r->J + (size_t)i * n, *to_Omega = r->Omega + (size_t)i * n;
        r->velocity[i] = probe->psi[c];
        r->gamma[i] = probe->gamma[c];
        for (int k = 0; k < J.count; k++)
            to_J[probe->dynamics->free[lia_entry_column(&J, k)]] = J.value[k];
        for (int k = 0; k < Omega.count; k++)
            to_Omega[probe->dynamics->free[lia_entry_column(&Omega, k)]] = Omega.value[k];
    }
    return true;
}

// --- with what holds both ways ------------------------------------------------------------------

static double product(const double* J, const double* x, size_t n, double* size) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (J[i] == 0.0) continue;
        double term = J[i] * x[i];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

// The accelerations that column j of W is made of.
static void answer_force(const LiaWorkspace* open, LiaResponse* r, int j) {
    size_t n = (size_t)open->n;
    double *b = open->b, *answer = r->answer + (size_t)j * n;
    memset(b, 0, (size_t)(open->nf + open->nr) * sizeof *b);
    for (size_t i = 0; i < n; i++) b[i] = r->Omega[(size_t)j * n + i];
    lia_workspace_solve(open, b);
    memcpy(answer, b, n * sizeof *b);
}

// W = J answer^T. A contact moves few of the coordinates.
static void couple(LiaResponse* r, size_t n) {
    size_t rows = (size_t)r->at_rest.rows;
    for (size_t i = 0; i < rows; i++) {
        const double* J = r->J + i * n;
        size_t count = 0;
        for (uint32_t x = 0; x < n; x++) {
            if (J[x] != 0.0) r->moved[count++] = x;
        }
        for (size_t j = 0; j < rows; j++) {
            const double* answer = r->answer + j * n;
            double sum = 0.0;
            for (size_t k = 0; k < count; k++) sum += J[r->moved[k]] * answer[r->moved[k]];
            r->W[i * rows + j] = sum;
        }
    }
}

LiaSpeeds lia_response_speeds(const LiaRunner* run, const LiaWorkspace* w) {
    LiaSpeeds speeds = {.run = run, .w = w};
    for (uint32_t x = 0; x < (uint32_t)w->n; x++) {
        int kind = lia_scales_kind(w, x);
        speeds.acceleration[kind] = fmax(speeds.acceleration[kind], fabs(w->a[x]));
        speeds.velocity[kind] = fmax(speeds.velocity[kind], fabs(w->v[x]));
    }
    return speeds;
}

double lia_response_speed(const LiaSpeeds* speeds, uint32_t x) {
    const LiaRunner* run = speeds->run;
    int kind = lia_scales_kind(speeds->w, x);
    double met = lia_scale_v(&run->scales, run->w, x);
    double size = fmax(fabs(speeds->w->q[x]), lia_scale_q(&run->scales, run->w, x));
    double rest = size / run->span, most = speeds->acceleration[kind];
    if (met > LIA_SPEED_AT_REST * rest) return met;
    if (most > 0.0) rest = fmin(rest, sqrt(size * most));
    return fmax(rest, speeds->velocity[kind]);
}

// Free terms of row i, and their rounding.
static void find_free(const LiaSpeeds* speeds, const LiaWorkspace* open, LiaResponse* r, int i) {
    size_t n = (size_t)open->n;
    const double* J = r->J + (size_t)i * n;
    double size_a = fabs(r->gamma[i]), size_v = 0.0;
    r->acceleration[i] = r->gamma[i] + product(J, open->a, n, &size_a);
    r->driven[i] = r->velocity[i] - product(J, open->v, n, &size_v);
    r->noise_a[i] = LIA_CONTACT_ROUNDING * size_a;
    for (uint32_t x = 0; x < n; x++) {
        if (J[x] == 0.0) continue;
        size_v += fabs(J[x]) * lia_response_speed(speeds, x);
    }
    r->noise_v[i] = LIA_CONTACT_ROUNDING * (size_v + fabs(r->driven[i]));
}

// --- with operators that act through springs ----------------------------------------------------

static void say_early(LiaRunner* run, const LiaResponse* r, const LiaWorkspace* w,
                      const LiaAnswers* answers) {
    const LiaSystem* s = run->contacts->base;
    int k = 0;
    while (k + 1 < r->at_rest.contacts && r->contact[k + 1].normal <= answers->given) k++;
    const LiaContactFormulas* of = &s->contacts[r->touching[k]];
    const LiaRow* row = &w->system->rows[w->dynamics->rows[answers->row]];
    lia_verdict(run, "E0431", s->model->constraints[of->constraint].span, run->w->t,
                "at t = %.10g the force of '%s' reaches what '%s' asks for before the force of the "
                "operator does, which acts through other forces: positions would have to jump",
                run->w->t, of->name, s->model->constraints[row->constraint].name);
    lia_verdict_help(run,
                     "let the operator act on what it asks for, or let the contact be with what "
                     "the operator acts on");
}

// The columns of W, by the mode in which all of them stick.
static LiaResponseFound answer_through(LiaRunner* run, const LiaContactMode* stick,
                                       LiaResponse* r) {
    int rows = r->at_rest.rows, n = (int)run->system->n;
    LiaModeRoom* room = lia_modes_room(run, stick);
    LiaWorkspace* w = room ? lia_modes_given(run, room, r->row, rows) : NULL;
    if (!w) return LIA_RESPONSE_NO_MEMORY;
    lia_workspace_update(w, w->jets.order);
    if (!lia_workspace_factor(w)) return LIA_RESPONSE_SINGULAR;
    LiaAnswers answers = {.hidden = room->probe_degree->count, .by = r->answer};
    LiaAnswersFound found = lia_answers_find(w, &answers);
    if (found == LIA_ANSWERS_NO_MEMORY) return LIA_RESPONSE_NO_MEMORY;
    if (found == LIA_ANSWERS_EARLY) {
        say_early(run, r, w, &answers);
        return LIA_RESPONSE_REFUSED;
    }
    for (int k = 0; found == LIA_ANSWERS_FOUND && k < rows * rows; k++) {
        double size = 0.0;
        r->W[k] = product(r->J + (size_t)(k / rows * n), r->answer + (size_t)(k % rows * n),
                          (size_t)n, &size);
        if (fabs(r->W[k]) <= LIA_FORCE_APPEARS_EARLY * size) r->W[k] = 0.0;
    }
    return found == LIA_ANSWERS_FOUND ? LIA_RESPONSE_FOUND : LIA_RESPONSE_SINGULAR;
}

// Has the gap or a slip of a touching contact no derivatives in this state? Then that is said.
static bool is_rough_place(LiaRunner* run, const LiaResponse* r) {
    const LiaSystem* s = run->contacts->base;
    size_t n = run->system->n;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int first = r->contact[k].normal, count = lia_delassus_rows(&r->contact[k]);
        bool finite = true;
        for (int i = first; i < first + count; i++) {
            finite = finite && isfinite(r->velocity[i]) && isfinite(r->gamma[i]);
            for (size_t x = 0; x < n; x++) finite = finite && isfinite(r->J[(size_t)i * n + x]);
        }
        if (finite) continue;
        const LiaContactFormulas* of = &s->contacts[r->touching[k]];
        lia_verdict(run, "E0432", s->model->constraints[of->constraint].span, run->w->t,
                    "at t = %.10g the gap of '%s'%s has no derivatives that are numbers: no force "
                    "is known by it",
                    run->w->t, of->name, of->blocks ? ", or its slip," : "");
        lia_verdict_help(run, "write a gap that is smooth where it closes, or end the run before "
                              "that time");
        return true;
    }
    return false;
}

static LiaResponseFound evaluate(LiaRunner* run, const LiaContactMode* stick, LiaResponse* r) {
    bool in_pieces = !run->contacts->near;  // few contacts: the mode is not large
    LiaModeRoom* room = lia_modes_open(run);
    LiaWorkspace* open = room ? lia_modes_probe(run, room) : NULL;
    if (!open || !take_formulas(run, r, &in_pieces)) return LIA_RESPONSE_NO_MEMORY;
    if (in_pieces && !take_mode(run, stick, r)) return LIA_RESPONSE_NO_MEMORY;
    if (is_rough_place(run, r)) return LIA_RESPONSE_REFUSED;
    lia_workspace_update(open, open->jets.order);
    if (!lia_workspace_decide(open)) return LIA_RESPONSE_SINGULAR;
    lia_stage_accelerate(open);
    memcpy(r->free, open->a, (size_t)open->n * sizeof(double));
    LiaSpeeds speeds = lia_response_speeds(run, open);
    for (int i = 0; i < r->at_rest.rows; i++) find_free(&speeds, open, r, i);
    if (room->probe_degree && r->at_rest.rows > 0) return answer_through(run, stick, r);
    for (int j = 0; j < r->at_rest.rows; j++) answer_force(open, r, j);
    couple(r, (size_t)open->n);
    for (int i = 0; i < r->at_rest.rows * r->at_rest.rows; i++) {
        if (!isfinite(r->W[i])) return LIA_RESPONSE_SINGULAR;
    }
    return LIA_RESPONSE_FOUND;
}

// The rows of a contact and of its blocks, from `row` on.
static void number_rows(const LiaContactFormulas* c, int row, LiaContactRows* out) {
    *out = (LiaContactRows){.normal = row++, .blocks = (int)c->blocks};
    for (uint32_t b = 0; b < c->blocks; b++) {
        out->block[b] = (LiaFrictionBlock){.row = row, .dimension = (int)c->block[b].rows};
        row += (int)c->block[b].rows;
    }
}

LiaResponseFound lia_response_make(LiaRunner* run, const bool* touches, LiaResponse* r) {
    const LiaSystem* s = run->contacts->base;
    LiaContactMode* stick = run->contacts->trial;
    int count = 0, rows = 0;
    *r = (LiaResponse){0};
    memcpy(stick, run->contacts->begins.open, lia_system_mode_count(s) * sizeof *stick);
    for (uint32_t k = 0; k < s->contact_count; k++) {
        const LiaContactFormulas* c = &s->contacts[k];
        stick[k] = touches[k] ? LIA_MODE_CLOSED : LIA_MODE_OPEN;
        if (!touches[k]) continue;
        for (uint32_t b = 0; b < c->blocks; b++) stick[c->block[b].place] = LIA_MODE_STICK;
        count++;
        rows += (int)lia_system_contact_rows(c);
    }
    if (!make_room(r, (size_t)count, (size_t)rows, s->n)) return LIA_RESPONSE_NO_MEMORY;
    count = rows = 0;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        if (!touches[k]) continue;
        const LiaContactFormulas* c = &s->contacts[k];
        r->touching[count] = k;
        number_rows(c, rows, &r->contact[count++]);
        for (uint32_t i = 0; i < lia_system_contact_rows(c); i++)
            r->row[rows++] = lia_system_contact_row(c, i);
    }
    r->direction = run->direction;
    r->at_rest = (LiaDelassus){.contacts = count,
                               .rows = rows,
                               .contact = r->contact,
                               .W = r->W,
                               .b = r->acceleration,
                               .slip = r->slip,
                               .noise = r->noise_a};
    r->at_impact = r->at_rest;
    r->at_impact.b = r->velocity;
    r->at_impact.noise = r->noise_v;
    LiaResponseFound found = evaluate(run, stick, r);
    for (int k = 0; k < count; k++) r->pull[k] = -r->acceleration[r->contact[k].normal];
    // what rests does not slip
    for (int i = 0; i < rows; i++)
        r->slip[i] = fabs(r->velocity[i]) > r->noise_v[i] ? r->velocity[i] : 0.0;
    return found;
}

// --- what rounding of places makes of accelerations ---------------------------------------------

// Is an acceleration next to nothing, relative to those by which what moves turns back?
static bool is_slight(const LiaSpeeds* speeds, const LiaResponse* r, int row) {
    const LiaRunner* run = speeds->run;
    size_t n = run->system->n;
    const double* J = r->J + (size_t)row * n;
    double usual = 0.0;
    for (uint32_t x = 0; x < n; x++) {
        if (J[x] == 0.0) continue;
        double speed = lia_response_speed(speeds, x), size = lia_scale_q(&run->scales, run->w, x);
        size = fmax(size, fabs(run->w->q[x]));
        if (size > 0.0) usual += fabs(J[x]) * speed * speed / size;
    }
    double own = fabs(r->acceleration[row]);
    return own > r->noise_a[row] && own <= LIA_CONTACT_SLIGHT * usual;
}

// Every position moved by what a root or a projection leaves, one up and the next down.
static void round_places(LiaRunner* run, const double* q, double* moved) {
    for (uint32_t x = 0; x < (uint32_t)run->system->n; x++) {
        double size = fmax(fabs(q[x]), lia_scale_q(&run->scales, run->w, x));
        moved[x] = q[x] + (x % 2 == 0 ? 1.0 : -1.0) * LIA_CONTACT_TOUCHES * size;
    }
}

// Accelerations of the gaps at other places than those of r, into `there`.
static LiaResponseFound look_at(LiaRunner* run, const double* q, const LiaResponse* r,
                                const bool* touches, double* there) {
    LiaResponse other;
    lia_workspace_put(run->w, run->w->t, q, run->w->v);
    LiaResponseFound found = lia_response_make(run, touches, &other);
    if (found == LIA_RESPONSE_FOUND)
        memcpy(there, other.acceleration, (size_t)r->at_rest.rows * sizeof *there);
    lia_response_clear(&other);
    return found;
}

LiaResponseFound lia_response_round(LiaRunner* run, const bool* touches, LiaResponse* r) {
    const LiaWorkspace* open = lia_modes_open(run)->probe;
    LiaSpeeds speeds = lia_response_speeds(run, open);
    size_t n = run->system->n, rows = (size_t)r->at_rest.rows;
    bool any = false;
    for (int k = 0; k < r->at_rest.contacts; k++)
        any |= is_slight(&speeds, r, r->contact[k].normal);
    if (!any) return LIA_RESPONSE_FOUND;
    double* q = lia_memory_take((2 * n + 2 * rows + 1) * sizeof *q);
    if (!q) return LIA_RESPONSE_NO_MEMORY;
    double *moved = q + n, *there = moved + n, *here = there + rows;
    memcpy(q, run->w->q, n * sizeof *q);
    round_places(run, q, moved);
    LiaResponseFound found = look_at(run, moved, r, touches, there);
    LiaResponseFound back = look_at(run, q, r, touches, here);  // K0 is that of here again
    for (size_t i = 0; found == LIA_RESPONSE_FOUND && back == found && i < rows; i++)
        r->noise_a[i] = fmax(r->noise_a[i], fabs(there[i] - here[i]));
    free(q);
    return back;
}
