"""The page for PyFlink users: each row of its tables has a check, and each check has a row."""

from __future__ import annotations

import datetime as dt
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tableapi import (
    AggregateFunction,
    CatalogException,
    DataTypes,
    Dialect,
    EnvironmentSettings,
    InMemoryCatalog,
    ObjectPath,
    Row,
    Schema,
    TableAggregateFunction,
    TableDescriptor,
    TableEnvironment,
    TableException,
    ValidationException,
    udaf,
    udf,
    udtaf,
)
from tableapi.expression import TimeIntervalUnit
from tableapi.expressions import (
    CURRENT_ROW,
    UNBOUNDED_ROW,
    array,
    call_sql,
    col,
    explode,
    lit,
    null_of,
    row,
    row_interval,
)
from tableapi.process_functions import ProcessTableFunction, TableAsRow
from tableapi.udf import ProcessTableFunctionArgument, udptf
from tableapi.window import Over, Tumble

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tableapi import Expression, Table

PAGE = (Path(__file__).parents[2] / "docs" / "coming-from-pyflink.md").read_text(encoding="utf-8")
SECTIONS = ("Meaning", "Queries", "Tables")
Check = Callable[[TableEnvironment], None]
CHECKS: dict[str, Check] = {}


def check(topic: str) -> Callable[[Check], Check]:
    """Register the check of the row with a topic."""

    def register(function: Check) -> Check:
        assert topic not in CHECKS
        CHECKS[topic] = function
        return function

    return register


def _topics() -> list[str]:
    found = []
    for section in SECTIONS:
        text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
        rows = [re.split(r"(?<!\\)\|", line)[1] for line in text.splitlines() if line.startswith("|")]
        found += [row.strip() for row in rows[2:]]
    return found


def test_each_row_has_a_check_and_each_check_a_row() -> None:
    assert sorted(CHECKS) == sorted(_topics())


@pytest.fixture(scope="module")
def te(spark: SparkSession) -> TableEnvironment:
    return TableEnvironment.create()


@pytest.mark.parametrize("topic", CHECKS)
def test_rows_are_correct(topic: str, te: TableEnvironment) -> None:
    CHECKS[topic](te)


# --- helpers of the checks --------------------------------------------------------------------------------------------


def _one(te: TableEnvironment) -> Table:
    return te.from_elements([(7, 2, "x")], ["a", "b", "s"])


def _values(te: TableEnvironment, *expressions: Expression[Any]) -> tuple[Any, ...]:
    named = [expression.alias(f"v{number}") for number, expression in enumerate(expressions)]
    (found,) = _rows(_one(te).select(*named))
    return found


def _types(te: TableEnvironment, *expressions: Expression[Any]) -> list[str]:
    named = [expression.alias(f"v{number}") for number, expression in enumerate(expressions)]
    return [str(column) for column in _one(te).select(*named).get_resolved_schema().types]


def _rows(table: Table) -> list[tuple[Any, ...]]:
    with table.execute().collect() as found:
        return [tuple(one) for one in found]


def _events(te: TableEnvironment) -> Table:
    rows = [(n, dt.datetime(2024, 1, 1, 10, n)) for n in (1, 2, 3, 11)]
    types = [DataTypes.FIELD("e", DataTypes.INT()), DataTypes.FIELD("ts", DataTypes.TIMESTAMP(3))]
    return te.from_elements([*rows, (9, None)], DataTypes.ROW(types))


_SCHEMA = Schema.new_builder().column("a", DataTypes.INT()).build()


def _files(kind: str) -> Any:
    return TableDescriptor.for_connector("filesystem").schema(_SCHEMA).option("path", "/nowhere").format(kind)


@contextmanager
def _sink(te: TableEnvironment, data_type: Any, key: str | None = None) -> Iterator[str]:
    """Create a temporary file table with a column ``a``, optionally partitioned by a string."""
    schema = Schema.new_builder().column("a", data_type)
    with tempfile.TemporaryDirectory() as folder:
        if key is not None:
            schema.column(key, DataTypes.STRING())
        made = TableDescriptor.for_connector("filesystem").schema(schema.build()).format("parquet")
        made = made.option("path", f"{folder}/files")
        te.create_temporary_table("sink_of_page", (made if key is None else made.partitioned_by(key)).build())
        yield "sink_of_page"
        te.drop_temporary_table("sink_of_page")


