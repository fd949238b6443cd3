"""Fuse projections, filters and sorts over one input into one chain of conditions, an order, and columns.

Flink calls such a chain a Calc, and its rules rewrite Calcs. A chain here may also have an order and a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

import attrs

from ir.call_expressions import Call
from ir.calls import call
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.functions import logic
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.operations.sort import Sort
from ir.rewriting import replace
from tableapi.spark.planner.asynchronous.call_guards import (
    holds_async,
    holds_window,
    is_copyable,
    is_correlated,
    is_repeatable,
    outer_names,
    references,
)

# The most operations in a chain. Inlining expressions makes their text grow, so the size of its expressions is limited,
# too, where each use of a shared part counts.
LONGEST = 100
_MOST_PARTS = 2_000


@attrs.frozen
class Chain:
    """The rows of ``base`` that meet the conditions, sorted and perhaps limited, as ``columns``.

    All expressions are over the columns of ``base``. A limit applies after the conditions.
    """

    base: QueryOperation
    conditions: tuple[ResolvedExpression, ...]
    sort: Sort | None
    columns: tuple[ResolvedExpression, ...]
    names: tuple[str, ...]

    @property
    def has_calls(self) -> bool:
        """Whether a condition or a column makes asynchronous calls."""
        return any(map(holds_async, (*self.conditions, *self.columns)))

    def over(
        self, base: QueryOperation, changed: Callable[[ResolvedExpression], ResolvedExpression | None] | None = None
    ) -> Chain:
        """Move the chain to another base, which may have more columns, and replace parts of its expressions."""
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
        """Return the equivalent operations."""
        made = Filter(self.base, conjunction(self.conditions)) if self.conditions else self.base
        if self.sort is not None:
            made = self.sort.evolve(input=made)
        return project(made, self.columns, self.names)


def chain_or_projection(operation: QueryOperation) -> Chain | None:
    """Return the chain that ends with an operation, or a lone projection as a chain; None for other operations."""
    chain = chain_at(operation, None)
    if chain.base is not operation:
        return chain
    if isinstance(operation, Project):
        return Chain(operation.input, (), None, operation.projections, operation.names)
    return None


def chain_at(top: QueryOperation, calling: Set[QueryOperation] | None) -> Chain:
    """Return the longest chain that ends with an operation and whose lowest step makes calls.

    Args:
        top: the operation.
        calling: the operations whose own expressions make calls; None to accept any lowest step.
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
        made = _fuse_steps(current, steps)
        if isinstance(made, Chain):
            return made
        # A step that cannot join the chain becomes its base, with everything below it.
        current = made
        steps = steps[: steps.index(made)]


def _fuse_steps(base: QueryOperation, steps: list[QueryOperation]) -> Chain | QueryOperation:
    """Fuse steps, of which the last is the lowest, into a chain; if a step does not fit, return the new base."""
    made = _ChainBuilder(base)
    for number, step in enumerate(reversed(steps)):
        if not made.extend(step):
            # The steps below the one that does not fit are a chain of their own, and the base of this one.
            return step if number == 0 else steps[len(steps) - number]
    return made.chain()


class _ChainBuilder:
    """The builder of a chain."""

    def __init__(self, base: QueryOperation) -> None:
        columns = base.schema.columns
        self._base = base
        self._columns: tuple[ResolvedExpression, ...] = tuple(
            [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns)]
        )
        self._names = base.schema.names
        self._conditions: list[ResolvedExpression] = []
        self._sort: Sort | None = None
        # Non-deterministic columns, which may be neither copied nor moved.
        self._single: set[int] = set()
        self._parts = 0
        self._sizes: dict[ResolvedExpression, int] = {}
        # Columns with subqueries that refer to columns of the base: a copy would run the subquery again.
        self._correlated: set[int] = set()

    def chain(self) -> Chain:
        """Return the chain."""
        return Chain(self._base, tuple(self._conditions), self._sort, self._columns, self._names)

    def extend(self, step: QueryOperation) -> bool:
        """Add a step and return True; return False if it cannot be part of the chain."""
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
        """Whether a step uses each column that must not be copied only once, and unchanged."""
        single = self._single | self._correlated
        if not single:
            return True
        used = [r.index for e in step.expressions for r in references(e) if r.index in single]
        if isinstance(step, Project):
            whole = [e.index for e in step.projections if isinstance(e, FieldReference) and e.index in single]
            return used == whole and len(set(whole)) == len(whole)
        if self._single:
            return False
        # A filter on a subquery's result runs before the calls, and the subquery is computed again for the filter.
        return not used or (isinstance(step, Filter) and all(is_copyable(self._columns[i]) for i in used))

    def _are_of_base(self, names: Set[str]) -> bool:
        """Whether the base has columns with these names, and the chain passes them on unchanged."""
        found = {name: column for name, column in zip(self._names, self._columns, strict=True) if name in names}
        return len(found) == len(names) and all(
            isinstance(column, FieldReference) and column.name == name for name, column in found.items()
        )

    def _over(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Rewrite an expression over the current columns as one over the columns of the base."""
        columns = self._columns
        return replace(expression, lambda part: columns[part.index] if isinstance(part, FieldReference) else None)

    def _size(self, expression: ResolvedExpression) -> int:
        """Count the parts of an expression; each use of a shared part counts."""
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
    """Return the conjuncts of a condition."""
    if isinstance(condition, Call) and condition.function is logic.AND:
        return condition.arguments
    return (condition,)


def conjunction(conditions: Sequence[ResolvedExpression]) -> ResolvedExpression:
    """Return the conjunction of conditions."""
    return conditions[0] if len(conditions) == 1 else call(logic.AND, tuple(conditions))
