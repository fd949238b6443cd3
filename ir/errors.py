"""The exceptions of the library, by PyFlink's names, and the sentence that suggests the nearest valid name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class TableException(Exception):
    """Something that is not supported, or that failed while a query ran.

    ``condition`` is Spark's error condition (``DIVIDE_BY_ZERO``) and ``sql_state`` its SQLSTATE, where Spark raised it.
    """

    def __init__(self, message: str, *, condition: str | None = None, sql_state: str | None = None) -> None:
        super().__init__(message)
        self.condition = condition
        self.sql_state = sql_state
        # The part of the query that is wrong, as it was written; whoever knows its place in a text says where it is.
        self.written: object | None = None


class ValidationException(TableException):
    """A query, a schema or a setting that is wrong."""


class FunctionNotExistException(ValidationException):
    """No function has the given name."""

    def __init__(self, message: str, *, condition: str | None = None, sql_state: str | None = None) -> None:
        super().__init__(message, condition=condition or "UNRESOLVED_ROUTINE", sql_state=sql_state or "42883")


class SqlParserException(TableException):
    """SQL text that does not parse."""


class CatalogException(TableException):
    """A catalog that refused an operation or could not carry it out."""


class CatalogNotExistException(CatalogException):
    """No catalog has the given name."""


class DatabaseNotExistException(CatalogException):
    """No database of the catalog has the given name."""


class TableNotExistException(CatalogException):
    """No table or view has the given path."""


class TableAlreadyExistException(CatalogException):
    """The path of a new table or view is taken."""


def did_you_mean(given: str, valid: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?`` for the valid name nearest to ``given``, or an empty string when none is near.

    >>> did_you_mean("nmae", ["name", "id"])
    " Did you mean 'name'?"
    """
    by_folded = {name.lower(): name for name in valid}
    near = difflib.get_close_matches(given.lower(), by_folded, n=1, cutoff=0.6)
    return f" Did you mean '{by_folded[near[0]]}'?" if near else ""


def listing(names: Iterable[str], limit: int = 20) -> str:
    """Return the names separated by commas, cut after ``limit`` of them with a count of the rest."""
    every = list(names)
    shown = ", ".join(every[:limit])
    return shown if len(every) <= limit else f"{shown}, … ({len(every) - limit} more)"
