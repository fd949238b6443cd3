"""Group windows: tumbling, sliding and session windows, built step by step.

Each class is a step, so that only what PyFlink accepts can be written:
``Tumble.over(size).on(time).alias("w")``, ``Slide.over(size).every(slide).on(time).alias("w")`` and
``Session.with_gap(gap).on(time).alias("w")``. Beyond PyFlink, which has CUMULATE in SQL only, there is
``Cumulate.over(size).every(step).on(time).alias("w")``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from ir.durations import duration_text
from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import UnresolvedReference, ValueLiteral
from ir.resolution.windows import written
from tableapi.expression import Expression, unwrap
from tableapi.tracebacks import boundaries
from tableapi.unknown_members import AdvisesOnMembers
from tableapi.written_summary import written_summary

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


def _described(kind: str, parts: Mapping[str, ValueLiteral | Unresolved | None]) -> str:
    shown = []
    for name, part in parts.items():
        if isinstance(part, ValueLiteral):
            length = f"{part.value} rows" if written.counts_rows(part) else duration_text(part.value)
            shown.append(f"{name}: {length}")
        elif part is not None:
            shown.append(f"{name}: {written_summary(part)}")
    return f"{kind}({', '.join(shown)})"


class _Shown(AdvisesOnMembers):
    """A base class of windows that still need something."""

    __slots__ = ()

    def __repr__(self) -> str:
        cls: Any = type(self)
        names = [field.name for field in attrs.fields(cls)]
        parts = {"on" if name == "_time" else name[1:]: getattr(self, name) for name in names}
        return _described(cls.__name__.partition("With")[0], parts)


@attrs.frozen(eq=False)
class GroupWindow:
    """A window with a time and an alias, for ``Table.window``."""

    _window: written.GroupWindow

    def __repr__(self) -> str:
        window = self._window
        kind = "Session" if window.gap else "Slide" if window.slide else "Cumulate" if window.step else "Tumble"
        lengths = {name: getattr(window, name) for name in ("size", "slide", "step", "gap")}
        return f"{_described(kind, {**lengths, 'on': window.time})} as {window.alias}"


def _time(field: Any) -> Unresolved:
    if not isinstance(field, Expression):
        raise ValidationException(
            f"on takes the time of a row as an expression, as in col('ts'), but was given {field!r}."
        )
    return unwrap(field)


def _alias(alias: Any) -> str:
    """Return a window's alias, which may be written as text or as a column."""
    inner = unwrap(alias) if isinstance(alias, Expression) else None
    name = inner.name if isinstance(inner, UnresolvedReference) else alias
    if not isinstance(name, str) or not name:
        raise ValidationException(f"The alias of a window is a name, as text or as col(name), but {alias!r} was given.")
    return name


@boundaries
class Tumble:
    """Windows of a fixed size, each of which begins where the one before ends.

    >>> from tableapi.expressions import col, lit
    >>> window = Tumble.over(lit(10).minutes).on(col("ts")).alias("w")

    Windows over time are aligned with 1970-01-01 00:00, those over a TIMESTAMP_LTZ or DATE in UTC. Windows of a number
    of rows are counted for each combination of the other keys, in the order of the time; only full ones give a result,
    as in Flink. A row whose time is NULL belongs to no window.
    """

    @classmethod
    def over(cls, size: Expression[Any]) -> TumbleWithSize:
        """Choose the size: an interval, or a number of rows.

        Args:
            size: a constant, as in ``lit(10).minutes`` or ``row_interval(10)``.

        Raises:
            ValidationException: it is something else, is not positive, or has months.
        """
        return TumbleWithSize(written.extent(unwrap(size), "size of Tumble.over"))


@boundaries
@attrs.frozen(eq=False, repr=False)
class TumbleWithSize(_Shown):
    """A tumbling window that still needs a time."""

    _size: ValueLiteral

    def on(self, time_field: Expression[Any]) -> TumbleWithSizeOnTime:
        """Choose the time by which rows are put into windows: a TIMESTAMP, TIMESTAMP_LTZ or DATE."""
        return TumbleWithSizeOnTime(self._size, _time(time_field))


@boundaries
@attrs.frozen(eq=False, repr=False)
class TumbleWithSizeOnTime(_Shown):
    """A tumbling window that still needs an alias."""

    _size: ValueLiteral
    _time: Unresolved

    def alias(self, alias: str) -> GroupWindow:
        """Give the window the name by which ``group_by`` and ``select`` find it."""
        return GroupWindow(written.GroupWindow(self._time, _alias(alias), size=self._size))


@boundaries
class Slide:
    """Windows of a fixed size of which one begins at every slide, so that a row belongs to several.

    >>> from tableapi.expressions import col, lit
    >>> window = Slide.over(lit(10).minutes).every(lit(5).minutes).on(col("ts")).alias("w")
    """

    @classmethod
    def over(cls, size: Expression[Any]) -> SlideWithSize:
        """Choose the size: an interval, or a number of rows.

        Args:
            size: a constant, as in ``lit(10).minutes`` or ``row_interval(10)``.

        Raises:
            ValidationException: it is something else, is not positive, or has months.
        """
        return SlideWithSize(written.extent(unwrap(size), "size of Slide.over"))


