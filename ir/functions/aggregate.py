"""Aggregate functions."""

from __future__ import annotations

from ir import types as t
from ir.functions.builder import aggregate, as_function, as_method, as_property
from ir.functions.definition import FluentForm, FunctionDefinition
from ir.inference import CallContext
from ir.inference.aggregates import aggregate as infer_aggregate
from ir.inference.arguments import ANY, CHARACTER_OR_BYTES, Computed, Literal, positional, varying
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import never_null
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.types import LogicalType


def _spark_aggregate(
    name: str,
    what: str,
    doc: str,
    example: tuple[str, str],
    *,
    sql: str | None = None,
    counts: tuple[int, int | None] = (1, 1),
    arguments: tuple[ArgumentTypeStrategy, ...] = (),
    forms: tuple[str, ...] = (),
    fluent: tuple[FluentForm, ...] | None = None,
    distinct: bool = True,
    ignore_nulls: bool = False,
    deterministic: bool = True,
) -> FunctionDefinition:
    """Return an aggregate whose types are those of Spark's function of the same name in SQL."""
    sql = sql or name.upper()
    spark = sql.lower()

    def inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
        found = infer_aggregate(spark, context)
        return None if found is None else found[0]

    def output(context: CallContext) -> LogicalType | None:
        found = infer_aggregate(spark, context)
        return None if found is None else found[1]

    return aggregate(
        name,
        Computed(*counts, what, inputs, forms, arguments),
        ComputedResult(output),
        sql=sql,
        fluent=as_property(spark) if fluent is None else fluent,
        supports_distinct=distinct,
        supports_ignore_nulls=ignore_nulls,
        deterministic=deterministic,
        doc=doc,
        example=example,
    )


_SUMMABLE = "NUMERIC or INTERVAL"

COUNT = _spark_aggregate(
    "count",
    "ANY",
    "The number of rows in which no argument is NULL.",
    ("COUNT(x) FROM VALUES (1), (NULL), (3) AS t(x)", "2"),
    counts=(1, None),
)
SUM = _spark_aggregate(
    "sum",
    _SUMMABLE,
    "The sum of the values, NULL where there are none.",
    ("SUM(x) FROM VALUES (1), (NULL), (3) AS t(x)", "4"),
)
AVG = _spark_aggregate(
    "avg",
    _SUMMABLE,
    "The mean of the values, NULL where there are none.",
    ("AVG(x) FROM VALUES (1), (NULL), (3) AS t(x)", "2.0"),
)
MIN = _spark_aggregate(
    "min",
    "COMPARABLE",
    "The least value, NULL where there is none.",
    ("MIN(x) FROM VALUES ('b'), (NULL), ('a') AS t(x)", "'a'"),
)
MAX = _spark_aggregate(
    "max",
    "COMPARABLE",
    "The greatest value, NULL where there is none.",
    ("MAX(x) FROM VALUES ('b'), (NULL), ('a') AS t(x)", "'b'"),
)
STDDEV_POP = _spark_aggregate(
    "stddevPop",
    "NUMERIC",
    "The standard deviation of a population.",
    ("STDDEV_POP(x) FROM VALUES (1), (3) AS t(x)", "1.0"),
    sql="STDDEV_POP",
)
STDDEV_SAMP = _spark_aggregate(
    "stddevSamp",
    "NUMERIC",
    "The standard deviation of a sample, NULL where there are fewer than two values.",
    ("STDDEV_SAMP(x) FROM VALUES (1), (3), (5) AS t(x)", "2.0"),
    sql="STDDEV_SAMP",
)
VAR_POP = _spark_aggregate(
    "varPop",
    "NUMERIC",
    "The variance of a population.",
    ("VAR_POP(x) FROM VALUES (1), (5) AS t(x)", "4.0"),
    sql="VAR_POP",
)
VAR_SAMP = _spark_aggregate(
    "varSamp",
    "NUMERIC",
    "The variance of a sample, NULL where there are fewer than two values.",
    ("VAR_SAMP(x) FROM VALUES (1), (3), (5) AS t(x)", "4.0"),
    sql="VAR_SAMP",
)
FIRST_VALUE = _spark_aggregate(
    "first_value",
    "ANY",
    "The value of the first row, by the order of a window; of some row where there is none.",
    ("FIRST_VALUE(x) FROM VALUES (1) AS t(x)", "1"),
    distinct=False,
    ignore_nulls=True,
    deterministic=False,
)
LAST_VALUE = _spark_aggregate(
    "last_value",
    "ANY",
    "The value of the last row, by the order of a window; of some row where there is none.",
    ("LAST_VALUE(x) FROM VALUES (1) AS t(x)", "1"),
    distinct=False,
    ignore_nulls=True,
    deterministic=False,
)
ARRAY_AGG = _spark_aggregate(
    "ARRAY_AGG",
    "ANY",
    "An array of the values that are not NULL, in no particular order.",
    ("ARRAY_AGG(x) FROM VALUES (1), (NULL), (1) AS t(x)", "[1, 1]"),
    deterministic=False,
)
LIST_AGG = _spark_aggregate(
    "listAgg",
    "STRING",
    "The texts or byte strings that are not NULL, in no particular order, with a separator between them.",
    ("LISTAGG(x, ', ') FROM VALUES ('a'), (NULL), ('a') AS t(x)", "'a, a'"),
    sql="LISTAGG",
    counts=(1, 2),
    arguments=(ANY, Literal(CHARACTER_OR_BYTES)),
    forms=("<STRING>[, <STRING literal>]", "<BYTES>[, <BYTES literal>]"),
    fluent=as_method("list_agg", "separator?"),
    deterministic=False,
)

GROUPING = aggregate(
    "grouping",
    positional(ANY, names="key"),
    never_null(t.TINYINT),
    sql="GROUPING",
    fluent=as_property("grouping"),
    supports_distinct=False,
    doc="1 where a group is not grouped by a key of rollup, cube or grouping_sets, whose value is NULL then, else 0.",
    example=("GROUPING(x) FROM VALUES (7) AS t(x) GROUP BY ROLLUP(x) ORDER BY x LIMIT 1", "1"),
)
GROUPING_ID = aggregate(
    "grouping_id",
    varying(ANY, least=0, names="key"),
    never_null(t.BIGINT),
    sql="GROUPING_ID",
    fluent=as_function("grouping_id"),
    supports_distinct=False,
    doc="A number with a bit for each key, the first key's the highest; it is 1 where the group is not grouped by it.",
    example=("GROUPING_ID(x, y) FROM VALUES (7, 8) AS t(x, y) GROUP BY CUBE(x, y) ORDER BY x, y LIMIT 1", "3"),
)
# What they are asked about is a key of the groups, not a column of the rows.
KEY_FUNCTIONS = (GROUPING, GROUPING_ID)


def _sum_or_zero(context: CallContext) -> LogicalType | None:
    found = SUM.inference.output.infer(context)
    return None if found is None else found.not_null()


SUM0 = aggregate(
    "sum0",
    SUM.inference.inputs,
    ComputedResult(_sum_or_zero),
    sql="SUM0",
    fluent=as_property("sum0"),
    in_spark=False,
    doc="The sum of the values, 0 where there are none.",
    example=("SUM0(x) FROM VALUES (1), (2) AS t(x) WHERE x > 2", "0"),
)
