"""The interface of catalogs, and the objects that catalogs hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping

from ir import light_attrs as attrs
from ir.errors import (
    CatalogException,
    FunctionNotExistException,
    TableException,
    TableNotExistException,
    did_you_mean,
)
from ir.expressions import ResolvedExpression
from ir.identifiers import fold, path_text
from ir.light_typing import TYPE_CHECKING, Any, ClassVar, Protocol
from ir.operations.operation import QueryOperation
from ir.operations.source import StreamRead, Versions
from ir.relation_names import NO_NAMES, RelationNames
from ir.rendering import Layout, Quoting
from ir.schema import ResolvedSchema
from tableapi.catalog.functions import CatalogFunction
from tableapi.catalog.pyflink_calls import accept_pyflink_calls
from tableapi.lazy import lazy
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir.commands.table_definition import TableDefinition
    from ir.streaming import event_time
    from tableapi.catalog.object_path import ObjectPath
    from tableapi.declarations import streams as stream_tables
    from tableapi.declarations.file_tables import FileTable
    from tableapi.table_descriptor import TableDescriptor
else:
    event_time = lazy(__name__, "ir.streaming.event_time")
    stream_tables = lazy(__name__, "tableapi.declarations.streams")


def find_stream(operation: QueryOperation) -> StreamRead | None:
    """Return the stream that a view with this query is read as, None if its rows end."""
    # Most queries read no stream, and need no such module.
    return event_time.declared_stream(operation) if operation.is_unbounded else None


def _find_stream_of_table(table: CatalogTable) -> StreamRead | None:
    return None if table.data is None else find_stream(table.data)


def _find_stream_of_view(view: CatalogView) -> StreamRead | None:
    return None if view.operation is None else find_stream(view.operation)


@attrs.frozen(eq=False)
class CatalogTable:
    """A table.

    Attributes:
        schema: its columns.
        comment: its comment.
        options: its options.
        data: the query for its rows, if the catalog has no storage for them.
        files: the files that hold its rows.
        partition_keys: the names of its partition columns.
        descriptor: what it was created from, which says more than queries need: keys, watermarks and expressions.
        stream: how it is read if it is a stream by its declaration; None if its rows end.
        definition: its columns and constraints, if it was declared without rows and says more of them than types.
    """

    schema: ResolvedSchema
    comment: str | None = None
    options: Mapping[str, str] = attrs.field(factory=dict)
    data: QueryOperation | None = None
    files: FileTable | None = None
    partition_keys: tuple[str, ...] = ()
    descriptor: TableDescriptor | None = None
    stream: StreamRead | None = attrs.field(default=attrs.Factory(_find_stream_of_table, takes_self=True))
    definition: TableDefinition | None = None


@attrs.frozen(eq=False)
class CatalogView:
    """A stored query.

    Attributes:
        schema: the columns of the view with their comments.
        text: the SQL as Spark runs it.
        comment: its comment.
        properties: the user's own properties.
        settings: the session settings under which the text is always read, whoever reads it.
        operation: the tree of the query, if the catalog can keep it.
        namespace: the catalog and database of unqualified names in the text; empty if there are none.
        query_names: the columns of the text that are columns of the view; empty if all of them are.
        collation: the default collation of strings in the text; empty for UTF8_BINARY.
        names: the names of relations in the tree.
        schema_mode: what happens to the columns if a table below changes, as in ``WITH SCHEMA EVOLUTION``; empty for
            Spark's default.
        stream: how it is read if its query is one over a stream; None if its rows end.
        is_table: whether a pipeline stores its rows, so that it is read like a table.
    """

    schema: ResolvedSchema
    text: str
    comment: str | None = None
    properties: Mapping[str, str] = attrs.field(factory=dict)
    settings: Mapping[str, str] = attrs.field(factory=dict)
    operation: QueryOperation | None = None
    namespace: tuple[str, ...] = ()
    query_names: tuple[str, ...] = ()
    collation: str = ""
    names: RelationNames = NO_NAMES
    schema_mode: str = ""
    stream: StreamRead | None = attrs.field(default=attrs.Factory(_find_stream_of_view, takes_self=True))
    is_table: bool = attrs.field(default=False, kw_only=True)


def find_versions(found: CatalogTable | CatalogView) -> Versions | None:
    """Return which columns say that the rows of a table are versions; None without a primary key and a watermark."""
    declared = found.descriptor.declared_schema if isinstance(found, CatalogTable) and found.descriptor else None
    return None if declared is None else stream_tables.find_versions(declared, found.schema)


@boundaries
@attrs.frozen
class CatalogDatabase:
    """The description of a database: its comment, and the user's own properties."""

    comment: str | None = None
    properties: Mapping[str, str] = attrs.field(factory=dict)

    @staticmethod
    def create_instance(properties: Mapping[str, str], comment: str | None = None) -> CatalogDatabase:
        """Return the description of a database.

        >>> CatalogDatabase.create_instance({"owner": "sales"}, "what was sold")
        CatalogDatabase(comment='what was sold', properties={'owner': 'sales'})
        """
        return CatalogDatabase(comment, dict(properties))

    def get_properties(self) -> dict[str, str]:
        """Return the properties."""
        return dict(self.properties)

    def get_comment(self) -> str | None:
        """Return the comment."""
        return self.comment


