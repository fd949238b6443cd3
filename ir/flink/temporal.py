"""Fields and moments of time as Flink's SQL must write them."""

from __future__ import annotations

from decimal import Decimal

from ir import types as t
from ir.expressions import (
    Call,
    ResolvedExpression,
    SymbolLiteral,
    ValueLiteral,
)
from ir.flink.arguments import (
    Forms,
    cast_as_spark,
    refused,
    spark_types,
)
from ir.flink.casts import cast, part_of, text_of_time
from ir.functions import arithmetic as ar
from ir.functions.flink import MILLISECOND_OF
from ir.functions.temporal import CURRENT_TIME, EXTRACT, LOCAL_TIME

# Where the seconds of a time stand in its text, and how many characters the date before it has.
_SECONDS_AT = 7
_DATE_DIGITS = 11


def _extract(part: Call) -> ResolvedExpression:
    unit, source = part.arguments
    assert isinstance(unit, SymbolLiteral)
    if not isinstance(source.data_type, t.TemporalType | t.IntervalType):
        source = cast_as_spark(source, spark_types(part)[1])
    kind = source.data_type
    if isinstance(kind, t.IntervalType):
        return _field_of_interval(part, unit, source)
    if unit.symbol != "SECOND":
        # Flink's fields are of type BIGINT.
        return cast(Call(EXTRACT, (unit, source), t.BIGINT.with_nullability(kind.nullable)), part.data_type)
    # Its seconds have no fraction, which the text has.
    offset = 0 if isinstance(kind, t.TimeType) else _DATE_DIGITS
    return cast(part_of(text_of_time(source), _SECONDS_AT + offset, None), part.data_type)


def _field_of_interval(part: Call, unit: SymbolLiteral, source: ResolvedExpression) -> ResolvedExpression:
    whole = t.BIGINT.with_nullability(source.data_type.nullable)
    field = Call(EXTRACT, (unit, source), whole)
    if unit.symbol != "SECOND":
        return cast(field, part.data_type)
    milliseconds = Call(MILLISECOND_OF, (source,), whole)
    thousandth = ValueLiteral(_THOUSANDTH, t.DecimalType(4, 3, nullable=False))
    fraction = Call(ar.TIMES, (milliseconds, thousandth), t.DecimalType(23, 3, nullable=whole.nullable))
    return cast(Call(ar.PLUS, (field, fraction), t.DecimalType(24, 3, nullable=whole.nullable)), part.data_type)


_THOUSANDTH = Decimal("0.001")


FORMS: Forms = {
    EXTRACT: _extract,
    **dict.fromkeys((CURRENT_TIME, LOCAL_TIME), refused("its {name} has no fraction of a second")),
}
