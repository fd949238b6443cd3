"""The pytest plugin in environments that have it installed, with and without syrupy, and without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.installation.environments import environment_with
from tests.testing.runs import WITH_SYRUPY, WITHOUT_SYRUPY, run_pytest

SCHEMA = "CREATE TABLE orders (id BIGINT NOT NULL, amount DECIMAL(10, 2))"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment_with(tmp_path_factory.mktemp("bare"), WITHOUT_SYRUPY)


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment_with(tmp_path_factory.mktemp("complete"), WITH_SYRUPY)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a directory catalog."""
    (tmp_path / "schemas/sales/tables").mkdir(parents=True)
    (tmp_path / "schemas/sales/database.sql").write_text("CREATE DATABASE sales", encoding="utf-8")
    (tmp_path / "schemas/sales/tables/orders.sql").write_text(SCHEMA, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\ntableapi_catalog = schemas\n", encoding="utf-8")
    return tmp_path


def write(project: Path, *tests: str) -> None:
    head = "import pytest\nfrom tableapi.testing import assert_rows, assert_schema\n\n"
    (project / "test_views.py").write_text(head + "\n\n".join(tests), encoding="utf-8")


COLUMNS = """\
def test_columns(table_environment):
    orders = table_environment.from_path("sales.orders")
    assert_schema(orders, {"id": "BIGINT NOT NULL", "amount": "DECIMAL(10, 2)"})
"""
MARKED = """\
@pytest.mark.tableapi_catalog("schemas", name="shop", database="sales")
def test_marked(table_environment):
    assert table_environment.get_current_catalog() == "shop"
    assert_schema(table_environment.from_path("orders"), "id BIGINT NOT NULL, amount DECIMAL(10, 2)")
"""
ROWS = """\
def test_rows(table_environment):
    assert_rows(table_environment.from_elements([(1,)]), [(1,)])
"""
SESSION = """\
def test_session(spark_table_environment):
    raise NotImplementedError
"""
SNAPSHOT = """\
def test_snapshot(table_environment, sql_snapshot):
    assert table_environment.sql_query("SELECT id FROM sales.orders") == sql_snapshot
"""


def test_environments_over_a_catalog(bare: Path, project: Path) -> None:
    write(project, COLUMNS, MARKED)
    code, output = run_pytest(bare, project, "--strict-markers", "--strict-config", "-W", "error")
    assert (code, "2 passed" in output) == (0, True), output


def test_without_a_catalog_the_environment_is_empty(bare: Path, project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    write(project, "def test_empty(table_environment):\n    assert table_environment.list_tables() == []\n")
    code, output = run_pytest(bare, project)
    assert (code, "1 passed" in output) == (0, True), output


VIEW = """\
from tableapi import view


@view("small")
def small(te):
    return te.sql_query("SELECT id FROM sales.orders")
"""
OF_PROJECT = """\
def test_project(tableapi_project, table_environment):
    assert [identifier.name for identifier in tableapi_project.names()] == ["small"]
    assert_schema(table_environment.from_path("small"), {"id": "BIGINT NOT NULL"})
"""


@pytest.mark.slow
def test_environments_over_a_project(bare: Path, project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    file = '[project]\nname = "shop"\ncatalog = "schemas"\ndatabase = "sales"\n'
    (project / "tableapi.toml").write_text(file, encoding="utf-8")
    (project / "views").mkdir()
    (project / "views/small.py").write_text(VIEW, encoding="utf-8")
    write(project, OF_PROJECT, MARKED)
    code, output = run_pytest(bare, project)
    assert (code, "2 passed" in output) == (0, True), output
    (project / "views/small.py").write_text(
        VIEW.replace("def small", "raise ValueError('no')\n\ndef small"), encoding="utf-8"
    )
    code, output = run_pytest(bare, project)
    assert "The project shop cannot be loaded:" in output
    assert "views/small.py:" in output
    (project / "tableapi.toml").write_text(file.replace("catalog", "catalogue"), encoding="utf-8")
    code, output = run_pytest(bare, project)
    assert "tableapi.toml:3: [project] has no key 'catalogue'" in output


def test_without_a_project_its_fixture_names_the_file(bare: Path, project: Path) -> None:
    write(project, "def test_none(tableapi_project):\n    pass\n")
    code, output = run_pytest(bare, project)
    assert code == 1
    assert f"There is no {project / 'tableapi.toml'}" in output


def test_a_folder_that_does_not_exist_is_named(bare: Path, project: Path) -> None:
    write(project, COLUMNS)
    code, output = run_pytest(bare, project, "-o", "tableapi_catalog=shcemas")
    assert code == 1
    assert f"The folder {project / 'shcemas'} of tableapi_catalog does not exist." in output


def test_what_needs_spark_is_skipped_by_name(bare: Path, project: Path) -> None:
    write(project, COLUMNS, ROWS, SESSION)
    code, output = run_pytest(bare, project)
    missing = "needs Spark: the package pyspark is not installed (pip install 'tableapi[spark]')"
    assert (code, "1 passed, 2 skipped" in output) == (0, True), output
    assert f"assert_rows {missing}" in output
    assert f"the fixture tableapi_spark_session {missing}" in output


def test_a_run_can_require_spark(bare: Path, project: Path) -> None:
    write(project, COLUMNS, ROWS, SESSION)
    code, output = run_pytest(bare, project, "-o", "tableapi_spark=required")
    assert (code, "1 failed, 1 passed, 1 error" in output) == (1, True), output
    code, output = run_pytest(bare, project, "-o", "tableapi_spark=yes")
    assert code == 4
    assert "tableapi_spark is one of auto, required, never, but is 'yes'" in output


def test_sail_that_is_missing_is_named(bare: Path, project: Path) -> None:
    write(project, ROWS, SESSION)
    code, output = run_pytest(bare, project, "-o", "tableapi_engine=sail")
    missing = "needs Sail: the package pysail is not installed (pip install 'tableapi[sail]')"
    assert (code, "2 skipped" in output) == (0, True), output
    assert f"assert_rows {missing}" in output
    assert f"the fixture tableapi_spark_session {missing}" in output
    code, output = run_pytest(bare, project, "-o", "tableapi_engine=sial")
    assert code == 4
    assert "tableapi_engine is one of spark, sail, but is 'sial'" in output


@pytest.mark.slow
def test_snapshots_are_files_of_sql(complete: Path, project: Path) -> None:
    write(project, SNAPSHOT)
    code, output = run_pytest(complete, project, "--snapshot-update")
    assert (code, "1 snapshot generated" in output) == (0, True), output
    file = project / "__snapshots__/test_views/test_snapshot.sql"
    assert file.read_text(encoding="utf-8") == "-- `id` BIGINT NOT NULL\nSELECT `id`\nFROM `main`.`sales`.`orders`\n"
    code, output = run_pytest(complete, project)
    assert code == 0, output
    # A change of a type alone is a change of the snapshot.
    (project / "schemas/sales/tables/orders.sql").write_text(SCHEMA.replace("BIGINT", "INT"), encoding="utf-8")
    code, output = run_pytest(complete, project)
    assert code == 1
    assert "-- `id` INT NOT NULL" in output


def test_without_syrupy_only_snapshots_fail(bare: Path, project: Path) -> None:
    write(project, COLUMNS, SNAPSHOT)
    code, output = run_pytest(bare, project)
    assert code == 1
    assert "needs the package syrupy, which comes with the extra 'testing' of tableapi" in output
    assert "1 passed, 1 error" in output


def test_names_that_need_an_extra_name_it(bare: Path, project: Path) -> None:
    lines = [
        f"def test_{name}():\n    from tableapi.testing import {name}\n"
        for name in ("SqlSnapshotExtension", "AsyncFunctionTestHarness", "assert_rwos")
    ]
    write(project, *lines)
    _, output = run_pytest(bare, project)
    assert "SqlSnapshotExtension needs the package syrupy, which comes with the extra 'testing' of tableapi" in output
    assert "AsyncFunctionTestHarness needs the package pyspark, which comes with the extra 'spark'" in output
    assert "Did you mean 'assert_rows'?" in output


def test_a_run_without_the_fixtures_loads_nothing(bare: Path, project: Path) -> None:
    (project / "test_views.py").write_text(
        "import sys\n\n"
        "def test_modules():\n"
        "    own = ('tableapi', 'ir', 'grammar', 'serializer')\n"
        "    found = sorted(name for name in sys.modules if name.partition('.')[0] in own)\n"
        "    assert 'tableapi.testing.plugin' in found\n"
        # Those that ``import tableapi`` loads, and three of the plugin.
        "    assert len(found) < 25, found\n",
        encoding="utf-8",
    )
    code, output = run_pytest(bare, project)
    assert code == 0, output


WITHOUT_JAVA = """\
import asyncio
import dataclasses
import datetime as dt
import typing

from tableapi import Row, udf
from tableapi.process_functions import ProcessTableFunction, State, TableAsSet
from tableapi.testing import AsyncFunctionTestHarness, ProcessTableFunctionTestHarness


@dataclasses.dataclass
class Total:
    total: int = 0


class Totals(ProcessTableFunction):
    def eval(self, total: State[Total], input: TableAsSet[Row]) -> typing.Iterator[int]:
        total.total += input.v
        yield total.total


@udf(result_type="BIGINT", input_types=["BIGINT"])
async def double(x):
    await asyncio.sleep(60)
    return 2 * x


def test_harnesses():
    builder = ProcessTableFunctionTestHarness.of_class(Totals)
    with builder.with_table_argument("input", {"k": "INT", "v": "INT"}, partition_by="k").build() as harness:
        harness.process_elements([(1, 2), (1, 3)])
        assert harness.get_output() == [(1, 2), (1, 5)]
    assert AsyncFunctionTestHarness(double).run([4]).results == [8]
"""


@pytest.mark.slow
def test_harnesses_run_and_queries_are_skipped_where_there_is_no_java(
    tmp_path_factory: pytest.TempPathFactory, project: Path
) -> None:
    python = environment_with(tmp_path_factory.mktemp("pyspark"), [*WITHOUT_SYRUPY, "pyspark[sql]"])
    write(project, ROWS, SESSION, WITHOUT_JAVA)
    code, output = run_pytest(python, project)
    assert (code, "1 passed, 2 skipped" in output) == (0, True), output
    assert "assert_rows needs Spark: Spark needs Java 17 or newer, and none was found: JAVA_HOME: " in output
