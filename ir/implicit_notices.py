"""Notices of implicit casts, kept from the call that contains one until the user's method call ends.

``ir.calls`` adds a notice, the resolver adds the written form of the call, and the parser adds its position. A
notice is only a candidate, because internal rewrites make calls, too. ``tableapi.queries.cast_findings`` finds the
notices that belong to the user's query.
"""

from __future__ import annotations

from _thread import _local
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from ir import light_attrs as attrs
from ir.light_typing import TYPE_CHECKING, Any
from ir.records import record

if TYPE_CHECKING:
    from ir.expressions import Expression
    from ir.types import LogicalType

# The oldest notices are dropped.
_MOST_KEPT = 256


class Kind(Enum):
    """The problem with an implicit cast."""

    CONSTANT = "a constant that the cast always refuses"
    TEXT = "strings of the data that are cast to numbers or BOOLEAN"
    JOINED = "a number that + joins to a string"


@record(eq=False, repr=False)
class ImplicitCast(attrs.Slotted):
    """An implicit cast of one argument of a call, or of one column of a set operation.

    ``value`` is the constant, the expression or the column that is cast.
    """

    kind: Kind
    argument: int
    value: Any
    wanted: LogicalType


class Notice:
    """An implicit cast in a call or a set operation, with its place in the text as far as it is known.

    ``Places.of`` reads ``written`` and ``argument`` as it does for an error. ``names`` has the text's names of columns
    that have another name in the operation.
    """

    __slots__ = ("argument", "cast", "made", "names", "position", "written")

    def __init__(self, made: Any, cast: ImplicitCast) -> None:
        self.made = made
        self.cast = cast
        self.argument: int | None = cast.argument
        self.written: Expression | None = None
        self.position: int | None = None
        self.names: Mapping[str, str] = {}


class _Noticed(_local):  # threading.local, without the rest of threading
    """The notices of a thread: ``fresh`` ones since the last resolved expression, and ``resolved`` ones before that."""

    def __init__(self) -> None:
        self.fresh: deque[Notice] = deque(maxlen=_MOST_KEPT)
        self.resolved: deque[Notice] = deque(maxlen=_MOST_KEPT)
        self.is_muted = False


_noticed = _Noticed()


def add_notice(notice: Notice) -> None:
    """Record an implicit cast of a call or a set operation that was just made."""
    if not _noticed.is_muted:
        _noticed.fresh.append(notice)


def add_written(written_as: Callable[[object], Expression | None]) -> None:
    """Add to the fresh notices the written expressions from which their calls were resolved."""
    if _noticed.fresh:
        for notice in _noticed.fresh:
            notice.written = written_as(notice.made)
        _noticed.resolved.extend(_noticed.fresh)
        _noticed.fresh.clear()


def add_positions(
    position_of: Callable[[Any], int | None], position: int, names: Callable[[], Mapping[str, str]] | None = None
) -> None:
    """Add positions in the text to the notices without one: where their calls were written, else ``position``.

    ``names`` returns the names that the text has for columns; it is called only if there are notices.
    """
    if not _noticed.fresh and not _noticed.resolved:
        return
    _noticed.resolved.extend(_noticed.fresh)
    _noticed.fresh.clear()
    for notice in _noticed.resolved:
        if notice.position is None:
            found = position_of(notice)
            notice.position = position if found is None else found
            if names is not None:
                notice.names = names()


def has_notices() -> bool:
    """Whether the thread has notices that were not taken."""
    return bool(_noticed.resolved or _noticed.fresh)


def take_notices() -> list[Notice]:
    """Return all notices of the thread, and remove them."""
    found = [*_noticed.resolved, *_noticed.fresh]
    _noticed.resolved.clear()
    _noticed.fresh.clear()
    return found


class isolate_notices:
    """Set aside the thread's notices during the block, which parses text of the user, and drop those of the block."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before: Sequence[Notice] = take_notices() if has_notices() else ()

    def __exit__(self, *error: object) -> None:
        take_notices()
        _noticed.resolved.extend(self._before)


class suppress_notices:
    """Record no notices in the block, in which text is parsed or code runs that the user did not just write."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = _noticed.is_muted
        _noticed.is_muted = True

    def __exit__(self, *error: object) -> None:
        _noticed.is_muted = self._before
