"""The statements in the manner of Spark's documentation pages on Spark: read by its parser, and executed."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from grammar.statement_words import statements_of
from tableapi import TableEnvironment
from tableapi.exceptions import TableException
from tests.commands.page_statements import ROWS, TABLES, environment, page_statements


def test_spark_parses_the_text_of_every_tree(spark: SparkSession) -> None:
    parser = spark._jsparkSession.sessionState().sqlParser()
    te = environment()
    for statement in page_statements():
        written = statement.text
        if statement.kind == "tree":
            # Spark has no text for temporary tables.
            with contextlib.suppress(TableException):
                written = te.sql_statement(written).as_serializable_string()
        if statement.condition != "INVALID_STATEMENT_OR_CLAUSE":
            for text in statements_of(written):
                parser.parsePlan(text)


@pytest.mark.nightly
def test_spark_executes_what_its_catalog_can(spark: SparkSession, tmp_path: Path) -> None:
    te = TableEnvironment.create(spark=spark)
    spark.sql("DROP DATABASE IF EXISTS sales CASCADE")
    te.execute_sql("CREATE DATABASE sales")
    te.execute_sql("USE sales")
    for text in TABLES:
        for name in ("orders", "updates", "goods") if "{}" in text else ("",):
            te.execute_sql(text.format(name))
    te.execute_sql(ROWS)
    (tmp_path / "load").mkdir()
    (tmp_path / "load" / "lines.txt").write_text("a\nb\n")
    for format in ("csv", "json", "parquet"):
        (tmp_path / f"rows.{format}").mkdir()
    stems = ("databases_and_functions", "declarations", "alterations", "rows")
    for statement in sorted(page_statements(), key=lambda one: stems.index(one.name.rpartition("-")[0])):
        outcome, condition = "runs", ""
        try:
            te.execute_sql(statement.text.replace("/data", str(tmp_path)))
        except TableException as error:
            outcome, condition = "fails", error.condition or ""
        if statement.outcome != "parses":
            assert (outcome, condition) == (statement.outcome, statement.condition), statement
    te.execute_sql("USE default")
    spark.sql("DROP DATABASE sales CASCADE")
