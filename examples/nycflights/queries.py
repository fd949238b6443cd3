"""The queries. Each is a function whose parameters are named after its tables; its docstring is the question."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from tableapi import DataTypes, Expression, Table
from tableapi.expression import JsonOnNull, TimeIntervalUnit
from tableapi.expressions import coalesce, col, concat, if_then_else, json_object, lit, null_of

# A cast to a decimal rounds averages, which also makes them independent of the order of additions.
ONE_DIGIT = DataTypes.DECIMAL(8, 1)
TWO_DIGITS = DataTypes.DECIMAL(8, 2)


def delays_by_carrier(flights: Table, airlines: Table) -> Table:
    """Which airlines make their passengers wait, and how often?"""
    names = airlines.select(col("carrier").alias("code"), col("name").alias("airline"))
    late = if_then_else(col("arr_delay") > 30, 100, 0)
    cancelled = if_then_else(col("dep_time").is_null, 100, 0)
    return (
        flights.join(names, col("carrier") == col("code"))
        .group_by(col("airline"))
        .select(
            col("airline"),
            lit(1).count.alias("flights"),
            col("dest").count.distinct.alias("destinations"),
            col("arr_delay").avg.cast(ONE_DIGIT).alias("mean_delay"),
            late.avg.cast(ONE_DIGIT).alias("percent_late"),
            cancelled.avg.cast(ONE_DIGIT).alias("percent_cancelled"),
        )
        .order_by(col("mean_delay").desc)
    )


def worst_routes(flights: Table, airports: Table) -> Table:
    """Which routes, among those flown every day, arrive latest?"""
    places = airports.select(col("faa"), col("name").alias("airport"))
    return (
        flights.group_by(col("origin"), col("dest"))
        .select(
            col("origin"),
            col("dest"),
            lit(1).count.alias("flights"),
            col("carrier").count.distinct.alias("airlines"),
            col("arr_delay").avg.cast(ONE_DIGIT).alias("mean_delay"),
            col("arr_delay").max.alias("worst_delay"),
        )
        .filter(col("flights") >= 365)
        .left_outer_join(places, col("dest") == col("faa"))
        .add_or_replace_columns(coalesce(col("airport"), "not in the list").alias("airport"))
        .drop_columns(col("faa"))
        .order_by(col("mean_delay").desc, col("origin"), col("dest"))
        .fetch(10)
    )


def bad_weather_by_airline(flights: Table, weather: Table, airlines: Table, airports: Table) -> Table:
    """How many more minutes does bad weather at departure cost, for each airline and airport?"""
    bad = (col("visib") < 3) | (col("wind_speed") > 25) | (col("precip") > 0.1)
    hours = weather.select(col("origin").alias("station"), col("time_hour").alias("at"), bad.alias("bad"))
    names = airlines.select(col("carrier").alias("code"), col("name").alias("airline"))
    places = airports.select(col("faa"), col("name").alias("airport"))
    unknown = null_of(DataTypes.INT())
    return (
        flights.join(hours, (col("origin") == col("station")) & (col("time_hour") == col("at")))
        .join(names, col("carrier") == col("code"))
        .join(places, col("origin") == col("faa"))
        .group_by(col("airline"), col("airport"))
        .select(
            col("airline"),
            col("airport"),
            if_then_else(col("bad"), 1, 0).sum.alias("bad_flights"),
            if_then_else(col("bad"), unknown, col("dep_delay")).avg.cast(ONE_DIGIT).alias("fine"),
            if_then_else(col("bad"), col("dep_delay"), unknown).avg.cast(ONE_DIGIT).alias("bad"),
        )
        .filter(col("bad_flights") >= 500)
        .add_columns((col("bad") - col("fine")).alias("cost"))
        .order_by(col("cost").desc, col("airline"), col("airport"))
    )


def delay_by_age(flights: Table, planes: Table) -> Table:
    """Do old aircraft leave later than new ones, and who built them?"""
    register = planes.select(
        col("tailnum").alias("tail"),
        col("year").alias("built"),
        if_then_else(
            col("manufacturer").like("AIRBUS%"),
            "Airbus",
            if_then_else(col("manufacturer").in_("BOEING", "EMBRAER"), col("manufacturer"), "others"),
        ).alias("builder"),
    )
    age = col("year") - col("built")
    known = if_then_else(age < 5, "0-4 years", if_then_else(age < 10, "5-9 years", "10 years or more"))
    band = if_then_else(col("built").is_null, "unknown", known)
    return (
        flights.left_outer_join(register, col("tailnum") == col("tail"))
        .group_by(band.alias("age"), col("builder").if_null("unknown").alias("builder"))
        .select(
            col("age"),
            col("builder"),
            col("tailnum").count.distinct.alias("aircraft"),
            lit(1).count.alias("flights"),
            col("dep_delay").avg.cast(ONE_DIGIT).alias("mean_delay"),
        )
        .order_by(col("mean_delay").desc, col("flights"))
    )


def on_time_by_month(flights: Table) -> Table:
    """What percentage of the flights arrives on time, by month and airport of departure?"""

    # Less than 15 minutes late counts as on time; a flight that never arrived does not.
    def on_time(airport: str) -> Expression[Any]:
        arrived = if_then_else(col("arr_delay") < 15, 100, 0)
        there = if_then_else(col("origin") == airport, arrived, null_of(DataTypes.INT()))
        mean: Expression[Any] = there.avg
        return mean.cast(ONE_DIGIT)

    return (
        flights.group_by(col("month"))
        .select(
            col("month"),
            on_time("EWR").alias("newark"),
            on_time("JFK").alias("kennedy"),
            on_time("LGA").alias("la_guardia"),
        )
        .order_by(col("month"))
    )


def flights_per_day(flights: Table) -> Table:
    """What did each day look like?"""
    year, month, day = (col(name).cast(DataTypes.STRING()) for name in ("year", "month", "day"))
    date = concat(year, "-", month, "-", day).cast(DataTypes.DATE())
    return (
        flights.group_by(date.alias("date"))
        .select(
            col("date"),
            col("date").extract(TimeIntervalUnit.DOW).alias("weekday"),
            lit(1).count.alias("flights"),
            if_then_else(col("dep_time").is_null, 1, 0).sum.alias("cancelled"),
            col("tailnum").count.distinct.alias("aircraft"),
            col("dest").count.distinct.alias("destinations"),
            col("distance").sum.alias("miles"),
        )
        .order_by(col("date"))
    )


def busy_and_quiet_days(flights_per_day: Table) -> Table:
    """Which were the busiest, the ordinary and the quietest day? (asked of the view of the days)"""
    ranked = flights_per_day.order_by(col("flights").desc, col("date"))

    def day(kind: str, position: int) -> Table:
        return ranked.offset(position).fetch(1).select(lit(kind).alias("kind"), col("*"))

    return (
        day("busiest", 0)
        .union_all(day("ordinary", 182))
        .union_all(day("quietest", 364))
        .rename_columns(col("miles").alias("miles_flown"))
    )


def cancellations(flights: Table, weather: Table) -> Table:
    """On which days did an airport cancel most, and what was the weather like?"""
    days = (
        flights.group_by(col("origin"), col("month"), col("day"))
        .select(
            col("origin"),
            col("month"),
            col("day"),
            lit(1).count.alias("planned"),
            if_then_else(col("dep_time").is_null, 1, 0).sum.alias("cancelled"),
        )
        .filter((col("cancelled") * 2 >= col("planned")) & (col("planned") > 100))
    )
    skies = (
        weather.group_by(col("origin"), col("month"), col("day"))
        .select(
            col("origin"),
            col("month"),
            col("day"),
            col("temp").avg.cast(ONE_DIGIT).alias("fahrenheit"),
            col("wind_gust").max.cast(ONE_DIGIT).alias("strongest_gust"),
            col("precip").sum.cast(TWO_DIGITS).alias("inches_of_rain"),
            col("visib").min.cast(TWO_DIGITS).alias("least_visibility"),
        )
        .alias("station", "m", "d")
    )
    same_day = (col("origin") == col("station")) & (col("month") == col("m")) & (col("day") == col("d"))
    return (
        days.left_outer_join(skies, same_day)
        .drop_columns(col("station"), col("m"), col("d"))
        .order_by(col("cancelled").desc, col("origin"), col("month"), col("day"))
    )


def united_but_not_delta(flights: Table, airports: Table) -> Table:
    """Where can one fly with United but not with Delta?"""
    united = flights.filter(col("carrier") == "UA").select(col("dest"))
    delta = flights.filter(col("carrier") == "DL").select(col("dest"))
    return (
        airports.filter(col("faa").in_(united.minus(delta)))
        .select(col("faa"), col("name"), col("alt").alias("feet"), col("tzone").alias("time_zone"))
        .order_by(col("name"))
    )


def in_the_air(flights: Table, airlines: Table) -> Table:
    """How many aircraft were in the air at six in the evening before Thanksgiving?"""
    moment = lit(dt.datetime(2013, 11, 27, 23, 0))  # UTC, as time_hour is
    take_off = col("time_hour") + (col("minute") + col("dep_delay")).minutes
    names = airlines.select(col("carrier").alias("code"), col("name").alias("airline"))
    return (
        flights.join(names, col("carrier") == col("code"))
        .add_columns(take_off.alias("take_off"), (take_off + col("air_time").minutes).alias("landing"))
        .filter(moment.between(col("take_off"), col("landing")))
        .group_by(col("airline"))
        .select(
            col("airline"),
            lit(1).count.alias("aircraft"),
            col("take_off").min.alias("first_take_off"),
            col("landing").max.alias("last_landing"),
            (col("landing").max - moment).alias("still_to_fly"),
        )
        .order_by(col("aircraft").desc, col("airline"))
    )


def longest_travelled(flights: Table, planes: Table, airlines: Table) -> Table:
    """Which aircraft flew farthest in the year? (with the aircraft as JSON, for a web page)"""
    miles = (
        flights.filter(col("air_time").is_not_null)
        .group_by(col("tailnum"), col("carrier"))
        .select(col("tailnum"), col("carrier"), col("distance").sum.alias("miles"))
    )
    leave_out = JsonOnNull.ABSENT
    register = planes.select(
        col("tailnum").alias("tail"),
        json_object(leave_out, "model", col("model"), "built", col("year"), "mph", col("speed")).alias("aircraft"),
    )
    names = airlines.select(col("carrier").alias("code"), col("name").alias("airline"))
    return (
        miles.join(register, col("tailnum") == col("tail"))
        .join(names, col("carrier") == col("code"))
        .order_by(col("miles").desc, col("tailnum"))
        .fetch(5)
        .select(col("tailnum"), col("airline"), col("miles"), col("aircraft"))
    )


# The views are stored in this order, since busy_and_quiet_days reads the view flights_per_day.
QUERIES: tuple[Callable[..., Table], ...] = (
    delays_by_carrier,
    worst_routes,
    bad_weather_by_airline,
    delay_by_age,
    on_time_by_month,
    flights_per_day,
    busy_and_quiet_days,
    cancellations,
    united_but_not_delta,
    in_the_air,
    longest_travelled,
)
