"""Reads the text of a type in either dialect: the inverse of ``LogicalType.as_serializable_string``.

The text may say what a CAST has no place for, the nullability of the type itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args
from lark.exceptions import UnexpectedInput

from ir import types as t
from ir.errors import SqlParserException, ValidationException, did_you_mean
from ir.rendering import Dialect
from ir.types import IntervalField, LogicalType

_LONGEST = 2**31 - 1
_SHOWN = 60


def parse_type(text: str, dialect: Dialect = Dialect.FLINK) -> LogicalType:
    """Return the type that a text means in a dialect.

    >>> parse_type("ROW<a DECIMAL(10, 2), `b c` STRING NOT NULL>")
    ROW<`a` DECIMAL(10, 2), `b c` STRING NOT NULL>
    >>> parse_type("TIMESTAMP", Dialect.SPARK), parse_type("TIMESTAMP", Dialect.FLINK)
    (TIMESTAMP_LTZ, TIMESTAMP)

    Raises:
        SqlParserException: the text is no type; the message has the position, and what was expected there.
    """
    try:
        found: Any = _parser(dialect).parse(text)
        # The transformer has made a type of the tree.
        assert isinstance(found, LogicalType)
        return found
    except UnexpectedInput as error:
        raise _unreadable(text, error) from None
    except ValidationException as error:
        raise SqlParserException(f"Cannot read the type {_shortened(text)!r}: {error}") from None


@cache
def _parser(dialect: Dialect) -> Lark:
    grammar = Path(__file__).with_name("types.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", transformer=_Types(dialect), maybe_placeholders=True)


# --- names -----------------------------------------------------------------------------------------------------------

Maker = Callable[..., LogicalType]


def _fixed(data_type: LogicalType) -> Maker:
    return lambda: data_type


def _microseconds(data_type: LogicalType) -> Maker:
    """Return what makes a type of points in time, whose values hold microseconds whatever precision is given."""

    def make(precision: int = 6) -> LogicalType:
        if not 0 <= precision <= 6:
            raise ValidationException(
                f"{data_type.as_summary_string()}({precision}) is not a type of Spark: the precision goes from 0 to 6."
            )
        return data_type

    return make


def _text(length: int = 1) -> LogicalType:
    return t.STRING if length == _LONGEST else t.VarCharType(length)


def _bytes(length: int = 1) -> LogicalType:
    return t.BYTES


def _decimal(precision: int = 10, scale: int = 0) -> LogicalType:
    return t.DecimalType(precision, scale)


_COMMON: dict[str, Maker] = {
    "BOOLEAN": _fixed(t.BOOLEAN),
    "TINYINT": _fixed(t.TINYINT),
    "SMALLINT": _fixed(t.SMALLINT),
    "INT": _fixed(t.INT),
    "INTEGER": _fixed(t.INT),
    "BIGINT": _fixed(t.BIGINT),
    "FLOAT": _fixed(t.FLOAT),
    "DOUBLE": _fixed(t.DOUBLE),
    "DECIMAL": _decimal,
    "DEC": _decimal,
    "NUMERIC": _decimal,
    "STRING": _fixed(t.STRING),
    "VARCHAR": _text,
    "CHAR": lambda length=1: t.CharType(length),
    "DATE": _fixed(t.DATE),
    "VARIANT": _fixed(t.VARIANT),
    "TIMESTAMP_LTZ": _microseconds(t.TIMESTAMP_LTZ),
}
NAMES: dict[Dialect, dict[str, Maker]] = {
    Dialect.SPARK: {
        **_COMMON,
        "BYTE": _fixed(t.TINYINT),
        "SHORT": _fixed(t.SMALLINT),
        "LONG": _fixed(t.BIGINT),
        "REAL": _fixed(t.FLOAT),
        "CHARACTER": lambda length=1: t.CharType(length),
        "BINARY": _fixed(t.BYTES),
        "VOID": _fixed(t.NULL),
        "TIME": lambda precision=6: t.TimeType(precision),
        "TIMESTAMP": _microseconds(t.TIMESTAMP_LTZ),
        "TIMESTAMP_NTZ": _microseconds(t.TIMESTAMP),
    },
    Dialect.FLINK: {
        **_COMMON,
        "BYTES": _fixed(t.BYTES),
        "BINARY": _bytes,
        "VARBINARY": _bytes,
        "TIME": lambda precision=0: t.TimeType(precision),
        "TIMESTAMP": _microseconds(t.TIMESTAMP),
    },
}
"""The names of types that take no other types, by dialect, each with what makes the type of the numbers behind it."""

_CONSTRUCTED = ("ARRAY", "MAP", "ROW", "STRUCT", "MULTISET", "INTERVAL", "NULL")
_ZONED = {
    "WITHLOCALTIMEZONE": ("TIMESTAMP", "TIMESTAMP_LTZ"),
    "WITHOUTTIMEZONE": ("TIMESTAMP", None),
}


@v_args(inline=True)
class _Types(Transformer[Token, LogicalType]):
    """Makes the type while the text is parsed, so that no tree is walked."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect = dialect

    def nullable(self, data_type: LogicalType) -> LogicalType:
        return data_type

    def not_null(self, data_type: LogicalType, keyword: Token) -> LogicalType:
        return data_type.not_null()

    def array(self, element: LogicalType) -> LogicalType:
        return t.ArrayType(element)

    def multiset(self, element: LogicalType) -> LogicalType:
        return t.MapType(element, t.INT.not_null())

    def map(self, key: LogicalType, value: LogicalType) -> LogicalType:
        return t.MapType(key, value)

    def row(self, fields: tuple[t.RowField, ...] | None) -> LogicalType:
        return t.RowType(fields or ())

    def fields(self, *fields: t.RowField) -> tuple[t.RowField, ...]:
        return fields

    def row_field(self, name: str, data_type: LogicalType, comment: str | None) -> t.RowField:
        return t.RowField(name, data_type, comment)

    def comment(self, text: Token) -> str:
        return str(text)[1:-1].replace("''", "'")

    def bare_name(self, name: Token) -> str:
        return str(name)

    def quoted_name(self, name: Token) -> str:
        return str(name)[1:-1].replace("``", "`")

    def interval_field(self, field: Token, precision: Token | None) -> IntervalField:
        return IntervalField[field.upper()]

    def interval(self, start: IntervalField, end: IntervalField | None = None) -> LogicalType:
        months = start <= IntervalField.MONTH
        return (t.YearMonthIntervalType if months else t.DayTimeIntervalType)(start, start if end is None else end)

    def null(self) -> LogicalType:
        return t.NULL

    def double(self) -> LogicalType:
        return t.DOUBLE

    def plain(self, name: Token, *rest: Token | None) -> LogicalType:
        word = name.upper()
        numbers = [int(token) for token in rest if token is not None and token.type == "NUMBER"]
        zones = [token for token in rest if token is not None and token.type == "ZONE"]
        if zones:
            word = self._zoned(word, zones[0])
        make = NAMES[self._dialect].get(word)
        if make is None:
            raise _no_such_type(name, self._dialect)
        try:
            return make(*numbers)
        except TypeError:
            raise ValidationException(f"{word} does not take {len(numbers)} numbers.") from None

    def _zoned(self, word: str, zone: Token) -> str:
        key = "".join(zone.upper().split())
        if key == "WITHTIMEZONE":
            raise ValidationException(f"{word} WITH TIME ZONE does not exist in Spark; use TIMESTAMP_LTZ.")
        expected, instead = _ZONED[key]
        if word != expected:
            raise ValidationException(f"{' '.join(zone.upper().split())} follows TIMESTAMP, not {word}.")
        return instead or ("TIMESTAMP_NTZ" if self._dialect is Dialect.SPARK else "TIMESTAMP")


