"""The base class of operations: the facts that an operation declares, and the methods that all operations share.

An operation is one class, which declares all facts that other parts of the library need: its names in messages, which
columns and rows of its inputs it passes on, and where it may refer to an outer query. Correlation, the query diff, the
planners, ``to_python()`` and both layouts read these facts, so that a new operation works in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from operator import attrgetter

from ir import light_attrs as attrs
from ir import rendering
from ir.contents import NOTHING, OF_QUERIES, OUTER, QUERY, UNBOUNDED
from ir.expressions import FieldReference, ResolvedExpression
from ir.light_typing import TYPE_CHECKING, Any, ClassVar
from ir.nodes import Node, computed_field, init_fields, node, post_order
from ir.rendering import Dialect, DialectName, Layout, LayoutName, Quoting, QuotingName
from ir.schema import ResolvedSchema
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_INDENT = 40
# A tree with more operations, counting every use of shared ones, is printed with each operation once.
_WRITTEN_OUT = 20_000
# The contents of an expression that count for the operation, too.
_COUNTED = OUTER | OF_QUERIES


@attrs.frozen
class StreamLimit(attrs.Slotted):
    """Why Spark cannot run an operation over a stream in any output mode, the way around, and Spark's condition."""

    reason: str
    instead: str
    condition: str | None = None


