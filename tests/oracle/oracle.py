"""Ask Spark's real analyzer for the types of expressions in bulk, and compare them with the inferred types.

A view has two columns of every type, one nullable and one NOT NULL. Hundreds of expressions over it are analysed as one
SELECT without the analyzer's final check, which would stop at the first invalid one. The resolved expressions are then
selected again with the check.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import attrs
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType, _parse_datatype_json_string

from ir.casts import apply_collation, differ_at_most_in_nullability
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
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
    TIMESTAMP,
    TIMESTAMP_LTZ,
    TINYINT,
    VARIANT,
    ArrayType,
    CalendarIntervalType,
    DayTimeIntervalType,
    DecimalType,
    GeographyType,
    GeometryType,
    IntervalField,
    LogicalType,
    MapType,
    RowField,
    RowType,
    SpatialType,
    TimeType,
    YearMonthIntervalType,
)
from tableapi.spark.types import from_spark, to_spark
from tests.answers import Answers

VIEW = "type_oracle"
# So many expressions are one question, which is kept if Spark has the inferred types for all of them.
_TOGETHER = 100
ANSWERS = Answers("oracle", "tests/oracle/oracle.py")


def _row(**fields: LogicalType) -> RowType:
    return RowType(tuple(RowField(name, data_type) for name, data_type in fields.items()))


DECIMALS = [DecimalType(*d) for d in ((1, 0), (3, 2), (5, 0), (10, 2), (20, 4), (38, 0), (38, 18), (38, 38))]
INTERVALS = [
    YearMonthIntervalType(),
    YearMonthIntervalType(IntervalField.YEAR, IntervalField.YEAR),
    YearMonthIntervalType(IntervalField.MONTH, IntervalField.MONTH),
    DayTimeIntervalType(),
    DayTimeIntervalType(IntervalField.DAY, IntervalField.DAY),
    DayTimeIntervalType(IntervalField.DAY, IntervalField.HOUR),
    DayTimeIntervalType(IntervalField.MINUTE, IntervalField.SECOND),
]
NUMBERS = [TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, *DECIMALS]
TIMES = [DATE, TimeType(0), TimeType(9), TimeType(6), TIMESTAMP, TIMESTAMP_LTZ]
SHAPES = [GeometryType(0), GeometryType(4326), GeometryType(), GeographyType(4326), GeographyType()]
SCALARS = [NULL, BOOLEAN, *NUMBERS, STRING, BYTES, *TIMES, *INTERVALS, CalendarIntervalType(), VARIANT, *SHAPES]
NESTED = [
    ArrayType(INT),
    ArrayType(INT.not_null()),
    ArrayType(STRING.not_null()),
    ArrayType(DATE.not_null()),
    ArrayType(DecimalType(10, 2)),
    ArrayType(ArrayType(BIGINT.not_null())),
    ArrayType(NULL),
    ArrayType(GeometryType(4326)),
    MapType(STRING, INT),
    MapType(STRING, INT.not_null()),
    MapType(INT, STRING.not_null()),
    MapType(DATE, _row(a=INT)),
    _row(a=INT),
    _row(A=INT.not_null()),
    _row(b=STRING.not_null()),
    _row(a=BIGINT, b=STRING.not_null()),
    _row(a=ArrayType(INT.not_null()).not_null(), b=MapType(STRING, DOUBLE)),
    _row(a=GeographyType()),
]
TYPES: list[LogicalType] = [*SCALARS, *NESTED]


def holds_shapes(data_type: LogicalType) -> bool:
    """Whether values of a type are or contain geometries."""
    return isinstance(data_type, SpatialType) or any(map(holds_shapes, data_type.children))


@attrs.frozen
class Operand:
    """An argument: its SQL text and the resolved expression."""

    text: str
    expression: ResolvedExpression

    @property
    def data_type(self) -> LogicalType:
        return self.expression.data_type


def column(index: int, nullable: bool) -> Operand:
    """Return the column of the view that has the ``index``-th type."""
    name = f"{'c' if nullable else 'n'}{index}"
    data_type = TYPES[index].with_nullability(nullable)
    return Operand(name, FieldReference(name, data_type, 0, index))


# Each of these represents the collations that functions treat alike.
COLLATIONS = ("UTF8_LCASE", "UNICODE_CI", "de_AI", "UTF8_BINARY_RTRIM", "UNICODE_CI_AI_RTRIM")


def collated_columns() -> dict[LogicalType, list[FieldReference]]:
    """Return the columns of the view that contain strings with a collation, by their type without collations."""
    found: dict[LogicalType, list[FieldReference]] = {}
    for data_type in TYPES:
        for collation in COLLATIONS:
            collated = apply_collation(data_type, collation)
            if collated is not data_type:
                index = sum(map(len, found.values()))
                found.setdefault(data_type, []).append(FieldReference(f"t{index}", collated, 0, index))
    return found


COLLATED = collated_columns()
NULLABLE = [column(index, True) for index in range(len(TYPES))]
NOT_NULL = [column(index, False) for index in range(len(TYPES)) if TYPES[index] is not NULL]


def _whole_number(text: str, value: int, data_type: LogicalType) -> Operand:
    return Operand(text, ValueLiteral(value, data_type.not_null()))


LITERALS = [
    _whole_number("0", 0, INT),
    _whole_number("7", 7, INT),
    _whole_number("-5", -5, INT),
    _whole_number("100", 100, INT),
    _whole_number("2147483647", 2147483647, INT),
    _whole_number("3L", 3, BIGINT),
    _whole_number("12345678901", 12345678901, BIGINT),
    _whole_number("12Y", 12, TINYINT),
    _whole_number("12S", 12, SMALLINT),
    Operand("CAST(NULL AS INT)", ValueLiteral(None, INT)),
    Operand("NULL", ValueLiteral(None, NULL)),
]


def pairs(first: Sequence[Operand], second: Sequence[Operand]) -> Iterator[tuple[Operand, Operand]]:
    """Yield all pairs of an operand of ``first`` and one of ``second``."""
    return ((a, b) for a in first for b in second)


ALL_PAIRS = [*pairs(NOT_NULL, NOT_NULL), *pairs(NULLABLE, NOT_NULL), *pairs(NOT_NULL, NULLABLE)]


def _batches(expressions: Sequence[str], size: int = 400) -> Iterator[list[str]]:
    return (list(expressions[start : start + size]) for start in range(0, len(expressions), size))


_Pair = tuple[str, LogicalType | None]


def _remembered(
    pairs: Sequence[_Pair], ask: Callable[[list[_Pair]], list[LogicalType | None]]
) -> list[LogicalType | None]:
    """Return Spark's type for each text, of which Spark is asked those that it has not answered as expected before.

    Args:
        pairs: each text with the type that is expected
        ask: returns what Spark says of some of them
    """
    # What is rejected on purpose, though Spark takes it, is asked in each run, with all in the same question.
    sides = [[pair for pair in pairs if (pair[1] is None) is rejected] for rejected in (False, True)]
    questions = [side[start : start + _TOGETHER] for side in sides for start in range(0, len(side), _TOGETHER)]
    unknown = [question for question in questions if not ANSWERS.know(*question)]
    asked = [pair for question in unknown for pair in question]
    answers = dict(zip(asked, ask(asked), strict=True)) if asked else {}
    for question in unknown:
        if all(answers[pair] is pair[1] for pair in question):
            ANSWERS.keep(*question)
    return [answers.get(pair, pair[1]) for pair in pairs]


class Oracle:
    """Spark's analyzer, with the view of all types."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        schema = StructType()
        for operand in (*NULLABLE, *NOT_NULL):
            schema.add(operand.text, to_spark(operand.data_type), operand.data_type.nullable)
        for column in (column for columns in COLLATED.values() for column in columns):
            schema.add(column.name, to_spark(column.type_), True)
        spark.createDataFrame([], schema).createOrReplaceTempView(VIEW)
        self.jvm = cast(Any, spark._jvm)
        self.session = cast(Any, spark._jsparkSession)
        self._activate()
        self._threads = ThreadPoolExecutor(os.cpu_count(), initializer=self._activate)

    def _activate(self) -> None:
        # Analyzer rules read settings from the thread's active session, which a JVM call outside PySpark does not set.
        self.jvm.org.apache.spark.sql.SparkSession.setActiveSession(self.session)

    def types(
        self, expressions: Sequence[str], inferred: Sequence[LogicalType | None] | None = None
    ) -> list[LogicalType | None]:
        """Return the type of every expression over the view, None for those that Spark rejects.

        Expressions with an ``inferred`` type are expected to be accepted, so they are analysed only once. If Spark
        rejects one, the others in its batch are analysed again.
        """
        if inferred is None:
            return self._types(expressions, [None] * len(expressions))
        pairs = list(zip(expressions, inferred, strict=True))
        return _remembered(pairs, lambda asked: self._types(*zip(*asked, strict=True)))

    def _types(self, expressions: Sequence[str], inferred: Sequence[LogicalType | None]) -> list[LogicalType | None]:
        expected = {e for e, data_type in zip(expressions, inferred, strict=True) if data_type}
        likely = [e for e in dict.fromkeys(expressions) if e in expected]
        doubtful = _batches([e for e in dict.fromkeys(expressions) if e not in expected], 100)
        accepted = [e for resolved in self._threads.map(self._resolved, doubtful) for e in resolved]
        found: dict[str, LogicalType] = {}
        for checked in self._threads.map(self._checked, [*_batches(likely), *_batches(accepted, 50)]):
            found.update(checked)
        return [found.get(e) for e in expressions]

    def _resolved(self, expressions: Sequence[str]) -> list[str]:
        """Return the expressions that the analyzer resolves, without its final check."""
        plan = self.analysed(f"SELECT {', '.join(expressions)} FROM {VIEW}")
        if plan is None:
            if len(expressions) == 1:
                return []
            middle = len(expressions) // 2
            return self._resolved(expressions[:middle]) + self._resolved(expressions[middle:])
        resolved = plan.expressions()
        return [e for position, e in enumerate(expressions) if resolved.apply(position).resolved()]

    def analysed(self, query: str) -> Any:
        """Return the analysed plan of a query without the analyzer's final check; None if an analyzer rule threw."""
        state = self.session.sessionState()
        try:
            return state.analyzer().execute(state.sqlParser().parsePlan(query))
        except Exception:  # py4j raises what the JVM throws: any of Spark's or Java's exceptions
            return None

    def _checked(self, expressions: list[str]) -> dict[str, LogicalType]:
        try:
            schema = self.spark.sql(f"SELECT {', '.join(expressions)} FROM {VIEW}").schema
        except Exception:  # as above
            if len(expressions) == 1:
                return {}
            middle = len(expressions) // 2
            return self._checked(expressions[:middle]) | self._checked(expressions[middle:])
        found: dict[str, LogicalType] = {}
        for expression, field in zip(expressions, schema.fields, strict=True):
            found[expression] = from_spark(field.dataType, field.nullable)
        return found

    def accepts(self, query: str) -> bool:
        """Whether the analyzer accepts a query, including its final check."""
        try:
            return bool(self.spark.sql(query).schema)
        except Exception:  # as above
            return False

    def type_of_rows(self, query: str) -> LogicalType | None:
        """Return the type of a query's rows; None if Spark rejects the query."""
        try:
            fields = self.spark.sql(query).schema.fields
        except Exception:  # as above
            return None
        return RowType(tuple([RowField(f.name, from_spark(f.dataType, f.nullable)) for f in fields]), nullable=False)

    def types_of_unions(
        self, sides: Sequence[tuple[str, str]], inferred: Sequence[LogicalType | None]
    ) -> list[LogicalType | None]:
        """Return the type of the union of each pair of columns of the view; None if Spark rejects it.

        Pairs with an ``inferred`` type are expected to be accepted, and are analysed as the columns of one union.
        """
        likely = [both for both, data_type in zip(sides, inferred, strict=True) if data_type is not None]
        found = dict(zip(likely, self._types_of_union(likely), strict=True)) if likely else {}
        others = [both for both in sides if both not in found]
        found.update(zip(others, self._threads.map(lambda both: self._types_of_union([both])[0], others), strict=True))
        return [found[both] for both in sides]

    def _types_of_union(self, sides: Sequence[tuple[str, str]]) -> list[LogicalType | None]:
        left, right = (", ".join(f"{both[side]} AS c{i}" for i, both in enumerate(sides)) for side in (0, 1))
        plan = self.analysed(f"SELECT {left} FROM {VIEW} UNION ALL SELECT {right} FROM {VIEW}")
        if plan is not None and plan.resolved():
            output = plan.output()
            return [self.type_of(output.apply(position)) for position in range(len(sides))]
        if len(sides) == 1:
            return [None]
        middle = len(sides) // 2
        return self._types_of_union(sides[:middle]) + self._types_of_union(sides[middle:])

    def types_of_queries(
        self, queries: Sequence[str], inferred: Sequence[LogicalType | None]
    ) -> list[LogicalType | None]:
        """Return the type of the only column of every query, after the analyzer's final check.

        Args:
            queries: the queries
            inferred: the type that each is expected to have, None if it is expected to be rejected
        """
        pairs = list(zip(queries, inferred, strict=True))
        return _remembered(pairs, lambda asked: list(self._threads.map(self._type_of_column, [q for q, _ in asked])))

    def _type_of_column(self, query: str) -> LogicalType | None:
        row = self.type_of_rows(query)
        return row.fields[0].data_type if isinstance(row, RowType) else None

    # --- rules of the analyzer that SQL cannot reveal

    def singleton(self, name: str) -> Any:
        """Return a Scala object by its name."""
        return self.jvm.java.lang.Class.forName(name + "$").getField("MODULE$").get(None)

    def java_type(self, data_type: LogicalType) -> Any:
        """Return a type as the analyzer's own object."""
        return self.jvm.org.apache.spark.sql.types.DataType.fromJson(to_spark(data_type).json())

    def java_argument(self, data_type: LogicalType) -> Any:
        """Return an analyzer expression of a type."""
        expressions = self.jvm.org.apache.spark.sql.catalyst.expressions
        return expressions.BoundReference(0, self.java_type(data_type), data_type.nullable)

    def type_of(self, java_expression: Any) -> LogicalType:
        """Return the type of an analyzer expression."""
        return self.python_type(java_expression.dataType()).with_nullability(java_expression.nullable())

    def python_type(self, java_type: Any) -> LogicalType:
        """Convert an analyzer type to a logical type."""
        return from_spark(_parse_datatype_json_string(java_type.json()))


