"""The lineage of a query, a view or a column, as users get it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from ir.errors import ValidationException
from ir.lineage.reads import ORDER, ROWS
from tableapi.lineage import openlineage
from tableapi.lineage.drawing import Drawing, found_lines
from tableapi.lineage.fields import Dataset, Field, FieldInfluence, Kind, LineageStep
from tableapi.lineage.graph import LineageGraph, Node, field_of, sorted_steps
from tableapi.lineage.names import find_column, find_field
from tableapi.members.type_arguments import require_integer
from tableapi.tracebacks import boundaries


@boundaries
@attrs.frozen(eq=False, repr=False)
class LineageTrace(Drawing):
    """The fields that influence a field, or that a field influences.

    Attributes:
        name: the name of the field.
        direction: ``upstream`` or ``downstream``.
        found: the fields at the other end, the nearest first.
        steps: the steps between the fields.
    """

    name: str
    direction: str
    found: tuple[FieldInfluence, ...]
    steps: tuple[LineageStep, ...]

    def as_list(self) -> list[dict[str, Any]]:
        """Return the fields as JSON objects."""
        return [_influence_document(one) for one in self.found]

    def __str__(self) -> str:
        title = f"{self.name}, {self.direction}"
        return "\n".join([title, *(found_lines(self.found) or ["    nothing"])])

    __repr__ = __str__


@boundaries
@attrs.frozen(eq=False, repr=False)
class Lineage(Drawing):
    """The lineage of a query or view: which columns influence its columns and its rows, across views.

    ``Table.lineage`` returns it. It shows itself as text, and as a picture in a notebook.
    """

    _graph: LineageGraph
    _dataset: Dataset

    # --- traces ------------------------------------------------------------------------------------------------------

    def upstream(self, column: str | None = None, depth: int | None = None) -> LineageTrace:
        """Return the columns of tables and views that influence a column.

        Args:
            column: the column, or a part of it, such as ``address.city``; by default all columns.
            depth: how many queries to cross, at least 1; by default all of them, down to tables.

        Raises:
            ValidationException: there is no such column, for which the message suggests the nearest name; or the depth
                is not a whole number from 1.
        """
        _require_depth(depth, "upstream")
        node = None if column is None else find_column(self._dataset, column)
        return trace_upstream(self._graph, self._dataset, node, depth)

    def downstream(self, field: str, depth: int | None = None) -> LineageTrace:
        """Return what a column of a table or view influences in the query, and in the views that the query reads.

        Args:
            field: the column with its table, or a part of it: ``sales.orders.address.city``; or a table.
            depth: how many queries to cross, at least 1; by default all of them.

        Raises:
            ValidationException: the query reads no such table, or it has no such column, for which the message suggests
                the nearest name; or the depth is not a whole number from 1.
        """
        _require_depth(depth, "downstream")
        dataset, node = find_field(field, self._graph.datasets)
        return trace_downstream(self._graph, dataset, node, depth)

    @property
    def steps(self) -> tuple[LineageStep, ...]:
        """The steps from tables, through views, into the columns and rows of the query."""
        return self._graph.upstream(self._columns(), self._rows()).steps

    def _columns(self) -> list[Node]:
        return [Node(self._dataset, index) for index in range(len(self._dataset.schema))]

    def _rows(self) -> list[Node]:
        return [Node(self._dataset, ROWS), Node(self._dataset, ORDER)]

    # --- forms -------------------------------------------------------------------------------------------------------

    def to_openlineage(self, namespace: str | None = None, *, through_views: bool = False) -> dict[str, Any]:
        """Return the facet ``columnLineage`` of OpenLineage, version 1-2-0, as a JSON object.

        Args:
            namespace: the namespace of the tables; by default the names of their catalogs.
            through_views: whether the inputs are the tables below all views; by default they are the tables and views
                that the query itself reads, each of which has a facet of its own.

        Raises:
            ValidationException: the namespace is not a string.
        """
        if namespace is not None and not isinstance(namespace, str):
            raise ValidationException(f"to_openlineage takes the name of a namespace, but was given {namespace!r}.")
        steps = self._steps_from_tables() if through_views else self._graph.every_step([self._dataset])
        return openlineage.facet(self._dataset, steps, namespace)

    def _steps_from_tables(self) -> tuple[LineageStep, ...]:
        """Return steps from the columns of tables straight into the columns and rows of the query."""
        steps: list[LineageStep] = []
        for node in self._columns():
            found = self._graph.upstream([node], []).found
            steps += [LineageStep(one.field, field_of(node), one.influences) for one in found if _is_end(one.field)]
        rows = self._graph.upstream([], self._rows()).found
        target = Field(self._dataset, None)
        steps += [LineageStep(one.field, target, one.influences) for one in rows if _is_end(one.field)]
        return sorted_steps(steps)

    def to_json(self) -> dict[str, Any]:
        """Return the lineage as a JSON object: what influences each column and the rows, and all steps."""
        columns = {
            name: [_influence_document(one) for one in self._graph.upstream([node], []).found]
            for name, node in zip(self._dataset.schema.names, self._columns(), strict=True)
        }
        rows = [_influence_document(one) for one in self._graph.upstream([], self._rows()).found]
        return {"columns": columns, "rows": rows, "steps": step_documents(self.steps)}

    def __str__(self) -> str:
        parts: list[str] = []
        for name, node in zip(self._dataset.schema.names, self._columns(), strict=True):
            parts += [name, *(found_lines(self._graph.upstream([node], []).found) or ["    nothing"])]
        rows = self._graph.upstream([], self._rows()).found
        parts += ["(rows)", *found_lines(rows)] if rows else []
        return "\n".join(parts)

    __repr__ = __str__


def _require_depth(depth: int | None, method: str) -> None:
    if depth is not None and require_integer(depth, f"The depth of {method}") < 1:
        raise ValidationException(f"The depth of {method} is at least 1, but was given {depth}.")


def _is_end(field: Field) -> bool:
    return field.dataset.kind is not Kind.VIEW


def trace_upstream(graph: LineageGraph, dataset: Dataset, node: Node | None, depth: int | None) -> LineageTrace:
    """Return what influences a column, or, without one, any column of a dataset."""
    columns = [Node(dataset, index) for index in range(len(dataset.schema))] if node is None else [node]
    found = graph.upstream(columns, [Node(dataset, ROWS), Node(dataset, ORDER)], depth)
    name = str(field_of(node)) if node is not None else dataset.name
    return LineageTrace(name, "upstream", found.found, found.steps)


def trace_downstream(graph: LineageGraph, dataset: Dataset, node: Node | None, depth: int | None) -> LineageTrace:
    """Return what a column influences, or, without one, any column or the rows of a dataset."""
    nodes = [*graph.fields_of(dataset)] if node is None else [node]
    found = graph.downstream(nodes, depth)
    name = str(field_of(node)) if node is not None else dataset.name
    return LineageTrace(name, "downstream", found.found, found.steps)


def facets(graph: LineageGraph, datasets: Sequence[Dataset], namespace: str | None = None) -> dict[str, Any]:
    """Return the OpenLineage facet of each view, by the name of the view."""
    return {view.name: openlineage.facet(view, graph.every_step([view]), namespace) for view in datasets}


def _field_document(field: Field) -> dict[str, Any]:
    return {"dataset": field.dataset.name, "column": field.column, "path": field.path_names}


def _influence_document(one: FieldInfluence) -> dict[str, Any]:
    return {
        **_field_document(one.field),
        "influences": [influence.value for influence in one.influences],
        "distance": one.distance,
        "through_rows": one.through_rows,
    }


def step_documents(steps: Sequence[LineageStep]) -> list[dict[str, Any]]:
    """Return steps as JSON objects."""
    return [
        {
            "from": _field_document(step.source),
            "to": _field_document(step.target),
            "influences": [influence.value for influence in step.influences],
        }
        for step in steps
    ]
