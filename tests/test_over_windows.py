"""Error messages for invalid OVER windows, and for windows in invalid places."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from ir.errors import TableException, ValidationException
from ir.frames import CURRENT_ROW as AT_ROW
from ir.frames import Direction
from ir.rendering import Dialect
from tableapi import DataTypes, EnvironmentSettings, Expression, Table, TableEnvironment
from tableapi.expressions import (
    CURRENT_RANGE,
    CURRENT_ROW,
    UNBOUNDED_RANGE,
    UNBOUNDED_ROW,
    call,
    col,
    cume_dist,
    lag,
    lit,
    map_,
    ntile,
    range_interval,
    rank,
    row_interval,
    row_number,
)
from tableapi.window import Over, OverWindow


@pytest.fixture(scope="module")
def table() -> Table:
    field = DataTypes.FIELD
    fields = [
        field("k", DataTypes.STRING()),
        field("v", DataTypes.INT()),
        field("price", DataTypes.DECIMAL(10, 2)),
        field("day", DataTypes.DATE()),
        field("at", DataTypes.TIMESTAMP()),
        field("clock", DataTypes.TIME(6)),
        field("tiny", DataTypes.TINYINT()),
        field("ratio", DataTypes.DOUBLE()),
    ]
    return TableEnvironment.create().from_elements([], DataTypes.ROW(fields))


BY_V = Over.order_by(col("v"))
ROWS = BY_V.preceding(row_interval(1))


def refusal(build: Callable[[], Any]) -> str:
    with pytest.raises(ValidationException) as caught:
        build()
    return str(caught.value)


def total(table: Table, window: OverWindow) -> Table:
    return table.select(col("v").sum.over(window))


# --- functions over a window -----------------------------------------------------------------------------------------


def test_a_window_function_without_a_window(table: Table) -> None:
    message = "RANK is computed over a window, and has none here. Write ….over(Over.partition_by(…).order_by(…))"
    assert message in refusal(lambda: table.select(rank()))
    assert message in refusal(lambda: table.filter(rank() == 1))
    assert message in refusal(lambda: table.select(call("rank") + 1))
    assert "ROW_NUMBER is computed over a window" in refusal(lambda: table.select(row_number().sum.over(BY_V)))


@pytest.mark.parametrize(
    "function", [rank(), row_number(), ntile(2), cume_dist(), col("v").lag(1), col("v").nth_value(1)], ids=repr
)
def test_a_function_that_needs_an_order(table: Table, function: Expression[Any]) -> None:
    message = refusal(lambda: table.select(function.over(Over.partition_by(col("k")))))
    assert "needs a window with an order: Over.partition_by(…).order_by(…)." in message


@pytest.mark.parametrize("function", [rank(), ntile(2), cume_dist(), col("v").lag(1)], ids=repr)
def test_a_function_that_takes_no_frame(table: Table, function: Expression[Any]) -> None:
    message = refusal(lambda: table.select(function.over(ROWS)))
    assert "takes no frame, but the window has ROWS BETWEEN 1 PRECEDING AND CURRENT ROW" in message
    assert "without preceding and following" in message


def test_the_default_frame_may_be_explicit(table: Table) -> None:
    plain = table.select(rank().over(BY_V)).query_operation
    assert table.select(rank().over(BY_V.preceding(UNBOUNDED_ROW))).query_operation is plain
    assert table.select(rank().over(BY_V.preceding(UNBOUNDED_RANGE))).query_operation is plain


def test_distinct(table: Table) -> None:
    message = refusal(lambda: table.select(col("v").count.distinct.over(BY_V)))
    assert "Spark cannot compute COUNT with DISTINCT over a window. Keep the distinct rows first" in message


def test_ignore_nulls(table: Table) -> None:
    message = refusal(lambda: table.select(col("v").sum.ignore_nulls.over(BY_V)))
    assert "SUM does not support IGNORE NULLS" in message
    assert "ignore_nulls is for calls that pick a value" in refusal(lambda: col("v").ignore_nulls)


@pytest.mark.parametrize(
    "expression", [lambda: col("v").over(BY_V), lambda: lit(1).over(BY_V), lambda: col("v").sum.alias("s").over(BY_V)]
)
def test_over_without_a_call(expression: Callable[[], Any]) -> None:
    assert "over follows a call of an aggregate or a window function, but" in refusal(expression)


def test_over_a_function_of_single_rows(table: Table) -> None:
    message = refusal(lambda: table.select(col("k").upper_case.over(BY_V)))
    assert "but upper(k) is neither. Write col('a').sum.over(…)" in message
    assert "but grouping(v) is neither" in refusal(lambda: table.rollup(col("v")).select(col("v").grouping.over(BY_V)))
    assert "col('a').sum.over(…) + 1" in refusal(lambda: table.select((col("v").sum + 1).over(BY_V)))


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (lambda: ntile(0), "argument 1 (buckets) is not <positive INT literal>"),
        (lambda: ntile(col("v")), "argument 1 (buckets) is not <positive INT literal>"),
        (lambda: ntile("2"), "argument 1 (buckets) is not <positive INT literal>"),
        (lambda: lag(col("v"), col("v")), "argument 2 (offset) is not <INT literal>"),
        (lambda: lag(col("v"), 3_000_000_000), "argument 2 (offset) is not <INT literal>"),
        (lambda: lag(col("v"), 1, lit(b"x")), "argument 3 (default) is not <like the first>"),
        (lambda: col("v").nth_value(0), "argument 2 (position) is not <positive INT literal>"),
    ],
)
def test_arguments(table: Table, expression: Callable[[], Any], message: str) -> None:
    assert message in refusal(lambda: table.select(expression().over(BY_V)))


# --- the window ------------------------------------------------------------------------------------------------------


def test_arguments_of_over(table: Table) -> None:
    message = "over takes a window, as in over(Over.partition_by(…)), or the alias of one, as in over(col('w'))"
    assert message in refusal(lambda: col("v").sum.over("w"))
    assert message in refusal(lambda: col("v").sum.over(col("w") + 1))
    assert "There is no window with the alias 'w': declare it with" in refusal(
        lambda: table.select(col("v").sum.over(col("w")))
    )
    windows = table.over_window(BY_V.alias("recent"), ROWS.alias("rows"))
    message = refusal(lambda: windows.select(col("v").sum.over(col("Recnt"))))
    assert (
        "There is no window with the alias 'Recnt'; the windows are [recent, rows]. Did you mean 'recent'?" in message
    )


def test_aliases(table: Table) -> None:
    assert "over_window needs at least one window" in refusal(lambda: table.over_window())
    assert "takes windows with an alias; Over(order: [v]) has none" in refusal(lambda: table.over_window(BY_V))
    assert "two windows with the alias 'W'" in refusal(lambda: table.over_window(BY_V.alias("w"), ROWS.alias("W")))
    assert "over_window takes windows, as in" in refusal(lambda: table.over_window(col("w")))  # type: ignore[arg-type]
    assert "The alias of a window must be text that is not empty" in refusal(lambda: BY_V.alias(""))


def test_keys(table: Table) -> None:
    assert "partition_by takes expressions, but was given the text 'k'. Write col('k')." in refusal(
        lambda: Over.partition_by("k")  # type: ignore[arg-type]
    )
    assert "order_by of a window needs at least one expression" in refusal(lambda: Over.order_by())
    assert "asc and desc are for order_by" in refusal(lambda: Over.partition_by(col("k").desc))
    assert "Cannot resolve field [kk]" in refusal(lambda: total(table, Over.partition_by(col("kk"))))
    entries = map_("a", col("v"))
    assert "partition_by cannot use map('a', v) of type MAP<STRING, INT> NOT NULL" in refusal(
        lambda: total(table, Over.partition_by(entries))
    )
    assert "order_by of a window cannot sort by map('a', v)" in refusal(lambda: total(table, Over.order_by(entries)))


# --- the frame -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "window",
    [
        BY_V.preceding(row_interval(1)).following(row_interval(-2)),
        BY_V.preceding(row_interval(-2)).following(row_interval(1)),
        BY_V.preceding(row_interval(-1)).following(row_interval(0)),
        BY_V.preceding(range_interval(0)).following(range_interval(-1)),
        Over.order_by(col("at")).preceding(lit(1).hour).following(lit(-1).day),
    ],
    ids=repr,
)
def test_a_frame_that_ends_before_it_begins(table: Table, window: OverWindow) -> None:
    assert "A frame must not end before it begins, but the window has" in refusal(lambda: total(table, window))


@pytest.mark.parametrize(
    ("window", "text"),
    [
        (BY_V.preceding(row_interval(-1)), "ROWS 1 FOLLOWING"),
        (BY_V.preceding(CURRENT_ROW).following(row_interval(-2)), "ROWS BETWEEN CURRENT ROW AND 2 PRECEDING"),
        (BY_V.preceding(range_interval(-1)).following(CURRENT_RANGE), "RANGE BETWEEN 1 FOLLOWING AND CURRENT ROW"),
    ],
    ids=repr,
)
def test_a_frame_without_rows(window: OverWindow, text: str) -> None:
    env = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    table = env.from_elements([(1,)], ["v"])
    made = table.select(col("v").sum.over(window).alias("total")).query_operation
    written = env.sql_query(f"SELECT sum(v) OVER (ORDER BY v {text}) AS total FROM VALUES (1) AS t(v)")
    assert written.query_operation is made


@pytest.mark.parametrize(
    ("call", "taken", "refused"),
    [
        ("rank()", "ROWS UNBOUNDED PRECEDING", "RANGE UNBOUNDED PRECEDING"),
        ("ntile(2)", "ROWS UNBOUNDED PRECEDING", "RANGE UNBOUNDED PRECEDING"),
        ("cume_dist()", "RANGE UNBOUNDED PRECEDING", "ROWS UNBOUNDED PRECEDING"),
        ("lead(a)", "ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING", "RANGE UNBOUNDED PRECEDING"),
        ("lag(a, 2)", "ROWS BETWEEN -2 FOLLOWING AND -2 FOLLOWING", "ROWS BETWEEN 2 FOLLOWING AND 2 FOLLOWING"),
    ],
)
def test_a_function_with_a_frame_of_its_own_takes_no_other_in_sql(call: str, taken: str, refused: str) -> None:
    env = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    rows = "FROM VALUES (1) AS t(a)"
    plain = env.sql_query(f"SELECT {call} OVER (ORDER BY a) AS c {rows}").query_operation
    assert env.sql_query(f"SELECT {call} OVER (ORDER BY a {taken}) AS c {rows}").query_operation is plain
    message = refusal(lambda: env.sql_query(f"SELECT {call} OVER (ORDER BY a {refused}) AS c {rows}"))
    assert "has a frame of its own, " in message
    assert "Leave the frame out." in message


def test_units_may_not_be_mixed(table: Table) -> None:
    message = refusal(lambda: total(table, BY_V.preceding(UNBOUNDED_ROW).following(CURRENT_RANGE)))
    assert "preceding and following must both count rows" in message
    assert "but preceding is of ROWS and following of RANGE" in message


@pytest.mark.parametrize("bound", [col("v"), lit("1"), lit(None, DataTypes.INT()), lit(True)], ids=repr)
def test_bounds_are_constants(table: Table, bound: Expression[Any]) -> None:
    message = refusal(lambda: total(table, BY_V.preceding(bound)))
    assert any(
        part in message for part in ("The bound preceding is UNBOUNDED_ROW, UNBOUNDED_RANGE", "but was given NULL")
    )


def test_numbers_of_rows(table: Table) -> None:
    message = "takes a whole number of rows from -2147483648 to 2147483647, but was given"
    assert f"preceding {message} 1.5" in refusal(lambda: total(table, BY_V.preceding(1.5)))
    assert f"preceding {message} nan" in refusal(lambda: total(table, BY_V.preceding(float("nan"))))
    assert f"following {message} 3000000000" in refusal(
        lambda: total(table, ROWS.following(row_interval(3_000_000_000)))
    )
    assert "row_interval takes a whole number of rows" in refusal(lambda: row_interval("2"))  # type: ignore[arg-type]


def test_a_bound_is_not_a_value(table: Table) -> None:
    assert "are for preceding and following of a window" in refusal(lambda: table.select(UNBOUNDED_ROW))
    assert "are for preceding and following of a window" in refusal(lambda: table.select(col("v") + CURRENT_RANGE))


def test_a_range_needs_an_order(table: Table) -> None:
    message = refusal(lambda: total(table, Over.partition_by(col("k")).preceding(UNBOUNDED_RANGE)))
    assert "is about the values of a sort key, and the window has none. Add order_by, or count rows" in message
    whole = Over.partition_by(col("k")).preceding(UNBOUNDED_RANGE).following(UNBOUNDED_RANGE)
    assert total(table, whole).query_operation is total(table, Over.partition_by(col("k"))).query_operation


def test_a_distance_needs_one_sort_key(table: Table) -> None:
    window = Over.order_by(col("v"), col("k")).preceding(range_interval(1))
    assert "of which there must be one, but the window has 2" in refusal(lambda: total(table, window))
    both = Over.order_by(col("v"), col("k")).preceding(CURRENT_RANGE).following(UNBOUNDED_RANGE)
    assert "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING" in total(table, both).as_serializable_string()


@pytest.mark.parametrize(
    ("key", "distance", "message"),
    [
        (
            "k",
            range_interval(1),
            "needs a sort key that is a number, a date, a timestamp or an interval, but it is k of",
        ),
        (
            "clock",
            lit(1).hour,
            "needs a sort key that is a number, a date, a timestamp or an interval, but it is clock",
        ),
        ("v", lit(1).hour, "must be a number that INT can hold, as range_interval(5), but is INTERVAL 3600000000"),
        ("v", range_interval(1.5), "must be a number that INT can hold"),
        ("tiny", range_interval(300), "must be a number that TINYINT can hold"),
        ("price", range_interval(0.125), "must be a number that DECIMAL(10, 2) can hold"),
        ("day", lit(12).hours, "must be an interval of whole days or of months, as lit(2).days"),
        ("day", range_interval(2.5), "must be an interval of whole days or of months, as lit(2).days, or a whole"),
        ("at", range_interval(2), "must be an interval, as lit(10).minutes, but is 2 of type INT NOT NULL"),
    ],
)
def test_distances_fit_the_sort_key(table: Table, key: str, distance: Expression[Any], message: str) -> None:
    assert message in refusal(lambda: total(table, Over.order_by(col(key)).preceding(distance)))


def test_both_bounds_are_of_one_kind(table: Table) -> None:
    window = Over.order_by(col("at")).preceding(lit(1).month).following(lit(1).day)
    assert "both be intervals of days and times or both of years and months" in refusal(lambda: total(table, window))


@pytest.mark.parametrize(
    ("window", "same"),
    [
        (BY_V.preceding(UNBOUNDED_RANGE), BY_V),
        (BY_V.preceding(row_interval(0)), BY_V.preceding(CURRENT_ROW)),
        (BY_V.preceding(2), BY_V.preceding(row_interval(2))),
        (BY_V.preceding(lit(1) + 1), BY_V.preceding(row_interval(2))),
        (BY_V.preceding(range_interval(0)), BY_V.preceding(CURRENT_RANGE)),
        (BY_V.preceding(range_interval(lit(2, DataTypes.BIGINT()))), BY_V.preceding(range_interval(2))),
        (
            Over.order_by(col("day")).preceding(lit(24).hours),
            Over.order_by(col("day")).preceding(lit(1).day),
        ),
    ],
    ids=repr,
)
def test_windows_that_mean_the_same_are_the_same(table: Table, window: OverWindow, same: OverWindow) -> None:
    assert total(table, window).query_operation is total(table, same).query_operation


def test_a_fraction_is_a_distance_from_a_fraction(table: Table) -> None:
    text = total(table, Over.order_by(col("ratio")).preceding(range_interval(1.5))).as_serializable_string()
    assert "RANGE BETWEEN 1.5D PRECEDING AND CURRENT ROW" in text


# --- places of a window ----------------------------------------------------------------------------------------------


def test_places_that_take_no_window(table: Table) -> None:
    placed = rank().over(BY_V)
    advice = "which is computed over a window. Make it a column with add_columns first"
    assert f"group_by holds over(rank(), order: [asc(v)]), {advice}" in refusal(lambda: table.group_by(placed))
    assert f"order_by holds over(rank(), order: [asc(v)]), {advice}" in refusal(lambda: table.order_by(placed.desc))
    other = table.select(col("v").alias("w"))
    assert f"The join condition holds over(rank(), order: [asc(v)]), {advice}" in refusal(
        lambda: table.join(other, (col("v") == col("w")) & (placed == 1))
    )
    pivoted = table.group_by(col("k")).pivot(col("v"), [1])
    message = refusal(lambda: pivoted.select(col("price").max.sum.over(Over.partition_by())))
    assert "pivot takes aggregates, but over(sum(max(price))) is computed" in message


def test_windows_do_not_nest(table: Table) -> None:
    inner = col("v").sum.over(BY_V)
    message = "is inside of the window of"
    assert message in refusal(lambda: table.select(inner.sum.over(BY_V)))
    assert message in refusal(lambda: table.select(rank().over(Over.order_by(inner))))
    assert message in refusal(lambda: table.select(col("v").max.over(Over.partition_by(inner))))
    assert message in refusal(lambda: table.select(col("v").sum.where(inner > 1).over(BY_V)))
    message = refusal(lambda: table.select(inner.max))
    assert "over(sum(v), order: [asc(v)]) is computed over a window, inside of the aggregate max(" in message


def test_aggregates_of_groups_beside_a_window(table: Table) -> None:
    message = refusal(lambda: table.select(col("v").sum, col("v").sum.over(BY_V)))
    assert "Cannot resolve field [v]: beside an aggregate, a select without group_by gives one row" in message
    message = refusal(lambda: table.group_by(col("k")).select(col("k"), col("price").max.over(BY_V)))
    assert "it is neither a key of group_by nor inside of an aggregate" in message
    message = refusal(lambda: table.filter(col("v").sum.sum.over(BY_V) > 1))
    assert "filter holds the aggregate sum(v)" in message


def test_the_call_of_an_over_is_not_a_child(table: Table) -> None:
    (made,) = table.select(col("v").sum.over(ROWS)).query_operation.projections  # type: ignore[attr-defined]
    assert [part.as_summary_string() for part in made.walk()] == ["v", "asc(v)", repr(made)]
    assert made.frame.lower.direction is Direction.PRECEDING
    assert made.frame.upper is AT_ROW
    assert pickle.loads(pickle.dumps(made)) is made


def test_summaries() -> None:
    window = Over.partition_by(col("k")).order_by(col("v").desc.nulls_first, col("k"))
    assert repr(window.preceding(UNBOUNDED_ROW).following(row_interval(2)).alias("w")) == (
        "Over(partition: [k], order: [desc(v, nulls first), k], preceding: UNBOUNDED_ROW, following: 2) as w"
    )
    assert repr(col("v").last_value.ignore_nulls.over(col("w"))) == "over(ignoreNulls(last_value(v)), w)"
    assert repr(BY_V.preceding(range_interval(3))) == "Over(order: [v], preceding: range(3))"


def test_long_chains_over_windows(table: Table) -> None:
    expression = lit(0)
    for number in range(1500):
        expression = expression + col("v").lag(number).over(BY_V)
    assert table.select(expression).as_serializable_string().count(" OVER (") == 1500


# --- Flink -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        (lambda: cume_dist().over(BY_V), "its CUME_DIST differs between rows with equal sort keys"),
        (lambda: col("v").sum.where(col("k") == "a").over(BY_V), "an aggregate over a window has no condition there"),
        (lambda: rank().over(Over.order_by(lit(1))), "its RANK needs an order by something that is no constant"),
        (lambda: col("v").nth_value(1).over(BY_V), "it has no NTH_VALUE"),
        (lambda: col("v").last_value.over(BY_V), "its LAST_VALUE passes over NULL"),
        (lambda: col("v").lag(1).ignore_nulls.over(BY_V), "its LAG does not pass over NULL"),
        (lambda: map_("a", col("v")).lag(1).over(BY_V), "its LAG takes no MAP<STRING, INT>"),
        (
            lambda: rank().over(Over.order_by(lit(1).days + col("day") - col("day"))),
            "its RANK compares no INTERVAL",
        ),
        (
            lambda: col("v").sum.over(BY_V.preceding(UNBOUNDED_RANGE).following(range_interval(1))),
            "a frame with a distance, that is unbounded or without the current row, has other rows there",
        ),
        (
            lambda: col("v").sum.over(BY_V.preceding(range_interval(2)).following(range_interval(-1))),
            "a frame with a distance, that is unbounded or without the current row, has other rows there",
        ),
        (
            lambda: col("v").sum.over(Over.order_by(col("day")).preceding(lit(1).month)),
            "a frame has no distances in months there",
        ),
    ],
)
def test_refused_in_flink(table: Table, build: Callable[[], Any], reason: str) -> None:
    query = table.select(build())
    assert " OVER (" in query.as_serializable_string()
    with pytest.raises(TableException) as caught:
        query.as_serializable_string(Dialect.FLINK)
    assert reason in str(caught.value)
