"""The check of pipelines, without Spark: broken ones with their messages, and what is right and not checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tableapi.project.pipelines.check import check_pipeline
from tableapi.project.pipelines.datasets import PipelineCheck
from tableapi.project.project import Project
from tests.pipelines.broken import BROKEN, ORDERS, SPECIFICATION, Broken
from tests.pipelines.flights import write_code, write_flights
from tests.pipelines.frames import MISPLACED, QUERIES
from tests.pipelines.measure import MEASURED, write_broken
from tests.project.projects import write


def _project(folder: Path) -> Project:
    write(folder, "tableapi.toml", '[project]\nname = "p"\n')
    write(folder, "catalog/default/tables/orders.sql", f"{ORDERS};\n")
    return Project.load(folder)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_pipeline_is_reported_with_its_place(broken: Broken, tmp_path: Path) -> None:
    write_broken(tmp_path, broken)
    found = [
        one for one in check_pipeline(tmp_path, _project(tmp_path)).findings if one.is_error and not one.because_of
    ]
    assert [(one.place, broken.message in one.message) for one in found] == [(broken.place, True)], found


def test_spark_refuses_each_broken_pipeline() -> None:
    measured = json.loads(MEASURED.read_text())
    assert measured.keys() == {broken.name for broken in BROKEN}
    assert {name: one["refused_by"] for name, one in measured.items()} == {one.name: one.refused_by for one in BROKEN}
    assert [name for name, one in measured.items() if not one["said"]] == []


RIGHT = {
    "clauses": (
        "CREATE MATERIALIZED VIEW m (day DATE COMMENT 'c', n DECIMAL(20, 2)) USING parquet PARTITIONED BY (day) "
        "COMMENT 'it''s' TBLPROPERTIES ('a' = 'b') AS SELECT SUM(amount) AS n, day FROM orders GROUP BY day"
    ),
    "a temporary view shared": (
        "CREATE MATERIALIZED VIEW m AS SELECT id FROM t;\n"
        "CREATE TEMPORARY VIEW t COMMENT 'c' AS SELECT * FROM orders;\n"
        "CREATE VIEW v (id COMMENT 'c') AS SELECT * FROM m WHERE id IN (SELECT id FROM default.m)"
    ),
    "a name of WITH": "CREATE MATERIALIZED VIEW m AS WITH orders AS (SELECT 1 AS x) SELECT x FROM orders",
    "a temporary view that hides a table": (
        "CREATE MATERIALIZED VIEW m AS SELECT x FROM orders;\nCREATE TEMPORARY VIEW orders AS SELECT 1 AS x;\n"
        "CREATE MATERIALIZED VIEW n AS SELECT id FROM default.orders"
    ),
    "PIVOT": (
        "CREATE MATERIALIZED VIEW m AS SELECT * FROM (SELECT id, day FROM orders) PIVOT (COUNT(id) FOR day IN "
        "(DATE '2020-01-01' AS first))"
    ),
    "streams": (
        "CREATE STREAMING TABLE s AS SELECT id FROM STREAM orders;\nCREATE STREAMING TABLE r;\n"
        "CREATE FLOW f COMMENT 'c' AS INSERT INTO r BY NAME SELECT o.id FROM STREAM(orders) AS o JOIN orders AS p ON "
        "o.id = p.id;\nCREATE FLOW g AS INSERT INTO r BY NAME SELECT id, amount FROM STREAM s JOIN orders USING (id);\n"
        "CREATE MATERIALIZED VIEW m AS SELECT COUNT(id) AS n, SUM(amount) AS a FROM r"
    ),
    "statements that set": (
        "SET spark.sql.shuffle.partitions = 2;\nSET TIME ZONE 'UTC';\nUSE SCHEMA other;\n"
        "CREATE MATERIALIZED VIEW m AS SELECT id FROM default.orders;\nCREATE MATERIALIZED VIEW n AS SELECT id FROM m"
    ),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_what_is_right_is_checked(text: str, tmp_path: Path) -> None:
    write(tmp_path, "spark-pipeline.yml", SPECIFICATION)
    write(tmp_path, "transformations/a.sql", text)
    found = check_pipeline(tmp_path, _project(tmp_path))
    assert (found.findings, found.unchecked) == ((), [])
    assert all(dataset.schema is not None for dataset in found.datasets)


def test_columns_of_streams_are_typed(tmp_path: Path) -> None:
    write(tmp_path, "spark-pipeline.yml", SPECIFICATION)
    write(tmp_path, "transformations/a.sql", RIGHT["streams"])
    found = {one.name: one.schema for one in check_pipeline(tmp_path, _project(tmp_path)).datasets}
    assert found["default.r"] is not None
    assert found["default.m"] is not None
    assert found["default.r"].names == ("id", "amount")
    assert [column.data_type.as_summary_string() for column in found["default.m"].columns] == [
        "BIGINT NOT NULL",
        "DECIMAL(20, 2)",
    ]


def _check_python(folder: Path, query: str) -> PipelineCheck:
    """Check a pipeline with a dataset in Python whose query calls functions of a project."""
    write_flights(folder)
    write_code(folder, folder / "output")
    write(folder, "pipeline/spark-pipeline.yml", f"{SPECIFICATION}database: air\n")
    head = 'project = PipelineProject(spark, \'..\')\n@dp.materialized_view\ndef a():\n    return project.query("""\n'
    write(folder, "pipeline/transformations/a.py", f'{head}{query}\n""")\n')
    return check_pipeline(folder / "pipeline", Project.load(folder))


