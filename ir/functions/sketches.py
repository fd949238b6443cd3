"""Sketches of Apache DataSketches: small mergeable summaries of many values, as bytes, which give estimates.

HLL sketches and theta sketches count distinct values; KLL sketches estimate quantiles; tuple sketches count distinct
keys, each with a number. Bitmaps count exactly. Source of the kinds: https://datasketches.apache.org/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ir import types as t
from ir.call_expressions import Call
from ir.casts import implicit_cast
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.aggregate import VALUE
from ir.functions.builder import aggregate, as_property, scalar
from ir.functions.collection import ARRAY
from ir.functions.definition import FunctionDefinition, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, Explicit, Family, Where, literal_where
from ir.inference.inputs import Positional, positional
from ir.inference.results import Computed, NullableIfArguments, never_null, nullable_if_arguments
from ir.inference.type_inference import TypeStrategy
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts


def _aggregate(
    name: str,
    inputs: Positional,
    doc: str,
    example: tuple[str, str],
    returns: LogicalType = t.BYTES,
    **facts: Unpack[Facts],
) -> FunctionDefinition:
    """Define an aggregate that returns a sketch, which is empty if there are no values."""
    return aggregate(
        name, inputs, never_null(returns), sql=name.upper(), in_flink=False, doc=doc, example=example, **facts
    )


def _scalar(
    name: str,
    inputs: Positional,
    returns: LogicalType | TypeStrategy,
    doc: str,
    example: tuple[str, str],
    **facts: Unpack[Facts],
) -> FunctionDefinition:
    """Define a function of sketches that is NULL if an argument is NULL."""
    output = nullable_if_arguments(returns) if isinstance(returns, LogicalType) else NullableIfArguments(returns)
    return scalar(name, inputs, output, sql=name.upper(), in_flink=False, doc=doc, example=example, **facts)


# No other type is cast to them.
SKETCH = Family("BYTES", (t.BytesType, t.NullType))
_SIZE = Family("INT", (t.IntType, t.NullType))
_BYTES = Explicit(t.BYTES)
_TRUTH = Family("BOOLEAN", (t.BooleanType, t.NullType))
_ROWS = "FROM VALUES (1), (1), (2) AS t(x)"


def _sketches(function: str) -> str:
    """Return the FROM clause of an example over the sketches of two groups."""
    return f"FROM (SELECT {function}(x) AS s FROM VALUES (1, 'a'), (2, 'a'), (2, 'b') AS t(x, k) GROUP BY k)"


# --- bitmaps ---------------------------------------------------------------------------------------------------------

_BITS = Explicit(t.BIGINT)
_BITMAP = Family("BYTES", (t.BytesType,))

BITMAP_CONSTRUCT_AGG = _aggregate(
    "bitmap_construct_agg",
    positional(_BITS, names="position"),
    "A bitmap in which the bits at the given positions are set.",
    ("BITMAP_COUNT(BITMAP_CONSTRUCT_AGG(BITMAP_BIT_POSITION(x))) " + _ROWS, "2"),
)
BITMAP_AND_AGG = aggregate(
    "bitmap_and_agg",
    positional(_BITMAP, names="bitmap"),
    never_null(t.BYTES),
    sql="BITMAP_AND_AGG",
    fluent=as_property("bitmap_and_agg"),
    in_flink=False,
    difference="Flink's bitmap has the type BITMAP, which holds any INT; Spark's bitmap is BYTES.",
    doc="The bitwise AND of the bitmaps.",
    example=("BITMAP_COUNT(BITMAP_AND_AGG(x)) FROM VALUES (X'F0'), (X'70') AS t(x)", "3"),
)
BITMAP_OR_AGG = aggregate(
    "bitmap_or_agg",
    positional(_BITMAP, names="bitmap"),
    never_null(t.BYTES),
    sql="BITMAP_OR_AGG",
    fluent=as_property("bitmap_or_agg"),
    in_flink=False,
    difference="Flink's bitmap has the type BITMAP, which holds any INT; Spark's bitmap is BYTES.",
    doc="The bitwise OR of the bitmaps.",
    example=("BITMAP_COUNT(BITMAP_OR_AGG(x)) FROM VALUES (X'F0'), (X'01') AS t(x)", "5"),
)

# --- HLL: counts of distinct values ----------------------------------------------------------------------------------

HLL_SKETCH_AGG = _aggregate(
    "hll_sketch_agg",
    positional(
        Family("INT, BIGINT, STRING or BYTES", (t.IntType, t.BigIntType, t.CharacterType, t.BytesType, t.NullType)),
        _SIZE,
        optional=1,
        names="value lg_size",
    ),
    "An HLL sketch of the values; lg_size, 12 by default, is the binary logarithm of its size.",
    ("HLL_SKETCH_ESTIMATE(HLL_SKETCH_AGG(x)) " + _ROWS, "2"),
    shown=Shown(defaults=(None, "12")),
)
HLL_UNION_AGG = _aggregate(
    "hll_union_agg",
    positional(SKETCH, _TRUTH, optional=1, names="sketch allow_different_sizes"),
    "The HLL sketch of all values in the HLL sketches.",
    ("HLL_SKETCH_ESTIMATE(HLL_UNION_AGG(s)) " + _sketches("HLL_SKETCH_AGG"), "2"),
    shown=Shown(defaults=(None, "false")),
)
HLL_UNION = _scalar(
    "hll_union",
    positional(SKETCH, SKETCH, _TRUTH, optional=1, names="first second allow_different_sizes"),
    t.BYTES,
    "The HLL sketch of all values in two HLL sketches.",
    ("HLL_SKETCH_ESTIMATE(HLL_UNION(HLL_SKETCH_AGG(x), HLL_SKETCH_AGG(x))) " + _ROWS, "2"),
    shown=Shown(defaults=(None, None, "false")),
)
HLL_SKETCH_ESTIMATE = _scalar(
    "hll_sketch_estimate",
    positional(SKETCH, names="sketch"),
    t.BIGINT,
    "An estimate of the number of distinct values in an HLL sketch.",
    ("HLL_SKETCH_ESTIMATE(HLL_SKETCH_AGG(x)) " + _ROWS, "2"),
)

# --- theta: counts of distinct values, with set operations -----------------------------------------------------------


class _Counted:
    """A value that a theta sketch can count."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = VALUE.infer_argument(context, position)
        if isinstance(given, t.ArrayType):
            return given if isinstance(given.element, (t.IntType, t.BigIntType)) else None
        return given if isinstance(given, _COUNTED) else None

    def describe(self) -> str:
        return "<INT, BIGINT, FLOAT, DOUBLE, STRING, BYTES or ARRAY of INT or BIGINT>"