class _Total(AggregateFunction):
    def create_accumulator(self) -> list[int]:
        return [0]

    def accumulate(self, accumulator: list[int], value: int) -> None:
        accumulator[0] += value

    def get_value(self, accumulator: list[int]) -> int:
        return accumulator[0]


class _TwoLargest(TableAggregateFunction):
    def create_accumulator(self) -> list[int]:
        return [0, 0]

    def accumulate(self, accumulator: list[int], value: int) -> None:
        accumulator[:] = sorted([*accumulator, value])[1:]

    def emit_value(self, accumulator: list[int]) -> Iterator[Row]:
        yield from [Row(value) for value in accumulator]

    def get_result_type(self) -> Any:
        return DataTypes.ROW([DataTypes.FIELD("v", DataTypes.BIGINT())])

    def get_accumulator_type(self) -> Any:
        return DataTypes.ARRAY(DataTypes.BIGINT())


async def _doubled(value: int) -> int:
    return 2 * value


class _Twice(ProcessTableFunction):
    def eval(self, input: TableAsRow[Row]) -> Iterator[int]:
        yield 2 * input.e


class _TwiceOfPyFlink(ProcessTableFunction):
    def eval(self, ctx, event):  # type: ignore[no-untyped-def]  # as a program for PyFlink has it
        yield Row(twice=2 * event.e)


# --- meaning ----------------------------------------------------------------------------------------------------------


@check("functions and operators")
def _(te: TableEnvironment) -> None:
    assert _values(te, call_sql("split_part('a,b', ',', 2)"), lit("a,b").split_index(",", 1)) == ("b", "b")


@check("`a / b` of whole numbers")
def _(te: TableEnvironment) -> None:
    assert _values(te, col("a") / col("b")) == (3.5,)


@check("`SUM`, `AVG`, `STDDEV…` of INT")
def _(te: TableEnvironment) -> None:
    table = _one(te).select(col("a").sum, col("a").avg, col("a").stddev_pop)
    assert [str(t).split(" NOT")[0] for t in table.get_resolved_schema().types] == ["BIGINT", "DOUBLE", "DOUBLE"]


@check("products and quotients of decimals")
def _(te: TableEnvironment) -> None:
    number = null_of(DataTypes.DECIMAL(10, 2))
    assert _types(te, number * number, number / number) == ["DECIMAL(21, 4)", "DECIMAL(23, 13)"]


@check("division by zero, overflow, text that is no number")
def _(te: TableEnvironment) -> None:
    failing = {
        "DIVIDE_BY_ZERO": col("a") / (col("b") - 2),
        "ARITHMETIC_OVERFLOW": col("a") + lit(2_147_483_647),
        "CAST_INVALID_INPUT": col("s").cast(DataTypes.INT()),
    }
    for condition, expression in failing.items():
        with pytest.raises(TableException, match=condition):
            _values(te, expression)


