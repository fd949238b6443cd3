"""Non-deterministic functions: random values, and the location of a row.

Uses that Spark rejects are reported when a query is built; see ``ir/determinism.py``.
Source: https://spark.apache.org/docs/latest/api/sql/#rand
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir import types as t
from ir.casts import least_common_type
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builder import as_function, capitals, scalar
from ir.functions.definition import FluentForm, FunctionDefinition, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, Family, Where
from ir.inference.inputs import AnyOf, positional
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import maybe_null, never_null
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts, FamilyFacts


def _is_seed(given: ResolvedExpression) -> bool:
    return isinstance(given, ValueLiteral) and isinstance(given.type_, t.IntType | t.BigIntType | t.NullType)


_SEED = Where(ANY, _is_seed, "INT or BIGINT literal")
_BOUND = Where(
    Family("NUMERIC", (t.NumericType, t.NullType)), lambda given: isinstance(given, ValueLiteral), "NUMERIC literal"
)


def _random(
    name: str, doc: str, example: tuple[str, str], *, fluent: tuple[FluentForm, ...] = (), **facts: Unpack[FamilyFacts]
) -> FunctionDefinition:
    return scalar(
        name,
        positional(_SEED, optional=1, names="seed"),
        never_null(t.DOUBLE),
        sql=name.upper(),
        fluent=fluent,
        is_deterministic=False,
        doc=doc,
        example=example,
        **facts,
    )


RAND = _random(
    "rand",
    "A random number, at least 0 and less than 1.",
    ("RAND() < 1", "TRUE"),
    also=("RANDOM",),
    fluent=as_function("rand", "seed?"),
    difference="For the same seed, Flink returns other numbers, and the seed may be a column.",
    shown=Shown(names={"random": "rand"}),
)
RANDN = _random(
    "randn",
    "A random number from the standard normal distribution.",
    ("RANDN() IS NOT NULL", "TRUE"),
    fluent=as_function("randn", "seed?"),
    in_flink=False,
)


def _bounds_type(context: CallContext) -> LogicalType | None:
    """Return the common type of the bounds; an integer bound takes the type of a fractional one."""
    low, high = (given.as_nullable() for given in context.argument_types[:2])
    if isinstance(low, t.NullType) or isinstance(high, t.NullType):
        return t.DOUBLE.not_null()
    for kind in (t.DoubleType, t.FloatType):
        if isinstance(low, kind) or isinstance(high, kind):
            return kind(nullable=False)
    fractions = [bound for bound in (low, high) if isinstance(bound, t.DecimalType)]
    common = least_common_type(fractions or (low, high))
    return None if common is None else common.not_null()


UNIFORM = scalar(
    "uniform",
    positional(_BOUND, _BOUND, _SEED, optional=1, names="minimum maximum seed"),
    ComputedResult(_bounds_type),
    sql="UNIFORM",
    fluent=as_function("uniform", "minimum maximum seed?"),
    is_deterministic=False,
    in_flink=False,
    doc="A random number between minimum and maximum, of their type.",
    example=("UNIFORM(10, 20) BETWEEN 10 AND 20", "TRUE"),
)
UUID = scalar(
    "uuid",
    positional(_SEED, optional=1, names="seed"),
    never_null(t.STRING),
    sql="UUID",
    fluent=as_function("uuid"),
    is_deterministic=False,
    doc="A random universally unique identifier (UUID), as a string.",
    example=("CHAR_LENGTH(UUID())", "36"),
    shown=Shown(shown_arguments=0),
)


_WHOLE = Family("INT", (t.IntType, t.SmallIntType, t.TinyIntType, t.NullType))
_INT_SEED = Where(
    ANY, lambda given: isinstance(given, ValueLiteral) and isinstance(given.type_, t.IntType), "INT literal"
)
RAND_INTEGER = scalar(
    "randInteger",
    AnyOf((positional(_WHOLE, names="bound"), positional(_INT_SEED, _WHOLE, names="seed bound"))),
    maybe_null(t.INT),
    sql="RAND_INTEGER",
    is_deterministic=False,
    in_spark=False,
    doc="A random integer, at least 0 and less than bound.",
    example=("RAND_INTEGER(10) BETWEEN 0 AND 9", "TRUE"),
    difference="For the same seed, Flink returns other numbers. Flink fails if bound is not positive.",
)


def _define_place_function(
    name: str, data_type: LogicalType, doc: str, example: tuple[str, str], **facts: Unpack[Facts]
) -> FunctionDefinition:
    return scalar(
        name,
        positional(),
        never_null(data_type),
        sql=name.upper(),
        fluent=as_function(name),
        is_deterministic=False,
        in_flink=False,
        doc=doc,
        example=example,
        **facts,
    )


MONOTONICALLY_INCREASING_ID = _define_place_function(
    "monotonically_increasing_id",
    t.BIGINT,
    "A number that is unique to the row and increases from row to row, with gaps.",
    ("MONOTONICALLY_INCREASING_ID()", "0"),
)
SPARK_PARTITION_ID = _define_place_function(
    "spark_partition_id",
    t.INT,
    "The number of the Spark partition that contains the row.",
    ("SPARK_PARTITION_ID()", "0"),
    shown=Shown(names=capitals("SPARK_PARTITION_ID")),
)
INPUT_FILE_NAME = _define_place_function(
    "input_file_name",
    t.STRING,
    "The path of the file that the row was read from; an empty string if it was read from none.",
    ("INPUT_FILE_NAME()", "''"),
)
INPUT_FILE_BLOCK_START = _define_place_function(
    "input_file_block_start",
    t.BIGINT,
    "The offset in bytes of the file block that the row was read from; -1 if it was read from none.",
    ("INPUT_FILE_BLOCK_START()", "-1"),
)
INPUT_FILE_BLOCK_LENGTH = _define_place_function(
    "input_file_block_length",
    t.BIGINT,
    "The length in bytes of the file block that the row was read from; -1 if it was read from none.",
    ("INPUT_FILE_BLOCK_LENGTH()", "-1"),
)
