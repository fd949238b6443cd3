"""Chooses aliases for inputs whose columns subqueries refer to."""

from __future__ import annotations

from collections.abc import Callable

from ir.expressions import Lambda
from ir.identifiers import fold
from ir.light_typing import TYPE_CHECKING
from ir.operations.operation import QueryOperation, TableReference
from serializer.pieces import Scope

if TYPE_CHECKING:
    from ir.operations.lateral import LateralJoin

ChooseAlias = Callable[[QueryOperation, int, set[str]], str | None]
_SIDES = ("left", "right")


def scope_of_subqueries(
    operation: QueryOperation, around: Scope | None, choose_given: ChooseAlias | None = None
) -> Scope | None:
    """Return the aliases of an operation's inputs for its subqueries, None if it has no subqueries.

    An alias is the first of ``outer``, ``outer_`` and so on that equals no visible column name: ``outer.k`` would
    otherwise denote a field of the column ``outer``. ``around`` is the scope of the operation itself, whose aliases
    are visible too and have another level in their names. ``choose_given`` returns the user's alias of an input, given
    its position and the names in sight, None if there is none that is unique there.
    """
    subqueries = operation.subqueries
    if not subqueries:
        return None
    from ir.operations.outer_references import outer_references

    level = 0 if around is None else around.level + 1
    referred: set[str] = set()
    seen = find_visible_names(operation)
    for query in subqueries:
        for reference, holders in outer_references(query).items():
            referred.add(reference.name)
            seen.update(*map(find_visible_names, holders))
    aliases = {}
    for position, schema in enumerate(input.schema for input in operation.inputs):
        side = f"_{_SIDES[position]}" if len(operation.inputs) > 1 else ""
        alias = f"outer{side}{f'_{level}' if level else ''}"
        while alias in seen:
            alias += "_"
        if choose_given is not None:
            alias = choose_given(operation, position, seen) or alias
        aliases.update({name: alias for name in schema.names if name in referred})
    return Scope(aliases, level)


def find_visible_names(operation: QueryOperation) -> set[str]:
    """Return the folded names of an operation's output and input columns and of its lambda parameters."""
    schemas = [operation.schema, *[input.schema for input in operation.inputs]]
    parts = [part for expression in operation.expressions for part in expression.walk()]
    parameters = {fold(p.name) for part in parts if isinstance(part, Lambda) for p in part.parameters}
    return parameters | {fold(name) for schema in schemas for name in schema.names}


def input_aliases(operation: QueryOperation, scope: Scope | None) -> list[str | None]:
    """Return the alias of each input of an operation, None if no subquery refers to it."""
    if scope is None or not scope.aliases:
        return [None] * len(operation.inputs)
    schemas = [input.schema for input in operation.inputs]
    return [next((scope.aliases[n] for n in schema.names if n in scope.aliases), None) for schema in schemas]


def lists_lateral_columns(operation: LateralJoin) -> bool:
    """Whether the text lists the columns of a lateral join behind its alias, as of a table function.

    Spark 4.3.0 loses the references of the condition to columns of a table that a query around the join reads, too,
    unless the list makes them other columns.
    """
    return operation.condition is not None or not isinstance(operation.right, TableReference)


def lateral_alias(operation: LateralJoin) -> str:
    """Return an alias for the rows of a table function that differs from all visible column names."""
    alias, seen = "lateral", find_visible_names(operation)
    while alias in seen:
        alias += "_"
    return alias
