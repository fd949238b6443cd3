from tableapi import DataTypes, Geometry
from tableapi.expressions import col

selected_rows = env.from_elements(
    [
        (
            3,
            Geometry(
                b"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08@\x00\x00\x00\x00\x00\x00\x10@",
                3857,
            ),
        ),
    ],
    ["id", "shape"],
).add_or_replace_columns(col("id").cast(DataTypes.INT()).alias("id"))
result = env.from_elements(
    [
        (
            1,
            Geometry(
                b"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@",
            ),
        ),
        (2, None),
    ],
    DataTypes.ROW(
        [
            DataTypes.FIELD("id", DataTypes.INT(nullable=False)),
            DataTypes.FIELD("shape", DataTypes.GEOMETRY()),
        ],
    ),
).union_all(selected_rows)