@node
class QueryOperation(Node):
    """A relational operation over its inputs, with the schema of its output rows.

    Every class declares at least ``title`` and ``noun``.
    """

    title: ClassVar[str] = ""
    """The name of the operation in trees: ``SortPartitions``."""
    noun: ClassVar[str] = ""
    """The name of the operation in sentences: ``sort within partitions``. ``label`` may add the table or function."""
    adjective: ClassVar[str] = ""
    """The word for its output in generated names, after the table name: ``sorted``; empty if there is none."""
    sql_clause: ClassVar[str] = ""
    """The SQL clause of the operation, for messages: ``SORT BY``."""
    replacement: ClassVar[str] = ""
    """What to write in a dialect that lacks the operation, as a sentence; empty if nothing replaces it."""
    keeps_columns: ClassVar[bool] = False
    """Whether the output columns are those of the only input, in order."""
    feature: ClassVar[str | None] = None
    """What the SQL of the operation needs of the engine, if not every target has it (``ir.targets``)."""
    holds: ClassVar[int] = NOTHING
    """The bits of ``ir.contents`` that the operation adds to those of its expressions and inputs."""
    # Caches of frequently used properties.
    _contents: int | None = attrs.field(default=None, init=False)
    _expressions: tuple[ResolvedExpression, ...] | None = attrs.field(default=None, init=False)
    _subqueries: tuple[QueryOperation, ...] | None = attrs.field(default=None, init=False)

    @property
    def contents(self) -> int:
        """The bits of ``ir.contents`` of the operation and its inputs: OUTER and those of OF_QUERIES."""
        known = self._contents
        if known is not None:
            return known
        found = NOTHING
        # Most often the inputs have their bits already.
        for operation in post_order(self, _list_unvisited) if _list_unvisited(self) else (self,):
            found = operation.holds | operation.schema.holds
            for expression in operation.expressions:
                found |= expression.contents & _COUNTED
            for read in operation.inputs:
                found |= read.contents
            object.__setattr__(operation, "_contents", found)
        return found

    @property
    def is_unbounded(self) -> bool:
        """Whether the rows do not end, because the query reads a stream."""
        return bool(self.contents & UNBOUNDED)

    @property
    def schema(self) -> ResolvedSchema:
        """The columns of the output."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        """The noun, with the name of the table or function if the operation has one."""
        return self.noun

    @property
    def stream_limit(self) -> StreamLimit | None:
        """Why Spark runs the operation over its streams in no output mode (``ir.streaming``); None if it runs it."""
        return None

    @property
    def compares_rows(self) -> bool:
        """Whether the output rows depend on all columns of the inputs."""
        return False

    @property
    def needs_all_rows(self) -> bool:
        """Whether the first output row depends on all rows of the input, so that it is never known over a stream."""
        return False

    @property
    def groups_rows(self) -> bool:
        """Whether several input rows become one output row, so that a stream needs state for each of these rows."""
        return False

    @property
    def takes_outer_references(self) -> bool:
        """Whether Spark allows outer references in the operation's own expressions."""
        return False

    @property
    def hides_outer_query(self) -> bool:
        """Whether Spark rejects outer references anywhere below the operation."""
        return False

    def refused_recursion(self, reads: Sequence[bool]) -> str | None:
        """Return the place below the operation where Spark rejects a recursive reference, None if Spark allows it.

        Args:
            reads: for each input and subquery, whether it reads the recursive query.
        """
        return None

    def column_below(self, index: int) -> tuple[QueryOperation, int] | None:
        """Return the input column that an output column passes on, None if the operation computes it."""
        return (self.inputs[0], index) if self.keeps_columns else None

    def with_names(self, names: tuple[str, ...]) -> QueryOperation | None:
        """Return the same rows under other column names, None if the operation does not name its columns."""
        return None

    def canonical(self) -> QueryOperation:
        """Return the canonical form among all operations with the same SQL text."""
        return self

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        """The operations whose rows this operation reads."""
        return ()

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        """The expressions of the operation itself, without their parts, in the order of its fields.

        The base class collects them from the fields; frequent operations override this.
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
        """The distinct queries in the expressions of the operation itself."""
        known = self._subqueries
        if known is not None:
            return known
        found: dict[QueryOperation, None] = {}
        for expression in self.expressions:
            if expression.contents & QUERY:
                found.update({p.operation: None for p in expression.walk() if isinstance(p, TableReference)})
        object.__setattr__(self, "_subqueries", tuple(found))
        return tuple(found)

    def map_parts(self, change: Callable[[Any], Any]) -> Self:
        """Return the same operation with ``change`` applied to each operation and expression in its fields.

        ``change`` decides about parts of expressions and inputs. If nothing changes, the operation itself is returned.
        """
        changes: dict[str, object] = {}
        for name in init_fields(type(self)):
            value = getattr(self, name)
            changed = _map_value(value, change)
            if changed is not value:
                changes[name] = changed
        return self.evolve(**changes) if changes else self

    def with_inputs(self, inputs: Sequence[QueryOperation]) -> Self:
        """Return the same operation over other inputs, in the order of ``inputs``."""
        following = iter(inputs)
        return self.map_parts(lambda part: next(following) if isinstance(part, QueryOperation) else part)

    def walk(self) -> Iterator[QueryOperation]:
        """Yield every distinct operation of the tree once, inputs first."""
        return post_order(self, attrgetter("inputs"))

    def walk_with_subqueries(self) -> Iterator[QueryOperation]:
        """Yield every distinct operation of the tree and of its subqueries once, inputs first."""
        return post_order(self, _list_reads)

    def as_serializable_string(
        self,
        dialect: Dialect | DialectName = Dialect.SPARK,
        layout: Layout | LayoutName = Layout.NESTED,
        target: str | None = None,
        quoting: Quoting | QuotingName = Quoting.ALL,
    ) -> str:
        """Return the query as SQL in a dialect, for the newest version of its engine or a target.

        Args:
            dialect: the dialect.
            layout: how operations share SELECT blocks.
            target: the name of the target; by default the newest version of Spark.
            quoting: whether all names are quoted, or only those that Spark understands in no other way.

        Raises:
            TableException: a part of the query has no equivalent SQL in the dialect, or the target lacks it; the
                message names the part and the remedy.
            ValidationException: there is no such target, or the dialect is not the target's.
        """
        return rendering.renderer().operation(self, Dialect.of(dialect), Layout.of(layout), target, Quoting.of(quoting))

    def to_json(self) -> str:
        """Return the typed tree as a JSON document, for programs in any language; ``from_json`` reads it.

        ``serializer/tree_json/tree.schema.json`` is the JSON Schema of documents, and the page ``tree-json`` of the
        documentation describes them. Equal queries have equal documents. A subtree that several operations read is
        stored once.

        >>> from ir.operations.source import SINGLE_ROW
        >>> print(SINGLE_ROW.to_json())
        {
          "document": "tableapi query tree",
          "version": 1,
          "types": [],
          "schemas": [
            {"columns": []}
          ],
          "functions": [],
          "nodes": [
            {"node": "Values", "schema": 0, "rows": [[]]}
          ],
          "root": 0
        }
        >>> QueryOperation.from_json(SINGLE_ROW.to_json()) is SINGLE_ROW
        True

        Raises:
            TableException: the query reads anonymous data of this process, or calls a function without a name.
        """
        return rendering.renderer().write_json(self)

    @staticmethod
    def from_json(text: str, find_function: Callable[[tuple[str, ...]], Any] | None = None) -> QueryOperation:
        """Return the query of a JSON document, with the checks of a newly built query.

        Args:
            text: the document.
            find_function: returns the definition of the user-defined function of a path, given by its parts. By
                default, documents with user-defined functions are refused.

        Raises:
            TreeJsonException: the text is not such a document, its version is unknown, or its query is invalid. The
                exception has the place in the document as a JSON pointer.
        """
        read: QueryOperation = rendering.renderer().read_json(text, find_function)
        return read

    def normalize(self) -> QueryOperation:
        """Return the equivalent query that has as few SELECT blocks as the layout MERGED.

        The text in that layout parses to a query with the same normal form.
        """
        normal: QueryOperation = rendering.renderer().normal_form(self)
        return normal

    def describe(self) -> str:
        """Return a description of the operation without its inputs: ``(condition: [equals(a, 1)])``."""
        raise NotImplementedError

    def as_summary_string(self) -> str:
        """Return the tree in readable form: a line for each operation, its inputs indented below it."""
        shorten = self.expanded_size() > _WRITTEN_OUT
        written: set[int] = set()
        lines: list[str] = []
        stack: list[tuple[QueryOperation | str, int]] = [(self, 0)]
        while stack:
            operation, depth = stack.pop()
            # The indent is limited, so that the text stays linear in the size of the query.
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
        """Return the number of operations in the query, counting every use of a shared operation and of a subquery.

        Operations in ``named`` count once, and each use of them counts as one operation.
        """
        sizes: dict[int, int] = {}
        defined = 0
        for operation in self.walk_with_subqueries():
            size = 1 + sum([sizes[id(child)] for child in operation.inputs])
            holding = [expression for expression in operation.expressions if expression.contents & QUERY]
            size += sum([_expand_size_of_expression(expression, sizes) for expression in holding])
            if operation in named and operation is not self:
                defined += size
                size = 1
            sizes[id(operation)] = size
        return defined + sizes[id(self)]

    def __repr__(self) -> str:
        return self.as_summary_string()


@node
class TableReference(ResolvedExpression):
    """A query as an argument of IN, EXISTS or a scalar subquery."""

    operation: QueryOperation
    contents: int = computed_field(lambda self: QUERY | self.operation.contents & OF_QUERIES)

    @property
    def data_type(self) -> LogicalType:
        return self.operation.schema.as_row_type()

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        # The tree of the query is shown below the operation that contains it.
        return ["query"]


def _map_value(value: object, change: Callable[[Any], Any]) -> object:
    """Return the value of a field with its operations and expressions changed, or the value itself if none changes."""
    if isinstance(value, (QueryOperation, ResolvedExpression)):
        return change(value)
    if isinstance(value, tuple):
        items = [_map_value(item, change) for item in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else tuple(items)
    return value


def only_input() -> Any:
    """Declare the inputs of an operation that only reads ``input``."""
    return computed_field(lambda self: (self.input,))


def both_sides() -> Any:
    """Declare the inputs of an operation that reads ``left`` and ``right``."""
    return computed_field(lambda self: (self.left, self.right))


def _list_reads(operation: QueryOperation) -> tuple[QueryOperation, ...]:
    subqueries = operation.subqueries
    return (*operation.inputs, *subqueries) if subqueries else operation.inputs


def _list_unvisited(operation: QueryOperation) -> list[QueryOperation]:
    return [read for read in operation.inputs if read._contents is None]


def summary_under_name(expression: ResolvedExpression, name: str, generated: str) -> str:
    """Return the summary of an expression with its column name, unless the name adds nothing.

    A name adds nothing if it is that of the column itself, or ``generated`` with a number.
    """
    text = expression.as_summary_string()
    named_itself = isinstance(expression, FieldReference) and expression.name == name
    number = name.removeprefix(generated)
    return text if named_itself or (number != name and number.isdigit()) else f"as({text}, {name})"


def _expand_size_of_expression(expression: ResolvedExpression, sizes: dict[int, int]) -> int:
    """Return the number of operations in the subqueries of an expression, counting every use of each."""
    found: dict[int, int] = {}
    for part in expression.walk():
        own = sizes[id(part.operation)] if isinstance(part, TableReference) else 0
        found[id(part)] = own + sum(found[id(child)] for child in part.children)
    return found[id(expression)]
