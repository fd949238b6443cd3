"""The forms of SQL that one dialect lacks, and the modules that a text in each dialect loads."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from grammar.language import Form
from grammar.languages import find_language
from grammar.reading import Surroundings, parse_query
from ir.errors import SqlParserException, ValidationException
from ir.rendering import Dialect
from tests.grammar.reading import surroundings
from tests.programs.tables import DATABASE, environment_without_spark

ROOT = Path(__file__).resolve().parents[2]
FORMS = {value for name, value in vars(Form).items() if name.isupper()}
_ONE = "FROM (VALUES (1, 2)) AS t (a, b)"

# A text with each form, which the other dialect accepts.
TEXTS = {
    Form.LAMBDA: "SELECT ARRAY_SORT(ARRAY_AGG(x), (a, b) -> 1) AS s FROM left_bag",
    Form.COLLATION: "SELECT 'a' COLLATE UTF8_LCASE AS a",
    Form.VARIANT_PATH: "SELECT PARSE_JSON('{}'):b AS a",
    Form.SEVERAL_PATTERNS: "SELECT 'a' LIKE ANY ('a', 'b') AS a",
    Form.BETWEEN_SYMMETRIC: f"SELECT a BETWEEN SYMMETRIC 2 AND b AS x {_ONE}",
    Form.BETWEEN_ASYMMETRIC: f"SELECT a BETWEEN ASYMMETRIC 2 AND b AS x {_ONE}",
    Form.ROW_CALL: "SELECT ROW(1, 2) AS a",
    Form.BRACKET_CONSTRUCTOR: "SELECT ARRAY[1, 2] AS a",
    Form.JSON_TABLE: "SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (c INT PATH '$'))",
    Form.NUMBER_SUFFIX: "SELECT 1L AS a",
    Form.VALUES_AFTER_IN: "SELECT 1 IN (VALUES (1)) AS a",
    Form.COLLATED_TYPE: "SELECT CAST('a' AS STRING COLLATE UTF8_LCASE) AS a",
    Form.CALENDAR_INTERVAL: "SELECT CAST('1 day' AS INTERVAL) AS a",
    Form.RENAMED_WINDOW: f"SELECT SUM(a) OVER v AS x {_ONE} WINDOW w AS (PARTITION BY b), u AS w, v AS u",
    Form.EXTENDED_WINDOW: f"SELECT SUM(a) OVER (w ORDER BY a) AS x {_ONE} WINDOW w AS (PARTITION BY b)",
    Form.TABLE_OPTIONS: "SELECT * FROM events WITH ('header' = 'true')",
    Form.TABLE_OF_FUNCTION: "SELECT * FROM TABLE(UNNEST(ARRAY[1]))",
    Form.ORDINALITY_OF_FUNCTION: "SELECT * FROM EXPLODE(ARRAY(1)) WITH ORDINALITY AS t (a, n)",
    Form.WATERMARK: "SELECT * FROM events WATERMARK ts DELAY OF INTERVAL 1 MINUTE",
    Form.NONDETERMINISTIC_QUERY_AGAIN: "WITH r AS (SELECT RAND() AS x) SELECT r.x, s.x AS y FROM r, r AS s",
    Form.TRANSFORM: "SELECT TRANSFORM (1) USING 'cat' AS (a)",
    Form.EMPTY_GROUP_KEY: f"SELECT SUM(a) AS x {_ONE} GROUP BY ()",
    Form.AGGREGATE_IN_QUALIFY: f"SELECT b, SUM(SUM(a)) OVER () AS s {_ONE} GROUP BY b QUALIFY SUM(a) > 0",
    Form.WINDOW_IN_KEY: f"SELECT a {_ONE} ORDER BY RANK() OVER (ORDER BY a)",
    Form.FETCH: f"SELECT a {_ONE} FETCH NEXT 2 ROWS ONLY",
    Form.OFFSET_ROWS: f"SELECT a {_ONE} OFFSET 2 ROWS",
}


@pytest.fixture(scope="module")
def around() -> dict[Dialect, Surroundings]:
    env = environment_without_spark()
    env.use_database(DATABASE)
    return {dialect: surroundings(env, dialect) for dialect in Dialect}


def test_one_dialect_refuses_each_form() -> None:
    refused = [set(find_language(dialect).refused) for dialect in Dialect]
    assert set.union(*refused) == FORMS
    assert not set.intersection(*refused)


@pytest.mark.parametrize("form", TEXTS)
def test_one_dialect_refuses_a_form_with_its_message(form: str, around: dict[Dialect, Surroundings]) -> None:
    for dialect, known in around.items():
        refusal = find_language(dialect).refused.get(form)
        if refusal is not None:
            beginning = re.escape(refusal.message.partition("{")[0])
            with pytest.raises((SqlParserException, ValidationException), match=f"^{beginning}") as raised:
                parse_query(TEXTS[form], known)
            assert "{" not in str(raised.value).partition("\n")[0]
        elif form != Form.ORDINALITY_OF_FUNCTION:
            # Flink has that form with functions that a query here cannot call.
            parse_query(TEXTS[form], known)


@pytest.mark.parametrize(
    ("text", "dialect", "is_loaded"),
    [("SELECT 1 AS a", "SPARK", False), ("SELECT 1 AS a", "FLINK", True)],
    ids=["Spark's text", "Flink's text"],
)
def test_what_reads_flinks_sql_is_loaded_by_it_alone(text: str, dialect: str, is_loaded: bool) -> None:
    read = f"parse_query({text!r}, Surroundings(dialect=Dialect.{dialect}))"
    program = (
        f"import sys, tableapi\nfrom grammar.reading import Surroundings, parse_query\n"
        f"from ir.rendering import Dialect\n{read}\n"
        "print(any(name.startswith(('grammar.flink', 'ir.flink')) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(is_loaded)
