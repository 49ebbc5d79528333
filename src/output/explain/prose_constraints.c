// Each constraint in the words of mechanics. See prose.h.
// SPDX-License-Identifier: MIT
#include "expr/reading/simplify.h"
#include "output/explain/prose.h"

// "sin(theta)*d(x) - cos(theta)*d(y)": a form as one writes it.
static void add_form(const LiaProse* page, LiaText* line, const LiaRow* row) {
    for (uint32_t e = 0; e < row->entries; e++) {
        LiaExpr f = lia_simplify(page->e->geometry->graph, row->Omega[e]);
        lia_prose_coefficient(page, line, f, e == 0);
        lia_text_add(line, "d(%s)", lia_prose_name(page, row->coordinate[e]));
    }
}

// Of attitudes, as it is written: all rows of one equation at once.
static void add_quote(LiaProse* page, const LiaRow* row, const LiaRow* before) {
    LiaText line = {0};
    if (before && before->span.begin == row->span.begin) return;
    lia_explain_quote(page->e, row->span, &line);
    lia_prose_say(page, 4, &line);
}

static void add_equations(LiaProse* page, uint32_t c) {
    const LiaSystem* s = page->e->system;
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        const LiaRow* row = &s->rows[r];
        LiaText line = {0};
        if (lia_system_is_slip(s, r)) continue;
        if (lia_explain_has_attitude(page->e, row->equation)) {
            add_quote(page, row, r > s->first_row[c] ? row - 1 : NULL);
            continue;
        }
        lia_prose_formula(page, &line, row->left);
        lia_text_add(&line, " = ");
        lia_prose_formula(page, &line, row->right);
        const char* why = row->by_mode ? "   (off at the start)" : "   (holds identically)";
        if (row->identical) lia_text_add(&line, "%s", why);
        lia_prose_say(page, 4, &line);
        if (row->identical) continue;
        lia_text_add(&line, "force along ");
        add_form(page, &line, row);
        if (line.length > 2 * LIA_FORMULA_LENGTH) {
            lia_text_clear(&line);
            lia_text_add(&line, "force along a form that is too long to be read");
        }
        lia_prose_say(page, 4, &line);
    }
}

// The name, and what is written in the model: a joint, or equations.
static void add_written(LiaProse* page, uint32_t index) {
    const LiaConstraintClass* c = &page->e->classes.constraints[index];
    const LiaConstraint* model = &page->e->system->model->constraints[index];
    const LiaJointFacts* joint = model->joint;
    lia_text_add(page->out, "  %s%s%s ", lia_prose_ink(page, LIA_INK_BOLD), c->name,
                 lia_prose_ink(page, LIA_INK_PLAIN));
    if (!joint) {
        lia_text_add(page->out, "(%s)\n",
                     model->active ? "operator"
                     : c->active   ? "constraint with a control: active"
                                   : "constraint");
        add_equations(page, index);
        return;
    }
    LiaText line = {0};
    lia_text_add(page->out, "(%s joint of %s and %s)\n", joint->kind, joint->bodies[0],
                 joint->bodies[1]);
    uint32_t left = joint->freedom - joint->taken;
    lia_text_add(&line, "leaves %u of %u parameters", left, joint->freedom);
    if (joint->velocities < left) {
        lia_text_add(&line, " and %u of %u velocities", joint->velocities, joint->freedom);
    }
    lia_text_add(&line, ": %u equation%s", c->equations, lia_prose_plural(c->equations));
    if (page->e->classes.samples > 0)
        lia_text_add(&line, ", %u independent among themselves", c->alone);
    lia_prose_say(page, 4, &line);
}

// Geometric or kinematic, holonomic or not; how many of its equations are independent.
static void add_kind(LiaProse* page, const LiaConstraintClass* c) {
    static const char* const linearities[] = {"linear", "affine", "nonlinear in the velocities"};
    LiaText line = {0};
    lia_text_add(&line, "%s, %s", c->geometric ? "geometric" : "kinematic",
                 c->geometric ? (c->linearity == LIA_AFFINE ? "moving with time" : "at rest")
                              : linearities[c->linearity]);
    if (!c->geometric) {
        lia_text_add(&line, ", %s",
                     lia_explain_verdict(c->holonomic, "holonomic (integrable with the others)",
                                         "not holonomic",
                                         "whether it is holonomic was not decided"));
    }
    if (page->e->classes.samples == 0) {
        lia_text_add(&line,
                     "; %u equation%s, how many are independent of those before is not known",
                     c->equations, lia_prose_plural(c->equations));
    } else if (c->equations > 1 || c->independent != c->equations) {
        lia_text_add(&line, "; %u equation%s, %u of them independent of those before", c->equations,
                     lia_prose_plural(c->equations), c->independent);
    }
    lia_prose_say(page, 4, &line);
}

