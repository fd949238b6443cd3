"""The settings of a Spark session that change the meaning of SQL, each with the value that this library requires.

Type inference and SQL generation assume these values.
"""

from __future__ import annotations

from typing import Final

from attrs import field, frozen

from ir.engine_version import SPARK_VERSIONS, EngineVersion

EXECUTION: Final = (
    "spark.sql.adaptive.",
    "spark.sql.artifact.",
    "spark.sql.codegen.",
    "spark.sql.execution.",
    "spark.sql.hive.",
    "spark.sql.optimizer.",
    "spark.sql.shuffle.",
)
"""The beginnings of the names of settings that say how Spark runs any query, which a session for views keeps."""
_OLDEST: Final = SPARK_VERSIONS[0]
_V4_0: Final = EngineVersion(4, 0)


FEATURES: Final = {"spark.sql.timeType.enabled": "true", "spark.sql.join.asofJoin.enabled": "true"}
"""Settings without which a version of Spark refuses a feature that it has: the type TIME, and ASOF JOIN."""


@frozen
class RequiredSetting:
    """A setting, and the value for which types and generated SQL are correct.

    Attributes:
        name: the full name.
        required: the value that typing or emission relies on.
        why: the effect of the setting, a clause that completes "it decides ...".
        default: Spark's value if the session does not set it; ``None`` if Spark then follows the ANSI mode, which is
            correct here.
        since: the first version that has the setting; older versions behave as required, or differently under every
            value.
        old_default: the default of Spark 3.5, if it is another one.
    """

    name: str
    required: str
    why: str
    default: str | None = field()
    since: EngineVersion = _OLDEST
    old_default: str | None = None

    @default.default
    def _same(self) -> str | None:
        return self.required

    def exists_in(self, version: EngineVersion) -> bool:
        """Whether a version of Spark has the setting."""
        return version >= self.since

    def default_in(self, version: EngineVersion) -> str | None:
        """Return the default of a version of Spark; ``None`` if Spark then follows the ANSI mode."""
        return self.old_default if self.old_default is not None and version < _V4_0 else self.default

    def is_met_by(self, value: str | None) -> bool:
        """Whether a value has the required effect; ``None`` means that Spark follows the ANSI mode."""
        return value is None or value.strip().lower() == self.required.lower()


def _make_setting(
    name: str, required: str, why: str, *, since: str | None = None, old_default: str | None = None
) -> RequiredSetting:
    first = _OLDEST if since is None else EngineVersion.of(since)
    return RequiredSetting(f"spark.sql.{name}", required, why, since=first, old_default=old_default)


