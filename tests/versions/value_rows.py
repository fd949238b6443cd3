"""Rows of values of every type, as the SQL of a query that every version of Spark understands."""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from ir import types as t
from tableapi.spark.types import to_spark
from tests.versions.calls import columns

ROW: Final = "number_of_row"
"""The column with the number of the row."""
ROWS: Final = 4
"""How many rows there are; the values of the last are NULL where they can be, else large."""
_INSTANTS = ("2024-02-29 12:34:56.789012", "1969-12-31 23:59:59.999999", "1500-03-01 00:00:00", "2038-01-19 03:14:08")
# They are cast to the type.
_TEXTS: Mapping[type[t.LogicalType], Sequence[str]] = {
    t.BooleanType: ("true", "false", "true", "false"),
    t.TinyIntType: ("2", "-3", "0", "127"),
    t.SmallIntType: ("2", "-3", "0", "32767"),
    t.IntType: ("2", "-3", "0", "2147483647"),
    t.BigIntType: ("2", "-3", "0", "9223372036854775807"),
    t.FloatType: ("1.5", "-2.25", "0", "NaN"),
    t.DoubleType: ("1.5", "-2.25", "0", "NaN"),
    t.StringType: ("12", "Spark SQL", "", "2024-02-29 01:02:03"),
    t.DateType: ("2024-02-29", "1969-12-31", "0001-01-01", "9999-12-31"),
    t.TimeType: ("12:34:56.123456", "00:00:00", "23:59:59.999999", "01:02:03"),
    t.TimestampType: _INSTANTS,
    t.LocalZonedTimestampType: _INSTANTS,
}
_INTERVALS = ("1, 2, 0, 3, 4, 5, 6.5", "0, -1, 0, 0, 0, 0, 0", "", "0, 0, 0, 0, 25, 0, 0")
_CALLS: Mapping[type[t.LogicalType], Sequence[str]] = {
    t.BytesType: ("X'3132'", "X'FF00'", "X''", "X'537061726B'"),
    t.YearMonthIntervalType: [f"make_ym_interval({given})" for given in ("1, 2", "0, -3", "0, 0", "100, 11")],
    t.DayTimeIntervalType: [
        f"make_dt_interval({given})" for given in ("1, 2, 3, 4.5", "0, 0, 0, -0.000001", "", "100, 23, 59, 59.999999")
    ],
    t.CalendarIntervalType: [f"make_interval({given})" for given in _INTERVALS],
    t.VariantType: [f"parse_json('{text}')" for text in ('{"a": 1, "b": [1, 2.5]}', "12", '"x"', "null")],
}
_POINTS = ((1.0, 2.0), (0.0, 0.0), (-3.5, 4.25), (179.0, -89.0))


def query_of_rows(without: Collection[str] = ()) -> str:
    """Return the query of the rows, with a column of each type, without some columns."""
    names = [name for name in columns() if name not in without]
    rows = [f"({row}, {', '.join(value_of(columns()[name], row) for name in names)})" for row in range(ROWS)]
    return f"SELECT * FROM VALUES {', '.join(rows)} AS t({', '.join([ROW, *names])})"


def value_of(data_type: t.LogicalType, row: int) -> str:
    """Return the SQL of the value of a type in a row."""
    ddl = to_spark(data_type).simpleString()
    if data_type.nullable and row == ROWS - 1:
        return f"CAST(NULL AS {ddl})"
    match data_type:
        case t.NullType():
            return "NULL"
        case t.ArrayType() | t.MapType() if row == ROWS - 2:
            return f"CAST({'ARRAY' if isinstance(data_type, t.ArrayType) else 'MAP'}() AS {ddl})"
        case t.ArrayType():
            return (
                f"ARRAY({', '.join(value_of(data_type.element, of) for of in ((1, 0, 1), (0,), (), (3, 1, 0))[row])})"
            )
        case t.MapType():
            pairs = ((0, 1), (1, 0), (2, 3)) if row == 0 else ((row, row),)
            return f"MAP({', '.join(f'{_key(data_type, k)}, {value_of(data_type.value, v)}' for k, v in pairs)})"
        case t.RowType():
            parts = [f"'{field.name}', {value_of(field.data_type, row)}" for field in data_type.fields]
            return f"NAMED_STRUCT({', '.join(parts)})"
        case t.DecimalType():
            return f"CAST('{_decimal(data_type, row)}' AS {ddl})"
        case t.SpatialType():
            point = struct.pack("<BIdd", 1, 1, *_POINTS[row]).hex()
            shape = "st_geogfromwkb" if isinstance(data_type, t.GeographyType) else "st_geomfromwkb"
            made = f"{shape}(X'{point}')"
            return f"st_setsrid({made}, {data_type.srid})" if data_type.srid else made
        case t.TimeType():
            # Spark 4.1 keeps more digits of a string.
            text = _TEXTS[t.TimeType][row]
            return f"CAST('{text[: len('12:34:56.') + data_type.precision].rstrip('.')}' AS {ddl})"
        case _ if type(data_type) in _TEXTS:
            return f"CAST('{_TEXTS[type(data_type)][row]}' AS {ddl})"
    return f"CAST({_CALLS[type(data_type)][row]} AS {ddl})"


def _key(kind: t.MapType, row: int) -> str:
    return value_of(kind.key.not_null(), row)


def _decimal(kind: t.DecimalType, row: int) -> str:
    if row == ROWS - 1:
        return f"{'9' * (kind.precision - kind.scale) or '0'}.{'9' * kind.scale}"
    return ("0.125", "-0.5", "0")[row] if kind.precision == kind.scale else ("2.75", "-3", "0")[row]
