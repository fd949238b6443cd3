"""LIMIT ALL over recursive queries: written SQL exceeds Spark's row limit where the original text does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ir.operations.recursion import Recursion
from ir.rendering import Layout
from tableapi import EnvironmentSettings, TableEnvironment, TableException
from tableapi.spark.errors import readable_errors
from tests.answers import Answers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ANSWERS = Answers("recursive_queries", "tests/spark/test_recursive_queries.py", "tableapi/spark/errors.py")
_ROWS = 20
_STEPS = "SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 20"
_WITH = f"WITH RECURSIVE r(n) AS ({_STEPS}) "

# The queries without ``_WITH``.
QUERIES = [
    "SELECT n FROM r GROUP BY n HAVING n > 2 LIMIT ALL",
    "SELECT n, count(*) FROM r GROUP BY ALL LIMIT ALL",
    "SELECT n, count(*) FROM r GROUP BY CUBE(n) LIMIT ALL",
    "SELECT n FROM r GROUP BY n HAVING count(*) > 0 LIMIT ALL",
    "SELECT count(*) FROM r HAVING count(*) > 0 LIMIT ALL",
    "SELECT r.n FROM r, VALUES (1) t(a) LIMIT ALL",
    "SELECT r.n FROM r JOIN LATERAL (SELECT r.n AS k) LIMIT ALL",
    "SELECT x.n FROM VALUES (1) t(a), LATERAL (SELECT n FROM r) x LIMIT ALL",
    "SELECT n FROM r LEFT SEMI JOIN VALUES (1) t(a) ON n > a LIMIT ALL",
    "SELECT a FROM VALUES (1) t(a) LEFT SEMI JOIN r ON n > a LIMIT ALL",
    "SELECT n FROM r NATURAL JOIN (SELECT 1 AS n) LIMIT ALL",
    "SELECT n FROM r JOIN (SELECT 1 AS n) USING (n) LIMIT ALL",
    "SELECT n FROM r INTERSECT SELECT 1 LIMIT ALL",
    "SELECT n FROM r EXCEPT SELECT 1 LIMIT ALL",
    "SELECT n FROM r UNION SELECT 1 LIMIT ALL",
    "SELECT n FROM r INTERSECT ALL SELECT 1 LIMIT ALL",
    "SELECT 1 UNION ALL SELECT n FROM r LIMIT ALL",
    "(SELECT n FROM r) UNION ALL (SELECT n FROM r) LIMIT ALL",
    "SELECT n FROM r UNION ALL (SELECT n FROM r LIMIT ALL)",
    "FROM r SELECT n LIMIT ALL",
    "FROM r LIMIT ALL",
    "TABLE r LIMIT ALL",
    "SELECT n FROM r AS s LIMIT ALL",
    "SELECT x FROM r AS s(x) LIMIT ALL",
    "SELECT x FROM (SELECT n FROM r) AS s(x) LIMIT ALL",
    "SELECT n, row_number() OVER w FROM r WINDOW w AS (ORDER BY n) LIMIT ALL",
    "SELECT n FROM r DISTRIBUTE BY n LIMIT ALL",
    "SELECT n FROM r CLUSTER BY n LIMIT ALL",
    "SELECT * FROM (SELECT n FROM r LIMIT 10) LIMIT ALL",
    "SELECT n FROM (SELECT n FROM r OFFSET 3) LIMIT ALL",
    "SELECT * FROM (WITH z AS (SELECT 1) SELECT n FROM r) LIMIT ALL",
    "(WITH z AS (SELECT 1) SELECT n FROM r) LIMIT ALL",
    "SELECT * FROM r PIVOT (count(n) FOR n IN (1, 2)) LIMIT ALL",
    "SELECT * FROM (SELECT n, n AS m FROM r) UNPIVOT (v FOR k IN (n, m)) LIMIT ALL",
    "(FROM r |> WHERE n > 1) LIMIT ALL",
    "FROM r |> SELECT n |> LIMIT ALL",
    "FROM (SELECT * FROM r LIMIT ALL) |> WHERE n > 1",
    "SELECT * FROM (FROM r |> WHERE n > 1) LIMIT ALL",
    "FROM r |> EXTEND 1 AS x |> LIMIT ALL",
    "FROM r |> AGGREGATE count(*) |> LIMIT ALL",
    "SELECT 1 WHERE EXISTS (SELECT n FROM r WHERE n > 15 LIMIT ALL)",
    "SELECT (SELECT max(n) FROM r) LIMIT ALL",
    "SELECT a FROM VALUES (20) t(a) WHERE a IN (SELECT n FROM r) LIMIT ALL",
    "SELECT a FROM VALUES (20) t(a) WHERE a IN (SELECT n FROM r LIMIT ALL)",
    "SELECT a FROM VALUES (20) t(a) WHERE EXISTS (SELECT n FROM r WHERE n = a LIMIT ALL)",
    "SELECT n FROM r WHERE n > (SELECT 1) LIMIT ALL",
    "SELECT DISTINCT n FROM (SELECT n FROM r LIMIT ALL)",
    "SELECT n FROM (SELECT n FROM r LIMIT ALL) ORDER BY n",
    "SELECT n FROM (SELECT n FROM r LIMIT ALL) TABLESAMPLE (100 PERCENT)",
    "SELECT posexplode(array(n)) FROM r LIMIT ALL",
    "SELECT n, e FROM r, LATERAL explode(array(n)) AS t(e) LIMIT ALL",
    "SELECT stack(1, n) FROM r LIMIT ALL",
    "SELECT TRANSFORM(n) USING 'cat' FROM r LIMIT ALL",
    ", q AS (SELECT n FROM r) SELECT * FROM q LIMIT ALL",
    ", q AS (SELECT n FROM r LIMIT ALL) SELECT * FROM q, r",
    ", q AS (SELECT n FROM r LIMIT ALL) SELECT count(*) FROM q, (SELECT n FROM r LIMIT ALL) r",
    ", s(m) AS (SELECT max(n) FROM r UNION ALL SELECT m + 1 FROM s WHERE m < 30) SELECT * FROM s LIMIT ALL",
    ", s(m) AS (SELECT max(n) FROM r LIMIT ALL) SELECT * FROM s",
    ", s(m) AS ((SELECT max(n) FROM r LIMIT ALL) UNION ALL SELECT m + 1 FROM s WHERE m < 30) SELECT * FROM s LIMIT ALL",
    "SELECT * FROM (WITH z AS (SELECT 1 AS a) SELECT n FROM r, z) LIMIT ALL",
    "(WITH z AS (SELECT 1 AS a) SELECT n FROM r, z) LIMIT ALL",
    "SELECT n FROM r QUALIFY row_number() OVER (ORDER BY n) > 0 LIMIT ALL",
    "SELECT n FROM (r) LIMIT ALL",
    "SELECT n FROM ((SELECT n FROM r)) LIMIT ALL",
    "SELECT n FROM (r JOIN VALUES (1) t(a)) LIMIT ALL",
    "SELECT n FROM (r JOIN VALUES (1) t(a)) s LIMIT ALL",
    "SELECT n FROM VALUES (1) v(k), LATERAL (SELECT k AS z) y, r LIMIT ALL",
    "SELECT n FROM VALUES (1) v(k), r, LATERAL (SELECT k AS z) y LIMIT ALL",
    "SELECT n FROM r, LATERAL explode(array(1)) e LIMIT ALL",
    "SELECT n FROM explode(array(1)) e, r LIMIT ALL",
    "FROM r SELECT n SELECT n + 1 LIMIT ALL",
    "SELECT n FROM r LEFT JOIN VALUES (1) t(a) ON n = a LIMIT ALL",
    "SELECT n FROM r WHERE n > 1 GROUP BY n WINDOW w AS (ORDER BY n) LIMIT ALL",
    "SELECT ALL n FROM r LIMIT ALL",
    "SELECT n FROM r LIMIT ALL OFFSET 0",
    "SELECT a.n FROM r a ANTI JOIN r b ON a.n = b.n + 100 LIMIT ALL",
    "SELECT n FROM IDENTIFIER('r') LIMIT ALL",
    "SELECT x.n FROM r x CROSS JOIN r y LIMIT ALL",
    "TABLE r UNION ALL TABLE r LIMIT ALL",
    "SELECT * EXCEPT (m) FROM (SELECT n, 1 AS m FROM r) LIMIT ALL",
    "SELECT n AS k, k + 1 FROM r LIMIT ALL",
    "SELECT sum(n) OVER (ORDER BY n) AS s FROM r LIMIT ALL",
    "SELECT * FROM (SELECT /*+ COALESCE(1) */ n FROM r) LIMIT ALL",
    "SELECT * FROM (WITH RECURSIVE z(k) AS (SELECT 1 UNION ALL SELECT 2 FROM z WHERE k < 2) TABLE r) LIMIT ALL",
]

# Queries with WITH RECURSIVE elsewhere than at their beginning, or with another one.
WHOLE_QUERIES = [
    f"({_WITH}SELECT n FROM r) LIMIT ALL",
    f"SELECT n FROM ({_WITH}SELECT n FROM r) LIMIT ALL",
    f"SELECT n FROM ({_WITH}SELECT n FROM r LIMIT ALL)",
    f"SELECT n FROM ({_WITH}SELECT n FROM r LIMIT ALL) ORDER BY n",
    f"SELECT * FROM ({_WITH}SELECT n FROM r LIMIT ALL) JOIN VALUES (1) t(a) ON n > a",
    f"SELECT ({_WITH}SELECT max(n) FROM r LIMIT ALL)",
    f"{_WITH}, t AS (SELECT n FROM r LIMIT ALL), u AS (SELECT n FROM t) SELECT a.n FROM t a, u b",
    f"WITH RECURSIVE r(n) MAX RECURSION LEVEL 30 AS ({_STEPS}) SELECT n FROM r LIMIT ALL",
    f"WITH RECURSIVE r(n) MAX RECURSION LEVEL 10 AS ({_STEPS}) SELECT n FROM r LIMIT ALL",
    f"WITH RECURSIVE r(n) MAX RECURSION LEVEL 10 AS ({_STEPS}) SELECT n FROM r LIMIT 3",
    f"WITH RECURSIVE r(n) AS ({_STEPS} LIMIT ALL) SELECT n FROM r LIMIT ALL",
]


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> TableEnvironment:
    """An environment whose session limits recursive queries to fewer rows than the queries here return."""
    session = spark.newSession()
    session.conf.set("spark.sql.cteRecursionRowLimit", "5")
    return TableEnvironment.create(spark=session)


def _answer(env: TableEnvironment, text: str) -> object:
    """Return the rows of a query without column names, or the condition of Spark's error."""
    try:
        with readable_errors():
            return sorted((tuple(row) for row in env.spark.sql(text).collect()), key=repr)
    except TableException as error:
        return error.condition


