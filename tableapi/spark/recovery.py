"""Restore views and functions that are missing because a process was killed while it replaced them.

The catalog restores an object that is read by its own name. If the text of another object names it, Spark looks it up,
and Spark knows nothing of replacements.
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
    # Raised for a function within the body of another function.
    "ROUTINE_NOT_FOUND": FunctionStorage,
    "UNRESOLVABLE_TABLE_VALUED_FUNCTION": FunctionStorage,
}
# The first path in such a message is the missing object.
_PATH = re.compile(r"`(?:[^`]|``)*`(?:\.`(?:[^`]|``)*`)*")


def restore_and_retry(spark: SparkSession, namespace: tuple[str, str], read: Callable[[], _T]) -> _T:
    """Run a read action of Spark, and repeat it whenever a missing object could be restored.

    Args:
        spark: the session.
        namespace: the catalog and the database of names with fewer than three parts.
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
            # Restoring a function looks for its own dependencies.
            if restore_and_retry(spark, (catalog, database), functools.partial(storage.find, name)) is None:
                raise


def _missing(error: TableException) -> tuple[str, ...] | None:
    """Return the path of the object that an error reports as missing; None for other errors."""
    found = _PATH.search(str(error)) if error.condition in _STORAGES else None
    try:
        path = parse_path(found[0]) if found is not None else ()
    except (SqlParserException, ValidationException):
        return None
    return tuple(path) if 1 <= len(path) <= 3 else None
