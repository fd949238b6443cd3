"""What a call of Spark's meaning is in Flink's SQL: the same call, one with explicit casts, others, or none.

A query means what Spark says. Flink gives some of the same operators other types or other results, so that its text
gets the casts which Spark makes silently, or calls that come to the same, and is refused where nothing of Flink's does.

Not refused is what differs at the edges alone. An OVERLAY that begins beyond the text leaves it as it is in Flink, and
the fields of a timestamp with a fraction before 1970 are off by one there. Nor is what differs only where Spark fails:
Flink's arithmetic and its sums wrap around where Spark reports an overflow, a decimal that does not fit becomes NULL, a
DOUBLE divided by 0 is infinite, and a CAST reads some text that Spark rejects. Flink holds times of day and intervals
in milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from ir import types as t
from ir.cast_rules import written_type
from ir.errors import TableException
from ir.expressions import (
    Call,
    FieldReference,
    Over,
    ResolvedExpression,
    SymbolLiteral,
    TableReference,
    TypeLiteral,
    ValueLiteral,
)
from ir.flink_casts import NoForm, cast, converted, integer, part_of, text_of_time
from ir.flink_windows import WINDOW_FORMS, over_in_flink
from ir.functions import aggregate as agg
from ir.functions import arithmetic as ar
from ir.functions import comparison as cmp
from ir.functions import flink, logic, string
from ir.functions.collection import ARRAY, AT, CARDINALITY, GET, MAP, ROW
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.json import JSON_OBJECT, PARSE_JSON, TO_JSON
from ir.functions.temporal import CURRENT_TIME, EXTRACT, LOCAL_TIME
from ir.functions.time_window import TIME_WINDOWS
from ir.inference import CallContext
from ir.lowerings import lower_for_spark
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.rewriting import transform
from ir.schema import ResolvedSchema
from ir.types import LogicalType

# Their arguments may be of any type, and are not cast by Spark for the call's sake.
_AS_GIVEN = (GET, ROW, CARDINALITY, cmp.IS_NULL, cmp.IS_NOT_NULL, agg.COUNT)


def to_flink(root: ResolvedExpression, *, is_condition: bool = False) -> ResolvedExpression:
    """Return an expression as Flink must read it to mean what it means here.

    Args:
        root: the expression.
        is_condition: whether it is the condition of a filter, for which NULL is as good as FALSE.

    Raises:
        TableException: Flink has nothing that means the same for a part of it.
    """
    _require_decided(root, is_condition)
    formed = transform(root, _form)
    if _is_empty(formed):
        raise _refusal(formed, NoForm(_UNTYPED_COLLECTION))
    return formed


def _form(part: ResolvedExpression) -> ResolvedExpression:
    """Return the form of one call, whose arguments have theirs already, with their types unchanged."""
    try:
        if isinstance(part, Over):
            return over_in_flink(part, _form(part.call))
    except NoForm as refusal:
        raise _refusal(part, refusal) from None
    if not isinstance(part, Call):
        return part
    try:
        if part.function not in (CAST, TRY_CAST) and any(map(_is_empty, part.arguments)):
            raise NoForm(_UNTYPED_COLLECTION)
        if part.function in WINDOW_FORMS:
            return WINDOW_FORMS[part.function](_with_casts(part))
        special = _FORMS.get(part.function)
        if special is not None:
            return special(part)
        return part if part.function in _AS_GIVEN else _with_casts(part)
    except NoForm as refusal:
        raise _refusal(part, refusal) from None


def _refusal(part: ResolvedExpression, reason: NoForm) -> TableException:
    return TableException(
        f"{part.as_summary_string()} has no text in Flink's SQL that means the same: {reason}. Serialise it with the "
        "dialect SPARK."
    )


_UNTYPED_COLLECTION = "an empty collection has no type there; cast it to one"


def _is_empty(part: ResolvedExpression) -> bool:
    """Whether this is a collection without elements, which has a form only as one of a type."""
    return isinstance(part, Call) and part.function in (ARRAY, MAP) and not part.arguments


def _is_search(part: ResolvedExpression) -> bool:
    return isinstance(part, Call) and part.function is cmp.IN and isinstance(part.arguments[1], TableReference)


def _require_decided(root: ResolvedExpression, is_condition: bool) -> None:
    """Refuse a search in a table whose result may be NULL, where that matters: there, Spark's is FALSE."""
    harmless: set[ResolvedExpression] = set()
    pending = [root] if is_condition else []
    while pending:
        part = pending.pop()
        harmless.add(part)
        if isinstance(part, Call) and part.function is logic.AND:
            pending += part.arguments
        elif isinstance(part, Call) and part.function is logic.NOT and _is_search(part.arguments[0]):
            harmless.add(part.arguments[0])
    for part in root.walk():
        if _is_search(part) and part.data_type.nullable and part not in harmless:
            raise _refusal(part, NoForm("beside NULLs its result is NULL, and FALSE in Spark, except in a filter"))


