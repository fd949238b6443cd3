"""The paths that JSON_TABLE accepts, compared with Spark: short combinations of all path elements."""

from __future__ import annotations

import itertools
import random

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from ir.functions.json_table import is_path
from ir.literals import literal
from serializer.literals import literal_text
from serializer.spark_notation import SPARK

_PIECES = (".a", "['b']", "[0]", "[*]", ".", "*", "'", "[", "]", " ", "\n", "x", "-1", "é", "\u00a0", '"')
_WHOLE = [
    *["$['']", "$['*']", "$['**']", "$['a'b']", "$[' a']", "$['a ']", "$['\n']", "$['a?']", '$["a"]', "$['a", "$[a]"],
    *["$[00]", "$[ 0]", "$[0 ]", "$[+1]", "$[1,2]", "$[9223372036854775807]", "$[9223372036854775808]", "$[ *]"],
    *["$.*", "$. *", "$.a*", "$.*a", "$..a", "$.a b", "$.a()", "$?(@.a)", "lax $", "strict $.a", "", "a", "[*]"],
    *["$['a']  ['b']", "$.a[0][*]", "$.a[*].b", "$[*][*]", "$[*] ", "$.日本", "$.a\\b", "$['a\\']"],
]
_ASKED = 150


def _paths() -> list[str]:
    made = [f"${''.join(parts)}" for count in range(4) for parts in itertools.product(_PIECES, repeat=count)]
    # Most of the long combinations are invalid, and add no information.
    followed = [path for path in made if is_path(path, of_rows=True)]
    chosen = random.Random("paths")
    return list(dict.fromkeys([*_WHOLE, *chosen.sample(followed, _ASKED), *chosen.sample(made, _ASKED)]))


def _is_accepted(spark: SparkSession, rows: str, column: str) -> bool:
    text = "SELECT * FROM JSON_TABLE('{}', %s COLUMNS (x INT PATH %s))"
    try:
        spark.sql(text % tuple(literal_text(literal(path), SPARK) for path in (rows, column)))
    except AnalysisException as error:
        if error.getCondition() != "DATATYPE_MISMATCH.INVALID_JSON_TABLE_PATH":
            raise
        return False
    return True


def test_paths_equal_those_of_spark(spark: SparkSession) -> None:
    paths = _paths()
    found = {path: (_is_accepted(spark, path, "$"), _is_accepted(spark, "$", path)) for path in paths}
    assert {path: (is_path(path, of_rows=True), is_path(path)) for path in paths} == found
    assert sum(of_column for _, of_column in found.values()) > _ASKED // 2
