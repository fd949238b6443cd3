"""Programs with functions of dates, times and intervals."""

from __future__ import annotations

import datetime as dt

from pyspark.sql import functions as f

from tableapi.expression import TimeIntervalUnit, TimePointUnit
from tableapi.expressions import (
    call,
    col,
    convert_tz,
    date_format,
    from_unixtime,
    lit,
    make_date,
    temporal_overlaps,
    timestamp_add,
    timestamp_diff,
    to_date,
    to_timestamp,
    to_timestamp_ltz,
)
from tests.programs.program import program

_day, _at = dt.date, dt.datetime
_UTC = dt.UTC

# --- the calendar ----------------------------------------------------------------------------------------------------

program(
    "orders_by_month",
    lambda t: t.orders.group_by(col("ordered_at").floor(TimeIntervalUnit.MONTH).alias("month")).select(
        col("month"), lit(1).count.alias("orders")
    ),
    rows=[
        (_at(2023, 12, 1), 1),
        (_at(2024, 1, 1), 2),
        (_at(2024, 2, 1), 1),
        (_at(2024, 3, 1), 1),
        (None, 1),
    ],
)
program(
    "weeks_that_begin_on_sunday",
    lambda t: t.readings.select(
        col("day").floor(TimeIntervalUnit.WEEK).alias("first"),
        col("day").ceil(TimeIntervalUnit.WEEK).alias("next"),
        col("at").floor(TimeIntervalUnit.WEEK).alias("begins"),
        col("at").ceil(TimeIntervalUnit.WEEK).alias("ends"),
    ),
    rows=[
        (_day(2024, 2, 25), _day(2024, 3, 3), _at(2024, 2, 25), _at(2024, 3, 3)),
        (_day(1969, 12, 28), _day(1970, 1, 4), _at(1969, 12, 28), _at(1970, 1, 4)),
        (_day(1999, 12, 26), _day(2000, 1, 2), _at(1999, 12, 26), _at(2000, 1, 2)),
        (None, None, None, None),
    ],
    dataframe=lambda t: t.readings.select(
        f.expr("date_sub(trunc(date_add(day, 1), 'WEEK'), 1)").alias("first"),
        f.expr("date_add(trunc(day, 'WEEK'), 6)").alias("next"),
        f.expr("time_bucket(INTERVAL '7' DAY, at, TIMESTAMP_NTZ '1970-01-04 00:00:00')").alias("begins"),
        f.expr(
            "time_bucket(INTERVAL '7' DAY, at - INTERVAL '0.000001' SECOND, TIMESTAMP_NTZ '1970-01-04 00:00:00') "
            "+ INTERVAL '7' DAY"
        ).alias("ends"),
    ),
)
program(
    "months_and_hours_of_instants",
    lambda t: t.readings.select(
        col("instant").floor(TimeIntervalUnit.MONTH).alias("month"),
        col("instant").ceil(TimeIntervalUnit.HOUR).alias("hour"),
        col("instant").floor(TimeIntervalUnit.WEEK).alias("week"),
    ),
    rows=[
        (_at(2024, 2, 1, tzinfo=_UTC), _at(2024, 2, 29, 12, tzinfo=_UTC), _at(2024, 2, 25, tzinfo=_UTC)),
        (_at(1970, 1, 1, tzinfo=_UTC), _at(1970, 1, 1, tzinfo=_UTC), _at(1969, 12, 28, tzinfo=_UTC)),
        (_at(2000, 1, 1, tzinfo=_UTC), _at(2000, 1, 1, 1, tzinfo=_UTC), _at(1999, 12, 26, tzinfo=_UTC)),
        (None, None, None),
    ],
    dataframe=lambda t: t.readings.select(
        f.date_trunc("MONTH", "instant").alias("month"),
        (f.date_trunc("HOUR", f.expr("instant - INTERVAL '0.000001' SECOND")) + f.expr("INTERVAL '1' HOUR")).alias(
            "hour"
        ),
        (f.date_trunc("WEEK", f.expr("instant + INTERVAL '1' DAY")) - f.expr("INTERVAL '1' DAY")).alias("week"),
    ),
    no_flink="of an instant, it takes the offset from UTC of that instant for the one of the boundary",
)
program(
    "fields_of_dates",
    lambda t: t.readings.select(
        col("n"),
        col("day").extract(TimeIntervalUnit.WEEK).alias("week"),
        col("day").extract(TimeIntervalUnit.YEAROFWEEK).alias("year"),
        col("day").extract(TimeIntervalUnit.DOW_ISO).alias("weekday"),
        call("dayofyear", col("day")).alias("day"),
    ),
    rows=[(1, 9, 2024, 4, 60), (2, 1, 1970, 3, 365), (3, 52, 1999, 6, 1), (4, None, None, None, None)],
    dataframe=lambda t: t.readings.select(
        "n",
        f.weekofyear("day").alias("week"),
        f.extract(f.lit("YEAROFWEEK"), "day").alias("year"),
        f.extract(f.lit("DAYOFWEEK_ISO"), "day").alias("weekday"),
        f.dayofyear("day").alias("day"),
    ),
)
program(
    "birthdays",
    lambda t: t.customers.select(
        col("id"),
        col("date_of_birth").add_months(12).alias("first"),
        col("date_of_birth").last_day,
        col("date_of_birth").next_day("MON").alias("monday"),
        col("date_of_birth").date_add(1).alias("morrow"),
        call("dayname", col("date_of_birth")).alias("name"),
        call("date_diff", make_date(2000, 3, 1), col("date_of_birth")) == 1,
    ),
    rows=[
        (1, _day(1986, 12, 10), _day(1985, 12, 31), _day(1985, 12, 16), _day(1985, 12, 11), "Tue", False),
        (2, _day(1980, 2, 28), _day(1979, 2, 28), _day(1979, 3, 5), _day(1979, 3, 1), "Wed", False),
        (3, _day(1991, 6, 30), _day(1990, 6, 30), _day(1990, 7, 2), _day(1990, 7, 1), "Sat", False),
        (4, None, None, None, None, None, None),
        (5, _day(2001, 2, 28), _day(2000, 2, 29), _day(2000, 3, 6), _day(2000, 3, 1), "Tue", True),
    ],
    dataframe=lambda t: t.customers.select(
        "id",
        f.add_months("date_of_birth", 12).alias("first"),
        f.last_day("date_of_birth").alias("_c0"),
        f.next_day("date_of_birth", "MON").alias("monday"),
        f.date_add("date_of_birth", 1).alias("morrow"),
        f.dayname("date_of_birth").alias("name"),
        (f.date_diff(f.make_date(f.lit(2000), f.lit(3), f.lit(1)), "date_of_birth") == 1).alias("_c1"),
    ),
    no_flink="Flink has no such function",
)

