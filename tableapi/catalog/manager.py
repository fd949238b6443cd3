"""The catalogs of an environment, its current namespace, and its temporary views."""

from __future__ import annotations

from collections.abc import Callable

from ir import light_attrs as attrs
from ir.errors import (
    CatalogException,
    CatalogNotExistException,
    DatabaseNotExistException,
    TableAlreadyExistException,
    TableException,
    TableNotExistException,
    ValidationException,
    did_you_mean,
    listing,
)
from ir.identifiers import NameMap, ObjectIdentifier, fold, parse_long_path, parse_path, path_text
from ir.light_typing import TYPE_CHECKING
from ir.operations.operation import QueryOperation
from ir.operations.source import Source, Versions
from ir.relation_names import NO_NAMES, RelationNames
from ir.resolution.lookup import name_in_session
from ir.resolution.operations import source_schema
from tableapi.catalog.current_namespace import CurrentNamespace
from tableapi.catalog.declared_tables import DeclarationsOfCatalog, DeclaredTables
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.catalog import catalog as catalogs
    from tableapi.catalog import declared_tables, nested_tables
    from tableapi.catalog.catalog import Catalog, CatalogTable, CatalogView, StoredView, Witness
    from tableapi.declarations.file_tables import FileTable
else:
    catalogs = lazy(__name__, "tableapi.catalog.catalog")
    declared_tables = lazy(__name__, "tableapi.catalog.declared_tables")
    nested_tables = lazy(__name__, "tableapi.catalog.nested_tables")

FindTemporary = Callable[[str, str | None], Source | None]
"""Finds a temporary view of the Spark session by name and, for global temporary views, their database."""
GLOBAL_TEMPORARY = "global_temp"
"""The database of Spark's global temporary views, which all sessions share."""


@attrs.frozen(eq=False, repr=False)
class TemporaryView(attrs.Slotted):
    """A query with a name for the lifetime of the environment; a temporary table is a query over files."""

    name: str
    operation: QueryOperation
    files: FileTable | None = None
    names: RelationNames = NO_NAMES
    versions: Versions | None = None


