"""Fields: columns of tables and views, their parts, and rows as a whole; steps between fields."""

from __future__ import annotations

from enum import Enum

import attrs

from ir.identifiers import ObjectIdentifier, quote
from ir.lineage.influences import Influence, influences_in
from ir.lineage.paths import Path, Step, path_suffix
from ir.schema import ResolvedSchema

INFLUENCES: dict[Influence, tuple[str, str]] = {
    Influence.IDENTITY: ("DIRECT", "IDENTITY"),
    Influence.TRANSFORMATION: ("DIRECT", "TRANSFORMATION"),
    Influence.AGGREGATION: ("DIRECT", "AGGREGATION"),
    Influence.JOIN: ("INDIRECT", "JOIN"),
    Influence.FILTER: ("INDIRECT", "FILTER"),
    Influence.GROUP: ("INDIRECT", "GROUP_BY"),
    Influence.SORT: ("INDIRECT", "SORT"),
    Influence.WINDOW: ("INDIRECT", "WINDOW"),
    Influence.CONDITIONAL: ("INDIRECT", "CONDITIONAL"),
}
"""The type and the subtype of each influence in OpenLineage."""


class Kind(Enum):
    """The kind of a dataset of a lineage."""

    TABLE = "table"
    VIEW = "view"
    QUERY = "query"
    DATA = "data"


@attrs.frozen(eq=False)
class Dataset:
    """A table, a view, the query of a ``Table``, or data of this process.

    Attributes:
        name: the name in texts: ``sales.orders``.
        kind: what it is.
        schema: the columns.
        identifier: the full name; None for a query and for data of this process.
    """

    name: str
    kind: Kind
    schema: ResolvedSchema
    identifier: ObjectIdentifier | None = None

    @property
    def namespace(self) -> str:
        """The namespace in OpenLineage: the name of the catalog."""
        return "" if self.identifier is None else str(self.identifier.catalog or "")

    @property
    def name_in_namespace(self) -> str:
        """The name in OpenLineage, without the catalog."""
        if self.identifier is None:
            return self.name
        return ".".join(str(part) for part in self.identifier.parts[1 if self.identifier.catalog else 0 :])


@attrs.frozen
class Field:
    """A column of a dataset, a part of a column, or the rows of a dataset.

    Attributes:
        dataset: the table or view.
        column: the name of the column; None for the rows: which rows there are, how often, and in which order.
        path: the part of the column; empty for the whole column.
    """

    dataset: Dataset
    column: str | None
    path: Path = ()

    @property
    def is_rows(self) -> bool:
        """Whether this is the rows of the dataset, and no column."""
        return self.column is None

    @property
    def column_text(self) -> str:
        """The column and the part of it: ``address.city``; ``(rows)`` for the rows."""
        return "(rows)" if self.column is None else f"{_shown(self.column)}{path_suffix(self.path)}"

    @property
    def path_names(self) -> list[str]:
        """The steps to the part of the column as strings."""
        return [step.value if isinstance(step, Step) else step for step in self.path]

    @property
    def openlineage_name(self) -> str:
        """The name of the field in OpenLineage: elements of arrays are ``_element``, sizes those of the column.

        See https://openlineage.io/docs/spec/facets/dataset-facets/schema
        """
        names = [
            "_element" if step is Step.ELEMENT else step.value if isinstance(step, Step) else step
            for step in self.path
            if step is not Step.SIZE
        ]
        return ".".join([str(self.column), *names])

    def __str__(self) -> str:
        if self.column is None:
            return f"{self.dataset.name} (rows)"
        return f"{self.dataset.name}.{self.column_text}"


def _shown(name: str) -> str:
    return name if name.isidentifier() else quote(name)


@attrs.frozen
class LineageStep:
    """The influence of a field on a field of a query that reads it.

    Attributes:
        source: the field that is read.
        target: the field of the view or query that reads it.
        influences: how it influences the target.
    """

    source: Field
    target: Field
    influences: tuple[Influence, ...]


@attrs.frozen
class FieldInfluence:
    """The influence of a field on another one, possibly through views between them.

    Attributes:
        field: the field at the other end.
        influences: how the two are connected.
        distance: the number of queries between them, 1 for a query that reads the field itself.
        through_rows: whether it influences which rows there are, or their order, and so every column.
    """

    field: Field
    influences: tuple[Influence, ...]
    distance: int
    through_rows: bool = False

    @property
    def influence_text(self) -> str:
        """The influences for display: ``aggregation, filter``."""
        return ", ".join(influence.value for influence in self.influences)


def influences_of(bits: int) -> tuple[Influence, ...]:
    """Return the influences in a set of bits."""
    return tuple(influences_in(bits))
