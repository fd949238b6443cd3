"""The command ``tableapi fmt``: in-place formatting, checks, differences, exit codes and errors."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from tableapi.command_line import main

DOCUMENTS = json.loads((Path(__file__).parents[2] / "docs" / "json-documents.json").read_text())
UNFORMATTED = "select a,b from t"
FORMATTED = "SELECT a, b\nFROM t\n"


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_formats_in_place(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.sql").write_text(UNFORMATTED)
    assert main(["fmt", "a.sql"]) == 0
    assert Path("a.sql").read_text() == FORMATTED
    assert capsys.readouterr() == ("", "formatted a.sql\n1 file was formatted.\n")


def test_nothing_is_written_when_unchanged(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("a.sql")
    path.write_text(FORMATTED)
    before = path.stat()
    assert main(["fmt", "a.sql"]) == 0
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert capsys.readouterr().err == "1 file already formatted.\n"


def test_check_lists_unformatted_files(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.sql").write_text(UNFORMATTED)
    Path("b.sql").write_text(FORMATTED)
    assert main(["fmt", "--check", "a.sql", "b.sql"]) == 1
    assert Path("a.sql").read_text() == UNFORMATTED
    assert capsys.readouterr() == ("a.sql\n", "1 file would be formatted, 1 file already formatted.\n")
    assert main(["fmt", "--check", "b.sql"]) == 0


def test_diff_shows_the_changes(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.sql").write_text(UNFORMATTED)
    assert main(["fmt", "--diff", "a.sql"]) == 1
    assert Path("a.sql").read_text() == UNFORMATTED
    assert capsys.readouterr().out.splitlines() == [
        "--- a.sql",
        "+++ a.sql (formatted)",
        "@@ -1 +1,2 @@",
        "-select a,b from t",
        "\\ No newline at end of file",
        "+SELECT a, b",
        "+FROM t",
    ]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    stdin(monkeypatch, b"select 'x\xc3\xa4', a\r\nfrom t")
    assert main(["fmt", "-"]) == 0
    assert capsysbinary.readouterr() == (b"SELECT 'x\xc3\xa4', a\r\nFROM t\r\n", b"")
    stdin(monkeypatch, UNFORMATTED.encode())
    assert main(["fmt", "--check", "-"]) == 1
    assert capsysbinary.readouterr().out == b"<stdin>\n"
    stdin(monkeypatch, b"select from t where")
    assert main(["fmt", "-"]) == 2
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert err.startswith(b"<stdin>: error: Cannot read the SQL:")


def test_directories(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("x/b.sql", "x/a.sql", "x/y/c.sql", "x/.hidden/d.sql", "x/e.txt", "x/.f.sql"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(UNFORMATTED)
    assert main(["fmt", "--check", "x", "x/a.sql", "./x/y"]) == 1
    assert capsys.readouterr().out.splitlines() == ["x/a.sql", "x/b.sql", "x/y/c.sql"]
    # A file named explicitly is formatted, whatever its extension.
    assert main(["fmt", "x/e.txt", "x/.f.sql"]) == 0
    assert Path("x/e.txt").read_text() == FORMATTED
    Path("empty").mkdir()
    assert main(["fmt", "empty"]) == 0
    assert capsys.readouterr().err.endswith("There are no SQL files.\n")


def test_errors_leave_a_file_alone_and_others_are_formatted(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.sql").write_text("select 1;\nselect a frm t wher\n")
    Path("b.sql").write_text(UNFORMATTED)
    Path("c.sql").write_bytes(b"select '\xff'")
    assert main(["fmt", "a.sql", "b.sql", "c.sql", "no.sql"]) == 2
    assert Path("a.sql").read_text() == "select 1;\nselect a frm t wher\n"
    assert Path("b.sql").read_text() == FORMATTED
    err = capsys.readouterr().err
    assert "a.sql: error: Cannot read the SQL: " in err
    assert "line 2, column 10:\n  select a frm t wher" in err
    assert "c.sql: error: It is no text in UTF-8: byte 9 is 0xff." in err
    assert "no.sql: error: There is no such file or directory." in err
    assert err.endswith("1 file was formatted, 3 files left alone because of errors.\n")


def test_statements_left_as_they_are_are_noted(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.sql").write_text("CALL refresh('t');\n")
    assert main(["fmt", "a.sql"]) == 0
    assert "a.sql:1: note: CALL refresh ( … is left as it is" in capsys.readouterr().err
    assert main(["fmt", "--quiet", "a.sql"]) == 0
    assert capsys.readouterr() == ("", "")


def test_dialect_and_width(directory: Path) -> None:
    Path("a.sql").write_text('select "a", b')
    assert main(["fmt", "--dialect", "flink", "a.sql"]) == 2
    assert main(["fmt", "--width", "8", "a.sql"]) == 0
    Path("a.sql").write_text("select first_column_of_the_table, second_column_of_the_table from t")
    assert main(["fmt", "--width", "50", "a.sql"]) == 0
    assert Path("a.sql").read_text() == (
        "SELECT\n    first_column_of_the_table,\n    second_column_of_the_table\nFROM t\n"
    )


def test_byte_order_mark_mode_and_links_stay(directory: Path) -> None:
    Path("a.sql").write_bytes(b"\xef\xbb\xbfselect 1")
    os.chmod("a.sql", 0o640)
    os.symlink("a.sql", "link.sql")
    assert main(["fmt", "link.sql"]) == 0
    assert Path("link.sql").is_symlink()
    assert Path("a.sql").read_bytes() == b"\xef\xbb\xbfSELECT 1\n"
    assert Path("a.sql").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(".")) == ["a.sql", "link.sql"]


def test_failed_write_keeps_the_file(
    directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    Path("a.sql").write_text(UNFORMATTED)
    monkeypatch.setattr("os.replace", fail)
    assert main(["fmt", "a.sql"]) == 2
    assert Path("a.sql").read_text() == UNFORMATTED
    assert os.listdir(".") == ["a.sql"]
    assert "a.sql: error: It cannot be written: Permission denied." in capsys.readouterr().err


def test_empty_file(directory: Path) -> None:
    Path("a.sql").write_text("")
    assert main(["fmt", "--check", "a.sql"]) == 0


@pytest.mark.parametrize("arguments", [["fmt"], ["fmt", "--width", "0", "a"], ["fmt", "--dialect", "x", "a"]])
def test_wrong_command_lines(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("Usage: tableapi fmt")


def test_without_a_verb_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Usage: tableapi" in "".join(capsys.readouterr())


def test_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tableapi", "fmt", "-"], input=UNFORMATTED.encode(), capture_output=True, check=True
    )
    assert done.stdout.decode() == FORMATTED


def test_json_documents(directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.sql").write_text(UNFORMATTED)
    Path("b.sql").write_text("SELECT (")
    assert main(["fmt", "--diff", "--json", "a.sql", "b.sql"]) == 2
    shown, complained = capsys.readouterr()
    found = json.loads(shown)
    jsonschema.validate(found, DOCUMENTS)
    first, second = found["files"]
    assert (first["file"], first["is_changed"], complained) == ("a.sql", True, "")
    assert first["diff"].splitlines()[-2:] == ["+SELECT a, b", "+FROM t"]
    assert (second["file"], second["is_changed"]) == ("b.sql", False)
    assert "line 1, column 9" in second["error"]

    stdin(monkeypatch, UNFORMATTED.encode())
    assert main(["fmt", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, DOCUMENTS)
    assert found["files"] == [{"file": "<stdin>", "is_changed": True, "notes": [], "text": FORMATTED}]

    assert main(["fmt", "--json", "a.sql"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == [{"file": "a.sql", "is_changed": True, "notes": []}]
    assert Path("a.sql").read_text() == FORMATTED
