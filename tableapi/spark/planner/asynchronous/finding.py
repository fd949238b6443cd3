"""Which parts of expressions are asynchronous calls, and under which conditions a row reaches them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ir import types as t
from ir.contents import CHANGING, OVER, QUERY
from ir.expressions import Call, FieldReference, ResolvedExpression, TableReference
from ir.functions import logic
from ir.functions.calls import call as make_call
from ir.functions.comparison import IS_NULL
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.operations.outer_references import outer_references
from ir.rewriting import replace, transform_operations, with_children
from tableapi.user_functions.declaration import UserFunction

Guard = tuple[ResolvedExpression, ...]
"""Conditions that all have to be TRUE."""


def async_function(part: ResolvedExpression) -> UserFunction | None:
    """Return the asynchronous function that an expression is a call of, None if it is no such call."""
    if not isinstance(part, Call) or part.function.kind is not FunctionKind.ASYNC_SCALAR:
        return None
    function = part.function.implementation
    return function.of_call(part) if isinstance(function, UserFunction) else None


def is_async(part: ResolvedExpression) -> bool:
    """Whether an expression is an asynchronous call."""
    return async_function(part) is not None


def holds_async(expression: ResolvedExpression | None) -> bool:
    """Whether an expression has an asynchronous call in it."""
    return expression is not None and any(map(is_async, expression.walk()))


def async_parts(expressions: Iterable[ResolvedExpression]) -> set[ResolvedExpression]:
    """Return the parts of expressions that have an asynchronous call in them."""
    found: set[ResolvedExpression] = set()
    for expression in expressions:
        for part in expression.walk():
            if is_async(part) or any(child in found for child in part.children):
                found.add(part)
    return found


def calls_in(expressions: Iterable[ResolvedExpression]) -> list[Call]:
    """Return the asynchronous calls in expressions, each once, arguments first."""
    parts = (part for expression in expressions for part in expression.walk())
    return list(dict.fromkeys(part for part in parts if isinstance(part, Call) and is_async(part)))


def queries_with_async(root: QueryOperation) -> set[QueryOperation]:
    """Return the operations of a query that make asynchronous calls, by themselves or below."""
    found: set[QueryOperation] = set()
    for current in root.walk_with_subqueries():
        below = (*current.inputs, *current.subqueries)
        if any(operation in found for operation in below) or any(map(holds_async, current.expressions)):
            found.add(current)
    return found


def is_correlated(expression: ResolvedExpression) -> bool:
    """Whether a query in an expression refers to columns by names outside of it."""
    if not expression.contents & QUERY:
        return False
    return any(isinstance(part, TableReference) and outer_references(part.operation) for part in expression.walk())


def outer_names(expressions: Iterable[ResolvedExpression]) -> set[str]:
    """Return the names of the columns to which the queries in expressions refer outside of themselves."""
    return {
        reference.name
        for expression in expressions
        if expression.contents & QUERY
        for part in expression.walk()
        if isinstance(part, TableReference)
        for reference in outer_references(part.operation)
    }


def holds_window(expression: ResolvedExpression) -> bool:
    """Whether something in an expression is computed over a window."""
    return bool(expression.contents & OVER)


def is_repeatable(expression: ResolvedExpression) -> bool:
    """Whether an expression gives the same wherever it stands and how often it is computed, calls left aside."""
    return all(
        not isinstance(part, Call) or part.function.is_deterministic or is_async(part) for part in expression.walk()
    )


def is_stable(expression: ResolvedExpression) -> bool:
    """Whether an expression gives the same wherever it stands."""
    return not expression.contents & CHANGING


def is_copyable(expression: ResolvedExpression) -> bool:
    """Whether an expression gives the same when it is computed once more, and makes no calls in queries for that."""
    if not expression.contents & QUERY:
        return is_stable(expression)
    queries = [part.operation for part in expression.walk() if isinstance(part, TableReference)]
    return is_stable(expression) and not any(map(queries_with_async, queries))


def is_movable(expression: ResolvedExpression) -> bool:
    """Whether an expression gives the same wherever and how often it is computed, and knows no other queries."""
    return not expression.contents & (CHANGING | QUERY)


def references(expression: ResolvedExpression) -> Iterator[FieldReference]:
    """Yield the columns in an expression."""
    return (part for part in expression.walk() if isinstance(part, FieldReference))


def direct_call(argument: ResolvedExpression) -> Call | None:
    """Return the asynchronous call whose result an argument is, unchanged to a function in Python; or None."""
    while isinstance(argument, Call) and argument.function is CAST and _is_widening(argument):
        argument = argument.arguments[0]
    return argument if isinstance(argument, Call) and is_async(argument) else None


_INTEGERS = (t.TinyIntType, t.SmallIntType, t.IntType, t.BigIntType)


def _is_widening(cast: Call) -> bool:
    before, after = cast.arguments[0].data_type, cast.type_
    ranks = {kind: rank for rank, kind in enumerate(_INTEGERS)}
    if type(before) in ranks and type(after) in ranks:
        return ranks[type(before)] <= ranks[type(after)]  # type: ignore[index]  # looked up the line before
    return before.as_nullable() is after.as_nullable()


def reached(roots: Iterable[ResolvedExpression], holding: set[ResolvedExpression]) -> dict[Call, set[Guard]]:
    """Return the conditions under which rows reach each asynchronous call; one that all reach has an empty guard.

    Args:
        roots: the expressions, all of which each row reaches.
        holding: the parts of them that have an asynchronous call in them.
    """
    found: dict[Call, set[Guard]] = {}
    seen: set[tuple[ResolvedExpression, Guard]] = set()
    stack: list[tuple[ResolvedExpression, Guard]] = [(root, ()) for root in roots]
    while stack:
        current, guard = stack.pop()
        if current not in holding or (current, guard) in seen:
            continue
        seen.add((current, guard))
        if isinstance(current, Call) and is_async(current):
            found.setdefault(current, set()).add(guard)
        stack += [(child, tuple(dict.fromkeys((*guard, *more)))) for child, more in _steps(current)]
    inside: dict[ResolvedExpression, set[Call]] = {}
    return {
        call: {_apart_from(call, guard, inside) for guard in guards} if len(guards) > 1 else guards
        for call, guards in found.items()
    }


def _apart_from(call: Call, guard: Guard, inside: dict[ResolvedExpression, set[Call]]) -> Guard:
    """Return a guard whose conditions do not need the result of the call: a call cannot wait for itself.

    A row for which such a condition asks for the result reaches the call there. For any other row, the condition is the
    same whatever the result is, and so with NULL for it.
    """

    def without_result(part: ResolvedExpression) -> ResolvedExpression | None:
        # Neither is a call of which it is an argument made for these rows.
        if isinstance(part, Call) and is_async(part) and call in _calls_within(part, inside):
            return literal(None, part.type_.as_nullable())
        return None

    return tuple([replace(condition, without_result) for condition in guard])


def _calls_within(condition: ResolvedExpression, inside: dict[ResolvedExpression, set[Call]]) -> set[Call]:
    if condition not in inside:
        inside[condition] = set(calls_in((condition,)))
    return inside[condition]


def without_calls(alternatives: set[Guard]) -> set[Guard]:
    """Return guards without the conditions that make calls, which more rows meet."""
    return {tuple([condition for condition in guard if not holds_async(condition)]) for guard in alternatives}


def _steps(expression: ResolvedExpression) -> list[tuple[ResolvedExpression, Guard]]:
    """Return the children of an expression, with the conditions under which a row reaches each of them."""
    if isinstance(expression, Call):
        arguments = expression.arguments
        if expression.function is logic.CASE:
            return _branches(arguments)
        if expression.function in (logic.COALESCE, logic.IF_NULL):
            tests = [make_call(IS_NULL, (argument,)) for argument in arguments]
            return [(argument, tuple(tests[:i])) for i, argument in enumerate(arguments)]
        if expression.function in (logic.AND, logic.OR):
            test = logic.IS_NOT_FALSE if expression.function is logic.AND else logic.IS_NOT_TRUE
            tests = [make_call(test, (argument,)) for argument in arguments]
            return [(argument, tuple(tests[:i])) for i, argument in enumerate(arguments)]
    return [(child, ()) for child in expression.children]


def _branches(arguments: tuple[ResolvedExpression, ...]) -> list[tuple[ResolvedExpression, Guard]]:
    found: list[tuple[ResolvedExpression, Guard]] = []
    before: Guard = ()
    for condition, result in zip(arguments[0::2], arguments[1::2], strict=False):
        found.append((condition, before))
        found.append((result, (*before, condition)))
        before = (*before, make_call(logic.IS_NOT_TRUE, (condition,)))
    if len(arguments) % 2:
        found.append((arguments[-1], before))
    return found


def guard_of(alternatives: set[Guard]) -> ResolvedExpression | None:
    """Return the condition that a row is reached by one of several ways, None where all rows are."""
    if () in alternatives:
        return None
    # In the order of their text, so that a query always has one plan.
    joined = sorted((_all(logic.AND, guard) for guard in alternatives), key=lambda one: one.as_summary_string())
    return _all(logic.OR, tuple(joined))


def _all(function: FunctionDefinition, conditions: Guard) -> ResolvedExpression:
    return conditions[0] if len(conditions) == 1 else make_call(function, conditions)


def correlated_queries(root: QueryOperation) -> set[QueryOperation]:
    """Return the operations of queries that refer to columns of the query around them."""
    found: set[QueryOperation] = set()
    for current in root.walk_with_subqueries():
        for query in current.subqueries:
            if outer_references(query):
                found.update(query.walk())
    return found


def occurrences_apart(root: QueryOperation) -> QueryOperation:
    """Return a query in which each call of a function that is not deterministic is one of its own.

    Calls that are written alike are one object otherwise, and would be one call.
    """
    return transform_operations(root, lambda current: current, _apart)


def _apart(expression: ResolvedExpression) -> ResolvedExpression:
    holding: set[ResolvedExpression] = set()
    for part in expression.walk():
        function = async_function(part)
        if (function is not None and not function.is_deterministic) or any(c in holding for c in part.children):
            holding.add(part)
    if expression not in holding:
        return expression
    # Each use of a part is gone through, so that each becomes another one.
    results: list[ResolvedExpression] = []
    stack: list[tuple[ResolvedExpression, bool]] = [(expression, False)]
    while stack:
        current, ready = stack.pop()
        if current not in holding:
            results.append(current)
        elif not ready:
            stack.append((current, True))
            stack.extend((child, False) for child in reversed(current.children))
        else:
            count = len(current.children)
            made = with_children(current, tuple(results[len(results) - count :]))
            del results[len(results) - count :]
            function = async_function(made)
            if function is not None and not function.is_deterministic:
                assert isinstance(made, Call)
                made = made.evolve(function=attrs.evolve(made.function))
            results.append(made)
    return results[0]
