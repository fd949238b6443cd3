"""Actions that build the nodes of CREATE TABLE."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grammar import statements as st
from grammar import syntax as s
from grammar import table_syntax as ts
from grammar.actions.types import TypeActions
from grammar.builder.expressions.literals import text_of
from grammar.errors import Misread
from grammar.lexemes import Token

Option = tuple[str, int, Any]
"""A clause of a statement: its kind, its position, and what it says."""


class TableDeclarationActions(TypeActions):
    """Builds the nodes of CREATE TABLE and of its parts."""

    def _text(self, token: Token) -> str:
        return text_of(token, self._language)

    # --- the statement ---

    def create_table(
        self,
        token: Token,
        or_replace: Any,
        temporary: Any,
        external: Any,
        if_not_exists: Any,
        name: s.Path,
        elements: list[Any] | None,
        *rest: Any,
    ) -> st.CreateTable:
        *options, like, query = rest
        made = self._table(token, name, elements, [*options, *(like[1] if like else ())], query)
        made.or_replace, made.temporary, made.external = bool(or_replace), bool(temporary), bool(external)
        made.if_not_exists = bool(if_not_exists)
        made.like = like[0] if like else None
        if or_replace and if_not_exists:
            raise Misread(token.position, "A table is either replaced or kept: OR REPLACE or IF NOT EXISTS, not both.")
        return made

    def replace_table(self, token: Token, name: s.Path, elements: list[Any] | None, *rest: Any) -> st.CreateTable:
        *options, query = rest
        made = self._table(token, name, elements, options, query)
        made.only_replaces = True
        return made

    def _table(
        self, token: Token, name: s.Path, elements: list[Any] | None, options: list[Option], query: Any
    ) -> st.CreateTable:
        made = st.CreateTable(token.position, False, False, name, [], [], [], options_by_kind(options), query)
        for element in elements or ():
            if isinstance(element, st.PrimaryKey):
                made.keys.append(element)
            elif isinstance(element, st.Watermark):
                made.watermarks.append(element)
            elif isinstance(element, ts.TableConstraint):
                made.constraints.append(element)
            elif isinstance(element, tuple):
                made.columns.append(element[0])
                made.keys += element[1]
                made.constraints += element[2]
            else:
                made.columns.append(element)
        if len(made.keys) > 1:
            raise Misread(made.keys[1].position, "A table has one primary key; this is the second.")
        return made

    def table_elements(self, *elements: Any) -> list[Any]:
        return list(elements)

    def source_query(self, _: Token, query: Any) -> Any:
        return query

    def table_like(self, table: s.Path, *rest: Any) -> tuple[ts.LikeTable, list[Option]]:
        given = [part for part in rest if part is not None]
        features = [part for part in given if isinstance(part, ts.LikeFeature)]
        others = [part for part in given if not isinstance(part, ts.LikeFeature)]
        return ts.LikeTable(table.position, table, features), others

    def like_feature(self, word: Token, feature: Token) -> ts.LikeFeature:
        return ts.LikeFeature(feature.position, word.text.upper(), feature.text.upper())

    # --- columns ---

    def function_column(self, name: s.Name, data_type: Any, comment: Token | None) -> st.DeclaredColumn:
        text = None if comment is None else self._text(comment)
        return st.DeclaredColumn(name.position, name, self._type(data_type), text)

    def declared_column(self, name: s.Name, data_type: Any, *given: Any) -> Any:
        column = st.DeclaredColumn(name.position, name, self._type(data_type), None)
        keys: list[st.PrimaryKey] = []
        constraints: list[ts.TableConstraint] = []
        for option in given:
            if not isinstance(option, tuple):
                option.position = option.position or name.position
            if isinstance(option, tuple):
                if column.comment is not None:
                    raise Misread(option[1], f"The column {name.text!r} has its comment twice.")
                column.comment = option[2]
            elif isinstance(option, st.PrimaryKey):
                option.columns = [name]
                keys.append(option)
            elif isinstance(option, ts.TableConstraint):
                option.columns = [] if option.kind == "CHECK" else [name]
                constraints.append(option)
            elif column.value is not None:
                raise Misread(
                    option.position, f"The column {name.text!r} has one DEFAULT or GENERATED; this is another."
                )
            else:
                column.value = option
        return (column, keys, constraints) if keys or constraints else column

    def column_default(self, token: Token, expression: Any) -> ts.ColumnDefault:
        return ts.ColumnDefault(token.position, expression)

    def column_generated(self, expression: Any) -> ts.ColumnGenerated:
        return ts.ColumnGenerated(expression.position, expression)

    def column_identity(self, *options: tuple[str, int, int] | None) -> ts.ColumnIdentity:
        return self._identity(options, always=True)

    def column_identity_by_default(self, *options: tuple[str, int, int] | None) -> ts.ColumnIdentity:
        return self._identity(options, always=False)

    def _identity(self, options: Iterable[tuple[str, int, int] | None], *, always: bool) -> ts.ColumnIdentity:
        given = [option for option in options if option is not None]
        found = options_by_kind(given)
        return ts.ColumnIdentity(given[0][1] if given else 0, always, found.get("START", 1), found.get("INCREMENT", 1))

    def identity_start(self, minus: Any, number: Token) -> tuple[str, int, int]:
        return "START", number.position, _integer(number) * (-1 if minus else 1)

    def identity_step(self, minus: Any, number: Token) -> tuple[str, int, int]:
        step = _integer(number) * (-1 if minus else 1)
        if step == 0:
            raise Misread(number.position, "The increment of an identity column is not 0.")
        return "INCREMENT", number.position, step

    def computed_column(self, name: s.Name, expression: Any, comment: Token | None) -> st.ComputedColumn:
        return st.ComputedColumn(name.position, name, expression, None if comment is None else self._text(comment))

    def metadata_column(
        self, name: s.Name, data_type: Any, key: Token | None, is_virtual: Any, comment: Token | None
    ) -> st.MetadataColumn:
        return st.MetadataColumn(
            name.position,
            name,
            self._type(data_type),
            None if key is None else self._text(key),
            bool(is_virtual),
            None if comment is None else self._text(comment),
        )

    # --- constraints ---

    def table_constraint(self, name: s.Name | None, constraint: Any) -> Any:
        if name is not None:
            constraint.name, constraint.position = name, name.position
        return constraint

    named_column_constraint = table_constraint

    def primary_key(self, columns: list[s.Name], *characteristics: tuple[str, int]) -> st.PrimaryKey:
        is_enforced, relies = _characteristics(characteristics)
        return st.PrimaryKey(columns[0].position, None, columns, is_enforced is not False, relies)

    def column_key(self, *characteristics: tuple[str, int]) -> st.PrimaryKey:
        is_enforced, relies = _characteristics(characteristics)
        return st.PrimaryKey(0, None, [], is_enforced is not False, relies)

    def unique(self, columns: list[s.Name], *characteristics: tuple[str, int]) -> ts.TableConstraint:
        enforced, relies = _characteristics(characteristics)
        return ts.TableConstraint(columns[0].position, "UNIQUE", None, columns, None, None, [], enforced, relies)

    def column_unique(self, *characteristics: tuple[str, int]) -> ts.TableConstraint:
        enforced, relies = _characteristics(characteristics)
        return ts.TableConstraint(0, "UNIQUE", None, [], None, None, [], enforced, relies)

    def check(self, expression: Any, *characteristics: tuple[str, int]) -> ts.TableConstraint:
        enforced, relies = _characteristics(characteristics)
        return ts.TableConstraint(expression.position, "CHECK", None, [], expression, None, [], enforced, relies)

    def foreign_key(
        self, columns: list[s.Name], table: s.Path, referenced: list[s.Name] | None, *characteristics: tuple[str, int]
    ) -> ts.TableConstraint:
        enforced, relies = _characteristics(characteristics)
        return ts.TableConstraint(
            columns[0].position, "FOREIGN KEY", None, columns, None, table, referenced or [], enforced, relies
        )

    def column_reference(
        self, table: s.Path, referenced: list[s.Name] | None, *characteristics: tuple[str, int]
    ) -> ts.TableConstraint:
        enforced, relies = _characteristics(characteristics)
        return ts.TableConstraint(
            table.position, "FOREIGN KEY", None, [], None, table, referenced or [], enforced, relies
        )

    def not_enforced(self, token: Token) -> tuple[str, int]:
        return "NOT ENFORCED", token.position

    def enforced(self) -> tuple[str, int]:
        return "ENFORCED", 0

    def relies(self) -> tuple[str, int]:
        return "RELY", 0

    def relies_not(self) -> tuple[str, int]:
        return "NORELY", 0

    def table_watermark(self, column: s.Name, expression: Any) -> st.Watermark:
        return st.Watermark(column.position, column, expression)

    # --- clauses ---

    def table_connector(self, options: dict[str, str]) -> Option:
        return "connector", 0, options

    def table_format(self, name: s.Name) -> Option:
        return "format", name.position, name.text

    def table_options(self, options: dict[str, str]) -> Option:
        return "options", 0, options

    def table_partition_keys(self, *keys: ts.PartitionKey) -> Option:
        return "partition keys", keys[0].position, list(keys)

    def partition_column(self, name: s.Name) -> ts.PartitionKey:
        return ts.PartitionKey(name.position, s.Path(name.position, [name]))

    def partition_field(self, name: s.Name, rest: s.Path) -> ts.PartitionKey:
        return ts.PartitionKey(name.position, s.Path(name.position, [name, *rest.names]))

    def partition_transform(
        self, name: s.Name, before: Token | None, column: s.Path, after: Token | None
    ) -> ts.PartitionKey:
        if before is not None and after is not None:
            raise Misread(after.position, f"The transform {name.text} has one number; this is the second.")
        if after is not None and name.text.lower() == "bucket":
            raise Misread(after.position, f"bucket has its number first: bucket({after.text}, {column.parts[-1]}).")
        number = before if after is None else after
        return ts.PartitionKey(name.position, column, name.text.lower(), None if number is None else _integer(number))

    def partition_declaration(self, name: s.Name, data_type: Any, comment: Token | None) -> ts.PartitionKey:
        declared = self.function_column(name, data_type, comment)
        return ts.PartitionKey(name.position, s.Path(name.position, [name]), declared=declared)

    def table_clustering(self, *columns: s.Path) -> Option:
        return "clustering", columns[0].position, list(columns)

    def table_buckets(self, columns: list[s.Name], *rest: Any) -> Option:
        *keys, count = [part for part in rest if part is not None]
        return "buckets", columns[0].position, ts.Buckets(columns[0].position, columns, keys, _bucket_count(count))

    def sorted_column(self, name: s.Name, order: Token | None) -> s.Name:
        if order is not None and order.text.upper() == "DESC":
            raise Misread(order.position, "Spark sorts the rows of buckets in ascending order alone; leave DESC out.")
        return name

    def table_distribution(self, algorithm: Token | None, columns: list[s.Name], count: Token | None) -> Option:
        position, number = columns[0].position, None if count is None else _bucket_count(count)
        word = "" if algorithm is None else algorithm.text.upper()
        return "buckets", position, ts.Buckets(position, columns, [], number, word)

    def table_bucket_count(self, count: Token) -> Option:
        return "buckets", count.position, ts.Buckets(count.position, [], [], _bucket_count(count))

    def table_storage(self, name: s.Name) -> Option:
        return "storage", name.position, (name.text,)

    def table_storage_classes(self, reads: Token, writes: Token) -> Option:
        return "storage", reads.position, (self._text(reads), self._text(writes))

    def table_row_format(self, row_format: Any) -> Option:
        return "row format", 0, row_format


def _integer(number: Token) -> int:
    """Return the value of an integer.

    Raises:
        Misread: the number is not an integer.
    """
    if not number.text.isdigit():
        raise Misread(number.position, f"An integer is expected here, but {number.text} is given.")
    return int(number.text)


def _bucket_count(number: Token) -> int:
    """Return a number of buckets.

    Raises:
        Misread: the number is not an integer, or is 0.
    """
    count = _integer(number)
    if count == 0:
        raise Misread(number.position, "The number of buckets is at least 1.")
    return count


def _characteristics(given: Iterable[tuple[str, int]]) -> tuple[bool | None, bool]:
    """Return whether a constraint is enforced, None if unwritten, and whether the optimizer may rely on it."""
    words = dict(given)
    if "ENFORCED" in words and "NOT ENFORCED" in words:
        raise Misread(words["NOT ENFORCED"], "A constraint is either ENFORCED or NOT ENFORCED.")
    is_enforced = None if words.keys().isdisjoint(("ENFORCED", "NOT ENFORCED")) else "ENFORCED" in words
    return is_enforced, "RELY" in words


def options_by_kind(given: Iterable[Option]) -> dict[str, Any]:
    """Return the options of a statement by their kind.

    Raises:
        Misread: an option occurs twice.
    """
    found: dict[str, Any] = {}
    for kind, position, value in given:
        if kind in found:
            raise Misread(position, f"The statement has its {kind} twice.")
        found[kind] = value
    return found
