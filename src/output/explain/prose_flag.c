// Holonomic or not: the growth of the distribution that all equations admit. See prose.h.
// SPDX-License-Identifier: MIT
#include "output/explain/prose.h"
#include <math.h>

static void add_growth(LiaText* line, const LiaGrowth* growth) {
    lia_text_add(line, "(");
    for (uint32_t i = 0; i < growth->steps; i++) {
        lia_text_add(line, "%s%u", i ? ", " : "", growth->rank[i]);
    }
    lia_text_add(line, growth->ended ? ")" : ", ...)");
}

static void add_vectors(LiaProse* page, const LiaFlag* f) {
    LiaText line = {0};
    lia_text_add(&line, "growth vector ");
    add_growth(&line, &f->lie);
    lia_text_add(&line, " (brackets with the admissible directions), derived flag ");
    add_growth(&line, &f->derived);
    lia_text_add(&line, ", in %u dimension%s%s", f->space, lia_prose_plural(f->space),
                 f->time ? ", time counted as one" : "");
    lia_prose_say(page, 2, &line);
    if (!f->has_start ||
        (lia_flag_same(&f->lie, &f->start_lie) && lia_flag_same(&f->derived, &f->start_derived))) {
        return;
    }
    lia_text_add(&line,
                 "at %s it grows otherwise: ", page->e->has_state ? "this state" : "the start");
    add_growth(&line, &f->start_lie);
    lia_text_add(&line, ", derived flag ");
    add_growth(&line, &f->start_derived);
    lia_prose_say(page, 2, &line);
}

// Brackets fill all directions, but not there: Chow's theorem says nothing.
static bool fewer_at_start(const LiaFlag* f) {
    const LiaGrowth* start = &f->start_lie;
    return f->has_start && start->steps > 0 && start->rank[start->steps - 1] < f->space;
}

static void add_consequence(LiaProse* page, const LiaFlag* f) {
    LiaText line = {0};
    uint32_t broken = f->kinematic - f->integrable;
    lia_text_add(&line, "of %u independent kinematic equation%s ", f->kinematic,
                 lia_prose_plural(f->kinematic));
    if (f->integrable > 0) {
        bool one = f->integrable == 1;
        lia_text_add(&line, "%u combination%s holonomic (", f->integrable, one ? " is" : "s are");
        if (f->proved) {
            lia_text_add(&line, "proved by %s)", one ? "its function" : "their functions");
        } else {
            lia_text_add(&line, "no bracket leaves %s, at %u places)", one ? "it" : "them",
                         f->places);
        }
    }
    if (broken > 0) {
        lia_text_add(&line, "%s%u %s not holonomic: brackets leave %s, by at least ",
                     f->integrable ? ", " : "", broken, broken == 1 ? "is" : "are",
                     broken == 1 ? "it" : "them");
        lia_text_add_short(&line, f->margin, 3);
        lia_text_add(&line, " of a direction");
    }
    lia_prose_say(page, 2, &line);
    if (f->integrable == 0 && !f->time && fewer_at_start(f)) {
        lia_text_add(&line,
                     "at %s brackets do not give all directions: whether any two positions can be "
                     "joined by a motion is not known",
                     page->e->has_state ? "this state" : "the start");
    } else if (f->integrable == 0 && !f->time) {
        lia_text_add(&line, "any two positions can be joined by a motion that the equations admit "
                            "(Chow)");
    } else if (f->integrable == 0) {
        lia_text_add(&line, "no function of positions and time is kept by every motion that the "
                            "equations admit");
    } else {
        lia_text_add(&line,
                     "the positions%s fall into leaves of codimension %u, which no admissible "
                     "motion leaves",
                     f->time ? " with time" : "", f->integrable);
    }
    lia_prose_say(page, 2, &line);
}

