// What a system is as one JSON object. Keys and their order are a promise:
//
//   model dimension freedom count constraints regular regularity energy symmetries moment_map
//   one_system flag search gauge_momenta pseudo_poisson
//   with a state: state field connection operator_force
//   where there is something to say: uncoupled (why it is not regular), look (on many states),
//   remaining (what servos leave free)
//
// A verdict is true, false, or null where it has no meaning or was not decided. `field` holds each
// field by coordinates and momenta p(x); a field that cannot be had is null. The sum is
//   D_Y = D_0 + minus_X_K + H_Y + eta - Z + Q       (Q is there where the model has applied forces)
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "expr/reading/simplify.h"
#include "geometry/state_text.h"
#include "output/explain/explain.h"
#include "output/explain/found.h"
#include "output/text/escape.h"
#include <math.h>

static const char* truth(bool x) { return x ? "true" : "false"; }

// A number that is counted at admissible states: null where none was found.
static void add_counted(LiaText* out, const LiaClassification* c, const char* key, uint32_t x) {
    if (c->samples > 0) {
        lia_text_add(out, "\"%s\": %u", key, x);
    } else {
        lia_text_add(out, "\"%s\": null", key);
    }
}

// What is looked at on admissible states.
static const char* seen(const LiaClassification* c, bool x) {
    return c->samples > 0 ? truth(x) : "null";
}

static const char* verdict(LiaVerdict v) { return v == LIA_UNKNOWN ? "null" : truth(v == LIA_YES); }

static void add_formula(LiaText* out, const LiaExplanation* e, LiaExpr f) {
    if (!f.index) {
        lia_text_add(out, "null");
        return;
    }
    LiaText text = {0};
    lia_formula_text(e->geometry->graph, f, &text);
    lia_escape_json(out, text.data ? text.data : "");
    out->failed |= text.failed;
    lia_text_clear(&text);
}

// Events by which it begins and ends.
static void add_duration(LiaText* out, const LiaModel* m, LiaDuration d) {
    if (d.from) {
        lia_escape_add(out, ", \"from\": %s", m->events[d.from - 1].name);
    }
    if (d.until) {
        lia_escape_add(out, ", \"until\": %s", m->events[d.until - 1].name);
    }
}

static void add_constraint(LiaText* out, const LiaExplanation* e, uint32_t index) {
    static const char* const linearities[] = {"linear", "affine", "nonlinear"};
    static const char* const forces[] = {"ideal", "chetaev", "given"};
    const LiaConstraintClass* c = &e->classes.constraints[index];
    lia_escape_add(out, "{\"name\": %s", c->name);
    const LiaConstraint* model = &e->system->model->constraints[index];
    if (model->contact || model->duration.from) {  // open, or off at the start
        lia_text_add(out, ", \"kind\": \"%s\", \"equations\": %u",
                     model->contact ? "contact" : "off", model->equation_count);
        add_duration(out, e->system->model, model->duration);
        lia_text_add(out, "}");
        return;
    }
    lia_text_add(out,
                 ", \"kind\": \"%s\", \"linearity\": \"%s\", \"holonomic\": %s, \"force\": \"%s\"",
                 c->geometric ? "geometric" : "kinematic", linearities[c->linearity],
                 verdict(c->holonomic), forces[c->force]);
    lia_text_add(out, ", \"perfect\": %s, \"hamiltonian\": %s, \"active\": %s", verdict(c->perfect),
                 verdict(c->hamiltonian), truth(c->active));
    lia_text_add(out, ", \"equations\": %u, ", c->equations);
    add_counted(out, &e->classes, "independent", c->independent);
    lia_text_add(out, ", \"h\": ");
    add_formula(out, e, e->formulas.h ? e->formulas.h[index] : (LiaExpr){0});
    lia_text_add(out, ", \"H0\": %s, \"H\": %s, \"unique\": %s", verdict(c->H0), verdict(c->H),
                 seen(&e->classes, c->unique));
    const LiaJointFacts* joint = model->joint;
    if (joint) {
        lia_escape_add(out,
                       ", \"joint\": {\"kind\": %s, \"bodies\": [%s, %s], \"parameters\": %u, "
                       "\"velocities\": %u, ",
                       joint->kind, joint->bodies[0], joint->bodies[1],
                       joint->freedom - joint->taken, joint->velocities);
        add_counted(out, &e->classes, "alone", c->alone);
        lia_text_add(out, "}");
    }
    add_duration(out, e->system->model, model->duration);
    lia_text_add(out, "}");
}

