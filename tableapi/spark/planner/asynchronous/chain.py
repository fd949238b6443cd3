"""A chain of projections, filters and a sort over one input, as one: conditions, an order, and columns.

This is what Flink calls a Calc, and what its rules are about. Here it may have an order and a limit, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

import attrs

from ir.expressions import Call, FieldReference, ResolvedExpression, SortOrder
from ir.functions import logic
from ir.functions.calls import call
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.operations.sort import Sort
from ir.rewriting import replace
from tableapi.spark.planner.asynchronous.finding import (
    holds_async,
    holds_window,
    is_copyable,
    is_correlated,
    is_repeatable,
    outer_names,
    references,
)

# A chain has at most so many operations, and its expressions so many parts, each use of one counted: what is put into
# others makes their text grow.
LONGEST = 100
_MOST_PARTS = 2_000


@attrs.frozen
class Chain:
    """Rows of ``base`` that meet the conditions, in an order, of which some are left out, with columns of each.

    All expressions are over the columns of ``base``. An order that is limited was taken after the conditions.
    """

    base: QueryOperation
    conditions: tuple[ResolvedExpression, ...]
    sort: Sort | None
    columns: tuple[ResolvedExpression, ...]
    names: tuple[str, ...]

    @property
    def has_calls(self) -> bool:
        """Whether it makes asynchronous calls."""
        return any(map(holds_async, (*self.conditions, *self.columns)))

    def over(
        self, base: QueryOperation, changed: Callable[[ResolvedExpression], ResolvedExpression | None] | None = None
    ) -> Chain:
        """Return the same over another base, which may have more columns, with parts of its expressions changed."""
        if changed is None:
            return attrs.evolve(self, base=base)
        sort = self.sort
        if sort is not None:
            order = [SortOrder(replace(one.expression, changed), one.ascending, one.nulls_first) for one in sort.order]
            sort = sort.evolve(input=base, order=tuple(order))
        return attrs.evolve(
            self,
            base=base,
            conditions=tuple([replace(condition, changed) for condition in self.conditions]),
            columns=tuple([replace(column, changed) for column in self.columns]),
            sort=sort,
        )

    def as_operation(self) -> QueryOperation:
        """Return operations that do the same."""
        made = Filter(self.base, conjunction(self.conditions)) if self.conditions else self.base
        if self.sort is not None:
            made = self.sort.evolve(input=made)
        return project(made, self.columns, self.names)


def chain_or_projection(operation: QueryOperation) -> Chain | None:
    """Return the chain that ends with an operation, or a projection that cannot be in one as one; None for others."""
    chain = chain_at(operation, None)
    if chain.base is not operation:
        return chain
    if isinstance(operation, Project):
        return Chain(operation.input, (), None, operation.projections, operation.names)
    return None


def chain_at(top: QueryOperation, calling: Set[QueryOperation] | None) -> Chain:
    """Return the longest chain that ends with an operation, down to the lowest of them that makes calls.

    Args:
        top: the operation.
        calling: those operations whose own expressions make calls; None for a chain down to any operation.
    """
    steps: list[QueryOperation] = []
    current = top
    while isinstance(current, (Filter, Project, Sort)) and len(steps) < LONGEST:
        if any(map(holds_window, current.expressions)):
            break
        steps.append(current)
        current = current.input
    while True:
        while calling is not None and steps and steps[-1] not in calling:
            current = steps.pop()
        made = _made(current, steps)
        if isinstance(made, Chain):
            return made
        # One that cannot be part of the chain is its base, and with it what lies below.
        current = made
        steps = steps[: steps.index(made)]


def _made(base: QueryOperation, steps: list[QueryOperation]) -> Chain | QueryOperation:
    """Return the chain of steps, the last of them the lowest, or the step up to which there is one."""
    made = _Making(base)
    for number, step in enumerate(reversed(steps)):
        if not made.extend(step):
            # What is below it is a chain of its own, which the base of this one is then.
            return step if number == 0 else steps[len(steps) - number]
    return made.chain()


class _Making:
    """A chain in the making."""

    def __init__(self, base: QueryOperation) -> None:
        columns = base.schema.columns
        self._base = base
        self._columns: tuple[ResolvedExpression, ...] = tuple(
            [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns)]
        )
        self._names = base.schema.names
        self._conditions: list[ResolvedExpression] = []
        self._sort: Sort | None = None
        # Columns that may be neither copied nor moved, since they are another value each time.
        self._single: set[int] = set()
        self._parts = 0
        self._sizes: dict[ResolvedExpression, int] = {}
        # Columns with queries that refer to columns of the base: their copies would be computed again.
        self._correlated: set[int] = set()

    def chain(self) -> Chain:
        """Return it."""
        return Chain(self._base, tuple(self._conditions), self._sort, self._columns, self._names)

    def extend(self, step: QueryOperation) -> bool:
        """Add a step, and return True unless it cannot be part of the chain."""
        own = step.expressions
        if not self._may_take(step):
            return False
        if any(map(is_correlated, own)) and (isinstance(step, Sort) or not self._are_of_base(outer_names(own))):
            return False
        if isinstance(step, Project):
            return self._project(step)
        return self._filter(step) if isinstance(step, Filter) else isinstance(step, Sort) and self._order(step)

    def _project(self, step: Project) -> bool:
        columns = tuple([self._over(projection) for projection in step.projections])
        if self._parts + sum(map(self._size, columns)) > _MOST_PARTS:
            return False
        self._single = {
            i
            for i, projection in enumerate(step.projections)
            if not is_repeatable(projection) or any(r.index in self._single for r in references(projection))
        }
        self._columns, self._names = columns, step.names
        self._correlated = {i for i, column in enumerate(columns) if is_correlated(column)}
        return True

    def _filter(self, step: Filter) -> bool:
        if self._sort is not None and self._sort.is_limited:
            return False
        condition = self._over(step.condition)
        self._parts += self._size(condition)
        self._conditions += conjuncts(condition)
        return self._parts <= _MOST_PARTS

    def _order(self, step: Sort) -> bool:
        if self._sort is not None and self._sort.is_limited:
            return False
        if step.is_limited and any(map(holds_async, self._conditions)):
            return False
        order = []
        for one in step.order:
            key = self._over(one.expression)
            if holds_async(key) or not is_repeatable(key):
                return False
            order.append(SortOrder(key, one.ascending, one.nulls_first))
        given = tuple(order)
        if not given and self._sort is not None:
            given = self._sort.order
        self._sort = step.evolve(input=self._base, order=given)
        return True

    def _may_take(self, step: QueryOperation) -> bool:
        """Whether a step takes the columns that must not be copied as they are, and each once."""
        single = self._single | self._correlated
        if not single:
            return True
        used = [r.index for e in step.expressions for r in references(e) if r.index in single]
        if isinstance(step, Project):
            whole = [e.index for e in step.projections if isinstance(e, FieldReference) and e.index in single]
            return used == whole and len(set(whole)) == len(whole)
        if self._single:
            return False
        # A condition on the result of a query comes before the calls, for which that is computed once more.
        return not used or (isinstance(step, Filter) and all(is_copyable(self._columns[i]) for i in used))

    def _are_of_base(self, names: Set[str]) -> bool:
        """Whether names are those of columns which the base has under the same names."""
        found = {name: column for name, column in zip(self._names, self._columns, strict=True) if name in names}
        return len(found) == len(names) and all(
            isinstance(column, FieldReference) and column.name == name for name, column in found.items()
        )

    def _over(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return an expression over the columns so far as one over those of the base."""
        columns = self._columns
        return replace(expression, lambda part: columns[part.index] if isinstance(part, FieldReference) else None)

    def _size(self, expression: ResolvedExpression) -> int:
        """Return how many parts an expression has, each use of one counted."""
        sizes = self._sizes
        stack = [expression]
        while stack:
            current = stack[-1]
            new = [] if current in sizes else [child for child in current.children if child not in sizes]
            stack += new
            if not new:
                stack.pop()
                sizes.setdefault(current, 1 + sum(sizes[child] for child in current.children))
        return sizes[expression]


def conjuncts(condition: ResolvedExpression) -> tuple[ResolvedExpression, ...]:
    """Return the conditions of which all must hold."""
    if isinstance(condition, Call) and condition.function is logic.AND:
        return condition.arguments
    return (condition,)


def conjunction(conditions: Sequence[ResolvedExpression]) -> ResolvedExpression:
    """Return the condition that all of several hold."""
    return conditions[0] if len(conditions) == 1 else call(logic.AND, tuple(conditions))
