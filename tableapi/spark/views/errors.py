"""Translate Spark's errors about storing a view or a function."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ir.engine_version import SPARK_VERSIONS, EngineVersion
from ir.errors import (
    CatalogException,
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    TableAlreadyExistException,
    TableException,
    ValidationException,
)
from tableapi.lazy import lazy
from tableapi.spark.errors import readable_errors
from tableapi.spark.views.names import BODY_LIMIT, utf16_length

if TYPE_CHECKING:
    from ir.operations import recursion
    from ir.targets import target as targets
else:
    # For the views of newer versions.
    recursion = lazy(__name__, "ir.operations.recursion")
    targets = lazy(__name__, "ir.targets.target")

NOT_FOUND: Final = "TABLE_OR_VIEW_NOT_FOUND"
TEMPORARY: Final = "INVALID_TEMP_OBJ_REFERENCE"
NO_VIEWS: Final = "MISSING_CATALOG_ABILITY"
NO_JSON_FOR_V2: Final = "NOT_SUPPORTED_COMMAND_FOR_V2_TABLE"

_REFERENCE = re.compile(r"references to the temporary object (`.*`) of the type ([A-Z]+)\.", re.DOTALL)
# Positions count from the start of the generated statement instead of the user's query.
_POSITION = re.compile(r" {2,}\(characters \d+ to \d+ of the SQL\)")
# Spark raises the first error if it checks before a cast, and otherwise the second one.
_SIGNS_OF_NO_VIEWS = (NO_VIEWS, "connector.catalog.ViewCatalog")
_TOO_LARGE = ("ROUTINE_PROPERTY_TOO_LARGE", "LONG VARCHAR")
_WAY_OUT = {
    "VIEW": "Store it as a permanent view or table first",
    "FUNCTION": "Store it as a catalog function first",
    "VARIABLE": "Write its value into the query",
}


@contextlib.contextmanager
def view_errors(operation: str, catalog: str, database: str, text: str = "", kind: str = "view") -> Iterator[None]:
    """Translate Spark's errors in the block.

    Args:
        operation: the operation, with which messages begin: ``CREATE VIEW db.v``.
        catalog: the name of the catalog.
        database: the name of the database.
        text: the text to store.
        kind: the kind of object with this text: ``view`` or ``function``.

    Raises:
        ValidationException: the text is invalid, or depends on a temporary object or on the view itself.
        DatabaseNotExistException: the database does not exist.
        CatalogException: the catalog does not support views or functions, or failed.
    """
    try:
        with readable_errors():
            yield
    except (CatalogException, FunctionAlreadyExistException, FunctionNotExistException):
        raise
    except TableException as error:
        raise _translate(error, operation, catalog, database, text, kind) from None


_OF_SPARK = re.compile(r"Spark (\d+\.\d+)\.")
# An object that is gone is so for every version.
_GONE = (NOT_FOUND, "SCHEMA_NOT_FOUND")


@contextlib.contextmanager
def newer_view_errors(created_by: str, reader: EngineVersion) -> Iterator[None]:
    """If a newer Spark stored the view, add this to an error in the block.

    Args:
        created_by: the engine that stored the view, in Spark's form: ``Spark 4.3.0``.
        reader: the version of the Spark that reads it.

    Raises:
        TableException: the error in the block, with both versions.
    """
    try:
        yield
    except TableException as error:
        found = _OF_SPARK.match(created_by)
        if found is None or EngineVersion.of(found[1]) <= reader or (error.condition or "").startswith(_GONE):
            raise
        said = str(error).rstrip()
        raise type(error)(
            said + ("\n" if "\n" in said else " ") + f"The view was stored by Spark {found[1]}, and this session has "
            f"Spark {reader}. Store it from Spark {reader}: newer versions read it, too.",
            condition=error.condition,
            sql_state=error.sql_state,
        ) from None


_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`]|``)*`", re.DOTALL)
_RECURSION = re.compile(r"\bWITH\s+RECURSIVE\b", re.IGNORECASE)


def refuse_recursion(text: str, reader: EngineVersion) -> None:
    """Refuse the text of a view with WITH RECURSIVE, which Spark 4.0 takes, and fails as it plans the query.

    Raises:
        ValidationException: the text has a recursive query, and the Spark that reads it cannot run one.
    """
    if not _RECURSION.search(_QUOTED.sub("''", text)) or reader not in SPARK_VERSIONS:
        return
    feature = recursion.Recursion.feature
    if feature is not None and targets.Target("spark", reader).lacks_feature(feature):
        raise ValidationException(f"The view has a recursive query (WITH RECURSIVE), which Spark {reader} lacks.")


def _translate(
    error: TableException, operation: str, catalog: str, database: str, text: str, kind: str
) -> TableException:
    condition, message = error.condition or "", _POSITION.sub("", str(error))
    facts: dict[str, Any] = {"condition": error.condition, "sql_state": error.sql_state}
    if condition == TEMPORARY:
        return ValidationException(f"{operation} failed: {_temporary(message, kind)}", **facts)
    if condition == "RECURSIVE_VIEW":
        return ValidationException(
            f"{operation} failed: the view would read itself, directly or through another view. Store it under "
            "another name, or replace the reference by the query that the view has now.",
            **facts,
        )
    if condition == "SCHEMA_NOT_FOUND":
        return DatabaseNotExistException(f"{operation} failed: no database {database} in {catalog}.", **facts)
    if condition == "TABLE_OR_VIEW_ALREADY_EXISTS":
        return TableAlreadyExistException(f"{operation} failed: another session has just made it.", **facts)
    if any(sign in condition or sign in message for sign in _SIGNS_OF_NO_VIEWS):
        return CatalogException(f"{operation} failed: the catalog {catalog} cannot hold {kind}s.", **facts)
    if any(sign in condition or sign in message for sign in _TOO_LARGE):
        return CatalogException(
            f"{operation} failed: the text has {utf16_length(text):,} characters, and the catalog holds about "
            f"{BODY_LIMIT:,}. Store parts of the query as views of their own.",
            **facts,
        )
    if not condition and isinstance(error, ValidationException):
        return error
    message = f"{operation} failed: {message}"
    # An error of Hive is reported as an analysis error with a provisional condition.
    if isinstance(error, ValidationException) and not condition.startswith("_LEGACY_ERROR_TEMP_"):
        return ValidationException(message, **facts)
    return CatalogException(message, **facts)


def _temporary(message: str, stored: str) -> str:
    match = _REFERENCE.search(message)
    if match is None:
        return message
    name, kind = match.groups()
    temporary = "this view temporary with create_temporary_view(…)" if stored == "view" else f"this {stored} temporary"
    return (
        f"a permanent {stored} cannot depend on the temporary {kind.lower()} {name}, which ends with the session. "
        f"{_WAY_OUT.get(kind, _WAY_OUT['VIEW'])}, or make {temporary}."
    )
