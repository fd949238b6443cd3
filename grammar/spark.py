"""How Spark's SQL is read.

Sources: https://spark.apache.org/docs/latest/sql-ref.html, and for strings Spark's
``SparkParserUtils.unescapeSQLString``.
"""

from __future__ import annotations

import re
from decimal import Decimal

from grammar.builder.expressions.time_literals import MOMENTS, TYPED
from grammar.builder.recognition import Recognition
from grammar.errors import Misread
from grammar.language import Calls, Clauses, Form, FromClause, Intervals, Language, Literals, Names, Refusal, Types
from grammar.parser import Words
from grammar.type_names import COMMON, OF_OTHER_DATABASES, fixed_type, timestamp_type
from ir import types as t
from ir.casts import least_common_type
from ir.dialects.operators import BINDING, STEPS
from ir.expressions import ValueLiteral
from ir.functions.collection import ITEM
from ir.late_patterns import late_pattern
from ir.literals import literal
from ir.migration_page import Section, see
from ir.rendering import Dialect
from ir.types import LogicalType

_IN_FLINK = f" If the text is in FLINK, pass dialect='FLINK'.{see(Section.SQL)}"
_SYNTAX = "PARSE_SYNTAX_ERROR"


# --- literals --------------------------------------------------------------------------------------------------------

_ESCAPE = late_pattern(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|.)|''|\"\"", re.DOTALL)
_ESCAPED = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}


def unquote(written: str, position: int) -> str:
    """Return the content of a string literal, with its escapes resolved.

    >>> unquote(r"'it\\'s'", 0), unquote(r"r'a\\b'", 0)
    ("it's", 'a\\\\b')

    Raises:
        Misread: an escape denotes no character.
    """
    if written[0] in "rR":
        return written[2:-1]
    quote, inner = written[0], written[1:-1]
    if "\\" not in inner and quote not in inner:
        return inner

    def unescape(match: re.Match[str]) -> str:
        whole = match[0]
        if whole[0] != "\\":
            return quote if whole[0] == quote else whole
        code = match[1]
        if len(code) == 1:
            return _ESCAPED.get(code, code)
        return chr(int(code[1:], 16) if code[0] in "uU" else int(code, 8))

    try:
        return _ESCAPE.sub(unescape, inner)
    except (ValueError, OverflowError):
        raise Misread(position, "The text has an escape \\U that is no character.") from None


def _build_number(text: str) -> ValueLiteral:
    return literal(Decimal(text)) if "." in text else literal(int(text))


_INTERVAL_UNIT = Refusal("SPARK has no {unit} in intervals." + _IN_FLINK, "INVALID_INTERVAL_FORMAT.INVALID_UNIT")
_INTERVALS = Intervals(
    truncates_seconds=True,
    with_fraction=frozenset(["SECOND"]),
    refused=dict.fromkeys(("QUARTER", "NANOSECOND"), _INTERVAL_UNIT),
)

# --- types -----------------------------------------------------------------------------------------------------------

_TYPES = {
    **COMMON,
    "BYTE": fixed_type(t.TINYINT),
    "SHORT": fixed_type(t.SMALLINT),
    "LONG": fixed_type(t.BIGINT),
    "REAL": fixed_type(t.FLOAT),
    "CHARACTER": lambda length=1: t.CharType(length),
    "BINARY": fixed_type(t.BYTES),
    "VOID": fixed_type(t.NULL),
    "GEOMETRY": t.GeometryType,
    "GEOGRAPHY": t.GeographyType,
    "TIME": lambda precision=6: t.TimeType(precision),
    "TIMESTAMP": timestamp_type(t.TIMESTAMP_LTZ),
    "TIMESTAMP_NTZ": timestamp_type(t.TIMESTAMP),
}


def _common_type(types: list[LogicalType]) -> LogicalType | None:
    """Return the common type of values in VALUES, which become no strings, and keep FLOAT beside integers."""
    common = least_common_type(types, promote_strings=False)
    is_small = all(isinstance(kind, (t.IntegralType, t.FloatType, t.NullType)) for kind in types)
    return t.FLOAT if isinstance(common, t.DoubleType) and is_small else common


# --- refused forms ---------------------------------------------------------------------------------------------------

