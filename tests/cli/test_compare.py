"""The verb compare: what it says of views that differ, and of columns that Spark cannot compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ir.identifiers import ObjectIdentifier
from tableapi.command_line import main
from tableapi.project.comparison import Comparison, RowDifference, ViewComparison
from tests.cli.test_verbs import document
from tests.project.projects import replace, write_project

_FOUND = (
    ViewComparison("sales.by_customer", counts=(2, 2), rows=RowDifference(0, 0, ("n",), (), (), ("tags",))),
    ViewComparison(
        "sales.large",
        changes=("the column `id` became `number`",),
        counts=(3, 2),
        rows=RowDifference(1, 7, ("id", "home"), (("7", "Row(box=None)"),), (("8", "None"),), ("tags", "odd name")),
    ),
    ViewComparison("sales.late", counts=(0, 0)),
)


def test_files_are_compared_by_their_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_project(tmp_path)
    assert main(["apply", "files", "--yes", "-C", str(tmp_path)]) == 0
    assert main(["apply", "files", "--yes", "--env", "dev", "-C", str(tmp_path)]) == 0
    compare = ["compare", "files", "--env", "dev", "-C", str(tmp_path)]
    capsys.readouterr()
    assert main(compare) == 0
    alone = "between production and dev by their columns alone, because files have no rows"
    assert capsys.readouterr().out == f"3 views compared {alone}; none differs.\n"
    replace(tmp_path, "catalog/sales/views/late.sql", "SELECT ", "SELECT 1 AS one, ")
    assert main(["apply", "files", "--yes", "--env", "dev", "-C", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main([*compare, "late"]) == 1
    assert capsys.readouterr().out == (
        f"~ sales.late\n    The column `one` was added, INT NOT NULL.\n1 view compared {alone}; 1 differs.\n"
    )
    assert main([*compare, "--rows"]) == 2
    assert "The target files is a folder of files, which have no rows" in capsys.readouterr().err


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose views a comparison has found to be as ``_FOUND`` says."""

    def compare(self: object, names: Sequence[ObjectIdentifier]) -> Iterator[ViewComparison]:
        return (one for one in _FOUND if one.name in [f"{name.database}.{name.name}" for name in names])

    monkeypatch.setattr(Comparison, "compare", compare)
    return write_project(tmp_path)


def test_what_differs_and_what_cannot_be_compared(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "files", "--env", "dev", "--rows", "-C", str(project)]) == 1
    assert (
        capsys.readouterr().out
        == """\
= sales.by_customer
    Not compared row by row, because Spark compares no values of such types: `tags`.
~ sales.large
    The column `id` became `number`.
    It has 3 rows in production, and 2 in dev.
    Only production has 1 row (id, home):
      (7, Row(box=None))
    Only dev has 7 rows (id, home), such as
      (8, None)
    Not compared row by row, because Spark compares no values of such types: `tags`, `odd name`.
3 views compared between production and dev; 1 differs.
"""
    )


def test_chosen_views_are_equal(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "files", "late", "--env", "dev", "-C", str(project)]) == 0
    assert capsys.readouterr().out == "1 view compared between production and dev; none differs.\n"


def test_the_document(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "compare", "files", "--env", "dev", "--rows", "-C", str(project), code=1)
    assert [view["is_equal"] for view in found["views"]] == [True, False, True]
    assert found["views"][1]["rows"]["left_out"] == ["tags", "odd name"]
