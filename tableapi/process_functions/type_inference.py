"""Declare types of a process table function by code, where annotations cannot express them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ir.functions.definition import Monotonicity
from ir.functions.process import ProcessCall
from ir.inference.type_inference import InputTypeStrategy
from ir.types import DescriptorType
from tableapi.members.type_arguments import TypeLike
from tableapi.spark.runtime.process.declarations import ArgumentTrait, StateHint
from tableapi.types import DataType, Row

CallContext = ProcessCall
"""The input of a strategy: the call, with the types of its arguments and the values of constant arguments."""

TypeStrategy = TypeLike | Callable[[CallContext], "DataType | str | None"]
"""A type, a type as a string, or a function from a call to one of them."""

C = TypeVar("C", bound=type)


class StaticArgument:
    """An argument that a ``TypeInference`` declares.

    >>> StaticArgument.scalar("ttl", "INTERVAL DAY TO SECOND", True)
    StaticArgument('ttl', SCALAR, 'INTERVAL DAY TO SECOND', optional)
    >>> StaticArgument.table("input", Row, False, ArgumentTrait.TABLE_AS_SET)
    StaticArgument('input', TABLE_AS_SET)
    """

    def __init__(
        self, name: str, data_type: Any, is_optional: bool, traits: Sequence[ArgumentTrait], conversion: Any = None
    ) -> None:
        self.name = name
        self.data_type = data_type
        self.is_optional = is_optional
        self.traits = tuple(traits)
        self.conversion = conversion

    @staticmethod
    def scalar(name: str, data_type: TypeLike | None, is_optional: bool = False) -> StaticArgument:
        """Declare a scalar argument.

        Args:
            name: its name in calls.
            data_type: its type, to which calls cast what they pass; or a strategy of
                ``tableapi.inference.InputTypeStrategies``; None for any type. Process table functions take types only.
            is_optional: whether a call may omit it. A process table function then gets NULL; any other function has a
                default for it.
        """
        return StaticArgument(name, data_type, is_optional, [ArgumentTrait.SCALAR])

    @staticmethod
    def descriptor(name: str, is_optional: bool = False) -> StaticArgument:
        """Declare an argument that is a list of columns, ``DESCRIPTOR(a, b)``.

        Args:
            name: its name in calls.
            is_optional: whether a call may omit it; the function then gets None.
        """
        return StaticArgument(name, DescriptorType(nullable=is_optional), is_optional, [ArgumentTrait.SCALAR])

    @staticmethod
    def table(
        name: str, row: TypeLike | type = Row, is_optional: bool = False, *traits: ArgumentTrait
    ) -> StaticArgument:
        """Declare a table argument.

        Args:
            name: its name in calls.
            row: the class of its rows: ``Row`` for any table, a data class for a table with its fields; or a ROW type.
            is_optional: has to be False; the parameter exists for compatibility with Flink.
            traits: its traits; without any, it has row semantics.
        """
        given = traits or (ArgumentTrait.TABLE_AS_ROW,)
        if not any(trait in (ArgumentTrait.TABLE_AS_ROW, ArgumentTrait.TABLE_AS_SET) for trait in given):
            given = (ArgumentTrait.TABLE_AS_ROW, *given)
        return StaticArgument(name, row, is_optional, given)

    def __repr__(self) -> str:
        shown = [repr(self.name), *[trait.name for trait in self.traits]]
        if self.data_type is not Row:
            shown.append(repr(self.data_type))
        return f"StaticArgument({', '.join(shown)}{', optional' if self.is_optional else ''})"


class TypeInference:
    """The result of ``get_type_inference``, in place of annotations of ``eval`` or ``accumulate``.

    Args:
        static_arguments: the arguments, in the order in which ``eval`` takes them.
        output_type_strategy: the type of the output rows, or a function from a call to it.
        state_type_strategies: for each state name, its type or a function from a call to it; or a ``StateHint`` with
            such a type, and with defaults or a time to live.
        input_type_strategy: instead of ``static_arguments``, a strategy of ``tableapi.inference.InputTypeStrategies``
            for all arguments together. Process table functions do not support it.
        validator: a check of each call whose arguments are accepted; it returns a reason to reject the call, or None.
        monotonicity: for each argument, whether the value rises or falls as the argument grows; None if neither is
            known. It appears in the description of the function.

    >>> from tableapi import DataTypes
    >>> inference = TypeInference(
    ...     [StaticArgument.table("input", Row, False, ArgumentTrait.TABLE_AS_SET)],
    ...     output_type_strategy=lambda call: call.get_argument_data_type("input"),
    ... )
    >>> inference.static_arguments
    (StaticArgument('input', TABLE_AS_SET),)
    """

    def __init__(
        self,
        static_arguments: Sequence[StaticArgument] | None = None,
        output_type_strategy: TypeStrategy | None = None,
        state_type_strategies: Mapping[str, TypeStrategy | StateHint] | None = None,
        *,
        input_type_strategy: InputTypeStrategy | None = None,
        validator: Callable[[CallContext], str | None] | None = None,
        monotonicity: Sequence[Monotonicity | None] = (),
    ) -> None:
        self.static_arguments = tuple(static_arguments or ())
        self.has_static_arguments = static_arguments is not None
        self.output_type_strategy = output_type_strategy
        self.state_type_strategies = dict(state_type_strategies or {})
        self.input_type_strategy = input_type_strategy
        self.validator = validator
        self.monotonicity = monotonicity


def function_hint(*, output: TypeLike) -> Callable[[C], C]:
    """Declare the output type of a process table function, if the annotation of ``eval`` does not.

    Args:
        output: the type of the output rows, such as ``"ROW<s STRING>"``, or of a single output value.

    >>> from tableapi.process_functions import ProcessTableFunction, TableAsRow
    >>> @function_hint(output="ROW<s STRING>")
    ... class Shown(ProcessTableFunction):
    ...     def eval(self, input: TableAsRow[Row]):
    ...         yield (str(input),)
    """

    def hinted(cls: C) -> C:
        # The declaration reads this attribute, which subclasses inherit.
        cls._output_hint = output  # type: ignore[attr-defined]
        return cls

    return hinted
