"""Targets that refuse: how catalogs report a missing permission or metastore, and what to do."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Final

from ir.errors import TableException
from tableapi.project.configuration import ProjectError

# How file systems, the Hive metastore, PostgreSQL, object stores, Ranger and Unity Catalog begin a refusal.
_REFUSALS: Final = re.compile(
    r"permission denied|access ?denied|AccessControlException|AuthorizationException"
    r"|insufficient.{0,3}(?:privilege|permission)|does not have .{0,40}(?:privilege|permission)"
    r"|not (?:authorized|permitted)|read-only|Forbidden|\b403\b",
    re.IGNORECASE,
)
_NO_METASTORE: Final = re.compile(r"MetaStoreClient|Could not connect to meta store")
_TO_READ: Final = "to list and read its databases, views and functions"
_TO_WRITE: Final = "to create, replace and drop views and functions in {database}"


def is_refusal(error: Exception) -> bool:
    """Whether an error says that the user lacks a permission.

    >>> is_refusal(TableException("Permission denied: user=ann, access=WRITE"))
    True
    >>> is_refusal(TableException("No table sales.orders."))
    False
    """
    return _REFUSALS.search(str(error)) is not None


@contextlib.contextmanager
def reading_target(target: str) -> Iterator[None]:
    """Add advice to a refusal in the block, which reads a target.

    Raises:
        ProjectError: the target refuses to be read, or its metastore cannot be reached.
    """
    try:
        yield
    except ProjectError:
        raise
    except TableException as error:
        advice = ""
        if _NO_METASTORE.search(str(error)):
            advice = "See that the Hive metastore runs, and that hive.metastore.uris of the session has its address."
        if is_refusal(error):
            advice = f"Ask for the permission {_TO_READ}."
        if not advice:
            raise
        raise ProjectError(f"The target {target} cannot be read: {error}\nNothing was changed. {advice}") from error


def advise_writer(error: Exception, database: str) -> str:
    """Return the permission to ask for after a refused change in a database; empty for other errors."""
    return f" Ask for the permission {_TO_WRITE.format(database=database)}." if is_refusal(error) else ""
