"""Calls of every built-in function for the comparison with the analyzer: arguments of every type, in every number.

The candidates for an argument follow from the definition's own strategies, so a new definition needs no changes here: a
keyword is drawn from its keywords, a type from all types, a constant from literals, any other argument from literals
and from nullable and NOT NULL columns of every type. A single argument takes each candidate once. With several
arguments, two of them take each pair of types once, and the others mostly take types that the function accepts there.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations, product

import attrs

from ir.calls import Clauses, call
from ir.errors import TableException
from ir.expressions import (
    FieldReference,
    Lambda,
    LambdaVariable,
    ResolvedExpression,
    SortOrder,
    SymbolLiteral,
    TypeLiteral,
    ValueLiteral,
)
from ir.functions import vectors
from ir.functions.aggregate import VECTOR_AVG, VECTOR_SUM
from ir.functions.arithmetic import PLUS
from ir.functions.collection import ARRAY, MAP, ROW
from ir.functions.comparison import BETWEEN, EQUALS, IN, IS_NULL, NOT_BETWEEN
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.flink_collections import MAP_UNION
from ir.functions.json import JSON_OBJECT, JSON_QUERY, JSON_VALUE, STRINGS
from ir.functions.json_table import EXISTENCE, JSON_TABLE, NUMBER, VALUE, JsonColumn, arguments_of
from ir.functions.logic import AND, CASE, OR
from ir.functions.maps import MAP_ENTRIES, MAP_FROM_ENTRIES
from ir.functions.statistics import APPROX_TOP_K_COMBINE, APPROX_TOP_K_ESTIMATE
from ir.functions.string import UPPER
from ir.functions.subquery import EXISTS, SCALAR
from ir.functions.text_formats import FROM_CSV, FROM_JSON, FROM_XML
from ir.functions.time_units import TEMPORAL_OVERLAPS
from ir.functions.time_window import CUMULATIVE_WINDOWS, SLIDING_WINDOWS, WINDOW_TIME
from ir.functions.timestamps import (
    MAKE_TIMESTAMP,
    MAKE_TIMESTAMP_LTZ,
    MAKE_TIMESTAMP_NTZ,
    TRY_MAKE_TIMESTAMP,
    TRY_MAKE_TIMESTAMP_LTZ,
    TRY_MAKE_TIMESTAMP_NTZ,
)
from ir.identifiers import ObjectIdentifier
from ir.inference import CallContext
from ir.inference.arguments import Constant, Literal, OneOf, Symbol, TypeArgument, Where
from ir.inference.inputs import AnyOf
from ir.inference.lambdas import LambdaArgument
from ir.inference.type_inference import ArgumentTypeStrategy, InputTypeStrategy
from ir.literals import literal
from ir.operations.operation import TableReference
from ir.operations.source import Source
from ir.schema import ResolvedSchema
from ir.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    NULL,
    SMALLINT,
    STRING,
    TINYINT,
    ArrayType,
    CharType,
    DayTimeIntervalType,
    DecimalType,
    IntervalField,
    IntervalType,
    LogicalType,
    MapType,
    TemporalType,
    TimeType,
    VarCharType,
    YearMonthIntervalType,
)
from tests.oracle.oracle import NOT_NULL, NULLABLE, TYPES, VIEW

MOST_ARGUMENTS = 5
# The number of calls per function worth asking about, and the size of a sample that still finds most mistakes.
ALL_CALLS = 1500
SOME_CALLS = 50
# The share of the arguments outside the current pair that are drawn from the accepted candidates.
ACCEPTED_SHARE = 0.8
# The share of possible lambda arguments that are lambdas instead of values.
LAMBDA_SHARE = 0.9

Arguments = tuple[ResolvedExpression, ...]

# --- candidates for arguments: kinds, each with variants -------------------------------------------------------------

Kinds = list[list[ResolvedExpression]]


def _cast(column: ResolvedExpression, targets: Sequence[LogicalType]) -> list[ResolvedExpression]:
    return [call(CAST, (column, TypeLiteral(target))) for target in targets]


def _column(data_type: LogicalType) -> ResolvedExpression:
    return next(o.expression for o in (*NULLABLE, *NOT_NULL) if o.data_type is data_type)


def _intervals(kind: type[YearMonthIntervalType] | type[DayTimeIntervalType]) -> list[LogicalType]:
    fields = [field for field in IntervalField if kind.bounds[0] <= field <= kind.bounds[1]]
    return [kind(start, end) for start in fields for end in fields if start <= end]


COLUMNS: Kinds = [
    [operand.expression for operand in (*NULLABLE, *NOT_NULL) if operand.data_type.same_type(data_type)]
    for data_type in TYPES
]


def _each(arguments: Sequence[ResolvedExpression]) -> Kinds:
    return [[argument] for argument in arguments]


WHOLE_NUMBERS = (0, 1, 7, -5, 100, 2147483647, -2147483648, 12345678901, 9223372036854775807)
LITERALS: Kinds = [
    *_each([literal(number) for number in WHOLE_NUMBERS]),
    [literal(3, BIGINT), literal(12, TINYINT), literal(12, SMALLINT)],
    [literal(Decimal("1.50")), literal(Decimal("-12345678901234567890123456789012345678"))],
    [literal(1.5), literal(1.5, FLOAT)],
    [literal(text) for text in ("", "a", "/", "12", "2024-02-29 01:02:03")],
    [literal(True), literal(b"ab")],
    [
        literal(dt.date(2024, 2, 29)),
        literal(dt.time(1, 2, 3)),
        literal(dt.datetime(2024, 2, 29, 1, 2, 3)),
        literal(dt.datetime(2024, 2, 29, 1, 2, 3, tzinfo=dt.UTC)),
    ],
    [literal(dt.timedelta(hours=5)), ValueLiteral(14, YearMonthIntervalType(nullable=False))],
    [ValueLiteral(None, NULL)],
    [ValueLiteral(None, t) for t in (INT, DecimalType(10, 2), STRING, BYTES, DATE, DayTimeIntervalType())],
]
CASTS: Kinds = [
    _cast(_column(YearMonthIntervalType()), _intervals(YearMonthIntervalType)),
    _cast(_column(DayTimeIntervalType().not_null()), _intervals(DayTimeIntervalType)),
    _cast(_column(STRING), [CharType(3), VarCharType(3)]) + _cast(_column(STRING.not_null()), [CharType(3)]),
    _cast(_column(TimeType(6)), [TimeType(precision) for precision in range(7)]),
]
VALUES = [*COLUMNS, *LITERALS, *CASTS]
CONSTANTS: list[ResolvedExpression] = [
    *[literal(text) for text in ("a", "b", "A", "", "/", "YEAR", "yrs", "doy", "HOUR", "s", "MONTH")],
    *[literal(text) for text in ("$.a", "$", "a INT, b STRING", "ARRAY<INT>", "MAP<STRING, INT>", "VARIANT", "INT")],
    *[literal(truth) for truth in (True, False)],
    *[literal(text) for text in ("99D9", "Hex", "utf-8", "a/b")],
    *[literal(number) for number in (0, 3, 6, 7)],
    *[literal(3, BIGINT), literal(b"ab"), literal(Decimal("1.50"))],
    literal(dt.timedelta(hours=5)),
    ValueLiteral(14, YearMonthIntervalType(nullable=False)),
    literal(dt.datetime(2024, 2, 29, 1, 2, 3)),
    literal(dt.datetime(2024, 2, 29, 1, 2, 3, tzinfo=dt.UTC)),
    *[literal(value) for value in (True, False, 0.5, Decimal("0.05"), 100, -1, 12, "sum", "0.5")],
    *[call(ARRAY, [literal(n) for n in given]) for given in ((0.5, 0.25), (Decimal("0.1"), 1), (1.5,), ("0.5",), ())],
    ValueLiteral(None, NULL),
    call(MAP, (literal("ignoreNullFields"), literal("false"))),
    call(MAP, ()),
    _column(STRING),
]
# Constants that are no literals.
COMPUTED: list[ResolvedExpression] = [
    call(UPPER, (literal("a"),)),
    call(PLUS, (literal(1), literal(2))),
    call(CAST, (literal("12"), TypeLiteral(BIGINT))),
]
# The window order for window functions.
ORDER = SortOrder(_column(INT), True, True)
TARGETS = _each([TypeLiteral(t) for t in (*TYPES, CharType(3), VarCharType(5), ArrayType(CharType(3)))])


@attrs.frozen
class _Place:
    """The candidates for an argument, and those that are accepted whatever the other arguments are."""

    kinds: Kinds
    accepted: Sequence[ResolvedExpression]

    @staticmethod
    def of(inputs: InputTypeStrategy, position: int) -> _Place:
        """Return the candidates for the argument at ``position``."""
        strategy = inputs.strategy_for(position)
        assert strategy is not None
        if isinstance(strategy, OneOf):
            strategy = strategy.options[0]
        if isinstance(strategy, (Constant, Literal, Where)):
            constants = [*CONSTANTS, *COMPUTED] if isinstance(strategy, Constant) else CONSTANTS
            accepted = [a for a in constants if _accepts(strategy, a)]
            # Few of the others, because Spark's parser rejects them one by one, which is slow.
            refused = [a for a in constants if a not in accepted]
            return _Place([kind for kind in (*_each(accepted), refused) if kind], accepted)
        kinds = VALUES
        if isinstance(strategy, LambdaArgument):
            return _Place(VALUES, [])
        if isinstance(strategy, Symbol):
            kinds = _each([SymbolLiteral(option) for option in strategy.options])
        elif isinstance(strategy, TypeArgument):
            kinds = TARGETS
        return _Place(kinds, [a for kind in kinds for a in kind if _accepts(strategy, a)])

    def draw(self, chosen: random.Random) -> ResolvedExpression:
        """Draw an argument, mostly an accepted one."""
        if self.accepted and chosen.random() < ACCEPTED_SHARE:
            return chosen.choice(self.accepted)
        return chosen.choice(chosen.choice(self.kinds))


def _accepts(strategy: ArgumentTypeStrategy, argument: ResolvedExpression) -> bool:
    return strategy.infer_argument(CallContext.of("", (argument,)), 0) is not None


# --- the calls -------------------------------------------------------------------------------------------------------


def argument_lists(definition: FunctionDefinition, most: int = ALL_CALLS) -> list[Arguments]:
    """Return the arguments of about ``most`` calls of a function, the same ones in every run."""
    chosen = random.Random(definition.name)
    inputs = definition.inference.inputs
    found: dict[Arguments, None] = {}
    counts = [count for count in range(MOST_ARGUMENTS + 1) if inputs.accepts_count(count)]
    for count in counts:
        places = [_Place.of(inputs, i) for i in range(count)]
        lists = _lists(places, chosen, max(most // len(counts), 10))
        found.update(dict.fromkeys(_with_lambdas(inputs, arguments, chosen) for arguments in lists))
    extra = list(_EXTRA.get(definition, list)())
    found.update(dict.fromkeys(extra if most >= ALL_CALLS else chosen.sample(extra, min(most, len(extra)))))
    return list(found)


def _lists(places: Sequence[_Place], chosen: random.Random, most: int) -> Iterator[Arguments]:
    if not places:
        yield ()
        return
    if len(places) == 1:
        every = [argument for kind in places[0].kinds for argument in kind]
        yield from ((argument,) for argument in chosen.sample(every, min(most, len(every))))
    # Few pairs of arguments of any type are accepted.
    for _ in range(most // 2):
        yield tuple([place.draw(chosen) for place in places])
    pairs_of_places = list(combinations(range(len(places)), 2))
    for first, second in pairs_of_places:
        ones, others = places[first].kinds, places[second].kinds
        share = max(most // len(places) * 2 // len(pairs_of_places), 1)
        for pair in chosen.sample(range(len(ones) * len(others)), min(share, len(ones) * len(others))):
            arguments = [place.draw(chosen) for place in places]
            arguments[first] = chosen.choice(ones[pair % len(ones)])
            arguments[second] = chosen.choice(others[pair // len(ones)])
            yield tuple(arguments)


def _with_lambdas(inputs: InputTypeStrategy, arguments: Arguments, chosen: random.Random) -> Arguments:
    """Put lambdas where the function accepts them; an argument drawn there may become the result of a lambda."""
    strategies = [inputs.strategy_for(position) for position in range(len(arguments))]
    values = [a for a, strategy in zip(arguments, strategies, strict=True) if not isinstance(strategy, LambdaArgument)]
    context = CallContext.of("", tuple(values))
    made = []
    for argument, strategy in zip(arguments, strategies, strict=True):
        if isinstance(strategy, LambdaArgument) and chosen.random() < LAMBDA_SHARE:
            types = [s.infer_argument(context, i) for i, s in enumerate(strategies[: len(values)]) if s is not None]
            accepted = tuple([data_type for data_type in types if data_type is not None])
            found = strategy.parameters(context.with_types(accepted)) if len(accepted) == len(values) else None
            count = len(strategy.names) - chosen.randint(0, strategy.optional)
            parameters = tuple([LambdaVariable(f"p{i}", p) for i, p in enumerate((found or (NULL,) * 9)[:count])])
            argument = Lambda(parameters, chosen.choice([*parameters, argument, _test(chosen.choice(parameters))]))
        made.append(argument)
    return tuple(made)


def _test(parameter: ResolvedExpression) -> ResolvedExpression:
    return call_or_none(EQUALS, (parameter, parameter)) or call(IS_NULL, (parameter,))


def _in_tables() -> Iterator[Arguments]:
    """Yield values of every type with one-column queries of another type."""
    for ours, theirs in product(COLUMNS, COLUMNS[::3]):
        column = random.Random(repr(ours) + repr(theirs)).choice(theirs)
        assert isinstance(column, FieldReference)
        schema = ResolvedSchema.of([column.name], [column.data_type])
        yield random.Random(repr(theirs)).choice(ours), TableReference(Source(ObjectIdentifier(VIEW), schema))


def _tables() -> Iterator[Arguments]:
    """Yield queries with one column of every type, and with two columns."""
    for columns in (*COLUMNS, [kind[0] for kind in COLUMNS[:2]]):
        for chosen in (columns[:1], columns[-1:], columns) if len(columns) > 1 else (columns,):
            given = [column for column in chosen if isinstance(column, FieldReference)]
            schema = ResolvedSchema.of([c.name for c in given], [c.type_ for c in given])
            yield (TableReference(Source(ObjectIdentifier(VIEW), schema)),)


def _nested_objects() -> Iterator[Arguments]:
    """Yield nested JSON objects with every pair of behaviours on NULL."""
    for outer, inner, value in product(("NULL", "ABSENT"), ("NULL", "ABSENT"), COLUMNS):
        nested = call_or_none(JSON_OBJECT, (SymbolLiteral(inner), literal("k"), value[0]))
        if nested is not None:
            yield SymbolLiteral(outer), literal("o"), nested, literal("v"), value[-1]


def _chains() -> Iterator[Arguments]:
    """Yield chains of conditions, strings and NULL; Spark accepts the latter two at some places of a chain."""
    operands = [COLUMNS[TYPES.index(BOOLEAN)][0], literal(False), ValueLiteral(None, NULL)]
    operands += [COLUMNS[TYPES.index(STRING)][0], literal("true")]
    for count in (2, 3, 4):
        yield from product(operands, repeat=count)


def _branches() -> Iterator[Arguments]:
    """Yield CASE expressions with several conditions, each followed by a result, with and without ELSE."""
    chosen = random.Random(0)
    conditions = [*COLUMNS[TYPES.index(BOOLEAN)], literal(False), ValueLiteral(None, BOOLEAN)]
    for count in (4, 5, 6, 7) * 300:
        results = _Place(VALUES, chosen.choice(VALUES))
        is_condition = [place % 2 == 0 and place + 1 < count for place in range(count)]
        yield tuple([chosen.choice(conditions) if c else results.draw(chosen) for c in is_condition])


def _states() -> Iterator[Arguments]:
    """Yield rows like the state of an approximate top-k count, for values of every type."""
    for item in COLUMNS:
        fields = (literal("sketch"), literal(b"ab"), literal("maxItemsTracked"), literal(10), literal("itemDataType"))
        yield (call(ROW, (*fields, item[0], literal("itemDataTypeDDL"), literal("INT"))),)


def _fields_of_times(definition: FunctionDefinition) -> Callable[[], Iterator[Arguments]]:
    """Return a generator of the overloads that make a time from fields, or from a date and a time."""

    def lists() -> Iterator[Arguments]:
        chosen = random.Random(definition.name)
        forms = definition.inference.inputs
        assert isinstance(forms, AnyOf)
        for form in forms.options:
            for count in (1, 2, 3, 6, 7):
                if form.accepts_count(count):
                    places = [_Place.of(form, position) for position in range(count)]
                    yield from (tuple([place.draw(chosen) for place in places]) for _ in range(200))

    return lists


def _periods() -> Iterator[Arguments]:
    """Yield pairs of points, and pairs of a point and a length, of every kind."""
    chosen = random.Random(0)
    temporal = [c for kind in COLUMNS for c in kind if isinstance(c.data_type, TemporalType)]
    lengths = [c for kind in COLUMNS for c in kind if isinstance(c.data_type, IntervalType)]
    for _ in range(1000):
        point, other = chosen.choice(temporal), chosen.choice(temporal)
        yield (point, chosen.choice([*temporal, *lengths]), other, chosen.choice([*temporal, *lengths]))


def _several_windows(*lengths: str) -> Callable[[], Iterator[Arguments]]:
    """Return a generator of values of every type with compatible window lengths, with and without an offset."""

    def found() -> Iterator[Arguments]:
        for kind, offset in product(COLUMNS, ((), (literal("1 minute"),))):
            yield from ((column, *map(literal, lengths), *offset) for column in kind)

    return found


def _windows() -> Iterator[Arguments]:
    """Yield rows with a start and an end of every type."""
    for start, end in product(COLUMNS[::2], COLUMNS):
        yield (call(ROW, (literal("start"), start[0], literal("end"), end[-1])),)


def _json_values() -> Iterator[Arguments]:
    """Yield nullable and NOT NULL strings with each returned type, with and without a default of that type."""
    texts = [operand.expression for operand in (*NULLABLE, *NOT_NULL) if operand.data_type.same_type(STRING)]
    for text, default in product(texts, (literal("d"), literal(True), literal(7), literal(1.5))):
        target = TypeLiteral(default.data_type.as_nullable())
        yield text, literal("$.a"), target, default
        yield text, literal("$['a b'][0]"), target, ValueLiteral(None, NULL)


def _json_queries() -> Iterator[Arguments]:
    """Yield nullable and NOT NULL strings with paths to one part and to several, and each form of the result."""
    texts = [operand.expression for operand in (*NULLABLE, *NOT_NULL) if operand.data_type.same_type(STRING)]
    paths = [literal(path) for path in ("$.a", "$[-1].b", "$[*]", "$.a[*].b[-2]", "lax $.a[*][*]")]
    wrappers = [SymbolLiteral(wrapper) for wrapper in ("WITHOUT", "CONDITIONAL", "UNCONDITIONAL")]
    for text, path, wrapper in product(texts, paths, wrappers):
        for target, behaviours in ((STRING, ("EMPTY OBJECT", "ERROR")), (STRINGS, ("EMPTY ARRAY", "ERROR"))):
            for behaviour in ("NULL", *behaviours):
                yield text, path, TypeLiteral(target), wrapper, SymbolLiteral(behaviour)


def _columns_of(kind: type[LogicalType]) -> list[ResolvedExpression]:
    return [column for columns in COLUMNS for column in columns if isinstance(column.data_type, kind)]


def _pairs_of_maps() -> Iterator[Arguments]:
    """Yield pairs of maps, mostly of different types."""
    yield from product(_columns_of(MapType), repeat=2)


def _triples() -> Iterator[Arguments]:
    """Yield three values of each type, since hardly any three values of different types are accepted."""
    yield from ((kind[0], kind[-1], kind[0]) for kind in COLUMNS)


def _entries() -> Iterator[Arguments]:
    """Yield the entries of maps."""
    yield from ((call(MAP_ENTRIES, (column,)),) for column in _columns_of(MapType))


def _vectors(*others: ResolvedExpression) -> Callable[[], Iterator[Arguments]]:
    """Return a generator of single vectors, pairs of vectors, and vectors with further arguments; some contain NULL."""

    def found() -> Iterator[Arguments]:
        columns = [column for column in _columns_of(ArrayType) if column.data_type.same_type(ArrayType(INT))]
        made = _cast(columns[0], [ArrayType(FLOAT)]) + _cast(columns[1], [ArrayType(FLOAT)])
        yield from ((vector,) for vector in made)
        yield from product(made, repeat=2)
        yield from product(made, others)

    return found


def _single_vectors() -> Iterator[Arguments]:
    """Yield one vector each, of every floating-point type."""
    for element in (*COLUMNS[TYPES.index(FLOAT)], literal(1.5, FLOAT), *COLUMNS[TYPES.index(DOUBLE)]):
        yield (call(ARRAY, (element,)),)


def _json_tables() -> Iterator[Arguments]:
    """Yield JSON tables with every type, and columns of every type."""
    number = JsonColumn("n", BIGINT.not_null(), NUMBER)
    value = JsonColumn("v", STRING, VALUE, "$.v")
    for kind in VALUES:
        for given in kind:
            yield (given, *arguments_of("$[*]", "NULL", [number, value]))
    for target in (*TYPES, CharType(3), VarCharType(5), ArrayType(CharType(3))):
        for kind in (VALUE, EXISTENCE):
            column = JsonColumn("c", target, kind, "$['c']")
            yield (_column(STRING), *arguments_of("$.a[*]", "ERROR", [number, column]))


def _read_rows() -> Iterator[Arguments]:
    """Yield string columns with row schemas."""
    for schema in ("a INT, b STRING", "a ARRAY<INT>", "r STRUCT<x: DECIMAL(10, 2)>, t TIMESTAMP"):
        yield from ((column, literal(schema)) for column in COLUMNS[TYPES.index(STRING)])


_FLOATS = [literal(1.5, FLOAT), _column(FLOAT), ValueLiteral(None, FLOAT), literal(1.5)]
_VECTORS = dict.fromkeys(
    [definition for definition in vars(vectors).values() if isinstance(definition, FunctionDefinition)],
    _vectors(*_FLOATS),
)
_EXTRA: dict[FunctionDefinition, Callable[[], Iterator[Arguments]]] = {
    **_VECTORS,
    JSON_QUERY: _json_queries,
    JSON_TABLE: _json_tables,
    JSON_VALUE: _json_values,
    MAP_UNION: _pairs_of_maps,
    **dict.fromkeys((BETWEEN, NOT_BETWEEN), _triples),
    MAP_FROM_ENTRIES: _entries,
    IN: _in_tables,
    EXISTS: _tables,
    SCALAR: _tables,
    JSON_OBJECT: _nested_objects,
    CASE: _branches,
    **dict.fromkeys((AND, OR), _chains),
    TEMPORAL_OVERLAPS: _periods,
    WINDOW_TIME: _windows,
    **dict.fromkeys((FROM_CSV, FROM_JSON, FROM_XML), _read_rows),
    SLIDING_WINDOWS: _several_windows("10 minutes", "5 minutes"),
    CUMULATIVE_WINDOWS: _several_windows("5 minutes", "10 minutes"),
    **{
        function: _fields_of_times(function)
        for function in (
            MAKE_TIMESTAMP,
            MAKE_TIMESTAMP_LTZ,
            MAKE_TIMESTAMP_NTZ,
            TRY_MAKE_TIMESTAMP,
            TRY_MAKE_TIMESTAMP_LTZ,
            TRY_MAKE_TIMESTAMP_NTZ,
        )
    },
    **dict.fromkeys((VECTOR_AVG, VECTOR_SUM), _single_vectors),
    APPROX_TOP_K_COMBINE: _states,
    APPROX_TOP_K_ESTIMATE: _states,
}


def usual_order(definition: FunctionDefinition, arguments: Arguments) -> tuple[SortOrder, ...]:
    """Return an order that a function accepts if a call with these arguments requires one."""
    order = definition.aggregation.within_group
    return (ORDER,) if order is not None and order.least_beside(len(arguments)) else ()


def call_or_none(
    definition: FunctionDefinition,
    arguments: Arguments,
    distinct: bool = False,
    order_by: Sequence[SortOrder] = (),
) -> ResolvedExpression | None:
    """Return the call, or None where the function does not accept the arguments."""
    try:
        return call(definition, arguments, Clauses(distinct, order_by=tuple(order_by)))
    except TableException:
        return None
