"""The small examples print what they promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from examples import broker, own_session, quickstart
from examples.tpch.__main__ import DATABASE
from examples.tpch.__main__ import run as run_tpch
from tableapi import TableEnvironment
from tests.streams.nats_server import NatsServer, why_missing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]


def test_quickstart(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    te = TableEnvironment.create(spark=spark.newSession())
    try:
        quickstart.main(te)
    finally:
        te.drop_view("big_spenders")
    written = capsys.readouterr().out
    assert "Filter: (condition: [greaterThan(total, 5)])" in written
    assert "WHERE `amount` IS NOT NULL" in written
    assert "| Ada      |      2 |  7.70 |" in written
    assert "| ADA  |" in written
    assert "Did you mean 'amount'?" in written


def test_own_session(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    own_session.main(spark.newSession())
    written = capsys.readouterr().out
    assert "|     0|       4|6.75|" in written
    assert "|greatest|" in written


@pytest.mark.skipif(why_missing() is not None, reason=str(why_missing()))
def test_broker(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = NatsServer(tmp_path / "server")
    server.start()
    try:
        broker.run(server.url, tmp_path, TableEnvironment.create(spark=spark.newSession()))
    finally:
        server.kill()
    written = capsys.readouterr().out
    assert [line for line in written.splitlines() if line.startswith("| ")] == [
        "| id | drink |",
        "|  1 | tea   |",
        "|  4 | juice |",
        "|  5 | milk  |",
    ]


def test_without_spark(tmp_path: Path) -> None:
    # Java cannot be found, and is not needed.
    hidden = {"PATH": str(tmp_path), "TABLEAPI_HOME": str(tmp_path / "home")}
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | hidden
    ran = subprocess.run(
        [sys.executable, "-m", "examples.without_spark"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    assert "-- SPARK\nSELECT CONCAT(`name`" in ran.stdout
    assert "-- FLINK\nSELECT" in ran.stdout
    assert ran.stdout.endswith("pyspark was loaded: False\n")
    assert not (tmp_path / "home").exists()


def test_tpch(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    te = TableEnvironment.create(spark=spark.newSession())
    try:
        run_tpch(te, tmp_path, 0.01, ["q6"], show_sql=True)
    finally:
        te.execute_sql(f"DROP DATABASE IF EXISTS {DATABASE} CASCADE")
    written = capsys.readouterr().out
    assert "q6: Forecasting revenue change." in written
    assert "FROM `spark_catalog`.`tpch_example`.`lineitem`" in written
    assert "| 1193053.2253 |" in written
