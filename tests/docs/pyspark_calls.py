"""The PySpark calls equivalent to the expressions of the migration page, by expression.

In the calls, ``df``, ``du`` and ``dv`` are the DataFrames of the tables ``t``, ``u`` and ``v`` of the page, ``F`` is
``pyspark.sql.functions``, and ``W`` is the class ``Window``. A call that returns a Column or a Window stands for the
rows that it selects from ``dv``, or for the sums over it.
"""

from __future__ import annotations

DATAFRAME: dict[str, tuple[str, ...]] = {
    't.select(col("a").sum)': ('df.agg(F.sum("a"))',),
    't.join(t.alias("x", "y", "z"), col("a") == col("x"))': (
        'df.alias("l").join(df.alias("r"), F.col("l.a") == F.col("r.a"))',
    ),
    't.select(col("a").percentile_approx(0.5))': ('[tuple(df.approxQuantile("a", [0.5], 0.0))]',),
    "t.process(Lengths)": (
        "lengths(df.asTable())",
        'df.select("b").mapInPandas(lengths_of_frames, "length int")',
        'df.select("b").mapInArrow(lengths_of_batches, "length int")',
    ),
    't.partition_by(col("a")).process(Count)': (
        'df.groupBy("a").applyInPandas(count_of_frame, "a int, n bigint")',
        'df.groupBy("a").applyInArrow(count_of_table, "a int, n bigint")',
    ),
    "t.cache()": ("df.cache()",),
    't.cache("DISK_ONLY")': ("df.persist(StorageLevel.DISK_ONLY)",),
    't.hint("coalesce", 1)': ("df.coalesce(1)",),
    't.select(with_columns(range_("a", "b")))': ('df.select(df.colRegex("`a|b`"))',),
    "list(t.execute().collect())": ("df.collect()",),
    "t.get_resolved_schema().names": ("tuple(df.columns)",),
    'v.select(col("a").corr(col("d")))': ('[(dv.corr("a", "d"),)]',),
    't.select(col("*").count)': ("[(df.count(),)]",),
    'v.select(col("a").covar_samp(col("d")))': ('[(dv.cov("a", "d"),)]',),
    'te.create_temporary_view("recent", t)': (
        'df.createOrReplaceTempView("recent")',
        'df.createTempView("recent")',
        'df.registerTempTable("recent")',
    ),
    "t.join(u)": ("df.crossJoin(du)",),
    't.cube(col("a"), col("b")).select(col("a"), col("b"), col("*").count)': ('df.cube("a", "b").count()',),
    "t.distinct()": ("df.distinct()", "df.dropDuplicates()", "df.drop_duplicates()"),
    't.filter(row_number().over(Over.partition_by(col("a")).order_by(col("ts"))) == 1)': (
        'df.orderBy("ts").coalesce(1).dropDuplicates(["a"])',
    ),
    't.drop_columns(col("a"))': ('df.drop("a")',),
    't.filter(col("a").is_not_null & col("b").is_not_null)': (
        'df.dropna(subset=["a", "b"])',
        'df.na.drop(subset=["a", "b"])',
    ),
    "t.get_resolved_schema()": ("df.schema", "dict(df.dtypes)"),
    "t.minus_all(u)": ("df.exceptAll(du)",),
    't.filter(exists(u.filter(col("ua") == t.outer("a"))))': (
        'df.where(du.where(F.col("ua") == F.col("a").outer()).exists())',
    ),
    't.add_or_replace_columns(col("a").if_null(0).alias("a"))': ('df.fillna(0, ["a"])', 'df.na.fill(0, ["a"])'),
    't.filter(col("a") > 1)': ('df.filter(F.col("a") > 1)', 'df.where(F.col("a") > 1)'),
    't.filter(call_sql("a > 1"))': ('df.filter("a > 1")',),
    "list(t.fetch(1).execute().collect())": ("[df.first()]", "df.head(1)", "df.take(1)"),
    't.group_by(col("a")).select(col("a"), col("b").count)': (
        'df.groupBy("a").agg(F.count("b"))',
        'df.groupby("a").agg(F.count("b"))',
    ),
    't.grouping_sets([col("a"), col("b")], []).select(col("a"), col("b"), col("*").count)': (
        'df.groupingSets([["a", "b"], []], "a", "b").count()',
    ),
    't.hint("broadcast")': ('df.hint("broadcast")', "F.broadcast(df)"),
    "t.select(input_file_name()).distinct()": ("[(file,) for file in spark.read.parquet(files).inputFiles()]",),
    "t.intersect(u)": ("df.intersect(du)",),
    "t.intersect_all(u)": ("df.intersectAll(du)",),
    "not list(t.fetch(1).execute().collect())": ("df.isEmpty()",),
    't.join(u, col("a") == col("ua"))': ("df.join(du, df.a == du.ua)",),
    't.join(u, col("a") == col("ua")).drop_columns(col("ua"))': ('df.join(du.withColumnRenamed("ua", "a"), on="a")',),
    't.left_outer_join(u, col("a") == col("ua"))': ('df.join(du, df.a == du.ua, "left")',),
    't.right_outer_join(u, col("a") == col("ua"))': ('df.join(du, df.a == du.ua, "right")',),
    't.full_outer_join(u, col("a") == col("ua"))': ('df.join(du, df.a == du.ua, "outer")',),
    't.filter(col("a").in_(u.select(col("ua"))))': ('df.join(du, df.a == du.ua, "left_semi")',),
    't.filter(~exists(u.filter(col("ua") == t.outer("a"))))': ('df.join(du, df.a == du.ua, "left_anti")',),
    't.join_lateral(u.filter(col("ua") == t.outer("a")))': (
        'df.lateralJoin(du.where(F.col("ua") == F.col("a").outer()))',
    ),
    "t.limit(10)": ("df.limit(10)",),
    't.unpivot([col("a")], [col("b")], "name", "value")': (
        'df.unpivot(["a"], ["b"], "name", "value")',
        'df.melt(["a"], ["b"], "name", "value")',
    ),
    't.add_or_replace_columns((col("b") == "x").then("y", col("b")).alias("b"))': (
        'df.na.replace("x", "y", ["b"])',
        'df.replace("x", "y", ["b"])',
    ),
    't.order_by(col("ts")).offset(2)': ('df.orderBy("ts").offset(2)',),
    't.order_by(col("a").desc, col("b"))': (
        'df.orderBy(F.col("a").desc(), "b")',
        'df.sort(F.col("a").desc(), "b")',
    ),
    't.hint("repartition", 8, col("a"))': ('df.repartition(8, "a")',),
    't.hint("repartition_by_range", col("a"))': ('df.repartitionByRange("a")',),
    't.rollup(col("a"), col("b")).select(col("a"), col("b"), col("*").count)': ('df.rollup("a", "b").count()',),
    "t.query_operation is u.query_operation": ("df.sameSemantics(du)",),
    "t.sample(0.5, seed=42)": ("df.sample(fraction=0.5, seed=42)",),
    't.filter(col("a") == scalar(u.select(col("ua").max)))': (
        'df.where(F.col("a") == du.select(F.max("ua")).scalar())',
    ),
    't.select(col("a"), (col("a") + 1).alias("n"))': ('df.select("a", (F.col("a") + 1).alias("n"))',),
    't.select(call_sql("a + 1").alias("n"), call_sql("upper(b)"))': ('df.selectExpr("a + 1 AS n", "upper(b)")',),
    't.sort_within_partitions(col("a"))': ('df.sortWithinPartitions("a")',),
    "te.spark": ("df.sparkSession",),
    "t.is_cached": ("df.storageLevel.useMemory or df.storageLevel.useDisk",),
    "t.minus(u)": ("df.subtract(du)",),
    't.order_by(col("ts").desc).fetch(2)': ('df.orderBy("ts").tail(2)[::-1]',),
    't.select(col("a").cast(DataTypes.BIGINT()).alias("a"), col("b"))': (
        'df.to(StructType().add("a", "long").add("b", "string"))',
    ),
    "t.to_arrow()": ("df.toArrow()",),
    't.alias("x", "y", "z")': ('df.toDF("x", "y", "z")',),
    't.select(row(col("a").alias("a"), col("b").alias("b")).to_json())': (
        '[(line,) for line in df.select("a", "b").toJSON().collect()]',
    ),
    "t.execute().collect()": ("list(df.toLocalIterator())",),
    "t.to_pandas()": ("df.toPandas()",),
    "clean(t)": ("df.transform(clean_frame)",),
    "t.union_all(u)": ("df.union(du)", "df.unionAll(du)"),
    't.union_all(u.select(col("ua"), col("ub"), col("uts")))': (
        'df.unionByName(du.select("uts", "ub", "ua").toDF("ts", "b", "a"))',
    ),
    "t.uncache()": ("df.unpersist()",),
    't.add_or_replace_columns((col("a") + 1).alias("n"))': (
        'df.withColumn("n", F.col("a") + 1)',
        'df.withColumns({"n": F.col("a") + 1})',
    ),
    't.rename_columns(col("a").alias("x"))': (
        'df.withColumnRenamed("a", "x")',
        'df.withColumnsRenamed({"a": "x"})',
    ),
    't.execute_insert("page_target").wait()': ('df.write.insertInto("page_target")',),
    't.watermark(col("ts"), lit(10).seconds)': ('df.withWatermark("ts", "10 seconds")',),
    "t.query_operation.is_unbounded": ("df.isStreaming",),
    't.add_columns((row_number().over(Over.order_by(col("ts"))) - 1).alias("index"))': (
        'df.orderBy("ts").zipWithIndex()',
    ),
}

