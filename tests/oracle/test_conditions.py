"""The error conditions of calls that both Spark and this library reject, for a call of every function."""

from __future__ import annotations

import random
from collections import Counter

from pyspark.errors import PySparkException

from ir.call_expressions import Call
from ir.calls import Clauses, call
from ir.errors import ValidationException
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.types import STRING
from tests.oracle.calls import argument_lists, usual_order
from tests.oracle.oracle import VIEW, Oracle
from tests.oracle.test_functions import placed, text_of

KINDS = (FunctionKind.SCALAR, FunctionKind.AGGREGATE, FunctionKind.WINDOW)
# The least share of equal conditions, for calls with randomly drawn types. The rest are mostly internal errors, names
# such as _LEGACY_ERROR_TEMP_1210, and constants whose text Spark reads before it looks at types.
LEAST_SHARE = 0.93


def refused(definition: FunctionDefinition) -> list[tuple[str, str | None]]:
    """Return calls of a function that are rejected here, each with its condition."""
    found = []
    for arguments in argument_lists(definition, 30):
        orders = usual_order(definition, arguments)
        try:
            call(definition, arguments, Clauses(order_by=tuple(orders)))
        except ValidationException as error:
            text = text_of(placed(Call(definition, arguments, STRING, order_by=orders)))
            if text is not None:
                found.append((text, error.condition))
    return random.Random(definition.name).sample(found, min(len(found), 1))


def condition(oracle: Oracle, text: str) -> str | None:
    """Return the condition with which Spark rejects an expression; None without a rejection or a condition."""
    try:
        oracle.spark.sql(f"SELECT {text} FROM {VIEW}")
    except PySparkException as error:
        return error.getCondition()
    except Exception:  # an exception of the JVM without a condition
        return None
    return None


def test_conditions_equal_those_of_spark(oracle: Oracle) -> None:
    different: Counter[tuple[str | None, str]] = Counter()
    asked = 0
    for definition in BUILT_INS:
        if definition.emission.in_spark and definition.kind in KINDS:
            for text, ours in refused(definition):
                theirs = condition(oracle, text)
                if theirs is not None:
                    asked += 1
                    different[ours, theirs] += ours != theirs
    assert asked > 300
    assert 1 - different.total() / asked >= LEAST_SHARE, different.most_common(10)
