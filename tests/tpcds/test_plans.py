"""Plans of TPC-DS: both layouts and the program of ``to_python``, compared with the original texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from ir.rendering import Layout
from tableapi import TableEnvironment
from tests.answers import Answers, files_of
from tests.plans.facts import optimized
from tests.plans.physical import costs
from tests.sessions_in_memory import session_in_memory
from tests.tpcds.comparison import compare_forms
from tests.tpcds.known import DIFFERENT_PLANS, LESS_COSTS
from tests.tpcds.lineage import declare_tables
from tests.tpcds.queries import STANDARD, queries
from tests.tpcds.tables import ROWS, definitions, tpcds_in_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.long
# The texts are in the question: Spark's plans of them are compared with its plans of the queries.
ANSWERS = Answers(
    "tpcds_plans",
    "tests/to_python/evaluated.py",
    *files_of("tests/tpcds", "*.py", "*.sql"),
    *files_of("tests/plans", "*.py"),
)


@pytest.fixture(scope="module")
def env(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableEnvironment]:
    session = session_in_memory(spark, tmp_path_factory.mktemp("catalog"))
    with tpcds_in_spark(session, tmp_path_factory.mktemp("tpcds")) as env:
        yield env


def test_all_queries_and_tables_are_there() -> None:
    assert len(STANDARD) == 103
    assert {*STANDARD} <= queries().keys()
    assert definitions().keys() == ROWS.keys()
    assert len(ROWS) == 24
    assert {*DIFFERENT_PLANS, *LESS_COSTS} <= queries().keys()


@pytest.fixture(scope="module")
def offline() -> TableEnvironment:
    return declare_tables()


@pytest.mark.parametrize("name", queries())
@pytest.mark.usefixtures("jvm")
def test_plans_cost_no_more_than_that_of_the_original_text(
    name: str, offline: TableEnvironment, request: pytest.FixtureRequest
) -> None:
    table = offline.sql_query(queries()[name])
    texts = [table.as_serializable_string(layout=layout) for layout in Layout]
    question = (name, queries()[name], texts, table.to_python())
    if not ANSWERS.know(*question):
        _assert_costs_no_more(name, request.getfixturevalue("env"))
        ANSWERS.keep(*question)


def _assert_costs_no_more(name: str, env: TableEnvironment) -> None:
    found = compare_forms(env, queries()[name])
    assert [compared.difference for compared in found.values() if not compared.costs_no_more] == []
    different = {form: compared.difference for form, compared in found.items() if not compared.has_same_costs}
    known = LESS_COSTS.get(name)
    assert different.keys() == ({*known.forms} if known is not None else set()), different
    assert found[Layout.MERGED.name].is_renamed == (name not in DIFFERENT_PLANS)


def test_spark_plans_as_for_tables_with_rows(env: TableEnvironment) -> None:
    plan = [str(cost) for cost in costs(env.spark.sql(queries()["q3"]))]
    (sales,) = [line for line in plan if "FileScan store_sales" in line]
    assert "dynamicpruningexpression(ss_sold_date_sk IN dynamicpruning)" in sales
    assert any("BroadcastHashJoin Inner" in line for line in plan)
    assert any("ReusedExchange" in line for line in plan)
    assert any("SortMergeJoin" in str(cost) for cost in costs(env.spark.sql(queries()["q78"])))


def test_a_cross_join_is_detected(env: TableEnvironment) -> None:
    query = "SELECT ss_item_sk FROM store_sales {} date_dim WHERE ss_sold_date_sk = d_date_sk AND d_year = 2000"
    inner, cross = env.spark.sql(query.format("JOIN")), env.spark.sql(query.format("CROSS JOIN"))
    assert not optimized(inner).sameResult(optimized(cross))
    assert costs(inner) != costs(cross)
    assert "dynamicpruning" in str(costs(inner))
    assert "dynamicpruning" not in str(costs(cross))
