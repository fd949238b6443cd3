"""Process table functions on Spark: keys, orders, several tables, sharing, failures and hostile names."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import pytest
from pyspark.sql import SparkSession

from ir.errors import TableException
from tableapi import DataTypes, Row, Table, TableDescriptor, TableEnvironment
from tableapi import Schema as TableSchema
from tableapi.expressions import array, col, descriptor, lit, row
from tableapi.process_functions import (
    ArgumentHint,
    ArgumentTrait,
    Context,
    MapView,
    ProcessTableFunction,
    State,
    TableAsRow,
    TableAsSet,
    function_hint,
)

AnySet = Annotated[Row, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY)]


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> TableEnvironment:
    return TableEnvironment.create(spark=spark.newSession())


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in table.execute().collect()), key=repr)


@dataclass
class Seen:
    values: str = ""


class Collects(ProcessTableFunction):
    """Emit the values that a partition saw, in order."""

    def eval(self, seen: State[Seen], input: AnySet) -> None:
        seen.values += f"{input[-1]} "

    def finish(self, seen: Seen) -> Iterator[Seen]:
        yield Seen(seen.values.strip())


ROWS = [("a", 1, 3), ("A", 2, 2), ("a", 3, 1), (None, 4, 5), (None, 5, 4), ("b", None, 9)]


def table(env: TableEnvironment) -> Table:
    return env.from_elements(ROWS, ["k", "v", "n"])


def test_rows_come_in_the_order_asked_for(env: TableEnvironment) -> None:
    by_key = table(env).partition_by(col("k"))
    ordered = by_key.order_by(col("v").desc).process(Collects)
    assert rows_of(ordered) == [("A", "2"), ("a", "1 3"), ("b", "9"), (None, "4 5")]
    assert rows_of(by_key.order_by(col("n") % 2, col("n").desc).process(Collects)) == [
        ("A", "2"),
        ("a", "3 1"),
        ("b", "9"),
        (None, "4 5"),
    ]
    assert rows_of(table(env).select(col("v"), col("n")).process(Collects))[0][0].split() != []


SORTABLE = {
    "TINYINT": "-128, 0, 127",
    "BIGINT": "-9223372036854775808, 0, 9223372036854775807",
    "DECIMAL(38, 2)": "-1.5, 0, 1.25, 99999999999999999999.99",
    "DOUBLE": "'NaN', '-Infinity', '-0.0', '1e300', 'Infinity'",
    "BOOLEAN": "TRUE, FALSE",
    "STRING": "'', 'a', 'Z', 'é', 'zz', '日', '😀', '\uffff'",
    "STRING COLLATE UTF8_LCASE": "'b', 'A', 'C'",
    "BINARY": "X'', X'00', X'7f', X'80', X'ff', X'ff00'",
    "DATE": "'0001-01-01', '1969-12-31', '9999-12-31'",
    "TIMESTAMP_NTZ": "'0001-01-01 00:00:00', '1969-12-31 23:59:59.999999', '9999-12-31 23:59:59'",
    "TIMESTAMP": "'0001-01-01 00:00:00', '1969-12-31 23:59:59.999999', '9999-12-31 23:59:59'",
    "TIME": "'00:00:00', '23:59:59.999999'",
    "INTERVAL DAY TO SECOND": "INTERVAL -1 DAY, INTERVAL 0 SECOND, INTERVAL 1 DAY",
    "ROW<a INT, b STRING>": "STRUCT(1 AS a, 'x' AS b), STRUCT(1 AS a, NULL AS b), STRUCT(0 AS a, 'y' AS b)",
}
DIRECTIONS = [("ASC", "FIRST"), ("ASC", "LAST"), ("DESC", "FIRST"), ("DESC", "LAST")]


class Numbers(ProcessTableFunction):
    """Gives the numbers of the rows of a partition, in the order in which they come."""

    def eval(self, seen: State[Seen], input: TableAsSet[Row]) -> None:
        seen.values += f"{input.n} "

    def finish(self, seen: Seen) -> Iterator[Seen]:
        yield seen


def test_every_type_is_sorted_as_in_spark(env: TableEnvironment) -> None:
    env.create_temporary_function("numbers", Numbers())
    ours, of_spark = [], []
    # Each type in one direction; the sorter's own tests cover all directions.
    for (name, values), (direction, nulls) in zip(SORTABLE.items(), itertools.cycle(DIRECTIONS)):
        given = ", ".join(f"CAST({value} AS {name})" for value in [*values.split(", "), "NULL"])
        given = given if "ROW" not in name else f"{values}, NULL"
        repeated = f"REVERSE(FLATTEN(ARRAY_REPEAT(ARRAY({given}), 3)))"
        rows = f"SELECT x % 2 AS k, v, x AS n FROM (SELECT POSEXPLODE({repeated}) AS (x, v)) AS t"
        by = f"v {direction} NULLS {nulls}, n"
        what = f"'{name} {direction} {nulls}' AS what, k"
        ours.append(
            f"SELECT {what}, `values` "
            f"FROM numbers(TABLE({rows}) PARTITION BY k ORDER BY ({by}), uid => 'call_{len(ours)}')"
        )
        of_spark.append(
            f"SELECT {what}, CONCAT_WS('', COLLECT_LIST(CONCAT(n, ' '))) AS `values` "
            f"FROM (SELECT * FROM ({rows}) DISTRIBUTE BY k SORT BY k, {by}) GROUP BY k"
        )
    found = rows_of(env.sql_query(" UNION ALL ".join(ours)))
    assert len(found) == 2 * len(SORTABLE)
    assert found == sorted((tuple(row) for row in env.spark.sql(" UNION ALL ".join(of_spark)).collect()), key=repr)


def test_keys_may_be_computed_and_several(env: TableEnvironment) -> None:
    keys = table(env).partition_by(col("k").upper_case, col("v").is_null).order_by(col("n"))
    found = keys.process(Collects)
    assert found.get_schema().get_field_names()[-1] == "values"
    assert [row[-1] for row in rows_of(found)] == ["1 2 3", "9", "4 5"]


def test_everything_is_one_partition_without_keys(env: TableEnvironment) -> None:
    one = table(env).select(col("k"), col("n"))
    assert rows_of(env.from_call(Collects, one.as_argument("input"))) != []
    assert len(rows_of(env.from_call(Collects, one.as_argument("input")))) == 1


class Wide(ProcessTableFunction):
    def eval(self, input: TableAsSet[Row]) -> Iterator[str]:
        yield "; ".join(f"{name}={value!r}" for name, value in input.asDict(True).items())


def test_values_of_every_type(env: TableEnvironment) -> None:
    one = env.sql_query(
        "SELECT 1 AS k, TRUE AS b, CAST(1.5 AS DECIMAL(5, 2)) AS d, DATE'2024-02-29' AS day, X'00ff' AS raw, "
        "TIMESTAMP_LTZ'2024-01-01 00:00:00' AS z, ARRAY(1, NULL) AS a, MAP('x', 1) AS m, "
        "NAMED_STRUCT('p', 1, 'q', ARRAY(NAMED_STRUCT('r', 'deep'))) AS s, "
        "INTERVAL '1' HOUR AS i, CAST(NULL AS INT) AS n"
    )
    (row,) = rows_of(one.partition_by(col("k")).process(Wide))
    assert row[1] == (
        "k=1; b=True; d=Decimal('1.50'); day=datetime.date(2024, 2, 29); raw=b'\\x00\\xff'; "
        "z=datetime.datetime(2024, 1, 1, 0, 0, tzinfo=datetime.timezone.utc); a=[1, None]; m={'x': 1}; "
        "s={'p': 1, 'q': [{'r': 'deep'}]}; i=datetime.timedelta(seconds=3600); n=None"
    )


@function_hint(
    output="ROW<b BOOLEAN, d DECIMAL(5, 2), l ARRAY<INT>, m MAP<STRING, BIGINT>, "
    "s ROW<p INT, q STRING>, z TIMESTAMP_LTZ>"
)
class Made(ProcessTableFunction):
    def eval(self, input: TableAsRow[Row]) -> Iterator[Any]:
        zone = dt.timezone(dt.timedelta(hours=1))
        yield True, Decimal("1.005"), [1, None], {"x": 2}, (1, "a"), dt.datetime(2024, 1, 1, 1, tzinfo=zone)
        yield {"b": None, "d": 3, "l": (), "m": None, "s": {"q": "b", "p": None}, "z": None}


def test_results_of_every_type(env: TableEnvironment) -> None:
    found = rows_of(env.from_elements([(1,)], ["x"]).process(Made))
    assert [tuple(row) for row in found] == [
        (None, Decimal("3.00"), [], None, Row(p=None, q="b"), None),
        (True, Decimal("1.01"), [1, None], {"x": 2}, Row(p=1, q="a"), dt.datetime(2024, 1, 1, tzinfo=dt.UTC)),
    ]


@pytest.mark.parametrize(
    "name", ["a b", "x.y", "`", "window", "start", "EXPR$0", "_key_0", "count", "asDict", "日本", "''"]
)
def test_hostile_names(env: TableEnvironment, name: str) -> None:
    one = env.from_elements([(1, "x"), (1, "y")], [name, "other"])
    found = one.partition_by(col(name) + 1, col(name)).process(Wide)
    assert {row[-1] for row in rows_of(found)} == {f"{name}=1; other='x'", f"{name}=1; other='y'"}
    assert rows_of(one.process(Passes))[0][:2] == (1, "x")


class Passes(ProcessTableFunction):
    def eval(
        self, input: Annotated[Row, ArgumentHint(ArgumentTrait.TABLE_AS_ROW, ArgumentTrait.PASS_COLUMNS_THROUGH)]
    ) -> Iterator[int]:
        yield len(input)


def test_empty_input(env: TableEnvironment) -> None:
    none = table(env).filter(col("n") > 99)
    assert rows_of(none.partition_by(col("k")).process(Collects)) == []
    assert rows_of(none.process(Collects)) == [("",)]
    assert rows_of(none.process(Passes)) == []


class Left(ProcessTableFunction):
    """Emit each row of the second table with the number of preceding rows of the first table."""

    def eval(
        self, seen: MapView[str, int], first: TableAsSet[Row], second: TableAsSet[Row]
    ) -> Iterator[tuple[str, int]]:
        if first is not None:
            seen["n"] = seen.get("n", 0) + 1
        else:
            yield second.name, seen.get("n", 0)


def test_rows_of_several_tables_come_in_the_order_of_time(env: TableEnvironment) -> None:
    times = [dt.datetime(2024, 1, 1, 0, 0, second) for second in range(10)]
    first = env.from_elements([(1, times[0]), (1, times[4]), (2, times[1]), (None, times[2])], ["k", "ts"])
    second = env.from_elements(
        [(1, "a", times[3]), (1, "b", times[4]), (2, "c", times[0]), (None, "d", times[9]), (3, "e", times[1])],
        ["k", "name", "ts"],
    )
    found = env.from_call(Left, first.partition_by(col("k")), second.partition_by(col("k")), on_time=descriptor("ts"))
    assert found.get_schema().get_field_names() == ["k", "k0", "f0", "f1", "rowtime"]
    assert rows_of(found) == [
        (1, 1, "a", 1, times[3]),
        (1, 1, "b", 2, times[4]),
        (2, 2, "c", 0, times[0]),
        (3, 3, "e", 0, times[1]),
        (None, None, "d", 1, times[9]),
    ]


@dataclass
class Place:
    city: str
    zip: int | None


@dataclass
class Person:
    name: str
    home: Place | None


class Homes(ProcessTableFunction):
    def eval(self, person: TableAsRow[Person], other: Person) -> Iterator[tuple[str, str]]:
        yield str(person), str(other)


def test_objects_within_objects(env: TableEnvironment) -> None:
    people = env.sql_query(
        "SELECT 'Ada' AS name, NAMED_STRUCT('city', 'Oslo', 'zip', CAST(NULL AS BIGINT)) AS home UNION ALL "
        "SELECT 'Bob', CAST(NULL AS STRUCT<city: STRING, zip: BIGINT>)"
    )
    other = row(lit("Cleo"), row(lit("Rome"), lit(1).cast(DataTypes.BIGINT())))
    cleo = "Person(name='Cleo', home=Place(city='Rome', zip=1))"
    assert rows_of(people.process(Homes, other)) == [
        ("Person(name='Ada', home=Place(city='Oslo', zip=None))", cleo),
        ("Person(name='Bob', home=None)", cleo),
    ]


class Writes(ProcessTableFunction):
    """Append a line to a file on each ``open``, and return where each row goes."""

    def __init__(self, path: str) -> None:
        self.path = path

    def open(self, function_context: Any) -> None:
        with Path(self.path).open("a", encoding="utf-8") as file:
            file.write("opened\n")

    def eval(self, input: AnySet) -> Iterator[tuple[int, str]]:
        yield input.n, "main" if input.n % 2 else "side"


def test_one_call_feeds_all_inserts_of_a_statement_set(env: TableEnvironment, tmp_path: Path) -> None:
    schema = TableSchema.new_builder().column("n", DataTypes.BIGINT()).build()
    for name in ("main", "side"):
        files = TableDescriptor.for_connector("filesystem").schema(schema).format("parquet")
        env.create_temporary_table(name, files.option("path", str(tmp_path / name)).build())
    log = tmp_path / "log"
    split = table(env).process(Writes(str(log)), uid="only_once")
    statements = env.create_statement_set()
    for name in ("main", "side"):
        statements.add_insert(name, split.filter(col("f1") == name).select(col("f0").alias("n")))
    statements.execute()
    assert rows_of(env.from_path("main")) == [(1,), (3,), (5,), (9,)]
    assert rows_of(env.from_path("side")) == [(2,), (4,)]
    assert log.read_text(encoding="utf-8").splitlines() == ["opened"]
    for name in ("main", "side"):
        env.drop_temporary_table(name)


class Fails(ProcessTableFunction):
    def eval(self, ctx: Context, input: TableAsSet[Row], limit: int) -> Iterator[int]:
        ctx.timers(int).register_on_time("late", 5)
        if input.n > limit:
            raise KeyError("too much")
        yield input.n

    def on_timer(self) -> Iterator[int]:
        raise RuntimeError("in the timer")


class Stays(ProcessTableFunction):
    def eval(self, input: TableAsSet[Row]) -> Iterator[int]:
        while input.n == 4:
            pass
        yield input.n


def test_failures_name_their_place(env: TableEnvironment) -> None:
    by_key = table(env).partition_by(col("k")).order_by(col("n"))
    with pytest.raises(TableException) as caught:
        rows_of(by_key.process(Fails, 4, uid="main"))
    told = str(caught.value)
    # A row that is read by column contains only its keys and those columns.
    assert (
        "The function Fails (uid main).eval failed on (input=Row(k=None, n=5), limit=4): KeyError: 'too much'" in told
        or ("Row(k='b', n=9), limit=4): KeyError: 'too much'" in told)
    )
    assert 'raise KeyError("too much")' in told
    assert "runtime/process" not in told
    with pytest.raises(TableException, match=r"Fails\.on_timer failed on \(partition=.*RuntimeError: in the timer"):
        rows_of(by_key.process(Fails, 99))
    env.get_config().set("table.exec.process-table-function.timeout", "300 ms")
    with pytest.raises(TableException, match=r"Stays\.eval failed on .*n=4.*has not returned within 0\.3 sec"):
        rows_of(by_key.process(Stays))
    assert rows_of(by_key.process(Numbers).select(col("k")))
    env.execute_sql("RESET 'table.exec.process-table-function.timeout'")


@dataclass
class Stop:
    x: int
    label: str | None


@dataclass
class Journey:
    k: str
    stops: list[Stop]
    by_name: dict[str, Stop | None]


class Stops(ProcessTableFunction):
    def eval(self, input: TableAsRow[Journey], home: Stop, others: list[Stop]) -> Iterator[Stop]:
        for stop in (*input.stops, *input.by_name.values(), home, *others):
            assert stop is None or type(stop) is Stop
            yield Stop(0, "none") if stop is None else stop


def test_objects_within_lists_and_maps(env: TableEnvironment) -> None:
    journeys = env.sql_query(
        "SELECT 'a' AS k, ARRAY(NAMED_STRUCT('x', 1L, 'label', 'one')) AS stops, "
        "MAP('n', NULL, 's', NAMED_STRUCT('x', 2L, 'label', CAST(NULL AS STRING))) AS by_name"
    )
    others = [row(lit(4), lit("four"))]
    found = journeys.process(Stops, row(lit(3), lit("three")), array(*others))
    assert [tuple(row) for row in rows_of(found)] == [(0, "none"), (1, "one"), (2, None), (3, "three"), (4, "four")]


class Unsendable(ProcessTableFunction):
    def __init__(self) -> None:
        self.lock = __import__("threading").Lock()

    def eval(self, input: TableAsRow[Row]) -> Iterator[int]:
        yield 1


def test_unsendable_functions(env: TableEnvironment) -> None:
    with pytest.raises(TableException, match=r"Unsendable cannot be sent to Spark's workers: .*open what is not"):
        rows_of(table(env).process(Unsendable))


def test_rerun_queries_register_no_function(env: TableEnvironment) -> None:
    found = table(env).process(Passes)
    texts = {re.sub(r"#\d+", "#", found.explain()) for _ in range(3)}
    assert len(texts) == 1


def test_functions_over_functions(env: TableEnvironment) -> None:
    inner = table(env).partition_by(col("k")).order_by(col("n")).process(Collects, uid="inner")
    outer = inner.partition_by(col("values")).process(Collects, uid="outer")
    assert rows_of(outer) == [("1 3", "1 3"), ("2", "2"), ("4 5", "4 5"), ("9", "9")]
    both = inner.union_all(inner).select(lit(1).count)
    assert rows_of(both) == [(8,)]


def test_views_of_the_session_see_what_their_tables_have_now(env: TableEnvironment, tmp_path: Path) -> None:
    files = str(tmp_path / "rows")
    env.spark.sql(f"CREATE TABLE counted_rows (n BIGINT) USING parquet LOCATION '{files}'")
    env.create_temporary_view("counted", env.from_path("counted_rows").process(Passes))
    for number in (1, 2):
        env.spark.sql(f"INSERT INTO counted_rows VALUES ({number})")
        assert rows_of(env.from_path("counted")) == [(n, 1) for n in range(1, number + 1)]
        assert env.spark.table("counted").count() == number
    # An error in the input of the function is reported with its operation and SQL.
    failing = env.from_path("counted_rows").select((col("n") / (col("n") - col("n"))).alias("x")).process(Passes)
    with pytest.raises(TableException, match=r"DIVIDE_BY_ZERO") as caught:
        rows_of(failing)
    assert "`n` / (`n` - `n`)" in str(caught.value)
    env.drop_temporary_view("counted")
    env.spark.sql("DROP TABLE counted_rows")
