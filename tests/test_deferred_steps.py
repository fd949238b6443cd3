"""Arguments of a builder or of a step before ``select`` are checked by the call that receives them."""

from __future__ import annotations

import datetime as dt
import traceback
from collections.abc import Callable

import pytest

from ir.errors import TableException, ValidationException
from tableapi import (
    CatalogDescriptor,
    DataTypes,
    EnvironmentSettings,
    FormatDescriptor,
    Schema,
    Table,
    TableDescriptor,
    TableEnvironment,
    udf,
)
from tableapi.expressions import UNBOUNDED_ROW, col, lit, range_interval, row_interval
from tableapi.window import Cumulate, Over, OverWindow, Session, Slide, Tumble
from tableapi.window.group import GroupWindow


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("here").build())


@pytest.fixture(scope="module")
def events(te: TableEnvironment) -> Table:
    row = (1, "a", dt.datetime(2024, 1, 1), 2.5, {"k": 1})
    return te.from_elements([row], ["id", "name", "ts", "value", "map"])


# --- windows over times and numbers of rows --------------------------------------------------------------------------

HOUR = lit(1).hours
MADE: list[Callable[[str], GroupWindow]] = [
    lambda time: Tumble.over(HOUR).on(col(time)).alias("w"),
    lambda time: Tumble.over(row_interval(2)).on(col(time)).alias("w"),
    lambda time: Slide.over(HOUR).every(lit(5).minutes).on(col(time)).alias("w"),
    lambda time: Session.with_gap(HOUR).on(col(time)).alias("w"),
    lambda time: Cumulate.over(lit(1).days).every(HOUR).on(col(time)).alias("w"),
]


@pytest.mark.parametrize("window", MADE)
def test_a_window_is_over_a_time_of_the_table(events: Table, window: Callable[[str], GroupWindow]) -> None:
    assert events.window(window("ts"))
    with pytest.raises(ValidationException, match=r"Cannot resolve field \[tss\].*Did you mean 'ts'\?"):
        events.window(window("tss"))
    with pytest.raises(ValidationException, match=r"A window is over a time: on takes .* but name is of type STRING"):
        events.window(window("name"))


@pytest.mark.parametrize(
    ("window", "message"),
    [
        (lambda: Tumble.over(HOUR).on(col("ts").max).alias("w"), r"on holds the aggregate max\(ts\)"),
        (lambda: Tumble.over(HOUR).on(col("*")).alias("w"), r"on takes the one time of a row.* but was given 5"),
    ],
)
def test_a_window_that_the_table_cannot_have(events: Table, window: Callable[[], GroupWindow], message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        events.window(window())


def test_the_line_is_that_of_the_step(events: Table) -> None:
    with pytest.raises(ValidationException) as caught:
        (
            events.filter(col("id") > 0)
            .window(Tumble.over(HOUR).on(col("eventtime")).alias("w"))  # here
            .group_by(col("w"))
            .select(col("w").start)
        )
    (first, *_) = traceback.extract_tb(caught.value.__traceback__)
    assert first.filename == __file__
    with open(__file__, encoding="utf-8") as file:
        assert "# here" in file.read().splitlines()[(first.lineno or 0) - 1]


# --- windows over rows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("window", "message"),
    [
        (Over.partition_by(col("nme")).order_by(col("ts")), r"Cannot resolve field \[nme\].*Did you mean 'name'\?"),
        (
            Over.partition_by(col("name")).order_by(col("tss").desc),
            r"Cannot resolve field \[tss\].*Did you mean 'ts'\?",
        ),
        (Over.order_by(col("map")), r"order_by of a window cannot sort by map of type MAP"),
        (Over.order_by(col("name")).preceding(HOUR), r"A frame of RANGE with a distance needs a sort key that is"),
        (Over.order_by(col("ts")).preceding(range_interval(5)), r"ts of type TIMESTAMP"),
        (
            Over.order_by(col("ts")).preceding(row_interval(-3)).following(row_interval(-5)),
            r"A frame must not end before it begins",
        ),
        (
            Over.order_by(col("ts")).preceding(UNBOUNDED_ROW).following(HOUR),
            r"preceding and following must both count rows",
        ),
    ],
)
def test_a_window_over_rows_that_the_table_cannot_have(events: Table, window: OverWindow, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        events.over_window(window.alias("v"))
    with pytest.raises(ValidationException, match=message):
        events.over_window(Over.order_by(col("ts")).alias("first"), window.alias("v"))


@pytest.mark.parametrize("bound", [col("id"), lit("1 hour"), None, lit(dt.date(2024, 1, 1)), lit(True)])
def test_a_bound_is_a_number_or_an_interval(bound: object) -> None:
    with pytest.raises(
        ValidationException, match=r"The bound preceding is UNBOUNDED_ROW, .* constant distance .* Here it is"
    ):
        Over.order_by(col("ts")).preceding(bound)
    with pytest.raises(
        ValidationException, match=r"The bound following is UNBOUNDED_ROW, .* constant distance .* Here it is"
    ):
        Over.order_by(col("ts")).preceding(row_interval(1)).following(bound)


def test_a_window_over_rows_may_use_aggregates_of_the_select(events: Table) -> None:
    windowed = events.over_window(Over.order_by(col("value").sum).alias("v"))
    assert windowed.select(col("id").sum, col("id").count.sum.over(col("v")).alias("n"))


# --- process table functions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (lambda: col("nme"), r"Cannot resolve field \[nme\].*Did you mean 'name'\?"),
        (lambda: col("id").sum, r"holds sum\(id\)\. Make it a column of the table first"),
        (lambda: col("map"), r"has the key map of type MAP<.*; values of type MAP cannot be compared"),
    ],
)
def test_keys_of_partitions(events: Table, key: Callable[[], object], message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        events.partition_by(key())  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match=message):
        events.partition_by(col("id")).order_by(key())  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match="partition_by has the key id twice"):
        events.partition_by(col("id"), col("ID"))