@pytest.mark.parametrize(("text", "message"), MISPLACED.items())
def test_a_call_that_no_pipeline_can_make_is_found_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    before, after = text.split("«")
    line, column = before.count("\n") + 5, len(before) - before.rfind("\n")
    (found,) = _check_python(tmp_path, before + after).findings
    assert (found.place, found.message) == (f"transformations/a.py:{line}:{column}", message)


@pytest.mark.parametrize("text", QUERIES.values(), ids=QUERIES)
def test_a_call_that_a_pipeline_can_make_is_checked(text: str, tmp_path: Path) -> None:
    found = _check_python(tmp_path, text)
    assert (found.findings, found.unchecked) == ((), [])


UNCHECKED = {
    "a table that no project has": ("CREATE VIEW v AS SELECT x FROM far", "It reads default.far, which the pipeline"),
    "a function that no project has": ("CREATE VIEW v AS SELECT f(1) AS x", "A function of the catalog may have"),
    "a table of another catalog": ("CREATE VIEW v AS SELECT x FROM far.away.t", "There is no catalog named 'far'"),
    "a dataset in another catalog": (
        "CREATE MATERIALIZED VIEW far.away.t AS SELECT 1 AS x;\nCREATE VIEW v AS SELECT x FROM far.away.t",
        "a check knows spark_catalog alone",
    ),
    "files": ("CREATE VIEW v AS SELECT x FROM parquet.`/data`", "It reads the files parquet.`/data`"),
    "a dataset that is not checked": (
        "CREATE VIEW v AS SELECT x FROM w;\nCREATE VIEW w AS SELECT x FROM far",
        "It reads default.w, which is not checked",
    ),
    "what AUTO CDC reads": (
        "CREATE VIEW v AS SELECT id FROM s;\nCREATE STREAMING TABLE s "
        "FLOW AUTO CDC FROM STREAM(far) KEYS (id) SEQUENCE BY id STORED AS SCD TYPE 2",
        "It reads default.s, which is not checked",
    ),
}


@pytest.mark.parametrize(("text", "why"), UNCHECKED.values(), ids=UNCHECKED)
def test_what_cannot_be_checked_is_named_and_no_error(text: str, why: str, tmp_path: Path) -> None:
    write(tmp_path, "spark-pipeline.yml", SPECIFICATION)
    write(tmp_path, "transformations/a.sql", text)
    found = check_pipeline(tmp_path)
    assert found.findings == ()
    assert why in found.unchecked[0].why_unknown