// What operators can bring about, whatever they do.
static void add_driftless(LiaProse* page, const LiaFlag* f) {
    const LiaDriftless* d = &f->driftless;
    LiaText line = {0};
    if (!d->known) return;
    lia_text_add(
        &line, "driftless part (%s%s%s): growth vector ",
        d->operators ? "operators move as they like" : "", d->operators && d->affine ? ", " : "",
        d->affine ? "without the velocities that affine equations ask for by themselves" : "");
    add_growth(&line, &d->growth);
    lia_text_add(&line, " in %u dimension%s, ", d->space, lia_prose_plural(d->space));
    if (d->integrable > 0) {
        lia_text_add(&line, "leaves of codimension %u, which no such motion leaves", d->integrable);
    } else {
        lia_text_add(&line, "any two positions can be joined by such a motion (Chow)");
        bool alone = d->rank == page->e->classes.dimensions.base_rank && !d->affine;
        if (alone) lia_text_add(&line, "; the operators alone decide which");
    }
    lia_prose_say(page, 2, &line);
}

// "a - b: 2*w is kept"
static void add_integrals(LiaProse* page, const LiaFlag* f) {
    const LiaSystem* s = page->e->system;
    for (uint32_t c = 0; c < f->combinations && c < LIA_PROSE_LINES; c++) {
        LiaText line = {0}, sum = {0};
        uint32_t terms = 0;
        for (uint32_t r = 0; r < s->row_count; r++) {
            double x = f->coefficient[(size_t)c * s->row_count + r];
            const LiaConstraint* one = &s->model->constraints[s->rows[r].constraint];
            if (x == 0.0) continue;
            lia_text_add(&sum, terms == 0 ? (x < 0 ? "-" : "") : (x < 0 ? " - " : " + "));
            if (fabs(x) != 1.0) {
                lia_text_add_short(&sum, fabs(x), 6);
                lia_text_add(&sum, "*");
            }
            lia_text_add(&sum, one->equation_count > 1 ? "%s[%u]" : "%s", one->name,
                         s->rows[r].part + 1);
            terms++;
        }
        lia_text_add(&line, "%s (%s): ", terms > 1 ? "the combination" : "the equation",
                     sum.data ? sum.data : "");
        lia_text_clear(&sum);
        if (f->integral[c].index) {
            lia_text_add(&line, "every admissible motion keeps ");
            lia_prose_formula(page, &line, f->integral[c]);
        } else {
            lia_text_add(&line, "it keeps a function that has no formula here");
        }
        lia_prose_say(page, 2, &line);
    }
}

// The values of functions without a formula, and that a motion keeps them.
static void add_leaf(LiaProse* page, const LiaFlag* f) {
    const LiaLeaf* leaf = &f->leaf;
    LiaText line = {0};
    if (!leaf->known || f->proved) return;
    lia_text_add(&line,
                 "by quadrature: where all other coordinates%s are as at the start, the leaf "
                 "of the start has",
                 f->time ? " and time" : "");
    for (uint32_t b = 0; b < leaf->count && b < LIA_PROSE_LINES; b++) {
        lia_text_add(&line, "%s %s = ", b ? "," : "", lia_prose_name(page, leaf->coordinate[b]));
        lia_text_add_short(&line, leaf->value[b], 10);
    }
    lia_text_add(&line, "; from %u position%s of the motion, to t = ", leaf->positions,
                 lia_prose_plural(leaf->positions));
    lia_text_add_short(&line, leaf->t, 6);
    lia_text_add(&line, ", %s found again within ", leaf->count > 1 ? "these are" : "that is");
    lia_text_add_short(&line, leaf->drift, 2);
    lia_text_add(&line, " of %s", leaf->count > 1 ? "their terms" : "its terms");
    lia_prose_say(page, 2, &line);
}