# --- pivot -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("nme", ["a"], r"Cannot resolve field \[nme\].*Did you mean 'name'\?"),
        ("name", [dt.date(2024, 1, 1)], r"The date .* is not a value of STRING"),
        ("id", [1, "b"], r"is not a value of INT"),
    ],
)
def test_pivot(events: Table, column: str, values: list[object], message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        events.group_by(col("ts")).pivot(col(column), values)


def test_pivot_of_an_aggregate(events: Table) -> None:
    with pytest.raises(ValidationException, match=r"pivot holds the aggregate sum\(id\)"):
        events.group_by(col("ts")).pivot(col("id").sum, [1])


# --- descriptions of tables ------------------------------------------------------------------------------------------

ONE = Schema.new_builder().column("a", "INT").column("Day", "DATE").build()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda b: b.schema(ONE).partitioned_by("dya"),
            r"partition key 'dya' is no stored column .*Did you mean 'Day'",
        ),
        (lambda b: b.partitioned_by("b").schema(ONE), r"The partition key 'b' is no stored column .*: \[a, Day\]"),
        (lambda b: b.partitioned_by("a", "A"), r"partitioned_by was given the column 'A' twice"),
        (lambda b: b.format("parqet"), r"There is no format 'parqet' .* Did you mean 'parquet'\?"),
        (
            lambda b: b.format("arrow"),
            r"There is no format 'arrow' of files here; there are avro, csv, json, orc, parquet",
        ),
        (lambda b: b.option("pth", "/data"), r"The option 'pth' is not supported: .* Did you mean 'path'\?"),
        (lambda b: b.option("source.path.regex-pattern", "x"), r"is not supported.* It is one of Flink"),
        (lambda b: b.option("arrow.codec", "snappy"), r"The option 'arrow.codec' is not supported"),
    ],
)
def test_descriptions_of_tables(build: Callable[[TableDescriptor.Builder], object], message: str) -> None:
    with pytest.raises(TableException, match=message):
        build(TableDescriptor.for_connector("filesystem"))


def test_connectors_and_formats() -> None:
    with pytest.raises(TableException, match=r"The connector 'upsert-kafka' is not supported: .* output mode 'update'"):
        TableDescriptor.for_connector("upsert-kafka")
    with pytest.raises(
        TableException, match=r"The connector 'filesytem' is not supported: .*Did you mean 'filesystem'"
    ):
        TableDescriptor.for_connector("filesytem")
    with pytest.raises(TableException, match=r"There is no format 'protobuf'"):
        FormatDescriptor.for_format("protobuf")


def test_partition_keys_are_spelt_as_the_columns() -> None:
    builder = TableDescriptor.for_connector("filesystem")
    assert builder.schema(ONE).partitioned_by("DAY").build().get_partition_keys() == ["Day"]
    other = TableDescriptor.for_connector("filesystem").partitioned_by("day").schema(ONE)
    assert other.build().get_partition_keys() == ["Day"]


