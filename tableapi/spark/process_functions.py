"""Register process table functions with a Spark session: send them by value, each call under a generated name."""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import pickle
import re
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark import cloudpickle as _cloudpickle
from pyspark.sql.types import LongType, StringType, StructField, StructType

from ir.errors import TableException
from tableapi.lazy import lazy
from tableapi.spark import versions
from tableapi.spark.errors import readable_errors
from tableapi.spark.planner.process import PlannedCall
from tableapi.spark.planner.stored_states import describe_states, name_of_key, stored_plan
from tableapi.spark.planner.stream_keys import write_key
from tableapi.spark.python_functions import PythonFunctions
from tableapi.spark.runtime.process.ordered_running import OrderedStreamRunning
from tableapi.spark.runtime.process.packing import KEY, OUTPUT_TYPE, PACKED_TYPE, packer, unpack
from tableapi.spark.runtime.process.running import Running
from tableapi.spark.runtime.process.stream_processor import StreamProcessor, TimedStreamProcessor
from tableapi.spark.runtime.process.stream_running import StreamRunning
from tableapi.spark.stateful_functions import require_stateful_functions
from tableapi.spark.streaming.state_changes import CallState
from tableapi.spark.types import to_spark
from tableapi.spark.versions import is_connect
from tableapi.stream_progress import CALL_METRICS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession, functions
    from pyspark.sql.connect import functions as connect_functions

    from tableapi.spark.runtime.process.plan import Plan, StoredPlan
else:
    functions = lazy(__name__, "pyspark.sql.functions")
    connect_functions = lazy(__name__, "pyspark.sql.connect.functions")

# The cloudpickle of PySpark is untyped.
cloudpickle: Any = _cloudpickle
_NOT_A_NAME = re.compile(r"\W")
# What progress shows of a call, computed from the rows of its output that have counts.
_COUNTS = ("SUM(came) AS rows", "SUM(late) AS late", "MAX(size) AS size", "MAX_BY(partition, size) AS partition")
_COUNT_FIELDS = (
    *[StructField(name, LongType()) for name in ("came", "late", "size")],
    StructField("partition", StringType()),
)


class StatefulCall(NamedTuple):
    """A call over a stream, as the record of a checkpoint describes it.

    Attributes:
        title: the call in words.
        state: its state, which may change in some ways while the checkpoint lives.
    """

    title: str
    state: CallState