static void add_symmetry(LiaText* out, const LiaExplanation* e, const LiaSymmetryClass* s) {
    const LiaClassification* c = &e->classes;
    lia_escape_add(out, "{\"name\": %s", s->name);
    lia_text_add(out, ", \"lagrangian_invariant\": %s, \"first_type\": %s, \"second_type\": %s",
                 seen(c, s->lagrangian == LIA_INVARIANT_EVERYWHERE), seen(c, s->first_type),
                 seen(c, s->second_type));
    lia_text_add(out, ", \"constant\": %s, \"momentum\": ", seen(c, s->constant));
    add_formula(out, e, lia_simplify(e->geometry->graph, s->momentum));
    lia_escape_add(out, ", \"defect\": %g", c->samples > 0 ? s->defect : NAN);
    lia_text_add(out, ", \"admissible_invariant\": %s, \"lagrangian_defect\": ",
                 seen(c, s->lagrangian != LIA_INVARIANT_NOT));
    lia_escape_number(out, c->samples > 0 ? s->lagrangian_defect : NAN);
    lia_text_add(out, ", \"states_carried\": %s, \"forces_carried\": %s, \"forces_across\": %s",
                 seen(c, s->states_carried), seen(c, s->forces_carried), seen(c, s->forces_across));
    lia_text_add(out, ", \"quotient\": ");
    lia_text_add(out, s->first_type && c->samples > 0 ? "%u" : "null", s->quotient);
    const double defects[3] = {s->states_defect, s->forces_defect, s->across_defect};
    static const char* const keys[3] = {"states_defect", "forces_defect", "across_defect"};
    for (int i = 0; i < 3; i++) {
        lia_escape_add(out, ", %s: %g", keys[i], c->samples > 0 ? defects[i] : NAN);
    }
    lia_text_add(out, "}");
}

static void add_field(LiaText* out, const LiaExplanation* e, const double* rows) {
    const LiaFields* f = &e->fields;
    if (!rows) {
        lia_text_add(out, "null");
        return;
    }
    bool first = true;
    lia_text_add(out, "{");
    for (uint32_t r = 0; r < f->rows; r++) {
        bool momentum = r >= f->n;
        const char* name = e->system->model->coordinates[momentum ? f->x[r - f->n] : r].name;
        LiaText key = {0};
        lia_text_add(&key, momentum ? "p(%s)" : "%s", name);
        lia_escape_key(out, &first, key.data ? key.data : name);
        lia_escape_number(out, rows[r] == 0.0 ? 0.0 : rows[r]);
        lia_text_clear(&key);
    }
    const LiaModel* model = e->system->model;
    for (uint32_t c = 0; c < model->groups_count; c++) {
        double turn[2][3];
        if (model->groups[c].manifold != LIA_ROTATION) continue;
        if (!lia_attitude_fields_known(f, model->groups[c].first)) continue;
        lia_attitude_fields_turn(f, model->groups[c].first, rows, turn[0], turn[1]);
        for (int i = 0; i < 6; i++) {
            LiaText key = {0};
            lia_text_add(&key, i < 3 ? "omega(%s).%c" : "p(%s).%c", model->groups[c].name,
                         "xyz"[i % 3]);
            lia_escape_key(out, &first, key.data ? key.data : "");
            lia_escape_number(out, turn[i / 3][i % 3] == 0.0 ? 0.0 : turn[i / 3][i % 3]);
            lia_text_clear(&key);
        }
    }
    lia_text_add(out, "}");
}

