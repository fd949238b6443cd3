"""Process table functions that are declared by the arguments of ``udptf`` and see PyFlink's names of the context.

Sent to workers by value, so this module imports only the standard library and modules that are sent, too.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from tableapi.spark.runtime.process.context import Context, SetSemantics, Timers
from tableapi.spark.runtime.process.declarations import ProcessTableFunction


class AdaptedFunction(ProcessTableFunction):
    """A function whose declaration is data, and whose methods get a context with the names of PyFlink.

    Args:
        name: its name in messages.
        target: the instance of the user's class.
        inference: its declaration, which stays in the process that builds queries.
        is_deterministic: whether equal input rows give equal output rows.
    """

    def __init__(self, name: str, target: ProcessTableFunction, inference: Any, is_deterministic: bool) -> None:
        self.name = name
        self.target = target
        self._inference = inference
        self._is_deterministic = is_deterministic

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_inference": None}

    def get_type_inference(self) -> Any:
        """Return the declaration."""
        return self._inference

    def is_deterministic(self) -> bool:
        return self._is_deterministic

    def open(self, function_context: Any) -> None:
        self.target.open(function_context)

    def close(self) -> None:
        self.target.close()

    def eval(self, ctx: Context, *arguments: Any) -> Any:
        return self.target.eval(AdaptedContext(ctx), *arguments)


class AdaptedFunctionWithTimers(AdaptedFunction):
    """The same for a class with ``on_timer``."""

    def on_timer(self, ctx: Context, *states: Any) -> Any:
        return self.target.on_timer(AdaptedContext(ctx), *states)


class AdaptedContext:
    """The context with the names of PyFlink, beside all others."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_context":
            raise AttributeError(name)
        return getattr(self._context, name)

    def time_context(self, time_type: Any = dt.datetime) -> AdaptedTimers:
        """Return the time and the timers, like ``timers``.

        Args:
            time_type: ``datetime`` for UTC without a zone, ``int`` for milliseconds since 1970, or ``Instant``.
        """
        return AdaptedTimers(self._context, self._context.timers(time_type))

    def table_semantics_for(self, argument: str) -> AdaptedSemantics:
        """Return the partitioning and the order of a table argument, by positions of columns.

        Args:
            argument: the name of the argument.
        """
        return AdaptedSemantics(self._context.set_semantics(argument))


class AdaptedTimers:
    """Time and timers with the names of PyFlink, beside all others."""

    def __init__(self, context: Any, timers: Timers[Any]) -> None:
        self._context = context
        self._timers = timers

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_context", "_timers"):
            raise AttributeError(name)
        return getattr(self._timers, name)

    def time(self) -> Any:
        """Return the time of the row or timer."""
        return _without_zone(self._timers.current_time())

    def table_watermark(self) -> Any:
        """Return the watermark; all tables of a call have one."""
        return self.current_watermark()

    def current_watermark(self) -> Any:
        """Return the watermark."""
        return _without_zone(self._timers.current_watermark())

    def clear_timer(self, name_or_time: Any) -> None:
        """Delete a timer by its name, or a timer without a name by its time."""
        self._timers.delete_timer(name_or_time)

    def clear_all_timers(self) -> None:
        """Delete all timers of the partition."""
        self._context.clear_all_timers()


class AdaptedSemantics:
    """The partitioning and order of a table as positions; -1 for no time column."""

    def __init__(self, semantics: SetSemantics) -> None:
        self._semantics = semantics

    def partition_by_columns(self) -> tuple[int, ...]:
        """Return the positions of the columns of PARTITION BY."""
        return tuple([path[0] for path in self._semantics.partition_by_columns() if path])

    def order_by_columns(self) -> tuple[int, ...]:
        """Return the positions of the columns of ORDER BY."""
        return tuple([path[0] for path in self._semantics.order_by_columns() if path])

    def time_column(self) -> int:
        """Return the position of the time column, or -1 without ``on_time``."""
        found = self._semantics.time_column()
        return -1 if found is None else found


def _without_zone(time: Any) -> Any:
    return time.replace(tzinfo=None) if isinstance(time, dt.datetime) else time
