#!/usr/bin/python3
"""Random models with corners, each run with steps as it chooses them and with three other lengths: the motion is the same.

Several corners at one instant, and formulas whose sides are equal for a while, are where a step can go on on the wrong side.
A run with other steps meets other rounding there. Compared: the states at the end, and the events with their times. Where
states that differ by 1e-10 at the start end apart, the motion itself amplifies rounding: such models are counted by themselves.

    compare.py LIAISON FIRST..LAST [AREA]
"""
import json
import os
import random
import subprocess
import sys
import tempfile

RIGHT = 1e-6  # relative to 1 + what is compared
LENGTHS = ["0.05", "0.011", "0.003"]
END = 3.5


class Text:
    """A random model text."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.area = self.r.choice(sorted(AREAS))

    def between(self, a, b):
        return self.r.uniform(a, b)

    def argument(self, names):
        name = self.r.choice(names)
        at = self.between(0.5, 3.0) if name in "xt" else self.between(-1.0, 1.5)
        return "(%s - %.6g)/%.6g" % (name, at, 10 ** self.between(-2.5, -0.7))

    def tooth(self, names):
        u = self.argument(names)
        return self.r.choice([
            "max(0, 1 - abs(%s))" % u,
            "max(0, 1 - abs(abs(%s) - 2))" % u,
            "min(exp(-abs(%s)), 0.3)" % u,
            "if((%s)^2 < 1, 1 - (%s)^2, 0)" % (u, u),
            "max(0, min(1, 2 - abs(%s)))" % u,
            "max(0, 1 - (%s)^2)^2" % u,
        ])

    def leap(self, names):
        u = self.argument(names)
        return self.r.choice(["if(abs(%s) < 1, 1, 0)" % u, "(1 + sign(%s))/2" % u])

    def nest(self, depth, names, leaf=None):
        leaf = leaf or self.tooth
        if depth == 0:
            return leaf(names)
        a, b = self.nest(depth - 1, names, leaf), self.nest(depth - 1, names, leaf)
        return self.r.choice(["max(%s, %s)", "min(%s, %s)", "(%s - %s)", "abs(%s - %s)", "max(%s, %s)^2",
                              "(%s)*(%s)"]) % (a, b)


def plane(m, rest, free=True):
    vy = m.between(-0.5, 0.5) if free else None
    return ("coordinate x, y : line\nkinetic (x'^2 + y'^2 + 0.3*x'*y')/2\n%s\nstart x' = %.12g%s\n"
            % (rest, m.between(0.7, 1.5), "" if vy is None else ", y' = %.12g" % vy))


def forces(m, names, leaf=None):
    one, two = m.nest(m.r.randrange(1, 3), names, leaf), m.nest(m.r.randrange(0, 3), names, leaf)
    return "force f: %.4g*%s*d(x) + %.4g*%s*d(y)" % (m.between(-30, 30), one, m.between(-30, 30), two)


def of_force(m):
    return plane(m, forces(m, ["x", "y", "t"]))


def of_velocity(m):
    return plane(m, forces(m, ["x", "t", "y'", "x'"]))


def of_leap(m):
    return plane(m, forces(m, ["x", "t"], m.leap))


def of_damping(m):
    return plane(m, "dissipation %.4g*%s*(x'^2 + y'^2)" % (m.between(1, 10), m.nest(1, ["x", "t"])))


def of_operator(m):
    return ("coordinate x, s : line\nkinetic (x'^2 + s'^2 + x'*s')/2\npotential 3*(x - s)^2\n"
            "operator o: s = %.4g*%s\nstart x' = %.12g\n"
            % (m.between(-0.3, 0.3), m.nest(m.r.randrange(0, 3), ["t"]), m.between(0.7, 1.5)))


def of_constraint(m):
    return plane(m, "constraint c: y = %.4g*(%s)^2 + %.4g*x\npotential 2*y"
                 % (m.between(-0.02, 0.02), m.nest(m.r.randrange(0, 2), ["x", "t"]), m.between(-0.4, 0.4)), False)


def of_event(m):
    return plane(m, "event e: %s = %.4g" % (m.nest(m.r.randrange(0, 3), ["x", "y", "t"]), m.between(0.05, 0.6)))


def of_contact(m):
    return ("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
            "contact floor: y - %.4g*%s >= 0 restitution %.3g\nstart x' = %.12g, y = %.12g\n"
            % (m.between(0.01, 0.1), m.tooth(["x"]), m.between(0, 0.9), m.between(0.7, 1.5), m.between(1, 2)))


def of_angle(m):
    return ("coordinate a : circle, x : line\nkinetic (a'^2 + x'^2)/2\npotential -2*cos(a) + x^2\n"
            "force f: %.4g*%s*d(a) + %.4g*%s*d(x)\nstart a' = %.12g\n"
            % (m.between(-30, 30), m.nest(1, ["a", "t"]), m.between(-9, 9), m.nest(1, ["a", "x"]), m.between(2.5, 4)))


def of_press(m):
    return ("coordinate x[i = 1..3] : line\nkinetic sum(i = 1..3, x[i]'^2/2)\n"
            "force f: %.4g*%s*d(x[1]) + %.4g*%s*d(x[3])\n"
            "contact buffer[i = 1..2]: x[i+1] - x[i] >= 1 restitution %.3g\nstart x[1] = 0, x[2] = 1, x[3] = 2\n"
            % (m.between(-5, 10), m.nest(m.r.randrange(0, 2), ["t"]), m.between(-10, 5), m.nest(m.r.randrange(0, 2), ["t"]),
               m.r.choice([0, 0, m.between(0, 0.9)])))


def of_pin(m):
    return ("coordinate x, y : line, a : circle\nkinetic (x'^2 + y'^2 + a'^2)/2 + %.3g*a'*(x' + y')\n"
            "force load: %.4g*%s*d(x) + %.4g*%s*d(y)\nforce couple: %.4g*%s*d(a)\n"
            "constraint pin: [x, y] = [0, 0] slip a' friction %.3g\nstart a' = %.12g\n"
            % (m.between(-0.3, 0.3), m.between(-9, 9), m.nest(m.r.randrange(0, 2), ["t"]), m.r.choice([0, m.between(-9, 9)]),
               m.nest(m.r.randrange(0, 2), ["t"]), m.between(-2, 2), m.nest(0, ["t"]), m.between(0.02, 0.3),
               m.r.choice([0, m.between(0.1, 2)])))


def of_rub(m):
    return ("coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\nforce press: -%.4g*abs(%s)*d(z)\nforce pull: %.4g*%s*d(x)\n"
            "contact floor: z >= 0 slip x' friction %.3g static %.3g\nstart x' = %.12g, z = 0\n"
            % (m.between(1, 9), m.nest(m.r.randrange(0, 2), ["t"]), m.between(-5, 5), m.nest(m.r.randrange(0, 2), ["t"]),
               m.between(0.1, 0.4), m.between(0.4, 0.7), m.r.choice([0, m.between(-1, 1)])))


AREAS = {"force": of_force, "velocity": of_velocity, "leap": of_leap, "damping": of_damping, "operator": of_operator,
         "constraint": of_constraint, "event": of_event, "contact": of_contact, "angle": of_angle}
CORNERS_MEET = {"press": of_press, "pin": of_pin, "rub": of_rub}  # several things at one instant: a part of their own


def run(liaison, path, options):
    said = subprocess.run([liaison, "run", path, "--json", "--time", "30"] + options, capture_output=True, text=True)
    try:
        result = json.loads(said.stdout)
    except ValueError:
        return {"code": said.returncode, "said": said.stderr.strip().split("\n")[0]}
    numbers = {k: v for k, v in result["state"].items() if isinstance(v, (int, float))}
    events = [(e.get("name"), e["t"]) for e in result.get("events", []) if isinstance(e, dict) and "t" in e]
    return {"code": said.returncode, "state": numbers, "events": events, "said": said.stderr.strip().split("\n")[0]}


def differs(a, b, right=RIGHT):
    for name, value in a["state"].items():
        if abs(b["state"].get(name, 1e99) - value) > right * (1 + abs(value)):
            return "%s = %.10g and %.10g" % (name, value, b["state"].get(name, 1e99))
    if len(a["events"]) != len(b["events"]):
        return "%d and %d events" % (len(a["events"]), len(b["events"]))
    for one, two in zip(a["events"], b["events"]):
        if one[0] != two[0] or abs(one[1] - two[1]) > right:
            return "event %s at %.10g and %.10g" % (one[0], one[1], two[1])
    return None


def amplifies(liaison, path, text, plain):
    """Does a motion that begins 1e-10 apart end elsewhere?"""
    for shift in (1e-10, -1e-10, 3e-10):
        with open(path, "w") as file:
            file.write(text.replace("(t - ", "(t - %.3g - " % shift).replace("(x - ", "(x - %.3g - " % shift))
        other = run(liaison, path, [])
        if other["code"] != plain["code"] or differs(plain, other, 1e-7):
            return True
    return False


def main():
    liaison, (first, last) = sys.argv[1], map(int, sys.argv[2].split(".."))
    same = wrong = stopped = fragile = 0
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "model.lia")
    for seed in range(first, last + 1):
        m = Text(seed)
        if len(sys.argv) > 3:
            m.area = sys.argv[3]
        text = {**AREAS, **CORNERS_MEET}[m.area](m) + "run t = 0..%g\n" % END
        with open(path, "w") as file:
            file.write(text)
        results = [run(liaison, path, [])] + [run(liaison, path, ["--step-most", h]) for h in LENGTHS]
        codes = [r["code"] for r in results]
        if any(codes):
            stopped += 1
            said = next(r["said"] for r in results if r["code"])
            print("seed %d, %s: exit %s: %s" % (seed, m.area, codes, said))
            continue
        if m.area in CORNERS_MEET:  # what touches without a force may be called open or closed
            for r in results:
                r["events"] = []
        found = [differs(results[0], r) for r in results[1:]]
        if not any(found):
            same += 1
        elif amplifies(liaison, path, text, results[0]):
            fragile += 1
        else:
            wrong += 1
            print("seed %d, %s: %s\n%s" % (seed, m.area, next(f for f in found if f), text))
    print("%d the same with all steps, %d amplify rounding, %d stopped, %d differ" % (same, fragile, stopped, wrong))
    sys.exit(wrong > 0)


main()