# --- the casts that Spark makes silently -----------------------------------------------------------------------------


def _spark_types(part: Call) -> tuple[LogicalType, ...]:
    context = CallContext.of(part.function.name, part.arguments, distinct=part.distinct)
    types = part.function.inference.inputs.infer_inputs(context)
    assert types is not None, "a resolved call has passed inference before"
    return types


def _flink_casts_itself(given: LogicalType, wanted: LogicalType) -> bool:
    if given.same_type(wanted):
        return True
    if isinstance(given, t.IntegralType) and isinstance(wanted, t.IntegralType):
        return given.width <= wanted.width
    return type(given) is type(wanted) and isinstance(given, t.IntervalType | t.DecimalType | t.TimeType)


def _as(value: ResolvedExpression, wanted: LogicalType) -> ResolvedExpression:
    """Return an argument as Spark casts it, unless Flink casts it to the same by itself."""
    if isinstance(wanted, t.NullType) and isinstance(value, ValueLiteral):
        raise NoForm("a NULL without a type has no place in it there; give it one with null_of")
    return value if _flink_casts_itself(value.data_type, wanted) else cast(value, wanted)


def _with_casts(part: Call) -> Call:
    """Return the call with the casts written out that Spark makes and Flink would not make, or not to the same type."""
    if not part.arguments:
        return part
    arguments = tuple(
        [
            argument if isinstance(argument, (SymbolLiteral, TypeLiteral)) else _as(argument, wanted)
            for argument, wanted in zip(part.arguments, _spark_types(part), strict=True)
        ]
    )
    return part if arguments == part.arguments else part.evolve(arguments=arguments)


# --- arithmetic ------------------------------------------------------------------------------------------------------


def _sum_of_two(part: Call) -> ResolvedExpression:
    left, right = part.arguments
    _refuse_days(part)
    if isinstance(part.data_type, t.CharacterType):
        return _moved_text(part)
    part = _with_casts(part)
    left, right = part.arguments
    moved = isinstance(right.data_type, t.TemporalType) or right.data_type.nullable
    if isinstance(left.data_type, t.IntervalType) and moved:
        # Flink adds an interval to an instant in this order only, and makes a NULL -1 beside one that is NOT NULL.
        return Call(ar.PLUS, (right, left), part.type_)
    return part


def _difference_of_two(part: Call) -> ResolvedExpression:
    _refuse_days(part)
    if isinstance(part.data_type, t.CharacterType):
        return _moved_text(part)
    part = _with_casts(part)
    left, right = part.arguments
    kinds = left.data_type, right.data_type
    if all(isinstance(kind, t.DateType) for kind in kinds):
        return Call(flink.DATE_DIFFERENCE, (left, right), part.type_)
    if all(isinstance(kind, t.TimeType) for kind in kinds):
        return Call(flink.TIME_DIFFERENCE, (left, right), part.type_)
    if all(isinstance(kind, t.TemporalType) for kind in kinds):
        raise NoForm("the difference of two timestamps has milliseconds there, microseconds in Spark")
    if isinstance(kinds[0], t.IntervalType) and kinds[1].nullable:
        negated = Call(ar.MINUS_PREFIX, (right,), right.data_type)
        return Call(ar.PLUS, (negated, left), part.type_)
    return part


