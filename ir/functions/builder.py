"""Builders for function definitions."""

from __future__ import annotations

from collections.abc import Callable

from ir import light_attrs as attrs
from ir.expressions import ResolvedExpression
from ir.functions.builtins import find_by_name
from ir.functions.definition import (
    AggregateTraits,
    Documentation,
    Emission,
    Fluent,
    FluentForm,
    FunctionDefinition,
    FunctionKind,
    Monotonicity,
    SparkForm,
)
from ir.inference.type_inference import InputTypeStrategy, StaticArgument, TypeInference, TypeStrategy
from ir.light_typing import TYPE_CHECKING, Any
from ir.literals import literal
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import AggregateEntry, AnyEntry, ScalarEntry, WindowEntry

INCREASING, DECREASING = Monotonicity.INCREASING, Monotonicity.DECREASING


def as_property(*names: str) -> tuple[FluentForm, ...]:
    """Return the fluent form of a property of an expression, under each name."""
    return tuple(FluentForm(Fluent.PROPERTY, name) for name in names)


def as_method(name: str, parameters: str = "", **choices: tuple[str, ...]) -> tuple[FluentForm, ...]:
    """Return the fluent form of a method.

    Args:
        name: the name of the method.
        parameters: the names of the parameters, separated by spaces.
        choices: the accepted strings, by the name of the parameter.
    """
    return (FluentForm(Fluent.METHOD, name, tuple(parameters.split()), tuple(choices.items())),)


def as_function(name: str, parameters: str = "", **choices: tuple[str, ...]) -> tuple[FluentForm, ...]:
    """Return the fluent form of a function; the arguments are those of ``as_method``."""
    return (FluentForm(Fluent.FUNCTION, name, tuple(parameters.split()), tuple(choices.items())),)


def by_name(names: str, *defaults: Any) -> tuple[StaticArgument, ...]:
    """Return the named arguments of a call; ``defaults`` are those of the last, optional ones."""
    every = names.split()
    required = len(every) - len(defaults)
    return (
        *[StaticArgument(name) for name in every[:required]],
        *[
            StaticArgument(name, optional=True, default=literal(value))
            for name, value in zip(every[required:], defaults, strict=True)
        ],
    )


def capitals(*names: str) -> dict[str, str]:
    """Return the names that Spark shows in capital letters, for ``Shown.names``."""
    return {name.lower(): name for name in names}


def on_spark(
    make: Callable[..., ResolvedExpression], *usual: LogicalType, over: FunctionDefinition | None = None
) -> SparkForm:
    """Return the Spark equivalent of a function that Spark lacks; ``usual`` are sample types of its arguments.

    For an aggregate, ``make`` takes a call of ``over``, a Spark aggregate of the same rows.
    """
    return SparkForm(make, usual, over)


def scalar(
    name: str, inputs: InputTypeStrategy, returns: TypeStrategy, **entry: Unpack[ScalarEntry]
) -> FunctionDefinition:
    """Return the definition of a scalar function; with ``spark_form``, of one that Spark lacks."""
    return define(name, FunctionKind.SCALAR, inputs, returns, entry)


def aggregate(
    name: str, inputs: InputTypeStrategy, returns: TypeStrategy, **entry: Unpack[AggregateEntry]
) -> FunctionDefinition:
    """Return the definition of an aggregate function, which supports DISTINCT unless the entry denies it."""
    if "supports_distinct" not in entry:
        entry["supports_distinct"] = True
    if "skips_nulls" in entry:
        entry["supports_ignore_nulls"] = True
    return define(name, FunctionKind.AGGREGATE, inputs, returns, entry)


def window(
    name: str, inputs: InputTypeStrategy, returns: TypeStrategy, **entry: Unpack[WindowEntry]
) -> FunctionDefinition:
    """Return the definition of a window function, whose window must have an order."""
    if "takes_frame" not in entry:
        entry["takes_frame"] = False
    entry["ordered"] = True
    return define(name, FunctionKind.WINDOW, inputs, returns, entry)


_FACETS = {
    "emission": Emission,
    "aggregation": AggregateTraits,
    "documentation": Documentation,
}
_FACET_BY_FIELD = {field.name: facet for facet, type_ in _FACETS.items() for field in attrs.fields(type_)}


def define(
    name: str, kind: FunctionKind, inputs: InputTypeStrategy, returns: TypeStrategy, entry: AnyEntry
) -> FunctionDefinition:
    """Build a definition from an entry, with each fact in the facet that declares it.

    Args:
        name: Flink's name of the function.
        kind: what the function computes from its input.
        inputs: the types of the arguments.
        returns: the type of the result.
        entry: the other facts.
    """
    # Subscripts are fast, and a program starts with hundreds of entries.
    fields: dict[str, Any] = {}
    facets: dict[str, dict[str, Any]] = {}
    given: dict[str, Any] = {**entry}
    if "spark_form" in given:
        given["in_spark"] = False
    named = None
    for field in given:
        if field in _FACET_BY_FIELD:
            facet = _FACET_BY_FIELD[field]
            if facet in facets:
                facets[facet][field] = given[field]
            else:
                facets[facet] = {field: given[field]}
        elif field == "named":
            named = given[field]
        else:
            fields["sql_name" if field == "sql" else field] = given[field]
    for facet in facets:
        fields[facet] = _FACETS[facet](**facets[facet])
    inference = TypeInference(inputs, returns, named)
    return FunctionDefinition(name=name, kind=kind, inference=inference, restore=find_by_name, **fields)
