"""Tables of Kafka: topics that Spark's connector reads and writes, with the formats of their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from ir import light_attrs as attrs
from ir.calls import call
from ir.casts import differ_at_most_in_nullability
from ir.errors import TableException, ValidationException
from ir.expressions import Expression, ResolvedExpression, TypeLiteral
from ir.functions.arithmetic import PLUS
from ir.functions.arrays import SLICE
from ir.functions.collection import CARDINALITY, GET
from ir.functions.comparison import EQUALS
from ir.functions.conversion import CAST
from ir.functions.higher_order import ARRAY_EXISTS, FILTER
from ir.functions.let_bindings import function
from ir.functions.logic import CASE, COALESCE, NOT
from ir.functions.maps import MAP_ENTRIES, MAP_FROM_ENTRIES
from ir.literals import literal
from ir.operations.source import InlineSource
from ir.resolution.lookup import FunctionLookup
from ir.schema import Column, ResolvedSchema
from ir.types import (
    BIGINT,
    BYTES,
    INT,
    STRING,
    TIMESTAMP_LTZ,
    ArrayType,
    CharacterType,
    LogicalType,
    MapType,
    RowField,
    RowType,
)
from tableapi.declarations.declared_columns import MetadataColumn
from tableapi.declarations.external_tables import KAFKA, ExternalTable
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.file_tables import DeclaredTable
from tableapi.declarations.kafka_options import KafkaOptions, read_kafka_options, refuse_kafka_option
from tableapi.declarations.record_names import AVRO
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
from tableapi.declarations.value_formats import AVRO_PACKAGE, stored_columns
from tableapi.schema import Schema
from tableapi.table_descriptor import TableDescriptor

PACKAGE: Final = "org.apache.spark:spark-sql-kafka-0-10"
"""The package of Spark's connector, without the suffix of the version."""
SOURCE: Final = KAFKA
"""Spark's name of the connector."""
_HEADER: Final = RowType((RowField("key", STRING), RowField("value", BYTES)))
_HEADERS: Final = ArrayType(_HEADER)
_HEADER_MAP: Final = MapType(STRING, BYTES)
_COLUMNS: Final = (
    Column("key", BYTES),
    Column("value", BYTES),
    Column("topic", STRING),
    Column("partition", INT),
    Column("offset", BIGINT),
    Column("timestamp", TIMESTAMP_LTZ),
    Column("timestampType", INT),
)
# What Kafka's client calls the types of timestamps, by their numbers.
_TIMESTAMP_TYPES: Final = {-1: "NoTimestampType", 0: "CreateTime", 1: "LogAppendTime"}

ByName = Callable[[str], ResolvedExpression]


def _read_timestamp_type(column: ByName, data_type: LogicalType) -> ResolvedExpression:
    found = column("timestampType")
    if isinstance(data_type, CharacterType):
        pairs = [(call(EQUALS, (found, literal(n))), literal(text)) for n, text in _TIMESTAMP_TYPES.items()]
        return call(CASE, [part for pair in pairs for part in pair])
    return call(CAST, (found, TypeLiteral(data_type)))


def _read_headers(column: ByName, data_type: LogicalType) -> ResolvedExpression:
    """Return the headers as an array of pairs, or as a map, in which the last header of a name wins."""
    found = column("headers")
    if differ_at_most_in_nullability(data_type, _HEADERS):
        return found
    if not differ_at_most_in_nullability(data_type, _HEADER_MAP):
        raise ValidationException(
            f"headers are {_HEADER_MAP.as_summary_string()}, or {_HEADERS.as_summary_string()} if a name may occur "
            "twice."
        )

    def name_of(header: ResolvedExpression) -> ResolvedExpression:
        return call(GET, (header, literal("key")))

    def is_last(header: ResolvedExpression, index: ResolvedExpression) -> ResolvedExpression:
        # SLICE counts from 1, and the index from 0.
        later = call(SLICE, (found, call(PLUS, (index, literal(2))), call(CARDINALITY, (found,))))
        same = function(lambda other: call(EQUALS, (name_of(other), name_of(header))), other=_HEADER)
        return call(NOT, (call(ARRAY_EXISTS, (later, same)),))

    return call(MAP_FROM_ENTRIES, (call(FILTER, (found, function(is_last, header=_HEADER, index=INT))),))


def _write_headers(value: ResolvedExpression) -> ResolvedExpression:
    return call(MAP_ENTRIES, (value,)) if isinstance(value.data_type, MapType) else value


_METADATA: Final[Mapping[str, Metadata]] = {
    "topic": Metadata(read_column("topic"), "topic", write_as(STRING)),
    "partition": Metadata(read_column("partition"), "partition", write_as(INT)),
    "offset": Metadata(read_column("offset")),
    "timestamp": Metadata(read_column("timestamp")),
    "timestamp-type": Metadata(_read_timestamp_type),
    "headers": Metadata(_read_headers, "headers", _write_headers),
    "key": Metadata(read_column("key"), "key", write_as(BYTES)),
    "value": Metadata(read_column("value")),
}