_COUNTED = (t.IntType, t.BigIntType, t.FloatType, t.DoubleType, t.CharacterType, t.BytesType, t.NullType)

THETA_SKETCH_AGG = _aggregate(
    "theta_sketch_agg",
    positional(_Counted(), _SIZE, optional=1, names="value lg_size"),
    "A theta sketch of the values; lg_size, 12 by default, is the binary logarithm of its size.",
    ("THETA_SKETCH_ESTIMATE(THETA_SKETCH_AGG(x)) " + _ROWS, "2"),
    shown=Shown(defaults=(None, "12")),
)
THETA_UNION_AGG = _aggregate(
    "theta_union_agg",
    positional(SKETCH, _SIZE, optional=1, names="sketch lg_size"),
    "The theta sketch of the values in any of the theta sketches.",
    ("THETA_SKETCH_ESTIMATE(THETA_UNION_AGG(s)) " + _sketches("THETA_SKETCH_AGG"), "2"),
    shown=Shown(defaults=(None, "12")),
)
THETA_INTERSECTION_AGG = _aggregate(
    "theta_intersection_agg",
    positional(SKETCH, names="sketch"),
    "The theta sketch of the values in all of the theta sketches.",
    ("THETA_SKETCH_ESTIMATE(THETA_INTERSECTION_AGG(s)) " + _sketches("THETA_SKETCH_AGG"), "1"),
)
_THETA_TWICE = "(THETA_SKETCH_AGG(x), THETA_SKETCH_AGG(x))) "
THETA_UNION = _scalar(
    "theta_union",
    positional(SKETCH, SKETCH, _SIZE, optional=1, names="first second lg_size"),
    t.BYTES,
    "The theta sketch of the values in either of two theta sketches.",
    ("THETA_SKETCH_ESTIMATE(THETA_UNION" + _THETA_TWICE + _ROWS, "2"),
    shown=Shown(defaults=(None, None, "12")),
)
THETA_INTERSECTION = _scalar(
    "theta_intersection",
    positional(SKETCH, SKETCH, names="first second"),
    t.BYTES,
    "The theta sketch of the values in both of two theta sketches.",
    ("THETA_SKETCH_ESTIMATE(THETA_INTERSECTION" + _THETA_TWICE + _ROWS, "2"),
)
THETA_DIFFERENCE = _scalar(
    "theta_difference",
    positional(SKETCH, SKETCH, names="first second"),
    t.BYTES,
    "The theta sketch of the values in first that are not in second.",
    ("THETA_SKETCH_ESTIMATE(THETA_DIFFERENCE" + _THETA_TWICE + _ROWS, "0"),
)
THETA_SKETCH_ESTIMATE = _scalar(
    "theta_sketch_estimate",
    positional(SKETCH, names="sketch"),
    t.BIGINT,
    "An estimate of the number of distinct values in a theta sketch.",
    ("THETA_SKETCH_ESTIMATE(THETA_SKETCH_AGG(x)) " + _ROWS, "2"),
)

