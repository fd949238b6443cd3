"""The steps of a deployment: what each does to a view or a function, what it means for readers, and plans as text."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Final

import attrs

from ir.operations.operation import QueryOperation
from ir.schema import ResolvedSchema
from tableapi.lazy import lazy
from tableapi.project.declarations import ViewKind
from tableapi.project.deployment import Deployed
from tableapi.project.objects import Key, Named, StoredFunction
from tableapi.project.readers import Reader

if TYPE_CHECKING:
    from tableapi.display import rendering
else:
    rendering = lazy(__name__, "tableapi.display.rendering")


class Kind(Enum):
    """The kind of object that a step changes."""

    VIEW = "view"
    FUNCTION = "function"


class Action(Enum):
    """The action of a step on a view or function."""

    CREATE = "create"
    REPLACE = "replace"
    ADOPT = "adopt"
    DROP = "drop"


class Safety(Enum):
    """The effect of a step on readers, the gravest last."""

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
        settings: the settings that its file declares.
        schema_mode: what happens to its columns if a table below changes; empty for the default.
    """

    operation: QueryOperation
    text: str
    schema: ResolvedSchema
    comment: str | None
    properties: Mapping[str, str]
    origin: str
    revision: str = ""
    settings: Mapping[str, str] = attrs.field(factory=dict)
    schema_mode: str = ""

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


