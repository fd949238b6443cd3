"""The datasets and flows of a pipeline, and what a check finds about them."""

from __future__ import annotations

import re

import attrs

from ir.schema import ResolvedSchema
from tableapi.project.findings import Finding
from tableapi.project.pipelines.resolution import Key
from tableapi.project.pipelines.statements import DatasetKind, Definition, NamedPlace


@attrs.frozen(eq=False)
class Dataset:
    """A dataset or flow of a pipeline.

    Attributes:
        kind: what it is.
        key: its database and name, or its name alone.
        file: the file that defines it, relative to the pipeline.
        line: the line of its name.
        definition: the statement; None for one that Python defines by more than the text of a query.
        database: the database of names without one in its query.
        schema: its columns; None if they are unknown.
        why_unknown: why it is not checked; empty if it is.
        calls_python: whether the query may call functions in Python.
    """

    kind: DatasetKind
    key: Key
    file: str
    line: int
    definition: Definition | None
    database: str
    schema: ResolvedSchema | None = None
    why_unknown: str = ""
    calls_python: bool = False

    @property
    def place(self) -> tuple[str, int, int]:
        """The file, line and column of its name; the column is 0 in Python."""
        definition = None if self.file.endswith(".py") else self.definition
        column = 0 if definition is None else line_and_column(definition.text, definition.name.position)[1]
        return self.file, self.line, column

    @property
    def name(self) -> str:
        """The name with its database; a temporary view and a flow have none."""
        return ".".join(self.key)


@attrs.frozen(eq=False)
class PipelineCheck:
    """The result of a check of a pipeline.

    Attributes:
        name: the name of the pipeline.
        datasets: the datasets and flows, in the order of their files.
        findings: what is wrong, ordered by file and line.
    """

    name: str
    datasets: tuple[Dataset, ...]
    findings: tuple[Finding, ...]

    @property
    def recomputed(self) -> list[str]:
        """The names of the materialized views, all of whose rows each run computes anew."""
        return [one.name for one in self.datasets if one.kind is DatasetKind.MATERIALIZED_VIEW]

    @property
    def unchecked(self) -> list[Dataset]:
        """The datasets and flows that could not be checked."""
        return [one for one in self.datasets if one.why_unknown]


def finding_at(dataset: Dataset, message: str, name: NamedPlace, *, error: bool = True) -> Finding:
    """Return a finding at a name in the statement of a dataset."""
    assert dataset.definition is not None
    line, column = line_and_column(dataset.definition.text, name.position)
    if dataset.file.endswith(".py") and line <= dataset.line:
        # The head of a statement that says what a decorator says.
        column = 0
    return Finding(dataset.name, message, dataset.file, line, column, error)


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """Return the line and the column of a position, from 1."""
    before = text[:position]
    return before.count("\n") + 1, position - before.rfind("\n")


def without_place(message: str) -> str:
    """Return a message without the line and column at its end, which the finding has."""
    return re.sub(r"\nline \d+, column \d+:\n.*\Z", "", message, flags=re.DOTALL)
