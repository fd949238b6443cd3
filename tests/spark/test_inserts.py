"""Inserts on Spark: which rows are appended or replaced, and that a failed insert loses nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tableapi import (
    DataTypes,
    ExplainDetail,
    FormatDescriptor,
    ResultKind,
    Schema,
    Table,
    TableDescriptor,
    TableEnvironment,
    TableException,
    TableNotExistException,
    ValidationException,
)
from tableapi.expressions import col, lit
from tests.spark.rows import rows

pytestmark = pytest.mark.long

DAY = dt.date(2024, 1, 1)


def people(env: TableEnvironment) -> Table:
    return env.from_elements([(1, "Ada"), (2, "Bo"), (3, None)], ["id", "name"])


@pytest.fixture
def sink(env: TableEnvironment) -> str:
    """A table with two columns."""
    env.execute_sql("CREATE TABLE sink (id BIGINT, name STRING) USING parquet")
    return "sink"


@pytest.fixture
def parts(env: TableEnvironment) -> str:
    """A table with two partition keys and two rows."""
    env.execute_sql(
        "CREATE TABLE parts (id BIGINT, name VARCHAR(3), p INT, q DATE) USING parquet PARTITIONED BY (p, q)"
    )
    env.execute_sql(f"INSERT INTO parts VALUES (1, 'one', 1, DATE'{DAY}'), (2, 'two', 2, DATE'{DAY}')")
    return "parts"


def failing(env: TableEnvironment) -> Table:
    """Ids from 0 to 9 with a division by zero that happens only when they are computed."""
    return env.from_spark(env.spark.range(10)).select((lit(1) / (col("id") - 5)).cast(DataTypes.INT()).alias("id"))


def test_rows_are_appended_and_replaced(env: TableEnvironment, sink: str) -> None:
    result = people(env).execute_insert(sink)
    assert result.get_result_kind() is ResultKind.SUCCESS_WITH_CONTENT
    assert result.get_resolved_schema().names == (f"spark_catalog.{env.get_current_database()}.sink",)
    assert [tuple(row) for row in result.collect()] == [(3,)]
    people(env).filter(col("id") == 1).execute_insert(sink)
    assert len(rows(env.from_path(sink))) == 4
    people(env).filter(col("id") == 2).execute_insert(sink, overwrite=True)
    assert rows(env.from_path(sink)) == [(2, "Bo")]
    people(env).filter(lit(False)).execute_insert(sink, overwrite=True)
    assert rows(env.from_path(sink)) == []


def test_rows_are_counted_beside_a_session_of_connect(
    env: TableEnvironment, sink: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # SparkSession.builder.remote(…).create() sets it, and from then on PySpark makes columns of Connect.
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
    assert [tuple(row) for row in people(env).execute_insert(sink).collect()] == [(3,)]


def test_column_lists(env: TableEnvironment) -> None:
    env.execute_sql("CREATE TABLE d (a INT, b INT DEFAULT 5, c STRING) USING parquet")
    people(env).filter(col("id") == 1).select(col("name"), col("id")).execute_insert("d", columns=["c", "A"])
    assert rows(env.from_path("d")) == [(1, 5, "Ada")]
    people(env).filter(col("id") == 2).select(col("id")).execute_insert("d", overwrite=True, columns=["a"])
    assert rows(env.from_path("d")) == [(2, 5, None)]


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_only_the_touched_partitions_are_replaced(env: TableEnvironment, parts: str, mode: str) -> None:
    # The result does not depend on the session's own overwrite mode.
    env.spark.conf.set("spark.sql.sources.partitionOverwriteMode", mode)
    query = env.from_elements([(9, "new", 1, DAY)], ["id", "name", "p", "q"])
    query.execute_insert(parts, overwrite=True)
    assert rows(env.from_path(parts)) == [(2, "two", 2, DAY), (9, "new", 1, DAY)]
    # A fully specified partition is replaced, even by nothing if the query has no rows.
    two = query.select(col("id"), col("name"))
    two.filter(lit(False)).execute_insert(parts, overwrite=True, partition={"p": 2, "q": DAY})
    assert rows(env.from_path(parts)) == [(9, "new", 1, DAY)]
    two.execute_insert(parts, overwrite=True, partition={"P": 2, "q": DAY})
    query.select(col("id"), col("name"), col("q")).execute_insert(parts, partition={"p": 3})
    query.select(col("q"), col("id")).execute_insert(parts, partition={"p": None}, columns=["q", "id"])
    assert rows(env.from_path(parts)) == [
        (9, "new", 1, DAY),
        (9, "new", 2, DAY),
        (9, "new", 3, DAY),
        (9, None, None, DAY),
    ]


_INVALID: list[tuple[Callable[[Table], Table], dict[str, Any], str]] = [
    (lambda t: t.select(col("id")), {}, r"it has 1 columns where the table has 4"),
    (lambda t: t.select(col("id")), {"partition": {"p": 1}}, r"1 columns where the table has 3 besides the given"),
    (lambda t: t, {"columns": ["id"]}, r"it has 2 columns where columns names 1"),
    (lambda t: t, {"columns": ["id", "nmae"]}, r"has no column 'nmae': \[id, name, p, q\].*Did you mean 'name'"),
    (lambda t: t, {"columns": ["id", "ID"]}, r"names 'id' twice"),
    (
        lambda t: t,
        {"columns": ["id", "p"], "partition": {"p": 1}},
        r"'p' of .*parts is in columns and in partition",
    ),
    (lambda t: t, {"columns": "id"}, r"columns takes a list of names"),
    (
        lambda t: t.select(col("name"), col("id")),
        {"partition": {"p": 1, "q": DAY}},
        r"column 0 `name` STRING .*cast",
    ),
    (lambda t: t, {"partition": {"r": 1}}, r"no partition key 'r': it has the partition keys \[p, q\]"),
    (lambda t: t, {"partition": {"p": "x"}}, r"partition key `p` INT: The str 'x' is not a value of INT"),
    (lambda t: t, {"partition": {"p": [1]}}, r"'p' takes a text, a number"),
    (lambda t: t, {"partition": 1}, r"partition takes a mapping"),
    (lambda t: t, {"overwrite": 1}, r"overwrite is True or False"),
]


def test_invalid_inserts_are_rejected_when_built(env: TableEnvironment, parts: str) -> None:
    for query, arguments, message in _INVALID:
        with pytest.raises(ValidationException, match=message):
            query(people(env)).insert_into(parts, **arguments)
    assert len(rows(env.from_path(parts))) == 2


def test_where_rows_cannot_go(env: TableEnvironment, sink: str) -> None:
    env.create_view("v", people(env))
    env.create_temporary_view("w", people(env))
    for name in ("v", "w"):
        with pytest.raises(ValidationException, match=r"is a (temporary )?view; rows go into tables only"):
            people(env).execute_insert(name)
    with pytest.raises(TableNotExistException, match=r"Did you mean 'sink'"):
        people(env).execute_insert("snk")
    with pytest.raises(ValidationException, match=r"A path or a TableDescriptor is expected, but was given 3"):
        people(env).execute_insert(3)  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match=r"is not partitioned"):
        people(env).execute_insert(sink, partition={"id": 1})


def test_an_overwrite_that_fails_keeps_the_old_rows(env: TableEnvironment, sink: str, parts: str) -> None:
    people(env).execute_insert(sink)
    before = rows(env.from_path(sink))
    with pytest.raises(TableException, match=r"Nothing was written") as caught:
        failing(env).select(col("id"), lit("x")).execute_insert(sink, overwrite=True)
    assert caught.value.condition == "DIVIDE_BY_ZERO"
    assert rows(env.from_path(sink)) == before
    # A value that only the type of the target column cannot hold.
    env.execute_sql("CREATE TABLE small (a TINYINT, b VARCHAR(3)) USING parquet")
    env.execute_sql("INSERT INTO small VALUES (1, 'old')")
    many = env.from_spark(env.spark.range(300))
    with pytest.raises(TableException, match=r"CAST_OVERFLOW"):
        many.select(col("id"), lit("x")).execute_insert("small", overwrite=True)
    long = many.filter(col("id") < 3).select(col("id"), (col("id") + 999).cast(DataTypes.STRING()))
    with pytest.raises(TableException, match=r"longer than 3 characters"):
        long.execute_insert("small", overwrite=True)
    assert rows(env.from_path("small")) == [(1, "old")]
    # Partitions: specified ones and affected ones.
    old = rows(env.from_path(parts))
    for partition in ({"p": 1, "q": DAY}, {"p": 1}):
        query = failing(env).select(col("id"), lit("x"), *([] if "q" in partition else [lit(DAY)]))
        with pytest.raises(TableException, match=r"DIVIDE_BY_ZERO"):
            query.execute_insert(parts, overwrite=True, partition=partition)
        assert rows(env.from_path(parts)) == old


def test_an_append_that_fails_writes_nothing(env: TableEnvironment, sink: str) -> None:
    people(env).execute_insert(sink)
    with pytest.raises(TableException, match=r"DIVIDE_BY_ZERO"):
        failing(env).select(col("id"), lit("x")).execute_insert(sink)
    assert len(rows(env.from_path(sink))) == 3


def test_a_table_that_is_read_is_not_overwritten(env: TableEnvironment, sink: str, parts: str) -> None:
    people(env).execute_insert(sink)
    before = rows(env.from_path(sink))
    with pytest.raises(ValidationException, match=r"reads .*sink, which it would overwrite.*Nothing was written"):
        env.from_path(sink).execute_insert(sink, overwrite=True)
    env.create_temporary_view("t", env.from_path(sink))
    with pytest.raises(ValidationException, match=r"which it would overwrite"):
        env.from_path("t").execute_insert(sink, overwrite=True)
    env.create_view("v", env.from_path(sink))
    with pytest.raises(TableException, match=r"UNSUPPORTED_OVERWRITE.*Nothing was written"):
        env.from_path("v").execute_insert(sink, overwrite=True)
    assert rows(env.from_path(sink)) == before
    env.from_path(sink).execute_insert(sink)
    assert len(rows(env.from_path(sink))) == 6
    # Partitions are replaced after all rows are written, so a query may read the table that it overwrites.
    env.from_path(parts).select(col("id") + 10, col("name"), col("p"), col("q")).execute_insert(parts, overwrite=True)
    assert [row[0] for row in rows(env.from_path(parts))] == [11, 12]


# --- files ------------------------------------------------------------------------------------------------------------


def test_files_without_a_name_are_written(env: TableEnvironment, tmp_path: Path) -> None:
    csv = FormatDescriptor.for_format("csv").option("header", "true").build()
    descriptor = TableDescriptor.for_connector("filesystem").option("path", str(tmp_path / "out")).format(csv).build()
    pipeline = people(env).insert_into(descriptor)
    assert pipeline.get_identifier() is None
    assert not (tmp_path / "out").exists()
    pipeline.execute()
    schema = Schema.new_builder().column("id", "INT").column("name", "STRING").build()
    assert len(rows(env.from_descriptor(descriptor.to_builder().schema(schema).build()))) == 3


def test_files_keep_their_rows_when_an_overwrite_fails(env: TableEnvironment, tmp_path: Path) -> None:
    schema = Schema.new_builder().column("id", "INT NOT NULL").column("p", "INT").build()
    builder = TableDescriptor.for_connector("filesystem").schema(schema).format("json")
    for name, keys in (("plain", ()), ("divided", ("p",))):
        env.create_temporary_table(name, builder.option("path", str(tmp_path / name)).partitioned_by(*keys).build())
        env.from_elements([(1, 1), (2, 2)], ["id", "p"]).execute_insert(name)
        with pytest.raises(TableException, match=r"DIVIDE_BY_ZERO"):
            failing(env).select(col("id"), lit(1)).execute_insert(name, overwrite=True)
        nulls = env.from_spark(env.spark.range(3)).select((col("id") > 1).then(col("id"), None), lit(1))
        with pytest.raises(
            TableException, match=r"column id of .* must not be NULL\. Nothing was written\. The row: id = NULL, p = 1"
        ):
            nulls.execute_insert(name, overwrite=True)
        assert rows(env.from_path(name)) == [(1, 1), (2, 2)]
        with pytest.raises(ValidationException, match=r"`id` INT NOT NULL gets no value, and must not be NULL"):
            people(env).select(col("id")).insert_into(name, columns=["p"])
    with pytest.raises(ValidationException, match=r"which it would overwrite"):
        env.from_path("plain").execute_insert("plain", overwrite=True)
    env.from_elements([(7,)], ["id"]).execute_insert("divided", overwrite=True, partition={"p": 1})
    assert rows(env.from_path("divided")) == [(2, 2), (7, 1)]


# --- explanations -----------------------------------------------------------------------------------------------------


def test_an_insert_explains_itself_and_writes_nothing(env: TableEnvironment, sink: str) -> None:
    pipeline = people(env).insert_into(sink, overwrite=True)
    explained = pipeline.explain(ExplainDetail.ESTIMATED_COST, ExplainDetail.CHANGELOG_MODE)
    assert "Sink: (table: [spark_catalog." in explained
    assert "    Values: (values:" in explained
    assert "INSERT OVERWRITE `spark_catalog`." in explained
    for title in ("Operation tree", "SQL", "Changelog mode", "Spark's plan", "Spark's estimated cost"):
        assert f"== {title} ==" in explained
    assert str(pipeline.get_identifier()) == f"ObjectIdentifier(spark_catalog.{env.get_current_database()}.sink)"
    assert rows(env.from_path(sink)) == []


def test_a_query_explains_itself_in_detail(env: TableEnvironment) -> None:
    every = people(env).explain(*ExplainDetail)
    assert '"class":"org.apache.spark.sql.execution' in every
    assert "== Analyzed Logical Plan ==" in every
    assert "Statistics(sizeInBytes=" in every
    with pytest.raises(ValidationException, match=r"explain takes members of ExplainDetail"):
        people(env).explain("cost")  # type: ignore[arg-type]


def test_on_spark_connect(connect_spark: Any, tmp_path: Path) -> None:
    env = TableEnvironment.create(spark=connect_spark)
    schema = Schema.new_builder().column("id", "INT").column("name", "STRING").column_by_expression("t", col("id") * 2)
    builder = TableDescriptor.for_connector("filesystem").schema(schema.build()).format("json")
    env.create_temporary_table("files_on_connect", builder.option("path", str(tmp_path / "t")).build())
    for overwrite in (False, True):
        people(env).execute_insert("files_on_connect", overwrite=overwrite)
        assert rows(env.from_path("files_on_connect")) == [(1, "Ada", 2), (2, "Bo", 4), (3, None, 6)]
    env.execute_sql("CREATE TABLE sink_on_connect (id BIGINT, name STRING) USING parquet")
    try:
        for overwrite in (False, True):
            people(env).execute_insert("sink_on_connect", overwrite=overwrite)
            assert len(rows(env.from_path("sink_on_connect"))) == 3
        with pytest.raises(TableException, match=r"DIVIDE_BY_ZERO"):
            failing(env).select(col("id"), lit("x")).execute_insert("sink_on_connect", overwrite=True)
        assert len(rows(env.from_path("sink_on_connect"))) == 3
        found = env.execute_sql("SELECT COUNT(*) AS n FROM sink_on_connect")
        assert [tuple(row) for row in found.collect()] == [(3,)]
        assert "Spark Connect has no plan as JSON" in people(env).explain(ExplainDetail.JSON_EXECUTION_PLAN)
    finally:
        env.execute_sql("DROP TABLE sink_on_connect")
        env.drop_temporary_table("files_on_connect")
