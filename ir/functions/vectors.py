"""Functions of vectors (arrays of FLOAT)."""

from __future__ import annotations

from ir import types as t
from ir.expressions import ResolvedExpression
from ir.functions.builder import scalar
from ir.functions.definition import Shown
from ir.inference.arguments import ANY, Family, Where
from ir.inference.inputs import positional
from ir.inference.results import maybe_null


def _is_vector(argument: ResolvedExpression) -> bool:
    return isinstance(argument.data_type, t.ArrayType) and isinstance(argument.data_type.element, t.FloatType)


# No other type is cast to it.
VECTOR = Where(ANY, _is_vector, "ARRAY of FLOAT")
_DEGREE = Family("FLOAT", (t.FloatType,), ())
_TWO = positional(VECTOR, VECTOR, names="left right")
_WITH_DEGREE = positional(VECTOR, _DEGREE, optional=1, names="vector degree")

VECTOR_COSINE_SIMILARITY = scalar(
    "vector_cosine_similarity",
    _TWO,
    maybe_null(t.FLOAT),
    sql="VECTOR_COSINE_SIMILARITY",
    in_flink=False,
    doc="The cosine of the angle between two vectors; NULL if one of them is a zero vector.",
    example=(
        "VECTOR_COSINE_SIMILARITY(CAST(ARRAY(1, 0) AS ARRAY<FLOAT>), CAST(ARRAY(2, 0) AS ARRAY<FLOAT>))",
        "1.0",
    ),
)
VECTOR_INNER_PRODUCT = scalar(
    "vector_inner_product",
    _TWO,
    maybe_null(t.FLOAT),
    sql="VECTOR_INNER_PRODUCT",
    in_flink=False,
    doc="The inner product of two vectors.",
    example=("VECTOR_INNER_PRODUCT(CAST(ARRAY(1, 2) AS ARRAY<FLOAT>), CAST(ARRAY(3, 4) AS ARRAY<FLOAT>))", "11.0"),
)
VECTOR_L2_DISTANCE = scalar(
    "vector_l2_distance",
    _TWO,
    maybe_null(t.FLOAT),
    sql="VECTOR_L2_DISTANCE",
    in_flink=False,
    doc="The Euclidean distance between two vectors.",
    example=("VECTOR_L2_DISTANCE(CAST(ARRAY(0, 3) AS ARRAY<FLOAT>), CAST(ARRAY(4, 0) AS ARRAY<FLOAT>))", "5.0"),
)
VECTOR_NORM = scalar(
    "vector_norm",
    _WITH_DEGREE,
    maybe_null(t.FLOAT),
    sql="VECTOR_NORM",
    in_flink=False,
    doc="The norm of vector of the given degree: 1, infinity or, by default, 2.",
    example=("VECTOR_NORM(CAST(ARRAY(3, 4) AS ARRAY<FLOAT>))", "5.0"),
    shown=Shown(defaults=(None, "2.0")),
)
VECTOR_NORMALIZE = scalar(
    "vector_normalize",
    _WITH_DEGREE,
    maybe_null(t.ArrayType(t.FLOAT)),
    sql="VECTOR_NORMALIZE",
    in_flink=False,
    doc="The vector divided by its norm of the given degree: 1, infinity or, by default, 2.",
    example=("VECTOR_NORMALIZE(CAST(ARRAY(0, 4) AS ARRAY<FLOAT>))", "[0.0, 1.0]"),
    shown=Shown(defaults=(None, "2.0")),
)
