"""Declare process table functions by arguments, as PyFlink does it: ``udptf`` and what it takes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from ir.errors import ValidationException, listing
from ir.types import RowType
from tableapi.members.type_arguments import TypeLike
from tableapi.process_functions.type_inference import StaticArgument, TypeInference
from tableapi.spark.runtime.adapted_function import AdaptedFunction, AdaptedFunctionWithTimers
from tableapi.spark.runtime.process.declarations import ArgumentTrait, ProcessTableFunction, StateHint
from tableapi.types import Row
from tableapi.user_functions.annotations import list_parameters
from tableapi.user_functions.declared_types import type_named

ProcessTableFunctionArgumentTrait = ArgumentTrait
"""PyFlink's name of ``ArgumentTrait``."""


@attrs.frozen
class ProcessTableFunctionArgument:
    """An argument of a function that ``udptf`` declares; PyFlink's form of ``StaticArgument``.

    Attributes:
        name: its name in calls, and the name of the parameter of ``eval``.
        data_type: its type; of a table the type of its rows, None for any table.
        is_table: whether it is a table.
        traits: the traits of a table.

    >>> ProcessTableFunctionArgument.table("event").traits
    frozenset({<ArgumentTrait.TABLE_AS_ROW: 'TABLE_AS_ROW'>})
    """

    name: str
    data_type: TypeLike | None
    is_table: bool
    traits: frozenset[ArgumentTrait]

    @staticmethod
    def scalar(name: str, data_type: TypeLike) -> ProcessTableFunctionArgument:
        """Declare a value, the same for all rows.

        Args:
            name: its name.
            data_type: its type.
        """
        return ProcessTableFunctionArgument(name, data_type, False, frozenset())

    @staticmethod
    def table(
        name: str, traits: Iterable[ArgumentTrait] | None = None, data_type: TypeLike | None = None
    ) -> ProcessTableFunctionArgument:
        """Declare a table.

        Args:
            name: its name.
            traits: its traits; without ``SET_SEMANTIC_TABLE`` it has row semantics.
            data_type: the ROW type of its rows, None for any table.
        """
        given = frozenset(traits or ())
        if ArgumentTrait.TABLE_AS_SET not in given:
            given |= {ArgumentTrait.TABLE_AS_ROW}
        return ProcessTableFunctionArgument(name, data_type, True, given)

    def as_static_argument(self) -> StaticArgument:
        """Return the argument as ``TypeInference`` takes it."""
        if not self.is_table:
            return StaticArgument.scalar(self.name, self.data_type)
        # Traits have an order in messages.
        traits = [trait for trait in ArgumentTrait if trait in self.traits]
        return StaticArgument.table(self.name, Row if self.data_type is None else self.data_type, False, *traits)


@attrs.frozen
class ProcessTableFunctionState:
    """A state of a function that ``udptf`` declares; PyFlink's form of ``StateHint``.

    Attributes:
        name: its name, and the name of the parameter of ``eval``.
        data_type: its ROW type.
        ttl: how long it lives after its last change, None for as long as its partition.

    >>> ProcessTableFunctionState.value("memory", "ROW<count BIGINT>").name
    'memory'
    """

    name: str
    data_type: TypeLike
    ttl: dt.timedelta | None = None

    @staticmethod
    def value(name: str, data_type: TypeLike, ttl: dt.timedelta | None = None) -> ProcessTableFunctionState:
        """Declare a row as state, whose fields are NULL in a new partition.

        Args:
            name: its name.
            data_type: its ROW type.
            ttl: how long it lives after its last change.
        """
        return ProcessTableFunctionState(name, data_type, ttl)


def declare_by_arguments(
    given: Any,
    arguments: Sequence[ProcessTableFunctionArgument] | None,
    result_type: TypeLike | None,
    states: Sequence[ProcessTableFunctionState],
    deterministic: bool | None,
    name: str | None,
) -> AdaptedFunction:
    """Return the function that the arguments of ``udptf`` declare.

    Raises:
        ValidationException: the function is not a process table function, or its declaration is invalid.
    """
    target = _instance(given)
    shown = name or type(target).__name__
    _require_items(shown, "arguments", arguments, ProcessTableFunctionArgument)
    _require_items(shown, "states", states, ProcessTableFunctionState)
    if result_type is None:
        raise ValidationException(f"udptf of {shown} has no result_type: give it a type such as 'ROW<s STRING>'.")
    output = type_named(result_type, f"result_type of {shown}")
    if not isinstance(output, RowType):
        raise ValidationException(
            f"result_type of {shown} is {output.as_summary_string()}, but udptf takes a ROW type: ROW<value "
            f"{output.as_summary_string()}>."
        )
    for method in ("finish", "on_late", "get_input_changelog_mode", "get_output_changelog_mode"):
        if getattr(type(target), method) is not getattr(ProcessTableFunction, method):
            raise ValidationException(
                f"{shown} has {method}, which udptf does not declare. Declare the function by annotations or by "
                "get_type_inference."
            )
    has_timers = type(target).on_timer is not ProcessTableFunction.on_timer
    of_states = [state.name for state in states]
    names = [*of_states, *[argument.name for argument in arguments or ()]]
    _require_parameters(f"{shown}.eval", target.eval, names)
    if has_timers:
        _require_parameters(f"{shown}.on_timer", target.on_timer, of_states)
    inference = TypeInference(
        [argument.as_static_argument() for argument in arguments or ()],
        output,
        {state.name: StateHint(type=state.data_type, ttl=state.ttl) for state in states},
    )
    is_deterministic = target.is_deterministic() if deterministic is None else deterministic
    cls = AdaptedFunctionWithTimers if has_timers else AdaptedFunction
    return cls(shown, target, inference, bool(is_deterministic))


def _instance(given: Any) -> ProcessTableFunction:
    made = given() if isinstance(given, type) and issubclass(given, ProcessTableFunction) else given
    if isinstance(made, ProcessTableFunction):
        return made
    raise ValidationException(
        f"udptf takes a class that derives from ProcessTableFunction, or an instance of one, but was given {given!r}."
    )


def _require_items(function: str, parameter: str, given: Any, cls: type) -> None:
    items = given if isinstance(given, (list, tuple)) else [given]
    wrong = [item for item in items if not isinstance(item, cls)]
    if wrong:
        raise ValidationException(
            f"udptf of {function} takes {parameter} as a list of {cls.__name__}, but was given {wrong[0]!r}."
        )


def _require_parameters(method: str, function: Any, names: Sequence[str]) -> None:
    """Check that a method takes a context, and then the declared names."""
    found = list_parameters(function)
    is_plain = all(parameter.kind is parameter.POSITIONAL_OR_KEYWORD for parameter in found)
    given = [parameter.name for parameter in found]
    if not is_plain or not given or given[1:] != list(names):
        shown = [str(parameter) for parameter in found]
        raise ValidationException(
            f"{method} takes ({listing(shown)}), but udptf declares (ctx, {listing(names)}): the context, then the "
            "states, then the arguments, under their names and in their order."
        )
