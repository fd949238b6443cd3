"""Reject operations that would take a retracted row of a changelog for a row of its table.

A changelog is known as such if a process table function yields it, or FROM_CHANGELOG. Its rows stay changes through
operations that pass on rows, until an expression reads their kinds: it says what becomes of each kind. An operation
that looks at single rows keeps the kinds beside them. One that compares, counts or matches rows would treat a retracted
row like any other, and is refused unless it looks at the kinds.
"""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from ir.call_expressions import Call, Over
from ir.change_kinds import INSERT, UNKNOWN_CODE
from ir.contents import CHANGES, OVER
from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral, children_of
from ir.functions.context import RAISE_ERROR
from ir.functions.logic import CASE
from ir.functions.subquery import EXISTS
from ir.identifiers import fold
from ir.messages import Term, message
from ir.nodes import post_order, post_order_of
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import JoinType, Pairing
from ir.operations.operation import QueryOperation
from ir.operations.pivot import Pivot
from ir.operations.process import KIND_COLUMN, ProcessTable
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort

Kinds = frozenset[int] | None
"""Which columns have the kinds of rows that are changes; None for rows that are none, or whose kinds were read."""

_NO_COLUMN: frozenset[int] = frozenset()
# For each operation with changes below it, what is known of its rows, so that a growing query is not walked again.
_known: WeakKeyDictionary[QueryOperation, Kinds] = WeakKeyDictionary()


# --- what is refused -------------------------------------------------------------------------------------------------


def refuse_retractions(input: QueryOperation, used: Iterable[ResolvedExpression]) -> None:
    """Reject an aggregation of changes that does not look at their kinds.

    Args:
        input: the rows that are aggregated.
        used: the keys and the aggregates.

    Raises:
        ValidationException: nothing reads the kind of a row.
    """
    kinds = find_kinds(input)
    if kinds is not None and not _reads(tuple(used), kinds):
        raise _make_error(
            "the aggregates would count a row that is retracted like any other",
            Term("an aggregate over op, or op as a key", "an aggregate over op, or op as a key"),
        )


def refuse_retractions_in_windows(input: QueryOperation, used: Iterable[ResolvedExpression]) -> None:
    """Reject an OVER call over changes that does not look at their kinds.

    Raises:
        ValidationException: such a call is in ``used``.
    """
    kinds = find_kinds(input)
    if kinds is None:
        return
    for expression in used:
        if not expression.contents & OVER:
            continue
        for part in expression.walk():
            if isinstance(part, Over) and not _reads((part,), kinds):
                raise _make_error(
                    "a window over them would see a row that is retracted like any other",
                    Term("op in the window or its function", "op in OVER or its function"),
                )


def refuse_retractions_in_rows(input: QueryOperation, method: str, clause: str) -> None:
    """Reject an operation that takes some of the rows, or compares them as wholes, if the kinds are no column of them.

    Args:
        input: the rows.
        method: the name of the operation in Python.
        clause: its name in SQL.

    Raises:
        ValidationException: the rows are changes without their kinds.
    """
    if find_kinds(input) == _NO_COLUMN:
        raise _make_error(
            message("{what} would take a row that is retracted for a row of the table", what=Term(method, clause)),
            Term("op among the columns", "op among the columns"),
        )


def refuse_retractions_in_join(
    left: QueryOperation,
    right: QueryOperation,
    join_type: JoinType,
    condition: ResolvedExpression | None,
    *,
    chooses: bool = False,
) -> None:
    """Reject a join that would take a change for a row of a table.

    The changes of one side may get columns of the other side: each stays a change. But whether a row has a match cannot
    be known from changes, nor can two changes be matched.

    Args:
        left: the rows on the left.
        right: the rows on the right.
        join_type: which rows without a match are kept.
        condition: the condition; a field reference with input index 1 is a column of ``right``.
        chooses: whether the join chooses one of the matching rows of ``right``.

    Raises:
        ValidationException: a side has changes that the join would match as rows.
    """
    of_left, of_right = _unread_sides(left, right, condition)
    if of_left is None and of_right is None:
        return
    if of_left is not None and of_right is not None:
        what = "a join of changes with changes would match rows that are retracted"
    elif (of_left is not None and join_type.left_is_optional) or (of_right is not None and join_type.right_is_optional):
        what = "a join that keeps rows without a match would take a row that is retracted for a match"
    elif of_right is not None and chooses:
        what = "the join would choose a row that is retracted like any other"
    else:
        return
    raise _make_error(what, Term("a join condition that reads op", "ON with a condition that reads op"))


def refuse_retractions_in_subquery(call: Call, query: QueryOperation) -> None:
    """Reject a subquery whose rows are changes, unless the call compares or returns their kinds.

    Raises:
        ValidationException: the call would take a retracted row for a row of the table.
    """
    kinds = find_kinds(query)
    if kinds is not None and (call.function is EXISTS or not kinds):
        raise _make_error(
            "the subquery would find a row that is retracted like any other",
            Term("a condition of the subquery that reads op", "WHERE of the subquery with a condition that reads op"),
        )


