"""Recursive queries."""

from __future__ import annotations

from collections.abc import Iterator

from ir import light_attrs as attrs
from ir.contents import OVER
from ir.errors import ValidationException, listing
from ir.light_typing import ClassVar
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, StreamLimit
from ir.schema import ResolvedSchema


@node
class RecursiveReference(QueryOperation):
    """In the step of a Recursion: the rows of the previous step, at first those of the base."""

    name: str
    schema: ResolvedSchema

    title: ClassVar[str] = "RecursiveReference"
    noun: ClassVar[str] = "reference of a recursive query to itself"

    def describe(self) -> str:
        return f"(name: [{self.name}], fields: [{listing(self.schema.names, 100)}])"


def _check_step(instance: Recursion, attribute: object, step: QueryOperation) -> None:
    reading: set[int] = set()
    for current in step.walk_with_subqueries():
        below = [id(child) in reading for child in (*current.inputs, *current.subqueries)]
        if isinstance(current, RecursiveReference):
            if current.name == instance.name:
                reading.add(id(current))
        elif any(below):
            place = _find_refused_place(current, below)
            if place is not None:
                raise ValidationException(
                    f"The recursive query {instance.name!r} reads itself {place}. Spark supports that neither there "
                    "nor below aggregations, orders and windows."
                )
            reading.add(id(current))


@node
class Recursion(QueryOperation):
    """The rows of ``base``, then those that ``step`` computes from them, and so on until a step returns none.

    In ``step``, the RecursiveReference of the same name stands for the rows of the previous step. ``limit`` is the
    maximal number of steps; None means that Spark's settings decide. ``is_unlimited`` allows any number of rows (LIMIT
    ALL); otherwise a setting of Spark limits them.
    """

    name: str
    base: QueryOperation
    step: QueryOperation = attrs.field(validator=_check_step)
    limit: int | None
    schema: ResolvedSchema
    is_unlimited: bool = False
    inputs: tuple[QueryOperation, ...] = computed_field(lambda self: (self.base, self.step))

    title: ClassVar[str] = "Recursion"
    noun: ClassVar[str] = "recursive query"
    feature: ClassVar[str | None] = "WITH RECURSIVE"
    sql_clause: ClassVar[str] = "a recursive query"
    stream_limit: ClassVar[StreamLimit | None] = StreamLimit(
        "A recursive query reads its rows again and again, and those of a stream do not end.",
        "Join the stream with a recursive query over tables.",
    )

    @property
    def hides_outer_query(self) -> bool:
        return True

    def describe(self) -> str:
        limit = "" if self.limit is None else f", limit: [{self.limit}]"
        rows = ", rows: [all]" if self.is_unlimited else ""
        return f"(name: [{self.name}], fields: [{listing(self.schema.names, 100)}]{limit}{rows})"


def references(operation: QueryOperation) -> Iterator[RecursiveReference]:
    """Yield the recursive references of a query, including those of its own recursions."""
    for current in operation.walk_with_subqueries():
        if isinstance(current, RecursiveReference):
            yield current


def _find_refused_place(operation: QueryOperation, reads: list[bool]) -> str | None:
    """Return the place where Spark rejects a recursive reference, None if Spark allows it."""
    place = operation.refused_recursion(reads)
    if place is None and any(expression.contents & OVER for expression in operation.expressions):
        place = "below a window"
    return place
