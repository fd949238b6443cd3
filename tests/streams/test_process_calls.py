"""Process table functions over files in micro-batches, with restarts, against a model given the same batches."""

from __future__ import annotations

import dataclasses
import datetime as dt
import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from pyspark.sql import SparkSession

from examples.process_functions.alerts import OrderState, Unpaid
from examples.process_functions.funnel import Funnel, Progress
from examples.process_functions.gaps import FillGaps, Last
from examples.process_functions.proposal import Count, CountWithTimeout, LastValue, TimedLastValue
from examples.process_functions.sessions import Session, Sessions
from ir import types as t
from ir.streaming.stored_types import key_kind
from tableapi import DataTypes, Row, Table, TableEnvironment, TableException
from tableapi.exceptions import ValidationException
from tableapi.expressions import array, col, descriptor, lit
from tableapi.process_functions import (
    ArgumentHint,
    ArgumentTrait,
    ProcessTableFunction,
    State,
    TableAsRow,
    TableAsSet,
)
from tableapi.spark import stateful_functions
from tableapi.spark.planner.stream_keys import write_key
from tableapi.spark.runtime.process.partition_keys import key_columns
from tableapi.spark.runtime.process.rows import values
from tableapi.testing import ProcessTableFunctionHarness
from tests.process_functions.stream_model import Model
from tests.streams.event_files import DELAY, START, Event, Files, run_stream, without_zone

pytestmark = pytest.mark.long

STEPS = ["view", "placed", "purchase"]


@dataclasses.dataclass
class Program:
    """A function of the gallery, with its call and its model."""

    call: Callable[..., Table]
    model: Callable[[], Model]
    value: str


def _program(
    function: Any, create: Callable[[], Any], *arguments: Any, on_timer_takes: int = 2, value: str = "value"
) -> Program:
    """Return the program of a function whose ``eval`` takes a context, a state, a row and further arguments.

    Args:
        function: the function.
        create: creates its state.
        arguments: the arguments after the row.
        on_timer_takes: how many of context and state its ``on_timer`` takes.
        value: the column that it reads as ``value``.

    The call of the program takes the events and the columns of ORDER BY.
    """
    made = function()

    def call(events: Table, *order: Any) -> Table:
        partitions = events.add_or_replace_columns(col(value).alias("value")).partition_by(col("k"))
        ordered = partitions.order_by(*order) if order else partitions
        return ordered.process(function, *given, on_time=descriptor("at"))

    def on_row(ctx: Any, state: Any, row: Any) -> Any:
        row.value = getattr(row, value)
        return made.eval(ctx, state, row, *arguments)

    def on_timer(ctx: Any, state: Any) -> Any:
        return made.on_timer(*(ctx, state)[:on_timer_takes])

    given = [array(*argument) if isinstance(argument, list) else argument for argument in arguments]
    return Program(call, lambda: Model(create, on_row, on_timer, _show), value)


def _show(row: Any) -> tuple[Any, ...]:
    if isinstance(row, Row):
        return (row.get_row_kind().name, *row)
    return dataclasses.astuple(row) if dataclasses.is_dataclass(row) else (row,)  # type: ignore[arg-type]


GALLERY: dict[str, Program] = {
    "sessions": _program(Sessions, Session),
    "alerts": _program(Unpaid, OrderState, on_timer_takes=0),
    "gaps": _program(FillGaps, Last, value="amount"),
    "funnel": _program(Funnel, Progress, STEPS),
    "count with timeout": _program(CountWithTimeout, Count),
    "timed last value": _program(TimedLastValue, LastValue),
}


def _random_events(seed: int) -> list[list[Event]]:
    """Return the rows of some files: out of order, some late, for keys among which is NULL."""
    chosen = random.Random(seed)
    now, files = START, []
    taken: set[Any] = set()
    for _ in range(6):
        rows = []
        for _ in range(chosen.choice([1, 3, 10])):
            now += dt.timedelta(seconds=chosen.choice([1, 60, 400]))
            time = now - dt.timedelta(seconds=chosen.choice([0, 0, 0, 300, 2_000]))
            key = chosen.choice([None, "ada", "bob", "cleo"])
            # Rows of one key and one time may come in either order.
            if (key, time) in taken:
                continue
            taken.add((key, time))
            kind = chosen.choice(STEPS)
            rows.append(
                {
                    "k": key,
                    "ts": time,
                    "kind": kind,
                    "action": kind,
                    "value": chosen.choice("xyz"),
                    "amount": chosen.choice([None, 1.5]),
                }
            )
        # A file without rows is no batch of rows.
        if rows:
            files.append(rows)
    return files


