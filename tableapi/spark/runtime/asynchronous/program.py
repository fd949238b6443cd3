"""What a worker needs for the calls of a stage: functions with their settings, and which call needs what."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.values import Converter, from_arrow, to_arrow

FAIL, USE_NULL, USE_DEFAULT = "FAIL", "NULL", "DEFAULT"
NO_RETRY, FIXED_DELAY, EXPONENTIAL_DELAY = "NO_RETRY", "FIXED_DELAY", "EXPONENTIAL_DELAY"
_JITTER = 0.2


class Settings:
    """How the calls of a function are made. Times are seconds.

    Attributes:
        capacity: how many operations may be in flight at once.
        timeout: how long a call may take over all its attempts, None for ever.
        strategy, delay, longest_delay, attempts: when a call that failed is tried again, and how often in all.
        is_retryable: which errors are worth another attempt, None for all.
        on_failure: what becomes of a call that has failed for good; ``default`` is the value instead of its result.
        rate: how many attempts may start in a second, None for any number.
        deduplicate: whether calls with equal arguments share the one that is in flight.
        cache_size, cache_ttl: how many results are kept for equal arguments, and how long, None for ever.
        batch_size: how many calls are made at once, where the function takes many.
    """

    def __init__(
        self,
        *,
        capacity: int,
        timeout: float | None,
        strategy: str = NO_RETRY,
        delay: float = 0.1,
        longest_delay: float = 60.0,
        attempts: int = 1,
        is_retryable: Callable[[BaseException], bool] | None = None,
        on_failure: str = FAIL,
        default: Any = None,
        rate: float | None = None,
        deduplicate: bool = False,
        cache_size: int = 0,
        cache_ttl: float | None = None,
        batch_size: int = 1,
    ) -> None:
        self.capacity = capacity
        self.timeout = timeout
        self.strategy = strategy
        self.delay = delay
        self.longest_delay = longest_delay
        self.attempts = 1 if strategy == NO_RETRY else attempts
        self.is_retryable = is_retryable
        self.on_failure = on_failure
        self.default = default
        self.rate = rate
        self.deduplicate = deduplicate
        self.cache_size = cache_size
        self.cache_ttl = cache_ttl
        self.batch_size = batch_size

    def delay_after(self, attempt: int) -> float:
        """Return how long to wait after a failed attempt, counted from 1.

        Delays that grow are spread at random, so that calls that failed together do not come again together.
        """
        if self.strategy != EXPONENTIAL_DELAY:
            return self.delay
        # 2.0 ** 1024 overflows.
        grown = min(self.delay * 2.0 ** min(attempt - 1, 64), self.longest_delay)
        return grown * random.uniform(1 - _JITTER, 1 + _JITTER)


class AsyncFunction:
    """A function as a worker calls it.

    Attributes:
        name: what messages call it.
        call: the coroutine function; ``call_many``, if there is one, takes a list of argument tuples.
        open, close: called once by a task, before its first call and after its last; they may be coroutine functions.
        result: the type of its result in Arrow.
        required: the positions of arguments for which NULL is no value: with it, the function is not called.
    """

    def __init__(
        self,
        name: str,
        call: Callable[..., Awaitable[Any]],
        result: pa.DataType,
        settings: Settings,
        *,
        call_many: Callable[[list[tuple[Any, ...]]], Awaitable[Sequence[Any]]] | None = None,
        open: Callable[[], Any] | None = None,
        close: Callable[[], Any] | None = None,
        required: Sequence[int] = (),
    ) -> None:
        self.name = name
        self.call = call
        self.call_many = call_many
        self.result = result
        self.settings = settings
        self.open = open
        self.close = close
        self.required = tuple(required)


class Argument:
    """An argument of a call: a column of the input, or the result of an earlier call, by position."""

    def __init__(self, position: int, *, is_call: bool) -> None:
        self.position = position
        self.is_call = is_call


class PlannedCall:
    """A call for each row: of the function at a position, made where the guard, a column, is TRUE or there is none."""

    def __init__(self, function: int, arguments: Sequence[Argument], guard: int | None = None) -> None:
        self.function = function
        self.arguments = tuple(arguments)
        self.guard = guard

    @property
    def needs(self) -> list[int]:
        """The positions of the calls whose results are arguments, each once."""
        return list(dict.fromkeys(argument.position for argument in self.arguments if argument.is_call))


class Stage:
    """Calls that are made together for each row, those that wait for none first.

    Attributes:
        functions: what is called.
        calls: the calls, each of which needs earlier ones only.
        results: the calls whose results the stage gives.
        kept: the columns of the input that it gives besides, after the results.
        is_ordered: whether rows leave in the order in which they come; otherwise what they hold has to be ``kept``.
        is_value: whether it gives the one result itself, and not a struct of results and kept columns.
        make_row: makes a row of its names and values.
    """

    def __init__(
        self,
        functions: Sequence[AsyncFunction],
        calls: Sequence[PlannedCall],
        results: Sequence[int],
        kept: Sequence[int] = (),
        *,
        is_ordered: bool = True,
        is_value: bool = False,
        make_row: Callable[[Sequence[str], Sequence[Any]], Any],
    ) -> None:
        self.functions = tuple(functions)
        self.calls = tuple(calls)
        self.results = tuple(results)
        self.kept = tuple(kept)
        self.is_ordered = is_ordered
        self.is_value = is_value
        self.make_row = make_row

    @property
    def read_columns(self) -> list[int]:
        """The positions of the columns whose values the calls need, each once."""
        read = [argument.position for call in self.calls for argument in call.arguments if not argument.is_call]
        return list(dict.fromkeys(read + [call.guard for call in self.calls if call.guard is not None]))

    def type_of(self, call: int) -> pa.DataType:
        """Return the type of a call's result."""
        return self.functions[self.calls[call].function].result


# Whole numbers have to be looked at: not all fit into their type.
_EXACT: dict[pa.DataType, type] = {
    pa.string(): str,
    pa.binary(): bytes,
    pa.bool_(): bool,
    pa.float64(): float,
    pa.date32(): dt.date,
}


class Passage:
    """What makes of a function's result a value that Arrow takes, and of that the value that another function gets."""

    def __init__(self, data_type: pa.DataType, make_row: Callable[[Sequence[str], Sequence[Any]], Any]) -> None:
        self.data_type = data_type
        self._exact = _EXACT.get(data_type)
        self._out: Converter = to_arrow(data_type)
        self._in: Converter = from_arrow(data_type, make_row)

    def out(self, result: Any) -> Any:
        """Return the value for Arrow.

        Raises:
            TypeError: the result is no value of the type.
        """
        return result if result is None or self._out is None else self._out(result)

    def array(self, values: list[Any]) -> pa.Array:
        """Return values, as ``out`` returned them, as a column."""
        return pa.array(values, self.data_type)

    def is_exact(self, value: Any) -> bool:
        """Whether a value is, by its class alone, one of the type."""
        return type(value) is self._exact

    def back(self, value: Any) -> Any:
        """Return a value, as ``out`` returned it, as it would come back from a query."""
        if value is None or self.is_exact(value):
            return value
        came = self.array([value]).to_pylist()[0]
        return came if self._in is None else self._in(came)
