"""The schema of an operation: its columns, with case-insensitive names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ir import light_attrs as attrs
from ir.contents import EQUAL_NAMES, NOTHING
from ir.errors import ValidationException, did_you_mean, listing
from ir.identifiers import fold, quote
from ir.light_typing import ClassVar
from ir.names import make_distinct
from ir.nodes import Node, computed_field, node
from ir.types import LogicalType, RowField, RowType


@node
class Column(Node):
    """A column: its declared name, its type and its comment."""

    name: str
    data_type: LogicalType
    comment: str | None = None

    def as_nullable(self) -> Column:
        """Return the same column with a nullable type."""
        return self if self.data_type.nullable else Column(self.name, self.data_type.as_nullable(), self.comment)

    def __repr__(self) -> str:
        return f"{quote(self.name)} {self.data_type.as_summary_string()}"


@node
class ResolvedSchema(Node):
    """The columns of an operation or of a catalog table; names are unique, ignoring case.

    Raises:
        ValidationException: two columns have the same name.
    """

    holds: ClassVar[int] = NOTHING
    """The bits of ``ir.contents`` that a query with these columns has."""

    columns: tuple[Column, ...]
    names: tuple[str, ...] = computed_field(lambda self: tuple([column.name for column in self.columns]))
    _position: dict[str, int] = computed_field(lambda self: self._positions_by_folded_name())
    # References to all columns, which are requested repeatedly: see ``ir.column_references``.
    references: Sequence[Node] | None = attrs.field(default=None, init=False)
    _quoted: tuple[str, ...] | None = attrs.field(default=None, init=False)
    _row_type: RowType | None = attrs.field(default=None, init=False)

    def _positions_by_folded_name(self) -> dict[str, int]:
        positions = {fold(name): index for index, name in enumerate(self.names)}
        if len(positions) < len(self.columns):
            self._refuse_duplicates()
        return positions

    def _refuse_duplicates(self) -> None:
        first: dict[str, str] = {}
        for column in self.columns:
            other = first.setdefault(fold(column.name), column.name)
            if other is not column.name:
                break
        names = [column.name for column in self.columns]
        doubled = sorted({n for n in names if [fold(m) for m in names].count(fold(n)) > 1}) if len(names) < 500 else []
        raise ValidationException(
            f"Ambiguous column name: {listing(doubled) if doubled else column.name}. Column names are found whatever "
            "their case, so that each may occur only once; rename one with alias(…)."
        )

    def with_types(self, types: Iterable[LogicalType]) -> ResolvedSchema:
        """Return a schema with the same names and other types, without comments."""
        return type(self)(tuple([Column(name, t) for name, t in zip(self.names, types, strict=True)]))

    @staticmethod
    def of(names: Iterable[str], types: Iterable[LogicalType]) -> ResolvedSchema:
        """Return the schema of columns with these names and types."""
        return ResolvedSchema(tuple([Column(n, t, None) for n, t in zip(names, types, strict=True)]))

    def is_repeated(self, name: str) -> bool:
        """Whether several columns have the name, which only a ``SchemaOfEqualNames`` allows."""
        return False

    def require_distinct_names(self, needed_by: str) -> None:
        """Do nothing, because the names are unique; ``SchemaOfEqualNames`` overrides this method.

        Args:
            needed_by: what needs distinct names, the subject of the message: ``"The view v"``.

        Raises:
            ValidationException: several columns have the same name.
        """

    def __len__(self) -> int:
        return len(self.columns)

    def index_of(self, name: str) -> int | None:
        """Return the position of the column called ``name``, or None."""
        return self._position.get(fold(name))

    def shares_names_with(self, other: ResolvedSchema) -> bool:
        """Whether some name belongs to a column in both schemas."""
        return not self._position.keys().isdisjoint(other._position)

    def column(self, name: str) -> Column:
        """Return the column called ``name``.

        Raises:
            ValidationException: no column has the name; the message lists the columns and suggests the nearest one.
        """
        index = self.index_of(name)
        if index is None:
            raise ValidationException(
                f"Cannot resolve field [{name}], input field list:[{listing(self.names)}]."
                + did_you_mean(name, self.names),
                condition=f"UNRESOLVED_COLUMN.{'WITH' if self.columns else 'WITHOUT'}_SUGGESTION",
            )
        return self.columns[index]

    @property
    def quoted_names(self) -> tuple[str, ...]:
        """The names of the columns as quoted SQL identifiers."""
        if self._quoted is None:
            object.__setattr__(self, "_quoted", tuple(map(quote, self.names)))
        assert self._quoted is not None
        return self._quoted

    @property
    def types(self) -> tuple[LogicalType, ...]:
        """The types of the columns."""
        return tuple([column.data_type for column in self.columns])

    def as_row_type(self) -> RowType:
        """Return the type of a row."""
        if self._row_type is None:
            fields = tuple([RowField(c.name, c.data_type, c.comment) for c in self.columns])
            object.__setattr__(self, "_row_type", RowType(fields, nullable=False))
        assert self._row_type is not None
        return self._row_type

    def __repr__(self) -> str:
        return "(" + ", ".join(map(repr, self.columns)) + ")"


@node
class SchemaOfEqualNames(ResolvedSchema):
    """The columns of a query with some equal names; a name of several columns refers to none of them.

    Only the last projection of a whole query has such a schema: see ``ir.equal_names``.
    """

    holds: ClassVar[int] = EQUAL_NAMES

    def _positions_by_folded_name(self) -> dict[str, int]:
        positions: dict[str, int] = {}
        repeated: set[str] = set()
        for index, name in enumerate(self.names):
            key = fold(name)
            if positions.setdefault(key, index) != index:
                repeated.add(key)
        return {key: index for key, index in positions.items() if key not in repeated}

    def is_repeated(self, name: str) -> bool:
        """Whether several columns have the name."""
        return [fold(other) for other in self.names].count(fold(name)) > 1

    def index_of(self, name: str) -> int | None:
        """Return the position of the only column called ``name``, or None.

        Raises:
            ValidationException: several columns have the name.
        """
        index = super().index_of(name)
        if index is None:
            positions = [at for at, other in enumerate(self.names) if fold(other) == fold(name)]
            if positions:
                raise ValidationException(
                    f"Ambiguous column name: {name}. Columns {_numbers(positions)} of {len(self)} have it. "
                    + _way_out(self.names),
                    condition="AMBIGUOUS_REFERENCE",
                )
        return index

    def require_distinct_names(self, needed_by: str) -> None:
        positions: dict[str, list[int]] = {}
        for at, name in enumerate(self.names):
            positions.setdefault(fold(name), []).append(at)
        told = [
            f"columns {_numbers(found)} are called {' and '.join(dict.fromkeys(self.names[at] for at in found))}"
            for found in positions.values()
            if len(found) > 1
        ]
        raise ValidationException(
            f"{needed_by} needs columns with distinct names, but {listing(told)}. {_way_out(self.names)}",
            condition="COLUMN_ALREADY_EXISTS",
        )


def _numbers(positions: Sequence[int]) -> str:
    return " and ".join(filter(None, (", ".join(str(at + 1) for at in positions[:-1]), str(positions[-1] + 1))))


def _way_out(names: Sequence[str]) -> str:
    """Return advice on how to give each column a unique name."""
    given = ", ".join(repr(name) for name in make_distinct(names, ()))
    call = f"alias({given})" if len(given) < 200 else "alias(…)"
    return f"Name the columns with AS in the SQL, or all of them by position with {call}."
