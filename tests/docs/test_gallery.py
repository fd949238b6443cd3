"""The gallery of the site: what it shows of each query is stored, and Spark's plan is the one that is stored."""

from __future__ import annotations

import doctest
import re

import pytest
from syrupy.assertion import SnapshotAssertion

from docs.website import gallery
from docs.website import program_code as program_code_module
from docs.website.gallery import NAMES, gallery_pages
from docs.website.program_code import NAMESPACE, examples, program_code
from tests.programs import PROGRAMS
from tests.programs.tables import Tables, environment_without_spark
from tests.snapshot_files import TreeFiles


def test_forty_queries() -> None:
    assert len(set(NAMES)) == 40
    assert set(NAMES) <= set(PROGRAMS)


def test_each_query_has_all_its_parts() -> None:
    text = "\n".join(page.text for page in gallery_pages().values())
    queries = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    # The last heading is that of the tables.
    assert sum("```sql\nSELECT" in query or "```sql\nWITH" in query for query in queries) == 40
    assert not re.search(r"```\w+\n\n?```", text)
    assert text.count("<summary>Spark's plan</summary>") == 40


def test_the_code_of_each_program_is_known() -> None:
    code = program_code()
    assert set(code) > set(NAMES)
    for name in NAMES:
        compile(code[name], name, "exec")
        assert "t." in code[name]
        assert max(map(len, code[name].splitlines())) <= 88


def test_the_code_builds_the_query() -> None:
    tables = Tables(environment_without_spark())
    scope = {**NAMESPACE, "t": tables}
    for name in NAMES:
        built = eval(program_code()[name], scope)
        assert built.query_operation is PROGRAMS[name].build(tables).query_operation


def test_examples_of_names() -> None:
    found = examples()
    assert found["tableapi.Table.union_all"] == "union_all"
    assert ".group_by(" in program_code()[found["tableapi.Table.group_by"]]
    assert {"tableapi.Expression.is_null", "tableapi.expressions.coalesce", "tableapi.Table.distinct"} <= set(found)
    # The select of a grouped table is no method of a table.
    assert ".group_by(" not in program_code()[found["tableapi.Table.select"]]


def test_examples() -> None:
    assert doctest.testmod(gallery) == (0, 1)
    assert doctest.testmod(program_code_module) == (0, 2)


@pytest.mark.parametrize("name", NAMES)
def test_snapshot_spark_plan(name: str, tables_in_spark: Tables, snapshot: SnapshotAssertion) -> None:
    frame = PROGRAMS[name].build(tables_in_spark).to_spark()
    plan = frame._jdf.queryExecution().optimizedPlan().toString()
    # Numbers of columns and of plans differ from run to run.
    shown = re.sub(r"#\d+L?|\[id=\d+\]|, \[plan_id=\d+\]", "", plan)
    assert snapshot.use_extension(TreeFiles)(name=name) == shown
