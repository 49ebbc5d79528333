// What a run decided by itself, said in lines: hidden equations, what servos leave free, another
// tolerance.
// SPDX-License-Identifier: MIT
#include "motion/run/choices.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/steady.h"
#include "mechanics/degree/zero_dynamics.h"
#include "motion/run/begin.h"
#include "motion/runner.h"
#include <math.h>
#include <string.h>

static void note_tolerance(const LiaRunner* run, LiaText* lines) {
    double asked = lia_begin_tolerance(run);
    if (asked == run->tolerance) return;
    lia_text_add(lines, "tolerance ");
    lia_text_add_short(lines, asked, 3);
    lia_text_add(lines,
                 asked < run->tolerance ? " is finer than numbers are: " : " says nothing: ");
    lia_text_add_short(lines, run->tolerance, 3);
    lia_text_add(lines, " is used\n");
}

// "'a', 'b' act through other forces, and only together are theirs decided ..."
static void note_together(const LiaRunner* run, LiaText* lines) {
    const LiaRelativeDegree* h = run->w->forces.degree;
    uint32_t said = UINT32_MAX;
    int most = 0, names = 0;
    for (int i = 0; i < h->count; i++) {
        uint32_t c = run->system->rows[run->w->dynamics->rows[h->row[i]]].constraint;
        if (h->base[i] + h->shift[i] > most) most = h->base[i] + h->shift[i];
        if (c == said) continue;
        lia_text_add(lines, "%s'%s'", names++ ? ", " : "", run->model->constraints[c].name);
        said = c;
    }
    lia_text_add(lines,
                 " %s through other forces, and %s forces are decided only together: by all "
                 "derivatives up to the %dth, in which equations for the state are hidden\n",
                 names > 1 ? "act" : "acts", names > 1 ? "their" : "its", most);
}

static void note_hidden(const LiaRunner* run, LiaText* lines) {
    const LiaRelativeDegree* h = run->w->forces.degree;
    if (h->derivative_array) {
        note_together(run, lines);
        return;
    }
    for (int i = 0; i < h->count; i++) {
        if (!h->shift[i]) continue;
        const LiaRow* row = &run->system->rows[run->w->dynamics->rows[h->row[i]]];
        lia_text_add(
            lines,
            "'%s' acts through other forces: its own appears in derivative %d only, so %d more "
            "equations are hidden in it\n",
            run->model->constraints[row->constraint].name, h->base[i] + h->shift[i], h->shift[i]);
    }
}

// A servo whose force is not along its own equation: does what it leaves free run away?
// `regularity` is 1 where all forces are along their equations: what remains then is the system's
// own affair.
static void note_remaining(LiaRunner* run, double regularity, LiaText* lines) {
    LiaTrajectory* out = run->out;
    enum { SERVO_MOST = 40 };
    bool servo = false;
    for (int c = 0; c < run->w->nc; c++) {
        servo |=
            run->model->constraints[run->system->rows[run->w->dynamics->rows[c]].constraint].active;
    }
    if (!servo || run->w->nf > SERVO_MOST || regularity > 1.0 - LIA_FORCES_ALONG) return;
    LiaWorkspace* w = run->w;
    lia_workspace_update(w, w->jets.order);
    if (!lia_workspace_factor(w)) return;
    out->servo.remaining = lia_zero_dynamics(w, &out->servo.rate);
    out->servo.looked = out->servo.remaining >= 0;
    if (out->servo.remaining <= 0) return;
    LiaSteady steady = lia_steady_find(w);
    if (steady == LIA_STEADY_NOT) out->servo.rate = NAN;  // says nothing of what comes
    if (!(out->servo.rate > 0.0)) return;
    lia_text_add(lines,
                 "what the operators leave free is unstable: a small deviation grows like exp(");
    lia_text_add_short(lines, out->servo.rate, 4);
    lia_text_add(lines, " t), by the motion linearised at %s\n",
                 steady == LIA_STEADY_EQUILIBRIUM ? "the start, an equilibrium"
                 : steady == LIA_STEADY_MOTION    ? "the start, a steady motion"
                                                  : "any state, for the equations are linear");
}

static size_t count_lines(const LiaText* lines) {
    size_t count = 0;
    for (const char* c = lines->data; c && *c; c++) count += *c == '\n';
    return count;
}

// Each line as a text of its own, after those that are there: `list` has room for them.
static void add_lines(LiaArena* arena, const LiaText* lines, const char** list, size_t* count) {
    for (const char* c = lines->data; c && *c;) {
        const char* end = strchr(c, '\n');
        if (!end) break;
        list[(*count)++] = lia_arena_text(arena, c, (size_t)(end - c));
        c = end + 1;
    }
}

static bool take_lines(LiaRunner* run, const LiaText* lines) {
    LiaTrajectory* out = run->out;
    const LiaSystem* s = run->system;
    // what was eliminated stands last among the choices of a system
    uint32_t drives = run->dynamics == s->reduced ? 0 : s->reduced->drive_count;
    uint32_t told = drives < s->origin.choice_count ? s->origin.choice_count - drives : 0;
    enum { TOLD_MOST = 12 };  // a family may have a thousand driven members
    uint32_t shown = told <= TOLD_MOST ? told : TOLD_MOST;
    size_t count = (size_t)shown + 1 + count_lines(lines);
    out->choices.sentences = LIA_ARENA_NEW(out->arena, const char*, count + 1);
    if (!out->choices.sentences) return false;
    for (uint32_t k = 0; k < shown; k++)
        out->choices.sentences[out->choices.count++] = s->origin.choices[k];
    if (told > shown) {
        out->choices.sentences[out->choices.count++] =
            lia_arena_printf(out->arena, "and %u more that are driven", told - shown);
    }
    add_lines(out->arena, lines, out->choices.sentences, &out->choices.count);
    return true;
}

static bool take_chosen(LiaTrajectory* out, const LiaText* lines) {
    out->choices.start = LIA_ARENA_NEW(out->arena, const char*, count_lines(lines) + 1);
    if (!out->choices.start) return false;
    add_lines(out->arena, lines, out->choices.start, &out->choices.start_count);
    return true;
}

bool lia_choices_take(LiaRunner* run, LiaStartState* start) {
    LiaText* lines = &start->choices;
    note_hidden(run, lines);
    note_remaining(run, start->regularity, lines);
    note_tolerance(run, lines);
    if (!run->model->run.given && !run->options->until) {
        lia_text_add(lines,
                     "no 'run' statement: only the start is evaluated (--until T runs it)\n");
    }
    return take_lines(run, lines) && take_chosen(run->out, &start->chosen);
}
