"""Compares the views of two environments of a target: their columns, how many rows they have, and which rows differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from ir.casts import has_equality
from ir.errors import TableException
from ir.identifiers import ObjectIdentifier, path_text
from tableapi.expressions import col, lit
from tableapi.project.configuration import Configuration, ProjectError
from tableapi.project.deployment import DeployedView, Deployment
from tableapi.query_diff.changes import SchemaCommentChanged
from tableapi.query_diff.schema_changes import compare_schemas
from tableapi.table import Table

SAMPLE: Final = 5
"""How many rows of each side are shown."""


@attrs.frozen
class RowDifference:
    """The rows of two views that differ, each counted as often as it occurs.

    Attributes:
        only_in_first: how many rows only the first view has.
        only_in_second: how many rows only the second view has.
        columns: the columns that were compared: those of both views whose types have an equality.
        sample_of_first: some rows that only the first view has, as texts of their values.
        sample_of_second: some rows that only the second view has.
    """

    only_in_first: int
    only_in_second: int
    columns: tuple[str, ...]
    sample_of_first: tuple[tuple[str, ...], ...]
    sample_of_second: tuple[tuple[str, ...], ...]
    left_out: tuple[str, ...] = ()


@attrs.frozen
class ViewComparison:
    """The differences of a view between two environments.

    Attributes:
        name: the name of the view with its database in production.
        missing: the environments that do not have it, ``production`` among them.
        changes: what differs in its columns, from the first environment to the second, as sentences.
        counts: the numbers of rows in both; None if they were not counted, because the target is a folder of files.
        rows: the rows that differ; None if they were not compared.
        problem: why it could not be compared; empty if it could.
    """

    name: str
    missing: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    counts: tuple[int, int] | None = None
    rows: RowDifference | None = None
    problem: str = ""

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs, as far as it was compared."""
        same_count = self.counts is None or self.counts[0] == self.counts[1]
        same_rows = self.rows is None or (self.rows.only_in_first, self.rows.only_in_second) == (0, 0)
        return not (self.missing or self.changes or self.problem) and same_count and same_rows


class Comparison:
    """Compares the views of a project between two environments of one target.

    Args:
        deployment: the target, connected.
        first: an environment; None for production.
        second: another one.
        compares_rows: whether rows are compared one by one, besides their number. Files have no rows.
        sample: how many rows of each side are kept.

    Raises:
        ProjectError: the name of an environment cannot be part of the name of a database.
    """

    def __init__(
        self,
        deployment: Deployment,
        first: str | None,
        second: str | None,
        *,
        compares_rows: bool = False,
        sample: int = SAMPLE,
    ) -> None:
        for side in (first, second):
            deployment.configuration.database_in(side, deployment.configuration.database)
        self._deployment = deployment
        self._sides = (first, second)
        self._compares_rows = compares_rows
        self._counts_rows = deployment.settings.directory is None
        self._sample = sample

    def compare(self, names: Sequence[ObjectIdentifier]) -> Iterator[ViewComparison]:
        """Yield the comparison of each view, given by its name in production.

        A view that cannot be compared is among them, with the reason, so that one does not hide the others.

        Raises:
            ProjectError: rows are to be compared, and the target has none.
        """
        if self._compares_rows and not self._counts_rows:
            name = self._deployment.settings.name
            raise ProjectError(f"The target {name} is a folder of files, which have no rows: compare without --rows.")
        for identifier in names:
            shown = f"{identifier.database}.{identifier.name}"
            try:
                yield self._view(identifier, shown)
            except TableException as error:
                yield ViewComparison(shown, problem=str(error))

    def _view(self, identifier: ObjectIdentifier, shown: str) -> ViewComparison:
        configuration: Configuration = self._deployment.configuration
        found: list[DeployedView | None] = []
        for side in self._sides:
            database = configuration.database_in(side, str(identifier.database))
            exists = self._deployment.catalog.database_exists(database)
            found.append(self._deployment.view(database, identifier.name) if exists else None)
        missing = [side or "production" for side, view in zip(self._sides, found, strict=True) if view is None]
        first, second = found
        if first is None or second is None:
            return ViewComparison(shown, tuple(missing))
        for view in (first, second):
            if view.schema is None or view.operation is None:
                return ViewComparison(shown, problem=f"{view.name} cannot be read: {view.unreadable}")
        tables = tuple([self._table(view) for view in (first, second)])
        schemas = [table.get_resolved_schema() for table in tables]
        changes = compare_schemas(schemas[0], schemas[1], {})
        said = tuple([change.text for change in changes if not isinstance(change, SchemaCommentChanged)])
        counts = (_count(tables[0]), _count(tables[1])) if self._counts_rows else None
        rows = self._rows(tables[0], tables[1]) if self._compares_rows else None
        return ViewComparison(shown, (), said, counts, rows)

    def _table(self, view: DeployedView) -> Table:
        return self._deployment.environment.from_path(path_text(view.identifier.parts))

    def _rows(self, first: Table, second: Table) -> RowDifference | None:
        """Return the rows that differ in the columns that both tables have; None if they have none.

        Raises:
            ValidationException: the types of a column in both tables have nothing in common.
        """
        ours, theirs = first.get_resolved_schema(), second.get_resolved_schema()
        common = [column for column in ours.columns if theirs.index_of(column.name) is not None]
        if not common:
            return None
        pairs = [(column.name, column.data_type, theirs.column(column.name).data_type) for column in common]
        names = [name for name, *types in pairs if all(map(has_equality, types))]
        left_out = tuple([name for name, *_ in pairs if name not in names])
        if not names:
            return RowDifference(0, 0, (), (), (), left_out)
        columns = [col(name) for name in names]
        left, right = first.select(*columns), second.select(*columns)
        only_left, only_right = left.minus_all(right), right.minus_all(left)
        counts = _count(only_left), _count(only_right)
        samples = [
            self._some(only) if count else () for only, count in zip((only_left, only_right), counts, strict=True)
        ]
        return RowDifference(*counts, tuple(names), samples[0], samples[1], left_out)

    def _some(self, table: Table) -> tuple[tuple[str, ...], ...]:
        return tuple([tuple(map(str, row)) for row in table.limit(self._sample).execute().collect()])


def _count(table: Table) -> int:
    ((number,),) = table.select(lit(1).count.alias("n")).execute().collect()
    return int(number)