class ProcessFunctions:
    """The calls of process table functions that are registered with a session.

    Args:
        session: the session.
        prefix: the prefix of the generated names, which nothing else in the session uses.
        parameters: returns the job parameters, for functions that read them in ``open()``.
        python_functions: sends code to the workers.
    """

    def __init__(
        self,
        session: SparkSession,
        prefix: str,
        parameters: Callable[[], Mapping[str, str]],
        python_functions: PythonFunctions,
    ) -> None:
        self._session = session
        self._prefix = prefix
        self._parameters = parameters
        self._python_functions = python_functions
        self._numbers = itertools.count()
        # Keyed by the pickled call, so that running a query again registers no further function.
        self._names: dict[bytes, str] = {}
        self.stateful_calls: dict[str, StatefulCall] = {}
        self._initial_states: Mapping[str, DataFrame] = {}

    @contextlib.contextmanager
    def beginning_with(self, initial_states: Mapping[str, DataFrame]) -> Iterator[None]:
        """Give initial states, by ``uid``, to calls over streams that are planned within the block."""
        before, self._initial_states = self._initial_states, initial_states
        try:
            yield
        finally:
            self._initial_states = before

    def function(self, planned: PlannedCall) -> str:
        """Return the name of a call as a table function of the session; register it if it is new.

        Raises:
            TableException: the code cannot be sent to workers.
        """
        with self._python_functions.by_value():
            plan, result, sent = self._make_plan(planned)
            digest = hashlib.sha256(b"function" + sent + result.json().encode()).digest()
            if digest not in self._names:
                known = self._choose_unused_name(plan)
                self._register(known, plan.name, sent, result)
                self._names[digest] = known
            return self._names[digest]

    def frame(self, planned: PlannedCall, input: DataFrame) -> DataFrame:
        """Return the rows of a call, without a name in the session.

        Args:
            planned: the call.
            input: the table that is sent to workers.

        Raises:
            TableException: the code cannot be sent to workers.
        """
        with self._python_functions.by_value():
            _, result, sent = self._make_plan(planned)
        # mapInArrow would ask a Connect server for the columns of its input.
        called = table_handler(sent, len(planned.input.schema))
        rows: DataFrame = _functions_for(self._session).arrow_udtf(called, returnType=result)(input.asTable())
        return rows

    def view(self, planned: PlannedCall, input: DataFrame) -> str:
        """Return the name of a temporary view with the rows of a call.

        Args:
            planned: the call.
            input: the table that is sent to workers, in its current state.

        Raises:
            TableException: the code cannot be sent to workers.
        """
        with self._python_functions.by_value():
            plan, result, sent = self._make_plan(planned)
            digest = hashlib.sha256(b"view" + sent + result.json().encode()).digest()
            if digest not in self._names:
                self._python_functions.require_modules(plan.name, sent)
                self._names[digest] = self._choose_unused_name(plan)
            known = self._names[digest]
            made = input.mapInArrow(make_batch_function(sent, len(planned.input.schema)), result)
            with readable_errors(f"Calling the process table function {plan.name}"):
                made.createOrReplaceTempView(known)
            return known

    def stream_view(self, planned: PlannedCall, input: DataFrame, followed: bool | None = None) -> str:
        """Return the name of a temporary view with the rows of a call over a stream.

        The rows of a task are packed into Arrow batches, processed by one call of a stateful processor, and unpacked.

        Args:
            planned: the call.
            input: the stream that is sent to workers.
            followed: None if no operation with state follows; otherwise whether one of these is Spark's own, for which
                the rows keep the watermark, and come one by one.

        Raises:
            TableException: the session cannot run the call, or the code cannot be sent to workers.
        """
        call = planned.call
        require_stateful_functions(self._session, self._python_functions, call.function.sql_name, len(call.tables))
        with self._python_functions.by_value():
            plan, result, _ = self._make_plan(planned)
            stored = stored_plan(planned, followed is not None)
            is_timed = bool(followed) and stored.is_followed and stored.has_watermark
            running = OrderedStreamRunning if stored.order else StreamRunning
            sent = self._pickle_plan((running, plan, stored), plan.name)
            digest = hashlib.sha256(b"stream%d" % is_timed + sent + result.json().encode()).digest()
            if digest not in self._names:
                self._python_functions.require_modules(plan.name, sent)
                self._names[digest] = self._choose_unused_name(plan)
            known = self._names[digest]
            time_mode = "EventTime" if stored.has_watermark else "None"
            make = TimedStreamProcessor if is_timed else StreamProcessor
            processor = make(sent, stored.variable, stored.has_watermark, stored.width)
            with readable_errors(f"Calling the process table function {plan.name}"):
                keyed = input.selectExpr("*", f"{write_key(planned.key_columns)} AS {KEY}").repartition(KEY)
                packed = keyed.mapInArrow(packer(planned.packed_order), PACKED_TYPE)
                initial = self._initial_states.get(call.uid)
                made = _process(packed, processor, result, time_mode, CALL_METRICS + plan.uid, initial)
                made.createOrReplaceTempView(known)
            # Spark stores the names of temporary views in lower case.
            self.stateful_calls[known.lower()] = _describe_state(planned, stored)
            return known

    def _make_plan(self, planned: PlannedCall) -> tuple[Plan, StructType, bytes]:
        """Return the plan of a call, its result columns, and the pickled program for the workers.

        Raises:
            TableException: the session has no process table functions, or the code cannot be sent to workers.
        """
        versions_here = self._python_functions.versions
        if not versions_here.has_process_functions:
            raise TableException(
                f"Process table functions need Spark 4.0; this session has Spark {versions_here.server} and pyspark "
                f"{versions_here.client}, which loses the fields of dataclasses on their way to workers."
            )
        columns = planned.call.schema.columns
        result = StructType([StructField(c.name, to_spark(c.data_type), c.data_type.nullable) for c in columns])
        plan = planned.plan(versions.arrow_schema(result), dict(self._parameters()))
        return plan, result, self._pickle_plan((Running, plan), plan.name)

    def _choose_unused_name(self, plan: Plan) -> str:
        return f"{self._prefix}_p{next(self._numbers)}_{_NOT_A_NAME.sub('_', plan.name)}"

    def _pickle_plan(self, program: tuple[Any, ...], name: str) -> bytes:
        try:
            return pickle_value(program)
        except Exception as error:
            raise TableException(
                f"The process table function {name} cannot be sent to Spark's workers: {error}. What it refers "
                "to, also by a closure or an attribute, must be possible to pickle; open what is not, such as a "
                "connection, in open()."
            ) from None

    def _register(self, name: str, shown: str, sent: bytes, result: Any) -> None:
        self._python_functions.require_modules(shown, sent)
        with readable_errors(f"Registering the process table function {shown}"):
            self._session.udtf.register(
                name, _functions_for(self._session).arrow_udtf(handler(sent), returnType=result)
            )


