"""How Spark shows calls of its functions in the names of columns, where that is not what was written in lower case."""

from __future__ import annotations

SHOWN: dict[str, str] = {
    **{
        name: name.upper()
        for name in [
            "acos",
            "acosh",
            "asin",
            "asinh",
            "atan",
            "atan2",
            "atanh",
            "cbrt",
            "ceil",
            "cos",
            "cosh",
            "cot",
            "csc",
            "degrees",
            "e",
            "exp",
            "expm1",
            "floor",
            "hypot",
            "log",
            "log10",
            "log1p",
            "log2",
            "pi",
            "power",
            "radians",
            "regexp",
            "regexp_like",
            "rlike",
            "sec",
            "signum",
            "sin",
            "sinh",
            "spark_partition_id",
            "sqrt",
            "tan",
            "tanh",
            "dense_rank",
            "percent_rank",
            "rank",
        ]
    },
    "array_agg": "collect_list",
    "curdate": "current_date",
    "current_database": "current_schema",
    "dateadd": "date_add",
    "localtime": "current_time",
    "random": "rand",
    "to_varchar": "to_char",
}
"""The names of functions that are shown in capital letters, or by the name of another one."""

FILLED: dict[str, tuple[str | None, ...]] = {
    "approx_percentile": (None, None, "10000"),
    "aes_encrypt": (None, None, "GCM", "DEFAULT", "", ""),
    "aes_decrypt": (None, None, "GCM", "DEFAULT", ""),
    "try_aes_decrypt": (None, None, "GCM", "DEFAULT", ""),
    "aggregate": (None, None, None, "lambdafunction(namedlambdavariable(), namedlambdavariable())"),
    "reduce": (None, None, None, "lambdafunction(namedlambdavariable(), namedlambdavariable())"),
    "array_sort": (
        None,
        "lambdafunction((IF(((namedlambdavariable() IS NULL) AND (namedlambdavariable() IS NULL)), 0, "
        "(IF((namedlambdavariable() IS NULL), 1, (IF((namedlambdavariable() IS NULL), -1, "
        "(IF((namedlambdavariable() < namedlambdavariable()), -1, (IF((namedlambdavariable() > "
        "namedlambdavariable()), 1, 0)))))))))), namedlambdavariable(), namedlambdavariable())",
    ),
    "sort_array": (None, "true"),
    "vector_norm": (None, "2.0"),
    "vector_normalize": (None, "2.0"),
    "approx_top_k": (None, "5", "10000"),
    "approx_top_k_accumulate": (None, "10000"),
    "approx_top_k_combine": (None, "-1"),
    "approx_top_k_estimate": (None, "5"),
    "current_time": ("6",),
    "from_unixtime": (None, "yyyy-MM-dd HH:mm:ss"),
    "hmac": (None, None, "SHA-256"),
    "hll_sketch_agg": (None, "12"),
    "hll_union": (None, None, "false"),
    "hll_union_agg": (None, "false"),
    "lag": (None, "1", "NULL"),
    "lead": (None, "1", "NULL"),
    "listagg": (None, "NULL"),
    "locate": (None, None, "1"),
    "localtime": ("6",),
    "lpad": (None, None, " "),
    "make_dt_interval": ("0", "0", "0", "0.000000"),
    "make_interval": ("0", "0", "0", "0", "0", "0", "0.000000"),
    "make_ym_interval": ("0", "0"),
    "mask": (None, "X", "x", "n", "NULL"),
    "months_between": (None, None, "true"),
    "overlay": (None, None, None, "-1"),
    "percentile": (None, None, "1"),
    "percentile_approx": (None, None, "10000"),
    "position": (None, None, "1"),
    "regexp_extract": (None, None, "1"),
    "regexp_extract_all": (None, None, "1"),
    "regexp_instr": (None, None, "0"),
    "regexp_replace": (None, None, None, "1"),
    "round": (None, "0"),
    "bround": (None, "0"),
    "rpad": (None, None, " "),
    "replace": (None, None, ""),
    "sentences": (None, "", ""),
    "split": (None, None, "-1"),
    "st_asbinary": (None, "NDR"),
    "st_geomfromwkb": (None, "0"),
    "string_agg": (None, "NULL"),
    "theta_sketch_agg": (None, "12"),
    "theta_union": (None, None, "12"),
    "theta_union_agg": (None, "12"),
    "tuple_intersection_agg_double": (None, "sum"),
    "tuple_intersection_agg_integer": (None, "sum"),
    "tuple_sketch_agg_double": (None, None, "12", "sum"),
    "tuple_sketch_agg_integer": (None, None, "12", "sum"),
    "tuple_union_agg_double": (None, "12", "sum"),
    "tuple_union_agg_integer": (None, "12", "sum"),
    "variant_strip_nulls": (None, "true"),
    "str_to_map": (None, ",", ":"),
    "substr": (None, None, "2147483647"),
    "substring": (None, None, "2147483647"),
    "try_make_interval": ("0", "0", "0", "0", "0", "0", "0.000000"),
    "unix_timestamp": ("current_timestamp()", "yyyy-MM-dd HH:mm:ss"),
    "variant_set": (None, None, None, "true"),
    "try_variant_set": (None, None, None, "true"),
    "to_unix_timestamp": (None, "yyyy-MM-dd HH:mm:ss"),
    "tuple_intersection_double": (None, None, "sum"),
    "tuple_intersection_theta_double": (None, None, "sum"),
    "tuple_sketch_summary_double": (None, "sum"),
    "tuple_union_double": (None, None, "12", "sum"),
    "tuple_union_theta_double": (None, None, "12", "sum"),
    "tuple_intersection_integer": (None, None, "sum"),
    "tuple_intersection_theta_integer": (None, None, "sum"),
    "tuple_sketch_summary_integer": (None, "sum"),
    "tuple_union_integer": (None, None, "12", "sum"),
    "tuple_union_theta_integer": (None, None, "12", "sum"),
}
"""What stands for arguments that were left out, from the first on; None for one that never is."""

