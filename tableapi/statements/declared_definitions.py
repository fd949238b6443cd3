"""Makes the command of CREATE TABLE from a table descriptor: the same tree as that of the statement."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.reading import parse_syntax
from ir.commands.table_definition import Bucketing, CreateMode, PartitionField, TableDefinition
from ir.commands.tables import CreateTable
from ir.errors import ValidationException
from ir.expressions import Expression
from ir.file_formats import files_of_connector
from ir.identifiers import ObjectIdentifier, fold, parse_path
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.resolution.commands import tables
from ir.schema import ResolvedSchema
from tableapi.declarations.file_tables import require_descriptor
from tableapi.declarations.schema_definitions import SchemaDefinition
from tableapi.queries.environment_parts import EnvironmentParts
from tableapi.schema import Schema
from tableapi.table_descriptor import Buckets, TableDescriptor


def command_of(
    environment: EnvironmentParts,
    target: ObjectIdentifier,
    descriptor: TableDescriptor | None,
    query: QueryOperation | None = None,
    *,
    ignore_if_exists: bool = False,
    or_replace: bool = False,
) -> CreateTable:
    """Return the command that creates a table of a descriptor, of a query, or of both.

    Args:
        environment: finds functions, and reads expressions that are SQL text.
        target: the name of the table.
        descriptor: the table, without a schema if there is a query.
        query: the rows of the table.
        ignore_if_exists: whether to keep an existing table of the name.
        or_replace: whether to replace an existing table of the name.

    Raises:
        ValidationException: an expression or a name in the descriptor is invalid, it is not a descriptor, there are a
            schema and a query, or an existing table is to be kept and replaced.
    """
    if ignore_if_exists and or_replace:
        raise ValidationException("An existing table is kept or replaced: pass ignore_if_exists or or_replace.")
    mode = CreateMode.CREATE_IF_NOT_EXISTS if ignore_if_exists else CreateMode.CREATE
    mode = CreateMode.CREATE_OR_REPLACE if or_replace else mode
    if descriptor is None and query is not None:
        return CreateTable(target, TableDefinition(), mode, query=query)
    descriptor = require_descriptor(descriptor)
    if query is not None and descriptor.declared_schema is not None:
        raise ValidationException("A table made from a query has the columns of the query; leave the schema out.")
    made = _resolve(environment, descriptor.declared_schema or Schema())
    known = query.schema if query is not None else made.every if made.columns else None
    keys = [_partition_field(key, known, descriptor.is_of_table_format) for key in descriptor.partition_keys]
    repeated = next((given for number, given in enumerate(keys) if given in keys[:number]), None)
    if repeated is not None:
        raise ValidationException(f"partitioned_by was given the key {'.'.join(repeated.column)!r} twice.")
    definition = TableDefinition(
        made.columns,
        made.constraints(),
        made.watermark(),
        tuple(keys),
        tuple([_clustering_column(name, known) for name in descriptor.clustering_columns]),
        None if descriptor.buckets is None else _bucketing(descriptor.buckets, known),
        comment=descriptor.comment,
        **_storage(descriptor),
    )
    return CreateTable(target, definition, mode, query=query)


def _resolve(environment: EnvironmentParts, schema: Schema) -> SchemaDefinition:
    reader, lookup = environment.reader, environment.lookup

    def parse(text: str) -> Expression:
        return reader.expression(parse_syntax(text, Dialect.SPARK, "only_expression"), text)

    return SchemaDefinition(schema, lookup, parse, lambda name: reader.full_name(parse_path(name)))


def _storage(descriptor: TableDescriptor) -> dict[str, Any]:
    """Return the parts of a definition that say where and how the rows are kept."""
    options = dict(descriptor.options)
    if descriptor.is_of_table_format:
        format, location = options.pop("connector"), options.pop("path", None)
        tables.refuse_reserved_properties(options)
        return {"format": format, "location": location, "properties": tuple(sorted(options.items()))}
    files = files_of_connector(options)
    if files is None:
        return {"connector": tuple(sorted(options.items()))}
    format, location, of_format = files
    return {"format": format, "location": location, "options": tuple(sorted(of_format.items()))}


def _partition_field(key: str, known: ResolvedSchema | None, takes_transforms: bool) -> PartitionField:
    """Return a partition key, which may be a transform of a column in the form of SQL."""
    if not takes_transforms or (known is not None and known.index_of(key) is not None):
        names = (key,) if known is None else tables.require_columns((key,), known.names, "partitioned_by")
        return PartitionField(names)
    written = parse_syntax(key, Dialect.SPARK, "only_expression")
    if isinstance(written, s.Path):
        return tables.make_partition_field(written.parts, None, None, known)
    arguments: list[Any] = written.arguments if isinstance(written, s.Call) and written.arguments else [None]
    *numbers, column = arguments
    are_numbers = all(isinstance(number, s.Number) and number.text.isdigit() for number in numbers)
    if not isinstance(column, s.Path) or not are_numbers or len(numbers) > 1:
        raise ValidationException(
            f"partitioned_by takes columns and transforms of one, such as 'days(ts)' and 'bucket(16, id)', but was "
            f"given {key!r}."
        )
    argument = int(numbers[0].text) if numbers else None
    return tables.make_partition_field(column.parts, fold(written.function.names[-1].text), argument, known)


def _clustering_column(name: str, known: ResolvedSchema | None) -> tuple[str, ...]:
    path = parse_path(name)
    return path if known is None else tables.find_column(path, known, "clustered_by")


def _bucketing(buckets: Buckets, known: ResolvedSchema | None) -> Bucketing:
    keys = buckets.keys if known is None else tables.require_columns(buckets.keys, known.names, "distributed_by")
    return Bucketing(keys, (), buckets.count, buckets.algorithm)
