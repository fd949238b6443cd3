from tableapi import DataTypes
from tableapi.expressions import col

result = (
    env.from_elements(
        [
            (
                1,
                b"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@",
                0,
            ),
            (
                2,
                b"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08@\x00\x00\x00\x00\x00\x00\x10@",
                3857,
            ),
            (3, None, None),
        ],
        ["id", "wkb", "srid"],
    )
    .select(col("id"), col("wkb").st_geomfromwkb().alias("shape"))
    .filter(col("id") < 3)
    .select(
        col("id"),
        col("shape").st_srid().alias("before"),
        col("shape").st_setsrid(4326).alias("moved"),
        col("shape").st_setsrid(4326).cast(DataTypes.GEOGRAPHY(4326)).alias("earth"),
        col("shape").st_asbinary("XDR").alias("forwards"),
    )
    .filter(col("id") == 1)
)
