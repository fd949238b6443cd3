"""Derive the signature and the definition of a process table function from its class."""

from __future__ import annotations

import functools
import inspect
import typing
import weakref
from typing import Any, get_args, get_origin

import attrs

from ir.errors import ValidationException, did_you_mean
from ir.expressions import ValueLiteral
from ir.functions.definition import NOT_IN_SPARK, Documentation, FunctionDefinition, FunctionKind, UserCode
from ir.functions.process import (
    ArgumentKind,
    MethodSignature,
    ProcessArgument,
    ProcessInputs,
    ProcessSignature,
    StateEntry,
)
from ir.identifiers import FunctionIdentifier
from ir.inference.results import Always
from ir.inference.type_inference import TypeInference as Inference
from ir.literals import literal
from ir.types import DescriptorType, LogicalType, RowType
from tableapi.process_functions.changelogs import OutputWithKinds, read_changelog_modes
from tableapi.process_functions.inference import Fixed, Strategy, check_output, read_type_inference
from tableapi.process_functions.parameters import (
    Written,
    context_hint,
    is_any_row,
    parameters_of,
    row_of,
    split_context,
)
from tableapi.process_functions.parameters import parse_parameter as written_annotation
from tableapi.process_functions.state import state_of
from tableapi.process_functions.traits import check_arguments, check_traits
from tableapi.spark.runtime.adapted_function import AdaptedFunction
from tableapi.spark.runtime.process.declarations import (
    ArgumentTrait,
    ColumnList,
    ProcessTableFunction,
)
from tableapi.user_functions.annotations import row_type_of, type_of
from tableapi.user_functions.declared_types import type_named
from tableapi.user_functions.lifecycle import missing_methods, require_known_methods
from tableapi.user_functions.signatures import overloads_of

_MISSPELLED = {"onTime": "on_timer", "on_time": "on_timer"}
# Python 3.10 has only the first.
_NEVER = (typing.NoReturn, getattr(typing, "Never", typing.NoReturn))
_MANY = (typing.get_origin(typing.Iterator[int]), typing.get_origin(typing.Iterable[int]))


@attrs.frozen(eq=False)
class ProcessFunction:
    """A declared process table function: its code and its signature.

    Attributes:
        name: its name if it is not registered under another one.
        target: an instance of its class.
        signature: its signature.
        is_deterministic: whether equal input rows give equal output rows.
    """

    name: str
    target: ProcessTableFunction
    signature: ProcessSignature
    is_deterministic: bool = True
    kind: FunctionKind = FunctionKind.PROCESS_TABLE

    def definition(self, identifier: FunctionIdentifier | None = None) -> FunctionDefinition:
        """Return the definition with which queries call the function, registered under a name or not."""
        name = self.name if identifier is None else identifier.name
        return FunctionDefinition(
            name,
            FunctionKind.PROCESS_TABLE,
            Inference(ProcessInputs(self.signature), Always(RowType((), nullable=False))),
            name,
            is_deterministic=self.is_deterministic,
            emission=NOT_IN_SPARK,
            user_code=UserCode(identifier=identifier, implementation=self),
            process=self.signature,
            documentation=Documentation(inspect.getdoc(self.target) or ""),
        )

    def __repr__(self) -> str:
        return f"<process table function {self.signature.describe(self.name)}>"


# An unregistered class is the same function as long as a query holds it. The definition keeps a reference to the given
# class or instance, so that its id is not reused.
_declared: weakref.WeakValueDictionary[int, FunctionDefinition] = weakref.WeakValueDictionary()


def is_process_function(given: Any) -> bool:
    """Whether an object is the class of a process table function, or an instance of one."""
    # Use the real class, because an object can override what isinstance() sees.
    cls = type(given)
    return ProcessTableFunction in (given.__mro__ if type in cls.__mro__ else cls.__mro__)


def declare_process_function(given: Any) -> FunctionDefinition:
    """Return the definition of the unregistered function that a class or an instance declares.

    Raises:
        ValidationException: the class does not define a process table function, or declares something unsupported.
    """
    known = _declared.get(id(given))
    if known is None:
        known = _declared[id(given)] = _declare(given).definition()
    return known


