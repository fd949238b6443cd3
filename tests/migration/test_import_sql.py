"""The views of SQL files: scripts, files of one query, Flink's dialect, the text of pipelines."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir.identifiers import fold, quote
from ir.rendering import Dialect
from tableapi.migration.records import Form, Outcome
from tableapi.project.project import Project
from tests.migration.imports import (
    TABLES,
    by_name,
    end_at_each_step,
    files_in,
    import_scripts,
    marked,
    outcomes,
    problems_of,
)
from tests.project.projects import write


def _read(folder: Path, name: str) -> str:
    return (folder / name).read_text()


def _schema(folder: Path, name: str) -> list[tuple[str, str]]:
    schema = Project.load(folder).view(name).view.schema
    return [(c.name, c.data_type.as_serializable_string()) for c in schema.columns]


# --- scripts ---------------------------------------------------------------------------------------------------------


def test_views_in_any_order_and_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        "in/a.sql",
        "CREATE VIEW sales.top AS SELECT * FROM sales.middle;\nUSE sales;\nCREATE VIEW e AS TABLE top;",
    )
    write(tmp_path, "in/deep/b.sql", "USE sales;\nCREATE OR REPLACE VIEW middle AS SELECT id FROM orders;")
    write(tmp_path, "in/z.sql", TABLES)
    write(tmp_path, "in/notes.txt", "CREATE VIEW not_read AS SELECT 1 AS a;")
    report = import_scripts(tmp_path / "out", tmp_path / "in")
    assert outcomes(report) == dict.fromkeys(["sales.e", "sales.middle", "sales.top"], "proved")
    assert report.is_proved
    assert report.skipped == ()
    assert report.tables == ("sales.orders",)
    assert problems_of(tmp_path / "out") == []
    assert by_name(report)["sales.e"].origin == f"{tmp_path}/in/a.sql:3"
    assert by_name(report)["sales.middle"].origin == f"{tmp_path}/in/deep/b.sql:2"
    assert by_name(report)["sales.top"].reads == ("sales.middle",)


def test_tables_of_spark_and_of_hive(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "a.sql",
        f"""{TABLES}
CREATE EXTERNAL TABLE clicks (url STRING) PARTITIONED BY (day DATE) STORED AS PARQUET LOCATION 's3://bucket/clicks';
CREATE TABLE copied USING parquet AS SELECT 1 AS a;
CREATE FUNCTION twice(x BIGINT) RETURNS BIGINT RETURN x * 2;
CREATE VIEW joined AS SELECT url, day, twice(id) AS n FROM clicks JOIN orders ON url = customer;
CREATE VIEW of_copied AS SELECT a FROM copied;
""",
    )
    report = import_scripts(tmp_path / "out", script)
    assert outcomes(report) == {"sales.joined": "proved", "sales.of_copied": "text"}
    assert _schema(tmp_path / "out", "sales.joined") == [("url", "STRING"), ("day", "DATE"), ("n", "BIGINT")]
    assert (report.tables, report.functions) == (("sales.clicks", "sales.orders"), ("sales.twice",))
    assert "twice" in _read(tmp_path / "out", "catalog/sales/functions/twice.sql")
    (skipped,) = report.skipped
    assert skipped.startswith(f"{script}:6: CREATE TABLE copied USING parquet AS SELECT 1 AS a: ")


def test_comments_names_and_declarations_stay(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "a.sql",
        f"""{TABLES}