@pytest.fixture
def files(env: TableEnvironment, tmp_path: Path) -> Files:
    return Files(env, tmp_path / "events")


def _model(program: Program, runs: Sequence[Sequence[Sequence[Event]]]) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each run by the model."""
    model, watermark, seen = program.model(), None, START - dt.timedelta(days=1)
    found = []
    for files in runs:
        output: list[tuple[Any, ...]] = []
        for rows in [*files, []]:
            given = [(row["k"], row["ts"], SimpleNamespace(**row)) for row in rows]
            for (made,) in [model.run([(given, watermark)])]:
                output += [(key, *values, time) for key, values, time in made]
            if rows:
                seen = max(seen, *[row["ts"] for row in rows])
                watermark = seen - DELAY
        found.append(sorted(output, key=repr))
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("name", GALLERY)
def test_the_gallery(name: str, files: Files, tmp_path: Path) -> None:
    program, made = GALLERY[name], _random_events(seed=len(name))
    middle = len(made) // 2
    expected = _model(program, [made[:middle], made[middle:]])
    assert any(expected)
    for rows, run in zip((made[:middle], made[middle:]), expected, strict=True):
        for file in rows:
            files.drop(file)
        assert run_stream(program.call(files.stream()), tmp_path / "checkpoint") == run


def _in_order(query: Table, value: str, runs: Sequence[Sequence[Sequence[Event]]]) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each run of a call with ORDER BY by the model of the harness."""
    harness, seen = ProcessTableFunctionHarness(query, restarts=True), None
    found = []
    for files in runs:
        for rows in [*files, []]:
            given = [{**row, "at": row["ts"].replace(tzinfo=dt.timezone.utc), "value": row[value]} for row in rows]
            harness.process_batch(given, watermark=None if seen is None else seen - DELAY)
            seen = max([*([] if seen is None else [seen]), *[row["ts"] for row in rows]])
        found.append(sorted([tuple(map(without_zone, row)) for row in harness.get_output()], key=repr))
        harness.clear_output()
    return found


@pytest.mark.parametrize("name", ["sessions", pytest.param("gaps", marks=pytest.mark.nightly)])
def test_the_gallery_in_order(name: str, files: Files, tmp_path: Path) -> None:
    program, made = GALLERY[name], _random_events(seed=7)
    middle = len(made) // 2
    expected = _in_order(
        program.call(files.stream(), col("at"), col("amount").desc), program.value, [made[:middle], made[middle:]]
    )
    assert all(expected)
    # The order by a computed key is the same.
    query = program.call(files.stream(), col("at"), (col("amount") * 2).desc)
    for rows, run in zip((made[:middle], made[middle:]), expected, strict=True):
        for file in rows:
            files.drop(file)
        assert run_stream(query, tmp_path / "checkpoint") == run
    with pytest.raises(ValidationException, match=r"rows that wait for the watermark are in its state"):
        run_stream(program.call(files.stream()), tmp_path / "checkpoint")


# --- without a watermark ---------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Kept:
    """A state whose fields may all be NULL."""

    rows: int | None = None
    last: str | None = None
    times: list[dt.datetime] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Seen:
    rows: int | None
    last: str | None
    times: int


class Remember(ProcessTableFunction):
    """Show the state before each row; every third row makes it NULL."""

    def eval(self, kept: State[Kept], row: TableAsSet[Row], more: int) -> Iterator[Seen]:
        yield Seen(kept.rows, kept.last, len(kept.times))
        kept.rows = None if (kept.rows or 0) >= 2 else (kept.rows or 0) + more
        kept.last = row.value
        kept.times.append(row.ts)


@dataclasses.dataclass
class Other:
    """A state of another type."""

    rows: str | None = None


class Wider(ProcessTableFunction):
    """Has the state of another type under the same name."""

    def eval(self, kept: State[Other], row: TableAsSet[Row], more: int) -> Iterator[Seen]:
        yield Seen(1, kept.rows, 1)


class Breaks(Remember):
    """Fails on one row."""

    def eval(self, kept: State[Kept], row: TableAsSet[Row], more: int) -> Iterator[Seen]:
        if row.value == "bad":
            raise ValueError("a bad row")
        yield from super().eval(kept, row, more)


