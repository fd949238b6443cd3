"""The examples of the page about streams run, one after the other, and give what the page shows."""

from __future__ import annotations

import doctest
import uuid
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import tableapi
from tableapi import TableEnvironment

PAGE = Path(__file__).parents[2] / "docs" / "streams.md"


def test_examples(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEAPI_HOME", str(tmp_path))
    session = spark.newSession()
    database = f"page_{uuid.uuid4().hex[:8]}"
    session.sql(f"CREATE DATABASE {database}")
    session.sql(f"USE {database}")
    monkeypatch.setattr(tableapi.TableEnvironment, "create", lambda: _create(session))
    try:
        found = doctest.testfile(
            str(PAGE), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS, verbose=False
        )
    finally:
        session.sql(f"DROP DATABASE {database} CASCADE")
    assert found.attempted > 20
    assert not found.failed


_create_environment = TableEnvironment.create


def _create(session: SparkSession) -> TableEnvironment:
    return _create_environment(spark=session)
