"""The columns of a table while ALTER TABLE changes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ir import light_attrs as attrs
from ir.commands.alterations import Path
from ir.commands.columns import ColumnDefinition, ColumnPosition
from ir.errors import ValidationException, did_you_mean, listing
from ir.identifiers import ObjectIdentifier, fold
from ir.schema import Column, ResolvedSchema
from ir.types import ArrayType, LogicalType, MapType, RowField, RowType

Fields = tuple[RowField, ...]


@attrs.frozen(eq=False)
class AlteredTable:
    """A table after some changes; each method returns the table after one more.

    Paths lead through rows by the names of fields, through arrays by ``element``, and through maps by ``key`` and
    ``value``. Names are case-insensitive.

    Attributes:
        identifier: the full name of the table.
        row: the columns, as the fields of a row.
        partition_keys: the columns that partition the rows.
        primary_key: the columns of the primary key.
        properties: the keys of the properties; None if they are unknown.
    """

    identifier: ObjectIdentifier
    row: RowType
    partition_keys: tuple[str, ...] = ()
    primary_key: tuple[str, ...] = ()
    properties: frozenset[str] | None = None

    @staticmethod
    def of(
        identifier: ObjectIdentifier,
        schema: ResolvedSchema,
        partition_keys: Iterable[str] = (),
        primary_key: Iterable[str] = (),
        properties: Iterable[str] | None = None,
    ) -> AlteredTable:
        """Return the columns of a table as they are before the first change."""
        fields = [RowField(column.name, column.data_type, column.comment) for column in schema.columns]
        known = None if properties is None else frozenset(properties)
        return AlteredTable(
            identifier, RowType(tuple(fields), nullable=False), tuple(partition_keys), tuple(primary_key), known
        )

    @property
    def shown(self) -> str:
        """The name of the table for messages."""
        return self.identifier.as_summary_string()

    @property
    def schema(self) -> ResolvedSchema:
        """The columns."""
        return ResolvedSchema(tuple([Column(f.name, f.data_type, f.description) for f in self.row.fields]))

    # --- finding -----------------------------------------------------------------------------------------------------

    def spell(self, path: Path) -> Path:
        """Return a path in the spelling of the table.

        Raises:
            ValidationException: there is no such column or field; the message has the nearest name.
        """
        found: list[str] = []
        current = _as_type(self.row)
        for name in path:
            spelled, current = self._step(current, name, tuple(found))
            found.append(spelled)
        return tuple(found)

    def type_of(self, path: Path) -> LogicalType:
        """Return the type of a column or field; the columns themselves for an empty path.

        Raises:
            ValidationException: there is no such column or field.
        """
        current = _as_type(self.row)
        before: list[str] = []
        for name in path:
            spelled, current = self._step(current, name, tuple(before))
            before.append(spelled)
        return current

    def has(self, path: Path) -> bool:
        """Whether there is a column or field with this path."""
        try:
            self.spell(path)
        except ValidationException:
            return False
        return True

    def comment_of(self, path: Path) -> str | None:
        """Return the comment of a column or field."""
        parent = self.type_of(path[:-1])
        return _field(parent, path[-1]).description if isinstance(parent, RowType) else None

    def _step(self, current: LogicalType, name: str, before: Path) -> tuple[str, LogicalType]:
        parts = _parts(current)
        for known, data_type in parts:
            if fold(known) == fold(name):
                return known, data_type
        names = [known for known, _ in parts]
        if before:
            shown = ".".join(before)
            has = f"it has [{listing(names)}]" if names else f"it is of type {current.as_summary_string()}"
            raise ValidationException(
                f"The column {shown} of {self.shown} has no field {name!r}; {has}." + did_you_mean(name, names),
                condition="FIELD_NOT_FOUND",
            )
        raise ValidationException(
            f"{self.shown} has no column {name!r}; it has [{listing(names)}]." + did_you_mean(name, names),
            condition="UNRESOLVED_COLUMN.WITH_SUGGESTION",
        )

    # --- changing ----------------------------------------------------------------------------------------------------

    def with_type(self, path: Path, data_type: LogicalType) -> AlteredTable:
        """Change the type of a column or field, including its nullability."""
        return self._changed(path, lambda _: data_type)

    def with_column(self, parent: Path, column: ColumnDefinition, position: ColumnPosition | None) -> AlteredTable:
        """Add a column or field."""
        return self._with_fields(
            parent,
            lambda fields: _placed(fields, RowField(column.name, column.data_type, column.comment), position),
        )

    def with_columns(self, columns: Iterable[ColumnDefinition]) -> AlteredTable:
        """Replace all columns."""
        made = [RowField(column.name, column.data_type, column.comment) for column in columns]
        return attrs.evolve(self, row=RowType(tuple(made), nullable=False))

    def without_column(self, path: Path) -> AlteredTable:
        """Drop a column or field."""
        return self._with_fields(path[:-1], lambda fields: tuple([f for f in fields if f.name != path[-1]]))

    def with_name(self, path: Path, name: str) -> AlteredTable:
        """Rename a column or field."""
        made = self._with_field(path, lambda field: RowField(name, field.data_type, field.description))
        if len(path) > 1:
            return made
        old = path[0]
        return attrs.evolve(
            made,
            partition_keys=tuple([name if key == old else key for key in self.partition_keys]),
            primary_key=tuple([name if key == old else key for key in self.primary_key]),
        )

    def with_comment(self, path: Path, comment: str | None) -> AlteredTable:
        """Change the comment of a column or field."""
        return self._with_field(path, lambda field: RowField(field.name, field.data_type, comment))

    def with_position(self, path: Path, position: ColumnPosition) -> AlteredTable:
        """Move a column or field."""

        def move(fields: Fields) -> Fields:
            moved = next(field for field in fields if field.name == path[-1])
            return _placed(tuple([field for field in fields if field is not moved]), moved, position)

        return self._with_fields(path[:-1], move)

    def _with_field(self, path: Path, change: Callable[[RowField], RowField]) -> AlteredTable:
        def apply(fields: Fields) -> Fields:
            return tuple([change(field) if field.name == path[-1] else field for field in fields])

        return self._with_fields(path[:-1], apply)

    def _with_fields(self, parent: Path, change: Callable[[Fields], Fields]) -> AlteredTable:
        def apply(row: LogicalType) -> LogicalType:
            assert isinstance(row, RowType)
            return RowType(change(row.fields), nullable=row.nullable)

        return self._changed(parent, apply)

    def _changed(self, path: Path, change: Callable[[LogicalType], LogicalType]) -> AlteredTable:
        row = _change_part(self.row, path, change)
        assert isinstance(row, RowType)
        return attrs.evolve(self, row=row)


def _as_type(row: RowType) -> LogicalType:
    return row


def _parts(data_type: LogicalType) -> list[tuple[str, LogicalType]]:
    """Return the named parts of a nested type."""
    match data_type:
        case RowType():
            return [(field.name, field.data_type) for field in data_type.fields]
        case ArrayType():
            return [("element", data_type.element)]
        case MapType():
            return [("key", data_type.key), ("value", data_type.value)]
    return []


def _field(row: RowType, name: str) -> RowField:
    return next(field for field in row.fields if field.name == name)


def _placed(fields: Fields, field: RowField, position: ColumnPosition | None) -> Fields:
    """Insert a field at a position, last if there is none."""
    if position is None:
        return (*fields, field)
    index = 0
    if position.after is not None:
        index = [f.name for f in fields].index(position.after) + 1
    return (*fields[:index], field, *fields[index:])


def _change_part(data_type: LogicalType, path: Path, change: Callable[[LogicalType], LogicalType]) -> LogicalType:
    """Return a type with the part at a path changed."""
    if not path:
        return change(data_type)
    name, rest = path[0], path[1:]
    match data_type:
        case RowType():
            fields = [
                RowField(f.name, _change_part(f.data_type, rest, change), f.description) if f.name == name else f
                for f in data_type.fields
            ]
            return RowType(tuple(fields), nullable=data_type.nullable)
        case ArrayType():
            return ArrayType(_change_part(data_type.element, rest, change), nullable=data_type.nullable)
        case MapType():
            key, value = data_type.key, data_type.value
            if name == "key":
                return MapType(_change_part(key, rest, change), value, nullable=data_type.nullable)
            return MapType(key, _change_part(value, rest, change), nullable=data_type.nullable)
    raise AssertionError("the path was found before")
