"""Builders that make a definition read like its documentation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from ir.expressions import ResolvedExpression
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
from ir.literals import literal
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing import Unpack

    from ir.functions.entries import AggregateEntry, AnyEntry, ScalarEntry, WindowEntry

INCREASING, DECREASING = Monotonicity.INCREASING, Monotonicity.DECREASING


def as_property(*names: str) -> tuple[FluentForm, ...]:
    """Return the fluent form of a property of an expression, under each of the names."""
    return tuple(FluentForm(Fluent.PROPERTY, name) for name in names)


def as_method(name: str, parameters: str = "", **choices: tuple[str, ...]) -> tuple[FluentForm, ...]:
    """Return the fluent form of a method.

    Args:
        name: its name.
        parameters: their names with blanks between.
        choices: by the name of a parameter, the only strings that mean something for it.
    """
    return (FluentForm(Fluent.METHOD, name, tuple(parameters.split()), tuple(choices.items())),)


def as_function(name: str, parameters: str = "", **choices: tuple[str, ...]) -> tuple[FluentForm, ...]:
    """Return the fluent form of a function; the arguments are those of ``as_method``."""
    return (FluentForm(Fluent.FUNCTION, name, tuple(parameters.split()), tuple(choices.items())),)


def by_name(names: str, *defaults: Any) -> tuple[StaticArgument, ...]:
    """Return the arguments that a call may name; ``defaults`` are those of the last ones, which may be left out."""
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
    """Return the names that Spark shows in capital letters, as the ``names`` of ``Shown``."""
    return {name.lower(): name for name in names}


def on_spark(
    make: Callable[..., ResolvedExpression], *usual: LogicalType, over: FunctionDefinition | None = None
) -> SparkForm:
    """Return what a call is on Spark, which lacks the function; ``usual`` are types that its arguments may have.

    Of an aggregate it is what ``make`` returns of a call of ``over``, an aggregate of Spark's, of the same rows.
    """
    return SparkForm(make, usual, over)


def scalar(
    name: str, inputs: InputTypeStrategy, returns: TypeStrategy, **entry: Unpack[ScalarEntry]
) -> FunctionDefinition:
    """Return the definition of a function of one row; with ``spark_form``, of one that Spark lacks."""
    return define(name, FunctionKind.SCALAR, inputs, returns, entry)


def aggregate(
    name: str, inputs: InputTypeStrategy, returns: TypeStrategy, **entry: Unpack[AggregateEntry]
) -> FunctionDefinition:
    """Return the definition of a function of all rows of a group, which supports DISTINCT unless the entry says not."""
    if "supports_distinct" not in entry:
        entry["supports_distinct"] = True
    if "skips_nulls" in entry:
        entry["supports_ignore_nulls"] = True
    return define(name, FunctionKind.AGGREGATE, inputs, returns, entry)


def window(
    name: str, inputs: InputTypeStrategy, returns: TypeStrategy, **entry: Unpack[WindowEntry]
) -> FunctionDefinition:
    """Return the definition of a function of a row's place among the rows of a window, which must have an order."""
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
    """Return the definition that an entry describes: each fact in the facet that has a field of its name.

    Args:
        name: the name of the definition.
        kind: what the function makes from its input.
        inputs: the types that it accepts.
        returns: the type of its result.
        entry: everything else.
    """
    # Subscripts alone, since a program starts with hundreds of entries.
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
    return FunctionDefinition(name=name, kind=kind, inference=TypeInference(inputs, returns, named), **fields)
