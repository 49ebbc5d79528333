#!/usr/bin/python3
"""Random trees of bodies: liaison against Newton's and Euler's equations in joint coordinates.

liaison gets free bodies and joints: six coordinates a body, and constraints. Here the same system
has one number for each freedom of a joint; its mass matrix is made of Jacobians, velocities and
accelerations go from the ground outwards, reactions from the leaves inwards. Nothing is shared but
the words of the model. Compared at the end of the motion: places of the bodies, reactions and
couples of all joints, forces of motors and rods, work of the motors.

    compare.py LIAISON FIRST..LAST
"""
import csv
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp

RIGHT = 1e-8  # relative to 1 + the largest of what is compared
END = 1.0


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turn(n, q):
    K = skew(n)
    return np.eye(3) + np.sin(q) * K + (1 - np.cos(q)) * K @ K


def unit(a):
    return a / np.linalg.norm(a)


class Joint:
    """One-dimensional motions after each other: (kind, axis), the axis in the frame they begin in.

    A pitch couples a slide to the turn before it."""

    def __init__(self, r, parent):
        self.parent = parent
        self.kind = r.choice(["revolute", "revolute", "prismatic", "screw", "cylindrical",
                              "universal", "spherical", "planar"])
        self.a, self.b = r.normal(size=3) * 0.5, r.normal(size=3) * 0.5
        self.n = r.normal(size=3)
        self.pitch = r.uniform(-1, 1)
        n = unit(self.n)
        across = unit(np.cross(n, r.normal(size=3)))
        third = np.cross(n, across)
        self.second = across  # the axis of B in a universal joint
        self.slides = {"prismatic": [n], "cylindrical": [n], "planar": [across, third]}.get(self.kind, [])
        self.turns = {"revolute": [n], "screw": [n], "cylindrical": [n], "planar": [n],
                      "universal": [n, across], "spherical": [n, across, third]}.get(self.kind, [])
        self.freedom = len(self.slides) + len(self.turns)


class Body:  # where it is and how it moves; accelerations without those of the joint coordinates
    def __init__(self, size):
        self.R, self.x = np.eye(3), np.zeros(3)
        self.w, self.v = np.zeros(3), np.zeros(3)
        self.dw, self.dv = np.zeros(3), np.zeros(3)
        self.Jw, self.Jv = np.zeros((3, size)), np.zeros((3, size))

    def copy(self):
        other = Body(0)
        other.__dict__.update(self.__dict__)
        return other

    def to(self, c):
        """The same frame at another of its points."""
        b = self.copy()
        b.x = self.x + c
        b.v = self.v + np.cross(self.w, c)
        b.dv = self.dv + np.cross(self.dw, c) + np.cross(self.w, np.cross(self.w, c))
        b.Jv = self.Jv - skew(c) @ self.Jw
        return b

    def slide(self, axis, q, v, k):
        b = self.to(self.R @ axis * q)
        n = self.R @ axis
        b.v = b.v + n * v
        b.dv = b.dv + 2 * np.cross(self.w, n) * v
        b.Jv[:, k] += n
        return b

    def turned(self, axis, q, v, k):
        b = self.copy()
        n = self.R @ axis
        b.Jw = self.Jw.copy()
        b.R = self.R @ turn(axis, q)
        b.w = self.w + n * v
        b.dw = self.dw + np.cross(self.w, n) * v
        b.Jw[:, k] += n
        return b


