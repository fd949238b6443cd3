from tableapi import DataTypes
from tableapi.expressions import col

result = env.from_elements(
    [
        (1, b"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@", 0),
        (
            2,
            b"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08@\x00\x00\x00\x00\x00\x00\x10@",
            3857,
        ),
        (3, None, None),
    ],
    ["id", "wkb", "srid"],
).select(
    col("id"),
    col("wkb").st_geomfromwkb().alias("plane"),
    col("wkb").st_geomfromwkb(3857).alias("web"),
    col("wkb").st_geomfromwkb(col("srid").cast(DataTypes.INT())).alias("mixed"),
    col("wkb").st_geogfromwkb().alias("earth"),
)
