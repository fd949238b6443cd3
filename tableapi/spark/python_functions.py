"""Register user-defined functions with a Spark session, and send their code by value: workers lack the modules."""

from __future__ import annotations

import contextlib
import copyreg
import enum
import functools
import io
import itertools
import pickletools
import re
import shutil
import sys
import sysconfig
import typing
import warnings
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle as _cloudpickle

from ir import types as t
from ir.errors import TableException
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionKind
from ir.literals import literal
from ir.types import LogicalType
from tableapi.lazy import lazy
from tableapi.spark import versions
from tableapi.spark.errors import readable_errors
from tableapi.spark.planner.transports import SentArguments, Transport, sent_as_arrow, sent_without_arrow
from tableapi.spark.runtime import (
    adapted_function,
    base,
    columns,
    failures,
    frames,
    functions,
    row,
    series,
    table_rows,
    transports,
    values,
    worker_modules,
    wrong_values,
)
from tableapi.spark.runtime.process import (
    columns_read,
    context,
    declarations,
    initial_states,
    large_collections,
    late_rows,
    loop,
    ordered_running,
    outputs,
    packing,
    partition_keys,
    plan,
    rows,
    running,
    running_context,
    sorting,
    state_rows,
    state_store,
    states,
    stored_collections,
    stored_forms,
    stored_values,
    stream_processor,
    stream_running,
    time_limit,
    timers,
    times,
)
from tableapi.spark.types import to_spark
from tableapi.spark.versions import SessionVersions, is_connect
from tableapi.user_functions.declaration import ARROW, GENERAL, PANDAS, UserFunction

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as row_functions
    from pyspark.sql.pandas import functions as spark_functions
else:
    row_functions = lazy(__name__, "pyspark.sql.functions")
    spark_functions = lazy(__name__, "pyspark.sql.pandas.functions")

# The cloudpickle of PySpark is untyped.
cloudpickle: Any = _cloudpickle
# The modules of this library that run in workers.
_RUNTIME: tuple[ModuleType, ...] = (
    functions,
    frames,
    series,
    columns,
    table_rows,
    wrong_values,
    values,
    failures,
    base,
    row,
    transports,
)
_PROCESS_RUNTIME: tuple[ModuleType, ...] = (
    adapted_function,
    columns_read,
    context,
    declarations,
    initial_states,
    large_collections,
    late_rows,
    loop,
    ordered_running,
    outputs,
    packing,
    partition_keys,
    plan,
    rows,
    running,
    running_context,
    sorting,
    state_rows,
    state_store,
    states,
    stored_collections,
    stored_forms,
    stored_values,
    stream_processor,
    stream_running,
    time_limit,
    timers,
    times,
)
# This module imports the present one, and defines functions that Spark calls.
_SENT = ("tableapi.spark.process_functions",)
_OWN = ("tableapi", "ir", "serializer", "grammar")
# The modules of Spark. A platform has them in a folder that is no place of installed packages.
_OF_SPARK = ("pyspark", "py4j")
_ASKED = "__tableapi_missing_modules"
_NOT_A_NAME = re.compile(r"\W")


class _Use(enum.Enum):
    """The input of an aggregate over windows: frames as Arrow columns, or as pandas series of Spark."""

    FRAMES = enum.auto()
    FILTERED_FRAMES = enum.auto()
    SERIES = enum.auto()


