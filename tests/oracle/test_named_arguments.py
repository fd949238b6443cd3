"""Which functions accept named arguments, the argument names, and which arguments are optional, compared with Spark."""

from __future__ import annotations

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.inference.type_inference import StaticArgument

UNKNOWN, MISSING = "UNRECOGNIZED_PARAMETER_NAME", "REQUIRED_PARAMETER_NOT_FOUND"


def _condition(spark: SparkSession, definition: FunctionDefinition, names: list[str]) -> str | None:
    """Return the condition with which Spark rejects a call with these argument names; None if it accepts the call."""
    call = f"{definition.sql_name}({', '.join(f'{name} => NULL' for name in names)})"
    try:
        spark.sql(f"SELECT * FROM {call}" if definition.kind is FunctionKind.TABLE else f"SELECT {call}")
    except PySparkException as error:
        return error.getCondition()
    return None


def test_which_functions_have_names(spark: SparkSession) -> None:
    found, expected = set(), set()
    for definition in BUILT_INS:
        if not definition.emission.in_spark or not definition.sql_name.isidentifier():
            continue
        if definition.inference.static_arguments is not None:
            expected.add(definition.sql_name)
        # Spark reports a missing argument before it reports an unknown name.
        if _condition(spark, definition, ["no_such_name"]) in (UNKNOWN, MISSING):
            found.add(definition.sql_name)
    assert found == expected
    assert expected


NAMED = [d for d in BUILT_INS if d.emission.in_spark and d.inference.static_arguments is not None]


@pytest.mark.parametrize("definition", NAMED, ids=lambda d: d.name)
def test_names(spark: SparkSession, definition: FunctionDefinition) -> None:
    arguments: tuple[StaticArgument, ...] = definition.inference.static_arguments or ()
    names = [argument.name for argument in arguments]
    assert _condition(spark, definition, names) not in (UNKNOWN, MISSING)
    assert _condition(spark, definition, [*names, "no_such_name"]) == UNKNOWN
    for argument in arguments:
        others = [name for name in names if name != argument.name]
        assert (_condition(spark, definition, others) == MISSING) is not argument.optional, argument.name
