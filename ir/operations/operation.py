"""What all query operations are."""

from __future__ import annotations

from collections.abc import Container, Iterator
from operator import attrgetter
from typing import Any, ClassVar

import attrs

from ir import rendering
from ir.contents import CHANGING, EQUAL_NAMES, NOTHING, OUTER, PROCESS, QUERY
from ir.expressions import FieldReference, ResolvedExpression, TableReference
from ir.nodes import Node, computed, init_fields, node, post_order
from ir.rendering import Dialect, DialectName, Layout, LayoutName
from ir.schema import ResolvedSchema

MAX_INDENT = 40
# A tree of more operations than this, counted with every use of a shared one, is written with each of them once.
_WRITTEN_OUT = 20_000


@node
class QueryOperation(Node):
    """A relational operation over its inputs, with the schema of the rows it gives."""

    title: ClassVar[str] = ""
    holds: ClassVar[int] = NOTHING
    """The bits of ``ir.contents`` that an operation has besides those of its expressions and inputs."""
    # What is asked for often is found once.
    _contents: int | None = attrs.field(default=None, init=False)
    _expressions: tuple[ResolvedExpression, ...] | None = attrs.field(default=None, init=False)
    _subqueries: tuple[QueryOperation, ...] | None = attrs.field(default=None, init=False)

    @property
    def contents(self) -> int:
        """Bits of ``ir.contents`` of itself and of what it reads: OUTER, CHANGING, PROCESS and EQUAL_NAMES."""
        known = self._contents
        if known is not None:
            return known
        found = NOTHING
        # What is read has most often been asked already.
        for operation in post_order(self, _not_asked) if _not_asked(self) else (self,):
            found = operation.holds | operation.schema.holds
            for expression in operation.expressions:
                found |= expression.contents & (OUTER | CHANGING | PROCESS | EQUAL_NAMES)
            for read in operation.inputs:
                found |= read.contents
            object.__setattr__(operation, "_contents", found)
        return found

    @property
    def schema(self) -> ResolvedSchema:
        """The columns of the rows."""
        raise NotImplementedError

    def with_names(self, names: tuple[str, ...]) -> QueryOperation | None:
        """Return the same rows under other names, or None if the operation itself gives its columns no names."""
        return None

    def canonical(self) -> QueryOperation:
        """Return the one operation of all that would be written with the text of this one."""
        return self

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        """The operations whose rows this one reads."""
        return ()

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        """The expressions that the operation itself holds, without their parts, in the order of its fields.

        Here they are looked for in the fields; operations of which most queries are made say which they are.
        """
        if self._expressions is None:
            object.__setattr__(self, "_expressions", self._held_expressions())
        assert self._expressions is not None
        return self._expressions

    def _held_expressions(self) -> tuple[ResolvedExpression, ...]:
        found: list[ResolvedExpression] = []
        pending: list[object] = [getattr(self, name) for name in reversed(init_fields(type(self)))]
        while pending:
            value = pending.pop()
            if isinstance(value, ResolvedExpression):
                found.append(value)
            elif isinstance(value, tuple):
                pending.extend(reversed(value))
        return tuple(found)

    @property
    def subqueries(self) -> tuple[QueryOperation, ...]:
        """The different queries within the expressions of the operation itself."""
        known = self._subqueries
        if known is not None:
            return known
        found: dict[QueryOperation, None] = {}
        for expression in self.expressions:
            if expression.contents & QUERY:
                found.update({p.operation: None for p in expression.walk() if isinstance(p, TableReference)})
        object.__setattr__(self, "_subqueries", tuple(found))
        return tuple(found)

    def walk(self) -> Iterator[QueryOperation]:
        """Yield every distinct operation below this one once, inputs first."""
        return post_order(self, attrgetter("inputs"))

    def walk_with_subqueries(self) -> Iterator[QueryOperation]:
        """Yield every distinct operation below this one and in the queries of expressions once, inputs first."""
        return post_order(self, _read_by)

    def as_serializable_string(
        self, dialect: Dialect | DialectName = Dialect.SPARK, layout: Layout | LayoutName = Layout.NESTED
    ) -> str:
        """Return the query as SQL of the dialect.

        Raises:
            TableException: something in the query has no SQL form, or none that means the same in the dialect; the
                message names it and the call that helps.
        """
        return rendering.renderer().operation(self, Dialect.of(dialect), Layout.of(layout))

    def normalize(self) -> QueryOperation:
        """Return the query with the same rows that is made of as few SELECT blocks as the layout MERGED.

        The text in that layout is read back as a query with the same normal form.
        """
        return rendering.renderer().normal_form(self)

    def describe(self) -> str:
        """Return what the operation does, without its inputs: ``(condition: [equals(a, 1)])``."""
        raise NotImplementedError

    def as_summary_string(self) -> str:
        """Return the tree for people: a line for each operation, its inputs indented below it."""
        shorten = self.expanded_size() > _WRITTEN_OUT
        written: set[int] = set()
        lines: list[str] = []
        stack: list[tuple[QueryOperation | str, int]] = [(self, 0)]
        while stack:
            operation, depth = stack.pop()
            # The indent stops growing where nobody reads any more, so that the text stays linear in the query.
            indent = "    " * min(depth, MAX_INDENT)
            if isinstance(operation, str):
                lines.append(f"{indent}{operation}")
                continue
            below = [(child, depth + 1) for child in operation.inputs]
            subqueries = operation.subqueries
            again = shorten and bool(below or subqueries) and id(operation) in written
            written.add(id(operation))
            lines.append(f"{indent}{operation.title}: {'(as above)' if again else operation.describe()}")
            if not again:
                stack.extend(reversed(below))
                for subquery in reversed(subqueries):
                    stack += [(subquery, depth + 2), ("query:", depth + 1)]
        return "\n".join(lines)

    def expanded_size(self, named: Container[QueryOperation] = ()) -> int:
        """Return how many operations the query has when each use of a shared one, or of a subquery, counts.

        Those that are ``named`` count once, and each use of them as one operation.
        """
        sizes: dict[int, int] = {}
        defined = 0
        for operation in self.walk_with_subqueries():
            size = 1 + sum([sizes[id(child)] for child in operation.inputs])
            holding = [expression for expression in operation.expressions if expression.contents & QUERY]
            size += sum([_expanded_size(expression, sizes) for expression in holding])
            if operation in named and operation is not self:
                defined += size
                size = 1
            sizes[id(operation)] = size
        return defined + sizes[id(self)]

    def __repr__(self) -> str:
        return self.as_summary_string()


