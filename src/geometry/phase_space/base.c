// The statements whose left sides are the base. See base.h.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/base.h"
#include <string.h>

static bool is_named(const char* name, const char* text, size_t length) {
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

LiaStatus lia_base_read(const LiaSystem* s, const char* names, LiaDiags* diags, bool* chosen) {
    const LiaModel* model = s->model;
    for (const char* at = names; *at;) {
        at += strspn(at, " ,");
        size_t length = strcspn(at, " ,");
        bool found = length == 0;
        for (uint32_t c = 0; c < model->constraints_count; c++) {
            const LiaConstraint* one = &model->constraints[c];
            if (one->internal || !is_named(one->name, at, length)) continue;
            chosen[c] = found = true;
        }
        if (!found) {
            lia_diag_error(diags, (LiaSpan){0}, "E0350",
                           "'%.*s' is no constraint, operator or joint of this model", (int)length,
                           at);
            lia_diag_help(diags, "--base takes the names of statements, separated by commas");
            return LIA_MODEL;
        }
        at += length;
    }
    return LIA_OK;
}

static bool contains_time(const LiaGeometry* y, LiaExpr f) {
    return (lia_graph_node(y->graph, f)->depends & LIA_DEPENDS(TIME)) != 0;
}

// Its fibres: terms of time alone, as in x - sin(t) = 0, are none of the function.
static bool differential_has_time(const LiaGeometry* y, LiaExpr f) {
    const LiaSystem* s = y->system;
    bool velocities = (lia_graph_node(y->graph, f)->depends & LIA_DEPENDS(VELOCITY)) != 0;
    for (uint32_t i = 0; i < s->n; i++) {
        LiaExpr slope = lia_diff(y->graph, f, velocities ? s->v[i] : s->q[i]);
        if (!slope.index || contains_time(y, slope)) return true;
    }
    return false;
}

// A left side whose differential contains time is a function of the configuration only at one
// instant; that of an attitude set equal to another vanishes there, and has the attitude for its
// fibres.
static bool is_function(const LiaGeometry* y, const LiaRow* row) {
    if (row->identical) return false;
    return row->turn || !contains_time(y, row->left) || !differential_has_time(y, row->left);
}

uint32_t lia_base_rows(const LiaGeometry* y, const LiaConstraintClass* constraints,
                       const bool* chosen, uint32_t* rows) {
    const LiaSystem* s = y->system;
    uint32_t count = 0;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaConstraintClass* c = &constraints[s->rows[r].constraint];
        bool set = c->active && !(c->control && !c->geometric);  // a control in it: its leaves
        bool wanted = chosen ? chosen[s->rows[r].constraint] : set;
        if (wanted && !c->internal && c->submersion == LIA_YES && is_function(y, &s->rows[r])) {
            rows[count++] = r;
        }
    }
    return count;
}
