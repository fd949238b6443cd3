"""The statements of the job: each is built by methods, and written as SQL that means the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import attrs

from tableapi import Schema, Table, TableDescriptor, TableEnvironment
from tableapi.expressions import col, lit

if TYPE_CHECKING:
    from tableapi.row_statements import DeleteStatement, UpdateStatement
    from tableapi.table_statement import TableStatement

    Statement: TypeAlias = "TableStatement | UpdateStatement | DeleteStatement"

DATABASE = "airline"
FEED = "arrived"
"""The temporary view with the rows that arrived."""
FLIGHTS = Schema.of(
    {
        "hour": "INT NOT NULL",
        "carrier": "STRING NOT NULL",
        "flight": "INT NOT NULL",
        "origin": "STRING",
        "dest": "STRING",
        "dep_delay": "INT",
        "arr_delay": "INT",
        "day": "DATE NOT NULL",
    }
)
KEY = ("day", "hour", "carrier", "flight")
DAYS = tuple(dt.date(2013, 1, number) for number in range(1, 6))


@attrs.frozen
class Step:
    """One statement of the job, which may run again: it then leaves the same rows."""

    title: str
    build: Callable[[TableEnvironment], Statement]
    sql: str


def steps(folder: str) -> list[Step]:
    """Return the statements in their order; the files of the tables are below a folder."""
    return [
        Step(
            "declare the feed",
            lambda te: te.table_statement(
                "airline.feed",
                _delta(folder, "feed").schema(FLIGHTS).partitioned_by("day").build(),
                ignore_if_exists=True,
            ),
            f"""
            CREATE TABLE IF NOT EXISTS airline.feed (
              hour INT NOT NULL, carrier STRING NOT NULL, flight INT NOT NULL,
              origin STRING, dest STRING, dep_delay INT, arr_delay INT, day DATE NOT NULL
            ) USING delta PARTITIONED BY (day) LOCATION '{folder}/feed'
            """,
        ),
        Step(
            "add what arrived",
            lambda te: te.merge_into("airline.feed", FEED, on=KEY).when_not_matched().insert_all(),
            f"""
            MERGE INTO airline.feed AS target USING {FEED} AS source
            ON target.day = source.day AND target.hour = source.hour
              AND target.carrier = source.carrier AND target.flight = source.flight
            WHEN NOT MATCHED THEN INSERT *
            """,
        ),
        Step(
            "begin with the first day",
            lambda te: te.table_statement(
                "airline.flights", _delta(folder, "flights").build(), _day(te, DAYS[0]), ignore_if_exists=True
            ),
            f"""
            CREATE TABLE IF NOT EXISTS airline.flights USING delta LOCATION '{folder}/flights'
            AS SELECT * FROM airline.feed WHERE day = DATE '{DAYS[0]}'
            """,
        ),
        *[_merge_of(day) for day in DAYS[1:]],
        Step(
            "estimate arrivals that nobody noted",
            lambda te: (
                te.update("airline.flights")
                .set(arr_delay=col("dep_delay"))
                .where(col("arr_delay").is_null & col("dep_delay").is_not_null)
            ),
            """
            UPDATE airline.flights SET arr_delay = dep_delay
            WHERE arr_delay IS NULL AND dep_delay IS NOT NULL
            """,
        ),
        Step(
            "delete flights that were cancelled",
            lambda te: te.delete_from("airline.flights").where(col("dep_delay").is_null),
            "DELETE FROM airline.flights WHERE dep_delay IS NULL",
        ),
        Step(
            "summarise the days",
            lambda te: te.table_statement(
                "airline.days",
                _delta(folder, "days").build(),
                te.from_path("airline.flights")
                .group_by(col("day"))
                .select(
                    col("day"),
                    lit(1).count.alias("flights"),
                    (col("arr_delay") > 15).cast("INT").sum.alias("late"),
                ),
                ignore_if_exists=True,
            ),
            f"""
            CREATE TABLE IF NOT EXISTS airline.days USING delta LOCATION '{folder}/days'
            AS SELECT day, count(1) AS flights, sum(CAST(arr_delay > 15 AS INT)) AS late
            FROM airline.flights GROUP BY day
            """,
        ),
        Step(
            "count the flights of the first version",
            lambda te: te.table_statement(
                "airline.audit",
                _delta(folder, "audit").build(),
                _counts(te.from_path("airline.flights", version=0)).select(
                    col("carrier"), col("n").alias("first"), col("n").alias("now")
                ),
                ignore_if_exists=True,
            ),
            f"""
            CREATE TABLE IF NOT EXISTS airline.audit USING delta LOCATION '{folder}/audit'
            AS SELECT carrier, n AS first, n AS now
            FROM (SELECT carrier, count(1) AS n FROM airline.flights VERSION AS OF 0 GROUP BY carrier)
            """,
        ),
        Step(
            "compare with the flights of today",
            lambda te: (
                te.merge_into("airline.audit", _counts(te.from_path("airline.flights")), on="carrier")
                .when_matched()
                .update(now=lambda target, source: source.n)
                .when_not_matched()
                .insert(carrier=col("carrier"), first=lit(0), now=col("n"))
            ),
            """
            MERGE INTO airline.audit AS target
            USING (SELECT carrier, count(1) AS n FROM airline.flights GROUP BY carrier) AS source
            ON target.carrier = source.carrier
            WHEN MATCHED THEN UPDATE SET now = source.n
            WHEN NOT MATCHED THEN INSERT (carrier, first, now) VALUES (carrier, 0, n)
            """,
        ),
    ]


def _delta(folder: str, name: str) -> TableDescriptor.Builder:
    return TableDescriptor.for_connector("delta").option("path", f"{folder}/{name}")


def _day(te: TableEnvironment, day: dt.date) -> Table:
    return te.from_path("airline.feed").filter(col("day") == lit(day))


def _counts(flights: Table) -> Table:
    return flights.group_by(col("carrier")).select(col("carrier"), lit(1).count.alias("n"))


def _merge_of(day: dt.date) -> Step:
    return Step(
        f"merge {day}",
        lambda te: (
            te.merge_into("airline.flights", _day(te, day), on=KEY)
            .when_matched(lambda target, source: ~target.arr_delay.is_not_distinct_from(source.arr_delay))
            .update(
                dep_delay=lambda target, source: source.dep_delay, arr_delay=lambda target, source: source.arr_delay
            )
            .when_not_matched()
            .insert_all()
        ),
        f"""
        MERGE INTO airline.flights AS target
        USING (SELECT * FROM airline.feed WHERE day = DATE '{day}') AS source
        ON target.day = source.day AND target.hour = source.hour
          AND target.carrier = source.carrier AND target.flight = source.flight
        WHEN MATCHED AND NOT target.arr_delay <=> source.arr_delay
          THEN UPDATE SET dep_delay = source.dep_delay, arr_delay = source.arr_delay
        WHEN NOT MATCHED THEN INSERT *
        """,
    )
