"""Geometries on Spark: fetched, passed to functions, stored, and in reference systems that PySpark lacks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ir.reference_systems import is_geographic, is_known
from tableapi import (
    DataTypes,
    Geography,
    Geometry,
    Table,
    TableDescriptor,
    TableEnvironment,
    TableException,
    ValidationException,
    udf,
)
from tableapi.expressions import col, lit, null_of

POINT = bytes.fromhex("0101000000000000000000f03f0000000000000040")
# North America, whose name in Spark has no number, and a national grid.
AMERICA, GRID = 4269, 2000


@pytest.fixture
def classic(spark: SparkSession) -> TableEnvironment:
    return TableEnvironment.create(spark=spark.newSession())


def places(env: TableEnvironment) -> Table:
    return env.from_elements([(1, Geometry(POINT)), (2, None)], ["id", "shape"])


def rows(table: Table) -> list[tuple[object, ...]]:
    return sorted([tuple(row) for row in table.execute().collect()], key=repr)


def test_reference_systems_equal_those_of_spark(spark: SparkSession) -> None:
    jvm = spark._jvm
    assert jvm is not None
    stream = jvm.java.lang.Class.forName("org.apache.spark.sql.types.GeometryType").getResourceAsStream(
        "/org/apache/spark/sql/srs_registry.csv"
    )
    lines = jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8").splitlines()
    listed = [line.split(",") for line in lines if line[:1].isdigit()]
    assert len(listed) > 10_000
    systems = {int(srid): flag == "true" for srid, _, flag in listed} | {0: False}
    for srid in range(-2, max(systems) + 3):
        assert is_known(srid) == (srid in systems), srid
        assert is_geographic(srid) == systems.get(srid, False), srid


def test_shapes_are_fetched(running: TableEnvironment) -> None:
    table = places(running).select(col("id"), col("shape"), col("shape").st_asbinary().st_geogfromwkb().alias("earth"))
    assert rows(table) == [(1, Geometry(POINT), Geography(POINT)), (2, None, None)]


def test_arrow_has_their_parts(running: TableEnvironment) -> None:
    fetched = places(running).order_by(col("id")).to_arrow().column("shape").to_pylist()
    assert fetched == [{"srid": 0, "wkb": POINT}, None]


@pytest.mark.parametrize("srid", [AMERICA, GRID])
def test_systems_that_pyspark_does_not_know_are_fetched(running: TableEnvironment, srid: int) -> None:
    table = places(running).select(
        col("id"), col("shape").st_setsrid(srid).alias("moved"), lit({"k": Geometry(POINT, srid)}).alias("named")
    )
    named = {"k": Geometry(POINT, srid)}
    assert rows(table) == [(1, Geometry(POINT, srid), named), (2, None, named)]


def test_functions_take_and_give_shapes(classic: TableEnvironment) -> None:
    system = udf(lambda shape: None if shape is None else shape.srid, result_type=DataTypes.INT())
    same = udf(lambda shape: shape, result_type=DataTypes.GEOMETRY(0))
    table = places(classic).select(
        system(col("shape").st_setsrid(AMERICA)).alias("system"), same(col("shape")).alias("same")
    )
    assert rows(table) == [(AMERICA, Geometry(POINT)), (None, None)]


def test_functions_give_no_shapes_in_systems_that_pyspark_does_not_know(classic: TableEnvironment) -> None:
    none = udf(lambda shape: None, result_type=DataTypes.GEOMETRY(AMERICA))
    with pytest.raises(ValidationException, match=r"PySpark has no type GEOMETRY\(4269\).* Cast to GEOMETRY\(ANY\)"):
        places(classic).select(none(col("shape"))).execute()


@pytest.mark.parametrize("srid", [0, AMERICA, GRID])
def test_views_of_shapes(classic: TableEnvironment, srid: int) -> None:
    query = places(classic).select(col("id"), col("shape").st_setsrid(srid).alias("moved"))
    classic.create_view("shapes_moved", query)
    try:
        stored = classic.from_path("shapes_moved")
        assert stored.get_resolved_schema().columns[1].data_type is DataTypes.GEOMETRY(srid)
        assert rows(stored) == [(1, Geometry(POINT, srid)), (2, None)]
        assert classic.from_view_definition("shapes_moved").query_operation is query.query_operation
    finally:
        classic.execute_sql("DROP VIEW shapes_moved")


@pytest.fixture
def table_of_files(classic: TableEnvironment) -> Iterator[TableEnvironment]:
    classic.execute_sql("CREATE TABLE shapes_kept (id BIGINT, g GEOMETRY(2000), e GEOGRAPHY(4326)) USING parquet")
    yield classic
    classic.execute_sql("DROP TABLE shapes_kept")


def test_tables_of_shapes(table_of_files: TableEnvironment) -> None:
    env = table_of_files
    earth = col("shape").st_asbinary().st_geogfromwkb()
    places(env).select(col("id").cast(DataTypes.BIGINT()), col("shape").st_setsrid(GRID), earth).execute_insert(
        "shapes_kept"
    )
    assert rows(env.from_path("shapes_kept")) == [(1, Geometry(POINT, GRID), Geography(POINT)), (2, None, None)]
    with pytest.raises(ValidationException, match=r"GEOMETRY\(0\) cannot be stored as `g` GEOMETRY\(2000\)"):
        places(env).select(col("id").cast(DataTypes.BIGINT()), col("shape"), earth).execute_insert("shapes_kept")


@pytest.mark.parametrize("format", ["csv", "json", "orc"])
def test_files_that_hold_no_shapes(classic: TableEnvironment, tmp_path: Path, format: str) -> None:
    sink = TableDescriptor.for_connector("filesystem").option("path", str(tmp_path / "out")).format(format).build()
    with pytest.raises(TableException, match=f"files of the format {format} hold no GEOMETRY values"):
        places(classic).execute_insert(sink)
    assert not (tmp_path / "out").exists()


def test_parquet_holds_no_shapes_of_several_systems(classic: TableEnvironment, tmp_path: Path) -> None:
    sink = TableDescriptor.for_connector("filesystem").option("path", str(tmp_path / "out")).format("parquet").build()
    mixed = places(classic).select(col("shape").cast(DataTypes.GEOMETRY()).alias("shape"))
    with pytest.raises(TableException, match="no GEOMETRY values of several systems of reference"):
        mixed.execute_insert(sink)
    places(classic).execute_insert(sink)
    written = classic.from_spark(classic.spark.read.parquet(str(tmp_path / "out")))
    assert rows(written) == [(1, Geometry(POINT)), (2, None)]


def test_shapes_are_not_cached(classic: TableEnvironment) -> None:
    with pytest.raises(TableException, match=r"cannot be cached for the column `shape` GEOMETRY\(0\)"):
        places(classic).cache()


def test_schemas_of_dataframes(classic: TableEnvironment) -> None:
    frame = classic.spark.sql(
        "SELECT CAST(NULL AS ARRAY<GEOMETRY(2000)>) a, CAST(NULL AS MAP<STRING, GEOGRAPHY(4269)>) b, "
        "CAST(NULL AS STRUCT<x: GEOMETRY(ANY), y: GEOMETRY(102100)>) c, CAST(NULL AS GEOMETRY(4326)) d"
    )
    columns = classic.from_spark(frame).get_resolved_schema().columns
    assert [str(column.data_type) for column in columns] == [
        "ARRAY<GEOMETRY(2000)>",
        "MAP<STRING, GEOGRAPHY(4269)>",
        "ROW<`x` GEOMETRY(ANY), `y` GEOMETRY(102100)>",
        "GEOMETRY(4326)",
    ]


def test_variables_hold_shapes(classic: TableEnvironment) -> None:
    classic.execute_sql(f"DECLARE VARIABLE place GEOMETRY(0) DEFAULT ST_GEOMFROMWKB(X'{POINT.hex()}')")
    assert rows(classic.sql_query("SELECT place, ST_SRID(place) AS s")) == [(Geometry(POINT), 0)]


def test_parameters_are_shapes(classic: TableEnvironment) -> None:
    table = classic.sql_query("SELECT ST_SRID(:g) AS s, :e AS e", {"g": Geometry(POINT, GRID), "e": Geography(POINT)})
    assert rows(table) == [(GRID, Geography(POINT))]


def test_shapes_of_pyspark_are_values(classic: TableEnvironment) -> None:
    from pyspark.sql.types import Geography as SparkGeography
    from pyspark.sql.types import Geometry as SparkGeometry

    given = [(SparkGeometry(POINT, 3857), SparkGeography(POINT, 4326))]
    assert rows(classic.from_elements(given, ["g", "e"])) == [(Geometry(POINT, 3857), Geography(POINT))]


def test_invalid_bytes_are_reported(classic: TableEnvironment) -> None:
    with pytest.raises(TableException, match="WKB_PARSE_ERROR"):
        classic.sql_query("SELECT ST_GEOMFROMWKB(X'01') AS g").execute()


def test_values_that_do_not_fit() -> None:
    with pytest.raises(ValidationException, match=r"The int 1 is not a value of GEOMETRY\(0\): accepted is a Geometry"):
        lit(1, DataTypes.GEOMETRY(0))
    with pytest.raises(ValidationException, match=r"The geometry in the system 3857 is not a value of GEOMETRY\(0\)"):
        lit(Geometry(POINT, 3857), DataTypes.GEOMETRY(0))
    with pytest.raises(ValidationException, match=r"The geometry in the system 0 is not a value of GEOGRAPHY\(ANY\)"):
        lit(Geometry(POINT), DataTypes.GEOGRAPHY())
    with pytest.raises(ValidationException, match=r"GEOGRAPHY\(3857\) is not a type: its system of reference is not"):
        null_of(DataTypes.GEOGRAPHY(3857))
    with pytest.raises(ValidationException, match=r"GEOMETRY\(1\) is not a type: no system of reference has this"):
        lit(Geometry(POINT, 1))
    with pytest.raises(ValidationException, match="well-known binary, as bytes, and not of 'POINT"):
        Geometry("POINT (1 2)")  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match="is a number, such as 4326, and not '4326'"):
        Geography(POINT, "4326")  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match=r"GEOMETRY takes the number of a system .* 'ANY' is none"):
        DataTypes.GEOMETRY("ANY")  # type: ignore[arg-type]
