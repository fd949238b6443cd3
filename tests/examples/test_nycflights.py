"""The demo's queries over two months of the data, compared with pandas."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from rich.console import Console

from examples.nycflights import data, queries, read_back, show
from examples.nycflights.digest import digest
from tableapi import Table, TableEnvironment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MONTHS = (2, 11)  # a snow storm, and Thanksgiving


@pytest.fixture(scope="module")
def frames() -> dict[str, pd.DataFrame]:
    every = {name: data.frame(name) for name in data.SCHEMAS}
    return {name: f[f["month"].isin(MONTHS)] if "month" in f else f for name, f in every.items()}


@pytest.fixture(scope="module")
def tables(spark: SparkSession, frames: dict[str, pd.DataFrame]) -> dict[str, Table]:
    # A separate session: in a shared one, the names that environments give to pandas frames collide.
    te = TableEnvironment.create(spark=spark.newSession())
    found = {name: te.from_pandas(frame, data.SCHEMAS[name]) for name, frame in frames.items()}
    days = queries.flights_per_day(found["flights"])
    return {**found, "flights_per_day": days}


Run = Callable[[Callable[..., Table]], pd.DataFrame]


@pytest.fixture
def run(tables: dict[str, Table]) -> Run:
    def rows(query: Callable[..., Table]) -> pd.DataFrame:
        return query(*[tables[name] for name in inspect.signature(query).parameters]).to_pandas()

    return rows


def near(values: Any) -> Any:
    """Match averages that are rounded to one digit."""
    return pytest.approx([float(v) for v in values], abs=0.0501)


def floats(column: pd.Series) -> list[float]:
    return [float(value) for value in column]


def test_delays_by_carrier(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    flights = frames["flights"].merge(frames["airlines"], on="carrier")
    found = run(queries.delays_by_carrier).set_index("airline").sort_index()

    groups = flights.groupby("name")
    assert list(found.index) == sorted(groups.groups)
    assert list(found["flights"]) == list(groups.size())
    assert list(found["destinations"]) == list(groups["dest"].nunique())
    assert floats(found["mean_delay"]) == near(groups["arr_delay"].mean())
    assert floats(found["percent_late"]) == near(groups["arr_delay"].agg(lambda delays: (delays > 30).mean() * 100))
    assert floats(found["percent_cancelled"]) == near(groups["dep_time"].agg(lambda times: times.isna().mean() * 100))


def test_worst_routes(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    routes = frames["flights"].groupby(["origin", "dest"])["arr_delay"].agg(["size", "mean", "max"])
    expected = routes[routes["size"] >= 365].sort_values("mean", ascending=False).head(10)
    found = run(queries.worst_routes)

    assert floats(found["mean_delay"]) == near(expected["mean"])
    by_route = found.set_index(["origin", "dest"])
    common = by_route.index.intersection(expected.index)
    assert len(common) >= len(expected) - 1  # rounding may swap the last one
    assert list(by_route.loc[common, "worst_delay"]) == list(expected.loc[common, "max"])
    names = frames["airports"].set_index("faa")["name"]
    assert list(found["airport"]) == [names.get(dest, "not in the list") for dest in found["dest"]]


def test_bad_weather_by_airline(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    weather = frames["weather"]
    bad = (weather["visib"] < 3) | (weather["wind_speed"] > 25) | (weather["precip"] > 0.1)
    hours = weather.assign(is_bad=bad)[["origin", "time_hour", "is_bad"]]
    flights = frames["flights"].merge(hours, on=["origin", "time_hour"]).merge(frames["airlines"], on="carrier")
    found = run(queries.bad_weather_by_airline)

    assert len(found) > 0
    codes = frames["airports"].set_index("name")["faa"]
    for row in found.itertuples():
        group = flights[(flights["name"] == row.airline) & (flights["origin"] == codes[row.airport])]
        assert row.bad_flights == group["is_bad"].sum()
        assert float(row.bad) == pytest.approx(group.loc[group["is_bad"], "dep_delay"].mean(), abs=0.0501)
        assert float(row.fine) == pytest.approx(group.loc[~group["is_bad"], "dep_delay"].mean(), abs=0.0501)
        assert row.cost == row.bad - row.fine


def test_delay_by_age(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    planes = frames["planes"].rename(columns={"year": "built"})
    flights = frames["flights"].merge(planes[["tailnum", "built", "manufacturer"]], on="tailnum", how="left")
    age = flights["year"] - flights["built"]
    flights["age"] = age.map(
        lambda a: "unknown" if pd.isna(a) else "0-4 years" if a < 5 else "5-9 years" if a < 10 else "10 years or more"
    )
    flights["builder"] = flights["manufacturer"].map(
        lambda m: (
            "unknown"
            if pd.isna(m)
            else "Airbus"
            if m.startswith("AIRBUS")
            else m
            if m in ("BOEING", "EMBRAER")
            else "others"
        )
    )
    groups = flights.groupby(["age", "builder"])
    found = run(queries.delay_by_age).set_index(["age", "builder"]).sort_index()

    assert list(found.index) == list(groups.size().index)
    assert list(found["flights"]) == list(groups.size())
    assert list(found["aircraft"]) == list(groups["tailnum"].nunique())
    assert floats(found["mean_delay"]) == near(groups["dep_delay"].mean())


def test_on_time_by_month(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    flights = frames["flights"]
    shares = (flights["arr_delay"] < 15).groupby([flights["month"], flights["origin"]]).mean().mul(100).unstack()
    found = run(queries.on_time_by_month)

    assert list(found["month"]) == list(MONTHS)
    for airport, column in (("EWR", "newark"), ("JFK", "kennedy"), ("LGA", "la_guardia")):
        assert floats(found[column]) == near(shares[airport])


def test_flights_per_day(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    flights = frames["flights"]
    groups = flights.groupby(pd.to_datetime(flights[["year", "month", "day"]]))
    found = run(queries.flights_per_day)

    assert [pd.Timestamp(date) for date in found["date"]] == list(groups.size().index)
    # SQL's DOW counts from Sunday as 1, pandas from Monday as 0.
    assert list(found["weekday"]) == [(date.day_of_week + 1) % 7 + 1 for date in groups.size().index]
    assert list(found["flights"]) == list(groups.size())
    assert list(found["cancelled"]) == list(groups["dep_time"].agg(lambda times: times.isna().sum()))
    assert list(found["aircraft"]) == list(groups["tailnum"].nunique())
    assert list(found["destinations"]) == list(groups["dest"].nunique())
    assert list(found["miles"]) == list(groups["distance"].sum())


def test_busy_and_quiet_days(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    found = run(queries.busy_and_quiet_days)

    # Two months have neither a 183rd nor a 365th day.
    assert list(found["kind"]) == ["busiest"]
    assert found["flights"][0] == frames["flights"].groupby(["month", "day"]).size().max()
    assert list(found.columns)[-1] == "miles_flown"


def test_cancellations(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    keys = ["origin", "month", "day"]
    days = frames["flights"].groupby(keys)["dep_time"].agg(planned="size", flown="count")
    expected = days[((days["planned"] - days["flown"]) * 2 >= days["planned"]) & (days["planned"] > 100)]
    skies = frames["weather"].groupby(keys).agg({"temp": "mean", "wind_gust": "max", "precip": "sum", "visib": "min"})
    found = run(queries.cancellations).set_index(keys).sort_index()

    assert list(found.index) == list(expected.index)
    assert list(found["cancelled"]) == list(expected["planned"] - expected["flown"])
    there = skies.loc[found.index]
    assert floats(found["fahrenheit"]) == near(there["temp"])
    assert floats(found["strongest_gust"]) == near(there["wind_gust"])
    assert floats(found["inches_of_rain"]) == pytest.approx(list(there["precip"]), abs=0.00501)
    assert floats(found["least_visibility"]) == pytest.approx(list(there["visib"]), abs=0.00501)


def test_united_but_not_delta(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    flights = frames["flights"]
    united = set(flights.loc[flights["carrier"] == "UA", "dest"]) - set(flights.loc[flights["carrier"] == "DL", "dest"])

    assert set(run(queries.united_but_not_delta)["faa"]) == united & set(frames["airports"]["faa"])


def test_in_the_air(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    flights = frames["flights"].merge(frames["airlines"], on="carrier")
    moment = pd.Timestamp(2013, 11, 27, 23)
    take_off = flights["time_hour"] + pd.to_timedelta(flights["minute"] + flights["dep_delay"], unit="m")
    landing = take_off + pd.to_timedelta(flights["air_time"], unit="m")
    flying = flights.assign(landing=landing)[(take_off <= moment) & (landing >= moment)].groupby("name")
    found = run(queries.in_the_air).set_index("airline").sort_index()

    assert list(found.index) == list(flying.size().index)
    assert list(found["aircraft"]) == list(flying.size())
    assert list(found["last_landing"]) == list(flying["landing"].max())
    assert list(found["still_to_fly"]) == list(flying["landing"].max() - moment)


def test_longest_travelled(run: Run, frames: dict[str, pd.DataFrame]) -> None:
    flown = frames["flights"].dropna(subset=["air_time"])
    miles = flown.groupby(["tailnum", "carrier"])["distance"].sum().reset_index()
    known = miles[miles["tailnum"].isin(frames["planes"]["tailnum"])]
    found = run(queries.longest_travelled)

    assert list(found["miles"]) == list(known["distance"].sort_values(ascending=False).head(5))
    model, built = frames["planes"].set_index("tailnum").loc[found["tailnum"][0], ["model", "year"]]
    assert found["aircraft"][0] == f'{{"model":"{model}","built":{int(built)}}}'


def test_every_query_asks_a_question() -> None:
    assert len({query.__name__ for query in queries.QUERIES}) == len(queries.QUERIES)
    for query in queries.QUERIES:
        assert "?" in show.question(query)
        assert show.question(query) not in show.source(query)


# --- loading and reading back -----------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, spark: SparkSession, frames: dict[str, pd.DataFrame]) -> Iterator[None]:
    few = {name: frames[name].head(40) for name in ("airlines", "flights")}
    monkeypatch.setattr(data, "SCHEMAS", {name: data.SCHEMAS[name] for name in few})
    monkeypatch.setattr(data, "frame", lambda name: few[name])
    monkeypatch.setattr(data, "ROWS", {name: len(frame) for name, frame in few.items()})
    monkeypatch.setattr(data, "_ROWS_AT_ONCE", 25)
    yield
    spark.sql(f"DROP DATABASE IF EXISTS {data.DATABASE} CASCADE")


@pytest.mark.usefixtures("small")
def test_tables_are_loaded_once_and_views_of_them_verified(spark: SparkSession) -> None:
    te = TableEnvironment.create(spark=spark.newSession())
    reports: list[tuple[str, int, int]] = []
    assert data.load(te, lambda *report: reports.append(report)) == list(data.SCHEMAS)
    assert ("flights", 25, 40) in reports
    assert data.load(te, lambda *report: None) == []

    te.drop_table("airlines")
    assert data.load(te, lambda *report: None) == ["airlines"]

    query = queries.on_time_by_month(te.from_path("flights"))
    te.create_view("on_time", query)
    out = Console(file=io.StringIO(), width=show.PLAIN_WIDTH)
    rows = digest(query.to_arrow())
    assert read_back.verify(te, {"on_time": rows}, out) == 0
    assert read_back.verify(te, {"on_time": "other", "missing": rows}, out) == 2


def test_a_digest_is_of_the_rows_and_not_of_their_order(tables: dict[str, Table]) -> None:
    airlines = tables["airlines"].to_arrow()
    assert digest(airlines) == digest(airlines.take(list(reversed(range(airlines.num_rows)))))
    assert digest(airlines) != digest(airlines.slice(1))
    assert digest(airlines) != digest(airlines.rename_columns(["carrier", "airline"]))
