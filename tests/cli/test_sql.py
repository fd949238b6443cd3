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
