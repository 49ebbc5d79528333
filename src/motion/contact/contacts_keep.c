// Contacts in a checkpoint: the modes that were visited, and which one holds.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/contacts.h"
#include "motion/contact/near.h"
#include <stdlib.h>
#include <string.h>

LIA_KEEP_ALL(LiaModeRoom, 656);
LIA_KEEP_ALL(LiaContacts, 512);

// The last mode that a block of friction can be in.
static LiaContactMode most_of(const LiaContactFormulas* c, uint32_t b) {
    bool plane = b < c->blocks && c->block[b].rows < 2;
    return c->blocks == 0 ? LIA_MODE_CLOSED : plane ? LIA_MODE_BACKWARD : LIA_MODE_SLIDE;
}

static void keep_place(const LiaModeRoom* room, LiaKeep* keep, uint32_t place, LiaContactMode most,
                       LiaContactMode* mode) {
    int x = room ? (int)room->mode[place] : 0;
    lia_keep_int(keep, &x, LIA_MODE_OPEN, (int)most);
    mode[place] = (LiaContactMode)x;
}

static void keep_mode(LiaRunner* run, LiaKeep* keep, size_t i) {
    LiaContacts* c = run->contacts;
    LiaContactMode* mode = c->wanted;
    LiaModeRoom* room = lia_keep_reads(keep) ? NULL : c->rooms[i];
    for (uint32_t k = 0; k < c->base->contact_count; k++) {
        keep_place(room, keep, k, most_of(&c->base->contacts[k], 0), mode);
        for (uint32_t b = 1; b < c->base->contacts[k].blocks; b++) {
            uint32_t place = c->base->contacts[k].block[b].place;
            keep_place(room, keep, place, most_of(&c->base->contacts[k], b), mode);
            bool open = mode[k] == LIA_MODE_OPEN;
            if (mode[place] == LIA_MODE_CLOSED || open != (mode[place] == LIA_MODE_OPEN))
                lia_keep_refuse(keep);
        }
    }
    uint32_t rough = lia_system_rough_place(c->base, 0);
    for (uint32_t k = lia_system_switch_place(c->base, 0); k < lia_system_mode_count(c->base);
         k++) {
        int x = room ? (int)room->mode[k] : 0;
        lia_keep_int(keep, &x, LIA_MODE_OPEN, k < rough ? LIA_MODE_CLOSED : LIA_MODE_BACKWARD_PULL);
        if (k >= rough && (x == LIA_MODE_OPEN || x == LIA_MODE_SLIDE)) lia_keep_refuse(keep);
        mode[k] = (LiaContactMode)x;
    }
    if (lia_keep_reads(keep)) room = lia_keep_good(keep) ? lia_modes_room(run, mode) : NULL;
    if (!room) {
        lia_keep_refuse(keep);
        return;
    }
    lia_keep_double(keep, &room->time);
    lia_keep_counts(keep, &room->visits, 1);
    lia_keep_counts(keep, &room->first, 1);
}

// A visit names one of the modes that were visited.
static void keep_course(LiaContacts* c, LiaKeep* keep) {
    size_t most = SIZE_MAX / sizeof *c->course.visit, size = sizeof(double) + sizeof(uint64_t);
    size_t count = lia_keep_length(keep, c->course.count, most, size);
    if (lia_keep_reads(keep)) c->course.count = 0;
    for (size_t i = 0; i < count && lia_keep_good(keep); i++) {
        LiaModeVisit* visit = lia_keep_reads(keep) ? lia_modes_add_visit(c) : &c->course.visit[i];
        if (!visit) {
            lia_keep_refuse(keep);
            return;
        }
        if (lia_keep_reads(keep)) *visit = (LiaModeVisit){0};
        lia_keep_double(keep, &visit->t);
        lia_keep_counts(keep, &visit->mode, 1);
        if (visit->mode >= c->visited) lia_keep_refuse(keep);
    }
}

// Modes that were visited have the numbers from 0 on, each one of them.
static bool is_numbered(const LiaContacts* c) {
    if (c->visited > c->room_count) return false;
    bool* taken = lia_memory_zeros((size_t)c->visited + 1, sizeof *taken);
    size_t count = 0;
    bool good = taken != NULL;
    for (size_t i = 0; good && i < c->room_count; i++) {
        const LiaModeRoom* room = c->rooms[i];
        if (!room->visits) continue;
        good = room->first < c->visited && !taken[room->first];
        if (good) taken[room->first] = true;
        count++;
    }
    free(taken);
    return good && count == c->visited;
}

static void keep_preferred(LiaPreferred* preferred, const LiaContacts* c, LiaKeep* keep) {
    if (!preferred->mu) return;
    lia_keep_doubles(keep, preferred->mu, c->base->row_count);
    lia_keep_doubles(keep, preferred->slope, c->base->row_count);
    lia_keep_double(keep, &preferred->since);
    lia_keep_bool(keep, &preferred->inside);
}

void lia_contacts_keep(LiaRunner* run, LiaKeep* keep) {
    LiaContacts* c = run->contacts;
    size_t count = c->base->contact_count;
    size_t modes = lia_system_mode_count(c->base);
    size_t rooms = lia_keep_length(keep, c->room_count, SIZE_MAX, modes * sizeof(int));
    for (size_t i = 0; i < rooms && lia_keep_good(keep); i++) keep_mode(run, keep, i);
    size_t now = c->now;
    lia_keep_sizes(keep, &now, 1, c->room_count - 1);
    lia_keep_double(keep, &c->since);
    lia_keep_counts(keep, &c->events, 1);
    lia_keep_counts(keep, &c->visited, 1);
    keep_course(c, keep);
    lia_keep_counts(keep, &c->course.choices.count, 1);
    lia_keep_double(keep, &c->course.choices.t);
    lia_keep_sizes(keep, &c->course.choices.contact, 1, count);
    lia_keep_doubles(keep, c->rounding.gap, count);
    lia_keep_doubles(keep, c->rounding.force, 2 * count + 3 * modes);
    lia_contact_rows_keep(c->formulas, keep);
    lia_near_keep(run, keep);
    lia_keep_doubles(keep, c->accumulates, count);
    lia_keep_bool(keep, &c->start.struck);
    lia_keep_bool(keep, &c->corners.crossed);
    lia_keep_double(keep, &c->corners.t);
    lia_keep_counts(keep, &c->corners.count, 1);
    lia_keep_bool(keep, &c->found.settled);
    lia_keep_ints(keep, c->vanish, lia_system_watched_most(c->base), 0, LIA_ORDER_MOST);
    if (now < c->room_count) keep_preferred(&c->rooms[now]->system->mode.preferred, c, keep);
    if (!lia_keep_reads(keep) || !lia_keep_good(keep)) return;
    if (!is_numbered(c)) {
        lia_keep_refuse(keep);
        return;
    }
    memcpy(c->wanted, c->rooms[now]->mode, modes * sizeof *c->wanted);
    size_t first = lia_system_switch_place(c->base, 0);
    memcpy(c->begins.open + first, c->wanted + first, (modes - first) * sizeof *c->begins.open);
    if (!lia_modes_enter(run, c->wanted)) lia_keep_refuse(keep);
    lia_near_enter(run);
}

// The polynomials of the last step stay those of the run, though others were made on the way.
void lia_contacts_keep_step(LiaRunner* run, bool back) {
    LiaStep *kept = &run->contacts->last, *own = &run->step;
    lia_taylor_copy(back ? own : kept, back ? kept : own, run->system);
}