-- Who buys.
-- SET is a word, and no setting here.
CREATE VIEW buyers (id COMMENT 'the order', who COMMENT 'the; buyer') COMMENT 'It''s all.'
TBLPROPERTIES ('team' = 'x') AS
WITH Big AS (SELECT * FROM orders WHERE amount > 100) -- the; big ones
SELECT id, customer /* AS ; */ FROM Big;
""",
    )
    (view,) = import_scripts(tmp_path / "out", script).views
    assert (view.outcome, view.form) == (Outcome.PROVED, Form.AUTHOR)
    text = _read(tmp_path / "out", view.file)
    assert text.startswith("-- Who buys.\n-- SET is a word, and no setting here.\nCREATE VIEW buyers (")
    assert "-- the; big ones" in text
    assert "/* AS ; */" in text
    assert "WITH Big AS" in text
    built = Project.load(tmp_path / "out").view("sales.buyers").view
    assert [(c.name, c.comment) for c in built.schema.columns] == [("id", "the order"), ("who", "the; buyer")]
    assert (built.comment, dict(built.properties)) == ("It's all.", {"team": "x"})


def test_comments_never_become_settings(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "a.sql",
        f"{TABLES}\n-- SET spark.sql.session.timeZone=Asia/Tokyo;\nCREATE VIEW v AS SELECT id FROM orders;",
    )
    (view,) = import_scripts(tmp_path / "out", script).views
    assert view.outcome is Outcome.PROVED
    text = _read(tmp_path / "out", view.file)
    assert "-- SET spark.sql.session.timeZone=Asia/Tokyo" in text
    (built,) = Project.load(tmp_path / "out").views().values()
    assert dict(built.view.settings).get("spark.sql.session.timeZone", "UTC") == "UTC"


def test_use_and_set_hold_from_there_to_the_end_of_the_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        "in/a.sql",
        f"""CREATE VIEW first AS SELECT TIMESTAMP'2024-01-01 00:00:00' AS t;
{TABLES}
SET spark.sql.session.timeZone = Europe/Berlin;
CREATE VIEW zoned AS SELECT id FROM orders WHERE at > TIMESTAMP'2024-01-01 00:00:00';
USE DATABASE finance;
CREATE VIEW far AS SELECT id FROM sales.zoned;
""",
    )
    write(tmp_path, "in/b.sql", "CREATE VIEW second AS SELECT TIMESTAMP'2024-01-01 00:00:00' AS t;")
    report = import_scripts(tmp_path / "out", tmp_path / "in", database="default")
    assert outcomes(report) == dict.fromkeys(
        ["default.first", "default.second", "finance.far", "sales.zoned"], "proved"
    )
    setting = "-- SET spark.sql.session.timeZone=Europe/Berlin;"
    with_zone = [name for name, text in files_in(tmp_path / "out/catalog").items() if setting in text]
    assert with_zone == ["sales/views/zoned.sql"]


def test_other_statements_that_change_what_is_in_force(tmp_path: Path) -> None:
    query = "SELECT CAST(DATE'2024-01-01' AS TIMESTAMP) AS t"
    script = write(
        tmp_path,
        "a.sql",
        f"""USE CATALOG spark_catalog;
