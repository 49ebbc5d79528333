#!/usr/bin/python3
"""Ten problems with contacts: liaison against Siconos (python3-siconos of Debian).

Siconos steps through impacts and friction with a fixed step h (Moreau and Jean), so that its error
falls with h. Its answers with h and h/2 say how far it can be trusted: liaison must agree within
a few times their difference, and that must be small.

    compare.py LIAISON [NAME]
"""
import json
import math
import subprocess
import sys

import numpy as np
import siconos.kernel as sk

THETA = 0.5 + 1e-9  # of the Moreau-Jean scheme: no energy is lost in smooth motion
TRUSTED = 4.0       # liaison may differ by so many times what halving the step changes
SMALL = 2e-2        # that change, relative to 1 + the size of the number


class Problem:
    """M q'' + C q' + K q = f, contacts H q + b >= 0 with a restitution and a friction coefficient."""

    def __init__(self, q, v, M, end, K=None, C=None, f=None):
        self.q, self.v, self.end = list(map(float, q)), list(map(float, v)), end
        n = len(q)
        self.M = np.array(M, float)
        self.K = np.zeros((n, n)) if K is None else np.array(K, float)
        self.C = np.zeros((n, n)) if C is None else np.array(C, float)
        self.f = np.zeros(n) if f is None else np.array(f, float)
        self.contacts = []

    def contact(self, H, b, restitution=0.0, slips=(), friction=0.0):
        self.contacts.append((np.array(H, float), float(b), restitution,
                              [np.array(s, float) for s in slips], friction))
        return self

    def model(self):
        """The same as a text of liaison."""
        n = len(self.q)

        def sum_of(row, mark):
            return " + ".join(f"({row[i]!r})*x{i}{mark}" for i in range(n))

        def square(A, mark):
            return " + ".join(f"({A[i][j] / 2!r})*x{i}{mark}*x{j}{mark}"
                              for i in range(n) for j in range(n))

        text = "coordinate " + ", ".join(f"x{i}" for i in range(n)) + " : line\n"
        text += f"kinetic {square(self.M.tolist(), chr(39))}\n"
        text += f"potential {square(self.K.tolist(), '')} - ({sum_of(self.f.tolist(), '')})\n"
        if self.C.any():
            text += f"dissipation {square(self.C.tolist(), chr(39))}\n"
        for i, (H, b, e, slips, mu) in enumerate(self.contacts):
            text += f"contact c{i}: {sum_of(H.tolist(), '')} + ({b!r}) >= 0 restitution {e!r}"
            if slips:
                each = ", ".join(sum_of(s.tolist(), "'") for s in slips)
                text += f" slip {'[' + each + ']' if len(slips) > 1 else each} friction {mu!r}"
            text += "\n"
        start = [f"x{i} = {self.q[i]!r}, x{i}' = {self.v[i]!r}" for i in range(n)]
        return text + "start " + ", ".join(start) + f"\nrun t = 0..{self.end!r}\n"

    def liaison(self, program):
        run = subprocess.run([program, "run", "-", "--json"], input=self.model(), text=True,
                             capture_output=True)
        if run.returncode != 0:
            raise RuntimeError(run.stdout + run.stderr)
        state = json.loads(run.stdout)["state"]
        n = len(self.q)
        return np.array([state[f"x{i}"] for i in range(n)] + [state[f"x{i}'"] for i in range(n)])

    def siconos(self, h):
        body = sk.LagrangianLinearTIDS(self.q, self.v, self.M)
        body.setKPtr(self.K)
        body.setCPtr(self.C)
        body.setFExtPtr(self.f)
        system = sk.NonSmoothDynamicalSystem(0.0, self.end)
        system.insertDynamicalSystem(body)
        rough = max((len(c[3]) for c in self.contacts), default=0)
        for H, b, e, slips, mu in self.contacts:
            rows = np.vstack([H] + slips)
            relation = sk.LagrangianLinearTIR(rows, [b] + [0.0] * len(slips))
            law = sk.NewtonImpactFrictionNSL(e, 0.0, mu, 1 + len(slips)) if rough \
                else sk.NewtonImpactNSL(e)
            system.link(sk.Interaction(law, relation), body)
        problem = sk.FrictionContact(1 + rough) if rough else sk.LCP()
        run = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, h), sk.MoreauJeanOSI(THETA),
                              problem)
        for _ in range(round(self.end / h)):
            run.computeOneStep()
            run.nextStep()
        return np.concatenate([np.array(body.q()), np.array(body.velocity())])


