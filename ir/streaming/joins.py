"""Joins with a stream: which sides may be streams, and whether the state of two streams can be dropped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ir.expressions import FieldReference, ResolvedExpression
from ir.messages import Message, Term, message
from ir.operations.filter import Filter
from ir.operations.hint import UNBOUNDED_STATE, Hint
from ir.operations.join import Join, JoinType
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.semi_join import SemiJoin
from ir.rewriting import replace
from ir.streaming.event_time import time_columns_of
from ir.streaming.reads import list_streams
from ir.streaming.refusals import EVERY_MODE, OutputMode, Refusal
from ir.streaming.time_bounds import LEFT, RIGHT, Bounds, find_bounds, split_conjuncts

_SIDES = ("left", "right")
_ADD_BOUNDS = message(
    "Give both streams a watermark, {how}, and bound the times in the join condition: r.ts BETWEEN l.ts - INTERVAL 1 "
    "HOUR AND l.ts + INTERVAL 1 HOUR.",
    how=Term("watermark(col('ts'), lit(10).seconds)", "WATERMARK ts DELAY OF INTERVAL 10 SECONDS"),
)


class Above:
    """The operations right above each operation of a query."""

    def __init__(self, operations: Sequence[QueryOperation]) -> None:
        self._readers: dict[QueryOperation, list[QueryOperation]] = {}
        self._allowing: set[QueryOperation] = set()
        for operation in operations:
            for read in dict.fromkeys((*operation.inputs, *list_streams(operation))):
                self._readers.setdefault(read, []).append(operation)
        for operation in reversed(operations):
            readers = self._readers.get(operation, ())
            is_hint = isinstance(operation, Hint) and operation.name == UNBOUNDED_STATE
            if is_hint or (readers and all(reader in self._allowing for reader in readers)):
                self._allowing.add(operation)

    def allows_unbounded_state(self, operation: QueryOperation) -> bool:
        """Whether a hint above an operation allows its state to grow for ever."""
        return operation in self._allowing

    def conjuncts(self, join: Join) -> Iterator[ResolvedExpression]:
        """Yield the conditions of an inner join: its own, and those of filters right above, over its sides."""
        if join.condition is not None:
            yield from split_conjuncts(join.condition)
        width = len(join.left.schema)
        columns: list[ResolvedExpression] | None = None
        below: QueryOperation = join
        while len(self._readers.get(below, ())) == 1 and join.join_type is JoinType.INNER:
            (reader,) = self._readers[below]
            if isinstance(reader, Filter):
                for conjunct in split_conjuncts(reader.condition):
                    yield _over_sides(conjunct, columns, join, width)
            elif isinstance(reader, Project):
                made = [_over_sides(projection, columns, join, width) for projection in reader.projections]
                columns = made
            else:
                return
            below = reader


def _over_sides(
    expression: ResolvedExpression, columns: list[ResolvedExpression] | None, join: Join, width: int
) -> ResolvedExpression:
    """Return an expression over the output of a join, or over a projection of it, as one over the sides."""

    def moved(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, FieldReference):
            return None
        if columns is not None:
            return columns[part.index]
        side, index = (LEFT, part.index) if part.index < width else (RIGHT, part.index - width)
        return FieldReference(part.name, part.type_, side, index)

    return replace(expression, moved)


def refused_join(join: Join, above: Above) -> Iterator[Refusal]:
    """Yield the reasons against a join with a stream."""
    kind = join.join_type
    streams = [side.is_unbounded for side in join.inputs]
    if not all(streams):
        yield from _with_table(join, streams[RIGHT])
        return
    modes = {OutputMode.COMPLETE} if kind is JoinType.INNER else {OutputMode.COMPLETE, OutputMode.UPDATE}
    yield Refusal(
        join,
        frozenset(modes),
        message(
            "{kind} JOIN of two streams writes each pair of rows once{after}.",
            kind=kind.value,
            after="" if kind is JoinType.INNER else ", and a row without a match when none can come any more",
        ),
        message("Run the query in output mode append."),
    )
    sides = (time_columns_of(join.left), time_columns_of(join.right))
    bounds = find_bounds(above.conjuncts(join), sides)
    if not bounds.has_equal_columns:
        yield _unequal(join, is_curable=True)
    if not _can_end(kind, bounds):
        yield Refusal(
            join,
            EVERY_MODE,
            message(
                "{kind} JOIN of two streams writes a row without a match when none can come any more, and that is "
                "never known: {why}.",
                kind=kind.value,
                why=_missing(kind, sides),
            ),
            _ADD_BOUNDS,
            "UNSUPPORTED_STREAMING_OPERATOR_WITHOUT_WATERMARK",
        )
    elif not all(bounds.can_drop(side) for side in (LEFT, RIGHT)) and not above.allows_unbounded_state(join):
        yield Refusal(join, EVERY_MODE, _growing(bounds), _ALLOW, is_by_choice=True, is_curable=True)


def refused_semi_join(operation: QueryOperation, semi_join: SemiJoin, above: Above) -> Iterator[Refusal]:
    """Yield the reasons against a semi join with a stream; ``operation`` is its filter."""
    left, right = semi_join.left, semi_join.right
    if not left.is_unbounded:
        yield Refusal(
            operation,
            EVERY_MODE,
            message(
                "LEFT SEMI JOIN keeps each row of the table on the left once, and a match may come at any later time, "
                "because the rows of the stream do not end."
            ),
            message("Join the stream with the table instead, and remove duplicates of the keys within a time."),
        )
        return
    yield Refusal(
        operation,
        frozenset({OutputMode.COMPLETE}),
        message("LEFT SEMI JOIN of two streams writes each row of the left stream once."),
        message("Run the query in output mode append."),
    )
    sides = (time_columns_of(left), time_columns_of(right))
    bounds = find_bounds(split_conjuncts(semi_join.condition), sides)
    if not bounds.has_equal_columns:
        yield _unequal(operation, is_curable=False)
    if not bounds.can_drop(LEFT):
        yield Refusal(
            operation,
            EVERY_MODE,
            message(
                "LEFT SEMI JOIN of two streams drops a row of the left stream when no match can come any more, and "
                "that is never known: {why}.",
                why=_missing(JoinType.LEFT_OUTER, sides),
            ),
            _ADD_BOUNDS,
            "UNSUPPORTED_STREAMING_OPERATOR_WITHOUT_WATERMARK",
        )
    elif not bounds.can_drop(RIGHT) and not above.allows_unbounded_state(operation):
        yield Refusal(operation, EVERY_MODE, _growing(bounds), _ALLOW, is_by_choice=True, is_curable=True)


def _unequal(join: QueryOperation, *, is_curable: bool) -> Refusal:
    return Refusal(
        join,
        EVERY_MODE,
        message("A join of two streams needs a column of the one that equals one of the other."),
        message("Add such a condition, such as l.k = r.k, to the join."),
        is_curable=is_curable,
        fails_at_start=True,
    )


_ALLOW = message(
    "{add_bounds} If the state may grow for ever, say so: {hint}.",
    add_bounds=_ADD_BOUNDS,
    hint=Term(f"hint('{UNBOUNDED_STATE}')", f"SELECT /*+ {UNBOUNDED_STATE} */ …"),
)


def _with_table(join: Join, is_right: bool) -> Iterator[Refusal]:
    """Refuse a join of a stream and a table that keeps rows of the table without a match."""
    kind = join.join_type
    keeps_table = (kind.left_is_optional and kind.right_is_optional) or (
        kind.right_is_optional if is_right else kind.left_is_optional
    )
    if keeps_table:
        yield Refusal(
            join,
            EVERY_MODE,
            message(
                "{kind} JOIN keeps rows of the table on the {side} that have no match, and a match may come at any "
                "later time, because the rows of the stream do not end.",
                kind=kind.value,
                side=_SIDES[not is_right],
            ),
            message("Keep the rows of the stream instead: put the stream on the left of a LEFT JOIN."),
        )


def _can_end(kind: JoinType, bounds: Bounds) -> bool:
    """Whether rows without a match are written some time, as far as the join keeps them."""
    if kind is JoinType.INNER:
        return True
    if kind is JoinType.FULL_OUTER:
        return bounds.can_drop(LEFT) or bounds.can_drop(RIGHT)
    return bounds.can_drop(LEFT if kind is JoinType.LEFT_OUTER else RIGHT)


def _missing(kind: JoinType, times: tuple[frozenset[int], frozenset[int]]) -> str:
    other = LEFT if kind is JoinType.RIGHT_OUTER else RIGHT
    if not times[other]:
        return f"the {_SIDES[other]} stream has no watermark"
    return "no condition bounds the times of one stream by those of the other"


def _growing(bounds: Bounds) -> Message:
    growing = [name for side, name in enumerate(_SIDES) if not bounds.can_drop(side)]
    return message(
        "The join keeps all rows of the {sides} for ever: no watermark with bounds of time says when they no longer "
        "match.",
        sides=" and the ".join(f"{name} stream" for name in growing),
    )
