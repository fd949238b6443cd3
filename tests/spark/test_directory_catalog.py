"""A directory catalog with Spark: its objects, which Spark lacks, are expanded in place of their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tableapi import (
    CatalogDescriptor,
    CatalogException,
    DirectoryCatalog,
    Schema,
    TableDescriptor,
    TableEnvironment,
    TableException,
    TableResult,
    ValidationException,
)
from tableapi.expressions import col, lit


@pytest.fixture
def team(env: TableEnvironment, tmp_path: Path) -> TableEnvironment:
    env.execute_sql(f"CREATE TABLE {env.get_current_database()}.orders (id INT, amount DOUBLE, at TIMESTAMP)")
    env.execute_sql("INSERT INTO orders VALUES (1, 2.5, TIMESTAMP'2024-02-29 23:30:00Z'), (2, 7.5, NULL)")
    env.create_catalog("team", CatalogDescriptor.of("team", {"type": "directory", "path": str(tmp_path / "team")}))
    return env


def found(result: TableResult) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in result.collect()]


def orders(env: TableEnvironment) -> str:
    return f"spark_catalog.{env.get_current_database()}.orders"


def test_views_over_views_over_a_table_of_spark(team: TableEnvironment) -> None:
    source = orders(team)
    team.execute_sql(f"CREATE VIEW team.`default`.big AS SELECT id, amount FROM {source} WHERE amount > 3")
    team.use_catalog("team")
    team.create_view("doubled", team.from_path("big").select(col("id"), (col("amount") * 2).alias("twice")))
    assert found(team.from_path("doubled").execute()) == [(2, 15.0)]
    joined = "SELECT b.id, d.twice FROM big b JOIN doubled d ON b.id = d.id"
    assert found(team.sql_query(joined).execute()) == [(2, 15.0)]
    assert found(team.execute_sql("SELECT * FROM team.`default`.doubled")) == [(2, 15.0)]
    assert [tuple(row) for row in team.from_path("doubled").to_spark().collect()] == [(2, 15.0)]


def test_many_views_over_one_another(team: TableEnvironment) -> None:
    """Views that read another view twice at each level cost only their own texts, without recursion."""
    source = orders(team)
    team.use_catalog("team")
    team.execute_sql(f"CREATE VIEW v0 AS SELECT id FROM {source}")
    folder = team.get_catalog("team").path / "default" / "views"  # type: ignore[attr-defined]  # it is a DirectoryCatalog
    for number in range(1, 25):
        below = f"v{number - 1}"
        text = f"CREATE VIEW v{number} AS SELECT a.id FROM {below} a JOIN {below} b ON a.id = b.id WHERE a.id > 1\n"
        (folder / f"v{number}.sql").write_text(text)
    assert team.from_path("v24").query_operation.schema.names == ("id",)
    assert found(team.from_path("v5").execute()) == [(2,)]


def test_a_table_of_files(team: TableEnvironment, tmp_path: Path) -> None:
    team.use_catalog("team")
    schema = Schema.new_builder().column("n", "INT NOT NULL").column("name", "STRING").column("day", "DATE").build()
    descriptor = (
        TableDescriptor.for_connector("filesystem")
        .schema(schema)
        .option("path", str(tmp_path / "data"))
        .format("csv")
        .option("csv.field-delimiter", ";")
        .partitioned_by("day")
        .comment("it's")
        .build()
    )
    team.create_table("people", descriptor)
    team.execute_sql("INSERT INTO people SELECT 1, 'a;b', DATE'2024-02-29'")
    team.create_view("names", team.from_path("people").select(col("name"), col("day")))
    again = TableEnvironment.create(spark=team.spark)
    again.register_catalog("shared", DirectoryCatalog("shared", tmp_path / "team"))
    rows = again.execute_sql("SELECT name, CAST(day AS STRING) AS day FROM shared.`default`.names")
    assert found(rows) == [("a;b", "2024-02-29")]


def test_create_table_as(team: TableEnvironment, tmp_path: Path) -> None:
    descriptor = TableDescriptor.for_connector("filesystem").option("path", str(tmp_path / "out")).format("parquet")
    team.create_table_as("team.`default`.copied", team.from_path("orders").select(col("id")), descriptor.build())
    assert found(team.from_path("team.`default`.copied").order_by(col("id")).execute()) == [(1,), (2,)]


def test_stored_views_do_not_find_temporary_objects(team: TableEnvironment) -> None:
    team.use_catalog("team")
    team.execute_sql("CREATE VIEW shadow AS SELECT 1 AS a")
    team.execute_sql("CREATE VIEW reader AS SELECT a + 1 AS b FROM shadow")
    team.create_temporary_view("shadow", team.from_elements([(50,)], ["a"]))
    assert found(team.from_path("reader").execute()) == [(2,)]
    assert found(team.execute_sql("SELECT a FROM shadow")) == [(50,)]
    with pytest.raises(ValidationException, match="temporary view 'shadow'"):
        team.create_view("wrong", team.from_path("shadow"))


def test_a_view_that_depends_on_the_time_zone_says_under_which_it_was_stored(
    team: TableEnvironment, tmp_path: Path
) -> None:
    source = orders(team)
    team.get_config().set_local_timezone("Asia/Tokyo")
    team.use_catalog("team")
    team.execute_sql(f"CREATE VIEW days AS SELECT id, CAST(at AS DATE) AS day FROM {source}")
    team.execute_sql(f"CREATE VIEW plain AS SELECT id, at FROM {source}")
    folder = tmp_path / "team" / "default" / "views"
    assert (folder / "days.sql").read_text().startswith("-- SET spark.sql.session.timeZone=Asia/Tokyo;\nCREATE VIEW")
    assert (folder / "plain.sql").read_text().startswith("CREATE VIEW")
    days = team.sql_query("SELECT CAST(day AS STRING) AS day FROM days WHERE id = 1")
    assert found(days.execute()) == [("2024-03-01",)]
    team.get_config().set_local_timezone("UTC")
    with pytest.raises(ValidationException, match=r"stored under the time zone Asia/Tokyo.*has UTC"):
        days.execute()
    assert len(found(team.from_path("plain").execute())) == 2


def test_settings_by_which_a_text_means_something_else_are_refused(team: TableEnvironment, tmp_path: Path) -> None:
    team.use_catalog("team")
    team.execute_sql("CREATE VIEW v AS SELECT 1 AS a")
    path = tmp_path / "team" / "default" / "views" / "v.sql"
    path.write_text("-- SET spark.sql.ansi.enabled=false;\n" + path.read_text())
    with pytest.raises(ValidationException, match=r"ansi\.enabled is false, must be true"):
        team.from_path("v")


def test_a_view_of_spark_cannot_read_what_spark_does_not_have(team: TableEnvironment) -> None:
    team.execute_sql("CREATE VIEW team.`default`.v AS SELECT 1 AS a")
    with pytest.raises(ValidationException, match=r"'team\.default\.v' of the catalog team, which Spark does not have"):
        team.create_view("w", team.from_path("team.`default`.v").select(col("a") + lit(1)))


def test_a_view_that_reads_itself(team: TableEnvironment, tmp_path: Path) -> None:
    team.use_catalog("team")
    team.execute_sql("CREATE VIEW v AS SELECT 1 AS a")
    team.execute_sql("CREATE VIEW w AS SELECT a FROM v")
    with pytest.raises(ValidationException, match="would read itself"):
        team.execute_sql("CREATE OR REPLACE VIEW v AS SELECT a FROM w")
    (tmp_path / "team" / "default" / "views" / "v.sql").write_text("CREATE VIEW v AS SELECT a FROM `default`.w;")
    with pytest.raises(CatalogException, match=r"reads itself: team\.default\.v → team\.default\.w → team\.default\.v"):
        team.from_path("v")


def test_errors_name_the_file_and_the_reading_view(team: TableEnvironment, tmp_path: Path) -> None:
    team.use_catalog("team")
    team.execute_sql("CREATE VIEW v AS SELECT 1 AS a")
    team.execute_sql("CREATE VIEW w AS SELECT a FROM v")
    path = tmp_path / "team" / "default" / "views" / "v.sql"
    path.write_text("CREATE VIEW v AS\nSELECT 1 AS a FRM x;")
    with pytest.raises(
        CatalogException, match=rf"view team.default.w cannot be read(?s:.*)broken in {path}(?s:.*)line 2, column 15"
    ):
        team.from_path("w")
    path.write_text("CREATE VIEW v AS\nSELECT 1 + 'a' || b AS a;")
    with pytest.raises(TableException, match=rf"{path}(?s:.*)line 2, column 19(?s:.*)The view team.default.w reads it"):
        team.from_path("w")


def test_statements_on_a_directory(team: TableEnvironment, tmp_path: Path) -> None:
    team.execute_sql(f"CREATE CATALOG more WITH ('type' = 'directory', 'path' = '{tmp_path / 'more'}')")
    team.execute_sql("CREATE DATABASE more.sales COMMENT 'money'")
    team.execute_sql("USE more.sales")
    team.execute_sql("CREATE VIEW v (a COMMENT 'first') COMMENT 'all' AS SELECT 1 AS x")
    team.execute_sql("ALTER VIEW v SET TBLPROPERTIES ('k' = 'v')")
    team.execute_sql("ALTER VIEW v RENAME TO w")
    assert (tmp_path / "more" / "sales" / "views" / "w.sql").read_text() == (
        "CREATE VIEW w (\n  a COMMENT 'first')\nCOMMENT 'all'\nTBLPROPERTIES (\n  'k' = 'v')\nAS\nSELECT 1 AS a;\n"
    )
    assert team.list_views() == ["w"]
    assert team.list_databases() == ["default", "sales"]
    team.execute_sql("USE more.`default`")
    with pytest.raises(CatalogException, match="not empty"):
        team.execute_sql("DROP DATABASE sales")
    team.execute_sql("DROP DATABASE sales CASCADE")
    team.execute_sql("USE CATALOG spark_catalog")
    team.execute_sql("DROP CATALOG more")
    assert "more" not in team.list_catalogs()
    assert (tmp_path / "more").exists()
