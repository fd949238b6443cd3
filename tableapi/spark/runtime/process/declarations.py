"""Declarations of process table functions: the base class, traits of arguments, and state.

All of it is pickled by value for Spark's workers, together with user classes, so this module imports only the standard
library.
"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Annotated, Any, Generic, NoReturn, TypeVar

from tableapi.spark.runtime.base import UserDefinedFunction
from tableapi.spark.runtime.row import RowKind

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class ArgumentTrait(Enum):
    """A property of an argument, which determines what its calls must or may specify.

    The names are those of FLIP-440. The names of later Flink releases are aliases.
    """

    SCALAR = "SCALAR"
    """A scalar value."""
    TABLE_AS_ROW = "TABLE_AS_ROW"
    """A table with row semantics: each row is processed by itself."""
    TABLE_AS_SET = "TABLE_AS_SET"
    """A table with set semantics: the rows of a partition are processed together."""
    OPTIONAL_PARTITION_BY = "OPTIONAL_PARTITION_BY"
    """PARTITION BY may be omitted; all rows are then one partition."""
    SUPPORTS_NESTED_PARTITION_BY = "SUPPORTS_NESTED_PARTITION_BY"
    """PARTITION BY may name fields within columns."""
    REQUIRES_ORDER_BY = "REQUIRES_ORDER_BY"
    """ORDER BY is required."""
    SUPPORTS_NESTED_ORDER_BY = "SUPPORTS_NESTED_ORDER_BY"
    """ORDER BY may name fields within columns."""
    OPTIONAL_COPARTITION = "OPTIONAL_COPARTITION"
    """The table need not be co-partitioned with the other tables if none of them is partitioned."""
    REQUIRES_TIME_ATTRIBUTE = "REQUIRES_TIME_ATTRIBUTE"
    """The call has to name the time column of the table with ``on_time``."""
    PASS_COLUMNS_THROUGH = "PASS_COLUMNS_THROUGH"
    """The output begins with all columns of the input row that caused it."""
    SUPPORT_UPDATES = "SUPPORT_UPDATES"
    """The table may be updated; without this trait, all rows are insertions."""
    REQUIRE_UPDATE_BEFORE = "REQUIRE_UPDATE_BEFORE"
    """An update comes with the row before the update."""
    REQUIRE_FULL_DELETE = "REQUIRE_FULL_DELETE"
    """A deletion comes with the whole deleted row."""

    ROW_SEMANTIC_TABLE = TABLE_AS_ROW
    SET_SEMANTIC_TABLE = TABLE_AS_SET
    REQUIRE_ON_TIME = REQUIRES_TIME_ATTRIBUTE

    @property
    def requires(self) -> tuple[ArgumentTrait, ...]:
        """The alternative traits of which an argument needs one, besides this trait."""
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
    """Declares properties of an argument that its annotation cannot express.

    Args:
        traits: the traits; by default the argument is a scalar.
        name: the name of the argument in calls; by default the name of the parameter.
        is_optional: whether a call may omit it; the function then gets None.
        type: its data type, or the type as a string; by default the type of the annotation.

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
        return _display(self, [str(trait) for trait in self.traits], name=None, is_optional=False, type=None)


