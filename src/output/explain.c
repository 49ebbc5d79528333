// What a system is, for people: what it is made of, each constraint in the words of mechanics, the energy
// law, the symmetries, the Hamiltonian, the equations, the forces; at a state, the motion taken apart.
// SPDX-License-Identifier: MIT
#include "explain.h"
#include "../expr/print.h"
#include "../expr/simplify.h"
#include "../geometry/state_text.h"
#include "ink.h"
#include "table.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 100, LINES_MOST = 24, DIGITS = 8 };

typedef struct Page {
    LiaText* out;
    LiaExplanation* e;
    LiaTextStyle style;
} Page;

static const char* ink(const Page* page, const char* code) { return lia_ink(&page->style, code); }

static void begin_section(Page* page, const char* name) {
    lia_ink_section(page->out, &page->style, name);
}

static const char* name_of(const Page* page, uint32_t coordinate) {
    return page->e->system->model->coordinates[coordinate].name;
}

// One line, broken at spaces where it is too long; what follows is indented by four more.
static void add_line(Page* page, int indent, const LiaText* line) {
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
}

static void add_formula(const Page* page, LiaText* line, LiaExpr f) {
    lia_expr_print(page->e->geometry->graph, f, line);
}

static bool is_long(const Page* page, LiaExpr f) {
    return lia_expr_length(page->e->geometry->graph, f) > 2 * LIA_FORMULA_LENGTH;
}

// "name = formula"
static void add_definition(Page* page, const char* name, LiaExpr f) {
    LiaText line = {0};
    lia_text_add(&line, "%s = ", name);
    LiaExpr simple = lia_expr_simplify(page->e->geometry->graph, f);
    if (is_long(page, simple)) {
        lia_text_add(&line, "... (too long to be read)");
    } else {
        add_formula(page, &line, simple);
    }
    add_line(page, 2, &line);
    lia_text_clear(&line);
}

static void say(Page* page, int indent, LiaText* line) {
    add_line(page, indent, line);
    lia_text_clear(line);
}

static const LiaGroup* group_of(const Page* page, uint32_t coordinate) {
    const LiaModel* model = page->e->system->model;
    uint32_t group = model->coordinates[coordinate].group;
    return group ? &model->groups[group - 1] : NULL;
}

bool lia_explain_is_inner(const LiaExplanation* explanation, uint32_t coordinate) {
    const LiaModel* model = explanation->system->model;
    uint32_t group = model->coordinates[coordinate].group;
    return (group && model->groups[group - 1].manifold != LIA_SPACE) ||
           model->coordinates[coordinate].inner;
}

static bool is_inner(const Page* page, uint32_t coordinate) {
    return lia_explain_is_inner(page->e, coordinate);
}

static bool has_inner(const Page* page) {
    for (uint32_t i = 0; i < page->e->system->n; i++) {
        if (is_inner(page, i)) return true;
    }
    return false;
}

// Coordinates as the model has them: r, not r.x, r.y, r.z.
static void add_names(const Page* page, LiaText* line, const uint32_t* which, uint32_t count) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < count; i++) {
        const LiaGroup* group = group_of(page, which[i]);
        if (group && which[i] != group->first) continue;
        if (page->e->system->model->coordinates[which[i]].inner) continue;
        if (shown == LINES_MOST) {
            lia_text_add(line, ", ... (%u numbers in all)", count);
            return;
        }
        lia_text_add(line, "%s%s", shown++ ? ", " : "",
                     group ? group->name : name_of(page, which[i]));
    }
}

// --- what it is --------------------------------------------------------------------------------

static void add_head(Page* page) {
    const LiaModel* model = page->e->system->model;
    lia_text_add(page->out, "%s%s%s%s%s\n", ink(page, "\x1b[1m"), model->name, ink(page, "\x1b[0m"),
                 model->title ? ": " : "", model->title ? model->title : "");
}

static const char* plural(uint32_t count) { return count == 1 ? "" : "s"; }

// Where regularity was asked for on many states: the worst of them.
static void add_look(Page* page, const LiaRegularityLook* look) {
    LiaText line = {0};
    if (look->count == 0) return;
    lia_text_add(&line, "on %u admissible states around it: ", look->count);
    if (isfinite(look->least)) {
        lia_text_add(&line, "smallest coupling number ");
        lia_text_add_short(&line, look->least, 6);
        lia_text_add(&line, " at t = ");
        lia_text_add_short(&line, look->t, 6);
        const LiaModel* model = page->e->system->model;
        for (uint32_t i = 0; i < page->e->system->n && i < LINES_MOST; i++) {
            lia_text_add(&line, ", %s = ", model->coordinates[i].name);
            lia_text_add_short(&line, look->q[i], 6);
        }
    } else {
        lia_text_add(&line, "the coupling number has no meaning");
    }
    if (look->failed) lia_text_add(&line, "; NOT regular on %u of them", look->failed);
    if (look->uncoupled) lia_text_add(&line, ": %s", look->uncoupled);
    say(page, 2, &line);
}

