"""The parameters of tools: their JSON Schema, and the check of what a client sends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from ir.errors import ValidationException, did_you_mean, listing, shorten

_CLASSES: Final[Mapping[str, type]] = {"string": str, "boolean": bool, "integer": int}
_NOUNS: Final = {"string": "a string", "boolean": "true or false", "integer": "a whole number from 1"}


@attrs.frozen
class Parameter:
    """A parameter of a tool.

    Attributes:
        name: the name.
        description: what it is for, with an example.
        type: ``string``, ``boolean`` or ``integer``; an integer is at least 1.
        choices: the only accepted strings; empty if any is accepted.
        is_required: whether each call gives it.
        default: its value in a call without it, None if it has none.
    """

    name: str
    description: str
    type: str = "string"
    choices: tuple[str, ...] = ()
    is_required: bool = False
    default: Any = None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the value."""
        schema: dict[str, Any] = {"type": self.type, "description": self.description}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.type == "integer":
            schema["minimum"] = 1
        if self.default is not None:
            schema["default"] = self.default
        return schema

    def checked(self, tool: str, value: object) -> Any:
        """Return a value that a client gave.

        Raises:
            ValidationException: the value has another type, or is not a choice; the message has the nearest one.
        """
        is_of_class = type(value) is _CLASSES[self.type]
        if not is_of_class or (self.type == "integer" and isinstance(value, int) and value < 1):
            raise ValidationException(
                f"The argument {self.name!r} of {tool} is {_NOUNS[self.type]}, but is {shorten(repr(value))}."
            )
        if self.choices and value not in self.choices:
            raise ValidationException(
                f"The argument {self.name!r} of {tool} is one of {listing(self.choices)}, but is "
                f"{shorten(repr(value))}." + did_you_mean(str(value), self.choices)
            )
        return value


def input_schema(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """Return the JSON Schema of the arguments of a tool.

    >>> input_schema([Parameter("name", "A view.", is_required=True)])["required"]
    ['name']
    """
    given = list(parameters)
    return {
        "type": "object",
        "properties": {parameter.name: parameter.schema for parameter in given},
        "required": [parameter.name for parameter in given if parameter.is_required],
        "additionalProperties": False,
    }


def check_arguments(tool: str, parameters: Iterable[Parameter], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the arguments of a call by name, with the defaults of those that are not given.

    ``null`` counts as not given, since some clients send it for every optional argument.

    Raises:
        ValidationException: an argument is unknown, missing or invalid; the message has what is accepted.

    >>> check_arguments("types", [Parameter("name", "A view.", default="*")], {"nmae": "daily"})
    Traceback (most recent call last):
    ...
    tableapi.exceptions.ValidationException: types has no argument 'nmae'; it takes name. Did you mean 'name'?
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise ValidationException(
                f"{tool} has no argument {name!r}; it takes {listing(known)}." + did_you_mean(name, known)
            )
    checked = {}
    for name, parameter in known.items():
        if given.get(name) is None:
            if parameter.is_required:
                raise ValidationException(f"{tool} needs the argument {name!r}: {parameter.description}")
            checked[name] = parameter.default
        else:
            checked[name] = parameter.checked(tool, given[name])
    return checked
