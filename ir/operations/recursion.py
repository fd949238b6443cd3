"""Queries that read what they gave before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import attrs

from ir.contents import OVER
from ir.errors import ValidationException, listing
from ir.nodes import computed, node
from ir.operations.operation import QueryOperation
from ir.schema import ResolvedSchema


@node
class RecursiveReference(QueryOperation):
    """In the step of a Recursion: the rows that the step before gave, at first those of the base."""

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
            place = _refused_place(current, below)
            if place is not None:
                raise ValidationException(
                    f"The recursive query {instance.name!r} reads itself {place}. Spark supports that neither there "
                    "nor below aggregations, orders and windows."
                )
            reading.add(id(current))


@node
class Recursion(QueryOperation):
    """The rows of ``base``, then those that ``step`` makes of them, of these, and so on until it gives none.

    In ``step``, the RecursiveReference with the same name stands for the rows of the step before. ``limit`` is how
    many steps there may be; None leaves that to Spark's settings. ``is_unlimited`` says that there may be any number of
    rows, by LIMIT ALL; otherwise a setting of Spark says how many.
    """

    name: str
    base: QueryOperation
    step: QueryOperation = attrs.field(validator=_check_step)
    limit: int | None
    schema: ResolvedSchema
    is_unlimited: bool = False
    inputs: tuple[QueryOperation, ...] = computed(lambda self: (self.base, self.step))

    title: ClassVar[str] = "Recursion"
    noun: ClassVar[str] = "recursive query"
    sql_clause: ClassVar[str] = "a recursive query"

    @property
    def hides_outer_query(self) -> bool:
        return True

    def describe(self) -> str:
        limit = "" if self.limit is None else f", limit: [{self.limit}]"
        rows = ", rows: [all]" if self.is_unlimited else ""
        return f"(name: [{self.name}], fields: [{listing(self.schema.names, 100)}]{limit}{rows})"


def references(operation: QueryOperation) -> Iterator[RecursiveReference]:
    """Yield what a query reads of recursive queries, its own ones among them."""
    for current in operation.walk_with_subqueries():
        if isinstance(current, RecursiveReference):
            yield current


def _refused_place(operation: QueryOperation, reads: list[bool]) -> str | None:
    """Return in words where Spark does not let a query read itself, None where it does."""
    place = operation.refused_recursion(reads)
    if place is None and any(expression.contents & OVER for expression in operation.expressions):
        place = "below a window"
    return place
