"""What the class of a process table function declares: traits of arguments, state, and the class itself.

All of it travels to Spark's workers by value, together with the classes that use it, so that this module imports the
standard library only.
"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Annotated, Any, Generic, NoReturn, TypeVar

from tableapi.spark.runtime.base import UserDefinedFunction

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class ArgumentTrait(Enum):
    """What an argument is, and what calls have to say or may say of it.

    The names are those of the proposal (FLIP-440); those of Flink's later releases are aliases of them.
    """

    SCALAR = "SCALAR"
    """A value."""
    TABLE_AS_ROW = "TABLE_AS_ROW"
    """A table, each row of which is seen by itself."""
    TABLE_AS_SET = "TABLE_AS_SET"
    """A table, of which the rows of a partition are seen together."""
    OPTIONAL_PARTITION_BY = "OPTIONAL_PARTITION_BY"
    """PARTITION BY may be left out: all rows are one partition then."""
    SUPPORTS_NESTED_PARTITION_BY = "SUPPORTS_NESTED_PARTITION_BY"
    """PARTITION BY may name fields within columns."""
    REQUIRES_ORDER_BY = "REQUIRES_ORDER_BY"
    """ORDER BY has to be given."""
    SUPPORTS_NESTED_ORDER_BY = "SUPPORTS_NESTED_ORDER_BY"
    """ORDER BY may name fields within columns."""
    OPTIONAL_COPARTITION = "OPTIONAL_COPARTITION"
    """The table may be given without being partitioned like the others, where none of them is partitioned."""
    REQUIRES_TIME_ATTRIBUTE = "REQUIRES_TIME_ATTRIBUTE"
    """The call has to name the time column of the table with ``on_time``."""
    PASS_COLUMNS_THROUGH = "PASS_COLUMNS_THROUGH"
    """All columns of the row that led to an output stand before it."""
    SUPPORT_UPDATES = "SUPPORT_UPDATES"
    """The table may change; of one that does not, all rows are insertions."""
    REQUIRE_UPDATE_BEFORE = "REQUIRE_UPDATE_BEFORE"
    """An update comes with the row as it was before."""
    REQUIRE_FULL_DELETE = "REQUIRE_FULL_DELETE"
    """A deletion comes with the whole row."""

    ROW_SEMANTIC_TABLE = TABLE_AS_ROW
    SET_SEMANTIC_TABLE = TABLE_AS_SET
    REQUIRE_ON_TIME = REQUIRES_TIME_ATTRIBUTE

    @property
    def requires(self) -> tuple[ArgumentTrait, ...]:
        """The traits one of which an argument needs to have this one."""
        return tuple([ArgumentTrait(name) for name in _REQUIRED.get(self.value, ())])


_REQUIRED: Mapping[str, tuple[str, ...]] = {
    "OPTIONAL_PARTITION_BY": ("TABLE_AS_SET",),
    "SUPPORTS_NESTED_PARTITION_BY": ("TABLE_AS_SET",),
    "REQUIRES_ORDER_BY": ("TABLE_AS_SET",),
    "SUPPORTS_NESTED_ORDER_BY": ("TABLE_AS_SET",),
    "OPTIONAL_COPARTITION": ("OPTIONAL_PARTITION_BY",),
    "REQUIRES_TIME_ATTRIBUTE": ("TABLE_AS_SET",),
    "PASS_COLUMNS_THROUGH": ("TABLE_AS_SET", "TABLE_AS_ROW"),
    "SUPPORT_UPDATES": ("TABLE_AS_SET", "TABLE_AS_ROW"),
    "REQUIRE_UPDATE_BEFORE": ("SUPPORT_UPDATES",),
    "REQUIRE_FULL_DELETE": ("SUPPORT_UPDATES",),
}


class ArgumentHint:
    """Says of an argument more than its annotation does.

    Args:
        traits: what it is; a value by default.
        name: what calls name it by; by default the parameter's name.
        is_optional: whether a call may leave it out; None is passed then.
        type: its data type, or the text of one; by default that of the annotation.

    >>> from typing import Annotated
    >>> Annotated[str, ArgumentHint(name="label", is_optional=True)]
    typing.Annotated[str, ArgumentHint(name='label', is_optional=True)]
    """

    def __init__(
        self, *traits: ArgumentTrait, name: str | None = None, is_optional: bool = False, type: Any = None
    ) -> None:
        self.traits = traits
        self.name = name
        self.is_optional = is_optional
        self.type = type

    def __repr__(self) -> str:
        return _shown(self, [str(trait) for trait in self.traits], name=None, is_optional=False, type=None)


class StateHint:
    """Says of a parameter that it is state: what a partition keeps from row to row.

    Args:
        name: what ``Context.clear_state`` names it by; by default the parameter's name.
        type: its data type, or the text of one: ROW for a value, ARRAY for a ListView, MAP for a MapView. By default
            that of the annotation.
        defaults: of a row, what its fields are in a new partition; NULL by default.
        ttl: how long after its last change it is kept; None for as long as the partition.
    """

    def __init__(
        self,
        name: str | None = None,
        type: Any = None,
        defaults: Mapping[str, Any] | None = None,
        ttl: dt.timedelta | None = None,
    ) -> None:
        self.name = name
        self.type = type
        self.defaults = dict(defaults or {})
        self.ttl = ttl

    def __repr__(self) -> str:
        return _shown(self, [], name=None, type=None, defaults={}, ttl=None)


def _shown(hint: object, leading: list[str], **defaults: Any) -> str:
    given = [f"{k}={getattr(hint, k)!r}" for k, default in defaults.items() if getattr(hint, k) != default]
    return f"{type(hint).__name__}({', '.join([*leading, *given])})"


TableAsRow = Annotated[T, ArgumentHint(ArgumentTrait.TABLE_AS_ROW)]
"""A table, each row of which is seen by itself: ``TableAsRow[Row]`` of any table, ``TableAsRow[Order]`` of a class."""

TableAsSet = Annotated[T, ArgumentHint(ArgumentTrait.TABLE_AS_SET)]
"""A table whose partitions are seen together: ``TableAsSet[Row]`` of any table, ``TableAsSet[Order]`` of a class."""

State = Annotated[T, StateHint()]
"""What a partition keeps from row to row: ``State[Count]`` of a data class that has defaults."""


class ColumnList:
    """Names of columns: what a parameter is given of ``DESCRIPTOR(a, b)``.

    >>> list(ColumnList(("a", "b")))
    ['a', 'b']
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)

    def get_names(self) -> list[str]:
        """Return the names, in order."""
        return list(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ColumnList) and self.names == other.names

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        return f"ColumnList({', '.join(map(repr, self.names))})"


