"""The flights as a stream: ``python -m examples.nycflights --stream``.

Six questions are asked of files that arrive month by month, each as one streaming query into a table of the catalog.
Each table is then compared with the same question, asked of the same files as a table: exit with 1 if rows differ.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rich.console import Console

from examples.nycflights import replay, show
from examples.nycflights.data import ROWS, attach, load
from examples.nycflights.digest import digest
from tableapi import (
    AsyncScalarFunction,
    Schema,
    StreamOptions,
    Table,
    TableDescriptor,
    TableEnvironment,
    udf,
)
from tableapi.expressions import call, col, if_then_else, lit
from tableapi.window import Slide, Tumble

DATABASE: Final = "nycflights_streams"
_COLUMNS: Final = {
    "flights": {
        "at": "TIMESTAMP_LTZ",
        "carrier": "STRING",
        "origin": "STRING",
        "dest": "STRING",
        "dep_delay": "INT",
        "arr_delay": "INT",
        "distance": "INT",
        "is_late": "BOOLEAN",
    },
    "weather": {
        "at": "TIMESTAMP_LTZ",
        "origin": "STRING",
        "visib": "DOUBLE",
        "wind_speed": "DOUBLE",
        "is_late": "BOOLEAN",
    },
}
_CANCELLED: Final = if_then_else(col("dep_delay").is_null, 1, 0)


class _NameOfAirport(AsyncScalarFunction):
    """Looks up the name of an airport, as a service would."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    async def eval(self, code: str) -> str:
        await asyncio.sleep(0)
        return self._names.get(code, f"({code})")


def departures_by_hour(flights: Table, airlines: Table, weather: Table) -> Table:
    """How many flights leave each airport in each hour, and how many are cancelled?"""
    return (
        flights.window(Tumble.over(lit(1).hour).on(col("at")).alias("w"))
        .group_by(col("w"), col("origin"))
        .select(
            col("w").start.alias("since"),
            col("origin"),
            lit(1).count.alias("flights"),
            _CANCELLED.sum.alias("cancelled"),
        )
    )


def delays_by_day(flights: Table, airlines: Table, weather: Table) -> Table:
    """How late is each airline on each day?"""
    return (
        flights.join(airlines.select(col("carrier").alias("code"), col("name")), col("carrier") == col("code"))
        .window(Tumble.over(lit(1).day).on(col("at")).alias("w"))
        .group_by(col("w"), col("name"))
        .select(
            col("w").start.alias("since"),
            col("name"),
            lit(1).count.alias("flights"),
            col("arr_delay").sum.alias("minutes"),
        )
    )


def busiest_six_hours(flights: Table, airlines: Table, weather: Table) -> Table:
    """How many flights leave in each six hours, counted every three hours?"""
    return (
        flights.window(Slide.over(lit(6).hours).every(lit(3).hours).on(col("at")).alias("w"))
        .group_by(col("w"), col("origin"))
        .select(col("w").start.alias("since"), col("origin"), lit(1).count.alias("flights"))
    )


def very_late_arrivals(flights: Table, airlines: Table, weather: Table) -> Table:
    """Where do flights go that arrive more than five hours late? A service knows the names of the airports."""
    return flights.filter(col("arr_delay") > 300).select(
        col("at"), col("carrier"), col("arr_delay"), call("name_of_airport", col("dest")).alias("airport")
    )


def routes_by_week(flights: Table, airlines: Table, weather: Table) -> Table:
    """How many miles does each airline fly from each airport in a week?"""
    return (
        flights.window(Tumble.over(lit(7).days).on(col("at")).alias("w"))
        .group_by(col("w"), col("carrier"), col("origin"))
        .select(col("w").start.alias("since"), col("carrier"), col("origin"), col("distance").sum.alias("miles"))
    )


def flights_in_fog(flights: Table, airlines: Table, weather: Table) -> Table:
    """Which flights leave in fog, by the weather of the hour before? Both are streams."""
    fog = weather.filter(col("visib") < 0.5).select(col("at").alias("seen"), col("origin").alias("place"), col("visib"))
    in_time = (col("origin") == col("place")) & (col("seen") <= col("at")) & (col("seen") > col("at") - lit(1).hour)
    return flights.join(fog, in_time).select(col("at"), col("carrier"), col("origin"), col("dest"), col("visib"))


QUESTIONS: Final = (
    departures_by_hour,
    delays_by_day,
    busiest_six_hours,
    very_late_arrivals,
    routes_by_week,
    flights_in_fog,
)
# A late row is left out where Spark keeps state by time.
_WITH_LATE_ROWS: Final = (very_late_arrivals,)


