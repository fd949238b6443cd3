"""Store, replace and drop views by statements in an order in which no failure loses a view.

- A new view takes one statement. A text that is too long for the metastore first becomes the body of a table function.
  After a crash in between, the function is unused, and the next change of the view removes it.
- A replacement is ALTER VIEW … AS, one step of the metastore that either happens or leaves the old view; CREATE OR
  REPLACE would drop the old view before it fails. Properties are set before this step, and reset if it fails.
- ALTER VIEW … AS cannot set column comments. If the new text does not provide them itself, the new view is first stored
  under a name beside the old one, where the catalog reports all its objections. Then CREATE OR REPLACE repeats what
  the catalog has just accepted. If it still fails, the old view is created again. If the process ends within that
  statement, ``find`` renames the view beside it to the proper name.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import TableException
from ir.identifiers import fold, parse_path, quote
from tableapi.catalog.statements import ViewDefinition, create_view
from tableapi.spark.errors import readable_errors
from tableapi.spark.listed_functions import stored_name
from tableapi.spark.settings import VARIABLE_SUBSTITUTION
from tableapi.spark.versions import is_connect
from tableapi.spark.views import statements
from tableapi.spark.views.descriptions import describe
from tableapi.spark.views.errors import NOT_FOUND, TEMPORARY
from tableapi.spark.views.metadata import REPLACES, StoredRelation, thin_text
from tableapi.spark.views.names import utf16_length
from tableapi.spark.views.settings import private_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_logger = logging.getLogger(__name__)

_REPLACEMENT: Final = "__replacement_"
_REPLACEMENT_NAME: Final = re.compile(_REPLACEMENT + "[0-9a-f]{8}$")
# A function without a view may be new: another process may be about to create the view.
_ORPHAN_SECONDS: Final = 3600


def is_replacement(name: str) -> bool:
    """Whether a name belongs to a copy of a view, left by a process that ended while it replaced the view."""
    return _REPLACEMENT_NAME.search(name) is not None


@attrs.frozen
class ViewStorage:
    """The views of one database of a catalog."""

    spark: SparkSession
    catalog: str
    database: str

    def find(self, name: str) -> StoredRelation | None:
        """Return the object with a name, or None; finish a replacement that was interrupted."""
        return self.read(name) or self._recover(name)

    def read(self, name: str) -> StoredRelation | None:
        """Return the object with a name, or None."""
        try:
            with readable_errors():
                return describe(self.spark, self.path(name))
        except TableException as error:
            if error.condition == NOT_FOUND:
                return None
            raise

    def path(self, name: str) -> str:
        """Return the full path of an object of the database as SQL."""
        return statements.path(self.catalog, self.database, name)

    def refuse_temporary(self, text: str) -> None:
        """Raise Spark's own error if a text depends on a temporary object of the user's session.

        The statement cannot store anything, because its database does not exist, which Spark checks last. Other errors
        are ignored here, because the settings of the user's session influence them.
        """
        nowhere = statements.path(self.catalog, f"no_such_database_{secrets.token_hex(8)}", "probe")
        try:
            self._run(create_view(nowhere, ViewDefinition(text, ())))
        except TableException as error:
            if error.condition == TEMPORARY:
                raise

    def create(self, name: str, view: ViewDefinition, settings: Mapping[str, str], limit: int | None) -> None:
        """Store a new view."""
        with (
            private_session(self.spark, settings) as session,
            self._store_body(session, name, view, limit) as short,
        ):
            self._run(create_view(self.path(name), short), session)

    def replace(
        self, name: str, old: StoredRelation, view: ViewDefinition, settings: Mapping[str, str], limit: int | None
    ) -> None:
        """Replace the definition of a view, or leave the view unchanged."""
        with private_session(self.spark, settings) as session:
            brought = self._comments_of(session, view.text) if view.comments else {}
            with self._store_body(session, name, view, limit) as short:
                # A text that is stored in a function provides no comments.
                if view.comments and (short is not view or brought != view.comments):
                    self._replace_with_comments(session, name, old, short)
                else:
                    self._alter(session, name, old, short)
        if old.body_function is not None or short is not view:
            self._drop_bodies(name, gone=old.body_function)

    def drop(self, name: str, old: StoredRelation) -> None:
        """Drop a view, and then the objects that belong to it."""
        self._run(f"DROP VIEW {self.path(name)}")
        with self._log_errors("dropping what is left of a view"):
            self._run(f"DROP VIEW IF EXISTS {self.path(_replacement_name(name))}")
        if old.body_function is not None:
            self._drop_bodies(name, gone=old.body_function)

    def text_of(self, view: StoredRelation) -> str:
        """Return the text with which a view was stored, even if it is the body of a function."""
        function = view.body_function
        if function is None:
            return view.text
        rows = self._run(f"DESCRIBE FUNCTION EXTENDED {self.path(function)}")
        label = "Body:          "
        return next(str(row[0])[len(label) :] for row in rows if str(row[0]).startswith(label))

    def _run(self, sql: str, session: SparkSession | None = None) -> list[Any]:
        with readable_errors():
            frame = (session or self.spark).sql(sql)
            # A statement without rows has run by now. If its query reads a stream, ``collect`` would run it again.
            return frame.collect() if is_connect(frame.sparkSession) or frame.columns else []

    def _comments_of(self, session: SparkSession, text: str) -> dict[str, str]:
        """Return the column comments that a text provides; raises for an invalid text before anything is stored."""
        rows = self._run(f"DESCRIBE QUERY {text}", session)
        return {row["col_name"]: row["comment"] for row in rows if row["comment"]}

    @contextlib.contextmanager
    def _store_body(
        self, session: SparkSession, name: str, view: ViewDefinition, limit: int | None
    ) -> Iterator[ViewDefinition]:
        """Yield the view, or a thin view over a new function with its text; drop the function if the block fails."""
        if limit is None or utf16_length(view.text) <= limit:
            yield view
            return
        function = _body_name(name)
        self._run(statements.create_body(self.path(function), view.text), session)
        try:
            yield attrs.evolve(view, text=thin_text(self.path(function)))
        except BaseException:
            with self._log_errors("dropping the text of a view that was not stored"):
                if self.read(_replacement_name(name)) is None:
                    self._run(f"DROP FUNCTION IF EXISTS {self.path(function)}")
            raise

    def _alter(self, session: SparkSession, name: str, old: StoredRelation, view: ViewDefinition) -> None:
        # Spark treats the comment of a view as one of its properties.
        now = _add_comment(old.definition())
        wanted = _add_comment(view)
        self._set_properties(name, now, wanted)
        try:
            self._run(statements.alter_view(self.path(name), view.text), session)
        except BaseException:
            self._set_properties(name, wanted, now)
            raise
        # The mode of the old view stays otherwise.
        if view.schema_mode is not None and view.schema_mode != old.chosen_schema_mode:
            self._run(statements.set_schema_mode(self.path(name), view.schema_mode))

    def _set_properties(self, name: str, now: Mapping[str, str], wanted: Mapping[str, str]) -> None:
        changed = {key: value for key, value in wanted.items() if now.get(key) != value}
        if changed:
            self._run(statements.set_properties(self.path(name), changed))
        if gone := sorted(now.keys() - wanted.keys()):
            self._run(statements.unset_properties(self.path(name), gone))

    def _replace_with_comments(
        self, session: SparkSession, name: str, old: StoredRelation, view: ViewDefinition
    ) -> None:
        beside = self.path(_replacement_name(name))
        marked = attrs.evolve(view, properties={**view.properties, REPLACES: fold(name)})
        self._run(create_view(beside, marked, or_replace=True), session)
        try:
            self._run(create_view(self.path(name), view, or_replace=True), session)
        except BaseException:
            self._make_again(name, old)
            raise
        finally:
            # If the old view could not be created again, the copy is the only one left.
            with self._log_errors("dropping the copy of a replaced view"):
                if self.read(name) is not None:
                    self._run(f"DROP VIEW IF EXISTS {beside}")

    def _make_again(self, name: str, old: StoredRelation) -> None:
        if self.read(name) is not None:
            return
        with private_session(self.spark, {**old.settings, VARIABLE_SUBSTITUTION: "false"}) as session:
            self._run("USE " + ".".join(map(quote, parse_path(old.namespace))), session)
            self._run(create_view(self.path(name), old.definition()), session)

    def _recover(self, name: str) -> StoredRelation | None:
        beside = self.read(_replacement_name(name))
        if beside is None or beside.properties.get(REPLACES) != fold(name):
            return None
        # The new name stays in the same catalog and must not include its name.
        target = f"{quote(self.database)}.{quote(name)}"
        self._run(f"ALTER VIEW {self.path(_replacement_name(name))} RENAME TO {target}")
        self._run(statements.unset_properties(self.path(name), [REPLACES]))
        return self.read(name)

    def _drop_bodies(self, name: str, gone: str | None) -> None:
        """Drop the previous function of a view, and old functions that no version of the view uses."""
        with self._log_errors("dropping the text of a replaced view"):
            now = self.read(name)
            used = None if now is None else now.body_function
            database = f"{quote(self.catalog)}.{quote(self.database)}"
            for row in self._run(f"SHOW USER FUNCTIONS IN {database} LIKE '{_body_prefix(name)}*'"):
                function = stored_name(str(row[0]), self.catalog, self.database)
                if function is not None and function != used and (function == gone or _is_old(function)):
                    self._run(f"DROP FUNCTION IF EXISTS {self.path(function)}")

    @contextlib.contextmanager
    def _log_errors(self, what: str) -> Iterator[None]:
        """Log an error in the block instead of raising it: only an unused object is left behind."""
        try:
            yield
        except TableException as error:
            _logger.warning("%s failed: %s", what, error)


def _add_comment(view: ViewDefinition) -> dict[str, str]:
    comment = {} if view.comment is None else {"comment": view.comment}
    return {**view.properties, **comment}


def _digest(name: str) -> str:
    return hashlib.sha256(fold(name).encode()).hexdigest()[:8]


def _replacement_name(name: str) -> str:
    return f"{fold(name)[:230]}{_REPLACEMENT}{_digest(name)}"


def _body_prefix(name: str) -> str:
    return f"{fold(name)[:90]}__body_{_digest(name)}_"


def _body_name(name: str) -> str:
    """Return a new name at each call, from the current time and a random number."""
    return f"{_body_prefix(name)}{int(time.time()):08x}{secrets.token_hex(2)}"


def _is_old(function: str) -> bool:
    return time.time() - int(function[-12:-4], 16) > _ORPHAN_SECONDS