class Tree:
    def __init__(self, seed):
        r = np.random.default_rng(seed)
        count = int(r.integers(1, 6))
        self.joints = [Joint(r, int(r.integers(-1, i))) for i in range(count)]
        self.mass = r.uniform(0.5, 3, count)
        self.inertia = []
        for _ in range(count):
            Q, _unused = np.linalg.qr(r.normal(size=(3, 3)))
            p = r.uniform(0.1, 0.4, 3)
            self.inertia.append(Q @ np.diag(p.sum() - p) @ Q.T)
        self.first = np.cumsum([0] + [j.freedom for j in self.joints])
        self.size = int(self.first[-1])
        self.q, self.v = r.normal(size=self.size) * 0.6, r.normal(size=self.size)
        hinges = [i for i, j in enumerate(self.joints) if j.kind == "revolute"]
        self.motor, self.damper = {}, {}
        for i in hinges:
            if r.random() < 0.4:
                c, w, d = r.normal(), r.uniform(0.5, 3), r.normal() * 0.5
                self.motor[i] = (c, w, d)
                self.v[self.first[i]] = c + d
            elif r.random() < 0.4:
                self.damper[i] = r.uniform(0.1, 0.5)
        self.springs = []
        for _ in range(int(r.integers(0, 3))):
            self.springs.append((*self.ends(r, count), r.uniform(2, 10), r.uniform(0.2, 1)))
        self.rods = []
        if r.random() < 0.4 and self.size - len(self.motor) > 2:
            self.rods.append(self.ends(r, count))
        self.gravity = r.normal(size=3) * 5
        self.admit()

    @staticmethod
    def ends(r, count):
        i, j = int(r.integers(0, count)), int(r.integers(-1, count))
        return i, -1 if j == i else j, r.normal(size=3) * 0.5, r.normal(size=3) * 1.5

    def bodies(self, q, v):
        found = []
        for i, joint in enumerate(self.joints):
            b = Body(self.size) if joint.parent < 0 else found[joint.parent]
            b = b.to(b.R @ joint.a)
            k = int(self.first[i])
            screw = joint.kind == "screw"
            for axis in joint.slides:
                b = b.slide(axis, q[k], v[k], k)
                k += 1
            if screw:
                rate = joint.pitch / (2 * np.pi)
                b = b.slide(joint.turns[0], rate * q[k], rate * v[k], k)
                n = b.Jv[:, k].copy()
                b.Jv[:, k] = n * rate
            for axis in joint.turns:
                b = b.turned(axis, q[k], v[k], k)
                k += 1
            found.append(b.to(-b.R @ joint.b))
        return found

    def between(self, bodies, ends):
        """From one end to the other: d, its rate, its acceleration without q'', its Jacobian."""
        i, j, u, w = ends[:4]
        P = bodies[i].to(bodies[i].R @ u)
        if j < 0:
            return P.x - w, P.v, P.dv, P.Jv
        S = bodies[j].to(bodies[j].R @ w)
        return P.x - S.x, P.v - S.v, P.dv - S.dv, P.Jv - S.Jv

    def admit(self):
        """The velocities of the start satisfy the rods: those of motors stay."""
        free = self.free()
        bodies = self.bodies(self.q, self.v)
        for rod in self.rods:
            d, rate, _acc, J = self.between(bodies, rod)
            row = unit(d) @ J
            self.v[free] -= row[free] * (unit(d) @ rate) / (row[free] @ row[free])

    def free(self):
        driven = {int(self.first[i]) for i in self.motor}
        return [k for k in range(self.size) if k not in driven]

    def applied(self, bodies):
        F = [m * self.gravity for m in self.mass]
        M = [np.zeros(3) for _ in self.mass]
        for spring in self.springs:
            d, _rate, _acc, _J = self.between(bodies, spring)
            length = np.linalg.norm(d)
            self.push(bodies, spring, -spring[4] * (length - spring[5]) * d / length, F, M)
        return F, M

    @staticmethod
    def push(bodies, ends, f, F, M):
        i, j, u, w = ends[:4]
        F[i] = F[i] + f
        M[i] = M[i] + np.cross(bodies[i].R @ u, f)
        if j >= 0:
            F[j] = F[j] - f
            M[j] = M[j] - np.cross(bodies[j].R @ w, f)

    def solve(self, t, q, v):
        """Accelerations, forces of motors and of rods."""
        bodies = self.bodies(q, v)
        F, M = self.applied(bodies)
        A, b = np.zeros((self.size, self.size)), np.zeros(self.size)
        for i, body in enumerate(bodies):
            I = body.R @ self.inertia[i] @ body.R.T
            A += self.mass[i] * body.Jv.T @ body.Jv + body.Jw.T @ I @ body.Jw
            b += body.Jv.T @ (F[i] - self.mass[i] * body.dv)
            b += body.Jw.T @ (M[i] - I @ body.dw - np.cross(body.w, I @ body.w))
        for i, c in self.damper.items():
            b[self.first[i]] -= c * v[self.first[i]]
        a = np.zeros(self.size)
        for i, (c, w, _d) in self.motor.items():
            a[self.first[i]] = -c * w * np.sin(w * t)
        free, count = self.free(), len(self.rods)
        rows, right = np.zeros((count, self.size)), np.zeros(count)
        for k, rod in enumerate(self.rods):
            d, rate, acc, J = self.between(bodies, rod)
            n, length = unit(d), np.linalg.norm(d)
            rows[k] = n @ J
            across = rate - n * (n @ rate)
            right[k] = -(n @ acc) - across @ across / length - rows[k] @ a
        n = len(free)
        K = np.zeros((n + count, n + count))
        K[:n, :n] = A[np.ix_(free, free)]
        K[:n, n:], K[n:, :n] = -rows[:, free].T, rows[:, free]
        x = np.linalg.solve(K, np.concatenate([(b - A @ a)[free], right])) if n else np.zeros(0)
        a[free] = x[:n]
        mu = x[n:]
        torque = A @ a - b - rows.T @ mu
        return a, {i: torque[self.first[i]] for i in self.motor}, mu, bodies

    def reactions(self, t, q, v):
        """Of every joint on its second body: the force at the point of B, and the couple."""
        a, torque, mu, bodies = self.solve(t, q, v)
        F, M = self.applied(bodies)
        for k, rod in enumerate(self.rods):
            d = self.between(bodies, rod)[0]
            self.push(bodies, rod, mu[k] * unit(d), F, M)
        force, couple, place = [], [], []
        for i, body in enumerate(bodies):
            I = body.R @ self.inertia[i] @ body.R.T
            force.append(self.mass[i] * (body.dv + body.Jv @ a) - F[i])
            about = I @ (body.dw + body.Jw @ a) + np.cross(body.w, I @ body.w) - M[i]
            place.append(body.x + body.R @ self.joints[i].b)
            couple.append(about + np.cross(body.x - place[i], force[i]))
        for i in reversed(range(len(bodies))):
            parent = self.joints[i].parent
            if parent >= 0:
                force[parent] = force[parent] + force[i]
                couple[parent] = couple[parent] + couple[i] + np.cross(place[i] - place[parent], force[i])
        for i, joint in enumerate(self.joints):  # what motors and dampers do is not the joint's
            axis = unit(joint.n) if joint.parent < 0 else bodies[joint.parent].R @ unit(joint.n)
            couple[i] = couple[i] - axis * torque.get(i, 0.0)
            couple[i] = couple[i] + axis * self.damper.get(i, 0.0) * v[self.first[i]]
        return bodies, torque, mu, force, couple

    def motion(self):
        """State at the end and the works of the motors."""
        n, motors = self.size, sorted(self.motor)

        def rates(t, y):
            a, torque, _mu, _bodies = self.solve(t, y[:n], y[n:2 * n])
            powers = [torque[i] * y[n + self.first[i]] for i in motors]
            return np.concatenate([y[n:2 * n], a, powers])

        y = np.concatenate([self.q, self.v, np.zeros(len(motors))])
        y = solve_ivp(rates, (0, END), y, method="DOP853", rtol=3e-13, atol=1e-13).y[:, -1]
        return y[:n], y[n:2 * n], dict(zip(motors, y[2 * n:]))