def _refuse_days(part: Call) -> None:
    if isinstance(part.data_type, t.TemporalType) and any(
        isinstance(a.data_type, t.NumericType) for a in part.arguments
    ):
        raise NoForm("a number of days is no interval there; write the interval, as in col + lit(1).days")


def _moved_text(part: Call) -> ResolvedExpression:
    """Return the text of the timestamp that a text stands for, moved by an interval."""
    left, right = _with_casts(part).arguments
    if isinstance(left.data_type, t.IntervalType):
        left, right = right, left
    moved = Call(part.function, (left, right), t.TIMESTAMP_LTZ.with_nullability(part.data_type.nullable))
    return cast(moved, part.data_type)


def _product(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.IntervalType):
        factors = [a for a in part.arguments if not isinstance(a.data_type, t.IntervalType)]
        if not isinstance(factors[0].data_type, t.IntegralType | t.NullType):
            raise NoForm("an interval can be multiplied by whole numbers only")
        if isinstance(factors[0].data_type, t.NullType):
            return ValueLiteral(None, part.data_type.as_nullable())
    return _with_casts(part)


def _quotient(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.IntervalType):
        raise NoForm("an interval cannot be divided")
    part = _with_casts(part)
    left, right = part.arguments
    if isinstance(part.data_type, t.DoubleType):
        # Between whole numbers, Flink's division is that of whole numbers.
        return Call(ar.DIVIDE, (cast(left, t.DOUBLE), right), part.type_)
    return part


def _remainder(part: Call) -> ResolvedExpression:
    wanted = part.data_type
    if isinstance(wanted, t.FractionalType):
        raise NoForm("its % is for whole and decimal numbers")
    part = _with_casts(part)
    left, right = part.arguments
    # The type of Flink's remainder is that of the divisor, unless it has a fraction.
    if isinstance(wanted, t.IntegralType):
        return Call(ar.MOD, (left, cast(right, wanted)), part.type_)
    whole = all(isinstance(a.data_type, t.DecimalType) and not a.data_type.scale for a in (left, right))
    return cast(Call(ar.MOD, (left, right), right.data_type), wanted) if whole else part


# --- comparisons -----------------------------------------------------------------------------------------------------


def _distinct_from(part: Call) -> ResolvedExpression:
    left, right = part.arguments
    for value, other in ((left, right), (right, left)):
        if isinstance(other, ValueLiteral) and other.is_null:
            test = cmp.IS_NOT_NULL if part.function is cmp.IS_DISTINCT_FROM else cmp.IS_NULL
            return Call(test, (value,), part.type_)
    if isinstance(left.data_type, t.RowType):
        raise NoForm("a row of NULLs is the same as NULL there")
    return _with_casts(part)


_BOUNDS = {
    cmp.BETWEEN: (logic.AND, cmp.GREATER_THAN_OR_EQUAL, cmp.LESS_THAN_OR_EQUAL),
    cmp.NOT_BETWEEN: (logic.OR, cmp.LESS_THAN, cmp.GREATER_THAN),
}


def _between(part: Call) -> ResolvedExpression:
    """Return two comparisons where Spark compares the value as one type with one bound, as another with the other."""
    value, lower, upper = _spark_types(part)
    if value.same_type(lower) and value.same_type(upper):
        return _with_casts(part)
    join, first, second = _BOUNDS[part.function]
    given = part.arguments
    halves = [Call(f, (given[0], bound), part.type_) for f, bound in ((first, given[1]), (second, given[2]))]
    return Call(join, tuple([_with_casts(half) for half in halves]), part.type_)


