"""User-defined functions on Spark: arguments and results, places of calls, and failures."""

from __future__ import annotations

import datetime as dt
import random
import re
import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NewType

import pytest
from pyspark.sql import SparkSession

from ir.errors import FunctionNotExistException, TableException, ValidationException
from tableapi import AggregateFunction, DataTypes, Row, ScalarFunction, Table, TableEnvironment, udaf, udf, udtaf, udtf
from tableapi.expressions import call, col, lit, row
from tableapi.process_functions import ProcessTableFunction, TableAsRow
from tableapi.window.over import Over
from tests.cases import some_nightly
from tests.user_functions import failing
from tests.user_functions import functions as f
from tests.user_functions.test_declaration import Added, Same, doubled


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> Iterator[TableEnvironment]:
    env = TableEnvironment.create(spark=spark.newSession())
    rows = [(1, "a bb", 1), (2, "ccc", 1), (3, None, 2), (4, "", 2)]
    env.create_temporary_view("t", env.from_elements(rows, ["id", "text", "k"]))
    for function in (f.plus, f.longest, f.length_or_none, f.words, f.everything, f.described, f.total, f.largest):
        env.create_temporary_system_function(function.__name__.lower(), function)
    yield env
    env.drop_temporary_view("t")


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in table.execute().collect()), key=repr)


# --- values ----------------------------------------------------------------------------------------------------------


def test_arguments_that_may_be_left_out_or_repeated(env: TableEnvironment) -> None:
    found = env.sql_query("SELECT plus(id), plus(id, 1), longest(text, 'xx'), longest('a') FROM t")
    assert rows_of(found) == [(11, 2, "a bb", "a"), (12, 3, "ccc", "a"), (13, 4, None, "a"), (14, 5, "xx", "a")]


def test_null_is_passed_only_to_nullable_parameters(env: TableEnvironment) -> None:
    found = env.sql_query("SELECT length_or_none(text), longest(text) FROM t")
    assert rows_of(found) == [(-1, None), (0, ""), (3, "ccc"), (4, "a bb")]


def test_results_of_every_type(env: TableEnvironment) -> None:
    found = env.from_path("t").filter(col("id") <= 2).select(call("everything", col("id")).alias("r")).execute()
    first, second = sorted((row[0] for row in found.collect()), key=lambda r: r.at)
    assert (first.price, second.price) == (Decimal("0.33"), Decimal("0.67"))
    assert first.at == dt.datetime(2024, 1, 1)
    assert first.day == dt.date(2024, 2, 29)
    assert second.numbers == [2, 2]
    assert first.shares == {"a": 0.5}
    assert (first.point, second.point) == (Row(x=1, label=None), Row(x=2, label="even"))
    assert second.raw == b"\x00\x00"
    assert first.lasts == dt.timedelta(hours=1)


def test_arguments_of_every_type(env: TableEnvironment) -> None:
    values = {
        "1": "1",
        "1.50": "Decimal('1.50')",
        "1.5D": "1.5",
        "'é'": "'é'",
        "X'00FF'": "b'\\x00\\xff'",
        "TRUE": "True",
        "DATE '2024-02-29'": "datetime.date(2024, 2, 29)",
        "TIMESTAMP_NTZ '2024-02-29 01:02:03.5'": "datetime.datetime(2024, 2, 29, 1, 2, 3, 500000)",
        "INTERVAL '1 02:00:00' DAY TO SECOND": "datetime.timedelta(days=1, seconds=7200)",
        "TIME '01:02:03'": "datetime.time(1, 2, 3)",
        "ARRAY(1, NULL)": "[1, None]",
        "MAP('a', ARRAY(1))": "{'a': [1]}",
        "NAMED_STRUCT('a', 1, 'b', NAMED_STRUCT('c', 'x'))": "Row(a=1, b=Row(c='x'))",
        "NULL": "None",
    }
    found = env.sql_query("SELECT " + ", ".join(f"described({value}) AS c{i}" for i, value in enumerate(values)))
    assert rows_of(found) == [tuple(values.values())]