GROUPED_DATA: dict[str, tuple[str, ...]] = {
    't.group_by(col("b")).select(col("b"), col("a").max, col("ts").min)': (
        'df.groupBy("b").agg(F.max("a"), F.min("ts"))',
    ),
    't.group_by(col("b")).select(col("b"), col("a").avg)': ('df.groupBy("b").avg("a")', 'df.groupBy("b").mean("a")'),
    't.group_by(col("b")).select(col("b"), col("*").count)': ('df.groupBy("b").count()',),
    't.group_by(col("b")).select(col("b"), col("a").max)': ('df.groupBy("b").max("a")',),
    't.group_by(col("b")).select(col("b"), col("a").min)': ('df.groupBy("b").min("a")',),
    't.group_by(col("b")).select(col("b"), col("a").sum)': ('df.groupBy("b").sum("a")',),
    't.group_by(col("a")).pivot(col("b"), ["x", "y"]).select(col("ts").max)': (
        'df.groupBy("a").pivot("b", ["x", "y"]).agg(F.max("ts"))',
    ),
    'te.from_call(CountBoth, t.partition_by(col("a")), u.partition_by(col("ua")))': (
        'df.groupBy("a").cogroup(du.groupBy("ua")).applyInPandas(count_of_both, "a int, ua int, n bigint, m bigint")',
    ),
}

