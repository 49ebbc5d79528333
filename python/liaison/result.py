"""A motion: its samples as numpy arrays, forces, powers, works, events."""
from __future__ import annotations

import ctypes
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _library as c
from ._library import lib, take_text
from .notebook import frame

if TYPE_CHECKING:
    from .model import Model

Numbers = Union[float, np.ndarray]


@dataclass(frozen=True)
class Event:
    """An event of the model, when it happened."""

    name: str
    t: float
    data: dict[str, Any]  #: all that the JSON says of it


class Columns(Mapping):
    """The columns KIND(NAME) of a result by NAME: `result.force["blade"]`.

    A constraint of several equations has a column for each, KIND(NAME)[1], KIND(NAME)[2], ...: NAME
    is all of them, one row each.
    """

    def __init__(self, result: "Result", kind: str, columns: Iterable[str]) -> None:
        self._result, self._kind = result, kind
        self._of: dict[str, list[str]] = {}
        for column in columns:
            found = re.fullmatch(re.escape(kind) + r"\((.*)\)(\[\d+\])?", column)
            if found:
                self._of.setdefault(found[1], []).append(column)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._of:
            raise KeyError(f"no {self._kind} of {name!r}; there are: {', '.join(self) or 'none'}")
        columns = self._of[name]
        if columns == [f"{self._kind}({name})"]:
            return self._result[columns[0]]
        return np.stack([self._result[column] for column in columns])

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def __repr__(self) -> str:
        return f"<{self._kind} of {', '.join(self) or 'nothing'}>"