static void add_bracket_table(LiaProse* page, const LiaPseudoPoisson* b) {
    LiaText line = {0};
    if (!b->written) return;
    for (uint32_t a = 0; a < b->count; a++) {
        lia_text_add(&line, "P%u is the momentum of %s", a + 1, b->field[a] ? b->field[a] : "...");
        lia_prose_say(page, 2, &line);
    }
    for (uint32_t a = 0, pair = 0; a < b->count; a++) {
        for (uint32_t c = a + 1; c < b->count; c++, pair++) {
            lia_text_add(&line, "{P%u, P%u} = ", a + 1, c + 1);
            if (b->bracket[pair]) {
                lia_text_add(&line, "%s", b->bracket[pair]);
            } else {
                for (uint32_t k = 0; k < b->count; k++) {
                    lia_text_add(&line, k ? " + (" : "(");
                    lia_text_add_short(&line, b->part[pair * b->count + k], 6);
                    lia_text_add(&line, ")*P%u", k + 1);
                }
                lia_text_add(&line, b->constant[pair] != 0.0 ? " + (" : "");
                if (b->constant[pair] != 0.0) lia_text_add_short(&line, b->constant[pair], 6);
                lia_text_add(&line, b->constant[pair] != 0.0 ? ")" : "");
                lia_text_add(&line, " at the start");
            }
            lia_prose_say(page, 2, &line);
        }
    }
}

// What the motion has beyond {., H}.
static void add_missing(LiaProse* page, const LiaPseudoPoisson* b) {
    const LiaModel* model = page->e->system->model;
    LiaText line = {0}, list = {0};
    for (uint32_t i = 0; i < page->e->system->n; i++) {
        if (b->missing[i] == 0.0 || model->coordinates[i].manifold == LIA_ROTATION) continue;
        lia_text_add(&list, "%s%s' = ", list.length ? ", " : "", lia_prose_name(page, i));
        lia_text_add_short(&list, b->missing[i], 6);
    }
    lia_text_add(&line,
                 list.length ? "the motion is not {., H}: at the start its velocity has also %s"
                             : "the motion is not {., H}: it has also a velocity that the "
                               "equations ask for by themselves",
                 list.data ? list.data : "");
    lia_text_clear(&list);
    lia_prose_say(page, 2, &line);
}

// The pseudo-Poisson tensor on D, and whether it is Poisson: so exactly if the constraints, of
// affine ones the linear part, are holonomic.
static void add_bracket(LiaProse* page) {
    const LiaPseudoPoisson* b = &page->e->classes.flag.bracket;
    const LiaFlag* f = &page->e->classes.flag;
    if (!b->known || !f->known || f->kinematic == 0) return;
    LiaText line = {0};
    lia_prose_section(page, "bracket on D");
    add_bracket_table(page, b);
    lia_text_add(&line, b->poisson ? "Poisson: Jacobi's identity holds"
                                   : "not Poisson: Jacobi's "
                                     "identity fails by up to ");
    if (!b->poisson) lia_text_add_short(&line, b->largest, 3);
    if (!b->poisson) lia_text_add(&line, " of a bracket");
    bool holonomic = f->integrable == f->kinematic;
    if (!f->time) {  // else the theorem is about the linear part alone
        lia_text_add(&line,
                     b->poisson == holonomic ? ", as it must where the constraints are %s"
                     : b->poisson ? " as far as this test sees; by their flag, which is finer, the "
                                    "constraints are %s"
                                  : ", which contradicts that the constraints are %s",
                     holonomic ? "holonomic" : "not holonomic");
    }
    lia_prose_say(page, 2, &line);
    if (!b->motion) add_missing(page, b);
}

void lia_prose_flag(LiaProse* page) {
    const LiaFlag* f = &page->e->classes.flag;
    if (!f->known && !f->why) return;
    lia_prose_section(page, "holonomic or not");
    if (!f->known) {
        lia_text_add(page->out, "  growth vector: not known, %s\n", f->why);
        return;
    }
    add_vectors(page, f);
    if (f->kinematic > 0) add_consequence(page, f);
    add_driftless(page, f);
    add_integrals(page, f);
    add_leaf(page, f);
    add_bracket(page);
}
