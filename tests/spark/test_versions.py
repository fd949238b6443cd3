"""Which versions of Spark are attached to, and what differs between them; no test needs another Spark."""

from __future__ import annotations

import datetime as dt
import math
import warnings
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from ir import types as t
from ir.engine_version import NEWEST_SPARK, SPARK_VERSIONS, EngineVersion
from ir.errors import ValidationException
from ir.expressions import FieldReference
from ir.literals import literal
from tableapi import EnvironmentSettings, TableEnvironment
from tableapi.spark import versions
from tableapi.spark.planner.transports import Transport, sent_as_arrow, sent_without_arrow
from tableapi.spark.required_settings import REQUIRED_SETTINGS
from tableapi.spark.runtime.functions import Program, arrow, scalar
from tableapi.spark.runtime.row import Row
from tableapi.spark.runtime.transports import Sent, over_batches_of_series, over_rows, over_series
from tableapi.spark.settings import check_version, violations
from tableapi.spark.versions import SessionVersions
from tableapi.spark.views.errors import newer_view_errors, refuse_recursion


class OfVersion:
    """A session that only knows its version."""

    def __init__(self, version: str) -> None:
        self.version = version


@pytest.mark.parametrize(
    ("version", "nearest"), [("3.4.4", "3.5"), ("2.4.8", "3.5"), ("4.30.0", "4.3"), ("5.0.0", "4.3"), ("3.9.0", "3.5")]
)
def test_the_nearest_supported_version_is_named(version: str, nearest: str) -> None:
    with pytest.raises(ValidationException, match=rf"runs Spark {version}.*the nearest of them is {nearest}\.$"):
        check_version(OfVersion(version))  # type: ignore[arg-type]


def test_a_server_older_than_its_client_is_said() -> None:
    with pytest.warns(
        UserWarning, match=r"server runs Spark 4\.0\.2-amzn-1, which is older than its client, pyspark 4"
    ):
        found = check_version(OfVersion("4.0.2-amzn-1"))  # type: ignore[arg-type]
    assert found.server == EngineVersion(4, 0)
    assert not found.has_arrow_functions


@pytest.mark.filterwarnings("error")
def test_a_client_newer_than_all_supported_versions_is_used_as_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableapi.spark.settings.client_version_text", lambda: "4.4.0.dev0")
    with pytest.warns(UserWarning, match="newer than") as warned:
        found = check_version(OfVersion("4.2.0"))  # type: ignore[arg-type]  # in place of a session
    (warning,) = warned
    assert str(warning.message) == (
        "The client, pyspark 4.4.0.dev0, is newer than Spark 4.3, the newest version that this library knows, and is "
        "used as that version. The version of the server decides what queries may contain."
    )
    assert (found.target_name, found.has_arrow_functions, found.has_stateful_functions) == ("spark-4.2", True, False)


def test_a_client_older_than_all_supported_versions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableapi.spark.settings.client_version_text", lambda: "3.4.1")
    with pytest.raises(
        ValidationException, match=r"module pyspark of this process is of Spark 3\.4\.1.*nearest.*3\.5\."
    ):
        check_version(OfVersion("4.2.0"))  # type: ignore[arg-type]  # in place of a session


def test_a_server_of_the_version_of_its_client_is_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_version(OfVersion(versions.client_version_text()))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("server", "client", "has"), [("4.0", "4.3", False), ("4.3", "4.0", False), ("4.1", "4.1", True)]
)
def test_functions_need_what_both_sides_have(server: str, client: str, has: bool) -> None:
    found = SessionVersions(EngineVersion.of(server), EngineVersion.of(client))
    assert found.has_arrow_functions is has


def test_an_environment_without_a_session_has_the_newest_version() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    assert TableEnvironment.create(settings)._parts.spark_version == NEWEST_SPARK


def test_required_settings_are_set_in_given_sessions_only() -> None:
    with pytest.raises(ValidationException, match="set_required_settings is for a session that is given"):
        TableEnvironment.create(set_required_settings=True)


@pytest.mark.parametrize("version", SPARK_VERSIONS, ids=str)
def test_defaults_violate_required_settings_in_spark_3_5_only(version: EngineVersion) -> None:
    defaults = {
        setting.name: default
        for setting in REQUIRED_SETTINGS
        if setting.exists_in(version) and (default := setting.default_in(version)) is not None
    }
    violated = [line.split(" ", 1)[0].removeprefix("spark.sql.") for line in violations(defaults)]
    of_3_5 = ["ansi.enabled", "legacy.ctePrecedencePolicy", "legacy.timeParserPolicy", "legacy.nullInEmptyListBehavior"]
    assert violated == (of_3_5 if version == EngineVersion(3, 5) else [])


