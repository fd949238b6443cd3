"""Constants whose values only Spark knows; Spark evaluates them when a query is parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir.errors import TableException
from ir.expressions import ResolvedExpression
from ir.literals import literal
from tableapi.spark.errors import readable_errors

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def text_of(session: SparkSession, expression: ResolvedExpression) -> ResolvedExpression:
    """Evaluate a string expression without columns to a literal.

    Raises:
        TableException: the evaluation fails.
    """
    try:
        with readable_errors():
            return literal(session.sql(f"SELECT {expression.as_serializable_string()}").collect()[0][0])
    except TableException as error:
        message = str(error).split("\n", 1)[0]
        raise TableException(f"Spark fails to compute {expression.as_summary_string()}: {message}") from None