static void add_force(LiaProse* page, const LiaConstraintClass* c) {
    static const char* const forces[] = {
        "ideal (its forces are along its own gradient)",
        "Chetaev (forces along its gradient by the velocities: a hypothesis)",
        "given independently of the equation"};
    LiaText line = {0};
    bool together = c->force == LIA_FORCE_GIVEN && page->e->classes.ideal_together;
    lia_text_add(&line, "forces: %s%s%s", forces[c->force],
                 together
                     ? ", but ideal with those of the other statements: all forces together are "
                       "along all gradients"
                     : "",
                 c->workless ? "; they do no work" : "; they can do work");
    lia_prose_say(page, 4, &line);
    if (!c->unique) {
        lia_text_add(page->out, "    its forces are not unique: others can stand for them; a run "
                                "shows those of least norm\n");
    }
}

static const char* word_of(const LiaOneSystem* one) {
    static const char* const words[] = {
        "neither holonomic nor linear in his words", "linear in his words",
        "semi-holonomic in his words (Y depends on positions alone)",
        "almost holonomic in his words (Y depends on the base alone)",
        "holonomic in his words (Y = 0)"};
    return words[one->word];
}

static uint32_t statements(const LiaClassification* classes) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < classes->constraint_count; i++)
        count += !classes->constraints[i].internal;
    return count;
}

// The left side is the velocity of a function f: perfect, Hamiltonian with h, (H0), (H). Where
// there are other statements, Dazord's word is said of all together.
static void add_dazord(LiaProse* page, uint32_t index) {
    const LiaConstraintClass* c = &page->e->classes.constraints[index];
    const LiaFormulas* formulas = &page->e->formulas;
    LiaText line = {0};
    bool alone = statements(&page->e->classes) == 1 && page->e->classes.one.equations > 0;
    lia_text_add(&line, "Dazord, by the left side: %s%s%s; %s",
                 alone ? word_of(&page->e->classes.one) : "", alone ? "; " : "",
                 lia_explain_verdict(c->perfect, "perfect", "imperfect", "perfect or not: open"),
                 lia_explain_verdict(c->hamiltonian, "Hamiltonian", "not Hamiltonian",
                                     "Hamiltonian or not: open"));
    if (formulas->h && formulas->h[index].index) {
        lia_text_add(&line, " with h = ");
        lia_prose_formula(page, &line, formulas->h[index]);
    } else if (c->hamiltonian == LIA_YES) {
        lia_text_add(&line, " (h is not written out: it is long, or of an attitude given as a "
                            "whole)");
    } else if (c->hamiltonian == LIA_UNKNOWN) {
        lia_text_add(&line, " (M has no inverse, so dY/dp is not known)");
    }
    lia_text_add(&line, "; (H0) %s, (H) %s", lia_explain_verdict(c->H0, "holds", "fails", "open"),
                 lia_explain_verdict(c->H, "holds", "fails",
                                     "open: det(J M^-1 df^T) has no value where M has no inverse"));
    lia_prose_say(page, 4, &line);
}

static void add_no_dazord(LiaProse* page, const LiaConstraintClass* c) {
    LiaText line = {0};
    lia_text_add(&line, c->submersion == LIA_NO
                            ? "Dazord: the left side is not the velocity of a function of the "
                              "configuration, so perfect, Hamiltonian and (H) have no meaning "
                              "for this way of writing it"
                            : "Dazord: nothing is decided, since no admissible state was found");
    lia_prose_say(page, 4, &line);
    if (c->H0 == LIA_NO) {
        lia_text_add(page->out, "    (H0) fails: fewer force directions than equations\n");
    }
}

// A number of the law of a contact, where it is said.
static void add_law(LiaProse* page, LiaText* line, const char* word, LiaExpr said, LiaExpr f) {
    if (!said.index) return;
    lia_text_add(line, "%s%s ", line->length ? ", " : "", word);
    lia_prose_formula(page, line, f);
}

// Its friction: all other verdicts are of the constraint without it.
static void add_rough(LiaProse* page, uint32_t index) {
    const LiaSystem* s = page->e->system;
    const LiaRoughLaw* law = s->model->constraints[index].rough;
    uint32_t k = 0;
    if (!law) return;
    while (s->rough[k].constraint != index) k++;
    const LiaRoughFormulas* of = &s->rough[k];
    LiaText line = {0};
    add_law(page, &line, "friction", law->friction, of->friction);
    add_law(page, &line, "static", law->friction_static, of->friction_static);
    lia_text_add(&line, " against ");
    lia_prose_formula(page, &line, s->rows[of->slip].left);
    lia_text_add(&line, ": what is said of its force is without friction");
    lia_prose_say(page, 4, &line);
}

// It holds one way: all other verdicts are of the motion while all contacts are open.
static const char* block_word(const LiaFrictionFormulas* block) {
    static const char* const words[] = {"slip", "rolling", "pivoting"};
    return words[block->kind];
}

// What a block of friction acts against.
static void add_block(LiaProse* page, const LiaFrictionFormulas* block) {
    LiaText line = {0};
    for (uint32_t r = block->row; r < block->row + block->rows; r++) {
        lia_text_add(&line, "%s ", block_word(block));
        lia_prose_formula(page, &line, page->e->system->rows[r].left);
        lia_prose_say(page, 4, &line);
    }
}