def _declare(given: Any) -> ProcessFunction:
    if AdaptedFunction in type(given).__mro__:
        return _declare_adapted(given)
    cls = given if isinstance(given, type) else type(given)
    name = cls.__name__
    target = _instance(given, cls)
    for wrong, right in _MISSPELLED.items():
        if callable(getattr(cls, wrong, None)):
            raise ValidationException(f"{name} has a method {wrong}, which nobody calls. Did you mean {right!r}?")
    require_known_methods(FunctionKind.PROCESS_TABLE, name, cls)
    _require_plain_method(name, cls, "eval")
    wants_context, parameters = split_context(
        f"{name}.eval", parameters_of(f"{name}.eval", target.eval), in_timer=False
    )
    infer = getattr(target, "get_type_inference", None)
    if infer is None:
        states, arguments, output = _read_annotations(name, cls, target, parameters)
    else:
        states, arguments, output = read_type_inference(name, target, parameters)
    arguments, changes = read_changelog_modes(name, target, arguments)
    check_arguments(name, arguments)
    _check_states(name, states, arguments)
    signature = ProcessSignature(
        name,
        tuple(arguments),
        tuple(states),
        OutputWithKinds(name, output) if changes else output,
        wants_context,
        _method(name, cls, target, "on_timer", states),
        _method(name, cls, target, "finish", states),
        _late_method(name, cls, target, arguments),
        changes,
    )
    _check_methods(signature)
    return ProcessFunction(name, target, signature, bool(target.is_deterministic()))


def _declare_adapted(function: AdaptedFunction) -> ProcessFunction:
    """Declare a function of ``udptf``, which has checked the parameters of its methods."""
    name, inference = function.name, function.get_type_inference()
    names = [*inference.state_type_strategies, *[argument.name for argument in inference.static_arguments]]
    states, arguments, output = read_type_inference(name, function, [written_annotation(n, None) for n in names])
    check_arguments(name, arguments)
    _check_states(name, states, arguments)
    has_timers = _is_overridden(type(function), "on_timer")
    timers = MethodSignature(True, tuple([state.name for state in states])) if has_timers else None
    signature = ProcessSignature(name, tuple(arguments), tuple(states), output, True, timers)
    _check_methods(signature)
    return ProcessFunction(name, function, signature, function.is_deterministic())


def _instance(given: Any, cls: type) -> ProcessTableFunction:
    if not issubclass(cls, ProcessTableFunction):
        raise ValidationException(
            f"{given!r} is no process table function: its class does not derive from ProcessTableFunction."
        )
    if not isinstance(given, type):
        return typing.cast(ProcessTableFunction, given)
    missing = sorted(getattr(cls, "__abstractmethods__", ()))
    if missing:
        raise ValidationException(missing_methods(cls, missing))
    try:
        return cls()
    except TypeError as error:
        raise ValidationException(
            f"The class {cls.__name__} cannot be instantiated without arguments: {error}. Pass an instance."
        ) from None


def _require_plain_method(name: str, cls: type, method: str) -> None:
    found = inspect.getattr_static(cls, method)
    if not callable(getattr(cls, method)):
        raise ValidationException(f"{name}.{method} is {found!r}, and no method.")
    plain = found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
    if isinstance(plain, (functools.singledispatchmethod, functools.partialmethod)) or not callable(plain):
        raise ValidationException(
            "Process table functions require a non-overloaded, non-vararg, and static signature, but "
            f"{name}.{method} is a {type(plain).__name__}."
        )
    if overloads_of(plain):
        raise ValidationException(
            "Process table functions require a non-overloaded, non-vararg, and static signature, but "
            f"{name}.{method} is overloaded."
        )
    if inspect.iscoroutinefunction(plain) or inspect.isasyncgenfunction(plain):
        raise ValidationException(
            f"{name}.{method} is a coroutine: it would never be awaited. Write it with def alone."
        )


# --- annotations -----------------------------------------------------------------------------------------------------


def _read_annotations(
    name: str, cls: type, target: ProcessTableFunction, parameters: list[Written]
) -> tuple[list[StateEntry], list[ProcessArgument], Strategy]:
    states: list[StateEntry] = []
    arguments: list[ProcessArgument] = []
    for parameter in parameters:
        if not parameter.is_state:
            arguments.append(_argument(name, parameter))
        elif arguments:
            raise ValidationException(
                f"{name}.eval takes the state {parameter.name!r} after the argument {arguments[-1].name!r}; the order "
                "is context, states, arguments."
            )
        else:
            states.append(state_of(name, parameter))
    return states, arguments, Fixed(_output(name, cls, target))