// What servos leave free, and whether it runs away.
static void add_remaining(Page* page, const LiaClassification* c) {
    LiaText line = {0};
    if (c->remaining < 0) return;
    if (c->remaining == 0) {
        lia_text_add(&line, "servos leave nothing free: the motion follows from what they ask");
    } else {
        lia_text_add(&line, "what servos leave free (%d number%s of the state) ", c->remaining,
                     plural((uint32_t)c->remaining));
        if (c->remaining_rate == 0.0) {
            lia_text_add(&line, "neither grows nor dies out by itself");
        } else {
            lia_text_add(&line, c->remaining_rate > 0.0
                                    ? "is UNSTABLE: a small deviation grows like exp("
                                    : "is stable: a small deviation dies out like exp(");
            lia_text_add_short(&line, c->remaining_rate, 4);
            lia_text_add(&line, " t)");
        }
        lia_text_add(&line, ", by the motion linearised at this state");
    }
    say(page, 2, &line);
}

// Of free bodies: configurations 6k - l, kinematic states 12k - 2l - c.
static void add_count(Page* page) {
    const LiaClassification* c = &page->e->classes;
    const LiaModel* model = page->e->system->model;
    uint32_t bodies = 0;
    for (uint32_t i = 0; i < model->bodies_count; i++) bodies += model->bodies[i].free;
    if (bodies == 0 || c->samples == 0) return;
    LiaText line = {0};
    lia_text_add(&line, "count: %u free bod%s of 6 parameters", bodies, bodies == 1 ? "y" : "ies");
    if (c->M > 6 * bodies) lia_text_add(&line, " and %u more", c->M - 6 * bodies);
    lia_text_add(&line, ", l = %u independent geometric equation%s", c->l, plural(c->l));
    if (c->l_at_start != c->l) lia_text_add(&line, " (%u at the start)", c->l_at_start);
    if (c->c) lia_text_add(&line, ", c = %u kinematic", c->c);
    lia_text_add(&line, ": configurations %u - l = %u, kinematic states %u - 2l - c = %u", c->M,
                 c->M - c->l, 2 * c->M, c->C);
    say(page, 2, &line);
}

static void add_dimensions(Page* page) {
    const LiaClassification* c = &page->e->classes;
    const LiaPhaseSpace* space = page->e->space;
    LiaText line = {0};
    begin_section(page, "what it is");
    lia_text_add(&line, "coordinates: ");
    add_names(page, &line, space->x, space->nx);
    if (space->ns) {
        lia_text_add(&line, "%s; driven: ", space->nx ? "" : "none is free");
        add_names(page, &line, space->s, space->ns);
    }
    say(page, 2, &line);
    lia_text_add(page->out, "  M    dimension %u, the configurations\n", c->M);
    lia_text_add(page->out, "  S    dimension %u, what operators drive (eliminated coordinates)\n",
                 c->S);
    lia_text_add(page->out,
                 "  C    dimension %u, velocities the passive constraints admit; D, their momenta, "
                 "the same\n",
                 c->C);
    lia_text_add(page->out, "  W    rank %u, forces of the passive constraints\n", c->W);
    lia_text_add(page->out, "  V*M  dimension %u, where the motion lives: (x, s, p of x)\n",
                 c->VstarM);
    add_count(page);
    lia_text_add(page->out, "  left to the motion: %u position%s, %u velocit%s\n", c->positions,
                 plural(c->positions), c->velocities, c->velocities == 1 ? "y" : "ies");
    lia_text_add(&line, "the Lagrangian is %s",
                 page->e->geometry->quadratic ? "quadratic in the velocities"
                                              : "not quadratic in the velocities");
    say(page, 2, &line);
    if (c->samples == 0) {
        lia_text_add(page->out, "  no admissible state was found: what is said below follows from "
                                "the form of the equations alone\n");
        return;
    }
    lia_text_add(&line, "%s at %s", c->regular ? "regular" : "NOT regular",
                 page->e->has_state   ? "this state"
                 : page->e->has_start ? "the start"
                                      : "a sample");
    if (isfinite(c->regularity)) {
        lia_text_add(&line, ": coupling number ");
        lia_text_add_short(&line, c->regularity, 6);
        lia_text_add(&line,
                     " (1: forces along the constraints; 0: forces that cannot act on them)");
    }
    if (c->uncoupled) lia_text_add(&line, ": %s", c->uncoupled);
    say(page, 2, &line);
    add_look(page, &c->look);
    add_remaining(page, c);
}

