"""Views over views: the cost of a stack is linear in its height, in every catalog, even if each view is read twice."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir.errors import CatalogException, ValidationException
from tableapi import DirectoryCatalog, EnvironmentSettings, ObjectPath, TableEnvironment
from tableapi.catalog.read_cache import cache_reads
from tableapi.spark.execution import expanding
from tableapi.spark.planner.binding import bind
from tests.counting import calls

FORMS = {
    "chain": "SELECT a, b + 1 AS b FROM {below}",
    "star": "SELECT * FROM {below}",
    "join": "SELECT x.a, y.b FROM {below} AS x JOIN {below} AS y ON x.a = y.a",
    "union": "SELECT a, b FROM {below} UNION ALL SELECT b, a FROM {below}",
    "subquery": "SELECT a, b FROM {below} WHERE a IN (SELECT b FROM {below})",
}


def _environment() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())


def _text(form: str, number: int) -> str:
    return FORMS[form].format(below=f"v{number - 1}") if number else "SELECT 1 AS a, 2 AS b"


def _directory(folder: Path, form: str, height: int) -> TableEnvironment:
    """Return an environment whose catalog has a stack of views, written by hand."""
    views = folder / f"{form}_{height}" / "default" / "views"
    views.mkdir(parents=True)
    for number in range(height):
        (views / f"v{number}.sql").write_text(f"CREATE VIEW v{number} AS {_text(form, number)};")
    env = _environment()
    env.register_catalog("team", DirectoryCatalog("team", views.parent.parent))
    env.use_catalog("team")
    return env


def _bound(env: TableEnvironment, top: str) -> Any:
    """Return the query of a view over Spark's tables."""
    runtime = env._parts.runtime
    with cache_reads():
        operation = env.from_path(top).query_operation
        return bind(operation, expanding(runtime.query_behind, runtime.temporary), lambda source: source)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("work", [lambda env, top: env.from_path(top), _bound], ids=["read", "bind"])
def test_a_directory(tmp_path: Path, form: str, work: Callable[[TableEnvironment, str], object]) -> None:
    def cost(height: int) -> int:
        env = _directory(tmp_path, form, height)
        return calls(lambda: work(env, f"v{height - 1}"))

    # The first pass loads modules.
    work(_directory(tmp_path, form, 3), "v2")
    assert cost(32) <= 4.2 * cost(8)


def test_a_folder_is_listed_as_often_for_a_high_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[str] = []
    listing = os.listdir

    def noted(path: Any = ".") -> list[str]:
        listed.append(str(path))
        return listing(path)

    def times(height: int) -> int:
        env = _directory(tmp_path, "chain", height)
        listed.clear()
        env.from_path(f"v{height - 1}")
        return len(listed)

    monkeypatch.setattr(os, "listdir", noted)
    # Listing a catalog for each view would make the cost quadratic in the height.
    assert times(60) == times(20) > 0


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["VIEW", "TEMPORARY VIEW"])
def test_memory(form: str, kind: str) -> None:
    def cost(height: int) -> int:
        env = _environment()

        def work() -> None:
            for number in range(height):
                env.execute_sql(f"CREATE {kind} v{number} AS {_text(form, number)}")
            _bound(env, f"v{height - 1}").as_summary_string()

        return calls(work)

    cost(3)
    assert cost(32) <= 4.2 * cost(8)


def test_the_text_of_a_wide_fan_is_linear() -> None:
    def cost(height: int) -> int:
        env = _environment()
        for number in range(height):
            env.execute_sql(f"CREATE VIEW v{number} AS {_text('join', number)}")
        bound = _bound(env, f"v{height - 1}")
        return calls(lambda: bound.as_serializable_string(layout="MERGED"))

    cost(3)
    assert cost(32) <= 4.4 * cost(8)


@pytest.mark.slow
def test_a_high_stack_is_read(tmp_path: Path) -> None:
    env = _directory(tmp_path, "chain", 1_500)
    assert env.from_path("v1499").get_resolved_schema().names == ("a", "b")
    assert _bound(env, "v1499").schema.names == ("a", "b")


def test_a_view_that_reads_itself_is_still_refused(tmp_path: Path) -> None:
    env = _directory(tmp_path, "chain", 40)
    with pytest.raises(ValidationException, match=r"would read itself"):
        env.execute_sql("CREATE OR REPLACE VIEW v0 AS SELECT a, b FROM v39")
    (tmp_path / "chain_40" / "default" / "views" / "v0.sql").write_text("CREATE VIEW v0 AS SELECT a, b FROM v39;")
    with pytest.raises(CatalogException, match=r"reads itself") as raised:
        env.from_path("v39")
    # The cycle has 40 views, but the message must fit a screen.
    assert len(str(raised.value)) < 4_000
    memory = _environment()
    for number in range(40):
        memory.execute_sql(f"CREATE VIEW v{number} AS {_text('chain', number)}")
    with pytest.raises(ValidationException, match=r"would read itself"):
        memory.execute_sql("CREATE OR REPLACE VIEW v0 AS SELECT a, b FROM v39")
    memory.execute_sql("DROP VIEW v0")
    with pytest.raises(ValidationException, match=r"would read itself"):
        memory.execute_sql("CREATE VIEW v0 AS SELECT a, b FROM v39")


def test_a_folder_that_has_not_changed_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tmp_path / "sales" / "tables"
    tables.mkdir(parents=True)
    for number in range(5):
        (tables / f"t{number}.sql").write_text(f"CREATE TABLE t{number} (a INT);\n")
    catalog = DirectoryCatalog("lake", tmp_path)
    listed: list[str] = []
    listing, now = os.listdir, time.time_ns

    def noted(path: str | Path) -> list[str]:
        listed.append(str(path))
        return listing(path)

    monkeypatch.setattr(os, "listdir", noted)
    # A new folder may change again without another time of change, so it is listed each time.
    for number in range(5):
        catalog.get_table(ObjectPath("sales", f"t{number}"))
    assert listed.count(str(tables)) >= 5
    monkeypatch.setattr(time, "time_ns", lambda: now() + 10_000_000_000)
    catalog.get_table(ObjectPath("sales", "t0"))
    listed.clear()
    for number in range(5):
        catalog.get_table(ObjectPath("sales", f"t{number}"))
    assert listed.count(str(tables)) == 0
    # File systems count in steps of some milliseconds.
    time.sleep(0.05)
    (tables / "t5.sql").write_text("CREATE TABLE t5 (a INT);\n")
    assert catalog.table_exists(ObjectPath("sales", "t5"))
    time.sleep(0.05)
    (tables / "t0.sql").unlink()
    assert not catalog.table_exists(ObjectPath("sales", "t0"))
