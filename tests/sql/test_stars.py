"""The columns of stars over joins with USING or NATURAL, as measured on Spark.

In Spark, the result of such a join begins with the join keys. The star of one of its relations begins with the keys of
that relation that the join has dropped.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from grammar.reading import parse_query
from ir.errors import TableException
from ir.rendering import Layout
from tests.answers import Answers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ANSWERS = Answers("stars_of_joins", "tests/sql/test_stars.py")
_TABLES = """WITH a(k, v, s) AS (VALUES (1, 'x', 10), (2, 'y', 20), (3, 'z', NULL)),
b(w, s, k) AS (VALUES (0.5, 10, 1), (1.5, 10, 7), (2.5, 30, 3)),
c(z, s, v) AS (VALUES (true, 10, 'x'), (false, 20, 'q'), (NULL, 30, 'z'))
"""
_STARS = ("*", "a.*", "b.*", "c.*")

# For each FROM, the columns of each of these stars; empty if Spark does not resolve the star.
MEASURED = [
    ("a JOIN b USING (s)", "s k v w k", "s k v", "s w k", ""),
    ("a LEFT JOIN b USING (s)", "s k v w k", "s k v", "s w k", ""),
    ("a RIGHT JOIN b USING (s)", "s k v w k", "s k v", "s w k", ""),
    ("a FULL JOIN b USING (s)", "s k v w k", "s k v", "s w k", ""),
    ("a SEMI JOIN b USING (s)", "s k v", "s k v", "", ""),
    ("a ANTI JOIN b USING (s)", "s k v", "s k v", "", ""),
    ("a JOIN b USING (s, k)", "s k v w", "s k v", "s k w", ""),
    ("a JOIN b USING (k, s)", "k s v w", "k s v", "k s w", ""),
    ("a RIGHT JOIN b USING (s, k)", "s k v w", "s k v", "s k w", ""),
    ("a FULL JOIN b USING (k, s)", "k s v w", "k s v", "k s w", ""),
    ("a SEMI JOIN b USING (s, k)", "s k v", "s k v", "", ""),
    ("a NATURAL JOIN b", "k s v w", "k s v", "k s w", ""),
    ("b NATURAL JOIN a", "s k w v", "s k v", "s k w", ""),
    ("a NATURAL RIGHT JOIN b", "k s v w", "k s v", "k s w", ""),
    ("a NATURAL FULL JOIN b", "k s v w", "k s v", "k s w", ""),
    ("a JOIN b ON a.s = b.s", "k v s w s k", "k v s", "w s k", ""),
    ("a JOIN b USING (s) JOIN c USING (s)", "s k v w k z v", "s k v", "s w k", "s z v"),
    ("a JOIN b USING (s) JOIN c USING (v)", "v s k w k z s", "v s k", "s w k", "v z s"),
    ("a RIGHT JOIN b USING (s) LEFT JOIN c USING (s)", "s k v w k z v", "s k v", "s w k", "s z v"),
    ("a LEFT JOIN b USING (s) RIGHT JOIN c USING (s)", "s k v w k z v", "s k v", "s w k", "s z v"),
    ("a FULL JOIN b USING (s) FULL JOIN c USING (s)", "s k v w k z v", "s k v", "s w k", "s z v"),
    ("c JOIN (a RIGHT JOIN b USING (s)) ON c.s = b.s", "z s v s k v w k", "s k v", "s w k", "z s v"),
    ("c LEFT JOIN (a JOIN b USING (s)) USING (s)", "s z v k v w k", "s k v", "s w k", "s z v"),
    ("a JOIN b USING (s) SEMI JOIN c USING (v)", "v s k w k", "v s k", "s w k", ""),
    ("a SEMI JOIN b USING (s) JOIN c USING (v)", "v s k z s", "v s k", "", "v z s"),
    ("a RIGHT JOIN b USING (s) JOIN c ON c.v = a.v", "s k v w k z s v", "s k v", "s w k", "z s v"),
    ("c, a RIGHT JOIN b USING (s)", "s z v k v s w k", "k v s", "s w k", "s z v"),
]
CASES = [(source, star, names) for source, *found in MEASURED for star, names in zip(_STARS, found, strict=True)]
every_case = pytest.mark.parametrize(("source", "star", "names"), CASES, ids=[f"{s} {f}" for f, s, _ in CASES])


def _query(source: str, star: str) -> str:
    return f"{_TABLES}SELECT {star} FROM {source}"


@every_case
def test_columns_are_the_measured_ones(source: str, star: str, names: str) -> None:
    if names:
        assert list(parse_query(_query(source, star)).schema.names) == names.split()
    else:
        with pytest.raises(TableException, match=r"gives no columns of its right side|no relation or column"):
            parse_query(_query(source, star))


@pytest.mark.parametrize(("source", "found"), [(source, found) for source, *found in MEASURED])
def test_spark_gives_the_measured_columns_and_the_same_rows(source: str, found: list[str], spark: SparkSession) -> None:
    queries = {_query(source, star): names for star, names in zip(_STARS, found, strict=True) if names}
    every = _query(source, ", ".join(star for star, names in zip(_STARS, found, strict=True) if names))
    texts = {
        query: [parse_query(query).as_serializable_string(layout=layout) for layout in Layout]
        for query in (*queries, every)
    }
    question = (queries, texts)
    if ANSWERS.know(*question):
        return
    for query, names in queries.items():
        original = spark.sql(query)
        assert original.columns == names.split(), query
        for text in texts[query]:
            assert spark.sql(text).dtypes == original.dtypes, query
    for text in texts[every]:
        assert Counter(spark.sql(text).collect()) == Counter(spark.sql(every).collect())
    ANSWERS.keep(*question)


def test_a_left_out_key_is_named_with_its_relation_alone() -> None:
    text = _query("a JOIN b USING (s) |> DROP s", "*")
    assert parse_query(f"{text} |> SELECT b.s").schema.names == ("s",)
    with pytest.raises(TableException, match="Cannot resolve"):
        parse_query(f"{text} |> SELECT s")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT v AS k, v AS k FROM a JOIN b USING (s) ORDER BY k", "Ambiguous column name: k; 2 columns"),
        ("SELECT k AS q, k AS q FROM a ORDER BY q", "several columns of the SELECT"),
        ("SELECT k AS q, k AS q FROM a GROUP BY k HAVING q > 1", "several columns of the SELECT"),
        ("SELECT -k AS k, -k AS k FROM a CLUSTER BY k", "several columns of the SELECT"),
        ("SELECT k AS q, k AS q, q + 1 AS r FROM a", "several columns of the SELECT"),
        ("SELECT k AS q, k AS q, count(*) OVER () AS c FROM a QUALIFY q > 1", "several columns of the SELECT"),
        ("SELECT -k AS k, rank() OVER (ORDER BY k) AS r FROM a QUALIFY k < 0", "a column of FROM that a window of"),
        ("SELECT max(k) OVER () AS k FROM a QUALIFY k > 0", "a column of FROM that a window of"),
        ("SELECT count(*) FROM a HAVING DATE '2020-01-01'", "CAST"),
        ("SELECT * FROM a UNPIVOT (k FOR n IN (s))", "UNPIVOT gives several columns"),
        ("SELECT * FROM a UNPIVOT (n FOR n IN (s))", "UNPIVOT gives several columns"),
        ("SELECT * FROM a UNPIVOT ((x, X) FOR n IN ((k, s)))", "UNPIVOT gives several columns"),
        ("SELECT * EXCEPT (b.s) FROM a JOIN b USING (s)", "Cannot resolve"),
        ("SELECT * EXCEPT (a.s) FROM a FULL JOIN b USING (s)", "Cannot resolve"),
    ],
)
def test_spark_also_rejects(text: str, message: str, spark: SparkSession) -> None:
    from pyspark.errors import AnalysisException

    with pytest.raises(TableException) as raised:
        parse_query(_TABLES + text)
    assert message in str(raised.value)
    with pytest.raises(AnalysisException):
        spark.sql(_TABLES + text)
