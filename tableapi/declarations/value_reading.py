"""Expressions that read the bytes of a broker's records as columns.

``read_value`` returns an expression over bytes whose type is a ROW of the columns. It is NULL where the bytes are NULL,
or are not value of the format. Spark's own functions are less strict; measured on Spark 4.3, FROM_JSON ignores what
follows the first JSON value and replaces invalid UTF-8, and FROM_CSV accepts an open quote. So a mark is put behind the
value, which Spark finds only if the value ends where the bytes end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from ir.calls import call
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral
from ir.functions.arithmetic import MINUS
from ir.functions.builder import scalar
from ir.functions.collection import CARDINALITY, GET, ITEM, MAP, ROW
from ir.functions.comparison import EQUALS, GREATER_THAN_OR_EQUAL, IS_NULL, NOT_EQUALS
from ir.functions.conversion import CAST
from ir.functions.let_bindings import bind_value
from ir.functions.logic import AND, CASE
from ir.functions.numerals import CONV, HEX
from ir.functions.string import CHAR_LENGTH, CONCAT, SUBSTRING, TRIM
from ir.functions.text_encoding import DECODE, IS_VALID_UTF8, OCTET_LENGTH
from ir.functions.text_formats import FROM_CSV, FROM_JSON
from ir.inference import arguments as accepted
from ir.inference.inputs import positional
from ir.inference.results import maybe_null
from ir.literals import literal
from ir.types import (
    BIGINT,
    INT,
    STRING,
    ArrayType,
    BooleanType,
    BytesType,
    CharacterType,
    LogicalType,
    RowField,
    RowType,
)
from tableapi.declarations import avro_schemas
from tableapi.declarations.record_names import AVRO, CSV, JSON, RAW
from tableapi.declarations.value_formats import INTEGER_BYTES, ValueFormat

if TYPE_CHECKING:
    from ir.schema import Column

_VALUE: Final = "value"
_END: Final = "__tableapi_end"
_BROKEN: Final = "__tableapi_broken"
_MARKS: Final = ("end", "0", "+")
_DOUBLE_QUOTE: Final = '"'


def read_value(format: ValueFormat, value: ResolvedExpression, columns: Sequence[Column]) -> ResolvedExpression:
    """Return the columns in bytes as a ROW: NULL if the bytes are NULL or invalid in the format.

    Args:
        format: the format.
        value: the bytes.
        columns: the columns, all nullable, which ``require_columns`` has accepted.

    >>> from ir.expressions import FieldReference
    >>> from ir.schema import Column
    >>> from ir.types import BYTES
    >>> read_value(ValueFormat("raw"), FieldReference("value", BYTES, 0, 0), [Column("line", STRING)]).data_type
    ROW<`line` STRING>
    """
    return _READERS[format.name](format, value, columns)


def csv_options(format: ValueFormat) -> dict[str, str]:
    """Return the options of Spark's functions of CSV for a format.

    >>> csv_options(ValueFormat("csv", {"field-delimiter": ";", "null-literal": "-"}))
    {'escape': '"', 'sep': ';', 'nullValue': '-'}
    """
    # A quote within quotes is doubled, as RFC 4180 and Flink say; Spark's default is a backslash before it.
    made = {"escape": _DOUBLE_QUOTE}
    for name, option in (
        ("field-delimiter", "sep"),
        ("quote-character", "quote"),
        ("escape-character", "escape"),
        ("null-literal", "nullValue"),
    ):
        if name in format.options:
            made[option] = format.options[name]
    if format.options.get("disable-quote-character") == "true":
        made["quote"] = ""
    elif "quote-character" in format.options and "escape-character" not in format.options:
        made["escape"] = format.options["quote-character"]
    return made


def option_map(options: dict[str, str]) -> ResolvedExpression:
    """Return options as the MAP that Spark's functions take."""
    return call(MAP, [literal(part) for pair in options.items() for part in pair])


