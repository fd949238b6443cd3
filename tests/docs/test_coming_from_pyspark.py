"""The page for those who come from PySpark: complete, and every expression on it works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pyspark.sql import Column, DataFrame, GroupedData, SparkSession, Window

import tableapi
from tableapi import DataTypes, EnvironmentSettings, Table, TableEnvironment, expressions, window

PAGE = (Path(__file__).parents[2] / "docs" / "coming-from-pyspark.md").read_text(encoding="utf-8")


def _section(title: str) -> list[list[str]]:
    """Return the cells of the table below a title."""
    text = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


@pytest.mark.parametrize("cls", [DataFrame, GroupedData, Column, Window], ids=lambda c: c.__name__)
def test_every_method_is_there(cls: type) -> None:
    listed = {name for row in _section(cls.__name__) for name in re.findall(r"`(\w+)", row[0])}
    public = {name for name in dir(cls) if not name.startswith("_")}
    assert listed == public


EXPRESSIONS = [
    code.replace("\\|", "|")
    for title in ("DataFrame", "GroupedData", "Column", "Window")
    for row in _section(title)
    for code in re.findall(r"`([^`]+)`", row[1])
    # What runs a query, or needs Spark's catalog, is tested elsewhere.
    if not re.search(r"\bexecute|to_spark|to_pandas|to_arrow|te\.", code)
]


@pytest.fixture(scope="module")
def scope(spark: SparkSession) -> dict[str, object]:
    """Names of the code; some of it runs, and a process has one session: that of the other tests."""
    te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    types = [DataTypes.INT(), DataTypes.STRING(), DataTypes.TIMESTAMP()]

    def table(*names: str) -> Table:
        fields = [DataTypes.FIELD(name, data_type) for name, data_type in zip(names, types, strict=True)]
        return te.from_elements([], DataTypes.ROW(fields))

    found = {name: getattr(module, name) for module in (tableapi, expressions, window) for name in module.__all__}
    return {**found, "te": te, "t": table("a", "b", "ts"), "u": table("ua", "ub", "uts")}


@pytest.mark.parametrize("code", EXPRESSIONS)
def test_expression(code: str, scope: dict[str, object]) -> None:
    made = eval(code, dict(scope))  # the page is ours
    # Bounds of windows, windowed aggregates and outer references are no columns by themselves.
    if isinstance(made, tableapi.Expression) and not code.isupper() and "over" not in code and "outer" not in code:
        table = scope["t"]
        assert isinstance(table, Table)
        ordering = ".asc" in code or ".desc" in code
        made = table.order_by(made) if ordering else table.select(made)
    assert repr(made)
    if isinstance(made, Table):
        assert made.as_serializable_string()
