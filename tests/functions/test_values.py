"""Edge cases of lowered functions: values derived by hand from the definition, or Flink's own values.

``CASES`` of a family's module are pairs of a SELECT list (with a FROM clause for aggregates) and the expected Python
value; ``FAILURES`` are pairs of an expression and Spark's error condition.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Row, SparkSession

import tests.functions
from tests.programs.tables import environment_without_spark

FAMILIES = sorted(m.name for m in pkgutil.iter_modules(tests.functions.__path__) if not m.name.startswith("test_"))
ENVIRONMENT = environment_without_spark()


def _module(family: str) -> Any:
    return importlib.import_module(f"tests.functions.{family}")


def _text(expression: str) -> str:
    return ENVIRONMENT.sql_query(f"SELECT {expression}").as_serializable_string()


def _plain(value: Any) -> Any:
    """Convert a value to a comparable form: rows as tuples, bytes as bytes, NaN as its name."""
    match value:
        case Row():
            return tuple(map(_plain, value))
        case list():
            return [_plain(element) for element in value]
        case dict():
            return {key: _plain(element) for key, element in value.items()}
        case bytearray():
            return bytes(value)
        case float() if math.isnan(value):
            return "NaN"
    return value


@pytest.mark.parametrize("family", FAMILIES)
def test_values(spark: SparkSession, family: str) -> None:
    """Run all cases of a family as one query with a scalar subquery each, since planning costs more than the values."""
    cases = _module(family).CASES
    wrong = []
    for start in range(0, len(cases), 100):
        batch = cases[start : start + 100]
        columns = ", ".join(f"({_text(expression)}) AS c{i}" for i, (expression, _) in enumerate(batch))
        (row,) = spark.sql(f"SELECT {columns}").collect()
        for (expression, expected), value in zip(batch, row, strict=True):
            found = _plain(value)
            if found != expected or type(found) is not type(expected):
                wrong.append(f"{expression}: {found!r}, and not {expected!r}")
    assert wrong == []


@pytest.mark.parametrize(
    ("expression", "condition"),
    [failure for family in FAMILIES for failure in getattr(_module(family), "FAILURES", [])],
)
def test_failures(spark: SparkSession, expression: str, condition: str) -> None:
    with pytest.raises(PySparkException) as raised:
        spark.sql(_text(expression)).collect()
    assert raised.value.getCondition() == condition