// --- constraints -------------------------------------------------------------------------------

// "sin(theta)*d(x) - cos(theta)*d(y)": a form as one writes it.
static void add_form(const Page* page, LiaText* line, const LiaRow* row) {
    LiaGraph* g = page->e->geometry->graph;
    bool first = true;
    for (uint32_t e = 0; e < row->entries; e++) {
        uint32_t i = row->coordinate[e];
        LiaNumber c;
        LiaText entry = {0};
        LiaExpr f = lia_expr_simplify(g, row->Omega[e]);
        lia_expr_print(g, f, &entry);
        const char* text = entry.data ? entry.data : "";
        const LiaNode* node = lia_graph_node(g, f);
        bool sum = node->op == LIA_OP_ADD || node->op == LIA_OP_SUB;
        bool minus = !sum && text[0] == '-',
             one = lia_graph_constant(g, f, &c) && fabs(c.value) == 1.0;
        lia_text_add(line, "%s", first ? (minus ? "-" : "") : minus ? " - " : " + ");
        if (minus) text++;
        if (!one) lia_text_add(line, sum ? "(%s)*" : "%s*", text);
        lia_text_add(line, "d(%s)", name_of(page, i));
        lia_text_clear(&entry);
        first = false;
    }
}

static const char* yes_or_no(LiaVerdict v, const char* yes, const char* no, const char* open) {
    return v == LIA_YES ? yes : v == LIA_NO ? no : open;
}

static void add_equations(Page* page, uint32_t c) {
    const LiaSystem* s = page->e->system;
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        const LiaRow* row = &s->rows[r];
        LiaText line = {0};
        add_formula(page, &line, row->left);
        lia_text_add(&line, " = ");
        add_formula(page, &line, row->right);
        if (row->identical) lia_text_add(&line, "   (holds identically)");
        say(page, 4, &line);
        if (row->identical) continue;
        lia_text_add(&line, "force along ");
        add_form(page, &line, row);
        if (line.length > 2 * LIA_FORMULA_LENGTH) {
            lia_text_clear(&line);
            lia_text_add(&line, "force along a form that is too long to be read");
        }
        say(page, 4, &line);
    }
}

