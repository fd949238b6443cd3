"""Table descriptors: the storage, format and columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from ir import light_attrs as attrs
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.identifiers import NameMap, fold
from ir.migration_page import Section, see
from tableapi.declarations.connectors import STREAM_SINKS, STREAMS, TABLE_FORMATS, make_connector_error
from tableapi.declarations.file_options import FORMATS, Format, refuse_option
from tableapi.lazy import lazy
from tableapi.schema import Schema
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from tableapi.declarations import jdbc, kafka_options, nats_options, python_sources, secrets, streams
else:
    jdbc = lazy(__name__, "tableapi.declarations.jdbc")
    kafka_options = lazy(__name__, "tableapi.declarations.kafka_options")
    nats_options = lazy(__name__, "tableapi.declarations.nats_options")
    python_sources = lazy(__name__, "tableapi.declarations.python_sources")
    secrets = lazy(__name__, "tableapi.declarations.secrets")
    streams = lazy(__name__, "tableapi.declarations.streams")

__all__ = ["FormatDescriptor", "TableDescriptor"]

Connector = Literal[
    "filesystem",
    "jdbc",
    "kafka",
    "nats",
    "rate",
    "rate-micro-batch",
    "socket",
    "memory",
    "console",
    "noop",
    "delta",
    "hudi",
    "iceberg",
    "paimon",
]
"""The supported connectors, besides data sources in Python."""
CONNECTORS: Final[tuple[str, ...]] = get_args(Connector)
RAW: Final = "raw"
ValueFormatName = Literal["raw"]
"""The format of a broker's values that files do not have."""


@attrs.frozen
class Buckets:
    """The distribution of rows into buckets; ``count`` is None if the connector chooses it.

    ``algorithm`` is HASH, RANGE, or empty if the engine chooses.
    """

    keys: tuple[str, ...]
    count: int | None
    algorithm: str = ""


@boundaries
@attrs.frozen
class FormatDescriptor:
    """A file format with its options: ``FormatDescriptor.for_format("csv").option("header", "true").build()``."""

    format: str
    options: Mapping[str, str] = attrs.field(factory=dict, hash=False)

    @staticmethod
    def for_format(format: Format | ValueFormatName) -> FormatDescriptor.Builder:
        """Return a builder for a format: avro, csv, json, orc, parquet, text or xml; raw for the bytes of a broker.

        Raises:
            ValidationException: the name of the format is not a string.
            TableException: the format is unknown.
        """
        return FormatDescriptor.Builder(_format(format))

    def get_format(self) -> str:
        """Return the name of the format."""
        return self.format

    def get_options(self) -> dict[str, str]:
        """Return the options."""
        return dict(self.options)

    def __str__(self) -> str:
        return f"{self.format}{dict(self.options)}"

    @boundaries
    class Builder:
        """Builds a format; every method returns the builder."""

        def __init__(self, format: str) -> None:
            self._format = format
            self._options: dict[str, str] = {}

        def option(self, key: Any, value: Any) -> FormatDescriptor.Builder:
            """Set an option, by its name in Flink or Spark, to a string, number or boolean."""
            self._options[_key(key)] = _value(key, value)
            return self

        def build(self) -> FormatDescriptor:
            """Build the format."""
            return FormatDescriptor(self._format, dict(self._options))


