"""Functions of arrays."""

from __future__ import annotations

from collections.abc import Callable

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.casts import (
    differ_at_most_in_nullability,
    implicit_cast,
    is_orderable,
    least_common_type,
    nullable_throughout,
    tightest_common_type,
)
from ir.expressions import FieldReference, Lambda, LambdaVariable, OuterReference, ResolvedExpression, ValueLiteral
from ir.functions import collection, higher_order, string
from ir.functions.builder import as_method, as_property, scalar
from ir.functions.definition import CollationRules, Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, INTEGER, Family, Literal
from ir.inference.inputs import Computed, cast_to, positional, varying
from ir.inference.results import Argument, NullableIfArguments, nullable_if_arguments, text_if_arguments
from ir.inference.results import Computed as ComputedResult
from ir.inference.type_inference import TypeStrategy
from ir.literals import literal
from ir.types import LogicalType

Types = tuple[LogicalType, ...]

# NULL is accepted as an array of NULLs.
ARRAY = Family("ARRAY", (t.ArrayType,), (t.ArrayType(t.NULL),))
_ARRAY_ONLY = Family("ARRAY", (t.ArrayType,))
_ONLY_INT = Family("INT", (t.IntType, t.NullType))
_ONLY_TEXT = Family("STRING", (t.CharacterType, t.NullType))
# An integer that fits into INT.
SMALL = Family("INT", (t.TinyIntType, t.SmallIntType, t.IntType))


def _array(context: CallContext, position: int = 0) -> t.ArrayType:
    given = context.argument_types[position]
    assert isinstance(given, t.ArrayType), given
    return given


def cast_elements(array: t.ArrayType, element: LogicalType) -> LogicalType:
    """Return the type of an array after a cast of its elements to another type, which adds no NULL."""
    if differ_at_most_in_nullability(array.element, element):
        return array
    return t.ArrayType(element.with_nullability(array.element.nullable), nullable=array.nullable)


def _infer_element_types(context: CallContext, position: int = 1) -> tuple[LogicalType, LogicalType] | None:
    """Return the types of an array and of an element to find or insert, both with a common element type."""
    array, value = context.argument_types[0], context.argument_types[position]
    common = tightest_common_type(array.element, value) if isinstance(array, t.ArrayType) else None
    return None if common is None else (cast_elements(_array(context), common), cast_to(value, common))


def _infer_search_inputs(context: CallContext) -> Types | None:
    found = _infer_element_types(context)
    return found if found is not None and is_orderable(found[1]) else None


_FORMS = ("array <ARRAY>, element <ANY>",)
_SEARCHED = Computed(2, 2, "ARRAY", _infer_search_inputs, _FORMS, (_ARRAY_ONLY, ANY))
_EXTENDED = Computed(2, 2, "ARRAY", _infer_element_types, _FORMS, (_ARRAY_ONLY, ANY))


def _infer_extended_array(context: CallContext) -> LogicalType:
    """Return the type of an array after an insertion; everything in its elements becomes nullable."""
    array = _array(context)
    position = context.argument_types[1] if len(context) == 3 else array
    return t.ArrayType(nullable_throughout(array.element), nullable=array.nullable or position.nullable)


ARRAY_APPEND = scalar(
    "ARRAY_APPEND",
    _EXTENDED,
    ComputedResult(_infer_extended_array),
    sql="ARRAY_APPEND",
    fluent=as_method("array_append", "addition"),
    doc="The array with element added at its end.",
    example=("ARRAY_APPEND(ARRAY(1, 2), 3)", "[1, 2, 3]"),
    mismatch=Mismatch(together="ARRAY_FUNCTION_DIFF_TYPES"),
    collating=CollationRules(),
)
ARRAY_PREPEND = scalar(
    "ARRAY_PREPEND",
    _EXTENDED,
    ComputedResult(_infer_extended_array),
    sql="ARRAY_PREPEND",
    fluent=as_method("array_prepend", "addition"),
    doc="The array with element added at its beginning.",
    example=("ARRAY_PREPEND(ARRAY(2, 3), 1)", "[1, 2, 3]"),
    mismatch=Mismatch(together="ARRAY_FUNCTION_DIFF_TYPES"),
)
ARRAY_COMPACT = scalar(
    "array_compact",
    positional(ARRAY, names="array"),
    ComputedResult(lambda context: t.ArrayType(_array(context).element.not_null(), nullable=_array(context).nullable)),
    sql="ARRAY_COMPACT",
    in_flink=False,
    doc="The array without its NULL elements.",
    example=("ARRAY_COMPACT(ARRAY(1, NULL, 2))", "[1, 2]"),
)


