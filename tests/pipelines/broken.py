"""Broken pipelines, each with the message of a check. ``measured.json`` has what Spark says about each.

``python -m tests.pipelines.measure`` measures again, with one Spark.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

SPECIFICATION: Final = """\
name: broken
storage: file://FOLDER/storage
libraries:
  - glob:
      include: transformations/**
"""
A: Final = "CREATE MATERIALIZED VIEW a AS SELECT id FROM RANGE(3);\n"
S: Final = f"{A}CREATE STREAMING TABLE s;\n"
ORDERS: Final = "CREATE TABLE orders (id BIGINT, amount DECIMAL(10, 2), day DATE)"
HEAD: Final = "from pyspark import pipelines as dp\n"
BODY: Final = f"{HEAD}@dp.materialized_view\ndef a():\n    df = spark.range(3)\n"


@attrs.frozen
class Broken:
    """A broken pipeline.

    Attributes:
        name: what is wrong with it.
        message: a part of the message of a check.
        place: the file, line and column of the message.
        files: the files; the specification above is added if they have none.
        refused_by: what of Spark refuses it: ``dry-run``, or only a ``run``.
    """

    name: str
    message: str
    place: str
    files: Mapping[str, str]
    refused_by: str = "dry-run"


def _sql(name: str, message: str, text: str, refused_by: str = "dry-run") -> Broken:
    """Return a pipeline of one SQL file, in which the sign « is before the place of the message."""
    before, _, after = text.rpartition("«")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    place = f"transformations/a.sql:{line}:{column}"
    return Broken(name, message, place, {"transformations/a.sql": before + after}, refused_by)


def _python(name: str, message: str, line: int, column: int | None, text: str, refused_by: str = "dry-run") -> Broken:
    place = f"transformations/a.py:{line}" + ("" if column is None else f":{column}")
    return Broken(name, message, place, {"transformations/a.py": text}, refused_by)


def _yml(name: str, message: str, line: int, text: str, refused_by: str = "dry-run") -> Broken:
    files = {"spark-pipeline.yml": text, "transformations/a.sql": A}
    return Broken(name, message, f"spark-pipeline.yml:{line}", files, refused_by)


_HEAD = "name: p\nstorage: file://FOLDER/s\n"
_LIBRARIES = "libraries:\n  - glob:\n      include: transformations/**\n"

BROKEN: Final = (
    # --- names ---
    _sql("an unknown table", "Did you mean 'orders'?", "CREATE MATERIALIZED VIEW m AS SELECT * FROM «orderz"),
    _sql("an unknown column", "Cannot resolve field [idd]", f"{A}CREATE MATERIALIZED VIEW m AS SELECT «idd FROM a"),
    _sql(
        "an unknown function",
        "There is no function named 'nosuch'",
        "CREATE VIEW v AS\nSELECT 1 AS x;\nCREATE VIEW w AS SELECT «nosuch(1)",
    ),
    _sql(
        "two datasets of one name",
        "has a materialized view of this name in transformations/a.sql:1",
        f"{A}CREATE MATERIALIZED VIEW «a AS SELECT id FROM RANGE(3)",
    ),
    _sql("a view and a materialized view of one name", "of this name in", f"{A}CREATE VIEW «a AS SELECT 1 AS x"),
    _sql(
        "two temporary views of one name",
        "temporary view of this name",
        f"{A}CREATE TEMPORARY VIEW t AS SELECT 1 AS x;\nCREATE TEMPORARY VIEW «t AS SELECT 1 AS x",
    ),
    _sql(
        "a dataset in another case",
        "The dataset default.a is written as default.A here",
        f"{A}CREATE MATERIALIZED VIEW b AS SELECT * FROM «A",
    ),
    _sql(
        "a temporary view in another case",
        "The dataset t is written as T here",
        f"{A}CREATE TEMPORARY VIEW t AS SELECT 1 AS x;\nCREATE MATERIALIZED VIEW b AS SELECT * FROM «T",
    ),
    _sql(
        "a temporary view with a database",
        "has a name of one part, such as t",
        f"CREATE TEMPORARY VIEW «default.t AS SELECT 1 AS x;\n{A}",
    ),
    _sql("a name of four parts", "up to three parts", "CREATE MATERIALIZED VIEW «a.b.c.m AS SELECT 1 AS y"),
    _sql(
        "names that differ in case",
        "differs only in case from default.a",
        f"{A}CREATE MATERIALIZED VIEW «A AS SELECT 'x' AS y",
        "run",
    ),
    _sql(
        "a name with a blank",
        "is no name for a table or view",
        "CREATE MATERIALIZED VIEW «`a b` AS SELECT 1 AS x",
        "run",
    ),
    # --- types ---
    _sql(
        "types that do not fit",
        "the types of the arguments do not fit together",
        f"{A}CREATE MATERIALIZED VIEW m AS SELECT id «+ DATE'2020-01-01' AS x FROM a",
    ),
    _sql("a wrong query", "Cannot read the SQL", "CREATE MATERIALIZED VIEW m AS «SELEC 1"),
    _sql(
        "a declared type that differs",
        "The column x is declared as STRING, and the query gives INT NOT NULL",
        "CREATE MATERIALIZED VIEW m («x STRING) AS SELECT 1 AS x",
    ),
    _sql(
        "a declared column that the query lacks",
        "which the list of columns does not have",
        "CREATE MATERIALIZED VIEW m («y INT) AS SELECT 1 AS x",
    ),
    _sql(
        "a column that can be NULL",
        "is declared as INT NOT NULL, and the query gives INT",
        "CREATE MATERIALIZED VIEW m («y INT NOT NULL) AS SELECT CAST(NULL AS INT) AS y",
    ),
    _sql(
        "a declared VARCHAR",
        "is declared as VARCHAR(3), and the query gives STRING NOT NULL",
        "CREATE MATERIALIZED VIEW m («x VARCHAR(3)) AS SELECT 'a' AS x",
    ),
    _sql(
        "a declared column too many",
        "declares the column y, which the query does not give",
        "CREATE MATERIALIZED VIEW many (x INT, «y INT) AS SELECT 1 AS x",
        "run",
    ),
    _sql(
        "two columns of one name",
        "two columns of the name x",
        "CREATE MATERIALIZED VIEW «twice AS SELECT 1 AS x, 2 AS x",
        "run",
    ),
    _sql(
        "an unknown partition column",
        "The partition column dayy is no column of default.parted. Did you mean 'day'?",
        "CREATE MATERIALIZED VIEW parted PARTITIONED BY («dayy) AS SELECT 1 AS x, 2 AS day",
        "run",
    ),
    _sql(
        "the renamed column of a view",
        "Cannot resolve field [x]",
        f"{A}CREATE VIEW v (x COMMENT 'c') AS SELECT id FROM a;\nCREATE MATERIALIZED VIEW w AS SELECT «x FROM v",
    ),
    # --- cycles ---
    _sql(
        "a cycle",
        "default.m reads itself: default.m → default.n → default.m",
        "CREATE MATERIALIZED VIEW m AS SELECT * FROM n;\nCREATE MATERIALIZED VIEW n AS SELECT * FROM «m",
    ),
    _sql(
        "a dataset that reads itself",
        "default.m reads itself: default.m → default.m",
        "CREATE MATERIALIZED VIEW m AS SELECT * FROM «m",
    ),
    _sql(
        "temporary views that read each other",
        "t reads itself: t → u → t",
        f"{A}CREATE TEMPORARY VIEW t AS SELECT * FROM u;\nCREATE TEMPORARY VIEW u AS SELECT * FROM «t",
    ),
    # --- forbidden statements and clauses ---
    _sql("CREATE TABLE", "A pipeline does not take CREATE TABLE", f"CREATE «TABLE x (id INT);\n{A}"),
    _sql(
        "CREATE FUNCTION",
        "A pipeline does not take CREATE FUNCTION",
        f"CREATE «FUNCTION f() RETURNS INT RETURN 1;\n{A}",
    ),
    _sql("CREATE SCHEMA", "A pipeline does not take CREATE SCHEMA", f"CREATE «SCHEMA x;\n{A}"),
    _sql("DROP", "A pipeline does not take DROP statements", f"«DROP TABLE x;\n{A}"),
    _sql("INSERT", "A pipeline does not take INSERT statements", f"«INSERT INTO orders SELECT * FROM orders;\n{A}"),
    _sql("ALTER", "A pipeline does not take ALTER statements", f"{A}«ALTER TABLE a SET TBLPROPERTIES ('a' = 'b')"),
    _sql("a query", "A pipeline does not take SELECT statements", f"{A}«SELECT 1"),
    _sql("a misspelled kind", "Did you mean 'MATERIALIZED'?", "CREATE «MATERIALISED VIEW m AS SELECT 1 AS x"),
    _sql("USE with a name alone", "it takes USE SCHEMA default", f"USE «default;\n{A}"),
    _sql("SET without a value", "SET key = value", f"«SET spark.sql.ansi.enabled;\n{A}"),
    _sql("CREATE OR REPLACE", "has no OR REPLACE", "CREATE «OR REPLACE MATERIALIZED VIEW a AS SELECT 1 AS x"),
    _sql(
        "CREATE OR REFRESH", "has no OR REFRESH", f"{A}CREATE «OR REFRESH STREAMING TABLE s AS SELECT * FROM STREAM a"
    ),
    _sql("LOCATION", "has no LOCATION", "CREATE MATERIALIZED VIEW m «LOCATION '/x' AS SELECT 1 AS x"),
    _sql("buckets", "has no CLUSTERED", "CREATE MATERIALIZED VIEW m «CLUSTERED BY (x) INTO 4 BUCKETS AS SELECT 1 AS x"),
    _sql(
        "a partition transform",
        "takes names of columns",
        "CREATE MATERIALIZED VIEW m PARTITIONED BY («bucket(4, x)) AS SELECT 1 AS y, 2 AS x",
    ),
    _sql(
        "partitions and clusters",
        "exclude each other",
        "CREATE MATERIALIZED VIEW m PARTITIONED BY (x) CLUSTER BY («x) AS SELECT 1 AS y, 2 AS x",
    ),
    _sql(
        "columns with comments and no types",
        "The column x needs a type",
        "CREATE MATERIALIZED VIEW m («x COMMENT 'c') AS SELECT 1 AS x",
    ),
    _sql(
        "clauses out of order",
        "USING comes before the other clauses",
        "CREATE MATERIALIZED VIEW m COMMENT 'c' «USING parquet AS SELECT 1 AS x",
    ),
    _sql(
        "a reserved property",
        "The property owner is reserved",
        "CREATE MATERIALIZED VIEW m TBLPROPERTIES («'owner' = 'x') AS SELECT 1 AS x",
    ),
    _sql(
        "properties of a temporary view",
        "TBLPROPERTIES is not expected",
        f"{A}CREATE TEMPORARY VIEW t «TBLPROPERTIES ('a' = 'b') AS SELECT 1 AS x",
    ),
    _sql(
        "a persistent view of a temporary one",
        "cannot read the temporary view t",
        f"{A}CREATE TEMPORARY VIEW t AS SELECT * FROM a;\nCREATE VIEW «v AS SELECT * FROM t",
    ),
    Broken(
        "temporary views alone",
        "defines no view, materialized view or streaming table",
        "spark-pipeline.yml:1",
        {"transformations/a.sql": "CREATE TEMPORARY VIEW t AS SELECT 1 AS x"},
    ),
    # --- streams ---
    _sql(
        "a materialized view of a stream",
        "The query of a materialized view reads no stream",
        f"{A}CREATE MATERIALIZED VIEW m AS SELECT * FROM STREAM «a",
    ),
    _sql("a view of a stream", "The query of a view reads no stream", f"{A}CREATE VIEW v AS SELECT * FROM STREAM(«a)"),
    _sql(
        "a streaming table of no stream",
        "The query of a streaming table reads a stream",
        f"{A}CREATE STREAMING TABLE «s AS SELECT * FROM a",
    ),
    _sql(
        "an unknown column of a stream",
        "Cannot resolve field [idd]",
        f"{A}CREATE STREAMING TABLE s AS SELECT «idd FROM STREAM a",
    ),
    _sql(
        "a stream of a view",
        "The view default.v is no stream",
        "CREATE VIEW v AS SELECT 1 AS x;\nCREATE STREAMING TABLE s AS SELECT * FROM STREAM «v",
    ),
    _sql(
        "a streaming view that is read whole",
        "The temporary view t is a stream: read it as STREAM t",
        f"{A}CREATE TEMPORARY VIEW t AS SELECT * FROM STREAM a;\nCREATE MATERIALIZED VIEW «b AS SELECT * FROM t",
    ),
    _sql("a streaming table without a flow", "Nothing writes default.s", f"{A}CREATE STREAMING TABLE «s"),
    _sql(
        "a flow without its table",
        "has no streaming table ss",
        f"{S}CREATE FLOW f AS INSERT INTO «ss BY NAME SELECT * FROM STREAM a",
    ),
    _sql(
        "a flow into a view",
        "A flow writes into a streaming table, and default.v is a view",
        f"{A}CREATE VIEW v AS SELECT id FROM a;\nCREATE FLOW f AS INSERT INTO «v BY NAME SELECT * FROM STREAM a",
    ),
    _sql(
        "a flow without BY NAME",
        "A flow inserts by the names of columns",
        f"{S}CREATE FLOW f AS INSERT INTO s «SELECT * FROM STREAM a",
    ),
    _sql(
        "a flow with a database",
        "A flow has a name of one part",
        f"{S}CREATE FLOW «default.f AS INSERT INTO s BY NAME SELECT * FROM STREAM a",
    ),
    _sql(
        "a flow of no stream",
        "The query of a flow reads a stream",
        f"{S}CREATE FLOW «f AS INSERT INTO s BY NAME SELECT * FROM a",
    ),
    _sql(
        "two flows of one name",
        "has a flow of this name",
        f"{S}CREATE FLOW f AS INSERT INTO s BY NAME SELECT * FROM STREAM a;\n"
        "CREATE FLOW «f AS INSERT INTO s BY NAME SELECT * FROM STREAM a",
    ),
    _sql(
        "a flow with the name of a dataset",
        "has a flow of this name: rename the flow",
        f"{S}CREATE FLOW «a AS INSERT INTO s BY NAME SELECT * FROM STREAM a",
    ),
    _sql(
        "a flow of another type than its table",
        "The column id is declared as STRING, and the query gives BIGINT",
        f"{A}CREATE STREAMING TABLE s (id STRING);\nCREATE FLOW «f AS INSERT INTO s BY NAME SELECT * FROM STREAM a",
    ),
    _sql(
        "AUTO CDC of a table",
        "AUTO CDC reads a stream: FROM STREAM a",
        f"{S}CREATE FLOW f AS AUTO CDC INTO s FROM «a KEYS (id) SEQUENCE BY id",
    ),
    _sql(
        "AUTO CDC without keys",
        "KEYS is expected",
        f"{S}CREATE FLOW f AS AUTO CDC INTO s FROM STREAM a «SEQUENCE BY id",
    ),
    _sql(
        "AUTO CDC with an unknown key",
        "has no column idd. Did you mean 'id'?",
        f"{S}CREATE FLOW f AS AUTO CDC INTO s FROM STREAM a KEYS («idd) SEQUENCE BY id",
    ),
    _sql(
        "AUTO CDC with an unknown sequence",
        "SEQUENCE BY nope: Cannot resolve field [nope]",
        f"{S}CREATE FLOW f AS AUTO CDC INTO s FROM STREAM «a KEYS (id) SEQUENCE BY nope",
    ),
    _sql(
        "AUTO CDC with a list of columns",
        "has the columns of its changes: leave out the list",
        f"{A}CREATE STREAMING TABLE s («id BIGINT) FLOW AUTO CDC FROM STREAM a KEYS (id) SEQUENCE BY id",
    ),
    _sql(
        "AUTO CDC with a key outside of its columns",
        "The key id of AUTO CDC is not among its COLUMNS",
        "CREATE STREAMING TABLE s FLOW AUTO CDC FROM STREAM orders KEYS («id) SEQUENCE BY id COLUMNS (day, amount)",
    ),
    _sql(
        "a column that AUTO CDC does not make",
        "Cannot resolve field [__END_AT]",
        f"{A}CREATE STREAMING TABLE s FLOW AUTO CDC FROM STREAM a KEYS (id) SEQUENCE BY id;\n"
        "CREATE MATERIALIZED VIEW v AS SELECT «__END_AT FROM s",
    ),
    _sql(
        "AUTO CDC beside another flow",
        "has more than one flow",
        f"{S}CREATE FLOW f AS AUTO CDC INTO s FROM STREAM a KEYS (id) SEQUENCE BY id;\n"
        "CREATE FLOW «g AS AUTO CDC INTO s FROM STREAM a KEYS (id) SEQUENCE BY id",
    ),
    # --- Python ---
    _python("a schema in a query function", "may not ask for schema", 5, 5, f"{BODY}    df.schema\n    return df\n"),
    _python(
        "columns in a query function", "may not ask for columns", 5, 22, f"{BODY}    return df.select(df.columns)\n"
    ),
    _python("rows in a query function", "may not ask for collect()", 5, 5, f"{BODY}    df.collect()\n    return df\n"),
    _python(
        "a setting of the session",
        "conf.set raises SESSION_MUTATION",
        2,
        1,
        f"{HEAD}spark.conf.set('a', 'b')\n@dp.materialized_view\ndef a():\n    return spark.range(3)\n",
    ),
    _python(
        "a registered function",
        "udf.register raises SESSION_MUTATION",
        2,
        1,
        f"{HEAD}spark.udf.register('f', lambda x: x)\n@dp.materialized_view\ndef a():\n    return spark.range(3)\n",
    ),
    _python(
        "a temporary view of the session",
        "createOrReplaceTempView raises SESSION_MUTATION",
        2,
        1,
        f"{HEAD}spark.range(3).createOrReplaceTempView('q')\n"
        "@dp.materialized_view\ndef a():\n    return spark.range(3)\n",
    ),
    _python(
        "a command",
        "spark.sql takes queries in a pipeline: CREATE",
        2,
        1,
        f"{HEAD}spark.sql('CREATE TABLE zz (id INT)')\n@dp.materialized_view\ndef a():\n    return spark.range(3)\n",
    ),
    _python(
        "an unknown column in a query function",
        "Cannot resolve field [idd]",
        5,
        12,
        f'{HEAD}@dp.materialized_view\ndef a():\n    return spark.sql("""\n    SELECT idd FROM RANGE(3)\n    """)\n',
    ),
    _python(
        "a stream in a materialized view of Python",
        "The query of a materialized view reads no stream",
        7,
        45,
        f"{HEAD}@dp.table(name='s')\ndef s():\n    return spark.sql('SELECT id FROM STREAM t')\n"
        "@dp.materialized_view\ndef a():\n    return spark.sql('SELECT id FROM STREAM s')\n"
        "@dp.materialized_view\ndef t():\n    return spark.sql('SELECT 1 AS id')\n",
    ),
    _python(
        "a sink of a table",
        "The query of a flow reads a stream",
        7,
        None,
        f"{HEAD}@dp.materialized_view\ndef a():\n    return spark.sql('SELECT 1 AS id')\ndp.create_sink('k', 'noop')\n"
        "@dp.append_flow(target='k')\ndef f():\n    return spark.sql('SELECT id FROM a')\n",
        refused_by="run",
    ),
    _python("a module that cannot be read", "The file cannot be read: invalid syntax", 2, 7, f"{HEAD}def a(:\n"),
    # --- the specification ---
    _yml("an unknown key", "The file has no key 'catalogue'", 3, f"{_HEAD}catalogue: x\n{_LIBRARIES}"),
    _yml("no storage", "The key 'storage' is missing", 1, f"name: p\n{_LIBRARIES}"),
    _yml(
        "a relative storage",
        "storage is an absolute path with a URI scheme",
        2,
        f"name: p\nstorage: checkpoints\n{_LIBRARIES}",
    ),
    _yml(
        "a storage without a scheme",
        "storage is an absolute path with a URI scheme",
        2,
        f"name: p\nstorage: /tmp/checkpoints\n{_LIBRARIES}",
    ),
    _yml(
        "a glob that Spark does not take",
        "is no path that Spark takes",
        4,
        f"{_HEAD}libraries:\n  - glob:\n      include: transformations/*.sql\n",
    ),
    _yml(
        "a glob that matches nothing",
        "matches no file",
        4,
        f"{_HEAD}libraries:\n  - glob:\n      include: transformation/**\n",
    ),
    _yml(
        "a folder without **",
        "write transformations/**",
        4,
        f"{_HEAD}libraries:\n  - glob:\n      include: transformations\n",
    ),
    _yml(
        "an absolute path",
        "paths are relative to the folder",
        4,
        f"{_HEAD}libraries:\n  - glob:\n      include: FOLDER/transformations/**\n",
    ),
    _yml("a library that is no glob", "An entry of libraries is", 4, f"{_HEAD}libraries:\n  - transformations/**\n"),
    _yml(
        "a setting that is a number",
        "The value of spark.sql.shuffle.partitions is a text in quotes, such as '4'",
        4,
        f"{_HEAD}configuration:\n  spark.sql.shuffle.partitions: 4\n{_LIBRARIES}",
    ),
    _yml(
        "settings that are a list", "configuration maps keys to texts", 3, f"{_HEAD}configuration:\n  - a\n{_LIBRARIES}"
    ),
    _yml("no YAML", "The file is not valid YAML", 2, "name: [\n"),
    Broken(
        "another file",
        "Spark reads files that end with .sql or .py",
        "transformations/read.me",
        {"transformations/a.sql": A, "transformations/read.me": "x"},
    ),
)
