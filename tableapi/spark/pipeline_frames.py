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
from typing import TYPE_CHECKING, Any

from ir.identifiers import quote
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.operations.source import Source
from tableapi.lazy import lazy
from tableapi.spark.asynchronous_functions import AsyncFunctions
from tableapi.spark.planner.asynchronous.planning import plan_async
from tableapi.spark.planner.functions import bind_functions
from tableapi.spark.planner.pipeline_calls import CallPlacement, Result
from tableapi.spark.planner.process import plan_call
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
        self._placement = CallPlacement(self._functions.names, self)

    def frame(self, operation: QueryOperation) -> DataFrame:
        """Return the DataFrame of a query, over names as the pipeline has them.

        Raises:
            MisplacedCall: a call is where no DataFrame can make it.
            TableException: the code of a function cannot be sent to workers.
        """
        planned = plan_async(operation, self._async_functions.options)
        if planned is not None:
            operation = planned.lowered(self._async_functions.options, self._async_functions.name)
        bound = bind_functions(operation, self._functions)
        self._functions.send_by_value()
        return self._read(self._placement.place(bound))

    def call(self, rows: QueryOperation, kept: Sequence[str], results: Sequence[Result]) -> str:
        """Name the rows of a query with some of its columns and the results of calls."""
        columns = [spark_functions.col(quote(name)) for name in kept]
        for result in results:
            made = self._functions.made[result.function](*[spark_functions.col(quote(one)) for one in result.arguments])
            columns.append(made.alias(result.name))
        return self._name(self._read(rows).select(*columns))

    def process(self, call: ProcessTable, place: Callable[[QueryOperation], QueryOperation]) -> str:
        """Name the rows of a process table function."""
        planned = plan_call(call)
        return self._name(self._process_functions.frame(planned, self._read(place(planned.sent))))

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

    def _name(self, frame: DataFrame) -> str:
        name = f"{_PREFIX}_rows_{next(self._numbers)}_"
        self._frames[name] = frame
        return name


class _UnregisteredFunctions(PythonFunctions):
    """Keeps the functions that a session of a pipeline does not take.

    Attributes:
        made: the functions of PySpark, which take columns.
        names: the names that their users gave them.
    """

    def __init__(self, session: SparkSession, parameters: Callable[[], Mapping[str, str]]) -> None:
        # Asking the server for its version is an analysis, which a query function may not ask for.
        super().__init__(session, SessionVersions(client_version(), client_version()), _PREFIX, parameters)
        self.made: dict[str, Any] = {}
        self.names: dict[str, str] = {}
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
        self.made[name] = made
        self.names[name] = ", ".join(one.name for one in functions)

    def require_modules(self, function: str, sent: bytes) -> None:
        """Skip the check of modules, because a query function may not run a job."""

    def name_over_windows(self, function: UserFunction, *, is_filtered: bool, as_series: bool) -> None:
        """Return None, so that an aggregate over windows takes collected rows: SQL alone writes windows."""
