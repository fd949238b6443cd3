"""Imports into one folder again: ended runs, edited files, views that are gone, and what is not of an import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tableapi.migration.memory import ImportMemory
from tableapi.migration.records import Outcome
from tableapi.project.configuration import ProjectError
from tests.migration.imports import (
    PAYMENTS,
    SEVERAL,
    TWO,
    by_name,
    end_at_each_step,
    files_in,
    import_target,
    outcomes,
    problems_of,
    unresumed,
    write_target,
    write_view,
)
from tests.project.projects import ORDERS, replace, write


def _read(folder: Path, name: str) -> str:
    return (folder / "imported" / name).read_text()


def test_a_second_run_repeats_nothing_and_says_so(tmp_path: Path) -> None:
    write_target(tmp_path, SEVERAL)
    first = import_target(tmp_path)
    assert not any(view.is_resumed for view in first.views)
    before, times = unresumed(tmp_path / "imported"), _times(tmp_path)
    said: list[str] = []
    second = import_target(tmp_path, progress=lambda what, *_: said.append(what))
    assert all(view.is_resumed for view in second.views)
    assert second.to_json()["resumed"] == said.count("as before") == len(SEVERAL)
    assert unresumed(tmp_path / "imported") == before
    assert _times(tmp_path) == times
    # A change is imported again, with all that depends on it, and nothing else.
    write_view(tmp_path, "sales.daily", "SELECT day, max(id) AS n FROM large JOIN orders USING (id) GROUP BY day")
    third = by_name(import_target(tmp_path))
    assert {name for name, view in third.items() if not view.is_resumed} == {"sales.daily", "sales.stars"}
    assert "max(id)" in _read(tmp_path, "catalog/sales/views/daily.sql")


def test_a_table_that_changed_at_the_target_is_compared_again(tmp_path: Path) -> None:
    write_target(
        tmp_path,
        {"sales.days": "SELECT day FROM orders WHERE amount > 5", "sales.one": "SELECT 1 AS a"},
    )
    import_target(tmp_path)
    replace(tmp_path, "deployed/sales/tables/orders.sql", "DECIMAL(10, 2)", "INT")
    found = by_name(import_target(tmp_path))
    assert {name: (view.outcome, view.is_resumed) for name, view in found.items()} == {
        "sales.days": (Outcome.PROVED, False),
        "sales.one": (Outcome.PROVED, True),
    }
    assert "`amount` INT" in _read(tmp_path, "catalog/sales/tables/orders.sql")


def _times(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in (folder / "imported/catalog").rglob("*.sql")}


@pytest.mark.slow
@pytest.mark.parametrize("is_python", [False, True])
def test_a_run_that_was_ended_at_any_step_is_repeated(
    tmp_path: Path, is_python: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run is ended before and after each file and each view; the next one completes it."""
    write_target(tmp_path, SEVERAL)
    ended = end_at_each_step(
        tmp_path / "imported",
        lambda progress: import_target(tmp_path, is_python=is_python, progress=progress),
        monkeypatch,
    )
    # Each view is read and ends, and each file is written.
    assert ended >= 2 * len(SEVERAL) + 2 * 6
    leftovers = [path for path in (tmp_path / "imported").rglob("*") if path.name.endswith(".import-tmp")]
    assert leftovers == []


@pytest.mark.slow
def test_a_memory_that_was_cut_anywhere_is_completed(tmp_path: Path) -> None:
    write_target(tmp_path, SEVERAL)
    import_target(tmp_path)
    wanted = unresumed(tmp_path / "imported")
    path = tmp_path / "imported/.tableapi_import/done.jsonl"
    whole = path.read_bytes()
    ends = [0, *[number + 1 for number, byte in enumerate(whole) if byte == ord("\n")]]
    for end in {*ends[::3], *[end - 7 for end in ends[1:]]}:
        path.write_bytes(whole[:end])
        import_target(tmp_path)
        assert unresumed(tmp_path / "imported") == wanted, end
        assert all(view.is_resumed for view in import_target(tmp_path).views)


@pytest.mark.slow
def test_the_table_of_a_view_becomes_the_view_although_the_run_was_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_target(tmp_path, TWO, PAYMENTS)
    import_target(tmp_path)
    end_at_each_step(
        tmp_path / "imported",
        lambda progress: import_target(tmp_path, "finance", progress=progress),
        monkeypatch,
        before=tmp_path / "before",
    )
    assert problems_of(tmp_path / "imported") == []
    assert not (tmp_path / "imported/catalog/finance/tables/paid.sql").exists()


