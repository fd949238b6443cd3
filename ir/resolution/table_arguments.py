"""Arguments of Flink's functions that take a table: matched by position or name, and read."""

from __future__ import annotations

from collections.abc import Sequence

from ir import light_attrs as attrs
from ir.errors import ValidationException, did_you_mean
from ir.expressions import DescriptorLiteral, Expression
from ir.identifiers import fold
from ir.resolution.process.inputs import LeftOut, TableInput, strip_alias
from ir.unresolved import UnresolvedNamedArgument


@attrs.frozen
class CallSignature:
    """How a function that takes a table is called.

    Attributes:
        shown: the name of the function in messages.
        parameters: the names of all arguments, in order.
        optional: the names of those that a call may omit.
        usage: the syntax of a call.
    """

    shown: str
    parameters: tuple[str, ...]
    optional: frozenset[str]
    usage: str


def order_arguments(signature: CallSignature, given: Sequence[Expression]) -> dict[str, tuple[Expression, int]]:
    """Return the arguments of a call and their numbers by name.

    Raises:
        ValidationException: an argument is unknown, given twice or missing; ``argument`` is the number of the invalid
            one.
    """
    shown, names = signature.shown, signature.parameters
    found: dict[str, tuple[Expression, int]] = {}
    is_named = False
    for number, written in enumerate(given):
        if isinstance(written, UnresolvedNamedArgument):
            name, value, is_named = fold(written.name), written.expression, True
            if name not in names:
                suggestion = did_you_mean(written.name, [name.upper() for name in names])
                raise ValidationException(
                    f"{shown} has no argument named {written.name!r}.{suggestion} It is called as {signature.usage}.",
                    argument=number,
                )
        else:
            if is_named:
                raise ValidationException(
                    f"{shown} was given an argument without a name after one that has a name; those without names "
                    "come first.",
                    argument=number,
                )
            if number >= len(names):
                raise ValidationException(
                    f"{shown} takes {len(names)} arguments at most, but was given {len(given)}. It is called as "
                    f"{signature.usage}.",
                    argument=number,
                )
            name, value = names[number], written
        if name in found:
            raise ValidationException(f"{shown} was given {name.upper()} twice.", argument=number)
        if not isinstance(value, LeftOut):
            found[name] = value, number
    for name in names:
        if name not in signature.optional and name not in found:
            raise ValidationException(f"{shown} needs {name.upper()}. It is called as {signature.usage}.")
    return found


def read_table(signature: CallSignature, name: str, written: Expression) -> TableInput:
    """Return an argument that is a table.

    Raises:
        ValidationException: the argument is not a table.
    """
    value = strip_alias(written)
    if not isinstance(value, TableInput):
        raise ValidationException(
            f"The argument {name.upper()} of {signature.shown} must be a table: TABLE t in SQL, a Table in Python."
        )
    return value


def read_column_name(signature: CallSignature, name: str, written: Expression, what: str) -> str:
    """Return the column that a descriptor names; ``what`` describes the column in the message.

    Raises:
        ValidationException: the argument does not name one column.
    """
    value = strip_alias(written)
    if not isinstance(value, DescriptorLiteral) or len(value.names) != 1:
        raise ValidationException(
            f"The argument {name.upper()} of {signature.shown} must name one column{what}: DESCRIPTOR(ts) in SQL, "
            "descriptor('ts') in Python."
        )
    return value.names[0]
