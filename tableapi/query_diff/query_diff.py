"""The difference of two queries."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

import attrs

from ir.equal_names import number_equal_names
from ir.nodes import post_order
from ir.normalization.normalize import normalize
from ir.normalization.value_names import standardize_value_names
from ir.operations.operation import QueryOperation
from tableapi.lazy import lazy
from tableapi.query_diff.changes import (
    Change,
    OperationChanged,
    OperationInserted,
    OperationMoved,
    OperationRemoved,
    OperationReplaced,
    SchemaChange,
)
from tableapi.query_diff.details import compare, pass_renames
from tableapi.query_diff.keys import Context
from tableapi.query_diff.merging import Merged, Merger
from tableapi.query_diff.schema_changes import compare_schemas
from tableapi.query_diff.tree import write_merged_tree

if TYPE_CHECKING:
    from tableapi.display import rendering
else:
    rendering = lazy(__name__, "tableapi.display.rendering")

# Moving a filter through a thousand computed columns makes it grow at each step, so that a normal form can be far
# larger than its query. Such long chains are generated, and generators change them everywhere or nowhere.
_NORMALIZED_OPERATIONS: Final = 200


@attrs.frozen(slots=False, eq=False, repr=False)
class QueryDiff:
    """The changes from an old query to a new one; it is false if there are none.

    Attributes:
        old: the old query.
        new: the new query.
        changes: the changes of operations, those nearer to the sources first.
        schema_changes: the changes of the result columns.
    """

    old: QueryOperation
    new: QueryOperation
    changes: tuple[Change, ...]
    schema_changes: tuple[SchemaChange, ...]
    _root: Merged

    def __bool__(self) -> bool:
        return bool(self.changes)

    @property
    def is_compatible(self) -> bool:
        """Whether readers of the old columns by name can read the new rows without change.

        This requires that every old column still exists, ignoring case, with exactly the same type, and is NOT NULL if
        it was NOT NULL. New columns, another order, other comments, and columns that became NOT NULL are compatible.
        The answer is valid for queries that name the columns they read, but not for queries that read by position, such
        as ``SELECT *`` into another table or a union. It says nothing about the rows.
        """
        return all(change.is_compatible for change in self.schema_changes)

    def as_text(self) -> str:
        """Return the changes, one sentence per line, followed by the effects on readers of the columns."""
        if not self:
            return "The queries are equal."
        lines = [change.as_text() for change in self.changes]
        if self.schema_changes:
            lines.append("In the result:")
            lines += [f"  {change.text}" for change in self.schema_changes]
        return "\n".join([*lines, self._effect()])

    def _effect(self) -> str:
        """Describe the effect on readers of the columns."""
        if not self.is_compatible:
            return "Readers of the old columns would notice."
        if self.schema_changes:
            return "Readers that name the old columns would not notice."
        return "The columns of the result are the same."

    def as_tree(self) -> str:
        """Return both queries as one tree.

        A line begins with ``+`` for an added operation, ``-`` for a removed one and ``~`` for a changed one, followed
        by its changes. A part that is used several times is written once.
        """
        return self._tree

    @cached_property
    def _tree(self) -> str:
        return write_merged_tree(self._root)

    def __str__(self) -> str:
        return self.as_text()

    def __repr__(self) -> str:
        return self.as_text()

    def _repr_html_(self) -> str:
        if not self:
            return rendering.heading("Difference", self.as_text())
        parts = [rendering.heading("Difference", self._effect())]
        parts.append(rendering.list_html([change.as_text() for change in self.changes]))
        if self.schema_changes:
            parts.append(rendering.heading("In the result", ""))
            parts.append(rendering.list_html([change.text for change in self.schema_changes]))
        lines = [(line, line[:1]) for line in self.as_tree().split("\n")]
        return "".join([*parts, rendering.folded_lines_html("both queries as one tree", lines)])


def diff_operations(old: QueryOperation, new: QueryOperation, *, exact: bool = False) -> QueryDiff:
    """Return the changes between two queries.

    By default, a difference that the normal forms do not have is ignored: a projection that only passes columns on, the
    position of a filter, the number of SELECT blocks. If the normal forms differ in fewer places than the queries, the
    result is the difference of the normal forms, otherwise that of the queries themselves. Queries of more than 200
    operations are compared without normal forms, because a normal form can be far larger than its query.

    Args:
        old: the old query.
        new: the new query.
        exact: whether every difference of the trees counts.
    """
    old, new = number_equal_names(old), number_equal_names(new)
    compared = _compare(old, new)
    if exact or not compared or _is_large(old) or _is_large(new):
        return compared
    normal = _compare(normalize(old), normalize(new))
    return attrs.evolve(normal, old=old, new=new) if _places(normal) < _places(compared) else compared


def _is_large(query: QueryOperation) -> bool:
    """Whether the normal form of a query could take too long."""
    return next(islice(query.walk_with_subqueries(), _NORMALIZED_OPERATIONS, None), None) is not None


def _places(found: QueryDiff) -> int:
    """Return the number of places in which two queries differ."""
    return sum(len(change.details) if isinstance(change, OperationChanged) else 1 for change in found.changes)


def _compare(old: QueryOperation, new: QueryOperation) -> QueryDiff:
    # The text of a stored view omits names that no operation uses.
    old, new = standardize_value_names(old), standardize_value_names(new)
    merger = Merger(old, new)
    changes: list[Change] = []
    for merged in post_order(merger.root, lambda m: m.children):
        _find_details(merged, merger)
        change = _change(merged)
        if change is not None:
            changes.append(change)
    changes = _find_moves(changes, merger)
    schema_changes = compare_schemas(old.schema, new.schema, merger.root.renames)
    return QueryDiff(old, new, tuple(changes), schema_changes, merger.root)


def _find_moves(changes: list[Change], merger: Merger) -> list[Change]:
    """Replace a removal and an insertion of the same operation by a move if each occurs once."""
    removed: dict[int, list[OperationRemoved]] = {}
    inserted: dict[int, list[OperationInserted]] = {}
    for change in changes:
        if isinstance(change, OperationRemoved):
            removed.setdefault(merger.keys.own(change.operation), []).append(change)
        elif isinstance(change, OperationInserted):
            inserted.setdefault(merger.keys.own(change.operation), []).append(change)
    found: list[Change] = []
    for change in changes:
        if isinstance(change, (OperationRemoved, OperationInserted)) and len(change.operation.inputs) == 1:
            key = merger.keys.own(change.operation)
            gone, come = removed.get(key, []), inserted.get(key, [])
            if len(gone) == len(come) == 1:
                if isinstance(change, OperationRemoved):
                    continue
                change = OperationMoved(gone[0].operation, change.operation, change.place, change.side)
        found.append(change)
    return found


def _find_details(merged: Merged, merger: Merger) -> None:
    old, new = merged.old, merged.new
    if merged.is_whole:
        return
    below = {a: b for child in merged.inputs for a, b in child.renames.items()}
    if old is None or new is None:
        merged.renames = pass_renames(merged.shown, below, is_old=new is None)
    elif not merged.is_replaced:
        queries = [(q.old, q.new) for q in merged.queries if q.old is not None and q.new is not None]
        context = Context(merger.keys, below, queries)
        merged.details, merged.renames = compare(old, new, context, is_swapped=merged.is_swapped)


def _change(merged: Merged) -> Change | None:
    old, new = merged.old, merged.new
    if merged.is_whole:
        # Equal in both queries, or reported with the operation that contains it.
        return None
    if old is None and new is not None:
        return OperationInserted(new, merged.place, merged.side)
    if new is None and old is not None:
        return OperationRemoved(old, merged.place, merged.side)
    assert old is not None
    assert new is not None
    if merged.is_replaced:
        return OperationReplaced(old, new, merged.place)
    if merged.details:
        return OperationChanged(old, new, merged.details, merged.place)
    return None
