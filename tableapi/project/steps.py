"""The steps of a deployment: what each does to a view or a function, and what it means for readers."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from enum import Enum

import attrs

from ir.operations.operation import QueryOperation
from ir.schema import ResolvedSchema
from tableapi.project.deployment import Deployed
from tableapi.project.objects import Key, Named, StoredFunction
from tableapi.project.readers import Reader


class Kind(Enum):
    """What a step changes."""

    VIEW = "view"
    FUNCTION = "function"


class Action(Enum):
    """What a step does to a view or function."""

    CREATE = "create"
    REPLACE = "replace"
    ADOPT = "adopt"
    DROP = "drop"


class Safety(Enum):
    """What a step means for readers, the gravest last."""

    SAFE = "safe"
    CHANGES_READERS = "changes readers"
    DESTRUCTIVE = "destructive"

    @property
    def rank(self) -> int:
        """The position from the harmless to the grave."""
        return list(Safety).index(self)


@attrs.frozen(eq=False)
class WantedView(Named):
    """A view as the project wants it at the target.

    Attributes:
        identifier: its full name at the target.
        operation: the tree of its query, with the names of the target.
        text: the SQL of the query for the target.
        schema: its columns with their comments.
        comment: its comment.
        properties: the properties of the user.
        origin: the file and line that declare it.
        revision: the revision of the project that declares it; empty if it is unknown.
    """

    operation: QueryOperation
    text: str
    schema: ResolvedSchema
    comment: str | None
    properties: Mapping[str, str]
    origin: str
    revision: str = ""

    @property
    def column_comments(self) -> dict[str, str]:
        """The comments of the columns that have one."""
        return {column.name: column.comment for column in self.schema.columns if column.comment is not None}


@attrs.frozen(eq=False)
class WantedFunction(StoredFunction):
    """A function as the project wants it at the target.

    Attributes:
        identifier: its full name at the target.
        function: the function.
        origin: the file that declares it.
    """

    origin: str


@attrs.frozen(eq=False)
class Step(Named):
    """One change of the catalog.

    Attributes:
        identifier: the full name of the view or function.
        action: what it does.
        safety: what it means for readers.
        words: what changes, as sentences.
        statement: the SQL that does it.
        wanted: the view or function as the project wants it; None for a step that drops.
        found: the view or function as the target has it; None for a new one.
        readers: the views that read or call it, with what the change means for each.
    """

    action: Action
    safety: Safety
    words: tuple[str, ...]
    statement: str
    wanted: WantedView | WantedFunction | None
    found: Deployed | None
    readers: tuple[Reader, ...] = ()

    @property
    def kind(self) -> Kind:
        """Whether it is a view or a function."""
        return Kind.FUNCTION if isinstance(self.wanted or self.found, StoredFunction) else Kind.VIEW

    @property
    def before(self) -> str:
        """The text of the query at the target, or the statement of a function; empty if there is none."""
        return "" if self.found is None else self.found.text

    @property
    def after(self) -> str:
        """The new text; empty for a step that drops."""
        return "" if self.wanted is None else self.wanted.text

    def sql_diff(self) -> list[str]:
        """Return the lines of the difference of the two texts, as a unified diff without its head."""
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), lineterm="", n=2)
        return list(lines)[2:]


@attrs.frozen(eq=False)
class Plan:
    """The steps that bring the catalog of a target to the state of a project.

    Attributes:
        project: the name of the project.
        target: the name of the target.
        environment: the environment whose databases are used; None for production.
        steps: the changes in the order in which they are made.
        unchanged: the names of the views that are as they should be.
        rewritten: those of them whose text differs, though their trees are equal.
        seen: the fingerprints of the views at the target by their names; empty for a view that was not there.
        seen_functions: the same of functions.
    """

    project: str
    target: str
    environment: str | None
    steps: tuple[Step, ...]
    unchanged: tuple[str, ...]
    rewritten: tuple[str, ...]
    seen: Mapping[Key, str]
    seen_functions: Mapping[Key, str]

    @property
    def safety(self) -> Safety:
        """The gravest safety of the steps."""
        return max((step.safety for step in self.steps), key=lambda safety: safety.rank, default=Safety.SAFE)

    def statements(self) -> list[str]:
        """Return the SQL statements of all steps, in their order."""
        return [step.statement for step in self.steps]
