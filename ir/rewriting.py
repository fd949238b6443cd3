"""Replacement of parts of expressions and operations, without recursion; shared parts are rewritten once."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from itertools import count

from ir.call_expressions import Call, Over
from ir.contents import COLUMN
from ir.expressions import (
    FieldReference,
    Lambda,
    LambdaVariable,
    OuterReference,
    ResolvedExpression,
    SortOrder,
    children_of,
)
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold
from ir.light_typing import Any
from ir.nodes import post_order
from ir.operations.operation import QueryOperation, TableReference


def replace_children(expression: ResolvedExpression, children: tuple[ResolvedExpression, ...]) -> ResolvedExpression:
    """Return the same expression over other children, with its type unchanged."""
    if isinstance(expression, Call):
        made = expression.with_children(children)
        return made if made.function.kept is None else made.function.kept(made)
    if isinstance(expression, Over):
        return expression.with_children(children)
    if isinstance(expression, SortOrder):
        return SortOrder(children[0], expression.ascending, expression.nulls_first)
    if isinstance(expression, Lambda):
        return make_lambda(expression.parameters, children[0])
    return expression


def replace_functions(
    expression: ResolvedExpression, change: Callable[[FunctionDefinition], FunctionDefinition]
) -> ResolvedExpression:
    """Return an expression whose calls, those with OVER among them, call the functions that ``change`` returns."""

    def changed(part: ResolvedExpression) -> ResolvedExpression:
        if isinstance(part, Over):
            # Its call is no child of it.
            inner = changed(part.call)
            return part if inner is part.call else part.evolve(call=inner)
        if not isinstance(part, Call):
            return part
        found = change(part.function)
        return part if found is part.function else part.evolve(function=found)

    return transform(expression, changed)


def make_lambda(parameters: tuple[LambdaVariable, ...], body: ResolvedExpression) -> Lambda:
    """Return a lambda, with parameters renamed that have the name of a column in the body.

    The new name is the old one with the first number from 0 that makes it unique in the body.
    """
    if not body.contents & COLUMN:
        return Lambda(parameters, body)
    columns = {fold(part.name) for part in body.walk() if isinstance(part, FieldReference)}
    if all(fold(parameter.name) not in columns for parameter in parameters):
        return Lambda(parameters, body)
    taken = columns | {fold(part.name) for part in body.walk() if isinstance(part, LambdaVariable)}
    taken |= {fold(p.name) for part in body.walk() if isinstance(part, Lambda) for p in part.parameters}
    taken |= {fold(parameter.name) for parameter in parameters}
    renamed = []
    for parameter in parameters:
        if fold(parameter.name) in columns:
            old, parameter = parameter, LambdaVariable(choose_unused_name(parameter.name, taken), parameter.type_)
            taken.add(fold(parameter.name))
            body = _replace_variable(body, old, parameter)
        renamed.append(parameter)
    return Lambda(tuple(renamed), body)


def rename_parameters(given: Lambda, taken: Container[str]) -> Lambda:
    """Return an equivalent lambda without parameters whose folded names are in ``taken``."""
    if all(fold(parameter.name) not in taken for parameter in given.parameters):
        return given
    inside = {fold(part.name) for part in given.body.walk() if isinstance(part, (FieldReference, LambdaVariable))}
    inside |= {fold(p.name) for part in given.body.walk() if isinstance(part, Lambda) for p in part.parameters}
    inside |= {fold(parameter.name) for parameter in given.parameters}
    renamed, body = [], given.body
    for parameter in given.parameters:
        if fold(parameter.name) in taken:
            number = (f"{parameter.name}_{n}" for n in count())
            name = next(found for found in number if fold(found) not in inside and fold(found) not in taken)
            old, parameter = parameter, LambdaVariable(name, parameter.type_)
            inside.add(fold(name))
            body = _replace_variable(body, old, parameter)
        renamed.append(parameter)
    return make_lambda(tuple(renamed), body)


def _replace_variable(body: ResolvedExpression, old: LambdaVariable, new: LambdaVariable) -> ResolvedExpression:
    """Replace a variable in a body, except in inner lambdas with a parameter of the same name."""

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        if isinstance(part, Lambda):
            return part if any(fold(p.name) == fold(old.name) for p in part.parameters) else None
        return new if part is old else None

    return replace(body, find)


def choose_unused_name(name: str, taken: Container[str]) -> str:
    """Return the name with the first number that makes its folded form differ from all in ``taken``."""
    return next(found for number in count() if fold(found := f"{name}_{number}") not in taken)


def free_variables(root: ResolvedExpression) -> frozenset[LambdaVariable]:
    """Return the lambda parameters to which an expression refers outside of their lambdas."""
    found: dict[ResolvedExpression, frozenset[LambdaVariable]] = {}
    for part in root.walk():
        free = variables_in(part, found)
        if free:
            found[part] = free
    return found.get(root, _NONE)


def variables_in(
    part: ResolvedExpression, known: Mapping[ResolvedExpression, frozenset[LambdaVariable]]
) -> frozenset[LambdaVariable]:
    """Return the free variables of a part, from the known ones of its children."""
    if isinstance(part, LambdaVariable):
        return frozenset((part,))
    free = _NONE.union(*[known[child] for child in part.children if child in known])
    return free.difference(part.parameters) if isinstance(part, Lambda) else free


_NONE: frozenset[LambdaVariable] = frozenset()


def replace(
    root: ResolvedExpression, find: Callable[[ResolvedExpression], ResolvedExpression | None]
) -> ResolvedExpression:
    """Replace the topmost parts of ``root`` for which ``find`` returns an expression, without searching inside them."""
    if not root.children:
        found = find(root)
        return root if found is None else found
    done: dict[ResolvedExpression, ResolvedExpression] = {}
    stack: list[tuple[ResolvedExpression, bool]] = [(root, False)]
    while stack:
        current, ready = stack.pop()
        if ready:
            children = tuple([done[child] for child in current.children])
            done[current] = current if children == current.children else replace_children(current, children)
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
    """Apply ``change`` to every part of ``root``, children first, with the children of each part already changed."""
    done: dict[ResolvedExpression, ResolvedExpression] = {}
    for current in post_order(root, children_of):
        children = tuple([done[child] for child in current.children])
        same = all(a is b for a, b in zip(children, current.children, strict=True))
        done[current] = change(current if same else replace_children(current, children))
    return done[root]


def transform_operations(
    root: QueryOperation,
    change: Callable[[QueryOperation], QueryOperation],
    change_expression: Callable[[ResolvedExpression], ResolvedExpression] | None = None,
) -> QueryOperation:
    """Apply ``change`` to every operation, inputs first, and ``change_expression`` to the expressions of each.

    This includes the operations of queries in expressions.
    """
    done: dict[QueryOperation, QueryOperation] = {}
    for current in root.walk_with_subqueries():
        done[current] = change(rebuild_over_changed(current, done, change_expression))
    return done[root]


def rebuild_over_changed(
    operation: QueryOperation,
    done: Mapping[QueryOperation, QueryOperation],
    change_expression: Callable[[ResolvedExpression], ResolvedExpression] | None = None,
) -> QueryOperation:
    """Return the same operation over the changed forms of its inputs and of the queries in its expressions."""

    def change_query(part: ResolvedExpression) -> ResolvedExpression | None:
        return TableReference(done[part.operation]) if isinstance(part, TableReference) else None

    has_queries = any(done[query] is not query for query in operation.subqueries)

    def changed(part: Any) -> Any:
        if isinstance(part, QueryOperation):
            return done[part]
        inner = replace(part, change_query) if has_queries else part
        return inner if change_expression is None else change_expression(inner)

    made = operation.map_parts(changed)
    return operation if made is operation else made.canonical()


def sources_of(operation: QueryOperation) -> list[QueryOperation]:
    """Return the operations without inputs that a query reads, including those in the queries of its expressions."""
    return [current for current in operation.walk_with_subqueries() if not current.inputs]


def user_functions(operation: QueryOperation) -> list[FunctionDefinition]:
    """Return the distinct user-defined functions that a query calls, in order."""
    from ir.operations.process import ProcessTable

    found: dict[FunctionDefinition, None] = {}
    for current in operation.walk_with_subqueries():
        if isinstance(current, ProcessTable):
            found[current.function] = None
        for expression in current.expressions:
            found.update(dict.fromkeys(user_functions_in(expression)))
    return list(found)


def user_functions_in(expression: ResolvedExpression) -> list[FunctionDefinition]:
    """Return the distinct user-defined functions that an expression calls, in order."""
    found: dict[FunctionDefinition, None] = {}
    for part in expression.walk():
        written = part.call if isinstance(part, Over) else part
        if isinstance(written, Call) and not written.function.is_built_in:
            found[written.function] = None
    return list(found)


def rename_outer_columns(query: QueryOperation, names: Mapping[str, str]) -> QueryOperation:
    """Return a subquery with renamed columns of the enclosing query."""
    if not names:
        return query

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        if isinstance(part, OuterReference) and part.name in names:
            return OuterReference(names[part.name], part.type_)
        return None

    return replace_outer_parts(query, find)


def replace_outer_parts(
    query: QueryOperation, find: Callable[[ResolvedExpression], ResolvedExpression | None]
) -> QueryOperation:
    """Return a subquery with parts of its expressions replaced, except in the queries inside them.

    Outer references in the inner queries refer to the subquery itself, possibly by the same names.
    """

    done: dict[QueryOperation, QueryOperation] = {}

    def changed(part: Any) -> Any:
        return done[part] if isinstance(part, QueryOperation) else replace(part, find)

    for current in query.walk():
        done[current] = current.map_parts(changed)
    return done[query]
