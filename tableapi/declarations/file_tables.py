"""File tables: checks of their descriptors without Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from ir import light_attrs as attrs
from ir.cast_rules import plain_type
from ir.errors import TableException, ValidationException, listing
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import InlineSource, StreamRead
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import resolve_rows
from ir.schema import Column, ResolvedSchema
from ir.types import (
    ArrayType,
    BytesType,
    CharacterType,
    DayTimeIntervalType,
    LogicalType,
    MapType,
    NullType,
    RowField,
    RowType,
    SpatialType,
    TimeType,
    VariantType,
    YearMonthIntervalType,
)
from tableapi.declarations.declared_columns import FILE_METADATA_KEYS, ComputedColumn, MetadataColumn, PhysicalColumn
from tableapi.declarations.file_options import STREAMING, capitalize, options_of_files
from tableapi.schema import Schema
from tableapi.table_descriptor import TableDescriptor

KIND: Final = "table of files"

# The types that a format cannot store at any depth, determined by writing and reading with Spark. CSV writes bytes as
# text that reads back as different bytes.
_UNHOLDABLE: Final[dict[str, tuple[type[LogicalType], ...]]] = {
    "csv": (ArrayType, MapType, RowType, VariantType, SpatialType, NullType, BytesType),
    "json": (SpatialType,),
    "orc": (VariantType, SpatialType, NullType),
    "parquet": (),
    "text": (),
    "xml": (VariantType, SpatialType, YearMonthIntervalType, DayTimeIntervalType, TimeType),
    # Nobody has measured Avro, whose jar PySpark lacks; Spark itself reports further types.
    "avro": (SpatialType, NullType),
}
_NO_KEYS: Final = (VariantType, SpatialType, NullType)


@attrs.frozen(eq=False)
class FileTable:
    """A file table: a table with rows in files.

    Attributes:
        format: the format of the files.
        path: the directory, None if the catalog chooses it.
        options: options for reading and writing, by Spark's names.
        schema: the declared stored columns; None if the written query determines them.
        partition_keys: the columns that partition the files into directories.
        derived: further columns that Spark computes when it reads the files, each with its SQL.
        comment: the comment of the table.
        is_stream: whether the files are followed, so that the rows do not end.
    """

    format: str
    path: str | None
    options: Mapping[str, str]
    schema: ResolvedSchema | None
    partition_keys: tuple[str, ...]
    derived: tuple[tuple[Column, str], ...] = ()
    comment: str | None = None
    is_stream: bool = False

    is_external: ClassVar[bool] = False
    """Whether another system keeps the rows, so that there are no files."""
    keeper: ClassVar[str | None] = None
    """What the table is, if only a catalog in memory keeps it: its rows are computed from what another system has."""
    can_overwrite: ClassVar[bool] = True
    """Whether new rows can replace the old ones."""

    @property
    def place(self) -> object:
        """The identity of the stored rows: the path of the files."""
        return self.path

    @property
    def stored_options(self) -> Mapping[str, str]:
        """The options in the statement that creates the table."""
        return {**self.options, STREAMING: "true"} if self.is_stream else self.options

    def require_writable(self) -> None:
        """Reject a table to which nothing can be written; tables of files can be."""

    @property
    def source(self) -> InlineSource:
        """The operation that reads the files: the stored columns, then the derived columns, all nullable."""
        stored = () if self.schema is None else self.schema.columns
        columns = [Column(c.name, read_type(c.data_type), c.comment) for c in stored]
        return InlineSource(
            self, ResolvedSchema((*columns, *[column for column, _ in self.derived])), KIND, self.stream
        )

    @property
    def stream(self) -> StreamRead | None:
        """How the rows are read if they do not end."""
        return StreamRead(is_declared=True) if self.is_stream else None


def read_type(data_type: LogicalType) -> LogicalType:
    """Return the type of a stored column when it is read: Spark treats all data in files as nullable.

    >>> from ir.types import INT
    >>> read_type(ArrayType(INT.not_null(), nullable=False))
    ARRAY<INT>
    """
    match data_type:
        case ArrayType():
            return ArrayType(read_type(data_type.element))
        case MapType():
            return MapType(read_type(data_type.key), read_type(data_type.value))
        case RowType():
            return RowType(tuple([RowField(f.name, read_type(f.data_type), f.description) for f in data_type.fields]))
    return plain_type(data_type).as_nullable()


SqlTypes = Callable[[ResolvedSchema, str], LogicalType]


@attrs.frozen(eq=False)
class DeclaredTable:
    """The files of a table, and the query that reads them with all computed columns."""

    files: FileTable
    operation: QueryOperation | None

    @property
    def schema(self) -> ResolvedSchema:
        """The columns of a query over the table."""
        return ResolvedSchema(()) if self.operation is None else self.operation.schema


def require_descriptor(descriptor: object) -> TableDescriptor:
    """Return a table descriptor; reject anything else.

    Raises:
        ValidationException: the object is not a table descriptor.
    """
    if not isinstance(descriptor, TableDescriptor):
        raise ValidationException(
            f"A TableDescriptor is expected, but was given {descriptor!r}. Make one with "
            "TableDescriptor.for_connector('filesystem')."
        )
    return descriptor


def needs_statement(descriptor: object) -> bool:
    """Whether a descriptor needs a CREATE TABLE statement, because only Spark's catalogs support its declarations."""
    return isinstance(descriptor, TableDescriptor) and (
        descriptor.is_of_table_format
        or bool(descriptor.clustering_columns)
        or descriptor.buckets is not None
        or (descriptor.declared_schema is not None and descriptor.declared_schema.has_rules)
    )


