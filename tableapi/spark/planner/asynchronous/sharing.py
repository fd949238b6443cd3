"""Calls of a chain that are made below what the chain stands on: a join, a sort, windows, a table function.

What they stand on may make the same call, in its condition or its keys: then its result is a column that comes up from
there. And where a join pairs each row with all others, a call on the columns of one side is made for the rows of that
side, and not for each pair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

import attrs

from ir.expressions import Call, FieldReference, ResolvedExpression, SortOrder, TableReference
from ir.functions.calls import call as make_call
from ir.functions.logic import CASE, IS_TRUE
from ir.literals import literal
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.project import Project
from ir.operations.sort import Sort
from ir.rewriting import replace
from tableapi.spark.planner.asynchronous.below import Below, columns_of, over_pairs
from tableapi.spark.planner.asynchronous.chain import Chain, chain_at, conjunction, conjuncts
from tableapi.spark.planner.asynchronous.finding import (
    Guard,
    async_function,
    async_parts,
    calls_in,
    guard_of,
    holds_async,
    holds_window,
    is_correlated,
    is_repeatable,
    reached,
    references,
)
from tableapi.spark.planner.asynchronous.joins import has_pairs, split_join
from tableapi.spark.planner.asynchronous.pushing import push_conditions
from tableapi.spark.planner.asynchronous.rules import Rule
from tableapi.spark.planner.asynchronous.splitting import made_for_windows

_SHARED = (Join, LateralJoin, Sort, SortPartitions, Distribute)


def over_base(chain: Chain, calling: Set[QueryOperation], apply: Callable[[Rule], None]) -> Chain:
    """Return the same chain with what can be done below its base done there, once; or the chain itself.

    Args:
        chain: the chain.
        calling: the operations that make calls, by themselves or below.
        apply: is told each rule that is used.
    """
    if not chain.has_calls:
        return chain
    base, conditions = push_conditions(chain.base, chain.conditions, calling)
    if base is not chain.base:
        apply(Rule.PUSH_CONDITION)
        chain = attrs.evolve(chain, base=base, conditions=tuple(conditions))
    if isinstance(base, Join):
        chain = _with_pairs(chain, base, apply)
    if isinstance(chain.base, _SHARED):
        chain = _Sharing(chain, _sides(chain), apply).made()
    return _with_results_below_windows(_with_results_of_pairs(chain, apply), apply)


@attrs.define
class _Side:
    """An input of the base of a chain.

    Attributes:
        input: the input.
        below: what is added to it.
        first: the position of its first column among those of the base.
        is_optional: whether a row of the base may lack its columns, which are NULL then.
        calls: the calls that the base makes on its columns, and under which conditions.
        filters: conditions of the chain that are those of this side.
    """

    input: QueryOperation
    below: Below
    first: int
    is_optional: bool
    calls: dict[Call, set[Guard]]
    filters: list[ResolvedExpression] = attrs.field(factory=list)

    def has(self, expression: ResolvedExpression) -> bool:
        """Whether an expression over the base is one of this side alone."""
        indices = {reference.index for reference in references(expression)}
        end = self.first + len(self.input.schema)
        return bool(indices) and all(self.first <= index < end for index in indices)

    def over(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return an expression over the base as one over the input."""
        columns = self.input.schema.columns

        def moved(part: ResolvedExpression) -> ResolvedExpression | None:
            if not isinstance(part, FieldReference):
                return None
            index = part.index - self.first
            return FieldReference(columns[index].name, columns[index].data_type, 0, index)

        return replace(expression, moved)

    def made_by_base(self, call: Call) -> Call | None:
        """Return the call of the base that is the same as one over the base; their types may differ in NOT NULL."""
        return next((made for made in self.calls if _are_alike(call, made, self.first)), None)


