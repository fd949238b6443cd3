"""Tables whose rows are in files: what their description means, checked without Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, get_args

import attrs

from ir.cast_rules import plain_type
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.migration_page import Section, see
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import InlineSource
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import resolve_rows
from ir.schema import Column, ResolvedSchema
from ir.types import (
    ArrayType,
    BytesType,
    LogicalType,
    MapType,
    NullType,
    RowField,
    RowType,
    SpatialType,
    VariantType,
)
from tableapi.connectors import unsupported_connector
from tableapi.schema import ComputedColumn, MetadataColumn, PhysicalColumn, Schema
from tableapi.table_descriptor import Format, TableDescriptor

KIND: Final = "table of files"

# What a format cannot hold at any depth, found by writing and reading it with Spark; as CSV, bytes are written as text
# that reads back as other bytes.
_UNHOLDABLE: Final[dict[str, tuple[type[LogicalType], ...]]] = {
    "csv": (ArrayType, MapType, RowType, VariantType, SpatialType, NullType, BytesType),
    "json": (SpatialType,),
    "orc": (VariantType, SpatialType, NullType),
    "parquet": (),
}
_NO_KEYS: Final = (VariantType, SpatialType, NullType)
FORMATS: Final[tuple[str, ...]] = get_args(Format)
_OPTIONS: Final = ("connector", "path", "format")

# Flink's names of options of formats, with Spark's; every other name is Spark's own.
_FLINK_OPTIONS: Final[dict[str, dict[str, str]]] = {
    "csv": {
        "field-delimiter": "sep",
        "quote-character": "quote",
        "escape-character": "escape",
        "null-literal": "nullValue",
    },
    "json": {},
    "orc": {},
    "parquet": {"compression": "compression"},
}
# Options that would say once more what the description says elsewhere.
_OWN: Final = {"path": "the option 'path'", "partitionoverwritemode": "overwrite=True", "paths": "the option 'path'"}


@attrs.frozen(eq=False)
class FileTable:
    """A table of files.

    Attributes:
        format: csv, json, parquet or orc.
        path: the directory, None where the catalog chooses one.
        options: options of reading and writing by Spark's names.
        schema: the stored columns as they are declared; None where the query that is written decides.
        partition_keys: the columns that are directories.
        derived: further columns that Spark computes as it reads the files, each with its SQL.
        comment: what the table is.
    """

    format: str
    path: str | None
    options: Mapping[str, str]
    schema: ResolvedSchema | None
    partition_keys: tuple[str, ...]
    derived: tuple[tuple[Column, str], ...] = ()
    comment: str | None = None

    @property
    def source(self) -> InlineSource:
        """The operation that reads the files: the stored columns, then the derived ones, all of them nullable."""
        stored = () if self.schema is None else self.schema.columns
        columns = [Column(c.name, read_type(c.data_type), c.comment) for c in stored]
        return InlineSource(self, ResolvedSchema((*columns, *[column for column, _ in self.derived])), KIND)


def read_type(data_type: LogicalType) -> LogicalType:
    """Return the type that a stored column has when it is read: Spark takes nothing in files to be NOT NULL.

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
    """What a description means: the files, and the query that reads them with all computed columns."""

    files: FileTable
    operation: QueryOperation | None

    @property
    def schema(self) -> ResolvedSchema:
        """The columns that a query over the table has."""
        return ResolvedSchema(()) if self.operation is None else self.operation.schema


def declare(
    descriptor: TableDescriptor, name: str, lookup: FunctionLookup, sql_type: SqlTypes, *, needs_path: bool = True
) -> DeclaredTable:
    """Return what a description means.

    Args:
        descriptor: the description.
        name: what the table is called in messages.
        lookup: finds the functions in computed columns.
        sql_type: returns the type of SQL text over stored columns, as Spark sees it.
        needs_path: whether the description has to say where the files are.

    Raises:
        ValidationException: something in the description is missing or wrong; the message names it.
        TableException: the connector, the format or a type in the format is not supported.
    """
    if not isinstance(descriptor, TableDescriptor):
        raise ValidationException(
            f"A TableDescriptor is expected, but was given {descriptor!r}. Make one with "
            "TableDescriptor.for_connector('filesystem')."
        )
    format, options = _options(descriptor, name)
    path = descriptor.options.get("path")
    if path is None and needs_path:
        raise ValidationException(f"{at_start(name)} has no option 'path', which says where its files are.")
    if path is not None and not path.strip():
        raise ValidationException(f"The option 'path' of {name} is empty.")
    schema = descriptor.declared_schema
    if schema is None:
        return DeclaredTable(
            FileTable(format, path, options, None, descriptor.partition_keys, (), descriptor.comment), None
        )
    stored = ResolvedSchema(tuple([Column(c.name, c.data_type, c.comment) for c in schema.physical_columns]))
    _check_columns(stored, descriptor.partition_keys, format, name)
    derived = _derived(schema, stored, sql_type)
    files = FileTable(format, path, options, stored, descriptor.partition_keys, derived, descriptor.comment)
    return DeclaredTable(files, _with_computed_columns(schema, files.source, lookup))


