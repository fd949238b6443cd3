"""Makes the command of CREATE TABLE from a table descriptor: the same tree as that of the statement."""

from __future__ import annotations

from grammar.reading import parse_syntax
from ir.commands.table_definition import (
    ColumnDefinition,
    CreateMode,
    MetadataValue,
    PartitionField,
    PrimaryKeyConstraint,
    TableDefinition,
    WatermarkDefinition,
)
from ir.commands.tables import CreateTable
from ir.expressions import Expression
from ir.file_formats import files_of_connector
from ir.identifiers import ObjectIdentifier
from ir.rendering import Dialect
from ir.resolution.commands import tables
from ir.schema import Column, ResolvedSchema
from tableapi.declarations.file_tables import require_descriptor
from tableapi.queries.environment_parts import EnvironmentParts
from tableapi.schema import ComputedColumn, MetadataColumn, Schema, SchemaColumn
from tableapi.table_descriptor import TableDescriptor


def command_of_descriptor(
    environment: EnvironmentParts, target: ObjectIdentifier, descriptor: TableDescriptor, *, ignore_if_exists: bool
) -> CreateTable:
    """Return the command that creates the table of a descriptor.

    Args:
        environment: finds functions, and reads expressions that are SQL text.
        target: the name of the table.
        descriptor: the table.
        ignore_if_exists: whether to keep an existing table of the name.

    Raises:
        ValidationException: an expression or a name in the descriptor is invalid, or it is no descriptor.
    """
    require_descriptor(descriptor)
    schema = descriptor.declared_schema or Schema()
    made = _Definition(environment, schema)
    names = [column.name for column in made.columns]
    keys = descriptor.partition_keys
    if names:
        keys = tables.require_columns(keys, names, "partitioned_by")
    options = dict(descriptor.options)
    format, location, of_format = files_of_connector(options) or (None, None, {})
    definition = TableDefinition(
        made.columns,
        made.keys(),
        made.watermark(),
        tuple([PartitionField((key,)) for key in keys]),
        format=format,
        location=location,
        options=tuple(sorted(of_format.items())),
        connector=() if format is not None else tuple(sorted(options.items())),
        comment=descriptor.comment,
    )
    return CreateTable(target, definition, CreateMode.CREATE_IF_NOT_EXISTS if ignore_if_exists else CreateMode.CREATE)


class _Definition:
    """The columns, the key and the watermark of a schema, resolved."""

    def __init__(self, environment: EnvironmentParts, schema: Schema) -> None:
        self._reader = environment.reader
        self._lookup = environment.lookup
        self._schema = schema
        stored = [column for column in schema.columns if not isinstance(column, ComputedColumn)]
        self._stored = ResolvedSchema(tuple([Column(column.name, column.data_type) for column in stored]))
        self.columns = tuple([self._column(column) for column in schema.columns])
        self._every = ResolvedSchema(tuple([Column(column.name, column.data_type) for column in self.columns]))

    def _expression(self, written: Expression | str) -> Expression:
        if not isinstance(written, str):
            return written
        return self._reader.expression(parse_syntax(written, Dialect.SPARK, "only_expression"), written)

    def _column(self, column: SchemaColumn) -> ColumnDefinition:
        if isinstance(column, ComputedColumn):
            expression = self._expression(column.expression)
            value = tables.resolve_computed(column.name, expression, self._stored, self._lookup)
            return ColumnDefinition(column.name, value.expression.data_type, value, column.comment)
        metadata = None
        if isinstance(column, MetadataColumn):
            metadata = MetadataValue(None if column.key == column.name else column.key, True)
        return ColumnDefinition(column.name, column.data_type, metadata, column.comment)

    def keys(self) -> tuple[PrimaryKeyConstraint, ...]:
        """Return the primary key, if there is one."""
        key = self._schema.primary_key_columns
        if not key:
            return ()
        columns = tables.require_columns(key, self._every.names, "The primary key")
        return (PrimaryKeyConstraint(self._schema.primary_key_name, False, columns),)

    def watermark(self) -> WatermarkDefinition | None:
        """Return the watermark; None if there is none."""
        for column, written in self._schema.watermarks:
            return tables.resolve_watermark(column, self._expression(written), self._every, self._lookup)
        return None
