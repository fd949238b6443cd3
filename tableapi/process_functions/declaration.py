"""From the class of a process table function to its signature, and to the definition that queries call."""

from __future__ import annotations

import functools
import inspect
import typing
import weakref
from collections.abc import Callable
from typing import Any, get_args, get_origin

import attrs

from ir.errors import ValidationException, did_you_mean
from ir.expressions import ValueLiteral
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.process import (
    ArgumentKind,
    MethodSignature,
    ProcessArgument,
    ProcessCall,
    ProcessInputs,
    ProcessSignature,
    StateEntry,
    StateKind,
)
from ir.identifiers import FunctionIdentifier
from ir.inference.results import Always
from ir.inference.type_inference import TypeInference as Inference
from ir.literals import literal
from ir.types import DescriptorType, LogicalType, RowType
from tableapi.process_functions.parameters import Written, parameters_of, split_context
from tableapi.process_functions.parameters import written as written_annotation
from tableapi.process_functions.state import checked_defaults, checked_ttl, checked_type, state_of, with_nulls
from tableapi.process_functions.traits import check_arguments, checked_traits
from tableapi.process_functions.type_inference import StaticArgument, TypeInference, TypeStrategy
from tableapi.spark.runtime.process.declarations import (
    ArgumentTrait,
    ColumnList,
    ListView,
    ProcessTableFunction,
    StateHint,
)
from tableapi.types import Row
from tableapi.user_functions.annotations import row_type_of, type_of
from tableapi.user_functions.declaration import require_sendable, type_named

_MISSPELLED = {"onTimer": "on_timer", "ontimer": "on_timer", "onTime": "on_timer", "on_time": "on_timer"}
_MANY = (typing.get_origin(typing.Iterator[int]), typing.get_origin(typing.Iterable[int]))


@attrs.frozen(eq=False)
class ProcessFunction:
    """A process table function of a user: its code, and what it declares.

    Attributes:
        name: what it is called where it has no other name.
        target: an instance of its class.
        signature: its signature.
        is_deterministic: whether equal rows give equal rows.
    """

    name: str
    target: ProcessTableFunction
    signature: ProcessSignature
    is_deterministic: bool = True
    kind: FunctionKind = FunctionKind.PROCESS_TABLE

    def definition(self, identifier: FunctionIdentifier | None = None) -> FunctionDefinition:
        """Return the definition by which queries call the function, under a name or without one."""
        name = self.name if identifier is None else identifier.name
        return FunctionDefinition(
            name,
            FunctionKind.PROCESS_TABLE,
            Inference(ProcessInputs(self.signature), Always(RowType((), nullable=False))),
            name,
            is_deterministic=self.is_deterministic,
            in_spark=False,
            identifier=identifier,
            implementation=self,
            process=self.signature,
            doc=inspect.getdoc(self.target) or "",
        )

    def __repr__(self) -> str:
        return f"<process table function {self.signature.describe(self.name)}>"


# A class that is called without a name is one function for as long as a query holds it. Of each, the definition holds
# the class or the instance that was given, so that its id is not another's.
_declared: weakref.WeakValueDictionary[int, FunctionDefinition] = weakref.WeakValueDictionary()


def is_process_function(given: Any) -> bool:
    """Whether something is the class of a process table function, or an instance of one."""
    return isinstance(given, ProcessTableFunction) or (
        isinstance(given, type) and issubclass(given, ProcessTableFunction)
    )


def declare_process_function(given: Any) -> FunctionDefinition:
    """Return the function that a class or an instance of one declares, by the definition that it has without a name.

    Raises:
        ValidationException: the class is no process table function, or declares something that is not possible.
    """
    known = _declared.get(id(given))
    if known is None:
        known = _declared[id(given)] = _declare(given).definition()
    return known


def _declare(given: Any) -> ProcessFunction:
    cls = given if isinstance(given, type) else type(given)
    name = cls.__name__
    target = _instance(given, cls)
    for wrong, right in _MISSPELLED.items():
        if callable(getattr(cls, wrong, None)):
            raise ValidationException(f"{name} has a method {wrong}, which nobody calls. Did you mean {right!r}?")
    _require_plain_method(name, cls, "eval")
    wants_context, parameters = split_context(
        f"{name}.eval", parameters_of(f"{name}.eval", target.eval), in_timer=False
    )
    infer = getattr(target, "get_type_inference", None)
    if infer is None:
        states, arguments, output = _of_annotations(name, cls, target, parameters)
    else:
        states, arguments, output = _of_inference(name, infer(), parameters)
    check_arguments(name, arguments)
    _check_states(name, states, arguments)
    signature = ProcessSignature(
        name,
        tuple(arguments),
        tuple(states),
        output,
        wants_context,
        _method(name, cls, target, "on_timer", states),
        _method(name, cls, target, "finish", states),
    )
    _check_methods(signature)
    return ProcessFunction(name, target, signature, bool(target.is_deterministic()))


