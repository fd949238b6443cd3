"""Named process table functions: temporary and stored ones, and views over them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.errors import FunctionNotExistException, ValidationException
from tableapi import CatalogDescriptor, DataTypes, EnvironmentSettings, TableEnvironment
from tableapi.expressions import col
from tests.process_functions.functions import BySet, CountWithTimeout

PACKAGES = "python.functions.packages"
BY_SET = "tests.process_functions.functions.BySet"


def _environment(path: Path) -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    env = TableEnvironment.create(settings)
    env.create_catalog("repository", CatalogDescriptor.of("repository", {"type": "directory", "path": str(path)}))
    env.use_catalog("repository")
    return env


def _allow(env: TableEnvironment) -> TableEnvironment:
    env.get_config().set(PACKAGES, "tests")
    return env


def _rows(env: TableEnvironment) -> None:
    columns = [DataTypes.FIELD("k", DataTypes.INT()), DataTypes.FIELD("v", DataTypes.STRING())]
    rows = env.from_elements([(1, "a")], DataTypes.ROW(columns))
    env.create_view("rows_of_it", rows)


def test_the_four_kinds_of_names(tmp_path: Path) -> None:
    env = _allow(_environment(tmp_path))
    _rows(env)
    table = env.from_path("rows_of_it").partition_by(col("k"))
    env.create_function("counted", BySet)
    assert table.process("counted").get_resolved_schema().names == ("k", "count")
    assert "`repository`.`default`.`counted`" in table.process("counted").as_serializable_string()
    env.create_temporary_function("counted", CountWithTimeout)
    assert [a.name for a in _signature(env)] == ["input"]
    env.create_temporary_system_function("counted", BySet)
    assert [a.name for a in _signature(env)] == ["r", "i"]
    assert table.process("repository.`default`.counted").query_operation.function.process is not None  # type: ignore[attr-defined]
    env.drop_temporary_system_function("counted")
    env.drop_temporary_function("counted")
    env.drop_function("counted")
    with pytest.raises(FunctionNotExistException):
        table.process("counted")


def _signature(env: TableEnvironment) -> list[object]:
    found = env._functions.find("counted").process
    assert found is not None
    return list(found.arguments)


def test_statements(tmp_path: Path) -> None:
    env = _allow(_environment(tmp_path))
    _rows(env)
    env.execute_sql(f"CREATE FUNCTION counted AS '{BY_SET}' LANGUAGE PYTHON")
    table = env.sql_query("SELECT * FROM counted(TABLE rows_of_it PARTITION BY k)")
    assert table.get_resolved_schema().names == ("k", "count")
    env.execute_sql(f"CREATE TEMPORARY SYSTEM FUNCTION counted_too AS '{BY_SET}' LANGUAGE PYTHON")
    assert env.sql_query("SELECT * FROM counted_too(TABLE(rows_of_it) PARTITION BY v)").get_resolved_schema().names == (
        "v",
        "count",
    )


def test_a_stored_view_is_read_by_another_environment(tmp_path: Path) -> None:
    env = _allow(_environment(tmp_path))
    _rows(env)
    env.create_function("counted", BySet)
    view = env.from_path("rows_of_it").partition_by(col("k")).process("counted", 2, uid="counting")
    env.create_view("counts", view, comment="how many")
    (file,) = tmp_path.rglob("counts.sql")
    assert "PARTITION BY (k)" in file.read_text()
    other = _allow(_environment(tmp_path))
    assert other.from_path("counts").get_resolved_schema() is env.from_path("counts").get_resolved_schema()
    assert other.from_view_definition("counts").get_resolved_schema().names == ("k", "count")


def test_code_that_is_not_allowed_is_not_imported(tmp_path: Path) -> None:
    env = _environment(tmp_path)
    env.create_function("counted", BySet)
    with pytest.raises(ValidationException, match="Its package is not allowed"):
        env.sql_query("SELECT * FROM counted(TABLE(SELECT 1 AS k) PARTITION BY k)")


def test_a_permanent_view_over_a_temporary_function(tmp_path: Path) -> None:
    env = _environment(tmp_path)
    env.create_temporary_function("counted", BySet)
    table = env.sql_query("SELECT * FROM counted(TABLE(SELECT 1 AS k) PARTITION BY k)")
    with pytest.raises(ValidationException, match="cannot depend on the temporary function"):
        env.create_view("counts", table)
    env.create_temporary_view("counts", table)
    assert env.from_path("counts").get_resolved_schema().names == ("k", "count")
