"""Partitions, state and output of process table functions, over local data."""

from __future__ import annotations

import datetime as dt
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest

from tableapi.spark.runtime.base import FunctionContext
from tableapi.spark.runtime.failures import FunctionFailed
from tableapi.spark.runtime.process.declarations import ListView, MapView, ProcessTableFunction, StateRow
from tableapi.spark.runtime.process.plan import Given, Parameter, StatePlan, TablePlan
from tableapi.spark.runtime.process.rows import starts_of_partitions
from tableapi.spark.runtime.process.running import Running
from tests.process_functions.running.tasks import CONTEXT, INPUT, batch_of, plan_of, run, split, state

LONG, TEXT = pa.int64(), pa.string()
ROWS = [(1, 0, 10), (1, 1, 20), (2, 0, 5), (2, 5, 6), (2, 7, 7), (None, 0, 1), (None, 3, 2)]


@dataclass
class Sum:
    total: int = 0


class SumSoFar(ProcessTableFunction):
    """Emit the sum so far, and the final sum at the end."""

    def eval(self, state: Sum, input: Any) -> Iterator[tuple[str, int]]:
        state.total += input.v
        yield "so far", state.total

    def finish(self, state: Sum) -> Iterator[tuple[str, int]]:
        yield "all", state.total


def running_sum(**more: Any) -> Any:
    return plan_of(
        SumSoFar(),
        [state(), INPUT],
        [("what", TEXT), ("total", LONG)],
        states=[("state", Sum)],
        finish=(state(),),
        timed=False,
        **more,
    )


EXPECTED = [
    (1, "so far", 10),
    (1, "so far", 30),
    (1, "all", 30),
    (2, "so far", 5),
    (2, "so far", 11),
    (2, "so far", 18),
    (2, "all", 18),
    (None, "so far", 1),
    (None, "so far", 3),
    (None, "all", 3),
]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 100])
def test_partitions_are_found_whatever_the_batches(size: int) -> None:
    assert run(running_sum(), *split(ROWS, size)) == EXPECTED


def test_no_rows_yield_no_rows() -> None:
    assert run(running_sum()) == []
    assert run(running_sum(), batch_of([])) == []


def test_keys_are_compared_as_in_sql() -> None:
    nan = float("nan")
    floats = pa.array([None, None, -0.0, 0.0, 1.0, nan, nan])
    assert starts_of_partitions([floats], []) == [0, 2, 4, 5]
    structs = pa.array([None, {"a": None}, {"a": None}, {"a": 1}, {"a": 1}], pa.struct([("a", LONG)]))
    assert starts_of_partitions([structs], []) == [0, 1, 3]
    lists = pa.array([None, [1], [1], [1, None], [1, None]])
    assert starts_of_partitions([lists], []) == [0, 1, 3]
    two = [pa.array([1, 1, 1, 2]), pa.array(["a", "a", None, None])]
    assert starts_of_partitions(two, [two[0].slice(0, 1), two[1].slice(0, 1)]) == [2, 3]
    assert starts_of_partitions(two, [pa.array([7]), pa.array(["a"])]) == [0, 2, 3]


class Opened(ProcessTableFunction):
    def __init__(self) -> None:
        self.calls: list[str] = []

    def open(self, function_context: FunctionContext) -> None:
        self.calls.append(function_context.get_job_parameter("mode", "none"))

    def eval(self, input: Any) -> None:
        self.calls.append("eval")

    def close(self) -> None:
        self.calls.append("close")


def test_open_and_close_are_called_once() -> None:
    function = Opened()
    plan = plan_of(function, [INPUT], [("x", LONG)], timed=False, job_parameters={"mode": "fast"})
    run(plan, batch_of(ROWS[:2]), batch_of(ROWS[2:4]))
    assert function.calls == ["fast", "eval", "eval", "eval", "eval", "close"]
    empty = Opened()
    run(plan_of(empty, [INPUT], [("x", LONG)], timed=False))
    assert empty.calls == []