# --- KLL: quantiles --------------------------------------------------------------------------------------------------


class _Kind(NamedTuple):
    """A numeric kind of KLL sketch: its name, its type, the accepted types, and the rows of an example."""

    name: str
    data_type: LogicalType
    values: tuple[type[LogicalType], ...]
    rows: str


_BIGINT_KIND = _Kind("bigint", t.BIGINT, (t.IntegralType, t.NullType), "(1L), (2L), (3L)")
_FLOAT_KIND = _Kind("float", t.FLOAT, (t.FloatType, t.NullType), "(1.0F), (2.0F), (3.0F)")
_DOUBLE_KIND = _Kind("double", t.DOUBLE, (t.FloatType, t.DoubleType, t.NullType), "(1.0D), (2.0D), (3.0D)")
_KINDS = (_BIGINT_KIND, _FLOAT_KIND, _DOUBLE_KIND)
_LEAST_SIZE, _MOST_SIZE = 8, 65535
_KLL_SIZE = literal_where(
    Family("INT", (t.IntType,)),
    lambda value: isinstance(value, int) and _LEAST_SIZE <= value <= _MOST_SIZE,
    f"INT literal from {_LEAST_SIZE} to {_MOST_SIZE}",
)


def _is_constant(expression: ResolvedExpression) -> bool:
    """Whether an expression is a constant or an array of constants."""
    if isinstance(expression, Call) and expression.function is ARRAY:
        return all(isinstance(element, ValueLiteral) for element in expression.arguments)
    return isinstance(expression, ValueLiteral)


class _OneOrMany:
    """A value of a type, or an array of such values."""

    def __init__(self, data_type: LogicalType) -> None:
        self._data_type = data_type

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = ANY.infer_argument(context, position)
        if given is None:
            return None
        return implicit_cast(given, (self._data_type, t.ArrayType(self._data_type)))

    def describe(self) -> str:
        return f"<{self._data_type.as_summary_string()}>"


def _constant(data_type: LogicalType) -> Where:
    shown = data_type.as_summary_string()
    return Where(_OneOrMany(data_type), _is_constant, f"{shown} literal, or array of some")


def _infer_for_each(single: LogicalType) -> TypeStrategy:
    """Return a strategy for a result per constant: an array if the second argument is an array."""

    def infer(context: CallContext) -> LogicalType:
        asked = context.argument_types[1]
        return t.ArrayType(single.not_null()) if isinstance(asked, t.ArrayType) else single

    return Computed(infer)


def _kll_sketch_agg(kind: _Kind) -> FunctionDefinition:
    shown = kind.data_type.as_summary_string()
    return _aggregate(
        f"kll_sketch_agg_{kind.name}",
        positional(Family(shown, kind.values), _KLL_SIZE, optional=1, names="value size"),
        f"A KLL sketch of the values, of type {shown}; a greater size, 200 by default, makes it more exact.",
        (f"KLL_SKETCH_GET_N_{kind.name.upper()}(KLL_SKETCH_AGG_{kind.name.upper()}(x)) {_of(kind)}", "3"),
    )


def _of(kind: _Kind) -> str:
    return f"FROM VALUES {kind.rows} AS t(x)"


