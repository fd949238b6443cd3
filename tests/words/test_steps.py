"""The words that make a preceding | a pipe step are the same as in Spark."""

from __future__ import annotations

import re
from typing import Any

from pyspark.errors import ParseException
from pyspark.sql import SparkSession

from grammar.parsers import parser
from ir.dialects.operators import STEPS
from ir.rendering import Dialect


def test_words_before_which_a_bar_begins_a_step(spark: SparkSession) -> None:
    session: Any = spark
    reader = session._jsparkSession.sessionState().sqlParser()

    def is_operator(word: str) -> bool:
        try:
            plan = reader.parsePlan(f"SELECT a | {word} FROM t")
        except ParseException:
            return False
        return re.search(r"\('a \| ", plan.toString()) is not None

    words = {word for word in parser(Dialect.SPARK).keywords() if " " not in word} | STEPS
    assert len(words) > 200
    assert {word for word in words if not is_operator(word)} == STEPS