def _infer_containment_inputs(context: CallContext) -> Types | None:
    value = context.argument_types[1]
    common = least_common_type((_array(context).element, value), promote_strings=False)
    if common is None or isinstance(value, t.NullType) or not is_orderable(common):
        return None
    return cast_elements(_array(context), common), cast_to(value, common)


ARRAY_CONTAINS = scalar(
    "ARRAY_CONTAINS",
    Computed(2, 2, "ARRAY", _infer_containment_inputs, _FORMS, (_ARRAY_ONLY, ANY)),
    ComputedResult(
        lambda context: t.BOOLEAN.with_nullability(
            any(given.nullable for given in context.argument_types) or _array(context).element.nullable
        )
    ),
    sql="ARRAY_CONTAINS",
    in_flink=False,
    fluent=as_method("array_contains", "needle"),
    doc="Whether array contains element; NULL if it does not but contains NULL.",
    example=("ARRAY_CONTAINS(ARRAY(1, 2), 2)", "TRUE"),
    difference="Flink returns FALSE and never NULL if the element is missing, and finds NULL.",
    mismatch=Mismatch(together="ARRAY_FUNCTION_DIFF_TYPES"),
    collating=CollationRules(),
)


def _infer_ordered_inputs(context: CallContext) -> Types | None:
    return context.argument_types if is_orderable(context.argument_types[0]) else None


def _infer_ordered_array(context: CallContext) -> Types | None:
    accepted = ARRAY.infer_argument(context, 0)
    return None if not isinstance(accepted, t.ArrayType) or not is_orderable(accepted.element) else (accepted,)


_ORDERED = Computed(1, 1, "ARRAY", _infer_ordered_array, ("array <ARRAY of what has an order>",), (ARRAY,))

ARRAY_DISTINCT = scalar(
    "ARRAY_DISTINCT",
    _ORDERED,
    Argument(0),
    sql="ARRAY_DISTINCT",
    fluent=as_method("array_distinct"),
    doc="The distinct elements of array, in the order of their first occurrences.",
    example=("ARRAY_DISTINCT(ARRAY(1, 2, 1))", "[1, 2]"),
)


def _infer_two_arrays(context: CallContext) -> Types | None:
    if not all(isinstance(given, t.ArrayType) for given in context.argument_types):
        return None
    arrays = (_array(context), _array(context, 1))
    common = tightest_common_type(*[array.element for array in arrays])
    if common is None or not is_orderable(common):
        return None
    return tuple([cast_elements(array, common) for array in arrays])


_TWO_ARRAYS = Computed(
    2, 2, "ARRAY", _infer_two_arrays, ("left <ARRAY>, right <ARRAY of the like>",), (_ARRAY_ONLY, _ARRAY_ONLY)
)


def _infer_from_both(combine: Callable[[bool, bool], bool]) -> TypeStrategy:
    """Return a strategy for an array of the elements of two; ``combine`` decides whether they are nullable."""

    def find(context: CallContext) -> LogicalType | None:
        left, right = _array(context), _array(context, 1)
        merged = least_common_type((left.element, right.element))
        if merged is None:
            return None
        nullable = combine(left.element.nullable, right.element.nullable)
        return t.ArrayType(merged.with_nullability(nullable), nullable=left.nullable or right.nullable)

    return ComputedResult(find)


