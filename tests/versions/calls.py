"""Calls of every built-in function with arguments of every type, and their texts for Spark.

The arguments are those of ``tests.oracle``. Only calls that this library accepts are asked about: their types are those
of the newest Spark, which the tests of that folder show.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

import attrs

from ir.call_expressions import Call, Over
from ir.contents import OVER, QUERY
from ir.dialects.call_traits import call_traits, type_family
from ir.errors import TableException
from ir.expressions import ResolvedExpression, TypeLiteral, children_of
from ir.functions.builtins import BUILT_INS
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.lowerings import lower_for_spark
from ir.nodes import post_order
from ir.operations.operation import QueryOperation
from ir.targets.preparation import Preparation
from ir.targets.target import Target
from ir.types import LogicalType, RowType, TimeType
from serializer.nested import expression_text
from serializer.spark_versions import notation_for
from tests.oracle.oracle import COLLATED, NOT_NULL, NULLABLE, SCALARS, VIEW
from tests.oracle.test_clauses import AGGREGATES, calls_with_clauses, environment_with_view
from tests.oracle.test_collations import FUNCTIONS as WITH_COLLATIONS
from tests.oracle.test_collations import questions as collated_questions
from tests.oracle.test_functions import OF_THE_JVM, Question, call_or_none, placed, questions, text_of
from tests.programs.tables import environment_without_spark

CALLS = 300
"""About how many calls of each function the files are made from."""
SAMPLE = 10
"""About how many calls of each function the tests ask about; the files are made from these calls, too."""


def functions_to_ask() -> list[str]:
    """Return the names of all functions of Spark, which each version is asked about."""
    return sorted({definition.name for definition in BUILT_INS if definition.emission.in_spark})


@attrs.frozen
class Asked:
    """A call, its text over the view of all types, and what may decide whether a version accepts it.

    Attributes:
        function: the name of the definition.
        text: the text for Spark, as an expression over the view.
        traits: the traits of the arguments (``ir.dialects.call_traits``), and the words of the clauses.
        families: the families of all types in the call.
        columns: the columns of the view in the call.
        group: calls of different groups cannot be in one query: an aggregate needs a query without other columns.
        in_spark: whether Spark has the function; otherwise the text is its lowered form.
        precisions: the precisions of the arguments that are TIMEs.
        expression: what the text is written for; None if the text was written by hand and is no query of this library.
    """

    function: str
    text: str
    traits: frozenset[str]
    families: frozenset[str]
    columns: frozenset[str]
    group: str
    in_spark: bool
    precisions: frozenset[int] = frozenset()
    expression: ResolvedExpression | None = None

    def text_for(self, target: Target) -> str:
        """Return the text of the call for a target, as a column of a result.

        Raises:
            TableException: the target has no equivalent of the call, or no column of its type.
        """
        text = " ".join(expression_text(self._prepared(target), notation_for(target)).split())
        return _over_view(BUILT_INS.by_name(self.function), text)

    def calls_for(self, target: Target) -> Iterator[Call]:
        """Yield the calls of which the form for a target consists, all of functions that Spark has.

        Raises:
            TableException: see ``text_for``.
        """
        waiting = [self._prepared(target)]
        while waiting:
            part = lower_for_spark(waiting.pop())
            if isinstance(part, Call):
                yield part
            waiting.extend(children_of(part))

    def _prepared(self, target: Target) -> ResolvedExpression:
        assert self.expression is not None
        preparation = Preparation(target)
        # The call is a column of a query, and not each version that has such a row has such a column.
        if isinstance(self.expression.data_type, RowType) and not self.expression.data_type.fields:
            preparation.require_type(self.expression.data_type)
        return preparation.expression(self.expression)


def _types(call: ResolvedExpression) -> list[LogicalType]:
    """Return the types of a call and of all its parts, with the types within these types."""
    types: dict[LogicalType, None] = {}
    for part in post_order(call, lambda expression: expression.children):
        types[part.type_ if isinstance(part, TypeLiteral) else part.data_type] = None
    return [part for data_type in types for part in post_order(data_type, lambda part: part.children)]


def _families(call: ResolvedExpression) -> frozenset[str]:
    return frozenset(map(type_family, _types(call)))


def _precisions(arguments: Sequence[ResolvedExpression]) -> frozenset[int]:
    types = [argument.data_type for argument in arguments if not isinstance(argument, TypeLiteral)]
    return frozenset([kind.precision for kind in types if isinstance(kind, TimeType)])


def _over_view(definition: FunctionDefinition, text: str) -> str:
    """Return a call as an expression over the view; table functions are called in a subquery."""
    if definition.kind is FunctionKind.TABLE and not _columns(text):
        return f"(SELECT STRUCT(made.*) FROM {text} AS made)"
    if definition.kind is FunctionKind.TABLE:
        return f"(SELECT STRUCT(made.*) FROM {VIEW} JOIN LATERAL {text} AS made)"
    return text


def _asked(question: Question, made: ResolvedExpression) -> Asked:
    definition = question.definition
    traits = frozenset(call_traits(question.arguments))
    if isinstance(made, Call) and made.order_by:
        traits |= {_ORDER}
    text = _over_view(definition, question.text)
    group = "aggregates" if definition.kind is FunctionKind.AGGREGATE else "others"
    in_spark = definition.emission.in_spark
    columns_of = _columns(text)
    return Asked(
        *(definition.name, text, traits, _families(made), columns_of, group, in_spark, _precisions(question.arguments)),
        placed(made),
    )


def _casts(definition: FunctionDefinition) -> Iterator[Question]:
    """Yield the casts between all types without parts: of so many pairs, random arguments are a few."""
    for operand in (*NULLABLE, *NOT_NULL):
        for data_type in SCALARS if operand.data_type.as_nullable() in SCALARS else ():
            arguments = (operand.expression, TypeLiteral(data_type))
            made = call_or_none(definition, arguments)
            if made is not None:
                yield Question(definition, arguments, made, made.as_serializable_string())


# Calls with arguments that the random ones hardly ever have, by function.
_MORE = {"to_char": ("TO_CHAR(X'616263', 'hex')", "TO_CHAR(X'616263', 'utf-8')", "TO_CHAR(X'616263', 'base64')")}


def _examples(definition: FunctionDefinition) -> Iterator[Asked]:
    """Yield the call in the documentation of a function: random arguments are seldom those that it is made for."""
    example = definition.documentation.example
    if example is None or definition.kind is FunctionKind.TABLE:
        return
    for text in (example[0], *_MORE.get(definition.name, ())):
        try:
            query = environment_without_spark().sql_query(f"SELECT {text}").query_operation
        except TableException:
            # Some examples name columns.
            continue
        for expression in query.expressions:
            for part in post_order(expression, lambda expression: expression.children):
                if isinstance(part, Call) and part.function is definition and not part.contents & (QUERY | OVER):
                    written = text_of(part)
                    if written is not None:
                        yield _asked(Question(definition, part.arguments, part, written), part)


def _columns(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"`([cnt]\d+)`", text))


_ORDER = "WITHIN GROUP"
_CLAUSE = re.compile(rf"{_ORDER}|FILTER|IGNORE NULLS|RESPECT NULLS|OVER|DISTINCT")


def _with_clauses(definition: FunctionDefinition) -> Iterator[Asked]:
    """Yield calls of an aggregate or window function with clauses, by the name that this library writes."""
    for given in calls_with_clauses(definition, (definition.sql_name,)):
        try:
            query = environment_with_view().sql_query(f"SELECT {given.text} AS made FROM {VIEW}")
        except TableException:
            continue
        clauses = frozenset(_CLAUSE.findall(" ".join(given.clauses)))
        families = frozenset().union(*map(_families, given.arguments))
        traits = frozenset(call_traits(given.arguments)) | clauses
        group = "others" if "OVER" in traits else "aggregates"
        times = _precisions(given.arguments)
        found = _call_in(query.query_operation, definition)
        yield Asked(definition.name, given.text, traits, families, _columns(given.text), group, True, times, found)


def _call_in(query: QueryOperation, definition: FunctionDefinition) -> ResolvedExpression | None:
    """Return the call of a function in a query, with its window; None if the query has another form of it."""
    parts = [
        part for read in post_order(query, lambda o: o.inputs) for whole in read.expressions for part in whole.walk()
    ]
    windows = [part for part in parts if isinstance(part, Over) and part.call.function is definition]
    calls = [part for part in parts if isinstance(part, Call) and part.function is definition]
    return next(iter([*windows, *calls]), None)


def calls(definition: FunctionDefinition, most: int = CALLS) -> Iterator[Asked]:
    """Yield the calls of a function to ask about."""
    given = questions(definition, most)
    if definition in WITH_COLLATIONS:
        given += collated_questions(definition)
    if definition in (CAST, TRY_CAST) and most > SAMPLE:
        given += _casts(definition)
    yield from (_asked(question, question.made) for question in given if question.made is not None)
    yield from _examples(definition)
    if definition in AGGREGATES:
        yield from _with_clauses(definition)


def all_calls(most: int = CALLS, names: Container[str] | None = None) -> list[Asked]:
    """Return the calls of all functions, or of those with some names."""
    # REFLECT asks the JVM whether it has a class and a method.
    chosen = [d for d in BUILT_INS if d not in OF_THE_JVM and (names is None or d.name in names)]
    return [asked for definition in chosen for asked in calls(definition, most)]


def calls_of_files(most: int = CALLS, names: Container[str] | None = None) -> list[Asked]:
    """Return the calls that the files are made from: those of all functions, and the sample that the tests ask about.

    Fewer calls of a function are other calls, not the first of many, so that the sample is not among the others.
    """
    more = all_calls(most, names) if most != SAMPLE else []
    found = {(call.function, call.text): call for call in (*all_calls(SAMPLE, names), *more)}
    return list(found.values())


def columns() -> dict[str, LogicalType]:
    """Return the columns of the view of all types."""
    found = {operand.text: operand.data_type for operand in (*NULLABLE, *NOT_NULL)}
    return found | {column.name: column.type_ for of_type in COLLATED.values() for column in of_type}