COLUMN: dict[str, tuple[str, ...]] = {
    'col("a").alias("x")': ('F.col("a").alias("x")', 'F.col("a").name("x")'),
    'col("a").asc': ('F.col("a").asc()',),
    'col("a").asc.nulls_first': ('F.col("a").asc_nulls_first()',),
    'col("a").asc.nulls_last': ('F.col("a").asc_nulls_last()',),
    'col("a").cast(DataTypes.STRING())': ('F.col("a").cast("string")', 'F.col("a").astype("string")'),
    'col("a").between(1, 2)': ('F.col("a").between(1, 2)',),
    'call("&", col("a"), 3)': ('F.col("a").bitwiseAND(F.lit(3))',),
    'call("|", col("a"), 3)': ('F.col("a").bitwiseOR(F.lit(3))',),
    'call("^", col("a"), 3)': ('F.col("a").bitwiseXOR(F.lit(3))',),
    'col("b").contains("x")': ('F.col("b").contains("x")',),
    'col("a").desc': ('F.col("a").desc()',),
    'col("a").desc.nulls_last': ('F.col("a").desc_nulls_last()',),
    'col("a").desc.nulls_first': ('F.col("a").desc_nulls_first()',),
    'col("r").is_not_null.then(row(col("r").y.alias("y")), None)': ('F.col("r").dropFields("x")',),
    'col("b").ends_with("x")': ('F.col("b").endswith("x")',),
    'col("a").is_not_distinct_from(col("d"))': ('F.col("a").eqNullSafe(F.col("d"))',),
    'col("r").get("x")': ('F.col("r").getField("x")',),
    'col("r").x': ('F.col("r").getField("x")',),
    'col("tags").at(1)': ('F.col("tags").getItem(0)',),
    'col("m")["k"]': ('F.col("m").getItem("k")',),
    'call("ilike", col("b"), "%X%")': ('F.col("b").ilike("%X%")',),
    'col("d").is_nan': ('F.col("d").isNaN()',),
    'col("a").is_not_null': ('F.col("a").isNotNull()',),
    'col("a").is_null': ('F.col("a").isNull()',),
    'col("a").in_(1, 2, 3)': ('F.col("a").isin(1, 2, 3)',),
    'col("b").like("x%")': ('F.col("b").like("x%")',),
    'col("a").sum.over(Over.partition_by(col("b")))': ('F.sum("a").over(W.partitionBy("b"))',),
    'col("b").regexp("^x")': ('F.col("b").rlike("^x")',),
    'col("b").starts_with("x")': ('F.col("b").startswith("x")',),
    'col("b").substr(1, 2)': ('F.col("b").substr(1, 2)',),
    'trimmed(col("b"))': ('F.col("b").transform(F.trim)',),
    'col("b").try_cast(DataTypes.INT())': ('F.col("b").try_cast("int")',),
    '(col("a") > 1).then("many", "one")': ('F.when(F.col("a") > 1, "many").otherwise("one")',),
    'col("r").object_update("y", "new")': ('F.col("r").withField("y", F.lit("new"))',),
}

