// What a system is, in the words of mechanics and in numbers: the way that is asked for, and what
// the ways share.
// SPDX-License-Identifier: MIT
#include "output/explain/explain.h"
#include "base/memory/call.h"
#include "base/text/plain.h"
#include "expr/graph/evaluate.h"
#include "expr/reading/simplify.h"
#include <math.h>

bool lia_explain_is_inner(const LiaExplanation* explanation, uint32_t coordinate) {
    const LiaModel* model = explanation->system->model;
    uint32_t group = model->coordinates[coordinate].group;
    return (group && model->groups[group - 1].manifold != LIA_SPACE) ||
           model->coordinates[coordinate].inner;
}

bool lia_explain_has_attitude(const LiaExplanation* explanation, LiaExpr f) {
    const LiaGraph* g = explanation->geometry->graph;
    const LiaModel* model = explanation->system->model;
    LiaValues values;
    bool found = false;
    if (!lia_evaluate_init(&values, g, &f, 1)) return false;
    for (uint32_t k = 0; k < values.count && !found; k++) {
        const LiaNode* n = &g->nodes[values.nodes[k]];
        bool moves = n->op == LIA_OP_SYMBOL && (n->symbol_kind == LIA_SYMBOL_POSITION ||
                                                n->symbol_kind == LIA_SYMBOL_VELOCITY);
        found = moves && model->coordinates[n->a].manifold == LIA_ROTATION;
    }
    lia_evaluate_clear(&values);
    return found;
}

void lia_explain_quote(const LiaExplanation* explanation, LiaSpan span, LiaText* out) {
    const LiaSource* source = &explanation->system->model->text.source;
    bool gap = false, comment = false;
    for (size_t i = span.begin; source->text && i < span.end && i < source->length; i++) {
        char c = source->text[i];
        comment = c == '#' || (comment && c != '\n');
        bool white = comment || c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (!white) lia_text_add(out, "%s%c", gap ? " " : "", c);
        gap = white;
    }
}

bool lia_explain_is_long(const LiaExplanation* explanation, LiaExpr f) {
    return lia_simplify_length(explanation->geometry->graph, f) > 2 * LIA_FORMULA_LENGTH;
}

const LiaGroup* lia_explain_group(const LiaModel* model, const uint32_t* which, uint32_t count,
                                  uint32_t i) {
    uint32_t id = model->coordinates[which[i]].group;
    const LiaGroup* group = id ? &model->groups[id - 1] : NULL;
    if (!group || which[i] != group->first || group->count > count - i) return NULL;
    return which[i + group->count - 1] == group->first + group->count - 1 ? group : NULL;
}

const char* lia_explain_verdict(LiaVerdict v, const char* yes, const char* no, const char* open) {
    return v == LIA_YES ? yes : v == LIA_NO ? no : open;
}

LiaCoefficient lia_explain_coefficient(const LiaGraph* g, LiaExpr f, const LiaText* printed) {
    LiaNumber c;
    const LiaNode* node = lia_graph_node(g, f);
    bool sum = node->op == LIA_OP_ADD || node->op == LIA_OP_SUB;
    return (LiaCoefficient){.sum = sum,
                            .one = lia_graph_constant(g, f, &c) && fabs(c.value) == 1.0,
                            .minus = !sum && printed->data && printed->data[0] == '-'};
}

const char* lia_explain_joint(LiaCoefficient coefficient, bool first) {
    if (first) return coefficient.minus ? "-" : "";
    return coefficient.minus ? " - " : " + ";
}

const LiaFieldColumn lia_explain_columns[LIA_FIELD_COLUMNS] = {
    {LIA_FIELD_D_Y, "D_Y", "D_Y"},
    {LIA_FIELD_D_0, "D_0", "D_0"},
    {LIA_FIELD_MINUS_X_K, "-X_K", "-X_K"},
    {LIA_FIELD_H_Y, "H(Y)", "H(Y)"},
    {LIA_FIELD_ETA, "eta", "\\Lambda^\\sharp\\eta"},
    {LIA_FIELD_Z, "-Z", "-Z"},
    {LIA_FIELD_Q, "Q", "Q"}};

bool lia_explain_column_counts(const LiaFields* fields, int column) {
    LiaFieldId id = lia_explain_columns[column].id;
    const double* rows = fields->field[id];
    bool counts = id == LIA_FIELD_D_Y;
    for (uint32_t r = 0; rows && r < fields->rows; r++) counts |= rows[r] != 0.0;
    return counts;
}

double lia_explain_column_value(int column, double x) {
    return lia_explain_columns[column].id == LIA_FIELD_Z ? -x : x;
}

char* lia_explain(const LiaSystem* system, const LiaExplainOptions* options, LiaDiags* diags) {
    bool known = !options || (unsigned)options->format <= LIA_EXPLAIN_JSON;
    if (!system || !diags || !known) return NULL;
    if (options && !lia_call_knows_all(options->more, LIA_MORE - 1)) return NULL;
    LiaCall call = lia_call_begin_work(diags);
    LiaExplainOptions given = options ? *options : (LiaExplainOptions){0};
    LiaExplanation e;
    LiaText out = {0};
    LiaExplanationAsk ask = {
        .at_start = given.at_start, .at = given.at, .base = given.base, .look = given.samples};
    if (lia_explanation_make(system, &ask, diags, &e) == LIA_OK) {
        switch (given.format) {
        case LIA_EXPLAIN_JSON:
            lia_explain_json(&e, &out);
            break;
        case LIA_EXPLAIN_LATEX:
            lia_latex_explain(&e, &out);
            break;
        case LIA_EXPLAIN_TEXT:
            lia_prose_explain(&e, &given.style, &out);
        }
        lia_plain_make(&out, LIA_PLAIN_LINES | (given.style.colour ? LIA_PLAIN_COLOURS : 0));
    }
    lia_explanation_clear(&e);
    return lia_call_text(&call, &out);
}
