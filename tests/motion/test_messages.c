// Messages of runs that cannot begin or go on: first what happened, with its time, then why, then
// what to do.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include <stdio.h>
#include <string.h>

typedef struct Case {
    const char* code;
    const char* when;   // how the message begins; NULL: before any time
    const char* words;  // then: what happened, and why
    const char* help;   // how the advice begins, or a part of it
    const char* text;
} Case;

#define PLANE "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
#define ROD                                                                                        \
    "coordinate x, y : line, th : circle\nkinetic (x'^2 + y'^2)/2 + th'^2/6\npotential 9.81*y\n"
#define LEANS "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2 + 0.9*x'*y'\n"
#define WHEEL "coordinate x, y : line, th : circle\nkinetic (x'^2 + y'^2 + th'^2)/2\n"
#define LINE  "coordinate x : line\nkinetic x'^2/2\n"

static const Case cases[] = {
    {"E0402", "at t = 0.9959", "no step is short enough: the motion of 'x' runs into a singularity",
     "end the run before that time", LINE "force f: exp(1/(1 - t))*d(x)\nrun t = 0..2\n"},
    {"E0416", "at t = 1e+12", "time is too coarse: two numbers there are 1.2e-04 apart",
     "count the time from a nearer instant",
     LINE "potential 1e8*x^2/2\nstart x = 1\nrun t = 1e12..1e12 + 10\n"},
    {"E0430", NULL, "the start is where 'c' cannot be: its gap is -1, and never negative",
     "or leave a position of it out of 'start': it is put where the gap is 0",
     PLANE "contact c: y >= 0\nstart y = -1\nrun t = 0..1\n"},
    {"E0431", "at t = 1", "'c' was struck: what it was before is not known", "run forward in time",
     PLANE "contact c: y >= 0\nstart y = 1, y' = 1\nrun t = 2..0\n"},
    {"E0431", "at t = 2",
     "'c' does not slip: what rests by friction may have come to rest at any time",
     "run forward in time",
     PLANE "potential 9.81*y\ncontact c: y >= 0 slip x' friction 0.1\nrun t = 2..0\n"},
    {"E0431", NULL, "the run goes backwards, and it has friction: what sticks has no past",
     "run forward in time",
     LEANS "constraint c: y = 0 slip x' friction 0.3\nstart x' = 1\nrun t = 1..0\n"},
    {"E0403", "at t = 0", "a coefficient of friction of 'c' is not a number", "begin elsewhere",
     PLANE
     "potential 9.81*y\ncontact c: y >= 0 slip x' friction log(x)\nstart x' = 1\nrun t = 0..1\n"},
    {"E0284", "at t = 0", "a coefficient of friction of 'c' is -1: it is never negative",
     "bound the formula",
     PLANE "potential 9.81*y\ncontact c: y >= 0 slip x' friction x - 1\nstart x' = 1\nrun t = "
           "0..1\n"},
    {"E0284", "at t = 0", "a coefficient of friction of 'c' is -1: it is never negative",
     "bound the formula",
     PLANE "constraint c: y = 0 slip x' friction x - 1\nstart x' = 1\nrun t = 0..1\n"},
    {"E0403", "at t = 0", "a coefficient of friction of 'c' is not a number", "begin elsewhere",
     PLANE "constraint c: y = 0 slip x' friction log(x)\nstart x' = 1\nrun t = 0..1\n"},
    {"E0284", "at t = 1", "a coefficient of restitution of 'c' is 2: it is never more than 1",
     "bound the formula",
     PLANE "contact c: y >= 0 restitution 2*x\nstart x = 1, y = 1, y' = -1\nrun t = 0..2\n"},
    {"E0284", "at t = 1", "a coefficient of restitution of 'c' is -2: it is never negative",
     "bound the formula",
     PLANE "contact c: y >= 0 restitution -2*x\nstart x = 1, y = 1, y' = -1\nrun t = 0..2\n"},
    {"E0403", "at t = 1", "a coefficient of restitution of 'c' is not a number",
     "bound the formula",
     PLANE "contact c: y >= 0 restitution log(-x)\nstart x = 1, y = 1, y' = -1\nrun t = 0..2\n"},
    {"E0403", "at t = 1", "a coefficient of friction of 'c' is not a number", "begin elsewhere",
     PLANE "contact c: y >= 0 restitution 1 slip x' friction log(-x)\nstart x = 1, y = 1, y' = "
           "-1\nrun t = 0..2\n"},
    {"E0432", "at t = 0",
     "no mode of the contacts 'a', 'b' satisfies all their conditions: each leaves",
     "a smaller friction",
     PLANE "contact a: y >= 0\ncontact b: -y - x^2 >= 0\nstart x' = 1\nrun t = 0..1\n"},
    {"E0433", "at t = 0",
     "sliding presses the contact 'c' together more than its force pushes it apart: neither",
     "a smaller friction",
     "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential -9.81*y\noperator o: z "
     "- 2*y = 0 by d(y) + d(z)\ncontact c: y >= 0 slip x' friction 0.3\nstart x' = 1\nrun t = "
     "0..1\n"},
    {"E0434", "at t = 0",
     "several motions satisfy the laws of the contacts 'c': friction couples them",
     "a smaller friction",
     ROD "contact c: y - sin(th) >= 0 slip x' + sin(th)*th' friction 3\nstart th = 0.8, x' = -8, "
         "th' = 6\nrun t = 0..1\n"},
    {"E0435", "at t = 1",
     "the impact of 'c' has no outcome: operators or constraints keep the velocity",
     "let the law stop there", PLANE "operator o: y = 1 - t\ncontact c: y >= 0\nrun t = 0..2\n"},
    {"E0436", "at t = 1",
     "the gap of 'c' leaps below zero: it is not continuous there, or has a corner",
     "write a gap that is continuous",
     PLANE "contact c: if(t < 1, y, y - 2) >= 0\nstart y = 1\nrun t = 0..2\n"},
    {"E0440", "at t = 1",
     "'c' begins where it does not hold: left minus right is -5, and positions cannot jump",
     "let 'e' happen where the equation holds",
     PLANE "event e: t = 1\nconstraint c: x = y from e\nstart y = 5\nrun t = 0..2\n"},
    {"E0440", "at t = 1", "'c' begins where its gap is -1, and positions cannot jump",
     "let the event happen where the gap is 0",
     PLANE "event e: t = 1\ncontact c: y >= 0 from e\nstart y = -1\nrun t = 0..2\n"},
    {"E0441", "at t = 1",
     "'e' sets a state that 'c' does not admit: the rate of left minus right is 3",
     "set all that is connected",
     PLANE "constraint c: x = y\nevent e: t = 1 set x' = 3\nrun t = 0..2\n"},
    {"E0441", "at t = 1",
     "a state is set in which the gap of 'c' is -3, and a gap is never negative",
     "set positions in which",
     PLANE "contact c: y >= 0\nevent e: t = 1 set y = -3\nstart y = 1\nrun t = 0..2\n"},
    {"E0442", NULL, "the run goes backwards, and statements begin or end in it",
     "run forward in time", PLANE "event e: t = 0.5\nconstraint c: x = y until e\nrun t = 1..0\n"},
    {"E0442", NULL,
     "the run goes backwards, and 'u' is a sampled control: what it saw is not known",
     "run forward in time", PLANE "control u = -x every 0.1\nforce F: u*d(x)\nrun t = 1..0\n"},
    {"E0443", "at t = 1", "'e' sets x to what is no number: its formula has no value",
     "write with 'if'", PLANE "event e: t = 1 set x = sqrt(-1 - x)\nstart x = 1\nrun t = 0..2\n"},
    {"E0444", "at t = 0.6", "the control 'u' has no value: its formula is outside its domain",
     "end the run before that time",
     PLANE "control u = sqrt(0.5 - t) every 0.1\nforce F: u*d(x)\nrun t = 0..2\n"},
    {"E0444", NULL, "the control 'u' has no value at the start: its formula is outside its domain",
     "begin elsewhere", PLANE "control u = 1/x every 0.1\nforce F: u*d(x)\nrun t = 0..2\n"},
    {"E0445", NULL,
     "the start depends on a sampled control, and that on the start: no values satisfy both",
     "give the velocities",
     PLANE "control u = -2*x' every 0.1\noperator o: x' = u + 1\nrun t = 0..2\n"},
    {"E0460", "at t = 0", "no motion has the friction of 'c': whatever normal force is taken",
     "a smaller coefficient",
     LEANS
     "force press: d(y)\nconstraint c: y = 0 slip x' friction 1.2\nstart x' = 1\nrun t = 0..1\n"},
    {"E0461", "at t = 0", "two motions have the friction of 'c': its normal force may push or pull",
     "a smaller coefficient",
     LEANS
     "force press: -d(y)\nconstraint c: y = 0 slip x' friction 1.2\nstart x' = 1\nrun t = 0..1\n"},
    {"E0463", "at t = 0",
     "the normal force of 'c' is not determined by the motion: other constraints hold the same",
     "leave out what holds twice",
     LEANS "constraint c: y = 0 slip x' friction 0.3\nconstraint d: 2*y = 0\nstart x' = 1\nrun t = "
           "0..1\n"},
};

// after: where `part` begins in a text, at or after that place; NULL: nowhere.
static const char* after(const char* text, const char* part) {
    return text && part ? strstr(text, part) : text;
}

int main(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case* c = &cases[i];
        Motion m = motion_of(c->text, &(MotionOptions){.quiet = 1});
        char* said = m.t ? lia_output_reason(m.t) : lia_diags_text(m.diags);
        const char* at = after(said, c->code);
        at = after(at, c->when);
        at = after(at, c->words);
        at = after(at, "    = ");
        if (!cases_count(after(at, c->help) != NULL)) {
            printf("%s '%s', '%s' expected of\n%ssaid:\n%s\n", c->code, c->words, c->help, c->text,
                   said ? said : "nothing");
        }
        lia_free(said);
        motion_clear(&m);
    }
    return cases_end();
}