# --- schemas ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda b: b.column("A", "INT"), r"Ambiguous column name: A"),
        (lambda b: b.column_by_expression("A", lit(1)), r"Ambiguous column name: A"),
        (lambda b: b.column_by_metadata("A", "STRING", "file_path"), r"Ambiguous column name: A"),
        (lambda b: b.from_fields(["b", "A"], [DataTypes.INT(), DataTypes.INT()]), r"Ambiguous column name: A"),
        (lambda b: b.from_row_data_type(DataTypes.ROW([DataTypes.FIELD("A", DataTypes.INT())])), r"Ambiguous .*: A"),
        (lambda b: b.from_schema(ONE), r"Ambiguous column name: a"),
        (
            lambda b: b.from_resolved_schema("a INT"),
            r"from_resolved_schema takes the schema of a table, .* given 'a INT'",
        ),
        (lambda b: b.from_fields("b", "c"), r"from_fields takes a list of names and a list of types, .* given 'b'"),
        (lambda b: b.from_fields(["b"], 3), r"from_fields takes a list of names and a list of types, .* given 3"),
        (lambda b: b.with_comment(3), r"with_comment takes a text, but was given 3"),
        (lambda b: b.primary_key("a", "A"), r"The primary key has the column 'A' twice"),
        (
            lambda b: b.watermark("ts", "ts").watermark("a", "a"),
            r"one watermark, and this one has that of 'ts' already",
        ),
        (lambda b: b.primary_key("aa").build(), r"primary key names the column 'aa', .*: \[a\]"),
        (
            lambda b: b.watermark("b", "b").build(),
            r"The watermark names the column 'b', which the schema has not: \[a\]",
        ),
        (
            lambda b: b.watermark("A", "A").build(),
            r"A watermark is of a column of type TIMESTAMP .* but `a` INT is none",
        ),
        (lambda b: b.column_by_expression("c", col("b") + 1).build(), r"Cannot resolve field \[b\], .*:\[a\]"),
        (lambda b: b.column_by_expression("c", col("a").sum).build(), r"The computed column 'c' holds the aggregate"),
    ],
)
def test_schemas(build: Callable[[Schema.Builder], object], message: str) -> None:
    with pytest.raises(TableException, match=message):
        build(Schema.new_builder().column("a", "INT"))


def test_computed_columns_that_the_environment_reads() -> None:
    shout = udf(lambda text: text, ["INT"], "INT")
    made = Schema.new_builder().column("a", "INT").column_by_expression("b", shout(col("a")))
    assert len(made.build().columns) == 2
    named = Schema.new_builder().column_by_expression("b", "a + 1").column_by_expression("c", col("b") + 1)
    assert len(named.column("a", "INT").build().columns) == 3
    commented = Schema.new_builder().column("a", "INT").with_comment("first").column("b", "INT").with_comment("last")
    assert [column.comment for column in commented.build().columns] == ["first", "last"]


# --- environments and catalogs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", None, 3])
def test_names_of_catalogs_and_databases(te: TableEnvironment, name: object) -> None:
    settings = EnvironmentSettings.new_instance()
    for method in (
        settings.with_built_in_catalog_name,
        settings.with_built_in_database_name,
        te.use_catalog,
        te.use_database,
        te.get_catalog,
        lambda given: te.register_catalog(given, te.get_catalog("here")),
    ):
        with pytest.raises(ValidationException, match=rf"takes a name, but was given {name!r}"):
            method(name)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda te: te.register_catalog("c", "directory"), r"register_catalog takes a Catalog, .* given 'directory'"),
        (lambda te: CatalogDescriptor.of("c", {"type": "jdbc"}), r"Catalogs of the type 'jdbc' cannot be made here"),
        (lambda te: CatalogDescriptor.of("c", {"type": "directory"}), r"'directory' needs the option 'path'"),
        (lambda te: CatalogDescriptor.of("c", {"path": "/x"}), r"'generic_in_memory' has no option 'path'"),
        (lambda te: te.get_config().set("sql.stored-programs", "maybe"), r"sql.stored-programs is true or false"),
        (lambda te: te.declare("t", {"a": "INT"}, comment=3), r"comment takes a text, but was given 3"),
        (
            lambda te: te.declare("t", {"a": "INT"}, or_replace=True, ignore_if_exists=True),
            r"pass or_replace or ignore_if_exists, not both",
        ),
    ],
)
def test_environments(te: TableEnvironment, call: Callable[[TableEnvironment], object], message: str) -> None:
    with pytest.raises(TableException, match=message):
        call(te)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"comment": 3}, r"comment takes a text, but was given 3"),
        ({"column_comments": {"id": 3}}, r"The comment of the column 'id' takes a text"),
        ({"properties": {"owner": 3}}, r"The property 'owner' takes a text"),
        ({"properties": {3: "us"}}, r"The key 3 of the properties takes a text"),
    ],
)
def test_views(te: TableEnvironment, events: Table, given: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        te.create_view("v", events, **given)  # type: ignore[arg-type]
    assert te.list_views() == []
