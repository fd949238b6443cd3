"""The session in which views are stored, and the settings that Spark freezes into them.

Spark writes every modifiable ``spark.sql.*`` setting that the creating session sets explicitly into a view (and always
ANSI mode and the time zone), except those that only steer execution; reading the view, it takes these and, for all
others, Spark's own defaults. Views are therefore stored from a session of their own, which sets the declared values and
nothing else. Nobody else uses that session, so that no other thread ever runs under its settings. It lives for one
statement sequence, because a session keeps the schemas of the tables that it has seen, however they change elsewhere.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.spark.required_settings import REQUIRED_SETTINGS
from tableapi.spark.settings import VARIABLE_SUBSTITUTION, is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_RECORDED: Final = frozenset(
    {
        "spark.sql.ansi.doubleQuotedIdentifiers",
        "spark.sql.ansi.enabled",
        "spark.sql.caseSensitive",
        "spark.sql.decimalOperations.allowPrecisionLoss",
        "spark.sql.timeType.enabled",
        "spark.sql.timestampType",
    }
)
# Where the catalogs are, and what only steers execution; everything else that is set explicitly is taken back.
_KEPT: Final = (
    "spark.sql.adaptive.",
    "spark.sql.artifact.",
    "spark.sql.catalog.",
    "spark.sql.codegen.",
    "spark.sql.execution.",
    "spark.sql.extensions",
    "spark.sql.hive.",
    "spark.sql.optimizer.",
    "spark.sql.shuffle.",
)
_CATALOG: Final = "spark.sql.catalog."


def declared_settings(time_zone: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that a new view is pinned to.

    Of the settings that change what text means, these are the ones that people change. The others are not set in the
    storing session, and so have Spark's defaults whenever the view is read.

    Args:
        time_zone: the time zone of the environment.
        chosen: values that the caller declares for this view; they win over the defaults.
    """
    pinned = {setting.name: setting.required for setting in REQUIRED_SETTINGS if setting.name in _RECORDED}
    return {**pinned, TIME_ZONE: time_zone, **chosen, VARIABLE_SUBSTITUTION: "false"}


def recorded_settings(recorded: Mapping[str, str], created_by: str) -> dict[str, str]:
    """Return the settings under which a view is read: those it was stored with, as Spark completes them.

    A view that Spark stored before version 4 is read without ANSI mode, unless it recorded that; so is one of which
    Spark does not know the version.

    >>> recorded_settings({}, "Spark 3.5.1"), recorded_settings({}, "Spark 4.0.0")
    ({'spark.sql.ansi.enabled': 'false'}, {})
    """
    version = re.fullmatch(r"Spark (\d+)\..*", created_by)
    if version is not None and int(version[1]) >= 4:
        return dict(recorded)
    return {"spark.sql.ansi.enabled": "false", **recorded}


@contextlib.contextmanager
def private_session(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """Give a new session over the catalogs of ``spark`` with these settings, no others, and no temporary objects."""
    private = spark.newSession()
    try:
        _configure(private, _catalogs(spark), settings)
        yield private
    finally:
        # A classic session is collected when nobody holds it; to stop it would stop Spark. A Connect session has to
        # be given back to the server.
        if is_connect(spark):
            private.stop()


def _catalogs(spark: SparkSession) -> dict[str, str]:
    return {name: value for name, value in spark.conf.getAll.items() if name.startswith(_CATALOG)}


def _configure(private: SparkSession, catalogs: Mapping[str, str], settings: Mapping[str, str]) -> None:
    inherited = private.conf.getAll
    for name in inherited:
        foreign = name.startswith("spark.sql.") and not name.startswith(_KEPT) and name not in settings
        if foreign and private.conf.isModifiable(name):
            private.conf.unset(name)
    for name, value in {**catalogs, **settings}.items():
        if inherited.get(name) != value:
            private.conf.set(name, value)
