// Random models with narrow features, judged one after the other. See campaign.h.
// SPDX-License-Identifier: MIT
#include "campaign.h"
#include "generator.h"
#include "judge.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { DECADES = 4, SLOW_MOST = 5 };

typedef struct Count {
    int of[VERDICT_COUNT];
} Count;

typedef struct Slow {
    uint64_t seed, steps;
    double seconds;
} Slow;

typedef struct Campaign {
    Count all, cell[SHAPE_COUNT][PLACE_COUNT], decade[DECADES];
    Slow slowest[SLOW_MOST];  // the slowest first
    double seconds, seconds_judge;
    uint64_t steps;
} Campaign;

static int judged(const Count* c) {
    int sum = -c->of[VERDICT_UNJUDGED];
    for (int v = 0; v < VERDICT_COUNT; v++) sum += c->of[v];
    return sum;
}

static void add(Count* to, const Count* c) {
    for (int v = 0; v < VERDICT_COUNT; v++) to->of[v] += c->of[v];
}

// "2w 1s/9": two wrong and one stopped of nine that were judged.
static void print_count(const Count* c) {
    char cell[32];
    int n = 0, wrong = c->of[VERDICT_WRONG], stopped = c->of[VERDICT_STOPPED];
    if (wrong) n += snprintf(cell + n, sizeof cell - (size_t)n, "%dw", wrong);
    if (stopped) n += snprintf(cell + n, sizeof cell - (size_t)n, "%ds", stopped);
    if (judged(c)) n += snprintf(cell + n, sizeof cell - (size_t)n, "/%d", judged(c));
    printf(" %10s", n ? cell : "");
}

static void print_shapes(const Campaign* c) {
    printf("\n%-10s", "");
    for (int p = 0; p < PLACE_COUNT; p++) printf(" %10s", narrow_place_name((Place)p));
    printf(" %10s\n", "all");
    Count column[PLACE_COUNT] = {0};
    for (int s = 0; s < SHAPE_COUNT; s++) {
        Count row = {0};
        printf("%-10s", narrow_shape_name((Shape)s));
        for (int p = 0; p < PLACE_COUNT; p++) {
            print_count(&c->cell[s][p]);
            add(&row, &c->cell[s][p]);
            add(&column[p], &c->cell[s][p]);
        }
        print_count(&row);
        printf("\n");
    }
    printf("%-10s", "all");
    for (int p = 0; p < PLACE_COUNT; p++) print_count(&column[p]);
    print_count(&c->all);
    printf("\n\n");
}

static void print_widths(const Campaign* c) {
    for (int d = 0; d < DECADES; d++) {
        printf("width 1e-%d..1e-%d of the way:", d + 1, d);
        print_count(&c->decade[d]);
        printf("\n");
    }
    for (int i = 0; i < SLOW_MOST && c->slowest[i].seconds > 0.0; i++) {
        printf("slow: seed %llu, %llu steps in %.3f s\n", (unsigned long long)c->slowest[i].seed,
               (unsigned long long)c->slowest[i].steps, c->slowest[i].seconds);
    }
    printf("%llu steps in %.1f s, the judge %.1f s\n", (unsigned long long)c->steps, c->seconds,
           c->seconds_judge);
}

static void note_slow(Campaign* c, Slow slow) {
    for (int i = 0; i < SLOW_MOST; i++) {
        if (slow.seconds <= c->slowest[i].seconds) continue;
        Slow next = c->slowest[i];
        c->slowest[i] = slow;
        slow = next;
    }
}

// False if the judge would need more steps than it may make; it does not count then.
static bool one_model(Campaign* c, uint64_t seed, int steps_most) {
    Narrow n;
    Judgement j;
    narrow_make(seed, &n);
    judge_text(n.text, steps_most, &j);
    if (steps_most && j.verdict == VERDICT_UNJUDGED) {
        narrow_clear(&n);
        return false;
    }
    int decade = (int)fmin(DECADES - 1, fmax(0.0, floor(-log10(n.width))));
    c->all.of[j.verdict]++;
    c->cell[n.shape][n.place].of[j.verdict]++;
    c->decade[decade].of[j.verdict]++;
    c->seconds += j.seconds;
    c->seconds_judge += j.seconds_judge;
    c->steps += j.steps;
    note_slow(c, (Slow){seed, j.steps, j.seconds});
    if (j.verdict != VERDICT_OK) {
        printf("seed %llu (%s in %s, width %.2g): %s, off by %.1e: %s\n", (unsigned long long)seed,
               narrow_shape_name(n.shape), narrow_place_name(n.place), n.width,
               verdict_word(j.verdict), j.off, j.where);
        fflush(stdout);
    }
    narrow_clear(&n);
    return true;
}

static int conclude(const Campaign* c) {
    print_shapes(c);
    print_widths(c);
    int known = judged(&c->all), total = known + c->all.of[VERDICT_UNJUDGED];
    int wrong = c->all.of[VERDICT_WRONG], stopped = c->all.of[VERDICT_STOPPED];
    printf("%d judged of %d: %d silently wrong, %d wrong with a warning, %d stopped without need\n",
           known, total, wrong, c->all.of[VERDICT_WARNED], stopped);
    int unread = c->all.of[VERDICT_UNREAD];
    bool good = wrong == 0 && unread == 0 && 100 * stopped <= known && 10 * known >= 9 * total;
    printf("%d passed, %d failed\n", c->all.of[VERDICT_OK],
           good ? 0 : wrong + stopped + unread + !known);
    return !good;
}

int campaign_run(uint64_t first, uint64_t last) {
    Campaign c = {0};
    for (uint64_t seed = first; seed <= last; seed++) one_model(&c, seed, 0);
    return conclude(&c);
}

int campaign_quick(int count) {
    const int steps_most = 1000;
    Campaign c = {0};
    for (uint64_t seed = 1; judged(&c.all) < count && seed < 10 * (uint64_t)count; seed++)
        one_model(&c, seed, steps_most);
    return conclude(&c);
}

int campaign_judge_the_judge(uint64_t first, uint64_t last) {
    const double least = 2e-3;  // narrower ones take too long
    int passed = 0, failed = 0, unknown = 0;
    for (uint64_t seed = first; seed <= last; seed++) {
        Narrow n;
        narrow_make(seed, &n);
        if (n.width > least && !n.several) {
            double off = judge_leaps(n.text, n.time * n.width / 30.0);
            if (off > 1e-7) {
                printf("seed %llu (%s in %s, width %.2g): the judge is off by %.1e\n",
                       (unsigned long long)seed, narrow_shape_name(n.shape),
                       narrow_place_name(n.place), n.width, off);
                failed++;
            } else {
                isnan(off) ? unknown++ : passed++;
            }
        }
        narrow_clear(&n);
    }
    printf("the judge by itself, %d not known\n%d passed, %d failed\n", unknown, passed, failed);
    return failed > 0 || 10 * passed < 9 * (passed + unknown);
}
