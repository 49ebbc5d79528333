// The holonomy of a loop, for people. For programs: holonomy_json.c.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "base/text/plain.h"
#include "lang/model.h"
#include "output/text/ink.h"
#include "output/text/table.h"
#include "study/holonomy/holonomy.h"
#include <math.h>
#include <string.h>

enum { DIGITS = 16, TURN_DIGITS = 12, FEW = 2 };

typedef struct Page {
    LiaText* out;
    const LiaHolonomy* h;
    LiaTextStyle style;
} Page;

static void add_head(Page* page) {
    const LiaHolonomy* h = page->h;
    const LiaModel* model = h->system->model;
    lia_text_add(page->out, "%s%s%s: a loop of ", lia_ink(&page->style, LIA_INK_BOLD), model->name,
                 lia_ink(&page->style, LIA_INK_PLAIN));
    for (size_t a = 0; a < h->base_count; a++) {
        lia_text_add(page->out, "%s", a ? ", " : "");
        lia_holonomy_base_name(h, a, page->out);
    }
    lia_text_add(page->out, " in t = ");
    lia_text_add_short(page->out, h->t0, 10);
    lia_text_add(page->out, "..");
    lia_text_add_short(page->out, h->t1, 10);
    lia_text_add(page->out, "\n");
}

static bool is_apart(double a, double b) {
    return fabs(a - b) > LIA_HOLONOMY_AGREES * (1.0 + fabs(a));
}

typedef enum Way { LINE, AREA, MOMENTUM, DYNAMICS } Way;

static double by(const LiaHolonomyPart* p, Way way) {
    const double all[] = {p->line, p->area, p->momentum, p->dynamics};
    return all[way];
}

// The largest difference of two ways; NAN: there is nothing to compare.
static double largest(const LiaHolonomy* h, Way one, Way other, bool* apart) {
    double most = NAN;
    for (size_t i = 0; i < h->count; i++) {
        double a = by(&h->parts[i], one), b = by(&h->parts[i], other);
        if (isnan(a) || isnan(b)) continue;
        most = fmax(most, fabs(b - a));  // NaN is left out
        *apart = *apart || is_apart(a, b);
    }
    return most;
}

static void add_lift(Page* page) {
    const LiaHolonomy* h = page->h;
    if (h->lift == LIA_LIFT_DONE) return;
    if (h->lift == LIA_LIFT_CONTRADICTS) {
        lia_text_add(page->out, "\n  there is no lift of the whole loop: it contradicts the other "
                                "equations\n");
        return;
    }
    lia_text_add(page->out, "\n  there is no lift of the whole loop: it %s t = ",
                 h->lift == LIA_LIFT_RUNS_AWAY ? "runs away after" : "is not determined at");
    lia_text_add_short(page->out, h->lift_end, 10);
    lia_text_add(page->out, "\n");
}

static void add_area_verdict(Page* page) {
    bool apart = false;
    double most = largest(page->h, LINE, AREA, &apart);
    LiaText* out = page->out;
    if (page->h->no_area) {
        lia_text_add(out, "  area: not known: %s\n", page->h->no_area);
    } else if (!isnan(most)) {
        lia_text_add(out, "  line and area %s: they differ by at most ",
                     apart ? "DIFFER" : "agree");
        lia_text_add_short(out, most, FEW);
        lia_text_add(out, apart ? "; the refinement has not ended (the last columns: by how much "
                                  "it changed them last)\n"
                                : "\n");
    }
}

