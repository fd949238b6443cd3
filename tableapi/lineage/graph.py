"""The lineage graph: which fields of tables and views influence which, across the views that read each other.

The direct lineage of a view comes from the tree of its query (``ir.lineage``). The graph computes it for a field when
it is asked for, and keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import attrs

from ir.errors import TableException
from ir.identifiers import ObjectIdentifier, fold_path
from ir.lineage.influences import Influence, combine_bits
from ir.lineage.paths import WHOLE, Path, leaf_paths, overlap, translate
from ir.lineage.query_lineage import QueryLineage
from ir.lineage.reads import ORDER, ROWS
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source
from tableapi.lineage.fields import Dataset, Field, FieldInfluence, Kind, LineageStep, influences_of
from tableapi.spark.planner.sql_functions import expand_functions

Define = Callable[[Source], "QueryOperation | None"]
"""Returns the query of the view that a source reads; None for a table."""
NameOf = Callable[[Source], str]


class Node(NamedTuple):
    """A field in the graph; the column is a position, ``ROWS`` or ``ORDER``."""

    dataset: Dataset
    column: int
    path: Path = WHOLE


Reached = dict[Node, tuple[int, int]]
"""Each node with the bits of its influences, and its distance."""
_Edge = tuple[Node, Node]


@attrs.frozen(eq=False)
class Trace:
    """The result of a trace from a field: the fields at the other end, and the steps between them.

    Attributes:
        found: the fields, the nearest first.
        steps: the steps between fields.
    """

    found: tuple[FieldInfluence, ...]
    steps: tuple[LineageStep, ...]


class LineageGraph:
    """The fields of tables and views, and the steps between them.

    Args:
        define: finds the query of a view.
        name_of: returns the name of a table or view in texts.
    """

    def __init__(self, define: Define, name_of: NameOf) -> None:
        self._define = define
        self._name_of = name_of
        self._datasets: dict[object, Dataset] = {}
        self._lineages: dict[Dataset, QueryLineage] = {}
        self._direct: dict[Node, dict[Node, int]] = {}
        self._readers: dict[Dataset, list[tuple[Node, Node, int]]] | None = None

    # --- datasets ----------------------------------------------------------------------------------------------------

    def add_query(self, dataset: Dataset, operation: QueryOperation) -> None:
        """Add a view or query with its tree."""
        self._datasets[_key(dataset.identifier) or dataset] = dataset
        self._lineages[dataset] = QueryLineage(expand_functions(operation, lambda identifier: False))
        self._readers = None

    def add_table(self, dataset: Dataset) -> None:
        """Add a table, if it is not known yet."""
        self._datasets.setdefault(_key(dataset.identifier), dataset)

    @property
    def datasets(self) -> list[Dataset]:
        """All datasets that are known."""
        return list(self._datasets.values())

    def open(self, start: Dataset) -> None:
        """Find the tables and views below a dataset, and those below them."""
        stack, seen = [start], {start}
        while stack:
            lineage = self._lineages.get(stack.pop())
            if lineage is None:
                continue
            for operation in lineage.operation.walk_with_subqueries():
                if isinstance(operation, Source | InlineSource):
                    below = self._dataset_of(operation)
                    if below not in seen:
                        seen.add(below)
                        stack.append(below)

    def _dataset_of(self, source: Source | InlineSource) -> Dataset:
        """Return the dataset that a source reads; the query of a view is looked up when it is first read."""
        key: object = _key(source.identifier) if isinstance(source, Source) else source
        known = self._datasets.get(key)
        if known is not None:
            return known
        if isinstance(source, InlineSource):
            made = Dataset(f"({source.kind})", Kind.DATA, source.schema)
            self._datasets[key] = made
            return made
        operation = self._define(source) if source.is_now else None
        kind = Kind.TABLE if operation is None else Kind.VIEW
        made = Dataset(self._name_of(source), kind, source.schema, source.identifier)
        self._datasets[key] = made
        if operation is not None:
            self.add_query(made, operation)
        return made

    # --- steps -------------------------------------------------------------------------------------------------------

    def direct(self, node: Node) -> dict[Node, int]:
        """Return the fields that the query of a view reads for a field, each with the bits of its influences."""
        known = self._direct.get(node)
        if known is not None:
            return known
        found: dict[Node, int] = {}
        lineage = self._lineages.get(node.dataset)
        if lineage is not None:
            column, path = node.column, node.path
            if column >= 0:
                # The columns of a view may be declared with other names of fields than those of its query.
                kinds = node.dataset.schema.types[column], lineage.operation.schema.types[column]
                path = translate(path, *kinds)
            for origin, bits in lineage.origins(column, path).items():
                below = self._dataset_of(origin.source)
                index, inside = self._position(below, origin.source, origin.column, origin.path)
                found[Node(below, index, inside)] = bits
        self._direct[node] = found
        return found

    @staticmethod
    def _position(dataset: Dataset, source: Source | InlineSource, column: int, path: Path) -> tuple[int, Path]:
        """Return the position of a source's column in its dataset; a source may read other columns, such as changes."""
        if column < 0 or source.schema is dataset.schema:
            return column, path
        index = dataset.schema.index_of(source.schema.names[column])
        if index is None:
            raise TableException(f"{dataset.name} has no column {source.schema.names[column]!r}, which a view reads.")
        return index, translate(path, source.schema.types[column], dataset.schema.types[index])

    def fields_of(self, dataset: Dataset) -> Iterator[Node]:
        """Yield the fields of a dataset: the smallest parts of its columns, its rows and their order."""
        for index, kind in enumerate(dataset.schema.types):
            for path in leaf_paths(kind):
                yield Node(dataset, index, path)
        yield Node(dataset, ROWS)
        yield Node(dataset, ORDER)

    def columns_of(self, dataset: Dataset) -> list[Node]:
        """Return the columns of a dataset as wholes, its rows and their order."""
        columns = [Node(dataset, index) for index in range(len(dataset.schema))]
        return [*columns, Node(dataset, ROWS), Node(dataset, ORDER)]

    def _readers_of(self, dataset: Dataset) -> list[tuple[Node, Node, int]]:
        """Return the reads of a dataset: the field that is read, the field that reads it, and the influences."""
        if self._readers is None:
            readers: dict[Dataset, list[tuple[Node, Node, int]]] = {}
            for reading in list(self._lineages):
                for node in self.fields_of(reading):
                    for below, bits in self.direct(node).items():
                        readers.setdefault(below.dataset, []).append((below, node, bits))
            self._readers = readers
        return self._readers.get(dataset, [])

    # --- traces ------------------------------------------------------------------------------------------------------

    def upstream(self, columns: list[Node], rows: list[Node], depth: int | None = None) -> Trace:
        """Return the columns that influence columns or rows of a dataset, across views.

        Args:
            columns: the columns.
            rows: the rows of the dataset and their order, which count for each of its columns.
            depth: the greatest distance; None for any.
        """
        steps: dict[_Edge, int] = {}
        found: list[FieldInfluence] = []
        for roots, through_rows in ((columns, False), (rows, True)):
            reached = self._reach(roots, depth, steps, is_upstream=True)
            # That the rows of a query come from the rows of what it reads goes without saying.
            found += _merge({node: how for node, how in reached.items() if node.column >= 0}, through_rows)
        return Trace(tuple(found), _steps(steps))

    def downstream(self, fields: list[Node], depth: int | None = None) -> Trace:
        """Return the columns and the rows that some fields influence, across views.

        Args:
            fields: the fields.
            depth: the greatest distance; None for any.
        """
        steps: dict[_Edge, int] = {}
        reached = self._reach(fields, depth, steps, is_upstream=False)
        return Trace(tuple(_merge(reached)), _steps(steps))

    def _read_by(self, node: Node) -> Iterator[tuple[Node, int]]:
        """Yield the fields that read a field or a part of it, each with the bits of its influences."""
        for read, reader, bits in self._readers_of(node.dataset):
            if read.column == node.column and overlap(read.path, node.path):
                yield reader, bits

    def _reach(self, roots: list[Node], depth: int | None, steps: dict[_Edge, int], *, is_upstream: bool) -> Reached:
        """Return the nodes that are reached from some nodes, and add the steps to them to ``steps``."""
        reached: Reached = {}
        level = [(root, Influence.IDENTITY.bit) for root in roots]
        seen = set(level)
        distance = 0
        while level and (depth is None or distance < depth):
            distance += 1
            following = []
            for node, passed in level:
                for other, bits in self.direct(node).items() if is_upstream else self._read_by(node):
                    edge = (other, node) if is_upstream else (node, other)
                    steps[edge] = steps.get(edge, 0) | bits
                    # Nearer to the result is the outer influence.
                    combined = combine_bits(passed, bits) if is_upstream else combine_bits(bits, passed)
                    known, nearest = reached.get(other, (0, distance))
                    reached[other] = known | combined, nearest
                    if (other, combined) not in seen:
                        seen.add((other, combined))
                        following.append((other, combined))
            level = following
        return reached

    def every_step(self, datasets: list[Dataset]) -> tuple[LineageStep, ...]:
        """Return the steps into the columns and the rows of some datasets."""
        steps = {
            (source, node): bits
            for dataset in datasets
            for node in self.columns_of(dataset)
            for source, bits in self.direct(node).items()
        }
        return _steps(steps)


