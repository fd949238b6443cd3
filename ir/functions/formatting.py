"""Functions that format and parse values, mask strings and generate random strings.

Source: ``stringExpressions.scala``, ``numberFormatExpressions.scala``, ``maskExpressions.scala`` of Spark 4.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir import types as t
from ir.expressions import ValueLiteral
from ir.functions.builder import as_function, as_method, by_name, scalar
from ir.functions.definition import CollationRules, FunctionDefinition, Shown
from ir.inference.arguments import (
    ANY,
    BINARY,
    DECIMAL,
    INTEGER,
    STRING,
    TEXT,
    TEXT_OR_NULL,
    Constant,
    Family,
    Where,
    literal_where,
)
from ir.inference.call_context import CallContext
from ir.inference.inputs import AnyOf, Positional, positional
from ir.inference.results import CollatedAs, Computed, maybe_null, never_null, nullable_if_arguments
from ir.number_formats import number_type
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts

_TEXT = nullable_if_arguments(t.STRING)

NUMERIC_OR_NULL = Family("NUMERIC", (t.NumericType, t.NullType))
FORMAT_NUMBER = scalar(
    "format_number",
    positional(
        NUMERIC_OR_NULL, Family("INT or STRING", (t.IntType, t.CharacterType, t.NullType)), names="number places"
    ),
    maybe_null(t.STRING),
    sql="FORMAT_NUMBER",
    doc="The number with commas between thousands, rounded to places decimal places; or the number in a pattern of "
    "Java's DecimalFormat.",
    example=("FORMAT_NUMBER(12332.123456, 4)", "'12,332.1235'"),
    in_flink=False,
)


def _counts_from_one(value: Any) -> bool:
    return not isinstance(value, str) or "%0$" not in value


FORMAT_STRING = scalar(
    "PRINTF",
    Positional(
        (
            Where(
                STRING,
                lambda given: not isinstance(given, ValueLiteral) or _counts_from_one(given.value),
                "STRING whose arguments count from 1",
            ),
        ),
        rest=ANY,
        names=("format",),
    ),
    CollatedAs(0, Computed(lambda context: t.STRING.with_nullability(context.argument_types[0].nullable))),
    sql="FORMAT_STRING",
    flink_name="PRINTF",
    fluent=as_method("printf", "*obj"),
    doc="The format with its placeholders replaced by the values, as in Java's String.format.",
    example=("FORMAT_STRING('Hello %d %s', 100, 'days')", "'Hello 100 days'"),
)

# --- numbers ---------------------------------------------------------------------------------------------------------


def _is_number_format(value: Any) -> bool:
    return value is None or number_type(str(value)) is not None


_NUMBER_FORMAT = "literal of a format of numbers such as '999D99'"


def _number(context: CallContext) -> LogicalType | None:
    given = context.literal_value(1)
    # With a NULL format, the type is the default DECIMAL.
    found = t.DecimalType() if given is None else number_type(str(given))
    return None if found is None else found.with_nullability(any(a.nullable for a in context.argument_types))


def _define_number_reader(name: str, result: Any, doc: str, **facts: Unpack[Facts]) -> FunctionDefinition:
    return scalar(
        name.lower(),
        positional(STRING, literal_where(STRING, _is_number_format, _NUMBER_FORMAT), names="text format"),
        result,
        sql=name,
        doc=doc,
        example=(f"{name}('12,454.8', '99G999D9')", "12454.8"),
        in_flink=False,
        **facts,
    )


def _nullable_number(context: CallContext) -> LogicalType | None:
    found = _number(context)
    return None if found is None else found.as_nullable()


TO_NUMBER = _define_number_reader(
    "TO_NUMBER",
    Computed(_number),
    "The number that text represents in format; an error if text does not match format.",
    can_fail=True,
    collating=CollationRules(are_texts=True),
)
TRY_TO_NUMBER = _define_number_reader(
    "TRY_TO_NUMBER",
    Computed(_nullable_number),
    "The number that text represents in format; NULL if text does not match format.",
    collating=CollationRules(are_texts=True),
)
_DATETIME = Family("DATE, TIME or TIMESTAMP", (t.DateType, t.TimeType, t.TimestampType, t.LocalZonedTimestampType))


def _is_bytes_format(value: Any) -> bool:
    return isinstance(value, str) and value.lower() in ("hex", "base64", "utf-8")


def _infer_written_type(context: CallContext) -> LogicalType:
    nullable = any(given.nullable for given in context.argument_types)
    value = context.argument_types[0]
    if isinstance(value, t.BytesType):
        # Spark always treats a string decoded from UTF-8 as nullable.
        nullable = nullable or str(context.literal_value(1)).lower() == "utf-8"
    return t.STRING.with_nullability(nullable)


TO_CHAR = scalar(
    "to_char",
    AnyOf(
        (
            positional(_DATETIME, STRING, names="value format"),
            positional(
                BINARY,
                literal_where(TEXT, _is_bytes_format, "literal 'hex', 'base64' or 'utf-8'"),
                names="value format",
            ),
            positional(
                DECIMAL,
                Constant(STRING, _is_number_format, _NUMBER_FORMAT),
                names="value format",
            ),
        )
    ),
    Computed(_infer_written_type),
    sql="TO_CHAR",
    also=("TO_VARCHAR",),
    doc="A number, a time or a byte string written in format.",
    example=("TO_CHAR(-12454.8, '99G999D9S')", "'12,454.8-'"),
    in_flink=False,
    shown=Shown(names={"to_varchar": "to_char"}),
)

# --- bytes -----------------------------------------------------------------------------------------------------------


def _is_text_format(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.lower() in ("hex", "base64", "utf-8", "utf8"))


def _define_bytes_reader(
    name: str, doc: str, example: tuple[str, str], any_format: bool = False, **facts: Unpack[Facts]
) -> FunctionDefinition:
    accepted = literal_where(STRING, _is_text_format, "literal 'hex', 'base64' or 'utf-8'")
    return scalar(
        name.lower(),
        positional(STRING, Constant(STRING) if any_format else accepted, optional=1, names="text format"),
        maybe_null(t.BYTES),
        sql=name,
        doc=doc,
        example=example,
        in_flink=False,
        **facts,
    )


TO_BINARY = _define_bytes_reader(
    "TO_BINARY",
    "The bytes that text represents in format, 'hex' by default; an error if text is invalid.",
    ("CAST(TO_BINARY('abc', 'utf-8') AS STRING)", "'abc'"),
    can_fail=True,
    shown=Shown(result=t.BYTES),
)
TRY_TO_BINARY = _define_bytes_reader(
    "TRY_TO_BINARY",
    "The bytes that text represents in format, 'hex' by default; NULL if text is invalid.",
    ("TRY_TO_BINARY('a!', 'base64')", "NULL"),
    any_format=True,
    shown=Shown(result=t.BYTES),
)

# --- masked and random strings ---------------------------------------------------------------------------------------


def _replacement() -> Constant:
    return Constant(TEXT_OR_NULL, lambda value: value is None or len(value) == 1, "constant of one character, or NULL")


MASK = scalar(
    "mask",
    positional(
        TEXT_OR_NULL,
        *[_replacement() for _ in range(4)],
        optional=4,
        names="str upperChar lowerChar digitChar otherChar",
    ),
    CollatedAs(0, maybe_null(t.STRING)),
    sql="MASK",
    named=by_name("str upperChar lowerChar digitChar otherChar", "X", "x", "n", None),
    doc="The str with its upper-case letters, lower-case letters, digits and other characters each replaced by the "
    "given character; NULL keeps them.",
    example=("MASK('AbCD123-@$#')", "'XxXXnnn-@$#'"),
    in_flink=False,
    collating=CollationRules(are_texts=True, expected=5),
    shown=Shown(defaults=(None, "X", "x", "n", "NULL"), collates_defaults=True),
)


def _is_length(value: Any) -> bool:
    try:
        return value is None or int(value) >= 0
    except ValueError:
        return False


RANDSTR = scalar(
    "randstr",
    positional(
        Constant(INTEGER, _is_length, "constant that is not negative"),
        Constant(Family("INT or BIGINT", (t.IntType, t.BigIntType, t.NullType))),
        optional=1,
        names="length seed",
    ),
    never_null(t.STRING),
    sql="RANDSTR",
    fluent=as_function("randstr", "length seed?"),
    is_deterministic=False,
    doc="A random string of length letters and digits.",
    example=("RANDSTR(3, 0)", "'ceV'"),
    in_flink=False,
)
