"""A catalog that is a directory of SQL files, one per object, which people read, edit and keep in git."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import attrs

from grammar.builder.context import ReadVersion
from grammar.reading import Surroundings
from ir.errors import (
    CatalogException,
    DatabaseAlreadyExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    TableAlreadyExistException,
    ValidationException,
    did_you_mean,
    listing,
)
from ir.expressions import Expression, ResolvedExpression
from ir.identifiers import ObjectIdentifier, fold, quote
from ir.operations.operation import QueryOperation
from ir.operations.source import ReadOptions, Source, StreamRead
from tableapi.advice.copies import NotSent
from tableapi.catalog import object_files, relation_errors, stream_reads
from tableapi.catalog.catalog import Catalog, CatalogDatabase, CatalogTable, CatalogView, StoredView, Witness
from tableapi.catalog.directory_objects import RELATIONS, DirectoryObjects, Entry, Files, read_object
from tableapi.catalog.directory_storage import DATABASE_FILE, FOLDERS, DirectoryStorage, Place
from tableapi.catalog.file_names import check_name
from tableapi.catalog.functions import CatalogFunction
from tableapi.catalog.object_files import Broken
from tableapi.catalog.relative_names import strip_catalog, strip_catalog_in_expression
from tableapi.catalog.statements import (
    ViewDefinition,
    create_function,
    create_table,
    create_view,
    property_list,
    string,
    view_path,
)
from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.catalog.view_types import ViewTypes
from tableapi.tracebacks import boundaries


@attrs.frozen(eq=False)
class _FileWitness(Witness):
    """The state of the file of an object when it was read; the object is unchanged while the file is the only one.

    A check lists each folder once, and asks only for the state of each file. So a view over a thousand others is
    checked by a thousand calls of stat.

    Attributes:
        folded: the folded name.
        of_tables, of_views: the files of tables and of views with this name, when the object was read.
        unnamed: the files whose names only their content tells.
        path: the file.
        state: the state of the file.
    """

    folded: str
    of_tables: tuple[Place, ...]
    of_views: tuple[Place, ...]
    unnamed: tuple[Place, ...]
    path: str
    state: tuple[int, int, int]

    def stands(self, seen: dict[object, Any]) -> bool:
        key = self.catalog, self.database
        if key not in seen:
            assert isinstance(self.catalog, DirectoryCatalog)
            seen[key] = self.catalog.files_of_relations(self.database)
        tables, views, unnamed = seen[key]
        name = self.folded
        # No method calls, because this runs for every view beneath a view.
        in_tables = tables[name] if name in tables else ()  # noqa: SIM401
        in_views = views[name] if name in views else ()  # noqa: SIM401
        if in_tables != self.of_tables or in_views != self.of_views or unnamed != self.unnamed:
            return False
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        return (status.st_ino, status.st_mtime_ns, status.st_size) == self.state


@boundaries
class DirectoryCatalog(Catalog, NotSent):
    """A catalog of files in a directory, which is created when the first object is stored.

    ``default/views/late.sql`` contains the statement with which a person would create the view, and people may edit it:
    the next access sees the change. Equal objects have equal bytes. Several processes may share a directory. A change
    happens completely or not at all, even if the process ends. A corrupt file affects only its own object, whose use
    raises an error with file and line.

    Args:
        name: the name of the catalog.
        path: the directory.
        default_database: the database of names without one; it exists from the start.

    Raises:
        ValidationException: the name of the database cannot be a folder name.
        CatalogException: the path is a file.

    >>> import tempfile
    >>> from tableapi import EnvironmentSettings, TableEnvironment
    >>> te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    >>> directory = tempfile.mkdtemp()
    >>> te.register_catalog("team", DirectoryCatalog("team", directory))
    >>> te.use_catalog("team")
    >>> te.execute_sql("CREATE VIEW answers COMMENT 'all of them' AS SELECT 42 AS answer").print()
    OK
    >>> print((Path(directory) / "default/views/answers.sql").read_text(), end="")
    CREATE VIEW answers
    COMMENT 'all of them'
    AS
    SELECT 42 AS answer;
    """

    _instead = "Make another one of the same path."

    def __init__(self, name: str, path: str | Path, default_database: str = "default") -> None:
        super().__init__(name, default_database)
        check_name(default_database, "database")
        root = Path(path).expanduser().absolute()
        if root.exists() and not root.is_dir():
            raise CatalogException(f"The catalog {name} cannot be in {root}, which is no directory.")
        self._storage = DirectoryStorage(root)
        self._objects = DirectoryObjects(name, default_database, self._storage)

    @property
    def path(self) -> Path:
        """The directory."""
        return self._storage.root

    def file_of(self, database: str, name: str) -> Path | None:
        """Return the file of a table or view, None if there is none."""
        if not self.database_exists(database):
            return None
        found = self._objects.find(self._objects.folder(database), RELATIONS, database, name)
        return None if found is None else found.path

    def function_file(self, database: str, name: str) -> Path | None:
        """Return the file of a function, None if there is none."""
        if not self.database_exists(database):
            return None
        found = self._objects.find(self._objects.folder(database), ("functions",), database, name)
        return None if found is None else found.path

    def broken_files(self, intact: Collection[Path] = ()) -> dict[Path, str]:
        """Return the corrupt files, each with its error, without reading those that are known to be ``intact``."""
        found = self._storage.unreadable()
        found |= {path: str(problem) for path, problem in self._objects.broken(found.keys(), intact)}
        return dict(sorted(found.items()))

    # --- databases ---------------------------------------------------------------------------------------------------

    def list_databases(self) -> list[str]:
        """Return the sorted names of the databases."""
        return self._objects.database_names()

    def database_exists(self, database: str) -> bool:
        """Whether the catalog has a database of this name."""
        return fold(database) in map(fold, self.list_databases())

    def spell_database(self, database: str) -> str:
        """Return the spelling of a database name in the name of its folder."""
        return next((name for name in self.list_databases() if fold(name) == fold(database)), database)

    def spell(self, database: str, name: str) -> tuple[str, str]:
        """Return the spelling of a database and of a table or view in the names of the folder and the file."""
        if not self.database_exists(database):
            return database, name
        found = self._objects.find(self._objects.folder(database), RELATIONS, database, name)
        return self.spell_database(database), name if found is None else found.name

    def get_database(self, database: str) -> CatalogDatabase:
        """Return the description of a database from its file.

        Raises:
            DatabaseNotExistException: the database does not exist.
            CatalogException: the file is corrupt.
        """
        path = self._objects.folder(database) / DATABASE_FILE
        found = self._objects.content("database", "", path, database)
        if isinstance(found, Broken):
            raise CatalogException(f"The database {self.name}.{database} is broken in {path}: {found}")
        # A person may have created the folder without the file.
        return found if isinstance(found, CatalogDatabase) else CatalogDatabase()

    def create_database(
        self,
        database: str,
        *,
        comment: str | None = None,
        properties: Mapping[str, str] | None = None,
        if_not_exists: bool = False,
    ) -> None:
        """Create an empty database: a folder with a file that describes it.

        Raises:
            DatabaseAlreadyExistException: a database of this name exists and ``if_not_exists`` is not set.
            ValidationException: the name cannot be a folder name.
            CatalogException: the directory is not writable.
        """
        check_name(database, "database")
        with self._storage.locked():
            if self.database_exists(database):
                if not if_not_exists:
                    raise DatabaseAlreadyExistException(f"The database {database} exists in the catalog {self.name}.")
                return
            said = CatalogDatabase(comment, properties or {})
            self._write_database(self._objects.new_folder(database), database, said)

    def alter_database(self, database: str, change: Callable[[CatalogDatabase], CatalogDatabase]) -> None:
        """Change the description of a database in its file.

        Raises:
            DatabaseNotExistException: the database does not exist.
            CatalogException: the file is corrupt, or the directory is not writable.
        """
        with self._storage.locked():
            folder, name = self._objects.folder(database), self.spell_database(database)
            self._write_database(folder, name, change(self.get_database(database)))

    def drop_database(self, database: str, *, if_exists: bool = False, cascade: bool = False) -> None:
        """Drop a database and its folder; ``cascade`` also drops the objects in it.

        Raises:
            DatabaseNotExistException: the database does not exist and ``if_exists`` is not set.
            CatalogException: the database is not empty and ``cascade`` is not set, it is the default database, or its
                folder contains foreign files.
        """
        with self._storage.locked():
            if if_exists and not self.database_exists(database):
                return
            folder = self._objects.folder(database)
            if fold(database) == fold(self.default_database):
                raise CatalogException(
                    f"{database} is the default database of the catalog {self.name}, which it needs."
                )
            held = sorted({entry.name for entry in self._objects.entries(folder, FOLDERS)})
            if held and not cascade:
                raise CatalogException(
                    f"The database {database} of the catalog {self.name} is not empty: it holds [{listing(held)}]. "
                    "Drop these first, or use CASCADE."
                )
            if foreign := self._storage.foreign(folder):
                raise CatalogException(
                    f"The folder {folder} of the database {database} holds what is not the catalog's: "
                    f"[{listing(foreign)}]. Remove or move that first."
                )
            self._storage.remove_folder(folder)

    # --- tables and views --------------------------------------------------------------------------------------------

    def list_tables(self, database: str) -> list[str]:
        """Return the sorted names of the tables and views of a database, including corrupt ones."""
        return self._objects.names(database, RELATIONS)

    def list_views(self, database: str) -> list[str]:
        """Return the sorted names of the views of a database, including corrupt ones."""
        return self._objects.names(database, ("views",))

    def stored_table(self, database: str, name: str) -> CatalogTable | StoredView:
        """Return a table, or a view as its file stores it.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no such table or view; the message suggests the nearest name.
            CatalogException: the file is corrupt; the message says where and why.
        """
        folder = self._objects.folder(database)
        entry = self._objects.find(folder, RELATIONS, database, name)
        if entry is None:
            raise self._objects.make_missing_relation_error("table or view", database, name)
        found = self._objects.stored(entry, database)
        assert isinstance(found, CatalogTable | StoredView)
        return found

    def witness(self, database: str, name: str, found: CatalogTable | CatalogView | StoredView) -> Witness:
        """Return a witness that compares the state of the file of a table or view."""
        tables, views, unnamed = self.files_of_relations(database)
        folded = fold(name)
        of_tables, of_views = tables.get(folded, ()), views.get(folded, ())
        entry = None
        if tables or views:
            entry = self._objects.find(self._objects.folder(database), RELATIONS, database, name)
        made = None if entry is None else self._objects.read_file(entry.folder, database, entry.path, entry.name)
        state = None if entry is None else self._storage.state_of(entry.path, made)
        if entry is None or made is None or made[1] is not found or state is None:
            # The file has changed since it was read.
            return Witness(self, database, name, found)
        return _FileWitness(self, database, name, found, folded, of_tables, of_views, unnamed, str(entry.path), state)

    def files_of_relations(self, database: str) -> tuple[Files, Files, tuple[Place, ...]]:
        """Return the files of tables and of views by folded names, and files that only their content names."""
        try:
            folder = self._objects.folder(database)
        except CatalogException:
            return {}, {}, ()
        tables, views = [self._storage.folder(folder / kind).by_object for kind in RELATIONS]
        return tables, views, (*tables.get(None, ()), *views.get(None, ()))

    def get_table(self, database: str, name: str) -> CatalogTable | CatalogView:
        """Return a table or view.

        The columns of a view are inferred from its text and the views that it reads, if they are in this catalog. An
        environment with the catalog also resolves functions and the objects of other catalogs.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no such table or view; the message suggests the nearest name.
            CatalogException: the file is corrupt, or the view reads itself or an object of another catalog.
            ValidationException: the text is invalid, or its settings would change its meaning here.
        """
        types = ViewTypes(self._own_table, self._surroundings, self._spelled)
        return types.relation(ObjectIdentifier(name, database, self.name))

    def _spelled(self, identifier: ObjectIdentifier) -> ObjectIdentifier:
        if fold(str(identifier.catalog)) != fold(self.name):
            return identifier
        database, name = self.spell(str(identifier.database), identifier.name)
        return ObjectIdentifier(name, database, self.name)

    def _own_table(self, identifier: ObjectIdentifier) -> CatalogTable | StoredView:
        if fold(str(identifier.catalog)) != fold(self.name):
            raise CatalogException(
                f"{identifier.as_summary_string()} is in another catalog than {self.name}; read it with the "
                "environment that knows both."
            )
        return self.stored_table(str(identifier.database), identifier.name)

    def _surroundings(
        self, find: Callable[[str], QueryOperation], view: StoredView, namespace: tuple[str, ...]
    ) -> Surroundings:
        def find_table(
            path: tuple[str, ...], version: ReadVersion, moment: Expression | None, options: ReadOptions
        ) -> QueryOperation:
            if isinstance(version, StreamRead):
                return self._stream(find, ".".join(map(quote, path)), version)
            if version is not None or moment is not None:
                raise CatalogException(f"The catalog {self.name} keeps no versions of tables.")
            if options:
                raise CatalogException(f"The tables of the catalog {self.name} are read with their own options alone.")
            return find(".".join(map(quote, path)))

        return Surroundings(find_table=find_table, time_zone=view.settings.get(TIME_ZONE))

    def _stream(self, find: Callable[[str], QueryOperation], path: str, stream: StreamRead) -> QueryOperation:
        found = find(path)
        assert isinstance(found, Source)
        is_table = isinstance(self._own_table(found.identifier), CatalogTable)
        return stream_reads.read_as_stream(found, stream, path, is_table=is_table)

    def relative(self, operation: QueryOperation, catalog: str) -> QueryOperation:
        """Remove the catalog from the names of this catalog's objects in a query.

        The directory can then be registered under another name elsewhere.
        """

        return strip_catalog(operation, catalog)

    def relative_expression(self, expression: ResolvedExpression, catalog: str) -> ResolvedExpression:
        """Remove the catalog from the names of this catalog's functions in an expression."""

        return strip_catalog_in_expression(expression, catalog)

    def create_table(self, database: str, name: str, table: CatalogTable, *, if_not_exists: bool = False) -> None:
        """Store a table of files, or a table that is only declared.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableAlreadyExistException: a table of this name exists and ``if_not_exists`` is not set, or a view has the
                name.
            ValidationException: the name cannot be a file name.
            TableException: the table has rows of its own, or computed columns.
            CatalogException: the directory is not writable.
        """
        check_name(name, "table")
        shown = self._objects.shown(database, name)
        object_files.check_table(shown, table)
        with self._storage.locked():
            folder = self._objects.folder(database)
            old = self._objects.find(folder, RELATIONS, database, name)
            if old is not None:
                if old.folder == "views":
                    raise TableAlreadyExistException(f"{shown} is a view; drop it first.")
                if not if_not_exists:
                    raise relation_errors.make_exists_error(shown)
                return
            self._write(folder, "tables", database, name, create_table(quote(name), table))

    def alter_table(self, database: str, name: str, table: CatalogTable) -> None:
        """Replace the description of a table completely, except for its name; its data files stay as they are.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
            TableException: the table has rows of its own, or computed columns.
            CatalogException: the directory is not writable.
        """
        object_files.check_table(self._objects.shown(database, name), table)
        with self._storage.locked():
            folder = self._objects.folder(database)
            old = self._objects.require(folder, "tables", database, name)
            self._write(folder, "tables", database, old.name, create_table(quote(old.name), table), old=old)

    def rename_table(self, database: str, name: str, new_name: str) -> None:
        """Rename a table within its database; if the process ends meanwhile, the table may exist under both names.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
            TableAlreadyExistException: the new name is taken.
            ValidationException: the new name cannot be a file name.
            CatalogException: the file is corrupt, or the directory is not writable.
        """
        check_name(new_name, "table")
        with self._storage.locked():
            folder = self._objects.folder(database)
            old = self._objects.require(folder, "tables", database, name)
            self._refuse_taken_name(folder, database, name, new_name)
            table = self._objects.stored(old, database)
            assert isinstance(table, CatalogTable)
            self._move(folder, old, new_name, object_files.write_object(create_table(quote(new_name), table), {}))

    def create_view(
        self, database: str, name: str, view: CatalogView, *, or_replace: bool = False, if_not_exists: bool = False
    ) -> None:
        """Store a view, or leave everything as it was.

        A replaced view passes the spelling of its name on, and also its comment, column comments and properties, unless
        the new view sets them. A view with a corrupt file may be replaced.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableAlreadyExistException: a view of this name exists and neither ``or_replace`` nor ``if_not_exists`` is
                set, or a table has the name.
            ValidationException: the name cannot be a file name; the text cannot be parsed; both options are set.
            CatalogException: the directory is not writable.
        """
        if or_replace and if_not_exists:
            raise ValidationException("A view is either replaced or kept: pass or_replace or if_not_exists, not both.")
        check_name(name, "view")
        shown = self._objects.shown(database, name)
        with self._storage.locked():
            folder = self._objects.folder(database)
            old = self._objects.find(folder, RELATIONS, database, name)
            if old is not None and old.folder == "tables":
                raise TableAlreadyExistException(f"{shown} is a table; a view cannot take its place. Drop it first.")
            if old is not None and if_not_exists:
                return
            if old is not None and not or_replace:
                raise TableAlreadyExistException(f"{shown} exists. Pass or_replace=True to replace it.")
            before = None if old is None else self._objects.content("views", database, old.path, old.name)
            definition = _definition(view, before if isinstance(before, StoredView) else None)
            self._write_view(folder, database, name if old is None else old.name, definition, view, old)

    def alter_view(self, database: str, name: str, view: CatalogView) -> None:
        """Replace a view completely, except for its name.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
            CatalogException: the directory is not writable.
        """
        with self._storage.locked():
            folder = self._objects.folder(database)
            old = self._objects.require(folder, "views", database, name)
            self._write_view(folder, database, old.name, _definition(view, None), view, old)

    def rename_view(self, database: str, name: str, new_name: str) -> None:
        """Rename a view within its database; if the process ends meanwhile, the view may exist under both names.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
            TableAlreadyExistException: the new name is taken.
            ValidationException: the new name cannot be a file name.
            CatalogException: the file is corrupt, or the directory is not writable.
        """
        check_name(new_name, "view")
        with self._storage.locked():
            folder = self._objects.folder(database)
            old = self._objects.require(folder, "views", database, name)
            self._refuse_taken_name(folder, database, name, new_name)
            view = self._objects.stored(old, database)
            assert isinstance(view, StoredView)
            mode = view.schema_mode or None
            definition = ViewDefinition(view.text, view.columns, view.comment, view.properties, mode)
            content = object_files.write_object(create_view(view_path(new_name), definition), view.settings)
            self._move(folder, old, new_name, content)

    def _refuse_taken_name(self, folder: Path, database: str, name: str, new_name: str) -> None:
        taken = self._objects.find(folder, RELATIONS, database, new_name)
        if taken is not None and fold(new_name) != fold(name):
            raise TableAlreadyExistException(f"{self._objects.shown(database, new_name)} exists.")

    def _move(self, folder: Path, old: Entry, new_name: str, content: bytes) -> None:
        """Write the file of a renamed object, and remove the old one."""
        new = self._storage.path_of(folder, old.folder, new_name)
        self._storage.write(new, content)
        # On a case-insensitive file system, both paths may be the same file.
        if new != old.path and not (old.path.exists() and new.samefile(old.path)):
            self._storage.remove(old.path)

    def drop_view(self, database: str, name: str) -> None:
        """Drop a view, even if its file is corrupt.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
            CatalogException: the directory is not writable.
        """
        self._drop("views", database, name)

    def drop_table(self, database: str, name: str) -> None:
        """Drop a table, even if its file is corrupt; the data files of the table stay.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
            CatalogException: the directory is not writable.
        """
        self._drop("tables", database, name)

    # --- functions ---------------------------------------------------------------------------------------------------

    def list_functions(self, database: str) -> list[str]:
        """Return the sorted names of the functions of a database, including corrupt ones."""
        return self._objects.names(database, ("functions",))

    def get_function(self, database: str, name: str) -> CatalogFunction | None:
        """Return a function, or None if the database has no such function, without importing any code.

        Raises:
            DatabaseNotExistException: the database does not exist.
            CatalogException: the file is corrupt; the message says where and why.
        """
        entry = self._objects.find(self._objects.folder(database), ("functions",), database, name)
        if entry is None:
            return None
        found = self._objects.stored(entry, database)
        assert isinstance(found, CatalogFunction)
        return found

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
            ValidationException: the name cannot be a file name; the body cannot be parsed; both options are set.
            CatalogException: the directory is not writable.
        """
        if or_replace and if_not_exists:
            raise ValidationException(
                "A function is either replaced or kept: pass or_replace or if_not_exists, not both."
            )
        check_name(name, "function")
        with self._storage.locked():
            folder = self._objects.folder(database)
            old = self._objects.find(folder, ("functions",), database, name)
            if old is not None and if_not_exists:
                return
            if old is not None and not or_replace:
                raise FunctionAlreadyExistException(
                    f"The function {self._objects.shown(database, old.name)} exists. Drop it first, or replace it."
                )
            spelling = name if old is None else old.name
            statement = create_function(quote(spelling), function)
            self._write(folder, "functions", database, spelling, statement, function.settings, old)

    def drop_function(self, database: str, name: str, *, if_exists: bool = False) -> None:
        """Drop a function, even if its file is corrupt.

        Raises:
            DatabaseNotExistException: the database does not exist.
            FunctionNotExistException: the database has no function of this name and ``if_exists`` is not set.
            CatalogException: the directory is not writable.
        """
        with self._storage.locked():
            entry = self._objects.find(self._objects.folder(database), ("functions",), database, name)
            if entry is not None:
                self._storage.remove(entry.path)
            elif not if_exists:
                raise FunctionNotExistException(
                    f"No function {self._objects.shown(database, name)}."
                    + did_you_mean(name, self._objects.names(database, ("functions",)))
                )

    def require_writable(self, database: str) -> None:
        """Check without a change that the files of views and functions of a database can be written.

        Raises:
            CatalogException: a folder cannot be written.
        """
        exists = self.database_exists(database)
        folder = self._objects.folder(database) if exists else self._objects.new_folder(database)
        files = () if (folder / DATABASE_FILE).exists() else (folder,)
        self._storage.require_writable((*files, folder / "views", folder / "functions"))

    # --- writing files -----------------------------------------------------------------------------------------------

    def _write_view(
        self, folder: Path, database: str, name: str, definition: ViewDefinition, view: CatalogView, old: Entry | None
    ) -> None:
        if view.namespace or view.query_names:
            raise CatalogException(
                f"The view {self._objects.shown(database, name)} cannot be stored as it is: its text needs the "
                f"namespace {'.'.join(view.namespace)!r} of another catalog. Store the query that it is, "
                "with create_view."
            )
        self._write(folder, "views", database, name, create_view(view_path(name), definition), view.settings, old)

    def _write(
        self,
        folder: Path,
        kind: str,
        database: str,
        name: str,
        statement: str,
        settings: Mapping[str, str] | None = None,
        old: Entry | None = None,
    ) -> None:
        content = object_files.write_object(statement, settings or {})
        _, found = read_object(kind, database, name, content)
        if isinstance(found, Broken):
            raise ValidationException(f"{self._objects.shown(database, name)} cannot be stored: {found}")
        if not (folder / DATABASE_FILE).exists():
            self._write_database(folder, database, CatalogDatabase())
        self._storage.write(self._storage.path_of(folder, kind, name) if old is None else old.path, content)

    def _write_database(self, folder: Path, database: str, said: CatalogDatabase) -> None:
        statement = f"CREATE DATABASE {quote(database)}"
        if said.comment is not None:
            statement += f"\nCOMMENT {string(said.comment)}"
        if said.properties:
            statement += f"\nWITH DBPROPERTIES {property_list(said.properties)}"
        self._storage.write(folder / DATABASE_FILE, object_files.write_object(statement, {}))

    def _drop(self, kind: str, database: str, name: str) -> None:
        with self._storage.locked():
            self._storage.remove(self._objects.require(self._objects.folder(database), kind, database, name).path)


def _definition(view: CatalogView, old: StoredView | None) -> ViewDefinition:
    """Return the definition to store: the new view, with parts of the old view that the new one does not set."""
    kept = {} if old is None else {fold(name): comment for name, comment in old.columns}
    columns = [(c.name, kept.get(fold(c.name)) if c.comment is None else c.comment) for c in view.schema.columns]
    return ViewDefinition(
        text=view.text.strip(),
        columns=tuple(columns),
        comment=old.comment if view.comment is None and old is not None else view.comment,
        properties={**({} if old is None else old.properties), **view.properties},
        schema_mode=view.schema_mode or (None if old is None else old.schema_mode) or None,
    )
