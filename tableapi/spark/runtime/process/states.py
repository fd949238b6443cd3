"""State with a time to live: it is reset when it has not changed for this time.

Time is the time of ``on_time``, because processing time says nothing about the rows of a table; without ``on_time``,
state does not expire. A value expires as a whole, and the elements of a ListView or MapView one by one.
"""

from __future__ import annotations

import copy
import operator
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tableapi.spark.runtime.process.declarations import ListView, MapView, StateRow


class Expiring(ABC):
    """A state that expires, with hooks for the beginning and the end of each call of the function."""

    @abstractmethod
    def begin(self, expiry: int | None, time: int) -> Any:
        """Return the state for a call, without what has expired.

        Args:
            expiry: the time by which state expires; None for nothing.
            time: the time of the call, which its changes get.
        """

    def end(self, time: int) -> None:  # noqa: B027  # a view records each change by itself
        """Record what the call has changed."""

    @property
    @abstractmethod
    def last_change(self) -> int | None:
        """The time of the last change that is known; None before any."""


def expiring(create: Callable[[], Any], ttl: int) -> ExpiringValue | ExpiringList | ExpiringMap:
    """Return the initial state of a partition with a time to live in microseconds."""
    first = create()
    if isinstance(first, ListView):
        return ExpiringList(list(first), [0] * len(first), ttl)
    if isinstance(first, MapView):
        return ExpiringMap(dict(first.items()), dict.fromkeys(first, 0), ttl)
    return ExpiringValue(create, first, ttl)


class ExpiringValue(Expiring):
    """A value whose changes are found by comparison, because setting its fields is not observed.

    Args:
        create: creates the initial value.
        value: the value.
        ttl: the time to live in microseconds.
        changed: the time of its last change; None before any.
    """

    def __init__(self, create: Callable[[], Any], value: Any, ttl: int, changed: int | None = None) -> None:
        self._create = create
        self._ttl = ttl
        self._seen = _content(value)
        self.value = value
        self.changed = changed

    def begin(self, expiry: int | None, time: int) -> Any:
        if self.changed is not None and expiry is not None and expiry >= self.changed + self._ttl:
            self.value = self._create()
            self._seen = _content(self.value)
            self.changed = None
        return self.value

    def end(self, time: int) -> None:
        content = _content(self.value)
        if content != self._seen:
            self._seen = content
            self.changed = time

    @property
    def last_change(self) -> int | None:
        return self.changed


def _content(value: Any) -> Any:
    if isinstance(value, StateRow):
        return copy.deepcopy(list(value))
    return copy.deepcopy(vars(value)) if hasattr(value, "__dict__") else copy.deepcopy(value)


class ExpiringList(ListView[Any], Expiring):
    """A list whose elements expire one by one.

    Args:
        values: the elements.
        added: the times when they were added.
        ttl: the time to live in microseconds.

    Attributes:
        removed: how many elements at the beginning have expired; None if others were removed.
    """

    def __init__(self, values: list[Any], added: list[int], ttl: int) -> None:
        super().__init__()
        self._values = values
        self._added = added
        self._ttl = ttl
        self._time = 0
        # Rows of a stream may come out of order.
        self._is_ascending = all(map(operator.le, added, added[1:]))
        self.removed: int | None = 0

    def begin(self, expiry: int | None, time: int) -> ListView[Any]:
        self._time = time
        if expiry is None or not self._added:
            return self
        limit = expiry - self._ttl
        if self._is_ascending:
            expired = bisect_right(self._added, limit)
            if expired:
                del self._added[:expired], self._values[:expired]
                self.removed = None if self.removed is None else self.removed + expired
        elif min(self._added) <= limit:
            kept = [position for position, added in enumerate(self._added) if added > limit]
            self._values[:] = [self._values[position] for position in kept]
            self._added[:] = [self._added[position] for position in kept]
            self.removed = None
        return self

    @property
    def last_change(self) -> int | None:
        return max(self._added, default=None)

    def timed_items(self) -> list[tuple[int, Any]]:
        """Return the elements with the times when they were added."""
        return list(zip(self._added, self._values, strict=True))

    def add(self, value: Any) -> None:
        if self._added and self._added[-1] > self._time:
            self._is_ascending = False
        self._added.append(self._time)
        super().add(value)

    def add_all(self, values: Iterable[Any]) -> None:
        for value in values:
            self.add(value)

    def clear(self) -> None:
        self._added.clear()
        self._is_ascending, self.removed = True, None
        super().clear()


class ExpiringMap(MapView[Any, Any], Expiring):
    """A map whose keys expire one by one.

    Args:
        values: the values by key; a dict or another mutable mapping.
        put: the times when the keys were set.
        ttl: the time to live in microseconds.
    """

    def __init__(self, values: Any, put: dict[Any, int], ttl: int) -> None:
        super().__init__()
        self._values = values
        self._ttl = ttl
        self._time = 0
        # In the order of the times, the oldest first, unless rows of a stream come out of order.
        self._put = dict(sorted(put.items(), key=operator.itemgetter(1)))
        self._latest = max(self._put.values(), default=None)
        self._is_ascending = True

    def begin(self, expiry: int | None, time: int) -> MapView[Any, Any]:
        self._time = time
        if expiry is None:
            return self
        limit = expiry - self._ttl
        if not self._is_ascending:
            self._put = dict(sorted(self._put.items(), key=operator.itemgetter(1)))
            self._is_ascending = True
        while self._put:
            key, put = next(iter(self._put.items()))
            if put > limit:
                break
            self.remove(key)
        return self

    @property
    def last_change(self) -> int | None:
        return max(self._put.values(), default=None)

    @property
    def content(self) -> Any:
        """The values by key, as given."""
        return self._values

    @property
    def times(self) -> Mapping[Any, int]:
        """The times when the keys were set."""
        return self._put

    def put(self, key: Any, value: Any) -> None:
        if self._latest is not None and self._time < self._latest:
            self._is_ascending = False
        self._latest = self._time if self._latest is None else max(self._latest, self._time)
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