ARRAY_EXCEPT = scalar(
    "ARRAY_EXCEPT",
    _TWO_ARRAYS,
    _infer_from_both(lambda left, right: left),
    sql="ARRAY_EXCEPT",
    fluent=as_method("array_except", "array"),
    doc="The distinct elements of left that are not in right.",
    example=("ARRAY_EXCEPT(ARRAY(1, 2, 2), ARRAY(1))", "[2]"),
    mismatch=Mismatch(alone="BINARY_ARRAY_DIFF_TYPES", together="BINARY_ARRAY_DIFF_TYPES"),
    collating=CollationRules(),
)
ARRAY_INTERSECT = scalar(
    "ARRAY_INTERSECT",
    _TWO_ARRAYS,
    _infer_from_both(lambda left, right: left and right),
    sql="ARRAY_INTERSECT",
    fluent=as_method("array_intersect", "array"),
    doc="The distinct elements that left and right have in common.",
    example=("ARRAY_INTERSECT(ARRAY(1, 2), ARRAY(2, 3))", "[2]"),
    mismatch=Mismatch(alone="BINARY_ARRAY_DIFF_TYPES", together="BINARY_ARRAY_DIFF_TYPES"),
    collating=CollationRules(),
)
ARRAY_UNION = scalar(
    "ARRAY_UNION",
    _TWO_ARRAYS,
    _infer_from_both(lambda left, right: left or right),
    sql="ARRAY_UNION",
    fluent=as_method("array_union", "array"),
    doc="The distinct elements of left and right.",
    example=("ARRAY_UNION(ARRAY(1, 2), ARRAY(2, 3))", "[1, 2, 3]"),
    mismatch=Mismatch(alone="BINARY_ARRAY_DIFF_TYPES", together="BINARY_ARRAY_DIFF_TYPES"),
    collating=CollationRules(),
)
ARRAYS_OVERLAP = scalar(
    "arrays_overlap",
    _TWO_ARRAYS,
    ComputedResult(
        lambda context: t.BOOLEAN.with_nullability(
            any(_array(context, i).nullable or _array(context, i).element.nullable for i in (0, 1))
        )
    ),
    sql="ARRAYS_OVERLAP",
    in_flink=False,
    doc="Whether left and right have an element in common; NULL if they have none but one of them contains NULL.",
    example=("ARRAYS_OVERLAP(ARRAY(1, 2), ARRAY(2, 3))", "TRUE"),
    mismatch=Mismatch(alone="BINARY_ARRAY_DIFF_TYPES", together="BINARY_ARRAY_DIFF_TYPES"),
    collating=CollationRules(),
)


def _infer_insertion_inputs(context: CallContext) -> Types | None:
    found = _infer_element_types(context, 2)
    position = implicit_cast(context.argument_types[1], t.INT)
    return None if found is None or position is None else (found[0], position, found[1])


ARRAY_INSERT = scalar(
    "array_insert",
    Computed(
        3,
        3,
        "ARRAY",
        _infer_insertion_inputs,
        ("array <ARRAY>, position <INT>, element <ANY>",),
        (_ARRAY_ONLY, SMALL, ANY),
    ),
    ComputedResult(_infer_extended_array),
    sql="ARRAY_INSERT",
    in_flink=False,
    doc="The array with element inserted at position, counted from 1 or, if negative, from the end; a gap is filled "
    "with NULL.",
    example=("ARRAY_INSERT(ARRAY(1, 3), 2, 2)", "[1, 2, 3]"),
    mismatch=Mismatch(alone="ARRAY_FUNCTION_DIFF_TYPES", together="ARRAY_FUNCTION_DIFF_TYPES"),
)
ARRAY_JOIN = scalar(
    "ARRAY_JOIN",
    positional(
        Family("ARRAY of STRING", (), (t.ArrayType(t.STRING),)),
        _ONLY_TEXT,
        _ONLY_TEXT,
        optional=1,
        names="array delimiter null_replacement",
    ),
    text_if_arguments(),
    sql="ARRAY_JOIN",
    fluent=as_method("array_join", "delimiter null_replacement?"),
    doc="The elements of array joined by delimiter; NULL is skipped, or replaced by null_replacement if given.",
    example=("ARRAY_JOIN(ARRAY('a', NULL, 'b'), '-', '?')", "'a-?-b'"),
    collating=CollationRules(),
)


def _infer_any_element(context: CallContext) -> LogicalType:
    return _array(context).element.as_nullable()


