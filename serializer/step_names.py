"""What queries of WITH are called, and which queries cannot stand there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ir.contents import CHANGING, LAMBDA, OUTER
from ir.expressions import FieldReference, Lambda, ResolvedExpression
from ir.identifiers import fold
from ir.operations.hint import Sample
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.set_operation import SetOperationType
from ir.operations.source import Source, Values
from ir.rendering import Dialect
from serializer.names import name_text
from serializer.select_block import Definition, Item, Line


def define_steps(names: Mapping[QueryOperation, str], dialect: Dialect) -> list[Item]:
    """Return the WITH clause that defines steps, each after those that it reads; nothing if there is none."""
    items: list[Item] = []
    separator = "WITH "
    for operation, name in names.items():
        items += [Line(0, (f"{separator}{name_text(name, dialect)} AS (",)), Definition(1, operation)]
        separator = "),\n"
    return [*items, Line(0, (")",))] if items else []


class UnusedNames:
    """Names that differ from each other and from those that are taken, by their folded text."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        # The last number that a name has got, so that many steps of one name are not counted again and again.
        self._numbers: dict[str, int] = {}

    def take(self, name: str) -> str:
        """Return a name, with the first number from 2 that makes it differ from those that are taken, and take it."""
        chosen, number = name, self._numbers.get(fold(name), 1)
        while fold(chosen) in self._taken:
            number += 1
            chosen = f"{name}_{number}"
        self._numbers[fold(name)] = number
        self._taken.add(fold(chosen))
        return chosen


def taken_names(operations: Iterable[QueryOperation]) -> set[str]:
    """Return the folded names of one part that mean something in the query already."""
    found = set()
    for operation in operations:
        # Of nodes, isinstance takes several times as long where it says no.
        if type(operation) is Source:
            if operation.identifier.catalog is None:
                found.add(fold(operation.identifier.name))
        elif type(operation) is Recursion or type(operation) is RecursiveReference:
            found.add(fold(operation.name))
    return found


def lambda_parameters(operations: Iterable[QueryOperation]) -> set[str]:
    """Return the folded names of parameters of lambdas, which hide relations of the same name."""
    found: set[str] = set()
    for operation in operations:
        for expression in operation.expressions:
            if expression.contents & LAMBDA:
                lambdas = [part for part in expression.walk() if isinstance(part, Lambda)]
                found.update([fold(parameter.name) for part in lambdas for parameter in part.parameters])
    return found


# --- what cannot stand in WITH ---------------------------------------------------------------------------------------


def bound_to_place(operations: Sequence[QueryOperation], *, has_subqueries: bool) -> set[QueryOperation]:
    """Return the operations that refer to a query around them, or to the rows of a recursive query around them.

    ``operations`` are all of a query, inputs first.
    """
    outer = {operation for operation in operations if operation.contents & OUTER} if has_subqueries else set()
    if not any(type(operation) is RecursiveReference for operation in operations):
        return outer
    recursive: dict[QueryOperation, frozenset[str]] = {}
    for operation in operations:
        names = {name for read in (*operation.inputs, *operation.subqueries) for name in recursive.get(read, ())}
        if isinstance(operation, RecursiveReference):
            names.add(operation.name)
        elif isinstance(operation, Recursion):
            names.discard(operation.name)
        if names:
            recursive[operation] = frozenset(names)
    return outer | set(recursive)


def unshareable_queries(operations: Sequence[QueryOperation]) -> set[QueryOperation]:
    """Return the operations that two readers cannot share by WITH; ``operations`` are all of a query, inputs first.

    Spark would give all readers of random rows the same. It fails with an internal error on the second reader of a
    lateral join with a condition, which it does not change as it changes the columns that the condition refers to.
    """
    found: set[QueryOperation] = set()
    is_random = bool(operations[-1].contents & CHANGING)
    if not is_random and not any(type(operation) in (Sample, LateralJoin) for operation in operations):
        return found
    for operation in operations:
        own = isinstance(operation, Sample) or bool(operation.contents & CHANGING)
        own = own or (isinstance(operation, LateralJoin) and operation.condition is not None)
        if own or any(read in found for read in (*operation.inputs, *operation.subqueries)):
            found.add(operation)
    return found


# --- names -----------------------------------------------------------------------------------------------------------


class Bases:
    """What each operation is named after, found when it is asked for first: the first table that it reads."""

    def __init__(self) -> None:
        self._found: dict[QueryOperation, str] = {}

    def __call__(self, operation: QueryOperation) -> str:
        path: list[QueryOperation] = []
        base = self._found.get(operation)
        while base is None:
            path.append(operation)
            base = _own_base(operation)
            if base is None:
                operation = operation.inputs[0]
                base = self._found.get(operation)
        for passed in path:
            self._found[passed] = base
        return base


def _own_base(operation: QueryOperation) -> str | None:
    """Return what an operation itself is named after, None where that is what its first input is."""
    if isinstance(operation, Source):
        return operation.identifier.name
    if isinstance(operation, (Recursion, RecursiveReference)):
        return operation.name
    if isinstance(operation, Values):
        return "values"
    return None if operation.inputs else "query"


def name_groups(base: str, keys: Sequence[ResolvedExpression]) -> str:
    """Return a name for the groups of a table by some keys."""
    key = keys[0] if len(keys) == 1 else None
    return f"{base}_by_{key.name}" if isinstance(key, FieldReference) else f"{base}_grouped"


def name_cut_rows(base: str, *, is_sorted: bool) -> str:
    """Return a name for some of the rows of a table."""
    return f"{base}_top" if is_sorted else f"{base}_limited"


def name_set(base: str, kind: SetOperationType) -> str:
    """Return a name for a set operation."""
    return f"{base}_{_SET_NAMES[kind.value]}"


def name_by_title(base: str, operation: QueryOperation) -> str:
    """Return a name for the output of an operation over a table: by its adjective or, if it has none, its title."""
    has_only_rows = not operation.inputs or not operation.schema.columns
    return f"{base}_{'rows' if has_only_rows else operation.adjective or operation.title.lower()}"


_SET_NAMES = {"UNION": "union", "INTERSECT": "intersection", "MINUS": "difference"}
