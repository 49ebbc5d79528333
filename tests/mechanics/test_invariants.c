// What the borders assert: it holds for every model that was read and every system that was built,
// and not where something of it is broken. And the stages of a workspace, one after the other.
//
// Tests: mechanics/system_invariants.c
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/stage.h"
#include "mechanics/kkt/workspace.h"
#include "support/cases.h"
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "parameter l = 1\n"
                           "coordinate x, y, s : line\n"
                           "kinetic (s^2*x'^2 + y'^2 + s'^2)/2\n"
                           "potential 9.81*y\n"
                           "constraint rod: x^2 + y^2 = l^2\n"
                           "operator drive: s = sin(t)\n"
                           "start x = 0.6, y = -0.8\n"
                           "run t = 0..1\n";

typedef struct Built {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
} Built;

static Built build(void) {
    Built b = {.diags = lia_diags_create()};
    assert_int_equal(lia_model_parse("m", text, strlen(text), NULL, b.diags, &b.model), LIA_OK);
    assert_int_equal(lia_system_build(b.model, NULL, b.diags, &b.system), LIA_OK);
    return b;
}

static void clear(Built* b) {
    lia_system_destroy(b->system);
    lia_model_destroy(b->model);
    lia_diags_destroy(b->diags);
}

static void a_broken_model_is_seen(void) {
    Built b = build();
    assert_true(lia_model_invariants_hold(b.model));
    LiaModel broken = *b.model;
    LiaGraph* graph = lia_graph_copy(b.model->graph);
    assert_non_null(graph);
    broken.graph = graph;
    int seen = 0;
    for (uint32_t i = 1; i < graph->count; i++) {  // each argument after its node, one by one
        LiaNode kept = graph->nodes[i];
        if (lia_op_arity((LiaOp)kept.op) == 0) continue;
        graph->nodes[i].a = i;
        assert_false(lia_model_invariants_hold(&broken));
        graph->nodes[i] = kept;
        seen++;
    }
    assert_true(seen > 5);
    assert_true(lia_model_invariants_hold(&broken));
    broken.coordinates_count = 2;  // s is spoken of
    assert_false(lia_model_invariants_hold(&broken));
    broken = *b.model;
    broken.constraints = NULL;
    assert_false(lia_model_invariants_hold(&broken));
    lia_graph_destroy(graph);
    clear(&b);
}

static void a_broken_system_is_seen(void) {
    Built b = build();
    LiaSystem* s = b.system;
    assert_true(lia_system_invariants_hold(s));
    assert_true(s->reduced->drive_count == 1);
    uint32_t kept = s->full->free[0];
    s->full->free[0] = s->full->free[1];  // no coordinate is unknown twice
    assert_false(lia_system_invariants_hold(s));
    s->full->free[0] = kept;
    kept = s->rows[1].part;
    s->rows[1].part++;
    assert_false(lia_system_invariants_hold(s));
    s->rows[1].part = kept;
    int column = s->full->J.column[0];
    s->full->J.column[0] = (int)s->full->nf;
    assert_false(lia_system_invariants_hold(s));
    s->full->J.column[0] = column;
    s->row_count--;
    assert_false(lia_system_invariants_hold(s));
    s->row_count++;
    assert_true(lia_system_invariants_hold(s));
    clear(&b);
}

static void a_workspace_goes_through_its_stages(void) {
    Built b = build();
    LiaWorkspace* w = lia_workspace_create(b.system, b.system->full, 4);
    assert_non_null(w);
    assert_int_equal(w->stage, LIA_WORKSPACE_EMPTY);
    w->q[0] = 0.6, w->q[1] = -0.8, w->q[2] = w->v[2] = 1.0;
    lia_workspace_load(w, 4);
    assert_int_equal(w->stage, LIA_WORKSPACE_LOADED);
    lia_workspace_residuals(w);
    assert_int_equal(w->stage, LIA_WORKSPACE_RESIDUALS);
    lia_workspace_matrices(w);
    assert_int_equal(w->stage, LIA_WORKSPACE_RESIDUALS);
    assert_true(lia_workspace_factor(w));
    assert_int_equal(w->stage, LIA_WORKSPACE_FACTORED);
    lia_stage_accelerate(w);
    lia_stage_series(w, 4);
    assert_int_equal(w->stage, LIA_WORKSPACE_ACCELERATED);
    lia_workspace_load(w, 4);
    lia_workspace_residuals(w);
    lia_workspace_stage0(w);  // with the K0 there is
    assert_int_equal(w->stage, LIA_WORKSPACE_FACTORED);
    w->q[0] = w->q[1] = 0.0;  // the rod has no direction here
    lia_workspace_load(w, 4);
    lia_workspace_residuals(w);
    assert_true(lia_workspace_factor(w));  // without that row, which is none here
    assert_int_equal(w->nr, 1);
    w->q[2] = 0.0;  // nothing holds x, and it has no inertia: K0 is singular
    lia_workspace_load(w, 4);
    lia_workspace_residuals(w);
    assert_false(lia_workspace_factor(w));
    assert_int_equal(w->stage, LIA_WORKSPACE_RESIDUALS);
    lia_workspace_destroy(w);
    clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_broken_model_is_seen),
        TEST(a_broken_system_is_seen),
        TEST(a_workspace_goes_through_its_stages),
    };
    return TESTS_RUN(tests);
}
