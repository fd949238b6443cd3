"""Names of WITH steps and relations: hints that texts keep, and that are not part of the query."""

from __future__ import annotations

import pytest

from grammar.reading import parse_query
from ir.identifiers import fold
from ir.normalization.folding import fold as fold_operations
from ir.normalization.plan import is_leaf
from ir.relation_names import NO_NAMES, RelationNames
from ir.rendering import Layout
from serializer.given_names import use_names
from serializer.merged.steps import steps_of
from tableapi import EnvironmentSettings, Table, TableEnvironment
from tableapi.expressions import col
from tests.cases import every
from tests.sql.corpus import AROUND, ENVIRONMENT, Query, queries
from tests.sql.corpus import read_with_names as read

QUERIES = queries()
every_query = every("query", queries, lambda query: query.name, alike=True)

CUSTOMERS = """
WITH customer_total_return AS (
    SELECT x AS customer, sum(x) AS total FROM left_bag GROUP BY x
)
SELECT ctr1.customer
FROM customer_total_return ctr1
WHERE ctr1.total > (SELECT avg(total) * 1.2 FROM customer_total_return ctr2 WHERE ctr1.customer = ctr2.customer)
"""


def written(text: str, layout: Layout = Layout.MERGED) -> str:
    """Parse a query and return its text in a layout."""
    operation, names = read(text)
    with use_names(operation, names):
        return operation.as_serializable_string(layout=layout)


def short(text: str) -> str:
    return text.replace("`spark_catalog`.`programs`.", "").replace("`", "")


# --- every query of the tests ----------------------------------------------------------------------------------------


@pytest.mark.slow
@every_query
def test_the_tree_is_the_same(query: Query) -> None:
    operation, names = read(query.text)
    assert parse_query(query.text, AROUND) is operation
    with use_names(operation, names):
        nested, merged = (operation.as_serializable_string(layout=layout) for layout in (Layout.NESTED, Layout.MERGED))
    assert read(nested)[0] is operation, nested
    assert read(merged)[0].normalize() is operation.normalize(), merged


@pytest.mark.slow
@every_query
def test_a_second_round_has_the_same_text(query: Query) -> None:
    for layout in (Layout.MERGED, Layout.NESTED):
        once = written(query.text, layout)
        plain = read(query.text)[0].as_serializable_string(layout=layout)
        if read(plain)[0].as_serializable_string(layout=layout) == plain:
            # Few MERGED texts are read as a query with another text.
            assert written(once, layout) == once


@every_query
def test_names_are_kept(query: Query) -> None:
    operation, names = read(query.text)
    text = fold(written(query.text))
    plan = fold_operations(operation, names)
    steps = steps_of(plan, names).names
    for step, name in names.steps.items():
        assert step not in steps or fold(steps[step]).startswith(fold(name))
    for (reader, index), alias in names.aliases.items():
        if index >= len(reader.inputs) or reader not in plan.operations:
            continue
        relation = reader.inputs[index]
        if is_leaf(relation) and reader in plan.blocks:
            # The reader's block has the relation in its FROM.
            assert f"`{fold(alias).replace('`', '``')}" in text, alias


# --- names that are kept ---------------------------------------------------------------------------------------------


def test_merged() -> None:
    assert short(written(CUSTOMERS)) == (
        "WITH customer_total_return AS (\n"
        "    SELECT x AS customer, SUM(x) AS total\n"
        "    FROM left_bag\n"
        "    GROUP BY x\n"
        ")\n"
        "SELECT customer\n"
        "FROM customer_total_return AS ctr1\n"
        "WHERE total > (\n"
        "    SELECT AVG(total) * 1.2\n"
        "    FROM customer_total_return AS ctr2\n"
        "    WHERE ctr1.customer = customer\n"
        ")"
    )


