"""Sinks for looking at the rows of a stream: memory, the console, and one that keeps nothing."""

from __future__ import annotations

from typing import Final

from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.schema import Column, ResolvedSchema
from tableapi.declarations.connectors import STREAM_SINKS
from tableapi.declarations.declared_columns import PhysicalColumn
from tableapi.declarations.external_tables import ExternalTable
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.file_tables import DeclaredTable
from tableapi.table_descriptor import TableDescriptor

MEMORY: Final = "memory"
CONSOLE: Final = "console"
NOOP: Final = "noop"
_OPTIONS: Final = {CONSOLE: ("numRows", "truncate"), MEMORY: (), NOOP: ()}


def is_stream_sink(connector: str | None) -> bool:
    """Whether a connector is a sink for looking at the rows of a stream."""
    return connector in STREAM_SINKS


def declare_stream_sink(descriptor: TableDescriptor, name: str) -> DeclaredTable:
    """Return the table that a descriptor of such a sink declares.

    Raises:
        ValidationException: an option is unknown; the message suggests the nearest name.
        TableException: a part of the descriptor is only for tables of files.
    """
    options = dict(descriptor.options)
    connector = options.pop("connector")
    for key in options:
        if key not in _OPTIONS[connector]:
            has = f"has the options [{listing(_OPTIONS[connector])}]" if _OPTIONS[connector] else "has no options"
            raise ValidationException(
                f"{capitalize(name)} has the option {key!r}: the connector {connector!r} {has}."
                + did_you_mean(key, _OPTIONS[connector]),
                option=key,
            )
    if descriptor.partition_keys:
        raise TableException(f"{capitalize(name)} has partition keys, and {connector} has no directories.")
    schema = None
    if descriptor.declared_schema is not None:
        for column in descriptor.declared_schema.columns:
            if not isinstance(column, PhysicalColumn):
                raise TableException(
                    f"{capitalize(name)} has the column {column.name!r}, which is not a stored one; a table that is "
                    "only written has stored columns alone."
                )
        columns = descriptor.declared_schema.physical_columns
        schema = ResolvedSchema(tuple([Column(c.name, c.data_type, c.comment) for c in columns]))
    made = ExternalTable(connector, None, options, schema, (), (), descriptor.comment)
    return DeclaredTable(made, None if schema is None else made.source)
