"""Declared schemas: columns, computed columns and constraints of tables that are not made yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import attrs

from ir.errors import TableException, ValidationException, listing
from ir.expressions import Expression as Unresolved
from ir.identifiers import fold, quote
from ir.schema import ResolvedSchema
from ir.types import LogicalType, RowType
from tableapi.expression import Expression, unwrap
from tableapi.schema_columns import column_type, columns_of
from tableapi.tracebacks import boundaries
from tableapi.types import DataType

if TYPE_CHECKING:
    from tableapi.schema_columns import Columns

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
        made._columns += [PhysicalColumn(c.name, c.data_type, c.comment) for c in columns_of(columns)]
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
            self._columns: list[SchemaColumn] = []
            self._key: tuple[str, ...] = ()
            self._key_name: str | None = None
            self._watermarks: list[tuple[str, Unresolved | str]] = []

        def from_schema(self, unresolved_schema: Schema) -> Schema.Builder:
            """Add everything that another schema declares.

            Raises:
                ValidationException: it is no schema.
            """
            if not isinstance(unresolved_schema, Schema):
                raise ValidationException(f"from_schema takes a Schema, but was given {unresolved_schema!r}.")
            self._columns += unresolved_schema.columns
            self._watermarks += unresolved_schema.watermarks
            if unresolved_schema.primary_key_columns:
                self._set_key(unresolved_schema.primary_key_columns, unresolved_schema.primary_key_name)
            return self

        def from_resolved_schema(self, resolved_schema: ResolvedSchema) -> Schema.Builder:
            """Add the columns that a table has."""
            self._columns += [PhysicalColumn(c.name, c.data_type, c.comment) for c in resolved_schema.columns]
            return self

        def from_row_data_type(self, data_type: DataType) -> Schema.Builder:
            """Add the fields of a ROW type as columns.

            Raises:
                ValidationException: it is another type.
            """
            if not isinstance(data_type, RowType):
                raise ValidationException(f"from_row_data_type takes a ROW type, but was given {data_type!r}.")
            self._columns += [PhysicalColumn(f.name, f.data_type, f.description) for f in data_type.fields]
            return self

        def from_fields(self, field_names: Sequence[str], field_data_types: Sequence[DataType]) -> Schema.Builder:
            """Add columns by their names and types.

            Raises:
                ValidationException: there are more of the one than of the other.
            """
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
                ValidationException: the name or the type is not one.
            """
            self._columns.append(PhysicalColumn(_name(column_name), column_type(data_type, column_name)))
            return self

        def column_by_expression(self, column_name: str, expr: str | Expression[Any]) -> Schema.Builder:
            """Add a column that is computed of the stored ones whenever the table is read.

            Args:
                column_name: its name.
                expr: an expression, or SQL text, for which the Spark session has to run.
            """
            self._columns.append(ComputedColumn(_name(column_name), _expression(expr, column_name)))
            return self

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
            """
            key = (metadata_key or column_name).removeprefix("_metadata.")
            if key not in METADATA_KEYS:
                raise TableException(
                    f"The column {column_name!r} asks for the metadata {key!r}, which rows of files do not have. They "
                    f"have {listing(METADATA_KEYS)}."
                )
            self._columns.append(MetadataColumn(_name(column_name), column_type(data_type, column_name), key))
            return self

        def with_comment(self, comment: str | None) -> Schema.Builder:
            """Say what the last column is.

            Raises:
                ValidationException: there is no column yet.
            """
            if not self._columns:
                raise ValidationException("with_comment is for the column before it, and there is none yet.")
            self._columns[-1] = attrs.evolve(self._columns[-1], comment=comment)
            return self

        def watermark(self, column_name: str, watermark_expr: str | Expression[Any]) -> Schema.Builder:
            """Declare how late rows may be, which has no effect in batch: the rows are all there."""
            self._watermarks.append((_name(column_name), _expression(watermark_expr, column_name)))
            return self

        def primary_key(self, *column_names: str) -> Schema.Builder:
            """Declare the columns that tell rows apart; nothing enforces it."""
            return self._set_key(column_names, None)

        def primary_key_named(self, constraint_name: str, *column_names: str) -> Schema.Builder:
            """Declare the columns that tell rows apart under a name of the constraint; nothing enforces it."""
            return self._set_key(column_names, _name(constraint_name))

        def _set_key(self, names: Sequence[str], constraint: str | None) -> Schema.Builder:
            if self._key:
                raise ValidationException("Multiple primary keys are not supported.")
            if not names:
                raise ValidationException("A primary key needs at least one column.")
            self._key, self._key_name = tuple([_name(name) for name in names]), constraint
            return self

        def build(self) -> Schema:
            """Return the schema.

            Raises:
                ValidationException: two columns have the same name, or the primary key or a watermark names a column
                    that there is not.
            """
            found: dict[str, SchemaColumn] = {}
            for column in self._columns:
                if fold(column.name) in found:
                    raise ValidationException(
                        f"Ambiguous column name: {column.name}. Column names are found whatever their case."
                    )
                found[fold(column.name)] = column
            for name, where in [
                *[(name, "primary key") for name in self._key],
                *[(name, "watermark") for name, _ in self._watermarks],
            ]:
                if fold(name) not in found:
                    raise ValidationException(
                        f"The {where} names the column {name!r}, which the schema has not: "
                        f"[{listing([column.name for column in self._columns])}]."
                    )
            return Schema(tuple(self._columns), self._key, self._key_name, tuple(self._watermarks))


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
