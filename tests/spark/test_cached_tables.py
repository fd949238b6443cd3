"""``Table.cache``: rows are computed once for all queries whose tree contains the tree of the table."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pandas
import pytest

from tableapi import Table, TableEnvironment, TableException, ValidationException
from tableapi.expressions import col, lit, rand


@pytest.fixture(params=["classic", "connect"], scope="module")
def made(request: pytest.FixtureRequest, spark: Any) -> Iterator[TableEnvironment]:
    """An environment whose current database has the table ``s``: twelve rows in files by ``day``."""
    session = spark.newSession() if request.param == "classic" else request.getfixturevalue("connect_spark")
    env = TableEnvironment.create(spark=session)
    database = f"cached_{uuid.uuid4().hex[:8]}"
    env.execute_sql(f"CREATE DATABASE {database}")
    env.use_database(database)
    create(env, "s")
    yield env
    env.use_database("default")
    env.execute_sql(f"DROP DATABASE {database} CASCADE")


def create(env: TableEnvironment, name: str) -> Table:
    env.execute_sql(
        f"CREATE TABLE {env.get_current_database()}.{name} USING parquet PARTITIONED BY (day) AS "
        "SELECT id, id % 3 AS k, DATE_ADD(DATE '2024-01-01', INT(id % 4)) AS day FROM range(12)"
    )
    return env.from_path(name)


@pytest.fixture
def env(made: TableEnvironment, spark: Any) -> Iterator[TableEnvironment]:
    """The environment, with nothing cached before the test; checks that nothing is cached after it in any session."""
    before = entries(spark)
    yield made
    made.clear_cache()
    assert entries(spark) == before


def entries(spark: Any) -> int:
    """Return the number of plans whose rows Spark keeps, across all sessions."""
    return int(spark._jsparkSession.sharedState().cacheManager().numCachedEntries())


def drawn(env: TableEnvironment) -> Table:
    """Return rows with a random number each, so that computing them again gives different rows."""
    return env.from_path("s").select(col("id"), col("k"), rand().alias("r"))


def rows(table: Table) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in table.execute().collect())


def test_rows_are_computed_once(env: TableEnvironment) -> None:
    table = drawn(env)
    assert rows(table) != rows(table)
    assert not table.is_cached
    assert table.cache() is table
    assert table.is_cached
    first = rows(table)
    assert rows(table) == first
    sums = rows(table.group_by(col("k")).select(col("k"), col("r").sum))
    assert [k for k, _ in sums] == [0, 1, 2]
    assert sum(total for _, total in sums) == pytest.approx(sum(r for _, _, r in first))


def test_both_sides_of_a_join_read_the_same_rows(env: TableEnvironment) -> None:
    table = drawn(env).cache()
    other = table.alias("i", "l", "s")
    differences = table.join(other, col("id") == col("i")).select(col("r") - col("s"))
    assert {difference for (difference,) in rows(differences)} == {0.0}


def test_an_equal_table_is_cached_whoever_built_it(env: TableEnvironment) -> None:
    first = env.from_path("s").filter(col("k") > 0).cache()
    read = env.sql_query("SELECT id, k, day FROM s WHERE k > 0")
    assert read.query_operation is first.query_operation
    assert read.is_cached
    read.uncache()
    assert not first.is_cached


def test_a_part_of_a_subquery_and_of_a_temporary_view_is_read(env: TableEnvironment) -> None:
    table = drawn(env).cache()
    env.create_temporary_view("drawn_rows", table.filter(col("k") >= 0))
    largest = max(r for _, _, r in rows(table))
    assert rows(env.from_path("drawn_rows").select(col("r").max)) == [(largest,)]
    above = env.from_path("drawn_rows").filter(col("r").in_(table.select(col("r").max)))
    assert [r for _, _, r in rows(above)] == [largest]


def test_of_two_within_each_other_each_is_read(env: TableEnvironment) -> None:
    inner = drawn(env).cache()
    outer = inner.add_columns(rand().alias("q")).cache()
    first = rows(outer)
    assert [row[:3] for row in first] == rows(inner)
    assert rows(outer) == first
    inner.uncache()
    assert rows(outer) == first
    assert outer.is_cached


def test_inserts_refresh_cached_queries(env: TableEnvironment) -> None:
    grown = create(env, "grown")
    count = grown.select(col("id").count).cache()
    assert rows(count) == [(12,)]
    grown.filter(col("id") < 5).execute_insert("grown")
    assert count.is_cached
    assert rows(count) == [(17,)]


def test_uncache_and_clear(env: TableEnvironment) -> None:
    table, other = drawn(env).cache(), env.from_path("s").cache()
    first = rows(table)
    assert table.uncache() is table
    assert not table.is_cached
    assert rows(table) != first
    assert other.is_cached
    env.clear_cache()
    assert not other.is_cached
    assert table.uncache() is table


def test_data_of_this_process(env: TableEnvironment) -> None:
    table = env.from_pandas(pandas.DataFrame({"a": [1, 2]})).cache()
    assert rows(table.select(col("a") + lit(1))) == [(2,), (3,)]
    assert table.is_cached


def test_text_and_views_ignore_the_cache(env: TableEnvironment) -> None:
    table = env.from_path("s").filter(col("k") > 0)
    before = table.as_serializable_string()
    table.cache()
    rows(table)
    assert table.as_serializable_string() == before
    env.create_view("kept", table)
    assert ".s\nWHERE k > 0" in env.show_create_view("kept")
    table.uncache()
    assert len(rows(env.from_path("kept"))) == 8


def test_levels(env: TableEnvironment) -> None:
    from pyspark import StorageLevel

    table = env.from_path("s")
    for level in ("disk_only", "MEMORY_AND_DISK", StorageLevel.MEMORY_ONLY, None):
        assert table.cache(level).is_cached
        assert len(rows(table)) == 12
    with pytest.raises(ValidationException, match=r"no storage level 'MEMORY_ONYL'.* Did you mean 'MEMORY_ONLY'\?"):
        table.cache("MEMORY_ONYL")
    with pytest.raises(ValidationException, match="no storage level 3"):
        table.cache(3)  # type: ignore[arg-type]
    assert table.is_cached


def test_failed_queries_are_not_cached(env: TableEnvironment) -> None:
    table = create(env, "dropped")
    env.execute_sql(f"DROP TABLE {env.get_current_database()}.dropped")
    with pytest.raises(TableException, match="TABLE_OR_VIEW_NOT_FOUND"):
        table.cache()
    assert not table.is_cached


def test_a_stream_has_no_rows_to_keep(env: TableEnvironment) -> None:
    table = env.from_spark(env.spark.readStream.format("rate").load())
    with pytest.raises(TableException, match="rows of a stream cannot be cached"):
        table.cache()
    assert not table.is_cached


def test_cached_rows_are_read_from_few_files(spark: Any) -> None:
    """A cached query keeps its usual plan: it reads only the files of one day, and the filter is pushed into them."""
    env = TableEnvironment.create(spark=spark.newSession())
    env.execute_sql("CREATE TABLE sold USING parquet PARTITIONED BY (day) AS SELECT id, id % 4 AS day FROM range(12)")
    try:
        table = env.from_path("sold").filter((col("day") == 1) & (col("id") > 4)).cache()
        query = table.group_by(col("day")).select(col("id").sum).union_all(table.select(col("id").max))
        frame = query.to_spark()
        assert sorted(row[0] for row in frame.collect()) == [9, 14]
        plan = frame._jdf.queryExecution().executedPlan().toString()
        # Both sides read the cache, and each shows the plan that fills it.
        assert plan.count("InMemoryTableScan") == 2
        assert plan.count("PartitionFilters: [isnotnull(day#") == 2
        assert plan.count("PushedFilters: [IsNotNull(id), GreaterThan(id,4)]") == 2
    finally:
        env.clear_cache()
        env.execute_sql("DROP TABLE sold")


def test_without_a_session_nothing_is_cached() -> None:
    env = TableEnvironment.create()
    table = env.from_elements([(1,)], ["a"])
    assert not table.is_cached
    assert table.uncache() is table
    env.clear_cache()