def _kll_merge_agg(kind: _Kind) -> FunctionDefinition:
    name = kind.name.upper()
    return _aggregate(
        f"kll_merge_agg_{kind.name}",
        positional(SKETCH, _KLL_SIZE, optional=1, names="sketch size"),
        "The KLL sketch of all values in the KLL sketches.",
        (
            f"KLL_SKETCH_GET_N_{name}(KLL_MERGE_AGG_{name}(s)) "
            f"FROM (SELECT KLL_SKETCH_AGG_{name}(x) AS s {_of(kind)} GROUP BY x)",
            "3",
        ),
    )


def _kll_get(
    kind: _Kind,
    what: str,
    more: Positional,
    returns: LogicalType | TypeStrategy,
    doc: str,
    example: tuple[str, str],
) -> FunctionDefinition:
    """Define a function of a KLL sketch; ``example`` contains the arguments after the sketch, and the result."""
    arguments, result = example
    name = f"kll_sketch_{what}_{kind.name}"
    inputs = positional(_BYTES, *more.arguments, names=" ".join(("sketch", *more.names)))
    sketch = f"KLL_SKETCH_AGG_{kind.name.upper()}(x)"
    second = sketch if what == "merge" else arguments
    called = f"{name.upper()}({sketch}{', ' if second else ''}{second})"
    if what == "to_string":
        called = f"CHAR_LENGTH({called}) > 0"
    if what == "merge":
        called = f"KLL_SKETCH_GET_N_{kind.name.upper()}({called})"
    return _scalar(name, inputs, returns, doc, (f"{called} {_of(kind)}", result))


def _get_n(kind: _Kind) -> FunctionDefinition:
    return _kll_get(kind, "get_n", positional(), t.BIGINT, "The number of values in a KLL sketch.", ("", "3"))


def _get_quantile(kind: _Kind) -> FunctionDefinition:
    return _kll_get(
        kind,
        "get_quantile",
        positional(_constant(t.DOUBLE), names="share"),
        _infer_for_each(kind.data_type),
        "The approximate quantile of a KLL sketch: the value up to which a share of its values lies; an array for an "
        "array of shares.",
        ("0.5D", "2" if kind is _BIGINT_KIND else "2.0"),
    )


def _get_rank(kind: _Kind) -> FunctionDefinition:
    return _kll_get(
        kind,
        "get_rank",
        positional(_constant(kind.data_type), names="value"),
        _infer_for_each(t.DOUBLE),
        "The approximate share of the values in a KLL sketch that are not greater than value; an array for an array of "
        "values.",
        (kind.rows.rsplit("(", 1)[1].rstrip(")"), "1.0"),
    )


def _merge(kind: _Kind) -> FunctionDefinition:
    return _kll_get(
        kind,
        "merge",
        positional(_BYTES, names="other"),
        t.BYTES,
        "The KLL sketch of all values in two KLL sketches.",
        ("", "6"),
    )


def _define_to_string(kind: _Kind) -> FunctionDefinition:
    return _kll_get(
        kind, "to_string", positional(), t.STRING, "A human-readable description of a KLL sketch.", ("", "TRUE")
    )


KLL_SKETCH_AGG_BIGINT, KLL_SKETCH_AGG_FLOAT, KLL_SKETCH_AGG_DOUBLE = map(_kll_sketch_agg, _KINDS)
KLL_MERGE_AGG_BIGINT, KLL_MERGE_AGG_FLOAT, KLL_MERGE_AGG_DOUBLE = map(_kll_merge_agg, _KINDS)
KLL_SKETCH_GET_N_BIGINT, KLL_SKETCH_GET_N_FLOAT, KLL_SKETCH_GET_N_DOUBLE = map(_get_n, _KINDS)
KLL_SKETCH_GET_QUANTILE_BIGINT, KLL_SKETCH_GET_QUANTILE_FLOAT, KLL_SKETCH_GET_QUANTILE_DOUBLE = map(
    _get_quantile, _KINDS
)
KLL_SKETCH_GET_RANK_BIGINT, KLL_SKETCH_GET_RANK_FLOAT, KLL_SKETCH_GET_RANK_DOUBLE = map(_get_rank, _KINDS)
KLL_SKETCH_MERGE_BIGINT, KLL_SKETCH_MERGE_FLOAT, KLL_SKETCH_MERGE_DOUBLE = map(_merge, _KINDS)
KLL_SKETCH_TO_STRING_BIGINT, KLL_SKETCH_TO_STRING_FLOAT, KLL_SKETCH_TO_STRING_DOUBLE = map(_define_to_string, _KINDS)
