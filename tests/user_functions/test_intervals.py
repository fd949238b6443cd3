"""Interval arguments: any interval of the same family is accepted, and constants are not truncated."""

from __future__ import annotations

import datetime as dt

import pytest
from pyspark.sql import SparkSession

from ir.errors import ValidationException
from tableapi import EnvironmentSettings, TableEnvironment, udf
from tableapi.expressions import lit

FIELDS = ("DAY", "HOUR", "MINUTE", "SECOND")
TYPES = [
    f"INTERVAL {first}" if first == last else f"INTERVAL {first} TO {last}"
    for number, first in enumerate(FIELDS)
    for last in FIELDS[number:]
]


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    env = TableEnvironment.create(settings)
    for name in TYPES:
        env.create_temporary_system_function(
            name.replace(" ", "_").lower(), udf(lambda given: str(given), [name], "STRING", name="shown")
        )
    return env


@pytest.mark.parametrize("wanted", TYPES)
def test_any_interval_of_days_and_seconds_is_accepted(env: TableEnvironment, wanted: str) -> None:
    days = env.from_elements([(dt.timedelta(days=1),)], ["i"])
    env.create_temporary_view("days", days)
    for given in TYPES:
        found = env.sql_query(f"SELECT {wanted.replace(' ', '_')}(CAST(i AS {given})) AS s FROM days")
        assert repr(found.get_resolved_schema()) == "(`s` STRING)"
        cast = f" AS {given}) AS {wanted})"
        is_kept = wanted in (given, "INTERVAL DAY TO SECOND")
        assert (cast in found.as_serializable_string()) is not is_kept
    env.drop_temporary_view("days")


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("INTERVAL MINUTE", "INTERVAL '90' SECOND"),
        ("INTERVAL DAY", "INTERVAL '5' MINUTES"),
        ("INTERVAL HOUR TO MINUTE", "INTERVAL '0 00:00:00.5' DAY TO SECOND"),
    ],
)
def test_constant_that_would_be_cut_off_is_refused(env: TableEnvironment, wanted: str, given: str) -> None:
    finest = wanted.split()[-1]
    with pytest.raises(ValidationException, match=f"has parts that are finer than {finest}, which a cast cuts off"):
        env.sql_query(f"SELECT {wanted.replace(' ', '_')}({given})")


def test_months_are_not_a_day_interval(env: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"argument 1 \(given\) is not <INTERVAL SECOND>"):
        env.sql_query("SELECT interval_second(INTERVAL '3' MONTH)")


def test_timedelta_is_passed_to_every_interval_on_spark(spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    found = env.from_elements([(1,)], ["n"]).select(
        *[
            udf(lambda given: str(given), [name], "STRING", name="shown")(given).alias(f"c{number}")
            for number, (name, given) in enumerate(
                [
                    ("INTERVAL SECOND", dt.timedelta(minutes=5)),
                    ("INTERVAL MINUTE", dt.timedelta(hours=2)),
                    ("INTERVAL DAY", dt.timedelta(days=3)),
                    ("INTERVAL HOUR TO SECOND", lit(90).minutes),
                ]
            )
        ]
    )
    assert [tuple(row) for row in found.execute().collect()] == [
        ("0:05:00", "2:00:00", "3 days, 0:00:00", "1:30:00"),
    ]
