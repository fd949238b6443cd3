"""Mistakes: both type checkers report each line with the marker "wrong", and no other line.

Only the named checker can see a mistake with the marker ``wrong for NAME``.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pyarrow as pa

import tableapi
from tableapi import (
    DataTypes,
    Dialect,
    ExplainDetail,
    FormatDescriptor,
    Row,
    ScalarFunction,
    Schema,
    Table,
    TableDescriptor,
    TableEnvironment,
    udaf,
    udf,
    udtf,
)
from tableapi import TableEnviroment  # wrong
from tableapi.exceptions import TableExeption  # wrong
from tableapi.expressions import (
    call_sql,
    col,
    date_trunc,
    json_object,
    lit,
    timestamp_add,
    timestamp_diff,
)
from tableapi.expressions import colmn  # wrong
from tableapi.inference import InputTypeStrategies
from tableapi.process_functions import ProcessTableFunction, TableAsRow
from tableapi.testing import ProcessTableFunctionHarness
from tableapi.udf import udff  # wrong
from tableapi.udf import udptf
from tableapi.window import Over, Tumble
from tableapi.window import Tumbel  # wrong


def misspell_members(te: TableEnvironment, orders: Table) -> None:
    orders.selct(col("id"))  # wrong
    orders.amount  # wrong
    orders.count()  # wrong
    orders.to_pndas()  # wrong
    orders.filter(col("amount").is_nul)  # wrong
    orders.select(col("amount").summ)  # wrong
    orders.select(col("name").to_upper_case())  # wrong
    orders.group_by(col("id")).agg(col("amount").sum)  # wrong
    orders.select(col("name").substring(1).uper_case)  # wrong
    te.sql("SELECT 1")  # wrong
    te.load_module("core")  # wrong
    te.from_pat("orders")  # wrong
    te.execute_sql("SELECT 1").colect()  # wrong
    te.get_config().set_local_time_zone("UTC")  # wrong
    tableapi.expressions.clo("id")  # wrong
    tableapi.TableEnviroment.create()  # wrong
    Over.partition_by(col("id")).orderBy(col("ts"))  # wrong
    Tumble.over(lit(10).minutes).on(col("ts")).group_by(col("w"))  # wrong
    lit(10).minuts  # wrong
    DataTypes.INTEGER()  # wrong
    ExplainDetail.ESTIMATED_COSTS  # wrong


def misuse_expressions(orders: Table) -> None:
    orders.select(col("amount").sum())  # wrong
    orders.select(col("amount").count(1))  # wrong
    orders.select(col("amount")(1))  # wrong
    for one in col("tags"):  # wrong
        print(one)
    for row in orders:  # wrong
        print(row)
    print("tea" in col("tags"))  # wrong
    print(len(col("tags")))  # wrong
    print(int(col("amount")))  # wrong
    print(float(col("amount")))  # wrong
    if col("amount") > 1:  # wrong for pyright
        print("large")
    while col("amount") > 1:  # wrong for pyright
        print("larger")
    print(not col("amount"))  # wrong for pyright


def pass_what_is_not_accepted(te: TableEnvironment, orders: Table) -> None:
    orders.select("id")  # wrong
    orders.select("id", "name")  # wrong
    orders.filter("amount > 1")  # wrong
    orders.filter(col("name").trim())  # wrong
    orders.filter(True)  # wrong
    orders.join("customers")  # wrong
    orders.group_by("id")  # wrong
    orders.order_by(1)  # wrong
    orders.limit("10")  # wrong
    orders.union(orders.to_pandas())  # wrong
    orders.fetch()  # wrong
    orders.limit(1, ofset=2)  # wrong
    orders.select(col(1))  # wrong
    orders.select(col("name").alias(1))  # wrong
    orders.select(col("name").cast("STRNG", "INT"))  # wrong
    orders.select(col("amount").round(1, 2, 3))  # wrong
    orders.select(col("amount").sum.over("w"))  # wrong
    orders.window(col("ts"))  # wrong
    te.from_path(orders)  # wrong
    te.from_elements(3)  # wrong
    te.from_pandas([1, 2])  # wrong
    te.from_elements([(1,)], {"n": 3})  # wrong
    te.declare("orders", 3)  # wrong
    te.create_view(orders, "name")  # wrong
    te.create_view("name", orders, replace=True)  # wrong
    te.create_temporary_function("f", "upper")  # wrong
    te.create_temporary_function("f", lambda a: a, input_types=["INT"], coment="")  # wrong
    orders.process(3)  # wrong
    Schema.new_builder().column("id", 3)  # wrong
    Schema.new_builder().column("id", "INT").add("name", "STRING")  # wrong


def choose_what_there_is_not(te: TableEnvironment, orders: Table) -> None:
    orders.as_serializable_string(layout="MERGD")  # wrong
    orders.as_serializable_string("spork")  # wrong
    orders.as_serializable_string(Dialect.HIVE)  # wrong
    orders.query_operation.as_serializable_string(layout="flat")  # wrong
    DataTypes.INT().as_serializable_string("ansi")  # wrong
    orders.explain("ESTIMATED_COST")  # wrong
    orders.hint("BROADCST")  # wrong
    orders.cache("DISK")  # wrong
    te.sql_query("SELECT 1", dialect="flnk")  # wrong
    te.explain_sql("SELECT 1", "PLAN_ADVICE")  # wrong
    call_sql("1", dialect="mysql")  # wrong
    tableapi.format_sql("SELECT 1", "hive")  # wrong
    orders.select(col("ts").extract("YEAR"))  # wrong
    orders.select(col("ts").floor("DAY"))  # wrong
    orders.select(timestamp_diff("DAY", col("ts"), col("ts")))  # wrong
    orders.select(timestamp_add("DAY", 1, col("ts")))  # wrong
    orders.select(date_trunc("MONHT", col("ts")))  # wrong
    orders.select(col("name").encode("utf8"))  # wrong
    orders.select(json_object("ABSENT", "a", 1))  # wrong
    orders.select(col("name").is_json("OBJECT"))  # wrong
    orders.select(col("name").json_value("$.a", DataTypes.INT(), "NULL"))  # wrong
    TableDescriptor.for_connector("kinesis")  # wrong
    TableDescriptor.for_connector("filesystem").format("parket")  # wrong
    FormatDescriptor.for_format("arrow")  # wrong
    Schema.new_builder().column_by_metadata("at", "STRING", "file_nam")  # wrong
    InputTypeStrategies.logical("NUMBERS")  # wrong
    udf(len, ["STRING"], "INT", func_type="panda")  # wrong
    udf(len, ["STRING"], "INT", output_mode="UNORDERED")  # wrong
    udf(len, ["STRING"], "INT", retry_strategy="SOMETIMES")  # wrong
    udf(len, ["STRING"], "INT", on_failure="IGNORE")  # wrong
    udf(len, ["STRING"], "INT", determinstic=False)  # wrong
    udtf(len, result_type="INT")  # wrong
    udaf(len, ["STRING"], "INT")  # wrong
    udaf(len, ["STRING"], "INT", func_type="spark")  # wrong
    udptf(len, [], "ROW<n INT>")  # wrong
    ProcessTableFunctionHarness(orders, mode="streams")  # wrong


def mistake_results(te: TableEnvironment, orders: Table) -> None:
    a: pd.DataFrame = orders.to_arrow()  # wrong
    b: pa.Table = orders.to_pandas()  # wrong
    c: pd.DataFrame = orders.to_spark()  # wrong
    d: Iterator[dict[str, int]] = orders.execute().collect()  # wrong
    e: list[Row] = orders.execute().collect()  # wrong
    f: str = te.spark  # wrong
    g: str = orders.get_schema()  # wrong
    h: int = col("amount").sum  # wrong
    print(a, b, c, d, e, f, g, h)
    print(orders.to_arrow().to_panda())  # wrong
    print(orders.to_arrow_batch_reader().read_everything())  # wrong
    print(orders.to_pandas().to_parkett("orders"))  # wrong
    print(orders.to_spark().wherre("a > 1"))  # wrong
    print(te.spark.red)  # wrong
    print(next(orders.execute().collect()).as_dict(1, 2))  # wrong


@udf(result_type="INT")
def letters(text: str) -> int:
    return len(text)


added = udf(lambda i, j: i + j, ["BIGINT", "BIGINT"], "BIGINT", name="added")


@udf
class Plus(ScalarFunction):
    def eval(self, left: int, right: int) -> int:
        return left + right


class Words(ProcessTableFunction):
    def eval(self, input: TableAsRow[Row]) -> Iterator[str]:
        yield from input[0].split()
        yield input.nmes.pop().nothing  # a field of a row may have any name


def misuse_functions(orders: Table) -> None:
    letters(col("text")).summ  # wrong
    letters.nothing  # wrong
    n: int = letters(col("text"))  # wrong
    orders.filter(letters)  # wrong
    orders.process(Words).selct(col("word"))  # wrong
    orders.select(Plus)  # wrong
    print(n)
