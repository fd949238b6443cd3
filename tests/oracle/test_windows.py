"""Aggregates and window functions over windows of every kind against Spark's analyzer: acceptance and type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

import pytest

from ir import types as t
from ir.call_expressions import Call, Over
from ir.calls import Clauses, call
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, SortOrder, ValueLiteral
from ir.frames import Direction, Frame, FrameBound, FrameUnit
from ir.functions.aggregate import COUNT, KEY_FUNCTIONS, SUM
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.window import CUME_DIST, LAG, NTH_VALUE, NTILE, RANK, ROW_NUMBER
from ir.literals import literal
from ir.resolution.windows.frames import frame_of
from ir.resolution.windows.over import build_over
from ir.types import LogicalType
from ir.unresolved import UnresolvedBound, UnresolvedWindow
from tests.oracle.calls import COLUMNS, LITERALS, ORDER, SOME_CALLS, argument_lists, call_or_none, usual_order
from tests.oracle.oracle import NOT_NULL, NULLABLE, Comparison, Oracle

ONE = literal(1)
COUNTED = call(COUNT, (ONE,))
SUMMED = call(SUM, (ORDER.expression,))


def over_or_none(made: Callable[[], Over]) -> Over | None:
    try:
        return made()
    except ValidationException:
        return None


def agree(oracle: Oracle, asked: list[tuple[Over, Over | None]], *, stricter: bool = False) -> Comparison:
    """Compare each written window with its resolution here; with ``stricter``, ours may reject more than Spark."""
    texts = [(made or written).as_serializable_string() for written, made in asked]
    types = oracle.types(texts, [None if made is None else made.data_type for _, made in asked])
    found = Comparison()
    for text, (written, made), actual in zip(texts, asked, types, strict=True):
        inferred = None if made is None else made.data_type
        agreed = made is None and (stricter or _is_never_full(written.frame))
        found.add(text, actual if agreed else inferred, actual)
    assert found.asked > 0
    return found


def _is_never_full(frame: Frame | None) -> bool:
    """Whether a frame between the current row and another row is reversed; Spark accepts it as a frame without rows."""
    if frame is None:
        return False
    backwards = frame.lower.direction is Direction.CURRENT_ROW and frame.upper.direction is Direction.PRECEDING
    ahead = frame.lower.direction is Direction.FOLLOWING and frame.upper.direction is Direction.CURRENT_ROW
    return backwards or ahead


AGGREGATES = [d for d in BUILT_INS if d.kind is FunctionKind.AGGREGATE and d not in KEY_FUNCTIONS]


@pytest.mark.parametrize("definition", AGGREGATES, ids=lambda d: d.name)
def test_aggregates(oracle: Oracle, definition: FunctionDefinition) -> None:
    lists = argument_lists(definition, SOME_CALLS)
    calls = [call_or_none(definition, given, order_by=usual_order(definition, given)) for given in lists]
    # Spark rejects each window over a key function with an exception, which is slow.
    most = 3 if definition in KEY_FUNCTIONS else 30
    accepted = [made for made in calls if isinstance(made, Call)][:most]
    windows: list[tuple[tuple[SortOrder, ...], Frame | None]] = [((), None), ((ORDER,), None), ((ORDER,), ROWS_AROUND)]
    asked = [Over(made, (), order, frame) for made in accepted for order, frame in windows]

    def built(one: Over) -> Over | None:
        return over_or_none(lambda: build_over(one.call, one.partition_by, one.order_by, one.frame))

    assert agree(oracle, [(one, built(one)) for one in asked]).disagreements == []


ROWS_AROUND = Frame(FrameUnit.ROWS, FrameBound(Direction.PRECEDING, ONE), FrameBound(Direction.FOLLOWING, literal(2)))


@cache
def one_call_of_each() -> list[Call]:
    """Return one call of every Spark function that accepts a window."""
    found = []
    for definition in BUILT_INS:
        if definition.emission.in_spark:
            for arguments in argument_lists(definition, SOME_CALLS):
                made = call_or_none(definition, arguments, order_by=usual_order(definition, arguments))
                if isinstance(made, Call) and made.function.kind in (FunctionKind.AGGREGATE, FunctionKind.WINDOW):
                    found.append(made)
                    break
    return found


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("ignore_nulls", [False, True])
def test_quantifiers(oracle: Oracle, distinct: bool, ignore_nulls: bool) -> None:
    asked = []
    for made in one_call_of_each():
        written = Over(made.evolve(distinct=distinct, ignore_nulls=ignore_nulls), (), (ORDER,))

        def build(made: Call = made) -> Over:
            chosen = call(made.function, made.arguments, Clauses(distinct, None, ignore_nulls, made.order_by))
            return build_over(chosen, (), (ORDER,))

        asked.append((written, over_or_none(build)))
    # Spark rejects some quantifiers of functions only because their first argument must be a constant.
    assert agree(oracle, asked, stricter=True).disagreements == []


def test_keys_of_every_type(oracle: Oracle) -> None:
    asked = []
    for operand in (*NULLABLE, *NOT_NULL):
        key = operand.expression
        order = SortOrder(key, False, True)
        asked.append((Over(SUMMED, (key,)), over_or_none(lambda key=key: build_over(SUMMED, (key,), ()))))
        asked.append((Over(SUMMED, (), (order,)), over_or_none(lambda order=order: build_over(SUMMED, (), (order,)))))
    assert agree(oracle, asked).disagreements == []


# --- frames ----------------------------------------------------------------------------------------------------------

BOUNDS = [
    FrameBound(Direction.PRECEDING),
    FrameBound(Direction.PRECEDING, literal(2)),
    FrameBound(Direction.PRECEDING, ONE),
    FrameBound(Direction.CURRENT_ROW),
    FrameBound(Direction.FOLLOWING, ONE),
    FrameBound(Direction.FOLLOWING, literal(2)),
    FrameBound(Direction.FOLLOWING),
]
FUNCTIONS = [
    *[call(f, ()) for f in (RANK, ROW_NUMBER, CUME_DIST)],
    call(NTILE, (ONE,)),
    call(LAG, (ORDER.expression,)),
    call(NTH_VALUE, (ORDER.expression, ONE)),
    COUNTED,
    SUMMED,
]


def frames() -> Iterator[Frame]:
    return (Frame(unit, lower, upper) for unit, lower, upper in product(FrameUnit, BOUNDS, BOUNDS))


@pytest.mark.parametrize("made", FUNCTIONS, ids=repr)
@pytest.mark.parametrize("keys", [0, 1, 2])
def test_frames(oracle: Oracle, made: ResolvedExpression, keys: int) -> None:
    assert isinstance(made, Call)
    order = (ORDER, SortOrder(COLUMNS[8][0], True, True))[:keys]
    asked = [
        (Over(made, (), order, f), over_or_none(lambda f=f: build_over(made, (), order, f))) for f in (None, *frames())
    ]
    # LAG accepts one frame only if LAG itself implies it: ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING.
    assert agree(oracle, asked, stricter=made.function is LAG).disagreements == []


def distances() -> list[ValueLiteral]:
    numbers = [literal(value) for value in (1, 1.5, 0.125, 300, 70_000, 3_000_000_000)]
    found = [literal for kind in LITERALS for literal in kind if isinstance(literal, ValueLiteral)]
    day = t.DayTimeIntervalType(t.IntervalField.DAY, t.IntervalField.DAY, nullable=False)
    return [*numbers, ValueLiteral(86_400_000_000, day), *[f for f in found if f.value]]


@pytest.mark.parametrize("is_sql", [False, True])
def test_distances_from_keys_of_every_type(oracle: Oracle, is_sql: bool) -> None:
    """Spark accepts every distance accepted here; fluent queries do not narrow numbers to the type of the key."""
    asked: list[tuple[Over, Over | None]] = []
    accepted: set[LogicalType] = set()
    for operand, distance in product(NULLABLE, distances()):
        order = (SortOrder(operand.expression, True, True),)

        def build(distance: ValueLiteral = distance, order: tuple[SortOrder, ...] = order) -> Over:
            bound = UnresolvedBound(FrameUnit.RANGE, offset=distance, is_sql=is_sql)
            window = UnresolvedWindow(preceding=bound, following=bound)
            frame = frame_of(window, lambda _: distance, order)
            return build_over(COUNTED, (), order, frame)

        made = over_or_none(build)
        if made is not None:
            accepted.add(operand.data_type)
            asked.append((made, made))
    assert agree(oracle, asked).disagreements == []
    expected = (t.NumericType, t.DateType, t.TimestampType, t.LocalZonedTimestampType, t.IntervalType)
    assert accepted == {operand.data_type for operand in NULLABLE if isinstance(operand.data_type, expected)}
