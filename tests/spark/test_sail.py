"""Sail is recognised behind a session of Spark Connect; no test needs Sail or a JVM.

``tests/versions`` asks a real Sail.
"""

from __future__ import annotations

from typing import Any

import pytest

from ir.engine_version import EngineVersion
from ir.errors import ValidationException
from ir.targets.target import Target, targets
from tableapi import EnvironmentSettings, TableEnvironment, TableException
from tableapi.spark import versions
from tableapi.spark.settings import check_version
from tableapi.spark.versions import SessionVersions, sail_version


class Connected:
    """A session of Spark Connect that knows its version, one setting, and how VERSION() is answered."""

    __module__ = "pyspark.sql.connect.session"

    def __init__(self, answer: str, application: str | None = None) -> None:
        self.version = versions.client_version_text()
        self.conf = self
        self.asked = 0
        self._answer, self._application = answer, application

    def get(self, name: str, default: str | None = None) -> str | None:
        return self._application if name == "spark.app.id" else default

    def sql(self, text: str) -> Connected:
        assert text == "SELECT VERSION()"
        self.asked += 1
        return self

    def collect(self) -> list[tuple[str]]:
        return [(self._answer,)]


def test_sail_is_recognised_by_its_own_version_and_asked_once() -> None:
    session: Any = Connected("0.7.2")
    assert sail_version(session) == EngineVersion(0, 7)
    assert sail_version(session) == EngineVersion(0, 7)
    assert session.asked == 1
    assert check_version(session).target_name == "sail-0.7"


def test_spark_is_not_asked_for_its_version_in_sql() -> None:
    session: Any = Connected("4.3.0 f0e0c0", "app-1")
    assert sail_version(session) is None
    assert session.asked == 0


def test_a_spark_that_hides_its_application_is_spark() -> None:
    session: Any = Connected("4.0.0 0000000000000000000000000000000000000000")
    assert sail_version(session) is None


def test_another_version_of_sail_is_refused() -> None:
    with pytest.raises(ValidationException, match=r"one of Sail 0\.6, for which .* Supported is Sail 0\.7\.$"):
        check_version(Connected("0.6.5"))  # type: ignore[arg-type]


def test_a_target_of_another_engine_than_the_session_is_refused() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("spark-4.0")
    runtime = TableEnvironment.create(settings.build())._parts.runtime
    with pytest.raises(ValidationException, match=r"the session runs Sail 0\.7, which is another engine"):
        runtime._follow_engine("sail-0.7")


def test_what_sail_lacks_is_refused_by_name() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("sail-0.7")
    sail = TableEnvironment.create(settings.build())
    with pytest.raises(TableException, match=r"does not exist in Sail; the target is Sail 0\.7 \(from with_target\)"):
        sail.sql_query("SELECT v FROM VALUES (1) AS t(v) DISTRIBUTE BY v")


def test_numbers_that_sail_does_not_read_are_cast() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("sail-0.7")
    sail = TableEnvironment.create(settings.build())
    assert sail.sql_query("SELECT -128Y AS a, 127Y AS b").as_serializable_string() == (
        "SELECT CAST(-128 AS TINYINT) AS `a`, 127Y AS `b`"
    )


def test_every_target_has_a_measured_file() -> None:
    assert [target.name for target in targets() if target.lacks_feature("no such feature")] == []
    assert Target.of("sail-0.7").title == "Sail 0.7"


def test_versions_name_their_target() -> None:
    newest = EngineVersion(4, 3)
    assert SessionVersions(newest, newest).target_name == "spark-4.3"
