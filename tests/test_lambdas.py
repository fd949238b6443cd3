"""Lambdas: their arguments, parameter names, and rejected forms."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from grammar.reading import parse_query
from ir.call_expressions import Call
from ir.errors import SqlParserException, TableException, ValidationException
from ir.expressions import Lambda, LambdaVariable
from ir.rewriting import free_variables, make_lambda
from tableapi import Dialect, Table, diff
from tableapi.expressions import array, call, col, lit, row
from tests.grammar.reading import surroundings
from tests.programs.tables import Tables, environment_without_spark

TABLES = Tables(environment_without_spark())
ENV = TABLES.env
PRODUCTS = TABLES.products


def _query(text: str) -> Table:
    return ENV.sql_query(text)


def _one(table: Table) -> Any:
    (projection,) = table.query_operation.expressions
    return projection


# --- types -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("TRANSFORM(ARRAY(1), x -> x)", "ARRAY<INT NOT NULL> NOT NULL"),
        ("TRANSFORM(tags, (x, i) -> i)", "ARRAY<INT NOT NULL>"),
        ("FILTER(tags, x -> NULL)", "ARRAY<STRING>"),
        ("EXISTS(ARRAY(1), x -> x > 1)", "BOOLEAN NOT NULL"),
        ("EXISTS(ARRAY(1), x -> NULL)", "BOOLEAN"),
        ("AGGREGATE(ARRAY(1), 0, (a, x) -> a + x)", "INT"),
        ("AGGREGATE(ARRAY(1), 0, (a, x) -> a + x, a -> 7)", "INT NOT NULL"),
        ("AGGREGATE(ARRAY(1), ARRAY(0), (a, x) -> a)", "ARRAY<INT>"),
        ("ZIP_WITH(ARRAY(1), ARRAY('a'), (x, y) -> x)", "ARRAY<INT> NOT NULL"),
        ("MAP_ZIP_WITH(MAP(1, 2), MAP(CAST(1 AS BIGINT), 2), (k, x, y) -> x)", "MAP<BIGINT, INT> NOT NULL"),
        ("TRANSFORM_KEYS(MAP(1, 2), (k, v) -> 'a')", "MAP<STRING, INT NOT NULL> NOT NULL"),
    ],
)
def test_types(expression: str, expected: str) -> None:
    table = _query(f"SELECT {expression} AS x FROM products")
    assert table.query_operation.schema.columns[0].data_type.as_summary_string() == expected


# --- names -----------------------------------------------------------------------------------------------------------


def test_the_same_lambda_by_text_and_by_python_is_one_tree() -> None:
    fluent = PRODUCTS.select(call("transform", col("tags"), lambda x, i: x + col("product")).alias("a"))
    assert _query("SELECT transform(tags, (x, i) -> x || product) AS a FROM products").query_operation is (
        fluent.query_operation
    )


def test_other_names_make_other_trees() -> None:
    assert _one(PRODUCTS.select(call("transform", col("tags"), lambda x: x))) is not _one(
        PRODUCTS.select(call("transform", col("tags"), lambda y: y))
    )


def test_defaults_are_not_parameters() -> None:
    suffixes = ["!", "?"]
    made = [PRODUCTS.select(call("transform", col("tags"), lambda x, s=s: x + s)) for s in suffixes]
    assert [_one(table).as_summary_string() for table in made] == [
        "transform(tags, x -> concat(x, '!'))",
        "transform(tags, x -> concat(x, '?'))",
    ]


def test_methods_and_partial_functions() -> None:
    def joined(separator: str, x: Any) -> Any:
        return x + separator

    table = PRODUCTS.select(call("transform", col("tags"), partial(joined, "!")))
    assert _one(table).as_summary_string() == "transform(tags, x -> concat(x, '!'))"


def test_a_parameter_hides_a_column_in_text() -> None:
    table = _query("SELECT transform(tags, product -> product || products.product) AS x FROM products")
    assert _one(table).as_summary_string() == "transform(tags, product_0 -> concat(product_0, product))"
    hidden = _query("SELECT transform(tags, PRODUCT -> product) AS x FROM products")
    assert _one(hidden).as_summary_string() == "transform(tags, PRODUCT -> PRODUCT)"


def test_a_new_column_in_the_body_renames_the_parameter() -> None:
    """A rewriting can move a column into a lambda's body that already has a parameter of that name."""
    given = _one(PRODUCTS.select(call("transform", col("tags"), lambda x: x + col("product"))))
    assert isinstance(given, Call)
    made = given.arguments[1]
    assert isinstance(made, Lambda)
    renamed = LambdaVariable("product", made.parameters[0].type_)
    assert isinstance(made.body, Call)
    body = made.body.with_children((renamed, made.body.arguments[1]))
    assert make_lambda((renamed,), body).as_summary_string() == "product_0 -> concat(product_0, product)"


