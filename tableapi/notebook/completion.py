"""Completion of column names in ``col("…")``, and of the names of tables in ``from_path("…")``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Final

from tableapi.environment.table_environment import TableEnvironment
from tableapi.notebook.variables import variables_of
from tableapi.table import Table

# A string that has just begun and is the first argument of a function. Group 3 is what is written of it.
_OPEN_STRING: Final = re.compile(r"\b(\w+)\(\s*(['\"])((?:(?!\2)[^\\\n])*)\Z")
_WORD: Final = re.compile(r"[^\W\d]\w*")
# A line that begins a statement, and does not continue the one before it.
_STATEMENT: Final = re.compile(r"\n(?=[^\s)\]}.#])")
_OF_COLUMNS: Final = frozenset(("col", "outer"))
_OF_TABLES: Final = frozenset(("from_path",))


class Completion:
    """Finds the names that can stand in a string of Python.

    Args:
        namespace: the variables of the notebook.
    """

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = namespace

    def find(self, text: str) -> tuple[str, list[str]]:
        """Return what is written of a name at the end of a text, and the names that begin with it in any case.

        >>> from tableapi import TableEnvironment
        >>> orders = TableEnvironment.create().from_elements([(1, 20)], ["id", "amount"])
        >>> Completion({"orders": orders}).find('orders.filter(col("am')
        ('am', ['amount'])

        Args:
            text: the cell up to the cursor.
        """
        opened = _OPEN_STRING.search(text)
        if opened is None:
            return "", []
        function, quote, written = opened.groups()
        if function in _OF_COLUMNS:
            names: Iterable[str] = self._columns(text[: opened.start()])
        elif function in _OF_TABLES:
            names = self._tables()
        else:
            return "", []
        folded = written.casefold()
        fitting = [name for name in dict.fromkeys(names) if name.casefold().startswith(folded)]
        return written, [name for name in fitting if name.isprintable() and quote not in name and "\\" not in name]

    def _columns(self, before: str) -> Iterable[str]:
        """Yield the columns of the tables in the statement; if it names none, those of all tables."""
        known = variables_of(self._namespace, Table)
        statement = _STATEMENT.split(before)[-1]
        named = [known[word] for word in dict.fromkeys(_WORD.findall(statement)) if word in known]
        for table in named or known.values():
            yield from table.get_resolved_schema().names

    def _tables(self) -> Iterable[str]:
        """Yield the temporary tables and views of all environments, which are known without Spark."""
        for environment in variables_of(self._namespace, TableEnvironment).values():
            yield from environment.list_temporary_tables()
            yield from environment.list_temporary_views()

    def matcher(self) -> Callable[[Any], Any]:
        """Return the function that IPython asks (version 2 of its interface)."""
        completion: Any = import_module("IPython.core.completer").SimpleCompletion

        def match(context: Any) -> dict[str, Any]:
            written, names = self.find(context.full_text[: _position(context)])
            return {
                "completions": [completion(text=name, type="column") for name in names],
                "matched_fragment": written,
                "suppress": bool(names),
            }

        match.matcher_api_version = 2  # type: ignore[attr-defined]  # IPython reads these
        match.matcher_identifier = "tableapi"  # type: ignore[attr-defined]
        match.matcher_priority = 200  # type: ignore[attr-defined]
        return match


def _position(context: Any) -> int:
    """Return the position of the cursor in the whole text; IPython tells the one in its line."""
    lines = context.full_text.split("\n")[: context.cursor_line]
    return sum(len(line) + 1 for line in lines) + int(context.cursor_position)
