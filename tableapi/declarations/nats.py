"""Tables of NATS JetStream: streams of messages that a data source in Python reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from ir import light_attrs as attrs
from ir.calls import call
from ir.errors import TableException
from ir.expressions import Expression
from ir.functions.logic import COALESCE
from ir.literals import literal
from ir.operations.source import InlineSource
from ir.resolution.lookup import FunctionLookup
from ir.schema import Column, ResolvedSchema
from ir.types import BIGINT, BYTES, STRING, TIMESTAMP_LTZ, MapType
from tableapi.declarations.declared_columns import MetadataColumn, PhysicalColumn
from tableapi.declarations.external_tables import ExternalTable
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.file_tables import DeclaredTable
from tableapi.declarations.jdbc import PASSWORD_VARIABLE
from tableapi.declarations.nats_options import (
    TOKEN_VARIABLE,
    NatsOptions,
    read_nats_options,
    refuse_nats_option,
)
from tableapi.declarations.record_names import AVRO, RAW
from tableapi.declarations.record_options import RecordFormats, read_record_formats
from tableapi.declarations.record_tables import (
    Metadata,
    RecordShape,
    check_metadata,
    read_column,
    read_records,
    writable_columns,
    write_as,
    write_records,
)
from tableapi.declarations.secrets import mask_options
from tableapi.declarations.value_formats import AVRO_PACKAGE, stored_columns
from tableapi.schema import Schema
from tableapi.spark.runtime.nats import settings
from tableapi.table_descriptor import TableDescriptor

_HEADERS: Final = MapType(STRING, STRING)
COLUMNS: Final = ResolvedSchema(
    (
        Column("data", BYTES),
        Column("subject", STRING),
        Column("sequence", BIGINT),
        Column("time", TIMESTAMP_LTZ),
        Column("headers", _HEADERS),
    )
)
"""The columns of the data source."""
_METADATA: Final[Mapping[str, Metadata]] = {
    "subject": Metadata(read_column("subject"), "subject", write_as(STRING)),
    "sequence": Metadata(read_column("sequence")),
    "time": Metadata(read_column("time")),
    "headers": Metadata(read_column("headers"), "headers", write_as(_HEADERS)),
}
_SHAPE: Final = RecordShape(COLUMNS, _METADATA, ("subject", "sequence"), None, "data")
_OWN_SCHEMA: Final = Schema(
    (
        PhysicalColumn("data", BYTES),
        MetadataColumn("subject", STRING, "subject", is_virtual=False),
        MetadataColumn("sequence", BIGINT, "sequence"),
        MetadataColumn("time", TIMESTAMP_LTZ, "time"),
        MetadataColumn("headers", _HEADERS, "headers", is_virtual=False),
    )
)
"""The schema of a table that declares none: all that is known of a message."""


@attrs.frozen(eq=False, repr=False)
class NatsTable(ExternalTable):
    """A table of NATS.

    Attributes:
        written: the columns of the sink, each with its SQL over the columns of an INSERT.
        refusal: why the table cannot be written to; None if it can.
        variables: the environment variables with secrets, by the option.
        packages: the packages of Spark that the table needs.
    """

    written: tuple[tuple[str, str], ...] = attrs.field(kw_only=True)
    refusal: str | None = attrs.field(kw_only=True)
    variables: Mapping[str, str] = attrs.field(kw_only=True)
    packages: tuple[str, ...] = attrs.field(kw_only=True)

    kind: ClassVar[str] = "stream of NATS"
    keeper: ClassVar[str | None] = "a stream of NATS"
    can_overwrite: ClassVar[bool] = False

    @property
    def source(self) -> InlineSource:
        """The operation that reads the messages."""
        return InlineSource(self, COLUMNS, self.kind, self.stream)

    @property
    def read_columns(self) -> ResolvedSchema:
        """The columns that the data source has."""
        return COLUMNS

    @property
    def place(self) -> object:
        """The identity of the stored rows: the servers, the stream and the subject."""
        return tuple([self.options.get(key, "") for key in (settings.SERVERS, settings.STREAM, settings.SUBJECT)])

    @property
    def secret_variables(self) -> Mapping[str, str]:
        """The environment variables with secrets, by the option."""
        return self.variables

    @property
    def stored_options(self) -> Mapping[str, str]:
        """The options in the statement that creates the table, with secrets replaced."""
        names = {settings.PASSWORD: PASSWORD_VARIABLE, settings.TOKEN: TOKEN_VARIABLE}
        return {**mask_options(self.options), **{names[key]: value for key, value in self.variables.items()}}

    @property
    def shown(self) -> str:
        """The table in messages, without secrets."""
        return f"the stream {self.options[settings.STREAM]} of NATS"

    def require_writable(self) -> None:
        """Reject a table to which nothing can be written.

        Raises:
            TableException: a metadata column cannot be written, or the table names no subject to write to.
        """
        if self.refusal is not None:
            raise TableException(f"{self.refusal} Nothing was written.")


def declare_nats(
    descriptor: TableDescriptor,
    name: str,
    lookup: FunctionLookup,
    parse: Callable[[str], Expression],
    *,
    is_stream: bool,
) -> DeclaredTable:
    """Check a descriptor of a table of NATS, and return the table that it declares.

    Without a schema, the table has all that is known of a message: data, subject, sequence, time and headers. Without
    a format, the format is ``raw``.

    Args:
        descriptor: the descriptor.
        name: the name of the table in messages.
        lookup: finds the functions in computed columns.
        parse: reads an expression that is given as SQL.
        is_stream: whether the rows do not end.

    Raises:
        ValidationException: an option is missing, invalid or contradicts another one.
        TableException: an option, a format, a type or metadata is not supported.
    """
    if descriptor.partition_keys:
        raise TableException(
            f"{capitalize(name)} has partition keys, and a stream of NATS has no directories. Leave PARTITIONED BY out."
        )
    given = {key: value for key, value in descriptor.options.items() if key != "connector"}
    for key in given:
        refuse_nats_option(key)
    if "format" not in given and "value.format" not in given:
        given["format"] = RAW
    schema = _OWN_SCHEMA if descriptor.declared_schema is None else descriptor.declared_schema
    formats, rest = read_record_formats(given, stored_columns(schema.physical_columns), name)
    options = read_nats_options(rest, name, is_stream=is_stream)
    check_metadata(schema, _SHAPE, formats, name)
    table = _make_table(schema, options, formats, descriptor.comment, name, is_stream=is_stream)
    operation = read_records(schema, table.source, _SHAPE, formats, lookup, parse, name)
    return DeclaredTable(table, operation)


def _make_table(
    schema: Schema, options: NatsOptions, formats: RecordFormats, comment: str | None, name: str, *, is_stream: bool
) -> NatsTable:
    written, refusal = _written(schema, options, formats, name)
    return NatsTable(
        settings.NAME,
        None,
        options.options,
        writable_columns(schema),
        (),
        (),
        comment,
        is_stream,
        tuple(schema.primary_key_columns),
        written=written,
        refusal=refusal,
        variables=options.variables,
        packages=(AVRO_PACKAGE,) if formats.value.format.name == AVRO else (),
    )


def _written(
    schema: Schema, options: NatsOptions, formats: RecordFormats, name: str
) -> tuple[tuple[tuple[str, str], ...], str | None]:
    """Return the columns of the sink with their SQL, and why the table cannot be written to."""
    try:
        columns = dict(write_records(schema, _SHAPE, formats, name))
    except TableException as error:
        return (), str(error)
    subject = options.options.get(settings.SUBJECT)
    if subject is not None and not _has_wildcard(subject):
        of_table = literal(subject)
        columns["subject"] = call(COALESCE, (columns["subject"], of_table)) if "subject" in columns else of_table
    elif "subject" not in columns:
        problem = "no subject" if subject is None else f"the subject {subject!r} with a wildcard"
        return (), (
            f"{capitalize(name)} has {problem}, and rows are written to one. Name it in 'subject', or declare a column "
            "with the subject of each row: METADATA FROM 'subject'."
        )
    return tuple([(name, value.as_serializable_string()) for name, value in columns.items()]), None


def _has_wildcard(subject: str) -> bool:
    return any(part in ("*", ">") for part in subject.split("."))
