"""The parts of the extension, without a kernel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableapi import (
    SqlParserException,
    Table,
    TableAlreadyExistException,
    TableEnvironment,
    TableResult,
    ValidationException,
)
from tableapi.display import prompts
from tableapi.notebook.completion import Completion
from tableapi.notebook.magic import run_statements
from tableapi.notebook.variables import environment_in
from tests.programs.tables import environment_without_spark

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def te() -> TableEnvironment:
    return environment_without_spark()


def test_the_extension_alone_needs_no_ipython() -> None:
    program = (
        "import sys, tableapi, tableapi.notebook.extension, tableapi.notebook.magic\n"
        "te = tableapi.TableEnvironment.create()\n"
        "te.from_elements([(1,)], ['a'])._repr_html_()\n"
        "print('IPython' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_package_without_the_extension_loads_none_of_it() -> None:
    program = "import sys, tableapi; print([name for name in sys.modules if name.startswith('tableapi.notebook')])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# --- prompts ----------------------------------------------------------------------------------------------------------


def test_a_script_does_not_replace_what_it_registered(te: TableEnvironment) -> None:
    assert not prompts.is_interactive()
    table = te.from_elements([(1,)], ["a"])
    te.create_temporary_view("v", table)
    with pytest.raises(TableAlreadyExistException, match="exists already"):
        te.create_temporary_view("v", table)


def test_a_prompt_replaces_it(te: TableEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    te.create_temporary_view("v", te.from_elements([(1,)], ["a"]))
    te.create_temporary_view("v", te.from_elements([("x",)], ["b"]))
    assert te.from_path("v").get_schema().get_field_names() == ["b"]
    assert te.list_temporary_views() == ["v"]


# --- statements -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELECT 1 AS a", Table),
        ("-- first\n(SELECT 1 AS a)", Table),
        ("WITH x AS (SELECT 1 AS a) SELECT * FROM x;", Table),
        ("VALUES (1), (2)", Table),
        ("FROM VALUES (1) AS t(a) |> SELECT a", Table),
        ("SHOW CATALOGS", TableResult),
        ("CREATE VIEW v AS SELECT 1 AS a", TableResult),
        ("CREATE VIEW v AS SELECT 1 AS a; SELECT a FROM v", Table),
        ("CREATE DATABASE d; ; SHOW CATALOGS;", TableResult),
        ("EXPLAIN SELECT 1 AS a", TableResult),
    ],
)
def test_a_query_is_a_table_and_a_statement_is_run(te: TableEnvironment, sql: str, kind: type) -> None:
    assert isinstance(run_statements(te, sql), kind)


def test_a_syntax_error_in_the_last_statement_runs_none(te: TableEnvironment) -> None:
    with pytest.raises(SqlParserException, match="line 2, column 12"):
        run_statements(te, "CREATE VIEW v AS SELECT 1 AS a;\nSHOW VIEWS x y z")
    assert te.list_views() == []


# --- environments -----------------------------------------------------------------------------------------------------


def test_one_environment_of_two_names_is_one(te: TableEnvironment) -> None:
    namespace: dict[str, Any] = {"te": te, "env": te, "_": environment_without_spark(), "n": 1}
    assert environment_in(namespace, None) is te
    assert environment_in(namespace, "env") is te


@pytest.mark.parametrize(
    ("others", "name", "message"),
    [
        ([], None, r"The notebook has no TableEnvironment\. Create one: te = TableEnvironment\.create\(\)\."),
        ([], "te", r"The variable 'te' of --env does not exist\. Create one"),
        (["one", "two"], None, r"There are several environments: \[one, two\]\. Choose one by --env\."),
        (
            ["one", "two"],
            "tow",
            r"'tow' of --env does not exist\. The environments are \[one, two\]\. Did you mean 'two'",
        ),
        (["one"], "n", r"'n' of --env is no TableEnvironment, but a int\. The environments are \[one\]\."),
    ],
)
def test_an_environment_that_cannot_be_chosen(others: list[str], name: str | None, message: str) -> None:
    namespace: dict[str, Any] = {"n": 1, **{other: environment_without_spark() for other in others}}
    with pytest.raises(ValidationException, match=message):
        environment_in(namespace, name)


# --- completion -------------------------------------------------------------------------------------------------------


def test_names_that_would_end_the_string_are_not_offered(te: TableEnvironment) -> None:
    table = te.from_elements([(1, 2, 3, 4)], ["it's", 'the "best"', "back\\slash", "plain"])
    completion = Completion({"table": table})
    assert completion.find("col('") == ("", ['the "best"', "plain"])
    assert completion.find('col("') == ("", ["it's", "plain"])


def test_a_name_is_found_in_any_case_and_offered_once(te: TableEnvironment) -> None:
    tables = {name: te.from_elements([(1,)], ["Amount"]) for name in ("a", "b", "_hidden")}
    assert Completion(tables).find('a.filter(col("aM') == ("aM", ["Amount"])


@given(st.text(alphabet="ab \n'\"(){}[]\\#.,=col", max_size=40))
def test_completion_of_any_text_offers_what_continues_it(text: str) -> None:
    table = environment_without_spark().from_elements([(1, 2)], ["aa", "ba"])
    written, names = Completion({"c": table}).find(text)
    assert text.endswith(written)
    assert all(name.startswith(written) for name in names)
