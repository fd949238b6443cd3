"""Steps with windows: OVER windows, time windows and count windows."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as f

from ir import types as t
from tableapi import Session, Slide, Table, Tumble
from tableapi.expressions import (
    CURRENT_ROW,
    UNBOUNDED_RANGE,
    UNBOUNDED_ROW,
    col,
    cume_dist,
    dense_rank,
    lit,
    ntile,
    percent_rank,
    range_interval,
    rank,
    row_interval,
    row_number,
)
from tableapi.window import Over
from tests.programs.tables import Frames, Tables
from tests.random_queries.expressions import Pair, names_of, number, value
from tests.random_queries.groups import aggregates
from tests.random_queries.step import Situation, Step, c, fluent, native


def over_of(at: Situation) -> Pair | None:
    """Choose a call over a window; if it counts rows, order by all columns, so that its result is determined."""
    keys = at.sortable
    if not keys:
        return None
    partition = at.some(keys, 0, 2)
    kinds = ["rank", "dense_rank", "percent_rank", "cume_dist", "range"]
    kinds += ["row_number", "ntile", "rows", "lag", "lead", "first", "last", "nth"] * at.is_comparable
    kind = at.one(kinds)
    order = list(at.schema.names) if at.is_comparable else keys
    ours: Any = Over.partition_by(*map(col, partition)).order_by(*map(col, order))
    theirs: Any = Window.partitionBy(*map(c, partition)).orderBy(*map(c, order))
    pair = number(at.draw, at.schema, 1) if kind in ("rows", "range") else value(at.draw, at.schema)
    if kind == "rows":
        ours, theirs = _rows(at, ours, theirs)
    if kind == "range":
        whole = names_of(at.schema, (t.IntegralType,))
        if not whole:
            return None
        key = at.one(whole)
        ours = Over.partition_by(*map(col, partition)).order_by(col(key)).preceding(range_interval(2))
        theirs = Window.partitionBy(*map(c, partition)).orderBy(c(key)).rangeBetween(-2, 1)
        ours = ours.following(range_interval(1))
        if at.flag():
            ours = Over.partition_by(*map(col, partition)).order_by(col(key)).preceding(UNBOUNDED_RANGE)
            theirs = theirs.rangeBetween(Window.unboundedPreceding, Window.currentRow)
    if kind in ("rows", "range"):
        name = at.one(["sum", "count", "min", "max", "avg"])
        return Pair(getattr(pair.ours, name).over(ours), getattr(f, name)(pair.theirs).over(theirs))
    made = {
        "row_number": lambda: (row_number(), f.row_number()),
        "rank": lambda: (rank(), f.rank()),
        "dense_rank": lambda: (dense_rank(), f.dense_rank()),
        "percent_rank": lambda: (percent_rank(), f.percent_rank()),
        "cume_dist": lambda: (cume_dist(), f.cume_dist()),
        "ntile": lambda: (ntile(2), f.ntile(2)),
        "lag": lambda: (pair.ours.lag(1), f.lag(pair.theirs, 1)),
        "lead": lambda: (pair.ours.lead(2), f.lead(pair.theirs, 2)),
        "first": lambda: (pair.ours.first_value.ignore_nulls, f.first(pair.theirs, ignorenulls=True)),
        "last": lambda: (pair.ours.last_value, f.last(pair.theirs)),
        "nth": lambda: (pair.ours.nth_value(2), f.nth_value(pair.theirs, 2)),
    }[kind]()
    return Pair(made[0].over(ours), made[1].over(theirs))


def _rows(at: Situation, ours: Any, theirs: Any) -> tuple[Any, Any]:
    before, after = at.one([None, 0, 1, 2]), at.one([None, 0, 1])
    ours = ours.preceding(UNBOUNDED_ROW if before is None else row_interval(before))
    ours = ours.following(UNBOUNDED_ROW if after is None else row_interval(after) if after else CURRENT_ROW)
    first = Window.unboundedPreceding if before is None else -before
    return ours, theirs.rowsBetween(first, Window.unboundedFollowing if after is None else after)


def over(at: Situation) -> Step | None:
    name, pair = at.new_name(), over_of(at)
    if pair is None:
        return None
    return Step(
        f"add({name!r}, {pair.ours})",
        lambda table, _: table.add_columns(pair.ours.alias(name)),
        lambda frame, _: frame.withColumn(name, pair.theirs),
    )


def keep_by_window(at: Situation) -> Step | None:
    pair = over_of(at)
    if pair is None:
        return None
    negated = at.flag()

    def ours(table: Table, _: Tables) -> Table:
        return table.filter(pair.ours.is_null if negated else pair.ours.is_not_null)

    def theirs(frame: DataFrame, _: Frames) -> DataFrame:
        made = frame.withColumn("made for the filter", pair.theirs)
        found = c("made for the filter")
        return made.filter(found.isNull() if negated else found.isNotNull()).drop(found)

    return Step(f"filter({pair.ours} {negated})", ours, theirs)


def group_window(at: Situation) -> Step | None:
    times = names_of(at.schema, (t.TimestampType, t.LocalZonedTimestampType))
    if not times:
        return None
    time, kind = at.one(times), at.one(["tumble", "slide", "session"])
    keys = at.some([name for name in at.sortable if name != time] or [time], 0, 1)
    start, end, made = at.new_name(), at.new_name(), aggregates(at)
    window = {
        "tumble": Tumble.over(lit(3).days),
        "slide": Slide.over(lit(10).minutes).every(lit(4).minutes),
        "session": Session.with_gap(lit(5).minutes),
    }[kind]
    theirs = {
        "tumble": lambda: f.window(c(time), "3 days"),
        "slide": lambda: f.window(c(time), "10 minutes", "4 minutes"),
        "session": lambda: f.session_window(c(time), "5 minutes"),
    }[kind]
    return Step(
        f"{kind}({time!r}, {keys}).select({made})",
        lambda table, _: (
            table.window(window.on(col(time)).alias("w"))
            .group_by(col("w"), *map(col, keys))
            .select(col("w").start.alias(start), *map(col, keys), col("w").end.alias(end), *fluent(made))
        ),
        lambda frame, _: (
            frame.groupBy(theirs().alias("w"), *map(c, keys))
            .agg(*native(made))
            .select(
                f.col("w.start").alias(start),
                *map(c, keys),
                f.col("w.end").alias(end),
                *[c(name) for name, _ in made],
            )
        ),
    )


def count_window(at: Situation) -> Step | None:
    """Windows with a number of rows; for rows with equal times, only their number and times are determined."""
    times = names_of(at.schema, (t.TimestampType, t.LocalZonedTimestampType))
    if not times:
        return None
    time = at.one(times)
    keys = at.some([name for name in at.sortable if name != time] or [time], 0, 1)
    size, slide = at.one([(2, None), (2, 1), (3, 2), (1, 2)])
    first, last = at.new_name(), at.new_name()
    window: Any = Tumble.over(row_interval(size))
    if slide is not None:
        window = Slide.over(row_interval(size)).every(row_interval(slide))

    def theirs(frame: DataFrame, _: Frames) -> DataFrame:
        numbered = frame.filter(c(time).isNotNull()).withColumn(
            "row before", f.row_number().over(Window.partitionBy(*map(c, keys)).orderBy(c(time))) - 1
        )
        step, before = slide or size, c("row before")
        starts = f.filter(
            f.sequence(f.lit(0), before), lambda begun: (begun % step == 0) & (begun > before - f.lit(size))
        )
        grouped = numbered.withColumn("window start", f.explode(starts)).groupBy(*map(c, keys), c("window start"))
        made = grouped.agg(f.min(c(time)).alias(first), f.max(c(time)).alias(last), f.count(f.lit(1)).alias("rows in"))
        return made.filter(c("rows in") == size).select(*map(c, keys), c(first), c(last))

    return Step(
        f"window of {size} rows every {slide} on {time!r} by {keys}",
        lambda table, _: (
            table.window(window.on(col(time)).alias("w"))
            .group_by(*map(col, keys), col("w"))
            .select(*map(col, keys), col(time).min.alias(first), col(time).max.alias(last))
        ),
        theirs,
    )


STEPS = (over, over, keep_by_window, group_window, group_window, count_window)
