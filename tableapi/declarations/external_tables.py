"""Tables whose rows another system keeps: a database behind JDBC, or a data source in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from ir import light_attrs as attrs
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.identifiers import fold
from ir.operations.source import InlineSource
from ir.resolution.lookup import FunctionLookup
from ir.schema import Column, ResolvedSchema
from tableapi.declarations import jdbc, python_sources, streams
from tableapi.declarations.declared_columns import MetadataColumn
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.file_tables import (
    DeclaredTable,
    FileTable,
    SqlTypes,
    add_computed_columns,
    derive_columns,
    read_type,
)
from tableapi.declarations.secrets import mask_options
from tableapi.table_descriptor import TableDescriptor

JDBC: Final = "jdbc"
KAFKA: Final = "kafka"
NATS: Final = "nats"


@attrs.frozen(eq=False, repr=False)
class ExternalTable(FileTable):
    """A table that a data source of Spark reads and writes. ``format`` is the name of the data source.

    Attributes:
        primary_key: the columns that identify a row; rows with the key of another row replace it.
        source_class: the class of a data source in Python.
        password_variable: the environment variable with the password.
    """

    primary_key: tuple[str, ...] = ()
    source_class: type[Any] | None = None
    password_variable: str | None = None

    kind: ClassVar[str] = "table of another system"
    is_external: ClassVar[bool] = True

    @property
    def source(self) -> InlineSource:
        """The operation that reads the table: the stored columns, then the derived columns, all nullable."""
        stored = () if self.schema is None else self.schema.columns
        columns = [Column(c.name, read_type(c.data_type), c.comment) for c in stored]
        schema = ResolvedSchema((*columns, *[column for column, _ in self.derived]))
        return InlineSource(self, schema, self.kind, self.stream)

    @property
    def read_columns(self) -> ResolvedSchema:
        """The columns that the data source has for the table."""
        assert self.schema is not None
        return self.schema

    @property
    def place(self) -> object:
        """The identity of the stored rows: the database and the table, or all options."""
        if self.format == JDBC:
            return JDBC, self.options["url"], fold(self.options.get("dbtable", ""))
        return self.format, tuple(sorted(self.options.items()))

    @property
    def secret_variables(self) -> Mapping[str, str]:
        """The environment variables with secrets, by the option."""
        return {} if self.password_variable is None else {"password": self.password_variable}

    @property
    def stored_options(self) -> Mapping[str, str]:
        """The options in the statement that creates the table, with secrets replaced."""
        variable = {} if self.password_variable is None else {jdbc.PASSWORD_VARIABLE: self.password_variable}
        return {**mask_options(self.options), **variable}

    @property
    def shown(self) -> str:
        """The table in messages, without secrets."""
        if self.format == JDBC:
            return f"the table {self.options.get('dbtable', self.options.get('query', ''))} of the database"
        return f"the data source {self.format}"

    def __repr__(self) -> str:
        return f"ExternalTable({self.format}, {dict(mask_options(self.options))})"


InferSchema = Callable[[ExternalTable], ResolvedSchema]


def is_external(connector: str | None) -> bool:
    """Whether a connector is JDBC, Kafka, NATS, a source of streams, or a known data source in Python."""
    if connector is None:
        return False
    return (
        connector in (JDBC, KAFKA, NATS)
        or connector in streams.CONNECTORS
        or python_sources.find(connector) is not None
    )


def declare_external(
    descriptor: TableDescriptor,
    name: str,
    lookup: FunctionLookup,
    sql_type: SqlTypes,
    infer: InferSchema,
    *,
    is_stream: bool = False,
) -> DeclaredTable:
    """Check a descriptor of another system's table, and return the table that it declares.

    Args:
        descriptor: the descriptor.
        name: the name of the table in messages.
        lookup: finds the functions in computed columns.
        sql_type: returns Spark's type of an SQL expression over the stored columns.
        infer: returns the columns that the system reports, for a descriptor without a schema.
        is_stream: whether a data source in Python is read as a stream.

    Raises:
        ValidationException: an option is missing, unknown or invalid; the message suggests the nearest name.
        TableException: a part of the descriptor is only for tables of files.
    """
    table = _describe(descriptor, name, is_stream=is_stream)
    if descriptor.partition_keys:
        raise TableException(
            f"{capitalize(name)} has partition keys, and {table.shown} has no directories. Leave PARTITIONED BY out."
        )
    schema = descriptor.declared_schema
    if schema is None:
        known = streams.CONNECTORS.get(table.format)
        found = infer(table) if known is None else known.columns
        made = attrs.evolve(table, schema=found)
        return DeclaredTable(made, made.source)
    for column in schema.columns:
        if isinstance(column, MetadataColumn):
            raise TableException(
                f"{capitalize(name)} has the metadata column {column.name!r}; only tables of files have metadata."
            )
    stored = ResolvedSchema(tuple([Column(c.name, c.data_type, c.comment) for c in schema.physical_columns]))
    if not stored.columns:
        raise ValidationException(f"The schema of {name} has no stored column.")
    made = attrs.evolve(
        table,
        schema=stored,
        derived=derive_columns(schema, stored, sql_type),
        primary_key=tuple([stored.column(key).name for key in schema.primary_key_columns]),
    )
    return DeclaredTable(made, add_computed_columns(schema, made.source, lookup))


def _describe(descriptor: TableDescriptor, name: str, *, is_stream: bool) -> ExternalTable:
    options = dict(descriptor.options)
    connector = options.pop("connector")
    if connector in streams.CONNECTORS:
        given = streams.spark_options(connector, options, name)
        return ExternalTable(connector, None, given, None, (), (), descriptor.comment, is_stream=True)
    if connector == JDBC:
        given, variable = jdbc.options_of_jdbc(options, name)
        return ExternalTable(JDBC, None, given, None, (), (), descriptor.comment, password_variable=variable)
    found = python_sources.find(connector)
    assert found is not None
    return ExternalTable(
        connector, None, options, None, (), (), descriptor.comment, is_stream=is_stream, source_class=found
    )


def require_columns(table: ExternalTable, actual: ResolvedSchema) -> Mapping[str, Column]:
    """Return the columns that a system reports, by the folded names of the declared columns.

    Raises:
        ValidationException: the system has no column of a declared name; the message suggests the nearest name.
    """
    found: dict[str, Column] = {}
    for declared in table.read_columns.columns:
        if actual.index_of(declared.name) is None:
            raise make_missing_column_error(table, declared.name, actual)
        found[fold(declared.name)] = actual.column(declared.name)
    return found


def make_missing_column_error(table: ExternalTable, name: str, actual: ResolvedSchema) -> ValidationException:
    """Return the error about a declared column that the system lacks."""
    return ValidationException(
        f"{capitalize(table.shown)} has no column {name!r}: it has [{listing(actual.names)}]."
        + did_you_mean(name, actual.names)
    )
