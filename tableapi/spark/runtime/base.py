"""The classes that functions of users derive from.

They travel to Spark's workers by value, so that this module imports nothing but the standard library.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Iterable, Mapping
from typing import Any, NoReturn


class FunctionContext:
    """What a function may know of the job that it runs in, given to its ``open``.

    Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/functions/udfs/#runtime-integration
    """

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self._parameters = dict(parameters)

    def get_job_parameter(self, key: str, default_value: str) -> str:
        """Return a parameter of the job: an entry of the environment's configuration under this key.

        Args:
            key: its key.
            default_value: what is returned where the configuration has none.
        """
        return self._parameters.get(key, default_value)

    def get_index_of_this_subtask(self) -> int:
        """Return the number of the partition that the task works on, counted from 0."""
        from pyspark import TaskContext

        context = TaskContext.get()
        return 0 if context is None else context.partitionId()

    def get_attempt_number(self) -> int:
        """Return how often the task was tried before, 0 at the first time."""
        from pyspark import TaskContext

        context = TaskContext.get()
        return 0 if context is None else context.attemptNumber()

    def get_task_name(self) -> str:
        """Return a name of the task for logs."""
        from pyspark import TaskContext

        context = TaskContext.get()
        return "task" if context is None else f"stage {context.stageId()} task {context.taskAttemptId()}"

    def get_task_name_with_subtasks(self) -> str:
        """Return a name of the task for logs that has the number of its partition, counted from 1."""
        return f"{self.get_task_name()} ({self.get_index_of_this_subtask() + 1})"

    def get_number_of_parallel_subtasks(self) -> NoReturn:
        """Refuse the number of tasks, which Spark does not tell them.

        Raises:
            NotImplementedError: always.
        """
        raise _no_fact("get_number_of_parallel_subtasks", "Spark tells a task its own number alone", _BY_PARAMETER)

    def get_max_number_of_parallel_subtasks(self) -> NoReturn:
        """Refuse the number of tasks, which Spark does not tell them.

        Raises:
            NotImplementedError: always.
        """
        raise _no_fact("get_max_number_of_parallel_subtasks", "Spark tells a task its own number alone", _BY_PARAMETER)

    def get_metric_group(self) -> NoReturn:
        """Refuse metrics, which Spark does not collect from functions.

        Raises:
            NotImplementedError: always.
        """
        raise _no_fact(
            "get_metric_group",
            "Spark collects no metrics from functions",
            "Return what is to be counted as a column, and aggregate it.",
        )


_BY_PARAMETER = "Set a parameter of the job, and read it with get_job_parameter."


def _no_fact(method: str, reason: str, instead: str) -> NotImplementedError:
    return NotImplementedError(
        f"FunctionContext.{method} is not supported: {reason}. {instead} See docs/coming-from-pyflink.md#functions."
    )


class _OnlyHere:
    """A method that declares types: it is not sent to workers, which lack what it refers to."""

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
    """What all functions of users have."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name in _DECLARING:
            own = vars(cls).get(name)
            if own is not None:
                setattr(cls, name, _OnlyHere(name, own))

    def open(self, function_context: FunctionContext) -> Awaitable[None] | None:
        """Prepare for the rows of a task: called once by each task, before its first row.

        Only an AsyncScalarFunction may return something, which is awaited.

        Args:
            function_context: what is known of the job.
        """

    def close(self) -> Awaitable[None] | None:
        """Release what ``open`` took: called once by each task, after its last row or a failure."""

    def is_deterministic(self) -> bool:
        """Return whether equal arguments give equal results; Spark neither repeats nor moves a call otherwise."""
        return True


class ScalarFunction(UserDefinedFunction, ABC):
    """A function of values: ``eval`` gives one value for the arguments of a row.

    >>> class Shout(ScalarFunction):
    ...     def eval(self, text: str) -> str:
    ...         return text.upper() + "!"
    """

    @abstractmethod
    def eval(self, *args: Any, **kwargs: Any) -> Any:
        """Return the value for the arguments."""


class AsyncScalarFunction(UserDefinedFunction, ABC):
    """A function of values that waits for something: many calls of ``eval``, a coroutine, are in flight at once.

    ``open`` and ``close`` may be coroutines, too. A function for a service that takes many keys at once may have,
    besides ``eval``, ``async def eval_batch(self, calls)``, which is given a list of the arguments of many calls, a
    tuple each, and returns a list of their results, in which an exception stands for a call that failed.

    >>> class Lookup(AsyncScalarFunction):
    ...     async def eval(self, key: int) -> str:
    ...         return f"value of {key}"

    Source: https://cwiki.apache.org/confluence/display/FLINK/FLIP-400%3A+AsyncScalarFunction+for+asynchronous+scalar+function+support
    """

    def open(self, function_context: FunctionContext) -> Awaitable[None] | None:
        """Prepare for the rows of a task: called once by each task, before its first row, in its event loop.

        Args:
            function_context: what is known of the job.
        """

    def close(self) -> Awaitable[None] | None:
        """Release what ``open`` took: called once by each task, after its last row or a failure."""

    @abstractmethod
    async def eval(self, *args: Any, **kwargs: Any) -> Any:
        """Return the value for the arguments."""


class TableFunction(UserDefinedFunction, ABC):
    """A function that gives rows: ``eval`` yields them for the arguments of a row."""

    @abstractmethod
    def eval(self, *args: Any, **kwargs: Any) -> Iterable[Any]:
        """Yield the rows for the arguments: tuples, or values where there is one column."""

    def collect(self, row: Any) -> NoReturn:
        """Refuse the way in which functions in Java give rows.

        Raises:
            NotImplementedError: always; the message says to yield the row.
        """
        raise NotImplementedError("rows are given with yield, not with collect: write 'yield row'")


class AggregateFunction(UserDefinedFunction, ABC):
    """A function that makes one value of the rows of a group, by way of an accumulator that it changes."""

    @abstractmethod
    def create_accumulator(self) -> Any:
        """Return the accumulator of a group without rows, a list or an object that ``accumulate`` can change."""

    @abstractmethod
    def accumulate(self, accumulator: Any, *args: Any, **kwargs: Any) -> None:
        """Add a row to the accumulator."""

    @abstractmethod
    def get_value(self, accumulator: Any) -> Any:
        """Return the value of the group, and leave the accumulator as it is: over windows, rows may be added to it."""


class TableAggregateFunction(UserDefinedFunction, ABC):
    """A function that makes rows of the rows of a group, by way of an accumulator that it changes."""

    @abstractmethod
    def create_accumulator(self) -> Any:
        """Return the accumulator of a group without rows, a list or an object that ``accumulate`` can change."""

    @abstractmethod
    def accumulate(self, accumulator: Any, *args: Any, **kwargs: Any) -> None:
        """Add a row to the accumulator."""

    @abstractmethod
    def emit_value(self, accumulator: Any) -> Iterable[Any]:
        """Yield the rows of the group: tuples, or values where there is one column."""