class PythonFunctions:
    """The user-defined functions that are registered with a session, each under a generated name.

    Args:
        session: the session.
        session_versions: the versions of its server and its client.
        prefix: the prefix of the generated names, which nothing else in the session uses.
        parameters: returns the job parameters, for functions that define ``open()``.
    """

    def __init__(
        self,
        session: SparkSession,
        session_versions: SessionVersions,
        prefix: str,
        parameters: Callable[[], Mapping[str, str]],
    ) -> None:
        self._session = session
        self.versions = session_versions
        self._prefix = prefix
        self._parameters = parameters
        self._numbers = itertools.count()
        # The names of a function by what it is registered for.
        self._names: weakref.WeakKeyDictionary[UserFunction, dict[Hashable, str]] = weakref.WeakKeyDictionary()
        self._checked: set[frozenset[str]] = set()

    def call(
        self, function: UserFunction, arguments: Sequence[ResolvedExpression]
    ) -> tuple[str, tuple[ResolvedExpression, ...]]:
        """Return the name of a function in the session, and the arguments to call it with; register it if it is new.

        Raises:
            TableException: the code cannot be sent to workers.
        """
        sent = self.sent(arguments, _result(function))
        # A function of Arrow columns learns their types from the columns.
        key = None if sent.transport is Transport.ARROW else (sent.transport, sent.types, sent.texts)
        known = self._names.setdefault(function, {})
        if key not in known:
            known[key] = self._registered(function, _spark_function(function, dict(self._parameters()), sent))
        return known[key], sent.arguments

    def sent(self, arguments: Sequence[ResolvedExpression], result: LogicalType) -> SentArguments:
        """Return the arguments of a function as Spark sends them."""
        if self.versions.has_arrow_functions:
            return sent_as_arrow(arguments)
        return sent_without_arrow(arguments, result)

    def sent_in_batches(
        self, arguments: Sequence[ResolvedExpression], results: Sequence[LogicalType]
    ) -> SentArguments | None:
        """Return the arguments of a function of batches as Spark sends them; None if it sends single rows.

        Args:
            arguments: the arguments.
            results: the types of the results; a function with several of them returns rows that are never NULL.
        """
        sent = [self.sent(arguments, result) for result in results]
        return None if any(one.transport is Transport.ROWS for one in sent) else sent[0]

    def name_over_windows(self, function: UserFunction, *, is_filtered: bool, as_series: bool) -> str | None:
        """Return the name of an aggregate that Spark evaluates over windows itself; None if Spark cannot.

        The registered function takes the arguments; if the call is filtered, it also takes whether a row counts. Spark
        does not report the end of a task to such a function. The result is therefore None for a function that defines
        ``close()``, and before Spark 4.1 for a function of columns. Such a function is called with the rows of each
        frame.

        Args:
            function: the aggregate.
            is_filtered: whether its call has a FILTER.
            as_series: whether it is a pandas function that takes the series that Spark makes.

        Raises:
            TableException: the code cannot be sent to workers.
        """
        if _is_overridden(function.target, "close"):
            return None
        if not as_series and not self.versions.has_arrow_functions:
            return None
        use = _Use.SERIES if as_series else _Use.FILTERED_FRAMES if is_filtered else _Use.FRAMES
        known = self._names.setdefault(function, {})
        if use not in known:
            known[use] = self._registered(function, _wrap_for_frames(function, dict(self._parameters()), use))
        return known[use]

    def _registered(self, function: UserFunction, made: Any) -> str:
        name = self.unused_name(function.name)
        self.register(name, made, [function])
        return name

    def by_value(self) -> contextlib.AbstractContextManager[None]:
        """Pickle the code of user modules and of the worker modules of this library by value within the block."""
        return pickle_user_code_by_value()

    def require_modules(self, function: str, sent: bytes) -> None:
        """Check before any job runs that the workers have the modules to which pickled code refers.

        Raises:
            TableException: the workers lack a module.
        """
        self._require_modules(function, _modules_of(sent))

    def unused_name(self, name: str) -> str:
        """Return an unused name in the session for a function that users call ``name``."""
        return f"{self._prefix}_f{next(self._numbers)}_{_NOT_A_NAME.sub('_', name)}"

    def register(
        self, name: str, made: Any, functions: Sequence[UserFunction], runtime: Sequence[ModuleType] = ()
    ) -> None:
        """Register a Spark function that is built from user functions and from further modules of the runtime.

        Raises:
            TableException: the code of a function cannot be sent to workers.
        """
        with _pickle_by_value([*_modules_that_travel(), *runtime]):
            for function in functions:
                self._require_modules(function.name, _modules_needed(function))
            with readable_errors(f"Registering the function {', '.join(f.name for f in functions)}"):
                self._session.udf.register(name, made)

    def _require_modules(self, function: str, modules: frozenset[str]) -> None:
        """Check before any user job runs that the workers have some modules."""
        if not modules or modules in self._checked or self._is_local():
            return
        missing, versions = self._missing_modules(sorted(modules))
        if missing:
            raise TableException(
                f"The function {function} needs the module{'s' if len(missing) > 1 else ''} "
                f"{', '.join(missing)}, which Spark's workers lack ({versions}). Install it there, or send it along "
                "with addArtifacts or addPyFile."
            )
        self._checked.add(modules)

    def ask_workers(self, modules: list[str]) -> tuple[list[str], str]:
        """Return the modules that workers with another Python than this process lack, and what they have."""
        if self._is_local() and shutil.which(str(self._session.sparkContext.pythonExec)) == sys.executable:
            return [], ""
        return self._missing_modules(modules)

    def _missing_modules(self, modules: list[str]) -> tuple[list[str], str]:
        """Ask a worker for the modules that it lacks, and for its versions of Python and pyarrow."""
        look, sent = worker_modules.missing_modules(modules), self.sent((literal(0),), t.STRING)
        with readable_errors("Asking a worker for its modules"), _pickle_by_value([worker_modules, *_RUNTIME]):
            # Call it by name, because a column made from the function may belong to the other kind of session.
            self._session.udf.register(_ASKED, column_function(look, to_spark(t.STRING), sent))
            told = self._session.sql(f"SELECT {_ASKED}(0)").collect()[0][0]
        lacking, versions = told.split("|")
        return lacking.split(), versions

    def _is_local(self) -> bool:
        return not is_connect(self._session) and str(self._session.sparkContext.master).startswith("local")


