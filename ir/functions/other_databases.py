"""Functions of other databases, and their equivalents here."""

from __future__ import annotations

from ir.light_typing import Final

# The calls are over columns of these types: a INT, d DATE, ts TIMESTAMP, s STRING, x ARRAY<STRING>.
_CALLS: dict[str, tuple[str, ...]] = {
    "APPROX_COUNT_DISTINCT(a)": ("approx_distinct", "uniq"),
    "APPROX_PERCENTILE(a, 0.5)": ("approx_quantile", "approx_quantiles"),
    "ARRAY('a', 'b')": ("array_construct", "list_value", "make_array"),
    "ARRAY_CONTAINS(x, s)": ("array_has", "list_contains"),
    "ARRAY_JOIN(x, ',')": ("array_to_string",),
    "BOOL_AND(a > 1)": ("logical_and",),
    "BOOL_OR(a > 1)": ("logical_or",),
    "CAST(a AS STRING)": ("convert", "to_string", "tostring"),
    "CONCAT(x, x)": ("array_cat", "list_concat"),
    "COUNT_IF(a > 1)": ("countif",),
    "CURRENT_DATE()": ("today",),
    "CURRENT_TIMESTAMP()": ("getdate", "sysdate", "sysdatetime"),
    "DATE_FORMAT(ts, 'yyyy-MM-dd')": (
        *("datename", "format_date", "format_datetime", "format_timestamp", "formatdatetime"),
        "strftime",
    ),
    "DATE_TRUNC('HOUR', ts)": ("datetime_trunc", "timestamp_trunc"),
    "DATE_TRUNC('MONTH', ts)": ("tostartofmonth",),
    "EXISTS(x, e -> e > 'b')": ("any_match",),
    "FORALL(x, e -> e > 'b')": ("all_match",),
    "GET_JSON_OBJECT(s, '$.a')": (
        *("json_extract", "json_extract_path_text", "json_extract_scalar", "json_extract_string"),
    ),
    "HEX(a)": ("to_hex",),
    "IF(a > 1, 'x', 'y')": ("iff", "iif"),
    "INSTR(s, 'b')": ("strpos",),
    "LAST_DAY(d)": ("eomonth",),
    "LISTAGG(s, ',')": ("group_concat",),
    "MAKE_DATE(2024, 12, a)": ("date_from_parts", "datefromparts"),
    "MAX_BY(s, a)": ("arg_max", "argmax"),
    "MIN_BY(s, a)": ("arg_min", "argmin"),
    "MAP_FROM_ENTRIES(ARRAY_AGG(STRUCT(s, a)))": ("map_agg",),
    "NAMED_STRUCT('a', a)": ("struct_pack",),
    "OVERLAY(s PLACING 'b' FROM 1 FOR 2)": ("stuff",),
    "PARSE_JSON(s)": ("json_parse",),
    "PERCENTILE(a, 0.5)": ("quantile",),
    "REGEXP_LIKE(s, 'b+')": ("regexp_contains", "regexp_match", "regexp_matches"),
    "REPEAT(s, 2)": ("replicate",),
    "SEQUENCE(1, a)": ("generate_array", "generate_series"),
    "SEQUENCE(d, d, INTERVAL 1 DAY)": ("generate_date_array",),
    "SHA2(s, 256)": ("hashbytes",),
    "SIZE(x)": ("array_length",),
    "SPLIT(s, ',')": ("str_split", "string_to_array"),
    "STARTSWITH(s, 'b')": ("starts_with",),
    "ENDSWITH(s, 'b')": ("ends_with",),
    "SUM(IF(a > 1, a, 0))": ("sumif",),
    "TIMESTAMPADD(HOUR, 1, ts)": ("datetime_add", "timestamp_add"),
    "TIMESTAMPADD(HOUR, -1, ts)": ("datetime_sub", "timestamp_sub"),
    "TIMESTAMPDIFF(HOUR, ts, ts)": ("datetime_diff", "timestamp_diff"),
    "TO_DATE(s, 'yyyy-MM-dd')": ("parse_date",),
    "TO_JSON(NAMED_STRUCT('a', a))": ("json_build_object", "object_construct", "to_json_string"),
    "TO_TIMESTAMP(s, 'yyyy-MM-dd')": ("date_parse", "parse_datetime", "parse_timestamp", "strptime"),
    "TRY_CAST(s AS DOUBLE)": ("isnumeric", "safe_cast", "try_convert"),
    "TRY_DIVIDE(a, 2)": ("div0", "safe_divide"),
    "UNIX_TIMESTAMP(ts)": ("epoch", "to_unixtime"),
    "UUID()": ("gen_random_uuid", "generate_uuid", "newid"),
    "WINDOW(ts, '5 minutes').start": ("date_bin",),
}

# Clauses of other databases that look like function calls.
_CLAUSES: dict[str, str] = {
    "all": "a > (SELECT MAX(b) FROM …) for a > ALL (…)",
    "on": "QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY ts) = 1 for DISTINCT ON",
}

WRITTEN_HERE: Final[dict[str, str]] = {
    **{name: call for call, names in _CALLS.items() for name in names},
    **_CLAUSES,
}
"""The equivalent of a function of another database, by its name in lower case."""

# The equivalents of calls that other databases accept with another number of arguments, by SQL name and number.
_CALLS_WITH: Final[dict[tuple[str, int], str]] = {
    ("DATE", 3): "MAKE_DATE(2024, 12, a)",
    ("IF", 2): "IF(a > 1, 'x', NULL)",
    ("IFNULL", 3): "COALESCE(s, 'x', 'y')",
    ("IS NULL", 2): "COALESCE(s, 'x')",
    ("NVL", 3): "COALESCE(s, 'x', 'y')",
    ("POSITION", 1): "POSITION('b' IN s)",
    ("ROUND", 3): "TRUNCATE(a, 1)",
}

NAMES_WITHOUT_PARENTHESES: Final[dict[str, str]] = {
    "current_datetime": "CURRENT_TIMESTAMP",
    **{unit: f"'{unit.upper()}'" for unit in ("year", "quarter", "month", "week", "day", "hour", "minute", "second")},
    "getdate": "CURRENT_TIMESTAMP",
    "level": "a column of WITH RECURSIVE r AS (SELECT …, 1 AS level FROM … UNION ALL SELECT …, level + 1 FROM r …)",
    "now": "NOW()",
    "rownum": "LIMIT n at the end of the query, or ROW_NUMBER() OVER (ORDER BY …) for a number",
    "sysdate": "CURRENT_TIMESTAMP",
    "systimestamp": "CURRENT_TIMESTAMP",
    "today": "CURRENT_DATE",
    "utc_date": "CURRENT_DATE",
    "utc_timestamp": "CURRENT_TIMESTAMP",
}
"""The equivalent of a call without parentheses in another database, by its name in lower case."""


def call_with(sql_name: str, count: int) -> str:
    """Return the advice for a call that other databases accept with ``count`` arguments.

    The result is empty if no other database is known to accept it.

    >>> call_with("IS NULL", 2)
    "Write COALESCE(s, 'x')."
    """
    written = _CALLS_WITH.get((sql_name.upper(), count))
    return f"Write {written}." if written else ""