def _key(identifier: ObjectIdentifier | None) -> tuple[str, ...] | None:
    return None if identifier is None else fold_path(identifier.parts)


def field_of(node: Node) -> Field:
    """Return the field of a node; the order of rows counts as the rows."""
    if node.column < 0:
        return Field(node.dataset, None)
    return Field(node.dataset, node.dataset.schema.names[node.column], node.path)


def _merge(reached: Reached, through_rows: bool = False) -> list[FieldInfluence]:
    """Return the fields of some nodes, the nearest first."""
    merged: dict[Field, tuple[int, int]] = {}
    for node, (bits, distance) in reached.items():
        field = field_of(node)
        known, nearest = merged.get(field, (0, distance))
        merged[field] = known | bits, min(nearest, distance)
    found = [FieldInfluence(f, influences_of(bits), distance, through_rows) for f, (bits, distance) in merged.items()]
    return sorted(found, key=lambda one: (one.distance, one.field.is_rows, str(one.field)))


def _steps(edges: Mapping[_Edge, int]) -> tuple[LineageStep, ...]:
    """Return the steps between fields, without those from the rows of a table or of a view that no column decides."""
    merged: dict[tuple[Field, Field], int] = {}
    for (source, target), bits in edges.items():
        step = field_of(source), field_of(target)
        merged[step] = merged.get(step, 0) | bits
    while True:
        decided = {target for _, target in merged}
        kept = {step: bits for step, bits in merged.items() if not step[0].is_rows or step[0] in decided}
        if len(kept) == len(merged):
            break
        merged = kept
    found = [LineageStep(source, target, influences_of(bits)) for (source, target), bits in merged.items()]
    return sorted_steps(found)


def sorted_steps(steps: list[LineageStep]) -> tuple[LineageStep, ...]:
    """Return steps in the order of the names of their targets and sources."""
    return tuple(sorted(steps, key=lambda step: (str(step.target), str(step.source))))
