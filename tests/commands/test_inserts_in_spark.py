"""INSERT commands leave the rows in Spark's tables that the same statements leave when Spark runs them itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tableapi import TableEnvironment
from tableapi.exceptions import TableException
from tableapi.expressions import col
from tests.cases import some_nightly

_TABLES = {
    "inserted": "(a INT, s STRUCT<x: INT, y: INT>, l ARRAY<STRUCT<x: INT, y: INT>>, n INT NOT NULL DEFAULT 5, b INT)",
    "inserted_parts": "(a INT, b STRING, p STRING, q INT)",
}
_ROWS = "(1, NULL, NULL, 7, 8), (2, named_struct('x', 3, 'y', 4), NULL, 9, NULL)"
_STATEMENTS = """
INSERT INTO inserted SELECT * FROM inserted
INSERT INTO inserted (a, b) SELECT n, a FROM inserted WHERE a > 1
INSERT INTO inserted (B, a) VALUES (1, 2), (NULL, 3)
INSERT INTO inserted VALUES (5, named_struct('y', 1, 'x', 2), array(), DEFAULT, 6)
INSERT INTO inserted (n, a) VALUES (DEFAULT, 1), (default, 2)
INSERT INTO inserted BY NAME SELECT 1 AS a, named_struct('y', 1, 'x', 2) AS s
INSERT INTO inserted BY NAME SELECT array(named_struct('Y', 1, 'X', 2)) AS l, 4L AS n
INSERT INTO inserted BY NAME SELECT 12 AS b
INSERT OVERWRITE inserted BY NAME SELECT a + 1 AS a, named_struct('y', 1, 'x', a) AS s FROM VALUES (1), (2) AS v(a)
INSERT OVERWRITE inserted (a) VALUES (1), (2)
INSERT INTO inserted_parts VALUES (9, 'z', 'p', 1), (10, 'y', 'q', 2)
INSERT INTO inserted_parts PARTITION (p = 'p', q = 1) VALUES (9, 'z')
INSERT INTO inserted_parts PARTITION (p = 'p', q) (q, a) VALUES (3, 4)
INSERT INTO inserted_parts PARTITION (p = 'new', q) SELECT a, b, q FROM inserted_parts
INSERT INTO inserted_parts PARTITION (p = 'r', q) BY NAME SELECT 3 AS q, 1 AS a
INSERT OVERWRITE inserted_parts VALUES (1, 'a', 'p', 1)
INSERT OVERWRITE inserted_parts PARTITION (p = 'p', q = 1) VALUES (1, 'a')
INSERT OVERWRITE inserted_parts PARTITION (p = 'p', q) VALUES (1, 'a', 1)
INSERT OVERWRITE inserted_parts PARTITION (p, q) VALUES (1, 'a', 'p', 1)
INSERT OVERWRITE inserted_parts PARTITION (p = 'q', q) BY NAME SELECT 2 AS q
INSERT INTO inserted (a, n, b) VALUES (1, DEFAULT, 2), (2, 3, DEFAULT), (DEFAULT, DEFAULT, 4)
INSERT OVERWRITE inserted_parts PARTITION (p = 'p', q = 1) IF NOT EXISTS VALUES (9, 'z')
INSERT OVERWRITE inserted_parts PARTITION (p = 'p', q = 7) IF NOT EXISTS VALUES (9, 'z')
""".strip().splitlines()


@pytest.fixture
def te(spark: SparkSession) -> Iterator[TableEnvironment]:
    te = TableEnvironment.create(spark=spark.newSession())
    yield te
    for name in _TABLES:
        te.execute_sql(f"DROP TABLE IF EXISTS {name}")


def _create(spark: SparkSession) -> None:
    for name, columns in _TABLES.items():
        spark.sql(f"DROP TABLE IF EXISTS {name}")
        keys = " PARTITIONED BY (p, q)" if name == "inserted_parts" else ""
        spark.sql(f"CREATE TABLE {name} {columns} USING parquet{keys}")
    spark.sql(f"INSERT INTO inserted VALUES {_ROWS}")
    spark.sql("INSERT INTO inserted_parts VALUES (1, 'a', 'p', 1), (2, 'b', 'p', 2), (3, NULL, 'q', 2)")


def _rows(spark: SparkSession) -> list[list[str]]:
    return [sorted(map(str, spark.table(name).collect())) for name in _TABLES]


@pytest.mark.parametrize("text", some_nightly(_STATEMENTS, each=8))
@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_rows_equal_those_of_spark(te: TableEnvironment, text: str, mode: str) -> None:
    if mode == "dynamic" and "OVERWRITE inserted_parts" not in text:
        pytest.skip("the mode is about partitions that are overwritten")
    spark = te.spark
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", mode)
    _create(spark)
    spark.sql(text)
    expected = _rows(spark)
    for run in (te.execute_sql, lambda text: te.sql_statement(text).execute()):
        _create(spark)
        run(text)
        assert _rows(spark) == expected


def test_a_format_that_replaces_no_rows_keeps_them(te: TableEnvironment) -> None:
    _create(te.spark)
    before = _rows(te.spark)
    statement = te.sql_statement("INSERT INTO inserted (a) REPLACE WHERE a > 1 VALUES (1)")
    with pytest.raises(TableException, match=r"does not support INSERT … REPLACE WHERE\. Nothing was changed"):
        statement.execute()
    assert _rows(te.spark) == before


def test_the_text_of_a_fluent_insert_writes_its_rows(te: TableEnvironment) -> None:
    spark = te.spark
    _create(spark)
    pipeline = te.from_path("inserted").select(col("n"), col("a")).insert_into("inserted", columns=["a", "b"])
    spark.sql(pipeline.as_serializable_string())
    expected = _rows(spark)
    _create(spark)
    pipeline.execute()
    assert _rows(spark) == expected


@pytest.mark.parametrize(
    ("options", "format"),
    [("USING csv OPTIONS (header true, sep '|')", "csv"), ("USING parquet", "parquet"), ("USING json", "json")],
)
def test_a_directory_gets_the_rows_that_spark_writes(
    te: TableEnvironment, tmp_path: Path, options: str, format: str
) -> None:
    spark = te.spark
    _create(spark)
    text = f"INSERT OVERWRITE DIRECTORY '{{}}' {options} SELECT a, b, n FROM inserted WHERE n > 5"
    spark.sql(text.format(tmp_path / "theirs"))
    spark.range(5).write.format(format).save(str(tmp_path / "ours"))
    te.execute_sql(text.format(tmp_path / "ours"))
    reader = spark.read.options(header=True, sep="|").format(format)
    rows = [sorted(map(str, reader.load(str(tmp_path / name)).collect())) for name in ("theirs", "ours")]
    assert rows[0] == rows[1]
    assert rows[0]


def test_a_directory_gets_rows_of_a_catalog_that_spark_lacks(te: TableEnvironment, tmp_path: Path) -> None:
    te.create_temporary_view("made", te.from_elements([(1, "a"), (2, "b")], ["i", "t"]))
    statement = te.sql_statement(
        f"INSERT OVERWRITE LOCAL DIRECTORY '{tmp_path}/out' USING orc SELECT i + 1 AS i FROM made"
    )
    statement.execute()
    assert sorted(row.i for row in te.spark.read.orc(f"{tmp_path}/out").collect()) == [2, 3]
    failing = te.sql_statement(
        f"INSERT OVERWRITE DIRECTORY '{tmp_path}/out' USING orc SELECT 1 / (i - 2) AS i FROM made"
    )
    with pytest.raises(TableException, match="DIVIDE_BY_ZERO"):
        failing.execute()
    assert sorted(row.i for row in te.spark.read.orc(f"{tmp_path}/out").collect()) == [2, 3]


def test_a_failed_create_table_as_leaves_its_name_usable(te: TableEnvironment) -> None:
    text = "CREATE TABLE inserted_parts USING parquet AS SELECT 1 / (a - 2) AS a FROM VALUES (1), (2) AS v(a)"
    for run in (te.execute_sql, lambda text: te.sql_statement(text).execute()):
        with pytest.raises(TableException, match="DIVIDE_BY_ZERO"):
            run(text)
        te.execute_sql(text.replace("(a - 2)", "a"))
        assert len(list(te.from_path("inserted_parts").execute().collect())) == 2
        te.execute_sql("DROP TABLE inserted_parts")


def test_results_have_the_numbers_of_written_rows(te: TableEnvironment, tmp_path: Path) -> None:
    _create(te.spark)
    te.create_temporary_view("made", te.from_elements([(1, "a"), (2, "b"), (3, "c")], ["i", "t"]))
    to = "PARTITION (p = 'p', q = 1)"
    for text, counts in (
        ("INSERT INTO inserted_parts SELECT i, t, 'p', 1 FROM made WHERE i > 1", (2,)),
        (f"INSERT OVERWRITE inserted_parts {to} IF NOT EXISTS SELECT i, t FROM made", (0,)),
        ("INSERT INTO inserted_parts SELECT i, t, 'p', 1 FROM made WHERE FALSE", (0,)),
        ("INSERT OVERWRITE inserted_parts WITH ('compression' = 'none') SELECT i, t, 'p', 1 FROM made", (3,)),
        (f"INSERT OVERWRITE DIRECTORY '{tmp_path}' USING orc SELECT i FROM made DISTRIBUTE BY i", (3,)),
        (
            f"FROM made INSERT INTO inserted_parts {to} SELECT i, t INSERT INTO inserted (a) SELECT i LIMIT 1",
            (3, 1),
        ),
    ):
        assert [tuple(row) for row in te.execute_sql(text).collect()] == [counts], text
    assert te.from_path("inserted_parts").execute_insert("inserted_parts").collect().__next__()[0] == 6


def test_a_failed_create_table_as_of_files_leaves_nothing(
    te: TableEnvironment, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    te.execute_sql("CREATE CATALOG kept WITH ('type' = 'generic_in_memory')")
    text = "CREATE TABLE {} USING parquet LOCATION '{}' AS SELECT 1 / (id - 5) AS x FROM range(10)"
    te.execute_sql(f"CREATE CATALOG stored WITH ('type' = 'directory', 'path' = '{tmp_path_factory.mktemp('stored')}')")
    (tmp_path / "empty").mkdir()
    for table in ("kept.default_database.t", "stored.default.t", "failed_with_location"):
        for name in ("missing", "empty", "made/with/it"):
            with pytest.raises(TableException, match="DIVIDE_BY_ZERO"):
                te.execute_sql(text.format(table, tmp_path / name))
        assert [path.name for path in tmp_path.rglob("*")] == ["empty"]
        with pytest.raises(TableException, match="was not found"):
            te.from_path(table)


def test_mistakes_that_spark_reports_are_marked(te: TableEnvironment) -> None:
    """A name or a syntax that Spark refuses has the place and the nearest name, as in the other catalogs."""
    _create(te.spark)
    for text, message, at in (
        ("DROP TABLE insertd", "Did you mean 'inserted'?", "insertd"),
        ("TRUNCATE TABLE insertd", "Did you mean 'inserted'?", "insertd"),
        ("REFRESH TABLE insertd", "Did you mean 'inserted'?", "insertd"),
        ("MSCK REPAIR TABLE insertd", "Did you mean 'inserted'?", "insertd"),
        ("DESCRIBE insertd", "Did you mean 'inserted'?", "insertd"),
        ("SHOW CREATE TABLE insertd", "Did you mean 'inserted'?", "insertd"),
        ("CREATE TABLE made LIKE insertd", "Did you mean 'inserted'?", "insertd"),
        ("CREATE TABLE defalt.made (a INT) USING parquet", "Did you mean 'default'?", "defalt"),
        ("CREATE TABLE made (a INTT) USING parquet", "Did you mean 'INT'?", "INTT"),
        ("CREATE TABLE made (a INT COMENT 'x') USING parquet", "Did you mean COMMENT", "COMENT"),
        ("CREATE TABLE made (a INT) USING cvs", "Did you mean 'csv'?", "cvs"),
        ("CREATE TABLE made USING parqet AS SELECT 1 AS a", "Did you mean 'parquet'?", "parqet"),
        ("TRUNCATE inserted", "Write TRUNCATE TABLE", "TRUNCATE"),
        ("UPSERT INTO inserted VALUES (1)", "Write MERGE INTO", "UPSERT"),
        ("MERGE INTO inserted t USING inserted_parts s ON t.a = s.a", "expected is an operator or WHEN", ""),
    ):
        with pytest.raises(TableException, match=re.escape(message)) as raised:
            te.execute_sql(text)
        shown, carets = str(raised.value).splitlines()[-2:]
        assert shown[carets.index("^") :].startswith(at), str(raised.value)


def test_bad_input_is_named(te: TableEnvironment, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("1,x\nfour,y\n")
    for text in (
        "CREATE TABLE inserted (a INT) USING csv OPTIONS (headr true)",
        f"CREATE TEMPORARY VIEW rows_of_csv (a INT) USING csv OPTIONS (path '{tmp_path}', headr true)",
    ):
        with pytest.raises(TableException, match=r"which the format csv does not have\. Did you mean 'header'\?"):
            te.execute_sql(text)
    te.execute_sql(
        f"CREATE TEMPORARY VIEW rows_of_csv (a INT, b STRING) USING csv OPTIONS (path '{tmp_path}', mode 'FAILFAST')"
    )
    with pytest.raises(TableException, match=r'(?s)rows\.csv.*\[null,y\].*"four"'):
        list(te.from_path("rows_of_csv").execute().collect())
    with pytest.raises(TableException, match=r"There is a temporary object|already exists"):
        te.execute_sql(f"CREATE TEMPORARY VIEW rows_of_csv USING csv OPTIONS (path '{tmp_path}')")
    te.execute_sql(f"CREATE OR REPLACE TEMPORARY VIEW rows_of_csv (a INT) USING parquet OPTIONS (path '{tmp_path}')")
    with pytest.raises(TableException, match=r"rows\.csv is not a Parquet file"):
        list(te.from_path("rows_of_csv").execute().collect())
    _create(te.spark)
    with pytest.raises(TableException, match=r"Nothing was moved\. Only tables of Hive's \(STORED AS\)"):
        te.execute_sql(f"LOAD DATA INPATH '{tmp_path}' INTO TABLE inserted")
