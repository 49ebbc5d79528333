"""The equations at a state as numpy arrays: M a + h = Q + Omega^T mu, J a + gamma = 0."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library as c
from ._library import lib

if TYPE_CHECKING:
    from .model import Model

_SOLUTIONS = ("not yet", "unique", "shared", "hidden", "open", "none", "undefined")
# rows of LiaEvaluated in include/liaison/evaluate.h
_A, _MU, _M, _J, _OMEGA, _GAMMA, _H, _Q, _P, _ENERGIES, _POWERS = 2, 3, 6, 7, 8, 9, 10, 11, 12, 15, 17


@dataclass(frozen=True)
class Evaluation:
    """All of it at one state. Coordinates in the order of the model, rows in that of its equations."""

    a: np.ndarray  #: accelerations (n)
    mu: np.ndarray  #: multipliers, the strengths of the forces (r)
    M: np.ndarray  #: mass matrix (n, n)
    J: np.ndarray  #: gradients of the equations (r, n)
    Omega: np.ndarray  #: directions of the forces (r, n)
    gamma: np.ndarray  #: (r)
    h: np.ndarray  #: (n)
    Q: np.ndarray  #: applied forces (n)
    p: np.ndarray  #: momenta (n)
    energies: np.ndarray  #: energy, kinetic, potential
    powers: np.ndarray  #: lines of the ledger
    solution: str  #: "unique"; or why a or mu are not


class Evaluator:
    """Evaluates one system at many states."""

    def __init__(self, model: "Model") -> None:
        self.model = model
        self._handle = ctypes.c_void_p()
        if lib.lia_evaluator_create(model._system, ctypes.byref(self._handle)) != c.OK:
            raise MemoryError("memory is out")

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.lia_evaluator_destroy(self._handle)

    @property
    def size(self) -> int:
        return lib.lia_evaluator_size(self._handle, 0)

    def _get(self, what: int) -> np.ndarray:
        out = np.empty(lib.lia_evaluator_size(self._handle, what))
        if out.size:
            lib.lia_evaluator_get(self._handle, what, c.doubles(out), out.size)
        return out

    def at(self, q: Any, v: Any, t: float = 0.0) -> Evaluation:
        n = self.size
        positions, velocities = (np.ascontiguousarray(x, float) for x in (q, v))
        if positions.shape != (n,) or velocities.shape != (n,):
            raise ValueError(f"q and v have {n} numbers: {', '.join(self.model.coordinates)}")
        status = lib.lia_evaluator_set(self._handle, t, c.doubles(positions), c.doubles(velocities))
        if status == c.MEMORY:
            raise MemoryError("memory is out")
        if status == c.ARGUMENT:
            raise ValueError("the state has numbers that are not finite")
        return Evaluation(
            self._get(_A),
            self._get(_MU),
            self._get(_M).reshape(n, n),
            self._get(_J).reshape(-1, n),
            self._get(_OMEGA).reshape(-1, n),
            self._get(_GAMMA),
            self._get(_H),
            self._get(_Q),
            self._get(_P),
            self._get(_ENERGIES),
            self._get(_POWERS),
            _SOLUTIONS[lib.lia_evaluator_solution(self._handle)],
        )
