// What a system is, for people: what it is made of, each constraint in the words of mechanics, the
// energy law, the symmetries, the Hamiltonian, the equations, the forces; at a state, the motion
// taken apart.
// SPDX-License-Identifier: MIT
#include "output/explain/prose.h"
#include "base/text/plain.h"
#include "expr/reading/formula_text.h"
#include "expr/reading/simplify.h"
#include "lang/bodies/attitude.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 100 };

// --- the page ----------------------------------------------------------------------------------

const char* lia_prose_ink(const LiaProse* page, const char* code) {
    return lia_ink(&page->style, code);
}

void lia_prose_section(LiaProse* page, const char* name) {
    lia_ink_section(page->out, &page->style, name);
}

const char* lia_prose_name(const LiaProse* page, uint32_t coordinate) {
    return page->e->system->model->coordinates[coordinate].name;
}

const char* lia_prose_plural(uint32_t count) { return count == 1 ? "" : "s"; }

// What follows the first break is indented by four more.
void lia_prose_say(LiaProse* page, int indent, LiaText* line) {
    const char* at = line->data ? line->data : "";
    int left = indent;
    while (*at) {
        size_t room = (size_t)(WIDTH - left), length = strlen(at), cut = length;
        if (length > room) {
            for (cut = room; cut > room / 3 && at[cut] != ' '; cut--) {
            }
            if (at[cut] != ' ') cut = room + strcspn(at + room, " ");
        }
        lia_text_add(page->out, "%*s%.*s\n", left, "", (int)cut, at);
        at += cut;
        at += strspn(at, " ");
        left = indent + 4;
    }
    lia_text_clear(line);
}

void lia_prose_formula(const LiaProse* page, LiaText* line, LiaExpr f) {
    lia_formula_text(page->e->geometry->graph, f, line);
}

void lia_prose_coefficient(const LiaProse* page, LiaText* line, LiaExpr f, bool first) {
    LiaText text = {0};
    lia_prose_formula(page, &text, f);
    LiaCoefficient c = lia_explain_coefficient(page->e->geometry->graph, f, &text);
    lia_text_add(line, "%s", lia_explain_joint(c, first));
    if (!c.one) lia_text_add(line, c.sum ? "(%s)*" : "%s*", text.data ? text.data + c.minus : "");
    lia_text_clear(&text);
}

void lia_prose_define(LiaProse* page, const char* name, LiaExpr f) {
    LiaText line = {0};
    lia_text_add(&line, "%s = ", name);
    LiaExpr simple = lia_simplify(page->e->geometry->graph, f);
    if (lia_explain_has_attitude(page->e, simple)) {
        lia_text_add(&line, "... (of attitudes: in numbers)");
    } else if (lia_explain_is_long(page->e, simple)) {
        lia_text_add(&line, "... (too long to be read)");
    } else {
        lia_prose_formula(page, &line, simple);
    }
    lia_prose_say(page, 2, &line);
}

void lia_prose_define_text(LiaProse* page, LiaText* name, LiaExpr f) {
    if (name->data) lia_prose_define(page, name->data, f);
    lia_text_clear(name);
}

// --- what it is --------------------------------------------------------------------------------

// Coordinates as the model has them: r, not r.x, r.y, r.z.
static void add_names(const LiaProse* page, LiaText* line, const uint32_t* which, uint32_t count) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < count; i++) {
        const LiaModel* model = page->e->system->model;
        const LiaGroup* group = lia_explain_group(model, which, count, i);
        if (model->coordinates[which[i]].inner) continue;
        if (shown == LIA_PROSE_LINES) {
            lia_text_add(line, ", ... (%u numbers in all)", count);
            return;
        }
        lia_text_add(line, "%s%s", shown++ ? ", " : "",
                     group ? group->name : lia_prose_name(page, which[i]));
        if (group) i += group->count - 1;
    }
}

static void add_head(LiaProse* page) {
    const LiaModel* model = page->e->system->model;
    lia_text_add(page->out, "%s%s%s%s", lia_prose_ink(page, LIA_INK_BOLD), model->name,
                 lia_prose_ink(page, LIA_INK_PLAIN), model->title ? ": " : "");
    if (model->title) {
        lia_plain_add(page->out, model->title, strlen(model->title), LIA_PLAIN_WORD);
    }
    lia_text_add(page->out, "\n");
}