static void add_constraint(Page* page, uint32_t index) {
    static const char* const linearities[] = {"linear", "affine", "nonlinear in the velocities"};
    static const char* const forces[] = {
        "ideal (its forces are along its own gradient)",
        "Chetaev (forces along its gradient by the velocities: a hypothesis)",
        "given independently of the equation"};
    const LiaConstraintClass* c = &page->e->classes.constraints[index];
    const LiaConstraint* model = &page->e->system->model->constraints[index];
    LiaText line = {0};
    if (model->joint) {
        const LiaJointFacts* joint = model->joint;
        lia_text_add(page->out, "  %s%s%s (%s joint of %s and %s)\n", ink(page, "\x1b[1m"), c->name,
                     ink(page, "\x1b[0m"), joint->kind, joint->bodies[0], joint->bodies[1]);
        lia_text_add(&line,
                     "leaves %u of %u parameters: %u equation%s, %u independent among themselves",
                     joint->freedom - joint->taken, joint->freedom, c->equations,
                     plural(c->equations), c->alone);
        say(page, 4, &line);
    } else {
        lia_text_add(page->out, "  %s%s%s (%s)\n", ink(page, "\x1b[1m"), c->name,
                     ink(page, "\x1b[0m"),
                     model->active ? "operator"
                     : c->active   ? "constraint with a control: active"
                                   : "constraint");
        add_equations(page, index);
    }
    lia_text_add(&line, "%s, %s", c->geometric ? "geometric" : "kinematic",
                 c->geometric ? (c->linearity == LIA_AFFINE ? "moving with time" : "at rest")
                              : linearities[c->linearity]);
    if (!c->geometric) {
        lia_text_add(&line, ", %s",
                     yes_or_no(c->holonomic, "holonomic (integrable with the others)",
                               "not holonomic", "whether it is holonomic was not decided"));
    }
    if (c->equations > 1 || c->independent != c->equations) {
        lia_text_add(&line, "; %u equation%s, %u of them independent of those before", c->equations,
                     plural(c->equations), c->independent);
    }
    say(page, 4, &line);
    lia_text_add(&line, "forces: %s%s", forces[c->force],
                 c->workless ? "; they do no work" : "; they do work");
    say(page, 4, &line);
    if (!c->unique) {
        lia_text_add(page->out, "    its forces are not unique: others can stand for them; a run "
                                "shows those of least norm\n");
    }
    if (c->submersion == LIA_YES) {
        lia_text_add(&line, "Dazord, by the left side: %s; %s",
                     yes_or_no(c->perfect, "perfect", "imperfect", "perfect or not: open"),
                     yes_or_no(c->hamiltonian, "Hamiltonian", "not Hamiltonian",
                               "Hamiltonian or not: open"));
        if (page->e->formulas.h && page->e->formulas.h[index].index) {
            lia_text_add(&line, " with h = ");
            add_formula(page, &line, page->e->formulas.h[index]);
        } else if (c->hamiltonian == LIA_YES) {
            lia_text_add(&line,
                         " (h has no formula one could read: the velocity on the left is not "
                         "affine in the momenta, or long)");
        } else if (c->hamiltonian == LIA_UNKNOWN) {
            lia_text_add(&line, " (M has no inverse, so dY/dp is not known)");
        }
        lia_text_add(&line, "; (H0) %s, (H) %s", yes_or_no(c->H0, "holds", "fails", "open"),
                     yes_or_no(c->H, "holds", "fails",
                               "open: det(J M^-1 df^T) has no value where M has no inverse"));
        say(page, 4, &line);
    } else {
        lia_text_add(&line,
                     c->submersion == LIA_NO
                         ? "Dazord: the left side is not the velocity of a function of the "
                           "configuration, so perfect, Hamiltonian and (H) have no meaning "
                           "for this way of writing it"
                         : "Dazord: nothing is decided, since no admissible state was found");
        say(page, 4, &line);
    }
    if (c->submersion != LIA_YES && c->H0 == LIA_NO) {
        lia_text_add(page->out, "    (H0) fails: fewer force directions than equations\n");
    }
    if (c->hidden > 0) {
        lia_text_add(page->out,
                     "    acts through other forces: its own appears after %u more derivative%s of "
                     "its equation, "
                     "which are hidden equations\n",
                     c->hidden, plural(c->hidden));
    }
    if (c->eliminated) {
        lia_text_add(page->out, "    eliminated: the motion of what it drives is known beforehand, "
                                "its force follows\n");
    }
}

static void add_constraints(Page* page) {
    const LiaClassification* c = &page->e->classes;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->constraint_count; i++) {
        if (c->constraints[i].internal) continue;
        if (count == 0) begin_section(page, "constraints");
        if (count++ < LINES_MOST) add_constraint(page, i);
    }
    if (count > LINES_MOST) {
        lia_text_add(page->out, "  ... and %u more (all of them with --json)\n",
                     count - LINES_MOST);
    }
}

// --- energy and symmetries ---------------------------------------------------------------------

static void add_energy(Page* page) {
    const LiaSystem* s = page->e->system;
    LiaText line = {0};
    begin_section(page, "energy E = v dL/dv - L");
    lia_text_add(&line, "%s: %s", page->e->classes.energy_conserved ? "conserved" : "not conserved",
                 page->e->classes.energy_law);
    say(page, 2, &line);
    for (uint32_t l = 0, shown = 0; l < s->line_count && shown < LINES_MOST; l++) {
        if (!page->e->classes.line_feeds[l]) continue;
        LiaText name = {0};
        lia_text_add(&name, "power(%s)", s->lines[l].name);
        if (name.data) add_definition(page, name.data, s->lines[l].power);
        lia_text_clear(&name);
        shown++;
    }
}

static void add_symmetries(Page* page) {
    const LiaClassification* c = &page->e->classes;
    if (c->symmetry_count == 0) return;
    begin_section(page, "symmetries");
    for (uint32_t i = 0; i < c->symmetry_count && i < LINES_MOST; i++) {
        const LiaSymmetryClass* s = &c->symmetries[i];
        LiaText line = {0}, name = {0};
        lia_text_add(&name, "momentum(%s)", s->name);
        if (name.data) add_definition(page, name.data, s->momentum);
        lia_text_clear(&name);
        lia_text_add(&line, "the Lagrangian is %s; %s; ",
                     s->lagrangian_invariant ? "invariant" : "not invariant",
                     s->first_type
                         ? "first type: the constraints are carried along, the system reduces"
                         : "not of the first type");
        if (s->second_type) {
            lia_text_add(&line, "second type: no force acts along it, the momentum is constant");
        } else if (s->constant) {
            lia_text_add(&line, "not of the second type, and yet the momentum was found constant");
        } else {
            lia_text_add(&line, "the momentum is not constant (its rate was up to ");
            lia_text_add_short(&line, s->defect, 3);
            lia_text_add(&line, " on the samples)");
        }
        say(page, 4, &line);
    }
}

