"""The C library: where it is, and the signatures of its functions (include/liaison)."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Iterator

OK, MODEL, FILE, MEMORY, ARGUMENT, STOPPED, FAILED, DONE, CONTROL = range(9)  # include/liaison/status.def


class Define(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_double)]


class Defines(ctypes.Structure):
    _fields_ = [("list", POINTER(Define)), ("count", c_size_t)]


class RuleChange(ctypes.Structure):
    _fields_ = [("constraint", c_char_p), ("forces", c_int)]


_MORE = c_uint64 * 8  # room for options of later versions


class SystemOptions(ctypes.Structure):
    _fields_ = [
        ("no_eliminate", c_bool),
        ("rules", POINTER(RuleChange)),
        ("rule_count", c_size_t),
        ("more", _MORE),
    ]


class RunOptions(ctypes.Structure):
    _fields_ = [
        ("from_", c_void_p),
        ("until", POINTER(c_double)),
        ("tolerance", c_double),
        ("samples", c_uint32),
        ("every", c_double),
        ("step_most", c_double),
        ("step_part", c_double),
        ("order", c_int),
        ("steps_most", c_uint64),
        ("checkpoint", c_char_p),
        ("checkpoint_every", c_double),
        ("resume", c_char_p),
        ("progress", c_void_p),
        ("context", c_void_p),
        ("interrupt", c_void_p),
        ("keep_steps", c_bool),
        ("more", _MORE),
    ]


class RunEvent(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("index", c_size_t),
        ("t", c_double),
        ("direction", c_int),
        ("stop", c_bool),
        ("kind", c_uint8),
        ("impulse", POINTER(c_double)),
        ("impulse_count", c_size_t),
        ("energy", c_double),
        ("more", c_uint64 * (len(_MORE()) - 3)),
    ]


class TextStyle(ctypes.Structure):
    _fields_ = [("colour", c_bool), ("width", c_int), ("pictures", c_bool), ("ascii", c_bool)]


class ExplainOptions(ctypes.Structure):
    _fields_ = [
        ("format", c_int),
        ("at_start", c_bool),
        ("at", c_char_p),
        ("samples", c_uint32),
        ("style", TextStyle),
        ("base", c_char_p),
        ("more", c_uint64 * 7),
    ]


def _candidates() -> Iterator[str]:
    given = os.environ.get("LIAISON_LIBRARY")
    if given:
        yield given
        return
    here = Path(__file__).resolve().parent
    names = ("libliaison.so.0", "libliaison.so", "libliaison.dylib")
    folders = [here, here.parent.parent / "build"]  # next to the package; the source tree
    folders += [Path(p) / "lib" for p in ("/usr/local", "/usr")]
    folders += [Path.home() / ".local" / "lib"]
    for folder in folders:
        for name in names:
            if (folder / name).exists():
                yield str(folder / name)
    found = ctypes.util.find_library("liaison")
    if found:
        yield found


def _load() -> tuple[ctypes.CDLL, str]:
    tried = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path), path
        except OSError as error:
            tried.append(f"{path}: {error}")
    raise ImportError(
        "the library of liaison was not found: build it with `make`, install it with `make install`, "
        "or name the file in LIAISON_LIBRARY" + "".join(f"\n  {line}" for line in tried)
    )


lib, _path = _load()

_TEXT = c_void_p  # a text that is to be released with lia_free

_SIGNATURES: dict[str, tuple[object, list[object]]] = {
    "lia_status_text": (c_char_p, [c_int]),
    "lia_event_kind_text": (c_char_p, [c_int]),
    "lia_free": (None, [c_void_p]),
    "lia_diags_create": (c_void_p, []),
    "lia_diags_destroy": (None, [c_void_p]),
    "lia_diags_count": (c_size_t, [c_void_p]),
    "lia_diags_errors": (c_size_t, [c_void_p]),
    "lia_diags_text": (_TEXT, [c_void_p]),
    "lia_model_read": (c_int, [c_char_p, POINTER(Defines), c_void_p, POINTER(c_void_p)]),
    "lia_model_parse": (
        c_int,
        [c_char_p, c_char_p, c_size_t, POINTER(Defines), c_void_p, POINTER(c_void_p)],
    ),
    "lia_model_destroy": (None, [c_void_p]),
    "lia_model_name": (c_char_p, [c_void_p]),
    "lia_system_build": (c_int, [c_void_p, POINTER(SystemOptions), c_void_p, POINTER(c_void_p)]),
    "lia_system_destroy": (None, [c_void_p]),
    "lia_state_parse": (
        c_int,
        [c_char_p, c_char_p, c_size_t, c_void_p, c_void_p, POINTER(c_void_p)],
    ),
    "lia_state_of": (c_void_p, [c_void_p]),
    "lia_state_destroy": (None, [c_void_p]),
    "lia_motion_run": (c_int, [c_void_p, POINTER(RunOptions), c_void_p, POINTER(c_void_p)]),
    "lia_kept_find": (c_int, [c_void_p]),
    "lia_motion_check": (c_int, [c_void_p, POINTER(RunOptions), c_void_p, POINTER(c_void_p)]),
    "lia_trajectory_destroy": (None, [c_void_p]),
    "lia_trajectory_rows": (c_size_t, [c_void_p]),
    "lia_trajectory_columns": (c_size_t, [c_void_p]),
    "lia_trajectory_column": (c_char_p, [c_void_p, c_size_t]),
    "lia_trajectory_value": (c_double, [c_void_p, c_size_t, c_size_t]),
    "lia_trajectory_final": (c_bool, [c_void_p, c_char_p, POINTER(c_double)]),
    "lia_trajectory_status": (c_char_p, [c_void_p]),
    "lia_trajectory_reason": (c_char_p, [c_void_p]),
    "lia_output_json": (_TEXT, [c_void_p]),
    "lia_output_summary": (_TEXT, [c_void_p, POINTER(TextStyle)]),
    "lia_output_reason": (_TEXT, [c_void_p]),
    "lia_output_csv": (c_int, [c_void_p, c_char_p]),
    "lia_output_svg": (c_int, [c_void_p, c_char_p, POINTER(c_size_t), POINTER(c_void_p)]),
    "lia_output_page": (c_int, [c_void_p, c_char_p, c_size_t, c_char_p]),
    "lia_version": (c_char_p, []),
    "lia_trajectory_find": (c_size_t, [c_void_p, c_char_p]),
    "lia_trajectory_series": (c_int, [c_void_p, c_size_t, POINTER(c_double), c_size_t]),
    "lia_trajectory_at": (c_int, [c_void_p, c_double] + [POINTER(c_double)] * 3),
    "lia_model_count": (c_size_t, [c_void_p, c_int]),
    "lia_model_name_of": (c_char_p, [c_void_p, c_int, c_size_t]),
    "lia_system_rows": (c_size_t, [c_void_p]),
    "lia_system_lines": (c_size_t, [c_void_p]),
    "lia_system_copy": (c_int, [c_void_p, POINTER(c_void_p)]),
    "lia_system_set_parameter": (c_int, [c_void_p, c_char_p, c_double, c_void_p]),
    "lia_evaluator_create": (c_int, [c_void_p, POINTER(c_void_p)]),
    "lia_evaluator_destroy": (None, [c_void_p]),
    "lia_evaluator_set": (c_int, [c_void_p, c_double, POINTER(c_double), POINTER(c_double)]),
    "lia_evaluator_solution": (c_int, [c_void_p]),
    "lia_evaluator_size": (c_size_t, [c_void_p, c_int]),
    "lia_evaluator_get": (c_int, [c_void_p, c_int, POINTER(c_double), c_size_t]),
    "lia_run_create": (c_int, [c_void_p, POINTER(RunOptions), c_void_p, POINTER(c_void_p)]),
    "lia_run_destroy": (None, [c_void_p]),
    "lia_run_step": (c_int, [c_void_p]),
    "lia_run_advance": (c_int, [c_void_p, c_double]),
    "lia_run_control": (c_int, [c_void_p, c_char_p, POINTER(c_double), c_size_t, c_double]),
    "lia_run_time": (c_double, [c_void_p]),
    "lia_run_size": (c_size_t, [c_void_p]),
    "lia_run_state": (c_int, [c_void_p, POINTER(c_double), POINTER(c_double)]),
    "lia_run_state_at": (c_int, [c_void_p, c_double, POINTER(c_double), POINTER(c_double)]),
    "lia_run_event": (c_bool, [c_void_p, POINTER(RunEvent)]),
    "lia_run_save": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "lia_run_restore": (c_int, [c_void_p, c_char_p, c_size_t]),
    "lia_run_trajectory": (c_int, [c_void_p, POINTER(c_void_p)]),
    "lia_explain": (_TEXT, [c_void_p, POINTER(ExplainOptions), c_void_p]),
}
for _name, (_result, _arguments) in _SIGNATURES.items():
    _function = getattr(lib, _name)
    _function.restype = _result
    _function.argtypes = _arguments


def take_text(pointer: int | None) -> str:
    """A text of the library as a string; the library's copy is released."""
    if not pointer:
        raise MemoryError("memory is out")
    try:
        return ctypes.string_at(pointer).decode("utf-8", "replace")
    finally:
        lib.lia_free(pointer)


def library_path() -> str:
    """The file of the C library that was loaded."""
    return _path


def version() -> str:
    """The version of the C library."""
    return lib.lia_version().decode()


def doubles(array: "object") -> "object":
    """The numbers of a numpy array of doubles, for the library."""
    return array.ctypes.data_as(POINTER(c_double))
