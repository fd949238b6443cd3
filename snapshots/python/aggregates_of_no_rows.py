from tableapi import JsonOnNull
from tableapi.expressions import col, json_array_agg, json_object_agg, mode, percentile_cont

result = env.from_path("nothing").select(
    col("b").list_agg(",").within_group(col("a")).alias("list"),
    percentile_cont(0.5).within_group(col("a")).alias("percentile"),
    mode().within_group(col("a")).alias("mode"),
    (col("a") > 0).count_if.alias("count"),
    (col("a") > 0).bool_and.alias("all"),
    col("a").max_by(col("b")).alias("pick"),
    col("a").collect_set.alias("set"),
    col("a").approx_count_distinct().alias("different"),
    json_array_agg(JsonOnNull.NULL, col("a")).alias("array"),
    json_object_agg(JsonOnNull.NULL, col("b"), col("a")).alias("object"),
    col("a").regr_count(col("a")).alias("pairs"),
)
