"""A PyFlink program: its text, and the expected outcome here."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from typing import Any

import attrs

from tableapi import Row, Table, TableResult

# Only the import lines of a program change. Submodules keep their names.
_IMPORT = re.compile(r"^(\s*(?:from|import) )pyflink(?:\.(?:table|common|datastream))\b", re.MULTILINE)


@attrs.frozen
class Program:
    """A program as its user has it.

    Attributes:
        name: the subject of the program.
        page: the kind of page in PyFlink's documentation that has such programs.
        text: the program; its variable ``result`` is the last table, rows, DataFrame or value.
        expected: the rows of ``result`` in any order, or its value.
        refused: for a program that does not run, the section of the migration page that the message names.
    """

    name: str
    page: str
    text: str = attrs.field(repr=False)
    expected: Any = None
    refused: str | None = None

    def run(self) -> Any:
        """Run the program with replaced imports, and return its ``result`` in comparable form."""
        # A user's program is the module __main__, so its functions are pickled to workers by value.
        names: dict[str, Any] = {"__name__": "__main__"}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(with_other_imports(self.text), f"<{self.name}>", "exec"), names)
            return comparable(names["result"])


def with_other_imports(text: str) -> str:
    """Replace PyFlink's packages by this one in the import lines of a program."""
    return _IMPORT.sub(r"\1tableapi", text)


def comparable(value: Any) -> Any:
    """Return rows as sorted tuples, and any other value unchanged."""
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
