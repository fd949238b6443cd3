"""What a call of Spark's meaning is in Flink's SQL: the same call, one with explicit casts, or none.

A query means what Spark says. Flink gives some of the same operators other types or other text, so that its text gets
the casts which Spark makes silently, and is refused where no text of Flink's means the same.
"""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.errors import TableException
from ir.expressions import Call, FieldReference, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions import aggregate as agg
from ir.functions import arithmetic as ar
from ir.functions import comparison as cmp
from ir.functions.collection import ARRAY, AT, CARDINALITY, GET, MAP, ROW
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.json import JSON_OBJECT, PARSE_JSON, TO_JSON
from ir.functions.string import CHAR_LENGTH, CONCAT, LOWER
from ir.functions.temporal import CURRENT_TIME, EXTRACT
from ir.inference import CallContext
from ir.lowerings import lower_for_spark
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.rewriting import transform
from ir.schema import ResolvedSchema
from ir.types import LogicalType

_ARITHMETIC = (ar.PLUS, ar.MINUS, ar.TIMES, ar.DIVIDE, ar.MOD)
# Their arguments may be of any type, and are not cast by Spark for the call's sake.
_AS_GIVEN = (CAST, TRY_CAST, GET, ROW, JSON_OBJECT, CARDINALITY, AT, cmp.IS_NULL, cmp.IS_NOT_NULL)


def to_flink(root: ResolvedExpression) -> ResolvedExpression:
    """Return an expression as Flink must read it to mean what it means here.

    Raises:
        TableException: Flink has nothing that means the same for a part of it.
    """
    return transform(root, _form)


def _form(part: ResolvedExpression) -> ResolvedExpression:
    """Return the form of one call, whose arguments have theirs already, with their types unchanged."""
    if not isinstance(part, Call):
        return part
    special = _FORMS.get(part.function)
    if special is not None:
        return special(part)
    return part if part.function in _AS_GIVEN else _with_casts(part)


