from tableapi.expressions import col

result = env.from_path("events").select(
    col("v").corr(col("e")).alias("corr"),
    col("v").covar_pop(col("e")).alias("population"),
    col("v").covar_samp(col("e")).alias("sample"),
    col("v").regr_count(col("e")).alias("n"),
    col("v").regr_avgx(col("e")).alias("mean"),
    col("v").regr_slope(col("e")).alias("slope"),
    col("v").regr_intercept(col("e")).alias("intercept"),
    col("v").skewness.alias("skew"),
)
