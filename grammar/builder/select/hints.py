"""Reads the hints of a SELECT: join strategies, and partitioning of the rows."""

from __future__ import annotations

from collections.abc import Container

from grammar import syntax as s
from grammar.builder.query_parts import QueryParts
from grammar.builder.scopes import Column, Scope
from grammar.builder.select.sort_keys import OutputColumns, Place, place_key
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.expressions import FieldReference
from ir.operations.hint import Hint, hint_name, is_hint
from ir.operations.operation import QueryOperation
from ir.types import NULL

# Hints whose keys may be columns of FROM that the SELECT does not output.
_BY_COLUMNS_OF_ROWS = ("REPARTITION", "REPARTITION_BY_RANGE")


@attrs.frozen(eq=False)
class Spreading:
    """How a hint partitions the rows of a SELECT: the number of partitions, and output or hidden columns as keys."""

    hint: s.Hint
    partitions: int | None
    keys: tuple[Place, ...]

    def of(self, operation: QueryOperation, builder: QueryParts) -> QueryOperation:
        """Wrap an operation in the Hint operation."""
        name = hint_name(self.hint.name.text)
        columns = tuple([place_key(key, operation) for key in self.keys])
        made: QueryOperation = builder.call_resolver(
            self.hint.position, Hint, operation, name, self.partitions, columns
        )
        return made


def select_hints(node: s.Select, kind: Container[str]) -> list[s.Hint]:
    """Return the hints of a SELECT that are of a kind. Unknown hints are ignored, as in Spark."""
    return [hint for hint in node.hints if is_hint(hint.name.text) and hint_name(hint.name.text) in kind]


def spreading(hint: s.Hint, columns: OutputColumns, scope: Scope) -> Spreading:
    """Read a partitioning hint. A key that the SELECT does not output becomes a hidden column.

    Raises:
        Misread: an argument is neither a number nor a column.
    """
    partitions: int | None = None
    keys: list[Place] = []
    for argument in hint.arguments:
        if isinstance(argument, s.Number) and argument.text.isdigit():
            partitions = int(argument.text)
        elif isinstance(argument, s.Path):
            keys.append(_key(argument, hint, columns, scope))
        else:
            raise Misread(hint.position, f"The hint {hint.name.text} takes a number and columns.")
    return Spreading(hint, partitions, tuple(keys))


def _key(path: s.Path, hint: s.Hint, columns: OutputColumns, scope: Scope) -> Place:
    place = columns.position(path.names[0].text) if len(path.names) == 1 else None
    if place is not None:
        return place
    if hint_name(hint.name.text) in _BY_COLUMNS_OF_ROWS and not columns.is_grouped and not columns.is_distinct:
        found = scope.own(path)
        if isinstance(found, FieldReference):
            return columns.key(found, hint.name.text, path.position)
    names = [item.name for item in columns.items[: columns.count]]
    outputs = [Column(name, (), FieldReference(name, NULL, 0, index)) for index, name in enumerate(names)]
    raise Scope(outputs).unknown(path)