# --- functions that Spark calls --------------------------------------------------------------------------------------

_RUN: dict[FunctionKind, Callable[[functions.Program, Any], Any]] = {
    FunctionKind.SCALAR: functions.scalar,
    FunctionKind.TABLE: functions.table,
    FunctionKind.AGGREGATE: functions.aggregate,
    FunctionKind.TABLE_AGGREGATE: functions.table_aggregate,
}


_OVER_FRAMES = {
    GENERAL: frames.rows_of_frames,
    PANDAS: series.series_of_frames,
    ARROW: frames.columns_of_frames,
}


def _spark_function(function: UserFunction, parameters: Mapping[str, str], sent: SentArguments) -> Any:
    """Return the Spark function that takes rows in the form in which they are sent."""
    program, spark_type = _program(function, _callable(function), parameters)
    is_aggregate = function.kind is FunctionKind.AGGREGATE
    if function.func_type == PANDAS:
        called = program.call
        program.call = (
            series.aggregate_of_pandas(called) if is_aggregate else series.wrap_pandas_function(called, program.result)
        )
    run = _RUN[function.kind]
    if function.func_type in (PANDAS, ARROW):
        run = functions.aggregate_of_columns if is_aggregate else functions.arrow
    if sent.transport is Transport.ROWS:
        made = _row_udf(transports.over_rows(program, run, columns_sent(sent)), spark_type)
    elif program.open is not None:
        made = column_function(functions.batches_of(program, run), spark_type, sent, iterates=True)
    else:
        made = column_function(functions.batch_of(program, run), spark_type, sent)
    return made if function.is_deterministic else made.asNondeterministic()


def _wrap_for_frames(function: UserFunction, parameters: Mapping[str, str], use: _Use) -> Any:
    """Return the Spark function that takes the frames of windows."""
    program, spark_type = _program(function, _callable(function), parameters)
    if use is _Use.SERIES:
        made = _pandas_udf(series.value_of_series(program), spark_type, "GROUPED_AGG")
    else:
        is_filtered = use is _Use.FILTERED_FRAMES
        made = _arrow_udf(
            frames.value_of_frame(program, _OVER_FRAMES[function.func_type], is_filtered), spark_type, "GROUPED_AGG"
        )
    return made if function.is_deterministic else made.asNondeterministic()


def _program(
    function: UserFunction, called: Callable[..., Any], parameters: Mapping[str, str]
) -> tuple[functions.Program, Any]:
    """Return the program with which a worker runs a function, and the Spark type of the results."""
    spark_type = to_spark(_result(function))
    target = function.target
    opens = _is_overridden(target, "open") or _is_overridden(target, "close")
    context = base.FunctionContext(parameters)
    program = functions.Program(
        function.name,
        called,
        versions.arrow_type(spark_type),
        open=functools.partial(target.open, context) if opens else None,
        close=target.close if opens else None,
        required=find_required_arguments(function),
        has_arguments=bool(function.parameters),
        is_repeatable=function.is_deterministic,
        make_row=make_row,
    )
    return program, spark_type


