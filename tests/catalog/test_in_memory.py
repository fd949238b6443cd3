"""The in-memory catalog."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from ir.errors import CatalogException, DatabaseNotExistException, TableAlreadyExistException, ValidationException
from ir.identifiers import ObjectIdentifier
from ir.operations.source import Source
from ir.schema import ResolvedSchema
from ir.types import INT
from tableapi.catalog.catalog import CatalogTable, CatalogView
from tableapi.catalog.in_memory import InMemoryCatalog
from tests.catalog.contract import CatalogContract, view_of

SCHEMA = ResolvedSchema.of(["a"], [INT])


@pytest.fixture
def catalog() -> InMemoryCatalog:
    return InMemoryCatalog("mem")


@pytest.fixture
def database(catalog: InMemoryCatalog) -> str:
    return catalog.default_database


@pytest.fixture
def make_table(catalog: InMemoryCatalog, database: str) -> Callable[[str], None]:
    return lambda name: catalog.create_table(database, name, CatalogTable(SCHEMA))


class TestContract(CatalogContract):
    pass


def reading(name: str) -> CatalogView:
    source = Source(ObjectIdentifier(name, "default_database", "mem"), SCHEMA)
    return CatalogView(SCHEMA, f"SELECT a FROM {name}", operation=source)


def test_the_tree_is_kept(catalog: InMemoryCatalog, database: str) -> None:
    view = reading("t")
    catalog.create_view(database, "v", view)
    found = catalog.get_table(database, "v")
    assert isinstance(found, CatalogView)
    assert found.operation is view.operation


def test_names_may_be_anything_but_empty(catalog: InMemoryCatalog) -> None:
    catalog.create_database("d b`.")
    catalog.create_table("d b`.", "ü ${x}\n", CatalogTable(SCHEMA))
    assert catalog.list_tables("D B`.") == ["ü ${x}\n"]
    with pytest.raises(ValidationException, match="empty"):
        catalog.create_view("d b`.", "", view_of("SELECT 1 AS a"))
    with pytest.raises(ValidationException, match="empty"):
        catalog.create_database("")


def test_the_spelling_of_the_first_stays(catalog: InMemoryCatalog, database: str) -> None:
    catalog.create_view(database, "MyView", view_of("SELECT 1 AS a"))
    catalog.create_view(database, "MYVIEW", view_of("SELECT 2 AS a"), or_replace=True)
    assert catalog.list_views(database) == ["MyView"]


def test_databases(catalog: InMemoryCatalog) -> None:
    catalog.create_database("sales")
    catalog.create_database("SALES", if_not_exists=True)
    with pytest.raises(CatalogException, match="exists"):
        catalog.create_database("Sales")
    assert catalog.list_databases() == ["default_database", "sales"]
    with pytest.raises(DatabaseNotExistException, match="Did you mean 'sales'"):
        catalog.list_tables("sale")


def test_a_table_takes_no_taken_name(catalog: InMemoryCatalog, database: str) -> None:
    catalog.create_table(database, "t", CatalogTable(SCHEMA, "first"))
    catalog.create_table(database, "T", CatalogTable(SCHEMA, "second"), if_not_exists=True)
    assert catalog.get_table(database, "t").comment == "first"
    with pytest.raises(TableAlreadyExistException, match="if_not_exists"):
        catalog.create_table(database, "t", CatalogTable(SCHEMA))
    catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
    with pytest.raises(TableAlreadyExistException, match="is a view"):
        catalog.create_table(database, "v", CatalogTable(SCHEMA), if_not_exists=True)


def test_a_view_cannot_read_itself(catalog: InMemoryCatalog, database: str) -> None:
    catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
    catalog.create_view(database, "w", reading("v"))
    for through in ("V", "w"):
        with pytest.raises(ValidationException, match="would read itself"):
            catalog.create_view(database, "v", reading(through), or_replace=True)
    found = catalog.get_table(database, "v")
    assert isinstance(found, CatalogView)
    assert found.text == "SELECT 1 AS a"


def test_runs_without_pyspark() -> None:
    program = "import sys, tableapi.catalog.in_memory; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
