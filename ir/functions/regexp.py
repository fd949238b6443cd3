"""Functions of regular expressions in Java's syntax.

Source: ``regexpExpressions.scala`` of Spark 4.3.
"""

from __future__ import annotations

from typing import Any

from ir import types as t
from ir.dialects.syntax import predicate
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builder import as_method, scalar
from ir.functions.comparison import RLIKE
from ir.functions.definition import CollationRules, Construct, Shown
from ir.inference.arguments import INTEGER, TEXT, TEXT_LITERAL, Constant, literal_where, matchable_string, pattern
from ir.inference.inputs import positional
from ir.inference.results import CollatedAs, maybe_null, nullable_if_arguments, text_if_arguments
from ir.literals import literal
from ir.similar_patterns import java_pattern

_NUMBER = nullable_if_arguments(t.INT)


def _is_place(value: Any) -> bool:
    try:
        return value is None or int(value) > 0
    except ValueError:
        return False


def _build_rlike(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    """Return the equivalent RLIKE call, which both dialects have."""
    value, *constants = arguments
    pattern, *escape = [c.value for c in constants if isinstance(c, ValueLiteral)]
    return call(RLIKE, (value, literal(java_pattern(pattern, *escape))))


SIMILAR = scalar(
    "similar",
    positional(
        matchable_string(),
        TEXT_LITERAL,
        literal_where(TEXT, lambda value: value is not None and len(value) == 1, "literal of one character"),
        optional=1,
        names="value pattern escape",
    ),
    nullable_if_arguments(t.BOOLEAN),
    sql="SIMILAR TO",
    difference="The pattern must be a constant.",
    syntax=predicate("{0} SIMILAR TO {1}[ ESCAPE {2}]"),
    fluent=as_method("similar", "pattern"),
    canonical=_build_rlike,
    in_spark=False,
    doc="Whether value matches a SQL pattern, in which % is any string, _ any character and a|b either of two.",
    example=("'abc' SIMILAR TO 'a(b|x)%'", "TRUE"),
)
REGEXP_COUNT = scalar(
    "REGEXP_COUNT",
    positional(matchable_string(), pattern(), names="text pattern"),
    _NUMBER,
    sql="REGEXP_COUNT",
    fluent=as_method("regexp_count", "regex"),
    doc="The number of matches of the regular expression pattern in text.",
    example=("REGEXP_COUNT('Steven Jones and Stephen Smith', 'Ste(v|ph)en')", "2"),
)
REGEXP_EXTRACT = scalar(
    "regexpExtract",
    positional(matchable_string(), pattern(), INTEGER, optional=1, names="text pattern group"),
    text_if_arguments(),
    sql="REGEXP_EXTRACT",
    fluent=as_method("regexp_extract", "regex extract_index?"),
    in_flink=False,
    difference="Flink returns the whole match if no group is given, and NULL if there is no match.",
    doc="The substring that a group of the regular expression pattern, by default the first, captures in the first "
    "match in text; empty if there is no match.",
    example=("REGEXP_EXTRACT('100-200', '([0-9]+)-([0-9]+)', 2)", "'200'"),
    shown=Shown(defaults=(None, None, "1")),
)
REGEXP_EXTRACT_ALL = scalar(
    "REGEXP_EXTRACT_ALL",
    positional(matchable_string(), pattern(), INTEGER, optional=1, names="text pattern group"),
    text_if_arguments(shape=t.ArrayType(t.STRING)),
    sql="REGEXP_EXTRACT_ALL",
    difference="A group that takes no part in a match is NULL in Flink, and an empty string in Spark.",
    fluent=as_method("regexp_extract_all", "regex extract_index?"),
    doc="An array of the substrings that a group of the regular expression pattern, by default the first, captures in "
    "each match in text.",
    example=("REGEXP_EXTRACT_ALL('100-200, 300-400', '([0-9]+)-([0-9]+)', 1)", "['100', '300']"),
    shown=Shown(defaults=(None, None, "1")),
)
REGEXP_INSTR = scalar(
    "REGEXP_INSTR",
    positional(matchable_string(), pattern(), INTEGER, optional=1, names="text pattern group"),
    _NUMBER,
    sql="REGEXP_INSTR",
    fluent=as_method("regexp_instr", "regex"),
    doc="The position, from 1, of the first match of the regular expression pattern in text; 0 if there is none.",
    example=("REGEXP_INSTR('abc 123', '[0-9]+')", "5"),
    shown=Shown(defaults=(None, None, "0")),
)
REGEXP_REPLACE = scalar(
    "regexpReplace",
    positional(
        matchable_string(),
        pattern(),
        matchable_string(),
        Constant(INTEGER, _is_place, "constant that is positive"),
        optional=1,
        names="text pattern replacement start",
    ),
    text_if_arguments(),
    sql="REGEXP_REPLACE",
    difference="In Flink's replacement, $1 stands for itself instead of a group.",
    fluent=as_method("regexp_replace", "regex replacement"),
    doc="The text with each match of the regular expression pattern from position start on replaced; $1 in replacement "
    "stands for the first group.",
    example=("REGEXP_REPLACE('100-200', '([0-9]+)', '<$1>')", "'<100>-<200>'"),
    collating=CollationRules(are_texts=True),
    shown=Shown(defaults=(None, None, None, "1")),
)
REGEXP_SUBSTR = scalar(
    "REGEXP_SUBSTR",
    positional(matchable_string(), pattern(), names="text pattern"),
    CollatedAs(0, maybe_null(t.STRING)),
    sql="REGEXP_SUBSTR",
    in_flink=False,
    difference="An empty match is an empty string in Flink, and NULL in Spark.",
    fluent=as_method("regexp_substr", "regex"),
    doc="The first match of the regular expression pattern in text; NULL if there is none.",
    example=("REGEXP_SUBSTR('Steven Jones', 'Ste(v|ph)en')", "'Steven'"),
)
