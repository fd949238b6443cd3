"""Turn a chain into stages: filters, calls that run together, filters on their results, and the final columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ir.call_expressions import Call
from ir.calls import call as make_call
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.collection import GET
from ir.functions.logic import CASE
from ir.identifiers import fold
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.rewriting import replace
from tableapi.spark.planner.asynchronous.calc import AsyncCalc
from tableapi.spark.planner.asynchronous.call_guards import (
    Guard,
    async_parts,
    calls_in,
    direct_call,
    drop_calling_conditions,
    find_guards,
    guard_of,
    holds_async,
    is_async,
    is_repeatable,
    outer_names,
    references,
)
from tableapi.spark.planner.asynchronous.chain import Chain
from tableapi.spark.planner.asynchronous.rules import Rule


class Stages:
    """Build the operations of one chain.

    Args:
        chain: the chain.
        may_reorder: whether the function of a call allows rows to leave in another order.
        apply: called with each rule that is applied.
    """

    def __init__(self, chain: Chain, may_reorder: Callable[[Call], bool], apply: Callable[[Rule], None]) -> None:
        self._chain = chain
        self._may_reorder = may_reorder
        self._apply = apply
        self._operation = chain.base
        # The remaining work, over the columns of the current operation: conditions with calls, and columns.
        self._conditions = [condition for condition in chain.conditions if holds_async(condition)]
        self._columns = list(chain.columns)
        self._taken = {fold(name) for name in (*chain.base.schema.names, *chain.names)}
        self._number = 0

    def planned(self) -> QueryOperation:
        """Build the operations."""
        chain = self._chain
        plain = [condition for condition in chain.conditions if not holds_async(condition)]
        self._tell_rules(bool(plain))
        for condition in plain:
            self._operation = Filter(self._operation, condition)
        if chain.sort is not None:
            self._operation = chain.sort.evolve(input=self._operation)
        self._fix_guards()
        self._keep_needed()
        while self._conditions:
            made = self._make_calls([self._conditions.pop(0)])
            self._operation = Filter(self._operation, made[0])
        columns, self._columns = self._columns, []
        columns = self._make_calls(columns)
        return project(self._operation, tuple(columns), chain.names)

    # --- calls -------------------------------------------------------------------------------------------------------

    def _make_calls(self, roots: Sequence[ResolvedExpression]) -> list[ResolvedExpression]:
        """Add the stages that evaluate the calls in expressions; each stage makes all calls that are ready.

        Returns:
            The expressions with results in place of calls. The remaining conditions and columns use the same results.
        """
        current = list(roots)
        holding = async_parts(current)
        some = _OfSome(roots, self._made_for_some(find_guards(current, holding)))
        while holding:
            alternatives = find_guards(current, holding)
            guards = {call: guard_of(found) for call, found in alternatives.items()}
            if any(guard is not None for guard in guards.values()):
                self._apply(Rule.CONDITIONAL_SPLIT)
            calls = calls_in(current)
            ready = _ready(calls, guards, holding)
            if not ready:
                # Every call waits for a condition on another call: make the first one for some more rows.
                guards = {call: guard_of(drop_calling_conditions(found)) for call, found in alternatives.items()}
                ready = _ready(calls, guards, holding)[:1]
            known = self._add(ready, guards)
            if some.calls:
                some.add(known, guards)
            else:
                self._substitute(known)
            current = [replace(root, known.get) for root in current]
            holding = async_parts(current)
        if some.calls:
            self._substitute(some.results())
        return current

    def _made_for_some(self, made: Mapping[Call, set[Guard]]) -> set[Call]:
        """Return the calls that this step makes for fewer rows than the remaining conditions and columns need."""
        if all(() in guards for guards in made.values()):
            return set()
        later = [*self._conditions, *self._columns]
        return {
            call
            for call, guards in find_guards(later, async_parts(later)).items()
            if call in made and () not in made[call] and not guards <= made[call]
        }

    def _add(
        self, calls: Sequence[Call], guards: Mapping[Call, ResolvedExpression | None]
    ) -> dict[ResolvedExpression, FieldReference]:
        if len(calls) > 1:
            self._apply(Rule.ONE_PER_CALC_SPLIT)
        if any(direct_call(argument) for call in calls for argument in call.arguments):
            self._apply(Rule.NESTED_SPLIT)
        names = tuple([self._new_name() for _ in calls])
        is_ordered = not all(map(self._may_reorder, calls))
        if not is_ordered:
            self._apply(Rule.UNORDERED)
        made = AsyncCalc(self._operation, tuple(calls), tuple([guards[call] for call in calls]), names, is_ordered)
        self._operation = made
        known: dict[ResolvedExpression, FieldReference] = dict(zip(calls, made.results, strict=True))
        return known

    def _substitute(self, known: Mapping[ResolvedExpression, ResolvedExpression]) -> None:
        self._conditions = [replace(condition, known.get) for condition in self._conditions]
        self._columns = [replace(column, known.get) for column in self._columns]

    def _new_name(self) -> str:
        name = f"__async_{self._number}"
        while fold(name) in self._taken:
            self._number += 1
            name = f"__async_{self._number}"
        self._taken.add(fold(name))
        return name

    # --- columns -----------------------------------------------------------------------------------------------------

    def _fix_guards(self) -> None:
        """Compute non-deterministic parts of guards once, as columns, because a guard would compute them again."""
        roots = [*self._conditions, *self._columns]
        guards = [guard_of(found) for found in find_guards(roots, async_parts(roots)).values()]
        parts = {
            part
            for guard in guards
            if guard is not None
            for part in guard.walk()
            if isinstance(part, Call) and not part.function.is_deterministic and is_repeatable_within(part)
        }
        if not parts:
            return
        schema = self._operation.schema
        columns = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(schema.columns)]
        fixed = sorted(parts, key=lambda part: part.as_summary_string())
        names = [self._new_name() for _ in fixed]
        self._operation = Project(self._operation, (*columns, *fixed), (*schema.names, *names))
        first = len(columns)
        self._substitute(
            {
                part: FieldReference(name, part.data_type, 0, first + i)
                for i, (part, name) in enumerate(zip(fixed, names, strict=True))
            }
        )

    def _keep_needed(self) -> None:
        """Drop the columns that nothing above needs, if the rows would carry them through Python."""
        roots = [*self._conditions, *self._columns]
        if not any(map(self._may_reorder, calls_in(roots))):
            return
        used = {reference for root in roots for reference in references(root)}
        columns = self._operation.schema.columns
        named, held = outer_names(roots), {reference.index for reference in used}
        used.update(
            [
                FieldReference(c.name, c.data_type, 0, i)
                for i, c in enumerate(columns)
                if c.name in named and i not in held
            ]
        )
        if len({reference.index for reference in used}) == len(columns):
            return
        kept = sorted(used, key=lambda reference: reference.index)
        self._operation = Project(self._operation, tuple(kept), tuple([columns[k.index].name for k in kept]))
        self._substitute({k: FieldReference(k.name, k.type_, 0, i) for i, k in enumerate(kept)})

    # --- rules -------------------------------------------------------------------------------------------------------

    def _tell_rules(self, has_plain_conditions: bool) -> None:
        columns = [column for column in self._columns if holds_async(column)]
        roots = [*self._conditions, *columns]
        if has_plain_conditions:
            self._apply(Rule.PUSH_CONDITION)
        if self._conditions:
            self._apply(Rule.SPLIT_CONDITION)
        if any(not is_async(column) for column in columns):
            self._apply(Rule.SPLIT_PROJECT)
        for rule, within in (
            (Rule.SPLIT_PROJECTION_REX_FIELD, columns),
            (Rule.SPLIT_CONDITION_REX_FIELD, self._conditions),
        ):
            if any(_is_field_of_call(part) for root in within for part in root.walk()):
                self._apply(rule)
        arguments = [argument for call in calls_in(roots) for argument in call.arguments]
        if any(_is_field(part) and not holds_async(part) for argument in arguments for part in argument.walk()):
            self._apply(Rule.EXPAND_PROJECT)
        if self._chain.sort is not None:
            self._apply(Rule.LIMIT_SPLIT if self._chain.sort.is_limited else Rule.SORT_SPLIT)
        uses = Counter(child for part in async_parts(roots) for child in part.children)
        uses.update(roots)
        if any(uses[call] > 1 for call in calls_in(roots)):
            self._apply(Rule.SHARED_CALL)


class _OfSome:
    """The results of calls in a condition, when later expressions need some of these results for more rows.

    Args:
        roots: the condition.
        calls: the calls that later expressions need for more rows.
    """

    def __init__(self, roots: Sequence[ResolvedExpression], calls: set[Call]) -> None:
        self.calls = calls
        self._written = calls_in(roots) if calls else []
        self._made: dict[ResolvedExpression, FieldReference] = {}
        self._guards: dict[Call, ResolvedExpression | None] = {}

    def add(
        self, known: Mapping[ResolvedExpression, FieldReference], guards: Mapping[Call, ResolvedExpression | None]
    ) -> None:
        """Record the results of calls, which are over earlier results, and the guards of the calls."""
        before = dict(self._made)
        for call in self._written:
            given = replace(call, before.get)
            if call not in before and isinstance(given, Call) and given in known:
                self._made[call] = known[given]
                self._guards[call] = guards[given]

    def results(self) -> dict[ResolvedExpression, ResolvedExpression]:
        """Return the replacement of each call: its result where the call was made, and the call for other rows."""
        found: dict[ResolvedExpression, ResolvedExpression] = {}
        for call in self._written:
            result: ResolvedExpression = self._made[call]
            guard = self._guards[call]
            if call in self.calls and guard is not None:
                result = make_call(CASE, (guard, result, replace(call, found.get)))
            found[call] = result
        return found


def _ready(
    calls: list[Call], guards: Mapping[Call, ResolvedExpression | None], holding: set[ResolvedExpression]
) -> list[Call]:
    """Return the calls that can be made at once: their arguments need only columns and results of such calls."""
    ready: dict[ResolvedExpression | None, None] = {}
    for call in calls:
        if not holds_async(guards[call]) and all(
            argument not in holding or direct_call(argument) in ready for argument in call.arguments
        ):
            ready[call] = None
    return [call for call in calls if call in ready]


def is_repeatable_within(call: Call) -> bool:
    """Whether the arguments of a call are repeatable, whether or not the call itself is."""
    return all(is_repeatable(argument) and not holds_async(argument) for argument in call.arguments)


def _is_field(part: ResolvedExpression) -> bool:
    return isinstance(part, Call) and part.function is GET


def _is_field_of_call(part: ResolvedExpression) -> bool:
    return isinstance(part, Call) and part.function is GET and is_async(part.arguments[0])
