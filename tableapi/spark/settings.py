"""Read the settings of a Spark session, and reject a session whose settings change the meaning of SQL.

A session with another value for a setting of ``REQUIRED_SETTINGS`` is rejected, and the error names the setting: types
are never inferred for other settings. Settings can change at any time, so they are read again before every execution,
in one call.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from ir.engine_version import NEWEST_SPARK
from ir.errors import ValidationException
from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.lazy import lazy
from tableapi.spark.errors import readable_errors
from tableapi.spark.required_settings import REQUIRED_SETTINGS, RequiredSetting
from tableapi.spark.versions import (
    SessionVersions,
    client_version_text,
    is_connect,
    server_version,
    supported_client,
    supported_sail,
    supported_version,
)

if TYPE_CHECKING:
    from py4j import protocol
    from pyspark.sql import SparkSession
    from pyspark.sql.connect import proto
else:
    proto = lazy(__name__, "pyspark.sql.connect.proto")
    protocol = lazy(__name__, "py4j.protocol")

VARIABLE_SUBSTITUTION: Final = "spark.sql.variable.substitute"
_SERVER_DECIDES: Final = "The version of the server decides what queries may contain."

# Always requested, because Spark takes their defaults from the environment of its process.
_ENVIRONMENT_DEPENDENT: Final = (TIME_ZONE, "spark.sql.ansi.enabled")
_NAMES: Final = (TIME_ZONE, VARIABLE_SUBSTITUTION, *(setting.name for setting in REQUIRED_SETTINGS))


def violations(values: Mapping[str, str]) -> list[str]:
    """Return a line for each unsupported value of a setting: name, value, required value, reason."""
    return [
        f"{setting.name} is {values[setting.name]}, must be {setting.required}: it decides {setting.why}"
        for setting in _violated(values)
    ]


def _violated(values: Mapping[str, str]) -> list[RequiredSetting]:
    return [setting for setting in REQUIRED_SETTINGS if not setting.is_met_by(values.get(setting.name))]


@frozen
class SessionSettings:
    """The settings of a session at one moment.

    Attributes:
        time_zone: ``spark.sql.session.timeZone``.
        variable_substitution: whether Spark replaces ``${...}`` in SQL text.
        values: the values of the settings in ``REQUIRED_SETTINGS`` by full name, without settings that this version of
            Spark does not have, and without those for which neither the session nor Spark has a value.
        connect: whether the session is a Spark Connect session.
    """

    time_zone: str
    variable_substitution: bool
    values: Mapping[str, str]
    connect: bool

    def violations(self) -> list[str]:
        """Return a line for each unsupported value of a setting: name, value, required value, reason."""
        return violations(self.values)


def read_settings(spark: SparkSession) -> SessionSettings:
    """Read the settings of a session: one request on Connect, about a millisecond on a classic session.

    Raises:
        TableException: the session has been stopped or cannot be reached.
    """
    connect = is_connect(spark)
    with readable_errors("reading the settings of the Spark session"):
        found = _ask_server(spark) if connect else _ask_jvm(spark)
        version = server_version(spark)
    values = {
        setting.name: value
        for setting in REQUIRED_SETTINGS
        if setting.exists_in(version) and (value := found.get(setting.name, setting.default_in(version))) is not None
    }
    return SessionSettings(
        time_zone=found[TIME_ZONE],
        variable_substitution=found.get(VARIABLE_SUBSTITUTION, "true").lower() == "true",
        values=values,
        connect=connect,
    )


def check_settings(spark: SparkSession) -> SessionSettings:
    """Read the settings of a session, and reject values that typing or emission does not support.

    Returns:
        The settings.

    Raises:
        ValidationException: a setting does not have the required value. The message lists each such setting with its
            value, the required value, the reason, and the call that sets it.
        TableException: the session has been stopped or cannot be reached.
    """
    settings = read_settings(spark)
    violations = settings.violations()
    if violations:
        fixes = [
            f'    spark.conf.set("{setting.name}", "{setting.required}")' for setting in _violated(settings.values)
        ]
        raise ValidationException(
            "The Spark session has settings under which queries would mean something else than they are typed as:\n"
            + "\n".join(f"  {violation}" for violation in violations)
            + "\nSet them as required, or pass a session that has them (spark.newSession() makes one whose settings "
            "are its own), or have them set: TableEnvironment.create(spark=spark, set_required_settings=True).\n"
            + "\n".join(fixes)
        )
    return settings


def set_required_settings(spark: SparkSession) -> None:
    """Give the settings of a session that have another value the required one.

    Raises:
        TableException: Spark rejects a change; the session has been stopped or cannot be reached.
    """
    for setting in _violated(read_settings(spark).values):
        with readable_errors(f"SET {setting.name}"):
            spark.conf.set(setting.name, setting.required)


class CheckedSettings:
    """The checked settings of one session, requested for every query and table, and reread only after a change."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._explicit: Any = None
        # All explicit settings as text, and the settings that were read for it.
        self._last: tuple[str, SessionSettings] | None = None

    def current(self) -> SessionSettings:
        """Return the current settings; one request shows whether they have changed.

        Raises:
            ValidationException: a setting has an unsupported value; see ``check_settings``.
            TableException: the session has been stopped or cannot be reached.
        """
        session: Any = self._spark
        if is_connect(session) or session.sparkContext._jsc is None:
            return check_settings(session)
        with readable_errors("reading the settings of the Spark session"):
            if self._explicit is None:
                self._explicit = session._jsparkSession.sessionState().conf().settings()
            now = str(self._explicit.toString())
        if self._last is None or self._last[0] != now:
            self._last = now, check_settings(session)
        return self._last[1]