def _result(function: UserFunction) -> LogicalType:
    result: LogicalType = t.ArrayType(function.result) if function.gives_rows else function.result
    return result.as_nullable()


def column_function(run: Callable[..., Any], result: Any, sent: SentArguments, *, iterates: bool = False) -> Any:
    """Return a Spark function of columns, or of an iterator of batches of them.

    Args:
        run: takes and returns Arrow columns.
        result: the Spark type of the result.
        sent: the arguments, which are sent as columns or as series.
        iterates: whether ``run`` takes an iterator.
    """
    if sent.transport is Transport.ARROW:
        return _arrow_udf(run, result, "SCALAR_ITER" if iterates else "SCALAR")
    of_series = transports.over_batches_of_series if iterates else transports.over_series
    return _pandas_udf(of_series(run, columns_sent(sent)), result, "SCALAR_ITER" if iterates else "SCALAR")


def columns_sent(sent: SentArguments) -> list[transports.Sent]:
    """Return how a worker gets the columns of a call."""
    return [
        transports.Sent(versions.arrow_type(to_spark(data_type)), is_text)
        for data_type, is_text in zip(sent.types, sent.texts, strict=True)
    ]


def _arrow_udf(run: Callable[..., Any], result: Any, kind: str) -> Any:
    made: Any = spark_functions
    with _silence_type_warning():
        return made.arrow_udf(run, result, getattr(made.ArrowUDFType, kind))


def _pandas_udf(run: Callable[..., Any], result: Any, kind: str) -> Any:
    made: Any = spark_functions
    with _silence_type_warning():
        return made.pandas_udf(run, result, getattr(made.PandasUDFType, kind))


def _row_udf(run: Callable[..., Any], result: Any) -> Any:
    made: Any = row_functions
    return made.udf(run, result, useArrow=False)


@contextlib.contextmanager
def _silence_type_warning() -> Iterator[None]:
    """Silence Spark's warning that the function type should come from annotations instead of an argument."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def _callable(function: UserFunction) -> Callable[..., Any]:
    target = function.target
    takes_rows = function.func_type not in (PANDAS, ARROW)
    called: Any = target
    if isinstance(target, base.AggregateFunction):
        parts = functions.Aggregation(target.create_accumulator, target.accumulate, target.get_value)
        called = parts if takes_rows else parts.of_columns
    elif isinstance(target, base.TableAggregateFunction):
        called = functions.Aggregation(target.create_accumulator, target.accumulate, target.emit_value)
    elif isinstance(target, base.UserDefinedFunction):
        called = target.eval  # type: ignore[attr-defined]  # the other kinds have it
    found: Callable[..., Any] = called
    return found


def find_required_arguments(function: UserFunction) -> list[int]:
    """Return the positions of the arguments that reject NULL."""
    return [position for position, parameter in enumerate(function.parameters) if parameter.is_required]


def _is_overridden(target: Any, method: str) -> bool:
    if not isinstance(target, base.UserDefinedFunction):
        return False
    return getattr(type(target), method) is not getattr(base.UserDefinedFunction, method)


make_row = row.Row.of
"""Builds a row for a user function: with access to fields by name and by position."""


# --- sending code along ----------------------------------------------------------------------------------------------


def require_picklable(name: str, target: Any) -> None:
    """Check that a function, or an instance of a function class, can be pickled for workers.

    Raises:
        TableException: the function refers to an object that cannot be pickled.
    """
    with _pickle_by_value(_modules_that_travel()):
        _pickle(name, target)


def _pickle(name: str, target: Any) -> bytes:
    try:
        sent: bytes = cloudpickle.dumps(target)
    except Exception as error:
        raise TableException(
            f"The function {name} cannot be sent to Spark's workers: {error}. What it refers to, also by a closure or "
            "an attribute, must be possible to pickle; open what is not, such as a connection, in open()."
        ) from None
    return sent


def pickle_user_code_by_value(runtime: Sequence[ModuleType] = ()) -> contextlib.AbstractContextManager[None]:
    """Pickle the code of user modules by value within the block, so that workers need no modules of the user.

    Args:
        runtime: further modules of this library that run in workers.
    """
    return _pickle_by_value([*_modules_that_travel(), *runtime])


@contextlib.contextmanager
def _pickle_by_value(modules: Sequence[ModuleType]) -> Iterator[None]:
    """Pickle the code of modules by value within the block."""
    known = cloudpickle.list_registry_pickle_by_value()
    # A module may be imported under several names.
    added = list({module.__name__: module for module in modules if module.__name__ not in known}.values())
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    known_reducer = copyreg.dispatch_table.get(typing.NewType)
    copyreg.pickle(typing.NewType, _new_type)
    try:
        yield
    finally:
        for module in added:
            cloudpickle.unregister_pickle_by_value(module)
        del copyreg.dispatch_table[typing.NewType]
        if known_reducer is not None:
            copyreg.dispatch_table[typing.NewType] = known_reducer


def _new_type(made: typing.NewType) -> tuple[Any, tuple[str, Any]]:
    """Reduce a NewType to a call that builds it; by default it is pickled as a module attribute, which workers lack."""
    return typing.NewType, (made.__name__, made.__supertype__)


def _modules_that_travel() -> list[ModuleType]:
    """Return the modules of the user, and the modules of this library that run in workers."""
    of_functions = [module for name in _SENT if (module := sys.modules.get(name)) is not None]
    return [*_RUNTIME, *_PROCESS_RUNTIME, sys.modules[__name__], *of_functions, *_modules_of_the_user()]


def _modules_of_the_user() -> list[ModuleType]:
    """Return the modules of the user's own project: not of the standard library, not of Spark, and not installed."""
    found = []
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in (*_OWN, *_OF_SPARK) or name == "__main__" or not isinstance(module, ModuleType):
            continue
        file = getattr(module, "__file__", None)
        if file and _is_of_the_user(file):
            found.append(module)
    return found


