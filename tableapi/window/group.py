"""Group windows: tumbling, sliding, cumulative and session windows, built step by step.

Each class is one step, so that only the calls that PyFlink accepts are possible:
``Tumble.over(size).on(time).alias("w")``, ``Slide.over(size).every(slide).on(time).alias("w")`` and
``Session.with_gap(gap).on(time).alias("w")``. PyFlink has CUMULATE in SQL only; here there is also
``Cumulate.over(size).every(step).on(time).alias("w")``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from ir.durations import duration_text
from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import ValueLiteral
from ir.resolution.windows import unresolved_windows
from ir.unresolved import UnresolvedReference
from tableapi.expression import Expression, unwrap
from tableapi.members.unresolved_summary import summarize
from tableapi.tracebacks import boundaries
from tableapi.unknown_members import AdvisesOnMembers

__all__ = [
    "Cumulate",
    "CumulateWithSize",
    "CumulateWithSizeAndStep",
    "CumulateWithSizeAndStepOnTime",
    "GroupWindow",
    "Session",
    "SessionWithGap",
    "SessionWithGapOnTime",
    "Slide",
    "SlideWithSize",
    "SlideWithSizeAndSlide",
    "SlideWithSizeAndSlideOnTime",
    "Tumble",
    "TumbleWithSize",
    "TumbleWithSizeOnTime",
]


def _describe(kind: str, parts: Mapping[str, ValueLiteral | Unresolved | None]) -> str:
    shown = []
    for name, part in parts.items():
        if isinstance(part, ValueLiteral):
            length = f"{part.value} rows" if unresolved_windows.counts_rows(part) else duration_text(part.value)
            shown.append(f"{name}: {length}")
        elif part is not None:
            shown.append(f"{name}: {summarize(part)}")
    return f"{kind}({', '.join(shown)})"


class _Shown(AdvisesOnMembers):
    """The base class of incomplete windows."""

    __slots__ = ()

    def __repr__(self) -> str:
        cls: Any = type(self)
        names = [field.name for field in attrs.fields(cls)]
        parts = {"on" if name == "_time" else name[1:]: getattr(self, name) for name in names}
        return _describe(cls.__name__.partition("With")[0], parts)


@attrs.frozen(eq=False)
class GroupWindow:
    """A complete window, with time and alias, for ``Table.window``."""

    _window: unresolved_windows.GroupWindow

    def __repr__(self) -> str:
        window = self._window
        kind = "Session" if window.gap else "Slide" if window.slide else "Cumulate" if window.step else "Tumble"
        lengths = {name: getattr(window, name) for name in ("size", "slide", "step", "gap")}
        return f"{_describe(kind, {**lengths, 'on': window.time})} as {window.alias}"


def unwrap_window(window: GroupWindow) -> unresolved_windows.GroupWindow:
    """Return the description that a window is."""
    return window._window


def _time(field: Any) -> Unresolved:
    if not isinstance(field, Expression):
        raise ValidationException(
            f"on takes the time of a row as an expression, as in col('ts'), but was given {field!r}."
        )
    return unwrap(field)


def _alias(alias: Any) -> str:
    """Return the alias of a window, given as a string or as a column."""
    inner = unwrap(alias) if isinstance(alias, Expression) else None
    name = inner.name if isinstance(inner, UnresolvedReference) else alias
    if not isinstance(name, str) or not name:
        raise ValidationException(f"The alias of a window is a name, as text or as col(name), but {alias!r} was given.")
    return name


@boundaries
class Tumble:
    """Windows of a fixed size, each of which begins where the previous one ends.

    >>> from tableapi.expressions import col, lit
    >>> window = Tumble.over(lit(10).minutes).on(col("ts")).alias("w")

    Windows over time are aligned with 1970-01-01 00:00, in UTC for TIMESTAMP_LTZ and DATE. Windows of a number of rows
    are counted for each combination of the other keys, in the order of the time; as in Flink, only full ones have a
    result. A row whose time is NULL belongs to no window.
    """

    @classmethod
    def over(cls, size: Expression[Any]) -> TumbleWithSize:
        """Set the size: an interval, or a number of rows.

        Args:
            size: a constant such as ``lit(10).minutes`` or ``row_interval(10)``.

        Raises:
            ValidationException: the size is no such constant, is not positive, or has months.
        """
        return TumbleWithSize(unresolved_windows.convert_window_length(unwrap(size), "size of Tumble.over"))


@boundaries
@attrs.frozen(eq=False, repr=False)
class TumbleWithSize(_Shown):
    """A tumbling window that still needs a time."""

    _size: ValueLiteral

    def on(self, time_field: Expression[Any]) -> TumbleWithSizeOnTime:
        """Set the time column by which rows are assigned to windows: a TIMESTAMP, TIMESTAMP_LTZ or DATE."""
        return TumbleWithSizeOnTime(self._size, _time(time_field))


@boundaries
@attrs.frozen(eq=False, repr=False)
class TumbleWithSizeOnTime(_Shown):
    """A tumbling window that still needs an alias."""

    _size: ValueLiteral
    _time: Unresolved

    def alias(self, alias: str) -> GroupWindow:
        """Name the window for ``group_by`` and ``select``."""
        return GroupWindow(unresolved_windows.GroupWindow(self._time, _alias(alias), size=self._size))


@boundaries
class Slide:
    """Windows of a fixed size that begin at every slide, so that a row can belong to several windows.

    >>> from tableapi.expressions import col, lit
    >>> window = Slide.over(lit(10).minutes).every(lit(5).minutes).on(col("ts")).alias("w")
    """

    @classmethod
    def over(cls, size: Expression[Any]) -> SlideWithSize:
        """Set the size: an interval, or a number of rows.

        Args:
            size: a constant such as ``lit(10).minutes`` or ``row_interval(10)``.

        Raises:
            ValidationException: the size is no such constant, is not positive, or has months.
        """
        return SlideWithSize(unresolved_windows.convert_window_length(unwrap(size), "size of Slide.over"))


@boundaries
@attrs.frozen(eq=False, repr=False)
class SlideWithSize(_Shown):
    """A sliding window that still needs its slide and a time."""

    _size: ValueLiteral

    def every(self, slide: Expression[Any]) -> SlideWithSizeAndSlide:
        """Set the distance between the beginnings of two windows, in time or in rows like the size.

        Raises:
            ValidationException: the slide is no such constant, is not positive, or is an interval longer than the size,
                so that rows would belong to no window.
        """
        length = unresolved_windows.convert_window_length(unwrap(slide), "slide of every")
        unresolved_windows.require_alike(self._size, length)
        return SlideWithSizeAndSlide(self._size, length)


@boundaries
@attrs.frozen(eq=False, repr=False)
class SlideWithSizeAndSlide(_Shown):
    """A sliding window that still needs a time."""

    _size: ValueLiteral
    _slide: ValueLiteral

    def on(self, time_field: Expression[Any]) -> SlideWithSizeAndSlideOnTime:
        """Set the time column by which rows are assigned to windows: a TIMESTAMP, TIMESTAMP_LTZ or DATE."""
        return SlideWithSizeAndSlideOnTime(self._size, self._slide, _time(time_field))


@boundaries
@attrs.frozen(eq=False, repr=False)
class SlideWithSizeAndSlideOnTime(_Shown):
    """A sliding window that still needs an alias."""

    _size: ValueLiteral
    _slide: ValueLiteral
    _time: Unresolved

    def alias(self, alias: str) -> GroupWindow:
        """Name the window for ``group_by`` and ``select``."""
        return GroupWindow(
            unresolved_windows.GroupWindow(self._time, _alias(alias), size=self._size, slide=self._slide)
        )


@boundaries
class Cumulate:
    """Windows with a common beginning whose ends are a step apart, up to a size; each contains the previous one.

    This is ``CUMULATE`` of Flink's SQL, which PyFlink's Table API lacks.

    >>> from tableapi.expressions import col, lit
    >>> window = Cumulate.over(lit(1).days).every(lit(1).hours).on(col("ts")).alias("w")
    """

    @classmethod
    def over(cls, size: Expression[Any]) -> CumulateWithSize:
        """Set the size of the longest window: an interval.

        Args:
            size: a constant such as ``lit(1).days``.

        Raises:
            ValidationException: the size is no such constant, is not positive, or has months.
        """
        return CumulateWithSize(
            unresolved_windows.convert_window_length(unwrap(size), "size of Cumulate.over", rows=False)
        )


@boundaries
@attrs.frozen(eq=False, repr=False)
class CumulateWithSize(_Shown):
    """Cumulative windows that still need a step and a time."""

    _size: ValueLiteral

    def every(self, step: Expression[Any]) -> CumulateWithSizeAndStep:
        """Set the distance between the ends of two windows.

        Raises:
            ValidationException: the step is no such constant, is not positive, or does not divide the size.
        """
        length = unresolved_windows.convert_window_length(unwrap(step), "step of every", rows=False)
        if self._size.value % length.value:
            raise ValidationException(
                f"The size of cumulative windows must be a multiple of their step: the size is {self._size!r}, the "
                f"step {length!r}."
            )
        return CumulateWithSizeAndStep(self._size, length)


@boundaries
@attrs.frozen(eq=False, repr=False)
class CumulateWithSizeAndStep(_Shown):
    """Cumulative windows that still need a time."""

    _size: ValueLiteral
    _step: ValueLiteral

    def on(self, time_field: Expression[Any]) -> CumulateWithSizeAndStepOnTime:
        """Set the time column by which rows are assigned to windows: a TIMESTAMP, TIMESTAMP_LTZ or DATE."""
        return CumulateWithSizeAndStepOnTime(self._size, self._step, _time(time_field))


@boundaries
@attrs.frozen(eq=False, repr=False)
class CumulateWithSizeAndStepOnTime(_Shown):
    """Cumulative windows that still need an alias."""

    _size: ValueLiteral
    _step: ValueLiteral
    _time: Unresolved

    def alias(self, alias: str) -> GroupWindow:
        """Name the windows for ``group_by`` and ``select``."""
        return GroupWindow(unresolved_windows.GroupWindow(self._time, _alias(alias), size=self._size, step=self._step))


@boundaries
class Session:
    """Windows that end when no row follows within a gap, separately for each combination of the other keys.

    >>> from tableapi.expressions import col, lit
    >>> window = Session.with_gap(lit(5).minutes).on(col("ts")).alias("w")
    """

    @classmethod
    def with_gap(cls, gap: Expression[Any]) -> SessionWithGap:
        """Set the gap: an interval.

        Args:
            gap: a constant such as ``lit(5).minutes``; a session ends this long after its last row.

        Raises:
            ValidationException: the gap is no such constant, is not positive, or has months.
        """
        return SessionWithGap(
            unresolved_windows.convert_window_length(unwrap(gap), "gap of Session.with_gap", rows=False)
        )


@boundaries
@attrs.frozen(eq=False, repr=False)
class SessionWithGap(_Shown):
    """A session window that still needs a time."""

    _gap: ValueLiteral

    def on(self, time_field: Expression[Any]) -> SessionWithGapOnTime:
        """Set the time column by which rows are assigned to sessions: a TIMESTAMP, TIMESTAMP_LTZ or DATE."""
        return SessionWithGapOnTime(self._gap, _time(time_field))


@boundaries
@attrs.frozen(eq=False, repr=False)
class SessionWithGapOnTime(_Shown):
    """A session window that still needs an alias."""

    _gap: ValueLiteral
    _time: Unresolved

    def alias(self, alias: str) -> GroupWindow:
        """Name the window for ``group_by`` and ``select``."""
        return GroupWindow(unresolved_windows.GroupWindow(self._time, _alias(alias), gap=self._gap))