static void add_state(LiaText* out, const LiaExplanation* e) {
    const LiaFields* f = &e->fields;
    const LiaModel* model = e->system->model;
    bool first = true, known = f->state.q && f->state.v;
    lia_text_add(out, ",\n \"state\": {");
    lia_escape_key(out, &first, "t");
    lia_escape_number(out, e->t);
    for (int level = 0; level < 2; level++) {
        const double* x = known ? (level ? f->state.v : f->state.q) : (level ? e->v : e->q);
        for (uint32_t i = 0; i < e->system->n; i++) {
            LiaText key = {0};
            double value = x[i];
            bool shown = true;
            if (level) {
                shown =
                    lia_state_text_velocity(model, known ? f->state.q : e->q, x, i, &key, &value);
            } else {
                lia_text_add(&key, "%s", model->coordinates[i].name);
            }
            if (shown) {
                lia_escape_key(out, &first, key.data ? key.data : "");
                lia_escape_number(out, value);
            }
            lia_text_clear(&key);
        }
    }
    lia_text_add(out, "}");
}

static void add_matrix(LiaText* out, const double* x, size_t rows, size_t columns) {
    lia_text_add(out, "[");
    for (size_t i = 0; i < rows; i++) {
        lia_text_add(out, i ? ", [" : "[");
        for (size_t j = 0; j < columns; j++) {
            if (j) lia_text_add(out, ", ");
            lia_escape_number(out, x[i * columns + j]);
        }
        lia_text_add(out, "]");
    }
    lia_text_add(out, "]");
}

static void add_names(LiaText* out, const LiaExplanation* e, const uint32_t* which,
                      uint32_t count) {
    lia_text_add(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        lia_text_add(out, i ? ", " : "");
        lia_escape_json(out, e->system->model->coordinates[which[i]].name);
    }
    lia_text_add(out, "]");
}

// The bracket of V*M: how far what should hold is from it; null: not looked at.
static void add_vertical(LiaText* out, const LiaVerticalPoisson* v, uint32_t nb) {
    const struct {
        const char* key;
        double x;
    } all[] = {{"R", v->R},
               {"keeps", v->keeps},
               {"generator", v->generator},
               {"frozen", v->frozen},
               {"lift", v->lift}};
    lia_text_add(out, ", \"bracket\": {");
    bool first = true;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        lia_escape_key(out, &first, all[k].key);
        lia_escape_number(out, v->known ? all[k].x : NAN);
    }
    lia_text_add(out, ", \"states\": %u, \"K_Y_constant\": %s, \"dK_Y\": ", v->states,
                 v->dK ? truth(v->constant) : "null");
    if (v->dK) add_matrix(out, v->dK, 1, v->nx);
    if (!v->dK) lia_text_add(out, "null");
    lia_text_add(out, ", \"curvature\": ");
    if (v->curvature) add_matrix(out, v->curvature, nb * (nb - 1) / 2, 2 * v->nx);
    if (!v->curvature) lia_text_add(out, "null");
    lia_text_add(out, ", \"riemannian\": %s}", v->dK ? truth(v->riemannian) : "null");
}

