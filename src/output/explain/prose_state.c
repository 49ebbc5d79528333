// The motion at a state, taken apart: the fields side by side, the operator's force term by term,
// the kinetic connection and its curvature in numbers. See prose.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "geometry/state_text.h"
#include "lang/bodies/attitude.h"
#include "output/explain/prose.h"
#include "output/text/table.h"
#include <math.h>

enum { DIGITS = 8, COLUMNS_MOST = 8 };

// Of a rotation that of omega, so that half the sum of the products of both columns is the kinetic
// energy.
static double momentum_of(const LiaProse* page, uint32_t i) {
    const LiaModel* model = page->e->system->model;
    uint32_t rotation = lia_attitude_of(model, i);
    if (!rotation) return page->e->fields.state.p[i];
    uint32_t first = model->groups[rotation - 1].first;
    double spin[3];
    lia_attitude_fields_momentum(&page->e->fields, first, spin);
    return i == first ? NAN : spin[i - first - 1];
}

static void add_state(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    LiaText cells = {0}, title = {0};
    lia_text_add(&title, "at t = ");
    lia_text_add_short(&title, page->e->t, DIGITS);
    lia_prose_section(page, title.data ? title.data : "at a state");
    lia_text_clear(&title);
    lia_text_add(&cells, "\tposition\tvelocity%s\n", f->state.p ? "\tmomentum" : "");
    for (uint32_t i = 0; i < page->e->system->n && i < LIA_PROSE_LINES; i++) {
        lia_text_add(&cells, "%s\t", lia_prose_name(page, i));
        lia_table_number(&cells, f->state.q ? f->state.q[i] : page->e->q[i], DIGITS);
        LiaText unused = {0};
        double rate;
        bool has_rate =
            lia_state_text_velocity(page->e->system->model, f->state.q ? f->state.q : page->e->q,
                                    f->state.v ? f->state.v : page->e->v, i, &unused, &rate);
        lia_text_clear(&unused);
        lia_table_number(&cells, has_rate ? rate : NAN, DIGITS);  // of a rotation: omega
        if (f->state.p) lia_table_number(&cells, momentum_of(page, i), DIGITS);
        lia_text_add(&cells, "\n");
    }
    lia_table_inked(page->out, &page->style, &cells, "lppp");
}

// A row of the table for each coordinate and momentum.
static void add_field_rows(const LiaProse* page, const bool* shown, LiaText* cells) {
    const LiaFields* f = &page->e->fields;
    for (uint32_t r = 0; r < f->rows && r < 2 * LIA_PROSE_LINES; r++) {
        lia_text_add(cells, r < f->n ? "%s'\t" : "p(%s)'\t",
                     lia_prose_name(page, r < f->n ? r : f->x[r - f->n]));
        for (int k = 0; k < LIA_FIELD_COLUMNS; k++) {
            if (!shown[k]) continue;
            double x = f->field[lia_explain_columns[k].id][r];
            lia_table_number(cells, lia_explain_column_value(k, x), DIGITS);
        }
        lia_text_add(cells, "\n");
    }
}

// Of rotations the angular velocity and momentum, in space axes.
static void add_turn_rows(const LiaProse* page, const bool* shown, LiaText* cells) {
    const LiaFields* f = &page->e->fields;
    const LiaModel* model = page->e->system->model;
    for (uint32_t c = 0; c < model->groups_count && c < LIA_PROSE_LINES; c++) {
        const LiaGroup* group = &model->groups[c];
        if (group->manifold != LIA_ROTATION || !lia_attitude_fields_known(f, group->first))
            continue;
        for (int i = 0; i < 6; i++) {
            lia_text_add(cells, i < 3 ? "omega(%s).%c\t" : "p(%s).%c'\t", group->name,
                         "xyz"[i % 3]);
            for (int k = 0; k < LIA_FIELD_COLUMNS; k++) {
                double turn[2][3];
                if (!shown[k]) continue;
                lia_attitude_fields_turn(f, group->first, f->field[lia_explain_columns[k].id],
                                         turn[0], turn[1]);
                lia_table_number(cells, lia_explain_column_value(k, turn[i / 3][i % 3]), DIGITS);
            }
            lia_text_add(cells, "\n");
        }
    }
}

// The fields side by side; columns that are zero everywhere are left out, but for D_0.
static void add_field_table(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    bool shown[LIA_FIELD_COLUMNS];
    LiaText cells = {0};
    for (int k = 0; k < LIA_FIELD_COLUMNS; k++) {
        LiaFieldId id = lia_explain_columns[k].id;
        shown[k] = lia_explain_column_counts(f, k) || (id == LIA_FIELD_D_0 && f->field[id]);
        if (shown[k]) lia_text_add(&cells, "\t%s", lia_explain_columns[k].text);
    }
    lia_text_add(&cells, "\n");
    add_field_rows(page, shown, &cells);
    add_turn_rows(page, shown, &cells);
    lia_text_add(page->out, "\n");
    lia_table_inked(page->out, &page->style, &cells, "lppppppp");
    if (f->rows > 2 * LIA_PROSE_LINES) {
        lia_text_add(page->out, "  ... and %u more (all of them with --json)\n",
                     f->rows - 2 * LIA_PROSE_LINES);
    }
}

