"""Tables of a broker's records: the columns in key and value, the metadata, and the records that cannot be read.

A connector describes its records by a ``RecordShape``. ``read_records`` returns the query that reads them as the
declared columns, and ``write_records`` the columns that the connector's sink gets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ir import light_attrs as attrs
from ir.calls import call
from ir.casts import differ_at_most_in_nullability
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.expressions import Expression, FieldReference, ResolvedExpression, TypeLiteral
from ir.functions.comparison import IS_NOT_NULL, IS_NULL
from ir.functions.context import RAISE_ERROR
from ir.functions.conversion import CAST
from ir.functions.let_bindings import bind_value
from ir.functions.logic import AND, CASE, OR
from ir.functions.numerals import HEX
from ir.functions.string import CONCAT, LEFT, SUBSTRING
from ir.functions.text_encoding import IS_VALID_UTF8
from ir.literals import literal
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.resolution.lookup import FunctionLookup
from ir.schema import Column, ResolvedSchema
from ir.types import STRING, LogicalType
from tableapi.declarations.declared_columns import ComputedColumn, MetadataColumn, PhysicalColumn
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.file_tables import add_computed_columns, read_type
from tableapi.declarations.record_names import ON_ERROR
from tableapi.declarations.record_options import FAIL, KEEP, SKIP, Part, RecordFormats
from tableapi.declarations.value_reading import field, read_value
from tableapi.declarations.value_writing import write_value
from tableapi.schema import Schema

ERROR: Final = "error"
"""The metadata of an unreadable record: why it cannot be read; NULL for the other records."""
_VALUE_ROW: Final = "__tableapi_value"
_KEY_ROW: Final = "__tableapi_key"
_SHOWN_BYTES: Final = 100

Read = Callable[[Callable[[str], ResolvedExpression], LogicalType], ResolvedExpression]
"""Returns metadata as a type, from a function that returns the columns of the source by name."""
Write = Callable[[ResolvedExpression], ResolvedExpression]
"""Returns what the sink gets for metadata."""


def read_column(name: str) -> Read:
    """Return the reader of metadata that is a column of the source, cast to the declared type."""

    return lambda column, data_type: _cast(column(name), data_type)


def write_as(data_type: LogicalType) -> Write:
    """Return the writer of metadata that the sink takes as a type."""
    return lambda value: _cast(value, data_type)


def _cast(value: ResolvedExpression, data_type: LogicalType) -> ResolvedExpression:
    if differ_at_most_in_nullability(value.data_type, data_type):
        return value
    return call(CAST, (value, TypeLiteral(data_type)))


@attrs.frozen
class Metadata:
    """Metadata of a record.

    Attributes:
        read: returns it as the declared type.
        written_as: the column of the sink; None if it is only read.
        write: returns what the sink gets.
    """

    read: Read
    written_as: str | None = None
    write: Write = attrs.field(factory=lambda: write_as(STRING))


@attrs.frozen
class RecordShape:
    """The records of a connector.

    Attributes:
        columns: the columns of the source: the bytes of the records, and the columns that identify a record.
        metadata: the metadata by its name in METADATA FROM; ``error`` is added to it.
        position: the columns that name a record in messages.
        key: the column of the key, by its name in source and sink; None if records have no key.
        value: the column of the value.
    """

    columns: ResolvedSchema
    metadata: Mapping[str, Metadata]
    position: tuple[str, ...]
    key: str | None = "key"
    value: str = "value"


# --- checks -----------------------------------------------------------------------------------------------------------


def check_metadata(schema: Schema, shape: RecordShape, formats: RecordFormats, name: str) -> None:
    """Check the metadata columns of a schema.

    Raises:
        TableException: records have no such metadata; the message suggests the nearest name.
        ValidationException: unreadable records are kept, and no column tells which they are.
    """
    known = (*shape.metadata, ERROR)
    keys = [column.key for column in schema.columns if isinstance(column, MetadataColumn)]
    for key in keys:
        if key not in known:
            raise TableException(
                f"{capitalize(name)} asks for the metadata {key!r}; its records have [{listing(known)}]."
                + did_you_mean(key, known)
            )
    if formats.on_error == KEEP and ERROR not in keys:
        raise ValidationException(
            f"{capitalize(name)} has {ON_ERROR!r} = {KEEP!r}, and no column says which records are unreadable: they "
            f"would look like rows of NULLs. Declare one: problem STRING METADATA FROM {ERROR!r} VIRTUAL."
        )
    if formats.on_error != KEEP and ERROR in keys:
        raise ValidationException(
            f"{capitalize(name)} has the metadata {ERROR!r}, which is NULL for each row unless unreadable records are "
            f"kept: {ON_ERROR!r} = {KEEP!r}."
        )


def writable_columns(schema: Schema) -> ResolvedSchema:
    """Return the columns that an INSERT fills: the stored ones, and metadata that is not VIRTUAL."""
    found = [
        Column(column.name, column.data_type, column.comment)
        for column in schema.columns
        if isinstance(column, PhysicalColumn) or (isinstance(column, MetadataColumn) and not column.is_virtual)
    ]
    return ResolvedSchema(tuple(found))


# --- reading ----------------------------------------------------------------------------------------------------------


def read_records(
    schema: Schema,
    source: QueryOperation,
    shape: RecordShape,
    formats: RecordFormats,
    lookup: FunctionLookup,
    parse: Callable[[str], Expression],
    name: str,
) -> QueryOperation:
    """Return the query that reads records as the declared columns.

    Args:
        schema: the declared schema, which ``check_metadata`` has accepted.
        source: the operation that reads the columns of ``shape``.
        shape: the records of the connector.
        formats: the formats of the records.
        lookup: finds the functions in computed columns.
        parse: reads a computed column that is given as SQL.
        name: the name of the table in messages.

    Raises:
        ValidationException: a computed column is invalid, or metadata cannot be cast to its declared type.
    """
    reader = _Reader(source, shape, formats, name)
    read = reader.read(schema)
    computed = [attrs.evolve(column, expression=_parsed(column, parse)) for column in _computed_columns(schema)]
    if not computed:
        return read
    by_name = {column.name: column for column in computed}
    whole = attrs.evolve(schema, columns=tuple([by_name.get(column.name, column) for column in schema.columns]))
    return add_computed_columns(whole, read, lookup)


def _computed_columns(schema: Schema) -> list[ComputedColumn]:
    return [column for column in schema.columns if isinstance(column, ComputedColumn)]


def _parsed(column: ComputedColumn, parse: Callable[[str], Expression]) -> Expression:
    return parse(column.expression) if isinstance(column.expression, str) else column.expression


class _Reader:
    """Reads key and value of each record once, in one projection, and takes the columns from them in the next one."""

    def __init__(self, source: QueryOperation, shape: RecordShape, formats: RecordFormats, name: str) -> None:
        self._source = source
        self._shape = shape
        self._formats = formats
        self._name = name

    def read(self, schema: Schema) -> QueryOperation:
        """Return the query with the stored and the metadata columns of a schema."""
        shape, formats = self._shape, self._formats
        rows = [(_VALUE_ROW, shape.value, formats.value)]
        # The columns in both are read from the value.
        if formats.key is not None and not set(formats.key.names) <= set(formats.value.names):
            assert shape.key is not None
            rows.append((_KEY_ROW, shape.key, formats.key))
        expressions = [self._column(column.name) for column in shape.columns.columns]
        expressions += [self._row(bytes_column, part) for _, bytes_column, part in rows]
        names = (*shape.columns.names, *[row for row, _, _ in rows])
        read: QueryOperation = project(self._source, tuple(expressions), names)
        if formats.on_error == SKIP:
            read = Filter(read, _all([self._is_readable(read, row, column) for row, column, _ in rows]))
        return self._columns(schema, read, rows)

    def _column(self, name: str, read: QueryOperation | None = None) -> ResolvedExpression:
        schema = self._source.schema if read is None else read.schema
        column = schema.column(name)
        return FieldReference(column.name, column.data_type, 0, schema.columns.index(column))

    def _row(self, bytes_column: str, part: Part) -> ResolvedExpression:
        value = self._column(bytes_column)
        row = read_value(part.format, value, part.columns)
        if self._formats.on_error != FAIL:
            return row

        def use(found: ResolvedExpression) -> ResolvedExpression:
            is_broken = call(AND, (call(IS_NULL, (found,)), call(IS_NOT_NULL, (value,))))
            return call(CASE, (is_broken, call(RAISE_ERROR, (self._describe_failure(bytes_column, part),)), found))

        return bind_value(row, use, "row")

    def _describe_failure(self, bytes_column: str, part: Part) -> ResolvedExpression:
        """Return the message about an unreadable record: where it is, and the first of its bytes."""
        value = self._column(bytes_column)
        text = call(CAST, (value, TypeLiteral(STRING)))
        where: list[ResolvedExpression] = []
        for number, name in enumerate(self._shape.position):
            where += [
                literal(f"{', ' if number else ''}{name} "),
                call(CAST, (self._column(name), TypeLiteral(STRING))),
            ]
        as_digits = call(
            CONCAT,
            (
                literal("X'"),
                call(HEX, (call(SUBSTRING, (value, literal(1), literal(_SHOWN_BYTES // 2))),)),
                literal("'"),
            ),
        )
        shown = call(CASE, (call(IS_VALID_UTF8, (text,)), call(LEFT, (text, literal(_SHOWN_BYTES))), as_digits))
        return call(
            CONCAT,
            (
                literal(
                    f"The {bytes_column} of a record of {self._name} is not of the format {part.format.name} and the "
                    "declared columns, at "
                ),
                *where,
                literal(": "),
                shown,
                literal(
                    f". Leave such records out with the option '{ON_ERROR}' = '{SKIP}', or keep them with '{KEEP}'."
                ),
            ),
        )

    def _is_readable(self, read: QueryOperation, row: str, bytes_column: str) -> ResolvedExpression:
        return call(
            OR,
            (call(IS_NOT_NULL, (self._column(row, read),)), call(IS_NULL, (self._column(bytes_column, read),))),
        )

    def _columns(self, schema: Schema, read: QueryOperation, rows: Sequence[tuple[str, str, Part]]) -> QueryOperation:
        expressions: list[ResolvedExpression] = []
        names: list[str] = []
        for column in schema.columns:
            if isinstance(column, PhysicalColumn):
                row, inside = self._place(column.name, rows)
                expressions.append(field(self._column(row, read), inside))
            elif isinstance(column, MetadataColumn):
                expressions.append(self._metadata(column, read, rows))
            else:
                continue
            names.append(column.name)
        return project(read, tuple(expressions), tuple(names))

    @staticmethod
    def _place(name: str, rows: Sequence[tuple[str, str, Part]]) -> tuple[str, str]:
        """Return the row that has a column, and the name of the column in it."""
        for row, _, part in rows:
            if name in part.names:
                return row, part.columns[part.names.index(name)].name
        raise AssertionError(name)

    def _metadata(
        self, column: MetadataColumn, read: QueryOperation, rows: Sequence[tuple[str, str, Part]]
    ) -> ResolvedExpression:
        data_type = read_type(column.data_type)
        if column.key == ERROR:
            return _cast(self._error(read, rows), data_type)
        try:
            return self._shape.metadata[column.key].read(lambda name: self._column(name, read), data_type)
        except ValidationException as error:
            raise ValidationException(
                f"The column {column!r} of {self._name} cannot have the metadata {column.key!r}: {error}"
            ) from None

    def _error(self, read: QueryOperation, rows: Sequence[tuple[str, str, Part]]) -> ResolvedExpression:
        branches: list[ResolvedExpression] = []
        for row, bytes_column, part in rows:
            is_broken = _all(
                [
                    call(IS_NULL, (self._column(row, read),)),
                    call(IS_NOT_NULL, (self._column(bytes_column, read),)),
                ]
            )
            words = f"The {bytes_column} is not of the format {part.format.name} and the declared columns."
            branches += [is_broken, literal(words)]
        return call(CASE, branches)


def _all(conditions: Sequence[ResolvedExpression]) -> ResolvedExpression:
    return conditions[0] if len(conditions) == 1 else call(AND, tuple(conditions))


# --- writing ----------------------------------------------------------------------------------------------------------


def write_records(
    schema: Schema, shape: RecordShape, formats: RecordFormats, name: str
) -> tuple[tuple[str, ResolvedExpression], ...]:
    """Return the columns that the sink of a connector gets, over the columns of ``writable_columns``.

    Raises:
        TableException: a metadata column that is not VIRTUAL cannot be written.
    """
    writable = writable_columns(schema)

    def column(name: str) -> ResolvedExpression:
        found = writable.column(name)
        return FieldReference(found.name, read_type(found.data_type), 0, writable.columns.index(found))

    def part(given: Part) -> ResolvedExpression:
        fields = [(inside.name, column(name)) for inside, name in zip(given.columns, given.names, strict=True)]
        return write_value(given.format, fields)

    made: list[tuple[str, ResolvedExpression]] = []
    if formats.key is not None:
        assert shape.key is not None
        made.append((shape.key, part(formats.key)))
    made.append((shape.value, part(formats.value)))
    for metadata in schema.columns:
        if not isinstance(metadata, MetadataColumn) or metadata.is_virtual:
            continue
        known = shape.metadata.get(metadata.key)
        target = None if known is None else known.written_as
        if known is None or target is None or target in dict(made):
            others = sorted(key for key, each in shape.metadata.items() if each.written_as is not None)
            raise TableException(
                f"{capitalize(name)} cannot be written to: Spark's sink does not take the metadata {metadata.key!r} of "
                f"the column {metadata.name!r}. It takes [{listing(others)}]. Declare the column VIRTUAL."
            )
        made.append((target, known.write(column(metadata.name))))
    return tuple(made)