class CatalogManager:
    """Resolves a path: first to a temporary view, then to a table or view of a catalog.

    Names are case-insensitive. Full names that this class returns have the spelling under which the object is known, so
    that two ways to write a name give equal trees.

    A catalog may be registered as a function that opens it at first use.
    """

    def __init__(self) -> None:
        self._catalogs: NameMap[Catalog | Callable[[], Catalog]] = NameMap()
        self._temporary: NameMap[TemporaryView] = NameMap()
        self.declared = DeclaredTables()
        """Tables of Spark's catalogs whose columns the program has declared."""
        self.unopened_database: str | None = None
        """The default database of catalogs that are not open yet, if it is known."""
        self.namespace = CurrentNamespace()
        """The catalog and the database of unqualified names."""
        self.changes = 0
        """The number of changes to the set of catalogs."""
        self.read_view: Callable[[ObjectIdentifier], CatalogTable | CatalogView] | None = None
        """Returns a view that its catalog stores as text only, with its columns and its tree."""
        self.open_configured: Callable[[str], Catalog | None] | None = None
        """Returns the catalog that a running session has under a name, or None."""

    # --- catalogs and the current namespace --------------------------------------------------------------------------

    def register(self, name: str, catalog: Catalog | Callable[[], Catalog]) -> None:
        """Register a catalog under a name.

        Raises:
            CatalogException: the name is taken.
        """
        self.refuse_taken(name)
        self._catalogs[name] = catalog
        self.changes += 1

    def refuse_taken(self, name: str) -> None:
        """Check that no catalog has a name, ignoring case.

        Raises:
            CatalogException: a catalog has the name.
        """
        taken = self._catalogs.spelling(name)
        if taken is not None:
            raise CatalogException(
                f"A catalog named {taken!r} exists already."
                + ("" if taken == name else " Names are found whatever their case.")
            )

    def unregister(self, name: str) -> None:
        """Unregister a catalog; the objects of an in-memory catalog are lost, the files of a directory stay.

        Raises:
            CatalogNotExistException: the catalog does not exist.
            CatalogException: the catalog is the current one, or belongs to the Spark session.
        """
        if name not in self._catalogs:
            self.catalog(name)
        known = self.opened(name)
        if known is None or known.is_in_spark:
            raise CatalogException(f"The catalog {name!r} is one of the Spark session, and cannot be dropped.")
        if self.is_current_catalog(name):
            raise CatalogException(f"The catalog {name!r} is the current one; USE another before it is dropped.")
        del self._catalogs[name]
        self.changes += 1

    def reopen(self, name: str, catalog: Callable[[], Catalog]) -> None:
        """Register the function that opens a catalog again at its next use."""
        self._catalogs[name] = catalog
        self.changes += 1

    def catalog(self, name: str) -> Catalog:
        """Return the catalog with a name, and open it if necessary.

        Raises:
            CatalogNotExistException: the catalog does not exist.
        """
        found = self._catalogs.get(name) or self._find_configured(name)
        if found is None:
            raise CatalogNotExistException(
                f"There is no catalog named {name!r}. The catalogs are [{listing(sorted(self._catalogs))}]."
                + did_you_mean(name, self._catalogs)
            )
        if not isinstance(found, catalogs.Catalog):
            found = found()
            if fold(found.name) == fold(name):
                # The names of Spark's other catalogs are case-sensitive.
                del self._catalogs[name]
                name = found.name
            self._catalogs[name] = found
        return found

    def has_catalog(self, name: str) -> bool:
        """Whether a catalog has a name."""
        return name in self._catalogs or self._find_configured(name) is not None

    def _find_configured(self, name: str) -> Catalog | None:
        """Return the catalog that the running session has under a name, and register it; None if it has none."""
        found = None if self.open_configured is None else self.open_configured(name)
        if found is not None:
            self.register(found.name, found)
        return found

    def spelled_catalog(self, name: str) -> str:
        """Return the registered spelling of a catalog name, or the given name if there is no such catalog."""
        return self._catalogs.spelling(name) or name

    def is_current_catalog(self, name: str) -> bool:
        """Whether a name is that of the current catalog."""
        return fold(name) == fold(self.current_catalog)

    def opened(self, name: str) -> Catalog | None:
        """Return the catalog with a name, or None if it does not exist or has never been opened."""
        found = self._catalogs.get(name)
        return found if isinstance(found, catalogs.Catalog) else None

    def list_catalogs(self) -> list[str]:
        """Return the sorted names of the catalogs."""
        return sorted(self._catalogs)

    @property
    def known_namespace(self) -> tuple[str, str]:
        """The current catalog and database, as far as they are known without opening the catalog.

        The database is the path of the current namespace, which in some catalogs has no part or several.
        """
        catalog, parts, opened = self.current_catalog, self.namespace.parts, self.opened(self.current_catalog)
        default = "default" if opened is None else opened.default_database
        return catalog, default if parts is None else path_text(parts)

    def use_catalog(self, name: str) -> None:
        """Make a catalog and its default database the current ones.

        Raises:
            CatalogNotExistException: the catalog does not exist.
        """
        if name not in self._catalogs:
            self.catalog(name)
        self.namespace.choose(self.spelled_catalog(name))

    def use_database(self, name: str) -> None:
        """Make a database of the current catalog the current one.

        Raises:
            DatabaseNotExistException: the database does not exist.
        """
        catalog = self.current_catalog
        is_open = self.opened(catalog) is not None
        if is_open or not self.declared.has_database(catalog, name):
            self.use(catalog, name)
        else:
            self.namespace.choose(catalog, name)

    def use(self, catalog: str, database: str) -> None:
        """Make a catalog and a database of it the current ones.

        Raises:
            CatalogNotExistException: the catalog does not exist.
            DatabaseNotExistException: the catalog has no such database.
        """
        found = self.require_database(catalog, database)
        self.namespace.choose(self.spelled_catalog(catalog), found.spell_database(database))

    @property
    def current_catalog(self) -> str:
        """The name of the current catalog."""
        return self.namespace.catalog

    @property
    def current_database(self) -> str:
        """The name of the current database.

        Raises:
            ValidationException: the current namespace of the Spark session is not a database.
        """
        database = self.namespace.database
        if database is None:
            catalog = self.current_catalog
            if self.unopened_database is not None and self.opened(catalog) is None:
                return self.unopened_database
            database = self.catalog(catalog).default_database
            self.namespace.set_default_database(database)
        return database

    def require_database(self, catalog: str, database: str) -> Catalog:
        """Return a catalog after checking that it has a database.

        Raises:
            CatalogNotExistException: the catalog does not exist.
            DatabaseNotExistException: the catalog has no such database; the message suggests the nearest name.
        """
        found = self.catalog(catalog)
        if not found.database_exists(database):
            raise DatabaseNotExistException(
                f"The catalog {catalog!r} has no database {database!r}. Its databases are "
                f"[{listing(found.list_databases())}]." + did_you_mean(database, found.list_databases())
            )
        return found

    # --- paths -------------------------------------------------------------------------------------------------------

    def qualify(self, path: str) -> ObjectIdentifier:
        """Complete a path to a full name in the current namespace; the object need not exist.

        Raises:
            ValidationException: the path is malformed.
        """
        return self._complete(parse_path(path))

    def _complete(self, parts: tuple[str, ...]) -> ObjectIdentifier:
        database = parts[-2] if len(parts) > 1 else self.current_database
        catalog = self.spelled_catalog(parts[0]) if len(parts) > 2 else self.current_catalog
        return ObjectIdentifier(parts[-1], database, catalog)

    def qualify_relation(self, path: str) -> ObjectIdentifier:
        """Complete the path of a table that may be in a namespace of several parts; the table need not exist.

        As in Spark, the first of three or more parts is a catalog if there is one of the name. Otherwise, the whole
        path is in the current catalog.

        Raises:
            ValidationException: the path is malformed, or is too long for the catalog.
        """
        return self._complete_relation(path, parse_long_path(path))

    def _complete_relation(self, path: str, parts: tuple[str, ...]) -> ObjectIdentifier:
        if len(parts) < 3:
            return self._complete(parts)
        is_inside = self._is_inside_current_catalog(parts[0])
        has_catalog = len(parts) > 3 and self.has_catalog(parts[0])
        if not is_inside and not has_catalog:
            return self.qualify(path)
        catalog = self.current_catalog
        if has_catalog:
            catalog, parts = self.spelled_catalog(parts[0]), parts[1:]
        return ObjectIdentifier(parts[-1], parts[0], catalog, parts[1:-1])

    def _is_inside_current_catalog(self, first: str) -> bool:
        """Whether a long path that begins with a name is in a namespace of several parts of the current catalog."""
        if self.has_catalog(first):
            return False
        current = self.opened(self.current_catalog)
        return current is not None and current.has_nested_namespaces

    def spelled(self, identifier: ObjectIdentifier) -> ObjectIdentifier:
        """Return the full name of a table or view in the spelling under which it is known.

        The name of an object that does not exist is returned unchanged.
        """
        declared = self.declared.spelling(identifier)
        if declared is not None:
            return declared
        registered = self._catalogs.find(str(identifier.catalog))
        if registered is None and self._find_configured(str(identifier.catalog)) is not None:
            registered = self._catalogs.find(str(identifier.catalog))
        if registered is None:
            return identifier
        spelling, catalog = registered
        if identifier.inner:
            # Nested names keep the case in which they are written: Spark does not report another one.
            return identifier if spelling == identifier.catalog else identifier.evolve(catalog=spelling)
        if not isinstance(catalog, catalogs.Catalog):
            self._open_beside_declared(identifier)
            catalog = self.catalog(spelling)
            spelling = self.spelled_catalog(spelling)
        database, name = catalog.spell(str(identifier.database), identifier.name)
        if name == identifier.name and database == identifier.database and spelling == identifier.catalog:
            return identifier
        return ObjectIdentifier(name, database, spelling)

    def source(self, path: str, find_temporary: FindTemporary) -> Source:
        """Return the operation that reads the relation of a path.

        ``find_temporary`` finds a temporary view that other code created in the Spark session.

        Raises:
            TableNotExistException: the relation does not exist; the message suggests the nearest name.
        """
        return self.temporary_source(path, find_temporary) or self._source_of(self._qualified(path))

    def _qualified(self, path: str) -> ObjectIdentifier:
        """Return the full name of the table or view of a catalog that a path names.

        Raises:
            TableNotExistException: the path names a temporary view, and no database has such a name either.
        """
        parts = parse_long_path(path)
        identifier, name = self._complete_relation(path, parts), name_in_session(parts)
        if name is not None:
            catalog = str(identifier.catalog)
            if not self.has_catalog(catalog) or not self.catalog(catalog).database_exists(str(identifier.database)):
                nearby = [view.name for view in self._temporary.values()]
                raise TableNotExistException(
                    f"There is no temporary view {name!r}, which {path} means." + did_you_mean(name, nearby)
                )
        return identifier

    def temporary_source(self, path: str, find_temporary: FindTemporary) -> Source | None:
        """Return the operation that reads the temporary view of a path, or None if there is no such view."""
        parts = parse_long_path(path)
        if len(parts) == 2 and fold(parts[0]) == GLOBAL_TEMPORARY:
            return find_temporary(parts[1], GLOBAL_TEMPORARY)
        name = _name_alone(parts)
        if name is None:
            return None
        temporary = self.temporary(name)
        if temporary is not None:
            operation = temporary.operation
            stream, versions = catalogs.find_stream(operation), temporary.versions
            return Source(ObjectIdentifier(temporary.name), operation.schema, stream=stream, versions=versions)
        return find_temporary(name, None)

    def permanent_source(self, path: str, namespace: tuple[str, ...]) -> Source:
        """Return the operation that reads the relation of a path in a stored view, ignoring temporary views.

        Args:
            path: the path.
            namespace: the catalog and the database of unqualified names.

        Raises:
            TableNotExistException: the relation does not exist; the message suggests the nearest name.
        """
        parts = parse_long_path(path)
        completed = (*namespace[: max(0, 3 - len(parts))], *parts)
        return self._source_of(ObjectIdentifier(completed[-1], completed[1], completed[0], completed[2:-1]))

    def _source_of(self, written: ObjectIdentifier) -> Source:
        identifier = self.spelled(written)
        found = self.find(identifier)
        versions = catalogs.find_versions(found)
        return Source(identifier, source_schema(found.schema), stream=found.stream, versions=versions)

    def find(self, identifier: ObjectIdentifier) -> CatalogTable | CatalogView:
        """Return a table or view of a catalog by its full name.

        Raises:
            TableNotExistException: the relation does not exist; the message suggests the nearest name.
            CatalogException: the stored object is corrupt.
            ValidationException: the text of a view is invalid, or its settings would change its meaning here.
        """
        found = self.stored(identifier)
        if not isinstance(found, catalogs.StoredView):
            return found
        if self.read_view is None:
            return self.catalog(str(identifier.catalog)).get_table(str(identifier.database), identifier.name)
        return self.read_view(identifier)

    def stored(self, identifier: ObjectIdentifier) -> CatalogTable | CatalogView | StoredView:
        """Return a table or view by its full name, in the form in which its catalog stores it.

        Raises:
            TableNotExistException: the relation does not exist; the message suggests the nearest name.
            CatalogException: the stored object is corrupt.
        """
        if identifier.inner:
            return nested_tables.find_nested_table(self, identifier)
        database = str(identifier.database)
        declared = self.declared.find(identifier)
        if declared is not None and self.opened(str(identifier.catalog)) is None:
            return declared
        self._open_beside_declared(identifier)
        try:
            found = self.catalog(str(identifier.catalog)).stored_table(database, identifier.name)
            if declared is not None:
                self._require_declared(identifier, declared, found)
            return found
        except (DatabaseNotExistException, TableNotExistException):
            if declared is not None:
                return declared
            # Check the database only after a failure, because the check takes as long as reading the table.
            catalog = self.require_database(str(identifier.catalog), database)
            nearby = [*catalog.list_tables(database), *(view.name for view in self._temporary.values())]
            raise TableNotExistException(
                f"Table {identifier.as_serializable_string()} was not found." + did_you_mean(identifier.name, nearby)
            ) from None

    def _open_beside_declared(self, identifier: ObjectIdentifier) -> None:
        """Open the catalog of an undeclared table; an error also lists the declared tables of its database."""
        catalog = str(identifier.catalog)
        near = self.declared.names(catalog, str(identifier.database))
        if not near or self.opened(catalog) is not None:
            return
        try:
            self.catalog(catalog)
        except TableException as error:
            error.args = (
                f"The table {identifier.as_summary_string()} is not among those that are declared, [{listing(near)}]."
                f"{did_you_mean(identifier.name, near)} Spark was to be asked for it: {error}",
                *error.args[1:],
            )
            raise

    def require_existing(self, identifier: ObjectIdentifier) -> None:
        """Check that a declared table exists in the session with the declared columns.

        Raises:
            TableNotExistException: the session has no table of this name.
            ValidationException: the columns differ from the declared ones.
        """
        declared = self.declared.find(identifier)
        if declared is None:
            return
        try:
            found = self.catalog(str(identifier.catalog)).stored_table(str(identifier.database), identifier.name)
        except (DatabaseNotExistException, TableNotExistException):
            shown = identifier.as_summary_string()
            raise TableNotExistException(
                f"The table {shown} is declared without data, and the Spark session has no table of this name. "
                "Queries over it can be built and printed. To run them, make the table in Spark's catalog, or run "
                f"them on a session that has it: TableEnvironment.create(spark=session). For rows in a test, name them "
                f"instead of the declaration: te.create_temporary_view({identifier.name!r}, te.from_elements(…)) and "
                f"te.from_path({identifier.name!r})."
            ) from None
        self._require_declared(identifier, declared, found)

    def _require_declared(
        self, identifier: ObjectIdentifier, declared: CatalogTable, found: CatalogTable | CatalogView | StoredView
    ) -> None:
        if isinstance(found, catalogs.CatalogTable | catalogs.CatalogView):
            declared_tables.require_declared_columns(identifier, declared.schema, found.schema)

    def witness(self, identifier: ObjectIdentifier, found: CatalogTable | CatalogView | StoredView) -> Witness:
        """Return a witness that tells later whether ``stored`` would return the same object ``found`` again."""
        if found is self.declared.find(identifier):
            holder = DeclarationsOfCatalog(self.declared, str(identifier.catalog))
            return catalogs.Witness(holder, str(identifier.database), identifier.name, found)
        if identifier.inner:
            return nested_tables.make_witness(self, identifier, found)
        return self.catalog(str(identifier.catalog)).witness(str(identifier.database), identifier.name, found)

    # --- temporary views ---------------------------------------------------------------------------------------------

    def create_temporary_view(self, view: TemporaryView, *, or_replace: bool = False) -> TemporaryView:
        """Register a query under a temporary name, and return it under that; it may replace another query if asked.

        Raises:
            ValidationException: the name includes a database, but temporary views have none.
            TableAlreadyExistException: another temporary view has the name.
        """
        name = self.temporary_name(view.name)
        if name in self._temporary and not or_replace:
            raise TableAlreadyExistException(
                f"A temporary view {name!r} exists already. Drop it with drop_temporary_view({name!r}) first."
            )
        made = attrs.evolve(view, name=name)
        self.restore_temporary_view(made)
        return made

    def restore_temporary_view(self, view: TemporaryView) -> None:
        """Register a temporary view again under its name."""
        self._temporary[view.name] = view

    def drop_temporary_view(self, path: str) -> TemporaryView | None:
        """Unregister a temporary view and return it; None if there is no view of this name."""
        return self._temporary.pop(self.temporary_name(path))

    def temporary_views(self) -> list[TemporaryView]:
        """Return the temporary views, the oldest first."""
        return self._temporary.values()

    def refuse_view(self, identifier: ObjectIdentifier) -> None:
        """Refuse a name that is not of a table: rows of a view cannot be changed.

        Raises:
            ValidationException: the name is that of a view.
        """
        if identifier.is_temporary:
            named = self.temporary(identifier.name)
            kind = "" if named is not None and named.files is not None else "temporary view"
        else:
            kind = "view" if isinstance(self.find(identifier), catalogs.CatalogView) else ""
        if kind:
            raise ValidationException(
                f"{identifier.as_summary_string()} is a {kind}; rows go into tables only, and are changed there.",
                condition="EXPECT_TABLE_NOT_VIEW",
            )

    def temporary(self, name: str) -> TemporaryView | None:
        """Return the temporary view with a name, or None."""
        return self._temporary.get(name)

    def temporary_of_path(self, path: str) -> TemporaryView | None:
        """Return the temporary view of a path that may also name another relation, or None."""
        name = _name_alone(parse_long_path(path))
        return None if name is None else self.temporary(name)

    def temporary_at(self, path: str) -> TemporaryView | None:
        """Return the temporary view of a path, or None.

        Raises:
            ValidationException: the path includes a database, but temporary views have none.
        """
        return self.temporary(self.temporary_name(path))

    def temporary_name(self, path: str) -> str:
        """Return the name of the temporary view of a path.

        Raises:
            ValidationException: the path includes a database, but temporary views have none.
        """
        parts = parse_path(path)
        name = _name_alone(parts)
        if name is None:
            raise ValidationException(
                f"The temporary view {path!r} cannot be in a database: temporary views have a name alone, as in Spark. "
                f"Use {parts[-1]!r}, or create_view for a permanent one."
            )
        return name


def _name_alone(parts: tuple[str, ...]) -> str | None:
    """Return the name of a temporary view from the parts of its path; None for the path of a catalog's relation."""
    return parts[0] if len(parts) == 1 else name_in_session(parts)
