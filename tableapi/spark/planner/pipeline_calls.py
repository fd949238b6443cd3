"""Places calls of functions in Python where a DataFrame can make them: as columns of the inputs of operations.

A pipeline registers no function, so that SQL cannot call it, and a DataFrame can. SQL computes the arguments of the
innermost calls, a DataFrame adds the results as columns, and the operation reads these. Nothing here needs Spark.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ir.call_expressions import Call
from ir.calls.clauses import is_aggregate
from ir.errors import TableException
from ir.expressions import FieldReference, LambdaVariable, OuterReference, ResolvedExpression
from ir.identifiers import FunctionIdentifier, ObjectIdentifier, fold
from ir.message_texts import with_article
from ir.normalization.blocks import conjunction, conjuncts
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.process import ProcessTable
from ir.operations.project import Project, project
from ir.operations.sort import Sort
from ir.operations.source import Source, StreamRead
from ir.rewriting import choose_unused_name, replace, transform_operations
from ir.schema import Column, ResolvedSchema
from tableapi.async_functions.options import AsyncOptions, options_for
from tableapi.spark.planner.asynchronous.extraction import columns_of, project_columns, rewrite_over_first
from tableapi.spark.planner.asynchronous.lowering import StageProgram
from tableapi.spark.planner.asynchronous.planning import plan_async
from tableapi.spark.planner.functions import bind_functions
from tableapi.user_functions.declaration import UserFunction

# Operations whose rows have the columns of their input, before or beside others.
_PASSING = (Filter, Sort, Distribute, SortPartitions)
_JOIN_FIRST = "join the rows by an inner join in a temporary view, which can call it, and read that."


class MisplacedCall(TableException):
    """A call of a function in Python is where no DataFrame can make it.

    Args:
        message: what is wrong, and what to do.
        function: the name of the function.
        columns: the names of the columns in the arguments of the call.
    """

    def __init__(self, message: str, function: str, columns: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.function = function
        self.columns = tuple(columns)


class Result(NamedTuple):
    """A column that a DataFrame adds to rows.

    Attributes:
        name: the name of the column.
        function: the name of the function in the session.
        arguments: the names of the columns that it takes.
    """

    name: str
    function: str
    arguments: tuple[str, ...]


class Rows(Protocol):
    """Names the rows that replace calls in the queries of a pipeline."""

    def call(self, rows: QueryOperation, kept: Sequence[str], results: Sequence[Result]) -> str:
        """Name the rows of a query: the ``kept`` columns and the ``results`` of calls."""

    def process(self, call: ProcessTable, place: Callable[[QueryOperation], QueryOperation]) -> str:
        """Name the rows of a process table function.

        Args:
            call: the call, whose partition keys and arguments may call functions in Python.
            place: returns a query that calls no function in Python.
        """


class CallPlacement:
    """Replaces calls of functions in Python by columns.

    Args:
        functions: the user's name of each function, by its name in the session; functions may be added later.
        rows: names the rows that contain the results of calls.
    """

    def __init__(self, functions: Mapping[str, str], rows: Rows) -> None:
        self._functions = functions
        self._rows = rows
        # The two sides of a join may not have equal names.
        self._names_of_results: set[str] = set()

    def place(self, operation: QueryOperation) -> QueryOperation:
        """Return a query that calls no function in Python.

        Raises:
            MisplacedCall: a call is where no DataFrame can make it.
            ValidationException: the rows below a call have columns of equal names.
        """
        return transform_operations(operation, self._place)

    def _place(self, current: QueryOperation) -> QueryOperation:
        """Return an operation over DataFrames that have the results of its calls."""
        if isinstance(current, ProcessTable):
            return self._place_process_call(current)
        if not any(map(self._has_calls, current.expressions)):
            return current
        if isinstance(current, Aggregate):
            return self._place_aggregate(current)
        if isinstance(current, Project):
            return self._over_results(current)
        if isinstance(current, Join) and current.join_type is JoinType.INNER and current.condition is not None:
            above = [one for one in conjuncts(current.condition) if self._calls_both_sides(one)]
            if above:
                return self._place(self._filter_above(current, above))
        if isinstance(current, (*_PASSING, Join, LateralJoin)):
            return _without_results(self._over_results(current), current)
        call = next(part for one in current.expressions for part in one.walk() if self._is_call(part))
        raise self._misplaced(
            call, f"in {with_article(current.noun)}", "compute the call as a column of a temporary view, and read that."
        )

    def _place_process_call(self, current: ProcessTable) -> QueryOperation:
        if current.is_unbounded:
            raise MisplacedCall(
                f"A pipeline cannot run the {current.label} over a stream: mapInArrow and transformWithState ask for "
                "the columns of their input, and Spark refuses this in a query function. Call it in a materialized "
                "view, over a streaming table that has the rows.",
                current.function.sql_name,
            )
        return _source(self._rows.process(current, self.place), current.schema)

    def _place_aggregate(self, current: Aggregate) -> QueryOperation:
        """Make the calls on columns below an aggregation, and those on its results above it."""
        keys = len(current.group_keys)
        if not any(map(self._has_calls_of_aggregates, current.aggregates)):
            return self._over_results(current)
        found: dict[ResolvedExpression, int] = {}
        for expression in current.aggregates:
            for part in expression.walk():
                if is_aggregate(part):
                    found.setdefault(part, len(found))
        names = [*current.names[:keys]]
        for _ in found:
            names.append(choose_unused_name("__aggregate", {fold(name) for name in names}))
        low = current.evolve(aggregates=tuple(found), names=tuple(names))
        columns = columns_of(low)
        over = {part: columns[keys + position] for part, position in found.items()}
        over |= dict(zip(current.group_keys, columns[:keys], strict=True))
        above = [replace(expression, over.get) for expression in current.aggregates]
        below = self._place(low)
        return self._over_results(Project(below, (*columns[:keys], *above), current.names))

    def _over_results(self, current: QueryOperation) -> QueryOperation:
        """Return an operation whose calls are columns of its inputs, inner calls first."""
        while calls := self._innermost(current):
            inputs = list(current.inputs)
            results: dict[ResolvedExpression, ResolvedExpression] = {}
            for side, input in enumerate(current.inputs):
                own = [call for call in calls if calls[call] == side]
                if own:
                    inputs[side] = self._add_results(input, own)
                    columns = inputs[side].schema.columns
                    for position, call in enumerate(own, len(input.schema)):
                        results[call] = FieldReference(columns[position].name, call.data_type, side, position)
            over = dict(zip(current.inputs, inputs, strict=True))

            def changed(part: Any, over: Mapping[Any, Any] = over, results: Mapping[Any, Any] = results) -> Any:
                return over[part] if isinstance(part, QueryOperation) else replace(part, results.get)

            current = current.map_parts(changed)
        return current

    def _innermost(self, current: QueryOperation) -> dict[Call, int]:
        """Return the calls without a call among their arguments, each with the input that has its columns."""
        found: dict[Call, int] = {}
        for expression in current.expressions:
            for part in expression.walk():
                if not self._is_call(part) or any(map(self._has_calls, part.children)):
                    continue
                assert isinstance(part, Call)
                sides = _sides(part)
                if len(sides) > 1:
                    raise self._misplaced(
                        part, f"with columns of both sides of {with_article(current.noun)}", _JOIN_FIRST
                    )
                if any(isinstance(one, (LambdaVariable, OuterReference)) for one in part.walk()):
                    raise self._misplaced(part, "with columns of a row outside of its query", _JOIN_FIRST)
                found[part] = min(sides)
        return found

    def _add_results(self, input: QueryOperation, calls: Sequence[Call]) -> Source:
        """Return a source with the rows of an input and the results of calls over its columns."""
        names = list(input.schema.names)
        input.schema.require_distinct_names("The input of a function in Python")
        arguments: dict[ResolvedExpression, str] = {}
        for argument in (argument for call in calls for argument in call.arguments):
            if isinstance(argument, FieldReference):
                arguments[argument] = names[argument.index]
            elif argument not in arguments:
                taken = {fold(name) for name in (*names, *arguments.values())}
                arguments[argument] = choose_unused_name("__argument", taken)
        computed = {part: name for part, name in arguments.items() if not isinstance(part, FieldReference)}
        columns = (*columns_of(input), *map(rewrite_over_first, computed))
        rows = project(input, columns, (*names, *computed.values()))
        schema = list(input.schema.columns)
        results = []
        for call in calls:
            name = choose_unused_name("__result", self._names_of_results | {fold(column.name) for column in schema})
            self._names_of_results.add(fold(name))
            schema.append(Column(name, call.data_type))
            results.append(Result(name, call.function.sql_name, tuple([arguments[one] for one in call.arguments])))
        made = self._rows.call(rows, names, results)
        return _source(made, ResolvedSchema(tuple(schema)), is_stream=input.is_unbounded)

    def _is_call(self, part: ResolvedExpression) -> bool:
        return isinstance(part, Call) and part.function.sql_name in self._functions

    def _has_calls(self, expression: ResolvedExpression) -> bool:
        return any(map(self._is_call, expression.walk()))

    def _has_calls_of_aggregates(self, expression: ResolvedExpression) -> bool:
        """Whether a call takes the result of an aggregate."""
        calls = [part for part in expression.walk() if self._is_call(part)]
        return any(is_aggregate(part) for call in calls for child in call.children for part in child.walk())

    def _calls_both_sides(self, condition: ResolvedExpression) -> bool:
        return any(self._is_call(part) and len(_sides(part)) > 1 for part in condition.walk())

    @staticmethod
    def _filter_above(join: Join, above: list[ResolvedExpression]) -> Filter:
        """Return an inner join below a filter that has some of its conditions."""
        assert join.condition is not None
        below = [one for one in conjuncts(join.condition) if one not in above]
        made = join.evolve(condition=conjunction(below) if below else None)
        columns = columns_of(made)

        def over_both(part: ResolvedExpression) -> ResolvedExpression | None:
            if not isinstance(part, FieldReference):
                return None
            return columns[part.index + (len(join.left.schema) if part.input_index else 0)]

        return Filter(made, conjunction([replace(one, over_both) for one in above]))

    def _misplaced(self, part: ResolvedExpression, where: str, instead: str) -> MisplacedCall:
        assert isinstance(part, Call)
        name = self._functions[part.function.sql_name]
        inside = (one for child in part.children for one in child.walk())
        columns = [one.name for one in inside if isinstance(one, (FieldReference, OuterReference))]
        return MisplacedCall(f"A pipeline cannot call {name} {where}: {instead}", name, columns)


def _without_results(made: QueryOperation, current: QueryOperation) -> QueryOperation:
    """Return the columns of an operation as they were before results were added to its inputs."""
    kept: list[int] = []
    start = 0
    for before, after in zip(current.inputs, made.inputs, strict=True):
        kept += range(start, start + len(before.schema))
        start += len(after.schema)
    kept += range(start, len(made.schema))
    return project_columns(made, current.schema, kept)


def _source(name: str, schema: ResolvedSchema, *, is_stream: bool = False) -> Source:
    return Source(ObjectIdentifier(name), schema, stream=StreamRead(is_declared=True) if is_stream else None)


def _sides(call: ResolvedExpression) -> set[int]:
    """Return the numbers of the inputs whose columns a call takes; the first one for a call without any."""
    return {one.input_index for one in call.walk() if isinstance(one, FieldReference)} or {0}


# --- without Spark ---------------------------------------------------------------------------------------------------


def require_placed_calls(operation: QueryOperation) -> None:
    """Require that a pipeline can make all calls of functions in Python of a query.

    Args:
        operation: the query.

    Raises:
        MisplacedCall: a call is where no DataFrame can make it.
        ValidationException: the rows below a call have columns of equal names.
    """
    functions = _Functions()
    planned = plan_async(operation, functions.options)
    if planned is not None:
        operation = planned.lowered(functions.options, functions.stage)
    CallPlacement(functions.names, _NoRows()).place(bind_functions(operation, functions))


class _Functions:
    """Names functions that nothing registers."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    @staticmethod
    def options(function: UserFunction, identifier: FunctionIdentifier | None) -> AsyncOptions:
        return options_for(function.options, identifier, {})

    def stage(
        self, planned: StageProgram, arguments: Sequence[ResolvedExpression]
    ) -> tuple[str, Sequence[ResolvedExpression]]:
        return self._register(", ".join(one.function.name for one in planned.functions)), arguments

    def call(
        self, function: UserFunction, arguments: Sequence[ResolvedExpression]
    ) -> tuple[str, tuple[ResolvedExpression, ...]]:
        return self._register(function.name), tuple(arguments)

    def name_over_windows(self, function: UserFunction, *, is_filtered: bool, as_series: bool) -> None:
        """Return None, so that an aggregate over windows takes collected rows: SQL alone writes windows."""

    def _register(self, shown: str) -> str:
        name = f"__tableapi_function_{len(self.names)}"
        self.names[name] = shown
        return name


class _NoRows:
    """Generates names of rows without computing the rows, so that a query can be analysed."""

    def __init__(self) -> None:
        self._numbers = itertools.count()

    def call(self, rows: QueryOperation, kept: Sequence[str], results: Sequence[Result]) -> str:
        return f"__tableapi_rows_{next(self._numbers)}"

    def process(self, call: ProcessTable, place: Callable[[QueryOperation], QueryOperation]) -> str:
        return f"__tableapi_rows_{next(self._numbers)}"
