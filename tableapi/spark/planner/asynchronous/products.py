"""Cross joins: make a call on one side for each row of that side, and not for each pair of rows."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ir.calls import call as make_call
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.logic import CASE, IS_TRUE
from ir.literals import literal
from ir.operations.join import Join
from ir.operations.operation import QueryOperation
from ir.rewriting import replace
from tableapi.spark.planner.asynchronous.call_guards import (
    async_parts,
    find_guards,
    guard_of,
    holds_async,
    is_movable,
    is_stable,
    outer_names,
    references,
)
from tableapi.spark.planner.asynchronous.chain import Chain, conjuncts
from tableapi.spark.planner.asynchronous.extraction import Below
from tableapi.spark.planner.asynchronous.rules import Rule


def push_below_product(chain: Chain, apply: Callable[[Rule], None]) -> Chain:
    """Push async calls below a cross join; return the chain unchanged if none moves.

    Args:
        chain: the chain.
        apply: called with each rule that is applied.
    """
    if not isinstance(chain.base, Join) or not chain.has_calls:
        return chain
    product = _Product(chain, chain.base, apply)
    return product.made() if product.is_one() else chain


@attrs.define
class _Side:
    """An input of a cross join.

    Attributes:
        input: the input.
        below: the projection over the input that takes extracted calls.
        first: the position of its first column in the join.
        is_optional: whether its columns may be NULL because a row is unmatched.
        filters: the conditions of the chain that use this side alone.
    """

    input: QueryOperation
    below: Below
    first: int
    is_optional: bool
    filters: list[ResolvedExpression] = attrs.field(factory=list)

    def has(self, expression: ResolvedExpression) -> bool:
        """Whether an expression over the join uses this side alone."""
        indices = {reference.index for reference in references(expression)}
        end = self.first + len(self.input.schema)
        names = outer_names((expression,))
        if not names <= set(self.input.schema.names):
            return False
        return bool(indices or names) and all(self.first <= index < end for index in indices)

    def over(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Rewrite an expression over the join as one over the input."""
        columns = self.input.schema.columns

        def moved(part: ResolvedExpression) -> ResolvedExpression | None:
            if not isinstance(part, FieldReference):
                return None
            index = part.index - self.first
            return FieldReference(columns[index].name, columns[index].data_type, 0, index)

        return replace(expression, moved)

    def made(self) -> QueryOperation:
        """Build the filtered input with the extracted calls as columns."""
        self.below.keep(self.filters)
        return self.below.made()


class _Product:
    """The rewrite of a chain over a cross join."""

    def __init__(self, chain: Chain, join: Join, apply: Callable[[Rule], None]) -> None:
        self._chain = chain
        self._join = join
        self._apply = apply
        left = Below(join.left, join.right.schema.names)
        right = Below(join.right, beside=left)
        kind, width = join.join_type, len(join.left.schema)
        self._sides = (
            _Side(join.left, left, 0, kind.left_is_optional),
            _Side(join.right, right, width, kind.right_is_optional),
        )
        self._conditions = list(chain.conditions)
        # By call: its side, its result column, and the column that is TRUE where the call ran; None if it always runs.
        self._taken: dict[ResolvedExpression, tuple[_Side, FieldReference, FieldReference | None]] = {}

    def is_one(self) -> bool:
        """Whether the join is a product: no condition without asynchronous calls relates its two sides."""
        chain, condition = self._chain, self._join.condition
        if chain.sort is not None and chain.sort.is_limited:
            return False
        of_join = conjuncts(condition) if condition is not None else ()
        if any(len({reference.input_index for reference in references(c)}) > 1 for c in of_join):
            return False
        plain = [condition for condition in chain.conditions if not holds_async(condition)]
        return all(is_stable(c) and any(side.has(c) for side in self._sides) for c in plain)

    def made(self) -> Chain:
        """Build the chain over the new join; return the same chain if nothing moves."""
        self._move_conditions()
        self._take()
        if not self._taken and not any(side.filters for side in self._sides):
            return self._chain
        left, right = self._sides
        return self._over(self._join.evolve(left=left.made(), right=right.made()))

    def _move_conditions(self) -> None:
        for condition in self._chain.conditions:
            for side in self._sides:
                if side.has(condition) and not side.is_optional and is_stable(condition):
                    side.filters.append(side.over(condition))
                    self._conditions.remove(condition)
                    if holds_async(condition):
                        self._apply(Rule.JOIN_SPLIT)

    def _take(self) -> None:
        # The first condition with calls filters pairs, so that later calls run for fewer rows.
        roots = [c for c in self._conditions if holds_async(c)][:1] or self._chain.columns
        everything = [*self._conditions, *self._chain.columns]
        everywhere = find_guards(everything, async_parts(everything))
        for call, guards in find_guards(roots, async_parts(roots)).items():
            side = next((side for side in self._sides if side.has(call)), None)
            if side is None or not is_movable(call):
                continue
            if side.is_optional and any(side.has(c) and not holds_async(c) for c in self._conditions):
                # The conditions on this side run before the call.
                continue
            guard = None if () in everywhere[call] else guard_of(guards)
            if guard is not None and not (side.has(guard) and is_movable(guard)):
                continue
            below = side.over(call)
            if guard is not None:
                below = make_call(CASE, (side.over(guard), below))
            is_there = None
            if guard is not None and everywhere[call] != guards:
                is_there = side.below.take(make_call(IS_TRUE, (side.over(guard),)))
            elif side.is_optional:
                is_there = side.below.take(literal(True))
            self._apply(Rule.JOIN_SPLIT)
            self._taken[call] = (side, side.below.take(below), is_there)

    def _over(self, join: Join) -> Chain:
        left = self._sides[0]
        # The number of columns that were added to the left side, before the columns of the right side.
        added, end = len(left.below.names), len(left.input.schema)
        columns = join.schema.columns

        def column(index: int) -> FieldReference:
            return FieldReference(columns[index].name, columns[index].data_type, 0, index)

        def at(side: _Side, found: FieldReference) -> FieldReference:
            return column(found.index + (0 if side is left else end + added))

        results: dict[ResolvedExpression, ResolvedExpression] = {}

        def changed(part: ResolvedExpression) -> ResolvedExpression | None:
            if isinstance(part, FieldReference):
                return column(part.index + (added if part.index >= end else 0))
            return results.get(part)

        for call, (side, found, is_there) in self._taken.items():
            result: ResolvedExpression = at(side, found)
            if is_there is not None:
                result = make_call(CASE, (at(side, is_there), result, replace(call, changed)))
            results[call] = result
        return attrs.evolve(self._chain, conditions=tuple(self._conditions)).over(join, changed)
