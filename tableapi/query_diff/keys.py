"""Keys for comparing parts of two queries: equal for equal text, regardless of types and positions.

A reference to a column contains the column's type and position, so that a change far below makes all operations above
it different nodes. The key of a reference is its name only, and the key of a call is its function and the keys of its
arguments.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from heapq import nsmallest
from typing import Any

from ir.call_expressions import Call, Over
from ir.expressions import FieldReference, Lambda, LambdaVariable, ResolvedExpression, SortOrder
from ir.nodes import init_fields
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.process import ProcessTable
from ir.operations.set_operation import SetOperation
from ir.operations.source import InlineSource
from ir.schema import ResolvedSchema

NO_RENAMES: Mapping[str, str] = {}
NO_QUERIES: Mapping[QueryOperation, int] = {}

_MOST_TOKENS = 100
# These fields follow from the function, the other arguments and the tables; the names of time columns do not.
_FOLLOWING = ("names", "on_time", "output", "state_types")


def _scatter(key: int) -> int:
    """Return a number that orders keys pseudo-randomly but reproducibly (Knuth's multiplicative hash)."""
    return key * 2654435761 % 2**32


class _NoNames(Mapping[str, Hashable]):
    """A mapping that makes all names equal."""

    def __getitem__(self, name: str) -> Hashable:
        return None

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


_NO_NAMES = _NoNames()


class Keys:
    """Numbers for expressions and operations; equal numbers mean equal text."""

    def __init__(self) -> None:
        self._number_of: dict[Hashable, int] = {}
        self._expressions: dict[ResolvedExpression, int] = {}
        self._own: dict[QueryOperation, int] = {}
        self._unnamed: dict[QueryOperation, int] = {}
        self._unnamed_parts: dict[ResolvedExpression, int] = {}
        self._whole: dict[QueryOperation, int] = {}
        self._tokens: dict[QueryOperation, frozenset[int]] = {}

    def _number(self, content: Hashable) -> int:
        return self._number_of.setdefault(content, len(self._number_of))

    def add(self, operations: Iterable[QueryOperation]) -> None:
        """Compute the keys of the operations of a query and of its subqueries, inputs first."""
        for operation in operations:
            if operation not in self._own:
                own = self._own[operation] = self._number(self._content(operation))
                self._whole[operation] = self._number((own, *[self._whole[i] for i in operation.inputs]))

    def own(self, operation: QueryOperation) -> int:
        """Return the key of an operation without its inputs."""
        return self._own[operation]

    def unnamed(self, operation: QueryOperation) -> int:
        """Return a key of the expressions of an operation that ignores the names of columns."""
        found = self._unnamed.get(operation)
        if found is None:
            parts = [self.expression_in(e, self._unnamed_parts, _NO_NAMES, NO_QUERIES) for e in operation.expressions]
            found = self._unnamed[operation] = self._number((type(operation), *parts))
        return found

    def tokens(self, operation: QueryOperation) -> frozenset[int]:
        """Return the keys of the parts of an operation's expressions, which measure similarity.

        If there are very many, return a selection that depends on the keys only.
        """
        found = self._tokens.get(operation)
        if found is None:
            parts = [part for expression in operation.expressions for part in expression.walk()]
            every = frozenset(map(self.expression, parts))
            if len(every) > _MOST_TOKENS:
                every = frozenset(nsmallest(_MOST_TOKENS, every, key=_scatter))
            found = self._tokens[operation] = every
        return found

    def expression(self, root: ResolvedExpression) -> int:
        """Return the key of an expression."""
        return self.expression_in(root, self._expressions, NO_RENAMES, NO_QUERIES)

    def expression_in(
        self,
        root: ResolvedExpression,
        known: dict[ResolvedExpression, int],
        names: Mapping[str, Hashable],
        queries: Mapping[QueryOperation, int],
    ) -> int:
        """Return the key of an expression under other column names, and with given keys for some of its queries.

        ``known`` holds the keys of expressions that were computed with the same names and queries.
        """
        stack = [root]
        while stack:
            current = stack[-1]
            if current in known:
                stack.pop()
                continue
            missing = [child for child in current.children if child not in known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            known[current] = self._number(self._expression_content(current, known, names, queries))
        return known[root]

    def _expression_content(
        self,
        expression: ResolvedExpression,
        known: Mapping[ResolvedExpression, int],
        names: Mapping[str, Hashable],
        queries: Mapping[QueryOperation, int],
    ) -> Hashable:
        match expression:
            case FieldReference():
                return ("column", names.get(expression.name, expression.name))
            case LambdaVariable():
                return ("parameter", expression.name)
            case Lambda():
                return ("lambda", tuple([p.name for p in expression.parameters]), known[expression.body])
            case Call():
                return self._call_content(expression, known)
            case Over():
                keys = [tuple([known[key] for key in keys]) for keys in (expression.partition_by, expression.order_by)]
                return ("over", self._call_content(expression.call, known), *keys, expression.frame)
            case SortOrder():
                return ("order", known[expression.expression], expression.ascending, expression.nulls_first)
            case TableReference():
                return ("query", queries.get(expression.operation, self._whole[expression.operation]))
            case _:
                # Interned and without types or positions of the input, so that the expression is its own key.
                return ("itself", expression)

    @staticmethod
    def _call_content(call: Call, known: Mapping[ResolvedExpression, int]) -> Hashable:
        arguments = tuple([known[argument] for argument in call.arguments])
        condition = None if call.filter is None else known[call.filter]
        orders = tuple([known[order] for order in call.order_by])
        flags = (call.distinct, call.ignore_nulls, call.respect_nulls)
        return ("call", call.function, arguments, flags, condition, orders)

    def _content(self, operation: QueryOperation) -> Hashable:
        values = [self._value(operation, name) for name in init_fields(type(operation))]
        return (type(operation), *values)

    def _value(self, operation: QueryOperation, name: str) -> Hashable:
        if isinstance(operation, InlineSource) and name == "handle":
            return id(operation.handle)
        if isinstance(operation, SetOperation) and isinstance(getattr(operation, name), ResolvedSchema):
            # Follows from the schemas of the inputs.
            return None
        if isinstance(operation, ProcessTable) and name in _FOLLOWING:
            return operation.time_names if name == "on_time" else None
        return self._plain(getattr(operation, name))

    def _plain(self, value: Any) -> Hashable:
        if isinstance(value, QueryOperation):
            return None
        if isinstance(value, ResolvedExpression):
            return self.expression(value)
        if isinstance(value, tuple):
            return tuple([self._plain(item) for item in value])
        if isinstance(value, Decimal):
            return str(value)
        return value  # type: ignore[no-any-return]  # fields of nodes are hashable


class Context:
    """How to compare expressions of a pair of operations.

    Args:
        keys: the keys of both queries.
        renames: the columns of the old input that have another name in the new one.
        queries: pairs of subqueries of the old and the new operation, which are compared separately.
    """

    def __init__(
        self, keys: Keys, renames: Mapping[str, str], queries: list[tuple[QueryOperation, QueryOperation]]
    ) -> None:
        self.renames = renames
        self._keys = keys
        # A name that the new query gives to another column matches none of its columns.
        self._old_names: dict[str, Hashable] = {name: ("gone", name) for name in renames.values()}
        self._old_names.update(renames)
        # Negative numbers differ from all keys.
        self._queries = {query: -1 - number for number, pair in enumerate(queries) for query in pair}
        self._known_old: dict[ResolvedExpression, int] = {}
        self._known_new: dict[ResolvedExpression, int] = {}

    def old(self, expression: ResolvedExpression) -> int:
        """Return the key of an expression of the old operation, under the names of the new one."""
        if not self._old_names and not self._queries:
            return self._keys.expression(expression)
        return self._keys.expression_in(expression, self._known_old, self._old_names, self._queries)

    def new(self, expression: ResolvedExpression) -> int:
        """Return the key of an expression of the new operation."""
        if not self._queries:
            return self._keys.expression(expression)
        return self._keys.expression_in(expression, self._known_new, NO_RENAMES, self._queries)

    def equal(self, old: ResolvedExpression, new: ResolvedExpression) -> bool:
        """Whether the two expressions have the same meaning."""
        return self.old(old) == self.new(new)
