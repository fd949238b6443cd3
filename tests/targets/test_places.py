"""Errors about what a target lacks have the place in the SQL text, and name no place that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.errors import TableException
from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment
from tableapi.expressions import col


@pytest.fixture
def old() -> TableEnvironment:
    """An environment that writes SQL for Spark 3.5."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("spark-3.5")
    environment = TableEnvironment.create(settings.build())
    environment.execute_sql("CREATE TABLE t (a INT, b STRING)")
    return environment


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("SELECT a,\n  PARSE_JSON(b) AS j FROM t", "line 2, column 3:\n    PARSE_JSON(b) AS j FROM t\n    ^^^^^^^^^^"),
        ("SELECT a FROM t WHERE a > 0 AND LENGTH(b COLLATE UTF8_LCASE) > 1", "line 1, column 40:"),
        ("SELECT UPPER(b), CAST(b AS VARIANT) FROM t", "line 1, column 18:"),
        ("SELECT b, MODE() WITHIN GROUP (ORDER BY a) FROM t GROUP BY b", "line 1, column 11:"),
        ("SELECT b FROM t GROUP BY b HAVING IS_VARIANT_NULL(MAX(b)::VARIANT)", "line 1, column 51:"),
        ("SELECT a FROM t ORDER BY LENGTH(b COLLATE UTF8_LCASE)", "line 1, column 33:"),
    ],
)
def test_an_error_has_the_place_of_the_call(old: TableEnvironment, text: str, place: str) -> None:
    with pytest.raises(TableException, match=r"needs Spark 4\.0; the target is Spark 3\.5") as error:
        old.sql_query(text)
    assert place in str(error.value)


@pytest.mark.parametrize(
    ("text", "target", "place"),
    [
        (
            "SELECT *\nFROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT * FROM r LIMIT 3)",
            "spark-4.0",
            "line 2, column 22:",
        ),
        ("SELECT a FROM t\n|> PIVOT (SUM(a) FOR a IN (1 AS x, 1 AS y))", "spark-4.2", "line 2, column 4:"),
        ("SELECT a\nFROM t\nDISTRIBUTE BY a", "sail-0.7", "line 3, column 15:"),
        ("SELECT a FROM t\nINTERSECT ALL\nSELECT a FROM t", "sail-0.7", "line 3, column 1:"),
        ("SELECT TRANSFORM(a)\nUSING 'cat'\nFROM t", "sail-0.7", "line 2, column 7:"),
        # A key that is not selected: the grouping is below a projection.
        ("SELECT a\nFROM (SELECT a FROM t GROUP BY a, MAP(a, b))", "spark-3.5", "line 2, column 7:"),
        ("SELECT b\nFROM t AS o\nWHERE a > (SELECT MAX(a) FROM t WHERE t.a > o.a)", "sail-0.7", "line 3, column 7:"),
    ],
)
def test_an_error_has_the_place_of_the_operation(text: str, target: str, place: str) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target(target)
    environment = TableEnvironment.create(settings.build())
    environment.execute_sql("CREATE TABLE t (a INT, b STRING)")
    with pytest.raises(TableException, match=r"; the target is ") as error:
        environment.sql_query(text)
    assert place in str(error.value)


def test_a_call_of_the_fluent_interface_has_no_place(old: TableEnvironment) -> None:
    with pytest.raises(TableException, match=r"needs Spark 4\.0") as error:
        old.from_path("t").select(col("b").parse_json())
    assert "line" not in str(error.value)


def test_what_has_an_equivalent_is_accepted(old: TableEnvironment) -> None:
    written = old.sql_query("SELECT TRY_MOD(a, 0) AS r FROM t").as_serializable_string()
    assert "TRY_MOD" not in written


def test_the_newest_target_checks_nothing() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target("spark-4.3").build()
    environment = TableEnvironment.create(settings)
    assert environment._parts.runtime.lookup_for_target is environment._parts.runtime.lookup


# --- views that are stored by another version -----------------------------------------------------------------------


def _over_files(files: Path, target: str) -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").with_target(target)
    environment = TableEnvironment.create(settings.build())
    environment.register_catalog("shop", DirectoryCatalog("shop", str(files), "views"))
    environment.use_catalog("shop")
    return environment


@pytest.fixture
def views(tmp_path: Path) -> Path:
    """A directory with views that the newest Spark reads."""
    newest = _over_files(tmp_path, "spark-4.3")
    counting = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r"
    for name, text in {
        "plain": "SELECT 1 AS n",
        "counted": counting,
        "above": "SELECT n + 1 AS n FROM counted",
        "parsed": "SELECT PARSE_JSON('1') AS v",
        "hidden": "SELECT VARIANT_GET(v, '$', 'INT') AS n FROM parsed",
    }.items():
        newest.create_view(name, newest.sql_query(text))
    return tmp_path


_NEEDS_4_1 = "needs Spark 4.1; the target is Spark 3.5 (from with_target)."
_NEEDS_4_0 = "needs Spark 4.0; the target is Spark 3.5 (from with_target)."


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ("counted", f"The view shop.views.counted cannot be read: The recursive query (WITH RECURSIVE) {_NEEDS_4_1}"),
        ("above", f"The view shop.views.counted cannot be read: The recursive query (WITH RECURSIVE) {_NEEDS_4_1}"),
        ("parsed", f"The type VARIANT of shop.views.parsed.v {_NEEDS_4_0}"),
        (
            "hidden",
            f"The view shop.views.hidden cannot be read: The type VARIANT of shop.views.parsed.v {_NEEDS_4_0}",
        ),
    ],
)
def test_a_view_that_the_target_cannot_read_is_refused_when_it_is_named(views: Path, view: str, message: str) -> None:
    old = _over_files(views, "spark-3.5")
    for _ in range(2):
        with pytest.raises(TableException) as error:
            old.from_path(view)
        assert str(error.value) == message
    with pytest.raises(TableException) as error:
        old.sql_query(f"SELECT *\nFROM plain, {view}")
    assert str(error.value).startswith(message)
    assert f"line 2, column 13:\n  FROM plain, {view}\n" in str(error.value)


def test_a_view_that_the_target_can_read_is_read(views: Path) -> None:
    assert _over_files(views, "spark-4.1").from_path("above").get_resolved_schema().names == ("n",)
    assert _over_files(views, "spark-3.5").from_path("plain").get_resolved_schema().names == ("n",)