@attrs.define
class Comparison:
    """The disagreements between inferred types and Spark's, by kind."""

    asked: int = 0
    acceptance: list[str] = attrs.field(factory=list)
    types: list[str] = attrs.field(factory=list)
    unsound: list[str] = attrs.field(factory=list)
    loose: list[str] = attrs.field(factory=list)
    on_purpose: Counter[str] = attrs.field(factory=Counter)

    def merge(self, other: Comparison) -> None:
        """Add the findings of another comparison."""
        self.asked += other.asked
        for kind in ("acceptance", "types", "unsound", "loose"):
            getattr(self, kind).extend(getattr(other, kind))
        self.on_purpose.update(other.on_purpose)

    def add(self, expression: str, inferred: LogicalType | None, actual: LogicalType | None) -> None:
        """Count one expression, and record the difference between its inferred type and Spark's."""
        self.asked += 1
        if inferred is actual:
            return
        line = f"{expression}: inferred {inferred}, Spark has {actual}"
        if inferred is None or actual is None:
            self.acceptance.append(line)
        elif not differ_at_most_in_nullability(inferred, actual):
            self.types.append(line)
        elif _claims_more(inferred, actual):
            self.unsound.append(line)
        else:
            self.loose.append(line)

    @property
    def disagreements(self) -> list[str]:
        """Return all disagreements, each with its kind."""
        kinds = ("acceptance", "types", "unsound", "loose")
        return [f"{kind}: {line}" for kind in kinds for line in getattr(self, kind)]


def _claims_more(inferred: LogicalType, actual: LogicalType) -> bool:
    """Whether some part, at any depth, is inferred as NOT NULL but is nullable in Spark."""
    if actual.nullable and not inferred.nullable:
        return True
    return any(_claims_more(i, a) for i, a in zip(inferred.children, actual.children, strict=True))


def compare(
    oracle: Oracle, questions: Sequence[tuple[str, Callable[[], LogicalType | None]]], describe: Sequence[str] = ()
) -> Comparison:
    """Ask Spark for the type of every expression, and compare it with the type from the function beside it."""
    comparison = Comparison()
    inferred = [infer() for _, infer in questions]
    actual = oracle.types([expression for expression, _ in questions], inferred)
    for position, ((expression, _), ours, found) in enumerate(zip(questions, inferred, actual, strict=True)):
        comparison.add(describe[position] if describe else expression, ours, found)
    return comparison


def question(template: str, *operands: Operand) -> str:
    """Return the text of a call with its operands' types as a comment, so that a disagreement is readable."""
    types = ", ".join(operand.data_type.as_summary_string() for operand in operands)
    return template.format(*(operand.text for operand in operands)) + f" /* {types} */"
