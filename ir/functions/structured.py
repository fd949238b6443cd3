"""Flink's structured types, which are named by a class: an object is represented as a row of its fields.

The class name is dropped, because Spark's types have no name. Calls of both functions are written as their result: a
row, or a CASE that returns a row if the object is not NULL.
"""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.determinism import nondeterministic_call
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builder import as_function, as_method, scalar
from ir.functions.collection import GET, ROW
from ir.functions.comparison import IS_NOT_NULL
from ir.functions.definition import Construct
from ir.functions.let_bindings import bind_value
from ir.functions.logic import CASE
from ir.inference import CallContext
from ir.inference.arguments import ANY, TEXT_LITERAL, Family
from ir.inference.inputs import Paired
from ir.inference.results import Computed
from ir.literals import literal
from ir.types import LogicalType

_OBJECT = Family("ROW", (t.RowType,))
_KEPT = "The name of the class is lost, because Spark has no named types: the object is a row of the fields."


def _field_names(context: CallContext) -> list[str]:
    """Return the field names in a call.

    Raises:
        ValidationException: a field name occurs twice.
    """
    names = [str(context.literal_value(i)) for i in range(1, len(context), 2)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValidationException(f"{context.name} is given the field {twice!r} twice.")
    return names


def _object_type(context: CallContext) -> LogicalType:
    fields = zip(_field_names(context), context.argument_types[2::2], strict=True)
    return t.RowType(tuple([t.RowField(name, data_type) for name, data_type in fields]), nullable=False)


OBJECT_OF = scalar(
    "OBJECT_OF",
    Paired(TEXT_LITERAL, ANY, (TEXT_LITERAL,)),
    Computed(_object_type),
    sql="OBJECT_OF",
    canonical=lambda arguments, call: call(ROW, arguments[1:]),
    in_spark=False,
    fluent=as_function("object_of", "class_name *args"),
    difference=_KEPT,
    doc="An object of a class with the given fields, each a name and a value: ``NAMED_STRUCT`` of the fields.",
    example=("OBJECT_OF('com.example.User', 'name', 'Bob', 'age', 42)", "('Bob', 42)"),
)


def _infer_updated_type(context: CallContext) -> LogicalType:
    """Return the type of an object after an update; each updated field takes the type of its new value.

    Raises:
        ValidationException: a name is not a field of the object.
    """
    row = context.argument_types[0]
    assert isinstance(row, t.RowType)
    fields = {field.name: field.data_type for field in row.fields}
    for name, given in zip(_field_names(context), context.argument_types[2::2], strict=True):
        if name not in fields:
            raise ValidationException(
                f"{context.name}: the object has no field {name!r}; its fields are [{listing(fields)}]."
                + did_you_mean(name, fields),
                condition="FIELD_NOT_FOUND",
            )
        fields[name] = given
    return t.RowType(tuple([t.RowField(name, kind) for name, kind in fields.items()]), nullable=row.nullable)


def _update(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    given, *changes = arguments
    if nondeterministic_call(given) is not None:
        return bind_value(given, lambda value: _update((value, *changes), call), "object")
    condition, row = _condition_and_row(given)
    fields = {name: _field(row, name) for name in [field.name for field in _row_type(row).fields]}
    for name, value in zip(changes[::2], changes[1::2], strict=True):
        assert isinstance(name, ValueLiteral)
        fields[name.value] = value
    made = call(ROW, [part for name, value in fields.items() for part in (literal(name), value)])
    return made if condition is None else call(CASE, (condition, made))


def _condition_and_row(given: ResolvedExpression) -> tuple[ResolvedExpression | None, ResolvedExpression]:
    """Return the condition under which an object is not NULL, None if it never is, and its row.

    For an object that was updated before, both come from the first update, so that repeated updates stay short.
    """
    if not given.data_type.nullable:
        return None, given
    if isinstance(given, Call) and given.function is CASE and len(given.arguments) == 2:
        condition, row = given.arguments
        if not row.data_type.nullable:
            return condition, row
    return calls.call(IS_NOT_NULL, (given,)), given


def _row_type(row: ResolvedExpression) -> t.RowType:
    assert isinstance(row.data_type, t.RowType)
    return row.data_type


def _field(row: ResolvedExpression, name: str) -> ResolvedExpression:
    if isinstance(row, Call) and row.function is ROW:
        names = [part.value for part in row.arguments[::2] if isinstance(part, ValueLiteral)]
        return row.arguments[2 * names.index(name) + 1]
    return calls.call(GET, (row, literal(name)))


OBJECT_UPDATE = scalar(
    "OBJECT_UPDATE",
    Paired(TEXT_LITERAL, ANY, (_OBJECT,)),
    Computed(_infer_updated_type),
    sql="OBJECT_UPDATE",
    canonical=_update,
    in_spark=False,
    fluent=as_method("object_update", "*kv"),
    difference="It accepts any row; Flink accepts only objects of a class.",
    doc="The object with new values for some fields, each a name and a value, whose types replace those of the fields; "
    "NULL if the object is NULL.",
    example=("OBJECT_UPDATE(NAMED_STRUCT('name', 'Bob', 'age', 42), 'age', 43)", "('Bob', 43)"),
)