def test_lambdas_are_nodes() -> None:
    query = PRODUCTS.select(call("transform", col("tags"), lambda x: x + "!")).query_operation
    assert pickle.loads(pickle.dumps(query)) is query
    assert copy.deepcopy(query) is query
    assert free_variables(_one(PRODUCTS.select(call("transform", col("tags"), lambda x: x)))) == frozenset()


def test_depth() -> None:
    """Chains of calls and long bodies are processed without recursion."""
    expression = col("tags")
    for _ in range(2000):
        expression = call("transform", expression, lambda x: x + "!")
    query = PRODUCTS.select(expression.alias("x")).query_operation
    assert parse_query(query.as_serializable_string(), surroundings(ENV)) is query
    body = PRODUCTS.select(call("transform", col("tags"), lambda x: sum([x.char_length] * 2000)).alias("n"))
    assert parse_query(body.as_serializable_string(), surroundings(ENV)) is body.query_operation
    assert "call_sql" in body.to_python()


def test_names_that_python_cannot_have() -> None:
    table = _query("SELECT transform(tags, x -> transform(tags, `a b` -> `a b` || x)) AS n FROM products")
    text = table.to_python()
    assert "call_sql" in text
    scope: dict[str, Any] = {"env": ENV}
    exec(text, scope)
    assert scope["result"].query_operation is table.query_operation


def test_diff_describes_changes_in_lambdas() -> None:
    old, new = (_query(f"SELECT transform(tags, x -> x || '{end}') AS a FROM products") for end in "!?")
    assert "CONCAT(`x`, '!') became CONCAT(`x`, '?')" in str(diff(old, new))


# --- rejected lambdas ------------------------------------------------------------------------------------------------

LEAKED: list[Any] = []


def _leaking(x: Any) -> Any:
    LEAKED.append(x)
    return x


