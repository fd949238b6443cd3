"""The messages of everyday queries that Structured Streaming cannot run, and the ways around."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from ir.errors import ValidationException
from ir.operations.operation import QueryOperation
from ir.streaming.refusals import EVERY_MODE, OutputMode
from ir.streaming.rules import find_refusals, refusals_in, require_mode, require_some_mode
from tableapi.expressions import col, lit
from tests.counting import calls
from tests.snapshot_files import TreeFiles
from tests.streams.oracle import read_measured
from tests.streams.queries import DELAY, EVERYDAY
from tests.streams.streams import environment, read

MEASURED = read_measured()


def _modes(operation: QueryOperation) -> set[OutputMode]:
    return {mode for mode in OutputMode if not refusals_in(mode, operation)}


def _describe(name: str) -> str:
    text, instead = EVERYDAY[name]
    lines = [text]
    for refusal in find_refusals(read(text)):
        modes = (
            "every mode"
            if refusal.modes == EVERY_MODE
            else ", ".join(m.value for m in OutputMode if m in refusal.modes)
        )
        condition = f" [{refusal.condition}]" if refusal.condition else ""
        lines += ["", f"{modes}: {refusal.operation.label}{condition}", f"  {refusal.message.in_sql({})}"]
    return "\n".join(
        [*lines, "", f"instead ({', '.join(m.value for m in OutputMode if m in _modes(read(instead)))}):", instead, ""]
    )


@pytest.mark.parametrize("name", EVERYDAY)
def test_snapshot_streams(name: str, snapshot: SnapshotAssertion) -> None:
    assert snapshot.use_extension(TreeFiles)(name=name) == _describe(name)


@pytest.mark.parametrize("name", EVERYDAY)
def test_the_way_around_runs(name: str) -> None:
    text, instead = EVERYDAY[name]
    ways = _modes(read(instead))
    assert ways > _modes(read(text)) or (name == "limit" and ways == {OutputMode.APPEND})
    outcomes = MEASURED.runs["everyday", name, "instead"]
    assert all(outcomes[mode.value] is None for mode in ways)


def test_a_query_that_no_mode_runs_is_rejected() -> None:
    with pytest.raises(ValidationException, match="OVER needs all rows of a partition") as caught:
        require_some_mode(read(EVERYDAY["over"][0]))
    assert (caught.value.condition, caught.value.sql_state) == ("NON_TIME_WINDOW_NOT_SUPPORTED_IN_STREAMING", "42KDE")


def test_operations_without_a_common_mode_are_rejected() -> None:
    groups = "SELECT k, count(*) AS n FROM s1 GROUP BY k"
    limited = read(f"SELECT * FROM ({groups}) AS l LIMIT 3")
    assert _modes(limited) == {OutputMode.COMPLETE}
    joined = read(f"SELECT /*+ UNBOUNDED_STATE */ l.k FROM ({groups}) AS l JOIN s2 AS r ON l.k = r.k")
    assert _modes(joined) == set()
    with pytest.raises(ValidationException, match="Output mode append: In append mode, aggregation of a stream writes"):
        require_some_mode(joined)


def test_a_mode_is_rejected_by_name() -> None:
    query = read("SELECT k, count(*) AS n FROM s1 GROUP BY k")
    require_some_mode(query)
    require_mode(query, OutputMode.UPDATE)
    with pytest.raises(
        ValidationException, match="Output mode append: In append mode, aggregation of a stream"
    ) as caught:
        require_mode(query, OutputMode.APPEND)
    assert caught.value.sql_state == "42KDE"


def test_messages_for_python_name_methods() -> None:
    clicks = environment().from_path("s1")
    with pytest.raises(ValidationException, match=r"^order_by over a stream has no first row"):
        clicks.order_by(col("ts"))
    late = clicks.watermark(col("ts"), lit(10).seconds)
    assert _modes(late.group_by(col("k"), col("ts")).select(col("k"), col("v").sum.alias("v")).query_operation) == {
        *OutputMode
    }


def test_text_is_rejected_at_the_operation() -> None:
    text = "SELECT l.k, r.v\nFROM s1 AS l\nLEFT JOIN s2 AS r ON l.k = r.k"
    with pytest.raises(
        ValidationException, match=r"the right stream has no watermark(.|\n)*line 3, column 22"
    ) as caught:
        environment().sql_query(text)
    assert caught.value.sql_state == "0A000"


def test_steps_are_rejected_at_once_unless_a_later_one_helps() -> None:
    left = environment().from_path("s1").select(col("k"))
    right = environment().from_path("s2").select(col("k").alias("j"))
    assert left.join(right).filter(col("k") == col("j")).hint("unbounded_state")
    with pytest.raises(ValidationException, match="INTERSECT over a stream is not supported"):
        left.intersect(right)
    with pytest.raises(ValidationException, match="LEFT OUTER JOIN of two streams writes a row without a match when"):
        left.left_outer_join(right, col("k") == col("j"))


def test_tables_are_never_rejected() -> None:
    assert find_refusals(read("SELECT *, row_number() OVER (ORDER BY k) FROM b1 ORDER BY k LIMIT 3")) == ()


def test_the_hint_allows_joins_below_it_alone() -> None:
    hinted = "SELECT /*+ UNBOUNDED_STATE */ l.k, l.ts, r.v FROM s1 AS l JOIN s2 AS r ON l.k = r.k"
    require_some_mode(read(hinted))
    require_some_mode(read(f"SELECT k FROM ({hinted}) WHERE v > 1"))
    with pytest.raises(ValidationException, match="keeps all rows of the left stream and the right stream for ever"):
        require_some_mode(read(f"SELECT l.k FROM ({hinted}) AS l JOIN s2 AS r ON l.k = r.k"))
    table = (
        environment()
        .from_path("s1")
        .select(col("k"))
        .join(environment().from_path("s2").select(col("k").alias("j")), col("k") == col("j"))
    )
    assert _modes(table.query_operation) == set()
    assert _modes(table.hint("unbounded_state").query_operation) == {OutputMode.APPEND, OutputMode.UPDATE}
    with pytest.raises(ValidationException, match="UNBOUNDED_STATE takes neither a number of partitions nor columns"):
        table.hint("unbounded_state", 3)


BOUNDED = [
    "ON l.k = r.k AND l.ts = r.ts",
    "ON l.k = r.k AND r.ts BETWEEN l.ts AND l.ts + INTERVAL 1 MINUTE",
    "ON l.k = r.k WHERE r.ts >= l.ts - INTERVAL 1 MINUTE AND l.ts > r.ts - INTERVAL 1 MINUTE",
    "ON true WHERE l.k = r.k AND r.ts - INTERVAL 1 MINUTE < l.ts AND INTERVAL 1 MINUTE + r.ts > l.ts",
]
GROWING = [
    ("ON l.k = r.k", "left stream and the right stream"),
    ("ON l.k = r.k AND r.ts <= l.ts + INTERVAL 1 MINUTE", "right stream"),
    ("ON l.k = r.k AND r.ts >= l.ts", "left stream"),
    ("ON l.k = r.k AND (r.ts >= l.ts OR l.v > 1)", "left stream and the right stream"),
    ("ON l.k = r.k AND date_trunc('HOUR', l.ts) = date_trunc('HOUR', r.ts)", "left stream and the right stream"),
    ("ON l.k = r.k AND l.v <= r.v AND r.v <= l.v", "left stream and the right stream"),
]


@pytest.mark.parametrize("condition", BOUNDED)
def test_bounds_of_joins(condition: str) -> None:
    require_some_mode(read(f"SELECT l.k FROM s1 {DELAY} AS l JOIN s2 {DELAY} AS r {condition}"))


@pytest.mark.parametrize(("condition", "growing"), GROWING)
def test_joins_whose_state_grows(condition: str, growing: str) -> None:
    with pytest.raises(ValidationException, match=f"keeps all rows of the {growing} for ever"):
        require_some_mode(read(f"SELECT l.k FROM s1 {DELAY} AS l JOIN s2 {DELAY} AS r {condition}"))


@pytest.mark.slow
@pytest.mark.usefixtures("short_stack")
def test_deep_queries() -> None:
    table = environment().from_path("s1").watermark(col("ts"), lit(10).seconds)
    joined = table.join(
        environment().from_path("s2").rename_columns(*[col(c).alias(f"r_{c}") for c in ("k", "ts", "v", "name")]),
        (col("k") == col("r_k")) & (col("ts") == col("r_ts")),
    )
    for _ in range(1000):
        joined = joined.filter(col("v") > 1).add_or_replace_columns((col("v") + 1).alias("v"))
    assert _modes(joined.query_operation) == {OutputMode.APPEND, OutputMode.UPDATE}


def test_a_step_costs_the_same_whatever_is_below() -> None:
    one = environment().from_path("s1").select(col("k"))
    table = one
    costs: list[int] = []
    for _ in range(300):
        below = table
        costs.append(calls(lambda below=below: below.union_all(one)))
        table = below.union_all(one)
    assert max(costs[200:]) <= 1.1 * max(costs[2:20])