ARRAY_MAX = scalar(
    "ARRAY_MAX",
    _ORDERED,
    ComputedResult(_infer_any_element),
    sql="ARRAY_MAX",
    fluent=as_method("array_max"),
    doc="The greatest element of array that is not NULL; NULL if there is none.",
    example=("ARRAY_MAX(ARRAY(1, 3, 2))", "3"),
)
ARRAY_MIN = scalar(
    "ARRAY_MIN",
    _ORDERED,
    ComputedResult(_infer_any_element),
    sql="ARRAY_MIN",
    fluent=as_method("array_min"),
    doc="The least element of array that is not NULL; NULL if there is none.",
    example=("ARRAY_MIN(ARRAY(3, 1, 2))", "1"),
)


def _infer_position_inputs(context: CallContext) -> Types | None:
    found = _infer_search_inputs(context)
    return None if found is None or isinstance(found[1], t.NullType) else found


ARRAY_POSITION = scalar(
    "ARRAY_POSITION",
    Computed(2, 2, "ARRAY", _infer_position_inputs, _FORMS, (_ARRAY_ONLY, ANY)),
    nullable_if_arguments(t.BIGINT),
    sql="ARRAY_POSITION",
    in_flink=False,
    fluent=as_method("array_position", "needle"),
    doc="The position, counted from 1, of the first occurrence of element in array; 0 if there is none.",
    example=("ARRAY_POSITION(ARRAY('a', 'b'), 'b')", "2"),
    difference="Flink's result is an INT.",
    mismatch=Mismatch(together="ARRAY_FUNCTION_DIFF_TYPES"),
    collating=CollationRules(),
)
ARRAY_REMOVE = scalar(
    "ARRAY_REMOVE",
    _SEARCHED,
    NullableIfArguments(Argument(0)),
    sql="ARRAY_REMOVE",
    in_flink=False,
    fluent=as_method("array_remove", "needle"),
    doc="The array without the elements that equal element; NULL if element is NULL.",
    example=("ARRAY_REMOVE(ARRAY(1, 2, 1), 1)", "[2]"),
    difference="If the element is NULL, Flink removes NULL, and Spark returns NULL.",
    mismatch=Mismatch(alone="ARRAY_FUNCTION_DIFF_TYPES", together="ARRAY_FUNCTION_DIFF_TYPES"),
    collating=CollationRules(),
)
ARRAY_REPEAT = scalar(
    "array_repeat",
    positional(ANY, _ONLY_INT, names="element count"),
    ComputedResult(lambda context: t.ArrayType(context.argument_types[0], nullable=context.argument_types[1].nullable)),
    sql="ARRAY_REPEAT",
    in_flink=False,
    doc="An array that contains element count times.",
    example=("ARRAY_REPEAT('a', 2)", "['a', 'a']"),
)
ARRAY_SIZE = scalar(
    "array_size",
    positional(ARRAY, names="array"),
    nullable_if_arguments(t.INT),
    sql="ARRAY_SIZE",
    in_flink=False,
    doc="The number of elements of an array.",
    example=("ARRAY_SIZE(ARRAY(1, 2))", "2"),
)
FLATTEN = scalar(
    "flatten",
    Computed(
        1,
        1,
        "ARRAY of ARRAY",
        lambda context: context.argument_types if isinstance(_array(context).element, t.ArrayType) else None,
        ("array <ARRAY of ARRAY>",),
        (_ARRAY_ONLY,),
    ),
    ComputedResult(
        lambda context: _array(context).element.with_nullability(
            _array(context).nullable or _array(context).element.nullable
        )
    ),
    sql="FLATTEN",
    in_flink=False,
    doc="The concatenation of the arrays in array; NULL if one of them is NULL.",
    example=("FLATTEN(ARRAY(ARRAY(1), ARRAY(2, 3)))", "[1, 2, 3]"),
)
REVERSE = scalar(
    "REVERSE",
    positional(
        Family("STRING, BYTES or ARRAY", (t.CharacterType, t.BytesType, t.ArrayType), (t.STRING,)), names="value"
    ),
    Argument(0),
    sql="REVERSE",
    fluent=as_property("reverse"),
    doc="The characters of a string, or the elements of an array, in reverse order.",
    example=("REVERSE('abc')", "'cba'"),
)
SHUFFLE = scalar(
    "shuffle",
    positional(ARRAY, Literal(Family("INTEGRAL", (t.IntegralType, t.NullType))), optional=1, names="array seed"),
    Argument(0),
    sql="SHUFFLE",
    is_deterministic=False,
    in_flink=False,
    doc="The elements of array in random order.",
    example=("SIZE(SHUFFLE(ARRAY(1, 2, 3)))", "3"),
    shown=Shown(shown_arguments=1),
)
SLICE = scalar(
    "slice",
    positional(ARRAY, INTEGER, INTEGER, names="array start length"),
    NullableIfArguments(Argument(0)),
    sql="SLICE",
    doc="At most length elements of array from position start on, counted from 1 or, if negative, from the end.",
    example=("SLICE(ARRAY(1, 2, 3), 2, 2)", "[2, 3]"),
    difference="Flink's ARRAY_SLICE takes the last position instead of a length.",
)
SORT_ARRAY = scalar(
    "sort_array",
    Computed(
        1,
        2,
        "ARRAY",
        lambda context: (
            None if (ordered := _infer_ordered_array(context)) is None else (*ordered, *context.argument_types[1:])
        ),
        ("array <ARRAY of what has an order>[, ascending <BOOLEAN literal>]",),
        (ARRAY, Literal(Family("BOOLEAN", (t.BooleanType, t.NullType)))),
    ),
    NullableIfArguments(Argument(0)),
    sql="SORT_ARRAY",
    doc="The elements of array in ascending order with NULL first or, if ascending is FALSE, in descending order with "
    "NULL last.",
    example=("SORT_ARRAY(ARRAY(2, NULL, 1))", "[NULL, 1, 2]"),
    shown=Shown(defaults=(None, "true")),
)


