"""Random joins: a few constant ones in each run, those of TABLEAPI_SEED, and tests of the judge."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException

from ir.errors import SuspiciousCastWarning, ValidationException
from tests.random_joins import cases, defects, fluent_queries
from tests.random_joins.__main__ import Run, prepare
from tests.random_joins.cases import Coverage, rare_choices
from tests.random_joins.choices import Choices, Made, shrink
from tests.random_joins.fluent_queries import FluentQuery, write_fluent_query
from tests.random_joins.judging import Judge
from tests.random_joins.sql_queries import SqlQuery, write_query
from tests.random_joins.tables import TABLES, declared

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings(f"ignore::{SuspiciousCastWarning.__module__}.SuspiciousCastWarning"),
]
_SEEDS = (
    *(pytest.param(seed, marks=pytest.mark.nightly) for seed in ("1", "2", "3")),
    *filter(None, [os.environ.get("TABLEAPI_SEED")]),
)
_QUERIES = 100
Write = Callable[[Choices], SqlQuery | FluentQuery]


@pytest.fixture(scope="module")
def judge(spark: SparkSession) -> Iterator[Judge]:
    session = spark.newSession()
    prepare(session)
    yield Judge(session, declared())
    for name in TABLES:
        session.catalog.dropTempView(name)


@pytest.mark.parametrize("seed", _SEEDS)
def test_random_joins_equal_those_of_spark(judge: Judge, seed: str) -> None:
    run = Run(judge, seed)
    for number in range(_QUERIES):
        run.ask(number)
    assert not run.reports, "\n".join(run.reports)
    # What Spark refuses says little. Most others have the same plans, and some of these are run all the same.
    assert run.outcomes["taken by both"] > _QUERIES / 3
    assert run.outcomes["rows compared"] > _QUERIES / 30


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dimensions", "write"),
    [(cases.DIMENSIONS, write_query), (fluent_queries.DIMENSIONS, write_fluent_query)],
    ids=["SQL", "fluent"],
)
def test_all_pairs_of_dimensions_are_met(dimensions: dict[str, tuple[str, ...]], write: Write) -> None:
    coverage = Coverage(dimensions)
    chance = random.Random(0)
    for _ in range(1_500):
        at = Choices(rare_choices(coverage, chance), str(chance.random()))
        coverage.count(write(at).case, True)
    assert not coverage.missing()


@pytest.mark.parametrize("write", [write_query, write_fluent_query])
def test_the_same_choices_make_the_same_query(write: Write) -> None:
    at = Choices({}, "5")
    assert write(at) == write(Choices(at.made))


def test_a_failing_query_is_made_smaller() -> None:
    def fails(made: Made) -> bool:
        return "FULL" in write_query(Choices(made)).text

    for seed in range(40):
        at = Choices({}, str(seed))
        write_query(at)
        if fails(at.made):
            smallest = write_query(Choices(shrink(at.made, fails))).text
            assert "FULL" in smallest
            assert len(smallest) < 300, smallest


# --- differences that the judge finds --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "other", "kind"),
    [
        ("SELECT k, v FROM a", "SELECT v, k FROM a", "names"),
        ("SELECT k FROM a", "SELECT CAST(k AS BIGINT) AS k FROM a", "types"),
        ("SELECT k FROM a", "SELECT coalesce(k, 0) AS k FROM a", "nullability"),
        ("SELECT max(v) AS v FROM a WHERE k = 2", "SELECT max(v) AS v FROM a WHERE k = 1", "rows of NESTED"),
        ("SELECT k, v AS v FROM a", "SELECT k, k AS v FROM a", "rows of NESTED"),
        ("SELECT v FROM a ORDER BY v DESC", "SELECT v FROM a ORDER BY v", "rows of NESTED"),
        # Spark finds no column with this name, but the other query is valid.
        ("SELECT nothing FROM a", "SELECT k FROM a", "taken here alone"),
        ("SELECT k FROM a", "SELECT nothing FROM a", "refused here alone"),
    ],
)
def test_the_judge_detects_differences(judge: Judge, text: str, other: str, kind: str) -> None:
    verdict = judge.verdict(text, True, lambda: judge.environment.sql_query(other))
    assert verdict.difference is not None
    assert verdict.difference.kind == kind
    assert judge.verdict(text, True).difference is None


def test_a_capture_changes_rows(judge: Judge) -> None:
    """Equal names on two levels give other rows for the inner than for the outer column."""
    inner = "SELECT l.k FROM a AS l WHERE EXISTS (SELECT * FROM b AS l WHERE l.k < {0})"
    captured = judge.verdict(inner.format("l.k + 1"), False, lambda: judge.environment.sql_query(inner.format("v")))
    assert captured.difference is not None
    assert captured.difference.kind == "rows of NESTED"


@pytest.mark.parametrize(
    "text",
    [
        # Spark finds no aggregate in ORDER BY over what HAVING asks for besides the SELECT.
        "SELECT sum(w) FROM b GROUP BY s HAVING max(w) > 1 ORDER BY max(k)",
        "SELECT sum(w) + 1 AS m FROM b GROUP BY s HAVING sum(w) > 1 ORDER BY sum(w)",
        "SELECT sum(w) FROM b GROUP BY s HAVING s > '1' ORDER BY count(*)",
        # A correlated scalar subquery of groups has to be a key, or in an aggregate.
        "SELECT v, (SELECT max(w) FROM b WHERE b.k = a.v) FROM a GROUP BY v",
        "SELECT count(*), v > (SELECT max(w) FROM b WHERE b.k = a.v) AS x FROM a GROUP BY v",
        # The condition of a lateral join takes no IN and no EXISTS.
        "SELECT * FROM a JOIN LATERAL (SELECT k AS n FROM b WHERE b.k = a.k) AS t ON EXISTS (SELECT * FROM c)",
        "SELECT * FROM a JOIN LATERAL (SELECT k AS n FROM b WHERE b.k = a.k) AS t ON n IN (SELECT k FROM c)",
        # A name of several columns is the one on the left of a lateral join in ORDER BY and SORT BY alone.
        "SELECT * FROM a, LATERAL (SELECT k FROM c WHERE c.k = a.k) AS t DISTRIBUTE BY k",
        "SELECT DISTINCT * FROM a, LATERAL (SELECT k FROM c WHERE c.k = a.k) AS t ORDER BY k",
        "SELECT * FROM a, LATERAL (SELECT k FROM c WHERE c.k = a.k) AS t, b ORDER BY k",
        # A set operation that casts equal columns makes them different ones.
        "SELECT v, v FROM a UNION ALL SELECT v, v FROM c ORDER BY v",
        "SELECT v FROM (SELECT v, v FROM a INTERSECT SELECT v, v FROM c)",
        # In QUALIFY, k is a column of the SELECT and one of FROM that a window is over.
        "SELECT b.*, sum(a.v) OVER (PARTITION BY a.k) AS q FROM a JOIN b ON a.k = b.k QUALIFY k > 1",
        "SELECT b.*, sum(a.v) OVER (PARTITION BY a.v) + a.k AS q FROM a JOIN b ON a.k = b.k QUALIFY k > 1",
        "SELECT k, sum(v) OVER (PARTITION BY b.k) AS q FROM a LEFT JOIN b USING (k) QUALIFY k > 1",
        "SELECT k, sum(v) OVER (PARTITION BY b.k) AS q FROM a LEFT JOIN b USING (k) QUALIFY sum(a.k) OVER () = k",
        "SELECT w, sum(v) OVER (PARTITION BY a.k, b.k) AS q FROM a JOIN b ON a.k = b.k QUALIFY k > 1",
        "SELECT a.k, b.k, sum(v) OVER (PARTITION BY v) AS q FROM a LEFT JOIN b USING (k) QUALIFY k > 1",
        "SELECT b.k, sum(v) OVER (PARTITION BY a.k) AS q FROM a, b QUALIFY EXISTS (SELECT * FROM d WHERE p = k)",
        "SELECT a.k, sum(count(*)) OVER (PARTITION BY b.k) AS q FROM a, b GROUP BY a.k, b.k QUALIFY k > 1",
        # The key b.k, which USING has merged, makes k ambiguous behind a SELECT that calls functions.
        "SELECT b.k AS g, max(v) AS m FROM a LEFT JOIN b USING (k) GROUP BY k, b.k HAVING k > 0",
        "SELECT max(b.k) AS m FROM a LEFT JOIN b USING (k) GROUP BY k HAVING max(k) > 0",
        "SELECT a.k, max(v) AS k FROM a JOIN b USING (k) GROUP BY k, b.k HAVING k > 0",
        "SELECT b.k AS g, abs(v) AS n FROM a LEFT JOIN b USING (k) ORDER BY k",
        "SELECT b.k + 100 AS n, k + 1 AS m, m AS v FROM a LEFT JOIN b USING (k) ORDER BY k",
        "SELECT b.k + 1 AS g FROM a LEFT JOIN b USING (k) QUALIFY sum(v) OVER (PARTITION BY k) > 0",
        # So it does behind a SELECT with a subquery, or with a cast of a string or a number.
        "SELECT b.k IN ('1', '2') AS n FROM a LEFT JOIN b USING (k) ORDER BY k",
        "SELECT b.k = '1' AS n FROM a LEFT JOIN b USING (k) ORDER BY k",
        "SELECT b.k || 'a' AS n FROM a LEFT JOIN b USING (k) ORDER BY k",
        "SELECT b.s + 1 AS n FROM a LEFT JOIN b USING (s) ORDER BY s",
        "SELECT b.s BETWEEN '1' AND '2' AS n FROM a LEFT JOIN b USING (s) ORDER BY s",
        "SELECT b.k AS g FROM a LEFT JOIN b USING (k) GROUP BY k, b.k, b.k IN (SELECT p FROM d) HAVING k > 0",
        "SELECT EXISTS (SELECT * FROM d WHERE p = b.k) AS n FROM a LEFT JOIN b USING (k) ORDER BY k",
        # Elsewhere than in ORDER BY, v.k is a field of the column v.
        "SELECT v.k FROM a AS k JOIN b AS v USING (k)",
        "SELECT * FROM a AS k JOIN b AS v USING (k) WHERE v.k = 1",
        "SELECT max(v) AS m FROM a AS k JOIN b AS v USING (k) GROUP BY v ORDER BY v.k",
        "FROM a AS k JOIN b AS v USING (k) |> ORDER BY v.k",
        "SELECT v.* FROM a AS k JOIN b AS v USING (k) QUALIFY sum(v.k) OVER () > 1",
        "SELECT k.* FROM a AS k RIGHT JOIN b AS v USING (k) QUALIFY sum(k.k) OVER () > 1",
        "SELECT struct(k.*) AS r FROM a AS v JOIN b AS k USING (k) QUALIFY sum(k.k) OVER () > 1",
        # A full join makes each key that USING names a column of its own.
        "SELECT k FROM a FULL JOIN b USING (k, k)",
    ],
)
def test_both_refuse(judge: Judge, text: str) -> None:
    verdict = judge.verdict(text)
    assert not verdict.is_taken_by_spark
    assert not verdict.is_taken_here


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM a, LATERAL (SELECT a.v AS k) AS t ORDER BY k, v, s",
        "SELECT a.v FROM a, LATERAL (SELECT -a.k AS k) AS t, LATERAL (SELECT t.k AS v, 1 AS s) AS u ORDER BY s, k, v",
        "SELECT * FROM a JOIN LATERAL (SELECT * FROM b WHERE b.k = a.k) AS t ON true ORDER BY t.k, a.k, k, w, t.s, v",
        "SELECT s, sum(w) + 1 AS m FROM b GROUP BY s HAVING m > 1 ORDER BY max(k), s",
        "SELECT k, a.k, b.k FROM a JOIN b USING (k, k) ORDER BY k",
        "SELECT v, v FROM a UNION ALL SELECT w, w FROM b ORDER BY v",
        "SELECT sum(w) FROM b GROUP BY s HAVING max(w) > 1 ORDER BY s",
        "SELECT v, first(k) + 1 AS f FROM a GROUP BY v HAVING f > 1 AND count(*) > 0 ORDER BY v",
        "SELECT (SELECT max(w) FROM b WHERE b.k = a.v) AS x, count(*) FROM a GROUP BY x ORDER BY x",
        # Both columns k are the same, and neither is a key of the groups.
        "SELECT * FROM (SELECT k, k, s FROM a) PIVOT (max(k) FOR k IN (1, 2)) ORDER BY s",
        "SELECT * FROM (SELECT k, k, v FROM a) PIVOT (max(v) FOR k IN (1 AS x, 2 AS X))",
        # A column to which a subquery in an aggregate refers is no key of the groups.
        "SELECT * FROM (SELECT x.s, x.k FROM a AS x) AS x PIVOT (max((SELECT max(w) FROM b WHERE b.k = x.k)) AS p, "
        "min((SELECT min(w) FROM b WHERE b.k = x.k)) AS q FOR s IN ('1', '2'))",
        "SELECT * FROM (SELECT k, k, v, s FROM a AS x) AS x PIVOT (max((SELECT max(w) FROM b WHERE b.s = x.s)) "
        "FOR k IN (1, 2)) ORDER BY v",
        "SELECT * FROM a AS x JOIN c USING (k) PIVOT (max((SELECT max(w) FROM b WHERE b.k = x.k)) AS m, sum(x.v) AS n "
        "FOR k IN (1, 2)) ORDER BY ALL",
        "FROM a AS x |> PIVOT (max((SELECT max(w) FROM b WHERE b.k = x.k)) FOR k IN (1, 2)) |> ORDER BY v",
        # What k means depends on whether the key b.k is named with functions, and on aliases among the keys.
        "SELECT b.k AS g, count(*) AS n FROM a LEFT JOIN b USING (k) GROUP BY k, b.k HAVING k > 0 ORDER BY k, n",
        "SELECT b.k, first(k) AS m FROM a LEFT JOIN b USING (k) GROUP BY b.k, k HAVING k > 0 ORDER BY 2",
        "SELECT b.k, max(k) AS m FROM a LEFT JOIN b USING (k) GROUP BY b.k, k HAVING k > 0 ORDER BY m",
        "SELECT count(*) AS n, max(v) AS k FROM a RIGHT JOIN b USING (k) GROUP BY k, a.k HAVING k > 0 ORDER BY n",
        "SELECT b.k AS g, k AS h, max(v) AS m FROM a LEFT JOIN b USING (k) GROUP BY g, h HAVING k > 0 ORDER BY h",
        "SELECT b.k AS g, k AS h, max(v) AS k FROM a LEFT JOIN b USING (k) GROUP BY 1, 2 HAVING k > 11 ORDER BY g, h",
        "SELECT b.k AS n, k + 1 AS m, m AS v FROM a LEFT JOIN b USING (k) ORDER BY k, n",
        "SELECT b.s = '1' AS n FROM a LEFT JOIN b USING (s) ORDER BY s, n",
        "SELECT b.s IN ('1') AS n FROM a LEFT JOIN b USING (s) ORDER BY s, n",
        "SELECT b.s LIKE '1%' AS n FROM a LEFT JOIN b USING (s) ORDER BY s, n",
        "SELECT (b.k, 1) AS n FROM a LEFT JOIN b USING (k) ORDER BY k, n",
        "SELECT (b.k, '1') AS n FROM a LEFT JOIN b USING (k) ORDER BY k, n",
        # Spark fails at these if a subquery of a subquery, to which a third one refers, is in WITH.
        "WITH w AS (SELECT k, v FROM a) SELECT l.k FROM w AS l RIGHT JOIN w AS r ON r.k = l.k WHERE l.k > 0 AND "
        "NOT EXISTS (SELECT * FROM c AS x WHERE x.k = l.k AND EXISTS (SELECT * FROM (SELECT DISTINCT k FROM c) AS y "
        "WHERE y.k = x.k AND y.k > (SELECT max(k) FROM b WHERE b.k = y.k))) ORDER BY k",
        "SELECT count(*) AS n FROM a, LATERAL (SELECT c.k FROM c, LATERAL (SELECT b.k FROM b WHERE b.k <= c.k AND "
        "EXISTS (SELECT * FROM (SELECT DISTINCT k FROM c) AS y WHERE y.k = b.k)) AS x WHERE c.k = a.k) AS y",
        "SELECT l.k FROM a AS l FULL JOIN b ON l.k = b.k JOIN LATERAL (SELECT max(c.k) AS m FROM c, LATERAL "
        "(SELECT y.k FROM (SELECT DISTINCT k FROM c) AS y WHERE y.k = c.k AND EXISTS (SELECT * FROM a "
        "WHERE a.k < y.k)) AS x WHERE c.k <=> l.k) AS z ORDER BY l.k",
        "WITH w AS (SELECT k, w AS v FROM b WHERE k > 1) SELECT count(*) AS n FROM w AS l, LATERAL (SELECT c.k FROM c "
        "LEFT JOIN LATERAL (SELECT y.k FROM (SELECT k FROM c ORDER BY k LIMIT 3) AS y LEFT JOIN LATERAL (SELECT a.k "
        "FROM a WHERE a.k < y.k) AS z ON true WHERE y.k = c.k) AS x WHERE c.k < l.k) AS y",
        # Spark fails at this if the query with IN, which a subquery below a lateral join reads twice, is in WITH.
        "SELECT l.k, n.v FROM b AS l LEFT JOIN LATERAL (SELECT v FROM a WHERE k = l.w AND EXISTS (SELECT * FROM "
        "(SELECT k FROM a WHERE k IN (SELECT k FROM b)) AS x JOIN (SELECT k FROM a WHERE k IN (SELECT k FROM b)) AS y "
        "USING (k) WHERE x.k > 0)) AS n ON true ORDER BY ALL",
        # Spark fails at EXISTS, as which SEMI and ANTI JOIN are written, unless the lateral join lists its columns: the
        # query around it reads b, too.
        "SELECT * FROM a AS x WHERE EXISTS (SELECT * FROM b AS m LEFT SEMI JOIN (d AS y LEFT JOIN LATERAL (SELECT * "
        "FROM b AS r WHERE r.k = y.p) AS n ON y.p = n.k) ON m.k = y.p WHERE m.k = x.k) ORDER BY ALL",
        "SELECT * FROM b AS m LEFT ANTI JOIN (d AS y LEFT JOIN LATERAL (SELECT * FROM b AS r WHERE r.k = y.p) AS n "
        "ON y.p = n.k) ON m.k = y.p ORDER BY ALL",
        # The query of WITH has the name of the table that it reads, and of one that another query reads.
        "WITH a AS (SELECT * FROM a WHERE k > 1) SELECT l.k, r.v, b.w FROM a AS l JOIN a AS r ON l.k = r.k JOIN b ON "
        "b.k = l.k WHERE EXISTS (SELECT * FROM a_m JOIN a ON a_m.k = a.k) ORDER BY ALL",
        # In ORDER BY, v.k is the hidden key of the relation v, although a column without fields is called v, too.
        "SELECT * FROM a AS k JOIN b AS v USING (k) ORDER BY v.k, w",
        "SELECT v FROM a AS k RIGHT JOIN b AS v USING (k) ORDER BY v.k DESC, w",
        "SELECT * FROM e AS q LEFT JOIN b AS l USING (k) ORDER BY l.k, q.k",
        "SELECT x.* FROM a AS v JOIN b AS x USING (k) QUALIFY sum(x.k) OVER () > 1",
        # A column that is there twice stays twice, and its name means either, behind another join, too.
        "SELECT * FROM a AS l JOIN e AS m USING (k, k), LATERAL (SELECT l.k AS q) AS n WHERE l.k > 0 ORDER BY k",
        "SELECT k, count(*) AS n FROM a RIGHT JOIN e USING (k, k) CROSS JOIN d GROUP BY k ORDER BY k",
        "SELECT * FROM a JOIN e USING (k, k) UNPIVOT (n FOR m IN (v, v, b)) ORDER BY ALL",
        "SELECT * FROM (SELECT v, v, l FROM a JOIN e USING (k)) UNPIVOT (n FOR m IN (l)) ORDER BY ALL",
        # Spark fails at these if a query of WITH is read below three lateral joins, or is one with a lateral join that
        # a subquery below another one reads.
        "SELECT a.k, x.v FROM a, LATERAL (SELECT l.k, y.v FROM (SELECT * FROM a AS z WHERE z.k = a.k) AS l LEFT JOIN "
        "LATERAL (SELECT m.k, u.v FROM (SELECT * FROM a AS z WHERE z.k = l.k) AS m LEFT JOIN LATERAL (SELECT p.v FROM "
        "(SELECT k AS v, s FROM c) AS p JOIN (SELECT k AS v, s FROM c) AS q ON p.v = q.v WHERE p.v = m.k) AS u ON "
        "true) AS y ON true) AS x ORDER BY ALL",
        "SELECT r.k, n.v FROM b AS r LEFT JOIN LATERAL (SELECT l.v FROM a AS l WHERE l.k = r.k AND EXISTS (SELECT * "
        "FROM a AS x LEFT JOIN LATERAL (SELECT b.w FROM c, b WHERE c.k = b.k) AS y ON true EXCEPT SELECT * FROM a AS "
        "x LEFT JOIN LATERAL (SELECT b.w FROM c, b WHERE c.k = b.k) AS y ON true WHERE x.k > 1)) AS n ON true "
        "ORDER BY ALL",
        # Two joins become one, since they differ in names alone.
        "SELECT * FROM (SELECT max(k0) AS m FROM (SELECT a.k AS k0, b.k AS k1 FROM a CROSS JOIN b) WHERE k0 = k1), "
        "(SELECT min(j0) AS n FROM (SELECT a.k AS j0, b.k AS j1 FROM a CROSS JOIN b) WHERE j0 < j1) ORDER BY 1",
    ],
)
def test_no_difference(judge: Judge, text: str) -> None:
    verdict = judge.verdict(text, is_ordered=True)
    assert verdict.is_taken_by_spark
    assert verdict.difference is None, verdict.difference


# --- defects of Spark -------------------------------------------------------------------------------------------------


def test_spark_still_returns_other_rows(judge: Judge) -> None:
    assert judge.spark.sql("SELECT * FROM b FULL JOIN c ON false").count()
    assert sorted(row.k or 0 for row in judge.spark.sql(defects.LOST_ROWS).collect()) == [0, 2, 2]
    repeated = judge.spark.sql(defects.REPEATED_ROWS).collect()
    assert len(set(repeated)) < len(repeated)
    assert judge.spark.sql(defects.STAR_OF_OUTSIDE).columns == ["s", "v"]
    assert judge.spark.sql(defects.STAR_WITHOUT_COLUMN).columns == ["s", "v"]
    assert sorted(row.v or 0 for row in judge.spark.sql(defects.ROWS_OF_EXCEPT).collect()) == [0, 14]
    assert judge.spark.sql(defects.ROWS_OF_EXCEPT.replace("x.v > a.v", "x.v > 1")).count() != 2
    assert _has_other_rows(judge, defects.ROWS_OF_EXCEPT)
    assert not _has_other_rows(judge, defects.ROWS_OF_EXCEPT.replace("EXCEPT", "UNION"))
    rows = judge.spark.sql(defects.ROWS_OF_DIFFERENCE).collect()
    assert sorted([(row.k or 0, row.v or 0) for row in rows]) == [(0, 0), (2, 3)]
    assert judge.spark.sql(defects.ROWS_OF_DIFFERENCE.replace("AS v", "AS n")).count() == 0
    assert _has_other_rows(judge, defects.ROWS_OF_DIFFERENCE)


def test_spark_still_fails_at_correlated_conditions_around_an_inner_join(judge: Judge) -> None:
    """The reason why a correlated inner join is written as CROSS JOIN … ON."""
    query = "SELECT k FROM a WHERE EXISTS (SELECT * FROM b {} JOIN c ON b.k = c.k AND c.k = a.k WHERE b.k = a.k)"
    joined = "SELECT a.k FROM a LEFT SEMI JOIN (SELECT b.k FROM b JOIN c ON b.k = c.k) AS t ON t.k = a.k"
    assert judge.spark.sql(query.format("CROSS")).collect() == judge.spark.sql(joined).collect() != []
    with pytest.raises(Py4JJavaError, match=r"Cannot evaluate expression: outer\("):
        judge.spark.sql(query.format("INNER")).collect()
    verdict = judge.verdict(query.format("CROSS"))
    assert verdict.difference is None, verdict.difference


def test_spark_still_fails_at_a_query_except_itself(judge: Judge) -> None:
    with pytest.raises(Py4JJavaError, match="ReplaceExceptWithFilter") as failed:
        judge.spark.sql(defects.FAILED_EXCEPT).collect()
    message = str(failed.value)
    assert judge.spark.sql(defects.FAILED_EXCEPT.replace("EXCEPT", "INTERSECT")).count()
    assert _fails_wrongly(judge, defects.FAILED_EXCEPT, message)
    assert not _fails_wrongly(judge, defects.FAILED_EXCEPT, "another message")
    assert not _fails_wrongly(judge, defects.FAILED_EXCEPT.replace("EXCEPT", "INTERSECT"), message)
    assert not _fails_wrongly(judge, defects.FAILED_EXCEPT.replace("<= a.k", "<= 1"), message)
    # Spark takes the original text and fails at MERGED.
    branch = "SELECT w FROM c FULL JOIN b USING (k) WHERE b.k < a.k"
    verdict = judge.verdict(f"SELECT k FROM a WHERE EXISTS ({branch} EXCEPT {branch})")
    assert verdict.is_taken_here
    assert verdict.is_taken_by_spark
    assert verdict.difference is None, verdict.difference


def test_spark_still_takes_a_field_of_a_key_in_qualify(judge: Judge) -> None:
    assert judge.spark.sql(defects.FIELD_OF_KEY).columns == ["s"]
    for other in ("k.v", "array(k.v)", "k.*"):
        with pytest.raises(AnalysisException, match="INVALID_EXTRACT_BASE_FIELD_TYPE"):
            judge.spark.sql(defects.FIELD_OF_KEY.replace("array(k.*)", other).replace("k.* AS s", "k.*"))
    verdict = judge.verdict(defects.FIELD_OF_KEY)
    assert not verdict.is_taken_here
    assert verdict.is_taken_by_spark
    assert verdict.difference is None, verdict.difference


def test_spark_still_fails_at_a_key_in_qualify(judge: Judge) -> None:
    with pytest.raises(AnalysisException, match="MISSING_ATTRIBUTES"):
        judge.spark.sql(defects.FAILED_KEY).collect()
    named = defects.FAILED_KEY.replace("r.s", "r.k")
    assert judge.spark.sql(named).count()
    assert judge.verdict(named).difference is None


def test_spark_still_fails_at_a_subquery_below_except_all(judge: Judge) -> None:
    with pytest.raises(Py4JJavaError, match="RewriteExceptAll") as failed:
        judge.spark.sql(defects.FAILED_SUBQUERY).collect()
    message = str(failed.value)
    assert judge.spark.sql(defects.FAILED_SUBQUERY.replace("EXCEPT ALL", "UNION ALL")).count()
    assert _fails_wrongly(judge, defects.FAILED_SUBQUERY, message)
    assert not _fails_wrongly(judge, defects.FAILED_SUBQUERY.replace("EXCEPT ALL", "UNION ALL"), message)


def test_spark_still_fails_at_outer_columns_in_conditions_of_two_joins(judge: Judge) -> None:
    with pytest.raises(Py4JJavaError, match=r"Cannot evaluate expression: outer\("):
        judge.spark.sql(defects.FAILED_JOINS).collect()
    text = defects.FAILED_JOINS.replace("b.k = x.k", "b.k <= x.k")
    assert judge.spark.sql(text).count()
    with pytest.raises(ValidationException, match="in more than one of left side, right side and predicate") as caught:
        judge.environment.sql_query(text)
    assert defects.is_taken_wrongly(str(caught.value), text)
    assert judge.verdict(text).difference is None


def test_spark_still_fails_at_an_outer_column_beside_a_correlated_subquery(judge: Judge) -> None:
    with pytest.raises(Py4JJavaError, match="INTERNAL_ERROR_ATTRIBUTE_NOT_FOUND"):
        judge.spark.sql(defects.FAILED_CONDITION).collect()
    without_rows = defects.FAILED_CONDITION.replace("WHERE k", "WHERE false AND k")
    assert judge.spark.sql(without_rows).collect() == []
    verdict = judge.verdict(without_rows)
    assert not verdict.is_taken_here
    assert verdict.difference is None


def test_queries_that_spark_analyses_and_cannot_run_are_refused(judge: Judge) -> None:
    query = "SELECT k FROM a WHERE k IN (SELECT p FROM d WHERE a.k IN (SELECT x.k FROM a AS x WHERE x.k = d.p))"
    assert judge.spark.sql(query).columns == ["k"]
    with pytest.raises(Py4JJavaError):
        judge.spark.sql(query).collect()
    verdict = judge.verdict(query)
    assert not verdict.is_taken_here
    assert not verdict.is_taken_by_spark
    assert verdict.difference is None


def _fails_wrongly(judge: Judge, text: str, message: str) -> bool:
    return defects.fails_wrongly(judge.environment.sql_query(text).query_operation, message)


def _has_other_rows(judge: Judge, text: str) -> bool:
    return defects.has_other_rows(judge.environment.sql_query(text).query_operation)


@pytest.mark.parametrize(
    ("text", "condition", "taken"),
    [
        (defects.UNRESOLVED_KEY, "UNRESOLVED_COLUMN.WITH_SUGGESTION", ("b.k = 1", "k = 1")),
        (defects.UNRESOLVED_ORDER, "UNRESOLVED_COLUMN.WITH_SUGGESTION", ("k, 1", "k")),
        (defects.UNRESOLVED_ORDER, "UNRESOLVED_COLUMN.WITH_SUGGESTION", ("x.k, y.k", "x.k")),
    ],
)
def test_spark_still_refuses_keys(judge: Judge, text: str, condition: str, taken: tuple[str, str]) -> None:
    with pytest.raises(AnalysisException) as refused:
        judge.spark.sql(text)
    assert refused.value.getCondition() == condition
    judge.spark.sql(text.replace(*taken))


@pytest.mark.parametrize(
    "text",
    [
        defects.LOST_ROWS,
        defects.REPEATED_ROWS,
        defects.STAR_OF_OUTSIDE,
        defects.STAR_WITHOUT_COLUMN,
        defects.UNRESOLVED_KEY,
        defects.UNRESOLVED_ORDER,
    ],
)
def test_defects_of_spark_are_not_differences(judge: Judge, text: str) -> None:
    verdict = judge.verdict(text)
    assert verdict.difference is None
    assert verdict.is_taken_by_spark is not verdict.is_taken_here