@boundaries
@attrs.frozen(eq=False, repr=False)
class SlideWithSize(_Shown):
    """A sliding window that still needs its slide and a time."""

    _size: ValueLiteral

    def every(self, slide: Expression[Any]) -> SlideWithSizeAndSlide:
        """Choose how far one window begins after the other, in time or in rows like the size.

        Raises:
            ValidationException: it is no such constant, is not positive, or is an interval longer than the size, which
                would leave rows out.
        """
        length = written.extent(unwrap(slide), "slide of every")
        written.require_alike(self._size, length)
        return SlideWithSizeAndSlide(self._size, length)


@boundaries
@attrs.frozen(eq=False, repr=False)
class SlideWithSizeAndSlide(_Shown):
    """A sliding window that still needs a time."""

    _size: ValueLiteral
    _slide: ValueLiteral

    def on(self, time_field: Expression[Any]) -> SlideWithSizeAndSlideOnTime:
        """Choose the time by which rows are put into windows: a TIMESTAMP, TIMESTAMP_LTZ or DATE."""
        return SlideWithSizeAndSlideOnTime(self._size, self._slide, _time(time_field))


@boundaries
@attrs.frozen(eq=False, repr=False)
class SlideWithSizeAndSlideOnTime(_Shown):
    """A sliding window that still needs an alias."""

    _size: ValueLiteral
    _slide: ValueLiteral
    _time: Unresolved

    def alias(self, alias: str) -> GroupWindow:
        """Give the window the name by which ``group_by`` and ``select`` find it."""
        return GroupWindow(written.GroupWindow(self._time, _alias(alias), size=self._size, slide=self._slide))


@boundaries
class Cumulate:
    """Windows that begin together and end a step apart, up to a size, so that each has the rows of the one before.

    This is ``CUMULATE`` of Flink's SQL, which PyFlink's Table API lacks.

    >>> from tableapi.expressions import col, lit
    >>> window = Cumulate.over(lit(1).days).every(lit(1).hours).on(col("ts")).alias("w")
    """

    @classmethod
    def over(cls, size: Expression[Any]) -> CumulateWithSize:
        """Choose the size of the longest window: an interval.

        Args:
            size: a constant, as in ``lit(1).days``.

        Raises:
            ValidationException: it is something else, is not positive, or has months.
        """
        return CumulateWithSize(written.extent(unwrap(size), "size of Cumulate.over", rows=False))


@boundaries
@attrs.frozen(eq=False, repr=False)
class CumulateWithSize(_Shown):
    """Cumulative windows that still need a step and a time."""

    _size: ValueLiteral

    def every(self, step: Expression[Any]) -> CumulateWithSizeAndStep:
        """Choose how far one window ends after the other.

        Raises:
            ValidationException: it is no such constant, is not positive, or the size is no multiple of it.
        """
        length = written.extent(unwrap(step), "step of every", rows=False)
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
        """Choose the time by which rows are put into windows: a TIMESTAMP, TIMESTAMP_LTZ or DATE."""
        return CumulateWithSizeAndStepOnTime(self._size, self._step, _time(time_field))


@boundaries
@attrs.frozen(eq=False, repr=False)
class CumulateWithSizeAndStepOnTime(_Shown):
    """Cumulative windows that still need an alias."""

    _size: ValueLiteral
    _step: ValueLiteral
    _time: Unresolved

    def alias(self, alias: str) -> GroupWindow:
        """Give the windows the name by which ``group_by`` and ``select`` find them."""
        return GroupWindow(written.GroupWindow(self._time, _alias(alias), size=self._size, step=self._step))


@boundaries
class Session:
    """Windows that end where no row follows for as long as a gap, counted for each combination of the other keys.

    >>> from tableapi.expressions import col, lit
    >>> window = Session.with_gap(lit(5).minutes).on(col("ts")).alias("w")
    """

    @classmethod
    def with_gap(cls, gap: Expression[Any]) -> SessionWithGap:
        """Choose the gap: an interval.

        Args:
            gap: a constant, as in ``lit(5).minutes``; a session ends so long after its last row.

        Raises:
            ValidationException: it is something else, is not positive, or has months.
        """
        return SessionWithGap(written.extent(unwrap(gap), "gap of Session.with_gap", rows=False))


@boundaries
@attrs.frozen(eq=False, repr=False)
class SessionWithGap(_Shown):
    """A session window that still needs a time."""

    _gap: ValueLiteral

    def on(self, time_field: Expression[Any]) -> SessionWithGapOnTime:
        """Choose the time by which rows are put into sessions: a TIMESTAMP, TIMESTAMP_LTZ or DATE."""
        return SessionWithGapOnTime(self._gap, _time(time_field))


@boundaries
@attrs.frozen(eq=False, repr=False)
class SessionWithGapOnTime(_Shown):
    """A session window that still needs an alias."""

    _gap: ValueLiteral
    _time: Unresolved

    def alias(self, alias: str) -> GroupWindow:
        """Give the window the name by which ``group_by`` and ``select`` find it."""
        return GroupWindow(written.GroupWindow(self._time, _alias(alias), gap=self._gap))
