// Symmetries: whether the Lagrangian, the admissible states and the forces are carried along, and
// what follows for the momentum. See prose.h.
// SPDX-License-Identifier: MIT
#include "output/explain/found.h"
#include "output/explain/prose.h"
#include <math.h>

static void add_lagrangian(const LiaSymmetryClass* s, LiaText* line) {
    switch (s->lagrangian) {
    case LIA_INVARIANT_EVERYWHERE:
        lia_text_add(line, "the Lagrangian is invariant; ");
        return;
    case LIA_INVARIANT_ADMISSIBLE:
        lia_text_add(line, "the Lagrangian is invariant on admissible states only (elsewhere "
                           "xi(L) was up to ");
        break;
    case LIA_INVARIANT_NOT:
        lia_text_add(line, "the Lagrangian is not invariant (xi(L) was up to ");
    }
    lia_text_add_short(line, s->lagrangian_defect, 3);
    lia_text_add(line, "); ");
}

static void add_first_type(const LiaSymmetryClass* s, LiaText* line) {
    if (s->first_type) {
        lia_text_add(line,
                     "first type: the constraints are carried along, the system reduces to "
                     "dimension %u; ",
                     s->quotient);
        return;
    }
    lia_text_add(line, "not of the first type");
    if (s->lagrangian == LIA_INVARIANT_EVERYWHERE) {
        bool states = !s->states_carried;
        lia_text_add(line, " (the %s are not carried along, by ",
                     states ? "admissible states" : "forces");
        lia_text_add_short(line, states ? s->states_defect : s->forces_defect, 3);
        lia_text_add(line, " of the terms)");
    }
    lia_text_add(line, "; ");
}

static void add_momentum(const LiaSymmetryClass* s, LiaText* line) {
    if (s->second_type) {
        lia_text_add(line, "second type: no force acts along it, the momentum is constant");
    } else if (s->constant && s->forces_across) {
        lia_text_add(line, "not of the second type, and yet the momentum is constant: on "
                           "admissible states xi(L) = 0 and no force acts along it");
    } else if (s->constant) {
        lia_text_add(line, "not of the second type, and yet the momentum was found constant");
    } else {
        lia_text_add(line, "the momentum is not constant (its rate was up to ");
        lia_text_add_short(line, s->defect, 3);
        lia_text_add(line, " on the samples)");
        if (s->constant_here)
            lia_text_add(line, ", but it is on the side of the corners on which the motion begins");
    }
}

// --- the search --------------------------------------------------------------------------------

// "c: second type, ...; momentum = formula = value"
static void add_found(LiaProse* page, const LiaFound* f, const char* what) {
    LiaText line = {0};
    lia_search_text(&page->e->classes.search, f->c, &line);
    lia_text_add(&line, ": %s", what);
    LiaExpr momentum = lia_found_momentum(page->e, f);
    if (momentum.index) {
        lia_text_add(&line, f->energy != 0.0 ? "; E + (" : "; <p, xi> = ");
        lia_prose_formula(page, &line, momentum);
        if (f->energy != 0.0) lia_text_add(&line, ")");
    }
    if (!isnan(f->value)) {
        lia_text_add(&line, momentum.index ? ", at the start " : "; at the start it is ");
        lia_text_add_short(&line, f->value, 10);
    }
    lia_prose_say(page, 2, &line);
}

static uint32_t to_show(const LiaFoundList* list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        count += !list->found[i].declared && !list->found[i].empty;
    return count;
}

static void add_list(LiaProse* page, const LiaFoundList* list, bool second) {
    for (uint32_t i = 0, shown = 0; i < list->count && shown < LIA_PROSE_LINES; i++) {
        const LiaFound* f = &list->found[i];
        if (f->declared || f->empty) continue;
        const char* what = f->energy != 0.0 ? "moving energy: E + <p, xi> is constant"
                           : second && f->first_type
                               ? "second type, and of the first too: the momentum is constant"
                           : second ? "second type: the momentum is constant"
                                    : "the momentum is constant on admissible states, though of "
                                      "no second type";
        add_found(page, f, what);
        shown++;
    }
}

static void add_search(LiaProse* page) {
    const LiaSearch* s = &page->e->classes.search;
    if (!s->known) return;
    uint32_t count = to_show(&s->second) + to_show(&s->constant) + to_show(&s->moving);
    if (count == 0) return;
    LiaText line = {0};
    lia_prose_section(page, "found");
    lia_text_add(&line,
                 "%scombinations with constant coefficients of %u generators%s, at %u states and "
                 "confirmed at %u others:",
                 page->e->system->contact_count ? "while all contacts are open, " : "",
                 s->candidates.count,
                 s->candidates.declared ? " (the model's and evident ones)" : "",
                 s->states - s->confirmed, s->confirmed);
    lia_prose_say(page, 2, &line);
    add_list(page, &s->second, true);
    add_list(page, &s->constant, false);
    add_list(page, &s->moving, false);
}