static void add_dynamics_verdict(Page* page) {
    const LiaHolonomy* h = page->h;
    LiaText* out = page->out;
    bool apart = false;
    double most = largest(h, LINE, DYNAMICS, &apart);
    if (!h->motion || h->motion->status != LIA_OK) {
        lia_text_add(out, "  dynamics: not known: the motion %s\n",
                     h->motion ? "ends before the loop is closed" : "could not begin");
        if (h->why.data) lia_text_add(out, "%s", h->why.data);
        if (h->motion && lia_trajectory_reason(h->motion))
            lia_text_add(out, "    %s\n", lia_trajectory_reason(h->motion));
        return;
    }
    if (isnan(most)) return;
    lia_text_add(out, "  line and dynamics %s: they differ by at most ",
                 apart ? "are two things here" : "agree");
    lia_text_add_short(out, most, FEW);
    lia_text_add(out, "\n");
    if (!apart) return;
    lia_text_add(out, "    momentum of the fibre does not stay 0: it comes to have ");
    lia_text_add_short(out, h->share, FEW);
    lia_text_add(out, " of the kinetic energy (a potential, other forces,\n"
                      "    a K_Y that is not constant on the fibres, or constraints through which "
                      "the base acts on it)\n");
}

static void add_momentum_verdict(Page* page) {
    const LiaHolonomy* h = page->h;
    bool apart = false;
    double most = largest(h, MOMENTUM, DYNAMICS, &apart);
    if (h->no_momentum) {
        lia_text_add(page->out, "  momentum equation: not known: %s\n", h->no_momentum);
    } else if (!isnan(most)) {
        lia_text_add(page->out, "  momentum equation and dynamics %s: they differ by at most ",
                     apart ? "DIFFER" : "agree");
        lia_text_add_short(page->out, most, FEW);
        lia_text_add(page->out, "\n");
    }
}

// In a narrow terminal fewer digits; what is rounding of numbers about 1 is 0.
static void add_number(const Page* page, LiaText* cells, double x) {
    enum { WIDE = 132, NARROW_DIGITS = 9 };
    bool narrow = page->style.width > 0 && page->style.width < WIDE;
    bool nothing = fabs(x) <= LIA_SUMMARY_ROUNDING;
    lia_table_number(cells, nothing ? 0.0 : x, narrow ? NARROW_DIGITS : DIGITS);
}

static const char* unit_of(const Page* page, const char* name) {
    const LiaModel* m = page->h->system->model;
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        if (strcmp(c->name, name) == 0)
            return c->unit ? c->unit : c->manifold == LIA_CIRCLE ? "rad" : NULL;
    }
    return NULL;
}

static void add_table(Page* page) {
    const LiaHolonomy* h = page->h;
    LiaText cells = {0};
    lia_ink_section(page->out, &page->style, "once round, without momentum");
    lia_text_add(&cells, "\tline\tarea\tmomentum\tdynamics\tchange (line)\tchange (area)\t\n");
    for (size_t i = 0; i < h->count; i++) {
        const LiaHolonomyPart* p = &h->parts[i];
        lia_text_add(&cells, "%s\t", p->name);
        add_number(page, &cells, p->line);
        add_number(page, &cells, p->area);
        add_number(page, &cells, p->momentum);
        add_number(page, &cells, p->dynamics);
        lia_table_number(&cells, p->line_error, FEW);
        lia_table_number(&cells, p->area_error, FEW);
        const char* unit = unit_of(page, p->name);
        lia_text_add(&cells, "%s%s\n", unit ? "in " : "", unit ? unit : "");
    }
    lia_table_inked(page->out, &page->style, &cells, "lpppplll");
}

static void add_turns(Page* page) {
    const LiaHolonomy* h = page->h;
    for (size_t i = 0; i < h->turn_count; i++) {
        const LiaHolonomyTurn* turn = &h->turns[i];
        lia_text_add(page->out, "  %s turns by ", turn->name);
        lia_text_add_short(page->out, turn->angle, TURN_DIGITS);
        lia_text_add(page->out, " rad; as a vector in body axes: [");
        for (int k = 0; k < 3; k++) {
            lia_text_add(page->out, "%s", k ? ", " : "");
            lia_text_add_short(page->out, turn->vector[k] + 0.0, TURN_DIGITS);
        }
        lia_text_add(page->out, "]\n");
    }
}

