"""Geometry and geography values in Python: well-known binary (WKB) and a reference system."""

from __future__ import annotations

from typing import Any

import attrs

from ir import types as t
from ir.calls import call
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, TypeLiteral
from ir.functions.conversion import CAST
from ir.functions.geospatial import ST_GEOGFROMWKB, ST_GEOMFROMWKB, ST_SETSRID
from ir.literals import literal
from ir.types import LogicalType

_OF_THE_EARTH = 4326


def _bytes(value: Any) -> bytes:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise ValidationException(
            f"A shape is made of well-known binary, as bytes, and not of {value!r}. Libraries for shapes make it of "
            "text: shapely.to_wkb(shapely.from_wkt(text))."
        )
    return bytes(value)


def _check_number(instance: Geometry | Geography, attribute: object, srid: object) -> None:
    if not isinstance(srid, int) or isinstance(srid, bool):
        raise ValidationException(f"The system of reference of a shape is a number, such as 4326, and not {srid!r}.")


@attrs.frozen
class Geometry:
    """A shape on a plane.

    Convert it with ``shapely.from_wkb(shape.wkb)``, and back with ``Geometry(shapely.to_wkb(shape), srid)``.

    Attributes:
        wkb: the shape as well-known binary, defined by the OGC standard Simple Feature Access.
        srid: the number of the reference system, 0 for none.

    Raises:
        ValidationException: ``wkb`` is not bytes, or ``srid`` is not an integer.
    """

    wkb: bytes = attrs.field(converter=_bytes)
    srid: int = attrs.field(default=0, validator=_check_number)


@attrs.frozen
class Geography:
    """A shape on the earth.

    Attributes:
        wkb: the shape as well-known binary, in degrees of longitude and latitude.
        srid: the number of the reference system, 4326 by default.

    Raises:
        ValidationException: ``wkb`` is not bytes, or ``srid`` is not an integer.
    """

    wkb: bytes = attrs.field(converter=_bytes)
    srid: int = attrs.field(default=_OF_THE_EARTH, validator=_check_number)


_KINDS: dict[type[LogicalType], type[Geometry | Geography]] = {t.GeometryType: Geometry, t.GeographyType: Geography}


def shape_expression(value: Any, data_type: LogicalType | None) -> ResolvedExpression:
    """Return a shape as its constructor call, of the given type or by default of its own type.

    Raises:
        ValidationException: the shape does not have the type, or the reference system does not exist.
    """
    wkb, srid = literal(bytes(value.wkb)), literal(int(value.srid))
    if type(value).__name__ == "Geometry":
        made = call(ST_GEOMFROMWKB, (wkb,) if value.srid == 0 else (wkb, srid))
    else:
        made = call(ST_GEOGFROMWKB, (wkb,))
        made = made if value.srid == _OF_THE_EARTH else call(ST_SETSRID, (made, srid))
    if data_type is None or data_type.same_type(made.data_type):
        return made
    if isinstance(data_type, t.SpatialType) and type(data_type) is type(made.data_type) and data_type.srid is None:
        return call(CAST, (made, TypeLiteral(data_type)))
    raise ValidationException(
        f"The {made.data_type.not_null().root.lower()} in the system {value.srid} is not a value of "
        f"{data_type.as_nullable().as_summary_string()}."
    )


def shapes_of_arrow(data: Any, data_type: t.SpatialType) -> list[Geometry | Geography | None]:
    """Convert an Arrow array of reference systems and well-known binaries, Spark's format, to shapes."""
    made = _KINDS[type(data_type)]
    systems, binaries = data.field("srid").to_pylist(), data.field("wkb").to_pylist()
    parts = zip(data.is_valid().to_pylist(), binaries, systems, strict=True)
    return [made(wkb, srid) if valid else None for valid, wkb, srid in parts]
