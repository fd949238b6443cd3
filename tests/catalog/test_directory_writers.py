"""Directory catalogs with writers that end in the middle of their work, and with several writers at once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir.errors import CatalogException, DatabaseNotExistException
from ir.schema import ResolvedSchema
from ir.types import INT
from tableapi.catalog import directory_storage
from tableapi.catalog.catalog import CatalogTable, CatalogView
from tableapi.catalog.directory import DirectoryCatalog
from tests.catalog.contract import python, said, sql, view_of

SCHEMA = ResolvedSchema.of(["a"], [INT])


class Ended(BaseException):
    """The process ends here."""


class _Interruption:
    """Let a number of file system steps happen, and none after them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
        self.left = steps
        for holder, names in (
            (os, ("open", "replace", "rename", "fsync", "ftruncate", "write")),
            (Path, ("mkdir", "unlink", "write_text")),
            (directory_storage.shutil, ("rmtree",)),
        ):
            for name in names:
                monkeypatch.setattr(holder, name, self._counted(getattr(holder, name)))

    def _counted(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            if self.left <= 0:
                raise Ended
            self.left -= 1
            return step(*given, **named)

        return counted


def _replaced(catalog: DirectoryCatalog) -> None:
    catalog.create_view("default", "v", view_of("SELECT 2 AS a"), or_replace=True)


CHANGES: dict[str, Callable[[DirectoryCatalog], None]] = {
    "replace a view": _replaced,
    "replace a function": lambda c: c.create_function("default", "f", python("new.one"), or_replace=True),
    "create a view": lambda c: c.create_view("default", "w", view_of("SELECT 2 AS a")),
    "create a table": lambda c: c.create_table("default", "t", CatalogTable(SCHEMA)),
    "create in a new folder": lambda c: c.create_function("default", "g", python("a.b")),
    "drop a view": lambda c: c.drop_view("default", "v"),
    "drop a function": lambda c: c.drop_function("default", "f"),
    "create a database": lambda c: c.create_database("other", comment="x"),
    "drop a database": lambda c: c.drop_database("sales", cascade=True),
}


def seen(catalog: DirectoryCatalog) -> Any:
    """Return everything that a reader sees: every object in full."""
    found: dict[str, Any] = {}
    assert catalog.broken_files() == {}
    for database in catalog.list_databases():
        found[database] = None
        for name in catalog.list_tables(database):
            relation = catalog.get_table(database, name)
            found[f"{database}.{name}"] = relation.text if isinstance(relation, CatalogView) else relation.schema
        for name in catalog.list_functions(database):
            found[f"{database}.{name}()"] = said(catalog.get_function(database, name))
    return found


def prepared(path: Path) -> DirectoryCatalog:
    catalog = DirectoryCatalog("team", path)
    catalog.create_view("default", "v", view_of("SELECT 1 AS a"))
    catalog.create_function("default", "f", python("old.one"))
    catalog.create_database("sales")
    catalog.create_view("sales", "v", view_of("SELECT 1 AS a"))
    catalog.create_function("sales", "f", sql("1"))
    return catalog


@pytest.mark.slow
@pytest.mark.parametrize("change", sorted(CHANGES))
def test_the_end_of_a_writer_leaves_the_old_or_the_new(tmp_path: Path, change: str) -> None:
    states = []
    whole = prepared(tmp_path / "whole")
    old = seen(whole)
    CHANGES[change](whole)
    new = seen(whole)
    assert new != old
    for steps in range(100):
        catalog = prepared(tmp_path / str(steps))
        with pytest.MonkeyPatch.context() as patch:
            interruption = _Interruption(patch, steps)
            try:
                CHANGES[change](catalog)
                ended = False
            except Ended:
                ended = True
            assert ended or interruption.left >= 0
        reader = DirectoryCatalog("team", catalog.path)
        states.append(seen(reader))
        assert states[-1] in (old, new)
        # The next writer finds no obstacle and leaves nothing behind.
        reader.create_view("default", "next", view_of("SELECT 1 AS a"))
        assert sorted(path.name for path in (catalog.path / ".tableapi").iterdir()) == [".gitignore", "lock"]
        if not ended:
            break
    assert states[0] == old
    assert states[-1] == new
    assert len(states) > 5


WRITER = """
import sys
from tableapi.catalog.directory import DirectoryCatalog
from tests.catalog.contract import python, sql, view_of

catalog = DirectoryCatalog("team", sys.argv[1])
number = 0
while True:
    number += 1
    catalog.create_view("default", "v", view_of(f"SELECT {number} AS a", comment="x" * 20_000), or_replace=True)
    catalog.create_function("default", "f", sql(str(number)), or_replace=True)
    catalog.create_database("passing", if_not_exists=True)
    catalog.create_view("passing", "w", view_of("SELECT 1 AS a"), or_replace=True)
    if number % 3 == 0:
        catalog.drop_database("passing", cascade=True)
    if number == 1:
        print("ready", flush=True)
    if number % 5 == 0:
        catalog.drop_view("default", "v")
"""


def _started(program: str, *arguments: str) -> subprocess.Popen[str]:
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root}
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, text=True, env=environment, cwd=root
    )


