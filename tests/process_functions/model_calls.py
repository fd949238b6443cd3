"""Calls whose runs are compared: those of the gallery, of Flink's programs, and of functions that obey their rows."""

from __future__ import annotations

import datetime as dt
import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import strategies as st

from examples.process_functions import proposal
from examples.process_functions.__main__ import NAMES
from ir import types as t
from ir.errors import ValidationException
from ir.operations.process import ProcessTable
from ir.types import LogicalType
from tableapi import EnvironmentSettings, RowKind, Table, TableEnvironment
from tableapi.expressions import array, col, descriptor, lit
from tableapi.spark.planner.process import process_calls
from tableapi.testing import ProcessTableFunctionHarness
from tests.process_functions import scripted
from tests.process_functions.running.flink_programs import COLUMNS, PROGRAMS, Built, build_query, register

START = dt.datetime(1970, 1, 1)
Build = Callable[[TableEnvironment], Table]
# The strings of the columns that have a meaning; others are short names.
TEXTS = {
    "kind": ("view", "purchase", "placed", "paid"),
    "action": ("visit", "basket", "pay"),
    "command": scripted.COMMANDS,
    "op": tuple(RowKind.__members__),
}
EVENTS = {"k": "STRING", "ts": "TIMESTAMP", "command": "STRING NOT NULL", "number": "INT NOT NULL"}


def environment() -> TableEnvironment:
    """Return an environment without Spark."""
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())


@cache
def environment_of_programs() -> TableEnvironment:
    """Return the environment of Flink's programs, with their functions and tables. To make one takes 0.1 seconds."""
    env = environment()
    register(env, {name: env.from_elements([], columns) for name, columns in COLUMNS.items()})
    return env


def events(env: TableEnvironment, name: str = "events", **columns: str) -> Table:
    """Return a table of commands."""
    return env.declare(name, {**EVENTS, **columns})


def _sides(
    env: TableEnvironment, *, ordered: bool = False, timed: bool = True, keyed: bool = True, function: Any = None
) -> Table:
    left: Any = events(env, "left_events")
    right: Any = events(env, "right_events")
    if keyed:
        left, right = left.partition_by(col("k")), right.partition_by(col("k"))
    if ordered:
        left = left.order_by(col("ts"), col("number").desc)
        right = right.order_by(col("ts"), col("command"))
    return env.from_call(function or scripted.Paired, left, right, **({"on_time": descriptor("ts")} if timed else {}))


