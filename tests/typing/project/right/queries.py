"""Queries and their results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, assert_type

import pandas as pd
import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

from tableapi import (
    CloseableIterator,
    DataTypes,
    Dialect,
    ExplainDetail,
    Expression,
    JsonOnNull,
    JsonType,
    Layout,
    ResultKind,
    Row,
    Table,
    TableEnvironment,
    TableResult,
    TimeIntervalUnit,
    TimePointUnit,
    diff,
    format_sql,
)
from tableapi.expressions import (
    CURRENT_ROW,
    UNBOUNDED_ROW,
    and_,
    array,
    call,
    call_sql,
    coalesce,
    col,
    concat,
    date_trunc,
    exists,
    explode,
    if_then_else,
    json_object,
    json_object_agg,
    lit,
    map_,
    null_of,
    range_,
    row,
    row_interval,
    row_number,
    scalar,
    timestamp_diff,
    with_columns,
)
from tableapi.window import Over, Session, Slide, Tumble


def is_large(least: int) -> Expression[bool]:
    """Return a condition."""
    return col("amount") > least


def build(te: TableEnvironment) -> list[Table]:
    """Return queries that are built without Spark."""
    orders = te.from_elements(
        [
            (1, "Ada", Decimal("4.50"), dt.datetime(2026, 1, 2, 10)),
            (2, "Bob", Decimal("7.00"), dt.datetime(2026, 1, 3)),
        ],
        ["id", "customer", "amount", "ts"],
    )
    customers = te.from_elements(
        [("Ada", ["tea", "cake"])],
        DataTypes.ROW(
            [
                DataTypes.FIELD("name", DataTypes.STRING(False)),
                DataTypes.FIELD("tags", DataTypes.ARRAY(DataTypes.STRING())),
            ]
        ),
    )
    declared = te.declare(
        "sales.lines", {"order": "BIGINT NOT NULL", "price": DataTypes.DECIMAL(10, 2)}, or_replace=True
    )
    amount = orders["amount"]
    totals = (
        orders.filter(is_large(1) & amount.is_not_null | ~(col("customer") == "Bob"))
        .group_by(col("customer"))
        .select(col("customer"), lit(1).count.alias("n"), amount.sum.alias("total"), amount.avg.where(amount > 2))
    )
    ten_minutes = Tumble.over(lit(10).minutes).on(col("ts")).alias("w")
    sliding = Slide.over(lit(1).hours).every(lit(10).minutes).on(col("ts")).alias("w")
    session = Session.with_gap(lit(5).minutes).on(col("ts")).alias("w")
    by_customer = Over.partition_by(col("customer")).order_by(col("ts").desc.nulls_last)
    return [
        orders,
        declared.select(col("price").sum),
        totals.order_by(col("total").desc).limit(10, 1),
        totals.filter(and_(col("n") > 1, col("total").between(1, 2))).distinct().alias("a", "b"),
        orders.add_columns((amount * 2 + 1).alias("twice"), (-amount).abs.alias("least"), abs(amount).alias("abs")),
        orders.add_or_replace_columns(col("customer").trim().upper_case.substring(1, 3).alias("customer")),
        orders.rename_columns(amount.alias("price")).drop_columns(col("ts")),
        orders.select(with_columns(range_(1, 2)), row(col("id"), "x").alias("r"), array(1, 2).at(1), map_("a", 1)),
        orders.select(
            if_then_else(amount > 1, "a", null_of(DataTypes.STRING())), coalesce(amount, 0), call("hypot", 3, 4)
        ),
        orders.select(col("ts").extract(TimeIntervalUnit.YEAR), col("ts").floor(TimeIntervalUnit.DAY)),
        orders.select(date_trunc("month", col("ts")), date_trunc(lit("DAY"), col("ts"))),
        orders.select(col("customer").encode("UTF-8").decode("utf-8")),
        orders.select(timestamp_diff(TimePointUnit.DAY, col("ts"), col("ts")), concat(col("customer"), "!")),
        orders.select(
            col("id").cast(DataTypes.STRING()).is_json(JsonType.OBJECT), json_object(JsonOnNull.NULL, "a", 1)
        ),
        orders.group_by(col("id")).select(json_object_agg(JsonOnNull.ABSENT, col("customer"), col("amount"))),
        orders.select(
            call_sql("upper(customer)", dialect="flink").alias("u"), call_sql("id + 1", dialect=Dialect.SPARK)
        ),
        orders.select(amount.sum.over(by_customer).alias("running"), row_number().over(by_customer)),
        orders.over_window(by_customer.preceding(UNBOUNDED_ROW).following(CURRENT_ROW).alias("w")).select(
            amount.max.over(col("w"))
        ),
        orders.select(amount.min.over(by_customer.preceding(row_interval(2)))),
        orders.window(ten_minutes).group_by(col("w"), col("customer")).select(col("w").start, amount.sum),
        orders.window(sliding).group_by(col("w")).select(col("w").end, amount.sum),
        orders.window(session).group_by(col("w")).select(col("w").rowtime, amount.sum),
        orders.join(customers, col("customer") == col("name")).left_outer_join(declared, col("id") == col("order")),
        customers.join_lateral(explode(col("tags")).alias("tag")),
        orders.filter(exists(declared.filter(col("order") == orders.outer("id")))).filter(col("id").in_(1, 2)),
        orders.select(scalar(declared.select(col("price").max))),
        orders.union_all(orders).intersect(orders).minus(orders),
        orders.group_by(col("id")).pivot(col("customer"), ["Ada", "Bob"]).select(amount.sum),
        orders.unpivot([col("id")], {"amount": amount}, "what", "value"),
        orders.unpivot([col("id")], [("amount", amount), ("amount", amount)], "what", "value"),
        orders.rollup(col("customer")).select(col("customer"), amount.sum),
        orders.hint("BROADCAST").hint("repartition", 3, col("id")).sample(0.5, seed=1),
        te.sql_query("SELECT :n AS n", {"n": 1}),
        te.sql_query("SELECT ? AS n", [1], dialect="SPARK"),
    ]


def write_out(orders: Table) -> str:
    """Return the texts of a query, none of which needs Spark."""
    changed = diff(orders, orders.fetch(1))
    texts = [
        orders.as_serializable_string(),
        orders.as_serializable_string(Dialect.FLINK),
        orders.as_serializable_string(layout="MERGED"),
        orders.as_serializable_string("spark", Layout.NESTED),
        orders.as_summary_string(),
        orders.to_python(),
        orders.explain(ExplainDetail.JSON_EXECUTION_PLAN),
        format_sql("select 1", "spark"),
        changed.as_tree() if changed else "",
        ", ".join(orders.get_resolved_schema().names),
        orders.get_resolved_schema().columns[0].data_type.as_serializable_string("flink"),
    ]
    assert_type(orders["id"], Expression[Any])
    return "\n".join(texts)


def fetch(te: TableEnvironment, orders: Table) -> None:
    """Run a query in every way."""
    assert_type(te.spark, SparkSession)
    assert_type(orders.to_arrow(), pa.Table)
    assert_type(orders.to_arrow_batch_reader(), pa.RecordBatchReader)
    assert_type(orders.to_pandas(), pd.DataFrame)
    assert_type(orders.to_spark(), DataFrame)
    assert_type(orders.execute(), TableResult)
    assert_type(orders.execute().collect(), CloseableIterator)
    assert_type(orders.execute().get_result_kind(), ResultKind)
    rows: Iterator[Row] = orders.execute().collect()
    for found in rows:
        print(found["customer"], found.amount, found[0], found.as_dict())
    with orders.execute().collect() as some:
        first: Row = next(some)
        print(first.names)
    kept = orders.cache("DISK_ONLY").cache(StorageLevel.MEMORY_ONLY).cache()
    assert_type(kept, Table)
    kept.uncache()
    print(len(orders.to_pandas().columns), orders.to_arrow().num_rows, orders.to_spark().count())
    te.from_arrow(orders.to_arrow()).union(te.from_pandas(orders.to_pandas())).union(te.from_spark(orders.to_spark()))
