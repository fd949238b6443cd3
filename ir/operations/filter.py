"""Filtering and removal of duplicates."""

from __future__ import annotations

from typing import ClassVar

from ir.errors import ValidationException, listing
from ir.expressions import ResolvedExpression
from ir.nodes import computed, node
from ir.operations.operation import QueryOperation
from ir.schema import ResolvedSchema
from ir.types import LogicalType, MapType, VariantType


@node
class Filter(QueryOperation):
    """Rows of ``input`` for which ``condition`` is TRUE."""

    input: QueryOperation
    condition: ResolvedExpression
    _schema: ResolvedSchema = computed(lambda self: self._schema_of_input())

    title: ClassVar[str] = "Filter"

    def _schema_of_input(self) -> ResolvedSchema:
        # Held here, because a chain of filters would otherwise be walked down for each look at the schema.
        return self.input.schema

    @property
    def schema(self) -> ResolvedSchema:
        return self._schema

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return (self.input,)

    def describe(self) -> str:
        return f"(condition: [{self.condition.as_summary_string()}])"


def holds_map(data_type: LogicalType) -> bool:
    """Whether values of the type cannot be told apart or grouped, because a map or a variant is among its parts."""
    return isinstance(data_type, (MapType, VariantType)) or any(map(holds_map, data_type.children))


def require_groupable(schema: ResolvedSchema, operation: str) -> None:
    """Refuse an operation that compares whole rows where a column cannot be compared.

    Raises:
        ValidationException: a column is or contains a MAP or a VARIANT.
    """
    refused = [repr(column) for column in schema.columns if holds_map(column.data_type)]
    if refused:
        raise ValidationException(
            f"{operation} compares whole rows, and values of type MAP or VARIANT cannot be compared: {listing(refused)}."
        )


@node
class Distinct(QueryOperation):
    """The different rows of ``input``, each once."""

    input: QueryOperation
    _schema: ResolvedSchema = computed(lambda self: self._schema_of_input())

    title: ClassVar[str] = "Distinct"

    def _schema_of_input(self) -> ResolvedSchema:
        require_groupable(self.input.schema, "DISTINCT")
        return self.input.schema

    @property
    def schema(self) -> ResolvedSchema:
        return self._schema

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return (self.input,)

    def describe(self) -> str:
        return "()"
