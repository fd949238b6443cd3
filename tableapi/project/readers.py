"""The readers of a view: which columns they read, and what a change of the view means for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NoReturn

import attrs

from ir.errors import CatalogException, TableException, TableNotExistException
from ir.expressions import FieldReference
from ir.identifiers import ObjectIdentifier, fold, fold_path, path_text
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation
from ir.operations.outer_references import outer_references
from ir.operations.project import Project
from ir.operations.source import Source
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import Catalog, CatalogTable, CatalogView, StoredView, Witness
from tableapi.catalog.functions import CatalogFunction
from tableapi.environment.table_environment import TableEnvironment, parts_of
from tableapi.environment_settings import EnvironmentSettings
from tableapi.project.configuration import Configuration
from tableapi.project.deployment import DeployedView
from tableapi.project.environments import adopt_catalog, allow_packages
from tableapi.query_diff.changes import SchemaCommentChanged
from tableapi.query_diff.schema_changes import compare_schemas


def columns_read(operation: QueryOperation, identifier: ObjectIdentifier) -> tuple[str, ...]:
    """Return the columns of a table or view on which the rows of a query depend, in the order of the table.

    A column that a projection computes a value from counts, whether or not the value is used above it.
    """
    wanted = fold_path(identifier.parts)
    operations = list(operation.walk_with_subqueries())
    sources = [o for o in operations if isinstance(o, Source) and fold_path(o.identifier.parts) == wanted]
    if not sources:
        return ()
    pending = [(operation, index) for index in range(len(operation.schema))]
    for current in operations:
        pending += _referenced(current)
        roots = [*current.subqueries, *(current.inputs if current.compares_rows else ())]
        pending += [(root, index) for root in roots for index in range(len(root.schema))]
    found: set[tuple[QueryOperation, int]] = set()
    while pending:
        place = pending.pop()
        if place not in found:
            found.add(place)
            pending += _below(*place)
    names = {source.schema.names[index] for source, index in found if source in sources}
    return tuple([name for name in sources[0].schema.names if name in names])


def _referenced(operation: QueryOperation) -> Iterator[tuple[QueryOperation, int]]:
    """Yield the input columns from which an operation computes, but not those that a projection only passes on."""
    for expression in operation.expressions:
        if isinstance(expression, FieldReference) and isinstance(operation, Project):
            continue
        for part in expression.walk():
            if isinstance(part, FieldReference) and part.input_index < len(operation.inputs):
                yield operation.inputs[part.input_index], part.index
    for subquery in operation.subqueries:
        for name in {reference.name for reference in outer_references(subquery)}:
            for read in operation.inputs:
                index = read.schema.index_of(name)
                if index is not None:
                    yield read, index


def _below(operation: QueryOperation, index: int) -> list[tuple[QueryOperation, int]]:
    """Return the input columns that an output column passes on; all of them where that is not known."""
    below = operation.column_below(index)
    if below is not None:
        return [below]
    if isinstance(operation, Project | Aggregate):
        # Their expressions say what they read.
        return []
    if all(len(read.schema) == len(operation.schema) for read in operation.inputs):
        return [(read, index) for read in operation.inputs]
    return [(read, position) for read in operation.inputs for position in range(len(read.schema))]


@attrs.frozen
class Reader:
    """A view that reads a changed one, and what the change means for it.

    Attributes:
        name: the name of the reader, with its database.
        is_in_project: whether it belongs to the project.
        columns: the columns of the changed view that it reads.
        effect: what happens to it, as a sentence; empty if its columns stay as they are.
        breaks: whether it can no longer be read.
        is_in_plan: whether a step of the plan changes it, too.
        is_compatible: whether its own readers, which name the columns that they read, see no change.
        is_readable: whether this library can read it; if not, its text has the name of what changes.
        through: the broken view through which it reads the changed one; empty if it reads it directly.
    """

    name: str
    is_in_project: bool
    columns: tuple[str, ...]
    effect: str = ""
    breaks: bool = False
    is_in_plan: bool = False
    is_compatible: bool = True
    is_readable: bool = True
    through: str = ""


@attrs.frozen
class Effect:
    """The effect of a deployment on a view that it does not change: the last fields of a ``Reader``."""

    text: str = ""
    breaks: bool = False
    is_compatible: bool = True


class ChangedCatalog(Catalog):
    """A catalog as it will be after a deployment: its own objects, with new and without dropped views.

    Args:
        catalog: the catalog as it is.
        name: the name under which queries know it.
        new: the new columns of changed views by folded database and name; None for a dropped view.
        functions: the changed functions by folded database and name; None for a dropped one.
    """

    def __init__(
        self,
        catalog: Catalog,
        name: str,
        new: Mapping[tuple[str, str], ResolvedSchema | None],
        functions: Mapping[tuple[str, str], CatalogFunction | None],
    ) -> None:
        super().__init__(name, catalog.default_database)
        self._catalog = catalog
        self._new = new
        self._functions = functions

    def list_databases(self) -> list[str]:
        """Return the sorted names of the databases."""
        there = self._catalog.list_databases()
        known = {fold(name) for name in there}
        return sorted({*there, *[database for database, _ in (*self._new, *self._functions) if database not in known]})

    def database_exists(self, database: str) -> bool:
        """Whether the catalog has a database of this name."""
        return fold(database) in map(fold, self.list_databases())

    def spell(self, database: str, name: str) -> tuple[str, str]:
        """Return the spelling of a database and of a table or view in it."""
        return self._catalog.spell(database, name)

    def list_tables(self, database: str) -> list[str]:
        """Return the sorted names of the tables and views of a database."""
        kept = [name for name in self._catalog.list_tables(database) if (fold(database), fold(name)) not in self._new]
        return sorted([*kept, *[name for (of, name), schema in self._new.items() if of == fold(database) and schema]])

    def list_views(self, database: str) -> list[str]:
        """Return the sorted names of the views of a database."""
        return [name for name in self._catalog.list_views(database) if self._new.get((fold(database), fold(name)), 1)]

    def stored_table(self, database: str, name: str) -> CatalogTable | CatalogView | StoredView:
        """Return a table or view; a changed view has its new columns."""
        key = fold(database), fold(name)
        if key not in self._new:
            return self._catalog.stored_table(database, name)
        schema = self._new[key]
        if schema is None:
            raise TableNotExistException(f"The view {database}.{name} is dropped.")
        return CatalogTable(schema)

    def get_table(self, database: str, name: str) -> CatalogTable | CatalogView:
        """Return a table or view; a changed view has its new columns."""
        if (fold(database), fold(name)) in self._new:
            found = self.stored_table(database, name)
            assert isinstance(found, CatalogTable)
            return found
        return self._catalog.get_table(database, name)

    def witness(self, database: str, name: str, found: CatalogTable | CatalogView | StoredView) -> Witness:
        """Return a witness of a table or view, which does not change during one plan."""
        return Witness(self, database, name, found)

    def list_functions(self, database: str) -> list[str]:
        """Return the sorted names of the functions of a database."""
        there = self._catalog.list_functions(database) if self._catalog.database_exists(database) else []
        kept = [name for name in there if (fold(database), fold(name)) not in self._functions]
        return sorted([*kept, *[name for (of, name), made in self._functions.items() if of == fold(database) and made]])

    def get_function(self, database: str, name: str) -> CatalogFunction | None:
        """Return a function of the catalog; a changed one as it will be."""
        key = fold(database), fold(name)
        if key in self._functions:
            return self._functions[key]
        return self._catalog.get_function(database, name) if self._catalog.database_exists(database) else None

    def create_view(self, database: str, name: str, view: Any, **options: bool) -> NoReturn:
        """Refuse to change anything: the catalog is only read."""
        raise CatalogException(f"{self.name} is read as it will be, and not changed.")

    def drop_view(self, database: str, name: str) -> NoReturn:
        """Refuse to change anything: the catalog is only read."""
        raise CatalogException(f"{self.name} is read as it will be, and not changed.")

    def drop_table(self, database: str, name: str) -> NoReturn:
        """Refuse to change anything: the catalog is only read."""
        raise CatalogException(f"{self.name} is read as it will be, and not changed.")


class Future:
    """The catalog of a target as it will be after a deployment, in an environment that reads views over it.

    Args:
        target: the environment of the target, whose other catalogs stay as they are.
        configuration: the configuration of the project, with the name of the catalog in queries.
    """

    def __init__(self, target: TableEnvironment, configuration: Configuration) -> None:
        name, time_zone = configuration.catalog_name, configuration.time_zone
        builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("tableapi_future")
        self._environment = TableEnvironment.create(builder.build())
        self._environment.get_config().set_local_timezone(time_zone)
        self._new: dict[tuple[str, str], ResolvedSchema | None] = {}
        self._functions: dict[tuple[str, str], CatalogFunction | None] = {}
        catalog = ChangedCatalog(target.get_catalog(name), name, self._new, self._functions)
        adopt_catalog(self._environment, catalog)
        for other in configuration.catalogs:
            # A target without this catalog has an error in the views that read it, and no other.
            parts_of(self._environment).runtime.manager.register(other, partial(target.get_catalog, other))
        allow_packages(self._environment, configuration)

    def define(self, identifier: ObjectIdentifier, schema: ResolvedSchema | None) -> None:
        """Record the columns that a view will have, or None if it will be dropped."""
        self._new[fold(str(identifier.database)), fold(identifier.name)] = schema

    def define_function(self, identifier: ObjectIdentifier, function: CatalogFunction | None) -> None:
        """Record a function that the catalog will have, or None if it will be dropped."""
        self._functions[fold(str(identifier.database)), fold(identifier.name)] = function

    def read(self, text: str) -> QueryOperation:
        """Return the tree of the text of a view, with the types of the tables at the target.

        Raises:
            TableException: the target lacks a table or column that the text reads.
        """
        return self._environment.sql_query(text).query_operation

    def effect(self, view: DeployedView) -> Effect:
        """Return the effect of a deployment on a view that it does not change."""
        if view.schema is None or view.operation is None:
            return Effect(f"It cannot be read: {_cause(view.unreadable)}", is_compatible=False)
        try:
            path = path_text(view.identifier.parts)
            operation = self._environment.from_view_definition(path).query_operation
        except TableException as error:
            return Effect(f"It can no longer be read: {_cause(str(error))}", breaks=True, is_compatible=False)
        changes = [
            change
            for change in compare_schemas(view.schema, operation.schema, {})
            if not isinstance(change, SchemaCommentChanged)
        ]
        is_compatible = all(change.is_compatible for change in changes)
        return Effect("; ".join(change.text for change in changes), is_compatible=is_compatible)


def _cause(message: str) -> str:
    """Return the first line of the message about a view, without the view and its file."""
    line = message.partition("\n")[0]
    _, is_of_view, cause = line.partition(" cannot be read as a query")
    return cause.partition(": ")[2] if is_of_view else line
