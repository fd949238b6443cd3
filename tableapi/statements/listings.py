"""The results of SHOW and DESCRIBE, with Spark's columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from grammar import statements as st
from grammar import syntax as s
from grammar.errors import Misread
from ir.commands.table_definition import PrimaryKeyConstraint
from ir.errors import listing
from ir.functions.builtins import BUILT_INS
from ir.identifiers import ObjectIdentifier, fold, quote
from ir.rendering import Dialect
from ir.resolution.lookup import find_built_in
from ir.schema import ResolvedSchema
from serializer.types import described_type_text
from tableapi.catalog.catalog import CatalogTable, CatalogView
from tableapi.lazy import lazy
from tableapi.members.fluent import documentation
from tableapi.queries.environment_parts import EnvironmentParts
from tableapi.result import TableResult

if TYPE_CHECKING:
    from tableapi import sql_format
    from tableapi.display import function_description
    from tableapi.statements import stored_definitions
else:
    function_description = lazy(__name__, "tableapi.display.function_description")
    sql_format = lazy(__name__, "tableapi.sql_format")
    stored_definitions = lazy(__name__, "tableapi.statements.stored_definitions")


class Listings:
    """Executes SHOW and DESCRIBE for one environment."""

    def __init__(self, environment: EnvironmentParts) -> None:
        self._environment = environment
        self._runtime = environment.runtime
        self._tables = environment.tables
        self._reader = environment.reader

    def result(self, node: st.Show | st.Describe, text: str) -> TableResult | None:
        """Return the result; None if Spark has to execute the statement.

        Raises:
            TableException: the object does not exist; for a function, Spark may still have it.
        """
        if isinstance(node, st.Show):
            return self._show(node)
        return self._describe(node, text)

    # --- SHOW --------------------------------------------------------------------------------------------------------

    def _show(self, node: st.Show) -> TableResult | None:
        manager, kind = self._runtime.manager, node.kind
        if kind == "CATALOGS":
            return _list_names("catalog", manager.list_catalogs(), node.pattern)
        if kind == "DATABASES":
            parts = (manager.current_catalog,) if node.name is None else node.name.parts
            if len(parts) > 1:
                raise Misread(node.position, "SHOW DATABASES IN takes the name of a catalog.")
            return _list_names("namespace", manager.catalog(parts[0]).list_databases(), node.pattern)
        if kind in ("TABLES", "VIEWS"):
            return self._relations(node)
        if kind == "FUNCTIONS":
            return self._functions(node)
        if kind == "COLUMNS":
            return self._columns(node)
        if kind in ("CREATE VIEW", "CREATE TABLE"):
            return self._statement(node)
        catalog = manager.current_catalog
        if kind == "CURRENT CATALOG":
            return TableResult.of_rows(["current catalog name"], [(catalog,)])
        if kind == "CURRENT DATABASE":
            return TableResult.of_rows(["current database name"], [(manager.current_database,)])
        return TableResult.of_rows(["catalog", "namespace"], [(catalog, manager.current_database)])

    def _statement(self, node: st.Show) -> TableResult | None:
        """Return the statement that creates a view or table; Spark's form of it, if it has one."""
        assert node.name is not None
        manager, path = self._runtime.manager, _path(node.name.parts)
        statement = None
        if node.kind == "CREATE TABLE":
            identifier = manager.qualify(path)
            if manager.temporary_of_path(path) is not None:
                identifier = ObjectIdentifier(node.name.parts[-1])
            elif self._runtime.is_in_spark(identifier):
                return None
            if identifier.is_temporary or isinstance(manager.find(manager.spelled(identifier)), CatalogTable):
                command = stored_definitions.command_of_table(self._environment, identifier)
                dialect = Dialect.FLINK if stored_definitions.needs_flink(command) else Dialect.SPARK
                statement = sql_format.format_sql(command.as_serializable_string(dialect), dialect)
        if statement is None:
            statement = self._tables.show_create_view(path)
        return TableResult.of_rows(["createtab_stmt"], [(statement,)])

    def _relations(self, node: st.Show) -> TableResult:
        manager, is_views = self._runtime.manager, node.kind == "VIEWS"
        parts = () if node.name is None else node.name.parts
        if len(parts) > 2:
            raise Misread(node.position, f"SHOW {node.kind} IN takes the name of a database: [catalog.]database.")
        database = parts[-1] if parts else manager.current_database
        catalog = manager.catalog(parts[0] if len(parts) == 2 else manager.current_catalog)
        database = catalog.spell_database(database)
        names = catalog.list_views(database) if is_views else catalog.list_tables(database)
        temporary = [view.name for view in manager.temporary_views() if view.files is None or not is_views]
        if self._runtime.started is not None:
            own = {fold(name) for name in temporary}
            temporary += [name for name in self._runtime.started.foreign_views() if fold(name) not in own]
        rows = [(database, name, False) for name in _fitting(names, node.pattern)]
        rows += [("", name, True) for name in _fitting(sorted(temporary), node.pattern)]
        return TableResult.of_rows(["namespace", "viewName" if is_views else "tableName", "isTemporary"], rows)

    def _functions(self, node: st.Show) -> TableResult:
        functions = self._runtime.functions
        namespace = None if node.name is None else self._database_of(node.name)
        if node.scope == "TEMPORARY SYSTEM":
            names = set(functions.list_temporary_system_functions())
        elif node.scope == "TEMPORARY":
            names = set(functions.list_temporary_functions(namespace))
        else:
            names = set() if node.scope == "USER" else {fold(name) for name in BUILT_INS.names()}
            if node.scope == "ALL" and namespace is None:
                names |= set(functions.list_in_all_databases(self._catalogs_at_hand()))
            elif node.scope != "SYSTEM":
                names |= set(functions.list_user_defined_functions(namespace))
            if self._runtime.started is not None:
                names |= set(self._runtime.started.foreign_functions(node.scope.removeprefix("ALL")))
        return _list_names("function", names, node.pattern, one="_")

    def _database_of(self, name: s.Path) -> tuple[str, str]:
        """Return the catalog and database that a name refers to.

        Raises:
            DatabaseNotExistException: the database does not exist.
        """
        if len(name.parts) > 2:
            raise Misread(name.position, "SHOW FUNCTIONS IN takes the name of a database: [catalog.]database.")
        manager = self._runtime.manager
        catalog, database = (manager.current_catalog, *name.parts)[-2:]
        if not self._runtime.functions.list_temporary_functions((catalog, database)):
            # Temporary functions may belong to a database that does not exist.
            manager.require_database(catalog, database)
        return catalog, database

    def _catalogs_at_hand(self) -> list[str]:
        """Return the names of the catalogs; an in-memory environment leaves out Spark's catalog until Spark starts."""
        runtime = self._runtime
        return [
            name
            for name in runtime.manager.list_catalogs()
            if not runtime.settings_in_memory or runtime.is_known_without_start(name)
        ]

    def _columns(self, node: st.Show) -> TableResult:
        assert node.name is not None
        parts = node.name.parts
        if node.namespace is not None:
            if len(parts) > 1:
                raise Misread(node.namespace.position, "The table has its database in its own name already.")
            parts = (*node.namespace.parts, *parts)
        return _list_names("col_name", self._tables.source(_path(parts)).schema.names, node.pattern, in_order=True)

    # --- DESCRIBE ----------------------------------------------------------------------------------------------------

    def _describe(self, node: st.Describe, text: str) -> TableResult | None:
        if node.kind == "QUERY":
            return _columns_of(self._reader.operation(node.target, text).schema)
        if node.kind == "FUNCTION":
            return self._function(node.target, node.extended)
        if node.kind in ("DATABASE", "CATALOG"):
            return self._namespace(node)
        manager, path = self._runtime.manager, _path(node.target.parts)
        temporary = manager.temporary_of_path(path)
        identifier = None if temporary is not None else manager.qualify(path)
        if identifier is not None and self._runtime.is_in_spark(identifier):
            if node.extended or self._environment.execution.versions.sail is None:
                return None
            # Sail does not read DESCRIBE without the word TABLE.
            return self._environment.statements.execute_sql(f"DESCRIBE TABLE {identifier.as_serializable_string()}")
        if temporary is not None:
            facts = [("Table", temporary.name), ("Type", "VIEW" if temporary.files is None else "TABLE")]
            schema = temporary.operation.schema
        else:
            assert identifier is not None
            identifier = manager.spelled(identifier)
            found = manager.find(identifier)
            facts, schema = _facts(identifier, found), found.schema
            if node.extended and isinstance(found, CatalogTable):
                facts += self._facts_of_definition(identifier, found)
        return _columns_of(schema, facts if node.extended else [])

    def _facts_of_definition(self, identifier: ObjectIdentifier, table: CatalogTable) -> list[tuple[str, str]]:
        """Return the declared facts about a table besides its columns and its comment."""
        if table.files is None and table.data is not None:
            return []
        definition = stored_definitions.command_of_table(self._environment, identifier).definition
        facts = [("Partition Columns", f"[{listing(table.partition_keys)}]")] if table.partition_keys else []
        facts += [] if definition.format is None else [("Provider", definition.format)]
        facts += [] if definition.location is None else [("Location", definition.location)]
        for called, pairs in (
            ("Storage Properties", (*definition.options, *definition.connector)),
            ("Table Properties", definition.properties),
        ):
            if pairs:
                facts.append((called, f"[{', '.join(f'{key}={value}' for key, value in pairs)}]"))
        for constraint in definition.constraints:
            if isinstance(constraint, PrimaryKeyConstraint):
                facts.append(("Primary Key", f"({listing(constraint.columns)}) NOT ENFORCED"))
        mark = definition.watermark
        if mark is not None:
            facts.append(("Watermark", f"{mark.column} AS {mark.expression.as_serializable_string()}"))
        return facts

    def _function(self, name: s.Path, extended: bool) -> TableResult:
        own = self._runtime.functions.described(name.parts, extended=extended)
        if own is not None:
            return TableResult.of_rows(["function_desc"], [(own,)])
        found = BUILT_INS.find(name.parts[0]) if len(name.parts) == 1 else find_built_in(name.parts)
        if found is not None:
            text = function_description.describe(found).text if extended else documentation(found)
            return TableResult.of_rows(["function_desc"], [(f"Function: {found.sql_name}\n{text}",)])
        # The caller asks Spark, which may have a function that this library does not know.
        raise self._runtime.functions.missing(name.parts)

    def _namespace(self, node: st.Describe) -> TableResult | None:
        manager = self._runtime.manager
        if node.kind == "CATALOG":
            catalog = manager.catalog(node.target.text)
            rows = [("Catalog Name", catalog.name), ("Default Namespace", catalog.default_database)]
            if node.extended and catalog.comment is not None:
                rows.append(("Comment", catalog.comment))
            return TableResult.of_rows(["info_name", "info_value"], rows)
        parts = node.target.parts
        name = parts[0] if len(parts) > 1 else manager.current_catalog
        if self._runtime.is_in_spark(ObjectIdentifier("", "", name)):
            return None
        catalog = manager.require_database(name, parts[-1])
        said = catalog.get_database(parts[-1])
        rows = [("Catalog Name", manager.spelled_catalog(name)), ("Namespace Name", catalog.spell_database(parts[-1]))]
        # In Spark's notation for properties.
        rows += [] if said.comment is None else [("Comment", said.comment)]
        if node.extended:
            shown = ", ".join(f"({key},{value})" for key, value in sorted(said.properties.items()))
            rows.append(("Properties", f"({shown})" if shown else ""))
        return TableResult.of_rows(["info_name", "info_value"], rows)