def _argument(function: str, parameter: Written) -> ProcessArgument:
    hint = parameter.hint
    name = parameter.name if hint is None or hint.name is None else hint.name
    where = f"The argument {parameter.name!r} of {function}"
    traits = check_traits(function, name, parameter.traits)
    names = frozenset(trait.value for trait in traits)
    is_optional = parameter.is_optional or (hint is not None and hint.is_optional)
    if ArgumentTrait.SCALAR not in traits:
        data_type, conversion = row_of(where, parameter)
        return ProcessArgument(name, ArgumentKind.TABLE, data_type, names, is_optional, None, conversion)
    if parameter.inner is None:
        raise ValidationException(
            f"{where} has no annotation, so that nothing is known of it. A table is annotated with TableAsSet[Row] or "
            "TableAsRow[Row], a value with its type, state with State[…], the context, which comes first, with Context."
        )
    if parameter.inner is ColumnList:
        if parameter.is_optional and parameter.default is not None:
            raise ValidationException(f"{where} is a list of columns, whose default is None alone.")
        nullable = DescriptorType(nullable=parameter.is_nullable or is_optional)
        return ProcessArgument(name, ArgumentKind.DESCRIPTOR, nullable, names, is_optional)
    if is_any_row(parameter.inner) and parameter.inner is not Any and (hint is None or hint.type is None):
        raise ValidationException(
            f"{where} is annotated with Row alone. A table is marked as one: TableAsSet[Row] or TableAsRow[Row]."
        )
    data_type = _scalar_type(where, parameter)
    default = _default(where, parameter, data_type)
    return ProcessArgument(name, ArgumentKind.SCALAR, data_type, names, is_optional, default, parameter.inner)


def _scalar_type(where: str, parameter: Written) -> LogicalType | None:
    hint = parameter.hint
    if hint is not None and hint.type is not None:
        return type_named(hint.type, where)
    try:
        found = type_of(_resolve_annotation(parameter))
    except ValidationException as error:
        raise ValidationException(f"{where}: {error}") from None
    return found.as_nullable() if found is not None and parameter.is_nullable else found


def _resolve_annotation(parameter: Written) -> Any:
    """Return the annotation of a parameter together with the data types in its metadata."""
    if not parameter.data_types:
        return parameter.inner
    # Type checkers take a starred item of a subscript as the syntax of Python 3.11.
    arguments = (parameter.inner, *parameter.data_types)
    return typing.Annotated[arguments]


def _default(where: str, parameter: Written, data_type: LogicalType | None) -> ValueLiteral | None:
    if not parameter.is_optional or parameter.default is None:
        return None
    try:
        return literal(parameter.default, data_type)
    except ValidationException as error:
        raise ValidationException(f"{where} has a default that is no constant of its type: {error}") from None


# --- output ----------------------------------------------------------------------------------------------------------


def _output(name: str, cls: type, target: ProcessTableFunction) -> LogicalType:
    hint = getattr(cls, "_output_hint", None)
    if hint is not None:
        return check_output(name, type_named(hint, f"function_hint of {name}"))
    found: LogicalType | None = None
    first = ""
    for method in ("eval", "on_timer", "finish", "on_late"):
        if not _is_overridden(cls, method):
            continue
        annotation = typing.get_type_hints(getattr(target, method), include_extras=True).get("return")
        try:
            output = _output_type(annotation)
        except ValidationException as error:
            raise ValidationException(f"The output of {name}.{method}: {error}") from None
        if output is None:
            continue
        if found is not None and not found.same_type(output):
            raise ValidationException(
                f"{name} gives {found.as_summary_string()} by {first}, but {output.as_summary_string()} by {method}; "
                "all rows of a function have one type."
            )
        found, first = found or output, first or method
    if found is None:
        raise ValidationException(
            f"The type of the output of {name} is not known: annotate eval (-> Iterator[Result]), say it with "
            "@function_hint(output='ROW<…>'), or infer it of the call with get_type_inference."
        )
    return check_output(name, found)