@functools.cache
def _is_of_the_user(file: str) -> bool:
    return "site-packages" not in file and _installed_folders().isdisjoint(Path(file).resolve().parents)


@functools.cache
def _installed_folders() -> frozenset[Path]:
    """Return the folders of the standard library and of installed packages."""
    return frozenset(Path(path).resolve() for path in sysconfig.get_paths().values())


def _modules_needed(function: UserFunction) -> frozenset[str]:
    """Return the packages outside of the standard library that a function needs."""
    modules = _modules_of(_pickle(function.name, function.target))
    # A pandas function takes series, even if its own code does not refer to pandas.
    return modules | {"pandas"} if function.func_type == PANDAS else modules


def _modules_of(pickled: bytes) -> frozenset[str]:
    """Return the packages outside of the standard library that unpickling imports."""
    names: set[str] = set()
    texts: list[str] = []
    # The memo of the pickle: strings, and the function by which cloudpickle imports a module.
    memo: dict[int, str | None] = {}
    last: str | None = None
    takes_module = False
    for operation, argument, _ in pickletools.genops(io.BytesIO(pickled)):
        kind = operation.name
        if kind == "MEMOIZE":
            memo[len(memo)] = last
            continue
        if kind in ("BINPUT", "LONG_BINPUT", "PUT"):
            memo[int(argument or 0)] = last
            continue
        last = None
        if kind in ("SHORT_BINUNICODE", "BINUNICODE", "UNICODE"):
            last = str(argument)
        elif kind in ("BINGET", "LONG_BINGET", "GET"):
            last = memo.get(int(argument or 0))
        elif kind == "STACK_GLOBAL" and len(texts) >= 2:
            names.add(texts[-2])
            last = _IMPORT if texts[-1] == "subimport" else None
        elif kind == "GLOBAL" and isinstance(argument, str):
            names.add(argument.split(" ")[0])
        if last is None:
            continue
        if last is _IMPORT:
            takes_module = True
            continue
        texts.append(last)
        if takes_module:
            names.add(last)
            takes_module = False
    packages = {name.split(".")[0] for name in names}
    known = {*sys.stdlib_module_names, "pyspark", "pyarrow", "__main__", "__builtin__"}
    return frozenset(packages - known)


_IMPORT = "<the function that imports a module>"
