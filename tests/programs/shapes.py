"""Programs with geometries: created from well-known binary, moved to another reference system, written as bytes."""

from __future__ import annotations

from tableapi import DataTypes as T
from tableapi import Geography, Geometry, Table
from tableapi.expressions import array, col, lit
from tests.programs.program import program
from tests.programs.tables import Tables

# The points (1, 2) and (3, 4): the byte order, the geometry type, and two numbers.
_POINT = bytes.fromhex("0101000000" + "000000000000f03f" + "0000000000000040")
_OTHER = bytes.fromhex("0101000000" + "0000000000000840" + "0000000000001040")
_POINT_FORWARDS = bytes.fromhex("0000000001" + "3ff0000000000000" + "4000000000000000")


def _places(t: Tables) -> Table:
    return t.env.from_elements([(1, _POINT, 0), (2, _OTHER, 3857), (3, None, None)], ["id", "wkb", "srid"])


program(
    "shapes_of_bytes",
    lambda t: _places(t).select(
        col("id"),
        col("wkb").st_geomfromwkb().alias("plane"),
        col("wkb").st_geomfromwkb(3857).alias("web"),
        col("wkb").st_geomfromwkb(col("srid").cast(T.INT())).alias("mixed"),
        col("wkb").st_geogfromwkb().alias("earth"),
    ),
    rows=[
        (1, Geometry(_POINT), Geometry(_POINT, 3857), Geometry(_POINT), Geography(_POINT)),
        (2, Geometry(_OTHER), Geometry(_OTHER, 3857), Geometry(_OTHER, 3857), Geography(_OTHER)),
        (3, None, None, None, None),
    ],
    no_flink="Flink has no such function",
)
program(
    "systems_of_shapes",
    lambda t: (
        _places(t)
        .select(col("id"), col("wkb").st_geomfromwkb().alias("shape"))
        .where(col("id") < 3)
        .select(
            col("id"),
            col("shape").st_srid().alias("before"),
            col("shape").st_setsrid(4326).alias("moved"),
            col("shape").st_setsrid(4326).cast(T.GEOGRAPHY(4326)).alias("earth"),
            col("shape").st_asbinary("XDR").alias("forwards"),
        )
        .where(col("id") == 1)
    ),
    rows=[(1, 0, Geometry(_POINT, 4326), Geography(_POINT), _POINT_FORWARDS)],
    no_flink="Flink has no such function",
)
program(
    "shapes_in_others",
    lambda t: (
        t.env.from_elements([(1,)], ["id"])
        .select(
            array(lit(Geometry(_POINT, 3857))).alias("several"),
            lit(Geography(_POINT), T.GEOGRAPHY()).alias("any"),
            lit({"here": Geography(_POINT)}).alias("named"),
            lit((1, Geometry(_OTHER))).alias("row"),
        )
        .select(col("several"), col("any"), col("named"), col("row"), col("several").at(1).st_srid().alias("system"))
    ),
    rows=[
        (
            [Geometry(_POINT, 3857)],
            Geography(_POINT),
            {"here": Geography(_POINT)},
            (1, Geometry(_OTHER)),
            3857,
        )
    ],
    no_flink="Flink has no ",
)
program(
    "rows_of_shapes",
    lambda t: t.env.from_elements(
        [(1, Geometry(_POINT)), (2, None)],
        T.ROW([T.FIELD("id", T.INT()), T.FIELD("shape", T.GEOMETRY())]),
    ).union_all(
        t.env.from_elements([(3, Geometry(_OTHER, 3857))], ["id", "shape"]).select(
            col("id").cast(T.INT()).alias("id"), col("shape")
        )
    ),
    rows=[(1, Geometry(_POINT)), (2, None), (3, Geometry(_OTHER, 3857))],
    no_flink="Flink has no ",
)
