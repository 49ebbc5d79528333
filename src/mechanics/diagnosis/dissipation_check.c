// A dissipation that can hardly be meant: dD/dv_i other than zero and without velocities. D is
// linear in v_i, and its force a constant one, which feeds energy in as well: the square was
// forgotten.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "mechanics/build.h"
#include <stdlib.h>

static void say(const LiaSystem* s, LiaSpan span, uint32_t i, LiaDiags* diags) {
    const char* x = s->model->coordinates[i].name;
    lia_diag_warning(diags, span, "W0226", "the dissipation is linear in %s'", x);
    lia_diag_help(
        diags,
        "a damper has a square, c/2*%s'^2, dry friction is nu*abs(%s'); a force that does "
        "not depend on velocities is a 'force'",
        x, x);
}

bool lia_dissipation_check_build(LiaSystem* s, LiaResolver* resolver, LiaDiags* diags) {
    const LiaModel* m = s->model;
    LiaExpr* slope = lia_memory_zeros((size_t)s->n + 1, sizeof *slope);
    bool good = slope != NULL;
    for (uint32_t k = 0; good && k < m->dissipations_count; k++) {
        LiaExpr D = lia_resolve_term(resolver, m->dissipations[k].term);
        good = D.index && lia_diff_gradient(s->graph, D, s->v, s->n, slope);
        for (uint32_t i = 0; good && i < s->n; i++) {
            bool moves = lia_graph_node(s->graph, slope[i])->depends & LIA_DEPENDS(VELOCITY);
            if (moves || lia_graph_is_zero(s->graph, slope[i])) continue;
            say(s, m->dissipations[k].span, i, diags);
            break;  // one is enough
        }
    }
    free(slope);
    return good;
}
