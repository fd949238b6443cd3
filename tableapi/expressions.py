"""Functions that create expressions, under PyFlink's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.expressions import DescriptorLiteral
from ir.frames import FrameUnit
from ir.functions import collection as _collection
from ir.functions import logic as _logic
from ir.functions import subquery as _subquery
from ir.functions.string import CONCAT as _CONCAT
from ir.identifiers import parse_path
from ir.literals import literal
from ir.rendering import Dialect, DialectName
from ir.unresolved import UnresolvedBound, UnresolvedCall, UnresolvedNamedArgument, UnresolvedReference, UnresolvedStar
from tableapi.advice.misused_members import describe_given
from tableapi.advice.refusals import make_refused_function
from tableapi.data.values import value_expression
from tableapi.expression import Expression, JsonOnNull, unwrap
from tableapi.expression import call_built_in as _call_built_in
from tableapi.expression import call_function as _call
from tableapi.lazy import lazy
from tableapi.members.column_selection import range_, with_all_columns, with_columns, without_columns
from tableapi.members.type_arguments import TypeLike, read_data_type
from tableapi.tracebacks import public_functions
from tableapi.types import DataTypes
from tableapi.unknown_members import names_on_request

if TYPE_CHECKING:
    from grammar import reading as _reading
    from ir.functions import time_units as _time_units
    from tableapi.members.fluent import (
        atan2,
        coalesce,
        concat_ws,
        convert_tz,
        cume_dist,
        cumulative_windows,
        current_catalog,
        current_database,
        current_date,
        current_path,
        current_time,
        current_timestamp,
        current_user,
        date_format,
        date_trunc,
        dense_rank,
        e,
        explode,
        explode_outer,
        from_unixtime,
        greatest,
        grouping_id,
        hypot,
        if_then_else,
        inline,
        inline_outer,
        input_file_block_length,
        input_file_block_start,
        input_file_name,
        json,
        json_array_agg,
        json_object_agg,
        json_string,
        json_tuple,
        lag,
        lead,
        least,
        local_time,
        local_timestamp,
        make_date,
        make_time,
        map_from_arrays,
        mode,
        monotonically_increasing_id,
        negative,
        now,
        ntile,
        object_of,
        percent_rank,
        percentile_cont,
        percentile_disc,
        pi,
        posexplode,
        posexplode_outer,
        rand,
        randn,
        randstr,
        rank,
        row_number,
        schema_of_csv,
        schema_of_json,
        schema_of_xml,
        sliding_windows,
        spark_partition_id,
        stack,
        temporal_overlaps,
        time_bucket,
        timestamp_add,
        timestamp_diff,
        to_date,
        to_timestamp,
        uniform,
        unix_timestamp,
        uuid,
        variant_explode,
        variant_explode_outer,
        version,
    )
    from tableapi.steps import step_arguments as _arguments
    from tableapi.table import Table
    from tableapi.user_functions import wrapper as _wrapper
    from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper
else:
    _arguments = lazy(__name__, "tableapi.steps.step_arguments")
    _time_units = lazy(__name__, "ir.functions.time_units")
    _reading = lazy(__name__, "grammar.reading")
    _wrapper = lazy(__name__, "tableapi.user_functions.wrapper")

__all__ = [
    "CURRENT_RANGE",
    "CURRENT_ROW",
    "UNBOUNDED_RANGE",
    "UNBOUNDED_ROW",
    "and_",
    "array",
    "atan2",
    "call",
    "call_sql",
    "coalesce",
    "col",
    "concat",
    "concat_ws",
    "convert_tz",
    "cume_dist",
    "cumulative_windows",
    "current_catalog",
    "current_database",
    "current_date",
    "current_path",
    "current_time",
    "current_timestamp",
    "current_user",
    "current_watermark",
    "date_format",
    "date_trunc",
    "dense_rank",
    "descriptor",
    "e",
    "exists",
    "explode",
    "explode_outer",
    "from_unixtime",
    "greatest",
    "grouping_id",
    "hypot",
    "if_then_else",
    "inline",
    "inline_outer",
    "input_file_block_length",
    "input_file_block_start",
    "input_file_name",
    "json",
    "json_array",
    "json_array_agg",
    "json_object",
    "json_object_agg",
    "json_string",
    "json_tuple",
    "lag",
    "lead",
    "least",
    "lit",
    "local_time",
    "local_timestamp",
    "log",
    "make_date",
    "make_time",
    "map_",
    "map_from_arrays",
    "mode",
    "monotonically_increasing_id",
    "negative",
    "not_",
    "now",
    "ntile",
    "null_of",
    "object_of",
    "or_",
    "percent_rank",
    "percentile_cont",
    "percentile_disc",
    "pi",
    "posexplode",
    "posexplode_outer",
    "rand",
    "rand_integer",
    "randn",
    "randstr",
    "range_",
    "range_interval",
    "rank",
    "row",
    "row_interval",
    "row_number",
    "scalar",
    "schema_of_csv",
    "schema_of_json",
    "schema_of_xml",
    "sliding_windows",
    "source_watermark",
    "spark_partition_id",
    "stack",
    "temporal_overlaps",
    "time_bucket",
    "timestamp_add",
    "timestamp_diff",
    "to_date",
    "to_timestamp",
    "to_timestamp_ltz",
    "uniform",
    "unix_timestamp",
    "uuid",
    "variant_explode",
    "variant_explode_outer",
    "version",
    "with_all_columns",
    "with_columns",
    "without_columns",
]

if not TYPE_CHECKING:
    # Families of functions are loaded on first use. Type checkers would accept any other name as a value of any type.
    __getattr__, __dir__ = names_on_request(
        __name__, dict.fromkeys(__all__, "tableapi.members.fluent"), members_of=Expression
    )


# The bounds of a window frame that have no offset.
UNBOUNDED_ROW: Expression[Any] = Expression(UnresolvedBound(FrameUnit.ROWS))
UNBOUNDED_RANGE: Expression[Any] = Expression(UnresolvedBound(FrameUnit.RANGE))
CURRENT_ROW: Expression[Any] = Expression(UnresolvedBound(FrameUnit.ROWS, is_current=True))
CURRENT_RANGE: Expression[Any] = Expression(UnresolvedBound(FrameUnit.RANGE, is_current=True))


def col(name: str) -> Expression[Any]:
    """Return a column by its name, which is case-insensitive; ``*`` stands for all columns.

    >>> col("a") > 1
    greaterThan(a, 1)

    Raises:
        ValidationException: the name is not a string, or is empty.
    """
    if not isinstance(name, str) or not name:
        raise ValidationException(f"The name of a column must be text that is not empty, but is {name!r}.")
    return Expression(UnresolvedStar() if name == "*" else UnresolvedReference(name))


def lit(v: Any, data_type: TypeLike | None = None) -> Expression[Any]:
    """Return a constant of the given type, by default of the type inferred from the value.

    >>> from decimal import Decimal
    >>> lit(Decimal("1.50")), lit(1, "BIGINT")
    (1.50, 1)

    Raises:
        ValidationException: no type can be inferred from the value, or the value does not fit the given type.
    """
    if isinstance(v, Expression):
        return v
    return Expression(value_expression(v, None if data_type is None else read_data_type(data_type, "The type of lit")))


def null_of(data_type: TypeLike) -> Expression[Any]:
    """Return the NULL of a type, given as an object or a string.

    >>> null_of("BIGINT")
    null

    Raises:
        SqlParserException: the string is not a type; the message suggests the nearest name.
        ValidationException: the argument is neither a type nor a string.
    """
    return Expression(literal(None, read_data_type(data_type, "The type of null_of").as_nullable()))


def and_(predicate0: Any, predicate1: Any, *predicates: Any) -> Expression[bool]:
    """Whether all conditions are TRUE."""
    return _call(_logic.AND, predicate0, predicate1, *predicates)


def or_(predicate0: Any, predicate1: Any, *predicates: Any) -> Expression[bool]:
    """Whether at least one condition is TRUE."""
    return _call(_logic.OR, predicate0, predicate1, *predicates)


def not_(expression: Any) -> Expression[bool]:
    """TRUE if a condition is FALSE, FALSE if it is TRUE."""
    return _call(_logic.NOT, expression)


def exists(table: Table) -> Expression[bool]:
    """Whether a table has a row; ``~exists(table)`` is whether the table is empty.

    The table may refer to the row for which the subquery is evaluated by ``outer``:
    ``orders.filter(exists(lines.filter(col("line_order") == orders.outer("order_id"))))``.

    Args:
        table: the table, with any columns.

    Raises:
        ValidationException: the argument is not a table.
    """
    return _call(_subquery.EXISTS, _table(table, "exists"))


def scalar(table: Table) -> Expression[Any]:
    """Return the value of a table that has one column and at most one row; NULL if the table is empty.

    The table may refer to the row for which the subquery is evaluated by ``outer``. If the table has more than one
    row, the query fails.

    Args:
        table: a table of one column.

    Raises:
        ValidationException: the argument is not a table. A table of several columns is rejected when the expression
            becomes part of a table.
    """
    return _call(_subquery.SCALAR, _table(table, "scalar"))


def _table(given: Any, function: str) -> Any:
    # On an expression, any unknown attribute is a field access, so getattr always succeeds.
    if isinstance(given, Expression) or getattr(given, "query_operation", None) is None:
        raise ValidationException(f"{function} takes a table, but was given {describe_given(given)}.")
    return given


def concat(first: Any, *others: Any) -> Expression[str]:
    """Concatenate strings; NULL if one of them is NULL.

    >>> concat(col("first"), " ", col("last"))
    concat(first, ' ', last)
    """
    return _call(_CONCAT, first, *others)


def array(*elements: Any) -> Expression[Any]:
    """Return an array of the elements, cast to their common type."""
    return _call(_collection.ARRAY, *elements)


def map_(*keys_and_values: Any) -> Expression[Any]:
    """Return a map from alternating keys and values.

    Raises:
        ValidationException: the last key has no value.
    """
    if len(keys_and_values) % 2:
        raise ValidationException(
            f"map_ takes pairs of keys and values, but was given {len(keys_and_values)} arguments."
        )
    return _call(_collection.MAP, *keys_and_values)


def row(*values: Any) -> Expression[Any]:
    """Return a row of the values; its fields are named f0, f1 and so on, or by the aliases of the values.

    Raises:
        ValidationException: no value is given.
    """
    if not values:
        raise ValidationException("row needs at least one value.")
    return Expression(_arguments.row_of([unwrap(value) for value in values]))


def to_timestamp_ltz(*args: Any) -> Expression[Any]:
    """Convert a number of the given precision, or a string, to an instant.

    >>> to_timestamp_ltz(col("epoch_millis"), 3)
    toTimestampLtz(epoch_millis, 3)
    >>> to_timestamp_ltz("29.02.2024 10:11", "dd.MM.yyyy HH:mm")
    toTimestampLtz('29.02.2024 10:11', 'dd.MM.yyyy HH:mm')

    Args:
        args: a number and the literal 0 for seconds, 3 for milliseconds or 6 for microseconds since 1970; or a string,
            in the session's time zone unless it contains another, and optionally its pattern.

    Raises:
        ValidationException: the number of arguments is wrong. A number without a precision is rejected when the
            expression becomes part of a table, because Flink counts milliseconds and Spark seconds.
    """
    if not 1 <= len(args) <= 2:
        raise ValidationException(
            "to_timestamp_ltz takes a number and its precision, or a text and perhaps its pattern, but was given "
            f"{len(args)} arguments."
        )
    return _call(_time_units.FLUENT_TO_TIMESTAMP_LTZ, *args)


def row_interval(rows: int) -> Expression[int]:
    """Return a number of rows as the length of a window.

    >>> row_interval(10)
    10

    Raises:
        ValidationException: the argument is not an integer of at most 64 bits.
    """
    if isinstance(rows, bool) or not isinstance(rows, int):
        raise ValidationException(f"row_interval takes a whole number of rows, but was given {rows!r}.")
    return lit(rows, DataTypes.BIGINT())


def json_object(on_null: JsonOnNull = JsonOnNull.NULL, *args: Any) -> Expression[str]:
    """Return a JSON object from alternating keys and values; the keys are constants.

    A value made by ``json_object`` is nested, not quoted.

    >>> json_object(JsonOnNull.ABSENT, "id", col("id"), "tags", json_object(JsonOnNull.NULL, "a", col("a")))
    JSON_OBJECT(ABSENT, 'id', id, 'tags', JSON_OBJECT(NULL, 'a', a))

    Raises:
        ValidationException: the last key has no value, or ``on_null`` is not a ``JsonOnNull``.
    """
    if not isinstance(on_null, JsonOnNull):
        raise ValidationException(f"The first argument of json_object is a JsonOnNull, but {on_null!r} was given.")
    if len(args) % 2:
        raise ValidationException(f"json_object takes pairs of keys and values, but was given {len(args)} of them.")
    return _call_built_in("JSON_OBJECT", on_null, *args)


def json_array(on_null: JsonOnNull = JsonOnNull.ABSENT, *args: Any) -> Expression[str]:
    """Return a JSON array of the values; NULL values are left out unless ``on_null`` keeps them.

    A value made by ``json_array`` or ``json_object`` is nested, not quoted.

    >>> json_array(JsonOnNull.NULL, col("id"), json_array(JsonOnNull.ABSENT, col("a")))
    JSON_ARRAY(NULL, id, JSON_ARRAY(ABSENT, a))

    Raises:
        ValidationException: ``on_null`` is not a ``JsonOnNull``.
    """
    if not isinstance(on_null, JsonOnNull):
        raise ValidationException(f"The first argument of json_array is a JsonOnNull, but {on_null!r} was given.")
    return _call_built_in("JSON_ARRAY", on_null, *args)


def range_interval(distance: Any) -> Expression[Any]:
    """Return a distance from the sort key of the current row, for ``preceding`` and ``following``.

    There, a plain number is a number of rows, and an interval is always a distance.
    """
    return Expression(UnresolvedBound(FrameUnit.RANGE, offset=unwrap(distance)))


def descriptor(*column_names: str) -> Expression[Any]:
    """Name columns for a process table function, such as its time column.

    >>> descriptor("ts").as_argument("on_time")
    on_time => descriptor(ts)

    Raises:
        ValidationException: no name is given, or a name is not a string.
    """
    if not column_names or not all(isinstance(name, str) and name for name in column_names):
        raise ValidationException(f"descriptor takes names of columns, but was given {column_names!r}.")
    return Expression(DescriptorLiteral(tuple(column_names)))


def call(f: str | UserDefinedFunctionWrapper, *args: Any, **named: Any) -> Expression[Any]:
    """Call a function by its name, which is resolved when the expression becomes part of a table.

    >>> call("upper", col("name"))
    upper(name)
    >>> call("mask", col("card"), digitChar="#")
    mask(card, digitChar => '#')

    Pass a Python function for a lambda; its parameters name the lambda's parameters:

    >>> call("transform", col("a"), lambda x, i: x + i)
    transform(a, (x, i) -> plus(x, i))

    Args:
        f: the name, or a path ``catalog.database.name``, whose parts need backquotes if they contain dots. Or a
            user-defined function itself, which needs no name.
        args: the arguments: expressions, constants, or Python functions as lambdas.
        named: named arguments, if the function has argument names.

    Raises:
        ValidationException: the name is not a string, or the path is malformed. An unknown argument is rejected when
            the expression becomes part of a table.
    """
    arguments: list[Any] = [*args]
    arguments += [Expression(UnresolvedNamedArgument(name, unwrap(argument))) for name, argument in named.items()]
    if not isinstance(f, str):
        return _wrapper.user_function(f)(*arguments)
    if not f:
        raise ValidationException("call takes the name of a function, but was given ''.")
    name: str | tuple[str, ...] = f
    if "." in f or "`" in f:
        parts = parse_path(f)
        name = parts if len(parts) > 1 else parts[0]
    return Expression(UnresolvedCall(name, tuple([unwrap(argument) for argument in arguments])))


def call_sql(sql_expression: str, *, dialect: Dialect | DialectName = Dialect.SPARK) -> Expression[Any]:
    """Parse SQL text as an expression; its names are resolved when the expression becomes part of a table.

    The text cannot refer to tables, because their catalog is unknown here. Use ``TableEnvironment.sql_query`` for a
    query.

    >>> call_sql("upper(name) || '!'").alias("n")
    as(concat(upper(name), '!'), n)

    Args:
        sql_expression: the text of the expression.
        dialect: the SQL dialect of the text, as an object or a name.

    Raises:
        SqlParserException: the text cannot be parsed; the message has the position and the expected tokens.
        ValidationException: the text contains a query or a time without a time zone, or the dialect does not exist.
    """
    if not isinstance(sql_expression, str) or not sql_expression.strip():
        raise ValidationException(f"call_sql takes the text of an expression, but was given {sql_expression!r}.")
    around = _reading.Surroundings(Dialect.of(dialect), find_table=_raise_without_tables, resolves_functions_later=True)
    return Expression(_reading.parse_expression(sql_expression, around))


def _raise_without_tables(path: tuple[str, ...], version: Any, timestamp: Any, options: Any) -> Any:
    raise ValidationException(
        f"call_sql cannot know which table {'.'.join(path)} is, because an expression belongs to no environment yet. "
        "Write the whole query with sql_query, or pass the table: exists(table), scalar(table), expression.in_(table)."
    )


current_watermark = make_refused_function("expressions", "current_watermark")
source_watermark = make_refused_function("expressions", "source_watermark")


def log(v: Any, base: Any = None) -> Expression[float]:
    """Return the natural logarithm of a number, or its logarithm to the given base.

    >>> log(col("a"), 10)
    log(10, a)
    """
    return _call_built_in("log", *([v] if base is None else [base, v]))


def rand_integer(bound: Any, seed: Any = None) -> Expression[int]:
    """Return a random integer from 0 to the bound (exclusive); with a seed, the same integers on every run.

    >>> rand_integer(10)
    randInteger(10)
    """
    return _call_built_in("randInteger", *([bound] if seed is None else [seed, bound]))


# Leave out ``col``, which every program calls: it raises in its own frame, and a wrapper would slow it down.
public_functions(globals(), without=("col",))
