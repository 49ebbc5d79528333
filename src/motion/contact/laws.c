// Coefficients of friction that are formulas: numbers that are not negative, as long as the contact
// is closed. Those that the model gives as numbers were looked at when it was read.
// SPDX-License-Identifier: MIT
#include "motion/contact/laws.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/contacts.h"
#include "motion/contact/near.h"
#include "motion/verdict/verdict.h"
#include <math.h>

static LiaSpan span_of(const LiaSystem* s, uint32_t contact) {
    return s->model->constraints[s->contacts[contact].constraint].span;
}

static bool say_wrong(LiaRunner* run, uint32_t contact, double x) {
    const LiaSystem* s = run->contacts->base;
    const double t = run->w->t;
    const char* name = s->contacts[contact].name;
    if (!isfinite(x)) {
        lia_verdict(run, "E0403", span_of(s, contact), t,
                    "at t = %.10g a coefficient of friction of '%s' is not a number", t, name);
    } else {
        lia_verdict(run, "E0284", span_of(s, contact), t,
                    "at t = %.10g a coefficient of friction of '%s' is %.6g: it is never negative",
                    t, name, x);
    }
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
        double least = fmin(laws.kinetic[b], laws.most[b]);
        if (!isfinite(laws.kinetic[b]) || !isfinite(laws.most[b]))
            return say_wrong(run, contact, NAN);
        if (least < 0.0) return say_wrong(run, contact, least);
    }
    return false;
}

bool lia_laws_any_wrong(LiaRunner* run) {
    const LiaSystem* s = run->system;
    if (!lia_contact_rows_vary(run->contacts->formulas)) return false;
    for (uint32_t k = lia_near_next(run, 0); k < s->contact_count; k = lia_near_next(run, k + 1)) {
        if (s->mode.now[k] != LIA_MODE_OPEN && lia_laws_wrong(run, k)) return true;
    }
    return false;
}