def refuse_table_format(descriptor: TableDescriptor, name: str) -> None:
    """Reject a table of a table format, whose rows a catalog of Spark finds.

    Raises:
        TableException: the descriptor is of a table format.
    """
    if descriptor.is_of_table_format:
        kind, path = descriptor.options["connector"], descriptor.options.get("path", "/path")
        raise TableException(
            f"{capitalize(name)} is of the table format {kind!r}, and only catalogs of Spark find the rows of such a "
            f"table. Create it in one, with create_table or CREATE TABLE … USING {kind}; or read its files by their "
            f"path: te.from_path('{kind}.`{path}`')."
        )


def refuse_rules(descriptor: TableDescriptor, name: str) -> None:
    """Reject defaults, generated columns and constraints, which files and connectors do not have.

    Raises:
        TableException: the schema has one.
    """
    if descriptor.declared_schema is not None and descriptor.declared_schema.has_rules:
        raise TableException(
            f"{capitalize(name)} has defaults, generated columns or constraints, which only tables in a catalog of "
            "Spark have. Create it there with create_table, in a format that has them, such as Delta Lake; or leave "
            "them out."
        )


def declare(
    descriptor: TableDescriptor,
    name: str,
    lookup: FunctionLookup,
    sql_type: SqlTypes,
    *,
    needs_path: bool = True,
    is_stream: bool = False,
) -> DeclaredTable:
    """Check the descriptor of a table of files, and return the table that it declares.

    Args:
        descriptor: the descriptor.
        name: the name of the table in messages.
        lookup: finds the functions in computed columns.
        sql_type: returns Spark's type of an SQL expression over the stored columns.
        needs_path: whether the descriptor must have a path.
        is_stream: whether the files are followed.

    Raises:
        ValidationException: a part of the descriptor is missing or invalid; the message names it.
        TableException: the connector, the format or a type in the format is not supported.
    """
    require_descriptor(descriptor)
    format, options = options_of_files(descriptor.options, name)
    path = descriptor.options.get("path")
    if path is None and needs_path:
        raise ValidationException(
            f"{capitalize(name)} has no option 'path', which says where its files are.", option_value="connector"
        )
    if path is not None and not path.strip():
        raise ValidationException(f"The option 'path' of {name} is empty.", option_value="path")
    schema = descriptor.declared_schema
    if schema is None:
        return DeclaredTable(
            FileTable(format, path, options, None, descriptor.partition_keys, (), descriptor.comment, is_stream), None
        )
    stored = ResolvedSchema(tuple([Column(c.name, c.data_type, c.comment) for c in schema.physical_columns]))
    _check_columns(stored, descriptor.partition_keys, format, name)
    derived = derive_columns(schema, stored, sql_type)
    files = FileTable(format, path, options, stored, descriptor.partition_keys, derived, descriptor.comment, is_stream)
    return DeclaredTable(files, add_computed_columns(schema, files.source, lookup))