@check("`a // b`, `a % b`")
def _(te: TableEnvironment) -> None:
    seven = lit(0) - col("a")
    assert _values(te, seven // 2, seven % 2, col("a") // col("b")) == (-3, -1, 3)


@check("`a ** b`")
def _(te: TableEnvironment) -> None:
    assert _values(te, col("a") ** col("b"), 2 ** col("b")) == (49.0, 4.0)
    assert _types(te, col("a") ** 2) == ["DOUBLE NOT NULL"]


@check("a type as an argument")
def _(te: TableEnvironment) -> None:
    cast = [col("a").cast("BIGINT"), lit(1, "DOUBLE"), null_of(DataTypes.ARRAY("INT"))]
    assert _types(te, *cast) == ["BIGINT NOT NULL", "DOUBLE NOT NULL", "ARRAY<INT>"]
    with pytest.raises(TableException, match="Did you mean 'BIGINT'"):
        col("a").cast("BIGNT")


@check("results of user-defined functions")
def _(te: TableEnvironment) -> None:
    half = udf(lambda value: value / 2, result_type="BIGINT")
    with pytest.raises(TableException, match=r"3\.5"):
        _values(te, half(col("a")))


@check("`~x`")
def _(te: TableEnvironment) -> None:
    assert _values(te, ~null_of(DataTypes.BOOLEAN())) == (None,)


@check("`~a.in_(table)`")
def _(te: TableEnvironment) -> None:
    others = te.from_elements([(1,), (None,)], DataTypes.ROW([DataTypes.FIELD("o", DataTypes.INT())]))
    assert _rows(_one(te).filter(~col("a").in_(others))) == []


@check("text of timestamps, booleans, maps")
def _(te: TableEnvironment) -> None:
    moment = lit(dt.datetime(2024, 1, 1))
    texts = [value.cast(DataTypes.STRING()) for value in (lit(True), moment, call_sql("map('a', 1)"))]
    assert _values(te, *texts) == ("true", "2024-01-01 00:00:00", "{a -> 1}")


@check("casts to CHAR(n) and VARCHAR(n)")
def _(te: TableEnvironment) -> None:
    cast = [lit("abc").cast(DataTypes.CHAR(5)), lit("abc").cast(DataTypes.VARCHAR(2))]
    assert _values(te, *cast) == ("abc", "abc")
    assert _types(te, *cast) == ["STRING NOT NULL", "STRING NOT NULL"]


@check("TIMESTAMP(p)")
def _(te: TableEnvironment) -> None:
    moment = dt.datetime(2024, 1, 1, 0, 0, 0, 123_456)
    assert _values(te, lit(moment).cast(DataTypes.TIMESTAMP(3))) == (moment,)


@check("TIME(p)")
def _(te: TableEnvironment) -> None:
    (time,) = _values(te, call_sql("CAST('01:02:03.123456789' AS TIME(9))"))
    assert type(time).__name__ == "FineTime"


@check("`extract(SECOND)`")
def _(te: TableEnvironment) -> None:
    assert _types(te, call_sql("EXTRACT(SECOND FROM TIMESTAMP_NTZ '2024-01-01 00:00:01.5')"))[0].startswith(
        "DECIMAL(8, 6)"
    )


@check("dates and times before 1970")
def _(te: TableEnvironment) -> None:
    moment = lit(dt.datetime(1969, 12, 31, 23, 59, 59))
    assert _values(te, moment.floor(TimeIntervalUnit.MONTH)) == (dt.datetime(1969, 12, 1),)


@check("`arr.at(i)`")
def _(te: TableEnvironment) -> None:
    assert _values(te, *[array(5, 6).at(place) for place in (1, 3, -1, -3)]) == (5, None, 6, None)
    with pytest.raises(ValidationException):
        _values(te, array(5, 6).at(0))


@check("`first_value`, `last_value`")
def _(te: TableEnvironment) -> None:
    rows = [(1, None), (2, 5)]
    fields = [DataTypes.FIELD("k", DataTypes.INT()), DataTypes.FIELD("v", DataTypes.INT())]
    window = Over.order_by(col("k")).preceding(UNBOUNDED_ROW).following(CURRENT_ROW)
    first = col("v").first_value
    table = te.from_elements(rows, DataTypes.ROW(fields))
    found = table.order_by(col("k")).select(first.over(window), first.ignore_nulls.over(window).alias("i"))
    assert sorted(_rows(found), key=str) == [(None, 5), (None, None)]


@check("`from_elements` with a declared type")
def _(te: TableEnvironment) -> None:
    fields = [DataTypes.FIELD("k", DataTypes.INT()), DataTypes.FIELD("v", DataTypes.INT())]
    types = te.from_elements([(1, None), (2, 5)], DataTypes.ROW(fields)).get_resolved_schema().types
    assert [str(one) for one in types] == ["INT NOT NULL", "INT"]


@check("column names")
def _(te: TableEnvironment) -> None:
    assert _one(te).select(col("A")).get_resolved_schema().names == ("a",)
    with pytest.raises(ValidationException):
        _one(te).select(col("a").alias("x"), col("b").alias("X"))


@check("`get(i)` by position")
def _(te: TableEnvironment) -> None:
    table = _one(te).select(row(col("a").alias("a")).alias("r"))
    assert table.select(col("r").get(0)).get_resolved_schema().names == ("r$a",)


# --- queries ----------------------------------------------------------------------------------------------------------


@check("`order_by` before `fetch`")
def _(te: TableEnvironment) -> None:
    fields = [DataTypes.FIELD("v", DataTypes.INT())]
    table = te.from_elements([(1,), (None,)], DataTypes.ROW(fields))
    assert _rows(table.order_by(col("v")).fetch(1)) == [(None,)]
    assert _rows(table.order_by(col("v").asc.nulls_last).fetch(1)) == [(1,)]


@check("joins")
def _(te: TableEnvironment) -> None:
    other = te.from_elements([(1,), (8,)], ["o"])
    assert _rows(_one(te).join(other, col("o") > col("a")).select(col("o"))) == [(8,)]
    assert len(_rows(_one(te).join(other))) == 2


@check("`group_by`")
def _(te: TableEnvironment) -> None:
    key = col("a") + 1
    assert _rows(_one(te).group_by(key).select(key, col("*").count)) == [(8, 1)]


@check("OVER windows")
def _(te: TableEnvironment) -> None:
    following = Over.order_by(col("e").desc).preceding(CURRENT_ROW).following(UNBOUNDED_ROW)
    table = _events(te).filter(col("e").max.over(Over.partition_by(col("ts"), col("e"))) < 3)
    found = table.select(col("e"), col("e").sum.over(following), col("e").count.over(Over.order_by(col("e"))))
    assert sorted(_rows(found)) == [(1, 1, 1), (2, 3, 2)]


@check("a plain number as a bound")
def _(te: TableEnvironment) -> None:
    window = Over.order_by(col("e")).preceding(lit(1)).following(CURRENT_ROW)
    assert sorted(_rows(_events(te).select(col("e").count.over(window)))) == [(1,), (2,), (2,), (2,), (2,)]


def _windowed(te: TableEnvironment) -> Any:
    return _events(te).window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w")).group_by(col("w"))


@check("group windows")
def _(te: TableEnvironment) -> None:
    found = _rows(_windowed(te).select(col("w").start, col("e").count))
    assert sorted(found) == [(dt.datetime(2024, 1, 1, 10), 3), (dt.datetime(2024, 1, 1, 10, 10), 1)]
    with pytest.raises(ValidationException, match="month"):
        _events(te).window(Tumble.over(lit(1).months).on(col("ts")).alias("w"))


@check("windows of a number of rows")
def _(te: TableEnvironment) -> None:
    windowed = _events(te).window(Tumble.over(row_interval(2)).on(col("ts")).alias("w"))
    assert [count for (count,) in _rows(windowed.group_by(col("w")).select(col("e").count))] == [2, 2]


@check("rows without a time")
def _(te: TableEnvironment) -> None:
    assert 9 not in [most for (most,) in _rows(_windowed(te).select(col("e").max))]


@check("`w.proctime`, `Expression.proctime`")
def _(te: TableEnvironment) -> None:
    with pytest.raises(TableException, match="proctime is the time"):
        _windowed(te).select(col("w").proctime)


@check("`w.rowtime`")
def _(te: TableEnvironment) -> None:
    last = dt.datetime(2024, 1, 1, 10, 9, 59, 999_000)
    assert min(_rows(_windowed(te).select(col("w").rowtime))) == (last,)


@check("`join_lateral`, `flat_map`")
def _(te: TableEnvironment) -> None:
    assert _rows(_one(te).join_lateral(explode(array(1, 2)).alias("n")).select(col("n"))) == [(1,), (2,)]
    assert _rows(_one(te).flat_map(explode(array(col("a"))))) == [(7,)]


@check("`map`")
def _(te: TableEnvironment) -> None:
    assert _rows(_one(te).map(row(col("a").alias("x"), col("s").alias("y")))) == [(7, "x")]


@check("`flat_aggregate`")
def _(te: TableEnvironment) -> None:
    two = udtaf(_TwoLargest())
    found = _events(te).flat_aggregate(two(col("e")).alias("v")).select(col("v"))
    assert sorted(_rows(found)) == [(9,), (11,)]
    with pytest.raises(TableException):
        found.as_serializable_string(Dialect.SPARK)


@check("aggregates in Python")
def _(te: TableEnvironment) -> None:
    total = udaf(_Total(), result_type=DataTypes.BIGINT(), accumulator_type=DataTypes.ARRAY(DataTypes.BIGINT()))
    assert _rows(_events(te).select(total(col("e")))) == [(26,)]


@check("asynchronous functions")
def _(te: TableEnvironment) -> None:
    assert _values(te, udf(_doubled, result_type=DataTypes.INT())(col("a"))) == (14,)


@check("process table functions")
def _(te: TableEnvironment) -> None:
    assert sorted(_rows(_events(te).process(_Twice)))[0] == (2,)
    as_in_pyflink = udptf(_TwiceOfPyFlink, [ProcessTableFunctionArgument.table("event")], "ROW<twice INT>")
    assert sorted(_rows(_events(te).process(as_in_pyflink)))[0] == (2,)


# --- tables -----------------------------------------------------------------------------------------------------------


@check("the first catalog")
def _(te: TableEnvironment) -> None:
    assert (te.get_current_catalog(), te.get_current_database()) == ("spark_catalog", "default")
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("mine").build()
    assert isinstance(TableEnvironment.create(settings).get_catalog("mine"), InMemoryCatalog)


@check("temporary views and tables")
def _(te: TableEnvironment) -> None:
    with pytest.raises(TableException):
        te.create_temporary_view("default.v", _one(te))


@check("connectors")
def _(te: TableEnvironment) -> None:
    te.create_temporary_table("lines", _files("csv").option("csv.field-delimiter", ";").build())
    te.drop_temporary_table("lines")
    with pytest.raises(TableException, match=r"'kinesis' is not supported.*coming-from-pyflink\.md#connectors"):
        TableDescriptor.for_connector("kinesis")
    kafka = (
        TableDescriptor.for_connector("kafka").option("topic", "in").option("properties.bootstrap.servers", "a:9092")
    )
    te.create_temporary_table("records", kafka.schema(Schema.of("a STRING")).format("json").build())
    te.drop_temporary_table("records")


@check("computed columns")
def _(te: TableEnvironment) -> None:
    schema = Schema.new_builder().column("a", DataTypes.INT()).column_by_expression("b", "a + 1").build()
    descriptor = TableDescriptor.for_connector("filesystem").schema(schema).option("path", "/nowhere").format("csv")
    te.create_temporary_table("lines", descriptor.build())
    te.drop_temporary_table("lines")
    with pytest.raises(CatalogException, match="a view over it"):
        te.create_table("lines", descriptor.build())


@check("watermarks")
def _(te: TableEnvironment) -> None:
    files = TableDescriptor.for_connector("filesystem").format("json").option("path", "/nowhere")
    schema = Schema.new_builder().column("at", "TIMESTAMP_LTZ").watermark("at", col("at") - lit(10).seconds).build()
    for is_stream, trees in (("true", "Watermark: (column: [at]"), ("false", "Source: ")):
        declared = te.from_descriptor(files.option("streaming", is_stream).schema(schema).build())
        assert trees in declared.as_summary_string()
        assert ("Watermark" in declared.as_summary_string()) == (is_stream == "true")
    ntz = Schema.new_builder().column("at", "TIMESTAMP").watermark("at", col("at") - lit(10).seconds).build()
    with pytest.raises(ValidationException, match="declare the column as TIMESTAMP_LTZ"):
        te.from_descriptor(files.option("streaming", "true").schema(ntz).build())


@check("primary keys")
def _(te: TableEnvironment) -> None:
    schema = Schema.new_builder().column("a", DataTypes.INT().not_null()).primary_key("a").build()
    assert "PRIMARY KEY" in str(schema)


@check("NOT NULL of a file's column")
def _(te: TableEnvironment) -> None:
    with _sink(te, DataTypes.INT().not_null()) as name:
        assert [str(one) for one in te.from_path(name).get_resolved_schema().types] == ["INT"]
        missing = te.from_elements([(None,)], DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())]))
        with pytest.raises(TableException, match="must not be NULL"):
            missing.execute_insert(name).wait()


