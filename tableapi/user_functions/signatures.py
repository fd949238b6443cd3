"""Signatures of user-defined functions beyond a single set of annotations: overloads and inferred types."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ir.errors import ValidationException
from ir.functions.definition import FunctionKind, Monotonicity
from ir.functions.process import ArgumentKind, ProcessArgument, ProcessCall
from ir.inference.call_context import CallContext
from ir.inference.type_inference import ArgumentTypeStrategy, InputTypeStrategy
from ir.types import DescriptorType, LogicalType
from tableapi.inference import check_inputs, is_argument_strategy, is_input_strategy, sequence_of
from tableapi.process_functions.type_inference import StaticArgument, TypeInference
from tableapi.user_functions.annotations import list_parameters
from tableapi.user_functions.declared_types import Parameter, check_strategy, infer_type, type_named

Output = Callable[[CallContext], LogicalType]


def overloads_of(evaluated: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return the signatures that ``typing.overload`` declares for a function or method; empty without overloads.

    Python 3.10 does not record them. There, only signatures declared by ``typing_extensions.overload`` are found.
    """
    function = getattr(evaluated, "__func__", evaluated)
    if not hasattr(function, "__qualname__") or not hasattr(function, "__module__"):
        return []
    recording: Any = typing if hasattr(typing, "get_overloads") else sys.modules.get("typing_extensions")
    return [] if recording is None else list(recording.get_overloads(function))


def _check_monotonicity(name: str, inference: TypeInference, parameters: Sequence[Parameter]) -> None:
    is_variadic = any(parameter.is_variadic for parameter in parameters)
    if len(inference.monotonicity) > len(parameters) and not is_variadic:
        raise ValidationException(
            f"get_type_inference of {name} has the monotonicity of {len(inference.monotonicity)} arguments, but there "
            f"are {len(parameters)}."
        )


def read_type_inference(
    kind: FunctionKind, name: str, target: Any, evaluated: Callable[..., Any]
) -> tuple[tuple[Parameter, ...], Output]:
    """Return the parameters and the result that ``get_type_inference`` of a class declares.

    Raises:
        ValidationException: the declaration is unsupported, or does not match the parameters of the method.
    """
    inference = call_type_inference(name, target)
    check_declaration(name, inference)
    if inference.state_type_strategies:
        raise ValidationException(f"{name} is no process table function, and has no state to declare the type of.")
    if not inference.has_static_arguments:
        of_method = _read_method(name, evaluated, inference)
        _check_monotonicity(name, inference, of_method)
        check_strategy(f"The result of {name}", inference.output_type_strategy)
        return of_method, OutputOf(kind, name, target, of_method)
    defaults = _defaults(name, evaluated, [argument.name for argument in inference.static_arguments])
    parameters = []
    for argument in inference.static_arguments:
        where = f"The argument {argument.name!r} of {name}"
        traits = [trait.value for trait in argument.traits] if isinstance(argument, StaticArgument) else []
        data_type = None
        if is_input_strategy(argument.data_type):
            raise ValidationException(
                f"{where}: a strategy for one argument is expected, but one for all arguments was given. That is the "
                "input_type_strategy of the TypeInference."
            )
        if argument.data_type is not None and not is_argument_strategy(argument.data_type):
            data_type = type_named(argument.data_type, where)
        if traits != ["SCALAR"] or isinstance(data_type, DescriptorType):
            raise ValidationException(f"{where} is no value; declare it with StaticArgument.scalar.")
        if argument.is_optional and argument.name not in defaults:
            raise ValidationException(f"{where} may be left out, but has no default in the method that takes it.")
        parameters.append(Parameter(argument.name, data_type, argument.is_optional))
    check_strategy(f"The result of {name}", inference.output_type_strategy)
    _check_monotonicity(name, inference, parameters)
    return tuple(parameters), OutputOf(kind, name, target, tuple(parameters))