def test_nested() -> None:
    text = short(written(CUSTOMERS, Layout.NESTED))
    assert text.startswith("WITH customer_total_return AS (")
    assert "FROM customer_total_return AS ctr1\n" in text
    assert "FROM customer_total_return AS ctr2\n" in text
    assert "WHERE ctr1.customer = customer" in text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("SELECT a FROM VALUES (1, 2) AS t1(a, b) WHERE a > 0", ["AS t1(a, b)"]),
        ("SELECT l.x, e FROM left_bag l LATERAL VIEW explode(array(x)) view1 AS e", ["left_bag AS l", "AS view1(e)"]),
        (
            "SELECT l.x, s FROM left_bag l JOIN LATERAL (SELECT sum(r.x) AS s FROM right_bag r WHERE r.x = l.x) sums",
            ["left_bag AS l", "right_bag AS r", "AS sums"],
        ),
        ("SELECT a.x FROM left_bag a JOIN left_bag b ON a.x = b.x", ["left_bag AS a", "left_bag AS b"]),
        # A projection that renames columns stands between the join and its right side.
        ("SELECT a.x FROM left_bag a LEFT JOIN right_bag b USING (x)", ["left_bag AS a", "right_bag AS b"]),
        # A parenthesized query that gets no SELECT of its own gives its name to the relation that it reads.
        ("SELECT q.x FROM (SELECT x FROM left_bag WHERE x > 1) q JOIN right_bag r ON q.x = r.x", ["left_bag AS q"]),
        # Names keep their spelling, and are quoted as necessary.
        ("SELECT `My Rows`.x FROM left_bag AS `My Rows`", ["left_bag AS My Rows"]),
        (f"SELECT x FROM left_bag AS {'n' * 300}", [f"AS {'n' * 300}"]),
        # A WITH query that is merged into its reader gives its name to the table.
        (
            "WITH big AS (SELECT * FROM left_bag WHERE x > 1) SELECT big.x FROM big JOIN right_bag r ON big.x = r.x",
            ["left_bag AS big", "right_bag AS r"],
        ),
        # A filter over the last clause of a step leaves the step its name.
        (
            "WITH top3 AS (SELECT x FROM left_bag ORDER BY x LIMIT 3) SELECT a.x FROM top3 a JOIN top3 b ON a.x = b.x",
            ["WITH top3 AS", "top3 AS a", "AS b"],
        ),
    ],
)
def test_kept(text: str, kept: list[str]) -> None:
    made = short(written(text))
    assert [part for part in kept if part not in made] == [], made


GROUPED = "(SELECT x, sum(x) AS s FROM left_bag GROUP BY x)"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("SELECT sum(y) FROM (SELECT x * 2 AS y FROM left_bag) AS doubled", "FROM left_bag_computed AS doubled"),
        ("WITH doubled AS (SELECT x * 2 AS y FROM left_bag) SELECT y FROM doubled GROUP BY y", "WITH doubled AS"),
        (f"SELECT x, rank() OVER (ORDER BY s) FROM {GROUPED} AS totals", "FROM left_bag_by_x AS totals"),
    ],
)
def test_a_named_query_that_the_optimizer_keeps_is_kept(text: str, kept: str) -> None:
    made = short(written(text))
    assert kept in made, made