def row_type(columns: Sequence[Column]) -> RowType:
    """Return the ROW type of columns."""
    return RowType(tuple([RowField(column.name, column.data_type) for column in columns]))


def field(row: ResolvedExpression, name: str) -> ResolvedExpression:
    """Return a field of a row."""
    return call(GET, (row, literal(name)))


def _text(value: ResolvedExpression) -> ResolvedExpression:
    return call(CAST, (value, TypeLiteral(STRING)))


def _read_json(format: ValueFormat, value: ResolvedExpression, columns: Sequence[Column]) -> ResolvedExpression:
    """Read JSON as the only element of an array, which tells a second value behind the first one."""
    text = _text(value)
    wrapped = call(CONCAT, (literal(f'{{"{_VALUE}":['), text, literal(f'],"{_END}":0}}')))
    array = ArrayType(row_type(columns))
    fields = (RowField(_VALUE, array), RowField(_END, INT), RowField(_BROKEN, STRING))
    parsed = call(
        FROM_JSON, (wrapped, TypeLiteral(RowType(fields)), option_map({"columnNameOfCorruptRecord": _BROKEN}))
    )

    def use(found: ResolvedExpression) -> ResolvedExpression:
        elements = field(found, _VALUE)
        is_clean = call(IS_NULL, (field(found, _BROKEN),))
        is_whole = call(EQUALS, (field(found, _END), literal(0)))
        is_one = call(EQUALS, (call(CARDINALITY, (elements,)), literal(1)))
        condition = call(AND, (is_clean, is_whole, is_one, call(IS_VALID_UTF8, (text,))))
        return call(CASE, (condition, call(ITEM, (elements, literal(0)))))

    return bind_value(parsed, use, "parsed")


def _read_csv(format: ValueFormat, value: ResolvedExpression, columns: Sequence[Column]) -> ResolvedExpression:
    options = csv_options(format)
    separator = options.get("sep", ",").replace("\\t", "\t")
    text = _text(value)
    # A producer may end a record with the end of the line.
    line = call(TRIM, (SymbolLiteral("TRAILING"), text, literal("\r\n")))
    special = {separator, *options.values()}
    mark = next(mark for mark in _MARKS if mark not in special and special.isdisjoint(mark))
    marked = call(CONCAT, (line, literal(f"{separator}{mark}")))
    fields = (*row_type(columns).fields, RowField(_END, STRING), RowField(_BROKEN, STRING))
    given = {**options, "columnNameOfCorruptRecord": _BROKEN}
    parsed = call(FROM_CSV, (marked, TypeLiteral(RowType(fields)), option_map(given)))

    def use(found: ResolvedExpression) -> ResolvedExpression:
        is_whole = call(EQUALS, (field(found, _END), literal(mark)))
        is_clean = call(IS_NULL, (field(found, _BROKEN),))
        condition = call(AND, (is_clean, is_whole, call(IS_VALID_UTF8, (text,))))
        return call(CASE, (condition, _row([(c.name, field(found, c.name)) for c in columns])))

    return bind_value(parsed, use, "parsed")


def _row(fields: Sequence[tuple[str, ResolvedExpression]]) -> ResolvedExpression:
    return call(ROW, [part for name, value in fields for part in (literal(name), value)])


# --- avro -------------------------------------------------------------------------------------------------------------

# The number 1 in Avro, which stands before and behind the value.
_ONE: Final = b"\x02"


