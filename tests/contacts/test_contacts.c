// Random systems with contacts: the program against the second way.
//
//   test_contacts                the seeds of `make test`
//   test_contacts --seeds A..B   others, with a line for each that is not right; from 1000001 on
//                                with several rough contacts
//   test_contacts --write SEED   the model text of one
//
// The states at the end agree to 1e-7, and so does the number of impacts. Where the second way
// meets what it cannot judge, or bounces that accumulate, the run ends before that. Systems whose
// neighbours at 1e-9 have other events are counted apart.
// SPDX-License-Identifier: MIT
#include "support/motion.h"
#include "way.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t SEEDS = 60;      // of `make test`
static const uint64_t ROUGH = 40;      // and with several rough contacts
static const uint64_t HELD = 285;      // two begin to slide at once, and one is held all the same
static const double DENSE = 0.02;      // events nearer to each other accumulate
static const double AGREES = 1e-7;     // relative to 1 + the size of the number
static const double NEIGHBOUR = 1e-9;  // how far a neighbour starts away
static const double FRAGILE_MOST = 0.05;  // part of the systems that have fragile events

typedef enum Verdict { RIGHT, FRAGILE, WRONG, STOPPED, VERDICTS } Verdict;

// End a world before what the second way cannot judge. The run once more, up to there.
static void trim(World* w, Way* way) {
    double before = 0.0;
    int good = 0;
    while (good < way->count && good + 1 < WAY_EVENTS && way->events[good].t - before > DENSE) {
        before = way->events[good++].t;
    }
    if (way->outcome == WAY_GOOD && good == way->count) return;
    double after = good < way->count ? way->events[good].t : way->t;
    if (good > 0 && after - before <= DENSE) {  // it ends at the last of them
        after = way->events[--good].t;
        before = good > 0 ? way->events[good - 1].t : 0.0;
    }
    w->end = before + 0.5 * (after - before);
    way_run(w, way);
}

static bool same_events(const Way* a, const Way* b) {
    if (a->outcome != b->outcome || a->count != b->count) return false;
    for (int i = 0; i < a->count; i++) {
        if (a->events[i].contact != b->events[i].contact) return false;
        if (a->events[i].kind != b->events[i].kind) return false;
    }
    return true;
}

// The same events from a start nearby? Coordinates that nothing ties are moved.
static bool is_fragile(const World* w, const Way* way) {
    for (int i = w->held; i < w->n - w->driven; i++) {
        World near = *w;
        Way other;
        if (near.held) break;
        near.v[i] += NEIGHBOUR;
        way_run(&near, &other);
        if (!same_events(way, &other)) return true;
    }
    return false;
}

static double off_by(const World* w, const Way* way, const Motion* m, char* where) {
    double most = 0.0;
    for (int i = 0; i < 2 * w->n; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d%s", i % w->n + 1, i < w->n ? "" : "'");
        double x = i < w->n ? way->q[i] : way->v[i - w->n];
        double off = fabs(motion_final(m, name) - x) / (1.0 + fabs(x));
        if (off <= most) continue;
        most = off;
        strcpy(where, name);
    }
    return most;
}

static int impacts(const Way* way) {
    int count = 0;
    for (int i = 0; i < way->count; i++) count += way->events[i].kind == WAY_IMPACT;
    return count;
}

typedef struct Judged {
    int systems, events, crashes;
} Judged;

static Verdict judge(uint64_t seed, bool print, Judged* judged) {
    World w;
    Way way;
    char text[WORLD_TEXT], where[16] = "";
    world_make(seed, &w);
    way_run(&w, &way);
    trim(&w, &way);
    if (way.outcome != WAY_GOOD || !world_text(&w, text, sizeof text)) return RIGHT;
    judged->systems++, judged->events += way.count, judged->crashes += way.crashes;
    Motion m = motion_of(text, &(MotionOptions){.quiet = 0});
    Verdict verdict = RIGHT;
    double off = INFINITY;
    size_t jumps = m.t ? lia_trajectory_jumps(m.t) : 0;
    if (!m.t || m.status != LIA_OK) {
        verdict = STOPPED;
    } else {
        off = off_by(&w, &way, &m, where);
        if (!(off <= AGREES) || jumps != (size_t)impacts(&way)) verdict = WRONG;
    }
    if (verdict != RIGHT && is_fragile(&w, &way)) verdict = FRAGILE;
    if (print && verdict != RIGHT) {
        static const char* const words[] = {"right", "fragile", "wrong", "stopped"};
        printf("# %" PRIu64 ": %s, off by %.1e in %s, %zu jumps for %d impacts\n", seed,
               words[verdict], off, where, jumps, impacts(&way));
    }
    motion_clear(&m);
    return verdict;
}

static int campaign(uint64_t first, uint64_t last, uint64_t rough) {
    int count[VERDICTS] = {0};
    Judged judged = {0};
    for (uint64_t seed = first; seed <= last; seed++) count[judge(seed, true, &judged)]++;
    for (uint64_t k = 1; k <= rough; k++) count[judge(WORLD_ROUGH + k, true, &judged)]++;
    if (rough) count[judge(WORLD_ROUGH + HELD, true, &judged)]++;
    int all = (int)(last - first + 1 + rough) + (rough > 0);
    int failed = count[WRONG] + count[STOPPED];
    if (count[FRAGILE] > FRAGILE_MOST * all) failed += count[FRAGILE];
    printf("# %d systems: %d right, %d fragile, %d wrong, %d stopped\n", all, count[RIGHT],
           count[FRAGILE], count[WRONG], count[STOPPED]);
    printf("# judged %d with %d events, %d of them impacts of several rough contacts\n",
           judged.systems, judged.events, judged.crashes);
    printf("%d passed, %d failed\n", all - failed, failed);
    return failed > 0;
}

static int write_one(uint64_t seed) {
    World w;
    Way way;
    char text[WORLD_TEXT];
    world_make(seed, &w);
    way_run(&w, &way);
    trim(&w, &way);
    if (!world_text(&w, text, sizeof text)) return 1;
    printf("# outcome %d\n", way.outcome);
    for (int i = 0; i < way.count; i++) {
        printf("# event %.17g c%d %d\n", way.events[i].t, way.events[i].contact + 1,
               way.events[i].kind);
    }
    for (int i = 0; i < w.n; i++) {
        printf("# end x%d = %.17g, x%d' = %.17g\n", i + 1, way.q[i], i + 1, way.v[i]);
    }
    fputs(text, stdout);
    return 0;
}

int main(int count, char** arguments) {
    uint64_t first = 1, last = SEEDS, rough = ROUGH;
    if (count == 3 && strcmp(arguments[1], "--write") == 0) {
        return write_one(strtoull(arguments[2], NULL, 10));
    }
    if (count == 3 && strcmp(arguments[1], "--seeds") == 0 &&
        sscanf(arguments[2], "%" SCNu64 "..%" SCNu64, &first, &last) != 2) {
        return 2;
    }
    return campaign(first, last, count == 3 ? 0 : rough);
}
