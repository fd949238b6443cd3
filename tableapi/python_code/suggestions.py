"""Suggest names of variables: for a table, from the tables that it reads and the operations on them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ir.expressions import FieldReference, ResolvedExpression
from ir.operations.aggregate import Aggregate
from ir.operations.join import Join
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import InlineSource, Source, Values
from ir.relation_names import NO_NAMES, RelationNames
from tableapi.python_code.python_names import identifier

_LONGEST = 30
_SET_PREFIXES = {SetOperationType.INTERSECT: "common", SetOperationType.MINUS: "remaining"}


def suggest_names(operations: Sequence[QueryOperation], given: RelationNames = NO_NAMES) -> dict[QueryOperation, str]:
    """Return a name for each operation; inputs come first in ``operations``, and several may get the same name.

    A query with a name in WITH keeps that name, and a relation with an alias keeps the alias.
    """
    base: dict[QueryOperation, str] = {}
    names: dict[QueryOperation, str] = {}
    given = given.flattened()
    for operation in operations:
        base[operation], names[operation] = _suggest_pair(operation, base, names)
        if operation in given.steps:
            base[operation] = names[operation] = identifier(given.steps[operation])
        elif operation in given.relations:
            names[operation] = identifier(given.relations[operation])
    return names


def _suggest_pair(
    operation: QueryOperation, base: dict[QueryOperation, str], names: dict[QueryOperation, str]
) -> tuple[str, str]:
    """Return a name for the rows of an operation, and a name for its table."""
    if isinstance(operation, Source):
        return (identifier(operation.identifier.name),) * 2
    if isinstance(operation, InlineSource | Values):
        return ("rows",) * 2
    if isinstance(operation, Recursion | RecursiveReference):
        return (identifier(operation.name),) * 2
    if isinstance(operation, ProcessTable):
        return (identifier(operation.function.name),) * 2
    of = base[operation.inputs[0]]
    if isinstance(operation, Join | SetOperation):
        if isinstance(operation, SetOperation) and operation.kind in _SET_PREFIXES:
            return of, f"{_SET_PREFIXES[operation.kind]}_{of}"
        other = base[operation.inputs[1]]
        # Of many tables, the first two are enough.
        several = other == of or "_and_" in f"{of}{other}" or len(of) + len(other) + 5 > _LONGEST
        both = of if several else f"{of}_and_{other}"
        return both, f"combined_{of}" if several else both
    if isinstance(operation, Aggregate):
        return of, _describe_aggregation(of, operation.group_keys)
    if isinstance(operation, Project) and isinstance(operation.input, Aggregate):
        return of, names[operation.input]
    if isinstance(operation, Sort) and operation.is_limited:
        return of, f"first_{of}"
    return of, f"{operation.adjective}_{of}" if operation.adjective else of


def _describe_aggregation(of: str, keys: tuple[ResolvedExpression, ...]) -> str:
    columns = [identifier(key.name).rstrip("_") for key in keys if isinstance(key, FieldReference)]
    if not keys:
        return f"{of}_summary"
    made = f"{of}_by_{'_and_'.join(columns)}" if len(columns) == len(keys) else f"grouped_{of}"
    return made if len(made) <= _LONGEST else f"grouped_{of}"


def unique_name(suggestion: str, taken: Collection[str]) -> str:
    """Return a name like the suggested one that is not taken."""
    suggestion = identifier(suggestion)
    name, number = suggestion, 1
    while name in taken:
        number += 1
        name = f"{suggestion.rstrip('_')}_{number}"
    return name