REFUSALS: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: call("transform", col("tags"), lambda x, y, z: x),
        "TRANSFORM calls the lambda with 1 or 2 arguments (element, index), but (x, y, z) -> … takes 3 parameters.",
    ),
    (
        lambda: call("exists", col("tags"), lambda: lit(True)),
        "EXISTS calls the lambda with 1 argument (element), but () -> … takes 0 parameters.",
    ),
    (
        lambda: call("transform", col("tags"), lambda x, X: x),
        "The lambda of TRANSFORM has several parameters named 'x'; names differ by more than their case.",
    ),
    (
        lambda: call("transform", col("product"), lambda x: x),
        "Invalid call of TRANSFORM(STRING, NULL): argument 1 (array) is not <ARRAY>.",
    ),
    (
        lambda: call("filter", col("tags"), lambda x: x),
        "Invalid call of FILTER(ARRAY<STRING>, STRING): argument 2 (function) is not <(element, index) -> BOOLEAN>.",
    ),
    (
        lambda: call("aggregate", array(1), 0, lambda a, x: a * 1.5),
        "argument 3 (merge) is not <(accumulator, element) -> type of start>.",
    ),
    (
        lambda: call("upper", lambda x: x),
        "UPPER takes no lambda: argument 1 is x -> …. Functions that take one are, for example, transform, filter and "
        "aggregate.",
    ),
    (
        lambda: col("price") + (lambda x: x),
        "+ takes no lambda: argument 2 is x -> ….",
    ),
    (
        lambda: call("transform", col("tags"), lambda x: x.count),
        "COUNT is computed from rows, and cannot take 'x', a parameter of the lambda around it. The elements of an "
        "array are added up with call('aggregate', col('a'), 0, lambda sum, x: sum + x).",
    ),
    (
        lambda: call("transform", col("tags"), lambda x: x.foo),
        "A value of type STRING has no field 'foo', and expressions have no such member.",
    ),
    (
        lambda: call("transform", col("tags"), lambda *x: x),
        "The Python lambda takes *x, but a lambda has a fixed number of parameters that are given by position",
    ),
    (
        lambda: call("transform", col("tags"), lambda x: None),
        "The Python lambda returns None. A lambda returns the expression that it makes of its parameters",
    ),
    (
        lambda: row(call("transform", col("tags"), _leaking), LEAKED[-1]),
        "'x' is a parameter of a lambda, and means something only in the body of that lambda.",
    ),
    (
        lambda: call("transform", col("tags"), lambda x: x.in_(TABLES.lines.select(col("sku")))),
        "TRANSFORM holds a subquery, which Spark does not support in functions that take lambdas. Make it a column "
        "before, for example by a join, and use that column.",
    ),
]


@pytest.mark.parametrize(("make", "message"), REFUSALS)
def test_refusals(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(TableException) as raised:
        PRODUCTS.select(make())
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("text", "word", "message"),
    [
        ("SELECT transform(tags, x -> y) FROM products", "y)", "Cannot resolve field [y]"),
        ("SELECT transform(tags, x -> upper(x, 1)) FROM products", "upper(", "Invalid call of UPPER"),
        ("SELECT transform(tags, x -> x.foo) FROM products", "foo", "The field 'foo' needs a value of type ROW"),
        ("SELECT transform(tags, (x, y, z) -> 1) FROM products", "(x, y", "takes 3 parameters"),
        ("SELECT transform(product, x -> 1) FROM products", "product,", "argument 1 (array) is not <ARRAY>"),
        ("SELECT upper(x -> 1) FROM products", "x ->", "UPPER takes no lambda"),
        ("SELECT transform(tags, x -> sum(x)) FROM products", "sum(", "SUM is computed from rows"),
        ("SELECT transform(tags, 1 -> 2) FROM products", "1 ->", "Before -> stand the names of parameters"),
        (
            "SELECT unix_nanos(NULL) FROM products",
            "unix_nanos",
            "UNIX_NANOS",
        ),
    ],
)
def test_rejections_of_text_have_positions(text: str, word: str, message: str) -> None:
    with pytest.raises((TableException, SqlParserException)) as raised:
        _query(text)
    shown = str(raised.value)
    assert message in shown
    assert f"column {text.index(word) + 1}:" in shown


def test_flink_has_no_lambdas() -> None:
    table = PRODUCTS.select(call("transform", col("tags"), lambda x: x))
    with pytest.raises(TableException, match="x -> x has no text in Flink's SQL that means the same"):
        table.as_serializable_string(Dialect.FLINK)
    with pytest.raises(TableException, match=r"TRANSFORM has no meaning in Flink's SQL"):
        ENV.sql_query("SELECT TRANSFORM(ARRAY[1], x -> x) FROM products", dialect=Dialect.FLINK)


def test_array_sort_takes_truths() -> None:
    with pytest.raises(ValidationException, match=r"array_sort takes True or False, but was given 1\."):
        col("a").array_sort(1)  # type: ignore[arg-type]  # that is what is tested