class States(ProcessTableFunction):
    """Clear the state that the row selects, out of several."""

    def eval(self, ctx: Any, count: Any, seen: Any, by: Any, input: Any) -> Iterator[tuple[int, str, str]]:
        count.n += 1
        seen.add(input.v)
        by[input.v] = by.get(input.v, 0) + 1
        yield count.n, repr(seen.get()), repr(dict(by.items()))
        if input.v == 0:
            ctx.clear_all_state()
        elif input.v < 0:
            ctx.clear_state({-1: "count", -2: "seen", -3: "by"}[input.v])


def test_states_are_of_a_partition_and_can_be_cleared() -> None:
    plan = plan_of(
        States(),
        [CONTEXT, state(0), state(1), state(2), INPUT],
        [("n", LONG), ("seen", TEXT), ("by", TEXT)],
        states=[("count", lambda: StateRow(("n",), (0,))), ("seen", ListView), ("by", MapView)],
        timed=False,
    )
    given = [(1, 0, 4), (1, 0, -1), (1, 0, -2), (1, 0, -3), (1, 0, 0), (1, 0, 4), (2, 0, 4)]
    assert run(plan, *split(given, 3)) == [
        (1, 1, "[4]", "{4: 1}"),
        (1, 2, "[4, -1]", "{4: 1, -1: 1}"),
        (1, 1, "[4, -1, -2]", "{4: 1, -1: 1, -2: 1}"),
        (1, 2, "[-3]", "{4: 1, -1: 1, -2: 1, -3: 1}"),
        (1, 3, "[-3, 0]", "{0: 1}"),
        (1, 1, "[4]", "{4: 1}"),
        (2, 1, "[4]", "{4: 1}"),
    ]


class Clears(ProcessTableFunction):
    def eval(self, ctx: Any, state: Any, input: Any) -> None:
        ctx.clear_state("stat")


def test_a_state_that_is_not_there() -> None:
    plan = plan_of(Clears(), [CONTEXT, state(), INPUT], [("x", LONG)], states=[("state", Sum)], timed=False)
    with pytest.raises(FunctionFailed, match=r"no state .stat.; its states are state\. Did you mean .state."):
        run(plan, batch_of(ROWS[:1]))


class Expires(ProcessTableFunction):
    def eval(self, value: Any, seen: Any, by: Any, input: Any) -> Iterator[tuple[int, str, str]]:
        yield value.total, repr(seen.get()), repr(sorted(by.keys()))
        if input.v:
            value.total += input.v
            seen.add(input.v)
            by[input.v % 3] = 1


def test_state_expires_by_the_time_of_rows() -> None:
    ten = 10_000_000
    plan = plan_of(
        Expires(),
        [state(0), state(1), state(2), INPUT],
        [("total", LONG), ("seen", TEXT), ("by", TEXT)],
        states=[StatePlan("value", Sum, ten), StatePlan("seen", ListView, ten), StatePlan("by", MapView, ten)],
    )
    rows = [(1, 0, 1), (1, 5, 2), (1, 10, 0), (1, 14.9, 0), (1, 15, 0), (2, 16, 0)]
    assert [row[1:-1] for row in run(plan, batch_of(rows))] == [
        (0, "[]", "[]"),
        (1, "[1]", "[1]"),
        (3, "[2]", "[2]"),
        (3, "[2]", "[2]"),
        (0, "[]", "[]"),
        (0, "[]", "[]"),
    ]


class Yields(ProcessTableFunction):
    def __init__(self, made: Any) -> None:
        self.made = made

    def eval(self, input: Any) -> Any:
        return self.made(input)


@dataclass
class Pair:
    v: int
    text: str | None


