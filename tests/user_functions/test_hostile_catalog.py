"""A catalog that somebody else writes to: what it names is not imported by looking, and used where that is allowed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ir.errors import TableException, ValidationException
from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment
from tableapi.expressions import call, col
from tableapi.user_functions.stored import ALLOWED_PACKAGES

MODULE = "tests.user_functions.hostile"


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file that the module makes when it is imported."""
    path = tmp_path / "mark"
    monkeypatch.setenv("TABLEAPI_HOSTILE_MARK", str(path))
    sys.modules.pop(MODULE, None)
    yield path
    sys.modules.pop(MODULE, None)


@pytest.fixture
def env(tmp_path: Path) -> TableEnvironment:
    """An environment whose catalog somebody has written by hand."""
    folder = tmp_path / "team" / "default"
    for path, text in {
        "functions/nice.sql": f"CREATE FUNCTION nice AS '{MODULE}.harmless' LANGUAGE PYTHON;",
        "functions/shell.sql": f"CREATE FUNCTION shell AS '{MODULE}.no_function' LANGUAGE PYTHON;",
        "functions/system.sql": "CREATE FUNCTION system AS 'os.system' LANGUAGE PYTHON;",
        "functions/builtin.sql": "CREATE FUNCTION builtin AS 'builtins.eval' LANGUAGE PYTHON;",
        "functions/wrapped.sql": "CREATE FUNCTION wrapped(x STRING) RETURNS STRING RETURN nice(x);",
        "functions/inlined.sql": "CREATE FUNCTION inlined(x STRING) RETURNS STRING INLINE RETURN nice(x);",
        "functions/rows.sql": "CREATE FUNCTION rows() RETURNS TABLE(a STRING) RETURN SELECT nice('x') AS a;",
        "views/v.sql": "CREATE VIEW v AS SELECT nice('x') AS a;",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text + "\n", encoding="utf-8")
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.build())
    env.register_catalog("team", DirectoryCatalog("team", tmp_path / "team"))
    env.use_catalog("team")
    return env


def test_nothing_is_imported_by_looking(env: TableEnvironment, mark: Path) -> None:
    catalog = env.get_catalog("team")
    assert isinstance(catalog, DirectoryCatalog)
    names = catalog.list_functions("default")
    assert len(names) == 7
    assert set(names) <= set(env.list_functions())
    for name in names:
        assert catalog.get_function("default", name) is not None
        assert name in str(list(env.execute_sql(f"DESCRIBE FUNCTION EXTENDED {name}").collect()))
    assert catalog.broken_files() == {}
    for statement in ("SHOW FUNCTIONS", "SHOW USER FUNCTIONS", "SHOW ALL FUNCTIONS", "SHOW VIEWS"):
        env.execute_sql(statement)
    env.show_create_view("v")
    assert not mark.exists()
    assert MODULE not in sys.modules


USES = [
    "SELECT nice('x') AS a",
    "SELECT team.default.nice('x') AS a",
    "SELECT shell('true') AS a",
    "SELECT system('true') AS a",
    "SELECT wrapped('x') AS a",
    "SELECT inlined('x') AS a",
    "SELECT a FROM v",
]


@pytest.mark.parametrize("text", USES)
def test_a_use_is_refused_and_says_how_it_would_be_allowed(env: TableEnvironment, mark: Path, text: str) -> None:
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions.host, test")
    for use in (lambda: env.sql_query(text), lambda: env.execute_sql(f"CREATE VIEW w AS {text}")):
        with pytest.raises(ValidationException, match=r"to use it is to run that code.*python\.functions\.packages"):
            use()
    with pytest.raises(ValidationException, match=r"not allowed: allowed are \[tests\.user_functions\.host, test\]"):
        env.execute_sql(f"EXPLAIN {text}")
    assert not mark.exists()
    assert env.list_views() == ["v"]


def test_a_fluent_use_is_refused(env: TableEnvironment, mark: Path) -> None:
    t = env.from_elements([("x",)], ["a"])
    with pytest.raises(ValidationException, match=r"the Python code 'tests\.user_functions\.hostile\.harmless'"):
        t.select(call("nice", col("a")))
    assert not mark.exists()


def test_a_table_function_of_sql_is_refused_when_it_runs(env: TableEnvironment, mark: Path) -> None:
    query = env.sql_query("SELECT * FROM rows()")
    definition = env._function_lookup.find("rows")
    with pytest.raises(ValidationException, match=r"the Python code 'tests\.user_functions\.hostile\.harmless'"):
        definition.implementation.expanded_query("rows", ())  # type: ignore[attr-defined]
    assert query.get_resolved_schema().names == ("a",)
    assert not mark.exists()


def test_what_is_imported_has_to_be_a_function(env: TableEnvironment, mark: Path) -> None:
    env.get_config().set(ALLOWED_PACKAGES, f"{MODULE}, os, builtins")
    for name, told in (("shell", "'system' is an ordinary function"), ("system", "'system'"), ("builtin", "'eval'")):
        with pytest.raises(ValidationException, match=rf"team\.default\.{name} cannot be used: {told}"):
            env.sql_query(f"SELECT {name}('true')")
    assert env.sql_query("SELECT nice('x') AS a").get_resolved_schema().names == ("a",)
    assert mark.exists()


def test_the_same_in_sparks_catalog(spark: SparkSession, mark: Path) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    env.execute_sql("CREATE DATABASE IF NOT EXISTS hostile")
    env.use_database("hostile")
    env.spark.sql(f"CREATE OR REPLACE FUNCTION hostile.nice AS 'python:{MODULE}.harmless'")
    try:
        assert env.list_user_defined_functions() == ["nice"]
        assert MODULE in str(list(env.execute_sql("DESCRIBE FUNCTION nice").collect()))
        with pytest.raises(TableException, match=r"to use it is to run that code"):
            env.sql_query("SELECT nice('x')")
        assert not mark.exists()
    finally:
        env.use_database("default")
        env.spark.sql("DROP DATABASE hostile CASCADE")
