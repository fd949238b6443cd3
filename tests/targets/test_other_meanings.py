"""What an older Spark has and understands otherwise: it is refused by name, since Spark would give other rows."""

from __future__ import annotations

import pytest

from ir.errors import TableException
from tableapi import EnvironmentSettings, TableEnvironment
from tests.spark.test_settings import CHANGED_BY_SETTINGS
from tests.versions.files import read
from tests.versions.sparks import SPARKS

_SORTED = "SELECT y FROM u WHERE {} ORDER BY y DESC LIMIT 1"
_COUNTED = "SELECT a, (SELECT {} FROM u WHERE u.x = t.a) AS n FROM t"
_INDEXED = "SELECT 1 AS i, l[{}] AS v FROM t"


def _environment(target: str) -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target(target)
    environment = TableEnvironment.create(settings.build())
    environment.execute_sql("CREATE TABLE t (a INT, i INT, j INT, m MAP<INT, INT>, d MAP<DOUBLE, INT>, l ARRAY<INT>)")
    environment.execute_sql("CREATE TABLE u (x INT, y INT)")
    return environment


def _text(target: str, query: str) -> str:
    return _environment(target).sql_query(query).as_serializable_string(layout="MERGED")


@pytest.mark.parametrize(
    ("query", "needs", "older"),
    [
        ("SELECT COUNT(DISTINCT m) AS n FROM t", "4.3", "4.2"),
        ("SELECT ARRAY_AGG(DISTINCT STRUCT(a, m)) AS n FROM t", "4.3", "4.2"),
        ("SELECT MAP_ZIP_WITH(d, d, (k, a, b) -> a + b) AS m FROM t", "4.1", "4.0"),
        (f"SELECT ({_SORTED.format('t.a > 0')}) AS v FROM t", "4.3", "4.2"),
        (f"SELECT ({_SORTED.format('u.x > 0 AND t.a > 0')}) AS v FROM t", "4.3", "4.2"),
        (f"SELECT t.a FROM t JOIN LATERAL ({_SORTED.format('t.a > 0')}) AS l", "4.3", "4.2"),
        (_COUNTED.format("COUNT(*) IS NULL"), "4.0", "3.5"),
        (_COUNTED.format("CASE WHEN TRUE THEN 1 ELSE COUNT(*) END"), "4.0", "3.5"),
        (_COUNTED.format("IF(COUNT(*) > 0, 5, 5)"), "4.0", "3.5"),
        (_COUNTED.format("COUNT(*) <=> NULL"), "4.0", "3.5"),
        (_COUNTED.format("COUNT(*) = COUNT(*)"), "4.0", "3.5"),
        (_COUNTED.format("TYPEOF(COUNT(*))"), "4.0", "3.5"),
        ("SELECT a, (SELECT 5 FROM (SELECT MAX(x) AS m FROM u WHERE u.x = t.a)) AS n FROM t", "4.0", "3.5"),
        (_INDEXED.format("i"), "4.1", "4.0"),
        (_INDEXED.format("I + 1"), "4.1", "4.0"),
        ("SELECT 1 AS I, m[i] AS v FROM t", "4.1", "4.0"),
        ("SELECT TRY_CAST(ARRAY(s) AS ARRAY<TIME(3)>) AS c FROM VALUES ('12:00:00.5') AS v(s)", "4.3", "4.2"),
    ],
)
def test_a_query_that_means_something_else_is_refused(query: str, needs: str, older: str) -> None:
    with pytest.raises(TableException, match=rf"the target is Spark {older.replace('.', '[.]')}"):
        _text(f"spark-{older}", query)
    assert _text(f"spark-{needs}", query) == _text("spark-4.3", query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT COUNT(DISTINCT a) AS n, COUNT(m) AS c FROM t",
        "SELECT MAP_ZIP_WITH(m, m, (k, a, b) -> a + b) AS m FROM t",
        f"SELECT ({_SORTED.format('u.x = t.a')}) AS v FROM t",
        f"SELECT ({_SORTED.format('u.x <= t.a')}) AS v FROM t",
        "SELECT (SELECT y FROM u ORDER BY y DESC LIMIT 1) AS v FROM t",
        # The column before it is the index itself, or comes later.
        "SELECT i, l[i] AS v FROM t",
        "SELECT l[i] AS v, 1 AS i FROM t",
        _INDEXED.format("j"),
        _INDEXED.format("0"),
    ],
)
def test_what_means_the_same_is_written(query: str) -> None:
    assert _text("spark-4.0", query) == _text("spark-4.3", query)


@pytest.mark.parametrize(
    "column",
    [
        "COUNT(*)",
        "COUNT(*) + 1",
        "COALESCE(SUM(u.y), 7)",
        "SUM(u.y) IS NULL",
        "CASE WHEN COUNT(*) > 0 THEN 1 ELSE 0 END",
    ],
)
def test_an_aggregate_of_no_rows_is_the_same_on_spark_3_5(column: str) -> None:
    assert _text("spark-3.5", _COUNTED.format(column)) == _text("spark-4.3", _COUNTED.format(column))


def test_an_index_is_refused_in_the_layout_that_moves_it_behind_another_column() -> None:
    """Each step has its own columns, and one SELECT has them all."""
    query = "WITH s AS (SELECT l, j AS i FROM t) SELECT 1 AS j, l[i] AS v FROM s"
    with pytest.raises(TableException, match=r"reads the column j that SELECT makes before it"):
        _text("spark-4.0", query)


# What only the value of a text decides; docs/versions.md says so.
_OF_VALUES = {("3.5", "icu.caseMappings.enabled")}
_OTHER_ANSWERS = [
    (version, name.removeprefix("spark.sql.")) for version in SPARKS for name in read(version)["other_answers"]
]


@pytest.mark.parametrize(("version", "setting"), sorted({*_OTHER_ANSWERS} - _OF_VALUES))
def test_what_a_required_setting_does_not_decide_is_refused_or_written_otherwise(version: str, setting: str) -> None:
    """The versions were asked with the settings as required, and answer otherwise than the newest."""
    query = dict(CHANGED_BY_SETTINGS)[setting]
    try:
        older = _text(f"spark-{version}", query)
    except TableException:
        return
    # The empty grouping set alone is written without GROUP BY for all versions, which means the same in each.
    is_without_it = "GROUPING SETS" in query and "GROUP" not in older
    assert is_without_it or older != _text("spark-4.3", query)


@pytest.mark.parametrize("function", ["CAST", "TRY_CAST"])
def test_a_string_is_cast_to_a_time_of_few_digits_by_one_of_all_digits(function: str) -> None:
    query = f"SELECT {function}(s AS TIME(0)) AS c FROM VALUES ('12:00:00.5') AS v(s)"
    assert f"{function}({function}(`s` AS TIME(6)) AS TIME(0))" in _text("spark-4.2", query)
    assert f"{function}(`s` AS TIME(0))" in _text("spark-4.3", query)
    same = "SELECT CAST(s AS TIME(6)) AS a, CAST(CAST(s AS TIME(6)) AS TIME(0)) AS b FROM VALUES ('12:00:00.5') AS v(s)"
    assert _text("spark-4.2", same) == _text("spark-4.3", same)