class StateHint:
    """Declares that a parameter is state, which a partition keeps from row to row.

    Args:
        name: the name of the state for ``Context.clear_state``; by default the name of the parameter.
        type: its data type, or the type as a string: ROW for a value, ARRAY for a ListView, MAP for a MapView. By
            default the type of the annotation.
        defaults: the initial values of the fields of a row; by default NULL.
        ttl: how long it is kept after its last change; None for as long as the partition.
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
        return _display(self, [], name=None, type=None, defaults={}, ttl=None)


def _display(hint: object, leading: list[str], **defaults: Any) -> str:
    given = [f"{k}={getattr(hint, k)!r}" for k, default in defaults.items() if getattr(hint, k) != default]
    return f"{type(hint).__name__}({', '.join([*leading, *given])})"


TableAsRow = Annotated[T, ArgumentHint(ArgumentTrait.TABLE_AS_ROW)]
"""A table with row semantics: ``TableAsRow[Row]`` for any table, ``TableAsRow[Order]`` for the fields of a class."""

TableAsSet = Annotated[T, ArgumentHint(ArgumentTrait.TABLE_AS_SET)]
"""A table with set semantics: ``TableAsSet[Row]`` for any table, ``TableAsSet[Order]`` for the fields of a class."""

State = Annotated[T, StateHint()]
"""State of a partition, kept from row to row: ``State[Count]`` for a data class with defaults."""


class ColumnList:
    """Names of columns: the value of a parameter for ``DESCRIPTOR(a, b)``.

    >>> list(ColumnList(("a", "b")))
    ['a', 'b']
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)

    def get_names(self) -> list[str]:
        """Return the names in order."""
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

    A parameter of this class is state even without ``State`` or ``StateHint``.

    >>> view = ListView(["a"])
    >>> view.add("b")
    >>> view.get()
    ['a', 'b']
    """

    def __init__(self, values: Iterable[T] = ()) -> None:
        self._values = list(values)

    def get(self) -> list[T]:
        """Return the values in insertion order."""
        return list(self._values)

    def add(self, value: T) -> None:
        """Append a value."""
        self._values.append(value)

    def add_all(self, values: Iterable[T]) -> None:
        """Append values."""
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

    A parameter of this class is state even without ``State`` or ``StateHint``.

    >>> view = MapView({"a": 1})
    >>> view["b"] = 2
    >>> sorted(view.items())
    [('a', 1), ('b', 2)]
    """

    def __init__(self, values: Mapping[K, V] | None = None) -> None:
        self._values = dict(values or {})

    def get(self, key: K, default: V | None = None) -> V | None:
        """Return the value of a key, or the default if the map does not contain the key."""
        return self._values.get(key, default)

    def put(self, key: K, value: V) -> None:
        """Set the value of a key."""
        self._values[key] = value

    def put_all(self, values: Mapping[K, V]) -> None:
        """Set the values of several keys."""
        self._values.update(values)

    def remove(self, key: K) -> None:
        """Remove a key if the map contains it."""
        self._values.pop(key, None)

    def contains(self, key: K) -> bool:
        """Whether the map contains a key."""
        return key in self._values

    def keys(self) -> Iterable[K]:
        """Return the keys."""
        return self._values.keys()

    def values(self) -> Iterable[V]:
        """Return the values."""
        return self._values.values()

    def items(self) -> Iterable[tuple[K, V]]:
        """Return the pairs of keys and values."""
        return self._values.items()

    def is_empty(self) -> bool:
        """Whether the map is empty."""
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
    """A row as state, with fields to read and set by name or by position.

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
        # Copying and pickling look up special methods before the object has fields.
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


class ChangelogMode:
    """The kinds of rows that a process table function gets or yields.

    >>> ChangelogMode.upsert()
    ChangelogMode([INSERT, UPDATE_AFTER, DELETE])
    >>> ChangelogMode.insert_only().contains(RowKind.DELETE)
    False

    Args:
        kinds: the kinds.

    Source: https://cwiki.apache.org/confluence/pages/viewpage.action?pageId=298781093
    """

    def __init__(self, *kinds: RowKind) -> None:
        self.kinds = tuple([kind for kind in RowKind if kind in kinds])

    @staticmethod
    def insert_only() -> ChangelogMode:
        """Return the mode of rows that are never changed."""
        return ChangelogMode(RowKind.INSERT)

    @staticmethod
    def upsert() -> ChangelogMode:
        """Return the mode of changes by key: an update comes without the row before it."""
        return ChangelogMode(RowKind.INSERT, RowKind.UPDATE_AFTER, RowKind.DELETE)

    @staticmethod
    def all() -> ChangelogMode:
        """Return the mode of all kinds: an update retracts the row before it."""
        return ChangelogMode(*RowKind)

    def contains(self, kind: RowKind) -> bool:
        """Whether rows of a kind are among those of the mode."""
        return kind in self.kinds

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChangelogMode) and self.kinds == other.kinds

    def __hash__(self) -> int:
        return hash(self.kinds)

    def __repr__(self) -> str:
        return f"ChangelogMode([{', '.join(kind.name for kind in self.kinds)}])"


class ProcessTableFunction(UserDefinedFunction, ABC):
    """A function over tables that processes the rows of a partition one by one, with state and timers (FLIP-440).

    The signature of ``eval`` is an optional ``Context``, then state, then arguments; annotations tell which is which.
    ``on_timer`` and ``finish`` take an optional ``Context``, and states by their names; ``on_late`` takes an optional
    ``Context``, and arguments of ``eval`` by their names. All methods yield rows of the output: tuples, rows, objects
    of a data class, or single values.

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
        """Process a row of one of the tables, or the scalar arguments if there is no table, and yield rows."""

    def on_timer(self, *args: Any, **kwargs: Any) -> Any:
        """Yield rows when a timer of a partition fires; a function without this method has no timers."""

    def collect(self, row: Any) -> NoReturn:
        """Raise, because only Java functions emit rows by a method.

        Raises:
            NotImplementedError: always; the message says to yield the row.
        """
        raise NotImplementedError("rows are given with yield, not with collect: write 'yield row'")

    def finish(self, *args: Any, **kwargs: Any) -> Any:
        """Yield rows after the last row of a partition; called only for bounded input."""

    def on_late(self, *args: Any, **kwargs: Any) -> Any:
        """Yield rows for a row of a stream that came too late for ``eval``; without this method, it is dropped."""

    def get_input_changelog_mode(self) -> ChangelogMode:
        """Return the kinds of rows that ``eval`` gets; those of tables whose column ``op`` names the kind of a row."""
        return ChangelogMode.insert_only()

    def get_output_changelog_mode(self) -> ChangelogMode:
        """Return the kinds of rows that the function yields.

        If there are others than INSERT, the output has a column ``op`` with the name of the kind of each row. A row of
        another kind than INSERT is made by ``Row.of_kind``.
        """
        return ChangelogMode.insert_only()
