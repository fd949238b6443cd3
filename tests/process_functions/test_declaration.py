"""Declarations of process table function classes."""

from __future__ import annotations

import datetime as dt
import pickle
from collections.abc import Iterator
from typing import Any, NamedTuple

import pyspark.sql
import pytest

from grammar.reading import parse_expression
from grammar.type_texts import parse_type
from ir import types as t
from ir.errors import ValidationException
from ir.expressions import DescriptorLiteral
from ir.functions.definition import FunctionKind
from ir.functions.process import ArgumentKind, ProcessSignature, StateKind
from tableapi import Row, TableEnvironment, udf
from tableapi.expressions import call, col, descriptor
from tableapi.process_functions import (
    ArgumentHint,
    ArgumentTrait,
    Context,
    ListView,
    MapView,
    ProcessTableFunction,
    StateHint,
    StaticArgument,
    TableAsRow,
    TableAsSet,
    TypeInference,
)
from tableapi.process_functions.declaration import ProcessFunction, declare_process_function
from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper, wrapper_of
from tests.process_functions import functions
from tests.process_functions.tables import environment

SIGNATURES = {
    "scalars": "f(i => BIGINT, b => BOOLEAN, on_time => DESCRIPTOR, uid => STRING)",
    "nothing_": "f(on_time => DESCRIPTOR, uid => STRING)",
    "by_row": "f(r => {TABLE_AS_ROW}, i => BIGINT, on_time => DESCRIPTOR, uid => STRING)",
    "typed_by_row": (
        "f(u => ROW<`id` BIGINT NOT NULL, `name` STRING> {TABLE_AS_ROW}, i => BIGINT, on_time => DESCRIPTOR, uid => "
        "STRING)"
    ),
    "by_set": "f(r => {TABLE_AS_SET}, i => BIGINT, on_time => DESCRIPTOR, uid => STRING)",
    "timed": (
        "f(r => {TABLE_AS_SET, REQUIRES_ORDER_BY, REQUIRES_TIME_ATTRIBUTE}, on_time => DESCRIPTOR, uid => STRING)"
    ),
    "inferred": (
        "f(left => {TABLE_AS_SET}, right => {TABLE_AS_SET}, copies => INT, wanted => DESCRIPTOR, on_time => "
        "DESCRIPTOR, "
        "uid => STRING)"
    ),
    "hinted": (
        "f(input => {TABLE_AS_ROW}, small => TINYINT, wait => INTERVAL DAY TO SECOND, anything => ANY, "
        "on_time => DESCRIPTOR, uid => STRING)"
    ),
}


def signature_of(name: str) -> ProcessSignature:
    found = declare_process_function(functions.EVERY[name]).process
    assert found is not None
    return found


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name: str) -> None:
    assert signature_of(name).describe("f") == SIGNATURES[name]


def test_scalar_arguments() -> None:
    i, b = signature_of("scalars").arguments
    assert (i.kind, i.data_type, i.is_optional, i.default) == (ArgumentKind.SCALAR, t.BIGINT.not_null(), False, None)
    assert (b.data_type, b.is_optional, b.default) == (t.BOOLEAN, True, None)
    small, wait = signature_of("hinted").arguments[1:3]
    assert (small.data_type, wait.data_type) == (t.TINYINT, t.DayTimeIntervalType())
    default = signature_of("by_set").arguments[1].default
    assert default is not None
    assert (default.value, default.type_) == (1, t.BIGINT.not_null())


def test_table_arguments() -> None:
    (by_row, _), (by_set, _) = signature_of("typed_by_row").arguments, signature_of("by_set").arguments
    assert (by_row.is_table, by_row.is_set, by_row.conversion) == (True, False, functions.Customer)
    assert (by_set.is_table, by_set.is_set, by_set.data_type, by_set.conversion) == (True, True, None, None)
    customer, order = signature_of("one_match_join").tables
    assert (customer.conversion, order.conversion) == (functions.Customer, functions.Order)


def test_states() -> None:
    total, row, seen, counts = signature_of("many_states").states
    assert (total.kind, total.label, total.conversion) == (StateKind.VALUE, "sum", functions.Count)
    assert total.ttl == dt.timedelta(hours=1)
    assert (row.kind, row.conversion, dict(row.defaults)) == (StateKind.VALUE, None, {"n": 1, "s": None})
    assert (seen.kind, seen.data_type) == (StateKind.LIST, t.ArrayType(t.STRING.not_null(), nullable=False))
    assert (counts.kind, counts.ttl) == (StateKind.MAP, None)
    (state,) = signature_of("one_match_join").states
    assert dict(state.defaults) == {}


