"""Hypothesis strategies for names, strings, literals and types, with all of Unicode and every edge of a range."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Callable
from decimal import Decimal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ir.expressions import ValueLiteral
from ir.fine_times import MICROSECOND_DIGITS, FineTime, time_of_nanoseconds
from ir.literal_values import MICROSECONDS
from ir.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    MAX_TIME_PRECISION,
    NULL,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_LTZ,
    TINYINT,
    VARIANT,
    ArrayType,
    BooleanType,
    BytesType,
    CharType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegralType,
    IntervalField,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    RowField,
    RowType,
    StringType,
    TimestampType,
    TimeType,
    VarCharType,
    YearMonthIntervalType,
)

# Fragments with a special meaning in SQL, Spark's variable substitution, its string escapes, its paths or terminals.
FRAGMENTS = [
    "`",
    "``",
    "'",
    "''",
    '"',
    "\\",
    "\\\\",
    "\\'",
    "\\n",
    "\\0",
    "\\%",
    "\\_",
    "\\u0041",
    "\\U0001F600",
    "\\101",
    "%",
    "_",
    "${",
    "${x}",
    "${env:HOME}",
    "$",
    "{",
    "}",
    ".",
    "a.b",
    "*",
    ";",
    "--",
    "/*",
    "*/",
    "?",
    ":a",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\x001",
    "\x1a",
    "\x7f",
    "\x85",
    "\xa0",
    "\u2028",
    "\ufeff",
    "\ufffe",
    " ",
    "",
    "select",
    "NULL",
    "é",
    "e\u0301",
    "İ",
    "ß",
    "日本",
    "שלום",
    "\u202eabc",
    "👩\u200d👩\u200d👧",
    "🇪🇺",
    "\U0010ffff",
]

_characters = st.characters(exclude_categories=["Cs"])  # half of a surrogate pair is not a character


def texts(max_size: int = 12) -> SearchStrategy[str]:
    """Generate strings of all of Unicode, rich in fragments with a special meaning in SQL."""
    pieces = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(_characters, max_size=3)), max_size=max_size // 2)
    return st.one_of(st.text(_characters, max_size=max_size), pieces.map("".join))


def names(*, empty: bool = False) -> SearchStrategy[str]:
    """Generate names of columns and fields, which are arbitrary; Spark even accepts an empty one."""
    return texts() if empty else texts().map(lambda name: name or " ")


# --- types -----------------------------------------------------------------------------------------------------------


def _intervals(cls: type[YearMonthIntervalType] | type[DayTimeIntervalType]) -> list[LogicalType]:
    low, high = cls.bounds
    fields = [field for field in IntervalField if low <= field <= high]
    return [cls(start, end) for start in fields for end in fields if start <= end]


def decimal_types() -> SearchStrategy[DecimalType]:
    """Generate DECIMAL(p, s) of every precision and scale."""
    precisions = st.one_of(st.integers(1, 38), st.sampled_from([1, 18, 19, 38]))
    return precisions.flatmap(lambda p: st.integers(0, p).map(lambda s: DecimalType(p, s)))


INTERVAL_TYPES = [*_intervals(YearMonthIntervalType), *_intervals(DayTimeIntervalType)]
TIME_TYPES: list[LogicalType] = [TimeType(precision) for precision in range(MAX_TIME_PRECISION + 1)]
_PLAIN_TYPES = [BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, STRING, BYTES, DATE, TIMESTAMP, TIMESTAMP_LTZ]


def literal_types() -> SearchStrategy[LogicalType]:
    """Generate the types of literals other than NULL, without CHAR and VARCHAR, which no literal has."""
    return st.one_of(
        st.sampled_from(_PLAIN_TYPES), decimal_types(), st.sampled_from(TIME_TYPES), st.sampled_from(INTERVAL_TYPES)
    )


def logical_types(max_depth: int = 2) -> SearchStrategy[LogicalType]:
    """Generate column types, nested at most ``max_depth`` deep, nullable or not."""
    lengths = st.integers(1, 2**31 - 1)
    leaves: SearchStrategy[LogicalType] = st.one_of(
        literal_types(), lengths.map(lambda n: CharType(n)), lengths.map(lambda n: VarCharType(n)), st.just(VARIANT)
    )
    if max_depth > 0:
        leaves = st.one_of(leaves, _nested_types(max_depth - 1))
    return st.builds(lambda data_type, nullable: data_type.with_nullability(nullable), leaves, st.booleans())


def _nested_types(max_depth: int) -> SearchStrategy[LogicalType]:
    inner = logical_types(max_depth)
    fields = st.lists(st.tuples(names(), inner), min_size=1, max_size=3, unique_by=lambda field: field[0].lower())
    return st.one_of(
        inner.map(lambda element: ArrayType(element)),
        st.tuples(literal_types(), inner).map(lambda types: MapType(types[0], types[1])),
        fields.map(lambda given: RowType(tuple(RowField(name, data_type) for name, data_type in given))),
    )


# --- literals --------------------------------------------------------------------------------------------------------


def _edged(low: int, high: int) -> SearchStrategy[int]:
    edges = [edge for edge in (low, low + 1, -1, 0, 1, high - 1, high) if low <= edge <= high]
    return st.one_of(st.sampled_from(edges), st.integers(low, high))


def _floats(width: int) -> SearchStrategy[float]:
    """Generate every bit pattern, because the magnitudes that Hypothesis prefers omit most exponents."""
    code, bits = (">f", ">I") if width == 32 else (">d", ">Q")
    patterns = st.integers(0, (1 << width) - 1).map(lambda n: float(struct.unpack(code, struct.pack(bits, n))[0]))
    return st.one_of(st.floats(width=32 if width == 32 else 64), patterns)


def _decimals(data_type: DecimalType) -> SearchStrategy[Decimal]:
    limit = 10**data_type.precision - 1

    def at_scale(unscaled: int) -> Decimal:
        return Decimal((int(unscaled < 0), tuple(map(int, str(abs(unscaled)))), -data_type.scale))

    small = min(limit, 999)
    return st.one_of(_edged(-limit, limit), st.integers(-small, small)).map(at_scale)


def _times(data_type: TimeType) -> SearchStrategy[dt.time] | SearchStrategy[FineTime]:
    if data_type.precision > MICROSECOND_DIGITS:
        finest = 10 ** (MAX_TIME_PRECISION - data_type.precision)
        return _edged(0, 86_400 * 10**data_type.precision - 1).map(lambda count: time_of_nanoseconds(count * finest))
    step = 10 ** (6 - data_type.precision)
    edges = st.sampled_from([dt.time.min, dt.time.max])
    return st.one_of(edges, st.times()).map(lambda t: t.replace(microsecond=t.microsecond // step * step, fold=0))


def _months(data_type: YearMonthIntervalType) -> SearchStrategy[int]:
    unit = 12 if data_type.end is IntervalField.YEAR else 1
    return _multiples(unit, 32)


def _multiples(unit: int, width: int) -> SearchStrategy[int]:
    limit = 1 << (width - 1)
    low, high = -(limit // unit), (limit - 1) // unit
    return st.one_of(_edged(low, high), st.integers(max(-2000, low), min(2000, high))).map(lambda n: n * unit)


def _moments() -> SearchStrategy[dt.datetime]:
    edges = st.sampled_from([dt.datetime.min, dt.datetime.max, dt.datetime(1582, 10, 10), dt.datetime(1970, 1, 1)])
    return st.one_of(edges, st.datetimes()).map(lambda moment: moment.replace(fold=0))


_VALUES: dict[type[LogicalType], Callable[..., SearchStrategy[object]]] = {
    BooleanType: lambda _: st.booleans(),
    FloatType: lambda _: _floats(32),
    DoubleType: lambda _: _floats(64),
    DecimalType: _decimals,
    StringType: lambda _: texts(),
    BytesType: lambda _: st.binary(max_size=20),
    DateType: lambda _: st.one_of(st.sampled_from([dt.date.min, dt.date.max, dt.date(1582, 10, 10)]), st.dates()),
    TimeType: _times,
    TimestampType: lambda _: _moments(),
    LocalZonedTimestampType: lambda _: _moments().map(lambda moment: moment.replace(tzinfo=dt.UTC)),
    YearMonthIntervalType: _months,
    DayTimeIntervalType: lambda t: _multiples(MICROSECONDS[t.end], 64),
}


def values(data_type: LogicalType) -> SearchStrategy[object]:
    """Generate the stored values of a type's literals."""
    if isinstance(data_type, IntegralType):
        return _edged(-1 << (data_type.width - 1), (1 << (data_type.width - 1)) - 1)
    return _VALUES[type(data_type)](data_type)


def literals(data_type: LogicalType | None = None) -> SearchStrategy[ValueLiteral]:
    """Generate literals of the type that are not NULL; without a type, literals of all types, including NULL."""
    if data_type is not None:
        return values(data_type).map(lambda value: ValueLiteral(value, data_type.not_null()))
    nulls = st.one_of(st.just(NULL), st.just(VARIANT), literal_types()).map(lambda t: ValueLiteral(None, t))
    return st.one_of(literal_types().flatmap(literals), literal_types().flatmap(literals), nulls)