CALLS: dict[str, Build] = {
    "scripted": lambda env: events(env).partition_by(col("k")).process(scripted.Scripted, on_time=descriptor("ts")),
    "scripted_with_zone": lambda env: (
        events(env, ts="TIMESTAMP_LTZ").partition_by(col("k")).process(scripted.Scripted, on_time=descriptor("ts"))
    ),
    "scripted_without_time": lambda env: events(env).partition_by(col("k")).process(scripted.Scripted),
    "scripted_one_partition": lambda env: events(env).process(scripted.Scripted, on_time=descriptor("ts")),
    "scripted_in_order": lambda env: (
        events(env)
        .partition_by(col("k"))
        .order_by(col("ts"), col("number").desc.nulls_last, col("command"))
        .process(scripted.Scripted, on_time=descriptor("ts"))
    ),
    "scripted_in_order_without_time": lambda env: (
        events(env)
        .partition_by(col("k"))
        .order_by(col("number").desc, col("command"), col("ts"))
        .process(scripted.Scripted)
    ),
    "scripted_by_number": lambda env: (
        events(env, k="DOUBLE").partition_by(col("k")).process(scripted.Scripted, on_time=descriptor("ts"))
    ),
    "scripted_by_two_keys": lambda env: (
        events(env).partition_by(col("number"), col("k")).process(scripted.Scripted, on_time=descriptor("ts"))
    ),
    "expiring": lambda env: events(env).partition_by(col("k")).process(scripted.Expiring, on_time=descriptor("ts")),
    "expiring_in_order": lambda env: (
        events(env)
        .partition_by(col("k"))
        .order_by(col("ts"), col("command"), col("number"))
        .process(scripted.Expiring, on_time=descriptor("ts"))
    ),
    "scripted_late": lambda env: (
        events(env).partition_by(col("k")).process(scripted.ScriptedLate, on_time=descriptor("ts"))
    ),
    "scripted_late_in_order": lambda env: (
        events(env).partition_by(col("k")).order_by(col("ts")).process(scripted.ScriptedLate, on_time=descriptor("ts"))
    ),
    "scripted_late_of_few_columns": lambda env: (
        events(env)
        .partition_by(col("k"))
        .process(scripted.Narrow, lit(3), lit("x"), on_time=descriptor("ts"), uid="narrow")
    ),
    "changes": lambda env: events(env).partition_by(col("k")).process(scripted.Changes, on_time=descriptor("ts")),
    "changes_of_changes": lambda env: (
        env.declare("changes", {"k": "STRING", "op": "STRING NOT NULL", "at": "TIMESTAMP"})
        .partition_by(col("k"))
        .process(scripted.Replica)
    ),
    "changes_beside_rows": lambda env: env.from_call(
        scripted.Sided,
        env.declare("changes", {"k": "STRING", "number": "INT", "OP": "STRING NOT NULL"}).partition_by(col("k")),
        env.declare("rows", {"k": "STRING", "number": "INT", "op": "STRING"}).partition_by(col("k")),
    ),
    "paired": lambda env: _sides(env),
    "paired_late": lambda env: _sides(env, function=scripted.PairedLate),
    "paired_in_order": lambda env: _sides(env, ordered=True),
    "paired_without_time": lambda env: _sides(env, timed=False),
    "paired_one_partition": lambda env: _sides(env, keyed=False),
    "proposal_count_with_timeout": lambda env: (
        events(env).partition_by(col("k")).process(proposal.CountWithTimeout, on_time=descriptor("ts"))
    ),
    "proposal_timed_last_value": lambda env: (
        env.declare("values_of_customers", {"k": "STRING", "ts": "TIMESTAMP", "value": "STRING NOT NULL"})
        .partition_by(col("k"))
        .process(proposal.TimedLastValue, on_time=descriptor("ts"))
    ),
    "proposal_changelog": lambda env: events(env).process(proposal.BuiltInChangelog),
    "proposal_one_match_join": lambda env: env.from_call(
        proposal.OneMatchJoin,
        env.declare("customers", {"id": "INT", "name": "STRING NOT NULL", "address": "STRING NOT NULL"}).partition_by(
            col("id")
        ),
        env.declare("orders", {"id": "INT", "order_id": "BIGINT NOT NULL", "price": "DOUBLE NOT NULL"}).partition_by(
            col("id")
        ),
    ),
    "proposal_built_in_join": lambda env: env.from_call(
        proposal.BuiltInOneMatchJoin,
        events(env, "l").partition_by(col("k")),
        env.declare("r", {"k": "STRING", "at": "TIMESTAMP", "amount": "DECIMAL(10, 2)"}).partition_by(col("k")),
        lit(2).seconds,
        on_time=descriptor("ts", "at"),
    ),
}


def _gallery(name: str) -> Build:
    return lambda env: importlib.import_module(f"examples.process_functions.{name}").build(env)


def _program(query: Built) -> Build:
    return lambda _: build_query(environment_of_programs(), query)


def _ordered(name: str, key: str, *arguments: Any) -> Build:
    """Return a call of the gallery whose rows wait for the watermark."""

    def build(env: TableEnvironment) -> Table:
        (call,) = process_calls(_gallery(name)(env).query_operation)
        function = call.function.name
        source = {"alerts": "order_events", "deduplication": "messages", "gaps": "readings", "funnel": "actions"}
        table = env.from_path(source.get(name, "events")).partition_by(col(key)).order_by(col("ts"))
        return table.process(function, *arguments, on_time=descriptor("ts"))

    return build


def _ordered_as_of(env: TableEnvironment) -> Table:
    _gallery("as_of_join")(env)
    tables = [env.from_path(name).partition_by(col("symbol")).order_by(col("ts")) for name in ("quotes", "trades")]
    return env.from_call("as_of", *tables, on_time=descriptor("ts"))


CALLS |= {f"gallery_{name}": _gallery(name) for name in NAMES}
CALLS |= {
    "ordered_sessions": _ordered("sessions", "user"),
    "ordered_deduplication": _ordered("deduplication", "id"),
    "ordered_alerts": _ordered("alerts", "order_id"),
    "ordered_gaps": _ordered("gaps", "sensor"),
    "ordered_funnel": _ordered("funnel", "person", array("visit", "basket", "pay")),
    "ordered_as_of_join": _ordered_as_of,
}
CALLS |= {name: _program(program.query) for name, program in PROGRAMS.items()}
# Those of state without ORDER BY, as Flink has them, and those of time in the order of time.
CALLS |= {
    f"{name}_OVER_STREAMS": _program(program.stream_query)
    for name, program in PROGRAMS.items()
    if program.stream_query is not None
}
# Over a stream, an order begins with the time.
BY_SCORE = " ORDER BY score"
ON_TIME = "on_time => DESCRIPTOR(ts)"
CALLS |= {
    f"{name}_BY_TIME": _program(
        program.query.replace("TABLE(multi)", "TABLE(timed)").replace(
            f"{BY_SCORE})", f" ORDER BY (ts, score), {ON_TIME})"
        )
    )
    for name, program in PROGRAMS.items()
    if isinstance(program.query, str) and BY_SCORE in program.query
}


