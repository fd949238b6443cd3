"""Find asynchronous calls in expressions, and the conditions under which a row reaches each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ir import types as t
from ir.call_expressions import Call
from ir.calls import call as make_call
from ir.contents import CHANGING, OVER, QUERY
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions import logic
from ir.functions.comparison import IS_NULL
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.literals import literal
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.rewriting import replace, replace_children, transform_operations
from tableapi.user_functions.declaration import UserFunction

Guard = tuple[ResolvedExpression, ...]
"""Conditions of which all have to be TRUE; the empty guard always holds."""


def async_function(part: ResolvedExpression) -> UserFunction | None:
    """Return the asynchronous function that an expression calls, or None if the expression is no such call."""
    if not isinstance(part, Call) or part.function.kind is not FunctionKind.ASYNC_SCALAR:
        return None
    function = part.function.user_code.implementation
    return function.of_call(part) if isinstance(function, UserFunction) else None


def is_async(part: ResolvedExpression) -> bool:
    """Whether an expression is an asynchronous call."""
    return async_function(part) is not None


def holds_async(expression: ResolvedExpression | None) -> bool:
    """Whether an expression contains an asynchronous call."""
    return expression is not None and any(map(is_async, expression.walk()))


def async_parts(expressions: Iterable[ResolvedExpression]) -> set[ResolvedExpression]:
    """Return the parts of expressions that contain an asynchronous call or are one."""
    found: set[ResolvedExpression] = set()
    for expression in expressions:
        for part in expression.walk():
            if is_async(part) or any(child in found for child in part.children):
                found.add(part)
    return found


def calls_in(expressions: Iterable[ResolvedExpression]) -> list[Call]:
    """Return the distinct asynchronous calls in expressions, arguments before the calls that use them."""
    parts = (part for expression in expressions for part in expression.walk())
    return list(dict.fromkeys(part for part in parts if isinstance(part, Call) and is_async(part)))


def queries_with_async(root: QueryOperation) -> set[QueryOperation]:
    """Return the operations of a query that make asynchronous calls, themselves or below them."""
    found: set[QueryOperation] = set()
    for current in root.walk_with_subqueries():
        below = (*current.inputs, *current.subqueries)
        if any(operation in found for operation in below) or any(map(holds_async, current.expressions)):
            found.add(current)
    return found


def is_correlated(expression: ResolvedExpression) -> bool:
    """Whether a subquery in an expression refers to columns outside of the subquery."""
    if not expression.contents & QUERY:
        return False
    return any(isinstance(part, TableReference) and outer_references(part.operation) for part in expression.walk())


def outer_names(expressions: Iterable[ResolvedExpression]) -> set[str]:
    """Return the names of the outer columns to which the subqueries in expressions refer."""
    return {
        reference.name
        for expression in expressions
        if expression.contents & QUERY
        for part in expression.walk()
        if isinstance(part, TableReference)
        for reference in outer_references(part.operation)
    }


def holds_window(expression: ResolvedExpression) -> bool:
    """Whether an expression contains a window function."""
    return bool(expression.contents & OVER)


def is_repeatable(expression: ResolvedExpression) -> bool:
    """Whether an expression is deterministic, apart from its asynchronous calls."""
    return all(
        not isinstance(part, Call) or part.function.is_deterministic or is_async(part) for part in expression.walk()
    )


def is_stable(expression: ResolvedExpression) -> bool:
    """Whether an expression is deterministic."""
    return not expression.contents & CHANGING


def is_copyable(expression: ResolvedExpression) -> bool:
    """Whether computing an expression again gives the same value, and no subquery in it repeats asynchronous calls."""
    if not expression.contents & QUERY:
        return is_stable(expression)
    queries = [part.operation for part in expression.walk() if isinstance(part, TableReference)]
    return is_stable(expression) and not any(map(queries_with_async, queries))


def is_movable(expression: ResolvedExpression) -> bool:
    """Whether an expression is deterministic and contains no subquery."""
    return not expression.contents & (CHANGING | QUERY)


def references(expression: ResolvedExpression) -> Iterator[FieldReference]:
    """Yield the column references in an expression."""
    return (part for part in expression.walk() if isinstance(part, FieldReference))


def direct_call(argument: ResolvedExpression) -> Call | None:
    """Return the asynchronous call whose result an argument passes on unchanged, as Python sees it; or None."""
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


def find_guards(roots: Iterable[ResolvedExpression], holding: set[ResolvedExpression]) -> dict[Call, set[Guard]]:
    """Return the guards of each asynchronous call: the conditions under which a row reaches it.

    A call that every row reaches has an empty guard.

    Args:
        roots: the expressions, each of which every row reaches.
        holding: the parts of the expressions that contain an asynchronous call.
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
        call: {_remove_own_dependence(call, guard, inside) for guard in guards} if len(guards) > 1 else guards
        for call, guards in found.items()
    }


def _remove_own_dependence(call: Call, guard: Guard, inside: dict[ResolvedExpression, set[Call]]) -> Guard:
    """Remove the dependence of a guard on the result of its own call, because a call cannot wait for itself.

    If a condition asks for the result for some row, the row reaches the call in the condition already. For any other
    row, the condition does not depend on the result, so NULL can replace the result.
    """

    def without_result(part: ResolvedExpression) -> ResolvedExpression | None:
        # The same holds for a call that has this call as an argument.
        if isinstance(part, Call) and is_async(part) and call in _calls_within(part, inside):
            return literal(None, part.type_.as_nullable())
        return None

    return tuple([replace(condition, without_result) for condition in guard])


def _calls_within(condition: ResolvedExpression, inside: dict[ResolvedExpression, set[Call]]) -> set[Call]:
    if condition not in inside:
        inside[condition] = set(calls_in((condition,)))
    return inside[condition]


def drop_calling_conditions(alternatives: set[Guard]) -> set[Guard]:
    """Drop the conditions that make calls from guards; more rows meet the result."""
    return {tuple([condition for condition in guard if not holds_async(condition)]) for guard in alternatives}


def _steps(expression: ResolvedExpression) -> list[tuple[ResolvedExpression, Guard]]:
    """Return the children of an expression with the conditions under which a row reaches each of them."""
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
    """Return the disjunction of guards, or None if every row meets one of them."""
    if () in alternatives:
        return None
    # Sort by text, so that a query always has the same plan.
    joined = sorted(
        (_build_conjunction(logic.AND, guard) for guard in alternatives), key=lambda one: one.as_summary_string()
    )
    return _build_conjunction(logic.OR, tuple(joined))


def _build_conjunction(function: FunctionDefinition, conditions: Guard) -> ResolvedExpression:
    return conditions[0] if len(conditions) == 1 else make_call(function, conditions)


def find_correlated_queries(root: QueryOperation) -> set[QueryOperation]:
    """Return the operations of subqueries that refer to columns of an outer query."""
    found: set[QueryOperation] = set()
    for current in root.walk_with_subqueries():
        for query in current.subqueries:
            if outer_references(query):
                found.update(query.walk())
    return found


def occurrences_apart(root: QueryOperation) -> QueryOperation:
    """Separate the occurrences of each non-deterministic asynchronous call in a query.

    Equal calls are one interned object, and would otherwise run once.
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
    # Visit every use of a shared part, because each use becomes a part of its own.
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
            made = replace_children(current, tuple(results[len(results) - count :]))
            del results[len(results) - count :]
            function = async_function(made)
            if function is not None and not function.is_deterministic:
                assert isinstance(made, Call)
                made = made.evolve(function=attrs.evolve(made.function))
            results.append(made)
    return results[0]
