"""Errors of statements: their positions in the text, the nearest names, and which of two errors says more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grammar import statements as st
from grammar.errors import PLACE, Misread, locate, place
from grammar.reading import parse_syntax
from grammar.statement_names import TABLE, statement_names
from grammar.statement_words import words
from ir.errors import (
    CatalogException,
    DatabaseNotExistException,
    SqlParserException,
    TableException,
    TableNotExistException,
    ValidationException,
    did_you_mean,
)
from ir.identifiers import path_text
from ir.rendering import Dialect

if TYPE_CHECKING:
    from tableapi.queries.environment_parts import EnvironmentParts

# Spark's conditions for what its parser refuses.
_OF_SYNTAX = (
    "PARSE_SYNTAX_ERROR",
    "UNSUPPORTED_DATATYPE",
    "DATATYPE_MISSING_SIZE",
    "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
    "INVALID_BUCKET_COUNT",
    "MERGE_INSERT_VALUE_COUNT_MISMATCH",
    "MERGE_WITHOUT_WHEN",
)
_MISSING = ("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND")


class StatementErrors:
    """Explains the errors of the statements of one environment."""

    def __init__(self, environment: EnvironmentParts) -> None:
        self._environment = environment

    def explain_missing(self, error: TableException, text: str) -> TableException:
        """Return Spark's error about a missing table or database with its position and the nearest name.

        Any other error is returned unchanged, and so is one about a name that is not in the statement.
        """
        if error.condition not in _MISSING or PLACE.search(str(error)) is not None:
            return error
        for named in statement_names(words(text)).objects:
            if named.kind != TABLE or not named.parts:
                continue
            try:
                if not named.is_new:
                    self._environment.tables.source(path_text(named.parts))
                elif len(named.parts) > 1:
                    self._require_database(named.parts[:-1])
            except (TableNotExistException, DatabaseNotExistException) as missing:
                return locate(missing, text, named.position)
        return error

    def _require_database(self, parts: Sequence[str]) -> None:
        """Raise an error with the nearest name if there is no such database."""
        manager = self._environment.runtime.manager
        catalog = parts[0] if len(parts) > 1 else manager.current_catalog
        found = manager.catalog(catalog)
        if not found.database_exists(parts[-1]):
            raise DatabaseNotExistException(
                f"No database {parts[-1]} in the catalog {catalog}.{did_you_mean(parts[-1], found.list_databases())}"
            )

    def add_position(self, error: TableException, written: Any, text: str) -> TableException:
        """Return an error of the catalog or of an INSERT with its position, if that can be found."""
        if PLACE.search(str(error)) is not None:
            return error
        if isinstance(written, st.Drop | st.DropTable) and isinstance(error, CatalogException):
            return locate(error, text, written.name.position)
        if not isinstance(written, st.InsertInto):
            return error
        try:
            self._environment.reader.named_command(written, text)
        except TableException as located:
            # A table of files that is a temporary one has no tree, which is another error.
            if error.condition is not None and located.condition == error.condition:
                return located
        return locate(error, text, written.target.position) if type(error) is ValidationException else error

    def require_in_spark(self, text: str, ours: TableException) -> None:
        """Raise the error of a statement if Spark does not have its objects; otherwise, Spark may know it.

        Raises:
            TableException: the error of the statement.
        """
        try:
            self._environment.statements.scope.require(text)
        except ValidationException:
            raise ours from None


def is_about_syntax(error: TableException) -> bool:
    """Whether an error of Spark's is about the syntax of a statement, of which this library's says more."""
    return error.condition in _OF_SYNTAX


def find_syntax_error(text: str) -> SqlParserException | None:
    """Return the error of a statement that does not parse, None if it does.

    >>> find_syntax_error("DROP TABLE t") is None
    True
    """
    try:
        parse_syntax(text, Dialect.SPARK)
    except SqlParserException as error:
        return error
    return None


def add_place(error: TableException, text: str, position: int) -> TableException:
    """Return an error of a statement with its position, unless it has one."""
    return error if PLACE.search(str(error)) is not None else locate(error, text, position)


def locate_misread(error: Misread, text: str) -> TableException:
    """Return the error of a statement with its position."""
    return error.kind(f"{error.message}\n{place(text, error.position)}", condition=error.condition)