// "2 momenta are constant whose coefficients depend on the position, ..."
static void add_gauge(LiaProse* page) {
    const LiaGauge* g = &page->e->classes.gauge;
    const LiaSearch* search = &page->e->classes.search;
    if (!g->known || g->beyond == 0) return;
    LiaText line = {0};
    lia_prose_section(page, "gauge momenta");
    lia_text_add(&line,
                 "%u moment%s constant with coefficients that depend on the position, %u of them "
                 "beyond constant coefficients. A group of %u generators of the first type leaves "
                 "%s; along the motion from the start they changed by ",
                 g->count, g->count == 1 ? "um is" : "a are", g->beyond, g->group,
                 g->shape ? "one dimension of the positions, the shape" : "no shape");
    lia_text_add_short(&line, g->drift, 2);
    lia_text_add(&line, " of their terms.%s At the start they are those of",
                 g->affine ? " A function of the shape is part of each, 0 at the start, since "
                             "equations are affine."
                           : "");
    lia_prose_say(page, 2, &line);
    for (uint32_t m = 0; m < g->count && m < LIA_PROSE_LINES; m++) {
        lia_search_text(search, g->c + (size_t)m * search->candidates.count, &line);
        lia_text_add(&line, ", value ");
        lia_text_add_short(&line, g->value[m], 10);
        lia_prose_say(page, 4, &line);
    }
}

static void add_declared(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    if (c->symmetry_count == 0) return;
    lia_prose_section(page, "symmetries");
    for (uint32_t i = 0; i < c->symmetry_count && i < LIA_PROSE_LINES; i++) {
        const LiaSymmetryClass* s = &c->symmetries[i];
        LiaText line = {0}, name = {0};
        lia_text_add(&name, "momentum(%s)", s->name);
        lia_prose_define_text(page, &name, s->momentum);
        if (c->samples == 0) {
            lia_text_add(&line, "nothing is decided, since no admissible state was found");
        } else {
            add_lagrangian(s, &line);
            add_first_type(s, &line);
            add_momentum(s, &line);
        }
        lia_prose_say(page, 4, &line);
    }
}

// "[spin[1], spin[2]] = -spin[3]"
static void add_products(const LiaClassification* c, LiaText* line) {
    const LiaMomentMap* m = &c->moment_map;
    bool any = false;
    for (uint32_t A = 0; A < m->count; A++) {
        for (uint32_t B = A + 1; B < m->count; B++) {
            const double* of = m->c + ((size_t)A * m->count + B) * m->count;
            bool first = true;
            for (uint32_t C = 0; C < m->count; C++) {
                if (of[C] == 0.0) continue;
                if (first)
                    lia_text_add(line, "%s[%s, %s] = ", any ? ", " : ": ",
                                 c->symmetries[m->symmetry[A]].name,
                                 c->symmetries[m->symmetry[B]].name);
                lia_text_add(line, first ? of[C] < 0.0 ? "-" : "" : of[C] < 0.0 ? " - " : " + ");
                if (fabs(of[C]) != 1.0) lia_text_add_short(line, fabs(of[C]), 10);
                lia_text_add(line, "%s%s", fabs(of[C]) != 1.0 ? "*" : "",
                             c->symmetries[m->symmetry[C]].name);
                first = false, any = true;
            }
        }
    }
    if (!any) lia_text_add(line, ": they commute");
}

// The symmetries that leave L unchanged as one group, J as one vector.
static void add_moment_map(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    const LiaMomentMap* m = &c->moment_map;
    LiaText line = {0};
    if (m->count == 0) return;
    if (!m->closed) {
        lia_text_add(&line,
                     "together those that leave the Lagrangian invariant are no group: a bracket "
                     "of them is no combination of them");
        lia_prose_say(page, 2, &line);
        return;
    }
    lia_text_add(&line, "together a Lie algebra of dimension %u", m->dimension);
    add_products(c, &line);
    lia_text_add(&line, "; J, in its dual, is equivariant");
    if (m->J) lia_text_add(&line, ", at the start [");
    for (uint32_t A = 0; m->J && A < m->count; A++) {
        lia_text_add(&line, A ? ", " : "");
        lia_text_add_short(&line, m->J[A], 10);
    }
    if (m->J) lia_text_add(&line, "]");
    lia_prose_say(page, 2, &line);
}

void lia_prose_symmetries(LiaProse* page) {
    add_declared(page);
    add_moment_map(page);
    add_search(page);
    add_gauge(page);
}
