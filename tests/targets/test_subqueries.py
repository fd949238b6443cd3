"""Which correlated subqueries an older target has: those that its Spark was asked about."""

from __future__ import annotations

import pytest

from ir.errors import TableException
from tableapi import EnvironmentSettings, TableEnvironment


@pytest.fixture
def old() -> TableEnvironment:
    """An environment that writes SQL for Spark 3.5."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("spark-3.5")
    environment = TableEnvironment.create(settings.build())
    environment.execute_sql("CREATE TABLE t (a INT, b INT, m MAP<INT, INT>, l ARRAY<INT>)")
    return environment


@pytest.mark.parametrize(
    "text",
    [
        "SELECT (SELECT MAX(c) FROM (SELECT a AS c FROM t) WHERE c = t.m[1]) AS r FROM t",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM (SELECT a AS c FROM t) WHERE c < t.m[1])",
        "SELECT (SELECT MAX(v) FROM EXPLODE(t.l) AS e(v)) AS r FROM t",
        "SELECT (SELECT MAX(b) FROM (SELECT a AS c, b FROM t) WHERE c = t.a HAVING COUNT(*) > 0) AS r FROM t",
    ],
)
def test_what_spark_3_5_has_is_accepted(old: TableEnvironment, text: str) -> None:
    assert old.sql_query(text).as_serializable_string()


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("SELECT (SELECT MAX(c) FROM (SELECT a AS c FROM t) WHERE c < t.m[1]) AS r FROM t", "map of the outer row"),
        ("SELECT a FROM t WHERE EXISTS (SELECT v FROM EXPLODE(t.l) AS e(v) WHERE v > 1)", "a table function of"),
        ("SELECT (SELECT b FROM (SELECT a AS c, b FROM t) WHERE c = t.a) AS r FROM t", "without an aggregate"),
    ],
)
def test_what_spark_3_5_lacks_is_refused_by_name(old: TableEnvironment, text: str, feature: str) -> None:
    with pytest.raises(TableException, match=rf"{feature}.* needs Spark 4\.0; the target is Spark 3\.5"):
        old.sql_query(text)