def only_input() -> Any:
    """Declare the inputs of an operation that reads its ``input`` alone."""
    return computed(lambda self: (self.input,))


def both_sides() -> Any:
    """Declare the inputs of an operation that reads its ``left`` and its ``right``."""
    return computed(lambda self: (self.left, self.right))


def _read_by(operation: QueryOperation) -> tuple[QueryOperation, ...]:
    subqueries = operation.subqueries
    return (*operation.inputs, *subqueries) if subqueries else operation.inputs


def _not_asked(operation: QueryOperation) -> list[QueryOperation]:
    return [read for read in operation.inputs if read._contents is None]


def summary_under_name(expression: ResolvedExpression, name: str, generated: str) -> str:
    """Return an expression for people, with the name of its column unless that says nothing new.

    A name says nothing if it is that of the column itself, or ``generated`` and a number.
    """
    text = expression.as_summary_string()
    named_itself = isinstance(expression, FieldReference) and expression.name == name
    number = name.removeprefix(generated)
    return text if named_itself or (number != name and number.isdigit()) else f"as({text}, {name})"


def _expanded_size(expression: ResolvedExpression, sizes: dict[int, int]) -> int:
    """Return how many operations the queries within an expression have when each use of one counts."""
    found: dict[int, int] = {}
    for part in expression.walk():
        own = sizes[id(part.operation)] if isinstance(part, TableReference) else 0
        found[id(part)] = own + sum(found[id(child)] for child in part.children)
    return found[id(expression)]
