// The rows of a motion at which forces are looked at. See instants.h.
// SPDX-License-Identifier: MIT
#include "output/page/arrows/instants.h"
#include <math.h>

size_t lia_instants_normal_column(const LiaScene* scene, uint32_t contact) {
    const LiaTrajectory* t = scene->trajectory;
    const LiaContactFormulas* of = &scene->system->contacts[contact];
    for (size_t k = 0; k < t->column_count; k++) {
        const LiaColumn* c = &t->columns[k];
        bool own = c->kind == LIA_COLUMN_FORCE && c->index == of->constraint;
        if (own && scene->system->first_row[c->index] + c->part == of->row) return k;
    }
    return 0;
}

static void add_instant(LiaCarriers* c, size_t row) {
    for (size_t i = 0; i < c->instant_count; i++) {
        if (c->instants[i] == row) return;
    }
    if (c->instant_count < LIA_INSTANTS) c->instants[c->instant_count++] = row;
}

// Some of the rows from `first` to `end` in which a force acts, evenly spaced among them.
static void look_where(LiaCarriers* c, size_t column, size_t first, size_t end, size_t some) {
    size_t all = 0, seen = 0, taken = 0;
    for (size_t r = first; r < end; r++) all += fabs(lia_scene_row(c->scene, r)[column]) > 0.0;
    for (size_t r = first; r < end && taken < some; r++) {
        if (!(fabs(lia_scene_row(c->scene, r)[column]) > 0.0)) continue;
        // the middle of each of as many parts
        if ((2 * seen + 1) * some >= (2 * taken + 1) * all || all <= some) {
            add_instant(c, r);
            taken++;
        }
        seen++;
    }
}

// Where a contact acts for a short time only, or only strikes, evenly spaced samples do not see it.
static void look_at_contacts(LiaCarriers* c) {
    const LiaScene* scene = c->scene;
    uint32_t count = scene->system->contact_count;
    if (count == 0) return;
    size_t some = (LIA_INSTANTS - LIA_INSTANTS_EVEN) / (2 * (size_t)count);
    for (uint32_t k = 0; k < count && c->instant_count < LIA_INSTANTS; k++) {
        size_t column = lia_instants_normal_column(scene, k);
        if (column == 0) continue;
        look_where(c, column, scene->rows, lia_scene_all_rows(scene), some > 0 ? some : 1);
        look_where(c, column, 0, scene->rows, some > 0 ? some : 1);
    }
}

void lia_instants_choose(LiaCarriers* c) {
    const LiaScene* scene = c->scene;
    c->instant_count = scene->rows < LIA_INSTANTS_EVEN ? scene->rows : LIA_INSTANTS_EVEN;
    for (size_t k = 0; k < c->instant_count; k++) {
        c->instants[k] = c->instant_count > 1 ? k * (scene->rows - 1) / (c->instant_count - 1) : 0;
    }
    look_at_contacts(c);
}