def test_an_error_about_a_view_of_a_newer_spark_says_so() -> None:
    refused = ValidationException("Reading c.d.v failed: no routine `TIME_BUCKET`.", condition="UNRESOLVED_ROUTINE")
    with pytest.raises(ValidationException) as raised, newer_view_errors("Spark 4.3.0", EngineVersion(4, 1)):
        raise refused
    assert str(raised.value) == (
        "Reading c.d.v failed: no routine `TIME_BUCKET`. The view was stored by Spark 4.3, and this session has Spark "
        "4.1. Store it from Spark 4.1: newer versions read it, too."
    )
    assert raised.value.condition == "UNRESOLVED_ROUTINE"


@pytest.mark.parametrize(
    ("created_by", "condition"),
    [("Spark 4.1.4", "UNRESOLVED_ROUTINE"), ("", "UNRESOLVED_ROUTINE"), ("Spark 4.3.0", "TABLE_OR_VIEW_NOT_FOUND")],
)
def test_other_errors_about_views_stay(created_by: str, condition: str) -> None:
    refused = ValidationException("Reading c.d.v failed.", condition=condition)
    with pytest.raises(ValidationException) as raised, newer_view_errors(created_by, EngineVersion(4, 1)):
        raise refused
    assert raised.value is refused


@pytest.mark.parametrize(
    "text",
    ["WITH RECURSIVE r(n) AS (SELECT 1) SELECT n FROM r", "SELECT 'it''s' AS a FROM (\nwith\n recursive r AS (…) …)"],
)
def test_a_recursive_view_is_refused_before_spark_4_0_fails_to_run_it(text: str) -> None:
    with (
        pytest.raises(ValidationException, match=r"which Spark 4\.0 lacks\. The view was stored by Spark 4\.1"),
        newer_view_errors("Spark 4.1.4", EngineVersion(4, 0)),
    ):
        refuse_recursion(text, EngineVersion(4, 0))
    refuse_recursion(text, EngineVersion(4, 1))


@pytest.mark.parametrize(
    "text", ["SELECT 'WITH RECURSIVE' AS a", "SELECT `WITH RECURSIVE` FROM t", "SELECT 1 AS recursive"]
)
def test_recursion_in_a_name_or_a_string_is_none(text: str) -> None:
    refuse_recursion(text, EngineVersion(4, 0))


def test_a_type_that_the_client_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "client_version", lambda: EngineVersion(3, 5))
    absent = versions.type_class("NoSuchType")
    with pytest.raises(ValidationException, match=r"pyspark 3\.5 has no NoSuchType"):
        absent(3)
    with pytest.raises(ValidationException, match=r"pyspark 3\.5 has no collations; UNICODE needs Spark 4\.0"):
        versions.string_type("UNICODE")


# --- transports ------------------------------------------------------------------------------------------------------


def column(data_type: t.LogicalType) -> FieldReference:
    return FieldReference("c", data_type, 0, 0)


@pytest.mark.parametrize(
    ("argument", "result", "sent"),
    [
        (t.INT, t.INT, "c"),
        (t.BIGINT.not_null(), t.STRING, "c"),
        (t.BIGINT, t.STRING, "cast(c, STRING)"),
        (t.DOUBLE, t.DOUBLE, "cast(c, STRING)"),
        (t.TIMESTAMP_LTZ, t.INT, "cast(unix_micros(c), STRING)"),
        (t.TIMESTAMP_LTZ.not_null(), t.INT, "unix_micros(c)"),
    ],
)
def test_arguments_that_are_sent_as_series(argument: t.LogicalType, result: t.LogicalType, sent: str) -> None:
    found = sent_without_arrow([column(argument)], result)
    assert found.transport is Transport.SERIES
    assert [one.as_summary_string() for one in found.arguments] == [sent]
    assert found.types == (argument,)


@pytest.mark.parametrize(
    ("argument", "result"),
    [(t.ArrayType(t.INT), t.INT), (t.INT, t.ArrayType(t.INT)), (t.TIMESTAMP, t.INT), (t.INT, t.TIMESTAMP_LTZ)],
)
def test_arguments_that_are_sent_as_rows(argument: t.LogicalType, result: t.LogicalType) -> None:
    found = sent_without_arrow([column(argument), literal(1)], result)
    assert found.transport is Transport.ROWS
    assert [one.as_summary_string() for one in found.arguments] == ["c", "1"]
    assert sent_as_arrow([column(argument)]).transport is Transport.ARROW