@pytest.mark.parametrize(
    "text",
    [
        # The optimizer merges projections with each other and with filters.
        "SELECT y + 1 AS z FROM (SELECT x * 2 AS y FROM left_bag) AS doubled WHERE y > 2",
        "SELECT sum(y) FROM (SELECT x AS y FROM left_bag WHERE x > 1) AS renamed",
        f"SELECT s + 1 AS t FROM {GROUPED} AS totals WHERE s > 1",
        # Nobody has named the query.
        "SELECT sum(y) FROM (SELECT x * 2 AS y FROM left_bag)",
    ],
)
def test_other_queries_are_merged(text: str) -> None:
    assert "(\n" not in written(text)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("SELECT x AS y FROM left_bag ORDER BY x", "ORDER BY x"),
        ("SELECT x AS y FROM left_bag ORDER BY y", "ORDER BY y"),
        ("SELECT x AS y FROM left_bag AS l ORDER BY l.x DESC LIMIT 3", "ORDER BY x DESC"),
        ("SELECT l.x AS y FROM left_bag l JOIN right_bag r ON l.x = r.x ORDER BY l.x, r.x", "ORDER BY l.x, r.x"),
        ("SELECT x AS y, x + 1 AS z FROM left_bag ORDER BY z, x", "ORDER BY z, x"),
        # The column is hidden by another one of its name, or is no column of FROM any more.
        ("SELECT x AS y, x + 1 AS x FROM left_bag ORDER BY x", "ORDER BY x"),
        ("SELECT y AS z FROM (SELECT x + 1 AS y FROM left_bag) ORDER BY y", "ORDER BY z"),
        ("SELECT x AS y FROM left_bag GROUP BY x ORDER BY x", "ORDER BY y"),
        # The column of FROM has another name below.
        ("SELECT y AS z FROM (SELECT x AS y FROM left_bag) ORDER BY y", "ORDER BY x"),
    ],
)
def test_order_by_keeps_the_names_of_from(text: str, order: str) -> None:
    made = short(written(text))
    assert order in made.splitlines(), made
    assert read(written(text))[0].normalize() is read(text)[0].normalize()
    assert written(written(text)) == written(text)


# --- collisions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["SEMI", "ANTI"])
@pytest.mark.parametrize("condition", ["ON l.x = r.x", "USING (n)"])
def test_sides_of_semi_and_anti_joins_keep_their_aliases(kind: str, condition: str) -> None:
    left, right = (f"(SELECT x, count(*) AS n FROM {table} GROUP BY x)" for table in ("left_bag", "right_bag"))
    text = f"SELECT l.x FROM {left} AS l LEFT {kind} JOIN {right} AS r {condition}"
    again = written(text)
    assert "AS `l`\nWHERE " in again
    assert "AS `r`\n" in again
    assert read(again)[0].normalize() is read(text)[0].normalize()


@pytest.mark.parametrize(
    "text",
    [
        # A column with the relation's name has fields, which would be read as columns of the relation.
        "SELECT s.x FROM (SELECT x, named_struct('x', 7) AS s FROM left_bag LIMIT 3) s WHERE s.s.x > 1 AND s.x > 0",
        "WITH s AS (SELECT x, named_struct('x', 7) AS s FROM left_bag LIMIT 3) "
        "SELECT a.s.x FROM s a JOIN s b ON a.x = b.x",
        # The alias of an inner query hides the same alias of an outer query, which is referred to by another path.
        "SELECT o.x FROM left_bag o WHERE EXISTS (SELECT 1 FROM right_bag i WHERE i.x = o.x AND EXISTS "
        "(SELECT 1 FROM left_bag o WHERE o.x = i.x))",
        "SELECT o.x FROM left_bag o WHERE o.x IN (SELECT o.x FROM right_bag o)",
        # A column of the inner query has the name of the alias.
        "SELECT q FROM (SELECT x AS q FROM left_bag) y WHERE EXISTS (SELECT 1 FROM right_bag WHERE x = q AND y > 'a')",
        # A step has the name of a table, of an alias, or of another step in an inner query.
        "WITH left_bag AS (SELECT * FROM left_bag WHERE x > 1) SELECT l.x FROM left_bag l JOIN left_bag r ON l.x = r.x",
        "WITH a AS (SELECT x FROM left_bag LIMIT 3), b AS (SELECT x FROM right_bag LIMIT 3) "
        "SELECT a.x FROM b AS a JOIN a AS b ON a.x = b.x",
        "WITH a AS (SELECT x FROM left_bag LIMIT 3) SELECT x FROM a WHERE x IN "
        "(WITH a AS (SELECT x FROM right_bag LIMIT 3) SELECT p.x FROM a p JOIN a q ON p.x = q.x) "
        "AND x IN (SELECT x FROM a)",
        # Names that differ in case are the same name.
        "WITH T AS (SELECT x FROM left_bag LIMIT 3) SELECT a.x FROM T t JOIN T a ON t.x = a.x",
        # Names that the serializer itself generates.
        "SELECT `outer`.x FROM left_bag AS `outer` "
        "WHERE EXISTS (SELECT 1 FROM right_bag outer_1 WHERE outer_1.x = `outer`.x)",
        "SELECT `lateral`.e FROM left_bag JOIN LATERAL explode(array(x)) AS `lateral`(e)",
        # A parameter of a lambda has the name of the relation.
        "SELECT transform(array(1), l -> l + k) AS a FROM (SELECT x AS k FROM left_bag) l JOIN right_bag r ON k = x",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3), s AS (SELECT n FROM r LIMIT 2) "
        "SELECT r.n FROM s AS r JOIN s AS s ON r.n = s.n",
    ],
)
def test_names_do_not_change_the_meaning(text: str) -> None:
    try:
        operation, names = read(text)
    except Exception as error:
        pytest.fail(f"the test is wrong: {error}")
    with use_names(operation, names):
        nested, merged = (operation.as_serializable_string(layout=layout) for layout in (Layout.NESTED, Layout.MERGED))
    assert read(nested)[0] is operation, nested
    assert read(merged)[0].normalize() is operation.normalize(), merged
    assert written(merged) == merged
    assert written(nested, Layout.NESTED) == nested