def test_methods() -> None:
    timeout, many = signature_of("count_with_timeout"), signature_of("many_states")
    assert timeout.wants_context
    assert timeout.on_timer is not None
    assert (timeout.on_timer.wants_context, timeout.on_timer.states, timeout.finish) == (True, ("state",), None)
    assert many.finish is not None
    assert (many.wants_context, many.finish.states, many.on_timer) == (False, ("counts", "total"), None)


def test_kind_and_documentation() -> None:
    definition = declare_process_function(functions.BySet)
    assert (definition.kind, definition.documentation.doc) == (FunctionKind.PROCESS_TABLE, "The rows of a partition.")
    assert isinstance(definition.user_code.implementation, ProcessFunction)
    assert repr(wrapper_of(functions.Nothing)) == (
        "<process table function Nothing(on_time => DESCRIPTOR, uid => STRING)>"
    )


def test_names_of_flinks_later_releases() -> None:
    assert ArgumentTrait.SET_SEMANTIC_TABLE is ArgumentTrait.TABLE_AS_SET
    assert ArgumentTrait.ROW_SEMANTIC_TABLE is ArgumentTrait.TABLE_AS_ROW
    assert ArgumentTrait.REQUIRE_ON_TIME is ArgumentTrait.REQUIRES_TIME_ATTRIBUTE


def test_a_class_is_one_function() -> None:
    assert declare_process_function(functions.BySet) is declare_process_function(functions.BySet)
    instance = functions.BySet()
    assert declare_process_function(instance) is declare_process_function(instance)
    assert declare_process_function(instance) is not declare_process_function(functions.BySet)
    env = environment()
    made = [env.from_path("customers").partition_by(col("id")).process(functions.BySet) for _ in range(2)]
    assert made[0].query_operation is made[1].query_operation


def test_ways_to_give_a_function() -> None:
    env = environment()
    table = env.from_path("customers").partition_by(col("id"))
    wrapper = wrapper_of(functions.BySet)
    assert isinstance(wrapper, UserDefinedFunctionWrapper)
    ways = [
        env.from_call(functions.BySet, table),
        env.from_call(wrapper, table),
        env.from_call(call(functions.BySet, table)),
        env.from_call(wrapper(table)),
        table.process(functions.BySet),
    ]
    assert len({way.query_operation for way in ways}) == 1
    named = [env.from_call("by_set", table), env.from_call("BY_SET", r=table), env.from_call(call("by_set", table))]
    assert len({way.query_operation.schema for way in (*ways, *named)}) == 1


def test_rows_of_pyspark_are_rows() -> None:
    class Shown(ProcessTableFunction):
        def eval(self, r: Any) -> Iterator[str]:
            yield str(r)

    Shown.eval.__annotations__["r"] = TableAsRow[pyspark.sql.Row]
    found = declare_process_function(Shown).process
    assert found is not None
    assert found.arguments[0].data_type is None


class Point(NamedTuple):
    x: int
    y: float | None


class OutputOf(ProcessTableFunction):
    def eval(self, r: TableAsRow[Row]) -> Iterator[Point]:
        yield Point(1, None)


class ListOutput(ProcessTableFunction):
    def eval(self, r: TableAsRow[Row]) -> list[tuple[int, str]]:
        return [(1, "a")]


class ValueOutput(ProcessTableFunction):
    def eval(self, r: TableAsRow[Row]) -> Iterator[dt.date | None]:
        yield None


class TimerOutput(ProcessTableFunction):
    def eval(self, ctx: Context, r: TableAsSet[Row]) -> None:
        ctx.timers().register_on_watermark()

    def on_timer(self) -> Iterator[Point]:
        yield Point(1, None)


@pytest.mark.parametrize(
    ("function", "schema"),
    [
        (OutputOf, "(`x` BIGINT NOT NULL, `y` DOUBLE)"),
        (ListOutput, "(`f0` BIGINT NOT NULL, `f1` STRING NOT NULL)"),
        (ValueOutput, "(`EXPR$0` DATE)"),
        (TimerOutput, "(`x` INT, `x0` BIGINT NOT NULL, `y` DOUBLE)"),
    ],
)
def test_output(function: type, schema: str) -> None:
    table = environment().from_path("left_bag")
    given = table.partition_by(col("x")) if function is TimerOutput else table
    assert repr(given.process(function).get_resolved_schema()) == schema


