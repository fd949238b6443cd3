"""Checks that the resolution of a query could have built the tree of a document.

Each call is resolved again from its arguments, by the functions that resolve the calls of queries, and must be the same
call. Each reference must mean an existing column of its type. So no type is taken on trust from a document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir.call_expressions import Call, Over
from ir.calls import Clauses, call
from ir.contents import AGGREGATE, OVER, QUERY
from ir.errors import TableException
from ir.expressions import (
    DescriptorLiteral,
    FieldReference,
    Lambda,
    ResolvedExpression,
    SortOrder,
    SymbolLiteral,
    TypeLiteral,
)
from ir.frames import FrameBound, FrameUnit
from ir.functions.definition import FunctionKind
from ir.identifiers import fold
from ir.implicit_notices import suppress_notices
from ir.inference.usage import ALONE, Usage, usage_of_cells, usage_of_groups
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.pivot import Pivot
from ir.resolution.expected_types import can_expect_type, find_cast_target
from ir.resolution.lambdas import parameter_types
from ir.resolution.subqueries import require_outer_columns
from ir.resolution.windows.frames import make_bound
from ir.resolution.windows.over import build_over, usage_over
from ir.rewriting import free_variables, make_lambda
from ir.schema import ResolvedSchema
from ir.types import IntType, LogicalType
from serializer.tree_json.classes import operation_records
from serializer.tree_json.kinds import Record
from serializer.tree_json.mistakes import Mistake, locate
from serializer.tree_json.operation_checks import check_counts, check_meaning, find_scopes

_NO_VALUES = (SortOrder, Lambda, TypeLiteral, SymbolLiteral, DescriptorLiteral, TableReference)
# The fields whose expressions may be calls of each kind of function. Calls of scalar functions may be anywhere.
_PLACES = {
    FunctionKind.AGGREGATE: {("Aggregate", "aggregates"), ("Pivot", "aggregates")},
    FunctionKind.TABLE: {("LateralJoin", "right")},
    FunctionKind.OTHER: {("Aggregate", "group_keys"), ("Project", "projections")},
}
_SCALAR = (FunctionKind.SCALAR, FunctionKind.ASYNC_SCALAR)
# The class of the expressions in fields that may hold something else than values.
_OWN_FORMS = {("LateralJoin", "right"): TableReference, ("ProcessTable", "scalars"): DescriptorLiteral}

_Scopes = tuple[ResolvedSchema, ...]


class Checker:
    """Checks operations as they are read. A part that operations over equal inputs share is checked once."""

    def __init__(self) -> None:
        self._checked: set[tuple[object, ...]] = set()

    def check_expression(self, made: ResolvedExpression) -> None:
        """Check the parts of an expression, independent of the operation that contains it."""
        if isinstance(made, Lambda):
            _check_lambda(made)
        held: tuple[ResolvedExpression, ...] = ()
        if isinstance(made, Call):
            if any(isinstance(argument, (SortOrder, DescriptorLiteral)) for argument in made.arguments):
                raise Mistake(f"An argument of {made.function.sql_name} is not a value.")
            held = () if made.filter is None else (made.filter,)
        elif isinstance(made, SortOrder):
            held = (made.expression,)
        elif isinstance(made, Over):
            held = made.partition_by
        elif isinstance(made, Lambda):
            held = (made.body,)
        for part in held:
            _require_value(part)

    def check_fields(self, record: Record, values: dict[str, Any]) -> None:
        """Check the references in the fields of an operation, before the operation is built."""
        check_counts(record, values)
        for field in record.fields:
            with locate(field.key):
                scopes = find_scopes(record.name, field.name, values)
                for node in field.kind.nodes(values[field.name]):
                    if isinstance(node, ResolvedExpression):
                        self._check_references(node, scopes)

    def _check_references(self, expression: ResolvedExpression, scopes: _Scopes) -> None:
        stack = [expression]
        while stack:
            part = stack.pop()
            if (part, scopes) in self._checked:
                continue
            self._checked.add((part, scopes))
            if isinstance(part, FieldReference):
                _check_reference(part, scopes)
            stack += part.children

    def check_expressions(self, made: QueryOperation) -> None:
        """Check the calls in the fields of an operation, whose types decide about its schema."""
        usage = _find_usage(made)
        for name, expression in _list_expressions(made):
            with locate(name):
                place = (type(made).__name__, name)
                if not isinstance(expression, (SortOrder, _OWN_FORMS.get(place, SortOrder))):
                    _require_value(expression)
                self._check_calls(expression, place, usage)

    def check_operation(self, made: QueryOperation) -> None:
        """Check an operation whose expressions have been checked."""
        if made.canonical() is not made:
            raise Mistake(f"The {type(made).__name__} changes nothing. Omit it.")
        try:
            for expression in made.expressions:
                if expression.contents & QUERY:
                    require_outer_columns(expression, [read.schema for read in made.inputs])
            with suppress_notices():
                check_meaning(made)
        except TableException as error:
            raise Mistake(str(error)) from None

    def _check_calls(self, expression: ResolvedExpression, place: tuple[str, str], usage: Usage) -> None:
        free = free_variables(expression)
        if free:
            raise Mistake(f"The lambda variable {min(v.name for v in free)!r} is outside of its lambda.")
        is_free = place in _PLACES[FunctionKind.AGGREGATE] or place[1] == "projections"
        if not is_free and expression.contents & (AGGREGATE | OVER):
            raise Mistake(
                f"{expression!r} contains an aggregate or a call over a window, which this field does not accept."
            )
        found: list[tuple[ResolvedExpression, ResolvedExpression | None, LogicalType | None]] = []
        stack: list[tuple[ResolvedExpression, ResolvedExpression | None]] = [(expression, None)]
        while stack:
            part, parent = stack.pop()
            expected = find_cast_target(parent) if can_expect_type(part) else None
            key = (part, usage, expected, place if parent is None else None)
            if key in self._checked:
                continue
            self._checked.add(key)
            found.append((part, parent, expected))
            stack += [(child, part) for child in part.children]
        # A wrong type of an argument is reported there and not where it is used.
        for part, parent, expected in reversed(found):
            try:
                if isinstance(part, Call):
                    _check_place(part, parent, place)
                    _check_call(part, usage, expected)
                elif isinstance(part, Over):
                    _check_over(part)
            except Mistake as mistake:
                mistake.node = part
                raise


def _find_usage(operation: QueryOperation) -> Usage:
    if isinstance(operation, Aggregate):
        return usage_of_groups(operation.group_keys)
    return usage_of_cells(operation.group_columns) if isinstance(operation, Pivot) else ALONE


def _list_expressions(operation: QueryOperation) -> list[tuple[str, ResolvedExpression]]:
    """Return the expressions in the fields of an operation, each with the name of its field."""
    found = []
    for field in operation_records()[type(operation).__name__].fields:
        nodes = field.kind.nodes(getattr(operation, field.attribute))
        found += [(field.key, node) for node in nodes if isinstance(node, ResolvedExpression)]
    return found


def _require_value(expression: ResolvedExpression) -> None:
    if isinstance(expression, _NO_VALUES):
        raise Mistake(f"A value is expected, but a {type(expression).__name__} was given.")


def _check_reference(reference: FieldReference, scopes: _Scopes) -> None:
    if not 0 <= reference.input_index < len(scopes):
        numbers = f"are numbered 0 to {len(scopes) - 1}" if scopes else "have no columns"
        raise Mistake(
            f"The column {reference.name!r} is of the input {reference.input_index}, but the inputs of this "
            f"field {numbers}."
        )
    columns = scopes[reference.input_index].columns
    if not 0 <= reference.index < len(columns):
        raise Mistake(
            f"The column {reference.name!r} has the position {reference.index}, but the input has {len(columns)} "
            "columns."
        )
    column = columns[reference.index]
    if column.name != reference.name or column.data_type is not reference.type_:
        raise Mistake(
            f"The column at position {reference.index} of the input is {column!r}, but the reference is to "
            f"{reference.name!r} of type {reference.type_!r}."
        )


def _check_lambda(made: Lambda) -> None:
    if make_lambda(made.parameters, made.body) is not made:
        raise Mistake("A parameter of the lambda has the name of a column in its body.")
    names = {fold(parameter.name) for parameter in made.parameters}
    if len(names) < len(made.parameters):
        raise Mistake("Two parameters of the lambda have the same name.")
    outer = free_variables(made.body).difference(made.parameters)
    hidden = sorted(variable.name for variable in outer if fold(variable.name) in names)
    if hidden:
        raise Mistake(
            f"The body of the lambda refers to a variable {hidden[0]!r} of another type than its parameter of that "
            "name."
        )


def _check_place(part: Call, parent: ResolvedExpression | None, place: tuple[str, str]) -> None:
    kind = part.function.kind
    if kind in _SCALAR:
        return
    # The aggregates of a PIVOT may be parts of expressions.
    is_whole = parent is None or place == ("Pivot", "aggregates") or kind is FunctionKind.OTHER
    if not is_whole or place not in _PLACES.get(kind, ()):
        raise Mistake(f"{part.function.sql_name} is a function of kind {kind.name}, which cannot be called here.")


def _check_call(made: Call, usage: Usage, expected: LogicalType | None) -> None:
    clauses = Clauses.of(made)._replace(usage=usage, expected_output=expected)
    _check_lambdas(made, made.children)
    again = _call_again(made, clauses)
    if again is not made:
        raise _make_difference(made, again)


def _check_over(made: Over) -> None:
    written = made.call
    _check_lambdas(written, made.children)
    usage = usage_over(written.function, made.partition_by, made.order_by, made.frame)
    again = _call_again(written, Clauses.of(written)._replace(usage=usage))
    if again is not written:
        raise _make_difference(written, again)
    if made.frame is not None:
        for bound in (made.frame.lower, made.frame.upper):
            _check_bound(bound, made.frame.unit)
    try:
        over = build_over(written, made.partition_by, made.order_by, made.frame)
    except TableException as error:
        raise Mistake(str(error)) from None
    if over is not made:
        raise _make_difference(made, over)


def _check_bound(bound: FrameBound, unit: FrameUnit) -> None:
    if bound.offset is None:
        return
    if make_bound(bound.direction, bound.offset) is not bound:
        raise Mistake(f"The bound {bound.as_summary_string()} of the frame is not in canonical form.")
    if unit is FrameUnit.ROWS and not isinstance(bound.offset.data_type, IntType):
        raise Mistake(f"A number of rows is an INT, but {bound.offset!r} is {bound.offset.data_type!r}.")


def _call_again(made: Call, clauses: Clauses) -> ResolvedExpression:
    try:
        with suppress_notices():
            return call(made.function, made.arguments, clauses)
    except TableException as error:
        raise Mistake(str(error)) from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        # The parser ensures the form of some arguments, such as the columns of JSON_TABLE, and resolution relies on it.
        raise Mistake(f"{made.function.sql_name} does not accept these arguments.") from None


def _make_difference(made: ResolvedExpression, again: ResolvedExpression) -> Mistake:
    if repr(again) == repr(made):
        return Mistake(f"{made!r} is of type {again.data_type!r}, but {made.data_type!r} was given.")
    return Mistake(f"{made!r} is not in canonical form, which is {again!r} of type {again.data_type!r}.")


def _check_lambdas(made: Call, arguments: Sequence[ResolvedExpression]) -> None:
    for position, argument in enumerate(made.arguments):
        if not isinstance(argument, Lambda):
            continue
        strategy = made.function.inference.inputs.strategy_for(position)
        found = parameter_types(made.function, len(made.arguments), position, arguments)
        optional = getattr(strategy, "optional", 0)
        given = tuple([parameter.type_ for parameter in argument.parameters])
        if found is None or not len(found) - optional <= len(given) <= len(found) or found[: len(given)] != given:
            wanted = "no lambda" if found is None else f"a lambda with parameters of the types {list(found)}"
            raise Mistake(f"Argument {position + 1} of {made.function.sql_name} is {wanted}.")