def test_arguments_are_cast_as_the_function_declares(env: TableEnvironment) -> None:
    found = env.sql_query("SELECT plus('5', CAST(1 AS TINYINT)) AS v")
    assert "`plus`(CAST('5' AS BIGINT), CAST(CAST(1 AS TINYINT) AS BIGINT))" in found.as_serializable_string()
    assert rows_of(found) == [(6,)]
    with pytest.raises(ValidationException, match=r"Invalid call of plus.*argument 1 \(a\) is not <BIGINT>"):
        env.sql_query("SELECT plus(DATE '2024-01-01')")


def test_the_text_reads_back_and_means_the_same(env: TableEnvironment) -> None:
    query = env.sql_query("SELECT k, total(id) AS s FROM t WHERE plus(id) > 11 GROUP BY k")
    again = env.sql_query(query.as_serializable_string())
    assert again.query_operation is query.query_operation
    assert rows_of(query) == [(1, 2), (2, 7)]


# --- places of calls -------------------------------------------------------------------------------------------------


def test_functions_in_each_clause(env: TableEnvironment) -> None:
    found = env.sql_query(
        "SELECT plus(k, 0) AS kk, COUNT(*) AS n FROM t WHERE plus(id, 0) < 4 GROUP BY plus(k, 0) "
        "HAVING plus(COUNT(*), 0) > 1 ORDER BY plus(kk, 0)"
    )
    assert rows_of(found) == [(1, 2)]
    joined = env.sql_query("SELECT a.id, b.id FROM t a JOIN t b ON plus(a.id, 1) = b.id AND a.k = b.k")
    assert rows_of(joined) == [(1, 2), (3, 4)]


def test_table_functions(env: TableEnvironment) -> None:
    t = env.from_path("t")
    expected = [(1, "a", 1), (1, "bb", 2), (2, "ccc", 3)]
    assert rows_of(
        t.join_lateral(call("words", col("text")).alias("w", "n")).select(col("id"), col("w"), col("n"))
    ) == (expected)
    outer = t.left_outer_join_lateral(call("words", col("text")).alias("w", "n")).select(col("id"), col("w"))
    assert rows_of(outer) == [(1, "a"), (1, "bb"), (2, "ccc"), (3, None), (4, None)]
    assert rows_of(env.sql_query("SELECT id, w.f0, w.f1 FROM t, LATERAL words(text) AS w")) == expected
    assert rows_of(t.flat_map(call("words", col("text")))) == [("a", 1), ("bb", 2), ("ccc", 3)]


def test_aggregates_beside_others_and_over_windows(env: TableEnvironment) -> None:
    grouped = env.sql_query(
        "SELECT k, total(id), SUM(id), total(DISTINCT k), total(id) FILTER (WHERE id > 3) FROM t GROUP BY k"
    )
    assert rows_of(grouped) == [(1, 3, 3, 1, 0), (2, 7, 7, 2, 4)]
    over = env.sql_query("SELECT id, total(id) OVER (PARTITION BY k ORDER BY id) FROM t")
    assert rows_of(over) == [(1, 1), (2, 3), (3, 3), (4, 7)]
    assert rows_of(env.sql_query("SELECT total(id) FROM t WHERE id > 10")) == [(0,)]
    window = Over.partition_by(col("k")).order_by(col("id")).alias("w")
    fluent = env.from_path("t").over_window(window).select(col("id"), call("total", col("id")).over(col("w")))
    assert rows_of(fluent) == rows_of(over)


def test_table_aggregates(env: TableEnvironment) -> None:
    grouped = env.from_path("t").group_by(col("k")).flat_aggregate(call("largest", col("id")).alias("v", "p"))
    found = grouped.select(col("k"), col("v"), col("p"))
    assert rows_of(found) == [(1, 1, 2), (1, 2, 1), (2, 3, 2), (2, 4, 1)]
    assert env.sql_query(found.as_serializable_string()).query_operation is found.query_operation
    assert rows_of(env.from_path("t").flat_aggregate(f.largest(col("id"))).select(col("value"))) == [(3,), (4,)]
    with pytest.raises(ValidationException, match=r"gives a column 'k', which is there already"):
        env.from_path("t").group_by(col("k")).flat_aggregate(f.largest(col("id")).alias("k", "p"))
    with pytest.raises(ValidationException, match=r"flat_aggregate takes a call of a table aggregate"):
        env.from_path("t").flat_aggregate(call("total", col("id")))


