"""What is wrong in a model, as exceptions whose text is the underlined diagnostic."""
from __future__ import annotations

import re
from dataclasses import dataclass

from ._library import lib, take_text


@dataclass(frozen=True)
class Diagnostic:
    """One message about a place in a model text."""

    severity: str  #: "error" or "warning"
    code: str  #: E0101, W0412, ...
    message: str
    line: int  #: from 1; 0 where it is about no place
    column: int
    text: str  #: with the line underlined, and the advice

    def __str__(self) -> str:
        return self.text


class LiaisonError(Exception):
    """A model that is wrong, or a motion that could not go on.

    `diagnostics` are all messages; `result` is what a failed run reached, else None.
    """

    def __init__(self, text: str, diagnostics: list[Diagnostic] | None = None, result=None):
        super().__init__(text)
        self.diagnostics = diagnostics or []
        self.result = result


class LiaisonWarning(UserWarning):
    """A warning of the library, say W0412: its text is the underlined diagnostic."""


_HEAD = re.compile(
    r"^(?:(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): |(?P<only>[^\n]*?): )?"
    r"(?P<severity>error|warning) (?P<code>[EW]\d{4}): (?P<message>.*)$",
    re.M,
)


def parse_diagnostics(text: str) -> list[Diagnostic]:
    """The messages of a rendered list, one by one."""
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        Diagnostic(
            head["severity"],
            head["code"],
            head["message"],
            int(head["line"] or 0),
            int(head["column"] or 0),
            text[head.start() : end].rstrip("\n"),
        )
        for head, end in zip(heads, ends)
    ]


class Diagnostics:
    """The list of the library, for one model."""

    def __init__(self) -> None:
        self.handle = lib.lia_diags_create()
        if not self.handle:
            raise MemoryError("memory is out")
        self._said = ""

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            lib.lia_diags_destroy(self.handle)

    @property
    def text(self) -> str:
        return take_text(lib.lia_diags_text(self.handle))

    def news(self) -> str:
        """What was added since it was asked last."""
        text = self.text
        new = text[len(self._said) :] if text.startswith(self._said) else text
        self._said = text
        return new.strip("\n")
