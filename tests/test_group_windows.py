"""Group windows: which are rejected at build time, which are one tree, and the steps of PyFlink."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import tableapi
from ir.calls import call as resolved_call
from ir.durations import duration_text, parse_duration
from ir.functions.time_window import SESSION_WINDOW, WINDOW
from ir.literals import literal
from tableapi import DataTypes, Table, TableException, ValidationException
from tableapi.expressions import call, col, cumulative_windows, lit, row, row_interval
from tableapi.window import Cumulate, GroupWindow, Session, Slide, Tumble
from tests.programs.tables import Tables, environment_without_spark

MINUTES = lit(10).minutes


@pytest.fixture(scope="module")
def events() -> Table:
    return Tables(environment_without_spark()).events


def tumble(alias: str = "w") -> GroupWindow:
    return Tumble.over(MINUTES).on(col("ts")).alias(alias)


# --- rejected windows -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Tumble.over(10), "The size of Tumble.over must be an interval such as lit(10).minutes or a number of"),
        (lambda: Tumble.over(lit(10)), "but is 10 of type INT NOT NULL"),
        (lambda: Tumble.over(col("n")), "The size of Tumble.over must be a constant"),
        (lambda: Tumble.over(lit(1).month), "must not have months, which differ in length"),
        (lambda: Tumble.over(lit(0).minutes), "The size of Tumble.over must be more than 0, but is 0 seconds"),
        (lambda: Tumble.over(row_interval(-1)), "The size of Tumble.over must be more than 0, but is -1 rows"),
        (lambda: Session.with_gap(row_interval(2)), "The gap of Session.with_gap must be an interval such as"),
        (lambda: Slide.over(MINUTES).every(lit(-5).minutes), "The slide of every must be more than 0, but is -5 min"),
        (lambda: Slide.over(MINUTES).every(row_interval(5)), "must both be intervals or both numbers of rows"),
        (lambda: Slide.over(MINUTES).every(lit(1).hour), "must not be longer than its size, since rows would belong"),
        (lambda: Tumble.over(MINUTES).on("ts"), "on takes the time of a row as an expression, as in col('ts'), but"),
        (lambda: Tumble.over(MINUTES).on(col("ts")).alias(""), "The alias of a window is a name, as text or as col"),
        (lambda: Tumble.over(MINUTES).on(col("ts")).alias(col("w") + 1), "The alias of a window is a name"),
        (lambda: row_interval("3"), "row_interval takes a whole number of rows, but was given '3'"),
        (
            lambda: Cumulate.over(lit(10).minutes).every(lit(3).minutes),
            "The size of cumulative windows must be a multiple of their step",
        ),
        (lambda: Cumulate.over(row_interval(10)), "The size of Cumulate.over must be an interval such as lit(10).min"),
        (lambda: Cumulate.over(lit(10).minutes).every(lit(0).minutes), "The step of every must be more than 0"),
        (
            lambda: Cumulate.over(lit(10).minutes).every(lit(5).minutes).on("ts"),
            "on takes the time of a row as an expression",
        ),
    ],
)
def test_invalid_windows(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValidationException, match=re.escape(message)):
        make()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda e: e.window("w"), "window takes a group window with its time and its alias"),
        (lambda e: e.window(Tumble.over(MINUTES).on(col("ts"))), "window takes a group window with its time and its"),
        (lambda e: e.window(tumble()).group_by(col("k")), "as col('w'), but has it not at all"),
        (lambda e: e.window(tumble()).group_by(col("w"), col("W")), "as col('w'), but has it 2 times"),
        (lambda e: e.window(tumble()).group_by("w"), "group_by takes expressions, but was given the text 'w'"),
        (
            lambda e: e.window(Tumble.over(MINUTES).on(col("v")).alias("w")).group_by(col("w")),
            "on takes a value of type TIMESTAMP, TIMESTAMP_LTZ or DATE, but v is of type INT",
        ),
        (
            lambda e: e.window(Tumble.over(MINUTES).on(col("ts").max).alias("w")).group_by(col("w")),
            "on holds the aggregate max(ts)",
        ),
        (
            lambda e: e.window(Tumble.over(MINUTES).on(col("tz")).alias("w")).group_by(col("w")),
            "Cannot resolve field [tz], input field list:[e, k, v, ts, instant, day].",
        ),
        (lambda e: e.window(tumble()).group_by(col("w"), col("k").alias("w")).select(col("k")), "Ambiguous column"),
        (lambda e: e.window(tumble()).group_by(col("w")).select(col("v")), "neither a key of group_by nor inside of"),
        (lambda e: e.window(tumble()).group_by(col("w")).select(col("w").begin), "The row has no field 'begin'"),
        (lambda e: e.window(tumble()).group_by(col("w")).select(col("w").start.max), "Cannot resolve field [w]"),
        (lambda e: e.window(tumble()).group_by(col("w")).select(), "select needs at least one expression"),
        (lambda e: e.window(tumble()).group_by(col("w")).select(col("*")), "Cannot resolve field [e]: it is neither"),
        (lambda e: e.select(col("ts").start), "start is a property of a group window, which only the alias of one"),
        (lambda e: e.select(col("ts").rowtime), "rowtime is a property of a group window, which ts is not"),
        (
            lambda e: e.select(call("window", col("ts"), "1 day"), call("window", col("ts"), "1 hour").start),
            "Spark puts rows into the windows of one kind at a time, but window(ts, '1 day') and window(ts, '1 hour')",
        ),
        (lambda e: e.filter(call("window", col("ts"), "1 day").start.is_not_null), "and stands in group_by or select"),
        (
            lambda e: e.window(tumble()).group_by(col("w"), call("session_window", col("ts"), "1 hour")),
            "Rows are grouped by one window at most, but window(ts, '10 minutes') and session_window(ts, '1 hour')",
        ),
        (
            lambda e: e.group_by(call("window", col("ts"), "1 day").start).select(
                call("window", col("ts"), "1 hour").count
            ),
            "Spark puts rows into the windows of one kind at a time, but window(ts, '1 day') and window(ts, '1 hour')",
        ),
        (
            lambda e: e.group_by(col("k")).select(call("window", lit("2024-01-01"), "1 hour")),
            "window('2024-01-01', '1 hour') is not a key of group_by",
        ),
    ],
)
def test_a_query_that_is_refused(events: Table, build: Callable[[Table], object], message: str) -> None:
    with pytest.raises(ValidationException, match=re.escape(message)):
        build(events)


def test_sessions_are_grouped_by_once(events: Table) -> None:
    session = call("session_window", col("ts"), "1 hour").alias("w")
    with pytest.raises(ValidationException, match="set among others without it cannot group by the session session_w"):
        events.rollup(session, col("k")).select(col("v").sum)
    with pytest.raises(ValidationException, match="pivot cannot group by the session session_window"):
        events.group_by(session).pivot(col("k"), ["a"]).select(col("v").sum)


def test_processing_time_is_refused_by_name(events: Table) -> None:
    with pytest.raises(TableException, match="proctime is the time at which a row of a stream is processed"):
        events.window(tumble()).group_by(col("w")).select(col("w").proctime)


def test_a_field_may_have_the_name_of_a_property(events: Table) -> None:
    fields = row(*[lit(i).alias(n) for i, n in enumerate(("start", "end", "rowtime", "proctime"))])
    table = events.select(fields.alias("r"))
    names = table.select(col("r").start, col("r").end, col("r").rowtime, col("r").proctime).get_schema()
    assert names.get_field_names() == ["r$start", "r$end", "r$rowtime", "r$proctime"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ten minutes",), "'ten minutes' is not a length of time; write one such as '10 minutes'"),
        (("10 months",), "'10 months' has months, which differ in length"),
        (("0 seconds",), "The size of a window must be longer than 0, but is '0 seconds'"),
        (("1 hour", "-5 minutes"), "The slide of a window must be longer than 0, but is '-5 minutes'"),
        (("1 hour", "61 minutes"), "the slide is '1 hour 1 minute', the size '1 hour'"),
        (("1 hour", "1 hour", "1 hour"), "The offset of a window must be shorter than its slide: it is '1 hour'"),
        ((None,), "argument 2 (size) is not <length of time such as '10 minutes'>"),
        ((1.5,), "argument 2 (size) is not <length of time such as '10 minutes'>"),
    ],
)
def test_lengths_that_windows_do_not_have(events: Table, arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValidationException, match=re.escape(message)):
        events.group_by(call("window", col("ts"), *arguments).alias("w"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("3 minutes", "10 minutes"),
            "the size is '10 minutes', the step '3 minutes'",
        ),
        (("0 minutes", "10 minutes"), "The step of cumulative windows must be longer than 0"),
        (("5 minutes", "-10 minutes"), "The size of cumulative windows must be longer than 0"),
        (("5 minutes", "10 minutes", "11 minutes"), "The offset of cumulative windows must be shorter than their size"),
    ],
)
def test_lengths_that_cumulative_windows_do_not_have(events: Table, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValidationException, match=re.escape(message)):
        events.select(cumulative_windows(col("ts"), *arguments))


def test_a_gap_of_days_is_refused_by_name(events: Table) -> None:
    with pytest.raises(ValidationException, match="'1 day' has days, which Spark counts by the calendar here"):
        events.group_by(call("session_window", col("ts"), "1 day").alias("w"))


# --- calls that are one tree ------------------------------------------------------------------------------------------


def test_lengths_are_canonical(events: Table) -> None:
    def windowed(*lengths: object) -> object:
        grouped = events.group_by(call("window", col("ts"), *lengths).alias("w"))
        return grouped.select(col("w").start, col("v").sum).query_operation

    built = events.window(tumble()).group_by(col("w")).select(col("w").start, col("v").sum).query_operation
    for lengths in (("600 seconds",), ("INTERVAL 10 MINUTES",), ("10 minutes", "600 seconds", "0 seconds")):
        assert windowed(*lengths) is built
    assert windowed(600_000_000) is built
    assert windowed("1 hour", "30 minutes") is windowed("60 minutes", "1800 seconds", "-0 days")
    assert windowed("1 hour", "30 minutes") is not windowed("1 hour", "30 minutes", "1 minute")


def test_a_session_counts_hours() -> None:
    time = literal("2024-01-01", None)
    day = resolved_call(SESSION_WINDOW, (time, literal("24 hours")))
    assert day.as_serializable_string() == "SESSION_WINDOW('2024-01-01', '24 hours')"
    assert (
        resolved_call(WINDOW, (time, literal("24 hours"))).as_serializable_string() == "WINDOW('2024-01-01', '1 day')"
    )


@pytest.mark.parametrize(
    ("text", "microseconds", "canonical"),
    [
        ("1 microsecond", 1, "1 microsecond"),
        ("1.5 seconds", 1_500_000, "1 second 500 milliseconds"),
        (" 1 week -1 day ", 6 * 86_400_000_000, "6 days"),
        ("90 minutes 1 MILLISECOND", 5_400_001_000, "1 hour 30 minutes 1 millisecond"),
        ("- 2 hours", -7_200_000_000, "-2 hours"),
        ("0 days", 0, "0 seconds"),
    ],
)
def test_durations(text: str, microseconds: int, canonical: str) -> None:
    assert parse_duration(text) == microseconds
    assert duration_text(microseconds) == canonical
    assert parse_duration(canonical) == microseconds


def test_the_alias_may_be_a_column(events: Table) -> None:
    def build(alias: object) -> object:
        window = Tumble.over(MINUTES).on(events.ts).alias(alias)  # type: ignore[arg-type]
        return events.window(window).group_by(col("w")).select(lit(1).count).query_operation

    assert build(col("w")) is build("w")


def test_the_names_of_properties_are_flinks(events: Table) -> None:
    grouped = events.window(tumble()).group_by(col("w"), col("k").upper_case)
    table = grouped.select(
        col("v").min, col("w").end, col("w").rowtime, col("v").max, col("w").start.cast(DataTypes.DATE())
    )
    assert table.get_schema().get_field_names() == ["EXPR$1", "EXPR$2", "EXPR$3", "EXPR$4", "_c4"]


def test_exports_and_texts_for_people(events: Table) -> None:
    assert tableapi.Tumble is Tumble
    assert tableapi.Session is Session
    windowed = events.window(tumble())
    assert repr(windowed).startswith("Windows 'w' of\nTable(\n")
    assert repr(windowed.group_by(col("w"))).startswith("Window group of\nTable(\n")
    assert isinstance(windowed, tableapi.GroupWindowedTable)
    assert isinstance(windowed.group_by(col("w")), tableapi.WindowGroupedTable)


# --- windows of a number of rows --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["start", "end", "rowtime"])
def test_windows_of_rows_have_no_properties(events: Table, name: str) -> None:
    windowed = events.window(Tumble.over(row_interval(2)).on(col("ts")).alias("w")).group_by(col("w"))
    message = "The window 'w' is over a number of rows, so that it has no start, end or rowtime, as in Flink"
    with pytest.raises(ValidationException, match=message):
        windowed.select(getattr(col("W"), name))


def test_windows_of_rows_check_their_keys(events: Table) -> None:
    with pytest.raises(ValidationException, match="A window is over a time: on takes a value of type TIMESTAMP"):
        events.window(Tumble.over(row_interval(2)).on(col("v")).alias("w"))
    windowed = events.window(Tumble.over(row_interval(2)).on(col("ts")).alias("w"))
    with pytest.raises(ValidationException, match="exactly once, as col\\('w'\\), but has it not at all"):
        windowed.group_by(col("k"))


def test_a_row_in_very_many_windows(events: Table) -> None:
    window = Slide.over(row_interval(100_000)).every(row_interval(1)).on(col("ts")).alias("w")
    with pytest.raises(TableException, match="Each row would belong to 100000 windows of 100000 rows; at most 10000"):
        events.window(window).group_by(col("w"))


def test_a_slide_of_as_many_rows_as_the_window(events: Table) -> None:
    def build(window: GroupWindow) -> object:
        return events.window(window).group_by(col("w")).select(col("v").sum).query_operation

    sliding = Slide.over(row_interval(3)).every(row_interval(3)).on(col("ts")).alias("w")
    assert build(sliding) is build(Tumble.over(row_interval(3)).on(col("ts")).alias("w"))