def test_functions_of_whole_rows(env: TableEnvironment) -> None:
    t = env.from_path("t")

    @udf
    def doubled(given: Any) -> f.Point:
        return f.Point(given.id * 2, given[1])

    @udtf(result_types="BIGINT")
    def twice(given: Any) -> Any:
        return [given.id, given.id]

    assert rows_of(t.map(doubled)) == [(2, "a bb"), (4, "ccc"), (6, None), (8, "")]
    assert rows_of(t.map(row(col("id")))) == [(1,), (2,), (3,), (4,)]
    assert len(rows_of(t.flat_map(twice))) == 8


@pytest.mark.parametrize("func_type", ["pandas", "arrow"])
def test_functions_of_whole_columns(env: TableEnvironment, func_type: str) -> None:
    import pyarrow.compute as pc

    def add(a: Any, b: Any) -> Any:
        return a + b if func_type == "pandas" else pc.add(a, b)

    def mean(a: Any) -> Any:
        return a.mean() if func_type == "pandas" else pc.mean(a).as_py()

    class Adds(ScalarFunction):
        def eval(self, *args: Any) -> Any:
            return add(*args)

    class Averages(AggregateFunction):
        def create_accumulator(self) -> list[Any]:
            return []

        def accumulate(self, accumulator: list[Any], *args: Any) -> None:
            accumulator.append(mean(args[0]))

        def get_value(self, accumulator: list[Any]) -> Any:
            return accumulator[0]

    added, of_class = [udf(f, ["BIGINT", "BIGINT"], "BIGINT", func_type=func_type) for f in (add, Adds())]
    averaged, averages = [udaf(f, ["DOUBLE"], "DOUBLE", func_type=func_type) for f in (mean, Averages())]
    t = env.from_path("t")
    assert rows_of(t.select(added(col("id"), col("k")), of_class(col("k"), col("id")))) == (
        [(2, 2), (3, 3), (5, 5), (6, 6)]
    )
    grouped = t.group_by(col("k")).select(col("k"), averaged(col("id")), averages(col("id")), col("id").count)
    assert rows_of(grouped) == [(1, 1.5, 1.5, 2), (2, 3.5, 3.5, 2)]


def test_each_call_has_the_signature_and_the_result_of_its_types(env: TableEnvironment) -> None:
    for name, function in (("added", Added), ("same", Same), ("doubled", udf(doubled))):
        env.create_temporary_system_function(name, function)
    found = env.sql_query(
        "SELECT id, added(id, 1), added(id, 0.5D), added(text, 'x'), same(text), same(id, 2), doubled(id), "
        "doubled(ARRAY(id)) FROM t WHERE id < 3"
    )
    assert rows_of(found) == [
        (1, 2, 1.5, "a bbx", ["a bb"], [1, 1], 2, [1, 1]),
        (2, 3, 2.5, "cccx", ["ccc"], [2, 2], 4, [2, 2]),
    ]


