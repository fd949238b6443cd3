"""Functions that search and compare strings.

Source: ``stringExpressions.scala`` of Spark 4.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir import types as t
from ir.functions.builder import as_method, scalar
from ir.functions.definition import CollationRules, FluentForm, FunctionDefinition, Shown
from ir.inference.arguments import BINARY, INTEGER, STRING, TEXT_OR_NULL, searchable_string
from ir.inference.call_context import CallContext
from ir.inference.inputs import AnyOf, positional
from ir.inference.results import CollatedAs, Computed, maybe_null, nullable_if_arguments
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts

_NUMBER = nullable_if_arguments(t.INT)


def _infer_found(context: CallContext) -> LogicalType:
    """Return BOOLEAN, nullable as the arguments; for bytes, Spark always treats the result as nullable."""
    types = context.argument_types
    return t.BOOLEAN.with_nullability(isinstance(types[0], t.BytesType) or any(given.nullable for given in types))


def _predicate(
    name: str,
    sql: str,
    doc: str,
    example: tuple[str, str],
    fluent: tuple[FluentForm, ...],
    *,
    in_flink: bool = True,
    **facts: Unpack[Facts],
) -> FunctionDefinition:
    return scalar(
        name,
        AnyOf(tuple([positional(kind, kind, names="value part") for kind in (BINARY, searchable_string())])),
        Computed(_infer_found),
        sql=sql,
        fluent=fluent,
        doc=doc,
        example=example,
        in_flink=in_flink,
        **facts,
    )


CONTAINS = _predicate(
    "contains",
    "CONTAINS",
    "Whether part occurs in value.",
    ("CONTAINS('Spark SQL', 'SQL')", "TRUE"),
    as_method("contains", "part"),
    in_flink=False,
    collating=CollationRules(are_texts=True),
)
STARTS_WITH = _predicate(
    "STARTSWITH",
    "STARTSWITH",
    "Whether value begins with part.",
    ("STARTSWITH('Spark SQL', 'Spark')", "TRUE"),
    as_method("starts_with", "start_expr"),
    collating=CollationRules(are_texts=True),
)
ENDS_WITH = _predicate(
    "ENDSWITH",
    "ENDSWITH",
    "Whether value ends with part.",
    ("ENDSWITH('Spark SQL', 'SQL')", "TRUE"),
    as_method("ends_with", "end_expr"),
    collating=CollationRules(are_texts=True),
)
INSTR = scalar(
    "instr",
    positional(
        searchable_string(), searchable_string(), INTEGER, INTEGER, optional=2, names="haystack needle start occurrence"
    ),
    _NUMBER,
    sql="INSTR",
    fluent=as_method("instr", "s start? occurrence?"),
    doc="The position, counted from 1, of an occurrence of needle in haystack, by default the first; 0 if there is "
    "none. The search begins at position start, and goes backward from the end if start is negative.",
    example=("INSTR('SparkSQL', 'SQL')", "6"),
    collating=CollationRules(are_texts=True),
)


def _infer_position(context: CallContext) -> LogicalType:
    """Return INT; a NULL start position does not make the result nullable, because the result is then 0."""
    return t.INT.with_nullability(any(given.nullable for given in context.argument_types[:2]))


LOCATE = scalar(
    "locate",
    positional(searchable_string(), searchable_string(), INTEGER, optional=1, names="needle haystack start"),
    Computed(_infer_position),
    sql="LOCATE",
    difference="A start that is not positive counts as 1 in Flink, and a NULL start gives NULL; Spark returns 0 for "
    "both.",
    fluent=as_method("locate", "s pos?"),
    doc="The position, counted from 1, of the first occurrence of needle in haystack from position start on; 0 if "
    "there is none.",
    example=("LOCATE('bar', 'foobarbar', 5)", "7"),
    collating=CollationRules(are_texts=True),
    shown=Shown(defaults=(None, None, "1")),
)
FIND_IN_SET = scalar(
    "find_in_set",
    positional(STRING, STRING, names="text list"),
    _NUMBER,
    sql="FIND_IN_SET",
    doc="The position of text, counted from 1, in list, whose items are separated by commas; 0 if it is missing.",
    example=("FIND_IN_SET('ab', 'abc,b,ab,c,def')", "3"),
    in_flink=False,
    collating=CollationRules(are_texts=True),
)
LEVENSHTEIN = scalar(
    "levenshtein",
    positional(STRING, STRING, INTEGER, optional=1, names="left right threshold"),
    _NUMBER,
    sql="LEVENSHTEIN",
    doc="The number of characters to insert, delete or substitute to turn left into right; -1 if it exceeds threshold.",
    example=("LEVENSHTEIN('kitten', 'sitting')", "3"),
    in_flink=False,
    collating=CollationRules(are_texts=True, is_indifferent=True),
)
JARO_WINKLER = scalar(
    "jaro_winkler_similarity",
    positional(STRING, STRING, names="left right"),
    maybe_null(t.DOUBLE),
    sql="JARO_WINKLER_SIMILARITY",
    doc="The Jaro-Winkler similarity of two strings, from 0 to 1.",
    example=("JARO_WINKLER_SIMILARITY('ABC', 'XYZ')", "0.0"),
    in_flink=False,
)
SOUNDEX = scalar(
    "soundex",
    positional(TEXT_OR_NULL, names="text"),
    nullable_if_arguments(t.STRING),
    sql="SOUNDEX",
    doc="The Soundex code of text, which represents the sound of an English word.",
    example=("SOUNDEX('Miller')", "'M460'"),
    in_flink=False,
)
LUHN_CHECK = scalar(
    "luhn_check",
    positional(STRING, names="digits"),
    maybe_null(t.BOOLEAN),
    sql="LUHN_CHECK",
    doc="Whether digits, such as a card number, ends with the check digit of the Luhn algorithm.",
    example=("LUHN_CHECK('8112189876')", "TRUE"),
    in_flink=False,
)
SENTENCES = scalar(
    "sentences",
    positional(STRING, STRING, STRING, optional=2, names="text language country"),
    CollatedAs(0, maybe_null(t.ArrayType(t.ArrayType(t.STRING.not_null()).not_null()))),
    sql="SENTENCES",
    doc="The words of each sentence of text, split by the rules of language and country.",
    example=("SENTENCES('Hi there! Good morning.')", "[['Hi', 'there'], ['Good', 'morning']]"),
    in_flink=False,
    shown=Shown(defaults=(None, "", "")),
)