@cache
def operations() -> dict[str, tuple[Table, ProcessTable]]:
    """Return every call with the query that has it; a query with several calls gives several."""
    found: dict[str, tuple[Table, ProcessTable]] = {}
    for name, build in CALLS.items():
        query = build(environment())
        for number, call in enumerate(process_calls(query.query_operation)):
            found[f"{name}_{number}" if number else name] = query, call
    return found


def harness_of(query: Table, call: ProcessTable, **options: Any) -> ProcessTableFunctionHarness | None:
    """Return a harness for a call, None if only Spark can compute a key of it."""
    try:
        return ProcessTableFunctionHarness(query, uid=call.uid, **options)
    except ValidationException as error:
        if "which Spark would compute" in str(error):
            return None
        raise


# --- rows ------------------------------------------------------------------------------------------------------------


def rows_of(call: ProcessTable, most: int = 14) -> st.SearchStrategy[list[tuple[int, tuple[Any, ...]]]]:
    """Return lists of pairs of the position of a table and a row of it."""
    tables = [
        st.tuples(
            st.just(number),
            st.tuples(
                *[
                    _values(column.name, column.data_type, is_required=_is_required(call, number, place))
                    for place, column in enumerate(table.schema.columns)
                ]
            ),
        )
        for number, table in enumerate(call.tables)
    ]
    return st.lists(st.one_of(tables), max_size=most) if tables else st.just([])


def _is_required(call: ProcessTable, number: int, place: int) -> bool:
    """Whether a column of a table must have a value: its time, and the kinds of its changes."""
    is_time = bool(call.on_time) and call.on_time[number] == place
    return is_time or call.tables[number].schema.names[place] == call.kind_column(number)


def _values(name: str, data_type: LogicalType, is_required: bool) -> st.SearchStrategy[Any]:
    known = _not_null(name, data_type)
    return st.none() | known if data_type.nullable and not is_required else known


def _not_null(name: str, data_type: LogicalType) -> st.SearchStrategy[Any]:
    if isinstance(data_type, t.CharacterType):
        return st.sampled_from(TEXTS.get(name.lower(), ("Bob", "Alice", "Zoë")))
    if isinstance(data_type, (t.TimestampType, t.LocalZonedTimestampType)):
        zone = dt.timezone.utc if isinstance(data_type, t.LocalZonedTimestampType) else None
        # Some times share a second, a millisecond or a microsecond.
        return st.builds(
            lambda seconds, rest: (START + dt.timedelta(seconds=seconds, microseconds=rest)).replace(tzinfo=zone),
            st.integers(0, 5) | st.sampled_from([8, 30]),
            st.sampled_from([0, 0, 1, 500, 1_000, 1_001, 500_000]),
        )
    if isinstance(data_type, t.IntegralType):
        return st.integers(0, 4) | st.just(99)
    if isinstance(data_type, t.DecimalType):
        return st.decimals(0, 9, places=data_type.scale)
    if isinstance(data_type, t.RowType):
        return st.tuples(*[_values(field.name, field.data_type, is_required=False) for field in data_type.fields])
    numbers = (0.0, -0.0, 1.5, float("nan")) if name == "k" else (0.0, 1.5, 2.0)
    assert isinstance(data_type, (t.DoubleType, t.FloatType)), data_type
    return st.sampled_from(numbers)


# --- output -----------------------------------------------------------------------------------------------------------


def by_partition(call: Any, output: Any) -> dict[Any, list[str]]:
    """Return output rows by their keys: the order of partitions is not defined, but that of the rows of each is."""
    first = call.signature.tables[0] if call.signature.tables else None
    # A key can be 0.0 in one row of a partition, and -0.0 in another.
    shown = [[repr(value).replace("-0.0", "0.0") for value in row] for row in output]
    if first is None or not first.is_set or first.passes_through:
        return {(): sorted(map(repr, shown))}
    count = len(call.partition_keys[0])
    found: dict[Any, list[str]] = {}
    for row in shown:
        found.setdefault(tuple(row[:count]), []).append(repr(row))
    return found


def time_of(call: Any, table: int, row: tuple[Any, ...]) -> dt.datetime:
    """Return the time of a row in UTC, without its zone."""
    time: dt.datetime = row[call.on_time[table]]
    return time.replace(tzinfo=None)
