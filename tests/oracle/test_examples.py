"""The example of every built-in function, run on Spark.

An example is what stands after SELECT, so that an aggregate brings its rows along in a FROM clause, and its result as
SQL writes a scalar; that of a table function is its rows. ``[1, 2]``, ``{a -> 1}`` and ``(1)`` stand for an array, a
map and a row.
"""

from __future__ import annotations

import datetime as dt

import pytest
from pyspark.sql import Row, SparkSession

from ir.expressions import FieldReference, ResolvedExpression, SymbolLiteral
from ir.functions.aggregate import SUM0
from ir.functions.builtins import BUILT_INS
from ir.functions.calls import call
from ir.functions.collection import ARRAY
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.json import JSON_OBJECT
from ir.functions.table import UNNEST
from ir.literals import literal
from ir.rendering import Dialect
from ir.types import INT

# The calls in the examples of functions that Spark lacks.
LOWERED: dict[FunctionDefinition, tuple[str, ResolvedExpression]] = {
    UNNEST: ("UNNEST(ARRAY(1, 2))", call(UNNEST, (call(ARRAY, (literal(1), literal(2))),))),
    SUM0: ("SUM0(x)", call(SUM0, (FieldReference("x", INT, 0, 0),))),
    JSON_OBJECT: (
        "JSON_OBJECT(KEY 'a' VALUE 1 NULL ON NULL)",
        call(JSON_OBJECT, (SymbolLiteral("NULL"), literal("a"), literal(1))),
    ),
}


def shown(value: object) -> str:
    """Return a value as the examples write it."""
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case str() | dt.date() | dt.time():
            return f"'{value}'"
        case Row():
            return f"({', '.join(map(shown, value))})"
        case list():
            return f"[{', '.join(map(shown, value))}]"
        case dict():
            return f"{{{', '.join(f'{shown(k)} -> {shown(v)}' for k, v in value.items())}}}"
    return str(value)


@pytest.mark.parametrize("definition", list(BUILT_INS), ids=lambda d: d.name)
def test_example(spark: SparkSession, definition: FunctionDefinition) -> None:
    assert definition.example is not None, "every function has an example"
    text, result = definition.example
    if not definition.in_spark:
        written, lowered = LOWERED[definition]
        assert written in text
        text = text.replace(written, lowered.as_serializable_string())
    if definition.kind is FunctionKind.TABLE:
        assert ", ".join(map(shown, spark.sql(f"SELECT * FROM {text}").collect())) == result
    else:
        (row,) = spark.sql(f"SELECT {text}").collect()
        assert shown(row[0]) == result


def test_the_example_of_json_object_is_its_text_in_flink() -> None:
    written, lowered = LOWERED[JSON_OBJECT]
    assert lowered.as_serializable_string(Dialect.FLINK) == written
