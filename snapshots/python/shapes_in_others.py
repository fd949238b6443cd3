from tableapi import DataTypes
from tableapi.expressions import array, col, lit, map_, row

expression = lit(b"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@")
result = (
    env.from_elements([(1,)], ["id"])
    .select(
        array(expression.st_geomfromwkb(3857)).alias("several"),
        expression.st_geogfromwkb().cast(DataTypes.GEOGRAPHY()).alias("any"),
        map_("here", expression.st_geogfromwkb()).alias("named"),
        row(
            1,
            lit(
                b"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08@\x00\x00\x00\x00\x00\x00\x10@",
            ).st_geomfromwkb(),
        ).alias("row"),
    )
    .add_columns(col("several").at(1).st_srid().alias("system"))
)
