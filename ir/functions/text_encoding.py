"""Functions that convert strings to bytes, numbers, codes and URLs, and back.

Source: ``stringExpressions.scala``, ``urlExpressions.scala`` of Spark 4.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir import calls
from ir import types as t
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions import constant_values
from ir.functions.builder import as_method, as_property, scalar
from ir.functions.comparison import IS_NOT_DISTINCT_FROM
from ir.functions.definition import Construct, FluentForm, FunctionDefinition, Shown
from ir.functions.logic import CASE
from ir.inference.arguments import BIGINT, BYTES, CHARACTER_OR_BYTES, STRING, TEXT_OR_NULL
from ir.inference.call_context import CallContext
from ir.inference.inputs import AnyOf, Computed, positional
from ir.inference.results import CollatedAs, maybe_null, nullable_if_arguments
from ir.inference.results import Computed as ComputedResult
from ir.inference.type_inference import TypeStrategy
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts

ASCII = scalar(
    "ascii",
    positional(STRING, names="text"),
    nullable_if_arguments(t.INT),
    sql="ASCII",
    in_flink=False,
    difference="Flink returns the first byte of the text in UTF-8 as a signed number.",
    fluent=as_property("ascii"),
    doc="The code point of the first character of text; 0 if text is empty.",
    example=("ASCII('222')", "50"),
    folding=constant_values.CODE_POINT,
)
CHR = scalar(
    "chr",
    positional(BIGINT, names="number"),
    nullable_if_arguments(t.STRING),
    sql="CHR",
    also=("CHAR",),
    fluent=as_property("chr"),
    doc="The character whose code point is number modulo 256; an empty string if number is negative.",
    example=("CHR(65)", "'A'"),
)
BASE64 = scalar(
    "toBase64",
    positional(BYTES, names="bytes"),
    nullable_if_arguments(t.STRING),
    sql="BASE64",
    flink_name="TO_BASE64",
    fluent=as_property("to_base64"),
    doc="The bytes, or the UTF-8 bytes of a string, encoded in Base64.",
    example=("BASE64('Spark SQL')", "'U3BhcmsgU1FM'"),
)
FROM_BASE64 = scalar(
    "fromBase64",
    positional(STRING, names="text"),
    nullable_if_arguments(t.STRING),
    sql="FROM_BASE64",
    fluent=as_property("from_base64"),
    doc="The UTF-8 string decoded from text in Base64.",
    example=("FROM_BASE64('aGVsbG8=')", "'hello'"),
    in_spark=False,
)
UNBASE64 = scalar(
    "unbase64",
    positional(STRING, names="text"),
    nullable_if_arguments(t.BYTES),
    sql="UNBASE64",
    doc="The bytes decoded from text in Base64.",
    example=("CAST(UNBASE64('U3BhcmsgU1FM') AS STRING)", "'Spark SQL'"),
    in_flink=False,
    can_fail=True,
    shown=Shown(result=t.BYTES),
)
TO_BASE32 = scalar(
    "to_base32",
    positional(BYTES, names="bytes"),
    nullable_if_arguments(t.STRING),
    sql="TO_BASE32",
    doc="The bytes, or the UTF-8 bytes of a string, encoded in Base32.",
    example=("TO_BASE32('foobar')", "'MZXW6YTBOI======'"),
    in_flink=False,
)
FROM_BASE32 = scalar(
    "from_base32",
    positional(STRING, names="text"),
    nullable_if_arguments(t.BYTES),
    sql="FROM_BASE32",
    doc="The bytes decoded from text in Base32.",
    example=("CAST(FROM_BASE32('MZXW6YTBOI======') AS STRING)", "'foobar'"),
    in_flink=False,
)
BIT_LENGTH = scalar(
    "bit_length",
    positional(CHARACTER_OR_BYTES, names="text"),
    nullable_if_arguments(t.INT),
    sql="BIT_LENGTH",
    doc="The number of bits of a byte string, or of a string in UTF-8.",
    example=("BIT_LENGTH('Spark SQL')", "72"),
    in_flink=False,
)
OCTET_LENGTH = scalar(
    "octet_length",
    positional(CHARACTER_OR_BYTES, names="text"),
    nullable_if_arguments(t.INT),
    sql="OCTET_LENGTH",
    doc="The number of bytes of a byte string, or of a string in UTF-8.",
    example=("OCTET_LENGTH('日本')", "6"),
    in_flink=False,
)
CHARSETS = ("US-ASCII", "ISO-8859-1", "UTF-8", "UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32")
ENCODE = scalar(
    "encode",
    positional(STRING, STRING, names="text charset"),
    maybe_null(t.BYTES),
    sql="ENCODE",
    difference="Flink accepts any Java charset, and writes a question mark where Spark fails.",
    fluent=as_method("encode", "charset", charset=CHARSETS),
    doc=f"The bytes of text encoded in charset: {', '.join(CHARSETS[:-1])} or {CHARSETS[-1]}.",
    example=("CAST(ENCODE('abc', 'utf-8') AS STRING)", "'abc'"),
    shown=Shown(result=t.BYTES),
)


def _build_case(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return the equivalent CASE for a DECODE of values and results, in which NULL matches NULL."""
    value, *rest = arguments
    if len(rest) < 2:
        return None
    parts: list[ResolvedExpression] = []
    for found, result in zip(rest[::2], rest[1::2], strict=False):
        parts += [call(IS_NOT_DISTINCT_FROM, (value, found)), result]
    # Spark's default NULL has the type STRING, which affects the type of the result.
    parts.append(rest[-1] if len(rest) % 2 else ValueLiteral(None, t.STRING))
    return call(CASE, parts)