def _read_avro(format: ValueFormat, value: ResolvedExpression, columns: Sequence[Column]) -> ResolvedExpression:
    """Read Avro with the schema that follows from the columns.

    FROM_AVRO gives a row of NULLs for bytes that it cannot read, so that a mark before the value tells them from a row
    that has NULLs.
    """
    start = "__tableapi_start"
    of_value = row_type(columns)
    marked = call(CONCAT, (literal(_ONE), value, literal(_ONE)))
    fields = (RowField(start, INT), RowField(_VALUE, of_value), RowField(_END, INT))
    # The type of the result follows from the schema, which only this table has, so that the function is its own.
    from_avro = scalar(
        "from_avro",
        positional(accepted.BYTES, accepted.STRING, accepted.ANY, names="bytes schema options"),
        maybe_null(RowType(fields)),
        sql="FROM_AVRO",
        in_flink=False,
        doc="The value that the bytes encode by an Avro schema.",
    )
    schema = avro_schemas.enclosing_schema(of_value, start, _VALUE, _END)
    parsed = call(from_avro, (marked, literal(schema), option_map({"mode": "PERMISSIVE"})))

    def use(found: ResolvedExpression) -> ResolvedExpression:
        condition = call(AND, tuple([call(EQUALS, (field(found, name), literal(1))) for name in (start, _END)]))
        return call(CASE, (condition, field(found, _VALUE)))

    return bind_value(parsed, use, "parsed")


# --- raw --------------------------------------------------------------------------------------------------------------


def _read_raw(format: ValueFormat, value: ResolvedExpression, columns: Sequence[Column]) -> ResolvedExpression:
    (column,) = columns
    made, condition = _raw_value(format, value, column.data_type)
    return call(CASE, (condition, _row([(column.name, made)])))


def _raw_value(
    format: ValueFormat, value: ResolvedExpression, data_type: LogicalType
) -> tuple[ResolvedExpression, ResolvedExpression]:
    """Return the value of bytes, and the condition that they are one; it is not TRUE for NULL."""
    size = call(OCTET_LENGTH, (value,))
    if isinstance(data_type, BytesType):
        return value, call(GREATER_THAN_OR_EQUAL, (size, literal(0)))
    if isinstance(data_type, CharacterType):
        charset = format.options.get("charset", "UTF-8").upper()
        if charset == "ISO-8859-1":
            return call(DECODE, (value, literal(charset))), call(GREATER_THAN_OR_EQUAL, (size, literal(0)))
        text = _text(value)
        is_valid = call(IS_VALID_UTF8, (text,))
        if charset == "UTF-8":
            return text, is_valid
        # Only the characters of ASCII are one byte long in UTF-8.
        return text, call(AND, (is_valid, call(EQUALS, (call(CHAR_LENGTH, (text,)), size))))
    if isinstance(data_type, BooleanType):
        return call(NOT_EQUALS, (value, literal(b"\x00"))), call(EQUALS, (size, literal(1)))
    count = INTEGER_BYTES[data_type.root]
    ordered = value
    if format.options.get("endianness") == "little-endian" and count > 1:
        positions = range(count, 0, -1)
        ordered = call(CONCAT, tuple([call(SUBSTRING, (value, literal(at), literal(1))) for at in positions]))
    return _integer(ordered, count, data_type), call(EQUALS, (size, literal(count)))


def _integer(value: ResolvedExpression, count: int, data_type: LogicalType) -> ResolvedExpression:
    """Return the integer that bytes are, the highest byte first."""
    digits = call(CONV, (call(HEX, (value,)), literal(16), literal(-10)))
    number = call(CAST, (digits, TypeLiteral(BIGINT)))
    if count == INTEGER_BYTES["BIGINT"]:
        return number
    # CONV reads fewer than eight bytes as a positive number.
    whole = 1 << (8 * count)

    def use(found: ResolvedExpression) -> ResolvedExpression:
        is_negative = call(GREATER_THAN_OR_EQUAL, (found, literal(whole // 2, BIGINT)))
        signed = call(CASE, (is_negative, call(MINUS, (found, literal(whole, BIGINT))), found))
        return call(CAST, (signed, TypeLiteral(data_type)))

    return bind_value(number, use, "number")


_Reader = Callable[[ValueFormat, ResolvedExpression, "Sequence[Column]"], ResolvedExpression]
_READERS: Final[dict[str, _Reader]] = {JSON: _read_json, CSV: _read_csv, AVRO: _read_avro, RAW: _read_raw}
