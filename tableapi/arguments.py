"""Checks of what methods of tables are given, and its translation to what resolution takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.resolution.operations import split_alias
from tableapi.expression import Expression, unwrap
from tableapi.misused_members import uncalled_method

if TYPE_CHECKING:
    from tableapi.table import Table


def unresolved(given: Sequence[Any], method: str) -> list[Unresolved]:
    """Return what stands behind the arguments of a method; a string is refused, since it could be a name or a value."""
    for argument in given:
        if isinstance(argument, str):
            raise ValidationException(
                f"{method} takes expressions, but was given the text {argument!r}. Write col({argument!r}) for the "
                f"column or lit({argument!r}) for the value."
            )
        if isinstance(argument, FunctionType):
            uncalled = uncalled_method(argument, functions=True)
            if uncalled:
                raise ValidationException(f"{method} takes expressions. {uncalled}")
    return [unwrap(argument) for argument in given]


def called_with_row(func: Any, table: Table) -> Any:
    """Return the call of a user's function with the whole row of a table, where it is given itself and not called."""
    if isinstance(func, Expression):
        return func
    from tableapi.expressions import col, row
    from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper

    if not isinstance(func, UserDefinedFunctionWrapper):
        return func
    return func(row(*[col(name).alias(name) for name in table.query_operation.schema.names]))


def column_names(given: Sequence[Any], method: str) -> list[str]:
    """Return names that a method was given; anything but text is refused."""
    for name in given:
        if not isinstance(name, str) or not name:
            raise ValidationException(f"{method} takes names, but was given {name!r}.")
    return list(given)


def whole_number(value: Any, method: str) -> int:
    """Return a whole number that a method was given; anything else is refused."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValidationException(f"{method} takes a whole number, but was given {value!r}.")
    return value


def unpivot_groups(values: Any) -> dict[str, list[Unresolved]] | None:
    """Return the columns that become rows, by the names that they have in the rows."""
    if values is None:
        return None
    if isinstance(values, Mapping):
        groups = {}
        for name, given in values.items():
            several = isinstance(given, Sequence) and not isinstance(given, str)
            groups[column_names([name], "unpivot")[0]] = unresolved(given if several else [given], "unpivot")
        return groups
    groups = {}
    for number, (expression, name) in enumerate(map(split_alias, unresolved(values, "unpivot"))):
        groups[name or str(getattr(expression, "name", number))] = [expression]
    return groups


def pivot_values(values: Any, width: int) -> dict[str, tuple[Any, ...]]:
    """Return the values, as tuples of so many parts, by their names."""
    if not values:
        raise ValidationException(
            "pivot needs the values that become columns: the columns of a query are known before it runs."
        )

    def parts(value: Any) -> tuple[Any, ...]:
        return tuple(value) if width > 1 and isinstance(value, tuple | list) else (value,)

    if isinstance(values, Mapping):
        return {
            name: parts(value) for name, value in zip(column_names(list(values), "pivot"), values.values(), strict=True)
        }
    named: dict[str, tuple[Any, ...]] = {}
    for value in values:
        name = "_".join("null" if part is None else str(part) for part in parts(value))
        if name in named:
            raise ValidationException(f"pivot has two values named {name!r}; name them: {{'name': value, …}}.")
        named[name] = parts(value)
    return named
