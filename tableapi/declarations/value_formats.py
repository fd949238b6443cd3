"""Formats of the bytes in a broker's records: json, csv, avro and raw, with their options by Flink's names.

The formats know no broker. ``read_format`` checks the options of a descriptor; ``tableapi.declarations.value_reading``
turns bytes into columns, and ``tableapi.declarations.value_writing`` columns into bytes.

Sources: https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/formats/overview/ and
https://spark.apache.org/docs/latest/sql-data-sources-json.html
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ir import light_attrs as attrs
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.schema import Column, ResolvedSchema
from ir.types import BooleanType, BytesType, CharacterType, IntegralType, LogicalType, SmallIntType, TinyIntType
from tableapi.declarations.declared_columns import PhysicalColumn
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.file_tables import check_types, read_type
from tableapi.declarations.record_names import AVRO, CSV, FORMATS, JSON, RAW

AVRO_PACKAGE: Final = "org.apache.spark:spark-avro"
"""The package that has Spark's functions of Avro, without the suffix of the version."""
INTEGER_BYTES: Final[Mapping[str, int]] = {"TINYINT": 1, "SMALLINT": 2, "INT": 4, "BIGINT": 8}
"""The bytes of each type of integers in the format ``raw``."""
_CHARSETS: Final = ("UTF-8", "ISO-8859-1", "US-ASCII")


@attrs.frozen
class ValueFormat:
    """A format of values with checked options.

    Attributes:
        name: ``json``, ``csv``, ``avro`` or ``raw``.
        options: the options by Flink's names, without the name of the format before them.
        skips_errors: whether an option of the format says that unreadable records are left out.
    """

    name: str
    options: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    skips_errors: bool = False


# --- options ----------------------------------------------------------------------------------------------------------


def _any(value: str) -> bool:
    return True


def _is_flag(value: str) -> bool:
    return value in ("true", "false")


def _is_character(value: str) -> bool:
    return len(value) == 1 or value == "\\t"


@attrs.frozen
class _Option:
    """An option: which values it takes, in words for a message."""

    accepts: Callable[[str], bool]
    accepted: str


_FLAG: Final = _Option(_is_flag, "'true' or 'false'")
_CHARACTER: Final = _Option(_is_character, "one character")
_OPTIONS: Final[Mapping[str, Mapping[str, _Option]]] = {
    JSON: {
        "ignore-parse-errors": _FLAG,
        "fail-on-missing-field": _Option(
            lambda value: value == "false",
            "'false': Spark reads a missing field as NULL, and does not tell it from null",
        ),
        "timestamp-format.standard": _Option(lambda value: value in ("SQL", "ISO-8601"), "'SQL' or 'ISO-8601'"),
        "encode.ignore-null-fields": _FLAG,
    },
    CSV: {
        "ignore-parse-errors": _FLAG,
        "field-delimiter": _CHARACTER,
        "quote-character": _CHARACTER,
        "disable-quote-character": _FLAG,
        "escape-character": _CHARACTER,
        "null-literal": _Option(_any, "a text"),
    },
    AVRO: {},
    RAW: {
        "charset": _Option(lambda value: value.upper() in _CHARSETS, f"one of [{listing(_CHARSETS)}]"),
        "endianness": _Option(
            lambda value: value in ("big-endian", "little-endian"), "'big-endian' or 'little-endian'"
        ),
    },
}
# Options of Flink without an equivalent in Spark, each with the reason.
_REFUSED: Final[Mapping[str, Mapping[str, str]]] = {
    JSON: {
        "map-null-key.mode": "the keys of a map are never NULL in Spark",
        "map-null-key.literal": "the keys of a map are never NULL in Spark",
        "encode.decimal-as-plain-number": "Spark chooses how a number is written; cast the column to STRING for plain "
        "digits",
        "decode.json-parser.enabled": "Spark has one parser of JSON",
    },
    CSV: {
        "allow-comments": "a record is one row, and a comment is none; filter such records by their text, with the "
        "format 'raw'",
        "array-element-delimiter": "Spark reads no arrays from CSV; read a STRING, and split it in a query",
        "write-bigdecimal-in-scientific-notation": "Spark writes the digits of a decimal",
    },
    AVRO: {
        "encoding": "Spark reads and writes the binary encoding alone",
        "codec": "a record is not compressed; a broker compresses by 'properties.compression.type'",
        "timestamp_mapping.legacy": "a TIMESTAMP is local-timestamp-micros, and a TIMESTAMP_LTZ is timestamp-micros",
    },
    RAW: {},
}
# Formats of Flink that are no formats of values here, each with an alternative.
_OTHER_FORMATS: Final[Mapping[str, str]] = {
    "avro-confluent": "Spark knows no schema registry. Read the bytes with 'raw', leave out the five bytes of the "
    "schema number, and decode them with Spark's from_avro",
    "json-registry": "Spark knows no schema registry",
    "protobuf": "A descriptor file defines the columns. Read the bytes with 'raw', and decode them with Spark's "
    "from_protobuf and te.from_spark",
    "parquet": "Parquet and ORC are formats of files",
    "orc": "Parquet and ORC are formats of files",
    **dict.fromkeys(
        ("debezium-json", "debezium-avro-confluent", "canal-json", "maxwell-json", "ogg-json"),
        "Spark's tables have no change rows. Read the records with 'json', with op, before and after as columns, and "
        "compute the newest row of each key",
    ),
}