USE SCHEMA mart;
SET TIME ZONE 'Asia/Tokyo';
CREATE VIEW a AS {query};
USE other.sales;
RESET spark.sql.session.timeZone;
CREATE VIEW b AS {query};
SET spark.sql.session.timeZone=Asia/Tokyo;
RESET;
CREATE VIEW c AS {query};
SET TIME ZONE LOCAL;
CREATE VIEW elsewhere.mart.d AS {query};
""",
    )
    report = import_scripts(tmp_path / "out", script)
    assert outcomes(report) == dict.fromkeys(["mart.a", "mart.d", "sales.b", "sales.c"], "proved")
    assert report.skipped == (f"{script}:1: USE CATALOG spark_catalog", f"{script}:11: SET TIME ZONE LOCAL")
    notes = {view.name: view.notes for view in report.views if view.notes}
    assert notes == {"mart.d": ("It was in the catalog elsewhere, and is in spark_catalog now.",)}
    zoned = [name for name, text in files_in(tmp_path / "out/catalog").items() if "Asia/Tokyo" in text]
    assert zoned == ["mart/views/a.sql"]


def test_a_default_collation_is_no_part_of_the_query(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "a.sql",
        "CREATE VIEW a DEFAULT COLLATION UNICODE_CI AS SELECT 'x' AS x;\n"
        "CREATE VIEW b DEFAULT COLLATION UTF8_BINARY AS SELECT 'x' AS x;",
    )
    report = import_scripts(tmp_path / "out", script)
    assert outcomes(report) == {"sales.a": "text", "sales.b": "proved"}
    assert report.views[0].reason.startswith("It has DEFAULT COLLATION UNICODE_CI: ")


@pytest.mark.parametrize(
    "text",
    [
        *("CREATE VIEW", "CREATE VIEW AS SELECT 1", "CREATE VIEW ``.v AS SELECT 1", "CREATE VIEW `` AS SELECT 1"),
        *(
            "CREATE STREAMING",
            "CREATE OR REFRESH STREAMING LIVE",
            "CREATE FLOW",
            "USE ``",
            "USE",
            "SET",
            "SET =",
            "RESET x",
        ),
        *(
            "CREATE VIEW v (",
            "CREATE VIEW v AS",
            "CREATE VIEW v AS )(",
            "CREATE",
            "(",
            ")",
            "WITH",
            "\0",
            "\ufeff",
            "€",
            "'",
        ),
    ],
)
def test_no_statement_ends_an_import(tmp_path: Path, text: str) -> None:
    script = write(tmp_path, "a.sql", f"CREATE VIEW good AS SELECT 1 AS a;\n{text}")
    report = import_scripts(tmp_path / "out", script)
    found = outcomes(report)
    assert found.pop("sales.good") == "proved"
    assert set(found.values()) <= {"text"}
    # What is no view is left out by name, if it is anything.
    assert len(found) + len(report.skipped) == (text != "RESET x")
    assert problems_of(tmp_path / "out") == []


def test_a_table_may_be_called_flow(tmp_path: Path) -> None:
    script = write(tmp_path, "a.sql", "CREATE TABLE flow (a INT);\nCREATE VIEW v AS SELECT a FROM flow;")
    assert outcomes(import_scripts(tmp_path / "out", script)) == {"sales.v": "proved"}


def test_names_of_another_database_than_the_current_one(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "a.sql",
        f"{TABLES}CREATE VIEW mart.v AS WITH o AS (SELECT id FROM orders) SELECT id FROM o JOIN orders USING (id);",
    )
    (view,) = import_scripts(tmp_path / "out", script).views
    assert (view.name, view.outcome, view.form) == ("mart.v", Outcome.PROVED, Form.AUTHOR)
    text = _read(tmp_path / "out", view.file)
    assert text.count("sales.orders") == 2
    assert "FROM o\n" in text


def test_files_of_one_query_and_of_several(tmp_path: Path) -> None:
    write(tmp_path, "in/one.sql", "-- Only this.\n(SELECT id FROM two)\n")
    write(tmp_path, "in/two.sql", "USE sales; WITH q AS (SELECT 1 AS id) SELECT * FROM q;")
    write(tmp_path, "in/several.sql", "SELECT 1;\nSELECT 2;")
    write(tmp_path, "in/empty.sql", "-- Nothing.\n")
    report = import_scripts(tmp_path / "out", tmp_path / "in")
    assert outcomes(report) == {"sales.one": "proved", "sales.two": "proved"}
    assert report.skipped == (f"{tmp_path}/in/several.sql:1: SELECT 1", f"{tmp_path}/in/several.sql:2: SELECT 2")
    assert _read(tmp_path / "out", "catalog/sales/views/one.sql").startswith("-- Only this.\nCREATE VIEW one")


def test_statements_that_are_no_views_are_left_out(tmp_path: Path) -> None:
    statements = ["INSERT INTO x VALUES (1)", "GRANT SELECT ON v TO ada", "DROP VIEW IF EXISTS old", "MERGE INTO"]
    script = write(tmp_path, "a.sql", TABLES + ";\n".join([*statements, "CREATE VIEW v AS SELECT id FROM orders"]))
    report = import_scripts(tmp_path / "out", script)
    assert outcomes(report) == {"sales.v": "proved"}
    assert report.skipped == tuple(f"{script}:{number}: {text}" for number, text in enumerate(statements, 4))


def test_the_later_one_of_two_views_counts(tmp_path: Path) -> None:
    write(tmp_path, "in/a.sql", "CREATE VIEW sales.v AS SELECT 1 AS a;\nCREATE VIEW SALES.V AS SELECT 'x' AS b;")
    (view,) = import_scripts(tmp_path / "out", tmp_path / "in").views
    assert view.outcome is Outcome.PROVED
    assert view.notes == (f"{tmp_path}/in/a.sql:1 has a view of this name, too; the later one counts.",)
    assert [name for name, _ in _schema(tmp_path / "out", "sales.v")] == ["b"]


def test_databases_of_any_case_are_one(tmp_path: Path) -> None:
    write(tmp_path, "in/a.sql", TABLES + "CREATE VIEW a AS SELECT id FROM orders;")
    write(
        tmp_path,
        "in/b.sql",
        "USE SALES;\nCREATE VIEW b AS SELECT ID FROM A;\nCREATE VIEW Sales.c AS SELECT id FROM `b`;",
    )
    report = import_scripts(tmp_path / "out", tmp_path / "in")
    assert [view.outcome for view in report.views] == [Outcome.PROVED] * 3
    assert problems_of(tmp_path / "out") == []
    assert len(Project.load(tmp_path / "out").views()) == 3
    assert len(list((tmp_path / "out/catalog").iterdir())) == 1


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" .`'\"/%~"), min_size=1, max_size=8),
        min_size=1,
        max_size=4,
        unique_by=fold,
    ),
    st.booleans(),
)
def test_views_of_any_name_are_proved(names: list[str], is_python: bool) -> None:
    statements, before = [TABLES], "orders"
    for name in names:
        path = quote(name)
        statements.append(f"CREATE VIEW sales.{path} AS SELECT id FROM {before};\n")
        before = path
    with tempfile.TemporaryDirectory() as folder:
        script = write(Path(folder), "a.sql", "".join(statements))
        report = import_scripts(Path(folder) / "out", script, is_python=is_python)
        assert {view.name: view.reason for view in report.views} == {f"sales.{name}": "" for name in names}
        assert report.is_proved
        assert problems_of(Path(folder) / "out") == []
        again = import_scripts(Path(folder) / "out", script, is_python=is_python)
        assert all(view.is_resumed for view in again.views)


# --- other texts -----------------------------------------------------------------------------------------------------


def test_flink_becomes_sql_of_spark(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "job.sql",
        """CREATE TABLE orders (id BIGINT, name STRING, at TIMESTAMP(3))
