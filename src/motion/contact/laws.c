// Coefficients that are formulas. Those of friction are numbers that are not negative, as long as
// what they belong to has a force; those of restitution lie in 0..1 where it is struck. Those that
// the model gives as numbers were looked at when it was read.
// SPDX-License-Identifier: MIT
#include "motion/contact/laws.h"
#include "base/numeric/thresholds.h"
#include "mechanics/rough/rough.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/contacts.h"
#include "motion/contact/impact/impact.h"
#include "motion/contact/near.h"
#include "motion/contact/rough/rough_values.h"
#include "motion/verdict/verdict.h"
#include <math.h>

// What a coefficient belongs to.
typedef struct Place {
    const char *of, *name;  // 'friction', and of which statement
    LiaSpan span;
} Place;

static Place place_of(const LiaSystem* s, uint32_t constraint, const char* of) {
    const LiaConstraint* c = &s->model->constraints[constraint];
    return (Place){.of = of, .name = c->name, .span = c->span};
}

static bool say_wrong(LiaRunner* run, Place at, double x, const char* should) {
    const double t = run->w->t;
    if (!isfinite(x)) {
        lia_verdict(run, "E0403", at.span, t,
                    "at t = %.10g a coefficient of %s of '%s' is not a number", t, at.of, at.name);
    } else {
        lia_verdict(run, "E0284", at.span, t,
                    "at t = %.10g a coefficient of %s of '%s' is %.6g: it is never %s", t, at.of,
                    at.name, x, should);
    }
    return true;
}

static bool friction_wrong(LiaRunner* run, uint32_t constraint, double kinetic, double most) {
    double least = isfinite(kinetic) && isfinite(most) ? fmin(kinetic, most) : NAN;
    if (least >= 0.0) return false;
    say_wrong(run, place_of(run->contacts->base, constraint, "friction"), least, "negative");
    lia_verdict_help(run, "begin elsewhere, end the run before that time, or bound the formula: "
                          "max(0, ...)");
    return true;
}

bool lia_laws_wrong(LiaRunner* run, uint32_t contact) {
    LiaContactRowFormulas* formulas = run->contacts->formulas;
    const LiaContactFormulas* c = &run->contacts->base->contacts[contact];
    LiaContactLaws laws;
    if (!lia_contact_rows_varies(formulas, contact) ||
        !lia_contact_rows_laws(formulas, contact, run->w, &laws))
        return false;
    for (uint32_t b = 0; b < c->blocks; b++) {
        if (friction_wrong(run, c->constraint, laws.kinetic[b], laws.most[b])) return true;
    }
    return false;
}

// In the state before the impact; of a contact that was closed up to a corner it is not asked.
static bool restitution_wrong(LiaRunner* run, uint32_t contact) {
    const LiaSystem* s = run->contacts->base;
    LiaContactLaws laws;
    if (run->contacts->begins.quiet[contact] ||
        !lia_contact_rows_laws(run->contacts->formulas, contact, run->w, &laws))
        return false;
    double e = laws.restitution;
    if (e >= -LIA_RESTITUTION_OFF && e <= 1.0 + LIA_RESTITUTION_OFF) return false;
    say_wrong(run, place_of(s, s->contacts[contact].constraint, "restitution"), e,
              e > 1.0 ? "more than 1" : "negative");
    lia_verdict_help(run, "bound the formula: min(1, max(0, ...))");
    return true;
}

bool lia_laws_struck_wrong(LiaRunner* run, const struct LiaResponse* r, const unsigned* phases) {
    for (int k = 0; k < r->at_rest.contacts; k++) {
        bool struck = phases[k] & LIA_IMPACT_COMPRESSED;
        if (struck && lia_laws_wrong(run, r->touching[k])) return true;
        if (struck && restitution_wrong(run, r->touching[k])) return true;
    }
    return false;
}

static bool any_rough_wrong(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    if (!lia_rough_values_vary(run)) return false;
    for (uint32_t k = 0; k < s->rough_count; k++) {
        if (!lia_rough_is_on(run->system, k)) continue;
        LiaRoughLaws laws = lia_rough_values_laws(run, k);
        if (friction_wrong(run, s->rough[k].constraint, laws.kinetic, laws.most)) return true;
    }
    return false;
}

bool lia_laws_any_wrong(LiaRunner* run) {
    const LiaSystem* s = run->system;
    if (any_rough_wrong(run)) return true;
    if (!lia_contact_rows_vary(run->contacts->formulas)) return false;
    for (uint32_t k = lia_near_next(run, 0); k < s->contact_count; k = lia_near_next(run, k + 1)) {
        if (s->mode.now[k] != LIA_MODE_OPEN && lia_laws_wrong(run, k)) return true;
    }
    return false;
}
