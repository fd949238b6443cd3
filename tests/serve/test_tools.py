"""Every tool of ``tableapi serve``: its schema, its answers, and that they are those of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tableapi.command_line import main
from tests.project.projects import replace
from tests.serializer.tree_json.documents import schema_errors
from tests.serve.conftest import Server

TOOLS = ["compile", "types", "explain_error", "lineage", "diff", "plan", "check", "functions"]


@pytest.mark.slow
def test_each_tool_is_described(server: Server) -> None:
    tools = server.portal.call(server.client.list_tools).tools
    assert [tool.name for tool in tools] == TOOLS
    for tool in tools:
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        schema = tool.input_schema
        jsonschema.Draft202012Validator.check_schema(schema)
        assert not schema["additionalProperties"]
        assert set(schema["required"]) <= set(schema["properties"])
        for parameter in schema["properties"].values():
            assert parameter["type"] in ("string", "boolean", "integer")
            assert parameter["description"].endswith(".")


# --- as on the command line ------------------------------------------------------------------------------------------

SAME = [
    ("compile", {"query": "sales.late"}, ["explain", "sales.late"], 0),
    ("compile", {"query": "sales.late", "target": "spark-3.5"}, ["explain", "sales.late", "--target", "spark-3.5"], 0),
    ("compile", {"query": "SELECT id FROM large"}, ["explain", "SELECT id FROM large"], 0),
    (
        "compile",
        {"query": "CREATE TABLE t (a INT); SELECT a + 1 AS b FROM t", "tree_json": True},
        ["explain", "CREATE TABLE t (a INT); SELECT a + 1 AS b FROM t", "--tree-json"],
        0,
    ),
    (
        "compile",
        {"query": "DELETE FROM sales.orders WHERE id = 1"},
        ["explain", "DELETE FROM sales.orders WHERE id = 1"],
        0,
    ),
    ("diff", {"old": "HEAD~1:sales.late", "new": "sales.late"}, ["diff", "HEAD~1:sales.late", "sales.late"], 1),
    ("diff", {"old": "sales.late", "new": "sales.late"}, ["diff", "sales.late", "sales.late"], 0),
    ("plan", {"since": "HEAD~1"}, ["plan", "--since", "HEAD~1"], 0),
    ("plan", {"since": "HEAD~1", "target": "production"}, ["plan", "production", "--since", "HEAD~1"], 0),
    ("plan", {"target": "files"}, ["plan", "files"], 0),
    ("check", {}, ["check", "--all"], 0),
    ("check", {"target": "old"}, ["check", "--all", "--target", "old"], 0),
    ("functions", {"pattern": "hypot"}, ["functions", "hypot"], 0),
    ("functions", {"pattern": "json*"}, ["functions", "json*"], 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "arguments", "command", "code"), SAME)
def test_a_tool_answers_as_the_command_line(
    tool: str,
    arguments: dict[str, Any],
    command: list[str],
    code: int,
    server: Server,
    twin: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = [] if tool == "functions" else ["-C", str(twin)]
    assert main([*command, *options, "--json"]) == code
    # The views of this project print.
    printed = capsys.readouterr().out
    assert server.document(tool, **arguments) == json.loads(printed[printed.index("{\n") :])


@pytest.mark.slow
def test_lineage_is_that_of_the_command_line_without_the_facet(
    server: Server, twin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lineage", "sales.large.customer", "--depth", "1", "-C", str(twin), "--json"]) == 0
    printed = capsys.readouterr().out
    expected = json.loads(printed[printed.index("{\n") :])
    del expected["openlineage"]
    assert server.document("lineage", name="sales.large.customer", depth=1) == expected
    assert set(expected) == {"verb", "version", "name", "upstream", "downstream", "steps"}


# --- compile ---------------------------------------------------------------------------------------------------------


def test_compile(server: Server) -> None:
    found = server.document("compile", query="report.sql", tree_json=True)
    assert found["sql"] == (
        "SELECT customer, SUM(amount) AS total\nFROM spark_catalog.sales.orders\nWHERE id > 0\nGROUP BY customer"
    )
    assert found["columns"] == [
        {"name": "customer", "type": "STRING", "nullable": True},
        {"name": "total", "type": "DECIMAL(20, 2)", "nullable": True},
    ]
    assert not schema_errors(json.dumps(found["query"]))
    assert "query" not in server.document("compile", query="report.sql")


def test_an_argument_that_is_null_has_its_default(server: Server) -> None:
    given = {"query": "sales.late", "target": None, "tree_json": None}
    assert server.document("compile", **given) == server.document("compile", query="sales.late")


# --- types -----------------------------------------------------------------------------------------------------------


def test_types(server: Server) -> None:
    [large] = server.document("types", name="spark_catalog.sales.`large`")["relations"]
    assert large == {
        "name": "sales.large",
        "kind": "view",
        "comment": "Large orders.",
        "file": "views/orders.py:5",
        "columns": [
            {"name": "id", "type": "BIGINT", "nullable": False},
            {"name": "customer", "type": "STRING", "nullable": True},
            {"name": "day", "type": "DATE", "nullable": True},
        ],
    }
    [orders] = server.document("types", name="orders")["relations"]
    assert (orders["kind"], [column["name"] for column in orders["columns"]]) == (
        "table",
        ["id", "customer", "amount", "day"],
    )
    late, large = server.document("types", name="sales.la*")["relations"][::-1]
    assert (late["file"], large["name"]) == ("catalog/sales/views/late.sql", "sales.large")


def test_types_without_columns(server: Server) -> None:
    relations = server.document("types", columns=False)["relations"]
    assert {"name": "sales.orders", "kind": "table"} in relations
    assert {"name": "sales.late", "kind": "view"} in relations
    assert all(set(relation) == {"name", "kind"} for relation in relations)


def test_types_of_what_cannot_be_read_are_the_problem(server: Server, edited: Path) -> None:
    replace(edited, "catalog/sales/tables/orders.sql", "BIGINT", "BIGGINT")
    found = {relation["name"]: relation for relation in server.document("types")["relations"]}
    for name in ("sales.orders", "sales.large"):
        assert "BIGGINT" in found[name]["problem"]
        assert "columns" not in found[name]


# --- errors ----------------------------------------------------------------------------------------------------------


def test_explain_error_of_sql(server: Server) -> None:
    found = server.document("explain_error", query="SELECT\n  amuont FROM sales.orders")
    problem = found["problem"]
    assert not found["is_valid"]
    assert (problem["line"], problem["column"], problem["file"]) == (2, 3, "")
    assert "input field list:[id, customer, amount, day]. Did you mean 'amount'?" in problem["message"]
    assert problem["condition"] == "UNRESOLVED_COLUMN.WITH_SUGGESTION"
    assert problem["sql_state"] == "42703"
    assert problem["meaning"] == "A name means no column of the relations in scope."


def test_explain_error_of_a_file(server: Server) -> None:
    problem = server.document("explain_error", query="broken.sql")["problem"]
    assert (problem["file"], problem["line"], problem["column"]) == ("broken.sql", 2, 3)


def test_explain_error_of_syntax(server: Server) -> None:
    problem = server.document("explain_error", query="SELECT id FORM sales.orders")["problem"]
    assert problem["condition"] == "PARSE_SYNTAX_ERROR"
    assert problem["sql_state"] == "42601"


def test_explain_error_of_a_view_names_the_cause(server: Server, edited: Path) -> None:
    replace(edited, "views/orders.py", 'col("amount")', 'col("amuont")')
    problem = server.document("explain_error", query="sales.large")["problem"]
    assert (problem["file"], problem["line"], problem["because_of"]) == ("views/orders.py", 7, "")
    assert "Did you mean 'amount'?" in problem["message"]
    assert problem["condition"] == "UNRESOLVED_COLUMN.WITH_SUGGESTION"
    assert server.document("explain_error", query="late")["problem"]["because_of"] == "sales.large"


def test_explain_error_of_a_valid_query(server: Server) -> None:
    for query in ("sales.late", "report.sql", "SELECT 1"):
        found = server.document("explain_error", query=query)
        assert (found["is_valid"], found["problem"]) == (True, None)


@pytest.mark.parametrize("code", ["UNRESOLVED_COLUMN", "unresolved_column.with_suggestion", "[UNRESOLVED_COLUMN]"])
def test_explain_error_of_a_condition(code: str, server: Server) -> None:
    [meaning] = server.document("explain_error", code=code)["meanings"]
    assert meaning == {
        "condition": "UNRESOLVED_COLUMN",
        "sql_state": "42703",
        "meaning": "A name means no column of the relations in scope.",
        "class": "syntax error or access rule violation: the statement itself is invalid",
    }


def test_explain_error_of_a_state(server: Server) -> None:
    conditions = [one["condition"] for one in server.document("explain_error", code="22012")["meanings"]]
    assert conditions == ["DIVIDE_BY_ZERO", "REMAINDER_BY_ZERO"]
    [unknown] = server.document("explain_error", code="22ZZZ")["meanings"]
    assert (unknown["condition"], unknown["class"]) == ("", "data exception: a value is invalid for an operation")


# --- the project -----------------------------------------------------------------------------------------------------


def test_directions_of_lineage(server: Server) -> None:
    up = server.document("lineage", name="sales.late.customer", direction="up")
    assert {"sales.orders", "sales.large"} == {one["dataset"] for one in up["upstream"]}
    assert "downstream" not in up
    down = server.document("lineage", name="sales.orders.customer", direction="down")
    assert "upstream" not in down
    assert {"sales.by_customer", "sales.late"} < {one["dataset"] for one in down["downstream"]}


def test_diff_of_a_file_at_a_revision(server: Server) -> None:
    found = server.document("diff", old="HEAD~1:report.sql", new="report.sql")
    assert found["differ"]
    assert found["is_compatible"]
    assert not server.document("diff", old="HEAD:report.sql", new="report.sql")["differ"]


def test_diff_at_a_revision_takes_the_modules_of_that_time(server: Server) -> None:
    # The helper module of the view has another number since then, and is loaded already.
    assert not server.document("diff", old="sales.helped", new="sales.helped")["differ"]
    [change] = server.document("diff", old="HEAD~1:sales.helped", new="sales.helped")["changes"]
    assert "`id` > 1" in change
    assert "`id` > 2" in change
    assert server.document("compile", query="sales.helped")["sql"].endswith("WHERE id > 2")


def test_a_text_with_a_colon_has_no_revision(server: Server) -> None:
    found = server.document(
        "diff", old="SELECT id::INT AS a FROM orders", new="SELECT CAST(id AS INT) AS a FROM orders"
    )
    assert not found["differ"]


def test_plan_names_what_changed(server: Server) -> None:
    steps = {step["view"]: step["action"] for step in server.document("plan", since="HEAD~1")["steps"]}
    assert steps == {"spark_catalog.sales.helped": "replace", "spark_catalog.sales.late": "replace"}


def test_check_has_the_problems(server: Server, edited: Path) -> None:
    replace(edited, "catalog/sales/views/late.sql", "customer", "custmer")
    [finding] = server.document("check")["findings"]
    assert (finding["subject"], finding["file"], finding["line"]) == ("sales.late", "catalog/sales/views/late.sql", 1)
    assert "Did you mean 'customer'?" in finding["message"]


def test_functions_are_found_by_what_they_do(server: Server) -> None:
    names = server.document("functions", about="median")["functions"]
    assert "MEDIAN" in {name.upper() for name in names}
    assert len(names) < 10
    found = server.document("functions", pattern="leven*", about="substitute")
    assert [name.upper() for name in found["functions"]] == ["LEVENSHTEIN"]
    assert "LEVENSHTEIN" in found["description"].upper()