// --- formulas ----------------------------------------------------------------------------------

static void add_hamiltonian(Page* page) {
    const LiaExplanation* e = page->e;
    const LiaFormulas* f = &e->formulas;
    if (!f->available || !e->geometry->quadratic) return;
    begin_section(page, "Hamiltonian");
    if (f->hamiltonian.index) {
        add_definition(page, "H", f->hamiltonian);
    } else if (has_inner(page)) {
        lia_text_add(
            page->out,
            "  not written out: there are attitudes or directions among the coordinates\n");
    } else if (f->singular) {
        lia_text_add(page->out,
                     "  none on T*M: d2L/dv2 is singular (coordinates without inertia)\n");
    } else {
        lia_text_add(page->out,
                     "  H = 1/2 (p - b) g^-1 (p - b) + U, with g = d2L/dv2, p = g v + b: "
                     "too long to be read\n");
    }
    if (!f->A) return;
    lia_text_add(page->out, "  on V*M, with the operator's velocities as they are:\n");
    if (f->h0.index) add_definition(page, "h0", f->h0);
    if (f->K_Y.index) add_definition(page, "K_Y", f->K_Y);
    const LiaPhaseSpace* space = e->space;
    for (uint32_t a = 0; a < space->ns; a++) {
        LiaText name = {0};
        lia_text_add(&name, "p(%s)", name_of(page, space->s[a]));
        if (f->momentum[a].index && name.data) add_definition(page, name.data, f->momentum[a]);
        lia_text_clear(&name);
    }
    lia_text_add(page->out, "  kinetic connection: the horizontal is x' = -A s' (entries not shown "
                            "are 0 or too long)\n");
    for (uint32_t j = 0; j < space->nx; j++) {
        for (uint32_t a = 0; a < space->ns; a++) {
            LiaExpr entry = f->A[j * space->ns + a];
            if (!entry.index || lia_graph_is_zero(e->geometry->graph, entry)) continue;
            LiaText name = {0};
            lia_text_add(&name, "A(%s, %s)", name_of(page, space->x[j]),
                         name_of(page, space->s[a]));
            if (name.data) add_definition(page, name.data, entry);
            lia_text_clear(&name);
        }
    }
    for (uint32_t j = 0; j < space->nx; j++) {
        for (uint32_t a = 0; a < space->ns; a++) {
            for (uint32_t b = a + 1; b < space->ns; b++) {
                LiaExpr entry = f->F[(j * space->ns + a) * space->ns + b];
                if (!entry.index || lia_graph_is_zero(e->geometry->graph, entry)) continue;
                LiaText name = {0};
                lia_text_add(&name, "F(%s; %s, %s)", name_of(page, space->x[j]),
                             name_of(page, space->s[a]), name_of(page, space->s[b]));
                if (name.data) add_definition(page, name.data, entry);
                lia_text_clear(&name);
            }
        }
    }
}

// M a on the left, term by term: "m*x'' ", "(I1 + I2)*theta'' + I2*s''".
static void add_inertia(const Page* page, LiaText* line, uint32_t i) {
    const LiaGraph* g = page->e->geometry->graph;
    const LiaFormulas* f = &page->e->formulas;
    uint32_t n = page->e->system->n;
    bool first = true;
    for (uint32_t j = 0; j < n; j++) {
        LiaExpr entry = f->M[i * n + j];
        LiaNumber c;
        if (lia_graph_is_zero(g, entry)) continue;
        LiaText text = {0};
        lia_expr_print(g, entry, &text);
        const LiaNode* node = lia_graph_node(g, entry);
        bool sum = node->op == LIA_OP_ADD || node->op == LIA_OP_SUB;
        bool minus = !sum && text.data && text.data[0] == '-';
        bool one = lia_graph_constant(g, entry, &c) && fabs(c.value) == 1.0;
        lia_text_add(line, "%s", first ? (minus ? "-" : "") : minus ? " - " : " + ");
        if (!one) lia_text_add(line, sum ? "(%s)*" : "%s*", text.data ? text.data + minus : "");
        lia_text_add(line, "%s''", name_of(page, j));
        lia_text_clear(&text);
        first = false;
    }
    if (first) lia_text_add(line, "0");
}

