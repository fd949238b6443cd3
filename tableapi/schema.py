"""Declared schemas: columns, computed columns and constraints of tables that are not made yet."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import attrs

from ir.errors import FunctionNotExistException, TableException, ValidationException, did_you_mean, listing
from ir.expressions import Expression as Unresolved
from ir.identifiers import NameMap, ObjectIdentifier, fold, quote
from ir.schema import Column, ResolvedSchema
from ir.types import LocalZonedTimestampType, LogicalType, RowType, TimestampType
from tableapi.declarations.schema_columns import column_type, columns_of
from tableapi.expression import Expression, unwrap
from tableapi.lazy import lazy
from tableapi.tracebacks import boundaries
from tableapi.types import DataType

if TYPE_CHECKING:
    from ir import implicit_notices
    from ir.operations import source
    from ir.resolution import lookup, operations
    from tableapi.declarations.schema_columns import ColumnsLike

    Columns: TypeAlias = "Schema | ColumnsLike"
else:
    implicit_notices = lazy(__name__, "ir.implicit_notices")
    source = lazy(__name__, "ir.operations.source")
    lookup = lazy(__name__, "ir.resolution.lookup")
    operations = lazy(__name__, "ir.resolution.operations")

__all__ = ["Schema"]


@attrs.frozen
class PhysicalColumn:
    """A column that is stored."""

    name: str
    data_type: LogicalType
    comment: str | None = None

    def __repr__(self) -> str:
        return f"{quote(self.name)} {self.data_type.as_summary_string()}"


@attrs.frozen
class ComputedColumn:
    """A column that is computed of the stored ones whenever the table is read; ``expression`` may be SQL text."""

    name: str
    expression: Unresolved | str
    comment: str | None = None

    def __repr__(self) -> str:
        shown = self.expression if isinstance(self.expression, str) else repr(Expression(self.expression))
        return f"{quote(self.name)} AS {shown}"


@attrs.frozen
class MetadataColumn:
    """A column that says something of where a row comes from: the path, name or size of its file."""

    name: str
    data_type: LogicalType
    key: str
    comment: str | None = None

    def __repr__(self) -> str:
        return f"{quote(self.name)} {self.data_type.as_summary_string()} METADATA FROM {self.key!r} VIRTUAL"


SchemaColumn = PhysicalColumn | ComputedColumn | MetadataColumn

MetadataKey = Literal[
    "file_path",
    "file_name",
    "file_size",
    "file_block_start",
    "file_block_length",
    "file_modification_time",
]
METADATA_KEYS: tuple[str, ...] = get_args(MetadataKey)
"""The metadata of a row that is read from a file: the fields of Spark's ``_metadata``."""