# --- lengths of time -------------------------------------------------------------------------------------------------

program(
    "times_moved_and_counted",
    lambda t: t.readings.select(
        timestamp_diff(TimePointUnit.DAY, col("day"), lit(_day(2000, 1, 1))).alias("days"),
        timestamp_add(TimePointUnit.MONTH, col("n"), col("at")).alias("months"),
        timestamp_add(TimePointUnit.HOUR, -1, col("at")).alias("hour"),
    ),
    rows=[
        (-8825, _at(2024, 3, 29, 13, 45, 30, 250000), _at(2024, 2, 29, 12, 45, 30, 250000)),
        (10958, _at(1970, 2, 28, 23, 59, 59, 1), _at(1969, 12, 31, 22, 59, 59, 1)),
        (0, _at(2000, 4, 1), _at(1999, 12, 31, 23)),
        (None, None, None),
    ],
    dataframe=lambda t: t.readings.select(
        f.expr("timestampdiff(DAY, day, DATE '2000-01-01')").alias("days"),
        f.expr("timestampadd(MONTH, n, at)").alias("months"),
        f.expr("timestampadd(HOUR, -1, at)").alias("hour"),
    ),
)
program(
    "periods_that_overlap",
    lambda t: t.events.filter(
        temporal_overlaps(col("ts"), lit(10).minutes, lit(_at(2024, 1, 1, 10, 12)), lit(_at(2024, 1, 1, 10, 31)))
        & (col("e") > 2)
    ).select(col("e"), temporal_overlaps(col("day"), lit(1).days, col("day"), lit(_day(2024, 1, 1))).alias("o")),
    rows=[(3, True), (4, True), (5, True), (7, True)],
)