def _row(key: str | None, value: str | None, second: int = 0) -> Event:
    return {"k": key, "ts": START + dt.timedelta(seconds=second), "value": value}


def _remember(files: Files, function: type[ProcessTableFunction] = Remember, *, delay: str | None = None) -> Table:
    table = files.stream(delay).filter(col("value") != "none")
    called = table.partition_by(col("k"), col("kind")).process(function, 1, uid="kept")
    return called.filter(col("times") >= 0).select(col("k"), col("rows"), col("last"), col("times"))


def test_a_failed_batch_runs_again_after_the_function_was_mended(files: Files, tmp_path: Path) -> None:
    files.drop([_row("a", "1"), _row("b", "1")])
    files.drop([_row("a", "2"), _row(None, "2"), _row("b", "none")])
    assert run_stream(_remember(files, Breaks), tmp_path / "c") == [
        ("a", 1, "1", 1),
        ("a", None, None, 0),
        ("b", None, None, 0),
        (None, None, None, 0),
    ]
    files.drop([_row("a", "3"), _row("b", "bad", 5)])
    with pytest.raises(TableException) as raised:
        run_stream(_remember(files, Breaks), tmp_path / "c")
    message = str(raised.value)
    assert message.startswith("The function Breaks (uid kept).eval failed on (partition=('b', None), row=Row(k='b', ")
    assert "ValueError: a bad row" in message
    assert "py4j" not in message
    # The class has another name, and only its code may change.
    mended = type("Breaks", (Remember,), {})
    assert run_stream(_remember(files, mended), tmp_path / "c") == [("a", 2, "2", 2), ("b", 1, "1", 1)]


def test_changes_that_the_state_does_not_survive(files: Files, tmp_path: Path) -> None:
    files.drop([_row("a", "1")])
    checkpoint = tmp_path / "c"
    assert run_stream(_remember(files), checkpoint) == [("a", None, None, 0)]
    record = (checkpoint / "tableapi.json").read_bytes()
    wider = type("Remember", (Wider,), {})
    table = files.stream(None)
    whole = "The state: .*the process table function Remember with the uid kept"
    calls = {
        "The state of the uid 'kept' is that of Remember, and the call is of Wider": _remember(files, Wider),
        "The field rows of the state kept of 'kept' was BIGINT, and is STRING": _remember(files, wider),
        rf"{whole} .* became .* with the uid other": table.partition_by(col("k"), col("kind")).process(
            Remember, 1, uid="other"
        ),
        rf"{whole} .* is computed from other columns": table.partition_by(col("k"), col("action")).process(
            Remember, 1, uid="kept"
        ),
        r"keys of 'kept' were \[k STRING, kind STRING\], and are \[k STRING\]": table.partition_by(col("k")).process(
            Remember, 1, uid="kept"
        ),
        rf"{whole} .*, and there are none": table,
    }
    for words, call in calls.items():
        one = lit(1).cast(DataTypes.BIGINT())
        changed = call.select(col("k"), one.alias("rows"), lit("").alias("last"), one.alias("times"))
        with pytest.raises(ValidationException, match=words):
            run_stream(changed, checkpoint)
    assert (checkpoint / "tableapi.json").read_bytes() == record
    # Other inputs are no change of the state.
    files.drop([_row("a", "2")])
    scaled = files.stream(None).filter(col("value") != "x").partition_by(col("k"), col("kind"))
    found = run_stream(
        scaled.process(Remember, 2, uid="kept").select(col("k"), col("rows"), col("last"), col("times")), checkpoint
    )
    assert found == [("a", 1, "1", 1)]


@pytest.mark.nightly
def test_two_calls_and_a_function_of_a_view(files: Files, env: TableEnvironment, tmp_path: Path) -> None:
    files.drop([_row("a", "1"), _row("a", "2", 1), _row("b", "3")])
    env.create_temporary_view("kept", _remember(files, delay="1 second"))
    env.create_temporary_system_function("remember", Remember)
    env.create_temporary_view("events", files.stream())
    text = (
        "SELECT k, times FROM kept UNION ALL "
        "SELECT k, times + 10 FROM remember(row => TABLE(events) PARTITION BY k, more => 1, uid => 'second')"
    )
    assert run_stream(env.sql_query(text), tmp_path / "c") == [
        ("a", 0),
        ("a", 1),
        ("a", 10),
        ("a", 11),
        ("b", 0),
        ("b", 10),
    ]
    # A call over the rows of a call goes on with its own state.
    over = env.from_path("kept").select(col("k"), col("last").alias("value"), col("last").alias("ts"))
    numbered = over.partition_by(col("k")).process(Numbers, uid="numbers").select(col("k"), col("EXPR$0"))
    assert run_stream(numbered, tmp_path / "d") == [("a", 1), ("a", 2), ("b", 1)]