def _declare(te: TableEnvironment, folder: Path) -> None:
    """Declare each folder as a stream, and as a table of the same files."""
    for name, columns in _COLUMNS.items():
        for table, is_stream in ((f"{name}_stream", "true"), (f"{name}_files", "false")):
            schema = Schema.new_builder()
            for column, data_type in columns.items():
                schema = schema.column(column, data_type)
            files = (
                TableDescriptor.for_connector("filesystem")
                .format("json")
                .option("path", str(folder / name))
                .option("streaming", is_stream)
                .option("json.mode", "DROPMALFORMED")
            )
            if is_stream == "true":
                files = files.option("json.maxFilesPerTrigger", "1")
            schema = schema.watermark("at", col("at") - lit(2).hours)
            te.create_temporary_table(table, files.schema(schema.build()).build())


def _inputs(te: TableEnvironment, kind: str) -> tuple[Table, Table]:
    """Return the flights and the weather, without the rows that only say how late it is.

    Their condition is one on the time: Spark moves conditions on other columns below the watermark, which then would
    not see these rows.
    """
    before = col("at") < replay.LAST
    return te.from_path(f"flights_{kind}").filter(before), te.from_path(f"weather_{kind}").filter(before)


def main(address: str | None = None) -> int:
    """Replay the year, ask the questions, and compare the answers; return the exit code."""
    out = show.console()
    te = attach(address)
    with show.progress_of_loading(out, sum(ROWS.values())) as report:
        load(te, report)
    te.spark.sql(f"DROP DATABASE IF EXISTS {DATABASE} CASCADE")
    te.spark.sql(f"CREATE DATABASE {DATABASE}")
    airlines = te.from_path("airlines")
    names = {row.faa: row.name for row in te.from_path("airports").select(col("faa"), col("name")).execute().collect()}
    # Under its name, the text of a query can call it.
    te.create_temporary_function("name_of_airport", udf(_NameOfAirport(names)))
    differing = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        counts = replay.write_files(te, folder)
        out.print(
            f"A year of files: {counts['flights']:,} lines of flights and {counts['weather']:,} of weather. "
            f"{replay.LATE:.0%} of the flights come two months late, {replay.BROKEN:.1%} of the lines are cut off."
        )
        _declare(te, folder)
        for number, question in enumerate(QUESTIONS, 1):
            out.print()
            out.rule(f"[bold]{number}. {show.question(question)}", style="cyan")
            show.show_code(out, "Fluent", show.source(question), "python")
            differing += not _ask(out, te, question, airlines, folder)
    te.spark.sql(f"DROP DATABASE {DATABASE} CASCADE")
    out.print()
    failed = f"[bold red]{differing} streams gave other rows.[/]"
    out.print(failed if differing else "All streams gave the rows of the tables.")
    return 1 if differing else 0


def _ask(
    out: Console,
    te: TableEnvironment,
    question: Callable[..., Table],
    airlines: Table,
    folder: Path,
) -> bool:
    """Run a question as a stream and over the same files as tables, and return whether the rows are the same."""
    flights, weather = _inputs(te, "stream")
    streamed = question(flights, airlines, weather)
    show.show_code(out, "SQL", streamed.as_serializable_string(layout="MERGED", quoting="NEEDED"), "sql")
    sink = f"{DATABASE}.{question.__name__}"
    begun = time.perf_counter()
    columns = ", ".join(
        f"`{c.name}` {c.data_type.as_serializable_string()}" for c in streamed.get_resolved_schema().columns
    )
    te.spark.sql(f"CREATE TABLE {sink} ({columns}) USING parquet")
    options = StreamOptions(trigger="available-now", checkpoint=str(folder / "checkpoints" / question.__name__))
    result = streamed.execute_insert(sink, options=options)
    result.wait()
    progress = result.progress()
    seconds = time.perf_counter() - begun
    found = te.from_path(sink).to_arrow()
    flights, weather = _inputs(te, "files")
    if question not in _WITH_LATE_ROWS:
        flights = flights.filter(~col("is_late"))
    wanted = question(flights, airlines, weather).to_arrow()
    show.show_rows(out, found)
    is_same = digest(found) == digest(wanted)
    late = sum(batch.late_rows for batch in progress)
    judged = "the same rows" if is_same else f"other rows, {wanted.num_rows:,} of them"
    out.print(
        f"  {len(progress)} batches in {seconds:.1f} s, {late:,} rows too late; as a table, the files give {judged}",
        style="dim",
        soft_wrap=True,
    )
    return is_same