@pytest.fixture(scope="module")
def offline() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())


@pytest.mark.parametrize("text", [*[_WITH + query for query in QUERIES], *WHOLE_QUERIES])
@pytest.mark.usefixtures("jvm")
def test_limit_all_reaches_the_same_tables_as_in_spark(
    text: str, offline: TableEnvironment, request: pytest.FixtureRequest
) -> None:
    query = offline.sql_query(text).query_operation
    written = [query.as_serializable_string(layout=layout) for layout in Layout]
    nested, merged = (offline.sql_query(again).query_operation for again in written)
    assert nested == query
    assert merged.normalize() == query.normalize()
    if not ANSWERS.know(text, written):
        env: TableEnvironment = request.getfixturevalue("env")
        expected = _answer(env, text)
        assert [_answer(env, again) for again in written] == [expected, expected]
        ANSWERS.keep(text, written)


@pytest.mark.nightly
def test_the_forms_cover_both_answers(env: TableEnvironment) -> None:
    answers = [_answer(env, _WITH + query) for query in QUERIES]
    limited = answers.count("RECURSION_ROW_LIMIT_EXCEEDED")
    assert limited > 20
    assert sum(isinstance(answer, list) for answer in answers) > 20


def test_limit_all_is_part_of_the_tree(env: TableEnvironment) -> None:
    limited = env.sql_query(f"{_WITH}SELECT n FROM r").query_operation
    every = env.sql_query(f"{_WITH}SELECT n FROM r LIMIT ALL").query_operation
    assert isinstance(limited, Recursion)
    assert isinstance(every, Recursion)
    assert limited != every
    assert (limited.is_unlimited, every.is_unlimited) == (False, True)
    assert every.describe() == "(name: [r], fields: [n], rows: [all])"
    assert every.as_serializable_string().endswith("FROM `r`\nLIMIT ALL")