def read_format(
    options: Mapping[str, str], key: str, owner: str, prefixes: Sequence[str]
) -> tuple[ValueFormat, frozenset[str]]:
    """Return the format that an option names, with the options of the format.

    Args:
        options: the options of the descriptor.
        key: the option that names the format, such as ``value.format``; it must be there.
        owner: the table in messages.
        prefixes: what may stand before the name of the format in its options: ``value.``, or nothing.

    Returns:
        The format, and the options that belong to it.

    Raises:
        TableException: there is no such format or no such option; the message suggests the nearest name.
        ValidationException: an option has another value than those it takes.

    >>> made, taken = read_format({"format": "csv", "csv.field-delimiter": ";"}, "format", "the table t", ("",))
    >>> made.name, dict(made.options), sorted(taken)
    ('csv', {'field-delimiter': ';'}, ['csv.field-delimiter', 'format'])
    """
    name = options[key]
    if name not in FORMATS:
        raise _make_format_error(name, key, owner)
    given: dict[str, str] = {}
    taken = {key}
    for prefix in prefixes:
        start = f"{prefix}{name}."
        for full, value in options.items():
            if not full.startswith(start):
                continue
            rest = full.removeprefix(start)
            _check_option(name, rest, full, value, owner)
            if given.get(rest, value) != value:
                raise ValidationException(f"{capitalize(owner)} says two things about the option {rest!r} of {name}.")
            given[rest] = value
            taken.add(full)
    skips = given.pop("ignore-parse-errors", "false") == "true"
    if given.get("disable-quote-character") == "true" and "quote-character" in given:
        raise ValidationException(
            f"{capitalize(owner)} has both 'csv.quote-character' and 'csv.disable-quote-character'. Leave one of them "
            "out."
        )
    return ValueFormat(name, given, skips), frozenset(taken)


def _make_format_error(name: str, key: str, owner: str) -> TableException:
    problem = f"{capitalize(owner)} has the option {key!r} = {name!r}; the formats of values are [{listing(FORMATS)}]."
    other = _OTHER_FORMATS.get(name)
    advice = f" {other}." if other is not None else did_you_mean(name, FORMATS)
    return TableException(problem + advice, option_value=key)


def _check_option(name: str, rest: str, full: str, value: str, owner: str) -> None:
    known = _OPTIONS[name].get(rest)
    if known is None:
        reason = _REFUSED[name].get(rest)
        has = f"has the options [{listing(_OPTIONS[name])}]" if _OPTIONS[name] else "has no options"
        raise TableException(
            f"{capitalize(owner)} has the option {full!r}, which is not supported: "
            + (
                f"{reason}."
                if reason is not None
                else f"the format {name!r} {has}.{did_you_mean(rest, _OPTIONS[name])}"
            ),
            option=full,
        )
    if not known.accepts(value):
        raise ValidationException(
            f"The option {full!r} of {owner} takes {known.accepted}, but was given {value!r}.", option_value=full
        )


# --- columns ----------------------------------------------------------------------------------------------------------

_RAW_TYPES: Final = (CharacterType, BytesType, BooleanType, IntegralType)


def require_columns(format: ValueFormat, columns: Sequence[Column], owner: str) -> None:
    """Reject columns that a format cannot hold.

    Raises:
        ValidationException: there is no column, or ``raw`` has more than one.
        TableException: a column has a type that the format cannot hold.
    """
    if not columns:
        raise ValidationException(f"The format {format.name!r} of {owner} has no column to hold.")
    if format.name == RAW:
        _require_raw_column(columns, owner)
        return
    check_types(ResolvedSchema(tuple(columns)), format.name, owner, holder=f"values of the format {format.name}")
    if format.name == AVRO:
        for column in columns:
            _require_avro_type(column, owner)


def _require_raw_column(columns: Sequence[Column], owner: str) -> None:
    if len(columns) != 1:
        raise ValidationException(
            f"The format 'raw' holds one column, and {owner} has [{listing([c.name for c in columns])}]. Choose 'json' "
            "or 'csv', or declare one column and compute the others from it."
        )
    column = columns[0]
    if not isinstance(column.data_type, _RAW_TYPES):
        raise TableException(
            f"The column {column!r} of {owner} has the format 'raw', which holds a STRING, BYTES, BOOLEAN or an "
            "integer."
        )


def _require_avro_type(column: Column, owner: str) -> None:
    waiting: list[LogicalType] = [column.data_type]
    while waiting:
        current = waiting.pop()
        if isinstance(current, TinyIntType | SmallIntType):
            raise TableException(
                f"The column {column!r} of {owner} has the format 'avro', which has no {current.root}. Declare INT."
            )
        waiting.extend(current.children)


def stored_columns(columns: Sequence[PhysicalColumn]) -> tuple[Column, ...]:
    """Return declared columns as a format reads them: nullable, and without the lengths of strings."""
    return tuple([Column(c.name, read_type(c.data_type), c.comment) for c in columns])