@pytest.mark.parametrize(
    "made",
    [
        lambda row: (row.v, "a"),
        lambda row: [(row.v, "a")],
        lambda row: {"text": "a", "v": row.v},
        lambda row: Pair(row.v, "a"),
        lambda row: iter([Pair(row.v, "a")]),
        lambda row: StateRow(("v", "text"), (row.v, "a")),
        lambda row: [[row.v, "a"]],
    ],
)
def test_rows_may_be_given_in_many_forms(made: Any) -> None:
    plan = plan_of(Yields(made), [INPUT], [("v", LONG), ("text", TEXT)], timed=False)
    assert run(plan, batch_of(ROWS[:2])) == [(1, 10, "a"), (1, 20, "a")]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda row: (row.v,), "a row of the 2 columns v, text is wanted, but one of 1 was yielded"),
        (lambda row: 7, "a row of the columns v, text is wanted, but 7 was yielded"),
        (lambda row: {"v": 1, "txt": "a"}, "a row of the columns v, text is wanted, but a dict of v, txt was yielded"),
        (
            lambda row: ("x", "a"),
            "in the column v, the value 'x' is no value of its type BIGINT: an integer is an int",
        ),
        (lambda row: (1, b"a"), "in the column text, the value b'a' is no value of its type STRING: a STRING is a str"),
    ],
)
def test_invalid_output_rows(made: Any, message: str) -> None:
    plan = plan_of(Yields(made), [INPUT], [("v", LONG), ("text", TEXT)], timed=False)
    with pytest.raises(FunctionFailed) as caught:
        run(plan, batch_of(ROWS[:1]))
    assert message in str(caught.value)
    assert "input=Row(k=1, ts=datetime.datetime(1970, 1, 1, 0, 0), v=10)" in str(caught.value)


def test_null_in_a_not_null_column() -> None:
    output = [pa.field("k", LONG), pa.field("v", LONG, nullable=False)]
    plan = plan_of(Yields(lambda row: None if row.v == 10 else (None,)), [INPUT], [], timed=False)
    plan = type(plan)(**{**vars(plan), "output": pa.schema(output)})
    with pytest.raises(FunctionFailed, match="the column is NOT NULL"):
        run(plan, batch_of(ROWS[:2]))


@pytest.mark.parametrize(
    ("data_type", "value", "part"),
    [
        (pa.struct([pa.field("a", LONG, nullable=False)]), (None,), "the field a"),
        (pa.list_(pa.field("element", LONG, nullable=False)), [1, None], "an element"),
        (pa.map_(TEXT, pa.field("value", LONG, nullable=False)), {"x": None}, "a value of the map"),
        (pa.list_(pa.struct([pa.field("a", LONG, nullable=False)])), [(1,), None, (None,)], "the field a"),
    ],
)
def test_null_within_a_not_null_value(data_type: pa.DataType, value: Any, part: str) -> None:
    plan = plan_of(Yields(lambda row: (value,)), [INPUT], [("v", data_type)], timed=False)
    with pytest.raises(FunctionFailed, match=f"{part} is None, but its type is NOT NULL"):
        run(plan, batch_of(ROWS[:1]))
    fine = plan_of(Yields(lambda row: (None,)), [INPUT], [("v", data_type)], timed=False)
    assert run(fine, batch_of(ROWS[:1])) == [(1, None)]


class Changing(ProcessTableFunction):
    def eval(self, state: Sum, seen: Any, input: Any) -> Iterator[Any]:
        state.total += 1
        seen.append(input.v)
        yield state.total, seen


def test_yielded_rows_are_copied() -> None:
    plan = plan_of(
        Changing(),
        [state(0), state(1), INPUT],
        [("n", LONG), ("seen", pa.list_(LONG))],
        states=[("state", Sum), ("seen", list)],
        timed=False,
    )
    assert run(plan, batch_of(ROWS[:2])) == [(1, 1, [10]), (1, 2, [10, 20])]


class Fails(ProcessTableFunction):
    def eval(self, input: Any) -> Iterator[tuple[int]]:
        yield (1,)
        raise KeyError("nothing")


def test_a_failure_shows_the_function_the_row_and_the_code_of_the_user() -> None:
    plan = plan_of(Fails(), [INPUT], [("v", LONG)], timed=False, uid="main")
    with pytest.raises(FunctionFailed) as caught:
        run(plan, batch_of(ROWS))
    told = str(caught.value)
    assert '"function": "f (uid main).eval"' in told
    assert "v=10" in told
    assert "KeyError: 'nothing'" in told
    assert "raise KeyError" in told
    assert "runtime/process" not in told


