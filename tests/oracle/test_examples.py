"""The example of every built-in function, read as our SQL and run on Spark.

An example is what stands after SELECT, so that an aggregate brings its rows along in a FROM clause, and its result as
SQL writes a scalar; that of a table function is its rows. ``[1, 2]``, ``{a -> 1}`` and ``(1)`` stand for an array, a
map and a row.
"""

from __future__ import annotations

import datetime as dt

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Row, SparkSession

from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from tests.programs.tables import environment_without_spark

FUNCTIONS = [d for d in BUILT_INS if d.kind is not FunctionKind.TABLE]
TABLE_FUNCTIONS = [d for d in BUILT_INS if d.kind is FunctionKind.TABLE]
ENVIRONMENT = environment_without_spark()
TOGETHER = 50


def shown(value: object) -> str:
    """Return a value as the examples write it."""
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case str() | dt.date() | dt.time():
            return f"'{value}'"
        case bytearray():
            return f"X'{value.hex().upper()}'"
        case Row():
            return f"({', '.join(map(shown, value))})"
        case list():
            return f"[{', '.join(map(shown, value))}]"
        case dict():
            return f"{{{', '.join(f'{shown(k)} -> {shown(v)}' for k, v in value.items())}}}"
    return str(value)


def _query(definition: FunctionDefinition) -> str:
    """Return the query of an example as Spark's text."""
    assert definition.documentation.example is not None, f"{definition} has no example"
    text, _ = definition.documentation.example
    written = f"SELECT * FROM {text}" if definition.kind is FunctionKind.TABLE else f"SELECT {text}"
    return ENVIRONMENT.sql_query(written).as_serializable_string()


def _values(spark: SparkSession, queries: list[str]) -> list[str]:
    """Return the values of queries of one value, or what is wrong with them; together they take a part of the time."""
    try:
        (row,) = spark.sql(f"SELECT {', '.join(f'({query}) AS c{i}' for i, query in enumerate(queries))}").collect()
    except PySparkException as error:
        if len(queries) == 1:
            return [str(error)]
        middle = len(queries) // 2
        return _values(spark, queries[:middle]) + _values(spark, queries[middle:])
    return [shown(value) for value in row]


@pytest.fixture(scope="module")
def values(spark: SparkSession, request: pytest.FixtureRequest) -> dict[FunctionDefinition, str]:
    """The value of the example of every function whose test is run."""
    items = [item for item in request.session.items if isinstance(item, pytest.Function)]
    chosen = [item.callspec.params["definition"] for item in items if item.function is test_example]
    found: dict[FunctionDefinition, str] = {}
    for start in range(0, len(chosen), TOGETHER):
        some = chosen[start : start + TOGETHER]
        found.update(zip(some, _values(spark, [_query(definition) for definition in some]), strict=True))
    return found


@pytest.mark.parametrize("definition", FUNCTIONS, ids=lambda d: d.name)
def test_example(values: dict[FunctionDefinition, str], definition: FunctionDefinition) -> None:
    assert definition.documentation.example is not None
    assert values[definition] == definition.documentation.example[1]


@pytest.mark.parametrize("definition", TABLE_FUNCTIONS, ids=lambda d: d.name)
def test_example_of_table_function(spark: SparkSession, definition: FunctionDefinition) -> None:
    rows = spark.sql(_query(definition)).collect()
    assert definition.documentation.example is not None
    assert ", ".join(map(shown, rows)) == definition.documentation.example[1]