def test_functions_are_opened_with_the_parameters_of_the_job(spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    env.get_config().set("python.job.greeting", "good day")
    t = env.from_elements([("you",)], ["who"])
    assert rows_of(t.select(f.greeting(col("who")))) == [("good day you",)]


def test_nondeterministic_calls_are_not_repeated(env: TableEnvironment) -> None:
    dice = udf(random.random, result_type="DOUBLE", deterministic=False, name="dice")
    thrown = env.from_path("t").select(dice().alias("a"))
    assert rows_of(thrown.select(col("a") - col("a"))) == [(0.0,)] * 4


@udf(deterministic=False)
def dice(number: int) -> float:
    """Return a random number."""
    return random.random()


@udf(deterministic=False)
async def awaited_dice(number: int) -> float:
    return random.random()


@udtf(result_types=["DOUBLE"], deterministic=False)
def throws(number: int) -> list[float]:
    return [random.random(), random.random()]


@udtf(result_types=["DOUBLE"], deterministic=False)
def throws_of_row(row: Any) -> list[float]:
    return [random.random()]


@udf(result_type="ROW<a DOUBLE>", deterministic=False)
def dice_of_row(row: Any) -> tuple[float]:
    return (random.random(),)


class Thrown(AggregateFunction):
    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        accumulator.append(args[0])

    def get_value(self, accumulator: list[int]) -> float:
        return random.random()

    def is_deterministic(self) -> bool:
        return False


thrown = udaf(Thrown(), ["BIGINT"], "DOUBLE")
_shaken = udf(
    lambda column: column * 0 + random.random(), ["DOUBLE"], "DOUBLE", deterministic=False, func_type="pandas"
)

# A query of each kind with a column ``a`` that changes each time it is computed.
THROWING = {
    "scalar": lambda t: t.select(dice(col("id")).alias("a")),
    "pandas": lambda t: t.select(_shaken(col("id").cast(DataTypes.DOUBLE())).alias("a")),
    "async": lambda t: t.select(awaited_dice(col("id")).alias("a")),
    "lateral": lambda t: t.join_lateral(throws(col("id")).alias("a")).select(col("a")),
    "outer lateral": lambda t: t.left_outer_join_lateral(throws(col("id")).alias("a")).select(col("a")),
    "map": lambda t: t.map(dice_of_row),
    "flat_map": lambda t: t.flat_map(throws_of_row).alias("a"),
    "aggregate": lambda t: t.group_by(col("k")).select(thrown(col("id")).alias("a")),
    "over": lambda t: t.over_window(Over.partition_by(col("k")).order_by(col("id")).alias("w")).select(
        thrown(col("id")).over(col("w")).alias("a")
    ),
}


@pytest.mark.parametrize("kind", some_nightly(THROWING))
def test_nondeterministic_calls_are_neither_repeated_nor_moved(env: TableEnvironment, kind: str) -> None:
    made = THROWING[kind](env.from_path("t"))
    assert {row[0] for row in rows_of(made.select(col("a") - col("a")))} == {0.0}
    # A filter that is moved below the call, or repeats the call, would keep other rows.
    for _ in range(2):
        kept = made.filter(col("a") > 0.5).filter(col("a") < 0.9)
        assert all(0.5 < row[0] < 0.9 for row in rows_of(kept))
    ordered = [row[0] for row in made.order_by(col("a")).execute().collect()]
    assert ordered == sorted(ordered)


# --- failures --------------------------------------------------------------------------------------------------------


def test_a_failure_shows_the_users_traceback_and_the_arguments(env: TableEnvironment) -> None:
    @udf
    def inverse(x: int, label: str) -> int:
        return 1 // (x - 2)

    with pytest.raises(TableException) as raised:
        env.from_path("t").select(inverse(col("id"), lit("é"))).execute()
    message = str(raised.value)
    assert message.startswith("The function inverse failed on (2, 'é'): ZeroDivisionError: integer division")
    assert "return 1 // (x - 2)" in message
    assert "site-packages" not in message
    assert "tableapi/spark/runtime" not in message


def leave(number: int) -> int:
    """End the process for one number."""
    return sys.exit("enough") if number == 3 else number


class Leaves(AggregateFunction):
    """End the process for one number."""

    def create_accumulator(self) -> list[int]:
        return [0]

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        accumulator[0] += leave(args[0])

    def get_value(self, accumulator: list[int]) -> int:
        return accumulator[0]


class LeavesProcessing(ProcessTableFunction):
    """End the process for one row."""

    def eval(self, input: TableAsRow[Row]) -> Iterator[int]:
        yield leave(input.id)


def test_to_end_the_process_is_a_failure_like_any_other(env: TableEnvironment) -> None:
    t = env.from_elements([(1,), (3,)], DataTypes.ROW([DataTypes.FIELD("id", DataTypes.BIGINT())]))
    leaves = udaf(Leaves(), ["BIGINT"], "BIGINT")
    queries = {
        "leave": t.select(udf(leave)(col("id"))),
        "rows": t.join_lateral(udtf(lambda n: (leave(n) for _ in "a"), ["BIGINT"], ["BIGINT"], name="rows")(col("id"))),
        "Leaves": t.select(leaves(col("id"))),
        "LeavesProcessing.eval": t.process(LeavesProcessing),
    }
    for name, query in queries.items():
        with pytest.raises(
            TableException, match=rf"^The function {name} failed on \(.*3.*\): SystemExit: enough\n"
        ) as raised:
            query.execute()
        assert "sys.exit" in str(raised.value)


Number = NewType("Number", int)


def test_types_of_the_user_travel_with_annotations(env: TableEnvironment) -> None:
    def numbered(number: Number) -> Number:
        return Number(number + 1)

    assert rows_of(env.from_path("t").select(udf(numbered)(col("id")))) == [(2,), (3,), (4,), (5,)]


def test_a_timedelta_is_any_interval_of_days_and_seconds(env: TableEnvironment) -> None:
    def seconds(lasts: dt.timedelta) -> float:
        return lasts.total_seconds()

    env.create_temporary_system_function("seconds", udf(seconds))
    found = env.sql_query(
        "SELECT seconds(INTERVAL '1' DAY), seconds(INTERVAL '2' HOUR), seconds(INTERVAL '1:02' MINUTE TO SECOND), "
        "seconds(INTERVAL '1 02:03:04.5' DAY TO SECOND), seconds('1 00:00:01'), seconds(NULL)"
    )
    assert rows_of(found) == [(86400.0, 7200.0, 62.0, 93784.5, 86401.0, None)]
    with pytest.raises(ValidationException, match=r"argument 1 \(lasts\) is not <INTERVAL DAY TO SECOND>"):
        env.sql_query("SELECT seconds(INTERVAL '1' YEAR)")
    env.drop_temporary_system_function("seconds")


def test_a_failure_of_every_kind_shows_the_users_traceback_and_the_arguments(env: TableEnvironment) -> None:
    t = env.from_elements(failing.ROWS, ["id", "k"])
    for name, (query, begins) in failing.QUERIES.items():
        with pytest.raises(TableException) as raised:
            query(t).execute()
        assert (name, failing.is_told(str(raised.value), begins)) == (name, True), str(raised.value)


@pytest.mark.parametrize(
    ("result_type", "value", "message"),
    [
        (
            "INT",
            "x",
            r"failed on \(1\): TypeError: the result 'x' is no value of its type INT: an integer is an int, but",
        ),
        ("STRING", 5, r"a STRING is a str, but int was returned"),
        ("TIMESTAMP_LTZ", dt.datetime(2024, 1, 1), r"a TIMESTAMP_LTZ is a datetime with a time zone"),
        ("DECIMAL(3, 2)", Decimal(100), r"100 does not fit into DECIMAL\(3, 2\)"),
        ("ROW<a INT, b INT>", (1,), r"a row of the 2 fields \['a', 'b'\] is wanted, but one of 1"),
        ("ARRAY<INT>", "abc", r"an array is a list, but str was returned"),
        ("MAP<STRING, INT>", [1], r"a map is a dict, but list was returned"),
        ("TINYINT", 300, r"the result 300 is no value of its type TINYINT: it is out of range"),
        ("BIGINT", 2**70, r"no value of its type BIGINT: it is out of range"),
        ("ARRAY<BIGINT>", [1, "x"], r"its type ARRAY<BIGINT>: 'x' of Python's type str is no BIGINT"),
        (
            "ROW<a INT, b ARRAY<INT>>",
            (1, [2**40]),
            r"its type ROW<`a` INT, `b` ARRAY<INT>>: 1099511627776 is out of the range",
        ),
        ("MAP<STRING, DATE>", {"a": "x"}, r"its type MAP<STRING, DATE>: 'x' of Python's type str is no DATE"),
        # Arrow would truncate or convert these values.
        ("BIGINT", 1.5, r"the result 1\.5 is no value of its type BIGINT: it is no whole number"),
        ("INT", Decimal("1.5"), r"the result Decimal\('1\.5'\) is no value of its type INT: it is no whole number"),
        ("ARRAY<BIGINT>", [1, 1.5], r"its type ARRAY<BIGINT>: 1\.5 is no BIGINT: it is no whole number"),
        ("DATE", dt.datetime(2024, 1, 1, 5), r"a DATE is a date without a time of day"),
        ("DATE", 1, r"its type DATE: a DATE is a date, but int was returned"),
        ("INTERVAL DAY TO SECOND", 1, r"an INTERVAL DAY TO SECOND is a timedelta, but int was returned"),
        ("BYTES", "x", r"its type BYTES: BYTES are bytes, but str was returned"),
    ],
)
def test_results_of_a_wrong_type(env: TableEnvironment, result_type: str, value: Any, message: str) -> None:
    wrong = udf(lambda i: value, ["INT"], result_type, name="wrong")
    with pytest.raises(TableException, match=message):
        env.from_path("t").filter(col("id") == 1).select(wrong(col("id"))).execute()


def test_rows_of_a_wrong_type(env: TableEnvironment) -> None:
    t = env.from_path("t").filter(col("id") == 1)
    rows = udtf(lambda i: [("a", 1), ("b", "x"), ("c", 2)], ["INT"], ["STRING", "INT"], name="rows")
    message = (
        r"The function rows failed on \(1\): TypeError: the row \('b', 'x'\) is no value of its type "
        r"ROW<`\w+` STRING, `\w+` INT>: 'x' of Python's type str is no INT"
    )
    with pytest.raises(TableException, match=message):
        t.join_lateral(rows(col("id")).alias("a", "b")).execute()

    class Emits(f.Largest):
        def emit_value(self, accumulator: Any) -> Any:
            yield "x"

    emits = udtaf(Emits(), ["INT"], "ROW<value BIGINT>")
    with pytest.raises(TableException, match=r"the row 'x' is no value of its type ROW<`value` BIGINT>: "):
        t.flat_aggregate(emits(col("id"))).select(col("value")).execute()


class Mean(AggregateFunction):
    """The mean of numbers, which is usually no integer."""

    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        accumulator.append(args[0])

    def get_value(self, accumulator: list[int]) -> float:
        return sum(accumulator) / len(accumulator)


class Halves(ProcessTableFunction):
    """Yield the half of each number."""

    def eval(self, input: TableAsRow[Row]) -> Iterator[int]:
        yield input.id / 2


async def _half(i: int) -> Any:
    return i / 2


def test_fractions_are_not_integers_for_any_kind_of_function(env: TableEnvironment) -> None:
    import pyarrow.compute as pc

    t = env.sql_query("SELECT CAST(id AS BIGINT) AS id FROM t WHERE id < 3")
    one, window = t.filter(col("id") == 1), Over.order_by(col("id")).alias("w")
    whole: dict[str, Any] = {"input_types": ["BIGINT"], "result_type": "BIGINT"}
    half = udf(lambda i: i / 2, **whole, name="half")
    half_of_column = {
        "pandas": udf(lambda column: column / 2, **whole, func_type="pandas", name="half"),
        "arrow": udf(lambda column: pc.divide(column.cast("double"), 2), **whole, func_type="arrow", name="half"),
    }
    means = {
        "general": udaf(Mean(), **whole, name="mean"),
        "pandas": udaf(lambda column: column.mean(), **whole, func_type="pandas", name="mean"),
        "arrow": udaf(lambda column: pc.mean(column), **whole, func_type="arrow", name="mean"),
    }
    told_of_value = r"TypeError: the result 0\.5 is no value of its type BIGINT: it is no whole number"
    told_of_mean = r"TypeError: the result 1\.5 is no value of its type BIGINT: it is no whole number"
    told_of_column = r"TypeError: .* returned, of .*double|float64.*, is no BIGINT: Float value 0\.5"
    refused = {
        "general": (one.select(half(col("id"))), r"half failed on \(1\): " + told_of_value),
        "async": (one.select(udf(_half, **whole)(col("id"))), r"_half failed on \(1\): " + told_of_value),
        "process": (one.process(Halves), r"on \(input=Row\(id=1\)\): .*the value 0\.5 is no value .*no whole number"),
        **{
            f"{kind}": (one.select(function(col("id"))), r"half failed on \(1\): " + told_of_column)
            for kind, function in half_of_column.items()
        },
        **{
            f"{kind} aggregate": (t.select(function(col("id"))), r"mean failed on \(\[1, 2\]\): " + told_of_mean)
            for kind, function in means.items()
        },
        **{
            f"{kind} over a window": (
                t.over_window(window).select(function(col("id")).over(col("w"))),
                r"mean failed on \(\[1, 2\]\): " + told_of_mean,
            )
            for kind, function in means.items()
        },
    }
    for name, (query, message) in refused.items():
        with pytest.raises(TableException) as raised:
            query.execute()
        assert (name, re.search(message, str(raised.value)) is not None) == (name, True), str(raised.value)
    # Integral results are accepted.
    two = t.filter(col("id") == 2)
    for function in (half, *half_of_column.values()):
        assert rows_of(two.select(function(col("id")))) == [(1,)]
    for function in means.values():
        assert rows_of(two.select(function(col("id")))) == [(2,)]


def test_rows_of_pandas_are_frames(env: TableEnvironment) -> None:
    import pandas as pd

    t = env.from_elements([(1, "a", 1.5), (2, None, None)], ["id", "text", "x"])
    row = "ROW<id BIGINT, y DOUBLE>"

    def made(how: str) -> Any:
        def function(frame: Any) -> Any:
            assert list(frame.columns) == ["id", "text", "x"]
            match how:
                case "by name":
                    return pd.DataFrame({"y": frame.x * 2, "id": frame["id"]})
                case "in order":
                    return pd.DataFrame({"p": frame["id"], "q": frame.x * 2})
                case "tuples":
                    return frame["id"].map(lambda number: (number, 3.0) if number == 1 else None)
            return frame

        return udf(function, result_type=row, func_type="pandas", name="function")

    assert rows_of(t.map(made("by name"))) == rows_of(t.map(made("in order"))) == [(1, 3.0), (2, None)]
    assert rows_of(t.map(made("tuples"))) == [(1, 3.0), (None, None)]
    with pytest.raises(
        TableException, match=r"a DataFrame of the 2 columns \['id', 'y'\] is wanted, but one of \['id', "
    ):
        t.map(made("wrong")).execute()


def test_unpicklable_functions_are_rejected_before_the_job(env: TableEnvironment) -> None:
    import threading

    lock = threading.Lock()
    locked = udf(lambda i: lock.locked(), ["INT"], "BOOLEAN", name="locked")
    message = r"locked cannot be sent to Spark's workers: .*open what is not.*in open"
    with pytest.raises(TableException, match=message):
        env.from_path("t").select(locked(col("id"))).execute()
    # For a function that gets a name, when it gets it.
    for create in (env.create_temporary_system_function, env.create_temporary_function, env.create_function):
        with pytest.raises(TableException, match=message):
            create("locked", locked)
    assert "locked" not in env.list_user_defined_functions()


def test_dropping_functions_of_the_catalog_of_spark(env: TableEnvironment) -> None:
    # Spark owns a function that runs in the JVM.
    env.execute_sql("CREATE FUNCTION of_the_jvm AS 'com.example.F'")
    with pytest.raises(
        FunctionNotExistException, match=r"default\.of_the_jwm' doesn't exist\. Did you mean 'of_the_jvm'"
    ):
        env.execute_sql("DROP FUNCTION of_the_jwm")
    env.execute_sql("DROP FUNCTION Of_The_JVM")
    env.execute_sql("DROP FUNCTION IF EXISTS of_the_jvm")
    with pytest.raises(FunctionNotExistException, match=r"There is a temporary system function 'plus'"):
        env.execute_sql("DROP FUNCTION plus")


def test_a_function_without_a_name_has_no_text(env: TableEnvironment) -> None:
    query = env.from_path("t").select(f.plus(col("id")))
    with pytest.raises(TableException, match=r"plus has no name in SQL, .*create_temporary_system_function"):
        query.as_serializable_string()
    assert len(rows_of(query)) == 4


def test_permanent_views_over_functions_of_the_process_are_refused(env: TableEnvironment) -> None:
    query = env.from_path("t").select(call("plus", col("id")).alias("x"))
    env.create_temporary_view("v", query)
    assert rows_of(env.sql_query("SELECT x FROM v")) == [(11,), (12,), (13,), (14,)]
    env.drop_temporary_view("v")
    values = env.from_elements([(1,)], ["id"]).select(call("plus", col("id")).alias("x"))
    with pytest.raises(ValidationException, match=r"cannot depend on the temporary function 'plus'"):
        env.create_view("v", values)
