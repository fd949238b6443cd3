"""Joins whose conditions make calls: calls on one side move below the join, calls on pairs of rows above it.

An outer join keeps a row without a partner only after the calls on all its pairs failed the test. So the rewrite joins
on the conditions without calls, evaluates the calls on the pairs, and then decides which pairs and single rows to keep.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from ir.call_expressions import Call, Over
from ir.calls import call
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.functions.aggregate import MAX
from ir.functions.builtins import BUILT_INS
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
from ir.rewriting import choose_unused_name
from tableapi.spark.planner.asynchronous.call_guards import async_parts, find_guards, guard_of, is_async, references
from tableapi.spark.planner.asynchronous.chain import Chain, conjunction, conjuncts
from tableapi.spark.planner.asynchronous.extraction import (
    Below,
    columns_of,
    extract_sides,
    project_columns,
    rewrite_over_pairs,
)

_UUID = BUILT_INS.by_name("uuid")
_ARRAY = BUILT_INS.by_name("array")
_PAIR, _LEFT_ALONE, _RIGHT_ALONE = 0, 1, 2


def split_join(operation: Join, shared: Sequence[Call] = (), used: Set[str] = frozenset()) -> QueryOperation:
    """Rewrite a join so that its calls are in projections and filters.

    Args:
        operation: the join.
        shared: calls on pairs in the condition of an outer join. Each adds two columns: whether the row is a pair for
            which the call ran, and its result.
        used: folded names that the added columns may not have.
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
            below.append(extract_sides(condition, (left, right)))
    join_type = operation.join_type
    if above and join_type is not JoinType.INNER:
        return _outer(operation, left, right, below, above, shared, used)
    made = _build_join(left, right, join_type, below)
    width, total = len(operation.left.schema), len(operation.schema)
    first_right = width + len(left.names)
    made = project_columns(made, operation.schema, [*range(width), *range(first_right, first_right + total - width)])
    for condition in above:
        made = Filter(made, rewrite_over_pairs(condition, width))
    return made


def move_pair_conditions(join: QueryOperation) -> Chain | None:
    """Move the conditions of an inner join that make calls on pairs into a chain above the join; None if none do."""
    if not isinstance(join, Join) or join.join_type is not JoinType.INNER or join.condition is None:
        return None
    given = conjuncts(join.condition)
    tests = [rewrite_over_pairs(condition, len(join.left.schema)) for condition in given if has_pairs(condition)]
    if not tests:
        return None
    kept = [condition for condition in given if not has_pairs(condition)]
    base = join.evolve(condition=conjunction(kept) if kept else None)
    return Chain(base, tuple(tests), None, tuple(columns_of(base)), base.schema.names)


def has_pairs(expression: ResolvedExpression) -> bool:
    """Whether an expression contains a call on columns of both sides."""
    return any(is_async(part) and len({r.input_index for r in references(part)}) == 2 for part in expression.walk())


def _build_join(left: Below, right: Below, join_type: JoinType, below: Sequence[ResolvedExpression]) -> QueryOperation:
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
    """Rewrite an outer join whose condition makes calls on pairs."""
    join_type = operation.join_type
    left_id, right_id = left.take(call(_UUID, ())), right.take(call(_UUID, ()))
    joined = _build_join(left, right, join_type, below)
    width, total = len(operation.left.schema), len(operation.schema)
    first_right = width + len(left.names)
    given = columns_of(joined)
    positions = [*range(width), *range(first_right, first_right + total - width)]
    columns = [given[i] for i in positions]
    one, other = given[left_id.index], given[first_right + right_id.index]
    is_pair = conjunction([call(IS_NOT_NULL, (one,)), call(IS_NOT_NULL, (other,))])
    tested = call(CASE, (is_pair, conjunction([rewrite_over_pairs(c, first_right) for c in above])))
    rows = _Rows(joined, [*columns, one, other])
    rows.add(
        call(IS_TRUE, (tested,)),
        *_find_calls_of_test(tested, [rewrite_over_pairs(made, first_right) for made in shared]),
    )
    one, other, test, *made_by_test = rows.columns[total:]
    # For each side whose unmatched rows stay: the identifier of a row of the side, and the kind of such a row.
    lonely = [
        (key, kind)
        for key, kind, is_kept in (
            (one, _LEFT_ALONE, join_type.right_is_optional),
            (other, _RIGHT_ALONE, join_type.left_is_optional),
        )
        if is_kept
    ]
    rows.add(
        *[_compute_over(made, (key,), test) for key, _ in lonely for made in (call(MAX, (test,)), call(ROW_NUMBER, ()))]
    )
    found = rows.columns[-2 * len(lonely) :]
    kinds_of_row = [_build_condition(test, _PAIR)]
    for (key, kind), some, number in zip(lonely, found[0::2], found[1::2], strict=True):
        # Emit an unmatched row once, at the first of its pairs.
        is_alone = [call(IS_NOT_NULL, (key,)), call(NOT, (some,)), call(EQUALS, (number, literal(1)))]
        kinds_of_row.append(_build_condition(conjunction(is_alone), kind))
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
            names.append(choose_unused_name("__pair", taken))
            taken.add(fold(names[-1]))
    return project(kept, tuple(shown), tuple(names))


def _find_calls_of_test(tested: ResolvedExpression, calls: Sequence[ResolvedExpression]) -> list[ResolvedExpression]:
    """Return for each call of a test whether the test makes it for a row, and its result."""
    guards = find_guards((tested,), async_parts((tested,)))
    found: list[ResolvedExpression] = []
    for made in calls:
        assert isinstance(made, Call)
        guard = guard_of(guards[made])
        assert guard is not None
        found += [call(IS_TRUE, (guard,)), call(CASE, (guard, made))]
    return found


class _Rows:
    """Rows to which projections add columns."""

    def __init__(self, operation: QueryOperation, columns: Sequence[FieldReference]) -> None:
        self.operation = operation
        self.columns = list(columns)

    def add(self, *expressions: ResolvedExpression) -> None:
        names = [column.name for column in self.columns]
        taken = {fold(name) for name in names}
        for _ in expressions:
            names.append(choose_unused_name("__pair", taken))
            taken.add(fold(names[-1]))
        self.operation = Project(self.operation, (*self.columns, *expressions), tuple(names))
        self.columns = columns_of(self.operation)

    def unused(self, name: str) -> str:
        return choose_unused_name(name, {fold(column.name) for column in self.columns})


def _compute_over(made: ResolvedExpression, keys: tuple[ResolvedExpression, ...], test: ResolvedExpression) -> Over:
    assert isinstance(made, Call)
    order = () if made.function is MAX else (SortOrder(test, False, False),)
    return Over(made, keys, order)


def _build_condition(condition: ResolvedExpression, kind: int) -> ResolvedExpression:
    return call(CASE, (condition, literal(kind)))
