"""State with a time to live: it is reset when it has not changed for this time.

Time is the time of ``on_time``, because processing time says nothing about the rows of a table; without ``on_time``,
state does not expire. A value expires as a whole, and the elements of a ListView or MapView one by one.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tableapi.spark.runtime.process.declarations import ListView, MapView, StateRow


class Expiring(ABC):
    """A state that expires, with hooks for the beginning and the end of each call of the function."""

    @abstractmethod
    def begin(self, time: int) -> Any:
        """Return the state for a call at a time."""

    def end(self, time: int) -> None:  # noqa: B027  # a view records each change by itself
        """Record what the call has changed."""


def expiring(create: Callable[[], Any], ttl: int) -> Expiring:
    """Return the initial state of a partition with a time to live in microseconds."""
    first = create()
    if isinstance(first, ListView):
        return _ExpiringList(first, ttl)
    if isinstance(first, MapView):
        return _ExpiringMap(first, ttl)
    return _ExpiringValue(create, first, ttl)


class _ExpiringValue(Expiring):
    """A value whose changes are found by comparison, because setting its fields is not observed."""

    def __init__(self, create: Callable[[], Any], value: Any, ttl: int) -> None:
        self._create = create
        self._ttl = ttl
        self._value = value
        self._seen = _content(value)
        self._changed: int | None = None

    def begin(self, time: int) -> Any:
        if self._changed is not None and time >= self._changed + self._ttl:
            self._value = self._create()
            self._seen = _content(self._value)
            self._changed = None
        return self._value

    def end(self, time: int) -> None:
        content = _content(self._value)
        if content != self._seen:
            self._seen = content
            self._changed = time


def _content(value: Any) -> Any:
    if isinstance(value, StateRow):
        return copy.deepcopy(list(value))
    return copy.deepcopy(vars(value)) if hasattr(value, "__dict__") else copy.deepcopy(value)


class _ExpiringList(ListView[Any], Expiring):
    def __init__(self, first: ListView[Any], ttl: int) -> None:
        super().__init__(first)
        self._ttl = ttl
        self._time = 0
        # The times when the elements were added, in ascending order.
        self._added = [0] * len(first)

    def begin(self, time: int) -> ListView[Any]:
        self._time = time
        expired = bisect_right(self._added, time - self._ttl)
        if expired:
            del self._added[:expired], self._values[:expired]
        return self

    def add(self, value: Any) -> None:
        self._added.append(self._time)
        super().add(value)

    def add_all(self, values: Iterable[Any]) -> None:
        for value in values:
            self.add(value)

    def clear(self) -> None:
        self._added.clear()
        super().clear()


class _ExpiringMap(MapView[Any, Any], Expiring):
    def __init__(self, first: MapView[Any, Any], ttl: int) -> None:
        super().__init__(dict(first.items()))
        self._ttl = ttl
        self._time = 0
        # The times when the keys were set, the oldest first.
        self._put: dict[Any, int] = dict.fromkeys(first, 0)

    def begin(self, time: int) -> MapView[Any, Any]:
        self._time = time
        limit = time - self._ttl
        while self._put:
            key, put = next(iter(self._put.items()))
            if put > limit:
                break
            self.remove(key)
        return self

    def put(self, key: Any, value: Any) -> None:
        self._put.pop(key, None)
        self._put[key] = self._time
        super().put(key, value)

    def put_all(self, values: Mapping[Any, Any]) -> None:
        for key, value in values.items():
            self.put(key, value)

    def remove(self, key: Any) -> None:
        self._put.pop(key, None)
        super().remove(key)

    def clear(self) -> None:
        self._put.clear()
        super().clear()

    def __setitem__(self, key: Any, value: Any) -> None:
        self.put(key, value)

    def __delitem__(self, key: Any) -> None:
        if key not in self._values:
            raise KeyError(key)
        self.remove(key)