static void add_connection(LiaText* out, const LiaExplanation* e) {
    const LiaFields* f = &e->fields;
    lia_text_add(out, ",\n \"connection\": ");
    if (!f->split) {
        lia_text_add(out, "null, \"operator_force\": null");
        return;
    }
    lia_text_add(out, "{\"base\": [");
    for (uint32_t a = 0; a < f->nb; a++) {
        lia_text_add(out, a ? ", " : "");
        lia_escape_json(out, f->base_name[a]);
    }
    lia_text_add(out, "], \"fibre\": ");
    add_names(out, e, f->x, f->nf);
    lia_text_add(out, ", \"A\": ");
    add_matrix(out, f->A, f->nf, f->nb);
    lia_text_add(out, ", \"Theta\": ");
    add_matrix(out, f->Theta, f->nb, f->nb);
    lia_text_add(out, ", \"F\": ");
    if (f->F) {
        lia_text_add(out, "[");
        for (uint32_t j = 0; j < f->nf; j++) {
            lia_text_add(out, j ? ", " : "");
            add_matrix(out, f->F + (size_t)j * f->nb * f->nb, f->nb, f->nb);
        }
        lia_text_add(out, "]");
    } else {
        lia_text_add(out, "null");
    }
    lia_escape_add(out, ", \"h0\": %g, \"K_Y\": %g, \"energy\": %g", f->h0, f->K_Y, f->energy);
    add_vertical(out, &e->vertical, f->nb);
    lia_text_add(out, "},\n \"operator_force\": {");
    bool first = true;
    for (uint32_t a = 0; a < f->nb; a++) {
        const LiaOperatorForce* o = &f->lambda[a];
        const struct {
            const char* key;
            double x;
        } terms[] = {{"inertia", o->inertia},      {"theta_uu", o->theta_uu},
                     {"potential", o->potential},  {"shape_pp", o->shape_pp},
                     {"theta_pu", o->theta_pu},    {"gyro", o->gyro},
                     {"linear", o->linear},        {"applied", -o->applied},
                     {"reactions", -o->reactions}, {"total", o->total}};
        lia_escape_key(out, &first, f->base_name[a]);
        bool inner = true;
        lia_text_add(out, "{");
        for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) {
            lia_escape_key(out, &inner, terms[k].key);
            lia_escape_number(out, terms[k].x == 0.0 ? 0.0 : terms[k].x);
        }
        lia_text_add(out, "}");
    }
    lia_text_add(out, "}");
}

static void add_fields(LiaText* out, const LiaExplanation* e) {
    static const char* const names[LIA_FIELD_COUNT] = {
        [LIA_FIELD_D_Y] = "D_Y", [LIA_FIELD_D_0] = "D_0",   [LIA_FIELD_MINUS_X_K] = "minus_X_K",
        [LIA_FIELD_H_Y] = "H_Y", [LIA_FIELD_Z] = "Z",       [LIA_FIELD_ETA] = "eta",
        [LIA_FIELD_Q] = "Q",     [LIA_FIELD_X_SH] = "X_sH", [LIA_FIELD_Y_W] = "Y_W"};
    const LiaFields* f = &e->fields;
    bool first = true;
    lia_text_add(out, ",\n \"field\": {");
    for (int k = 0; k < LIA_FIELD_COUNT; k++) {
        if (k == LIA_FIELD_Q && !f->has_Q) continue;
        lia_text_add(out, first ? "" : ",\n  ");
        bool alone = true;
        lia_escape_key(out, &alone, names[k]);
        first = false;
        add_field(out, e, f->field[k]);
    }
    lia_text_add(out, "}");
}

static void add_coupling(LiaText* out, const LiaExplanation* e) {
    const LiaClassification* c = &e->classes;
    const LiaRegularityLook* look = &c->look;
    if (c->uncoupled) {
        lia_escape_add(out, ",\n \"uncoupled\": %s", c->uncoupled);
    }
    if (look->count > 0) {
        lia_escape_add(
            out, ",\n \"look\": {\"states\": %u, \"failed\": %u, \"least\": %g, \"at\": {\"t\": %g",
            look->count, look->failed, look->least, look->t);
        bool first = false;
        for (int level = 0; level < 2 && isfinite(look->least); level++) {
            for (uint32_t i = 0; i < e->system->n; i++) {
                const char* name = e->system->model->coordinates[i].name;
                lia_escape_key(out, &first,
                               level ? lia_arena_printf(e->geometry->arena, "%s'", name) : name);
                lia_escape_number(out, level ? look->v[i] : look->q[i]);
            }
        }
        lia_text_add(out, "}, \"uncoupled\": ");
        if (look->uncoupled) {
            lia_escape_json(out, look->uncoupled);
        } else {
            lia_text_add(out, "null");
        }
        lia_text_add(out, "}");
    }
    if (c->servo.remaining >= 0) {
        static const char* const words[] = {"null", "\"equilibrium\"", "\"steady\"", "\"linear\""};
        lia_escape_add(out, ",\n \"remaining\": {\"states\": %d, \"rate\": %g", c->servo.remaining,
                       c->servo.rate);
        lia_text_add(out, ", \"by\": %s}", words[c->servo.steady]);
    }
}

