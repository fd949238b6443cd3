"""The exceptions of the library under PyFlink's names, and suggestions of the nearest valid name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ir.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ir.messages import Message

SQL_STATES = {
    "AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION": "42845",
    "AMBIGUOUS_LATERAL_COLUMN_ALIAS": "42702",
    "AMBIGUOUS_REFERENCE": "42704",
    "AMBIGUOUS_REFERENCE_TO_FIELDS": "42000",
    "ASOF_JOIN_MATCH_CONDITION_INVALID_EXPRESSION": "42903",
    "ASOF_JOIN_MATCH_CONDITION_INVALID_OPERATOR": "42K0E",
    "ASOF_JOIN_MATCH_CONDITION_TABLE_REFERENCE": "42K0E",
    "ASSIGNMENT_ARITY_MISMATCH": "42802",
    "AVRO_DATA_SOURCE_NOT_ENABLED": "42K02",
    "AVRO_NOT_LOADED_SQL_FUNCTIONS_UNUSABLE": "22KD3",
    "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE": "42825",
    "CANNOT_PARSE_INTERVAL": "22006",
    "CANNOT_RESOLVE_STAR_EXPAND": "42704",
    "CAST_INVALID_INPUT": "22018",
    "CATALOG_NOT_FOUND": "42P08",
    "CHECK_CONSTRAINT_VIOLATION": "23001",
    "COLLATION_INVALID_NAME": "42704",
    "COLLATION_MISMATCH": "42P21",
    "COLUMN_ALREADY_EXISTS": "42711",
    "DATATYPE_MISMATCH": "42K09",
    "DATATYPE_MISSING_SIZE": "42K01",
    "DATA_SOURCE_NOT_FOUND": "42K02",
    "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION": "22003",
    "DECIMAL_SCALE_EXCEEDS_PRECISION": "22003",
    "DISTINCT_WINDOW_FUNCTION_UNSUPPORTED": "0A000",
    "DUPLICATED_CTE_NAMES": "42602",
    "DUPLICATE_KEY": "23505",
    "DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT": "4274K",
    "EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE": "42K09",
    "EXCEPT_OVERLAPPING_COLUMNS": "42702",
    "EXPECT_TABLE_NOT_VIEW": "42809",
    "FEATURE_NOT_ENABLED": "56038",
    "FIELD_NOT_FOUND": "42704",
    "GROUPING_COLUMN_MISMATCH": "42803",
    "GROUPING_ID_COLUMN_MISMATCH": "42803",
    "GROUP_BY_AGGREGATE": "42903",
    "GROUP_BY_POS_OUT_OF_RANGE": "42805",
    "GROUP_EXPRESSION_TYPE_IS_NOT_ORDERABLE": "42822",
    "INCOMPATIBLE_COLUMN_TYPE": "42825",
    "INCOMPATIBLE_DATA_FOR_TABLE": "KD000",
    "INCOMPLETE_TYPE_DEFINITION": "42K01",
    "INDETERMINATE_COLLATION_IN_EXPRESSION": "42P22",
    "INSERT_COLUMN_ARITY_MISMATCH": "21S01",
    "INVALID_AGGREGATE_FILTER": "42903",
    "INVALID_BUCKET_COUNT": "22003",
    "INVALID_DEFAULT_VALUE": "42623",
    "INVALID_EXTRACT_BASE_FIELD_TYPE": "42000",
    "INVALID_EXTRACT_FIELD": "42601",
    "INVALID_FIELD_NAME": "42000",
    "INVALID_INLINE_TABLE": "42000",
    "INVALID_INTERVAL_FORMAT": "22006",
    "INVALID_LAMBDA_FUNCTION_CALL": "42K0D",
    "INVALID_LATERAL_JOIN_TYPE": "42613",
    "INVALID_LIMIT_LIKE_EXPRESSION": "42K0E",
    "INVALID_NON_DETERMINISTIC_EXPRESSIONS": "42K0E",
    "INVALID_NUMERIC_LITERAL_RANGE": "22003",
    "INVALID_OPTIONS": "42K06",
    "INVALID_PARAMETER_VALUE": "22023",
    "INVALID_RECURSIVE_CTE": "42836",
    "INVALID_RECURSIVE_REFERENCE": "42836",
    "INVALID_SQL_SYNTAX": "42000",
    "INVALID_SUBQUERY_EXPRESSION": "42823",
    "INVALID_TABLESAMPLE_FRACTION": "22023",
    "INVALID_TEMP_OBJ_QUALIFIER": "42602",
    "INVALID_TEMP_OBJ_REFERENCE": "42K0F",
    "INVALID_TIME_LITERAL_PRECISION": "22023",
    "INVALID_TYPED_LITERAL": "42604",
    "INVALID_USAGE_OF_STAR_OR_REGEX": "42000",
    "INVALID_USAGE_OF_STAR_WITH_TABLE_IDENTIFIER_IN_COUNT": "42000",
    "INVALID_WHERE_CONDITION": "42903",
    "INVALID_WINDOW_SPEC_FOR_AGGREGATION_FUNC": "42601",
    "INVALID_WITHIN_GROUP_EXPRESSION": "42K0K",
    "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE": "42K0E",
    "KAFKA_DATA_SOURCE_NOT_ENABLED": "42K02",
    "MERGE_INSERT_VALUE_COUNT_MISMATCH": "21S01",
    "MERGE_WITHOUT_WHEN": "42601",
    "MISSING_AGGREGATION": "42803",
    "MISSING_CATALOG_ABILITY": "0A000",
    "MISSING_GROUP_BY": "42803",
    "MISSING_WINDOW_SPECIFICATION": "42P20",
    "MULTIPLE_QUERY_RESULT_CLAUSES_WITH_PIPE_OPERATORS": "42000",
    "NAMED_PARAMETERS_NOT_SUPPORTED": "4274K",
    "NEAREST_BY_JOIN": "42604",
    "NESTED_AGGREGATE_FUNCTION": "42607",
    "NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION": "42613",
    "NON_LITERAL_PIVOT_VALUES": "42K08",
    "NON_TIME_WINDOW_NOT_SUPPORTED_IN_STREAMING": "42KDE",
    "NOT_A_SCALAR_FUNCTION": "42887",
    "NOT_A_TABLE_FUNCTION": "42887",
    "NOT_NULL_CONSTRAINT_VIOLATION": "42000",
    "NOT_SUPPORTED_CHANGE_COLUMN": "0A000",
    "NOT_SUPPORTED_COMMAND_FOR_V2_TABLE": "0A000",
    "NUM_COLUMNS_MISMATCH": "42826",
    "NUM_TABLE_VALUE_ALIASES_MISMATCH": "42826",
    "ORDER_BY_POS_OUT_OF_RANGE": "42805",
    "PARSE_EMPTY_STATEMENT": "42617",
    "PARSE_SYNTAX_ERROR": "42601",
    "PARTITIONS_NOT_FOUND": "428FT",
    "PATH_NOT_FOUND": "42K03",
    "PIPE_OPERATOR_AGGREGATE_EXPRESSION_CONTAINS_NO_AGGREGATE_FUNCTION": "0A000",
    "PIVOT_VALUE_DATA_TYPE_MISMATCH": "42K09",
    "QUALIFY_REQUIRES_WINDOW_FUNCTION": "42903",
    "RECURSIVE_VIEW": "42K0H",
    "REQUIRED_PARAMETER_NOT_FOUND": "4274K",
    "REQUIRES_EXPLICIT_NAME_IN_WATERMARK_CLAUSE": "42000",
    "REQUIRES_SINGLE_PART_NAMESPACE": "42K05",
    "ROUTINE_ALREADY_EXISTS": "42723",
    "ROUTINE_NOT_FOUND": "42883",
    "SCALAR_SUBQUERY_IS_IN_GROUP_BY_OR_AGGREGATE_FUNCTION": "0A000",
    "SCHEMA_NOT_FOUND": "42704",
    "STAR_GROUP_BY_POS": "0A000",
    "STATE_STORE_UNSUPPORTED_OPERATION_BINARY_INEQUALITY": "XXKST",
    "STREAMING_OUTPUT_MODE": "42KDE",
    "ST_INVALID_SRID_VALUE": "22023",
    "SYNTAX_DISCONTINUED": "42601",
    "TABLE_OR_VIEW_ALREADY_EXISTS": "42P07",
    "TABLE_OR_VIEW_NOT_FOUND": "42P01",
    "TRAILING_COMMA_IN_SELECT": "42601",
    "UDTF_ALIAS_NUMBER_MISMATCH": "42802",
    "UNBOUND_SQL_PARAMETER": "42P02",
    "UNCLOSED_BRACKETED_COMMENT": "42601",
    "UNEXPECTED_POSITIONAL_ARGUMENT": "4274K",
    "UNION_NOT_SUPPORTED_IN_RECURSIVE_CTE": "42836",
    "UNPIVOT_VALUE_DATA_TYPE_MISMATCH": "42K09",
    "UNRECOGNIZED_PARAMETER_NAME": "4274K",
    "UNRESOLVABLE_TABLE_VALUED_FUNCTION": "42883",
    "UNRESOLVED_COLUMN": "42703",
    "UNRESOLVED_ROUTINE": "42883",
    "UNRESOLVED_USING_COLUMN_FOR_JOIN": "42703",
    "UNRESOLVED_VARIABLE": "42883",
    "UNSUPPORTED_CHAR_OR_VARCHAR_AS_STRING": "0A000",
    "UNSUPPORTED_CONSTRAINT_CHARACTERISTIC": "0A000",
    "UNSUPPORTED_DATATYPE": "0A000",
    "UNSUPPORTED_EXPR_FOR_OPERATOR": "42K0E",
    "UNSUPPORTED_EXPR_FOR_WINDOW": "42P20",
    "UNSUPPORTED_FEATURE": "0A000",
    "UNSUPPORTED_GENERATOR": "42K0E",
    "UNSUPPORTED_GROUPING_EXPRESSION": "42K0E",
    "UNSUPPORTED_MERGE_CONDITION": "42K0E",
    "UNSUPPORTED_SQL_UDF_USAGE": "0A000",
    "UNSUPPORTED_STREAMING_OPERATOR_WITHOUT_WATERMARK": "0A000",
    "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY": "0A000",
    "UNSUPPORTED_TIME_PRECISION": "0A001",
    "UNSUPPORTED_TYPED_LITERAL": "0A000",
    "USER_DEFINED_FUNCTIONS": "42601",
    "WINDOW_FUNCTION_FRAME_NOT_ORDERED": "42601",
    "WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE": "42601",
    "WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE": "42601",
    "WRONG_NUM_ARGS": "42605",
}
"""The SQLSTATE of each Spark error condition that this library raises, too."""


class TableException(Exception):
    """An unsupported operation, or an error while a query ran.

    ``condition`` is Spark's error condition (``DIVIDE_BY_ZERO``) and ``sql_state`` its SQLSTATE, if Spark raised the
    error or has a condition for the same mistake.
    """

    usual_condition: str | None = None

    def __init__(
        self,
        message: str | Message,
        *,
        condition: str | None = None,
        sql_state: str | None = None,
        part: object | None = None,
        argument: int | None = None,
        clause: str | None = None,
        option: str | None = None,
        option_value: str | None = None,
    ) -> None:
        super().__init__(message if isinstance(message, str) else message.in_python())
        self._message = None if isinstance(message, str) else message
        self.condition = condition or self.usual_condition
        self.sql_state = sql_state or SQL_STATES.get((self.condition or "").split(".")[0])
        # The invalid resolved expression and, for a call, the number of the invalid argument if there is a single one.
        self.part = part
        self.argument = argument
        # The SQL clause that contains the error.
        self.clause = clause
        # The invalid part as it was written, from which the parser finds its position in the text.
        self.written: object | None = None
        # The names that columns have in the text of the query, where the tree calls them otherwise.
        self.names: Mapping[str, str] | None = None
        # Whether the message already gives the position in the text.
        self.is_located = False
        # The option of a table whose name is invalid, or whose value is, as it was given.
        self.option = option
        self.option_value = option_value

    @property
    def in_sql(self) -> str:
        """The message as it is rendered for a query in SQL."""
        from ir.message_texts import readable

        return str(self) if self._message is None else readable(self._message.in_sql(self.names or {}))

    def __str__(self) -> str:
        from ir.message_texts import readable

        return readable(super().__str__())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class ValidationException(TableException):
    """An invalid query, schema or setting."""


class FunctionNotExistException(ValidationException):
    """No function has the given name."""

    usual_condition = "UNRESOLVED_ROUTINE"


class FunctionAlreadyExistException(ValidationException):
    """The name of a new function is taken."""

    usual_condition = "ROUTINE_ALREADY_EXISTS"


class TreeJsonException(ValidationException):
    """The JSON of a query's tree is invalid.

    ``pointer`` is the JSON pointer (RFC 6901) to the invalid part, such as ``/nodes/4/condition``. It is empty if the
    text is not JSON or the document as a whole is invalid.
    """

    def __init__(self, message: str, pointer: str = "") -> None:
        super().__init__(message)
        self.pointer = pointer


class SqlParserException(TableException):
    """SQL text that does not parse."""


class CatalogException(TableException):
    """A catalog rejected an operation or failed to carry it out."""


class CatalogNotExistException(CatalogException):
    """No catalog has the given name."""


class DatabaseNotExistException(CatalogException):
    """No database of the catalog has the given name."""


class DatabaseAlreadyExistException(CatalogException):
    """The name of a new database is taken."""


class TableNotExistException(CatalogException):
    """No table or view has the given path."""

    usual_condition = "TABLE_OR_VIEW_NOT_FOUND"


class TableAlreadyExistException(CatalogException):
    """The path of a new table or view is taken."""


class SuspiciousCastWarning(UserWarning):
    """An implicit cast that Spark accepts but that is rarely intended, such as the sum of a column of strings."""


_advice_on_members: list[Callable[[str], str]] = []


def install_advice_on_members(advise: Callable[[str], str]) -> None:
    """Install the fluent API's hint for unknown names, because its members and fields are both attributes."""
    _advice_on_members[:] = [advise]


def advise_on_member(name: str) -> str | None:
    """Return the hint of the fluent API for an unknown name, None if the fluent API is not loaded."""
    return _advice_on_members[0](name) if _advice_on_members else None


def did_you_mean(given: str, valid: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?`` for the valid name nearest to ``given``, an empty string if none is near.

    >>> did_you_mean("nmae", ["name", "id"])
    " Did you mean 'name'?"
    """
    from ir.message_texts import LONGEST_QUOTED
    from ir.nearest_names import nearest_name

    if len(given) > LONGEST_QUOTED:
        # Nobody types such a name, and comparing two of them takes time in the product of their lengths.
        return ""

    near = nearest_name(given, (name for name in valid if len(name) <= LONGEST_QUOTED))
    return "" if near is None else f" Did you mean '{near}'?"


def shorten(text: str, longest: int = 200) -> str:
    """Return a string for a message, truncated with its length if it is very long."""
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text):,} characters)"


def listing(names: Iterable[str], limit: int = 20) -> str:
    """Return names separated by commas, truncated after ``limit`` of them with a count of the rest."""
    every = list(names)
    shown = ", ".join(every[:limit])
    return shown if len(every) <= limit else f"{shown}, … ({len(every) - limit} more)"