class ListView(Generic[T]):
    """A list as state of a process table function, or in an accumulator.

    A parameter of this class is state without being marked as such.

    >>> view = ListView(["a"])
    >>> view.add("b")
    >>> view.get()
    ['a', 'b']
    """

    def __init__(self, values: Iterable[T] = ()) -> None:
        self._values = list(values)

    def get(self) -> list[T]:
        """Return the values, in the order in which they were added."""
        return list(self._values)

    def add(self, value: T) -> None:
        """Add a value at the end."""
        self._values.append(value)

    def add_all(self, values: Iterable[T]) -> None:
        """Add values at the end."""
        self._values.extend(values)

    def clear(self) -> None:
        """Remove all values."""
        self._values.clear()

    def __iter__(self) -> Iterator[T]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"ListView({self._values!r})"


class MapView(Generic[K, V]):
    """A map as state of a process table function, or in an accumulator.

    A parameter of this class is state without being marked as such.

    >>> view = MapView({"a": 1})
    >>> view["b"] = 2
    >>> sorted(view.items())
    [('a', 1), ('b', 2)]
    """

    def __init__(self, values: Mapping[K, V] | None = None) -> None:
        self._values = dict(values or {})

    def get(self, key: K, default: V | None = None) -> V | None:
        """Return the value of a key, the default where there is none."""
        return self._values.get(key, default)

    def put(self, key: K, value: V) -> None:
        """Give a key a value."""
        self._values[key] = value

    def put_all(self, values: Mapping[K, V]) -> None:
        """Give keys values."""
        self._values.update(values)

    def remove(self, key: K) -> None:
        """Remove a key, where it is there."""
        self._values.pop(key, None)

    def contains(self, key: K) -> bool:
        """Whether a key is there."""
        return key in self._values

    def keys(self) -> Iterable[K]:
        """Return the keys."""
        return self._values.keys()

    def values(self) -> Iterable[V]:
        """Return the values."""
        return self._values.values()

    def items(self) -> Iterable[tuple[K, V]]:
        """Return the keys, each with its value."""
        return self._values.items()

    def is_empty(self) -> bool:
        """Whether there are no keys."""
        return not self._values

    def clear(self) -> None:
        """Remove all keys."""
        self._values.clear()

    def __getitem__(self, key: K) -> V:
        return self._values[key]

    def __setitem__(self, key: K, value: V) -> None:
        self._values[key] = value

    def __delitem__(self, key: K) -> None:
        del self._values[key]

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[K]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"MapView({self._values!r})"


