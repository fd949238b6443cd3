"""What all query operations are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ir import rendering
from ir.nodes import Node, node, post_order
from ir.rendering import Dialect, Layout
from ir.schema import ResolvedSchema

MAX_INDENT = 40
# A tree of more operations than this, counted with every use of a shared one, is written with each of them once.
_WRITTEN_OUT = 20_000


@node
class QueryOperation(Node):
    """A relational operation over its inputs, with the schema of the rows it gives."""

    title: ClassVar[str] = ""

    @property
    def schema(self) -> ResolvedSchema:
        """The columns of the rows."""
        raise NotImplementedError

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        """The operations whose rows this one reads."""
        return ()

    def walk(self) -> Iterator[QueryOperation]:
        """Yield every distinct operation below this one once, inputs first."""
        return post_order(self, lambda operation: operation.inputs)

    def as_serializable_string(
        self, dialect: Dialect | str = Dialect.SPARK, layout: Layout | str = Layout.NESTED
    ) -> str:
        """Return the query as SQL of the dialect.

        Raises:
            TableException: something in the query has no SQL form, or none that means the same in the dialect; the
                message names it and the call that helps.
        """
        return rendering.renderer().operation(self, Dialect.of(dialect), Layout.of(layout))

    def describe(self) -> str:
        """Return what the operation does, without its inputs: ``(condition: [equals(a, 1)])``."""
        raise NotImplementedError

    def as_summary_string(self) -> str:
        """Return the tree for people: a line for each operation, its inputs indented below it."""
        shorten = self.expanded_size() > _WRITTEN_OUT
        written: set[int] = set()
        lines: list[str] = []
        stack: list[tuple[QueryOperation, int]] = [(self, 0)]
        while stack:
            operation, depth = stack.pop()
            again = shorten and bool(operation.inputs) and id(operation) in written
            written.add(id(operation))
            # The indent stops growing where nobody reads any more, so that the text stays linear in the query.
            indent = "    " * min(depth, MAX_INDENT)
            lines.append(f"{indent}{operation.title}: {'(as above)' if again else operation.describe()}")
            if not again:
                stack.extend((child, depth + 1) for child in reversed(operation.inputs))
        return "\n".join(lines)

    def expanded_size(self) -> int:
        """Return how many operations the query has when each use of a shared one counts."""
        sizes: dict[int, int] = {}
        for operation in self.walk():
            sizes[id(operation)] = 1 + sum(sizes[id(child)] for child in operation.inputs)
        return sizes[id(self)]

    def __repr__(self) -> str:
        return self.as_summary_string()
