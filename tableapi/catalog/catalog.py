"""The interface of a catalog, and what it holds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import attrs

from ir.errors import CatalogException, FunctionNotExistException, TableException, did_you_mean
from ir.expressions import ResolvedExpression
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.relation_names import NO_NAMES, RelationNames
from ir.rendering import Layout
from ir.schema import ResolvedSchema
from tableapi.catalog.functions import CatalogFunction
from tableapi.catalog.pyflink_calls import accept_pyflink_calls
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from tableapi.catalog.object_path import ObjectPath
    from tableapi.files import FileTable


@attrs.frozen(eq=False)
class CatalogTable:
    """A table.

    ``schema`` has its columns, ``data`` is the query that gives its rows where the catalog has no storage, and
    ``files`` says where the rows are, and are written to.
    """

    schema: ResolvedSchema
    comment: str | None = None
    options: Mapping[str, str] = attrs.field(factory=dict)
    data: QueryOperation | None = None
    files: FileTable | None = None
    partition_keys: tuple[str, ...] = ()


@attrs.frozen(eq=False)
class CatalogView:
    """A stored query.

    ``schema`` has the view's columns with their comments, ``text`` the SQL as Spark runs it. ``settings`` are the
    values of the session settings under which the text is read for ever, whoever reads it, ``collation`` the one that
    texts in it have by default, empty for UTF8_BINARY. ``properties`` are the user's own. ``operation`` is the tree,
    where the catalog can keep it. ``namespace`` is the catalog and database of the names in the text that have none,
    and ``query_names`` are the columns of the text that are the view's; both are empty where the text says it all.
    ``names`` are those of relations in the tree.
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


