"""Inverses of the rewritings to Flink's SQL: the candidates for the expression from which a form was made.

An inverse yields candidates, and the caller accepts a candidate that has the form in question. An inverse gets a call,
or a call over a window, whose arguments are already raised, and the positions of the arguments that the text marks as
written by the query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from ir import calls
from ir import types as t
from ir.call_expressions import Call, Over
from ir.errors import TableException, ValidationException
from ir.expressions import FieldReference, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.flink.constants import cast_of
from ir.functions import arithmetic as ar
from ir.functions import comparison as cmp
from ir.functions import flink, logic, mathematics, string
from ir.functions import real_numbers as real
from ir.functions.aggregate import FIRST_VALUE, LAST_VALUE
from ir.functions.arrays import SORT_ARRAY
from ir.functions.collection import ARRAY, AT, GET, MAP, ROW
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.flink_collections import ARRAY_SLICE
from ir.functions.higher_order import ARRAY_SORT
from ir.functions.maps import MAP_FROM_ARRAYS
from ir.functions.temporal import EXTRACT
from ir.literals import literal
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project

Marks = frozenset[int]
Inverse = Callable[[ResolvedExpression, Marks], Iterator[ResolvedExpression | None]]

_DEPTH = 5
_MOST_SUBSETS = 3


# --- casts of arguments ----------------------------------------------------------------------------------------------


def drop_casts(base: ResolvedExpression, marks: Marks = frozenset()) -> Iterator[ResolvedExpression | None]:
    """Yield a call with fewer casts of its arguments, the one without any cast first."""
    call = base.call if isinstance(base, Over) else base
    if not isinstance(call, Call):
        return
    bare = [a if i in marks else uncast(a) for i, a in enumerate(call.arguments)]
    found = [i for i, (a, b) in enumerate(zip(bare, call.arguments, strict=True)) if a is not b]
    if not found:
        return
    twice = [uncast(a) if i in found else a for i, a in enumerate(bare)]
    if twice != bare:
        yield _replace_arguments(base, twice)
    yield _replace_arguments(base, bare)
    if len(found) <= _MOST_SUBSETS:
        for size in range(len(found) - 1, 0, -1):
            for chosen in combinations(found, size):
                some = [bare[i] if i in chosen else a for i, a in enumerate(call.arguments)]
                yield _replace_arguments(base, some)


def uncast(value: ResolvedExpression) -> ResolvedExpression:
    """Return the operand of a cast, or the value itself; some constants are casts in Flink's SQL."""
    if isinstance(value, ValueLiteral):
        value = cast_of(value) or value
    if isinstance(value, Call) and value.function in (CAST, TRY_CAST):
        return value.arguments[0]
    return value


def _replace_arguments(base: ResolvedExpression, arguments: Sequence[ResolvedExpression]) -> ResolvedExpression | None:
    """Return the same call with other arguments, None if such a call is invalid."""
    if isinstance(base, Over):
        made = _replace_arguments(base.call, arguments)
        return base.evolve(call=made) if isinstance(made, Call) else None
    assert isinstance(base, Call)
    return _try_call(base.function, arguments, base)


def _try_call(
    function: FunctionDefinition, arguments: Sequence[ResolvedExpression], like: Call | None = None
) -> ResolvedExpression | None:
    """Return a call with the quantifier and condition of another call, None if it is invalid."""
    try:
        return calls.call(function, arguments, calls.NO_CLAUSES if like is None else calls.Clauses.of(like))
    except (TableException, ValidationException):
        return None


def _yield_with_fewer_casts(
    made: ResolvedExpression | None, marks: Marks = frozenset()
) -> Iterator[ResolvedExpression | None]:
    if made is not None:
        yield from drop_casts(made, marks)
        yield made


def _spine(root: ResolvedExpression) -> list[ResolvedExpression]:
    """Return the chain of first arguments of nested calls, the outermost call first."""
    found = [root]
    while len(found) < _DEPTH:
        part = found[-1]
        if not isinstance(part, Call):
            break
        values = [a for a in part.arguments if not isinstance(a, (SymbolLiteral, TypeLiteral))]
        if not values:
            break
        found.append(values[0])
    return found


# --- conversions -----------------------------------------------------------------------------------------------------


