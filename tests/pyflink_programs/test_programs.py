"""Each PyFlink program runs unchanged except for its imports, or is rejected with the page that says why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ir.errors import TableException
from ir.migration_page import Section, see
from tests.cases import some_nightly
from tests.pyflink_programs import functions, introduction, operations, tables
from tests.pyflink_programs.program import Program, comparable, with_other_imports

PROGRAMS = (*introduction.PROGRAMS, *operations.PROGRAMS, *functions.PROGRAMS, *tables.PROGRAMS)
RUNNING = [program for program in PROGRAMS if program.refused is None]
REFUSED = [program for program in PROGRAMS if program.refused is not None]
PAGE = Path(__file__).parents[2] / "docs" / "coming-from-pyflink.md"


@pytest.fixture(scope="module", autouse=True)
def embedded(spark: SparkSession) -> Iterator[None]:
    """The programs create their own environments, which find the running embedded session."""
    yield
    # spark.catalog.listTables fails to decode objects that other tests leave in the session; SHOW does not.
    views = {row.viewName for row in spark.sql("SHOW VIEWS IN spark_catalog.default").collect() if not row.isTemporary}
    for row in spark.sql("SHOW TABLES IN spark_catalog.default").collect():
        if not row.isTemporary:
            kind = "VIEW" if row.tableName in views else "TABLE"
            spark.sql(f"DROP {kind} IF EXISTS spark_catalog.default.`{row.tableName}`")


@pytest.mark.parametrize("program", some_nightly(RUNNING), ids=lambda program: program.name)
def test_runs(program: Program) -> None:
    assert program.run() == comparable(program.expected)


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.name)
def test_is_refused_by_name(program: Program) -> None:
    assert program.refused is not None
    with pytest.raises(TableException) as raised:
        program.run()
    assert see(program.refused).strip() in str(raised.value)


def test_only_import_lines_change() -> None:
    for program in PROGRAMS:
        changed = zip(program.text.splitlines(), with_other_imports(program.text).splitlines(), strict=True)
        differing = [before for before, after in changed if before != after]
        assert differing
        assert all(re.match(r"\s*(from|import) pyflink", line) for line in differing)


def test_names_differ() -> None:
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS)


def test_the_page_says_how_many_run() -> None:
    text = " ".join(PAGE.read_text().split())
    assert f"{len(PROGRAMS)} programs" in text
    assert f"{len(RUNNING)} run unchanged" in text
    assert f"{len(REFUSED)} are refused" in text


@pytest.mark.parametrize("section", [value for name, value in vars(Section).items() if name.isupper()])
def test_messages_name_sections_of_the_page(section: str) -> None:
    assert re.search(rf"^### {re.escape(section)}$", PAGE.read_text(), re.MULTILINE)
