"""The description of a function contains every part of its definition."""

from __future__ import annotations

import pydoc
import re

import pytest

from ir.errors import FunctionNotExistException
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from tableapi import TableEnvironment
from tableapi.display.function_description import describe
from tableapi.expressions import col
from tableapi.members.fluent import documentation
from tests.cases import every
from tests.programs.tables import environment_without_spark

ENV: TableEnvironment = environment_without_spark()


def test_of_a_function_by_any_of_its_names() -> None:
    found = ENV.describe_function("Pow")
    assert found.name == "POWER"
    assert found.other_names == ("POW",)
    assert found.signatures == ("POWER(base <DOUBLE>, exponent <DOUBLE>)",)
    assert found.fluent == ('col("a").power(exponent)',)
    assert (found.example, found.result) == ("POWER(2, 3)", "8.0")
    assert found.spark_sql == "POWER(2, 3)"
    assert found.flink_sql == "POWER(CAST(2 AS DOUBLE), CAST(3 AS DOUBLE))"
    assert found.is_deterministic
    assert found.meaning == "Spark"


def test_of_a_random_function() -> None:
    text = str(ENV.describe_function("rand"))
    assert "Not deterministic: each call has its own value" in text
    assert "Meaning: Spark's. For the same seed, Flink returns other numbers" in text


def test_of_one_that_flink_has_not() -> None:
    found = ENV.describe_function("crc32")
    assert found.flink_sql is None
    assert found.not_in_flink == "Flink has no such function"
    assert "    Flink: none, since Flink has no such function" in str(found)


def test_of_one_that_there_is_not() -> None:
    with pytest.raises(FunctionNotExistException, match=r"There is no function named 'sqrrt'\. Did you mean 'SQRT'"):
        ENV.describe_function("sqrrt")


@every("function", lambda: BUILT_INS, lambda function: function.name)
def test_every_function_has_all(function: FunctionDefinition) -> None:
    found = describe(function)
    assert "" not in (found.description, found.example, found.spark_sql)
    assert (found.flink_sql is None) == bool(found.not_in_flink)


def test_help_of_a_member() -> None:
    text = pydoc.plain(pydoc.render_doc(type(col("a")).log2))
    assert "The base-2 logarithm; NULL unless the number is positive." in text
    assert "For example, ``LOG2(8)`` is ``3.0``." in text
    assert '``env.describe_function("log2")`` has it as SQL of Spark and of Flink.' in text
    assert "Deterministic." in text
    assert "Flink returns -Infinity for 0 and NaN for a negative number" in text


FLUENT = [function for function in BUILT_INS if function.documentation.fluent]


@every("function", lambda: FLUENT, lambda function: function.name)
def test_help_names_what_describes_the_function(function: FunctionDefinition) -> None:
    (name,) = re.findall(r'``env.describe_function\("(.+?)"\)``', documentation(function))
    assert ENV.describe_function(name) == describe(function)


def test_described_by_sql() -> None:
    ((short,),) = ENV.execute_sql("DESCRIBE FUNCTION pow").collect()
    ((long,),) = ENV.execute_sql("DESCRIBE FUNCTION EXTENDED pow").collect()
    assert short.startswith("Function: POWER\n")
    assert "    Flink: POWER(CAST(" not in short
    assert "Also: POW" in long
    assert "    Flink: POWER(CAST(" in long