@pytest.mark.slow
def test_a_killed_writer_leaves_a_whole_catalog(tmp_path: Path) -> None:
    for turn in range(8):
        with _started(WRITER, str(tmp_path)) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(0.05 + turn * 0.037)
            writer.kill()
        catalog = DirectoryCatalog("team", tmp_path)
        found = seen(catalog)
        assert found["default.f()"][1].isdigit()
        catalog.create_function("default", "after", sql("1"), or_replace=True)
        assert sorted(path.name for path in (tmp_path / ".tableapi").iterdir()) == [".gitignore", "lock"]


RIVAL = """
import sys
from ir.errors import FunctionAlreadyExistException
from tableapi.catalog.directory import DirectoryCatalog
from tests.catalog.contract import sql, view_of

catalog = DirectoryCatalog("team", sys.argv[1])
won = 0
for number in range(25):
    try:
        catalog.create_function("default", f"f{number}", sql(sys.argv[2]))
        won += 1
    except FunctionAlreadyExistException:
        continue
    finally:
        catalog.create_view("default", "shared", view_of(f"SELECT {sys.argv[2]} AS a"), or_replace=True)
        assert catalog.get_table("default", "shared").text.startswith("SELECT ")
print(won)
"""


@pytest.mark.slow
def test_several_writers_each_name_has_one_winner(tmp_path: Path) -> None:
    rivals = [_started(RIVAL, str(tmp_path), str(number)) for number in range(3)]
    won = [int(rival.communicate()[0]) for rival in rivals]
    catalog = DirectoryCatalog("team", tmp_path)
    assert sum(won) == 25 == len(catalog.list_functions("default"))
    bodies = [catalog.get_function("default", f"f{number}") for number in range(25)]
    assert [sum(f is not None and f.body == str(n) for f in bodies) for n in range(3)] == won
    assert catalog.broken_files() == {}


def test_a_writer_that_never_ends_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = DirectoryCatalog("team", tmp_path)
    monkeypatch.setattr(directory_storage, "_PATIENCE_SECONDS", 0.1)
    other = DirectoryCatalog("other", catalog.path)
    with (
        other._storage.locked(),
        pytest.raises(CatalogException, match=rf"has been written by process {os.getpid()} on .*nothing was changed"),
    ):
        catalog.create_view("default", "v", view_of("SELECT 1 AS a"))
    catalog.create_view("default", "v", view_of("SELECT 1 AS a"))


def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    catalog = DirectoryCatalog("team", tmp_path / "file" / "below")
    with pytest.raises(CatalogException, match="cannot be written"):
        catalog.create_view("default", "v", view_of("SELECT 1 AS a"))
    with pytest.raises(DatabaseNotExistException, match="nowhere"):
        catalog.list_tables("nowhere")
