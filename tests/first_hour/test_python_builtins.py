"""Python's built-in functions on expressions become SQL functions, or are rejected with the call to use instead."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tableapi import EnvironmentSettings, TableEnvironment, ValidationException
from tableapi.expressions import col


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (lambda: abs(col("a")), "abs(a)"),
        (lambda: round(col("a")), "round(a, 0)"),
        (lambda: round(col("a"), 2), "round(a, 2)"),
        (lambda: math.floor(col("a")), "floor(a)"),
        (lambda: math.ceil(col("a")), "ceil(a)"),
    ],
)
def test_a_builtin_is_the_function_of_its_name(written: Callable[[], Any], meant: str) -> None:
    assert written().as_summary_string() == meant


@pytest.mark.parametrize(
    ("written", "fix"),
    [
        (lambda: len(col("a")), r"char_length"),
        (lambda: "x" in col("a"), r"like\("),
        (lambda: col("a") in ["x"], r"in_\("),
        (lambda: int(col("a")), r"cast\(DataTypes\.INT\(\)\)"),
        (lambda: float(col("a")), r"cast\(DataTypes\.DOUBLE\(\)\)"),
        (lambda: list(col("a")), r"one value"),
    ],
)
def test_a_builtin_that_needs_a_value_is_refused(written: Callable[[], Any], fix: str) -> None:
    with pytest.raises(ValidationException, match=fix):
        written()


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("table.local-timezone", "table.local-time-zone"),
        ("table.local-time-zones", "table.local-time-zone"),
        ("execution.runtime.mode", "execution.runtime-mode"),
        ("python.function.packages", "python.functions.packages"),
        ("sql.stored-program", "sql.stored-programs"),
    ],
)
def test_a_misspelt_key_of_the_configuration_is_refused(key: str, meant: str) -> None:
    te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("main").build())
    with pytest.raises(ValidationException, match=f"Did you mean '{meant}'"):
        te.get_config().set(key, "UTC")


@pytest.mark.parametrize("key", ["parallelism.default", "pipeline.name", "table.exec.mini-batch.enabled"])
def test_keys_of_pyflink_without_an_effect_are_accepted(key: str) -> None:
    te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("main").build())
    assert te.get_config().set(key, "1").get(key, "") == "1"
