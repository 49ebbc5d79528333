// rolling e [about e], pivoting e [about e], of a contact: friction against turning.
//
//   contact floor: z - r >= 0 slip x' - r*phi' friction 0.3 rolling 0.002 about phi'
//   contact floor: sphere(ball, r) on plane(ground) friction 0.3 rolling 0.002 pivoting 0.001
//
// Each is a length; the couple is at most that length times N, against the angular velocity that
// `about` says, of shapes the relative one. Its equations stand after those of the slip: they hold
// while it does not turn.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"

typedef struct Clause {
    const char* word;
    LiaCode length, about;
    LiaSlipWords words;
} Clause;

enum { ROLLING, PIVOTING, CLAUSES };

static bool is_said(LiaCode code) { return code.end > code.begin; }

static Clause clause_of(const LiaStatement* s, int i) {
    const LiaContactSyntax* c = &s->contact;
    if (i == ROLLING)
        return (Clause){"rolling",
                        c->rolling,
                        c->rolling_about,
                        {.what = "what rolls",
                         .most = 2,
                         .shape = "a number, or a vector of two: angular velocities",
                         .meaning = "an angular velocity",
                         .help = "write how fast one turns against the other: 'about phi''"}};
    return (Clause){"pivoting",
                    c->pivoting,
                    c->pivoting_about,
                    {.what = "what pivots",
                     .most = 1,
                     .shape = "a number: the angular velocity about the normal",
                     .meaning = "an angular velocity",
                     .help = "write how fast one turns against the other: 'about psi''"}};
}

bool lia_resistance_clauses_fit(LiaElaboration* e, const LiaStatement* s) {
    LiaDiags* diags = e->context->diags;
    for (int i = 0; i < CLAUSES; i++) {
        Clause c = clause_of(s, i);
        if (!is_said(c.length)) continue;
        if (s->joint && is_said(c.about)) {
            lia_diag_error(diags, c.about.span, "E0287",
                           "the angular velocity of two shapes is known: that of the first body "
                           "against the second");
            lia_diag_help(diags, "leave 'about' out");
            return false;
        }
        if (!s->joint && !is_said(c.about)) {
            lia_diag_error(diags, c.length.span, "E0285",
                           "'%s' acts against an angular velocity, and none is said", c.word);
            lia_diag_help(diags, "write '%s 0.001 about phi'', the angular velocity", c.word);
            return false;
        }
    }
    return true;
}

// A length whose couple does the power length N about: in units length about = gap'.
static LiaExpr take_length(LiaElaboration* e, const Clause* c, uint32_t bindings, LiaUnit gap,
                           LiaUnit about) {
    static const LiaSetting setting = {LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) |
                                           LIA_DEPENDS(QUANTITY),
                                       "the law of a contact", NULL, NULL};
    LiaValue value = lia_machine_run(e, c->length, &setting, bindings), wanted = value;
    double x = 0.0;
    if (!lia_value_need_scalar(&e->work, &value, "a resistance")) return (LiaExpr){0};
    if (lia_value_peek(&e->work, &value, &x) && !(x >= 0.0)) {
        lia_diag_error(e->context->diags, c->length.span, "E0284",
                       "the length of '%s' is %.6g: it is never negative", c->word, x);
        return (LiaExpr){0};
    }
    LiaUnit common;
    wanted.unit = lia_unit_product(lia_unit_per_second(gap), about, -1);
    if (!lia_unit_sum(wanted.unit, value.unit, &common)) {
        lia_value_say_units(&e->work, &wanted, &value);
        return (LiaExpr){0};
    }
    return lia_value_at(&e->work, &value, 0);
}

static void put_length(LiaContactLaw* law, int i, LiaExpr length) {
    if (i == ROLLING) law->rolling = length;
    if (i == PIVOTING) law->pivoting = length;
}

bool lia_resistance_clauses_take(LiaElaboration* e, const LiaStatement* s, uint32_t bindings,
                                 LiaUnit gap, LiaContactLaw* law, LiaEquation* equations) {
    size_t errors = lia_diags_errors(e->context->diags);
    uint32_t at = 1 + law->slips;
    for (int i = 0; i < CLAUSES; i++) {
        Clause c = clause_of(s, i);
        if (!is_said(c.length)) continue;
        LiaValue about = lia_friction_clauses_slip(e, c.about, bindings, &c.words, equations + at);
        if (about.kind == LIA_VALUE_POISON) return false;
        *(i == ROLLING ? &law->rolls : &law->pivots) = lia_value_count(&about);
        at += lia_value_count(&about);
        put_length(law, i, take_length(e, &c, bindings, gap, about.unit));
        if (lia_diags_errors(e->context->diags) > errors) return false;
    }
    return true;
}

bool lia_resistance_clauses_lengths(LiaElaboration* e, const LiaStatement* s, uint32_t bindings,
                                    LiaUnit gap, LiaContactLaw* law) {
    size_t errors = lia_diags_errors(e->context->diags);
    for (int i = 0; i < CLAUSES; i++) {
        Clause c = clause_of(s, i);
        LiaUnit about = lia_unit_per_second(lia_unit_angle());
        if (gap.state == LIA_UNIT_UNKNOWN) about = lia_unit_unknown();
        if (is_said(c.length)) put_length(law, i, take_length(e, &c, bindings, gap, about));
    }
    return lia_diags_errors(e->context->diags) == errors;
}