class Result:
    """What `Model.run()` gives. `result["x"]` is a column of the samples as a numpy array."""

    def __init__(self, model: "Model", trajectory: ctypes.c_void_p) -> None:
        self.model = model  # it must outlive the motion
        self._trajectory = trajectory

    def __del__(self) -> None:
        if getattr(self, "_trajectory", None):
            lib.lia_trajectory_destroy(self._trajectory)

    @cached_property
    def _columns(self) -> dict[str, int]:
        count = lib.lia_trajectory_columns(self._trajectory)
        return {lib.lia_trajectory_column(self._trajectory, k).decode(): k for k in range(count)}

    def keys(self) -> list[str]:
        """The names of all columns: "t", "x", "x'", "force(blade)", "power(twist)", ..."""
        return list(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __len__(self) -> int:
        """How many samples there are."""
        return lib.lia_trajectory_rows(self._trajectory)

    @cached_property
    def _blocks(self) -> dict[str, np.ndarray]:
        return {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._blocks:
            index = lib.lia_trajectory_find(self._trajectory, name.encode())
            column = np.empty(len(self))
            status = lib.lia_trajectory_series(
                self._trajectory, index, c.doubles(column), len(self)
            )
            if status != c.OK:
                raise KeyError(f"no column {name!r}; there are: {', '.join(self._columns)}")
            column.flags.writeable = False
            self._blocks[name] = column
        return self._blocks[name]

    @property
    def t(self) -> np.ndarray:
        """The times of the samples."""
        return self["t"]

    def at(self, t: Any) -> dict[str, Numbers]:
        """Positions and velocities at any time of the motion, by name: as exact as the motion itself.

        `t` is a number, or an array of numbers: then each name has an array of the same shape.
        """
        times = np.asarray(t, float)
        size = self.model.size
        q, v = np.empty((times.size, size)), np.empty((times.size, size))
        for k, one in enumerate(times.ravel()):
            status = lib.lia_trajectory_at(
                self._trajectory, one, c.doubles(q[k]), c.doubles(v[k]), None
            )
            if status != c.OK:
                begin, end = self.t[0], self.t[-1]
                raise ValueError(f"t = {one:g} is outside of the motion, {begin:g} to {end:g}")

        def numbers(of: np.ndarray) -> Numbers:
            return of.reshape(times.shape) if times.shape else float(of[0])

        names = self.model.coordinates
        positions = {name: numbers(q[:, k]) for k, name in enumerate(names)}
        return {**positions, **{name + "'": numbers(v[:, k]) for k, name in enumerate(names)}}

    @cached_property
    def data(self) -> dict[str, Any]:
        """What `liaison run --json` prints."""
        return json.loads(take_text(lib.lia_output_json(self._trajectory)))

    @property
    def status(self) -> str:
        """done, stopped or failed."""
        return lib.lia_trajectory_status(self._trajectory).decode()

    @property
    def reason(self) -> str | None:
        """Why the motion ended early; None where it did not."""
        text = lib.lia_trajectory_reason(self._trajectory)
        return text.decode() if text else None

    @cached_property
    def force(self) -> Columns:
        """Forces of constraints and operators along the motion, by name."""
        return Columns(self, "force", self._columns)

    @cached_property
    def power(self) -> Columns:
        """Their powers along the motion, by name."""
        return Columns(self, "power", self._columns)

    @cached_property
    def work(self) -> Columns:
        """Their works since the start along the motion, by name: the last number is the whole work."""
        return Columns(self, "work", (f"work({name})" for name in self.data.get("work", {})))

    @cached_property
    def state(self) -> dict[str, float]:
        """Positions and velocities at the end, by name."""
        return dict(self.data.get("state", {}))

    @cached_property
    def events(self) -> list[Event]:
        """The events of the motion, in their order."""
        return [
            Event(str(e.get("name", e.get("event", ""))), float(e["t"]), e)
            for e in self.data.get("events", [])
        ]

    def final(self, name: str) -> float:
        """A number at the end: a column, work(NAME), residual(NAME), balance, regularity, energy."""
        value = ctypes.c_double()
        if not lib.lia_trajectory_final(self._trajectory, name.encode(), ctypes.byref(value)):
            raise KeyError(f"nothing is called {name!r} at the end of the motion")
        return value.value

    def summary(self, width: int = 100, pictures: bool = False) -> str:
        """The result for people, as the program prints it."""
        style = c.TextStyle(False, width, pictures, False)
        return take_text(lib.lia_output_summary(self._trajectory, ctypes.byref(style)))

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return f"<Result of {self.model.name}: {self.status}, {len(self)} samples>"

    def save(self, path: "str | os.PathLike[str]") -> None:
        """The samples as CSV, or the motion as a page where the name ends with .html."""
        name = os.fspath(path)
        if name.endswith(".html"):
            template = _template()
            if template is None:
                raise RuntimeError("the template of pages was not found: it is made by `make`")
            status = lib.lia_output_page(
                self._trajectory, template, len(template), os.fsencode(name)
            )
        else:
            status = lib.lia_output_csv(self._trajectory, os.fsencode(name))
        if status == c.MEMORY:
            raise MemoryError("memory is out")
        if status != c.OK:
            raise OSError(f"{name}: cannot be written")

    def plots(self) -> list[str]:
        """The `plot` lines of the model, each as SVG."""
        with tempfile.TemporaryDirectory() as folder:
            count = ctypes.c_size_t()
            stem = os.path.join(folder, "plot")
            lib.lia_output_svg(self._trajectory, os.fsencode(stem), ctypes.byref(count), None)
            names = [stem + (f"-{k + 1}" if k else "") + ".svg" for k in range(count.value)]
            return [Path(name).read_text("utf-8") for name in names]

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Columns over time by matplotlib; all positions where no name is given."""
        import matplotlib.pyplot as plt

        if axes is None:
            _, axes = plt.subplots()
        chosen = names or tuple(n for n in self.data.get("state", {}) if not n.endswith("'"))
        for name in chosen:
            axes.plot(self.t, self[name], label=name)
        axes.set_xlabel("t")
        axes.legend()
        return axes

    def _repr_html_(self) -> str:
        template = _template()
        if template is not None:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "page.html")
                self.save(path)
                return frame(Path(path).read_text("utf-8"))
        plain = self.summary().replace("&", "&amp;").replace("<", "&lt;")
        return f"<pre>{plain}</pre>" + "".join(self.plots())


def _template() -> bytes | None:
    """The template of pages: next to the library where it was built, or where it was installed."""
    folder = Path(c.library_path()).resolve().parent
    for path in (folder / "web" / "page.html", folder.parent / "share" / "liaison" / "page.html"):
        if path.is_file():
            return path.read_bytes()
    return None