// The same motion by theorem 4.1 of Dazord.
static void add_pulled_back(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    LiaText cells = {0}, line = {0};
    lia_text_add(page->out, "\n");
    lia_text_add(&line,
                 "the same as X_s*H + Y_W - Z%s (Dazord's theorem 4.1): s*H is the energy on V*M, "
                 "Y_W the lift of Y by the connection of s*lambda",
                 f->has_Q ? " + Q" : "");
    lia_prose_say(page, 2, &line);
    lia_text_add(&cells, "\tX_s*H\tY_W\n");
    for (uint32_t r = 0; r < f->rows && r < 2 * LIA_PROSE_LINES; r++) {
        lia_text_add(&cells, r < f->n ? "%s'\t" : "p(%s)'\t",
                     lia_prose_name(page, r < f->n ? r : f->x[r - f->n]));
        lia_table_number(&cells, f->field[LIA_FIELD_X_SH][r], DIGITS);
        lia_table_number(&cells, f->field[LIA_FIELD_Y_W][r], DIGITS);
        lia_text_add(&cells, "\n");
    }
    lia_table_inked(page->out, &page->style, &cells, "lpp");
}

static void add_operator_forces(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    LiaText cells = {0};
    lia_text_add(page->out, "\n  force along the horizontal lift of the base, term by term\n");
    lia_text_add(&cells, "\tinertia\ttheta_uu\tpotential\tshape_pp\ttheta_pu\tgyro\trest\ttotal\n");
    for (uint32_t a = 0; a < f->nb && a < LIA_PROSE_LINES; a++) {
        const LiaOperatorForce* o = &f->lambda[a];
        lia_text_add(&cells, "%s\t", f->base_name[a]);
        const double terms[] = {o->inertia,
                                o->theta_uu,
                                o->potential,
                                o->shape_pp,
                                o->theta_pu,
                                o->gyro,
                                o->linear - o->applied - o->reactions,
                                o->total};
        for (size_t k = 0; k < sizeof terms / sizeof *terms; k++)
            lia_table_number(&cells, terms[k], DIGITS);
        lia_text_add(&cells, "\n");
    }
    lia_table_inked(page->out, &page->style, &cells, "lpppppppp");
}

static void add_energies(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    lia_text_add(page->out, "\n  h0 = ");
    lia_text_add_short(page->out, f->h0, DIGITS);
    lia_text_add(page->out, ", K_Y = ");
    lia_text_add_short(page->out, f->K_Y, DIGITS);
    lia_text_add(page->out, ", E = ");
    lia_text_add_short(page->out, f->energy, DIGITS);
}

// A row "letter(name)" of a matrix with a column for each function of the base.
static void add_row(const LiaProse* page, const char* letter, const char* name, const double* row,
                    LiaText* cells) {
    uint32_t nb = page->e->fields.nb;
    lia_text_add(cells, "%s(%s)\t", letter, name);
    for (uint32_t a = 0; a < nb && a < COLUMNS_MOST; a++) lia_table_number(cells, row[a], DIGITS);
    lia_text_add(cells, "\n");
}

static void add_connection(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    LiaText cells = {0};
    lia_text_add(page->out,
                 "\n\n  kinetic connection A (rows: fibre) and metric Theta (rows: base)\n");
    for (uint32_t a = 0; a < f->nb && a < COLUMNS_MOST; a++) {
        lia_text_add(&cells, "\t%s'", f->base_name[a]);
    }
    lia_text_add(&cells, "\n");
    for (uint32_t r = 0; r < f->nf && r < LIA_PROSE_LINES; r++) {
        add_row(page, "A", lia_prose_name(page, f->x[r]), f->A + (size_t)r * f->nb, &cells);
    }
    for (uint32_t r = 0; r < f->nb && r < LIA_PROSE_LINES; r++) {
        add_row(page, "Theta", f->base_name[r], f->Theta + (size_t)r * f->nb, &cells);
    }
    lia_table_inked(page->out, &page->style, &cells, "lpppppppp");
}