WITH ('connector' = 'filesystem', 'path' = '/x', 'format' = 'json');
-- The names.
CREATE VIEW names AS SELECT id, CHAR_LENGTH(name) AS n, DATE_FORMAT(at, 'yyyy-MM-dd') AS day
FROM orders WHERE name <> '';
CREATE TEMPORARY VIEW last AS SELECT id FROM names WHERE n > 3;
CREATE VIEW broken AS SELECT id,
  nope FROM orders;
""",
    )
    report = import_scripts(tmp_path / "out", script, dialect=Dialect.FLINK)
    found = by_name(report)
    assert outcomes(report) == {"sales.broken": "text", "sales.last": "proved", "sales.names": "proved"}
    assert {found[name].form for name in ("sales.last", "sales.names")} == {Form.NORMALISED}
    assert found["sales.last"].notes == ("It is a temporary view, and becomes a permanent one.",)
    assert marked(tmp_path / "out", found["sales.broken"]) == "nope FROM orders"
    text = _read(tmp_path / "out", "catalog/sales/views/names.sql")
    assert text.startswith("-- The names.\n")
    assert "DATE_FORMAT" in text.upper()
    # The files are read in Spark's dialect.
    assert problems_of(tmp_path / "out") == []
    assert _schema(tmp_path / "out", "sales.last") == [("id", "BIGINT")]


def test_the_text_of_pipelines(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "pipeline.sql",
        f"""{TABLES}
