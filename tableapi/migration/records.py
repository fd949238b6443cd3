"""The input and the report of an import: the source views, and the outcome of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import Enum
from typing import Any

import attrs

from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.schema import ResolvedSchema
from tableapi.catalog.statements import ViewDefinition
from tableapi.project.objects import Key
from tableapi.project.pipelines.build import Storage


class Outcome(Enum):
    """How the import of a view ended."""

    PROVED = "proved"
    UNPROVED = "unproved"
    TEXT = "text"

    @property
    def words(self) -> str:
        """The outcome in words."""
        return _WORDS[self]


_WORDS = {
    Outcome.PROVED: "imported and proved",
    Outcome.UNPROVED: "imported, not proved",
    Outcome.TEXT: "kept as text",
}


class Form(Enum):
    """In which form a view is written."""

    AUTHOR = "the author's text"
    NORMALISED = "the normalised text"
    PYTHON = "a Python function"
    TEXT = "the text that cannot be read"


class Check(Enum):
    """The result of one comparison."""

    SAME = "same"
    DIFFERENT = "different"
    NOT_MADE = "not made"


@attrs.frozen
class Failure:
    """Why a view cannot be read.

    Attributes:
        reason: the reason as sentences.
        line: the line in the text of the query, from 1; 0 if no place is known.
        column: the column in the line, from 1; 0 if no place is known.
    """

    reason: str
    line: int = 0
    column: int = 0


@attrs.frozen(eq=False)
class SourceView:
    """A view as the import has read it.

    Attributes:
        database: the database.
        name: the name in the database.
        definition: the query's text with columns, comment, properties and schema mode.
        settings: the settings with which its text is read.
        namespace: the catalog and database of names without them; empty if they are unknown.
        operation: the tree of the query; None if it cannot be read.
        schema: the columns that readers see; None if they are unknown.
        failure: why it cannot be read; None if it can.
        original: the statement as it was written, if it was read from a file.
        preamble: the comments before the statement.
        dialect: the dialect of the text.
        notes: what a reader of the report has to know.
        doubt: why it cannot be proved, although it can be imported; empty if nothing is known.
        digest: a fingerprint of all that was read.
        place: the file and line of the statement, if it was read from a file.
        storage: how the rows of a table of a pipeline are stored; None for a view.
    """

    database: str
    name: str
    definition: ViewDefinition
    settings: Mapping[str, str] = attrs.field(factory=dict)
    namespace: tuple[str, ...] = ()
    operation: QueryOperation | None = None
    schema: ResolvedSchema | None = None
    failure: Failure | None = None
    original: str = ""
    preamble: str = ""
    dialect: Dialect = Dialect.SPARK
    notes: tuple[str, ...] = ()
    doubt: str = ""
    digest: str = ""
    place: str = ""
    storage: Storage | None = None

    @property
    def key(self) -> Key:
        """The folded database and name."""
        return fold(self.database), fold(self.name)

    @property
    def shown(self) -> str:
        """The name with its database."""
        return f"{self.database}.{self.name}"


@attrs.frozen
class Proof:
    """The comparisons of a view with its imported form.

    Attributes:
        columns: names and types of the columns.
        tree: the tree of the original, and that of the written file.
        plan: Spark's optimised plans.
        rows: a hash over all rows.
        details: what differs, as sentences.
        sample: some rows that only one side has, each a side and the texts of its values.
    """

    columns: Check = Check.NOT_MADE
    tree: Check = Check.NOT_MADE
    plan: Check = Check.NOT_MADE
    rows: Check = Check.NOT_MADE
    details: tuple[str, ...] = ()
    sample: tuple[tuple[str, ...], ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the columns and the query are equal and, if Spark was asked, also the plans or all rows."""
        if not self.columns is self.tree is Check.SAME or self.rows is Check.DIFFERENT:
            return False
        return self.rows is Check.SAME or self.plan is not Check.DIFFERENT


@attrs.frozen
class ViewResult:
    """How one view ended.

    Attributes:
        name: the name with its database.
        outcome: how it ended.
        form: in which form it was written.
        file: the file, relative to the folder; empty if nothing was written.
        reason: why it is not proved or cannot be read; empty if it is proved.
        line: the line in the file to which the reason refers; 0 if no place is known.
        column: the column in the line; 0 if no place is known.
        notes: what a reader of the report has to know.
        proof: what was compared.
        reads: the names of the tables and views that it reads.
        origin: the file and line from which it was read; empty for a view of a catalog.
        is_resumed: whether an earlier run did all this.
    """

    name: str
    outcome: Outcome
    form: Form
    file: str = ""
    reason: str = ""
    line: int = 0
    column: int = 0
    notes: tuple[str, ...] = ()
    proof: Proof = Proof()
    reads: tuple[str, ...] = ()
    origin: str = ""
    is_resumed: bool = False

    @property
    def place(self) -> str:
        """The place for editors."""
        return ":".join([self.file, *[str(number) for number in (self.line, self.column) if number]])

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        made: dict[str, Any] = attrs.asdict(self, value_serializer=lambda _, __, value: _plain(value))
        return made

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> ViewResult:
        """Return the result that ``to_json`` wrote.

        Raises:
            KeyError, TypeError, ValueError: the object is no such result.
        """
        proof = given["proof"]
        checks = {name: Check(proof[name]) for name in ("columns", "tree", "plan", "rows")}
        sample = tuple([tuple(row) for row in proof["sample"]])
        return cls(
            **{
                **given,
                "outcome": Outcome(given["outcome"]),
                "form": Form(given["form"]),
                "notes": tuple(given["notes"]),
                "reads": tuple(given["reads"]),
                "proof": Proof(**checks, details=tuple(proof["details"]), sample=sample),
            }
        )


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else list(value) if isinstance(value, tuple) else value


@attrs.frozen
class ImportReport:
    """How an import ended.

    Attributes:
        origin: the target and its databases, or the files.
        folder: the folder of the project.
        views: the results by name.
        tables: the tables whose columns were written, and views that are read and not imported.
        functions: the functions that were written.
        left: the files that were not written, because somebody edited them or they are not of an import.
        skipped: the statements of files that are not views, each with its file, line and first words.
    """

    origin: str
    folder: str
    views: tuple[ViewResult, ...]
    tables: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many views ended in which way."""
        found = Counter(view.outcome for view in self.views)
        return {outcome.value: found[outcome] for outcome in Outcome}

    @property
    def is_proved(self) -> bool:
        """Whether all views were imported and proved."""
        return all(view.outcome is Outcome.PROVED for view in self.views)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return {
            "origin": self.origin,
            "folder": self.folder,
            "counts": self.counts,
            "resumed": sum(view.is_resumed for view in self.views),
            "views": [view.to_json() for view in self.views],
            "tables": list(self.tables),
            "functions": list(self.functions),
            "left": list(self.left),
            "skipped": list(self.skipped),
        }
