"""The session settings that the library checks; each test changes them in its own session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import PySparkException

from ir.errors import TableException, ValidationException
from tableapi import TableEnvironment
from tableapi.spark.required_settings import REQUIRED_SETTINGS, RequiredSetting
from tableapi.spark.settings import check_settings, check_version, read_settings
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Queries whose answer depends on a setting: with another value, they return other rows, other names, or an error.
CHANGED_BY_SETTINGS = [
    ("legacy.bangEqualsNot", "SELECT 1 ! IN (1, 2) AS a"),
    ("groupByAliases", "SELECT a + 1 AS b, count(*) AS n FROM VALUES (1) t(a) GROUP BY b"),
    (
        "lateralColumnAlias.enableImplicitResolution",
        "SELECT x FROM VALUES (1) t(a), LATERAL (SELECT 5 AS a, a AS x)",
    ),
    ("analyzer.preferColumnOverLcaInArrayIndex", "SELECT 1 AS i, a[i] AS v FROM VALUES (array(10, 20), 0) t(a, i)"),
    ("stableDerivedColumnAlias.enabled", "SELECT a +1 FROM VALUES (1) t(a)"),
    ("legacy.allowParameterlessCount", "SELECT count() AS n FROM VALUES (1) t(a)"),
    (
        "legacy.allowStarWithSingleTableIdentifierInCount",
        "SELECT count(t.*) AS n FROM VALUES (1, NULL), (1, 2) t(a, b)",
    ),
    (
        "analyzer.lowerEmptyGroupingSetToGlobalAggregate.enabled",
        "SELECT count(*) AS n FROM VALUES (1) t(a) WHERE a > 5 GROUP BY GROUPING SETS (())",
    ),
    (
        "mapZipWithUsesJavaCollections",
        "SELECT map_zip_with(map(double('NaN'), 1), map(double('NaN'), 2), (k, a, b) -> array(a, b)) AS m",
    ),
    ("icu.caseMappings.enabled", "SELECT initcap('ﬁx') AS s"),
    (
        "optimizer.insertMapSortInDistinctAggregates.enabled",
        "SELECT count(DISTINCT m) AS n FROM VALUES (map(1, 2, 3, 4)), (map(3, 4, 1, 2)) t(m)",
    ),
    ("legacy.collationAwareHashFunctions", "SELECT hash('A' COLLATE UTF8_LCASE) AS h"),
    ("jsonGenerator.ignoreNullFields", "SELECT to_json(named_struct('a', 1, 'b', CAST(NULL AS INT))) AS j"),
    (
        "json.enablePartialResults",
        """SELECT from_json('{"a": {"x": "q"}, "b": 2}', 'a STRUCT<x: INT>, b INT') AS r""",
    ),
    (
        "legacy.json.allowEmptyString.enabled",
        """SELECT from_json('{"a": ""}', 'a INT, _corrupt_record STRING') AS r""",
    ),
    (
        "legacy.json.enableDateTimeParsingFallback",
        """SELECT from_json('{"a": "2020-1-1"}', 'a DATE', map('dateFormat', 'yyyy-MM-dd')) AS r""",
    ),
    (
        "legacy.csv.enableDateTimeParsingFallback",
        "SELECT from_csv('2020-1-1', 'a DATE', map('dateFormat', 'yyyy-MM-dd')) AS r",
    ),
    ("columnNameOfCorruptRecord", "SELECT from_json('{x', 'a INT, _corrupt_record STRING') AS r"),
    (
        "optimizer.decorrelateExistsSubqueryLegacyIncorrectCountHandling.enabled",
        "SELECT a FROM VALUES (1), (2) t(a) WHERE EXISTS (SELECT count(*) FROM VALUES (1) u(x) WHERE x = a)",
    ),
    (
        "optimizer.decorrelateSubqueryLegacyIncorrectCountHandling.enabled",
        "SELECT a, (SELECT count(*) + 1 FROM VALUES (1) u(x) WHERE x = a GROUP BY x) AS n FROM VALUES (1), (2) t(a)",
    ),
    (
        "optimizer.decorrelateSubqueryPreventConstantHoldingForCountBug.enabled",
        "SELECT a, (SELECT count(1) IS NULL FROM VALUES (1) u(x) WHERE x = a) AS n FROM VALUES (1), (2) t(a)",
    ),
    (
        "optimizer.decorrelateLimitOffsetLegacyIncorrectOrderHandling.enabled",
        "SELECT (SELECT x FROM VALUES (1), (3) u(x) WHERE a > 0 ORDER BY x DESC LIMIT 1) AS x FROM VALUES (1) t(a)",
    ),
    ("crossJoin.enabled", "SELECT * FROM VALUES (1) t(a) JOIN VALUES (1) u(b)"),
]


def another_value(setting: RequiredSetting) -> str:
    others = {
        "spark.sql.legacy.ctePrecedencePolicy": "LEGACY",
        "spark.sql.legacy.timeParserPolicy": "LEGACY",
        "spark.sql.functionResolution.sessionOrder": "first",
        "spark.sql.storeAssignmentPolicy": "LEGACY",
        "spark.sql.timestampType": "TIMESTAMP_NTZ",
        "spark.sql.columnNameOfCorruptRecord": "unparsed",
    }
    return others.get(setting.name) or {"true": "false", "false": "true"}[setting.required]


def all_of_spark(spark: SparkSession) -> dict[str, str]:
    """The default of every setting that this Spark defines, including internal ones."""
    jvm: Any = spark._jvm
    definitions = getattr(getattr(jvm, "org.apache.spark.sql.internal.SQLConf$"), "MODULE$").getConfigEntries()
    iterator = definitions.iterator()
    found = {}
    while iterator.hasNext():
        entry = iterator.next()
        found[entry.key()] = entry.defaultValueString()
    return found


def answer(spark: SparkSession, query: str) -> tuple[object, ...]:
    """Return the columns and rows of a query, or the condition of Spark's error."""
    try:
        frame = spark.sql(query)
        return frame.schema.simpleString(), sorted(map(repr, frame.collect()))
    except PySparkException as error:
        return (error.getCondition() or type(error).__name__,)


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