# --- files of others -------------------------------------------------------------------------------------------------


def test_an_edited_file_is_left_until_it_may_be_overwritten(tmp_path: Path) -> None:
    write_target(tmp_path, SEVERAL)
    import_target(tmp_path)
    wanted = _read(tmp_path, "catalog/sales/views/large.sql")
    replace(tmp_path / "imported", "catalog/sales/views/large.sql", "amount > 100", "amount > 200")
    edited = _read(tmp_path, "catalog/sales/views/large.sql")
    report = import_target(tmp_path)
    assert report.left == ("catalog/sales/views/large.sql",)
    large = by_name(report)["sales.large"]
    assert large.outcome is Outcome.UNPROVED
    assert "was edited, or is not of an import, and was left" in large.reason
    assert _read(tmp_path, "catalog/sales/views/large.sql") == edited
    assert import_target(tmp_path, overwrites=True).left == ()
    assert _read(tmp_path, "catalog/sales/views/large.sql") == wanted
    # A comment makes no other view of it.
    write(tmp_path, "imported/catalog/sales/views/large.sql", f"-- Ours.\n{wanted}")
    large = by_name(import_target(tmp_path))["sales.large"]
    assert large.outcome is Outcome.PROVED
    assert any("left as it is" in note for note in large.notes)


def test_a_dropped_view_loses_its_file_and_a_foreign_file_stays(tmp_path: Path) -> None:
    write_target(tmp_path, SEVERAL)
    import_target(tmp_path)
    own = write(tmp_path, "imported/catalog/sales/views/own.sql", "CREATE VIEW own AS SELECT 1 AS a;\n")
    for name in ("daily", "stars", "broken"):
        (tmp_path / f"deployed/sales/views/{name}.sql").unlink()
    replace(tmp_path / "imported", "catalog/sales/views/stars.sql", "*", "day, n")
    report = import_target(tmp_path)
    assert outcomes(report) == {"sales.large": "proved"}
    assert report.left == ("catalog/sales/views/stars.sql",)
    files = files_in(tmp_path / "imported")
    assert "unreadable/sales/broken.sql" not in files
    assert sorted(name for name in files if "/views/" in name) == [
        f"catalog/sales/views/{name}.sql" for name in ("large", "own", "stars")
    ]
    assert own.read_text() == "CREATE VIEW own AS SELECT 1 AS a;\n"


def test_a_view_that_is_spelled_otherwise_now_has_one_file(tmp_path: Path) -> None:
    write_target(tmp_path, {"sales.large": "SELECT id FROM orders"})
    import_target(tmp_path)
    (tmp_path / "deployed/sales/views/large.sql").unlink()
    write_view(tmp_path, "sales.LARGE", "CREATE VIEW LARGE AS SELECT id FROM orders")
    assert import_target(tmp_path).is_proved
    assert [path.name for path in (tmp_path / "imported/catalog/sales/views").iterdir()] == ["LARGE.sql"]


@pytest.mark.parametrize("declared", ["tables/Large.sql", "views/Large.sql", "views/large.sql"])
def test_a_name_that_the_project_declares_itself_is_left(tmp_path: Path, declared: str) -> None:
    write_target(tmp_path, {"sales.large": "SELECT id FROM orders", "sales.small": "SELECT id FROM large"})
    import_target(tmp_path, to="other")
    settings = (tmp_path / "other/tableapi.toml").read_text()
    write(tmp_path, "imported/tableapi.toml", settings)
    name = Path(declared).stem
    text = (
        f"CREATE TABLE {name} (id BIGINT);\n" if "tables" in declared else f"CREATE VIEW {name} AS SELECT 7L AS id;\n"
    )
    own = write(tmp_path, f"imported/catalog/sales/{declared}", text)
    report = import_target(tmp_path)
    assert own.read_text() == text
    assert report.left == (f"catalog/sales/{declared}",)
    large = by_name(report)["sales.large"]
    assert large.outcome is Outcome.UNPROVED
    assert "left as it is" in large.reason
    assert problems_of(tmp_path / "imported") == []


def test_a_table_that_the_project_spells_otherwise_is_not_declared_again(tmp_path: Path) -> None:
    write_target(tmp_path, {"sales.large": "SELECT id FROM orders"})
    import_target(tmp_path, to="other")
    write(tmp_path, "imported/tableapi.toml", (tmp_path / "other/tableapi.toml").read_text())
    write(tmp_path, "imported/catalog/sales/tables/Orders.sql", ORDERS.replace("orders", "Orders"))
    assert import_target(tmp_path).left == ()
    assert not (tmp_path / "imported/catalog/sales/tables/orders.sql").exists()
    assert problems_of(tmp_path / "imported") == []


