"""Actions that build the nodes of relations in FROM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grammar import syntax as s
from grammar.actions.expressions import call_of, require_no_clause
from grammar.errors import Misread
from grammar.language import Form, Language
from grammar.lexemes import Token

# Spark accepts every other unquoted keyword as the alias of a relation.
_NEVER_ALIASES = frozenset(
    [
        "ANTI",
        "CROSS",
        "EXCEPT",
        "FULL",
        "INNER",
        "INTERSECT",
        "JOIN",
        "LATERAL",
        "LEFT",
        "MINUS",
        "NATURAL",
        "ON",
        "RIGHT",
        "SEMI",
        "UNION",
        "USING",
    ]
)


class RelationActions:
    """Builds the nodes of relations."""

    _language: Language
    properties: Callable[..., Mapping[str, Any]]
    property: Callable[[s.Name, Token], tuple[s.Name, str, int]]

    def from_clause(self, token: Token, *parts: Any) -> s.From:
        views = [part for part in parts if isinstance(part, s.LateralView)]
        return s.From(token.position, list(parts[: len(parts) - len(views)]), views)

    def table(
        self,
        path: s.Path,
        temporal: s.Temporal | s.Changes | None,
        options: s.WrittenOptions | None,
        sample: s.Sample | None,
        alias: s.Alias | None,
    ) -> s.Table:
        return s.Table(path.position, path, temporal, sample, alias, options or ())

    def stream(
        self,
        path: s.Path,
        changes: s.Changes | None,
        options: s.WrittenOptions | None,
        source: s.Name | None,
        watermark: s.Watermark | None,
        alias: s.Alias | None,
    ) -> s.Table:
        self._language.refuse(Form.STREAM, path.position)
        return s.Table(
            path.position, path, changes, watermark, alias, options or (), s.StreamSource(path.position, source)
        )

    def stream_changes(self, token: Token, start: s.ChangeBound) -> s.Changes:
        return self.changes(token, start, None)

    def stream_source(self, name: s.Name) -> s.Name:
        return name

    def read_options(self, token: Token, *given: tuple[s.Name, Any, int]) -> s.WrittenOptions:
        self._language.refuse(Form.TABLE_OPTIONS, token.position)
        without = [key.text for key, value, _ in given if value is None]
        if without:
            message = (
                f"WITH (…) after a table gives it options, each with a value: WITH ({without[0]} = …). "
                f"As an alias, WITH is written AS {token.text} or `{token.text}`."
            )
            raise Misread(token.position, message, "PARSE_SYNTAX_ERROR")
        return tuple(self.properties(*given).items())

    def read_option(self, key: s.Name, value: Any) -> tuple[s.Name, Any, int]:
        if isinstance(value, Token):
            return self.property(key, value)
        return key, value, 0 if value is None else value.position

    def derived_table(self, query: Any, sample: s.Sample | None, alias: s.Alias | None) -> s.Derived:
        return s.Derived(query.position, query, sample, alias)

    nested_relation = derived_table

    def values_table(self, values: s.InlineValues, alias: s.Alias | None) -> s.Derived:
        return s.Derived(values.position, values, None, alias)

    def named_values(self, values: s.InlineValues, alias: s.Alias) -> s.FromFirst:
        source = s.From(values.position, [self.values_table(values, alias)], [])
        return s.FromFirst(values.position, source, [])

    def table_function(
        self,
        path: s.Path,
        arguments: list[Any] | None,
        ordinality: int | None,
        sample: s.Sample | None,
        alias: s.Alias | None,
    ) -> s.TableFunction:
        call = s.Call(path.position, path, arguments or [])
        return s.TableFunction(path.position, call, sample, alias, ordinality)

    def named_table(
        self,
        path: s.Path,
        arguments: list[Any] | None,
        options: s.WrittenOptions,
        sample: s.Sample | None,
        alias: s.Alias | None,
    ) -> s.TableFunction:
        made = self.table_function(path, arguments, None, sample, alias)
        made.options = options
        return made

    def named_table_function(
        self,
        path: s.Path,
        named_by: list[Any] | None,
        arguments: list[Any] | None,
        sample: s.Sample | None,
        alias: s.Alias | None,
    ) -> s.TableFunction:
        function = s.Call(path.position, path, named_by or [])
        return s.TableFunction(path.position, call_of(self._language, function, arguments or []), sample, alias)

    def json_table(
        self, path: s.Path, arguments: list[Any], columns: list[s.JsonColumn], *rest: Any
    ) -> s.TableFunction:
        *clauses, alias = rest
        if len(path.names) > 1 or path.names[0].quoted or path.names[0].text.upper() != "JSON_TABLE":
            message = "COLUMNS (…) is for JSON_TABLE alone, which is a word, and no name that is quoted or has dots."
            raise Misread(path.position, message, "PARSE_SYNTAX_ERROR")
        call = s.Call(path.position, path, arguments, "json_table", clauses=[*columns, *clauses])
        return s.TableFunction(path.position, call, None, alias)

    def json_columns(self, *columns: s.JsonColumn) -> list[s.JsonColumn]:
        return list(columns)

    def json_number(self, name: s.Name) -> s.JsonColumn:
        return s.JsonColumn(name.position, name, "ORDINALITY")

    def json_value_column(
        self, name: s.Name, target: Any, path: s.Text | s.Parameter | s.JoinedText | None
    ) -> s.JsonColumn:
        return s.JsonColumn(name.position, name, "VALUE", target, path)

    def json_exists_column(
        self, name: s.Name, target: Any, path: s.Text | s.Parameter | s.JoinedText | None
    ) -> s.JsonColumn:
        return s.JsonColumn(name.position, name, "EXISTS", target, path)

    def ordinality(self, word: Token) -> int:
        return word.position

    def table_function_of_table(
        self, word: Token, path: s.Path, arguments: list[Any] | None, alias: s.Alias | None
    ) -> s.TableFunction:
        call = s.Call(path.position, path, arguments or [])
        return s.TableFunction(path.position, call, None, alias, word=word.position)

    def lateral(self, relation: Any) -> s.Lateral:
        return s.Lateral(relation.position, relation)

    def alias(self, name: s.Name, columns: list[s.Name] | None) -> s.Alias:
        if not name.quoted and name.text.upper() in _NEVER_ALIASES:
            message = f"Without quotes, {name.text} is no alias, as it may begin what follows. Write `{name.text}`."
            raise Misread(name.position, message, "PARSE_SYNTAX_ERROR")
        return self.any_alias(name, columns)

    def bare_alias(self, name: s.Name, columns: list[s.Name] | None) -> s.Alias:
        require_no_clause(name)
        return self.alias(name, columns)

    def any_alias(self, name: s.Name, columns: list[s.Name] | None) -> s.Alias:
        return s.Alias(name.position, name, columns)

    def version_name(self, token: Token) -> s.Name:
        return s.Name(token.position, token.text, False)

    timestamp_name = changes_name = version_name

    def join_type(self, *words: Token) -> list[Token]:
        return list(words)

    def join(self, left: Any, words: list[Token] | None, right: Any, criteria: Any) -> s.Join:
        condition, using = criteria or (None, None)
        return s.Join(right.position, words or [], left, right, condition, using)

    def join_lateral(self, left: Any, words: list[Token] | None, right: Any, criteria: Any) -> s.Join:
        return self.join(left, words, s.Lateral(right.position, right), criteria)

    def join_as_of(self, left: Any, words: list[Token] | None, right: Any, match: Any, criteria: Any) -> s.Join:
        condition, using = criteria or (None, None)
        return s.Join(right.position, words or [], left, right, condition, using, match)

    def on(self, condition: Any) -> tuple[Any, None]:
        return condition, None

    def using(self, names: list[s.Name]) -> tuple[None, list[s.Name]]:
        return None, names

    def nearest(self, search: Token, count: Token | None, measure: Token, ranking: Any) -> tuple[s.Nearest, None]:
        most = 1
        if count is not None:
            if not count.text.isdigit():
                raise Misread(count.position, f"NEAREST takes a whole number of rows, but was given {count.text}.")
            most = int(count.text)
        return s.Nearest(search.position, search.text.upper(), most, measure.text.upper(), ranking), None

    def extended(self, relation: Any, extension: Any) -> s.Extended:
        return s.Extended(extension.position, relation, extension)

    def version_as_of(self, token: Token) -> s.Temporal:
        return s.Temporal(token.position, True, token)

    def timestamp_as_of(self, value: Any) -> s.Temporal:
        return s.Temporal(value.position, False, value)

    def changes(self, token: Token, start: s.ChangeBound, end: s.ChangeBound | None) -> s.Changes:
        if end is not None and end.is_version != start.is_version:
            message = "CHANGES takes two versions or two times, and was given one of each."
            raise Misread(end.position, message, "PARSE_SYNTAX_ERROR")
        return s.Changes(token.position, start, end)

    def change_version(self, token: Token, inclusion: Token | None) -> s.ChangeBound:
        return s.ChangeBound(token.position, True, token, _is_inclusive(inclusion))

    def change_timestamp(self, value: Any, inclusion: Token | None) -> s.ChangeBound:
        return s.ChangeBound(value.position, False, value, _is_inclusive(inclusion))

    def watermark(self, value: Any, name: s.Name | None, delay: Any) -> s.Watermark:
        return s.Watermark(value.position, value, name, delay)

    def sampled_watermark(self, sample: s.Sample, watermark: s.Watermark) -> s.Watermark:
        watermark.sample = sample
        return watermark

    def table_sample(self, token: Token, method: Token | None, size: tuple[Any, str], seed: Any) -> s.Sample:
        name = None if method is None else s.Name(method.position, method.text, False)
        return s.Sample(token.position, name, size[0], size[1], seed)

    def sample_size(self, value: Any, unit: Token | None = None) -> tuple[Any, str]:
        return value, "BYTES" if unit is None else unit.text.upper()

    def sample_rows(self, value: Any) -> tuple[Any, str]:
        return value, "ROWS"

    def sample_bucket(self, number: Token, of: Token, on: Any) -> tuple[Any, str]:
        return (number, of, on), "BUCKET"

    def pivot(self, token: Token, *parts: Any) -> s.Pivot:
        place = next(i for i, part in enumerate(parts) if isinstance(part, _PivotColumns))
        columns, alias = parts[place], parts[-1]
        return s.Pivot(token.position, list(parts[:place]), list(columns), list(parts[place + 1 : -1]), alias)

    def pivot_columns(self, names: s.Name | list[s.Name]) -> _PivotColumns:
        return _PivotColumns(names if isinstance(names, list) else [names])

    def unpivot(self, token: Token, nulls: bool | None, values: list[s.Name], label: s.Name, *rest: Any) -> s.Unpivot:
        return s.Unpivot(token.position, bool(nulls), values, label, list(rest[:-1]), rest[-1])

    def unpivot_nulls(self, word: Token, nulls: Token) -> bool:
        return word.text.upper() == "INCLUDE"

    def unpivot_values(self, names: s.Name | list[s.Name]) -> list[s.Name]:
        return names if isinstance(names, list) else [names]

    def unpivot_group(self, *parts: Any) -> s.UnpivotGroup:
        return s.UnpivotGroup(parts[0].position, list(parts[:-1]), parts[-1])

    def lateral_view(
        self, outer: Token | None, path: s.Path, arguments: list[Any] | None, name: s.Name, *columns: s.Name | None
    ) -> s.LateralView:
        call = s.Call(path.position, path, arguments or [])
        return s.LateralView(path.position, outer is not None, call, name, [c for c in columns if c is not None])

    def pipe_lateral_view(self, *parts: Any) -> s.PipeStep:
        view = self.lateral_view(*parts)
        return s.PipeStep(view.position, "lateral view", [view])

    def pipe_join(self, words: list[Token] | None, right: Any, criteria: Any) -> s.PipeStep:
        join = self.join(None, words, right, criteria)
        return s.PipeStep(join.position, "join", [join])

    def pipe_join_as_of(self, words: list[Token] | None, right: Any, match: Any, criteria: Any) -> s.PipeStep:
        join = self.join_as_of(None, words, right, match, criteria)
        return s.PipeStep(join.position, "join", [join])

    def pipe_join_lateral(self, words: list[Token] | None, right: Any, criteria: Any) -> s.PipeStep:
        join = self.join_lateral(None, words, right, criteria)
        return s.PipeStep(join.position, "join", [join])

    # --- arguments that are tables ---

    def table_arguments(self, *parts: Any) -> list[Any]:
        return [part for part in parts if part is not None]

    def table_value(self, token: Token, source: Any, alias: s.Alias | None, *parts: tuple[str, Any]) -> s.TableArgument:
        made = s.TableArgument(token.position, source, alias)
        for name, value in parts:
            setattr(made, name, value)
        return made

    def table_value_of_query(self, query: Any, *parts: tuple[str, Any]) -> s.TableArgument:
        token = Token("", query.position)
        return self.table_value(token, self.table_argument_query(query), None, *parts)

    def table_argument_name(self, path: s.Path) -> s.Table:
        return s.Table(path.position, path, None, None, None)

    def table_argument_call(self, path: s.Path, arguments: list[Any] | None) -> s.TableFunction:
        return s.TableFunction(path.position, s.Call(path.position, path, arguments or []), None, None)

    def table_argument_query(self, query: Any) -> s.Derived:
        return s.Derived(query.position, query, None, None)

    def partition_by(self, keys: list[Any]) -> tuple[str, Any]:
        return "partition_by", keys

    def single_partition(self) -> tuple[str, Any]:
        return "single", True

    def argument_order(self, items: list[s.SortItem]) -> tuple[str, Any]:
        return "order_by", items

    def partition_keys(self, written: Any) -> list[Any]:
        if isinstance(written, s.Parenthesised):
            return [written.inner]
        return written.items if isinstance(written, s.Row) else [written]

    def sort_keys(self, written: s.SortItem) -> list[s.SortItem]:
        expression = written.expression
        if isinstance(expression, s.Row) and written.ascending is None and written.nulls_first is None:
            return [s.SortItem(item.position, item, None, None) for item in expression.items]
        return [written]

    def listed_sort_keys(self, *items: s.SortItem) -> list[s.SortItem]:
        return list(items)

    def listed_sort_item(self, expression: Any, direction: Token | None, nulls_first: bool | None) -> s.SortItem:
        ascending = None if direction is None else direction.text.upper() == "ASC"
        return s.SortItem(expression.position, expression, ascending, nulls_first)

    def copartition(self, *names: s.Name) -> s.Clause:
        return s.Clause(names[0].position, "copartition", list(names))

    def partitioned_together(self, clause: s.Clause) -> tuple[str, s.Clause]:
        return "copartition", clause


class _PivotColumns(list[s.Name]):
    """The columns after FOR, as a type that differs from the other parts of PIVOT."""


def _is_inclusive(word: Token | None) -> bool:
    return word is None or word.text.upper() == "INCLUSIVE"
