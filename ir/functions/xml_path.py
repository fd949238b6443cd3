"""Functions that extract values from XML by XPath.

Source: ``xml/xpath.scala`` of Spark 4.3; https://www.w3.org/TR/1999/REC-xpath-19991116/
"""

from __future__ import annotations

from ir import types as t
from ir.functions.builder import scalar
from ir.functions.definition import FunctionDefinition
from ir.inference.arguments import TEXT_OR_NULL, Constant
from ir.inference.inputs import positional
from ir.inference.results import maybe_null
from ir.types import LogicalType


def _xpath(
    name: str, result: LogicalType, doc: str, example: tuple[str, str], also: tuple[str, ...] = ()
) -> FunctionDefinition:
    return scalar(
        name.lower(),
        positional(TEXT_OR_NULL, Constant(TEXT_OR_NULL), names="xml path"),
        maybe_null(result),
        sql=name,
        also=also,
        doc=doc,
        example=example,
        in_flink=False,
    )


_SUM = "'<a><b>1</b><b>2</b></a>', 'sum(a/b)'"

XPATH = _xpath(
    "XPATH",
    t.ArrayType(t.STRING),
    "The strings of all nodes that path selects in xml, as an array.",
    ("XPATH('<a><b>b1</b><b>b2</b></a>', 'a/b/text()')", "['b1', 'b2']"),
)
XPATH_BOOLEAN = _xpath(
    "XPATH_BOOLEAN",
    t.BOOLEAN,
    "Whether path selects a node in xml or, if path is a condition, whether it holds.",
    ("XPATH_BOOLEAN('<a><b>1</b></a>', 'a/b')", "TRUE"),
)
XPATH_DOUBLE = _xpath(
    "XPATH_DOUBLE",
    t.DOUBLE,
    "The number that path evaluates to in xml; 0 if it selects nothing, NaN if its result is not a number.",
    (f"XPATH_DOUBLE({_SUM})", "3.0"),
    ("XPATH_NUMBER",),
)
XPATH_FLOAT = _xpath(
    "XPATH_FLOAT",
    t.FLOAT,
    "The number that path evaluates to in xml; 0 if it selects nothing, NaN if its result is not a number.",
    (f"XPATH_FLOAT({_SUM})", "3.0"),
)
XPATH_INT = _xpath(
    "XPATH_INT",
    t.INT,
    "The integer that path evaluates to in xml; 0 if it selects nothing or its result is not a number.",
    (f"XPATH_INT({_SUM})", "3"),
)
XPATH_LONG = _xpath(
    "XPATH_LONG",
    t.BIGINT,
    "The integer that path evaluates to in xml; 0 if it selects nothing or its result is not a number.",
    (f"XPATH_LONG({_SUM})", "3"),
)
XPATH_SHORT = _xpath(
    "XPATH_SHORT",
    t.SMALLINT,
    "The integer that path evaluates to in xml; 0 if it selects nothing or its result is not a number.",
    (f"XPATH_SHORT({_SUM})", "3"),
)
XPATH_STRING = _xpath(
    "XPATH_STRING",
    t.STRING,
    "The text of the first node that path selects in xml; an empty string if there is none.",
    ("XPATH_STRING('<a><b>b</b><c>cc</c></a>', 'a/c')", "'cc'"),
)