def test_folders_into_which_nothing_is_imported(tmp_path: Path) -> None:
    write_target(tmp_path, {"sales.large": "SELECT id FROM orders"})
    write(tmp_path, "full/notes.txt", "Mine.")
    with pytest.raises(ProjectError, match=r"is not empty and has no tableapi.toml: it has notes.txt. Choose"):
        import_target(tmp_path, to="full")
    assert files_in(tmp_path / "full") == {"notes.txt": "Mine."}
    with pytest.raises(ProjectError, match="is a file"):
        import_target(tmp_path, to="full/notes.txt")
    write(tmp_path, "zoned/tableapi.toml", '[project]\nname = "z"\ntime_zone = "Europe/Berlin"\n')
    with pytest.raises(ProjectError, match=r"has time_zone = 'Europe/Berlin', and the project of the target has 'UTC'"):
        import_target(tmp_path, to="zoned")


@pytest.mark.parametrize("catalog", ["schemas", "../beside"])
def test_the_catalog_may_be_in_another_folder(tmp_path: Path, catalog: str) -> None:
    write_target(tmp_path, SEVERAL)
    write(tmp_path, "imported/tableapi.toml", f'[project]\nname = "own"\ndatabase = "sales"\ncatalog = "{catalog}"\n')
    for is_resumed in (False, True):
        report = import_target(tmp_path)
        assert (report.counts["proved"], report.left) == (3, ())
        assert [view.is_resumed for view in report.views] == [is_resumed] * 4
    assert (tmp_path / "imported" / catalog / "sales/views/large.sql").is_file()
    (tmp_path / "deployed/sales/views/stars.sql").unlink()
    import_target(tmp_path)
    assert not (tmp_path / "imported" / catalog / "sales/views/stars.sql").exists()


def test_functions_need_the_folder_of_views(tmp_path: Path) -> None:
    write_target(tmp_path, SEVERAL)
    write(tmp_path, "imported/src/own.py", "")
    settings = '[project]\nname = "own"\ndatabase = "sales"\nviews = ["src"]\n'
    write(tmp_path, "imported/tableapi.toml", settings)
    with pytest.raises(ProjectError, match=r"has its views in src, .* as in views = \['src', 'views'\], or import SQL"):
        import_target(tmp_path, is_python=True)
    write(tmp_path, "imported/tableapi.toml", settings.replace('["src"]', '["src", "views"]'))
    assert import_target(tmp_path, is_python=True).counts["proved"] == 3


def test_what_a_killed_process_left_beside_files_is_removed(tmp_path: Path) -> None:
    write_target(tmp_path, SEVERAL)
    for name in ("imported/.tableapi.toml.0a1b2c3d.import-tmp", "imported/.tableapi_import/stage/tableapi.toml"):
        write(tmp_path, name, "[proj")
    import_target(tmp_path)
    write(tmp_path, "imported/catalog/sales/views/.large.sql.0a1b2c3d.import-tmp", "CREATE VI")
    import_target(tmp_path)
    left = [
        path.name for path in (tmp_path / "imported").rglob("*") if "import-tmp" in path.name or path.name == "stage"
    ]
    assert left == []


def test_one_folder_has_one_form(tmp_path: Path) -> None:
    write_target(tmp_path, SEVERAL)
    import_target(tmp_path)
    before = files_in(tmp_path / "imported")
    for form in ({"is_python": True}, {"normalises": True}):
        with pytest.raises(ProjectError, match="views that were imported as sql, and this run would write"):
            import_target(tmp_path, **form)
    assert files_in(tmp_path / "imported") == before


def test_two_processes_do_not_import_into_one_folder_at_once(tmp_path: Path) -> None:
    write_target(tmp_path, {"sales.large": "SELECT id FROM orders"})
    import_target(tmp_path)
    command = [sys.executable, "-m", "tableapi", "import-views", "files", "sales", "--to", "imported"]
    root = str(Path(__file__).parents[2])
    with ImportMemory(tmp_path / "imported", "sql", "files: sales").locked():
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": root}, capture_output=True, text=True
        )
    assert done.returncode == 2
    assert "Another process imports views into" in done.stderr
    assert "Traceback" not in done.stderr
    assert import_target(tmp_path).is_proved
