"""Names the queries of WITH, and finds those that cannot be in WITH."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from ir.contents import CHANGING, LAMBDA, OUTER
from ir.expressions import FieldReference, Lambda, ResolvedExpression
from ir.identifiers import fold
from ir.nodes import post_order_of
from ir.operations.filter import Filter
from ir.operations.hint import JOIN_HINTS, Hint, Sample
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.set_operation import SetOperationType
from ir.operations.source import Source, Values
from serializer.items import Definition, Item, Line
from serializer.names import name_text
from serializer.notation import Notation


def define_steps(names: Mapping[QueryOperation, str], notation: Notation) -> list[Item]:
    """Write the WITH clause of some steps, which follow those that they read; write nothing without steps."""
    items: list[Item] = []
    separator = "WITH "
    for operation, name in names.items():
        items += [Line(0, (f"{separator}{name_text(name, notation)} AS (",)), Definition(1, operation)]
        separator = "),\n"
    return [*items, Line(0, (")",))] if items else []


class UnusedNames:
    """Names that are distinct from each other and from the taken ones, ignoring case."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        # The last number given to each name, so that many steps of one name take linear time.
        self._numbers: dict[str, int] = {}

    def take(self, name: str) -> str:
        """Take a name, with the first number from 2 on that makes it distinct."""
        chosen, number = name, self._numbers.get(fold(name), 1)
        while fold(chosen) in self._taken:
            number += 1
            chosen = f"{name}_{number}"
        self._numbers[fold(name)] = number
        self._taken.add(fold(chosen))
        return chosen


def find_taken_names(operations: Iterable[QueryOperation]) -> set[str]:
    """Return the folded one-part names that the query already uses for relations."""
    found = set()
    for operation in operations:
        # A type comparison is several times as fast as an isinstance that returns False.
        if type(operation) is Source:
            if operation.identifier.catalog is None:
                found.add(fold(operation.identifier.name))
        elif type(operation) is Recursion or type(operation) is RecursiveReference:
            found.add(fold(operation.name))
    return found


def lambda_parameters(operations: Iterable[QueryOperation]) -> set[str]:
    """Return the folded names of lambda parameters, which hide relations of the same name."""
    found: set[str] = set()
    for operation in operations:
        for expression in operation.expressions:
            if expression.contents & LAMBDA:
                lambdas = [part for part in expression.walk() if isinstance(part, Lambda)]
                found.update([fold(parameter.name) for part in lambdas for parameter in part.parameters])
    return found


# --- queries that cannot be in WITH ----------------------------------------------------------------------------------


def find_queries_outside_with(operations: Sequence[QueryOperation], *, has_subqueries: bool) -> set[QueryOperation]:
    """Return the operations that cannot be in WITH.

    They refer to an outer query or to an enclosing recursive query, Spark fails at them because of nested subqueries or
    lateral joins, or they advise the join that reads them.

    ``operations`` are all operations of a query, inputs first.
    """
    outer = {operation for operation in operations if operation.contents & OUTER} if has_subqueries else set()
    kinds = set(map(type, operations))
    if outer:
        outer |= _bound_by_nested_subqueries(operations) | _bound_by_two_references(outer)
    if LateralJoin in kinds:
        outer |= _find_bound_by_lateral_joins(operations)
    if Hint in kinds:
        outer |= _find_advice_for_joins(operations)
    if RecursiveReference not in kinds:
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


def _find_advice_for_joins(operations: Sequence[QueryOperation]) -> set[QueryOperation]:
    """Return the operations that advise the join that reads them: a hint for joins, and the operations over it.

    Spark hands such a hint from an operation to the next one up to the join, but not out of a query of WITH.
    """
    advising: set[QueryOperation] = set()
    found: set[QueryOperation] = set()
    for operation in operations:
        is_hint = isinstance(operation, Hint) and operation.name in JOIN_HINTS
        if is_hint or (len(operation.inputs) == 1 and operation.inputs[0] in advising):
            advising.add(operation)
        elif len(operation.inputs) > 1:
            for side in operation.inputs:
                while side in advising and side not in found:
                    found.add(side)
                    (side,) = side.inputs
    return found


def _bound_by_nested_subqueries(operations: Sequence[QueryOperation]) -> set[QueryOperation]:
    """Return the operations that Spark cannot read from WITH because subqueries refer to them.

    If a subquery within a subquery reads a query of WITH, Spark may give new identities to its columns, and does not
    update the references of a third subquery to them. The right side of a lateral join counts as a subquery.
    """
    holders = [operation for operation in operations if operation.subqueries]
    if len(holders) < 3:
        return set()
    in_subqueries = _find_reached([read for operation in holders for read in operation.subqueries])
    nested = _find_reached([read for operation in in_subqueries for read in operation.subqueries])
    referred = [
        read
        for operation in nested
        if any(query.contents & OUTER for query in operation.subqueries)
        for read in operation.inputs
    ]
    return set(post_order_of(referred, attrgetter("inputs")))


