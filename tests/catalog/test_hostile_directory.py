"""A directory that somebody else filled: pipes, links that lead outside or in circles, endless files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ir.errors import CatalogException
from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment
from tableapi.catalog.directory_storage import LARGEST

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")


@pytest.fixture
def env(tmp_path: Path) -> Iterator[TableEnvironment]:
    """An environment whose catalog has one valid view; files outside its directory must stay unchanged."""
    outside = tmp_path / "outside"
    (outside / "views").mkdir(parents=True)
    (outside / "views/kept.sql").write_text("CREATE VIEW kept AS SELECT 1 AS a")
    (outside / "secret.sql").write_text("CREATE VIEW x AS SELECT 'the secret' AS a")
    (outside / "left.tmp").write_text("somebody's")
    before = _files(outside)
    root = tmp_path / "team"
    (root / "default/views").mkdir(parents=True)
    (root / "default/views/whole.sql").write_text("CREATE VIEW whole AS SELECT 1 AS a;\n")
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.build())
    env.register_catalog("team", DirectoryCatalog("team", root))
    env.use_catalog("team")
    yield env
    assert _files(outside) == before


def _files(folder: Path) -> dict[str, str]:
    return {str(path): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def _catalog(env: TableEnvironment) -> DirectoryCatalog:
    catalog = env.get_catalog("team")
    assert isinstance(catalog, DirectoryCatalog)
    return catalog


def _empty(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)


NO_FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a pipe": (os.mkfifo, "It is no file"),
    "a folder": (Path.mkdir, "It is no file"),
    "a link out": (lambda path: path.symlink_to("../../../outside/secret.sql"), "a link to what is not in"),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), "a link to what is not in"),
    "a link to itself": (lambda path: path.symlink_to(path.name), "a link to what is not in"),
    "a link to nothing": (lambda path: path.symlink_to("gone.sql"), "a link to what is not in"),
    "no end": (_empty, "67,108,865 bytes; no more than 67,108,864 are read"),
}


@pytest.mark.parametrize("case", NO_FILES)
def test_an_entry_that_is_not_a_file_is_corrupt(env: TableEnvironment, case: str) -> None:
    make, message = NO_FILES[case]
    catalog = _catalog(env)
    path = catalog.path / "default/views/x.sql"
    make(path)
    assert env.list_views() == ["whole", "x"]
    assert env.from_path("whole").get_resolved_schema().names == ("a",)
    with pytest.raises(CatalogException, match=rf"The view team\.default\.x is broken in {path}: .*{message}"):
        env.from_path("x")
    assert list(catalog.broken_files()) == [path]
    env.create_view("other", env.from_path("whole"))
    if path.is_dir():
        with pytest.raises(CatalogException, match="cannot be written"):
            env.create_view("x", env.from_path("whole"), or_replace=True)
        path.rmdir()
    else:
        env.create_view("x", env.from_path("whole"), or_replace=True)
        assert env.from_path("x").get_resolved_schema().names == ("a",)
        path.unlink()
        make(path)
        env.execute_sql("DROP VIEW x")
    assert env.list_views() == ["other", "whole"]
    assert catalog.broken_files() == {}


def test_a_link_within_the_directory_is_followed(env: TableEnvironment) -> None:
    root = _catalog(env).path
    (root / "..data").mkdir()
    (root / "..data/x.sql").write_text("CREATE VIEW x AS SELECT 2 AS b")
    (root / "default/views/x.sql").symlink_to("../../..data/x.sql")
    assert env.from_path("x").get_resolved_schema().names == ("b",)
    assert _catalog(env).broken_files() == {}


@pytest.mark.parametrize("name", ["evil", "a" * 100 + "~" + "0" * 32])
def test_the_file_of_a_database_is_a_pipe(env: TableEnvironment, name: str) -> None:
    path = _catalog(env).path / name / "database.sql"
    (path.parent / "views").mkdir(parents=True)
    os.mkfifo(path)
    assert env.list_views() == ["whole"]
    assert _catalog(env).broken_files() == {path: "It is no file."}
    assert env.list_databases() == (["default"] if "~" in name else ["default", "evil"])
    if "~" not in name:
        with pytest.raises(CatalogException, match=r"The database team\.evil is broken in .*It is no file"):
            _catalog(env).get_database("evil")
        env.execute_sql("DROP DATABASE evil CASCADE")
        assert not path.parent.exists()


@pytest.mark.parametrize("target", ["../../outside/views", "views"], ids=["out", "circle"])
def test_a_folder_of_views_is_a_link(env: TableEnvironment, target: str) -> None:
    folder = _catalog(env).path / "evil"
    folder.mkdir()
    (folder / "database.sql").write_text("CREATE DATABASE evil")
    (folder / "views").symlink_to(target)
    assert env.list_databases() == ["default", "evil"]
    assert list(_catalog(env).broken_files()) == [folder / "views"]
    for use in (
        lambda: env.from_path("evil.kept"),
        lambda: _catalog(env).list_views("evil"),
        lambda: env.create_view("evil.new", env.from_path("whole")),
        lambda: env.execute_sql("DROP VIEW evil.kept"),
        lambda: env.execute_sql("DROP DATABASE evil CASCADE"),
    ):
        with pytest.raises(CatalogException, match=r"evil/views is a link to what is not in the directory"):
            use()
    assert env.list_views() == ["whole"]


@pytest.mark.parametrize("target", ["../outside", ".."])
def test_the_folder_of_a_database_is_a_link(env: TableEnvironment, target: str) -> None:
    folder = _catalog(env).path / "evil"
    (folder.parent.parent / "views").mkdir()
    folder.symlink_to(target)
    assert env.list_databases() == ["default"]
    assert list(_catalog(env).broken_files()) == [folder]
    with pytest.raises(CatalogException, match="No database evil"):
        _catalog(env).drop_database("evil", cascade=True)
    with pytest.raises(CatalogException, match=r"evil is a link to what is not in the directory.*nothing was changed"):
        env.execute_sql("CREATE DATABASE evil")
    assert env.list_views() == ["whole"]


def test_a_database_folder_linked_to_another(env: TableEnvironment) -> None:
    """Dropping one database must not drop the other."""
    root = _catalog(env).path
    (root / "twin").symlink_to("default")
    assert env.list_databases() == ["default", "twin"]
    env.execute_sql("DROP DATABASE twin CASCADE")
    assert env.list_databases() == ["default"]
    assert env.list_views() == ["whole"]
    assert sorted(os.listdir(root / ".tableapi")) == [".gitignore", "lock"]


OWN: dict[str, Callable[[Path], None]] = {
    "the folder": lambda own: own.symlink_to("../outside"),
    "the lock": lambda own: (own.mkdir(), (own / "lock").symlink_to("../../outside/secret.sql"))[0],
    "a lock that is a pipe": lambda own: (own.mkdir(), os.mkfifo(own / "lock"))[0],
    "what git ignores": lambda own: (own.mkdir(), (own / ".gitignore").symlink_to("../../outside/made"))[0],
}


@pytest.mark.parametrize("case", OWN)
def test_links_are_not_followed_by_writes(env: TableEnvironment, case: str) -> None:
    """The catalog empties its lock file and removes the leftovers of writers: it must touch only its own files."""
    OWN[case](_catalog(env).path / ".tableapi")
    with pytest.raises(CatalogException, match=r"cannot be written: .*\.tableapi.* is a link, or of another kind"):
        env.create_view("new", env.from_path("whole"))
    assert env.list_views() == ["whole"]


def test_a_temporary_file_replaced_by_a_link(env: TableEnvironment) -> None:
    own = _catalog(env).path / ".tableapi"
    own.mkdir()
    (own / "0.dropped").symlink_to("../../outside")
    (own / "1.tmp").symlink_to("../../outside/secret.sql")
    env.create_view("new", env.from_path("whole"))
    assert sorted(os.listdir(own)) == [".gitignore", "lock"]