@boundaries
@attrs.frozen(repr=False)
class Schema:
    """The columns of a table as they are declared; made with ``Schema.new_builder()``.

    A watermark and a primary key are kept with the schema and have no effect in batch: Spark's tables enforce neither.

    >>> Schema.new_builder().column("id", "INT NOT NULL").column("price", "DECIMAL(8, 2)").build()
    (
      `id` INT NOT NULL,
      `price` DECIMAL(8, 2)
    )
    """

    columns: tuple[SchemaColumn, ...] = ()
    primary_key_columns: tuple[str, ...] = ()
    primary_key_name: str | None = None
    watermarks: tuple[tuple[str, Unresolved | str], ...] = ()

    @staticmethod
    def new_builder() -> Schema.Builder:
        """Return a builder of a schema."""
        return Schema.Builder()

    @staticmethod
    def of(columns: Columns) -> Schema:
        """Return the schema of stored columns.

        >>> Schema.of({"id": "INT NOT NULL", "price": "DECIMAL(8, 2)"})
        (
          `id` INT NOT NULL,
          `price` DECIMAL(8, 2)
        )

        Args:
            columns: names with types, which may be text; one text of all columns; a ROW type; a schema of Arrow or of
                PySpark; or a schema, which is returned.

        Raises:
            SqlParserException: the text of a type cannot be read; the message names the column.
            ValidationException: it is something else, or two columns have the same name.
        """
        if isinstance(columns, Schema):
            return columns
        made = Schema.new_builder()
        made._add(*[PhysicalColumn(c.name, c.data_type, c.comment) for c in columns_of(columns)])
        return made.build()

    @property
    def physical_columns(self) -> tuple[PhysicalColumn, ...]:
        """The columns that are stored."""
        return tuple([column for column in self.columns if isinstance(column, PhysicalColumn)])

    def __repr__(self) -> str:
        lines = [repr(column) for column in self.columns]
        for column, expression in self.watermarks:
            shown = expression if isinstance(expression, str) else repr(Expression(expression))
            lines.append(f"WATERMARK FOR {quote(column)} AS {shown}")
        if self.primary_key_columns:
            name = f"CONSTRAINT {quote(self.primary_key_name)} " if self.primary_key_name else ""
            lines.append(f"{name}PRIMARY KEY ({', '.join(map(quote, self.primary_key_columns))}) NOT ENFORCED")
        return "(\n  " + ",\n  ".join(lines) + "\n)" if lines else "()"

    @boundaries
    class Builder:
        """Collects the columns of a schema; every method returns the builder."""

        def __init__(self) -> None:
            self._columns: NameMap[SchemaColumn] = NameMap()
            self._key: tuple[str, ...] = ()
            self._key_name: str | None = None
            self._watermarks: list[tuple[str, Unresolved | str]] = []

        def from_schema(self, unresolved_schema: Schema) -> Schema.Builder:
            """Add everything that another schema declares.

            Raises:
                ValidationException: it is no schema, or has what is there already.
            """
            if not isinstance(unresolved_schema, Schema):
                raise ValidationException(f"from_schema takes a Schema, but was given {unresolved_schema!r}.")
            self._add(*unresolved_schema.columns)
            for name, expression in unresolved_schema.watermarks:
                self._set_watermark(name, expression)
            if unresolved_schema.primary_key_columns:
                self._set_key(unresolved_schema.primary_key_columns, unresolved_schema.primary_key_name)
            return self

        def from_resolved_schema(self, resolved_schema: ResolvedSchema) -> Schema.Builder:
            """Add the columns that a table has.

            Raises:
                ValidationException: it is no schema of a table, or a column is there already.
            """
            if not isinstance(resolved_schema, ResolvedSchema):
                raise ValidationException(
                    "from_resolved_schema takes the schema of a table, as in table.get_resolved_schema(), but was "
                    f"given {resolved_schema!r}."
                )
            return self._add(*[PhysicalColumn(c.name, c.data_type, c.comment) for c in resolved_schema.columns])

        def from_row_data_type(self, data_type: DataType) -> Schema.Builder:
            """Add the fields of a ROW type as columns.

            Raises:
                ValidationException: it is another type, or a column is there already.
            """
            if not isinstance(data_type, RowType):
                raise ValidationException(f"from_row_data_type takes a ROW type, but was given {data_type!r}.")
            return self._add(*[PhysicalColumn(f.name, f.data_type, f.description) for f in data_type.fields])

        def from_fields(self, field_names: Sequence[str], field_data_types: Sequence[DataType]) -> Schema.Builder:
            """Add columns by their names and types.

            Raises:
                ValidationException: there are more of the one than of the other, or a column is there already.
            """
            for given in (field_names, field_data_types):
                if isinstance(given, str) or not isinstance(given, Sequence):
                    raise ValidationException(
                        f"from_fields takes a list of names and a list of types, but was given {given!r}."
                    )
            if len(field_names) != len(field_data_types):
                raise ValidationException(
                    f"from_fields takes as many types as names, but was given {len(field_names)} names and "
                    f"{len(field_data_types)} types."
                )
            for name, data_type in zip(field_names, field_data_types, strict=True):
                self.column(name, data_type)
            return self

        def column(self, column_name: str, data_type: str | DataType) -> Schema.Builder:
            """Add a column that is stored.

            Args:
                column_name: its name.
                data_type: its type, or the text of one, such as ``"DECIMAL(10, 2) NOT NULL"``.

            Raises:
                SqlParserException: the text is no type; the message has the position.
                ValidationException: the name or the type is not one, or there is a column of the name.
            """
            return self._add(PhysicalColumn(_name(column_name), column_type(data_type, column_name)))

        def column_by_expression(self, column_name: str, expr: str | Expression[Any]) -> Schema.Builder:
            """Add a column that is computed of the stored ones whenever the table is read.

            Args:
                column_name: its name.
                expr: an expression, or SQL text, for which the Spark session has to run.

            Raises:
                ValidationException: it is neither, or there is a column of the name.
            """
            return self._add(ComputedColumn(_name(column_name), _expression(expr, column_name)))

        def column_by_metadata(
            self,
            column_name: str,
            data_type: str | DataType,
            metadata_key: MetadataKey | None = None,
            is_virtual: bool = False,
        ) -> Schema.Builder:
            """Add a column that says where a row comes from.

            Args:
                column_name: its name.
                data_type: its type, to which the metadata is cast.
                metadata_key: what it says, by default what its name says: ``file_path``, ``file_name``, ``file_size``,
                    ``file_block_start``, ``file_block_length`` or ``file_modification_time``.
                is_virtual: whether it is only read; metadata of files always is.

            Raises:
                TableException: files have no such metadata.
                ValidationException: there is a column of the name.
            """
            key = (metadata_key or column_name).removeprefix("_metadata.")
            if key not in METADATA_KEYS:
                raise TableException(
                    f"The column {column_name!r} asks for the metadata {key!r}, which rows of files do not have. They "
                    f"have {listing(METADATA_KEYS)}."
                )
            return self._add(MetadataColumn(_name(column_name), column_type(data_type, column_name), key))

        def with_comment(self, comment: str | None) -> Schema.Builder:
            """Say what the last column is.

            Raises:
                ValidationException: there is no column yet, or the comment is no text.
            """
            if comment is not None and not isinstance(comment, str):
                raise ValidationException(f"with_comment takes a text, but was given {comment!r}.")
            if not len(self._columns):
                raise ValidationException("with_comment is for the column before it, and there is none yet.")
            last = list(self._columns)[-1]
            self._columns[last] = attrs.evolve(self._columns[last], comment=comment)
            return self

        def watermark(self, column_name: str, watermark_expr: str | Expression[Any]) -> Schema.Builder:
            """Declare how late rows may be, which has no effect in batch: the rows are all there.

            Raises:
                ValidationException: the schema has a watermark already.
            """
            return self._set_watermark(_name(column_name), _expression(watermark_expr, column_name))

        def primary_key(self, *column_names: str) -> Schema.Builder:
            """Declare the columns that tell rows apart; nothing enforces it.

            Raises:
                ValidationException: there is no column, one is there twice, or the schema has a primary key already.
            """
            return self._set_key(column_names, None)

        def primary_key_named(self, constraint_name: str, *column_names: str) -> Schema.Builder:
            """Declare the columns that tell rows apart under a name of the constraint; nothing enforces it."""
            return self._set_key(column_names, _name(constraint_name))

        def _check_expressions(self) -> None:
            """Refuse computed columns that no stored columns give; SQL text is read by the environment."""
            columns = self._columns.values()
            computed = [column for column in columns if isinstance(column, ComputedColumn)]
            if not computed or any(isinstance(column.expression, str) for column in computed):
                # What SQL text computes may be named by the others, and has no type yet.
                return
            stored = [Column(c.name, c.data_type) for c in columns if isinstance(c, PhysicalColumn | MetadataColumn)]
            rows = source.Source(ObjectIdentifier("rows"), ResolvedSchema(tuple(stored)))
            for column in computed:
                assert not isinstance(column.expression, str)
                # A function of a user is found by the environment alone.
                with implicit_notices.without_notices(), contextlib.suppress(FunctionNotExistException):
                    where = f"The computed column {column.name!r}"
                    operations.resolve_rows(rows, [column.expression], lookup.BuiltInLookup(), where)

        def _add(self, *columns: SchemaColumn) -> Schema.Builder:
            for column in columns:
                if column.name in self._columns:
                    raise ValidationException(
                        f"Ambiguous column name: {column.name}. Column names are found whatever their case."
                    )
                self._columns[column.name] = column
            return self

        def _set_watermark(self, name: str, expression: Unresolved | str) -> Schema.Builder:
            if self._watermarks:
                raise ValidationException(
                    f"A schema has one watermark, and this one has that of {self._watermarks[0][0]!r} already."
                )
            self._watermarks.append((name, expression))
            return self

        def _set_key(self, names: Sequence[str], constraint: str | None) -> Schema.Builder:
            if self._key:
                raise ValidationException("Multiple primary keys are not supported.")
            if not names:
                raise ValidationException("A primary key needs at least one column.")
            for number, name in enumerate(names):
                if _name(name) and fold(name) in map(fold, names[:number]):
                    raise ValidationException(f"The primary key has the column {name!r} twice.")
            self._key, self._key_name = tuple([_name(name) for name in names]), constraint
            return self

        def build(self) -> Schema:
            """Return the schema.

            Raises:
                ValidationException: the primary key, the watermark or a computed column names a column that there is
                    not; the column of the watermark is no time; or an expression is wrong.
            """
            for name, where in [
                *[(name, "primary key") for name in self._key],
                *[(name, "watermark") for name, _ in self._watermarks],
            ]:
                column = self._columns.get(name)
                if column is None:
                    raise ValidationException(
                        f"The {where} names the column {name!r}, which the schema has not: "
                        f"[{listing(self._columns)}].{did_you_mean(name, self._columns)}"
                    )
                if where != "watermark" or not isinstance(column, PhysicalColumn):
                    # A computed column has its type when the environment reads it.
                    continue
                if not isinstance(column.data_type, TimestampType | LocalZonedTimestampType):
                    raise ValidationException(
                        f"A watermark is of a column of type TIMESTAMP or TIMESTAMP_LTZ, but {column!r} is none."
                    )
            self._check_expressions()
            return Schema(tuple(self._columns.values()), self._key, self._key_name, tuple(self._watermarks))


def _name(given: Any) -> str:
    if not isinstance(given, str) or not given:
        raise ValidationException(f"A name is expected, but was given {given!r}.")
    return given


def _expression(given: Any, column: str) -> Unresolved | str:
    if isinstance(given, str):
        return given
    if not isinstance(given, Expression):
        raise ValidationException(
            f"The column {column!r} must be computed by an expression or SQL text, but was given {given!r}."
        )
    return unwrap(given)