def _instance(given: Any, cls: type) -> ProcessTableFunction:
    if not issubclass(cls, ProcessTableFunction):
        raise ValidationException(
            f"{given!r} is no process table function: its class does not derive from ProcessTableFunction."
        )
    if not isinstance(given, type):
        return typing.cast(ProcessTableFunction, given)
    missing = sorted(getattr(cls, "__abstractmethods__", ()))
    if missing:
        raise ValidationException(f"The class {cls.__name__} does not have the method {', '.join(missing)}.")
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
    if typing.get_overloads(plain):
        raise ValidationException(
            "Process table functions require a non-overloaded, non-vararg, and static signature, but "
            f"{name}.{method} is overloaded."
        )
    if inspect.iscoroutinefunction(plain) or inspect.isasyncgenfunction(plain):
        raise ValidationException(
            f"{name}.{method} is a coroutine: it would never be awaited. Write it with def alone."
        )


# --- annotations -----------------------------------------------------------------------------------------------------


def _of_annotations(
    name: str, cls: type, target: ProcessTableFunction, parameters: list[Written]
) -> tuple[list[StateEntry], list[ProcessArgument], Callable[[ProcessCall], LogicalType | None]]:
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
    return states, arguments, _fixed(_output(name, cls, target))


def _argument(function: str, parameter: Written) -> ProcessArgument:
    hint = parameter.hint
    name = parameter.name if hint is None or hint.name is None else hint.name
    where = f"The argument {parameter.name!r} of {function}"
    traits = checked_traits(function, name, parameter.traits)
    names = frozenset(trait.value for trait in traits)
    is_optional = parameter.is_optional or (hint is not None and hint.is_optional)
    if ArgumentTrait.SCALAR not in traits:
        data_type, conversion = _row_of(where, parameter)
        return ProcessArgument(name, ArgumentKind.TABLE, data_type, names, is_optional, None, conversion)
    if parameter.inner is None:
        raise ValidationException(
            f"{where} has no annotation, so that nothing is known of it. A table is annotated with TableAsSet[Row] or "
            "TableAsRow[Row], a value with its type, state with State[…]."
        )
    if parameter.inner is ColumnList:
        if parameter.is_optional and parameter.default is not None:
            raise ValidationException(f"{where} is a list of columns, whose default is None alone.")
        nullable = DescriptorType(nullable=parameter.is_nullable or is_optional)
        return ProcessArgument(name, ArgumentKind.DESCRIPTOR, nullable, names, is_optional)
    if _is_any_row(parameter.inner) and parameter.inner is not Any and (hint is None or hint.type is None):
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
        found = type_of(_with_types(parameter))
    except ValidationException as error:
        raise ValidationException(f"{where}: {error}") from None
    return found.as_nullable() if found is not None and parameter.is_nullable else found


def _with_types(parameter: Written) -> Any:
    """Return the annotation of a parameter, with the data types that were said beside it."""
    if not parameter.data_types:
        return parameter.inner
    return typing.Annotated[(parameter.inner, *parameter.data_types)]


def _default(where: str, parameter: Written, data_type: LogicalType | None) -> ValueLiteral | None:
    if not parameter.is_optional or parameter.default is None:
        return None
    try:
        return literal(parameter.default, data_type)
    except ValidationException as error:
        raise ValidationException(f"{where} has a default that is no constant of its type: {error}") from None


def _row_of(where: str, parameter: Written) -> tuple[LogicalType | None, Any]:
    """Return the type of the rows of a table, None for any, and the class of the objects that they become."""
    hint = parameter.hint
    if hint is not None and hint.type is not None:
        return type_named(hint.type, where), None
    for given in parameter.data_types:
        if isinstance(given, LogicalType):
            return given, None
    if _is_any_row(parameter.inner):
        return None, None
    try:
        return type_of(parameter.inner), parameter.inner
    except ValidationException:
        shown = getattr(parameter.inner, "__name__", None) or str(parameter.inner)
        raise ValidationException(
            f"Typed table arguments must use a composite type (i.e. row or structured type), but {where[0].lower()}"
            f"{where[1:]} is annotated with {shown}. Use a data class or a NamedTuple, or Row for any table."
        ) from None


def _is_any_row(annotation: Any) -> bool:
    """Whether an annotation stands for any row: none, Any, or the class of rows, here or in PySpark."""
    if annotation is None or annotation is Any or isinstance(annotation, typing.TypeVar) or annotation is Row:
        return True
    named = (getattr(annotation, "__module__", ""), getattr(annotation, "__name__", ""))
    return named == ("pyspark.sql.types", "Row")


# --- output ----------------------------------------------------------------------------------------------------------


def _output(name: str, cls: type, target: ProcessTableFunction) -> LogicalType:
    hint = getattr(cls, "_output_hint", None)
    if hint is not None:
        return _checked_output(name, type_named(hint, f"function_hint of {name}"))
    found: LogicalType | None = None
    first = ""
    for method in ("eval", "on_timer", "finish"):
        if not _overridden(cls, method):
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
    return _checked_output(name, found)