CHANGES = {
    "SEQUENCE BY id": "ROW<id INT, day DATE, __spark_autocdc_metadata ROW<deleteSequence INT, upsertSequence INT>>",
    "SEQUENCE BY day COLUMNS * EXCEPT (day)": "ROW<id INT, __spark_autocdc_metadata ROW<deleteSequence DATE, "
    "upsertSequence DATE>>",
    "SEQUENCE BY id COLUMNS (ID) STORED AS SCD TYPE 1": "ROW<id INT, __spark_autocdc_metadata "
    "ROW<deleteSequence INT, upsertSequence INT>>",
    "SEQUENCE BY STRUCT(day, id) STORED AS SCD TYPE 2": "ROW<id INT, day DATE, __START_AT "
    "ROW<day DATE, id INT>, __END_AT ROW<day DATE, id INT>, __spark_autocdc_metadata "
    "ROW<__RECORD_START_AT ROW<day DATE, id INT>>>",
}


@pytest.mark.parametrize(("clauses", "row"), CHANGES.items(), ids=CHANGES)
def test_the_columns_that_auto_cdc_makes(clauses: str, row: str, tmp_path: Path) -> None:
    # The message about the cast has the types of all columns.
    write(tmp_path, "spark-pipeline.yml", SPECIFICATION)
    write(
        tmp_path,
        "transformations/a.sql",
        "CREATE MATERIALIZED VIEW a AS SELECT 1 AS id, DATE '2026-01-01' AS day;\n"
        f"CREATE STREAMING TABLE s FLOW AUTO CDC FROM STREAM a KEYS (id) {clauses};\n"
        "CREATE MATERIALIZED VIEW v AS SELECT CAST(STRUCT(*) AS INT) AS x FROM s",
    )
    (found,) = check_pipeline(tmp_path).findings
    assert row in found.message.replace(" NOT NULL", "").replace("`", "")


def test_datasets_in_python_are_known_by_name(tmp_path: Path) -> None:
    write(tmp_path, "spark-pipeline.yml", SPECIFICATION)
    write(
        tmp_path,
        "transformations/a.py",
        "from pyspark import pipelines as dp\n\n\n@dp.materialized_view(name='sales.a')\ndef f():\n"
        "    return spark.range(3).groupBy('id').count()\n\n\ndp.create_streaming_table('s')\n",
    )
    write(
        tmp_path,
        "transformations/b.sql",
        "CREATE VIEW v AS SELECT x FROM sales.a;\n"
        "CREATE FLOW g AS INSERT INTO s BY NAME SELECT 1 AS x FROM STREAM s;\n",
    )
    found = check_pipeline(tmp_path, _project(tmp_path))
    assert found.findings == ()
    assert {one.name: one.why_unknown[:30] for one in found.unchecked} == {
        "sales.a": "It is defined in Python, which",
        "default.s": "It is defined in Python, which",
        "default.v": "It reads sales.a, which is not",
        "g": "It reads default.s, which is n",
    }


def test_a_reader_names_the_dataset_that_is_wrong(tmp_path: Path) -> None:
    write(tmp_path, "spark-pipeline.yml", SPECIFICATION)
    write(
        tmp_path,
        "transformations/a.sql",
        "CREATE VIEW v AS SELECT x FROM w;\nCREATE VIEW w AS SELECT nope FROM orders;\n",
    )
    found = check_pipeline(tmp_path, _project(tmp_path)).findings
    assert [(one.subject, one.because_of) for one in found] == [("default.v", "default.w"), ("default.w", "")]


@pytest.mark.parametrize("is_cycle", [False, True])
def test_a_long_chain_of_datasets(is_cycle: bool, tmp_path: Path) -> None:
    write(tmp_path, "spark-pipeline.yml", SPECIFICATION)
    chain = [f"CREATE VIEW v{number} AS SELECT x FROM v{number + 1};\n" for number in range(300)]
    end = f"CREATE VIEW v300 AS SELECT {'x FROM v0' if is_cycle else '1 AS x'};\n"
    write(tmp_path, "transformations/a.sql", "".join([*chain, end]))
    causes = [one.message for one in check_pipeline(tmp_path).findings if not one.because_of]
    assert bool(causes) == is_cycle
    assert all(" is in a cycle of many datasets" in message for message in causes)