// Where regularity was asked for on many states: the worst of them.
static void add_look(LiaProse* page, const LiaRegularityLook* look) {
    LiaText line = {0};
    if (look->count == 0) return;
    lia_text_add(&line, "on %u admissible states around it: ", look->count);
    if (isfinite(look->least)) {
        lia_text_add(&line, "smallest coupling number ");
        lia_text_add_short(&line, look->least, 6);
        lia_text_add(&line, " at t = ");
        lia_text_add_short(&line, look->t, 6);
        const LiaModel* model = page->e->system->model;
        for (uint32_t i = 0; i < page->e->system->n && i < LIA_PROSE_LINES; i++) {
            uint32_t rotation = lia_attitude_of(model, i);
            bool again = rotation && model->groups[rotation - 1].first != i;
            if (again) continue;  // the numbers of a rotation are one attitude
            lia_text_add(&line, rotation ? ", %s " : ", %s = ", lia_attitude_name(model, i));
            if (rotation) {
                lia_attitude_describe(&line, (double[]){1.0, 0.0, 0.0, 0.0}, look->q + i);
            } else {
                lia_text_add_short(&line, look->q[i], 6);
            }
        }
    } else {
        lia_text_add(&line, "the coupling number has no meaning");
    }
    if (look->failed) lia_text_add(&line, "; NOT regular on %u of them", look->failed);
    if (look->uncoupled) lia_text_add(&line, ": %s", look->uncoupled);
    lia_prose_say(page, 2, &line);
}

// What servos leave free, and whether it runs away: said where the linearised motion decides it.
static void add_remaining(LiaProse* page, const LiaClassification* c) {
    static const char* const where[] = {"", "an equilibrium", "a steady motion",
                                        "any state: the equations are linear"};
    LiaText line = {0};
    if (c->servo.remaining < 0) return;
    if (c->servo.remaining == 0) {
        lia_text_add(&line, "servos leave nothing free: the motion follows from what they ask");
        lia_prose_say(page, 2, &line);
        return;
    }
    lia_text_add(&line, "servos leave %d number%s of the state free; ", c->servo.remaining,
                 lia_prose_plural((uint32_t)c->servo.remaining));
    if (c->servo.steady == LIA_STEADY_NOT || isnan(c->servo.rate)) {
        lia_text_add(&line,
                     "whether a small deviation grows is not known: this state is neither an "
                     "equilibrium nor a steady motion, so the linearised motion does not "
                     "say it");
    } else if (c->servo.rate == 0.0) {
        lia_text_add(&line,
                     "no deviation grows exponentially by the motion linearised at %s; that "
                     "does not decide whether it is stable",
                     where[c->servo.steady]);
    } else {
        lia_text_add(&line, c->servo.rate > 0.0
                                ? "that is UNSTABLE: a small deviation grows like exp("
                                : "that is stable: a small deviation dies out like exp(");
        lia_text_add_short(&line, c->servo.rate, 4);
        lia_text_add(&line, " t), by the motion linearised at %s", where[c->servo.steady]);
    }
    lia_prose_say(page, 2, &line);
}

// Of free bodies: configurations 6k - l, kinematic states 12k - 2l - c.
static void add_count(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    const LiaModel* model = page->e->system->model;
    uint32_t bodies = 0;
    for (uint32_t i = 0; i < model->pictures.bodies_count; i++)
        bodies += model->pictures.bodies[i].free;
    if (bodies == 0 || c->samples == 0) return;
    LiaText line = {0};
    lia_text_add(&line, "count: %u free bod%s of 6 parameters", bodies, bodies == 1 ? "y" : "ies");
    if (c->dimensions.M > 6 * bodies)
        lia_text_add(&line, " and %u more", c->dimensions.M - 6 * bodies);
    lia_text_add(&line, ", l = %u independent geometric equation%s", c->l, lia_prose_plural(c->l));
    if (c->l_at_start != c->l) lia_text_add(&line, " (%u at the start)", c->l_at_start);
    if (c->c) lia_text_add(&line, ", c = %u kinematic", c->c);
    lia_text_add(&line, ": configurations %u - l = %u, kinematic states %u - 2l - c = %u",
                 c->dimensions.M, c->dimensions.M - c->l, 2 * c->dimensions.M, c->dimensions.C);
    lia_prose_say(page, 2, &line);
}

static void add_coordinates(LiaProse* page) {
    const LiaPhaseSpace* space = page->e->space;
    LiaText line = {0};
    lia_text_add(&line, "coordinates: ");
    add_names(page, &line, space->x, space->nx);
    if (space->ns) {
        lia_text_add(&line, "%s; driven: ", space->nx ? "" : "none is free");
        add_names(page, &line, space->s, space->ns);
    }
    lia_prose_say(page, 2, &line);
}

// The statements whose left sides are the base.
static void add_base_names(const LiaProse* page, LiaText* line) {
    const LiaClassification* c = &page->e->classes;
    const LiaSystem* s = page->e->system;
    uint32_t before = UINT32_MAX, shown = 0;
    for (uint32_t b = 0; b < c->base_count && shown <= LIA_PROSE_LINES; b++) {
        uint32_t constraint = s->rows[c->base[b]].constraint;
        if (constraint == before) continue;
        before = constraint;
        if (shown++ == LIA_PROSE_LINES) {
            lia_text_add(line, ", ...");
            return;
        }
        lia_text_add(line, "%s%s", shown > 1 ? ", " : "", s->model->constraints[constraint].name);
    }
}