SHORTENED: dict[str, int] = {
    "shuffle": 1,
    "any_value": 1,
    "approx_count_distinct": 1,
    "first": 1,
    "first_value": 1,
    "from_csv": 1,
    "from_json": 1,
    "from_xml": 1,
    "ilike": 2,
    "lag": 3,
    "last": 1,
    "last_value": 1,
    "lead": 3,
    "nth_value": 2,
    "schema_of_csv": 1,
    "schema_of_json": 1,
    "schema_of_xml": 1,
    "to_csv": 1,
    "to_json": 1,
    "to_xml": 1,
    "try_variant_get": 2,
    "uuid": 0,
    "variant_get": 2,
}
"""How many arguments of a function are shown."""

WITH_TEXTS_FILLED = ("lpad", "mask", "rpad")
"""The functions of which an argument that is left out is a text, which gets the collation of the first."""

WITHOUT_ARGUMENTS = {
    "current_date",
    "current_timestamp",
    "current_time",
    "localtime",
    "current_user",
    "user",
    "session_user",
    "current_path",
}
"""The functions that are called without parentheses, too."""

BEFORE_COLUMNS = frozenset({"current_path"})
"""Those of them which such a word means even where a column is called so."""

INFIX: dict[str, tuple[str, str]] = {
    "isnotnull": ("(", " IS NOT NULL)"),
    "isnull": ("(", " IS NULL)"),
    "positive": ("(+ ", ")"),
}
"""What stands before the first argument of a function that is shown as an operator, and after it."""

CASTS: dict[str, str] = {
    name: name
    for name in (
        [
            "boolean",
            "tinyint",
            "smallint",
            "int",
            "bigint",
            "float",
            "double",
            "decimal",
            "date",
            "timestamp",
            "time",
            "binary",
            "string",
        ]
    )
}
"""The functions that cast to the type of their name."""

RANKING = {"row_number", "rank", "dense_rank", "percent_rank", "ntile", "counter_diff"}
"""The functions whose window has rows up to the current one."""

REPLACED = frozenset({"btrim", "decode", "equal_null", "ifnull", "nullif", "nvl", "nvl2"})
"""Functions that Spark replaces by others, with the collations that their texts then get, but shows as written."""

GIVE_BYTES = frozenset({"binary", "encode", "to_binary", "try_to_binary", "unbase64", "unhex"})
"""Functions whose result is bytes, on which it depends how calls with them are shown."""

GIVE_DATES = frozenset(
    {
        "add_months",
        "current_date",
        "curdate",
        "date_from_unix_date",
        "last_day",
        "make_date",
        "next_day",
        "to_date",
        "trunc",
    }
)
"""Functions whose result is a date."""
