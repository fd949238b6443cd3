"""Type checkers accept the same strings as the run time."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, get_args

import attrs
import pytest
from pyspark import StorageLevel
from pyspark.sql import SparkSession

from ir.functions.text_encoding import CHARSETS
from ir.functions.timestamps import TRUNCATION_UNITS
from ir.operations.hint import JOIN_HINTS, PARTITIONING_HINTS, STATE_HINTS, HintName, hint_name
from ir.rendering import Dialect, DialectName, Layout, LayoutName
from tableapi.async_functions.options import AsyncArguments, option_names
from tableapi.declarations.file_options import Format
from tableapi.declarations.file_tables import _UNHOLDABLE
from tableapi.environment.functions_of_expressions import ExpressionOptions, Options
from tableapi.inference import _FAMILIES, FamilyName
from tableapi.spark.cached_tables import storage_level
from tableapi.table import StorageLevelName
from tableapi.user_functions.declaration import ARROW, GENERAL, PANDAS, FuncType


def _strings(literal: Any) -> list[str]:
    """Return the strings of a literal type, or of a union of literal types."""
    return [text for part in get_args(literal) for text in ([part] if isinstance(part, str) else _strings(part))]


@pytest.mark.parametrize(("names", "choices"), [(DialectName, Dialect), (LayoutName, Layout)])
def test_names_of_choices(names: Any, choices: type[Enum]) -> None:
    assert _strings(names) == [*choices.__members__, *[name.lower() for name in choices.__members__]]


def test_hints() -> None:
    hints = [*JOIN_HINTS, *PARTITIONING_HINTS, *STATE_HINTS]
    assert _strings(HintName) == [*hints, *map(str.lower, hints)]
    assert [hint_name(name) for name in _strings(HintName)] == hints * 2


def test_storage_levels() -> None:
    assert sorted(_strings(StorageLevelName)) == sorted(name for name in vars(StorageLevel) if name.isupper())
    assert all(isinstance(storage_level(name), StorageLevel) for name in _strings(StorageLevelName))


def test_units_of_truncation_in_spark(spark: SparkSession) -> None:
    units = [*TRUNCATION_UNITS, *map(str.lower, TRUNCATION_UNITS)]
    columns = [f"DATE_TRUNC('{unit}', TIMESTAMP '2024-05-06 07:08:09.123456')" for unit in [*units, "MONHT"]]
    *found, misspelt = spark.sql(f"SELECT {', '.join(columns)}").collect()[0]
    assert None not in found
    assert misspelt is None


def test_charsets_in_spark(spark: SparkSession) -> None:
    columns = [f"DECODE(ENCODE('a', '{name}'), '{name}')" for name in [*CHARSETS, *map(str.lower, CHARSETS)]]
    assert set(spark.sql(f"SELECT {', '.join(columns)}").collect()[0]) == {"a"}
    with pytest.raises(Exception, match=r"INVALID_PARAMETER_VALUE\.CHARSET") as refused:
        spark.sql("SELECT ENCODE('a', 'UTF8')").collect()
    # The message lists the strings that Spark accepts.
    assert set(re.findall(r"[a-z]+-[a-z0-9-]+", str(refused.value))) == set(map(str.lower, CHARSETS))


def test_families() -> None:
    assert _strings(FamilyName) == list(_FAMILIES)


def test_formats() -> None:
    assert sorted(_strings(Format)) == sorted(_UNHOLDABLE)


def test_kinds_of_code() -> None:
    assert _strings(FuncType) == [GENERAL, PANDAS, ARROW]


def test_keyword_arguments() -> None:
    assert sorted(AsyncArguments.__annotations__) == sorted(option_names())
    assert list(ExpressionOptions.__annotations__) == [field.name for field in attrs.fields(Options)]
