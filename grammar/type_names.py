"""Names of types, and the types that they denote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammar.errors import Misread
from grammar.language import Language, TypeMaker, Types
from ir import types as t
from ir.collations import collation_name
from ir.errors import ValidationException, did_you_mean
from ir.nearest_names import nearest_name
from ir.types import LogicalType

if TYPE_CHECKING:
    from grammar import syntax as s
    from grammar.lexemes import Token

_LONGEST = 2**31 - 1


def fixed_type(data_type: LogicalType) -> TypeMaker:
    """Return the constructor of a type without numbers."""
    return lambda: data_type


def timestamp_type(data_type: LogicalType) -> TypeMaker:
    """Return the constructor of a timestamp type, which stores microseconds for every precision."""

    def make(precision: int = 6) -> LogicalType:
        if not 0 <= precision <= 6:
            shown = f"{data_type.as_summary_string()}({precision})"
            if precision <= t.MAX_TIME_PRECISION:
                raise ValidationException(
                    f"{shown} is not supported: the precision goes from 0 to 6. Spark has nanoseconds in timestamps "
                    "only where spark.sql.timestampNanosTypes.enabled is set.",
                    condition="FEATURE_NOT_ENABLED",
                )
            raise ValidationException(f"{shown} is not a type of Spark: the precision goes from 0 to 6.")
        return data_type

    return make


def _text(length: int = 1) -> LogicalType:
    return t.STRING if length == _LONGEST else t.VarCharType(length)


def _decimal(precision: int = 10, scale: int = 0) -> LogicalType:
    return t.DecimalType(precision, scale)


COMMON: dict[str, TypeMaker] = {
    "BOOLEAN": fixed_type(t.BOOLEAN),
    "TINYINT": fixed_type(t.TINYINT),
    "SMALLINT": fixed_type(t.SMALLINT),
    "INT": fixed_type(t.INT),
    "INTEGER": fixed_type(t.INT),
    "BIGINT": fixed_type(t.BIGINT),
    "FLOAT": fixed_type(t.FLOAT),
    "DOUBLE": fixed_type(t.DOUBLE),
    "DECIMAL": _decimal,
    "DEC": _decimal,
    "NUMERIC": _decimal,
    "STRING": fixed_type(t.STRING),
    "VARCHAR": _text,
    "CHAR": lambda length=1: t.CharType(length),
    "DATE": fixed_type(t.DATE),
    "VARIANT": fixed_type(t.VARIANT),
    "TIMESTAMP_LTZ": timestamp_type(t.TIMESTAMP_LTZ),
}
"""The type names without type parameters that the dialects share, with their constructors."""

_INCOMPLETE = {"ARRAY": "ARRAY<INT>", "MAP": "MAP<STRING, INT>", "STRUCT": "STRUCT<a: INT>"}
_CONSTRUCTED = ("ARRAY", "MAP", "ROW", "STRUCT", "MULTISET", "INTERVAL", "NULL")
OF_OTHER_DATABASES: dict[str, str] = {
    **dict.fromkeys(("BIT", "BOOL", "LOGICAL"), "BOOLEAN"),
    **dict.fromkeys(("INT1",), "TINYINT"),
    **dict.fromkeys(("INT2", "INT16", "SMALLSERIAL", "UINT8"), "SMALLINT"),
    **dict.fromkeys(("INT4", "INT32", "MEDIUMINT", "SERIAL", "UINT16"), "INT"),
    **dict.fromkeys(("INT8", "INT64", "BIGSERIAL", "UINT32", "ROWID"), "BIGINT"),
    **dict.fromkeys(("FLOAT4", "FLOAT32"), "FLOAT"),
    **dict.fromkeys(("FLOAT8", "FLOAT64", "BINARY_DOUBLE"), "DOUBLE"),
    **dict.fromkeys(("NUMBER", "BIGNUMERIC", "BIGDECIMAL", "UINT64", "HUGEINT"), "DECIMAL(38, 10)"),
    **dict.fromkeys(("MONEY", "SMALLMONEY"), "DECIMAL(19, 4)"),
    **dict.fromkeys(
        ("TEXT", "TINYTEXT", "MEDIUMTEXT", "LONGTEXT", "NTEXT", "CLOB", "NCLOB", "VARCHAR2", "NVARCHAR", "NVARCHAR2"),
        "STRING",
    ),
    **dict.fromkeys(("NCHAR", "BPCHAR", "CITEXT", "UUID", "UNIQUEIDENTIFIER", "ENUM", "XML", "OBJECT"), "STRING"),
    **dict.fromkeys(("JSON", "JSONB", "SUPER"), "VARIANT"),
    **dict.fromkeys(("BLOB", "BYTEA", "IMAGE", "RAW", "LONGBLOB", "MEDIUMBLOB", "TINYBLOB"), "BINARY"),
    **dict.fromkeys(("DATETIME2", "SMALLDATETIME", "TIMESTAMPNTZ"), "TIMESTAMP_NTZ"),
    **dict.fromkeys(("TIMESTAMPTZ", "TIMESTAMPLTZ", "DATETIMEOFFSET", "TIMESTAMP_TZ"), "TIMESTAMP_LTZ"),
    "DATE32": "DATE",
    "DATETIME": "TIMESTAMP_NTZ, or TIMESTAMP for an instant",
    "LIST": "ARRAY<INT>",
    "RECORD": "STRUCT<a: INT>",
    "DICT": "MAP<STRING, INT>",
}
"""Type names of other databases that both dialects lack, with what to write in Spark."""

_ZONED = {
    "WITH LOCAL TIME ZONE": ("TIMESTAMP", "TIMESTAMP_LTZ"),
    "WITHOUT TIME ZONE": ("TIMESTAMP", None),
}
ANY_SYSTEM: list[int] = []
"""The numbers of a type with any reference system, as in ``GEOMETRY(ANY)``."""


def build_plain_type(name: Token, numbers: list[int], zone: str | None, language: Language) -> LogicalType:
    """Return the type of a name, with the numbers and the time zone after it.

    Raises:
        Misread: the dialect lacks the type, or the numbers are invalid.
    """
    word = name.text.upper()
    if zone is not None:
        word = _add_zone(name, word, zone, language.types)
    types = language.types
    make = types.names.get(word)
    if word == "INTERVAL":
        message = (
            "INTERVAL alone is a type of months, days and microseconds at once, which no column and no view can hold; "
            "say of which fields it is: INTERVAL DAY TO SECOND or INTERVAL YEAR TO MONTH."
        )
        raise Misread(name.position, message, "UNSUPPORTED_DATATYPE")
    is_shape = make in (t.GeometryType, t.GeographyType)
    if is_shape and not numbers and numbers is not ANY_SYSTEM:
        message = f"{word} takes the number of a system of reference, as in {word}(4326), or ANY, as in {word}(ANY)."
        raise Misread(name.position, message, "UNSUPPORTED_DATATYPE")
    if numbers is ANY_SYSTEM and not is_shape:
        raise Misread(name.position, f"{word} takes no ANY: GEOMETRY and GEOGRAPHY do.", "PARSE_SYNTAX_ERROR")
    if make is None and word in _INCOMPLETE and not numbers:
        message = f"{word} alone is no type; write {_INCOMPLETE[word]}."
        raise Misread(name.position, message, f"INCOMPLETE_TYPE_DEFINITION.{word}")
    if make is None:
        message = f"{language.dialect.name} has no type {name.text!r}.{_advice(word, types)}"
        raise Misread(name.position, message, "UNSUPPORTED_DATATYPE")
    if word in types.of_a_length and not numbers:
        raise Misread(name.position, f"{word} takes a length, as in {word}(10).", "DATATYPE_MISSING_SIZE")
    try:
        return make(*numbers)
    except TypeError:
        count = "a number" if len(numbers) == 1 else f"{len(numbers)} numbers"
        raise Misread(name.position, f"{word} does not take {count}.") from None
    except ValidationException as error:
        raise Misread(name.position, str(error), error.condition) from None


def _advice(word: str, types: Types) -> str:
    """Return the advice for an unknown type name: the equivalent of another database's type, or the nearest name.

    A misspelt name of another database's type leads to its equivalent, too.
    """
    own, elsewhere = [*types.names, *_CONSTRUCTED], types.of_other_databases
    meant = word if word in elsewhere else nearest_name(word, [*own, *elsewhere])
    equivalent = None if meant is None else elsewhere.get(meant)
    return did_you_mean(word, own) if equivalent is None else f" Write {equivalent}."


def read_collation(written: s.Path) -> str:
    """Return the name of a collation.

    Raises:
        Misread: the collation is unknown.
    """
    try:
        return collation_name(".".join([name.text for name in written.names]))
    except ValidationException as error:
        raise Misread(written.position, str(error), error.condition) from None


def _add_zone(name: Token, word: str, zone: str, types: Types) -> str:
    if zone == "WITH TIME ZONE":
        raise Misread(name.position, f"{word} WITH TIME ZONE does not exist in Spark; use TIMESTAMP_LTZ.")
    expected, instead = _ZONED[zone]
    if word == "TIME" and zone == "WITHOUT TIME ZONE":
        return word
    if word != expected:
        raise Misread(name.position, f"{zone} follows TIMESTAMP, not {word}.")
    return instead or types.without_time_zone
