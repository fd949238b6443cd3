"""Evaluate queries row by row without Spark, by the definitions of their operations, and count the async calls."""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ir.call_expressions import Call, Over
from ir.calls import is_aggregate
from ir.expressions import FieldReference, OuterReference, ResolvedExpression, SortOrder, ValueLiteral
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct, Filter
from ir.operations.hint import Hint
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import Source, Values
from tableapi.spark.planner.asynchronous.calc import AsyncCalc
from tableapi.spark.planner.asynchronous.call_guards import is_async

Row = tuple[Any, ...]


def _of_known(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: None if any(value is None for value in given) else function(*given)


def _and(given: Sequence[ResolvedExpression], computed: Callable[[ResolvedExpression], Any]) -> Any:
    result: bool | None = True
    for one in given:
        value = computed(one)
        if value is False:
            return False
        result = None if value is None else result
    return result


def _or(given: Sequence[ResolvedExpression], computed: Callable[[ResolvedExpression], Any]) -> Any:
    result: bool | None = False
    for one in given:
        value = computed(one)
        if value is True:
            return True
        result = None if value is None else result
    return result


def _case(given: Sequence[ResolvedExpression], computed: Callable[[ResolvedExpression], Any]) -> Any:
    for condition, result in zip(given[0::2], given[1::2], strict=False):
        if computed(condition) is True:
            return computed(result)
    return computed(given[-1]) if len(given) % 2 else None


def _coalesce(given: Sequence[ResolvedExpression], computed: Callable[[ResolvedExpression], Any]) -> Any:
    return next((value for value in map(computed, given) if value is not None), None)


# Functions that do not evaluate all of their arguments for each row.
LAZY = {"and": _and, "or": _or, "ifThenElse": _case, "COALESCE": _coalesce, "IFNULL": _coalesce}

_unique = itertools.count()

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "equals": _of_known(operator.eq),
    "notEquals": _of_known(operator.ne),
    "lessThan": _of_known(operator.lt),
    "lessThanOrEqual": _of_known(operator.le),
    "greaterThan": _of_known(operator.gt),
    "greaterThanOrEqual": _of_known(operator.ge),
    "plus": _of_known(operator.add),
    "minus": _of_known(operator.sub),
    "minusPrefix": _of_known(operator.neg),
    "times": _of_known(operator.mul),
    "mod": _of_known(operator.mod),
    "not": _of_known(operator.not_),
    "isNull": lambda value: value is None,
    "isNotNull": lambda value: value is not None,
    "isTrue": lambda value: value is True,
    "isNotTrue": lambda value: value is not True,
    "isFalse": lambda value: value is False,
    "isNotFalse": lambda value: value is not False,
    "cast": lambda value, _: value,
    "array": lambda *given: list(given),
    "uuid": lambda: next(_unique),
}


