"""Spark's parser reads the text of every command."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from grammar.statement_words import statements_of
from tableapi import Dialect
from tableapi.exceptions import TableException
from tests.cases import every
from tests.commands.tables import dialect_of, environment, name_of, statements


@every("statement", statements, name_of)
def test_spark_reads_the_text(spark: SparkSession, statement: tuple[str, str]) -> None:
    try:
        text = environment().sql_statement(statement[1], dialect=dialect_of(statement)).as_serializable_string()
    except TableException:
        assert dialect_of(statement) is Dialect.FLINK
        pytest.skip("Spark has no form of it.")
    for part in statements_of(text):
        spark._jsparkSession.sessionState().sqlParser().parsePlan(part)
