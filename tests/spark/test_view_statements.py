"""SHOW CREATE VIEW returns a statement that creates a view of the same rows in any other database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tableapi import CatalogDescriptor, CatalogException, TableEnvironment
from tableapi.expressions import call, col

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def filled(env: TableEnvironment) -> TableEnvironment:
    """An environment whose session has tables and functions in the current database."""
    env.spark.sql(f"USE {env.get_current_database()}")
    env.spark.sql("CREATE TABLE o AS SELECT * FROM VALUES (1, 'x'), (2, 'Y') AS o(id, b)")
    env.spark.sql("CREATE FUNCTION plus_one(x INT) RETURNS INT RETURN x + 1")
    env.spark.sql("CREATE FUNCTION up_to(n INT) RETURNS TABLE(y INT) RETURN SELECT explode(sequence(1, n))")
    return env


@pytest.fixture
def elsewhere(env: TableEnvironment) -> SparkSession:
    """Another session in another database, without any of these names."""
    session = env.spark.newSession()
    session.sql("USE default")
    return session


def _statement(shown: str) -> str:
    return "\n".join(line for line in shown.splitlines() if not line.startswith("-- SET "))


@pytest.mark.parametrize(
    "made",
    [
        "v AS SELECT id, b FROM o",
        "v AS TABLE o",
        "v (i COMMENT 'it''s', n) COMMENT 'c' TBLPROPERTIES ('p' = 'q') AS SELECT id, plus_one(id) AS p FROM o",
        "v (i, n) AS SELECT o.id, {database}.o.b FROM {database}.o",
        "v AS WITH o AS (SELECT * FROM o WHERE id > 1) SELECT id, (SELECT max(id) FROM o) AS m FROM o",
        "v AS SELECT o.id, y FROM o, up_to(3), LATERAL (SELECT max(id) FROM o AS inner_o WHERE inner_o.id = y)",
        "v AS SELECT {database}.plus_one(id) AS n FROM IDENTIFIER('o') LATERAL VIEW explode(array(1)) AS e",
        "v DEFAULT COLLATION UTF8_LCASE AS SELECT id, b FROM o WHERE 'a' = 'A'",
        "v WITH SCHEMA EVOLUTION AS SELECT * FROM o",
    ],
)
def test_a_view_that_spark_made(filled: TableEnvironment, elsewhere: SparkSession, made: str) -> None:
    database = filled.get_current_database()
    filled.spark.sql("CREATE VIEW " + made.format(database=database))
    shown = filled.show_create_view("v")
    before = elsewhere.table(f"{database}.v")
    rows, schema = sorted(before.collect()), before.schema
    assert len(rows) > 0
    elsewhere.sql(f"DROP VIEW {database}.v")
    elsewhere.sql(shown)
    after = elsewhere.table(f"{database}.v")
    assert (sorted(after.collect()), after.schema) == (rows, schema)
    assert _statement(filled.show_create_view("v")) == _statement(shown)


def test_a_view_of_this_library(filled: TableEnvironment, elsewhere: SparkSession) -> None:
    database = filled.get_current_database()
    table = filled.from_path("o").select(col("id"), call("plus_one", col("id")).alias("n"))
    filled.create_view("v", table, comment="c\n\\", column_comments={"n": "it's"}, properties={"k": "${x}"})
    shown = filled.show_create_view("v")
    elsewhere.sql(f"DROP VIEW {database}.v")
    elsewhere.conf.set("spark.sql.variable.substitute", "false")
    elsewhere.sql(shown)
    assert sorted(map(tuple, elsewhere.table(f"{database}.v").collect())) == [(1, 2), (2, 3)]
    assert _statement(filled.show_create_view("v")) == _statement(shown)
    assert "'k' = " in shown


def test_each_setting_is_displayed_once(filled: TableEnvironment) -> None:
    filled.create_view("own", filled.from_path("o"))
    filled.spark.sql("CREATE VIEW sparks AS TABLE o")
    for view in ("own", "sparks"):
        shown = filled.show_create_view(view)
        assert shown.count("spark.sql.session.timeZone") == 1
        assert shown.count("spark.sql.ansi.enabled") == 1
        assert "tableapi." not in shown


def test_a_text_that_the_grammar_does_not_read_is_refused(filled: TableEnvironment) -> None:
    """The text of a metric view is YAML."""
    text = (
        "version: 0.1\nsource: o\ndimensions:\n  - name: b\n    expr: b\nmeasures:\n  - name: n\n    expr: count(id)\n"
    )
    filled.spark.sql(f"CREATE VIEW v WITH METRICS LANGUAGE YAML AS $$\n{text}$$")
    with pytest.raises(CatalogException, match=r"names in the text of the view .*\.v cannot be completed"):
        filled.show_create_view("v")


def test_a_view_of_a_directory(env: TableEnvironment, tmp_path: Path) -> None:
    env.create_catalog("team", CatalogDescriptor.of("team", {"type": "directory", "path": str(tmp_path)}))
    env.use_catalog("team")
    env.execute_sql("CREATE DATABASE sales")
    env.use_database("sales")
    env.create_view("prices", env.from_elements([("tea", 3), ("cup", 8)], ["product", "price"]))
    by_hand = "create view dear (what) as with p as (select * from prices) select product from p where price > 5"
    (tmp_path / "sales" / "views" / "dear.sql").write_text(by_hand)
    shown = env.show_create_view("dear")
    env.drop_view("dear")
    env.use_catalog("spark_catalog")
    env.execute_sql(shown)
    dear = env.from_path("team.sales.dear")
    assert dear.get_resolved_schema().names == ("what",)
    assert [tuple(row) for row in dear.execute().collect()] == [("cup",)]
    assert "FROM team.sales.prices AS p" in env.show_create_view("team.sales.dear")
