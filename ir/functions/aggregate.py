"""Aggregate functions."""

from __future__ import annotations

from ir import types as t
from ir.functions.builder import aggregate, as_method, as_property
from ir.functions.definition import FunctionDefinition
from ir.inference import CallContext
from ir.inference.aggregates import aggregate as infer_aggregate
from ir.inference.arguments import ANY, STRING, Computed, Literal, positional, varying
from ir.inference.results import Always, Computed as ComputedResult, maybe_null
from ir.types import LogicalType


def _of_one(
    name: str, sql: str, spark: str, doc: str, *, distinct: bool = True, deterministic: bool = True, fluent: str = ""
) -> FunctionDefinition:
    """Return an aggregate of one argument whose types are those of Spark's function ``spark``."""

    def inputs(context: CallContext) -> tuple[LogicalType, ...] | None:
        found = infer_aggregate(spark, context)
        return None if found is None else found[0]

    def output(context: CallContext) -> LogicalType | None:
        found = infer_aggregate(spark, CallContext.of(context.name, context.arguments))
        return None if found is None else found[1]

    return aggregate(
        name,
        Computed(1, 1, "ANY" if spark in ("first_value", "last_value", "array_agg") else "NUMERIC", inputs),
        ComputedResult(output),
        sql=sql,
        fluent=as_property(fluent) if fluent else (),
        supports_distinct=distinct,
        deterministic=deterministic,
        doc=doc,
    )


COUNT = aggregate(
    "count",
    varying(ANY),
    Always(t.BIGINT.not_null()),
    sql="COUNT",
    fluent=as_property("count"),
    doc="The number of rows in which no argument is NULL.",
)
SUM = _of_one("sum", "SUM", "sum", "The sum of the values, NULL where there are none.", fluent="sum")
AVG = _of_one("avg", "AVG", "avg", "The mean of the values, NULL where there are none.", fluent="avg")
MIN = _of_one("min", "MIN", "min", "The least value, NULL where there is none.", fluent="min")
MAX = _of_one("max", "MAX", "max", "The greatest value, NULL where there is none.", fluent="max")
STDDEV_POP = _of_one(
    "stddevPop", "STDDEV_POP", "stddev_pop", "The standard deviation of a population.", fluent="stddev_pop"
)
STDDEV_SAMP = _of_one(
    "stddevSamp", "STDDEV_SAMP", "stddev_samp", "The standard deviation of a sample.", fluent="stddev_samp"
)
VAR_POP = _of_one("varPop", "VAR_POP", "var_pop", "The variance of a population.", fluent="var_pop")
VAR_SAMP = _of_one("varSamp", "VAR_SAMP", "var_samp", "The variance of a sample.", fluent="var_samp")
FIRST_VALUE = _of_one(
    "first_value",
    "FIRST_VALUE",
    "first_value",
    "The value of a first row.",
    distinct=False,
    deterministic=False,
    fluent="first_value",
)
LAST_VALUE = _of_one(
    "last_value",
    "LAST_VALUE",
    "last_value",
    "The value of a last row.",
    distinct=False,
    deterministic=False,
    fluent="last_value",
)
ARRAY_AGG = _of_one(
    "ARRAY_AGG",
    "ARRAY_AGG",
    "array_agg",
    "An array of the values that are not NULL, in no particular order.",
    deterministic=False,
    fluent="array_agg",
)
LIST_AGG = aggregate(
    "listAgg",
    positional(STRING, Literal(STRING), optional=1, names="text separator"),
    maybe_null(t.STRING),
    sql="LISTAGG",
    fluent=as_method("list_agg", "separator?"),
    deterministic=False,
    doc="The texts that are not NULL, in no particular order, with a separator between them.",
)


def _not_null_sum(context: CallContext) -> LogicalType | None:
    found = SUM.inference.output.infer(context)
    return None if found is None or isinstance(found, t.IntervalType) else found.not_null()


SUM0 = aggregate(
    "sum0",
    SUM.inference.inputs,
    ComputedResult(_not_null_sum),
    sql="SUM0",
    fluent=as_property("sum0"),
    in_spark=False,
    doc="The sum of the values, 0 where there are none.",
)

