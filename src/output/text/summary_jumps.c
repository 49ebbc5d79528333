// Jumps of velocities and the impulses that bring them about.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "lang/model.h"
#include "output/study/checked.h"
#include "output/text/summary_page.h"
#include <math.h>
#include <string.h>

enum { JUMPING_MOST = 6 };  // velocities or impulses of one jump

static void add_rest_of_list(LiaText* out, size_t count) {
    if (count > JUMPING_MOST) {
        lia_text_add(out, ", and %zu more", count - JUMPING_MOST);
    }
}

// What is rounding of the largest number of its kind in the jump is shown as 0.
static double shown(double x, double size) { return fabs(x) > LIA_SHOWN_MOVED * size ? x : 0.0; }

static double largest_velocity(const LiaJump* jump) {
    double most = 0.0;
    for (size_t i = 0; i < jump->velocity_count; i++) {
        const LiaJumpVelocity* v = &jump->velocities[i];
        most = fmax(most, fmax(fabs(v->before), fabs(v->after)));
    }
    return most;
}

static double largest_impulse(const LiaJump* jump) {
    double most = 0.0;
    for (size_t i = 0; i < jump->impulse_count; i++) {
        for (uint32_t k = 0; k < jump->impulses[i].count; k++)
            most = fmax(most, fabs(jump->impulses[i].values[k]));
    }
    return most;
}

// "lift 1.5 kg*m/s (work 0.75), rod [1, 2]": an operator's impulse, or a constraint's.
static void add_impulse(const LiaSummaryPage* page, const LiaJumpImpulse* impulse, double size,
                        LiaText* out) {
    lia_text_add(out, "'%s' %s", impulse->name, impulse->count > 1 ? "[" : "");
    for (uint32_t k = 0; k < impulse->count; k++) {
        lia_text_add(out, k > 0 ? ", " : "");
        lia_text_add_short(out, shown(impulse->values[k], size), page->few);
    }
    lia_text_add(out, "%s%s%s", impulse->count > 1 ? "]" : "", impulse->unit ? " " : "",
                 impulse->unit ? impulse->unit : "");
    if (impulse->active || impulse->work != 0) {
        lia_text_add(out, " (work ");
        lia_text_add_short(out, impulse->work == 0 ? 0.0 : impulse->work, page->few);
        lia_text_add(out, ")");
    }
}

static void add_jump(LiaSummaryPage* page, const LiaJump* jump) {
    LiaText text = {0};
    double speed = largest_velocity(jump), push = largest_impulse(jump);
    lia_text_add(&text, "t = ");
    lia_text_add_short(&text, jump->t, page->digits);
    lia_text_add(&text, ": ");
    for (size_t i = 0; i < lia_summary_page_least(jump->velocity_count, JUMPING_MOST); i++) {
        const LiaJumpVelocity* v = &jump->velocities[i];
        lia_text_add(&text, "%s%s from ", i > 0 ? ", " : "", v->column->name);
        lia_text_add_short(&text, shown(v->before, speed), page->few);
        lia_text_add(&text, " to ");
        lia_text_add_short(&text, shown(v->after, speed), page->few);
        lia_text_add(&text, "%s%s", v->column->unit ? " " : "",
                     v->column->unit ? v->column->unit : "");
    }
    add_rest_of_list(&text, jump->velocity_count);
    lia_text_add(&text, jump->impulse_count > 0 ? "; impulse of " : "");
    for (size_t i = 0; i < lia_summary_page_least(jump->impulse_count, JUMPING_MOST); i++) {
        lia_text_add(&text, i > 0 ? ", of " : "");
        add_impulse(page, &jump->impulses[i], push, &text);
    }
    add_rest_of_list(&text, jump->impulse_count);
    lia_text_add(&text, jump->unique ? "" : "; the impulses are not unique");
    lia_summary_page_end_sentence(page, 2, &text);
}

// Where the law of an operator has a corner, velocities jump.
void lia_summary_jumps_add(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    if (motion->jumps.count == 0) {
        return;
    }
    lia_summary_page_section(page, "jumps of velocities");
    size_t shown = lia_summary_page_least(motion->jumps.count, LIA_SUMMARY_LINES_MOST);
    for (size_t i = 0; i < shown; i++) {
        add_jump(page, &motion->jumps.list[i]);
    }
    lia_summary_page_rest(page, shown, motion->jumps.count, " (in the JSON)");
}
