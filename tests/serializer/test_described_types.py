"""Types as DESCRIBE shows them: PySpark's ``simpleString``."""

from __future__ import annotations

import pytest

from ir import types as t
from ir.types import IntervalField, LogicalType
from serializer.types import described_type_text
from tableapi.spark.types import to_spark

_FIELDS = (
    t.RowField("Some Name", t.ArrayType(t.INT.not_null())),
    t.RowField("b", t.StringType("UNICODE_CI").not_null(), "described"),
    t.RowField("c", t.RowType((t.RowField("d", t.DecimalType(38, 18)),))),
)


@pytest.mark.parametrize(
    "data_type",
    [
        *(t.BOOLEAN, t.TINYINT, t.SMALLINT, t.INT, t.BIGINT, t.FLOAT, t.DOUBLE, t.DecimalType(10, 2)),
        *(t.STRING, t.StringType("UNICODE_CI"), t.CharType(3), t.VarCharType(5), t.BYTES, t.VARIANT, t.NULL),
        *(t.DATE, t.TIMESTAMP, t.TIMESTAMP_LTZ, t.TimeType(6), t.TimeType(0), t.CalendarIntervalType()),
        t.YearMonthIntervalType(IntervalField.YEAR, IntervalField.MONTH),
        t.YearMonthIntervalType(IntervalField.MONTH, IntervalField.MONTH),
        t.DayTimeIntervalType(IntervalField.DAY, IntervalField.SECOND),
        t.DayTimeIntervalType(IntervalField.HOUR, IntervalField.HOUR),
        *(t.GeometryType(4326), t.GeometryType(None), t.GeographyType(4326), t.GeographyType(None)),
        t.ArrayType(t.ArrayType(t.TIMESTAMP_LTZ)),
        t.MapType(t.STRING, t.DecimalType(10, 2).not_null()),
        t.RowType(_FIELDS),
        t.RowType(()),
    ],
    ids=LogicalType.as_summary_string,
)
@pytest.mark.parametrize("nullable", [True, False])
def test_a_type_is_described_as_by_spark(data_type: LogicalType, nullable: bool) -> None:
    assert described_type_text(data_type.with_nullability(nullable)) == to_spark(data_type).simpleString()
