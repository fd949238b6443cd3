"""A catalog that lives as long as its Python object, and needs no Spark."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from ir import light_attrs as attrs
from ir.errors import (
    CatalogException,
    DatabaseAlreadyExistException,
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    TableAlreadyExistException,
    TableNotExistException,
    ValidationException,
    did_you_mean,
    listing,
)
from ir.identifiers import NameMap, ObjectIdentifier, fold, fold_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.schema import Column, ResolvedSchema
from tableapi.advice.copies import NotSent
from tableapi.catalog.catalog import Catalog, CatalogDatabase, CatalogTable, CatalogView
from tableapi.catalog.functions import CatalogFunction
from tableapi.lazy import lazy
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir import rewriting
    from tableapi.catalog import relation_errors
else:
    relation_errors = lazy(__name__, "tableapi.catalog.relation_errors")
    rewriting = lazy(__name__, "ir.rewriting")

_Entry = CatalogTable | CatalogView


@attrs.define(eq=False)
class _Database:
    """A database: its description and its objects."""

    said: CatalogDatabase
    relations: NameMap[_Entry] = attrs.field(factory=NameMap)
    functions: NameMap[CatalogFunction] = attrs.field(factory=NameMap)


@boundaries
class InMemoryCatalog(Catalog, NotSent):
    """A catalog in memory that starts with one database. Any names are allowed, and threads may share it.

    Args:
        name: the name of the catalog.
        default_database: the database of names without one; it exists from the start.
    """

    is_lasting: ClassVar[bool] = False

    _instead = "What it holds is in this process; a DirectoryCatalog keeps objects in files."

    def __init__(self, name: str, default_database: str = "default_database") -> None:
        super().__init__(name, default_database)
        self._lock = threading.RLock()
        self._databases: NameMap[_Database] = NameMap()
        # All relations that any view has ever read, including views that were replaced or dropped.
        self._ever_read: set[tuple[str, ...]] = set()
        self.create_database(default_database)

    def get_database(self, database: str) -> CatalogDatabase:
        """Return the description of a database.

        Raises:
            DatabaseNotExistException: the database does not exist.
        """
        with self._lock:
            return self._database(database).said

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
            ValidationException: the name is empty.
        """
        _check_name("database", database)
        with self._lock:
            if database not in self._databases:
                self._databases[database] = _Database(CatalogDatabase(comment, dict(properties or {})))
            elif not if_not_exists:
                raise DatabaseAlreadyExistException(f"The database {database} exists in the catalog {self.name}.")

    def alter_database(self, database: str, change: Callable[[CatalogDatabase], CatalogDatabase]) -> None:
        """Change the description of a database.

        Raises:
            DatabaseNotExistException: the database does not exist.
        """
        with self._lock:
            found = self._database(database)
            found.said = change(found.said)

    def drop_database(self, database: str, *, if_exists: bool = False, cascade: bool = False) -> None:
        """Drop a database; ``cascade`` also drops the objects in it.

        Raises:
            DatabaseNotExistException: the database does not exist and ``if_exists`` is not set.
            CatalogException: the database is not empty and ``cascade`` is not set.
        """
        with self._lock:
            if if_exists and database not in self._databases:
                return
            found = self._database(database)
            held = [*sorted(found.relations), *sorted(found.functions)]
            if held and not cascade:
                raise CatalogException(
                    f"The database {database} of the catalog {self.name} is not empty: it holds "
                    f"[{listing(held)}]. Drop these first, or use CASCADE."
                )
            del self._databases[database]

    def create_table(self, database: str, name: str, table: CatalogTable, *, if_not_exists: bool = False) -> None:
        """Store a table.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableAlreadyExistException: a table of this name exists and ``if_not_exists`` is not set, or a view has the
                name.
            ValidationException: the name is empty.
        """
        _check_name("table", name)
        with self._lock:
            entries = self._entries(database)
            old = entries.get(name)
            if old is None:
                entries[name] = table
            elif isinstance(old, CatalogView):
                raise TableAlreadyExistException(f"{self._spell(database, name)} is a view; drop it first.")
            elif not if_not_exists:
                raise relation_errors.make_exists_error(self._spell(database, name))

    def alter_table(self, database: str, name: str, table: CatalogTable) -> None:
        """Replace the description of a table completely, except for its name.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
        """
        with self._lock:
            entries = self._entries(database)
            self._require_table(database, name)
            entries[name] = table

    def rename_table(self, database: str, name: str, new_name: str) -> None:
        """Rename a table within its database.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
            TableAlreadyExistException: the new name is taken.
            ValidationException: the new name is empty.
        """
        _check_name("table", new_name)
        with self._lock:
            entries = self._entries(database)
            table = self._require_table(database, name)
            if new_name in entries and fold(new_name) != fold(name):
                raise TableAlreadyExistException(f"{self._spell(database, new_name)} exists.")
            del entries[name]
            entries[new_name] = table

    def _require_table(self, database: str, name: str) -> CatalogTable:
        """Return a table; raise if there is no table of this name."""
        entries = self._entries(database)
        entry = entries.get(name)
        if not isinstance(entry, CatalogTable):
            near = [spelling for spelling, found in entries.items() if isinstance(found, CatalogTable)]
            raise TableNotExistException(f"No table {self._spell(database, name)}.{did_you_mean(name, near)}")
        return entry

    def list_databases(self) -> list[str]:
        """Return the sorted names of the databases."""
        with self._lock:
            return sorted(self._databases)

    def database_exists(self, database: str) -> bool:
        """Whether the catalog has a database of this name."""
        with self._lock:
            return database in self._databases

    def spell_database(self, database: str) -> str:
        """Return the spelling of a database name in this catalog."""
        with self._lock:
            return self._databases.spelling(database) or database

    def spell(self, database: str, name: str) -> tuple[str, str]:
        """Return the spelling of a database and of a table or view in this catalog."""
        with self._lock:
            found = self._databases.find(database)
            if found is None:
                return database, name
            spelling, held = found
            relation = held.relations.find(name)
            return spelling, name if relation is None else relation[0]

    def list_tables(self, database: str) -> list[str]:
        """Return the sorted names of the tables and views of a database."""
        with self._lock:
            return sorted(self._entries(database))

    def list_views(self, database: str) -> list[str]:
        """Return the sorted names of the views of a database."""
        with self._lock:
            entries = self._entries(database).items()
            return sorted(spelling for spelling, entry in entries if isinstance(entry, CatalogView))

    def get_table(self, database: str, name: str) -> CatalogTable | CatalogView:
        """Return a table or view.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no such table or view; the message suggests the nearest name.
        """
        with self._lock:
            entries = self._entries(database)
            found = entries.get(name)
            if found is None:
                raise TableNotExistException(
                    f"No table or view {self._spell(database, name)}.{did_you_mean(name, sorted(entries))}"
                )
            return found

    def create_view(
        self, database: str, name: str, view: CatalogView, *, or_replace: bool = False, if_not_exists: bool = False
    ) -> None:
        """Store a view with its tree, or leave everything as it was.

        A replaced view passes the spelling of its name on, and also its comment, column comments and properties, unless
        the new view sets them.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableAlreadyExistException: a view of this name exists and neither ``or_replace`` nor ``if_not_exists`` is
                set, or a table has the name.
            ValidationException: the name is empty; the view would read itself; both options are set.
        """
        if or_replace and if_not_exists:
            raise ValidationException("A view is either replaced or kept: pass or_replace or if_not_exists, not both.")
        _check_name("view", name)
        shown = self._spell(database, name)
        with self._lock:
            entries = self._entries(database)
            old = entries.get(name)
            if isinstance(old, CatalogTable):
                raise TableAlreadyExistException(f"{shown} is a table; a view cannot take its place. Drop it first.")
            if old is not None and if_not_exists:
                return
            if old is not None and not or_replace:
                raise TableAlreadyExistException(f"{shown} exists. Pass or_replace=True to replace it.")
            self._refuse_recursion(database, name, view)
            entries[name] = view if old is None else _complete(view, old)

    def alter_view(self, database: str, name: str, view: CatalogView) -> None:
        """Replace a view completely, except for its name.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
        """
        with self._lock:
            entries = self._entries(database)
            self._require_view(database, name)
            self._refuse_recursion(database, name, view)
            entries[name] = view

    def rename_view(self, database: str, name: str, new_name: str) -> None:
        """Rename a view within its database.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
            TableAlreadyExistException: the new name is taken.
            ValidationException: the new name is empty.
        """
        _check_name("view", new_name)
        with self._lock:
            entries = self._entries(database)
            view = self._require_view(database, name)
            if new_name in entries and fold(new_name) != fold(name):
                raise TableAlreadyExistException(f"{self._spell(database, new_name)} exists.")
            del entries[name]
            entries[new_name] = view

    def _require_view(self, database: str, name: str) -> CatalogView:
        """Return a view; raise if there is no view of this name."""
        entries = self._entries(database)
        entry = entries.get(name)
        if not isinstance(entry, CatalogView):
            near = [spelling for spelling, found in entries.items() if isinstance(found, CatalogView)]
            raise TableNotExistException(f"No view {self._spell(database, name)}.{did_you_mean(name, near)}")
        return entry

    def drop_view(self, database: str, name: str) -> None:
        """Drop a view.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
        """
        self._drop(database, name, CatalogView, "view", "table")

    def drop_table(self, database: str, name: str) -> None:
        """Drop a table.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
        """
        self._drop(database, name, CatalogTable, "table", "view")

    def list_functions(self, database: str) -> list[str]:
        """Return the sorted names of the functions of a database."""
        with self._lock:
            return sorted(self._database(database).functions)

    def get_function(self, database: str, name: str) -> CatalogFunction | None:
        """Return a function, or None if the database has no such function."""
        with self._lock:
            return self._database(database).functions.get(name)

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

        Raises:
            DatabaseNotExistException: the database does not exist.
            FunctionAlreadyExistException: a function of this name exists and neither option is set.
            ValidationException: the name is empty; both options are set.
        """
        if or_replace and if_not_exists:
            raise ValidationException(
                "A function is either replaced or kept: pass or_replace or if_not_exists, not both."
            )
        _check_name("function", name)
        with self._lock:
            functions = self._database(database).functions
            old = functions.get(name)
            if old is not None and if_not_exists:
                return
            if old is not None and not or_replace:
                shown = self._spell(database, functions.spelling(name) or name)
                shown = self._spell(database, functions.spelling(name) or name)
                raise FunctionAlreadyExistException(f"The function {shown} exists. Drop it first, or replace it.")
            functions[name] = function

    def drop_function(self, database: str, name: str, *, if_exists: bool = False) -> None:
        """Drop a function.

        Raises:
            DatabaseNotExistException: the database does not exist.
            FunctionNotExistException: the database has no function of this name and ``if_exists`` is not set.
        """
        with self._lock:
            functions = self._database(database).functions
            if functions.pop(name) is None and not if_exists:
                raise FunctionNotExistException(
                    f"No function {self._spell(database, name)}.{did_you_mean(name, sorted(functions))}"
                )

    def _drop(self, database: str, name: str, kind: type[_Entry], called: str, other: str) -> None:
        with self._lock:
            entries = self._entries(database)
            entry = entries.get(name)
            if entry is None:
                near = [spelling for spelling, found in entries.items() if isinstance(found, kind)]
                raise TableNotExistException(f"No {called} {self._spell(database, name)}.{did_you_mean(name, near)}")
            if not isinstance(entry, kind):
                raise relation_errors.make_kind_error(self._spell(database, name), other)
            del entries[name]

    def _database(self, database: str) -> _Database:
        found = self._databases.get(database)
        if found is None:
            raise DatabaseNotExistException(
                f"No database {database} in the catalog {self.name}." + did_you_mean(database, sorted(self._databases))
            )
        return found

    def _entries(self, database: str) -> NameMap[_Entry]:
        return self._database(database).relations

    def _spell(self, database: str, name: str) -> str:
        return f"{self.name}.{database}.{name}"

    def _refuse_recursion(self, database: str, name: str, view: CatalogView) -> None:
        target = fold_path((database, name))
        waiting = list(self._walk_reads(view))
        is_new = target not in self._ever_read and target not in waiting
        self._ever_read.update(waiting)
        if is_new:
            # No view leads to a name that no view has ever read. Without this shortcut, building a stack of views from
            # the bottom up would take quadratic time.
            return
        seen: set[tuple[str, ...]] = set()
        while waiting:
            key = waiting.pop()
            if key == target:
                raise ValidationException(
                    f"The view {self._spell(database, name)} would read itself, directly or through another view. "
                    "Store it under another name."
                )
            if key not in seen:
                seen.add(key)
                waiting.extend(self._walk_reads(self._entry(key)))

    def _entry(self, key: tuple[str, ...]) -> _Entry | None:
        database = self._databases.get(key[0])
        return None if database is None else database.relations.get(key[1])

    def _walk_reads(self, entry: _Entry | None) -> Iterator[tuple[str, ...]]:
        """Yield the relations of this catalog that a view's tree reads, as folded database and name."""
        operation = entry.operation if isinstance(entry, CatalogView) else None
        for identifier in [] if operation is None else _sources(operation):
            if identifier.database is not None and fold(identifier.catalog or "") == fold(self.name):
                yield fold_path((identifier.database, identifier.name))


def _sources(operation: QueryOperation) -> Iterator[ObjectIdentifier]:
    return (source.identifier for source in rewriting.sources_of(operation) if isinstance(source, Source))


def _check_name(kind: str, name: str) -> None:
    if not name:
        raise ValidationException(f"The name of a {kind} must not be empty.")


def _complete(view: CatalogView, old: CatalogView) -> CatalogView:
    comments = {fold(column.name): column.comment for column in old.schema.columns}
    columns = tuple(
        [
            Column(c.name, c.data_type, comments.get(fold(c.name)) if c.comment is None else c.comment)
            for c in view.schema.columns
        ]
    )
    return attrs.evolve(
        view,
        schema=ResolvedSchema(columns),
        comment=old.comment if view.comment is None else view.comment,
        properties={**old.properties, **view.properties},
    )