# --- errors ----------------------------------------------------------------------------------------------------------

_SAID = {
    "NAME": "a name",
    "QUOTED": "a name in back-quotes",
    "NUMBER": "a number",
    "NOT_NULL": "NOT NULL",
    "STRING": "a comment in quotes",
    "FIELD": "YEAR, MONTH, DAY, HOUR, MINUTE or SECOND",
    "ZONE": "WITH LOCAL TIME ZONE",
    "LESSTHAN": "'<'",
    "MORETHAN": "'>'",
    "COMMA": "','",
    "COLON": "':'",
    "LPAR": "'('",
    "RPAR": "')'",
    "$END": "the end",
}


def _no_such_type(name: Token, dialect: Dialect) -> ValidationException:
    names = [*NAMES[dialect], *_CONSTRUCTED]
    return ValidationException(
        f"there is no type {str(name)!r} (character {(name.start_pos or 0) + 1}) in {dialect.name}."
        + did_you_mean(name.upper(), names)
    )


def _unreadable(text: str, error: UnexpectedInput) -> SqlParserException:
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    position = len(text) if at_end else error.pos_in_stream or 0
    expected = error.allowed if isinstance(error, UnexpectedCharacters) else getattr(error, "accepts", ())
    said = sorted({_SAID.get(name, name) for name in expected or ()})
    found = repr(text[position : position + 20]) if position < len(text) else "the end"
    return SqlParserException(
        f"Cannot read the type {_shortened(text)!r}: at character {position + 1} is {found}, "
        f"expected is {' or '.join(said) if said else 'something else'}."
    )


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