static void add_vector(LiaText* out, const double* x, int count) {
    lia_text_add(out, "[");
    for (int k = 0; k < count; k++) {
        lia_text_add(out, "%s", k ? ", " : "");
        lia_text_add_short(out, x[k] + 0.0, TURN_DIGITS);
    }
    lia_text_add(out, "]");
}

// The rigid motion: a turn about an axis, or a shift.
static void add_move(Page* page) {
    const LiaHolonomyMove* m = lia_holonomy_move(page->h);
    LiaText* out = page->out;
    if (!m) return;
    bool plane = strcmp(m->group, "SE(2)") == 0;
    lia_text_add(out, "  the whole moves in %s: it ", m->group);
    if (isnan(m->along)) {
        lia_text_add(out, "is shifted by ");
        add_vector(out, m->shift, plane ? 2 : 3);
        if (plane && m->plane[0]) lia_text_add(out, " in %s, %s", m->plane[0], m->plane[1]);
    } else {
        lia_text_add(out, "turns by ");
        lia_text_add_short(out, m->angle, TURN_DIGITS);
        lia_text_add(out, " rad about ");
        if (!plane) add_vector(out, m->axis, 3);
        if (!plane) lia_text_add(out, " through ");
        add_vector(out, m->centre, plane ? 2 : 3);
        if (plane && m->plane[0]) lia_text_add(out, ", from %s to %s", m->plane[0], m->plane[1]);
        if (!plane) {
            lia_text_add(out, ", and goes along it by ");
            lia_text_add_short(out, m->along, TURN_DIGITS);
        }
    }
    lia_text_add(out, "\n");
    if (m->left > LIA_HOLONOMY_AGREES) {
        lia_text_add(out,
                     "    and not the whole alone: coordinates of the fibre end elsewhere, by ");
        lia_text_add_short(out, m->left, FEW);
        lia_text_add(out, "\n");
    }
}

static void add_momentum(Page* page) {
    const LiaHolonomy* h = page->h;
    if (!h->momentum) return;
    lia_ink_section(page->out, &page->style, "once round, with the momentum of the start");
    if (!isnan(h->p)) {
        lia_text_add(page->out, "  momentum of %s: ", h->parts[0].name);
        lia_text_add_short(page->out, h->p, DIGITS);
        lia_text_add(page->out, "\n");
    }
    if (!h->moved || h->moved->status != LIA_OK) {
        lia_text_add(page->out, "  not known: %s\n",
                     h->moved ? "the motion ends before the loop is closed"
                              : "which momentum the loop begins with is told for a fibre of one "
                                "coordinate only");
        return;
    }
    LiaText cells = {0};
    lia_text_add(&cells, "\ttotal\tgeometric (line)\tdynamic: the rest\tby p/G\t\n");
    for (size_t i = 0; i < h->count; i++) {
        const LiaHolonomyPart* p = &h->parts[i];
        lia_text_add(&cells, "%s\t", p->name);
        lia_table_number(&cells, p->total, DIGITS);
        lia_table_number(&cells, p->line, DIGITS);
        lia_table_number(&cells, p->total - p->line, DIGITS);
        lia_table_number(&cells, p->dynamic, DIGITS);
        lia_text_add(&cells, "\n");
    }
    lia_table_inked(page->out, &page->style, &cells, "lpppp");
}

char* lia_output_holonomy(const LiaHolonomy* holonomy, const LiaTextStyle* style) {
    if (!holonomy) return NULL;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    Page page = {&out, holonomy, style ? *style : (LiaTextStyle){0}};
    add_head(&page);
    add_lift(&page);
    add_table(&page);
    lia_text_add(&out, "\n");
    add_turns(&page);
    add_move(&page);
    add_area_verdict(&page);
    add_dynamics_verdict(&page);
    add_momentum_verdict(&page);
    add_momentum(&page);
    lia_plain_make(&out, LIA_PLAIN_LINES | (page.style.colour ? LIA_PLAIN_COLOURS : 0));
    return lia_call_text(&call, &out);
}
