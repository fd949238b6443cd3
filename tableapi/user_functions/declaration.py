"""Declaration of user-defined functions: parameters, types, and the definition that queries call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

import attrs

from ir import types as t
from ir.call_expressions import Call
from ir.errors import ValidationException, listing
from ir.expressions import ValueLiteral
from ir.functions.collected import CollectedRows
from ir.functions.definition import (
    NOT_IN_SPARK,
    AggregateTraits,
    Documentation,
    FunctionDefinition,
    FunctionKind,
    Monotonicity,
    UserCode,
)
from ir.identifiers import FunctionIdentifier
from ir.inference.arguments import ANY, Explicit, Family
from ir.inference.call_context import CallContext
from ir.inference.inputs import Positional
from ir.inference.intervals import Interval
from ir.inference.overloads import Overloaded
from ir.inference.results import Always, Computed
from ir.inference.type_inference import ArgumentTypeStrategy, StaticArgument, TypeInference, TypeStrategy
from ir.literals import literal
from ir.types import LogicalType, RowField, RowType
from tableapi.async_functions.declaration import options_of
from tableapi.async_functions.options import NO_OPTIONS, AsyncOptions
from tableapi.members.type_arguments import TypeLike
from tableapi.spark.runtime import base
from tableapi.spark.runtime.process.declarations import ArgumentHint, ArgumentTrait
from tableapi.user_functions.annotations import hints_of, list_parameters, row_type_of, type_of
from tableapi.user_functions.code import require_code, require_methods
from tableapi.user_functions.declared_types import Parameter, require_sendable, type_named
from tableapi.user_functions.lifecycle import missing_methods, require_known_methods
from tableapi.user_functions.signatures import InferredInputs, Output, inputs_of, overloads_of, read_type_inference

_METHODS: dict[FunctionKind, tuple[str, str, int]] = {
    FunctionKind.SCALAR: ("eval", "eval", 0),
    FunctionKind.ASYNC_SCALAR: ("eval", "eval", 0),
    FunctionKind.TABLE: ("eval", "eval", 0),
    FunctionKind.AGGREGATE: ("accumulate", "get_value", 1),
    FunctionKind.TABLE_AGGREGATE: ("accumulate", "emit_value", 1),
}
"""By kind: the method that takes the arguments, the method with the result, and how many parameters to skip."""

BASES: dict[FunctionKind, type[base.UserDefinedFunction]] = {
    FunctionKind.SCALAR: base.ScalarFunction,
    FunctionKind.ASYNC_SCALAR: base.AsyncScalarFunction,
    FunctionKind.TABLE: base.TableFunction,
    FunctionKind.AGGREGATE: base.AggregateFunction,
    FunctionKind.TABLE_AGGREGATE: base.TableAggregateFunction,
}
FuncType = Literal["general", "pandas", "arrow"]
ARROW, GENERAL, PANDAS = "arrow", "general", "pandas"
FUNC_TYPES: tuple[str, ...] = get_args(FuncType)


@attrs.frozen(eq=False)
class UserFunction:
    """A declared user-defined function: its code and its signature.

    Attributes:
        kind: the kind of function, such as scalar or aggregate.
        name: its name if it is not registered under another one.
        target: a function, or an instance of the class of its kind.
        parameters: its parameters.
        result: the type of its value, or of one row of its table.
        func_type: ``general`` for values of one row at a time, ``pandas`` or ``arrow`` for whole columns.
        is_deterministic: whether equal arguments give equal results.
        options: the options of an asynchronous function that the declaration sets.
        overloads: for several signatures, the function with each of them; its own signature is then the first one.
        output: infers the result type of a call, if that is not always ``result``.
    """

    kind: FunctionKind
    name: str
    target: Any
    parameters: tuple[Parameter, ...]
    result: LogicalType
    func_type: str = GENERAL
    is_deterministic: bool = True
    options: AsyncOptions = NO_OPTIONS
    overloads: tuple[UserFunction, ...] = ()
    output: Output | None = None
    # Copies of the function with the result types of its calls.
    _by_result: dict[LogicalType, UserFunction] = attrs.field(factory=dict, init=False, repr=False)

    def of_call(self, call: Call) -> UserFunction:
        """Return the function with the signature and the result type of a call."""
        if self.overloads:
            return self._overload(CallContext.of(self.name, call.arguments))
        if self.output is None:
            return self
        known = self._by_result.get(call.type_)
        if known is None:
            known = self._by_result[call.type_] = attrs.evolve(self, result=call.type_, output=None)
        return known

    def _overload(self, context: CallContext) -> UserFunction:
        inputs = self._inputs()
        chosen = inputs.choice(context) if isinstance(inputs, Overloaded) else None
        assert chosen is not None
        return self.overloads[chosen]

    def _inputs(self) -> Positional | Overloaded | InferredInputs:
        if self.overloads:
            return Overloaded(tuple([overload._inputs() for overload in self.overloads]))
        if self.output is not None and inputs_of(self.target) is not None:
            return InferredInputs(self.name, self.target, self.parameters)
        fixed = [parameter for parameter in self.parameters if not parameter.is_variadic]
        variadic = [parameter for parameter in self.parameters if parameter.is_variadic]
        return Positional(
            tuple([_strategy(parameter) for parameter in fixed]),
            sum(parameter.is_optional for parameter in fixed),
            _strategy(variadic[0]) if variadic else None,
            tuple([parameter.name for parameter in fixed]),
        )

    def _result(self) -> TypeStrategy:
        if self.output is not None or self.overloads:
            return Computed(self._result_of)
        return Always(self._as_given(self.result))

    def _result_of(self, context: CallContext) -> LogicalType:
        if self.output is not None:
            return self._as_given(_check_result(self.kind, self.name, self.output(context)))
        return self._as_given(self._overload(context).result)

    def _as_given(self, result: LogicalType) -> LogicalType:
        # Spark treats the result of any Python function as nullable.
        return result.not_null() if self.gives_rows else result.as_nullable()

    def _static_arguments(self) -> tuple[StaticArgument, ...] | None:
        fixed = [p for p in self.parameters if not p.is_variadic]
        if self.overloads:
            several = [[p.name for p in overload.parameters if not p.is_variadic] for overload in self.overloads]
            if any(names != several[0] for names in several):
                # A name alone does not determine the overload.
                return None
            return tuple([StaticArgument(p.name, None, p.is_optional, default=p.default) for p in fixed])
        return tuple([StaticArgument(p.name, p.data_type, p.is_optional, default=p.default) for p in fixed])

    def definition(self, identifier: FunctionIdentifier | None = None) -> FunctionDefinition:
        """Return the definition with which queries call the function, registered under a name or not."""
        name = self.name if identifier is None else identifier.name
        definition = FunctionDefinition(
            name,
            FunctionKind.TABLE if self.gives_rows else self.kind,
            self._inference(),
            name,
            is_deterministic=self.is_deterministic,
            emission=NOT_IN_SPARK,
            aggregation=AggregateTraits(supports_distinct=self.kind is FunctionKind.AGGREGATE),
            user_code=UserCode(identifier=identifier, implementation=self),
            monotonicity=self._monotonicity(),
            documentation=Documentation(inspect.getdoc(self.target) or ""),
        )
        if self.kind is not FunctionKind.TABLE_AGGREGATE:
            return definition
        of_rows = attrs.evolve(
            definition, kind=FunctionKind.AGGREGATE, aggregation=AggregateTraits(supports_distinct=True)
        )
        rows = CollectedRows(tuple([parameter.data_type for parameter in self.parameters]))
        return attrs.evolve(
            definition,
            inference=TypeInference(rows, self._result()),
            aggregation=attrs.evolve(definition.aggregation, of_rows=of_rows),
        )

    def _inference(self) -> TypeInference:
        # The type of a call may depend on its surroundings. An aggregate is computed in a step of its own, which the
        # surrounding expression does not belong to.
        is_inferred = self.output is not None and not self.gives_rows
        of_usage = is_inferred and self.kind is FunctionKind.AGGREGATE
        return TypeInference(
            self._inputs(),
            self._result(),
            self._static_arguments(),
            of_usage=of_usage,
            of_expected_output=is_inferred and not of_usage,
        )

    def _monotonicity(self) -> tuple[Monotonicity | None, ...]:
        return () if self.output is None else tuple(self.target.get_type_inference().monotonicity)

    @property
    def gives_rows(self) -> bool:
        """Whether the function returns rows instead of one value."""
        return self.kind in (FunctionKind.TABLE, FunctionKind.TABLE_AGGREGATE)


def _strategy(parameter: Parameter) -> ArgumentTypeStrategy:
    data_type = parameter.data_type
    if data_type is None:
        return ANY
    if data_type.as_nullable() == _INTERVAL:
        # A timedelta fits every day-time interval, whatever its fields.
        return Family(_INTERVAL.as_summary_string(), (t.DayTimeIntervalType,), (_INTERVAL,))
    if isinstance(data_type, t.IntervalType):
        return Interval(data_type.as_nullable())
    return Explicit(data_type.as_nullable())


_INTERVAL = t.DayTimeIntervalType()


def declare(
    kind: FunctionKind,
    given: Any,
    *,
    input_types: Sequence[TypeLike] | TypeLike | None = None,
    result_type: Sequence[TypeLike] | TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = GENERAL,
    options: Mapping[str, Any] | None = None,
) -> UserFunction:
    """Declare a function from a callable, a class or an instance of a class.

    Explicit types take precedence over annotations.

    Raises:
        ValidationException: the object does not define a function of the kind, a type is unknown, or the types do not
            fit the parameters.
    """
    if func_type not in FUNC_TYPES:
        raise ValidationException(f"func_type is one of {', '.join(map(repr, FUNC_TYPES))}, but was {func_type!r}.")
    target = _instance(kind, given)
    called = name or _name_of(given)
    _require_code(kind, called, target, func_type)
    taking, giving, leading = _METHODS[kind]
    is_class = isinstance(target, base.UserDefinedFunction)
    evaluated: Callable[..., Any] = getattr(target, taking) if is_class else target
    result_of: Callable[..., Any] = getattr(target, giving) if is_class else target
    leading = leading if is_class else 0
    declared = None if input_types is None else _types(input_types, f"input_types of {called}")
    if is_class and hasattr(target, "get_type_inference") and (declared is not None or result_type is not None):
        given_types = "input_types" if declared is not None else "result_type"
        raise ValidationException(
            f"{called} declares its types with get_type_inference, but was given {given_types} as well. Leave out one "
            "of them."
        )
    signatures: list[tuple[tuple[Parameter, ...], LogicalType]] = []
    output: Output | None = None
    if declared is None and result_type is None and func_type == GENERAL:
        of_values = leading + (1 if inspect.ismethod(evaluated) else 0)
        for variant in overloads_of(evaluated):
            given_result = variant if taking == giving else result_of
            signatures.append(
                (
                    _parameters(called, variant, of_values, None, func_type),
                    _result(kind, called, target, given_result, None, func_type),
                )
            )
        if is_class and hasattr(target, "get_type_inference"):
            parameters, output = read_type_inference(kind, called, target, evaluated)
            # The result type depends on the call.
            signatures = [(parameters, t.NULL)]
    if kind is FunctionKind.TABLE_AGGREGATE and (len(signatures) > 1 or output is not None):
        raise ValidationException(
            f"The table aggregate {called} has one signature: its columns are known before it is called. Annotate "
            "accumulate and emit_value, or give the types to udtaf."
        )
    if not signatures:
        parameters = _parameters(called, evaluated, leading, declared, func_type)
        signatures = [(parameters, _result(kind, called, target, result_of, result_type, func_type))]
    is_deterministic = deterministic
    if is_deterministic is None:
        is_deterministic = bool(target.is_deterministic()) if is_class else True
    settings = NO_OPTIONS
    if kind is FunctionKind.ASYNC_SCALAR:
        settings = options_of(called, target, func_type, is_deterministic, options or {})
    elif options:
        raise ValidationException(
            f"{called} is no asynchronous function, and has no {listing(list(options))}: write it with 'async def'."
        )
    made = [
        UserFunction(kind, called, target, parameters, result, func_type, is_deterministic, settings, (), output)
        for parameters, result in signatures
    ]
    return made[0] if len(made) == 1 else attrs.evolve(made[0], overloads=tuple(made))


def _instance(kind: FunctionKind, given: Any) -> Any:
    wanted = BASES[kind]
    if isinstance(given, type):
        if not issubclass(given, wanted):
            raise ValidationException(
                f"The class {given.__name__} does not derive from {wanted.__name__}, as a function of its kind does."
            )
        missing = sorted(getattr(given, "__abstractmethods__", ()))
        if missing:
            raise ValidationException(missing_methods(given, missing))
        try:
            return given()
        except TypeError as error:
            raise ValidationException(
                f"The class {given.__name__} cannot be instantiated without arguments: {error}. Pass an instance."
            ) from None
    if isinstance(given, base.UserDefinedFunction):
        if not isinstance(given, wanted):
            raise ValidationException(
                f"{type(given).__name__} is no {wanted.__name__}. Use the decorator of its kind, for example "
                "udtf for a TableFunction."
            )
        return given
    if not callable(given):
        raise ValidationException(f"{given!r} is neither a function nor a {wanted.__name__}.")
    return given


def _require_code(kind: FunctionKind, name: str, target: Any, func_type: str) -> None:
    if isinstance(target, base.UserDefinedFunction):
        require_known_methods(kind, name, type(target))
        require_methods(kind, name, target)
        return
    require_code(kind, name, target)
    if kind is FunctionKind.TABLE_AGGREGATE or (kind is FunctionKind.AGGREGATE and func_type == GENERAL):
        columns = (
            ""
            if kind is FunctionKind.TABLE_AGGREGATE
            else ", or give func_type='pandas' or 'arrow' where it is one of whole columns"
        )
        raise ValidationException(
            f"{name} is an ordinary function, which has no accumulator: derive a class from {BASES[kind].__name__}"
            f"{columns}."
        )


def _name_of(given: Any) -> str:
    if isinstance(given, base.UserDefinedFunction):
        return type(given).__name__
    name = getattr(given, "__name__", None) or type(given).__name__
    return "function" if name == "<lambda>" else str(name)


def _types(given: Sequence[TypeLike] | TypeLike, what: str) -> list[LogicalType]:
    listed = list(given) if isinstance(given, Iterable) and not isinstance(given, (LogicalType, str)) else [given]
    for one in listed:
        if hasattr(type(one), "infer_inputs") or hasattr(type(one), "infer_argument"):
            raise ValidationException(
                f"{what}: a type is expected, but a strategy was given. Strategies are for get_type_inference of a "
                "class."
            )
    types = [type_named(one, what) for one in listed]
    if any(isinstance(one, t.DescriptorType) for one in types):
        raise ValidationException(
            f"{what}: DESCRIPTOR is the type of an argument of a process table function only, which names columns."
        )
    return types


def _parameters(
    name: str, evaluated: Callable[..., Any], leading: int, declared: list[LogicalType] | None, func_type: str
) -> tuple[Parameter, ...]:
    kinds = inspect.Parameter
    try:
        listed = list_parameters(evaluated)[leading:]
    except (TypeError, ValueError):
        # Built-in functions written in C have no signature.
        if declared is None:
            raise ValidationException(f"{name} does not say what it takes; give its input_types.") from None
        return tuple([Parameter(f"a{i}", data_type) for i, data_type in enumerate(declared)])
    hints = {} if func_type != GENERAL else hints_of(evaluated)
    by_name = [p for p in listed if p.kind is kinds.KEYWORD_ONLY and p.default is kinds.empty]
    if by_name:
        raise ValidationException(f"{name} takes {by_name[0].name!r} only by its name; a call has it by its position.")
    found: list[Parameter] = []
    places = [p for p in listed if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD, kinds.VAR_POSITIONAL)]
    for position, given in enumerate(places):
        is_variadic = given.kind is kinds.VAR_POSITIONAL
        if declared is not None and is_variadic:
            rest = declared[position:]
            found += [Parameter(f"{given.name}{i}", data_type) for i, data_type in enumerate(rest)]
            return tuple(found)
        if declared is not None and position >= len(declared) and given.default is kinds.empty:
            raise ValidationException(
                f"{name} takes {len(places)} arguments, but input_types has {len(declared)}; {given.name!r} has none."
            )
        if declared is not None:
            if position >= len(declared):
                break
            data_type: LogicalType | None = declared[position]
        else:
            hint = hints.get(given.name)
            _refuse_tables(name, given.name, hint)
            data_type = (
                None if hint is None else _read_annotation(f"The parameter {given.name!r} of {name}", type_of, hint)
            )
            if data_type is not None and given.default is None:
                data_type = data_type.as_nullable()
        is_optional = given.default is not kinds.empty
        default = _constant(given.default) if is_optional else None
        found.append(Parameter(given.name, data_type, is_optional, is_variadic, default))
    if declared is not None and len(declared) > len(places):
        raise ValidationException(f"{name} takes {len(places)} arguments, but input_types has {len(declared)}.")
    return tuple(found)


def _read_annotation(what: str, means: Callable[[Any], LogicalType | None], annotation: Any) -> LogicalType | None:
    try:
        return means(annotation)
    except ValidationException as error:
        raise ValidationException(f"{what}: {error}") from None


def _refuse_tables(name: str, parameter: str, annotation: Any) -> None:
    """Check that an argument is not declared as a table, which only process table functions support."""
    beside = getattr(annotation, "__metadata__", ())
    traits = [trait for hint in beside if isinstance(hint, ArgumentHint) for trait in hint.traits]
    tables = [trait.name for trait in (*traits, *beside) if isinstance(trait, ArgumentTrait)]
    if any(trait != ArgumentTrait.SCALAR.name for trait in tables):
        raise ValidationException(
            f"Only scalar arguments are supported at this location. But argument {parameter!r} of {name} declared the "
            f"following traits: [{', '.join(tables)}]. A function of tables derives from ProcessTableFunction."
        )


def _constant(default: Any) -> ValueLiteral | None:
    """Return a default as a SQL constant; None for a value that has no constant, such as a list."""
    try:
        return literal(default)
    except ValidationException:
        return None


def _result(
    kind: FunctionKind,
    name: str,
    target: Any,
    result_of: Callable[..., Any],
    given: Sequence[TypeLike] | TypeLike | None,
    func_type: str,
) -> LogicalType:
    gives_rows = kind in (FunctionKind.TABLE, FunctionKind.TABLE_AGGREGATE)
    if given is None and hasattr(target, "get_result_type"):
        given = target.get_result_type()
    if given is None:
        annotation = hints_of(result_of).get("return") if func_type == GENERAL else None
        found = _read_annotation(f"The result of {name}", row_type_of if gives_rows else type_of, annotation)
        if found is None:
            raise ValidationException(
                f"The type of the result of {name} is not known: annotate it (-> int), or give result_type"
                f"{'s' if kind is FunctionKind.TABLE else ''} to the decorator."
            )
    else:
        types = _types(given, f"result_type of {name}")
        if not gives_rows and len(types) != 1:
            raise ValidationException(f"{name} gives one value, but result_type has {len(types)} types.")
        found = types[0] if len(types) == 1 else _row([*types])
    return _check_result(kind, name, found)


def _check_result(kind: FunctionKind, name: str, found: LogicalType) -> LogicalType:
    """Check the result type of a function and return it; if the function returns rows, it is a row type.

    Raises:
        ValidationException: Spark cannot receive such values from Python.
    """
    if kind in (FunctionKind.TABLE, FunctionKind.TABLE_AGGREGATE) and not isinstance(found, RowType):
        found = _row([found])
    require_sendable(name, found)
    return found


def _row(types: Sequence[LogicalType]) -> RowType:
    return RowType(tuple([RowField(f"f{i}", data_type) for i, data_type in enumerate(types)]))
