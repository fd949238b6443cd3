"""Lower asynchronous calls for Spark: a stage becomes one session function that returns a row of all results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import attrs

from ir import types as t
from ir.call_expressions import Call
from ir.calls import call as make_call
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.collection import GET
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.logic import CASE
from ir.identifiers import FunctionIdentifier, fold
from ir.inference.arguments import ANY
from ir.inference.inputs import varying
from ir.inference.results import Always
from ir.inference.type_inference import TypeInference
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.types import LogicalType, RowField, RowType
from tableapi.async_functions.options import AsyncOptions
from tableapi.spark.planner.asynchronous.calc import AsyncCalc
from tableapi.spark.planner.asynchronous.call_guards import async_function, direct_call
from tableapi.user_functions.declaration import UserFunction


class Configured(NamedTuple):
    """A function with its effective options."""

    function: UserFunction
    options: AsyncOptions


class StageCall(NamedTuple):
    """A call of a stage: the positions of its function, its arguments (each a call or a column), and its guard."""

    function: int
    arguments: tuple[tuple[bool, int], ...]
    guard: int | None


@attrs.frozen
class StageProgram:
    """The program of a stage, as registered with the session; equal programs are registered once."""

    functions: tuple[Configured, ...]
    calls: tuple[StageCall, ...]
    kept: tuple[int, ...]
    result: LogicalType
    is_ordered: bool = True
    is_value: bool = False
    is_synchronous: bool = False

    @property
    def results(self) -> tuple[LogicalType, ...]:
        """The types of the results; those of several calls are the fields of a row."""
        if self.is_value or not isinstance(self.result, RowType):
            return (self.result,)
        return tuple([field.data_type for field in self.result.fields])


Configure = Callable[[UserFunction, FunctionIdentifier | None], AsyncOptions]
Name = Callable[[StageProgram, Sequence[ResolvedExpression]], tuple[str, Sequence[ResolvedExpression]]]


def lower_calc(calc: AsyncCalc, configure: Configure, name: Name) -> QueryOperation:
    """Lower an AsyncCalc to ordinary operations.

    Args:
        calc: the operation, over an input that contains no AsyncCalc.
        configure: returns the options of a function.
        name: registers a stage with the session, and returns its name and the arguments in the form in which they are
            sent.
    """
    functions: dict[Configured, int] = {}
    given: dict[ResolvedExpression, int] = {}
    calls: list[StageCall] = []
    places = {call: i for i, call in enumerate(calc.calls)}
    for call, guard in zip(calc.calls, calc.guards, strict=True):
        function = async_function(call)
        assert function is not None
        position = functions.setdefault(
            Configured(function, configure(function, call.function.user_code.identifier)), len(functions)
        )
        arguments = []
        for argument in call.arguments:
            inner = direct_call(argument)
            if inner is not None:
                arguments.append((True, places[inner]))
            else:
                arguments.append((False, given.setdefault(_guard(argument, guard), len(given))))
        guard_position = None if guard is None else given.setdefault(guard, len(given))
        calls.append(StageCall(position, tuple(arguments), guard_position))
    columns = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(calc.input.schema.columns)]
    kept: list[int] = []
    if not calc.is_ordered:
        kept = [given.setdefault(column, len(given)) for column in columns]
    results = [call.type_.as_nullable() for call in calc.calls]
    types = [*results, *[column.data_type for column in columns if kept]]
    row = RowType(tuple([RowField(f"f{i}", data_type.as_nullable()) for i, data_type in enumerate(types)]))
    program = StageProgram(tuple(functions), tuple(calls), tuple(kept), row, calc.is_ordered)
    made = _call(*name(program, list(given) or [literal(0)]), row)
    return _unpack(calc, made, columns, is_kept=bool(kept))


def _guard(argument: ResolvedExpression, guard: ResolvedExpression | None) -> ResolvedExpression:
    """Guard an argument, so that it is computed only for rows that reach the call: it may fail for others."""
    if guard is None or isinstance(argument, (FieldReference, ValueLiteral)):
        return argument
    return make_call(CASE, (guard, argument))


def _unpack(calc: AsyncCalc, made: Call, columns: Sequence[FieldReference], *, is_kept: bool) -> QueryOperation:
    """Return a projection that calls the stage, below a projection that turns the fields of its result into columns."""
    beside: list[ResolvedExpression] = [] if is_kept else [*columns]
    row_name = "__async"
    taken = {fold(column.name) for column in columns}
    while fold(row_name) in taken:
        row_name += "_"
    stage = Project(calc.input, (*beside, made), (*([] if is_kept else [column.name for column in columns]), row_name))
    row = FieldReference(row_name, made.type_, 0, len(beside))
    count = len(calc.calls)

    def field(position: int) -> ResolvedExpression:
        return make_call(GET, (row, literal(f"f{position}")))

    carried = [field(count + i) for i in range(len(columns))] if is_kept else [*beside]
    return Project(stage, (*carried, *[field(i) for i in range(count)]), calc.schema.names)


def lower_in_place(call: Call, configure: Configure, name: Name) -> Call:
    """Lower a call that stays within its expression; each task makes such calls one after the other."""
    function = async_function(call)
    assert function is not None
    one = Configured(function, configure(function, call.function.user_code.identifier))
    arguments = tuple([(False, i) for i in range(len(call.arguments))])
    data_type = call.type_.as_nullable()
    program = StageProgram((one,), (StageCall(0, arguments, None),), (), data_type, is_value=True, is_synchronous=True)
    return _call(*name(program, list(call.arguments) or [literal(0)]), data_type)


def _call(name: str, arguments: Sequence[ResolvedExpression], data_type: LogicalType) -> Call:
    definition = FunctionDefinition(
        name, FunctionKind.SCALAR, TypeInference(varying(ANY), Always(data_type)), name, is_deterministic=False
    )
    return Call(definition, tuple(arguments), data_type)


UNSENDABLE = (t.YearMonthIntervalType, t.VariantType, t.NullType)
"""Types of columns that cannot make the round trip through Python."""
