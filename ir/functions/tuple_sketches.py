"""Tuple sketches of Apache DataSketches: counts of distinct keys, each with a number."""

from __future__ import annotations

from typing import Any

from ir import types as t
from ir.functions.aggregate import VALUE
from ir.functions.builder import aggregate, by_name, scalar
from ir.functions.definition import FunctionDefinition, Shown
from ir.functions.sketches import SKETCH
from ir.inference import CallContext
from ir.inference.arguments import Explicit, Family, literal_where
from ir.inference.inputs import Positional, positional
from ir.inference.results import never_null, nullable_if_arguments
from ir.inference.type_inference import StaticArgument
from ir.types import LogicalType

_SUMMARIES: dict[str, LogicalType] = {"double": t.DOUBLE, "integer": t.INT}
_MODES = ("sum", "min", "max", "alwaysone")
_LEAST_SIZE, _MOST_SIZE = 4, 26


def _is_size(value: Any) -> bool:
    try:
        return value is not None and not isinstance(value, bool) and _LEAST_SIZE <= int(value) <= _MOST_SIZE
    except (TypeError, ValueError):
        return False


_SIZE = literal_where(
    Family("INT", (t.NumericType, t.CharacterType)), _is_size, f"INT literal from {_LEAST_SIZE} to {_MOST_SIZE}"
)
_MODE = literal_where(
    Family("STRING", (t.CharacterType,)),
    lambda value: isinstance(value, str) and value.lower() in _MODES,
    " | ".join(f"'{mode}'" for mode in _MODES),
)
_BYTES = Explicit(t.BYTES)