typedef struct Counted {
    const char* key;
    uint32_t number;
} Counted;

static void add_list(LiaText* out, const LiaClassification* c, int count, const Counted* list) {
    for (int i = 0; i < count; i++) {
        lia_text_add(out, ", ");
        add_counted(out, c, list[i].key, list[i].number);
    }
}

static void add_dimensions(LiaText* out, const LiaClassification* c) {
    lia_text_add(out, ",\n \"dimension\": {\"M\": %u, \"S\": %u", c->dimensions.M, c->dimensions.S);
    add_list(
        out, c, 3,
        (const Counted[]){{"C", c->dimensions.C}, {"D", c->dimensions.D}, {"W", c->dimensions.W}});
    lia_text_add(out, ", \"VstarM\": %u", c->dimensions.VstarM);
    add_list(out, c, 1, (const Counted[]){{"motion", c->dimensions.lives - c->hidden}});
    lia_text_add(out, "},\n \"freedom\": {");
    add_counted(out, c, "positions", c->positions);
    add_list(out, c, 2, (const Counted[]){{"velocities", c->velocities}, {"hidden", c->hidden}});
    lia_text_add(out, "}");
}

// All statements together as one map (Y, f, F), in Dazord's words.
static void add_one_system(LiaText* out, const LiaClassification* c) {
    static const char* const words[] = {"general", "linear", "semi-holonomic", "almost holonomic",
                                        "holonomic"};
    const LiaOneSystem* one = &c->one;
    bool meant = one->equations > 0 && !one->other;
    lia_text_add(out, "{\"equations\": %u, \"perfect\": %s, \"hamiltonian\": %s, \"H\": %s",
                 one->equations, verdict(one->perfect), verdict(one->hamiltonian), verdict(one->H));
    lia_text_add(out, ", \"ideal\": %s",
                 c->samples == 0     ? "null"
                 : c->ideal_together ? "true"
                                     : "false");
    lia_text_add(out, meant ? ", \"kind\": \"%s\"}" : ", \"kind\": null}", words[one->word]);
}

static void add_growth(LiaText* out, const char* key, const LiaGrowth* growth) {
    lia_text_add(out, ", \"%s\": [", key);
    for (uint32_t i = 0; i < growth->steps; i++) {
        lia_text_add(out, "%s%u", i ? ", " : "", growth->rank[i]);
    }
    lia_text_add(out, "]");
}

// The functions that are kept, by quadrature: values at the start, and from the last position.
static void add_leaf(LiaText* out, const LiaExplanation* e, const LiaLeaf* leaf) {
    if (!leaf->known) {
        lia_text_add(out, "null");
        return;
    }
    lia_text_add(out, "{\"values\": {");
    for (uint32_t b = 0; b < leaf->count; b++) {
        const LiaCoordinate* c = &e->system->model->coordinates[leaf->coordinate[b]];
        lia_escape_add(out, b ? ", %s: [%g, %g]" : "%s: [%g, %g]", c->name, leaf->value[b],
                       leaf->back[b]);
    }
    lia_escape_add(out, "}, \"positions\": %u, \"t\": %g, \"drift\": %g}", leaf->positions, leaf->t,
                   leaf->drift);
}