@attrs.frozen(eq=False, repr=False)
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
        of_pipelines: the names of the project's materialized and temporary views, each with its kind. A plan leaves
            them alone, because Spark has them in pipelines only.
        drift_outside: what tables changed under views outside the project since these were made, by their names.
        not_read: the views and catalogs of the target that are not read, with the reason: whether they read what the
            plan changes is not known.
    """

    project: str
    target: str
    environment: str | None
    steps: tuple[Step, ...]
    unchanged: tuple[str, ...]
    rewritten: tuple[str, ...]
    seen: Mapping[Key, str]
    seen_functions: Mapping[Key, str]
    of_pipelines: Mapping[str, str] = attrs.field(factory=dict)
    drift_outside: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    not_read: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def safety(self) -> Safety:
        """The gravest safety of the steps."""
        return max((step.safety for step in self.steps), key=lambda safety: safety.rank, default=Safety.SAFE)

    def statements(self) -> list[str]:
        """Return the SQL statements of all steps, in their order."""
        return [step.statement for step in self.steps]

    def __str__(self) -> str:
        return plan_text(self).rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *_, count = plan_lines(self)
        shown = "".join(_step_html(step, len(self.steps) <= _OPEN_STEPS) for step in self.steps[:_SHOWN_STEPS])
        rest = len(self.steps) - _SHOWN_STEPS
        more = f"The plan has {rest} more step{'' if rest == 1 else 's'}. " if rest > 0 else ""
        lines = (*_pipeline_lines(self), *_outside_lines(self))
        left_alone = "".join(rendering.heading("", line.text.strip()) for line in lines)
        end = rendering.heading("", f"{more}{count.text.strip()}")
        return f"{rendering.heading(head.text, '')}{shown}{left_alone}{end}"


_SIGNS: Final = {Action.CREATE: "+", Action.REPLACE: "~", Action.ADOPT: "=", Action.DROP: "-"}
# In a notebook.
_OPEN_STEPS: Final = 10
_SHOWN_STEPS: Final = 100
_SHOWN_NOT_READ: Final = 5
"""How many of the views and catalogs that are not read the text of a plan names."""


@attrs.frozen
class PlanLine:
    """Lines of the text of a plan.

    Attributes:
        text: the lines.
        role: what they are: ``head``, the safety of a step, ``words``, ``added``, ``removed``, ``same``, ``reader``,
            ``broken`` for a reader that breaks, ``pipeline`` or ``outside`` for a view that is left alone, or
            ``count``.
    """

    text: str
    role: str


def plan_text(plan: Plan) -> str:
    """Return a plan as text: each step with its words, the difference of its SQL, and its readers."""
    return "".join(f"{line.text}\n" for line in plan_lines(plan))


def plan_lines(plan: Plan) -> Iterator[PlanLine]:
    """Yield the lines of the text of a plan, with what they are."""
    where = plan.target if plan.environment is None else f"{plan.target}, environment {plan.environment}"
    yield PlanLine(f"Plan of {plan.project} for {where}", "head")
    for step in plan.steps:
        yield PlanLine(f"\n{_title(step)}", step.safety.value)
        yield from _lines_below(step)
    yield from _pipeline_lines(plan)
    yield from _outside_lines(plan)
    counts = [
        f"{sum(step.action is action for step in plan.steps)} to {action.value}"
        for action in Action
        if any(step.action is action for step in plan.steps)
    ]
    rewritten = f" ({len(plan.rewritten)} of them with another text of the same meaning)" if plan.rewritten else ""
    yield PlanLine(f"\n{', '.join(counts) or 'Nothing to do'}; {len(plan.unchanged)} unchanged{rewritten}.", "count")


def _pipeline_lines(plan: Plan) -> Iterator[PlanLine]:
    begin = "\n"
    for name, kind in plan.of_pipelines.items():
        recomputed = kind == ViewKind.MATERIALIZED.value
        what = " Each run of the pipeline computes all of its rows anew." if recomputed else ""
        yield PlanLine(f"{begin}  {name} is a {kind}, which only a pipeline makes: left alone.{what}", "pipeline")
        begin = ""


def _outside_lines(plan: Plan) -> Iterator[PlanLine]:
    for name, words in plan.drift_outside.items():
        yield PlanLine(f"\n  {name} is a view outside the project, which the plan leaves as it is.", "outside")
        for said in words:
            yield PlanLine(f"    {said}", "words")
    if not any(step.action in (Action.REPLACE, Action.DROP) for step in plan.steps):
        return
    begin = "\n"
    for name, reason in list(plan.not_read.items())[:_SHOWN_NOT_READ]:
        said = f"{begin}  Whether {name} reads what changes is not known: {reason.rstrip('.')}."
        yield PlanLine(said, "outside")
        begin = ""
    more = len(plan.not_read) - _SHOWN_NOT_READ
    if more > 0:
        yield PlanLine(f"  {more:,} more are not read; --json names all.", "outside")


def _title(step: Step) -> str:
    return f"{_SIGNS[step.action]} {describe_step(step)}  [{step.safety.value}]"


def _lines_below(step: Step) -> Iterator[PlanLine]:
    for words in step.words:
        yield PlanLine("\n".join(f"    {line}" for line in words.splitlines()), "words")
    if step.action is Action.REPLACE:
        for line in step.sql_diff():
            role = {"+": "added", "-": "removed"}.get(line[:1], "same")
            yield PlanLine(f"      {line}", role)
    yield from _reader_lines(step)


def _step_html(step: Step, is_open: bool) -> str:
    """Return a step below its title: sentences, which are wrapped, and SQL, which is not."""
    # A step that creates a view has no difference to show, but a text.
    lines = step.sql_diff() if step.action is Action.REPLACE else []
    sql = [(line, line[:1]) for line in lines]
    if step.action is Action.CREATE:
        sql = [(line, "+") for line in step.after.split("\n")]
    readers = list(_reader_lines(step))
    parts = [rendering.list_html([line for words in step.words for line in words.splitlines()])]
    parts += [rendering.marked_html(sql)] if sql else []
    if readers:
        marks = ["-" if line.role == "broken" else "" for line in readers]
        parts.append(rendering.list_html([line.text.strip() for line in readers], marks))
    return rendering.folded_html(_title(step), "".join(parts), is_open)


def _reader_lines(step: Step) -> Iterator[PlanLine]:
    verb = "read" if step.kind is Kind.VIEW else "called"
    for reader in step.readers:
        kind = "in the project" if reader.is_in_project else "outside the project"
        what = f"{kind}; {_columns_of(reader)}" if step.kind is Kind.VIEW else kind
        effect = reader.effect or ("deployed with it" if reader.is_in_plan else "its columns stay the same")
        yield PlanLine(f"    {verb} by {reader.name} ({what}): {effect}", "broken" if reader.breaks else "reader")


def _columns_of(reader: Reader) -> str:
    """Return the columns of a view that a reader reads, for people."""
    if reader.through:
        return f"through {reader.through}"
    if not reader.is_readable:
        return "its text has the name"
    return ", ".join(reader.columns) or "none of its columns"


def describe_step(step: Step) -> str:
    """Describe a step: its action and its object.

    A function is named as such, because most steps are of views.
    """
    kind = " function" if step.kind is Kind.FUNCTION else ""
    return f"{step.action.value}{kind} {step.name}"
