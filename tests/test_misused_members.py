"""A property that is called, or a method that is not: the error says what to write."""

from __future__ import annotations

import pickle
from collections.abc import Callable

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
def test_called_property_suggests_no_parentheses(name: str) -> None:
    receiver, shown = (col("s").sum, "col('s').sum") if name in ("distinct",) else (lit(1), "lit(1)")
    try:
        made = getattr(receiver, name)
    except ValidationException:
        # The property exists only for aggregates that have an order or skip values.
        receiver, shown = col("s").first_value, "col('s').first_value"
        made = getattr(receiver, name)
    with pytest.raises(ValidationException) as raised:
        made()
    assert str(raised.value) == f"{name} is a property: write {shown}.{name} without parentheses."


def test_properties_are_all_found() -> None:
    assert {"asc", "inet_aton", "hours", "rowtime", "start", "distinct", "is_null"} <= set(PROPERTIES)
    assert len(PROPERTIES) > 100


def test_called_property_with_arguments_is_reported() -> None:
    with pytest.raises(ValidationException, match="upper_case is a property, which takes no arguments: write"):
        col("s").upper_case("de")


def test_called_property_of_a_computed_expression_has_no_long_receiver() -> None:
    with pytest.raises(ValidationException, match=r"write …\.sum without parentheses\."):
        (col("s") + 1).sum()


def test_called_columns_are_not_missing_methods() -> None:
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
            lambda t: TableEnvironment.create().create_temporary_view("v", t.distinct),
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
def test_uncalled_method_suggests_the_call(table: Table, given: object, message: str) -> None:
    with pytest.raises(ValidationException) as raised:
        given(table)  # type: ignore[operator]  # a lambda of a parameter
    assert message in str(raised.value)


def test_function_of_the_library_is_a_lambda_where_one_is_taken(table: Table) -> None:
    made = table.select(call("transform", call("array", lit(4)), negative).alias("a"))
    assert "TRANSFORM(ARRAY(4), `v` -> -`v`)" in made.as_serializable_string()
    assert repr(made.get_resolved_schema()) == "(`a` ARRAY<INT NOT NULL> NOT NULL)"


@pytest.mark.parametrize(
    ("compare", "message"),
    [
        (lambda: col("s") == None, "instead of == None write col('s').is_null."),  # noqa: E711  # the mistake
        (lambda: col("s").trim() == None, "instead of == None write ….is_null."),  # noqa: E711
        (lambda: col("s") != None, "instead of != None write col('s').is_not_null."),  # noqa: E711
    ],
)
def test_comparison_with_none_suggests_is_null(compare: Callable[[], object], message: str) -> None:
    with pytest.raises(ValidationException) as raised:
        compare()
    assert message in str(raised.value)


def test_comparison_with_a_null_that_is_meant_is_a_call() -> None:
    assert repr(col("s") == lit(None)) == "equals(s, null)"


@pytest.mark.parametrize(
    ("given", "instead"),
    [
        ("s", "col('s') for the column or lit('s') for the value."),
        ("s DESC", "col('s').desc for the column or lit('s DESC') for the value."),
        ("s AS x", "col('s').alias('x') for the column or lit('s AS x') for the value."),
        ("id > 1", "call_sql('id > 1') for the SQL expression, col('id > 1') for a column of that name, or lit("),
        ("id + 1 as n", "call_sql('id + 1').alias('n') for the SQL expression, col('id + 1 as n') for a column"),
        ("", "lit('') for the value."),
    ],
)
def test_strings_instead_of_expressions_are_reported(table: Table, given: str, instead: str) -> None:
    with pytest.raises(ValidationException) as raised:
        table.select(given)  # type: ignore[arg-type]  # the mistake
    assert f"but was given the text {given!r}. Write {instead}" in str(raised.value)


@pytest.mark.parametrize(
    ("given", "instead"),
    [
        (
            ["id", "s"],
            "was given a list. Write select(col('id'), col('s')) for the columns, or lit(['id', 's'])",
        ),
        ((col("id"), "s"), "was given a tuple. Write select(col('id'), col('s')), or an asterisk before the tuple."),
        ((col(name) for name in ["id"]), "was given a generator. Write an asterisk before it: select(*("),
    ],
)
def test_lists_instead_of_columns_are_reported(table: Table, given: object, instead: str) -> None:
    with pytest.raises(ValidationException) as raised:
        table.select(given)  # type: ignore[arg-type]  # the mistake
    assert instead in str(raised.value)


def test_list_of_values_is_an_array(table: Table) -> None:
    assert repr(table.select([1, 2]).get_resolved_schema().columns[0].data_type) == "ARRAY<INT NOT NULL> NOT NULL"


def test_names_instead_of_join_conditions_are_reported(table: Table) -> None:
    for given in ("id", ["id", "s"]):
        with pytest.raises(ValidationException, match=r"join takes a condition.*Write a comparison of columns"):
            table.join(table.alias("x", "y"), given)  # type: ignore[arg-type]  # the mistake
