"""The reads of an expression: columns of its inputs, columns of outer queries, and queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ir.call_expressions import Call, Over
from ir.expressions import (
    FieldReference,
    Lambda,
    LambdaVariable,
    OuterReference,
    ResolvedExpression,
    SortOrder,
    SymbolLiteral,
    ValueLiteral,
)
from ir.functions.definition import FunctionKind
from ir.lineage.function_rules import RULES
from ir.lineage.influences import Influence, combine
from ir.lineage.paths import WHOLE, Path, existing_part
from ir.lineage.reads import ORDER, Bindings, Read
from ir.operations.operation import TableReference

# The order of the rows matters to aggregates such as FIRST_VALUE.
_ORDER_OF_INPUT = Read(SymbolLiteral("order"), WHOLE, Influence.SORT, ORDER)
_AGGREGATING = (FunctionKind.AGGREGATE, FunctionKind.TABLE_AGGREGATE)


class Leaf(NamedTuple):
    """A part of a column, a query, or the order of the input, with its influence on an expression.

    Attributes:
        expression: a reference to a column, a query, or None for the order of the rows of the input.
        path: the part of the column.
        influence: the influence.
        column: for a query, the position of the column, or a constant of ``ir.lineage.reads``.
    """

    expression: FieldReference | OuterReference | TableReference | None
    path: Path
    influence: Influence
    column: int


class _Item(NamedTuple):
    read: Read
    bindings: Bindings | None


def leaves(
    expression: ResolvedExpression, path: Path = WHOLE, influence: Influence = Influence.IDENTITY
) -> Iterator[Leaf]:
    """Yield each leaf that a part of an expression reads, without recursion and each shared part once.

    Args:
        expression: the expression.
        path: the part of its value.
        influence: the influence of the expression on what is computed from it.
    """
    seen: set[tuple[ResolvedExpression, Path, Influence, int, Bindings | None]] = set()
    made: dict[tuple[object, ...], Bindings] = {}
    stack = [_Item(Read(expression, path, influence), None)]
    while stack:
        (part, inside, how, column, _), bindings = stack.pop()
        key = part, inside, how, column, bindings
        if key in seen:
            continue
        seen.add(key)
        if isinstance(part, FieldReference | OuterReference | TableReference):
            yield Leaf(part, existing_part(inside, part.data_type) if column < 0 else inside, how, column)
            continue
        if isinstance(part, LambdaVariable):
            stack += _bound(part, inside, how, bindings)
            continue
        for read in _reads(part, inside):
            if read is _ORDER_OF_INPUT:
                yield Leaf(None, WHOLE, combine(how, Influence.SORT), ORDER)
                continue
            below = bindings
            if read.bindings is not None:
                named = read.bindings, bindings
                below = made.get(named)
                if below is None:
                    values = {variable: (given, start) for variable, given, start in read.bindings}
                    below = made[named] = Bindings(values, bindings)
            stack.append(_Item(read._replace(influence=combine(how, read.influence), bindings=None), below))


def _bound(variable: LambdaVariable, path: Path, influence: Influence, bindings: Bindings | None) -> Iterator[_Item]:
    """Yield the expression to which the parameter of a lambda is bound."""
    while bindings is not None:
        found = bindings.values.get(variable)
        if found is not None:
            yield _Item(Read(found[0], (*found[1], *path), influence), bindings.outer)
            return
        bindings = bindings.outer


def _reads(part: ResolvedExpression, path: Path) -> list[Read]:
    """Return the reads of a part of the value of an expression that is not a leaf."""
    if isinstance(part, SortOrder):
        return [Read(part.expression)]
    if isinstance(part, Lambda):
        # A function without a rule calls it; its arguments are read as a whole.
        return [Read(part.body)]
    if isinstance(part, Over):
        return _reads_of_window(part, path)
    return _reads_of_call(part, path) if isinstance(part, Call) else []


def _reads_of_call(call: Call, path: Path) -> list[Read]:
    rule = RULES.get(call.function)
    found = None if rule is None else rule(call, path)
    if found is None:
        found = [Read(argument, WHOLE, Influence.TRANSFORMATION) for argument in call.arguments]
    if call.function.kind in _AGGREGATING:
        found = [read._replace(influence=combine(Influence.AGGREGATION, read.influence)) for read in found]
        if not call.function.aggregation.in_any_order and not call.order_by:
            found.append(_ORDER_OF_INPUT)
    # MODE() WITHIN GROUP (ORDER BY v) and PERCENTILE_CONT(0.5) compute from the sort keys.
    takes_keys = all(isinstance(argument, ValueLiteral) for argument in call.arguments)
    found += [Read(key, WHOLE, Influence.AGGREGATION if takes_keys else Influence.SORT) for key in call.order_by]
    if call.filter is not None:
        found.append(Read(call.filter, WHOLE, Influence.FILTER))
    return found


def _reads_of_window(over: Over, path: Path) -> list[Read]:
    found = [read for read in _reads_of_call(over.call, path) if read is not _ORDER_OF_INPUT]
    if not over.order_by and not over.call.function.aggregation.in_any_order:
        found.append(_ORDER_OF_INPUT)
    return [*found, *[Read(key, WHOLE, Influence.WINDOW) for key in (*over.partition_by, *over.order_by)]]
