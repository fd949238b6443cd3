"""Meanings of Spark's error conditions and SQLSTATEs, in a sentence each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ir.errors import SQL_STATES
from ir.light_attrs import frozen


@frozen
class ConditionMeaning:
    """The meaning of an error condition, or of an SQLSTATE without a known condition.

    Attributes:
        condition: Spark's condition, such as ``DIVIDE_BY_ZERO``; empty if only the SQLSTATE is known.
        sql_state: the SQLSTATE, such as ``22012``.
        meaning: what is wrong, in a sentence; empty if only the SQLSTATE is known.
        state_class: what the first two characters of the SQLSTATE mean in the SQL standard or in Spark.
    """

    condition: str
    sql_state: str
    meaning: str
    state_class: str


def explain_code(code: str) -> list[ConditionMeaning]:
    """Return the meaning of an SQLSTATE or a condition; nothing if it is unknown.

    Args:
        code: an SQLSTATE, which several conditions may have, or a condition with or without its subclass, in any case.

    >>> [one.condition for one in explain_code("22012")]
    ['DIVIDE_BY_ZERO', 'REMAINDER_BY_ZERO']
    >>> explain_code("[unresolved_column.with_suggestion]")[0].meaning
    'A name means no column of the relations in scope.'
    """
    given = code.strip().strip("[]").upper()
    if re.fullmatch(r"[0-9A-Z]{5}", given):
        with_state = [_meaning(condition) for condition in sorted(MEANINGS) if _state_of(condition) == given]
        known_class = _CLASSES.get(given[:2])
        return with_state or ([] if known_class is None else [ConditionMeaning("", given, "", known_class)])
    condition = given.partition(".")[0]
    return [_meaning(condition)] if condition in MEANINGS else []


def _state_of(condition: str) -> str:
    return SQL_STATES.get(condition) or _STATES_AT_RUN_TIME[condition]


def _meaning(condition: str) -> ConditionMeaning:
    state = _state_of(condition)
    return ConditionMeaning(condition, state, MEANINGS[condition], _CLASSES[state[:2]])


_CLASSES: Final[Mapping[str, str]] = {
    "07": "dynamic SQL error",
    "08": "connection exception",
    "0A": "feature not supported",
    "21": "cardinality violation",
    "22": "data exception: a value is invalid for an operation",
    "23": "integrity constraint violation",
    "38": "exception in an external routine",
    "40": "transaction rollback",
    "42": "syntax error or access rule violation: the statement itself is invalid",
    "51": "invalid state of an object",
    "54": "limit exceeded",
    "56": "miscellaneous error of the product",
    "58": "system error",
    "HV": "error of a foreign data wrapper",
    "HY": "error of a call-level interface",
    "KD": "error of a data source (Spark's own class)",
    "P0": "error that a program raised",
    "XX": "internal error",
}

_STATES_AT_RUN_TIME: Final[Mapping[str, str]] = {
    "ARITHMETIC_OVERFLOW": "22003",
    "CANNOT_PARSE_TIMESTAMP": "22007",
    "CANNOT_UP_CAST_DATATYPE": "42846",
    "CAST_OVERFLOW": "22003",
    "CAST_OVERFLOW_IN_TABLE_INSERT": "22003",
    "COLLECTION_SIZE_LIMIT_EXCEEDED": "54000",
    "DATETIME_OVERFLOW": "22008",
    "DIVIDE_BY_ZERO": "22012",
    "DUPLICATED_MAP_KEY": "23505",
    "INCOMPATIBLE_VIEW_SCHEMA_CHANGE": "51024",
    "INTERVAL_ARITHMETIC_OVERFLOW": "22015",
    "INVALID_ARRAY_INDEX": "22003",
    "INVALID_ARRAY_INDEX_IN_ELEMENT_AT": "22003",
    "INVALID_FRACTION_OF_SECOND": "22023",
    "INVALID_INDEX_OF_ZERO": "22003",
    "MALFORMED_RECORD_IN_PARSING": "22023",
    "MERGE_CARDINALITY_VIOLATION": "23K01",
    "NULL_MAP_KEY": "2200E",
    "NUMERIC_OUT_OF_SUPPORTED_RANGE": "22003",
    "NUMERIC_VALUE_OUT_OF_RANGE": "22003",
    "RECURSION_LEVEL_LIMIT_EXCEEDED": "42836",
    "RECURSION_ROW_LIMIT_EXCEEDED": "42836",
    "REMAINDER_BY_ZERO": "22012",
    "SCALAR_SUBQUERY_TOO_MANY_ROWS": "21000",
    "USER_RAISED_EXCEPTION": "P0001",
    "VIEW_NOT_FOUND": "42P01",
}
"""The SQLSTATEs of conditions that Spark raises while a query runs, and that this library never raises."""

MEANINGS: Final[Mapping[str, str]] = {
    "AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION": (
        "An argument of an aggregate function has another value at each evaluation, such as RAND()."
    ),
    "AMBIGUOUS_LATERAL_COLUMN_ALIAS": "A name means several aliases of the same SELECT list.",
    "AMBIGUOUS_REFERENCE": "A name means columns of several relations; qualify it with the name of one.",
    "AMBIGUOUS_REFERENCE_TO_FIELDS": "A name means several fields of a struct.",
    "ARITHMETIC_OVERFLOW": "The result of a calculation does not fit into its type; TRY_ functions give NULL instead.",
    "ASOF_JOIN_MATCH_CONDITION_INVALID_EXPRESSION": (
        "MATCH_CONDITION has an aggregate, a window, a subquery or a value that changes with each evaluation."
    ),
    "ASOF_JOIN_MATCH_CONDITION_INVALID_OPERATOR": "MATCH_CONDITION is no comparison by >=, >, <= or <.",
    "ASOF_JOIN_MATCH_CONDITION_TABLE_REFERENCE": "An operand of MATCH_CONDITION is not of one side of the join.",
    "ASSIGNMENT_ARITY_MISMATCH": "An assignment has more or fewer values than columns.",
    "AVRO_DATA_SOURCE_NOT_ENABLED": "The package for Avro files is not loaded in the session.",
    "AVRO_NOT_LOADED_SQL_FUNCTIONS_UNUSABLE": "FROM_AVRO and TO_AVRO need the package for Avro, which is not loaded.",
    "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE": (
        "Two types of a column, of which one is to become the other, have no common type."
    ),
    "CANNOT_PARSE_INTERVAL": "A string is no interval.",
    "CANNOT_PARSE_TIMESTAMP": "A string is no time in the given format.",
    "CANNOT_RESOLVE_STAR_EXPAND": "The name before .* is no relation or struct in scope.",
    "CANNOT_UP_CAST_DATATYPE": "A column has a type that does not fit into the stored or declared one without loss.",
    "CAST_INVALID_INPUT": "A string is no value of the type to which it is cast; TRY_CAST gives NULL instead.",
    "CAST_OVERFLOW": "A value does not fit into the type to which it is cast; TRY_CAST gives NULL instead.",
    "CAST_OVERFLOW_IN_TABLE_INSERT": "A value does not fit into the type of the column that it is inserted into.",
    "CATALOG_NOT_FOUND": "A name begins with a catalog that the session does not have.",
    "CHECK_CONSTRAINT_VIOLATION": "A row violates a CHECK constraint of its table.",
    "COLLATION_INVALID_NAME": "There is no collation of this name.",
    "COLLATION_MISMATCH": "Strings with different explicit collations are compared or combined.",
    "COLLECTION_SIZE_LIMIT_EXCEEDED": "An array or map would have more elements than Spark can hold.",
    "COLUMN_ALREADY_EXISTS": "Two columns have the same name.",
    "DATATYPE_MISMATCH": "An argument or operand has a type that the function or operator does not accept.",
    "DATATYPE_MISSING_SIZE": "A type needs a length, such as CHAR(10).",
    "DATA_SOURCE_NOT_FOUND": "The session knows no data source of the name after USING.",
    "DATETIME_OVERFLOW": "The result of a calculation with dates or times is outside the range of the type.",
    "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION": "A DECIMAL has more than 38 digits.",
    "DECIMAL_SCALE_EXCEEDS_PRECISION": "A DECIMAL has more digits after the point than digits.",
    "DISTINCT_WINDOW_FUNCTION_UNSUPPORTED": "An aggregate over a window has DISTINCT, which Spark does not support.",
    "DIVIDE_BY_ZERO": "A number is divided by zero; TRY_DIVIDE gives NULL instead.",
    "DUPLICATED_CTE_NAMES": "Two queries of a WITH have the same name.",
    "DUPLICATED_MAP_KEY": "A map is made with the same key twice.",
    "DUPLICATE_KEY": "A key occurs twice in a list of properties or partition values.",
    "DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT": "A call gives the same parameter twice.",
    "EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE": "The watermark of a stream is that of a column that is no TIMESTAMP.",
    "EXCEPT_OVERLAPPING_COLUMNS": "The list after * EXCEPT names a column twice, or a column and a field of it.",
    "EXPECT_TABLE_NOT_VIEW": "A statement needs a table, and the name is that of a view.",
    "FEATURE_NOT_ENABLED": "The feature is turned off by a setting of the session.",
    "FIELD_NOT_FOUND": "A struct has no field of this name.",
    "GROUPING_COLUMN_MISMATCH": "The argument of GROUPING is no key of the GROUP BY.",
    "GROUPING_ID_COLUMN_MISMATCH": "The arguments of GROUPING_ID are not the keys of the GROUP BY.",
    "GROUP_BY_AGGREGATE": "GROUP BY contains an aggregate function.",
    "GROUP_BY_POS_OUT_OF_RANGE": "A number in GROUP BY is no position of the SELECT list.",
    "GROUP_EXPRESSION_TYPE_IS_NOT_ORDERABLE": "A group key has a type whose values cannot be compared, such as MAP.",
    "INCOMPATIBLE_COLUMN_TYPE": "Columns at the same position of a set operation have types without a common type.",
    "INCOMPATIBLE_DATA_FOR_TABLE": "The rows of an INSERT do not fit the columns of the table.",
    "INCOMPATIBLE_VIEW_SCHEMA_CHANGE": "A table below a view changed, so that the columns of the view no longer fit.",
    "INCOMPLETE_TYPE_DEFINITION": "A type lacks its parameters, such as the element type of ARRAY.",
    "INDETERMINATE_COLLATION_IN_EXPRESSION": "An expression combines implicit collations, so that none of them holds.",
    "INTERVAL_ARITHMETIC_OVERFLOW": "The result of a calculation with intervals is outside the range of the type.",
    "INSERT_COLUMN_ARITY_MISMATCH": "An INSERT has more or fewer columns than the table or its list of columns.",
    "INVALID_AGGREGATE_FILTER": "The FILTER of an aggregate has a condition that is not allowed there.",
    "INVALID_ARRAY_INDEX": "An array has no element at this index; GET gives NULL instead.",
    "INVALID_ARRAY_INDEX_IN_ELEMENT_AT": (
        "An array has no element at this position, which counts from 1; TRY_ELEMENT_AT gives NULL instead."
    ),
    "INVALID_BUCKET_COUNT": "The number of buckets is not positive, or greater than the session allows.",
    "INVALID_DEFAULT_VALUE": "The DEFAULT of a column is not constant, or does not fit its type.",
    "INVALID_EXTRACT_BASE_FIELD_TYPE": "A field or element is read from a value that is no struct, array or map.",
    "INVALID_EXTRACT_FIELD": "EXTRACT does not know the field for this type.",
    "INVALID_FIELD_NAME": "The path to a field goes through a column that is no struct.",
    "INVALID_FRACTION_OF_SECOND": "The seconds of a time are not between 0 and 60.",
    "INVALID_INDEX_OF_ZERO": "A position that counts from 1 is 0.",
    "INVALID_INLINE_TABLE": "The rows of VALUES are not constant, or have different numbers of columns.",
    "INVALID_INTERVAL_FORMAT": "The string of an INTERVAL literal is no interval of its unit.",
    "INVALID_LAMBDA_FUNCTION_CALL": "A lambda has the wrong number of parameters, or is given to another function.",
    "INVALID_LATERAL_JOIN_TYPE": "A LATERAL subquery is joined by RIGHT or FULL.",
    "INVALID_LIMIT_LIKE_EXPRESSION": "The number of LIMIT or OFFSET is not constant, no integer, or negative.",
    "INVALID_NON_DETERMINISTIC_EXPRESSIONS": "A non-deterministic expression is where Spark does not allow one.",
    "INVALID_NUMERIC_LITERAL_RANGE": "A number with a suffix does not fit into the type of the suffix.",
    "INVALID_OPTIONS": "The options of a function are no map() of strings.",
    "INVALID_PARAMETER_VALUE": "An argument has a value that the function does not accept.",
    "INVALID_RECURSIVE_CTE": "A recursive WITH is no UNION of a first query and of one that reads it.",
    "INVALID_RECURSIVE_REFERENCE": "A recursive WITH is read where recursion is not allowed, such as in a subquery.",
    "INVALID_SQL_SYNTAX": "The syntax is not allowed at this place.",
    "INVALID_SUBQUERY_EXPRESSION": "A scalar subquery does not have exactly one column.",
    "INVALID_TABLESAMPLE_FRACTION": "The share of TABLESAMPLE is not between 0 and 1.",
    "INVALID_TEMP_OBJ_QUALIFIER": "The name of a temporary view has a database or a catalog.",
    "INVALID_TEMP_OBJ_REFERENCE": "A stored view or function uses a temporary one.",
    "INVALID_TIME_LITERAL_PRECISION": "A TIME literal has more digits of a second than the type.",
    "INVALID_TYPED_LITERAL": "The string of a typed literal, such as DATE '…', is no value of the type.",
    "INVALID_USAGE_OF_STAR_OR_REGEX": "A star is where no list of columns is allowed.",
    "INVALID_USAGE_OF_STAR_WITH_TABLE_IDENTIFIER_IN_COUNT": "COUNT has the star of a single table, such as t.*.",
    "INVALID_WHERE_CONDITION": "WHERE contains an aggregate, a window or a generator function.",
    "INVALID_WINDOW_SPEC_FOR_AGGREGATION_FUNC": "The aggregate allows no ORDER BY or frame in its window.",
    "INVALID_WITHIN_GROUP_EXPRESSION": "WITHIN GROUP is missing, not supported by the function, or has a wrong order.",
    "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE": "The condition of a join is not BOOLEAN.",
    "KAFKA_DATA_SOURCE_NOT_ENABLED": "The package for Kafka is not loaded in the session.",
    "MALFORMED_RECORD_IN_PARSING": "A record of JSON, CSV or XML cannot be read in the mode FAILFAST.",
    "MERGE_CARDINALITY_VIOLATION": "Several source rows of a MERGE match one target row.",
    "MERGE_INSERT_VALUE_COUNT_MISMATCH": "INSERT of a MERGE has another number of columns than of values.",
    "MERGE_WITHOUT_WHEN": "A MERGE has no WHEN clause.",
    "MISSING_AGGREGATION": "A column of a grouped SELECT is neither a group key nor within an aggregate function.",
    "MISSING_CATALOG_ABILITY": "The catalog does not support the operation, such as views or functions.",
    "MISSING_GROUP_BY": "A SELECT has aggregates beside other columns and no GROUP BY.",
    "MISSING_WINDOW_SPECIFICATION": "OVER names a window that the WINDOW clause does not define.",
    "MULTIPLE_QUERY_RESULT_CLAUSES_WITH_PIPE_OPERATORS": "A pipe step has several of ORDER BY, LIMIT and the like.",
    "NAMED_PARAMETERS_NOT_SUPPORTED": "The function takes no arguments by name.",
    "NEAREST_BY_JOIN": "A nearest-by join has an invalid number of results or an invalid order.",
    "NESTED_AGGREGATE_FUNCTION": "An aggregate function is an argument of another one.",
    "NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION": "A WHEN clause of MERGE without a condition is not the last of its kind.",
    "NON_LITERAL_PIVOT_VALUES": "A value of PIVOT is not constant.",
    "NON_TIME_WINDOW_NOT_SUPPORTED_IN_STREAMING": "OVER is applied to a stream, which has windows of time alone.",
    "NOT_A_SCALAR_FUNCTION": "A table function is called where a value is needed.",
    "NOT_A_TABLE_FUNCTION": "A function that gives values is called in FROM.",
    "NOT_NULL_CONSTRAINT_VIOLATION": "A column or field that is NOT NULL would get NULL.",
    "NOT_SUPPORTED_CHANGE_COLUMN": "ALTER TABLE cannot change a column to this type or nullability.",
    "NOT_SUPPORTED_COMMAND_FOR_V2_TABLE": "The statement is not supported for tables of this catalog.",
    "NULL_MAP_KEY": "The key of a map is NULL.",
    "NUMERIC_OUT_OF_SUPPORTED_RANGE": "A number has more digits than DECIMAL can hold.",
    "NUMERIC_VALUE_OUT_OF_RANGE": "A number does not fit into its DECIMAL type.",
    "NUM_COLUMNS_MISMATCH": "The inputs of a set operation have different numbers of columns.",
    "NUM_TABLE_VALUE_ALIASES_MISMATCH": "A relation has more or fewer column aliases than columns.",
    "ORDER_BY_POS_OUT_OF_RANGE": "A number in ORDER BY is no position of the SELECT list.",
    "PARSE_EMPTY_STATEMENT": "The text has no statement.",
    "PARSE_SYNTAX_ERROR": "The text is no SQL at this place.",
    "PARTITIONS_NOT_FOUND": "The table has no partition with these values.",
    "PATH_NOT_FOUND": "There is no file or directory at the path.",
    "PIPE_OPERATOR_AGGREGATE_EXPRESSION_CONTAINS_NO_AGGREGATE_FUNCTION": (
        "An expression after |> AGGREGATE has no aggregate function."
    ),
    "PIVOT_VALUE_DATA_TYPE_MISMATCH": "A value of PIVOT has another type than the column.",
    "QUALIFY_REQUIRES_WINDOW_FUNCTION": "Neither QUALIFY nor the SELECT list has a window function.",
    "RECURSION_LEVEL_LIMIT_EXCEEDED": "A recursive WITH takes more steps than its limit.",
    "RECURSION_ROW_LIMIT_EXCEEDED": "A recursive WITH gives more rows than its limit.",
    "RECURSIVE_VIEW": "A view reads itself, directly or through other views.",
    "REMAINDER_BY_ZERO": "A remainder is taken of a division by zero; TRY_MOD gives NULL instead.",
    "REQUIRED_PARAMETER_NOT_FOUND": "A call lacks a parameter that has no default.",
    "REQUIRES_EXPLICIT_NAME_IN_WATERMARK_CLAUSE": "The expression of a WATERMARK clause needs an alias.",
    "REQUIRES_SINGLE_PART_NAMESPACE": "The catalog has no nested databases, and the name has several parts.",
    "ROUTINE_ALREADY_EXISTS": "There is a function of this name already.",
    "ROUTINE_NOT_FOUND": "There is no function of this name to drop or describe.",
    "SCALAR_SUBQUERY_IS_IN_GROUP_BY_OR_AGGREGATE_FUNCTION": (
        "A correlated scalar subquery beside GROUP BY is neither a group key nor within an aggregate function."
    ),
    "SCALAR_SUBQUERY_TOO_MANY_ROWS": "A subquery that is used as a value gives more than one row.",
    "SCHEMA_NOT_FOUND": "There is no database of this name.",
    "STAR_GROUP_BY_POS": "GROUP BY has a position, and the SELECT list a star.",
    "STATE_STORE_UNSUPPORTED_OPERATION_BINARY_INEQUALITY": "A key of a stream has a collation.",
    "STREAMING_OUTPUT_MODE": "A query over a stream has operations that its output mode does not support.",
    "ST_INVALID_SRID_VALUE": "The spatial reference identifier is unknown.",
    "SYNTAX_DISCONTINUED": "The syntax was removed from Spark.",
    "TABLE_OR_VIEW_ALREADY_EXISTS": "There is a table or view of this name already.",
    "TABLE_OR_VIEW_NOT_FOUND": "There is no table or view of this name in the catalog and database.",
    "TRAILING_COMMA_IN_SELECT": "The SELECT list ends with a comma.",
    "UDTF_ALIAS_NUMBER_MISMATCH": "A table function has more or fewer column aliases than columns.",
    "UNBOUND_SQL_PARAMETER": "A parameter of the text, :name or ?, was given no value.",
    "UNCLOSED_BRACKETED_COMMENT": "A comment that begins with /* has no end.",
    "UNEXPECTED_POSITIONAL_ARGUMENT": "An argument by position follows one by name.",
    "UNION_NOT_SUPPORTED_IN_RECURSIVE_CTE": "A recursive WITH has UNION DISTINCT; only UNION ALL is supported.",
    "UNPIVOT_VALUE_DATA_TYPE_MISMATCH": "The columns of UNPIVOT have no common type.",
    "UNRECOGNIZED_PARAMETER_NAME": "A call gives an argument by a name that the function does not have.",
    "UNRESOLVABLE_TABLE_VALUED_FUNCTION": "There is no table function of this name.",
    "UNRESOLVED_COLUMN": "A name means no column of the relations in scope.",
    "UNRESOLVED_ROUTINE": "There is no function of this name.",
    "UNRESOLVED_USING_COLUMN_FOR_JOIN": "A column of USING is missing on one side of the join.",
    "UNRESOLVED_VARIABLE": "There is no session variable of this name.",
    "UNSUPPORTED_CHAR_OR_VARCHAR_AS_STRING": "A schema has CHAR or VARCHAR where Spark does not support them.",
    "UNSUPPORTED_CONSTRAINT_CHARACTERISTIC": "A constraint has a characteristic that Spark does not support.",
    "UNSUPPORTED_DATATYPE": "Spark does not support the type, or there is none of this name.",
    "UNSUPPORTED_EXPR_FOR_OPERATOR": "An expression, such as an aggregate, is in a clause that does not allow it.",
    "UNSUPPORTED_EXPR_FOR_WINDOW": "A function with OVER can be no window function.",
    "UNSUPPORTED_FEATURE": "Spark does not support the feature.",
    "UNSUPPORTED_GENERATOR": "A function that gives several rows, such as EXPLODE, is where it is not allowed.",
    "UNSUPPORTED_GROUPING_EXPRESSION": "GROUPING or GROUPING_ID is used without ROLLUP, CUBE or GROUPING SETS.",
    "UNSUPPORTED_MERGE_CONDITION": "The condition of a MERGE has a subquery, an aggregate or a random value.",
    "UNSUPPORTED_SQL_UDF_USAGE": "A function in SQL is called where Spark does not support it.",
    "UNSUPPORTED_STREAMING_OPERATOR_WITHOUT_WATERMARK": "An operation over a stream needs a watermark.",
    "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY": "A subquery is where none is allowed, or correlated in a wrong way.",
    "UNSUPPORTED_TIME_PRECISION": "TIME has more digits of a second than Spark supports.",
    "UNSUPPORTED_TYPED_LITERAL": "There are no literals of this type.",
    "USER_DEFINED_FUNCTIONS": "The body or the signature of a user-defined function is invalid.",
    "USER_RAISED_EXCEPTION": "The query itself raised the error, by RAISE_ERROR or ASSERT_TRUE.",
    "VIEW_NOT_FOUND": "There is no view of this name.",
    "WINDOW_FUNCTION_FRAME_NOT_ORDERED": "The frame of a window needs ORDER BY.",
    "WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE": "A window function is in a clause that does not allow it; use QUALIFY.",
    "WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE": "A function such as RANK is called without OVER.",
    "WRONG_NUM_ARGS": "A call has more or fewer arguments than the function takes.",
}
"""What each condition means: those that this library raises, and those that queries often end with at run time."""
