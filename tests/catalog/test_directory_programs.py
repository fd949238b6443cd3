"""Every query of the test programs, stored as a view of a directory and read again, is the same tree."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ir.errors import TableException
from ir.operations.source import InlineSource, Source
from ir.rewriting import sources_of
from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment
from tableapi.catalog import directory
from tableapi.catalog.catalog import CatalogView
from tableapi.catalog.read_cache import cache_reads
from tableapi.catalog.time_zones import depends_on_time_zone
from tests.cases import every
from tests.programs import PROGRAMS
from tests.programs.tables import Tables, environment_without_spark


@pytest.fixture(scope="module")
def tables() -> Iterator[Tables]:
    with tempfile.TemporaryDirectory() as folder:
        made = environment_without_spark()
        made.register_catalog("team", DirectoryCatalog("team", folder))
        yield Tables(made)


@every("name", lambda: sorted(PROGRAMS), str)
def test_a_view_reads_back_as_its_query(tables: Tables, name: str) -> None:
    query = PROGRAMS[name].build(tables).query_operation
    catalog = tables.env.get_catalog("team")
    for source in sources_of(query):
        if isinstance(source, InlineSource) or (isinstance(source, Source) and source.identifier.is_temporary):
            pytest.skip("it reads what only this process has")
    try:
        text = catalog.view_text(query, "team")
    except TableException as error:
        pytest.skip(f"it has no text: {error}")
    catalog.create_view("default", name, CatalogView(query.schema, text))
    read = tables.env.from_view_definition(f"team.`default`.`{name}`").query_operation
    assert read.normalize() is query.normalize()
    assert depends_on_time_zone(query) in (True, False)


def test_a_chain_of_views_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    env.register_catalog("team", DirectoryCatalog("team", tmp_path))
    env.use_catalog("team")
    env.create_view("v0", env.from_elements([(1,)], ["a"]))
    for number in range(1, 30):
        text = f"CREATE VIEW v{number} AS SELECT a + 1 AS a FROM v{number - 1};\n"
        (tmp_path / "default" / "views" / f"v{number}.sql").write_text(text, encoding="utf-8")
    query = env.from_path("v29").query_operation
    looked_at: list[str] = []
    plain = directory._FileWitness.stands

    def counted(witness: Any, seen: dict[object, Any]) -> bool:
        looked_at.append(witness.path)
        return plain(witness, seen)

    monkeypatch.setattr(directory._FileWitness, "stands", counted)
    with cache_reads():
        assert len(list(env._parts.runtime.sources_behind(query))) == 31
    assert sorted(looked_at) == sorted(str(tmp_path / "default" / "views" / f"v{number}.sql") for number in range(30))
