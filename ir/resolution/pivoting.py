"""Resolution of pivot and unpivot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ir.call_expressions import Over
from ir.calls import call, is_aggregate
from ir.contents import CHANGES
from ir.errors import ValidationException
from ir.expressions import Expression, FieldReference, ResolvedExpression
from ir.functions.collection import ARRAY, ROW
from ir.functions.comparison import IS_NOT_NULL
from ir.functions.logic import OR
from ir.functions.time_window import refuse_sessions, require_whole_windows
from ir.inference.usage import usage_of_cells
from ir.literals import literal
from ir.messages import message
from ir.names import Names
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import find_used_columns
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.project import project
from ir.resolution.aggregation import refuse_nested
from ir.resolution.columns import expand
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.grouping import Grouping
from ir.resolution.lookup import FunctionLookup
from ir.resolution.naming import derive_name
from ir.resolution.operations import column_of, field, resolve_rows, split_alias
from ir.rewriting import rename_outer_columns, replace
from ir.summaries import Summary
from ir.types import ArrayType, LogicalType, RowType


def pivot_groups(
    input: QueryOperation,
    grouping: Grouping,
    pivots: Sequence[Expression],
    values: Mapping[str, Sequence[Any]],
    aggregates: Sequence[Expression],
    lookup: FunctionLookup,
) -> QueryOperation:
    """Return groups of ``input``, with a column for each pair of a value of ``pivots`` and an aggregate.

    Args:
        input: the rows.
        grouping: the keys of the groups.
        pivots: the expressions whose values become columns.
        values: the values of ``pivots`` under the names of their columns.
        aggregates: the expressions to compute for each value, with names if there are several.
        lookup: finds functions.

    Raises:
        ValidationException: an expression contains no aggregate or cannot be resolved, or a column name is taken.
    """
    if not aggregates:
        raise ValidationException("pivot needs at least one aggregate, such as col('x').sum.")
    keys, key_names, pivoted = _resolve_pivot(input, grouping, pivots, lookup)
    resolver = ExpressionResolver(Scope((input.schema,)), lookup, usage=usage_of_cells(keys))
    pairs = [split_alias(aggregate) for aggregate in expand(aggregates, (input.schema,))]
    resolved = [resolver.resolve(expression) for expression, _ in pairs]
    for expression in resolved:
        require_aggregate(expression)
    return _pivot(input, list(zip(keys, key_names, strict=True)), pivoted, values, resolved, [n for _, n in pairs])


def check_pivot(
    input: QueryOperation,
    grouping: Grouping,
    pivots: Sequence[Expression],
    values: Mapping[str, Sequence[Any]],
    lookup: FunctionLookup,
) -> None:
    """Refuse an invalid pivot before its aggregates are known.

    Raises:
        ValidationException: an expression of ``pivots`` cannot be resolved or contains an aggregate, or a value has
            another type than its expression.
    """
    _, _, pivoted = _resolve_pivot(input, grouping, pivots, lookup)
    if len(pivoted) != len(pivots):
        raise ValidationException(f"pivot takes {len(pivots)} columns, but was given {len(pivoted)}: name each.")
    for value in values.values():
        _values(value, pivoted)


def _resolve_pivot(
    input: QueryOperation, grouping: Grouping, pivots: Sequence[Expression], lookup: FunctionLookup
) -> tuple[tuple[ResolvedExpression, ...], tuple[str | None, ...], tuple[ResolvedExpression, ...]]:
    """Return the group keys, their names, and the expressions whose values become columns."""
    keys, key_names = grouping.resolved_keys(input, lookup)
    require_whole_windows(keys)
    refuse_sessions(keys, "pivot", "Spark would find sessions of each value alone")
    return keys, key_names, resolve_rows(input, pivots, lookup, "pivot")[0]


def _pivot(
    input: QueryOperation,
    keys: Sequence[tuple[ResolvedExpression, str | None]],
    pivoted: Sequence[ResolvedExpression],
    values: Mapping[str, Sequence[Any]],
    aggregates: Sequence[ResolvedExpression],
    given: Sequence[str | None],
) -> QueryOperation:
    """Return the Pivot over the columns that it uses, since Spark groups by every other column of the input."""
    if input.contents & CHANGES:
        from ir.resolution.retractions import refuse_retractions

        refuse_retractions(input, [*[key for key, _ in keys], *pivoted, *aggregates])
    used = list(dict.fromkeys(column for e in aggregates for column in find_used_columns(e, input.schema)))
    taken = Names()
    chosen: list[str] = []
    for expression, name in [*keys, *[(e, None) for e in [*pivoted, *used]]]:
        wanted = name or derive_name(expression)
        if wanted is None or not taken.is_free(wanted):
            wanted = taken.generate("_c", len(chosen))
        taken.take(wanted)
        chosen.append(wanted)
    below = project(input, (*[key for key, _ in keys], *pivoted, *used), tuple(chosen))
    columns = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(below.schema.columns)]
    pivot_columns = tuple(columns[len(keys) : len(keys) + len(pivoted)])
    place: dict[ResolvedExpression, FieldReference] = dict(zip(used, columns[len(keys) + len(pivoted) :], strict=True))
    renamed = {part.name: place[part].name for part in used if part.name != place[part].name}

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        if isinstance(part, TableReference):
            return TableReference(rename_outer_columns(part.operation, renamed))
        return place.get(part)

    literals = tuple([_values(value, pivot_columns) for value in values.values()])
    return Pivot(
        below,
        pivot_columns,
        literals,
        tuple(values),
        tuple([replace(aggregate, find) for aggregate in aggregates]),
        _aggregate_names(aggregates, given),
    )


def _values(value: Sequence[Any], columns: Sequence[ResolvedExpression]) -> tuple[ResolvedExpression, ...]:
    if len(value) != len(columns):
        raise ValidationException(f"pivot over {len(columns)} columns takes values of as many parts, not {value!r}.")
    return tuple([pivot_value(part, column.data_type) for part, column in zip(value, columns, strict=True)])


def pivot_value(value: Any, data_type: LogicalType) -> ResolvedExpression:
    """Return a value as a constant of a type: a list as an array, a tuple as a row, and their elements likewise.

    Raises:
        ValidationException: the value is not of the type.
    """
    if isinstance(data_type, ArrayType) and isinstance(value, list | tuple):
        return call(ARRAY, [pivot_value(element, data_type.element) for element in value])
    if isinstance(data_type, RowType) and isinstance(value, list | tuple):
        if len(value) != len(data_type.fields):
            raise ValidationException(
                f"The value {value!r} has {len(value)} parts, but {data_type.as_summary_string()} has "
                f"{len(data_type.fields)} fields."
            )
        parts: list[ResolvedExpression] = []
        for part, row_field in zip(value, data_type.fields, strict=True):
            parts += [literal(row_field.name), pivot_value(part, row_field.data_type)]
        return call(ROW, parts)
    return literal(value, data_type)


def _aggregate_names(aggregates: Sequence[ResolvedExpression], given: Sequence[str | None]) -> tuple[str, ...]:
    """Return the names of several aggregates, none for a single one, whose columns have the names of the values."""
    if len(aggregates) == 1:
        return ()
    names = Names(name for name in given if name is not None)
    return tuple([name or names.generate("EXPR$", number) for number, name in enumerate(given)])


def require_aggregate(expression: ResolvedExpression) -> None:
    """Refuse an expression without an aggregate, or with a column outside of an aggregate.

    Raises:
        ValidationException: PIVOT does not accept the expression.
    """
    aggregated = False
    stack = [expression]
    while stack:
        part = stack.pop()
        if isinstance(part, Over):
            raise ValidationException(
                message(
                    "{PIVOT} takes aggregates, but {part} is computed over a window. Select it from the pivoted rows.",
                    part=Summary(part),
                ),
                part=part,
                clause="PIVOT",
            )
        if is_aggregate(part):
            refuse_nested(part)
            aggregated = True
        elif isinstance(part, FieldReference):
            raise ValidationException(
                message("{PIVOT} takes aggregates, but the column {part} is outside of one.", part=Summary(part)),
                part=part,
                clause="PIVOT",
            )
        else:
            stack.extend(part.children)
    if not aggregated:
        raise ValidationException(
            message("{PIVOT} takes aggregates, but {expression} holds none.", expression=Summary(expression)),
            part=expression,
            clause="PIVOT",
        )


def unpivot_columns(
    input: QueryOperation,
    kept: Sequence[Expression] | None,
    groups: Sequence[tuple[str, Sequence[Expression]]] | None,
    label_column: str,
    value_columns: Sequence[str],
    *,
    include_nulls: bool,
) -> QueryOperation:
    """Return a row for each row of ``input`` and each group of columns; ``groups`` are labels, each with its group.

    Several groups may have one label. Without ``kept``, all columns that are in no group stay. Without ``groups``, each
    column that is not kept is a group.

    Raises:
        ValidationException: an expression is not a column, a column is used twice, or the columns have no common type.
    """
    kept_indices = (
        None if kept is None else [column_of(input, e, "unpivot").index for e in expand(kept, (input.schema,))]
    )
    if groups is None:
        rest = [i for i in range(len(input.schema)) if i not in (kept_indices or ())]
        chosen: list[tuple[str, tuple[int, ...]]] = [(input.schema.columns[i].name, (i,)) for i in rest]
    else:
        chosen = [(label, tuple([column_of(input, e, "unpivot").index for e in group])) for label, group in groups]
    if not chosen:
        raise ValidationException("unpivot needs at least one column to put into a row of its own.")
    in_groups = [i for _, group in chosen for i in group]
    if kept_indices is None:
        kept_indices = [i for i in range(len(input.schema)) if i not in in_groups]
    # As in Spark, a column may be in several groups.
    in_groups = list(dict.fromkeys(in_groups))
    _refuse_twice(input, [*kept_indices, *in_groups])
    for label, group in chosen:
        if len(group) != len(value_columns):
            raise ValidationException(
                f"unpivot makes {len(value_columns)} value columns, but {label!r} is of {len(group)} columns."
            )
    order = [*kept_indices, *in_groups]
    columns = input.schema.columns
    below = project(
        input,
        tuple([FieldReference(columns[i].name, columns[i].data_type, 0, i) for i in order]),
        tuple([columns[i].name for i in order]),
    )
    fields = {i: FieldReference(columns[i].name, columns[i].data_type, 0, n) for n, i in enumerate(order)}
    unpivoted = Unpivot(
        below,
        tuple([tuple([fields[i] for i in group]) for _, group in chosen]),
        tuple([label for label, _ in chosen]),
        label_column,
        tuple(value_columns),
    )
    if include_nulls:
        return unpivoted
    # UNPIVOT could drop these rows itself, but to do so Spark 4.3 parses the names of the value columns again, and
    # fails at a name that is not a plain identifier.
    values = [field(unpivoted, i) for i in range(len(unpivoted.schema) - len(value_columns), len(unpivoted.schema))]
    present = [call(IS_NOT_NULL, (value,)) for value in values]
    return Filter(unpivoted, present[0] if len(present) == 1 else call(OR, present))


def _refuse_twice(input: QueryOperation, indices: Iterable[int]) -> None:
    seen: set[int] = set()
    for index in indices:
        if index in seen:
            raise ValidationException(f"unpivot uses the column {input.schema.columns[index].name!r} more than once.")
        seen.add(index)
