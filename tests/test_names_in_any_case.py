"""Names are found in any case, for every kind of object and catalog, and two spellings are one name.

``tests/spark/test_names_in_any_case.py`` tests Spark's own catalog.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.errors import (
    CatalogException,
    CatalogNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    TableAlreadyExistException,
)
from ir.identifiers import NameMap, fold
from tableapi import (
    Catalog,
    CatalogDescriptor,
    DirectoryCatalog,
    EnvironmentSettings,
    InMemoryCatalog,
    TableEnvironment,
    udf,
    udtf,
)
from tableapi.expressions import call, col, lit

CATALOG, DATABASE = "Team", "Sales"
SPELLINGS = ("Team.Sales.{}", "team.sales.{}", "TEAM.SALES.{}", "`tEAM`.`sALES`.{}")


@pytest.fixture(params=["in memory", "directory"])
def te(request: pytest.FixtureRequest, tmp_path: Path) -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("Here")
    made = TableEnvironment.create(settings.build())
    catalog: Catalog = (
        InMemoryCatalog(CATALOG, "Default") if request.param == "in memory" else DirectoryCatalog(CATALOG, tmp_path)
    )
    made.register_catalog(CATALOG, catalog)
    made.execute_sql(f"CREATE DATABASE {CATALOG}.{DATABASE}")
    made.create_view(f"{CATALOG}.{DATABASE}.Orders", made.from_elements([(1, 2.5)], ["Id", "Amount"]))
    return made


# --- catalogs and databases ------------------------------------------------------------------------------------------


def test_a_catalog_is_found_by_its_methods(te: TableEnvironment) -> None:
    assert te.get_catalog("TEAM") is te.get_catalog("Team")
    te.use_catalog("tEAM")
    assert te.get_current_catalog() == "Team"
    te.use_database("SALES")
    assert te.get_current_database() == "Sales"
    assert te.list_views() == ["Orders"]
    with pytest.raises(CatalogNotExistException, match="Did you mean 'Team'"):
        te.use_catalog("Teams")


def test_a_catalog_is_found_by_statements(te: TableEnvironment) -> None:
    te.execute_sql("USE CATALOG TEAM")
    assert te.get_current_catalog() == "Team"
    te.execute_sql("USE HERE")
    assert te.get_current_catalog() == "Here"
    te.execute_sql("SET CATALOG 'team'")
    te.execute_sql("USE TEAM.SALES")
    assert (te.get_current_catalog(), te.get_current_database()) == ("Team", "Sales")
    assert "Sales" in [row[0] for row in te.execute_sql("SHOW DATABASES IN tEAM").collect()]
    assert [tuple(row) for row in te.execute_sql("SHOW TABLES IN TEAM.SALES").collect()] == [("Sales", "Orders", False)]
    described = {row[0]: row[1] for row in te.execute_sql("DESCRIBE DATABASE TEAM.SALES").collect()}
    assert described == {"Catalog Name": "Team", "Namespace Name": "Sales"}
    facts = {row[0]: row[1] for row in te.execute_sql("DESCRIBE EXTENDED TEAM.SALES.ORDERS").collect()}
    assert (facts["Catalog"], facts["Database"], facts["Table"]) == ("Team", "Sales", "Orders")


def test_a_catalog_rejects_names_that_differ_only_in_case(te: TableEnvironment) -> None:
    descriptor = CatalogDescriptor.of("TEAM", {"type": "generic_in_memory"})
    with pytest.raises(CatalogException, match=r"A catalog named 'Team' exists already\. Names are found whatever"):
        te.create_catalog("TEAM", descriptor)
    with pytest.raises(CatalogException, match=r"A catalog named 'Team' exists already\. Names are found whatever"):
        te.register_catalog("team", InMemoryCatalog("team"))
    with pytest.raises(CatalogException, match="A catalog named 'spark_catalog' exists already"):
        te.register_catalog("SPARK_CATALOG", InMemoryCatalog("mine"))
    with pytest.raises(CatalogException, match="A catalog named 'Team' exists already"):
        te.execute_sql("CREATE CATALOG team WITH ('type' = 'generic_in_memory')")
    te.execute_sql("CREATE CATALOG IF NOT EXISTS TEAM WITH ('type' = 'generic_in_memory')")
    assert te.list_catalogs() == ["Here", "Team", "spark_catalog"]


def test_a_catalog_is_altered_and_dropped(te: TableEnvironment) -> None:
    te.execute_sql("ALTER CATALOG TEAM COMMENT 'all of us'")
    assert te.get_catalog("Team").comment == "all of us"
    te.use_catalog("TEAM")
    with pytest.raises(CatalogException, match="is the current one"):
        te.execute_sql("DROP CATALOG team")
    te.use_catalog("HERE")
    te.execute_sql("DROP CATALOG team")
    assert te.list_catalogs() == ["Here", "spark_catalog"]


def test_the_built_in_catalog_may_have_the_name_of_sparks_in_any_case() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("Spark_Catalog").build()
    made = TableEnvironment.create(settings)
    assert made.list_catalogs() == ["Spark_Catalog"]
    assert isinstance(made.get_catalog("spark_catalog"), InMemoryCatalog)


def test_the_current_database_is_not_dropped_under_another_spelling(te: TableEnvironment) -> None:
    te.execute_sql("USE Team.Sales")
    with pytest.raises(CatalogException, match="is the current one"):
        te.execute_sql("DROP DATABASE TEAM.SALES CASCADE")


# --- tables and views ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SPELLINGS)
def test_two_spellings_of_a_table_are_one_tree(te: TableEnvironment, path: str) -> None:
    expected = te.from_path("Team.Sales.Orders").select(col("Id")).query_operation
    shouted = path.format("ORDERS")
    assert te.from_path(shouted).select(col("id")).query_operation is expected
    assert te.sql_query(f"SELECT Id FROM {shouted}").query_operation is expected
    assert te.sql_query(f"SELECT orders.Id FROM {shouted}").query_operation is expected
    assert "`Team`.`Sales`.`Orders`" in te.from_path(shouted).as_serializable_string()


def test_a_table_in_the_current_database_keeps_its_stored_spelling(te: TableEnvironment) -> None:
    expected = te.from_path("Team.Sales.Orders").query_operation
    te.execute_sql("USE TEAM.SALES")
    assert te.from_path("oRDERS").query_operation is expected
    assert te.from_path("sales.orders").query_operation is expected
    assert te.sql_query("TABLE ORDERS").query_operation is expected


def test_views_over_views_are_spelt_as_they_are_stored(te: TableEnvironment) -> None:
    te.execute_sql("CREATE VIEW team.sales.Dear AS SELECT ID FROM TEAM.SALES.ORDERS WHERE amount > 2")
    te.execute_sql("CREATE VIEW team.sales.Dearest AS SELECT ID FROM team.sales.DEAR")
    assert ".Dear" in te.show_create_view("TEAM.SALES.DEAREST")
    assert te.from_path("team.sales.dearest").query_operation is te.from_path("Team.Sales.Dearest").query_operation
    assert te.from_path("team.sales.dearest").get_resolved_schema().names == ("ID",)
    te.drop_view("TEAM.sales.DEAREST")
    te.execute_sql("DROP VIEW TEAM.SALES.dear")
    assert te.get_catalog("team").list_views("SALES") == ["Orders"]


def test_a_view_rejects_names_that_differ_only_in_case(te: TableEnvironment) -> None:
    one = te.from_elements([(1,)], ["a"])
    with pytest.raises(TableAlreadyExistException):
        te.create_view("TEAM.SALES.ORDERS", one)
    te.create_view("TEAM.SALES.ORDERS", one, or_replace=True)
    assert te.get_catalog("Team").list_views("Sales") == ["Orders"]
    te.execute_sql("ALTER VIEW TEAM.SALES.ORDERS RENAME TO team.sales.ORDERS")
    assert te.get_catalog("Team").list_views("Sales") == ["ORDERS"]
    assert "`ORDERS`" in te.from_path("Team.Sales.Orders").as_serializable_string()


def test_declared_tables(te: TableEnvironment) -> None:
    declared = te.declare("TEAM.SALES.Items", {"item": "INT"})
    assert declared.query_operation is te.from_path("team.sales.ITEMS").query_operation
    of_spark = TableEnvironment.create()
    shop = of_spark.declare("Shop.Items", {"item": "INT"})
    assert of_spark.from_path("SPARK_CATALOG.SHOP.ITEMS").query_operation is shop.query_operation
    with pytest.raises(TableAlreadyExistException, match="declared already"):
        of_spark.declare("SPARK_CATALOG.shop.items", {"item": "BIGINT"})


def test_temporary_views(te: TableEnvironment) -> None:
    te.create_temporary_view("Mine", te.from_elements([(1,)], ["a"]))
    assert te.from_path("MINE").query_operation is te.from_path("mine").query_operation
    with pytest.raises(TableAlreadyExistException):
        te.create_temporary_view("mine", te.from_elements([(1,)], ["a"]))
    te.drop_temporary_view("mINE")
    assert te.list_temporary_views() == []


# --- functions -------------------------------------------------------------------------------------------------------


def test_a_temporary_function_hides_a_stored_one_in_every_spelling(te: TableEnvironment) -> None:
    te.execute_sql("CREATE FUNCTION Team.Sales.f(x INT) RETURNS INT RETURN x + 1")
    stored = te.sql_query("SELECT Team.Sales.f(1) AS a").query_operation
    assert te.sql_query("SELECT TEAM.SALES.F(1) AS a").query_operation is stored
    te.create_temporary_function("Team.Sales.f", udf(lambda x: x, ["INT"], "INT"))
    hidden = te.sql_query("SELECT Team.Sales.f(1) AS a").query_operation
    assert hidden is not stored
    for path in SPELLINGS:
        assert te.sql_query(f"SELECT {path.format('F')}(1) AS a").query_operation is hidden
        assert te.sql_query("SELECT 1").select(call(path.format("F"), lit(1)).alias("a")).query_operation == (
            te.sql_query("SELECT 1").select(call("Team.Sales.f", lit(1)).alias("a")).query_operation
        )
    te.execute_sql("USE TEAM.SALES")
    assert te.sql_query("SELECT f(1) AS a").query_operation is hidden
    assert te.drop_temporary_function("TEAM.SALES.F")
    assert te.sql_query("SELECT f(1) AS a").query_operation == stored


def test_a_temporary_function_of_a_database_that_there_is_not(te: TableEnvironment) -> None:
    same = udf(lambda x: x, ["INT"], "INT")
    te.create_temporary_function("NODB.q", same)
    with pytest.raises(FunctionAlreadyExistException):
        te.create_temporary_function("nodb.Q", same)
    assert (
        te.sql_query("SELECT nodb.Q(1) AS a").query_operation is te.sql_query("SELECT NODB.q(1) AS a").query_operation
    )
    assert [row[0] for row in te.execute_sql("SHOW USER FUNCTIONS IN HERE.NoDb").collect()] == ["q"]
    assert "Here.NODB.q" in te._parts.runtime.functions.list_temporary_functions(("HERE", "nodb"))
    te.execute_sql("DROP TEMPORARY FUNCTION HERE.nodb.q")
    with pytest.raises(FunctionNotExistException):
        te.sql_query("SELECT NODB.q(1)")


def test_a_temporary_function_of_sparks_catalog_without_spark() -> None:
    te = TableEnvironment.create()
    te.create_temporary_function("sales.f", udf(lambda x: x, ["INT"], "INT"))
    expected = te.sql_query("SELECT sales.f(1) AS a").query_operation
    assert te.sql_query("SELECT SALES.F(1) AS a").query_operation is expected
    assert te.sql_query("SELECT SPARK_CATALOG.Sales.f(1) AS a").query_operation is expected


def test_functions_of_the_system(te: TableEnvironment) -> None:
    te.create_temporary_system_function("Twice", udf(lambda x: 2 * x, ["INT"], "INT"))
    expected = te.sql_query("SELECT Twice(1) AS a, ABS(1) AS b").query_operation
    assert te.sql_query("SELECT tWICE(1) AS a, abs(1) AS b").query_operation is expected
    assert te.sql_query("SELECT System.Session.TWICE(1) AS a, SYSTEM.builtin.Abs(1) AS b").query_operation is expected
    te.execute_sql("DROP TEMPORARY SYSTEM FUNCTION TWICE")
    with pytest.raises(FunctionNotExistException):
        te.sql_query("SELECT Twice(1)")


def test_table_functions(te: TableEnvironment) -> None:
    words = udtf(lambda text: text.split(), ["STRING"], ["STRING"], name="words")
    te.create_temporary_function("team.sales.Words", words)
    expected = te.sql_query("SELECT * FROM Team.Sales.words('a b') AS t(w)").query_operation
    assert te.sql_query("SELECT * FROM TEAM.SALES.WORDS('a b') AS t(w)").query_operation is expected


def test_stored_functions_are_replaced_and_dropped(te: TableEnvironment) -> None:
    te.execute_sql("CREATE FUNCTION team.sales.f(x INT) RETURNS INT RETURN x")
    with pytest.raises(FunctionAlreadyExistException):
        te.execute_sql("CREATE FUNCTION TEAM.SALES.F(x INT) RETURNS INT RETURN x")
    te.execute_sql("CREATE OR REPLACE FUNCTION TEAM.SALES.F(x INT) RETURNS INT RETURN x * 2")
    te.execute_sql("DROP FUNCTION team.SALES.f")
    assert te.get_catalog("TEAM").list_functions("sales") == []


def test_views_call_stored_functions_in_any_case(te: TableEnvironment) -> None:
    te.execute_sql("CREATE FUNCTION Team.Sales.Double(x INT) RETURNS INT RETURN x * 2")
    te.execute_sql("CREATE VIEW Team.Sales.Doubled AS SELECT TEAM.SALES.DOUBLE(id) AS d FROM team.sales.orders")
    assert te.from_path("team.sales.doubled").get_resolved_schema().names == ("d",)


# --- the one key -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Sales", "SALES", True),
        ("Größe", "GRÖSSE", False),
        ("Ünï", "üNÏ", True),
        ("\u0130x", "i\u0307X", True),
        ("ſ", "s", False),
    ],
)
def test_the_key_of_a_name(one: str, other: str, is_same: bool) -> None:
    assert (fold(one) == fold(other)) is is_same


def test_a_map_of_names_keeps_spellings() -> None:
    names = NameMap[int]()
    names["Sales"], names["b"] = 1, 2
    names["SALES"] = 3
    assert (list(names), names["sales"], len(names), names.spelling("SALES")) == (["Sales", "b"], 3, 2, "Sales")
    assert (names.find("sAles"), names.find("c"), names.get("c"), "c" in names, 3 in names) == (
        ("Sales", 3),
        None,
        None,
        False,
        False,
    )
    assert (names.pop("SALES"), names.pop("sales"), names.values(), names.items()) == (3, None, [2], [("b", 2)])
    del names["B"]
    assert not list(names)
