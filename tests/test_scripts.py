"""Scripts: several statements, executed in order; errors name the position in the script."""

from __future__ import annotations

import pytest

from grammar.statement_words import statements_of
from tableapi import EnvironmentSettings, ScriptResults, TableEnvironment
from tableapi.exceptions import SqlParserException, TableException, TableNotExistException, ValidationException

VIEWS = """\
CREATE VIEW one (n) AS SELECT 1; -- the first; not the last
CREATE VIEW two (n) AS SELECT n + 1 FROM one;
SHOW VIEWS;
"""


@pytest.fixture
def te() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build())


@pytest.mark.parametrize(
    ("script", "statements"),
    [
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;", ["SELECT 1"]),
        (";; SELECT 1 ;;\n; SELECT 2", ["SELECT 1", "SELECT 2"]),
        (
            "SELECT ';' AS `;`; SELECT 2 /* ; */ + 1 -- ;\n; SELECT 3",
            ["SELECT ';' AS `;`", "SELECT 2 /* ; */ + 1 -- ;", "SELECT 3"],
        ),
        ("BEGIN SELECT 1; SELECT 2; END; SELECT 3", ["BEGIN SELECT 1; SELECT 2; END", "SELECT 3"]),
        (
            "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END; SELECT 3",
            ["EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END", "SELECT 3"],
        ),
        (
            "BEGIN IF a > 1 THEN SELECT CASE WHEN b THEN 1 END; END IF; l: WHILE c DO SELECT IF(a, 1, 2); END WHILE l; "
            "BEGIN SELECT 4; END; END; SELECT 5",
            [
                "BEGIN IF a > 1 THEN SELECT CASE WHEN b THEN 1 END; END IF; l: WHILE c DO SELECT IF(a, 1, 2); "
                "END WHILE l; BEGIN SELECT 4; END; END",
                "SELECT 5",
            ],
        ),
        ("SELECT CASE WHEN a THEN 1 END; SELECT 2", ["SELECT CASE WHEN a THEN 1 END", "SELECT 2"]),
        ("-- nothing\n;", []),
    ],
)
def test_statements_of_a_script(script: str, statements: list[str]) -> None:
    found = statements_of(script)
    assert [statement.lstrip() for statement in found] == statements
    for statement in found:
        # Each statement begins at its position in the script.
        line, column = statement.count("\n", 0, len(statement) - len(statement.lstrip())), statement.lstrip()
        assert script.split("\n")[line].startswith(column.split("\n")[0], len(statement) - len(column) - line)


def test_statements_are_executed_in_order_each_when_its_result_is_asked_for(te: TableEnvironment) -> None:
    results = te.execute_script(VIEWS)
    assert isinstance(results, ScriptResults)
    assert te.list_views() == []
    assert [tuple(row) for row in next(results).collect()] == [("OK",)]
    assert te.list_views() == ["one"]
    assert repr(results) == "ScriptResults(1 of 3 statements executed)"
    assert [[tuple(row) for row in result.collect()] for result in results] == [
        [("OK",)],
        [("default_database", "one", False), ("default_database", "two", False)],
    ]
    assert list(results) == []


def test_wait_executes_the_remaining_statements(te: TableEnvironment) -> None:
    te.execute_script("CREATE DATABASE sales; USE sales; CREATE VIEW one (n) AS SELECT 1").wait()
    assert te.get_current_database() == "sales"
    assert te.list_views() == ["one"]


def test_a_slip_of_the_pen_stops_the_whole_script(te: TableEnvironment) -> None:
    with pytest.raises(SqlParserException, match=r"\nline 3, column 1[0-9]:") as raised:
        te.execute_script(VIEWS.replace("SHOW VIEWS", "SELECT n FRM two x y"))
    assert te.list_views() == []
    assert raised.value.__notes__ == ["This is statement 3 of 3; none of them has been executed."]


def test_nothing_is_executed_after_a_failure(te: TableEnvironment) -> None:
    script = "CREATE VIEW one (n) AS SELECT 1;\n  CREATE VIEW two AS SELECT n FROM won; CREATE VIEW three AS SELECT 3"
    results = te.execute_script(script)
    with pytest.raises(TableException, match=r"(?s)won.*line 2, column 36:") as raised:
        results.wait()
    assert raised.value.__notes__ == [
        "This is statement 2 of 3. The statement before it was executed, and nothing after it will be."
    ]
    assert list(results) == []
    assert te.list_views() == ["one"]


def test_unexecuted_scripts_are_reported(te: TableEnvironment) -> None:
    with pytest.warns(UserWarning, match=r"No statement of a script of 3 was executed\. Iterate"):
        te.execute_script(VIEWS)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "takes the text of a script, but was given None"),
        (["SELECT 1"], r"takes the text of a script, but was given \['SELECT 1'\]"),
        ("", "has no statement"),
        ("-- nothing\n;", "has no statement"),
    ],
)
def test_invalid_scripts(te: TableEnvironment, given: object, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        te.execute_script(given)  # type: ignore[arg-type]  # the mistake


def test_an_unclosed_text_is_found_in_the_script(te: TableEnvironment) -> None:
    with pytest.raises(SqlParserException, match=r"line 2, column 8:"):
        te.execute_script("SELECT 1;\nSELECT 'x; SELECT 2")


def test_execute_sql_of_several_statements_names_execute_script(te: TableEnvironment) -> None:
    with pytest.raises(SqlParserException, match=r"te\.execute_script\(text\)"):
        te.execute_sql(VIEWS)
    with pytest.raises(TableNotExistException):
        te.from_path("one")
