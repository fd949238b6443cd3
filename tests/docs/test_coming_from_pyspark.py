"""The page for PySpark users: it is complete, and every line gives PySpark's result."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pandas as pd
import pyarrow as pa
import pytest
from pyspark.sql import Column, DataFrame, GroupedData, SparkSession, Window
from pyspark.sql import functions as spark_functions
from pyspark.sql.types import StructType
from pyspark.storagelevel import StorageLevel

import tableapi
from ir.functions.builtins import BUILT_INS
from ir.schema import ResolvedSchema
from tableapi import Expression, Row, Table, TableEnvironment, TableException, expressions, window
from tableapi.steps.grouped_table import GroupedTable
from tableapi.window import Over, OverWindow
from tests.cases import some_nightly
from tests.docs import pyspark_calls, pyspark_functions
from tests.plans.facts import is_same_plan

PAGE = (Path(__file__).parents[2] / "docs" / "coming-from-pyspark.md").read_text(encoding="utf-8")
SECTIONS = ("DataFrame", "GroupedData", "Column", "Window", "Functions")
CALLS = {
    title: getattr(pyspark_calls, name)
    for title, name in zip(SECTIONS, ("DATAFRAME", "GROUPED_DATA", "COLUMN", "WINDOW", "FUNCTIONS"), strict=True)
}
CLASSES: dict[str, tuple[type, type]] = {
    "DataFrame": (DataFrame, Table),
    "GroupedData": (GroupedData, GroupedTable),
    "Column": (Column, Expression),
    "Window": (Window, Over),
}
_SPARK_ONLY = "t.to_spark()"
# One file each, so that results that depend on a table's partitions are the same on both sides.
_V = """
    CREATE TABLE v USING parquet AS SELECT /*+ COALESCE(1) */ * FROM VALUES
    (1, 'x', TIMESTAMP_NTZ '2024-01-01 10:00', 1.0D, ARRAY('p', 'q'), MAP('k', 7), STRUCT(1 AS x, 'u' AS y)),
    (2, 'y x', TIMESTAMP_NTZ '2024-01-01 11:00', DOUBLE('NaN'), ARRAY('r'), MAP('k', 8), STRUCT(2 AS x, 'v' AS y)),
    (2, 'x', TIMESTAMP_NTZ '2024-01-01 12:00', 2.5D, ARRAY('s'), MAP('k', NULL), STRUCT(3 AS x, NULL AS y)),
    (4, NULL, TIMESTAMP_NTZ '2024-01-01 13:00', NULL, NULL, NULL, NULL),
    (NULL, '12', TIMESTAMP_NTZ '2024-01-01 14:00', 4.0D, ARRAY('t'), MAP('k', 1), STRUCT(5 AS x, 'w' AS y)),
    (7, 'X', TIMESTAMP_NTZ '2024-01-01 15:00', 4.0D, ARRAY('t'), MAP('k', 1), STRUCT(5 AS x, 'w' AS y))
    AS v(a, b, ts, d, tags, m, r)
"""
_U = """
    CREATE TABLE u USING parquet AS SELECT /*+ COALESCE(1) */ * FROM VALUES
    (1, 'x', TIMESTAMP_NTZ '2024-01-01 10:00'),
    (2, 'z', TIMESTAMP_NTZ '2024-01-01 11:00'),
    (2, NULL, TIMESTAMP_NTZ '2024-01-02 12:00'),
    (9, 'x', TIMESTAMP_NTZ '2024-01-03 13:00')
    AS u(ua, ub, uts)
