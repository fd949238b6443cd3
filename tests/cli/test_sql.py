"""The command ``tableapi sql``: compiles a query for a target, without Spark."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tableapi.command_line import main

DECLARED = "CREATE TABLE orders (id INT, status STRING);\n"


@pytest.fixture
def query(tmp_path: Path) -> Path:
    path = tmp_path / "query.sql"
    path.write_text(DECLARED + "SELECT DAYNAME(DATE '2024-02-29') AS day FROM orders WHERE status = 'open'")
    return path


def test_newest_target_is_the_default(query: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", str(query)]) == 0
    assert capsys.readouterr().out == (
        "SELECT DAYNAME(DATE '2024-02-29') AS day\nFROM spark_catalog.default.orders\nWHERE status = 'open'\n"
    )


def test_older_target_gets_an_equivalent(query: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", str(query), "--target", "spark-3.5"]) == 0
    assert capsys.readouterr().out.startswith("SELECT DATE_FORMAT(DATE '2024-02-29', 'EEE') AS day\n")


def test_stdin_and_layout(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("SELECT a FROM VALUES (1), (2) AS t(a) WHERE a > 1"))
    assert main(["sql", "-", "--layout", "nested"]) == 0
    assert capsys.readouterr().out.count("SELECT") == 2


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("SELECT PARSE_JSON('1') AS a", ["--target", "spark-3.5"], "PARSE_JSON('1') needs Spark 4.0; the target is"),
        ("SELECT 1", ["--target", "spark-3.4"], "'spark-3.4' is no target; accepted are spark-3.5,"),
        ("SELECT 1; SELECT 2", [], "SELECT is no declaration."),
        ("", [], "error: "),
        ("SELECT FROM", [], "error: "),
        ("SELECT missing FROM VALUES (1) AS t(a)", [], "missing"),
    ],
)
def test_errors_are_one_sentence_and_exit_code_2(
    text: str, arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "query.sql"
    path.write_text(text)
    assert main(["sql", str(path), *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith(f"error: {path}: "), "Traceback" in err) == ("", True, False)
    assert message in err


def test_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", str(tmp_path / "none.sql")]) == 2
    assert "cannot be read: No such file or directory." in capsys.readouterr().err


# --- SQL as the argument, and statements ------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    assert main(["init", str(folder)]) == 0
    monkeypatch.chdir(folder)
    return folder


def test_sql_itself_reads_the_tables_of_the_project(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["sql", "SELECT COUNT(*) AS n FROM sales.orders"]) == 0
    assert capsys.readouterr().out == "SELECT COUNT(1) AS n\nFROM spark_catalog.sales.orders\n"


def test_sql_itself_needs_no_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sql", "CREATE TABLE t (a INT); SELECT a + 1 AS b FROM t"]) == 0
    assert capsys.readouterr().out == "SELECT a + 1 AS b\nFROM spark_catalog.default.t\n"
    assert main(["sql", "SELECT a FROM sales.orders"]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_statements_about_tables(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["sql", "insert into sales.orders (id) values (1)"]) == 0
    assert capsys.readouterr().out == "INSERT INTO `spark_catalog`.`sales`.`orders` (`id`)\nVALUES\n    (1)\n"
    assert main(["explain", "DELETE FROM sales.orders WHERE id = 1", "--tree-json"]) == 2
    assert "--tree-json is for queries, and this is a statement about a table" in capsys.readouterr().err
    assert main(["explain", "DELETE FROM sales.orders WHERE id = 1"]) == 0
    out = capsys.readouterr().out
    assert "DeleteRows: (table: [spark_catalog.sales.orders], where: [equals(id, 1)])" in out
    assert "Columns" not in out
    assert main(["sql", "UPDATE sales.orders SET amuont = 1"]) == 2
    assert "Did you mean 'amount'?" in capsys.readouterr().err


def test_declarations_do_not_reach_the_project(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(project.rglob("*"))
    assert main(["sql", "CREATE TABLE sales.more (a INT); SELECT * FROM sales.orders"]) == 2
    assert main(["sql", "DROP TABLE sales.orders"]) == 0
    assert [path for path in sorted(project.rglob("*")) if "__pycache__" not in path.parts] == [
        path for path in before if "__pycache__" not in path.parts
    ]


def test_a_misspelt_query_is_read_as_sql(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", "SELEC 1"]) == 2
    assert "Did you mean SELECT instead of SELEC?" in capsys.readouterr().err


def test_statements_are_not_compared(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "DELETE FROM sales.orders", "sales.large_orders"]) == 2
    assert "is a statement about a table, and two queries can be compared" in capsys.readouterr().err
    assert main(["diff", "SELECT id FROM sales.orders", "SELECT id AS x FROM sales.orders"]) == 1
    assert "the column `id` was renamed to `x`" in capsys.readouterr().out
