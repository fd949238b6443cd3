"""The example of every built-in function, read as our SQL and run on Spark.

An example is the text after SELECT, so that the example of an aggregate includes a FROM clause. Its result is written
as a SQL scalar; a table function's result is its rows. ``[1, 2]``, ``{a -> 1}`` and ``(1)`` denote an array, a map and
a row.
"""

from __future__ import annotations

import datetime as dt

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Row, SparkSession

from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from tests.cases import chosen_cases, every
from tests.programs.tables import environment_without_spark

FUNCTIONS = [d for d in BUILT_INS if d.kind is not FunctionKind.TABLE]
TABLE_FUNCTIONS = [d for d in BUILT_INS if d.kind is FunctionKind.TABLE]
ENVIRONMENT = environment_without_spark()
TOGETHER = 50


def shown(value: object) -> str:
    """Return a value in the notation of the examples."""
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
    """Return an example as Spark SQL."""
    assert definition.documentation.example is not None, f"{definition} has no example"
    text, _ = definition.documentation.example
    written = f"SELECT * FROM {text}" if definition.kind is FunctionKind.TABLE else f"SELECT {text}"
    return ENVIRONMENT.sql_query(written).as_serializable_string()


def _values(spark: SparkSession, queries: list[str]) -> list[str]:
    """Return the values of one-value queries, or their errors; running them together takes a fraction of the time."""
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
    """The values of the examples of all functions whose tests run."""
    chosen = chosen_cases(request, test_example, "function")
    found: dict[FunctionDefinition, str] = {}
    for start in range(0, len(chosen), TOGETHER):
        some = chosen[start : start + TOGETHER]
        found.update(zip(some, _values(spark, [_query(definition) for definition in some]), strict=True))
    return found


@every("function", lambda: FUNCTIONS, lambda function: function.name)
def test_example(values: dict[FunctionDefinition, str], function: FunctionDefinition) -> None:
    assert function.documentation.example is not None
    assert values[function] == function.documentation.example[1]


@pytest.mark.parametrize("definition", TABLE_FUNCTIONS, ids=lambda d: d.name)
def test_example_of_table_function(spark: SparkSession, definition: FunctionDefinition) -> None:
    rows = spark.sql(_query(definition)).collect()
    assert definition.documentation.example is not None
    assert ", ".join(map(shown, rows)) == definition.documentation.example[1]