static void add_base(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    LiaText line = {0};
    lia_text_add(&line, "S    dimension %u, ", c->dimensions.S);
    if (c->dimensions.S == 0) {
        lia_text_add(&line, "what operators set: nothing");
    } else if (c->base_count) {
        lia_text_add(&line, "the base: the left side%s of ", lia_prose_plural(c->base_count));
        add_base_names(page, &line);
    }
    if (c->dimensions.leaves) {
        lia_text_add(&line, "%scontrols in kinematic constraints: %u",
                     c->base_count ? "; " : "the values s of ", c->dimensions.leaves);
    }
    lia_prose_say(page, 2, &line);
}

static void add_passive(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    LiaText line = {0};
    if (c->dimensions.leaves) {
        lia_text_add(
            &line,
            "C    dimension %u, the union of the leaves C_s (dimension %u), the states (positions "
            "and velocities) the constraints admit for the value s of the controls; D, the same in "
            "momenta",
            c->dimensions.C, c->dimensions.C - c->dimensions.leaves);
    } else {
        lia_text_add(&line,
                     "C    dimension %u, states (positions and velocities) the passive constraints "
                     "admit; D, the same in momenta",
                     c->dimensions.C);
    }
    lia_prose_say(page, 2, &line);
    lia_text_add(page->out, "  W    rank %u, forces of the %s\n", c->dimensions.W,
                 c->dimensions.leaves ? "passive constraints and of those with controls"
                                      : "passive constraints");
}

// Marle: chi takes V*M, with the momenta that the operators' velocities give, into T*M; the motion
// lives on chi^-1(D).
static void add_transversal(LiaProse* page) {
    const LiaDimensions* d = &page->e->classes.dimensions;
    LiaText line = {0};
    if (d->base_rank == 0 || d->leaves > 0 || d->D == 2 * d->M) return;
    bool transversal = d->lives + 2 * d->M == d->VstarM + d->D;
    lia_text_add(&line, transversal ? "that is chi^-1(D): chi(V*M) is transversal to D"
                                    : "that is chi^-1(D): chi(V*M) is not transversal to D, the "
                                      "passive constraints restrict what operators may set");
    lia_prose_say(page, 2, &line);
}

static void add_lives(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    LiaText line = {0};
    lia_text_add(&line, "the motion lives in dimension %u: the states of V*M",
                 c->dimensions.lives - c->hidden);
    if (c->dimensions.lives < c->dimensions.VstarM)
        lia_text_add(&line, " that the passive constraints admit");
    if (c->hidden) {
        lia_text_add(&line, "%s the %u equation%s hidden in operators",
                     c->dimensions.lives < c->dimensions.VstarM ? ", and that satisfy"
                                                                : " that satisfy",
                     c->hidden, lia_prose_plural(c->hidden));
    }
    lia_prose_say(page, 2, &line);
    add_transversal(page);
    lia_text_add(&line, "left to the motion: %u position%s, %u velocit%s", c->positions,
                 lia_prose_plural(c->positions), c->velocities, c->velocities == 1 ? "y" : "ies");
    if (c->hidden) {
        uint32_t left = c->positions + c->velocities - c->hidden;
        lia_text_add(&line, ", less %u hidden equation%s: %u number%s of the state", c->hidden,
                     lia_prose_plural(c->hidden), left, lia_prose_plural(left));
    }
    lia_prose_say(page, 2, &line);
}

static void add_dimensions(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    LiaText* out = page->out;
    lia_text_add(out, "  M    dimension %u, the configurations\n", c->dimensions.M);
    add_base(page);
    if (c->samples > 0) add_passive(page);
    lia_text_add(out, "  V*M  dimension %u, positions and the momenta along the fibres, %s\n",
                 c->dimensions.VstarM,
                 c->dimensions.base_rank ? "the base kept" : "which are all of M");
    if (c->samples == 0) {
        lia_text_add(out,
                     "  C, D, W and what is left to the motion are not known: they are counted "
                     "at admissible states, and none was found\n");
        return;
    }
    add_count(page);
    add_lives(page);
}

