"""Signatures from ``get_type_inference``, and the types that its strategies infer for calls."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ir.errors import ValidationException
from ir.functions.process import ArgumentKind, ProcessArgument, ProcessCall, StateEntry, StateKind
from ir.types import DescriptorType, LogicalType, RowType
from tableapi.process_functions.parameters import Written, context_hint, parse_parameter, row_of
from tableapi.process_functions.state import check_defaults, check_ttl, check_type, make_fields_nullable
from tableapi.process_functions.traits import check_traits
from tableapi.process_functions.type_inference import StaticArgument, TypeInference
from tableapi.spark.runtime.process.declarations import ArgumentTrait, ListView, ProcessTableFunction, StateHint
from tableapi.user_functions.declared_types import check_strategy, infer_type, require_sendable, type_named
from tableapi.user_functions.signatures import call_type_inference, check_declaration, validate

Strategy = Callable[[ProcessCall], LogicalType | None]


@attrs.frozen
class Fixed:
    """The same type for every call."""

    data_type: LogicalType

    def __call__(self, call: ProcessCall) -> LogicalType:
        return self.data_type


@attrs.frozen(eq=False)
class OutputOf:
    """The output type of a call. Its strategy is read from the class each time: it may not be picklable."""

    name: str
    target: ProcessTableFunction

    def __call__(self, call: ProcessCall) -> LogicalType | None:
        inference = _inference_of(self.target)
        validate(self.name, inference, call, call.get_argument_data_types())
        found = infer_type(f"The output of {self.name}", inference.output_type_strategy, call)
        return None if found is None else check_output(self.name, found)


@attrs.frozen(eq=False)
class StateOf:
    """The type of a state for a call."""

    where: str
    target: ProcessTableFunction
    state: str
    kind: StateKind

    def __call__(self, call: ProcessCall) -> LogicalType | None:
        hint = _hint(_inference_of(self.target), self.state)
        found = infer_type(self.where, hint.type, call)
        if found is None:
            return None
        found = check_type(self.where, found, self.kind)
        if self.kind is not StateKind.VALUE:
            return found
        row = make_fields_nullable(found, hint.defaults)
        check_defaults(self.where, row, hint.defaults)
        return row


def _inference_of(target: ProcessTableFunction) -> TypeInference:
    return target.get_type_inference()  # type: ignore[attr-defined, no-any-return]  # callers check that it exists


def _hint(inference: TypeInference, state: str) -> StateHint:
    given = inference.state_type_strategies[state]
    return given if isinstance(given, StateHint) else StateHint(type=given)


def check_output(name: str, output: LogicalType) -> LogicalType:
    """Check the output type of a function and return it.

    Raises:
        ValidationException: Spark cannot receive such values from Python, or the type is a row without fields.
    """
    require_sendable(name, output)
    if isinstance(output, RowType) and not output.fields:
        raise ValidationException(f"The output of {name} is a row without fields; it has at least one.")
    return output.not_null() if isinstance(output, RowType) else output


def read_type_inference(
    name: str, target: ProcessTableFunction, parameters: list[Written]
) -> tuple[list[StateEntry], list[ProcessArgument], Strategy]:
    """Return the states, the arguments and the output that ``get_type_inference`` declares.

    Raises:
        ValidationException: the declaration is unsupported, or does not match the parameters of ``eval``.
    """
    inference = call_type_inference(name, target)
    check_declaration(name, inference)
    if inference.input_type_strategy is not None:
        raise ValidationException(
            f"get_type_inference of {name} has an input_type_strategy, but the arguments of a process table function "
            "are found by their names: declare them with static_arguments."
        )
    for argument in inference.static_arguments:
        if not isinstance(argument, StaticArgument):
            raise ValidationException(
                f"get_type_inference of {name} declares the argument {argument!r}; arguments are made with "
                "StaticArgument.scalar, StaticArgument.descriptor and StaticArgument.table."
            )
    expected = [*inference.state_type_strategies, *[argument.name for argument in inference.static_arguments]]
    given = [parameter.name for parameter in parameters]
    if given != expected:
        raise ValidationException(
            f"{name}.eval takes [{', '.join(given)}] beside its context, but get_type_inference declares the states "
            f"and arguments [{', '.join(expected)}]."
            + (context_hint(parameters, expected) if given[1:] == expected else "")
        )
    views = {parameter.name: parameter.view for parameter in parameters}
    states = [_state(name, target, inference, state, views[state]) for state in inference.state_type_strategies]
    arguments = [_argument(name, argument) for argument in inference.static_arguments]
    check_strategy(f"The output of {name}", inference.output_type_strategy)
    return states, arguments, OutputOf(name, target)


def _argument(function: str, given: StaticArgument) -> ProcessArgument:
    where = f"The argument {given.name!r} of {function}"
    traits = check_traits(function, given.name, given.traits)
    names = frozenset(trait.value for trait in traits)
    if ArgumentTrait.SCALAR in traits:
        data_type = type_named(given.data_type, where)
        kind = ArgumentKind.DESCRIPTOR if isinstance(data_type, DescriptorType) else ArgumentKind.SCALAR
        return ProcessArgument(given.name, kind, data_type, names, given.is_optional)
    row: LogicalType | None
    if isinstance(given.data_type, (LogicalType, str)):
        row, conversion = type_named(given.data_type, where), None
    else:
        row, conversion = row_of(where, parse_parameter(given.name, given.data_type))
    return ProcessArgument(given.name, ArgumentKind.TABLE, row, names, given.is_optional, None, conversion)


def _state(
    function: str, target: ProcessTableFunction, inference: TypeInference, name: str, view: type | None
) -> StateEntry:
    where = f"The state {name!r} of {function}"
    hint = _hint(inference, name)
    check_strategy(where, hint.type)
    kind = StateKind.VALUE if view is None else StateKind.LIST if view is ListView else StateKind.MAP
    ttl = check_ttl(where, hint.ttl)
    return StateEntry(name, kind, StateOf(where, target, name, kind), view, hint.defaults, ttl, hint.name or name)
