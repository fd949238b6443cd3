"""What every operation declares of itself, and that each room which enumerates operations knows all of them."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from functools import cache

import pyarrow as pa
import pytest

import ir.operations
from ir.expressions import FieldReference
from ir.nodes import init_fields
from ir.operations.engine import EngineFunction
from ir.operations.join import Pairing
from ir.operations.operation import QueryOperation
from ir.rewriting import transform_operations
from serializer.flink.notation import FLINK
from serializer.nested import writer_of
from serializer.notation import Notation
from serializer.spark_notation import SPARK
from tableapi.expressions import col
from tableapi.process_functions import ProcessTableFunction, TableAsSet
from tableapi.types import Row
from tests.metamorphic.corpus import tree, tree_names
from tests.programs.tables import environment_without_spark


def _below(cls: type[QueryOperation]) -> list[type[QueryOperation]]:
    # For a class with slots, attrs makes a second one in the place of the first.
    # The planner has operations of its own, which no query has.
    known = [c for c in cls.__subclasses__() if c.__module__.startswith("ir.operations.")]
    direct = [c for c in known if getattr(sys.modules[c.__module__], c.__name__) is c]
    return [found for c in direct for found in (c, *_below(c))]


for _module in pkgutil.iter_modules(ir.operations.__path__, "ir.operations."):
    importlib.import_module(_module.name)
# A Pairing is what several joins have in common.
OPERATIONS = sorted({*_below(QueryOperation)} - {Pairing}, key=lambda cls: cls.__name__)
each_operation = pytest.mark.parametrize("cls", OPERATIONS, ids=lambda cls: cls.__name__)


class _Counts(ProcessTableFunction):
    def eval(self, input: TableAsSet[Row]) -> Iterator[int]:
        yield 1


@cache
def _examples() -> dict[type[QueryOperation], list[QueryOperation]]:
    """Return the operations of the queries of the tests, by their class."""
    rows = environment_without_spark().from_arrow(pa.table({"a": [1, 2], "b": ["x", "y"]}))
    process = rows.partition_by(col("b")).process(_Counts)
    found: dict[type[QueryOperation], dict[QueryOperation, None]] = {}
    for query in (*[tree(name) for name in tree_names()], process.query_operation):
        for operation in query.walk_with_subqueries():
            found.setdefault(type(operation), {})[operation] = None
    return {cls: list(operations) for cls, operations in found.items()}


@each_operation
def test_operations_have_names_for_trees_and_sentences(cls: type[QueryOperation]) -> None:
    others = [other for other in OPERATIONS if other is not cls]
    assert cls.title not in {"", *[other.title for other in others]}
    assert cls.noun not in {"", *[other.noun for other in others]}


@each_operation
def test_an_operation_that_hides_the_query_around_names_its_clause(cls: type[QueryOperation]) -> None:
    hides = cls.hides_outer_query is not QueryOperation.hides_outer_query
    takes = cls.takes_outer_references is not QueryOperation.takes_outer_references
    has_expressions = any("Expression" in str(kind) or "Sort" in str(kind) for kind in cls.__annotations__.values())
    assert cls.sql_clause or not (hides or (has_expressions and not takes)) or cls is EngineFunction


@pytest.mark.parametrize("notation", [SPARK, FLINK], ids=["spark", "flink"])
@each_operation
def test_the_nested_layout_writes_each_operation(cls: type[QueryOperation], notation: Notation) -> None:
    assert callable(writer_of(cls, notation))


@pytest.mark.slow
@each_operation
def test_each_operation_is_in_a_test_query(cls: type[QueryOperation]) -> None:
    # Plans for the engine alone have it.
    assert cls in _examples() or cls is EngineFunction


@each_operation
def test_its_inputs_are_the_operations_of_its_fields_in_order(cls: type[QueryOperation]) -> None:
    for operation in _examples().get(cls, ()):
        held: list[QueryOperation] = []
        for name in init_fields(cls):
            value = getattr(operation, name)
            held += [
                part for part in (value if isinstance(value, tuple) else (value,)) if isinstance(part, QueryOperation)
            ]
        assert tuple(held) == operation.inputs
        assert operation.with_inputs(operation.inputs) is operation


@each_operation
def test_a_column_that_is_passed_on_has_its_type_below(cls: type[QueryOperation]) -> None:
    for operation in _examples().get(cls, ()):
        for index, column in enumerate(operation.schema.columns):
            below = operation.column_below(index)
            if below is None:
                continue
            input, position = below
            given = input.schema.columns[position]
            assert input in operation.inputs
            assert given.data_type.as_nullable() is column.data_type.as_nullable()
            if cls.keeps_columns:
                assert given is column


@each_operation
def test_operations_are_rebuilt_over_changed_expressions(cls: type[QueryOperation]) -> None:
    for operation in _examples().get(cls, ()):
        assert operation.map_parts(lambda part: part) is operation
        assert transform_operations(operation, lambda current: current, lambda e: e) is operation
        held = [e for e in operation.expressions if isinstance(e, FieldReference)]
        changed = operation.map_parts(lambda part, held=held: part.evolve(name="other") if part in held else part)
        assert changed.inputs == operation.inputs
        assert (changed is operation) == (not held)
