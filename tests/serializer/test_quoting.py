"""``quoting="needed"``: texts with few quotes mean what texts with all quotes mean, here and to Spark's parser."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from ir.errors import TableException, ValidationException
from ir.rendering import Layout, Quoting
from serializer.keywords import KEYWORDS, QUOTED_WORDS
from serializer.quoting import quote_function_if_needed, quote_if_needed
from tableapi import EnvironmentSettings, Table, TableEnvironment, udf
from tableapi.expressions import call, col
from tests.answers import Answers
from tests.cases import every
from tests.programs import PROGRAMS, Program
from tests.programs.tables import Tables, environment_without_spark
from tests.versions.quoting import RESERVED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

every_program = every("program", PROGRAMS.values, lambda program: program.name, alike=True)
every_keyword = every("keyword", lambda: sorted(KEYWORDS), str, alike=True)

# So many pairs of texts are one question.
_TOGETHER = 50
ANSWERS = Answers(
    "quoting",
    "tests/serializer/test_quoting.py",
    "tests/versions/quoting.py",
    "tests/versions/sparks.py",
    "tests/versions/trees.py",
)
# How many queries each keyword is tried in. ``tests.versions.quoting`` tries all keywords at all places.
_EACH = 3
# Where a name is written: in each clause, before and after each kind of sign.
QUERIES = (
    "SELECT r.`{w}`, -`{w}` AS `{w}`, `{w}` | `{w}` AS b FROM t AS r WHERE `{w}` > 1 AND NOT `{w}` IN (1, `{w}`)",
    "SELECT `{w}`, sum(b) AS `s` FROM t GROUP BY `{w}` HAVING `{w}` IS NOT NULL ORDER BY `{w}` DESC, s LIMIT 3",
    "SELECT sum(b) OVER (PARTITION BY `{w}` ORDER BY `{w}`) AS q FROM t QUALIFY `{w}` > 1",
    "SELECT x.`{w}`, y.b FROM t AS x LEFT JOIN t AS y ON x.`{w}` = y.`{w}` WHERE EXISTS (SELECT 1 FROM t AS `{w}` "
    "WHERE `{w}`.b = x.b)",
    "WITH `{w}` AS (SELECT DISTINCT `{w}` AS `{w}`, b FROM t) SELECT l.`{w}`, r.b FROM `{w}` AS l, `{w}` AS r",
    "SELECT named_struct('{w}', b).`{w}` AS `{w}`, transform(array(1), `{w}` -> `{w}` + 1) AS `c` FROM t",
    "SELECT * FROM t PIVOT (sum(b) AS `{w}` FOR `{w}` IN (1 AS `{w}`))",
    "SELECT * FROM t UNPIVOT (`v` FOR `{w}` IN (`{w}` AS `{w}`, b))",
    "SELECT `{w}` FROM t UNION ALL SELECT b FROM t EXCEPT SELECT `{w}` FROM t",
    "SELECT CAST(NULL AS STRUCT<`{w}`: INT, b: ARRAY<STRUCT<`{w}`: INT>>>) AS `{w}` FROM t",
    "SELECT CASE WHEN `{w}` > 1 THEN `{w}` ELSE `{w}` END AS a, `{w}` BETWEEN `{w}` AND `{w}` AS b FROM t",
    "SELECT `{w}`.`{w}` FROM t AS `{w}`",
    "SELECT u.`{w}` FROM t AS `{w}`, LATERAL explode(array(`{w}`.`{w}`)) AS u(`{w}`)",
)


def _queries_of(keyword: str) -> list[str]:
    """Return some of the queries with a keyword as the name; each keyword of a group of neighbours gets others."""
    first = sorted(KEYWORDS).index(keyword)
    return [QUERIES[(first * _EACH + next_) % len(QUERIES)].format(w=keyword) for next_ in range(_EACH)]


@cache
def _read_queries_of(keyword: str) -> tuple[TableEnvironment, list[Table]]:
    """Return some of the queries with a keyword, and the environment that has read them; two tests use them."""
    te = _tables(keyword)
    return te, [te.sql_query(query) for query in _queries_of(keyword)]


def _tables(word: str) -> TableEnvironment:
    te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("here").build())
    te.create_temporary_view("t", te.from_elements([(1, 2)], [word, "b"]))
    return te


@pytest.fixture(scope="module")
def offline() -> Tables:
    return Tables(environment_without_spark())


@pytest.mark.slow
@every_program
def test_a_program_is_read_from_its_text_with_few_quotes(program: Program, offline: Tables) -> None:
    table = program.build(offline)
    for layout in Layout:
        text = table.as_serializable_string(layout=layout, quoting="needed")
        with_all = table.as_serializable_string(layout=layout)
        assert offline.env.sql_query(text).query_operation is offline.env.sql_query(with_all).query_operation


@pytest.mark.slow
@every_keyword
def test_a_keyword_as_a_name_is_read_again(keyword: str) -> None:
    te, tables = _read_queries_of(keyword)
    for table in tables:
        for layout in Layout:
            text = table.as_serializable_string(layout=layout, quoting=Quoting.NEEDED)
            with_all = table.as_serializable_string(layout=layout)
            assert te.sql_query(text).query_operation is te.sql_query(with_all).query_operation, text


@pytest.mark.usefixtures("jvm")
def test_spark_parses_both_texts_to_one_tree(offline: Tables, request: pytest.FixtureRequest) -> None:
    """Of all programs, and of all keywords as names, whether words are reserved or not."""
    pairs = [
        [_merged(table, quoting) for quoting in Quoting]
        for program in PROGRAMS.values()
        for table in [program.build(offline)]
    ]
    for keyword in sorted(KEYWORDS):
        pairs += [[_merged(table, quoting) for quoting in Quoting] for table in _read_queries_of(keyword)[1]]
    questions = [pairs[start : start + _TOGETHER] for start in range(0, len(pairs), _TOGETHER)]
    if unknown := [question for question in questions if not ANSWERS.know(*question)]:
        _assert_parsed_to_one_tree(
            request.getfixturevalue("spark"), [pair for question in unknown for pair in question]
        )
        for question in unknown:
            ANSWERS.keep(*question)


def _assert_parsed_to_one_tree(spark: SparkSession, pairs: list[list[str]]) -> None:
    trees: dict[str, str | None] = {}
    for value in ("false", "true"):
        spark.conf.set(RESERVED, value)
        try:
            if not trees:
                trees = {every: _tree(spark, every) for every, _ in pairs}
            # Reserved words change only whether a text with all quotes is parsed, and hardly ever that.
            different = [(every, few) for every, few in pairs if trees[every] != _tree(spark, few)]
            assert [few for every, few in different if _tree(spark, every) != _tree(spark, few)] == []
        finally:
            spark.conf.unset(RESERVED)


def test_the_keywords_are_those_of_spark(spark: SparkSession) -> None:
    spark.conf.set(RESERVED, "true")
    try:
        found = {row[0].lower(): row[1] for row in spark.sql("SELECT * FROM SQL_KEYWORDS()").collect()}
    finally:
        spark.conf.unset(RESERVED)
    assert found.keys() <= KEYWORDS
    reserved = {word for word, is_reserved in found.items() if is_reserved}
    assert reserved
    assert reserved <= QUOTED_WORDS
    assert QUOTED_WORDS <= KEYWORDS


def test_names_that_need_quotes() -> None:
    written = [quote_if_needed(name) for name in ("total", "_c0", "Date", "year", "FROM", "Time", "user")]
    assert written == ["total", "_c0", "Date", "year", "`FROM`", "`Time`", "`user`"]
    assert [quote_if_needed(name) for name in ("", "a b", "1a", "1", "a-b", "a.b", "a`b", "é", "a$b")] == [
        *("``", "`a b`", "`1a`", "`1`", "`a-b`", "`a.b`", "`a``b`", "`é`", "`a$b`"),
    ]


def test_a_function_whose_name_is_a_keyword_keeps_its_quotes() -> None:
    te = _tables("a")
    te.create_temporary_system_function("position", udf(lambda x: x, result_type="BIGINT"))
    te.create_temporary_system_function("net_price", udf(lambda x: x, result_type="BIGINT"))
    table = te.from_path("t").select(call("position", col("a")), call("net_price", col("a")).alias("n"))
    text = _merged(table, Quoting.NEEDED)
    assert "`position`(a)" in text
    assert " net_price(a) AS n" in text
    assert te.sql_query(text).query_operation is table.query_operation
    assert quote_function_if_needed("date") == "`date`"


def test_names_that_sessions_would_substitute_remain_identifier_clauses() -> None:
    te = _tables("${env:HOME}")
    text = _merged(te.from_path("t").select(col("${env:HOME}"), col("b")), Quoting.NEEDED)
    assert text == "SELECT IDENTIFIER('`\\u0024{env:HOME}`'), b\nFROM t"


def test_flink_and_sail_quote_every_name() -> None:
    table = _tables("a").sql_query("SELECT a FROM t")
    with pytest.raises(TableException, match=r"Texts for Flink quote all names, because Flink reserves most words"):
        table.as_serializable_string("FLINK", quoting="needed")
    with_all = table.as_serializable_string(target="sail-0.7")
    assert table.as_serializable_string(target="sail-0.7", quoting="needed") == with_all


def test_an_unknown_quoting_is_named_with_the_nearest() -> None:
    table = _tables("a").sql_query("SELECT a FROM t")
    message = r"'need' is no quoting; accepted are ALL, NEEDED\. Did you mean 'NEEDED'\?"
    with pytest.raises(ValidationException, match=message):
        table.as_serializable_string(quoting="need")  # type: ignore[arg-type]  # the mistake of the test


def _merged(table: Table, quoting: Quoting) -> str:
    return table.as_serializable_string(layout=Layout.MERGED, quoting=quoting)


def _tree(spark: SparkSession, text: str) -> str | None:
    """Return Spark's tree of a text; None if Spark does not parse it, because a function's name is reserved."""
    from pyspark.errors import ParseException

    from tests.versions.trees import parsed_tree

    parser: Any = spark._jsparkSession.sessionState().sqlParser()
    try:
        return parsed_tree(parser, text)
    except ParseException:
        return None
