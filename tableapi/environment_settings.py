"""Settings and configuration of an environment: mode, catalog, options."""

from __future__ import annotations

from ir.errors import ValidationException, did_you_mean
from ir.late_patterns import late_pattern
from ir.light_typing import TYPE_CHECKING, Any
from ir.migration_page import Section, see
from tableapi.advice.refusals import add_refusals
from tableapi.lazy import lazy
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    import difflib
    import zoneinfo

    from ir.targets import target as targets
    from tableapi import async_functions, stream_options
    from tableapi.async_functions import options as async_options
else:
    async_functions = lazy(__name__, "tableapi.async_functions")
    difflib = lazy(__name__, "difflib")
    targets = lazy(__name__, "ir.targets.target")
    stream_options = lazy(__name__, "tableapi.stream_options")
    async_options = lazy(__name__, "tableapi.async_functions.options")
    zoneinfo = lazy(__name__, "zoneinfo")

__all__ = ["EnvironmentSettings", "TableConfig"]

LOCAL_TIME_ZONE = "table.local-time-zone"
PROGRESS = "table.display.progress"
"""The configuration key for the progress display of long queries."""
PROGRESS_VARIABLE = "TABLEAPI_PROGRESS"
"""The environment variable that applies if the key is not set."""
STREAM_OPTIONS = "execution.stream."
"""The prefix of the configuration keys of queries over streams."""
_PROGRESS_VALUES = ("auto", "on", "off")
_RUNTIME_MODE = "execution.runtime-mode"
# What streams of Flink do on request and those of Spark do not: the keys, the values that ask for nothing, and why.
_RESTARTS = (
    ("none", "off", "disable"),
    "A stream of Spark ends when it fails, and nothing restarts it. Run the program again: each query continues from "
    "its checkpoint.",
)
_BEHAVIOUR_OF_FLINK = {
    "restart-strategy": _RESTARTS,
    "restart-strategy.type": _RESTARTS,
    "table.exec.state.ttl": (
        ("0", "0 ms", "0 s"),
        "Spark drops the state of a stream by its watermark: state the delay, watermark(col('ts'), lit(1).hour), and "
        "make the time, or a window over it, a key.",
    ),
    "table.exec.source.idle-timeout": (
        ("0", "0 ms", "0 s"),
        "The watermark of a Spark query waits for each of its sources: progress() names the one that holds it back. "
        "Spark follows the fastest source instead with spark.sql.streaming.multipleWatermarkPolicy = max.",
    ),
}
# The keys that have an effect here; other keys of PyFlink are accepted and ignored.
ALLOWED_PROGRAMS = "sql.stored-programs"
"""The key that lets views and functions of catalogs run programs: ``true`` or, by default, ``false``."""
_OWN_KEYS = (LOCAL_TIME_ZONE, _RUNTIME_MODE, "python.functions.packages", ALLOWED_PROGRAMS)
# The similarity, from 0 to 1, from which a key counts as a misspelling of an own key.
_MISSPELT = 0.88
# The prefixes of PyFlink's configuration keys; any other key is a Spark setting.
_PREFIXES = ("table.", "execution.", "pipeline.", "parallelism.", "python.", "sql-client.", "state.", "taskmanager.")
_OFFSET = late_pattern(r"[+-](0\d|1[0-7]):[0-5]\d|[+-]18:00")


def is_environment_key(key: str) -> bool:
    """Whether a key belongs to the environment's configuration and not to Spark's settings."""
    return key.startswith(_PREFIXES)


