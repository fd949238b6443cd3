"""Subqueries: rejections at build time, alias names, depth and sharing."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from ir.operations.filter import Filter
from tableapi import (
    DataTypes,
    Dialect,
    EnvironmentSettings,
    Expression,
    Table,
    TableEnvironment,
    TableException,
    ValidationException,
)
from tableapi.expressions import array, call, col, exists, explode, lit, rand, row, scalar
from tests.programs.tables import Tables, environment_without_spark


@pytest.fixture(scope="module")
def t() -> Tables:
    return Tables(environment_without_spark())


def _lines_of(t: Tables) -> Table:
    return t.lines.filter(col("line_order") == t.orders.outer("order_id"))


# --- references to the outer query ------------------------------------------------------------------------------------


def test_a_reference_needs_a_column(t: Tables) -> None:
    with pytest.raises(ValidationException, match=r"order_idd.*Did you mean 'order_id'"):
        t.orders.outer("order_idd")


def test_a_reference_has_the_type_of_its_column(t: Tables) -> None:
    reference = t.orders.outer("ORDER_ID")
    assert repr(reference) == "outer(order_id)"
    with pytest.raises(ValidationException, match="Invalid call of =") as caught:
        t.customers.filter(col("has_newsletter") == t.orders.outer("ordered_at"))
    assert "TIMESTAMP" in str(caught.value)


def test_the_enclosing_operation_must_have_the_column(t: Tables) -> None:
    with pytest.raises(
        ValidationException,
        match=r"The subquery of exists refers to the column 'order_id' of the query around it, whose columns are "
        r"\[id, name, .*\]\. A subquery may refer to the operation that it is part of, and to nothing further out\.",
    ):
        t.customers.filter(exists(_lines_of(t)))


def test_the_column_must_have_the_same_type(t: Tables) -> None:
    renamed = t.orders.select(col("order_id").cast(DataTypes.STRING()).alias("order_id"))
    with pytest.raises(
        ValidationException,
        match=r"'order_id' of the query around it as BIGINT, but there it is STRING.*that_table",
    ):
        renamed.filter(exists(_lines_of(t)))


def test_a_reference_reaches_one_level_only(t: Tables) -> None:
    inner = t.lines.filter(exists(t.products.filter(col("product") == t.lines.outer("sku"))))
    assert t.orders.filter(exists(inner))
    with pytest.raises(ValidationException, match=r"'order_id'.*to nothing further out"):
        t.orders.filter(exists(t.products.filter(exists(_lines_of(t)))))


def test_beside_aggregates_the_groups_are_around(t: Tables) -> None:
    query = t.products.filter(col("product") == t.lines.outer("sku"))
    assert t.lines.group_by(col("sku")).select(col("sku"), exists(query).alias("e"))
    with pytest.raises(ValidationException, match=r"'sku' of the .*, whose columns are \[line_order, EXPR\$0\]"):
        t.lines.group_by(col("line_order")).select(col("quantity").sum, exists(query).alias("e"))


@pytest.mark.parametrize(
    "use",
    [
        lambda table, env: table.as_serializable_string(),
        lambda table, env: table.as_serializable_string(Dialect.FLINK),
        lambda table, env: env.create_temporary_view("never", table),
        lambda table, env: env.create_view("never", table),
        lambda table, env: table.union_all(table).as_serializable_string(),
    ],
)
def test_a_correlated_query_is_rejected_alone(t: Tables, use: Callable[[Table, TableEnvironment], object]) -> None:
    with pytest.raises(
        TableException, match=r"refers to the column 'order_id' of a query around it, and means nothing"
    ):
        use(_lines_of(t), t.env)


def test_a_query_with_references_can_be_looked_at(t: Tables) -> None:
    assert "(none: The query refers to the column 'order_id'" in _lines_of(t).explain()
    assert "equals(line_order, outer(order_id))" in repr(_lines_of(t))


def test_an_expression_with_a_reference_has_no_text_alone(t: Tables) -> None:
    filtered = _lines_of(t).query_operation
    assert isinstance(filtered, Filter)
    with pytest.raises(TableException, match=r"'order_id' of a query around it, and has SQL only as part of that"):
        filtered.condition.as_serializable_string()


# --- where Spark accepts an outer reference ---------------------------------------------------------------------------


def _joined(t: Tables, method: str, left: bool, right: bool, predicate: bool) -> Table:
    outer = t.orders.outer("order_id")
    lines = t.lines.filter(col("line_order") == outer) if left else t.lines
    bag = t.left_bag.filter(col("x") == outer) if right else t.left_bag
    condition = col("quantity") == col("x")
    return getattr(lines, method)(bag, condition & (col("x") < outer) if predicate else condition)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("make", "place"),
    [
        (
            lambda t: t.lines.select((col("quantity") + t.orders.outer("order_id")).sum),
            "in a group key or an aggregate",
        ),
        (lambda t: t.lines.group_by(t.orders.outer("status")).select(lit(1).count), "in a group key or an aggregate"),
        (lambda t: t.lines.order_by(col("quantity") + t.orders.outer("order_id")), "in its operation Sort"),
        (lambda t: t.lines.join_lateral(explode(array(t.orders.outer("status")))), "in its operation LateralJoin"),
        (lambda t: _lines_of(t).sample(0.5), "below its operation Sample"),
        (lambda t: _lines_of(t).rollup(col("sku")).select(col("sku")), "below its operation Aggregate"),
        (lambda t: _lines_of(t).unpivot([col("sku")], None, "what", "n"), "below its operation Unpivot"),
        (lambda t: _joined(t, "left_outer_join", False, True, False), "below the right side of a left outer join"),
        (lambda t: _joined(t, "right_outer_join", True, False, False), "below the left side of a right outer join"),
        (lambda t: _joined(t, "full_outer_join", True, False, False), "below the left side of a full outer join"),
        (lambda t: _joined(t, "full_outer_join", False, True, False), "below the right side of a full outer join"),
        (lambda t: _joined(t, "full_outer_join", False, False, True), "in the predicate of a full outer join"),
        (lambda t: _joined(t, "join", True, True, False), "in more than one of left side, right side and predicate"),
        (lambda t: _joined(t, "left_outer_join", True, False, True), "in more than one of left side, right side"),
    ],
)
def test_places_where_spark_takes_no_reference(t: Tables, make: Callable[[Tables], Table], place: str) -> None:
    with pytest.raises(ValidationException, match=place):
        t.orders.filter(exists(make(t)))


@pytest.mark.parametrize("method", ["join", "left_outer_join"])
def test_places_in_joins_that_spark_takes(t: Tables, method: str) -> None:
    assert t.orders.filter(exists(_joined(t, method, True, False, False)))
    assert t.orders.filter(exists(_joined(t, method, False, False, True)))
    value = _joined(t, method, True, False, True).select(lit(1).count)
    assert t.orders.select(scalar(value).alias("n"))


def test_a_condition_refers_to_one_query_around(t: Tables) -> None:
    orders = t.customers.select(col("id"), col("name"))
    inner = t.lines.filter(
        scalar(t.products.filter(col("product") == t.lines.outer("sku")).select(col("price").max)) > orders.outer("id")
    )
    with pytest.raises(ValidationException, match=r"'id' .* in one condition with another correlated subquery"):
        orders.filter(exists(inner))


def test_a_reference_to_a_map_is_refused(t: Tables) -> None:
    with pytest.raises(ValidationException, match=r"'attributes'.* type is MAP<STRING, INT>.*references to MAP, but"):
        t.products.filter(exists(t.lines.filter(col("quantity") == t.products.outer("attributes").cardinality)))


def test_a_reference_to_the_value_of_a_key_is_accepted(t: Tables) -> None:
    found = t.products.filter(exists(t.lines.filter(col("quantity") == t.products.outer("attributes").at("stock"))))
    assert "`outer`.`attributes`['stock']" in found.as_serializable_string()


# --- where Spark accepts a subquery -----------------------------------------------------------------------------------


def test_sort_keys(t: Tables) -> None:
    with pytest.raises(ValidationException, match=r"cannot sort by exists\(query\).*subquery of exists as a sort key"):
        t.orders.order_by(exists(t.lines))
    with pytest.raises(ValidationException, match=r"a subquery of in as a sort key.*add_columns"):
        t.orders.order_by(col("customer_id").in_(t.customers.select(col("id"))).desc)
    with pytest.raises(ValidationException, match="a correlated subquery as a sort key"):
        t.orders.order_by(scalar(_lines_of(t).select(lit(1).count)))


def test_join_predicates(t: Tables) -> None:
    both = (col("id") == col("customer_id")) & exists(
        t.left_bag.filter((col("x") == t.orders.outer("customer_id")) & (col("x") == t.customers.outer("id")))
    )
    with pytest.raises(ValidationException, match="a subquery of exists over columns of both inputs"):
        t.customers.join(t.orders, both)
    with pytest.raises(ValidationException, match="a subquery of in over columns of both inputs"):
        t.customers.join(t.orders, (col("id") + col("customer_id")).in_(t.left_bag.select(col("x"))))
    with pytest.raises(ValidationException, match=r"a correlated scalar subquery.*filter after the join"):
        t.customers.join(t.orders, col("id") == scalar(_lines_of(t).select(lit(1).count)))


def test_rejected_subquery_arguments(t: Tables) -> None:
    with pytest.raises(ValidationException, match=r"exists takes a table, but was given a\."):
        exists(col("a"))  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match=r"scalar takes a table, but was given 1\."):
        scalar(1)  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match=r"A scalar subquery has one column, but the table has 3: .*Select"):
        t.orders.select(scalar(t.lines))
    with pytest.raises(ValidationException, match=r"filter requires a condition.*scalar\(query\) is of type BIGINT"):
        t.orders.filter(scalar(t.lines.select(lit(1).count)))


def test_in_several_columns(t: Tables) -> None:
    with pytest.raises(ValidationException, match=r"Invalid call of IN.*<row\(…\) of n values>, <table of n columns>"):
        t.left_bag.filter(col("x").in_(t.right_bag))
    with pytest.raises(ValidationException, match="Invalid call of IN"):
        t.left_bag.filter(row(col("x"), col("y"), 1).in_(t.right_bag))
    with pytest.raises(ValidationException, match="Invalid call of IN"):
        t.left_bag.filter(row(col("x"), col("x")).in_(t.customers.select(col("id"), col("has_newsletter"))))
    named, unnamed = (
        t.left_bag.filter(row(*values).in_(t.right_bag)).query_operation
        for values in ((col("x").alias("a"), col("y").alias("b")), (col("x"), col("y")))
    )
    assert named is unnamed


def test_types(t: Tables) -> None:
    query = t.left_bag.select(
        exists(t.lines).alias("e"), scalar(t.lines.select(lit(1).count)).alias("n"), (~exists(t.lines)).alias("f")
    )
    assert repr(query.get_resolved_schema()) == "(`e` BOOLEAN NOT NULL, `n` BIGINT, `f` BOOLEAN NOT NULL)"


def test_a_scalar_column_is_not_renamed(t: Tables) -> None:
    def query(name: str) -> object:
        value: Expression[int] = scalar(t.lines.select(col("quantity")).limit(1).alias(name))
        return t.orders.select(value.alias("n")).query_operation

    assert query("a") is query("b")


@pytest.mark.parametrize(
    "build",
    [
        # Spark tests the result of the subquery for NULL, so the author's text and the tree agree on what that is.
        lambda lines: lines.select((col("quantity").max * 2 + 1).alias("m")),
        lambda lines: lines.select(col("quantity").max - col("quantity").min),
        lambda lines: lines.select(col("quantity").max).select((col("EXPR$0") * col("EXPR$0")).alias("square")),
        lambda lines: lines.select(col("quantity").max + call("rand").cast(DataTypes.INT())),
        lambda lines: lines.select(array(col("quantity").max).alias("a")).select(
            call("exists", col("a"), lambda q: q > 1).alias("e")
        ),
        # A subquery without rows gives NULL.
        lambda lines: lines.group_by(col("sku")).select(lit(1).count.alias("n")).select(col("n").is_null.alias("e")),
        lambda lines: lines.select(col("quantity")).limit(1).select(col("quantity").is_null.alias("e")),
    ],
)
def test_a_computed_value_stays_in_its_subquery(t: Tables, build: Callable[[Table], Table]) -> None:
    (query,) = t.orders.select(scalar(build(_lines_of(t))).alias("n")).query_operation.subqueries
    assert query.title == "Project"


def test_nondeterministic_expressions_stay_in_their_query(t: Tables) -> None:
    (query,) = t.orders.select(scalar(t.lines.select(col("quantity").max * 2)).alias("n")).query_operation.subqueries
    assert query.title == "Project"


# --- depth and sharing ------------------------------------------------------------------------------------------------


def test_deep_chains(t: Tables) -> None:
    table = t.left_bag
    for i in range(1_000):
        table = table.filter(exists(t.right_bag.filter((col("x") == t.left_bag.outer("x")) & (col("x") > i))))
    operation = table.query_operation
    assert operation.as_serializable_string().count("EXISTS") == 1_000
    assert repr(operation).count("query:") == 1_000
    assert pickle.loads(pickle.dumps(operation)) is operation


def test_deep_nesting(t: Tables) -> None:
    table = t.left_bag
    for _ in range(1_500):
        table = t.left_bag.filter(exists(table) & exists(t.right_bag.filter(col("x") == t.left_bag.outer("x"))))
    operation = table.query_operation
    assert len(operation.as_serializable_string()) > 1_500
    assert len(repr(operation)) > 1_500
    assert pickle.loads(pickle.dumps(operation)) is operation
    assert len(list(operation.walk_with_subqueries())) == 1_503


@pytest.mark.slow
def test_shared_subqueries_are_visited_once(t: Tables) -> None:
    table = t.left_bag.select(col("x"))
    for _ in range(60):
        table = t.left_bag.select(col("x")).filter(col("x").in_(table) & (col("x") + 1).in_(table))
    operation = table.query_operation
    assert operation.expanded_size() > 2**60
    assert operation.as_serializable_string().count(" AND ") == 60
    assert t.env.sql_query(operation.as_serializable_string()).query_operation is operation
    with pytest.raises(TableException, match="uses parts of itself so often"):
        operation.as_serializable_string("FLINK")


def test_unshareable_queries_are_repeated_up_to_a_limit(t: Tables) -> None:
    table = t.left_bag.filter(rand() < 1).select(col("x"))
    for _ in range(20):
        table = table.union_all(table)
    with pytest.raises(TableException, match="uses parts of itself so often"):
        table.as_serializable_string()


def test_a_group_key_is_written_once(t: Tables) -> None:
    table = t.left_bag.select(col("x"))
    for _ in range(12):
        table = t.left_bag.group_by(col("x").in_(table).alias("k")).select(col("k").cast(DataTypes.INT()).alias("x"))
    assert table.as_serializable_string().count(" IN (") == 12


# --- binding ----------------------------------------------------------------------------------------------------------


def test_references_survive_views(t: Tables) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    env = TableEnvironment.create(settings)
    env.create_temporary_view("numbers", env.from_elements([(1,), (2,)], ["n"]))
    numbers = env.from_path("numbers")
    query = numbers.filter(exists(numbers.select(col("n").alias("m")).filter(col("m") == numbers.outer("n") + 1)))
    assert "= `outer`.`n` + 1" in query.as_serializable_string()


# --- lateral joins ----------------------------------------------------------------------------------------------------


def test_table_functions_are_not_expressions(t: Tables) -> None:
    message = r"EXPLODE is a table function: .* join_lateral\(call\('explode', …\)\.alias\(…\)\).*flat_map"
    with pytest.raises(ValidationException, match=message):
        t.products.select(explode(col("tags")))
    with pytest.raises(ValidationException, match=message):
        t.products.filter(call("explode", col("tags")) == 1)
    with pytest.raises(ValidationException, match=message):
        t.products.join_lateral(explode(explode(col("tags"))))


def test_rejected_lateral_arguments(t: Tables) -> None:
    with pytest.raises(ValidationException, match=r"but upper\(product\) gives one value for each row.*select and"):
        t.products.join_lateral(col("product").upper_case)
    with pytest.raises(ValidationException, match="join_lateral takes a call of a table function, such as"):
        t.products.join_lateral(col("tags"))
    with pytest.raises(ValidationException, match="flat_map takes a call of a table function, such as"):
        t.products.flat_map(col("tags"))
    with pytest.raises(ValidationException, match="left_outer_join_lateral takes expressions"):
        t.products.left_outer_join_lateral("tags")  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match=r"Invalid call of EXPLODE\(STRING\).*ARRAY or MAP"):
        t.products.join_lateral(explode(col("product")))
    with pytest.raises(ValidationException, match=r"Invalid call of INLINE\(ARRAY<STRING>\).*ARRAY of ROW"):
        t.products.join_lateral(call("inline", col("tags")))
    with pytest.raises(ValidationException, match=r"holds the aggregate max\(x\)"):
        t.left_bag.join_lateral(explode(array(col("x").max)))
    with pytest.raises(ValidationException, match=r"Cannot resolve field \[tag\]"):
        t.products.join_lateral(explode(col("tag")))


def test_names_of_lateral_columns(t: Tables) -> None:
    with pytest.raises(
        ValidationException,
        match=r"gives a column 'product', which the table has already.*for example call\(…\)\.alias\('right_product'\)",
    ):
        t.products.join_lateral(explode(col("tags")).alias("product"))
    once = t.products.join_lateral(explode(col("tags")))
    with pytest.raises(ValidationException, match=r"a column 'col', which the table has already"):
        once.join_lateral(explode(col("tags")))
    with pytest.raises(
        ValidationException, match=r"1 name to the 2 columns \[key, value\] of explode.*alias\('key', 'value'\)"
    ):
        t.products.join_lateral(explode(col("attributes")).alias("k"))
    with pytest.raises(ValidationException, match=r"join_lateral gives two columns named 'K'"):
        t.products.join_lateral(explode(col("attributes")).alias("k", "K"))
    with pytest.raises(
        ValidationException, match=r"a column 'x', which the table has.*table\.alias\('right_x', 'right_y'\)"
    ):
        t.left_bag.join_lateral(t.right_bag)


def test_lateral_predicates(t: Tables) -> None:
    with pytest.raises(ValidationException, match="requires a condition of type BOOLEAN"):
        t.products.join_lateral(explode(col("tags")).alias("tag"), col("tag"))
    with pytest.raises(ValidationException, match="a subquery of exists in exists"):
        t.products.left_outer_join_lateral(explode(col("tags")).alias("tag"), exists(t.lines))
    with pytest.raises(ValidationException, match="a subquery of in in"):
        t.products.join_lateral(explode(array(col("product").in_(t.lines.select(col("sku"))))))
    with pytest.raises(ValidationException, match=r"'attributes' of type MAP<STRING, INT>, and Spark takes no MAP"):
        t.products.left_outer_join_lateral(explode(col("attributes")), col("value") > 1)


def test_canonical_lateral_joins(t: Tables) -> None:
    tags = explode(col("tags")).alias("tag")
    joined = t.products.join_lateral(tags, col("tag") == "a5")
    assert joined.query_operation is t.products.join_lateral(tags).filter(col("tag") == "a5").query_operation
    outer = t.products.left_outer_join_lateral(tags, lit(True))
    again = t.products.join_lateral(call("explode_outer", col("tags")).alias("tag"))
    assert outer.query_operation is again.query_operation
    inline = t.left_bag.join_lateral(call("unnest", array(row(col("x").alias("a")))))
    assert inline.get_resolved_schema().names == ("x", "y", "a")


def test_flatten_is_refused_elsewhere(t: Tables) -> None:
    with pytest.raises(ValidationException, match=r"flatten needs a value of type ROW, but product is of type STRING"):
        t.products.select(col("product").flatten)
    with pytest.raises(ValidationException, match="flatten stands for all fields of a row"):
        t.products.select(col("size").flatten.alias("s"))
    with pytest.raises(ValidationException, match="flatten stands for all fields of a row"):
        t.products.group_by(col("size")).select(col("size").flatten)
