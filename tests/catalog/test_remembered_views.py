"""Views of a directory are cached until an object that they read changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.errors import CatalogException, FunctionNotExistException, TableNotExistException, ValidationException
from tableapi import DirectoryCatalog, EnvironmentSettings, InMemoryCatalog, TableEnvironment
from tableapi.expressions import col
from tests.counting import calls


@pytest.fixture
def env(tmp_path: Path) -> TableEnvironment:
    """An environment whose catalog ``team`` has the view v0 over VALUES, and others, each over the preceding one."""
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


def test_a_view_over_functions_of_sql_is_remembered(env: TableEnvironment, tmp_path: Path) -> None:
    views = tmp_path / "default" / "views"
    for inline in ("", "INLINE "):
        for name, body in (("inner_of", "x"), ("f", "inner_of(x)")):
            env.execute_sql(f"CREATE OR REPLACE FUNCTION {name}(x INT) RETURNS INT {inline}RETURN {body}")
        written(views, "v1", f"SELECT f(x) AS x, '{inline}' AS y FROM v0")
        assert schema(env, "v9") == "(`x` INT NOT NULL)"
        again = calls(lambda: env.from_path("v9"))
        assert again < 2_000
        # The function that the view calls is unchanged, but its body now means something else.
        env.execute_sql(f"CREATE OR REPLACE FUNCTION inner_of(x INT) RETURNS INT {inline}RETURN NULLIF(x, 1)")
        assert schema(env, "v9") == "(`x` INT)"
    env.execute_sql("DROP FUNCTION inner_of")
    with pytest.raises(FunctionNotExistException, match=r"There is no function named 'inner_of'"):
        env.from_path("v9")


def test_a_view_over_a_table_reading_function_is_reread(env: TableEnvironment, tmp_path: Path) -> None:
    views = tmp_path / "default" / "views"
    written(views, "base", "SELECT 1 AS x")
    env.execute_sql("CREATE FUNCTION g() RETURNS INT RETURN (SELECT MAX(x) FROM base)")
    written(views, "v1", "SELECT g() AS x")
    assert schema(env, "v2") == "(`x` INT)"
    written(views, "base", "SELECT 'a' AS y")
    with pytest.raises(ValidationException, match=r"Cannot resolve field \[x\]"):
        env.from_path("v2")


def test_new_files_and_files_without_objects(env: TableEnvironment, tmp_path: Path) -> None:
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
    assert again <= 10 * 200 + 1_000
    assert again < large / 20


@pytest.mark.slow
def test_building_a_chain_is_linear(tmp_path: Path) -> None:
    def built(number: int) -> int:
        env = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
        env.register_catalog("team", DirectoryCatalog("team", tmp_path / str(number)))
        env.use_catalog("team")
        env.create_view("v0", env.from_elements([(1,)], ["x"]))

        def chain() -> None:
            for i in range(1, number + 1):
                env.create_view(f"v{i}", env.from_path(f"v{i - 1}").select((col("x") + 1).alias("x")))

        return calls(chain)

    built(2)
    few, many = built(40), built(160)
    # For the views below a view, only the states of their files are checked: two calls per view, against 5,000 to build
    # one.
    assert many <= 4.15 * few
    assert few <= 40 * 6_000


def test_many_views_over_one_are_looked_at_once_each(env: TableEnvironment, tmp_path: Path) -> None:
    views = tmp_path / "default" / "views"
    for number in range(201, 231):
        written(views, f"v{number}", f"SELECT a.x FROM v{number - 1} AS a JOIN v{number - 1} AS b ON a.x = b.x")
    first = calls(lambda: env.from_path("v230"))
    assert calls(lambda: env.from_path("v230")) < first / 20


def test_a_change_of_a_function_in_python_is_seen(env: TableEnvironment, tmp_path: Path) -> None:
    env.get_config().set("python.functions.packages", "tests.user_functions")
    code = "tests.user_functions.functions"
    env.execute_sql(f"CREATE FUNCTION f AS '{code}.length_or_none' LANGUAGE PYTHON")
    written(tmp_path / "default" / "views", "v0", "SELECT f('a') AS x")
    assert schema(env, "v4") == "(`x` BIGINT)"
    again = calls(lambda: env.from_path("v4"))
    assert again < 1_500
    env.execute_sql(f"ALTER FUNCTION f AS '{code}.stored' LANGUAGE PYTHON")
    assert schema(env, "v0") == "(`x` STRING)"
    env.execute_sql("DROP FUNCTION f")
    with pytest.raises(FunctionNotExistException, match=r"There is no function named 'f'"):
        env.from_path("v0")


def test_replaced_catalogs_and_files_are_seen(env: TableEnvironment, tmp_path: Path) -> None:
    views = tmp_path / "default" / "views"
    assert schema(env, "v2") == "(`x` INT NOT NULL)"
    (tmp_path / "default" / "tables").mkdir()
    table = tmp_path / "default" / "tables" / "v1.sql"
    table.write_text("CREATE TABLE v1 (x INT);\n")
    with pytest.raises(CatalogException, match=r"is in several files"):
        env.from_path("v2")
    table.unlink()
    assert schema(env, "v2") == "(`x` INT NOT NULL)"
    written(views, "v1", "SELECT 'a' AS x")
    assert schema(env, "v9") == "(`x` BIGINT)"
    env.use_catalog("memory")
    env.execute_sql("DROP CATALOG team")
    other = tmp_path / "other"
    env.register_catalog("team", DirectoryCatalog("team", other))
    (other / "default" / "views").mkdir(parents=True)
    written(other / "default" / "views", "v9", "SELECT TRUE AS x")
    assert schema(env, "team.`default`.v9") == "(`x` BOOLEAN NOT NULL)"
