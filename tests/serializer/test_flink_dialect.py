"""SQL for Flink: the forms that keep Spark's meaning, and errors where no such form exists."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import pytest

from ir.expressions import ValueLiteral
from ir.identifiers import ObjectIdentifier
from ir.operations.source import Source
from ir.schema import ResolvedSchema
from ir.types import INT, TIMESTAMP
from serializer.flink.notation import FLINK
from serializer.nested import nested_text
from tableapi import DataTypes as T
from tableapi import Dialect, JsonOnNull, Table, TableException, TimeIntervalUnit
from tableapi.data.elements import table_of_elements
from tableapi.environment.table_environment import TableEnvironment
from tableapi.expression import Expression
from tableapi.expressions import (
    UNBOUNDED_RANGE,
    array,
    call,
    col,
    concat,
    cume_dist,
    current_time,
    dense_rank,
    exists,
    if_then_else,
    json_object,
    lit,
    local_time,
    map_,
    null_of,
    range_interval,
    rank,
    row_interval,
    row_number,
    scalar,
)
from tableapi.window import Over, Session, Slide, Tumble
from tests.programs.tables import Tables, environment_without_spark

F = T.FIELD
COLUMNS = T.ROW(
    [
        F("truth", T.BOOLEAN()),
        F("small", T.SMALLINT()),
        F("number", T.INT()),
        F("big", T.BIGINT()),
        F("single", T.FLOAT()),
        F("double", T.DOUBLE()),
        F("money", T.DECIMAL(10, 2)),
        F("text", T.STRING()),
        F("bytes", T.BYTES()),
        F("day", T.DATE()),
        F("clock", T.TIME(3)),
        F("at", T.TIMESTAMP()),
        F("instant", T.TIMESTAMP_LTZ()),
        F("months", T.INTERVAL(T.MONTH())),
        F("span", T.INTERVAL(T.DAY(), T.SECOND(6))),
        F("list", T.ARRAY(T.INT())),
        F("map", T.MAP(T.STRING(), T.INT())),
        F("row", T.ROW([F("x", T.INT())])),
        F("other_row", T.ROW([F("x", T.INT())])),
    ]
)
TABLE = TableEnvironment.create().from_operation(table_of_elements([], COLUMNS))
AnyExpression = Expression[object]
_BY_NUMBER = Over.order_by(col("number"))


def written(expression: AnyExpression) -> str:
    """Return the FLINK text of an expression, on one line."""
    text = TABLE.select(expression.alias("out")).as_serializable_string(Dialect.FLINK)
    text = re.sub(r"(?<=\()\n *|\n *(?=\))", "", text)
    text = " ".join(text.split())
    return text.removeprefix("SELECT ").split(" FROM (SELECT ")[0].removesuffix(" AS `out`")


def refusal(build: Callable[[], object]) -> str:
    """Return the message for a construct that has no FLINK text."""
    with pytest.raises(TableException) as refused:
        build()
    message = str(refused.value)
    assert "SPARK" in message, "it says what to do"
    return message


# --- implicit behaviour of Spark becomes explicit --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (col("number") + col("big"), "`number` + `big`"),
        (col("number") + col("double"), "CAST(`number` AS DOUBLE) + `double`"),
        (col("number") / 4, "CAST(`number` AS DOUBLE) / CAST(4 AS DOUBLE)"),
        (col("money") / 4, "`money` / CAST(4 AS DECIMAL(1, 0))"),
        (col("big") % col("number"), "`big` % CAST(`number` AS BIGINT)"),
        (col("number") % col("big"), "`number` % `big`"),
        (col("number") == col("text"), "`number` = CAST(`text` AS BIGINT)"),
        (col("number").in_(1, 2.5), "CAST(`number` AS DOUBLE) IN (CAST(1 AS DOUBLE), 2.5E0)"),
        (col("number").between(1, 2), "`number` BETWEEN 1 AND 2"),
        (
            col("number").between(col("text"), col("double")),
            "((`number` >= CAST(`text` AS BIGINT) AND CAST(`number` AS DOUBLE) <= `double`))",
        ),
        (
            col("number").not_between(col("text"), col("double")),
            "((`number` < CAST(`text` AS BIGINT) OR CAST(`number` AS DOUBLE) > `double`))",
        ),
        (concat(col("text"), col("number")), "CONCAT(`text`, CAST(`number` AS STRING))"),
        (if_then_else(col("truth"), 1, "x"), "CASE WHEN `truth` THEN 1 ELSE CAST('x' AS BIGINT) END"),
        (array(1, col("double")), "ARRAY[CAST(1 AS DOUBLE), `double`]"),
        (lit(None).is_true, "CAST(NULL AS BOOLEAN) IS TRUE"),
        (col("truth") & lit(None), "`truth` AND CAST(NULL AS BOOLEAN)"),
        (col("number").is_distinct_from(lit(None)), "`number` IS DISTINCT FROM CAST(NULL AS INT)"),
        (col("number").is_not_distinct_from(lit(None)), "`number` IS NOT DISTINCT FROM CAST(NULL AS INT)"),
    ],
    ids=str,
)
def test_casts_of_arguments(expression: AnyExpression, text: str) -> None:
    assert written(expression) == text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (col("number").sum, "SUM(CAST(`number` AS BIGINT))"),
        (col("money").sum, "CAST(SUM(`money`) AS DECIMAL(20, 2))"),
        (col("single").avg, "AVG(CAST(`single` AS DOUBLE))"),
        (col("money").avg, "CAST(AVG(CAST(`money` AS DECIMAL(14, 6))) AS DECIMAL(14, 6))"),
        (col("number").sum0, "COALESCE(SUM(CAST(`number` AS BIGINT)), CAST(0 AS BIGINT))"),
        (col("number").max, "MAX(`number`)"),
        (col("text").list_agg(), "LISTAGG(`text`)"),
    ],
    ids=str,
)
def test_aggregates_are_of_the_type_of_their_result(expression: AnyExpression, text: str) -> None:
    assert written(expression) == text


# --- equivalent calls ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (col("day") - col("day"), "(`day` - `day`) DAY"),
        (col("clock") - col("clock"), "(`clock` - `clock`) HOUR TO SECOND"),
        (col("span") + col("at"), "((`at` + `span`))"),
        (col("at") - col("span"), "`at` - `span`"),
        (lit(1).days + col("span"), "((`span` + INTERVAL '1' DAY))"),
        (lit(1).days - col("span"), "((((-`span`)) + INTERVAL '1' DAY))"),
        (col("span") * 2, "`span` * 2"),
        (col("text").like("a%"), "`text` LIKE 'a%'"),
        (col("text").like("a\\%"), r"`text` LIKE 'a\%' ESCAPE '\'"),
        (col("text").like(col("text")), r"`text` LIKE `text` ESCAPE '\'"),
        (col("text").like("a", "!"), "`text` LIKE 'a' ESCAPE '!'"),
        (concat(col("list"), col("list")), "ARRAY_CONCAT(`list`, `list`)"),
        (col("text").substring(1, 2), "SUBSTRING(`text` FROM 1 FOR 2)"),
        (col("text").substring(1, -1), "SUBSTRING(`text` FROM 1 FOR GREATEST(-1, 0))"),
        (col("text").substring(-2), "SUBSTRING(`text` FROM GREATEST(-2, -CHAR_LENGTH(`text`)))"),
        (
            col("text").substring(col("number"), col("small")),
            "SUBSTRING(`text` FROM GREATEST(`number`, -CHAR_LENGTH(`text`)) FOR "
            "GREATEST(`small` - (GREATEST(`number`, -CHAR_LENGTH(`text`)) - `number`), 0))",
        ),
        (col("text").substring(1, col("number")), "SUBSTRING(`text` FROM 1 FOR GREATEST(`number`, 0))"),
        (col("at").extract(TimeIntervalUnit.YEAR), "CAST(EXTRACT(YEAR FROM `at`) AS INT)"),
        (
            col("at").extract(TimeIntervalUnit.SECOND),
            "CAST(SUBSTRING(CAST(CAST(`at` AS TIMESTAMP(6)) AS STRING) FROM 18) AS DECIMAL(8, 6))",
        ),
        (
            col("clock").extract(TimeIntervalUnit.SECOND),
            "CAST(SUBSTRING(CAST(CAST(`clock` AS TIME(3)) AS STRING) FROM 7) AS DECIMAL(5, 3))",
        ),
        (col("span").extract(TimeIntervalUnit.HOUR), "CAST(EXTRACT(HOUR FROM `span`) AS TINYINT)"),
        (
            col("span").extract(TimeIntervalUnit.SECOND),
            "CAST(EXTRACT(SECOND FROM `span`) + EXTRACT(MILLISECOND FROM `span`) * 0.001 AS DECIMAL(8, 6))",
        ),
    ],
    ids=str,
)
def test_calls_with_another_flink_form(expression: AnyExpression, text: str) -> None:
    assert written(expression) == text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (col("list").at(1), "`list`[1]"),
        (col("map").at("k"), "`map`['k']"),
        # The elements of a literal array are NOT NULL, so that Flink returns a default beyond the last one.
        (array(1, 2).at(3), "CAST(ARRAY[1, 2] AS ARRAY<INT>)[3]"),
        (
            col("list").at(col("number")),
            "`list`[CASE WHEN `number` < 0 THEN CARDINALITY(`list`) + 1 + `number` ELSE `number` END]",
        ),
        (array().cast(T.ARRAY(T.INT())), "ARRAY_SLICE(ARRAY[CAST(NULL AS INT)], 2, 1)"),
        (
            map_().cast(T.MAP(T.INT(), T.STRING())),
            "CAST(MAP_FROM_ARRAYS(ARRAY_SLICE(ARRAY[CAST(NULL AS INT)], 2, 1), "
            "ARRAY_SLICE(ARRAY[CAST(NULL AS INT)], 2, 1)) AS MAP<INT, STRING>)",
        ),
        (map_("a", 1), "MAP['a', 1]"),
        (
            json_object(JsonOnNull.ABSENT, "a", col("day"), "b", col("money")),
            "JSON_OBJECT(KEY 'a' VALUE CAST(`day` AS STRING), KEY 'b' VALUE `money` ABSENT ON NULL)",
        ),
        (json_object(JsonOnNull.NULL, "a", col("list")), "JSON_OBJECT(KEY 'a' VALUE `list` NULL ON NULL)"),
        (json_object(JsonOnNull.NULL, "a", None), "JSON_OBJECT(KEY 'a' VALUE CAST(NULL AS STRING) NULL ON NULL)"),
    ],
    ids=str,
)
def test_collections_and_json(expression: AnyExpression, text: str) -> None:
    assert written(expression) == text


_TEXT_OF_TIME = "TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(CAST({} AS {}) AS STRING)))"


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (col("truth").cast(T.STRING()), "LOWER(CAST(`truth` AS STRING))"),
        (col("at").cast(T.STRING()), _TEXT_OF_TIME.format("`at`", "TIMESTAMP(6)")),
        (col("clock").cast(T.STRING()), _TEXT_OF_TIME.format("`clock`", "TIME(3)")),
        (col("text").cast(T.BYTES()), "CAST(`text` AS BYTES)"),
        (col("at").cast(T.DATE()), "CAST(FLOOR(`at` TO DAY) AS DATE)"),
        (
            col("at").cast(T.TIME(0)),
            "CAST(SUBSTRING(CAST(CAST(`at` AS TIMESTAMP(6)) AS STRING) FROM 12 FOR 8) AS TIME(0))",
        ),
        (
            col("at").cast(T.TIME(3)),
            "CAST(SUBSTRING(CAST(CAST(`at` AS TIMESTAMP(6)) AS STRING) FROM 12 FOR 12) AS TIME(3))",
        ),
        (col("list").cast(T.ARRAY(T.BIGINT())), "CAST(`list` AS ARRAY<BIGINT>)"),
        (col("row").cast(T.ROW([F("y", T.BIGINT())])), "CAST(`row` AS ROW<`y` BIGINT>)"),
        (lit(None).cast(T.INT()), "CAST(NULL AS INT)"),
        (col("number").try_cast(T.BIGINT()), "TRY_CAST(`number` AS BIGINT)"),
        # Flink's own TRY_CAST truncates the high bits, and reads '1.5' as 1.
        (col("big").try_cast(T.INT()), "TRY_CAST(CAST(`big` AS STRING) AS INT)"),
        (col("text").try_cast(T.INT()), r"TRY_CAST(REGEXP_EXTRACT(`text`, '^\s*([+-]?[0-9]+)\s*$', 1) AS INT)"),
        (
            col("text").try_cast(T.DECIMAL(5, 2)),
            r"TRY_CAST(REGEXP_EXTRACT(`text`, '^\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*$', 1) "
            "AS DECIMAL(5, 2))",
        ),
    ],
    ids=str,
)
def test_casts(expression: AnyExpression, text: str) -> None:
    assert written(expression) == text


def test_an_attempt_to_read_a_date_takes_what_spark_reads() -> None:
    text = written(col("text").try_cast(T.DATE()))
    pattern = re.fullmatch(r"TRY_CAST\(REGEXP_EXTRACT\(`text`, '(.*)', 1\) AS DATE\)", text)
    assert pattern is not None
    for value in ("2024", "2024-1", " 2024-01-02 ", "2024-1-2T03:04", "2024-01-02 x"):
        assert re.match(pattern[1].replace(r"(?<=-[0-9]{1,2}-[0-9]{1,2})", ""), value)
    assert not re.match(pattern[1].replace(r"(?<=-[0-9]{1,2}-[0-9]{1,2})", ""), "7")


# --- constructs without a form ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (col("at") - col("at"), "minus(at, at) has no text in Flink's SQL that means the same: the difference of two"),
        (col("day") + 1, "a number of days is no interval there; write the interval, as in col + lit(1).days"),
        (col("span") * col("double"), "an interval can be multiplied by whole numbers only"),
        (col("span") / 2, "an interval cannot be divided"),
        (col("double") % 2, "its % is for whole and decimal numbers"),
        (col("row").is_distinct_from(col("other_row")), "a row of NULLs is the same as NULL there"),
        (concat(col("bytes"), col("bytes")), "CONCAT joins text only"),
        (col("bytes").char_length, "CHAR_LENGTH counts the characters of text only"),
        (col("bytes").substring(1), "SUBSTRING takes parts of text only"),
        (col("bytes").substr(1), "SUBSTRING takes parts of text only"),
        (col("bytes").overlay(col("bytes"), 1), "OVERLAY changes text only"),
        (current_time(), "its CURRENT_TIME has no fraction of a second"),
        (local_time(), "its LOCALTIME has no fraction of a second"),
        (col("span").sum, "it has no aggregates of intervals"),
        (col("months").avg, "it has no aggregates of intervals"),
        (col("span").max, "its MAX takes no INTERVAL DAY TO SECOND"),
        (col("list").min, "its MIN takes no ARRAY<INT>"),
        (col("bytes").max, "its MAX takes no BYTES"),
        (col("bytes").list_agg(), "its LISTAGG joins text only"),
        (col("number").array_agg, "its ARRAY_AGG keeps NULL, and is NULL where there are no rows"),
        (array(lit(1).days, lit(1).hours), "intervals of different fields have no common type in a collection there"),
        (array(None), "a NULL without a type has no place in it there; give it one with null_of"),
        (array(), "an empty collection has no type there; cast it to one"),
        (array().cardinality, "an empty collection has no type there; cast it to one"),
        (map_().cast(T.MAP(T.STRING(), T.ARRAY(T.INT()))), "a map of collections has no empty form there"),
        (json_object(JsonOnNull.NULL, "k", 1, "k", 2), "of a key that is given twice it keeps one value"),
        (json_object(JsonOnNull.NULL, "k", col("single")), "a FLOAT has more digits in JSON there; cast it to DOUBLE"),
        (
            json_object(JsonOnNull.NULL, "k", col("at")),
            "values of type TIMESTAMP become JSON in another form there",
        ),
        (
            json_object(JsonOnNull.NULL, "k", array(col("single"))),
            "values of type FLOAT become JSON in another form there",
        ),
        (call("TO_JSON", col("row")), "Flink has no TO_JSON, and its JSON_STRING keeps NULL in rows"),
        (col("span").cast(T.STRING()), "values of type INTERVAL DAY TO SECOND become text in another form there"),
        (col("list").cast(T.STRING()), "values of type ARRAY<INT> become text in another form there"),
        (col("text") + lit(1).days, "values of type INTERVAL DAY become text in another form there"),
        (col("number").cast(T.TIMESTAMP_LTZ()), "a number is no point in time and no interval there"),
        (col("number").cast(T.INTERVAL(T.DAY())), "a number is no point in time and no interval there"),
        (col("instant").cast(T.BIGINT()), "values of type TIMESTAMP_LTZ become no numbers there"),
        (col("clock").cast(T.TIMESTAMP()), "a time of day becomes one of 1970-01-01 there"),
        (col("at").cast(T.TIME(6)), "its TIME has milliseconds, TIME(6) has more"),
        (col("text").cast(T.TIME(6)), "its TIME has milliseconds, TIME(6) has more"),
        (col("text").cast(T.INTERVAL(T.DAY())), "text is read as an interval in another form there"),
        (col("span").cast(T.INTERVAL(T.DAY())), "its intervals keep what is finer than a DAY"),
        (array(col("truth")).cast(T.ARRAY(T.STRING())), "the BOOLEAN in a collection cannot be cast as Spark casts it"),
        (col("double").try_cast(T.INT()), "its TRY_CAST cuts off what is too large for INT"),
        (col("text").try_cast(T.TIMESTAMP()), "its TRY_CAST reads text as a TIMESTAMP that Spark does not"),
        (
            col("list").try_cast(T.ARRAY(T.STRING())),
            "its TRY_CAST does not see what is wrong inside of a collection",
        ),
    ],
    ids=str,
)
def test_no_form(expression: AnyExpression, reason: str) -> None:
    message = refusal(lambda: written(expression))
    assert reason in message
    assert message.endswith("Serialise it with the dialect SPARK.")


def test_an_interval_times_null() -> None:
    assert written(col("span") * lit(None)) == "`span` * CAST(NULL AS INT)"
    assert written(col("span") * null_of(T.INT())) == "`span` * ((CAST(NULL AS INT)))"


# --- windows over rows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (row_number().over(_BY_NUMBER), "CAST(ROW_NUMBER() OVER (ORDER BY `number`) AS INT)"),
        (
            col("text").first_value.ignore_nulls.over(_BY_NUMBER),
            "FIRST_VALUE(`text`) OVER (ORDER BY `number`)",
        ),
        (
            lit("a").lag(1, col("text")).over(_BY_NUMBER),
            "LAG(CAST('a' AS STRING), 1, `text`) OVER (ORDER BY `number`)",
        ),
        (
            col("number").lag(1, 0).over(_BY_NUMBER),
            "LAG(`number`, 1, TRY_CAST(0 AS INT)) OVER (ORDER BY `number`)",
        ),
    ],
    ids=str,
)
def test_window_functions(expression: AnyExpression, text: str) -> None:
    assert written(expression) == text


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (col("number").sum.where(col("truth")).over(_BY_NUMBER), "an aggregate over a window has no condition there"),
        (
            col("text").last_value.over(_BY_NUMBER),
            "its LAST_VALUE passes over NULL; with ignore_nulls",
        ),
        (rank().over(Over.order_by(col("instant"))), "its RANK compares no TIMESTAMP_LTZ"),
        (dense_rank().over(Over.order_by(col("list"))), "its DENSE_RANK compares no ARRAY<INT>"),
        (row_number().over(Over.order_by(lit(1))), "its ROW_NUMBER needs an order by something that is no constant"),
        (
            col("number").sum.over(Over.partition_by(col("text")).preceding(row_interval(1))),
            "without an order it takes the whole partition for any frame",
        ),
        (
            col("number").sum.over(Over.order_by(col("at")).preceding(lit(1).hours)),
            "a distance from a timestamp fails there; count rows, or sort by a date or a number",
        ),
        (
            col("number").sum.over(Over.order_by(col("day")).preceding(lit(1).months)),
            "a frame has no distances in months there",
        ),
        (
            col("number").sum.over(Over.order_by(col("big")).preceding(UNBOUNDED_RANGE).following(range_interval(1))),
            "a frame with a distance, that is unbounded or without the current row, has other rows there",
        ),
        (
            col("number").sum.over(
                Over.order_by(col("big")).preceding(range_interval(3)).following(range_interval(-1))
            ),
            "a frame with a distance, that is unbounded or without the current row, has other rows there",
        ),
        (col("number").lag(1).ignore_nulls.over(_BY_NUMBER), "its LAG does not pass over NULL"),
        (col("list").lead(1).over(_BY_NUMBER), "its LEAD takes no ARRAY<INT>"),
        (col("number").nth_value(2).over(_BY_NUMBER), "it has no NTH_VALUE"),
        (cume_dist().over(_BY_NUMBER), "its CUME_DIST differs between rows with equal sort keys"),
    ],
    ids=str,
)
def test_windows_without_a_form(expression: AnyExpression, reason: str) -> None:
    assert reason in refusal(lambda: written(expression))


# --- windows over time -----------------------------------------------------------------------------------------------


def _flink(table: Table) -> str:
    return " ".join(table.as_serializable_string(Dialect.FLINK).split())


@pytest.mark.parametrize(
    ("window", "function", "arguments"),
    [
        (Tumble.over(lit(10).minutes), "TUMBLE", ", DESCRIPTOR(`at`), INTERVAL '10' MINUTE)"),
        (
            Slide.over(lit(90).seconds).every(lit(1).minutes),
            "HOP",
            ", DESCRIPTOR(`at`), INTERVAL '1' MINUTE, INTERVAL '1:30.000' MINUTE TO SECOND(3))",
        ),
        (Slide.over(lit(2).hours).every(lit(2).hours), "TUMBLE", ", DESCRIPTOR(`at`), INTERVAL '2' HOUR)"),
        (Session.with_gap(lit(1).days), "SESSION", " PARTITION BY (`text`), DESCRIPTOR(`at`), INTERVAL '1' DAY)"),
    ],
    ids=["tumble", "hop", "slide as long as the size", "session"],
)
def test_windows_over_time_are_table_functions(window: Any, function: str, arguments: str) -> None:
    table = TABLE.select(col("at"), col("text")).window(window.on(col("at")).alias("w"))
    text = _flink(table.group_by(col("w"), col("text")).select(col("text"), lit(1).count.alias("n")))
    assert f"FROM TABLE( {function}(( SELECT `at`, `text` FROM (" in text
    assert f" ){arguments} ) GROUP BY `window_start`, `window_end`, `text`" in text


def test_columns_named_like_window_columns_are_renamed() -> None:
    table = TABLE.select(col("at"), col("number").alias("window_start"))
    grouped = table.window(Tumble.over(lit(1).days).on(col("at")).alias("w")).group_by(col("w"))
    assert "`window_start` AS `window_start_0`" in _flink(grouped.select(col("window_start").sum))


def test_windows_over_time_without_a_form() -> None:
    days = Tumble.over(lit(1).days)
    of_instants = TABLE.window(days.on(col("instant")).alias("w")).group_by(col("w")).select(lit(1).count)
    assert "windows over a TIMESTAMP_LTZ begin at times of the session's time zone" in refusal(
        lambda: of_instants.as_serializable_string(Dialect.FLINK)
    )
    sets = TABLE.rollup(call("WINDOW", col("at"), "1 day").alias("w")).select(lit(1).count)
    assert "the window is the first key of every grouping set" in refusal(
        lambda: sets.as_serializable_string(Dialect.FLINK)
    )


# --- subqueries ------------------------------------------------------------------------------------------------------

TABLES = Tables(environment_without_spark())
_ORDERS, _LINES, _NOTHING = TABLES.orders, TABLES.lines, TABLES.nothing
_LINES_OF_ORDER = _LINES.filter(col("line_order") == _ORDERS.outer("order_id"))


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        (
            lambda: TABLE.filter(exists(_LINES.filter(col("quantity") == TABLE.outer("number")))),
            "it does not plan a correlated subquery over rows that are written out",
        ),
        (
            lambda: _ORDERS.select(exists(_LINES_OF_ORDER), exists(_NOTHING)),
            "beside a correlated subquery, it takes an EXISTS without references to be TRUE",
        ),
        (
            lambda: _ORDERS.filter(exists(_LINES_OF_ORDER) | exists(_NOTHING)),
            "beside a correlated subquery, it takes an EXISTS without references to be TRUE",
        ),
        (
            lambda: _ORDERS.filter(exists(_NOTHING) & (exists(_LINES_OF_ORDER) | (col("order_id") > 104))),
            "beside a correlated subquery, it takes an EXISTS without references to be TRUE",
        ),
        (
            lambda: _ORDERS.filter(exists(_LINES_OF_ORDER) | (scalar(_NOTHING.select(lit(1).count)) > 0)),
            "beside a correlated subquery, it takes an EXISTS without references to be TRUE",
        ),
        (
            lambda: _ORDERS.select(col("customer_id").in_(_NOTHING.select(col("a")))),
            "beside NULLs its result is NULL, and FALSE in Spark, except in a filter",
        ),
        (
            lambda: _ORDERS.select(scalar(TABLES.products.select(col("tags")).fetch(1))),
            "it has no scalar subquery of an array, a map or a row",
        ),
        (
            lambda: _ORDERS.join(_NOTHING, exists(_LINES_OF_ORDER)),
            "it fails on EXISTS and IN in the predicate of a join",
        ),
        (
            lambda: TABLE.filter(col("row").in_(TABLE.select(col("other_row")))),
            "it does not look for rows in a table of rows",
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_subqueries_without_a_form(build: Callable[[], Table], reason: str) -> None:
    table = build()
    assert reason in refusal(lambda: table.as_serializable_string(Dialect.FLINK))


@pytest.mark.parametrize(
    "table",
    [
        _ORDERS.filter(exists(_LINES_OF_ORDER) & ~exists(_NOTHING)),
        _ORDERS.filter(~exists(_NOTHING)).select(exists(_LINES_OF_ORDER)),
        _ORDERS.select(exists(_NOTHING), exists(_LINES)),
        _ORDERS.filter(exists(_NOTHING) | (col("order_id") > 104)),
        _ORDERS.filter(exists(_LINES_OF_ORDER) & (scalar(_LINES.select(col("quantity").max)) > 0)),
        _ORDERS.filter(~col("customer_id").in_(_NOTHING.select(col("a"))) & (col("order_id") > 104)),
    ],
    ids=lambda table: " / ".join(table.as_summary_string().split("\n")[0:1]),
)
def test_subqueries_that_flink_answers(table: Table) -> None:
    assert "EXISTS (" in _flink(table) or " IN (" in _flink(table)


# --- operations ------------------------------------------------------------------------------------------------------


def test_a_pivot_is_an_aggregation_with_conditions() -> None:
    table = _LINES.group_by(col("line_order")).pivot(col("sku"), ["pen", "ink"]).select(col("quantity").sum)
    text = _flink(table)
    assert "PIVOT" not in text
    assert "SUM(CAST(`quantity` AS BIGINT)) FILTER (WHERE `sku` = 'pen')" in text
    assert "CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN" in text or "THEN CAST(NULL AS BIGINT)" in text


def test_an_unpivot_is_a_join_with_labels() -> None:
    text = _flink(
        TABLE.select(col("text"), col("number"), col("big")).unpivot(
            None, [col("number"), col("big")], "which", "value"
        )
    )
    assert "UNPIVOT" not in text
    assert "CROSS JOIN (" in text
    assert "(VALUES ('number'), ('big') )" in text
    assert "CASE WHEN `label0` = 'number' THEN CAST(`number` AS BIGINT) ELSE `big` END AS `value`" in text


def test_hints_and_samples_are_refused() -> None:
    assert "The hint BROADCAST has no text in Flink's SQL" in refusal(lambda: _flink(_LINES.hint("broadcast")))
    assert "The hint REPARTITION has no text in Flink's SQL" in refusal(lambda: _flink(_LINES.hint("repartition", 3)))
    assert "A sample has no text in Flink's SQL" in refusal(lambda: _flink(_LINES.sample(0.5)))


def test_versions_are_refused_and_points_in_time_are_read() -> None:
    path, schema = ObjectIdentifier("t"), ResolvedSchema.of(["a"], [INT])
    with pytest.raises(TableException, match=r"The version 3 of .* use timestamp="):
        nested_text(Source(path, schema, version="3"), FLINK)
    table = Source(path, schema, timestamp=ValueLiteral(dt.datetime(2024, 1, 1), TIMESTAMP.not_null()))
    text = nested_text(table, FLINK)
    assert text.endswith("`t` FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-01 00:00:00'")


def test_limits_are_of_the_standard() -> None:
    assert _flink(_LINES.order_by(col("sku")).offset(1).fetch(2)).endswith(
        "ORDER BY `sku` OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY"
    )


def test_the_order_below_projections_is_the_last_thing_to_do() -> None:
    table = _LINES.order_by(col("quantity").desc).select(col("sku").alias("quantity")).filter(col("quantity") != "x")
    text = _flink(table)
    assert text.startswith("SELECT `quantity` FROM (")
    assert text.endswith(") AS `sorted` ORDER BY `sort_key_0` DESC")
    # The inner ORDER BY comes from the query, and has no effect in Flink.
    assert text.count("ORDER BY") == 2


def test_an_order_with_a_limit_is_not_moved() -> None:
    text = _flink(_LINES.order_by(col("sku")).fetch(2).select(col("quantity")))
    assert text.endswith("FETCH NEXT 2 ROWS ONLY )")


def test_the_sides_of_a_set_operation_get_its_types() -> None:
    numbers = TABLE.select(col("number")).union_all(TABLE.select(col("text")))
    # In Flink, an INT becomes a BIGINT without a cast.
    assert "( SELECT `number` FROM (" in _flink(numbers)
    assert "( SELECT CAST(`text` AS BIGINT) AS `text` FROM (" in _flink(numbers)
