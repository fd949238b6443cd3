"""The description of a stage for workers: functions with their settings, calls, and dependencies between calls."""

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
    """The settings for the calls of a function. Times are in seconds.

    Attributes:
        capacity: the most operations in flight at once.
        timeout: the time limit of a call over all its attempts; None for no limit.
        strategy, delay, longest_delay, attempts: the delay before each further attempt, and the most attempts in all.
        is_retryable: whether an error is worth another attempt; None to retry after all errors.
        on_failure: what a finally failed call returns; ``default`` is the value for USE_DEFAULT.
        rate: the most attempts that may start per second; None for no limit.
        deduplicate: whether calls with equal arguments share the one in flight.
        cache_size, cache_ttl: how many results are cached, and for how long; None for no expiry.
        batch_size: the most calls that are made at once, if the function takes several.
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
        """Return the time to wait after a failed attempt, counted from 1.

        Exponential delays have random jitter, so that calls that failed together do not retry together.
        """
        if self.strategy != EXPONENTIAL_DELAY:
            return self.delay
        # 2.0 ** 1024 overflows.
        grown = min(self.delay * 2.0 ** min(attempt - 1, 64), self.longest_delay)
        return grown * random.uniform(1 - _JITTER, 1 + _JITTER)


class AsyncFunction:
    """A function as a worker calls it.

    Attributes:
        name: its name in messages.
        call: the coroutine function; ``call_many``, if there is one, takes a list of argument tuples.
        open, close: called once per task, before its first call and after its last; they may be coroutine functions.
        result: the Arrow type of its result.
        required: the positions of the arguments that reject NULL: a NULL there gives NULL without a call.
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
    """An argument of a call: the position of an input column, or of an earlier call whose result it is."""

    def __init__(self, position: int, *, is_call: bool) -> None:
        self.position = position
        self.is_call = is_call


class PlannedCall:
    """A call that is made for the rows whose guard column is TRUE, or for each row if there is no guard."""

    def __init__(self, function: int, arguments: Sequence[Argument], guard: int | None = None) -> None:
        self.function = function
        self.arguments = tuple(arguments)
        self.guard = guard

    @property
    def needs(self) -> list[int]:
        """The distinct positions of the calls whose results are arguments."""
        return list(dict.fromkeys(argument.position for argument in self.arguments if argument.is_call))


class Stage:
    """Calls that are made together for each row, starting with those that need no other results.

    Attributes:
        functions: the functions.
        calls: the calls, each of which needs results of earlier calls only.
        results: the calls whose results are output columns.
        kept: the input columns that are output after the results.
        is_ordered: whether rows leave in their input order; if not, ``kept`` has to carry the columns of each row.
        is_value: whether the output is the only result itself instead of a struct of results and kept columns.
        make_row: makes a row from names and values.
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
        """The distinct positions of the columns whose values the calls need."""
        read = [argument.position for call in self.calls for argument in call.arguments if not argument.is_call]
        return list(dict.fromkeys(read + [call.guard for call in self.calls if call.guard is not None]))

    def type_of(self, call: int) -> pa.DataType:
        """Return the result type of a call."""
        return self.functions[self.calls[call].function].result


# Python integers need a check, because not all of them fit into their Arrow type.
_EXACT: dict[pa.DataType, type] = {
    pa.string(): str,
    pa.binary(): bytes,
    pa.bool_(): bool,
    pa.float64(): float,
    pa.date32(): dt.date,
}


class Passage:
    """Converts a result to a value for Arrow, and such a value to an argument of another function."""

    def __init__(self, data_type: pa.DataType, make_row: Callable[[Sequence[str], Sequence[Any]], Any]) -> None:
        self.data_type = data_type
        self._exact = _EXACT.get(data_type)
        self._out: Converter = to_arrow(data_type)
        self._in: Converter = from_arrow(data_type, make_row)

    def out(self, result: Any) -> Any:
        """Convert a result to a value for Arrow.

        Raises:
            TypeError: the result does not have the type.
        """
        return result if result is None or self._out is None else self._out(result)

    def array(self, values: list[Any]) -> pa.Array:
        """Build a column from values that ``out`` returned."""
        return pa.array(values, self.data_type)

    def is_exact(self, value: Any) -> bool:
        """Whether the class of a value alone shows that it has the type."""
        return type(value) is self._exact

    def back(self, value: Any) -> Any:
        """Convert a value that ``out`` returned to the value that a query would pass to a function."""
        if value is None or self.is_exact(value):
            return value
        came = self.array([value]).to_pylist()[0]
        return came if self._in is None else self._in(came)
