"""Find implicit casts of notices in a query, and whether Spark is certain to fail at them.

Spark evaluates a constant cast while it optimizes, even over a table without rows, unless the cast may never be
evaluated: in a branch, beside NULL, in a column that the enclosing query drops, or in a part that is known to have no
rows. A cast that ``is_certain`` to fail is therefore an error, any other a warning.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ir.call_expressions import Call, Over
from ir.expressions import FieldReference, OuterReference, ResolvedExpression, SortOrder, ValueLiteral
from ir.functions import aggregate, arithmetic, comparison, conversion, logic
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.implicit_notices import Kind, Notice
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct, Filter
from ir.operations.join import Join, JoinType
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW, Values
from ir.records import record

_TRYING = ("try_", "TRY_")
# Spark evaluates all operands of these functions, so that a failing operand fails the call.
_EVALUATED = frozenset(
    (
        *(comparison.EQUALS, comparison.NOT_EQUALS, comparison.GREATER_THAN, comparison.GREATER_THAN_OR_EQUAL),
        *(comparison.LESS_THAN, comparison.LESS_THAN_OR_EQUAL, comparison.BETWEEN, comparison.NOT_BETWEEN),
        *(comparison.IN, comparison.IS_DISTINCT_FROM, comparison.IS_NOT_DISTINCT_FROM),
        *(logic.AND, logic.OR, logic.NOT, conversion.CAST),
        *(arithmetic.PLUS, arithmetic.MINUS, arithmetic.TIMES, arithmetic.DIVIDE, arithmetic.MOD),
        *(aggregate.SUM, aggregate.COUNT, aggregate.MIN, aggregate.MAX, aggregate.AVG),
    )
)
# How much of a query block the enclosing query needs: all, some of its aggregates, or possibly only its rows.
_ALL, _AGGREGATES, _ROWS = 2, 1, 0
_Step = tuple[QueryOperation, int, frozenset[int], bool]
_OUTER_SIDES = {
    JoinType.LEFT_OUTER: (False, True),
    JoinType.RIGHT_OUTER: (True, False),
    JoinType.FULL_OUTER: (True, True),
}


@record(eq=False, repr=False)
class Suspicion:
    """An implicit cast in a query; ``is_certain`` if Spark fails at it for any rows."""

    notice: Notice
    is_certain: bool


def suspicions_of_step(
    operation: QueryOperation, known: Collection[QueryOperation], notices: Sequence[Notice]
) -> list[Suspicion]:
    """Return the casts with notices in the operations that a step adds above the known ones."""
    finder = _Finder(notices)
    pending, seen = [operation], set(known)
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            finder.look_at_step(current)
            pending += (*current.inputs, *current.subqueries)
    return finder.found()


def suspicions_of_query(operation: QueryOperation, notices: Sequence[Notice]) -> list[Suspicion]:
    """Return the casts with notices in a whole query."""
    finder = _Finder(notices)
    calls = {notice.made for notice in notices}
    pending: list[_Step] = [(operation, _ALL, frozenset(), not _may_be_empty(operation, calls))]
    seen: set[_Step] = set()
    while pending:
        step = pending.pop()
        if step not in seen:
            seen.add(step)
            pending += finder.enter(*step)
    return finder.found()


class _Finder:
    """Finds the calls of notices in expressions, and those at which Spark is certain to fail."""

    def __init__(self, notices: Sequence[Notice]) -> None:
        self._by_call: dict[object, list[Notice]] = {}
        for notice in notices:
            keys = {notice.made, *_keys(notice)}
            for key in keys:
                self._by_call.setdefault(key, []).append(notice)
        self._is_certain: dict[Notice, bool] = {}

    def found(self) -> list[Suspicion]:
        """Return a suspicion for each place, in the order of the places."""
        by_place: dict[object, Suspicion] = {}
        for notice, is_certain in self._is_certain.items():
            place = (notice.position, notice.cast.argument) if notice.position is not None else _keys(notice)[0]
            if place not in by_place or is_certain > by_place[place].is_certain:
                by_place[place] = Suspicion(notice, is_certain)
        return sorted(by_place.values(), key=lambda one: one.notice.position or 0)

    def enter(self, operation: QueryOperation, needed: int, columns: frozenset[int], is_certain: bool) -> list[_Step]:
        """Examine one operation, and return its inputs and queries, each with how much of it is needed.

        If only aggregates are needed, these are the aggregates at the positions ``columns``.
        """
        is_used = is_certain and needed == _ALL
        if isinstance(operation, Aggregate):
            return self._enter_aggregate(operation, needed, columns, is_certain)
        if isinstance(operation, Filter):
            subqueries, read = self.look_at(operation.expressions, is_certain)
            steps: list[_Step] = [(operation.input, needed, columns | read, is_certain)]
        elif isinstance(operation, (Distinct, Sort, SetOperation)) or _is_choice(operation):
            self._add(operation, is_used)
            subqueries, _ = self.look_at(operation.expressions, is_used)
            steps = [(read_from, needed, columns, is_certain) for read_from in operation.inputs]
        elif isinstance(operation, Project):
            subqueries, read = self.look_at(operation.expressions, is_used)
            steps = [(operation.input, _AGGREGATES if needed == _ALL else _ROWS, read, is_certain)]
        elif isinstance(operation, Join):
            sides = _OUTER_SIDES.get(operation.join_type, (False, False))
            subqueries, _ = self.look_at(operation.expressions, is_certain and not any(sides))
            outer = zip(operation.inputs, sides, strict=True)
            steps = [(side, _ROWS, frozenset(), is_certain and not is_outer) for side, is_outer in outer]
        else:
            subqueries, _ = self.look_at(operation.expressions, is_certain=False)
            steps = [(read_from, _ROWS, frozenset(), False) for read_from in operation.inputs]
        return steps + [(query, _ROWS, frozenset(), certain) for query, certain in subqueries]

    def _enter_aggregate(
        self, operation: Aggregate, needed: int, columns: frozenset[int], is_certain: bool
    ) -> list[_Step]:
        subqueries, _ = self.look_at(operation.group_keys, is_certain)
        for index, one in enumerate(operation.aggregates, len(operation.group_keys)):
            is_used = needed == _ALL or (needed == _AGGREGATES and index in columns)
            subqueries += self.look_at((one,), is_certain and is_used)[0]
        queries: list[_Step] = [(query, _ROWS, frozenset(), certain) for query, certain in subqueries]
        return [(operation.input, _ROWS, frozenset(), is_certain), *queries]

    def look_at(
        self, expressions: Sequence[ResolvedExpression], is_certain: bool
    ) -> tuple[list[tuple[QueryOperation, bool]], frozenset[int]]:
        """Examine expressions of an operation, and return their queries and the columns that are surely evaluated."""
        subqueries = []
        columns = set()
        pending = [(expression, is_certain) for expression in expressions]
        seen = set()
        while pending:
            step = pending.pop()
            if step in seen:
                continue
            seen.add(step)
            expression, is_evaluated = step
            if isinstance(expression, TableReference):
                subqueries.append((expression.operation, is_evaluated))
            elif isinstance(expression, FieldReference) and is_evaluated:
                columns.add(expression.index)
            call = expression.call if isinstance(expression, Over) else expression
            if isinstance(call, Call):
                self._add_call(call, is_evaluated)
                evaluated = _find_evaluated_children(call) if is_evaluated else ()
                pending += [(child, child in evaluated) for child in expression.children]
            else:
                is_key = isinstance(expression, SortOrder)
                pending += [(child, is_evaluated and is_key) for child in expression.children]
        return subqueries, frozenset(columns)

    def look_at_step(self, operation: QueryOperation) -> None:
        """Examine an operation that a user has just added to a query."""
        self._add(operation, is_certain=True)
        self.look_at(operation.expressions, is_certain=True)

    def _add_call(self, call: Call, is_certain: bool) -> None:
        function = call.function
        is_certain = is_certain and not function.guards and not function.name.startswith(_TRYING)
        found = self._by_call.get(call, ())
        if not found:
            keys = ((call.function, place, value) for place, value in enumerate(call.arguments))
            found = [notice for key in keys for notice in self._by_call.get(key, ())]
        for notice in found:
            others = (*call.arguments[: notice.cast.argument], *call.arguments[notice.cast.argument + 1 :])
            is_reached = not any(map(_may_be_null_constant, others)) and not _decides(call.function, others)
            self._add_notice(notice, is_certain and is_reached)

    def _add(self, operation: QueryOperation, is_certain: bool) -> None:
        for notice in self._by_call.get(operation, ()):
            self._add_notice(notice, is_certain)

    def _add_notice(self, notice: Notice, is_certain: bool) -> None:
        is_certain = is_certain and notice.cast.kind is Kind.CONSTANT
        self._is_certain[notice] = self._is_certain.get(notice, False) or is_certain


def _keys(notice: Notice) -> list[object]:
    """Return keys by which a rebuilt call is recognized: its function, and the argument and value that are cast."""
    made = notice.made
    if isinstance(made, Call):
        return [(made.function, notice.cast.argument, notice.cast.value)]
    return [(made, notice.cast.argument, notice.cast.value)]


def _find_evaluated_children(call: Call) -> Collection[ResolvedExpression]:
    """Return the operands that Spark evaluates regardless of the other operands."""
    function: FunctionDefinition = call.function
    if function not in _EVALUATED and function.kind is not FunctionKind.AGGREGATE:
        return ()
    if _decides(function, call.arguments):
        return ()
    doubtful = [argument for argument in call.arguments if _may_be_null_constant(argument)]
    if not doubtful:
        return call.children
    return doubtful if len(doubtful) == 1 else ()


def _decides(function: FunctionDefinition, operands: Sequence[ResolvedExpression]) -> bool:
    """Whether an operand of AND or OR may be a constant that decides the result alone, as FALSE does in AND."""
    return function in (logic.AND, logic.OR) and not all(
        any(isinstance(part, (FieldReference, OuterReference)) for part in operand.walk()) for operand in operands
    )


def _may_be_null_constant(expression: ResolvedExpression) -> bool:
    """Whether an expression contains a nullable part without columns, which may let Spark skip the enclosing call."""
    return any(
        part.data_type.nullable and not any(isinstance(of, (FieldReference, OuterReference)) for of in part.walk())
        for part in expression.walk()
        if isinstance(part, (Call, ValueLiteral))
    )


def _is_choice(operation: QueryOperation) -> bool:
    """Whether an operation only reorders the columns of its input."""
    if not isinstance(operation, Project):
        return False
    columns = {column for column in operation.projections if isinstance(column, FieldReference)}
    return len(columns) == len(operation.projections) == len(operation.input.schema)


def _may_be_empty(root: QueryOperation, noticed: Collection[object]) -> bool:
    """Whether Spark may find that a part of a query has no rows before it evaluates the calls with notices."""
    conditions: list[ResolvedExpression] = []
    has_values = False
    for operation in root.walk_with_subqueries():
        if isinstance(operation, Sort) and operation.fetch == 0:
            return True
        has_values = has_values or (isinstance(operation, Values) and operation is not SINGLE_ROW)
        if isinstance(operation, Filter):
            conditions += _conjuncts(operation.condition)
            has_values = has_values or operation.input is SINGLE_ROW
        if isinstance(operation, Join) and operation.condition is not None:
            conditions += _conjuncts(operation.condition)
    if has_values and len(conditions) > 1:
        return True
    return any(
        not any(isinstance(part, FieldReference) or part in noticed for part in one.walk()) for one in conditions
    )


def _conjuncts(condition: ResolvedExpression) -> Sequence[ResolvedExpression]:
    is_chain = isinstance(condition, Call) and condition.function is logic.AND
    return condition.arguments if isinstance(condition, Call) and is_chain else (condition,)
