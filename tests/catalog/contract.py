"""Tests of every catalog, written once; a test class per catalog derives from ``CatalogContract``."""

from __future__ import annotations

import threading

import pytest

from ir.errors import (
    CatalogException,
    DatabaseAlreadyExistException,
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    TableAlreadyExistException,
    TableNotExistException,
    ValidationException,
)
from ir.schema import Column, ResolvedSchema
from ir.types import INT, STRING, ArrayType, DecimalType, RowField, RowType
from tableapi.catalog.catalog import Catalog, CatalogTable, CatalogView
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage, FunctionParameter


def view_of(text: str, *columns: str | tuple[str, str], **rest: object) -> CatalogView:
    """Return a view with INT columns, each given by a name or by a name and a comment."""
    pairs = [(column, None) if isinstance(column, str) else column for column in columns or ("a",)]
    schema = ResolvedSchema(tuple([Column(name, INT.not_null(), comment) for name, comment in pairs]))
    return CatalogView(schema, text, **rest)  # type: ignore[arg-type]  # the keywords of CatalogView


def comments(view: object) -> dict[str, str | None]:
    """Return the comments of a stored view's columns."""
    assert isinstance(view, CatalogView)
    return {column.name: column.comment for column in view.schema.columns}


def python(path: str) -> CatalogFunction:
    """Return a function in Python."""
    return CatalogFunction(FunctionLanguage.PYTHON, path)


def sql(body: str, *parameters: FunctionParameter, **rest: object) -> CatalogFunction:
    """Return a SQL function with an INT result."""
    given: dict[str, object] = {"returns": INT, **rest}
    return CatalogFunction(FunctionLanguage.SQL, body, parameters, **given)  # type: ignore[arg-type]  # its keywords


def said(function: CatalogFunction | None) -> tuple[object, ...]:
    """Return all parts of a function except its settings."""
    assert function is not None
    return (
        *(function.language, function.body, function.parameters, function.returns),
        *(function.is_table, function.comment, function.is_deterministic),
    )


SCALAR = sql(
    "concat(`first`, `the last`, 'it\\'s;')",
    FunctionParameter("first", STRING, None, "the 'first' one"),
    FunctionParameter("the last", STRING, "'a, b'", "what \n is -- last"),
    FunctionParameter("n", DecimalType(5, 2), "1 + 1"),
    returns=STRING,
    comment="says 'hi'\n-- twice;",
    is_deterministic=False,
)
TABLE = sql(
    "SELECT `x` AS `a`, array(named_struct('p q', 'x')) AS `b c`",
    FunctionParameter("x", INT),
    returns=RowType(
        (RowField("a", INT, "it's"), RowField("b c", ArrayType(RowType((RowField("p q", STRING),))))), nullable=False
    ),
    is_table=True,
)