def _output_type(annotation: Any) -> LogicalType | None:
    whole = written_annotation("", annotation)
    inner = whole.inner
    if (_is_any_row(inner) and not whole.data_types) or inner is type(None):
        return None
    if get_origin(inner) in (*_MANY, typing.get_origin(typing.Generator[int, None, None]), list):
        arguments = get_args(inner)
        row = written_annotation("", arguments[0])
        of_row = row.inner
        if (_is_any_row(of_row) and not row.data_types) or of_row is typing.NoReturn or of_row is typing.Never:
            return None
    elif inner in (list, tuple):
        return None
    return row_type_of(annotation)


def _checked_output(name: str, output: LogicalType) -> LogicalType:
    require_sendable(name, output)
    if isinstance(output, RowType) and not output.fields:
        raise ValidationException(f"The output of {name} is a row without fields; it has at least one.")
    return output.not_null() if isinstance(output, RowType) else output


def _fixed(output: LogicalType) -> Callable[[ProcessCall], LogicalType | None]:
    return lambda call: output


# --- inference -------------------------------------------------------------------------------------------------------


def _of_inference(
    name: str, inference: Any, parameters: list[Written]
) -> tuple[list[StateEntry], list[ProcessArgument], Callable[[ProcessCall], LogicalType | None]]:
    if not isinstance(inference, TypeInference):
        raise ValidationException(f"{name}.get_type_inference returns {inference!r}; it is to return a TypeInference.")
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
        )
    views = {parameter.name: parameter.view for parameter in parameters}
    states = [_declared_state(name, s, views[s], given) for s, given in inference.state_type_strategies.items()]
    arguments = [_static_argument(name, argument) for argument in inference.static_arguments]
    strategy = _strategy(f"The output of {name}", inference.output_type_strategy)

    def output(call: ProcessCall) -> LogicalType | None:
        found = strategy(call)
        return None if found is None else _checked_output(name, found)

    return states, arguments, output


def _static_argument(function: str, given: StaticArgument) -> ProcessArgument:
    where = f"The argument {given.name!r} of {function}"
    traits = checked_traits(function, given.name, given.traits)
    names = frozenset(trait.value for trait in traits)
    if ArgumentTrait.SCALAR in traits:
        data_type = type_named(given.data_type, where)
        kind = ArgumentKind.DESCRIPTOR if isinstance(data_type, DescriptorType) else ArgumentKind.SCALAR
        return ProcessArgument(given.name, kind, data_type, names, given.is_optional)
    if isinstance(given.data_type, (LogicalType, str)):
        row, conversion = type_named(given.data_type, where), None
    else:
        row, conversion = _row_of(where, written_annotation(given.name, given.data_type))  # type: ignore[assignment]
    return ProcessArgument(given.name, ArgumentKind.TABLE, row, names, given.is_optional, None, conversion)


def _declared_state(function: str, name: str, view: type | None, given: TypeStrategy | StateHint) -> StateEntry:
    where = f"The state {name!r} of {function}"
    hint = given if isinstance(given, StateHint) else StateHint(type=given)
    kind = StateKind.VALUE if view is None else StateKind.LIST if view is ListView else StateKind.MAP
    strategy = _strategy(where, hint.type)
    ttl = checked_ttl(where, hint.ttl)

    def infer(call: ProcessCall) -> LogicalType | None:
        found = strategy(call)
        if found is None:
            return None
        found = checked_type(where, found, kind)
        if kind is not StateKind.VALUE:
            return found
        row = with_nulls(found, hint.defaults)
        checked_defaults(where, row, hint.defaults)
        return row

    return StateEntry(name, kind, infer, view, hint.defaults, ttl, hint.name or name)


def _strategy(where: str, given: TypeStrategy) -> Callable[[ProcessCall], LogicalType | None]:
    if isinstance(given, (LogicalType, str)):
        known = type_named(given, where)
        return lambda call: known
    if not callable(given):
        raise ValidationException(f"{where} has the type strategy {given!r}, which is neither a type nor a function.")

    def infer(call: ProcessCall) -> LogicalType | None:
        try:
            found = given(call)
        except ValidationException:
            raise
        except Exception as error:
            raise ValidationException(
                f"{where} has a type strategy that failed with {type(error).__name__}: {error}."
            ) from error
        return None if found is None else type_named(found, where)

    return infer


# --- methods ---------------------------------------------------------------------------------------------------------


def _overridden(cls: type, method: str) -> bool:
    return getattr(cls, method) is not getattr(ProcessTableFunction, method)


def _method(
    name: str, cls: type, target: ProcessTableFunction, method: str, states: list[StateEntry]
) -> MethodSignature | None:
    if not _overridden(cls, method):
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
                f"states [{', '.join(known)}] that it names." + did_you_mean(parameter.name, known)
            )
    return MethodSignature(wants_context, tuple([parameter.name for parameter in rest]))


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
    if signature.finish is not None and (by_row or passing):
        problem = (
            f"the rows of {by_row[0]!r} are seen one by one, wherever that may be"
            if by_row
            else f"{passing[0]!r} passes columns through, and the end has no row"
        )
        raise ValidationException(f"{name} has finish, but {problem}.")