def _invert_cast(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    # The marks belong to the operand of the cast.
    assert isinstance(base, Call)
    value, target = base.arguments
    if isinstance(value, Call) and value.function in (flink.MAP_FROM_ARRAYS, MAP_FROM_ARRAYS):
        yield _try_call(CAST, (calls.call(MAP, ()), target))
    yield from drop_casts(value, marks)
    yield value
    for part in reversed(_spine(value)[1:]):
        yield _try_call(CAST, (part, target))
        yield _try_call(EXTRACT, (SymbolLiteral("SECOND"), uncast(part)))
        yield _try_call(EXTRACT, (SymbolLiteral("SECOND"), part))


def _invert_row(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    kind, values = base.type_, base.arguments[1:]
    if not isinstance(kind, t.RowType) or len(kind.fields) != len(values):
        return
    if values and isinstance(values[0], Call) and values[0].function is GET:
        yield values[0].arguments[0]
    names = [literal(field.name) for field in kind.fields]
    yield _try_call(ROW, [x for pair in zip(names, values, strict=True) for x in pair])


def cast_row(base: Call) -> ResolvedExpression:
    """Return the cast of a row constructor to a type."""
    names = [literal(f"EXPR${n}") for n in range(len(base.arguments) - 1)]
    row = calls.call(ROW, [x for pair in zip(names, base.arguments[1:], strict=True) for x in pair])
    return calls.call(CAST, (row, base.arguments[0]))


def _invert_try_cast(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    value, target = base.arguments
    if marks:
        return
    if isinstance(value, ValueLiteral) and value.is_null:
        yield _try_call(TRY_CAST, (ValueLiteral(None, t.NULL), target))
    for part in _spine(value)[1:]:
        yield _try_call(TRY_CAST, (part, target))


def _invert_text_cast(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    """Yield casts to string that need more than CAST in Flink, and casts of a string moved by an interval."""
    for part in () if marks else _spine(base)[1:]:
        if isinstance(part, Call) and part.function in (ar.PLUS, ar.MINUS):
            yield from drop_casts(part)
    for part in () if marks else _spine(base)[1:]:
        yield _try_call(CAST, (part, TypeLiteral(t.STRING)))
        if isinstance(part, ValueLiteral) and isinstance(part.type_, t.TimeType):
            # When parsed, the cast of such a constant to milliseconds is a constant.
            for precision in (9, 8, 7, 6, 5, 4):
                finer = ValueLiteral(part.value, t.TimeType(precision, nullable=False))
                yield _try_call(CAST, (finer, TypeLiteral(t.STRING)))


def _invert_empty_array(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    yield _try_call(CAST, (calls.call(ARRAY, ()), TypeLiteral(base.data_type.as_nullable())))


# --- arithmetic and strings ------------------------------------------------------------------------------------------


def _invert_renaming(function: FunctionDefinition) -> Inverse:
    def inverse(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
        assert isinstance(base, Call)
        yield from _yield_with_fewer_casts(_try_call(function, base.arguments), marks)

    return inverse


def _invert_logarithm(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    yield from _yield_with_fewer_casts(_try_call(base.function, [_guard_positive(a) for a in base.arguments]), marks)


def _guard_positive(value: ResolvedExpression) -> ResolvedExpression:
    """Return the number inside a guard that makes it NULL unless it is positive."""
    if isinstance(value, Call) and value.function is logic.NULLIF:
        return _greatest_of(value.arguments[0])
    return value


def _invert_extreme(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    """Yield GREATEST or LEAST of two values; with one NULL, these return the other value."""
    assert isinstance(base, Call)
    first = base.arguments[0]
    if isinstance(first, Call) and first.function in (mathematics.GREATEST, mathematics.LEAST):
        yield first
    elif isinstance(first, Call) and first.function in EXTREMES:
        yield from _yield_with_fewer_casts(_try_call(EXTREMES[first.function], first.arguments), marks)


def _invert_substring(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    text, *bounds = base.arguments
    given = [text, *map(_greatest_of, bounds)]
    if len(bounds) > 1 and given[1] is not bounds[0]:
        length = given[2]
        if isinstance(length, Call) and length.function is ar.MINUS:
            given[2] = length.arguments[0]
    typed = [
        _restore_integer_cast(g) if i in marks and g is not a else g
        for i, (g, a) in enumerate(zip(given, base.arguments, strict=True))
    ]
    yield from _yield_with_fewer_casts(_try_call(base.function, typed), marks)


def _greatest_of(value: ResolvedExpression) -> ResolvedExpression:
    is_greatest = isinstance(value, Call) and value.function in (flink.GREATEST, mathematics.GREATEST)
    return value.arguments[0] if is_greatest and isinstance(value, Call) else value


def _restore_integer_cast(value: ResolvedExpression) -> ResolvedExpression:
    """Return a value with the cast to INT that was omitted when the value became an operand of a common type."""
    is_integer = isinstance(value.data_type, t.IntType)
    return value if is_integer else _try_call(CAST, (value, TypeLiteral(t.INT))) or value


def _invert_like(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    escape = base.arguments[-1]
    if len(base.arguments) == 3 and isinstance(escape, ValueLiteral) and escape.value == "\\":
        yield from _yield_with_fewer_casts(_try_call(cmp.LIKE, base.arguments[:2]), marks)


def _invert_access(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    collection, key = base.arguments
    if isinstance(key, Call) and key.function is logic.CASE and len(key.arguments) == 3:
        yield from _yield_with_fewer_casts(_try_call(AT, (collection, key.arguments[2])), marks)


# --- IN over queries -------------------------------------------------------------------------------------------------


def columns_without_casts(operation: QueryOperation) -> QueryOperation:
    """Return the input of a projection that only casts columns, else the operation itself."""
    if not isinstance(operation, Project) or operation.names != operation.input.schema.names:
        return operation
    for index, part in enumerate(operation.projections):
        value = uncast(part) if isinstance(part, Call) else part
        if not isinstance(value, FieldReference) or value.index != index:
            return operation
    return operation.input


def _invert_search(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    value, *others = base.arguments
    if len(others) != 1 or not isinstance(others[0], TableReference):
        return
    query = others[0].operation
    values = [_bare_row(value), value]
    for candidate in dict.fromkeys((columns_without_casts(query), query)):
        for given in values:
            yield _try_call(cmp.IN, (given, TableReference(candidate)))


def _bare_row(value: ResolvedExpression) -> ResolvedExpression:
    if isinstance(value, Call) and value.function is ROW:
        parts = [uncast(a) if i % 2 else a for i, a in enumerate(value.arguments)]
        return _try_call(ROW, parts) or value
    return uncast(value)


# --- windows ---------------------------------------------------------------------------------------------------------


def _invert_pick(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    if isinstance(base, Over):
        call = base.call.evolve(ignore_nulls=True)
        if call.arguments[0].data_type.nullable or marks:
            yield from _yield_with_fewer_casts(base.evolve(call=call))


# --- calls that the text marks as a whole ----------------------------------------------------------------------------


def _invert_bounds(function: FunctionDefinition) -> Inverse:
    def inverse(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
        assert isinstance(base, Call)
        if len(base.arguments) != 2:
            return
        first, second = base.arguments
        if isinstance(first, Call) and isinstance(second, Call) and len(first.arguments) == len(second.arguments) == 2:
            values = dict.fromkeys((first.arguments[0], second.arguments[0]))
            for value in values:
                yield _try_call(function, (value, first.arguments[1], second.arguments[1]))

    return inverse


def _invert_patterns(function: FunctionDefinition) -> Inverse:
    """Return an inverse for a comparison with several patterns, which is written as one comparison for each."""

    def inverse(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
        assert isinstance(base, Call)
        tests = [base] if base.function is cmp.LIKE else base.arguments
        if all(isinstance(test, Call) and test.function is cmp.LIKE for test in tests):
            first = tests[0].children
            yield _try_call(function, (first[0], *[test.children[1] for test in tests]))

    return inverse


def _invert_certain_cast(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    yield _try_call(TRY_CAST, base.arguments)


def _invert_search_for_text(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    """Yield POSITION with a cast of the searched string that the query itself contains."""
    assert isinstance(base, Call)
    yield _try_call(string.POSITION, (calls.call(CAST, (base.arguments[0], TypeLiteral(t.STRING))), base.arguments[1]))


def _invert_escape(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    yield _try_call(cmp.LIKE, (*base.arguments[:2], literal("\\")))


def _invert_swapped(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    left, right = base.arguments
    if 0 not in marks:
        yield from _yield_with_fewer_casts(_try_call(ar.PLUS, (right, left)))
    elif isinstance(left, Call) and left.function is ar.MINUS_PREFIX:
        yield from _yield_with_fewer_casts(_try_call(ar.MINUS, (right, left.arguments[0])))


EXTREMES = {flink.GREATEST: mathematics.GREATEST, flink.LEAST: mathematics.LEAST}


def _invert_order(base: ResolvedExpression, marks: Marks) -> Iterator[ResolvedExpression | None]:
    assert isinstance(base, Call)
    if base.arguments[1:] == (literal(True), literal(False)):
        yield _try_call(ARRAY_SORT, base.arguments[:1])
    else:
        yield _try_call(SORT_ARRAY, base.arguments)


INVERSES: dict[FunctionDefinition, tuple[Inverse, ...]] = {
    CAST: (_invert_cast,),
    TRY_CAST: (_invert_try_cast,),
    flink.ROW_OF_TYPE: (_invert_row,),
    string.LOWER: (_invert_text_cast,),
    string.TRIM: (_invert_text_cast,),
    flink.ARRAY_SLICE: (_invert_empty_array, _invert_renaming(ARRAY_SLICE)),
    flink.ARRAY_SORT: (_invert_order,),
    flink.MAP_FROM_ARRAYS: (_invert_renaming(MAP_FROM_ARRAYS),),
    flink.ARRAY_CONCAT: (_invert_renaming(string.CONCAT),),
    flink.DATE_DIFFERENCE: (_invert_renaming(ar.MINUS),),
    flink.TIME_DIFFERENCE: (_invert_renaming(ar.MINUS),),
    **{ours: (_invert_renaming(spark),) for ours, spark in EXTREMES.items()},
    logic.COALESCE: (_invert_extreme,),
    **dict.fromkeys((real.LN, real.LOG, real.LOG2, real.LOG10), (_invert_logarithm,)),
    string.SUBSTRING: (_invert_substring,),
    string.SUBSTR: (_invert_substring,),
    cmp.LIKE: (_invert_like,),
    AT: (_invert_access,),
    cmp.IN: (_invert_search,),
    FIRST_VALUE: (_invert_pick,),
    LAST_VALUE: (_invert_pick,),
}


def _extreme_of_flink(base: Call) -> ResolvedExpression:
    """Return GREATEST or LEAST with Flink's meaning: NULL if any value is NULL."""
    found = calls.call(EXTREMES[base.function], base.arguments)
    tests = [calls.call(cmp.IS_NULL, (a,)) for a in base.arguments if a.data_type.nullable]
    test = tests[0] if len(tests) == 1 else calls.call(logic.OR, tests)
    return calls.call(logic.CASE, (test, ValueLiteral(None, found.data_type.as_nullable()), found))


def _milliseconds(base: Call) -> ResolvedExpression:
    """Return the milliseconds of a time of day; for values before 1970, Flink's result may be negative."""
    time = base.arguments[0]
    if not isinstance(time.data_type, t.TimeType):
        return base
    thousandfold = calls.call(ar.TIMES, (calls.call(EXTRACT, (SymbolLiteral("SECOND"), time)), literal(1000)))
    whole = calls.call(CAST, (thousandfold, TypeLiteral(t.BIGINT)))
    return calls.call(ar.MOD, (whole, ValueLiteral(1000, t.BIGINT.not_null())))


# The equivalents in Spark of Flink's functions, for calls that are no form of another call.
MEANINGS: dict[FunctionDefinition, Callable[[Call], ResolvedExpression]] = {
    **dict.fromkeys(EXTREMES, _extreme_of_flink),
    flink.MILLISECOND_OF: _milliseconds,
}
# Inverses for calls that are marked by double parentheses as a whole.
WHOLE_INVERSES: dict[FunctionDefinition, tuple[Inverse, ...]] = {
    logic.AND: (_invert_bounds(cmp.BETWEEN), _invert_patterns(cmp.LIKE_ALL)),
    logic.OR: (_invert_bounds(cmp.NOT_BETWEEN), _invert_patterns(cmp.LIKE_ANY)),
    CAST: (_invert_certain_cast,),
    cmp.LIKE: (_invert_escape, _invert_patterns(cmp.LIKE_ANY), _invert_patterns(cmp.LIKE_ALL)),
    string.POSITION: (_invert_search_for_text,),
    ar.PLUS: (_invert_swapped,),
}