@boundaries
@attrs.frozen
class CatalogDatabase:
    """What a catalog says of a database: its comment, and properties of the user's own."""

    comment: str | None = None
    properties: Mapping[str, str] = attrs.field(factory=dict)

    @staticmethod
    def create_instance(properties: Mapping[str, str], comment: str | None = None) -> CatalogDatabase:
        """Return what a catalog is to say of a database.

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
    """A view as a catalog of texts has it: what its columns are, depends on what it reads.

    ``columns`` are names and comments, empty where those of the query are the view's; ``text``, ``comment``,
    ``properties`` and ``settings`` are those of ``CatalogView``. ``query`` is the text as nodes of the grammar,
    ``content`` what their positions are positions of, and ``origin`` where that is.
    """

    text: str
    columns: tuple[tuple[str, str | None], ...]
    comment: str | None
    properties: Mapping[str, str]
    settings: Mapping[str, str]
    content: str
    query: Any
    origin: str = ""


class HoldsTables(Protocol):
    """What gives tables and views by their names: a catalog, or the declarations of a program."""

    def stored_table(self, database: str, name: str) -> CatalogTable | CatalogView | StoredView | None:
        """Return the table or view of a name."""
        ...


@attrs.frozen(eq=False)
class Witness:
    """What a table or view was when it was read, which tells later whether it still is that."""

    catalog: HoldsTables
    database: str
    name: str
    found: CatalogTable | CatalogView | StoredView

    def stands(self, seen: dict[object, Any]) -> bool:
        """Whether the catalog would give the very same object again.

        ``seen`` is what was found out at this look at the catalogs, which is the same for all that it asks about.
        """
        try:
            return self.catalog.stored_table(self.database, self.name) is self.found
        except TableException:
            return False


class Catalog(ABC):
    """Databases, and in each of them tables and views under one set of names, and functions under another.

    Names of databases, tables, views and functions are found whatever their case. Where a method takes the name of a
    database and that of an object in it, an ``ObjectPath`` may stand for both, as in PyFlink.
    """

    is_in_spark: ClassVar[bool] = False
    """Whether the Spark session has the catalog, too: what is in any other is put in the place of its name."""
    is_lasting: ClassVar[bool] = True
    """Whether what it holds outlives the process."""

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
        """Return the names of the databases, sorted."""

    @abstractmethod
    def database_exists(self, database: str) -> bool:
        """Whether there is a database of this name."""

    def spell_database(self, database: str) -> str:
        """Return the name of a database as the catalog spells it, and as it is given where there is none.

        Trees hold names in this spelling, so that two ways to write a name give one tree.
        """
        return _spelling(database, self.list_databases())

    def spell(self, database: str, name: str) -> tuple[str, str]:
        """Return the names of a database, and of a table or view in it, as the catalog spells them.

        A name that there is not is returned as it is given.
        """
        database = self.spell_database(database)
        return database, _spelling(name, self.list_tables(database)) if self.database_exists(database) else name

    @abstractmethod
    def list_tables(self, database: str) -> list[str]:
        """Return the names of the tables and views of a database, sorted.

        Raises:
            DatabaseNotExistException: there is no such database.
        """

    @abstractmethod
    def list_views(self, database: str) -> list[str]:
        """Return the names of the views of a database, sorted.

        Raises:
            DatabaseNotExistException: there is no such database.
        """

    @abstractmethod
    def get_table(self, database: str, name: str) -> CatalogTable | CatalogView:
        """Return a table or view.

        Raises:
            DatabaseNotExistException: there is no such database.
            TableNotExistException: the database has no table or view of this name; the message suggests the nearest.
        """

    def get_default_database(self) -> str:
        """Return the name of the database that is the current one at first."""
        return self.default_database

    def table_exists(self, table_path: ObjectPath) -> bool:
        """Whether there is a table or a view of this path."""
        return _holds(self.list_tables, self, table_path)

    def function_exists(self, function_path: ObjectPath) -> bool:
        """Whether there is a function of this path."""
        return _holds(self.list_functions, self, function_path)

    def stored_table(self, database: str, name: str) -> CatalogTable | CatalogView | StoredView:
        """Return a table or view as it is stored, where that takes less than ``get_table``, and what that raises."""
        return self.get_table(database, name)

    def witness(self, database: str, name: str, found: CatalogTable | CatalogView | StoredView) -> Witness:
        """Return what tells later whether ``stored_table``, which gave ``found``, would give it again."""
        return Witness(self, database, name, found)

    def view_text(self, operation: QueryOperation, catalog: str) -> str:
        """Return the text under which a view over a query is stored; ``catalog`` is what this one is called."""
        return self.relative(operation, catalog).as_serializable_string(layout=Layout.MERGED)

    def relative(self, operation: QueryOperation, catalog: str) -> QueryOperation:
        """Return a query with its names as texts of this catalog, which is called ``catalog``, have them."""
        return operation

    def relative_expression(self, expression: ResolvedExpression, catalog: str) -> ResolvedExpression:
        """Return an expression with its names as texts of this catalog, which is called ``catalog``, have them."""
        return expression

    def create_table(self, database: str, name: str, table: CatalogTable, *, if_not_exists: bool = False) -> None:
        """Store a table, or leave everything as it was.

        Raises:
            TableAlreadyExistException: the name is taken, and ``if_not_exists`` does not allow it; or by a view.
            CatalogException: the catalog keeps no new tables.
        """
        raise CatalogException(f"The catalog {self.name} keeps no new tables.")

    @abstractmethod
    def create_view(
        self, database: str, name: str, view: CatalogView, *, or_replace: bool = False, if_not_exists: bool = False
    ) -> None:
        """Store a view, or leave everything as it was.

        Replacing keeps the comment, the column comments and the properties of the old view where the new one gives
        none.

        Raises:
            TableAlreadyExistException: the name is taken, and neither ``or_replace`` nor ``if_not_exists`` allows it;
                or it is taken by a table.
            ValidationException: the catalog cannot hold the name.
            CatalogException: the catalog failed; it is as it was before.
        """

    def alter_view(self, database: str, name: str, view: CatalogView) -> None:
        """Put a view in the place of one, of which nothing is kept but its name.

        Raises:
            DatabaseNotExistException: there is no such database.
            TableNotExistException: the database has no view of this name.
            CatalogException: the catalog cannot; or it failed, and is as before.
        """
        raise CatalogException(f"The catalog {self.name} changes no views; replace the view.")

    def rename_view(self, database: str, name: str, new_name: str) -> None:
        """Give a view another name in its database.

        Raises:
            DatabaseNotExistException: there is no such database.
            TableNotExistException: the database has no view of this name.
            TableAlreadyExistException: the new name is taken.
            ValidationException: the catalog cannot hold the new name.
            CatalogException: the catalog cannot; or it failed, and is as before.
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
        """Return what the catalog says of a database.

        Raises:
            DatabaseNotExistException: there is no such database.
            CatalogException: the catalog tells nothing but their names.
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
        """Make an empty database.

        Raises:
            DatabaseAlreadyExistException: there is one of this name, and ``if_not_exists`` does not allow it.
            ValidationException: the catalog cannot hold the name.
            CatalogException: the catalog keeps no new databases.
        """
        raise CatalogException(f"The catalog {self.name} keeps no new databases.")

    def alter_database(self, database: str, change: Callable[[CatalogDatabase], CatalogDatabase]) -> None:
        """Change what the catalog says of a database, as one step: ``change`` makes the new of the old.

        Raises:
            DatabaseNotExistException: there is no such database.
            CatalogException: the catalog changes no databases.
        """
        raise CatalogException(f"The catalog {self.name} changes no databases.")

    def drop_database(self, database: str, *, if_exists: bool = False, cascade: bool = False) -> None:
        """Drop a database, with ``cascade`` also one that is not empty.

        Raises:
            DatabaseNotExistException: there is no such database, and ``if_exists`` does not allow that.
            CatalogException: it is not empty, and ``cascade`` does not allow that.
        """
        raise CatalogException(f"The catalog {self.name} drops no databases.")

    # --- functions ---------------------------------------------------------------------------------------------------

    def list_functions(self, database: str) -> list[str]:
        """Return the names of the functions of a database, sorted; none where the catalog holds no functions.

        Raises:
            DatabaseNotExistException: there is no such database.
        """
        return []

    def get_function(self, database: str, name: str) -> CatalogFunction | None:
        """Return a function, or None where the database has none of this name. Nothing is imported.

        Raises:
            DatabaseNotExistException: there is no such database.
            CatalogException: what is stored under the name is broken.
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
            DatabaseNotExistException: there is no such database.
            FunctionAlreadyExistException: the name is taken, and neither option allows it.
            ValidationException: the catalog cannot hold the name; both options were given.
            CatalogException: the catalog holds no functions, or none of this kind; or it failed, and is as before.
        """
        raise CatalogException(f"The catalog {self.name} holds no functions.")

    def alter_function(self, database: str, name: str, function: CatalogFunction) -> None:
        """Put a function in the place of one.

        Raises:
            DatabaseNotExistException: there is no such database.
            FunctionNotExistException: the database has no function of this name.
            CatalogException: the catalog holds no functions, or none of this kind; or it failed, and is as before.
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
            DatabaseNotExistException: there is no such database.
            FunctionNotExistException: the database has no function of this name, and ``if_exists`` does not allow that.
        """
        if not if_exists:
            raise FunctionNotExistException(f"The catalog {self.name} holds no functions.")


def _spelling(name: str, known: Iterable[str]) -> str:
    """Return the one of the known names that a name means; of several the one that is spelt alike."""
    found = [spelling for spelling in known if fold(spelling) == fold(name)]
    return name if name in found or not found else found[0]


def _holds(list_names: Callable[[str], list[str]], catalog: Catalog, path: ObjectPath) -> bool:
    """Whether a name is among those that a catalog lists of a database."""
    if not catalog.database_exists(path.database_name):
        return False
    return fold(path.object_name) in map(fold, list_names(path.database_name))