def _cast(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    return Call(CAST, (value, TypeLiteral(target.as_nullable())), target)


def _spark_casts(part: Call) -> tuple[LogicalType, ...]:
    types = part.function.inference.inputs.infer_inputs(CallContext.of(part.function.name, part.arguments))
    assert types is not None, "a resolved call has passed inference before"
    return types


def _flink_casts_itself(given: LogicalType, wanted: LogicalType) -> bool:
    if given.same_type(wanted) or isinstance(given, t.NullType):
        return True
    integral = isinstance(given, t.IntegralType) and isinstance(wanted, t.IntegralType)
    return integral or type(given) is type(wanted) and isinstance(given, t.IntervalType | t.DecimalType | t.TimeType)


def _with_casts(part: Call) -> ResolvedExpression:
    """Return the call with the casts written out that Spark makes and Flink would not make, or not to the same type."""
    wanted = _spark_casts(part)
    arguments = tuple(
        [
            argument
            if isinstance(argument, (SymbolLiteral, TypeLiteral)) or _flink_casts_itself(argument.data_type, target)
            else _cast(argument, target)
            for argument, target in zip(part.arguments, wanted, strict=True)
        ]
    )
    return part if arguments == part.arguments else Call(part.function, arguments, part.type_, part.distinct)


def _refuse(part: Call, reason: str) -> TableException:
    return TableException(
        f"{part.as_summary_string()} has no text in Flink's SQL that means the same: {reason}. Serialise it with the "
        "dialect SPARK."
    )


def _divide(part: Call) -> ResolvedExpression:
    left, right = part.arguments
    if isinstance(part.data_type, t.DoubleType) and isinstance(left.data_type, t.IntegralType):
        # Between whole numbers, Flink's division is that of whole numbers.
        return Call(ar.DIVIDE, (_cast(left, t.DOUBLE.with_nullability(left.data_type.nullable)), right), part.type_)
    return _arithmetic(part)


def _arithmetic(part: Call) -> ResolvedExpression:
    if isinstance(part.data_type, t.IntervalType) and not all(
        isinstance(a.data_type, t.IntervalType | t.TemporalType) for a in part.arguments
    ):
        kinds = [a.data_type for a in part.arguments]
        if part.function is not ar.TIMES or not any(isinstance(k, t.IntegralType) for k in kinds):
            raise _refuse(part, "an interval can be multiplied by whole numbers only")
    if isinstance(part.data_type, t.TemporalType) and any(isinstance(a.data_type, t.NumericType) for a in part.arguments):
        raise _refuse(part, "a number of days is no interval there; write the interval, as in col + lit(1).days")
    return _with_casts(part)


def _sum(part: Call) -> ResolvedExpression:
    (argument,) = part.arguments
    wanted = part.data_type
    if isinstance(wanted, t.IntervalType):
        raise _refuse(part, "it has no aggregates of intervals")
    if isinstance(wanted, t.DecimalType):
        return _cast(part, wanted)
    if argument.data_type.same_type(wanted):
        return part
    return Call(part.function, (_cast(argument, wanted),), part.type_, part.distinct)


def _average(part: Call) -> ResolvedExpression:
    (argument,) = part.arguments
    wanted = part.data_type
    if isinstance(wanted, t.IntervalType):
        raise _refuse(part, "it has no aggregates of intervals")
    if argument.data_type.same_type(wanted):
        return part
    average = Call(part.function, (_cast(argument, wanted),), part.type_, part.distinct)
    # Flink's mean of decimals has 38 digits.
    return _cast(average, wanted) if isinstance(wanted, t.DecimalType) else average


def _like(part: Call) -> ResolvedExpression:
    with_casts = _with_casts(part)
    assert isinstance(with_casts, Call)
    value, pattern, *escape = with_casts.arguments
    literal = pattern.value if isinstance(pattern, ValueLiteral) else None
    if escape or (isinstance(literal, str) and "\\" not in literal):
        return with_casts
    # Spark takes the backslash for the escape where none is given; Flink takes none.
    backslash = ValueLiteral("\\", t.STRING.not_null())
    return Call(cmp.LIKE, (value, pattern, backslash), part.type_)


def _extract(part: Call) -> ResolvedExpression:
    unit, source = part.arguments
    assert isinstance(unit, SymbolLiteral)
    if unit.symbol == "SECOND":
        raise _refuse(part, "its seconds have no fraction")
    if unit.symbol in ("DOW", "DOY", "QUARTER", "WEEK") and not isinstance(source.data_type, t.TemporalType):
        raise _refuse(part, f"{unit.symbol} needs a date or a timestamp")
    if isinstance(source.data_type, t.CharacterType):
        source = _cast(source, _spark_casts(part)[1])
    # Flink's fields are of type BIGINT.
    return _cast(Call(EXTRACT, (unit, source), part.type_), part.data_type)


_SAME_TEXT = (t.IntegralType, t.DecimalType, t.CharacterType, t.DateType)


def _cast_form(part: Call) -> ResolvedExpression:
    value, target = part.arguments
    source = value.data_type
    if isinstance(target.data_type, t.CharacterType) and not isinstance(source, _SAME_TEXT + (t.NullType,)):
        if isinstance(source, t.BooleanType):
            # TRUE becomes 'TRUE' in Flink and 'true' in Spark.
            return Call(LOWER, (part,), part.type_)
        raise _refuse(part, f"a {source.as_nullable().as_summary_string()} becomes text in another form there")
    if isinstance(source, t.BytesType) != isinstance(target.data_type, t.BytesType) and not isinstance(source, t.NullType):
        if not isinstance(source, t.CharacterType | t.BytesType):
            raise _refuse(part, "bytes can be made of text only")
    if isinstance(source, t.NumericType) and isinstance(target.data_type, t.TemporalType | t.IntervalType):
        raise _refuse(part, "a number is no point in time and no interval there")
    return part


def _concat(part: Call) -> ResolvedExpression:
    if not isinstance(part.data_type, t.CharacterType):
        raise _refuse(part, "CONCAT joins text only")
    return _with_text(part)


def _with_text(part: Call) -> ResolvedExpression:
    arguments = [a if isinstance(a.data_type, t.CharacterType) else _cast(a, t.STRING) for a in part.arguments]
    return part if tuple(arguments) == part.arguments else Call(part.function, tuple(arguments), part.type_)


def _char_length(part: Call) -> ResolvedExpression:
    if isinstance(part.arguments[0].data_type, t.BytesType):
        raise _refuse(part, "CHAR_LENGTH counts characters of text only")
    return _with_text(part)


def _current_time(part: Call) -> ResolvedExpression:
    raise _refuse(part, "its CURRENT_TIME and LOCALTIME have no fraction of a second")


def _spark_only(part: Call) -> ResolvedExpression:
    raise _refuse(part, f"{part.function.sql_name} is a function of Spark")


def _array_agg(part: Call) -> ResolvedExpression:
    raise _refuse(part, "its ARRAY_AGG keeps NULL, and is NULL where there are no rows")


def _sum0(part: Call) -> ResolvedExpression:
    # Flink's SQL knows no SUM0 either.
    return transform(lower_for_spark(part), _form)


def _constructor(part: Call) -> ResolvedExpression:
    if not part.arguments:
        raise _refuse(part, "an empty collection has no type there")
    return _with_casts(part)


_FORMS: dict[FunctionDefinition, Callable[[Call], ResolvedExpression]] = {
    **dict.fromkeys(_ARITHMETIC, _arithmetic),
    ar.DIVIDE: _divide,
    agg.SUM: _sum,
    agg.AVG: _average,
    **dict.fromkeys((agg.STDDEV_POP, agg.STDDEV_SAMP, agg.VAR_POP, agg.VAR_SAMP), _average),
    agg.SUM0: _sum0,
    agg.ARRAY_AGG: _array_agg,
    cmp.LIKE: _like,
    EXTRACT: _extract,
    CAST: _cast_form,
    TRY_CAST: _cast_form,
    CONCAT: _concat,
    CHAR_LENGTH: _char_length,
    CURRENT_TIME: _current_time,
    TO_JSON: _spark_only,
    PARSE_JSON: _spark_only,
    ARRAY: _constructor,
    MAP: _constructor,
}


def cast_columns(operation: QueryOperation, schema: ResolvedSchema) -> QueryOperation:
    """Return ``operation`` with the casts that a set operation of Spark makes for the types of ``schema``."""
    projections: list[ResolvedExpression] = []
    for index, (own, wanted) in enumerate(zip(operation.schema.columns, schema.columns, strict=True)):
        reference = FieldReference(own.name, own.data_type, 0, index)
        same = _flink_casts_itself(own.data_type, wanted.data_type)
        projections.append(reference if same else _cast(reference, wanted.data_type))
    return project(operation, tuple(projections), operation.schema.names)

