"""A model: a text that says what moves, what holds it and who acts on it."""
from __future__ import annotations

import ctypes
import json
import math
import os
import warnings
from functools import cached_property
from pathlib import Path
from typing import Any, Mapping, Union

from . import _library as c
from ._library import lib, take_text
from .evaluation import Evaluation, Evaluator
from .errors import Diagnostics, LiaisonError, LiaisonWarning, parse_diagnostics
from .notebook import html_of_latex, markdown_of_latex
from .result import Result
from .run import Run

Source = Union[str, "os.PathLike[str]"]
_FORCES = {"ideal": 0, "chetaev": 1, "given": 2}


def _is_path(source: Source) -> bool:
    if not isinstance(source, str):
        return True
    return "\n" not in source and (source.endswith(".lia") or Path(source).is_file())


class Model:
    """A model, read and checked, with its equations derived.

    `source` is the path of a model file, or the text of a model. Keywords are values of its
    parameters: `Model("skater.lia", m=2)`. `rules` are other forces for the same equations:
    `rules={"blade": "given"}`. What is wrong is a `LiaisonError` whose text shows the place.
    """

    def __init__(
        self,
        source: Source,
        /,
        *,
        rules: Mapping[str, str] | None = None,
        eliminate: bool = True,
        **parameters: float,
    ) -> None:
        self._model = ctypes.c_void_p()
        self._system = ctypes.c_void_p()
        self._diags = Diagnostics()
        self.parameters = {name: float(value) for name, value in parameters.items()}
        values = (c.Define * len(parameters))(
            *(c.Define(name.encode(), value) for name, value in self.parameters.items())
        )
        defines = c.Defines(values, len(parameters))
        if _is_path(source):
            path = os.fspath(source)
            status = lib.lia_model_read(
                os.fsencode(path), defines, self._diags.handle, ctypes.byref(self._model)
            )
            if status == c.FILE:
                raise FileNotFoundError(f"{path}: the model cannot be read")
        else:
            text = str(source).encode()
            status = lib.lia_model_parse(
                b"model", text, len(text), defines, self._diags.handle, ctypes.byref(self._model)
            )
        self._check(status)
        changes = [(name.encode(), _FORCES[rule]) for name, rule in (rules or {}).items()]
        array = (c.RuleChange * len(changes))(*(c.RuleChange(*change) for change in changes))
        options = c.SystemOptions(not eliminate, array, len(changes))
        self._check(
            lib.lia_system_build(
                self._model, ctypes.byref(options), self._diags.handle, ctypes.byref(self._system)
            )
        )

    def __del__(self) -> None:
        if getattr(self, "_system", None):
            lib.lia_system_destroy(self._system)
        if getattr(self, "_model", None) and not hasattr(self, "_source"):
            lib.lia_model_destroy(self._model)

    def _check(self, status: int) -> None:
        news = self._diags.news()
        if status == c.MEMORY:
            raise MemoryError("memory is out")
        if status in (c.OK, c.STOPPED, c.FAILED):
            for message in parse_diagnostics(news):
                warnings.warn(LiaisonWarning(message.text), stacklevel=3)
            return
        raise LiaisonError(
            "\n" + news if news else lib.lia_status_text(status).decode(), parse_diagnostics(news)
        )

    @property
    def name(self) -> str:
        """As the `model` line says, or by the name of the file."""
        return lib.lia_model_name(self._model).decode()

    def _names(self, thing: int) -> list[str]:
        count = lib.lia_model_count(self._model, thing)
        return [lib.lia_model_name_of(self._model, thing, k).decode() for k in range(count)]

    @property
    def coordinates(self) -> list[str]:
        """The names of the coordinates, in the order of q and v."""
        return self._names(0)

    @property
    def constraints(self) -> list[str]:
        """The names of constraints and operators, in the order written."""
        return self._names(3)

    @cached_property
    def size(self) -> int:
        """How many numbers a position has: those of all coordinates, and of what the program adds."""
        return Evaluator(self).size

    def set(self, **parameters: float) -> "Model":
        """The same model with other parameters: nothing is read or derived again."""
        other = Model.__new__(Model)
        other._source, other._diags = self, self._diags  # the text and the formulas are shared
        other._model, other._system = ctypes.c_void_p(), ctypes.c_void_p()
        other.parameters = {**self.parameters}
        other._model = self._model
        self._check(lib.lia_system_copy(self._system, ctypes.byref(other._system)))
        for name, value in parameters.items():
            status = lib.lia_system_set_parameter(
                other._system, name.encode(), value, self._diags.handle
            )
            if status == c.ARGUMENT:
                raise KeyError(f"the model has no parameter {name!r}")
            self._check(status)
            other.parameters[name] = float(value)
        return other

    def evaluate(self, q: Any, v: Any, t: float = 0.0) -> Evaluation:
        """The equations at a state: a, mu, M, J, Omega, gamma, h, Q, energies, powers."""
        return Evaluator(self).at(q, v, t)

    def start(self, until: float = math.inf, **options: Any) -> Run:
        """A run that goes step by step, with controls set from outside: see `Run`."""
        return Run(self, until, **options)

    def run(
        self,
        until: float | None = None,
        *,
        samples: int = 0,
        every: float = 0.0,
        tolerance: float = 0.0,
        order: int = 0,
        step_most: float = 0.0,
        steps: int = 0,
        start: Mapping[str, float] | Result | None = None,
        check: bool = False,
        strict: bool = True,
    ) -> Result:
        """The motion. Every argument left out is as the model says.

        `start` is a state to begin in: names and numbers (with "t" for the time), or the result of
        an earlier run. `check`: the run once more with shorter steps and another order. A motion
        that could not go on is a `LiaisonError` with the `result` up to there; with `strict=False`
        it is a result like others.
        """
        options = c.RunOptions(
            tolerance=tolerance,
            samples=samples,
            every=every,
            order=order,
            step_most=step_most,
            steps_most=steps,
            keep_steps=True,
        )
        state = ctypes.c_void_p()
        if until is not None:
            end = ctypes.c_double(until)
            options.until = ctypes.pointer(end)
        try:
            if isinstance(start, Result):
                state = ctypes.c_void_p(lib.lia_state_of(start._trajectory))
            elif start is not None:
                state = self._state(start)
            options.from_ = state
            motion = ctypes.c_void_p()
            call = lib.lia_motion_check if check else lib.lia_motion_run
            status = call(
                self._system, ctypes.byref(options), self._diags.handle, ctypes.byref(motion)
            )
        finally:
            lib.lia_state_destroy(state)
        if not motion:
            self._check(status if status not in (c.OK, c.STOPPED) else c.MEMORY)
            raise LiaisonError(lib.lia_status_text(status).decode())
        lib.lia_kept_find(motion)
        result = Result(self, motion)
        self._check(status)
        if status == c.FAILED and strict:
            text = take_text(lib.lia_output_reason(motion)).strip("\n")
            raise LiaisonError("\n" + text, parse_diagnostics(text), result)
        return result

    def _state(self, values: Mapping[str, float]) -> ctypes.c_void_p:
        numbers = {name: float(value) for name, value in values.items() if name != "t"}
        whole: dict[str, Any] = {"state": numbers}
        if "t" in values:
            whole["t"] = float(values["t"])
        text = json.dumps(whole).encode()
        diags, state = Diagnostics(), ctypes.c_void_p()
        status = lib.lia_state_parse(
            b"start", text, len(text), self._model, diags.handle, ctypes.byref(state)
        )
        if status != c.OK:
            said = diags.news()
            raise LiaisonError("\n" + said, parse_diagnostics(said))
        return state

    def explain(
        self,
        format: str = "text",
        *,
        at: str | None = None,
        at_start: bool = False,
        base: str | None = None,
    ) -> Any:
        """What kind of system it is: "text", "latex", or "json" (as a dictionary)."""
        kind = {"text": 0, "latex": 1, "json": 2}[format]
        options = c.ExplainOptions(
            kind,
            at_start,
            at.encode() if at else None,
            0,
            c.TextStyle(),
            base.encode() if base else None,
        )
        pointer = lib.lia_explain(self._system, ctypes.byref(options), self._diags.handle)
        if not pointer:
            self._check(c.MODEL if lib.lia_diags_errors(self._diags.handle) else c.MEMORY)
        text = take_text(pointer)
        return json.loads(text) if format == "json" else text

    def __repr__(self) -> str:
        given = "".join(f", {name}={value:g}" for name, value in self.parameters.items())
        return f"Model({self.name!r}{given})"

    def _repr_markdown_(self) -> str:
        return markdown_of_latex(self.explain("latex"))

    def _repr_html_(self) -> str:
        return html_of_latex(self.explain("latex"))