def _sides(chain: Chain) -> list[_Side]:
    base = chain.base
    if isinstance(base, Join):
        left = Below(base.left, base.right.schema.names)
        right = Below(base.right, beside=left)
        parts: tuple[list[ResolvedExpression], list[ResolvedExpression]] = ([], [])
        for condition in conjuncts(base.condition) if base.condition is not None else ():
            for part in _parts_of_sides(condition):
                parts[next(iter(references(part))).input_index].append(part)
        kind, width = base.join_type, len(base.left.schema)
        return [
            _Side(base.left, left, 0, kind.left_is_optional, _calls(parts[0])),
            _Side(base.right, right, width, kind.right_is_optional, _calls(parts[1])),
        ]
    assert isinstance(base, (Sort, SortPartitions, Distribute, LateralJoin))
    taken = base.names if isinstance(base, LateralJoin) else ()
    return [_Side(base.inputs[0], Below(base.inputs[0], taken), 0, False, _calls(_own_parts(base)))]


def _own_parts(base: QueryOperation) -> list[ResolvedExpression]:
    if isinstance(base, LateralJoin):
        return list(base.right.children) if isinstance(base.right, Call) else []
    return [key.expression if isinstance(key, SortOrder) else key for key in base.expressions]


def _parts_of_sides(condition: ResolvedExpression) -> list[ResolvedExpression]:
    """Return the largest parts of a condition that make calls, and are of one side of the join."""
    found: list[ResolvedExpression] = []

    def look(part: ResolvedExpression) -> ResolvedExpression | None:
        if not holds_async(part):
            return part
        if len({reference.input_index for reference in references(part)}) == 1:
            found.append(part)
            return part
        return None

    replace(condition, look)
    return found


def _calls(parts: Sequence[ResolvedExpression]) -> dict[Call, set[Guard]]:
    return reached(parts, async_parts(parts))


def _are_alike(call: Call, made: Call, first: int) -> bool:
    """Whether a call over a base is one over an input of it, whose columns begin at a position of the base."""
    stack: list[tuple[ResolvedExpression, ResolvedExpression]] = [(call, made)]
    seen: set[tuple[ResolvedExpression, ResolvedExpression]] = set()
    while stack:
        pair = stack.pop()
        one, other = pair
        if one is other or pair in seen:
            continue
        seen.add(pair)
        if isinstance(one, FieldReference) and isinstance(other, FieldReference):
            if one.index - first != other.index:
                return False
        elif isinstance(one, Call) and isinstance(other, Call):
            if one.function is not other.function or len(one.children) != len(other.children):
                return False
            stack += zip(one.children, other.children, strict=True)
        else:
            return False
    return True


def _with_pairs(chain: Chain, join: Join, apply: Callable[[Rule], None]) -> Chain:
    """Return a chain over an inner join whose conditions with calls on pairs of rows are those of the chain."""
    if join.join_type is not JoinType.INNER or join.condition is None:
        return chain
    given = conjuncts(join.condition)
    moved = [over_pairs(condition, len(join.left.schema)) for condition in given if has_pairs(condition)]
    if not moved:
        return chain
    apply(Rule.NO_ASYNC_JOIN_CONDITIONS)
    kept = [condition for condition in given if not has_pairs(condition)]
    base = join.evolve(condition=conjunction(kept) if kept else None)
    return attrs.evolve(chain, base=base, conditions=(*moved, *chain.conditions))


def _with_results_of_pairs(chain: Chain, apply: Callable[[Rule], None]) -> Chain:
    """Return a chain over an outer join that tests pairs by calls, whose results come up from there."""
    join = chain.base
    if not isinstance(join, Join) or join.join_type is JoinType.INNER or join.condition is None:
        return chain
    tests = [condition for condition in conjuncts(join.condition) if has_pairs(condition)]
    if not all(map(_is_movable, tests)):
        return chain
    tested = [(call, over_pairs(call, len(join.left.schema))) for call in calls_in(tests) if has_pairs(call)]
    shared: dict[Call, Call] = {}
    for call in calls_in([*chain.conditions, *chain.columns]):
        made = next((made for made, over in tested if isinstance(over, Call) and _are_alike(call, over, 0)), None)
        if made is not None and _is_movable(call):
            shared[call] = made
    if not shared:
        return chain
    apply(Rule.NO_ASYNC_JOIN_CONDITIONS)
    apply(Rule.SHARED_CALL)
    base = split_join(join, tuple(shared.values()))
    columns = columns_of(base)
    results: dict[ResolvedExpression, ResolvedExpression] = {}

    def changed(part: ResolvedExpression) -> ResolvedExpression | None:
        return columns[part.index] if isinstance(part, FieldReference) else results.get(part)

    added = columns[len(join.schema) :]
    for call, is_made, result in zip(shared, added[0::2], added[1::2], strict=True):
        results[call] = make_call(CASE, (is_made, result, replace(call, changed)))
    return _rewritten(chain, base, chain.conditions, changed)


