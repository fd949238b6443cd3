"""Records of changes, each with a sentence."""

from __future__ import annotations

from enum import Enum

import attrs

from ir.expressions import ResolvedExpression
from ir.identifiers import quote
from ir.operations.operation import QueryOperation
from ir.schema import Column
from ir.types import LogicalType
from tableapi.query_diff import change_sentences as words


class Detail:
    """One changed part of an operation."""

    __slots__ = ()

    @property
    def part(self) -> str:
        """The changed part, such as ``the condition``; empty for the operation itself."""
        return ""

    @property
    def text(self) -> str:
        """A description of the change, without a full stop."""
        raise NotImplementedError


class Action(Enum):
    """Whether something was added or removed."""

    ADDED = "added"
    REMOVED = "removed"


@attrs.frozen
class ExpressionChanged(Detail):
    """An expression in ``part`` of an operation changed from ``old`` to ``new``, given as the smallest changes."""

    part: str
    old: ResolvedExpression
    new: ResolvedExpression

    @property
    def text(self) -> str:
        old, new = words.shorten_both(words.sql(self.old), words.sql(self.new))
        if old == new:
            # The types differ, which the text does not always show.
            old, new = (f"{words.shorten(words.sql(e))} of type {e.data_type!r}" for e in (self.old, self.new))
        return f"{old} became {new}"


@attrs.frozen
class ElementsChanged(Detail):
    """Conjuncts, values of a list or sort keys were added to ``part`` or removed from it."""

    part: str
    action: Action
    elements: tuple[ResolvedExpression, ...]

    @property
    def text(self) -> str:
        if len(self.elements) == 1:
            return f"{words.shorten(words.sql(self.elements[0]))} was {self.action.value}"
        return f"{words.list_first(self.elements)} were {self.action.value}"


@attrs.frozen
class ElementsReordered(Detail):
    """The order of conjuncts or keys changed."""

    part: str
    elements: tuple[ResolvedExpression, ...]

    @property
    def text(self) -> str:
        return f"the order became {words.shorten(words.list_expressions(self.elements))}"


@attrs.frozen
class ColumnChanged(Detail):
    """A computed column was added or removed; ``kind`` is its role, such as a group key.

    ``is_generated`` says that the name was not chosen by the user.
    """

    kind: str
    action: Action
    name: str
    expression: ResolvedExpression
    is_generated: bool = False

    @property
    def text(self) -> str:
        if self.is_generated:
            return f"{words.shorten(words.sql(self.expression))} was {self.action.value}"
        shown = words.shorten(words.item(self.expression, self.name))
        computed = "" if shown == quote(self.name) else f": {shown}"
        return f"the {self.kind} {quote(self.name)} was {self.action.value}{computed}"


@attrs.frozen
class ColumnRenamed(Detail):
    """A column was renamed."""

    kind: str
    old: str
    new: str

    @property
    def text(self) -> str:
        return f"the {self.kind} {quote(self.old)} was renamed to {quote(self.new)}"


@attrs.frozen
class ColumnsReordered(Detail):
    """The columns of an operation were reordered."""

    kind: str
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"the order of the {self.kind}s became {words.shorten(words.list_names(self.names))}"


@attrs.frozen
class SettingChanged(Detail):
    """A setting other than an expression changed, such as the type of a join or a limit; None means unset."""

    name: str
    old: str | None
    new: str | None

    @property
    def text(self) -> str:
        if self.old is None:
            return f"the {self.name} {words.shorten(self.new or '')} was added"
        if self.new is None:
            return f"the {self.name} {words.shorten(self.old)} was removed"
        old, new = words.shorten_both(self.old, self.new)
        return f"the {self.name} {old} became {new}"


@attrs.frozen
class SidesSwapped(Detail):
    """The left and the right input were swapped."""

    @property
    def text(self) -> str:
        return "the two sides were swapped"


@attrs.frozen
class RowsChanged(Detail):
    """Rows of a VALUES list were added or removed."""

    action: Action
    rows: tuple[tuple[ResolvedExpression, ...], ...]

    @property
    def text(self) -> str:
        shown = words.shorten(", ".join(f"({words.list_expressions(row)})" for row in self.rows[:5]))
        if len(self.rows) == 1:
            return f"the row {shown} was {self.action.value}"
        return f"{len(self.rows)} rows were {self.action.value}: {shown}{', …' if len(self.rows) > 5 else ''}"


@attrs.frozen
class RowsReordered(Detail):
    """The rows of a VALUES list were reordered."""

    @property
    def text(self) -> str:
        return "the order of the rows changed"


# --- columns of schemas ----------------------------------------------------------------------------------------------


class SchemaChange(Detail):
    """A change of the columns of a result or of a table."""

    __slots__ = ()

    @property
    def is_compatible(self) -> bool:
        """Whether a reader of the old columns by name can read the new ones without change."""
        return True


