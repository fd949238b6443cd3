"""Push filters below joins, unions, aggregations and windows: Spark pushes none below functions that make calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

import attrs

from ir import types as t
from ir.call_expressions import Call, Over
from ir.expressions import FieldReference, ResolvedExpression, TypeLiteral, ValueLiteral
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.rewriting import replace
from tableapi.spark.planner.asynchronous.call_guards import (
    holds_async,
    holds_window,
    is_correlated,
    is_repeatable,
    references,
)
from tableapi.spark.planner.asynchronous.chain import LONGEST, chain_at, conjunction, conjuncts

Conditions = list[ResolvedExpression]
Pushed = tuple[QueryOperation, Conditions]
"""An operation with the conditions that could go below or into it, and the remaining conditions."""


def push_condition(operation: QueryOperation, calling: Set[QueryOperation]) -> QueryOperation:
    """Push the conditions on an operation below or into it, so that they are tested before its calls run.

    Args:
        operation: the query. Only a join, or a chain without calls of its own over an operation that takes
            conditions, changes.
        calling: the operations that make calls, themselves or below them.
    """
    if isinstance(operation, Join):
        return _condition_of_join(operation, calling)
    if not _ends_chain(operation, calling):
        return operation
    chain = chain_at(operation, None)
    if chain.has_calls:
        return operation
    made, rest = push_conditions(chain.base, chain.conditions, calling)
    if made is chain.base:
        return operation
    return attrs.evolve(chain, base=made, conditions=tuple(rest)).as_operation()


def _ends_chain(operation: QueryOperation, calling: Set[QueryOperation]) -> bool:
    """Whether a chain contains filters, and ends at an operation that conditions can be pushed below."""
    has_conditions = False
    for _ in range(LONGEST):
        if not isinstance(operation, (Filter, Project, Sort)) or operation not in calling:
            break
        if isinstance(operation, Project) and any(map(holds_window, operation.projections)):
            return has_conditions
        if isinstance(operation, Sort) and any(map(holds_async, operation.expressions)):
            break
        has_conditions = has_conditions or isinstance(operation, Filter)
        operation = operation.input
    is_chain = isinstance(operation, Project)
    return has_conditions and not is_chain and type(operation) in _PUSHES and operation in calling


def push_conditions(
    operation: QueryOperation, given: Sequence[ResolvedExpression], calling: Set[QueryOperation]
) -> Pushed:
    """Push conditions on the rows of an operation below or into it; return it with the remaining conditions.

    Args:
        operation: the operation.
        given: the conditions.
        calling: the operations that make calls, themselves or below them; other operations do not change.
    """
    push = _PUSHES.get(type(operation)) if operation in calling else None
    movable = [condition for condition in given if _is_movable(condition)]
    if push is None or not movable:
        return operation, list(given)
    made, left = push(operation, movable, calling)
    return made, [condition for condition in given if condition in left or condition not in movable]


def _is_movable(condition: ResolvedExpression) -> bool:
    return not holds_async(condition) and is_repeatable(condition) and not is_correlated(condition)


def _push_below_join(join: QueryOperation, given: Conditions, calling: Set[QueryOperation]) -> Pushed:
    assert isinstance(join, Join)
    kind, width = join.join_type, len(join.left.schema)
    makes_calls = holds_async(join.condition)
    may_go = (
        (join.left in calling or makes_calls) and not kind.left_is_optional,
        (join.right in calling or makes_calls) and not kind.right_is_optional,
    )
    sides: tuple[Conditions, Conditions] = ([], [])
    both: Conditions = []
    rest: Conditions = []
    for condition in given:
        used = {int(reference.index >= width) for reference in references(condition)}
        side = next(iter(used)) if len(used) == 1 else None
        if side is not None and may_go[side]:
            sides[side].append(condition)
        else:
            # In an inner join, the other conditions on pairs are tested before the calls on pairs.
            of_pairs = makes_calls and kind is JoinType.INNER and len(used) == 2
            (both if of_pairs else rest).append(condition)
    if not any(sides) and not both:
        return join, rest
    made = join.evolve(left=_filter(join.left, sides[0]), right=_filter(join.right, sides[1], width))
    if both:
        before = () if join.condition is None else conjuncts(join.condition)
        made = made.evolve(
            condition=conjunction([*before, *[_rewrite_for_join(condition, join) for condition in both]])
        )
    return made, rest


def _push_below_lateral(lateral: QueryOperation, given: Conditions, calling: Set[QueryOperation]) -> Pushed:
    assert isinstance(lateral, LateralJoin)
    return _split(
        given,
        lambda condition: all(r.index < len(lateral.input.schema) for r in references(condition)),
        lambda moved: lateral.evolve(input=_filter(lateral.input, moved)),
        lateral,
    )


def _push_below_order(operation: QueryOperation, given: Conditions, calling: Set[QueryOperation]) -> Pushed:
    assert isinstance(operation, (Sort, SortPartitions, Distribute))
    if isinstance(operation, Sort) and operation.is_limited:
        return operation, given
    return operation.evolve(input=_filter(operation.input, given)), []


def _push_below_union(union: QueryOperation, given: Conditions, calling: Set[QueryOperation]) -> Pushed:
    assert isinstance(union, SetOperation)
    same = columns_of_same_type(union)
    return _split(
        given,
        lambda c: union.kind is SetOperationType.UNION and all(r.index in same for r in references(c)),
        lambda moved: union.evolve(left=_filter(union.left, moved), right=_filter(union.right, moved)),
        union,
    )


def columns_of_same_type(union: SetOperation) -> set[int]:
    """Return the positions of the columns that the union casts in neither input."""
    types = [
        [column.data_type.as_nullable() for column in schema.columns]
        for schema in (union.schema, union.left.schema, union.right.schema)
    ]
    return {i for i, found in enumerate(zip(*types, strict=True)) if len(set(found)) == 1}


def _push_below_aggregate(aggregate: QueryOperation, given: Conditions, calling: Set[QueryOperation]) -> Pushed:
    """Push conditions on group keys below an aggregation; each grouping set has to contain the keys."""
    assert isinstance(aggregate, Aggregate)
    keys, sets = aggregate.group_keys, aggregate.grouping_sets
    plain = {
        i for i, key in enumerate(keys) if _is_movable(key) and (sets is None or all(i in grouped for grouped in sets))
    }

    def of_keys(part: ResolvedExpression) -> ResolvedExpression | None:
        return keys[part.index] if isinstance(part, FieldReference) else None

    def is_of_keys(condition: ResolvedExpression) -> bool:
        used = {reference.index for reference in references(condition)}
        return bool(used) and used <= plain

    return _split(
        given,
        is_of_keys,
        lambda moved: aggregate.evolve(input=Filter(aggregate.input, replace(conjunction(moved), of_keys))),
        aggregate,
    )


def _push_below_windows(projection: QueryOperation, given: Conditions, calling: Set[QueryOperation]) -> Pushed:
    """Push conditions on keys that all windows partition by; each partition is kept or dropped as a whole."""
    assert isinstance(projection, Project)
    columns = projection.projections
    windows = [part for column in columns for part in column.walk() if isinstance(part, Over)]
    if not windows or not all(map(is_repeatable, columns)):
        return projection, given
    keys = set.intersection(*[set(window.partition_by) for window in windows])
    common = {i for i, column in enumerate(columns) if _is_movable(column) and _is_of_keys(column, keys)}

    def over_input(part: ResolvedExpression) -> ResolvedExpression | None:
        return columns[part.index] if isinstance(part, FieldReference) else None

    def is_common(condition: ResolvedExpression) -> bool:
        used = {reference.index for reference in references(condition)}
        return bool(used) and used <= common

    return _split(
        given,
        is_common,
        lambda moved: projection.evolve(input=Filter(projection.input, replace(conjunction(moved), over_input))),
        projection,
    )


# Equal values of other types may differ, as 0.0 and -0.0 do. A condition may then hold for a part of a partition.
_EQUAL_IS_SAME = (t.BooleanType, t.IntegralType, t.DecimalType, t.CharacterType, t.BytesType, t.TemporalType)


def _is_of_keys(column: ResolvedExpression, keys: Set[ResolvedExpression]) -> bool:
    """Whether an expression is computed from partition keys alone."""
    stack, seen = [column], {column}
    while stack:
        part = stack.pop()
        if part in keys and isinstance(part.data_type, _EQUAL_IS_SAME) and not part.data_type.has_collation:
            continue
        if not isinstance(part, (Call, ValueLiteral, TypeLiteral)):
            return False
        new = [child for child in part.children if child not in seen]
        seen.update(new)
        stack += new
    return True


_Push = Callable[[QueryOperation, Conditions, Set[QueryOperation]], Pushed]
_PUSHES: dict[type[QueryOperation], _Push] = {
    Join: _push_below_join,
    LateralJoin: _push_below_lateral,
    SetOperation: _push_below_union,
    Aggregate: _push_below_aggregate,
    Project: _push_below_windows,
    Sort: _push_below_order,
    SortPartitions: _push_below_order,
    Distribute: _push_below_order,
}


def _split(
    given: Conditions,
    can_go: Callable[[ResolvedExpression], bool],
    over: Callable[[Conditions], QueryOperation],
    operation: QueryOperation,
) -> Pushed:
    """Push the conditions that can go below an operation; return it unchanged if none can."""
    moved = [condition for condition in given if can_go(condition)]
    return (over(moved) if moved else operation), [condition for condition in given if condition not in moved]


def _condition_of_join(operation: Join, calling: Set[QueryOperation]) -> QueryOperation:
    """Push the conditions of an inner join that use one side alone into that side."""
    if operation.join_type is not JoinType.INNER or operation.condition is None:
        return operation
    makes_calls = holds_async(operation.condition)
    sides: tuple[Conditions, Conditions] = ([], [])
    rest: Conditions = []
    for condition in conjuncts(operation.condition):
        used = {reference.input_index for reference in references(condition)}
        side = next(iter(used)) if len(used) == 1 else None
        is_calling = side is not None and (makes_calls or operation.inputs[side] in calling)
        (sides[side] if side is not None and is_calling and _is_movable(condition) else rest).append(condition)
    if not any(sides):
        return operation
    left, right = [_filter(input, side) for input, side in zip(operation.inputs, sides, strict=True)]
    return operation.evolve(left=left, right=right, condition=conjunction(rest) if rest else None)


def _rewrite_for_join(condition: ResolvedExpression, join: Join) -> ResolvedExpression:
    """Rewrite a condition over the joined rows as a condition of the join."""
    width = len(join.left.schema)
    columns = (*join.left.schema.columns, *join.right.schema.columns)

    def moved(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, FieldReference):
            return None
        column, is_right = columns[part.index], part.index >= width
        return FieldReference(column.name, column.data_type, int(is_right), part.index - (width if is_right else 0))

    return replace(condition, moved)


def _filter(input: QueryOperation, conditions: Sequence[ResolvedExpression], shift: int = 0) -> QueryOperation:
    """Filter an input by conditions whose column positions are ``shift`` too high."""
    columns = input.schema.columns

    def moved(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, FieldReference):
            return None
        index = part.index - shift
        return FieldReference(columns[index].name, columns[index].data_type, 0, index)

    return Filter(input, replace(conjunction(conditions), moved)) if conditions else input
