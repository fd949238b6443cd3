"""The examples of the pages about running streams run, one after the other, and give what the pages show."""

from __future__ import annotations

import doctest
import uuid
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import tableapi
from tableapi import TableEnvironment

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "examples"), [("streams", 20), ("changelogs", 15)])
def test_examples(
    page: str, examples: int, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLEAPI_HOME", str(tmp_path))
    session = spark.newSession()
    database = f"page_{uuid.uuid4().hex[:8]}"
    session.sql(f"CREATE DATABASE {database}")
    session.sql(f"USE {database}")
    monkeypatch.setattr(tableapi.TableEnvironment, "create", lambda: _create(session))
    try:
        found = doctest.testfile(
            str(DOCS / f"{page}.md"),
            module_relative=False,
            encoding="utf-8",
            optionflags=doctest.ELLIPSIS,
            verbose=False,
        )
    finally:
        session.sql(f"DROP DATABASE {database} CASCADE")
    assert found.attempted > examples
    assert not found.failed


_create_environment = TableEnvironment.create


def _create(session: SparkSession) -> TableEnvironment:
    return _create_environment(spark=session)
