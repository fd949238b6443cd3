"""The advice for SQL of other databases is valid SQL here."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from pyspark.sql import SparkSession

from grammar.diagnostics.other_databases import _CASTS, _FORMS, _ORDERS
from grammar.type_names import OF_OTHER_DATABASES
from ir.errors import FunctionNotExistException, TableException
from ir.functions.other_databases import _CALLS, _CALLS_WITH, NAMES_WITHOUT_PARENTHESES, WRITTEN_HERE
from tableapi import EnvironmentSettings, TableEnvironment
from tests.grammar.mistakes import AREAS

_ROW = (1, 2, dt.date(2024, 1, 1), dt.datetime(2024, 1, 1), "s", ["x"], "j")
_NAMES = ["a", "b", "d", "ts", "s", "x", "j"]


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    env = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    env.create_temporary_view("t", env.from_elements([_ROW], _NAMES))
    return env


@pytest.mark.parametrize("call", _CALLS)
def test_calls_can_be_written(env: TableEnvironment, call: str) -> None:
    assert len(env.sql_query(f"SELECT {call} FROM t").get_schema().get_field_names()) == 1


@pytest.mark.parametrize("name", WRITTEN_HERE)
def test_foreign_functions_are_recognised(env: TableEnvironment, name: str) -> None:
    with pytest.raises(FunctionNotExistException, match=re.escape(f"Write {WRITTEN_HERE[name]}.")):
        env.sql_query(f"SELECT 1 + {name.upper()}(a) FROM t")


@pytest.mark.parametrize("call", _CALLS_WITH.values())
def test_calls_for_other_numbers_of_arguments_can_be_written(env: TableEnvironment, call: str) -> None:
    assert len(env.sql_query(f"SELECT {call} FROM t").get_schema().get_field_names()) == 1


@pytest.mark.parametrize(("name", "count"), _CALLS_WITH)
def test_wrong_argument_counts_suggest_the_call(env: TableEnvironment, name: str, count: int) -> None:
    spelling = name.replace(" ", "")
    arguments = ", ".join(["a > 1" if name == "IF" else "s", *["a"] * (count - 1)])
    with pytest.raises(TableException, match=re.escape(f"Write {_CALLS_WITH[name, count]}.")):
        env.sql_query(f"SELECT {spelling}({arguments}) FROM t")


@pytest.mark.parametrize("name", NAMES_WITHOUT_PARENTHESES)
def test_a_function_without_parentheses_is_not_a_column(env: TableEnvironment, name: str) -> None:
    with pytest.raises(TableException, match=re.escape(f"Write {NAMES_WITHOUT_PARENTHESES[name]}.")):
        env.sql_query(f"SELECT {name.upper()} FROM t")
    if "…" not in NAMES_WITHOUT_PARENTHESES[name]:
        assert env.sql_query(f"SELECT {NAMES_WITHOUT_PARENTHESES[name]} FROM t").get_schema().get_field_names()


@pytest.mark.parametrize("name", OF_OTHER_DATABASES)
def test_types_of_others_are_answered_with_a_type(env: TableEnvironment, name: str) -> None:
    written = OF_OTHER_DATABASES[name]
    with pytest.raises(TableException, match=re.escape(f"has no type {name!r}. Write {written}.")):
        env.sql_query(f"SELECT CAST(NULL AS {name}) FROM t")
    for accepted in written.split(", or ")[:1]:
        assert env.sql_query(f"SELECT CAST(NULL AS {accepted}) FROM t").get_schema().get_field_names()


def test_spark_has_no_function_of_these_names(spark: SparkSession) -> None:
    known = {row[0].lower() for row in spark.sql("SHOW ALL FUNCTIONS").collect()}
    assert len(known) > 400
    assert known.isdisjoint(WRITTEN_HERE)


# A part of each advice, and a query that follows it; None for advice that needs none.
_WRITTEN = {
    "Write |> SELECT a AS b, …": "FROM t |> SELECT a AS b",
    "Write |> SELECT DISTINCT *": "FROM t |> SELECT DISTINCT *",
    "Write |> WHERE.": "FROM t |> WHERE a > 1",
    "Write |> AGGREGATE SUM(a) GROUP BY b": "FROM t |> AGGREGATE SUM(a) GROUP BY b",
    "Write |> EXTEND SUM(a) OVER (…) AS b": "FROM t |> EXTEND SUM(a) OVER (PARTITION BY b) AS c",
    "Write |> JOIN LATERAL f(…)": "FROM t |> JOIN LATERAL EXPLODE(x)",
    "|> EXTEND ASSERT_TRUE(…)": "FROM t |> EXTEND ASSERT_TRUE(a > 0)",
    "Write |> LIMIT": "FROM t |> LIMIT 5",
    "|> DROP a, b": "FROM t |> DROP a, b",
    "name those of both": "SELECT a, b FROM t UNION ALL SELECT b AS a, a AS b FROM t",
    "Write * EXCEPT (a, b)": "SELECT * EXCEPT (a, b) FROM t",
    "Write * EXCEPT (a), … AS a": "SELECT * EXCEPT (a), a + 1 AS a FROM t",
    "Write * EXCEPT (a), a AS b": "SELECT * EXCEPT (a), a AS c FROM t",
    "t TABLESAMPLE (10 PERCENT) or t TABLESAMPLE (10 ROWS)": "SELECT * FROM t TABLESAMPLE (10 ROWS)",
    "Write t TIMESTAMP AS OF": None,
    "Leave it out": None,
    "Write WITH RECURSIVE": "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t JOIN r ON n < 3) "
    "SELECT n FROM r",
    "Write GROUP BY ROLLUP (a)": "SELECT a, COUNT(*) FROM t GROUP BY ROLLUP (a)",
    "Write QUALIFY": "SELECT a FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) <= 5",
    "The bounds of a frame": "SELECT SUM(a) OVER (ORDER BY b RANGE 1 PRECEDING) FROM t",
    "Write LISTAGG(a, ',')": "SELECT LISTAGG(a, ',') FROM t",
    "Write STRING": "SELECT CAST(a AS STRING) FROM t",
    "A lambda is written x -> x + 1": "SELECT TRANSFORM(ARRAY(1), x -> x + 1) FROM t",
    "Write GET_JSON_OBJECT(a, '$.b')": "SELECT GET_JSON_OBJECT(s, '$.b'), v:b "
    "FROM (SELECT s, PARSE_JSON(j) AS v FROM t)",
    "Write a RLIKE 'b'": "SELECT s RLIKE 'b' FROM t",
    "Write POWER(a, b)": "SELECT POWER(a, b) FROM t",
    "Write a DIV b": "SELECT a DIV b FROM t",
    "with | before a word": "FROM t | WHERE a > 1",
    "WITHIN GROUP (ORDER BY b)": "SELECT LISTAGG(s, ',') WITHIN GROUP (ORDER BY b) FROM t",
    "TRANSFORM(ARRAY_SORT(": "SELECT ARRAY_SORT(ARRAY_AGG(a)), "
    "TRANSFORM(ARRAY_SORT(ARRAY_AGG(STRUCT(b, a))), e -> e.a) FROM t",
    "Write MIN_BY(a, b), or MAX_BY(a, b)": "SELECT MIN_BY(a, b), MAX_BY(a, b) FROM t",
}


@pytest.mark.parametrize("advice", sorted({*_FORMS.values(), *_ORDERS.values()}))
def test_forms_can_be_written(env: TableEnvironment, advice: str) -> None:
    shown = [part for part in _WRITTEN if part in advice]
    assert len(shown) == 1, advice
    query = _WRITTEN[shown[0]]
    if query is not None:
        assert env.sql_query(query).get_schema().get_field_names()


@pytest.mark.parametrize("cast", _CASTS.values())
def test_casts_can_be_written(env: TableEnvironment, cast: str) -> None:
    assert env.sql_query(f"SELECT {cast}").get_schema().get_field_names()


def test_each_form_is_among_the_mistakes(env: TableEnvironment) -> None:
    told = []
    for mistake in AREAS["forms_of_other_databases"]:
        with pytest.raises(TableException) as raised:
            env.sql_query(mistake.text)
        told.append(str(raised.value))
    for advice in {*_FORMS.values(), *_ORDERS.values()}:
        assert any(advice in text for text in told), advice