def _bound_by_two_references(outer: set[QueryOperation]) -> set[QueryOperation]:
    """Return the operations that Spark cannot read from WITH because two operations above refer to an outer query.

    Spark fails if the lower one of the two reads a query of WITH directly ("Cannot evaluate expression: outer"), as in
    ``EXISTS (SELECT 1 FROM (SELECT k FROM step WHERE w = outer.w) WHERE k = outer.k)``.

    ``outer`` are the operations of the query that depend on an outer query.
    """
    referring = [operation for operation in outer if any(part.contents & OUTER for part in operation.expressions)]
    above = [read for operation in referring for read in operation.inputs if read in outer]
    if not above:
        return set()
    below = set(post_order_of(above, attrgetter("inputs")))
    found = [read for operation in referring if operation in below for read in operation.inputs]
    # The layout MERGED writes projections and filters into the SELECT of the operation that refers to the outer query.
    for operation in found:
        if isinstance(operation, (Project, Filter)):
            found += operation.inputs
    return set(found)


def _find_bound_by_lateral_joins(operations: Sequence[QueryOperation]) -> set[QueryOperation]:
    """Return the operations that Spark cannot read from WITH because of lateral joins.

    If several queries read a query of WITH that contains a lateral join with a condition, or another query of WITH
    reads it, Spark does not update the condition's column references. The same happens to references to the left side

    - of a lateral join that is in a subquery or in the right side of another one, if a subquery or a further lateral
      join in its right side reads a query of WITH;
    - of any lateral join, if a subquery in its right side reads a query of WITH that contains a subquery or a lateral
      join.
    """
    found: set[QueryOperation] = set()
    holders: set[QueryOperation] = set()
    for operation in operations:
        reads = (*operation.inputs, *operation.subqueries)
        has_condition = isinstance(operation, LateralJoin) and operation.condition is not None
        if has_condition or any(read in found for read in reads):
            found.add(operation)
        if operation.subqueries or any(read in holders for read in reads):
            holders.add(operation)
    in_subqueries = _find_reached([read for operation in operations for read in operation.subqueries])
    nested = [operation for operation in in_subqueries if isinstance(operation, LateralJoin)]
    in_rights_of_nested = [read for operation in _right_sides(nested) for read in operation.subqueries]
    in_rights = [
        read
        for operation in _right_sides(operations)
        if not isinstance(operation, LateralJoin)
        for read in operation.subqueries
    ]
    return found | _find_reached(in_rights_of_nested) | (holders & _find_reached(in_rights))


def _right_sides(operations: Iterable[QueryOperation]) -> list[QueryOperation]:
    """Return the operations of the right sides of lateral joins, without those of their subqueries."""
    laterals = [operation for operation in operations if isinstance(operation, LateralJoin)]
    # Lateral joins nest, and each operation below them is looked at once.
    return list(post_order_of([read for lateral in laterals for read in lateral.subqueries], attrgetter("inputs")))


def _find_reached(roots: Iterable[QueryOperation]) -> set[QueryOperation]:
    """Return some operations and all that they read."""
    found: set[QueryOperation] = set()
    pending = [*roots]
    while pending:
        operation = pending.pop()
        if operation not in found:
            found.add(operation)
            pending += [*operation.inputs, *operation.subqueries]
    return found


def unshareable_queries(operations: Sequence[QueryOperation]) -> set[QueryOperation]:
    """Return the operations that WITH cannot share between two readers.

    ``operations`` are all operations of a query, inputs first.

    Spark would give all readers of nondeterministic rows the same rows.
    """
    found: set[QueryOperation] = set()
    is_random = bool(operations[-1].contents & CHANGING)
    if not is_random and not any(type(operation) is Sample for operation in operations):
        return found
    for operation in operations:
        own = isinstance(operation, Sample) or bool(operation.contents & CHANGING)
        if own or any(read in found for read in (*operation.inputs, *operation.subqueries)):
            found.add(operation)
    return found


# --- names -----------------------------------------------------------------------------------------------------------


class Bases:
    """The name on which an operation's name is based, computed on demand: the first table that it reads."""

    def __init__(self) -> None:
        self._found: dict[QueryOperation, str] = {}

    def __call__(self, operation: QueryOperation) -> str:
        path: list[QueryOperation] = []
        base = self._found.get(operation)
        while base is None:
            path.append(operation)
            base = _choose_own_base(operation)
            if base is None:
                operation = operation.inputs[0]
                base = self._found.get(operation)
        for passed in path:
            self._found[passed] = base
        return base


def _choose_own_base(operation: QueryOperation) -> str | None:
    """Return the name on which an operation's own name is based, None if its first input decides."""
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
    """Return a name for a limited part of a table's rows."""
    return f"{base}_top" if is_sorted else f"{base}_limited"


def name_set(base: str, kind: SetOperationType) -> str:
    """Return a name for a set operation."""
    return f"{base}_{_SET_NAMES[kind.value]}"


def name_by_title(base: str, operation: QueryOperation) -> str:
    """Return a name for the output of an operation over a table: by its adjective or, if it has none, its title."""
    has_only_rows = not operation.inputs or not operation.schema.columns
    return f"{base}_{'rows' if has_only_rows else operation.adjective or operation.title.lower()}"


_SET_NAMES = {"UNION": "union", "INTERSECT": "intersection", "MINUS": "difference"}
