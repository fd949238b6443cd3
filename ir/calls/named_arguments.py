"""Named arguments: ``MASK(a, digitChar => '#')`` becomes a call with positional arguments and defaults."""

from __future__ import annotations

from collections.abc import Sequence

from ir.errors import ValidationException, did_you_mean, shorten
from ir.expressions import ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold
from ir.light_typing import TypeVar

T = TypeVar("T")


def order_arguments(function: FunctionDefinition, given: Sequence[tuple[str | None, T]]) -> Sequence[T | ValueLiteral]:
    """Return the arguments of a call in declared order, with the defaults of omitted arguments before a named one.

    Args:
        function: the called function.
        given: the arguments as written, each with its name, or None for a positional argument.

    Raises:
        ValidationException: an argument name is unknown, or an argument is given twice or missing; the
            exception's ``argument`` is the index of the wrong one.
    """
    if all(name is None for name, _ in given):
        return [value for _, value in given]
    declared = function.inference.static_arguments
    if declared is None:
        message = f"{function.sql_name} takes its arguments by position, and not by name."
        raise _make_error(given, message, "NAMED_PARAMETERS_NOT_SUPPORTED")
    names = [argument.name for argument in declared]
    places = {fold(name): place for place, name in enumerate(names)}
    found: dict[int, T] = {}
    positional = 0
    for index, (name, value) in enumerate(given):
        if name is None:
            if index != positional:
                raise ValidationException(
                    f"An argument of {function.sql_name} without a name stands after one that has a name; those "
                    "without names come first.",
                    condition="UNEXPECTED_POSITIONAL_ARGUMENT",
                    argument=index,
                )
            # ``call`` reports too many arguments.
            found[index], positional = value, positional + 1
            continue
        place = places.get(fold(name))
        if place is None:
            known = ", ".join(names) or "no names for its arguments"
            raise ValidationException(
                f"{function.sql_name} has no argument named {shorten(name)!r}; it has {known}."
                + did_you_mean(name, names),
                condition="UNRECOGNIZED_PARAMETER_NAME",
                argument=index,
            )
        if place in found:
            twice = "by position and by name" if place < positional else "twice by its name"
            raise ValidationException(
                f"The argument {names[place]} of {function.sql_name} is given {twice}.",
                condition="DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT."
                + ("BOTH_POSITIONAL_AND_NAMED" if place < positional else "DOUBLE_NAMED_ARGUMENT_REFERENCE"),
                argument=index,
            )
        found[place] = value
    made: list[T | ValueLiteral] = []
    for place in range(max(found) + 1):
        argument = found[place] if place in found else declared[place].default
        if argument is None:
            message = f"{function.sql_name} needs the argument {names[place]}, which is not given."
            raise _make_error(given, message, "REQUIRED_PARAMETER_NOT_FOUND")
        made.append(argument)
    return made


def _make_error(given: Sequence[tuple[str | None, object]], message: str, condition: str) -> ValidationException:
    first = next(index for index, (name, _) in enumerate(given) if name is not None)
    return ValidationException(message, condition=condition, argument=first)
