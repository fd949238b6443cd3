"""The objects that annotations name, built from values at any depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, NamedTuple, Optional

import pytest

from tableapi import DataTypes, Row
from tableapi.spark.planner.objects import object_maker, plain_fields, value_maker


@dataclass(frozen=True)
class Point:
    x: int
    y: int | None = None


class Named(NamedTuple):
    point: Point | None
    n: int


@dataclass
class Route:
    points: list[Point]
    by_name: dict[str, list[Point | None]]
    named: Named
    label: str


@dataclass
class Sparse:
    a: int = field(kw_only=True)
    b: list[Point] = field(init=False)


POINT = Row(x=1, y=2)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (Point, POINT, Point(1, 2)),
        (Point | None, None, None),
        (Optional[Point], POINT, Point(1, 2)),  # noqa: UP045  # the older form
        (Annotated[Point, DataTypes.ROW()], POINT, Point(1, 2)),
        (list[Point], [POINT, None], [Point(1, 2), None]),
        (Sequence[list[Point]], [[POINT], [], None], [[Point(1, 2)], [], None]),
        (list[Point], None, None),
        (dict[Point, int], {POINT: 1}, {Point(1, 2): 1}),
        (Mapping[str, Point], {"a": POINT, "b": None}, {"a": Point(1, 2), "b": None}),
        (dict[str, Point], None, None),
        (tuple[int, Point], Row(f0=1, f1=POINT), (1, Point(1, 2))),
        (Named, Row(point=POINT, n=3), Named(Point(1, 2), 3)),
    ],
    ids=str,
)
def test_values_have_their_annotated_types(annotation: Any, value: Any, expected: Any) -> None:
    make = value_maker(annotation)
    assert make is not None
    made = make(value)
    assert made == expected
    assert type(made) is type(expected)


@pytest.mark.parametrize("annotation", [int, str, Any, list, list[int], dict[str, int], tuple[int, str], int | None])
def test_values_that_are_so_already(annotation: Any) -> None:
    assert value_maker(annotation) is None


def test_fields_of_any_depth() -> None:
    make = object_maker(Route)
    assert make is not None
    given = ([POINT], {"a": [POINT, None]}, Row(point=POINT, n=1), "x")
    assert make(*given) == Route([Point(1, 2)], {"a": [Point(1, 2), None]}, Named(Point(1, 2), 1), "x")


def test_fields_that_are_not_taken_by_position() -> None:
    make = object_maker(Sparse)
    assert make is not None
    made = make(1, [POINT])
    assert (made.a, made.b) == (1, [Point(1, 2)])


@dataclass
class Checked:
    x: int

    def __post_init__(self) -> None:
        self.x += 1


@dataclass
class Lazy:
    x: int

    def __getattr__(self, name: str) -> Any:
        return name


@dataclass
class Written:
    x: int

    def __init__(self, x: int) -> None:
        self.x = x


@dataclass(slots=True)
class Slotted:
    x: int
    point: Point | None = None

    def twice(self) -> int:
        return 2 * self.x


@dataclass
class Inherited(Slotted):
    y: int = 0


@pytest.mark.parametrize("cls", [Point, Slotted, Inherited, Route])
def test_objects_that_are_their_fields(cls: Any) -> None:
    found = plain_fields(cls)
    assert found is not None
    assert list(found) == [f.name for f in fields(cls)]
    assert [name for name, make in found.items() if make is not None] == [
        name for name in found if name in ("point", "points", "by_name", "named")
    ]


@pytest.mark.parametrize("cls", [Checked, Lazy, Written, Sparse, Named, Row, int, None, list[Point]])
def test_objects_that_are_more(cls: Any) -> None:
    assert plain_fields(cls) is None