WINDOW: dict[str, tuple[str, ...]] = {
    'Over.partition_by(col("b"))': ('W.partitionBy("b")',),
    'Over.order_by(col("ts"))': ('W.orderBy("ts")',),
    'Over.order_by(col("ts")).preceding(row_interval(2)).following(CURRENT_ROW)': (
        'W.orderBy("ts").rowsBetween(-2, W.currentRow)',
    ),
    'Over.order_by(col("a")).preceding(range_interval(1)).following(range_interval(2))': (
        'W.orderBy("a").rangeBetween(-1, 2)',
    ),
    'Over.order_by(col("ts")).preceding(UNBOUNDED_ROW).following(UNBOUNDED_ROW)': (
        'W.orderBy("ts").rowsBetween(W.unboundedPreceding, W.unboundedFollowing)',
    ),
}

FUNCTIONS: dict[str, tuple[str, ...]] = {
    'size(col("b"))': (
        'F.udf(length_of, "int")("b")',
        'F.pandas_udf(lengths_of_series, "int")("b")',
        'F.arrow_udf(lengths_of_array, "int")("b")',
    ),
    't.join_lateral(words(col("b")))': ('df.lateralJoin(F.udtf(Split, returnType="word string")(F.col("b").outer()))',),
    'col("a").desc.nulls_first': ('F.desc_nulls_first("a")',),
    'col("a").desc.nulls_last': ('F.desc_nulls_last("a")',),
    'col("a").asc.nulls_first': ('F.asc_nulls_first("a")',),
    'col("a").asc.nulls_last': ('F.asc_nulls_last("a")',),
    'call("~", col("a"))': ('F.bitwise_not("a")',),
    't.hint("broadcast")': ("F.broadcast(df)",),
    'call("upper", col("b"))': ('F.call_function("upper", "b")', 'F.call_udf("upper", "b")'),
    'col("a")': ('F.column("a")',),
    'col("a").approx_count_distinct()': ('F.approxCountDistinct("a")',),
    'col("a").count.distinct': ('F.count_distinct("a")', 'F.countDistinct("a")'),
    'map_("k", col("a"))': ('F.create_map(F.lit("k"), "a")',),
    'call_sql("a + 1")': ('F.expr("a + 1")',),
    'col("b").list_agg(",").distinct': (
        'F.listagg_distinct("b", F.lit(","))',
        'F.string_agg_distinct("b", F.lit(","))',
    ),
    '-col("a")': ('F.negate("a")',),
    'col("a").sum.distinct': ('F.sum_distinct("a")', 'F.sumDistinct("a")'),
    'col("d").degrees': ('F.toDegrees("d")',),
    'col("d").radians': ('F.toRadians("d")',),
}

EFFECTS = {
    'te.create_temporary_view("recent", t)': ('te.from_path("recent")', 'spark.table("recent")'),
    't.execute_insert("page_target").wait()': ('te.from_path("page_target")', 'spark.table("page_target")'),
}
"""For lines with a side effect: the expressions to compare afterwards, here and in PySpark."""

WITHOUT_A_CALL = {
    "t.explain()": "prints in PySpark",
    "t.execute().print()": "prints in PySpark",
    "t.print_schema()": "prints in PySpark",
    't.outer("a")': "is compared as part of exists",
    "hash(t.query_operation)": "is another number",
}
"""Lines whose values PySpark does not return in a comparable form, with the reason."""

UNCOMPARED_NAMES = {
    "apply": "deprecated in favour of applyInPandas, which is compared",
    "transformWithState": "needs a stream; its counterpart is compared with applyInPandas",
    "transformWithStateInPandas": "needs a stream; its counterpart is compared with applyInPandas",
    "applyInPandasWithState": "needs a stream; its counterpart is compared with applyInPandas",
    "writeStream": "needs a stream; tests/streams has its counterpart",
    "writeTo": "writes to tables of version 2, which a plain session does not have",
    "arrow_udtf": "is refused in a lateral join",
    "explain": "prints",
    "show": "prints",
    "printSchema": "prints",
    "semanticHash": "is another number",
    "outer": "is compared as part of exists",
}
"""Names on the page that no call above contains, with the reason."""