class Evaluation:
    """Evaluate queries.

    Args:
        functions: the async functions, by name.
        tables: the rows of tables, by name.
    """

    def __init__(
        self, functions: Mapping[str, Callable[..., Any]], tables: Mapping[str, list[Row]] | None = None
    ) -> None:
        self._functions = functions
        self._tables = tables or {}
        self.calls: Counter[tuple[Any, ...]] = Counter()
        self._current: QueryOperation | None = None
        self._queries: dict[tuple[QueryOperation | None, QueryOperation], list[Row]] = {}

    def rows(self, root: QueryOperation, outer: Mapping[str, Any] | None = None) -> list[Row]:
        """Return the rows of a query; ``outer`` contains the values of outer columns."""
        done: dict[QueryOperation, list[Row]] = {}
        for current in root.walk():
            self._current = current
            done[current] = self._computed(current, [done[below] for below in current.inputs], outer or {})
        return done[root]

    # --- operations --------------------------------------------------------------------------------------------------

    def _computed(self, current: QueryOperation, inputs: list[list[Row]], outer: Mapping[str, Any]) -> list[Row]:
        rows = inputs[0] if inputs else []
        names = current.inputs[0].schema.names if inputs else ()

        def value(expression: ResolvedExpression, row: Row) -> Any:
            return self._value(expression, (row, ()), {**outer, **dict(zip(names, row, strict=True))})

        if isinstance(current, Source):
            return self._tables[current.identifier.name]
        if isinstance(current, Values):
            return [tuple([self._value(e, ((), ()), outer) for e in row]) for row in current.rows]
        if isinstance(current, Filter):
            return [row for row in rows if value(current.condition, row) is True]
        if isinstance(current, AsyncCalc):
            return [(*row, *self._calls(current, row, outer)) for row in rows]
        if isinstance(current, Project):
            windows = {
                part: self._over(part, rows, value)
                for projection in current.projections
                for part in projection.walk()
                if isinstance(part, Over)
            }
            return [
                tuple(
                    [
                        self._value(
                            projection,
                            (row, ()),
                            {**outer, **dict(zip(names, row, strict=True))},
                            {window: values[number] for window, values in windows.items()},
                        )
                        for projection in current.projections
                    ]
                )
                for number, row in enumerate(rows)
            ]
        if isinstance(current, Sort):
            ordered = self._sorted(rows, current.order, value)
            first = current.offset or 0
            return ordered[first : None if current.fetch is None else first + current.fetch]
        if isinstance(current, SortPartitions):
            return self._sorted(rows, current.order, value)
        if isinstance(current, Distribute):
            for row in rows:
                for key in current.keys:
                    value(key, row)
            return rows
        if isinstance(current, Hint):
            return rows
        if isinstance(current, Distinct):
            return list(dict.fromkeys(rows))
        if isinstance(current, SetOperation):
            assert current.kind is SetOperationType.UNION
            return rows + inputs[1] if current.all else list(dict.fromkeys(rows + inputs[1]))
        if isinstance(current, Join):
            return self._joined(current, rows, inputs[1], outer)
        if isinstance(current, LateralJoin):
            assert isinstance(current.right, Call)
            array = current.right.arguments[0]
            return [(*row, element) for row in rows for element in value(array, row) or ()]
        assert isinstance(current, Aggregate), current
        assert current.grouping_sets is None
        groups: dict[Row, list[Row]] = {} if current.group_keys else {(): []}
        for row in rows:
            groups.setdefault(tuple([value(key, row) for key in current.group_keys]), []).append(row)
        return [
            (*key, *[self._of_group(aggregate, group, value) for aggregate in current.aggregates])
            for key, group in groups.items()
        ]

    def _calls(self, calc: AsyncCalc, row: Row, outer: Mapping[str, Any]) -> Iterable[Any]:
        known: dict[ResolvedExpression, Any] = {}
        around = {**outer, **dict(zip(calc.input.schema.names, row, strict=True))}
        for call, guard in zip(calc.calls, calc.guards, strict=True):
            known[call] = None
            if guard is None or self._value(guard, (row, ()), around) is True:
                given = [self._value(argument, (row, ()), around, known) for argument in call.arguments]
                known[call] = self._called(call, given)
        return known.values()

    def _called(self, call: Call, given: Sequence[Any]) -> Any:
        if any(argument is None for argument in given):
            return None
        self.calls[(call.function.name, *given)] += 1
        return self._functions[call.function.name](*given)

    def _joined(self, join: Join, left: list[Row], right: list[Row], outer: Mapping[str, Any]) -> list[Row]:
        kind, made = join.join_type, []
        met: set[int] = set()
        for one in left:
            partners = [
                number
                for number, other in enumerate(right)
                if join.condition is None or self._value(join.condition, (one, other), outer) is True
            ]
            met.update(partners)
            made += [(*one, *right[number]) for number in partners]
            if not partners and kind.right_is_optional:
                made.append((*one, *[None] * len(join.right.schema)))
        if kind in (JoinType.RIGHT_OUTER, JoinType.FULL_OUTER):
            nothing = [None] * len(join.left.schema)
            made += [(*nothing, *other) for number, other in enumerate(right) if number not in met]
        return made

    def _sorted(self, rows: list[Row], order: Sequence[SortOrder], value: Callable[..., Any]) -> list[Row]:
        return [rows[number] for number in self._in_order(rows, range(len(rows)), order, value)]

    def _in_order(
        self, rows: list[Row], numbers: Iterable[int], order: Sequence[SortOrder], value: Callable[..., Any]
    ) -> list[int]:
        """Return the indexes of rows in sorted order."""
        found = list(numbers)
        for one in reversed(order):
            keys = {number: value(one.expression, rows[number]) for number in found}
            known = sorted([n for n in found if keys[n] is not None], key=keys.__getitem__, reverse=not one.ascending)
            unknown = [number for number in found if keys[number] is None]
            found = unknown + known if one.nulls_first else known + unknown
        return found

    def _over(self, over: Over, rows: list[Row], value: Callable[..., Any]) -> list[Any]:
        """Return each row's window value over the rows up to it, or over the whole partition without an order."""
        found: list[Any] = [None] * len(rows)
        partitions: dict[Row, list[int]] = {}
        for number, row in enumerate(rows):
            partitions.setdefault(tuple([value(key, row) for key in over.partition_by]), []).append(number)
        for numbers in partitions.values():
            ordered = self._in_order(rows, numbers, over.order_by, value)
            for place, number in enumerate(ordered):
                if over.call.function.name == "rowNumber":
                    found[number] = place + 1
                else:
                    upto = ordered[: place + 1] if over.order_by else ordered
                    found[number] = self._of_group(over.call, [rows[n] for n in upto], value)
        return found

    def _of_group(self, aggregate: ResolvedExpression, group: list[Row], value: Callable[..., Any]) -> Any:
        known: dict[ResolvedExpression, Any] = {}
        for part in aggregate.walk():
            if isinstance(part, Call) and is_aggregate(part):
                taken = [row for row in group if part.filter is None or value(part.filter, row) is True]
                given = [value(argument, row) for row in taken for argument in part.arguments[:1]]
                if not part.arguments:
                    given = [1] * len(taken)
                values = [one for one in given if one is not None]
                name = part.function.name
                if name == "count":
                    known[part] = len(values)
                else:
                    fold = {"sum": sum, "max": max, "min": min}[name]
                    known[part] = fold(values) if values else None
        return self._value(aggregate, ((), ()), {}, known)

    def _of_query(self, query: QueryOperation, outer: Mapping[str, Any]) -> list[Row]:
        """Return the rows of a subquery, which an operation evaluates once unless the subquery is correlated."""
        current = self._current
        key = (current, query)
        if outer_references(query):
            rows = self.rows(query, outer)
        else:
            if key not in self._queries:
                self._queries[key] = self.rows(query, outer)
            rows = self._queries[key]
        self._current = current
        return rows

    # --- expressions -------------------------------------------------------------------------------------------------

    def _value(
        self,
        root: ResolvedExpression,
        rows: tuple[Row, Row],
        outer: Mapping[str, Any],
        known: Mapping[ResolvedExpression, Any] | None = None,
    ) -> Any:
        values: dict[ResolvedExpression, Any] = dict(known or {})

        def computed(part: ResolvedExpression) -> Any:
            if part in values:
                return values[part]
            if isinstance(part, FieldReference):
                return rows[part.input_index][part.index]
            if isinstance(part, ValueLiteral):
                return part.value
            if isinstance(part, OuterReference):
                return outer[part.name]
            if isinstance(part, TableReference):
                return self._of_query(part.operation, outer)
            if not isinstance(part, Call):
                return None
            name = part.function.name
            if name in LAZY:
                return LAZY[name](part.arguments, computed)
            given = [computed(child) for child in part.arguments]
            if is_async(part):
                return self._called(part, given)
            if name == "in":
                return None if given[0] is None else given[0] in [found for (found,) in given[1]]
            if name == "exists":
                return bool(given[0])
            if name == "scalar":
                assert len(given[0]) < 2
                return given[0][0][0] if given[0] else None
            return FUNCTIONS[name](*given)

        return computed(root)
