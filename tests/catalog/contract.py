"""What every catalog does, written once; a test class per catalog derives from ``CatalogContract``."""

from __future__ import annotations

import threading

import pytest

from ir.errors import (
    DatabaseNotExistException,
    TableAlreadyExistException,
    TableNotExistException,
    ValidationException,
)
from ir.schema import Column, ResolvedSchema
from ir.types import INT
from tableapi.catalog.catalog import Catalog, CatalogView


def view_of(text: str, *columns: str | tuple[str, str], **rest: object) -> CatalogView:
    """A view with INT columns, each a name or a name and a comment."""
    pairs = [(column, None) if isinstance(column, str) else column for column in columns or ("a",)]
    schema = ResolvedSchema(tuple([Column(name, INT.not_null(), comment) for name, comment in pairs]))
    return CatalogView(schema, text, **rest)  # type: ignore[arg-type]  # the keywords of CatalogView


def comments(view: object) -> dict[str, str | None]:
    """The comments of a stored view's columns."""
    assert isinstance(view, CatalogView)
    return {column.name: column.comment for column in view.schema.columns}


class CatalogContract:
    """Needs the fixtures ``catalog`` and ``database`` (empty), and ``make_table(name)`` that makes a table in it."""

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

    def test_replacing_keeps_what_the_new_view_does_not_say(self, catalog: Catalog, database: str) -> None:
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

    def test_replacing_sets_what_the_new_view_says(self, catalog: Catalog, database: str) -> None:
        catalog.create_view(database, "v", view_of("SELECT 1 AS a", ("a", "old"), comment="old"))
        new = view_of("SELECT 2 AS a", ("a", "new"), comment="new", properties={"k": "v"})
        catalog.create_view(database, "v", new, or_replace=True)
        found = catalog.get_table(database, "v")
        assert isinstance(found, CatalogView)
        assert (found.comment, comments(found), dict(found.properties)) == ("new", {"a": "new"}, {"k": "v"})

    def test_what_does_not_exist_is_named_with_the_nearest(self, catalog: Catalog, database: str) -> None:
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
