"""How Flink's SQL is read.

Sources: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/sql/overview/ and, for what Flink leaves to
Calcite, https://calcite.apache.org/docs/reference.html.
"""

from __future__ import annotations

from grammar.builder.recognition import Recognition
from grammar.flink.literals import TYPED, build_number, unquote
from grammar.language import Calls, Clauses, Form, FromClause, Intervals, Language, Literals, Names, Refusal, Types
from grammar.parser import Words
from grammar.spark import SPARK
from grammar.type_names import COMMON, fixed_type, timestamp_type
from ir import types as t
from ir.casts import least_common_type
from ir.dialects.operators import BINDING
from ir.functions.collection import AT
from ir.identifiers import fold
from ir.rendering import Dialect

_IN_SPARK = " If the text is in SPARK, pass dialect='SPARK'."


def _bytes(length: int = 1) -> t.LogicalType:
    return t.BYTES


_TYPES = {
    **COMMON,
    "BYTES": fixed_type(t.BYTES),
    "BINARY": _bytes,
    "VARBINARY": _bytes,
    "TIME": lambda precision=0: t.TimeType(precision),
    "TIMESTAMP": timestamp_type(t.TIMESTAMP),
}

_REFUSED = {
    Form.ENFORCED_KEY: Refusal("A primary key is written with NOT ENFORCED: nothing here checks that keys are unique."),
    Form.LAMBDA: Refusal("Flink's SQL has no lambdas." + _IN_SPARK),
    Form.COLLATION: Refusal("Flink has no collations." + _IN_SPARK),
    Form.COLLATED_TYPE: Refusal("Flink has no collations."),
    Form.VARIANT_PATH: Refusal("A path into a VARIANT after a colon is of SPARK." + _IN_SPARK),
    Form.SEVERAL_PATTERNS: Refusal(
        "Flink's SQL has no {comparison}; write a {operator} for each pattern, with AND or OR between them."
    ),
    Form.JSON_TABLE: Refusal("JSON_TABLE is of SPARK; Flink has no such function." + _IN_SPARK),
    Form.NUMBER_SUFFIX: Refusal("FLINK has no suffix {suffix} of numbers; write CAST({number} AS {type})." + _IN_SPARK),
    Form.CALENDAR_INTERVAL: Refusal("Flink's intervals have fields: INTERVAL DAY TO SECOND(3) for instance."),
    Form.TABLE_OPTIONS: Refusal(
        "WITH (…) after a table is of SPARK; Flink gives a table options in a hint, which cannot be read here."
    ),
    Form.WATERMARK: Refusal(
        "WATERMARK in a query belongs to SPARK; in FLINK, CREATE TABLE declares it: WATERMARK FOR ts AS …."
    ),
    Form.STREAM: Refusal(
        "STREAM before a table is of SPARK; in FLINK, the declaration of a table says whether its rows end, and a "
        "query names the table alone."
    ),
    Form.TRANSFORM: Refusal("FLINK has no rows that a program computes." + _IN_SPARK),
}


def _recognition() -> Recognition:
    # A text of a type alone needs none of it.
    from grammar.flink.recognition import RECOGNITION

    return RECOGNITION


FLINK = Language(
    dialect=Dialect.FLINK,
    elsewhere=_IN_SPARK,
    words=Words("FLINK_STRING"),
    # Spark's names of types that Flink has under another one.
    types=Types(
        names=_TYPES,
        without_time_zone="TIMESTAMP",
        of_other_databases={"TIMESTAMP_NTZ": "TIMESTAMP", "LONG": "BIGINT", "SHORT": "SMALLINT", "BYTE": "TINYINT"},
    ),
    literals=Literals(
        unquote=unquote,
        has_backslashes=False,
        build_number=build_number,
        typed=TYPED,
        intervals=Intervals(truncates_seconds=False, with_fraction=frozenset(["SECOND", "MILLISECOND", "MICROSECOND"])),
        # Flink has no such literals, so that they mean what they mean in Spark.
        intervals_in_words=SPARK.literals.intervals_in_words,
    ),
    operators=BINDING[Dialect.FLINK],
    names=Names(bare_names=lambda function: (fold(function.sql_name),)),
    calls=Calls(element=AT, are_keywords=True, bracket_constructors=True),
    from_clause=FromClause(
        joins_all_before=False,
        unnest_pairs=False,
        ordinality="ORDINALITY",
        ordinality_type=t.INT,
        common_type=least_common_type,
        limits_lateral_conditions=False,
        joins_versions=True,
    ),
    clauses=Clauses(offset_first=True),
    refused=_REFUSED,
    refused_operation=Refusal("Only SPARK has {clause}. {replacement}"),
    recognition=_recognition,
)
"""How Flink's SQL is read."""