def test_groups_of_a_call(files: Files, env: TableEnvironment, tmp_path: Path) -> None:
    called = _remember(files)
    counted = called.group_by(col("k")).select(col("k"), lit(1).count.alias("n"))
    files.drop([_row("a", "1"), _row("a", "2", 1), _row("b", "3")])
    assert run_stream(counted, tmp_path / "c") == [("a", 2), ("b", 1)]
    files.drop([_row("a", "4")])
    assert run_stream(counted, tmp_path / "c") == [("a", 3)]


class Numbers(ProcessTableFunction):
    """Number the rows, and keep their columns."""

    def eval(
        self,
        kept: State[Kept],
        row: Annotated[
            Row,
            ArgumentHint(
                ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY, ArgumentTrait.PASS_COLUMNS_THROUGH
            ),
        ],
    ) -> Iterator[int]:
        kept.rows = (kept.rows or 0) + 1
        yield kept.rows


class Total(ProcessTableFunction):
    """Number the rows of all keys; a stream does not finish."""

    def eval(
        self,
        kept: State[Kept],
        row: Annotated[Row, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY)],
    ) -> Iterator[int]:
        kept.rows = (kept.rows or 0) + 1
        yield kept.rows

    def finish(self, kept: Kept) -> Iterator[int]:
        raise AssertionError("a stream has no end")


class Twice(ProcessTableFunction):
    """Emit each row twice."""

    def eval(self, row: TableAsRow[Row]) -> Iterator[str]:
        yield f"{row.k} {row.value}"
        yield f"{row.k} {row.value}"


@pytest.mark.nightly
def test_one_partition_pass_through_and_row_semantics(files: Files, tmp_path: Path) -> None:
    events = files.stream().select(col("k"), col("value"))
    whole = events.process(Numbers)
    by_key = events.partition_by(col("k")).process(Numbers, uid="by-key")
    both = whole.union_all(by_key)
    total = events.process(Total)
    twice = events.process(Twice)
    files.drop([_row("a", "1"), _row("b", "1"), _row(None, "1")])
    first = run_stream(both, tmp_path / "c")
    assert [(k, value) for k, value, _ in first] == [(k, "1") for k in ("a", "a", "b", "b", None, None)]
    assert sorted(n for _, _, n in first) == [1, 1, 1, 1, 2, 3]
    assert run_stream(twice, tmp_path / "d") == [("None 1",), ("None 1",), ("a 1",), ("a 1",), ("b 1",), ("b 1",)]
    files.drop([_row("a", "2")])
    assert run_stream(both, tmp_path / "c") == [("a", "2", 2), ("a", "2", 4)]
    assert run_stream(total, tmp_path / "e") == [(1,), (2,), (3,), (4,)]
    assert run_stream(twice, tmp_path / "d") == [("a 2",), ("a 2",)]


# --- keys ------------------------------------------------------------------------------------------------------------

