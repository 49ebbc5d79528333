// The holonomy of a loop, for programs. For people: holonomy_text.c.
//
// The keys of the JSON and their order are a promise:
//
//   model t0 t1 base lift lift_end fibre turns no_area share momentum dynamics
//
// `turns` has an object per attitude of the fibre: angle and vector, see LiaHolonomyTurn.
// `lift` is done, runs away or undetermined. `fibre` has an object per coordinate with line,
// line_error, area, area_error, dynamics, total, dynamic: see LiaHolonomyPart; null: not known.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "lang/model.h"
#include "output/text/escape.h"
#include "study/holonomy/holonomy.h"
#include <math.h>

static void add_member(LiaText* out, const char* key, double x) {
    lia_escape_add(out, ", %s: %g", key, x);
}

static void add_part(LiaText* out, const LiaHolonomyPart* p) {
    lia_escape_add(out, "%s: {\"line\": %g", p->name, p->line);
    add_member(out, "line_error", p->line_error);
    add_member(out, "area", p->area);
    add_member(out, "area_error", p->area_error);
    add_member(out, "dynamics", p->dynamics);
    add_member(out, "total", p->total);
    add_member(out, "dynamic", p->dynamic);
    lia_text_add(out, "}");
}

static void add_turns(LiaText* out, const LiaHolonomy* h) {
    lia_text_add(out, "},\n \"turns\": {");
    for (size_t i = 0; i < h->turn_count; i++) {
        lia_text_add(out, "%s", i ? ", " : "");
        lia_escape_add(out, "%s: {\"angle\": %g, \"vector\": ", h->turns[i].name,
                       h->turns[i].angle);
        for (int k = 0; k < 3; k++) {
            lia_text_add(out, k ? ", " : "[");
            lia_escape_number(out, h->turns[i].vector[k]);
        }
        lia_text_add(out, "]}");
    }
    lia_text_add(out, "}");
}

char* lia_output_holonomy_json(const LiaHolonomy* h) {
    if (!h) return NULL;
    static const char* const lifts[] = {"done", "runs away", "undetermined", "stopped"};
    const LiaModel* model = h->system->model;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    lia_escape_add(&out, "{\"model\": %s", model->name);
    add_member(&out, "t0", h->t0);
    add_member(&out, "t1", h->t1);
    lia_text_add(&out, ", \"base\": [");
    for (size_t a = 0; a < h->base_count; a++) {
        lia_text_add(&out, "%s", a ? ", " : "");
        lia_escape_json(&out, model->coordinates[h->base[a]].name);
    }
    lia_text_add(&out, "],\n \"lift\": \"%s\"", lifts[h->lift]);
    add_member(&out, "lift_end", lia_holonomy_lift_end(h));
    lia_text_add(&out, ",\n \"fibre\": {");
    for (size_t i = 0; i < h->count; i++) {
        lia_text_add(&out, "%s", i ? ",\n  " : "");
        add_part(&out, &h->parts[i]);
    }
    add_turns(&out, h);
    lia_escape_add(&out, ",\n \"no_area\": %s", h->no_area);
    add_member(&out, "share", h->share);
    add_member(&out, "momentum", h->momentum ? h->p : 0.0);
    lia_escape_add(&out, ", \"dynamics\": %s}",
                   h->motion ? lia_trajectory_status(h->motion) : NULL);
    return lia_call_text(&call, &out);
}
