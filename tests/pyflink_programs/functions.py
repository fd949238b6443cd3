"""Programs from the pages on user-defined functions and on row-based operations."""

from __future__ import annotations

import datetime as dt

from ir.migration_page import Section
from tests.pyflink_programs.program import Program

_START = """
import functools
import pandas as pd
from pyflink.common import Row
from pyflink.table import (
    AggregateFunction, DataTypes, EnvironmentSettings, FunctionContext, ListView, MapView, ScalarFunction,
    TableAggregateFunction, TableEnvironment, TableFunction
)
from pyflink.table.expressions import call, col, lit
from pyflink.table.udf import udaf, udf, udtaf, udtf
from pyflink.table.window import Over, Tumble

table_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
t = table_env.from_elements([(1, 2, "Lee"), (3, 4, "Jay"), (5, 6, "Jay"), (7, 8, "Lee")])
t = t.alias("value", "count", "name")
pairs = table_env.from_elements([(1, "hi"), (2, "hello")], ["id", "data"])
"""


def _program(
    name: str, text: str, expected: object = None, page: str = "functions", refused: str | None = None
) -> Program:
    return Program(name, page, f"{_START}{text}", expected, refused)


PROGRAMS = (
    _program(
        "scalar_function_as_class",
        """
class HashCode(ScalarFunction):
    def __init__(self):
        self.factor = 12

    def eval(self, s):
        return len(s) * self.factor

hash_code = udf(HashCode(), result_type=DataTypes.BIGINT())
table_env.create_temporary_function("hash_code", udf(HashCode(), result_type=DataTypes.BIGINT()))
table_env.create_temporary_view("my_table", pairs)
in_sql = table_env.sql_query("SELECT data, hash_code(data) FROM my_table")
result = pairs.select(col("data"), hash_code(col("data"))).union(in_sql)
""",
        [("hello", 60), ("hi", 24)],
    ),
    _program(
        "five_ways_to_a_scalar_function",
        """
class Add(ScalarFunction):
    def eval(self, i, j):
        return i + j

class CallableAdd(object):
    def __call__(self, i, j):
        return i + j

@udf(result_type=DataTypes.BIGINT())
def add(i, j):
    return i + j

def partial_add(i, j, k):
    return i + j + k

ways = [
    udf(Add(), result_type=DataTypes.BIGINT()), add, udf(lambda i, j: i + j, result_type=DataTypes.BIGINT()),
    udf(CallableAdd(), result_type=DataTypes.BIGINT()),
    udf(functools.partial(partial_add, k=0), result_type=DataTypes.BIGINT()),
]
result = t.where(col("name") == "Jay").select(*[way(col("value"), col("count")) for way in ways])
""",
        [(7,) * 5, (11,) * 5],
    ),
    _program(
        "scalar_function_with_types_as_text",
        """
sub_string = udf(lambda s, begin, end: s[begin:end], input_types=["STRING", "INT", "INT"], result_type="STRING")
result = pairs.select(sub_string(col("data"), 0, 2))
""",
        [("he",), ("hi",)],
    ),
    _program(
        "open_close_and_job_parameters",
        """
class Multiply(ScalarFunction):
    def open(self, function_context: FunctionContext):
        self.factor = int(function_context.get_job_parameter("my.factor", "1"))
        assert function_context.get_index_of_this_subtask() >= 0 and function_context.get_attempt_number() == 0

    def eval(self, x):
        return x * self.factor

    def close(self):
        self.factor = None

table_env.get_config().set("my.factor", "5")
multiply = udf(Multiply(), result_type=DataTypes.BIGINT())
result = t.select(multiply(col("value")))
""",
        [(15,), (25,), (35,), (5,)],
    ),
    _program(
        "metrics_of_a_function",
        """
class Counted(ScalarFunction):
    def open(self, function_context):
        self.counter = function_context.get_metric_group().counter("calls")

    def eval(self, x):
        self.counter.inc()
        return x

result = t.select(udf(Counted(), result_type=DataTypes.BIGINT())(col("value"))).to_pandas()
""",
        page="metrics",
        refused=Section.FUNCTIONS,
    ),
    _program(
        "functions_that_are_not_deterministic",
        """
import uuid
new_id = udf(lambda: str(uuid.uuid4()), result_type=DataTypes.STRING(), deterministic=False)
result = len({row[0] for row in pairs.select(new_id()).execute().collect()})
""",
        2,
    ),
    _program(
        "table_function",
        """
class Split(TableFunction):
    def eval(self, string):
        for s in string.split(" "):
            yield s, len(s)

lines = table_env.from_elements([("to be",), ("or",)], ["a"])
split = udtf(Split(), result_types=[DataTypes.STRING(), DataTypes.INT()])
joined = lines.join_lateral(split(lines.a).alias("word", "length"))
kept = lines.left_outer_join_lateral(split(lines.a).alias("word", "length"))
result = joined.union(kept)
""",
        [("or", "or", 2), ("to be", "be", 2), ("to be", "to", 2)],
    ),
    _program(
        "table_function_in_sql",
        """
table_env.create_temporary_function("split", udtf(lambda s: s.split(" "), result_types=[DataTypes.STRING()]))
table_env.create_temporary_view("MyTable", table_env.from_elements([("to be",), ("or",)], ["a"]))
result = table_env.sql_query("SELECT a, word FROM MyTable, LATERAL TABLE(split(a)) AS T(word)")
""",
        refused=Section.SQL,
    ),
    _program(
        "three_ways_to_the_rows_of_a_table_function",
        """
@udtf(result_types=DataTypes.BIGINT())
def generator_func(x):
    yield 1
    yield 2

@udtf(result_types=DataTypes.BIGINT())
def iterator_func(x):
    return range(2)

@udtf(result_types=DataTypes.BIGINT())
def iterable_func(x):
    return [7, 8]

one = pairs.where(col("id") == 1)
result = [
    row[0]
    for function in (generator_func, iterator_func, iterable_func)
    for row in one.join_lateral(function(col("id")).alias("n")).select(col("n")).execute().collect()
]
""",
        [1, 2, 0, 1, 7, 8],
    ),
    _program(
        "weighted_average",
        """
class WeightedAvg(AggregateFunction):

    def create_accumulator(self):
        return Row(0, 0)

    def get_value(self, accumulator):
        return None if accumulator[1] == 0 else accumulator[0] / accumulator[1]

    def accumulate(self, accumulator, value, weight):
        accumulator[0] += value * weight
        accumulator[1] += weight

    def retract(self, accumulator, value, weight):
        accumulator[0] -= value * weight
        accumulator[1] -= weight

    def get_result_type(self):
        return DataTypes.DOUBLE()

    def get_accumulator_type(self):
        return DataTypes.ROW([DataTypes.FIELD("f0", DataTypes.BIGINT()), DataTypes.FIELD("f1", DataTypes.BIGINT())])

weighted_avg = udaf(WeightedAvg())
inline = t.group_by(t.name).select(t.name, weighted_avg(t.value, t.count).alias("avg"))
table_env.create_temporary_function("weighted_avg", WeightedAvg())
by_name = t.group_by(t.name).select(t.name, call("weighted_avg", t.value, t.count).alias("avg"))
table_env.create_temporary_view("source", t)
in_sql = table_env.sql_query("SELECT name, weighted_avg(`value`, `count`) AS avg FROM source GROUP BY name")
result = inline.union(by_name).union(in_sql)
""",
        [("Jay", 4.2), ("Lee", 5.8)],
    ),
    _program(
        "weighted_average_over_tumbling_windows",
        """
import datetime

class WeightedSum(AggregateFunction):
    def create_accumulator(self):
        return Row(0)

    def get_value(self, accumulator):
        return accumulator[0]

    def accumulate(self, accumulator, value, weight):
        accumulator[0] += value * weight

weighted_sum = udaf(WeightedSum(), result_type=DataTypes.BIGINT(),
                    accumulator_type=DataTypes.ROW([DataTypes.FIELD("f0", DataTypes.BIGINT())]))
timed = table_env.from_elements(
    [(1, 2, datetime.datetime(2024, 1, 1, 1, 10)), (3, 4, datetime.datetime(2024, 1, 1, 1, 50))], ["v", "n", "rowtime"])
window = Tumble.over(lit(1).hours).on(col("rowtime")).alias("w")
result = timed.window(window).group_by(col("w")).select(col("w").start, col("w").end, weighted_sum(col("v"), col("n")))
""",
        [(dt.datetime(2024, 1, 1, 1), dt.datetime(2024, 1, 1, 2), 14)],
    ),
    _program(
        "list_view",
        """
class Concatenated(AggregateFunction):
    def get_value(self, accumulator):
        return accumulator[1].join(sorted(accumulator[0]))

    def create_accumulator(self):
        return Row(ListView(), "")

    def accumulate(self, accumulator, *args):
        accumulator[1] = args[1]
        accumulator[0].add(args[0])

    def get_accumulator_type(self):
        return DataTypes.ROW([
            DataTypes.FIELD("f0", DataTypes.LIST_VIEW(DataTypes.STRING())), DataTypes.FIELD("f1", DataTypes.STRING())])

    def get_result_type(self):
        return DataTypes.STRING()

concatenated = udaf(Concatenated())
result = t.select(concatenated(col("name"), "+"))
""",
        [("Jay+Jay+Lee+Lee",)],
    ),
    _program(
        "map_view",
        """
class CountDistinct(AggregateFunction):
    def create_accumulator(self):
        return Row(0, MapView())

    def accumulate(self, accumulator, value):
        if value in accumulator[1]:
            accumulator[1][value] += 1
        else:
            accumulator[1][value] = 1
            accumulator[0] += 1

    def get_value(self, accumulator):
        return accumulator[0]

    def get_accumulator_type(self):
        return DataTypes.ROW([
            DataTypes.FIELD("f0", DataTypes.BIGINT()),
            DataTypes.FIELD("f1", DataTypes.MAP_VIEW(DataTypes.STRING(), DataTypes.BIGINT()))])

    def get_result_type(self):
        return DataTypes.BIGINT()

result = t.select(udaf(CountDistinct())(col("name")))
""",
        [(2,)],
    ),
    _program(
        "table_aggregate",
        """
class Top2(TableAggregateFunction):
    def emit_value(self, accumulator):
        yield Row(accumulator[0])
        yield Row(accumulator[1])

    def create_accumulator(self):
        return [None, None]

    def accumulate(self, accumulator, value):
        if accumulator[0] is None or value > accumulator[0]:
            accumulator[0], accumulator[1] = value, accumulator[0]
        elif accumulator[1] is None or value > accumulator[1]:
            accumulator[1] = value

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.BIGINT())

    def get_result_type(self):
        return DataTypes.ROW([DataTypes.FIELD("a", DataTypes.BIGINT())])

top2 = udtaf(Top2())
result = t.group_by(t.name).flat_aggregate(top2(t.value).alias("top")).select(col("name"), col("top"))
""",
        [("Jay", 3), ("Jay", 5), ("Lee", 1), ("Lee", 7)],
    ),
    _program(
        "map",
        """
row_type = DataTypes.ROW([DataTypes.FIELD("id", DataTypes.BIGINT()), DataTypes.FIELD("data", DataTypes.STRING())])

@udf(result_type=row_type)
def of_columns(id: int, data: str) -> Row:
    return Row(id, data * 2)

@udf(result_type=row_type)
def of_row(data: Row) -> Row:
    return Row(data[0], data.data * 2)

@udf(result_type=row_type, func_type="pandas")
def of_frame(data: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([data.id, data.data * 2], axis=1)

result = pairs.map(of_columns(col("id"), col("data"))).union(pairs.map(of_row).alias("id", "data")).union(
    pairs.map(of_frame).alias("id", "data"))
""",
        [(1, "hihi"), (2, "hellohello")],
        "row-based operations",
    ),
    _program(
        "map_with_a_row_that_changes",
        """
@udf(result_type=DataTypes.ROW(
    [DataTypes.FIELD("id", DataTypes.BIGINT()), DataTypes.FIELD("data", DataTypes.STRING())]))
def shouted(data: Row) -> Row:
    changed = Row(**data.as_dict())
    changed["data"] = data.data.upper()
    changed[0] += 10
    return changed

result = pairs.map(shouted).alias("id", "data")
""",
        [(11, "HI"), (12, "HELLO")],
        "row-based operations",
    ),
    _program(
        "flat_map",
        """
lists = table_env.from_elements([(1, "Hi,You"), (2, "Hello")], ["id", "data"])

@udtf(result_types=[DataTypes.INT(), DataTypes.STRING()])
def split(x: Row) -> Row:
    for s in x[1].split(","):
        yield x[0], s

joined = lists.join_lateral(split.alias("a", "b")).select(col("a"), col("b"))
result = lists.flat_map(split).union(joined)
""",
        [(1, "Hi"), (1, "You"), (2, "Hello")],
        "row-based operations",
    ),
    _program(
        "aggregate",
        """
class CountAndSum(AggregateFunction):
    def get_value(self, accumulator):
        return Row(accumulator[0], accumulator[1])

    def create_accumulator(self):
        return Row(0, 0)

    def accumulate(self, accumulator, *args):
        accumulator[0] += 1
        accumulator[1] += args[0][1]

    def merge(self, accumulator, accumulators):
        for other in accumulators:
            accumulator[0] += other[0]
            accumulator[1] += other[1]

    def get_accumulator_type(self):
        return DataTypes.ROW([DataTypes.FIELD("a", DataTypes.BIGINT()), DataTypes.FIELD("b", DataTypes.BIGINT())])

    def get_result_type(self):
        return DataTypes.ROW([DataTypes.FIELD("a", DataTypes.BIGINT()), DataTypes.FIELD("b", DataTypes.BIGINT())])

function = CountAndSum()
agg = udaf(function, result_type=function.get_result_type(), accumulator_type=function.get_accumulator_type(),
           name=str(function.__class__.__name__))
ab = table_env.from_elements([(1, 2), (2, 1), (1, 3)], ["a", "b"])
result = ab.group_by(col("a")).aggregate(agg.alias("c", "d")).select(col("a"), col("c"), col("d"))
""",
        [(1, 2, 5), (2, 1, 1)],
        "row-based operations",
    ),
    _program(
        "aggregate_with_pandas",
        """
ab = table_env.from_elements([(1, 2), (2, 1), (1, 3)], ["a", "b"])
pandas_udaf = udaf(lambda pd: (pd.b.mean(), pd.b.max()), result_type=DataTypes.ROW(
    [DataTypes.FIELD("a", DataTypes.FLOAT()), DataTypes.FIELD("b", DataTypes.INT())]), func_type="pandas")
result = ab.aggregate(pandas_udaf.alias("a", "b")).select(col("a"), col("b"))
""",
        [(2.0, 3)],
        "row-based operations",
    ),
    _program(
        "flat_aggregate_of_rows",
        """
class Top1(TableAggregateFunction):
    def emit_value(self, accumulator):
        yield Row(accumulator[0])

    def create_accumulator(self):
        return [None]

    def accumulate(self, accumulator, row):
        if row[0] is not None and (accumulator[0] is None or row[0] > accumulator[0]):
            accumulator[0] = row[0]

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.BIGINT())

    def get_result_type(self):
        return DataTypes.ROW([DataTypes.FIELD("a", DataTypes.BIGINT())])

result = t.group_by(t.name).flat_aggregate(udtaf(Top1())).select(col("*"))
""",
        [("Jay", 5), ("Lee", 7)],
        "row-based operations",
    ),
    _program(
        "vectorised_scalar_function",
        """
@udf(result_type=DataTypes.BIGINT(), func_type="pandas")
def add(i, j):
    return i + j

table_env.create_temporary_function("add_series", add)
table_env.create_temporary_view("MyTable", t)
result = t.select(add(t.value, t.count)).union(table_env.sql_query("SELECT add_series(`value`, `count`) FROM MyTable"))
""",
        [(11,), (15,), (3,), (7,)],
        "vectorised functions",
    ),
    _program(
        "vectorised_aggregate",
        """
@udaf(result_type=DataTypes.FLOAT(), func_type="pandas")
def mean_udaf(v):
    return v.mean()

grouped = t.group_by(t.name).select(t.name, mean_udaf(t.value))
table_env.create_temporary_function("mean_udaf", mean_udaf)
table_env.create_temporary_view("MyTable", t)
over = table_env.sql_query('''
    SELECT name, mean_udaf(`value`) OVER (
        PARTITION BY name ORDER BY `count` ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    FROM MyTable''')
result = grouped.union(over)
""",
        [("Jay", 4.0), ("Lee", 4.0)],
        "vectorised functions",
    ),
    _program(
        "ways_to_a_vectorised_aggregate",
        """
class MaxAdd(AggregateFunction):
    def get_value(self, accumulator):
        return accumulator[0]

    def create_accumulator(self):
        return []

    def accumulate(self, accumulator, *args):
        accumulator.append(sum(arg.max() for arg in args))

class CallableMaxAdd(object):
    def __call__(self, i, j):
        return i.max() + j.max()

@udaf(result_type=DataTypes.BIGINT(), func_type="pandas")
def max_add(i, j):
    return i.max() + j.max()

def partial_max_add(i, j, k):
    return i.max() + j.max() + k

ways = [udaf(MaxAdd(), result_type=DataTypes.BIGINT(), func_type="pandas"), max_add,
        udaf(lambda i, j: i.max() + j.max(), result_type=DataTypes.BIGINT(), func_type="pandas"),
        udaf(CallableMaxAdd(), result_type=DataTypes.BIGINT(), func_type="pandas"),
        udaf(functools.partial(partial_max_add, k=0), result_type=DataTypes.BIGINT(), func_type="pandas")]
result = t.select(*[way(t.value, t.count) for way in ways])
""",
        [(15,) * 5],
        "vectorised functions",
    ),
    _program(
        "asynchronous_function",
        """
import asyncio
from pyflink.table.udf import AsyncScalarFunction

class Slow(AsyncScalarFunction):
    async def eval(self, x):
        await asyncio.sleep(0.001)
        return x * 2

result = pairs.select(udf(Slow(), result_type=DataTypes.BIGINT())(col("id")))
""",
        [(2,), (4,)],
    ),
    _program(
        "functions_of_the_catalog",
        """
table_env.create_temporary_system_function("plus_one", udf(lambda i: i + 1, result_type=DataTypes.BIGINT()))
assert "plus_one" in table_env.list_user_defined_functions()
result = list(pairs.select(call("plus_one", col("id"))).execute().collect())
assert table_env.drop_temporary_system_function("plus_one")
""",
        [(2,), (3,)],
    ),
    _program(
        "java_function",
        'table_env.create_java_temporary_function("hash_code", "my.java.function.HashCode")\nresult = None',
        refused=Section.JAVA,
    ),
    _program(
        "java_function_in_sql",
        "table_env.execute_sql(\"CREATE TEMPORARY FUNCTION hash_code AS 'my.HashCode' LANGUAGE JAVA\")\nresult = None",
        refused=Section.JAVA,
    ),
)
