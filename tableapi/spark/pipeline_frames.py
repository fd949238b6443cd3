"""Builds DataFrames of queries for pipelines, whose sessions take neither functions nor temporary views.

SQL cannot call a function that is not registered, and a DataFrame can. So a query becomes a chain of DataFrames: SQL
computes the arguments of the calls as columns, a DataFrame adds the results, and further SQL reads its rows.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ir.call_expressions import Call
from ir.calls.clauses import is_aggregate
from ir.errors import TableException
from ir.expressions import FieldReference, LambdaVariable, OuterReference, ResolvedExpression
from ir.identifiers import ObjectIdentifier, fold, quote
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.process import ProcessTable
from ir.operations.project import Project, project
from ir.operations.sort import Sort
from ir.operations.source import Source, StreamRead
from ir.rewriting import choose_unused_name, replace, transform_operations
from ir.schema import Column, ResolvedSchema
from tableapi.lazy import lazy
from tableapi.spark.asynchronous_functions import AsyncFunctions
from tableapi.spark.planner.asynchronous.planning import plan_async
from tableapi.spark.planner.functions import bind_functions
from tableapi.spark.planner.process import PlannedCall, plan_call
from tableapi.spark.process_functions import ProcessFunctions
from tableapi.spark.python_functions import PythonFunctions, pickle_user_code_by_value
from tableapi.spark.versions import SessionVersions, client_version
from tableapi.user_functions.declaration import UserFunction

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import functions as spark_functions
else:
    spark_functions = lazy(__name__, "pyspark.sql.functions")

_PREFIX = "__tableapi_pipeline"
# Operations whose rows have the columns of their input, before or beside others.
_PASSING = (Filter, Sort, Distribute, SortPartitions)


class PipelineFrames:
    """Builds the DataFrames of the queries of a pipeline.

    Args:
        session: the session of the pipeline, one of Spark Connect.
        parameters: returns the job parameters, for functions that read them in ``open()``.
    """

    def __init__(self, session: SparkSession, parameters: Callable[[], Mapping[str, str]]) -> None:
        self._session = session
        self._functions = _UnregisteredFunctions(session, parameters)
        self._async_functions = AsyncFunctions(self._functions, parameters)
        self._process_functions = ProcessFunctions(session, _PREFIX, parameters, self._functions)
        self._frames: dict[str, DataFrame] = {}
        self._numbers = itertools.count()
        # The two sides of a join may not have equal names.
        self._names_of_results: set[str] = set()

    def frame(self, operation: QueryOperation) -> DataFrame:
        """Return the DataFrame of a query, over names as the pipeline has them.

        Raises:
            TableException: a call is where no DataFrame can make it, or its code cannot be sent to workers.
        """
        planned = plan_async(operation, self._async_functions.options)
        if planned is not None:
            operation = planned.lowered(self._async_functions.options, self._async_functions.name)
        bound = bind_functions(operation, self._functions)
        self._functions.send_by_value()
        return self._read(transform_operations(bound, self._place))

    def _read(self, query: QueryOperation) -> DataFrame:
        if isinstance(query, Source) and query.identifier.name in self._frames:
            return self._frames[query.identifier.name]
        text = query.as_serializable_string(layout="MERGED")
        used: dict[str, Any] = {name: frame for name, frame in self._frames.items() if f"`{name}`" in text}
        if used:
            # PySpark replaces names in braces by the DataFrames, and doubled braces by single ones.
            text = text.replace("{", "{{").replace("}", "}}")
        for name in used:
            text = text.replace(f"`{name}`", f"{{{name}}}")
        return self._session.sql(text, **used)

    def _name(self, frame: DataFrame, schema: ResolvedSchema, *, is_stream: bool) -> Source:
        name = f"{_PREFIX}_rows_{next(self._numbers)}_"
        self._frames[name] = frame
        return Source(ObjectIdentifier(name), schema, stream=StreamRead(is_declared=True) if is_stream else None)

    # --- calls ---

    def _place(self, current: QueryOperation) -> QueryOperation:
        """Return an operation over DataFrames that have the results of its calls."""
        if isinstance(current, ProcessTable):
            return self._place_process_call(plan_call(current))
        if not any(map(self._has_calls, current.expressions)):
            return current
        if isinstance(current, Aggregate):
            return self._place_aggregate(current)
        if isinstance(current, Project):
            return self._over_results(current)
        if isinstance(current, (*_PASSING, Join, LateralJoin)):
            return _without_results(self._over_results(current), current)
        raise TableException(
            f"A pipeline cannot call {self._shown(current)} in {_article(current.noun)}: compute the call as a column "
            "of a temporary view, and read that."
        )

    def _place_process_call(self, planned: PlannedCall) -> QueryOperation:
        if planned.call.is_unbounded:
            raise TableException(
                f"A pipeline cannot run the {planned.call.label} over a stream: mapInArrow and transformWithState ask "
                "for the columns of their input, and Spark refuses this in a query function. Call it in a materialized "
                "view, over a streaming table that has the rows."
            )
        # Partition keys and arguments may make calls, too.
        sent = transform_operations(planned.sent, self._place)
        frame = self._process_functions.frame(planned, self._read(sent))
        return self._name(frame, planned.call.schema, is_stream=False)

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
        columns = _columns_of(low)
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
                inside = [one for child in part.children for one in child.walk()]
                sides = {one.input_index for one in inside if isinstance(one, FieldReference)} or {0}
                if len(sides) > 1 or any(isinstance(one, (LambdaVariable, OuterReference)) for one in inside):
                    where = "of both sides of a join" if len(sides) > 1 else "of a row outside of its query"
                    raise TableException(
                        f"A pipeline cannot call {self._made(part).name} with columns "
                        f"{where}: compute the call as a column of a temporary view, and read that."
                    )
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
        columns = (*_columns_of(input), *map(_over_first, computed))
        rows = self._read(project(input, columns, (*names, *computed.values())))
        schema = list(input.schema.columns)
        made = [spark_functions.col(quote(name)) for name in names]
        for call in calls:
            name = choose_unused_name("__result", self._names_of_results | {fold(column.name) for column in schema})
            self._names_of_results.add(fold(name))
            schema.append(Column(name, call.data_type))
            function = self._made(call).spark_function
            given = [spark_functions.col(quote(arguments[argument])) for argument in call.arguments]
            made.append(function(*given).alias(schema[-1].name))
        return self._name(rows.select(*made), ResolvedSchema(tuple(schema)), is_stream=input.is_unbounded)

    def _is_call(self, part: ResolvedExpression) -> bool:
        return isinstance(part, Call) and part.function.sql_name in self._functions.made

    def _has_calls(self, expression: ResolvedExpression) -> bool:
        return any(map(self._is_call, expression.walk()))

    def _has_calls_of_aggregates(self, expression: ResolvedExpression) -> bool:
        """Whether a call takes the result of an aggregate."""
        calls = [part for part in expression.walk() if self._is_call(part)]
        return any(is_aggregate(part) for call in calls for child in call.children for part in child.walk())

    def _shown(self, current: QueryOperation) -> str:
        """Return the name of the first function that an operation calls."""
        parts = (part for expression in current.expressions for part in expression.walk())
        return next(self._made(part).name for part in parts if self._is_call(part))

    def _made(self, part: ResolvedExpression) -> _UnregisteredFunction:
        assert isinstance(part, Call)
        return self._functions.made[part.function.sql_name]


class _UnregisteredFunction(NamedTuple):
    """A function that a DataFrame calls.

    Attributes:
        name: the name that its user gave it.
        spark_function: the function of PySpark, which takes columns.
    """

    name: str
    spark_function: Any


class _UnregisteredFunctions(PythonFunctions):
    """Keeps the functions that a session of a pipeline does not take."""

    def __init__(self, session: SparkSession, parameters: Callable[[], Mapping[str, str]]) -> None:
        # Asking the server for its version is an analysis, which a query function may not ask for.
        super().__init__(session, SessionVersions(client_version(), client_version()), _PREFIX, parameters)
        self.made: dict[str, _UnregisteredFunction] = {}
        self._kept = contextlib.ExitStack()
        atexit.register(self._kept.close)

    def send_by_value(self, runtime: Sequence[ModuleType] = ()) -> None:
        """Pickle code by value until the process ends.

        The client pickles the functions of a query when Spark registers it, which is after the query was made.
        """
        self._kept.enter_context(pickle_user_code_by_value(runtime))

    def register(
        self, name: str, made: Any, functions: Sequence[UserFunction], runtime: Sequence[ModuleType] = ()
    ) -> None:
        """Keep a function under its name, with its code by value."""
        self.send_by_value(runtime)
        self.made[name] = _UnregisteredFunction(", ".join(one.name for one in functions), made)

    def require_modules(self, function: str, sent: bytes) -> None:
        """Ask for nothing: a query function may not run a job."""

    def name_over_windows(self, function: UserFunction, *, is_filtered: bool, as_series: bool) -> None:
        """Return None, so that an aggregate over windows takes collected rows: SQL alone writes windows."""


def _without_results(made: QueryOperation, current: QueryOperation) -> QueryOperation:
    """Return the columns of an operation as they were before results were added to its inputs."""
    kept: list[int] = []
    start = 0
    for before, after in zip(current.inputs, made.inputs, strict=True):
        kept += range(start, start + len(before.schema))
        start += len(after.schema)
    kept += range(start, len(made.schema))
    columns = _columns_of(made)
    return project(made, tuple([columns[position] for position in kept]), current.schema.names)


def _columns_of(operation: QueryOperation) -> list[FieldReference]:
    return [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(operation.schema.columns)]


def _over_first(expression: ResolvedExpression) -> ResolvedExpression:
    """Return an expression over one side of a join as one over that side alone."""

    def first(part: ResolvedExpression) -> ResolvedExpression | None:
        return FieldReference(part.name, part.type_, 0, part.index) if isinstance(part, FieldReference) else None

    return replace(expression, first)


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