_REFUSED = {
    Form.BETWEEN_SYMMETRIC: Refusal(
        "BETWEEN SYMMETRIC is of FLINK; in SPARK write a BETWEEN b AND c OR a BETWEEN c AND b." + _IN_FLINK, _SYNTAX
    ),
    Form.BETWEEN_ASYMMETRIC: Refusal("BETWEEN ASYMMETRIC is of FLINK." + _IN_FLINK, _SYNTAX),
    Form.ROW_CALL: Refusal(
        "ROW(…) is of FLINK; in SPARK write STRUCT(…), or the values in parentheses." + _IN_FLINK, "UNRESOLVED_ROUTINE"
    ),
    Form.BRACKET_CONSTRUCTOR: Refusal("{name}[…] is of FLINK; in SPARK write {word}(…)." + _IN_FLINK),
    Form.VALUES_AFTER_IN: Refusal(
        "Spark reads VALUES (…) behind IN as the call of a function. Write IN (SELECT * FROM VALUES …), or the values "
        "themselves: IN (1, 2).",
        "UNRESOLVED_ROUTINE",
    ),
    Form.RENAMED_WINDOW: Refusal(
        "The window {name} is another name of {other}; write that instead.",
        "INVALID_SQL_SYNTAX.INVALID_WINDOW_REFERENCE",
    ),
    Form.EXTENDED_WINDOW: Refusal(
        "In SPARK, nothing is added to a window with a name: write the whole window in place of {name}, or OVER {name} "
        "alone." + _IN_FLINK,
        _SYNTAX,
    ),
    Form.TABLE_OF_FUNCTION: Refusal(
        "TABLE({name}(…)) is of FLINK; in SPARK write {name}(…) itself after FROM or LATERAL." + _IN_FLINK,
        "UNRESOLVABLE_TABLE_VALUED_FUNCTION",
    ),
    Form.ORDINALITY_OF_FUNCTION: Refusal(
        "WITH ORDINALITY follows UNNEST (…); POSEXPLODE gives elements with their positions.", _SYNTAX
    ),
    # The rows of a tree are computed for each reference.
    Form.NONDETERMINISTIC_QUERY_AGAIN: Refusal(
        "The query {name} of WITH has other rows each time. Spark computes it once for all that read it, but here it "
        "would be computed for each. Store its rows first: CREATE TABLE {name} AS SELECT …."
    ),
    Form.EMPTY_GROUP_KEY: Refusal(
        "GROUP BY () is of FLINK; in SPARK write GROUP BY GROUPING SETS (()), or aggregates without GROUP BY."
        + _IN_FLINK,
        _SYNTAX,
    ),
    Form.AGGREGATE_IN_QUALIFY: Refusal(
        "QUALIFY takes no aggregate: give it a name in SELECT, and write that.", "UNRESOLVED_COLUMN.WITH_SUGGESTION"
    ),
    Form.WINDOW_IN_KEY: Refusal(
        "{clause} takes no value over a window: give it a name in SELECT, and write that.",
        "UNSUPPORTED_EXPR_FOR_OPERATOR",
    ),
    Form.FETCH: Refusal("FETCH is of FLINK; in SPARK write LIMIT n." + _IN_FLINK, _SYNTAX),
    Form.OFFSET_ROWS: Refusal("OFFSET … ROWS is of FLINK; in SPARK write OFFSET n without ROWS." + _IN_FLINK, _SYNTAX),
}

SPARK = Language(
    dialect=Dialect.SPARK,
    elsewhere=_IN_FLINK,
    words=Words("SPARK_STRING", pipe_steps=STEPS, signed_intervals=True, identifier_clause=True),
    types=Types(
        names=_TYPES,
        without_time_zone="TIMESTAMP_NTZ",
        of_other_databases=OF_OTHER_DATABASES,
        of_a_length=frozenset(["CHAR", "CHARACTER", "VARCHAR"]),
    ),
    literals=Literals(
        unquote=unquote,
        has_backslashes=True,
        build_number=_build_number,
        typed=TYPED,
        moments=MOMENTS,
        intervals=_INTERVALS,
        intervals_in_words=_INTERVALS,
    ),
    operators=BINDING[Dialect.SPARK],
    names=Names(
        bare_names=lambda function: function.emission.bare_names,
        before_columns=True,
        variables=True,
        grouping_id=True,
        in_parentheses=True,
        lateral_aliases=True,
    ),
    calls=Calls(element=ITEM, nulls_inside=frozenset(["FIRST", "LAST", "ANY_VALUE"]), unit_is_alias=True),
    from_clause=FromClause(
        joins_all_before=True,
        unnest_pairs=True,
        ordinality="ordinality",
        ordinality_type=t.BIGINT,
        common_type=_common_type,
        limits_lateral_conditions=True,
    ),
    clauses=Clauses(
        casts_conditions=True,
        table_functions=True,
        limits_groups=True,
        shows_merged_keys=True,
        computed_ordinals=True,
        constant_distances=True,
    ),
    refused=_REFUSED,
    recognition=Recognition,
)
"""How Spark's SQL is read."""
