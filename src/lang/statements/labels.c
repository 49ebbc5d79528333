// What curves and columns are called, and their units.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"
#include <stdio.h>
#include <string.h>

// Is this one of the multipliers, force(NAME)? They are counted, in every output.
static bool is_multiplier(const LiaElaboration* e, LiaExpr term) {
    const LiaTerms* terms = &e->work.terms;
    return lia_graph_is_symbol(terms->graph, term, LIA_SYMBOL_REACTION) &&
           terms->quantities.items[lia_graph_node(terms->graph, term)->a].kind ==
               LIA_QUANTITY_FORCE;
}

const char* lia_labels_part(LiaElaboration* e, const char* name, const LiaValue* value,
                            uint32_t i) {
    static const char counted[] = "force(";  // a name of one's own for it is a vector like others
    bool multiplier = strncmp(name, counted, sizeof counted - 1) == 0 &&
                      is_multiplier(e, lia_value_at(&e->work, value, i));
    size_t size = strlen(name) + 32;
    char* label = lia_context_keep(e->context, size);
    if (lia_value_is_scalar(value)) {
        snprintf(label, size, "%s", name);
    } else if (value->cols > 1) {
        snprintf(label, size, "%s[%u,%u]", name, i / value->cols + 1, i % value->cols + 1);
    } else if (value->rows <= 3 && !multiplier) {
        snprintf(label, size, "%s.%c", name, "xyz"[i]);
    } else {
        snprintf(label, size, "%s[%u]", name, i + 1);
    }
    return label;
}

const char* lia_labels_unit(LiaElaboration* e, const LiaValue* value, LiaExpr term) {
    const LiaTerms* terms = &e->work.terms;
    uint32_t number = lia_graph_node(terms->graph, term)->a;
    if (lia_graph_is_symbol(terms->graph, term, LIA_SYMBOL_POSITION) &&
        e->draft.coordinates.items[number].unit) {
        return e->draft.coordinates.items[number].unit;  // as the user wrote it
    }
    bool force = is_multiplier(e, term);
    uint32_t constraint = force ? terms->quantities.items[number].index : 0;
    if (force && e->draft.constraints.items[constraint].force_unit) {
        return e->draft.constraints.items[constraint].force_unit;
    }
    bool angle = value->unit.state == LIA_UNIT_ANGLE;
    if (angle && lia_unit_is_plain(value->unit)) return "rad";
    if ((!angle && value->unit.state != LIA_UNIT_KNOWN) || lia_unit_is_plain(value->unit)) {
        return NULL;
    }
    const char* text = lia_unit_name(e->context, value->unit, !force);
    if (angle && text[0] == '1' && text[1] == '/') {  // rad/s
        char* turn = lia_context_scratch(e->context, strlen(text) + 8);
        sprintf(turn, "rad%s", text + 1);
        text = turn;
    }
    size_t size = strlen(text) + 1;
    return memcpy(lia_context_keep(e->context, size), text, size);
}