def _get_types(context: CallContext) -> Types | None:
    index = context.literal_value(1)
    fits = not isinstance(index, int) or -(2**31) <= index < 2**31
    accepted = INTEGER.infer_argument(context, 1)
    return (context.argument_types[0], accepted) if fits and accepted is not None else None


ARRAY_GET = scalar(
    "array_get",
    Computed(2, 2, "ARRAY", _get_types, ("array <ARRAY>, index <INT from 0>",), (_ARRAY_ONLY, INTEGER)),
    ComputedResult(_infer_any_element),
    sql="GET",
    in_flink=False,
    doc="The element of array at index, counted from 0; NULL if there is none.",
    example=("GET(ARRAY('a', 'b'), 2)", "NULL"),
)


def _element_at_types(context: CallContext) -> Types | None:
    given, key = context.argument_types
    if isinstance(given, t.MapType):
        common = tightest_common_type(given.key, key)
        if common is None or not is_orderable(common):
            return None
        return t.MapType(cast_to(given.key, common), given.value, nullable=given.nullable), key
    return (given, key) if isinstance(given, t.ArrayType) and SMALL.infer_argument(context, 1) else None


def _element_at_result(context: CallContext) -> LogicalType:
    given, index = context.argument_types
    if isinstance(given, t.MapType):
        return given.value.as_nullable()
    # For a literal index, Spark assumes that the element may be missing.
    known = context.is_literal(1)
    element = _array(context).element
    return element.with_nullability(known or element.nullable or given.nullable or index.nullable)


ELEMENT_AT = scalar(
    "element_at",
    Computed(
        2,
        2,
        "ARRAY or MAP",
        _element_at_types,
        ("array <ARRAY>, position <INT>", "map <MAP>, key <ANY>"),
        (Family("ARRAY or MAP", (t.ArrayType, t.MapType)), ANY),
    ),
    ComputedResult(_element_at_result),
    sql="ELEMENT_AT",
    in_flink=False,
    doc="The element of array at position, counted from 1 or, if negative, from the end, with an error if there is "
    "none; or the value of key in map, NULL if there is none.",
    example=("ELEMENT_AT(ARRAY('a', 'b'), -1)", "'b'"),
    can_fail=True,
)

_ENDS = (t.IntegralType, t.DateType, t.TimestampType, t.LocalZonedTimestampType)


