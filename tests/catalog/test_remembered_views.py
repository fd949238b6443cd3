"""Views of a directory are remembered as they were read, until something that they read is another."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.errors import CatalogException, TableNotExistException
from tableapi import DirectoryCatalog, EnvironmentSettings, InMemoryCatalog, TableEnvironment
from tests.test_costs import calls


@pytest.fixture
def env(tmp_path: Path) -> TableEnvironment:
    """An environment whose catalog ``team`` has the view v0 over VALUES and others each over the one before."""
    env = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    env.register_catalog("team", DirectoryCatalog("team", tmp_path))
    env.use_catalog("team")
    views = tmp_path / "default" / "views"
    views.mkdir(parents=True)
    written(views, "v0", "SELECT 1 AS x")
    for number in range(1, 201):
        written(views, f"v{number}", f"SELECT x + 1 AS x FROM v{number - 1}")
    return env


def written(views: Path, name: str, query: str) -> None:
    (views / f"{name}.sql").write_text(f"CREATE VIEW {name} AS {query};\n")


def schema(env: TableEnvironment, view: str) -> str:
    return str(env.from_path(view).get_resolved_schema())


def test_a_change_beneath_is_seen(env: TableEnvironment, tmp_path: Path) -> None:
    views = tmp_path / "default" / "views"
    assert schema(env, "v9") == "(`x` INT NOT NULL)"
    written(views, "v3", "SELECT CAST(x AS BIGINT) AS x FROM v2")
    assert schema(env, "v9") == "(`x` BIGINT NOT NULL)"
    written(views, "v3", "SELECT x, 'a' AS y FROM v2")
    written(views, "v9", "SELECT * FROM v3")
    assert schema(env, "v9") == "(`x` INT NOT NULL, `y` STRING NOT NULL)"
    (views / "v2.sql").unlink()
    with pytest.raises(
        TableNotExistException, match=r"(?s)The view team\.default\.v3 cannot be read as a query.*`v2` was"
    ):
        env.from_path("v9")
    written(views, "v2", "SELECT * FROM v9")
    with pytest.raises(CatalogException, match=r"reads itself: team\.default\.v9 → .*v3 → .*v2 → team\.default\.v9\."):
        env.from_path("v9")
    written(views, "v2", "SELECT 1D AS x")
    assert schema(env, "v9") == "(`x` DOUBLE NOT NULL, `y` STRING NOT NULL)"


def test_a_change_of_another_catalog_is_seen(env: TableEnvironment, tmp_path: Path) -> None:
    env.register_catalog("other", InMemoryCatalog("other", "d"))
    env.create_view("other.d.base", env.from_elements([(1,)], ["x"]))
    written(tmp_path / "default" / "views", "v0", "SELECT x FROM other.d.base")
    assert schema(env, "v4") == "(`x` INT NOT NULL)"
    env.create_view("other.d.base", env.from_elements([(1.5,)], ["x"]), or_replace=True)
    assert schema(env, "v4") == "(`x` DOUBLE NOT NULL)"


def test_a_change_of_a_function_is_seen(env: TableEnvironment, tmp_path: Path) -> None:
    for inline in ("", "INLINE "):
        env.execute_sql(f"CREATE OR REPLACE FUNCTION f(x INT) RETURNS INT {inline}RETURN x")
        written(tmp_path / "default" / "views", "v1", f"SELECT f(x) AS x, '{inline}' AS y FROM v0")
        assert schema(env, "v4") == "(`x` INT NOT NULL)"
        env.execute_sql(f"CREATE OR REPLACE FUNCTION f(x INT) RETURNS STRING {inline}RETURN CAST(x AS STRING)")
        assert schema(env, "v1") == "(`x` STRING NOT NULL, `y` STRING NOT NULL)"


def test_a_file_that_comes_or_is_no_object(env: TableEnvironment, tmp_path: Path) -> None:
    views = tmp_path / "default" / "views"
    assert "later" not in env.list_views()
    (views / "note.txt").write_text("not of the catalog")
    (views / "folder.sql").mkdir()
    written(views, "Later", "SELECT * FROM v1")
    assert "Later" in env.list_views()
    assert schema(env, "later") == "(`x` INT NOT NULL)"
    written(views, "LATER", "SELECT * FROM v1")
    if len({path.name for path in views.iterdir()} & {"Later.sql", "LATER.sql"}) == 2:
        with pytest.raises(CatalogException, match=r"is in several files"):
            env.from_path("later")


def test_reading_is_linear_and_reading_again_is_a_look_at_each_file(env: TableEnvironment) -> None:
    small = calls(lambda: env.from_path("v40"))
    large = calls(lambda: env.from_path("v200"))
    assert large <= 4.4 * small
    again = calls(lambda: env.from_path("v200"))
    assert again <= 300 * 200
    assert again < large / 3