class StateRow:
    """A row as state, whose fields can be read and set by name or by position.

    >>> state = StateRow(("count", "last"), (0, None))
    >>> state.count += 1
    >>> state["last"] = "x"
    >>> state
    StateRow(count=1, last='x')
    """

    __slots__ = ("_names", "_values")
    _names: tuple[str, ...]
    _values: list[Any]

    def __init__(self, names: Iterable[str], values: Iterable[Any]) -> None:
        object.__setattr__(self, "_names", tuple(names))
        object.__setattr__(self, "_values", list(values))

    def _position(self, field: str | int) -> int:
        if isinstance(field, int):
            return field
        try:
            return self._names.index(field)
        except ValueError:
            raise KeyError(f"The state has no field {field!r}; its fields are {', '.join(self._names)}.") from None

    def __getitem__(self, field: str | int) -> Any:
        return self._values[self._position(field)]

    def __setitem__(self, field: str | int, value: Any) -> None:
        self._values[self._position(field)] = value

    def __getattr__(self, field: str) -> Any:
        # Copying and pickling ask for special methods before there are fields.
        if field.startswith("__") or field in StateRow.__slots__:
            raise AttributeError(field)
        try:
            return self[field]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __setattr__(self, field: str, value: Any) -> None:
        try:
            self[field] = value
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StateRow) and (self._names, self._values) == (other._names, other._values)

    def __hash__(self) -> int:
        raise TypeError("a state changes, and has no hash")

    def __reduce__(self) -> tuple[Any, ...]:
        return StateRow, (self._names, list(self._values))

    def __repr__(self) -> str:
        return f"StateRow({', '.join(f'{n}={v!r}' for n, v in zip(self._names, self._values, strict=True))})"


class ProcessTableFunction(UserDefinedFunction, ABC):
    """A function of tables, which sees row after row of a partition, and has state and timers for it (FLIP-440).

    Its signature is that of ``eval``: a ``Context`` where it wants one, then its state, then its arguments; each is
    told by its annotation. ``on_timer`` and ``finish`` take a ``Context`` where they want one, and those of the states
    that they name. All three yield rows of the output: tuples, rows, objects of a data class, or single values.

    >>> from dataclasses import dataclass
    >>> from tableapi.spark.runtime.process.context import Context, OnTimerContext
    >>> @dataclass
    ... class Count:
    ...     count: int = 0
    >>> class CountWithTimeout(ProcessTableFunction):
    ...     def eval(self, ctx: Context, state: State[Count], input: TableAsSet[Any]) -> Iterator[Count]:
    ...         state.count += 1
    ...         timers = ctx.timers(int)
    ...         timers.register_on_time("timeout", timers.current_time() + 60_000)
    ...         return iter(())
    ...
    ...     def on_timer(self, ctx: OnTimerContext, state: Count) -> Iterator[Count]:
    ...         yield state
    ...         ctx.clear_all()

    Source: https://cwiki.apache.org/confluence/pages/viewpage.action?pageId=298781093
    """

    @abstractmethod
    def eval(self, *args: Any, **kwargs: Any) -> Any:
        """Take a row of one of the tables, or the values alone where there is no table, and yield rows."""

    def on_timer(self, *args: Any, **kwargs: Any) -> Any:
        """Yield rows when a timer of a partition fires. Without this method, a function has no timers."""

    def collect(self, row: Any) -> NoReturn:
        """Refuse the way in which functions in Java give rows.

        Raises:
            NotImplementedError: always; the message says to yield the row.
        """
        raise NotImplementedError("rows are given with yield, not with collect: write 'yield row'")

    def finish(self, *args: Any, **kwargs: Any) -> Any:
        """Yield rows once a partition has seen all of its rows, which only that of a table that ends ever has."""