CREATE OR REFRESH MATERIALIZED VIEW daily (day COMMENT 'when', n)
  USING delta PARTITIONED BY (day, truncate(n)) CLUSTER BY (n) COMMENT 'A day.' AS
SELECT CAST(at AS DATE) AS d, count(*) FROM orders GROUP BY ALL;
CREATE STREAMING TABLE live AS SELECT * FROM STREAM orders;
CREATE FLOW fill AS INSERT INTO live BY NAME SELECT * FROM STREAM(orders);
CREATE TEMPORARY LIVE VIEW t AS SELECT n FROM daily;
CREATE VIEW of_live AS SELECT * FROM live;
""",
    )
    report = import_scripts(tmp_path / "out", script)
    found = by_name(report)
    assert outcomes(report) == {
        "sales.daily": "proved",
        "sales.fill": "text",
        "sales.live": "proved",
        "sales.of_live": "proved",
        "sales.t": "proved",
    }
    (note,) = found["sales.daily"].notes
    for clause in ("USING delta", "PARTITIONED BY (day, truncate(n))", "CLUSTER BY (n)"):
        assert clause in note
    assert found["sales.fill"].reason.startswith("It is a flow, which no file of a project has.")
    assert len(found["sales.t"].notes) == 2
    built = Project.load(tmp_path / "out").view("sales.daily").view
    assert built.comment == "A day."
    assert [(c.name, c.comment) for c in built.schema.columns] == [("day", "when"), ("n", None)]


def test_a_materialized_view_of_spark_stays_one(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "pipeline.sql",
        f"""{TABLES}
-- by day
CREATE OR REFRESH MATERIALIZED VIEW by_day (day DATE COMMENT 'when', n BIGINT)
  USING parquet PARTITIONED BY (day) COMMENT 'A day.' TBLPROPERTIES ('a' = 'b') AS
/* all */ SELECT CAST(at AS DATE) AS day, count(*) AS n FROM orders GROUP BY ALL;
CREATE MATERIALIZED
VIEW plain AS SELECT day FROM by_day;
CREATE VIEW top AS SELECT * FROM by_day WHERE n > 3;
CREATE MATERIALIZED VIEW of_stream AS
SELECT * FROM STREAM(orders);
CREATE MATERIALIZED VIEW placed LOCATION 'x' AS SELECT 1 AS a;
CREATE MATERIALIZED VIEW wrong AS SELECT
  nope FROM orders;
""",
    )
    folder = tmp_path / "out"
    found = by_name(import_scripts(folder, script))
    assert {name for name, view in found.items() if view.outcome.value == "proved"} == {
        "sales.by_day",
        "sales.plain",
        "sales.top",
    }
    assert found["sales.by_day"].file == "catalog/sales/materialized_views/by_day.sql"
    assert (
        (folder / found["sales.by_day"].file).read_text()
        == """\
-- by day
CREATE MATERIALIZED VIEW by_day (
  day DATE COMMENT 'when',
  n BIGINT)
USING parquet
PARTITIONED BY (day)
COMMENT 'A day.'
TBLPROPERTIES (
  'a' = 'b')
AS
/* all */ SELECT CAST(at AS DATE) AS day, count(*) AS n
FROM orders
GROUP BY ALL;
"""
    )
    kinds = {view.name: view.kind.value for view in Project.load(folder).views().values()}
    assert kinds == {"sales.by_day": "materialized view", "sales.plain": "materialized view", "sales.top": "view"}
    assert marked(folder, found["sales.of_stream"]) == "orders)"
    assert "LOCATION" in found["sales.placed"].reason
    assert marked(folder, found["sales.wrong"]) == "nope FROM orders"
    report = import_scripts(tmp_path / "python", script, is_python=True)
    assert by_name(report)["sales.by_day"].file == "catalog/sales/materialized_views/by_day.sql"
    assert by_name(report)["sales.top"].file == "views/sales.py"
    assert by_name(report)["sales.top"].outcome.value == "proved"


def test_a_streaming_table_stays_one(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "pipeline.sql",
        f"""{TABLES}
CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM kept;
CREATE STREAMING TABLE later AS SELECT id FROM STREAM(kept);
-- as they come
CREATE OR REFRESH STREAMING TABLE kept (id BIGINT COMMENT 'of the order', amount INT) PARTITIONED BY (amount) AS
SELECT id, amount FROM STREAM orders WHERE amount > 3;
CREATE STREAMING TABLE filled (id BIGINT);
CREATE STREAMING TABLE changed FLOW AUTO CDC FROM STREAM orders KEYS (id) SEQUENCE BY at;
CREATE STREAMING TABLE wrong AS SELECT
  nope FROM STREAM orders;
""",
    )
    folder = tmp_path / "out"
    for _ in range(2):
        # The second run reads what the first one wrote.
        found = by_name(import_scripts(folder, script))
        assert {name for name, view in found.items() if view.outcome.value == "proved"} == {
            "sales.counted",
            "sales.later",
            "sales.kept",
        }
    assert (folder / "catalog/sales/streaming_tables/kept.sql").read_text() == (
        "-- as they come\nCREATE STREAMING TABLE kept (\n  id BIGINT COMMENT 'of the order',\n  amount INT)\n"
        "PARTITIONED BY (amount)\nAS\nSELECT id, amount\nFROM STREAM orders\nWHERE amount > 3;\n"
    )
    kinds = {view.name: view.kind.value for view in Project.load(folder).views().values()}
    assert kinds == {
        "sales.counted": "materialized view",
        "sales.kept": "streaming table",
        "sales.later": "streaming table",
    }
    assert problems_of(folder) == []
    assert "It has no query: flows of a streaming table" in found["sales.filled"].reason
    assert "It has no query: AUTO CDC of a streaming table" in found["sales.changed"].reason
    assert marked(folder, found["sales.wrong"]) == "nope FROM STREAM orders"


def test_what_is_wrong_as_a_whole_is_at_the_beginning_of_the_statement(tmp_path: Path) -> None:
    script = write(tmp_path, "s.sql", "CREATE VIEW b AS SELECT 1 AS x, 2 AS x;\nCREATE VIEW c (p, q) AS SELECT 1 AS x;")
    found = by_name(import_scripts(tmp_path / "out", script))
    assert "distinct names" in found["sales.b"].reason
    assert found["sales.c"].reason == "The view names p, q, and its query gives x."
    assert marked(tmp_path / "out", found["sales.b"]).startswith("CREATE VIEW b")
    assert marked(tmp_path / "out", found["sales.c"]).startswith("CREATE VIEW c")


def test_a_folder_is_given_relative_to_the_current_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "one.sql", "CREATE VIEW one AS SELECT 1 AS n;")
    monkeypatch.chdir(tmp_path)
    report = import_scripts(Path("out"), Path("one.sql"))
    assert outcomes(report) == {"sales.one": "proved"}
    assert (tmp_path / "out/catalog/sales/views/one.sql").is_file()


# --- projects --------------------------------------------------------------------------------------------------------


def test_the_objects_of_the_project_may_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(folder, "tableapi.toml", '[project]\nname = "own"\ndatabase = "sales"\n')
    table = write(folder, "catalog/sales/tables/orders.sql", "CREATE TABLE orders (id BIGINT, amount INT);\n")
    write(folder, "catalog/sales/views/large.sql", "CREATE VIEW large AS SELECT id FROM orders WHERE amount > 5;\n")
    function = "CREATE FUNCTION twice(x BIGINT) RETURNS BIGINT RETURN x * 2;\n"
    write(folder, "catalog/sales/functions/twice.sql", function)
    before = files_in(folder)
    script = write(
        tmp_path,
        "a.sql",
        "CREATE VIEW a AS SELECT twice(id) AS n FROM large;\nCREATE VIEW orders AS SELECT 1 AS a;\n"
        "CREATE VIEW b AS SELECT id FROM orders",
    )
    report = import_scripts(folder, script)
    found = by_name(report)
    assert found["sales.a"].outcome is Outcome.PROVED
    # The table of the project is left, and so is not replaced by a view of its name.
    assert found["sales.orders"].outcome is Outcome.UNPROVED
    assert report.left == ("catalog/sales/tables/orders.sql",)
    after = files_in(folder)
    assert {name: after[name] for name in before} == before
    assert table.read_text() == "CREATE TABLE orders (id BIGINT, amount INT);\n"


def test_python_of_files(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "a.sql",
        f"{TABLES}CREATE VIEW a AS SELECT id FROM orders;\n-- Of a.\nCREATE VIEW b AS SELECT id + 1 AS n FROM a;",
    )
    report = import_scripts(tmp_path / "out", script, is_python=True)
    assert report.is_proved
    assert {view.form for view in report.views} == {Form.PYTHON}
    assert "return a(te).select(" in _read(tmp_path / "out", "views/sales.py")
    assert problems_of(tmp_path / "out") == []


def test_again_and_after_a_statement_is_gone(tmp_path: Path) -> None:
    write(
        tmp_path,
        "in/a.sql",
        f"{TABLES}CREATE VIEW a AS SELECT id FROM orders;\nCREATE VIEW b AS SELECT nope FROM orders;",
    )
    first = import_scripts(tmp_path / "out", tmp_path / "in")
    before = files_in(tmp_path / "out", but=(".tableapi_import", "import-report.json"))
    second = import_scripts(tmp_path / "out", tmp_path / "in")
    assert [view.is_resumed for view in (*first.views, *second.views)] == [False, False, True, True]
    assert files_in(tmp_path / "out", but=(".tableapi_import", "import-report.json")) == before
    write(tmp_path, "in/a.sql", f"{TABLES}CREATE VIEW b AS SELECT id FROM orders;")
    assert outcomes(import_scripts(tmp_path / "out", tmp_path / "in")) == {"sales.b": "proved"}
    files = files_in(tmp_path / "out")
    assert "catalog/sales/views/a.sql" not in files
    assert "unreadable/sales/b.sql" not in files


@pytest.mark.slow
def test_a_run_that_was_ended_at_any_step_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of an ended run are no part of what the next one reads."""
    write(tmp_path, "in/a.sql", f"{TABLES}CREATE VIEW a AS SELECT id FROM orders;\nCREATE VIEW c AS SELECT x FROM a;")
    write(tmp_path, "in/b.sql", "CREATE VIEW sales.b AS SELECT id FROM sales.a;")
    ended = end_at_each_step(
        tmp_path / "out",
        lambda progress: import_scripts(tmp_path / "out", tmp_path / "in", progress=progress),
        monkeypatch,
    )
    assert ended >= 2 * 3 + 2 * 7


def test_a_view_that_is_gone_is_not_read_any_more(tmp_path: Path) -> None:
    write(tmp_path, "in/a.sql", "CREATE VIEW a AS SELECT 1 AS n;\nCREATE VIEW b AS SELECT n FROM a;")
    assert import_scripts(tmp_path / "out", tmp_path / "in").is_proved
    write(tmp_path, "in/a.sql", "CREATE VIEW b AS SELECT n FROM a;")
    (view,) = import_scripts(tmp_path / "out", tmp_path / "in").views
    assert (view.name, view.outcome) == ("sales.b", Outcome.TEXT)
    assert marked(tmp_path / "out", view) == "a"