static void add_regularity(LiaProse* page) {
    const LiaExplanation* e = page->e;
    const LiaClassification* c = &e->classes;
    LiaText line = {0};
    lia_text_add(&line, "%s at %s", c->regular ? "regular" : "NOT regular",
                 e->has_state   ? "this state"
                 : e->has_start ? "the start"
                                : "a sample");
    if (c->look.vanishing) {
        lia_text_add(&line,
                     ": the gradient of '%s' vanishes there: it excludes no velocity and its force "
                     "cannot act. What is said below is of the equations as they stand",
                     c->look.vanishing);
    } else if (isfinite(c->regularity)) {
        lia_text_add(&line, ": coupling number ");
        lia_text_add_short(&line, c->regularity, 6);
        lia_text_add(&line,
                     " (1: forces along the constraints; 0: forces that cannot act on them)");
    }
    if (c->uncoupled) lia_text_add(&line, ": %s", c->uncoupled);
    lia_prose_say(page, 2, &line);
    add_look(page, &c->look);
}

static void add_corners(LiaProse* page, const LiaClassification* c) {
    LiaText line = {0};
    lia_text_add(&line, "formulas have corners: what is said below ");
    if (c->corners.one_sided == c->corners.count) {
        lia_text_add(&line, "is of the side on which the motion begins");
    } else {
        lia_text_add(&line, "was looked at on both sides of %s",
                     c->corners.one_sided ? "" : "them");
        if (c->corners.one_sided)
            lia_text_add(&line, "%u of %u, ", c->corners.count - c->corners.one_sided,
                         c->corners.count);
        if (c->corners.one_sided)
            lia_text_add(&line, "else it is of the side on which the motion begins");
    }
    lia_prose_say(page, 2, &line);
}

// What is said is of the equations around the start.
static void add_conditions(LiaProse* page) {
    const LiaSystem* s = page->e->system;
    const LiaTape* tape = s->plain->tape;
    LiaSpan span;
    const char* later = lia_model_acts_later(s->model, &span);
    bool corners = false;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        LiaGuardRule rule = tape->guards[g].rule;
        corners |=
            tape->guards[g].vital && (rule == LIA_GUARD_ARGUMENT || rule == LIA_GUARD_DIFFERENCE);
    }
    if (later)
        lia_text_add(page->out, "  what is said below is of the motion before '%s' acts\n", later);
    if (corners) add_corners(page, &page->e->classes);
}

static void add_system(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    lia_prose_section(page, "what it is");
    add_coordinates(page);
    add_dimensions(page);
    lia_text_add(page->out, "  the Lagrangian is %squadratic in the velocities\n",
                 page->e->geometry->quadratic ? "" : "not ");
    add_conditions(page);
    if (c->samples == 0) {
        lia_text_add(page->out,
                     "  what is said below follows from the form of the equations alone\n");
        return;
    }
    add_regularity(page);
    add_remaining(page, c);
}

// --- energy -------------------------------------------------------------------------------------

static void add_energy(LiaProse* page) {
    const LiaSystem* s = page->e->system;
    LiaText line = {0};
    lia_prose_section(page, "energy E = v dL/dv - L");
    const LiaClassification* c = &page->e->classes;
    lia_text_add(&line, "%s%s: %s", s->contact_count ? "while all contacts are open " : "",
                 c->energy_conserved ? "conserved"
                 : c->samples == 0   ? "conserved or not: open"
                                     : "not conserved",
                 c->energy_law);
    lia_prose_say(page, 2, &line);
    for (uint32_t l = 0, shown = 0; l < s->line_count && shown < LIA_PROSE_LINES; l++) {
        if (!page->e->classes.line_feeds[l]) continue;
        LiaText name = {0};
        lia_text_add(&name, "power(%s)", s->lines[l].name);
        lia_prose_define_text(page, &name, s->lines[l].power);
        shown++;
    }
}

static void add_choices(LiaProse* page) {
    const LiaSystem* s = page->e->system;
    const char* at = page->e->choices.data;
    if (s->origin.choice_count == 0 && !at) return;
    lia_prose_section(page, "choices");
    for (uint32_t i = 0; i < s->origin.choice_count && i < LIA_PROSE_LINES; i++) {
        lia_text_add(page->out, "  %s\n", s->origin.choices[i]);
    }
    while (at && *at) {
        size_t length = strcspn(at, "\n");
        lia_text_add(page->out, "  %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

void lia_prose_explain(LiaExplanation* e, const LiaTextStyle* style, LiaText* out) {
    LiaProse page = {out, e, style ? *style : (LiaTextStyle){0}};
    add_head(&page);
    if (e->system->phase.flow) {
        lia_prose_poisson(&page);
        add_choices(&page);
        return;
    }
    add_system(&page);
    lia_prose_constraints(&page);
    lia_prose_flag(&page);
    add_energy(&page);
    lia_prose_symmetries(&page);
    lia_prose_formulas_hamiltonian(&page);
    lia_prose_formulas_motion(&page);
    lia_prose_formulas_forces(&page);
    add_choices(&page);
    if (e->has_state) lia_prose_state(&page);
}
