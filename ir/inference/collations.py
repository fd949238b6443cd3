"""Collation of a call: which collation of its strings wins, and to which collation each string is cast.

A collation has a strength that depends on its origin: COLLATE is explicit; a column, a cast of a string or a subquery
is implicit; a constant has the default strength. The strongest collation wins. If two equally strong ones differ,
explicit ones are an error, and implicit ones make the collation indeterminate. Sources: the class
``CollationTypeCoercion`` of Spark 4.3's analyzer, and https://spark.apache.org/docs/latest/sql-ref-collation.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from weakref import WeakKeyDictionary

from ir.call_expressions import Call, Over, lower_call
from ir.cast_rules import plain_type
from ir.collations import BINARY_COLLATION
from ir.errors import ValidationException
from ir.expressions import (
    FieldReference,
    Lambda,
    LambdaVariable,
    OuterReference,
    ResolvedExpression,
    SortOrder,
    SymbolLiteral,
    TypeLiteral,
    ValueLiteral,
)
from ir.functions.definition import CollationOf
from ir.light_tuples import NamedTuple
from ir.light_typing import TYPE_CHECKING
from ir.messages import message
from ir.nodes import post_order
from ir.operations.operation import TableReference
from ir.types import ArrayType, LogicalType, MapType, RowField, RowType, StringType

if TYPE_CHECKING:
    from ir.functions.definition import FunctionDefinition


class Strength(IntEnum):
    """The strengths of collations, the strongest first."""

    EXPLICIT = 0
    INDETERMINATE = 1
    IMPLICIT = 2
    DEFAULT = 3
    # The collation in the type of a result, which yields to any collation of the arguments.
    OPEN = 4


class StringCollation(NamedTuple):
    """The collation of a string and its strength; the collation None is indeterminate."""

    collation: str | None
    strength: Strength


class Nested(NamedTuple):
    """The collations of the parts of an array, a map or a row."""

    kind: type[LogicalType]
    parts: tuple[Collations, ...]


# A part without strings is represented by its type.
Collations = StringCollation | Nested | LogicalType


def has_text(data_type: LogicalType) -> bool:
    """Whether a type is or contains a string type."""
    level = [data_type]
    while level:
        part = level.pop()
        if isinstance(part, StringType):
            return True
        level.extend(part.children)
    return False


# --- types with strengths --------------------------------------------------------------------------------------------


def _collations_of_type(data_type: LogicalType, strength: Strength) -> Collations:
    if isinstance(data_type, StringType):
        return StringCollation(data_type.collation, strength)
    if data_type.children:
        return Nested(type(data_type), tuple([_collations_of_type(child, strength) for child in data_type.children]))
    return data_type.as_nullable()


def _merge(left: Collations, right: Collations) -> Collations | None:
    """Return the stronger collation of each string, None if the two structures differ."""
    if isinstance(left, StringCollation) and isinstance(right, StringCollation):
        return _stronger(left, right)
    if left == right:
        return left
    left_array = isinstance(left, Nested) and left.kind is ArrayType
    right_array = isinstance(right, Nested) and right.kind is ArrayType
    if isinstance(left, Nested) and isinstance(right, Nested) and (left.kind is right.kind):
        if len(left.parts) != len(right.parts):
            return None
        return _build_nested(left.kind, [_merge(a, b) for a, b in zip(left.parts, right.parts, strict=True)])
    if left_array and isinstance(left, Nested):
        return _build_nested(left.kind, [_merge(left.parts[0], right)])
    if right_array and isinstance(right, Nested):
        return _merge(left, right.parts[0])
    return None


def _build_nested(kind: type[LogicalType], parts: Sequence[Collations | None]) -> Collations | None:
    found = [part for part in parts if part is not None]
    return Nested(kind, tuple(found)) if len(found) == len(parts) else None


def _merge_all(start: Collations, others: Iterable[Collations]) -> Collations | None:
    merged: Collations | None = start
    for other in others:
        if merged is None:
            return None
        merged = _merge(merged, other)
    return merged


def _stronger(left: StringCollation, right: StringCollation) -> StringCollation:
    if left.strength != right.strength:
        return min(left, right, key=lambda text: text.strength)
    if left.collation == right.collation:
        return left
    if left.strength is Strength.EXPLICIT:
        raise ValidationException(
            message(
                "Two collations are given with {COLLATE}, {left} and {right}. Leave one of them out.",
                left=left.collation,
                right=right.collation,
            ),
            condition="COLLATION_MISMATCH.EXPLICIT",
        )
    return StringCollation(None, Strength.INDETERMINATE)


def _is_indeterminate(collations: Collations) -> bool:
    if isinstance(collations, StringCollation):
        return collations.collation is None
    return isinstance(collations, Nested) and any(map(_is_indeterminate, collations.parts))


def _cast(given: LogicalType, winner: Collations) -> LogicalType | None:
    """Return a type with the collations of ``winner``, None if the two structures differ."""
    if isinstance(given, StringType) and isinstance(winner, StringCollation):
        assert winner.collation is not None
        return StringType(winner.collation, nullable=given.nullable)
    if isinstance(given, ArrayType):
        part = winner.parts[0] if isinstance(winner, Nested) and winner.kind is ArrayType else winner
        element = _cast(given.element, part)
        return None if element is None else ArrayType(element, nullable=given.nullable)
    if isinstance(winner, Nested):
        if winner.kind is ArrayType:
            return _cast(given, winner.parts[0])
        if winner.kind is not type(given) or len(winner.parts) != len(given.children):
            return None
        parts = [_cast(child, part) for child, part in zip(given.children, winner.parts, strict=True)]
        found = [part for part in parts if part is not None]
        if len(found) < len(parts):
            return None
        if isinstance(given, MapType):
            return MapType(found[0], found[1], nullable=given.nullable)
        if isinstance(given, RowType):
            fields = [RowField(f.name, part, f.description) for f, part in zip(given.fields, found, strict=True)]
            return RowType(tuple(fields), nullable=given.nullable)
        return None
    return given if isinstance(winner, LogicalType) and winner.same_type(given) else None


# --- the strength of an expression -----------------------------------------------------------------------------------

_KNOWN: WeakKeyDictionary[ResolvedExpression, Collations | None] = WeakKeyDictionary()


def collations_of(expression: ResolvedExpression) -> Collations | None:
    """Return the collations of an expression with their strengths, None if it has no strings or they are unknown."""
    if expression not in _KNOWN:
        for part in post_order(expression, _unknown_children):
            _KNOWN[part] = _derive(part)
    return _KNOWN[expression]


def has_column_strength(expression: ResolvedExpression) -> bool:
    """Whether an expression has the collation strengths of a column of its type, so that it can replace a column.

    An expression of the default collation only has to be without an explicit one: wherever another strength mattered,
    a type would change or no collation would win.
    """
    data_type = plain_type(expression.data_type)
    known = collations_of(expression)
    if data_type.has_collation:
        return known == _collations_of_type(data_type, Strength.IMPLICIT)
    return known is None or not _is_explicit(known)


def _is_explicit(collations: Collations) -> bool:
    if isinstance(collations, StringCollation):
        return collations.strength is Strength.EXPLICIT
    return isinstance(collations, Nested) and any(map(_is_explicit, collations.parts))


def _unknown_children(expression: ResolvedExpression) -> Sequence[ResolvedExpression]:
    return [child for child in _operands(expression) if child not in _KNOWN]


def _operands(expression: ResolvedExpression) -> Sequence[ResolvedExpression]:
    """Return the expressions that determine the collations of an expression."""
    if isinstance(expression, Over):
        return (expression.call,)
    if isinstance(expression, Lambda):
        return (expression.body, *expression.parameters)
    if isinstance(expression, Call):
        lowered = _lower(expression)
        return (*expression.arguments, *expression.order_by) if lowered is expression else (lowered,)
    return expression.children if isinstance(expression, SortOrder) else ()


# Kept as long as the call, because ``_KNOWN`` refers weakly to the lowered form.
_LOWERED: WeakKeyDictionary[Call, ResolvedExpression] = WeakKeyDictionary()


def _lower(call: Call) -> ResolvedExpression:
    """Return the form of a call that Spark evaluates."""
    if call.function.emission.in_spark:
        return call
    lowered = _LOWERED.get(call)
    if lowered is None:
        lowered = lower_call(call)
        if lowered is call:
            return call
        _LOWERED[call] = lowered
    return lowered


def _derive(expression: ResolvedExpression) -> Collations | None:
    """Return the collations of an expression from the known ones of its operands."""
    data_type = plain_type(expression.data_type)
    if isinstance(expression, (SymbolLiteral, TypeLiteral)) or not has_text(data_type):
        return None
    if isinstance(expression, ValueLiteral):
        # A literal that is not a plain string is a cast of one.
        is_cast = data_type.has_collation and not expression.is_null
        return _collations_of_type(data_type, Strength.IMPLICIT if is_cast else Strength.DEFAULT)
    if isinstance(expression, (FieldReference, OuterReference, LambdaVariable, TableReference)):
        return _collations_of_type(data_type, Strength.IMPLICIT)
    operands = _operands(expression)
    if isinstance(expression, Call):
        if operands != (*expression.arguments, *expression.order_by):
            return _KNOWN[operands[0]]
        rule = _RULES.get(expression.function.collating.result)
        if rule is not None:
            return rule(expression)
    if not any(has_text(plain_type(operand.data_type)) for operand in operands):
        return _collations_of_type(data_type, Strength.DEFAULT)
    known = (_KNOWN[operand] for operand in operands)
    return _merge_all(_collations_of_type(data_type, Strength.OPEN), [found for found in known if found is not None])


def _derive_for_cast(call: Call) -> Collations:
    of_text = has_text(plain_type(call.arguments[0].data_type))
    return _collations_of_type(call.data_type, Strength.IMPLICIT if of_text else Strength.DEFAULT)


def _derive_for_field(call: Call) -> Collations | None:
    row, name = call.arguments
    known = _KNOWN[row]
    if not isinstance(known, Nested) or known.kind is not RowType:
        return None
    assert isinstance(row.data_type, RowType)
    assert isinstance(name, ValueLiteral)
    found = row.data_type.field_index(str(name.value))
    return known.parts[found[0]] if found else None


def _derive_for_element(call: Call) -> Collations | None:
    start = _collations_of_type(plain_type(call.data_type), Strength.OPEN)
    known = _KNOWN[call.arguments[0]]
    if isinstance(call.arguments[0].data_type, MapType):
        return _merge(start, known.parts[1]) if isinstance(known, Nested) else None
    return start if known is None else _merge(start, known)


def _derive_for_row(call: Call) -> Collations:
    values = call.arguments[1::2]
    return Nested(
        RowType, tuple([_KNOWN[v] or _collations_of_type(plain_type(v.data_type), Strength.OPEN) for v in values])
    )


def _derive_for_map(call: Call) -> Collations | None:
    own = _collations_of_type(plain_type(call.data_type), Strength.OPEN)
    assert isinstance(own, Nested)
    merged = []
    for start, arguments in zip(own.parts, (call.arguments[::2], call.arguments[1::2]), strict=True):
        known = [_KNOWN[argument] for argument in arguments]
        found = [one for one in known if one is not None]
        # As in Spark, an argument without strings makes all of them unknown.
        merged.append(_merge_all(start, found) if len(found) == len(known) else None)
    return _build_nested(MapType, merged)


_RULES: dict[str, Callable[[Call], Collations | None]] = {
    CollationOf.EXPLICIT: lambda call: _collations_of_type(call.data_type, Strength.EXPLICIT),
    CollationOf.CAST: _derive_for_cast,
    CollationOf.COLUMN: lambda call: _collations_of_type(call.data_type, Strength.IMPLICIT),
    CollationOf.FIELD: _derive_for_field,
    CollationOf.ELEMENT: _derive_for_element,
    CollationOf.FIELDS: _derive_for_row,
    CollationOf.ENTRIES: _derive_for_map,
}


# --- the collation of a call's strings -------------------------------------------------------------------------------


def unify_collations(
    definition: FunctionDefinition,
    arguments: Sequence[ResolvedExpression],
    types: Sequence[LogicalType],
) -> tuple[LogicalType, ...]:
    """Return the types of arguments after Spark's casts (``types``), with one collation for all strings.

    Raises:
        ValidationException: two explicit collations differ, or no collation wins.
    """
    values = [_column_type(a, given) or given for a, given in zip(arguments, types, strict=True)]
    if definition.collating.of_bounds and len(arguments) == 3:
        values = _unify_bounds(definition, arguments, values)
    for group in _groups(definition, len(arguments)):
        _unite(definition, arguments, values, group)
    return tuple(
        [
            made if _column_type(argument, given) is None else _unify_row_with_column(given, made)
            for argument, given, made in zip(arguments, types, values, strict=True)
        ]
    )


def _unify_bounds(
    definition: FunctionDefinition, arguments: Sequence[ResolvedExpression], types: Sequence[LogicalType]
) -> list[LogicalType]:
    """Return the types of a value and its two bounds, each of which is compared with the value separately."""
    united_types = list(types)
    for bound in (2, 1):
        pair = [a.data_type if has_text(a.data_type) else given for a, given in zip(arguments, types, strict=True)]
        _unite(definition, arguments, pair, (0, bound))
        united_types[0], united_types[bound] = pair[0], pair[bound]
    return united_types


def _column_type(argument: ResolvedExpression, given: LogicalType) -> LogicalType | None:
    """Return the type of the only column of a query, which counts as a value, None for any other argument."""
    is_column = isinstance(argument, TableReference) and len(given.children) == 1
    return given.children[0] if is_column else None


def _unify_row_with_column(row: LogicalType, column: LogicalType) -> LogicalType:
    assert isinstance(row, RowType)
    return row.evolve(fields=(row.fields[0].evolve(data_type=column),))


def reads_collated_text(
    definition: FunctionDefinition, given: Sequence[LogicalType], types: Sequence[LogicalType]
) -> bool:
    """Whether a string function casts a collated string to a number; the collation counts nevertheless."""
    return definition.collating.are_texts and any(
        isinstance(before, StringType) and before.has_collation and not has_text(after)
        for before, after in zip(given, types, strict=True)
    )


def _groups(definition: FunctionDefinition, count: int) -> Sequence[Sequence[int]]:
    """Return groups of positions of arguments; the arguments of each group get one collation."""
    own = definition.collating
    return [range(own.first + i, count, own.groups) for i in range(own.groups)] if own.unites else ()


def _unite(
    definition: FunctionDefinition,
    arguments: Sequence[ResolvedExpression],
    types: list[LogicalType],
    group: Sequence[int],
) -> None:
    texts = [position for position in group if has_text(types[position])]
    if not any(types[position].has_collation for position in texts):
        return
    every: list[Collations] = []
    for position in texts:
        given = _derive_after_cast(arguments[position], types[position])
        if given is None:
            return
        every.append(given)
    if len(arguments) < definition.collating.expected:
        # As in Spark, the omitted default argument comes after the given ones.
        every.append(StringCollation(BINARY_COLLATION, Strength.DEFAULT))
    winner = _merge_all(every[0], every[1:])
    if winner is None:
        return
    if _is_indeterminate(winner):
        if definition.collating.is_indifferent:
            return
        names = sorted({name for position in texts for name in _walk_collation_names(types[position])})
        raise ValidationException(
            message(
                "{function} has strings of different collations, {names}, of which none wins. Say which one to use "
                "with {COLLATE}.",
                function=definition.sql_name,
                names=" and ".join(names),
            ),
            condition="INDETERMINATE_COLLATION_IN_EXPRESSION",
        )
    for position in texts:
        types[position] = _cast(types[position], winner) or types[position]


def _derive_after_cast(argument: ResolvedExpression, data_type: LogicalType) -> Collations | None:
    """Return the collations of an argument after Spark casts it to a type."""
    if isinstance(argument, TableReference):
        return _collations_of_type(plain_type(data_type), Strength.IMPLICIT)
    own = plain_type(argument.data_type)
    if not has_text(own):
        return _collations_of_type(data_type, Strength.DEFAULT)
    return (
        collations_of(argument)
        if own.same_type(data_type)
        else _collations_of_type(data_type, _strength_of_cast(argument))
    )


def _strength_of_cast(argument: ResolvedExpression) -> Strength:
    """Return the strength of a string that Spark casts to another collation; constants and casts keep their own."""
    if isinstance(argument, ValueLiteral):
        is_cast = argument.data_type.has_collation and not argument.is_null
        return Strength.IMPLICIT if is_cast else Strength.DEFAULT
    is_cast = isinstance(argument, Call) and argument.function.collating.result == CollationOf.CAST
    if is_cast and isinstance(argument, Call) and not has_text(plain_type(argument.arguments[0].data_type)):
        return Strength.DEFAULT
    return Strength.IMPLICIT


def _walk_collation_names(data_type: LogicalType) -> Iterable[str]:
    level = [data_type]
    while level:
        part = level.pop()
        if isinstance(part, StringType):
            yield part.collation
        level.extend(part.children)