static void add_contact(LiaProse* page, uint32_t index) {
    const LiaSystem* s = page->e->system;
    const LiaConstraint* model = &s->model->constraints[index];
    const LiaContactLaw* law = model->contact;
    uint32_t k = 0;
    while (s->contacts[k].constraint != index) k++;
    const LiaContactFormulas* c = &s->contacts[k];
    lia_text_add(page->out, "  %s%s%s (contact)\n", lia_prose_ink(page, LIA_INK_BOLD), model->name,
                 lia_prose_ink(page, LIA_INK_PLAIN));
    LiaText line = {0};
    lia_prose_formula(page, &line, s->rows[c->row].left);
    lia_text_add(&line, " >= ");
    lia_prose_formula(page, &line, s->rows[c->row].right);
    lia_prose_say(page, 4, &line);
    for (uint32_t b = 0; b < c->blocks; b++) add_block(page, &c->block[b]);
    if (law->points > 1) {
        lia_text_add(&line, "this is %s; the same for the other %u points", c->name,
                     law->points - 1);
        lia_prose_say(page, 4, &line);
    }
    add_law(page, &line, "restitution", law->restitution, c->restitution);
    for (uint32_t b = 0; b < c->blocks; b++) {
        const LiaFrictionFormulas* block = &c->block[b];
        bool slip = block->kind == LIA_FRICTION_SLIP;
        add_law(page, &line, slip ? "friction" : block_word(block), block->kinetic, block->kinetic);
        if (slip) add_law(page, &line, "static", law->friction_static, block->most);
    }
    if (line.length) lia_prose_say(page, 4, &line);
    lia_text_add(&line, "holds one way: what is said elsewhere is of the motion while it is open");
    lia_prose_say(page, 4, &line);
}

// "begins with 'meet', ends with 'drop'". Is it off at the start?
static bool add_duration(LiaProse* page, uint32_t index) {
    const LiaModel* m = page->e->system->model;
    LiaDuration d = m->constraints[index].duration;
    LiaText line = {0};
    if (!lia_model_begins_or_ends(d)) return false;
    if (d.from) lia_text_add(&line, "begins with '%s'", m->events[d.from - 1].name);
    if (d.from && d.until) lia_text_add(&line, ", ");
    if (d.until) lia_text_add(&line, "ends with '%s'", m->events[d.until - 1].name);
    lia_text_add(&line, ": what is said is of the motion while it is %s", d.from ? "off" : "on");
    lia_prose_say(page, 4, &line);
    return d.from != 0;
}

static void add_constraint(LiaProse* page, uint32_t index) {
    const LiaConstraintClass* c = &page->e->classes.constraints[index];
    if (page->e->system->model->constraints[index].contact) {
        add_contact(page, index);
        add_duration(page, index);
        return;
    }
    add_written(page, index);
    add_rough(page, index);
    if (add_duration(page, index)) return;
    add_kind(page, c);
    add_force(page, c);
    if (c->submersion == LIA_YES) {
        add_dazord(page, index);
    } else {
        add_no_dazord(page, c);
    }
    if (c->degree > 0) {
        lia_text_add(page->out,
                     "    acts through other forces: its own appears after %u more derivative%s of "
                     "its equation, which are hidden equations\n",
                     c->degree, lia_prose_plural(c->degree));
    }
    if (c->eliminated) {
        lia_text_add(page->out, "    eliminated: the motion of what it drives is known beforehand, "
                                "its force follows\n");
    }
}

// All statements together as one map (Y, f, F), where there is more than one.
static void add_one_system(LiaProse* page, uint32_t count) {
    const LiaOneSystem* one = &page->e->classes.one;
    LiaText line = {0};
    if (count < 2 || one->equations == 0 || page->e->classes.samples == 0) return;
    lia_text_add(&line, "Dazord, all left sides together as one f%s%s%s: ",
                 one->other ? " (without '" : "", one->other ? one->other : "",
                 one->other ? "', whose left side is no velocity of a function)" : "");
    if (!one->other) lia_text_add(&line, "%s; ", word_of(one));
    lia_text_add(
        &line, "%s; %s; (H) %s",
        lia_explain_verdict(one->perfect, "perfect", "imperfect", "perfect or not: not known"),
        lia_explain_verdict(one->hamiltonian, "Hamiltonian", "not Hamiltonian",
                            "Hamiltonian or not: not known"),
        lia_explain_verdict(one->H, "holds", "fails", "not known"));
    lia_prose_say(page, 2, &line);
}

void lia_prose_constraints(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->constraint_count; i++) {
        if (c->constraints[i].internal) continue;
        if (count == 0) lia_prose_section(page, "constraints");
        if (count++ < LIA_PROSE_LINES) add_constraint(page, i);
    }
    if (count > LIA_PROSE_LINES) {
        lia_text_add(page->out, "  ... and %u more (all of them with --json)\n",
                     count - LIA_PROSE_LINES);
    }
    add_one_system(page, count);
}
