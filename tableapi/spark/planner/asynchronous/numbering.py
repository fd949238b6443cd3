"""Value numbering of a query: expressions that compute the same from the same columns have the same number.

The numbers show cheaply that a call occurs only once in a query, so that nothing has to search for another occurrence.
Two occurrences with one number do not always see the same row: both inputs of a self-join have the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression
from ir.nodes import post_order
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from tableapi.spark.planner.asynchronous.call_guards import calls_in, holds_window

Numbers = Sequence[int]
_UNKNOWN = 0


class Numbering:
    """Numbers the columns and calls of a query.

    Args:
        operations: the operations whose calls are counted.
    """

    def __init__(self, operations: Iterable[QueryOperation]) -> None:
        self._known: dict[object, int] = {}
        self._columns: dict[QueryOperation, Numbers] = {}
        self._count: Counter[int] = Counter()
        for operation in operations:
            inputs = [self._columns_of(below) for below in operation.inputs]
            numbers = {self._number(call, inputs) for call in calls_in(operation.expressions)}
            # An operation that is split into several may make a call in two of them.
            is_whole = isinstance(operation, (Filter, Project)) and not any(map(holds_window, operation.expressions))
            self._count.update(dict.fromkeys(numbers, 1 if is_whole else 2))

    def may_be_made_below(self, call: Call, operation: QueryOperation) -> bool:
        """Whether an operation, or one below it, may also make this call over its columns."""
        number = self._number(call, [self._columns_of(operation)])
        return number == _UNKNOWN or self._count[number] > 1

    def _columns_of(self, operation: QueryOperation) -> Numbers:
        known = self._columns
        for current in post_order(operation, lambda o: [below for below in o.inputs if below not in known]):
            if current not in known:
                known[current] = self._computed(current, [known[below] for below in current.inputs])
        return known[operation]

    def _computed(self, operation: QueryOperation, inputs: Sequence[Numbers]) -> Numbers:
        if operation.keeps_columns:
            return inputs[0]
        if isinstance(operation, Project):
            return [self._number(projection, inputs) for projection in operation.projections]
        if isinstance(operation, SetOperation):
            return [one if one == other else _UNKNOWN for one, other in zip(*inputs, strict=True)]
        found: list[int] = []
        if isinstance(operation, (Join, LateralJoin)):
            found = [number for input in inputs for number in input]
        elif isinstance(operation, Aggregate):
            found = [self._number(key, inputs) for key in operation.group_keys]
        return found + [self._known_as((operation, i)) for i in range(len(found), len(operation.schema))]

    def _number(self, root: ResolvedExpression, inputs: Sequence[Numbers]) -> int:
        numbers: dict[ResolvedExpression, int] = {}
        for part in root.walk():
            if isinstance(part, FieldReference):
                numbers[part] = inputs[part.input_index][part.index]
            elif isinstance(part, Call):
                given = tuple([numbers[child] for child in part.children])
                numbers[part] = _UNKNOWN if _UNKNOWN in given else self._known_as((part.function, given))
            else:
                # A constant, or a part that no shared call contains.
                numbers[part] = self._known_as(part)
        return numbers[root]

    def _known_as(self, key: object) -> int:
        return self._known.setdefault(key, len(self._known) + 1)
