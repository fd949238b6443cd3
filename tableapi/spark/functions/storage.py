"""Store, replace and drop functions by statements in an order in which no failure loses a function.

CREATE OR REPLACE FUNCTION drops the old function before it creates the new one, and Spark has no other statement to
change a SQL function. So the new function is first stored under a name beside the old one, where the catalog reports
all its objections. Then the old function is dropped, and the accepted function is created in its place. If that still
fails, the old function is created again. If the process ends in between, the next read creates the function from the
copy beside it.

A session that has called a function keeps its old definition, whatever other sessions do, until it drops the function
itself. So the user's session drops the old function, and a new session reads definitions.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import attrs

from grammar.statement_words import words
from ir.errors import CatalogException, TableException
from ir.identifiers import fold, quote
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage
from tableapi.catalog.statements import create_function, string
from tableapi.spark.errors import readable_errors
from tableapi.spark.functions.descriptions import PYTHON, ForeignFunction, parse, type_in_spark
from tableapi.spark.listed_functions import stored_name
from tableapi.spark.versions import server_version
from tableapi.spark.views import statements
from tableapi.spark.views.errors import NO_VIEWS, TEMPORARY
from tableapi.spark.views.settings import declared_settings, private_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_logger = logging.getLogger(__name__)

_REPLACEMENT: Final = "__replacement_"
_REPLACEMENT_NAME: Final = re.compile(rf"(.*){_REPLACEMENT}[0-9a-f]{{8}}")
# Functions that hold the texts of views that are too long for the metastore.
_BODY_NAME: Final = re.compile(r".*__body_[0-9a-f]{8}_[0-9a-f]{12}")
_NOT_FOUND: Final = "UNRESOLVED_ROUTINE"


@attrs.frozen
class FunctionStorage:
    """The functions of one database of a catalog."""

    spark: SparkSession
    catalog: str
    database: str

    def names(self) -> list[str]:
        """Return the sorted names of the functions."""
        try:
            rows = self._run(f"SHOW USER FUNCTIONS IN {quote(self.catalog)}.{quote(self.database)}")
        except TableException as error:
            # The catalog does not support functions.
            if (error.condition or "").startswith(NO_VIEWS):
                return []
            raise
        names = [stored_name(str(row[0]), self.catalog, self.database) for row in rows]
        found = {name for name in names if name is not None and not _BODY_NAME.fullmatch(name)}
        replaced = [_REPLACEMENT_NAME.fullmatch(name) for name in found]
        left = {match[1] for match in replaced if match is not None and len(match[1]) < 90}
        return sorted({name for name in found if not _REPLACEMENT_NAME.fullmatch(name)} | left)

    def find(self, name: str) -> CatalogFunction | ForeignFunction | None:
        """Return the function with a name, or None; finish a replacement that was interrupted."""
        return self.read(name) or self._recover(name)

    def read(self, name: str) -> CatalogFunction | ForeignFunction | None:
        """Return the function with a name, or None."""
        try:
            with private_session(self.spark, {}) as session:
                rows = self._run(f"DESCRIBE FUNCTION EXTENDED {self.path(name)}", session)
        except TableException as error:
            if error.condition == _NOT_FOUND:
                return None
            raise
        return parse(str(row[0]) for row in rows)

    def path(self, name: str) -> str:
        """Return the full path of a function as SQL."""
        return statements.path(self.catalog, self.database, name)

    def refuse_temporary(self, function: CatalogFunction) -> None:
        """Raise Spark's own error if a body depends on a temporary object of the user's session.

        The statement cannot store anything, because its database does not exist, which Spark checks last.
        """
        digest = hashlib.sha256(function.body.encode()).hexdigest()[:16]
        nowhere = statements.path(self.catalog, f"no_such_database_{digest}", "probe")
        try:
            self._run(_statement(nowhere, function))
        except TableException as error:
            if error.condition == TEMPORARY:
                raise

    def create(self, name: str, function: CatalogFunction, time_zone: str) -> None:
        """Store a new function."""
        with self._session(function, time_zone) as session:
            self._run(_statement(self.path(name), function), session)

    def replace(
        self, name: str, old: CatalogFunction | ForeignFunction, function: CatalogFunction, time_zone: str
    ) -> None:
        """Replace the definition of a function, or leave the function unchanged.

        Raises:
            CatalogException: the old function is written in another language.
        """
        self._refuse_other_kind(name, old, function)
        beside = self.path(_replacement_name(name))
        with self._session(function, time_zone) as session:
            if function.language is FunctionLanguage.PYTHON:
                # This takes one step of the metastore.
                self._run(_statement(self.path(name), function, or_replace=True), session)
                return
            self._run(f"DROP FUNCTION IF EXISTS {beside}")
            self._run(_statement(beside, _rename_function(function, name, _replacement_name(name))), session)
            try:
                self._run(f"DROP FUNCTION IF EXISTS {self.path(name)}")
                self._run(_statement(self.path(name), function), session)
            except BaseException:
                self._make_again(name, old)
                raise
            finally:
                # If the old function could not be created again, the copy is the only one left.
                with self._log_errors("dropping the copy of a replaced function"):
                    if self.read(name) is not None:
                        self._run(f"DROP FUNCTION IF EXISTS {beside}")

    def drop(self, name: str) -> None:
        """Drop a function."""
        self._run(f"DROP FUNCTION IF EXISTS {self.path(_replacement_name(name))}")
        self._run(f"DROP FUNCTION {self.path(name)}")

    def _refuse_other_kind(self, name: str, old: CatalogFunction | ForeignFunction, function: CatalogFunction) -> None:
        written = f"the class {old.class_name}" if isinstance(old, ForeignFunction) else old.language.value
        if written != function.language.value:
            raise CatalogException(
                f"The function {self.catalog}.{self.database}.{name} is one of {written}; Spark cannot put one of "
                f"{function.language.value} in its place. Drop it first."
            )

    @contextlib.contextmanager
    def _session(self, function: CatalogFunction, time_zone: str) -> Iterator[SparkSession]:
        # Spark records these settings itself, and rejects them as explicit settings.
        chosen = {key: value for key, value in function.settings.items() if not key.startswith("spark.sql.artifact.")}
        with private_session(self.spark, declared_settings(server_version(self.spark), time_zone, chosen)) as session:
            yield session

    def _make_again(self, name: str, old: CatalogFunction | ForeignFunction) -> None:
        if self.read(name) is None and isinstance(old, CatalogFunction):
            self.create(name, old, "UTC")

    def _recover(self, name: str) -> CatalogFunction | ForeignFunction | None:
        beside = self.read(_replacement_name(name))
        if not isinstance(beside, CatalogFunction):
            return None
        self.create(name, _rename_function(beside, _replacement_name(name), name), "UTC")
        self._run(f"DROP FUNCTION IF EXISTS {self.path(_replacement_name(name))}")
        return self.read(name)

    def _run(self, sql: str, session: SparkSession | None = None) -> list[Any]:
        with readable_errors():
            return (session or self.spark).sql(sql).collect()

    @contextlib.contextmanager
    def _log_errors(self, what: str) -> Iterator[None]:
        """Log an error in the block instead of raising it: only an unused function is left behind."""
        try:
            yield
        except TableException as error:
            _logger.warning("%s failed: %s", what, error)


def _statement(path: str, function: CatalogFunction, *, or_replace: bool = False) -> str:
    if function.language is FunctionLanguage.PYTHON:
        verb = "CREATE OR REPLACE FUNCTION" if or_replace else "CREATE FUNCTION"
        return f"{verb} {path} AS {string(PYTHON + function.body)}"
    return create_function(path, function, or_replace=or_replace, type_text=type_in_spark)


def _rename_function(function: CatalogFunction, old: str, new: str) -> CatalogFunction:
    """Rewrite ``name.parameter`` in a function body, which distinguishes a parameter from a column, for a new name."""
    body, end = [], 0
    tokens = words(function.body)
    before = ["", *[token.text for token in tokens]]
    for token, previous, following in zip(tokens, before, [*before[2:], ""], strict=False):
        is_name = fold(token.text.strip("`")) == fold(old)
        if is_name and following == "." and previous != ".":
            body += [function.body[end : token.position], quote(new)]
            end = token.position + len(token.text)
    return attrs.evolve(function, body="".join([*body, function.body[end:]]))


def _replacement_name(name: str) -> str:
    digest = hashlib.sha256(fold(name).encode()).hexdigest()[:8]
    return f"{fold(name)[:90]}{_REPLACEMENT}{digest}"