def check_types(schema: ResolvedSchema, format: str, name: str) -> None:
    """Refuse columns of types that a format cannot hold.

    Raises:
        TableException: there is one.
    """
    for column in schema.columns:
        waiting = [column.data_type]
        while waiting:
            current = waiting.pop()
            empty_row = format == "parquet" and isinstance(current, RowType) and not current.fields
            mixed = format == "parquet" and isinstance(current, SpatialType) and current.srid is None
            if isinstance(current, _UNHOLDABLE[format]) or empty_row or mixed:
                which = " without fields" if empty_row else " of several systems of reference" if mixed else ""
                instead = "bytes, with ST_ASBINARY" if isinstance(current, SpatialType) else "text"
                raise TableException(
                    f"{at_start(name)} cannot have the column {column!r}: files of the format {format} hold no "
                    f"{current.root} values{which}. Use another format, or store the column as {instead}."
                )
            waiting.extend(current.children)


def _check_columns(stored: ResolvedSchema, keys: tuple[str, ...], format: str, name: str) -> None:
    if not stored.columns:
        raise ValidationException(f"The schema of {name} has no stored column.")
    if keys and len(set(map(fold, keys))) == len(stored):
        raise ValidationException(
            f"All columns of {name} are partition keys; at least one must be stored in the files."
        )
    folded = set(map(fold, keys))
    for key in keys:
        if stored.column(key).data_type.children or isinstance(stored.column(key).data_type, _NO_KEYS):
            raise ValidationException(
                f"The partition key {stored.column(key)!r} of {name} is of no type of single values."
            )
    inside = tuple([column for column in stored.columns if fold(column.name) not in folded])
    check_types(ResolvedSchema(inside), format, name)


def _options(descriptor: TableDescriptor, name: str) -> tuple[str, dict[str, str]]:
    given = dict(descriptor.options)
    connector = given.pop("connector", None)
    if connector != "filesystem":
        raise unsupported_connector(connector, at_start(name))
    format = given.pop("format", None)
    if format is None:
        raise ValidationException(f"{at_start(name)} has no format; call format(…) with one of {listing(FORMATS)}.")
    if format not in FORMATS:
        raise TableException(
            f"{at_start(name)} has the format {format!r}; supported are {listing(FORMATS)}."
            + did_you_mean(format, FORMATS)
        )
    given.pop("path", None)
    options: dict[str, str] = {}
    for key, value in given.items():
        prefix, dot, rest = key.partition(".")
        if not dot or prefix != format:
            raise _no_option(key, f"{at_start(name)} has the option {key!r}, which is not supported", format)
        options[_spark_option(format, rest, name)] = value
    return format, options


def refuse_option(key: str) -> None:
    """Refuse an option that no table of files has, whatever its format.

    Raises:
        TableException: it is such an option.
    """
    prefix, dot, _ = key.partition(".")
    if key not in _OPTIONS if not dot else prefix not in FORMATS:
        raise _no_option(key, f"The option {key!r} is not supported", "csv")


def _no_option(key: str, problem: str, format: str) -> TableException:
    example = f"{format}.{'header' if format == 'csv' else 'compression'}"
    return TableException(
        f"{problem}: options are connector, path, format and those of the format, such as {example!r}."
        + (_reason(key) or did_you_mean(key, _OPTIONS))
    )


def at_start(name: str) -> str:
    """Return what something is called, as a sentence begins with it."""
    return name[:1].upper() + name[1:]


def _reason(key: str) -> str:
    if key.startswith(("sink.", "source.", "auto-compaction", "compaction.", "scan.", "lookup.")):
        return f" It is for streams; in batch all files are read, and written at once.{see(Section.STREAMS)}"
    return ""


def _spark_option(format: str, key: str, name: str) -> str:
    if fold(key) in _OWN:
        raise ValidationException(
            f"{at_start(name)} has the option '{format}.{key}'; that is said by {_OWN[fold(key)]}."
        )
    known = _FLINK_OPTIONS[format]
    if key in known:
        return known[key]
    if "-" in key:
        raise TableException(
            f"{at_start(name)} has the option '{format}.{key}', which is not supported. Of Flink's options there are "
            f"[{listing(known)}]; further ones are Spark's, such as "
            f"'{'header' if format == 'csv' else 'compression'}'." + did_you_mean(key, known)
        )
    return key


def _derived(schema: Schema, stored: ResolvedSchema, sql_type: SqlTypes) -> tuple[tuple[Column, str], ...]:
    found: list[tuple[Column, str]] = []
    for column in schema.columns:
        if isinstance(column, MetadataColumn):
            data_type = read_type(column.data_type)
            text = f"CAST(`_metadata`.`{column.key}` AS {data_type.as_serializable_string()})"
            found.append((Column(column.name, data_type, column.comment), text))
        elif isinstance(column, ComputedColumn) and isinstance(column.expression, str):
            text = f"({column.expression}\n)"
            found.append((Column(column.name, sql_type(stored, text).as_nullable(), column.comment), text))
    return tuple(found)


def _with_computed_columns(schema: Schema, source: InlineSource, lookup: FunctionLookup) -> QueryOperation:
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