class _Key:
    """A key that a tuple sketch can count: a value that is distinguished by its string or its bits."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = VALUE.infer_argument(context, position)
        if isinstance(given, t.ArrayType):
            return given if isinstance(given.element, (t.NumericType, t.NullType)) else None
        return None if isinstance(given, (t.MapType, t.RowType, t.SpatialType)) else given

    def describe(self) -> str:
        return "<ANY but MAP, ROW and shapes>"


def _rows(kind: str) -> str:
    number = "1.0D" if kind == "double" else "1"
    return f"FROM VALUES (1, {number}), (1, {number}), (2, {number}) AS t(k, v)"


def _name_arguments(inputs: Positional) -> tuple[StaticArgument, ...] | None:
    """Return the named arguments of a call: Spark supports names if the size is an optional argument."""
    names = " ".join(inputs.names)
    return by_name(names, 12, "sum") if "lgNomEntries" in inputs.names else None


_SHOWN_DEFAULTS = {"lgNomEntries": "12", "mode": "sum"}


def _list_shown_defaults(inputs: Positional) -> tuple[str | None, ...]:
    return tuple([_SHOWN_DEFAULTS.get(name) for name in inputs.names])


def _agg(what: str, kind: str, inputs: Positional, doc: str, example: tuple[str, str]) -> FunctionDefinition:
    name = f"tuple_{what}_{kind}"
    return aggregate(
        name,
        inputs,
        never_null(t.BYTES),
        sql=name.upper(),
        named=_name_arguments(inputs),
        shown=Shown(defaults=_list_shown_defaults(inputs)),
        in_flink=False,
        doc=doc,
        example=example,
    )


def _function(
    what: str, kind: str, inputs: Positional, returns: LogicalType, doc: str, example: tuple[str, str]
) -> FunctionDefinition:
    name = f"tuple_{what}_{kind}"
    return scalar(
        name,
        inputs,
        nullable_if_arguments(returns),
        sql=name.upper(),
        named=_name_arguments(inputs),
        shown=Shown(defaults=_list_shown_defaults(inputs)),
        in_flink=False,
        doc=doc,
        example=example,
    )


def _describe_made(kind: str) -> str:
    return f"TUPLE_SKETCH_AGG_{kind.upper()}(k, v)"


def _describe_estimate(kind: str, sketch: str) -> str:
    return f"TUPLE_SKETCH_ESTIMATE_{kind.upper()}({sketch})"


def _sketch_agg(kind: str) -> FunctionDefinition:
    return _agg(
        "sketch_agg",
        kind,
        positional(_Key(), Explicit(_SUMMARIES[kind]), _SIZE, _MODE, optional=2, names="key summary lgNomEntries mode"),
        "A tuple sketch of keys, each with a summary of its numbers, which mode combines, by default to their sum; "
        "lgNomEntries, 12 by default, is the binary logarithm of its size.",
        (f"{_describe_estimate(kind, _describe_made(kind))} {_rows(kind)}", "2.0"),
    )


def _groups(kind: str) -> str:
    return f"FROM (SELECT {_describe_made(kind)} AS s {_rows(kind)} GROUP BY k)"


def _union_agg(kind: str) -> FunctionDefinition:
    return _agg(
        "union_agg",
        kind,
        positional(_BYTES, _SIZE, _MODE, optional=2, names="child lgNomEntries mode"),
        "The tuple sketch of the keys in any of the tuple sketches.",
        (f"{_describe_estimate(kind, f'TUPLE_UNION_AGG_{kind.upper()}(s)')} {_groups(kind)}", "2.0"),
    )


def _intersection_agg(kind: str) -> FunctionDefinition:
    return _agg(
        "intersection_agg",
        kind,
        positional(_BYTES, _MODE, optional=1, names="sketch mode"),
        "The tuple sketch of the keys in all of the tuple sketches.",
        (f"{_describe_estimate(kind, f'TUPLE_INTERSECTION_AGG_{kind.upper()}(s)')} {_groups(kind)}", "0.0"),
    )


def _estimate(kind: str) -> FunctionDefinition:
    return _function(
        "sketch_estimate",
        kind,
        positional(SKETCH, names="sketch"),
        t.DOUBLE,
        "An estimate of the number of distinct keys in a tuple sketch.",
        (f"{_describe_estimate(kind, _describe_made(kind))} {_rows(kind)}", "2.0"),
    )


def _summary(kind: str) -> FunctionDefinition:
    result = "3.0" if kind == "double" else "3"
    return _function(
        "sketch_summary",
        kind,
        positional(SKETCH, _MODE, optional=1, names="sketch mode"),
        t.DOUBLE if kind == "double" else t.BIGINT,
        "The summaries in a tuple sketch, combined by mode, by default their sum.",
        (f"TUPLE_SKETCH_SUMMARY_{kind.upper()}({_describe_made(kind)}) {_rows(kind)}", result),
    )


def _theta(kind: str) -> FunctionDefinition:
    return _function(
        "sketch_theta",
        kind,
        positional(SKETCH, names="sketch"),
        t.DOUBLE,
        "The share of the keys that a tuple sketch retains, from 0 to 1.",
        (f"TUPLE_SKETCH_THETA_{kind.upper()}({_describe_made(kind)}) {_rows(kind)}", "1.0"),
    )


_SIZE_AND_MODE = (_SIZE, _MODE)


def _define_set_operation(what: str, kind: str, more: str, doc: str, result: str) -> FunctionDefinition:
    """Define an operation on two tuple sketches or, if its name says so, on a tuple sketch and a theta sketch."""
    taken = {"lgNomEntries": _SIZE, "mode": _MODE}
    optional = [taken[name] for name in more.split()]
    other = "THETA_SKETCH_AGG(k)" if what.endswith("theta") else _describe_made(kind)
    called = f"TUPLE_{what.upper()}_{kind.upper()}({_describe_made(kind)}, {other})"
    return _function(
        what,
        kind,
        positional(SKETCH, SKETCH, *optional, optional=len(optional), names=f"first second {more}"),
        t.BYTES,
        doc,
        (f"{_describe_estimate(kind, called)} {_rows(kind)}", result),
    )


def _union(kind: str) -> FunctionDefinition:
    doc = "The tuple sketch of the keys in either of two tuple sketches."
    return _define_set_operation("union", kind, "lgNomEntries mode", doc, "2.0")


def _intersection(kind: str) -> FunctionDefinition:
    doc = "The tuple sketch of the keys in both of two tuple sketches."
    return _define_set_operation("intersection", kind, "mode", doc, "2.0")


def _difference(kind: str) -> FunctionDefinition:
    doc = "The tuple sketch of the keys in first that are not in second."
    return _define_set_operation("difference", kind, "", doc, "0.0")


def _union_theta(kind: str) -> FunctionDefinition:
    doc = "The tuple sketch of the keys in a tuple sketch or a theta sketch."
    return _define_set_operation("union_theta", kind, "lgNomEntries mode", doc, "2.0")


def _intersection_theta(kind: str) -> FunctionDefinition:
    doc = "The tuple sketch of the keys in a tuple sketch that are also in a theta sketch."
    return _define_set_operation("intersection_theta", kind, "mode", doc, "2.0")


def _difference_theta(kind: str) -> FunctionDefinition:
    doc = "The tuple sketch of the keys in a tuple sketch that are not in a theta sketch."
    return _define_set_operation("difference_theta", kind, "", doc, "0.0")


TUPLE_SKETCH_AGG_DOUBLE, TUPLE_SKETCH_AGG_INTEGER = map(_sketch_agg, _SUMMARIES)
TUPLE_UNION_AGG_DOUBLE, TUPLE_UNION_AGG_INTEGER = map(_union_agg, _SUMMARIES)
TUPLE_INTERSECTION_AGG_DOUBLE, TUPLE_INTERSECTION_AGG_INTEGER = map(_intersection_agg, _SUMMARIES)
TUPLE_SKETCH_ESTIMATE_DOUBLE, TUPLE_SKETCH_ESTIMATE_INTEGER = map(_estimate, _SUMMARIES)
TUPLE_SKETCH_SUMMARY_DOUBLE, TUPLE_SKETCH_SUMMARY_INTEGER = map(_summary, _SUMMARIES)
TUPLE_SKETCH_THETA_DOUBLE, TUPLE_SKETCH_THETA_INTEGER = map(_theta, _SUMMARIES)
TUPLE_UNION_DOUBLE, TUPLE_UNION_INTEGER = map(_union, _SUMMARIES)
TUPLE_INTERSECTION_DOUBLE, TUPLE_INTERSECTION_INTEGER = map(_intersection, _SUMMARIES)
TUPLE_DIFFERENCE_DOUBLE, TUPLE_DIFFERENCE_INTEGER = map(_difference, _SUMMARIES)
TUPLE_UNION_THETA_DOUBLE, TUPLE_UNION_THETA_INTEGER = map(_union_theta, _SUMMARIES)
TUPLE_INTERSECTION_THETA_DOUBLE, TUPLE_INTERSECTION_THETA_INTEGER = map(_intersection_theta, _SUMMARIES)
TUPLE_DIFFERENCE_THETA_DOUBLE, TUPLE_DIFFERENCE_THETA_INTEGER = map(_difference_theta, _SUMMARIES)