def _make_error(what: object, otherwise: Term) -> ValidationException:
    return ValidationException(
        message(
            "The rows are changes, whose kinds are in the column {kind}, and {what}. {apply}; or say what counts: "
            "{filter} before it, or {otherwise}.",
            kind=KIND_COLUMN,
            what=what,
            apply=Term(
                "Take the current rows, apply_changelog(…)",
                "Take the current rows, as docs/changelogs.md shows",
            ),
            filter=Term("filter(col('op') == 'INSERT')", "WHERE op = 'INSERT'"),
            otherwise=otherwise,
        )
    )


# --- what is known of rows -------------------------------------------------------------------------------------------


def find_kinds(operation: QueryOperation) -> Kinds:
    """Return which columns have the kinds of the rows, if they are changes whose kinds nothing has read; else None."""
    if not operation.contents & CHANGES:
        return None
    if operation not in _known:
        for current in post_order(operation, _list_unknown):
            _known[current] = _find_kinds(current)
    return _known[operation]


def _list_unknown(operation: QueryOperation) -> list[QueryOperation]:
    return [read for read in operation.inputs if read.contents & CHANGES and read not in _known]


def _find_kinds(operation: QueryOperation) -> Kinds:
    """Return what is known of the rows of an operation whose inputs are known."""
    if isinstance(operation, ProcessTable | Aggregate | Pivot) or _makes_kinds(operation):
        made = isinstance(operation, ProcessTable) and _yields_changes(operation)
        if not made and not (_makes_kinds(operation) and not _reads_below(operation)):
            return None
        return frozenset([i for i, name in enumerate(operation.schema.names) if fold(name) == KIND_COLUMN])
    if isinstance(operation, Pairing):
        of_left, of_right = _unread_sides(operation.left, operation.right, operation.condition)
        if of_left is None and of_right is None:
            return None
        width = len(operation.left.schema)
        return (of_left or _NO_COLUMN) | {width + index for index in of_right or ()}
    if isinstance(operation, SetOperation):
        sides = [_known_kinds(side) for side in operation.inputs]
        if operation.kind is not SetOperationType.UNION:
            return sides[0]
        changing = [kinds for kinds in sides if kinds is not None]
        return frozenset.intersection(*changing) if changing else None
    below = [_known_kinds(read) for read in operation.inputs]
    if all(kinds is None for kinds in below) or (
        isinstance(operation, Filter | Sort | Project) and _computes_with(operation, below[0] or _NO_COLUMN)
    ):
        return None
    return frozenset([i for i in range(len(operation.schema)) if _passes_on(operation, i, below)])


def _known_kinds(operation: QueryOperation) -> Kinds:
    return _known[operation] if operation.contents & CHANGES else None


def _passes_on(operation: QueryOperation, index: int, below: list[Kinds]) -> bool:
    """Whether a column is one of the inputs that has the kinds of changes."""
    found = operation.column_below(index)
    if found is None:
        return False
    return any(
        read is found[0] and found[1] in (kinds or ()) for read, kinds in zip(operation.inputs, below, strict=True)
    )


def _computes_with(operation: QueryOperation, kinds: frozenset[int]) -> bool:
    """Whether an expression of an operation computes something from the kinds, and does not only pass them on."""
    return _reads(tuple([e for e in operation.expressions if not isinstance(e, FieldReference)]), kinds)


def _unread_sides(
    left: QueryOperation, right: QueryOperation, condition: ResolvedExpression | None
) -> tuple[Kinds, Kinds]:
    """Return the kinds of the rows on both sides of a join that its condition does not read."""
    conditions = () if condition is None else (condition,)
    found = []
    for side, operation in enumerate((left, right)):
        kinds = find_kinds(operation)
        found.append(None if kinds is None or _reads(conditions, kinds, side) else kinds)
    return found[0], found[1]


def _yields_changes(call: ProcessTable) -> bool:
    return bool(set(call.signature.changes) - {INSERT})


def _makes_kinds(operation: QueryOperation) -> bool:
    """Whether an operation is the projection of FROM_CHANGELOG."""
    if not isinstance(operation, Project) or fold(operation.names[0]) != KIND_COLUMN:
        return False
    first = operation.projections[0]
    if not isinstance(first, Call) or first.function is not CASE:
        return False
    last = first.arguments[-1]
    return isinstance(last, Call) and last.function is RAISE_ERROR and _begins_with_unknown_code(last)


def _reads_below(operation: QueryOperation) -> bool:
    """Whether a filter below FROM_CHANGELOG reads the kinds, as in the text of one SELECT with WHERE."""
    assert isinstance(operation, Project)
    kind, below = operation.projections[0], operation.input
    while isinstance(below, Filter):
        if any(part is kind for part in below.condition.walk()):
            return True
        below = below.input
    return False


def _begins_with_unknown_code(failure: Call) -> bool:
    (text,) = failure.arguments
    first = text.arguments[0] if isinstance(text, Call) and text.arguments else text
    return isinstance(first, ValueLiteral) and first.value == UNKNOWN_CODE


def _reads(expressions: tuple[ResolvedExpression, ...], kinds: frozenset[int], side: int = 0) -> bool:
    return bool(kinds) and any(
        isinstance(part, FieldReference) and part.input_index == side and part.index in kinds
        for part in post_order_of(expressions, children_of)
    )