def _defaults(name: str, evaluated: Callable[..., Any], declared: Sequence[str]) -> set[str]:
    """Return the declared arguments that have a default."""
    kinds = inspect.Parameter
    listed = list_parameters(evaluated)
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


def call_type_inference(name: str, target: Any) -> TypeInference:
    """Return the result of ``get_type_inference`` of a class.

    Raises:
        ValidationException: the method fails, or does not return a TypeInference.
    """
    try:
        inference = target.get_type_inference()
    except ValidationException as error:
        raise ValidationException(f"{name}.get_type_inference: {error}") from None
    except Exception as error:
        raise ValidationException(f"{name}.get_type_inference failed with {type(error).__name__}: {error}.") from error
    if not isinstance(inference, TypeInference):
        raise ValidationException(f"{name}.get_type_inference returns {inference!r}; it is to return a TypeInference.")
    return inference


def check_declaration(name: str, inference: TypeInference) -> None:
    """Check that the parts of a TypeInference are consistent and of the right kinds.

    Raises:
        ValidationException: a part is inconsistent or of a wrong kind; the message has its value and the expected one.
    """
    where = f"get_type_inference of {name}"
    if inference.output_type_strategy is None:
        raise ValidationException(f"{where} has no output_type_strategy, which is the type of the result.")
    if inference.input_type_strategy is not None:
        if inference.has_static_arguments:
            raise ValidationException(
                f"{where} has both static_arguments and an input_type_strategy. The one declares arguments one by one, "
                "the other all of them together: keep one."
            )
        check_inputs(f"The input_type_strategy of {name}", inference.input_type_strategy)
    if inference.validator is not None and not callable(inference.validator):
        raise ValidationException(
            f"{where} has the validator {inference.validator!r}, which cannot be called. A validator takes the call, "
            "and returns None or why the call is refused."
        )
    for one in inference.monotonicity:
        if one is not None and not isinstance(one, Monotonicity):
            raise ValidationException(
                f"{where} has the monotonicity {one!r}; it is Monotonicity.INCREASING, Monotonicity.DECREASING or None "
                "for each argument."
            )


def _read_method(name: str, evaluated: Callable[..., Any], inference: TypeInference) -> tuple[Parameter, ...]:
    """Return the parameters of a method, each of any type.

    Raises:
        ValidationException: the strategy accepts no argument count that the method takes.
    """
    kinds = inspect.Parameter
    listed = list_parameters(evaluated)[1 if evaluated.__name__ == "accumulate" else 0 :]
    places = [p for p in listed if p.kind not in (kinds.KEYWORD_ONLY, kinds.VAR_KEYWORD)]
    parameters = [Parameter(p.name, None, p.default is not kinds.empty, p.kind is kinds.VAR_POSITIONAL) for p in places]
    strategy = inference.input_type_strategy
    fixed = [p for p in parameters if not p.is_variadic]
    counts = range(
        sum(not p.is_optional for p in fixed), (_MOST_COUNTED if len(fixed) < len(parameters) else len(fixed)) + 1
    )
    if strategy is not None and not any(map(strategy.accepts_count, counts)):
        raise ValidationException(
            f"{name}.{evaluated.__name__} takes [{', '.join(map(str, places))}], but the input_type_strategy accepts "
            f"{strategy.describe_counts()}: {' or '.join(strategy.signatures(name))}."
        )
    return tuple(parameters)


_MOST_COUNTED = 32


def _expand(parameters: tuple[Parameter, ...], count: int) -> tuple[Parameter, ...]:
    """Return one parameter for each argument of a call, by repeating a variadic parameter."""
    if not parameters or not parameters[-1].is_variadic:
        return parameters
    *fixed, rest = parameters
    further = [attrs.evolve(rest, name=f"{rest.name}{i}", is_variadic=False) for i in range(count - len(fixed))]
    return (*fixed, *further)


