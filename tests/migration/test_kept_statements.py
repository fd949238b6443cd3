"""Statements and files that cannot be read are kept, and each error has its place in the kept file."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tableapi.migration.records import Outcome
from tableapi.project.configuration import ProjectError
from tests.migration.imports import (
    TABLES,
    by_name,
    import_scripts,
    marked,
    outcomes,
    problems_of,
)
from tests.project.projects import write


def test_errors_have_their_place_in_the_kept_file(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "a.sql",
        f"""{TABLES}
SET spark.sql.session.timeZone=Europe/Berlin;
/* two
   lines */
CREATE VIEW unknown (a COMMENT 'A "column"') AS
SELECT id, -- a comment
       nope FROM orders;
CREATE VIEW syntax AS SELECT id
  FROM orders x y;
CREATE VIEW table AS
  SELECT * FROM nowhere WHERE id > 1;
CREATE VIEW head COLOUR 'red' AS SELECT 1 AS a;
CREATE VIEW above AS SELECT o.id FROM orders o
  JOIN unknown u ON TRUE;
CREATE VIEW none;
CREATE VIEW three (a, b, c) AS SELECT id FROM orders;
CREATE VIEW good AS SELECT id FROM orders;
""",
    )
    found = by_name(import_scripts(tmp_path / "out", script))
    assert found.pop("sales.good").outcome is Outcome.PROVED
    assert {view.outcome for view in found.values()} == {Outcome.TEXT}
    folder = tmp_path / "out"
    assert marked(folder, found["sales.unknown"]) == "nope FROM orders"
    assert marked(folder, found["sales.syntax"]) == "y"
    assert marked(folder, found["sales.table"]) == "nowhere WHERE id > 1"
    assert marked(folder, found["sales.head"]) == "COLOUR 'red' AS SELECT 1 AS a"
    assert marked(folder, found["sales.above"]) == "unknown u ON TRUE"
    assert marked(folder, found["sales.none"]) == "CREATE VIEW none"
    assert f"The view in {script}:8 cannot be read either." in found["sales.above"].reason
    assert found["sales.three"].reason == "The view names a, b, c, and its query gives id."
    kept = (folder / found["sales.unknown"].file).read_text()
    assert "-- SET spark.sql.session.timeZone=Europe/Berlin;" in kept
    assert "SELECT id, -- a comment\n       nope FROM orders" in kept
    # What is kept is in no catalog, so that the project has no problem.
    assert problems_of(folder) == []


_PREAMBLES = ["", "-- one\n", "\n\n/* two\n lines; */ -- more\n"]
_HEADS = [
    "CREATE VIEW {} AS ",
    "create or replace view {} AS\n",
    "CREATE VIEW {} (a COMMENT 'x\ny', b) -- AS\nCOMMENT 'AS\n\t' AS -- here\n\n  ",
    "CREATE OR REFRESH MATERIALIZED VIEW {}\nUSING delta\nPARTITIONED BY (a) AS",
]
_CULPRITS = [
    " SELECT id, nope AS culprit, amount FROM orders",
    "\n  SELECT id AS ä, '€' AS b, -- nope\n\t/* nope */ nope + 1 FROM orders\n",
    " WITH x AS (\n  SELECT id\n  FROM orders WHERE nope > 1) SELECT * FROM x",
    "\nSELECT id, amount FROM orders o JOIN orders p ON o.id = p.id AND nope = 1",
]


def test_each_error_marks_the_culprit(tmp_path: Path) -> None:
    """However a statement is laid out, and whatever is before its query, the place is that of the wrong name."""
    texts = [
        preamble + head.format(f"v{number}") + query
        for number, (preamble, head, query) in enumerate(itertools.product(_PREAMBLES, _HEADS, _CULPRITS))
    ]
    script = write(tmp_path, "a.sql", TABLES + ";\n".join(texts))
    report = import_scripts(tmp_path / "out", script)
    assert report.counts == {"proved": 0, "unproved": 0, "text": len(texts)}
    lines = script.read_text().split("\n")
    for view in report.views:
        assert marked(tmp_path / "out", view).startswith("nope"), view
        *_, line = view.origin.split(":")
        begins = lines[int(line) - 1]
        assert begins.upper().startswith("CREATE "), view
        assert f" {view.name.partition('.')[2]}" in begins, view


def test_views_that_read_each_other_are_kept(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "a.sql",
        "CREATE VIEW a AS SELECT * FROM b;\nCREATE VIEW b AS SELECT * FROM a;\nCREATE VIEW c AS TABLE c",
    )
    report = import_scripts(tmp_path / "out", script)
    assert outcomes(report) == dict.fromkeys(["sales.a", "sales.b", "sales.c"], "text")
    assert [marked(tmp_path / "out", view) for view in report.views] == ["b", "a", "c"]


def test_a_template_is_kept(tmp_path: Path) -> None:
    write(tmp_path, "in/a.sql", "{% set x = 1 %}\nSELECT * FROM {{ ref('orders') }}")
    write(tmp_path, "in/b.sql", "SELECT '}}' AS a")
    report = import_scripts(tmp_path / "out", tmp_path / "in")
    assert outcomes(report) == {"sales.a": "text", "sales.b": "proved"}
    view = by_name(report)["sales.a"]
    assert "template" in view.reason
    assert marked(tmp_path / "out", view) == "{% set x = 1 %}"
    assert "{{ ref('orders') }}" in (tmp_path / "out" / view.file).read_text()


@pytest.mark.parametrize(
    ("text", "culprit"),
    [("CREATE VIEW v AS SELECT 'abc", "'abc"), ("CREATE VIEW v AS SELECT\n  `abc FROM t", "`abc FROM t")],
)
def test_an_unclosed_string_is_kept_with_its_place(tmp_path: Path, text: str, culprit: str) -> None:
    script = write(tmp_path, "a.sql", f"USE sales;\nCREATE VIEW w AS SELECT 1 AS a;\n{text}")
    report = import_scripts(tmp_path / "out", script)
    assert outcomes(report) == {"sales.v": "text", "sales.w": "proved"}
    assert marked(tmp_path / "out", by_name(report)["sales.v"]) == culprit


def test_a_file_that_is_not_utf_8_is_kept_with_its_place(tmp_path: Path) -> None:
    path = write(tmp_path, "latin.sql", "")
    path.write_bytes("CREATE VIEW v AS\nSELECT 'ä€'".encode() + b" || 'b\xe4r' AS a")
    report = import_scripts(tmp_path / "out", path)
    (view,) = report.views
    assert (view.name, view.outcome) == ("sales.latin", Outcome.TEXT)
    assert view.reason == "It is not UTF-8: line 2 has the byte 0xE4."
    assert marked(tmp_path / "out", view) == "\\xe4r' AS a"


def test_a_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "a.sql", "")
    path.write_bytes(
        b"\xef\xbb\xbfUSE sales;\r\n-- Ones.\r\nCREATE VIEW v AS\r\nSELECT 1 AS a;\r\n"
        b"CREATE VIEW w AS\r\nSELECT\r\n  nope;\r\n"
    )
    report = by_name(import_scripts(tmp_path / "out", path))
    assert {name: view.outcome.value for name, view in report.items()} == {"sales.v": "proved", "sales.w": "text"}
    assert report["sales.v"].origin == f"{path}:3"
    assert marked(tmp_path / "out", report["sales.w"]) == "nope"
    assert "\r" not in (tmp_path / "out" / report["sales.v"].file).read_bytes().decode()


def test_other_settings_are_a_doubt(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "a.sql",
        f"{TABLES}SET spark.sql.ansi.enabled=false;\nCREATE VIEW v AS SELECT id / 0 AS x FROM orders;",
    )
    (view,) = import_scripts(tmp_path / "out", script).views
    assert view.outcome is Outcome.UNPROVED
    assert "spark.sql.ansi.enabled = false" in view.reason
    assert (tmp_path / "out" / view.file).is_file()
    assert problems_of(tmp_path / "out") == []


def test_wrong_paths(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"There is no file or folder .*missing\.sql\."):
        import_scripts(tmp_path / "out", tmp_path / "missing.sql")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ProjectError, match=r"There is no file \*\.sql in"):
        import_scripts(tmp_path / "out", tmp_path / "empty")
