"""Streams into tables that take MERGE, in a catalog that is compiled for these tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pyspark
import pytest

from tableapi import StreamOptions, TableEnvironment, TableException
from tableapi.exceptions import ValidationException
from tableapi.expressions import col
from tests.streams import change_model
from tests.streams.conftest import NOW, Drops, rows

SOURCE = Path(__file__).parent / "merging" / "MergingCatalog.java"
COUNTS = "SELECT k, COUNT(*) AS n FROM events GROUP BY k"


@pytest.fixture(scope="session")
def jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled catalog."""
    if shutil.which("javac") is None or shutil.which("jar") is None:
        pytest.skip("javac and jar, of a Java development kit, are not installed")
    folder = tmp_path_factory.mktemp("merging")
    spark = Path(pyspark.__file__).parent / "jars" / "*"
    subprocess.run(["javac", "--release", "17", "-d", str(folder), "-cp", str(spark), str(SOURCE)], check=True)
    subprocess.run(["jar", "cf", "merging.jar", "merging"], cwd=folder, check=True)
    return folder / "merging.jar"


@pytest.fixture
def merging(env: TableEnvironment, jar: Path) -> TableEnvironment:
    """An environment with the catalog ``merging``, whose table ``counts`` has the key ``k``."""
    env.spark.sql(f"ADD JAR '{jar}'")
    env.spark.conf.set("spark.sql.catalog.merging", "merging.MergingCatalog")
    for name in ("counts", "log"):
        env.spark.sql(f"DROP TABLE IF EXISTS merging.db.{name}")
    env.spark.sql("CREATE TABLE merging.db.counts (k STRING NOT NULL, n BIGINT, PRIMARY KEY (k))")
    env.spark.sql("CREATE TABLE merging.db.log (k STRING, n BIGINT)")
    return env


def test_each_row_replaces_the_one_with_its_key(merging: TableEnvironment, drops: Drops, tmp_path: Path) -> None:
    drops.drop((1, "a", 1), (2, "b", 2))
    drops.drop((3, "a", 3), (4, "c", 4))
    pipeline = merging.sql_query(COUNTS).insert_into("merging.db.counts")
    assert "exactly once. Each row replaces the one with its key by MERGE" in pipeline.explain()
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    result = pipeline.execute(options=options)
    assert result.wait()
    assert [record.rows_out for record in result.progress()] != []
    assert rows(merging, "merging.db.counts") == [("a", 2), ("b", 1), ("c", 1)]
    # As after a crash between MERGE and Spark's commit.
    for name in ("1", ".1.crc"):
        (tmp_path / "checkpoint" / "commits" / name).unlink()
    drops.drop((5, "b", 5))
    assert pipeline.execute(options=options).wait()
    assert rows(merging, "merging.db.counts") == [("a", 2), ("b", 2), ("c", 1)]


def test_changes_are_applied_by_merge(merging: TableEnvironment, tmp_path: Path) -> None:
    feed, expected = tmp_path / "feed", dict[str, int | None](z=9, a=7)
    merging.spark.sql("INSERT INTO merging.db.counts VALUES ('z', 9), ('a', 7)")
    changes = [("u", "a", 1), ("c", "b", 2), ("d", "z", None), ("b", "b", 2), ("u", "b", 3), ("d", "none", None)]
    for number, several in enumerate((changes[:4], changes[4:])):
        change_model.drop(feed, number, several)
        change_model.apply(expected, several)
    where = f"'connector' = 'filesystem', 'path' = '{feed}', 'format' = 'json', 'streaming' = 'true'"
    merging.execute_sql(f"CREATE TEMPORARY TABLE feed (code STRING, k STRING, n BIGINT) WITH ({where})")
    made = merging.from_path("feed").from_changelog(op="code", op_mapping=change_model.CODES)
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    assert made.execute_insert("merging.db.counts", options=options).wait()
    assert rows(merging, "merging.db.counts") == sorted(expected.items()) == [("a", 1), ("b", 3)]
    with pytest.raises(ValidationException, match=r"cannot be applied to it. The table has no primary key"):
        made.execute_insert("merging.db.log", options=NOW)


def test_rows_of_one_key_are_refused(merging: TableEnvironment, drops: Drops) -> None:
    drops.drop((1, "a", 1), (2, "a", 2))
    query = merging.from_path("events").select(col("k"), col("id").alias("n"))
    with pytest.raises(ValidationException, match=r"2 rows for .*counts.* have the key k = a"):
        query.execute_insert("merging.db.counts", options=NOW).wait()
    assert rows(merging, "merging.db.counts") == []


def test_a_set_shares_a_stream_with_upserts(merging: TableEnvironment, drops: Drops) -> None:
    merging.execute_sql("CREATE TABLE copies (id BIGINT) USING parquet")
    drops.drop((1, "a", 1), (2, "b", 2))
    drops.drop((3, "a", 3))
    statements = merging.create_statement_set()
    statements.add_insert_sql("INSERT INTO copies SELECT id FROM events")
    statements.add_insert_sql("INSERT INTO merging.db.counts SELECT k, id AS n FROM events")
    result = statements.execute(options=NOW)
    assert result.wait()
    assert [record.rows_in for record in result.progress()] == [2, 1]
    assert rows(merging, "copies") == [(1,), (2,), (3,)]
    assert rows(merging, "merging.db.counts") == [("a", 3), ("b", 2)]


def test_tables_without_key_or_merge_are_refused(merging: TableEnvironment, drops: Drops) -> None:
    update = StreamOptions(trigger="available-now", output_mode="update")
    with pytest.raises(ValidationException, match=r"accepts \[append\]. The table has no primary key, by which MERGE"):
        merging.sql_query(COUNTS).execute_insert("merging.db.log", options=update)
    merging.execute_sql("CREATE TABLE plain (k STRING, n BIGINT) USING parquet")
    with pytest.raises(ValidationException, match=r"The table takes no MERGE, .* none that comes with Spark does"):
        merging.sql_query(COUNTS).execute_insert("plain", options=update)


def test_no_table_of_spark_takes_merge(merging: TableEnvironment) -> None:
    merging.execute_sql("CREATE TABLE plain (k STRING, n BIGINT) USING parquet")
    with pytest.raises(TableException, match="MERGE"):
        merging.execute_sql(
            "MERGE INTO plain AS t USING (SELECT 'a' AS k, 1L AS n) AS s ON t.k = s.k WHEN NOT MATCHED THEN INSERT *"
        )
