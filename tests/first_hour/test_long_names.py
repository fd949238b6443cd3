"""Messages about names of 100,000 letters: short, with the length, and without a similarity search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ir.errors import TableException, shorten
from ir.message_texts import readable
from tableapi import DataTypes, DirectoryCatalog, EnvironmentSettings, Schema, TableDescriptor, TableEnvironment
from tableapi.expressions import call, call_sql, col, lit
from tests.counting import calls

LONG = "a" * 100_000
OTHER = "b" * 99_999
LONGEST = 4_000


@pytest.fixture
def te(tmp_path: Path) -> TableEnvironment:
    """An in-memory environment with a table ``t``, which has the columns ``k``, ``v`` and ``s``."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    te = TableEnvironment.create(settings)
    te.create_temporary_view("t", te.from_elements([(1, 2.0, "x")], ["k", "v", "s"]))
    te.register_catalog("team", DirectoryCatalog("team", tmp_path / "team"))
    return te


FLUENT: dict[str, Callable[[TableEnvironment], object]] = {
    "column": lambda te: te.from_path("t").select(col(LONG)),
    "column_of_blanks_between": lambda te: te.from_path("t").select(col("word " * 20_000)),
    "column_of_lines": lambda te: te.from_path("t").select(col("line\n" * 20_000)),
    "attribute": lambda te: getattr(te.from_path("t"), LONG),
    "filter": lambda te: te.from_path("t").filter(col(LONG) > 1),
    "no_condition": lambda te: te.from_path("t").filter(lit(LONG)),
    "order_by": lambda te: te.from_path("t").order_by(col(LONG).asc),
    "group_by": lambda te: te.from_path("t").group_by(col(LONG)).select(col("k")),
    "not_grouped": lambda te: te.from_path("t").group_by(col("k").alias(LONG)).select(col("v")),
    "drop_columns": lambda te: te.from_path("t").drop_columns(col(LONG)),
    "rename_columns": lambda te: te.from_path("t").rename_columns(col(LONG).alias("x")),
    "twice": lambda te: (
        te.from_path("t").select(col("k").alias(LONG), col("v").alias(LONG)).add_columns(col("k").alias(LONG))
    ),
    "join": lambda te: te.from_path("t").join(te.from_elements([(1,)], ["x"]), col(LONG) == 1),
    "table": lambda te: te.from_path(LONG),
    "path": lambda te: te.from_path(f"{LONG}.{OTHER}.c"),
    "malformed_path": lambda te: te.from_path(f"`{LONG}"),
    "parts": lambda te: te.from_path(".".join("abcde") + LONG + ".".join("abcde")),
    "view": lambda te: te.from_view_definition(LONG),
    "drop_temporary_view": lambda te: te.drop_temporary_view(f"a.{LONG}"),
    "catalog": lambda te: te.use_catalog(LONG),
    "get_catalog": lambda te: te.get_catalog(LONG).list_databases(),  # type: ignore[union-attr]  # there is none
    "database": lambda te: te.use_database(LONG),
    "function": lambda te: te.from_path("t").select(call(LONG, col("k"))),
    "arguments": lambda te: te.from_path("t").select(call("upper", lit(LONG), call(OTHER, lit(LONG)))),
    "literal": lambda te: te.from_path("t").filter(col("k") == LONG),
    "cast_text": lambda te: col("k").cast(LONG),
    "type_text": lambda te: te.declare("typed", {"id": LONG}),
    "type_name": lambda te: te.declare("typed", {"id": "BIGINT " + LONG}),
    "schema": lambda te: te.declare("typed", {"a": f"ROW<{LONG} INT, {LONG} INT"}),
    "field": lambda te: te.from_path("t").select(call_sql("named_struct('a', k)").get(LONG)),
    "field_of_scalar": lambda te: te.from_path("t").select(col("k").get(LONG)),
    "call_sql": lambda te: te.from_path("t").select(call_sql(LONG)),
    "elements": lambda te: te.from_elements([(1, 2)], [LONG]),
    "values": lambda te: te.from_elements([({LONG: 1},)], DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())])),
    "union": lambda te: te.from_path("t").union(te.from_path("t").select(col("k").alias(LONG))),
    "connector": lambda te: te.create_temporary_table(
        "c", TableDescriptor.for_connector(LONG).schema(Schema.new_builder().column("a", "INT").build()).build()
    ),
    "option": lambda te: te.create_temporary_table(
        "c",
        TableDescriptor.for_connector("filesystem")
        .format("csv")
        .option(LONG, "1")
        .schema(Schema.new_builder().column("a", "INT").build())
        .build(),
    ),
    "format": lambda te: te.create_temporary_table(
        "c",
        TableDescriptor.for_connector("filesystem")
        .format(LONG)
        .option("path", "/x")
        .schema(Schema.new_builder().column("a", "INT").build())
        .build(),
    ),
    "alias": lambda te: te.from_path("t").select(col("k").alias(LONG)).select(col(OTHER)),
    "many_long_names": lambda te: te.from_elements([tuple(range(30))], [f"{LONG}{i}" for i in range(30)]).select(
        col("c")
    ),
    "many_columns": lambda te: te.from_elements([tuple(range(10_000))], [f"c{i}" for i in range(10_000)]).select(
        col("d")
    ),
}
SQL = {
    "column": f"SELECT {LONG} FROM t",
    "quoted_column": f"SELECT `{LONG}` FROM t",
    "qualified": f"SELECT t.{LONG} FROM t",
    "qualifier": f"SELECT {LONG}.k FROM t",
    "table": f"SELECT * FROM {LONG}",
    "quoted_table": f"SELECT * FROM `{LONG}`.`{OTHER}`.`c`",
    "function": f"SELECT {LONG}(k) FROM t",
    "path_of_function": f"SELECT a.{LONG}(k) FROM t",
    "table_function": f"SELECT * FROM {LONG}(1)",
    "named_argument": f"SELECT upper({LONG} => s) FROM t",
    "literal": f"SELECT DATE '{LONG}'",
    "number": "SELECT " + "1" * 100_000,
    "cast": f"SELECT CAST(k AS {LONG}) FROM t",
    "types": f"SELECT '{LONG}' + ARRAY('{OTHER}')",
    "syntax": f"SELECT k {LONG} {OTHER} FROM t",
    "syntax_of_string": f"SELECT k '{LONG}' '{OTHER}' , , FROM t",
    "open_quote": f"SELECT '{LONG}",
    "open_back_quote": f"SELECT `{LONG}",
    "open_comment": f"SELECT 1 /* {LONG}",
    "keyword": f"SELEKT {LONG}",
    "statement": LONG,
    "group_by": f"SELECT {LONG}, count(*) FROM t GROUP BY k",
    "not_grouped": f"SELECT v AS {LONG} FROM t GROUP BY k HAVING v = '{LONG}'",
    "order_by": f"SELECT k FROM t ORDER BY {LONG}",
    "using": f"SELECT * FROM t JOIN t AS u USING ({LONG})",
    "window": f"SELECT sum(k) OVER {LONG} FROM t",
    "hint": f"SELECT /*+ {LONG}({LONG}) */ k FROM {OTHER}",
    "with": f"WITH {LONG} AS (SELECT 1 AS a) SELECT b FROM {LONG}",
    "twice": f"WITH {LONG} AS (SELECT 1), {LONG} AS (SELECT 1) SELECT 1",
    "field": f"SELECT named_struct('a', k).{LONG} FROM t",
    "parameter": f"SELECT :{LONG}",
    "lambda": f"SELECT transform(array(1), {LONG} -> {LONG} + {OTHER})",
    "values": f"SELECT * FROM VALUES (1, 2) AS t({LONG})",
    "pivot": f"SELECT * FROM t PIVOT (sum(v) FOR {LONG} IN (1))",
    "star": f"SELECT {LONG}.* FROM t",
    "except": f"SELECT * EXCEPT ({LONG}) FROM t",
    "identifier": f"SELECT IDENTIFIER('{LONG}') FROM t",
    "blanks": "SELECT `" + "word " * 20_000 + "` FROM t",
    "in_the_middle": "SELECT k + " * 1 + "k + " * 1_000 + LONG + " + k" * 1_000 + " FROM t",
}
STATEMENTS = {
    "use": f"USE {LONG}",
    "use_catalog": f"USE CATALOG {LONG}",
    "drop_view": f"DROP VIEW {LONG}",
    "drop_table": f"DROP TABLE {LONG}",
    "drop_function": f"DROP FUNCTION {LONG}",
    "drop_database": f"DROP DATABASE {LONG}",
    "describe": f"DESCRIBE {LONG}",
    "show": f"SHOW {LONG}",
    "show_tables": f"SHOW VIEWS IN {LONG}",
    "alter_view": f"ALTER VIEW {LONG} RENAME TO {OTHER}",
    "create_view": f"CREATE VIEW v ({LONG}) AS SELECT 1 AS a, 2 AS b",
    "create_function": f"CREATE FUNCTION f(x {LONG}) RETURNS INT RETURN x",
    "python_function": f"CREATE TEMPORARY FUNCTION f AS '{LONG}.{OTHER}' LANGUAGE PYTHON",
    "insert": f"INSERT INTO {LONG} SELECT 1 AS a",
    "create_table": f"CREATE TABLE c (a INT) WITH ('connector' = '{LONG}')",
    "explain": f"EXPLAIN SELECT {LONG} FROM t",
}


