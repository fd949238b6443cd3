"""Queries with every feature of Spark's SQL: read, written again, and compared with Spark's result for that text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from ir.errors import TableException
from ir.rendering import Layout
from tests.answers import Answers
from tests.cases import every
from tests.comparison import is_sound, nullable, plain
from tests.plans.facts import is_same_plan
from tests.programs.tables import DATABASE, Tables, read_from_memory
from tests.sql.corpus import Query, named_texts, queries, read

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Our part of the answer is in the question: the names and types of the columns, and the texts.
ANSWERS = Answers("sql_queries", "tests/sql/test_queries.py", "tests/plans/facts.py")
QUERIES = queries()
every_query = every("query", queries, lambda query: query.name)
each_query = pytest.mark.parametrize("query", QUERIES, ids=[query.name for query in QUERIES])


@pytest.fixture(scope="module")
def tables(tables_in_spark: Tables) -> Iterator[SparkSession]:
    spark = tables_in_spark.env.spark
    partitions = spark.conf.get("spark.sql.shuffle.partitions")
    spark.sql(f"USE {DATABASE}")
    # How rows are spread is up to Spark, for the original text and for ours.
    spark.conf.set("spark.sql.shuffle.partitions", 1)
    with read_from_memory(spark):
        yield spark
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    spark.sql("USE default")


@pytest.fixture(scope="module")
def tables_of_hive(spark: SparkSession, tables: SparkSession) -> Iterator[SparkSession]:
    """The table of a query that Spark runs with a metastore alone, because it names a class of Hive."""
    session = spark.newSession()
    session.sql(f"CREATE DATABASE {DATABASE}")
    session.sql(f"USE {DATABASE}")
    rows = tables.table("left_bag")
    session.createDataFrame(rows.collect(), rows.schema).write.saveAsTable("left_bag")
    yield session
    spark.sql(f"DROP DATABASE {DATABASE} CASCADE")


def test_there_are_many() -> None:
    assert len(QUERIES) >= 300
    assert len({query.text for query in QUERIES}) == len(QUERIES), "a query is there twice"


@every_query
def test_text_is_read_back_as_the_same_tree(query: Query) -> None:
    operation = read(query.text)
    text = operation.as_serializable_string()
    assert read(text) is operation, text


@every_query
def test_merged_text_is_read_back_with_the_same_normal_form(query: Query) -> None:
    operation = read(query.text)
    text = operation.as_serializable_string(layout=Layout.MERGED)
    assert read(text).normalize() is operation.normalize(), text


@each_query
@pytest.mark.usefixtures("jvm")
def test_schema_and_rows_equal_those_of_spark(query: Query, request: pytest.FixtureRequest) -> None:
    operation, texts = named_texts(query.text)
    columns = [(column.name, column.data_type) for column in operation.schema.columns]
    question = (query.text, columns, texts[Layout.NESTED], texts[Layout.MERGED])
    if not ANSWERS.know(*question):
        needs_hive = "org.apache.hadoop.hive" in query.text
        _assert_equal(query, request.getfixturevalue("tables_of_hive" if needs_hive else "tables"))
        ANSWERS.keep(*question)


def _assert_equal(query: Query, tables: SparkSession) -> None:
    from tableapi.spark.types import from_spark

    operation, texts = named_texts(query.text)
    original, ours = tables.sql(query.text), tables.sql(texts[Layout.NESTED])
    names = [field.name for field in original.schema.fields]
    assert list(operation.schema.names) == names
    assert ours.columns == names
    for field, column in zip(original.schema.fields, operation.schema.columns, strict=True):
        spark_type = from_spark(field.dataType, field.nullable)
        assert nullable(spark_type) is nullable(column.data_type), column
        assert is_sound(column.data_type, spark_type), column
    if texts[Layout.MERGED] != texts[Layout.NESTED]:
        merged = tables.sql(texts[Layout.MERGED])
        assert [field.dataType for field in merged.schema] == [field.dataType for field in ours.schema]
        assert merged.columns == names
    # Equal plans give equal rows.
    assert is_same_plan(ours, original) or _rows(ours) == _rows(original)


def _rows(frame: DataFrame) -> Counter[str]:
    """Return the rows with their counts, without the column names."""
    from pyspark.sql.types import CalendarIntervalType, YearMonthIntervalType

    without_value = (CalendarIntervalType, YearMonthIntervalType)
    if any(isinstance(field.dataType, without_value) for field in frame.schema.fields):
        # PySpark has no Python value for these types.
        numbered = frame.toDF(*[f"c{number}" for number in range(len(frame.columns))])
        frame = numbered.select(
            *[
                numbered[field.name].cast("string")
                if isinstance(field.dataType, without_value)
                else numbered[field.name]
                for field in numbered.schema.fields
            ]
        )
    return Counter(repr(plain(tuple(row))) for row in frame.collect())


# --- rejected queries ------------------------------------------------------------------------------------------------

# Queries that neither Spark nor this library accepts, and queries that Spark accepts and this library rejects, each
# with a part of the error message.
REFUSED = {
    "SELECT l.x FROM left_bag l UNION ALL SELECT CAST(x AS BIGINT) FROM right_bag ORDER BY l.x": "Cannot resolve l.x",
    "SELECT count(*) OVER w FROM left_bag WINDOW w AS (ORDER BY x), w AS (ORDER BY y)": "defines w twice",
    "SELECT * FROM left_bag RIGHT JOIN LATERAL (SELECT 1 AS z) ON true": "LEFT JOIN alone",
    "SELECT * FROM left_bag LEFT ANTI JOIN LATERAL (SELECT 1 AS z) ON true": "LEFT JOIN alone",
    "SELECT count(*) FROM events GROUP BY window(ts, '1 hour') HAVING window(ts, '1 hour').start IS NOT NULL": "window",
    "SELECT count(*) FROM events GROUP BY window(ts, '1 hour') ORDER BY window(ts, '1 hour')": "window",
    "SELECT count(*) FROM events GROUP BY window(struct(ts, ts), '1 hour')": "window",
    "SELECT ts FROM events ORDER BY window(ts, '1 hour'), window(ts, '2 hours')": "one kind at a time",
    "SELECT ts FROM events CLUSTER BY window(ts, '1 hour')": "select it under a name in a subquery first",
    "SELECT ts, count(*) FROM events GROUP BY ts ORDER BY window(ts, '1 hour')": "before they are grouped",
    "SELECT * FROM left_bag l JOIN right_bag r EXACT NEAREST 1 BY DISTANCE (SELECT 1)": "holds a query, which Spark",
    "SELECT * FROM left_bag NATURAL JOIN right_bag r EXACT NEAREST 1 BY DISTANCE 1": "NATURAL JOIN has no NEAREST",
    "SELECT * FROM left_bag l JOIN right_bag r EXACT NEAREST 1 BY DISTANCE explode(array(1))": "table function",
    "SELECT * FROM (SELECT *) JOIN right_bag r EXACT NEAREST 1 BY DISTANCE 1": "has no columns",
    "SELECT x, (SELECT max(r.x) FROM (SELECT * FROM right_bag s WHERE s.x = o.x) s JOIN right_bag r "
    "EXACT NEAREST 1 BY DISTANCE r.x) AS n FROM left_bag o": "below a join by NEAREST",
    "FROM left_bag |> SET x = x + 1 |> SELECT left_bag.x": "Cannot resolve",
    "SELECT x AS a FROM left_bag v |> SELECT v.a": "no relation or column 'v'",
    "FROM left_bag |> AS q |> SELECT left_bag.x": "no relation or column 'left_bag'",
    "SELECT * FROM (SELECT x FROM left_bag v) |> SELECT v.x": "no relation or column 'v'",
    "SELECT * FROM VALUES ((SELECT 2))": "VALUES",
    "SELECT x FROM left_bag LIMIT 2L": "INT",
    "SELECT (SELECT *)": "The query has no columns",
    "SELECT 1 IN (SELECT *)": "The query has no columns",
    "SELECT count(*) FROM (SELECT * UNION ALL SELECT 1)": "the left has 0 columns, [], and the right 1 column, [1]",
    "SELECT count(*) FROM (SELECT *) AS n(a)": "1 name is given to 0 columns",
    "SELECT `EXPR$0` FROM (SELECT *)": "Cannot resolve EXPR$0",
    "SELECT count(*) FROM (SELECT * ORDER BY `EXPR$0`)": "Cannot resolve EXPR$0",
    "SELECT count(*) FROM (SELECT * ORDER BY 1)": "SELECT has 0 items",
    "SELECT coalesce(* EXCEPT (x, y)) FROM left_bag": "0 were given",
    "SELECT DATE 'now UTC'": "'now UTC' is not a value of DATE",
    "SELECT TIMESTAMP 'today nowhere'": "'today nowhere' is not a value of TIMESTAMP_LTZ",
    "SELECT TIMESTAMP 'todayUTC'": "is not a value of TIMESTAMP_LTZ",
    "SELECT TIMESTAMP_NTZ '10:11'": "'10:11' is not a value of TIMESTAMP",
    "SELECT TIMESTAMP '25:11'": "'25:11' is not a value of TIMESTAMP_LTZ",
    "SELECT TIMESTAMP_NTZ '2024-03-01 1:2Z'": "A zone needs the seconds before it",
    "SELECT TIMESTAMP '2024-03-01 UTC'": "A zone needs the seconds before it",
    "SELECT TIMESTAMP '2024-03-01 00:00:00+18:01'": "no time zone '+18:01'",
    "SELECT TIMESTAMP '+294247-01-10 04:00:54.775808Z'": "is not a value of TIMESTAMP_LTZ",
    "SELECT DATE '+5881580-07-12'": "is not a value of DATE",
    "SELECT count(*) OVER (ORDER BY x ROWS NULL PRECEDING) FROM left_bag": "UNBOUNDED PRECEDING",
    "SELECT count(*) OVER (ORDER BY x ROWS BETWEEN 1 FOLLOWING AND NULL FOLLOWING) FROM left_bag": "UNBOUNDED F",
    "SELECT count(*) OVER (ORDER BY x ROWS CAST(NULL AS INT) PRECEDING) FROM left_bag": "was given NULL",
    "SELECT count(*) OVER (ORDER BY x RANGE CAST('inf' AS DOUBLE) PRECEDING) FROM left_bag": "a constant that can be",
    "SELECT JSON_VALUE('{}', '$.a' RETURNING DATE DEFAULT DATE 'today' ON EMPTY)": "DATE 'today' is another constant",
    "SELECT 1e400D": "1e400",
    "SELECT named_struct('a', x) FROM left_bag EXCEPT SELECT named_struct('c', x) FROM left_bag": "common type",
    "SELECT row_number(x) OVER (ORDER BY x) FROM left_bag": "row_number",
    "SELECT round(x, y) FROM left_bag": "literal",
    "SELECT OBJECT_UPDATE(size, 'widht', 1) FROM products": "'width'",
    "SELECT OBJECT_UPDATE(size, 'width', 1, 'width', 2) FROM products": "width",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r": "takes UNION ALL",
    "WITH RECURSIVE r(n) AS (SELECT n + 1 FROM r UNION ALL SELECT 1) SELECT * FROM r": "must be a first query",
    "WITH RECURSIVE r(n) AS (SELECT n + 1 FROM r) SELECT * FROM r": "must be a first query",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1.5 FROM r WHERE n < 3) SELECT * FROM r": (
        "begins as INT NOT NULL and goes on as DECIMAL"
    ),
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT 1, 2 FROM r) SELECT * FROM r": "begins with 1 columns",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT max(n) FROM r) SELECT * FROM r": "below an aggregation",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL (SELECT n + 1 FROM r ORDER BY n)) SELECT * FROM r": "below an order",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL (SELECT n + 1 FROM r ORDER BY n LIMIT 5)) FROM r": "below an order",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT int(rank() OVER (ORDER BY n)) FROM r) SELECT 1 FROM r": (
        "below a window"
    ),
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM left_bag LEFT JOIN r ON n = x) SELECT * FROM r": (
        "on the right side of a LEFT OUTER JOIN"
    ),
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM left_bag FULL JOIN r ON n = x) SELECT * FROM r": (
        "on the right side of a FULL OUTER JOIN"
    ),
    "SELECT x COLLATE UTF8_LCASE FROM left_bag": "COLLATE",
    "SELECT * EXCEPT (size.weight) FROM products": "leaves out the field 'weight', which the row does not have",
    "SELECT * EXCEPT (tags.x) FROM products": "out of a row alone",
    "SELECT x FROM left_bag DISTRIBUTE BY x ORDER BY x": "ORDER BY stands before DISTRIBUTE BY",
    "SELECT x FROM left_bag ORDER BY x SORT BY x": "ORDER BY or SORT BY, not both",
    "SELECT x FROM left_bag CLUSTER BY x SORT BY x": "CLUSTER BY or SORT BY, not both",
    "SELECT x FROM left_bag DISTRIBUTE BY sum(x)": "DISTRIBUTE BY takes no aggregate",
    "SELECT x FROM left_bag SORT BY rank() OVER (ORDER BY x)": "SORT BY takes no value over a window",
    "SELECT y FROM left_bag l WHERE EXISTS (SELECT 1 FROM right_bag r WHERE r.x = sum(l.x))": "WHERE holds the",
    "SELECT y, (SELECT max(r.x) FROM right_bag r WHERE r.x < sum(l.x)) FROM left_bag l GROUP BY y": "WHERE holds",
    "SELECT count(*) FROM left_bag GROUP BY ()": "GROUPING SETS (())",
    "SELECT count(*) FROM left_bag GROUP BY ROLLUP ()": "ROLLUP takes one key at least",
    "SELECT count(*) OVER (ORDER BY x ROWS 2L PRECEDING) FROM left_bag": "A number of rows is an INT",
    "SELECT x AS IDENTIFIER('a' || 'b') FROM left_bag": "'(' is not expected",
    "SELECT x FROM left_bag AS left": "Without quotes, left is no alias",
    "SELECT * EXCEPT (nothing) FROM left_bag": "Cannot resolve",
    "SELECT nothing.* FROM left_bag": "no relation or column 'nothing'",
    "SELECT x.* FROM left_bag": "x.*",
    "FROM left_bag |> EXTEND *": "EXTEND computes columns",
    "FROM left_bag |> AGGREGATE x GROUP BY y": "AGGREGATE computes aggregates",
    "FROM left_bag |> ORDER BY x LIMIT 1": "One step has ORDER BY or LIMIT, not both",
    "SELECT x, explode(array(x)), explode(array(y)) FROM left_bag GROUP BY ALL": "takes one table function",
    "VALUES (count(*))": "VALUES holds no aggregates",
    "SELECT 'true' AND 'true'": "argument 1 is not <BOOLEAN>, which CAST(… AS BOOLEAN) makes of a text",
    "SELECT NULL OR 'true' OR x = 1 FROM left_bag": "argument 2 is not <BOOLEAN>",
    "VALUES ((SELECT 1))": "no value of a query",
    "FROM left_bag |> SET z = 1": "there is none named 'z'",
    "SELECT x, max(struct(*)) FROM left_bag GROUP BY 1": "among which there is no star",
    "SELECT x, count(DISTINCT l.*) FROM left_bag l GROUP BY 1": "COUNT does not take l.*",
    "SELECT *, count(*) FROM left_bag GROUP BY 1, ROLLUP (2)": "among which there is no star",
    "FROM left_bag |> AGGREGATE max(struct(*)) GROUP BY 1": "write its name where there is a star",
    "SELECT count(l.*) FROM left_bag l JOIN right_bag r USING (x)": "COUNT does not take l.*",
    "FROM left_bag l JOIN right_bag r ON l.x = r.x |> SET x = 1": "2 are named 'x'",
    "SELECT l.x + 1 AS x FROM left_bag l JOIN right_bag r ON l.x = r.x GROUP BY l.x HAVING max(x) > 1": "Ambiguous",
    "SELECT l.x, r.x FROM left_bag l JOIN right_bag r ON l.x = r.x GROUP BY l.x, r.x HAVING max(x) > 1": "Ambiguous",
    "FROM left_bag |> AGGREGATE count(*) GROUP BY 3": "GROUP BY 3 means a column",
    "SELECT sum(x) OVER nowhere FROM left_bag": "no window named 'nowhere'",
    "SELECT 1 LIMIT x": "LIMIT takes a constant, and no column",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    with pytest.raises(TableException) as raised:
        read(text)
    assert REFUSED[text] in str(raised.value)
    # The message shows the position.
    assert "line 1, column" in str(raised.value)


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_names_of_the_examples_of_all_functions(tables: SparkSession) -> None:
    """Spark documents its functions with queries without aliases; this library gives their columns the same names."""
    from tests.sql.function_examples import examples, name_of

    same, different = 0, []
    for query, column, name in examples(tables):
        found = name_of(query, column)
        if found == name:
            same += 1
        elif found is not None:
            different.append((query, name, found))
    # The remaining examples have arguments that Spark adds, such as those of ciphers, which the text does not contain.
    assert same >= 1150, json.dumps(different, indent=1)


def test_hints_spread_rows_before_they_are_put_in_order() -> None:
    summary = read("SELECT /*+ REPARTITION(3) */ x FROM left_bag ORDER BY y LIMIT 2").as_summary_string()
    found = [line.split(":")[0].strip() for line in summary.splitlines()]
    assert found[:3] == ["Project", "Sort", "Hint"]