@boundaries
@attrs.frozen(repr=False)
class TableDescriptor:
    """The description of a table: its connector, options, schema, partition keys and comment.

    >>> from tableapi import Schema
    >>> descriptor = (
    ...     TableDescriptor.for_connector("filesystem")
    ...     .schema(Schema.new_builder().column("id", "INT").column("name", "STRING").build())
    ...     .option("path", "/data/people")
    ...     .format("csv")
    ...     .build()
    ... )
    >>> descriptor.get_options()
    {'connector': 'filesystem', 'path': '/data/people', 'format': 'csv'}
    """

    declared_schema: Schema | None = None
    options: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    partition_keys: tuple[str, ...] = ()
    comment: str | None = None
    clustering_columns: tuple[str, ...] = ()
    buckets: Buckets | None = None

    @staticmethod
    def for_connector(connector: Connector | type[Any]) -> TableDescriptor.Builder:
        """Return a builder for a table with a connector.

        The connector is ``filesystem``, ``jdbc``, a data source in Python, or a table format such as ``delta`` and
        ``iceberg``, whose tables are in catalogs of Spark. For a table format, the option ``path`` is the directory of
        the files, and each other option is a property of the table:

        >>> from tableapi import Schema, TableDescriptor, TableEnvironment
        >>> orders = (
        ...     TableDescriptor.for_connector("delta")
        ...     .schema(Schema.of({"id": "BIGINT NOT NULL", "at": "TIMESTAMP_LTZ"}))
        ...     .option("delta.enableChangeDataFeed", True)
        ...     .clustered_by("id")
        ...     .build()
        ... )
        >>> print(TableEnvironment.create().table_statement("sales.orders", orders).as_serializable_string())
        CREATE TABLE `spark_catalog`.`sales`.`orders` (
            `id` BIGINT NOT NULL,
            `at` TIMESTAMP_LTZ
        )
        USING `delta`
        CLUSTER BY (`id`)
        TBLPROPERTIES (
            'delta.enableChangeDataFeed' = 'true'
        )

        A class of a data source (``pyspark.sql.datasource.DataSource``) is registered under its name, by which SQL
        finds it from then on. The name is accepted here, too; type checkers know the connectors of this library alone.

        Raises:
            ValidationException: the connector is neither a string nor a data source.
            TableException: the connector is not supported; the message suggests an alternative.
        """
        if python_sources.is_data_source(connector):
            return TableDescriptor.Builder({"connector": python_sources.register(connector)})
        name = _text(connector, "A connector")
        if name not in CONNECTORS and python_sources.find(name) is None:
            raise make_connector_error(name)
        return TableDescriptor.Builder({"connector": name})

    @staticmethod
    def for_managed() -> TableDescriptor.Builder:
        """Reject a managed table, whose storage the engine would choose.

        Raises:
            TableException: always; Flink has dropped managed tables, too.
        """
        raise TableException(
            "for_managed is not supported, and no longer works in Flink either. Use for_connector('filesystem'); "
            "without the option 'path', create_table keeps the files in the catalog's warehouse."
            + see(Section.CONNECTORS)
        )

    def get_schema(self) -> Schema | None:
        """Return the schema; None if the written query determines it."""
        return self.declared_schema

    def get_options(self) -> dict[str, str]:
        """Return the options; the options of the format have the format's name as a prefix."""
        return dict(self.options)

    def get_partition_keys(self) -> list[str]:
        """Return the names of the columns that partition the rows into directories."""
        return list(self.partition_keys)

    @property
    def is_of_table_format(self) -> bool:
        """Whether the table is one of a table format, such as Delta Lake or Iceberg."""
        return self.options.get("connector") in TABLE_FORMATS

    def get_comment(self) -> str | None:
        """Return the comment of the table."""
        return self.comment

    def to_builder(self) -> TableDescriptor.Builder:
        """Return a builder with the contents of this descriptor."""
        builder = TableDescriptor.Builder(self.options)
        builder._schema, builder._keys, builder._comment = self.declared_schema, self.partition_keys, self.comment
        builder._clustering, builder._buckets = self.clustering_columns, self.buckets
        return builder

    def __str__(self) -> str:
        keys = (
            f"\nPARTITIONED BY ({', '.join(f'`{key}`' for key in self.partition_keys)})" if self.partition_keys else ""
        )
        if self.clustering_columns:
            keys += f"\nCLUSTER BY ({', '.join(f'`{name}`' for name in self.clustering_columns)})"
        if self.buckets is not None:
            keys += f"\nDISTRIBUTED {_describe_buckets(self.buckets)}"
        comment = f"\nCOMMENT {self.comment!r}" if self.comment else ""
        shown = [f"  {key!r} = {value!r}" for key, value in secrets.mask_options(self.options).items()]
        return f"{self.declared_schema or '()'}{comment}{keys}\nWITH (\n" + ",\n".join(shown) + "\n)"

    __repr__ = __str__

    @boundaries
    class Builder:
        """Builds a table descriptor; every method returns the builder."""

        def __init__(self, options: Mapping[str, str]) -> None:
            self._options = dict(options)
            self._schema: Schema | None = None
            self._keys: tuple[str, ...] = ()
            self._comment: str | None = None
            self._clustering: tuple[str, ...] = ()
            self._buckets: Buckets | None = None

        def schema(self, schema: Schema) -> TableDescriptor.Builder:
            """Set the schema; a table that is only written gets the query's schema by default.

            Raises:
                ValidationException: the argument is not a schema, or lacks a partition key that is already set.
            """
            if not isinstance(schema, Schema):
                raise ValidationException(
                    f"schema takes a Schema, but was given {schema!r}. Make one with Schema.new_builder()."
                )
            if self._options.get("connector") not in TABLE_FORMATS:
                self._keys = _partition_keys(self._keys, schema)
            self._schema = schema
            return self

        def option(self, key: Any, value: Any) -> TableDescriptor.Builder:
            """Set an option, such as ``path``, to a string, number or boolean.

            Raises:
                ValidationException: the key is not a string, or the value has another type.
                TableException: tables of the connector do not have the option.
            """
            _refuse_option(self._options.get("connector"), _key(key))
            self._options[key] = _value(key, value)
            return self

        def format(
            self, format: Format | ValueFormatName | FormatDescriptor, format_option: Any = None
        ) -> TableDescriptor.Builder:
            """Set the format by its name, or by a ``FormatDescriptor`` with options.

            ``format_option`` is the option that names the format, by default ``format``. The options of another one
            have its prefix: those of ``key.format`` begin with ``key.`` and the format.

            Raises:
                ValidationException: the name of the format is not a string.
                TableException: the format is unknown, or the connector is a table format.
            """
            connector = self._options.get("connector")
            if connector in TABLE_FORMATS:
                raise TableException(f"The connector {connector!r} is the format of the table; leave format out.")
            option = "format" if format_option is None else _key(format_option)
            given = format if isinstance(format, FormatDescriptor) else FormatDescriptor(_format(format))
            self._options[option] = given.format
            prefix = option.removesuffix("format") if option.endswith(".format") else ""
            self._options |= {f"{prefix}{given.format}.{key}": value for key, value in given.options.items()}
            return self

        def partitioned_by(self, *partition_keys: str) -> TableDescriptor.Builder:
            """Set the columns that partition the rows into directories.

            Of a table format, a key may also be a transform of a column or field, as in SQL: ``days(ts)``,
            ``bucket(16, id)``, ``truncate(4, name)``.

            Raises:
                ValidationException: a name is not a string, is repeated, or is not a stored column of the schema, if a
                    schema is already set. The keys of a table format are checked when a statement is made.
            """
            keys = _distinct(partition_keys, "A partition key", "partitioned_by")
            if self._schema is not None and self._options.get("connector") not in TABLE_FORMATS:
                keys = _partition_keys(keys, self._schema)
            self._keys = keys
            return self

        def clustered_by(self, *columns: str) -> TableDescriptor.Builder:
            """Set the columns by which the format clusters the rows: CLUSTER BY of Spark.

            A field is written after its column and a dot. PyFlink has no such method.

            Raises:
                ValidationException: a name is not a string, or is repeated.
            """
            self._clustering = _distinct(columns, "A clustering column", "clustered_by")
            return self

        def distributed_by(self, number_of_buckets: int, *bucket_keys: str) -> TableDescriptor.Builder:
            """Distribute the rows into buckets by columns; the engine chooses how.

            ``create_table`` and ``table_statement`` write CLUSTERED BY of Spark, or DISTRIBUTED BY of Flink.

            Raises:
                ValidationException: the number is not positive, or a name is not a string, or is repeated.
            """
            return self._distribute(number_of_buckets, bucket_keys, "")

        def distributed_by_hash(self, number_of_buckets: int, *bucket_keys: str) -> TableDescriptor.Builder:
            """Distribute the rows into buckets by a hash of columns; only Flink's SQL can say so.

            Raises:
                ValidationException: as of ``distributed_by``.
            """
            return self._distribute(number_of_buckets, bucket_keys, "HASH")

        def distributed_by_range(self, number_of_buckets: int, *bucket_keys: str) -> TableDescriptor.Builder:
            """Distribute the rows into buckets by ranges of columns; only Flink's SQL can say so.

            Raises:
                ValidationException: as of ``distributed_by``.
            """
            return self._distribute(number_of_buckets, bucket_keys, "RANGE")

        def distributed_into(self, number_of_buckets: int) -> TableDescriptor.Builder:
            """Distribute the rows into buckets; the connector chooses by what. Only Flink's SQL can say so.

            Raises:
                ValidationException: the number is not positive.
            """
            self._buckets = Buckets((), _count(number_of_buckets))
            return self

        def _distribute(self, count: int, keys: tuple[str, ...], algorithm: str) -> TableDescriptor.Builder:
            if not keys:
                raise ValidationException("Buckets need columns by which rows are distributed, or distributed_into.")
            self._buckets = Buckets(_distinct(keys, "A bucket key", "distributed_by"), _count(count), algorithm)
            return self

        def comment(self, comment: str) -> TableDescriptor.Builder:
            """Set the comment of the table."""
            self._comment = _text(comment, "A comment", empty=True)
            return self

        def build(self) -> TableDescriptor:
            """Build the descriptor."""
            return TableDescriptor(
                self._schema, dict(self._options), self._keys, self._comment, self._clustering, self._buckets
            )