# What Spark makes of a column with NULL, and the column.
SERIES: list[tuple[pd.Series[Any], Sent, list[Any]]] = [
    (pd.Series([1.0, math.nan]), Sent(pa.int32()), [1, None]),
    (pd.Series([str(2**60 + 1), None]), Sent(pa.int64(), is_text=True), [2**60 + 1, None]),
    (
        pd.Series(["NaN", "-Infinity", "4.9E-324", None]),
        Sent(pa.float64(), is_text=True),
        [math.nan, -math.inf, 5e-324, None],
    ),
    (pd.Series([math.nan]), Sent(pa.float64()), [math.nan]),
    (pd.Series([True, None], dtype=object), Sent(pa.bool_()), [True, None]),
    (pd.Series([Decimal("1.10"), None], dtype=object), Sent(pa.decimal128(10, 2)), [Decimal("1.10"), None]),
    (pd.Series([dt.date(1, 1, 1), None], dtype=object), Sent(pa.date32()), [dt.date(1, 1, 1), None]),
    (
        pd.Series(["10413792000000001", None]),
        Sent(pa.timestamp("us", "UTC"), is_text=True),
        [dt.datetime(2300, 1, 1, 0, 0, 0, 1, dt.UTC), None],
    ),
    (pd.Series([], dtype=object), Sent(pa.int64(), is_text=True), []),
]


@pytest.mark.parametrize(("series", "sent", "expected"), SERIES, ids=repr)
def test_series_become_the_columns_that_arrow_functions_get(
    series: pd.Series[Any], sent: Sent, expected: list[Any]
) -> None:
    given: list[pa.Array] = []

    def keep(one: pa.Array) -> pa.Array:
        given.append(one)
        return one

    result = over_series(keep, [sent])(series)
    assert given[0].type == sent.data_type
    assert [one if one == one else "NaN" for one in given[0].to_pylist()] == [
        one if one == one else "NaN" for one in expected
    ]
    # PySpark makes a column of the result like this.
    assert pa.Array.from_pandas(result, type=sent.data_type, safe=True).equals(given[0]) or "nan" in repr(expected)


def test_batches_of_series_are_read_one_by_one() -> None:
    read: list[int] = []

    def batches() -> Iterator[tuple[pd.Series[Any], pd.Series[Any]]]:
        for number in (1, 2):
            read.append(number)
            yield pd.Series([number]), pd.Series(["a"])

    def run(given: Iterator[Any]) -> Iterator[pa.Array]:
        for numbers, texts in given:
            yield pa.StructArray.from_arrays([numbers, texts], ["f0", "f1"])

    found = over_batches_of_series(run, [Sent(pa.int64()), Sent(pa.string())])(batches())
    first = next(found)
    assert (list(first.columns), first["f0"].tolist(), first["f1"].tolist()) == (["f0", "f1"], [1], ["a"])
    assert read == [1]


def program(call: Any, result: pa.DataType, **options: Any) -> Program:
    return Program("f", call, result, make_row=Row.of, **options)


def test_rows_become_columns_of_one_row() -> None:
    pair = pa.struct([("p", pa.timestamp("us", "UTC")), ("q", pa.list_(pa.int64()))])
    call = over_rows(program(lambda row: row, pair), scalar, [Sent(pair)])
    # PySpark gives instants in local time without a time zone.
    local = dt.datetime(2020, 3, 29, 1, 30, 0, 5)
    instant, numbers = call((local, [2**60 + 1, None]))
    assert (instant, numbers) == (local.astimezone(dt.UTC), [2**60 + 1, None])
    assert call(None) is None


def test_a_map_and_a_function_of_columns_by_rows() -> None:
    data_type = pa.map_(pa.string(), pa.float64())
    call = over_rows(program(lambda one: one, data_type), arrow, [Sent(data_type)])
    assert call({"a": None, "b": 0.5}) == {"a": None, "b": 0.5}


def test_a_function_of_rows_is_opened_once_and_closed_when_it_is_dropped() -> None:
    told: list[str] = []
    made = program(
        lambda n: n + 1, pa.int64(), open=lambda: told.append("open"), close=lambda: told.append("close"), required=[0]
    )
    call = over_rows(made, scalar, [Sent(pa.int64())])
    assert told == []
    assert [call(1), call(None), call(2)] == [2, None, 3]
    assert told == ["open"]
    del call
    assert told == ["open", "close"]


class _Limits:
    """The settings of a session on a server that answers as Spark 4.1 or 4.0 does."""

    def __init__(self, given: dict[str, str]) -> None:
        self.conf = self
        self.values = given

    def get(self, name: str, default: str | None) -> str | None:
        return self.values.get(name, default)

    def set(self, name: str, value: str) -> None:
        self.values[name] = value


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ({}, "3221225472"),
        ({"spark.sql.session.localRelationSizeLimit": "3221225472b"}, "3221225472"),
        ({"spark.sql.session.localRelationSizeLimit": "1000b"}, "1000"),
        ({"spark.sql.session.localRelationSizeLimit": "1000"}, "1000"),
        ({"spark.sql.session.localRelationSizeLimit": "3GB"}, "3221225472"),
    ],
)
def test_a_newer_client_can_send_rows_to_an_older_server(given: dict[str, str], size: str) -> None:
    session: Any = _Limits(given)
    versions.supply_row_limits(session)
    assert session.values.pop("spark.sql.session.localRelationSizeLimit") == size
    assert len(session.values) == 4
    assert all(value.isdigit() for value in session.values.values())