@boundaries
@add_refusals
class TableConfig:
    """The configuration of an environment: a mapping from string keys to string values.

    ``table.local-time-zone`` is the session time zone of Spark. ``table.display.progress`` controls the progress
    display of long queries: ``auto`` shows it on a terminal and in a notebook, ``on`` also in logs, ``off`` nowhere.
    """

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def get(self, key: str, default_value: str) -> str:
        """Return the value of a key, or a default; an option with two names has its value under both names."""
        return next((self._values[name] for name in _list_option_names(key) if name in self._values), default_value)

    def set(self, key: str, value: str) -> TableConfig:
        """Set a key and return the configuration.

        Raises:
            ValidationException: the key or value is not a string, the key is a misspelling of a key that has an effect
                here, Spark has no such behaviour of streams, or an option of asynchronous functions is unknown or has
                an invalid value.
        """
        if not isinstance(key, str) or not isinstance(value, str):
            raise ValidationException(
                f"A configuration takes text for key and value, but was given {key!r}: {value!r}."
            )
        if key == LOCAL_TIME_ZONE:
            check_time_zone(value)
        if key == PROGRESS and value not in _PROGRESS_VALUES:
            accepted = ", ".join(_PROGRESS_VALUES)
            raise ValidationException(
                f"{PROGRESS} is one of {accepted}, but was given {value!r}." + did_you_mean(value, _PROGRESS_VALUES)
            )
        if key == ALLOWED_PROGRAMS and value.strip().lower() not in ("true", "false"):
            raise ValidationException(f"{ALLOWED_PROGRAMS} is true or false, but was given {value!r}.")
        if key == _RUNTIME_MODE and value.strip().lower() == "streaming":
            raise _make_streaming_error()
        _refuse_behaviour_of_flink(key, value)
        if key.startswith(STREAM_OPTIONS):
            stream_options.check_entry(key, value)
        elif key.startswith(async_functions.PREFIX):
            for other in async_options.check_entry(key, value):
                self._values.pop(other, None)
        else:
            _refuse_misspelling(key)
        self._values[key] = value
        return self

    def clear(self, key: str | None = None) -> None:
        """Unset a key, or all keys."""
        if key is None:
            self._values.clear()
        else:
            for name in _list_option_names(key):
                self._values.pop(name, None)

    @staticmethod
    def get_default() -> TableConfig:
        """Return an empty configuration."""
        return TableConfig()

    def get_local_timezone(self) -> str:
        """Return the session time zone, UTC by default."""
        return self.get(LOCAL_TIME_ZONE, "UTC")

    def set_local_timezone(self, timezone_id: str) -> None:
        """Set the session time zone, such as ``Europe/Berlin``, also of a Spark session that the user supplied.

        Raises:
            ValidationException: the time zone does not exist.
        """
        self.set(LOCAL_TIME_ZONE, timezone_id)

    def __repr__(self) -> str:
        return f"TableConfig({self._values!r})"

    def to_map(self) -> dict[str, str]:
        """Return all keys that are set, with their values."""
        return dict(self._values)


def _refuse_behaviour_of_flink(key: str, value: str) -> None:
    without_effect, reason = _BEHAVIOUR_OF_FLINK.get(key, ((), ""))
    if reason and value.strip().lower() not in without_effect:
        raise ValidationException(f"{key} = {value} has no effect here. {reason}")


def _refuse_misspelling(key: str) -> None:
    """Reject a key that is a near misspelling of a key with an effect, because it would be silently ignored.

    Raises:
        ValidationException: the key nearly equals an own key.
    """
    if key in _OWN_KEYS:
        return
    near = difflib.get_close_matches(key.lower(), _OWN_KEYS, n=1, cutoff=_MISSPELT)
    if near:
        raise ValidationException(f"There is no configuration key {key!r}. Did you mean {near[0]!r}?")


def _list_option_names(key: str) -> list[str]:
    """Return a key and the other names of its option."""
    if not key.startswith(async_functions.PREFIX):
        return [key]
    return [key, *async_options.find_other_keys(key)]


def check_time_zone(name: str) -> None:
    """Check the name or offset of a time zone.

    Raises:
        ValidationException: there is no such time zone; the message has the nearest name.
    """
    if _OFFSET.fullmatch(name):
        return
    try:
        zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise ValidationException(
            f"There is no time zone {name!r}. Accepted are names such as 'Europe/Berlin' and offsets such as '+02:00'."
            + did_you_mean(name, zoneinfo.available_timezones())
        ) from None