// The growth of the distribution; null where all equations are geometric, or it is not known.
static void add_flag(LiaText* out, const LiaExplanation* e, const LiaFlag* f) {
    if (!f->known) {
        lia_text_add(out, "null");
        return;
    }
    lia_text_add(out, "{\"dimension\": %u, \"time\": %s", f->space, truth(f->time));
    add_growth(out, "lie", &f->lie);
    add_growth(out, "derived", &f->derived);
    if (f->has_start) {
        add_growth(out, "lie_at_start", &f->start_lie);
        add_growth(out, "derived_at_start", &f->start_derived);
    }
    lia_escape_add(
        out,
        ", \"kinematic\": %u, \"integrable\": %u, \"places\": %u, \"margin\": %g, \"integrals\": [",
        f->kinematic, f->integrable, f->places, f->margin);
    for (uint32_t c = 0; c < f->combinations; c++) {
        lia_text_add(out, c ? ", " : "");
        add_formula(out, e, f->integral[c]);
    }
    lia_text_add(out, "], \"proved\": %s, \"leaf\": ", truth(f->proved));
    add_leaf(out, e, &f->leaf);
    if (f->driftless.known) {
        lia_text_add(out, ", \"driftless\": {\"dimension\": %u", f->driftless.space);
        add_growth(out, "lie", &f->driftless.growth);
        lia_text_add(out, ", \"integrable\": %u}", f->driftless.integrable);
    }
    lia_text_add(out, "}");
}

void lia_explain_json(LiaExplanation* e, LiaText* out) {
    const LiaClassification* c = &e->classes;
    lia_escape_add(out, "{\"model\": %s", e->system->model->name);
    if (e->system->phase.flow) {
        lia_prose_poisson_json(e, out);
        return;
    }
    add_dimensions(out, c);
    uint32_t bodies = 0;
    for (uint32_t i = 0; i < e->system->model->pictures.bodies_count; i++) {
        bodies += e->system->model->pictures.bodies[i].free;
    }
    lia_text_add(out, ",\n \"count\": {\"bodies\": %u", bodies);
    add_list(out, c, 5,
             (const Counted[]){{"l", c->l},
                               {"l_at_start", c->l_at_start},
                               {"c", c->c},
                               {"configurations", c->dimensions.M - c->l},
                               {"states", c->dimensions.C}});
    lia_text_add(out, "}");
    lia_text_add(out, ",\n \"constraints\": [");
    bool first = true;
    for (uint32_t i = 0; i < c->constraint_count; i++) {
        if (c->constraints[i].internal) continue;
        lia_text_add(out, first ? "\n  " : ",\n  ");
        add_constraint(out, e, i);
        first = false;
    }
    lia_text_add(out, "],\n \"regular\": %s, \"regularity\": ", seen(c, c->regular));
    lia_escape_number(out, c->regularity);
    lia_text_add(out, ",\n \"energy\": {\"conserved\": %s, \"law\": ",
                 c->energy_conserved ? "true" : seen(c, false));
    lia_escape_add(out, "%s},\n \"symmetries\": [", c->energy_law);
    for (uint32_t i = 0; i < c->symmetry_count; i++) {
        lia_text_add(out, i ? ",\n  " : "\n  ");
        add_symmetry(out, e, &c->symmetries[i]);
    }
    lia_text_add(out, "],\n \"moment_map\": ");
    lia_found_moment_map_json(e, out);
    lia_text_add(out, ",\n \"one_system\": ");
    add_one_system(out, c);
    lia_text_add(out, ",\n \"flag\": ");
    add_flag(out, e, &c->flag);
    lia_text_add(out, ",\n \"search\": ");
    lia_found_json(e, out);
    lia_text_add(out, ",\n \"gauge_momenta\": ");
    lia_found_gauge_json(e, out);
    lia_text_add(out, ",\n \"pseudo_poisson\": ");
    lia_found_bracket_json(e, out);
    if (e->has_state) {
        add_state(out, e);
        add_fields(out, e);
        add_connection(out, e);
    }
    add_coupling(out, e);
    lia_text_add(out, "}");
}