class Many(ProcessTableFunction):
    def eval(self, input: Any) -> Iterator[int]:
        yield from range(input.v)


def test_output_has_a_limit_for_each_batch() -> None:
    plan = plan_of(Many(), [INPUT], [("n", LONG)], timed=False, is_atomic=True)
    sizes = [batch.num_rows for batch in Running(plan).rows(batch_of([(1, 0, 25_000)]), ())]
    assert sizes == [10_000, 10_000]
    assert len(run(plan, batch_of([(1, 0, 25_000)]))) == 25_000


class Counts(ProcessTableFunction):
    def eval(self, state: Sum, input: Any) -> None:
        state.total += 1

    def finish(self, state: Sum) -> Iterator[int]:
        yield state.total


def test_a_partition_of_millions_takes_no_more_memory_than_a_batch() -> None:
    plan = plan_of(
        Counts(), [state(), INPUT], [("n", LONG)], states=[("s", Sum)], finish=(state(),), timed=False, is_atomic=True
    )
    running, batch = Running(plan), batch_of([(1, 0, 1)] * 2_000)
    for _ in running.rows(batch, ()):
        pass
    tracemalloc.start()
    try:
        for _ in range(100):
            list(running.rows(batch, ()))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [batch.to_pylist() for batch in running.end()] == [[{"k": 1, "n": 202_000}]]
    running.close()
    assert peak < 2_000_000


class Joins(ProcessTableFunction):
    def eval(self, left: Any, right: Any, limit: int) -> Iterator[tuple[str, int]]:
        yield ("left", left.a) if left is not None else ("right", right.b + limit)


def test_several_tables_are_merged() -> None:
    left, right = pa.struct([("a", LONG)]), pa.struct([("b", LONG), ("c", TEXT)])
    batch = pa.RecordBatch.from_arrays(
        [
            pa.array([1, 1, 1, 2]),
            pa.array([0, 1, 0, 1], pa.int32()),
            pa.array([{"a": 1}, None, {"a": 2}, None], left),
            pa.array([None, {"b": 10, "c": "x"}, None, {"b": 20, "c": "y"}], right),
        ],
        ["k", "tag", "left", "right"],
    )
    plan = plan_of(
        Joins(),
        [Parameter(Given.TABLE, 0), Parameter(Given.TABLE, 1), Parameter(Given.SCALAR, 0, name="limit")],
        [("side", TEXT), ("value", LONG)],
        timed=False,
        tag=1,
        tables=(TablePlan("left", ("a",), (2,), True), TablePlan("right", ("b", "c"), (3,), True)),
    )
    rows = [(1, "left", 1), (1, "right", 110), (1, "left", 2), (2, "right", 120)]
    assert run(plan, batch, scalars=[100]) == rows
    assert run(plan, batch.slice(0, 2), batch.slice(2), scalars=[100]) == rows


def test_times_are_datetimes() -> None:
    plan = plan_of(Yields(lambda row: (row.ts.isoformat(),)), [INPUT], [("text", TEXT)], timed=False)
    assert run(plan, batch_of([(1, 1.5, 0)])) == [(1, "1970-01-01T00:00:01.500000")]
    zoned = batch_of([(1, 1.5, 0)])
    zoned = zoned.set_column(1, "ts", zoned.column(1).cast(pa.timestamp("us", "Europe/Berlin")))
    assert run(plan, zoned) == [(1, "1970-01-01T00:00:01.500000+00:00")]
    assert dt.datetime(1970, 1, 1, 0, 0, 1, 500000).isoformat() == "1970-01-01T00:00:01.500000"


def test_columns_of_any_name_can_be_asked_for() -> None:
    plan = plan_of(
        Yields(lambda row: (row.count, row["a b"], row.asDict()["x.y"])),
        [INPUT],
        [("a", LONG), ("b", pa.timestamp("us")), ("c", LONG)],
        columns=("count", "a b", "x.y"),
        timed=False,
    )
    assert run(plan, batch_of([(1, 1, 3)])) == [(1, 1, 1.0, 3)]