def check_version(spark: SparkSession) -> SessionVersions:
    """Return the versions of a session; call it once for each session.

    Warns if a Spark Connect server is older than its client, or the client newer than the newest supported version.

    Raises:
        ValidationException: the version of the server is not supported, or the client is too old; the message names the
            nearest supported version.
        TableException: the session has been stopped or cannot be reached.
    """
    with readable_errors("reading the version of the Spark session"):
        version = spark.version
        sail = supported_sail(spark)
    client = client_version_text()
    found = SessionVersions(supported_version(version, "The Spark session runs Spark"), supported_client(client), sail)
    if found.client > NEWEST_SPARK:
        # databricks-connect 19.3, the client of a runtime with Spark 4.2, calls its module pyspark 4.4.0.dev0.
        warnings.warn(
            f"The client, pyspark {client}, is newer than Spark {NEWEST_SPARK}, the newest version that this library "
            f"knows, and is used as that version. {_SERVER_DECIDES}",
            UserWarning,
            stacklevel=2,
        )
    elif sail is None and found.server < found.client:
        warnings.warn(
            f"The Spark Connect server runs Spark {version}, which is older than its client, pyspark {client}. "
            f"{_SERVER_DECIDES}",
            UserWarning,
            stacklevel=2,
        )
    return found


def refuse_substitution(text: str, settings: SessionSettings) -> None:
    """Check that a session with variable substitution does not change a text.

    Literals are written without ``${``, and so are names, except where Spark accepts no other spelling of a name.

    Raises:
        ValidationException: the session replaces ``${…}``, and the text contains it.
    """
    if settings.variable_substitution and "${" in text:
        raise ValidationException(
            "A name in the query has '${' in it, which this session would replace, and stands where Spark takes no "
            "other spelling of it: a temporary view, a parameter of a lambda, a value column of UNPIVOT, a column of a "
            'hint. Set spark.conf.set("spark.sql.variable.substitute", "false"), or choose another name.'
        )


def _ask_jvm(spark: SparkSession) -> dict[str, str]:
    """Return all explicit settings by way of one JSON string, since every call and map entry is a trip to the JVM."""
    session: Any = spark
    jvm = session._jvm
    explicit = session._jsparkSession.sessionState().conf().settings()
    found: dict[str, str] = json.loads(jvm.com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(explicit))
    for name in _ENVIRONMENT_DEPENDENT:
        found.setdefault(name, str(spark.conf.get(name)))
    return found


def _ask_server(spark: SparkSession) -> dict[str, str]:
    """Return the effective values of the relevant settings; the public ``conf.get`` takes one request for each."""
    session: Any = spark
    operation = proto.ConfigRequest.Operation(get_option=proto.ConfigRequest.GetOption(keys=_NAMES))
    return {name: value for name, value in session.client.config(operation).pairs if value is not None}


def thread_stack(spark: SparkSession) -> int | None:
    """Return the stack size of threads of a classic session in kilobytes; None if its JVM does not report it."""
    jvm: Any = spark.sparkContext._jvm
    try:
        bean = jvm.java.lang.Class.forName("com.sun.management.HotSpotDiagnosticMXBean")
        options = jvm.java.lang.management.ManagementFactory.getPlatformMXBean(bean)
        # Zero means the default of the operating system.
        return int(options.getVMOption("ThreadStackSize").getValue()) or 1024
    except protocol.Py4JError:
        # Other JVMs have no such option; Spark itself then reports nesting that is too deep.
        return None