def check_types(schema: ResolvedSchema, format: str, name: str, holder: str | None = None) -> None:
    """Reject columns of types that a format cannot store.

    Args:
        schema: the columns.
        format: the format.
        name: the name of the table in messages.
        holder: what stores the values, in messages; by default, files of the format.

    Raises:
        TableException: a column has such a type.
    """
    for column in schema.columns:
        waiting = [column.data_type]
        while waiting:
            current = waiting.pop()
            empty_row = format == "parquet" and isinstance(current, RowType) and not current.fields
            mixed = format == "parquet" and isinstance(current, SpatialType) and current.srid is None
            if isinstance(current, _UNHOLDABLE[format]) or empty_row or mixed or _is_unholdable_in_xml(current, format):
                which = " without fields" if empty_row else " of several systems of reference" if mixed else ""
                instead = "bytes, with ST_ASBINARY" if isinstance(current, SpatialType) else "text"
                holds = holder or f"files of the format {format}"
                raise TableException(
                    f"{capitalize(name)} cannot have the column {column!r}: {holds} hold no {current.root} "
                    f"values{which}. Use another format, or store the column as {instead}."
                )
            waiting.extend(current.children)


def _is_unholdable_in_xml(data_type: LogicalType, format: str) -> bool:
    """Whether XML has no element for a type: a map whose keys are not names, or an array of arrays."""
    if format != "xml":
        return False
    if isinstance(data_type, MapType):
        return not isinstance(data_type.key, CharacterType)
    return isinstance(data_type, ArrayType) and isinstance(data_type.element, ArrayType)


def _check_columns(stored: ResolvedSchema, keys: tuple[str, ...], format: str, name: str) -> None:
    if not stored.columns:
        raise ValidationException(f"The schema of {name} has no stored column.")
    if keys and len(set(map(fold, keys))) == len(stored):
        raise ValidationException(
            f"All columns of {name} are partition keys; at least one must be stored in the files."
        )
    folded = set(map(fold, keys))
    _check_text(stored, folded, format, name)
    for key in keys:
        if stored.column(key).data_type.children or isinstance(stored.column(key).data_type, _NO_KEYS):
            raise ValidationException(
                f"The partition key {stored.column(key)!r} of {name} is of no type of single values."
            )
    inside = tuple([column for column in stored.columns if fold(column.name) not in folded])
    check_types(ResolvedSchema(inside), format, name)


def _check_text(stored: ResolvedSchema, keys: set[str], format: str, name: str) -> None:
    """Reject a table of text that has not exactly one column of strings, the lines."""
    if format != "text":
        return
    lines = [column for column in stored.columns if fold(column.name) not in keys]
    if len(lines) != 1 or not isinstance(lines[0].data_type, CharacterType):
        raise TableException(
            f"{capitalize(name)} has the columns {ResolvedSchema(tuple(lines))!r}; files of the format text have one "
            "column of type STRING, which holds the lines."
        )


def derive_columns(schema: Schema, stored: ResolvedSchema, sql_type: SqlTypes) -> tuple[tuple[Column, str], ...]:
    """Return the columns that Spark computes from the stored columns or from facts about the files, with their SQL."""
    found: list[tuple[Column, str]] = []
    for column in schema.columns:
        if isinstance(column, MetadataColumn):
            if column.key not in FILE_METADATA_KEYS:
                raise TableException(
                    f"The column {column.name!r} asks for the metadata {column.key!r}, which rows of files do not "
                    f"have. They have {listing(FILE_METADATA_KEYS)}."
                )
            data_type = read_type(column.data_type)
            text = f"CAST(`_metadata`.`{column.key}` AS {data_type.as_serializable_string()})"
            found.append((Column(column.name, data_type, column.comment), text))
        elif isinstance(column, ComputedColumn) and isinstance(column.expression, str):
            text = f"({column.expression}\n)"
            found.append((Column(column.name, sql_type(stored, text).as_nullable(), column.comment), text))
    return tuple(found)


def add_computed_columns(schema: Schema, source: QueryOperation, lookup: FunctionLookup) -> QueryOperation:
    """Return the query that computes the columns of a schema over the stored columns.

    Args:
        schema: the columns.
        source: the operation that has the stored columns, and those that Spark computes.
        lookup: finds the functions in computed columns.

    Raises:
        ValidationException: an expression is invalid.
    """
    expressions: list[ResolvedExpression] = []
    for column in schema.columns:
        if isinstance(column, (PhysicalColumn, MetadataColumn)) or isinstance(column.expression, str):
            found = source.schema.column(column.name)
            index = source.schema.columns.index(found)
            expressions.append(FieldReference(found.name, found.data_type, 0, index))
        else:
            (resolved,), _ = resolve_rows(source, [column.expression], lookup, f"The computed column {column.name!r}")
            expressions.append(resolved)
    return project(source, tuple(expressions), tuple([column.name for column in schema.columns]))