def _output_type(annotation: Any) -> LogicalType | None:
    whole = written_annotation("", annotation)
    inner = whole.inner
    if (is_any_row(inner) and not whole.data_types) or inner is type(None):
        return None
    if get_origin(inner) in (*_MANY, typing.get_origin(typing.Generator[int, None, None]), list):
        arguments = get_args(inner)
        row = written_annotation("", arguments[0])
        of_row = row.inner
        if (is_any_row(of_row) and not row.data_types) or of_row in _NEVER:
            return None
    elif inner in (list, tuple):
        return None
    return row_type_of(annotation)


# --- methods ---------------------------------------------------------------------------------------------------------


def _is_overridden(cls: type, method: str) -> bool:
    return getattr(cls, method) is not getattr(ProcessTableFunction, method)


def _method(
    name: str, cls: type, target: ProcessTableFunction, method: str, states: list[StateEntry]
) -> MethodSignature | None:
    if not _is_overridden(cls, method):
        return None
    _require_plain_method(name, cls, method)
    shown = f"{name}.{method}"
    wants_context, rest = split_context(
        shown, parameters_of(shown, getattr(target, method)), in_timer=method == "on_timer"
    )
    known = [state.name for state in states]
    for parameter in rest:
        if parameter.name not in known:
            raise ValidationException(
                f"{shown} takes {parameter.name!r}, which is no state of eval; it takes a context, and those of the "
                f"states [{', '.join(known)}] that it names."
                + (
                    context_hint(rest, known, "OnTimerContext" if method == "on_timer" else "Context")
                    or did_you_mean(parameter.name, known)
                )
            )
    return MethodSignature(wants_context, tuple([parameter.name for parameter in rest]))


def _late_method(
    name: str, cls: type, target: ProcessTableFunction, arguments: list[ProcessArgument]
) -> MethodSignature | None:
    if not _is_overridden(cls, "on_late"):
        return None
    _require_plain_method(name, cls, "on_late")
    shown = f"{name}.on_late"
    wants_context, rest = split_context(shown, parameters_of(shown, target.on_late), in_timer=False)
    given = [p.name if p.hint is None or p.hint.name is None else p.hint.name for p in rest]
    known = [argument.name for argument in arguments]
    for parameter in given:
        if parameter not in known:
            raise ValidationException(
                f"{shown} takes {parameter!r}, which is no argument of eval; it takes a context, and those of the "
                f"arguments [{', '.join(known)}] that it names, but no state."
                + (context_hint(rest, known) or did_you_mean(parameter, known))
            )
    missing = [argument.name for argument in arguments if argument.is_table and argument.name not in given]
    if missing:
        raise ValidationException(
            f"{shown} does not take the table {missing[0]!r}, whose rows may be late, too. Add the parameter."
        )
    return MethodSignature(wants_context, arguments=tuple(given))


def _check_states(name: str, states: list[StateEntry], arguments: list[ProcessArgument]) -> None:
    labels: set[str] = set()
    for state in states:
        if state.label in labels:
            raise ValidationException(f"{name} has two states named {state.label!r}.")
        labels.add(state.label)
    if states and not any(argument.is_set for argument in arguments):
        raise ValidationException(
            f"{name} has the state {states[0].name!r}, but no table with set semantics: state belongs to a partition. "
            f"Declare a table as {ArgumentTrait.TABLE_AS_SET.name}."
        )


def _check_methods(signature: ProcessSignature) -> None:
    name, tables = signature.name, signature.tables
    by_row = [table.name for table in tables if not table.is_set]
    passing = [table.name for table in tables if table.passes_through]
    if signature.on_timer is not None:
        problem = (
            "there is no table with set semantics, and timers belong to a partition"
            if by_row or not tables
            else f"{passing[0]!r} passes columns through, and a timer has no row"
            if passing
            else None
        )
        if problem is not None:
            raise ValidationException(
                f"Timers are not supported in the current PTF declaration. {name} has on_timer, but {problem}."
            )
    if signature.on_late is not None and (by_row or not tables):
        problem = (
            f"the rows of {by_row[0]!r} are seen one by one, and none is late"
            if by_row
            else "there is no table, and so no row that may be late"
        )
        raise ValidationException(f"{name} has on_late, but {problem}.")
    if signature.finish is not None and (by_row or passing):
        problem = (
            f"the rows of {by_row[0]!r} are seen one by one, wherever that may be"
            if by_row
            else f"{passing[0]!r} passes columns through, and the end has no row"
        )
        raise ValidationException(f"{name} has finish, but {problem}.")