def _path(parts: Iterable[str]) -> str:
    return ".".join(map(quote, parts))


def _facts(identifier: ObjectIdentifier, found: Any) -> list[tuple[str, str]]:
    is_view = isinstance(found, CatalogView)
    facts = [
        ("Catalog", str(identifier.catalog)),
        ("Database", str(identifier.database)),
        ("Table", identifier.name),
        ("Type", "VIEW" if is_view else "TABLE"),
    ]
    if found.comment is not None:
        facts.append(("Comment", found.comment))
    if is_view:
        facts.append(("View Text", found.text))
        if found.properties:
            shown = ", ".join(f"{key}={value}" for key, value in sorted(found.properties.items()))
            facts.append(("Table Properties", f"[{shown}]"))
    return facts


def _columns_of(schema: ResolvedSchema, facts: Iterable[tuple[str, str]] = ()) -> TableResult:
    rows: list[tuple[str | None, ...]] = [(c.name, described_type_text(c.data_type), c.comment) for c in schema.columns]
    details = [(name, value, "") for name, value in facts]
    if details:
        rows += [("", "", ""), ("# Detailed Table Information", "", ""), *details]
    return TableResult.of_rows(["col_name", "data_type", "comment"], rows)


_CHARACTERS = re.compile(r"\\?.", re.DOTALL)


