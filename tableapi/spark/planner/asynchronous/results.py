"""Look up the results of calls: each operation answers for the calls that it makes, and asks its inputs for others.

A question goes down, rewritten over the columns of each input. The answer is the operation with result columns added.
Some rows may lack a result, because a guard excludes them or because they are unmatched rows of an outer join. A second
Boolean column is then TRUE for the rows that have a result.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import attrs

from ir.call_expressions import Call
from ir.calls import call as make_call
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.functions.logic import CASE, IS_TRUE, OR
from ir.identifiers import fold
from ir.literals import literal
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct, Filter
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.set_operation import SetOperation
from ir.rewriting import choose_unused_name, replace
from ir.schema import Column, ResolvedSchema
from ir.types import BOOLEAN
from tableapi.spark.planner.asynchronous.call_guards import (
    Guard,
    async_parts,
    calls_in,
    drop_calling_conditions,
    find_guards,
    guard_of,
    holds_async,
    holds_window,
    is_copyable,
    is_movable,
    references,
)
from tableapi.spark.planner.asynchronous.chain import Chain, chain_or_projection, conjuncts
from tableapi.spark.planner.asynchronous.extraction import Below, columns_of, rewrite_over_pairs
from tableapi.spark.planner.asynchronous.joins import has_pairs, move_pair_conditions, split_join
from tableapi.spark.planner.asynchronous.pushing import columns_of_same_type
from tableapi.spark.planner.asynchronous.rules import Rule

Apply = Callable[[Rule], None]


class Result(NamedTuple):
    """The result column of a call, and a column that is TRUE for rows that have it; None if all rows have it."""

    value: FieldReference
    is_made: FieldReference | None


@attrs.frozen
class Answer:
    """An operation with result columns, and the current positions of its original columns."""

    operation: QueryOperation
    columns: Sequence[FieldReference]
    results: dict[Call, Result]

    def in_order(self, taken: set[str]) -> Answer:
        """Restore the positions of the original columns, and put the results after them."""
        if all(column.index == i for i, column in enumerate(self.columns)):
            return self
        names = [column.name for column in self.columns]
        added = dict.fromkeys(column for result in self.results.values() for column in result if column is not None)
        new_names = [_new_name(taken) for _ in added]
        made = project(self.operation, (*self.columns, *added), (*names, *new_names))
        columns = columns_of(made)
        new: dict[FieldReference | None, FieldReference] = dict(zip(added, columns[len(names) :], strict=True))
        results = {call: Result(new[r.value], new.get(r.is_made)) for call, r in self.results.items()}
        return Answer(made, columns[: len(names)], results)


# --- questions -------------------------------------------------------------------------------------------------------


@attrs.define(eq=False)
class Side:
    """An input of an operation that is asked for results.

    Attributes:
        input: the input.
        over: each call that the operation is asked for, and the same call over the columns of the input.
        made: the calls that the operation itself makes over these columns, with their guards.
        is_optional: whether the columns of the input may be NULL because a row is unmatched.
        below: the same question to the input, or None if the input is not asked.
    """

    input: QueryOperation
    over: dict[Call, Call]
    made: dict[Call, set[Guard]]
    is_optional: bool = False
    below: Level | None = None

    def wanted(self) -> list[Call]:
        """Return the calls whose results the input has to provide, at least for some rows."""
        return [call for call in self.over.values() if () not in self._own(call)[1]]

    def found(self, answer: Answer) -> Iterator[tuple[Call, ResolvedExpression, ResolvedExpression | None]]:
        """Yield each call with a result: the call, its value, and the flag of the rows that have the value."""
        for asked, call in self.over.items():
            made, guards = self._own(call)
            below = answer.results.get(call)
            guard = guard_of(guards) if guards else None
            if () in guards:
                yield asked, made, None
            elif below is not None and (guard is None or below.is_made is None):
                yield asked, *below
            elif guard is not None and below is not None and below.is_made is not None:
                value = make_call(CASE, (below.is_made, below.value, guard, made))
                yield asked, value, make_call(OR, (below.is_made, make_call(IS_TRUE, (guard,))))
            elif guard is not None:
                yield asked, make_call(CASE, (guard, made)), make_call(IS_TRUE, (guard,))

    def in_order(self, taken: set[str]) -> Answer:
        """Return the answer of the input in the original column order, or the input without results."""
        answer = self.below.answer if self.below is not None else None
        return Answer(self.input, columns_of(self.input), {}) if answer is None else answer.in_order(taken)

    def _own(self, call: Call) -> tuple[Call, set[Guard]]:
        """Return a call as the operation makes it, with its guards; an empty set if the operation does not make it."""
        for made, guards in self.made.items():
            if _are_alike(call, made):
                return made, {guard for guard in guards if all(map(is_copyable, guard))}
        return call, set()


class Level(ABC):
    """An operation that is asked for the results of calls over its columns."""

    sides: Sequence[Side] = ()

    def __init__(self, operation: QueryOperation, calls: Sequence[Call]) -> None:
        self.operation = operation
        self.calls = calls
        self.answer: Answer | None = None

    @abstractmethod
    def find(self, taken: set[str], apply: Apply) -> None:
        """Find the answer from the answers of the inputs.

        Args:
            taken: folded names that no new column may have.
            apply: called with each rule that is applied.
        """


def level_of(operation: QueryOperation, calls: Sequence[Call]) -> Level | None:
    """Wrap an operation that can be asked for results of calls over its columns; None if it cannot provide any."""
    if isinstance(operation, (Aggregate, Distinct)):
        return _GroupsLevel(operation, calls)
    if isinstance(operation, SetOperation):
        return None if operation.compares_rows else _UnionLevel(operation, calls)
    chain = move_pair_conditions(operation) or chain_or_projection(operation)
    if chain is not None:
        return _ChainLevel(operation, calls, chain)
    hands_on = operation.keeps_columns or isinstance(operation, (LateralJoin, Join))
    return _InputsLevel(operation, calls) if hands_on else None


class _ChainLevel(Level):
    """A chain over one input, which makes calls in its conditions and columns."""

    def __init__(self, operation: QueryOperation, calls: Sequence[Call], chain: Chain) -> None:
        super().__init__(operation, calls)
        self._chain = chain
        over = {}
        for call in calls:
            given = _substitute_columns(call, chain.columns)
            if isinstance(given, Call) and is_movable(given) and not holds_window(given):
                over[call] = given
        self.sides = [Side(chain.base, over, _calls([*chain.conditions, *chain.columns]))]

    def find(self, taken: set[str], apply: Apply) -> None:
        given, chain = self.sides[0].in_order(taken), self._chain
        added: dict[ResolvedExpression, int] = {}
        found = {}
        for call, value, is_made in self.sides[0].found(given):
            value_at = added.setdefault(value, len(added))
            found[call] = (value_at, None if is_made is None else added.setdefault(is_made, len(added)))
        if not found:
            return
        if isinstance(self.operation, Join):
            apply(Rule.NO_ASYNC_JOIN_CONDITIONS)
        names = [_new_name(taken) for _ in added]
        over = chain.over(given.operation)
        made = attrs.evolve(over, columns=(*over.columns, *added), names=(*over.names, *names)).as_operation()
        self.answer = _place_at_end(made, len(chain.columns), found)


class _InputsLevel(Level):
    """An operation that passes on the columns of its inputs, with calls in its condition, keys, or arguments."""

    def __init__(self, operation: QueryOperation, calls: Sequence[Call]) -> None:
        super().__init__(operation, calls)
        firsts = [0] if len(operation.inputs) == 1 else [0, len(operation.inputs[0].schema)]
        optional = [False]
        own: list[list[ResolvedExpression]] = [_list_row_expressions(operation)]
        if isinstance(operation, Join):
            optional = [operation.join_type.left_is_optional, operation.join_type.right_is_optional]
            own = _parts_of_sides(operation)
        self.sides = [
            Side(input, _rewrite_over_input(calls, input, first), _calls(parts), is_optional)
            for input, first, parts, is_optional in zip(operation.inputs, firsts, own, optional, strict=True)
        ]

    def find(self, taken: set[str], apply: Apply) -> None:
        operation = self.operation
        inputs: list[QueryOperation] = []
        # By call: the number of the side, and the positions of its result column and its flag column.
        places: dict[Call, tuple[int, int, int | None]] = {}
        for number, side in enumerate(self.sides):
            given = side.in_order(taken)
            below = Below(given.operation, used=taken)
            for call, value, is_made in side.found(given):
                if is_made is None and side.is_optional:
                    is_made = literal(True)
                places[call] = (number, below.column(value), None if is_made is None else below.column(is_made))
            inputs.append(below.made())
        pairs = self._pairs()
        if not places and not pairs:
            return
        operation, count = self.operation, len(self.operation.schema)
        made = operation.with_inputs(inputs)
        # The columns of the first input, including the added ones, precede all others.
        width, moved, total = len(operation.inputs[0].schema), len(inputs[0].schema), len(made.schema)
        if pairs:
            assert isinstance(made, Join)
            apply(Rule.NO_ASYNC_JOIN_CONDITIONS)
            made = split_join(made, tuple(pairs.values()), taken)
            taken.update(fold(name) for name in made.schema.names)
        columns = columns_of(made)
        results: dict[Call, Result] = {}
        for call, (number, value_at, made_at) in places.items():
            first = moved if number else 0
            results[call] = Result(columns[first + value_at], None if made_at is None else columns[first + made_at])
        for i, call in enumerate(pairs):
            results[call] = Result(columns[total + 2 * i + 1], columns[total + 2 * i])
        self.answer = Answer(made, [columns[i if i < width else moved + i - width] for i in range(count)], results)

    def _pairs(self) -> dict[Call, Call]:
        """Map requested calls to the equal calls on pairs of rows in the condition of this outer join."""
        join = self.operation
        if not isinstance(join, Join) or join.condition is None or join.join_type is JoinType.INNER:
            return {}
        tests = [condition for condition in conjuncts(join.condition) if has_pairs(condition)]
        if not all(map(is_movable, tests)):
            return {}
        width = len(join.left.schema)
        made = {call: rewrite_over_pairs(call, width) for call in calls_in(tests) if has_pairs(call)}
        return {call: test for call in self.calls for test, over in made.items() if _are_alike(call, over)}


class _UnionLevel(Level):
    """A UNION whose branches may lack results."""

    def __init__(self, operation: SetOperation, calls: Sequence[Call]) -> None:
        super().__init__(operation, calls)
        self._union = operation
        same = columns_of_same_type(operation)
        movable = [call for call in calls if all(reference.index in same for reference in references(call))]
        self.sides = [Side(input, _rewrite_over_input(movable, input, 0), {}) for input in operation.inputs]

    def find(self, taken: set[str], apply: Apply) -> None:
        width = len(self._union.schema)
        given = [side.in_order(taken) for side in self.sides]
        found = [
            {call: (value, is_made) for call, value, is_made in side.found(answer)}
            for side, answer in zip(self.sides, given, strict=True)
        ]
        extra: tuple[list[ResolvedExpression], list[ResolvedExpression]] = ([], [])
        added: list[Column] = []
        places: dict[Call, tuple[int, int | None]] = {}
        for call in self.calls:
            if not any(call in of_side for of_side in found):
                continue
            is_whole = all(call in of_side and of_side[call][1] is None for of_side in found)
            places[call] = (len(added), None if is_whole else len(added) + 1)
            data_type = call.type_.as_nullable()
            added.append(Column(_new_name(taken), data_type))
            if not is_whole:
                added.append(Column(_new_name(taken), BOOLEAN))
            for of_side, expressions in zip(found, extra, strict=True):
                value, is_made = of_side.get(call, (literal(None, data_type), literal(False)))
                expressions += [value] if is_whole else [value, literal(True) if is_made is None else is_made]
        if not places:
            return
        sides = [
            _add_columns(answer.operation, width, expressions, added)
            for answer, expressions in zip(given, extra, strict=True)
        ]
        schema = ResolvedSchema((*self._union.schema.columns, *added))
        made = self._union.evolve(left=sides[0], right=sides[1], schema=schema)
        self.answer = _place_at_end(made, width, places)


class _GroupsLevel(Level):
    """Groups of rows, which have the results that are group keys."""

    def find(self, taken: set[str], apply: Apply) -> None:
        operation = self.operation
        keys: Sequence[ResolvedExpression]
        if isinstance(operation, Aggregate):
            keys, sets = operation.group_keys, operation.grouping_sets
        else:
            below = chain_or_projection(operation.inputs[0])
            keys, sets = (() if below is None else below.columns), None
        whole = {i for i in range(len(keys)) if sets is None or all(i in grouped for grouped in sets)}
        columns = columns_of(operation)
        results = {}
        for call in self.calls:
            if all(reference.index in whole for reference in references(call)):
                over = _substitute_columns(call, keys)
                of = next((i for i in whole if _are_alike(over, keys[i])), None)
                if of is not None and is_movable(over):
                    results[call] = Result(columns[of], None)
        if results:
            self.answer = Answer(operation, columns, results)


# --- parts of answers ------------------------------------------------------------------------------------------------


def _place_at_end(operation: QueryOperation, width: int, places: dict[Call, tuple[int, int | None]]) -> Answer:
    """Return an answer whose result columns follow the first ``width`` columns, at the given offsets."""
    columns = columns_of(operation)
    results = {
        call: Result(columns[width + value], None if is_made is None else columns[width + is_made])
        for call, (value, is_made) in places.items()
    }
    return Answer(operation, columns[:width], results)


def _add_columns(
    operation: QueryOperation, width: int, added: Sequence[ResolvedExpression], columns: Sequence[Column]
) -> QueryOperation:
    """Project the first ``width`` columns of an operation and additional named columns."""
    given = columns_of(operation)[:width]
    names = (*[column.name for column in given], *[column.name for column in columns])
    return project(operation, (*given, *added), names)


def _new_name(taken: set[str]) -> str:
    name = choose_unused_name("__result", taken)
    taken.add(fold(name))
    return name


# --- calls that an operation makes -----------------------------------------------------------------------------------


def _list_row_expressions(operation: QueryOperation) -> list[ResolvedExpression]:
    """Return the expressions that an operation over one input evaluates for each row."""
    if isinstance(operation, LateralJoin):
        return list(operation.right.children) if isinstance(operation.right, Call) else []
    if isinstance(operation, Filter):
        return list(conjuncts(operation.condition))
    return [key.expression if isinstance(key, SortOrder) else key for key in operation.expressions]


def _parts_of_sides(join: Join) -> list[list[ResolvedExpression]]:
    """Return for each side of a join the largest parts of the condition whose calls use that side alone."""
    found: list[list[ResolvedExpression]] = [[], []]

    def look(part: ResolvedExpression) -> ResolvedExpression | None:
        if not holds_async(part):
            return part
        sides = {reference.input_index for reference in references(part)} or {0}
        if len(sides) == 1:
            found[sides.pop()].append(part)
            return part
        return None

    for condition in conjuncts(join.condition) if join.condition is not None else ():
        replace(condition, look)
    return found


def _calls(parts: Sequence[ResolvedExpression]) -> dict[Call, set[Guard]]:
    """Return the calls in expressions with the guards under which a row reaches them."""
    made = find_guards(parts, async_parts(parts))
    waits = {
        call: {other for guard in guards for other in calls_in(guard)}
        for call, guards in made.items()
        if () not in guards
    }
    # Calls that wait for conditions on each other lose the conditions with calls, and so run for some more rows.
    return {
        call: drop_calling_conditions(guards) if _is_in_circle(call, waits) else guards for call, guards in made.items()
    }


def _is_in_circle(call: Call, waits: Mapping[Call, set[Call]]) -> bool:
    waiting, seen = [call], set[Call]()
    while waiting:
        new = waits.get(waiting.pop(), set()) - seen
        if call in new:
            return True
        seen |= new
        waiting += new
    return False


# --- calls over other columns ----------------------------------------------------------------------------------------


def _substitute_columns(expression: ResolvedExpression, columns: Sequence[ResolvedExpression]) -> ResolvedExpression:
    """Substitute the column expressions for the references to them."""
    return replace(expression, lambda part: columns[part.index] if isinstance(part, FieldReference) else None)


def _rewrite_over_input(calls: Sequence[Call], input: QueryOperation, first: int) -> dict[Call, Call]:
    """Rewrite the calls that use one input alone over that input, whose columns begin at position ``first``."""
    columns = columns_of(input)
    end = first + len(columns)

    def moved(part: ResolvedExpression) -> ResolvedExpression | None:
        return columns[part.index - first] if isinstance(part, FieldReference) else None

    found = {}
    for call in calls:
        if all(first <= reference.index < end for reference in references(call)):
            over = replace(call, moved)
            assert isinstance(over, Call)
            found[call] = over
    return found


def _are_alike(one: ResolvedExpression, other: ResolvedExpression) -> bool:
    """Whether two expressions over the same columns are equal up to nullability."""
    stack: list[tuple[ResolvedExpression, ResolvedExpression]] = [(one, other)]
    seen: set[tuple[ResolvedExpression, ResolvedExpression]] = set()
    while stack:
        pair = stack.pop()
        if pair[0] is pair[1] or pair in seen:
            continue
        seen.add(pair)
        given, made = pair
        if isinstance(given, FieldReference) and isinstance(made, FieldReference):
            if given.index != made.index:
                return False
        elif isinstance(given, Call) and isinstance(made, Call):
            if given.function is not made.function or len(given.children) != len(made.children):
                return False
            stack += zip(given.children, made.children, strict=True)
        else:
            return False
    return True