@attrs.frozen(eq=False, repr=False)
class KafkaTable(ExternalTable):
    """A table of Kafka. ``options`` are those of Spark's source.

    Attributes:
        records: the columns of Spark's source.
        write_options: the options of Spark's sink.
        written: the columns of Spark's sink, each with its SQL over the columns of an INSERT.
        refusal: why the table cannot be written to; None if it can.
        topics: the topics.
        packages: the packages of Spark that the table needs.
    """

    records: ResolvedSchema = attrs.field(kw_only=True)
    write_options: Mapping[str, str] = attrs.field(kw_only=True)
    written: tuple[tuple[str, str], ...] = attrs.field(kw_only=True)
    refusal: str | None = attrs.field(kw_only=True)
    topics: str = attrs.field(kw_only=True)
    packages: tuple[str, ...] = attrs.field(kw_only=True)

    kind: ClassVar[str] = "topic of Kafka"
    keeper: ClassVar[str | None] = "a topic of Kafka"
    can_overwrite: ClassVar[bool] = False

    @property
    def source(self) -> InlineSource:
        """The operation that reads the records."""
        return InlineSource(self, self.records, self.kind, self.stream)

    @property
    def read_columns(self) -> ResolvedSchema:
        """The columns that the data source has."""
        return self.records

    @property
    def place(self) -> object:
        """The identity of the stored rows: the brokers and the topics."""
        return KAFKA, self.options["kafka.bootstrap.servers"], self.topics

    @property
    def shown(self) -> str:
        """The table in messages, without secrets."""
        return f"the topic {self.topics} of Kafka"

    def require_writable(self) -> None:
        """Reject a table to which nothing can be written.

        Raises:
            TableException: a metadata column cannot be written, or the table names no topic to write to.
        """
        if self.refusal is not None:
            raise TableException(f"{self.refusal} Nothing was written.")


def declare_kafka(
    descriptor: TableDescriptor,
    name: str,
    lookup: FunctionLookup,
    parse: Callable[[str], Expression],
    *,
    said: bool | None,
    is_streaming_mode: bool,
) -> DeclaredTable:
    """Check a descriptor of a table of Kafka, and return the table that it declares.

    Args:
        descriptor: the descriptor.
        name: the name of the table in messages.
        lookup: finds the functions in computed columns.
        parse: reads an expression that is given as SQL.
        said: what the option ``streaming`` says.
        is_streaming_mode: whether the environment runs in streaming mode.

    Raises:
        ValidationException: an option is missing, invalid or contradicts another one.
        TableException: an option, a format, a type or metadata is not supported.
    """
    if descriptor.partition_keys:
        raise TableException(
            f"{capitalize(name)} has partition keys, and a topic of Kafka has no directories. Leave PARTITIONED BY "
            "out; the partition of a record is the metadata 'partition'."
        )
    schema = descriptor.declared_schema
    if schema is None:
        raise ValidationException(
            f"{capitalize(name)} needs a schema: the records of Kafka are bytes, and no columns. Call schema(…), or "
            "read the bytes: Schema.of({'value': 'BYTES'}) with the format 'raw'."
        )
    given = {key: value for key, value in descriptor.options.items() if key != "connector"}
    for key in given:
        refuse_kafka_option(key)
    formats, rest = read_record_formats(given, stored_columns(schema.physical_columns), name)
    options = read_kafka_options(rest, said, is_streaming_mode, name)
    has_headers = any(isinstance(column, MetadataColumn) and column.key == "headers" for column in schema.columns)
    shape = _shape(has_headers)
    check_metadata(schema, shape, formats, name)
    table = _make_table(schema, options, shape, formats, descriptor.comment, name)
    operation = read_records(schema, table.source, shape, formats, lookup, parse, name)
    return DeclaredTable(table, operation)


def _shape(has_headers: bool) -> RecordShape:
    columns = (*_COLUMNS, Column("headers", _HEADERS)) if has_headers else _COLUMNS
    return RecordShape(ResolvedSchema(columns), _METADATA, ("topic", "partition", "offset"))


def _make_table(
    schema: Schema, options: KafkaOptions, shape: RecordShape, formats: RecordFormats, comment: str | None, name: str
) -> KafkaTable:
    has_headers = shape.columns.index_of("headers") is not None
    read = {**options.read, **({"includeHeaders": "true"} if has_headers else {})}
    written, refusal = _written(schema, options, shape, formats, name)
    uses_avro = any(part is not None and part.format.name == AVRO for part in (formats.value, formats.key))
    return KafkaTable(
        SOURCE,
        None,
        read,
        writable_columns(schema),
        (),
        (),
        comment,
        options.is_stream,
        tuple(schema.primary_key_columns),
        records=shape.columns,
        write_options=options.write,
        written=written,
        refusal=refusal,
        topics=options.topics,
        packages=(PACKAGE, AVRO_PACKAGE) if uses_avro else (PACKAGE,),
    )


def _written(
    schema: Schema, options: KafkaOptions, shape: RecordShape, formats: RecordFormats, name: str
) -> tuple[tuple[tuple[str, str], ...], str | None]:
    """Return the columns of the sink with their SQL, and why the table cannot be written to."""
    try:
        columns = dict(write_records(schema, shape, formats, name))
    except TableException as error:
        return (), str(error)
    if options.topic is not None:
        of_table = literal(options.topic)
        columns["topic"] = call(COALESCE, (columns["topic"], of_table)) if "topic" in columns else of_table
    elif "topic" not in columns:
        return (), (
            f"{capitalize(name)} has no single topic to write to. Name one in 'topic', or declare a column with the "
            "topic of each row: METADATA FROM 'topic'."
        )
    return tuple([(name, value.as_serializable_string()) for name, value in columns.items()]), None
