"""The session in which views are stored, and the settings that Spark records in them.

Spark records in a view every modifiable ``spark.sql.*`` setting that the creating session sets explicitly, and always
the ANSI mode and the time zone, except settings that only tune execution. When a view is read, Spark applies the
recorded settings, and its own defaults for all others. So each view is stored from a private session that sets only the
declared values. No other thread runs under its settings. It lives for one sequence of statements, because a session
caches the schemas of tables even if the tables change elsewhere.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from ir.engine_version import EngineVersion
from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.spark.required_settings import EXECUTION, FEATURES, REQUIRED_SETTINGS
from tableapi.spark.settings import VARIABLE_SUBSTITUTION
from tableapi.spark.versions import explicit_settings, new_session, release_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_RECORDED: Final = frozenset(
    {
        "spark.sql.ansi.doubleQuotedIdentifiers",
        "spark.sql.ansi.enabled",
        "spark.sql.caseSensitive",
        "spark.sql.decimalOperations.allowPrecisionLoss",
        "spark.sql.timestampType",
    }
)
# Settings of catalogs and features, which come from the session, and those that only tune execution. Every other
# explicit setting is reset.
_TAKEN_OVER: Final = ("spark.sql.catalog.", *FEATURES)
_KEPT: Final = (*EXECUTION, *_TAKEN_OVER, "spark.sql.extensions")


def declared_settings(version: EngineVersion, time_zone: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the settings to which a new view is pinned.

    Of the settings that change the meaning of SQL, these are the ones that users change, and those for which this
    version of Spark has another default. The others are not set in the storing session, so they have Spark's defaults
    whenever the view is read.

    Args:
        version: the version of Spark that stores the view.
        time_zone: the time zone of the environment.
        chosen: the values that the caller declares for this view; they override the defaults.
    """
    pinned = {
        setting.name: setting.required
        for setting in REQUIRED_SETTINGS
        if setting.name in _RECORDED or not setting.is_met_by(setting.default_in(version))
    }
    return {**pinned, TIME_ZONE: time_zone, **chosen, VARIABLE_SUBSTITUTION: "false"}


def recorded_settings(recorded: Mapping[str, str], created_by: str) -> dict[str, str]:
    """Return the effective settings of a view: the recorded ones, with Spark's rules for old views.

    Spark reads a view that a version before 4 stored, or an unknown version, without ANSI mode, unless the view
    recorded that setting.

    >>> recorded_settings({}, "Spark 3.5.1"), recorded_settings({}, "Spark 4.0.0")
    ({'spark.sql.ansi.enabled': 'false'}, {})
    """
    version = re.fullmatch(r"Spark (\d+)\..*", created_by)
    if version is not None and int(version[1]) >= 4:
        return dict(recorded)
    return {"spark.sql.ansi.enabled": "false", **recorded}


@contextlib.contextmanager
def private_session(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """Yield a new session with the catalogs and features of ``spark``, the given settings, and no temporary objects."""
    private = new_session(spark)
    try:
        _configure(private, _taken_over(spark), settings)
        yield private
    finally:
        release_session(private)


def _taken_over(spark: SparkSession) -> dict[str, str]:
    return {name: value for name, value in explicit_settings(spark).items() if name.startswith(_TAKEN_OVER)}


def _configure(private: SparkSession, taken_over: Mapping[str, str], settings: Mapping[str, str]) -> None:
    inherited = explicit_settings(private)
    for name in inherited:
        foreign = name.startswith("spark.sql.") and not name.startswith(_KEPT) and name not in settings
        if foreign and private.conf.isModifiable(name):
            private.conf.unset(name)
    for name, value in {**taken_over, **settings}.items():
        if inherited.get(name) != value:
            private.conf.set(name, value)
