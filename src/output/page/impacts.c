// Impacts in pictures. See impacts.h.
// SPDX-License-Identifier: MIT
#include "output/page/impacts.h"
#include "base/memory/memory.h"
#include "output/text/escape.h"
#include <stdlib.h>
#include <string.h>

enum { IMPACTS_MOST = 2000 };  // of one page, the first ones: it stays small

// --- rows ---------------------------------------------------------------------------------------

// 1 + the contact of an event with an impulse; 0: it is none.
static uint32_t contact_of(const LiaScene* scene, const LiaEventRecord* event) {
    const LiaSystem* s = scene->system;
    if (event->kind != LIA_EVENT_IMPACT || !event->impulse || !event->state) return 0;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        if (s->contacts[k].name == event->name) return k + 1;
    }
    return 0;
}

// The last sample up to a time. Events come in the order of time: it is looked for from `from` on.
static size_t sample_at(const LiaScene* scene, double t, size_t from) {
    const LiaTrajectory* run = scene->trajectory;
    double sign = run->t1 < run->t0 ? -1.0 : 1.0;
    while (from + 1 < scene->rows && sign * (lia_scene_row(scene, from + 1)[0] - t) <= 0.0) from++;
    return from;
}

// What the event does not say is that of the sample.
static void fill_row(const LiaScene* scene, const LiaEventRecord* event, uint32_t contact,
                     const double* sample, double* row) {
    const LiaTrajectory* run = scene->trajectory;
    const LiaSystem* s = scene->system;
    const LiaContactFormulas* c = &s->contacts[contact];
    size_t at = 0;
    memcpy(row, sample, run->column_count * sizeof *row);
    row[0] = event->t;
    for (size_t k = 0; k < run->column_count; k++) {
        const LiaColumn* column = &run->columns[k];
        bool state = column->kind == LIA_COLUMN_POSITION || column->kind == LIA_COLUMN_VELOCITY;
        if (state && k < run->csv_count) row[k] = event->state[at++];
        if (column->kind != LIA_COLUMN_FORCE) continue;
        uint32_t of = s->first_row[column->index] + column->part;
        bool own = of >= c->row && of - c->row < event->impulse_count;
        row[k] = own ? event->impulse[of - c->row] : 0.0;
    }
}

bool lia_impacts_take(LiaScene* scene) {
    const LiaTrajectory* run = scene->trajectory;
    size_t count = 0, width = run->column_count, sample = 0;
    if (scene->rows == 0 || scene->system->contact_count == 0) return true;
    for (size_t i = 0; i < run->events.count && count < IMPACTS_MOST; i++) {
        count += contact_of(scene, &run->events.list[i]) > 0;
    }
    if (count == 0) return true;
    scene->impacts = LIA_ARENA_NEW(scene->arena, LiaSceneImpact, count);
    scene->impact_rows = LIA_ARENA_NEW(scene->arena, double, count* width);
    if (!scene->impacts || !scene->impact_rows) return false;
    for (size_t i = 0; i < run->events.count && scene->impact_count < count; i++) {
        uint32_t contact = contact_of(scene, &run->events.list[i]);
        if (contact == 0) continue;
        sample = sample_at(scene, run->events.list[i].t, sample);
        fill_row(scene, &run->events.list[i], contact - 1, lia_scene_row(scene, sample),
                 scene->impact_rows + scene->impact_count * width);
        scene->impacts[scene->impact_count++] = (LiaSceneImpact){i, contact};
    }
    return true;
}

// --- as JSON ------------------------------------------------------------------------------------

static void add_vector(LiaText* out, const char* key, const double* x) {
    lia_text_add(out, ", \"%s\": [", key);
    for (int k = 0; k < 3; k++) {
        lia_text_add(out, k > 0 ? ", " : "");
        lia_escape_number(out, x[k]);
    }
    lia_text_add(out, "]");
}

// A place and an arrow of an item at an impact, by formulas or by numbers that were given.
static bool numbers_at(LiaScene* scene, const LiaSceneItem* item, size_t impact, double* x) {
    size_t row = scene->rows + impact;
    LiaExpr formulas[6];
    memcpy(formulas, item->at, sizeof item->at);
    memcpy(formulas + 3, item->to, sizeof item->to);
    if (!lia_scene_values(scene, formulas, 6, &row, 1, x)) return false;
    for (int k = 0; k < 3; k++) {
        if (item->at_given[k]) x[k] = item->at_given[k][row];
        if (item->to_given[k]) x[3 + k] = item->to_given[k][row];
    }
    return true;
}

bool lia_impacts_write(LiaScene* scene, LiaText* out) {
    bool first = true;
    lia_text_add(out, "[");
    for (size_t i = 0; i < scene->impact_count; i++) {
        for (uint32_t k = 0; k < scene->count; k++) {
            const LiaSceneItem* item = &scene->items[k];
            double x[6];
            if (item->contact != scene->impacts[i].contact || !item->role) continue;
            if (!numbers_at(scene, item, i, x)) return false;
            lia_text_add(out, first ? "\n {\"event\": %zu" : ",\n {\"event\": %zu",
                         scene->impacts[i].event);
            lia_text_add(out, ", \"kind\": \"%s\"", item->kind);
            add_vector(out, "at", x);
            add_vector(out, "to", x + 3);
            lia_text_add(out, "}");
            first = false;
        }
    }
    lia_text_add(out, "]");
    return true;
}
