// The modes of the contacts, the time in each, and the energy that was lost.
// SPDX-License-Identifier: MIT
#include "motion/contact/impact/impact.h"
#include "output/text/summary_page.h"

// "3.5 by 'belt'"; nothing where it is rounding.
static void add_fed(LiaSummaryPage* page, LiaText* text, double work, const char* by) {
    double fed = lia_summary_page_rounded(work, page->motion->ledger.rounding);
    if (fed == 0.0) return;
    lia_text_add(text, text->length > 0 ? ", " : "fed in: ");
    lia_text_add_short(text, fed, page->few);
    lia_text_add(text, " %s", by);
}

// What operators feed in during impacts, and bodies that move as functions of time at any time.
static void add_feeds(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    double impacts = 0.0, between = 0.0;
    LiaText text = {0}, by = {0};
    for (size_t i = 0; i < motion->contacts.count; i++) {
        impacts += motion->contacts.works[i].fed_impacts;
        between += motion->contacts.works[i].fed;
    }
    for (size_t i = 0; i < motion->contacts.feed_count; i++) {
        lia_text_clear(&by);
        lia_text_add(&by, "by '%s' in impacts", motion->contacts.feeds[i].name);
        add_fed(page, &text, motion->contacts.feeds[i].work, by.data ? by.data : "");
    }
    add_fed(page, &text, impacts, "by moving bodies in impacts");
    add_fed(page, &text, between, "by moving bodies between them");
    lia_text_clear(&by);
    if (text.length > 0) lia_summary_page_end_sentence(page, 2, &text);
    lia_text_clear(&text);
}

static void add_lost(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    double impacts = 0.0, friction = 0.0;
    for (size_t i = 0; i < motion->contacts.count; i++) {
        impacts += motion->contacts.works[i].lost_impacts;
        friction += motion->contacts.works[i].friction;
    }
    impacts = lia_summary_page_rounded(impacts, motion->ledger.rounding);
    friction = lia_summary_page_rounded(friction, motion->ledger.rounding);
    LiaText text = {0};
    lia_text_add(&text, "energy lost: ");
    lia_text_add_short(&text, impacts == 0.0 ? 0.0 : impacts, page->few);
    lia_text_add(&text, " to impacts, ");
    lia_text_add_short(&text, friction == 0.0 ? 0.0 : friction, page->few);
    lia_text_add(&text, " to friction");
    lia_summary_page_end_sentence(page, 2, &text);
}

// "impacts: Newton's restitution, all contacts at once (3)"
static void add_laws(LiaSummaryPage* page) {
    enum { LAWS = LIA_IMPACT_LAWS_MOST + 1 };
    const LiaTrajectory* motion = page->motion;
    size_t count[LAWS] = {0};
    bool any = false;
    for (size_t i = 0; i < motion->events.count; i++) {
        if (motion->events.list[i].law < LAWS) count[motion->events.list[i].law]++;
    }
    LiaText text = {0};
    for (uint32_t law = 1; law < LAWS; law++) {
        if (count[law] == 0) continue;
        lia_text_add(&text, any ? "; " : "impacts decided by: ");
        lia_text_add(&text, "%s (%zu)", lia_impact_law_of(law), count[law]);
        any = true;
    }
    if (any) lia_summary_page_end_sentence(page, 2, &text);
    if (!any) lia_text_clear(&text);
}

void lia_summary_modes_add(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    if (motion->contacts.mode_count == 0) {
        return;
    }
    bool contacts = motion->contacts.count > 0;
    lia_summary_page_section(page, contacts ? "modes of the contacts" : "modes");
    LiaText cells = {0};
    size_t shown = lia_summary_page_least(motion->contacts.mode_count, LIA_SUMMARY_LINES_MOST);
    for (size_t i = 0; i < shown; i++) {
        const LiaModeRecord* mode = &motion->contacts.modes[i];
        lia_text_add(&cells, "%s\t", mode->text);
        lia_text_add_short(&cells, mode->time, page->few);
        const char* unit = lia_summary_page_seconds(motion);
        lia_text_add(&cells, "\t%s, %llu time%s\n", *unit ? unit + 1 : "in all",
                     (unsigned long long)mode->visits, mode->visits == 1 ? "" : "s");
    }
    lia_summary_page_table(page, &cells, "lpl", false);
    lia_summary_page_rest(page, shown, motion->contacts.mode_count, " (in the JSON)");
    add_laws(page);
    if (contacts) add_lost(page);
    if (contacts) add_feeds(page);
}
