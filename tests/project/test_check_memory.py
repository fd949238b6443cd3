"""A check builds what changed since the last one, and finds what a check of everything finds."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tableapi.project.check_memory import FOLDER, Checked, check_changed_views
from tableapi.project.project import Project
from tests.project.projects import ORDERS, replace, write


def _check(folder: Path, *, every: bool = False) -> Checked:
    return check_changed_views(Project.load(folder), every=every)


@pytest.fixture
def chain(project: Path) -> Path:
    """A project with a chain of views in SQL beside the others."""
    write(project, "catalog/sales/views/a.sql", "CREATE VIEW a AS SELECT id, amount FROM orders;\n")
    write(project, "catalog/sales/views/b.sql", "CREATE VIEW b AS SELECT id, amount FROM a;\n")
    write(project, "catalog/sales/views/c.sql", "CREATE VIEW c AS SELECT id, amount FROM b;\n")
    write(project, "catalog/sales/views/other.sql", "CREATE VIEW other AS SELECT customer FROM orders;\n")
    return project


def _unchanged(folder: Path) -> int:
    checked = _check(folder)
    assert checked.findings == []
    assert checked.views == [f"sales.{name}" for name in ("a", "b", "by_customer", "c", "large", "late", "other")]
    return checked.unchanged


def test_what_did_not_change_is_not_built_again(chain: Path) -> None:
    assert _unchanged(chain) == 0
    # Two are in Python, and one reads one of these.
    assert _unchanged(chain) == 4
    replace(chain, "catalog/sales/views/b.sql", "FROM a", "FROM a WHERE amount > 1")
    assert _unchanged(chain) == 2
    assert _unchanged(chain) == 4
    replace(chain, "catalog/sales/tables/orders.sql", "customer STRING", "customer VARCHAR(20)")
    assert _unchanged(chain) == 0
    write(chain, "catalog/sales/functions/net.sql", "CREATE FUNCTION net(x INT) RETURNS INT RETURN x + 1;\n")
    assert _unchanged(chain) == 0
    assert _unchanged(chain) == 4
    assert _check(chain, every=True).unchanged == 0


def test_a_problem_is_reported_each_time(chain: Path) -> None:
    _check(chain)
    replace(chain, "catalog/sales/views/b.sql", "amount FROM", "amuont FROM")
    for _ in range(2):
        checked = _check(chain)
        assert [finding.subject for finding in checked.findings] == ["sales.b", "sales.c"]
        assert checked.unchanged == 2
    replace(chain, "catalog/sales/views/b.sql", "amuont FROM", "amount FROM")
    assert _unchanged(chain) == 2


def test_another_target_is_checked_by_itself(chain: Path) -> None:
    _check(chain)
    old = check_changed_views(Project.load(chain, "old"))
    assert (old.findings, old.unchanged) == ([], 0)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"format": 99, "views": {}}', '{"format": 1, "views": {"sales": 3}}']
)
def test_a_memory_that_cannot_be_read_is_no_problem(chain: Path, content: str) -> None:
    _check(chain)
    (chain / FOLDER / "checked.json").write_text(content)
    assert _unchanged(chain) == 0
    assert _unchanged(chain) == 4


def test_the_memory_is_kept_out_of_git(chain: Path) -> None:
    _check(chain)
    assert (chain / FOLDER / ".gitignore").read_text() == "*\n"
    assert json.loads((chain / FOLDER / "checked.json").read_text())["format"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_random_edits_are_found_as_by_a_check_of_everything(chain: Path, seed: int) -> None:
    choice = random.Random(seed)
    columns = ["id", "amount", "customer", "missing"]
    for _ in range(25):
        name = choice.choice("abcdef")
        reads = choice.choice(["orders", "a", "b", "c", "d", "large", "late", "nothing"])
        file = f"catalog/sales/views/{name}.sql"
        match choice.randrange(6):
            case 0 if (chain / file).exists():
                (chain / file).unlink()
            case 1:
                column = choice.choice(["amount DECIMAL(10, 2)", "amount BIGINT", "amuont BIGINT"])
                write(chain, "catalog/sales/tables/orders.sql", ORDERS.replace("amount DECIMAL(10, 2)", column))
            case 2:
                filter = choice.choice(['col("amount") > 100', 'col("amount") > 7', 'col("amout") > 7'])
                source = (chain / "views/orders.py").read_text()
                write(chain, "views/orders.py", source.replace('col("amount") > 100', filter))
            case 3:
                body = choice.choice(["x + 1", "x + ", "x * 2"])
                write(
                    chain, "catalog/sales/functions/net.sql", f"CREATE FUNCTION net(x INT) RETURNS INT RETURN {body};\n"
                )
            case _:
                query = f"SELECT {choice.choice(columns)}, net(1) AS n FROM {reads}"
                write(chain, file, f"CREATE VIEW {name} AS {choice.choice([query, query, query[:-3]])};\n")
        changed, everything = _check(chain), Project.load(chain)
        assert changed.findings == everything.check()
        assert changed.views == sorted(view.name for view in everything.views().values())
