"""Paths to the parts of a column: fields of rows, elements of arrays, keys and values of maps.

They are written as in Spark's ALTER TABLE: ``points.element.x``, ``prices.value``
(https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-alter-table.html).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from ir.errors import ValidationException, did_you_mean, listing
from ir.identifiers import equals_ignoring_case
from ir.types import ArrayType, LogicalType, MapType, RowType


class Step(Enum):
    """A step into a collection. A step into a row is the name of the field."""

    ELEMENT = "element"
    KEY = "key"
    VALUE = "value"
    SIZE = "size"
    """The number of elements or entries, and whether there is a collection at all."""


Path = tuple["str | Step", ...]
"""The steps from a column to a part of it; empty for the whole column."""
WHOLE: Final[Path] = ()


def path_suffix(path: Path) -> str:
    """Return a path as text that follows the name of the column.

    >>> path_suffix((Step.ELEMENT, "x"))
    '.element.x'
    """
    return "".join(f".{step.value if isinstance(step, Step) else step}" for step in path)


def overlap(first: Path, second: Path) -> bool:
    """Whether one path leads to the part of the other, or to a part of that.

    >>> overlap(("a",), ("a", "b")), overlap(("a",), ("b",))
    (True, False)
    """
    return all(a == b for a, b in zip(first, second, strict=False))


def field_path(row: LogicalType, position: int) -> Path:
    """Return the path from a row to a field; the whole row if other fields have the same name."""
    assert isinstance(row, RowType)
    name = row.fields[position].name
    return (name,) if len(row.field_index(name)) == 1 else WHOLE


def _part(kind: LogicalType, step: str | Step) -> tuple[LogicalType, int] | None:
    """Return the type to which a step leads and the position of the field; None for a step that the type lacks."""
    if isinstance(step, str):
        found = kind.field_index(step) if isinstance(kind, RowType) else []
        return (kind.children[found[0]], found[0]) if len(found) == 1 else None
    if isinstance(kind, ArrayType) and step is Step.ELEMENT:
        return kind.element, 0
    if isinstance(kind, MapType) and step in (Step.KEY, Step.VALUE):
        return (kind.key if step is Step.KEY else kind.value), 0
    return None


def translate(path: Path, given: LogicalType, wanted: LogicalType) -> Path:
    """Return the path in one type to the part that has a path in another type.

    Fields correspond by position, as in casts. A path ends early, with a larger part, where the types differ.

    >>> from ir.types import INT, STRING, RowField
    >>> row = RowType((RowField("a", INT), RowField("b", INT)))
    >>> translate(("b",), row, RowType((RowField("x", STRING), RowField("y", STRING))))
    ('y',)
    """
    if given is wanted:
        return path
    found: list[str | Step] = []
    for step in path:
        if step is Step.SIZE:
            return (*found, step)
        part = _part(given, step)
        if part is None or type(given) is not type(wanted):
            break
        kind, position = part
        if isinstance(wanted, RowType):
            if position >= len(wanted.fields) or not field_path(wanted, position):
                break
            step = wanted.fields[position].name
        below = _part(wanted, step)
        if below is None:
            break
        found.append(step)
        given, wanted = kind, below[0]
    return tuple(found)


def existing_part(path: Path, kind: LogicalType) -> Path:
    """Return a path, up to the first step that a type lacks."""
    current = kind
    for length, step in enumerate(path):
        part = _part(current, step)
        if part is None:
            is_size = step is Step.SIZE and isinstance(current, ArrayType | MapType)
            return path[: length + is_size]
        current = part[0]
    return path


def leaf_paths(kind: LogicalType) -> Iterator[Path]:
    """Yield the paths to the parts of a type that have no parts themselves.

    >>> from ir.types import INT, RowField
    >>> list(leaf_paths(ArrayType(RowType((RowField("x", INT), RowField("y", INT))))))
    [(<Step.ELEMENT: 'element'>, 'x'), (<Step.ELEMENT: 'element'>, 'y')]
    """
    stack: list[tuple[Path, LogicalType]] = [(WHOLE, kind)]
    while stack:
        path, current = stack.pop()
        below: list[tuple[Path, LogicalType]] = []
        if isinstance(current, RowType):
            for position, field in enumerate(current.fields):
                step = field_path(current, position)
                if step:
                    below.append(((*path, *step), field.data_type))
        elif isinstance(current, ArrayType):
            below.append(((*path, Step.ELEMENT), current.element))
        elif isinstance(current, MapType):
            below += [((*path, Step.KEY), current.key), ((*path, Step.VALUE), current.value)]
        if below:
            stack.extend(reversed(below))
        else:
            yield path


def read_path(kind: LogicalType, steps: tuple[str, ...], column: str) -> Path:
    """Return the path that its written steps mean in a type.

    Args:
        kind: the type of the column.
        steps: the names of the steps, in any case.
        column: the name of the column, for the message.

    Raises:
        ValidationException: the type has no such part; the message suggests the nearest name.
    """
    found: list[str | Step] = []
    for step in steps:
        names = _step_names(kind)
        match = next((name for name in names if equals_ignoring_case(name, step)), None)
        if match is None:
            shown = f"{column}{path_suffix(tuple(found))}"
            if not names:
                raise ValidationException(f"{shown} is of type {kind.as_summary_string()}, which has no parts.")
            inside = next((f"{a}.{b}" for a, b in _names_inside(kind) if equals_ignoring_case(b, step)), None)
            nearest = did_you_mean(step, names) if inside is None else f" Did you mean {inside!r}?"
            raise ValidationException(f"{shown} has no part {step!r}; its parts are [{listing(names)}].{nearest}")
        taken = match if isinstance(kind, RowType) else Step(match)
        part = _part(kind, taken)
        assert part is not None, "the names are those of steps"
        found.append(taken)
        kind = part[0]
    return tuple(found)


def _step_names(kind: LogicalType) -> tuple[str, ...]:
    if isinstance(kind, RowType):
        return tuple([field.name for i, field in enumerate(kind.fields) if field_path(kind, i)])
    if isinstance(kind, ArrayType):
        return (Step.ELEMENT.value,)
    return (Step.KEY.value, Step.VALUE.value) if isinstance(kind, MapType) else ()


def _names_inside(kind: LogicalType) -> Iterator[tuple[str, str]]:
    """Yield each part of a collection with each part of that: a person often writes ``items.price``."""
    if not isinstance(kind, RowType):
        for name in _step_names(kind):
            part = _part(kind, Step(name))
            assert part is not None, "the names are those of steps"
            yield from ((name, below) for below in _step_names(part[0]))
