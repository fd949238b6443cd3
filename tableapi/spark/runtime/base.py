"""Base classes of user-defined functions.

They are pickled by value for Spark's workers, so this module imports only the standard library.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Iterable, Mapping

TYPE_CHECKING = False  # a constant that type checkers know; typing takes long to load
if TYPE_CHECKING:
    from typing import Any, NoReturn


class FunctionContext:
    """Information about the job in which a function runs, as an argument of its ``open``.

    Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/functions/udfs/#runtime-integration
    """

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self._parameters = dict(parameters)

    def get_job_parameter(self, key: str, default_value: str) -> str:
        """Return a job parameter: the entry of the environment's configuration for a key.

        Args:
            key: the key.
            default_value: the result if the configuration has no such entry.
        """
        return self._parameters.get(key, default_value)

    def get_index_of_this_subtask(self) -> int:
        """Return the number of the partition that the task processes, counted from 0."""
        from pyspark import TaskContext

        context = TaskContext.get()
        return 0 if context is None else context.partitionId()

    def get_attempt_number(self) -> int:
        """Return the number of earlier attempts of the task, 0 for the first attempt."""
        from pyspark import TaskContext

        context = TaskContext.get()
        return 0 if context is None else context.attemptNumber()

    def get_task_name(self) -> str:
        """Return a name of the task for logs."""
        from pyspark import TaskContext

        context = TaskContext.get()
        return "task" if context is None else f"stage {context.stageId()} task {context.taskAttemptId()}"

    def get_task_name_with_subtasks(self) -> str:
        """Return a name of the task for logs that includes the number of its partition, counted from 1."""
        return f"{self.get_task_name()} ({self.get_index_of_this_subtask() + 1})"

    def get_number_of_parallel_subtasks(self) -> NoReturn:
        """Raise, because Spark does not report the number of tasks to a task.

        Raises:
            NotImplementedError: always.
        """
        raise _make_missing_fact_error(
            "get_number_of_parallel_subtasks", "Spark tells a task its own number alone", _BY_PARAMETER
        )

    def get_max_number_of_parallel_subtasks(self) -> NoReturn:
        """Raise, because Spark does not report the number of tasks to a task.

        Raises:
            NotImplementedError: always.
        """
        raise _make_missing_fact_error(
            "get_max_number_of_parallel_subtasks", "Spark tells a task its own number alone", _BY_PARAMETER
        )

    def get_metric_group(self) -> NoReturn:
        """Raise, because Spark collects no metrics from functions.

        Raises:
            NotImplementedError: always.
        """
        raise _make_missing_fact_error(
            "get_metric_group",
            "Spark collects no metrics from functions",
            "Return what is to be counted as a column, and aggregate it.",
        )


_BY_PARAMETER = "Set a parameter of the job, and read it with get_job_parameter."


def _make_missing_fact_error(method: str, reason: str, instead: str) -> NotImplementedError:
    return NotImplementedError(
        f"FunctionContext.{method} is not supported: {reason}. {instead} See docs/coming-from-pyflink.md#functions."
    )


class _OnlyHere:
    """A method that declares types and is not sent to workers, because they lack the modules to which it refers."""

    def __init__(self, name: str, method: Any = None) -> None:
        self._name = name
        self._method = method

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if self._method is None:
            raise AttributeError(f"{self._name} is not sent to workers")
        return self._method.__get__(instance, owner)

    def __reduce__(self) -> tuple[Any, ...]:
        return _OnlyHere, (self._name,)


_DECLARING = ("get_type_inference", "get_result_type", "get_accumulator_type")


class UserDefinedFunction:
    """The base class of all user-defined functions."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name in _DECLARING:
            own = vars(cls).get(name)
            if own is not None:
                setattr(cls, name, _OnlyHere(name, own))

    def open(self, function_context: FunctionContext) -> Awaitable[None] | None:
        """Prepare for the rows of a task; Spark calls it once per task, before the first row.

        Only an AsyncScalarFunction may return a value, which is awaited.

        Args:
            function_context: information about the job.
        """

    def close(self) -> Awaitable[None] | None:
        """Release resources of ``open``; Spark calls it once per task, after the last row or a failure."""

    def is_deterministic(self) -> bool:
        """Return whether equal arguments give equal results; if not, Spark neither repeats nor moves a call."""
        return True


class ScalarFunction(UserDefinedFunction, ABC):
    """A scalar function: ``eval`` returns one value for the arguments of a row.

    >>> class Shout(ScalarFunction):
    ...     def eval(self, text: str) -> str:
    ...         return text.upper() + "!"
    """

    @abstractmethod
    def eval(self, *args: Any, **kwargs: Any) -> Any:
        """Return the value for the arguments."""


class AsyncScalarFunction(UserDefinedFunction, ABC):
    """An asynchronous scalar function: ``eval`` is a coroutine function, and many calls are in flight at once.

    ``open`` and ``close`` may be coroutine functions, too. A function for a service that takes many keys at once may
    also define ``async def eval_batch(self, calls)``. It gets a list of argument tuples, one per call, and returns a
    list of their results, in which an exception stands for a failed call.

    >>> class Lookup(AsyncScalarFunction):
    ...     async def eval(self, key: int) -> str:
    ...         return f"value of {key}"

    Source: https://cwiki.apache.org/confluence/display/FLINK/FLIP-400%3A+AsyncScalarFunction+for+asynchronous+scalar+function+support
    """

    def open(self, function_context: FunctionContext) -> Awaitable[None] | None:
        """Prepare for the rows of a task; called once per task in its event loop, before the first row.

        Args:
            function_context: information about the job.
        """

    def close(self) -> Awaitable[None] | None:
        """Release resources of ``open``; called once per task, after the last row or a failure."""

    @abstractmethod
    async def eval(self, *args: Any, **kwargs: Any) -> Any:
        """Return the value for the arguments."""


class TableFunction(UserDefinedFunction, ABC):
    """A table function: ``eval`` yields rows for the arguments of a row."""

    @abstractmethod
    def eval(self, *args: Any, **kwargs: Any) -> Iterable[Any]:
        """Yield the rows for the arguments: tuples, or plain values for a single column."""

    def collect(self, row: Any) -> NoReturn:
        """Raise, because only Java functions emit rows by a method.

        Raises:
            NotImplementedError: always; the message says to yield the row.
        """
        raise NotImplementedError("rows are given with yield, not with collect: write 'yield row'")


class AggregateFunction(UserDefinedFunction, ABC):
    """An aggregate function: it computes one value from the rows of a group, in an accumulator that it changes."""

    @abstractmethod
    def create_accumulator(self) -> Any:
        """Return the accumulator of an empty group: a list or another object that ``accumulate`` can change."""

    @abstractmethod
    def accumulate(self, accumulator: Any, *args: Any, **kwargs: Any) -> None:
        """Add a row to the accumulator."""

    @abstractmethod
    def get_value(self, accumulator: Any) -> Any:
        """Return the value of the group without changing the accumulator: over windows, more rows may follow."""


class TableAggregateFunction(UserDefinedFunction, ABC):
    """A table aggregate function: it computes rows from the rows of a group, in an accumulator that it changes."""

    @abstractmethod
    def create_accumulator(self) -> Any:
        """Return the accumulator of an empty group: a list or another object that ``accumulate`` can change."""

    @abstractmethod
    def accumulate(self, accumulator: Any, *args: Any, **kwargs: Any) -> None:
        """Add a row to the accumulator."""

    @abstractmethod
    def emit_value(self, accumulator: Any) -> Iterable[Any]:
        """Yield the rows of the group: tuples, or plain values for a single column."""
