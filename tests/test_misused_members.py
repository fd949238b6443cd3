"""A property that is called, and a method that is not: the message says what to write."""

from __future__ import annotations

import pickle

import pytest

from ir.errors import ValidationException
from tableapi import EnvironmentSettings, Table, TableEnvironment
from tableapi.expression import Expression
from tableapi.expressions import call, col, current_timestamp, lit, negative, scalar
from tableapi.window import Over, Tumble

PROPERTIES = sorted(
    {
        name
        for cls in Expression.__mro__
        for name in vars(cls)
        if not name.startswith("_") and isinstance(getattr(Expression, name), property)
    }
)


@pytest.fixture(scope="module")
def table() -> Table:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return TableEnvironment.create(settings).from_elements([(1, "a")], ["id", "s"])


@pytest.mark.parametrize("name", PROPERTIES)
def test_called_property_says_to_leave_the_parentheses_out(name: str) -> None:
    receiver, shown = (col("s").sum, "col('s').sum") if name in ("distinct",) else (lit(1), "lit(1)")
    try:
        made = getattr(receiver, name)
    except ValidationException:
        # The property is for aggregates that order or skip values.
        receiver, shown = col("s").first_value, "col('s').first_value"
        made = getattr(receiver, name)
    with pytest.raises(ValidationException) as raised:
        made()
    assert str(raised.value) == f"{name} is a property: write {shown}.{name} without parentheses."


def test_properties_are_all_found() -> None:
    assert {"asc", "inet_aton", "hours", "rowtime", "start", "distinct", "is_null"} <= set(PROPERTIES)
    assert len(PROPERTIES) > 100


def test_called_property_with_arguments_says_that_it_takes_none() -> None:
    with pytest.raises(ValidationException, match="upper_case is a property, which takes no arguments: write"):
        col("s").upper_case("de")


def test_called_property_of_a_computed_expression_has_no_long_receiver() -> None:
    with pytest.raises(ValidationException, match=r"write …\.sum without parentheses\."):
        (col("s") + 1).sum()


def test_called_column_and_called_computation_are_no_missing_method() -> None:
    with pytest.raises(ValidationException, match=r"^s is an expression, which cannot be called\."):
        col("s")()
    with pytest.raises(ValidationException, match=r"^plus\(s, 1\) is an expression, which cannot be called\."):
        (col("s") + 1)()


def test_method_that_is_not_there_is_still_suggested() -> None:
    with pytest.raises(ValidationException, match=r"no method 'uper_case'\. Did you mean 'upper_case'"):
        col("s").uper_case()


def test_property_of_a_pickled_expression_is_known() -> None:
    with pytest.raises(ValidationException, match=r"write col\('s'\)\.sum without parentheses"):
        pickle.loads(pickle.dumps(col("s").sum))()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda t: t.select(col("id").alias), "alias is a method that is not called: write col('id').alias(name, …)."),
        (
            lambda t: t.select(col("s").upper_case.substring),
            "substring is a method that is not called: write col('s').upper_case.substring(begin_index, …).",
        ),
        (lambda t: t.filter(col("s").trim), "trim is a method that is not called: write col('s').trim()."),
        (lambda t: t.order_by(col("s") + col("s").trim), "trim is a method that is not called: write col('s').trim()."),
        (lambda t: t.group_by((col("s") + "x").like), "like is a method that is not called: write ….like(pattern"),
        (
            lambda t: t.select(current_timestamp),
            "select takes expressions. current_timestamp is a function that is not called: write current_timestamp().",
        ),
        (
            lambda t: t.union_all(t.distinct),
            "but was given the method distinct, which is not called: write ….distinct().",
        ),
        (
            lambda t: t.join(t.filter),
            "join takes a table, but was given the method filter, which is not called: write ….filter(predicate).",
        ),
        (lambda t: scalar(t.distinct), "but was given the method distinct, which is not called: write ….distinct()."),
        (
            lambda t: t._environment.create_temporary_view("v", t.distinct),
            "but was given the method distinct, which is not called: write ….distinct().",
        ),
        (
            lambda t: t.window(Tumble.over(lit(1).hours).on(col("ts")).alias),
            "but was given the method alias, which is not called: write ….alias(alias).",
        ),
        (
            lambda t: t.over_window(Over.order_by(col("s")).alias),
            "but was given the method alias, which is not called: write ….alias(alias).",
        ),
    ],
)
def test_method_without_parentheses_says_how_to_call_it(table: Table, given: object, message: str) -> None:
    with pytest.raises(ValidationException) as raised:
        given(table)  # type: ignore[operator]  # a lambda of a parameter
    assert message in str(raised.value)


def test_function_of_the_library_is_a_lambda_where_one_is_taken(table: Table) -> None:
    made = table.select(call("transform", call("array", lit(4)), negative).alias("a"))
    assert "TRANSFORM(ARRAY(4), `v` -> -`v`)" in made.as_serializable_string()
    assert repr(made.get_resolved_schema()) == "(`a` ARRAY<INT NOT NULL> NOT NULL)"