@attrs.frozen
class SchemaColumnAdded(SchemaChange):
    """A column was added."""

    column: Column

    @property
    def text(self) -> str:
        return f"the column {quote(self.column.name)} was added, {_type(self.column.data_type)}"


@attrs.frozen
class SchemaColumnRemoved(SchemaChange):
    """A column was removed."""

    column: Column

    @property
    def is_compatible(self) -> bool:
        return False

    @property
    def text(self) -> str:
        return f"the column {quote(self.column.name)} was removed"


@attrs.frozen
class SchemaColumnRenamed(SchemaChange):
    """A column was renamed; if only the case changed, readers still find it."""

    old: str
    new: str
    is_found: bool

    @property
    def is_compatible(self) -> bool:
        return self.is_found

    @property
    def text(self) -> str:
        return f"the column {quote(self.old)} was renamed to {quote(self.new)}"


@attrs.frozen
class SchemaTypeChanged(SchemaChange):
    """The type of a column changed."""

    name: str
    old: LogicalType
    new: LogicalType

    @property
    def is_compatible(self) -> bool:
        return False

    @property
    def text(self) -> str:
        return f"the type of the column {quote(self.name)} became {_type(self.new)}, it was {_type(self.old)}"


@attrs.frozen
class SchemaNullabilityChanged(SchemaChange):
    """The nullability of a column changed, but not its type."""

    name: str
    is_nullable: bool

    @property
    def is_compatible(self) -> bool:
        return not self.is_nullable

    @property
    def text(self) -> str:
        return f"the column {quote(self.name)} {'may be NULL now' if self.is_nullable else 'is never NULL now'}"


@attrs.frozen
class SchemaCommentChanged(SchemaChange):
    """The comment of a column changed."""

    name: str
    old: str | None
    new: str | None

    @property
    def text(self) -> str:
        if self.new is None:
            return f"the comment of the column {quote(self.name)} was removed"
        return f"the comment of the column {quote(self.name)} became {words.shorten(self.new)!r}"


@attrs.frozen
class SchemaReordered(SchemaChange):
    """The old columns were reordered."""

    names: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"the order of the columns became {words.shorten(words.list_names(self.names))}"


def _type(data_type: LogicalType) -> str:
    return data_type.as_summary_string()


# --- operations ------------------------------------------------------------------------------------------------------


class Change:
    """A change of one operation."""

    __slots__ = ()

    def as_text(self) -> str:
        """Return a sentence for each change, one per line."""
        raise NotImplementedError


@attrs.frozen
class OperationInserted(Change):
    """An operation was inserted above an input that existed before, at position ``side``.

    ``place`` says where: ``on the right side of the join``, ``in the subquery of the filter``, or an empty string on
    the main path from the root.
    """

    operation: QueryOperation
    place: str = ""
    side: int = 0

    def as_text(self) -> str:
        return _sentence(self.place, f"{_a(self.operation)} was added{_content(self.operation, self.side)}")


@attrs.frozen
class OperationRemoved(Change):
    """An operation was removed, but its input at position ``side`` was kept."""

    operation: QueryOperation
    place: str = ""
    side: int = 0

    def as_text(self) -> str:
        return _sentence(self.place, f"{_a(self.operation)} was removed{_content(self.operation, self.side)}")


@attrs.frozen
class OperationMoved(Change):
    """An operation was moved: it is now above the input of ``new`` at position ``side``."""

    old: QueryOperation
    new: QueryOperation
    place: str = ""
    side: int = 0

    def as_text(self) -> str:
        after = self.new.inputs[self.side].label
        moved = f"{_a(self.new)} was moved to after the {after}"
        return _sentence(self.place, moved + _content(self.new, self.side))


@attrs.frozen
class OperationReplaced(Change):
    """A source was replaced by another table, or by rows of another kind."""

    old: QueryOperation
    new: QueryOperation
    place: str = ""

    def as_text(self) -> str:
        return _sentence(self.place, words.describe_replacement(self.old, self.new))


@attrs.frozen
class OperationChanged(Change):
    """An operation changed; ``details`` describe how."""

    old: QueryOperation
    new: QueryOperation
    details: tuple[Detail, ...]
    place: str = ""

    def as_text(self) -> str:
        whole = f"the {self.old.label}"
        parts = [f"{detail.part} of {whole}" if detail.part else whole for detail in self.details]
        told = zip(parts, self.details, strict=True)
        return "\n".join(_sentence(self.place, f"in {part}, {detail.text}") for part, detail in told)


def _content(operation: QueryOperation, side: int) -> str:
    content = words.content(operation, side)
    return f": {words.shorten(content)}" if content else ""


def _a(operation: QueryOperation) -> str:
    noun = operation.label
    return f"{'an' if noun[0] in 'aeiou' and not noun.startswith('un') else 'a'} {noun}"


def _sentence(place: str, text: str) -> str:
    whole = f"{place}, {text}" if place else text
    return f"{whole[0].upper()}{whole[1:]}."
