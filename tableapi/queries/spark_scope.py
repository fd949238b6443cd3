"""Checks that a statement for Spark only refers to objects in Spark's catalogs.

Spark resolves names without a catalog in its own current catalog. If the current catalog of the environment is an
in-memory or directory catalog, these catalogs differ, and a statement must not silently act on Spark's catalog.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from grammar.diagnostics.foreign_statements import advice
from grammar.errors import place
from grammar.lexemes import Token
from grammar.parsers import parser
from grammar.statement_names import DATABASE, TABLE, NamedObject, StatementNames, statement_names
from grammar.statement_words import words
from grammar.written_identifiers import replace_identifiers
from ir.errors import ValidationException
from ir.identifiers import fold, path_text
from ir.rendering import Dialect
from ir.resolution.lookup import name_in_session
from tableapi.catalog.manager import GLOBAL_TEMPORARY
from tableapi.queries.runtime import SPARK_CATALOG, Runtime
from tableapi.queries.tables import FILE_FORMATS

# Alternatives for objects outside Spark's catalogs, by the statement that only Spark supports.
_INSTEAD: Final[Mapping[str, str]] = {
    "CREATE TABLE": "te.declare(…) or te.create_table(…) makes a table there",
    "CACHE TABLE": "te.from_path(…).cache() keeps the rows of a table there",
    "UNCACHE TABLE": "te.clear_cache() forgets cached rows",
    "TRUNCATE TABLE": "execute_insert(path, overwrite=True) replaces the rows of a table of files there",
    "DELETE FROM": "execute_insert(path, overwrite=True) replaces the rows of a table of files there",
    "UPDATE": "execute_insert(path, overwrite=True) replaces the rows of a table of files there",
    "MERGE INTO": "execute_insert(path, overwrite=True) replaces the rows of a table of files there",
    "INSERT INTO": "a plain INSERT INTO or INSERT OVERWRITE writes to a table of files there",
    "SHOW TABLE EXTENDED": "SHOW TABLES lists the tables there",
    "SHOW PARTITIONS": "DESCRIBE EXTENDED shows what is known of a table there",
    "SHOW TBLPROPERTIES": "DESCRIBE EXTENDED shows what is known of a table there",
    "CREATE VIEW": "a plain CREATE VIEW … AS stores a view there",
    "CREATE FUNCTION": "CREATE FUNCTION … RETURN or LANGUAGE PYTHON stores a function there",
}


class SparkScope:
    """Rejects statements that Spark would execute in a different catalog than the one they refer to."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def require(self, text: str) -> None:
        """Reject a statement for Spark that names an object outside Spark's catalogs.

        Raises:
            ValidationException: the statement names such an object, or its names cannot be determined and the current
                catalog is not Spark's.
        """
        tokens = words(text)
        first = tokens[0].text.upper() if tokens else ""
        if first in ("SET", "RESET") and (len(tokens) < 2 or tokens[1].text.upper() not in ("VAR", "VARIABLE")):
            # The rest is raw text.
            return
        if any(token.text.upper() == "IDENTIFIER" for token in tokens):
            text = replace_identifiers(parser(Dialect.SPARK), text, self._runtime.variable_text)
            tokens = words(text)
        found = statement_names(tokens)
        for one in found.objects:
            self._require_in_spark(one, found, text)
        current = self._runtime.manager.current_catalog
        if not found.is_known and tokens and not self._is_in_spark(current):
            self._refuse_unknown(tokens, text, current)

    def spelled(self, text: str) -> str:
        """Return a statement with catalog names in the spelling of the Spark session.

        Spark matches the name of its own catalog case-insensitively, other catalog names exactly.
        """
        manager = self._runtime.manager
        if all(fold(name) == SPARK_CATALOG for name in manager.list_catalogs() if self._is_in_spark(name)):
            return text
        for one in statement_names(words(text)).objects:
            if one.parts is None or len(one.parts) < (2 if one.kind == DATABASE else 3):
                continue
            written = one.parts[0]
            spelling = manager.spelled_catalog(written)
            first = one.position + (text[one.position] == "`")
            # The spelling has the same length, so all positions stay valid.
            if spelling != written and self._is_in_spark(spelling) and text.startswith(written, first):
                text = text[:first] + spelling + text[first + len(written) :]
        return text

    def _is_in_spark(self, catalog: str) -> bool:
        found = self._runtime.manager.opened(catalog)
        return found is None or found.is_in_spark

    def _require_in_spark(self, named: NamedObject, statement: StatementNames, text: str) -> None:
        manager = self._runtime.manager
        current, parts = manager.current_catalog, named.parts
        if parts is None:
            if self._is_in_spark(current):
                return
            self._refuse(named, statement, text, current, "the name is computed only when the statement runs")
        assert parts is not None
        is_whole = len(parts) >= (2 if named.kind == DATABASE else 3)
        catalog = parts[0] if is_whole else current
        if self._is_in_spark(catalog) or self._is_temporary(named, parts) or self._is_of_files(named, parts):
            return
        if is_whole:
            meant = path_text(parts)
        elif named.kind == DATABASE:
            meant = path_text((current, *(parts or (manager.current_database,))))
        else:
            meant = path_text((current, *([manager.current_database] if len(parts) < 2 else []), *parts))
        written = path_text(parts) if parts else "the current database"
        shown = f"{meant} is in that" if is_whole else f"{written} means {meant}"
        self._refuse(named, statement, text, catalog, shown)

    def _is_temporary(self, named: NamedObject, parts: Sequence[str]) -> bool:
        """Whether a name refers to a temporary object, which Spark has under the same name."""
        if named.kind != TABLE or named.is_new:
            return False
        name = parts[0] if len(parts) == 1 else name_in_session(parts)
        if name is None:
            return len(parts) == 2 and fold(parts[0]) == GLOBAL_TEMPORARY
        return self._runtime.manager.temporary(name) is not None or self._runtime.foreign_temporary(name) is not None

    def _is_of_files(self, named: NamedObject, parts: Sequence[str]) -> bool:
        """Whether a name is a path of files after their format, as in parquet.`/data/a`."""
        if named.kind != TABLE or len(parts) != 2 or fold(parts[0]) not in FILE_FORMATS:
            return False
        manager = self._runtime.manager
        return not manager.catalog(manager.current_catalog).database_exists(parts[0])

    def _refuse(self, named: NamedObject, statement: StatementNames, text: str, catalog: str, shown: str) -> None:
        called = statement.called or "The query"
        is_current = self._runtime.manager.is_current_catalog(catalog)
        where = f"the {'current ' if is_current else ''}catalog {catalog}"
        instead = _INSTEAD.get(statement.called)
        way_out = f"In the catalog {catalog}, {instead}. " if instead else ""
        if is_current and self._has_spark_catalog():
            example = path_text((SPARK_CATALOG, "default", *((named.parts or ("t",))[-1:])))
            if named.kind == DATABASE:
                example = path_text((SPARK_CATALOG, *((named.parts or ("default",))[-1:])))
            way_out += (
                f"For one of Spark's, write its whole name, such as {example}, or make Spark's catalog the current one "
                f"first: USE CATALOG {SPARK_CATALOG}."
            )
        raise ValidationException(
            f"{called} is executed by Spark, which does not have {where}: {shown}. Nothing was executed."
            f"{' ' if way_out else ''}{way_out.rstrip()}\n{place(text, named.position)}"
        )

    def _has_spark_catalog(self) -> bool:
        return self._runtime.manager.has_catalog(SPARK_CATALOG) and self._is_in_spark(SPARK_CATALOG)

    def _refuse_unknown(self, tokens: Sequence[Token], text: str, current: str) -> None:
        way_out = (
            f" If it is for Spark's catalog, make that the current one first: USE CATALOG {SPARK_CATALOG}."
            if self._has_spark_catalog()
            else ""
        )
        raise ValidationException(
            "This library does not know the statement, and Spark would execute it in its own catalog, while the "
            f"current catalog is {current}. Nothing was executed.{advice(tokens)}{way_out}\n"
            + place(text, tokens[0].position)
        )