def vector(a):
    return "[" + ", ".join(repr(float(x)) for x in a) + "]"


def name(i):
    return "ground" if i < 0 else f"b{i}"


def place(i, u):
    return vector(u) if i < 0 else f"point(b{i}, {vector(u)})"


def model(tree):
    lines = ["model tree"]
    for i, m in enumerate(tree.mass):
        I = ", ".join(vector(row) for row in tree.inertia[i])
        lines.append(f"body b{i}: mass {float(m)!r}, inertia [{I}], free")
    for i, j in enumerate(tree.joints):
        axes = [f" axis {vector(j.n)}"] * 2
        if j.kind == "universal":
            axes[1] = f" axis {vector(j.second)}"
        if j.kind == "spherical":
            axes = ["", ""]
        pitch = f", pitch {float(j.pitch)!r}" if j.kind == "screw" else ""
        lines.append(f"joint j{i}: {j.kind}({name(j.parent)} at {vector(j.a)}{axes[0]}, "
                     f"b{i} at {vector(j.b)}{axes[1]}{pitch})")
        lines.append(f"observe F{i} = reaction(j{i}), M{i} = moment(j{i})")
    lines.append(f"gravity {vector(tree.gravity)}")

    def rate(i):
        parent = name(tree.joints[i].parent)
        return f"dot(axis({parent}, {vector(unit(tree.joints[i].n))}), b{i}.omega - {parent}.omega)"

    for i, (c, w, d) in tree.motor.items():
        lines.append(f"operator m{i}: {rate(i)} = {float(c)!r}*cos({float(w)!r}*t) + {float(d)!r}")
        lines.append(f"observe W{i} = work(m{i})")
    for i, c in tree.damper.items():
        lines.append(f"dissipation {float(c) / 2!r}*{rate(i)}^2")
    for i, j, u, w, k, l in tree.springs:
        lines.append(f"potential {float(k) / 2!r}*(norm({place(i, u)} - {place(j, w)}) - {float(l)!r})^2")
    bodies = tree.bodies(tree.q, tree.v)
    for k, (i, j, u, w) in enumerate(tree.rods):
        length = float(np.linalg.norm(tree.between(bodies, tree.rods[k])[0]))
        lines.append(f"constraint rod{k}: norm({place(i, u)} - {place(j, w)}) = {length!r}")
    for i, b in enumerate(bodies):
        R = ", ".join(vector(row) for row in b.R)
        lines.append(f"start b{i}.position = {vector(b.x)}, b{i}.attitude = [{R}]")
        lines.append(f"start b{i}.velocity = {vector(b.v)}, b{i}.omega = {vector(b.w)}")
    lines.append(f"run t = 0..{END}, samples 2")
    return "\n".join(lines) + "\n"