def _process(
    packed: DataFrame,
    processor: StreamProcessor,
    result: StructType,
    time_mode: str,
    metrics: str,
    initial_states: DataFrame | None,
) -> DataFrame:
    """Return the rows that a stateful processor computes from packed rows, with its counts as metrics."""
    counts = [functions.expr(text) for text in _COUNTS]
    # PySpark calls the processor by its methods.
    given: Any = processor
    by_key = packed.groupBy(KEY)
    begun = None if initial_states is None else initial_states.groupBy(KEY)
    if not isinstance(processor, TimedStreamProcessor):
        processed = by_key.transformWithState(given, OUTPUT_TYPE, "Append", time_mode, begun)
        return processed.observe(metrics, *counts).mapInArrow(unpack, result)
    names = [f"_{number}" for number in range(len(result))]
    own = [StructField(name, field.dataType) for name, field in zip(names, result, strict=True)]
    output = StructType([*own, *_COUNT_FIELDS])
    processed = by_key.transformWithState(given, output, "Append", time_mode, begun, names[-1])
    columns = [functions.col(name).alias(field.name) for name, field in zip(names, result, strict=True)]
    return processed.observe(metrics, *counts).where("came IS NULL").select(columns)


def _describe_state(planned: PlannedCall, stored: StoredPlan) -> StatefulCall:
    call = planned.call
    name, keys, states = call.function.sql_name, call.partition_keys[0], describe_states(call)
    shown = ", ".join(key.as_summary_string() for key in keys)
    uid = "" if call.uid == name else f" with the uid {call.uid}"
    by = f" by [{shown}]" if keys else ""
    order = ", whose rows wait for the watermark," if planned.order_of_waiting else ""
    title = f"the process table function {name}{uid}{by}{order} with the state [{states}]"
    state = CallState(
        uid=call.uid,
        function=name,
        variable=stored.variable,
        keys=tuple([(name_of_key(key), key.data_type.as_summary_string()) for key in keys]),
        time=None if call.time_type is None else call.time_type.as_summary_string(),
        forms=stored.forms,
    )
    return StatefulCall(title, state)


def _functions_for(session: SparkSession) -> Any:
    """Return the PySpark functions module for the kind of a session, which rejects table functions of the other kind.

    ``pyspark.sql.functions`` chooses by the process, which may have sessions of both kinds.
    """
    if is_connect(session):
        return connect_functions
    return functions


def make_batch_function(sent: bytes, width: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return a function for mapInArrow; the columns after the first ``width`` are the arguments."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        running, plan = pickle.loads(sent)
        started = running(plan)
        try:
            for batch in batches:
                yield from started.rows(batch, batch.columns[width:])
            yield from started.end()
        finally:
            started.close()

    return run


def handler(sent: bytes) -> type:
    """Return the class that Spark instantiates in each task to run a pickled program."""

    class Handler:
        def __init__(self) -> None:
            running, plan = pickle.loads(sent)
            self._running = running(plan)

        def eval(self, batch: Any, *scalars: Any) -> Any:
            return self._running.rows(batch, scalars)

        def terminate(self) -> Any:
            return self._running.end()

        def cleanup(self) -> None:
            self._running.close()

    return Handler


def table_handler(sent: bytes, width: int) -> type:
    """Return a class as ``handler`` does, for a table whose columns after the first ``width`` are the arguments."""

    class Handler:
        def __init__(self) -> None:
            running, plan = pickle.loads(sent)
            self._running = running(plan)

        def eval(self, batch: Any) -> Any:
            return self._running.rows(batch, batch.columns[width:])

        def terminate(self) -> Any:
            return self._running.end()

        def cleanup(self) -> None:
            self._running.close()

    return Handler


def pickle_value(value: Any) -> bytes:
    """Pickle a value so that workers can load it without this library and without annotation types.

    Raises:
        Exception: the value contains an object that cannot be pickled.
    """
    written = io.BytesIO()
    _Pickler(written, protocol=pickle.DEFAULT_PROTOCOL).dump(value)
    return written.getvalue()


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]  # cloudpickle is untyped
    """Pickles functions without their annotations, which only declarations need."""

    def reducer_override(self, obj: Any) -> Any:
        reduced = super().reducer_override(obj)
        if isinstance(obj, FunctionType) and isinstance(reduced, tuple) and len(reduced) > 2:
            state = reduced[2]
            if isinstance(state, tuple) and len(state) == 2 and "__annotations__" in state[1]:
                state[1]["__annotations__"] = {}
        return reduced