static void add_curvature(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    for (uint32_t j = 0; f->F && j < f->nf && j < COLUMNS_MOST; j++) {
        for (uint32_t a = 0; a < f->nb && a < COLUMNS_MOST; a++) {
            for (uint32_t b = a + 1; b < f->nb && b < COLUMNS_MOST; b++) {
                lia_text_add(page->out,
                             "  curvature F(%s; %s, %s) = ", lia_prose_name(page, f->x[j]),
                             f->base_name[a], f->base_name[b]);
                lia_text_add_short(page->out, f->F[((size_t)j * f->nb + a) * f->nb + b], DIGITS);
                lia_text_add(page->out, "\n");
            }
        }
    }
}

// Are the functions of the base coordinates, so that the fibre's momenta are those of the others?
static bool stands_for_itself(const LiaFrame* frame) {
    size_t rows = (size_t)frame->nb + frame->nl;
    for (size_t i = 0; i < rows * frame->nf; i++) {
        if (frame->P[i] != 0.0) return false;
    }
    return true;
}

static void add_triple(LiaText* out, const double x[3]) {
    for (int k = 0; k < 3; k++) {
        lia_text_add(out, k ? ", " : "[");
        lia_text_add_short(out, x[k] + 0.0, DIGITS);
    }
    lia_text_add(out, "]\n");
}

// A of one group: minus its part of the horizontal lifts.
static void add_body_group(LiaProse* page, uint32_t c, double* vector) {
    const LiaFields* f = &page->e->fields;
    const LiaModel* model = page->e->system->model;
    const char* name = model->groups[c].name;
    double x[3];
    for (uint32_t a = 0; a < f->nb && a < COLUMNS_MOST; a++) {
        for (uint32_t i = 0; i < f->n; i++) vector[i] = -f->N[(size_t)a * f->n + i];
        if (!lia_attitude_fields_body(f, model, c, vector, x)) return;
        lia_text_add(page->out, "  A(%s; %s) in body axes = ", name, f->base_name[a]);
        add_triple(page->out, x);
    }
    for (uint32_t a = 0; a < f->nb && a < COLUMNS_MOST; a++) {
        for (uint32_t b = a + 1; b < f->nb && b < COLUMNS_MOST; b++) {
            lia_attitude_fields_curvature(f, a, b, vector);
            lia_attitude_fields_body(f, model, c, vector, x);
            lia_text_add(page->out, "  F(%s; %s, %s) in body axes = ", name, f->base_name[a],
                         f->base_name[b]);
            add_triple(page->out, x);
        }
    }
}

// Connection and curvature of attitudes in so(3), of a place with one in se(3): in body axes.
static void add_body_connection(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    double* vector = LIA_ARENA_NEW(f->arena, double, f->n + 1);
    if (!vector || !f->F) return;
    for (uint32_t c = 0; c < page->e->system->model->groups_count && c < LIA_PROSE_LINES; c++)
        add_body_group(page, c, vector);
}

static void add_defect(LiaText* line, const char* what, double defect) {
    lia_text_add(line, "; %s %s", what, defect <= LIA_VERTICAL_HOLDS ? "(" : "DOES NOT HOLD (");
    lia_text_add_short(line, defect, 2);
    lia_text_add(line, ")");
}

// The field of <p, F_ab> on V*M, where it is not zero.
static void add_dynamical_curvature(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    const LiaVerticalPoisson* v = &page->e->vertical;
    uint32_t pair = 0;
    for (uint32_t a = 0; v->curvature && a < f->nb; a++) {
        for (uint32_t b = a + 1; b < f->nb; b++, pair++) {
            const double* x = v->curvature + (size_t)pair * 2 * v->nx;
            LiaText line = {0};
            bool first = true;
            lia_text_add(&line,
                         "curvature of the dynamical connection (%s, %s), the field of <p, F>:",
                         f->base_name[a], f->base_name[b]);
            for (uint32_t j = 0; j < 2 * v->nx && j < LIA_PROSE_LINES; j++) {
                const char* name = lia_prose_name(page, f->x[j % v->nx]);
                if (x[j] == 0.0) continue;
                lia_text_add(&line, j < v->nx ? "%s %s' = " : "%s p(%s)' = ", first ? "" : ",",
                             name);
                lia_text_add_short(&line, x[j], DIGITS);
                first = false;
            }
            if (first) lia_text_add(&line, " 0");
            lia_prose_say(page, 2, &line);
        }
    }
}

// Brackets of the attitudes and directions that are in the fibre.
static void add_bracket_of_units(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    const LiaModel* model = page->e->system->model;
    for (uint32_t c = 0; c < model->groups_count && c < LIA_PROSE_LINES; c++) {
        const LiaGroup* group = &model->groups[c];
        const char* name = group->name;
        if (group->manifold != LIA_ROTATION || !lia_attitude_fields_known(f, group->first))
            continue;
        LiaText line = {0};
        lia_text_add(
            &line,
            "{%s*a, p(%s).x} = [1, 0, 0] x %s*a for any a, {p(%s).x, p(%s).y} = p(%s).z, cyclic",
            name, name, name, name, name, name);
        lia_prose_say(page, 2, &line);
    }
}