def _in(part: Call) -> ResolvedExpression:
    value, *others = part.arguments
    if len(others) != 1 or not isinstance(others[0], TableReference):
        return _with_casts(part)
    query = others[0].operation
    columns = query.schema.columns
    values = cmp.row_values(value) if len(columns) > 1 else (value,)
    if any(isinstance(v.data_type, t.RowType) for v in values):
        raise NoForm("it does not look for rows in a table of rows")
    # Both sides as Spark compares them.
    pairs = [
        (v, FieldReference(c.name, c.data_type, 0, i)) for i, (v, c) in enumerate(zip(values, columns, strict=True))
    ]
    compared = [_spark_types(Call(cmp.EQUALS, pair, t.BOOLEAN))[0] for pair in pairs]
    casts = [_as(v, wanted) for v, wanted in zip(values, compared, strict=True)]
    if len(columns) > 1:
        names = [ValueLiteral(f"f{i}", t.STRING.not_null()) for i in range(len(casts))]
        value = Call(ROW, tuple([p for pair in zip(names, casts, strict=True) for p in pair]), value.data_type)
    else:
        (value,) = casts
    schema = ResolvedSchema.of(query.schema.names, compared)
    return Call(cmp.IN, (value, TableReference(cast_columns(query, schema))), part.type_)


def _like(part: Call) -> ResolvedExpression:
    part = _with_casts(part)
    value, pattern, *escape = part.arguments
    literal = pattern.value if isinstance(pattern, ValueLiteral) else None
    if escape or (isinstance(literal, str) and "\\" not in literal):
        return part
    # Spark takes the backslash for the escape where none is given; Flink takes none.
    return Call(cmp.LIKE, (value, pattern, ValueLiteral("\\", t.STRING.not_null())), part.type_)


def _truth(part: Call) -> ResolvedExpression:
    # Spark takes the NULL without a type for a truth value as it is.
    return Call(part.function, tuple([cast(argument, t.BOOLEAN) for argument in part.arguments]), part.type_)


# --- text ------------------------------------------------------------------------------------------------------------


def _refuse_bytes(part: Call, reason: str) -> None:
    if any(isinstance(a.data_type, t.BytesType) for a in part.arguments) and not isinstance(
        part.data_type, t.CharacterType
    ):
        raise NoForm(reason)


def _concat(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.ArrayType):
        part = _with_casts(part)
        return Call(flink.ARRAY_CONCAT, part.arguments, part.type_)
    _refuse_bytes(part, "CONCAT joins text only")
    return _with_casts(part)


def _char_length(part: Call) -> ResolvedExpression:
    _refuse_bytes(part, "CHAR_LENGTH counts the characters of text only")
    return _with_casts(part)


def _negative(value: ResolvedExpression) -> ResolvedExpression:
    return Call(ar.MINUS_PREFIX, (value,), value.data_type)


def _greater(left: ResolvedExpression, right: ResolvedExpression) -> ResolvedExpression:
    nullable = left.data_type.nullable or right.data_type.nullable
    return Call(flink.GREATEST, (left, right), t.INT.with_nullability(nullable))


def _whole(value: ResolvedExpression) -> int | None:
    """Return the number that a constant is."""
    return value.value if isinstance(value, ValueLiteral) and isinstance(value.value, int) else None


