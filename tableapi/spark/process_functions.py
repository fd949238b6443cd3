"""Process table functions in a Spark session: sent along by value, each call under a name of its own."""

from __future__ import annotations

import hashlib
import io
import itertools
import pickle
import re
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle as _cloudpickle

from ir.errors import TableException
from tableapi.spark.errors import readable_errors
from tableapi.spark.planner.process import PlannedCall
from tableapi.spark.python_functions import PythonFunctions
from tableapi.spark.runtime.process.running import Running
from tableapi.spark.settings import is_connect
from tableapi.spark.types import to_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from tableapi.spark.runtime.process.plan import Plan

# It has no types of its own.
cloudpickle: Any = _cloudpickle
_NOT_A_NAME = re.compile(r"\W")


class ProcessFunctions:
    """The calls of process table functions that a session has.

    Args:
        session: the session.
        prefix: what their names begin with, which nothing else in the session has.
        parameters: returns the parameters of a job, for functions that ask for them when they are opened.
        python_functions: knows how code gets to the workers.
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
        # By what is sent, so that a query that runs again does not leave one more function behind.
        self._names: dict[bytes, str] = {}

    def function(self, planned: PlannedCall) -> str:
        """Return the name that a call has as a table function of the session, which gets it where it has none.

        Raises:
            TableException: its code cannot be sent to workers.
        """
        with self._python_functions.by_value():
            plan, result, sent = self._made(planned)
            digest = hashlib.sha256(b"function" + sent + result.json().encode()).digest()
            if digest not in self._names:
                known = self._unused_name(plan)
                self._register(known, plan.name, sent, result)
                self._names[digest] = known
            return self._names[digest]

    def view(self, planned: PlannedCall, input: DataFrame) -> str:
        """Return the name of the temporary view of the session that has the rows of a call.

        Args:
            planned: the call.
            input: what is sent to workers, as the session has it now.

        Raises:
            TableException: its code cannot be sent to workers.
        """
        with self._python_functions.by_value():
            plan, result, sent = self._made(planned)
            digest = hashlib.sha256(b"view" + sent + result.json().encode()).digest()
            if digest not in self._names:
                self._python_functions.require_modules(plan.name, sent)
                self._names[digest] = self._unused_name(plan)
            known = self._names[digest]
            made = input.mapInArrow(over_batches(sent, len(planned.input.schema)), result)
            with readable_errors(f"Calling the process table function {plan.name}"):
                made.createOrReplaceTempView(known)
            return known

    def _made(self, planned: PlannedCall) -> tuple[Plan, StructType, bytes]:
        """Return the plan of a call, the columns of its rows, and what is sent to workers."""
        from pyspark.sql.pandas.types import to_arrow_schema
        from pyspark.sql.types import StructField, StructType

        columns = planned.call.schema.columns
        result = StructType([StructField(c.name, to_spark(c.data_type), c.data_type.nullable) for c in columns])
        plan = planned.plan(to_arrow_schema(result, timezone="UTC"), dict(self._parameters()))
        return plan, result, self._sent(plan)

    def _unused_name(self, plan: Plan) -> str:
        return f"{self._prefix}_p{next(self._numbers)}_{_NOT_A_NAME.sub('_', plan.name)}"

    def _sent(self, plan: Any) -> bytes:
        try:
            return pickled((Running, plan))
        except Exception as error:
            raise TableException(
                f"The process table function {plan.name} cannot be sent to Spark's workers: {error}. What it refers "
                "to, also by a closure or an attribute, must be possible to pickle; open what is not, such as a "
                "connection, in open()."
            ) from None

    def _register(self, name: str, shown: str, sent: bytes, result: Any) -> None:
        self._python_functions.require_modules(shown, sent)
        with readable_errors(f"Registering the process table function {shown}"):
            self._session.udtf.register(
                name, _functions_for(self._session).arrow_udtf(handler(sent), returnType=result)
            )


def _functions_for(session: SparkSession) -> Any:
    """Return PySpark's functions for the kind of a session: of those for the other kind it takes no table function.

    ``pyspark.sql.functions`` alone chooses by what the process has, which may be sessions of both kinds.
    """
    if is_connect(session):
        from pyspark.sql.connect import functions as connect_functions

        return connect_functions
    from pyspark.sql import functions

    return functions


def over_batches(sent: bytes, width: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what Spark calls with the batches of each task; the arguments are columns after so many others."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pickle

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
    """Return the class of which Spark makes an instance in each task: it runs what was sent."""

    class Handler:
        def __init__(self) -> None:
            import pickle

            running, plan = pickle.loads(sent)
            self._running = running(plan)

        def eval(self, batch: Any, *scalars: Any) -> Any:
            return self._running.rows(batch, scalars)

        def terminate(self) -> Any:
            return self._running.end()

        def cleanup(self) -> None:
            self._running.close()

    return Handler


def pickled(value: Any) -> bytes:
    """Return what workers can make the same value of, although they have neither this library nor annotations of it.

    Raises:
        Exception: something in it cannot be pickled.
    """
    written = io.BytesIO()
    _Pickler(written, protocol=pickle.DEFAULT_PROTOCOL).dump(value)
    return written.getvalue()


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]  # it has no types
    """Pickles functions without their annotations, which are for declarations."""

    def reducer_override(self, obj: Any) -> Any:
        reduced = super().reducer_override(obj)
        if isinstance(obj, FunctionType) and isinstance(reduced, tuple) and len(reduced) > 2:
            state = reduced[2]
            if isinstance(state, tuple) and len(state) == 2 and "__annotations__" in state[1]:
                state[1]["__annotations__"] = {}
        return reduced