static void add_motion(Page* page) {
    const LiaExplanation* e = page->e;
    const LiaFormulas* f = &e->formulas;
    begin_section(page, "equations of motion");
    if (!f->available) {
        lia_text_add(page->out,
                     "  M a + h = Q + Omega^T mu: %u of them ('liaison dump --stage=expr' has the "
                     "formulas)\n",
                     e->system->n);
        return;
    }
    LiaText longer = {0};
    bool inner = false;
    for (uint32_t k = 0; k < e->space->nx; k++) {
        uint32_t i = e->space->x[k];
        LiaText line = {0};
        if (is_inner(page, i)) {
            inner = true;
            continue;
        }
        add_inertia(page, &line, i);
        if (line.length > 2 * LIA_FORMULA_LENGTH || is_long(page, f->rest[i])) {
            lia_text_clear(&line);
            lia_text_add(&longer, "%s%s", longer.length ? ", " : "", name_of(page, i));
            continue;
        }
        lia_text_add(&line, " = ");
        add_formula(page, &line, f->rest[i]);
        say(page, 2, &line);
    }
    if (inner) {
        lia_text_add(
            page->out,
            "  attitudes and directions turn by their own equations, in numbers of unit length\n");
    }
    if (longer.length) {
        lia_text_add(&longer,
                     ": too long to be read ('liaison dump --stage=expr' has the formulas)");
        say(page, 2, &longer);
    }
    for (uint32_t d = 0; d < e->system->reduced->drive_count; d++) {
        const LiaDrive* drive = &e->system->reduced->drives[d];
        LiaText line = {0};
        lia_text_add(&line, "%s%s = ", name_of(page, drive->coordinate), drive->rate ? "'" : "");
        add_formula(page, &line, drive->law);
        lia_text_add(&line, "   (driven)");
        say(page, 2, &line);
    }
}

static void add_forces(Page* page) {
    const LiaSystem* s = page->e->system;
    const LiaFormulas* f = &page->e->formulas;
    bool any = false, missing = false;
    for (uint32_t r = 0; r < s->row_count; r++) {
        if (s->rows[r].identical || s->rows[r].follows) continue;
        if (f->force && f->force[r].index) {
            if (!any) begin_section(page, "forces");
            any = true;
            LiaText name = {0};
            lia_expr_print(page->e->geometry->graph,
                           lia_graph_symbol(page->e->geometry->graph, LIA_SYMBOL_MULTIPLIER, r),
                           &name);
            bool unique = page->e->classes.constraints[s->rows[r].constraint].unique;
            if (!unique) lia_text_add(&name, " (not unique)");
            if (name.data) add_definition(page, name.data, f->force[r]);
            lia_text_clear(&name);
        } else {
            missing = true;
        }
    }
    if (missing && f->available) {
        if (!any) begin_section(page, "forces");
        lia_text_add(
            page->out, "  %smultipliers are solved in numbers%s\n", any ? "the other " : "",
            page->e->classes.regular ? ", from (J M^-1 Omega^T) mu = -(gamma + J M^-1 (Q - h))"
                                     : "");
    }
}