KEYS: dict[str, tuple[t.LogicalType, list[str]]] = {
    "BOOLEAN": (t.BooleanType(), ["true", "false", "NULL"]),
    "INT": (t.INT, ["0", "-5", "2147483647", "NULL"]),
    "DOUBLE": (t.DoubleType(), ["0.0D", "-0.0D", "DOUBLE('NaN')", "1.5D", "1e300D", "DOUBLE('-Infinity')", "NULL"]),
    "FLOAT": (t.FloatType(), ["FLOAT('1.1')", "FLOAT('-0.0')", "FLOAT('0.0')", "FLOAT('NaN')", "NULL"]),
    "DECIMAL(20, 5)": (t.DecimalType(20, 5), ["1.5BD", "1.50000BD", "-0.00001BD", "123456789012345BD", "NULL"]),
    "STRING": (t.STRING, ["''", "'a'", "'ä€'", "'a\\u0000b'", "NULL"]),
    "BINARY": (t.BytesType(), ["X''", "X'00'", "X'0100000000'", "NULL"]),
    "DATE": (t.DateType(), ["DATE'2024-02-29'", "DATE'1969-12-31'", "DATE'0001-01-01'", "NULL"]),
    "TIMESTAMP": (
        t.LocalZonedTimestampType(),
        ["TIMESTAMP'2024-02-29 01:02:03.000004Z'", "TIMESTAMP'1950-01-01 00:00:00.1Z'", "NULL"],
    ),
    "TIMESTAMP_NTZ": (
        t.TimestampType(),
        [
            "TIMESTAMP_NTZ'2024-03-31 02:30:00.123456'",
            "TIMESTAMP_NTZ'2024-03-31 03:30:00.123456'",
            "TIMESTAMP_NTZ'1950-01-01 00:00:00.1'",
            "NULL",
        ],
    ),
    "ARRAY<DOUBLE>": (
        t.ArrayType(t.DoubleType()),
        ["ARRAY(0.0D)", "ARRAY(-0.0D)", "ARRAY(NULL)", "ARRAY()", "ARRAY(1D, 2D)", "NULL"],
    ),
    "STRUCT<a: STRING, b: ARRAY<DATE>>": (
        t.RowType((t.RowField("a", t.STRING), t.RowField("b", t.ArrayType(t.DateType())))),
        ["STRUCT('x', ARRAY(DATE'2024-01-01'))", "STRUCT(NULL, NULL)", "STRUCT('x', ARRAY(NULL, NULL))", "NULL"],
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_keys(name: str, spark: SparkSession) -> None:
    """Keys are equal where GROUP BY takes them as equal, in every time zone, and are read back."""
    known, literals = KEYS[name]
    kind = key_kind(known)
    assert kind is not None
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    rows = " UNION ALL ".join(f"SELECT CAST({value} AS {name}) AS `a b`" for value in literals)
    session.sql(rows).createOrReplaceTempView("given")
    key = write_key([("a b", known)])
    grouped = session.sql(
        f"SELECT FIRST(`a b`) AS v, COUNT(*) AS n, COLLECT_SET({key}) AS ks FROM given GROUP BY `a b`"
    )
    found = grouped.toArrow()
    encoded = found.column("ks").to_pylist()
    assert all(len(keys) == 1 for keys in encoded)
    assert len({keys[0] for keys in encoded}) == found.num_rows
    for number, (one,) in enumerate(encoded):
        given = found.column("v").combine_chunks().slice(number, 1)
        (read,) = key_columns(one, [kind], [given.type])
        (value,), (expected,) = values(read), values(given)
        assert value == expected or (math.isnan(value) and math.isnan(expected))
    assert session.sql(f"SELECT DISTINCT {key} FROM given").count() == found.num_rows


def test_several_keys_do_not_run_together(spark: SparkSession) -> None:
    key = write_key([("a", t.STRING), ("b", t.STRING)])
    rows = spark.newSession().sql(
        f"SELECT {key} AS k FROM VALUES ('a', 'bc'), ('ab', 'c'), (NULL, 'abc'), ('abc', NULL), ('', 'abc') AS t(a, b)"
    )
    assert rows.distinct().count() == 5


# --- what a session needs --------------------------------------------------------------------------------------------


def test_another_state_store_is_refused(files: Files, env: TableEnvironment, tmp_path: Path) -> None:
    other = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"
    env.spark.conf.set(stateful_functions.STATE_STORE, other)
    with pytest.raises(
        TableException, match=r"keeps its state in RocksDB, and the session has HDFSBacked(.*)spark\.conf"
    ):
        run_stream(_remember(files), tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_a_missing_protobuf_is_reported(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stateful_functions, "_PROTOBUF", "nowhere.protobuf.descriptor")
    with pytest.raises(
        TableException, match=re.escape("needs the package protobuf, which is not installed: pip install")
    ):
        run_stream(_remember(files), tmp_path / "c")
    monkeypatch.setattr(stateful_functions, "_has_module", lambda name: True)
    monkeypatch.setattr("shutil.which", lambda name: "another Python")
    with pytest.raises(TableException, match=r"needs the package protobuf, which Spark's workers lack \(Python 3"):
        run_stream(_remember(files), tmp_path / "c")
    assert not (tmp_path / "c").exists()