def _alternatives(pattern: str) -> list[str]:
    """Split a pattern at its bars."""
    found = [""]
    for character in _CHARACTERS.findall(pattern):
        if character == "|":
            found.append("")
        else:
            found[-1] += character
    return found


def _list_names(
    column: str, names: Iterable[str], pattern: st.Pattern | None, *, in_order: bool = False, one: str = ""
) -> TableResult:
    found = _fitting(names, pattern, one)
    return TableResult.of_rows([column], [(name,) for name in (found if in_order else sorted(found))])


def _fitting(names: Iterable[str], pattern: st.Pattern | None, one: str = "") -> list[str]:
    r"""Return the names that match a pattern: ``*`` and ``%`` match any string, ``|`` separates alternatives.

    The character ``one`` matches any character, as ``_`` does in Flink; Spark's patterns have no such character. As in
    both, a backslash escapes the next character.

    >>> _fitting(["t1", "T2", "u"], st.Pattern(0, "t*", False))
    ['t1', 'T2']
    >>> _fitting(["t_1", "tt1", "*"], st.Pattern(0, r"t\_% | \*", False), "_")
    ['t_1', '*']
    """
    if pattern is None:
        return list(names)
    alternatives = [
        "".join(".*" if c in "*%" else "." if c == one else re.escape(c[-1]) for c in _CHARACTERS.findall(part.strip()))
        for part in _alternatives(pattern.text)
    ]
    fits = re.compile("|".join(f"(?:{a})" for a in alternatives), re.IGNORECASE | re.DOTALL).fullmatch
    return [name for name in names if (fits(name) is None) is pattern.negated]