def _substring(part: Call) -> ResolvedExpression:
    _refuse_bytes(part, "SUBSTRING takes parts of text only")
    part = _with_casts(part)
    text, start, *length = part.arguments
    first, count = _whole(start), _whole(length[0]) if length else None
    if first is None or first < 0:
        # Before the beginning, Flink finds nothing; Spark begins there and counts what is missing.
        size = Call(string.CHAR_LENGTH, (text,), t.INT.with_nullability(text.data_type.nullable))
        begin = _greater(start, _negative(size))
        if length:
            missing = Call(ar.MINUS, (begin, start), begin.data_type)
            length = [_greater(Call(ar.MINUS, (length[0], missing), begin.data_type), integer(0))]
        start = begin
    elif length and (count is None or count < 0):
        # Of a negative length, Flink's result is NULL, Spark's is empty.
        length = [integer(0) if count is not None else _greater(length[0], integer(0))]
    return Call(part.function, (text, start, *length), part.type_)


def _overlay(part: Call) -> ResolvedExpression:
    _refuse_bytes(part, "OVERLAY changes text only")
    return _with_casts(part)


# --- time ------------------------------------------------------------------------------------------------------------

# Where the seconds of a time stand in its text, and how many characters the date before it has.
_SECONDS_AT = 7
_DATE_DIGITS = 11


def _extract(part: Call) -> ResolvedExpression:
    unit, source = part.arguments
    assert isinstance(unit, SymbolLiteral)
    if not isinstance(source.data_type, t.TemporalType | t.IntervalType):
        source = _as(source, _spark_types(part)[1])
    kind = source.data_type
    if isinstance(kind, t.IntervalType):
        return _field_of_interval(part, unit, source)
    if unit.symbol != "SECOND":
        # Flink's fields are of type BIGINT.
        return cast(Call(EXTRACT, (unit, source), t.BIGINT.with_nullability(kind.nullable)), part.data_type)
    # Its seconds have no fraction, which the text has.
    offset = 0 if isinstance(kind, t.TimeType) else _DATE_DIGITS
    return cast(part_of(text_of_time(source), _SECONDS_AT + offset, None), part.data_type)


def _field_of_interval(part: Call, unit: SymbolLiteral, source: ResolvedExpression) -> ResolvedExpression:
    whole = t.BIGINT.with_nullability(source.data_type.nullable)
    field = Call(EXTRACT, (unit, source), whole)
    if unit.symbol != "SECOND":
        return cast(field, part.data_type)
    milliseconds = Call(EXTRACT, (SymbolLiteral("MILLISECOND"), source), whole)
    thousandth = ValueLiteral(_THOUSANDTH, t.DecimalType(4, 3, nullable=False))
    fraction = Call(ar.TIMES, (milliseconds, thousandth), t.DecimalType(23, 3, nullable=whole.nullable))
    return cast(Call(ar.PLUS, (field, fraction), t.DecimalType(24, 3, nullable=whole.nullable)), part.data_type)


_THOUSANDTH = Decimal("0.001")


# --- aggregates ------------------------------------------------------------------------------------------------------


def _sum(part: Call) -> ResolvedExpression:
    return _aggregate(part, _with_casts(part), lambda wanted: not isinstance(wanted, t.DecimalType))


def _average(part: Call) -> ResolvedExpression:
    return _aggregate(part, _with_casts(part), lambda wanted: True)


def _aggregate(part: Call, with_casts: Call, widen: Callable[[LogicalType], bool]) -> ResolvedExpression:
    """Return an aggregate over values of the type of its result, which Flink gives the type of the values."""
    wanted = part.data_type
    if isinstance(wanted, t.IntervalType):
        raise NoForm("it has no aggregates of intervals")
    (argument,) = with_casts.arguments
    if widen(wanted):
        argument = cast(argument, wanted)
    made = part.evolve(arguments=(argument,))
    # Flink's sums and means of decimals have 38 digits.
    return converted(made, wanted) if isinstance(wanted, t.DecimalType) else made


_EXTREMES = (t.NumericType, t.BooleanType, t.CharacterType, t.TemporalType)


def _extreme(part: Call) -> ResolvedExpression:
    if not isinstance(part.data_type, _EXTREMES):
        raise NoForm(f"its {part.function.sql_name} takes no {part.data_type.as_nullable().as_summary_string()}")
    return _with_casts(part)


