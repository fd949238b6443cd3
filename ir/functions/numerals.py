"""Numbers, text and bytes as digits of another base.

Sources: ``mathExpressions.scala`` of Spark 4.3; https://spark.apache.org/docs/latest/api/sql/#math-functions
"""

from __future__ import annotations

from ir import types as t
from ir.functions.builder import as_method, as_property, scalar
from ir.inference.arguments import BIGINT, INTEGER, STRING, Implicit, positional
from ir.inference.results import CollatedAs, maybe_null, nullable_if_arguments, text_if_arguments

BIN = scalar(
    "bin",
    positional(BIGINT, names="number"),
    nullable_if_arguments(t.STRING),
    sql="BIN",
    fluent=as_property("bin"),
    doc="A whole number in binary digits, a negative one as 64 bits.",
    example=("BIN(10)", "'1010'"),
)
HEX = scalar(
    "hex",
    positional(Implicit("BIGINT, BYTES or STRING", (t.BIGINT, t.BYTES, t.STRING)), names="value"),
    text_if_arguments(),
    sql="HEX",
    fluent=as_property("hex"),
    doc="A whole number, or the bytes of a value or of its text in UTF-8, in hexadecimal digits.",
    example=("HEX('ab')", "'6162'"),
)
UNHEX = scalar(
    "UNHEX",
    positional(STRING, names="digits"),
    maybe_null(t.BYTES),
    sql="UNHEX",
    fluent=as_property("unhex"),
    doc="The bytes of which these are the hexadecimal digits; NULL where they are none.",
    example=("CAST(UNHEX('6162') AS STRING)", "'ab'"),
)
CONV = scalar(
    "conv",
    positional(STRING, INTEGER, INTEGER, names="digits from_base to_base"),
    CollatedAs(0, maybe_null(t.STRING)),
    sql="CONV",
    fluent=as_method("conv", "from_base to_base"),
    in_flink=False,
    doc="The digits of a number in one base as those in another.",
    example=("CONV('100', 2, 10)", "'4'"),
)