@check("overwriting")
def _(te: TableEnvironment) -> None:
    with _sink(te, DataTypes.INT(), "p") as name:
        for rows in ([(1, "x"), (2, "y")], [(3, "y")]):
            te.from_elements(rows, ["a", "p"]).execute_insert(name, overwrite=True).wait()
        assert sorted(_rows(te.from_path(name))) == [(1, "x"), (3, "y")]


@check("`StatementSet`")
def _(te: TableEnvironment) -> None:
    with _sink(te, DataTypes.INT()) as name:
        statements = te.create_statement_set()
        statements.add_insert(name, te.from_elements([(5,)], ["a"]))
        with pytest.raises(ValidationException, match="Nothing was written"):
            statements.add_insert(name, te.from_elements([(5, 6)], ["a", "b"])).execute()


@check("the result of an insert")
def _(te: TableEnvironment) -> None:
    te.spark.sql("CREATE TABLE page_of_pyflink (a BIGINT, b BIGINT, s STRING) USING parquet")
    try:
        assert [tuple(one) for one in _one(te).execute_insert("page_of_pyflink").collect()] == [(1,)]
    finally:
        te.spark.sql("DROP TABLE page_of_pyflink")


@check("`execute_sql`, `sql_query`")
def _(te: TableEnvironment) -> None:
    assert _rows(te.sql_query("SELECT array(1, 2)[0] AS a")) == [(1,)]


