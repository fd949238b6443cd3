"""A sample of ``python -m tests.tpcds.lineage``: lineage against what Spark computes over changed rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cases import some_nightly
from tests.tpcds.lineage import NAMESPACE, Perturbation, declare_tables, influences, lineage_of_view
from tests.tpcds.loosening import loosened_texts
from tests.tpcds.queries import STANDARD, queries

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.slow
def test_every_query_as_a_view_has_a_lineage_of_every_column() -> None:
    env = declare_tables()
    for name in STANDARD:
        found = influences(lineage_of_view(env, queries()[name]))
        assert all(found.values()), name


# With a scalar subquery, with HAVING, with NOT EXISTS, and with a subquery that may have one row only.
@pytest.mark.slow
@pytest.mark.parametrize("name", ["q8", "q34", "q69", "q58"])
def test_a_loosened_query_has_the_influences_of_the_query(name: str) -> None:
    env = declare_tables()
    text = queries()[name]
    of_query = influences(lineage_of_view(env, text))
    for loosened in loosened_texts(env.sql_query(text).query_operation, NAMESPACE):
        assert "PMOD(HASH(" in loosened
        assert influences(lineage_of_view(env, loosened)) == of_query


# With a correlated subquery, with conditions of several tables, with groups over CASE, and loosened.
@pytest.mark.parametrize("name", some_nightly(["q41", "q1", "q3", "q27"], each=4))
def test_nothing_changes_that_lineage_does_not_name(name: str, spark: SparkSession) -> None:
    checked = Perturbation(spark.newSession(), declare_tables(), queries()[name]).check()
    assert checked.missing == ()
    assert checked.rows
    assert checked.exercised
    assert checked.is_loosened == (name == "q41")


def test_a_missing_influence_is_found(spark: SparkSession) -> None:
    checked = Perturbation(spark.newSession(), declare_tables(), queries()["q3"])
    column = "date_dim", "d_moy"
    assert all(column in columns for columns in checked.allowed.values())
    checked.allowed = {name: columns - {column} for name, columns in checked.allowed.items()}
    assert checked.check().missing