def _with_results_below_windows(chain: Chain, apply: Callable[[Rule], None]) -> Chain:
    """Return a chain over windows, through which the results of calls come that all rows make for them or below."""
    base = chain.base
    if not isinstance(base, Project) or not any(map(holds_window, base.projections)):
        return chain
    lower = chain_at(base.input, None)
    roots = [*lower.conditions, *lower.columns]
    made = {call for call, guards in reached(roots, async_parts(roots)).items() if () in guards}
    for_windows = made_for_windows(base)
    below = Below(base.input, base.names)
    taken: dict[ResolvedExpression, FieldReference] = {}
    for call in calls_in([*chain.conditions, *chain.columns]):
        given = _over_columns(call, base.projections)
        is_made = given in for_windows or _over_columns(given, lower.columns) in made
        if is_made and _is_movable(given):
            taken[call] = below.take(given)
    if not taken:
        return chain
    apply(Rule.SHARED_CALL)
    added = list(dict.fromkeys(taken.values()))
    names = (*base.names, *[column.name for column in added])
    over = Project(below.made(), (*base.projections, *added), names)
    columns = columns_of(over)[len(base.names) :]
    results: dict[ResolvedExpression, ResolvedExpression] = {}
    results.update({call: columns[added.index(column)] for call, column in taken.items()})
    return _rewritten(chain, over, chain.conditions, results.get)


def _over_columns(expression: ResolvedExpression, columns: Sequence[ResolvedExpression]) -> ResolvedExpression:
    """Return an expression over columns as one over what these are computed from."""
    return replace(expression, lambda part: columns[part.index] if isinstance(part, FieldReference) else None)


def _rewritten(
    chain: Chain,
    base: QueryOperation,
    conditions: Sequence[ResolvedExpression],
    changed: Callable[[ResolvedExpression], ResolvedExpression | None],
) -> Chain:
    """Return a chain over another base, with those conditions of it that are left, and parts of it changed."""
    sort = chain.sort
    if sort is not None:
        order = [SortOrder(replace(one.expression, changed), one.ascending, one.nulls_first) for one in sort.order]
        sort = sort.evolve(input=base, order=tuple(order))
    return attrs.evolve(
        chain,
        base=base,
        conditions=tuple([replace(condition, changed) for condition in conditions]),
        columns=tuple([replace(column, changed) for column in chain.columns]),
        sort=sort,
    )


