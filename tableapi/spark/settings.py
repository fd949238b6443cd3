"""Reading the settings of a Spark session, and refusing those under which SQL means something else.

A session in which a setting of ``REQUIRED_SETTINGS`` has another value is refused by name: nothing is ever typed as if
it had other settings. Because a session's settings can change at any time, they are read again before every execution,
in one call.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from ir.errors import ValidationException
from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.spark.errors import readable_errors
from tableapi.spark.required_settings import REQUIRED_SETTINGS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SUPPORTED_VERSION: Final = "4.3"
VARIABLE_SUBSTITUTION: Final = "spark.sql.variable.substitute"


# Always asked for, because Spark takes the default of these from the environment of its process.
_ENVIRONMENT_DEPENDENT: Final = (TIME_ZONE, "spark.sql.ansi.enabled")
_NAMES: Final = (TIME_ZONE, VARIABLE_SUBSTITUTION, *(setting.name for setting in REQUIRED_SETTINGS))


def violations(values: Mapping[str, str]) -> list[str]:
    """Return a line for each setting whose value cannot be honoured: name, value, required value, why."""
    return [
        f"{setting.name} is {values[setting.name]}, must be {setting.required}: it decides {setting.why}"
        for setting in REQUIRED_SETTINGS
        if not setting.is_met_by(values.get(setting.name))
    ]


@frozen
class SessionSettings:
    """The settings of a session at one moment.

    Attributes:
        time_zone: ``spark.sql.session.timeZone``.
        variable_substitution: whether Spark replaces ``${...}`` in SQL text.
        values: the value of each setting of ``REQUIRED_SETTINGS`` by its full name; where neither the session nor Spark
            gives it a value, it is absent.
        connect: whether the session is a Spark Connect one.
    """

    time_zone: str
    variable_substitution: bool
    values: Mapping[str, str]
    connect: bool

    def violations(self) -> list[str]:
        """Return a line for each setting whose value cannot be honoured: name, value, required value, why."""
        return violations(self.values)


def is_connect(spark: SparkSession) -> bool:
    """Return whether ``spark`` is a Spark Connect session, without asking anything of a JVM that it may not have."""
    return any(base.__module__.startswith("pyspark.sql.connect.") for base in type(spark).__mro__)


def read_settings(spark: SparkSession) -> SessionSettings:
    """Read the settings of a classic or Connect session, in one request or about a millisecond.

    Raises:
        TableException: the session has been stopped or cannot be reached.
    """
    connect = is_connect(spark)
    with readable_errors("reading the settings of the Spark session"):
        found = _ask_server(spark) if connect else _ask_jvm(spark)
    values = {
        setting.name: value
        for setting in REQUIRED_SETTINGS
        if (value := found.get(setting.name, setting.default)) is not None
    }
    return SessionSettings(
        time_zone=found[TIME_ZONE],
        variable_substitution=found.get(VARIABLE_SUBSTITUTION, "true").lower() == "true",
        values=values,
        connect=connect,
    )


def check_settings(spark: SparkSession) -> SessionSettings:
    """Read the settings of ``spark`` and refuse those that typing or emission cannot honour.

    Returns:
        The settings that were read.

    Raises:
        ValidationException: at least one setting has another value than required. Each is listed with its value, the
            required one, the reason, and the call that sets it.
        TableException: the session has been stopped or cannot be reached.
    """
    settings = read_settings(spark)
    violations = settings.violations()
    if violations:
        fixes = [
            f'    spark.conf.set("{setting.name}", "{setting.required}")'
            for setting in REQUIRED_SETTINGS
            if not setting.is_met_by(settings.values.get(setting.name))
        ]
        raise ValidationException(
            "The Spark session has settings under which queries would mean something else than they are typed as:\n"
            + "\n".join(f"  {violation}" for violation in violations)
            + "\nSet them as required, or pass a session that has them (spark.newSession() makes one whose settings "
            "are its own):\n" + "\n".join(fixes)
        )
    return settings


class CheckedSettings:
    """The settings of one session, asked for with every query and table, and read again when one of them changed."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._explicit: Any = None
        # All explicit settings as text, and what was made of them.
        self._last: tuple[str, SessionSettings] | None = None

    def current(self) -> SessionSettings:
        """Return the settings as they are now; one request tells whether they changed.

        Raises:
            ValidationException: see ``check_settings``.
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


def check_version(spark: SparkSession) -> None:
    """Refuse a session of another Spark than the one whose rules are implemented; to be asked once, on attaching.

    Raises:
        ValidationException: the version is not 4.3.
        TableException: the session has been stopped or cannot be reached.
    """
    with readable_errors("reading the version of the Spark session"):
        version = spark.version
    if not f"{version}.".startswith(f"{SUPPORTED_VERSION}."):
        raise ValidationException(
            f"The Spark session runs Spark {version}. Queries are typed and written by the rules of Spark "
            f"{SUPPORTED_VERSION}, which differ in other versions; pass a session of Spark {SUPPORTED_VERSION}."
        )


def refuse_substitution(text: str, settings: SessionSettings) -> None:
    """Refuse a text in which the session would replace something.

    Literals hold no ``${`` as text, and names do where Spark takes no other spelling of them.

    Raises:
        ValidationException: the session replaces ``${…}``, and the text has it.
    """
    if settings.variable_substitution and "${" in text:
        raise ValidationException(
            "A name in the query has '${' in it, which this session would replace, and stands where Spark takes no "
            "other spelling of it: a temporary view, a parameter of a lambda, a value column of UNPIVOT, a column of a "
            'hint. Set spark.conf.set("spark.sql.variable.substitute", "false"), or choose another name.'
        )


def _ask_jvm(spark: SparkSession) -> dict[str, str]:
    """All explicit settings as one JSON text, since each call and each entry of a map is a trip to the JVM."""
    session: Any = spark
    jvm = session._jvm
    explicit = session._jsparkSession.conf().getAllAsJava()
    found: dict[str, str] = json.loads(jvm.com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(explicit))
    for name in _ENVIRONMENT_DEPENDENT:
        found.setdefault(name, str(spark.conf.get(name)))
    return found


def _ask_server(spark: SparkSession) -> dict[str, str]:
    """The values, defaults included, of the settings that matter; the public ``conf.get`` takes one request each."""
    from pyspark.sql.connect.proto import ConfigRequest

    session: Any = spark
    operation = ConfigRequest.Operation(get_option=ConfigRequest.GetOption(keys=_NAMES))
    return {name: value for name, value in session.client.config(operation).pairs if value is not None}


def thread_stack(spark: SparkSession) -> int | None:
    """Return how many kilobytes of stack a thread of a classic session has, None where its JVM does not tell."""
    from py4j.protocol import Py4JError

    jvm: Any = spark.sparkContext._jvm
    try:
        bean = jvm.java.lang.Class.forName("com.sun.management.HotSpotDiagnosticMXBean")
        options = jvm.java.lang.management.ManagementFactory.getPlatformMXBean(bean)
        # Zero stands for the default of the operating system.
        return int(options.getVMOption("ThreadStackSize").getValue()) or 1024
    except Py4JError:
        # A JVM of another make has no such options; Spark then says itself what is too deep.
        return None