static void add_choices(Page* page) {
    const LiaSystem* s = page->e->system;
    const char* at = page->e->choices.data;
    if (s->choice_count == 0 && !at) return;
    begin_section(page, "choices");
    for (uint32_t i = 0; i < s->choice_count && i < LINES_MOST; i++) {
        lia_text_add(page->out, "  %s\n", s->choices[i]);
    }
    while (at && *at) {
        size_t length = strcspn(at, "\n");
        lia_text_add(page->out, "  %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

// --- at a state --------------------------------------------------------------------------------

static void add_cell(LiaText* cells, double x) {
    if (isfinite(x)) {
        lia_text_add_short(cells, x == 0.0 ? 0.0 : x, DIGITS);
    } else {
        lia_text_add(cells, "-");
    }
    lia_text_add(cells, "\t");
}

static void print_table(Page* page, LiaText* cells, const char* align) {
    lia_table_print(cells, align, 1, 0, ink(page, "\x1b[2m"), ink(page, "\x1b[0m"), page->out);
    lia_text_clear(cells);
}

static void add_state(Page* page) {
    const LiaFields* f = &page->e->fields;
    LiaText cells = {0}, title = {0};
    lia_text_add(&title, "at t = ");
    lia_text_add_short(&title, page->e->t, DIGITS);
    begin_section(page, title.data ? title.data : "at a state");
    lia_text_clear(&title);
    lia_text_add(&cells, "\tposition\tvelocity%s\n", f->p ? "\tmomentum" : "");
    for (uint32_t i = 0; i < page->e->system->n && i < LINES_MOST; i++) {
        lia_text_add(&cells, "%s\t", name_of(page, i));
        add_cell(&cells, f->q ? f->q[i] : page->e->q[i]);
        LiaText unused = {0};
        double rate;
        bool has_rate = lia_state_text_velocity(page->e->system->model, f->q ? f->q : page->e->q,
                                                f->v ? f->v : page->e->v, i, &unused, &rate);
        lia_text_clear(&unused);
        add_cell(&cells, has_rate ? rate : NAN);  // of a rotation: omega
        if (f->p) add_cell(&cells, f->p[i]);
        lia_text_add(&cells, "\n");
    }
    print_table(page, &cells, "lppp");
}

// The fields side by side; columns that are zero everywhere are left out.
static void add_field_table(Page* page) {
    static const struct {
        LiaFieldId id;
        const char* name;
    } columns[] = {{LIA_FIELD_D_Y, "D_Y"},  {LIA_FIELD_D_0, "D_0"}, {LIA_FIELD_MINUS_X_K, "-X_K"},
                   {LIA_FIELD_H_Y, "H(Y)"}, {LIA_FIELD_ETA, "eta"}, {LIA_FIELD_Z, "-Z"},
                   {LIA_FIELD_Q, "Q"}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const LiaFields* f = &page->e->fields;
    const LiaModel* model = page->e->system->model;
    bool shown[COLUMNS] = {false};
    for (int k = 0; k < COLUMNS; k++) {
        const double* rows = f->field[columns[k].id];
        shown[k] = columns[k].id == LIA_FIELD_D_Y || (columns[k].id == LIA_FIELD_D_0 && rows);
        for (uint32_t r = 0; rows && r < f->rows; r++) shown[k] |= rows[r] != 0.0;
    }
    LiaText cells = {0};
    for (int k = 0; k < COLUMNS; k++) {
        if (shown[k]) lia_text_add(&cells, "\t%s", columns[k].name);
    }
    lia_text_add(&cells, "\n");
    for (uint32_t r = 0; r < f->rows && r < 2 * LINES_MOST; r++) {
        lia_text_add(&cells, r < f->n ? "%s'\t" : "p(%s)'\t",
                     name_of(page, r < f->n ? r : f->x[r - f->n]));
        for (int k = 0; k < COLUMNS; k++) {
            if (!shown[k]) continue;
            double x = f->field[columns[k].id][r];
            add_cell(&cells, columns[k].id == LIA_FIELD_Z ? -x : x);
        }
        lia_text_add(&cells, "\n");
    }
    for (uint32_t c = 0; c < model->groups_count && c < LINES_MOST; c++) {
        if (model->groups[c].manifold != LIA_ROTATION) continue;
        for (int i = 0; i < 6; i++) {  // in space axes
            lia_text_add(&cells, i < 3 ? "omega(%s).%c\t" : "p(%s).%c'\t", model->groups[c].name,
                         "xyz"[i % 3]);
            for (int k = 0; k < COLUMNS; k++) {
                double turn[2][3];
                if (!shown[k]) continue;
                lia_fields_turn(f, model->groups[c].first, f->field[columns[k].id], turn[0],
                                turn[1]);
                double x = turn[i / 3][i % 3];
                add_cell(&cells, columns[k].id == LIA_FIELD_Z ? -x : x);
            }
            lia_text_add(&cells, "\n");
        }
    }
    lia_text_add(page->out, "\n");
    print_table(page, &cells, "lppppppp");
    if (f->rows > 2 * LINES_MOST) {
        lia_text_add(page->out, "  ... and %u more (all of them with --json)\n",
                     f->rows - 2 * LINES_MOST);
    }
}

static void add_operator_forces(Page* page) {
    const LiaFields* f = &page->e->fields;
    LiaText cells = {0};
    if (f->nb == 0) return;
    lia_text_add(page->out, "\n  force on what operators govern, term by term\n");
    lia_text_add(&cells, "\tinertia\ttheta_uu\tpotential\tshape_pp\ttheta_pu\tgyro\trest\ttotal\n");
    for (uint32_t a = 0; a < f->nb && a < LINES_MOST; a++) {
        const LiaOperatorForce* o = &f->lambda[a];
        lia_text_add(&cells, "%s\t", name_of(page, o->coordinate));
        const double terms[] = {o->inertia,
                                o->theta_uu,
                                o->potential,
                                o->shape_pp,
                                o->theta_pu,
                                o->gyro,
                                o->linear - o->applied - o->reactions,
                                o->total};
        for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) add_cell(&cells, terms[k]);
        lia_text_add(&cells, "\n");
    }
    print_table(page, &cells, "lpppppppp");
}

static void add_connection(Page* page) {
    const LiaFields* f = &page->e->fields;
    LiaText cells = {0};
    if (f->nb == 0) return;
    lia_text_add(page->out, "\n  h0 = ");
    lia_text_add_short(page->out, f->h0, DIGITS);
    lia_text_add(page->out, ", K_Y = ");
    lia_text_add_short(page->out, f->K_Y, DIGITS);
    lia_text_add(page->out, ", E = ");
    lia_text_add_short(page->out, f->energy, DIGITS);
    lia_text_add(page->out,
                 "\n\n  kinetic connection A (rows: fibre) and metric Theta (rows: base)\n");
    for (uint32_t a = 0; a < f->nb && a < 8; a++)
        lia_text_add(&cells, "\t%s'", name_of(page, f->base[a]));
    lia_text_add(&cells, "\n");
    for (uint32_t j = 0; j < f->nf && j < LINES_MOST; j++) {
        lia_text_add(&cells, "A(%s)\t", name_of(page, f->fibre[j]));
        for (uint32_t a = 0; a < f->nb && a < 8; a++) add_cell(&cells, f->A[j * f->nb + a]);
        lia_text_add(&cells, "\n");
    }
    for (uint32_t c = 0; c < f->nb && c < LINES_MOST; c++) {
        lia_text_add(&cells, "Theta(%s)\t", name_of(page, f->base[c]));
        for (uint32_t a = 0; a < f->nb && a < 8; a++) add_cell(&cells, f->Theta[c * f->nb + a]);
        lia_text_add(&cells, "\n");
    }
    print_table(page, &cells, "lpppppppp");
    for (uint32_t j = 0; f->F && j < f->nf && j < 8; j++) {
        for (uint32_t a = 0; a < f->nb && a < 8; a++) {
            for (uint32_t b = a + 1; b < f->nb && b < 8; b++) {
                lia_text_add(page->out, "  curvature F(%s; %s, %s) = ", name_of(page, f->fibre[j]),
                             name_of(page, f->base[a]), name_of(page, f->base[b]));
                lia_text_add_short(page->out, f->F[((size_t)j * f->nb + a) * f->nb + b], DIGITS);
                lia_text_add(page->out, "\n");
            }
        }
    }
}

static void add_fields(Page* page) {
    const LiaFields* f = &page->e->fields;
    add_state(page);
    if (!f->field[LIA_FIELD_D_Y]) {
        lia_text_add(page->out, "  no motion: %s\n", f->why ? f->why : "it cannot be computed");
        return;
    }
    add_field_table(page);
    LiaText line = {0};
    if (f->split) {
        lia_text_add(&line, "D_Y = D_0 - X_K + H(Y) + eta - Z%s holds within ",
                     f->has_Q ? " + Q" : "");
    } else {
        lia_text_add(&line, "not split (%s); D_Y = Y + X_R holds within ", f->why);
    }
    lia_text_add_short(&line, f->defect, 2);
    lia_text_add(&line, " of the largest term, compared with the multiplier form");
    say(page, 2, &line);
    if (f->split) {
        add_operator_forces(page);
        add_connection(page);
    }
}

void lia_explain_text(LiaExplanation* e, const LiaTextStyle* style, LiaText* out) {
    Page page = {out, e, style ? *style : (LiaTextStyle){0}};
    add_head(&page);
    add_dimensions(&page);
    add_constraints(&page);
    add_energy(&page);
    add_symmetries(&page);
    add_hamiltonian(&page);
    add_motion(&page);
    add_forces(&page);
    add_choices(&page);
    if (e->has_state) add_fields(&page);
}

char* lia_explain(const LiaSystem* system, const LiaExplainOptions* options, LiaDiags* diags) {
    LiaExplainOptions given = options ? *options : (LiaExplainOptions){0};
    LiaExplanation e;
    LiaText out = {0};
    if (lia_explanation_make(system, given.at_start, given.at, given.samples, diags, &e) ==
        LIA_OK) {
        switch (given.format) {
        case LIA_EXPLAIN_JSON:
            lia_explain_json(&e, &out);
            break;
        case LIA_EXPLAIN_LATEX:
            lia_explain_latex(&e, &out);
            break;
        case LIA_EXPLAIN_TEXT:
            lia_explain_text(&e, &given.style, &out);
        }
    }
    lia_explanation_clear(&e);
    if (out.failed) lia_text_clear(&out);
    return out.data;
}
