"""Conditions that go below joins and unions: Spark itself moves none below what makes calls."""

from __future__ import annotations

from collections.abc import Callable, Set

from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.calls import call
from ir.functions.logic import AND
from ir.operations.filter import Filter
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.rewriting import replace
from tableapi.spark.planner.asynchronous.chain import conjuncts
from tableapi.spark.planner.asynchronous.finding import holds_async, is_correlated, is_repeatable, references


def push_condition(operation: QueryOperation, calling: Set[QueryOperation]) -> QueryOperation:
    """Return the same query with conditions below a join or a union, on the side whose rows make calls.

    Args:
        operation: the query, which is returned as it is unless it is a filter over such an operation, or such a join.
        calling: the operations that make calls, by themselves or below.
    """
    if isinstance(operation, Join):
        return _condition_of_join(operation, calling)
    if not isinstance(operation, Filter):
        return operation
    below = operation.input
    left: list[ResolvedExpression] = []
    right: list[ResolvedExpression] = []
    rest: list[ResolvedExpression] = []
    places = _places(below, calling)
    for condition in conjuncts(operation.condition):
        place = places(condition) if _is_movable(condition) else None
        (rest if place is None else (left, right, left)[place]).append(condition)
        if place == _BOTH:
            right.append(condition)
    if not left and not right:
        return operation
    made = _over(below, left, right)
    return Filter(made, _all(rest)) if rest else made


_LEFT, _RIGHT, _BOTH = 0, 1, 2


def _is_movable(condition: ResolvedExpression) -> bool:
    return not holds_async(condition) and is_repeatable(condition) and not is_correlated(condition)


def _places(operation: QueryOperation, calling: Set[QueryOperation]) -> Callable[[ResolvedExpression], int | None]:
    """Return what says of a condition over an operation where it can go."""
    if isinstance(operation, Join):
        width = len(operation.left.schema)
        may_left = operation.left in calling and not operation.join_type.left_is_optional
        may_right = operation.right in calling and not operation.join_type.right_is_optional

        def of_join(condition: ResolvedExpression) -> int | None:
            used = {reference.index < width for reference in references(condition)}
            if used == {True} and may_left:
                return _LEFT
            return _RIGHT if used == {False} and may_right else None

        return of_join
    if isinstance(operation, LateralJoin) and operation.input in calling:
        width = len(operation.input.schema)
        return lambda condition: _LEFT if all(r.index < width for r in references(condition)) else None
    if isinstance(operation, SetOperation) and operation.kind is SetOperationType.UNION and operation in calling:
        types = [
            [column.data_type.as_nullable() for column in schema.columns]
            for schema in (operation.schema, operation.left.schema, operation.right.schema)
        ]
        same = {i for i, found in enumerate(zip(*types, strict=True)) if len(set(found)) == 1}
        return lambda condition: _BOTH if all(r.index in same for r in references(condition)) else None
    return lambda condition: None


def _over(operation: QueryOperation, left: list[ResolvedExpression], right: list[ResolvedExpression]) -> QueryOperation:
    if isinstance(operation, LateralJoin):
        return operation.evolve(input=_filtered(operation.input, left, 0))
    assert isinstance(operation, (Join, SetOperation))
    shift = len(operation.left.schema) if isinstance(operation, Join) else 0
    return operation.evolve(left=_filtered(operation.left, left, 0), right=_filtered(operation.right, right, shift))


def _condition_of_join(operation: Join, calling: Set[QueryOperation]) -> QueryOperation:
    """Conditions of an inner join on one side are those of that side."""
    if operation.join_type is not JoinType.INNER or operation.condition is None:
        return operation
    sides: tuple[list[ResolvedExpression], list[ResolvedExpression]] = ([], [])
    rest: list[ResolvedExpression] = []
    for condition in conjuncts(operation.condition):
        used = {reference.input_index for reference in references(condition)}
        side = next(iter(used)) if len(used) == 1 else None
        is_calling = side is not None and operation.inputs[side] in calling
        (sides[side] if side is not None and is_calling and _is_movable(condition) else rest).append(condition)
    if not any(sides):
        return operation
    left, right = [_filtered(input, side, 0) for input, side in zip(operation.inputs, sides, strict=True)]
    return operation.evolve(left=left, right=right, condition=_all(rest) if rest else None)


def _filtered(input: QueryOperation, conditions: list[ResolvedExpression], shift: int) -> QueryOperation:
    """Return the rows of an input that meet conditions over columns that are so many places further to the right."""
    columns = input.schema.columns

    def moved(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, FieldReference):
            return None
        index = part.index - shift
        return FieldReference(columns[index].name, columns[index].data_type, 0, index)

    return Filter(input, replace(_all(conditions), moved)) if conditions else input


def _all(conditions: list[ResolvedExpression]) -> ResolvedExpression:
    return conditions[0] if len(conditions) == 1 else call(AND, conditions)
