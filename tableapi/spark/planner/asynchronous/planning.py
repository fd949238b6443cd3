"""Plan the asynchronous calls of a query: extract the calls that can be extracted, and leave the others in place."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ir.call_expressions import Call, Over
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.nodes import post_order
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct
from ir.operations.join import Join
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.partitions import SortPartitions
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import Source
from ir.rewriting import rebuild_over_changed, replace, sources_of, transform, transform_operations, user_functions
from ir.streaming.event_time import time_columns_of
from tableapi.async_functions.options import ALLOW_UNORDERED
from tableapi.spark.planner.asynchronous.calc import AsyncCalc
from tableapi.spark.planner.asynchronous.call_guards import (
    async_function,
    find_correlated_queries,
    holds_async,
    is_async,
    occurrences_apart,
    queries_with_async,
)
from tableapi.spark.planner.asynchronous.chain import Chain, chain_at
from tableapi.spark.planner.asynchronous.correlated import move_outer_calls
from tableapi.spark.planner.asynchronous.joins import move_pair_conditions
from tableapi.spark.planner.asynchronous.lowering import UNSENDABLE, Configure, Name, lower_calc, lower_in_place
from tableapi.spark.planner.asynchronous.numbering import Numbering
from tableapi.spark.planner.asynchronous.products import push_below_product
from tableapi.spark.planner.asynchronous.pushing import push_condition, push_conditions
from tableapi.spark.planner.asynchronous.rules import Rule
from tableapi.spark.planner.asynchronous.sharing import Sharing
from tableapi.spark.planner.asynchronous.splitting import materialize, split
from tableapi.spark.planner.asynchronous.stages import Stages
from tableapi.spark.planner.asynchronous.unused import drop_unused_calls
from tableapi.user_functions.sql_function import SqlFunction


@attrs.frozen
class AsyncPlan:
    """A query whose asynchronous calls are operations of their own, with the rules that the planner applied."""

    operation: QueryOperation
    rules: tuple[Rule, ...]

    def lowered(self, configure: Configure, name: Name) -> QueryOperation:
        """Lower every asynchronous call to a function that is registered with the Spark session."""

        def change(current: QueryOperation) -> QueryOperation:
            return lower_calc(current, configure, name) if isinstance(current, AsyncCalc) else current

        def stay(part: ResolvedExpression) -> ResolvedExpression:
            return lower_in_place(part, configure, name) if isinstance(part, Call) and is_async(part) else part

        stages = transform_operations(self.operation, change)
        return transform_operations(stages, lambda current: current, lambda expression: transform(expression, stay))


def expanding(
    expand: Callable[[Source], QueryOperation | None], temporary: Callable[[Source], QueryOperation | None]
) -> Callable[[Source], QueryOperation | None]:
    """Return a function that expands a source as ``expand`` does, and also temporary views with asynchronous calls.

    Spark holds a temporary view as a query that it does not rewrite. If such a view makes asynchronous calls, it has
    to be expanded, so that its calls are planned together with those of the query.
    """
    known: dict[Source, QueryOperation | None] = {}

    def behind(source: Source) -> QueryOperation | None:
        found = expand(source)
        return temporary(source) if found is None else found

    def found(source: Source) -> QueryOperation | None:
        if source not in known:
            expanded = expand(source)
            view = temporary(source) if expanded is None else None
            known[source] = view if view is not None and _makes_calls_behind(view, behind) else expanded
        return known[source]

    return found


def _makes_calls_behind(query: QueryOperation, behind: Callable[[Source], QueryOperation | None]) -> bool:
    """Whether a query or a view behind one of its sources makes asynchronous calls."""
    waiting, seen = [query], {query}
    while waiting:
        current = waiting.pop()
        if current in queries_with_async(current) or any(_is_sql_function(f) for f in user_functions(current)):
            return True
        for source in sources_of(current):
            below = behind(source) if isinstance(source, Source) else None
            if below is not None and below not in seen:
                seen.add(below)
                waiting.append(below)
    return False


def _is_sql_function(function: FunctionDefinition) -> bool:
    # The body of a SQL function may make asynchronous calls. Expanding a view without them does no harm.
    return isinstance(function.user_code.implementation, SqlFunction)


def explain(operation: QueryOperation, configure: Configure) -> str | None:
    """Explain the asynchronous calls of a query to people; return None for a query without any.

    The text shows the operations that Spark runs, with an AsyncCalc in place of the function that Spark runs for it.
    """
    plan = plan_async(operation, configure)
    if plan is None:
        return None
    rules = "\n".join(f"{rule.name}: {rule.value}" for rule in plan.rules)
    return f"{plan.operation.as_summary_string()}\n\n{rules}".rstrip()


def plan_async(operation: QueryOperation, configure: Configure) -> AsyncPlan | None:
    """Plan the asynchronous calls of a query; return None for a query without any.

    Args:
        operation: the query, with its SQL functions expanded.
        configure: returns the options of a function.
    """
    if operation not in queries_with_async(operation):
        return None
    return _Planner(occurrences_apart(operation), configure).plan()


class _Planner:
    """The planner of one query."""

    def __init__(self, root: QueryOperation, configure: Configure) -> None:
        self._configure = configure
        self._rules: dict[Rule, None] = {}
        made = move_outer_calls(root)
        if made is not root:
            self._apply(Rule.CORRELATED_SPLIT)
        self._root = drop_unused_calls(made)
        if self._root is not made:
            self._apply(Rule.UNUSED_CALL)
        # Over all visited operations: those that make calls, and those whose own expressions contain calls.
        self._met: set[QueryOperation] = set()
        self._calling: set[QueryOperation] = set()
        self._own: set[QueryOperation] = set()
        self._meet(self._root)
        self._sharing = Sharing(Numbering(self._own), self._is_calling, self._apply)
        self._correlated = find_correlated_queries(self._root)
        self._is_position_free = all(map(_is_position_free, self._root.walk_with_subqueries()))
        # Whether the query asks for an order of the rows, and whether recomputing the rows repeats calls.
        is_sort, is_calc = (lambda one: isinstance(one, Sort)), (lambda one: isinstance(one, AsyncCalc))
        self._has_order = _Reaching(is_sort, Aggregate, Join, SetOperation, Distinct)
        self._makes_calls = _Reaching(is_calc)
        self._may_be_few = _Reaching(_may_be_few)
        self._done: dict[QueryOperation, QueryOperation] = {}
        self._units: dict[QueryOperation, Chain | QueryOperation] = {}

    def plan(self) -> AsyncPlan:
        """Return the plan."""
        stack = [self._root]
        while stack:
            current = stack[-1]
            if current in self._done:
                stack.pop()
                continue
            if current not in self._calling or current in self._correlated:
                self._done[current] = current
                continue
            waiting = [below for below in self._list_inputs(current) if below not in self._done]
            if waiting:
                stack += waiting
            else:
                self._done[current] = self._plan(current)
        planned = self._done[self._root]
        for current in planned.walk_with_subqueries():
            if not isinstance(current, AsyncCalc) and any(map(holds_async, current.expressions)):
                self._apply(Rule.SYNC_MODE)
        return AsyncPlan(planned, tuple(rule for rule in Rule if rule in self._rules))

    def _meet(self, root: QueryOperation) -> None:
        """Record which operations of a query make calls; skip operations that are known already."""

        def below(operation: QueryOperation) -> list[QueryOperation]:
            return [*operation.inputs, *operation.subqueries]

        def new(operation: QueryOperation) -> list[QueryOperation]:
            return [child for child in below(operation) if child not in self._met]

        for current in post_order(root, new):
            self._met.add(current)
            if any(map(holds_async, current.expressions)):
                self._own.add(current)
            if current in self._own or any(child in self._calling for child in below(current)):
                self._calling.add(current)

    def _is_calling(self, operation: QueryOperation) -> bool:
        """Whether an operation or an operation below it makes calls; the operation may be new."""
        if operation not in self._met:
            self._meet(operation)
        return operation in self._calling

    def _apply(self, rule: Rule) -> None:
        self._rules[rule] = None

    def _list_inputs(self, current: QueryOperation) -> list[QueryOperation]:
        """Return the operations to plan before this one; split it when it is visited for the first time."""
        unit = self._units.get(current)
        if unit is None:
            divided = push_condition(current, self._calling)
            if divided is not current:
                self._apply(Rule.PUSH_CONDITION)
            else:
                divided = split(current, self._apply)
            if divided is not current:
                # The parts make the same calls as the operation.
                self._meet(divided)
                unit = divided
            else:
                unit = self._chain(current)
            self._units[current] = unit
        if isinstance(unit, Chain):
            expressions = (*unit.conditions, *unit.columns, *(unit.sort.order if unit.sort else ()))
            return [unit.base, *_queries(expressions)]
        if unit is not current:
            return [unit]
        return [*current.inputs, *current.subqueries]

    def _chain(self, current: QueryOperation) -> Chain | QueryOperation:
        """Return the chain that ends with an operation, or the operation if it ends no chain."""
        chain = chain_at(current, self._own)
        if chain.base is current:
            return current
        # Operations below the lowest call may belong to the chain, or may end the chain further up: try both.
        for longest in (chain_at(current, None), chain):
            made = self._move_into_base(longest) if longest.has_calls else longest
            if made is not longest:
                return made
        return chain

    def _move_into_base(self, chain: Chain) -> Chain:
        """Move what the base can compute once into or below the base; return the chain unchanged if nothing moves."""
        base, conditions = push_conditions(chain.base, chain.conditions, self._calling)
        if base is not chain.base:
            self._apply(Rule.PUSH_CONDITION)
            chain = attrs.evolve(chain, base=base, conditions=tuple(conditions))
        pairs = move_pair_conditions(base)
        if pairs is not None:
            self._apply(Rule.NO_ASYNC_JOIN_CONDITIONS)
            chain = attrs.evolve(chain, base=pairs.base, conditions=(*pairs.conditions, *chain.conditions))
        self._meet(chain.base)
        shared = self._sharing.with_results(chain)
        made = push_below_product(shared, self._apply)
        if made is not shared:
            made = self._sharing.with_results(made, were_moved=True)
        self._meet(made.base)
        return made

    def _plan(self, current: QueryOperation) -> QueryOperation:
        unit = self._units[current]
        if not isinstance(unit, Chain):
            if unit is not current:
                return self._done[unit]
            made = rebuild_over_changed(current, self._done)
            if isinstance(made, Sort):
                return made.evolve(input=self._plan_sort_input(made, made.input))
            return made
        changed = attrs.evolve(
            unit,
            base=self._plan_sort_input(unit.sort, self._done[unit.base]),
            conditions=tuple([self._rewrite_over_done(condition) for condition in unit.conditions]),
            columns=tuple([self._rewrite_over_done(column) for column in unit.columns]),
        )
        is_free = self._is_position_free and unit.sort is None and not self._has_order(changed.base)
        is_free = is_free and not any(isinstance(c.data_type, UNSENDABLE) for c in changed.base.schema.columns)
        # A column that passes through Python no longer carries the watermark of its stream.
        is_free = is_free and not time_columns_of(unit.base)
        return Stages(changed, self._may_reorder if is_free else _must_not_reorder, self._apply).planned()

    def _plan_sort_input(self, sort: Sort | None, rows: QueryOperation) -> QueryOperation:
        """Return the input of a sort; materialize it if Spark would repeat its calls to sample it."""
        if sort is None or not sort.order or not self._makes_calls(rows):
            return rows
        # Spark does not sample for a sort with a limit, unless the optimizer removes the limit.
        return materialize(rows) if not sort.is_limited or self._may_be_few(rows) else rows

    def _rewrite_over_done(self, expression: ResolvedExpression) -> ResolvedExpression:
        def changed(part: ResolvedExpression) -> ResolvedExpression | None:
            return TableReference(self._done[part.operation]) if isinstance(part, TableReference) else None

        return replace(expression, changed)

    def _may_reorder(self, call: Call) -> bool:
        function = async_function(call)
        assert function is not None
        mode = self._configure(function, call.function.user_code.identifier).get("output_mode")
        return bool(mode == ALLOW_UNORDERED)


def _must_not_reorder(call: Call) -> bool:
    return False


def _queries(expressions: tuple[ResolvedExpression, ...]) -> list[QueryOperation]:
    return [part.operation for e in expressions for part in e.walk() if isinstance(part, TableReference)]


def _is_position_free(operation: QueryOperation) -> bool:
    """Whether the result of an operation does not depend on the order of its input rows."""
    if isinstance(operation, SortPartitions) or (isinstance(operation, Sort) and operation.is_limited):
        return False
    for expression in operation.expressions:
        for part in expression.walk():
            if isinstance(part, Over):
                return False
            if not isinstance(part, Call) or is_async(part):
                continue
            is_aggregate = part.function.kind is FunctionKind.AGGREGATE
            if not part.function.is_deterministic or (is_aggregate and not part.function.aggregation.in_any_order):
                return False
    return True


def _may_be_few(operation: QueryOperation) -> bool:
    """Whether Spark may know the maximum row count of an operation, and so remove a limit that is not smaller."""
    if isinstance(operation, (Source, Sort, Aggregate)):
        is_temporary = isinstance(operation, Source) and operation.identifier.is_temporary
        is_limited = isinstance(operation, Sort) and operation.is_limited
        return is_temporary or is_limited or (isinstance(operation, Aggregate) and not operation.group_keys)
    return not operation.inputs


class _Reaching:
    """Whether a matching operation lies at or below an operation; memoized per operation.

    Args:
        wanted: the predicate that an operation has to match.
        beyond: operations of these types hide everything below them.
    """

    def __init__(self, wanted: Callable[[QueryOperation], bool], *beyond: type[QueryOperation]) -> None:
        self._wanted = wanted
        self._beyond = beyond
        self._known: dict[QueryOperation, bool] = {}

    def __call__(self, operation: QueryOperation) -> bool:
        known = self._known

        def below(current: QueryOperation) -> list[QueryOperation]:
            return [] if isinstance(current, self._beyond) else [one for one in current.inputs if one not in known]

        for current in post_order(operation, below):
            is_end = isinstance(current, self._beyond)
            is_below = not is_end and any(known[one] for one in current.inputs)
            known[current] = self._wanted(current) or is_below
        return known[operation]