@attrs.frozen(eq=False)
class StoredView:
    """A view that its catalog stores as text; its columns depend on the relations that it reads.

    Attributes:
        text, comment, properties, settings, schema_mode: as in ``CatalogView``.
        columns: names and comments of the columns; empty for the columns of the query.
        content: the content of the file, to which the positions in ``query`` refer.
        query: the text as nodes of the grammar.
        origin: the path of the file.
    """

    text: str
    columns: tuple[tuple[str, str | None], ...]
    comment: str | None
    properties: Mapping[str, str]
    settings: Mapping[str, str]
    content: str
    query: Any
    origin: str = ""
    schema_mode: str = ""


class HoldsTables(Protocol):
    """An object that finds tables and views by name: a catalog, or the declarations of a program."""

    def stored_table(self, database: str, name: str) -> CatalogTable | CatalogView | StoredView | None:
        """Return the table or view with a name."""
        ...


@attrs.frozen(eq=False)
class Witness:
    """A table or view at the time when it was read, to check later whether it is unchanged."""

    catalog: HoldsTables
    database: str
    name: str
    found: CatalogTable | CatalogView | StoredView

    def stands(self, seen: dict[object, Any]) -> bool:
        """Whether the catalog still returns the same object.

        ``seen`` caches facts about catalogs for all witnesses of one check.
        """
        try:
            return self.catalog.stored_table(self.database, self.name) is self.found
        except TableException:
            return False