def _distinct(given: tuple[Any, ...], what: str, method: str) -> tuple[str, ...]:
    names = tuple([_text(name, what) for name in given])
    for number, name in enumerate(names):
        if fold(name) in map(fold, names[:number]):
            raise ValidationException(f"{method} was given the column {name!r} twice.")
    return names


def _count(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise ValidationException(f"The number of buckets is a whole number from 1, but is {given!r}.")
    return given


def _describe_buckets(buckets: Buckets) -> str:
    by = f"BY {buckets.algorithm}({', '.join(f'`{key}`' for key in buckets.keys)}) " if buckets.keys else ""
    return f"{by}INTO {buckets.count} BUCKETS"


def _refuse_option(connector: str | None, key: str) -> None:
    if connector == "jdbc":
        jdbc.refuse_jdbc_option(key)
    elif connector == "kafka":
        kafka_options.refuse_kafka_option(key)
    elif connector == "nats":
        nats_options.refuse_nats_option(key)
    elif connector in TABLE_FORMATS:
        return
    elif connector in STREAMS:
        streams.refuse_stream_option(connector, key)
    elif connector not in STREAM_SINKS and (connector is None or python_sources.find(connector) is None):
        refuse_option(key)


def _partition_keys(keys: tuple[str, ...], schema: Schema) -> tuple[str, ...]:
    """Return partition keys in the schema's spelling.

    Raises:
        ValidationException: a key is not a stored column of the schema.
    """
    names: NameMap[str] = NameMap()
    for column in schema.physical_columns:
        names[column.name] = column.name
    for key in keys:
        if key not in names:
            raise ValidationException(
                f"The partition key {key!r} is no stored column of the schema: [{listing(names)}]."
                + did_you_mean(key, names)
            )
    return tuple([names[key] for key in keys])


def _format(given: Any) -> str:
    name, formats = _text(given, "A format"), (*FORMATS, RAW)
    if name not in formats:
        raise TableException(
            f"There is no format {name!r} of files here; there are {listing(FORMATS)}, and 'raw' for a broker's bytes."
            + did_you_mean(name, formats)
        )
    return name


def _text(given: Any, what: str, *, empty: bool = False) -> str:
    if not isinstance(given, str) or not (given or empty):
        raise ValidationException(f"{what} must be a text, but is {given!r}.")
    return given


def _key(given: Any) -> str:
    return _text(given, "The name of an option")


def _value(key: Any, given: Any) -> str:
    if isinstance(given, bool):
        return str(given).lower()
    if not isinstance(given, (str, int, float)):
        raise ValidationException(
            f"The option {key!r} takes a text, a number or a truth value, but was given {given!r}."
        )
    return str(given)
