"""Rewriting of operations that Flink's SQL lacks to equivalent operations."""

from __future__ import annotations

from functools import partial

from ir import types as t
from ir.call_expressions import Call
from ir.calls import Clauses, call, is_aggregate
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.aggregate import COUNT
from ir.functions.comparison import EQUALS, IS_NULL
from ir.functions.conversion import CAST
from ir.functions.logic import AND, CASE
from ir.names import Names
from ir.operations.aggregate import Aggregate
from ir.operations.join import Join, JoinType
from ir.operations.operation import QueryOperation
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.project import Project, project
from ir.operations.source import Values
from ir.rewriting import transform
from ir.schema import Column, ResolvedSchema
from ir.types import LogicalType

# For aggregates of these types only, Spark's Pivot first groups by the pivot values, too, and a missing group is NULL
# in its cell. For any other type it aggregates once, and the cell holds the aggregate over no rows.
_GATHERED = (t.IntegralType, t.FractionalType, t.DecimalType, t.BooleanType)


def rewrite_pivot(pivot: Pivot) -> QueryOperation:
    """Return a Pivot as an aggregation with a FILTER condition for each value."""
    gathered = all(isinstance(aggregate.data_type, _GATHERED) for aggregate in pivot.aggregates)
    cells: list[ResolvedExpression] = []
    for value in pivot.values:
        condition = _build_conjunction([_build_equality(c, v) for c, v in zip(pivot.pivot_columns, value, strict=True)])
        present = call(COUNT, (ValueLiteral(1, t.INT.not_null()),), Clauses(filter=condition))
        for aggregate in pivot.aggregates:
            cell = transform(aggregate, partial(_add_condition, condition))
            if gathered:
                cell = call(CASE, (call(EQUALS, (present, _zero())), _NULL, cell))
            cells.append(cell)
    return _aggregation(pivot, cells)


def _aggregation(pivot: Pivot, cells: list[ResolvedExpression]) -> QueryOperation:
    """Return the aggregation below a projection that computes expressions over the aggregates."""
    found = dict.fromkeys(part for cell in cells for part in cell.walk() if is_aggregate(part))
    keys = pivot.group_columns
    names = Names(key.name for key in keys)
    generated = [names.generate("EXPR$", number) for number in range(len(found))]
    below = Aggregate(pivot.input, keys, tuple(found), (*[key.name for key in keys], *generated))
    columns = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(below.schema.columns)]
    place = dict(zip(found, columns[len(keys) :], strict=True))
    projections = [transform(cell, lambda part: place.get(part, part)) for cell in cells]
    return project(below, (*columns[: len(keys)], *projections), pivot.schema.names)


def _add_condition(condition: ResolvedExpression, part: ResolvedExpression) -> ResolvedExpression:
    if not isinstance(part, Call) or not is_aggregate(part):
        return part
    return part.evolve(filter=condition if part.filter is None else _build_conjunction([part.filter, condition]))


def _build_equality(column: FieldReference, value: ResolvedExpression) -> ResolvedExpression:
    if not isinstance(value, ValueLiteral):
        raise TableException(
            f"A pivot over values of type {column.data_type.as_summary_string()} has no text in Flink's SQL, which "
            "compares no arrays and rows as Spark does. Pivot over their parts, or serialise it with the dialect SPARK."
        )
    return call(IS_NULL, (column,)) if value.is_null else call(EQUALS, (column, value))


def _build_conjunction(conditions: list[ResolvedExpression]) -> ResolvedExpression:
    return conditions[0] if len(conditions) == 1 else call(AND, conditions)


def _zero() -> ValueLiteral:
    return ValueLiteral(0, t.BIGINT.not_null())


_NULL = ValueLiteral(None, t.NULL)


def rewrite_unpivot(unpivot: Unpivot) -> QueryOperation:
    """Return an Unpivot as a cross join with the labels, and a CASE by the label.

    If labels are equal, they have numbers, and the CASE is by the number.
    """
    names = Names(unpivot.input.schema.names)
    label_type = t.STRING.not_null()
    columns = [Column(names.generate("label", 0), label_type)]
    rows = [[ValueLiteral(label, label_type)] for label in unpivot.labels]
    if len(set(unpivot.labels)) < len(unpivot.labels):
        number_type = t.INT.not_null()
        columns.append(Column(names.generate("number", 0), number_type))
        for number, row in enumerate(rows):
            row.append(ValueLiteral(number, number_type))
    labels = Values(ResolvedSchema(tuple(columns)), tuple([tuple(row) for row in rows]))
    joined = Join(unpivot.input, labels, JoinType.INNER, None)
    width = len(unpivot.input.schema)
    label, *_ = given = [FieldReference(c.name, c.data_type, 0, width + i) for i, c in enumerate(columns)]
    values = []
    types = unpivot.schema.types[-len(unpivot.value_columns) :]
    for wanted, group in zip(types, zip(*unpivot.groups, strict=True), strict=True):
        branches: list[ResolvedExpression] = []
        for row, column in list(zip(rows, group, strict=True))[:-1]:
            branches += [call(EQUALS, (given[-1], row[-1])), _cast_to(column, wanted)]
        last = _cast_to(group[-1], wanted)
        values.append(call(CASE, (*branches, last)) if branches else last)
    return Project(joined, (*unpivot.kept_columns, label, *values), unpivot.schema.names)


def _cast_to(column: FieldReference, wanted: LogicalType) -> ResolvedExpression:
    return column if column.data_type.same_type(wanted) else call(CAST, (column, TypeLiteral(wanted.as_nullable())))