def test_limit_all_has_no_effect_elsewhere(env: TableEnvironment) -> None:
    plain = env.sql_query("SELECT a FROM VALUES (1) t(a)").query_operation
    assert env.sql_query("SELECT a FROM VALUES (1) t(a) LIMIT ALL").query_operation is plain
    in_order = env.sql_query(f"{_WITH}SELECT n FROM r ORDER BY n").query_operation
    assert env.sql_query(f"{_WITH}SELECT n FROM r ORDER BY n LIMIT ALL").query_operation is in_order


def test_views_and_python_keep_limit_all(env: TableEnvironment) -> None:
    query = env.sql_query(f"{_WITH}SELECT n FROM r LIMIT ALL")
    env.create_view("all_of_a_recursion", query, or_replace=True)
    try:
        assert env.from_path("all_of_a_recursion").to_arrow().num_rows == _ROWS
        assert env.spark.table("all_of_a_recursion").count() == _ROWS
        assert env.from_view_definition("all_of_a_recursion").query_operation == query.query_operation
    finally:
        env.drop_view("all_of_a_recursion")
    namespace: dict[str, object] = {"env": env}
    exec(query.to_python(), namespace)
    made = namespace["result"]
    assert getattr(made, "query_operation", None) == query.query_operation
    with pytest.raises(TableException, match="RECURSION_ROW_LIMIT_EXCEEDED"):
        env.sql_query(f"{_WITH}SELECT n FROM r").to_arrow()
