"""The differences between two queries, in words and as a tree."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from ir.errors import TableException, ValidationException
from ir.normalization.normalize import normalize
from ir.operations.operation import QueryOperation
from ir.rendering import Layout
from tableapi import DataTypes, Table, diff
from tableapi.expressions import col, lit
from tableapi.query_diff import changes
from tableapi.query_diff.query_diff import QueryDiff
from tests.cases import fewer
from tests.counting import calls
from tests.depth import DEPTH
from tests.programs import PROGRAMS
from tests.programs.tables import DATABASE, Tables, environment_without_spark
from tests.query_diff_pairs import PAIRS, Pair
from tests.random_queries.test_random_queries import RandomQuery, queries

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TABLES = Tables(environment_without_spark())
_EXAMPLES = os.environ.get("TABLEAPI_EXAMPLES")


def _short(text: str) -> str:
    """Return a text without columns, and without the catalog and database of tables."""
    lines = text.replace(f"`spark_catalog`.`{DATABASE}`.", "").replace(f"spark_catalog.{DATABASE}.", "").splitlines()
    return "\n".join(line.split(", fields:")[0].replace("(identifier: ", "") for line in lines)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_sentences(pair: Pair) -> None:
    old, new = pair.old(TABLES), pair.new(TABLES)
    found = diff(old, new, exact=pair.exact)
    assert found
    # A difference that only an exact comparison finds is invisible in the query's text and rows.
    assert bool(diff(old, new)) is not pair.exact
    assert _short(str(found)) == pair.text
    if pair.tree is not None:
        assert _short(found.as_tree()) == pair.tree


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_other_way(pair: Pair) -> None:
    """In reverse, an added operation is a removed one; a compatible change may become incompatible."""
    found = diff(pair.old(TABLES), pair.new(TABLES), exact=pair.exact)
    back = diff(pair.new(TABLES), pair.old(TABLES), exact=pair.exact)

    def counted(kind: type, of: tuple[object, ...]) -> int:
        return sum(isinstance(change, kind) for change in of)

    for kind, other in (
        (changes.OperationInserted, changes.OperationRemoved),
        (changes.OperationReplaced, changes.OperationReplaced),
    ):
        assert counted(kind, found.changes) == counted(other, back.changes)
    # The numbers of renamed columns may differ, because one column may have become two.
    assert counted(changes.SchemaTypeChanged, found.schema_changes) == counted(
        changes.SchemaTypeChanged, back.schema_changes
    )
    for one, of in ((found, pair.new), (back, pair.old)):
        there = {change.column.name for change in one.schema_changes if isinstance(change, changes.SchemaColumnAdded)}
        assert there <= set(of(TABLES).get_resolved_schema().names)
    marks, back_marks = ([line[0] for line in d.as_tree().splitlines()] for d in (found, back))
    assert marks.count("+") == back_marks.count("-")


def _check(old: QueryOperation, new: QueryOperation) -> None:
    exact = diff(old, new, exact=True)
    assert bool(exact) == (old is not new), exact
    found = diff(old, new)
    assert bool(found) == (normalize(old) is not normalize(new)), found
    _check_found(exact, old, new)
    _check_found(found, old, new)


def _check_found(found: QueryDiff, old: QueryOperation, new: QueryOperation) -> None:
    text, tree = str(found), found.as_tree()
    # The tree contains every operation of both queries; it marks the same changes that the words describe.
    size = sum(1 for root in (old, new) for _ in root.walk_with_subqueries())
    parts = [e for root in (old, new) for o in root.walk_with_subqueries() for x in o.expressions for e in x.walk()]
    assert len(found.changes) <= size
    columns = len(old.schema) + len(new.schema)
    assert text.count("\n") <= 10 * (size + len(parts) + columns)
    assert bool(found.changes) == any(line[0] in "+-~" for line in tree.splitlines())
    if not found:
        assert text == "The queries are equal."
        assert not found.schema_changes


@pytest.mark.slow
def test_a_program_read_back_from_its_text_does_not_differ() -> None:
    # NESTED text is read back as the same object, so that only MERGED text makes another tree to compare.
    compared = 0
    for program in PROGRAMS.values():
        query = program.build(TABLES)
        try:
            text = query.as_serializable_string(layout=Layout.MERGED)
        except TableException:
            # The query has no text, for example because it reads data of this process.
            continue
        again = TABLES.env.sql_query(text)
        assert not diff(query, again), program
        assert not diff(again, query), program
        compared += 1
    assert compared > 400


@pytest.mark.slow
def test_every_program_with_itself_and_the_next() -> None:
    built = [program.build(TABLES).query_operation for program in PROGRAMS.values()]
    for old, new in zip(built, [*built[1:], built[0]], strict=True):
        _check(old, old)
        _check(old, new)
        _check(new, old)


@given(old=queries(), new=queries())
@settings(
    max_examples=int(_EXAMPLES or fewer(100)),
    derandomize=_EXAMPLES is None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_random_queries(old: RandomQuery, new: RandomQuery, spark: SparkSession) -> None:
    tables = [query.ours(TABLES).query_operation for query in (old, new)]
    _check(*tables)
    _check(tables[0], tables[0])


@given(query=queries())
@settings(
    max_examples=int(_EXAMPLES or fewer(100)),
    derandomize=_EXAMPLES is None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_steps_of_a_random_query(query: RandomQuery, spark: SparkSession) -> None:
    """From one step to the next, existing operations are unchanged."""
    before = RandomQuery(query.base, query.steps[:-1]).ours(TABLES).query_operation
    after = query.ours(TABLES).query_operation
    _check(before, after)
    _check(after, before)
    if before in set(after.walk()):
        assert not any(line[0] in "-~" for line in diff(before, after).as_tree().splitlines())


# --- the records -----------------------------------------------------------------------------------------------------


def test_the_records_of_a_change() -> None:
    orders = TABLES.orders
    old = orders.filter(col("amount") > 10).select(col("order_id"), col("amount"))
    new = orders.filter(col("amount") > 20).select(col("order_id"), col("amount"), col("status")).distinct()
    found = diff(old, new)
    condition, projection, distinct = found.changes
    assert isinstance(condition, changes.OperationChanged)
    (detail,) = condition.details
    assert isinstance(detail, changes.ExpressionChanged)
    assert (repr(detail.old), repr(detail.new)) == ("greaterThan(amount, 10)", "greaterThan(amount, 20)")
    assert isinstance(projection, changes.OperationChanged)
    (added,) = projection.details
    assert isinstance(added, changes.ColumnChanged)
    assert (added.action, added.name) == (changes.Action.ADDED, "status")
    assert isinstance(distinct, changes.OperationInserted)
    assert distinct.operation is new.query_operation
    (column,) = found.schema_changes
    assert isinstance(column, changes.SchemaColumnAdded)
    assert repr(column.column) == "`status` STRING"
    assert found.is_compatible
    assert not diff(new, old).is_compatible


def test_equal_queries() -> None:
    found = diff(TABLES.orders.filter(col("amount") > 10), TABLES.orders.filter(col("amount") > 10))
    assert not found
    assert found.is_compatible
    assert (found.changes, found.schema_changes) == ((), ())
    assert str(found) == repr(found) == found.as_text() == "The queries are equal."
    assert _short(found.as_tree()) == "  Filter: (condition: [greaterThan(amount, 10)])\n      CatalogTable: [orders]"


def test_data_of_this_process() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    old, new = (TABLES.env.from_arrow(pyarrow.table({"a": [n]})) for n in (1, 2))
    assert str(diff(old, new)).splitlines()[0] == "An Arrow table of this process became another."
    assert str(diff(TABLES.nothing, new)).splitlines()[0] == (
        f"The table `spark_catalog`.`{DATABASE}`.`nothing` became an Arrow table of this process."
    )


def test_a_table_that_changed_in_the_catalog() -> None:
    from tableapi import CatalogTable, Column, InMemoryCatalog, ResolvedSchema, TableEnvironment
    from tableapi import EnvironmentSettings as Settings

    def table(*columns: Column) -> Table:
        env = TableEnvironment.create(Settings.new_instance().with_built_in_catalog_name("c").build())
        catalog = env.get_catalog("c")
        assert isinstance(catalog, InMemoryCatalog)
        catalog.create_table(env.get_current_database(), "t", CatalogTable(ResolvedSchema(columns)))
        return env.from_path("t").filter(col("a") > 1).select(col("a"), col("b"))

    old = table(Column("a", DataTypes.INT()), Column("b", DataTypes.STRING()), Column("gone", DataTypes.INT()))
    new = table(
        Column("a", DataTypes.BIGINT()),
        Column("B", DataTypes.STRING(False), "the name"),
        Column("new", DataTypes.INT()),
    )
    assert str(diff(old, new)).replace("`c`.`default_database`.", "").replace("`c`.`default`.", "") == (
        "In the table `t`, the type of the column `a` became BIGINT, it was INT.\n"
        "In the table `t`, the column `b` was renamed to `B`.\n"
        "In the table `t`, the column `B` is never NULL now.\n"
        "In the table `t`, the comment of the column `B` became 'the name'.\n"
        "In the table `t`, the column `gone` was removed.\n"
        "In the table `t`, the column `new` was added, INT.\n"
        "In the result:\n"
        "  the type of the column `a` became BIGINT, it was INT\n"
        "  the column `b` was renamed to `B`\n"
        "  the column `B` is never NULL now\n"
        "  the comment of the column `B` became 'the name'\n"
        "Readers of the old columns would notice."
    )


@pytest.mark.parametrize("given", ["orders", None, col("a")])
def test_only_queries_have_a_difference(given: object) -> None:
    with pytest.raises(
        ValidationException, match=r"diff compares two tables or two statements, but the second argument is .*from_path"
    ):
        diff(TABLES.orders, given)  # type: ignore[arg-type]  # the mistake


# --- size ------------------------------------------------------------------------------------------------------------


def _chain(start: Table, step: Callable[[Table, int], Table], length: int = DEPTH) -> Table:
    for number in range(length):
        start = step(start, number)
    return start


def _mixed(change: Callable[[int], int], length: int = DEPTH) -> Table:
    def step(table: Table, number: int) -> Table:
        if number % 3 == 0:
            return table.filter(col("quantity") > lit(number + change(number)))
        if number % 3 == 1:
            return table.distinct()
        return table.add_or_replace_columns((col("quantity") + lit(number + change(number))).alias("quantity"))

    return _chain(TABLES.lines, step, length)


@pytest.mark.usefixtures("short_stack")
def test_a_change_at_the_bottom_of_a_deep_chain() -> None:
    found = diff(_mixed(lambda n: 0), _mixed(lambda n: int(n == 3)))
    assert str(found).splitlines()[0] == "In the condition of the filter, `quantity` > 3 became `quantity` > 4."
    assert len(found.changes) == 1
    assert found.as_tree().count("\n~") == 1


@pytest.mark.usefixtures("short_stack")
def test_a_chain_in_which_everything_changed() -> None:
    found = diff(_mixed(lambda n: 0), _mixed(lambda n: 1))
    assert all(isinstance(change, changes.OperationChanged) for change in found.changes)
    assert len(found.changes) == sum(n % 3 != 1 for n in range(DEPTH))
    assert found.as_tree()


def test_the_cost_is_linear_in_the_length_of_a_chain_in_which_everything_changed() -> None:
    def cost(length: int) -> int:
        old, new = _mixed(lambda n: 0, length), _mixed(lambda n: 1, length)
        return calls(lambda: diff(old, new).as_tree())

    cost(10)
    assert cost(800) < 4.5 * cost(200)


@pytest.mark.usefixtures("short_stack")
def test_a_column_renamed_below_a_deep_chain() -> None:
    old = _chain(TABLES.lines, lambda table, n: table.filter(col("quantity") > lit(n)))
    renamed = TABLES.lines.rename_columns(col("quantity").alias("q"))
    found = diff(old, _chain(renamed, lambda table, n: table.filter(col("q") > lit(n))))
    assert len(found.changes) == 1
    assert len(found.schema_changes) == 1


@pytest.mark.usefixtures("short_stack")
def test_unrelated_chains() -> None:
    old = _chain(TABLES.lines, lambda table, n: table.filter(col("quantity") > lit(n)))
    new = _chain(TABLES.lines, lambda t, n: t.add_or_replace_columns((col("quantity") + n).alias("quantity")))
    found = diff(old, new, exact=True)
    assert len(found.changes) == 2 * DEPTH


@pytest.mark.usefixtures("short_stack")
def test_a_deep_expression() -> None:
    def total(middle: str) -> Table:
        value = lit(0)
        for number in range(DEPTH):
            value = value + col(middle if number == DEPTH // 2 else "quantity")
        return TABLES.lines.select(value.alias("total"))

    found = diff(total("quantity"), total("line_order"))
    assert len(found.changes) == 1
    assert len(str(found)) < 1000


def test_shared_parts_are_compared_once() -> None:
    def doubled(start: Table) -> Table:
        return _chain(start, lambda table, n: table.union_all(table.filter(col("x") > lit(n))), 500)

    found = diff(doubled(TABLES.left_bag), doubled(TABLES.left_bag.distinct()))
    assert len(found.changes) == 1
    assert found.as_tree().count("Distinct: ()") == 1
