"""CREATE VIEW and ALTER VIEW, by the same code as the methods of the fluent API."""

from __future__ import annotations

from grammar import statements as st
from grammar import syntax as s
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.errors import ValidationException
from ir.identifiers import ObjectIdentifier, fold
from ir.operations.operation import QueryOperation
from ir.resolution.operations import rename_all
from serializer.given_names import use_names
from tableapi.catalog.catalog import CatalogView
from tableapi.queries.environment_parts import EnvironmentParts
from tableapi.queries.runtime import Runtime
from tableapi.queries.sql_reader import path_of
from tableapi.result import TableResult


def home_of(runtime: Runtime, name: s.Path) -> str:
    """Return the location of an object, existing or new: ``temporary``, ``spark``, or ``own`` (our catalogs)."""
    if runtime.manager.temporary_of_path(path_of(name)) is not None:
        return "temporary"
    return home_of_new(runtime, name)


def home_of_new(runtime: Runtime, name: s.Path) -> str:
    """Return the location of a created object: ``spark``, or ``own`` (our catalogs)."""
    parts, manager = name.parts, runtime.manager
    found = manager.opened(parts[0] if len(parts) > 2 else manager.current_catalog)
    return "spark" if found is None or found.is_in_spark else "own"


class ViewStatements:
    """Executes CREATE VIEW and ALTER VIEW for one environment."""

    def __init__(self, environment: EnvironmentParts) -> None:
        self._runtime = environment.runtime
        self._tables = environment.tables
        self._reader = environment.reader

    def create(self, node: st.CreateView, text: str) -> TableResult | None:
        """Execute CREATE VIEW; return None if Spark has to execute it.

        Raises:
            Misread: clauses of the statement contradict each other, or the catalog lacks one.
            TableException: the query is invalid, or the view exists.
        """
        path = path_of(node.name)
        if "schema mode" in node.options:
            if node.temporary or home_of(self._runtime, node.name) != "spark":
                raise Misread(node.name.position, "WITH SCHEMA is for views of Spark's catalogs.")
            return None
        collation = node.options.get("collation", "UTF8_BINARY")
        if collation.upper() != "UTF8_BINARY":
            if node.temporary or home_of(self._runtime, node.name) != "spark":
                raise Misread(
                    node.name.position,
                    "DEFAULT COLLATION is for stored views of Spark's catalogs, which read every text in the query as "
                    f"one of that collation. Write it where it is meant: 'a' COLLATE {collation}, CAST(a AS STRING "
                    f"COLLATE {collation}).",
                )
            return None
        if node.or_replace and node.if_not_exists:
            raise Misread(node.position, "A view is either replaced or kept: OR REPLACE or IF NOT EXISTS, not both.")
        in_spark = node.temporary or home_of(self._runtime, node.name) == "spark"
        is_named = node.columns is not None
        try:
            query, names = self._reader.named_operation(node.query, text, with_variables=False, for_view=not is_named)
        except ValidationException:
            if not in_spark:
                raise
            # A view evaluates session variables on each read, which only Spark supports.
            self._reader.operation(node.query, text, for_view=not is_named)
            return None
        comments: dict[str, str] = {}
        if node.columns is not None:
            if len(node.columns) != len(query.schema):
                raise Misread(
                    node.columns[0].position,
                    f"{len(node.columns)} names are given to the {len(query.schema)} columns of the query: "
                    f"{', '.join(query.schema.names)}.",
                )
            query = rename_all(query, [column.name.text for column in node.columns])
            comments = {c.name.text: c.comment for c in node.columns if c.comment is not None}
        with use_names(query, names):
            if node.temporary:
                self._create_temporary_view(path, query, node.or_replace, node.if_not_exists)
                return TableResult.ok()
            self._tables.create_view(
                path,
                query,
                or_replace=node.or_replace,
                if_not_exists=node.if_not_exists,
                comment=node.options.get("comment"),
                column_comments=comments,
                properties=node.options.get("properties", {}),
            )
        return TableResult.ok()

    def _create_temporary_view(self, path: str, query: QueryOperation, or_replace: bool, if_not_exists: bool) -> None:
        known = self._runtime.manager.temporary_at(path)
        if if_not_exists and known is not None:
            return
        self._tables.create_temporary_view(path, query, or_replace=or_replace)

    def alter(self, node: st.AlterView, text: str) -> TableResult | None:
        """Execute ALTER VIEW; return None if Spark has to execute it.

        Raises:
            Misread: the new name is in another database.
            TableException: there is no such view, the query is invalid, or a property does not exist.
        """
        path, home = path_of(node.name), home_of(self._runtime, node.name)
        if home != "temporary" and self._runtime.manager.temporary_source(path, self._runtime.foreign_temporary):
            # The temporary view is from outside this library.
            return None
        if node.query is not None:
            query, names = self._reader.named_operation(node.query, text, for_view=True)
            with use_names(query, names):
                if home == "temporary":
                    self._create_temporary_view(path, query, True, False)
                else:
                    self._require_view(path)
                    self._tables.create_view(
                        path,
                        query,
                        or_replace=True,
                        if_not_exists=False,
                        comment=None,
                        column_comments={},
                        properties={},
                    )
            return TableResult.ok()
        if home == "spark":
            return None
        if node.new_name is not None:
            if home == "temporary":
                self._tables.rename_temporary(path, path_of(node.new_name))
            else:
                self._rename_view(node)
            return TableResult.ok()
        if home == "temporary":
            raise ValidationException(f"{path} is a temporary view, which has no properties.")
        self._alter_properties(node)
        return TableResult.ok()

    def _rename_view(self, node: st.AlterView) -> None:
        assert node.new_name is not None
        identifier = self._runtime.manager.qualify(path_of(node.name))
        new = node.new_name.parts
        target = (str(identifier.catalog), str(identifier.database), identifier.name)
        if list(map(fold, new[:-1])) != list(map(fold, target[3 - len(new) : 2])):
            raise Misread(
                node.new_name.position,
                f"A view that is renamed stays in its database, {identifier.catalog}.{identifier.database}.",
            )
        self._runtime.manager.catalog(str(identifier.catalog)).rename_view(
            str(identifier.database), identifier.name, new[-1]
        )

    def _alter_properties(self, node: st.AlterView) -> None:
        identifier, view = self._view(path_of(node.name))
        properties, comment = dict(view.properties), view.comment
        for key, value in (node.properties or {}).items():
            # Spark stores the comment of a view among its properties.
            if key == "comment":
                comment = value
            else:
                properties[key] = value
        for key in node.removed or ():
            if key == "comment":
                comment = None
            elif properties.pop(key, None) is None and not node.if_exists:
                raise ValidationException(
                    f"The view {identifier.as_summary_string()} has no property {key!r}; UNSET TBLPROPERTIES IF EXISTS "
                    "takes that."
                )
        changed = attrs.evolve(view, properties=properties, comment=comment)
        self._runtime.manager.catalog(str(identifier.catalog)).alter_view(
            str(identifier.database), identifier.name, changed
        )

    def _require_view(self, path: str) -> None:
        """Reject an object that is not a view; a view whose text is invalid is still a view.

        Raises:
            ValidationException: the object is a table.
            TableException: the object does not exist.
        """
        identifier = self._runtime.manager.qualify(path)
        catalog, database = self._runtime.manager.catalog(str(identifier.catalog)), str(identifier.database)
        exists = catalog.database_exists(database)
        if not exists or fold(identifier.name) not in map(fold, catalog.list_views(database)):
            self._view(path)

    def _view(self, path: str) -> tuple[ObjectIdentifier, CatalogView]:
        identifier = self._runtime.manager.qualify(path)
        found = self._runtime.manager.find(identifier)
        if not isinstance(found, CatalogView):
            raise ValidationException(f"{identifier.as_summary_string()} is a table and no view.")
        return identifier, found
