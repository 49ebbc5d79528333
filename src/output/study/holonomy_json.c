// The holonomy of a loop, for programs. For people: holonomy_text.c.
//
// The keys of the JSON and their order are a promise:
//
//   model t0 t1 base lift lift_end fibre turns move no_area no_momentum share momentum dynamics
//
// `move` is null or the rigid motion of the whole, see LiaHolonomyMove.
// `turns` has an object per attitude of the fibre: angle and vector, see LiaHolonomyTurn.
// `lift` is done, runs away, undetermined or contradicts (other equations). `fibre` has an object
// per coordinate with line, line_error, area, area_error, dynamics, total, dynamic, momentum: see
// LiaHolonomyPart; null: not known.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "lang/model.h"
#include "output/text/escape.h"
#include "study/holonomy/holonomy.h"
#include <math.h>

static void add_part(LiaText* out, const LiaHolonomyPart* p) {
    lia_escape_add(out, "%s: {\"line\": %g, \"line_error\": %g, \"area\": %g, \"area_error\": %g",
                   p->name, p->line, p->line_error, p->area, p->area_error);
    lia_escape_add(out, ", \"dynamics\": %g, \"total\": %g, \"dynamic\": %g, \"momentum\": %g}",
                   p->dynamics, p->total, p->dynamic, p->momentum);
}

static void add_vector(LiaText* out, const double x[3]) {
    lia_escape_add(out, "[%g, %g, %g]", x[0], x[1], x[2]);
}

static void add_move(LiaText* out, const LiaHolonomyMove* m) {
    if (!m) {
        lia_text_add(out, ",\n \"move\": null");
        return;
    }
    lia_escape_add(out, ",\n \"move\": {\"group\": %s, \"angle\": %g, \"axis\": ", m->group,
                   m->angle);
    add_vector(out, m->axis);
    lia_text_add(out, ", \"centre\": ");
    add_vector(out, m->centre);
    lia_escape_add(out, ", \"along\": %g, \"shift\": ", m->along);
    add_vector(out, m->shift);
    lia_escape_add(out, ", \"left\": %g", m->left);
    if (m->plane[0]) lia_escape_add(out, ", \"plane\": [%s, %s]", m->plane[0], m->plane[1]);
    lia_text_add(out, "}");
}

static void add_turns(LiaText* out, const LiaHolonomy* h) {
    lia_text_add(out, "},\n \"turns\": {");
    for (size_t i = 0; i < h->turn_count; i++) {
        lia_text_add(out, "%s", i ? ", " : "");
        lia_escape_add(out, "%s: {\"angle\": %g, \"vector\": ", h->turns[i].name,
                       h->turns[i].angle);
        add_vector(out, h->turns[i].vector);
        lia_text_add(out, "}");
    }
    lia_text_add(out, "}");
}

char* lia_output_holonomy_json(const LiaHolonomy* h) {
    if (!h) return NULL;
    static const char* const lifts[] = {"done", "runs away", "undetermined", "contradicts",
                                        "stopped"};
    const LiaModel* model = h->system->model;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    lia_escape_add(&out, "{\"model\": %s, \"t0\": %g, \"t1\": %g, \"base\": [", model->name, h->t0,
                   h->t1);
    for (size_t a = 0; a < h->base_count; a++) {
        lia_text_add(&out, "%s", a ? ", " : "");
        LiaText name = {0};
        lia_holonomy_base_name(h, a, &name);
        lia_escape_json(&out, name.data);
        lia_text_clear(&name);
    }
    lia_escape_add(&out, "],\n \"lift\": %s, \"lift_end\": %g,\n \"fibre\": {", lifts[h->lift],
                   lia_holonomy_lift_end(h));
    for (size_t i = 0; i < h->count; i++) {
        lia_text_add(&out, "%s", i ? ",\n  " : "");
        add_part(&out, &h->parts[i]);
    }
    add_turns(&out, h);
    add_move(&out, lia_holonomy_move(h));
    lia_escape_add(&out, ",\n \"no_area\": %s, \"no_momentum\": %s", h->no_area, h->no_momentum);
    lia_escape_add(&out, ", \"share\": %g, \"momentum\": %g, \"dynamics\": %s}", h->share,
                   h->momentum ? h->p : 0.0, h->motion ? lia_trajectory_status(h->motion) : NULL);
    return lia_call_text(&call, &out);
}