def test_steps_of_one_name_are_numbered() -> None:
    text = written(
        "WITH a AS (SELECT x FROM left_bag LIMIT 3) SELECT x FROM a WHERE x IN "
        "(WITH a AS (SELECT x FROM right_bag LIMIT 3) SELECT p.x FROM a p JOIN a q ON p.x = q.x) "
        "AND x IN (SELECT x FROM a)"
    )
    assert "WITH `a` AS" in text
    assert "`a_2` AS" in text


# --- hints and nothing else ------------------------------------------------------------------------------------------


def test_names_are_not_part_of_a_query() -> None:
    joined = "SELECT k FROM (SELECT x AS k FROM left_bag {0}) JOIN right_bag {1} ON k = x"
    one, other = (ENVIRONMENT.sql_query(joined.format(*names)) for names in ("ab", "cd"))
    assert one.query_operation is other.query_operation
    for table, names in ((one, "ab"), (other, "cd"), (one, "ab")):
        text = short(table.as_serializable_string(layout=Layout.MERGED))
        assert f"left_bag AS {names[0]}" in text
        assert f"right_bag AS {names[1]}" in text
    assert " AS " not in short(one.query_operation.as_serializable_string(layout=Layout.MERGED)).partition("FROM")[2]


def test_an_operation_that_two_queries_name_has_its_own_name_in_each() -> None:
    totals = "SELECT x, count(*) AS n FROM left_bag GROUP BY x"
    one = ENVIRONMENT.sql_query(f"WITH one AS ({totals}) SELECT a.n FROM one a JOIN one b ON a.n > b.x")
    two = ENVIRONMENT.sql_query(f"WITH two AS ({totals}) SELECT a.n FROM two a JOIN two b ON a.n > b.x")
    assert "WITH `one` AS" in one.as_serializable_string(layout="MERGED")
    assert "WITH `two` AS" in two.as_serializable_string(layout="MERGED")
    # With two inputs, the first one's name wins.
    assert "WITH `two` AS" in two.union_all(one).as_serializable_string(layout="MERGED")
    assert "WITH `one` AS" in one.union_all(two).as_serializable_string(layout="MERGED")


def test_fluent_methods_hand_names_on() -> None:
    table = ENVIRONMENT.sql_query("SELECT a.x, b.y FROM left_bag a JOIN right_bag b ON a.x = b.x")
    for made in (
        table.filter(col("x") > 1),
        table.select(col("x")),
        table.group_by(col("x")).select(col("x"), col("y").max.alias("m")),
        table.order_by(col("x")).limit(3),
        table.distinct().union_all(table),
        ENVIRONMENT.from_path("orders").join(table, col("order_id") == col("x")).select(col("y")),
    ):
        text = made.as_serializable_string(layout=Layout.MERGED)
        assert "AS `a`" in text
        assert "AS `b`" in text
        assert "AS `a`" in made.as_serializable_string()


