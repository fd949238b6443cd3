"""Plans of async calls as ``explain`` shows them, without Spark."""

from __future__ import annotations

import pytest

from tableapi import EnvironmentSettings, TableEnvironment, udf


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    env = TableEnvironment.create(settings)

    @udf
    async def f(x: int) -> int:
        return x

    @udf(output_mode="ALLOW_UNORDERED")
    async def u(x: int) -> int:
        return x

    @udf(deterministic=False)
    async def nd(x: int) -> int:
        return x

    for function in (f, u, nd):
        env.create_temporary_system_function(function.__name__, function)
    columns = "CAST(1 AS BIGINT) AS a, CAST(2 AS BIGINT) AS b, 'x' AS __async_0"
    env.create_temporary_view("t", env.sql_query(f"SELECT {columns}"))
    env.create_temporary_view("s", env.sql_query("SELECT CAST(1 AS BIGINT) AS c, TRUE AS d"))
    return env


def plan(env: TableEnvironment, text: str) -> tuple[str, list[str]]:
    """Return the operations without those that read the table, and the names of the rules."""
    shown = env.sql_query(text).explain().partition("== Asynchronous calls ==\n")[2]
    tree, _, rules = shown.partition("\n\n")
    return tree, [line.partition(":")[0] for line in rules.splitlines()]


def test_explanations_without_asynchronous_calls(env: TableEnvironment) -> None:
    assert "Asynchronous" not in env.sql_query("SELECT a FROM t").explain()


def test_names_that_the_table_has_are_not_taken(env: TableEnvironment) -> None:
    tree, _ = plan(env, "SELECT f(a), __async_0 FROM t")
    assert "calls: [as(f(a), __async_1)]" in tree


def test_one_stage_takes_all_that_is_ready(env: TableEnvironment) -> None:
    tree, rules = plan(env, "SELECT f(a), f(b), f(f(a)), f(f(a) + 1) FROM t")
    stages = [line.strip() for line in tree.splitlines() if "AsyncCalc" in line]
    assert stages == [
        "AsyncCalc: (calls: [as(f(plus(__async_1, 1)), __async_4)], mode: [ordered])",
        "AsyncCalc: (calls: [as(f(a), __async_1), as(f(b), __async_2), as(f(f(a)), __async_3)], mode: [ordered])",
    ]
    assert rules == ["NESTED_SPLIT", "ONE_PER_CALC_SPLIT", "SHARED_CALL"]


def test_a_call_is_made_once_for_all_operations_of_a_chain(env: TableEnvironment) -> None:
    tree, rules = plan(env, "SELECT x + 1 FROM (SELECT f(a) AS x, b FROM t WHERE f(a) > 1) WHERE x < 5 AND b = 2")
    assert tree.count("AsyncCalc") == 1
    assert tree.index("lessThan") < tree.index("greaterThan") < tree.index("AsyncCalc") < tree.index("equals(b, 2)")
    assert {"SPLIT_CONDITION", "SPLIT_PROJECT", "PUSH_CONDITION", "SHARED_CALL"} == set(rules)


@pytest.mark.parametrize(
    ("text", "is_unordered"),
    [
        ("SELECT u(a) FROM t", True),
        ("SELECT u(a), f(a) FROM t", False),
        ("SELECT b, SUM(u(a)) FROM t GROUP BY b", True),
        ("SELECT u(a) FROM (SELECT b AS a, COUNT(*) FROM (SELECT * FROM t ORDER BY a) GROUP BY b)", True),
        ("SELECT u(a) FROM t ORDER BY b", False),
        ("SELECT u(a) AS r FROM t ORDER BY r", True),
        ("SELECT u(a) FROM t LIMIT 3", False),
        ("SELECT u(a), ROW_NUMBER() OVER (ORDER BY b) FROM t", False),
        ("SELECT COLLECT_LIST(r) FROM (SELECT u(a) AS r FROM t)", False),
        ("SELECT u(a), RAND() FROM t", False),
        ("SELECT u(a) FROM t JOIN s ON a = c", True),
    ],
)
def test_when_rows_may_leave_as_they_are_done(env: TableEnvironment, text: str, is_unordered: bool) -> None:
    tree, rules = plan(env, text)
    assert ("mode: [unordered]" in tree) == is_unordered == ("UNORDERED" in rules)


def test_rows_of_a_stream_with_a_watermark_keep_their_order(env: TableEnvironment) -> None:
    files = "(a BIGINT, ts TIMESTAMP_LTZ(3){}) WITH ('connector' = 'filesystem', 'path' = '/x', 'format' = 'json', "
    watermark = ", WATERMARK FOR ts AS ts - INTERVAL '10' SECOND"
    env.execute_sql(f"CREATE TEMPORARY TABLE dated {files.format(watermark)}'streaming' = 'true')")
    env.execute_sql(f"CREATE TEMPORARY TABLE undated {files.format('')}'streaming' = 'true')")
    assert "mode: [unordered]" in plan(env, "SELECT u(a), ts FROM undated")[0]
    # Spark would take the column for one without a watermark, once it has passed through Python.
    tree, rules = plan(env, "SELECT u(u(a) + 1), ts FROM dated WHERE u(a) > 1")
    assert tree.count("mode: [ordered]") == tree.count("AsyncCalc") >= 2
    assert "UNORDERED" not in rules


def test_only_needed_columns_pass_through_python(env: TableEnvironment) -> None:
    tree, _ = plan(env, "SELECT u(a) FROM t")
    assert "Project: (projections: [a])" in tree


def test_nondeterministic_calls(env: TableEnvironment) -> None:
    tree, _ = plan(env, "SELECT nd(a), nd(a) + nd(a), x, x FROM (SELECT nd(b) AS x, a FROM t)")
    assert tree.count("as(nd(a), ") == 3
    assert tree.count("as(nd(b), ") == 1


def test_a_nondeterministic_guard_is_computed_once(env: TableEnvironment) -> None:
    tree, _ = plan(env, "SELECT CASE WHEN RAND() < 0.5 THEN f(a) ELSE f(b) END FROM t")
    assert tree.count("as(rand(), __async_1)") == 1
    assert tree.count("lessThan(rand()") == 0


def test_calls_that_do_not_move(env: TableEnvironment) -> None:
    tree, rules = plan(env, "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM s WHERE c = a AND f(c) > 1)")
    assert "AsyncCalc" not in tree
    assert rules == ["SYNC_MODE"]


def test_calls_that_wait_for_conditions_on_each_other(env: TableEnvironment) -> None:
    tree, _ = plan(env, "SELECT IF(a > 1, IF(f(a) > 1, f(b), 0), IF(f(b) > 1, f(a), 0)) FROM t")
    assert tree.count("as(f(a), ") == tree.count("as(f(b), ") == 1


def test_depth(env: TableEnvironment) -> None:
    table = env.sql_query("SELECT f(a) AS a FROM t")
    for number in range(1500):
        table = table.filter(table.a > number).select((table.a + 1).alias("a"))
    assert table.explain().count("AsyncCalc") == 1
    doubled = env.sql_query("SELECT f(a) AS a FROM t")
    for _ in range(60):
        doubled = doubled.select((doubled.a + doubled.a).alias("a"))
    assert doubled.explain().count("AsyncCalc") == 1
