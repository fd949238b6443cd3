"""Writes calls whose display form in generated column names depends on argument types or argument names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammar import syntax as s
from grammar.builder.column_names.display_values import constant_text
from ir.expressions import ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold
from ir.types import BytesType, DateType, LocalZonedTimestampType, LogicalType, TimestampType

TypeOf = Callable[[Any], LogicalType | None]


def order_arguments(arguments: list[Any], definition: FunctionDefinition | None) -> list[Any]:
    """Return the arguments by position, with the displayed defaults of omitted arguments between them."""
    declared = None if definition is None else definition.inference.static_arguments
    if (
        definition is None
        or declared is None
        or not any(isinstance(argument, s.NamedArgument) for argument in arguments)
    ):
        return arguments
    places = {fold(argument.name): place for place, argument in enumerate(declared)}
    found = {
        places[fold(argument.name.text)] if isinstance(argument, s.NamedArgument) else place: argument
        for place, argument in enumerate(arguments)
    }
    # Spark also shows the omitted last parameters of a user-defined function.
    shown = declared[: max(found) + 1] if definition.is_built_in else declared
    return [
        found[place] if place in found else _display_default(definition, place, argument.default)
        for place, argument in enumerate(shown)
    ]


def _display_default(definition: FunctionDefinition, place: int, default: ValueLiteral | None) -> str | None:
    if definition.is_built_in:
        return definition.shown.defaults[place]
    return None if default is None else constant_text(default)


def display_by_type(
    name: str, arguments: list[Any], type_of: TypeOf, shown: Callable[[Any], str]
) -> tuple[str, list[Any]]:
    """Return the name and arguments that Spark shows for calls whose display form depends on argument types."""
    if name == "instr" and len(arguments) == 3:
        return name, [*arguments, "1"]
    if len(arguments) != 2 or name not in _BY_TYPE:
        return name, arguments
    given = type_of(arguments[0])
    if name in ("lpad", "rpad"):
        return name, [*arguments, "X'00'"] if isinstance(given, BytesType) else arguments
    if isinstance(given, (DateType, TimestampType, LocalZonedTimestampType)):
        return "date_format", arguments
    if isinstance(given, BytesType) and isinstance(arguments[1], s.Text):
        code = shown(arguments[1]).lower()
        if name == "to_varchar":
            return name, arguments if code == "utf-8" else arguments[:1]
        return ("decode", arguments) if code == "utf-8" else (code, arguments[:1])
    return name, arguments


_BY_TYPE = ("lpad", "rpad", "to_char", "to_varchar")