@check("`from_elements`")
def _(te: TableEnvironment) -> None:
    assert _rows(te.from_elements([row(1, "a"), row(2, lit("b"))])) == [(1, "a"), (2, "b")]
    assert _rows(te.from_elements([(lit(1), lit("x"))])) == [(1, "x")]


@check("`Row`")
def _(te: TableEnvironment) -> None:
    changed = Row(b=1, a="x")
    changed[0], changed.a = 2, "y"
    assert changed == (2, "y")
    assert changed == Row(other=2, names="y")
    assert changed.names == ("b", "a")


@check("rows that functions receive")
def _(te: TableEnvironment) -> None:
    read = udf(lambda r: f"{r['x']}{r.x}{r[0]}{r.as_dict()['y']}", result_type="STRING")
    assert _values(te, read(row(col("a").alias("x"), col("s").alias("y")))) == ("777x",)


@check("accumulators")
def _(te: TableEnvironment) -> None:
    class Mean(AggregateFunction):
        def create_accumulator(self) -> Row:
            return Row(0, 0)

        def accumulate(self, accumulator: Row, value: int) -> None:
            accumulator[0] += value
            accumulator[1] += 1

        def get_value(self, accumulator: Row) -> float:
            return accumulator[0] / accumulator[1]

    accumulated = DataTypes.ROW([DataTypes.FIELD("sum", "BIGINT"), DataTypes.FIELD("count", "BIGINT")])
    mean = udaf(Mean(), result_type="DOUBLE", accumulator_type=accumulated)
    numbers = te.from_elements([(1,), (2,), (6,)], ["n"])
    assert _rows(numbers.select(mean(col("n")))) == [(3.0,)]


@check("catalogs")
def _(te: TableEnvironment) -> None:
    catalog = InMemoryCatalog("of_page", "db")
    te.register_catalog("of_page", catalog)
    te.declare("of_page.db.t", {"a": "INT"})
    assert catalog.table_exists(ObjectPath("db", "t"))
    assert catalog.get_table(ObjectPath("db", "t")) is catalog.get_table("db", "t")


@check("`SHOW …`, `DESCRIBE …`")
def _(te: TableEnvironment) -> None:
    columns = te.execute_sql("SHOW TABLES").get_resolved_schema().names
    assert tuple(columns) == ("namespace", "tableName", "isTemporary")
