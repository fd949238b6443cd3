"""What a view or a function is missing since a process was killed while it replaced that: it is made when it is missed.

Each object is found again when itself is asked for. Spark asks for those that the text of another one names, and knows
nothing of replacements.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ir.errors import SqlParserException, TableException, ValidationException
from ir.identifiers import parse_path
from tableapi.spark.errors import readable_errors
from tableapi.spark.functions.storage import FunctionStorage
from tableapi.spark.views.errors import NOT_FOUND
from tableapi.spark.views.storage import ViewStorage

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_T = TypeVar("_T")
_STORAGES: dict[str, type[ViewStorage] | type[FunctionStorage]] = {
    NOT_FOUND: ViewStorage,
    "UNRESOLVED_ROUTINE": FunctionStorage,
    # In the body of another function.
    "ROUTINE_NOT_FOUND": FunctionStorage,
    "UNRESOLVABLE_TABLE_VALUED_FUNCTION": FunctionStorage,
}
# The first that such a message names is what is missing.
_PATH = re.compile(r"`(?:[^`]|``)*`(?:\.`(?:[^`]|``)*`)*")


def with_what_is_missing(spark: SparkSession, namespace: tuple[str, str], read: Callable[[], _T]) -> _T:
    """Return what an action of Spark returns, which is done again when something that it missed could be made.

    Args:
        spark: the session.
        namespace: the catalog and the database in which names of fewer parts are.
        read: the action.
    """
    looked_for = set()
    while True:
        try:
            with readable_errors():
                return read()
        except TableException as error:
            path = _missing(error)
            if path is None or path in looked_for:
                raise
            looked_for.add(path)
            catalog, database, name = (*namespace[: 3 - len(path)], *path)
            storage = _STORAGES[str(error.condition)](spark, catalog, database)
            # Dependencies of a function are looked for when it is made.
            if with_what_is_missing(spark, (catalog, database), functools.partial(storage.find, name)) is None:
                raise


def _missing(error: TableException) -> tuple[str, ...] | None:
    """Return the path of what an error says is missing, None where it is about something else."""
    found = _PATH.search(str(error)) if error.condition in _STORAGES else None
    try:
        path = parse_path(found[0]) if found is not None else ()
    except (SqlParserException, ValidationException):
        return None
    return tuple(path) if 1 <= len(path) <= 3 else None
