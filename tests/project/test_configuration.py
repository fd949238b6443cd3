"""The project file: what it says, and errors with its line and the nearest name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tableapi.project.configuration import ProjectError, find_project, read_configuration
from tests.project.projects import write


def test_defaults(tmp_path: Path) -> None:
    write(tmp_path, "tableapi.toml", '[project]\nname = "shop"\n')
    found = read_configuration(tmp_path)
    assert (found.catalog_name, found.database, found.time_zone) == ("spark_catalog", "default", "UTC")
    assert found.views == (tmp_path / "views",)
    assert found.database_in(None, "sales") == "sales"
    assert found.database_in("dev_alice", "sales") == "dev_alice_sales"


@pytest.mark.parametrize("environment", ["", "a b", "a.b", "dev-x", "Ä"])
def test_name_of_an_environment(tmp_path: Path, environment: str) -> None:
    write(tmp_path, "tableapi.toml", '[project]\nname = "shop"\n')
    with pytest.raises(ProjectError, match=rf"letters of A to Z, digits and _, but is {re.escape(repr(environment))}"):
        read_configuration(tmp_path).database_in(environment, "sales")


def test_target_has_the_name_of_its_engine(tmp_path: Path) -> None:
    text = '[project]\nname = "shop"\n[targets.production]\nspark = "4.0"\nremote = "sc://host"\n'
    write(tmp_path, "tableapi.toml", text)
    assert read_configuration(tmp_path).target("production").engine == "spark-4.0"


def test_project_is_found_from_a_folder_below(tmp_path: Path) -> None:
    write(tmp_path, "tableapi.toml", '[project]\nname = "shop"\n')
    below = tmp_path / "views" / "daily"
    below.mkdir(parents=True)
    assert find_project(below) == tmp_path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[project]\nnmae = 'shop'\n", r":2: \[project\] has no key 'nmae'; .* Did you mean 'name'\?"),
        ("[projects]\nname = 'shop'\n", r":1: the file has no key 'projects'; .* Did you mean 'project'\?"),
        ("[project]\n", r":1: \[project\] needs a name"),
        ("[project]\nname = 'a b'\n", r":2: The name of a project has letters"),
        ("[project]\nname = 'shop'\nviews = 'x'\n", r":3: views is a list"),
        ("[project\n", r"is not valid TOML: .*line 1"),
        ("[project]\nname = 'a'\n[targets.t]\n", r":3: \[targets\.t\] says how to reach .* has none of them"),
        ("[project]\nname = 'a'\n[targets.t]\nremote = 'sc://a'\nwarehouse = 'w'\n", r"has remote, warehouse"),
        (
            "[project]\nname = 'a'\n[targets.t]\nremote = 'sc://a'\nspark = '3.4'\n",
            r":5: spark = '3\.4': .* spark-3\.5",
        ),
        ("[project]\nname = 'a'\n[targets.t]\nsession = 'a.b'\n", r":4: session names a function"),
        ("[project]\nname = 'a'\n[environments]\nnaming = '{env}_{database}'\n", r":4: naming has \{env\}"),
        ("[project]\nname = 'a'\n[environments]\nnaming = '{environment}'\n", r":4: naming takes both"),
        (
            "[project]\nname = 'a'\n[environments]\nnaming = '{environment}.{database}'\n",
            r":4: naming makes the name of a database",
        ),
        (
            "[project]\nname = 'a'\n[environments]\nnaming = '{{environment}_{database}'\n",
            r":4: naming makes the name of a database",
        ),
        ("[project]\nname = 'a'\ntime_zone = 'Europe/Berlim'\n", r":3: time_zone: .* Did you mean 'Europe/Berlin'\?"),
        ("[project]\nname = 'a'\ncatalog_name = 'a b'\n", r":3: The name of a catalog has letters"),
    ],
)
def test_invalid_file(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, "tableapi.toml", text)
    with pytest.raises(ProjectError, match=message):
        read_configuration(tmp_path)


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, encoding: str) -> str:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(ProjectError, match=r"tableapi\.toml cannot be read: Permission denied\.$"):
        read_configuration(tmp_path)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"`tableapi init` makes a project\."):
        find_project(tmp_path)
