from tableapi.expressions import array, call, call_sql, col

result = (
    env.from_path("products")
    .group_by(col("tags").alias("t"))
    .select(
        call_sql(
            "TRANSFORM(ARRAYS_ZIP(CONCAT(`t`), ARRAY(1)), `row` -> NAMED_STRUCT('tags', `row`.`0`, '1', `row`.`1`))",
        )
        .at(1)
        .get("tags")
        .alias("tag"),
        call("arrays_zip", array(col("price").max), array(1)).at(1).get("0").alias("price"),
    )
)
