"""Expressions that write columns as the bytes of a broker's records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ir.calls import call
from ir.expressions import ResolvedExpression, TypeLiteral
from ir.functions.builder import scalar
from ir.functions.collection import ROW
from ir.functions.conversion import CAST
from ir.functions.logic import CASE, NOT
from ir.functions.numerals import HEX, UNHEX
from ir.functions.string import CONCAT, LPAD, RIGHT, SUBSTRING
from ir.functions.text_encoding import ENCODE
from ir.functions.text_formats import TO_CSV, TO_JSON
from ir.inference import arguments as accepted
from ir.inference.inputs import positional
from ir.inference.results import maybe_null
from ir.literals import literal
from ir.types import BIGINT, BYTES, BooleanType, BytesType, CharacterType, RowField, RowType
from tableapi.declarations import avro_schemas
from tableapi.declarations.record_names import AVRO, CSV, JSON, RAW
from tableapi.declarations.value_formats import INTEGER_BYTES, ValueFormat
from tableapi.declarations.value_reading import csv_options, option_map

# Flink's forms of times in JSON: SQL is the default of both directions.
_TIMES: Final = {
    "SQL": {
        "timestampFormat": "yyyy-MM-dd HH:mm:ss.SSSSSSX",
        "timestampNTZFormat": "yyyy-MM-dd HH:mm:ss.SSSSSS",
        "timeZone": "UTC",
    },
    "ISO-8601": {
        "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSX",
        "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
        "timeZone": "UTC",
    },
}

Named = Sequence[tuple[str, ResolvedExpression]]


def write_value(format: ValueFormat, columns: Named) -> ResolvedExpression:
    """Return columns as bytes.

    Args:
        format: the format.
        columns: names and values, whose types ``require_columns`` has accepted.

    >>> from ir.expressions import FieldReference
    >>> from ir.types import StringType
    >>> value = write_value(ValueFormat("raw"), [("line", FieldReference("line", StringType(), 0, 0))])
    >>> print(value.as_serializable_string())
    CAST(`line` AS BINARY)
    """
    return _WRITERS[format.name](format, columns)


def _row(columns: Named) -> ResolvedExpression:
    return call(ROW, [part for name, value in columns for part in (literal(name), value)])


def _bytes(text: ResolvedExpression) -> ResolvedExpression:
    return call(CAST, (text, TypeLiteral(BYTES)))


def _write_json(format: ValueFormat, columns: Named) -> ResolvedExpression:
    times = _TIMES[format.options.get("timestamp-format.standard", "SQL")]
    skips = format.options.get("encode.ignore-null-fields", "false")
    return _bytes(call(TO_JSON, (_row(columns), option_map({**times, "ignoreNullFields": skips}))))


def _write_csv(format: ValueFormat, columns: Named) -> ResolvedExpression:
    options = {**csv_options(format), **_TIMES["SQL"]}
    # Spark would trim the strings that it writes, but not those that it reads.
    options |= {"ignoreLeadingWhiteSpace": "false", "ignoreTrailingWhiteSpace": "false"}
    return _bytes(call(TO_CSV, (_row(columns), option_map(options))))


def _write_avro(format: ValueFormat, columns: Named) -> ResolvedExpression:
    rows = RowType(tuple([RowField(name, value.data_type) for name, value in columns]))
    to_avro = scalar(
        "to_avro",
        positional(accepted.ANY, accepted.STRING, names="value schema"),
        maybe_null(BYTES),
        sql="TO_AVRO",
        in_flink=False,
        doc="The value in Avro's binary encoding.",
    )
    return call(to_avro, (_row(columns), literal(avro_schemas.schema_of(rows))))


def _write_raw(format: ValueFormat, columns: Named) -> ResolvedExpression:
    ((_, value),) = columns
    data_type = value.data_type
    if isinstance(data_type, BytesType):
        return value
    if isinstance(data_type, CharacterType):
        charset = format.options.get("charset", "UTF-8").upper()
        return _bytes(value) if charset == "UTF-8" else call(ENCODE, (value, literal(charset)))
    if isinstance(data_type, BooleanType):
        # Without ELSE, NULL stays NULL.
        return call(CASE, (value, literal(b"\x01"), call(NOT, (value,)), literal(b"\x00")))
    count = INTEGER_BYTES[data_type.root]
    digits = call(LPAD, (call(HEX, (call(CAST, (value, TypeLiteral(BIGINT))),)), literal(16), literal("0")))
    if count < INTEGER_BYTES["BIGINT"]:
        digits = call(RIGHT, (digits, literal(2 * count)))
    if format.options.get("endianness") == "little-endian" and count > 1:
        starts = range(2 * count - 1, 0, -2)
        digits = call(CONCAT, tuple([call(SUBSTRING, (digits, literal(at), literal(2))) for at in starts]))
    return call(UNHEX, (digits,))


_WRITERS: Final[dict[str, Callable[[ValueFormat, Named], ResolvedExpression]]] = {
    JSON: _write_json,
    CSV: _write_csv,
    AVRO: _write_avro,
    RAW: _write_raw,
}