def test_hints_and_views_are_shown_and_pickled() -> None:
    hint = ArgumentHint(ArgumentTrait.TABLE_AS_SET, name="r")
    assert repr(hint) == "ArgumentHint(ArgumentTrait.TABLE_AS_SET, name='r')"
    assert repr(StateHint(ttl=dt.timedelta(1))) == "StateHint(ttl=datetime.timedelta(days=1))"
    state = functions.StateRow(("n", "s"), (1, None))
    assert pickle.loads(pickle.dumps(state)) == state
    with pytest.raises(AttributeError, match="no field 'm'"):
        state.m = 5
    with pytest.raises(AttributeError, match="no field 'm'"):
        _ = state.m
    numbers, words = ListView([1]), MapView({"a": 1})
    numbers.add_all([2, 3])
    words.put_all({"b": 2})
    words.remove("a")
    assert (list(numbers), dict(words.items()), words.is_empty()) == ([1, 2, 3], {"b": 2}, False)


def test_a_registered_function_is_described() -> None:
    env = environment()
    shown = env.execute_sql("DESCRIBE FUNCTION by_set").collect()
    text = "\n".join(str(row[0]) for row in shown)
    assert "by_set(r => {TABLE_AS_SET}, i => BIGINT, on_time => DESCRIPTOR, uid => STRING)" in text
    assert "The rows of a partition." in text


@pytest.mark.usefixtures("spark")
def test_the_declaration_is_checked_when_it_is_registered() -> None:
    class Wrong(ProcessTableFunction):
        def eval(self, *given: Any) -> Iterator[str]:
            yield ""

    env = TableEnvironment.create()
    with pytest.raises(ValidationException, match="non-overloaded, non-vararg"):
        env.create_temporary_system_function("wrong", Wrong)
    assert env.list_user_defined_functions() == []


@pytest.mark.parametrize("name", ["by_set", "one_match_join", "inferred", "many_states"])
def test_trees_are_pickled(name: str) -> None:
    env = environment()
    tables = [env.from_path("left_bag").partition_by(col("y"))] * len(signature_of(name).tables)
    if name == "one_match_join":
        customers = env.from_path("customers").select(col("id"), col("name"))
        orders = env.from_path("orders").select(col("order_id"), col("amount"))
        tables = [customers.partition_by(col("id")), orders.partition_by(col("order_id"))]
    operation = env.from_call(name, *tables).query_operation
    assert pickle.loads(pickle.dumps(operation)) is operation
    signature = pickle.loads(pickle.dumps(signature_of(name)))
    assert signature.describe("f") == signature_of(name).describe("f")


@pytest.mark.parametrize("nullable", [True, False])
def test_type_of_a_list_of_columns_has_a_text(nullable: bool) -> None:
    given = t.DescriptorType(nullable=nullable)
    assert given.as_serializable_string() == given.as_serializable_string("FLINK") == "DESCRIPTOR"
    assert parse_type(given.as_summary_string()) is given
    assert parse_type(given.as_serializable_string()) is given.as_nullable()


def test_list_of_columns_reads_back_from_its_text() -> None:
    given = DescriptorLiteral(("a", "b c", "d`e"))
    assert given.as_serializable_string() == "DESCRIPTOR(`a`, `b c`, `d``e`)"
    assert parse_expression(given.as_serializable_string()) is given


def test_a_list_of_columns_is_not_a_value() -> None:
    env = environment()
    with pytest.raises(ValidationException, match=r"DESCRIPTOR\(a\) names columns, and is no value"):
        env.from_elements([(1,)], ["a"]).select(descriptor("a"))
    for given in ({"input_types": ["DESCRIPTOR"], "result_type": "INT"}, {"result_type": "DESCRIPTOR"}):
        with pytest.raises(ValidationException, match="DESCRIPTOR is the type of an argument of a process table"):
            udf(lambda x: x, **given)
    with pytest.raises(ValidationException, match="take names of columns"):
        parse_expression("DESCRIPTOR(1 + 1)")


def test_unannotated_context_beside_get_type_inference_is_to_be_annotated() -> None:
    class Unannotated(ProcessTableFunction):
        def eval(self, ctx, input):  # type: ignore[no-untyped-def]
            yield 1

        def get_type_inference(self) -> TypeInference:
            return TypeInference([StaticArgument.table("input", Row, False, ArgumentTrait.TABLE_AS_ROW)], "INT")

    with pytest.raises(ValidationException, match="'ctx' has no annotation: if it is the context, write ctx: Context"):
        wrapper_of(Unannotated)