def eye(n, m=1.0):
    return m * np.eye(n)


def cradle(n, gap, e, end):
    """Balls of one mass in a row with small gaps; the first one runs into them."""
    p = Problem([i * gap if i else -0.5 for i in range(n)], [1.0] + [0.0] * (n - 1), eye(n), end)
    for i in range(n - 1):
        H = [0.0] * n
        H[i], H[i + 1] = -1.0, 1.0
        p.contact(H, 0.0, e)
    return p


def problems():
    g = 9.81
    s, c = math.sin(0.6), math.cos(0.6)
    yield "ball", Problem([2.0], [0.0], [[1.0]], 1.5, f=[-g]).contact([1.0], 0.0, 0.7)
    yield "ball at rest", Problem([0.5], [0.0], [[1.0]], 3.0, f=[-g]).contact([1.0], 0.0, 0.5)
    yield "oscillator with a stop", Problem([1.0], [0.0], [[1.0]], 7.0, K=[[4.0]]) \
        .contact([1.0], 0.3, 0.8)
    yield "two masses and a wall", Problem(
        [1.0, 2.0], [-1.0, -1.5], [[2.0, 0.0], [0.0, 1.0]], 3.0,
        K=[[1.0, 0.0], [0.0, 0.5]]).contact([1.0, 0.0], 0.0, 0.5).contact([-1.0, 1.0], -0.2, 0.9)
    yield "cradle", cradle(4, 0.01, 1.0, 1.2)
    yield "inelastic row", cradle(3, 0.1, 0.0, 1.5)
    yield "block that stops", Problem([0.0, 0.0], [3.0, 0.0], eye(2, 2.0), 2.0, f=[0.0, -2.0 * g]) \
        .contact([0.0, 1.0], 0.0, 0.0, [[1.0, 0.0]], 0.3)
    yield "block that slides down", Problem(
        [0.0, 0.0], [0.0, 0.0], eye(2), 1.5, f=[g * s, -g * c]) \
        .contact([0.0, 1.0], 0.0, 0.0, [[1.0, 0.0]], 0.4)
    yield "spring and dry friction", Problem(
        [1.0, 0.0], [0.0, 0.0], eye(2), 6.0, K=[[10.0, 0.0], [0.0, 0.0]], f=[0.0, -g]) \
        .contact([0.0, 1.0], 0.0, 0.0, [[1.0, 0.0]], 0.15)
    yield "puck in space", Problem(
        [0.0, 0.0, 0.0], [2.0, 1.0, 0.0], eye(3), 0.8, f=[0.0, 1.0, -g]) \
        .contact([0.0, 0.0, 1.0], 0.0, 0.0, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 0.25)


def main():
    program, only = sys.argv[1], sys.argv[2:]
    passed = failed = 0
    for name, problem in problems():
        if only and name not in only:
            continue
        try:
            ours = problem.liaison(program)
        except RuntimeError as wrong:
            print(f"{name}: {wrong}")
            failed += 1
            continue
        h = 2e-4
        rough, fine = problem.siconos(h), problem.siconos(h / 2)
        scale = 1.0 + np.abs(fine)
        change = np.max(np.abs(rough - fine) / scale)
        off = np.max(np.abs(ours - fine) / scale)
        good = change <= SMALL and off <= TRUSTED * max(change, 10.0 * h)
        print(f"{name}: off by {off:.1e}; halving the step changes {change:.1e}"
              f"{'' if good else '   WRONG'}")
        passed, failed = passed + good, failed + (not good)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
