"""The catalog of a Spark session: its databases, tables and permanent views."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from ir.errors import (
    CatalogException,
    CatalogNotExistException,
    DatabaseAlreadyExistException,
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    TableAlreadyExistException,
    TableException,
    TableNotExistException,
    ValidationException,
    did_you_mean,
    listing,
)
from ir.identifiers import fold, parse_path, quote
from ir.schema import Column, ResolvedSchema
from tableapi.catalog.catalog import Catalog, CatalogDatabase, CatalogTable, CatalogView, StoredView
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage
from tableapi.catalog.relation_errors import make_kind_error
from tableapi.catalog.statements import ViewDefinition, property_list, string
from tableapi.spark.catalog_names import SESSION_CATALOG
from tableapi.spark.errors import readable_errors
from tableapi.spark.events import EventCounter
from tableapi.spark.functions.descriptions import is_legible
from tableapi.spark.functions.storage import FunctionStorage
from tableapi.spark.recovery import restore_and_retry
from tableapi.spark.schemas import dataframe_stream, fields_of
from tableapi.spark.settings import SessionSettings, read_settings, refuse_substitution
from tableapi.spark.tables import create_table
from tableapi.spark.types import declared_type, from_spark
from tableapi.spark.versions import sail_version, server_version
from tableapi.spark.views.errors import NO_JSON_FOR_V2, NO_VIEWS, newer_view_errors, refuse_recursion, view_errors
from tableapi.spark.views.metadata import StoredRelation, own_properties
from tableapi.spark.views.names import (
    BODY_LIMIT,
    DATABASE_NAME_LIMIT,
    FUNCTION_NAME_LIMIT,
    TEXT_LIMIT,
    VIEW_NAME_LIMIT,
    check_name,
    check_view,
    utf16_length,
)
from tableapi.spark.views.settings import declared_settings, recorded_settings
from tableapi.spark.views.storage import ViewStorage, is_replacement
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructField

    from ir.operations.source import StreamRead

# How Spark says that a long path names no table: some catalogs refuse its namespace.
_MISSING = ("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND", "REQUIRES_SINGLE_PART_NAMESPACE")
# All catalogs of a process share one metastore, and replacing a view takes several statements.
_writing = threading.RLock()


@boundaries
class SparkCatalog(Catalog):
    """A catalog of a Spark session, classic or Connect.

    Views are permanent Spark views, which every Spark tool can read. A view keeps the settings under which it was
    stored, as properties ``tableapi.settings.…``; its text names tables, views and functions by full paths.

    Args:
        spark: the session.
        name: the catalog: Spark's own one, or any other that the session has configured.
        default_database: the database of names without one.
    """

    is_in_spark: ClassVar[bool] = True
    has_nested_namespaces: ClassVar[bool] = True

    def __init__(self, spark: SparkSession, name: str = SESSION_CATALOG, default_database: str = "default") -> None:
        super().__init__(name, default_database)
        self._spark = spark
        self._events = EventCounter(spark)
        # Objects that were read while the event count was ``_read_at``.
        self._read: dict[tuple[str, str], CatalogTable | CatalogView] = {}
        self._read_nested: dict[tuple[str, ...], CatalogTable] = {}
        self._read_at: int | None = None
        self._reading = threading.RLock()

    def list_databases(self) -> list[str]:
        """Return the sorted names of the databases.

        Raises:
            CatalogNotExistException: the session has no such catalog.
            CatalogException: the catalog failed.
        """
        try:
            with self._errors("Listing the databases", ""):
                rows = self._rows(f"SHOW DATABASES IN {quote(self.name)}")
        except DatabaseNotExistException:
            # Spark takes the first part of a name for a database if it is not a catalog.
            raise CatalogNotExistException(
                f"The Spark session has no catalog {self.name}. Configure it with spark.sql.catalog.{self.name}."
            ) from None
        # SHOW DATABASES quotes a name that needs quotes.
        return sorted(str(row[0]).strip("`").replace("``", "`") for row in rows)

    def database_exists(self, database: str) -> bool:
        """Whether the catalog has a database of this name."""
        return fold(database) in map(fold, self.list_databases())

    def spell_database(self, database: str) -> str:
        """Return the spelling that Spark has for a database name: Spark's own catalog uses lower case."""
        return fold(database) if self.name == SESSION_CATALOG else super().spell_database(database)

    def spell(self, database: str, name: str) -> tuple[str, str]:
        """Return the spelling that Spark has for a database and for a table or view in it.

        Spark's own catalog uses lower case. Other catalogs may be case-sensitive, so a name in the given case wins.
        """
        if self.name == SESSION_CATALOG:
            return fold(database), fold(name)
        try:
            self.stored_table(database, name)
        except TableException:
            return super().spell(database, name)
        return database, name

    def list_tables(self, database: str) -> list[str]:
        """Return the sorted names of the tables and views of a database, without temporary views."""
        return self._list_names("SHOW TABLES", database)

    def list_views(self, database: str) -> list[str]:
        """Return the sorted names of the views of a database; an empty list if the catalog does not support views."""
        try:
            return self._list_names("SHOW VIEWS", database)
        except CatalogException as error:
            if (error.condition or "").startswith(NO_VIEWS):
                return []
            raise

    def require_views(self) -> None:
        """Check that the catalog can hold views.

        Raises:
            CatalogException: the catalog cannot hold views (condition MISSING_CATALOG_ABILITY), or it failed.
        """
        if sail_version(self._spark) is not None:
            raise CatalogException(
                f"The catalog {self.name} is one of Sail, which keeps views, but does not tell their texts.",
                condition=NO_VIEWS,
            )
        if self.name == SESSION_CATALOG:
            return
        for database in self.list_databases()[:1]:
            try:
                self._list_names("SHOW VIEWS", database)
            except CatalogException as error:
                if (error.condition or "").startswith(NO_VIEWS):
                    raise CatalogException(
                        f"The catalog {self.name} cannot hold views.", condition=error.condition
                    ) from None
                raise

    def stored_table(self, database: str, name: str) -> CatalogTable | CatalogView:
        """Return a table or view, from a cache until the session reports an event."""
        with self._reading:
            now = self._events.count()
            if now is None:
                return self.get_table(database, name)
            self._forget_changed(now)
            found = self._read.get((database, name))
            if found is None:
                found = self._read[database, name] = self.get_table(database, name)
                # Reading counts as an event, too.
                now = self._events.count()
            self._read_at = now
            return found

    def stored_nested_table(self, namespace: tuple[str, ...], name: str) -> CatalogTable:
        """Return a nested table with the columns that Spark reports, from a cache until the session reports an event.

        Raises:
            TableNotExistException: Spark finds no table of this path.
            ValidationException: the type of a column is not supported.
        """
        parts = (*namespace, name)
        with self._reading:
            now = self._events.count()
            if now is None:
                return self._nested_table(parts)
            self._forget_changed(now)
            found = self._read_nested.get(parts)
            if found is None:
                found = self._read_nested[parts] = self._nested_table(parts)
                now = self._events.count()
            self._read_at = now
            return found

    def _forget_changed(self, now: int) -> None:
        if now != self._read_at:
            self._read.clear()
            self._read_nested.clear()

    def _nested_table(self, parts: tuple[str, ...]) -> CatalogTable:
        path = ".".join(map(quote, (self.name, *parts)))
        try:
            with self._errors(f"Reading {'.'.join((self.name, *parts))}", parts[0]):
                fields = fields_of(self._spark.table(path))
        except (CatalogException, ValidationException) as error:
            if error.condition is None or not error.condition.startswith(_MISSING):
                raise
            raise TableNotExistException(f"No table {path}.") from None
        return CatalogTable(
            ResolvedSchema(tuple([Column(f.name, declared_type(f), f.metadata.get("comment")) for f in fields]))
        )

    def get_table(self, database: str, name: str) -> CatalogTable | CatalogView:
        """Return a table or view with the columns of its analysed plan; a table has CHAR and VARCHAR as declared.

        A view takes two requests to Spark, with Connect a third, and one more if its text is the body of a function.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no such table or view; the message suggests the nearest name.
            CatalogException: an object that the view reads is missing, or the catalog failed.
            ValidationException: the type of a column is not supported, or a newer Spark stored the view and this one
                lacks a part of it.
        """
        storage, reading = self._storage(database), f"Reading {self._spell(database, name)}"
        with self._errors(reading, database):
            found = self._find(storage, name)
            if found is None:
                raise self._make_missing_error("table or view", database, name)
        reader = server_version(self._spark)
        with newer_view_errors(found.created_by, reader), self._errors(reading, database):
            schema, stream = self._schema(database, name, declared=not found.is_view)
            if not found.is_view:
                return CatalogTable(schema, found.comment, found.user_properties, partition_keys=found.partition_keys)
            text = storage.text_of(found)
            refuse_recursion(text, reader)
        # The body of a function defines its own column names; the names of the thin view over it do not matter. With
        # WITH SCHEMA EVOLUTION, the columns are those that the query gives now.
        is_fixed = found.body_function is None and found.chosen_schema_mode != "EVOLUTION"
        names = found.query_names if is_fixed else ()
        return CatalogView(
            schema,
            text,
            found.comment,
            found.user_properties,
            recorded_settings(found.settings, found.created_by),
            namespace=parse_path(found.namespace) if found.namespace else (),
            query_names=names,
            collation=found.collation,
            schema_mode=found.chosen_schema_mode,
            stream=stream,
        )

    def create_view(
        self, database: str, name: str, view: CatalogView, *, or_replace: bool = False, if_not_exists: bool = False
    ) -> None:
        """Store a permanent view, or leave everything as it was.

        ``view.text`` is a query that returns exactly the columns of ``view.schema``. A view gets the declared settings
        and the session's time zone, unless ``view.settings`` overrides them. A replaced view passes its comment, column
        comments and properties on, unless the new view sets them. A text that is too long for the metastore becomes the
        body of a table function beside the view, which users need not know.

        Raises:
            TableAlreadyExistException: a view of this name exists and neither ``or_replace`` nor ``if_not_exists`` is
                set, or a table has the name.
            DatabaseNotExistException: the database does not exist.
            ValidationException: the catalog cannot hold a name or property; the text is invalid, or depends on a
                temporary object or on the view itself; both options are set.
            CatalogException: the catalog does not support views or texts of this length, or failed.
        """
        if or_replace and if_not_exists:
            raise ValidationException("A view is either replaced or kept: pass or_replace or if_not_exists, not both.")
        shown = self._spell(database, name)
        if sail_version(self._spark) is not None:
            raise CatalogException(
                f"{shown} cannot be stored: Sail keeps views, but does not tell their texts. Store the view in a "
                "directory catalog, or make it temporary with create_temporary_view(…)."
            )
        with _writing, self._errors(f"Storing the view {shown}", database, view.text):
            session = read_settings(self._spark)
            check_view(database, name, view, substitution=session.variable_substitution)
            storage = self._storage(database)
            old = self._find(storage, name)
            if old is not None and not old.is_view:
                raise TableAlreadyExistException(f"{shown} is a table; a view cannot take its place. Drop it first.")
            if old is not None and if_not_exists:
                return
            if old is not None and not or_replace:
                raise TableAlreadyExistException(f"{shown} exists. Pass or_replace=True to replace it.")
            self._store(storage, name, view, old, session)

    def create_table(self, database: str, name: str, table: CatalogTable, *, if_not_exists: bool = False) -> None:
        """Create a table whose files are in the location of ``table.files``, or in the warehouse.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableAlreadyExistException: a table of this name exists and ``if_not_exists`` is not set, or a view has the
                name.
            ValidationException: the catalog cannot hold the name.
            CatalogException: the table is not one of files, it has computed columns, or the catalog failed.
        """
        shown = self._spell(database, name)
        files = table.files
        if files is None:
            raise CatalogException(f"{shown} cannot be made without a description of its files; see TableDescriptor.")
        if files.is_external:
            raise CatalogException(
                f"{shown} is a table of another system, whose options and keys Spark's catalog does not keep. Declare "
                "it in an in-memory or directory catalog or with create_temporary_table, or write Spark's own "
                "statement, CREATE TABLE … USING …."
            )
        if files.derived:
            raise CatalogException(
                f"{shown} has computed columns, which Spark's catalog does not keep. Create the table with its stored "
                "columns, and a view over it that computes the others."
            )
        check_name("table", name, VIEW_NAME_LIMIT)
        with _writing, self._errors(f"Making the table {shown}", database):
            storage = self._storage(database)
            old = self._find(storage, name)
            if old is not None:
                self._refuse_taken(old, shown, if_not_exists)
                return
            text = create_table(storage.path(name), files)
            refuse_substitution(text, read_settings(self._spark))
            self._rows(text)

    def _refuse_taken(self, old: StoredRelation, shown: str, if_not_exists: bool) -> None:
        if old.is_view:
            raise TableAlreadyExistException(f"{shown} is a view; drop it first.")
        if not if_not_exists:
            raise TableAlreadyExistException(f"{shown} exists. Pass ignore_if_exists=True to keep it.")

    def drop_view(self, database: str, name: str) -> None:
        """Drop a view.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
            CatalogException: the catalog failed.
        """
        shown = self._spell(database, name)
        with _writing, self._errors(f"Dropping the view {shown}", database):
            storage = self._storage(database)
            found = self._find(storage, name)
            if found is None:
                raise self._make_missing_error("view", database, name)
            if not found.is_view:
                raise make_kind_error(shown, "table")
            storage.drop(name, found)

    def drop_table(self, database: str, name: str) -> None:
        """Drop a table.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
            CatalogException: the catalog failed.
        """
        shown = self._spell(database, name)
        with _writing, self._errors(f"Dropping the table {shown}", database):
            storage = self._storage(database)
            found = self._find(storage, name)
            if found is None:
                raise self._make_missing_error("table", database, name)
            # DROP TABLE would drop a view, too.
            if found.is_view:
                raise make_kind_error(shown, "view")
            self._rows(f"DROP TABLE {storage.path(name)}")

    def rename_table(self, database: str, name: str, new_name: str) -> None:
        """Rename a table within its database.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
            TableAlreadyExistException: the new name is taken.
            ValidationException: the catalog cannot hold the new name.
            CatalogException: the catalog failed.
        """
        shown = self._spell(database, name)
        check_name("table", new_name, VIEW_NAME_LIMIT)
        with _writing, self._errors(f"Renaming the table {shown}", database):
            storage = self._storage(database)
            found = self._find(storage, name)
            if found is None:
                raise self._make_missing_error("table", database, name)
            if found.is_view:
                raise TableNotExistException(f"{shown} is a view; rename it with rename_view.")
            if fold(new_name) != fold(name) and self._find(storage, new_name) is not None:
                raise TableAlreadyExistException(f"{self._spell(database, new_name)} exists.")
            self._rows(f"ALTER TABLE {storage.path(name)} RENAME TO {quote(database)}.{quote(new_name)}")

    # --- databases ---------------------------------------------------------------------------------------------------

    def get_database(self, database: str) -> CatalogDatabase:
        """Raise: Spark reports database properties as one string, which cannot always be parsed.

        Raises:
            CatalogException: always; the message names the statement to use instead.
        """
        shown = f"{quote(self.name)}.{quote(database)}"
        raise CatalogException(f"DESCRIBE DATABASE EXTENDED {shown} tells what Spark's catalog says of the database.")

    def create_database(
        self,
        database: str,
        *,
        comment: str | None = None,
        properties: Mapping[str, str] | None = None,
        if_not_exists: bool = False,
    ) -> None:
        """Create an empty database.

        Raises:
            DatabaseAlreadyExistException: a database of this name exists and ``if_not_exists`` is not set.
            ValidationException: the catalog cannot hold the name.
            CatalogException: the catalog failed.
        """
        check_name("database", database, DATABASE_NAME_LIMIT)
        path = f"{quote(self.name)}.{quote(database)}"
        with _writing, self._errors(f"Making the database {self.name}.{database}", database):
            if self.database_exists(database):
                if not if_not_exists:
                    raise DatabaseAlreadyExistException(f"The database {database} exists in the catalog {self.name}.")
                return
            said = "" if comment is None else f" COMMENT {string(comment)}"
            said += f" WITH DBPROPERTIES {property_list(properties)}" if properties else ""
            self._rows(f"CREATE DATABASE {path}{said}")

    def drop_database(self, database: str, *, if_exists: bool = False, cascade: bool = False) -> None:
        """Drop a database; ``cascade`` also drops the objects in it.

        Raises:
            DatabaseNotExistException: the database does not exist and ``if_exists`` is not set.
            CatalogException: the database is not empty and ``cascade`` is not set, it is Spark's default database, or
                the catalog failed.
        """
        if self.name == SESSION_CATALOG and fold(database) == "default":
            raise CatalogException("default is the default database of Spark's catalog, which cannot be dropped.")
        with _writing, self._errors(f"Dropping the database {self.name}.{database}", database):
            if not self.database_exists(database):
                if not if_exists:
                    raise self._make_missing_database_error(database)
                return
            held = [] if cascade else [*self.list_tables(database), *self.list_functions(database)]
            if held:
                raise CatalogException(
                    f"The database {database} of the catalog {self.name} is not empty: it holds [{listing(held)}]. "
                    "Drop these first, or use CASCADE."
                )
            self._rows(f"DROP DATABASE {quote(self.name)}.{quote(database)}{' CASCADE' if cascade else ''}")

    # --- functions ---------------------------------------------------------------------------------------------------

    def list_functions(self, database: str) -> list[str]:
        """Return the sorted names of the functions of a database, including functions in Java or Scala.

        The list is empty if the catalog does not support functions.

        Raises:
            DatabaseNotExistException: the database does not exist.
            CatalogException: the catalog failed.
        """
        with self._errors(f"Listing the functions of {self.name}.{database}", database):
            return self._functions(database).names()

    def get_function(self, database: str, name: str) -> CatalogFunction | None:
        """Return a function as stored in Spark, with its recorded settings, without importing any code.

        Return None if the database has no such function, or has it in Java or Scala, which only Spark can call.

        Raises:
            DatabaseNotExistException: the database does not exist.
            CatalogException: the catalog failed.
        """
        with self._errors(f"Reading the function {self._spell(database, name)}", database):
            found = self._functions(database).find(name)
        if found is None and not self.database_exists(database):
            raise self._make_missing_database_error(database)
        return found if isinstance(found, CatalogFunction) else None

    def create_function(
        self,
        database: str,
        name: str,
        function: CatalogFunction,
        *,
        or_replace: bool = False,
        if_not_exists: bool = False,
    ) -> None:
        """Store a function, or leave everything as it was.

        A SQL function becomes a function of Spark that every Spark program can call. It gets the declared settings and
        the session's time zone, unless ``function.settings`` overrides them. A Python function is stored as its import
        path; Spark lists it, but only this library can call it.

        Raises:
            DatabaseNotExistException: the database does not exist.
            FunctionAlreadyExistException: a function of this name exists and neither option is set.
            ValidationException: the catalog cannot hold the name, or the comment of a Python function; the body is
                invalid, or depends on a temporary object; both options are set.
            CatalogException: the catalog does not support functions, or failed; or a function would replace a function
                in another language.
        """
        if or_replace and if_not_exists:
            raise ValidationException(
                "A function is either replaced or kept: pass or_replace or if_not_exists, not both."
            )
        shown = self._spell(database, name)
        check_name("database", database, DATABASE_NAME_LIMIT)
        check_name("function", name, FUNCTION_NAME_LIMIT)
        _check_function(shown, function)
        with _writing, self._errors(f"Storing the function {shown}", database, function.body, "function"):
            storage = self._functions(database)
            old = storage.find(name)
            if old is not None and if_not_exists:
                return
            if old is not None and not or_replace:
                raise FunctionAlreadyExistException(f"The function {shown} exists. Drop it first, or replace it.")
            if old is None and not self.database_exists(database):
                raise self._make_missing_database_error(database)
            if function.language is FunctionLanguage.SQL:
                storage.refuse_temporary(function)
            time_zone = read_settings(self._spark).time_zone
            if old is None:
                storage.create(name, function, time_zone)
            else:
                storage.replace(name, old, function, time_zone)

    def drop_function(self, database: str, name: str, *, if_exists: bool = False) -> None:
        """Drop a function in any language.

        Raises:
            DatabaseNotExistException: the database does not exist.
            FunctionNotExistException: the database has no function of this name and ``if_exists`` is not set.
            CatalogException: the catalog failed.
        """
        shown = self._spell(database, name)
        with _writing, self._errors(f"Dropping the function {shown}", database, "", "function"):
            storage = self._functions(database)
            if storage.find(name) is not None:
                storage.drop(name)
                return
            names = self.list_functions(database)
        if not if_exists:
            raise FunctionNotExistException(f"No function {shown}.{did_you_mean(name, names)}")

    def _functions(self, database: str) -> FunctionStorage:
        return FunctionStorage(self._spark, self.name, database)

    def _make_missing_database_error(self, database: str) -> DatabaseNotExistException:
        return DatabaseNotExistException(
            f"No database {database} in the catalog {self.name}.{did_you_mean(database, self.list_databases())}"
        )

    # --- views as statements -----------------------------------------------------------------------------------------

    def view_definition(self, database: str, name: str) -> tuple[ViewDefinition, Mapping[str, str], tuple[str, ...]]:
        """Return the definition of a view for CREATE VIEW, its settings, and its catalog and database.

        Unqualified names in the text belong to that catalog and database; these are empty if Spark does not report
        them. A text that is stored in a function is returned whole. The properties are only those of the user.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
            CatalogException: the catalog failed.
        """
        found, text = self._read_view(database, name)
        definition = attrs.evolve(found.definition(), text=text, properties=found.user_properties)
        return definition, found.settings, parse_path(found.namespace) if found.namespace else ()

    def unanalyzed_view(self, database: str, name: str) -> StoredView:
        """Return a view as the catalog stores it, also if a table or column that it reads is gone.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
            CatalogException: the catalog failed.
        """
        found, text = self._read_view(database, name)
        settings = recorded_settings(found.settings, found.created_by)
        return StoredView(
            text,
            found.columns,
            found.comment,
            found.user_properties,
            settings,
            content=text,
            query=None,
            schema_mode=found.chosen_schema_mode,
        )

    def _read_view(self, database: str, name: str) -> tuple[StoredRelation, str]:
        """Return a view and its text; raise as ``view_definition`` does."""
        storage = self._storage(database)
        with self._errors(f"Reading {self._spell(database, name)}", database):
            found = self._find(storage, name)
            if found is None or not found.is_view:
                raise self._make_missing_error("view", database, name)
            return found, storage.text_of(found)

    def _store(
        self,
        storage: ViewStorage,
        name: str,
        view: CatalogView,
        old: StoredRelation | None,
        session: SessionSettings,
    ) -> None:
        limit = self._text_limit()
        length = utf16_length(view.text)
        if limit is not None and length > BODY_LIMIT:
            raise CatalogException(
                f"The text of the view {self._spell(storage.database, name)} has {length:,} characters, and the "
                f"catalog holds {BODY_LIMIT:,}. Store parts of the query as views of their own."
            )
        if old is not None and old.collation:
            raise ValidationException(
                f"{self._spell(storage.database, name)} was made with DEFAULT COLLATION {old.collation}, which a view "
                "that takes its place keeps: texts in it would compare otherwise than they are typed. Drop it first."
            )
        storage.refuse_temporary(view.text)
        settings = declared_settings(server_version(self._spark), session.time_zone, view.settings)
        definition = _definition(view, old, settings)
        if old is None:
            storage.create(name, definition, settings, limit)
        else:
            storage.replace(name, old, definition, settings, limit)

    def _text_limit(self) -> int | None:
        """The most characters that the catalog stores in one string; None without a metastore, for no limit."""
        kind = self._spark.conf.get("spark.sql.catalogImplementation", "hive")
        return None if kind == "in-memory" else TEXT_LIMIT

    def _find(self, storage: ViewStorage, name: str) -> StoredRelation | None:
        try:
            return storage.find(name)
        except ValidationException as error:
            if error.condition != NO_JSON_FOR_V2:
                raise
        return self._describe(storage, name)

    def _describe(self, storage: ViewStorage, name: str) -> StoredRelation:
        """Describe a table of a catalog for which Spark has no description as JSON; such catalogs have no views."""
        rows = {row[0]: row[1] for row in self._rows(f"DESCRIBE TABLE EXTENDED {storage.path(name)}")}
        properties = {row[0]: row[1] for row in self._rows(f"SHOW TBLPROPERTIES {storage.path(name)}")}
        return StoredRelation(
            kind=str(rows.get("Type", "MANAGED")),
            columns=(),
            comment=rows.get("Comment"),
            properties=properties,
            text="",
            settings={},
            namespace="",
            schema_mode="",
        )

    def _schema(self, database: str, name: str, *, declared: bool) -> tuple[ResolvedSchema, StreamRead | None]:
        """Return the columns of a table or view, and how a view is read if it is one over a stream."""
        path = self._storage(database).path(name)
        frame, fields = restore_and_retry(self._spark, (self.name, database), lambda: self._analyse(path))
        types = [declared_type(f) if declared else from_spark(f.dataType, f.nullable) for f in fields]
        columns = [Column(f.name, t, f.metadata.get("comment")) for f, t in zip(fields, types, strict=True)]
        return ResolvedSchema(tuple(columns)), None if declared else dataframe_stream(frame)

    def _analyse(self, path: str) -> tuple[DataFrame, list[StructField]]:
        frame = self._spark.table(path)
        return frame, fields_of(frame)

    def _list_names(self, statement: str, database: str) -> list[str]:
        with self._errors(f"Listing {self.name}.{database}", database):
            rows = self._rows(f"{statement} IN {quote(self.name)}.{quote(database)}")
        names = [str(row[1]) for row in rows if not row["isTemporary"]]
        return sorted(name for name in names if not is_replacement(name))

    def _make_missing_error(self, kind: str, database: str, name: str) -> CatalogException:
        if not self.database_exists(database):
            return self._make_missing_database_error(database)
        names = self.list_views(database) if kind == "view" else self.list_tables(database)
        return TableNotExistException(f"No {kind} {self._spell(database, name)}.{did_you_mean(name, names)}")

    def _storage(self, database: str) -> ViewStorage:
        return ViewStorage(self._spark, self.name, database)

    def _spell(self, database: str, name: str) -> str:
        return f"{self.name}.{database}.{name}"

    def _rows(self, sql: str) -> list[Any]:
        with readable_errors():
            return self._spark.sql(sql).collect()

    @contextlib.contextmanager
    def _errors(self, operation: str, database: str, text: str = "", kind: str = "view") -> Iterator[None]:
        with view_errors(operation, self.name, database, text, kind):
            yield


