"""Replacement of parts of expressions and operations, without recursion and with shared parts rewritten once."""

from __future__ import annotations

from collections.abc import Callable

from ir.expressions import Call, Over, ResolvedExpression, SortOrder, TableReference
from ir.nodes import init_fields, post_order
from ir.operations.operation import QueryOperation


def with_children(expression: ResolvedExpression, children: tuple[ResolvedExpression, ...]) -> ResolvedExpression:
    """Return the same expression over other children; its type stays."""
    if isinstance(expression, (Call, Over)):
        return expression.with_children(children)
    if isinstance(expression, SortOrder):
        return SortOrder(children[0], expression.ascending, expression.nulls_first)
    return expression


def replace(
    root: ResolvedExpression, find: Callable[[ResolvedExpression], ResolvedExpression | None]
) -> ResolvedExpression:
    """Replace the topmost parts of ``root`` for which ``find`` returns something else; below those it does not look."""
    done: dict[ResolvedExpression, ResolvedExpression] = {}
    stack: list[tuple[ResolvedExpression, bool]] = [(root, False)]
    while stack:
        current, ready = stack.pop()
        if ready:
            children = tuple([done[child] for child in current.children])
            done[current] = current if children == current.children else with_children(current, children)
        elif current not in done:
            found = find(current)
            if found is not None:
                done[current] = found
            elif not current.children:
                done[current] = current
            else:
                stack.append((current, True))
                stack.extend((child, False) for child in current.children)
    return done[root]


def transform(
    root: ResolvedExpression, change: Callable[[ResolvedExpression], ResolvedExpression]
) -> ResolvedExpression:
    """Apply ``change`` to every part of ``root``, children first; each part is seen with its children changed."""
    done: dict[ResolvedExpression, ResolvedExpression] = {}
    for current in post_order(root, lambda e: e.children):
        children = tuple([done[child] for child in current.children])
        same = all(a is b for a, b in zip(children, current.children, strict=True))
        done[current] = change(current if same else with_children(current, children))
    return done[root]


def transform_operations(
    root: QueryOperation,
    change: Callable[[QueryOperation], QueryOperation],
    change_expression: Callable[[ResolvedExpression], ResolvedExpression] | None = None,
) -> QueryOperation:
    """Apply ``change`` to every operation, inputs first, and ``change_expression`` to their expressions."""
    done: dict[QueryOperation, QueryOperation] = {}
    for current in post_order(root, lambda operation: operation.inputs):
        changed: dict[str, object] = {}
        for name in init_fields(type(current)):
            value = getattr(current, name)
            new = _changed(value, done, change_expression)
            if new is not value:
                changed[name] = new
        done[current] = change(current.evolve(**changed) if changed else current)
    return done[root]


def _changed(
    value: object,
    done: dict[QueryOperation, QueryOperation],
    change_expression: Callable[[ResolvedExpression], ResolvedExpression] | None,
) -> object:
    if isinstance(value, QueryOperation):
        return done[value]
    if isinstance(value, ResolvedExpression):
        return value if change_expression is None else change_expression(value)
    if isinstance(value, tuple):
        items = [_changed(item, done, change_expression) for item in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else tuple(items)
    return value


def expressions_of(operation: QueryOperation) -> list[ResolvedExpression]:
    """Return the expressions that an operation itself holds, without their parts."""
    found: list[ResolvedExpression] = []
    pending: list[object] = [getattr(operation, name) for name in reversed(init_fields(type(operation)))]
    while pending:
        value = pending.pop()
        if isinstance(value, ResolvedExpression):
            found.append(value)
        elif isinstance(value, tuple):
            pending.extend(reversed(value))
    return found


def sources_of(operation: QueryOperation) -> list[QueryOperation]:
    """Return the operations without inputs that a query reads, also in the queries within its expressions."""
    found: dict[QueryOperation, None] = {}
    seen: set[QueryOperation] = set()
    pending = [operation]
    while pending:
        for current in pending.pop().walk():
            if current in seen:
                continue
            seen.add(current)
            if not current.inputs:
                found.setdefault(current)
            parts = (part for expression in expressions_of(current) for part in expression.walk())
            pending += [part.operation for part in parts if isinstance(part, TableReference)]
    return list(found)
