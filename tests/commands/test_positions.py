"""Mistakes in options, partition keys and clauses of statements have the position of the mistake."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tableapi import TableEnvironment
from tableapi.exceptions import TableException
from tests.commands.page_statements import environment

_FILES = "CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'path' = '/t', 'format' = "
_KAFKA = "CREATE TABLE t (id INT) WITH ('connector' = 'kafka', 'properties.bootstrap.servers' = 'x', 'topic' = 't', "
_MERGE = "MERGE INTO orders t USING updates s ON t.id = s.id WHEN MATCHED "


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    made = environment()
    made.execute_sql("CREATE TABLE logins (id INT, day DATE) USING csv PARTITIONED BY (day) LOCATION '/t'")
    return made


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        (f"{_FILES}'csv', 'csv.field-delimeter' = ';')", "Did you mean 'field-delimiter'?", "'csv.field-delimeter'"),
        (f"{_FILES}'csv', 'csv.haeder' = 'true')", "Did you mean 'header'?", "'csv.haeder'"),
        (f"{_FILES}'csv', 'pth' = '/t')", "Did you mean 'path'?", "'pth'"),
        (f"{_FILES}'cvs')", "Did you mean 'csv'?", "'cvs'"),
        ("CREATE TABLE t (id INT) WITH ('connector' = 'filesystm')", "Did you mean 'filesystem'?", "'filesystm'"),
        ("CREATE TABLE t (id INT) WITH ('conector' = 'jdbc')", "Did you mean 'connector'?", "'conector'"),
        (
            "CREATE TABLE t (id INT) WITH ('connector' = 'jdbc', 'url' = 'jdbc:x:y', 'table-nam' = 't')",
            "Did you mean 'table-name'?",
            "'table-nam'",
        ),
        (f"{_KAFKA}'format' = 'json', 'topik' = 't')", "Did you mean 'topic'?", "'topik'"),
        (f"{_KAFKA}'format' = 'jsno')", "Did you mean 'json'?", "'jsno'"),
        (f"{_KAFKA}'format' = 'csv', 'csv.quote-character' = 'ab')", "takes one character", "'ab'"),
        (f"{_KAFKA}'format' = 'csv', 'scan.startup.mode' = 'lates')", "takes one of", "'lates'"),
        ("CREATE TABLE t (id INT) WITH ('connector' = 'rate', 'rows-per-secnd' = '1')", "Did you mean", "'rows-per-s"),
        (
            "CREATE TABLE t (id INT) USING csv OPTIONS (sep ';', haeder 'true') LOCATION '/t'",
            "Did you mean 'header'?",
            "haeder",
        ),
        (
            "CREATE TABLE t (id INT, day DATE) USING csv PARTITIONED BY (dya) LOCATION '/t'",
            "Did you mean 'day'?",
            "dya",
        ),
        ("INSERT INTO logins PARTITION (dya = DATE '2026-01-01') SELECT 1", "Did you mean 'day'?", "dya"),
        ("INSERT OVERWRITE logins PARTITION (day, land) SELECT 1, 'b', 'c'", "no partition key 'land'", "land"),
    ],
)
def test_a_mistake_in_a_statement_is_marked(te: TableEnvironment, text: str, message: str, at: str) -> None:
    _require_marked(lambda: te.execute_sql(text), message, at)


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("CREATE TABLE spark_catalog.d.t (id INT) USING csv OPTIONS (haeder true)", "Did you mean 'header'?", "haeder"),
        (
            "CREATE TEMPORARY VIEW v USING json OPTIONS (multLine 'a')",
            "Did you mean 'multiLine'?",
            "multLine",
        ),
        (f"{_MERGE}THEN DELETE WHEN MATCHED THEN UPDATE SET *", "clause 1 has no condition", "*"),
        (f"{_MERGE}AND s.id > 1 THEN DELETE WHEN MATCHED AND s.id > 1 THEN DELETE", "the same condition", "s.id >"),
        (f"{_MERGE}AND 1 > 2 THEN DELETE WHEN MATCHED THEN DELETE", "which is FALSE", "1 > 2"),
        (f"{_MERGE}AND s.id > 1 OR TRUE THEN DELETE WHEN MATCHED THEN DELETE", "clause 1 takes its rows", "DELETE"),
        (
            f"{_MERGE}AND s.id > 1 THEN DELETE WHEN MATCHED AND t.id = 2 AND s.id > 1 THEN DELETE",
            "`id` > 1 is TRUE whenever",
            "t.id = 2",
        ),
    ],
)
def test_a_mistake_is_marked_before_anything_runs(te: TableEnvironment, text: str, message: str, at: str) -> None:
    _require_marked(lambda: te.sql_statement(text), message, at)


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        (f"{_FILES}'csv', 'pth' = '/t')", "Did you mean 'path'?", "'pth'"),
        (f"{_FILES}'csv', 'sink.paralelism' = '2')", "Did you mean 'sink.parallelism'?", "'sink.p"),
        (f"{_FILES}'csv', 'csv.field-delimeter' = ';')", "Did you mean 'field-delimiter'?", "'csv.field-delimeter'"),
        (f"{_FILES}'cvs')", "Did you mean 'csv'?", "'cvs'"),
        ("CREATE TABLE t (id INT) WITH ('connector' = 'filesystm')", "Did you mean 'filesystem'?", "'filesystm'"),
        ("CREATE TABLE t (id INT) WITH ('conector' = 'jdbc')", "Did you mean 'connector'?", "'conector'"),
        (
            "CREATE TABLE t (id INT) WITH ('connector' = 'jdbc', 'table-nam' = 't')",
            "Did you mean 'table-name'?",
            "'tab",
        ),
        (f"{_KAFKA}'format' = 'json', 'topik' = 't')", "Did you mean 'topic'?", "'topik'"),
        (f"{_KAFKA}'value.format' = 'jsno')", "Did you mean 'json'?", "'jsno'"),
        (f"{_KAFKA}'value.json.ignore-parse-eror' = 'true')", "Did you mean 'ignore-parse-errors'?", "'value.json"),
    ],
)
def test_a_mistake_in_a_statement_of_flink_is_marked_before_it_is_printed(
    te: TableEnvironment, text: str, message: str, at: str
) -> None:
    _require_marked(lambda: te.sql_statement(text, dialect="FLINK"), message, at)


def test_options_that_only_flink_has_are_accepted(te: TableEnvironment) -> None:
    # Each is one edit away from the name of a connector, or is an option of a newer Flink or of a custom connector.
    for options in (
        "'connector' = 'acme'",
        "'connector' = 'acme', 'pth' = '/t'",
        "'connector' = 'filesystem', 'path' = '/t', 'format' = 'csv', 'sink.parallelism' = '4'",
        "'connector' = 'kafka', 'topic' = 't', 'format' = 'json', 'properties.topics' = 'x', 'scan.parallelism' = '1'",
    ):
        text = te.sql_statement(f"CREATE TABLE t (id INT) WITH ({options})", dialect="FLINK")
        assert "'connector'" in text.as_serializable_string("FLINK")


def test_an_unknown_format_is_marked_where_all_formats_are_known(te: TableEnvironment) -> None:
    text = "CREATE TABLE memory.default_database.t (id INT) USING cvs LOCATION '/t'"
    _require_marked(lambda: te.execute_sql(text), "Did you mean 'csv'?", "cvs")
    _require_marked(lambda: te.sql_statement(text), "Did you mean 'csv'?", "cvs")
    # A catalog of Spark may have a data source of any name.
    te.sql_statement("CREATE TABLE spark_catalog.default.t (id INT) USING cvs")


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("CREATE TABLE t (a INT, A STRING) USING csv LOCATION '/t'", "has the column 'A' twice", "A STRING"),
        ("CREATE TABLE t (id INT, PRIMARY KEY (idd)) USING delta", "Did you mean 'id'?", "idd)"),
        ("CREATE TABLE t (a INT, d DATE) USING csv PARTITIONED BY (monts(d))", "Did you mean 'months'?", "monts"),
        ("CREATE TABLE t (a INT) USING delta PARTITIONED BY (bucket(a, 16))", "bucket(16, a)", "16"),
        ("CREATE TABLE t (a INT) USING csv CLUSTERED BY (a) INTO 0 BUCKETS", "is at least 1", "0 BUCKETS"),
        ("CREATE OR REPLACE TABLE IF NOT EXISTS t (a INT) USING csv", "OR REPLACE or IF NOT EXISTS", "CREATE"),
        ("ALTER TABLE logins ADD COLUMN x INT AFTER idd", "Did you mean 'id'?", "idd"),
        ("ALTER TABLE logins RENAME COLUMN id TO day", "has a column day already", "day"),
        ("ALTER TABLE logins ALTER COLUMN id INT", "ALTER COLUMN id TYPE", "id INT"),
        ("INSERT INTO logis VALUES (1, NULL)", "Did you mean 'logins'?", "logis"),
        ("INSERT INTO logins VALUES (1)", "it has 1 columns where the table has 2", "VALUES"),
        ("INSERT INTO logins (id, dya) VALUES (1, NULL)", "Did you mean 'day'?", "dya"),
        ("INSERT INTO logins (id, ID) VALUES (1, 2)", "names 'id' twice", "ID)"),
        ("INSERT logins VALUES (1, NULL)", "Is INTO missing before 'logins'?", "logins"),
        ("DELETE logins WHERE id = 1", "Is FROM missing before 'logins'?", "logins"),
        ("DELETE * FROM logins", "Write DELETE FROM t", "DELETE *"),
        ("DELETE FROM logins USING orders WHERE logins.id = orders.id", "Write MERGE INTO", "USING"),
        ("UPDATE logins id = 1", "Is SET missing before 'id'?", "id = 1"),
        ("UPDATE logins SET id = o.id FROM orders o", "Write MERGE INTO", "FROM"),
        ("UPDATE logins SET (id) = (1)", "Assign each column", "SET ("),
        ("INSERT INTO logins VALUES (1, NULL) ON CONFLICT DO NOTHING", "Write MERGE INTO", "ON CONFLICT"),
        ("INSERT OVERWRITE DIRECTORY '/t' USING csv OPTIONS (haeder true) SELECT 1 AS a", "mean 'header'?", "haeder"),
        ("CREATE TABLE t (a INT) SKEWED BY (a) ON (1) STORED AS ORC", "creates no skewed tables", "SKEWED"),
        ("CREAT TABLE t (a INT) USING csv", "Did you mean CREATE instead of CREAT?", "CREAT"),
        ("CREATE TABLE t (a INT AUTO_INCREMENT) USING delta", "GENERATED ALWAYS AS IDENTITY", "AUTO_INCREMENT"),
        ("CREATE TABLE t (a INT, INDEX (a)) USING delta", "tables have no indexes", "INDEX ("),
    ],
)
def test_execution_marks_what_reading_marks(te: TableEnvironment, text: str, message: str, at: str) -> None:
    _require_marked(lambda: te.sql_statement(text), message, at)
    _require_marked(lambda: te.execute_sql(text), message, at)


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("CREATE TABLE logins (a INT) USING csv LOCATION '/t'", "Write IF NOT EXISTS to keep it", "logins"),
        ("CREATE TABLE salse.t (a INT) USING csv LOCATION '/t'", "Did you mean 'sales'?", "salse"),
        (
            "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = '/t')",
            "the option 'format' is one",
            "'fi",
        ),
        ("CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'format' = 'csv')", "no option 'path'", "'filesyst"),
        ("CREATE TABLE t (a INT) WITH ('connector' = 'jdbc', 'url' = 'postgresql://h/d')", "'jdbc:…'", "'postgresql"),
        ("CREATE TABLE t (a INT) LIKE logins (INCLUDING OPTINS)", "Did you mean 'OPTIONS'?", "OPTINS"),
        (
            "CREATE TABLE t (a TIMESTAMP(3), WATERMARK FOR a AS b) WITH ('connector' = 'filesystem', 'path' = '/t', "
            "'format' = 'csv')",
            "Cannot resolve field [b]",
            "b) WITH",
        ),
        ("CREATE TABLE t (a INT) WITH ('path' = '/t') LIKE logis", "Did you mean 'logins'?", "logis"),
        (
            "CREATE TABLE t (a INT, d DATE) USING csv PARTITIONED BY (a, d) LOCATION '/t'",
            "at least one must be",
            "t (a",
        ),
        ("DROP TABLE logis", "Did you mean 'logins'?", "logis"),
        ("DROP VIEW logins", "is a table; use DROP TABLE", "logins"),
    ],
)
def test_a_name_that_the_catalog_refuses_is_marked(te: TableEnvironment, text: str, message: str, at: str) -> None:
    _require_marked(lambda: te.execute_sql(text), message, at)


def test_a_name_with_a_word_of_spark_is_a_name(te: TableEnvironment) -> None:
    te.execute_sql("CREATE CATALOG stored WITH ('type' = 'generic_in_memory', 'default-database' = 'default')")
    te.execute_sql("CREATE TABLE stored.default.t (a INT) USING csv LOCATION '/t'")
    assert te.from_path("stored.default.t").get_schema().get_field_names() == ["a"]


def test_clauses_that_may_act_are_accepted(te: TableEnvironment) -> None:
    for first, second in (
        ("s.id > 1 AND t.id > 2", "s.id > 1"),
        ("s.id > 1", "s.id > 1 OR t.id > 2"),
        ("s.id > 1 OR t.id > 2", "t.id > 3 OR s.id > 1"),
        ("t.customer = 'a'", "t.customer <> 'a'"),
    ):
        te.sql_statement(f"{_MERGE}AND ({first}) THEN DELETE WHEN MATCHED AND ({second}) THEN UPDATE SET *")
    te.sql_statement(f"{_MERGE}THEN DELETE WHEN NOT MATCHED THEN INSERT *")


def _require_marked(run: Callable[[], object], message: str, at: str) -> None:
    """Check that an error has the message, and its caret under the beginning of ``at``."""
    with pytest.raises(TableException, match=re.escape(message)) as raised:
        run()
    shown, carets = str(raised.value).splitlines()[-2:]
    assert shown[carets.index("^") :].startswith(at), str(raised.value)