def test_combined_names_are_shared() -> None:
    operation, names = read(CUSTOMERS)
    assert names.combined(NO_NAMES) is names
    assert NO_NAMES.combined(names) is names
    assert names.combined(names) is names
    both = names
    for _ in range(3_000):
        both = both.combined(RelationNames({operation: "other"}))
    assert both.flattened().steps == {**names.steps, operation: "other"}


def test_flink_has_names_of_its_own() -> None:
    table = ENVIRONMENT.sql_query("SELECT a.x FROM left_bag a JOIN right_bag b ON a.x = b.x")
    assert table.as_serializable_string("FLINK") == table.query_operation.as_serializable_string("FLINK")


# --- views, explanations, code ---------------------------------------------------------------------------------------


@pytest.fixture
def te() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    te = TableEnvironment.create(settings)
    te.create_temporary_view("t", te.from_elements([(1, 2)], ["k", "v"]))
    return te


def _totals(te: TableEnvironment) -> Table:
    return te.sql_query(
        "WITH totals AS (SELECT k, sum(v) AS s FROM t GROUP BY k) "
        "SELECT big.k FROM totals big JOIN totals small ON big.s > small.s"
    )


def _has_names(text: str) -> bool:
    return all(part in text.replace("`", "") for part in ("WITH totals AS", "AS big", "AS small"))


def test_views_keep_names(te: TableEnvironment) -> None:
    te.create_temporary_view("w", _totals(te))
    assert _has_names(te.from_view_definition("w").as_serializable_string(layout="MERGED"))
    te.execute_sql(
        "CREATE TEMPORARY VIEW u AS WITH totals AS (SELECT k, sum(v) AS s FROM t GROUP BY k) "
        "SELECT big.k FROM totals big JOIN totals small ON big.s > small.s"
    )
    assert _has_names(te.from_view_definition("u").as_serializable_string(layout="MERGED"))


def test_a_stored_view_keeps_names(te: TableEnvironment) -> None:
    te.create_view(
        "stored",
        te.sql_query("SELECT a.x FROM VALUES (1) a(x) JOIN VALUES (1) b(y) ON a.x = b.y"),
    )
    assert "AS a(x)" in te.show_create_view("stored")
    assert "AS `a`(`x`)" in te.from_view_definition("stored").as_serializable_string(layout="MERGED")


def test_explanations_and_displays(te: TableEnvironment) -> None:
    table = _totals(te)
    assert _has_names(table.explain())
    assert _has_names(repr(table))


def test_variables_are_called_after_steps(te: TableEnvironment) -> None:
    code = _totals(te).to_python()
    assert "\ntotals = " in code, code
    code = te.sql_query("WITH once AS (SELECT k FROM t WHERE v > 1) SELECT k FROM once GROUP BY k").to_python()
    assert "\nonce = env.from_path(" in code, code
    assert "\nresult = once.group_by(" in code, code
    code = te.sql_query(
        "WITH totals AS (SELECT k, sum(v) AS s FROM t GROUP BY k) "
        "SELECT s FROM totals WHERE k > 1 UNION ALL SELECT k FROM totals"
    ).to_python()
    assert code.startswith("from tableapi.expressions import col\n\ntotals = env.from_path("), code
    assert "\nresult = totals.filter(" in code


def test_variables_are_called_after_aliases(te: TableEnvironment) -> None:
    code = te.sql_query("SELECT o.k FROM t o WHERE EXISTS (SELECT 1 FROM t i WHERE i.v = o.k)").to_python()
    assert "outer(" in code
    assert 'o = env.from_path("t")\n' in code, code
