"""A program of PyFlink: its text, and what is expected of it here."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from typing import Any

import attrs

from tableapi import Row, Table, TableResult

# The only lines of a program that change. Submodules keep their names.
_IMPORT = re.compile(r"^(\s*(?:from|import) )pyflink(?:\.(?:table|common|datastream))\b", re.MULTILINE)


@attrs.frozen
class Program:
    """A program, as its user has it.

    Attributes:
        name: what it is about.
        page: which kind of page of PyFlink's documentation has programs like it.
        text: the program; a variable ``result`` is its last table, rows, frame or value.
        expected: the rows of ``result`` in any order, or its value.
        refused: the section of the migration page that the message names, for a program that does not run.
    """

    name: str
    page: str
    text: str = attrs.field(repr=False)
    expected: Any = None
    refused: str | None = None

    def run(self) -> Any:
        """Run the program with other import lines, and return its ``result`` in a form that compares."""
        # What users write in a program is of the module __main__, and travels to workers by value.
        names: dict[str, Any] = {"__name__": "__main__"}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(with_other_imports(self.text), f"<{self.name}>", "exec"), names)
            return comparable(names["result"])


def with_other_imports(text: str) -> str:
    """Replace the packages of PyFlink by this one in the import lines of a program, and nothing else."""
    return _IMPORT.sub(r"\1tableapi", text)


def comparable(value: Any) -> Any:
    """Return rows in one order, as tuples; any other value as it is."""
    if isinstance(value, Table):
        value = value.execute()
    if isinstance(value, TableResult):
        with value.collect() as rows:
            value = list(rows)
    if hasattr(value, "itertuples"):
        value = [tuple(row) for row in value.itertuples(index=False)]
    if isinstance(value, Sequence) and value and all(isinstance(row, Row | tuple) for row in value):
        return sorted(map(_plain, value), key=repr)
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Row | tuple):
        return tuple(map(_plain, value))
    return [_plain(part) for part in value] if isinstance(value, list) else value
