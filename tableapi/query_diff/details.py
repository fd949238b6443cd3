"""Comparison of two aligned operations of one kind: their changes, and the renamed columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import attrs

from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.identifiers import fold
from ir.nodes import init_fields
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Pairing
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.partitions import SortPartitions
from ir.operations.pivot import Pivot
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import Source, Values
from tableapi.query_diff import change_sentences as words
from tableapi.query_diff.changes import (
    Action,
    ColumnChanged,
    ColumnRenamed,
    ColumnsReordered,
    Detail,
    ElementsChanged,
    ElementsReordered,
    RowsChanged,
    RowsReordered,
    SettingChanged,
    SidesSwapped,
)
from tableapi.query_diff.expression_changes import compare_conditions, differences, find_unmatched, likeliest
from tableapi.query_diff.keys import Context
from tableapi.query_diff.schema_changes import compare_schemas

Renames = dict[str, str]
_GENERATED = re.compile(r"(_c|EXPR\$)\d+")
Found = tuple[list[Detail], Renames]


def compare(old: Any, new: Any, context: Context, *, is_swapped: bool) -> tuple[tuple[Detail, ...], Renames]:
    """Return the changes from ``old`` to ``new``, and the columns that ``new`` renames.

    Args:
        old, new: operations of one kind.
        context: how their expressions are compared.
        is_swapped: whether the left and the right input were swapped.
    """
    compare_kind = next((_COMPARE[kind] for kind in type(old).__mro__ if kind in _COMPARE), _parameters)
    details, renames = compare_kind(old, new, context)
    if is_swapped:
        details = [SidesSwapped(), *details]
    return tuple(details), {a: b for a, b in renames.items() if a != b}


def pass_renames(operation: QueryOperation, below: Mapping[str, str], *, is_old: bool) -> Renames:
    """Return the renamed columns in the rows of an operation that only one of the two queries has."""
    if not isinstance(operation, (Project, Aggregate)):
        return dict(below)
    expressions = operation.projections if isinstance(operation, Project) else operation.group_keys
    pairs = zip(expressions, operation.names, strict=False)
    columns = [(e.name, name) for e, name in pairs if isinstance(e, FieldReference)]
    if is_old:
        return {name: below.get(column, column) for column, name in columns if name != below.get(column, column)}
    kept = {name for column, name in columns if column == name}
    old_name = {new: old for old, new in below.items()}
    renames: Renames = {}
    for column, name in columns:
        old = old_name.get(column, column)
        if old != name and old not in kept:
            renames.setdefault(old, name)
    return renames


def _keep_renames(old: QueryOperation, new: QueryOperation, below: Mapping[str, str]) -> Renames:
    """Return the renames for an operation that passes on the columns of its inputs."""
    return {a: b for a, b in below.items() if old.schema.index_of(a) is not None and new.schema.index_of(b) is not None}


# --- columns ---------------------------------------------------------------------------------------------------------


@attrs.frozen
class _Item:
    """A column that an operation computes."""

    name: str
    expression: ResolvedExpression
    position: int

    @property
    def is_as_below(self) -> bool:
        """Whether it is a column of the input under the same name."""
        return isinstance(self.expression, FieldReference) and self.expression.name == self.name

    @property
    def is_generated(self) -> bool:
        """Whether the name was generated."""
        return _GENERATED.fullmatch(self.name) is not None


def _items(names: Sequence[str], expressions: Sequence[ResolvedExpression]) -> list[_Item]:
    return [_Item(n, e, i) for i, (n, e) in enumerate(zip(names, expressions, strict=True))]


def _match_columns(olds: list[_Item], news: list[_Item], context: Context) -> list[tuple[_Item, _Item]]:
    """Return the matching columns: by name and expression, by expression, or by name alone."""
    pairs: list[tuple[_Item, _Item]] = []

    def match(
        old_key: Callable[[_Item], object], new_key: Callable[[_Item], object], only: Callable[[_Item, _Item], bool]
    ) -> None:
        waiting: dict[object, list[_Item]] = {}
        for new in reversed(news):
            waiting.setdefault(new_key(new), []).append(new)
        left: list[_Item] = []
        for old in olds:
            found = waiting.get(old_key(old))
            if found and only(old, found[-1]):
                pairs.append((old, found.pop()))
            else:
                left.append(old)
        olds[:] = left
        gone = {new.position for _, new in pairs}
        news[:] = [new for new in news if new.position not in gone]

    match(
        lambda i: (fold(i.name), context.old(i.expression)),
        lambda i: (fold(i.name), context.new(i.expression)),
        lambda old, new: True,
    )
    # A generated name says less than the expression.
    same_expression = (lambda i: context.old(i.expression), lambda i: context.new(i.expression))
    match(*same_expression, lambda old, new: old.is_generated or new.is_generated)
    by_name = (lambda i: fold(i.name), lambda i: fold(i.name))
    match(*by_name, lambda old, new: not new.is_generated)
    match(*same_expression, lambda old, new: True)
    pairs += _match_alike([i for i in olds if i.is_generated], [i for i in news if i.is_generated], context)
    gone_old, gone_new = {old.position for old, _ in pairs}, {new.position for _, new in pairs}
    olds[:] = [i for i in olds if i.position not in gone_old]
    news[:] = [i for i in news if i.position not in gone_new]
    match(*by_name, lambda old, new: True)
    return sorted(pairs, key=lambda pair: pair[1].position)


def _match_alike(olds: list[_Item], news: list[_Item], context: Context) -> list[tuple[_Item, _Item]]:
    pairs = likeliest([i.expression for i in olds], [i.expression for i in news], context)
    return [(olds[i], news[j]) for i, j in pairs]


def _columns(kind: str, olds: list[_Item], news: list[_Item], context: Context) -> Found:
    removed, added = list(olds), list(news)
    pairs = _match_columns(removed, added, context)
    details: list[Detail] = [_column(kind, Action.REMOVED, i) for i in removed]
    for old, new in pairs:
        # A generated name is meaningless to the reader.
        part = "" if new.is_generated else f"the {kind} {words.list_names([new.name])}"
        changes = differences(old.expression, new.expression, part, context)
        follows = old.is_as_below and new.is_as_below and not changes
        if old.name != new.name and not follows and not (old.is_generated and new.is_generated):
            details.append(ColumnRenamed(kind, old.name, new.name))
        details += changes
    details += [_column(kind, Action.ADDED, i) for i in added]
    order = [old.position for old, _ in pairs]
    if order != sorted(order):
        details.append(ColumnsReordered(kind, tuple(new.name for _, new in pairs)))
    return details, {old.name: new.name for old, new in pairs}


def _column(kind: str, action: Action, item: _Item) -> Detail:
    return ColumnChanged(kind, action, item.name, item.expression, item.is_generated)


def _project(old: Project, new: Project, context: Context) -> Found:
    return _columns("column", _items(old.names, old.projections), _items(new.names, new.projections), context)


def _aggregate(old: Aggregate, new: Aggregate, context: Context) -> Found:
    found: list[list[_Item]] = []
    for operation in (old, new):
        count = len(operation.group_keys)
        found += [
            _items(operation.names[:count], operation.group_keys),
            _items(operation.names[count:], operation.aggregates),
        ]
    details, renames = _columns("group key", found[0], found[2], context)
    computed, more = _columns("column", found[1], found[3], context)
    details += computed
    sets = [words.sets(o.grouping_sets, [words.sql(key) for key in o.group_keys]) for o in (old, new)]
    if old.grouping_sets != new.grouping_sets:
        details.append(SettingChanged("grouping by", *sets))
    return details, {**renames, **more}


# --- other operations ------------------------------------------------------------------------------------------------


def _filter(old: Filter, new: Filter, context: Context) -> Found:
    details = compare_conditions(old.condition, new.condition, "the condition", context)
    return details, _keep_renames(old, new, context.renames)


def _join(old: Pairing, new: Pairing, context: Context) -> Found:
    details = _setting("type", old.join_type.value, new.join_type.value)
    before, after = ({clause.noun: clause for clause in join.clauses} for join in (old, new))
    for noun in {**before, **after}:
        removed, added = before.get(noun), after.get(noun)
        if removed is not None and added is not None:
            details += _setting("clause", removed.keyword, added.keyword)
        was, now = (None if clause is None else clause.expression for clause in (removed, added))
        details += compare_conditions(was, now, f"the {noun}", context)
    return details, _keep_renames(old, new, context.renames)


def _lateral_join(old: LateralJoin, new: LateralJoin, context: Context) -> Found:
    details = _setting("type", old.join_type.value, new.join_type.value)
    details += differences(old.right, new.right, "the right side", context)
    details += compare_conditions(old.condition, new.condition, "the condition", context)
    renames = _keep_renames(old, new, context.renames)
    of_queries = [isinstance(operation.right, TableReference) for operation in (old, new)]
    if old.names != new.names and not all(of_queries):
        details += _setting("names", words.list_names(old.names), words.list_names(new.names))
    if len(old.names) == len(new.names):
        renames.update(zip(old.names, new.names, strict=True))
    return details, renames


def _compare_set_operations(old: SetOperation, new: SetOperation, context: Context) -> Found:
    details = _setting("operator", words.name_set_operator(old), words.name_set_operator(new))
    # The names come from the left input.
    return details, _keep_renames(old, new, context.renames)


def _sort(old: Sort, new: Sort, context: Context) -> Found:
    details = _sort_keys(old.order, new.order, context)
    for name in ("fetch", "offset"):
        counts = [getattr(operation, name) for operation in (old, new)]
        details += _setting("limit" if name == "fetch" else name, *[None if c is None else str(c) for c in counts])
    return details, _keep_renames(old, new, context.renames)


def _sort_partitions(old: SortPartitions, new: SortPartitions, context: Context) -> Found:
    return _sort_keys(old.order, new.order, context), _keep_renames(old, new, context.renames)


def _sort_keys(olds: Sequence[SortOrder], news: Sequence[SortOrder], context: Context) -> list[Detail]:
    removed: list[SortOrder] = find_unmatched(olds, map(context.new, news), context.old)
    added: list[SortOrder] = find_unmatched(news, map(context.old, olds), context.new)
    if not removed and not added:
        same_order = [context.old(key) for key in olds] == [context.new(key) for key in news]
        return [] if same_order else [ElementsReordered("the keys", tuple(news))]
    details: list[Detail] = []
    by_value = {context.new(key.expression): key for key in reversed(added)}
    for key in list(removed):
        other = by_value.pop(context.old(key.expression), None)
        if other is not None:
            details += differences(key, other, "the keys", context)
            removed.remove(key)
            added.remove(other)
    details += [ElementsChanged("the keys", Action.REMOVED, (key,)) for key in removed]
    return details + [ElementsChanged("the keys", Action.ADDED, (key,)) for key in added]


def _pivot(old: Pivot, new: Pivot, context: Context) -> Found:
    details = _setting("columns", words.list_expressions(old.pivot_columns), words.list_expressions(new.pivot_columns))
    values = [
        ", ".join(
            f"{words.list_expressions(value)} AS {words.list_names([name])}"
            for value, name in zip(o.values, o.value_names, strict=True)
        )
        for o in (old, new)
    ]
    details += _setting("values", *values)
    # A single aggregate has no name: its columns have the names of the values.
    olds, news = (_items(o.aggregate_names or ("EXPR$0",), o.aggregates) for o in (old, new))
    aggregates = _columns("aggregate", olds, news, context)[0]
    if not old.aggregate_names or not new.aggregate_names:
        aggregates = [detail for detail in aggregates if not isinstance(detail, ColumnRenamed)]
    return details + aggregates, _keep_renames(old, new, context.renames)


def _source(old: Source, new: Source, context: Context) -> Found:
    details = _setting("version", old.version, new.version)
    times = [None if o.timestamp is None else words.sql(o.timestamp) for o in (old, new)]
    details += _setting("time", *times)
    details += _setting("changes", *[None if o.changes is None else o.changes.describe() for o in (old, new)])
    options = [", ".join(f"{key}={value}" for key, value in o.options) or None for o in (old, new)]
    details += _setting("options", *options)
    details += _setting("mode of reading", *[_mode_of(o) for o in (old, new)])
    return details + list(compare_schemas(old.schema, new.schema, {})), _match_other_case(old, new)


def _mode_of(source: Source) -> str:
    if source.stream is None:
        return "table"
    times = ", ".join(source.schema.names[index] for index in source.stream.time_columns)
    parts = ["stream", source.stream.describe(), times and f"watermark {times}"]
    return ", ".join(filter(None, parts))


def _match_other_case(old: QueryOperation, new: QueryOperation) -> Renames:
    """Return the columns of both schemas with names that are equal up to case."""
    positions = [(name, new.schema.index_of(name)) for name in old.schema.names]
    return {name: new.schema.names[position] for name, position in positions if position is not None}


def _values(old: Values, new: Values, context: Context) -> Found:
    renames = _match_other_case(old, new)
    if len(old.schema) == len(new.schema):
        for a, b in zip(old.schema.names, new.schema.names, strict=True):
            if old.schema.index_of(b) is None and new.schema.index_of(a) is None:
                renames[a] = b
    details: list[Detail] = list(compare_schemas(old.schema, new.schema, renames))
    numbers: dict[Hashable, int] = {}

    # If a column's type has changed, all its values have changed, so compare their texts only.
    same_types = old.schema.types == new.schema.types
    key: Callable[[ResolvedExpression], Hashable] = context.new if same_types else ResolvedExpression.as_summary_string

    def numbered(rows: tuple[tuple[ResolvedExpression, ...], ...]) -> list[int]:
        return [numbers.setdefault(tuple(map(key, row)), len(numbers)) for row in rows]

    olds, news = numbered(old.rows), numbered(new.rows)
    removed, added = (
        find_unmatched(range(len(olds)), news, olds.__getitem__),
        find_unmatched(range(len(news)), olds, news.__getitem__),
    )
    for action, operation, positions in ((Action.REMOVED, old, removed), (Action.ADDED, new, added)):
        if positions:
            details.append(RowsChanged(action, tuple([operation.rows[position] for position in positions])))
    if not details:
        details.append(RowsReordered())
    return details, renames


def _process(old: ProcessTable, new: ProcessTable, context: Context) -> Found:
    details = _setting("function", words.list_names([old.function.name]), words.list_names([new.function.name]))
    details += _setting("time", words.list_names(old.time_names) or None, words.list_names(new.time_names) or None)
    details += _setting("uid", old.uid, new.uid)
    if len(old.tables) != len(new.tables) or old.function is not new.function:
        return details, {}
    for number, argument in enumerate(old.signature.tables):
        for what, olds, news in (
            ("partition", old.partition_keys[number], new.partition_keys[number]),
            ("order", old.order_keys[number], new.order_keys[number]),
        ):
            if [context.old(key) for key in olds] != [context.new(key) for key in news]:
                name = f"{what} of {argument.name}"
                details += _setting(name, words.list_expressions(olds) or None, words.list_expressions(news) or None)
    for argument, before, after in zip(old.signature.scalars, old.scalars, new.scalars, strict=True):
        details += differences(before, after, f"the argument {argument.name}", context)
    is_alike = len(old.names) == len(new.names)
    return details, dict(zip(old.names, new.names, strict=True)) if is_alike else {}


def _setting(name: str, old: str | None, new: str | None) -> list[Detail]:
    return [] if old == new else [SettingChanged(name, old, new)]


def _parameters(old: QueryOperation, new: QueryOperation, context: Context) -> Found:
    """Compare operations by their fields: equally many expressions one by one, everything else by its text."""
    details: list[Detail] = []
    for field in init_fields(type(old)):
        before, after = getattr(old, field), getattr(new, field)
        if before is after or isinstance(before, QueryOperation):
            continue
        name = field.replace("_", " ")
        olds, news = _expressions_in(before), _expressions_in(after)
        if olds is None or news is None:
            details += _setting(name, _text(before), _text(after))
        elif len(olds) == len(news):
            for a, b in zip(olds, news, strict=True):
                details += differences(a, b, f"the {name}", context)
        else:
            details += _setting(name, f"({words.list_expressions(olds)})", f"({words.list_expressions(news)})")
    return details, _keep_renames(old, new, context.renames)


def _expressions_in(value: object) -> list[ResolvedExpression] | None:
    """Return the expressions in a field, None if the field holds something else."""
    if isinstance(value, ResolvedExpression):
        return [value]
    if not isinstance(value, tuple):
        return None
    found: list[ResolvedExpression] = []
    for item in value:
        inner = _expressions_in(item)
        if inner is None:
            return None
        found += inner
    return found


def _text(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, tuple):
        return ", ".join(str(_text(item)) for item in value)
    if isinstance(value, Decimal):
        return f"{value:f}"
    return str(value)


_COMPARE: dict[type[QueryOperation], Callable[[Any, Any, Context], Found]] = {
    Aggregate: _aggregate,
    Filter: _filter,
    LateralJoin: _lateral_join,
    Pairing: _join,
    Pivot: _pivot,
    ProcessTable: _process,
    Project: _project,
    SetOperation: _compare_set_operations,
    Sort: _sort,
    SortPartitions: _sort_partitions,
    Source: _source,
    Values: _values,
}