def _infer_decode_inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
    try:
        _build_case(context.arguments, calls.call)
    except ValidationException:
        return None
    return context.argument_types


def _infer_decoded_type(context: CallContext) -> LogicalType:
    case = _build_case(context.arguments, calls.call)
    return t.STRING if case is None else case.data_type


DECODE = scalar(
    "decode",
    AnyOf(
        (
            positional(BYTES, STRING, names="bytes charset"),
            Computed(3, None, "ANY", _infer_decode_inputs, ("<ANY>, <ANY>, <ANY>, ...[, <ANY>]",)),
        )
    ),
    ComputedResult(_infer_decoded_type),
    sql="DECODE",
    difference="Flink accepts any Java charset, and writes U+FFFD where Spark fails. It has no DECODE of values.",
    fluent=as_method("decode", "charset", charset=CHARSETS),
    canonical=_build_case,
    doc="The string that bytes encodes in charset; with three arguments or more, the result after the search value "
    "that equals the first argument, as in CASE.",
    example=("DECODE(ENCODE('abc', 'utf-8'), 'utf-8')", "'abc'"),
    shown=Shown(as_written=True),
)


_SAME_COLLATION = CollatedAs(0, maybe_null(t.STRING))


def _define_text_function(
    name: str,
    doc: str,
    example: tuple[str, str],
    result: TypeStrategy | None = None,
    fluent: tuple[FluentForm, ...] = (),
    **facts: Unpack[Facts],
) -> FunctionDefinition:
    """Define a function of a string whose result Spark always treats as nullable."""
    return scalar(
        name.lower(),
        positional(STRING, names="text"),
        result or maybe_null(t.STRING),
        sql=name,
        fluent=fluent,
        doc=doc,
        example=example,
        in_flink=bool(fluent),
        **facts,
    )


IS_VALID_UTF8 = _define_text_function(
    "IS_VALID_UTF8", "Whether text is valid UTF-8.", ("IS_VALID_UTF8('Spark')", "TRUE"), maybe_null(t.BOOLEAN)
)
MAKE_VALID_UTF8 = _define_text_function(
    "MAKE_VALID_UTF8",
    "The text with every invalid UTF-8 sequence replaced by the character U+FFFD.",
    ("MAKE_VALID_UTF8('Spark')", "'Spark'"),
    _SAME_COLLATION,
)
VALIDATE_UTF8 = _define_text_function(
    "VALIDATE_UTF8",
    "The text unchanged; an error if it is invalid UTF-8.",
    ("VALIDATE_UTF8('Spark')", "'Spark'"),
    _SAME_COLLATION,
    can_fail=True,
)
TRY_VALIDATE_UTF8 = _define_text_function(
    "TRY_VALIDATE_UTF8",
    "The text unchanged; NULL if it is invalid UTF-8.",
    ("TRY_VALIDATE_UTF8('Spark')", "'Spark'"),
    _SAME_COLLATION,
)
QUOTE = _define_text_function(
    "QUOTE",
    "The text in single quotes, with a backslash before each single quote inside.",
    ("QUOTE('a')", "''a''"),
)
URL_ENCODE = _define_text_function(
    "URL_ENCODE",
    "The text encoded for a URL, as application/x-www-form-urlencoded in UTF-8.",
    ("URL_ENCODE('https://spark.apache.org')", "'https%3A%2F%2Fspark.apache.org'"),
    fluent=as_method("url_encode"),
)
URL_DECODE = _define_text_function(
    "URL_DECODE",
    "The string decoded from URL-encoded text; an error if text is invalid.",
    ("URL_DECODE('https%3A%2F%2Fspark.apache.org')", "'https://spark.apache.org'"),
    fluent=as_method("url_decode"),
    can_fail=True,
)
TRY_URL_DECODE = _define_text_function(
    "TRY_URL_DECODE",
    "The string decoded from URL-encoded text; NULL if text is invalid.",
    ("TRY_URL_DECODE('http%3A%2F%2spark')", "NULL"),
)


def _part_of_url(name: str, doc: str, fluent: tuple[FluentForm, ...] = ()) -> FunctionDefinition:
    return scalar(
        "parseUrl" if fluent else name.lower(),
        positional(TEXT_OR_NULL, TEXT_OR_NULL, TEXT_OR_NULL, optional=1, names="url part key"),
        maybe_null(t.STRING),
        sql=name,
        fluent=fluent,
        doc=doc,
        example=(f"{name}('http://spark.apache.org/path?query=1', 'QUERY', 'query')", "'1'"),
        in_flink=bool(fluent),
    )


PARSE_URL = _part_of_url(
    "PARSE_URL",
    "The given part of url: HOST, PATH, QUERY, REF, PROTOCOL, FILE, AUTHORITY or USERINFO; with QUERY and key, the "
    "value of one parameter.",
    as_method("parse_url", "part_to_extract key?"),
)
TRY_PARSE_URL = _part_of_url("TRY_PARSE_URL", "The given part of url, as in PARSE_URL; NULL if url is invalid.")
