"""Signatures of functions of users that one set of annotations does not say: overloads, and inferred types."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from ir.errors import ValidationException
from ir.functions.definition import FunctionKind
from ir.functions.process import ArgumentKind, ProcessArgument, ProcessCall
from ir.inference.call_context import CallContext
from ir.types import DescriptorType, LogicalType

if TYPE_CHECKING:
    from tableapi.user_functions.declaration import Parameter

Output = Callable[[CallContext], LogicalType]


def overloads_of(evaluated: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return the signatures that ``typing.overload`` gives a function or a method, none where it has one alone."""
    function = getattr(evaluated, "__func__", evaluated)
    if not hasattr(function, "__qualname__") or not hasattr(function, "__module__"):
        return []
    return list(typing.get_overloads(function))


def of_inference(
    kind: FunctionKind, name: str, target: Any, evaluated: Callable[..., Any]
) -> tuple[tuple[Parameter, ...], Output]:
    """Return the parameters and the result that ``get_type_inference`` of a class declares.

    Raises:
        ValidationException: it declares what is not possible, or other parameters than the method takes.
    """
    from tableapi.process_functions.inference import checked_strategy
    from tableapi.process_functions.type_inference import StaticArgument, TypeInference
    from tableapi.user_functions.declaration import Parameter, type_named

    inference = target.get_type_inference()
    if not isinstance(inference, TypeInference):
        raise ValidationException(f"{name}.get_type_inference returns {inference!r}; it is to return a TypeInference.")
    if inference.state_type_strategies:
        raise ValidationException(f"{name} is no process table function, and has no state to declare the type of.")
    defaults = _defaults(name, evaluated, [argument.name for argument in inference.static_arguments])
    parameters = []
    for argument in inference.static_arguments:
        where = f"The argument {argument.name!r} of {name}"
        traits = [trait.value for trait in argument.traits] if isinstance(argument, StaticArgument) else []
        data_type = None if argument.data_type is None else type_named(argument.data_type, where)
        if traits != ["SCALAR"] or isinstance(data_type, DescriptorType):
            raise ValidationException(f"{where} is no value; declare it with StaticArgument.scalar.")
        if argument.is_optional and argument.name not in defaults:
            raise ValidationException(f"{where} may be left out, but has no default in the method that takes it.")
        parameters.append(Parameter(argument.name, data_type, argument.is_optional))
    checked_strategy(f"The result of {name}", inference.output_type_strategy)
    return tuple(parameters), OutputOf(kind, name, target, tuple(parameters))


def _defaults(name: str, evaluated: Callable[..., Any], declared: Sequence[str]) -> set[str]:
    """Return which of the declared arguments have a default."""
    kinds = inspect.Parameter
    listed = list(inspect.signature(evaluated).parameters.values())
    leading = 1 if evaluated.__name__ == "accumulate" else 0
    own = listed[leading:]
    if not any(parameter.kind is kinds.VAR_POSITIONAL for parameter in own):
        names = [parameter.name for parameter in own]
        if names != list(declared):
            raise ValidationException(
                f"{name}.{evaluated.__name__} takes [{', '.join(names)}], but get_type_inference declares the "
                f"arguments [{', '.join(declared)}]."
            )
    return {parameter.name for parameter in own if parameter.default is not kinds.empty}


@attrs.frozen(eq=False)
class OutputOf:
    """The type of the result of a call. The function is asked each time, so that this can be pickled as it can."""

    kind: FunctionKind
    name: str
    target: Any
    parameters: tuple[Parameter, ...]

    def __call__(self, context: CallContext) -> LogicalType:
        from tableapi.process_functions.inference import inferred

        parameters = self.parameters
        arguments = tuple([ProcessArgument(p.name, ArgumentKind.SCALAR, p.data_type) for p in parameters])
        given = len(context)
        types = (*context.argument_types, *[p.data_type for p in parameters[given:]])
        values = (*context.arguments, *[None] * (len(parameters) - given))
        call = ProcessCall(self.name, arguments, types, values, (None,) * len(parameters), context)
        strategy = self.target.get_type_inference().output_type_strategy
        found = inferred(f"The result of {self.name}", strategy, call)
        if found is None:
            shown = ", ".join(data_type.as_summary_string() for data_type in context.argument_types)
            where, advice = _surroundings(self.kind, context)
            raise ValidationException(
                f"{self.name} has no result type for ({shown}){where}: its type strategy returned None.{advice}"
            )
        return found


def _surroundings(kind: FunctionKind, context: CallContext) -> tuple[str, str]:
    """Return what a result may follow from beside the arguments, in words, and how to say that."""
    if kind is FunctionKind.AGGREGATE:
        return " over a window" if context.window else " of groups" if context.is_grouped else " of all rows", ""
    if kind is FunctionKind.TABLE:
        return "", ""
    expected = context.expected_output
    if expected is not None:
        return f" where {expected.as_summary_string()} is expected", ""
    advice = " If it follows from the type that is expected, a cast around the call says that: CAST(f(…) AS INT)."
    return " where no type is expected", advice
