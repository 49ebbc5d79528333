// What is said where a model can hardly be meant, or a motion cannot go on for a reason that stands
// in the model: the words, and what to write instead. And models that look alike and are right: of
// these nothing is said.
//
// By law: motion/check/friction_check.c: friction that drives is warned of, no other
// By law: motion/verdict/advice.c: what to write instead is said in the words of the model
// By law: motion/verdict/verdict.c: a run that cannot go on says at which formula it ended
// By law: motion/verdict/verdict_collapse.c: ever shorter steps are told from arriving
// By law: motion/verdict/verdict_force.c: a force that decides nothing is named with its equation
// By law: motion/verdict/verdict_singular.c: equations that lose their rank are named where they do
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case {
    const char* code;   // NULL: nothing must be said
    const char* words;  // a part of the message
    const char* help;   // a part of the advice, NULL: not asked
    const char* text;
} Case;

#define CART  "coordinate s, x : line\nkinetic s'^2/2 + (x' + s')^2/2\n"
#define POINT "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential 9.81*z\n"
#define PUCK  "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 9.81*z\n"

static const Case cases[] = {
    // laws without a value, at the start and on the way
    {"E0308", "the law of 'm' has no value at t = 0, '0.1/t': it divides by zero",
     "begin at another time", CART "operator m: s = 0.1/t\nrun t = 0..1\n"},
    {"E0308", "the law of 'm' has no value at t = 0, 'log(t)': its argument is 0", NULL,
     CART "operator m: s = log(t)\nrun t = 0..1\n"},
    {"E0308", "the law of 'm' has no value at t = 0, '1/t': it divides by zero", NULL,
     CART "control u = 1/t\noperator m: s' = u\nrun t = 0..1\n"},
    {"E0402", "'1/(t - 2)' in the law of 'm' divides by zero at t = 2", "end the run before",
     CART "operator m: s = 1/(t - 2)\nrun t = 0..5\n"},
    {"E0402", "'1/(t - 2)' in the law of 'm' divides by zero at t = 2", NULL,
     CART "operator m: s = 1/(t - 2) by d(x)\nrun t = 0..5\n"},
    {"E0402", "'1/(2 - t)^2' in the law of 'm' divides by zero at t = 2", NULL,
     CART "operator m: s' = 1/(2 - t)^2\nrun t = 0..5\n"},
    {"E0402", "'(t - 2)^-3' in the law of 'm' is a power of zero at t = 2", NULL,
     CART "operator m: s = (t - 2)^-3\nrun t = 0..5\n"},
    {"E0402", "'tan(t)' in the law of 'm' has a pole at t = 1.570796327", NULL,
     CART "operator m: s = tan(t)\nrun t = 0..5\n"},
    {"E0402", "'sqrt(2 - t)' in the law of 'm' has the argument 0", "stays finite",
     CART "operator m: s = sqrt(2 - t)\nrun t = 0..5\n"},
    {"E0402", "'log(2 - t)' in the law of 'm' has the argument 0 at t = 2", NULL,
     CART "operator m: s = log(2 - t)\nrun t = 0..5\n"},
    {"E0402", "'1/(t - 2)' in 'f' divides by zero at t = 2", NULL,
     CART "force f: 1/(t - 2)*d(s)\nrun t = 0..5\n"},
    {"E0402", "'1/max(0, 2 - t)' in the law of 'm' divides by zero at t = 2\n", NULL,
     CART "operator m: s = 1/max(0, 2 - t)\nrun t = 0..5\n"},
    {"E0402", "'t/(exp(t) - 1)' in the law of 'm' divides by zero at t = 0\n", NULL,
     CART "operator m: s = t/(exp(t) - 1)\nrun t = -1..5\n"},
    {"E0402", "'x^2/(2 - t)' in the potential divides by zero at t = 2\n", NULL,
     CART "potential x^2/(2 - t)\nstart x = 1\nrun t = 0..5\n"},
    {"E0402", "the law of 'm' grows without bound, its right side is of size", "stays finite",
     CART "operator m: s = exp(1/(2 - t))\nrun t = 0..5\n"},
    {"E0402", "the law of 'm' grows without bound", NULL,
     CART "operator m: s' = s^2\nstart s = 1\nrun t = 0..5\n"},
    {"E0402", "the law of 'm' grows without bound", NULL,
     CART "operator m: s' = 1/x\nstart x = 1\nrun t = 0..5\n"},
    {"E0402", "the motion of 'x' runs into a singularity",
     NULL,  // not the law: it is large from the start
     CART "potential -x^4\noperator m: s' = 1e11 - s\nstart x = 1, x' = 2\nrun t = 0..9\n"},
    {"E0402", "the motion of 'x' runs into a singularity", NULL,
     "coordinate x : line\nkinetic x'^2/2\npotential -x^4\nstart x = 1, x' = 2\nrun t = 0..9\n"},
    {"E0308", "'m' has no rate at t = 0: 'sqrt(t)' in the law of 'm' has the argument 0",
     "begin at another time", CART "operator m: s = sqrt(t)\nrun t = 0..1\n"},
    {"E0404", "sqrt(t) in the potential reaches zero", NULL,
     CART "potential x + sqrt(t)\nrun t = 0..1\n"},
    // angles that are not determined
    {"E0403", "'atan2(z, x)' in 'f' is no angle: both of its arguments are 0", "the vector itself",
     POINT "force f: atan2(z, x)*d(x)\nstart x' = 1\nrun t = 0..1\n"},
    {"E0403",
     "'euler(b.attitude, \"zxz\")' in 'f' has no derivative: the second angle is at the end of "
     "its range",
     "the entries of the rotation",
     "body b: mass 1, inertia [1, 2, 2.5], free\n"
     "force f: euler(b.attitude, \"zxz\")[1]*d(b.position.x)\nstart b.omega = [0.7, 0, 0]\n"
     "run t = 0..1\n"},
    {"E0404", "'euler(b.attitude, \"zxz\")' in 'f' has no derivative", NULL,
     "body b: mass 1, inertia [1, 2, 2.5], free\n"
     "force f: euler(b.attitude, \"zxz\")[2]*d(b.position.x)\nrun t = 0..1\n"},
    // equations that are nearly others
    {"E0401",
     "the equations of 'b' differ by 5e-11 of their size from those of 'a': what is asked beyond "
     "that is lost in rounding",
     "leave one of them out",
     "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nconstraint a: x' = y'\n"
     "constraint b: x' = (1 + 1e-10)*y' + 1e-10*t\nrun t = 0..10\n"},
    {"W0416", "the forces of 'a', 'b', 'c' and others are determined to", NULL,
     "coordinate x[i = 1..4] : line\nkinetic sum(i = 1..4, x[i]'^2/2)\nforce f: d(x[1])\n"
     "constraint a: sum(i = 1..4, x[i]) = 0\n"
     "constraint b: sum(i = 1..4, (1 + (i - 1)/1000)*x[i]) = 0\n"
     "constraint c: sum(i = 1..4, (1 + (i - 1)/1000)^2*x[i]) = 0\n"
     "constraint e: sum(i = 1..4, (1 + (i - 1)/1000)^3*x[i]) = 0\nrun t = 0..1\n"},
    // forms that vanish
    {"E0401", "the force of 'm' has no direction: its form 'd(s)*th' is zero where th = 0",
     "without 'by' it acts on what stands on the left",
     "coordinate s, th : line\nkinetic (s'^2 + th'^2)/2\noperator m: s = sin(t) by d(s)*th\n"
     "run t = 0..1\n"},
    {"E0401", "at t = 1 the force of 'm' has no direction: its form 'd(s)*th' is zero where th = 0",
     NULL,
     "coordinate s, th : line\nkinetic (s'^2 + th'^2)/2\noperator m: s = sin(t) by d(s)*th\n"
     "start th = 1, th' = -1\nrun t = 0..3\n"},
    {"E0401", "the force of 'c' has no direction: its form 'x'*d(z)' is zero where x' = 0",
     "without 'force' the constraint is ideal",
     POINT "constraint c: z = 0 force x'*d(z)\nrun t = 0..1\n"},
    // great velocities lead to where a form is greater: it is not zero for that
    {"E0402", "runs into a singularity", NULL,
     "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
     "constraint ring: hypot(x, y) = 1 force d(hypot(x, y)) - 0.1*(x*y' - y*x')*virtual(x*y' - "
     "y*x')"
     "/sqrt((x*y' - y*x')^2 + 1e-4)\nstart x = 0, y = -1, x' = 8\nrun t = 0..3\n"},
    // what is driven needs no start
    {"E0301", "left minus right is -0.5, not 0", "leave s out of 'start': 'm' drives it\n",
     CART "operator m: s = 1 + sin(t)\nstart s = 0.5\nrun t = 0..1\n"},
    {"E0301", "the rate of left minus right is -0.5", "leave s' out of 'start': 'm' drives it",
     CART "operator m: s = 1 + sin(t)\nstart s' = 0.5\nrun t = 0..1\n"},
    {"E0301", "left minus right is -2", "leave s' out of 'start': 'm' drives it",
     CART "operator m: s' = 3\nstart s' = 1\nrun t = 0..1\n"},
    {NULL, NULL, NULL, CART "operator m: s = 1 + sin(t)\nstart s = 1, s' = 1\nrun t = 0..1\n"},
    {"E0301", "left minus right is 1", "= leave r out of 'start': 'm' drives it",
     "coordinate r : space\nkinetic dot(r', r')\noperator m: r = [0, 0, t]\n"
     "start r = [1, 2, 0]\nrun t = 0..1\n"},
    {"E0301", "its sides are turned by", "= leave b.attitude out of 'start': 'm' drives it",
     "body b: mass 1, inertia 1, free\noperator m: b.attitude = rotz(t)\n"
     "start b.attitude = rotx(1)\nrun t = 0..1\n"},
    {"E0408", "which force acts is not decided", "leave one of the equations out",
     CART "operator m: s = x\noperator n: x = s\nrun t = 0..1\n"},
    // a proposal has no digits of the search
    {"E0301", "left minus right is 0.25, not 0",
     "nearest admissible start: x = 0, y = 0, z = 0, x' = 0, y' = 1, z' = 0.1",
     "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
     "constraint c: x^2 + y^2 - z^2 = 0\nstart x = 0.5, z = 0, y' = 1, z' = 0.1\nrun t = 0..1\n"},
    // one coordinate driven twice
    {"E0301", "the start contradicts 'b'", "'s' is driven twice, by 'a' and 'b': leave one",
     CART "operator a: s = t\noperator b: s = 2*t\nrun t = 0..1\n"},
    {"E0406", "contradicts the other equations",
     "'s' is driven twice, both times by 'a': leave one of its equations out",
     CART "operator a: s = t, s' = 1 + t\nrun t = 0..1\n"},
    {"E0301", "the start contradicts 'b'", "the same is asked for twice, by 'a' and 'b'",
     CART "operator a: s + x = t\noperator b: s + x = 2*t by d(x)\nrun t = 0..1\n"},
    {"W0450", "'s' is driven twice, by 'a' and 'b': leave one of them out", "not unique",
     CART "operator a: s = sin(t)\noperator b: s' = cos(t)\nrun t = 0..1\n"},
    {"E0301", "the start contradicts 'c'",
     "3 equations of the operators 'a', 'b', 'c' are on 2 coordinates, s, x: leave one of them out",
     CART "operator a: s = sin(t)\noperator b: s + x = 2*t\noperator c: x = 3*t\nrun t = 0..1\n"},
    {"W0450", "4 equations of the operators 'a', 'b' are on 3 coordinates, c.attitude: leave one",
     NULL,
     "body c: mass 1, inertia 1, free\noperator a: c.attitude = rotz(t)\n"
     "operator b: c.omega = [0, 0, 1]\nrun t = 0..1\n"},
    {NULL, NULL, NULL,  // three on three, and a chain
     "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\noperator a: x + y = t\n"
     "operator b: y + z = t\noperator c: z + x = t\nrun t = 0..1\n"},
    {NULL, NULL, NULL,  // one after the other
     CART "event now: t = 0.5\noperator a: s' = 1 until now\noperator b: s' = 2 from now\n"
          "run t = 0..1\n"},
    // events of one instant
    {"W0452", "at t = 1 both 'e' and 'f' set y', to 5 and to 7: the later statement counts",
     "let one event set it",
     "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nevent e: x = 1 set y' = 5\n"
     "event f: t = 1 set y' = 7\nstart x' = 1\nrun t = 0..3\n"},
    {NULL, NULL, NULL,  // the same, and of others
     "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nevent e: x = 1 set y' = 5\n"
     "event f: t = 1 set y' = 5, y = 2\nstart x' = 1\nrun t = 0..3\n"},
    // sticking
    {"E0405", "sign(x') in the forces is driven back from both sides",
     "friction that slides and sticks is a contact: 'contact floor: GAP >= 0 slip x' friction mu', "
     "with the force of the gap in place of the normal force; or end the run there, "
     "'event rest: x' = 0 stop', and go on with 'constraint stick: x' = 0'; or smooth the law: "
     "tanh((x')/0.001)",
     "coordinate x : line\nkinetic x'^2/2\nforce f: -3*sign(x')*d(x)\nstart x' = 1\n"
     "run t = 0..3\n"},
    {NULL, NULL, NULL,
     "coordinate x : line\nkinetic x'^2/2\nforce f: -3*sign(x')*d(x)\nstart x' = 1\n"
     "event rest: x' = 0 stop\nrun t = 0..3\n"},
    {NULL, NULL, NULL,
     "coordinate x : line\nkinetic x'^2/2\nforce f: -3*tanh((x')/0.001)*d(x)\nstart x' = 1\n"
     "run t = 0..3\n"},
    {"E0405", "sign(x') in 'floor' is driven back from both sides",
     "friction that slides and sticks is a contact: 'contact floor: z >= 0 slip x' friction mu'; "
     "or",
     POINT "constraint floor: z = 0 force d(z) - 0.3*sign(x')*d(x)\nstart x' = 1\nrun t = 0..3\n"},
    {"E0405", "sign(x') in 'roof' is driven back from both sides",  // it holds down
     "'contact roof: z <= 1 slip x' friction mu'",
     POINT "force up: 20*d(z)\nconstraint roof: z = 1 force d(z) + 0.3*sign(x')*d(x)\n"
           "start x' = 1\nrun t = 0..3\n"},
    {"E0404", "hypot(x', y') in 'floor' reaches zero: the direction of sliding is lost",
     "friction that slides and sticks is a contact: 'contact floor: z >= 0 slip [x', y'] friction "
     "mu'; or end the run before, 'event rest: hypot(x', y') = 0.001 stop'",
     PUCK "constraint floor: z = 0 force d(z) - 0.3*(x'*d(x) + y'*d(y))/hypot(x', y')\n"
          "start x' = 1, y' = 0.5\nrun t = 0..2\n"},
    {NULL, NULL, NULL,  // a slip in space that comes to its end: all digits are known
     "body b: mass 1, inertia 0.004, free\ngravity [2.9, 0, -9.4]\n"
     "contact c: sphere(b, 0.1) on plane(ground) friction 0.5\nstart b.position = [0, 0, 0.1], "
     "b.velocity = [0, 1, 0], b.omega = [3, 10, 5]\nrun t = 0..2\n"},
    {NULL, NULL, NULL,
     "body b: mass 1, inertia 0.004, free\ngravity [2.9, 0, -9.4]\n"
     "contact c: sphere(b, 0.1) on plane(ground) friction 0.5\nstart b.position = [0, 0, 0.1], "
     "b.velocity = [0, 1, 0], b.omega = [3, 10, 5]\nrun t = 0..2, tolerance 1e-14\n"},
    {NULL, NULL, NULL,  // as proposed
     PUCK "contact floor: z >= 0 slip [x', y'] friction 0.3\nstart x' = 1, y' = 0.5\n"
          "run t = 0..2\n"},
    {NULL, NULL, NULL,
     PUCK "constraint floor: z = 0 force d(z) - 0.3*(x'*d(x) + y'*d(y))/hypot(x', y')\n"
          "event rest: hypot(x', y') = 0.001 stop\nstart x' = 1, y' = 0.5\nrun t = 0..2\n"},
    // kinetic energies
    {"W0224", "the kinetic energy is linear in phi'", "squares: phi'^2",
     "parameter J = 2\ncoordinate x : line\ncoordinate phi : circle\nkinetic x'^2/2 + J/2*phi'\n"
     "start x' = 1\noperator m: phi = t\nrun t = 0..1\n"},
    {"W0225", "the kinetic energy is negative for a motion of x alone: its inertia is -3",
     "turn the sign", "parameter m = 3\ncoordinate x : line\nkinetic -m/2*x'^2\nrun t = 0..1\n"},
    {"W0225",
     "the kinetic energy is negative for some velocities: its quadratic part is -1 at x' = 1, y' = "
     "-1",
     "look at the signs and factors of the products of velocities",
     "coordinate x, y : line\nkinetic x'*y'\nstart x' = 1, y' = 1\nrun t = 0..1\n"},
    {"W0225", "its quadratic part is -1 at s' = 1, y' = 1", NULL,
     "coordinate s, y : line\nkinetic s'^2/2 + y'^2/2 - 2*s'*y'\nrun t = 0..1\n"},
    {"W0225", "its quadratic part is -0.306563 at x' = 0.707, a' = -1", NULL,  // where it goes
     "coordinate x : line\ncoordinate a : circle\nkinetic x'^2 + a'^2/2 + 2*sin(a)*x'*a'\n"
     "operator turn: a = pi/4*t\nrun t = 0..2\n"},
    {"W0224", "has terms linear in velocities, which make it negative: -4.5 at x' = -3",
     "a forgotten square",
     "coordinate x : line\nkinetic x'^2/2 + 3*x'\nstart x' = 1\nrun t = 0..1\n"},
    {NULL, NULL, NULL,  // in a frame that turns
     "coordinate x, y : line\nkinetic ((x' - 2*y)^2 + (y' + 2*x)^2)/2\nstart x = 1\nrun t = "
     "0..1\n"},
    {NULL, NULL, NULL,  // without mass, and expanded
     "parameter M = 2, m = 1, l = 3\ncoordinate x, z : line\ncoordinate a : circle\n"
     "kinetic (M + m)*x'^2/2 + m*l*cos(a)*x'*a' + m*l^2*a'^2/2\noperator z0: z = t\n"
     "start a' = 1\nrun t = 0..1\n"},
    {NULL, NULL, NULL,  // in a moving frame, off the diagonal, and with a lagrangian
     "coordinate x, y : line\nkinetic (x' + cos(t))^2/2 + (x' + y')^2/2\n"
     "lagrangian x*y' - 2*x'\nstart y' = 1\nrun t = 0..1\n"},
    {NULL, NULL, NULL,  // another sign in a lagrangian is meant
     "coordinate x, y : line\nlagrangian x'^2/2 - y'^2/2\nstart y' = 1\nrun t = 0..1\n"},
    // friction
    {"W0419", "the force of 'floor' changes its sign near t = 0.49",
     "'event lift: force(floor) = 0 stop'",
     POINT "force up: 20*t*d(z)\nconstraint floor: z = 0 force d(z) - 0.1*sign(x')*d(x)\n"
           "start x' = 10\nrun t = 0..1\n"},
    {NULL, NULL, NULL,
     POINT "force up: 20*t*d(z)\nconstraint floor: z = 0 force d(z) - 0.1*sign(x')*d(x)\n"
           "start x' = 10\nevent lift: force(floor) = 0 stop\nrun t = 0..1\n"},
    {"W0444", "several motions satisfy the laws of the contacts, and one of them was taken", NULL,
     "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential 10*z\nforce P: 4*t*d(x)\n"
     "contact a: z >= 0 slip x' friction 0.3\ncontact b: -z >= 0 slip x' friction 0.3\n"
     "run t = 0..1\n"},
    {NULL, NULL, NULL,  // two feet on a table, whose forces are not unique either
     "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential 10*z\nforce P: 4*t*d(x)\n"
     "contact a: z >= 0 slip x' friction 0.3\ncontact b: z >= 0 slip x' friction 0.3\n"
     "run t = 0..1\n"},
    {"W0420", "'floor' feeds energy in", "turn its sign",
     POINT "constraint floor: z = 0 force d(z) + 0.1*sign(x')*d(x)\nstart x' = 1\nrun t = 0..1\n"},
    {NULL, NULL, NULL,
     POINT "constraint floor: z = 0 force d(z) - 0.1*sign(x')*d(x)\nstart x' = 2\nrun t = 0..1\n"},
    {NULL, NULL, NULL,  // a belt that runs
     POINT "parameter w = 3\nconstraint floor: z = 0 force d(z) - 0.1*sign(x' - w)*d(x)\n"
           "start x' = 1\nrun t = 0..1\n"},
    {NULL, NULL, NULL,  // a belt that is driven
     "coordinate x, z, s : line\nkinetic (x'^2 + z'^2 + s'^2)/2\npotential 9.81*z\n"
     "operator belt: s = 3*t\nconstraint floor: z = 0 force d(z) - 0.1*sign(x' - s')*d(x)\n"
     "start x' = 1\nrun t = 0..1\n"},
    {"W0420", "'friction' feeds energy in", "turn its sign",
     "coordinate x : line\nkinetic x'^2/2\nforce friction: 0.1*sign(x')*d(x)\nstart x' = 1\n"
     "run t = 0..1\n"},
    {NULL, NULL, NULL,  // wind
     "coordinate x : line\nkinetic x'^2/2\nforce drag: -0.1*(x' - 4)*abs(x' - 4)*d(x)\n"
     "start x' = 1\nrun t = 0..1\n"},
    {NULL, NULL, NULL,  // van der Pol
     "coordinate x : line\nkinetic x'^2/2\npotential x^2/2\n"
     "force damping: (1 - x^2)*x'*d(x)\nstart x = 0.1\nrun t = 0..20\n"},
    {"W0451",
     "'fr' acts along the velocity, whichever way that is, and feeds energy in (a power of",
     "if it is meant as friction or damping, turn its sign",
     "coordinate x : line\nkinetic x'^2/2\nforce fr: 0.3*sign(x')*d(x)\nstart x' = 1\n"
     "run t = 0..0.5\n"},
    {"W0451", "'c' acts along the velocity", NULL,
     "coordinate x : line\nkinetic x'^2/2\npotential x^2/2\nforce c: 0.1*x'*d(x)\n"
     "start x = 1\nrun t = 0..5\n"},
    {"W0451", "'fr' acts along the velocity", NULL,
     "coordinate x : line\nkinetic x'^2/2\nforce fr: 0.3*tanh(x'/0.01)*d(x)\nstart x' = -1\n"
     "run t = 0..0.5\n"},
    {NULL, NULL, NULL,  // against it, a weight, a gyroscopic force
     "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nforce fr: -0.3*tanh(x'/0.01)*d(x)\n"
     "force w: 2*d(y)\nforce b: x'*d(y) - y'*d(x)\nstart x' = 1, y' = 1\nrun t = 0..0.5\n"},
    {NULL, NULL, NULL,  // a swing that is pushed
     "coordinate a : circle\nkinetic a'^2/2\npotential -9.81*cos(a)\n"
     "force push: 0.1*sign(a')*d(a)\nstart a' = 0.1\nrun t = 0..1\n"},
};

// All that is said of a model and of its motion.
static void collect(const Motion* m, char* text, size_t size) {
    char* diags = m->diags ? lia_diags_text(m->diags) : NULL;
    char* reason = m->t ? lia_output_reason(m->t) : NULL;
    bool early = m->t && strcmp(lia_trajectory_status(m->t), "failed") == 0;
    snprintf(text, size, "%s%s", diags ? diags : "", early && reason ? reason : "");
    lia_free(diags);
    lia_free(reason);
}

static bool is_right(const Case* c, const char* said) {
    if (!c->code) return said[0] == '\0';
    const char* message = strstr(said, c->code);
    return message && strstr(message, c->words) && (!c->help || strstr(message, c->help));
}

int main(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case* c = &cases[i];
        MotionOptions quiet = {.quiet = 1};
        Motion m = motion_of(c->text, &quiet);
        char said[8000];
        collect(&m, said, sizeof said);
        if (!cases_count(is_right(c, said))) {
            printf("'%s' with '%s' expected of\n%ssaid:\n%s\n", c->words ? c->words : "nothing",
                   c->help ? c->help : "", c->text, said);
        }
        motion_clear(&m);
    }
    return cases_end();
}