REQUIRED_SETTINGS: Final[tuple[RequiredSetting, ...]] = (
    # How text is parsed.
    _make_setting(
        "ansi.enabled", "true", "whether bad input is an error or NULL, and most implicit casts", old_default="false"
    ),
    _make_setting("ansi.doubleQuotedIdentifiers", "false", 'whether "x" is a string or a name'),
    _make_setting("ansi.enforceReservedKeywords", "false", "which words may stand for names and functions"),
    _make_setting("ansi.relationPrecedence", "false", "whether a comma binds tighter than JOIN"),
    _make_setting("parser.escapedStringLiterals", "false", "whether a backslash escapes in a string literal"),
    _make_setting("parser.quotedRegexColumnNames", "false", "whether `x` is a name or a regular expression"),
    _make_setting(
        "parser.singleCharacterPipeOperator.enabled",
        "true",
        "whether | before WHERE begins a step of a pipe",
        since="4.2",
    ),
    _make_setting("legacy.bangEqualsNot", "false", "whether ! may stand for NOT, as in a ! IN (1)", since="4.0"),
    _make_setting("legacy.consecutiveStringLiterals.enabled", "false", "whether 'a''b' contains a quote", since="4.1"),
    _make_setting("legacy.exponentLiteralAsDecimal.enabled", "false", "whether 1e3 is DOUBLE or DECIMAL"),
    _make_setting("legacy.interval.enabled", "false", "the types of intervals and of differences of dates"),
    _make_setting("legacy.fromDayTimeString.enabled", "false", "which fields a day-time interval literal has"),
    _make_setting("legacy.setopsPrecedence.enabled", "false", "whether INTERSECT binds tighter than UNION"),
    _make_setting("legacy.parser.havingWithoutGroupByAsWhere", "false", "whether HAVING alone makes one group"),
    _make_setting(
        "legacy.parseQueryWithoutEof", "false", "whether text behind a query is parsed or ignored", since="4.0"
    ),
    _make_setting("legacy.keepPartitionSpecAsStringLiteral", "false", "whether PARTITION (p = 05) means '05' or '5'"),
    _make_setting("legacy.parseNullPartitionSpecAsStringLiteral", "false", "whether PARTITION (p = NULL) means 'null'"),
    _make_setting(
        "legacy.ctePrecedencePolicy",
        "CORRECTED",
        "which of two WITH queries of one name is meant",
        old_default="EXCEPTION",
    ),
    # How names are resolved.
    _make_setting("caseSensitive", "false", "whether two columns may differ in case only"),
    _make_setting("groupByOrdinal", "true", "whether a number in GROUP BY means a column"),
    _make_setting("orderByOrdinal", "true", "whether a number in ORDER BY means a column"),
    _make_setting(
        "prioritizeOrdinalResolutionInSort.enabled", "true", "when a number in ORDER BY becomes a column", since="4.1"
    ),
    _make_setting("groupByAliases", "true", "whether GROUP BY may name an item of SELECT"),
    _make_setting("lateralColumnAlias.enableImplicitResolution", "true", "whether a name may mean an item before it"),
    _make_setting(
        "analyzer.preferColumnOverLcaInArrayIndex",
        "true",
        "whether i in a[i] is a column or an item of SELECT",
        since="4.1",
    ),
    _make_setting("stableDerivedColumnAlias.enabled", "false", "the names of columns that have none in the text"),
    _make_setting("legacy.allowParameterlessCount", "false", "whether count() is 0 or an error"),
    _make_setting("legacy.allowStarWithSingleTableIdentifierInCount", "false", "whether count(t.*) leaves out NULL"),
    _make_setting(
        "legacy.allowUdfParameterToShadowParameterlessFunction",
        "false",
        "whether current_date in a function of SQL may be its parameter",
        since="4.2",
    ),
    _make_setting(
        "functionResolution.sessionOrder", "second", "whether a temporary function hides a built-in", since="4.2"
    ),
    _make_setting("path.enabled", "false", "in which schemas an unqualified function is looked up", since="4.2"),
    _make_setting(
        "legacy.persistentCatalogFirst", "false", "whether builtin.f and session.f mean system functions", since="4.2"
    ),
    # The types of results.
    _make_setting("timestampType", "TIMESTAMP_LTZ", "whether TIMESTAMP has the session time zone"),
    _make_setting(
        "timestampNanosTypes.enabled",
        "false",
        "whether a timestamp literal may be finer than microseconds",
        since="4.3",
    ),
    _make_setting("decimalOperations.allowPrecisionLoss", "true", "precision and scale of decimal arithmetic"),
    _make_setting("legacy.allowNegativeScaleOfDecimal", "false", "precision and scale of large decimal literals"),
    _make_setting("legacy.literal.pickMinimumPrecision", "true", "precision of integers in decimal arithmetic"),
    _make_setting(
        "legacy.decimal.retainFractionDigitsOnTruncate", "false", "the common type of two decimals", since="4.0"
    ),
    _make_setting(
        "preserveCharVarcharTypeInfo", "false", "whether a cast to CHAR or VARCHAR gives STRING", since="4.0"
    ),
    _make_setting("legacy.charVarcharAsString", "false", "whether a column of CHAR or VARCHAR keeps its length"),
    _make_setting("charAsVarchar", "false", "whether a new column of CHAR is one of VARCHAR"),
    _make_setting("collation.schemaLevel.enabled", "false", "the collation of strings in a stored view", since="4.2"),
    _make_setting("function.concatBinaryAsString", "false", "whether binary || binary is a string"),
    _make_setting("function.eltOutputAsString", "false", "whether elt of binaries is a string"),
    _make_setting("legacy.lpadRpadAlwaysReturnString", "false", "whether lpad and rpad of binaries are strings"),
    _make_setting("legacy.createEmptyCollectionUsingStringType", "false", "the element type of array() and map()"),
    _make_setting("legacy.inSubqueryNullability", "false", "whether IN over a subquery can be NULL"),
    _make_setting("legacy.integerGroupingId", "false", "whether grouping_id() is INT or BIGINT"),
    _make_setting("legacy.histogramNumericPropagateInputType", "true", "the result type of histogram_numeric"),
    # The values of results.
    _make_setting("legacy.castComplexTypesToString.enabled", "false", "how arrays, maps and rows are cast to strings"),
    _make_setting(
        "legacy.timeParserPolicy", "CORRECTED", "how date and time patterns are read", old_default="EXCEPTION"
    ),
    _make_setting("legacy.statisticalAggregate", "false", "whether the deviation of one value is NULL or NaN"),
    _make_setting("legacy.percentileDiscCalculation", "false", "the value of percentile_disc"),
    _make_setting("readSideCharPadding", "true", "whether values of CHAR are as long as their type says"),
    _make_setting("icu.caseMappings.enabled", "true", "the values of upper, lower and initcap", since="4.0"),
    _make_setting("mapZipWithUsesJavaCollections", "true", "whether NaN is one key in map_zip_with", since="4.1"),
    _make_setting(
        "optimizer.insertMapSortInDistinctAggregates.enabled",
        "true",
        "which maps COUNT(DISTINCT m) counts",
        since="4.3",
    ),
    _make_setting("legacy.collationAwareHashFunctions", "false", "the hash of a string with a collation", since="4.2"),
    _make_setting("jsonGenerator.ignoreNullFields", "true", "whether to_json leaves out NULL"),
    _make_setting("json.enablePartialResults", "true", "whether from_json gives the fields of a partly wrong object"),
    _make_setting("legacy.json.allowEmptyString.enabled", "false", "whether '' is a number in from_json"),
    RequiredSetting(
        "spark.sql.legacy.json.enableDateTimeParsingFallback",
        "false",
        "whether from_json reads times of another pattern",
        default=None,
    ),
    RequiredSetting(
        "spark.sql.legacy.csv.enableDateTimeParsingFallback",
        "false",
        "whether from_csv reads times of another pattern",
        default=None,
    ),
    _make_setting("columnNameOfCorruptRecord", "_corrupt_record", "which column has the text that cannot be parsed"),
    _make_setting(
        "analyzer.lowerEmptyGroupingSetToGlobalAggregate.enabled",
        "true",
        "whether GROUPING SETS (()) over no rows gives a row",
        since="4.2",
    ),
    _make_setting("legacy.groupingIdWithAppendedUserGroupBy", "false", "the value of grouping_id()"),
    _make_setting("legacy.followThreeValuedLogicInArrayExists", "true", "whether exists() over an array can be NULL"),
    _make_setting(
        "legacy.disableMapKeyNormalization", "false", "whether 0.0 and -0.0 are one key of a map", since="4.0"
    ),
    _make_setting("legacy.negativeIndexInArrayInsert", "false", "where array_insert puts a negative position"),
    _make_setting(
        "legacy.truncateForEmptyRegexSplit", "false", "the last element of split() by an empty pattern", since="4.1"
    ),
    _make_setting(
        "legacy.duplicateBetweenInput", "false", "whether BETWEEN evaluates its first operand twice", since="4.0"
    ),
    _make_setting(
        "legacy.scalarSubqueryCountBugBehavior", "false", "the COUNT in a correlated scalar subquery", since="4.0"
    ),
    _make_setting(
        "optimizer.decorrelateExistsSubqueryLegacyIncorrectCountHandling.enabled",
        "false",
        "the COUNT in a correlated EXISTS or IN",
        since="4.0",
    ),
    _make_setting(
        "optimizer.decorrelateSubqueryLegacyIncorrectCountHandling.enabled",
        "false",
        "the COUNT in a correlated subquery with GROUP BY",
    ),
    _make_setting(
        "optimizer.decorrelateSubqueryPreventConstantHoldingForCountBug.enabled",
        "true",
        "whether COUNT(1) IS NULL in a correlated subquery can be NULL",
        since="4.0",
    ),
    _make_setting(
        "optimizer.decorrelateLimitOffsetLegacyIncorrectOrderHandling.enabled",
        "false",
        "whether LIMIT in a correlated subquery respects its ORDER BY",
        since="4.3",
    ),
    _make_setting(
        "optimizer.decorrelateUnionOrSetOpUnderLimit.enabled",
        "true",
        "the rows of a UNION with LIMIT in a correlated subquery",
        since="4.0",
    ),
    _make_setting(
        "legacy.scalarSubqueryAllowGroupByNonEqualityCorrelatedPredicate",
        "false",
        "whether wrong correlated subqueries are accepted",
        since="4.0",
    ),
    RequiredSetting(
        "spark.sql.legacy.nullInEmptyListBehavior",
        "false",
        "whether NULL IN an empty list is FALSE",
        default=None,
        old_default="true",
    ),
    _make_setting("chunkBase64String.enabled", "true", "whether base64 breaks its result into lines"),
    _make_setting("crossJoin.enabled", "true", "whether a join may lack a condition of equality"),
    # What is written, and what is stored.
    _make_setting("storeAssignmentPolicy", "ANSI", "which types INSERT casts, and whether it overflows silently"),
    _make_setting("legacy.inlineCTEInCommands", "false", "whether INSERT evaluates a query of WITH once", since="4.0"),
    _make_setting(
        "legacy.readFileSourceTableCacheIgnoreOptions",
        "false",
        "whether a table is read with its new options",
        since="4.0",
    ),
    _make_setting("legacy.useCurrentConfigsForView", "false", "whether a view keeps the settings it was made with"),
    _make_setting("legacy.storeAnalyzedPlanForView", "false", "whether a temporary view keeps its text"),
    _make_setting("legacy.keepCommandOutputSchema", "false", "the columns that SHOW TABLES and its like return"),
)
"""Every setting that must have one value, with the reason.

The list omits settings whose every value is supported: the session time zone (recorded, see
``SessionSettings.time_zone``), ``spark.sql.variable.substitute`` (recorded; while it is on, texts with ``${`` cannot be
written), the catalogs and the current database, and everything that changes only speed, files, logging or the DataFrame
API. Settings that only turn an error of a function into a result (``mapKeyDedupPolicy``) are the user's choice, and so
are settings by which Spark rejects a query with an error of its own. Settings without effect in ANSI mode
(``legacy.sizeOfNull``) are omitted, because ANSI mode is required. The tests list every setting that Spark defines,
with the decision about it.
"""
