"""The settings of a Spark session that change what SQL means, and which of their values this library can honour.

Types are inferred, and text is written, for the values in ``REQUIRED_SETTINGS``. A session that has another value is
refused by name: nothing is ever typed as if it had other settings. Because a session's settings can change at any
time, they are read again before every execution, in one call.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ir.errors import ValidationException
from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.spark.errors import readable_errors

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SUPPORTED_VERSION: Final = "4.3"
VARIABLE_SUBSTITUTION: Final = "spark.sql.variable.substitute"


@frozen
class RequiredSetting:
    """One setting and the value for which types and text are right.

    Attributes:
        name: the full name.
        required: the value that typing or emission relies on.
        why: what it changes, a clause that completes "it decides ...".
        default: Spark's value where the session does not set it; ``None`` where Spark then decides by ANSI mode,
            which is right here.
    """

    name: str
    required: str
    why: str
    default: str | None = field()

    @default.default
    def _same(self) -> str | None:
        return self.required

    def is_met_by(self, value: str | None) -> bool:
        """Return whether ``value``, as the session has it (``None``: not set), is the required one."""
        effective = self.default if value is None else value
        return effective is None or effective.strip().lower() == self.required.lower()


def _required(name: str, required: str, why: str) -> RequiredSetting:
    return RequiredSetting(f"spark.sql.{name}", required, why)


REQUIRED_SETTINGS: Final[tuple[RequiredSetting, ...]] = (
    # How text is parsed.
    _required("ansi.enabled", "true", "whether bad input is an error or NULL, and most implicit casts"),
    _required("ansi.doubleQuotedIdentifiers", "false", 'whether "x" is a string or a name'),
    _required("ansi.enforceReservedKeywords", "false", "which words may stand for names and functions"),
    _required("ansi.relationPrecedence", "false", "whether a comma binds tighter than JOIN"),
    _required("parser.escapedStringLiterals", "false", "whether a backslash escapes in a string literal"),
    _required("parser.quotedRegexColumnNames", "false", "whether `x` is a name or a regular expression"),
    _required("parser.singleCharacterPipeOperator.enabled", "true", "whether | before WHERE begins a step of a pipe"),
    _required("legacy.consecutiveStringLiterals.enabled", "false", "whether 'a''b' contains a quote"),
    _required("legacy.exponentLiteralAsDecimal.enabled", "false", "whether 1e3 is DOUBLE or DECIMAL"),
    _required("legacy.interval.enabled", "false", "the types of intervals and of differences of dates"),
    _required("legacy.fromDayTimeString.enabled", "false", "which fields a day-time interval literal has"),
    _required("legacy.setopsPrecedence.enabled", "false", "whether INTERSECT binds tighter than UNION"),
    _required("legacy.parser.havingWithoutGroupByAsWhere", "false", "whether HAVING alone makes one group"),
    _required("legacy.parseQueryWithoutEof", "false", "whether text behind a query is parsed or ignored"),
    _required("legacy.ctePrecedencePolicy", "CORRECTED", "which of two WITH queries of one name is meant"),
    # How names are resolved.
    _required("caseSensitive", "false", "whether two columns may differ in case only"),
    _required("groupByOrdinal", "true", "whether a number in GROUP BY means a column"),
    _required("orderByOrdinal", "true", "whether a number in ORDER BY means a column"),
    _required("functionResolution.sessionOrder", "second", "whether a temporary function hides a built-in"),
    _required("path.enabled", "false", "in which schemas an unqualified function is looked up"),
    _required("legacy.persistentCatalogFirst", "false", "whether builtin.f and session.f mean system functions"),
    # The types of results.
    _required("timestampType", "TIMESTAMP_LTZ", "whether TIMESTAMP has the session time zone"),
    _required("timestampNanosTypes.enabled", "false", "whether a timestamp literal may be finer than microseconds"),
    _required("decimalOperations.allowPrecisionLoss", "true", "precision and scale of decimal arithmetic"),
    _required("legacy.allowNegativeScaleOfDecimal", "false", "precision and scale of large decimal literals"),
    _required("legacy.literal.pickMinimumPrecision", "true", "precision of integers in decimal arithmetic"),
    _required("legacy.decimal.retainFractionDigitsOnTruncate", "false", "the common type of two decimals"),
    _required("preserveCharVarcharTypeInfo", "false", "whether a cast to CHAR or VARCHAR gives STRING"),
    _required("collation.schemaLevel.enabled", "false", "the collation of strings in a stored view"),
    _required("function.concatBinaryAsString", "false", "whether binary || binary is a string"),
    _required("function.eltOutputAsString", "false", "whether elt of binaries is a string"),
    _required("legacy.lpadRpadAlwaysReturnString", "false", "whether lpad and rpad of binaries are strings"),
    _required("legacy.createEmptyCollectionUsingStringType", "false", "the element type of array() and map()"),
    _required("legacy.inSubqueryNullability", "false", "whether IN over a subquery can be NULL"),
    _required("legacy.integerGroupingId", "false", "whether grouping_id() is INT or BIGINT"),
    _required("legacy.histogramNumericPropagateInputType", "true", "the result type of histogram_numeric"),
    # The values of results.
    _required("legacy.castComplexTypesToString.enabled", "false", "how arrays, maps and rows are cast to strings"),
    _required("legacy.timeParserPolicy", "CORRECTED", "how date and time patterns are read"),
    _required("legacy.statisticalAggregate", "false", "whether the deviation of one value is NULL or NaN"),
    _required("legacy.percentileDiscCalculation", "false", "the value of percentile_disc"),
    _required("legacy.groupingIdWithAppendedUserGroupBy", "false", "the value of grouping_id()"),
    _required("legacy.followThreeValuedLogicInArrayExists", "true", "whether exists() over an array can be NULL"),
    _required("legacy.disableMapKeyNormalization", "false", "whether 0.0 and -0.0 are one key of a map"),
    _required("legacy.negativeIndexInArrayInsert", "false", "where array_insert puts a negative position"),
    _required("legacy.truncateForEmptyRegexSplit", "false", "the last element of split() by an empty pattern"),
    _required("legacy.duplicateBetweenInput", "false", "whether BETWEEN evaluates its first operand twice"),
    _required("legacy.scalarSubqueryCountBugBehavior", "false", "the COUNT in a correlated scalar subquery"),
    _required(
        "legacy.scalarSubqueryAllowGroupByNonEqualityCorrelatedPredicate",
        "false",
        "whether wrong correlated subqueries are accepted",
    ),
    RequiredSetting(
        "spark.sql.legacy.nullInEmptyListBehavior", "false", "whether NULL IN an empty list is FALSE", default=None
    ),
    _required("chunkBase64String.enabled", "true", "whether base64 breaks its result into lines"),
    _required("crossJoin.enabled", "true", "whether a join may have a condition other than equality"),
    # What is written, and what is stored.
    _required("storeAssignmentPolicy", "ANSI", "which types INSERT casts, and whether it overflows silently"),
    _required("legacy.useCurrentConfigsForView", "false", "whether a view keeps the settings it was made with"),
    _required("legacy.storeAnalyzedPlanForView", "false", "whether a temporary view keeps its text"),
    _required("legacy.keepCommandOutputSchema", "false", "the columns that SHOW TABLES and its like return"),
)
"""Every setting that must have one value, with the reason.

Not in it, because every value is honoured: the session time zone (recorded, see ``SessionSettings.time_zone``),
``spark.sql.variable.substitute`` (recorded; while it is on, a text with ``${`` cannot be written), the catalogs and
current database, and all that changes only speed, files, logging or Spark's DataFrame API. Settings that only turn an
error into an answer (``mapKeyDedupPolicy``) are the user's choice. Settings without effect in ANSI mode
(``legacy.sizeOfNull``) need no mention, since that mode is required.
"""

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