# --- strings and numbers ---------------------------------------------------------------------------------------------

program(
    "times_as_text_and_back",
    lambda t: t.readings.select(
        date_format(col("at"), "dd.MM.yyyy").alias("shown"),
        to_date(date_format(col("at"), "dd.MM.yyyy"), "dd.MM.yyyy").alias("day"),
        to_timestamp(date_format(col("at"), "yyyy-MM-dd HH:mm:ss")).alias("at"),
        from_unixtime(col("n")).alias("epoch"),
    ),
    rows=[
        ("29.02.2024", _day(2024, 2, 29), _at(2024, 2, 29, 13, 45, 30), "1970-01-01 00:00:01"),
        ("31.12.1969", _day(1969, 12, 31), _at(1969, 12, 31, 23, 59, 59), "1970-01-01 00:00:02"),
        ("01.01.2000", _day(2000, 1, 1), _at(2000, 1, 1), "1970-01-01 00:00:03"),
        (None, None, None, "1970-01-01 00:00:04"),
    ],
    dataframe=lambda t: t.readings.select(
        f.date_format("at", "dd.MM.yyyy").alias("shown"),
        f.to_date(f.date_format("at", "dd.MM.yyyy"), "dd.MM.yyyy").alias("day"),
        f.to_timestamp_ntz(f.date_format("at", "yyyy-MM-dd HH:mm:ss")).alias("at"),
        f.from_unixtime("n").alias("epoch"),
    ),
)
program(
    "instants_of_numbers",
    lambda t: t.readings.select(
        to_timestamp_ltz(col("n"), 3).alias("millis"),
        to_timestamp_ltz(col("n"), 0).alias("seconds"),
        to_timestamp_ltz(-1, 6).alias("micros"),
    ),
    rows=[
        (
            _at(1970, 1, 1, 0, 0, 0, 1000 * n, tzinfo=_UTC),
            _at(1970, 1, 1, 0, 0, n, tzinfo=_UTC),
            _at(1969, 12, 31, 23, 59, 59, 999999, tzinfo=_UTC),
        )
        for n in (1, 2, 3, 4)
    ],
    dataframe=lambda t: t.readings.select(
        f.timestamp_millis("n").alias("millis"),
        f.timestamp_seconds("n").alias("seconds"),
        f.timestamp_micros(f.lit(-1)).alias("micros"),
    ),
)
program(
    "clocks_of_other_places",
    lambda t: t.readings.select(
        convert_tz(date_format(col("at"), "yyyy-MM-dd HH:mm:ss"), "UTC", "Asia/Tokyo").alias("tokyo")
    ),
    rows=[("2024-02-29 22:45:30",), ("1970-01-01 08:59:59",), ("2000-01-01 09:00:00",), (None,)],
)
program(
    "units_as_names_over_nothing",
    lambda t: (
        t.nothing.select(
            call("date_from_unix_date", col("a")).alias("month"), col("a").alias("YEAR"), col("b").alias("T`O")
        )
        .select(
            col("month").floor(TimeIntervalUnit.MONTH).alias("month"),
            call("timestamp_seconds", col("YEAR")).alias("DAY"),
            convert_tz(col("T`O"), "UTC", "UTC").alias("WEEK"),
        )
        .select(col("month").ceil(TimeIntervalUnit.YEAR).alias("hour"), col("DAY"), col("WEEK"))
    ),
    rows=[],
    no_flink="Flink has no such function",
)