"""


@attrs.frozen
class Line:
    """A line of a table on the page: the names in PySpark, and the code to write here."""

    section: str
    names: tuple[str, ...]
    here: tuple[str, ...]


def _lines(section: str) -> Iterator[Line]:
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("|")]
    for there, here, _ in rows[2:]:
        codes = tuple(code.replace("\\|", "|") for code in re.findall(r"`([^`]+)`", here))
        yield Line(section, tuple(re.findall(r"`((?:na\.)?\w+)", there)), codes)


LINES = [line for section in SECTIONS for line in _lines(section)]
PAIRS = [(here, call) for line in LINES for here in line.here for call in CALLS[line.section].get(here, ())]


@pytest.mark.parametrize("section", CLASSES)
def test_every_method_of_pyspark_is_on_the_page(section: str) -> None:
    names = {name.split(".")[0] for line in LINES if line.section == section for name in line.names}
    assert names == {name for name in dir(CLASSES[section][0]) if not name.startswith("_")}


def test_every_function_of_pyspark_has_its_name_or_is_on_the_page() -> None:
    functions = {
        name
        for name, function in inspect.getmembers(spark_functions, inspect.isfunction)
        if not name.startswith("_") and function.__module__.startswith("pyspark.sql.")
    }
    called_by_name = {
        name for name in functions if name in expressions.__all__ or hasattr(Expression, name) or BUILT_INS.find(name)
    }
    assert {name for line in LINES if line.section == "Functions" for name in line.names} == functions - called_by_name


def test_every_line_is_compared_or_has_a_reason() -> None:
    written = {here for line in LINES for here in line.here if not here.startswith(_SPARK_ONLY) and "…" not in here}
    compared = {here for calls in CALLS.values() for here in calls}
    # Some lines are in two sections.
    assert written == compared | set(pyspark_calls.WITHOUT_A_CALL)
    assert not compared & set(pyspark_calls.WITHOUT_A_CALL)


@pytest.mark.parametrize("line", [line for line in LINES if line.here], ids=lambda line: ", ".join(line.names))
def test_every_name_of_a_line_is_compared(line: Line) -> None:
    known = {**CALLS["DataFrame"], **CALLS[line.section]}
    calls = " ".join(call for here in line.here for call in known.get(here, [here]))
    left = {name for name in line.names if not re.search(rf"\b{name}\b", calls)}
    if any("…" in here or here == _SPARK_ONLY or here.startswith(_SPARK_ONLY) for here in line.here):
        return
    assert left <= set(pyspark_calls.UNCOMPARED_NAMES)


@pytest.mark.parametrize(
    "line",
    [line for line in LINES if all(here.startswith(_SPARK_ONLY) for here in line.here)],
    ids=lambda line: ", ".join(line.names),
)
def test_members_left_to_spark_do_not_exist(line: Line) -> None:
    for name in line.names:
        pythonic = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.removeprefix("na.")).lower()
        for spelling in {name, pythonic, pythonic.replace("_", "")}:
            if line.section in CLASSES:
                assert not hasattr(CLASSES[line.section][1], spelling), spelling
            assert spelling not in expressions.__all__
            assert not hasattr(Expression, spelling)
            assert line.section == "DataFrame" or BUILT_INS.find(spelling) is None


# --- the lines run ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scope(spark: SparkSession) -> Iterator[dict[str, Any]]:
    """The names that the lines use, and those that the PySpark calls use."""
    te = TableEnvironment.create()
    spark = te.spark
    spark.sql("CREATE DATABASE from_pyspark")
    te.use_database("from_pyspark")
    spark.sql("USE from_pyspark")
    spark.sql(_V)
    spark.sql("CREATE TABLE t USING parquet AS SELECT /*+ COALESCE(1) */ a, b, ts FROM v")
    spark.sql(_U)
    spark.sql("CREATE TABLE page_target USING parquet AS SELECT a, b, ts FROM v WHERE FALSE")
    [(location,)] = spark.sql("DESCRIBE EXTENDED t").where("col_name = 'Location'").select("data_type").collect()
    here = {name: getattr(module, name) for module in (tableapi, expressions, window) for name in module.__all__}
    yield {
        **here,
        **{name: getattr(pyspark_functions, name) for name in dir(pyspark_functions) if not name.startswith("_")},
        **pyspark_functions.functions_of_pyspark(),
        **{name: te.from_path(name) for name in "tuv"},
        "te": te,
        "spark": spark,
        "df": spark.table("t"),
        "du": spark.table("u"),
        "dv": spark.table("v"),
        "files": location,
        "functions": spark_functions,
        "F": spark_functions,
        "W": Window,
        "StorageLevel": StorageLevel,
        "StructType": StructType,
    }
    te.clear_cache()
    spark.sql("USE default")
    spark.sql("DROP DATABASE from_pyspark CASCADE")


def _evaluate(code: str, scope: dict[str, Any]) -> Any:
    """Return the value of a line or call; for a column, the rows that it selects or orders."""
    made = eval(code, dict(scope))  # the page and the calls are ours
    table, frame, col, total = scope["v"], scope["dv"], expressions.col, spark_functions.sum
    if isinstance(made, OverWindow):
        return table.select(col("a").sum.over(made))
    if isinstance(made, type(Window.partitionBy())):
        return frame.select(total("a").over(made))
    is_ordering = re.search(r"\b(asc|desc)", code) is not None
    if isinstance(made, Expression):
        return table.order_by(made, col("ts")).select(col("ts")) if is_ordering else table.select(made)
    if isinstance(made, Column):
        return frame.orderBy(made, "ts").select("ts") if is_ordering else frame.select(made)
    return made


def _comparable(made: Any, in_order: bool) -> Any:
    """Convert a value of either side to a form in which both are equal."""
    if isinstance(made, Table):
        made = made.execute().collect()
    if isinstance(made, DataFrame):
        made = made.collect()
    if isinstance(made, pa.Table):
        return made.to_pylist()
    if isinstance(made, pd.DataFrame):
        return made.to_csv()
    if isinstance(made, ResolvedSchema):
        return [(column.name, column.data_type.as_summary_string().split(" NOT")[0]) for column in made.columns]
    if isinstance(made, StructType):
        return [(field.name, field.dataType.simpleString().upper().removesuffix("_NTZ")) for field in made]
    if isinstance(made, dict):
        return [(name, kind.upper().removesuffix("_NTZ")) for name, kind in made.items()]
    if isinstance(made, (list, Iterator)):
        rows = [_text(row) for row in made]
        return rows if in_order else sorted(rows)
    return made


def _text(value: Any) -> str:
    """Return the text of a row, with rounded numbers."""
    if isinstance(value, float):
        return f"{value:.9g}"
    if isinstance(value, dict):
        return str({key: _text(item) for key, item in value.items()})
    if isinstance(value, (list, tuple, Row)):
        return f"({', '.join(map(_text, value))})"
    return str(value)


@pytest.mark.parametrize("pair", some_nightly(PAIRS), ids=lambda pair: pair[1])
def test_lines_equal_pyspark(pair: tuple[str, str], scope: dict[str, Any]) -> None:
    here, call = pair
    in_order = re.search(r"^t\.order_by|\.(asc|desc)\b", here) is not None
    after = pyspark_calls.EFFECTS.get(here)
    values = []
    for side, code in enumerate((here, call)):
        made = _evaluate(code, scope)
        if isinstance(made, Table) and not re.search(r"\b(size|words|Lengths|Count|CountBoth)\b", code):
            for layout in ("NESTED", "MERGED"):
                assert made.as_serializable_string(layout=layout)
            if not after and _has_plan_of(made, call, scope):
                _undo(here + call, scope)
                return
        if after:
            made = eval(after[side], dict(scope))
        values.append(_comparable(made, in_order))
        _undo(code, scope)
    assert values[0] == values[1]


def _has_plan_of(table: Table, call: str, scope: dict[str, Any]) -> bool:
    """Whether Spark runs the same plan for a table and for a call, so that the rows need not be compared."""
    frame = _evaluate(call, scope)
    return isinstance(frame, DataFrame) and is_same_plan(table.to_spark(), frame)


def _undo(code: str, scope: dict[str, Any]) -> None:
    """Undo the changes that a line or call made to the session."""
    te, spark = scope["te"], scope["spark"]
    te.clear_cache()
    spark.catalog.clearCache()
    if "recent" in code:
        if "recent" in te.list_temporary_views():
            te.drop_temporary_view("recent")
        spark.catalog.dropTempView("recent")
    if "page_target" in code:
        spark.sql("TRUNCATE TABLE page_target")


@pytest.mark.parametrize("code", pyspark_calls.WITHOUT_A_CALL)
def test_a_line_without_a_call_runs(code: str, scope: dict[str, Any]) -> None:
    eval(code, dict(scope))  # the page is ours


@pytest.mark.parametrize(
    "code",
    [code for line in LINES for code in line.here if code.startswith(_SPARK_ONLY) and code != _SPARK_ONLY],
)
def test_members_left_to_spark_run_on_dataframes(code: str, scope: dict[str, Any]) -> None:
    eval(code, dict(scope))  # the page is ours


def test_merge_is_handed_to_spark(scope: dict[str, Any]) -> None:
    with pytest.raises(TableException, match="MERGE"):
        scope["te"].execute_sql("MERGE INTO page_target USING u ON a = ua WHEN MATCHED THEN DELETE")
