"""Share the results of calls: a call that one operation makes is not repeated above it.

A chain asks its base for the results of its calls. The question goes down from operation to operation until one makes
the call; the answer comes up as columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ir.call_expressions import Call
from ir.calls import call as make_call
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.logic import CASE
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.rewriting import replace
from tableapi.spark.planner.asynchronous.call_guards import calls_in, is_movable
from tableapi.spark.planner.asynchronous.chain import Chain
from tableapi.spark.planner.asynchronous.numbering import Numbering
from tableapi.spark.planner.asynchronous.results import Answer, Apply, Level, level_of
from tableapi.spark.planner.asynchronous.rules import Rule


class Sharing:
    """Shares the results of calls between the operations of one query.

    Args:
        numbers: the numbering, which tells for which calls a search is worthwhile.
        is_calling: whether an operation makes calls, itself or below it.
        apply: called with each rule that is applied.
    """

    def __init__(self, numbers: Numbering, is_calling: Callable[[QueryOperation], bool], apply: Apply) -> None:
        self._numbers = numbers
        self._is_calling = is_calling
        self._apply = apply
        # Calls that are known not to be made by an operation or below it.
        self._missed: set[tuple[QueryOperation, Call]] = set()

    def with_results(self, chain: Chain, *, were_moved: bool = False) -> Chain:
        """Replace the calls of a chain by results that its base has; return the same chain if there are none.

        Args:
            chain: the chain.
            were_moved: whether some conditions of the chain have just moved below it.
        """
        calls, base = calls_in((*chain.conditions, *chain.columns)), chain.base
        asked = [call for call in calls if were_moved or self._numbers.may_be_made_below(call, base)]
        answer = self._answer(base, [call for call in asked if is_movable(call)])
        if answer is None:
            return chain
        self._apply(Rule.SHARED_CALL)
        results: dict[ResolvedExpression, ResolvedExpression] = {}

        def changed(part: ResolvedExpression) -> ResolvedExpression | None:
            return answer.columns[part.index] if isinstance(part, FieldReference) else results.get(part)

        for call in calls:
            found = answer.results.get(call)
            if found is not None:
                is_made, value = found.is_made, found.value
                again = replace(call, changed)
                results[call] = value if is_made is None else make_call(CASE, (is_made, value, again))
        return chain.over(answer.operation, changed)

    def _answer(self, operation: QueryOperation, calls: Sequence[Call]) -> Answer | None:
        """Return an operation with the results of the calls that it or its inputs make; None if there are none."""
        top = self._asked(operation, calls)
        if top is None:
            return None
        levels = [top]
        for level in levels:
            for side in level.sides:
                side.below = self._asked(side.input, side.wanted())
                if side.below is not None:
                    levels.append(side.below)
        taken = {fold(name) for level in levels for name in level.operation.schema.names}
        for level in reversed(levels):
            level.find(taken, self._apply)
            found = level.answer.results if level.answer is not None else {}
            self._missed.update((level.operation, call) for call in level.calls if call not in found)
        return top.answer

    def _asked(self, operation: QueryOperation, calls: Sequence[Call]) -> Level | None:
        if not self._is_calling(operation):
            return None
        open_calls = [call for call in calls if (operation, call) not in self._missed]
        return level_of(operation, open_calls) if open_calls else None
