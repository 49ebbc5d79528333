// What a system consists of: rows, driven coordinates, lines of the ledger. See
// include/liaison/inventory.h.
// SPDX-License-Identifier: MIT
#include "base/facts.h"
#include "mechanics/system.h"

const LiaModel* lia_system_model(const LiaSystem* s) { return s ? s->model : NULL; }

size_t lia_system_rows(const LiaSystem* s) { return s ? s->row_count : 0; }

bool lia_system_row(const LiaSystem* s, size_t r, LiaRowInfo* info, size_t size) {
    if (r >= lia_system_rows(s)) return false;
    const LiaRow* row = &s->rows[r];
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    LiaRowInfo known = {.name = s->graph->names[LIA_SYMBOL_MULTIPLIER][r],
                        .constraint = c->internal ? LIA_NOWHERE : row->constraint,
                        .part = row->part,
                        .active = c->active,
                        .geometric = row->geometric,
                        .linear = row->linear,
                        .ideal = row->ideal,
                        .workless = row->workless,
                        .identical = row->identical,
                        .follows = row->follows};
    if (!c->internal)
        lia_diag_source_line_column(&s->model->text.source, row->span, &known.line, &known.column);
    return lia_facts_give(&known, sizeof known, info, size);
}

bool lia_system_rows_of(const LiaSystem* s, size_t constraint, size_t* first, size_t* count) {
    if (!s || !first || !count) return false;
    if (constraint >= lia_model_count(s->model, LIA_THING_CONSTRAINT)) return false;
    *first = s->first_row[constraint];
    *count = s->first_row[constraint + 1] - *first;
    return true;
}

bool lia_system_driven(const LiaSystem* s, size_t coordinate, size_t* row) {
    for (uint32_t k = 0; s && k < s->reduced->drive_count; k++) {
        if (s->reduced->drives[k].coordinate != coordinate) continue;
        if (row) *row = s->reduced->drive_row[k];
        return true;
    }
    return false;
}

// The line of the ledger that stands at this place among those that are shown; line_count beyond
// the last.
static uint32_t line_of(const LiaSystem* s, size_t line) {
    for (uint32_t l = 0; l < s->line_count; l++) {
        if (lia_system_line_internal(s, l)) continue;
        if (line-- == 0) return l;
    }
    return s->line_count;
}

size_t lia_system_lines(const LiaSystem* s) {
    size_t count = 0;
    for (uint32_t l = 0; s && l < s->line_count; l++) count += !lia_system_line_internal(s, l);
    return count;
}

bool lia_system_line(const LiaSystem* s, size_t i, LiaLineInfo* info, size_t size) {
    if (i >= lia_system_lines(s)) return false;
    const LiaPowerLine* line = &s->lines[line_of(s, i)];
    bool named = line->kind == LIA_LINE_CONSTRAINT || line->kind == LIA_LINE_OPERATOR ||
                 line->kind == LIA_LINE_FORCE;
    LiaLineInfo known = {.name = line->name,
                         .kind = line->kind,
                         .index = named ? line->index : LIA_NOWHERE,
                         .workless = lia_system_workless(s, (uint32_t)(line - s->lines))};
    return lia_facts_give(&known, sizeof known, info, size);
}
