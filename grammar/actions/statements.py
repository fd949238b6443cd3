"""Actions that build the nodes of statements."""

from __future__ import annotations

from typing import Any

from grammar import statements as st
from grammar import syntax as s
from grammar import table_syntax as ts
from grammar.actions.alterations import TableChangeActions
from grammar.actions.session import SessionActions
from grammar.actions.table_declarations import TableDeclarationActions, options_by_kind
from grammar.errors import Misread
from grammar.language import Language
from grammar.lexemes import Token


class StatementActions(TableChangeActions, TableDeclarationActions, SessionActions):
    """Builds the nodes of statements."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def yes(self) -> bool:
        return True

    # --- views ---

    def create_view(
        self, token: Token, or_replace: Any, temporary: Any, if_not_exists: Any, *rest: Any
    ) -> st.CreateView:
        name, columns, *options, as_token, query = rest
        return st.CreateView(
            token.position,
            bool(or_replace),
            bool(temporary),
            bool(if_not_exists),
            name,
            columns,
            options_by_kind(options),
            query,
            as_token.position + len(as_token.text),
        )

    def create_view_using(self, token: Token, or_replace: Any, *rest: Any) -> st.CreateViewUsing:
        is_global, _, name, columns, format, options = rest
        given = None if columns is None else list(columns.fields)
        return st.CreateViewUsing(
            token.position, bool(or_replace), bool(is_global), name, given, format.parts, options or {}
        )

    def view_columns(self, *columns: st.ViewColumn) -> list[st.ViewColumn]:
        return list(columns)

    def view_column(self, name: s.Name, comment: Token | None) -> st.ViewColumn:
        return st.ViewColumn(name.position, name, None if comment is None else self._text(comment))

    def comment(self, token: Token) -> tuple[str, int, Any]:
        return "comment", token.position, self._text(token)

    def location(self, token: Token) -> tuple[str, int, Any]:
        return "location", token.position, self._text(token)

    def tblproperties(self, properties: dict[str, str]) -> tuple[str, int, Any]:
        return "properties", 0, properties

    def schema_mode(self, word: Token, second: Token | None) -> tuple[str, int, Any]:
        return "schema mode", word.position, " ".join(w.text.upper() for w in (word, second) if w is not None)

    def default_collation(self, name: Token) -> tuple[str, int, Any]:
        return "collation", name.position, name.text

    def alter_view_query(self, token: Token, name: s.Path, query: Any) -> st.AlterView:
        return st.AlterView(token.position, name, query=query)

    def alter_view_name(self, token: Token, name: s.Path, new_name: s.Path) -> st.AlterView:
        return st.AlterView(token.position, name, new_name=new_name)

    def alter_view_properties(self, token: Token, name: s.Path, properties: dict[str, str]) -> st.AlterView:
        return st.AlterView(token.position, name, properties=properties)

    def alter_view_without(self, token: Token, name: s.Path, if_exists: Any, *keys: s.Name) -> st.AlterView:
        removed = [key.text for key in keys]
        return st.AlterView(token.position, name, removed=removed, if_exists=bool(if_exists))

    def drop(
        self, token: Token, temporary: Any, kind: Token, if_exists: Any, name: s.Path, purge: Any
    ) -> st.Drop | st.DropTable:
        if kind.text.upper() == "TABLE":
            return st.DropTable(token.position, "TABLE", bool(temporary), bool(if_exists), name, bool(purge))
        return st.Drop(token.position, "VIEW", bool(temporary), bool(if_exists), name)

    # --- maintenance of tables ---

    def truncate(self, _: Token, name: s.Path, partition: list[st.PartitionValue] | None) -> st.Truncate:
        return st.Truncate(name.position, name, partition)

    def refresh(self, _: Token, name: s.Path) -> st.Refresh:
        return st.Refresh(name.position, name)

    # --- rows of tables ---

    def merge(
        self, evolves: Any, name: s.Path, alias: s.Alias | None, options: Any, using: Any, condition: Any, *clauses: Any
    ) -> st.Merge:
        return st.Merge(name.position, bool(evolves), name, alias, using, condition, list(clauses), options or {})

    def matched_update(self, condition: Any, values: list[st.NewValue]) -> st.MergeWhen:
        return st.MergeWhen(values[0].position, "MATCHED", condition, "UPDATE", values)

    def matched_update_all(self, condition: Any, star: Token) -> st.MergeWhen:
        return st.MergeWhen(star.position, "MATCHED", condition, "UPDATE", None)

    def matched_delete(self, condition: Any, word: Token) -> st.MergeWhen:
        return st.MergeWhen(word.position, "MATCHED", condition, "DELETE", None)

    def not_matched_insert(
        self, _: Token, condition: Any, word: Token, columns: list[s.Path], *values: Any
    ) -> st.MergeWhen:
        if len(columns) != len(values):
            raise Misread(
                columns[0].position, f"INSERT names {len(columns)} columns, and VALUES has {len(values)} values."
            )
        pairs = [st.NewValue(path.position, path, value) for path, value in zip(columns, values, strict=True)]
        return st.MergeWhen(word.position, "NOT MATCHED", condition, "INSERT", pairs)

    def not_matched_insert_all(self, _: Token, condition: Any, word: Token, star: Token) -> st.MergeWhen:
        return st.MergeWhen(word.position, "NOT MATCHED", condition, "INSERT", None)

    def not_matched_by_source_update(self, _: Token, condition: Any, values: list[st.NewValue]) -> st.MergeWhen:
        return st.MergeWhen(values[0].position, "NOT MATCHED BY SOURCE", condition, "UPDATE", values)

    def not_matched_by_source_delete(self, _: Token, condition: Any, word: Token) -> st.MergeWhen:
        return st.MergeWhen(word.position, "NOT MATCHED BY SOURCE", condition, "DELETE", None)

    def path_list(self, *paths: s.Path) -> list[s.Path]:
        return list(paths)

    def assignments(self, *values: st.NewValue) -> list[st.NewValue]:
        return list(values)

    def row_assignment(self, path: s.Path, value: Any) -> st.NewValue:
        return st.NewValue(path.position, path, value)

    def default_value(self, _: Token) -> None:
        return None

    def update(
        self, name: s.Path, alias: s.Alias | None, options: Any, values: list[st.NewValue], where: s.Clause | None
    ) -> st.Update:
        condition = None if where is None else where.items[0]
        return st.Update(name.position, name, alias, values, condition, options or {})

    def delete(self, _: Token, from_: Token, name: s.Path, *rest: Any) -> st.Delete:
        alias, options, where = rest
        condition = None if where is None else where.items[0]
        return st.Delete(name.position, name, alias, condition, options or {})

    # --- objects of a catalog ---

    def stored(self, statement: s.Statement) -> s.Statement:
        return statement

    def create_function(
        self,
        token: Token,
        or_replace: Any,
        temporary: Any,
        system: Any,
        aggregate: Any,
        if_not_exists: Any,
        *rest: Any,
    ) -> st.CreateFunction:
        name, parameters, *options, (code, language, body, position) = rest
        split = [part for option in options for part in (option if isinstance(option, list) else [option])]
        return st.CreateFunction(
            token.position,
            bool(or_replace),
            bool(temporary),
            _is_system(token, temporary, system),
            bool(aggregate),
            bool(if_not_exists),
            name,
            parameters,
            options_by_kind([*split, *language]),
            code,
            body,
            position,
        )

    def alter_function(
        self, token: Token, temporary: Any, system: Any, if_exists: Any, name: s.Path, written: tuple[Any, ...]
    ) -> st.AlterFunction:
        code, language, _, _ = written
        return st.AlterFunction(
            token.position,
            bool(temporary),
            _is_system(token, temporary, system),
            bool(if_exists),
            name,
            code,
            options_by_kind(language),
        )

    def drop_function(self, token: Token, temporary: Any, system: Any, if_exists: Any, name: s.Path) -> st.DropFunction:
        is_system = _is_system(token, temporary, system)
        return st.DropFunction(token.position, bool(temporary), is_system, bool(if_exists), name)

    def function_parameters(self, *parameters: st.FunctionParameter | None) -> list[st.FunctionParameter]:
        return [parameter for parameter in parameters if parameter is not None]

    def function_parameter(self, name: s.Name, data_type: Any, *options: Any) -> st.FunctionParameter:
        given = options_by_kind(options)
        return st.FunctionParameter(
            name.position, name, self._type(data_type), given.get("comment"), given.get("default")
        )

    def parameter_default(self, token: Token, value: Any) -> tuple[str, int, Any]:
        return "default", token.position, (token.position + len(token.text), value)

    def returns(self, data_type: Any) -> tuple[str, int, Any]:
        return "returns", 0, self._type(data_type)

    def returns_not_deterministic(self, data_type: Any, token: Token) -> list[tuple[str, int, Any]]:
        return [self.returns(data_type), self.not_deterministic(token)]

    def returns_table(self, token: Token, columns: list[st.DeclaredColumn] | None) -> tuple[str, int, Any]:
        return "returns table", token.position, columns or []

    def function_columns(self, *columns: st.DeclaredColumn) -> list[st.DeclaredColumn]:
        return list(columns)

    def language(self, name: Token) -> tuple[str, int, Any]:
        return "language", name.position, name.text.upper()

    def deterministic(self) -> tuple[str, int, Any]:
        return "deterministic", 0, True

    def not_deterministic(self, token: Token) -> tuple[str, int, Any]:
        return "deterministic", token.position, False

    def inline(self) -> tuple[str, int, Any]:
        return "inline", 0, True

    def data_access(self) -> tuple[str, int, Any]:
        return "data access", 0, None

    def body_of_sql(self, token: Token, body: Any) -> tuple[Any, ...]:
        return None, [], body, token.position + len(token.text)

    def body_of_code(self, token: Token, code: Token, language: Token | None) -> tuple[Any, ...]:
        return self._text(code), [] if language is None else [self.language(language)], None, code.position

    # --- properties ---

    def properties(self, *given: tuple[s.Name, str, int]) -> ts.Properties:
        made = ts.Properties()
        for key, value, position in given:
            if key.text in made:
                raise Misread(key.position, f"The key {key.text!r} is given twice.", "DUPLICATE_KEY")
            made[key.text] = value
            made.positions[key.text] = key.position, position
        return made

    def property(self, key: s.Name, value: Token) -> tuple[s.Name, str, int]:
        if value.text[-1] in "'\"":
            return key, self._text(value), value.position
        given = value.text.lower()
        if given not in ("true", "false") and given.strip("0123456789."):
            raise Misread(
                value.position, f"{value.text} has an exponent or a type; write '{value.text}'.", "PARSE_SYNTAX_ERROR"
            )
        return key, given, value.position

    def property_name(self, path: s.Path) -> s.Name:
        return s.Name(path.position, ".".join(path.parts), False)

    def property_text(self, token: Token) -> s.Name:
        return s.Name(token.position, self._text(token), True)

    # --- databases and catalogs ---

    def create_database(self, token: Token, if_not_exists: Any, name: s.Path, *options: Any) -> st.CreateDatabase:
        return st.CreateDatabase(token.position, bool(if_not_exists), name, options_by_kind(options))

    def drop_database(self, token: Token, if_exists: Any, name: s.Path, behaviour: Token | None) -> st.DropDatabase:
        cascade = behaviour is not None and behaviour.text.upper() == "CASCADE"
        return st.DropDatabase(token.position, bool(if_exists), name, cascade)

    def alter_database_properties(self, token: Token, name: s.Path, properties: dict[str, str]) -> st.AlterDatabase:
        return st.AlterDatabase(token.position, name, properties=properties)

    def alter_database_without(self, token: Token, name: s.Path, if_exists: Any, *keys: s.Name) -> st.AlterDatabase:
        return st.AlterDatabase(token.position, name, removed=[key.text for key in keys])

    def comment_on_database(self, name: s.Path, comment: Token) -> st.AlterDatabase:
        is_null = comment.text.upper() == "NULL"
        return st.AlterDatabase(name.position, name, comment=None if is_null else self._text(comment))

    def create_catalog(
        self,
        token: Token,
        if_not_exists: Any,
        name: s.Name,
        comment: tuple[str, int, str] | None,
        options: dict[str, str] | None,
    ) -> st.CreateCatalog:
        text = None if comment is None else comment[2]
        return st.CreateCatalog(token.position, bool(if_not_exists), name, options or {}, text)

    def alter_catalog_comment(self, token: Token, name: s.Name, comment: tuple[str, int, str]) -> st.AlterCatalog:
        return st.AlterCatalog(token.position, name, comment[2])

    def alter_catalog_options(self, token: Token, name: s.Name, *options: Any) -> st.AlterCatalog:
        return st.AlterCatalog(token.position, name, None)

    def drop_catalog(self, token: Token, if_exists: Any, name: s.Name) -> st.DropCatalog:
        return st.DropCatalog(token.position, bool(if_exists), name)

    def use(self, token: Token, name: s.Path) -> st.Use:
        return st.Use(token.position, "", name)

    def use_catalog(self, token: Token, name: s.Name) -> st.Use:
        return st.Use(token.position, "CATALOG", s.Path(name.position, [name]))

    def use_database(self, token: Token, name: s.Path) -> st.Use:
        return st.Use(token.position, "DATABASE", name)

    # --- SHOW ---

    def show_catalogs(self, token: Token, pattern: st.Pattern | None) -> st.Show:
        return st.Show(token.position, "CATALOGS", None, pattern)

    def show_databases(self, token: Token, name: s.Path | None, pattern: st.Pattern | None) -> st.Show:
        return st.Show(token.position, "DATABASES", name, pattern)

    def show_tables(self, token: Token, name: s.Path | None, pattern: st.Pattern | None) -> st.Show:
        return st.Show(token.position, "TABLES", name, pattern)

    def show_views(self, token: Token, name: s.Path | None, pattern: st.Pattern | None) -> st.Show:
        return st.Show(token.position, "VIEWS", name, pattern)

    def show_functions(
        self, token: Token, scope: Token | None, name: s.Path | None, pattern: st.Pattern | None
    ) -> st.Show:
        return st.Show(token.position, "FUNCTIONS", name, pattern, "" if scope is None else scope.text.upper())

    def show_temporary_functions(
        self, token: Token, temporary: Any, system: Any, name: s.Path | None, pattern: st.Pattern | None
    ) -> st.Show:
        return st.Show(token.position, "FUNCTIONS", name, pattern, "TEMPORARY SYSTEM" if system else "TEMPORARY")

    def show_columns(self, token: Token, name: s.Path, namespace: s.Path | None, pattern: st.Pattern | None) -> st.Show:
        return st.Show(token.position, "COLUMNS", name, pattern, namespace=namespace)

    def show_create_view(self, token: Token, name: s.Path) -> st.Show:
        return st.Show(token.position, "CREATE VIEW", name)

    def show_create_table(self, token: Token, name: s.Path) -> st.Show:
        return st.Show(token.position, "CREATE TABLE", name)

    def show_current_catalog(self, token: Token) -> st.Show:
        return st.Show(token.position, "CURRENT CATALOG")

    def show_current_database(self, token: Token) -> st.Show:
        return st.Show(token.position, "CURRENT DATABASE")

    def show_current_namespace(self, token: Token) -> st.Show:
        return st.Show(token.position, "CURRENT NAMESPACE")

    def in_namespace(self, name: s.Path) -> s.Path:
        return name

    def like_pattern(self, token: Token) -> st.Pattern:
        return st.Pattern(token.position, self._text(token), False)

    def unlike_pattern(self, token: Token) -> st.Pattern:
        return st.Pattern(token.position, self._text(token), True)

    # --- DESCRIBE ---

    def describe_table(self, extended: Token | None, name: s.Path) -> st.Describe:
        return st.Describe(name.position, "TABLE", name, extended is not None)

    def describe_query(self, query: Any) -> st.Describe:
        return st.Describe(query.position, "QUERY", query)

    def describe_function(self, extended: Token | None, name: s.Path) -> st.Describe:
        return st.Describe(name.position, "FUNCTION", name, extended is not None)

    def function_text(self, token: Token) -> s.Path:
        return s.Path(token.position, [s.Name(token.position, self._text(token), True)])

    def function_sign(self, token: Token) -> s.Path:
        return s.Path(token.position, [s.Name(token.position, token.text, True)])

    def describe_database(self, extended: Token | None, name: s.Path) -> st.Describe:
        return st.Describe(name.position, "DATABASE", name, extended is not None)

    def describe_catalog(self, extended: Token | None, name: s.Name) -> st.Describe:
        return st.Describe(name.position, "CATALOG", name, extended is not None)

    # --- INSERT and EXPLAIN ---

    def insert(
        self,
        token: Token,
        evolves: Any,
        mode: Token,
        target: s.Path,
        *parts: Any,
    ) -> st.InsertInto:
        options, alias, partition, if_not_exists, columns, replaced, query = parts
        overwrite = mode.text.upper() == "OVERWRITE"
        flags = bool(evolves), bool(if_not_exists)
        rest = replaced, query, *flags, options or {}, alias
        return st.InsertInto(token.position, overwrite, target, partition, columns, *rest)

    def insert_options(self, options: dict[str, str]) -> dict[str, str]:
        return options

    def named_rows(self, *parts: Any) -> Any:
        query, alias = parts[-2:]
        return query if alias is None else st.NamedRows(query.position, query, alias)

    def replace_where(self, where: s.Clause) -> st.Replacement:
        return st.Replacement(where.items[0].position, "WHERE", where.items[0])

    def replace_on(self, condition: Any) -> st.Replacement:
        return st.Replacement(condition.position, "ON", condition)

    def replace_using(self, columns: list[s.Name]) -> st.Replacement:
        return st.Replacement(columns[0].position, "USING", None, columns)

    def multi_insert(self, tables: s.With | None, source: s.From, *inserts: Any) -> st.MultiInsert:
        made = []
        for insert in inserts:
            select, *modifiers = insert.query
            rows: Any = s.FromFirst(select.position, source, [select])
            if modifiers:
                rows = s.Modified(rows.position, rows, modifiers)
            insert.query = _with(tables, rows)
            made.append(insert)
        return st.MultiInsert(inserts[0].position, made)

    def further_rows(self, *parts: Any) -> list[Any]:
        return list(parts)

    def insert_with(
        self, tables: s.With, insert: st.InsertInto | st.InsertIntoDirectory
    ) -> st.InsertInto | st.InsertIntoDirectory:
        named = insert.query if isinstance(insert.query, st.NamedRows) else insert
        named.query = _with(tables, named.query)
        return insert

    def load_data(
        self,
        is_local: Any,
        path: Token,
        overwrite: Any,
        _: Token,
        name: s.Path,
        partition: list[st.PartitionValue] | None,
    ) -> st.LoadData:
        return st.LoadData(name.position, bool(is_local), self._text(path), bool(overwrite), name, partition)

    def insert_directory(self, token: Token, is_local: Any, path: Token | None, *parts: Any) -> st.InsertIntoDirectory:
        *options, query = parts
        location = None if path is None else self._text(path)
        return st.InsertIntoDirectory(token.position, bool(is_local), location, options_by_kind(options), query)

    def insert_partition(self, *values: st.PartitionValue) -> list[st.PartitionValue]:
        return list(values)

    def partition_value(self, name: s.Name, value: Any) -> st.PartitionValue:
        return st.PartitionValue(name.position, name, value)

    def insert_columns(self, names: list[s.Name]) -> list[s.Name]:
        return names

    insert_by_name = yes

    def statement_set(self, *inserts: st.InsertInto) -> st.InsertSet:
        return st.InsertSet(inserts[0].position, list(inserts))

    def explain(self, token: Token, statement: Any) -> st.Explain:
        return st.Explain(token.position, [], statement)

    def explain_details(self, token: Token, *rest: Any) -> st.Explain:
        *details, statement = rest
        return st.Explain(token.position, [detail.text.upper() for detail in details], statement)


def _with(tables: s.With | None, query: Any) -> Any:
    """Add the WITH clause of a statement to its query."""
    return query if tables is None else s.With(tables.position, tables.tables, tables.recursive, query)


def _is_system(token: Token, temporary: Any, system: Any) -> bool:
    """Return whether a statement is about a system function.

    Raises:
        Misread: the system function is not temporary.
    """
    if system and not temporary:
        verb = token.text.upper()
        raise Misread(
            token.position,
            f"Of system functions, only temporary ones are created, altered and dropped: {verb} TEMPORARY SYSTEM "
            f"FUNCTION. A function of a database is without SYSTEM: {verb} FUNCTION.",
        )
    return bool(system)
