"""Expand SQL functions that Spark does not have: replace their calls by their bodies."""

from __future__ import annotations

from collections.abc import Callable

from ir.call_expressions import Call
from ir.expressions import FieldReference, OuterReference, ResolvedExpression, ValueLiteral
from ir.identifiers import FunctionIdentifier
from ir.names import Names
from ir.operations.aggregate import Aggregate
from ir.operations.join import JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.operations.project import project
from ir.operations.source import SINGLE_ROW
from ir.resolution.subqueries import subqueries
from ir.rewriting import transform, transform_operations
from tableapi.user_functions.sql_function import SqlFunction, expanding

IsStored = Callable[[FunctionIdentifier], bool]


def expand_functions(operation: QueryOperation, is_stored: IsStored) -> QueryOperation:
    """Expand the calls of SQL functions in a query, except functions that Spark finds under their paths.

    Args:
        operation: the query.
        is_stored: whether Spark finds a SQL function under its path.

    Raises:
        ValidationException: a body is invalid, or a function calls itself.
    """

    def in_expression(part: ResolvedExpression) -> ResolvedExpression:
        function = _function(part, is_stored)
        if function is None or function.stored.is_table:
            return part
        assert isinstance(part, Call)
        with expanding(function):
            return transform(function.expanded(part.arguments), in_expression)

    def in_operation(current: QueryOperation) -> QueryOperation:
        if isinstance(current, Aggregate):
            return _move_queries_below(current)
        if not isinstance(current, LateralJoin):
            return current
        function = _function(current.right, is_stored)
        if function is None or not function.stored.is_table:
            return current
        assert isinstance(current.right, Call)
        return _expand_join(current, current.right, function, expanded_body)

    def expanded_body(function: SqlFunction, body: QueryOperation) -> QueryOperation:
        with expanding(function):
            return transform_operations(body, in_operation, lambda e: transform(e, in_expression))

    return transform_operations(operation, in_operation, lambda e: transform(e, in_expression))


def _move_queries_below(operation: Aggregate) -> Aggregate:
    """Compute group keys that are correlated subqueries below an aggregation: Spark rejects them in GROUP BY."""
    moved = [key for key in operation.group_keys if any(outer_references(t.operation) for _, t in subqueries(key))]
    if not moved:
        return operation
    columns = operation.input.schema.columns
    own: list[ResolvedExpression] = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns)]
    unique = Names(operation.input.schema.names)
    names = tuple([unique.generate("EXPR$", position) for position in range(len(moved))])
    below = project(operation.input, (*own, *moved), (*operation.input.schema.names, *names))
    added = below.schema.columns[len(own) :]
    made = iter([FieldReference(c.name, c.data_type, 0, len(own) + i) for i, c in enumerate(added)])
    keys = [next(made) if key in moved else key for key in operation.group_keys]
    return operation.evolve(input=below, group_keys=tuple(keys))


def _function(part: ResolvedExpression, is_stored: IsStored) -> SqlFunction | None:
    function = part.function.user_code.implementation if isinstance(part, Call) else None
    if not isinstance(part, Call) or not isinstance(function, SqlFunction):
        return None
    known = part.function.user_code.identifier
    if known is not None and not function.is_temporary and is_stored(known):
        # Spark expands this body; validate it like the bodies that are expanded here.
        function.require_allowed(part.arguments)
        return None
    return function


def _expand_join(
    join: LateralJoin,
    called: Call,
    function: SqlFunction,
    expanded: Callable[[SqlFunction, QueryOperation], QueryOperation],
) -> QueryOperation:
    """Expand a SQL table function in a lateral join; its arguments become columns of the left input.

    A computed argument becomes a column below the join, so that it is computed once per row.
    """
    columns = join.input.schema.columns
    width = len(columns)
    names = Names(join.input.schema.names)
    own: list[ResolvedExpression] = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns)]
    computed: list[tuple[str, ResolvedExpression]] = []
    arguments: list[ResolvedExpression] = []
    for argument in called.arguments:
        if isinstance(argument, ValueLiteral):
            arguments.append(argument)
        elif isinstance(argument, FieldReference):
            arguments.append(OuterReference(argument.name, argument.type_))
        else:
            name = names.generate("argument_", 0)
            names.take(name)
            computed.append((name, argument))
            arguments.append(OuterReference(name, argument.data_type))
    query = expanded(function, function.expanded_query(arguments))
    fields = query.schema.columns
    renamed = project(
        query, tuple([FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(fields)]), join.names
    )
    if join.input is SINGLE_ROW and not computed and join.join_type is JoinType.INNER:
        return renamed
    if not computed:
        return join.evolve(right=TableReference(renamed))
    given = project(
        join.input, (*own, *[e for _, e in computed]), (*join.input.schema.names, *[name for name, _ in computed])
    )
    # The condition of a left outer join refers to both sides, and the left side has more columns at its end now.
    made = LateralJoin(given, TableReference(renamed), join.names, join.join_type, join.condition)
    found = made.schema.columns
    kept = [*range(width), *range(width + len(computed), len(found))]
    return project(
        made,
        tuple([FieldReference(found[i].name, found[i].data_type, 0, i) for i in kept]),
        tuple([found[i].name for i in kept]),
    )
