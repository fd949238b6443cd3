"""Functions of shapes (GEOMETRY and GEOGRAPHY): well-known binary (WKB) and systems of reference.

Source: https://spark.apache.org/docs/latest/sql-ref-geospatial-types.html
"""

from __future__ import annotations

from ir import types as t
from ir.expressions import ValueLiteral
from ir.functions.builder import as_method, scalar
from ir.functions.definition import Shown
from ir.inference import CallContext
from ir.inference.arguments import BYTES, INTEGER, STRING, Family, Where
from ir.inference.inputs import positional
from ir.inference.results import Computed, NullableIfArguments, nullable_if_arguments
from ir.types import LogicalType

_SHAPE = Family("GEOMETRY or GEOGRAPHY", (t.SpatialType, t.NullType))
_BYTE_ORDERS = ("NDR", "XDR")
_BYTE_ORDER = Where(
    STRING,
    lambda given: not isinstance(given, ValueLiteral) or given.is_null or str(given.value).upper() in _BYTE_ORDERS,
    "'NDR' or 'XDR'",
)


def _system(context: CallContext, position: int) -> int | None:
    """Return the number of a literal system of reference, which is then part of the type."""
    given = context.arguments[position]
    # Spark puts the number into the type only if it is an INT literal.
    if not isinstance(given, ValueLiteral) or not isinstance(given.type_, t.IntType):
        return None
    return None if given.is_null else int(given.value)


def _infer_made_type(context: CallContext) -> LogicalType:
    return t.GeometryType(0 if len(context) == 1 else _system(context, 1))


def _infer_moved_type(context: CallContext) -> LogicalType:
    is_geometry = isinstance(context.argument_types[0], t.GeometryType)
    return (t.GeometryType if is_geometry else t.GeographyType)(_system(context, 1))


# The point (1, 2).
_POINT = "X'0101000000000000000000F03F0000000000000040'"

ST_GEOMFROMWKB = scalar(
    "st_geomfromwkb",
    positional(BYTES, INTEGER, optional=1, names="wkb srid"),
    NullableIfArguments(Computed(_infer_made_type)),
    sql="ST_GEOMFROMWKB",
    in_flink=False,
    fluent=as_method("st_geomfromwkb", "srid?"),
    doc="The planar shape that wkb, in well-known binary, describes, in the spatial reference system srid, by default "
    "0 (none). A literal srid is part of the type; otherwise each value may have its own.",
    example=(f"ST_SRID(ST_GEOMFROMWKB({_POINT}, 3857))", "3857"),
    shown=Shown(defaults=(None, "0")),
)
ST_GEOGFROMWKB = scalar(
    "st_geogfromwkb",
    positional(BYTES, names="wkb"),
    nullable_if_arguments(t.GeographyType(4326)),
    sql="ST_GEOGFROMWKB",
    in_flink=False,
    fluent=as_method("st_geogfromwkb"),
    doc="The shape on the earth that wkb, in well-known binary, describes, in degrees of longitude and latitude (SRID "
    "4326).",
    example=(f"ST_SRID(ST_GEOGFROMWKB({_POINT}))", "4326"),
)
ST_ASBINARY = scalar(
    "st_asbinary",
    positional(_SHAPE, _BYTE_ORDER, optional=1, names="shape endianness"),
    nullable_if_arguments(t.BYTES),
    sql="ST_ASBINARY",
    in_flink=False,
    fluent=as_method("st_asbinary", "endianness?"),
    doc="The well-known binary of shape, in little-endian ('NDR', the default) or big-endian ('XDR') byte order.",
    example=(f"HEX(ST_ASBINARY(ST_GEOMFROMWKB({_POINT}), 'XDR'))", "'00000000013FF00000000000004000000000000000'"),
    shown=Shown(defaults=(None, "NDR")),
)
ST_SRID = scalar(
    "st_srid",
    positional(_SHAPE, names="shape"),
    nullable_if_arguments(t.INT),
    sql="ST_SRID",
    in_flink=False,
    fluent=as_method("st_srid"),
    doc="The identifier of the spatial reference system of shape.",
    example=(f"ST_SRID(ST_GEOMFROMWKB({_POINT}))", "0"),
)
ST_SETSRID = scalar(
    "st_setsrid",
    positional(_SHAPE, INTEGER, names="shape srid"),
    NullableIfArguments(Computed(_infer_moved_type)),
    sql="ST_SETSRID",
    in_flink=False,
    fluent=as_method("st_setsrid", "srid"),
    doc="The shape with the same coordinates in the spatial reference system srid; nothing is projected. A literal "
    "srid is part of the type.",
    example=(f"ST_SRID(ST_SETSRID(ST_GEOMFROMWKB({_POINT}), 4326))", "4326"),
)