class CatalogContract:
    """Tests for a catalog.

    Subclasses need the fixtures ``catalog`` and ``database`` (empty), and ``make_table(name)``, which creates a table
    in it.
    """

    def test_a_stored_view_is_read_back(self, catalog: Catalog, database: str) -> None:
        stored = view_of(
            "SELECT 1 AS `a`, 2 AS `b``c`",
            ("a", "it's"),
            "b`c",
            comment='says "hi"\n\\',
            properties={"k": "v", "empty": "", "a.b": "é😀${x}"},
        )
        catalog.create_view(database, "v", stored)
        found = catalog.get_table(database, "v")
        assert isinstance(found, CatalogView)
        assert found.text == stored.text
        assert found.schema is stored.schema
        assert found.comment == stored.comment
        assert dict(found.properties) == dict(stored.properties)

    def test_lists(self, catalog: Catalog, database: str, make_table: object) -> None:
        assert callable(make_table)
        make_table("t")
        catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
        assert catalog.list_tables(database) == ["t", "v"]
        assert catalog.list_views(database) == ["v"]
        assert database in catalog.list_databases()
        assert catalog.database_exists(database.upper())
        assert not catalog.database_exists("nowhere")

    def test_names_are_found_whatever_their_case(self, catalog: Catalog, database: str) -> None:
        catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
        assert isinstance(catalog.get_table(database.upper(), "V"), CatalogView)
        with pytest.raises(TableAlreadyExistException):
            catalog.create_view(database, "V", view_of("SELECT 1 AS a"))
        catalog.drop_view(database, "V")
        assert catalog.list_tables(database) == []

    def test_a_taken_name_is_refused(self, catalog: Catalog, database: str) -> None:
        catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
        with pytest.raises(TableAlreadyExistException, match="or_replace"):
            catalog.create_view(database, "v", view_of("SELECT 2 AS a"))
        catalog.create_view(database, "v", view_of("SELECT 3 AS a"), if_not_exists=True)
        found = catalog.get_table(database, "v")
        assert isinstance(found, CatalogView)
        assert found.text == "SELECT 1 AS a"
        with pytest.raises(ValidationException, match="not both"):
            catalog.create_view(database, "v", view_of("SELECT 3 AS a"), if_not_exists=True, or_replace=True)

    def test_a_view_never_takes_the_place_of_a_table(self, catalog: Catalog, database: str, make_table: object) -> None:
        assert callable(make_table)
        make_table("t")
        for options in ({}, {"or_replace": True}, {"if_not_exists": True}):
            with pytest.raises(TableAlreadyExistException, match="is a table"):
                catalog.create_view(database, "t", view_of("SELECT 1 AS a"), **options)

    def test_a_table_is_altered_completely(self, catalog: Catalog, database: str, make_table: object) -> None:
        assert callable(make_table)
        make_table("t")
        changed = CatalogTable(ResolvedSchema((Column("b", INT, "c"),)), "after", {"k": "v"})
        if catalog.is_in_spark:
            with pytest.raises(CatalogException, match="ALTER TABLE"):
                catalog.alter_table(database, "t", changed)
            return
        catalog.alter_table(database, "T", changed)
        found = catalog.get_table(database, "t")
        assert found.schema is changed.schema
        assert found.comment == "after"
        assert catalog.list_tables(database) == ["t"]
        with pytest.raises(TableNotExistException, match="'t'"):
            catalog.alter_table(database, "tt", changed)

    def test_a_table_is_renamed(self, catalog: Catalog, database: str, make_table: object) -> None:
        assert callable(make_table)
        make_table("t")
        catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
        before = catalog.get_table(database, "t").schema
        with pytest.raises(TableAlreadyExistException):
            catalog.rename_table(database, "t", "V")
        with pytest.raises(TableNotExistException):
            catalog.rename_table(database, "v", "w")
        catalog.rename_table(database, "T", "u")
        assert catalog.list_tables(database) == ["u", "v"]
        assert catalog.get_table(database, "u").schema is before

    def test_replacing_keeps_unspecified_properties(self, catalog: Catalog, database: str) -> None:
        old = view_of(
            "SELECT 1 AS a, 2 AS b, 3 AS c", ("a", "ca"), ("b", "cb"), "c", comment="c", properties={"k": "1", "l": ""}
        )
        catalog.create_view(database, "v", old)
        catalog.create_view(
            database, "v", view_of("SELECT 4 AS c, 5 AS A", "c", "A", properties={"k": "2"}), or_replace=True
        )
        found = catalog.get_table(database, "v")
        assert isinstance(found, CatalogView)
        assert found.text == "SELECT 4 AS c, 5 AS A"
        assert found.comment == "c"
        assert dict(found.properties) == {"k": "2", "l": ""}
        assert comments(found) == {"c": None, "A": "ca"}

    def test_replacing_sets_specified_properties(self, catalog: Catalog, database: str) -> None:
        catalog.create_view(database, "v", view_of("SELECT 1 AS a", ("a", "old"), comment="old"))
        new = view_of("SELECT 2 AS a", ("a", "new"), comment="new", properties={"k": "v"})
        catalog.create_view(database, "v", new, or_replace=True)
        found = catalog.get_table(database, "v")
        assert isinstance(found, CatalogView)
        assert (found.comment, comments(found), dict(found.properties)) == ("new", {"a": "new"}, {"k": "v"})

    def test_missing_objects_suggest_the_nearest_name(self, catalog: Catalog, database: str) -> None:
        catalog.create_view(database, "orders", view_of("SELECT 1 AS a"))
        with pytest.raises(TableNotExistException, match="Did you mean 'orders'"):
            catalog.get_table(database, "order")
        with pytest.raises(TableNotExistException, match="Did you mean 'orders'"):
            catalog.drop_view(database, "order")
        for call in (catalog.list_tables, catalog.list_views):
            with pytest.raises(DatabaseNotExistException, match="nowhere"):
                call("nowhere")
        with pytest.raises(DatabaseNotExistException, match="nowhere"):
            catalog.get_table("nowhere", "v")
        with pytest.raises(DatabaseNotExistException, match="nowhere"):
            catalog.create_view("nowhere", "v", view_of("SELECT 1 AS a"))

    def test_drops_ask_for_the_kind(self, catalog: Catalog, database: str, make_table: object) -> None:
        assert callable(make_table)
        make_table("t")
        catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
        with pytest.raises(TableNotExistException, match="is a table"):
            catalog.drop_view(database, "t")
        with pytest.raises(TableNotExistException, match="is a view"):
            catalog.drop_table(database, "v")
        assert catalog.list_tables(database) == ["t", "v"]
        catalog.drop_view(database, "v")
        catalog.drop_table(database, "t")
        assert catalog.list_tables(database) == []
        with pytest.raises(TableNotExistException):
            catalog.drop_table(database, "t")

    def test_two_threads_share_a_catalog(self, catalog: Catalog, database: str) -> None:
        failures: list[BaseException] = []

        def work(thread: int) -> None:
            try:
                for turn in range(3):
                    catalog.create_view(database, f"v{thread}", view_of(f"SELECT {turn} AS a"), or_replace=True)
                    catalog.create_view(
                        database, "shared", view_of("SELECT 7 AS a", ("a", f"{thread} {turn}")), or_replace=True
                    )
                    catalog.get_table(database, "shared")
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert catalog.list_views(database) == ["shared", "v0", "v1"]
        found = catalog.get_table(database, "v1")
        assert isinstance(found, CatalogView)
        assert found.text == "SELECT 2 AS a"

    # --- databases ---

    def test_databases_are_made_and_dropped(self, catalog: Catalog, database: str) -> None:
        made = f"{database}_other"
        catalog.create_database(made, comment="it's")
        assert made in catalog.list_databases()
        with pytest.raises(DatabaseAlreadyExistException, match="exists"):
            catalog.create_database(made.upper())
        catalog.create_database(made.upper(), if_not_exists=True)
        catalog.drop_database(made.upper())
        assert made not in catalog.list_databases()
        with pytest.raises(DatabaseNotExistException, match=made):
            catalog.drop_database(made)
        catalog.drop_database(made, if_exists=True)

    def test_a_database_that_is_not_empty_is_dropped_with_cascade_alone(self, catalog: Catalog, database: str) -> None:
        made = f"{database}_other"
        for held in ("view", "function"):
            catalog.create_database(made)
            if held == "view":
                catalog.create_view(made, "held", view_of("SELECT 1 AS a"))
            else:
                catalog.create_function(made, "held", python("a.b"))
            with pytest.raises(CatalogException, match=r"not empty: it holds \[held\]"):
                catalog.drop_database(made)
            catalog.drop_database(made, cascade=True)
            assert not catalog.database_exists(made)

    # --- functions ---

    @pytest.mark.parametrize("function", [SCALAR, TABLE, python("no_such_package.module.Class")])
    def test_a_stored_function_is_read_back(self, catalog: Catalog, database: str, function: CatalogFunction) -> None:
        assert catalog.list_functions(database) == []
        catalog.create_function(database, "f", function)
        assert said(catalog.get_function(database, "f")) == said(function)
        assert said(catalog.get_function(database.upper(), "F")) == said(function)
        assert catalog.list_functions(database) == ["f"]

    def test_a_function_keeps_its_settings(self, catalog: Catalog, database: str) -> None:
        settings = {"spark.sql.session.timeZone": "Asia/Tokyo"}
        catalog.create_function(database, "f", sql("1", settings=settings))
        found = catalog.get_function(database, "f")
        assert found is not None
        assert settings.items() <= found.settings.items()

    def test_a_function_and_a_view_may_share_a_name(self, catalog: Catalog, database: str) -> None:
        catalog.create_view(database, "same", view_of("SELECT 1 AS a"))
        catalog.create_function(database, "same", python("a.b"))
        assert catalog.list_tables(database) == catalog.list_functions(database) == ["same"]
        catalog.drop_view(database, "same")
        assert catalog.list_functions(database) == ["same"]

    def test_a_taken_name_of_a_function(self, catalog: Catalog, database: str) -> None:
        catalog.create_function(database, "f", sql("1"))
        with pytest.raises(FunctionAlreadyExistException, match="exists"):
            catalog.create_function(database, "F", sql("2"))
        catalog.create_function(database, "F", sql("2"), if_not_exists=True)
        assert said(catalog.get_function(database, "f")) == said(sql("1"))
        catalog.create_function(database, "F", sql("3", FunctionParameter("x", INT)), or_replace=True)
        assert said(catalog.get_function(database, "f")) == said(sql("3", FunctionParameter("x", INT)))
        catalog.alter_function(database, "f", sql("4"))
        assert said(catalog.get_function(database, "f")) == said(sql("4"))
        with pytest.raises(ValidationException, match="not both"):
            catalog.create_function(database, "f", sql("5"), or_replace=True, if_not_exists=True)
        assert catalog.list_functions(database) == ["f"]
        catalog.create_function(database, "p", python("a.b"))
        catalog.create_function(database, "p", python("a.c"), or_replace=True)
        assert said(catalog.get_function(database, "p")) == said(python("a.c"))

    def test_functions_are_dropped(self, catalog: Catalog, database: str) -> None:
        catalog.create_function(database, "first", sql("1"))
        catalog.create_function(database, "second", python("a.b"))
        catalog.drop_function(database, "FIRST")
        catalog.drop_function(database, "second")
        assert catalog.list_functions(database) == []
        catalog.drop_function(database, "first", if_exists=True)

    def test_functions_that_do_not_exist(self, catalog: Catalog, database: str) -> None:
        catalog.create_function(database, "full_name", sql("1"))
        assert catalog.get_function(database, "full_nam") is None
        for call in (
            lambda: catalog.drop_function(database, "full_nam"),
            lambda: catalog.alter_function(database, "full_nam", sql("1")),
        ):
            with pytest.raises(FunctionNotExistException, match="Did you mean 'full_name'"):
                call()
        for missing in (
            lambda: catalog.list_functions("nowhere"),
            lambda: catalog.get_function("nowhere", "f"),
            lambda: catalog.create_function("nowhere", "f", sql("1")),
            lambda: catalog.drop_function("nowhere", "f"),
        ):
            with pytest.raises(DatabaseNotExistException, match="nowhere"):
                missing()