class Catalog(ABC):
    """Databases, each with one set of names for tables and views and another one for functions.

    Names of databases, tables, views and functions are case-insensitive. Where a method takes the names of a database
    and of an object in it, an ``ObjectPath`` can replace both, as in PyFlink.
    """

    is_in_spark: ClassVar[bool] = False
    """Whether the Spark session has this catalog, too. Objects of other catalogs are expanded for execution."""
    is_lasting: ClassVar[bool] = True
    """Whether the objects outlive the process."""
    has_nested_namespaces: ClassVar[bool] = False
    """Whether databases may contain further namespaces, and tables may contain tables of metadata."""

    def __init__(self, name: str, default_database: str) -> None:
        self.name = name
        self.default_database = default_database
        self.comment: str | None = None

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        accept_pyflink_calls(cls)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, default database {self.default_database!r})"

    @abstractmethod
    def list_databases(self) -> list[str]:
        """Return the sorted names of the databases."""

    @abstractmethod
    def database_exists(self, database: str) -> bool:
        """Whether the catalog has a database of this name."""

    def spell_database(self, database: str) -> str:
        """Return the catalog's spelling of a database name, or the given name if there is no such database.

        Trees contain names in this spelling, so that two ways to write a name give equal trees.
        """
        return _spelling(database, self.list_databases())

    def spell(self, database: str, name: str) -> tuple[str, str]:
        """Return the catalog's spelling of the names of a database and of a table or view in it.

        A name that does not exist is returned as it is given.
        """
        database = self.spell_database(database)
        return database, _spelling(name, self.list_tables(database)) if self.database_exists(database) else name

    @abstractmethod
    def list_tables(self, database: str) -> list[str]:
        """Return the sorted names of the tables and views of a database.

        Raises:
            DatabaseNotExistException: the database does not exist.
        """

    @abstractmethod
    def list_views(self, database: str) -> list[str]:
        """Return the sorted names of the views of a database.

        Raises:
            DatabaseNotExistException: the database does not exist.
        """

    def unanalyzed_view(self, database: str, name: str) -> StoredView | None:
        """Return a view that cannot be analyzed, as far as the catalog stores it; None if that is not known.

        Its ``query`` is None.
        """
        return None

    def require_views(self) -> None:
        """Check that the catalog can hold views; by default, it can.

        Raises:
            CatalogException: the catalog cannot hold views (condition MISSING_CATALOG_ABILITY), or it failed.
        """
        return

    def require_writable(self, database: str) -> None:
        """Check without a change that views and functions of a database can be written, as far as that is known.

        By default, nothing is known before the first change.

        Raises:
            CatalogException: a permission is missing.
        """
        return

    @abstractmethod
    def get_table(self, database: str, name: str) -> CatalogTable | CatalogView:
        """Return a table or view.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no such table or view; the message suggests the nearest name.
        """

    def get_default_database(self) -> str:
        """Return the name of the database that is current when the catalog becomes current."""
        return self.default_database

    def table_exists(self, table_path: ObjectPath) -> bool:
        """Whether the catalog has a table or view with this path."""
        return _holds(self.list_tables, self, table_path)

    def function_exists(self, function_path: ObjectPath) -> bool:
        """Whether the catalog has a function with this path."""
        return _holds(self.list_functions, self, function_path)

    def stored_table(self, database: str, name: str) -> CatalogTable | CatalogView | StoredView:
        """Return a table or view as it is stored, if that is cheaper than ``get_table``, with the same errors."""
        return self.get_table(database, name)

    def stored_nested_table(self, namespace: tuple[str, ...], name: str) -> CatalogTable:
        """Return a table of a namespace of several parts, or a table of metadata inside another table.

        Raises:
            TableNotExistException: there is no such table; by default, there is none.
        """
        raise TableNotExistException(f"No table {path_text((self.name, *namespace, name))}.")

    def witness(self, database: str, name: str, found: CatalogTable | CatalogView | StoredView) -> Witness:
        """Return a witness that tells later whether ``stored_table`` would return the same object ``found`` again."""
        return Witness(self, database, name, found)

    def view_text(self, operation: QueryOperation, catalog: str, target: str | None = None) -> str:
        """Return the text that is stored for a view of a query.

        Args:
            operation: the query.
            catalog: the registered name of this catalog.
            target: the name of the session's target. A catalog that this library alone reads ignores it: its texts are
                written for the newest version, and prepared for the engine that runs them.
        """
        written_for = target if self.is_in_spark else None
        return self.relative(operation, catalog).as_serializable_string(
            layout=Layout.MERGED, target=written_for, quoting=Quoting.NEEDED
        )

    def relative(self, operation: QueryOperation, catalog: str) -> QueryOperation:
        """Rewrite the names in a query as texts of this catalog, registered as ``catalog``, contain them."""
        return operation

    def relative_expression(self, expression: ResolvedExpression, catalog: str) -> ResolvedExpression:
        """Rewrite the names in an expression as texts of this catalog, registered as ``catalog``, contain them."""
        return expression

    def create_table(self, database: str, name: str, table: CatalogTable, *, if_not_exists: bool = False) -> None:
        """Store a table, or leave everything as it was.

        Raises:
            TableAlreadyExistException: a table of this name exists and ``if_not_exists`` is not set, or a view has the
                name.
            CatalogException: the catalog does not support the creation of tables.
        """
        raise CatalogException(f"The catalog {self.name} keeps no new tables.")

    def alter_table(self, database: str, name: str, table: CatalogTable) -> None:
        """Replace the description of a table completely, except for its name; its rows stay as they are.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
            CatalogException: the catalog does not support this; or it failed, and is unchanged.
        """
        raise CatalogException(
            f"The catalog {self.name} replaces no descriptions of tables. Change the table by the statement ALTER "
            "TABLE, or by te.alter_table(…)."
        )

    def rename_table(self, database: str, name: str, new_name: str) -> None:
        """Rename a table within its database.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no table of this name.
            TableAlreadyExistException: the new name is taken.
            ValidationException: the catalog cannot hold the new name.
            CatalogException: the catalog does not support this; or it failed, and is unchanged.
        """
        raise CatalogException(f"The catalog {self.name} renames no tables.")

    @abstractmethod
    def create_view(
        self, database: str, name: str, view: CatalogView, *, or_replace: bool = False, if_not_exists: bool = False
    ) -> None:
        """Store a view, or leave everything as it was.

        A replaced view passes its comment, column comments and properties on, unless the new view sets them.

        Raises:
            TableAlreadyExistException: a view of this name exists and neither ``or_replace`` nor ``if_not_exists`` is
                set, or a table has the name.
            ValidationException: the catalog cannot hold the name.
            CatalogException: the catalog failed; it is unchanged.
        """

    def alter_view(self, database: str, name: str, view: CatalogView) -> None:
        """Replace a view completely, except for its name.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
            CatalogException: the catalog does not support this; or it failed, and is unchanged.
        """
        raise CatalogException(f"The catalog {self.name} changes no views; replace the view.")

    def rename_view(self, database: str, name: str, new_name: str) -> None:
        """Rename a view within its database.

        Raises:
            DatabaseNotExistException: the database does not exist.
            TableNotExistException: the database has no view of this name.
            TableAlreadyExistException: the new name is taken.
            ValidationException: the catalog cannot hold the new name.
            CatalogException: the catalog does not support this; or it failed, and is unchanged.
        """
        raise CatalogException(f"The catalog {self.name} renames no views.")

    @abstractmethod
    def drop_view(self, database: str, name: str) -> None:
        """Drop a view.

        Raises:
            TableNotExistException: the database has no view of this name.
        """

    @abstractmethod
    def drop_table(self, database: str, name: str) -> None:
        """Drop a table.

        Raises:
            TableNotExistException: the database has no table of this name.
        """

    # --- databases ---------------------------------------------------------------------------------------------------

    def get_database(self, database: str) -> CatalogDatabase:
        """Return the description of a database.

        Raises:
            DatabaseNotExistException: the database does not exist.
            CatalogException: the catalog keeps no descriptions of databases.
        """
        raise CatalogException(f"The catalog {self.name} tells nothing of its databases but their names.")

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
            CatalogException: the catalog does not support the creation of databases.
        """
        raise CatalogException(f"The catalog {self.name} keeps no new databases.")

    def alter_database(self, database: str, change: Callable[[CatalogDatabase], CatalogDatabase]) -> None:
        """Change the description of a database in one step; ``change`` computes the new description from the old one.

        Raises:
            DatabaseNotExistException: the database does not exist.
            CatalogException: the catalog does not support changes of databases.
        """
        raise CatalogException(f"The catalog {self.name} changes no databases.")

    def drop_database(self, database: str, *, if_exists: bool = False, cascade: bool = False) -> None:
        """Drop a database; ``cascade`` also drops the objects in it.

        Raises:
            DatabaseNotExistException: the database does not exist and ``if_exists`` is not set.
            CatalogException: the database is not empty and ``cascade`` is not set.
        """
        raise CatalogException(f"The catalog {self.name} drops no databases.")

    # --- functions ---------------------------------------------------------------------------------------------------

    def list_functions(self, database: str) -> list[str]:
        """Return the sorted names of the functions of a database; an empty list if functions are not supported.

        Raises:
            DatabaseNotExistException: the database does not exist.
        """
        return []

    def get_function(self, database: str, name: str) -> CatalogFunction | None:
        """Return a function, or None if the database has no such function, without importing any code.

        Raises:
            DatabaseNotExistException: the database does not exist.
            CatalogException: the stored function is corrupt.
        """
        return None

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
            ValidationException: the catalog cannot hold the name; both options are set.
            CatalogException: the catalog does not support functions or this kind of function; or it failed, and is
                unchanged.
        """
        raise CatalogException(f"The catalog {self.name} holds no functions.")

    def alter_function(self, database: str, name: str, function: CatalogFunction) -> None:
        """Replace a function.

        Raises:
            DatabaseNotExistException: the database does not exist.
            FunctionNotExistException: the database has no function of this name.
            CatalogException: the catalog does not support functions or this kind of function; or it failed, and is
                unchanged.
        """
        if self.get_function(database, name) is None:
            raise FunctionNotExistException(
                f"The database {self.name}.{database} has no function {name!r}."
                + did_you_mean(name, self.list_functions(database))
            )
        self.create_function(database, name, function, or_replace=True)

    def drop_function(self, database: str, name: str, *, if_exists: bool = False) -> None:
        """Drop a function.

        Raises:
            DatabaseNotExistException: the database does not exist.
            FunctionNotExistException: the database has no function of this name and ``if_exists`` is not set.
        """
        if not if_exists:
            raise FunctionNotExistException(f"The catalog {self.name} holds no functions.")


def _spelling(name: str, known: Iterable[str]) -> str:
    """Return the known spelling of a name; an exact match wins, and an unknown name is returned as it is."""
    found = [spelling for spelling in known if fold(spelling) == fold(name)]
    return name if name in found or not found else found[0]


def _holds(list_names: Callable[[str], list[str]], catalog: Catalog, path: ObjectPath) -> bool:
    """Whether a catalog lists the object of a path in its database."""
    if not catalog.database_exists(path.database_name):
        return False
    return fold(path.object_name) in map(fold, list_names(path.database_name))