// The bracket of V*M, its Casimirs, what keeps it.
static void add_bracket(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    const LiaVerticalPoisson* v = &page->e->vertical;
    LiaText line = {0};
    if (v->why) {
        lia_text_add(&line, "the bracket of V*M is not looked at: %s", v->why);
        lia_prose_say(page, 2, &line);
        return;
    }
    lia_text_add(&line,
                 "bracket of V*M: {x, p(x)} = 1 for x of the fibre, the others 0; Casimirs: ");
    for (uint32_t a = 0; a < f->nb; a++)
        lia_text_add(&line, "%s%s%s", a ? ", " : "",
                     f->base[a] == UINT32_MAX ? "the left side of " : "", f->base_name[a]);
    lia_prose_say(page, 2, &line);
    add_bracket_of_units(page);
    lia_text_add(&line, "D_Y = Y + X_R with R = h0 - K_Y - p A Y = ");
    lia_text_add_short(&line, v->R, DIGITS);
    lia_prose_say(page, 2, &line);
    lia_text_add(&line, "at %u states, relative to the largest number", v->states);
    add_defect(&line, "D_Y keeps the bracket", v->keeps);
    add_defect(&line, "D_Y = Y + X_R", v->generator);
    add_defect(&line, "D_0 is the field of h0", v->frozen);
    add_defect(&line, "H(Y) keeps the bracket, is 0 on p = 0 and lies over the lift", v->lift);
    lia_prose_say(page, 2, &line);
    add_dynamical_curvature(page);
}

static void add_slope(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    const LiaVerticalPoisson* v = &page->e->vertical;
    LiaText line = {0};
    if (!v->dK) return;
    lia_text_add(&line, "K_Y is %sconstant on the fibres%s", v->constant ? "" : "not ",
                 v->constant && !v->known ? ", to first order at this state" : "");
    for (uint32_t j = 0; !v->constant && j < v->nx && j < LIA_PROSE_LINES; j++) {
        lia_text_add(&line, "%s dK_Y/d(%s) = ", j ? "," : ":", lia_prose_name(page, f->x[j]));
        lia_text_add_short(&line, v->dK[j], DIGITS);
    }
    lia_prose_say(page, 2, &line);
    lia_text_add(&line, "the fibration is %sRiemannian%s: Theta %s", v->riemannian ? "" : "not ",
                 v->riemannian && !v->known ? ", to first order at this state" : "",
                 v->riemannian ? "does not depend on the fibre"
                               : "depends on the fibre, |dTheta/dx| is up to ");
    if (!v->riemannian) lia_text_add_short(&line, v->bent, 3);
    if (!v->riemannian) lia_text_add(&line, " of |Theta|");
    lia_prose_say(page, 2, &line);
}

void lia_prose_state(LiaProse* page) {
    const LiaFields* f = &page->e->fields;
    add_state(page);
    if (!f->field[LIA_FIELD_D_Y]) {
        lia_text_add(page->out, "  no motion: %s\n", f->why ? f->why : "it cannot be computed");
        return;
    }
    add_field_table(page);
    LiaText line = {0};
    if (!stands_for_itself(&f->frame)) {
        lia_text_add(&line,
                     "p(x)' is the rate of the momentum of x while the base is kept: <p, Z>, "
                     "Z the direction in which of the fibre's coordinates only x changes");
        lia_prose_say(page, 2, &line);
    }
    if (f->split) {
        lia_text_add(&line, "D_Y = D_0 - X_K + H(Y) + eta - Z%s holds within ",
                     f->has_Q ? " + Q" : "");
    } else {
        lia_text_add(&line, "not split (%s); D_Y = Y + X_R holds within ", f->why);
    }
    lia_text_add_short(&line, f->defect, 2);
    lia_text_add(&line, " of the largest term, compared with the multiplier form");
    lia_prose_say(page, 2, &line);
    if (!f->split && f->field[LIA_FIELD_D_0]) {
        lia_text_add(&line,
                     "D_0 is the motion with the base frozen, the field of h0 = <p, v> - L at the "
                     "velocities that belong to p along the fibre: h0 = ");
        lia_text_add_short(&line, f->h0, DIGITS);
        lia_text_add(&line, ", E = ");
        lia_text_add_short(&line, f->energy, DIGITS);
        lia_prose_say(page, 2, &line);
    }
    if (!f->split || f->nb == 0) return;
    add_pulled_back(page);
    add_operator_forces(page);
    add_energies(page);
    add_connection(page);
    add_curvature(page);
    add_body_connection(page);
    if (f->nx == 0) return;
    lia_text_add(page->out, "\n");
    add_bracket(page);
    add_slope(page);
}
