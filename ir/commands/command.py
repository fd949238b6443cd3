"""The base classes of commands: the facts that a command declares, and the methods that all commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ir import rendering
from ir.expressions import ResolvedExpression
from ir.identifiers import ObjectIdentifier
from ir.nodes import Node, init_fields, node
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect, DialectName, Layout, LayoutName

if TYPE_CHECKING:
    from typing_extensions import Self

P = TypeVar("P")


@node
class CommandPart(Node):
    """A part of a command that is neither a query nor an expression: a clause, a column, a change."""

    def held(self, kind: type[P]) -> tuple[P, ...]:
        """Return the queries or expressions in the fields of this part and of its parts, in the order of the fields."""
        return tuple(_held(self, kind))

    def map_parts(self, change: Callable[[Any], Any]) -> Self:
        """Return the same part with ``change`` applied to each query and expression in it.

        ``change`` decides about what is below them. If nothing changes, the part itself is returned.
        """
        changes: dict[str, object] = {}
        for name in init_fields(type(self)):
            value = getattr(self, name)
            changed = _map_value(value, change)
            if changed is not value:
                changes[name] = changed
        return self.evolve(**changes) if changes else self


@node
class Command(CommandPart):
    """A statement that declares, changes or drops an object of a catalog, or changes the rows of a table.

    Every class declares ``title``, ``called`` and a field or property ``target``.
    """

    title: ClassVar[str] = ""
    """The name of the command in trees: ``MergeInto``."""
    called: ClassVar[str] = ""
    """The statement with an article, for messages: ``a MERGE statement``."""
    feature: ClassVar[str | None] = None
    """What the SQL of the command needs of the engine, if not every target has it (``ir.targets``)."""

    @property
    def target(self) -> ObjectIdentifier:
        """The full name of the object that the command makes or changes."""
        raise NotImplementedError

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        """The queries whose rows the command reads."""
        return self.held(QueryOperation)

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        """The expressions of the command itself, without their parts, in the order of its fields."""
        return self.held(ResolvedExpression)

    def as_serializable_string(
        self,
        dialect: Dialect | DialectName = Dialect.SPARK,
        layout: Layout | LayoutName = Layout.MERGED,
        target: str | None = None,
    ) -> str:
        """Return the command as an SQL statement, for the newest version of its engine or a target.

        Args:
            dialect: the dialect of the text.
            layout: the layout of the queries in it; the dialect FLINK has NESTED alone, and is written in it.
            target: the name of an engine with its version, such as ``spark-4.0``.

        Raises:
            TableException: a part of the command has no equivalent SQL in the dialect, or the target lacks it; the
                message names the part and the remedy.
            ValidationException: there is no such target, or the dialect is not the target's.
        """
        return rendering.renderer().command(self, Dialect.of(dialect), Layout.of(layout), target)

    def describe(self) -> str:
        """Return a description of the command without its queries: ``(table: [sales.orders])``."""
        raise NotImplementedError

    def as_summary_string(self) -> str:
        """Return the tree in readable form: a line for the command, and its queries indented below it."""
        lines = [f"{self.title}: {self.describe()}"]
        for read in self.inputs:
            lines += [f"    {line}" for line in read.as_summary_string().splitlines()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.as_summary_string()


def _held(part: CommandPart, kind: type[P]) -> Iterator[P]:
    pending: list[object] = [getattr(part, name) for name in reversed(init_fields(type(part)))]
    while pending:
        value = pending.pop()
        if isinstance(value, kind):
            yield value
        elif isinstance(value, tuple):
            pending.extend(reversed(value))
        elif isinstance(value, CommandPart):
            pending.extend(getattr(value, name) for name in reversed(init_fields(type(value))))


def _map_value(value: object, change: Callable[[Any], Any]) -> object:
    """Return the value of a field with its queries and expressions changed, or the value itself if none changes."""
    if isinstance(value, QueryOperation | ResolvedExpression):
        return change(value)
    if isinstance(value, CommandPart):
        return value.map_parts(change)
    if isinstance(value, tuple):
        items = [_map_value(item, change) for item in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else tuple(items)
    return value