@boundaries
@add_refusals
class EnvironmentSettings:
    """The settings from which an environment is created.

    >>> EnvironmentSettings.in_batch_mode().is_streaming_mode()
    False
    """

    def __init__(
        self, catalog: str, database: str, in_memory: bool, target: str | None = None, is_streaming: bool = False
    ) -> None:
        self._catalog = catalog
        self._database = database
        self._in_memory = in_memory
        self._target = target
        self._is_streaming = is_streaming

    def __repr__(self) -> str:
        where = "in memory" if self._in_memory else "of the Spark session"
        target = "" if self._target is None else f", target {self._target!r}"
        mode = "streaming" if self._is_streaming else "batch"
        return (
            f"EnvironmentSettings({mode} mode, catalog {self._catalog!r} {where}, database {self._database!r}{target})"
        )

    @boundaries
    class Builder:
        """Builds settings."""

        def __init__(self) -> None:
            self._catalog: str | None = None
            self._database: str | None = None
            self._target: str | None = None
            self._is_streaming = False

        def in_batch_mode(self) -> EnvironmentSettings.Builder:
            """Choose bounded input, the default."""
            self._is_streaming = False
            return self

        def in_streaming_mode(self) -> EnvironmentSettings.Builder:
            """Choose unbounded input: tables of files and of data sources in Python are streams.

            A table says otherwise with its option ``streaming``. Tables of Spark's catalogs are read as Spark reads
            them: as tables, unless a query says ``STREAM t`` or ``from_path("t", stream=True)``.
            """
            self._is_streaming = True
            return self

        def with_built_in_catalog_name(self, built_in_catalog_name: str) -> EnvironmentSettings.Builder:
            """Start in an in-memory catalog of this name instead of the Spark session's catalog.

            Raises:
                ValidationException: the name is not a string, or is empty.
            """
            self._catalog = _name(built_in_catalog_name, "with_built_in_catalog_name")
            return self

        def with_built_in_database_name(self, built_in_database_name: str) -> EnvironmentSettings.Builder:
            """Set the name of the in-memory catalog's first database.

            Raises:
                ValidationException: the name is not a string, or is empty.
            """
            self._database = _name(built_in_database_name, "with_built_in_database_name")
            return self

        def with_target(self, target: str) -> EnvironmentSettings.Builder:
            """Write SQL for an older engine, and refuse what it lacks when a query is built.

            Without this, the target is the version of the Spark session, and the newest version before there is one.

            >>> EnvironmentSettings.new_instance().with_target("spark-4.0").build().get_target()
            'spark-4.0'

            Args:
                target: the engine and its version, such as ``spark-3.5``.

            Raises:
                ValidationException: there is no such target; the message lists the targets.
            """
            self._target = targets.Target.of(target).name
            return self

        def build(self) -> EnvironmentSettings:
            """Build the settings."""
            if self._catalog is None and self._database is None:
                return EnvironmentSettings("spark_catalog", "default", False, self._target, self._is_streaming)
            catalog, database = self._catalog or "default_catalog", self._database or "default_database"
            return EnvironmentSettings(catalog, database, True, self._target, self._is_streaming)

    @staticmethod
    def new_instance() -> EnvironmentSettings.Builder:
        """Return a builder of settings."""
        return EnvironmentSettings.Builder()

    @staticmethod
    def in_batch_mode() -> EnvironmentSettings:
        """Return the settings of an environment with bounded input."""
        return EnvironmentSettings.Builder().build()

    @staticmethod
    def in_streaming_mode() -> EnvironmentSettings:
        """Return the settings of an environment with unbounded input.

        >>> EnvironmentSettings.in_streaming_mode().is_streaming_mode()
        True
        """
        return EnvironmentSettings.Builder().in_streaming_mode().build()

    def get_built_in_catalog_name(self) -> str:
        """Return the name of the initial catalog."""
        return self._catalog

    def get_built_in_database_name(self) -> str:
        """Return the name of the initial database."""
        return self._database

    def get_target(self) -> str | None:
        """Return the name of the target, such as ``spark-4.0``; None if the session's version decides."""
        return self._target

    def is_streaming_mode(self) -> bool:
        """Whether input is unbounded."""
        return self._is_streaming

    @property
    def is_in_memory(self) -> bool:
        """Whether the initial catalog is an in-memory catalog."""
        return self._in_memory


def _name(given: Any, method: str) -> str:
    if not isinstance(given, str) or not given:
        raise ValidationException(f"{method} takes a name, but was given {given!r}.")
    return given


def wrong_settings_error(given: Any) -> ValidationException:
    """Return the error for a value that was passed instead of settings."""
    if isinstance(given, EnvironmentSettings.Builder):
        advice = "Call build() of the builder."
    elif hasattr(type(given), "sql"):
        advice = "Pass a session by the name of its parameter: TableEnvironment.create(spark=session)."
    else:
        advice = "Without an argument, it takes EnvironmentSettings.in_batch_mode()."
    return ValidationException(f"create takes EnvironmentSettings, but was given {given!r:.100}. {advice}")


def wrong_session_error(given: Any) -> ValidationException:
    """Return the error for a value that was passed instead of a session."""
    advice = "Its builder makes one: SparkSession.builder.getOrCreate()"
    if isinstance(given, str) and given.startswith("sc://"):
        advice += f", or SparkSession.builder.remote({given!r:.100}).getOrCreate() for a server of Spark Connect"
    return ValidationException(f"spark takes a SparkSession, but was given {given!r:.100}. {advice}.")


def _make_streaming_error() -> ValidationException:
    return ValidationException(
        "The mode of an environment is chosen when it is created: "
        f"TableEnvironment.create(EnvironmentSettings.in_streaming_mode()).{see(Section.STREAMS)}"
    )
