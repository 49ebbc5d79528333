// What explain says in words: sentences that must be there, and sentences that must not, whatever
// way the same system is written.
// SPDX-License-Identifier: MIT
#include "liaison/liaison.h"
#include "support/cases.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The explanation with lines joined: sentences may be broken anywhere.
static char* said_of(const char* text, LiaExplainOptions options) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* m = NULL;
    LiaSystem* system = NULL;
    char* said = NULL;
    LiaStatus status = lia_model_parse("words.lia", text, strlen(text), NULL, diags, &m);
    if (status == LIA_OK) status = lia_system_build(m, NULL, diags, &system);
    if (status == LIA_OK) said = lia_explain(system, &options, diags);
    if (!said) {
        char* why = lia_diags_text(diags);
        printf("%s\n%s\n", text, why);
        exit(1);
    }
    lia_system_destroy(system);
    lia_model_destroy(m);
    lia_diags_destroy(diags);
    size_t to = 0;
    for (size_t i = 0; said[i]; i++) {
        bool white = said[i] == ' ' || said[i] == '\n';
        if (!white || (to > 0 && said[to - 1] != ' ')) said[to++] = white ? ' ' : said[i];
    }
    said[to] = '\0';
    return said;
}

typedef struct Case {
    const char *name, *text;
    LiaExplainOptions options;
    const char *must[5], *never[4];
} Case;

static void look(const Case* c) {
    char* said = said_of(c->text, c->options);
    for (int i = 0; i < 5 && c->must[i]; i++) {
        if (!cases_count(strstr(said, c->must[i]) != NULL))
            printf("%s: '%s' is not said\n", c->name, c->must[i]);
    }
    for (int i = 0; i < 4 && c->never[i]; i++) {
        if (!cases_count(strstr(said, c->never[i]) == NULL))
            printf("%s: '%s' is said\n", c->name, c->never[i]);
    }
    lia_free(said);
}

#define SPACE "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
#define SNAKE                                                                                      \
    "coordinate x, y : line\ncoordinate th, a1, a2 : circle\n"                                     \
    "kinetic x'^2 + y'^2 + 0.1*(th'^2 + (th' - a1')^2 + (th' + a2')^2)\n"                          \
    "constraint c0: -sin(th)*x' + cos(th)*y' = 0\n"                                                \
    "constraint c1: -sin(th - a1)*x' + cos(th - a1)*y' - cos(a1)*th' - (th' - a1') = 0\n"          \
    "constraint c2: -sin(th + a2)*x' + cos(th + a2)*y' + cos(a2)*th' + (th' + a2') = 0\n"          \
    "operator j: a1 = 0.5 + 0.3*cos(t), a2 = 0.4 + 0.3*sin(t)\nrun t = 0..6\n"

static const Case cases[] = {
    {"a flag in LaTeX",
     SPACE "constraint c: z' = y*x'\n",
     {.format = LIA_EXPLAIN_LATEX},
     {"Growth vector $(2, 3)$, derived flag $(2, 3)$, in 3 dimensions", "none is holonomic",
      "(Chow)", "$\\{P_{1}, P_{2}\\} =$", "It is not Poisson"},
     {NULL}},
    {"a snake in LaTeX",
     SNAKE,
     {.format = LIA_EXPLAIN_LATEX},
     {"Driftless part: growth vector $(2, 3, 5)$ in 5 dimensions, any two positions can be joined"},
     {NULL}},
    {"an integral in LaTeX",
     SPACE "constraint c: y*x' + x*y' = z'\n",
     {.format = LIA_EXPLAIN_LATEX},
     {"1 combination is holonomic (no bracket leaves them, at 4 places)",
      "Every admissible motion keeps $"},
     {"Chow"}},
    {"a snake",
     SNAKE,
     {0},
     {"driftless part (operators move as they like): growth vector (2, 3, 5) in 5 dimensions, any "
      "two "
      "positions can be joined by such a motion (Chow); the operators alone decide which"},
     {NULL}},
    {"transversal",
     "parameter m = 60, I = 3, If = 0.5\ncoordinate x, y : line\ncoordinate theta, s : circle\n"
     "kinetic m/2*(x'^2 + y'^2) + I/2*theta'^2 + If/2*(theta' + s')^2\n"
     "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\noperator o: s = 0.3*sin(t)\nstart x' = "
     "2\n",
     {0},
     {"the motion lives in dimension 6", "chi(V*M) is transversal to D"},
     {NULL}},
    {"not transversal",
     "coordinate x, s : line\nkinetic x'^2 + s'^2\nconstraint c: s' = 2*t\noperator o: s = t^2\n",
     {0},
     {"chi(V*M) is not transversal to D"},
     {NULL}},
    {"Dazord's words",
     "coordinate q1, q2 : line\nkinetic (q1'^2 + q2'^2)/2\noperator o: q1' = cos(q2)\n",
     {0},
     {"semi-holonomic in his words (Y depends on positions alone); perfect; Hamiltonian with h ="},
     {NULL}},
    {"Dazord's words, two statements",
     "coordinate q1, q2, q3 : line\nkinetic (q1'^2 + q2'^2 + q3'^2)/2\noperator o: q1' = cos(q1)\n"
     "operator p: q2' = q1\n",
     {0},
     {"Dazord, all left sides together as one f: almost holonomic in his words (Y depends on the "
      "base "
      "alone); perfect"},
     {NULL}},
    {"ideal together",
     "coordinate q1, q2, q3 : line\nkinetic (q1'^2 + q2'^2 + q3'^2)/2\noperator o1: q1' = q2'\n"
     "operator o2: q2' = q3\n",
     {0},
     {"given independently of the equation, but ideal with those of the other statements",
      "P1 is the momentum of q3' = 1"},
     {"servos leave", "Hamiltonian with"}},
    {"nothing missing at the start, and no rounding",
     "coordinate q1, q2, q3 : line\nkinetic (q1'^2 + q2'^2 + q3'^2)/2\n"
     "operator o: [q1', q2'] = [q2', q3]\n",
     {0},
     {"it has also a velocity that the equations ask for by themselves"},
     {"e-1"}},
};

// r = f(t), with and without the force that is its own.
static void a_harmless_by(void) {
    static const char* const ends[2] = {"", " by d(r)"};
    static const char* const states[2] = {NULL, "theta = 0.2, p(theta) = 0.3"};
    for (int at = 0; at < 2; at++) {
        for (int format = 0; format < 3; format++) {
            char* said[2];
            for (int k = 0; k < 2; k++) {
                char text[400];
                snprintf(text, sizeof text,
                         "model swing\ncoordinate theta : circle\ncoordinate r : line\n"
                         "let P = [r*sin(theta), -r*cos(theta)]\nkinetic dot(P', P')/2\n"
                         "potential 9.81*P.y\noperator length: r = 2.5 + 0.594*t%s\n",
                         ends[k]);
                said[k] = said_of(text, (LiaExplainOptions){.format = (LiaExplainFormat)format,
                                                            .at = states[at]});
            }
            if (!cases_count(strcmp(said[0], said[1]) == 0))
                printf("%s\n--- and with 'by d(r)'\n%s\n", said[0], said[1]);
            lia_free(said[0]);
            lia_free(said[1]);
        }
    }
}

int main(void) {
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) look(&cases[k]);
    a_harmless_by();
    return cases_end();
}
