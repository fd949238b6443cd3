"""The states of a partition in a harness: objects for the function, and what a checkpoint would keep of them.

A state is stored as plain values of its declared type, and loaded as new objects. A test thereby notices state that
does not have its type, and objects that a function keeps outside of its state.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs
import pyarrow as pa

from ir.functions.process import StateEntry, StateKind
from ir.types import ArrayType, LogicalType, MapType, RowType
from tableapi.spark.runtime.columns import column_of_any
from tableapi.spark.runtime.process.declarations import ListView, MapView, StateRow
from tableapi.spark.runtime.process.rows import values
from tableapi.spark.runtime.row import Row
from tableapi.testing.typed_rows import arrow_type

Convert = Callable[[Any], Any]


@attrs.frozen
class StateKeeper:
    """One state of a call in a harness.

    Attributes:
        entry: the declaration.
        data_type: the type: ROW for a value, ARRAY for a list, MAP for a map.
        create: makes the initial value.
        makers: converters from the stored form to what the function gets: of the object, of the elements of a list, or
            of the keys and the values of a map. None where nothing is to be converted.
        ttl: the time to live in microseconds, None for no limit.
    """

    entry: StateEntry
    data_type: LogicalType
    create: Callable[[], Any]
    makers: tuple[Convert | None, ...]
    ttl: int | None


class HeldState:
    """A state of a partition: the object that the function gets, and the times that its time to live needs."""

    def __init__(self, keeper: StateKeeper) -> None:
        self._keeper = keeper
        self._reset()

    def _reset(self) -> None:
        self.value = self._create()
        # The time of the last change of a value with a time to live, and its content then.
        self._changed: int | None = None
        self._content = as_plain(self.value)

    def _create(self) -> Any:
        if self._keeper.ttl is None or self._keeper.entry.kind is StateKind.VALUE:
            return self._keeper.create()
        return TimedList() if self._keeper.entry.kind is StateKind.LIST else TimedMap()

    def begin(self, expiry: int | None, change: int | None) -> Any:
        """Expire what has not changed within the time to live, and return the object for a call.

        Args:
            expiry: the time by which state expires.
            change: the time of the call, which its changes get.
        """
        ttl = self._keeper.ttl
        if ttl is None:
            return self.value
        if isinstance(self.value, (TimedList, TimedMap)):
            self.value.now = change or 0
            if expiry is not None:
                self.value.expire(expiry - ttl)
        elif self._changed is not None and expiry is not None and expiry >= self._changed + ttl:
            self._reset()
        return self.value

    def end(self, change: int | None) -> None:
        """End a call; if it changed the value, its time to live restarts at the time ``change``."""
        if self._keeper.ttl is None or self._keeper.entry.kind is not StateKind.VALUE:
            return
        content = as_plain(self.value)
        if content != self._content:
            self._content, self._changed = content, change or 0

    def store(self) -> Any:
        """Return the form that a checkpoint keeps: an Arrow array of the declared type, and times.

        Raises:
            TypeError, ValueError, pa.ArrowException: a value does not have its declared type.
        """
        kept = column_of_any([_as_positions(self.value, self._keeper.entry.kind)], arrow_type(self._keeper.data_type))
        times = list(self.value.times) if isinstance(self.value, (TimedList, TimedMap)) else self._changed
        return kept, times

    def assign(self, value: Any) -> None:
        """Set the state to an object or to plain values, which have no times yet.

        Raises:
            TypeError, ValueError, pa.ArrowException: the value does not have the declared type.
        """
        data_type = self._keeper.data_type
        if isinstance(value, Mapping) and isinstance(data_type, RowType):
            names = [field.name for field in data_type.fields]
            unknown = [name for name in value if name not in names]
            if unknown:
                raise ValueError(f"it has no field {unknown[0]!r}")
            value = tuple([value.get(name) for name in names])
        kept = column_of_any([as_positions(value)], arrow_type(data_type))
        is_timed = isinstance(self.value, (TimedList, TimedMap))
        self.load((kept, [0] * len(kept[0].as_py()) if is_timed else None))

    def load(self, stored: Any) -> None:
        """Replace the object by a new one from its stored form."""
        kept, times = stored
        self.value = self._load(kept)
        if isinstance(times, list):
            self.value = _with_times(self.value, times)
        else:
            self._changed, self._content = times, as_plain(self.value)

    def _load(self, kept: pa.Array) -> Any:
        kind, makers = self._keeper.entry.kind, self._keeper.makers
        (given,) = values(kept)
        if kind is StateKind.LIST:
            return ListView([_convert(makers[0], element) for element in given])
        if kind is StateKind.MAP:
            return MapView({_convert(makers[0], key): _convert(makers[1], value) for key, value in given.items()})
        if makers[0] is not None:
            return makers[0](given)
        assert isinstance(self._keeper.data_type, RowType)
        return StateRow([field.name for field in self._keeper.data_type.fields], list(given))


def _convert(maker: Convert | None, value: Any) -> Any:
    return value if maker is None else maker(value)


def _with_times(view: ListView[Any] | MapView[Any, Any], times: list[int]) -> TimedList | TimedMap:
    """Return a view whose elements have the times that were stored with them."""
    if isinstance(view, ListView):
        timed = TimedList()
        for element, timed.now in zip(view, times, strict=True):
            timed.add(element)
        return timed
    of_map = TimedMap()
    for (key, value), of_map.now in zip(view.items(), times, strict=True):
        of_map.put(key, value)
    return of_map


class TimedList(ListView[Any]):
    """A list that knows when each element was added."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self.times: list[int] = []

    def expire(self, limit: int) -> None:
        """Remove the elements that were added at or before a time."""
        kept = [(time, element) for time, element in zip(self.times, self, strict=True) if time > limit]
        self.times = [time for time, _ in kept]
        super().clear()
        super().add_all([element for _, element in kept])

    def add(self, value: Any) -> None:
        self.times.append(self.now)
        super().add(value)

    def add_all(self, values: Iterable[Any]) -> None:
        for value in values:
            self.add(value)

    def clear(self) -> None:
        self.times.clear()
        super().clear()


