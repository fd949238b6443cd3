"""Joins whose conditions make calls: those on one side are made below, those on pairs of rows above the join.

Of an outer join, a row may only be left alone once the calls on all its pairs have been made. So the pairs are made
for which the conditions without calls hold. Then it is decided which of them stay, and which rows have no partner.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from ir.expressions import Call, FieldReference, Over, ResolvedExpression, SortOrder
from ir.functions.aggregate import MAX
from ir.functions.builtins import BUILT_INS
from ir.functions.calls import call
from ir.functions.comparison import EQUALS, IS_NOT_NULL, NOT_EQUALS
from ir.functions.logic import CASE, IS_TRUE, NOT
from ir.functions.table import EXPLODE
from ir.functions.window import ROW_NUMBER
from ir.identifiers import fold
from ir.literals import literal
from ir.operations.filter import Filter
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.rewriting import unused_name
from tableapi.spark.planner.asynchronous.below import Below, columns_of, dropped, moved_sides, over_pairs
from tableapi.spark.planner.asynchronous.chain import Chain, conjunction, conjuncts
from tableapi.spark.planner.asynchronous.finding import async_parts, guard_of, is_async, reached, references

_UUID = BUILT_INS.by_name("uuid")
_ARRAY = BUILT_INS.by_name("array")
_PAIR, _LEFT_ALONE, _RIGHT_ALONE = 0, 1, 2


def split_join(operation: Join, shared: Sequence[Call] = (), used: Set[str] = frozenset()) -> QueryOperation:
    """Return the same join with its calls in projections and filters.

    Args:
        operation: the join.
        shared: calls on pairs in the condition of an outer join. For each there are two more columns: whether the
            row is a pair for which it was made, and its result.
        used: folded names that these columns may not have.
    """
    assert operation.condition is not None
    left = Below(operation.left, operation.right.schema.names)
    right = Below(operation.right, beside=left)
    below: list[ResolvedExpression] = []
    above: list[ResolvedExpression] = []
    for condition in conjuncts(operation.condition):
        if has_pairs(condition):
            above.append(condition)
        else:
            below.append(moved_sides(condition, (left, right)))
    join_type = operation.join_type
    if above and join_type is not JoinType.INNER:
        return _outer(operation, left, right, below, above, shared, used)
    made = _joined(left, right, join_type, below)
    width, total = len(operation.left.schema), len(operation.schema)
    first_right = width + len(left.names)
    made = dropped(made, operation.schema, [*range(width), *range(first_right, first_right + total - width)])
    for condition in above:
        made = Filter(made, over_pairs(condition, width))
    return made


def with_pairs(join: QueryOperation) -> Chain | None:
    """Return an inner join with conditions that make calls on pairs of rows as these conditions over one without."""
    if not isinstance(join, Join) or join.join_type is not JoinType.INNER or join.condition is None:
        return None
    given = conjuncts(join.condition)
    tests = [over_pairs(condition, len(join.left.schema)) for condition in given if has_pairs(condition)]
    if not tests:
        return None
    kept = [condition for condition in given if not has_pairs(condition)]
    base = join.evolve(condition=conjunction(kept) if kept else None)
    return Chain(base, tuple(tests), None, tuple(columns_of(base)), base.schema.names)


def has_pairs(expression: ResolvedExpression) -> bool:
    """Whether an expression has a call on columns of both sides."""
    return any(is_async(part) and len({r.input_index for r in references(part)}) == 2 for part in expression.walk())


def _joined(left: Below, right: Below, join_type: JoinType, below: Sequence[ResolvedExpression]) -> QueryOperation:
    return Join(left.made(), right.made(), join_type, conjunction(below) if below else None)


def _outer(
    operation: Join,
    left: Below,
    right: Below,
    below: list[ResolvedExpression],
    above: list[ResolvedExpression],
    shared: Sequence[Call],
    used: Set[str],
) -> QueryOperation:
    """Return an outer join whose pairs are tested by calls."""
    join_type = operation.join_type
    left_id, right_id = left.take(call(_UUID, ())), right.take(call(_UUID, ()))
    joined = _joined(left, right, join_type, below)
    width, total = len(operation.left.schema), len(operation.schema)
    first_right = width + len(left.names)
    given = columns_of(joined)
    positions = [*range(width), *range(first_right, first_right + total - width)]
    columns = [given[i] for i in positions]
    one, other = given[left_id.index], given[first_right + right_id.index]
    is_pair = conjunction([call(IS_NOT_NULL, (one,)), call(IS_NOT_NULL, (other,))])
    tested = call(CASE, (is_pair, conjunction([over_pairs(c, first_right) for c in above])))
    rows = _Rows(joined, [*columns, one, other])
    rows.add(call(IS_TRUE, (tested,)), *_made_by_test(tested, [over_pairs(made, first_right) for made in shared]))
    one, other, test, *made_by_test = rows.columns[total:]
    # Which side's rows may stay without a partner, what then is told of them, and by what a row of that side is known.
    lonely = [
        (key, kind)
        for key, kind, is_kept in (
            (one, _LEFT_ALONE, join_type.right_is_optional),
            (other, _RIGHT_ALONE, join_type.left_is_optional),
        )
        if is_kept
    ]
    rows.add(*[_over(made, (key,), test) for key, _ in lonely for made in (call(MAX, (test,)), call(ROW_NUMBER, ()))])
    found = rows.columns[-2 * len(lonely) :]
    kinds_of_row = [_when(test, _PAIR)]
    for (key, kind), some, number in zip(lonely, found[0::2], found[1::2], strict=True):
        # A row is told once, with the first of its pairs.
        is_alone = [call(IS_NOT_NULL, (key,)), call(NOT, (some,)), call(EQUALS, (number, literal(1)))]
        kinds_of_row.append(_when(conjunction(is_alone), kind))
    rows.add(call(_ARRAY, kinds_of_row))
    kinds = rows.columns[-1]
    name = rows.unused("__kind")
    exploded = LateralJoin(rows.operation, call(EXPLODE, (kinds,)), (name,), JoinType.INNER)
    told = columns_of(exploded)[-1]
    kept = Filter(exploded, call(IS_NOT_NULL, (told,)))
    shown: list[ResolvedExpression] = []
    for position, column in enumerate(rows.columns[: len(columns)]):
        alone, is_optional = _RIGHT_ALONE, join_type.left_is_optional
        if position >= width:
            alone, is_optional = _LEFT_ALONE, join_type.right_is_optional
        shown.append(call(CASE, (call(NOT_EQUALS, (told, literal(alone))), column)) if is_optional else column)
    names = list(operation.schema.names)
    taken = {fold(name) for name in names} | used
    is_tested = call(EQUALS, (told, literal(_PAIR)))
    for is_made, result in zip(made_by_test[0::2], made_by_test[1::2], strict=True):
        shown += [conjunction([is_tested, is_made]), call(CASE, (is_tested, result))]
        for _ in range(2):
            names.append(unused_name("__pair", taken))
            taken.add(fold(names[-1]))
    return project(kept, tuple(shown), tuple(names))


def _made_by_test(tested: ResolvedExpression, calls: Sequence[ResolvedExpression]) -> list[ResolvedExpression]:
    """Return for each of the calls in a test whether that makes it for a row, and its result then."""
    guards = reached((tested,), async_parts((tested,)))
    found: list[ResolvedExpression] = []
    for made in calls:
        assert isinstance(made, Call)
        guard = guard_of(guards[made])
        assert guard is not None
        found += [call(IS_TRUE, (guard,)), call(CASE, (guard, made))]
    return found


class _Rows:
    """Rows to which columns are added, one projection for each time."""

    def __init__(self, operation: QueryOperation, columns: Sequence[FieldReference]) -> None:
        self.operation = operation
        self.columns = list(columns)

    def add(self, *expressions: ResolvedExpression) -> None:
        names = [column.name for column in self.columns]
        taken = {fold(name) for name in names}
        for _ in expressions:
            names.append(unused_name("__pair", taken))
            taken.add(fold(names[-1]))
        self.operation = Project(self.operation, (*self.columns, *expressions), tuple(names))
        self.columns = columns_of(self.operation)

    def unused(self, name: str) -> str:
        return unused_name(name, {fold(column.name) for column in self.columns})


def _over(made: ResolvedExpression, keys: tuple[ResolvedExpression, ...], test: ResolvedExpression) -> Over:
    assert isinstance(made, Call)
    order = () if made.function is MAX else (SortOrder(test, False, False),)
    return Over(made, keys, order)


def _when(condition: ResolvedExpression, kind: int) -> ResolvedExpression:
    return call(CASE, (condition, literal(kind)))