def _check_function(shown: str, function: CatalogFunction) -> None:
    if function.language is FunctionLanguage.PYTHON:
        # The class of the function declares whether it is deterministic.
        if function.comment is not None:
            raise ValidationException(
                f"Spark's catalog keeps nothing but the import path of the function {shown}, and no comment; its "
                "docstring may say what it does."
            )
    elif function.is_inline:
        kind = "no aggregates made of expressions" if function.is_aggregate else "no functions that are inlined"
        raise CatalogException(
            f"Spark stores {kind}, as {shown} is one. Store it in a directory catalog, or make it a temporary "
            "function; queries over it hold its expressions, and their views may be Spark's."
        )
    elif not is_legible(function):
        raise ValidationException(
            f"Spark's catalog cannot tell the parameters of the function {shown} apart, or what it gives. Choose "
            "names, defaults and comments without blanks at the end and without words such as DEFAULT in them."
        )


def _definition(view: CatalogView, old: StoredRelation | None, settings: Mapping[str, str]) -> ViewDefinition:
    """Return the definition to store: the new view, with parts of the old view that the new one does not set."""
    kept = {} if old is None else {fold(name): comment for name, comment in old.columns}
    columns = [(c.name, kept.get(fold(c.name)) if c.comment is None else c.comment) for c in view.schema.columns]
    properties = {**({} if old is None else old.user_properties), **view.properties}
    return ViewDefinition(
        text=view.text.strip(),
        columns=tuple(columns),
        comment=old.comment if view.comment is None and old is not None else view.comment,
        properties={**properties, **own_properties(settings, properties)},
        schema_mode=view.schema_mode or ("" if old is None else old.chosen_schema_mode) or None,
    )