def test_every_setting_of_spark_is_judged(spark: SparkSession) -> None:
    """Each setting that a new Spark defines must be required here or listed in the file of harmless ones."""
    # Spark defines Hive's settings when it first uses Hive.
    spark.sql("SHOW DATABASES").collect()
    lines = (Path(__file__).parent / "judged_settings.txt").read_text(encoding="utf-8").splitlines()
    named = [name for line in lines if not line.startswith("#") for name in line.split()]
    judged = [name if name.startswith("spark.") else f"spark.sql.{name}" for name in named]
    assert len(set(judged)) == len(judged)
    required = {setting.name for setting in REQUIRED_SETTINGS}
    assert sorted(required & set(judged)) == []
    # A Spark Connect server in the same JVM, which other tests start, defines its own settings.
    others = [name for name in all_of_spark(spark) if not name.startswith(("spark.connect.", "spark.sql.connect."))]
    assert sorted(set(others) - required - set(judged)) == [], "nobody has judged these"
    assert sorted(set(judged) - set(all_of_spark(spark))) == [], "Spark does not define these"


@pytest.mark.parametrize(("name", "query"), CHANGED_BY_SETTINGS)
def test_a_required_setting_changes_the_answer(spark: SparkSession, name: str, query: str) -> None:
    setting = next(setting for setting in REQUIRED_SETTINGS if setting.name == f"spark.sql.{name}")
    session = spark.newSession()
    required = answer(session, query)
    session.conf.set(setting.name, another_value(setting))
    assert answer(session, query) != required


@pytest.mark.parametrize("setting", REQUIRED_SETTINGS, ids=lambda setting: setting.name)
def test_other_values_are_rejected(spark: SparkSession, setting: RequiredSetting) -> None:
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


def test_supported_settings_are_recorded(spark: SparkSession) -> None:
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "Asia/Kolkata")
    session.conf.set("spark.sql.variable.substitute", "true")
    settings = check_settings(session)
    assert settings.time_zone == "Asia/Kolkata"
    assert settings.variable_substitution


def test_settings_undefined_in_spark_are_not_violations() -> None:
    assert RequiredSetting("spark.sql.new", "true", "nothing", default=None).is_met_by(None)


class OtherVersion:
    """A session that only knows its version."""

    def __init__(self, version: str) -> None:
        self.version = version


@pytest.mark.parametrize("version", ["3.4.4", "4.30.0", "5.0.0"])
def test_other_versions_are_rejected(version: str) -> None:
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


def test_unreachable_sessions_are_reported() -> None:
    class Gone:
        """A session whose JVM has gone."""

        @property
        def _jvm(self) -> object:
            from py4j.protocol import Py4JNetworkError

            raise Py4JNetworkError("Answer from Java side is empty")

    with pytest.raises(TableException, match="reading the settings of the Spark session failed: The Spark process"):
        read_settings(Gone())  # type: ignore[arg-type]


def test_a_view_keeps_the_setting_of_its_feature(spark: SparkSession) -> None:
    name, off = "spark.sql.join.asofJoin.enabled", spark.newSession()
    off.conf.set(name, "false")
    te = TableEnvironment.create(spark=off)
    query = "SELECT * FROM VALUES (1), (3) AS t(a) ASOF JOIN VALUES (0), (2) AS u(b) MATCH_CONDITION (t.a >= u.b)"
    with pytest.raises(ValidationException, match=f"Storing the view .* failed: .*{name}"):
        te.create_view("as_of_feature", te.sql_query(query))
    off.conf.set(name, "true")
    te.create_view("as_of_feature", te.sql_query(query))
    try:
        # Spark reads the view with what is recorded, unless the session that reads it has set another value.
        assert f"-- SET {name}=true;" in te.show_create_view("as_of_feature")
        rows = off.sql("SELECT * FROM as_of_feature ORDER BY a").collect()
        assert [tuple(row) for row in rows] == [(1, 0), (3, 2)]
    finally:
        te.drop_view("as_of_feature")
