"""Check the traits of an argument, and the arguments of a function together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ir.errors import ValidationException
from ir.functions.process import MOST_TABLES, SYSTEM_ARGUMENTS, ArgumentKind, ProcessArgument
from ir.identifiers import fold
from ir.types import RowType
from tableapi.spark.runtime.process.declarations import ArgumentTrait

_NAME = re.compile(r"[a-zA-Z_$][a-zA-Z_$0-9]*")
_TABLES = (ArgumentTrait.TABLE_AS_ROW, ArgumentTrait.TABLE_AS_SET)
_ROOTS = (ArgumentTrait.SCALAR, *_TABLES)
_UPDATES = (ArgumentTrait.SUPPORT_UPDATES, ArgumentTrait.REQUIRE_UPDATE_BEFORE, ArgumentTrait.REQUIRE_FULL_DELETE)


def check_traits(function: str, argument: str, given: Iterable[ArgumentTrait]) -> frozenset[ArgumentTrait]:
    """Return the traits of an argument; without a table trait, it is a scalar.

    Raises:
        ValidationException: traits contradict each other, or a required trait is missing.
    """
    traits = list(dict.fromkeys(given))
    for trait in traits:
        if not isinstance(trait, ArgumentTrait):
            raise ValidationException(
                f"The argument {argument!r} of {function} has the trait {trait!r}, which is none: traits are members "
                "of ArgumentTrait."
            )
    roots = [trait for trait in traits if trait in _ROOTS]
    if len(roots) > 1:
        raise ValidationException(
            f"The argument {argument!r} of {function} must be declared as either SCALAR, TABLE_AS_ROW or TABLE_AS_SET, "
            f"but has the traits {_list(roots)}."
        )
    for trait in traits:
        if trait.requires and not any(other in traits for other in trait.requires):
            raise ValidationException(
                f"Trait {trait.name} requires {' or '.join(other.name for other in trait.requires)}, which the "
                f"argument {argument!r} of {function} does not have."
            )
    return frozenset(traits if roots else [*traits, ArgumentTrait.SCALAR])


def check_argument(function: str, argument: ProcessArgument) -> None:
    """Check that the name, type and traits of an argument are valid.

    Raises:
        ValidationException: the name, the type or a trait is invalid; the message names it and the valid ones.
    """
    name = argument.name
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValidationException(
            f"Invalid argument name {name!r} of {function}. An argument must follow the pattern {_NAME.pattern}."
        )
    if argument.is_table:
        if argument.is_optional:
            raise ValidationException(
                f"Table arguments must not be optional, but {name!r} of {function} is. Pass an empty table."
            )
        if argument.data_type is not None and not isinstance(argument.data_type, RowType):
            raise ValidationException(
                f"Typed table arguments must use a composite type (i.e. row or structured type), but {name!r} of "
                f"{function} is of type {argument.data_type.as_summary_string()}. Use a data class, or Row for any "
                "table."
            )
        if argument.data_type is not None and argument.traits & {trait.value for trait in _UPDATES}:
            raise ValidationException(
                f"Table arguments that support updates must use a row type, but {name!r} of {function} is typed. "
                "Annotate it with Row."
            )
        return
    accepts_null = argument.data_type is None or argument.data_type.nullable
    if argument.is_optional and argument.default is None and not accepts_null:
        raise ValidationException(
            f"An optional argument has to accept null values, but {name!r} of {function} is of type "
            f"{argument.data_type}. Annotate it with Optional, or give it a default."
        )


def check_arguments(function: str, arguments: Sequence[ProcessArgument]) -> None:
    """Check that arguments are valid together.

    Raises:
        ValidationException: the combination is invalid; the message names an argument.
    """
    for argument in arguments:
        check_argument(function, argument)
    reserved = [argument.name for argument in arguments if fold(argument.name) in SYSTEM_ARGUMENTS]
    if reserved:
        raise ValidationException(
            f"Function signature must not declare system arguments. Reserved argument names are: "
            f"[{', '.join(SYSTEM_ARGUMENTS)}]. Rename {reserved[0]!r} of {function}; calls have these arguments "
            "anyway, and the context knows what was given."
        )
    seen: dict[str, str] = {}
    for argument in arguments:
        other = seen.setdefault(fold(argument.name), argument.name)
        if other is not argument.name:
            raise ValidationException(
                f"{function} has two arguments named {argument.name!r}; names are found whatever their case."
            )
    tables = [argument for argument in arguments if argument.kind is ArgumentKind.TABLE]
    if len(tables) > MOST_TABLES:
        raise ValidationException(
            f"Unsupported table argument count. Currently, the number of input tables is limited to {MOST_TABLES}, but "
            f"{function} has {len(tables)}."
        )
    if len(tables) > 1:
        by_row = [table.name for table in tables if not table.is_set]
        if by_row:
            raise ValidationException(
                f"All table arguments must use set semantics if multiple table arguments are declared, but "
                f"{by_row[0]!r} of {function} is {ArgumentTrait.TABLE_AS_ROW.name}."
            )
        passing = [table.name for table in tables if table.passes_through]
        if passing:
            raise ValidationException(
                f"Pass-through columns are not supported if multiple table arguments are declared, but {passing[0]!r} "
                f"of {function} is {ArgumentTrait.PASS_COLUMNS_THROUGH.name}."
            )
    for table in tables:
        if table.passes_through and ArgumentTrait.SUPPORT_UPDATES.value in table.traits:
            raise ValidationException(
                f"Signatures with updating inputs must not pass columns through, but {table.name!r} of {function} does."
            )


def _list(traits: Iterable[ArgumentTrait]) -> str:
    return f"[{', '.join(trait.name for trait in traits)}]"