class TimedMap(MapView[Any, Any]):
    """A map that knows when each key was set."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self._set: dict[Any, int] = {}

    @property
    def times(self) -> list[int]:
        """The times in the order of the keys."""
        return [self._set[key] for key in self]

    def expire(self, limit: int) -> None:
        """Remove the keys that were set at or before a time."""
        for key, time in list(self._set.items()):
            if time <= limit:
                self.remove(key)

    def put(self, key: Any, value: Any) -> None:
        self._set[key] = self.now
        super().put(key, value)

    def put_all(self, values: Mapping[Any, Any]) -> None:
        for key, value in values.items():
            self.put(key, value)

    def remove(self, key: Any) -> None:
        self._set.pop(key, None)
        super().remove(key)

    def clear(self) -> None:
        self._set.clear()
        super().clear()

    def __setitem__(self, key: Any, value: Any) -> None:
        self.put(key, value)

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        del self._set[key]


# --- forms of values -------------------------------------------------------------------------------------------------


def as_plain(value: Any) -> Any:
    """Return a value as lists, dicts and single values that share nothing with it."""
    if isinstance(value, ListView):
        return [as_plain(element) for element in value]
    if isinstance(value, (MapView, Mapping)):
        return {_as_plain_key(key): as_plain(element) for key, element in value.items()}
    names = field_names(value)
    if names is not None:
        return {name: as_plain(element) for name, element in zip(names, field_values(value), strict=True)}
    if isinstance(value, (list, tuple)):
        return [as_plain(element) for element in value]
    return value


def _as_plain_key(key: Any) -> Any:
    """Return the key of a map as tuples and single values, which can be keys of a dict."""
    if field_names(key) is not None or isinstance(key, (list, tuple)):
        return tuple([_as_plain_key(part) for part in (field_values(key) or key)])
    return key


def field_names(value: Any) -> list[str] | None:
    """Return the names of the fields of a row or of an object of a data class; None for another value."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [field.name for field in dataclasses.fields(value)]
    if isinstance(value, StateRow):
        # Its fields are its attributes, so that its names are read as those of a copy.
        return list(value.__reduce__()[1][0])
    if isinstance(value, Row):
        return None if value.names is None else list(value.names)
    if isinstance(value, tuple):
        # Rows of PySpark have the first, named tuples the second.
        names = getattr(value, "__fields__", None) or getattr(value, "_fields", None)
        return list(names) if names else None
    return None


def field_values(value: Any) -> tuple[Any, ...]:
    """Return the values of the fields of a row or of an object of a data class."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple([getattr(value, field.name) for field in dataclasses.fields(value)])
    return tuple(value)


def as_positions(value: Any) -> Any:
    """Return a value with tuples for rows and objects, lists and dicts for views, as Arrow takes it."""
    if isinstance(value, ListView):
        return [as_positions(element) for element in value]
    if isinstance(value, (MapView, Mapping)):
        return {key: as_positions(element) for key, element in value.items()}
    if isinstance(value, list):
        return [as_positions(element) for element in value]
    if isinstance(value, (StateRow, Row, tuple)) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
        return tuple([as_positions(element) for element in field_values(value)])
    return value


def _as_positions(value: Any, kind: StateKind) -> Any:
    if kind is StateKind.VALUE and not isinstance(value, StateRow) and not dataclasses.is_dataclass(value):
        raise TypeError(f"it is {value!r}")
    return as_positions(value)


def element_types(data_type: LogicalType) -> tuple[LogicalType, ...]:
    """Return the types of the elements of a list, or of the keys and values of a map."""
    if isinstance(data_type, ArrayType):
        return (data_type.element,)
    assert isinstance(data_type, MapType)
    return data_type.key, data_type.value
