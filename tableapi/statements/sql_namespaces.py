"""Statements about catalogs and databases of every kind of catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammar import statements as st
from grammar import syntax as s
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.errors import CatalogException
from ir.identifiers import fold, quote
from tableapi.catalog.catalog import Catalog, CatalogDatabase
from tableapi.catalog.descriptor import make_catalog
from tableapi.catalog.statements import property_list, string
from tableapi.queries.sql_reader import path_of
from tableapi.result import TableResult

if TYPE_CHECKING:
    from tableapi.queries.runtime import Runtime
    from tableapi.queries.statement_runner import Statements


class NamespaceStatements:
    """Executes statements about catalogs and databases, and USE; None means that Spark has to execute the statement."""

    def __init__(self, runtime: Runtime, statements: Statements) -> None:
        self._runtime = runtime
        self._statements = statements

    def _namespace(self, name: s.Path) -> tuple[str, str]:
        """Return the catalog and database that a database name refers to."""
        parts = name.parts
        if len(parts) > 2:
            raise Misread(name.position, "A database has a name of one or two parts: [catalog.]database.")
        return (parts[0] if len(parts) > 1 else self._runtime.manager.current_catalog), parts[-1]

    def _own_catalog(self, name: s.Path) -> Catalog | None:
        """Return the catalog that contains, or would contain, a database; None if it is one of Spark's catalogs."""
        found = self._runtime.manager.opened(self._namespace(name)[0])
        return None if found is None or found.is_in_spark else found

    def create_database(self, node: st.CreateDatabase) -> TableResult | None:
        catalog, options = self._own_catalog(node.name), node.options
        properties = options.get("properties")
        if catalog is None:
            if properties is None:
                return None
            # Flink's form has no DBPROPERTIES keyword, so rewrite it for Spark.
            written = f"CREATE DATABASE {'IF NOT EXISTS ' if node.if_not_exists else ''}{path_of(node.name)}"
            said = [f" {key.upper()} {string(options[key])}" for key in ("comment", "location") if key in options]
            return self._statements.execute_sql(
                f"{written}{''.join(said)} WITH DBPROPERTIES {property_list(properties)}"
            )
        if "location" in options:
            raise Misread(node.position, f"The databases of the catalog {catalog.name} have no location.")
        name, comment = node.name.parts[-1], options.get("comment")
        catalog.create_database(name, comment=comment, properties=properties, if_not_exists=node.if_not_exists)
        return TableResult.ok()

    def alter_database(self, node: st.AlterDatabase) -> TableResult | None:
        catalog = self._own_catalog(node.name)
        if catalog is None:
            # Flink's form has no DBPROPERTIES keyword, so rewrite it for Spark.
            if node.properties is None:
                return None
            listed = property_list(node.properties)
            return self._statements.execute_sql(f"ALTER DATABASE {path_of(node.name)} SET DBPROPERTIES {listed}")

        def changed(old: CatalogDatabase) -> CatalogDatabase:
            if node.properties is not None:
                return attrs.evolve(old, properties={**old.properties, **node.properties})
            if node.removed is not None:
                kept = {key: value for key, value in old.properties.items() if key not in (node.removed or ())}
                return attrs.evolve(old, properties=kept)
            return attrs.evolve(old, comment=node.comment)

        catalog.alter_database(node.name.parts[-1], changed)
        return TableResult.ok()

    def drop_database(self, node: st.DropDatabase) -> TableResult | None:
        catalog = self._own_catalog(node.name)
        if catalog is None:
            return None
        name, manager = node.name.parts[-1], self._runtime.manager
        if manager.is_current_catalog(self._namespace(node.name)[0]) and fold(name) == fold(manager.current_database):
            raise CatalogException(f"The database {name} is the current one; USE another before it is dropped.")
        catalog.drop_database(name, if_exists=node.if_exists, cascade=node.cascade)
        return TableResult.ok()

    def create_catalog(self, node: st.CreateCatalog) -> TableResult:
        manager, name, options = self._runtime.manager, node.name.text, node.options
        if manager.has_catalog(name) and node.if_not_exists:
            return TableResult.ok()
        made = make_catalog(name, options)
        made.comment = node.comment
        manager.register(name, made)
        return TableResult.ok()

    def alter_catalog(self, node: st.AlterCatalog) -> TableResult:
        catalog = self._runtime.manager.catalog(node.name.text)
        if node.comment is None:
            raise Misread(
                node.position,
                "A catalog keeps the options with which it was made. Drop it, and create it with others; what is in a "
                "directory stays there.",
            )
        if catalog.is_in_spark:
            raise Misread(node.position, f"The catalog {catalog.name} is one of the Spark session, and has no comment.")
        catalog.comment = node.comment
        return TableResult.ok()

    def drop_catalog(self, node: st.DropCatalog) -> TableResult:
        manager, name = self._runtime.manager, node.name.text
        if not manager.has_catalog(name) and node.if_exists:
            return TableResult.ok()
        manager.unregister(name)
        return TableResult.ok()

    def use(self, node: st.Use) -> TableResult | None:
        manager, parts = self._runtime.manager, node.name.parts
        is_catalog = manager.has_catalog(parts[0])
        if node.kind == "CATALOG":
            spelling = None if is_catalog else self._runtime.catalog_of_session(parts[0])
            if spelling is not None:
                return self._statements.execute_sql(f"USE {quote(spelling)}")
            manager.use_catalog(parts[0])
        elif len(parts) == 2 and (is_catalog or self._runtime.catalog_of_session(parts[0]) is None):
            manager.use(parts[0], parts[1])
        elif len(parts) == 1 and not node.kind and is_catalog:
            manager.use_catalog(parts[0])
        elif len(parts) == 1 and (self._own_catalog(node.name) is not None):
            manager.use_database(parts[0])
        else:
            spelling = None if node.kind or is_catalog else self._runtime.catalog_of_session(parts[0])
            if spelling is not None:
                return self._statements.execute_sql(f"USE {'.'.join(map(quote, (spelling, *parts[1:])))}")
            return None
        return TableResult.ok()
