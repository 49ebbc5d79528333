"""A run that goes step by step: its program looks at it, and sets its controls, in between."""
from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library as c
from ._library import lib, take_text
from .errors import LiaisonError, parse_diagnostics
from .result import Event, Result

if TYPE_CHECKING:
    from .model import Model


class Run:
    """A motion under way.

        run = model.start()
        while run.t < 10:
            q, v = run.state()
            run.control("u", -2.0 * q[0] - v[0], until=run.t + 0.01)
            run.advance(run.t + 0.01)
        result = run.finish()
    """

    def __init__(self, model: "Model", until: float = math.inf, **options: Any) -> None:
        self.model = model
        self._until = ctypes.c_double(until)
        self._options = c.RunOptions(until=ctypes.pointer(self._until), keep_steps=True, **options)
        self._handle = ctypes.c_void_p()
        status = lib.lia_run_create(
            model._system, ctypes.byref(self._options), model._diags.handle, ctypes.byref(self._handle)
        )
        if not self._handle:
            model._check(status)
            raise LiaisonError(lib.lia_status_text(status).decode())
        self.over = False

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.lia_run_destroy(self._handle)

    @property
    def t(self) -> float:
        """Where the run is."""
        return lib.lia_run_time(self._handle)

    def state(self, t: float | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities now, or at any t of the last step."""
        n = lib.lia_run_size(self._handle)
        q, v = np.empty(n), np.empty(n)
        if t is None:
            status = lib.lia_run_state(self._handle, c.doubles(q), c.doubles(v))
        else:
            status = lib.lia_run_state_at(self._handle, t, c.doubles(q), c.doubles(v))
        if status != c.OK:
            raise ValueError(f"t = {t} is not in the last step of the run")
        return q, v

    def _went(self, status: int) -> bool:
        if status == c.MEMORY:
            raise MemoryError("memory is out")
        if status == c.ARGUMENT:
            raise ValueError(f"the run is at t = {self.t:g}: it goes on from there only")
        self.over = status in (c.DONE, c.STOPPED, c.FAILED)
        return not self.over

    def step(self) -> bool:
        """One step, as long as the motion allows. False where the run is over."""
        return self._went(lib.lia_run_step(self._handle))

    def advance(self, t: float) -> bool:
        """To the time t. False where the run is over, there or before."""
        return self._went(lib.lia_run_advance(self._handle, t))

    def control(self, name: str, *coefficients: float, until: float = math.inf) -> None:
        """The law of an open control from now on: c0 + c1 (t - now) + ..., up to `until`."""
        array = (ctypes.c_double * len(coefficients))(*coefficients)
        status = lib.lia_run_control(self._handle, name.encode(), array, len(coefficients), until)
        if status == c.ARGUMENT:
            raise ValueError(
                f"{name!r} is no open control of the model (`control {name}` without a law), or the "
                f"run is inside of a step: advance to where its last law ends first"
            )
        self.model._check(status)

    def events(self) -> Iterator[Event]:
        """The events up to now that were not given yet."""
        event = c.RunEvent()
        while lib.lia_run_event(self._handle, ctypes.byref(event)):
            kind = lib.lia_event_kind_text(event.kind).decode() if event.kind else "user"
            data = {"kind": kind, "direction": event.direction, "stop": event.stop}
            if event.kind == 0:
                data["index"] = event.index
            if event.impulse:
                data["impulse"] = [event.impulse[i] for i in range(event.impulse_count)]
            data["energy"] = event.energy
            yield Event(event.name.decode(), event.t, data)

    def save(self) -> bytes:
        """The run as it is now."""
        pointer, length = ctypes.c_void_p(), ctypes.c_size_t()
        status = lib.lia_run_save(self._handle, ctypes.byref(pointer), ctypes.byref(length))
        if status != c.OK:
            raise RuntimeError(lib.lia_status_text(status).decode())
        try:
            return ctypes.string_at(pointer, length.value)
        finally:
            lib.lia_free(pointer)

    def restore(self, saved: bytes) -> None:
        """Back to what was saved: it goes on to the last bit as it did."""
        if lib.lia_run_restore(self._handle, saved, len(saved)) != c.OK:
            raise ValueError("that was saved by another build, of another model or with other options")
        self.over = False

    def finish(self, strict: bool = True) -> Result:
        """What `Model.run()` gives, up to where the run is."""
        motion = ctypes.c_void_p()
        status = lib.lia_run_trajectory(self._handle, ctypes.byref(motion))
        if not motion:
            raise LiaisonError(lib.lia_status_text(status).decode())
        result = Result(self.model, motion)
        if status == c.FAILED and strict:
            text = take_text(lib.lia_output_reason(motion)).strip("\n")
            raise LiaisonError("\n" + text, parse_diagnostics(text), result)
        return result