def _sequence_types(context: CallContext) -> Types | None:
    given = context.argument_types
    numeric = least_common_type(given)
    if isinstance(numeric, t.IntegralType):
        return tuple([cast_to(one, numeric) for one in given])
    end = least_common_type(given[:2])
    if not isinstance(end, _ENDS) or isinstance(end, t.IntegralType):
        return None
    if len(given) == 3 and not isinstance(given[2], (t.IntervalType, t.CalendarIntervalType, t.NullType)):
        return None
    return (*[cast_to(one, end) for one in given[:2]], *given[2:])


SEQUENCE = scalar(
    "sequence",
    Computed(
        2,
        3,
        "INTEGRAL, DATE or TIMESTAMP",
        _sequence_types,
        (
            "start <INTEGRAL>, stop <INTEGRAL>[, step <INTEGRAL>]",
            "start <DATE or TIMESTAMP>, stop <DATE or TIMESTAMP>[, step <INTERVAL>]",
        ),
    ),
    ComputedResult(
        lambda context: t.ArrayType(
            context.argument_types[0].not_null(), nullable=any(given.nullable for given in context.argument_types)
        )
    ),
    sql="SEQUENCE",
    in_flink=False,
    doc="An array of the values from start to stop, both included, step apart; step is by default 1, or one day for "
    "times, toward stop.",
    example=("SEQUENCE(1, 7, 2)", "[1, 3, 5, 7]"),
    mismatch=Mismatch(together="SEQUENCE_WRONG_INPUT_TYPES"),
)


def _name_zipped_field(array: ResolvedExpression, position: int) -> str:
    """Return the field name of an ARRAYS_ZIP argument: the name of a column or field, otherwise the position."""
    if isinstance(array, (FieldReference, OuterReference, LambdaVariable)):
        return array.name
    if isinstance(array, Call) and array.function is collection.GET:
        return str(array.arguments[1].value) if isinstance(array.arguments[1], ValueLiteral) else str(position)
    return str(position)


def _infer_zipped_array(context: CallContext) -> LogicalType:
    fields = [
        t.RowField(_name_zipped_field(argument, position), _array(context, position).element.as_nullable())
        for position, argument in enumerate(context.arguments)
    ]
    nullable = any(given.nullable for given in context.argument_types)
    return t.ArrayType(t.RowType(tuple(fields), nullable=False), nullable=nullable)


def _keep_zipped_names(call: Call) -> ResolvedExpression:
    """Keep the field names of an ARRAYS_ZIP call whose arguments changed after its type was inferred."""
    array = call.type_
    assert isinstance(array, t.ArrayType)
    assert isinstance(array.element, t.RowType)
    names = [field.name for field in array.element.fields]
    if [_name_zipped_field(argument, position) for position, argument in enumerate(call.arguments)] == names:
        return call
    numbers = [str(position) for position in range(len(names))]
    # A field for a call is named by its position, so CONCAT hides the name of a column.
    unnamed = [
        argument if _name_zipped_field(argument, position) == number else calls.call(string.CONCAT, (argument,))
        for position, (argument, number) in enumerate(zip(call.arguments, numbers, strict=True))
    ]
    zipped = calls.call(ARRAYS_ZIP, unnamed)
    if names == numbers:
        return zipped
    assert isinstance(zipped.data_type, t.ArrayType)
    row = LambdaVariable("row", zipped.data_type.element)
    fields = [
        part
        for name, number in zip(names, numbers, strict=True)
        for part in (literal(name), calls.call(collection.GET, (row, literal(number))))
    ]
    return calls.call(higher_order.TRANSFORM, (zipped, Lambda((row,), calls.call(collection.ROW, fields))))


ARRAYS_ZIP = scalar(
    "arrays_zip",
    varying(ARRAY, least=0, names=""),
    ComputedResult(_infer_zipped_array),
    sql="ARRAYS_ZIP",
    kept=_keep_zipped_names,
    in_flink=False,
    doc="An array of rows, each with the elements of all arrays at one position; NULL if an array is shorter.",
    example=("ARRAYS_ZIP(ARRAY(1, 2), ARRAY('a'))", "[(1, 'a'), (2, NULL)]"),
)
