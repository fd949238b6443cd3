"""Spark's parser reads the text of every command."""

from __future__ import annotations

from pyspark.sql import SparkSession

from tests.cases import every
from tests.commands.tables import environment, name_of, statements


@every("statement", statements, name_of)
def test_spark_reads_the_text(spark: SparkSession, statement: tuple[str, str]) -> None:
    text = environment().sql_statement(statement[1]).as_serializable_string()
    spark._jsparkSession.sessionState().sqlParser().parsePlan(text)