def _joined(part: Call) -> ResolvedExpression:
    _refuse_bytes(part, "its LISTAGG joins text only")
    return _with_casts(part)


def _sum0(part: Call) -> ResolvedExpression:
    # Flink's SQL knows no SUM0 either.
    return transform(lower_for_spark(part), _form)


# --- collections and JSON --------------------------------------------------------------------------------------------


def _constructor(part: Call) -> ResolvedExpression:
    wanted = _spark_types(part) if part.arguments else ()
    for kind, given in zip(wanted, part.arguments, strict=True):
        if isinstance(kind, t.IntervalType) and not given.data_type.same_type(kind):
            raise NoForm("intervals of different fields have no common type in a collection there")
    return _with_casts(part)


def _at(part: Call) -> ResolvedExpression:
    """Return an access to a collection whose elements may be NULL; to others, Flink answers a default, never NULL."""
    collection, key = part.arguments
    key = cast(key, _spark_types(part)[1])
    kind = written_type(collection.data_type)
    if not collection.data_type.same_type(kind):
        collection = Call(CAST, (collection, TypeLiteral(kind.as_nullable())), kind)
    if isinstance(kind, t.ArrayType) and _whole(key) is None:
        # Spark counts what is negative from the end.
        size = Call(CARDINALITY, (collection,), t.INT.with_nullability(collection.data_type.nullable))
        after_last = Call(ar.PLUS, (size, integer(1)), size.data_type)
        from_end = Call(ar.PLUS, (after_last, key), t.INT)
        is_negative = Call(cmp.LESS_THAN, (key, integer(0)), t.BOOLEAN)
        key = Call(logic.CASE, (is_negative, from_end, key), t.INT)
    return Call(AT, (collection, key), part.type_)


_JSON_ALIKE = (t.BooleanType, t.IntegralType, t.DecimalType, t.DoubleType, t.CharacterType, t.BytesType)


def _json_object(part: Call) -> ResolvedExpression:
    symbol, *fields = part.arguments
    keys = [key.value for key in fields[::2] if isinstance(key, ValueLiteral)]
    if len(set(keys)) < len(keys):
        raise NoForm("of a key that is given twice it keeps one value")
    values = [field if i % 2 == 0 else _json_value(field) for i, field in enumerate(fields)]
    return Call(JSON_OBJECT, (symbol, *values), part.type_)


def _json_value(value: ResolvedExpression) -> ResolvedExpression:
    kind = value.data_type
    if isinstance(kind, t.FloatType):
        raise NoForm("a FLOAT has more digits in JSON there; cast it to DOUBLE")
    if isinstance(kind, t.NullType | t.DateType | t.TimeType | t.IntervalType):
        return cast(value, t.STRING)
    _refuse_other_json(kind)
    return value


def _refuse_other_json(kind: LogicalType) -> None:
    if isinstance(kind, t.ArrayType | t.MapType | t.RowType):
        for part in kind.children:
            _refuse_other_json(part)
    elif not isinstance(kind, _JSON_ALIKE):
        raise NoForm(f"values of type {kind.as_nullable().as_summary_string()} become JSON in another form there")


def _empty(kind: LogicalType) -> ResolvedExpression:
    """Return an array or map of the type without elements: what an array holds after its end."""
    kind = written_type(kind).not_null()
    if isinstance(kind, t.MapType):
        return _empty_map(kind)
    assert isinstance(kind, t.ArrayType)
    one = Call(ARRAY, (ValueLiteral(None, kind.element.as_nullable()),), kind)
    return Call(flink.ARRAY_SLICE, (one, integer(2), integer(1)), kind)


