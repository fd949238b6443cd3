"""Texts with a deeply nested or very long part: the cost of each step is linear in the length of the text.

The tests count function calls, which are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ir.errors import TableException
from ir.types import DEEPEST_TYPE
from tableapi import DataTypes, EnvironmentSettings, Table, TableEnvironment, format_sql
from tests.counting import calls

pytestmark = pytest.mark.long


def _around(before: str, inner: str, after: str) -> Callable[[int], str]:
    return lambda depth: f"SELECT {before * depth}{inner}{after * depth} AS a FROM t"


def _numbered(before: str, inner: str, after: str) -> Callable[[int], str]:
    return lambda depth: (
        "SELECT " + "".join(before.format(i) for i in range(depth)) + inner + after * depth + " AS a FROM t"
    )


FORMS: dict[str, Callable[[int], str]] = {
    "case_in_else": _numbered("CASE WHEN k = {} THEN 1 ELSE ", "0", " END"),
    "case_in_then": _numbered("CASE WHEN k > {} THEN ", "0", " END"),
    "case_in_when": lambda depth: (
        "SELECT " + "CASE WHEN " * depth + "b" + "".join(f" THEN b ELSE k = {i} END" for i in range(depth)) + " FROM t"
    ),
    "case_of_value": _numbered("CASE k WHEN {} THEN 1 ELSE ", "0", " END"),
    "if": _around("IF(b, k, ", "0", ")"),
    "coalesce": _around("COALESCE(k, ", "0", ")"),
    "function": _around("UPPER(", "s", ")"),
    "concat": _around("CONCAT('a', ", "s", ")"),
    "cast": lambda depth: "SELECT " + "CAST(CAST(" * depth + "k" + " AS STRING) AS INT)" * depth + " AS a FROM t",
    "parentheses": _around("(", "k", " + 1)"),
    "parentheses_on_the_right": _around("(k * ", "k", ")"),
    "not": _around("NOT (b AND ", "b", ")"),
    "minus": _around("-(k + ", "k", ")"),
    "between": _around("(k BETWEEN 1 AND 2 AND ", "b", ")"),
    "plus": _around("k + ", "k", ""),
    "or": _numbered("k = {} OR ", "b", ""),
    "scalar_subquery": lambda depth: (
        "SELECT k AS a FROM t WHERE k = " + "(SELECT MAX(k) FROM t WHERE k = " * depth + "1" + ")" * depth
    ),
    "in_subquery": lambda depth: (
        "SELECT k AS a FROM t WHERE k IN " + "(SELECT k FROM t WHERE k IN " * depth + "(1)" + ")" * depth
    ),
    "derived_table": lambda depth: "SELECT k AS a FROM " + "(SELECT k + 1 AS k FROM " * depth + "t" + ")" * depth,
    "columns": lambda width: f"SELECT {', '.join(f'k + {i} AS c{i}' for i in range(width))} FROM t",
    "in": lambda width: f"SELECT k IN ({', '.join(map(str, range(width)))}) AS a FROM t",
}
# As deep as types may be nested.
NESTED_TYPES: dict[str, Callable[[int], str]] = {
    "field": lambda depth: "SELECT " + "NAMED_STRUCT('f', " * depth + "k" + ")" * depth + ".f" * depth + " AS a FROM t",
    "subscript": _around("ARRAY(", "k", ")[0]"),
}
STEPS: dict[str, Callable[[Table, str], object]] = {
    "nested": lambda table, text: table.as_serializable_string(),
    "merged": lambda table, text: table.as_serializable_string(layout="MERGED"),
    "flink": lambda table, text: table.as_serializable_string("FLINK"),
    "summary": lambda table, text: table.query_operation.as_summary_string(),
    "normalize": lambda table, text: table.query_operation.normalize(),
    "python": lambda table, text: table.to_python(),
    "format": lambda table, text: format_sql(text),
}


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    te = TableEnvironment.create(settings)
    te.create_temporary_view("t", te.from_elements([(1, "x", True)], ["k", "s", "b"]))
    return te


def _costs(te: TableEnvironment, text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    tables: list[Table] = []
    found["read"] = calls(lambda: tables.append(te.sql_query(text)))
    for name, step in STEPS.items():
        found[name] = calls(lambda step=step: step(tables[0], text))  # type: ignore[misc]  # mypy takes the default for none
    return found


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_the_cost_grows_as_the_depth(te: TableEnvironment, form: str) -> None:
    _costs(te, FORMS[form](4))
    # Lists are not nested, and they are only long once they are broken into lines.
    size = 60 if form in ("columns", "in") else 20
    few, many = _costs(te, FORMS[form](size)), _costs(te, FORMS[form](4 * size))
    assert {step: cost for step, cost in many.items() if cost > 4.6 * few[step]} == {}


@pytest.mark.parametrize("form", NESTED_TYPES)
def test_types_are_nested_up_to_a_limit(te: TableEnvironment, form: str) -> None:
    text = NESTED_TYPES[form]
    table = te.sql_query(text(DEEPEST_TYPE))
    for layout in ("NESTED", "MERGED"):
        assert te.sql_query(table.as_serializable_string(layout=layout)).query_operation is table.query_operation
    assert "f" in table.to_python()
    for depth in (DEEPEST_TYPE + 1, 2_000) if form == "field" else ():
        with pytest.raises(TableException, match=r"nested more than 100 levels deep"):
            te.sql_query(text(depth))


def test_a_chain_of_fields_is_looked_through_once(te: TableEnvironment) -> None:
    def cost(depth: int) -> int:
        # The chain is rejected at its innermost field, after the whole text has been read.
        text = f"SELECT (NAMED_STRUCT('f', k)){'.f' * depth} AS a FROM t"

        def read() -> None:
            with pytest.raises(TableException):
                te.sql_query(text)

        return calls(read)

    cost(5)
    assert cost(1_200) <= 4.4 * cost(300)


@pytest.mark.parametrize("text", ["ARRAY<{}>", "MAP<INT, {}>", "STRUCT<f: {}>"])
@pytest.mark.parametrize("depth", [DEEPEST_TYPE + 1, 300])
def test_deeper_types_are_refused_everywhere(te: TableEnvironment, text: str, depth: int) -> None:
    written = "INT"
    for _ in range(depth):
        written = text.format(written)
    for work in (
        lambda: te.sql_query(f"SELECT CAST(NULL AS {written}) AS a"),
        lambda: te.declare("deep", {"a": written}),
    ):
        with pytest.raises(TableException, match=r"nested more than 100 levels deep"):
            work()


def test_deeper_types_are_refused_in_fluent_calls() -> None:
    made = DataTypes.INT()
    for _ in range(DEEPEST_TYPE):
        made = DataTypes.ARRAY(made)
    with pytest.raises(TableException, match=r"nested more than 100 levels deep"):
        DataTypes.ARRAY(made)


@pytest.mark.slow
def test_a_very_deep_case_is_written_and_read(te: TableEnvironment) -> None:
    for form in ("case_in_else", "case_in_then", "case_in_when"):
        table = te.sql_query(FORMS[form](2_000))
        for layout in ("NESTED", "MERGED"):
            assert te.sql_query(table.as_serializable_string(layout=layout)).query_operation is table.query_operation


@pytest.mark.slow
def test_a_script_of_many_statements(te: TableEnvironment) -> None:
    def cost(length: int) -> int:
        views = [f"CREATE OR REPLACE TEMPORARY VIEW w{i % 7} AS SELECT k + {i} AS a FROM t;\n" for i in range(length)]
        return calls(lambda: te.execute_script("".join(views)).wait())

    cost(100)
    assert cost(400) <= 4.6 * cost(100)
