"""Resolves a declared schema to the columns, the constraints and the watermark of a table's definition."""

from __future__ import annotations

from collections.abc import Callable

from ir.commands.table_definition import (
    ColumnDefinition,
    ColumnValue,
    Constraint,
    DefaultValue,
    ForeignKeyConstraint,
    IdentityValue,
    MetadataValue,
    PrimaryKeyConstraint,
    TableDefinition,
    UniqueConstraint,
    WatermarkDefinition,
)
from ir.expressions import Expression
from ir.identifiers import ObjectIdentifier
from ir.resolution.commands import tables
from ir.resolution.lookup import FunctionLookup
from ir.schema import Column, ResolvedSchema
from tableapi.declarations.declared_columns import ComputedColumn, MetadataColumn, PhysicalColumn, SchemaColumn
from tableapi.declarations.schema_rules import Check, ColumnDefault, ColumnGeneration, SchemaConstraint, Unique
from tableapi.schema import Schema

Parse = Callable[[str], Expression]
Qualify = Callable[[str], ObjectIdentifier]


class SchemaDefinition:
    """The parts of a schema, resolved.

    Args:
        schema: the schema.
        lookup: finds functions.
        parse: reads an expression that is SQL text.
        qualify: returns the full name of a table to which a foreign key refers.

    Raises:
        ValidationException: an expression or a name in the schema is invalid.
    """

    def __init__(self, schema: Schema, lookup: FunctionLookup, parse: Parse, qualify: Qualify) -> None:
        self._lookup = lookup
        self._parse = parse
        self._qualify = qualify
        self._schema = schema
        stored = [column for column in schema.columns if not isinstance(column, ComputedColumn)]
        self._stored = ResolvedSchema(tuple([Column(column.name, column.data_type) for column in stored]))
        self._plain = [
            column.name
            for column in stored
            if not (isinstance(column, PhysicalColumn) and isinstance(column.rule, ColumnGeneration))
        ]
        self.columns = tuple([self._column(column) for column in schema.columns])
        self.every = ResolvedSchema(tuple([Column(column.name, column.data_type) for column in self.columns]))

    def _expression(self, written: Expression | str) -> Expression:
        return self._parse(written) if isinstance(written, str) else written

    def _column(self, column: SchemaColumn) -> ColumnDefinition:
        if isinstance(column, ComputedColumn):
            expression = self._expression(column.expression)
            value = tables.resolve_computed(column.name, expression, self._stored, self._lookup)
            return ColumnDefinition(column.name, value.expression.data_type, value, column.comment)
        if isinstance(column, MetadataColumn):
            key = None if column.key == column.name else column.key
            return ColumnDefinition(
                column.name, column.data_type, MetadataValue(key, column.is_virtual), column.comment
            )
        return ColumnDefinition(column.name, column.data_type, self._value(column), column.comment)

    def _value(self, column: PhysicalColumn) -> ColumnValue | None:
        rule = column.rule
        if rule is None:
            return None
        if isinstance(rule, ColumnDefault):
            made: DefaultValue = tables.resolve_default(column.name, column.data_type, rule.value, self._lookup)
            return made
        if isinstance(rule, ColumnGeneration):
            expression, stored = self._expression(rule.expression), self._stored
            return tables.resolve_generated(
                column.name, column.data_type, expression, stored, self._plain, self._lookup
            )
        return IdentityValue(rule.always, rule.start, rule.step)

    def constraints(self) -> tuple[Constraint, ...]:
        """Return the primary key and the other constraints."""
        key, made = self._schema.primary_key_columns, list[Constraint]()
        if key:
            columns = tables.require_columns(key, self.every.names, "The primary key")
            made.append(PrimaryKeyConstraint(self._schema.primary_key_name, False, columns))
        return (*made, *map(self._constraint, self._schema.constraints))

    def _constraint(self, written: SchemaConstraint) -> Constraint:
        if isinstance(written, Check):
            expression = self._expression(written.condition)
            return tables.resolve_check(written.name, expression, self.every, self._lookup, relies=False)
        if isinstance(written, Unique):
            return UniqueConstraint(
                written.name, False, tables.require_columns(written.columns, self.every.names, "UNIQUE")
            )
        columns = tables.require_columns(written.columns, self.every.names, "FOREIGN KEY")
        return ForeignKeyConstraint(written.name, False, columns, self._qualify(written.table), written.referenced)

    def without_storage(self) -> TableDefinition:
        """Return the definition of a table of which only the columns and constraints are known."""
        return TableDefinition(self.columns, self.constraints())

    def watermark(self) -> WatermarkDefinition | None:
        """Return the watermark; None if there is none."""
        for column, written in self._schema.watermarks:
            return tables.resolve_watermark(column, self._expression(written), self.every, self._lookup)
        return None