def compare(liaison, seed, folder):
    """The worst difference and where it is; a text where liaison does not run."""
    tree = Tree(seed)
    path = os.path.join(folder, f"tree{seed}.lia")
    with open(path, "w", encoding="utf-8") as file:
        file.write(model(tree))
    ran = subprocess.run([liaison, "run", path, "--quiet", "-o", path + ".csv"], capture_output=True, text=True)
    if ran.returncode != 0:
        return np.inf, ran.stderr
    with open(path + ".csv", encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    last = dict(zip((head.strip() for head in rows[0]), map(float, rows[-1])))
    q, v, work = tree.motion()
    bodies, torque, mu, force, couple = tree.reactions(END, q, v)
    wanted = {"x": {}, "f": {}}
    for i, b in enumerate(bodies):
        for k, c in enumerate("xyz"):
            wanted["x"][f"b{i}.position.{c}"] = b.x[k]
            wanted["f"][f"F{i}.{c}"] = force[i][k]
            wanted["f"][f"M{i}.{c}"] = couple[i][k]
    for i, value in torque.items():
        wanted["f"][f"force(m{i})"] = value
        wanted["f"][f"W{i}"] = work[i]
    for k, value in enumerate(mu):
        wanted["f"][f"force(rod{k})"] = value
    worst, where = 0.0, ""
    for group in wanted.values():
        scale = 1 + max(abs(x) for x in group.values())
        for key, value in group.items():
            off = abs(last[key] - value) / scale
            if not off <= worst:
                worst, where = off, key
    return worst, where


def main():
    liaison = sys.argv[1]
    first, last = map(int, sys.argv[2].split(".."))
    passed = failed = 0
    most = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last + 1):
            worst, where = compare(liaison, seed, folder)
            if worst <= RIGHT:
                passed += 1
                most = max(most, worst)
            else:
                failed += 1
                print(f"seed {seed}: {worst:.1e} {where}")
                print(model(Tree(seed)) if "-v" in sys.argv else "", end="")
    print(f"largest difference {most:.1e}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