def _empty_map(kind: t.MapType) -> ResolvedExpression:
    # Flink fails to look into what MAP_FROM_ARRAYS makes, but not into what a cast has made of it.
    if kind.value.children:
        raise NoForm("a map of collections has no empty form there")
    other = t.INT if isinstance(kind.value, t.CharacterType) else t.STRING
    parts = (_empty(t.ArrayType(kind.key.as_nullable())), _empty(t.ArrayType(other)))
    made = Call(flink.MAP_FROM_ARRAYS, parts, t.MapType(kind.key, other, nullable=False))
    return Call(CAST, (made, TypeLiteral(kind.as_nullable())), kind)


# --- the rest --------------------------------------------------------------------------------------------------------


def _cast(part: Call) -> ResolvedExpression:
    value, target = part.arguments
    if _is_empty(value):
        return _empty(target.data_type)
    return converted(value, target.data_type, attempt=part.function is TRY_CAST)


def _refused(reason: str) -> Callable[[Call], ResolvedExpression]:
    def refuse(part: Call) -> ResolvedExpression:
        raise NoForm(reason.format(name=part.function.sql_name))

    return refuse


_FORMS: dict[FunctionDefinition, Callable[[Call], ResolvedExpression]] = {
    ar.PLUS: _sum_of_two,
    ar.MINUS: _difference_of_two,
    ar.TIMES: _product,
    ar.DIVIDE: _quotient,
    ar.MOD: _remainder,
    **dict.fromkeys((cmp.IS_DISTINCT_FROM, cmp.IS_NOT_DISTINCT_FROM), _distinct_from),
    **dict.fromkeys((cmp.BETWEEN, cmp.NOT_BETWEEN), _between),
    cmp.IN: _in,
    **dict.fromkeys((logic.AND, logic.OR, logic.NOT, logic.IS_TRUE, logic.IS_NOT_TRUE), _truth),
    **dict.fromkeys((logic.IS_FALSE, logic.IS_NOT_FALSE, logic.IS_UNKNOWN, logic.IS_NOT_UNKNOWN), _truth),
    cmp.LIKE: _like,
    string.CONCAT: _concat,
    string.CHAR_LENGTH: _char_length,
    **dict.fromkeys((string.SUBSTRING, string.SUBSTR), _substring),
    string.OVERLAY: _overlay,
    EXTRACT: _extract,
    **dict.fromkeys((CURRENT_TIME, LOCAL_TIME), _refused("its {name} has no fraction of a second")),
    **dict.fromkeys((TO_JSON, PARSE_JSON), _refused("{name} is a function of Spark")),
    **dict.fromkeys((CAST, TRY_CAST), _cast),
    **dict.fromkeys((ARRAY, MAP), _constructor),
    AT: _at,
    JSON_OBJECT: _json_object,
    agg.SUM: _sum,
    **dict.fromkeys((agg.MIN, agg.MAX), _extreme),
    agg.LIST_AGG: _joined,
    **dict.fromkeys((agg.AVG, agg.STDDEV_POP, agg.STDDEV_SAMP, agg.VAR_POP, agg.VAR_SAMP), _average),
    agg.SUM0: _sum0,
    **dict.fromkeys(TIME_WINDOWS, _refused("{name} is a table function there, which the text of a query has")),
    agg.ARRAY_AGG: _refused("its ARRAY_AGG keeps NULL, and is NULL where there are no rows"),
}


def cast_columns(operation: QueryOperation, schema: ResolvedSchema) -> QueryOperation:
    """Return ``operation`` with the casts that a set operation of Spark makes for the types of ``schema``."""
    projections: list[ResolvedExpression] = []
    for index, (own, wanted) in enumerate(zip(operation.schema.columns, schema.columns, strict=True)):
        reference = FieldReference(own.name, own.data_type, 0, index)
        same = _flink_casts_itself(own.data_type, wanted.data_type)
        projections.append(
            reference
            if same
            else Call(CAST, (reference, TypeLiteral(wanted.data_type.as_nullable())), wanted.data_type)
        )
    return project(operation, tuple(projections), operation.schema.names)