class _Sharing:
    """Takes the calls of a chain below its base."""

    def __init__(self, chain: Chain, sides: Sequence[_Side], apply: Callable[[Rule], None]) -> None:
        self._chain = chain
        self._sides = sides
        self._apply = apply
        self._conditions = list(chain.conditions)
        # By call: its side, the column below, and the one that says whether that is the result, None where it is so.
        self._taken: dict[ResolvedExpression, tuple[_Side, FieldReference, FieldReference | None]] = {}

    def made(self) -> Chain:
        """Return the chain over the new base, or the chain itself."""
        is_product = isinstance(self._chain.base, Join) and self._is_product()
        if is_product:
            self._move_conditions()
        self._take_those_of_base()
        if is_product:
            self._take_of_product()
        if not self._taken and not any(side.filters for side in self._sides):
            return self._chain
        return self._over(self._base())

    # --- what is taken -----------------------------------------------------------------------------------------------

    def _is_product(self) -> bool:
        """Whether only conditions above it that make calls say which rows of both sides belong together."""
        chain, join = self._chain, self._chain.base
        assert isinstance(join, Join)
        if chain.sort is not None and chain.sort.is_limited:
            return False
        of_join = conjuncts(join.condition) if join.condition is not None else ()
        if any(len({reference.input_index for reference in references(c)}) > 1 for c in of_join):
            return False
        plain = [condition for condition in chain.conditions if not holds_async(condition)]
        return all(_is_movable(c) and any(side.has(c) for side in self._sides) for c in plain)

    def _move_conditions(self) -> None:
        for condition in self._chain.conditions:
            for side in self._sides:
                if side.has(condition) and not side.is_optional and _is_movable(condition):
                    side.filters.append(side.over(condition))
                    self._conditions.remove(condition)
                    if holds_async(condition):
                        self._apply(Rule.JOIN_SPLIT)

    def _take_of_product(self) -> None:
        # What decides of pairs leaves fewer rows for the calls after it.
        roots = [c for c in self._conditions if holds_async(c)][:1] or self._chain.columns
        everything = [*self._conditions, *self._chain.columns]
        everywhere = reached(everything, async_parts(everything))
        for call, guards in reached(roots, async_parts(roots)).items():
            side = next((side for side in self._sides if side.has(call)), None)
            if side is None or call in self._taken or not _is_movable(call):
                continue
            if side.is_optional and any(side.has(c) and not holds_async(c) for c in self._conditions):
                # They come before the call.
                continue
            guard = None if () in everywhere[call] else guard_of(guards)
            if guard is not None and not (side.has(guard) and _is_movable(guard)):
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

    def _take_those_of_base(self) -> None:
        for call in calls_in([*self._conditions, *self._chain.columns]):
            for side in self._sides:
                made = side.made_by_base(call) if side.has(call) else None
                if made is None or not _is_movable(call):
                    continue
                guard = guard_of(side.calls[made])
                if guard is not None and not _is_movable(guard):
                    continue
                below: ResolvedExpression = made if guard is None else make_call(CASE, (guard, made))
                is_there = None
                if guard is not None:
                    is_there = side.below.take(make_call(IS_TRUE, (guard,)))
                elif side.is_optional:
                    is_there = side.below.take(literal(True))
                self._apply(Rule.SHARED_CALL)
                self._taken[call] = (side, side.below.take(below), is_there)

    # --- what becomes of it ------------------------------------------------------------------------------------------

    def _base(self) -> QueryOperation:
        inputs = []
        for side in self._sides:
            side.below.keep(side.filters)
            inputs.append(side.below.made())
        base = self._chain.base
        if isinstance(base, Join):
            return base.evolve(left=inputs[0], right=inputs[1])
        assert isinstance(base, (Sort, SortPartitions, Distribute, LateralJoin))
        return base.evolve(input=inputs[0])

    def _over(self, base: QueryOperation) -> Chain:
        # How many columns stand before those of a side that were not there.
        first, added = self._sides[0], len(self._sides[0].below.names)
        end = len(first.input.schema)
        columns = base.schema.columns

        def column(index: int) -> FieldReference:
            return FieldReference(columns[index].name, columns[index].data_type, 0, index)

        def at(side: _Side, found: FieldReference) -> FieldReference:
            return column(found.index + (0 if side is first else end + added))

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
        return _rewritten(self._chain, base, self._conditions, changed)


def _is_movable(expression: ResolvedExpression) -> bool:
    """Whether an expression gives the same for each pair of a row as for the row, and knows no other queries."""
    if not is_repeatable(expression) or is_correlated(expression):
        return False
    functions = [async_function(part) for part in expression.walk()]
    if any(function is not None and not function.is_deterministic for function in functions):
        return False
    return not any(isinstance(part, TableReference) for part in expression.walk())