def _message(work: Callable[[], object]) -> str:
    with pytest.raises((TableException, AttributeError)) as raised:
        work()
    return str(raised.value)


def _check(message: str) -> None:
    assert len(message) < LONGEST, f"{len(message)}: {message[:500]}"
    assert "a" * 300 not in message
    assert "b" * 300 not in message


@pytest.mark.parametrize("name", FLUENT)
def test_a_fluent_call(te: TableEnvironment, name: str) -> None:
    message = _message(lambda: FLUENT[name](te))
    _check(message)
    assert name == "many_columns" or "characters)" in message or "line 1, column" in message, message


@pytest.mark.parametrize("name", SQL)
def test_a_query(te: TableEnvironment, name: str) -> None:
    message = _message(lambda: te.sql_query(SQL[name]))
    _check(message)
    assert "characters)" in message or "line 1, column" in message, message


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement(te: TableEnvironment, name: str) -> None:
    message = _message(lambda: te.execute_sql(STATEMENTS[name]))
    _check(message)
    assert "characters)" in message or "line 1, column" in message, message


def test_the_search_for_near_names_does_not_read_all_letters(te: TableEnvironment) -> None:
    names = [f"{LONG}{i}" for i in range(50)]
    table = te.from_elements([tuple(range(50))], names)
    # Each comparison of two such names by ``difflib`` would take 100,000 steps or more.
    assert calls(lambda: _message(lambda: table.select(col(LONG + "x")))) < 60_000


def test_control_characters_are_escaped(te: TableEnvironment) -> None:
    odd = "x\x1b[2J\x07\u202e\x00"
    for work in (
        lambda: te.from_path("t").select(col(odd)),
        lambda: te.from_path(f"`{odd}`"),
        lambda: te.sql_query(f"SELECT `{odd}` FROM t"),
        lambda: te.sql_query(f"SELECT * FROM `{odd}`"),
        lambda: te.sql_query(f"SELECT '{odd}' '{odd}' , , "),
        lambda: te.sql_query(f"SELECT DATE '{odd}'"),
        lambda: te.use_catalog(odd),
        lambda: getattr(te.from_path("t"), odd),
    ):
        message = _message(work)
        assert message.replace("\n", "").isprintable(), repr(message)


def test_unquoted_text_is_kept() -> None:
    prose = "The table 't' has " + "a column and " * 40 + "it isn't 'x'."
    assert readable(prose) == prose
    assert readable("a" * 200) == "a" * 200
    assert readable("[" + "b" * 300 + "]").endswith("… (302 characters)")


def test_shortened_text_is_not_shortened_again() -> None:
    cut = f"There is no column [{shorten('x' * 100_000)}]."
    assert readable(cut) == cut
