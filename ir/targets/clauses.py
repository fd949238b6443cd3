"""The features that operations need of an engine, by the names of the probes with which engines are asked.

The probes are in ``tests/versions/syntax.sql``; ``ir/dialects`` says which of them each engine refuses.
"""

from __future__ import annotations

from collections.abc import Iterator

from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute
from ir.operations.pivot import Pivot
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.script import Script
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.source import Source
from ir.targets.shadowing import SHADOWED_INDEX, find_shadowed_index
from ir.targets.subqueries import features_of_subqueries
from ir.targets.target import STATEFUL_CALL
from ir.types import CalendarIntervalType, LogicalType, MapType, RowType

GROUP_BY_MAP = "GROUP BY of a map"
GROUP_BY_INTERVAL = "GROUP BY of a calendar interval"
DISTINCT_MAP = "DISTINCT of a map"
TABLE_OPTIONS = "table options"
CHANGES = "CHANGES of a table"
STREAM = "STREAM"
SOURCE_NAME = "IDENTIFIED BY of a stream"
SPECIAL_NAME = "IDENTIFIER of an alias"
EMPTY_GROUPING_SET = "GROUPING SETS of the empty set alone"
EQUAL_PIVOT_VALUES = "PIVOT with a value twice"
INTERSECT_ALL = "INTERSECT ALL"
OTHER_FIELDS = "set operation of structs with other field names"
EMPTY_STRUCT = "struct without fields"
DISTRIBUTE = "DISTRIBUTE BY"
SCRIPT = "TRANSFORM"


def features_of(operation: QueryOperation) -> Iterator[str]:
    """Yield the features that an operation and the subqueries in its expressions need, without those of its inputs."""
    if operation.feature is not None:
        yield operation.feature
    match operation:
        case Source():
            if operation.options:
                yield TABLE_OPTIONS
            if operation.changes is not None and not operation.changes.by_function:
                yield CHANGES
            if operation.stream is not None:
                if not operation.stream.is_declared:
                    yield STREAM
                if operation.stream.name is not None:
                    yield SOURCE_NAME
        case Aggregate():
            yield from _of_keys([key.data_type for key in operation.group_keys])
            if operation.grouping_sets == ((),):
                yield EMPTY_GROUPING_SET
        case Distinct() if any(_has_map(column.data_type) for column in operation.schema.columns):
            yield DISTINCT_MAP
        case Pivot() if len(set(operation.values)) < len(operation.values):
            yield EQUAL_PIVOT_VALUES
        case SetOperation():
            if operation.all and operation.kind is SetOperationType.INTERSECT:
                yield INTERSECT_ALL
            if _has_other_fields(operation):
                yield OTHER_FIELDS
        case Distribute():
            yield DISTRIBUTE
        case Project():
            if find_shadowed_index(operation.projections, operation.names) is not None:
                yield SHADOWED_INDEX
        case Script():
            yield SCRIPT
        case ProcessTable() if operation.is_unbounded and operation.signature.tables[0].is_set:
            yield STATEFUL_CALL
    yield from features_of_subqueries(operation)


def _has_other_fields(operation: SetOperation) -> bool:
    """Return whether a column of structs has other names of fields in another input."""
    first, *others = [read.schema.columns for read in operation.inputs]
    return any(
        isinstance(part, RowType)
        for other in others
        for column, same in zip(first, other, strict=True)
        if not column.data_type.same_type(same.data_type)
        for part in column.data_type.walk()
    )


def _of_keys(types: list[LogicalType]) -> Iterator[str]:
    if any(map(_has_map, types)):
        yield GROUP_BY_MAP
    if any(isinstance(part, CalendarIntervalType) for kind in types for part in kind.walk()):
        yield GROUP_BY_INTERVAL


def _has_map(data_type: LogicalType) -> bool:
    return any(isinstance(part, MapType) for part in data_type.walk())
