"""The catalog of files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ir.schema import ResolvedSchema
from ir.types import INT
from tableapi.catalog.catalog import CatalogTable
from tableapi.catalog.directory import DirectoryCatalog
from tests.catalog.contract import CatalogContract

SCHEMA = ResolvedSchema.of(["a"], [INT])


@pytest.fixture
def catalog(tmp_path: Path) -> DirectoryCatalog:
    return DirectoryCatalog("team", tmp_path)


@pytest.fixture
def database(catalog: DirectoryCatalog) -> str:
    return catalog.default_database


@pytest.fixture
def make_table(catalog: DirectoryCatalog, database: str) -> Callable[[str], None]:
    return lambda name: catalog.create_table(database, name, CatalogTable(SCHEMA))


class TestContract(CatalogContract):
    pass
