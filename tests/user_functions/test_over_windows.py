"""User-defined aggregates over windows: the rows of every frame, and how often a function is called."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from tableapi import AggregateFunction, FunctionContext, TableEnvironment, udaf
from tableapi.spark.runtime import frames, functions, series

# --- frames in the form that Spark passes to a function --------------------------------------------------------------

FRAMES: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "all rows": lambda row, count: (0, count),
    "so far": lambda row, count: (0, row + 1),
    "peers so far": lambda row, count: (0, min(count, row // 2 * 2 + 2)),
    "sliding": lambda row, count: (max(0, row - 2), min(count, row + 2)),
    "from here": lambda row, count: (row, count),
    "before": lambda row, count: (max(0, row - 5), max(0, row - 2)),
    "after": lambda row, count: (min(count, row + 2), min(count, row + 5)),
    "jumping": lambda row, count: (row * 7 % (count + 1), count),
}


def listed(is_filtered: bool, required: tuple[int, ...] = ()) -> Callable[..., Any]:
    """Return an aggregation whose result is the list of accumulated rows."""

    def accumulate(accumulator: list[Any], *row: Any) -> None:
        accumulator.append(row)

    parts: Any = functions.Aggregation(list, accumulate, repr)
    program = functions.Program(
        "listed",
        parts,
        pa.string(),
        required=required,
        make_row=lambda names, values: tuple(values),
    )
    value: Callable[..., Any] = frames.value_of_frame(program, frames.rows_of_frames, is_filtered)
    return value


@pytest.mark.parametrize("data_type", [pa.int64(), pa.int8(), pa.string(), pa.null(), pa.list_(pa.int64())])
@pytest.mark.parametrize("is_filtered", [False, True])
@pytest.mark.parametrize("ahead", [1, 3, 1000])
def test_rows_of_frames(data_type: pa.DataType, is_filtered: bool, ahead: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_AHEAD", ahead)
    drawn = random.Random(str(data_type))
    made: dict[str, Callable[[], Any]] = {
        "int64": drawn.random,
        "int8": drawn.random,
        "string": lambda: str(drawn.random()),
        "null": lambda: None,
    }
    make = made.get(str(data_type), lambda: [drawn.randrange(9)])
    for frame in FRAMES.values():
        # One function processes the frames of many partitions.
        value = listed(is_filtered, required=(0,))
        for count in (1, 1, 7, 1, 12):
            given = [None if drawn.random() < 0.3 else make() for _ in range(count)]
            given = [int(9 * one) if isinstance(one, float) else one for one in given]
            counts = [drawn.choice([True, False, None]) for _ in range(count)]
            columns = [
                pa.array(given, data_type),
                pa.array(range(count)),
                *([pa.array(counts, pa.bool_())] * is_filtered),
            ]
            for row in range(count):
                start, end = frame(row, count)
                expected = [
                    (given[i], i) for i in range(start, end) if given[i] is not None and (counts[i] or not is_filtered)
                ]
                assert value(*[column.slice(start, end - start) for column in columns]) == repr(expected)


COLUMNS = {
    "integers": pa.array([3, 1, 2, 5, 4], pa.int32()),
    "integers with NULL": pa.array([3, None, 2, 5, 4], pa.int64()),
    "floats": pa.array([0.5, float("nan"), 2.0, -0.0, 4.0]),
    "floats with NULL": pa.array([0.5, None, 2.0, None, 4.0], pa.float32()),
    "part of a column": pa.array(range(20)).slice(3, 5),
    "texts": pa.array(["a", None, "", "b", "c"]),
    "truth": pa.array([True, False, True, True, False]),
    "truth with NULL": pa.array([True, None, True, True, False]),
    "numbers that are no floats": pa.array([2**60 + 1, None, 2**60 + 3, 2**60 + 5, 2**60 + 7]),
    "days": pa.array([dt.date(2024, 1, 1 + day) for day in range(5)]),
    "lists": pa.array([[1], None, [], [2, 3], [4]]),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_series_of_frames(column: pa.Array) -> None:
    import pandas as pd

    found: list[Any] = []
    program = functions.Program(
        "seen", lambda one, other: found.append(one), pa.int64(), make_row=lambda names, values: tuple(values)
    )
    value = frames.value_of_frame(program, series.series_of_frames, False)
    for frame in FRAMES.values():
        for start, end in [frame(row, len(column)) for row in range(len(column))]:
            given = column.slice(start, end - start)
            assert value(given, given) is None
            exact = {pa.int64(): pd.Int64Dtype()}.get if given.null_count and series.has_no_floats(column) else None
            expected = given.to_pandas(date_as_object=True, types_mapper=exact)
            # The index is the position within the partition.
            expected.index = pd.RangeIndex(given.offset, given.offset + len(given))
            pd.testing.assert_series_equal(found.pop(), expected)


def test_series_have_numbers_exactly() -> None:
    large = 2**60 + 1
    column = pa.array([large, None, 3, 4], pa.int64())
    made = series.series_of(column)
    assert (str(made.dtype), made.dropna().tolist()) == ("Int64", [large, 3, 4])
    twice = series.wrap_pandas_function(lambda given: given * 2, pa.int64())
    assert twice(column).to_pylist() == [2 * large, None, 6, 8]
    # The dtypes are PySpark's if floats can represent all values, or if no value is missing.
    assert [str(series.series_of(part).dtype) for part in (column.slice(1), column.slice(2))] == ["float64", "int64"]
    assert [list(row) for row in series.series_of(pa.array([[large, None], []]))] == [[large, None], []]
    # All frames of a partition have the same dtype.
    found: list[Any] = []
    program = functions.Program("seen", found.append, pa.int64(), make_row=lambda names, values: tuple(values))
    value = frames.value_of_frame(program, series.series_of_frames, False)
    for start, count in ((0, 2), (1, 2), (2, 2)):
        value(column.slice(start, count))
    assert [(str(part.dtype), part.dropna().tolist()) for part in found] == [
        ("Int64", [large]),
        ("Int64", [3]),
        ("int64", [3, 4]),
    ]


# --- on Spark --------------------------------------------------------------------------------------------------------


class Numbers(AggregateFunction):
    """The sorted numbers of a group, with -1 for NULL."""

    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], *args: int | None) -> None:
        accumulator.append(-1 if args[0] is None else args[0])

    def get_value(self, accumulator: list[int]) -> list[int]:
        return sorted(accumulator)


class Opened(Numbers):
    """The same for a function with ``open``."""

    def open(self, function_context: FunctionContext) -> None:
        self.parameter = function_context.get_job_parameter("absent", "")

    def get_value(self, accumulator: list[int]) -> list[int]:
        return sorted(accumulator) + list(map(int, self.parameter))


class Closed(Opened):
    """The same for a function that also has ``close``."""

    def close(self) -> None:
        del self.parameter


class Columns(Numbers):
    """The same for whole columns."""

    def accumulate(self, accumulator: list[int], *args: Any) -> None:
        accumulator += [-1 if number is None or number != number else int(number) for number in args[0].tolist()]


def numbers_of(column: Any) -> list[int]:
    """Return the sorted numbers of a column, with -1 for NULL."""
    return sorted([-1 if number is None or number != number else int(number) for number in column.tolist()])


class Accumulated(AggregateFunction):
    """The number of rows that an instance has accumulated."""

    def __init__(self) -> None:
        self.count = 0

    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        self.count += 1

    def get_value(self, accumulator: list[int]) -> int:
        return self.count


class Last(AggregateFunction):
    """The last value, of any type."""

    def create_accumulator(self) -> list[Any]:
        return [None]

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        accumulator[0] = args[0]

    def get_value(self, accumulator: list[Any]) -> Any:
        return accumulator[0]


TYPES = {
    "TINYINT": "CAST(id AS TINYINT)",
    "BIGINT": "CAST(id AS BIGINT)",
    "FLOAT": "CAST(id AS FLOAT)",
    "DOUBLE": "CAST(id AS DOUBLE)",
    "BOOLEAN": "id > 2",
    "STRING": "CAST(id AS STRING)",
    "BYTES": "CAST(CAST(id AS STRING) AS BINARY)",
    "DECIMAL(10, 2)": "CAST(id AS DECIMAL(10, 2))",
    "DATE": "DATE '2024-02-29' + id",
    "TIMESTAMP": "TIMESTAMP_NTZ '2024-02-29 01:02:03' + id * INTERVAL '1' HOUR",
    "TIMESTAMP_LTZ": "TIMESTAMP '2024-02-29 01:02:03' + id * INTERVAL '1' HOUR",
    "INTERVAL DAY TO SECOND": "id * INTERVAL '1 00:00:00' DAY TO SECOND",
    "ARRAY<BIGINT>": "ARRAY(CAST(id AS BIGINT), NULL)",
    "MAP<STRING, BIGINT>": "MAP('a', CAST(id AS BIGINT))",
    "ROW<a BIGINT, b ROW<c STRING>>": "NAMED_STRUCT('a', CAST(id AS BIGINT), 'b', NAMED_STRUCT('c', 'x'))",
}


@pytest.fixture(scope="module")
def env(spark: SparkSession) -> Iterator[TableEnvironment]:
    env = TableEnvironment.create(spark=spark.newSession())
    env.create_temporary_view(
        "t",
        env.sql_query(
            "SELECT * FROM VALUES (1, 1, 10, TRUE), (2, 1, NULL, TRUE), (3, 1, 20, FALSE), (4, NULL, 30, NULL), "
            "(5, NULL, 40, TRUE), (6, 2, 50, FALSE) AS t(id, k, v, f)"
        ),
    )
    result = "ARRAY<BIGINT>"
    made = {
        "by_row": udaf(Numbers(), ["BIGINT"], result),
        "opened": udaf(Opened(), ["BIGINT"], result),
        "closed": udaf(Closed(), ["BIGINT"], result),
        "pandas_columns": udaf(numbers_of, ["BIGINT"], result, func_type="pandas"),
        "arrow_columns": udaf(lambda column: numbers_of(column.to_numpy(False)), ["BIGINT"], result, func_type="arrow"),
        "pandas_class": udaf(Columns(), ["BIGINT"], result, func_type="pandas"),
        "accumulated": udaf(Accumulated(), ["INT"], "BIGINT"),
    }
    for name, function in made.items():
        env.create_temporary_system_function(name, function)
    for number, data_type in enumerate(TYPES):
        env.create_temporary_system_function(f"last_{number}", udaf(Last(), [data_type], data_type))
    yield env
    env.drop_temporary_view("t")


def rows_of(env: TableEnvironment, query: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in env.sql_query(query).execute().collect()]


WINDOWS = (
    "",
    "PARTITION BY k",
    "PARTITION BY k ORDER BY f ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
    "PARTITION BY k ORDER BY id",
    "PARTITION BY k ORDER BY f",
    "ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING",
    "PARTITION BY k ORDER BY id ROWS BETWEEN 5 PRECEDING AND 2 PRECEDING",
    "ORDER BY id ROWS BETWEEN 3 FOLLOWING AND 4 FOLLOWING",
    "ORDER BY v RANGE BETWEEN 10 PRECEDING AND CURRENT ROW",
    "PARTITION BY k ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
)


@pytest.mark.parametrize("filtered", ["", " FILTER (WHERE f)"])
def test_every_kind_of_function_and_frame(env: TableEnvironment, filtered: str) -> None:
    kinds = ("by_row", "opened", "closed", "pandas_columns", "arrow_columns", "pandas_class")
    calls = [f"{kind}(v){filtered} OVER w{i}" for i in range(len(WINDOWS)) for kind in kinds]
    built_in = [f"SORT_ARRAY(ARRAY_AGG(COALESCE(v, -1)){filtered} OVER w{i})" for i in range(len(WINDOWS))]
    windows = ", ".join(f"w{i} AS ({window})" for i, window in enumerate(WINDOWS))
    columns = ", ".join(f"{made} AS c{i}" for i, made in enumerate([*calls, *built_in]))
    for row in rows_of(env, f"SELECT {columns} FROM t WINDOW {windows}"):
        values, expected = row[: len(calls)], row[len(calls) :]
        for i, window in enumerate(WINDOWS):
            of_window = dict(zip(kinds, values[i * len(kinds) :], strict=False))
            assert (window, of_window) == (window, dict.fromkeys(kinds, expected[i]))


def test_each_row_is_accumulated_once(env: TableEnvironment) -> None:
    found = rows_of(
        env, "SELECT id, accumulated(id) OVER (), accumulated(id) OVER (ORDER BY id) FROM t WHERE id < 5 ORDER BY id"
    )
    assert found == [(1, 4, 1), (2, 4, 2), (3, 4, 3), (4, 4, 4)]


def test_where_windows_stand(env: TableEnvironment) -> None:
    # Beside windows of built-in functions, in expressions, over groups, over calls of other functions.
    found = rows_of(
        env,
        "SELECT k, CARDINALITY(by_row(SUM(id)) OVER (ORDER BY k)) + SUM(SUM(id)) OVER () AS n, "
        "RANK() OVER (ORDER BY k) AS r FROM t GROUP BY k ORDER BY r",
    )
    assert found == [(None, 22, 1), (1, 23, 2), (2, 24, 3)]
    nested = "SELECT id, by_row(CARDINALITY(s)) OVER (PARTITION BY k) AS s FROM "
    inner = "(SELECT id, k, by_row(id) OVER (PARTITION BY k) AS s FROM t WHERE k > 0)"
    assert rows_of(env, f"{nested}{inner} ORDER BY id") == [(1, [3, 3, 3]), (2, [3, 3, 3]), (3, [3, 3, 3]), (6, [1])]


def test_windows_behind_a_dataframe(env: TableEnvironment) -> None:
    """Spark merges equal windows, and cannot plan pandas and Arrow functions in the same window."""
    highest = udaf(lambda column: column.max(), ["DOUBLE"], "DOUBLE", func_type="pandas")
    env.create_temporary_system_function("highest", highest)
    windows = [
        *WINDOWS,
        "PARTITION BY f ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW",
        "ORDER BY v DESC RANGE BETWEEN 10 PRECEDING AND 10 FOLLOWING",
        "ORDER BY DATE '2024-01-01' + CAST(id AS INT) RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW",
        "ORDER BY CAST(id AS DECIMAL(38, 10)) NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING",
    ]
    over = ", ".join(f"w{i} AS ({window})" for i, window in enumerate(windows))
    of_series = [f"highest(CAST(id AS DOUBLE)) OVER w{i} AS s{i}" for i in range(len(windows))]
    of_arrow = [f"{f}(v) OVER w{i} AS {f}{i}" for i in range(len(windows)) for f in ("arrow_columns", "by_row")]
    names = [call.rpartition(" ")[2] for call in of_series + of_arrow]
    expected = rows_of(env, f"SELECT {', '.join([*of_series, *of_arrow])} FROM t WINDOW {over} ORDER BY id")
    for first, then in ((of_series, of_arrow), (of_arrow, of_series)):
        inner = env.sql_query(f"SELECT *, {', '.join(first)} FROM t WINDOW {over}")
        env.create_temporary_view("inner_windows", env.from_spark(inner.to_spark()))
        query = f"SELECT *, {', '.join(then)} FROM inner_windows WINDOW {over}"
        assert rows_of(env, f"SELECT {', '.join(names)} FROM ({query}) ORDER BY id") == expected
        env.drop_temporary_view("inner_windows")


def test_results_of_every_type(env: TableEnvironment) -> None:
    values = [f"CASE WHEN id IN (2, 5) THEN {value} END" for value in TYPES.values()]
    calls = [f"last_{number}({value}) OVER w" for number, value in enumerate(values)]
    calls += [f"LAST_VALUE({value}) OVER w" for value in values]
    # Rows as strings, because PySpark fails to fetch a NULL row with NOT NULL fields.
    columns = [f"{f'TO_JSON({made})' if 'NAMED_STRUCT' in made else made} AS c{i}" for i, made in enumerate(calls)]
    window = "w AS (PARTITION BY k ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"
    found = rows_of(env, f"SELECT {', '.join(columns)} FROM t WINDOW {window}")
    assert [row[: len(TYPES)] for row in found] == [row[len(TYPES) :] for row in found]
    assert any(None not in row for row in found)


def seen(column: Any) -> str:
    """Return the dtype, values and index of a series."""
    return f"{column.dtype} {column.tolist()} {column.index.tolist()}"


def made(column: Any) -> Any:
    """Return a missing value or a number that no float can represent."""
    values = {1: None, 2: float("nan"), 3: int(column.iloc[-1]) + 2**60}
    return values[len(column)]


SEEN = {
    "FLOAT": "IF(id % 3 = 0, NULL, CAST(id AS FLOAT))",
    "DOUBLE": "IF(id % 3 = 0, NULL, id / 2D)",
    "DECIMAL(10, 2)": "IF(id % 3 = 0, NULL, CAST(id AS DECIMAL(10, 2)))",
    "STRING": "IF(id % 3 = 0, NULL, CONCAT('a', id))",
    "BYTES": "IF(id % 3 = 0, NULL, CAST(CAST(id AS STRING) AS BINARY))",
    "DATE": "IF(id % 3 = 0, NULL, DATE '2024-02-29' + id)",
    "INT": "id",
    "BIGINT": "CAST(id AS BIGINT)",
    "BOOLEAN": "id > 3",
}


def test_series_of_spark_equal_those_of_frames(env: TableEnvironment) -> None:
    for number, data_type in enumerate(SEEN):
        function = udaf(seen, [data_type], "STRING", func_type="pandas", name="seen")
        env.create_temporary_system_function(f"seen_{number}", function)
    windows = {"w": WINDOWS[1], "growing": WINDOWS[3], "sliding": WINDOWS[6]}
    calls = [f"seen_{n}({value}) OVER {w}" for n, value in enumerate(SEEN.values()) for w in windows]
    columns = ", ".join(f"{call} AS c{i}" for i, call in enumerate(calls))
    defined = ", ".join(f"{name} AS ({window})" for name, window in windows.items())
    alone = f"SELECT id, {columns} FROM t WINDOW {defined} ORDER BY id"
    # Beside a row-based function, the series are made from Arrow columns.
    beside = alone.replace("SELECT id,", "SELECT id, by_row(id) OVER w,")
    found = rows_of(env, alone)
    assert [row[:1] + row[2:] for row in rows_of(env, beside)] == found
    assert found[0][1 : 1 + len(windows)] == ("float32 [1.0, 2.0, nan] [0, 1, 2]", "float32 [1.0] [0]", "float32 [] []")


def test_which_series_spark_makes(env: TableEnvironment) -> None:
    # Only series that Spark itself makes have a name.
    named = udaf(lambda column: str(column.name), result_type="STRING", func_type="pandas", name="named")
    env.create_temporary_system_function("named", named)

    def are_named(*calls: str) -> bool:
        columns = ", ".join(f"{call} OVER (PARTITION BY k) AS c{i}" for i, call in enumerate(calls))
        return rows_of(env, f"SELECT {columns} FROM t WHERE id = 1")[0][0] != "None"

    assert are_named("named(id)")
    assert are_named("named(CAST(v AS DOUBLE))", "named(CAST(v AS STRING))")
    # For nullable numbers, Spark makes floats in all frames of a partition; and it cannot plan other kinds beside.
    assert not are_named("named(v)")
    assert not are_named("named(id)", "by_row(id)")
    assert not are_named("named(id) FILTER (WHERE f)")
    below = "(SELECT *, by_row(id) OVER (PARTITION BY k) AS r FROM t)"
    assert rows_of(env, f"SELECT named(id) OVER (PARTITION BY k) AS n FROM {below} WHERE id = 1") == [("None",)]


def test_results_that_are_missing(env: TableEnvironment) -> None:
    function = udaf(made, ["INT"], "BIGINT", func_type="pandas", name="made")
    env.create_temporary_system_function("made", function)
    expected = [(1, None), (2, None), (3, 3 + 2**60), (4, None), (5, None), (6, None)]
    call = "made(id) OVER (PARTITION BY k ORDER BY id)"
    assert rows_of(env, f"SELECT id, {call} FROM t ORDER BY id") == expected
    assert [row[:2] for row in rows_of(env, f"SELECT id, {call}, by_row(id) OVER () FROM t ORDER BY id")] == expected
    assert rows_of(env, "SELECT k, made(id) AS m FROM t GROUP BY k ORDER BY k") == [
        (None, None),
        (1, 3 + 2**60),
        (2, None),
    ]