def validate(name: str, inference: TypeInference, call: ProcessCall, types: Sequence[LogicalType]) -> None:
    """Check a call with the validator of a function.

    Raises:
        ValidationException: the validator returns a reason, returns anything else, or fails.
    """
    if inference.validator is None:
        return
    try:
        reason = inference.validator(call)
    except ValidationException:
        raise
    except Exception as error:
        raise ValidationException(f"The validator of {name} failed with {type(error).__name__}: {error}.") from error
    if reason is None:
        return
    if not isinstance(reason, str):
        raise ValidationException(
            f"The validator of {name} returned {reason!r}; it returns None, or as text why the call is refused."
        )
    shown = ", ".join(data_type.as_summary_string() for data_type in types)
    raise ValidationException(f"Invalid call of {name}({shown}): {reason.rstrip('.')}.")


def inputs_of(target: Any) -> InputTypeStrategy | None:
    """Return the strategy for all arguments that a class declares; None if each argument has a type or takes any."""
    inference: TypeInference = target.get_type_inference()
    if inference.input_type_strategy is not None:
        return inference.input_type_strategy
    if any(is_argument_strategy(argument.data_type) for argument in inference.static_arguments):
        return sequence_of(inference.static_arguments)
    return None


@attrs.frozen(eq=False, repr=False)
class InferredInputs:
    """The input strategy that a class declares, restricted to the argument counts that its method takes.

    The strategy is read from the class each time, because it may not be picklable.
    """

    name: str
    target: Any
    parameters: tuple[Parameter, ...]

    @property
    def strategy(self) -> InputTypeStrategy:
        """The strategy that the class declares."""
        found = inputs_of(self.target)
        assert found is not None
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple([parameter.name for parameter in self.parameters if not parameter.is_variadic])

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        return self.strategy.infer_inputs(context)

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        return self.strategy.strategy_for(position)

    def accepts_count(self, count: int) -> bool:
        fixed = [parameter for parameter in self.parameters if not parameter.is_variadic]
        least = sum(not parameter.is_optional for parameter in fixed)
        fits = count >= least and (count <= len(fixed) or len(fixed) < len(self.parameters))
        return fits and self.strategy.accepts_count(count)

    def describe_counts(self) -> str:
        return self.strategy.describe_counts()

    def signatures(self, name: str) -> Sequence[str]:
        return self.strategy.signatures(name)


@attrs.frozen(eq=False)
class OutputOf:
    """The result type of a call. Its strategy is read from the class each time, because it may not be picklable."""

    kind: FunctionKind
    name: str
    target: Any
    parameters: tuple[Parameter, ...]

    def __call__(self, context: CallContext) -> LogicalType:
        given = len(context)
        parameters = _expand(self.parameters, given)
        arguments = tuple([ProcessArgument(p.name, ArgumentKind.SCALAR, p.data_type) for p in parameters])
        types = (*context.argument_types, *[p.data_type for p in parameters[given:]])
        values = (*context.arguments, *[None] * (len(parameters) - given))
        call = ProcessCall(self.name, arguments, types, values, (None,) * len(parameters), context)
        inference = self.target.get_type_inference()
        validate(context.name, inference, call, context.argument_types)
        found = infer_type(f"The result of {self.name}", inference.output_type_strategy, call)
        if found is None:
            shown = ", ".join(data_type.as_summary_string() for data_type in context.argument_types)
            where, advice = _surroundings(self.kind, context)
            raise ValidationException(
                f"{self.name} has no result type for ({shown}){where}: its type strategy returned None.{advice}"
            )
        return found


def _surroundings(kind: FunctionKind, context: CallContext) -> tuple[str, str]:
    """Describe the surroundings of a call that its result type may depend on, and advise how to state them."""
    if kind is FunctionKind.AGGREGATE:
        return " over a window" if context.window else " of groups" if context.is_grouped else " of all rows", ""
    if kind is FunctionKind.TABLE:
        return "", ""
    expected = context.expected_output
    if expected is not None:
        return f" where {expected.as_summary_string()} is expected", ""
    advice = " If it follows from the type that is expected, a cast around the call says that: CAST(f(…) AS INT)."
    return " where no type is expected", advice
