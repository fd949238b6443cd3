"""Which settings of a session are refused; each is changed in a session of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ir.errors import TableException, ValidationException
from tableapi.spark.settings import (
    REQUIRED_SETTINGS,
    RequiredSetting,
    check_settings,
    check_version,
    is_connect,
    read_settings,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def another_value(setting: RequiredSetting) -> str:
    others = {
        "spark.sql.legacy.ctePrecedencePolicy": "LEGACY",
        "spark.sql.legacy.timeParserPolicy": "LEGACY",
        "spark.sql.functionResolution.sessionOrder": "first",
        "spark.sql.storeAssignmentPolicy": "LEGACY",
        "spark.sql.timestampType": "TIMESTAMP_NTZ",
    }
    return others.get(setting.name) or {"true": "false", "false": "true"}[setting.required]


def all_of_spark(spark: SparkSession) -> dict[str, str]:
    """The default of every setting that this Spark defines, internal ones included."""
    jvm: Any = spark._jvm
    definitions = getattr(getattr(jvm, "org.apache.spark.sql.internal.SQLConf$"), "MODULE$").getConfigEntries()
    iterator = definitions.iterator()
    found = {}
    while iterator.hasNext():
        entry = iterator.next()
        found[entry.key()] = entry.defaultValueString()
    return found


def test_embedded_session_is_accepted(spark: SparkSession) -> None:
    settings = check_settings(spark)
    assert settings.time_zone == "UTC"
    assert not settings.variable_substitution
    assert not settings.connect
    assert settings.violations() == []
    check_version(spark)


def test_every_setting_exists_and_its_default_is_right(spark: SparkSession) -> None:
    defaults = all_of_spark(spark)
    assert len({setting.name for setting in REQUIRED_SETTINGS}) == len(REQUIRED_SETTINGS)
    for setting in REQUIRED_SETTINGS:
        expected = setting.default if setting.default is not None else "<undefined>"
        assert defaults.get(setting.name) == expected, setting.name


@pytest.mark.parametrize("setting", REQUIRED_SETTINGS, ids=lambda setting: setting.name)
def test_another_value_is_refused(spark: SparkSession, setting: RequiredSetting) -> None:
    session = spark.newSession()
    value = another_value(setting)
    session.conf.set(setting.name, value)
    with pytest.raises(ValidationException) as caught:
        check_settings(session)
    lines = str(caught.value).splitlines()
    assert f"  {setting.name} is {value}, must be {setting.required}: it decides {setting.why}" in lines
    assert lines[-1].strip() == f'spark.conf.set("{setting.name}", "{setting.required}")'
    # The advice works.
    session.conf.set(setting.name, setting.required)
    check_settings(session)


def test_all_violations_are_listed_at_once(spark: SparkSession) -> None:
    session = spark.newSession()
    session.conf.set("spark.sql.ansi.enabled", "false")
    session.conf.set("spark.sql.caseSensitive", "true")
    assert len(read_settings(session).violations()) == 2
    with pytest.raises(ValidationException, match=r"(?s)ansi\.enabled is false.*caseSensitive is true"):
        check_settings(session)


def test_values_are_compared_without_case(spark: SparkSession) -> None:
    session = spark.newSession()
    session.conf.set("spark.sql.ansi.enabled", "TRUE")
    session.conf.set("spark.sql.storeAssignmentPolicy", "ansi")
    check_settings(session)


def test_what_is_honoured_is_recorded(spark: SparkSession) -> None:
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "Asia/Kolkata")
    session.conf.set("spark.sql.variable.substitute", "true")
    settings = check_settings(session)
    assert settings.time_zone == "Asia/Kolkata"
    assert settings.variable_substitution


def test_setting_that_spark_does_not_define_is_no_violation() -> None:
    assert RequiredSetting("spark.sql.new", "true", "nothing", default=None).is_met_by(None)


class OtherVersion:
    """A session that only knows its version."""

    def __init__(self, version: str) -> None:
        self.version = version


@pytest.mark.parametrize("version", ["3.5.1", "4.2.0", "4.30.0", "5.0.0"])
def test_another_version_is_refused(version: str) -> None:
    with pytest.raises(ValidationException, match=f"runs Spark {version}"):
        check_version(OtherVersion(version))  # type: ignore[arg-type]


@pytest.mark.parametrize("version", ["4.3.0", "4.3.2-amzn-1", "4.3"])
def test_patch_releases_are_accepted(version: str) -> None:
    check_version(OtherVersion(version))  # type: ignore[arg-type]


def test_connect_session_reads_the_same(spark: SparkSession, connect_spark: Any) -> None:
    assert is_connect(connect_spark)
    assert not is_connect(spark)
    classic, remote = read_settings(spark), read_settings(connect_spark)
    assert remote.connect
    assert (remote.values, remote.time_zone) == (classic.values, classic.time_zone)
    check_version(connect_spark)


def test_connect_session_is_refused_by_name(connect_spark: Any) -> None:
    session = connect_spark.newSession()
    check_settings(session)
    session.conf.set("spark.sql.ansi.enabled", "false")
    with pytest.raises(ValidationException, match=r"spark\.sql\.ansi\.enabled is false, must be true"):
        check_settings(session)


def test_unreachable_session_is_told_readably() -> None:
    class Gone:
        """A session whose JVM has gone."""

        @property
        def _jvm(self) -> object:
            from py4j.protocol import Py4JNetworkError

            raise Py4JNetworkError("Answer from Java side is empty")

    with pytest.raises(TableException, match="reading the settings of the Spark session failed: The Spark process"):
        read_settings(Gone())  # type: ignore[arg-type]
