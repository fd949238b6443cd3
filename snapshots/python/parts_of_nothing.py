from tableapi.expressions import lit

result = (
    env.from_path("nothing")
    .select(lit("{}").json_value("$.a").alias("v"), lit("{}").parse_json().to_json().alias("j"))
    .distinct()
)
